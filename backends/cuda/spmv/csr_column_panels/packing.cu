// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packing of a Csr for csr/column_panels: once a structure, in three passes over the entries.
// Mapping  a thread block a chunk counts, and later places, its entries by panels, with binary searches for panels;
//          a thread a block and band adds up what that block multiplies; one thread block forms the prefix sums.
// Order    entries of one chunk and panel lie in any order. Their products have one place each, so sums do not change.

#include <algorithm>
#include <araia/detail/formats/type_list.hpp>

#include "backends/cuda/block_scan.cuh"
#include "backends/cuda/check.hpp"
#include "backends/cuda/spmv/csr_column_panels/kernel.hpp"

namespace araia::cuda {
namespace {

constexpr int block_threads = 256;
constexpr int lanes = 32;
constexpr int lane_entries = csr_panel_line / lanes;  // of a line
constexpr unsigned units_shift = 16;  // sources hold units << 16 | first unit of the chunk until they are placed
constexpr char const* packing_label = "araia::csr_panels";

__host__ __device__ int unit_of(CsrPanelShape const& s) { return 16 / s.vector_bytes; }  // entries
__device__ int line_units(CsrPanelShape const& s) { return lanes * lane_entries / unit_of(s); }

template <class A, class Offset>
__global__ void __launch_bounds__(block_threads)
    count_buckets_kernel(CsrPointers<A, std::int32_t, Offset> a, std::int32_t* buckets) {
  std::int64_t const step = std::int64_t{gridDim.x} * block_threads;
  for (std::int64_t k = std::int64_t{blockIdx.x} * block_threads + threadIdx.x; k < a.nnz; k += step)
    atomicAdd(buckets + a.col_indices[k] / csr_panel_bucket, 1);
}

template <class A, class Offset>
__global__ void __launch_bounds__(block_threads)
    find_rows_kernel(CsrPointers<A, std::int32_t, Offset> a, CsrPanelSpan<A> p) {
  std::int64_t const i = std::int64_t{blockIdx.x} * block_threads + threadIdx.x;
  std::int64_t const chunk = p.shape.chunk;
  if (i < a.rows) {
    auto const begin = static_cast<std::int64_t>(a.row_offsets[i]);
    p.row_begins[i] = static_cast<std::uint16_t>(begin - min(begin / chunk, p.shape.chunks - 1) * chunk);
  }
  if (i > p.shape.chunks) return;
  std::int64_t low = i == p.shape.chunks ? a.rows : 0;
  std::int64_t high = i == 0 ? 0 : a.rows;  // the first row that begins at entry i chunk or later
  while (low < high) {
    std::int64_t const middle = (low + high) / 2;
    if (static_cast<std::int64_t>(a.row_offsets[middle]) < i * chunk)
      low = middle + 1;
    else
      high = middle;
  }
  p.first_rows[i] = static_cast<std::int32_t>(low);
}

__device__ int panel_of(std::int32_t const* panel_columns, int panels, std::int32_t column) {
  int low = 0;
  int high = panels - 1;
  while (low < high) {
    int const middle = (low + high + 1) / 2;
    if (panel_columns[middle] <= column)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/// What a thread block shares while it counts a chunk.
struct Counts {
  std::int32_t bounds[csr_panel_most + 1];
  int entries[csr_panel_most + 1];
};

/// Entries of the block's chunk by panels.
template <class A, class Offset>
__device__ int count_chunk(CsrPointers<A, std::int32_t, Offset> const& a, CsrPanelSpan<A> const& p, Counts& counts) {
  int const thread = static_cast<int>(threadIdx.x);
  std::int64_t const first = std::int64_t{blockIdx.x} * p.shape.chunk;
  int const entries = static_cast<int>(min(a.nnz - first, std::int64_t{p.shape.chunk}));
  for (int i = thread; i <= p.shape.panels; i += block_threads) {
    counts.bounds[i] = p.panel_columns[i];
    counts.entries[i] = 0;
  }
  __syncthreads();  // bounds are there, counts are zero
  for (int e = thread; e < entries; e += block_threads)
    atomicAdd(counts.entries + panel_of(counts.bounds, p.shape.panels, a.col_indices[first + e]), 1);
  __syncthreads();  // counts are complete
  return entries;
}

template <class A, class Offset>
__global__ void __launch_bounds__(block_threads)
    count_kernel(CsrPointers<A, std::int32_t, Offset> a, CsrPanelSpan<A> p) {
  __shared__ Counts counts;
  count_chunk(a, p, counts);
  if (threadIdx.x != 0) return;
  int const unit = unit_of(p.shape);
  unsigned sum = 0;
  for (int i = 0; i < p.shape.panels; ++i) {
    auto const units = static_cast<unsigned>((counts.entries[i] + unit - 1) / unit);
    p.sources[std::int64_t{blockIdx.x} * p.shape.panels + i] = units << units_shift | sum;
    sum += units;
  }
  p.chunk_units[blockIdx.x] = static_cast<std::int32_t>(sum);
}

/// visit(source) for what a block multiplies of a band, chunk by chunk.
template <class A, class Visit>
__device__ void for_each_source(CsrPanelSpan<A> const& p, int band, int block, Visit const& visit) {
  CsrPanelShape const& s = p.shape;
  int const of_a_band = s.groups * s.blocks;
  for (int i = block % s.parts; i < of_a_band; i += s.parts) {
    std::int64_t const c = std::int64_t{band} * of_a_band + i;
    if (c >= s.chunks) return;
    visit(p.sources[c * s.panels + block / s.parts]);
  }
}

template <class A>
__global__ void __launch_bounds__(block_threads) count_lines_kernel(CsrPanelSpan<A> p) {
  int const i = static_cast<int>(blockIdx.x) * block_threads + static_cast<int>(threadIdx.x);
  if (i >= p.shape.blocks * p.shape.bands) return;
  int units = 0;
  for_each_source(p, i / p.shape.blocks, i % p.shape.blocks,
                  [&](std::uint32_t source) { units += static_cast<int>(source >> units_shift); });
  p.slot_lines[i] = (units + line_units(p.shape) - 1) / line_units(p.shape);
}

/// In place: the sums of what lies before, and the total behind; by all threads of one block.
__device__ void scan(std::int32_t* at, std::int64_t count, std::int32_t* partial) {
  scan_by_block(
      count, partial, [&](std::int64_t i) { return at[i]; },
      [&](std::int64_t i, std::int32_t before) { at[i] = before; });
}

template <class A>
__global__ void __launch_bounds__(scan_threads) scan_kernel(CsrPanelSpan<A> p) {
  __shared__ std::int32_t partial[scan_threads];
  CsrPanelShape const& s = p.shape;
  int const thread = static_cast<int>(threadIdx.x);
  int const pairs = s.blocks * s.bands;
  for (int i = thread; i < pairs; i += scan_threads) p.lines[i % s.blocks * s.bands + i / s.blocks] = p.slot_lines[i];
  __syncthreads();  // lines has them block by block
  scan(p.lines, pairs, partial);
  scan(p.chunk_units, s.chunks, partial);
  for (int band = thread; band < s.bands; band += scan_threads) {
    std::int32_t sum = 0;
    for (int block = 0; block < s.blocks; ++block) {
      std::int32_t const own = p.slot_lines[band * s.blocks + block];
      p.slot_lines[band * s.blocks + block] = sum;
      sum += own;
    }
    p.band_lines[band] = sum;
  }
  __syncthreads();  // all bands are summed
  if (thread != 0) return;
  std::int32_t most = 0;
  for (int band = 0; band < s.bands; ++band) most = max(most, p.band_lines[band]);
  p.band_lines[s.bands] = most;
}

template <class A>
__global__ void __launch_bounds__(block_threads) place_kernel(CsrPanelSpan<A> p) {
  int const i = static_cast<int>(blockIdx.x) * block_threads + static_cast<int>(threadIdx.x);
  if (i >= p.shape.blocks * p.shape.bands) return;
  auto at = static_cast<std::uint32_t>(p.slot_lines[i] * line_units(p.shape));
  for_each_source(p, i / p.shape.blocks, i % p.shape.blocks, [&](std::uint32_t& source) {
    std::uint32_t const units = source >> units_shift;
    source = at - (source & ((1u << units_shift) - 1));
    at += units;
  });
}

/// Which of the matrix's values belongs to entry k of the span.
template <class A>
__device__ std::int64_t source_of(CsrPanelSpan<A> const& p, std::int64_t k) {
  return p.entries ? p.entries[k] : k;
}

/// Where entry v of a chunk's unit lies in values and columns.
template <class A>
struct Place {
  std::int64_t value;
  std::int64_t column;

  __device__ Place(CsrPanelSpan<A> const& p, std::int64_t c, int panel, int unit_of_chunk, int v) {
    CsrPanelShape const& s = p.shape;
    int const of_a_band = s.groups * s.blocks;
    auto const band = static_cast<int>(c / of_a_band);
    int const block = panel * s.parts + static_cast<int>(c % of_a_band) % s.parts;
    std::uint32_t const in_slot = p.sources[c * s.panels + panel] + static_cast<std::uint32_t>(unit_of_chunk);
    int const units = line_units(s);
    std::int64_t const line = std::int64_t{p.lines[block * s.bands + band]} - p.slot_lines[band * s.blocks + block] +
                              static_cast<int>(in_slot) / units;
    int const in_line = static_cast<int>(in_slot) % units;
    int const lane = in_line % lanes;
    int const entry = in_line / lanes * unit_of(s) + v;  // of the lane
    constexpr int vector = 16 / static_cast<int>(sizeof(A));
    constexpr int vectors = lane_entries / vector;
    value = ((line * vectors + entry / vector) * lanes + lane) * vector + entry % vector;
    column = (line * lanes + lane) * lane_entries + entry;
  }
};

template <class A, class Offset>
__global__ void __launch_bounds__(block_threads)
    fill_kernel(CsrPointers<A, std::int32_t, Offset> a, CsrPanelSpan<A> p) {
  __shared__ Counts counts;
  __shared__ int cursor[csr_panel_most + 1];
  CsrPanelShape const& s = p.shape;
  std::int64_t const c = blockIdx.x;
  int const thread = static_cast<int>(threadIdx.x);
  int const unit = unit_of(s);
  std::int64_t const first_unit = p.chunk_units[c];
  int const entries = count_chunk(a, p, counts);
  if (thread == 0) {
    int sum = 0;
    for (int i = 0; i < s.panels; ++i) {
      cursor[i] = sum * unit;
      sum += (counts.entries[i] + unit - 1) / unit;
    }
  }
  __syncthreads();  // cursors are there
  for (int i = thread; i < s.panels; i += block_threads) {
    int const end = cursor[i] + (counts.entries[i] + unit - 1) / unit * unit;
    for (int u = cursor[i] / unit; u < end / unit; ++u) p.unit_panels[first_unit + u] = static_cast<std::uint8_t>(i);
    int const padding = cursor[i] + counts.entries[i];
    for (int k = padding; k < end; ++k)
      p.positions[first_unit * unit + k] =
          static_cast<std::uint16_t>(csr_panel_unused(s.chunk, i * (unit - 1) + k - padding));
  }
  __syncthreads();  // before cursors move
  for (int e = thread; e < entries; e += block_threads) {
    std::int64_t const k = c * s.chunk + e;
    std::int32_t const column = a.col_indices[k];
    int const panel = panel_of(counts.bounds, s.panels, column);
    int const slot = atomicAdd(cursor + panel, 1);
    p.positions[first_unit * unit + slot] = static_cast<std::uint16_t>(csr_panel_padded(e));
    Place<A> const to(p, c, panel, slot / unit, slot % unit);
    p.columns[to.column] = static_cast<std::uint16_t>(column - counts.bounds[panel]);
    p.values[to.value] = a.values[source_of(p, k)];
  }
}

template <class A, class Offset>
__global__ void __launch_bounds__(block_threads)
    fill_values_kernel(CsrPointers<A, std::int32_t, Offset> a, CsrPanelSpan<A> p) {
  std::int64_t const c = blockIdx.x;
  int const unit = unit_of(p.shape);
  std::int64_t const first_unit = p.chunk_units[c];
  int const slots = (p.chunk_units[c + 1] - p.chunk_units[c]) * unit;
  for (int slot = static_cast<int>(threadIdx.x); slot < slots; slot += block_threads) {
    int const position = p.positions[first_unit * unit + slot];
    if (csr_panel_is_unused(p.shape.chunk, position)) continue;
    int const entry = position / 17 * 16 + position % 17;  // 16 products to a row of 17
    Place<A> const to(p, c, p.unit_panels[first_unit + slot / unit], slot / unit, slot % unit);
    p.values[to.value] = a.values[source_of(p, c * p.shape.chunk + entry)];
  }
}

}  // namespace

template <class A, class Offset>
void csr_count_buckets(CsrPointers<A, std::int32_t, Offset> const& a, std::int32_t* buckets, cudaStream_t stream) {
  constexpr std::int64_t most_blocks = 4096;  // some waves, each thread in strides
  unsigned const blocks = static_cast<unsigned>(
      std::min<std::int64_t>(most_blocks, grid_blocks(std::max<std::int64_t>(a.nnz, 1), block_threads, packing_label)));
  count_buckets_kernel<<<blocks, block_threads, 0, stream>>>(a, buckets);
  check_launch(packing_label);
}

template <class A, class Offset>
void csr_panels_count(CsrPointers<A, std::int32_t, Offset> const& a, CsrPanelSpan<A> const& p, cudaStream_t stream) {
  std::int64_t const most = std::max(a.rows, p.shape.chunks + 1);
  unsigned const chunks = grid_blocks(p.shape.chunks, 1, packing_label);
  unsigned const pairs = grid_blocks(std::int64_t{p.shape.blocks} * p.shape.bands, block_threads, packing_label);
  find_rows_kernel<<<grid_blocks(most, block_threads, packing_label), block_threads, 0, stream>>>(a, p);
  count_kernel<<<chunks, block_threads, 0, stream>>>(a, p);
  count_lines_kernel<<<pairs, block_threads, 0, stream>>>(p);
  scan_kernel<<<1, scan_threads, 0, stream>>>(p);
  place_kernel<<<pairs, block_threads, 0, stream>>>(p);
  check_launch(packing_label);
}

template <class A, class Offset>
void csr_panels_fill(CsrPointers<A, std::int32_t, Offset> const& a, CsrPanelSpan<A> const& p, cudaStream_t stream) {
  fill_kernel<<<grid_blocks(p.shape.chunks, 1, packing_label), block_threads, 0, stream>>>(a, p);
  check_launch(packing_label);
}

template <class A, class Offset>
void csr_panels_fill_values(CsrPointers<A, std::int32_t, Offset> const& a, CsrPanelSpan<A> const& p,
                            cudaStream_t stream) {
  fill_values_kernel<<<grid_blocks(p.shape.chunks, 1, packing_label), block_threads, 0, stream>>>(a, p);
  check_launch(packing_label);
}

[[gnu::used]] static void write_out_csr_panel_packing() {
  using namespace araia::detail;
  for_types<AllReals, AllOffsets>([&]<class A, class F>() {
    write_out(csr_count_buckets<A, F>);
    write_out(csr_panels_count<A, F>);
    write_out(csr_panels_fill<A, F>);
    write_out(csr_panels_fill_values<A, F>);
  });
}

}  // namespace araia::cuda
