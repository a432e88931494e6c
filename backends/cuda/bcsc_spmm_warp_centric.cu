// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = alpha A B + beta C, A in BCSC, B and C row-major; a thread block owns a block's rows and a tile of columns,
// logical warps take its block columns, sums lie in shared memory.
// Mapping  logical warp: every n-th block column; its lanes read the column's entries together and hand them round |
//          lane: V columns of B's row, kept for all entries of the block column
//
//            lane           0     1     2   ..  LANES - 1
//            holds          e0    e1    e2      entry of the block column, read side by side
//            shuffle k      ek    ek    ek      row and value of entry k to all
//
//          Without atomics each logical warp has sums of its own, (rows, LANES V), added in order at the end: the same
//          bits in every run. With atomics they share one set: less shared memory, the order of sums left open.
//          Of the compact form a warp reads up to 32 block columns side by side, whose counts tell their offsets, and
//          hands them to its logical warps.
// Traffic  8 (float) or 12 (double) bytes an entry and 8 a block column for each tile of columns, compact 5 or 9 and 3,
//          with wide columns 5; a byte for every other warp's; a row of B a block column; a read and a write of shared
//          memory an entry and column. Stored entries alone are multiplied.
// Suits    tall blocks above 0.99 sparsity whose columns have few entries.

#include <algorithm>
#include <araia/detail/formats/type_list.hpp>
#include <string>

#include "backends/cuda/bcsc_blocks.cuh"
#include "backends/cuda/bcsc_spmm_warp_centric.hpp"
#include "backends/cuda/check.hpp"
#include "backends/cuda/overlap.cuh"
#include "backends/cuda/shared_memory.hpp"

namespace araia::cuda {
namespace {

using bcsc::warp_size;
constexpr int most_warps = 8;
constexpr std::size_t most_shared = 96 * 1024;  // two thread blocks of a multiprocessor

template <class T>
struct WarpArguments {
  bcsc::Arguments<T> m;
  std::int64_t windows;
  unsigned tiles;
  int window_rows;
};

template <class T, int N>
struct alignas(sizeof(T) * N) Pack {
  T at[N];
};

template <bcsc::Form FORM, class T, int LANES, int V, bool ATOMICS, bool WIDE>
__global__ void __launch_bounds__(most_warps* warp_size) warp_centric(__grid_constant__ WarpArguments<T> const args) {
  extern __shared__ __align__(16) char shared_bytes[];
  auto const& m = args.m;
  constexpr int tile = LANES * V;
  auto const thread = static_cast<int>(threadIdx.x);
  int const threads = static_cast<int>(blockDim.x);
  int const lane = thread % LANES;
  int const logical = thread / LANES;
  int const logicals = threads / LANES;
  unsigned const members =
      LANES == warp_size ? ~0u : ((1u << (LANES % 32)) - 1) << (thread % warp_size / LANES * LANES);
  unsigned const window = blockIdx.x / args.tiles;
  std::int64_t const block = window / args.windows;
  int const low = static_cast<int>(window - block * args.windows) * args.window_rows;
  std::int64_t const column0 = static_cast<std::int64_t>(blockIdx.x - window * args.tiles) * tile;
  std::int64_t const column = column0 + lane * (WIDE ? V : 1);
  std::int64_t const left = m.columns - column;

  T* const all = reinterpret_cast<T*>(shared_bytes);
  int const set = args.window_rows * tile;  // sums of a logical warp
  int const sets = ATOMICS ? 1 : logicals;
  for (int i = thread; i < set * sets; i += threads) all[i] = T{};
  wait_for_predecessor();
  let_successor_start();
  __syncthreads();  // the sums are zero
  int const height = m.block_height_of(block);
  int const high = height < low + args.window_rows ? height : low + args.window_rows;
  // A lane's V columns lie LANES apart, so that lanes meet in no bank.
  T* const mine = all + (ATOMICS ? 0 : logical * set) + lane;
  // Block column `col` of entries [begin, end), by a logical warp.
  auto const multiply = [&](std::int32_t col, std::int64_t begin, std::int64_t end) {
    T b[V];
    T const* const from = m.b + col * m.b_stride + column;
    if (WIDE && left > 0) {
      *reinterpret_cast<Pack<T, V>*>(b) = *reinterpret_cast<Pack<T, V> const*>(from);
    } else {
#pragma unroll
      for (int v = 0; v < V; ++v) b[v] = v * LANES < left ? from[v * LANES] : T{};
    }
    for (std::int64_t first = begin; first < end; first += LANES) {
      int const count = static_cast<int>(end - first < LANES ? end - first : LANES);
      int const my_row = lane < count ? m.template row_of_entry<FORM>(first + lane) : 0;
      T const my_value = lane < count && m.values ? m.values[first + lane] : T{1};
      for (int k = 0; k < count; ++k) {
        int const row = __shfl_sync(members, my_row, k, LANES);
        T const value = __shfl_sync(members, my_value, k, LANES);
        if (row < low || row >= high) continue;
        T* const to = mine + (row - low) * tile;
#pragma unroll
        for (int v = 0; v < V; ++v) {
          if constexpr (ATOMICS)
            atomicAdd(to + v * LANES, value * b[v]);
          else
            to[v * LANES] += value * b[v];
        }
      }
    }
  };
  std::int64_t const first = m.first_column(block);
  std::int64_t const last = m.first_column(block + 1);
  if constexpr (FORM == bcsc::Form::wide) {
    for (std::int64_t j = first + logical; j < last; j += logicals)
      multiply(m.block_cols[j], m.offset(m.col_offsets, j), m.offset(m.col_offsets, j + 1));
  } else {
    constexpr int together = warp_size / LANES;
    int const whole_lane = thread % warp_size;
    std::int64_t const warps = threads / warp_size;
    int width = warp_size;  // of a span: all warps have some
    while (width > together && last - first < 2 * warps * width) width /= 2;
    bcsc::Walk<FORM, T> walk(m, block, first);
    for (std::int64_t j = first + thread / warp_size * width; j < last; j += warps * width) {
      bcsc::ColumnSpan span = walk.load(m, j, min(j + width, last), whole_lane);
      walk.finish(span, whole_lane);
      for (int k0 = 0; k0 < span.count; k0 += together) {
        int const k = k0 + whole_lane / LANES;
        std::int32_t const col = __shfl_sync(bcsc::whole_warp, span.col, k & (warp_size - 1));
        std::int64_t const begin = __shfl_sync(bcsc::whole_warp, span.offset, k & (warp_size - 1));
        std::int64_t const next = __shfl_sync(bcsc::whole_warp, span.offset, (k + 1) & (warp_size - 1));
        if (k < span.count) multiply(col, begin, k + 1 < span.count ? next : span.end);
      }
    }
  }
  __syncthreads();  // all sums are made
  int const used = (high - low) * LANES;
  for (int i = thread; i < used; i += threads) {
    T sum[V] = {};
    for (int s = 0; s < sets; ++s)
#pragma unroll
      for (int v = 0; v < V; ++v) sum[v] += all[s * set + i / LANES * tile + v * LANES + i % LANES];
    std::int64_t const at = column0 + i % LANES * (WIDE ? V : 1);
    if (at < m.columns) bcsc::store_row<V>(m, m.first_row(block) + low + i / LANES, at, WIDE ? 1 : LANES, sum);
  }
}

template <bcsc::Form FORM, class T, int LANES, int V, bool ATOMICS, bool WIDE>
void launch(WarpArguments<T> args, int warps, cudaStream_t stream) {
  char const* const name = "araia: bcsc_spmm_warp_centric";
  std::int64_t const height =
      std::max<std::int64_t>(1, std::min(args.m.block_height, std::max<std::int64_t>(args.m.rows, 1)));
  std::size_t const row_bytes = static_cast<std::size_t>(LANES * V) * sizeof(T);
  auto const sets = [&] { return ATOMICS ? std::size_t{1} : static_cast<std::size_t>(warps * warp_size / LANES); };
  while (warps > 1 && sets() * static_cast<std::size_t>(height) * row_bytes > most_shared) warps /= 2;
  auto const most = static_cast<std::int64_t>(most_shared / (sets() * row_bytes));
  args.windows = (height + most - 1) / most;
  args.window_rows = static_cast<int>((height + args.windows - 1) / args.windows);
  args.tiles = static_cast<unsigned>((args.m.columns + LANES * V - 1) / (LANES * V));
  unsigned const blocks = grid_blocks(args.m.blocks * args.windows * static_cast<std::int64_t>(args.tiles), 1, name);
  if (blocks == 0) return;
  std::size_t const shared = sets() * static_cast<std::size_t>(args.window_rows) * row_bytes;
  auto* const kernel = warp_centric<FORM, T, LANES, V, ATOMICS, WIDE>;
  if (shared > 48 * 1024) allow_shared_memory(kernel, shared, name);
  launch_overlapped(kernel, blocks, static_cast<unsigned>(warps * warp_size), shared, stream, name, args);
}

/// The launch that the tuning names.
template <bcsc::Form FORM, class T>
void multiply_by_warps(bcsc::Arguments<T> const& m, DenseMatrix<T const> const& b, DenseMatrix<T> const& c,
                       BcscWarpTuning const& tuning, cudaStream_t stream) {
  auto const refuse = [](char const* what, int got, char const* expected) {
    throw Error(ErrorKind::invalid_argument, std::string("araia: bcsc_spmm_warp_centric: ") + what + " is " +
                                                 std::to_string(got) + ", expected " + expected);
  };
  constexpr int pack = 16 / static_cast<int>(sizeof(T));
  if (tuning.lanes != 8 && tuning.lanes != 16 && tuning.lanes != 32) refuse("lanes", tuning.lanes, "8, 16 or 32");
  if (tuning.vector != 1 && tuning.vector != pack) refuse("vector", tuning.vector, "1, or as many as 16 bytes hold");
  if (tuning.warps < 1 || tuning.warps > most_warps) refuse("warps", tuning.warps, "1 to 8");
  bcsc::require_short_sums<FORM>("bcsc_spmm_warp_centric", m.nnz);
  WarpArguments<T> const args{m, 1, 1, 1};
  auto const with = [&]<int LANES, int V>() {
    std::size_t const bytes = V * sizeof(T);
    bool const wide = is_aligned(b.data, bytes) &&
                      b.row_stride * static_cast<std::int64_t>(sizeof(T)) % static_cast<std::int64_t>(bytes) == 0 &&
                      c.columns % V == 0;
    auto const run = [&]<bool ATOMICS>() {
      if (wide)
        launch<FORM, T, LANES, V, ATOMICS, true>(args, tuning.warps, stream);
      else
        launch<FORM, T, LANES, V, ATOMICS, false>(args, tuning.warps, stream);
    };
    if (tuning.atomics)
      run.template operator()<true>();
    else
      run.template operator()<false>();
  };
  auto const lanes = [&]<int V>() {
    if (tuning.lanes <= 8) return with.template operator()<8, V>();
    if (tuning.lanes <= 16) return with.template operator()<16, V>();
    with.template operator()<32, V>();
  };
  if (tuning.vector == pack) return lanes.template operator()<pack>();
  lanes.template operator()<1>();
}

}  // namespace

template <class T, class Offset>
void bcsc_spmm_warp_centric(BcscPointers<T, std::int32_t, Offset> const& a, T alpha, DenseMatrix<T const> const& b,
                            T beta, DenseMatrix<T> const& c, BcscWarpTuning const& tuning, cudaStream_t stream) {
  multiply_by_warps<bcsc::Form::wide, T>({a, alpha, b, beta, c}, b, c, tuning, stream);
}
template <class T, class Offset, class RowIndex>
void bcsc_spmm_warp_centric(BcscCompactPointers<T, std::int32_t, Offset, RowIndex> const& a, T alpha,
                            DenseMatrix<T const> const& b, T beta, DenseMatrix<T> const& c,
                            BcscWarpTuning const& tuning, cudaStream_t stream) {
  multiply_by_warps<bcsc::Form::compact, T>({a, alpha, b, beta, c}, b, c, tuning, stream);
}

[[gnu::used]] static void write_out_bcsc_spmm_warp_centric() {
  using namespace araia::detail;
  for_types<AllReals, AllOffsets>([&]<class T, class F>() {
    write_out<void(BcscPointers<T, std::int32_t, F> const&, T, DenseMatrix<T const> const&, T, DenseMatrix<T> const&,
                   BcscWarpTuning const&, cudaStream_t)>(bcsc_spmm_warp_centric);
    for_types<ListOf<std::uint8_t, std::uint16_t>>([&]<class R>() {
      write_out<void(BcscCompactPointers<T, std::int32_t, F, R> const&, T, DenseMatrix<T const> const&, T,
                     DenseMatrix<T> const&, BcscWarpTuning const&, cudaStream_t)>(bcsc_spmm_warp_centric);
    });
  });
}

}  // namespace araia::cuda
