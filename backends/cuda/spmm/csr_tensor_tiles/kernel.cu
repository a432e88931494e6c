// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = act(alpha A B + beta C + bias + R) on Hopper's tensor cores, A as tiles of coordinates, in 3xTF32, TF32,
// halves or bfloat16.
// Mapping  block (or cluster, which shares the columns of A): 128 x 128, 64 x 128 or 64 x 64 of C. Computed is C^T =
// B^T A^T, as
//          an MMA of TF32 wants both operands K-major and A's rows are; B comes through registers, where it is rounded.
//          | producer warps: the next 32 columns of A and rows of B, through 4 to 6 stages (expansion.cuh)
//          | warpgroup: 64 columns of C, all rows of the block
//
//            B (32, 64)^T in registers     A (32, 128)^T in shared memory      sums (64, 128) in registers
//            upper, lower            x     upper, lower                   ->   lower upper + upper lower + upper upper
//
//          The tensor cores truncate: 3xTF32 adds 32 columns there, smallest products first, and those sums in float.
//          Sums go to C through shared memory, those of a cluster in the order of its ranks: deterministic.
// Traffic  6.5 to 8 bytes an entry of A a block of columns, 16 KB of B a stage; A is read from shared memory once a
//          warpgroup and product, half of its bandwidth.
// Time     does not depend on the density but for the expansion.
// Suits    fp32_3xtf32: to 0.8 sparsity from 512 columns (0.9 with 2048), at size 2048 from 64; tf32: to 0.9 (0.95).

#include "backends/cuda/spmm/csr_tensor_tiles/kernel.hpp"

#include <algorithm>
#include <string>

#include "backends/cuda/check.hpp"
#include "backends/cuda/hopper.cuh"
#include "backends/cuda/spmm/csr_tensor_tiles/expansion.cuh"

namespace araia::cuda {
namespace {

// Registers of a thread by role: together what the block's threads have at its launch.
template <int Columns, int Producers>
struct Registers {
  static constexpr int producer = Producers == 8 ? 112 : 104;
  static constexpr int consumer = Columns == 64 ? 152 : Producers == 8 ? 144 : 200;
};

__device__ __forceinline__ float2 load_shared_pair(unsigned address) {
  float2 v;
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(v.x), "=f"(v.y) : "r"(address));
  return v;
}
__device__ __forceinline__ void store_shared_pair(unsigned address, float x, float y) {
  asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(address), "f"(x), "f"(y) : "memory");
}

// Entries of C that came out not finite, entry by entry of A.
__device__ __noinline__ void store_exact(TileArguments const* args, float* c, std::int64_t stored_row,
                                         std::int64_t column, unsigned which) {
  for (int i = 0; i < 4; ++i) {
    if (!(which >> i & 1)) continue;
    float const sum = exact_sum(args->exact, args->b, args->b_stride, stored_row, column + i, 0, args->a.cols);
    float out = args->alpha * sum + (args->beta != 0.0f ? args->beta * c[i] : 0.0f);
    if (args->epilogue.any) {
      std::int64_t const row = args->exact.row_permutation ? args->exact.row_permutation[stored_row] : stored_row;
      out = finished(args->epilogue, row, column + i, out);
    }
    c[i] = out;
  }
}

// A block's sums, or those of a cluster's blocks in the order of their ranks, from shared memory to C: rows
// [first_row, last_row) of the block, a row of Columns by neighbouring lanes.
template <int Columns, int sum_pitch>
__device__ __forceinline__ void store_c(TileArguments const& args, unsigned base, int thread, int threads,
                                        int first_row, int last_row, std::int64_t row0, std::int64_t column0) {
  constexpr int per_row = Columns / 4;
  int const rows_at_once = threads / per_row;
  std::int64_t const column = column0 + thread % per_row * 4;
  std::int64_t const left = args.columns - column;
  int const width = left >= 4 ? 4 : static_cast<int>(left);
  if (width <= 0) return;
  unsigned const whole = (1u << width) - 1;
  constexpr int at_once = 4;
#pragma unroll 1
  for (int r = first_row + thread / per_row; r < last_row; r += at_once * rows_at_once) {
    float4 v[at_once];
#pragma unroll
    for (int q = 0; q < at_once; ++q) v[q] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int rank = 0; rank < args.split; ++rank) {
      unsigned const there = shared_of_rank(base + thread % per_row * 16, rank);
#pragma unroll
      for (int q = 0; q < at_once; ++q) {
        int const row = r + q * rows_at_once;
        if (row < last_row) {
          float4 const part = load_cluster(there + row * (sum_pitch * 4));
          v[q].x += part.x, v[q].y += part.y, v[q].z += part.z, v[q].w += part.w;
        }
      }
    }
#pragma unroll
    for (int q = 0; q < at_once; ++q) {
      std::int64_t const stored_row = row0 + r + q * rows_at_once;
      if (r + q * rows_at_once >= last_row || stored_row >= args.a.rows) break;
      std::int64_t const row = args.exact.row_permutation ? args.exact.row_permutation[stored_row] : stored_row;
      float* const c = args.c + row * args.c_stride + column;
      float const sum[4] = {v[q].x, v[q].y, v[q].z, v[q].w};
      unsigned bad = 0;
#pragma unroll
      for (int i = 0; i < 4; ++i) bad |= fabsf(sum[i]) <= 3.402823466e38f ? 0u : 1u << i;
      bad &= whole;
      if (args.wide_c && width == 4 && bad == 0) {
        float4 result = make_float4(args.alpha * sum[0], args.alpha * sum[1], args.alpha * sum[2], args.alpha * sum[3]);
        if (args.beta != 0.0f) {
          float4 const before = *reinterpret_cast<float4 const*>(c);
          result.x += args.beta * before.x, result.y += args.beta * before.y;
          result.z += args.beta * before.z, result.w += args.beta * before.w;
        }
        if (args.epilogue.any) {
          float four[4] = {result.x, result.y, result.z, result.w};
          finish_neighbours(args.epilogue, row, column, four);
          result = make_float4(four[0], four[1], four[2], four[3]);
        }
        *reinterpret_cast<float4*>(c) = result;
      } else {
#pragma unroll
        for (int i = 0; i < 4; ++i)
          if ((whole & ~bad) >> i & 1) {
            float out = args.alpha * sum[i] + (args.beta != 0.0f ? args.beta * c[i] : 0.0f);
            if (args.epilogue.any) out = finished(args.epilogue, row, column + i, out);
            c[i] = out;
          }
        if (bad != 0) store_exact(&args, c, stored_row, column, bad);
      }
    }
  }
}

// A warpgroup that multiplies 64 columns of B by the rows of A: C^T = B^T A^T.
template <int Rows, int Columns, Precision P, int Stages>
struct Consumer {
  using L = Layout<Rows, Columns, P, Stages>;
  static constexpr int steps = depth / Operand<P>::mma_depth;
  static constexpr int first_row = Operand<P>::short_scalars ? 2 : 1;  // of B, of each of four lanes
  using Sums = float[Rows / 2];
  using Fragments = unsigned[steps][4];

  // B of a stage: this lane's two columns, its rows of every step.
  static __device__ __forceinline__ void load(unsigned address, float (&raw)[steps][4]) {
#pragma unroll
    for (int s = 0; s < steps; ++s) {
      float2 const low = load_shared_pair(address + 8 * s * L::pitch * 4);
      float2 const high = load_shared_pair(address + (8 * s + 4) * L::pitch * 4);
      raw[s][0] = low.x, raw[s][1] = low.y, raw[s][2] = high.x, raw[s][3] = high.y;
    }
  }

  // The same rounded.
  static __device__ __forceinline__ void load(unsigned address, Fragments& to) {
    if constexpr (Operand<P>::short_scalars) {
#pragma unroll
      for (int s = 0; s < steps; ++s)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          unsigned const at = address + (16 * s + 8 * half) * L::pitch * 4;
          float2 const even = load_shared_pair(at);
          float2 const odd = load_shared_pair(at + L::pitch * 4);
          to[s][2 * half] = pack_16_bit<P>(even.x, odd.x);
          to[s][2 * half + 1] = pack_16_bit<P>(even.y, odd.y);
        }
    } else {
      float raw[steps][4];
      load(address, raw);
#pragma unroll
      for (int s = 0; s < steps; ++s)
#pragma unroll
        for (int j = 0; j < 4; ++j) to[s][j] = __float_as_uint(round_tf32(raw[s][j]));
    }
  }

  static __device__ __forceinline__ void run(unsigned base, int group, int warp, int lane, int count, Sums& sums) {
    unsigned const fragment =
        base + L::b + (lane % 4 * first_row * L::pitch + group * 64 + warp * 16 + lane / 4 * 2) * 4;
    std::uint64_t const operand = operand_descriptor<Operand<P>::row_bytes>(base);
    auto const full = [&](int i) { return base + L::barriers + i % Stages * 16; };
#pragma unroll
    for (int i = 0; i < Rows / 2; ++i) sums[i] = 0.0f;
    if (count == 0) return;
    if constexpr (Operand<P>::thrice) {
      float fresh[Rows / 2];
      float raw[steps][4];
      barrier_wait(full(0), 0);
      load(fragment, raw);
      for (int i = 0; i < count; ++i) {
        int const stage = i % Stages;
        Fragments upper, lower;
#pragma unroll
        for (int s = 0; s < steps; ++s)
#pragma unroll
          for (int j = 0; j < 4; ++j) {
            float const rounded = round_tf32(raw[s][j]);
            upper[s][j] = __float_as_uint(rounded), lower[s][j] = __float_as_uint(raw[s][j] - rounded);
          }
        std::uint64_t const high = operand + (stage * L::stage_a >> 4);
        std::uint64_t const low = high + (L::plane >> 4);
        // the tensor cores truncate: sums of 32 columns, then rounded additions
        mma_fence();
#pragma unroll
        for (int s = 0; s < steps; ++s) mma<P, Rows>(fresh, lower[s], high + 2 * s, s > 0);
#pragma unroll
        for (int s = 0; s < steps; ++s) mma<P, Rows>(fresh, upper[s], low + 2 * s, true);
#pragma unroll
        for (int s = 0; s < steps; ++s) mma<P, Rows>(fresh, upper[s], high + 2 * s, true);
        mma_commit();
        if (i + 1 < count) {
          barrier_wait(full(i + 1), (i + 1) / Stages & 1);
          load(fragment + (i + 1) % Stages * L::stage_b, raw);
        }
        mma_wait<0>();
        mma_results(fresh);
        barrier_arrive(full(i) + 8);
#pragma unroll
        for (int j = 0; j < Rows / 2; ++j) sums[j] += fresh[j];
      }
    } else {
      Fragments upper[2];
      auto const fetch = [&](int i, Fragments& to) {
        barrier_wait(full(i), i / Stages & 1);
        load(fragment + i % Stages * L::stage_b, to);
      };
      auto const multiply = [&](int i, Fragments const& from) {
        std::uint64_t const high = operand + (i % Stages * L::stage_a >> 4);
        mma_fence();
#pragma unroll
        for (int s = 0; s < steps; ++s) mma<P, Rows>(sums, from[s], high + 2 * s, true);
        mma_commit();
      };
      fetch(0, upper[0]);
      for (int i = 0; i < count; i += 2) {
        multiply(i, upper[0]);
        mma_wait<1>();
        if (i > 0) barrier_arrive(full(i - 1) + 8);
        if (i + 1 == count) break;
        fetch(i + 1, upper[1]);
        multiply(i + 1, upper[1]);
        mma_wait<1>();
        barrier_arrive(full(i) + 8);
        if (i + 2 < count) fetch(i + 2, upper[0]);
      }
      mma_wait<0>();
      mma_results(sums);
    }
  }

  // To shared memory, in place of the stages, once all warpgroups have made their products. A lane has columns
  // 2 (lane / 4) and the next of its warp's 16, rows 8 j + 2 (lane % 4) and the next.
  static __device__ __forceinline__ void hand_over(unsigned base, int group, int warp, int lane, Sums const& sums) {
    asm volatile("bar.sync 1, %0;" ::"n"(Columns / 64 * 128) : "memory");
    unsigned const mine = base + (lane % 4 * 2 * L::sum_pitch + group * 64 + warp * 16 + lane / 4 * 2) * 4;
#pragma unroll
    for (int j = 0; j < Rows / 8; ++j)
#pragma unroll
      for (int r = 0; r < 2; ++r)
        store_shared_pair(mine + (8 * j + r) * L::sum_pitch * 4, sums[4 * j + r], sums[4 * j + 2 + r]);
  }
};

template <int Rows, int Columns, Precision P, int Stages, int Producers, bool Vectors>
__global__ void __launch_bounds__(Columns / 64 * 128 + Producers * warp_size, Columns == 64 ? 2 : 1)
    tile_product(__grid_constant__ TileArguments const args) {
  using L = Layout<Rows, Columns, P, Stages>;
  using R = Registers<Columns, Producers>;
  constexpr int consumers = Columns / 64;
  constexpr int threads = consumers * 128 + Producers * warp_size;
  extern __shared__ char shared_bytes[];
  unsigned const base = (shared_address(shared_bytes) + 1023) & ~1023u;
  auto const thread = static_cast<int>(threadIdx.x);
  int const warp = thread / warp_size;
  int const lane = thread % warp_size;

  auto const block = static_cast<int>(blockIdx.x) / args.split;
  int const rank = static_cast<int>(blockIdx.x) % args.split;
  int const row_block = block % args.row_blocks;
  std::int64_t const row0 = static_cast<std::int64_t>(row_block) * Rows;
  std::int64_t const column0 = static_cast<std::int64_t>(block / args.row_blocks) * Columns;
  int const first = static_cast<int>(args.a.col_tiles * rank / args.split);
  int const count = static_cast<int>(args.a.col_tiles * (rank + 1) / args.split) - first;

  if (thread == 0) {
    for (int s = 0; s < Stages; ++s) {
      barrier_init(base + L::barriers + s * 16, 2 * warp_size * (Rows / tile_side));  // copies and entries
      barrier_init(base + L::barriers + s * 16 + 8, consumers * 4 * warp_size);
    }
    fence_barrier_init();
  }
  __syncthreads();

  if (warp >= consumers * 4) {
    fewer_registers<R::producer>();
    Producer<Rows, Columns, P, Stages, Producers, Vectors>::run(args, base, warp - consumers * 4, lane, row_block,
                                                                column0, first, count);
  } else {
    more_registers<R::consumer>();
    using C = Consumer<Rows, Columns, P, Stages>;
    float sums[Rows / 2];
    C::run(base, warp / 4, warp % 4, lane, count, sums);
    C::hand_over(base, warp / 4, warp % 4, lane, sums);
  }
  int const share = Rows / args.split;
  __syncthreads();
  __syncthreads();  // some tens of cycles, for tools that look for races: they miss a barrier behind one of some warps
  if (args.split > 1) cluster_sync();
  store_c<Columns, L::sum_pitch>(args, base, thread, threads, rank * share, (rank + 1) * share, row0, column0);
  __syncwarp();
  if (args.split > 1) cluster_sync();  // no block ends while others read its sums
}

template <int Rows, int Columns, Precision P, int Stages, int Producers, bool Vectors>
void launch(TileArguments const& args, cudaStream_t stream) {
  auto* const kernel = tile_product<Rows, Columns, P, Stages, Producers, Vectors>;
  constexpr int bytes = Layout<Rows, Columns, P, Stages>::bytes;
  static_assert(bytes <= 227 * 1024);
  // Once a kernel would do; the call costs a microsecond of the host's time.
  cudaError_t const status = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (status == cudaErrorNoKernelImageForDevice || status == cudaErrorInvalidDeviceFunction) {
    clear_error();
    throw Error(ErrorKind::unsupported, "araia: tile_spmm: the device is not of compute capability 9.0");
  }
  check(status, "araia: tile_spmm: shared memory");
  std::int64_t const blocks = (args.columns + Columns - 1) / Columns * args.row_blocks * args.split;
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {static_cast<unsigned>(args.split), 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(grid_blocks(blocks, 1, "araia: tile_spmm"));
  config.blockDim = dim3(Columns / 64 * 128 + Producers * warp_size);
  config.dynamicSmemBytes = bytes;
  config.stream = stream;
  config.attrs = &cluster;
  config.numAttrs = 1;
  check(cudaLaunchKernelEx(&config, kernel, args), "araia: tile_spmm");
}

template <Precision P, bool Vectors>
void launch_shape(TileArguments const& args, TileSpmmTuning const& tuning, cudaStream_t stream) {
  if (tuning.rows == 128)
    launch<128, 128, P, Operand<P>::thrice ? 4 : 6, Operand<P>::thrice ? 4 : 8, Vectors>(args, stream);
  else if (tuning.columns == 128)
    launch<64, 128, P, 6, 4, Vectors>(args, stream);
  else
    launch<64, 64, P, 4, 4, Vectors>(args, stream);
}

}  // namespace

bool tile_spmm_runs_on(int major, int minor) { return major == 9 && minor == 0; }

template <class Offset>
void tile_spmm(TilePointers const& a, CsrPointers<float, std::int32_t, Offset> const& exact, Precision precision,
               float alpha, DenseMatrix<float const> const& b, float beta, DenseMatrix<float> const& c,
               TileSpmmTuning const& tuning, cudaStream_t stream, EpiloguePointers<float> const& epilogue) {
  auto const refuse = [](std::string const& what, int got, char const* expected) {
    throw Error(ErrorKind::invalid_argument,
                "araia: tile_spmm: " + what + " is " + std::to_string(got) + ", expected " + expected);
  };
  if (precision == Precision::native)
    throw Error(ErrorKind::invalid_argument, "araia: tile_spmm: precision is native, expected another");
  if (tuning.rows != 64 && tuning.rows != 128) refuse("rows", tuning.rows, "64 or 128");
  if (tuning.columns != 128 && tuning.columns != tuning.rows)
    refuse("columns", tuning.columns, tuning.rows == 64 ? "64 or 128" : "128");
  if (tuning.split != 1 && tuning.split != 2 && tuning.split != 4 && tuning.split != 8)
    refuse("split", tuning.split, "1, 2, 4 or 8");
  if (c.rows == 0 || c.columns == 0) return;
  TileArguments args{};
  args.a = a;
  args.exact = ExactRows(exact);
  args.b = b.data;
  args.c = c.data;
  args.b_stride = b.row_stride;
  args.c_stride = c.row_stride;
  args.columns = c.columns;
  args.alpha = alpha;
  args.beta = beta;
  args.row_blocks = static_cast<int>(grid_blocks(a.rows, tuning.rows, "araia: tile_spmm"));
  args.split = tuning.split;
  args.wide_c = is_aligned(c.data, 16) && c.row_stride % 4 == 0;
  args.epilogue = StoreEpilogue<float>(epilogue, 4);
  bool const vectors = is_aligned(b.data, 16) && b.row_stride % 4 == 0;
  auto const with = [&]<Precision P>() {
    if (vectors)
      launch_shape<P, true>(args, tuning, stream);
    else
      launch_shape<P, false>(args, tuning, stream);
  };
  switch (precision) {
    case Precision::fp32_3xtf32: return with.template operator()<Precision::fp32_3xtf32>();
    case Precision::fp16: return with.template operator()<Precision::fp16>();
    case Precision::bf16: return with.template operator()<Precision::bf16>();
    default: return with.template operator()<Precision::tf32>();
  }
}

template void tile_spmm(TilePointers const&, CsrPointers<float, std::int32_t, std::int32_t> const&, Precision, float,
                        DenseMatrix<float const> const&, float, DenseMatrix<float> const&, TileSpmmTuning const&,
                        cudaStream_t, EpiloguePointers<float> const&);
template void tile_spmm(TilePointers const&, CsrPointers<float, std::int32_t, std::int64_t> const&, Precision, float,
                        DenseMatrix<float const> const&, float, DenseMatrix<float> const&, TileSpmmTuning const&,
                        cudaStream_t, EpiloguePointers<float> const&);

}  // namespace araia::cuda
