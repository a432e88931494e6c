// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/lib/packed_kernel.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "src/kernel/pricing.hpp"
#include "src/machine/prices.hpp"

namespace araia::cuda {
namespace {

SpmmProblem problem_of(Problem const& p, Machine const& m) {
  auto const& s = p.stats;
  auto const beyond = detail::long_rows(s);
  SpmmProblem problem;
  problem.rows = s.rows;
  problem.cols = s.cols;
  problem.nnz = s.nnz;
  problem.columns = p.columns;
  problem.scalar_bytes = static_cast<std::size_t>(p.x_bytes);
  problem.multiprocessors = m.multiprocessors;
  problem.shared_bytes = m.shared_bytes;
  constexpr int hopper = 90;
  if (m.compute_capability == hopper && p.x_bytes == sizeof(float)) problem.precision = p.precision;
  for (auto const& known : s.block_columns)
    if (known.height == detail::rows_that_share && known.columns > 0)
      problem.shared = static_cast<double>(s.nnz) / static_cast<double>(known.columns);
  problem.longest = beyond.longest;
  problem.long_rows = beyond.count;
  problem.cache_bytes = static_cast<std::int64_t>(m.cache_bytes);
  return problem;
}

/// The rule is asked for one kernel of a problem after the other, so the last answer is kept.
std::vector<SpmmEstimate> const& estimates_of(SpmmProblem const& problem) {
  struct Answer {
    SpmmProblem problem;
    std::vector<SpmmEstimate> estimates;
  };
  thread_local Answer last;
  if (last.estimates.empty() || !(last.problem == problem)) last = {problem, estimate_spmm(problem)};
  return last.estimates;
}

}  // namespace

std::optional<double> packed_seconds(Problem const& p, Machine const& m, SpmmKernel kernel) {
  if (!m.device || p.operation != OpId::spmm || !p.cuda_kernels || transposes(p.op)) return {};
  auto const& all = estimates_of(problem_of(p, m));
  auto const found =
      std::find_if(all.begin(), all.end(), [kernel](SpmmEstimate const& e) { return e.choice.kernel == kernel; });
  if (found == all.end()) return {};
  return found->seconds;
}

std::optional<double> padded_rows_seconds(Problem const& p, Machine const& m) {
  bool const bound = std::find(p.bound.begin(), p.bound.end(), "csr/padded_rows") != p.bound.end();
  return bound ? packed_seconds(p, m, SpmmKernel::padded_rows) : std::nullopt;
}

bool is_measured(Machine const& m) { return m.prices.empty() || !detail::prices_named(m.prices).empty(); }

double packing_seconds(Problem const& p, double thread_seconds, int threads, std::uint64_t bytes) {
  constexpr double copies = 5e9;  // B/s, to and from host memory that is not pinned
  constexpr double of_index = sizeof(std::int32_t);
  double const matrix =
      static_cast<double>(p.stats.nnz) * (p.x_bytes + of_index) + static_cast<double>(p.stats.rows) * of_index;
  return thread_seconds / std::max(1, threads) + (matrix + static_cast<double>(bytes)) / copies;
}

}  // namespace araia::cuda
