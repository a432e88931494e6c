// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = alpha A B + beta C, A in BCSC of blocks up to 32 rows, B and C row-major; a warp owns a block and a tile of
// columns, all its sums in registers.
// Mapping  warp: 32 block columns at a time, made dense in its shared memory; groups of LANES lanes then take every
//          (32 / LANES)-th of them | lane: V columns of all H rows; the groups' sums meet by shuffles that leave each
//          group with a part of the rows
//
//            group             0        1        2        3        (LANES = 8)
//            block column      k        k + 1    k + 2    k + 3    a row of B each, 128 bytes side by side
//            H values of A     the same for the lanes of a group, 16 bytes at a time
//
// Traffic  8 (float) or 12 (double) bytes an entry and 8 a block column for each tile of columns; a row of B a block
//          column, once; no shared memory for C, no atomics, no barrier beyond the warp's.
// Work     H products a block column, whatever it stores: H block_columns / nnz times the needed ones, which is nothing
//          where rows of B are short of bandwidth. Sums that zeros made infinite or NaN are made again, exactly.
// Suits    above 0.99 sparsity: stencils, finite elements, banded orderings.

#include <algorithm>
#include <araia/detail/formats/type_list.hpp>
#include <string>

#include "backends/cuda/bcsc_blocks.cuh"
#include "backends/cuda/bcsc_spmm_short_blocks.hpp"
#include "backends/cuda/check.hpp"
#include "backends/cuda/exact_rows.cuh"
#include "backends/cuda/overlap.cuh"
#include "backends/cuda/shared_memory.hpp"

namespace araia::cuda {
namespace {

using bcsc::warp_size;
using bcsc::whole_warp;

constexpr int depth = 32;      // block columns at once
constexpr int most_warps = 8;  // of a thread block

/// Every second row of the sums goes to the partner, every other one comes: rows [0, ROWS) become [0, ROWS / 2) of this
/// lane's half.
template <int ROWS, int V, int H, class T>
__device__ __forceinline__ void halve(T (&sum)[H][V], int distance, bool upper) {
#pragma unroll
  for (int r = 0; r < ROWS / 2; ++r)
#pragma unroll
    for (int v = 0; v < V; ++v) {
      T const away = upper ? sum[r][v] : sum[r + ROWS / 2][v];
      T const kept = upper ? sum[r + ROWS / 2][v] : sum[r][v];
      sum[r][v] = kept + __shfl_xor_sync(whole_warp, away, distance);
    }
}

template <class T, int N>
struct alignas(sizeof(T) * N <= 16 ? sizeof(T) * N : 16) Pack {
  T at[N];
};

/// Thread blocks of a multiprocessor, by the registers of the sums. Many warps hide each other's latency, whatever is
/// spilled for it; where warps are few, nothing is spilled.
template <class T, int V, int H, bool MANY>
constexpr int resident() {
  constexpr int registers = V * H * static_cast<int>(sizeof(T)) / 4;
  return !MANY ? 1 : registers <= 16 ? 4 : registers <= 32 ? 3 : registers <= 64 ? 2 : 1;
}

template <class T, int LANES, int V, int H, bool WIDE, bool MANY>
__global__ void __launch_bounds__(most_warps* warp_size, resident<T, V, H, MANY>())
    short_blocks(__grid_constant__ bcsc::Arguments<T> const args, unsigned tiles, int split, int warp_bytes) {
  constexpr int groups = warp_size / LANES;
  constexpr int ahead = 4;  // rows of B in flight a group
  extern __shared__ __align__(16) char shared_bytes[];
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const group = lane / LANES;
  int const part = warp % split;
  T* const a = reinterpret_cast<T*>(shared_bytes + warp * warp_bytes);  // (depth, H)
  unsigned const row_blocks = blockIdx.x / tiles;
  std::int64_t const block =
      static_cast<std::int64_t>(row_blocks) * (static_cast<int>(blockDim.x) / warp_size / split) + warp / split;
  std::int64_t const column =
      static_cast<std::int64_t>(blockIdx.x - row_blocks * tiles) * (LANES * V) + lane % LANES * (WIDE ? V : 1);
  constexpr int stride = WIDE ? 1 : LANES;  // between a lane's columns

  wait_for_predecessor();
  let_successor_start();
  bool const works = block < args.blocks;
  std::int64_t const left = args.columns - column;
  T const* const b = args.b + (left > 0 ? column : 0);
  auto const load_b = [&](std::int32_t col, T(&to)[V]) {
    T const* const from = b + static_cast<std::int64_t>(col) * args.b_stride;
    if constexpr (WIDE) {
      *reinterpret_cast<Pack<T, V>*>(to) = *reinterpret_cast<Pack<T, V> const*>(from);
    } else {
#pragma unroll
      for (int v = 0; v < V; ++v) to[v] = v * LANES < left ? from[v * LANES] : T{};
    }
  };

  T sum[H][V] = {};
  std::int64_t const last = works ? args.first_column(block + 1) : 0;
  std::int64_t first = works ? args.first_column(block) + part * depth : 0;
  std::int64_t const step_columns = static_cast<std::int64_t>(split) * depth;
  bcsc::Walk<bcsc::Form::wide, T> walk(args, block, first);
  bcsc::ColumnSpan next{};
  if (first < last) next = walk.load(args, first, last, lane);
  for (; first < last; first += step_columns) {
    bcsc::ColumnSpan span = next;
    walk.finish(span, lane);
    if (first + step_columns < last) next = walk.load(args, first + step_columns, last, lane);
    // entries and rows of B on their way together
    constexpr int batches = 3;
    bcsc::Entry<T> entries[batches];
#pragma unroll
    for (int q = 0; q < batches; ++q)
      entries[q] = bcsc::load_entry<bcsc::Form::wide>(args, span, span.begin + q * warp_size, lane);
    T right[ahead][V];
    auto const load_rows = [&](int step) {
#pragma unroll
      for (int q = 0; q < ahead; ++q) {
        int const k = (step + q) * groups + group;
        std::int32_t const col = __shfl_sync(whole_warp, span.col, k & (warp_size - 1));
        if (k < span.count && left > 0)
          load_b(col, right[q]);
        else
#pragma unroll
          for (int v = 0; v < V; ++v) right[q][v] = T{};
      }
    };
    load_rows(0);

    constexpr int words = depth * H * static_cast<int>(sizeof(T)) / 16;
#pragma unroll
    for (int w = 0; w < words / warp_size; ++w) reinterpret_cast<uint4*>(a)[w * warp_size + lane] = uint4{};
    __syncwarp();  // zeros before entries
    bcsc::Placement placement;
    auto const put = [&](std::int64_t batch, bcsc::Entry<T> const& entry) {
      int k;
      placement.put(span, batch, lane, entry.row, entry.value, a, H, k);
    };
#pragma unroll
    for (int q = 0; q < batches; ++q)
      if (span.begin + q * warp_size < span.end) put(span.begin + q * warp_size, entries[q]);
    for (std::int64_t batch = span.begin + batches * warp_size; batch < span.end; batch += warp_size) {
      entries[0] = bcsc::load_entry<bcsc::Form::wide>(args, span, batch, lane);
      put(batch, entries[0]);
    }
    __syncwarp();  // all entries are there

    constexpr int steps = depth / groups;
    static_assert(steps % ahead == 0);
#pragma unroll 1
    for (int step = 0; step < steps && step * groups < span.count; step += ahead) {
      if (step > 0) load_rows(step);
#pragma unroll
      for (int q = 0; q < ahead; ++q) {
        T const* const values_of = a + ((step + q) * groups + group) * H;
        constexpr int wide = 16 / static_cast<int>(sizeof(T));
        Pack<T, wide> pack;
#pragma unroll
        for (int r = 0; r < H; ++r) {
          if (r % wide == 0) pack = *reinterpret_cast<Pack<T, wide> const*>(values_of + r);
#pragma unroll
          for (int v = 0; v < V; ++v) sum[r][v] += pack.at[r % wide] * right[q][v];
        }
      }
    }
    __syncwarp();  // the next entries overwrite
  }

  int row0 = 0;
  constexpr int kept = H / groups;  // rows of a group
  if constexpr (groups >= 2) {
    halve<H>(sum, 16, (lane & 16) != 0);
    row0 += lane & 16 ? H / 2 : 0;
  }
  if constexpr (groups >= 4) {
    halve<H / 2>(sum, 8, (lane & 8) != 0);
    row0 += lane & 8 ? H / 4 : 0;
  }
  if constexpr (groups >= 8) {
    halve<H / 4>(sum, 4, (lane & 4) != 0);
    row0 += lane & 4 ? H / 8 : 0;
  }
  static_assert(groups <= 8 && kept >= 1);
  if (split > 1) {
    T* const mine = a + lane;  // (kept * V, lanes)
#pragma unroll
    for (int r = 0; r < kept; ++r)
#pragma unroll
      for (int v = 0; v < V; ++v) mine[(r * V + v) * warp_size] = sum[r][v];
    __syncthreads();  // the parts of a block are written by different warps
    if (part != 0) return;
    for (int other = 1; other < split; ++other) {
      T const* const theirs = reinterpret_cast<T const*>(reinterpret_cast<char const*>(mine) + other * warp_bytes);
#pragma unroll
      for (int r = 0; r < kept; ++r)
#pragma unroll
        for (int v = 0; v < V; ++v) sum[r][v] += theirs[(r * V + v) * warp_size];
    }
  }
  if (!works) return;
  int const height = args.block_height_of(block);
  if (left <= 0) return;
#pragma unroll
  for (int r = 0; r < kept; ++r) {
    if (row0 + r >= height) break;
#pragma unroll
    for (int v = 0; v < V; ++v)
      if (!is_finite(sum[r][v]) && v * stride < left)
        sum[r][v] = bcsc::exact_sum<bcsc::Form::wide>(&args, block, row0 + r, column + v * stride);
    bcsc::store_row<V>(args, args.first_row(block) + row0 + r, column, stride, sum[r]);
  }
}

template <class T, int LANES, int V, int H, bool WIDE, bool MANY>
void launch(bcsc::Arguments<T> const& args, int warps, int split, cudaStream_t stream) {
  char const* const name = "araia: bcsc_spmm_short_blocks";
  std::int64_t const tiles = (args.columns + LANES * V - 1) / (LANES * V);
  unsigned const blocks = grid_blocks(tiles * ((args.blocks + warps / split - 1) / (warps / split)), 1, name);
  if (blocks == 0) return;
  constexpr int sums = H * LANES / warp_size * V * warp_size;  // of a warp, in place of A
  int const warp_bytes = (split > 1 ? std::max(depth * H, sums) : depth * H) * static_cast<int>(sizeof(T));
  auto const shared = static_cast<std::size_t>(warps * warp_bytes);
  auto* const kernel = short_blocks<T, LANES, V, H, WIDE, MANY>;
  if (shared > 48 * 1024) allow_shared_memory(kernel, shared, name);
  launch_overlapped(kernel, blocks, static_cast<unsigned>(warps * warp_size), shared, stream, name, args,
                    static_cast<unsigned>(tiles), split, warp_bytes);
}

}  // namespace

template <class T, class Offset>
void bcsc_spmm_short_blocks(BcscPointers<T, std::int32_t, Offset> const& a, T alpha, DenseMatrix<T const> const& b,
                            T beta, DenseMatrix<T> const& c, BcscShortTuning const& tuning, cudaStream_t stream) {
  auto const refuse = [](char const* what, std::int64_t got, char const* expected) {
    throw Error(ErrorKind::invalid_argument, std::string("araia: bcsc_spmm_short_blocks: ") + what + " is " +
                                                 std::to_string(got) + ", expected " + expected);
  };
  constexpr int pack = 16 / static_cast<int>(sizeof(T));
  if (a.block_height > most_short_rows && a.rows > most_short_rows)
    refuse("block_height", a.block_height, "at most 32");
  if (tuning.lanes != 8 && tuning.lanes != 16 && tuning.lanes != 32) refuse("lanes", tuning.lanes, "8, 16 or 32");
  if (tuning.vector != 1 && tuning.vector != 2 && tuning.vector != 4) refuse("vector", tuning.vector, "1, 2 or 4");
  if (tuning.warps < 1 || tuning.warps > most_warps) refuse("warps", tuning.warps, "1 to 8");
  if (tuning.split != 1 && tuning.split != 2 && tuning.split != 4 && tuning.split != 8)
    refuse("split", tuning.split, "1, 2, 4 or 8");
  if (tuning.warps % tuning.split != 0) refuse("warps", tuning.warps, "a multiple of split");
  bcsc::Arguments<T> const args(a, alpha, b, beta, c);
  auto const with = [&]<int LANES, int V, int H>() {
    std::size_t const bytes = V * sizeof(T);
    bool const wide = is_aligned(b.data, bytes) &&
                      b.row_stride * static_cast<std::int64_t>(sizeof(T)) % static_cast<std::int64_t>(bytes) == 0 &&
                      c.columns % V == 0;
    auto const run = [&]<bool MANY>() {
      if (wide)
        launch<T, LANES, V, H, true, MANY>(args, tuning.warps, tuning.split, stream);
      else
        launch<T, LANES, V, H, false, MANY>(args, tuning.warps, tuning.split, stream);
    };
    // The rule divides blocks where there are few of them, and has full packs then.
    if constexpr (V == pack)
      if (tuning.split > 1) return run.template operator()<false>();
    run.template operator()<true>();
  };
  auto const lanes = [&]<int V, int H>() {
    if (tuning.lanes <= 8) return with.template operator()<8, V, H>();
    if (tuning.lanes <= 16) return with.template operator()<16, V, H>();
    with.template operator()<32, V, H>();
  };
  auto const height = [&]<int H>() {
    if (tuning.vector >= pack) {
      if constexpr (H <= 16) return lanes.template operator()<pack, H>();
    }
    if constexpr (pack == 4)
      if (tuning.vector >= 2) return lanes.template operator()<2, H>();
    lanes.template operator()<1, H>();
  };
  std::int64_t const rows = a.block_height < a.rows ? a.block_height : a.rows;
  if (rows <= 4) return height.template operator()<4>();
  if (rows <= 8) return height.template operator()<8>();
  if (rows <= 16) return height.template operator()<16>();
  height.template operator()<32>();
}

[[gnu::used]] static void write_out_bcsc_spmm_short_blocks() {
  using namespace araia::detail;
  for_types<AllReals, AllOffsets>([&]<class T, class F>() { write_out(bcsc_spmm_short_blocks<T, F>); });
}

}  // namespace araia::cuda
