// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/csr_spmv_vector_per_row.hpp. Test: tests/ops/test_spmv.cpp.

#include <algorithm>

#include <araia/detail/formats/team_shape.hpp>
#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrVectorPerRowSpmv {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "csr",
                                   .name = "vector_per_row",
                                   .reads = reads::rows | reads::threads | reads::lanes};
  static constexpr CsrSpmvTuning tuning{.kernel = CsrSpmvKernel::vector_per_row};

  /// Of devices: a host has no lanes.
  static void propose(Problem const& p, Machine const& m, Proposals& list) {
    if (!m.device) return;
    constexpr int warp = 32;
    int const near = detail::vector_length_for(p.stats.nnz, p.stats.rows);
    Choice choice{.format = "csr", .kernel = "vector_per_row"};
    for (int const lanes : {near / 2, near, near * 2, near * 4}) {
      choice.vector_length = lanes;
      if (lanes >= 2 && lanes <= warp) list.add_with_order(choice);
    }
    choice.vector_length = std::max(2, near);
    list.lead(choice);
    for (int const threads : {128, 512}) {
      choice.team_size = threads / choice.vector_length;
      list.add(choice);
    }
  }
  static double seconds(Pricing const& a) {
    if (!a.machine.device) return detail::host_seconds(a, detail::host_terms(a));
    double const lanes = detail::lanes_of_row(a.problem, a.choice);
    auto terms = detail::device_terms(a);
    auto const [waste, uneven] = detail::row_waste(a, lanes);
    terms.waste = std::max(waste, a.price("least_waste", 0) * uneven);
    terms.chain = detail::passes_seconds(a, lanes, a.prices["device/pass"]);
    terms.meeting = a.rows() * lanes * a.price("row", 0);  // on top of the bytes: rows wait for their lanes to meet
    return detail::device_seconds(a, terms);
  }
};

}  // namespace araia::kernels
