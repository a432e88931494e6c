// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// d(p) = alpha a(p) x(i, :) y(j, :)' + beta d(p) on a CSR; the lanes of a warp share dot products.
// Mapping  grid: parts of rows x blocks of rows (rows fastest, so that blocks that run together read the same columns
//          where these ascend) | block: 8 warps, rows go round; what a row has beyond 4 batches belongs to all of them
//          | warp: 32 entries of a row, the row of X in registers | group of LANES lanes: a dot product, 16 bytes a
//          lane and load
//
//            lanes   0 .. 7      8 .. 15     16 .. 23    24 .. 31       (LANES = 8, k = 64 floats: CHUNKS = 2)
//            load    y(c0, :32)  y(c1, :32)  y(c2, :32)  y(c3, :32)
//            load    y(c0, 32:)  y(c1, 32:)  y(c2, 32:)  y(c3, 32:)     and c4 .. c7 at once, before their sums
//
//          Sums are exchanged by shuffles until each lane has the one of its entry: a store of 32 neighbours.
// Traffic  an entry: 4 B of column, k scalars of Y from L1 or L2, the value; a row and part: k scalars of X.
// Registers 64, so 32 warps an SM; no shared memory, no barriers. Long rows need none of their own: nothing is added
//          up across warps.
// Tried    docs/lab/cuda_kernels.md.

#include <araia/detail/formats/type_list.hpp>

#include "backends/cuda/check.hpp"
#include "backends/cuda/overlap.cuh"
#include "backends/cuda/sddmm/dots.cuh"

namespace araia::cuda {
namespace {

constexpr int own_batches = 4;  // of a row's part: what is longer is shared by the block

// A row's part: entries [first, last).
template <class Offset>
struct Part {
  Offset first;
  Offset last;
};

template <class T, class Offset, int LANES, int CHUNKS, int FLIGHT, bool VECTOR, bool TILED, int WARPS, int BLOCKS>
__global__ void __launch_bounds__(WARPS* warp_size, BLOCKS) row_parts(SddmmArguments<T, Offset> const args) {
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  unsigned const part = blockIdx.x / args.row_blocks;
  std::int64_t const first_row = static_cast<std::int64_t>(blockIdx.x - part * args.row_blocks) * args.rows_per_block;
  std::int64_t const last_row = min(first_row + args.rows_per_block, args.a.rows);
  Dots<T, Offset, LANES, CHUNKS, FLIGHT, VECTOR, TILED> dots{args, lane, {}};
  constexpr Offset own = own_batches * batch;
  wait_for_predecessor();  // it may have written the pattern too
  let_successor_start();

  for (std::int64_t base = first_row; base < last_row; base += warp_size) {
    // Lane l has the bounds of row base + l.
    Part<Offset> bounds{0, 0};
    if (base + lane < last_row) {
      Offset const start = args.a.row_offsets[base + lane];
      std::int64_t const length = args.a.row_offsets[base + lane + 1] - start;
      bounds.first = start + static_cast<Offset>(length * part / args.parts);
      bounds.last = start + static_cast<Offset>(length * (part + 1) / args.parts);
    }
    // First each warp does rows of its own, a few batches of each; what is left of long rows belongs to all warps.
#pragma unroll 1
    for (bool shared = false;; shared = true) {
      bool const mine = shared ? bounds.last - bounds.first > own : bounds.last > bounds.first && lane % WARPS == warp;
      unsigned rows = __ballot_sync(~0u, mine);
      Offset const skip = shared ? own + static_cast<Offset>(warp * batch) : 0;
      Offset const stride = shared ? WARPS * batch : batch;
      int row = __ffs(static_cast<int>(rows)) - 1;
      Offset at = __shfl_sync(~0u, bounds.first, row & 31) + skip;
      Offset last = __shfl_sync(~0u, bounds.last, row & 31);
      if (!shared && last - at > own) last = at + own;
      bool new_row = true;
      std::int32_t column = rows && at + lane < last ? args.a.col_indices[at + lane] : -1;
      while (rows) {
        // The next batch's columns are on their way while this one is worked on.
        std::int32_t const column_now = column;
        Offset const at_now = at;
        int const count = static_cast<int>(min(last - at, static_cast<Offset>(batch)));
        int const row_now = row;
        bool const load = new_row;
        at += stride;
        new_row = at >= last;
        if (new_row) {
          rows &= rows - 1;
          row = __ffs(static_cast<int>(rows)) - 1;
          at = __shfl_sync(~0u, bounds.first, row & 31) + skip;
          last = __shfl_sync(~0u, bounds.last, row & 31);
          if (!shared && last - at > own) last = at + own;
        }
        column = rows && at + lane < last ? args.a.col_indices[at + lane] : -1;
        if (count <= 0) continue;  // of a shared row that is at its end
        if constexpr (!TILED)
          if (load) dots.load_x(base + row_now, 0);
        dots.template step<false>(base + row_now, column_now, at_now, count);
      }
      if (shared) break;
    }
  }
}

template <class T, class Offset, int LANES, int CHUNKS, bool VECTOR, bool TILED>
void launch(SddmmArguments<T, Offset> const& args, cudaStream_t stream) {
  constexpr char const* name = "araia: csr_sddmm_row_parts";
  constexpr int warps = 8;
  constexpr int blocks = !VECTOR ? 2 : CHUNKS == 4 ? 3 : 4;
  constexpr int in_flight = 4;
  unsigned const grid = grid_blocks(static_cast<std::int64_t>(args.row_blocks) * args.parts, 1, name);
  launch_overlapped(row_parts<T, Offset, LANES, CHUNKS, in_flight, VECTOR, TILED, warps, blocks>, grid,
                    static_cast<unsigned>(warps * warp_size), 0, stream, name, args);
}

}  // namespace

template <class T, class Offset>
void sddmm_row_parts(SddmmArguments<T, Offset> const& args, bool by_vectors, cudaStream_t stream) {
  std::int64_t const loads = (args.k + vector_of<T> - 1) / vector_of<T>;  // of 16 bytes, of a row
  if (!by_vectors) {
    if (loads <= 8) return launch<T, Offset, 8, 1, false, false>(args, stream);
    if (loads <= 32) return launch<T, Offset, 16, 2, false, false>(args, stream);
    return launch<T, Offset, 16, 2, false, true>(args, stream);
  }
  if (loads <= 8) return launch<T, Offset, 8, 1, true, false>(args, stream);
  if (loads <= 16) return launch<T, Offset, 8, 2, true, false>(args, stream);
  if (loads <= 32) return launch<T, Offset, 16, 2, true, false>(args, stream);
  if (loads <= 64) return launch<T, Offset, 32, 2, true, false>(args, stream);
  if (loads <= 128) return launch<T, Offset, 32, 4, true, false>(args, stream);
  launch<T, Offset, 32, 4, true, true>(args, stream);
}

[[gnu::used]] static void write_out_sddmm_row_parts() {
  using namespace araia::detail;
  for_types<AllReals, AllOffsets>([&]<class T, class F>() { write_out(sddmm_row_parts<T, F>); });
}

}  // namespace araia::cuda
