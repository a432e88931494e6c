// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Our own kernels as contenders: the one-shot operations, by format and tuning.

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include <araia/detail/formats/format_bytes.hpp>

#include "suite.hpp"

namespace araia::perf::detail {

/// As many copies as the problem asks for, converted by convert(A), and the seconds of one conversion.
template <class Problem, class Convert>
auto convert_copies(Problem& problem, Convert const& convert) {
  using Matrix = decltype(convert(problem.A.front()));
  auto copies = std::make_shared<std::vector<Matrix>>();
  double seconds = 0;
  for (int copy = 0; copy < problem.copies(); ++copy) {
    auto const& A = problem.source(copy);
    problem.exec.fence("araia::perf: before a conversion");
    auto const start = std::chrono::steady_clock::now();
    copies->push_back(convert(A));
    problem.exec.fence("araia::perf: after a conversion");
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return std::pair(copies, seconds);
}

/// The storage of a contender whose products read all that it makes; count(exec, A) gives the bytes.
template <class Problem, class Count>
std::function<Storage(Problem const&)> storage_of(Count const& count) {
  return [count](Problem const& problem) {
    auto const bytes = static_cast<double>(count(problem.exec, problem.A.front()));
    return Storage{.read = bytes, .made = bytes};
  };
}

/// The storage of a contender that reads the problem's Csr and makes count(problem) bytes beside it at most.
template <class Problem, class Count>
std::function<Storage(Problem const&)> storage_beside_csr(Count const& count) {
  return [count](Problem const& problem) {
    return Storage{.read = Problem::csr_bytes(problem.host), .made = static_cast<double>(count(problem))};
  };
}

constexpr auto count_coo = [](Exec const& exec, auto const& A) {
  return count_bytes<Coo<typename std::decay_t<decltype(A)>::value_type, std::int32_t, Device>>(exec, A);
};
constexpr auto count_ell = [](Exec const& exec, auto const& A) {
  return count_bytes<Ell<typename std::decay_t<decltype(A)>::value_type, std::int32_t, Device>>(exec, A);
};

/// Longest row times rows: what ELL stores.
inline std::int64_t ell_stored(GeneratedMatrix const& host) {
  std::int64_t width = 0;
  for (std::size_t i = 0; i + 1 < host.row_offsets.size(); ++i)
    width = std::max(width, host.row_offsets[i + 1] - host.row_offsets[i]);
  return width * host.rows;
}

}  // namespace araia::perf::detail
