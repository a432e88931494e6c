// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = A B by columns of A and rows of B: a sheet for each, the sheets sorted and merged. Any types.
// Code: include/araia/detail/kernels/csr_spgemm_expansion.hpp.
// Test: tests/ops/test_spgemm.cpp, tests/plan/test_spgemm_plan.cpp.

#include <araia/detail/kernels/csr_spgemm_expansion.hpp>

#include "src/kernel/proposals.hpp"
#include "src/kernel/sparse_product.hpp"

namespace araia::kernels {

struct CsrOuterProductSpgemm {
  static constexpr KernelInfo info{
      .operation = OpId::spgemm, .storage = "csr", .name = "outer_product", .own_row_order = true};

  static void propose(Problem const&, Machine const&, Proposals& list) {
    list.add({.format = "csr", .kernel = "outer_product"});
  }
  static Traffic traffic(Problem const& p, Machine const& m, Footprint const& f) {
    return detail::sparse_traffic(p, m, f);
  }
  static double seconds(Pricing const& a) { return detail::sparse_seconds(a); }
  static double conversion_seconds(Problem const& p, Machine const& m) {
    return detail::sparse_first_seconds(p, m, "spgemm/csr_outer_product");
  }

  template <class Exec, class Scalar, class Ordinal, class Offset>
  static detail::SpgemmKernelOf<Exec, Scalar, Ordinal, Offset> kernel() {
    return detail::spgemm_expanded_kernel<detail::SpgemmExpansionBy::sheets, Exec, Scalar, Ordinal, Offset>(info.name);
  }
};

}  // namespace araia::kernels
