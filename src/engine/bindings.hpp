// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Kernels of the library that are bound as those of applications are: descriptors of backends/all.hpp with function
// templates
//   bind    of Bound, Exec, Source and Options: makes the Bound; constrained to the types that the kernel has
//   count   of the same, where a matrix of its own cannot be told from statistics: the exact Footprint of what bind
//           would make, which may fence exec

#include <Kokkos_Core.hpp>
#include <string>
#include <vector>

#include <araia/detail/dispatch/cuda_space.hpp>
#include <araia/detail/formats/scalar.hpp>
#include <araia/extend/kernel.hpp>
#include "backends/all.hpp"

namespace araia::detail {

template <class Own>
struct LibraryBindings;

template <class Exec, class Desc, class A, class X, class Y, class Offset>
struct LibraryBindings<Bound<Exec, Desc, A, X, Y, Offset>> {
  using Own = Bound<Exec, Desc, A, X, Y, Offset>;
  using Source = BoundSource<Exec, A, Offset>;
  struct Functions {
    Bind<Exec, Desc, A, X, Y, Offset> bind = nullptr;
    Footprint (*count)(Exec const&, Source const&, Choice const&, BindOptions const&) = nullptr;
  };

  /// Null where the kernel is not bound so, or not for these types.
  static Functions find(KernelInfo const& kernel) {
    Functions found;
    each([&](KernelInfo const& info, Functions functions) {
      if (info.storage == kernel.storage && info.name == kernel.name && info.side == kernel.side) found = functions;
    });
    return found;
  }

  /// Adds "csr/reference" and the like: of kernels that say of no others where they run.
  static void add_names(std::vector<std::string>& names) {
    each([&](KernelInfo const& info, Functions) {
      if (info.runs == Runs::where_bound) names.push_back(std::string(info.storage) + '/' + std::string(info.name));
    });
  }

 private:
  template <class D>
  static constexpr bool is_bound() {
    if constexpr (requires { &D::template bind<Own, Exec, Source, BindOptions>; })
      return D::info.operation == Desc::operation &&
             (is_device_space<Exec> ? D::info.on_device() : D::info.on_host()) &&
             (!D::info.cuda_alone || is_cuda_space<Exec>);
    return false;
  }
  /// Descriptors of what a build may lack say so.
  template <class D>
  static bool is_built() {
    if constexpr (requires { D::is_built(); }) return D::is_built();
    return true;
  }
  template <class D>
  static Functions functions_of() {
    Functions all;
    all.bind = &D::template bind<Own, Exec, Source, BindOptions>;
    if constexpr (requires { &D::template count<Own, Exec, Source, BindOptions>; })
      all.count = &D::template count<Own, Exec, Source, BindOptions>;
    return all;
  }
  template <class F, class... D>
  static void each(F const& f, kernels::List<D...>) {
    auto const one = [&]<class One>() {
      if constexpr (is_bound<One>())
        if (is_built<One>()) f(One::info, functions_of<One>());
    };
    (one.template operator()<D>(), ...);
  }
  template <class F>
  static void each(F const& f) {
    each(f, kernels::All{});
  }
};

}  // namespace araia::detail
