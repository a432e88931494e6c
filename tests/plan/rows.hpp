// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Statistics of rows and a machine for tests of the model, and the order in which it takes candidates.

#include <algorithm>
#include <araia/detail/plan/traffic.hpp>
#include <araia/plan/plan.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "src/plan/race.hpp"

namespace araia::test {

/// Statistics of rows of the given lengths; columns lie anywhere.
template <class Length>
RowStats stats_of(std::int64_t rows, std::int64_t cols, Length const& length_of) {
  RowStats s;
  s.rows = rows;
  s.cols = cols;
  s.min_length = cols;
  double squares = 0;
  for (std::int64_t row = 0; row < rows; ++row) {
    std::int64_t const length = length_of(row);
    s.nnz += length;
    s.min_length = std::min(s.min_length, length);
    s.max_length = std::max(s.max_length, length);
    squares += static_cast<double>(length) * static_cast<double>(length);
    std::size_t bin = 0;
    while (length >> bin) ++bin;
    ++s.length_histogram[bin];
  }
  s.mean_length = static_cast<double>(s.nnz) / static_cast<double>(rows);
  s.length_deviation = std::sqrt(std::max(0.0, squares / static_cast<double>(rows) - s.mean_length * s.mean_length));
  s.empty_rows = s.length_histogram[0];
  s.lower_bandwidth = rows - 1;
  s.upper_bandwidth = cols - 1;
  return s;
}

inline Machine large_gpu() {
  return {.space = "Cuda",
          .device = true,
          .concurrency = 132 * 2048,
          .read_bandwidth = 4.6e12,
          .copy_bandwidth = 4.3e12,
          .triad_bandwidth = 4.3e12,
          .cache_bandwidth = 8.4e12,
          .launch_seconds = 2.6e-6,
          .flops = 3.4e13,
          .cache_bytes = std::uint64_t{60} << 20};
}

/// A Pareto law of exponent 2.1, cut off at a sixteenth of the columns.
inline RowStats power_law() {
  return stats_of(2000000, 2000000, [](std::int64_t row) {
    double const u = (static_cast<double>(row) + 0.5) / 2000000;
    return static_cast<std::int64_t>(std::min(125000.0, 2 * std::pow(u, -1 / 1.1)));
  });
}
/// A few wires a node, and supply nets of 20000.
inline RowStats circuit() {
  return stats_of(5000000, 5000000, [](std::int64_t row) { return row % 25000 == 7 ? 20000 : 2 + row % 5 / 2; });
}
/// Few wide rows.
inline RowStats linear_program() {
  return stats_of(20000, 1000000, [](std::int64_t row) { return row < 40 ? 40000 : 120 + row % 40; });
}
/// 3 unknowns a node, and one constraint that couples a tenth of them.
inline RowStats fem_with_a_dense_row() {
  return stats_of(800000, 800000, [](std::int64_t row) { return row == 9 ? 80000 : 81; });
}

/// Candidates in the order in which the model alone takes them, most promising first.
inline std::vector<Choice> ranking(Problem const& p, Machine const& m) {
  auto report = detail::modelled_report(p, m, {});
  detail::prune(report, std::uint64_t{70} << 30);
  detail::leave_out_unpriced(report);
  detail::rank(report);
  std::vector<Choice> all;
  for (auto const& c : report.candidates)
    if (c.status == CandidateStatus::modelled) all.push_back(c.choice);
  return all;
}

/// Do lanes or a warp walk whole rows, however long? 125000 entries took cuSPARSE's time 8 to 27 times over.
inline bool walks_rows(Choice const& c) {
  return c.kernel != "balanced" && c.kernel != "equal_chunks" && c.kernel != "column_panels" &&
         (c.format == "csr" || c.format == "ell" || c.format == "sell" || c.format == "bsr");
}

}  // namespace araia::test
