// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C on hosts, A as it lies, B copied panel by panel of columns that stays in the last-level cache:
// kernel.hpp has the drawing.
// Code: backends/openmp/spmm/csr_copied_columns/kernel.cpp. Test: tests/backends/test_csr_copied_columns.cpp.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "backends/openmp/spmm/csr_copied_columns/kernel.hpp"
#include "src/kernel/packed_spmm.hpp"
#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrCopiedColumnsSpmm {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "csr",
                                   .name = "copied_columns",
                                   .runs = Runs::where_bound,
                                   .writes_workspace = true,
                                   .own_row_order = true,
                                   .hosts_alone = true,
                                   .reads_source = true,
                                   .packing = " with panels of B"};

  static std::optional<host::CopiedColumnsShape> shape(Problem const& p) {
    return host::copied_columns_shape(p.stats.cols, p.stats.nnz, p.columns, p.x_bytes);
  }
  static std::uint64_t panel_bytes(Problem const& p, host::CopiedColumnsShape const& made) {
    return static_cast<std::uint64_t>(host::copied_columns_workspace(p.stats.cols, made.lines, p.x_bytes)) *
           static_cast<std::uint64_t>(p.x_bytes);
  }
  static void propose(Problem const& p, Machine const&, Proposals& list) {
    if (auto const made = shape(p); made && made->pays) list.add({.format = "csr", .kernel = "copied_columns"});
  }
  static std::string refuse(Problem const& p, Choice const&) {
    return shape(p) ? detail::why_too_many_entries(p, info) : detail::why_not_packed(p, info);
  }
  static Footprint footprint(Problem const& p, Choice const&) {
    auto const made = shape(p);
    auto const source = [&] { return format_bytes(p, {.format = "csr", .kernel = "host_simd"}); };
    return {.bytes = made ? source() + panel_bytes(p, *made) : 0, .slots = p.stats.nnz};
  }
  /// Panels of B stay in cache, and A comes once for each.
  static double matrix_bytes(Problem const& p, Choice const&, Footprint const& f, Machine const&) {
    auto const made = shape(p);
    auto const bytes = static_cast<double>(f.bytes);
    return made ? static_cast<double>(made->panels) * (bytes - static_cast<double>(panel_bytes(p, *made))) : bytes;
  }
  static double gathered_bytes(Problem const& p, Machine const&) {
    return detail::operand_rows(p) * static_cast<double>(p.columns) * p.x_bytes;
  }
  /// Each panel of B starts threads that copy it and threads that multiply.
  static double seconds(Pricing const& a) {
    auto const made = shape(a.problem);
    if (!made) return 0;
    return detail::rule_seconds(a, made->seconds / a.machine.concurrency, 2.0 * static_cast<double>(made->panels));
  }
  static double conversion_seconds(Problem const&, Machine const&) { return 0; }
  /// The order of the rows that are read decides, which measuring tells.
  static bool is_priced(Problem const&, Machine const&) { return false; }

  /// Shares the source and makes the workspace of a panel of B. Defined in bound.cpp.
  /// \throws araia::Error unsupported where the matrix has no entries; resource_limit
  template <class Own, class Exec, class Source, class Options>
  requires detail::multiplies_one_real<Own, Source>
  static std::shared_ptr<Own> bind(Exec const& exec, Source const& source, Choice const& choice,
                                   Options const& options);
};

}  // namespace araia::kernels
