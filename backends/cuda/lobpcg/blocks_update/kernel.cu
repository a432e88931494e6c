// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// X = S C, P = S D, A X, A P, B X, B P, residuals, sums of squares; W -= X C. Blocks of vectors are row-major.
// Mapping  grid: a block a multiprocessor, which takes every gridDim.x-th chunk of rows | warps: 16 rows of the chunk,
// a
//          group of the tiles of eight columns | lanes: fragments of the tensor cores; the same coefficients serve S,
//          A S and B S, so that a lane has an element of A X and of X, and thereby of R
// Traffic  every block of vectors read once by cp.async, every result written once, 16 bytes a lane
// Shared   coefficients in the order of fragments, where they fit, else they are read by way of L1; a ring of chunks,
//          rows an odd multiple of 32 bytes apart, so that the eight rows of a fragment meet in no bank
// Hazards  a row's old values are in shared memory, all of them, when a warp writes new ones: copies of a chunk are
//          awaited by the block's barrier, and other chunks are other rows

#include <algorithm>
#include <araia/detail/formats/type_list.hpp>

#include "backends/cuda/lobpcg/blocks_update/kernel.hpp"
#include "backends/cuda/lobpcg/lib/gram_tiles.cuh"

namespace araia::cuda::lobpcg {
namespace {

using araia::detail::lobpcg_most_columns;
using araia::detail::LobpcgSubtract;
using araia::detail::LobpcgUpdate;

constexpr int most_matrices = 3;     // S, A S, B S
constexpr int kinds_of_squares = 3;  // of R, of A X, of X
constexpr int square_entries = kinds_of_squares * lobpcg_most_columns;

// ---- coefficients as fragments ----

/// Small matrices, side by side in tiles of eight columns each.
struct Coefficients {
  double const* at[2] = {};
  int cols[2] = {};
  int tiles[2] = {};
  Columns rows;       // their rows among the columns in shared memory
  int steps = 0;      // of eight rows
  int all_tiles = 0;  // zeros behind the last
  double sign = 1;
  int const* active = nullptr;
  int active_count = 0;
};

/// Lane 4 g + t of fragment (tile, step): rows 8 step + t and + 4, column g.
__global__ void __launch_bounds__(threads) pack(Coefficients const c, double2* fragments, int* positions) {
  int const at = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
  if (positions && at < lobpcg_most_columns) {
    int position = -1;
    for (int k = 0; k < c.active_count; ++k)
      if (c.active[k] == at) position = k;
    positions[at] = position;
  }
  if (at >= c.all_tiles * c.steps * warp_size) return;
  int const lane = at % warp_size;
  int const step = at / warp_size % c.steps;
  int tile = at / warp_size / c.steps;
  int const matrix = tile < c.tiles[0] ? 0 : 1;
  tile -= matrix * c.tiles[0];
  int const col = tile * tile_cols + lane / 4;
  auto const entry = [&](int row) {
    int const k = c.rows.at(row);
    return k >= 0 && col < c.cols[matrix] ? c.sign * c.at[matrix][k * c.cols[matrix] + col] : 0.0;
  };
  int const row = step * chunk_granule + lane % 4;
  fragments[at] = make_double2(entry(row), entry(row + 4));
}

/// sums += rows of a chunk times tiles `first`, first + stride, ... of coefficients; matrices lie `region` columns
/// apart. Lane 4 g + t reads rows g and g + 8, columns t and t + 4 of a step.
template <int tiles, int matrices, class T, int most>
__device__ __forceinline__ void add_products(T const* rows, int pitch, int region, double2 const* fragments, int first,
                                             int stride, int steps, double (&sums)[most][matrices][4]) {
  static_assert(tiles <= most);
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  rows += lane / 4 * pitch + lane % 4;
  fragments += first * steps * warp_size + lane;
#pragma unroll 2
  for (int step = 0; step < steps; ++step) {
    double a[matrices][4];
#pragma unroll
    for (int m = 0; m < matrices; ++m) {
      T const* const from = rows + m * region + step * chunk_granule;
      a[m][0] = static_cast<double>(from[0]);
      a[m][1] = static_cast<double>(from[8 * pitch]);
      a[m][2] = static_cast<double>(from[4]);
      a[m][3] = static_cast<double>(from[8 * pitch + 4]);
    }
#pragma unroll
    for (int k = 0; k < tiles; ++k) {
      double2 const pair = fragments[(k * stride * steps + step) * warp_size];
      double const b[2] = {pair.x, pair.y};
#pragma unroll
      for (int m = 0; m < matrices; ++m) warp_mma(sums[k][m], a[m], b);
    }
  }
}

/// Of a group either `most` tiles or one less.
template <int most, int matrices, class T>
__device__ __forceinline__ void add_group(T const* rows, int pitch, int region, double2 const* fragments, int group,
                                          int groups, int tiles, int steps, double (&sums)[most][matrices][4]) {
  if (group + (most - 1) * groups < tiles)
    add_products<most, matrices>(rows, pitch, region, fragments, group, groups, steps, sums);
  else if constexpr (most > 1)
    add_products<most - 1, matrices>(rows, pitch, region, fragments, group, groups, steps, sums);
}

__device__ __forceinline__ void store_pair(double* to, double first, double second) {
  *reinterpret_cast<double2*>(to) = make_double2(first, second);
}
__device__ __forceinline__ void store_pair(float* to, double first, double second) {
  *reinterpret_cast<float2*>(to) = make_float2(static_cast<float>(first), static_cast<float>(second));
}

/// Two neighbours of a row of `cols`, the first at an even column.
template <class T>
__device__ __forceinline__ void store_columns(Block<T> const& to, std::int64_t row, int col, double first,
                                              double second) {
  if (!to.data || col >= to.cols) return;
  T* const at = to.data + row * to.ld + col;
  if (col + 1 < to.cols)
    store_pair(at, first, second);
  else
    *at = static_cast<T>(first);
}

// ---- update ----

template <class T>
struct UpdateArguments {
  RowChunks chunks;
  int region = 0;  // columns of S, of A S, ...
  int steps = 0;
  int groups = 0;
  int x_tiles = 0;
  int tiles = 0;
  int kx = 0;
  bool packed_in_shared = false;
  bool residuals = false;
  bool squares = false;
  int packed = 0;  // pairs of doubles
  int b_matrix = 0;
  double2 const* fragments = nullptr;
  int const* positions = nullptr;
  double const* theta = nullptr;
  T const* inverse_diagonal = nullptr;
  Block<T> x[most_matrices], p[most_matrices], r;
  double* partials = nullptr;  // (blocks, kinds, 64)
};

constexpr std::size_t head_bytes = lobpcg_most_columns * (sizeof(double) + sizeof(int));

/// What stands in shared memory before the ring.
struct Head {
  double* theta;
  int* positions;
  double2* fragments;
};

__device__ __forceinline__ Head head() {
  Head h;
  h.theta = reinterpret_cast<double*>(shared_bytes());
  h.positions = reinterpret_cast<int*>(h.theta + lobpcg_most_columns);
  h.fragments = reinterpret_cast<double2*>(h.positions + lobpcg_most_columns);
  return h;
}

/// Coefficients to shared memory where they go there, the ring to zeros: columns between blocks stay so. Ends with a
/// barrier.
template <class T>
__device__ __forceinline__ T* fill_shared(RowChunks const& chunks, bool in_shared, int packed,
                                          double2 const*& fragments) {
  double2* const to = head().fragments;
  int const thread = static_cast<int>(threadIdx.x);
  if (in_shared) {
    for (int k = thread; k < packed; k += threads) to[k] = fragments[k];
    fragments = to;
  }
  T* const ring = reinterpret_cast<T*>(to + (in_shared ? packed : 0));
  for (int k = thread; k < chunks.stages * chunks.elements; k += threads) ring[k] = T{};
  return ring;
}

/// A tile's sums of squares: of a lane's two columns.
template <int most>
struct Squares {
  double at[most][kinds_of_squares][2];
};

template <class T, int most, int matrices>
__global__ void __launch_bounds__(threads, 1) update_rows(UpdateArguments<T> const u) {
  RowChunks const& chunks = u.chunks;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const warp_id = static_cast<int>(threadIdx.x) / warp_size;
  int const panels = warps / u.groups;  // of 16 rows
  int const panel = warp_id % panels;
  int const group = warp_id / panels;
  Head const own = head();
  for (int k = static_cast<int>(threadIdx.x); k < lobpcg_most_columns; k += threads) {
    own.theta[k] = u.residuals && k < u.kx ? u.theta[k] : 0;
    own.positions[k] = u.positions[k];
  }
  double2 const* fragments = u.fragments;
  T* const ring = fill_shared<T>(chunks, u.packed_in_shared, u.packed, fragments);
  __syncthreads();
  Squares<most> squares;
#pragma unroll
  for (int k = 0; k < most; ++k)
#pragma unroll
    for (int kind = 0; kind < kinds_of_squares; ++kind) squares.at[k][kind][0] = squares.at[k][kind][1] = 0;

  for_each_chunk(chunks, ring, [&](T const* chunk, std::int64_t number) {
    std::int64_t const first_row = number * chunks.chunk_rows + panel * tile_rows + lane / 4;
    double scale[2] = {1, 1};
    if (u.inverse_diagonal)
#pragma unroll
      for (int below = 0; below < 2; ++below)
        if (first_row + 8 * below < chunks.rows)
          scale[below] = static_cast<double>(u.inverse_diagonal[first_row + 8 * below]);
    double sums[most][matrices][4];
#pragma unroll
    for (int k = 0; k < most; ++k)
#pragma unroll
      for (int m = 0; m < matrices; ++m)
#pragma unroll
        for (int e = 0; e < 4; ++e) sums[k][m][e] = 0;
    add_group<most, matrices>(chunk + panel * tile_rows * chunks.pitch, chunks.pitch, u.region, fragments, group,
                              u.groups, u.tiles, u.steps, sums);
#pragma unroll
    for (int k = 0; k < most; ++k) {
      int const tile = group + k * u.groups;
      if (tile >= u.tiles) continue;
      bool const of_x = tile < u.x_tiles;
      int const col = (of_x ? tile : tile - u.x_tiles) * tile_cols + lane % 4 * 2;
#pragma unroll
      for (int below = 0; below < 2; ++below) {
        std::int64_t const row = first_row + 8 * below;
        if (row >= chunks.rows) continue;
#pragma unroll
        for (int m = 0; m < matrices; ++m)
          store_columns(of_x ? u.x[m] : u.p[m], row, col, sums[k][m][2 * below], sums[k][m][2 * below + 1]);
        if (!of_x || !(u.residuals || u.squares)) continue;
        double residual[2];
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          double const x = sums[k][0][2 * below + e];
          double const ax = sums[k][matrices > 1 ? 1 : 0][2 * below + e];
          double const bx = u.b_matrix == 0 ? x : sums[k][matrices - 1][2 * below + e];
          residual[e] = u.residuals ? fma(-bx, own.theta[col + e], ax) : 0.0;
          squares.at[k][0][e] = fma(residual[e], residual[e], squares.at[k][0][e]);
          squares.at[k][1][e] = fma(ax, ax, squares.at[k][1][e]);
          squares.at[k][2][e] = fma(x, x, squares.at[k][2][e]);
          residual[e] *= scale[below];
        }
        if (!u.r.data) continue;
        int const position = own.positions[col];
        int const next = own.positions[col + 1];
        T* const to = u.r.data + row * u.r.ld;
        if (position >= 0 && position % 2 == 0 && next == position + 1) {
          store_pair(to + position, residual[0], residual[1]);
        } else {
          if (position >= 0) to[position] = static_cast<T>(residual[0]);
          if (next >= 0) to[next] = static_cast<T>(residual[1]);
        }
      }
    }
  });
  if (!u.squares) return;

  // Over the rows of lanes, then of panels: (panel, kind, column) in shared memory.
  double* const shared = reinterpret_cast<double*>(ring);
  for (int k = static_cast<int>(threadIdx.x); k < panels * square_entries; k += threads) shared[k] = 0;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < most; ++k) {
    int const tile = group + k * u.groups;
#pragma unroll
    for (int kind = 0; kind < kinds_of_squares; ++kind)
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        double sum = squares.at[k][kind][e];
#pragma unroll
        for (int lanes = 4; lanes < warp_size; lanes *= 2) sum += __shfl_xor_sync(0xffffffff, sum, lanes);
        if (lane < 4 && tile < u.x_tiles)
          shared[panel * square_entries + kind * lobpcg_most_columns + tile * tile_cols + lane * 2 + e] = sum;
      }
  }
  __syncthreads();
  for (int k = static_cast<int>(threadIdx.x); k < square_entries; k += threads) {
    double sum = shared[k];
    for (int p = 1; p < panels; ++p) sum += shared[p * square_entries + k];
    u.partials[static_cast<std::int64_t>(blockIdx.x) * square_entries + k] = sum;
  }
}

struct SquaresOutput {
  double* to[kinds_of_squares] = {};
  int cols = 0;
};

__global__ void __launch_bounds__(sum_entries* sum_slices)
    sum_squares(double const* partials, int blocks, SquaresOutput output) {
  int const entry = static_cast<int>(blockIdx.x) * sum_entries + static_cast<int>(threadIdx.x) % sum_entries;
  double const sum = sum_over_blocks(partials, blocks, square_entries, entry);
  int const col = entry % lobpcg_most_columns;
  double* const to = output.to[entry / lobpcg_most_columns];
  if (threadIdx.x < sum_entries && to && col < output.cols) to[col] = sum;
}

// ---- subtract ----

template <class T>
struct SubtractArguments {
  RowChunks chunks;
  int w_place = 0;  // first column of W in shared memory
  int steps = 0;
  bool packed_in_shared = false;
  int packed = 0;
  double2 const* fragments = nullptr;
  Block<T> w;
  Jobs jobs;
  double* partials = nullptr;  // null: W'W is not wanted
};

constexpr int subtract_rows = 64;
constexpr int subtract_groups = 4;

template <class T, int cols>
__global__ void __launch_bounds__(threads, 1) subtract_rows_of(SubtractArguments<T> const s) {
  constexpr int most = (cols + subtract_groups - 1) / subtract_groups;
  constexpr int panels = warps / subtract_groups;
  static_assert(panels * tile_rows == subtract_rows);
  constexpr TileSet set = triangle(cols);
  RowChunks const& chunks = s.chunks;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const warp_id = static_cast<int>(threadIdx.x) / warp_size;
  int const panel = warp_id % panels;
  int const group = warp_id / panels;
  int const job = warp_id % s.jobs.count;
  int const depth = warp_id / s.jobs.count;
  double2 const* fragments = s.fragments;
  T* const ring = fill_shared<T>(chunks, s.packed_in_shared, s.packed, fragments);
  __syncthreads();
  TileSums<set.most()> products;
  products.clear();

  for_each_chunk(chunks, ring, [&](T* chunk, std::int64_t number) {
    T* const rows = chunk + panel * tile_rows * chunks.pitch;
    T* const w = rows + s.w_place + lane / 4 * chunks.pitch + lane % 4 * 2;
    std::int64_t const first_row = number * chunks.chunk_rows + panel * tile_rows + lane / 4;
    double sums[most][1][4];
#pragma unroll
    for (int k = 0; k < most; ++k)
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        int const tile = group + k * subtract_groups;
        sums[k][0][e] = tile < cols ? static_cast<double>(w[e / 2 * 8 * chunks.pitch + tile * tile_cols + e % 2]) : 0.0;
      }
    add_group<most, 1>(rows, chunks.pitch, 0, fragments, group, subtract_groups, cols, s.steps, sums);
#pragma unroll
    for (int k = 0; k < most; ++k) {
      int const tile = group + k * subtract_groups;
      if (tile >= cols) continue;
      int const col = tile * tile_cols + lane % 4 * 2;
#pragma unroll
      for (int below = 0; below < 2; ++below) {
        store_pair(w + below * 8 * chunks.pitch + tile * tile_cols, sums[k][0][2 * below], sums[k][0][2 * below + 1]);
        std::int64_t const row = first_row + 8 * below;
        if (row < chunks.rows) store_columns(s.w, row, col, sums[k][0][2 * below], sums[k][0][2 * below + 1]);
      }
    }
    if (!s.partials) return;
    __syncthreads();  // the new W is there
    T const* const v = chunk + s.w_place;
    add_share<true, cols, set.shares>(job, v, v, chunks.pitch, depth, chunks.chunk_rows / chunk_granule, s.jobs.depth,
                                      products);
  });
  if (s.partials) store_partials(products, s.jobs, job, depth, reinterpret_cast<double*>(ring), s.partials);
}

// ---- hosts ----

constexpr char const* update_label = "araia::lobpcg::update";
constexpr char const* subtract_label = "araia::lobpcg::subtract";

constexpr int tiles_of(int columns) { return (columns + tile_cols - 1) / tile_cols; }

/// Places in the workspace, each at a multiple of 16 bytes.
struct Workspace {
  std::size_t fragments = 0, positions = 0, partials = 0, bytes = 0;
};

Workspace workspace_of(int packed, std::size_t partial_bytes_of_all) {
  Workspace w;
  w.positions = static_cast<std::size_t>(packed) * sizeof(double2);
  w.partials = w.positions + lobpcg_most_columns * sizeof(int);
  w.bytes = w.partials + partial_bytes_of_all;
  return w;
}

template <class P>
P at(void* workspace, std::size_t place) {
  return reinterpret_cast<P>(static_cast<unsigned char*>(workspace) + place);
}

void require_workspace(void const* workspace, char const* label) {
  if (workspace == nullptr || !is_aligned(workspace, 16))
    throw Error(ErrorKind::invalid_argument,
                std::string(label) + ": workspace is null or not aligned, expected an address of 16 bytes' alignment");
}

void launch_pack(char const* label, Coefficients const& c, double2* fragments, int* positions, cudaStream_t stream) {
  int const count = std::max(c.all_tiles * c.steps * warp_size, lobpcg_most_columns);
  launch(label, pack, (count + threads - 1) / threads, threads, 0, stream, c, fragments, positions);
}

/// What of shared memory is left to a ring beside coefficients, or without them where two chunks would not fit.
struct Share {
  RowChunks chunks;
  bool packed_in_shared = false;
  std::size_t bytes = 0;
};

template <class T>
Share share_of(ChunkLayout<T> const& layout, int chunk_rows, int packed, Device const& device) {
  Share share;
  std::size_t const coefficients = static_cast<std::size_t>(packed) * sizeof(double2);
  for (bool const inside : {true, false}) {
    std::size_t const before = head_bytes + (inside ? coefficients : 0);
    if (before > device.shared_bytes) continue;
    share.chunks = layout.finish(chunk_rows, device.shared_bytes - before);
    share.packed_in_shared = inside;
    share.bytes = before + static_cast<std::size_t>(share.chunks.stages) *
                               static_cast<std::size_t>(share.chunks.elements) * sizeof(T);
    if (share.chunks.stages >= 2) break;
  }
  return share;
}

void require_room(Share const& share, char const* label) {
  if (share.chunks.stages < 2)
    throw Error(ErrorKind::unsupported,
                std::string(label) + ": the device has too little shared memory a block for rows of that many columns");
}

template <class T>
struct UpdatePlan {
  UpdateArguments<T> arguments;
  Coefficients coefficients;
  Workspace workspace;
  SquaresOutput squares;
  int most = 0;
  int matrices = 0;
  int blocks = 0;
  std::size_t shared = 0;
  bool empty = true;
};

template <class T>
void require(LobpcgUpdate<T> const& u, bool with_a, bool with_b) {
  auto const& basis = u.basis;
  std::string const label = update_label;
  require_rows(basis.rows, update_label);
  if (basis.blocks < 1 || basis.blocks > 3)
    throw Error(ErrorKind::invalid_argument,
                label + ": basis.blocks is " + std::to_string(basis.blocks) + ", expected 1 to 3");
  auto const require_like = [&](Block<T const> const& block, int cols, std::string const& name) {
    require_block(block, basis.rows, name);
    if (block.cols != cols)
      throw Error(ErrorKind::dimension_mismatch,
                  name + " is of " + std::to_string(block.cols) + " columns, expected " + std::to_string(cols));
  };
  for (int k = 0; k < basis.blocks; ++k) {
    std::string const number = "[" + std::to_string(k) + "]";
    require_block(basis.s[k], basis.rows, label + ": basis.s" + number);
    if (with_a) require_like(basis.as[k], basis.s[k].cols, label + ": basis.as" + number);
    if (with_b) require_like(basis.bs[k], basis.s[k].cols, label + ": basis.bs" + number);
  }
  auto const require_width = [&](int width, char const* name) {
    if (width < 0 || width > lobpcg_most_columns)
      throw Error(ErrorKind::invalid_argument,
                  label + ": " + name + " is " + std::to_string(width) + ", expected 0 to 64");
  };
  require_width(u.kx, "kx");
  require_width(u.kp, "kp");
  auto const require_output = [&](Block<T> const& block, int cols, char const* name) {
    if (block.data) require_like({block.data, block.ld, block.cols}, cols, label + ": " + name);
  };
  require_output(u.x, u.kx, "x");
  require_output(u.ax, u.kx, "ax");
  require_output(u.bx, u.kx, "bx");
  require_output(u.p, u.kp, "p");
  require_output(u.ap, u.kp, "ap");
  require_output(u.bp, u.kp, "bp");
  if (u.active_count < 0 || u.active_count > u.kx)
    throw Error(ErrorKind::invalid_argument,
                label + ": active_count is " + std::to_string(u.active_count) + ", expected 0 to kx");
  require_output(u.r, u.active_count, "r");
}

template <class T>
UpdatePlan<T> plan_of(LobpcgUpdate<T> const& u, Device const& device) {
  auto const& basis = u.basis;
  bool has_b = false;  // B is there
  for (int k = 0; k < basis.blocks && k < 3; ++k) has_b = has_b || basis.bs[k].data != nullptr;
  bool const residuals = u.kx > 0 && (u.r.data != nullptr || u.r_squares != nullptr);
  bool const with_a = residuals || u.ax.data != nullptr || u.ap.data != nullptr || u.ax_squares != nullptr;
  bool const with_b = (has_b && residuals) || u.bx.data != nullptr || u.bp.data != nullptr;
  require(u, with_a, with_b);

  UpdatePlan<T> plan;
  UpdateArguments<T>& a = plan.arguments;
  plan.matrices = 1;
  a.x[0] = u.x;
  a.p[0] = u.p;
  Coefficients& c = plan.coefficients;
  ChunkLayout<T> layout(basis.rows);
  c.rows = layout.add(basis.s, basis.blocks);
  c.steps = tiles_of(layout.columns());
  a.steps = c.steps;
  a.region = c.steps * chunk_granule;
  auto const add = [&](Block<T const> const* blocks, Block<T> const& x, Block<T> const& p) {
    int const m = plan.matrices++;
    layout.skip_to(m * a.region);
    layout.add(blocks, basis.blocks);
    a.x[m] = x;
    a.p[m] = p;
  };
  if (with_a) add(basis.as, u.ax, u.ap);
  if (with_b) {
    a.b_matrix = plan.matrices;
    add(basis.bs, u.bx, u.bp);
  }
  layout.skip_to(plan.matrices * a.region);

  c.at[0] = u.c;
  c.at[1] = u.d;
  c.cols[0] = u.kx;
  c.cols[1] = u.kp;
  c.tiles[0] = tiles_of(u.kx);
  c.tiles[1] = tiles_of(u.kp);
  a.x_tiles = c.tiles[0];
  a.tiles = c.tiles[0] + c.tiles[1];
  if (u.r.data != nullptr) {
    c.active = u.active;
    c.active_count = u.active_count;
  }
  a.kx = u.kx;
  a.residuals = residuals;
  a.squares = u.kx > 0 && (u.r_squares || u.ax_squares || u.x_squares);
  a.theta = u.theta;
  a.inverse_diagonal = u.r.data ? u.inverse_diagonal : nullptr;
  a.r = u.r;
  plan.squares = {{u.r_squares, u.ax_squares, u.x_squares}, u.kx};
  plan.empty = a.tiles == 0;
  if (plan.empty) return plan;

  // A tile or two a warp; more groups, of fewer rows, where chunks of more rows do not fit twice.
  a.groups = a.tiles == 1 ? 1 : a.tiles == 2 ? 2 : a.tiles <= 4 ? 4 : 8;
  c.all_tiles = a.tiles;
  a.packed = c.all_tiles * c.steps * warp_size;
  auto const fit = [&] { return share_of(layout, warps / a.groups * tile_rows, a.packed, device); };
  Share share = fit();
  while (share.chunks.stages < 2 && a.groups < warps) {
    a.groups *= 2;
    share = fit();
  }
  if (a.groups < warps && !share.packed_in_shared) {  // rather fewer rows than coefficients from L1
    int const before = a.groups;
    a.groups *= 2;
    Share const other = fit();
    if (other.packed_in_shared && other.chunks.stages >= 2)
      share = other;
    else
      a.groups = before;
  }
  require_room(share, update_label);
  plan.most = (a.tiles + a.groups - 1) / a.groups;
  a.chunks = share.chunks;
  a.packed_in_shared = share.packed_in_shared;
  plan.shared = std::max(share.bytes, head_bytes + (a.packed_in_shared ? sizeof(double2) * a.packed : 0) +
                                          sizeof(double) * square_entries * warps);
  plan.blocks = blocks_for(a.chunks, device);
  plan.workspace = workspace_of(
      a.packed, a.squares ? sizeof(double) * square_entries * static_cast<std::size_t>(device.multiprocessors) : 0);
  return plan;
}

template <class T, int most>
void launch_update(UpdatePlan<T> const& plan, cudaStream_t stream) {
  auto const with = [&](void (*kernel)(UpdateArguments<T>)) {
    launch(update_label, kernel, plan.blocks, threads, plan.shared, stream, plan.arguments);
  };
  switch (plan.matrices) {
    case 1: return with(update_rows<T, most, 1>);
    case 2: return with(update_rows<T, most, 2>);
    default: return with(update_rows<T, most, 3>);
  }
}

template <class T>
struct SubtractPlan {
  SubtractArguments<T> arguments;
  Coefficients coefficients;
  Workspace workspace;
  GramOutput output;
  int cols = 0;
  int blocks = 0;
  std::size_t shared = 0;
  bool empty = true;
};

template <class T>
SubtractPlan<T> plan_of(LobpcgSubtract<T> const& s, Device const& device) {
  std::string const label = subtract_label;
  require_rows(s.rows, subtract_label);
  require_block(s.x, s.rows, label + ": x");
  require_block(s.w, s.rows, label + ": w");
  SubtractPlan<T> plan;
  plan.empty = s.w.cols == 0;
  if (plan.empty) return plan;
  SubtractArguments<T>& a = plan.arguments;
  Coefficients& c = plan.coefficients;
  ChunkLayout<T> layout(s.rows);
  c.rows = layout.add(&s.x, 1);
  c.steps = tiles_of(layout.columns());
  c.at[0] = s.c;
  c.cols[0] = s.w.cols;
  c.sign = -1;
  plan.cols = tiles_of(s.w.cols);
  if (plan.cols == 1 || plan.cols == 7) ++plan.cols;  // for which there is no kernel
  c.tiles[0] = plan.cols;
  c.all_tiles = plan.cols;
  a.steps = c.steps;
  a.w_place = c.steps * chunk_granule;
  layout.skip_to(a.w_place);
  Block<T const> const w{s.w.data, s.w.ld, s.w.cols};
  layout.add(&w, 1);
  layout.skip_to(a.w_place + plan.cols * tile_cols);
  a.packed = c.all_tiles * c.steps * warp_size;
  Share const share = share_of(layout, subtract_rows, a.packed, device);
  require_room(share, subtract_label);
  a.chunks = share.chunks;
  a.packed_in_shared = share.packed_in_shared;
  a.w = s.w;
  GramOutput& out = plan.output;
  out.set = triangle(plan.cols);
  a.jobs = jobs_of(out.set.shares);
  out.jobs = a.jobs.count;
  out.v.blocks = 1;
  out.v.cols[0] = s.w.cols;
  out.w = out.v;
  out.w_cols = s.w.cols;
  out.to[0] = s.ww;
  out.ld = s.w.cols;
  std::size_t const tiles = static_cast<std::size_t>(out.jobs) * static_cast<std::size_t>(out.set.most());
  plan.shared = std::max(share.bytes, head_bytes + (a.packed_in_shared ? sizeof(double2) * a.packed : 0) +
                                          (s.ww ? tiles * tile_size * sizeof(double) : 0));
  plan.blocks = blocks_for(a.chunks, device);
  plan.workspace = workspace_of(a.packed, s.ww ? partial_bytes(device.multiprocessors, out.jobs, out.set.most()) : 0);
  return plan;
}

template <class T>
void launch_subtract(SubtractPlan<T> const& plan, cudaStream_t stream) {
  auto const with = [&](void (*kernel)(SubtractArguments<T>)) {
    launch(subtract_label, kernel, plan.blocks, threads, plan.shared, stream, plan.arguments);
  };
  switch (plan.cols) {
    case 2: return with(subtract_rows_of<T, 2>);
    case 3: return with(subtract_rows_of<T, 3>);
    case 4: return with(subtract_rows_of<T, 4>);
    case 5: return with(subtract_rows_of<T, 5>);
    case 6: return with(subtract_rows_of<T, 6>);
    default: return with(subtract_rows_of<T, 8>);
  }
}

}  // namespace

template <class T>
std::size_t workspace_bytes(LobpcgUpdate<T> const& update) {
  return plan_of(update, device_of("araia::lobpcg::workspace_bytes")).workspace.bytes;
}
template <class T>
std::size_t workspace_bytes(LobpcgSubtract<T> const& subtract) {
  return plan_of(subtract, device_of("araia::lobpcg::workspace_bytes")).workspace.bytes;
}

template <class T>
void update(LobpcgUpdate<T> const& update, void* workspace, cudaStream_t stream) {
  UpdatePlan<T> plan = plan_of(update, device_of(update_label));
  if (plan.empty) return;
  require_workspace(workspace, update_label);
  auto* const fragments = at<double2*>(workspace, plan.workspace.fragments);
  auto* const positions = at<int*>(workspace, plan.workspace.positions);
  launch_pack(update_label, plan.coefficients, fragments, positions, stream);
  plan.arguments.fragments = fragments;
  plan.arguments.positions = positions;
  plan.arguments.partials = at<double*>(workspace, plan.workspace.partials);
  if (plan.most == 1)
    launch_update<T, 1>(plan, stream);
  else
    launch_update<T, 2>(plan, stream);
  if (plan.arguments.squares)
    launch(update_label, sum_squares, square_entries / sum_entries, sum_entries * sum_slices, 0, stream,
           plan.arguments.partials, plan.blocks, plan.squares);
}

template <class T>
void subtract(LobpcgSubtract<T> const& subtract, void* workspace, cudaStream_t stream) {
  SubtractPlan<T> plan = plan_of(subtract, device_of(subtract_label));
  if (plan.empty) return;
  require_workspace(workspace, subtract_label);
  auto* const fragments = at<double2*>(workspace, plan.workspace.fragments);
  launch_pack(subtract_label, plan.coefficients, fragments, nullptr, stream);
  plan.arguments.fragments = fragments;
  plan.arguments.partials = subtract.ww ? at<double*>(workspace, plan.workspace.partials) : nullptr;
  launch_subtract(plan, stream);
  if (subtract.ww) launch_sum(subtract_label, plan.arguments.partials, plan.blocks, plan.output, stream);
}

[[gnu::used]] static void write_out_lobpcg_update() {
  using namespace araia::detail;
  for_types<AllReals>([&]<class T>() {
    write_out<std::size_t(LobpcgUpdate<T> const&)>(workspace_bytes);
    write_out<std::size_t(LobpcgSubtract<T> const&)>(workspace_bytes);
    write_out(update<T>);
    write_out(subtract<T>);
  });
}

}  // namespace araia::cuda::lobpcg
