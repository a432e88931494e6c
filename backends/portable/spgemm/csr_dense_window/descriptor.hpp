// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = A B by rows of A, a team of threads a row: a mark for every column of C, read in order; values by a search in C's
// row. Any types.
// Code: include/araia/detail/kernels/csr_spgemm_team_rows.hpp.
// Test: tests/ops/test_spgemm.cpp, tests/plan/test_spgemm_plan.cpp.

#include <araia/detail/kernels/csr_spgemm_team_rows.hpp>

#include "src/kernel/sparse_product.hpp"

namespace araia::kernels {

struct CsrDenseWindowSpgemm : detail::SparseProduct<CsrDenseWindowSpgemm> {
  static constexpr KernelInfo info{
      .operation = OpId::spgemm, .storage = "csr", .name = "dense_window", .own_row_order = true};

  /// A row's marks are cleared and read, for the count and for the columns.
  static double conversion_seconds(Problem const& p, Machine const& m) {
    constexpr double columns_of_word = 32;
    constexpr double passes = 4;
    double const words = static_cast<double>(p.stats.rows) * static_cast<double>(p.columns) / columns_of_word;
    return detail::sparse_first_seconds(info, p, m, passes * words);
  }

  template <class Exec, class Scalar, class Ordinal, class Offset>
  static detail::SpgemmKernelOf<Exec, Scalar, Ordinal, Offset> kernel() {
    return detail::spgemm_team_rows_kernel<detail::SpgemmColumns::marks, Exec, Scalar, Ordinal, Offset>(info.name);
  }
};

}  // namespace araia::kernels
