// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = alpha A x + beta y, A in CSR packed by panels of columns; gathers go to shared memory instead of the L2.
// Mapping  grid: a block a multiprocessor, all at work at once, each with a panel of x for the whole product
//          block: 6 warps multiply, 2 groups of 8 add, 2 warps carry signals | lane: 8 entries of a line of 256
//          multiply: lines of (values, columns) of the panel -> products in the same order, 16 bytes a lane, to a slot
//                    of the buffer; a ring in shared memory holds the lines that each warp copies ahead
//          add:      a chunk's products, in runs of some 60 from every panel -> their rows' places in shared memory;
//                    1 to 32 lanes sum each row that begins in the chunk, as many as leave no thread idle
//          A band is a chunk for each group of every block. While a group adds band b, the others multiply b + 1 and
//          b + 2. Two counters a band say that all blocks have multiplied it, and that all groups have read it. Entries
//          of a row that began in an earlier chunk are summed to the chunk's carry; a second launch adds carries.
// Traffic  float: 8.25 B an entry from memory (value 4, column 2, place 2, panel 1/4), 8 B of products through the L2,
//          where the buffer's 3 bands stay; 2 B a row, and y; x once a part. Double: 12.5 B and 16 B. Shared memory:
//          all there is. Atomics: counters of signals alone, so the same bits on every run.
// Suits    float and columns that lie anywhere: gathers from the L2 are requests, of which it serves so many a second.
//          Double sends twice the products through the L2, which binds then.
// Padding  has products of zero with any x; they go to places of no entry of the chunk and do not spread.
// Source   propagation blocking [Beamer2017]; differs: products wait for their rows, and x, not y, is blocked.
// Measured docs/kernels/cuda_spmv.md; what lost, docs/lab/cuda_kernels.md.
#include <string>

#include "backends/cuda/check.hpp"
#include "backends/cuda/memory.cuh"
#include "backends/cuda/shared_memory.hpp"
#include "backends/cuda/signals.cuh"
#include "backends/cuda/spmv/csr_column_panels/kernel.hpp"

namespace araia::cuda {
namespace {

constexpr unsigned whole_warp = 0xffffffffu;
constexpr int line_lanes = 32;
constexpr int lane_entries = csr_panel_line / line_lanes;  // of a line
constexpr int most_panels = csr_panel_most + 1;
constexpr int adding_warps = 8;  // of a group
constexpr int block_threads = (csr_panel_warps + csr_panel_groups * adding_warps + 2) * 32;
constexpr int flying_units = 4;    // of a thread that adds, loaded before the first goes to shared memory
constexpr int staged_rows = 1024;  // of a chunk, whose begins are loaded ahead
constexpr int short_row = 32;      // entries of a row to a lane, beyond which other lanes help
constexpr int eighth_row = 512;    // entries of a row, beyond which a whole warp sums it
constexpr int carry_threads = 128;
constexpr int short_run = 8;  // chunks of a row that one thread adds
constexpr char const* kernel_label = "araia::spmv::csr::column_panels";

template <class Y>
constexpr int unit_of = 16 / static_cast<int>(sizeof(Y));  // entries of a unit
template <class Y>
constexpr int planes_of = lane_entries / unit_of<Y>;  // units of a lane in a line
template <class A>
constexpr int vectors_of = lane_entries* static_cast<int>(sizeof(A)) / 16;  // of a lane's values in a line

constexpr int panel_barrier = 1;
constexpr int band_barrier = 2;   // and 3, in turns
constexpr int group_barrier = 4;  // and those behind it

/// What the thread block's two warps of control tell the others.
struct Control {
  std::uint32_t open;   // bands that may be multiplied
  std::uint32_t ready;  // bands whose products are there
};
/// All lanes of a warp call it. By atomics, as nothing else orders who tells and who asks.
__device__ __forceinline__ void wait_until_beyond(std::uint32_t* number, int band) {
  if (threadIdx.x % 32 == 0)
    while (atomicAdd(number, 0) <= static_cast<std::uint32_t>(band)) {
    }
  __syncwarp();
}

template <class Y>
__device__ __forceinline__ Y warp_sum(Y sum) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(whole_warp, sum, offset);
  return sum;
}

/// Phase 1. A warp multiplies a line at a time, `depth` of them on their way through its ring.
template <int warps, int depth, class A, class X, class Y>
__device__ __forceinline__ void multiply(CsrPanelSpan<A> const& a, X const* panel, uint4* ring, Control* control) {
  constexpr int planes = planes_of<Y>;
  constexpr int vectors = vectors_of<A>;
  constexpr int slot_vectors = (vectors + 1) * line_lanes;
  int const warp = static_cast<int>(threadIdx.x) / 32;
  int const lane = static_cast<int>(threadIdx.x) % 32;
  int const block = static_cast<int>(blockIdx.x);
  int const bands = a.shape.bands;
  int const blocks = a.shape.blocks;
  std::int32_t const* const band_ends = a.lines + block * bands + 1;
  std::int32_t const first = a.lines[block * bands];
  std::int32_t const last = band_ends[bands - 1];
  std::int32_t const slot_lines = a.band_lines[bands];
  int band = 0;
  int slot = 0;
  std::int32_t band_end = band_ends[0];
  std::int32_t to_slot = a.slot_lines[block] - first;  // line of the buffer less line of the stream
  std::uint64_t const once = read_once();

  uint4* const own = ring + warp * depth * slot_vectors + lane;
  auto const fetch = [&](std::int32_t line, int at) {
    if (line < last) {
      uint4 const* const values = reinterpret_cast<uint4 const*>(a.values) + std::int64_t{line} * vectors * line_lanes;
      uint4 const* const columns = reinterpret_cast<uint4 const*>(a.columns) + std::int64_t{line} * line_lanes;
      uint4* const to = own + at * slot_vectors;
#pragma unroll
      for (int w = 0; w < vectors; ++w) copy_16(to + w * line_lanes, values + w * line_lanes + lane, once);
      copy_16(to + vectors * line_lanes, columns + lane, once);
    }
    end_copies();  // also where there is none, so that their number tells which one is complete
  };
  auto const finish_band = [&] {
    arrive(band_barrier + band % 2, (warps + 1) * 32);  // the products are ordered before what follows there
    ++band;
    slot = slot + 1 == a.shape.slots ? 0 : slot + 1;
    if (band == bands) return;
    band_end = band_ends[band];
    to_slot = slot * slot_lines + a.slot_lines[band * blocks + block] - band_ends[band - 1];
    wait_until_beyond(&control->open, band);
  };

#pragma unroll
  for (int d = 0; d < depth; ++d) fetch(first + warp + d * warps, d);
  barrier(panel_barrier, warps * 32);  // the panel is there
  int at = 0;
  for (std::int32_t line = first + warp; line < last; line += warps) {
    while (line >= band_end) finish_band();
    wait_for_copies<depth - 1>();
    uint4 const* const from = own + at * slot_vectors;
    Pack<A, lane_entries> value;
    Pack<std::uint16_t, lane_entries> column;
#pragma unroll
    for (int w = 0; w < vectors; ++w) reinterpret_cast<uint4*>(&value)[w] = from[w * line_lanes];
    *reinterpret_cast<uint4*>(&column) = from[vectors * line_lanes];
    Pack<Y, lane_entries> product;
#pragma unroll
    for (int e = 0; e < lane_entries; ++e)
      product.at[e] = static_cast<Y>(value.at[e]) * static_cast<Y>(panel[column.at[e]]);
    uint4* const to = static_cast<uint4*>(a.buffer) + (std::int64_t{line} + to_slot) * planes * line_lanes + lane;
#pragma unroll
    for (int q = 0; q < planes; ++q) __stcg(to + q * line_lanes, reinterpret_cast<uint4 const*>(&product)[q]);
    fetch(line + depth * warps, at);
    at = at + 1 == depth ? 0 : at + 1;
  }
  while (band < bands) finish_band();
}

/// A warp of control. Tells all blocks that this one has multiplied a band, and this block which it may multiply next:
/// the second one behind, if its slot was read.
template <int multiplying, int groups, class A>
__device__ __forceinline__ void announce(CsrPanelSpan<A> const& a, Control* control) {
  CsrPanelShape const& s = a.shape;
  int open = min(2, s.slots);
  for (int band = 0; band < s.bands; ++band) {
    barrier(band_barrier + band % 2, (multiplying + 1) * 32);  // all products of the band are stored
    if (threadIdx.x % 32 == 0) {
      add_release(a.done + band);
      for (; open <= min(band + 2, band + s.slots) && open < s.bands; ++open) {
        if (open >= s.slots) wait_for(a.done + s.bands + open - s.slots, static_cast<std::uint32_t>(groups * s.blocks));
        atomicExch(&control->open, static_cast<std::uint32_t>(open + 1));
      }
    }
    __syncwarp();  // the warp comes to the next barrier as one
  }
}

/// The other one. Tells this block which bands all blocks have multiplied.
template <class A>
__device__ __forceinline__ void listen(CsrPanelSpan<A> const& a, Control* control) {
  if (threadIdx.x % 32 == 0)
    for (int band = 0; band < a.shape.bands; ++band) {
      wait_for(a.done + band, static_cast<std::uint32_t>(a.shape.blocks));
      atomicExch(&control->ready, static_cast<std::uint32_t>(band + 1));
    }
  __syncwarp();  // the warp comes to the block's barrier as one
}

/// What a group of warps keeps of a chunk of its band, and of the next one.
template <class Y, int warps>
struct Group {
  std::uint32_t sources[2][most_panels];
  std::uint16_t begins[2][staged_rows];
  Y parts[warps];
};

/// Sum of products begin .. end - 1 of each lane's row; the first of 2^shift lanes gets it. All lanes of a warp call
/// it.
template <class Y>
__device__ __forceinline__ Y sum_rows(Y const* products, int begin, int end, int shift) {
  int const lane = static_cast<int>(threadIdx.x) % 32;
  int const lane_in_row = lane & ((1 << shift) - 1);
  bool const is_long = end - begin > short_row << shift;
  Y sum{};
  if (!is_long) {
#pragma unroll 4
    for (int k = begin + lane_in_row; k < end; k += 1 << shift) sum += products[csr_panel_padded(k)];
  }
  for (int offset = 1 << shift >> 1; offset > 0; offset /= 2) sum += __shfl_xor_sync(whole_warp, sum, offset);
  auto const gather = [&](int leader, int first, int step) {
    int const row_end = __shfl_sync(whole_warp, end, leader & 31);
    int const row_begin = __shfl_sync(whole_warp, begin, leader & 31);
    Y part{};
    if (leader >= 0) {
#pragma unroll 4
      for (int k = row_begin + first; k < row_end; k += step) part += products[csr_panel_padded(k)];
    }
    return part;
  };
  // The longest rows by the whole warp, then four at a time by eight lanes each.
  bool const leads = is_long && lane_in_row == 0;
  bool const by_warp = leads && end - begin > eighth_row;
  for (unsigned waiting = __ballot_sync(whole_warp, by_warp); waiting != 0; waiting &= waiting - 1) {
    int const leader = __ffs(static_cast<int>(waiting)) - 1;
    Y const part = warp_sum(gather(leader, lane, 32));
    if (lane == leader) sum = part;
  }
  for (unsigned waiting = __ballot_sync(whole_warp, leads && !by_warp); waiting != 0;) {
    unsigned own = waiting;
    for (int k = 0; k < lane / 8; ++k) own &= own - 1;
    Y part = gather(__ffs(static_cast<int>(own)) - 1, lane % 8, 8);
#pragma unroll
    for (int offset = 4; offset > 0; offset /= 2) part += __shfl_xor_sync(whole_warp, part, offset);
    int const rank = __popc(waiting & ((1u << lane) - 1));
    Y const found = __shfl_sync(whole_warp, part, rank % 4 * 8);
    if ((waiting >> lane & 1u) != 0 && rank < 4) sum = found;
#pragma unroll
    for (int k = 0; k < 4; ++k) waiting &= waiting - 1;
  }
  return sum;
}

/// Phase 2. A group of warps sums the rows of a chunk a band; what it reads of the structure comes a band ahead.
template <int warps, int groups, int U, class A, class Y>
__device__ __forceinline__ void add(CsrPanelSpan<A> const& a, int group, int thread, Y* products, Group<Y, warps>& kept,
                                    Control* control, Y alpha, Y beta, Y* y) {
  constexpr int unit = unit_of<Y>;
  constexpr int planes = planes_of<Y>;
  constexpr int threads = 32 * warps;
  constexpr int own_rows = staged_rows / threads;  // that a thread stages
  static_assert(threads >= csr_panel_most, "a thread stages one source at most");
  using Positions = Pack<std::uint16_t, unit>;
  CsrPanelShape const& s = a.shape;
  auto const slot_units = static_cast<std::uint32_t>(a.band_lines[s.bands]) * planes * line_lanes;
  uint4 const* const buffer = static_cast<uint4 const*>(a.buffer);
  int const block = static_cast<int>(blockIdx.x);
  int const id = group_barrier + group;

  struct Chunk {
    std::int32_t first_unit, end_unit, first_row, end_row;
  };
  auto const chunk_of = [&](int band) { return (band * groups + group) * s.blocks + block; };
  auto const describe = [&](int band) {
    int const c = chunk_of(band);
    if (c >= s.chunks) return Chunk{};
    return Chunk{a.chunk_units[c], a.chunk_units[c + 1], a.first_rows[c], a.first_rows[c + 1]};
  };

  // Loads that arrive while sums are formed; what all threads need goes to shared memory afterwards.
  Positions at[U];
  int from[U];
  std::uint32_t source = 0;
  std::uint16_t row_begin[own_rows];
  auto const prefetch = [&](Chunk const& chunk, int band) {
    int const c = chunk_of(band);
    if (c >= s.chunks) return;
#pragma unroll
    for (int u = 0; u < U; ++u) {
      int const i = chunk.first_unit + thread + u * threads;
      if (i < chunk.end_unit) {
        at[u] = load_once<unit>(a.positions + std::int64_t{i} * unit);
        from[u] = __ldcs(a.unit_panels + i);
      }
    }
    if (thread < s.panels) source = __ldcs(a.sources + std::int64_t{c} * s.panels + thread);
#pragma unroll
    for (int q = 0; q < own_rows; ++q)
      if (chunk.first_row + thread + q * threads < chunk.end_row)
        row_begin[q] = __ldcs(a.row_begins + chunk.first_row + thread + q * threads);
  };
  auto const stage = [&](Chunk const& chunk, int band) {
    if (thread < s.panels) kept.sources[band % 2][thread] = source;
#pragma unroll
    for (int q = 0; q < own_rows; ++q)
      if (chunk.first_row + thread + q * threads < chunk.end_row)
        kept.begins[band % 2][thread + q * threads] = row_begin[q];
  };

  Chunk chunk = describe(0);
  Chunk next = describe(1);
  prefetch(chunk, 0);
  stage(chunk, 0);
  int slot = 0;
  for (int band = 0; band < s.bands; ++band) {
    int const c = chunk_of(band);
    if (c >= s.chunks) {  // so are those behind it
      if (thread == 0) add_relaxed(a.done + s.bands + band);
      continue;
    }
    wait_until_beyond(&control->ready, band);
    barrier(id, threads);  // what is kept of the chunk is there, and the sums of the last one are formed
    std::uint32_t const* const sources = kept.sources[band % 2];
    std::uint32_t const to_slot =
        static_cast<std::uint32_t>(slot) * slot_units - static_cast<std::uint32_t>(chunk.first_unit);
    auto const product_of = [&](int panel, int i) {
      return __ldcg(buffer + (sources[panel] + static_cast<std::uint32_t>(i) + to_slot));
    };
    auto const scatter = [&](uint4 const& product, Positions const& to) {
      auto const& pack = reinterpret_cast<Pack<Y, unit> const&>(product);
#pragma unroll
      for (int v = 0; v < unit; ++v) products[to.at[v]] = pack.at[v];
    };
    int const first = chunk.first_unit + thread;
    uint4 product[U];
#pragma unroll
    for (int u = 0; u < U; ++u)
      if (first + u * threads < chunk.end_unit) product[u] = product_of(from[u], first + u * threads);
#pragma unroll
    for (int u = 0; u < U; ++u)
      if (first + u * threads < chunk.end_unit) scatter(product[u], at[u]);
#pragma unroll 1
    for (int i = first + U * threads; i < chunk.end_unit; i += threads)
      scatter(product_of(a.unit_panels[i], i), load_once<unit>(a.positions + std::int64_t{i} * unit));
    barrier(id, threads);  // all products are in shared memory, and the slot is read
    if (thread == 0) add_relaxed(a.done + s.bands + band);
    slot = slot + 1 == s.slots ? 0 : slot + 1;

    std::int32_t const first_row = chunk.first_row;
    int const owned = chunk.end_row - first_row;
    chunk = next;
    prefetch(chunk, band + 1);
    next = describe(band + 2);

    auto const entries = static_cast<int>(min(a.nnz - std::int64_t{c} * s.chunk, std::int64_t{s.chunk}));
    std::uint16_t const* const begins = kept.begins[band % 2];
    auto const begin_of = [&](int row) {
      if (row >= owned) return entries;
      return int{row < staged_rows ? begins[row] : a.row_begins[first_row + row]};
    };
    int shift = 0;  // lanes of a row: 2^shift, as many as leave no thread idle
    while (shift < 5 && owned << (shift + 1) <= threads) ++shift;
#pragma unroll 1
    for (int first_owned = 0; first_owned < owned; first_owned += threads >> shift) {
      int const row = first_owned + (thread >> shift);
      Y const sum = sum_rows(products, begin_of(row), begin_of(row + 1), shift);
      if ((thread & ((1 << shift) - 1)) == 0 && row < owned) {
        std::int32_t const at_row = first_row + row;
        store_scaled(y + (a.row_permutation ? a.row_permutation[at_row] : at_row), alpha, sum, beta);
      }
    }
    int const carried = begin_of(0);  // entries of a row that began earlier; the same for the whole group
    Y sum{};
    if (carried > 0) {
#pragma unroll 4
      for (int k = thread; k < carried; k += threads) sum += products[csr_panel_padded(k)];
      sum = warp_sum(sum);
      if (thread % 32 == 0) kept.parts[thread / 32] = sum;
      barrier(id, threads);  // all parts are there
      sum = Y{};
      if (thread == 0)
        for (int w = 0; w < warps; ++w) sum += kept.parts[w];
    }
    if (thread == 0) static_cast<Y*>(a.carries)[c] = sum;
    stage(chunk, band + 1);
  }
}

template <int depth, class A, class X, class Y>
__global__ void __launch_bounds__(block_threads, 1)
    column_panels_kernel(CsrPanelSpan<A> a, Y alpha, X const* __restrict__ x, Y beta, Y* y) {
  extern __shared__ uint4 shared[];
  __shared__ Control control;
  __shared__ Group<Y, adding_warps> kept[csr_panel_groups];
  static_assert(sizeof(control) + sizeof(kept) + 64 <= csr_panel_static);
  constexpr int multiplying = csr_panel_warps;
  constexpr int ring_vectors = multiplying * depth * (vectors_of<A> + 1) * line_lanes;
  int const thread = static_cast<int>(threadIdx.x);
  int const warp = thread / 32;
  Y* const products = reinterpret_cast<Y*>(shared + ring_vectors);
  X* const panel = reinterpret_cast<X*>(products + csr_panel_groups * csr_panel_places(a.shape));
  if (thread == 0) control = {static_cast<std::uint32_t>(min(2, a.shape.slots)), 0};
  __syncthreads();  // control is there
  if (warp < multiplying) {
    int const p = static_cast<int>(blockIdx.x) / a.shape.parts;
    std::int32_t const first = a.panel_columns[p];
    int const width = a.panel_columns[p + 1] - first;
    constexpr int vector = 16 / static_cast<int>(sizeof(X));
    int const whole = (reinterpret_cast<std::uintptr_t>(x) & 15) == 0 ? width / vector : 0;
#pragma unroll 4
    for (int i = thread; i < whole; i += multiplying * 32)
      reinterpret_cast<uint4*>(panel)[i] = __ldg(reinterpret_cast<uint4 const*>(x + first) + i);
#pragma unroll 4
    for (int i = whole * vector + thread; i < width; i += multiplying * 32) panel[i] = __ldg(x + first + i);
    multiply<multiplying, depth, A, X, Y>(a, panel, shared, &control);
  } else if (warp < multiplying + csr_panel_groups * adding_warps) {
    int const group = (warp - multiplying) / adding_warps;
    add<adding_warps, csr_panel_groups, flying_units>(a, group, thread - (multiplying + group * adding_warps) * 32,
                                                      products + group * csr_panel_places(a.shape), kept[group],
                                                      &control, alpha, beta, y);
  } else if (warp == multiplying + csr_panel_groups * adding_warps) {
    announce<multiplying, csr_panel_groups>(a, &control);
  } else {
    listen(a, &control);
  }
  __syncthreads();  // nobody of this block waits for others any more
  bool is_last = false;
  if (thread == 0) {
    auto const before = static_cast<unsigned>(a.shape.blocks - 1);
    is_last = atomicInc(a.done + 2 * a.shape.bands, before) == before;  // zero again behind the last one
  }
  if (__syncthreads_or(is_last))
    for (int i = thread; i < 2 * a.shape.bands; i += block_threads) a.done[i] = 0;
}

/// Adds the carries of each row that spans chunks: a thread a chunk, the first of a row's carries leads.
template <class A, class Y>
__global__ void __launch_bounds__(carry_threads) add_panel_carries_kernel(CsrPanelSpan<A> a, Y alpha, Y* y) {
  std::int64_t const c = std::int64_t{blockIdx.x} * carry_threads + threadIdx.x + 1;  // chunk 0 carries nothing
  std::int64_t const count = a.shape.chunks;
  int const lane = static_cast<int>(threadIdx.x) % 32;
  Y const* const carries = static_cast<Y const*>(a.carries);
  std::int32_t const next = c < count ? a.first_rows[c] : 0;  // the row that carries is the one before
  bool const spans = c < count && (a.first_rows[c + 1] == next || a.row_begins[next] != 0);
  bool const leads = spans && a.first_rows[c - 1] != next;
  Y sum{};
  std::int64_t k = c;
  if (leads)
    for (; k < c + short_run && k < count && a.first_rows[k] == next; ++k) sum += carries[k];
  bool const is_long = leads && k == c + short_run;
  for (unsigned waiting = __ballot_sync(whole_warp, is_long); waiting != 0; waiting &= waiting - 1) {
    int const leader = __ffs(static_cast<int>(waiting)) - 1;
    std::int32_t const row_after = __shfl_sync(whole_warp, next, leader);
    std::int64_t const from = __shfl_sync(whole_warp, k, leader);
    Y part{};
    for (std::int64_t other = from + lane; other < count && a.first_rows[other] == row_after; other += 32)
      part += carries[other];
    part = warp_sum(part);
    if (lane == leader) sum += part;
  }
  if (leads) {
    std::int32_t const row = next - 1;
    y[a.row_permutation ? a.row_permutation[row] : row] += alpha * sum;
  }
}

}  // namespace

CsrPanelDevice csr_panel_device() {
  int device = 0;
  int major = 0;
  CsrPanelDevice found;
  check(cudaGetDevice(&device), kernel_label);
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), kernel_label);
  check(cudaDeviceGetAttribute(&found.multiprocessors, cudaDevAttrMultiProcessorCount, device), kernel_label);
  check(cudaDeviceGetAttribute(&found.shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), kernel_label);
  if (major < 8)
    throw Error(ErrorKind::unsupported, std::string(kernel_label) + ": a device of compute capability " +
                                            std::to_string(major) + ", expected 8 or more");
  return found;
}

template <class A, class X, class Y>
void csr_spmv_column_panels(CsrPanelSpan<A> const& a, Y alpha, X const* x, Y beta, Y* y, cudaStream_t stream) {
  CsrPanelShape const& s = a.shape;
  if (a.rows == 0) return;
  if (s.vector_bytes != static_cast<int>(sizeof(Y)) || s.groups != csr_panel_groups)
    throw Error(ErrorKind::invalid_argument,
                std::string(kernel_label) + ": packed for elements of " + std::to_string(s.vector_bytes) +
                    " bytes and " + std::to_string(s.groups) + " groups, expected " + std::to_string(sizeof(Y)) +
                    " and " + std::to_string(csr_panel_groups));
  constexpr int depth = csr_panel_depth(static_cast<int>(sizeof(Y)));
  auto* const kernel = column_panels_kernel<depth, A, X, Y>;
  auto const shared =
      static_cast<std::size_t>(csr_panel_vector_bytes(s)) + csr_panel_ring_bytes(static_cast<int>(sizeof(Y)));
  allow_shared_memory(kernel, shared, kernel_label);
  cudaLaunchAttribute together{};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(s.blocks));
  config.blockDim = dim3(block_threads);
  config.dynamicSmemBytes = shared;
  config.stream = stream;
  config.attrs = &together;
  config.numAttrs = 1;
  check(cudaLaunchKernelEx(&config, kernel, a, alpha, x, beta, y), kernel_label);
  if (s.chunks == 1) return;
  unsigned const carry_blocks = grid_blocks(s.chunks - 1, carry_threads, kernel_label);
  add_panel_carries_kernel<<<carry_blocks, carry_threads, 0, stream>>>(a, alpha, y);
  check_launch(kernel_label);
}

template void csr_spmv_column_panels(CsrPanelSpan<double> const&, double, double const*, double, double*, cudaStream_t);
template void csr_spmv_column_panels(CsrPanelSpan<float> const&, float, float const*, float, float*, cudaStream_t);
template void csr_spmv_column_panels(CsrPanelSpan<float> const&, double, double const*, double, double*, cudaStream_t);

}  // namespace araia::cuda
