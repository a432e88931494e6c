// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The producer's side of tile_spmm: tiles of A expanded to operands in shared memory, rows of B beside them.
//
// A warp writes a tile of 32 x 32 in three steps: zeros, by wide stores; the values at their bytes, 32 banks at once
// (halves and bfloat16 at half the distance); for 3xTF32 what rounding to TF32 left, in a second plane. It fetches the
// next tile's entries meanwhile. Copies of B arrive on the stage's barrier by themselves.

#include <cstdint>
#include <utility>

#include "backends/cuda/epilogue.cuh"
#include "backends/cuda/exact_rows.cuh"
#include "backends/cuda/hopper.cuh"
#include "backends/cuda/spmm/csr_tensor_tiles/packing.hpp"

namespace araia::cuda {
namespace {

constexpr int warp_size = 32;
constexpr int depth = tile_side;  // columns of A of a stage
constexpr int held_granules = 8;  // of a tile's entries, in registers

struct TileArguments {
  TilePointers a;
  ExactRows exact;
  float const* b;
  float* c;
  std::int64_t b_stride;
  std::int64_t c_stride;
  std::int64_t columns;
  float alpha;
  float beta;
  int row_blocks;  // of C
  int split;
  bool wide_c;  // four neighbours of C by one access
  StoreEpilogue<float> epilogue;
};

// What the tensor cores multiply.
template <Precision P>
struct Operand {
  static constexpr bool thrice = P == Precision::fp32_3xtf32;
  static constexpr bool short_scalars = P == Precision::fp16 || P == Precision::bf16;
  static constexpr int bytes = short_scalars ? 2 : 4;
  static constexpr int row_bytes = depth * bytes;           // of a stage's row of A
  static constexpr int tile_bytes = tile_side * row_bytes;  // in each plane
  static constexpr int planes = thrice ? 2 : 1;
  static constexpr int mma_depth = 32 / bytes;
};

// Where things are in shared memory.
template <int Rows, int Columns, Precision P, int Stages>
struct Layout {
  static constexpr int plane = Rows * Operand<P>::row_bytes;  // of A's values, or of their lower halves
  static constexpr int stage_a = plane * Operand<P>::planes;
  // Floats of a row of B: 4 rows x 8 pairs of columns fall on all banks, neighbouring rows or every second one.
  static constexpr int pitch = Columns + (Operand<P>::short_scalars ? 4 : 8);
  static constexpr int stage_b = depth * pitch * 4;
  static constexpr int b = stage_a * Stages;
  static constexpr int barriers = b + stage_b * Stages;
  static constexpr int main_bytes = barriers + Stages * 16;
  static constexpr int sum_pitch = Columns + 4;
  static constexpr int sum_bytes = Rows * sum_pitch * 4;  // of a block's sums, in place of the stages
  static constexpr int bytes = 1024 + (main_bytes > sum_bytes ? main_bytes : sum_bytes);
};

// `bytes` of up to `size`, the rest zeros.
template <int size>
__device__ __forceinline__ void copy_async(unsigned to, void const* from, int bytes) {
  if constexpr (size == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}
// 16 bytes.
__device__ __forceinline__ void copy_async(unsigned to, void const* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}
// This thread's arrival, once its copies so far are there.
__device__ __forceinline__ void copies_arrive(unsigned barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(barrier) : "memory");
}
__device__ __forceinline__ void wait_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

__device__ __forceinline__ void store_shared(unsigned address, float value) {
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(address), "f"(value) : "memory");
}
__device__ __forceinline__ void clear_shared(unsigned address) {
  asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(address), "r"(0) : "memory");
}
// Entries of a tile in registers, fetched while the tile before is written.
struct Entries {
  float2 value[held_granules] = {};
  unsigned offset[held_granules] = {};
  int first = 0, count = 0;  // granules
};

// Both granules of a pair, an odd one twice. In assembler, as the compiler loads to registers of its own and waits to
// move them to these.
template <int g>
__device__ __forceinline__ void load_pair(Entries& e, void const* values, void const* offsets) {
  asm volatile(
      "{\n"
      ".reg .pred one, two, odd;\n"
      "setp.gt.s32 one, %8, %9;\n"
      "setp.gt.s32 two, %8, %10;\n"
      "setp.eq.s32 odd, %8, %10;\n"
      "@one ld.global.nc.v2.f32 {%0, %1}, [%6 + %11];\n"
      "@one ld.global.nc.u32 %4, [%7 + %13];\n"
      "@two ld.global.nc.v2.f32 {%2, %3}, [%6 + %12];\n"
      "@two ld.global.nc.u32 %5, [%7 + %14];\n"
      "@odd ld.global.nc.v2.f32 {%2, %3}, [%6 + %11];\n"
      "@odd ld.global.nc.u32 %5, [%7 + %13];\n"
      "}\n"
      : "+f"(e.value[g].x), "+f"(e.value[g].y), "+f"(e.value[g + 1].x), "+f"(e.value[g + 1].y), "+r"(e.offset[g]),
        "+r"(e.offset[g + 1])
      : "l"(values), "l"(offsets), "r"(e.count), "n"(g), "n"(g + 1), "n"(g * 256), "n"(g * 256 + 256), "n"(g * 128),
        "n"(g * 128 + 128));
}
template <int... g>
__device__ __forceinline__ void load_pairs(Entries& e, void const* values, void const* offsets,
                                           std::integer_sequence<int, g...>) {
  (load_pair<2 * g>(e, values, offsets), ...);
}

// A value of finite bits or a quiet NaN of no payload, rounded to TF32, ties away from zero.
__device__ __forceinline__ float upper_half(float x) {
  return __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xffffe000u);
}

__device__ __forceinline__ void store_shared(unsigned address, std::uint16_t value) {
  asm volatile("st.shared.u16 [%0], %1;" ::"r"(address), "h"(value) : "memory");
}

// Where a scalar of two bytes lies that has this place among floats. Columns lie by fours, of floats swizzled over 128
// bytes: of half the size they are swizzled over 64, but for the lowest bit, which MMA has not.
__device__ __forceinline__ unsigned short_place(unsigned offset) { return offset >> 1 ^ (offset >> 4 & 8); }

template <Precision P, int plane_bytes>
__device__ __forceinline__ void put(unsigned plane, unsigned offsets, float2 value) {
  unsigned const first = plane + (offsets & 0xffff);
  unsigned const second = plane + (offsets >> 16);
  if constexpr (Operand<P>::short_scalars) {
    unsigned const both = pack_16_bit<P>(value.x, value.y);
    store_shared(plane + short_place(offsets & 0xffff), static_cast<std::uint16_t>(both));
    store_shared(plane + short_place(offsets >> 16), static_cast<std::uint16_t>(both >> 16));
    return;
  }
  float const x = upper_half(value.x);
  float const y = upper_half(value.y);
  store_shared(first, x);
  store_shared(second, y);
  if constexpr (Operand<P>::thrice) {
    store_shared(first + plane_bytes, value.x - x);
    store_shared(second + plane_bytes, value.y - y);
  }
}

// A warp that expands tiles of 32 rows of A and brings rows of B.
template <int Rows, int Columns, Precision P, int Stages, int Producers, bool Vectors>
struct Producer {
  using L = Layout<Rows, Columns, P, Stages>;
  static constexpr int tiles = Rows / tile_side;                                             // of a stage
  static constexpr int teams = Producers / tiles;                                            // take turns
  static constexpr int b_rows = depth / tiles;                                               // of a warp
  static constexpr int width = Vectors ? 4 : 1;                                              // floats of a copy of B
  static constexpr int per_row = Columns / width < warp_size ? Columns / width : warp_size;  // lanes
  static constexpr int rows_at_once = warp_size / per_row;
  static_assert(teams * tiles == Producers);

  static __device__ __forceinline__ void run(TileArguments const& args, unsigned base, int warp, int lane,
                                             int row_block, std::int64_t column0, int first, int count) {
    int const tile = warp % tiles;
    int const team = warp / tiles;
    std::int64_t const tile_row = static_cast<std::int64_t>(row_block) * tiles + tile;
    int const last = tile_row < args.a.row_tiles ? count : 0;
    std::int32_t const* const offsets = args.a.tile_offsets + (last > 0 ? tile_row * args.a.col_tiles + first : 0);
    auto const* const values = reinterpret_cast<float2 const*>(args.a.values) + lane;
    auto const* const places = reinterpret_cast<unsigned const*>(args.a.positions) + lane;

    // Offsets of 64 tiles, two a lane.
    int window = 0;
    auto const offset = [&](int i) { return last > 0 ? __ldg(offsets + min(i, last)) : 0; };
    int now = offset(lane);
    int next = offset(warp_size + lane);
    Entries e;
    auto const fetch = [&](int i) {
      if (i - window >= warp_size) {
        window += warp_size;
        now = next;
        next = offset(window + warp_size + lane);
      }
      e.first = __shfl_sync(~0u, now, i - window);
      int const end = __shfl_sync(~0u, i + 1 - window < warp_size ? now : next, (i + 1 - window) % warp_size);
      e.count = i < last ? end - e.first : 0;
      auto const* const v = values + e.first * std::int64_t{32};
      auto const* const p = places + e.first * std::int64_t{32};
      load_pairs(e, v, p, std::make_integer_sequence<int, held_granules / 2>());
    };
    // This lane's copies of B: rows `b_row`, `b_row + rows_at_once`, ... of a stage.
    std::int64_t const b_column = column0 + lane % per_row * width;
    std::int64_t const b_row = (first + team) * std::int64_t{depth} + tile * b_rows + lane / per_row;
    auto const* from = reinterpret_cast<char const*>(args.b + b_row * args.b_stride + b_column);
    std::int64_t row_bytes = rows_at_once * args.b_stride * 4;
    asm("" : "+l"(row_bytes));  // or each row's address is computed anew
    std::int64_t const stage_bytes = teams * depth * args.b_stride * 4;
    unsigned const to = base + L::b + ((tile * b_rows + lane / per_row) * L::pitch + lane % per_row * width) * 4;
    std::int64_t rows_left = args.a.cols - b_row;
    bool const whole = Vectors && column0 + Columns <= args.columns;

    fetch(team);
    int stage = team % Stages;
    unsigned parity = 1;  // of the wait for a free stage: the first passes
    for (int i = team; i < count; i += teams) {
      unsigned const full = base + L::barriers + stage * 16;
      unsigned const plane = base + stage * L::stage_a + tile * Operand<P>::tile_bytes;
      barrier_wait(full + 8, parity);
      if (whole && rows_left >= b_rows) {
        char const* row = from;
#pragma unroll
        for (int r = 0; r < b_rows; r += rows_at_once) {
          copy_async(to + stage * L::stage_b + r * L::pitch * 4, row);
          row += row_bytes;
        }
      } else {
        copy_edge(args, to + stage * L::stage_b, from, b_column, rows_left);
      }
      copies_arrive(full);
      from += stage_bytes;
      rows_left -= teams * depth;
      // All zeros by wide stores: fewer instructions than those at the places of the tile before.
#pragma unroll
      for (int p = 0; p < Operand<P>::planes; ++p)
#pragma unroll
        for (int j = 0; j < Operand<P>::tile_bytes; j += 512) clear_shared(plane + lane * 16 + p * L::plane + j);
      __syncwarp();
#pragma unroll
      for (int g = 0; g < held_granules; g += 2)
        if (g < e.count) {
          put<P, L::plane>(plane, e.offset[g], e.value[g]);
          put<P, L::plane>(plane, e.offset[g + 1], e.value[g + 1]);
        }
      if (e.count > held_granules) {
        auto const* const v = values + e.first * std::int64_t{32};
        auto const* const p = places + e.first * std::int64_t{32};
#pragma unroll 1
        for (int g = held_granules; g < e.count; ++g) put<P, L::plane>(plane, __ldg(p + g * 32), __ldg(v + g * 32));
      }
      fence_async_proxy();
      barrier_arrive(full);
      fetch(i + teams);  // behind the fence, which would wait for it
      stage += teams;
      if (stage >= Stages) stage -= Stages, parity ^= 1;
    }
    wait_copies();
  }

  // The same where columns or rows of B end; beyond are zeros, as what lies in shared memory may be NaN.
  static __device__ __forceinline__ void copy_edge(TileArguments const& args, unsigned to, char const* from,
                                                   std::int64_t column, std::int64_t rows_left) {
#pragma unroll 1
    for (int j = 0; j < Columns; j += per_row * width) {
      std::int64_t const left = args.columns - column - j;
      int const bytes = left >= width ? width * 4 : left > 0 ? static_cast<int>(left) * 4 : 0;
#pragma unroll 1
      for (int r = 0; r < b_rows; r += rows_at_once) {
        int const now = r < rows_left ? bytes : 0;
        copy_async<width * 4>(to + (r * L::pitch + j) * 4,
                              now > 0 ? from + (r * args.b_stride + j) * 4 : reinterpret_cast<char const*>(args.b),
                              now);
      }
    }
  }
};

}  // namespace
}  // namespace araia::cuda
