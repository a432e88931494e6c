// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = act(alpha A B + beta C + bias + R), A as a lockstep packing: rows of like length side by side.
// Mapping  block: a slice of L V columns of C and a part of the rows; it walks the chunks of A's columns, each time
// with
//          the chunk's rows of B in shared memory | warp: groups of 32 / L rows | L lanes: a row | lane: V columns.
//
//            lanes 0-1    2-3     4-5     ...  30-31        (L = 2, V = 16: slices of 32 columns)
//            row 0        row 1   row 2        row 15       of a group: each its own entries, one after the other
//
// Traffic  registers are filled at 128 bytes a cycle, whoever shares an address: V words of B and two of A (column,
//          value) a lane and entry. So V is large and lanes are few, and sums need no other lane. A comes once a slice
//          straight into registers, four records ahead; B once a part by cp.async.
// Shared   chunk_cols + 1 rows of the slice: one block an SM.
// Suits    0.8 sparsity and more with 256 columns and more: rows share few columns there, so jamming does not pay.

#include "backends/cuda/lockstep_spmm.hpp"

#include <string>

#include "backends/cuda/check.hpp"
#include "backends/cuda/epilogue.cuh"
#include "backends/cuda/memory.cuh"
#include "backends/cuda/overlap.cuh"
#include "backends/cuda/shared_slice.cuh"

namespace araia::cuda {
namespace {

constexpr int warps = lockstep_warps;
constexpr int ahead = lockstep_read_ahead;

struct LockstepArguments {
  LockstepPointers a;
  std::int32_t const* row_permutation;
  SliceSource b;
  float* c;
  std::int64_t c_stride;
  float alpha;
  float beta;
  int half;        // of a chunk's columns
  bool aligned_c;  // 16-byte accesses fit
  StoreEpilogue<float> epilogue;
};

template <int V, int L, bool EPILOGUE>
__global__ void __launch_bounds__(warps* warp_size, 1) lockstep(LockstepArguments const args) {
  constexpr int slice_columns = L * V;
  constexpr int rows = warp_size / L;             // of a group
  extern __shared__ __align__(128) char slice[];  // (chunk_cols + 1, slice_columns)

  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const subgroup = lane / L;
  int const parts = args.a.shape.parts;
  int const chunk_cols = args.a.shape.chunk_cols;
  std::int64_t const slice_index = blockIdx.x / parts;
  std::int64_t const part = blockIdx.x - slice_index * parts;
  std::int64_t const first_column = slice_index * slice_columns;
  SliceReader<V, L> const reader(slice, lane);
  if (threadIdx.x < slice_columns) reinterpret_cast<float*>(slice)[chunk_cols * slice_columns + threadIdx.x] = 0.0f;

  for (std::int64_t chunk = 0; chunk < args.a.chunks; ++chunk) {
    bool const finish = EPILOGUE && chunk + 1 == args.a.chunks;
    std::int64_t const first_stream = (chunk * parts + part) * args.a.groups;
    auto const* const records = reinterpret_cast<uint4 const*>(args.a.records) + subgroup;
    std::int64_t const* const offsets = args.a.stream_offsets + first_stream;
    // Groups are sorted by length: dealt to the warps there and back.
    auto const group_of = [&](std::int64_t round) {
      return round * warps + (round % 2 == 0 ? warp : warps - 1 - warp);
    };
    std::int64_t round = 0;
    std::int64_t group = group_of(0);
    std::int64_t start = 0;
    int left = 0;   // records
    int early = 0;  // of the first group, but for its last: they need no more than the first half of the chunk
    uint4 next[ahead];
    auto const fetch = [&](std::int64_t record) {
#pragma unroll
      for (int i = 0; i < ahead; ++i) next[i] = __ldg(records + (record + i) * rows);
    };
    if (group < args.a.groups) {
      start = __ldg(offsets + group);
      left = static_cast<int>(__ldg(offsets + group + 1) - start);
      fetch(start);
      early = min(__ldg(args.a.early + first_stream + group), left - 1);
    }
    if (chunk == 0) {
      wait_for_predecessor();
      let_successor_start();
    } else {
      __syncthreads();  // all warps are done with the chunk before; C may come from another
    }
    copy_slice<slice_columns, warps * warp_size>(slice, args.b, chunk * chunk_cols, args.half, first_column);
    copy_slice<slice_columns, warps * warp_size>(slice + args.half * slice_columns * 4, args.b,
                                                 chunk * chunk_cols + args.half, chunk_cols - args.half, first_column);
    wait_copies<1>();
    __syncthreads();  // the first half of the chunk of B is there

    float sum[V] = {};
    auto const add = [&](uint4 const& record) {
      float first[V], second[V];
      reader.load(record.x, first);
      reader.load(record.z, second);
#pragma unroll
      for (int v = 0; v < V; ++v) sum[v] += __uint_as_float(record.y) * first[v];
#pragma unroll
      for (int v = 0; v < V; ++v) sum[v] += __uint_as_float(record.w) * second[v];
    };
    // Adds `ahead` records while those at `then` are fetched.
    auto const add_records = [&](std::int64_t then) {
      uint4 now[ahead];
#pragma unroll
      for (int i = 0; i < ahead; ++i) now[i] = next[i];
      fetch(then);
      if (left >= ahead) {
#pragma unroll
        for (int i = 0; i < ahead; ++i) add(now[i]);
      } else {
#pragma unroll
        for (int i = 0; i < ahead; ++i)
          if (i < left) add(now[i]);
      }
    };
#pragma unroll 1
    for (; early >= ahead; early -= ahead, left -= ahead) add_records(start += ahead);
    wait_copies<0>();
    __syncthreads();  // and the second

    while (group < args.a.groups) {
      std::int32_t const row = __ldg(args.a.row_order + (first_stream + group) * rows + subgroup);
      std::int64_t const next_group = group_of(++round);
      std::int64_t next_start = start;
      int next_left = 0;
      if (next_group < args.a.groups) {
        next_start = __ldg(offsets + next_group);
        next_left = static_cast<int>(__ldg(offsets + next_group + 1) - next_start);
      }
#pragma unroll 1
      for (;; left -= ahead) {
        bool const last = left <= ahead;
        start = last ? next_start : start + ahead;
        add_records(start);
        if (last) break;
      }
      left = next_left;
      group = next_group;
      float result[V];
#pragma unroll
      for (int v = 0; v < V; ++v) result[v] = args.alpha * sum[v], sum[v] = 0.0f;
      if (row < 0) continue;

      std::int64_t const to = args.row_permutation ? args.row_permutation[row] : row;
      float* const c = args.c + to * args.c_stride + first_column;
      float const keep = chunk > 0 ? 1.0f : args.beta;
      float terms[V / 4][4];
      if (finish && args.aligned_c)
#pragma unroll
        for (int p = 0; p < V / 4; ++p)
          if (args.b.columns - first_column - reader.column(p) >= 4)
            load_terms(args.epilogue, to, first_column + reader.column(p), terms[p]);
#pragma unroll
      for (int p = 0; p < V / 4; ++p) {
        int const column = reader.column(p);
        std::int64_t const inside = args.b.columns - first_column - column;
        if (args.aligned_c && inside >= 4) {
          float4 out{result[4 * p], result[4 * p + 1], result[4 * p + 2], result[4 * p + 3]};
          auto* const place = reinterpret_cast<float4*>(c + column);
          if (keep != 0.0f) {
            float4 const before = *place;
            out.x += keep * before.x, out.y += keep * before.y, out.z += keep * before.z, out.w += keep * before.w;
          }
          if (finish)
            out = {finished(args.epilogue, out.x, terms[p][0]), finished(args.epilogue, out.y, terms[p][1]),
                   finished(args.epilogue, out.z, terms[p][2]), finished(args.epilogue, out.w, terms[p][3])};
          *place = out;
        } else {
#pragma unroll
          for (int v = 0; v < 4; ++v)
            if (v < inside) {
              store_scaled(c + column + v, 1.0f, result[4 * p + v], keep);
              if (finish) c[column + v] = finished(args.epilogue, to, first_column + column + v, c[column + v]);
            }
        }
      }
    }
  }
}

template <int V, int L>
void launch(LockstepArguments const& args, cudaStream_t stream, bool early) {
  constexpr int slice_columns = L * V;
  static_assert(slice_columns == lockstep_slice_columns);
  constexpr char const* name = "araia: lockstep_spmm";
  std::size_t const shared = lockstep_shared_bytes(args.a.shape.chunk_cols);
  std::int64_t const slices = (args.b.columns + slice_columns - 1) / slice_columns;
  auto* const kernel = args.epilogue.any ? lockstep<V, L, true> : lockstep<V, L, false>;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)), name);
  launch_overlapped(early, kernel, grid_blocks(slices * args.a.shape.parts, 1, name), warps * warp_size, shared, stream,
                    name, args);
}

}  // namespace

std::size_t lockstep_shared_bytes(int chunk_cols) {
  return (static_cast<std::size_t>(chunk_cols) + 1) * lockstep_slice_columns * sizeof(float);
}

void lockstep_spmm(LockstepPointers const& a, std::int32_t const* row_permutation, float alpha,
                   DenseMatrix<float const> const& b, float beta, DenseMatrix<float> const& c, cudaStream_t stream,
                   bool early, EpiloguePointers<float> const& epilogue) {
  int const rows = a.shape.group_rows;
  if (rows != 8 && rows != 16)
    throw Error(ErrorKind::invalid_argument,
                "araia: lockstep_spmm: group_rows is " + std::to_string(rows) + ", expected 8 or 16");
  if (c.rows == 0 || c.columns == 0) return;
  LockstepArguments const args{.a = a,
                               .row_permutation = row_permutation,
                               .b = slice_source(b),
                               .c = c.data,
                               .c_stride = c.row_stride,
                               .alpha = alpha,
                               .beta = beta,
                               .half = lockstep_half(a.shape.chunk_cols),
                               .aligned_c = is_aligned(c.data, 16) && c.row_stride % 4 == 0,
                               .epilogue = StoreEpilogue<float>(epilogue, 4)};
  if (rows == 16)
    launch<16, 2>(args, stream, early);
  else
    launch<8, 4>(args, stream, early);
}

}  // namespace araia::cuda
