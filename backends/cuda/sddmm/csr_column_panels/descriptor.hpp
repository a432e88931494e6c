// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// D = alpha A .* (X op(Y)) + beta D on the pattern of a CSR, a panel of Y in shared memory: one real scalar for all
// operands, rows of X and op(Y)' contiguous. Operands whose rows do not begin at multiples of 16 bytes go to row_parts.
// Code: backends/cuda/sddmm/csr_column_panels/kernel.cu. Test: tests/backends/cuda/test_sddmm_cuda.cpp.
// Price: backends/cuda/sddmm/shapes.cpp.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "backends/cuda/sddmm/shapes.hpp"
#include "backends/portable/sddmm/bound_csr.hpp"
#include "src/formatted.hpp"
#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrColumnPanelsSddmm : detail::ProposedAsIs<CsrColumnPanelsSddmm>,
                              detail::SampledAsItLies<CsrColumnPanelsSddmm, CsrSddmmKernel::row_parts> {
  static constexpr KernelInfo info{.operation = OpId::sddmm,
                                   .storage = "csr",
                                   .name = "column_panels",
                                   .runs = Runs::by_cuda,
                                   .even_work = true,
                                   .own_row_order = true};
  static constexpr CsrSddmmTuning tuning{.kernel = CsrSddmmKernel::column_panels};

  static std::string refuse(Problem const& p, Choice const&) {
    if (!p.b_by_rows) return "column_panels: rows of X and Y are not contiguous";
    constexpr std::int64_t load = 16;
    std::int64_t const bytes = p.columns * p.x_bytes;
    if (bytes % load == 0 && bytes > 0 && bytes <= load * cuda::most_panel_loads) return {};
    return detail::formatted("column_panels: rows of X and Y have {} bytes, expected a multiple of {} up to {}", bytes,
                             load, load * cuda::most_panel_loads);
  }

  /// Panels and rows of X, which wait for each other, and then the entries.
  static double seconds(Pricing const& a) {
    auto const& s = a.problem.stats;
    double const panels = cuda::csr_sddmm_panel_cost(s.rows, s.cols, a.problem.columns,
                                                     static_cast<std::size_t>(a.problem.x_bytes), device(a.machine));
    double const entry = a.price("entry", 0) + a.columns() * a.problem.x_bytes * a.price("byte", 0);
    return a.machine.launch_seconds +
           std::max(detail::memory_seconds(a.traffic.bytes(), a.machine) * a.price("waste", 1),
                    panels * a.price("panel_byte", 0) + a.nnz() * entry);
  }

 private:
  /// Of compute capability 9.0, whose multiprocessors hold 2048 threads.
  static cuda::SddmmDevice device(Machine const& machine) {
    constexpr int threads = 2048;
    constexpr std::size_t shared_bytes = 227 * 1024;
    return {.multiprocessors = std::max(1, machine.concurrency / threads), .shared_bytes = shared_bytes};
  }
};

}  // namespace araia::kernels
