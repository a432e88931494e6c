// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: backends/cuda/spmv/csr_column_panels/kernel.cu, backends/cuda/spmv/csr_column_panels/packing.cu.
// Test: tests/backends/cuda/test_csr_panels.cpp. Price: backends/cuda/spmv/csr_column_panels/choice.cpp.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

#include "backends/cuda/spmv/csr_column_panels/packing.hpp"
#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"
#include "src/kernel/real_bound.hpp"
#include "src/storage/sizes.hpp"

namespace araia::kernels {

struct CsrColumnPanelsSpmv {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "csr",
                                   .name = "column_panels",
                                   .runs = Runs::by_cuda,
                                   .writes_workspace = true,
                                   .own_row_order = true,
                                   .needs_values = true,
                                   .packing = " in panels"};

  /// Spans of columns that are multiplied one after the other, each as wide as shared memory holds.
  static double spans(Problem const& p) {
    constexpr double span_bytes = 18.4e6;  // of x, in the shared memory of an H200
    return std::max(1.0, std::ceil(static_cast<double>(p.stats.cols * p.x_bytes) / span_bytes));
  }
  static void propose(Problem const& p, Machine const&, Proposals& list) {
    if (spans(p) <= cuda::csr_panel_most_spans) list.add({.format = "csr", .kernel = "column_panels"});
  }
  /// Without padding, which depends on where entries lie.
  static Footprint footprint(Problem const& p, Choice const&) {
    constexpr std::uint64_t panel = 1;  // of a unit of 16 bytes of products
    constexpr std::uint64_t column = sizeof(std::uint16_t);
    constexpr std::uint64_t place = sizeof(std::uint16_t);
    constexpr std::uint64_t most_buffer = std::uint64_t{24} << 20;  // bytes: of products on their way
    auto const nnz = static_cast<std::uint64_t>(p.stats.nnz);
    auto const y = static_cast<std::uint64_t>(p.y_bytes);
    auto const entries = detail::saturating_product(nnz, static_cast<std::uint64_t>(p.value_bytes) + column + place);
    auto const all_spans = static_cast<std::uint64_t>(spans(p));
    auto const rows = static_cast<std::uint64_t>(p.stats.rows) * sizeof(std::uint16_t) * all_spans;
    auto const places = all_spans > 1 ? nnz * sizeof(std::int32_t) : 0;  // in the Csr
    return {.bytes = detail::saturating_sum(entries, rows + places + nnz * y / 16 * panel +
                                                         std::min(most_buffer * all_spans, nnz * y) +
                                                         detail::permutation_bytes(p, {})),
            .slots = p.stats.nnz};
  }
  /// All but the buffer of products, which stays in the L2.
  static double matrix_bytes(Problem const& p, Choice const&, Footprint const&, Machine const&) {
    double const nnz = static_cast<double>(p.stats.nnz);
    return nnz * (p.value_bytes + 2.0 * sizeof(std::uint16_t)) +
           spans(p) * static_cast<double>(p.stats.rows) * sizeof(std::uint16_t) +
           (spans(p) - 1) * static_cast<double>(p.stats.rows) * 2 * p.y_bytes;  // y, read and written
  }
  /// Panels are loaded and the first band multiplied before sums begin; then bytes through the L2 bind.
  static double seconds(Pricing const& a) {
    constexpr double words = 4;   // bytes of the column and the place of an entry
    constexpr double unit = 16;   // bytes of products that share the number of a panel
    constexpr double chunks = 4;  // times the rows of a chunk of equal entries, Problem::chunk_rows
    constexpr double threads = 256;
    auto const& p = a.problem;
    double const start = a.price("start", 0);
    double const entry = p.value_bytes + words + 2 * p.y_bytes + p.y_bytes / unit;
    auto terms = detail::device_terms(a);
    terms.gathers = spans(p) * start + a.nnz() * entry / (a.price("of_cache", 1) * a.machine.cache_bandwidth);
    terms.chain = spans(p) * (start + std::floor(chunks * static_cast<double>(p.chunk_rows) / threads) *
                                          a.price("rows_of_threads", 0));
    terms.launches = a.machine.launch_seconds * (2 * spans(p));
    return detail::device_seconds(a, terms);
  }

  /// Packs the matrix; of real numbers. Defined in bound.cpp, as count is.
  template <detail::RealBound Bound, class Exec, class Source, class Options>
  static std::shared_ptr<Bound> bind(Exec const& exec, Source const& source, Choice const& choice,
                                     Options const& options);
  /// What bind would keep. Fences exec.
  template <detail::RealBound Bound, class Exec, class Source, class Options>
  static Footprint count(Exec const& exec, Source const& source, Choice const& choice, Options const& options);
};

}  // namespace araia::kernels
