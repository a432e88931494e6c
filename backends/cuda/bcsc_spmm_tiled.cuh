// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C, A in BCSC, B and C row-major; a thread block owns up to 128 rows of a block and a tile of
// columns; producer warps bring 32 block columns at a time to shared memory, consumer warps multiply them there.
// Mapping  cluster: a row window x a tile of columns; its thread blocks take parts of the block columns and add up
//          through shared memory in the order of their ranks | producer warp: whole chunks of 32 block columns, their
//          rows of B by cp.async | consumer warp: 32 / LANES groups of R rows; a lane: V columns of all its rows
//
//            chunk         columns k0 .. k31 of A            rows of B that they meet
//            stage         values (32 + 1, rows)             (32 + 1, LANES V)      the last one of each is zero
//                          masks (rows): which k a row has
//
//          A chunk with many entries is multiplied whole, as an outer product a column; in one with few, each row goes
//          over the set bits of its mask, two at a time. With `split` the dense columns of a block come first, so a
//          block changes from the one way to the other once: the hybrid product in one launch.
//          Of the compact form a producer makes offsets from counts: it sums those of the chunks that others take.
// Traffic  8 (float) or 12 (double) bytes an entry and 8 a block column, compact 5 or 9 and 3 (5 with wide columns; a
//          byte for every other producer's), a row of B a block column, all for each tile of columns; shared memory: V
//          + 1 words a lane and entry, or V + R a lane and column where chunks are dense.
// Suits    tall blocks that fill most of their columns: 0.6 to 0.98 sparsity.

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "backends/cuda/bcsc_blocks.cuh"
#include "backends/cuda/bcsc_spmm_tiled.hpp"
#include "backends/cuda/check.hpp"
#include "backends/cuda/clusters.cuh"
#include "backends/cuda/exact_rows.cuh"
#include "backends/cuda/mbarriers.cuh"
#include "backends/cuda/overlap.cuh"
#include "backends/cuda/shared_memory.hpp"

namespace araia::cuda {
namespace {

using bcsc::warp_size;
using bcsc::whole_warp;

constexpr int depth = bcsc_tiled_depth;
constexpr int most_stages = bcsc_tiled_most_stages;  // a producer warp each
constexpr int most_rows = bcsc_tiled_window;
constexpr int most_parts = 8;  // thread blocks of a cluster

template <class T>
struct TiledArguments {
  bcsc::Arguments<T> m;
  std::int64_t windows;  // of a block
  unsigned all_windows;  // blocks * windows
  int window_rows;
  int consumers;
  int stages;
  int parts;
  std::int64_t dense_from;  // entries of a whole chunk from which on it is multiplied whole
};

template <class T, int LANES, int V, int R>
struct Shape {
  static constexpr int groups = warp_size / LANES;
  static constexpr int columns = LANES * V;
  static constexpr int pack = 16 / static_cast<int>(sizeof(T));  // columns of a load
  static constexpr int packs = V / pack;
  static constexpr int rows_a_warp = groups * R;
  static constexpr int most_consumers = most_rows / rows_a_warp;
  static constexpr int threads = (most_consumers + most_stages) * warp_size;
  static constexpr int row_bytes = columns * static_cast<int>(sizeof(T));
  static constexpr int b_bytes = (depth + 1) * row_bytes;
  static_assert(V % pack == 0 && most_consumers >= 1);
};

/// Where a stage keeps what; `rows` of the window, padded to whole warps.
template <class S, class T>
struct Stage {
  int rows;
  __host__ __device__ __forceinline__ int a() const { return S::b_bytes; }
  __host__ __device__ __forceinline__ int masks() const {
    return a() + (depth + 1) * rows * static_cast<int>(sizeof(T));
  }
  __host__ __device__ __forceinline__ int info() const { return masks() + rows * 4; }
  __host__ __device__ __forceinline__ int bytes() const {
    return bcsc_tiled_stage_bytes(S::row_bytes, rows, static_cast<int>(sizeof(T)));
  }
};
constexpr int barrier_bytes = bcsc_tiled_barriers;  // two barriers a stage, before the first stage

/// The chunks of a block: those before its split, then the others; `rank` of the cluster takes its part of them.
struct Chunks {
  std::int64_t first;
  std::int64_t middle;
  std::int64_t last;
  int early;  // chunks before the middle
  int begin;
  int count;
  __device__ __forceinline__ void get(int i, std::int64_t& from, std::int64_t& to) const {
    int const chunk = begin + i;
    bool const is_early = chunk < early;
    from = is_early ? first + static_cast<std::int64_t>(chunk) * depth
                    : middle + static_cast<std::int64_t>(chunk - early) * depth;
    std::int64_t const end = is_early ? middle : last;
    to = from + depth < end ? from + depth : end;
  }
};

template <class T>
__device__ __forceinline__ Chunks chunks_of(TiledArguments<T> const& args, std::int64_t block, int rank) {
  Chunks c;
  c.first = args.m.first_column(block);
  c.last = args.m.first_column(block + 1);
  c.middle = args.m.split ? args.m.offset(args.m.split, block) : c.first;
  c.early = static_cast<int>((c.middle - c.first + depth - 1) / depth);
  std::int64_t const all = c.early + (c.last - c.middle + depth - 1) / depth;
  c.begin = static_cast<int>(all * rank / args.parts);
  c.count = static_cast<int>(all * (rank + 1) / args.parts) - c.begin;
  return c;
}

/// Fills stage `stage` with every args.stages-th chunk.
template <bcsc::Form FORM, class T, class S, bool WIDE>
__device__ __forceinline__ void produce(TiledArguments<T> const& args, char* stages, unsigned barriers,
                                        Stage<S, T> const layout, Chunks const& chunks, std::int64_t block, int low,
                                        int high, std::int64_t column0, int stage, int lane) {
  constexpr int ahead = 4;  // batches of entries on their way
  auto const& m = args.m;
  bcsc::Walk<FORM, T> walk(m, block, chunks.first);
  auto const load = [&](int i) {
    std::int64_t from, to;
    chunks.get(i, from, to);
    return walk.load(m, from, to, lane);
  };
  // A stage has one producer: the barrier's two phases tell it whether the chunk before the next is consumed.
  unsigned const full = barriers + stage * 16;
  char* const at = stages + stage * layout.bytes();
  T* const a = reinterpret_cast<T*>(at + layout.a());
  auto* const masks = reinterpret_cast<unsigned*>(at + layout.masks());
  bcsc::ColumnSpan next{};
  if (stage < chunks.count) next = load(stage);
  for (int i = stage; i < chunks.count; i += args.stages) {
    bcsc::ColumnSpan span = next;
    walk.finish(span, lane);
    if (i + args.stages < chunks.count) next = load(i + args.stages);
    bcsc::Entry<T> entries[ahead];
#pragma unroll
    for (int q = 0; q < ahead; ++q) entries[q] = bcsc::load_entry<FORM>(m, span, span.begin + q * warp_size, lane);
    if (i >= args.stages) barrier_wait(full + 8, (i / args.stages - 1) & 1);

    // rows of B
    unsigned const to = shared_address(at);
    T const* const b = m.b + column0;
    std::int64_t const columns_left = m.columns - column0;
    constexpr int elements = WIDE ? S::pack : 1;  // of a copy
    constexpr int copy_bytes = elements * static_cast<int>(sizeof(T));
    constexpr int copies = S::columns / elements;  // of a row
    constexpr int rows_at_once = copies >= warp_size ? 1 : warp_size / copies;
#pragma unroll 8
    for (int k0 = 0; k0 < span.count; k0 += rows_at_once) {
      int const k = k0 + (copies >= warp_size ? 0 : lane / copies);
      std::int64_t const col = __shfl_sync(whole_warp, span.col, k & (warp_size - 1));
#pragma unroll
      for (int p = lane % copies; p < copies; p += warp_size) {
        bool const given = p * elements < columns_left;
        if (k < span.count)
          copy_behind<copy_bytes>(to + k * S::row_bytes + p * copy_bytes,
                                  given ? b + col * m.b_stride + p * elements : b, given ? copy_bytes : 0);
      }
    }
    barrier_arrive_behind_copies(full);

    // entries of A
    bool const dense = span.end - span.begin >= args.dense_from * span.count / depth;
    if (dense) {
      int const words = span.count * layout.rows * static_cast<int>(sizeof(T)) / 16;
      for (int w = lane; w < words; w += warp_size) reinterpret_cast<uint4*>(a)[w] = uint4{};
    } else {
      for (int w = lane; w < layout.rows; w += warp_size) masks[w] = 0;
    }
    __syncwarp();  // zeros before entries
    auto const scatter = [&]<bool MASKED>() {
      bcsc::Placement placement;
      for (std::int64_t batch = span.begin; batch < span.end; batch += ahead * warp_size) {
        bcsc::Entry<T> later[ahead] = {};
        if (batch + ahead * warp_size < span.end)
#pragma unroll
          for (int q = 0; q < ahead; ++q)
            later[q] = bcsc::load_entry<FORM>(m, span, batch + (ahead + q) * warp_size, lane);
#pragma unroll
        for (int q = 0; q < ahead; ++q)
          if (batch + q * warp_size < span.end) {
            int k;
            int const row = entries[q].row >= low && entries[q].row < high ? entries[q].row - low : -1;
            bool const first =
                placement.put(span, batch + q * warp_size, lane, row, entries[q].value, a, layout.rows, k);
            if (MASKED && first) atomicOr(masks + row, 1u << k);
          }
#pragma unroll
        for (int q = 0; q < ahead; ++q) entries[q] = later[q];
      }
    };
    if (dense)
      scatter.template operator()<false>();
    else
      scatter.template operator()<true>();
    if (lane == 0) *reinterpret_cast<int*>(at + layout.info()) = dense ? span.count : 0;
    barrier_arrive(full);
  }
}

/// \param from, to  aligned to 16 bytes where they hold a multiple of that
template <class T, int N>
__device__ __forceinline__ void load_shared(T const* from, T (&to)[N]) {
  constexpr int bytes = N * static_cast<int>(sizeof(T));
  if constexpr (bytes % 16 == 0) {
#pragma unroll
    for (int i = 0; i < bytes / 16; ++i) reinterpret_cast<uint4*>(to)[i] = reinterpret_cast<uint4 const*>(from)[i];
  } else {
#pragma unroll
    for (int i = 0; i < N; ++i) to[i] = from[i];
  }
}

template <bcsc::Form FORM, class T, int LANES, int V, int R, bool WIDE>
__global__ void __launch_bounds__(Shape<T, LANES, V, R>::threads)
    tiled(__grid_constant__ TiledArguments<T> const args) {
  using S = Shape<T, LANES, V, R>;
  extern __shared__ __align__(128) char shared_bytes[];
  auto const thread = static_cast<int>(threadIdx.x);
  int const warp = thread / warp_size;
  int const lane = thread % warp_size;
  Stage<S, T> const layout{args.consumers * S::rows_a_warp};
  char* const stages = shared_bytes + barrier_bytes;
  unsigned const barriers = shared_address(shared_bytes);

  unsigned const task = blockIdx.x / static_cast<unsigned>(args.parts);
  int const rank = static_cast<int>(blockIdx.x - task * static_cast<unsigned>(args.parts));
  unsigned const tile = task / args.all_windows;
  unsigned const window = task - tile * args.all_windows;
  std::int64_t const block = window / args.windows;
  int const low = static_cast<int>(window - block * args.windows) * args.window_rows;
  std::int64_t const column0 = static_cast<std::int64_t>(tile) * S::columns;

  if (thread == 0)
    for (int s = 0; s < args.stages; ++s) {
      barrier_init(barriers + s * 16, 2 * warp_size);  // copies and entries
      barrier_init(barriers + s * 16 + 8, args.consumers * warp_size);
    }
  for (int s = 0; s < args.stages; ++s) {
    auto* const b = reinterpret_cast<T*>(stages + s * layout.bytes() + depth * S::row_bytes);
    for (int n = thread; n < S::columns; n += static_cast<int>(blockDim.x)) b[n] = T{};
    auto* const a = reinterpret_cast<T*>(stages + s * layout.bytes() + layout.a()) + depth * layout.rows;
    for (int n = thread; n < layout.rows; n += static_cast<int>(blockDim.x)) a[n] = T{};
  }
  wait_for_predecessor();
  let_successor_start();
  int const height = args.m.block_height_of(block);
  int const high = height < low + args.window_rows ? height : low + args.window_rows;
  Chunks chunks = chunks_of(args, block, rank);
  if (high <= low) chunks.count = 0;
  __syncthreads();  // barriers and zeros are there

  alignas(16) T sum[R][V] = {};
  int const group = lane / LANES;
  int const row0 = (warp * S::groups + group) * R;
  int const my_column = lane % LANES * S::pack;
  if (warp >= args.consumers) {
    produce<FORM, T, S, WIDE>(args, stages, barriers, layout, chunks, block, low, high, column0, warp - args.consumers,
                              lane);
  } else {
    for (int i = 0; i < chunks.count; ++i) {
      int const stage = i % args.stages;
      char const* const at = stages + stage * layout.bytes();
      T const* const b = reinterpret_cast<T const*>(at) + my_column;
      T const* const a = reinterpret_cast<T const*>(at + layout.a()) + row0;
      auto const load_b = [&](int k, T(&to)[V]) {
#pragma unroll
        for (int p = 0; p < S::packs; ++p)
          reinterpret_cast<uint4*>(to)[p] = *reinterpret_cast<uint4 const*>(b + k * S::columns + p * LANES * S::pack);
      };
      barrier_wait(barriers + stage * 16, i / args.stages & 1);
      int const whole = *reinterpret_cast<int const*>(at + layout.info());
      if (whole != 0) {
#pragma unroll 2
        for (int k = 0; k < whole; ++k) {
          alignas(16) T left[R];
          alignas(16) T right[V];
          load_shared(a + k * layout.rows, left);
          load_b(k, right);
#pragma unroll
          for (int r = 0; r < R; ++r)
#pragma unroll
            for (int v = 0; v < V; ++v) sum[r][v] += left[r] * right[v];
        }
      } else {
        alignas(16) unsigned mask[R];
        load_shared(reinterpret_cast<unsigned const*>(at + layout.masks()) + row0, mask);
#pragma unroll
        for (int r = 0; r < R; ++r) {
          unsigned left = mask[r];
          while (left != 0) {
            int const k0 = __ffs(static_cast<int>(left)) - 1;
            left &= left - 1;
            int const k1 = left != 0 ? __ffs(static_cast<int>(left)) - 1 : depth;  // a row of zeros
            left &= left - 1;
            T const a0 = a[k0 * layout.rows + r];
            T const a1 = a[k1 * layout.rows + r];
            alignas(16) T b0[V];
            alignas(16) T b1[V];
            load_b(k0, b0);
            load_b(k1, b1);
#pragma unroll
            for (int v = 0; v < V; ++v) sum[r][v] += a0 * b0[v];
#pragma unroll
            for (int v = 0; v < V; ++v) sum[r][v] += a1 * b1[v];
          }
        }
      }
      barrier_arrive(barriers + stage * 16 + 8);
    }
  }

  auto const store = [&](int row, int column, T(&of)[S::pack]) {
    std::int64_t const c = column0 + column;
    if (low + row >= high || c >= args.m.columns) return;
#pragma unroll
    for (int v = 0; v < S::pack; ++v)
      if (!is_finite(of[v]) && c + v < args.m.columns) of[v] = bcsc::exact_sum<FORM>(&args.m, block, low + row, c + v);
    bcsc::store_row<S::pack>(args.m, args.m.first_row(block) + low + row, c, 1, of);
  };
  if (args.parts == 1) {
    if (warp >= args.consumers) return;
#pragma unroll
    for (int r = 0; r < R; ++r)
#pragma unroll
      for (int p = 0; p < S::packs; ++p) {
        T part[S::pack];
#pragma unroll
        for (int v = 0; v < S::pack; ++v) part[v] = sum[r][p * S::pack + v];
        store(row0 + r, my_column + p * LANES * S::pack, part);
      }
    return;
  }

  // Parts of the cluster: (rows, columns) in place of the stages, which all copies have reached.
  __syncthreads();  // all consumers are done with the stages
  if (warp < args.consumers)
#pragma unroll
    for (int r = 0; r < R; ++r)
#pragma unroll
      for (int p = 0; p < S::packs; ++p)
        *reinterpret_cast<uint4*>(reinterpret_cast<T*>(stages) + (row0 + r) * S::columns + my_column +
                                  p * LANES * S::pack) = *reinterpret_cast<uint4 const*>(&sum[r][p * S::pack]);
  __syncwarp();
  cluster_sync();  // all parts are there
  constexpr int packs_a_row = S::columns / S::pack;
  int const all = (high - low) * packs_a_row;
  int const threads = static_cast<int>(blockDim.x);
  for (int item = rank * threads + thread; item < all; item += args.parts * threads) {
    T part[S::pack] = {};
    for (int other = 0; other < args.parts; ++other) {
      union {
        uint4 bits;
        T value[S::pack];
      } got;
      got.bits = load_cluster_bits(shared_of_rank(barriers + barrier_bytes + item * 16, other));
#pragma unroll
      for (int v = 0; v < S::pack; ++v) part[v] += got.value[v];
    }
    store(item / packs_a_row, item % packs_a_row * S::pack, part);
  }
  __syncwarp();
  cluster_sync();  // no block ends while others read its sums
}

template <bcsc::Form FORM, class T, int LANES, int V, int R, bool WIDE>
void launch(TiledArguments<T> args, BcscTiledTuning const& tuning, cudaStream_t stream) {
  using S = Shape<T, LANES, V, R>;
  char const* const name = "araia: bcsc_spmm_tiled";
  auto const& m = args.m;
  std::int64_t const height = std::max<std::int64_t>(1, std::min(m.block_height, std::max<std::int64_t>(m.rows, 1)));
  args.windows = (height + most_rows - 1) / most_rows;
  args.window_rows = static_cast<int>((height + args.windows - 1) / args.windows);
  args.consumers = (args.window_rows + S::rows_a_warp - 1) / S::rows_a_warp;
  args.parts = tuning.parts;
  args.dense_from = height * depth * tuning.dense_percent / 100;
  Stage<S, T> const layout{args.consumers * S::rows_a_warp};
  int device = 0;
  int most_shared = 0;
  int major = 0;
  check(cudaGetDevice(&device), name);
  check(cudaDeviceGetAttribute(&most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), name);
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), name);
  args.stages = std::min(tuning.stages, (most_shared - barrier_bytes) / layout.bytes());
  if (args.stages < 2)
    throw Error(ErrorKind::resource_limit,
                std::string(name) + ": two stages take " + std::to_string(barrier_bytes + 2 * layout.bytes()) +
                    " bytes of shared memory, the device has " + std::to_string(most_shared));
  if (args.parts > 1 && major < 9)
    throw Error(ErrorKind::invalid_argument, std::string(name) + ": parts is " + std::to_string(args.parts) +
                                                 ", expected 1 before compute capability 9.0");
  auto const sums = tuning.parts > 1 ? static_cast<std::size_t>(layout.rows * S::row_bytes) : 0;
  std::size_t const shared =
      barrier_bytes + std::max(sums, static_cast<std::size_t>(args.stages) * static_cast<std::size_t>(layout.bytes()));
  std::int64_t const tiles = (m.columns + S::columns - 1) / S::columns;
  args.all_windows = grid_blocks(m.blocks * args.windows, 1, name);
  unsigned const blocks = grid_blocks(tiles * args.parts * static_cast<std::int64_t>(args.all_windows), 1, name);
  if (blocks == 0) return;
  auto* const kernel = tiled<FORM, T, LANES, V, R, WIDE>;
  allow_shared_memory(kernel, shared, name);
  launch_clusters(kernel, blocks, static_cast<unsigned>(args.parts),
                  static_cast<unsigned>((args.consumers + args.stages) * warp_size), shared, stream, name, args);
}

/// The launch that the tuning names.
template <bcsc::Form FORM, class T>
void multiply_tiled(bcsc::Arguments<T> const& m, DenseMatrix<T const> const& b, DenseMatrix<T> const& c,
                    BcscTiledTuning const& tuning, cudaStream_t stream) {
  auto const refuse = [](char const* what, int got, char const* expected) {
    throw Error(ErrorKind::invalid_argument, std::string("araia: bcsc_spmm_tiled: ") + what + " is " +
                                                 std::to_string(got) + ", expected " + expected);
  };
  if (tuning.parts != 1 && tuning.parts != 2 && tuning.parts != 4 && tuning.parts != most_parts)
    refuse("parts", tuning.parts, "1, 2, 4 or 8");
  if (tuning.stages < 2 || tuning.stages > most_stages) refuse("stages", tuning.stages, "2 to 4");
  if (tuning.dense_percent < 0 || tuning.dense_percent > 1000)
    refuse("dense_percent", tuning.dense_percent, "0 to 1000");
  bcsc::require_short_sums<FORM>("bcsc_spmm_tiled", m.nnz);
  TiledArguments<T> args{.m = m,
                         .windows = 1,
                         .all_windows = 0,
                         .window_rows = 0,
                         .consumers = 0,
                         .stages = 0,
                         .parts = 1,
                         .dense_from = 0};
  constexpr int pack = 16 / static_cast<int>(sizeof(T));
  bool const wide = is_aligned(b.data, 16) && b.row_stride % pack == 0 && c.columns % pack == 0;
  auto const with = [&]<std::size_t I>() {
    constexpr BcscTiledShape shape = bcsc_tiled_shapes[I];
    constexpr int columns = shape.columns(sizeof(T));
    if (tuning.columns != columns || tuning.rows != shape.rows) return false;
    if (wide)
      launch<FORM, T, shape.lanes, columns / shape.lanes, shape.rows, true>(args, tuning, stream);
    else
      launch<FORM, T, shape.lanes, columns / shape.lanes, shape.rows, false>(args, tuning, stream);
    return true;
  };
  bool const found = [&]<std::size_t... I>(std::index_sequence<I...>) { return (with.template operator()<I>() || ...); }
  (std::make_index_sequence<std::size(bcsc_tiled_shapes)>());
  if (!found) refuse("columns", tuning.columns, "those of a shape with these rows (bcsc_tiled_shapes)");
}

}  // namespace
}  // namespace araia::cuda
