// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The kernels of SpGEMM that descriptors of backends/all.hpp have for types of the library, in the order of the list.

#include <araia/detail/formats/written_out.hpp>
#include <araia/ops/spgemm_impl.hpp>
#include <cstdint>
#include <vector>

#include "backends/all.hpp"

namespace araia::detail {

template <class Exec, class Scalar, class Offset>
requires(is_written_out_space<Exec>&&
             is_listed<AllScalars, Scalar>) struct SpgemmKernelsOf<Exec, Scalar, std::int32_t, Offset> {
  using Kernel = SpgemmKernelOf<Exec, Scalar, std::int32_t, Offset>;

  static std::vector<Kernel> all() {
    std::vector<Kernel> found;
    each([&](KernelInfo const&, Kernel const& kernel) { found.push_back(kernel); });
    return found;
  }

  /// Is there a kernel of a backend for these types?
  static bool has(Runs runs) {
    bool found = false;
    each([&](KernelInfo const& info, Kernel const&) { found = found || info.runs == runs; });
    return found;
  }

 private:
  template <class F, class... D>
  static void each(F const& f, kernels::List<D...>) {
    auto const one = [&]<class One>() {
      if constexpr (requires { One::template kernel<Exec, Scalar, std::int32_t, Offset>(); })
        f(One::info, One::template kernel<Exec, Scalar, std::int32_t, Offset>());
    };
    (one.template operator()<D>(), ...);
  }
  template <class F>
  static void each(F const& f) {
    each(f, kernels::All{});
  }
};

}  // namespace araia::detail
