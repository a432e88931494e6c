// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = A B by rows of A, a team of threads a row: its columns in a hash table, then sorted; values by a search in C's
// row. Any types.
// Code: include/araia/detail/kernels/csr_spgemm_team_rows.hpp.
// Test: tests/ops/test_spgemm.cpp, tests/plan/test_spgemm_plan.cpp.

#include <araia/detail/kernels/csr_spgemm_team_rows.hpp>

#include "src/kernel/sparse_product.hpp"

namespace araia::kernels {

struct CsrHashSpgemm : detail::SparseProduct<CsrHashSpgemm> {
  static constexpr KernelInfo info{.operation = OpId::spgemm, .storage = "csr", .name = "hash", .own_row_order = true};

  template <class Exec, class Scalar, class Ordinal, class Offset>
  static detail::SpgemmKernelOf<Exec, Scalar, Ordinal, Offset> kernel() {
    return detail::spgemm_team_rows_kernel<detail::SpgemmColumns::table, Exec, Scalar, Ordinal, Offset>(info.name);
  }
};

}  // namespace araia::kernels
