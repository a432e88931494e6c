// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mapping  a team of 8 or 32 lanes a row: products' columns to shared memory, from there to registers, a bitonic sort
//          of registers and shuffles, heads of equal columns counted; numeric: the distinct columns in shared memory,
//          in which each product finds its own by bisection.
//          Products of up to `lanes` entries of A are dealt to lanes as one sequence, whatever rows of B they come
//          from: lane l takes products l, l + lanes, ... and finds their entry of A by bisection of the lengths' sums,
//          which lie in the lanes: lengths 3 1 4: sums 3 4 8; product 3 is the first of entry 1.
// Shared   symbolic 4 B a product, numeric 12 B.

#include "backends/cuda/spgemm/csr_sorted_rows/kernel.hpp"

#include "backends/cuda/launch.cuh"
#include "backends/cuda/spgemm/dynamic_shared.cuh"
#include "backends/cuda/spgemm/operands.cuh"

namespace araia::cuda::spgemm::sorted_rows {
namespace {

enum class Pass { symbolic, numeric, values };

constexpr int block_threads = 128;
constexpr std::int32_t no_column = 0x7fffffff;
constexpr char const* symbolic_label = "araia::spgemm::sorted_rows::symbolic";
constexpr char const* numeric_label = "araia::spgemm::sorted_rows::numeric";

/// visit(product of the row, entry of B, value of A), all lanes of the team calling. \returns products of the row
template <int lanes, bool with_values, class Visit>
__device__ int for_each_product(Operands const& p, std::int64_t row, Team<lanes> team, Visit const& visit) {
  int const begin = p.a.row_offsets[row];
  int const end = p.a.row_offsets[row + 1];
  int before = 0;
  for (int first = begin; first < end; first += lanes) {
    int start = 0;
    int length = 0;
    double factor = 0;
    if (first + team.lane < end) {
      int const j = p.a.col_indices[first + team.lane];
      start = p.b.row_offsets[j];
      length = p.b.row_offsets[j + 1] - start;
      if constexpr (with_values) factor = p.a.values[first + team.lane];
    }
    int const up_to = team.sum_up_to(length);
    int const origin = start - (up_to - length);  // of B's entries, so that product t is entry origin + t
    int const all = team.from(up_to, lanes - 1);
    for (int t0 = 0; t0 < all; t0 += lanes) {
      int const t = t0 + team.lane;
      int e = 0;
#pragma unroll
      for (int d = lanes / 2; d > 0; d /= 2)
        if (team.from(up_to, e + d - 1) <= t) e += d;
      int const from = team.from(origin, e);
      double value = 0;
      if constexpr (with_values) value = team.from(factor, e);
      if (t < all) visit(before + t, from + t, value);
    }
    before += all;
  }
  return before;
}

/// Ascending over the team: element lane * each + i is key[i] of the lane.
template <int lanes, int each>
__device__ __forceinline__ void sort(Team<lanes> team, std::int32_t (&key)[each]) {
#pragma unroll
  for (int size = 2; size <= lanes * each; size *= 2) {
#pragma unroll
    for (int d = size / 2; d > 0; d /= 2) {
      if (d >= each) {
        bool const up = (team.lane & (size / each)) == 0;
        bool const keep_least = ((team.lane & (d / each)) == 0) == up;
#pragma unroll
        for (int i = 0; i < each; ++i) {
          std::int32_t const other = __shfl_xor_sync(team.mask, key[i], d / each, lanes);
          key[i] = keep_least ? min(key[i], other) : max(key[i], other);
        }
      } else {
#pragma unroll
        for (int i = 0; i < each; ++i)
          if ((i & d) == 0) {
            bool const up = size < each ? (i & size) == 0 : (team.lane & (size / each)) == 0;
            std::int32_t const least = min(key[i], key[i + d]);
            std::int32_t const most = max(key[i], key[i + d]);
            key[i] = up ? least : most;
            key[i + d] = up ? most : least;
          }
      }
    }
  }
}

/// Where among `count` ascending columns a column lies that is one of them.
__device__ __forceinline__ int place_of(std::int32_t const* columns, int count, std::int32_t column) {
  int low = 0;
  while (count > 1) {
    int const half = count / 2;
    if (columns[low + half - 1] < column) low += half;
    count -= half;
  }
  return low;
}

template <int lanes, int each, Pass pass>
__global__ void __launch_bounds__(block_threads)
    rows_kernel(Operands p, Items items, Bin bin, std::int32_t* lengths, Counters* counters, Result c) {
  constexpr int capacity = lanes * each;
  constexpr int teams = block_threads / lanes;
  auto const team = Team<lanes>::of_thread();
  int const own = static_cast<int>(threadIdx.x) / lanes;
  std::int64_t const k = static_cast<std::int64_t>(blockIdx.x) * teams + own;
  if (k >= items.count) return;
  std::int64_t const row = item_at(items, k);
  double* const values = reinterpret_cast<double*>(dynamic_shared()) + own * capacity;  // but in symbolic
  std::int32_t* const columns =
      reinterpret_cast<std::int32_t*>(dynamic_shared() + (pass == Pass::symbolic ? 0 : 8 * teams * capacity)) +
      own * capacity;
  std::int64_t begin = 0;
  int count = 0;
  if constexpr (pass != Pass::symbolic) begin = offset_at(c.row_offsets, row);
  if constexpr (pass == Pass::values) {
    count = static_cast<int>(offset_at(c.row_offsets, row + 1) - begin);
    for (int i = team.lane; i < count; i += lanes) columns[i] = c.col_indices[begin + i];
  } else {
    int const products = for_each_product<lanes, false>(
        p, row, team, [&](int product, int at, double) { columns[product] = p.b.col_indices[at]; });
    team.sync();  // all columns are there
    std::int32_t key[each];
#pragma unroll
    for (int i = 0; i < each; ++i)
      key[i] = i * lanes + team.lane < products ? columns[i * lanes + team.lane] : no_column;
    sort(team, key);
    std::int32_t const last = __shfl_up_sync(team.mask, key[each - 1], 1, lanes);
    int heads = 0;
#pragma unroll
    for (int i = 0; i < each; ++i) {
      std::int32_t const before = i == 0 ? last : key[i > 0 ? i - 1 : 0];
      heads += key[i] != no_column && ((i == 0 && team.lane == 0) || key[i] != before);
    }
    int const up_to = team.sum_up_to(heads);
    count = team.from(up_to, lanes - 1);
    if constexpr (pass == Pass::symbolic) {
      if (team.lane == 0) {
        lengths[row] = count;
        note_longest(&counters->pass.longest_c[static_cast<int>(bin)], static_cast<std::uint32_t>(count));
      }
      return;
    }
    team.sync();  // all columns are in registers
    int at = up_to - heads;
#pragma unroll
    for (int i = 0; i < each; ++i) {
      std::int32_t const before = i == 0 ? last : key[i > 0 ? i - 1 : 0];
      if (key[i] != no_column && ((i == 0 && team.lane == 0) || key[i] != before)) columns[at++] = key[i];
    }
  }
  for (int i = team.lane; i < count; i += lanes) values[i] = 0;
  team.sync();  // distinct columns and zeroes are there
  if constexpr (pass == Pass::numeric)
    for (int i = team.lane; i < count; i += lanes) c.col_indices[begin + i] = columns[i];
  if (p.in_order) {
    int const a_begin = p.a.row_offsets[row];
    int const a_end = p.a.row_offsets[row + 1];
    for (int e = a_begin; e < a_end; ++e) {
      int const j = p.a.col_indices[e];
      double const factor = p.a.values[e];
      int const b_end = p.b.row_offsets[j + 1];
      for (int t = p.b.row_offsets[j] + team.lane; t < b_end; t += lanes)
        values[place_of(columns, count, p.b.col_indices[t])] += factor * p.b.values[t];
      team.sync();  // this row of B is added before the next
    }
  } else {
    for_each_product<lanes, true>(p, row, team, [&](int, int at, double factor) {
      atomicAdd(&values[place_of(columns, count, p.b.col_indices[at])], factor * p.b.values[at]);
    });
    team.sync();  // all is added
  }
  for (int i = team.lane; i < count; i += lanes) c.values[begin + i] = values[i];
}

template <int lanes, int each, Pass pass>
void launch_rows(Operands const& p, Items const& items, Bin bin, std::int32_t* lengths, Counters* counters,
                 Result const& c, cudaStream_t stream) {
  constexpr int teams = block_threads / lanes;
  constexpr std::size_t bytes = (pass == Pass::symbolic ? 4 : 12) * teams * lanes * each;
  launch(pass == Pass::symbolic ? symbolic_label : numeric_label, rows_kernel<lanes, each, pass>,
         (items.count + teams - 1) / teams, block_threads, bytes, stream, p, items, bin, lengths, counters, c);
}

template <Pass pass>
void launch_bin(Operands const& p, Items const& items, Bin bin, std::int32_t* lengths, Counters* counters,
                Result const& c, cudaStream_t stream) {
  switch (bin) {
    case Bin::sorted_64: return launch_rows<8, 8, pass>(p, items, bin, lengths, counters, c, stream);
    case Bin::sorted_256: return launch_rows<32, 8, pass>(p, items, bin, lengths, counters, c, stream);
    default: return launch_rows<32, 32, pass>(p, items, bin, lengths, counters, c, stream);
  }
}

}  // namespace

void symbolic(Operands const& p, Items const& items, Bin bin, std::int32_t* lengths, Counters* counters,
              cudaStream_t stream) {
  launch_bin<Pass::symbolic>(p, items, bin, lengths, counters, Result{}, stream);
}

void numeric(Operands const& p, Items const& items, Bin bin, Result const& c, bool known, cudaStream_t stream) {
  known ? launch_bin<Pass::values>(p, items, bin, nullptr, nullptr, c, stream)
        : launch_bin<Pass::numeric>(p, items, bin, nullptr, nullptr, c, stream);
}

}  // namespace araia::cuda::spgemm::sorted_rows
