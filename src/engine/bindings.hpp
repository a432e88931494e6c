// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Kernels of the library that are bound as those of applications are: descriptors of backends/all.hpp with a function
// template `bind`.

#include <Kokkos_Core.hpp>
#include <string>
#include <vector>

#include <araia/extend/kernel.hpp>
#include <araia/formats/scalar.hpp>
#include "backends/all.hpp"

namespace araia::detail {

template <class Own>
struct LibraryBindings;

template <class Exec, class Desc, class A, class X, class Y, class Offset>
struct LibraryBindings<Bound<Exec, Desc, A, X, Y, Offset>> {
  using Own = Bound<Exec, Desc, A, X, Y, Offset>;
  using Function = Bind<Exec, Desc, A, X, Y, Offset>;

  /// Null where the kernel is not bound so, or not for these types.
  static Function find(KernelInfo const& kernel) {
    Function found = nullptr;
    each([&](KernelInfo const& info, Function bind) {
      if (info.storage == kernel.storage && info.name == kernel.name && info.side == kernel.side) found = bind;
    });
    return found;
  }

  /// Adds "csr/reference" and the like.
  static void add_names(std::vector<std::string>& names) {
    each([&](KernelInfo const& info, Function) {
      names.push_back(std::string(info.storage) + '/' + std::string(info.name));
    });
  }

 private:
  template <class D>
  static constexpr bool is_bound() {
    if constexpr (requires { &D::template bind<Own, Exec, BoundSource<Exec, A, Offset>, BindOptions>; })
      return D::info.operation == Desc::operation && (!D::info.hosts_alone || is_host_backend_space<Exec>);
    return false;
  }
  template <class F, class... D>
  static void each(F const& f, kernels::List<D...>) {
    auto const one = [&]<class One>() {
      if constexpr (is_bound<One>())
        f(One::info, &One::template bind<Own, Exec, BoundSource<Exec, A, Offset>, BindOptions>);
    };
    (one.template operator()<D>(), ...);
  }
  template <class F>
  static void each(F const& f) {
    each(f, kernels::All{});
  }
};

}  // namespace araia::detail
