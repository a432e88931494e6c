// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Products V'W of chunks of rows by the tensor cores of double: tiles of 16 columns of V by 8 of W, shared out among
// the warps of a block, summed over all its chunks in registers, and over blocks by a second kernel. Sums have a fixed
// order.

#include <cstdint>

#include "backends/cuda/launch.cuh"
#include "backends/cuda/lobpcg/lib/row_chunks.cuh"
#include "backends/cuda/warp_mma.cuh"

namespace araia::cuda::lobpcg {

inline constexpr int tile_rows = 16;
inline constexpr int tile_cols = 8;
inline constexpr int tile_size = tile_rows * tile_cols;

struct Tile {
  int row, col;  // in tiles
};

/// Which tiles there are, in what order, and that a share of them is a range of that order. Rectangle: one or
/// two rows of tiles. Triangle: those of the upper one of a symmetric matrix, rows of tiles in pairs of a long and a
/// short one, so that shares of equal length need few columns of V.
struct TileSet {
  bool triangle = false;
  int cols = 0;  // in tiles
  int shares = 1;

  __host__ __device__ constexpr int rows() const { return triangle ? (cols + 1) / 2 : cols <= 4 ? 2 : 1; }
  __host__ __device__ constexpr int first_col(int row) const { return triangle ? 2 * row : 0; }
  /// The row that is number q in the order.
  __host__ __device__ constexpr int row_at(int q) const {
    if (!triangle) return q;
    int const odd = rows() % 2;  // then row 0, the longest, is alone
    if (q < odd) return 0;
    int const pair = (q - odd) / 2;
    return (q - odd) % 2 == 0 ? pair + odd : rows() - 1 - pair;
  }
  __host__ __device__ constexpr int count() const { return rows() * (triangle ? cols + 1 - rows() : cols); }
  __host__ __device__ constexpr int first(int share) const { return share * count() / shares; }
  /// Tiles of a share at most.
  __host__ __device__ constexpr int most() const { return (count() + shares - 1) / shares; }
  __host__ __device__ constexpr Tile tile(int index) const {
    int q = 0;
    for (; index >= cols - first_col(row_at(q)); ++q) index -= cols - first_col(row_at(q));
    return {row_at(q), first_col(row_at(q)) + index};
  }
};

/// Shares of a triangle: eleven tiles a warp at most, whose sums fit into registers.
__host__ __device__ constexpr TileSet triangle(int cols) {
  return {true, cols, cols <= 4 ? 1 : cols <= 8 ? 2 : cols <= 12 ? 4 : cols <= 16 ? 8 : 16};
}
__host__ __device__ constexpr TileSet rectangle(int cols) { return {false, cols, 1}; }

/// The tiles of a share and their places in it, columns ascending: fragments of W are read once, those of V kept.
template <bool is_triangle, int cols, int shares, int share>
struct ShareTiles {
  static constexpr TileSet set{is_triangle, cols, shares};
  static constexpr int first = set.first(share);
  static constexpr int count = set.first(share + 1) - first;
  struct Place {
    int row, col, index;
  };
  struct Places {
    Place at[count > 0 ? count : 1];
  };
  static constexpr Places sorted = [] {
    Places p{};
    int n = 0;
    for (int col = 0; col < cols; ++col)
      for (int k = 0; k < count; ++k) {
        Tile const tile = set.tile(first + k);
        if (tile.col == col) p.at[n++] = {tile.row, col, k};
      }
    return p;
  }();
};

/// How a block's warps share the work on a chunk: `jobs` kinds of it, each done by `depth` warps that take every
/// depth-th step of rows.
struct Jobs {
  int count = 0;
  int depth = 0;
};

constexpr Jobs jobs_of(int count) { return {count, warps / count}; }

template <int tiles>
struct TileSums {
  double at[tiles][4];
  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int k = 0; k < tiles; ++k)
#pragma unroll
      for (int e = 0; e < 4; ++e) at[k][e] = 0;
  }
};

/// A warp's share of V'W over steps first, first + stride, ... of eight rows.
/// Lane 4 g + t reads rows t and t + 4 of a step, columns g of tiles.
template <bool is_triangle, int cols, int shares, int share, class T, int tiles>
__device__ __forceinline__ void add_products(T const* v, T const* w, int pitch, int first, int steps, int stride,
                                             TileSums<tiles>& sums) {
  using Own = ShareTiles<is_triangle, cols, shares, share>;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const at = lane % 4 * pitch + lane / 4;
  v += at;
  w += at;
  for (int step = first; step < steps; step += stride) {
    T const* const v_row = v + step * chunk_granule * pitch;
    T const* const w_row = w + step * chunk_granule * pitch;
    // Loads of several tiles that are the same are one to the compiler.
    static_for<Own::count>([&](auto number) {
      constexpr auto place = Own::sorted.at[decltype(number)::value];
      T const* const v_at = v_row + place.row * tile_rows;
      T const* const w_at = w_row + place.col * tile_cols;
      double const a[4] = {static_cast<double>(v_at[0]), static_cast<double>(v_at[8]),
                           static_cast<double>(v_at[4 * pitch]), static_cast<double>(v_at[4 * pitch + 8])};
      double const b[2] = {static_cast<double>(w_at[0]), static_cast<double>(w_at[4 * pitch])};
      warp_mma(sums.at[place.index], a, b);
    });
  }
}

/// The same by the share's number.
template <bool is_triangle, int cols, int shares, class T, int tiles>
__device__ __forceinline__ void add_share(int share, T const* v, T const* w, int pitch, int first, int steps,
                                          int stride, TileSums<tiles>& sums) {
  static_for<shares>([&](auto number) {
    constexpr int s = decltype(number)::value;
    if (share == s) add_products<is_triangle, cols, shares, s>(v, w, pitch, first, steps, stride, sums);
  });
}

/// The block's sums to `partials` (gridDim.x, jobs, tiles, 32 lanes, 4): those of a job's warps are added one after
/// the other, by way of shared memory that all are through with.
template <int tiles>
__device__ __forceinline__ void store_partials(TileSums<tiles>& sums, Jobs const& jobs, int job, int depth,
                                               double* shared, double* partials) {
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  double2* const mine = reinterpret_cast<double2*>(shared) + (job * tiles * warp_size + lane) * 2;
  for (int turn = 0; turn + 1 < jobs.depth; ++turn) {
    if (depth == turn)
#pragma unroll
      for (int k = 0; k < tiles; ++k)
#pragma unroll
        for (int half = 0; half < 2; ++half)
          mine[k * warp_size * 2 + half] = make_double2(sums.at[k][2 * half], sums.at[k][2 * half + 1]);
    __syncthreads();
    if (depth == turn + 1)
#pragma unroll
      for (int k = 0; k < tiles; ++k)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          double2 const before = mine[k * warp_size * 2 + half];
          sums.at[k][2 * half] = before.x + sums.at[k][2 * half];
          sums.at[k][2 * half + 1] = before.y + sums.at[k][2 * half + 1];
        }
  }
  if (depth != jobs.depth - 1) return;
  double2* const to = reinterpret_cast<double2*>(partials) +
                      ((static_cast<std::int64_t>(blockIdx.x) * jobs.count + job) * tiles * warp_size + lane) * 2;
#pragma unroll
  for (int k = 0; k < tiles; ++k)
#pragma unroll
    for (int half = 0; half < 2; ++half)
      to[k * warp_size * 2 + half] = make_double2(sums.at[k][2 * half], sums.at[k][2 * half + 1]);
}

/// Bytes of partials.
constexpr std::size_t partial_bytes(int blocks, int jobs, int tiles) {
  return sizeof(double) * static_cast<std::size_t>(blocks) * static_cast<std::size_t>(jobs) *
         static_cast<std::size_t>(tiles) * tile_size;
}

/// Where the products of `row` x `column` go.
struct GramOutput {
  TileSet set;
  int jobs = 0;  // product (slowest), rows of tiles, share
  int rows = 1;  // of rectangles below each other
  Columns v;     // of a row of tiles
  Columns w;     // of a column of tiles; numbers of its columns among those of v
  int w_first = 0;
  int w_cols = 0;
  double* to[2] = {};  // of a product: (., .) whole, leading dimension ld, or null
  int ld = 0;
  double* cross = nullptr;  // (cross_rows, w_cols): columns of v below cross_rows; others count from there in `to`
  int cross_rows = 0;

  __device__ void store(int entry, double value) const {
    int const tiles = set.most();
    int const element = entry % 4;
    int const lane = entry / 4 % warp_size;
    int const k = entry / tile_size % tiles;
    int const job = entry / tile_size / tiles;
    int const share = job % set.shares;
    int const below = job / set.shares % rows;
    int const product = job / set.shares / rows;
    if (set.first(share) + k >= set.first(share + 1)) return;
    Tile const tile = set.tile(set.first(share) + k);
    int const i = v.at((below * set.rows() + tile.row) * tile_rows + lane / 4 + element / 2 * 8);
    int const j = w.at(tile.col * tile_cols + lane % 4 * 2 + element % 2);
    if (i < 0 || j < 0) return;
    if (i < cross_rows) {
      if (cross) cross[i * w_cols + j - w_first] = value;
      return;
    }
    if (i >= w_first && i < w_first + w_cols && i > j) return;  // its mirror image is here as well
    double* const matrix = to[product];
    if (!matrix) return;
    matrix[(i - cross_rows) * ld + j - cross_rows] = value;
    matrix[(j - cross_rows) * ld + i - cross_rows] = value;
  }
};

inline constexpr int sum_entries = 32;  // of a block that sums partials
inline constexpr int sum_slices = 8;

/// The sum over blocks of partials (blocks, entries), whole where slice == 0: each slice takes every eighth of them,
/// then slices are added in order. By all threads of the block; `entry` may be beyond the last.
__device__ __forceinline__ double sum_over_blocks(double const* partials, int blocks, int entries, int entry) {
  __shared__ double slices[sum_slices][sum_entries];
  int const slice = static_cast<int>(threadIdx.x) / sum_entries;
  int const lane = static_cast<int>(threadIdx.x) % sum_entries;
  double sum = 0;
  if (entry < entries)
#pragma unroll 4
    for (int block = slice; block < blocks; block += sum_slices)
      sum += partials[static_cast<std::int64_t>(block) * entries + entry];
  slices[slice][lane] = sum;
  __syncthreads();
  if (slice == 0)
#pragma unroll
    for (int k = 1; k < sum_slices; ++k) sum += slices[k][lane];
  return sum;
}

static __global__ void __launch_bounds__(sum_entries* sum_slices)
    sum_gram(double const* partials, int blocks, int entries, GramOutput output) {
  int const entry = static_cast<int>(blockIdx.x) * sum_entries + static_cast<int>(threadIdx.x) % sum_entries;
  double const sum = sum_over_blocks(partials, blocks, entries, entry);
  if (threadIdx.x < sum_entries && entry < entries) output.store(entry, sum);
}

inline void launch_sum(char const* label, double const* partials, int blocks, GramOutput const& output,
                       cudaStream_t stream) {
  int const entries = output.jobs * output.set.most() * tile_size;
  launch(label, sum_gram, (entries + sum_entries - 1) / sum_entries, sum_entries * sum_slices, 0, stream, partials,
         blocks, entries, output);
}

}  // namespace araia::cuda::lobpcg
