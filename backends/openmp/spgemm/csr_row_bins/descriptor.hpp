// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = A B on hosts, a row of C in the accumulator that suits it: columns of 32 bits and the library's scalars.
// bound.cpp says who gets which rows and how much memory, rows.cpp what is done with a row.
// Code: backends/openmp/spgemm/csr_row_bins/bound.cpp, backends/openmp/spgemm/csr_row_bins/rows.cpp.
// Test: tests/ops/test_spgemm.cpp, tests/plan/test_spgemm_plan.cpp.

#include <araia/detail/formats/conversion_steps.hpp>
#include <araia/detail/kernels/csr_spgemm.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include "src/kernel/sparse_product.hpp"

namespace araia::detail {

/// In bound.cpp, for the library's scalars.
template <class Exec, class Scalar, class Offset>
std::unique_ptr<SpgemmWay<Exec, Scalar, std::int32_t, Offset>> make_spgemm_row_bins(
    Exec const& exec, SpgemmOperands<Scalar, std::int32_t, Offset> const& of, SpgemmFacts const& facts,
    SpgemmOptions const& options, std::string& refusal);

}  // namespace araia::detail

namespace araia::kernels {

struct CsrRowBinsHostSpgemm : detail::SparseProduct<CsrRowBinsHostSpgemm> {
  static constexpr KernelInfo info{.operation = OpId::spgemm,
                                   .storage = "csr",
                                   .name = "row_bins",
                                   .runs = Runs::by_host_simd,
                                   .own_row_order = true};

  template <class Exec, class Scalar, class Ordinal, class Offset>
  requires(!detail::is_device_space<Exec> && std::is_same_v<Ordinal, std::int32_t>)  //
      static detail::SpgemmKernelOf<Exec, Scalar, Ordinal, Offset> kernel() {
    return {.name = info.name, .make = &detail::make_spgemm_row_bins<Exec, Scalar, Offset>, .workspace_bytes = nullptr};
  }
};

}  // namespace araia::kernels
