// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = act(alpha A B + beta C + bias + R), A in CSR with short rows, B and C row-major; LANES lanes own a row and a tile
// of its columns, 32 / LANES rows a warp.
// Mapping  block: 4 warps side by side | warp: 32 / LANES neighbouring rows | lane: PIECES packs of 16 bytes or words,
//          LANES apart. The row's lanes read 4 to 32 of its entries at once, the next ones while these are multiplied,
//          and hand them around by shuffles, 2 or 4 at a time, whose rows of B are in flight together. No sum over
//          lanes at the end.
//
//            lanes 0..LANES-1    LANES..2 LANES-1   ...      (LANES = 8)
//            row i               row i + 1          row i + 2   row i + 3      each by the same columns
//
//          Rows of B that begin anywhere come by the aligned packs that they lie in (shifted_packs.cuh), a fourth or
//          half of the accesses that words take.
//          Rows of more than `longest` entries go one after the other, by all lanes of the block: step t by
//          the lanes of row t mod 128 / LANES, which add up by shuffles and in shared memory. So a long row waits no
//          longer than with four warps of its own. Those beyond `hub` are left to blocks of their own, a slice of 32
//          bytes of columns each, so that as many take a hub as its row of C has sectors: they find hubs by looking at
//          the offsets, group of rows by group.
// Batch    an item is a grid of blocks in gridDim.y.
// Registers 48 to 80 (packs), 48 to 64 (words) and 64 to 128 (shifted packs), what rows take by their own lanes: calls
//          for long rows and hubs spill. For rows beyond `longest` shared memory, a tile of columns a warp and 16 bytes
//          a row.
// Traffic  8 (float) or 12 (double) bytes an entry and tile of columns, sizeof(T) * columns an entry from L1 or L2, of
//          shifted rows the rest of their first and last pack too; of hubs A's once a slice.
// Offsets  of 32 and 64 bits are read by one kernel, as all of its threads take one of two ways: half of the kernels.
// Suits    rows of few entries, of which a warp each (csr_spmm_row_per_warp) leaves lanes idle and waits for offsets,
//          columns, B and C of one row at a time.

#include "backends/cuda/csr_spmm_short_rows.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "backends/cuda/check.hpp"
#include "backends/cuda/csr_short_shapes.hpp"
#include "backends/cuda/epilogue.cuh"
#include "backends/cuda/overlap.cuh"
#include "backends/cuda/packs_fit.hpp"
#include "backends/cuda/short_row_lanes.cuh"

namespace araia::cuda {
namespace {

using short_rows_shapes::shapes;
using short_rows_shapes::tiles_of;

constexpr int warp_size = 32;
constexpr int warps = 4;
constexpr int threads = warps * warp_size;
constexpr std::int64_t most_of_grid = 65535;  // items of a batch and tiles of a launch: gridDim.y, z
constexpr std::int64_t slice_bytes = 32;
// Of all tiles, of a matrix whose groups so many blocks can look at: more cost matrices without hubs 1 to 3 us.
constexpr std::int64_t most_hub_blocks = 512;
constexpr std::int64_t most_of_group = 32;          // rows: hubs that lie side by side go one after the other
constexpr std::int64_t row_blocks_a_hub_block = 4;  // at least
constexpr int no_hub = std::numeric_limits<int>::max();

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

  __device__ __forceinline__ explicit OwnRow(ShortArguments<T> const& args)
      : own(static_cast<int>(threadIdx.x / LANES)),
        place(static_cast<int>(threadIdx.x % LANES)),
        stored((blockIdx.x - args.hub_blocks) * (threads / LANES) + threadIdx.x / LANES),
        there(stored < args.rows) {
    if (!there) return;
    args.find_entries_of_row(stored, start, count);
    if (count > args.hub) there = false, count = 0;
    is_long = count > args.longest;
  }
};

/// Adds `count` entries of a row, from `at` on, as many at once as its lanes hold. The next ones are on their way
/// meanwhile. All lanes of the warp call it.
template <class Lane, class T>
__device__ __forceinline__ void add_entries(Lane& lane, ShortArguments<T> const& args, std::int64_t at, int count,
                                            int place) {
  using Held = HeldEntries<T, Lane::lanes>;
  Held held(args, at, count, place);
  while (true) {
    int const n = __reduce_max_sync(~0u, min(count, Held::count));
    if (!__any_sync(~0u, count > Held::count)) return lane.add(held, n);
    at += Held::count;
    count -= Held::count;
    Held const next(args, at, count, place);
    lane.add(held, n);
    held = next;
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

  /// Entries `at` and on, of which `there` are the row's, all if ALL; others have column -1 and value 0.
  template <bool ALL, int COUNT>
  __device__ __forceinline__ void load(std::int64_t at, int there, std::int32_t (&column)[COUNT],
                                       T (&value)[COUNT]) const {
    std::uint64_t const first_column = columns + at * sizeof(std::int32_t);
    std::uint64_t const first_value = values + at * sizeof(T);
#pragma unroll
    for (int i = 0; i < COUNT; ++i) {
      bool const here = ALL || i < there;
      std::int32_t const loaded = load_word_if(here, first_column + i * sizeof(std::int32_t), std::int32_t{});
      column[i] = here ? loaded : -1;
    }
    if (values != 0) {
#pragma unroll
      for (int i = 0; i < COUNT; ++i) value[i] = load_word_if(ALL || i < there, first_value + i * sizeof(T), T{});
    } else {
#pragma unroll
      for (int i = 0; i < COUNT; ++i) value[i] = ALL || i < there ? T{1} : T{};
    }
  }
};

/// A row by all lanes of the block, each lanes' width some entries at a time; `part` is made for it. All threads call.
template <class Lane, class T>
__device__ __forceinline__ void multiply_by_block(Lane& part, std::int64_t start, std::int64_t end, std::int64_t row,
                                                  T (&partial)[warps][Lane::lanes * Lane::columns]) {
  constexpr int lanes = Lane::lanes;
  constexpr int columns = Lane::columns;
  constexpr int few = Lane::at_once_by_block;
  constexpr int stride = threads / lanes * few;
  int const group = static_cast<int>(threadIdx.x) / lanes;
  int const place = static_cast<int>(threadIdx.x) % lanes;
  EntryArrays<T> const a(part.args);
  std::int64_t at = start + group * few;
  std::int32_t column[few];
  T value[few];
#pragma unroll 1
  for (; at + few <= end; at += stride) {
    a.template load<true>(at, few, column, value);
    part.template add_few<true>(column, value);
  }
  if (at < end) {
    a.template load<false>(at, static_cast<int>(end - at), column, value);
    part.template add_few<false>(column, value);
  }
  part.finish_sums(place);
#pragma unroll
  for (int distance = lanes; distance < warp_size; distance *= 2)
#pragma unroll
    for (int v = 0; v < columns; ++v) part.sum[v] += __shfl_xor_sync(~0u, part.sum[v], distance);
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
    part.store(row, place);
  }
  __syncthreads();  // before the next row's
}

/// The block's rows that no lanes have multiplied, one after the other. A call that finds its row again, so that what
/// it takes of registers is not taken of all rows.
template <class T, class Lane>
__device__ __noinline__ void multiply_long_rows(ShortArguments<T> const& args) {
  constexpr int lanes = Lane::lanes;
  constexpr int rows_of_block = threads / lanes;
  __shared__ std::int64_t bounds[2][rows_of_block];
  __shared__ unsigned long_rows[warps];
  __shared__ T partial[warps][lanes * Lane::columns];
  OwnRow<T, lanes> const mine(args);

  bool const owns = mine.is_long && mine.place == 0;
  unsigned const of_warp = __ballot_sync(~0u, owns);
  if (threadIdx.x % warp_size == 0) long_rows[threadIdx.x / warp_size] = of_warp;
  if (owns) args.find_entries(mine.stored, 1, bounds[0][mine.own], bounds[1][mine.own]);
  __syncthreads();
  for (int w = 0; w < warps; ++w)
    for (unsigned waiting = long_rows[w]; waiting != 0; waiting &= waiting - 1) {
      int const long_row = (w * warp_size + __ffs(static_cast<int>(waiting)) - 1) / lanes;
      std::int64_t const row = args.row_of_c(mine.stored - mine.own + long_row);
      Lane part(args, args.tile(), mine.place, row);
      multiply_by_block(part, bounds[0][long_row], bounds[1][long_row], row, partial);
    }
}

/// Lanes of a slice of columns: 32 bytes, a sector, so that what slices take of rows of B is read once.
template <class T, bool PACKS>
using SliceLane = std::conditional_t<PACKS, PackLane<T, 1, 2, false>, WordLane<T, 1, 32 / static_cast<int>(sizeof(T))>>;

/// Rows of more than args.hub entries among some groups of rows, in a slice of columns. A group that has no more
/// entries has no such row.
template <class T, class Lane>
__device__ __noinline__ void multiply_hubs(ShortArguments<T> const& args) {
  __shared__ unsigned groups[warps];  // of each warp's lanes, those whose group has more
  __shared__ unsigned hubs[warps];    // whose row has
  __shared__ T partial[warps][Lane::lanes * Lane::columns];
  int const thread = static_cast<int>(threadIdx.x);
  auto const slices = static_cast<unsigned>(args.slices);
  int const slice = args.tile() * args.slices + static_cast<int>(blockIdx.x % slices);
  if (slice * slice_bytes >= args.columns * std::int64_t{sizeof(T)}) return;
  // Groups far apart: hubs that lie side by side are no block's alone.
  std::int64_t const ranges = args.hub_blocks / slices;
  auto const row_of_group = [&](int k) { return (blockIdx.x / slices + k * ranges) * args.hub_group; };
  auto const find = [&](std::int64_t stored, std::int64_t rows, unsigned(&found)[warps]) {
    std::int64_t start = 0;
    std::int64_t end = 0;
    if (stored < args.rows) args.find_entries(stored, min(rows, args.rows - stored), start, end);
    unsigned const of_warp = __ballot_sync(~0u, end - start > args.hub);
    if (thread % warp_size == 0) found[thread / warp_size] = of_warp;
    __syncthreads();  // found by all warps
  };
  auto const take = [](unsigned& waiting) {  // the lowest
    int const lane = __ffs(static_cast<int>(waiting)) - 1;
    waiting &= waiting - 1;
    return lane;
  };
  let_successor_start();
  find(row_of_group(thread), thread < args.hub_groups ? args.hub_group : 0, groups);
  for (int w = 0; w < warps; ++w)
    for (unsigned waiting = groups[w]; waiting != 0;) {
      std::int64_t const group = row_of_group(w * warp_size + take(waiting));
      find(group + thread, thread < args.hub_group ? 1 : 0, hubs);
      for (int v = 0; v < warps; ++v)
        for (unsigned rows = hubs[v]; rows != 0;) {
          std::int64_t const stored = group + v * warp_size + take(rows);
          std::int64_t start;
          std::int64_t end;
          args.find_entries(stored, 1, start, end);
          std::int64_t const row = args.row_of_c(stored);
          Lane part(args, slice, thread % Lane::lanes, row);
          multiply_by_block(part, start, end, row, partial);
        }
      __syncthreads();  // before the next group's hubs
    }
}

template <class T, class Lane>
__global__ void __launch_bounds__(threads, Lane::blocks) short_rows(__grid_constant__ ShortArguments<T> const args) {
  wait_for_predecessor();  // it may have written the matrix
  if (blockIdx.x < args.hub_blocks) return multiply_hubs<T, SliceLane<T, Lane::packs>>(args);
  OwnRow<T, Lane::lanes> const mine(args);
  bool const any_long = __syncthreads_or(mine.is_long);  // here all warps wait for their offsets alone
  std::int64_t const row = mine.there ? args.row_of_c(mine.stored) : 0;
  Lane lane(args, args.tile(), mine.place, row);
  add_entries(lane, args, mine.start, mine.is_long ? 0 : mine.count, mine.place);
  let_successor_start();
  lane.finish_sums(mine.place);
  if (mine.there && !mine.is_long) lane.store(row, mine.place);
  if (any_long) multiply_long_rows<T, Lane>(args);
}

template <class T, class Lane>
void launch(ShortArguments<T> args, std::int64_t nnz, CsrSpmmShortTuning const& tuning, std::int64_t items,
            cudaStream_t stream) {
  auto const [tiles, pieces] = tiles_of<T>(tuning, args.columns);
  std::int64_t const rows = args.rows;
  std::int64_t const row_blocks = (rows + threads / Lane::lanes - 1) / (threads / Lane::lanes);
  if (row_blocks == 0 || tiles == 0) return;
  args.tile_pieces = static_cast<int>(pieces);
  constexpr char const* name = "araia: csr_spmm_short_rows";
  std::int64_t hub_blocks = 0;
  if (args.hub != no_hub) {
    std::int64_t const slices = (args.columns * static_cast<std::int64_t>(sizeof(T)) + slice_bytes - 1) / slice_bytes;
    args.slices = static_cast<int>((slices + tiles - 1) / tiles);
    // Groups of rows that have half a hub's entries in the mean.
    args.hub_group = static_cast<int>(std::clamp<std::int64_t>(args.hub / 2 / (nnz / rows + 1), 1, most_of_group));
    std::int64_t const groups = (rows + args.hub_group - 1) / args.hub_group;
    std::int64_t const wanted =
        std::clamp<std::int64_t>(row_blocks * tiles / row_blocks_a_hub_block, 1, most_hub_blocks);
    args.hub_groups = static_cast<int>(std::clamp<std::int64_t>((groups * slices - 1) / wanted + 1, 1, threads));
    hub_blocks = (groups + args.hub_groups - 1) / args.hub_groups * args.slices;
  }
  unsigned const blocks = grid_blocks(hub_blocks + row_blocks, 1, name);
  args.hub_blocks = static_cast<unsigned>(hub_blocks);
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
    if (t.lanes != shape.lanes || t.pieces != shape.pieces || t.access != shape.access) return;
    found = true;
    if constexpr (shape.access == ShortRowAccess::words)
      f.template operator()<WordLane<T, shape.pieces, shape.lanes>>();
    else
      f.template operator()<PackLane<T, shape.pieces, shape.lanes, shape.access == ShortRowAccess::shifted>>();
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
  // Packs around a row reach a pack less a word into the rows beside it.
  bool const rows_apart = b.first.row_stride >= std::max<std::int64_t>(c.first.columns, pack_words<T> - 1);
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
      .tile_pieces = 0,
      .b_pitch = static_cast<std::uint32_t>(b.first.row_stride * static_cast<std::int64_t>(sizeof(T))),
      .inner_columns = rows_apart ? static_cast<unsigned>(std::max<std::int64_t>(a.cols - 2, 0)) : 0,
      .longest = std::min(tuning.longest, no_hub - 1),
      .wide_offsets = sizeof(Offset) == sizeof(std::int64_t),
      .hub = tuning.hub > 0 ? static_cast<int>(std::min<std::int64_t>(tuning.hub, no_hub)) : no_hub,
      .hub_blocks = 0,
      .hub_group = 0,
      .hub_groups = 0,
      .slices = 0,
      .plain = beta == T{} && !epilogue.any(),
      .alpha = alpha,
      .beta = beta,
      .epilogue = {}};
  bool const by_packs = tuning.access == ShortRowAccess::packs;
  bool const known = tuning.longest >= 0 && tuning.hub >= 0 && (!by_packs || rows_of_whole_packs(b, c)) &&
                     with_kernel<T>(tuning, [&]<class Lane>() {
                       auto with_epilogue = args;
                       with_epilogue.epilogue = StoreEpilogue<T>(epilogue, pack_words<T>);
                       with_epilogue.epilogue.wide &= by_packs;  // packs of R are not those of C elsewhere
                       launch<T, Lane>(with_epilogue, a.nnz, tuning, c.count, stream);
                     });
  if (!known)
    throw Error(ErrorKind::invalid_argument,
                "araia: csr_spmm_short_rows: lanes, pieces, longest, hub are " + std::to_string(tuning.lanes) + ", " +
                    std::to_string(tuning.pieces) + ", " + std::to_string(tuning.longest) + ", " +
                    std::to_string(tuning.hub) + " of access " + std::to_string(static_cast<int>(tuning.access)) +
                    ", expected lanes and pieces of csr_spmm_short_shapes, packs only where rows of B and C hold whole "
                    "ones, longest and hub at least 0");
}

#define ARAIA_SHORT_ROWS(T, F)                                                                                   \
  template void csr_spmm_short_rows(CsrPointers<T, std::int32_t, F> const&, T, DenseBatch<T const> const&, T,    \
                                    DenseBatch<T> const&, EpiloguePointers<T> const&, CsrSpmmShortTuning const&, \
                                    cudaStream_t);
ARAIA_SHORT_ROWS(float, std::int32_t)
ARAIA_SHORT_ROWS(float, std::int64_t)
ARAIA_SHORT_ROWS(double, std::int32_t)
ARAIA_SHORT_ROWS(double, std::int64_t)

}  // namespace araia::cuda
