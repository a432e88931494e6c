// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Our own kernels as contenders: the one-shot operations, by format and tuning.

#include <chrono>
#include <memory>
#include <utility>

#include "suite.hpp"

namespace araia::perf::detail {

/// Every copy of a problem converted by convert(A), and the seconds of one conversion.
template <class Problem, class Convert>
auto convert_copies(Problem& problem, Convert const& convert) {
  using Matrix = decltype(convert(problem.A.front()));
  auto copies = std::make_shared<std::vector<Matrix>>();
  double seconds = 0;
  for (auto const& A : problem.A) {
    problem.exec.fence("araia::perf: before a conversion");
    auto const start = std::chrono::steady_clock::now();
    copies->push_back(convert(A));
    problem.exec.fence("araia::perf: after a conversion");
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return std::pair(copies, seconds);
}

/// Longest row times rows: what ELL stores.
inline std::int64_t ell_stored(GeneratedMatrix const& host) {
  std::int64_t width = 0;
  for (std::size_t i = 0; i + 1 < host.row_offsets.size(); ++i)
    width = std::max(width, host.row_offsets[i + 1] - host.row_offsets[i]);
  return width * host.rows;
}

}  // namespace araia::perf::detail
