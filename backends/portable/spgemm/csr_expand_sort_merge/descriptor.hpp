// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = A B by rows of A: all products are written out, sorted by column within a row and merged. Any types.
// Code: include/araia/detail/kernels/csr_spgemm_expansion.hpp.
// Test: tests/ops/test_spgemm.cpp, tests/plan/test_spgemm_plan.cpp.

#include <araia/detail/kernels/csr_spgemm_expansion.hpp>

#include "src/kernel/sparse_product.hpp"

namespace araia::kernels {

struct CsrExpandSortMergeSpgemm : detail::SparseProduct<CsrExpandSortMergeSpgemm> {
  static constexpr KernelInfo info{
      .operation = OpId::spgemm, .storage = "csr", .name = "expand_sort_merge", .own_row_order = true};

  template <class Exec, class Scalar, class Ordinal, class Offset>
  static detail::SpgemmKernelOf<Exec, Scalar, Ordinal, Offset> kernel() {
    return detail::spgemm_expanded_kernel<detail::SpgemmExpansionBy::rows, Exec, Scalar, Ordinal, Offset>(info.name);
  }
};

}  // namespace araia::kernels
