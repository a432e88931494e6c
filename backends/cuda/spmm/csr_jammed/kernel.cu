// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = act(alpha A B + beta C + bias + R), A in groups of G = 4 rows whose columns are sorted by row mask (packing.hpp).
// Mapping  block: a slice of L V columns of C and a part of the rows. It walks the chunks of A's columns, each time
// with
//          the chunk's rows of B in shared memory | warp: consecutive groups, all their columns of the chunk | L lanes:
//          one column of A at a time | lane: V columns of C for all rows of the group.
//          A mask has a loop of its own, without a test a column: a loaded row of B feeds as many FMAs as the mask has
//          rows.
//
//            lanes 0-3          4-7   8-11   ...   28-31     (L = 4)
//            column k0 of A     k1    k2           k7        of one mask: eight rows of B, V * 16 bytes each
//
// Traffic  registers are filled at 128 bytes a cycle, whoever shares an address: V words of B and two to four of A a
//          lane and step, so V is large. A comes once a slice by cp.async, B once a part. A row of B is loaded pack by
//          pack while the packs of the one before are used, over the borders of masks and groups.
// Shared   chunk_cols * L * V * 4 bytes of B and 2 KB a warp of records (4 KB for L = 2): one block an SM.
// Suits    128 columns and more below 0.85 sparsity.
// Order    sums of a chunk are added to C in the order of chunks: deterministic.

#include "backends/cuda/spmm/csr_jammed/kernel.hpp"

#include <string>
#include <utility>

#include "backends/cuda/check.hpp"
#include "backends/cuda/epilogue.cuh"
#include "backends/cuda/exact_rows.cuh"
#include "backends/cuda/lib/slice_rules.hpp"
#include "backends/cuda/overlap.cuh"
#include "backends/cuda/shared_memory.hpp"
#include "backends/cuda/shared_slice.cuh"

namespace araia::cuda {
namespace {

constexpr int G = jam_rows;  // of a group
constexpr int warps = jammed_warps;
constexpr int ring_blocks = jammed_ring_blocks;

template <int L>
constexpr int block_bytes = jammed_block_bytes(L);

struct JammedArguments {
  JamPointers a;
  ExactRows exact;
  SliceSource b;
  float* c;
  std::int64_t c_stride;
  float alpha;
  float beta;
  int parts;
  StoreEpilogue<float> epilogue;
};

// A warp's records in their order, through a ring in shared memory. Blocks are copied there by the warp, 16 bytes a
// lane; while one is read, the next has arrived and two are under way. L: lanes that share a column of A.
template <int L>
class RecordReader {
 public:
  __device__ RecordReader(char* ring, int lane)
      : ring_(static_cast<unsigned>(__cvta_generic_to_shared(ring))), mine_(ring_ + lane / L * 16), lane_(lane) {}

  // The caller then waits for the copies.
  __device__ __forceinline__ void start(uint4 const* records) {
    from_ = records + lane_;
    at_ = 0;
    freed_ = block;
    for (unsigned i = 0; i < ring_blocks; ++i) copy_block(i);
  }

  /// Makes the next block's records readable, beside what is left of this one.
  __device__ __forceinline__ void look_ahead() {
    if (at_ < freed_) return;
    __syncwarp();  // all lanes have read what is overwritten
    copy_block(freed_ / block - 1);
    freed_ += block;
    wait_copies<2>();
    __syncwarp();  // every lane's share has arrived
  }

  /// The record `after` that many.
  __device__ __forceinline__ uint4 peek(unsigned after) const {
    uint4 r;
    unsigned const address = mine_ + (at_ + after * record_bytes) % (ring_blocks * block);
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w)
                 : "r"(address));
    return r;
  }
  __device__ __forceinline__ void advance(unsigned records) { at_ += records * record_bytes; }

 private:
  static constexpr unsigned record_bytes = warp_size / L * 16;
  static constexpr unsigned block = block_bytes<L>;

  __device__ __forceinline__ void copy_block(unsigned index) {
#pragma unroll
    for (unsigned i = 0; i < block; i += warp_size * 16, from_ += warp_size)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(ring_ + index % ring_blocks * block + i +
                                                                     static_cast<unsigned>(lane_) * 16),
                   "l"(from_)
                   : "memory");
    commit_copies();
  }

  unsigned ring_;       // shared address
  unsigned mine_;       // of these lanes' share of the first record
  unsigned at_ = 0;     // bytes read
  unsigned freed_ = 0;  // where the block ends that is copied over next
  int lane_;
  uint4 const* from_ = nullptr;
};

__host__ __device__ constexpr int bits_of(unsigned mask) {
  return mask == 0 ? 0 : static_cast<int>(mask & 1) + bits_of(mask >> 1);
}

template <int V>
struct Group {
  float sum[G][V];

  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int r = 0; r < G; ++r)
#pragma unroll
      for (int v = 0; v < V; ++v) sum[r][v] = 0.0f;
  }

  // The rows of MASK += their values times B's row; `value(i)` is that of the i-th row of the mask. Each pack of b,
  // once used, is loaded with that of the next row of B: it arrives while the others are used.
  template <unsigned MASK, int L, class Value>
  __device__ __forceinline__ void add(float (&b)[V], SliceReader<V, L> const& slice, unsigned next,
                                      Value const& value) {
#pragma unroll
    for (int p = 0; p < V / 4; ++p) {
      int i = 0;
#pragma unroll
      for (int r = 0; r < G; ++r)
        if (MASK >> r & 1) {
          float const a = value(i++);
#pragma unroll
          for (int v = 4 * p; v < 4 * p + 4; ++v) sum[r][v] += a * b[v];
        }
      slice.load_pack(next, p, b + 4 * p);
    }
  }
};

__device__ __forceinline__ float word(uint4 const& v, int i) {
  return __uint_as_float(i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w);
}

// What goes from step to step, over the borders of masks and groups: the record of the step, the one after it, and the
// step's row of B.
template <int V>
struct Ahead {
  uint4 head;
  uint4 second;
  float b[V];
};

// All columns of one mask.
template <unsigned MASK, int L, int V>
__device__ __forceinline__ void run_mask(Group<V>& group, RecordReader<L>& reader, SliceReader<V, L> const& slice,
                                         Ahead<V>& ahead, unsigned steps) {
  constexpr int rows = bits_of(MASK);
#pragma unroll 1
  for (; steps > 0; --steps) {
    reader.look_ahead();
    uint4 const head = ahead.head;
    if constexpr (rows == 1) {
      group.template add<MASK>(ahead.b, slice, head.z, [&](int) { return word(head, 1); });
      group.template add<MASK>(ahead.b, slice, ahead.second.x, [&](int) { return word(head, 3); });
    } else if constexpr (rows < 4) {
      group.template add<MASK>(ahead.b, slice, ahead.second.x, [&](int i) { return word(head, 1 + i); });
    }
    if constexpr (rows < 4) {
      ahead.head = ahead.second;
      reader.advance(1);
    } else {
      uint4 const next = reader.peek(2);
      float const last = word(ahead.second, 0);
      group.template add<MASK>(ahead.b, slice, next.x, [&](int i) { return i < 3 ? word(head, 1 + i) : last; });
      ahead.head = next;
      reader.advance(2);
    }
    ahead.second = reader.peek(1);
  }
}

template <int L, int V, unsigned... M>
__device__ __forceinline__ void run_masks(Group<V>& group, RecordReader<L>& reader, SliceReader<V, L> const& slice,
                                          Ahead<V>& ahead, uint4 const& counts, std::integer_sequence<unsigned, M...>) {
  unsigned const four[4] = {counts.x, counts.y, counts.z, counts.w};
  (run_mask<M + 1>(group, reader, slice, ahead, four[(M + 1) / 4] >> (8 * ((M + 1) % 4)) & 255u), ...);
}

// The sums of all subgroups: in each stage a lane gives half of its columns away and gets the partner's sums of the
// other half, first whole packs, then of one pack. `columns` neighbours are left to it.
template <int V, int L>
struct Share {
  static constexpr int subgroups = warp_size / L;
  static constexpr int columns = V / subgroups;
  static_assert(columns >= 1 && V / 4 * (8 / L) <= subgroups);
  int subgroup;

  __device__ explicit Share(int s) : subgroup(s) {}

  /// Of the kept columns, after those of the lane's first pack of the slice.
  __device__ int first_column() const {
    int column = 0;
#pragma unroll
    for (int bit = subgroups / 2, n = V / 2; bit > 0; bit /= 2, n /= 2)
      if (subgroup & bit) column += n >= 4 ? n * L : n;
    return column;
  }

  __device__ __forceinline__ void add_subgroups(float (&sum)[V]) const { stage<subgroups / 2, V / 2>(sum); }

 private:
  template <int BIT, int N>
  __device__ __forceinline__ void stage(float (&sum)[V]) const {
    if constexpr (BIT > 0) {
      // Packs stand in the order of SliceReader.
      bool upper = (subgroup & BIT) != 0;
      if constexpr (N >= 4) upper = upper != ((subgroup % (8 / L) & N / 4) != 0);
#pragma unroll
      for (int v = 0; v < N; ++v) {
        float const other = __shfl_xor_sync(~0u, upper ? sum[v] : sum[v + N], BIT * L);
        sum[v] = (upper ? sum[v + N] : sum[v]) + other;
      }
      stage<BIT / 2, N / 2>(sum);
    }
  }
};

template <int V, int L, bool EPILOGUE>
__global__ void __launch_bounds__(warps* warp_size, 1) jammed(JammedArguments const args) {
  constexpr int slice_columns = L * V;
  extern __shared__ __align__(128) char shared_bytes[];
  int const chunk_cols = args.a.shape.chunk_cols;
  char* const slice = shared_bytes;  // (chunk_cols, slice_columns)
  char* const rings = shared_bytes + chunk_cols * slice_columns * 4;

  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const subgroup = lane / L;
  std::int64_t const slice_index = blockIdx.x / args.parts;
  int const part = static_cast<int>(blockIdx.x - slice_index * args.parts);
  std::int64_t const first_column = slice_index * slice_columns;
  std::int64_t const workers = static_cast<std::int64_t>(args.parts) * warps;
  std::int64_t const worker = static_cast<std::int64_t>(part) * warps + warp;
  std::int64_t const first_group = args.a.groups * worker / workers;
  std::int64_t const last_group = args.a.groups * (worker + 1) / workers;
  Share<V, L> const share(subgroup);
  std::int64_t const lane_column = first_column + lane % L * 4 + share.first_column();

  RecordReader<L> reader(rings + warp * ring_blocks * block_bytes<L>, lane);
  SliceReader<V, L> const lane_slice(slice, lane);

  for (std::int64_t chunk = 0; chunk < args.a.chunks; ++chunk) {
    std::int64_t const first_row = chunk * chunk_cols;
    int const chunk_rows =
        static_cast<int>(min(static_cast<long long>(args.a.cols - first_row), static_cast<long long>(chunk_cols)));
    bool const finish = EPILOGUE && chunk + 1 == args.a.chunks;
    if (chunk > 0) __syncthreads();  // all warps are done with the chunk before
    reader.start(reinterpret_cast<uint4 const*>(args.a.records) +
                 args.a.stream_offsets[chunk * args.a.groups + first_group] * (warp_size / L));
    if (chunk == 0) {
      wait_for_predecessor();
      let_successor_start();
    }
    copy_slice<slice_columns, warps * warp_size>(slice, args.b, first_row, chunk_cols, first_column);
    wait_copies<0>();
    __syncthreads();  // the chunk of B and every ring are there

    auto const* const counts = reinterpret_cast<uint4 const*>(args.a.counts) + chunk * args.a.groups;
    Ahead<V> ahead;
    ahead.head = reader.peek(0);
    ahead.second = reader.peek(1);
    lane_slice.load(ahead.head.x, ahead.b);
    uint4 next_counts = first_group < last_group ? __ldg(counts + first_group) : uint4{};
    for (std::int64_t g = first_group; g < last_group; ++g) {
      uint4 const steps = next_counts;
      if (g + 1 < last_group) next_counts = __ldg(counts + g + 1);
      Group<V> group;
      group.clear();
      run_masks<L>(group, reader, lane_slice, ahead, steps, std::make_integer_sequence<unsigned, (1u << G) - 1>());

      int4 const rows = __ldg(reinterpret_cast<int4 const*>(args.a.row_order) + g);
      float terms[G][Share<V, L>::columns] = {};
      // With an epilogue all sums first: that leaves registers for the terms, which stores to C would hold back.
#pragma unroll
      for (int r = 0; r < G; ++r)
        if constexpr (EPILOGUE) share.add_subgroups(group.sum[r]);
      if (finish)
#pragma unroll
        for (int r = 0; r < G; ++r) {
          std::int64_t const stored_row = r == 0 ? rows.x : r == 1 ? rows.y : r == 2 ? rows.z : rows.w;
          if (stored_row < 0) continue;
          std::int64_t const row = args.exact.row_permutation ? args.exact.row_permutation[stored_row] : stored_row;
#pragma unroll
          for (int v = 0; v < Share<V, L>::columns; ++v) {
            float one[1];
            if (lane_column + v < args.b.columns) {
              load_terms(args.epilogue, row, lane_column + v, one);
              terms[r][v] = one[0];
            }
          }
        }
#pragma unroll
      for (int r = 0; r < G; ++r) {
        std::int64_t const stored_row = r == 0 ? rows.x : r == 1 ? rows.y : r == 2 ? rows.z : rows.w;
        if constexpr (!EPILOGUE) share.add_subgroups(group.sum[r]);
        auto& sum = group.sum[r];
        if (stored_row < 0) continue;
        std::int64_t const row = args.exact.row_permutation ? args.exact.row_permutation[stored_row] : stored_row;
        float* const c = args.c + row * args.c_stride + lane_column;
#pragma unroll
        for (int v = 0; v < Share<V, L>::columns; ++v) {
          if (lane_column + v >= args.b.columns) continue;
          if (!(fabsf(sum[v]) <= 3.402823466e38f))
            sum[v] = exact_sum(args.exact, args.b.b, args.b.stride, stored_row, lane_column + v, first_row,
                               first_row + chunk_rows);
          float before = 0.0f;
          if (chunk > 0)
            before = c[v];
          else if (args.beta != 0.0f)
            before = args.beta * c[v];
          float out = args.alpha * sum[v] + before;
          if (finish) out = finished(args.epilogue, out, terms[r][v]);
          c[v] = out;
        }
      }
    }
    wait_copies<0>();  // the ring is filled anew
  }
}

template <int V, int L>
void launch(JammedArguments const& args, std::size_t shared, cudaStream_t stream, bool early) {
  std::int64_t const slices = (args.b.columns + L * V - 1) / (L * V);
  auto* const kernel = args.epilogue.any ? jammed<V, L, true> : jammed<V, L, false>;
  allow_shared_memory(kernel, shared, "araia: jammed_spmm: shared memory");
  launch_overlapped(early, kernel, grid_blocks(slices * args.parts, 1, "araia: jammed_spmm"), warps * warp_size, shared,
                    stream, "araia: jammed_spmm", args);
}

}  // namespace

template <class Offset>
void jammed_spmm(JamPointers const& a, CsrPointers<float, std::int32_t, Offset> const& exact, float alpha,
                 DenseMatrix<float const> const& b, float beta, DenseMatrix<float> const& c, JammedTuning const& tuning,
                 int multiprocessors, cudaStream_t stream, bool early, EpiloguePointers<float> const& epilogue) {
  int const step = a.shape.step_columns;
  if ((step != 8 && step != 16) || (tuning.vector != 16 && (tuning.vector != 8 || step != 8)))
    throw Error(ErrorKind::invalid_argument, "araia: jammed_spmm: vector, step_columns are " +
                                                 std::to_string(tuning.vector) + ", " + std::to_string(step) +
                                                 ", expected 8, 8 or 16, 8 or 16, 16");
  if (c.rows == 0 || c.columns == 0) return;
  int const lanes = warp_size / a.shape.step_columns;
  int const slice_columns = lanes * tuning.vector;
  JammedArguments args{.a = a,
                       .exact = ExactRows(exact),
                       .b = slice_source(b),
                       .c = c.data,
                       .c_stride = c.row_stride,
                       .alpha = alpha,
                       .beta = beta,
                       .parts = tuning.parts,
                       .epilogue = StoreEpilogue<float>(epilogue, 1)};
  if (args.parts <= 0) {
    std::int64_t const slices = quotient_up(c.columns, slice_columns);
    args.parts = static_cast<int>(parts_of_slice(slices, multiprocessors, quotient_up(a.groups, warps)));
  }
  std::size_t const shared = jammed_shared_bytes(a.shape, tuning.vector);
  if (lanes == 2)
    launch<16, 2>(args, shared, stream, early);
  else if (tuning.vector == 16)
    launch<16, 4>(args, shared, stream, early);
  else
    launch<8, 4>(args, shared, stream, early);
}

template void jammed_spmm(JamPointers const&, CsrPointers<float, std::int32_t, std::int32_t> const&, float,
                          DenseMatrix<float const> const&, float, DenseMatrix<float> const&, JammedTuning const&, int,
                          cudaStream_t, bool, EpiloguePointers<float> const&);
template void jammed_spmm(JamPointers const&, CsrPointers<float, std::int32_t, std::int64_t> const&, float,
                          DenseMatrix<float const> const&, float, DenseMatrix<float> const&, JammedTuning const&, int,
                          cudaStream_t, bool, EpiloguePointers<float> const&);

}  // namespace araia::cuda
