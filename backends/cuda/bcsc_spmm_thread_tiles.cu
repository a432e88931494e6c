// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = alpha A B + beta C, A in BCSC, B and C row-major; a thread block owns M_Tile rows of a block and N_Tile columns.
// Mapping  thread block: TY * IY rows of a block x TX * IX columns | thread: IY rows, TY apart, x IX columns, TX apart
//
//            chunk of K block columns      A dense (K, TY IY)      B (K, TX IX)
//
//          One stage: all threads fill the chunk, then multiply it as an outer product a block column. Two stages: the
//          rows of B of the next chunk come by cp.async while this one is multiplied; its entries of A are put in
//          their places before it is.
// Traffic  8 (float) or 12 (double) bytes an entry and 8 a block column, a row of B a block column, all for each tile
//          of columns; shared memory: IX + IY words a thread and block column. Zeros of the dense chunk are multiplied.
// Suits    blocks whose columns are filled to a third and more; the portable twin and the thesis, to be compared with.

#include <araia/detail/formats/type_list.hpp>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

#include "backends/cuda/bcsc_blocks.cuh"
#include "backends/cuda/bcsc_spmm_thread_tiles.hpp"
#include "backends/cuda/check.hpp"
#include "backends/cuda/exact_rows.cuh"
#include "backends/cuda/mbarriers.cuh"
#include "backends/cuda/overlap.cuh"
#include "backends/cuda/shared_memory.hpp"

namespace araia::cuda {
namespace {

template <class T>
struct TileArguments {
  bcsc::Arguments<T> m;
  std::int64_t windows;  // of a block
  unsigned all_windows;  // blocks * windows
};

template <class T, int TX, int TY, int IX, int IY, int K>
struct TileShape {
  static constexpr int m_tile = TY * IY;
  static constexpr int n_tile = TX * IX;
  static constexpr int threads = TX * TY;
  static constexpr int pack = 16 / static_cast<int>(sizeof(T));  // columns of a wide load
  static_assert(n_tile % pack == 0 && threads % 32 == 0);
  struct Tiles {
    alignas(16) T a[K][m_tile];
    alignas(16) T b[K][n_tile];
  };
};

template <class T, int TX, int TY, int IX, int IY, int K, int STAGES, bool WIDE>
__global__ void __launch_bounds__(TX* TY) thread_tiles(__grid_constant__ TileArguments<T> const args) {
  using S = TileShape<T, TX, TY, IX, IY, K>;
  using Tiles = typename S::Tiles;
  extern __shared__ __align__(16) char shared_bytes[];
  auto* const tiles = reinterpret_cast<Tiles*>(shared_bytes);
  auto const& m = args.m;
  auto const thread = static_cast<int>(threadIdx.x);
  int const tx = thread % TX;
  int const ty = thread / TX;
  unsigned const tile = blockIdx.x / args.all_windows;
  unsigned const window = blockIdx.x - tile * args.all_windows;
  std::int64_t const block = window / args.windows;
  int const low = static_cast<int>(window - block * args.windows) * S::m_tile;
  std::int64_t const column0 = static_cast<std::int64_t>(tile) * S::n_tile;

  wait_for_predecessor();
  let_successor_start();
  int const height = m.block_height_of(block);
  int const high = height < low + S::m_tile ? height : low + S::m_tile;
  if (high <= low) return;  // blocks of several heights
  std::int64_t const first = m.first_column(block);
  std::int64_t const last = m.first_column(block + 1);

  // The rows of B that block columns from `at` on meet, zeros beyond, and zeros for entries of A.
  auto const start = [&](std::int64_t at, Tiles& to) {
    for (int i = thread; i < K * S::m_tile; i += S::threads) to.a[i / S::m_tile][i % S::m_tile] = T{};
    constexpr int width = WIDE ? S::pack : 1;
    constexpr int loads = S::n_tile / width;
#pragma unroll 4
    for (int i = thread; i < K * loads; i += S::threads) {
      int const k = i / loads;
      int const n = i % loads * width;
      bool const given = at + k < last && column0 + n < m.columns;
      T const* const from = given ? m.b + m.block_cols[at + k] * m.b_stride + column0 + n : m.b;
      constexpr int bytes = width * static_cast<int>(sizeof(T));
      if constexpr (STAGES > 1)
        copy_behind<bytes>(shared_address(&to.b[k][n]), from, given ? bytes : 0);
      else if constexpr (WIDE)
        *reinterpret_cast<uint4*>(&to.b[k][n]) = given ? *reinterpret_cast<uint4 const*>(from) : uint4{};
      else
        to.b[k][n] = given ? *from : T{};
    }
  };
  // Entries of the same place lie side by side: who has the first of them adds up all.
  auto const scatter = [&](std::int64_t at, Tiles& to) {
    int const count = static_cast<int>(last - at < K ? last - at : K);
    for (int k = thread / TX; k < count; k += TY) {
      std::int64_t const begin = m.offset(m.col_offsets, at + k);
      std::int64_t const end = m.offset(m.col_offsets, at + k + 1);
      for (std::int64_t e = begin + tx; e < end; e += TX) {
        int const row = m.template row_of_entry<bcsc::Form::wide>(e);
        if (row < low || row >= high) continue;
        if (e > begin && m.template row_of_entry<bcsc::Form::wide>(e - 1) == row) continue;
        T value = m.values ? m.values[e] : T{1};
        for (std::int64_t d = e + 1; d < end && m.template row_of_entry<bcsc::Form::wide>(d) == row; ++d)
          value += m.values ? m.values[d] : T{1};
        to.a[k][row - low] = value;
      }
    }
  };
  T sum[IY][IX] = {};
  auto const multiply = [&](Tiles const& from) {
#pragma unroll
    for (int k = 0; k < K; ++k) {
      T left[IY];
      T right[IX];
#pragma unroll
      for (int y = 0; y < IY; ++y) left[y] = from.a[k][y * TY + ty];
#pragma unroll
      for (int x = 0; x < IX; ++x) right[x] = from.b[k][x * TX + tx];
#pragma unroll
      for (int y = 0; y < IY; ++y)
#pragma unroll
        for (int x = 0; x < IX; ++x) sum[y][x] += left[y] * right[x];
    }
  };

  if constexpr (STAGES == 1) {
    for (std::int64_t at = first; at < last; at += K) {
      start(at, tiles[0]);
      __syncthreads();  // zeros before entries
      scatter(at, tiles[0]);
      __syncthreads();  // the chunk is filled
      multiply(tiles[0]);
      __syncthreads();  // it is overwritten next
    }
  } else {
    if (first < last) start(first, tiles[0]);
    int turn = 0;
    for (std::int64_t at = first; at < last; at += K, turn ^= 1) {
      wait_for_copies_behind();
      __syncthreads();  // zeros before entries; the other stage is multiplied, by all
      scatter(at, tiles[turn]);
      __syncthreads();  // the chunk is filled
      if (at + K < last) start(at + K, tiles[turn ^ 1]);
      multiply(tiles[turn]);
    }
  }

#pragma unroll
  for (int y = 0; y < IY; ++y) {
    int const row = low + y * TY + ty;
    if (row >= high) continue;
    std::int64_t const column = column0 + tx;
#pragma unroll
    for (int x = 0; x < IX; ++x)
      if (!is_finite(sum[y][x]) && column + x * TX < m.columns)
        sum[y][x] = bcsc::exact_sum<bcsc::Form::wide>(&m, block, row, column + x * TX);
    bcsc::store_row<IX>(m, m.first_row(block) + row, column, TX, sum[y]);
  }
}

template <class T, int TX, int TY, int IX, int IY, int K, int STAGES, bool WIDE>
void launch(TileArguments<T> args, cudaStream_t stream) {
  using S = TileShape<T, TX, TY, IX, IY, K>;
  char const* const name = "araia: bcsc_spmm_thread_tiles";
  auto const& m = args.m;
  std::int64_t const height = m.block_height < m.rows ? m.block_height : m.rows;
  args.windows = height <= S::m_tile ? 1 : (height + S::m_tile - 1) / S::m_tile;
  args.all_windows = grid_blocks(m.blocks * args.windows, 1, name);
  std::int64_t const tiles = (m.columns + S::n_tile - 1) / S::n_tile;
  unsigned const blocks = grid_blocks(tiles * static_cast<std::int64_t>(args.all_windows), 1, name);
  if (blocks == 0) return;
  constexpr std::size_t shared = STAGES * sizeof(typename S::Tiles);
  auto* const kernel = thread_tiles<T, TX, TY, IX, IY, K, STAGES, WIDE>;
  if (shared > 48 * 1024) allow_shared_memory(kernel, shared, name);
  launch_overlapped(kernel, blocks, S::threads, shared, stream, name, args);
}

[[noreturn]] void refuse(char const* what, int got, std::string const& expected) {
  throw Error(ErrorKind::invalid_argument, std::string("araia: bcsc_spmm_thread_tiles: ") + what + " is " +
                                               std::to_string(got) + ", expected " + expected);
}

template <class T>
void multiply_by_tiles(bcsc::Arguments<T> const& m, DenseMatrix<T const> const& b, DenseMatrix<T> const& c,
                       BcscThreadTilesTuning const& tuning, cudaStream_t stream) {
  constexpr int pack = 16 / static_cast<int>(sizeof(T));
  if (tuning.stages != 1 && tuning.stages != 2) refuse("stages", tuning.stages, "1 or 2");
  if (tuning.vector != 0 && tuning.vector != 1 && tuning.vector != pack)
    refuse("vector", tuning.vector, "0, 1 or as many as 16 bytes hold");
  if (tuning.stages == 2) {
    int device = 0;
    int major = 0;
    check(cudaGetDevice(&device), "araia: bcsc_spmm_thread_tiles");
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "araia: bcsc_spmm_thread_tiles");
    if (major < 8) refuse("stages", tuning.stages, "1 before compute capability 8.0");
  }
  bool const wide = tuning.vector != 1 && is_aligned(b.data, 16) && b.row_stride % pack == 0 && c.columns % pack == 0;
  TileArguments<T> const args{m, 1, 0};
  auto const with = [&]<std::size_t I>() {
    constexpr BcscThreadTile s = bcsc_thread_tiles[I];
    if (tuning.shape != s) return false;
    auto const staged = [&]<int STAGES>() {
      if (wide)
        launch<T, s.threads_x, s.threads_y, s.items_x, s.items_y, s.k_tile, STAGES, true>(args, stream);
      else
        launch<T, s.threads_x, s.threads_y, s.items_x, s.items_y, s.k_tile, STAGES, false>(args, stream);
    };
    if (tuning.stages == 1)
      staged.template operator()<1>();
    else
      staged.template operator()<2>();
    return true;
  };
  bool const found = [&]<std::size_t... I>(std::index_sequence<I...>) { return (with.template operator()<I>() || ...); }
  (std::make_index_sequence<std::size(bcsc_thread_tiles)>());
  if (!found) refuse("threads_x", tuning.shape.threads_x, "that of a shape of bcsc_thread_tiles");
}

}  // namespace

template <class T, class Offset>
void bcsc_spmm_thread_tiles(BcscPointers<T, std::int32_t, Offset> const& a, T alpha, DenseMatrix<T const> const& b,
                            T beta, DenseMatrix<T> const& c, BcscThreadTilesTuning const& tuning, cudaStream_t stream) {
  multiply_by_tiles<T>({a, alpha, b, beta, c}, b, c, tuning, stream);
}

[[gnu::used]] static void write_out_bcsc_spmm_thread_tiles() {
  using namespace araia::detail;
  for_types<AllReals, AllOffsets>([&]<class T, class F>() {
    write_out<void(BcscPointers<T, std::int32_t, F> const&, T, DenseMatrix<T const> const&, T, DenseMatrix<T> const&,
                   BcscThreadTilesTuning const&, cudaStream_t)>(bcsc_spmm_thread_tiles);
  });
}

}  // namespace araia::cuda
