// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = A B on CUDA, rows of C in bins, each a kernel of its own (backends/cuda/spgemm/spgemm.hpp): double with indices
// of 32 bits. bound.cpp holds its memory.
// Code: backends/cuda/spgemm/spgemm.hpp, backends/cuda/spgemm/csr_row_bins/bound.cpp.
// Test: tests/ops/test_spgemm.cpp, tests/plan/test_spgemm_plan.cpp.
// Price: src/kernel/sparse_product.cpp.

#include <araia/detail/dispatch/cuda_space.hpp>
#include <araia/detail/kernels/csr_spgemm.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include "src/kernel/sparse_product.hpp"

namespace araia::detail {

/// In bound.cpp, for Kokkos::Cuda.
template <class Exec>
std::unique_ptr<SpgemmWay<Exec, double, std::int32_t, std::int32_t>> make_spgemm_row_bins_of_cuda(
    Exec const& exec, SpgemmOperands<double, std::int32_t, std::int32_t> const& of, SpgemmFacts const& facts,
    SpgemmOptions const& options, std::string& refusal);

}  // namespace araia::detail

namespace araia::kernels {

struct CsrRowBinsCudaSpgemm : detail::SparseProduct<CsrRowBinsCudaSpgemm> {
  static constexpr KernelInfo info{
      .operation = OpId::spgemm, .storage = "csr", .name = "row_bins", .runs = Runs::by_cuda, .own_row_order = true};
  /// Of columns alone, and of sums to what C holds.
  static constexpr char const* no_values_over_c = "it writes values, over what C holds";

  static std::string refuse(Problem const& p, Choice const&) {
    return p.y_bytes == 0 || p.sparse.adds ? std::string("row_bins: ") + no_values_over_c : std::string();
  }

  template <class Exec, class Scalar, class Ordinal, class Offset>
  requires(detail::is_cuda_space<Exec>&& std::is_same_v<Scalar, double>&& std::is_same_v<Ordinal, std::int32_t>&&
               std::is_same_v<Offset, std::int32_t>)  //
      static detail::SpgemmKernelOf<Exec, Scalar, Ordinal, Offset> kernel() {
    return {.name = info.name, .make = &detail::make_spgemm_row_bins_of_cuda<Exec>, .workspace_bytes = nullptr};
  }
};

}  // namespace araia::kernels
