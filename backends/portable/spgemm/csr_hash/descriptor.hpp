// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = A B by rows of A, a team of threads a row: its columns in a hash table, then sorted; values by a search in C's
// row. Any types.
// Code: include/araia/detail/kernels/csr_spgemm_team_rows.hpp.
// Test: tests/ops/test_spgemm.cpp, tests/plan/test_spgemm_plan.cpp.

#include <araia/detail/kernels/csr_spgemm_team_rows.hpp>

#include "src/kernel/proposals.hpp"
#include "src/kernel/sparse_product.hpp"

namespace araia::kernels {

struct CsrHashSpgemm {
  static constexpr KernelInfo info{.operation = OpId::spgemm, .storage = "csr", .name = "hash", .own_row_order = true};

  static void propose(Problem const&, Machine const&, Proposals& list) {
    list.add({.format = "csr", .kernel = "hash"});
  }
  static Traffic traffic(Problem const& p, Machine const& m, Footprint const& f) {
    return detail::sparse_traffic(p, m, f);
  }
  static double seconds(Pricing const& a) { return detail::sparse_seconds(a); }
  static double conversion_seconds(Problem const& p, Machine const& m) {
    return detail::sparse_first_seconds(p, m, "spgemm/csr_hash");
  }

  template <class Exec, class Scalar, class Ordinal, class Offset>
  static detail::SpgemmKernelOf<Exec, Scalar, Ordinal, Offset> kernel() {
    return detail::spgemm_team_rows_kernel<detail::SpgemmColumns::table, Exec, Scalar, Ordinal, Offset>(info.name);
  }
};

}  // namespace araia::kernels
