// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = act(alpha A B + beta C + bias + R), A in CSR with short rows, B and C row-major; LANES lanes own a row and a tile
// of its columns, 32 / LANES rows a warp. LANES is a power of two, or 10 for rows of nine or ten packs: three a warp.
// Mapping  block: 4 warps side by side | warp: 32 / LANES rows | lane: ACCESSES packs of 16 bytes or words,
//          LANES apart. The row's lanes read 4 to 32 of its entries at once, the next ones while these are multiplied,
//          and hand them around, by shuffles below 8 lanes and else in shared memory, 2 or 4 at a time, whose rows of B
//          are in flight together. No sum over lanes at the end.
//
//            lanes 0..LANES-1    LANES..2 LANES-1   ...      (LANES = 8)
//            row i               row i + 1          row i + 2   row i + 3      each by the same columns
//
//          Words of neighbouring rows of B that begin anywhere may lie on the same banks of L1, as 33 columns of float
//          put them one bank apart: then a warp's rows are i, i + s, i + 2 s, ..., s = rows_apart, and s warps share
//          32 / LANES s rows.
//
//          Rows of more than `longest` entries go one after the other, by all lanes of the block, entry t by those of
//          row t mod 128 / LANES (16 for ten), which add up by shuffles and in shared memory. So a long row waits no
//          longer than with four warps of its own.
//          A long group is a group of rows side by side that have more than `long_group` entries in all. Its rows of
//          more than `longest` entries are left to blocks at the front of the grid: a slice of 32 bytes of columns
//          each, so that as many take a row as C has sectors of it, and `shares` of a slice, which take the rows by
//          turns: a warp each, or the block where a row alone has so many. Both sides find long groups by offsets.
// Batch    an item is a grid of blocks in gridDim.y.
// Registers 48 to 80, what rows take by their own lanes: calls for long rows and long groups spill. Shared memory: 8 or
// 12
//          bytes a lane where 8 and more hand entries around, and for rows beyond `longest` a tile of columns a warp
//          and 16 bytes a row.
// Traffic  8 (float) or 12 (double) bytes an entry and tile of columns, sizeof(T) * columns an entry from L1 or L2;
//          of long groups A's once a slice.
// Offsets  of 32 and 64 bits are read by one kernel, as all of its threads take one of two ways: half of the kernels.
// Suits    rows of few entries, of which a warp each (csr_spmm_row_per_warp) leaves lanes idle and waits for offsets,
//          columns, B and C of one row at a time.

#include "backends/cuda/csr_spmm_short_rows.hpp"

#include <araia/detail/formats/type_list.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "backends/cuda/check.hpp"
#include "backends/cuda/csr_short_shapes.hpp"
#include "backends/cuda/epilogue.cuh"
#include "backends/cuda/overlap.cuh"
#include "backends/cuda/packs_fit.hpp"
#include "backends/cuda/short_row_entries.cuh"
#include "backends/cuda/short_row_lanes.cuh"

namespace araia::cuda {
namespace {

using short_rows_shapes::shapes;
using short_rows_shapes::slice_bytes;
using short_rows_shapes::threads;
using short_rows_shapes::tiles_of;

constexpr int warp_size = 32;
constexpr int warps = threads / warp_size;
constexpr std::int64_t most_of_grid = 65535;  // items of a batch and tiles of a launch: gridDim.y, z
// More blocks at the front cost time where there are no long groups.
constexpr std::int64_t row_blocks_a_front_block = 8;
constexpr std::int64_t most_front_blocks_of_few = 512;
constexpr std::int64_t row_blocks_a_front_block_of_many = 64;
constexpr unsigned rounds_a_turn = 16;
constexpr int most_shares = 16;
constexpr int most_apart = warp_size;
constexpr std::int64_t most_of_group = warp_size;  // rows
constexpr int no_long_group = std::numeric_limits<int>::max();

/// The row of the block that a thread's lanes own.
template <class T, int LANES>
struct OwnRow {
  int own;    // of the block
  int place;  // lane of the row
  unsigned stored;
  bool there;
  bool is_long = false;  // longer than its own lanes multiply
  int count = 0;
  std::int64_t start = 0;

  static constexpr int of_warp = warp_size / LANES;
  static constexpr int of_block = warps * of_warp;
  static constexpr bool spare = warp_size % LANES != 0;  // lanes of a warp are left over

  // Quotients and remainders of a power of two as they are: written otherwise the same kernels have other registers.
  __device__ __forceinline__ explicit OwnRow(ShortArguments<T> const& args)
      : own(of_thread(threadIdx.x)),
        place(spare ? place_in_row<LANES>() : static_cast<int>(threadIdx.x % LANES)),
        stored(row_of_block(args, own)),
        there(stored < args.rows && (!spare || place < LANES)) {
    if (!there) return;
    args.find_entries_of_row(stored, start, count);
    is_long = count > args.longest;
  }
  /// The row of the block that has this thread of it. Spare lanes have their warp's last.
  template <class Thread>
  [[nodiscard]] __device__ __forceinline__ static int of_thread(Thread thread) {
    if constexpr (!spare) return static_cast<int>(thread / LANES);
    return static_cast<int>(thread / warp_size * of_warp + min(thread % warp_size / LANES, Thread{of_warp - 1}));
  }
  /// The stored row that lanes `own` of the block have.
  [[nodiscard]] __device__ __forceinline__ static unsigned row_of_block(ShortArguments<T> const& args, int own) {
    return args.template row_of_lanes<LANES>((blockIdx.x - args.front_blocks) * of_block + own);
  }
};

/// Where a warp's lanes hand entries around.
template <class T, class Lane>
using WarpShared = typename HandedEntries<T, Lane::lanes>::Shared;

/// Adds `count` entries of a row, from `at` on, as many at once as its lanes hold. The next ones are on their way
/// meanwhile. All lanes of the warp call it; `shared` is theirs.
template <class Lane, class T>
__device__ __forceinline__ void add_entries(Lane& lane, ShortArguments<T> const& args, WarpShared<T, Lane>& shared,
                                            std::int64_t at, int count, int place) {
  using Held = HeldEntries<T, Lane::lanes>;
  HandedEntries<T, Lane::lanes> handed(shared);
  Held held(args, at, count, place);
  while (true) {
    int const n = __reduce_max_sync(~0u, min(count, Held::count));
    bool const last = !__any_sync(~0u, count > Held::count);
    handed.take(held);
    if (last) return lane.add(handed, n);
    at += Held::count;
    count -= Held::count;
    held = Held(args, at, count, place);
    lane.add(handed, n);
  }
}

/// A's entries as addresses, which stay in registers.
template <class T>
struct EntryArrays {
  std::uint64_t columns;
  std::uint64_t values;  // 0: ones

  __device__ __forceinline__ explicit EntryArrays(ShortArguments<T> const& args)
      : columns(reinterpret_cast<std::uint64_t>(args.col_indices)),
        values(reinterpret_cast<std::uint64_t>(args.values)) {}

  /// Entries `at` and on, STRIDE apart, of which `there` are the row's, all if ALL; others have column -1 and value 0.
  template <bool ALL, int STRIDE, int COUNT>
  __device__ __forceinline__ void load(std::int64_t at, int there, std::int32_t (&column)[COUNT],
                                       T (&value)[COUNT]) const {
    std::uint64_t const first_column = columns + at * sizeof(std::int32_t);
    std::uint64_t const first_value = values + at * sizeof(T);
#pragma unroll
    for (int i = 0; i < COUNT; ++i) {
      bool const here = ALL || i * STRIDE < there;
      column[i] = load_word_if(here, first_column + i * STRIDE * sizeof(std::int32_t), -1);
    }
    if (values != 0) {
#pragma unroll
      for (int i = 0; i < COUNT; ++i)
        value[i] = load_word_if(ALL || i * STRIDE < there, first_value + i * STRIDE * sizeof(T), T{});
    } else {
#pragma unroll
      for (int i = 0; i < COUNT; ++i) value[i] = ALL || i * STRIDE < there ? T{1} : T{};
    }
  }
};

/// A row's entries, some at a time, number t by the lanes of group t mod GROUPS, so that neighbours read neighbours;
/// then the sums of all groups of a warp in each.
template <int GROUPS, class Lane>
__device__ __forceinline__ void add_by_groups(Lane& part, std::int64_t start, std::int64_t end) {
  using T = std::remove_extent_t<decltype(part.sum)>;
  constexpr int few = Lane::at_once_by_block;
  constexpr int stride = GROUPS * few;
  EntryArrays<T> const a(part.args);
  std::int64_t at = start + static_cast<int>(threadIdx.x) / Lane::lanes % GROUPS;
  std::int32_t column[few];
  T value[few];
#pragma unroll 1
  for (; at + stride - GROUPS < end; at += stride) {
    a.template load<true, GROUPS>(at, stride, column, value);
    part.template add_few<true>(column, value);
  }
  if (at < end) {
    a.template load<false, GROUPS>(at, static_cast<int>(end - at), column, value);
    part.template add_few<false>(column, value);
  }
  __syncwarp();
#pragma unroll
  for (int distance = Lane::lanes; distance < warp_size; distance *= 2)
#pragma unroll
    for (int v = 0; v < Lane::columns; ++v) part.sum[v] += __shfl_xor_sync(~0u, part.sum[v], distance);
}

/// A row by all lanes of the warp; `part` is made for it. All of them call.
template <class Lane>
__device__ __forceinline__ void multiply_by_warp(Lane& part, std::int64_t start, std::int64_t end, std::int64_t row) {
  add_by_groups<warp_size / Lane::lanes>(part, start, end);
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  if (lane < Lane::lanes) part.store(row);
  __syncwarp();
}

/// A row by all lanes of the block; `part` is made for it. All threads call.
template <class Lane, class T>
__device__ __forceinline__ void multiply_by_block(Lane& part, std::int64_t start, std::int64_t end, std::int64_t row,
                                                  T (&partial)[warps][Lane::lanes * Lane::columns]) {
  constexpr int lanes = Lane::lanes;
  constexpr int columns = Lane::columns;
  int const group = static_cast<int>(threadIdx.x) / lanes;
  int const place = static_cast<int>(threadIdx.x) % lanes;
  add_by_groups<threads / lanes>(part, start, end);
  if (threadIdx.x % warp_size < lanes)
#pragma unroll
    for (int v = 0; v < columns; ++v) partial[threadIdx.x / warp_size][v * lanes + place] = part.sum[v];
  __syncthreads();  // the parts of a row are of all warps
  if (group == 0) {
#pragma unroll
    for (int v = 0; v < columns; ++v) {
      part.sum[v] = T{};
      for (int warp = 0; warp < warps; ++warp) part.sum[v] += partial[warp][v * lanes + place];
    }
    part.store(row);
  }
  __syncthreads();  // before the next row's
}

/// Are the rows from `first` on a long group?
template <class T, class Offset>
__device__ __forceinline__ bool is_long_group(ShortArguments<T> const& args, Offset const* offsets, unsigned first) {
  return offsets[min(first + args.group_rows, args.rows)] - offsets[first] > args.long_group;
}
template <class T>
__device__ __forceinline__ bool is_long_group(ShortArguments<T> const& args, unsigned first) {
  return args.wide_offsets ? is_long_group(args, reinterpret_cast<std::int64_t const*>(args.row_offsets), first)
                           : is_long_group(args, args.row_offsets, first);
}

/// Whether blocks at the front take the long rows of the group of this one.
template <class T>
__device__ __forceinline__ bool in_long_group(ShortArguments<T> const& args, unsigned stored) {
  return args.front_blocks > 0 && is_long_group(args, stored - stored % args.group_rows);
}

/// Lanes of a long row, whose sums go from lane to lane: a power of two, of whose last access some have no columns.
template <class Lane>
struct LanesOfLongRow {
  static_assert(std::has_single_bit(static_cast<unsigned>(Lane::lanes)));
  using type = Lane;
};
template <class T, int ACCESSES>
struct LanesOfLongRow<PackLane<T, ACCESSES, 10>> {
  using type = PackLane<T, ACCESSES, 16, 10 * ACCESSES>;
};

/// The block's rows that no lanes have multiplied, one after the other. A call that finds its row again, so that what
/// it takes of registers is not taken of all rows.
template <class T, class Lane>
__device__ __noinline__ void multiply_long_rows(ShortArguments<T> const& args) {
  using Own = OwnRow<T, Lane::lanes>;
  using Part = typename LanesOfLongRow<Lane>::type;
  __shared__ std::int64_t bounds[2][Own::of_block];
  __shared__ unsigned long_rows[warps];
  __shared__ T partial[warps][Part::lanes * Part::columns];
  Own const mine(args);

  bool const owns = mine.is_long && mine.place == 0 && !in_long_group(args, mine.stored);
  unsigned const of_warp = __ballot_sync(~0u, owns);
  if (threadIdx.x % warp_size == 0) long_rows[threadIdx.x / warp_size] = of_warp;
  if (owns) args.find_entries(mine.stored, 1, bounds[0][mine.own], bounds[1][mine.own]);
  __syncthreads();
  for (int w = 0; w < warps; ++w)
    for (unsigned waiting = long_rows[w]; waiting != 0; waiting &= waiting - 1) {
      int const long_row = Own::of_thread(w * warp_size + __ffs(static_cast<int>(waiting)) - 1);
      std::int64_t const row = args.row_of_c(Own::row_of_block(args, long_row));
      Part part(args, args.tile(), Own::spare ? static_cast<int>(threadIdx.x) % Part::lanes : mine.place);
      multiply_by_block(part, bounds[0][long_row], bounds[1][long_row], row, partial);
    }
}

/// Lanes of a slice of columns: 32 bytes, a sector, so that what slices take of rows of B is read once; or the tile
/// where it is no wider.
template <class T, class Lane>
using SliceLane = std::conditional_t<
    Lane::lanes * Lane::columns * sizeof(T) <= slice_bytes, Lane,
    std::conditional_t<Lane::packs, PackLane<T, 1, 2>, WordLane<T, 1, slice_bytes / static_cast<int>(sizeof(T))>>>;

/// The groups of rows that a block at the front looks at: one of each round of as many groups as there are ranges, so
/// that long groups that lie side by side are no block's alone; after some rounds the next range's, so that those that
/// lie a multiple of a round apart are none either.
template <class T>
struct GroupsOfBlock {
  ShortArguments<T> const& args;
  unsigned slice;  // of a tile
  unsigned share;
  unsigned range;
  unsigned ranges;

  __device__ __forceinline__ explicit GroupsOfBlock(ShortArguments<T> const& arguments)
      : args(arguments),
        slice(blockIdx.x % args.slices),
        share(blockIdx.x / args.slices % args.shares),
        range(blockIdx.x / args.slices / args.shares),
        ranges(args.front_blocks / args.slices / args.shares) {}

  /// The first row of the k-th of groups_a_block, or the end of all rows.
  [[nodiscard]] __device__ __forceinline__ unsigned row(unsigned k) const {
    if (k >= args.groups_a_block) return args.rows;
    return min((k * ranges + (range + k / rounds_a_turn) % ranges) * args.group_rows, args.rows);
  }
  /// Is there a long group? All threads call it. Inline, as most blocks do no more than this: code that is called would
  /// be fetched first, a microsecond of products of two.
  [[nodiscard]] __device__ __forceinline__ bool any() const {
    constexpr unsigned at_once = 4;  // groups of a thread, whose offsets are in flight together
    bool found = false;
    auto const look = [&](auto const* offsets) {
      for (unsigned k = threadIdx.x; k - threadIdx.x < args.groups_a_block; k += at_once * threads) {
        bool long_groups[at_once];
#pragma unroll
        for (unsigned i = 0; i < at_once; ++i) long_groups[i] = is_long_group(args, offsets, row(k + i * threads));
#pragma unroll
        for (bool const one : long_groups) found |= one;
      }
    };
    if (args.wide_offsets)
      look(reinterpret_cast<std::int64_t const*>(args.row_offsets));
    else
      look(args.row_offsets);
    return __syncthreads_or(found);
  }
};

/// Long rows of long groups among the groups of the block, in a slice of columns.
template <class T, class Lane>
__device__ __noinline__ void multiply_long_groups(ShortArguments<T> const& args) {
  __shared__ unsigned long_groups[warps];  // of each warp's lanes, those whose group is one
  __shared__ T partial[warps][Lane::lanes * Lane::columns];
  unsigned const thread = threadIdx.x;
  unsigned const lane = thread % warp_size;
  unsigned const warp = thread / warp_size;
  GroupsOfBlock<T> const groups(args);
  int const slice = args.tile() * static_cast<int>(args.slices) + static_cast<int>(groups.slice);
  if (slice >= (args.columns - 1) / (Lane::lanes * Lane::columns) + 1) return;

  unsigned turn = 0;
  for (unsigned k = 0; k < args.groups_a_block; k += threads) {
    unsigned const own = groups.row(k + thread);
    unsigned const of_warp = __ballot_sync(~0u, is_long_group(args, own));
    __syncthreads();  // all have read the long groups before
    if (lane == 0) long_groups[warp] = of_warp;
    __syncthreads();
    for (unsigned w = 0; w < warps; ++w)
      for (unsigned waiting = long_groups[w]; waiting != 0; waiting &= waiting - 1) {
        unsigned const group = groups.row(k + w * warp_size + __ffs(static_cast<int>(waiting)) - 1);
        std::int64_t start;
        int count = 0;  // all warps look at the same rows
        if (lane < args.group_rows && group + lane < args.rows) args.find_entries_of_row(group + lane, start, count);
        unsigned const longer = __ballot_sync(~0u, count > args.longest);
        unsigned const by_block = __ballot_sync(~0u, count > max(args.longest, args.long_group));
        auto const multiply = [&](unsigned rows, auto const& by) {
          int const lowest = __ffs(static_cast<int>(rows)) - 1;
          std::int64_t first;
          std::int64_t last;  // of more entries than an int counts too
          args.find_entries(group + lowest, 1, first, last);
          std::int64_t const row = args.row_of_c(group + lowest);
          Lane part(args, slice, static_cast<int>(thread % Lane::lanes));
          by(part, first, last, row);
        };
        for (unsigned rows = longer & ~by_block; rows != 0; rows &= rows - 1, ++turn)
          if (turn % args.shares == groups.share && turn / args.shares % warps == warp)
            multiply(rows, [](Lane& part, std::int64_t first, std::int64_t last, std::int64_t row) {
              multiply_by_warp(part, first, last, row);
            });
        for (unsigned rows = by_block; rows != 0; rows &= rows - 1, ++turn)
          if (turn % args.shares == groups.share)
            multiply(rows, [&](Lane& part, std::int64_t first, std::int64_t last, std::int64_t row) {
              multiply_by_block(part, first, last, row, partial);
            });
      }
  }
}

template <class T, class Lane>
__global__ void __launch_bounds__(threads, Lane::blocks) short_rows(__grid_constant__ ShortArguments<T> const args) {
  wait_for_predecessor();  // it may have written the matrix
  if (blockIdx.x < args.front_blocks) {
    let_successor_start();
    if (GroupsOfBlock<T>(args).any()) multiply_long_groups<T, SliceLane<T, Lane>>(args);
    return;
  }
  __shared__ WarpShared<T, Lane> handed[warps];
  OwnRow<T, Lane::lanes> const mine(args);
  bool const any_long = __syncthreads_or(mine.is_long);  // here all warps wait for their offsets alone
  Lane lane(args, args.tile(), mine.place);
  add_entries(lane, args, handed[threadIdx.x / warp_size], mine.start, mine.is_long ? 0 : mine.count, mine.place);
  let_successor_start();
  // The row is found late: two registers, for want of which rows of B came one after the other.
  if (mine.there && !mine.is_long) lane.store(args.row_of_c(mine.stored));
  if (any_long) multiply_long_rows<T, Lane>(args);
}

template <class T, class Lane>
void launch(ShortArguments<T> args, std::int64_t nnz, CsrSpmmShortTuning const& tuning, std::int64_t items,
            cudaStream_t stream) {
  std::int64_t const tiles = tiles_of<T>(tuning, args.columns);
  std::int64_t const rows = args.rows;
  std::int64_t const shared_rows = std::int64_t{warp_size / Lane::lanes}
                                   << args.apart;  // rows that 1 << apart warps share
  std::int64_t const row_blocks = (((rows + shared_rows - 1) / shared_rows << args.apart) + warps - 1) / warps;
  if (row_blocks == 0 || tiles == 0) return;
  constexpr char const* name = "araia: csr_spmm_short_rows";
  std::int64_t front_blocks = 0;
  if (args.long_group != no_long_group) {
    using Slice = SliceLane<T, Lane>;
    std::int64_t const slices = (args.columns - 1) / (Slice::lanes * Slice::columns) + 1;
    std::int64_t const slices_of_tile = (slices + tiles - 1) / tiles;
    std::int64_t const blocks_of_group = slices_of_tile * tuning.shares;
    // Groups of rows that have half of a long group's entries in the mean.
    std::int64_t const group = std::clamp<std::int64_t>(args.long_group / 2 / (nnz / rows + 1), 1, most_of_group);
    std::int64_t const groups = (rows + group - 1) / group;
    std::int64_t const all = row_blocks * tiles;
    std::int64_t const wanted = std::clamp<std::int64_t>(
        all / row_blocks_a_front_block, 1, std::max(most_front_blocks_of_few, all / row_blocks_a_front_block_of_many));
    std::int64_t const a_block = std::min((groups * blocks_of_group * tiles - 1) / wanted + 1, groups);
    front_blocks = (groups + a_block - 1) / a_block * blocks_of_group;
    args.slices = static_cast<unsigned>(slices_of_tile);
    args.group_rows = static_cast<unsigned>(group);
    args.groups_a_block = static_cast<unsigned>(a_block);
  }
  unsigned const blocks = grid_blocks(front_blocks + row_blocks, 1, name);
  args.front_blocks = static_cast<unsigned>(front_blocks);
  for (std::int64_t done = 0; done < items; done += most_of_grid) {
    for (std::int64_t tile = 0; tile < tiles; tile += most_of_grid) {
      args.first_tile = static_cast<int>(tile);
      dim3 const grid(blocks, static_cast<unsigned>(std::min(items - done, most_of_grid)),
                      static_cast<unsigned>(std::min(tiles - tile, most_of_grid)));
      launch_overlapped(short_rows<T, Lane>, grid, threads, 0, stream, name, args);
    }
    args.b += most_of_grid * args.b_batch;
    args.c += most_of_grid * args.c_batch;
    args.epilogue.at = args.epilogue.at.item(most_of_grid);
  }
}

/// f<Lane> of the kernel of this shape, or false.
template <class T, class F>
bool with_kernel(CsrSpmmShortTuning const& t, F const& f) {
  bool found = false;
  auto const is = [&]<std::size_t K>() {
    constexpr CsrSpmmShortTuning shape = shapes<T>[K].tuning;
    if (t.lanes != shape.lanes || t.accesses != shape.accesses || t.access != shape.access) return;
    found = true;
    if constexpr (shape.access == ShortRowAccess::words)
      f.template operator()<WordLane<T, shape.accesses, shape.lanes>>();
    else
      f.template operator()<PackLane<T, shape.accesses, shape.lanes>>();
  };
  [&]<std::size_t... K>(std::index_sequence<K...>) { (is.template operator()<K>(), ...); }
  (std::make_index_sequence<shapes<T>.size()>{});
  return found;
}

}  // namespace

template <class T, class Offset>
void csr_spmm_short_rows(CsrPointers<T, std::int32_t, Offset> const& a, T alpha, DenseBatch<T const> const& b, T beta,
                         DenseBatch<T> const& c, EpiloguePointers<T> const& epilogue, CsrSpmmShortTuning const& tuning,
                         cudaStream_t stream) {
  constexpr std::int64_t most_pitch = std::numeric_limits<std::uint32_t>::max() / static_cast<std::int64_t>(sizeof(T));
  if (b.first.row_stride > most_pitch)
    throw Error(ErrorKind::resource_limit, "araia: csr_spmm_short_rows: row stride of B is " +
                                               std::to_string(b.first.row_stride) + ", expected at most " +
                                               std::to_string(most_pitch));
  constexpr std::int64_t most_columns = std::numeric_limits<std::int32_t>::max() / 2;
  if (c.first.columns > most_columns)
    throw Error(ErrorKind::resource_limit, "araia: csr_spmm_short_rows: " + std::to_string(c.first.columns) +
                                               " columns, expected at most " + std::to_string(most_columns));
  constexpr std::int64_t most_rows = std::numeric_limits<std::int32_t>::max();
  if (a.rows > most_rows)
    throw Error(ErrorKind::resource_limit, "araia: csr_spmm_short_rows: " + std::to_string(a.rows) +
                                               " rows, expected at most " + std::to_string(most_rows));
  ShortArguments<T> const args{
      .row_offsets = reinterpret_cast<std::int32_t const*>(a.row_offsets),
      .col_indices = a.col_indices,
      .values = a.values,
      .row_permutation = a.row_permutation,
      .b = b.first.data,
      .c = c.first.data,
      .rows = static_cast<unsigned>(a.rows),
      .c_stride = c.first.row_stride,
      .b_batch = b.stride,
      .c_batch = c.stride,
      .columns = static_cast<int>(c.first.columns),
      .first_tile = 0,
      .b_pitch = static_cast<std::uint32_t>(b.first.row_stride * static_cast<std::int64_t>(sizeof(T))),
      .longest = tuning.longest,
      .apart = std::countr_zero(static_cast<unsigned>(tuning.rows_apart)),
      .wide_offsets = sizeof(Offset) == sizeof(std::int64_t),
      .long_group = tuning.long_group > 0 ? static_cast<int>(std::min<std::int64_t>(tuning.long_group, no_long_group))
                                          : no_long_group,
      .front_blocks = 0,
      .group_rows = 1,
      .groups_a_block = 0,
      .slices = 1,
      .shares = static_cast<unsigned>(tuning.shares),
      .plain = beta == T{} && !epilogue.any(),
      .alpha = alpha,
      .beta = beta,
      .epilogue = {}};
  bool const by_packs = tuning.access == ShortRowAccess::packs;
  bool const known = tuning.longest >= 0 && tuning.long_group >= 0 && tuning.shares >= 1 &&
                     tuning.shares <= most_shares && tuning.rows_apart >= 1 && tuning.rows_apart <= most_apart &&
                     std::has_single_bit(static_cast<unsigned>(tuning.rows_apart)) &&
                     (!by_packs || rows_of_whole_packs(b, c)) && with_kernel<T>(tuning, [&]<class Lane>() {
                       auto with_epilogue = args;
                       with_epilogue.epilogue = StoreEpilogue<T>(epilogue, pack_words<T>);
                       with_epilogue.epilogue.wide &= by_packs;  // packs of R are not those of C elsewhere
                       launch<T, Lane>(with_epilogue, a.nnz, tuning, c.count, stream);
                     });
  if (!known)
    throw Error(
        ErrorKind::invalid_argument,
        "araia: csr_spmm_short_rows: lanes, accesses, longest, long_group, shares, rows_apart are " +
            std::to_string(tuning.lanes) + ", " + std::to_string(tuning.accesses) + ", " +
            std::to_string(tuning.longest) + ", " + std::to_string(tuning.long_group) + ", " +
            std::to_string(tuning.shares) + ", " + std::to_string(tuning.rows_apart) + " of access " +
            std::to_string(static_cast<int>(tuning.access)) +
            ", expected lanes and accesses of csr_spmm_short_shapes, packs only where rows of B and C hold whole "
            "ones, longest and long_group at least 0, shares 1 to " +
            std::to_string(most_shares) + ", rows_apart a power of two up to " + std::to_string(most_apart));
}

[[gnu::used]] static void write_out_csr_spmm_short_rows() {
  using namespace araia::detail;
  for_types<AllReals, AllOffsets>([&]<class T, class F>() { write_out(csr_spmm_short_rows<T, F>); });
}

}  // namespace araia::cuda
