// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = alpha A B + beta C, A as a jam packing (jam_packing.hpp): rows in groups of G = 2 or 4, columns sorted by row
// mask. Mapping  block: a slice of 8 V columns of C and a part of the rows; it walks the chunks of A's columns, each
// time with
//          the chunk's rows of B in shared memory | warp: consecutive groups, all their columns of the chunk
//          | quarter of a warp: one column of A at a time | lane: V columns of C for all rows of the group.
//          A mask has a loop of its own, without a test a column: a loaded row of B feeds as many FMAs as it has rows.
//
//            lanes 0-7         8-15        16-23       24-31
//            column k0 of A    k1          k2          k3       of one mask: four rows of B, V * 32 bytes each
//
// Traffic  shared memory: 128 bytes of B for 32 columns of C and all rows of a mask, a record of A for four such.
//          A comes once a slice by cp.async, B once a part.
// Shared   chunk_cols * V * 32 bytes of B and 2 KB a warp of records: 208 KB for chunks of 704 (V = 8), one block an
// SM. Suits    128 columns and more below 0.95 sparsity. Sums of a chunk are added to C in the order of chunks:
// deterministic.

#include "backends/cuda/jammed_spmm.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "backends/cuda/check.hpp"
#include "backends/cuda/exact_rows.cuh"

namespace araia::cuda {
namespace {

constexpr int warp_size = 32;
constexpr int warps = jammed_warps;
constexpr int ring_records = 32;  // of a warp
constexpr int run_records = 8;    // at most that are read between two looks ahead
constexpr int record_vectors = jam_record_words / 4;

struct JammedArguments {
  JamPointers a;
  ExactRows exact;
  float const* b;
  float* c;
  std::int64_t b_stride;
  std::int64_t c_stride;
  std::int64_t columns;
  float alpha;
  float beta;
  int parts;
  bool aligned_b;  // 16-byte copies fit
};

__device__ __forceinline__ void copy_async(void* to, void const* from, int bytes) {
  auto const shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(bytes) : "memory");
}
__device__ __forceinline__ void copy_async_word(void* to, void const* from, int bytes) {
  auto const shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared), "l"(from), "r"(bytes) : "memory");
}
__device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int pending>
__device__ __forceinline__ void wait_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

// A warp's records in their order, through a ring in shared memory. Blocks of 8 records are copied there by the warp,
// 16 bytes a lane; while one is read, the next has arrived and two are under way.
class RecordReader {
 public:
  __device__ RecordReader(uint4* ring, int lane)
      : ring_(static_cast<unsigned>(__cvta_generic_to_shared(ring))), quarter_(ring_ + lane / 8 * 16), lane_(lane) {}

  // The caller then waits for all copies but the last two groups.
  __device__ __forceinline__ void start(uint4 const* records) {
    from_ = records + lane_;
    at_ = 0;
    freed_ = block_bytes;
    for (unsigned block = 0; block < ring_blocks; ++block) copy_block(block);
  }

  // Makes the next run_records records readable.
  __device__ __forceinline__ void look_ahead() {
    if (at_ < freed_) return;
    __syncwarp();  // all lanes have read what is overwritten
    copy_block(freed_ / block_bytes - 1);
    freed_ += block_bytes;
    wait_copies<2>();
    __syncwarp();  // every lane's share has arrived
  }

  __device__ __forceinline__ uint4 next() {
    uint4 r;
    unsigned const address = quarter_ + at_ % ring_bytes;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w)
                 : "r"(address));
    at_ += record_bytes;
    return r;
  }

 private:
  static constexpr unsigned record_bytes = jam_record_words * 4;
  static constexpr unsigned block_bytes = run_records * record_bytes;
  static constexpr unsigned ring_bytes = ring_records * record_bytes;
  static constexpr unsigned ring_blocks = ring_bytes / block_bytes;
  static_assert(block_bytes == warp_size * 16);

  __device__ __forceinline__ void copy_block(unsigned block) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(ring_ + block % ring_blocks * block_bytes +
                                                                   static_cast<unsigned>(lane_) * 16),
                 "l"(from_)
                 : "memory");
    commit_copies();
    from_ += warp_size;
  }

  unsigned ring_;       // shared address
  unsigned quarter_;    // of this quarter's share of the first record
  unsigned at_ = 0;     // bytes read
  unsigned freed_ = 0;  // where the block ends that is copied over next
  int lane_;
  uint4 const* from_ = nullptr;
};

__host__ __device__ constexpr int bits_of(unsigned mask) {
  return mask == 0 ? 0 : static_cast<int>(mask & 1) + bits_of(mask >> 1);
}

template <int G, int V>
struct Group {
  float sum[G][V];

  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int r = 0; r < G; ++r)
#pragma unroll
      for (int v = 0; v < V; ++v) sum[r][v] = 0.0f;
  }

  // The rows of MASK += their values times B's row; `value(i)` is that of the i-th row of the mask.
  template <unsigned MASK, class Value>
  __device__ __forceinline__ void add(float const (&b)[V], Value const& value) {
    int i = 0;
#pragma unroll
    for (int r = 0; r < G; ++r)
      if (MASK >> r & 1) {
        float const a = value(i++);
#pragma unroll
        for (int v = 0; v < V; ++v) sum[r][v] += a * b[v];
      }
  }
};

template <int V>
__device__ __forceinline__ void load_b(char const* slice, unsigned column, float (&b)[V]) {
  auto const* const row = reinterpret_cast<float4 const*>(slice + column * (V * 32));
#pragma unroll
  for (int v = 0; v < V / 4; ++v) {
    float4 const x = row[v * 8];
    b[4 * v] = x.x, b[4 * v + 1] = x.y, b[4 * v + 2] = x.z, b[4 * v + 3] = x.w;
  }
}

__device__ __forceinline__ float word(uint4 const& v, int i) {
  return __uint_as_float(i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w);
}

// One step of a mask: a column of A for each quarter.
template <unsigned MASK, int V>
struct Step {
  static constexpr int rows = bits_of(MASK);
  uint4 head;
  uint4 tail;
  float b[V];
  float second[rows == 1 ? V : 1];

  __device__ __forceinline__ void read(RecordReader& reader) {
    head = reader.next();
    if constexpr (rows > 3) tail = reader.next();
  }
  __device__ __forceinline__ void load(char const* slice) {
    load_b<V>(slice, head.x, b);
    if constexpr (rows == 1) load_b<V>(slice, head.z, second);
  }
  template <int G>
  __device__ __forceinline__ void add_to(Group<G, V>& group) const {
    group.template add<MASK>(b, [&](int i) { return i < 3 ? word(head, 1 + i) : word(tail, i - 3); });
    if constexpr (rows == 1) group.template add<MASK>(second, [&](int) { return word(head, 3); });
  }
};

// All columns of one mask, two steps at once: their loads are under way together.
template <unsigned MASK, int G, int V>
__device__ __forceinline__ void run_mask(Group<G, V>& group, RecordReader& reader, char const* slice, unsigned steps) {
  constexpr int rows = bits_of(MASK);
  constexpr unsigned records = rows > 3 ? 2 : 1;  // a step
#pragma unroll 1
  while (steps > 0) {
    unsigned now = min(steps, run_records / records);
    steps -= now;
    reader.look_ahead();
    if constexpr (rows > 1 || G <= 2) {  // a record of one row has two steps already; of two rows, registers are left
#pragma unroll 1
      for (; now >= 2; now -= 2) {
        Step<MASK, V> first, second;
        first.read(reader);
        second.read(reader);
        first.load(slice);
        second.load(slice);
        first.add_to(group);
        second.add_to(group);
      }
    }
#pragma unroll 1
    for (; now > 0; --now) {  // a mask of one row has two columns a quarter in each record
      Step<MASK, V> step;
      step.read(reader);
      step.load(slice);
      step.add_to(group);
    }
  }
}

template <int G, int V, unsigned... M>
__device__ __forceinline__ void run_masks(Group<G, V>& group, RecordReader& reader, char const* slice,
                                          std::integer_sequence<unsigned, M...>) {
  reader.look_ahead();
  uint4 const counts = reader.next();
  unsigned const four[4] = {counts.x, counts.y, counts.z, counts.w};
  (run_mask<M + 1>(group, reader, slice, four[(M + 1) / 4] >> (8 * ((M + 1) % 4)) & 255u), ...);
}

template <int G, int V>
__global__ void __launch_bounds__(warps* warp_size, 1) jammed(JammedArguments const args) {
  constexpr int slice_columns = 8 * V;
  extern __shared__ __align__(128) char shared_bytes[];
  int const chunk_cols = args.a.shape.chunk_cols;
  char* const slice = shared_bytes;  // (chunk_cols, slice_columns)
  auto* const rings = reinterpret_cast<uint4*>(shared_bytes + chunk_cols * slice_columns * 4);

  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const quarter = lane / 8;
  std::int64_t const slice_index = blockIdx.x / args.parts;
  int const part = static_cast<int>(blockIdx.x - slice_index * args.parts);
  std::int64_t const first_column = slice_index * slice_columns;
  std::int64_t const workers = static_cast<std::int64_t>(args.parts) * warps;
  std::int64_t const worker = static_cast<std::int64_t>(part) * warps + warp;
  std::int64_t const first_group = args.a.groups * worker / workers;
  std::int64_t const last_group = args.a.groups * (worker + 1) / workers;
  // After the sum over quarters a lane holds V / 4 neighbours of every row.
  std::int64_t const lane_column =
      first_column + (quarter / 2) * (V == 8 ? 32 : 2) + (lane % 8) * 4 + (quarter % 2) * (V / 4);

  RecordReader reader(rings + warp * ring_records * record_vectors, lane);
  char const* const lane_slice = slice + (lane % 8) * 16;

  for (std::int64_t chunk = 0; chunk < args.a.chunks; ++chunk) {
    std::int64_t const first_row = chunk * chunk_cols;
    int const chunk_rows =
        static_cast<int>(min(static_cast<long long>(args.a.cols - first_row), static_cast<long long>(chunk_cols)));
    if (chunk > 0) __syncthreads();  // all warps are done with the chunk before
    if (args.aligned_b) {
      constexpr int per_row = slice_columns / 4;
      for (int i = static_cast<int>(threadIdx.x); i < chunk_rows * per_row; i += warps * warp_size) {
        std::int64_t const column = first_column + (i % per_row) * 4;
        std::int64_t const left = args.columns - column;
        int const bytes = left >= 4 ? 16 : left > 0 ? static_cast<int>(left) * 4 : 0;
        copy_async(slice + i * 16, args.b + (first_row + i / per_row) * args.b_stride + (left > 0 ? column : 0), bytes);
      }
    } else {
      for (int i = static_cast<int>(threadIdx.x); i < chunk_rows * slice_columns; i += warps * warp_size) {
        std::int64_t const column = first_column + i % slice_columns;
        bool const inside = column < args.columns;
        copy_async_word(slice + i * 4, args.b + (first_row + i / slice_columns) * args.b_stride + (inside ? column : 0),
                        inside ? 4 : 0);
      }
    }
    commit_copies();
    reader.start(reinterpret_cast<uint4 const*>(args.a.records) +
                 args.a.stream_offsets[chunk * args.a.groups + first_group] * record_vectors);
    wait_copies<2>();
    __syncthreads();  // the chunk of B and the first half of every ring are there

    for (std::int64_t g = first_group; g < last_group; ++g) {
      Group<G, V> group;
      group.clear();
      run_masks(group, reader, lane_slice, std::make_integer_sequence<unsigned, (1u << G) - 1>());

      // The quarters' sums: half of the columns goes to the other half-warp, then half of those to the other quarter.
#pragma unroll
      for (int r = 0; r < G; ++r) {
        float half[V / 2];
        bool const upper = quarter / 2 != 0;
#pragma unroll
        for (int v = 0; v < V / 2; ++v) {
          float const other = __shfl_xor_sync(~0u, upper ? group.sum[r][v] : group.sum[r][v + V / 2], 16);
          half[v] = (upper ? group.sum[r][v + V / 2] : group.sum[r][v]) + other;
        }
        bool const odd = quarter % 2 != 0;
        std::int64_t const stored_row = g * G + r;
        float sum[V / 4];
#pragma unroll
        for (int v = 0; v < V / 4; ++v) {
          float const other = __shfl_xor_sync(~0u, odd ? half[v] : half[v + V / 4], 8);
          sum[v] = (odd ? half[v + V / 4] : half[v]) + other;
        }
        if (stored_row >= args.a.rows) continue;
        std::int64_t const row = args.exact.row_permutation ? args.exact.row_permutation[stored_row] : stored_row;
        float* const c = args.c + row * args.c_stride + lane_column;
#pragma unroll
        for (int v = 0; v < V / 4; ++v) {
          if (lane_column + v >= args.columns) continue;
          if (!(fabsf(sum[v]) <= 3.402823466e38f))
            sum[v] = exact_sum(args.exact, args.b, args.b_stride, stored_row, lane_column + v, first_row,
                               first_row + chunk_rows);
          float before = 0.0f;
          if (chunk > 0)
            before = c[v];
          else if (args.beta != 0.0f)
            before = args.beta * c[v];
          c[v] = args.alpha * sum[v] + before;
        }
      }
    }
    wait_copies<0>();  // the ring is filled anew
  }
}

template <int G, int V>
void launch(JammedArguments const& args, std::size_t shared, cudaStream_t stream) {
  std::int64_t const slices = (args.columns + 8 * V - 1) / (8 * V);
  auto* const kernel = jammed<G, V>;
  // Once a kernel would do; the call costs a microsecond of the host's time.
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)),
        "araia: jammed_spmm: shared memory");
  kernel<<<grid_blocks(slices * args.parts, 1, "araia: jammed_spmm"), warps * warp_size, shared, stream>>>(args);
  check_launch("araia: jammed_spmm");
}

}  // namespace

std::size_t jammed_shared_bytes(int chunk_cols, int vector) {
  return static_cast<std::size_t>(chunk_cols) * static_cast<std::size_t>(vector) * 32 +
         static_cast<std::size_t>(warps) * ring_records * jam_record_words * 4;
}

template <class Offset>
void jammed_spmm(JamPointers const& a, CsrPointers<float, std::int32_t, Offset> const& exact, float alpha,
                 DenseMatrix<float const> const& b, float beta, DenseMatrix<float> const& c, JammedTuning const& tuning,
                 int multiprocessors, cudaStream_t stream) {
  if (tuning.vector != 4 && tuning.vector != 8)
    throw Error(ErrorKind::invalid_argument,
                "araia: jammed_spmm: vector is " + std::to_string(tuning.vector) + ", expected 4 or 8");
  if (a.shape.group_rows != 2 && a.shape.group_rows != 4)
    throw Error(ErrorKind::invalid_argument,
                "araia: jammed_spmm: group_rows is " + std::to_string(a.shape.group_rows) + ", expected 2 or 4");
  if (c.rows == 0 || c.columns == 0) return;
  JammedArguments args{
      .a = a,
      .exact = ExactRows(exact),
      .b = b.data,
      .c = c.data,
      .b_stride = b.row_stride,
      .c_stride = c.row_stride,
      .columns = c.columns,
      .alpha = alpha,
      .beta = beta,
      .parts = tuning.parts,
      .aligned_b = is_aligned(b.data, 16) && b.row_stride % 4 == 0};
  if (args.parts <= 0) {
    std::int64_t const slices = (c.columns + 8 * tuning.vector - 1) / (8 * tuning.vector);
    args.parts =
        static_cast<int>(std::clamp<std::int64_t>(multiprocessors / slices, 1, (a.groups + warps - 1) / warps));
  }
  std::size_t const shared = jammed_shared_bytes(a.shape.chunk_cols, tuning.vector);
  auto const with_group = [&]<int G>() {
    if (tuning.vector == 8)
      launch<G, 8>(args, shared, stream);
    else
      launch<G, 4>(args, shared, stream);
  };
  if (a.shape.group_rows == 4)
    with_group.template operator()<4>();
  else
    with_group.template operator()<2>();
}

template void jammed_spmm(JamPointers const&, CsrPointers<float, std::int32_t, std::int32_t> const&, float,
                          DenseMatrix<float const> const&, float, DenseMatrix<float> const&, JammedTuning const&, int,
                          cudaStream_t);
template void jammed_spmm(JamPointers const&, CsrPointers<float, std::int32_t, std::int64_t> const&, float,
                          DenseMatrix<float const> const&, float, DenseMatrix<float> const&, JammedTuning const&, int,
                          cudaStream_t);

}  // namespace araia::cuda
