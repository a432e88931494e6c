// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = act(alpha A B + beta C + bias + R), A in CSR with short rows, B and C row-major; LANES lanes own a row and a tile
// of its columns, 32 / LANES rows a warp.
// Mapping  block: 4 warps side by side | warp: 32 / LANES neighbouring rows | lane: PIECES packs of 16 bytes or words,
//          LANES apart; entries of the row a few at a time, whose rows of B are in flight together. No sum over lanes
//          at the end.
//
//            lanes 0..LANES-1    LANES..2 LANES-1   ...      (LANES = 8)
//            row i               row i + 1          row i + 2   row i + 3      each by the same columns
//
//          Rows of B that begin anywhere come by the aligned packs that they lie in (shifted_packs.cuh), a fourth or
//          half of the accesses that words take.
//          Rows of more than `longest` entries go one after the other, by all lanes of the block: step t by
//          the lanes of row t mod 128 / LANES, which add up by shuffles and in shared memory. So a hub's row waits no
//          longer than with four warps of its own.
// Batch    an item is a grid of blocks in gridDim.y.
// Registers up to 72 (packs), 80 (words) and 168 (shifted packs); for rows beyond `longest` shared memory, a tile of
//          columns a warp and 16 bytes a row.
// Traffic  8 (float) or 12 (double) bytes an entry and tile of columns, sizeof(T) * columns an entry from L1 or L2, of
//          shifted rows the rest of their first and last pack too.
// Offsets  of 32 and 64 bits are read as words of 32: half of the kernels.
// Suits    rows of few entries, of which a warp each (csr_spmm_row_per_warp) leaves lanes idle and waits for offsets,
//          columns, B and C of one row at a time.

#include "backends/cuda/csr_spmm_short_rows.hpp"

#include <algorithm>
#include <limits>
#include <string>
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

/// The row of the block that a thread's lanes own.
template <class T, int LANES>
struct OwnRow {
  int own;    // of the block
  int place;  // lane of the row
  std::int64_t stored;
  bool there;
  bool is_long = false;  // longer than its own lanes multiply
  std::int64_t start = 0;
  std::int64_t count = 0;

  __device__ __forceinline__ explicit OwnRow(ShortArguments<T> const& args)
      : own(static_cast<int>(threadIdx.x) / LANES),
        place(static_cast<int>(threadIdx.x) % LANES),
        stored(static_cast<std::int64_t>(blockIdx.x) * (threads / LANES) + own),
        there(stored < args.rows) {
    if (!there) return;
    // Words of offsets: no branch for the two widths.
    std::int32_t const* const at = args.row_offsets + (stored << args.wide_offsets);
    auto const whole = [](std::int32_t low, std::int32_t high) {
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(static_cast<std::uint32_t>(high)) << 32 |
                                       static_cast<std::uint32_t>(low));
    };
    std::int64_t const end = whole(at[1 << args.wide_offsets], args.wide_offsets ? at[3] : 0);
    start = whole(at[0], args.wide_offsets ? at[1] : 0);
    count = end - start;
    is_long = count > args.longest;
  }
};

/// The block's rows that no lanes have multiplied, one after the other by all of its lanes. A call that finds its row
/// again, so that what it takes of registers is not taken of all rows.
template <class T, class Lane>
__device__ __noinline__ void multiply_long_rows(ShortArguments<T> const& args) {
  constexpr int lanes = Lane::lanes;
  constexpr int columns = Lane::columns;
  constexpr int rows_of_block = threads / lanes;
  constexpr int stride = rows_of_block * Lane::entries;
  constexpr std::int64_t counted = std::int64_t{stride} << 16;  // entries of a row that are counted in 32 bits
  __shared__ std::int64_t bounds[2][rows_of_block];
  __shared__ unsigned long_rows[warps];
  __shared__ T partial[warps][lanes * columns];
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  OwnRow<T, lanes> const mine(args);

  bool const owns = mine.is_long && mine.place == 0;
  unsigned const of_warp = __ballot_sync(~0u, owns);
  if (lane == 0) long_rows[warp] = of_warp;
  if (owns) bounds[0][mine.own] = mine.start, bounds[1][mine.own] = mine.start + mine.count;
  __syncthreads();
  for (int w = 0; w < warps; ++w)
    for (unsigned waiting = long_rows[w]; waiting != 0; waiting &= waiting - 1) {
      int const long_row = (w * warp_size + __ffs(static_cast<int>(waiting)) - 1) / lanes;
      std::int64_t const row = args.row_of_c(mine.stored - mine.own + long_row);
      Lane part(args, mine.place, row);
      std::int64_t const end = bounds[1][long_row];
      for (std::int64_t at = bounds[0][long_row] + mine.own * Lane::entries; at < end; at += counted)
        part.add(at, static_cast<int>(min(end - at, counted)), stride);
      part.finish_sums(mine.place);
#pragma unroll
      for (int distance = lanes; distance < warp_size; distance *= 2)
#pragma unroll
        for (int v = 0; v < columns; ++v) part.sum[v] += __shfl_xor_sync(~0u, part.sum[v], distance);
      if (lane < lanes)
#pragma unroll
        for (int v = 0; v < columns; ++v) partial[warp][v * lanes + mine.place] = part.sum[v];
      __syncthreads();  // the parts of a row are of all warps
      if (mine.own == long_row) {
#pragma unroll
        for (int v = 0; v < columns; ++v) {
          part.sum[v] = T{};
          for (int other = 0; other < warps; ++other) part.sum[v] += partial[other][v * lanes + mine.place];
        }
        part.store(row, mine.place);
      }
      __syncthreads();  // before the next row's
    }
}

template <class T, class Lane>
__global__ void __launch_bounds__(threads, Lane::blocks) short_rows(__grid_constant__ ShortArguments<T> const args) {
  wait_for_predecessor();  // it may have written the matrix
  OwnRow<T, Lane::lanes> const mine(args);
  bool const any_long = __syncthreads_or(mine.is_long);  // here all warps wait for their offsets alone
  std::int64_t const row = mine.there ? args.row_of_c(mine.stored) : 0;
  Lane lane(args, mine.place, row);
  if (!mine.is_long) lane.add(mine.start, static_cast<int>(mine.count), Lane::entries);
  let_successor_start();
  lane.finish_sums(mine.place);
  if (mine.there && !mine.is_long) lane.store(row, mine.place);
  if (any_long) multiply_long_rows<T, Lane>(args);
}

template <class T, class Lane>
void launch(ShortArguments<T> args, CsrSpmmShortTuning const& tuning, std::int64_t items, cudaStream_t stream) {
  auto const [tiles, pieces] = tiles_of<T>(tuning, args.columns);
  std::int64_t const row_blocks = (args.rows + threads / Lane::lanes - 1) / (threads / Lane::lanes);
  if (row_blocks == 0 || tiles == 0) return;
  args.tile_pieces = static_cast<int>(pieces);
  constexpr char const* name = "araia: csr_spmm_short_rows";
  unsigned const blocks = grid_blocks(row_blocks, 1, name);
  for (std::int64_t done = 0; done < items; done += most_of_grid) {
    args.b_beyond_pack = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(args.b) % 16);
    args.b_pack = reinterpret_cast<char const*>(args.b) - args.b_beyond_pack;
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
  ShortArguments<T> const args{
      .row_offsets = reinterpret_cast<std::int32_t const*>(a.row_offsets),
      .col_indices = a.col_indices,
      .values = a.values,
      .row_permutation = a.row_permutation,
      .b = b.first.data,
      .b_pack = nullptr,
      .c = c.first.data,
      .rows = a.rows,
      .c_stride = c.first.row_stride,
      .b_batch = b.stride,
      .c_batch = c.stride,
      .columns = static_cast<int>(c.first.columns),
      .first_tile = 0,
      .tile_pieces = 0,
      .b_pitch = static_cast<std::uint32_t>(b.first.row_stride * static_cast<std::int64_t>(sizeof(T))),
      .b_beyond_pack = 0,
      .inner_columns = rows_apart ? static_cast<unsigned>(std::max<std::int64_t>(a.cols - 2, 0)) : 0,
      .longest = tuning.longest,
      .wide_offsets = sizeof(Offset) == sizeof(std::int64_t) ? 1 : 0,
      .alpha = alpha,
      .beta = beta,
      .epilogue = {}};
  bool const by_packs = tuning.access == ShortRowAccess::packs;
  bool const known =
      tuning.longest >= 0 && (!by_packs || rows_of_whole_packs(b, c)) && with_kernel<T>(tuning, [&]<class Lane>() {
        auto with_epilogue = args;
        with_epilogue.epilogue = StoreEpilogue<T>(epilogue, pack_words<T>);
        with_epilogue.epilogue.wide &= by_packs;  // packs of R are not those of C elsewhere
        launch<T, Lane>(with_epilogue, tuning, c.count, stream);
      });
  if (!known)
    throw Error(ErrorKind::invalid_argument,
                "araia: csr_spmm_short_rows: lanes, pieces, longest are " + std::to_string(tuning.lanes) + ", " +
                    std::to_string(tuning.pieces) + ", " + std::to_string(tuning.longest) + " of access " +
                    std::to_string(static_cast<int>(tuning.access)) +
                    ", expected lanes and pieces of csr_spmm_short_shapes, packs only where rows of B and C hold whole "
                    "ones, longest at least 0");
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
