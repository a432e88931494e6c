// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = alpha A B + beta C, A in CSR, B and C row-major; a group of lanes owns a chunk of equally many entries and ends
// of rows, and a tile of columns.
//
// Mapping  block: 256 threads, 256 / lanes consecutive chunks | group of `lanes` lanes: the entries of its chunk, eight
//          at a time, whatever their rows: eight rows of B in flight, sums in registers | lane: V columns
//
//            chunk          p                    p + 1          p + 2                     a block
//            entries   .. a a a | b b | c c c    c c c c c c    c c | d | e e ..
//            group     head (a)   row b  tail    head alone     head  row d  tail
//            stores    to a's     C      with the heads of      C            with the next block's
//                      block             p + 1 and p + 2
//
//          A group stores the rows that begin and end in its chunk. What it adds to a row begun earlier, its head, goes
//          to shared memory; once all are there, the group in which a row began adds the heads of the groups behind and
//          stores. The head of a whole block is its carry, in memory: a second launch adds runs of carries to C. So C
//          is scaled once, there are no atomics, and the order of sums is the same in every run.
// Traffic  8 (float) or 12 (double) bytes an entry and tile of columns, sizeof(T) * columns an entry from L1 or L2; per
//          row 4 B of offset and sizeof(T) * columns of C (twice if beta != 0); per chunk 4 B; per block a row of
//          carries written and read, and one of C read and written.
// Registers 64 to 128 (resident()); shared memory 4 to 6 KB of heads.
// Suits    rows of very unlike length: power laws, dense rows, circuits. A group waits for its chunk alone.
// Source   [MerrillGarland2016], the path; differs: chunks are found once a structure, and a lane owns columns, so that
//          rows end without a scan.

#include "backends/cuda/csr_spmm_merge_split.hpp"

#include <araia/detail/formats/type_list.hpp>

#include <algorithm>
#include <bit>
#include <string>

#include "backends/cuda/check.hpp"
#include "backends/cuda/memory.cuh"
#include "backends/cuda/overlap.cuh"
#include "backends/cuda/row_packs.cuh"

namespace araia::cuda {
namespace {

constexpr int warp_size = 32;
constexpr int threads = 256;        // of a block
constexpr int octet = 8;            // entries read at once: so many rows of B are in flight
constexpr int carry_threads = 512;  // of the second launch
constexpr int most_parts = 64;      // carries that its blocks look at side by side
constexpr int short_run = 8;        // carries of a row that one thread adds
constexpr int no_end = 0x7fffffff;  // of the row that goes on behind the chunk
constexpr char const* name = "araia: csr_spmm_merge_split";
static_assert(threads / warp_size == csr_merge_block_chunks);

template <class T>
struct MergeArguments {
  void const* row_offsets;
  std::int32_t const* col_indices;
  T const* values;  // or null: all ones
  std::int32_t const* row_permutation;
  std::int64_t nnz;
  std::int32_t const* first_rows;
  T* carries;
  T const* b;
  T* c;
  std::int64_t c_stride;  // elements
  std::int64_t chunks;
  std::int64_t items;     // of a chunk
  std::uint32_t b_pitch;  // bytes
  unsigned blocks;        // of a tile of columns
  int columns;            // of a slice
  int lanes_log2;
  T alpha;
  T beta;
  bool wide_offsets;     // one kernel for both widths
  bool aligned_entries;  // columns and values start at multiples of 16 bytes

  __device__ __forceinline__ std::int64_t offset(std::int64_t row) const {
    return wide_offsets ? static_cast<std::int64_t const*>(row_offsets)[row]
                        : static_cast<std::int32_t const*>(row_offsets)[row];
  }
  /// The lower half of an offset: what places in a chunk are counted from and to.
  __device__ __forceinline__ unsigned low_offset(std::int32_t row) const {
    return *reinterpret_cast<unsigned const*>(static_cast<char const*>(row_offsets) +
                                              (static_cast<std::int64_t>(row) << (wide_offsets ? 3 : 2)));
  }
  /// First entry of a chunk whose first row is known: the rest of the row before comes first.
  __device__ __forceinline__ std::int64_t first_entry(std::int64_t chunk, std::int32_t first_row) const {
    return min(chunk * items - first_row + 1, offset(first_row));
  }
  __device__ __forceinline__ T* row_of_c(std::int32_t stored) const {
    return c + (row_permutation ? row_permutation[stored] : stored) * c_stride;
  }
};

/// The eight columns at `at`, -1 outside [low, high).
struct Columns {
  std::int32_t of[octet];
};
__device__ __forceinline__ Columns load_columns(std::int32_t const* entries, int at, int low, int high, bool whole) {
  Columns c;
  if (whole) {
    load_four<false>(entries + at, c.of);
    load_four<false>(entries + at + 4, c.of + 4);
  } else {
#pragma unroll
    for (int i = 0; i < octet; ++i) c.of[i] = at + i < high ? entries[at + i] : -1;
  }
  if (at < low || at + octet > high) {
#pragma unroll
    for (int i = 0; i < octet; ++i)
      if (at + i < low || at + i >= high) c.of[i] = -1;
  }
  return c;
}

template <int V, bool VECTOR, class T>
__device__ __forceinline__ void store_row(MergeArguments<T> const& args, std::int32_t row, int column, int step,
                                          int columns_left, T const (&sum)[V]) {
  T* const c = args.row_of_c(row) + column;
  if constexpr (VECTOR) {
    static_assert(sizeof(T) * V == 16);
    union {
      uint4 bits;
      T value[V];
    } out;
    if (args.beta != T{}) {
      out.bits = *reinterpret_cast<uint4 const*>(c);
#pragma unroll
      for (int v = 0; v < V; ++v) out.value[v] = args.alpha * sum[v] + args.beta * out.value[v];
    } else {
#pragma unroll
      for (int v = 0; v < V; ++v) out.value[v] = args.alpha * sum[v];
    }
    *reinterpret_cast<uint4*>(c) = out.bits;
  } else {
#pragma unroll
    for (int v = 0; v < V; ++v)
      if (v * step < columns_left) store_scaled(c + v * step, args.alpha, sum[v], args.beta);
  }
}

/// Blocks of a multiprocessor, by registers: the rows of B in flight are most of them.
template <class T, int V, bool VECTOR>
constexpr int resident() {
  constexpr int words = V * static_cast<int>(sizeof(T)) / 4;
  return words == 1 ? 4 : words <= 3 || (VECTOR && sizeof(T) == 4) ? 3 : 2;
}

template <class T, int V, bool VECTOR>
__global__ void __launch_bounds__(threads, resident<T, V, VECTOR>()) merge_split(MergeArguments<T> const args) {
  __shared__ T heads[V * threads];  // (V, groups, lanes)
  __shared__ bool begins[threads];  // by groups: does a row begin in the chunk?
  int const thread = static_cast<int>(threadIdx.x);
  int const lanes = 1 << args.lanes_log2;
  int const groups = threads >> args.lanes_log2;
  int const group = thread >> args.lanes_log2;
  int const lane = thread & (lanes - 1);
  unsigned const tile = blockIdx.x / args.blocks;
  unsigned const block = blockIdx.x - tile * args.blocks;
  std::int64_t const chunk = static_cast<std::int64_t>(block) * groups + group;
  int const column = static_cast<int>(tile) * (lanes * V) + lane * (VECTOR ? V : 1);
  int const columns_left = args.columns - column;
  int const step = VECTOR ? 1 : lanes;  // between a lane's columns
  bool const works = chunk < args.chunks && columns_left > 0;

  // Places count from `base`, a multiple of eight before the chunk's first entry.
  std::int32_t row = -1;      // that is summed, from the head's on
  std::int32_t next_row = 0;  // first of the next chunk
  std::int64_t base = 0;
  int low = 0;
  int high = 0;
  if (works) {
    std::int32_t const first_row = args.first_rows[chunk];
    row = first_row - 1;
    next_row = args.first_rows[chunk + 1];
    std::int64_t const begin = args.first_entry(chunk, first_row);
    base = begin / octet * octet;
    low = static_cast<int>(begin - base);
    high = static_cast<int>(args.first_entry(chunk + 1, next_row) - base);
  }
  int const whole = args.aligned_entries ? static_cast<int>(min(args.nnz - base, std::int64_t{no_end})) - octet : -1;
  std::int32_t const* const entries = args.col_indices + base;
  T const* const values = args.values + base;
  auto const* const b = reinterpret_cast<char const*>(args.b + column);

  if (lane == 0) begins[group] = next_row - 1 > row;
  // Where the row ends, and where the one behind it does.
  auto const end_of = [&](std::int32_t r) {
    return r < next_row - 1 ? static_cast<int>(args.low_offset(r + 1) - static_cast<unsigned>(base)) : no_end;
  };
  int row_end = end_of(row);
  int next_end = end_of(row + 1);
  Columns next{};
  if (high > 0) next = load_columns(entries, 0, low, high, 0 <= whole);
  wait_for_predecessor();  // what is above is structure
  let_successor_start();

  T sum[V] = {};
  bool in_head = true;
  auto const put_head = [&] {
#pragma unroll
    for (int v = 0; v < V; ++v) heads[v * threads + thread] = sum[v];
  };
  auto const finish_row = [&] {
    if (in_head)
      put_head();
    else
      store_row<V, VECTOR>(args, row, column, step, columns_left, sum);
    in_head = false;
#pragma unroll
    for (int v = 0; v < V; ++v) sum[v] = T{};
    ++row;
    row_end = next_end;
    next_end = end_of(row + 1);
  };
#pragma unroll 1
  while (row_end <= low) finish_row();
  for (int at = 0; at < high; at += octet) {
    Columns const now = next;
    if (at + octet < high) next = load_columns(entries, at + octet, low, high, at + octet <= whole);
    RowPack<T, V> right[octet];
    T value[octet];
#pragma unroll
    for (int i = 0; i < octet; ++i)
      right[i] =
          now.of[i] >= 0 ? load_b<T, V, VECTOR>(b, args.b_pitch, now.of[i], step, columns_left) : RowPack<T, V>{};
    if (!args.values) {
#pragma unroll
      for (int i = 0; i < octet; ++i) value[i] = T{1};
    } else if (at <= whole) {
      load_four<false>(values + at, value);
      load_four<false>(values + at + 4, value + 4);
    } else {
#pragma unroll
      for (int i = 0; i < octet; ++i) value[i] = at + i < high ? values[at + i] : T{};
    }
#pragma unroll
    for (int i = 0; i < octet; ++i) {
      T const a = now.of[i] < 0 ? T{} : value[i];
#pragma unroll
      for (int v = 0; v < V; ++v) sum[v] += a * right[i].value[v];
#pragma unroll 1
      while (row_end <= at + i + 1) finish_row();
    }
  }
  if (in_head) put_head();  // no row begins here
  __syncthreads();          // heads are read by the groups before
  if (!works) return;

  auto const add_heads = [&](int from) {  // of the groups up to one in which another row begins
    for (int g = from; g < groups; ++g) {
#pragma unroll
      for (int v = 0; v < V; ++v) sum[v] += heads[v * threads + (g << args.lanes_log2) + lane];
      if (begins[g]) break;
    }
  };
  if (!in_head) {
    add_heads(group + 1);
    store_row<V, VECTOR>(args, next_row - 1, column, step, columns_left, sum);
  }
  if (group != 0) return;
#pragma unroll
  for (int v = 0; v < V; ++v) sum[v] = T{};
  add_heads(0);
  T* const carry = args.carries + static_cast<std::int64_t>(block) * args.columns + column;
#pragma unroll
  for (int v = 0; v < V; ++v)
    if (v * step < columns_left) carry[v * step] = sum[v];
}

/// Adds to rows that span blocks what the blocks behind the first have carried. A part of 2^width_log2 threads, a
/// column each, looks at a block: where a row begun in the block before goes on, it leads that row's run of carries.
/// Short runs are added by their part, long ones by all parts of the thread block, one run after the other.
template <class T>
__global__ void __launch_bounds__(carry_threads)
    add_carries(MergeArguments<T> const args, int width_log2, unsigned part_blocks) {
  __shared__ T partial[carry_threads];
  __shared__ std::int64_t long_runs[most_parts];
  int const thread = static_cast<int>(threadIdx.x);
  int const part = thread >> width_log2;
  int const parts = carry_threads >> width_log2;
  int const lane = thread & ((1 << width_log2) - 1);
  unsigned const tile = blockIdx.x / part_blocks;
  std::int64_t const first = static_cast<std::int64_t>(blockIdx.x - tile * part_blocks) * parts + 1;
  int const column = (static_cast<int>(tile) << width_log2) + lane;
  int const groups = threads >> args.lanes_log2;
  bool const there = column < args.columns;

  std::int64_t const block = first + part;
  std::int32_t row = 0;
  std::int64_t run = 0;  // carries of the row that this part leads
  if (block < args.blocks) {
    std::int32_t const begun = args.first_rows[block * groups];  // rows before the block
    row = begun - 1;
    if (args.first_rows[(block - 1) * groups] != begun)
      run = max((args.offset(begun) - 1 + row) / (args.items * groups) - block + 1, std::int64_t{0});
  }
  wait_for_predecessor();  // what is above is structure
  let_successor_start();
  auto const carry_of = [&](std::int64_t of_block) { return args.carries[of_block * args.columns + column]; };
  if (run > 0 && run <= short_run && there) {
    T carry[short_run];
#pragma unroll
    for (int k = 0; k < short_run; ++k) carry[k] = k < run ? carry_of(block + k) : T{};
    T sum{};
#pragma unroll
    for (int k = 0; k < short_run; ++k) sum += carry[k];
    args.row_of_c(row)[column] += args.alpha * sum;
  }
  if (lane == 0) long_runs[part] = run > short_run ? run : 0;
  __syncthreads();  // all runs of the thread block are known
  for (int leader = 0; leader < parts; ++leader) {
    std::int64_t const carries = long_runs[leader];
    if (carries == 0) continue;
    T sum{};
    if (there)
#pragma unroll 4
      for (std::int64_t k = part; k < carries; k += parts) sum += carry_of(first + leader + k);
    partial[thread] = sum;
    __syncthreads();  // sums of all parts
    if (part == 0 && there) {
      for (int other = 1; other < parts; ++other) sum += partial[(other << width_log2) + lane];
      args.row_of_c(args.first_rows[(first + leader) * groups] - 1)[column] += args.alpha * sum;
    }
    __syncthreads();  // partial is read before the next run's sums
  }
}

template <class T, int V, bool VECTOR>
void launch(MergeArguments<T> args, cudaStream_t stream) {
  int const lanes = 1 << args.lanes_log2;
  args.blocks = grid_blocks(args.chunks, threads >> args.lanes_log2, name);
  std::int64_t const tiles = (args.columns - 1) / (lanes * V) + 1;
  launch_overlapped(merge_split<T, V, VECTOR>, grid_blocks(tiles * args.blocks, 1, name), threads, 0, stream, name,
                    args);
  if (args.blocks == 1) return;
  int width_log2 = 3;
  while (width_log2 < 5 && 1 << width_log2 < args.columns) ++width_log2;
  unsigned const part_blocks = grid_blocks(args.blocks - 1, carry_threads >> width_log2, name);
  std::int64_t const widths = ((args.columns - 1) >> width_log2) + 1;
  launch_overlapped(add_carries<T>, grid_blocks(widths * part_blocks, 1, name), carry_threads, 0, stream, name, args,
                    width_log2, part_blocks);
}
static_assert(carry_threads >> 3 == most_parts);

}  // namespace

CsrMergeTuning csr_merge_tuning(std::int64_t columns, std::size_t scalar_bytes, bool neighbours) {
  CsrMergeTuning t;
  int const width = 16 / static_cast<int>(scalar_bytes);
  std::int64_t const of_lane = (columns + warp_size - 1) / warp_size;  // words
  if (neighbours) {
    t.vector = width;
  } else if (of_lane <= 3) {
    t.vector = static_cast<int>(std::max<std::int64_t>(1, of_lane));
  } else {
    // Of two or four words a lane and of three: what leaves fewer of them idle.
    int const even = width == 4 ? 4 : 2;
    t.vector = (of_lane + 2) / 3 * 3 < (of_lane + even - 1) / even * even ? 3 : even;
  }
  t.lanes = 2;
  while (t.lanes < warp_size && t.lanes * t.vector < columns) t.lanes *= 2;
  return t;
}

template <class T, class Offset>
void csr_spmm_merge_split(CsrPointers<T, std::int32_t, Offset> const& a, CsrMergeChunks<T> const& chunks, T alpha,
                          DenseMatrix<T const> const& b, T beta, DenseMatrix<T> const& c, CsrMergeTuning const& tuning,
                          cudaStream_t stream) {
  constexpr int width = 16 / static_cast<int>(sizeof(T));
  constexpr int most_words = sizeof(T) == 4 ? 4 : 3;
  auto const refuse = [](std::string const& what) {
    throw Error(ErrorKind::invalid_argument, std::string(name) + ": " + what);
  };
  if (tuning.lanes < 2 || tuning.lanes > warp_size || (tuning.lanes & (tuning.lanes - 1)) != 0 || tuning.vector < 1 ||
      tuning.vector > most_words)
    refuse("lanes and vector are " + std::to_string(tuning.lanes) + " and " + std::to_string(tuning.vector) +
           ", expected 2, 4, 8, 16 or 32, and 1 to " + std::to_string(most_words));
  constexpr std::int64_t most_items = 1 << 20;  // places in a chunk are 32 bits
  if (chunks.items < 1 || chunks.items > most_items)
    refuse("items are " + std::to_string(chunks.items) + ", expected 1 to " + std::to_string(most_items));
  if (!chunks.first_rows) refuse("first_rows is null, expected that of the matrix");
  if (!chunks.carries) refuse("carries is null, expected rows for csr_merge_carries(chunks)");
  if (chunks.carry_columns < 1)
    refuse("carry_columns is " + std::to_string(chunks.carry_columns) + ", expected 1 or more");
  if (!csr_merge_supports(b, c))
    refuse("strides of B are " + std::to_string(b.row_stride) + " and " + std::to_string(b.column_stride) + ", of C " +
           std::to_string(c.row_stride) + " and " + std::to_string(c.column_stride) +
           ", expected both row-major, and rows of B less than 4 GiB apart");
  if (a.rows == 0) return;
  // Slices of whole 16 bytes, where carries have that many columns, whose places are 32 bits.
  std::int64_t const most_columns = std::min(chunks.carry_columns, std::int64_t{1} << 30);
  std::int64_t const slice = most_columns >= width ? most_columns / width * width : most_columns;
  bool const neighbours = tuning.vector == width && rows_fit(b.data, b.row_stride, c.columns, 16) &&
                          rows_fit(c.data, c.row_stride, c.columns, 16) && slice % width == 0;
  MergeArguments<T> args{.row_offsets = a.row_offsets,
                         .col_indices = a.col_indices,
                         .values = a.values,
                         .row_permutation = a.row_permutation,
                         .nnz = a.nnz,
                         .first_rows = chunks.first_rows,
                         .carries = chunks.carries,
                         .b = b.data,
                         .c = c.data,
                         .c_stride = c.row_stride,
                         .chunks = csr_merge_chunk_count(a.rows, a.nnz, chunks.items),
                         .items = chunks.items,
                         .b_pitch = static_cast<std::uint32_t>(b.row_stride * static_cast<std::int64_t>(sizeof(T))),
                         .blocks = 0,
                         .columns = 0,
                         .lanes_log2 = std::countr_zero(static_cast<unsigned>(tuning.lanes)),
                         .alpha = alpha,
                         .beta = beta,
                         .wide_offsets = sizeof(Offset) == 8,
                         .aligned_entries = is_aligned(a.col_indices, 16) && is_aligned(a.values, 16)};
  for (std::int64_t done = 0; done < c.columns; done += args.columns) {
    args.columns = static_cast<int>(c.columns - done <= most_columns ? c.columns - done : slice);
    if (neighbours)
      launch<T, width, true>(args, stream);
    else if (tuning.vector == 1)
      launch<T, 1, false>(args, stream);
    else if (tuning.vector == 2)
      launch<T, 2, false>(args, stream);
    else if (tuning.vector == 3)
      launch<T, 3, false>(args, stream);
    else if constexpr (most_words == 4)
      launch<T, 4, false>(args, stream);
    args.b += args.columns;
    args.c += args.columns;
  }
}

[[gnu::used]] static void write_out_csr_spmm_merge_split() {
  using namespace araia::detail;
  for_types<AllReals, AllOffsets>([&]<class T, class F>() { write_out(csr_spmm_merge_split<T, F>); });
}

}  // namespace araia::cuda
