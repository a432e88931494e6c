// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// d(p) = alpha a(p) x(i, :) y(j, :)' + beta d(p) on a CSR; a block has a panel of Y in shared memory.
// Mapping  grid: panels of columns x blocks of rows | block: rows go round its warps; the part of a row in the panel is
//          found by a search, while the panel is on its way (asynchronous copies of 16 bytes) | warp, groups of lanes:
//          as in csr_sddmm_row_parts.cu, with Y from shared memory
//
//                          panel 0   panel 1   ...           the rows of Y that belong to a panel's columns: k scalars
//            rows 0 .. r    block     block                  each, read from L2 once a block instead of once an entry
//            rows r ..      block     block
//
//          Columns that do not ascend in a row still fall into parts that cover it exactly; those outside the panel are
//          read from memory.
// Traffic  an entry: 4 B of column, k scalars of Y from shared memory (without conflicts: eight lanes read 128
//          neighbouring bytes), the value; a block: its panel, a row of X for each of its rows.
// Tried    docs/lab/cuda_kernels.md.
// Suits    Y of some megabytes, rows of some entries in each panel: pruned networks. L1 cannot do the same: a miss
//          takes registers for as long as it takes.

#include <cuda_pipeline_primitives.h>
#include <araia/detail/formats/type_list.hpp>

#include "backends/cuda/check.hpp"
#include "backends/cuda/overlap.cuh"
#include "backends/cuda/sddmm/dots.cuh"
#include "backends/cuda/shared_memory.hpp"

namespace araia::cuda {
namespace {

// First entry of [first, last) whose column is `target` or above where columns ascend. Where they do not, still a
// partition: for a larger target never an earlier place, as both searches ask at the same places until they part.
template <class Offset>
__device__ __forceinline__ Offset lower_bound(std::int32_t const* columns, Offset first, Offset last,
                                              std::int32_t target) {
  Offset count = last - first;
  while (count > 0) {
    Offset const half = count / 2;
    if (columns[first + half] < target) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

template <class T, class Offset, int LANES, int CHUNKS, int FLIGHT, int WARPS, int BLOCKS>
__global__ void __launch_bounds__(WARPS* warp_size, BLOCKS)
    column_panels(SddmmArguments<T, Offset> const args, std::int32_t panel_columns) {
  constexpr int threads = WARPS * warp_size;
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  int const thread = static_cast<int>(threadIdx.x);
  int const warp = thread / warp_size;
  int const lane = thread % warp_size;
  unsigned const part = blockIdx.x / args.row_blocks;
  std::int64_t const first_row = static_cast<std::int64_t>(blockIdx.x - part * args.row_blocks) * args.rows_per_block;
  auto const rows = static_cast<int>(min(static_cast<std::int64_t>(args.rows_per_block), args.a.rows - first_row));
  std::int32_t const first_column = static_cast<std::int32_t>(part) * panel_columns;
  std::int32_t const columns = min(panel_columns, static_cast<std::int32_t>(args.a.cols) - first_column);

  auto* const panel = reinterpret_cast<T*>(shared_bytes);  // (columns, k)
  auto* const bounds =
      reinterpret_cast<Offset*>(panel + static_cast<std::int64_t>(panel_columns) * args.k);  // (rows, 2)
  wait_for_predecessor();  // it may have written any operand
  let_successor_start();
  {
    int const loads = static_cast<int>(args.k) / vector_of<T>;  // 16 bytes each
    int row = thread / loads;
    int load = thread % loads;
    while (row < columns) {
      __pipeline_memcpy_async(panel + (row * loads + load) * vector_of<T>,
                              args.y + (first_column + row) * args.y_row_stride + load * vector_of<T>, 16);
      row += threads / loads;
      load += threads % loads;
      if (load >= loads) load -= loads, ++row;
    }
    __pipeline_commit();
  }
  for (int i = thread; i < 2 * rows; i += threads) {
    Offset const first = args.a.row_offsets[first_row + i / 2];
    Offset const last = args.a.row_offsets[first_row + i / 2 + 1];
    std::int32_t const target = first_column + (i % 2 ? columns : 0);
    bounds[i] = target == 0             ? first
                : target == args.a.cols ? last
                                        : lower_bound(args.a.col_indices, first, last, target);
  }
  __pipeline_wait_prior(0);
  __syncthreads();  // the panel is whole, the bounds are known

  Dots<T, Offset, LANES, CHUNKS, FLIGHT, true, false> dots{args, lane, {}};
  auto const columns_at = [&](Offset at, Offset last) {
    return at < last ? args.a.col_indices[min(static_cast<Offset>(at + lane), static_cast<Offset>(last - 1))] : 0;
  };
  int row = warp;
  Offset at = row < rows ? bounds[2 * row] : 0;
  Offset last = row < rows ? bounds[2 * row + 1] : 0;
  std::int32_t column = columns_at(at, last);
  bool new_row = true;
  while (row < rows) {
    std::int32_t const column_now = column - first_column;
    Offset const at_now = at;
    int const count = static_cast<int>(min(static_cast<Offset>(last - at), static_cast<Offset>(batch)));
    int const row_now = row;
    bool const load = new_row;
    at += batch;
    new_row = at >= last;
    if (new_row) {
      row += WARPS;
      at = row < rows ? bounds[2 * row] : 0;
      last = row < rows ? bounds[2 * row + 1] : 0;
    }
    column = columns_at(at, last);
    if (count <= 0) continue;
    if (load) dots.load_x(first_row + row_now, 0);
    bool const inside = column_now >= 0 && column_now < columns;
    if (__all_sync(~0u, inside))
      dots.template step<true>(first_row + row_now, column_now, at_now, count, panel);
    else  // of a row whose columns do not ascend
      dots.template step<false>(first_row + row_now, lane < count ? column_now + first_column : -1, at_now, count);
  }
}

template <class T, class Offset, int LANES, int CHUNKS>
void launch(SddmmArguments<T, Offset> const& args, int panel_columns, cudaStream_t stream) {
  constexpr char const* name = "araia: csr_sddmm_column_panels";
  constexpr int warps = CHUNKS == 8 ? 16 : 32;  // 64 registers a lane, or 128
  constexpr int in_flight = CHUNKS == 8 ? 8 : 4;
  auto const kernel = column_panels<T, Offset, LANES, CHUNKS, in_flight, warps, 1>;
  std::size_t const shared = static_cast<std::size_t>(panel_columns * args.k) * sizeof(T) +
                             static_cast<std::size_t>(args.rows_per_block) * 2 * sizeof(Offset);
  allow_shared_memory(kernel, shared, name);
  unsigned const grid = grid_blocks(static_cast<std::int64_t>(args.row_blocks) * args.parts, 1, name);
  launch_overlapped(kernel, grid, static_cast<unsigned>(warps * warp_size), shared, stream, name, args, panel_columns);
}

}  // namespace

template <class T, class Offset>
void sddmm_column_panels(SddmmArguments<T, Offset> const& args, int panel_columns, cudaStream_t stream) {
  std::int64_t const loads = args.k / vector_of<T>;  // of 16 bytes, of a row
  if (loads <= 8) return launch<T, Offset, 8, 1>(args, panel_columns, stream);
  if (loads <= 16) return launch<T, Offset, 8, 2>(args, panel_columns, stream);
  if (loads <= 32) return launch<T, Offset, 8, 4>(args, panel_columns, stream);
  if (loads <= 64) return launch<T, Offset, 8, 8>(args, panel_columns, stream);
  launch<T, Offset, 16, 8>(args, panel_columns, stream);
}

[[gnu::used]] static void write_out_sddmm_column_panels() {
  using namespace araia::detail;
  for_types<AllReals, AllOffsets>([&]<class T, class F>() { write_out(sddmm_column_panels<T, F>); });
}

}  // namespace araia::cuda
