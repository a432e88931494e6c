// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = act(alpha A B + beta C + bias + R), A in groups of rows of like length side by side (packing.hpp).
// Mapping  block: a slice of L V = 32 columns of C and a part of the rows; some warps bring B's rows, stage by stage,
//          into a ring in shared memory, the others multiply | warp: groups of 32 / L rows, one a round, each from A's
//          first column to its last | L lanes: a row | lane: V columns.
//
//            lanes 0-1    2-3     4-5     ...  30-31        (L = 2, V = 16)
//            row 0        row 1   row 2        row 15       of a group: each its own entries, one after the other
//
// Stages   a barrier each, full and empty. A group's entries stand in the order of their columns, so that it needs a
//          stage after the other; its events tell before which batch of records. Where all of B's slice fits in the
//          ring it stays there; else it comes again every round.
// Traffic  registers are filled at 128 bytes a cycle from shared memory, whoever shares an address: V words of B a lane
//          and entry. A's two (place, value) come once a slice, some records before they are needed, by the texture
//          units, which fill registers beside that. Lanes are few, and sums need no other lane. B comes once a part by
//          cp.async, behind the products.
// Shared   the ring: one block an SM.
// Suits    0.8 sparsity and more with 128 columns and more: rows share few columns there, so that a load of B seldom
//          serves two of them.

#include "backends/cuda/spmm/csr_lockstep/kernel.hpp"

#include <string>

#include "backends/cuda/check.hpp"
#include "backends/cuda/epilogue.cuh"
#include "backends/cuda/mbarriers.cuh"
#include "backends/cuda/memory.cuh"
#include "backends/cuda/overlap.cuh"
#include "backends/cuda/shared_memory.hpp"
#include "backends/cuda/shared_slice.cuh"

namespace araia::cuda {
namespace {

constexpr int producers = 4;  // warps
constexpr int stage_cols = lockstep_stage_cols;
constexpr int slice_columns = lockstep_slice_columns;
constexpr int stage_bytes = stage_cols * slice_columns * 4;

struct LockstepArguments {
  LockstepPointers a;
  std::int32_t const* row_permutation;
  SliceSource b;
  float* c;
  std::int64_t c_stride;
  float alpha;
  float beta;
  bool aligned_c;  // 16-byte accesses fit
  StoreEpilogue<float> epilogue;
};

/// The ring of stages in shared memory: the stages, a row of zeros, a full and an empty barrier a stage.
struct Ring {
  char* slots;
  unsigned full;
  unsigned empty;
  int stages;

  __device__ Ring(char* shared, int n)
      : slots(shared),
        full(shared_address(shared) + static_cast<unsigned>(n * stage_bytes + slice_columns * 4)),
        empty(full + static_cast<unsigned>(n) * 8),
        stages(n) {}

  __device__ __forceinline__ unsigned full_of(unsigned slot) const { return full + slot * 8; }
  __device__ __forceinline__ unsigned empty_of(unsigned slot) const { return empty + slot * 8; }
};

/// Where a reader or writer of stages stands.
struct Position {
  unsigned slot = 0;
  unsigned phase = 0;

  __device__ __forceinline__ void advance(int stages) {
    if (++slot == static_cast<unsigned>(stages)) slot = 0, phase ^= 1u;
  }
};

/// Rows [first_row, first_row + stage_cols) within B to a slot, by the producers' threads; columns beyond the last are
/// zeros.
__device__ __forceinline__ void copy_stage(char* slot, SliceSource const& from, std::int64_t first_row,
                                           std::int64_t first_column, int thread) {
  constexpr int threads = producers * warp_size;
  auto const rows =
      static_cast<int>(min(static_cast<long long>(from.rows - first_row), static_cast<long long>(stage_cols)));
  auto const copy = [&]<int WORDS>() {
    constexpr int per_row = slice_columns / WORDS;
    constexpr int step = threads / per_row;  // rows
    std::int64_t const column = first_column + thread % per_row * WORDS;
    std::int64_t const left = from.columns - column;
    int const bytes = left >= WORDS ? WORDS * 4 : left > 0 ? static_cast<int>(left) * 4 : 0;
    float const* b = from.b + (first_row + thread / per_row) * from.stride + (left > 0 ? column : 0);
    char* to = slot + thread * (WORDS * 4);
#pragma unroll 8
    for (int row = thread / per_row; row < rows; row += step) {
      if constexpr (WORDS == 4)
        copy_async(to, b, bytes);
      else
        copy_async_word(to, b, bytes);
      to += threads * WORDS * 4;
      b += step * from.stride;
    }
  };
  if (from.aligned)
    copy.template operator()<4>();
  else
    copy.template operator()<1>();
}

template <int V, int L, bool EPILOGUE>
__device__ __forceinline__ void store_row(LockstepArguments const& args, SliceReader<V, L> const& reader,
                                          std::int32_t row, std::int64_t first_column, float const (&result)[V]) {
  std::int64_t const to = args.row_permutation ? args.row_permutation[row] : row;
  float* const c = args.c + to * args.c_stride + first_column;
  float const keep = args.beta;
  float terms[V / 4][4];
  if (EPILOGUE && args.aligned_c)
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
      if constexpr (EPILOGUE)
        out = {finished(args.epilogue, out.x, terms[p][0]), finished(args.epilogue, out.y, terms[p][1]),
               finished(args.epilogue, out.z, terms[p][2]), finished(args.epilogue, out.w, terms[p][3])};
      *place = out;
    } else {
#pragma unroll
      for (int v = 0; v < 4; ++v)
        if (v < inside) {
          store_scaled(c + column + v, 1.0f, result[4 * p + v], keep);
          if constexpr (EPILOGUE) c[column + v] = finished(args.epilogue, to, first_column + column + v, c[column + v]);
        }
    }
  }
}

template <int V, int L, int WARPS, bool EPILOGUE>
__global__ void __launch_bounds__((WARPS + producers) * warp_size, 1) lockstep(LockstepArguments const args) {
  static_assert(slice_columns == L * V);
  constexpr int warps = WARPS;
  constexpr int ahead = WARPS == 8 ? lockstep_batch : lockstep_batch / 2;  // more warps have fewer registers
  constexpr int rows = warp_size / L;                                      // of a group
  extern __shared__ __align__(128) char shared[];

  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const parts = args.a.shape.parts;
  std::int64_t const slice_index = blockIdx.x / parts;
  std::int64_t const part = blockIdx.x - slice_index * parts;
  std::int64_t const first_column = slice_index * slice_columns;
  Ring const ring(shared, args.a.shape.ring);
  auto const stages = static_cast<int>(args.a.stages);
  bool const resident = stages <= ring.stages;
  std::int64_t const rounds = (args.a.groups + warps - 1) / warps;

  if (threadIdx.x < slice_columns) reinterpret_cast<float*>(ring.slots + ring.stages * stage_bytes)[threadIdx.x] = 0.0f;
  if (threadIdx.x < static_cast<unsigned>(ring.stages)) {
    barrier_init(ring.full_of(threadIdx.x), producers * warp_size);
    barrier_init(ring.empty_of(threadIdx.x), warps * warp_size);
  }
  __syncthreads();  // barriers and zeros are seen

  if (warp >= warps) {
    int const thread = static_cast<int>(threadIdx.x) - warps * warp_size;
    wait_for_predecessor();
    let_successor_start();
    Position at;
    for (std::int64_t round = 0; round < (resident ? 1 : rounds); ++round)
      for (int s = 0; s < stages; ++s) {
        if (round * stages + s >= ring.stages) barrier_wait(ring.empty_of(at.slot), at.phase ^ 1u);
        copy_stage(ring.slots + at.slot * stage_bytes, args.b, static_cast<std::int64_t>(s) * stage_cols, first_column,
                   thread);
        barrier_arrive_behind_copies(ring.full_of(at.slot));
        at.advance(ring.stages);
      }
    asm volatile("cp.async.wait_all;" ::: "memory");
    return;
  }

  int const subgroup = lane / L;
  int const first_record = args.a.texture.first + subgroup;  // of these lanes, in the texture
  SliceReader<V, L> const reader(ring.slots, lane);
  std::int64_t const first_stream = part * args.a.groups;
  std::int64_t const* const offsets = args.a.stream_offsets + first_stream;
  // Groups are sorted by length: dealt to the warps there and back.
  auto const group_of = [&](std::int64_t round) { return round * warps + (round % 2 == 0 ? warp : warps - 1 - warp); };
  std::int64_t group = group_of(0);
  std::int64_t start = 0;
  int left = 0;  // records
  uint4 next[ahead];
  auto const fetch = [&](std::int64_t record) {
#pragma unroll
    for (int i = 0; i < ahead; ++i)
      next[i] = tex1Dfetch<uint4>(args.a.texture.object, static_cast<int>(record + i) * rows + first_record);
  };
  std::uint32_t event = lockstep_no_event;  // the group's next
  std::int32_t row = -1;
  auto const events_of = [&](std::int64_t g) { return args.a.events + (first_stream + g) * (stages + 1); };
  auto const row_of = [&](std::int64_t g) { return __ldg(args.a.row_order + (first_stream + g) * rows + subgroup); };
  if (group < args.a.groups) {
    start = __ldg(offsets + group);
    left = static_cast<int>(__ldg(offsets + group + 1) - start);
    event = __ldg(events_of(group));
    row = row_of(group);
    fetch(start);
  }
  wait_for_predecessor();
  let_successor_start();

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
  // Adds `ahead` records, or those that are left, while those at `then` are fetched.
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

  Position wanted;  // the next stage to wait for
  Position held;    // the first not given back
  for (std::int64_t round = 0; round < rounds; ++round) {
    int waited = 0;
    int released = 0;
    auto const wait = [&] {
      barrier_wait(ring.full_of(wanted.slot), wanted.phase);
      wanted.advance(ring.stages);
      ++waited;
    };
    auto const release = [&](int count) {
      if (resident) return;
      for (; count > 0; --count, ++released) {
        barrier_arrive(ring.empty_of(held.slot));  // every lane, for what it has read
        held.advance(ring.stages);
      }
    };
    if (group < args.a.groups) {
      std::uint32_t const* const events = events_of(group);
      std::int64_t const next_group = group_of(round + 1);
      std::int64_t next_start = start;
      int next_left = 0;
      std::uint32_t next_event = lockstep_no_event;
      std::int32_t next_row = -1;
      if (next_group < args.a.groups) {
        next_start = __ldg(offsets + next_group);
        next_left = static_cast<int>(__ldg(offsets + next_group + 1) - next_start);
        if (!resident) next_event = __ldg(events_of(next_group));  // else all stages are there by then
        next_row = row_of(next_group);
      }
      while (event != lockstep_no_event) {
        auto steps = static_cast<int>(event >> lockstep_release_bits) * (lockstep_batch / ahead);
        auto const count = static_cast<int>(event & ((1u << lockstep_release_bits) - 1));
        event = __ldg(events + waited + 1);
#pragma unroll 1
        for (; steps > 0; --steps, left -= ahead) add_records(start += ahead);
        release(count);
        wait();
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
      if (row >= 0) store_row<V, L, EPILOGUE>(args, reader, row, first_column, result);
      row = next_row;
      event = next_event;
    }
    if (!resident || round == 0)
      while (waited < stages) {
        release(waited - released);
        wait();
      }
    release(stages - released);
  }
}

template <int V, int L, int WARPS>
void launch(LockstepArguments const& args, cudaStream_t stream, bool early) {
  constexpr char const* name = "araia: lockstep_spmm";
  std::size_t const shared = lockstep_shared_bytes(args.a.shape.ring);
  std::int64_t const slices = (args.b.columns + slice_columns - 1) / slice_columns;
  auto* const kernel = args.epilogue.any ? lockstep<V, L, WARPS, true> : lockstep<V, L, WARPS, false>;
  allow_shared_memory(kernel, shared, name);
  launch_overlapped(early, kernel, grid_blocks(slices * args.a.shape.parts, 1, name), (WARPS + producers) * warp_size,
                    shared, stream, name, args);
}

template <int V, int L>
void launch(LockstepArguments const& args, cudaStream_t stream, bool early) {
  if (args.a.shape.warps == 16)
    launch<V, L, 16>(args, stream, early);
  else
    launch<V, L, 8>(args, stream, early);
}

}  // namespace

void lockstep_spmm(LockstepPointers const& a, std::int32_t const* row_permutation, float alpha,
                   DenseMatrix<float const> const& b, float beta, DenseMatrix<float> const& c, cudaStream_t stream,
                   bool early, EpiloguePointers<float> const& epilogue) {
  int const rows = a.shape.group_rows;
  if ((rows != 8 && rows != 16) || (a.shape.warps != 8 && a.shape.warps != 16))
    throw Error(ErrorKind::invalid_argument, "araia: lockstep_spmm: group_rows, warps are " + std::to_string(rows) +
                                                 ", " + std::to_string(a.shape.warps) + ", expected 8 or 16");
  if (a.texture.object == 0)
    throw Error(ErrorKind::invalid_argument, "araia: lockstep_spmm: texture is 0, expected one over the records");
  if (c.rows == 0 || c.columns == 0) return;
  LockstepArguments const args{.a = a,
                               .row_permutation = row_permutation,
                               .b = slice_source(b),
                               .c = c.data,
                               .c_stride = c.row_stride,
                               .alpha = alpha,
                               .beta = beta,
                               .aligned_c = is_aligned(c.data, 16) && c.row_stride % 4 == 0,
                               .epilogue = StoreEpilogue<float>(epilogue, 4)};
  if (rows == 16)
    launch<16, 2>(args, stream, early);
  else
    launch<8, 4>(args, stream, early);
}

}  // namespace araia::cuda
