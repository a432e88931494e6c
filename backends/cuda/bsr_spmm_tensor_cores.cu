// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = alpha A B + beta C on the tensor cores, A in BSR as it is: double by DMMA, float in TF32, 3xTF32, halves or
// bfloat16. Computed is C^T = B^T A^T: columns of B are the 16 rows of an MMA, rows of a block its 8 columns, and the
// columns of a block row's blocks, one block after the other, its depth. So blocks of any width fill the depth, and
// what is idle is 1 - r / 8 of the tensor cores where a block has r < 8 rows (C = A B would idle 1 - r / 16 of them).
// Several block rows side by side would not help: they have no columns of B in common.
// Mapping  warp: a block row and `packs` x 128 bytes of its rows of C
//          lane 4 g + t: 16 bytes of every 128, in the rows of B of slots t, t + 4, .. of the depth; row g of the
//          blocks
//
//            B^T (16, 8) by lanes                 A^T (8, 8) by lanes             sums (16, 8)
//            columns 2 g, 2 g + 1        x        slots t, t + 4 of row g   ->    columns 2 g, 2 g + 1
//            of rows of slots t, t + 4            of 8 / c blocks                 of rows 2 t, 2 t + 1
//
//          Which column of B is which row of the MMA is free, so a lane's two (float: four) are neighbours: one access
//          of 16 bytes. 32 block columns of the block row are read at once and handed round by shuffles; values and
//          places of the next slots come while the rows of B of these do. Warps of a block divide long block rows
//          (`split`) and add up through shared memory, in their order.
// Traffic  a block: 4 + r c sizeof(T) bytes of A a tile of columns (from L1 for `column_warps` tiles), a row of B once
//          for r rows of A, so 1 / r of what a Csr takes. Barriers: two for every warp that adds to another.
// Suits    a Bsr from four columns on, blocks of eight rows and more in double. What bounds it is memory, up to 16 rows
//          of double (flop a byte of B from L2 beyond it). Rows of 24 idle a quarter of the tensor cores, as they take
//          32.
// Fill is multiplied. Slots behind the last block and columns behind the matrix's last are zeros on both sides.
// Halves of infinity are NaN, and halves overflow: sums of float that are not finite are made again, slot by slot.

#include "backends/cuda/bsr_spmm_tensor_cores.hpp"

#include <araia/detail/formats/type_list.hpp>

#include <algorithm>
#include <string>

#include "backends/cuda/bsr_tensor_step.cuh"
#include "backends/cuda/check.hpp"
#include "backends/cuda/exact_rows.cuh"
#include "backends/cuda/memory.cuh"
#include "backends/cuda/overlap.cuh"

namespace araia::cuda {
namespace {

constexpr int warp_size = 32;
constexpr int most_warps = 8;     // of a block
constexpr int usual_warps = 4;    // of a block, where its shape takes no more
constexpr unsigned no_row = ~0u;  // of B
constexpr char const* name = "araia: bsr_spmm_tensor_cores";

template <class T>
struct BsrTensorArguments {
  void const* block_offsets;
  std::int32_t const* block_col_indices;
  T const* values;
  T const* b;
  T* c;
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t c_stride;  // elements
  std::int64_t block_row_count;
  std::uint32_t b_pitch;  // bytes
  unsigned cols;
  unsigned row_blocks;  // of the grid, for a tile of columns
  int block_rows;
  int block_cols;
  int split;
  int column_warps;
  bool wide_offsets;
  T alpha;
  T beta;

  __device__ std::int64_t offset(std::int64_t i) const {
    return wide_offsets ? static_cast<std::int64_t const*>(block_offsets)[i]
                        : static_cast<std::int32_t const*>(block_offsets)[i];
  }
};

/// One entry of A B by A's slots, in float.
template <class T>
__device__ __noinline__ T exact_slots(BsrTensorArguments<T> const* args, std::int64_t block_row, int in_block,
                                      std::int64_t column) {
  T sum{};
  for (std::int64_t k = args->offset(block_row); k < args->offset(block_row + 1); ++k)
    for (int j = 0; j < args->block_cols; ++j) {
      unsigned const row = static_cast<unsigned>(args->block_col_indices[k]) * args->block_cols + j;
      if (row >= args->cols) break;
      auto const* const from = reinterpret_cast<char const*>(args->b) + static_cast<std::uint64_t>(row) * args->b_pitch;
      sum += args->values[(k * args->block_rows + in_block) * args->block_cols + j] *
             reinterpret_cast<T const*>(from)[column];
    }
  return sum;
}

/// Sums of a block row's warps to the first of them, in their order. All warps of the block come here.
template <class S, class T>
__device__ __forceinline__ void add_up(typename S::Sums& sum, T* shared, int part, int split, int lane) {
  auto const each = [&](auto const& body) {
    int k = lane;
#pragma unroll
    for (auto& pack : sum)
#pragma unroll
      for (auto& tile : pack)
#pragma unroll
        for (auto& rows : tile)
#pragma unroll
          for (T& element : rows) body(element, shared[k]), k += warp_size;
  };
  for (int from = 1; from < split; ++from) {
    if (part == from) each([](T& mine, T& there) { there = mine; });
    __syncthreads();  // the part is there
    if (part == 0) each([](T& mine, T& there) { mine += there; });
    __syncthreads();  // it is read before the next one
  }
}

template <class T, Precision P, int HEIGHT, int PACKS, int SLOTS, bool VECTORS>
__global__ void __launch_bounds__(most_warps* warp_size, BsrTensorShape<T, P, HEIGHT, PACKS, SLOTS>::blocks_resident)
    block_rows_product(__grid_constant__ BsrTensorArguments<T> const args) {
  using S = BsrTensorShape<T, P, HEIGHT, PACKS, SLOTS>;
  constexpr int width = S::width;
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  int const g = lane / 4;
  int const t = lane % 4;
  int const part = warp % args.split;
  int const owner = warp / args.split;  // one of the block's tiles of C
  unsigned const column_block = blockIdx.x / args.row_blocks;
  int const rows_of_block = static_cast<int>(blockDim.x) / warp_size / (args.split * args.column_warps);
  std::int64_t const block_row =
      static_cast<std::int64_t>(blockIdx.x - column_block * args.row_blocks) * rows_of_block +
      owner / args.column_warps;
  std::int64_t const column0 =
      (static_cast<std::int64_t>(column_block) * args.column_warps + owner % args.column_warps) * S::tile_columns;
  bool const works = block_row < args.block_row_count && column0 < args.columns;

  // Of this lane: neighbours, or, where 16-byte accesses do not fit, columns 8 apart.
  auto const column_of = [&](int p, int v) { return column0 + p * 8 * width + (VECTORS ? g * width + v : v * 8 + g); };
  // Accesses of a row of B before its end: they are equally far apart.
  constexpr int step = VECTORS ? 8 * width : 8;
  std::int64_t const left_columns = args.columns - column_of(0, 0);
  int const accesses = left_columns <= 0                     ? 0
                       : left_columns < step * width * PACKS ? static_cast<int>(left_columns - 1) / step + 1
                                                             : width * PACKS;
  T const* const lane_b = args.b + column_of(0, 0);

  wait_for_predecessor();
  let_successor_start();
  std::int64_t first = 0;
  std::int64_t last = 0;
  if (works) {
    std::int64_t const start = args.offset(block_row);
    std::int64_t const count = args.offset(block_row + 1) - start;
    first = start + count * part / args.split;
    last = start + count * (part + 1) / args.split;
  }

  int const step_blocks = 4 / args.block_cols;
  int const step_cols = 4 % args.block_cols;
  int const block_slots = args.block_rows * args.block_cols;
  int const step_places = step_blocks * block_slots + step_cols;
  int const first_block = t / args.block_cols;
  int const first_col = t % args.block_cols;
  typename S::Sums sum = {};
  std::int32_t next_cols = first + lane < last ? load_once(args.block_col_indices + first + lane) : 0;
  for (std::int64_t segment = first; segment < last; segment += warp_size) {
    int const blocks = last - segment < warp_size ? static_cast<int>(last - segment) : warp_size;
    std::int32_t const block_cols = next_cols;
    if (segment + warp_size + lane < last) next_cols = load_once(args.block_col_indices + segment + warp_size + lane);
    T const* const row_values = args.values + (segment * args.block_rows + g) * args.block_cols;
    int block = first_block;  // of the segment, its column and its place: the slot that comes next
    int col = first_col;
    int place = first_block * block_slots + first_col;
    unsigned rows[S::slots];
    typename S::Values value;
    auto const fetch = [&] {
#pragma unroll
      for (int u = 0; u < S::slots; ++u) {
        unsigned const row =
            static_cast<unsigned>(__shfl_sync(~0u, block_cols, block)) * static_cast<unsigned>(args.block_cols) + col;
        rows[u] = block < blocks && row < args.cols ? row : no_row;
#pragma unroll
        for (int n = 0; n < HEIGHT; ++n)
          value[u][n] = load_once_below(block, rows[u] != no_row && g + 8 * n < args.block_rows ? blocks : 0,
                                        row_values + place + 8 * n * args.block_cols);
        block += step_blocks, col += step_cols, place += step_places;
        if (col >= args.block_cols) ++block, col -= args.block_cols, place += block_slots - args.block_cols;
      }
    };
    fetch();
    for (int left = blocks * args.block_cols; left > 0; left -= 4 * S::slots) {
      typename S::PacksOfB b;
#pragma unroll
      for (int u = 0; u < S::slots; ++u) {
        auto const* const from = reinterpret_cast<T const*>(reinterpret_cast<char const*>(lane_b) +
                                                            static_cast<std::uint64_t>(rows[u]) * args.b_pitch);
#pragma unroll
        for (int p = 0; p < PACKS; ++p) {
          b[u][p] = {};
          if constexpr (VECTORS) {
            if (rows[u] == no_row || p >= accesses) continue;
            auto const bits = *reinterpret_cast<uint4 const*>(from + p * step);
            b[u][p] = *reinterpret_cast<typename S::PackOfColumns const*>(&bits);
          } else {
#pragma unroll
            for (int v = 0; v < width; ++v)
              if (rows[u] != no_row && p * width + v < accesses) b[u][p].at[v] = from[(p * width + v) * step];
          }
        }
      }
      typename S::Values now;
#pragma unroll
      for (int u = 0; u < S::slots; ++u)
#pragma unroll
        for (int n = 0; n < HEIGHT; ++n) now[u][n] = value[u][n];
      if (left > 4 * S::slots) fetch();
      multiply<S, P>(b, now, sum);
    }
  }

  if (args.split > 1)
    add_up<S>(sum, reinterpret_cast<T*>(shared_bytes) + owner * (sizeof(sum) / sizeof(T) * warp_size), part, args.split,
              lane);
  if (!works || part > 0) return;
#pragma unroll
  for (int n = 0; n < HEIGHT; ++n)
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      int const in_block = 8 * n + 2 * t + i;
      std::int64_t const row = block_row * args.block_rows + in_block;
      if (in_block >= args.block_rows || row >= args.rows) continue;
      T* const to = args.c + row * args.c_stride;
#pragma unroll
      for (int p = 0; p < PACKS; ++p) {
        typename S::PackOfColumns out;
#pragma unroll
        for (int v = 0; v < width; ++v) {
          T total = sum[p][v / 2][n][v % 2 * 2 + i];
          std::int64_t const column = column_of(p, v);
          if (column >= args.columns) continue;
          if constexpr (P != Precision::native)
            if (!is_finite(total)) total = exact_slots(&args, block_row, in_block, column);
          out.at[v] = args.beta == T{} ? args.alpha * total : args.alpha * total + args.beta * to[column];
          if constexpr (!VECTORS) to[column] = out.at[v];
        }
        if constexpr (VECTORS)
          if (column_of(p, 0) < args.columns)
            __stcs(reinterpret_cast<uint4*>(to + column_of(p, 0)), *reinterpret_cast<uint4 const*>(&out));
      }
    }
}

template <class T, Precision P, int HEIGHT, int PACKS, int SLOTS, bool VECTORS>
void launch(BsrTensorArguments<T> args, cudaStream_t stream) {
  using S = BsrTensorShape<T, P, HEIGHT, PACKS, SLOTS>;
  int const owners = std::max(args.column_warps, usual_warps / args.split);
  int const rows_of_block = owners / args.column_warps;
  std::int64_t const tile = static_cast<std::int64_t>(S::tile_columns) * args.column_warps;
  std::int64_t const tiles = (args.columns + tile - 1) / tile;
  args.row_blocks = grid_blocks(args.block_row_count, rows_of_block, name);
  std::size_t const shared =
      args.split > 1 ? sizeof(typename S::Sums) * warp_size * static_cast<std::size_t>(owners) : 0;
  launch_overlapped(block_rows_product<T, P, HEIGHT, PACKS, SLOTS, VECTORS>,
                    grid_blocks(args.row_blocks * tiles, 1, name),
                    static_cast<unsigned>(owners * args.split * warp_size), shared, stream, name, args);
}

template <class T, Precision P, int HEIGHT>
void launch(BsrTensorArguments<T> const& args, BsrTensorTuning const& tuning, bool vectors, cudaStream_t stream) {
  constexpr bool short_scalars = P == Precision::fp16 || P == Precision::bf16;  // of whose slots an MMA takes four
  auto const with = [&]<int PACKS, int SLOTS>() {
    if (vectors)
      launch<T, P, HEIGHT, PACKS, SLOTS, true>(args, stream);
    else
      launch<T, P, HEIGHT, PACKS, SLOTS, false>(args, stream);
  };
  auto const with_packs = [&]<int PACKS>() {
    with.template operator() < PACKS, short_scalars || HEIGHT* PACKS<4 ? 4 : 2>();
  };
  if constexpr (HEIGHT == 1)
    if (tuning.deep) return with.template operator()<1, 8>();
  if constexpr (HEIGHT < 4)
    if (tuning.packs == 4) return with_packs.template operator()<4>();
  if (tuning.packs == 2) return with_packs.template operator()<2>();
  with_packs.template operator()<1>();
}

template <Precision P, class T>
void launch(BsrTensorArguments<T> const& args, BsrTensorTuning const& tuning, bool vectors, cudaStream_t stream) {
  if (args.block_rows <= 8)
    launch<T, P, 1>(args, tuning, vectors, stream);
  else if (args.block_rows <= 16)
    launch<T, P, 2>(args, tuning, vectors, stream);
  else
    launch<T, P, 4>(args, tuning, vectors, stream);
}

void check_tuning(int block_rows, BsrTensorTuning const& t) {
  auto const is_one_of = [](int value, int most) { return value == 1 || value == 2 || value == 4 || value == most; };
  if (!is_one_of(t.packs, 4) || t.packs > most_bsr_tensor_packs(block_rows) || !is_one_of(t.column_warps, 4) ||
      !is_one_of(t.split, 8) || t.column_warps * t.split > most_warps || (t.deep && (t.packs > 1 || block_rows > 8)))
    throw Error(ErrorKind::invalid_argument,
                std::string(name) + ": packs, column_warps, split, deep are " + std::to_string(t.packs) + ", " +
                    std::to_string(t.column_warps) + ", " + std::to_string(t.split) + ", " + std::to_string(t.deep) +
                    ", expected 1, 2 or 4 packs (1 or 2 for more than 16 rows), 1, 2 or 4 and 1, 2, 4 or 8 warps, at "
                    "most 8 together, deep with 1 pack of blocks of up to 8 rows");
}

}  // namespace

template <class T, class Offset>
void bsr_spmm_tensor_cores(BsrPointers<T, std::int32_t, Offset> const& a, Precision precision, T alpha,
                           DenseMatrix<T const> const& b, T beta, DenseMatrix<T> const& c,
                           BsrTensorTuning const& tuning, cudaStream_t stream) {
  if (!has_bsr_tensor_cores<T>(precision))
    throw Error(ErrorKind::unsupported, std::string(name) + ": precision is " + precision_name(precision) +
                                            ", expected native for double, another for float");
  if (!bsr_tensor_cores_support(a, b, c))
    throw Error(ErrorKind::unsupported,
                std::string(name) +
                    ": expected blocks of 1 to 32 rows and columns with values, row-major B and C, "
                    "fewer than 2^32 - 31 columns, rows of B less than 4 GiB apart");
  check_tuning(a.block_rows, tuning);
  if (c.rows == 0 || c.columns == 0) return;
  BsrTensorArguments<T> const args{
      .block_offsets = a.block_offsets,
      .block_col_indices = a.block_col_indices,
      .values = a.values,
      .b = b.data,
      .c = c.data,
      .rows = a.rows,
      .columns = c.columns,
      .c_stride = c.row_stride,
      .block_row_count = (a.rows - 1) / a.block_rows + 1,
      .b_pitch = static_cast<std::uint32_t>(b.row_stride * static_cast<std::int64_t>(sizeof(T))),
      .cols = static_cast<unsigned>(a.cols),
      .row_blocks = 0,
      .block_rows = a.block_rows,
      .block_cols = a.block_cols,
      .split = tuning.split,
      .column_warps = tuning.column_warps,
      .wide_offsets = sizeof(Offset) == 8,
      .alpha = alpha,
      .beta = beta,
  };
  bool const vectors = rows_fit(b.data, b.row_stride, c.columns, 16) && rows_fit(c.data, c.row_stride, c.columns, 16);
  if constexpr (sizeof(T) == sizeof(double)) {
    launch<Precision::native>(args, tuning, vectors, stream);
  } else {
    switch (precision) {
      case Precision::fp32_3xtf32: return launch<Precision::fp32_3xtf32>(args, tuning, vectors, stream);
      case Precision::fp16: return launch<Precision::fp16>(args, tuning, vectors, stream);
      case Precision::bf16: return launch<Precision::bf16>(args, tuning, vectors, stream);
      default: return launch<Precision::tf32>(args, tuning, vectors, stream);
    }
  }
}

[[gnu::used]] static void write_out_bsr_spmm_tensor_cores() {
  using namespace araia::detail;
  for_types<AllReals, AllOffsets>([&]<class T, class F>() { write_out(bsr_spmm_tensor_cores<T, F>); });
}

}  // namespace araia::cuda
