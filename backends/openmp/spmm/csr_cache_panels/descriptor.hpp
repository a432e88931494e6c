// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C on hosts, A packed by panels of columns whose rows of B lie in L1 while all rows of A pass:
// packing.hpp has the drawing.
// Code: backends/openmp/spmm/csr_cache_panels/kernel.cpp, backends/openmp/spmm/csr_cache_panels/panels.cpp.
// Test: tests/backends/test_csr_cache_panels.cpp. Price: backends/openmp/spmm/csr_cache_panels/packing.cpp.

#include <memory>
#include <optional>
#include <string>

#include "backends/openmp/spmm/csr_cache_panels/packing.hpp"
#include "src/kernel/packed_spmm.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrCachePanelsSpmm : detail::ProposedAsIs<CsrCachePanelsSpmm> {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "csr",
                                   .name = "cache_panels",
                                   .runs = Runs::where_bound,
                                   .own_row_order = true,
                                   .hosts_alone = true,
                                   .packing = " packed for cache_panels"};

  static std::optional<host::CachePanelShape> shape(Problem const& p) {
    return host::cache_panel_shape(p.stats.length_histogram, p.stats.cols, p.stats.nnz, p.columns, p.x_bytes);
  }

  static std::string refuse(Problem const& p, Choice const&) {
    return shape(p) ? detail::why_too_many_entries(p, info) : detail::why_not_packed(p, info);
  }
  static Footprint footprint(Problem const& p, Choice const&) {
    auto const made = shape(p);
    return {.bytes = made ? host::cache_panels_bytes(p.stats.rows, p.stats.cols, p.stats.nnz, p.x_bytes, *made) : 0,
            .slots = p.stats.nnz};
  }
  static double seconds(Pricing const& a) {
    auto const made = shape(a.problem);
    return made ? detail::rule_seconds(a, made->seconds / a.machine.concurrency) : 0;
  }
  static double conversion_seconds(Problem const& p, Machine const& m) {
    constexpr double packed_a_second = 60e6;  // entries, by a thread
    return static_cast<double>(p.stats.nnz) / (packed_a_second * m.concurrency);
  }
  /// Where rows have entries enough in a panel.
  static bool is_priced(Problem const& p, Machine const&) {
    auto const made = shape(p);
    return made && made->pays;
  }

  /// Packs the source in the caller's thread, for so many columns. Defined in bound.cpp.
  /// \throws araia::Error unsupported where rows are too sparse for panels; resource_limit
  template <class Own, class Exec, class Source, class Options>
  requires detail::multiplies_one_real<Own, Source>
  static std::shared_ptr<Own> bind(Exec const& exec, Source const& source, Choice const& choice,
                                   Options const& options);
};

}  // namespace araia::kernels
