// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/lib/packed_kernel.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "backends/cuda/spmm/csr_padded_rows/descriptor.hpp"
#include "src/kernel/pricing.hpp"
#include "src/machine/prices.hpp"

namespace araia::cuda {

std::optional<SpmmProblem> packed_problem(Problem const& p, Machine const& m) {
  if (!m.device || p.operation != OpId::spmm || !p.cuda_kernels || transposes(p.op)) return {};
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

std::optional<double> least_seconds_of_rows(Problem const& p, Machine const& m) {
  using PaddedRows = kernels::CsrPaddedRowsSpmm;
  auto const name = std::string(PaddedRows::info.storage) + '/' + std::string(PaddedRows::info.name);
  if (std::find(p.bound.begin(), p.bound.end(), name) == p.bound.end()) return {};
  auto const problem = packed_problem(p, m);
  return problem ? std::optional<double>(PaddedRows::choose(*problem)->seconds) : std::nullopt;
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
