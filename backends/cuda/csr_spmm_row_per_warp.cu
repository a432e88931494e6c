// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = act(alpha A B + beta C + bias + R), A in CSR, B and C row-major; a warp owns a row and LANES * V columns.
// Mapping  block: `warps` warps = rows x split | warp: a row's entries in quads, quad t of part p, subgroup s where
//          t mod (split * 32 / LANES) = p * 32 / LANES + s | lane: V columns. Quads start at multiples of four of the
//          arrays, so columns and values come as 16-byte loads that all lanes of a subgroup share; eight rows of B are
//          in flight. Subgroups add by shuffles, parts through shared memory.
//
//            lanes 0..LANES-1    LANES..2 LANES-1   ...      (LANES = 8)
//            quad t              quad t + 1         quad t + 2   quad t + 3     of the same row
//
// Long     rows of more than four times the mean and 256 entries are left to all warps of their block, one after
//          the other when its other rows are done: one warp, which takes eight entries after the other, would keep the
//          whole product waiting.
// Batch    an item is a grid of blocks in gridDim.y.
// Traffic  8 (float) or 12 (double) bytes an entry and tile of columns, sizeof(T) * columns an entry from L1 or L2.
// Registers 64 to 128, so 16 to 32 warps an SM; shared memory LANES * V * sizeof(T) a warp, where split > 1 or long
//          rows are the block's.
// Suits    few columns, or high sparsity: nothing is shared between rows but by the caches.

#include "backends/cuda/csr_spmm_row_per_warp.hpp"

#include <araia/detail/formats/type_list.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "backends/cuda/check.hpp"
#include "backends/cuda/csr_spmm_store.cuh"
#include "backends/cuda/epilogue.cuh"
#include "backends/cuda/overlap.cuh"
#include "backends/cuda/packs_fit.hpp"
#include "backends/cuda/row_packs.cuh"

namespace araia::cuda {
namespace {

constexpr int warp_size = 32;
constexpr int most_warps = most_row_warps;
constexpr int octet = entries_of_octet;
constexpr std::int64_t most_items = 65535;  // of a batch, of a launch: gridDim.y

template <class T, class Offset>
struct RowArguments {
  CsrPointers<T, std::int32_t, Offset> a;
  T const* b;
  T* c;
  std::uint32_t b_pitch;  // bytes
  std::int64_t c_stride;  // elements
  std::int64_t columns;
  unsigned row_blocks;
  T alpha;
  T beta;
  int split_log2;
  int longest;           // entries of a row that is a warp's, of one warp a row; 0: any
  bool aligned_entries;  // columns and values start at multiples of 16 bytes
  std::int64_t b_batch;  // elements from one item's B to the next's
  std::int64_t c_batch;
  StoreEpilogue<T> epilogue;
};

// Places [start, end) of a row's entries. Arrays stay in the kernel's arguments: a pointer a row costs registers.
template <class Offset>
struct Row {
  Offset start;
  Offset end;
};

struct Columns {
  std::int32_t of[octet];
};

// Padded rows are read by the path of constants, which may start before wait_for_predecessor: no kernel writes them
// while this one runs, as it is launched plainly where one may write them at all. All else is read by plain loads.
// The eight columns at `at`, -1 for entries outside the row.
template <bool PADDED, class T, class Offset>
__device__ __forceinline__ Columns load_columns(RowArguments<T, Offset> const& args, Row<Offset> const& row,
                                                Offset at) {
  Columns c;
  if (PADDED || (args.aligned_entries && at + octet <= args.a.nnz)) {
    load_four<PADDED>(args.a.col_indices + at, c.of);
    load_four<PADDED>(args.a.col_indices + at + 4, c.of + 4);
  } else {
#pragma unroll
    for (int i = 0; i < octet; ++i) c.of[i] = at + i < row.end ? args.a.col_indices[at + i] : -1;
  }
  if (!PADDED && (at < row.start || at + octet > row.end)) {
#pragma unroll
    for (int i = 0; i < octet; ++i)
      if (at + i < row.start || at + i >= row.end) c.of[i] = -1;
  }
  return c;
}

// Their values, of no meaning outside the row.
template <bool PADDED, class T, class Offset>
__device__ __forceinline__ void load_values(RowArguments<T, Offset> const& args, Row<Offset> const& row, Offset at,
                                            T (&value)[octet]) {
  if (!args.a.values) {
#pragma unroll
    for (int i = 0; i < octet; ++i) value[i] = T{1};
  } else if (PADDED || (args.aligned_entries && at + octet <= args.a.nnz)) {
    load_four<PADDED>(args.a.values + at, value);
    load_four<PADDED>(args.a.values + at + 4, value + 4);
  } else {
#pragma unroll
    for (int i = 0; i < octet; ++i) value[i] = at + i < row.end ? args.a.values[at + i] : T{};
  }
}

/// A lane's columns of the rows of B of the eight entries at `at`, times their values. EDGE: some are not the row's,
/// which read nothing and multiply nothing. Values are loaded beside the rows of B that they multiply; columns, which
/// those rows wait for, one step ahead.
template <bool EDGE, int V, int LANES, bool VECTOR, bool PADDED, class T, class Offset>
__device__ __forceinline__ void add_octet(RowArguments<T, Offset> const& args, Row<Offset> const& row, Offset at,
                                          Columns const& columns, char const* base, std::int64_t columns_left,
                                          T (&sum)[V]) {
  RowPack<T, V> b[octet];
  T value[octet];
#pragma unroll
  for (int i = 0; i < octet; ++i)
    b[i] = !EDGE || columns.of[i] >= 0 ? load_b<T, V, VECTOR>(base, args.b_pitch, columns.of[i], LANES, columns_left)
                                       : RowPack<T, V>{};
  load_values<PADDED>(args, row, at, value);
#pragma unroll
  for (int i = 0; i < octet; ++i) {
    T const a = EDGE && columns.of[i] < 0 ? T{} : value[i];
#pragma unroll
    for (int v = 0; v < V; ++v) sum[v] += a * b[i].value[v];
  }
}

/// A row's entries from the octet at `at` on, whose columns are `next`, `stride` apart.
template <int V, int LANES, bool VECTOR, bool PADDED, class T, class Offset>
__device__ __forceinline__ void add_octets(RowArguments<T, Offset> const& args, Row<Offset> const& row, Offset at,
                                           int stride, Columns next, char const* base, std::int64_t columns_left,
                                           T (&sum)[V]) {
  for (;;) {
    Columns const now = next;
    Offset const here = at;
    at = static_cast<Offset>(at + stride);
    bool const more = at < row.end;
    if (more) next = load_columns<PADDED>(args, row, at);
    bool const inside = PADDED ? here + octet < row.end : here >= row.start && here + octet <= row.end;
    if (inside)
      add_octet<false, V, LANES, VECTOR, PADDED>(args, row, here, now, base, columns_left, sum);
    else
      add_octet<true, V, LANES, VECTOR, PADDED>(args, row, here, now, base, columns_left, sum);
    if (!more) break;
  }
}

/// The block's rows that are longer than a warp's, one after the other, each by all of its warps. A call, so that what
/// it takes of registers is not taken of all rows. \param partial  (warps, tile), each lane's columns together
template <int V, int LANES, bool VECTOR, class T, class Offset>
__device__ __noinline__ void multiply_long_rows(RowArguments<T, Offset> const& args, T* partial) {
  constexpr int subgroups = warp_size / LANES;
  constexpr int tile = LANES * V;
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  int const warps = static_cast<int>(blockDim.x) / warp_size;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const subgroup = lane / LANES;
  unsigned const column_tile = blockIdx.x / args.row_blocks;
  std::int64_t const first_row = static_cast<std::int64_t>(blockIdx.x - column_tile * args.row_blocks) * warps;
  std::int64_t const first_column = static_cast<std::int64_t>(column_tile) * tile + (lane % LANES) * (VECTOR ? V : 1);
  std::int64_t const columns_left = args.columns - first_column;
  auto const* const base = reinterpret_cast<char const*>(args.b + blockIdx.y * args.b_batch + first_column);
  for (std::int64_t stored_row = first_row; stored_row < min(first_row + warps, args.a.rows); ++stored_row) {
    Row<Offset> const row{args.a.row_offsets[stored_row], args.a.row_offsets[stored_row + 1]};
    if (row.end - row.start <= args.longest) continue;
    T sum[V] = {};
    auto const at = static_cast<Offset>(row.start / 4 * 4 + (warp * subgroups + subgroup) * octet);
    if (columns_left > 0 && at < row.end)
      add_octets<V, LANES, VECTOR, false>(args, row, at, subgroups * octet * warps, load_columns<false>(args, row, at),
                                          base, columns_left, sum);
#pragma unroll
    for (int offset = LANES; offset < warp_size; offset *= 2)
#pragma unroll
      for (int v = 0; v < V; ++v) sum[v] += __shfl_xor_sync(~0u, sum[v], offset);
    if (subgroup == 0)
#pragma unroll
      for (int v = 0; v < V; ++v) partial[warp * tile + v * LANES + lane] = sum[v];
    __syncthreads();  // the parts of a row are of all warps
    if (warp == 0 && subgroup == 0 && columns_left > 0) {
      for (int p = 1; p < warps; ++p)
#pragma unroll
        for (int v = 0; v < V; ++v) sum[v] += partial[p * tile + v * LANES + lane];
      std::int64_t const of_c = args.a.row_permutation ? args.a.row_permutation[stored_row] : stored_row;
      store_columns<VECTOR>(args, of_c, first_column, columns_left, LANES, sum);
    }
    __syncthreads();  // before the next row's
  }
}

template <class T, class Offset, int V, int LANES, bool VECTOR, bool PADDED>
__global__ void __launch_bounds__(most_warps* warp_size, sizeof(T) == 8      ? (V == 1 ? 3 : 2)
                                                         : V == 4 && !PADDED ? 3
                                                                             : 4)
    row_per_warp(__grid_constant__ RowArguments<T, Offset> const args) {
  constexpr int subgroups = warp_size / LANES;
  constexpr int tile = LANES * V;
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  auto* const partial = reinterpret_cast<T*>(shared_bytes);  // (warps, tile), each lane's columns together

  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const subgroup = lane / LANES;
  int const split = 1 << args.split_log2;
  int const part = warp & (split - 1);
  unsigned const rows_per_block = blockDim.x / warp_size >> args.split_log2;
  unsigned const column_tile = blockIdx.x / args.row_blocks;
  std::int64_t const stored_row =
      static_cast<std::int64_t>(blockIdx.x - column_tile * args.row_blocks) * rows_per_block +
      (warp >> args.split_log2);
  std::int64_t const first_column = static_cast<std::int64_t>(column_tile) * tile + (lane % LANES) * (VECTOR ? V : 1);
  std::int64_t const columns_left = args.columns - first_column;
  bool works = stored_row < args.a.rows && columns_left > 0;

  if constexpr (!PADDED) wait_for_predecessor();  // it may have written the matrix
  Row<Offset> row{};
  if (works) row = {load<PADDED>(args.a.row_offsets + stored_row), load<PADDED>(args.a.row_offsets + stored_row + 1)};
  bool any_long = false;
  if constexpr (!PADDED)
    if (args.longest > 0) {
      bool const is_long = row.end - row.start > args.longest;
      any_long = __syncthreads_or(is_long);
      works = works && !is_long;
    }
  T sum[V] = {};
  if (works && columns_left > 0) {  // said once more, as the compiler has forgotten it: a predicate a load of B less
    auto const* const base = reinterpret_cast<char const*>(args.b + blockIdx.y * args.b_batch + first_column);
    auto const at =
        static_cast<Offset>((PADDED ? row.start : row.start / 4 * 4) + (part * subgroups + subgroup) * octet);
    if (at < row.end) {
      Columns const next = load_columns<PADDED>(args, row, at);
      wait_for_predecessor();
      let_successor_start();  // earlier costs up to a quarter of a short product
      // Rows of few columns are many: to prefetch their terms costs as much as to wait for them.
      if (V > 1 && args.epilogue.any && subgroup == 0 && part == 0 && !args.a.row_permutation)
        prefetch_terms<VECTOR ? 1 : V>(args.epilogue, stored_row, first_column, columns_left, LANES, blockIdx.y);
      add_octets<V, LANES, VECTOR, PADDED>(args, row, at, subgroups * octet << args.split_log2, next, base,
                                           columns_left, sum);
    }
  }

  wait_for_predecessor();  // of warps without entries: C may still be read
#pragma unroll
  for (int offset = LANES; offset < warp_size; offset *= 2)
#pragma unroll
    for (int v = 0; v < V; ++v) sum[v] += __shfl_xor_sync(~0u, sum[v], offset);

  if (split > 1) {
    if (subgroup == 0)
#pragma unroll
      for (int v = 0; v < V; ++v) partial[warp * tile + v * LANES + lane] = sum[v];
    __syncthreads();  // the parts of a row are written by different warps
    if (part != 0) return;
    if (subgroup == 0)
      for (int p = 1; p < split; ++p)
#pragma unroll
        for (int v = 0; v < V; ++v) sum[v] += partial[(warp + p) * tile + v * LANES + lane];
  }

  if (works && subgroup == 0) {
    std::int64_t const of_c = args.a.row_permutation ? args.a.row_permutation[stored_row] : stored_row;
    store_columns<VECTOR>(args, of_c, first_column, columns_left, LANES, sum);
  }
  if constexpr (!PADDED)
    if (any_long) multiply_long_rows<V, LANES, VECTOR>(args, partial);
}

template <class T, class Offset, int V, int LANES, bool VECTOR, bool PADDED>
void launch(RowArguments<T, Offset> args, std::int64_t items, int warps, cudaStream_t stream, bool early) {
  std::int64_t const rows_per_block = warps >> args.split_log2;
  std::int64_t const tiles = (args.columns + LANES * V - 1) / (LANES * V);
  std::int64_t const row_blocks = (args.a.rows + rows_per_block - 1) / rows_per_block;
  if (row_blocks == 0 || tiles == 0) return;
  args.row_blocks = static_cast<unsigned>(row_blocks);
  if (PADDED || args.split_log2 > 0) args.longest = 0;
  bool const shares = args.split_log2 > 0 || args.longest > 0;
  std::size_t const shared = shares ? sizeof(T) * LANES * V * static_cast<std::size_t>(warps) : 0;
  constexpr char const* name = "araia: csr_spmm_row_per_warp";
  unsigned const blocks = grid_blocks(row_blocks * tiles, 1, name);
  for (std::int64_t done = 0; done < items; done += most_items) {
    dim3 const grid(blocks, static_cast<unsigned>(std::min(items - done, most_items)));
    launch_overlapped(early, row_per_warp<T, Offset, V, LANES, VECTOR, PADDED>, grid,
                      static_cast<unsigned>(warps * warp_size), shared, stream, name, args);
    args.b += most_items * args.b_batch;
    args.c += most_items * args.c_batch;
    args.epilogue.at = args.epilogue.at.item(most_items);
  }
}

template <bool PADDED, class T, class Offset>
void choose(CsrPointers<T, std::int32_t, Offset> const& a, T alpha, DenseBatch<T const> const& bs, T beta,
            DenseBatch<T> const& cs, EpiloguePointers<T> const& epilogue, CsrSpmmRowTuning const& tuning,
            cudaStream_t stream, bool early) {
  auto const& b = bs.first;
  auto const& c = cs.first;
  auto const power_of_two = [](int v, int low, int high) { return v >= low && v <= high && (v & (v - 1)) == 0; };
  bool const by_words = tuning.lanes == warp_size && (tuning.vector == 3 || (tuning.vector == 5 && sizeof(T) == 8));
  if (!power_of_two(tuning.lanes, 8, 32) || (!power_of_two(tuning.vector, 1, 4) && !by_words) ||
      !power_of_two(tuning.split, 1, most_warps) || tuning.longest < 0 || tuning.warps < tuning.split ||
      tuning.warps > most_warps || tuning.warps % tuning.split != 0)
    throw Error(ErrorKind::invalid_argument,
                "araia: csr_spmm_row_per_warp: lanes, vector, split, warps, longest are " +
                    std::to_string(tuning.lanes) + ", " + std::to_string(tuning.vector) + ", " +
                    std::to_string(tuning.split) + ", " + std::to_string(tuning.warps) + ", " +
                    std::to_string(tuning.longest) +
                    ", expected 8 to 32, 1 to 4 (with 32 lanes 3, of double 5 too), 1 to 8 (powers of two), a "
                    "multiple of split up to 8 and at least 0");
  RowArguments<T, Offset> const args{
      .a = a,
      .b = b.data,
      .c = c.data,
      .b_pitch = static_cast<std::uint32_t>(b.row_stride * static_cast<std::int64_t>(sizeof(T))),
      .c_stride = c.row_stride,
      .columns = c.columns,
      .row_blocks = 0,
      .alpha = alpha,
      .beta = beta,
      .split_log2 = std::countr_zero(static_cast<unsigned>(tuning.split)),
      .longest = tuning.longest,
      .aligned_entries = is_aligned(a.col_indices, 16) && is_aligned(a.values, 16),
      .b_batch = bs.stride,
      .c_batch = cs.stride,
      .epilogue = StoreEpilogue<T>(epilogue, tuning.vector)};
  bool const vector = packs_fit(bs, cs, tuning.vector);
  constexpr int widest = 16 / static_cast<int>(sizeof(T));
  auto const with_lanes = [&]<int V, bool VECTOR>() {
    if (tuning.lanes <= 8) return launch<T, Offset, V, 8, VECTOR, PADDED>(args, bs.count, tuning.warps, stream, early);
    if (tuning.lanes <= 16)
      return launch<T, Offset, V, 16, VECTOR, PADDED>(args, bs.count, tuning.warps, stream, early);
    return launch<T, Offset, V, 32, VECTOR, PADDED>(args, bs.count, tuning.warps, stream, early);
  };
  if (tuning.vector == 3)
    return launch<T, Offset, 3, warp_size, false, PADDED>(args, bs.count, tuning.warps, stream, early);
  if constexpr (widest == 2)
    if (tuning.vector == 5)
      return launch<T, Offset, 5, warp_size, false, PADDED>(args, bs.count, tuning.warps, stream, early);
  if (tuning.vector >= widest)
    return vector ? with_lanes.template operator()<widest, true>() : with_lanes.template operator()<widest, false>();
  if constexpr (widest == 4)
    if (tuning.vector == 2)
      return vector ? with_lanes.template operator()<2, true>() : with_lanes.template operator()<2, false>();
  return with_lanes.template operator()<1, false>();
}

}  // namespace

template <class T, class Offset>
void csr_spmm_row_per_warp(CsrPointers<T, std::int32_t, Offset> const& a, T alpha, DenseBatch<T const> const& b, T beta,
                           DenseBatch<T> const& c, EpiloguePointers<T> const& epilogue, CsrSpmmRowTuning const& tuning,
                           cudaStream_t stream) {
  choose<false>(a, alpha, b, beta, c, epilogue, tuning, stream, true);
}

template <class T>
void csr_spmm_padded_row_per_warp(CsrPointers<T, std::int32_t, std::int32_t> const& a, T alpha,
                                  DenseBatch<T const> const& b, T beta, DenseBatch<T> const& c,
                                  EpiloguePointers<T> const& epilogue, CsrSpmmRowTuning const& tuning,
                                  cudaStream_t stream, bool early) {
  choose<true>(a, alpha, b, beta, c, epilogue, tuning, stream, early);
}

[[gnu::used]] static void write_out_csr_spmm_row_per_warp() {
  using namespace araia::detail;
  for_types<AllReals, AllOffsets>([&]<class T, class F>() {
    write_out<void(CsrPointers<T, std::int32_t, F> const&, T, DenseBatch<T const> const&, T, DenseBatch<T> const&,
                   EpiloguePointers<T> const&, CsrSpmmRowTuning const&, cudaStream_t)>(csr_spmm_row_per_warp);
  });
  for_types<AllReals>([&]<class T>() {
    write_out<void(CsrPointers<T, std::int32_t, std::int32_t> const&, T, DenseBatch<T const> const&, T,
                   DenseBatch<T> const&, EpiloguePointers<T> const&, CsrSpmmRowTuning const&, cudaStream_t, bool)>(
        csr_spmm_padded_row_per_warp);
  });
}

}  // namespace araia::cuda
