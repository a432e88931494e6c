// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: backends/cuda/bsr_spmm_tensor_cores.cu. Test: tests/backends/cuda/test_bsr_spmm_cuda.cpp.
// Price: backends/cuda/bsr_tensor_choice.cpp.

#include <algorithm>
#include <string>

#include <araia/detail/kernels/bsr_tuning.hpp>
#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct BsrTensorCoresSpmm {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "bsr",
                                   .name = "tensor_cores",
                                   .runs = Runs::by_cuda,
                                   .needs_values = true,
                                   .multiplies_fill = true};
  static constexpr BsrSpmmTuning tuning{.kernel = BsrSpmmKernel::tensor_cores};
  template <class Rows>
  static void prepare(BsrSpmmTuning& t, Problem const& p, Rows const&) {
    t.precision = precision(p);
  }

  static Precision precision(Problem const& p) { return p.value_bytes == 4 ? p.precision : Precision::native; }
  static std::string refuse(Problem const& p, Choice const&) {
    return p.value_bytes == 4 && p.precision == Precision::native
               ? "tensor_cores rounds float, which precision native does not permit"
               : "";
  }
  static void propose(Problem const& p, Machine const&, Proposals& list) {
    if (p.columns >= bsr_tensor_least_columns)
      detail::propose_bsr(p, {.format = "bsr", .kernel = "tensor_cores"}, list);
  }
  /// The waste is that of blocks of eight rows and more; smaller ones leave rows of every MMA idle.
  static double seconds(Pricing const& a) {
    constexpr double mma_rows = 8;
    double const row_bytes = a.columns() * a.problem.x_bytes;
    double const rows_of_b = static_cast<double>(a.footprint.pieces) * std::max(1, a.choice.block_cols) * row_bytes /
                             a.machine.cache_bandwidth;
    double const idle = mma_rows / std::clamp(a.choice.block_rows, 1, 8) *
                        (a.problem.value_bytes == 4 ? a.price("rounding_of_float", 1) : 1) *
                        (row_bytes < a.price("usual_row_bytes", 0) ? a.price("waits_of_few_columns", 1) : 1);
    return a.machine.launch_seconds +
           a.price("waste", 1) * idle * std::max(detail::memory_seconds(a.traffic.bytes(), a.machine), rows_of_b);
  }
};

}  // namespace araia::kernels
