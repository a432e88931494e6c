// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = act(alpha A B + beta C + bias + R), A in CSR with short rows, B and C row-major; LANES lanes own a row and
// LANES * V of its columns, 32 / LANES rows a warp.
// Mapping  block: 4 warps side by side | warp: 32 / LANES neighbouring rows | lane: V columns, entries of the row in
//          steps of eight, whose rows of B are in flight together. No sum over lanes at the end.
//
//            lanes 0..LANES-1    LANES..2 LANES-1   ...      (LANES = 8)
//            row i               row i + 1          row i + 2   row i + 3      each by the same columns
//
//          Rows of more than `longest` entries go one after the other, by all lanes of the block: step t by
//          the lanes of row t mod 128 / LANES, which add up by shuffles and in shared memory. So a hub's row waits no
//          longer than with four warps of its own.
// Batch    an item is a grid of blocks in gridDim.y.
// Registers 40 to 48 (packs of float), 48 to 56 (of double), 48 to 166 (words); shared memory LANES * V * sizeof(T) a
//          warp and 16 bytes a row.
// Traffic  8 (float) or 12 (double) bytes an entry and tile of columns, sizeof(T) * columns an entry from L1 or L2.
// Offsets  are read as they are, of 32 or 64 bits by a branch that all threads take alike: half of the kernels.
// Suits    rows of few entries, of which a warp each (csr_spmm_row_per_warp) leaves lanes idle and waits for offsets,
//          columns, B and C of one row at a time.

#include "backends/cuda/csr_spmm_short_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "backends/cuda/check.hpp"
#include "backends/cuda/csr_spmm_store.cuh"
#include "backends/cuda/epilogue.cuh"
#include "backends/cuda/overlap.cuh"
#include "backends/cuda/packs_fit.hpp"
#include "backends/cuda/row_pieces.cuh"

namespace araia::cuda {
namespace {

constexpr int warp_size = 32;
constexpr int warps = 4;
constexpr int threads = warps * warp_size;
constexpr int octet = 8;                    // entries read at once: so many rows of B are in flight
constexpr std::int64_t longest = 64;        // entries of a row that its own lanes multiply
constexpr std::int64_t most_items = 65535;  // of a batch, of a launch: gridDim.y

template <class T>
struct ShortArguments {
  void const* row_offsets;
  std::int32_t const* col_indices;
  T const* values;  // or null: ones
  std::int32_t const* row_permutation;
  T const* b;
  T* c;
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t c_stride;  // elements
  std::int64_t b_batch;   // elements from one item's B to the next's
  std::int64_t c_batch;
  std::uint32_t b_pitch;  // bytes
  unsigned row_blocks;
  T alpha;
  T beta;
  bool wide_offsets;
  StoreEpilogue<T> epilogue;

  [[nodiscard]] __device__ __forceinline__ std::int64_t offset(std::int64_t row) const {
    return wide_offsets ? static_cast<std::int64_t const*>(row_offsets)[row]
                        : static_cast<std::int32_t const*>(row_offsets)[row];
  }
};

/// Adds entries at, ..., at + 7, at + step, ... of a row that ends at `end` to the sums of this lane's columns. Columns
/// that come a step ahead cost more registers than they save: 1.1 to 1.3 times the time of 7 points.
template <int LANES, bool VECTOR, class T, int V>
__device__ __forceinline__ void add_entries(ShortArguments<T> const& args, char const* base, std::int64_t at,
                                            std::int64_t end, int step, std::int64_t columns_left, T (&sum)[V]) {
  if (columns_left <= 0) return;
  for (; at < end; at += step) {
    std::int32_t column[octet];
#pragma unroll
    for (int i = 0; i < octet; ++i) column[i] = at + i < end ? args.col_indices[at + i] : -1;
    T value[octet];
#pragma unroll
    for (int i = 0; i < octet; ++i) value[i] = at + i < end ? (args.values ? args.values[at + i] : T{1}) : T{};
    RowPiece<T, V> b[octet];
#pragma unroll
    for (int i = 0; i < octet; ++i)
      b[i] =
          column[i] >= 0 ? load_b<T, V, VECTOR>(base, args.b_pitch, column[i], LANES, columns_left) : RowPiece<T, V>{};
#pragma unroll
    for (int i = 0; i < octet; ++i)
#pragma unroll
      for (int v = 0; v < V; ++v) sum[v] += value[i] * b[i].value[v];
  }
}

template <class T, int V, int LANES, bool VECTOR>
__global__ void __launch_bounds__(threads) short_rows(ShortArguments<T> const args) {
  constexpr int tile = LANES * V;
  constexpr int rows_of_block = threads / LANES;
  __shared__ std::int64_t bounds[2][rows_of_block];
  __shared__ unsigned long_rows[warps];
  __shared__ T partial[warps][tile];

  int const thread = static_cast<int>(threadIdx.x);
  int const warp = thread / warp_size;
  int const lane = thread % warp_size;
  int const own = thread / LANES;  // row of the block
  int const place = lane % LANES;
  unsigned const column_tile = blockIdx.x / args.row_blocks;
  std::int64_t const stored_row =
      static_cast<std::int64_t>(blockIdx.x - column_tile * args.row_blocks) * rows_of_block + own;
  std::int64_t const first_column = static_cast<std::int64_t>(column_tile) * tile + place * (VECTOR ? V : 1);
  std::int64_t const columns_left = args.columns - first_column;
  bool const has_row = stored_row < args.rows;

  wait_for_predecessor();  // it may have written the matrix
  std::int64_t const start = has_row ? args.offset(stored_row) : 0;
  std::int64_t const end = has_row ? args.offset(stored_row + 1) : 0;
  auto const* const base = reinterpret_cast<char const*>(args.b + blockIdx.y * args.b_batch + first_column);
  bool const is_long = end - start > longest;
  T sum[V] = {};
  if (!is_long) add_entries<LANES, VECTOR>(args, base, start, end, octet, columns_left, sum);
  let_successor_start();

  if (__syncthreads_or(is_long)) {
    unsigned const of_warp = __ballot_sync(~0u, is_long && place == 0);
    if (lane == 0) long_rows[warp] = of_warp;
    if (is_long && place == 0) bounds[0][own] = start, bounds[1][own] = end;
    __syncthreads();
    for (int w = 0; w < warps; ++w)
      for (unsigned waiting = long_rows[w]; waiting != 0; waiting &= waiting - 1) {
        int const row = (w * warp_size + __ffs(static_cast<int>(waiting)) - 1) / LANES;
        T part[V] = {};
        add_entries<LANES, VECTOR>(args, base, bounds[0][row] + own * octet, bounds[1][row], rows_of_block * octet,
                                   columns_left, part);
#pragma unroll
        for (int offset = LANES; offset < warp_size; offset *= 2)
#pragma unroll
          for (int v = 0; v < V; ++v) part[v] += __shfl_xor_sync(~0u, part[v], offset);
        if (lane < LANES)
#pragma unroll
          for (int v = 0; v < V; ++v) partial[warp][v * LANES + place] = part[v];
        __syncthreads();  // the parts of a row are of all warps
        if (own == row)
          for (int other = 0; other < warps; ++other)
#pragma unroll
            for (int v = 0; v < V; ++v) sum[v] += partial[other][v * LANES + place];
        __syncthreads();  // before the next row's
      }
  }

  if (!has_row || columns_left <= 0) return;
  std::int64_t const row = args.row_permutation ? args.row_permutation[stored_row] : stored_row;
  store_columns<VECTOR>(args, row, first_column, columns_left, LANES, sum);
}

template <class T, int V, int LANES, bool VECTOR>
void launch(ShortArguments<T> args, std::int64_t items, cudaStream_t stream) {
  std::int64_t const tiles = (args.columns + LANES * V - 1) / (LANES * V);
  std::int64_t const row_blocks = (args.rows + threads / LANES - 1) / (threads / LANES);
  if (row_blocks == 0 || tiles == 0) return;
  args.row_blocks = static_cast<unsigned>(row_blocks);
  constexpr char const* name = "araia: csr_spmm_short_rows";
  unsigned const blocks = grid_blocks(row_blocks * tiles, 1, name);
  for (std::int64_t done = 0; done < items; done += most_items) {
    dim3 const grid(blocks, static_cast<unsigned>(std::min(items - done, most_items)));
    launch_overlapped(short_rows<T, V, LANES, VECTOR>, grid, threads, 0, stream, name, args);
    args.b += most_items * args.b_batch;
    args.c += most_items * args.c_batch;
    args.epilogue.at = args.epilogue.at.item(most_items);
  }
}

template <class T>
constexpr int pack = 16 / static_cast<int>(sizeof(T));

// Shapes of words, and what a full tile of columns took, in us: 7 points, 195112 rows, H100. They are those that some
// number of columns is fastest with, there or on 27 points or a power grid.
struct Shape {
  CsrSpmmShortTuning tuning;
  double time;
};
template <class T>
constexpr auto word_shapes = std::to_array<Shape>({{{2, 1}, 5.9},
                                                   {{2, 3}, 9.5},
                                                   {{4, 2}, 12.6},
                                                   {{4, 3}, 16.4},
                                                   {{4, 4}, 23.8},
                                                   {{8, 2}, 26.5},
                                                   {{4, 5}, 29},
                                                   {{8, 3}, 37},
                                                   {{8, 4}, 47.5},
                                                   {{8, 5}, 50.5},
                                                   {{8, 6}, 63},
                                                   {{16, 4}, 80},
                                                   {{16, 5}, 95},
                                                   {{16, 6}, 115},
                                                   {{32, 6}, 225}});
template <>
constexpr auto word_shapes<double> = std::to_array<Shape>({{{2, 1}, 7},
                                                           {{4, 1}, 12},
                                                           {{2, 3}, 18.5},
                                                           {{4, 2}, 24},
                                                           {{4, 3}, 36.5},
                                                           {{8, 2}, 44.5},
                                                           {{8, 3}, 66},
                                                           {{16, 2}, 83},
                                                           {{16, 3}, 125},
                                                           {{32, 3}, 240},
                                                           {{32, 6}, 350}});

// Likewise of packs by 1, 2, 4, 8, 16 and 32 lanes, in no unit.
constexpr double pack_times[] = {1.54, 2.4, 5.24, 9.44, 17.1, 32};

constexpr double another_tile = 1.12;  // times as long where A is read more than once
// Tiles that a shape of 1, 2, 4, 8, 16 and 32 lanes may take: the narrower they are, the more sectors of B's rows they
// read twice. 7 points by 35 and 36 columns of f32: 50 us by 8 lanes of 5 words, 178 by tiles of 1 lane of packs.
constexpr std::int64_t any_tiles = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t most_tiles_of_packs[] = {1, 1, 3, 5, 6, any_tiles};
constexpr std::int64_t most_tiles_of_words[] = {1, 1, 1, 2, 4, any_tiles};
// Entries a row in the mean: more take 1.2 times as long by 4 lanes of many words as by 8 of few.
constexpr std::int64_t shortest_row = 8;
constexpr std::int64_t words_of_a_warp[] = {97, 128};  // columns that row_per_warp takes in one tile of floats

/// f<V, LANES, VECTOR> of the kernel of this shape, or false.
template <class T, class F>
bool with_kernel(CsrSpmmShortTuning const& t, bool whole, F const& f) {
  bool found = false;
  auto const is = [&]<int V, int LANES, bool VECTOR>() {
    if (found || t.lanes != LANES || t.vector != V || VECTOR != (whole && t.vector == pack<T>)) return;
    found = true;
    f.template operator()<V, LANES, VECTOR>();
  };
  [&]<int... K>(std::integer_sequence<int, K...>) { (is.template operator()<pack<T>, (1 << K), true>(), ...); }
  (std::make_integer_sequence<int, static_cast<int>(std::size(pack_times))>{});
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    (is.template operator()<word_shapes<T>[K].tuning.vector, word_shapes<T>[K].tuning.lanes, false>(), ...);
  }
  (std::make_index_sequence<word_shapes<T>.size()>{});
  return found;
}

template <class T>
CsrSpmmShortTuning tuning_of(std::int64_t rows, std::int64_t nnz, std::int64_t columns, bool whole) {
  bool const shortest = nnz <= shortest_row * rows;
  if (!whole && !shortest && sizeof(T) == sizeof(float) && columns >= words_of_a_warp[0] &&
      columns <= words_of_a_warp[1])
    return {};
  CsrSpmmShortTuning best;
  double least = std::numeric_limits<double>::infinity();
  auto const consider = [&](CsrSpmmShortTuning const& t, double time) {
    std::int64_t const tile = std::int64_t{t.lanes} * t.vector;
    std::int64_t const tiles = (columns + tile - 1) / tile;
    if (tiles > (whole ? most_tiles_of_packs : most_tiles_of_words)[std::countr_zero(static_cast<unsigned>(t.lanes))])
      return;
    double const all = time * static_cast<double>(tiles) * (tiles > 1 ? another_tile : 1);
    if (all < least) least = all, best = t;
  };
  if (whole) {
    for (std::size_t k = 0; k < std::size(pack_times); ++k) consider({1 << k, pack<T>}, pack_times[k]);
  } else {
    for (auto const& shape : word_shapes<T>)
      if (shortest || shape.tuning.lanes != 4 || shape.tuning.vector < 4) consider(shape.tuning, shape.time);
  }
  return best;
}

}  // namespace

CsrSpmmShortTuning csr_spmm_short_tuning(std::int64_t rows, std::int64_t nnz, std::int64_t columns,
                                         std::size_t scalar_bytes, bool whole) {
  return scalar_bytes == sizeof(float) ? tuning_of<float>(rows, nnz, columns, whole)
                                       : tuning_of<double>(rows, nnz, columns, whole);
}

std::vector<CsrSpmmShortTuning> csr_spmm_short_shapes(std::size_t scalar_bytes, bool whole) {
  std::vector<CsrSpmmShortTuning> all;
  auto const add = [&](auto const& shapes) {
    for (auto const& shape : shapes) all.push_back(shape.tuning);
  };
  if (whole)
    for (std::size_t k = 0; k < std::size(pack_times); ++k)
      all.push_back({1 << k, static_cast<int>(16 / scalar_bytes)});
  else if (scalar_bytes == sizeof(float))
    add(word_shapes<float>);
  else
    add(word_shapes<double>);
  return all;
}

template <class T>
bool rows_of_whole_packs(DenseBatch<T const> const& b, DenseBatch<T> const& c) {
  return packs_fit(b, c, pack<T>);
}

template <class T, class Offset>
void csr_spmm_short_rows(CsrPointers<T, std::int32_t, Offset> const& a, T alpha, DenseBatch<T const> const& b, T beta,
                         DenseBatch<T> const& c, EpiloguePointers<T> const& epilogue, CsrSpmmShortTuning const& tuning,
                         cudaStream_t stream) {
  ShortArguments<T> const args{
      .row_offsets = a.row_offsets,
      .col_indices = a.col_indices,
      .values = a.values,
      .row_permutation = a.row_permutation,
      .b = b.first.data,
      .c = c.first.data,
      .rows = a.rows,
      .columns = c.first.columns,
      .c_stride = c.first.row_stride,
      .b_batch = b.stride,
      .c_batch = c.stride,
      .b_pitch = static_cast<std::uint32_t>(b.first.row_stride * static_cast<std::int64_t>(sizeof(T))),
      .row_blocks = 0,
      .alpha = alpha,
      .beta = beta,
      .wide_offsets = sizeof(Offset) == sizeof(std::int64_t),
      .epilogue = {}};
  bool const known = with_kernel<T>(tuning, rows_of_whole_packs(b, c), [&]<int V, int LANES, bool VECTOR>() {
    auto with_epilogue = args;
    with_epilogue.epilogue = StoreEpilogue<T>(epilogue, V);
    launch<T, V, LANES, VECTOR>(with_epilogue, c.count, stream);
  });
  if (!known)
    throw Error(ErrorKind::invalid_argument, "araia: csr_spmm_short_rows: lanes, vector are " +
                                                 std::to_string(tuning.lanes) + ", " + std::to_string(tuning.vector) +
                                                 ", expected one of csr_spmm_short_shapes: 16 bytes of columns a lane "
                                                 "where rows of B and C hold whole packs of "
                                                 "them, else words");
}

#define ARAIA_SHORT_ROWS(T, F)                                                                                   \
  template void csr_spmm_short_rows(CsrPointers<T, std::int32_t, F> const&, T, DenseBatch<T const> const&, T,    \
                                    DenseBatch<T> const&, EpiloguePointers<T> const&, CsrSpmmShortTuning const&, \
                                    cudaStream_t);
ARAIA_SHORT_ROWS(float, std::int32_t)
ARAIA_SHORT_ROWS(float, std::int64_t)
ARAIA_SHORT_ROWS(double, std::int32_t)
ARAIA_SHORT_ROWS(double, std::int64_t)
template bool rows_of_whole_packs(DenseBatch<float const> const&, DenseBatch<float> const&);
template bool rows_of_whole_packs(DenseBatch<double const> const&, DenseBatch<double> const&);

}  // namespace araia::cuda
