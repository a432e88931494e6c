// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mapping  block: 256 threads, 8 lanes a row; rows of more than `long_entries` entries are left to the whole block, so
//          that no row keeps eight lanes while the device waits.
// Traffic  4 B an entry of B once for its order; 16 B an entry of A for the products, as gathered.

#include "backends/cuda/spgemm/analysis/kernel.hpp"

#include <algorithm>

#include "backends/cuda/launch.cuh"
#include "backends/cuda/spgemm/operands.cuh"

namespace araia::cuda::spgemm {
namespace {

constexpr int block_threads = 256;
constexpr int row_lanes = 8;
constexpr int block_rows = block_threads / row_lanes;
constexpr int long_entries = 128;
constexpr int scan_items = 8;  // of a thread
constexpr int scan_chunk = block_threads * scan_items;
constexpr char const* label = "araia::spgemm::analysis";

/// Rows that the whole block is to do.
struct LongRows {
  int count;
  std::int64_t rows[block_rows];
};

/// \param unordered    null: lengths alone
/// \param also_longest  written as well, where it is not null
__global__ void __launch_bounds__(block_threads) order_kernel(Csr m, std::int64_t rows, std::uint32_t* longest,
                                                              std::uint32_t* also_longest, std::uint32_t* unordered) {
  __shared__ LongRows later;
  __shared__ unsigned block_longest;
  __shared__ unsigned block_unordered;
  if (threadIdx.x == 0) {
    later.count = 0;
    block_longest = 0;
    block_unordered = 0;
  }
  __syncthreads();  // zeroes are there
  auto const team = Team<row_lanes>::of_thread();
  bool good = true;
  int most = 0;
  std::int64_t const stride = static_cast<std::int64_t>(gridDim.x) * block_rows;
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * block_rows; first < rows; first += stride) {
    std::int64_t const row = first + threadIdx.x / row_lanes;
    if (row < rows) {
      int const begin = m.row_offsets[row];
      int const end = m.row_offsets[row + 1];
      most = max(most, end - begin);
      if (unordered != nullptr && end - begin <= long_entries) {
        for (int k = begin + team.lane; k + 1 < end; k += row_lanes) good &= m.col_indices[k] < m.col_indices[k + 1];
      } else if (unordered != nullptr && team.lane == 0) {
        later.rows[atomicAdd(&later.count, 1)] = row;
      }
    }
    if (unordered == nullptr) continue;
    __syncthreads();  // long rows are listed
    for (int l = 0; l < later.count; ++l) {
      int const begin = m.row_offsets[later.rows[l]];
      int const end = m.row_offsets[later.rows[l] + 1];
      for (int k = begin + static_cast<int>(threadIdx.x); k + 1 < end; k += block_threads)
        good &= m.col_indices[k] < m.col_indices[k + 1];
    }
    __syncthreads();  // the list has been read
    if (threadIdx.x == 0) later.count = 0;
    __syncthreads();  // the list is empty
  }
  auto const of_warp = static_cast<unsigned>(Team<32>::of_thread().most(most));
  if (threadIdx.x % 32 == 0) atomicMax(&block_longest, of_warp);
  if (!good) atomicOr(&block_unordered, 1u);
  __syncthreads();  // all have said
  if (threadIdx.x == 0) {
    note_longest(longest, block_longest);
    if (also_longest != nullptr) note_longest(also_longest, block_longest);
    if (block_unordered != 0) *unordered = 1;
  }
}

/// Do rows 3 i, 3 i + 1 and 3 i + 2 have the same columns, and where `column_groups`, are these 3 j, 3 j + 1, 3 j + 2
/// each?
__global__ void __launch_bounds__(block_threads)
    groups_kernel(Csr m, std::int64_t groups, bool column_groups, std::uint32_t* ungrouped) {
  auto const team = Team<row_lanes>::of_thread();
  std::int64_t const stride = static_cast<std::int64_t>(gridDim.x) * block_rows;
  for (std::int64_t group = static_cast<std::int64_t>(blockIdx.x) * block_rows + threadIdx.x / row_lanes;
       group < groups; group += stride) {
    if (*static_cast<std::uint32_t volatile*>(ungrouped) != 0) return;
    int const begin = m.row_offsets[group * group_rows];
    int const length = m.row_offsets[group * group_rows + 1] - begin;
    bool good = m.row_offsets[group * group_rows + 2] == begin + 2 * length &&
                m.row_offsets[group * group_rows + 3] == begin + 3 * length &&
                (!column_groups || length % group_rows == 0);
    for (int k = team.lane; good && k < length; k += row_lanes) {
      int const c = m.col_indices[begin + k];
      good = c == m.col_indices[begin + length + k] && c == m.col_indices[begin + 2 * length + k];
      if (column_groups) {
        int const head = m.col_indices[begin + k - k % group_rows];
        good = good && head % group_rows == 0 && c == head + k % group_rows;
      }
    }
    if (!good) *ungrouped = 1;
  }
}

struct RowCost {
  unsigned long long products;
  int entries;  // of A
  int low;      // first column
  int high;     // last column, below `low` where there is none
};

__device__ __forceinline__ void add_cost(Operands const& p, bool ascending, int j, RowCost& cost) {
  int const begin = p.b.row_offsets[j];
  int const end = p.b.row_offsets[j + 1];
  cost.products += static_cast<unsigned>(end - begin);
  if (begin < end && ascending) {
    cost.low = min(cost.low, p.b.col_indices[begin]);
    cost.high = max(cost.high, p.b.col_indices[end - 1]);
  }
}

__device__ Bin bin_for(BinRules const& rules, bool grouped, bool ascending, std::int64_t products, int entries,
                       std::int64_t words) {
  if (products == 0) return Bin::empty;
  bool const windows =
      ascending && words <= long_window && products <= most_window_products && entries <= most_window_a_entries;
  if (rules.only >= 0) {
    auto const only = static_cast<Bin>(rules.only);
    bool fits = only == Bin::long_row;
    if (only == Bin::window_short) fits = windows && words <= short_window;
    if (only == Bin::window_long) fits = windows;
    if (only == Bin::sorted_64) fits = products <= 64;
    if (only == Bin::sorted_256) fits = products <= 256;
    if (only == Bin::sorted_1024) fits = products <= 1024;
    if (only == Bin::block_window) fits = words <= block_window_words;
    if (fits) return only;
  }
  if (windows && (grouped || products > least_window_products))
    return words <= short_window ? Bin::window_short : Bin::window_long;
  if (entries <= most_sorted_a_entries) {
    if (products <= 64) return Bin::sorted_64;
    if (products <= 256) return Bin::sorted_256;
    if (products <= 1024) return Bin::sorted_1024;
  }
  return words <= block_window_words && products <= most_block_products ? Bin::block_window : Bin::long_row;
}

__global__ void __launch_bounds__(block_threads)
    bins_kernel(Operands p, BinRules rules, Counters* counters, std::uint8_t* bin_of, std::int32_t* first_tile) {
  bool const ascending = counters->b_unordered == 0;
  if (rules.merge && ascending && counters->longest_a <= merged_entries && counters->longest_b <= merged_entries)
    return;
  bool const grouped = rules.groups && ascending && counters->ungrouped == 0;
  int const group = grouped ? group_rows : 1;
  std::int64_t const items = p.rows / group;

  __shared__ LongRows later;
  __shared__ RowCost long_cost;
  __shared__ unsigned block_items[bins];
  __shared__ unsigned block_words[bins];
  __shared__ unsigned long long block_products;
  __shared__ unsigned long long block_list;
  if (threadIdx.x < bins) {
    block_items[threadIdx.x] = 0;
    block_words[threadIdx.x] = 0;
  }
  if (threadIdx.x == 0) {
    later.count = 0;
    block_products = 0;
    block_list = 0;
  }
  __syncthreads();  // zeroes are there
  auto const finish = [&](std::int64_t item, RowCost const& cost) {
    std::int64_t words = p.words;
    std::int32_t tile = 0;
    if (ascending) {
      bool const any = cost.low <= cost.high;
      tile = any ? tile_of(cost.low) : 0;
      words = any ? tile_of(cost.high) - tile + 1 : 0;
    }
    auto const products = static_cast<std::int64_t>(cost.products);
    Bin const bin = bin_for(rules, grouped, ascending, products, cost.entries, words);
    if (bin == Bin::long_row) tile = 0;
    bin_of[item] = static_cast<std::uint8_t>(bin);
    first_tile[item] = tile;
    atomicAdd(&block_items[static_cast<int>(bin)], 1u);
    atomicMax(&block_words[static_cast<int>(bin)], static_cast<unsigned>(words));
    atomicAdd(&block_products, cost.products);
    if (bin == Bin::window_short || bin == Bin::window_long)
      atomicAdd(&block_list, static_cast<unsigned long long>(min(words, products / 6 + 8)));
  };

  auto const team = Team<row_lanes>::of_thread();
  std::int64_t const stride = static_cast<std::int64_t>(gridDim.x) * block_rows;
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * block_rows; first < items; first += stride) {
    std::int64_t const item = first + threadIdx.x / row_lanes;
    RowCost cost{0, 0, 0x7fffffff, -1};
    bool own = item < items;
    if (own) {
      int const begin = p.a.row_offsets[item * group];
      cost.entries = (p.a.row_offsets[item * group + 1] - begin) / group;
      if (cost.entries <= long_entries) {
        for (int k = team.lane; k < cost.entries; k += row_lanes)
          add_cost(p, ascending, p.a.col_indices[begin + k * group], cost);
      } else {
        own = false;
        if (team.lane == 0) later.rows[atomicAdd(&later.count, 1)] = item;
      }
    }
    cost = {team.sum(cost.products), cost.entries, team.least(cost.low), team.most(cost.high)};
    if (own && team.lane == 0) finish(item, cost);
    __syncthreads();  // long rows are listed
    for (int l = 0; l < later.count; ++l) {
      std::int64_t const row = later.rows[l] * group;
      int const begin = p.a.row_offsets[row];
      RowCost mine{0, (p.a.row_offsets[row + 1] - begin) / group, 0x7fffffff, -1};
      if (threadIdx.x == 0) long_cost = mine;
      __syncthreads();  // long_cost is empty
      for (int k = static_cast<int>(threadIdx.x); k < mine.entries; k += block_threads)
        add_cost(p, ascending, p.a.col_indices[begin + k * group], mine);
      auto const warp = Team<32>::of_thread();
      mine = {warp.sum(mine.products), mine.entries, warp.least(mine.low), warp.most(mine.high)};
      if (warp.lane == 0) {
        atomicAdd(&long_cost.products, mine.products);
        atomicMin(&long_cost.low, mine.low);
        atomicMax(&long_cost.high, mine.high);
      }
      __syncthreads();  // all warps have added
      if (threadIdx.x == 0) finish(later.rows[l], long_cost);
    }
    __syncthreads();  // the list has been read
    if (threadIdx.x == 0) later.count = 0;
    __syncthreads();  // the list is empty
  }
  __syncthreads();  // the block's counts are complete
  if (threadIdx.x < bins && block_items[threadIdx.x] != 0) {
    atomicAdd(&counters->items[threadIdx.x], block_items[threadIdx.x]);
    note_longest(&counters->words[threadIdx.x], block_words[threadIdx.x]);
  }
  if (threadIdx.x == 0) {
    atomicAdd(&counters->products, block_products);
    if (block_list != 0) atomicAdd(&counters->list_entries, block_list);
  }
}

__global__ void __launch_bounds__(block_threads)
    list_kernel(std::int64_t items, std::uint8_t const* bin_of, ListStarts starts, Counters* counters,
                std::int32_t* list) {
  __shared__ unsigned counts[bins];
  __shared__ unsigned begins[bins];
  if (threadIdx.x < bins) counts[threadIdx.x] = 0;
  __syncthreads();  // zeroes are there
  std::int64_t const item = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
  int bin = 0;
  unsigned rank = 0;
  if (item < items) {
    bin = bin_of[item];
    rank = atomicAdd(&counts[bin], 1u);
  }
  __syncthreads();  // all have counted
  if (threadIdx.x < bins && counts[threadIdx.x] != 0)
    begins[threadIdx.x] = starts.at[threadIdx.x] + atomicAdd(&counters->pass.cursors[threadIdx.x], counts[threadIdx.x]);
  __syncthreads();  // the block has its places
  if (item < items) list[begins[bin] + rank] = static_cast<std::int32_t>(item);
}

/// A warp a row of B. Tiles of 32 columns at a time: one that goes on in the next 32 comes twice, which ORs bear.
__global__ void __launch_bounds__(block_threads) tiles_kernel(Operands p, TiledRows tiled, std::int64_t items) {
  auto const warp = Team<32>::of_thread();
  std::int64_t const item = static_cast<std::int64_t>(blockIdx.x) * (block_threads / 32) + threadIdx.x / 32;
  if (item >= items) return;
  int const begin = p.b.row_offsets[item * tiled.group];
  int const end = p.b.row_offsets[item * tiled.group + 1];
  int count = 0;
  for (int first = begin; first < end; first += 32) {
    bool const own = first + warp.lane < end;
    std::int32_t const column = own ? p.b.col_indices[first + warp.lane] : 0;
    std::int32_t const tile = own ? tile_of(column) : -1;
    std::uint32_t mask = own ? bit_of(column) : 0;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
      std::int32_t const other = __shfl_down_sync(0xffffffffu, tile, d);
      std::uint32_t const bits = __shfl_down_sync(0xffffffffu, mask, d);
      if (warp.lane + d < 32 && other == tile) mask |= bits;
    }
    std::int32_t const before = __shfl_up_sync(0xffffffffu, tile, 1);
    bool const head = own && (warp.lane == 0 || before != tile);
    int heads;
    int const rank = warp.rank(head, heads);
    if (head) tiled.tiles[begin + count + rank] = {tile, mask};
    count += heads;
  }
  if (warp.lane == 0) tiled.counts[item] = count;
}

/// Sum over the block of one value a thread, and the sum before this thread's.
__device__ unsigned long long block_sum_before(unsigned long long value, unsigned long long& all) {
  __shared__ unsigned long long warps[block_threads / 32];
  auto const warp = Team<32>::of_thread();
  unsigned long long const up_to = warp.sum_up_to(value);
  __syncthreads();  // the sums before have been read
  if (warp.lane == 31) warps[threadIdx.x / 32] = up_to;
  __syncthreads();  // all warps' sums are there
  unsigned long long before = 0;
  all = 0;
  for (int w = 0; w < block_threads / 32; ++w) {
    if (w < static_cast<int>(threadIdx.x / 32)) before += warps[w];
    all += warps[w];
  }
  return before + up_to - value;
}

__global__ void __launch_bounds__(block_threads)
    sums_kernel(std::int64_t rows, std::int32_t const* lengths, unsigned long long* sums, Counters* counters) {
  unsigned long long sum = 0;
  std::int64_t const first = static_cast<std::int64_t>(blockIdx.x) * scan_chunk;
  for (int k = 0; k < scan_items; ++k) {
    std::int64_t const row = first + k * block_threads + threadIdx.x;
    if (row < rows) sum += static_cast<std::uint32_t>(lengths[row]);
  }
  unsigned long long all;
  block_sum_before(sum, all);
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = all;
    atomicAdd(&counters->pass.nnz, all);
  }
}

__device__ unsigned long long chunk_begin(unsigned long long const* sums) {
  unsigned long long before = 0;
  for (unsigned b = threadIdx.x; b < blockIdx.x; b += block_threads) before += sums[b];
  unsigned long long all;
  block_sum_before(before, all);
  return all;
}

__global__ void __launch_bounds__(block_threads)
    offsets_kernel(std::int64_t rows, std::int32_t* lengths, unsigned long long const* sums) {
  __shared__ std::uint32_t values[scan_chunk];
  auto const begin = static_cast<std::uint32_t>(chunk_begin(sums));
  std::int64_t const first = static_cast<std::int64_t>(blockIdx.x) * scan_chunk;
  for (int k = static_cast<int>(threadIdx.x); k < scan_chunk; k += block_threads)
    values[k] = first + k < rows ? static_cast<std::uint32_t>(lengths[first + k]) : 0;
  __syncthreads();  // the chunk is in shared memory
  std::uint32_t own[scan_items];
  unsigned long long sum = 0;
#pragma unroll
  for (int k = 0; k < scan_items; ++k) sum += own[k] = values[threadIdx.x * scan_items + k];
  unsigned long long all;
  auto before = begin + static_cast<std::uint32_t>(block_sum_before(sum, all));
#pragma unroll
  for (int k = 0; k < scan_items; ++k) {
    values[threadIdx.x * scan_items + k] = before;
    before += own[k];
  }
  __syncthreads();  // the chunk's offsets are in shared memory
  for (int k = static_cast<int>(threadIdx.x); k < scan_chunk; k += block_threads)
    if (first + k < rows) lengths[first + k] = static_cast<std::int32_t>(values[k]);
  if (first + scan_chunk >= rows && threadIdx.x == 0)
    lengths[rows] = static_cast<std::int32_t>(begin + static_cast<std::uint32_t>(all));
}

__global__ void __launch_bounds__(block_threads)
    widen_kernel(std::int64_t rows, std::int32_t const* offsets, unsigned long long const* sums, std::int64_t* wide) {
  unsigned long long const begin = chunk_begin(sums);
  std::int64_t const first = static_cast<std::int64_t>(blockIdx.x) * scan_chunk;
  unsigned long long own = 0;
  std::int64_t const from = first + static_cast<std::int64_t>(threadIdx.x) * scan_items;
  for (int k = 0; k < scan_items; ++k)
    if (from + k < rows)
      own += static_cast<std::uint32_t>(offsets[from + k + 1]) - static_cast<std::uint32_t>(offsets[from + k]);
  unsigned long long all;
  unsigned long long before = begin + block_sum_before(own, all);
  for (int k = 0; k < scan_items; ++k)
    if (from + k < rows) {
      wide[from + k] = static_cast<std::int64_t>(before);
      before += static_cast<std::uint32_t>(offsets[from + k + 1]) - static_cast<std::uint32_t>(offsets[from + k]);
    }
  if (first + scan_chunk >= rows && threadIdx.x == 0) wide[rows] = static_cast<std::int64_t>(begin + all);
}

/// As many as the device runs at once, which take rows in turn: kernels may find that there is nothing to do.
std::int64_t blocks_for(std::int64_t rows) {
  constexpr int resident = 8;  // a multiprocessor
  return std::min<std::int64_t>((rows + block_rows - 1) / block_rows, resident * multiprocessors_of_device(label));
}

}  // namespace

void look_at_rows(Operands const& p, bool check_order, bool check_groups, Counters* counters, cudaStream_t stream) {
  if (p.a.row_offsets == p.b.row_offsets && p.rows == p.inner) {
    launch(label, order_kernel, blocks_for(p.rows), block_threads, 0, stream, p.b, p.inner, &counters->longest_b,
           &counters->longest_a, check_order ? &counters->b_unordered : nullptr);
  } else {
    launch(label, order_kernel, blocks_for(p.inner), block_threads, 0, stream, p.b, p.inner, &counters->longest_b,
           nullptr, check_order ? &counters->b_unordered : nullptr);
    launch(label, order_kernel, blocks_for(p.rows), block_threads, 0, stream, p.a, p.rows, &counters->longest_a,
           nullptr, nullptr);
  }
  if (!check_groups) return;
  std::int64_t const groups = p.rows / group_rows;
  launch(label, groups_kernel, blocks_for(groups), block_threads, 0, stream, p.a, groups, true, &counters->ungrouped);
  if (p.a.row_offsets != p.b.row_offsets || p.a.col_indices != p.b.col_indices) {
    std::int64_t const b_groups = p.inner / group_rows;
    launch(label, groups_kernel, blocks_for(b_groups), block_threads, 0, stream, p.b, b_groups, false,
           &counters->ungrouped);
  }
}

void choose_bins(Operands const& p, BinRules const& rules, Counters* counters, std::uint8_t* bin_of,
                 std::int32_t* first_tile, cudaStream_t stream) {
  launch(label, bins_kernel, blocks_for(p.rows), block_threads, 0, stream, p, rules, counters, bin_of, first_tile);
}

void list_rows(std::int64_t items, std::uint8_t const* bin_of, ListStarts const& starts, Counters* counters,
               std::int32_t* list, cudaStream_t stream) {
  launch(label, list_kernel, (items + block_threads - 1) / block_threads, block_threads, 0, stream, items, bin_of,
         starts, counters, list);
}

void make_tiles(Operands const& p, TiledRows const& tiled, cudaStream_t stream) {
  std::int64_t const items = p.inner / tiled.group;
  constexpr int warps = block_threads / 32;
  launch(label, tiles_kernel, (items + warps - 1) / warps, block_threads, 0, stream, p, tiled, items);
}

std::int64_t scan_blocks(std::int64_t rows) { return (rows + scan_chunk - 1) / scan_chunk; }

void scan_lengths(std::int64_t rows, std::int32_t* lengths, unsigned long long* sums, Counters* counters,
                  cudaStream_t stream) {
  launch(label, sums_kernel, scan_blocks(rows), block_threads, 0, stream, rows, lengths, sums, counters);
  launch(label, offsets_kernel, scan_blocks(rows), block_threads, 0, stream, rows, lengths, sums);
}

void widen_offsets(std::int64_t rows, std::int32_t const* offsets, unsigned long long const* sums, std::int64_t* wide,
                   cudaStream_t stream) {
  launch(label, widen_kernel, scan_blocks(rows), block_threads, 0, stream, rows, offsets, sums, wide);
}

}  // namespace araia::cuda::spgemm
