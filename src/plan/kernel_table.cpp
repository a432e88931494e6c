// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/plan/kernel_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <araia/kernels/csr_partition.hpp>

namespace araia::detail {
namespace {

constexpr bool yes = true;
constexpr bool no = false;

using namespace reads;
constexpr unsigned team = rows | threads;
constexpr unsigned team_lanes = team | lanes;
constexpr unsigned team_lanes_columns = team_lanes | columns;

// Host: seconds of one thread an entry, medians of a stencil-like, an FEM and a circuit matrix in f64, and what a
// column of B more costs beside host_simd (16 and 64 columns); csr, coo and ell on Zen 4, the others on Emerald Rapids,
// two threads, operands in cache; bsr/host_simd beside csr's on Zen 5 from memory, blocks of 2 to 4 rows: 0.62 to 0.95;
// bcsc/host_simd beside csr's on Zen 3, two threads: 0.9 to 2.2.
// Device: H200; csr's waste depends on the lanes and is worked out in traffic.cpp, ell
// is the measure of the others, sell took twice ell's time for equal bytes; the CUDA backend's kernels beside the copy
// rate, but for the matrices that kernels hold, whose price is the backend's own rule. docs/lab/cuda_spmv_prices.md has
// what SpMV kernels took. csr/balanced was not run on a device yet: its price there is that of Kokkos Kernels' merge
// path, 2 to 3.7, so that it is taken where the others wait for their longest row.
constexpr auto table = std::to_array<KernelTraits>({
    // format, kernel, spmv, spmm, N, T, host, device, sums, host entry and column, device waste, what it reads
    {"csr", "host_simd", yes, yes, yes, no, yes, no, Sums::ordered, 0.45e-9, 1, 0},
    {"csr", "host_simd_runs", yes, yes, yes, no, yes, no, Sums::ordered, 0.45e-9, 1, 0},
    {"csr", "thread_per_row", yes, no, yes, no, yes, yes, Sums::ordered, 0.8e-9, 4, 1, team},
    {"csr", "vector_per_row", yes, no, yes, no, yes, yes, Sums::ordered, 0.8e-9, 4, 1, team_lanes},
    {"csr", "sub_warp", yes, no, yes, no, no, yes, Sums::ordered, 0, 0, 1.25},
    {"csr", "balanced", yes, no, yes, no, yes, yes, Sums::ordered, 0.8e-9, 4, 2.5, threads},
    {"csr", "equal_chunks", yes, no, yes, no, no, yes, Sums::ordered, 0, 0, 1.15},
    {"csr", "column_panels", yes, no, yes, no, no, yes, Sums::ordered, 0, 0, 1},
    {"csr", "column_steps", yes, no, yes, no, no, yes, Sums::ordered, 0, 0, 1.1},
    {"csr", "row_per_warp", no, yes, yes, no, no, yes, Sums::ordered, 0, 0, 0.9},
    {"csr", "merge_split", no, yes, yes, no, no, yes, Sums::ordered, 0, 0, 0.9},
    {"csr", "cache_panels", no, yes, yes, no, yes, no, Sums::ordered, 0.45e-9, 1, 0},
    {"csr", "copied_columns", no, yes, yes, no, yes, no, Sums::ordered, 0.45e-9, 1, 0},
    {"csr", "padded_rows", no, yes, yes, no, no, yes, Sums::ordered, 0, 0, 1},
    {"csr", "row_groups", no, yes, yes, no, no, yes, Sums::ordered, 0, 0, 1},
    {"csr", "jammed", no, yes, yes, no, no, yes, Sums::ordered, 0, 0, 1},
    {"csr", "lockstep", no, yes, yes, no, no, yes, Sums::ordered, 0, 0, 1},
    {"csr", "tensor_tiles", no, yes, yes, no, no, yes, Sums::ordered, 0, 0, 1},
    {"dense", "cublas", no, yes, yes, no, no, yes, Sums::ordered, 0, 0, 1},
    {"csr", "columns_on_lanes", no, yes, yes, no, yes, yes, Sums::ordered, 0.8e-9, 4, 1, team_lanes_columns},
    {"csr", "transposed", yes, yes, no, yes, yes, yes, Sums::scattered, 0.8e-9, 4, 1, team_lanes},
    {"coo", "atomic", yes, yes, yes, yes, yes, yes, Sums::scattered, 1.2e-9, 4, 1.7, entries | threads | lanes},
    {"coo", "segmented", yes, no, yes, no, yes, yes, Sums::scattered, 1.2e-9, 4, 1.8, entries | threads},
    {"csc", "by_columns", yes, yes, yes, no, yes, yes, Sums::scattered, 0.8e-9, 4, 1, team_lanes_columns},
    {"csc", "by_columns", yes, yes, no, yes, yes, yes, Sums::ordered, 0.8e-9, 4, 1, team_lanes_columns},
    {"ell", "thread_per_row", yes, no, yes, no, yes, yes, Sums::ordered, 1.6e-9, 6, 1.3, team},
    {"ell", "columns_on_lanes", no, yes, yes, no, yes, yes, Sums::ordered, 1.6e-9, 6, 1, team_lanes_columns},
    {"ell", "transposed", yes, yes, no, yes, yes, yes, Sums::scattered, 1.6e-9, 6, 1, team_lanes},
    {"hyb", "ell_then_tail", yes, yes, yes, yes, yes, yes, Sums::scattered, 2e-9, 6, 1.5, team_lanes_columns | entries},
    {"sell", "thread_per_row", yes, no, yes, no, yes, yes, Sums::ordered, 2e-9, 11, 4, team_lanes},
    {"sell", "host_simd", yes, no, yes, no, yes, no, Sums::ordered, 0.7e-9, 11, 0},
    {"sell", "host_simd", no, yes, yes, no, yes, no, Sums::ordered, 1.4e-9, 1, 0},
    {"sell", "rows_per_lane", yes, no, yes, no, no, yes, Sums::ordered, 0, 0, 1.1},
    {"sell", "columns_on_lanes", no, yes, yes, no, yes, yes, Sums::ordered, 2e-9, 11, 0, team_lanes_columns},
    {"sell", "transposed", yes, yes, no, yes, yes, yes, Sums::scattered, 2e-9, 11, 0, team_lanes},
    {"bsr", "lanes_on_blocks", yes, no, yes, no, yes, yes, Sums::ordered, 1.4e-9, 5, 3.5, team_lanes},
    {"bsr", "warp_per_block_row", yes, no, yes, no, no, yes, Sums::ordered, 0, 0, 1.4},
    {"bsr", "slices", yes, no, yes, no, no, yes, Sums::ordered, 0, 0, 1.1},
    {"bsr", "columns_on_lanes", no, yes, yes, no, yes, yes, Sums::ordered, 1.4e-9, 5, 0, team_lanes},
    {"bsr", "host_simd", no, yes, yes, no, yes, no, Sums::ordered, 0.36e-9, 0.8, 0},
    {"bsr", "tensor_cores", no, yes, yes, no, no, yes, Sums::ordered, 0, 0, 1.5},
    {"bsr", "transposed", yes, yes, no, yes, yes, yes, Sums::scattered, 1.4e-9, 5, 0, team_lanes},
    {"bcsc", "block_per_team", yes, no, yes, no, yes, yes, Sums::in_scratch, 1.9e-9, 4, 12, threads},
    {"bcsc", "naive", no, yes, yes, no, yes, yes, Sums::ordered, 1.9e-9, 4, 0, threads | columns},
    {"bcsc", "host_simd", no, yes, yes, no, yes, no, Sums::ordered, 0.8e-9, 1.6, 0},
    {"bcsc", "tiled", no, yes, yes, no, no, yes, Sums::ordered, 0, 0, 0},
    {"bcsc", "short_blocks", no, yes, yes, no, no, yes, Sums::ordered, 0, 0, 0},
    {"bcsc", "warp_centric", no, yes, yes, no, no, yes, Sums::ordered, 0, 0, 0},
    {"bcsc", "warp_centric_atomic", no, yes, yes, no, no, yes, Sums::scattered, 0, 0, 0},
    {"bcsc", "transposed", yes, yes, no, yes, yes, yes, Sums::scattered, 1.4e-9, 4, 0, threads},
});

constexpr bool is_for(KernelTraits const& k, bool spmm, Op op) {
  return (spmm ? k.spmm : k.spmv) && (transposes(op) ? k.transposed : k.plain);
}

}  // namespace

KernelTraits const* kernel_traits(Problem const& p, Choice const& c) {
  auto const found = std::find_if(table.begin(), table.end(), [&](KernelTraits const& k) {
    return k.format == c.format && k.kernel == c.kernel && is_for(k, p.spmm, p.op);
  });
  return found == table.end() ? nullptr : &*found;
}

unsigned parameters_read(std::string_view format, std::string_view kernel) {
  unsigned all = reads::none;
  for (auto const& k : table)
    if (k.format == format && k.kernel == kernel) all |= k.reads;
  return all;
}

std::uint64_t kernel_bytes(Problem const& p, Choice const& c) {
  if (!is_partitioned(c)) return 0;
  if (c.kernel == "merge_split")
    return csr_spmm_partition_bytes(p.stats.rows, p.stats.nnz, std::max<std::int64_t>(1, p.columns), p.y_bytes);
  return csr_partition_bytes(c.kernel == "balanced" ? CsrCut::path : CsrCut::entries, p.stats.rows, p.stats.nnz);
}

double panel_spans(Problem const& problem) {
  constexpr double span_bytes = 18.4e6;  // of x, in the shared memory of an H200
  return std::max(1.0, std::ceil(static_cast<double>(problem.stats.cols * problem.x_bytes) / span_bytes));
}

LongRows long_rows(RowStats const& stats) {
  std::int64_t const shorter = longest_of_lanes(stats.rows, stats.nnz);
  LongRows found{.longest = stats.max_length};
  if (found.longest <= shorter) return found;
  for (int bin = 1; bin < RowStats::bins; ++bin)
    if (std::int64_t{1} << (bin - 1) >= shorter) found.count += stats.length_histogram[static_cast<std::size_t>(bin)];
  found.count = std::max<std::int64_t>(found.count, 1);  // the longest itself
  return found;
}

HeldEstimate const* held_estimate(Problem const& p, Choice const& c) {
  auto const found = std::find_if(p.held.begin(), p.held.end(),
                                  [&](HeldEstimate const& h) { return h.format == c.format && h.kernel == c.kernel; });
  return found == p.held.end() ? nullptr : &*found;
}

bool knows_format(std::string_view format) {
  return std::any_of(table.begin(), table.end(), [&](KernelTraits const& k) { return k.format == format; });
}

}  // namespace araia::detail

std::vector<std::string> araia::kernel_names(std::string_view format, bool spmm, Op op) {
  std::vector<std::string> names;
  for (auto const& k : detail::table)
    if (k.format == format && detail::is_for(k, spmm, op)) names.emplace_back(k.kernel);
  return names;
}
