// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = alpha A B + beta C, A in groups of rows (packing.hpp), B and C row-major; a few lanes own a group and a tile of
// columns.
// Mapping  block: up to 8 warps | warp: a slice, and a tile of columns of C | lane: group lane / lanes of the slice,
//          PACKS packs of V columns, `lanes` packs apart; all sums in registers. A step of four columns of A: four
//          rows of B in flight for each group, 16 bytes a lane and pack, each multiplied by the values of G rows.
//
//            lanes 0..7      8..15          16..23         24..31          (4 groups of 3 rows, 32 columns of float)
//            rows 0, 1, 2    rows 3, 4, 5   rows 6, 7, 8   rows 9, 10, 11
//            own columns k0, k1, k2, k3 of A each
//
//          SPLIT: a slice has fewer groups, whose steps go in equal parts to as many sets of their lanes, so that
//          there are more warps; sums of the parts are added by shuffles at the end.
//
//            lanes 0..7      8..15          16..23         24..31          (2 groups in 2 parts)
//            rows 0, 1, 2    rows 3, 4, 5   rows 0, 1, 2   rows 3, 4, 5
//            first half of the steps        second half
//
//          Single rows that are long lie in parts side by side in their slice; sums are added by shuffles.
//
//            lanes 0..3   4..7         8..11   12..15   ...  (8 groups a slice, rows in 2 parts)
//            row 0        more of it   row 1   more of it
//
// Traffic  a group's column: 4 + G sizeof(T) bytes of A a tile, sizeof(T) * columns of B from L1 or L2, so 1 / r of
//          what a Csr takes with r = nnz / group columns. Neighbouring groups run side by side: what they share, L1
//          serves.
// Suits    few columns and short rows (no lane idles, no sums over lanes); rows that share columns (G > 1).

#include "backends/cuda/spmm/csr_row_groups/kernel.hpp"

#include <araia/detail/formats/type_list.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "backends/cuda/check.hpp"
#include "backends/cuda/exact_rows.cuh"
#include "backends/cuda/memory.cuh"
#include "backends/cuda/overlap.cuh"

namespace araia::cuda {
namespace {

constexpr int warp_size = 32;
constexpr int warps = 8;  // of a block of cut_rows, and at most of one of row_groups
// Of cut rows: one of many segments has a block of more warps, and blocks start early only where they are few
// (docs/lab/cuda_kernels.md).
constexpr int warps_of_many_segments = 32;
constexpr std::int32_t many_segments = 64;
constexpr int early_warps = 16;  // of a multiprocessor
constexpr char const* name = "araia: row_groups_spmm";

template <class T>
struct GroupArguments {
  GroupPointers<T> a;
  ExactRowsOf<T> exact;
  T const* b;
  T* c;
  T* workspace;
  std::uint32_t b_pitch;  // bytes
  std::int64_t c_stride;  // elements
  std::int64_t columns;
  unsigned run_blocks;
  unsigned prefetch_distance;    // thread blocks from one to that whose part of A it prefetches; 0: none
  std::uint64_t steps_of_block;  // of A, in 2^-32
  int lanes_log2;                // of a group, or a part of one; of cut_rows, of a segment
  int parts_log2;                // of a group
  T alpha;
  T beta;
};

template <class T>
__device__ __noinline__ T exact_entry(GroupArguments<T> const* args, std::int32_t row, std::int64_t column) {
  return exact_sum(args->exact, args->b, args->b_pitch / static_cast<std::int64_t>(sizeof(T)), row, column, 0,
                   args->a.cols);
}

template <class T>
__device__ __forceinline__ std::int64_t row_of_c(GroupArguments<T> const& args, std::int32_t stored) {
  return args.exact.row_permutation ? args.exact.row_permutation[stored] : stored;
}

template <int V, class T>
__device__ __forceinline__ Pack<T, V> load_b(char const* base, std::int32_t column, std::uint32_t pitch) {
  auto const* const from = base + static_cast<std::uint64_t>(static_cast<std::uint32_t>(column)) * pitch;
  if constexpr (V * sizeof(T) == 16) {
    auto const bits = *reinterpret_cast<uint4 const*>(from);
    return *reinterpret_cast<Pack<T, V> const*>(&bits);
  } else {
    static_assert(V == 1);
    return {*reinterpret_cast<T const*>(from)};
  }
}

// A is prefetched where groups have several rows, which come a slice a warp, and a tile has so much of a row of B.
// Narrower tiles leave L2 too little time for it.
constexpr std::int64_t least_tile_bytes_of_prefetch = 256;

/// Prefetches about the part of A that a later block reads: its share of all steps, as to know it exactly takes a load
/// of offsets. Values may still be written by the kernel before: what is brought to L2 is not read yet, and L2 is where
/// such writes arrive.
template <class T, int G>
__device__ __forceinline__ void prefetch_part_of_a(GroupArguments<T> const& args, unsigned block) {
  std::uint64_t const to = block + args.prefetch_distance;
  if (to >= args.run_blocks) return;
  auto const groups = static_cast<std::uint64_t>(args.a.shape.slice_groups);
  std::uint64_t const first = (args.steps_of_block * to >> 32) * groups * step_columns;
  std::uint64_t const last = (args.steps_of_block * (to + 1) >> 32) * groups * step_columns;
  bring_to_l2(args.a.col_indices + first, (last - first) * sizeof(std::int32_t));
  bring_to_l2(args.a.values + first * G, (last - first) * G * sizeof(T));
}

// Registers for the warps that hide the way to L2: sums, a step's rows of B, values of a column. Kernels of parts run
// where warps are few and have more: with as many as others the compiler multiplies before all loads of B are issued.
template <class T, int G, int PACKS, int V, bool SPLIT>
constexpr int blocks_resident() {
  constexpr int words = static_cast<int>(sizeof(T)) / 4 * PACKS * V;
  constexpr int state = SPLIT ? 50 : 34;
  constexpr int registers = state + G * words + step_columns * words + G * 4 * static_cast<int>(sizeof(T)) / 8;
  return registers <= 40    ? 6
         : registers <= 48  ? 5
         : registers <= 64  ? 4
         : registers <= 84  ? 3
         : registers <= 128 ? 2
                            : 1;
}

/// Computed where it is needed: a register more in the loop over steps would hold back a load of B.
__device__ __forceinline__ int part_of_lane(int parts_log2) {
  int lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane >> (5 - parts_log2);
}

template <class T, int G, int PACKS, int V, bool SPLIT>
__global__ void __launch_bounds__(warps* warp_size, blocks_resident<T, G, PACKS, V, SPLIT>())
    row_groups(__grid_constant__ GroupArguments<T> const args) {
  constexpr int width = 16 / sizeof(T);
  constexpr int value_packs = step_columns * G / width;  // of a group's values in a step
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  unsigned const column_tile = blockIdx.x / args.run_blocks;
  std::int64_t const run =
      (static_cast<std::int64_t>(blockIdx.x - column_tile * args.run_blocks) * blockDim.x + threadIdx.x) / warp_size;
  bool const works = run < args.a.runs;
  if constexpr (G > 1)
    if (args.prefetch_distance > 0) prefetch_part_of_a<T, G>(args, blockIdx.x - column_tile * args.run_blocks);
  int const side = warp_size >> (SPLIT ? args.lanes_log2 + args.parts_log2 : args.lanes_log2);  // groups of a slice
  int const group = SPLIT ? lane >> args.lanes_log2 & (side - 1) : lane >> args.lanes_log2;
  int const lanes = 1 << args.lanes_log2;

  std::int64_t const first_column =
      static_cast<std::int64_t>(column_tile) * lanes * PACKS * V + (lane & (lanes - 1)) * V;
  // Packs beyond the last column read the row's first instead.
  char const* base[PACKS];
#pragma unroll
  for (int p = 0; p < PACKS; ++p)
    base[p] = reinterpret_cast<char const*>(
        args.b + (first_column + p * lanes * V < args.columns ? first_column + p * lanes * V : 0));

  // Groups of several rows come a slice a warp, without the run's state: it cost up to a third of the time in
  // registers.
  constexpr bool has_runs = G == 1;
  static_assert(!(has_runs && SPLIT));
  int first_slice = static_cast<int>(works ? run : 0);
  int slices = works ? 1 : 0;
  if constexpr (has_runs) {
    first_slice = args.a.run_offsets[first_slice];
    slices = works ? args.a.run_offsets[run + 1] - first_slice : 0;
  }
  int const starts = has_runs ? args.a.slice_offsets[first_slice + min(lane, slices)] : 0;  // of first_slice + lane
  int step = has_runs ? __shfl_sync(~0u, starts, 0) : args.a.slice_offsets[first_slice];
  int end_of_run = has_runs ? __shfl_sync(~0u, starts, slices) : works ? args.a.slice_offsets[first_slice + 1] : step;
  if constexpr (SPLIT) {
    int const part = part_of_lane(args.parts_log2);
    std::int64_t const steps = end_of_run - step;
    end_of_run = step + static_cast<int>(steps * (part + 1) >> args.parts_log2);
    step += static_cast<int>(steps * part >> args.parts_log2);
  }
  std::int32_t const* cols = args.a.col_indices + (static_cast<std::int64_t>(step) * side + group) * step_columns;
  T const* values = args.a.values + (static_cast<std::int64_t>(step) * value_packs * side + group) * width;
  Pack<std::int32_t, step_columns> next{};
  if (step < end_of_run) next = load_once<step_columns>(cols);
  wait_for_predecessor();
  let_successor_start();
  for (int s = 0; s < (has_runs ? slices : 1); ++s) {
    int const end = has_runs ? __shfl_sync(~0u, starts, s + 1) : end_of_run;
    std::int32_t const* const stored_rows =
        args.a.row_order + (static_cast<std::int64_t>(first_slice + s) * side + group) * G;
    std::int32_t early_row = has_runs ? *stored_rows : 0;
    T sum[G][PACKS][V] = {};
    for (; step < end; ++step) {
      auto const now = next;
      cols += side * step_columns;
      if (step + 1 < end_of_run) next = load_once<step_columns>(cols);
      Pack<T, V> b[step_columns][PACKS];
#pragma unroll
      for (int k = 0; k < step_columns; ++k)
#pragma unroll
        for (int p = 0; p < PACKS; ++p) b[k][p] = load_b<V, T>(base[p], now.at[k], args.b_pitch);
      Pack<T, width> value[value_packs];
#pragma unroll
      for (int i = 0; i < value_packs; ++i) value[i] = load_once<width>(values + i * side * width);
      values += value_packs * side * width;
#pragma unroll
      for (int k = 0; k < step_columns; ++k)
#pragma unroll
        for (int r = 0; r < G; ++r) {
          T const a = value[(k * G + r) / width].at[(k * G + r) % width];
#pragma unroll
          for (int p = 0; p < PACKS; ++p)
#pragma unroll
            for (int v = 0; v < V; ++v) sum[r][p][v] += a * b[k][p].at[v];
        }
    }

    if constexpr (SPLIT)
      for (int distance = lanes * side; distance < warp_size; distance *= 2)
#pragma unroll
        for (int r = 0; r < G; ++r)
#pragma unroll
          for (int p = 0; p < PACKS; ++p)
#pragma unroll
            for (int v = 0; v < V; ++v) sum[r][p][v] += __shfl_xor_sync(~0u, sum[r][p][v], distance);
    if constexpr (has_runs)
      if (unsigned const others = __ballot_sync(~0u, early_row == part_of_row_before)) {
        // The slice's first row has as many lanes as each of them: those up to the next row's. 2 lanes a part:
        //
        //   lane        0 1    2 3    4 5    6 7    8 9  ...
        //   early_row   i      more   more   more   j         lanes_of_row 8: distances 2 and 4
        int const lanes_of_row = __ffs(static_cast<int>(~(others >> lanes))) - 1 + lanes;
        for (int distance = lanes; distance < lanes_of_row; distance *= 2)
#pragma unroll
          for (int p = 0; p < PACKS; ++p)
#pragma unroll
            for (int v = 0; v < V; ++v) sum[0][p][v] += __shfl_xor_sync(~0u, sum[0][p][v], distance);
        if (early_row == part_of_row_before) early_row = -1;
      }
    if (!works) return;
    int const part = SPLIT ? part_of_lane(args.parts_log2) : 0;
#pragma unroll
    for (int r = 0; r < G; ++r) {
      if (SPLIT && (r & ((1 << args.parts_log2) - 1)) != part) continue;  // each part stores rows of its own
      std::int32_t const stored = has_runs ? early_row : stored_rows[r];
      if (stored == -1) continue;
      T* const to = stored >= 0 ? args.c + row_of_c(args, stored) * args.c_stride
                                : args.workspace + (-2 - static_cast<std::int64_t>(stored)) * args.columns;
#pragma unroll
      for (int p = 0; p < PACKS; ++p) {
        std::int64_t const column = first_column + p * lanes * V;
        if (column >= args.columns) continue;
        Pack<T, V> out;
#pragma unroll
        for (int v = 0; v < V; ++v) {
          T total = sum[r][p][v];
          if (stored < 0) {  // a segment: looked at when its row is whole
            out.at[v] = total;
          } else {
            if (!is_finite(total)) total = exact_entry(&args, stored, column + v);
            out.at[v] = args.beta == T{} ? args.alpha * total : args.alpha * total + args.beta * to[column + v];
          }
        }
        if constexpr (V > 1)
          __stcs(reinterpret_cast<uint4*>(to + column), *reinterpret_cast<uint4 const*>(&out));
        else
          to[column] = out.at[0];
      }
    }
  }
}

// Segments of a row that was cut: a block owns a row and up to 32 columns, `width` lanes a segment, so that by few
// columns a warp reads several at once. Each set of lanes adds up every `sets`-th, warps and the block what is theirs.
template <class T, int WARPS>
__global__ void __launch_bounds__(WARPS* warp_size) cut_rows(__grid_constant__ GroupArguments<T> const args) {
  __shared__ T partial[WARPS][warp_size];
  CutRow const cut = args.a.cut_rows[blockIdx.x];
  wait_for_predecessor();
  let_successor_start();
  int const width = 1 << args.lanes_log2;
  int const sets = WARPS * warp_size >> args.lanes_log2;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  int const first = static_cast<int>(threadIdx.x) >> args.lanes_log2;
  std::int64_t const stride = static_cast<std::int64_t>(cut.stride) * args.columns;  // of segments
  for (std::int64_t tile = blockIdx.y; tile << args.lanes_log2 < args.columns; tile += gridDim.y) {
    std::int64_t const column = (tile << args.lanes_log2) + (lane & (width - 1));
    bool const owns = column < args.columns;
    T const* segment = args.workspace + cut.first * args.columns + first * stride + column;
    T sum{};
    if (owns)
#pragma unroll 4
      for (int p = first; p < cut.count; p += sets, segment += sets * stride) sum += *segment;
    for (int distance = width; distance < warp_size; distance *= 2) sum += __shfl_xor_sync(~0u, sum, distance);
    partial[warp][lane] = sum;
    __syncthreads();  // sums of other warps
    if (warp == 0 && lane < width && owns) {
      T total{};
      for (int w = 0; w < WARPS; ++w) total += partial[w][lane];
      if (!is_finite(total)) total = exact_entry(&args, cut.row, column);
      store_scaled(args.c + row_of_c(args, cut.row) * args.c_stride + column, args.alpha, total, args.beta);
    }
    __syncthreads();  // partial is read before the next tile's sums
  }
}

template <class T>
void launch_cut_rows(GroupArguments<T> args, cudaStream_t stream) {
  args.lanes_log2 = 0;
  while (args.lanes_log2 < 5 && 1 << args.lanes_log2 < args.columns) ++args.lanes_log2;
  std::int64_t const tiles = (args.columns + warp_size - 1) / warp_size;
  dim3 const grid(grid_blocks(args.a.cut, 1, name), static_cast<unsigned>(std::min<std::int64_t>(tiles, 65535)));
  auto const launch = [&](auto const kernel, std::int64_t threads, bool early) {
    launch_overlapped(early, kernel, grid, static_cast<unsigned>(threads), 0, stream, name, args);
  };
  std::int64_t const most_warps = early_warps * multiprocessors_of_device(name);
  std::int64_t const blocks = args.a.cut * tiles;
  if (args.a.most_segments > many_segments && blocks * warps_of_many_segments <= most_warps)
    launch(cut_rows<T, warps_of_many_segments>, warps_of_many_segments * warp_size, true);
  else
    launch(cut_rows<T, warps>, warps * warp_size, blocks * warps <= most_warps);
}

template <class T, int G, int PACKS, int V, bool SPLIT>
void launch_parts(GroupArguments<T> args, int block_warps, cudaStream_t stream) {
  std::int64_t const tile = static_cast<std::int64_t>(1 << args.lanes_log2) * PACKS * V;
  std::int64_t const tiles = (args.columns + tile - 1) / tile;
  std::int64_t const run_blocks = (args.a.runs + block_warps - 1) / block_warps;
  if (run_blocks == 0 || tiles == 0) return;
  args.run_blocks = static_cast<unsigned>(run_blocks);
  if constexpr (G > 1)
    if (std::min(tile, args.columns) * static_cast<std::int64_t>(sizeof(T)) >= least_tile_bytes_of_prefetch) {
      // About half of what a device holds at once.
      args.prefetch_distance = static_cast<unsigned>(
          multiprocessors_of_device(name) * blocks_resident<T, G, PACKS, V, SPLIT>() * warps / (2 * block_warps));
      args.steps_of_block = (static_cast<std::uint64_t>(args.a.steps) << 32) / static_cast<std::uint64_t>(run_blocks);
    }
  launch_overlapped(row_groups<T, G, PACKS, V, SPLIT>, grid_blocks(run_blocks * tiles, 1, name),
                    static_cast<unsigned>(block_warps * warp_size), 0, stream, name, args);
}

template <class T, int G, int PACKS, int V>
void launch(GroupArguments<T> const& args, int block_warps, cudaStream_t stream) {
  if constexpr (G > 1)
    if (args.parts_log2 > 0) return launch_parts<T, G, PACKS, V, true>(args, block_warps, stream);
  launch_parts<T, G, PACKS, V, false>(args, block_warps, stream);
}

[[noreturn]] void refuse(GroupShape const& shape, RowGroupsTuning const& tuning) {
  throw Error(ErrorKind::invalid_argument,
              std::string(name) + ": group_rows, packs, words, slice_groups, parts, block_warps are " +
                  std::to_string(shape.group_rows) + ", " + std::to_string(tuning.packs) + ", " +
                  std::to_string(tuning.words) + ", " + std::to_string(shape.slice_groups) + ", " +
                  std::to_string(tuning.parts) + ", " + std::to_string(tuning.block_warps) +
                  ", expected 1 to 4 rows, 1, 2 or (1 row) 4 packs, 0 or 2 to 6 words (0: several rows of double), "
                  "parts a power of two up to 32 / slice_groups (1: 1 row), and block_warps 1 to 8");
}

template <class T, int G, int PACKS>
void launch(GroupArguments<T> const& args, int block_warps, bool vectors, cudaStream_t stream) {
  constexpr int width = 16 / sizeof(T);
  if (vectors)
    launch<T, G, PACKS, width>(args, block_warps, stream);
  else
    launch<T, G, PACKS * width, 1>(args, block_warps, stream);
}

template <class T, int G>
void launch(GroupArguments<T> const& args, RowGroupsTuning const& tuning, bool vectors, cudaStream_t stream) {
  if constexpr (G == 1 || sizeof(T) == sizeof(float)) switch (tuning.words) {
      case 0: break;
      case 2: return launch<T, G, 2, 1>(args, tuning.block_warps, stream);
      case 3: return launch<T, G, 3, 1>(args, tuning.block_warps, stream);
      case 4: return launch<T, G, 4, 1>(args, tuning.block_warps, stream);
      case 5: return launch<T, G, 5, 1>(args, tuning.block_warps, stream);
      case 6: return launch<T, G, 6, 1>(args, tuning.block_warps, stream);
      default: refuse(args.a.shape, tuning);
    }
  if (tuning.words != 0) refuse(args.a.shape, tuning);
  if constexpr (G == 1)
    if (tuning.packs == 4) return launch<T, G, 4>(args, tuning.block_warps, vectors, stream);
  if (tuning.packs == 2) return launch<T, G, 2>(args, tuning.block_warps, vectors, stream);
  if (tuning.packs == 1) return launch<T, G, 1>(args, tuning.block_warps, vectors, stream);
  refuse(args.a.shape, tuning);
}

}  // namespace

template <class T, class Offset>
void row_groups_spmm(GroupPointers<T> const& a, CsrPointers<T, std::int32_t, Offset> const& exact, T alpha,
                     DenseMatrix<T const> const& b, T beta, DenseMatrix<T> const& c, T* workspace,
                     RowGroupsTuning const& tuning, cudaStream_t stream) {
  constexpr std::int64_t most_pitch = std::numeric_limits<std::uint32_t>::max() / static_cast<std::int64_t>(sizeof(T));
  if (b.row_stride < 0 || b.row_stride > most_pitch)
    throw Error(ErrorKind::resource_limit, std::string(name) + ": row stride of B is " + std::to_string(b.row_stride) +
                                               ", expected 0 to " + std::to_string(most_pitch));
  auto const parts = static_cast<unsigned>(tuning.parts);
  if (tuning.parts < 1 || !std::has_single_bit(parts) || tuning.parts > warp_size / a.shape.slice_groups ||
      (a.shape.group_rows == 1 && parts > 1) || tuning.block_warps < 1 || tuning.block_warps > warps)
    refuse(a.shape, tuning);
  int const parts_log2 = std::countr_zero(parts);
  int const lanes_log2 = 5 - parts_log2 - std::countr_zero(static_cast<unsigned>(a.shape.slice_groups));
  GroupArguments<T> const args{
      .a = a,
      .exact = ExactRowsOf<T>(exact),
      .b = b.data,
      .c = c.data,
      .workspace = workspace,
      .b_pitch = static_cast<std::uint32_t>(b.row_stride * static_cast<std::int64_t>(sizeof(T))),
      .c_stride = c.row_stride,
      .columns = c.columns,
      .run_blocks = 0,
      .prefetch_distance = 0,
      .steps_of_block = 0,
      .lanes_log2 = lanes_log2,
      .parts_log2 = parts_log2,
      .alpha = alpha,
      .beta = beta,
  };
  bool const vectors = rows_fit(b.data, b.row_stride, c.columns, 16) && rows_fit(c.data, c.row_stride, c.columns, 16);
  switch (a.shape.group_rows) {
    case 1: launch<T, 1>(args, tuning, vectors, stream); break;
    case 2: launch<T, 2>(args, tuning, vectors, stream); break;
    case 3: launch<T, 3>(args, tuning, vectors, stream); break;
    case 4: launch<T, 4>(args, tuning, vectors, stream); break;
    default: refuse(a.shape, tuning);
  }
  if (a.cut > 0 && c.columns > 0) launch_cut_rows(args, stream);
}

[[gnu::used]] static void write_out_row_groups_spmm() {
  using namespace araia::detail;
  for_types<AllReals, AllOffsets>([&]<class T, class F>() { write_out(row_groups_spmm<T, F>); });
}

}  // namespace araia::cuda
