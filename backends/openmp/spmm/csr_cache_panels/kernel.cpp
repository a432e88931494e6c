// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products with CachePanels: which thread multiplies what, and on which instruction set.

#include <araia/detail/formats/type_list.hpp>
#include <atomic>
#include <new>

#include "backends/openmp/past_cache.hpp"
#include "backends/openmp/spmm/csr_cache_panels/packing.hpp"
#include "backends/openmp/stack_room.hpp"
#include "backends/openmp/thread_chunks.hpp"
#include "backends/openmp/with_isa.hpp"

namespace araia::host {

namespace {

// A row's sums and its row of C take about as long as this many entries.
constexpr std::int64_t entries_per_row = 4;

// Passes of a thread, where one more or less than another thread has matters little.
constexpr std::int64_t passes_that_even_out = 8;

// Waking threads takes some microseconds: as long as one thread needs for this many multiply-adds.
constexpr std::int64_t least_work_per_thread = 32768;

template <class X>
void part_by_isa(Isa isa, CachePanelsPart<X> const& part) {
  with_isa(isa, [&]<Isa level>() { cache_panels_part<level>(part); });
}

/// Work of the blocks before `block`, in entries.
template <class X>
std::int64_t work_before(CachePanelsPointers<X> const& a, std::int64_t block) {
  std::int64_t const rows = block * a.block_rows < a.rows ? block * a.block_rows : a.rows;
  return a.first_slot[block * a.panels] + entries_per_row * rows * a.panels;
}

/// First block of a chunk of blocks, where all chunks have equal work.
template <class X>
std::int64_t first_block_of_chunk(CachePanelsPointers<X> const& a, int chunk, int chunks) {
  double const target = static_cast<double>(work_before(a, a.blocks)) * chunk / chunks;
  std::int64_t low = 0;
  std::int64_t high = a.blocks;
  while (low < high) {  // the first block whose middle is beyond
    std::int64_t const middle = low + (high - low) / 2;
    if (static_cast<double>(work_before(a, middle) + work_before(a, middle + 1)) < 2 * target) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// multiply(first, last) for the items of a thread's chunk: some blocks of every pass; whole passes where those are
/// many.
template <class X, class Multiply>
void each_range_of_chunk(CachePanelsPointers<X> const& a, std::int64_t lines, int chunk, int chunks,
                         Multiply const& multiply) {
  std::int64_t const passes = (lines + a.lines - 1) / a.lines;
  if (passes >= passes_that_even_out * chunks) {
    multiply(passes * chunk / chunks * a.blocks, passes * (chunk + 1) / chunks * a.blocks);
    return;
  }
  std::int64_t const first = first_block_of_chunk(a, chunk, chunks);
  std::int64_t const last = chunk + 1 < chunks ? first_block_of_chunk(a, chunk + 1, chunks) : a.blocks;
  for (std::int64_t pass = 0; pass < passes; ++pass) multiply(pass * a.blocks + first, pass * a.blocks + last);
}

}  // namespace

template <class Scalar>
void cache_panels_spmm(CachePanels<Scalar> const& packed, Scalar alpha, DenseBatch<Scalar const> const& b, Scalar beta,
                       DenseBatch<Scalar> const& c, EpiloguePointers<Scalar> const& epilogue,
                       [[maybe_unused]] int threads, Isa isa) {
  auto const a = packed.pointers();
  if (a.rows == 0 || c.first.columns == 0) return;
  std::int64_t const in_line = cache_line / static_cast<std::int64_t>(sizeof(Scalar));
  std::int64_t const lines = (c.first.columns + in_line - 1) / in_line;
  auto const bytes = static_cast<std::int64_t>(sizeof(Scalar));
  bool const past_cache = beta == Scalar(0) && goes_past_cache(c, static_cast<std::int64_t>(packed.bytes()) +
                                                                      bytes * a.cols * c.first.columns * c.count);
  auto const multiply = [&](std::int64_t first, std::int64_t last, Scalar* workspace) {
    if (first >= last) return;
    for (std::int64_t i = 0; i < c.count; ++i) {
      EpiloguePointers<Scalar> const of_item = epilogue.item(i);
      part_by_isa(isa, CachePanelsPart<Scalar>{.a = a,
                                               .b = b.item(i),
                                               .c = c.item(i),
                                               .alpha = alpha,
                                               .beta = beta,
                                               .past_cache = past_cache,
                                               .first_item = first,
                                               .last_item = last,
                                               .epilogue = of_item.any() ? &of_item : nullptr,
                                               .workspace = workspace});
    }
  };
  std::int64_t const work = work_before(a, a.blocks) * c.first.columns * c.count;
  std::atomic<bool> out_of_memory = false;  // no exception leaves a thread
  in_chunks(threads_with_work(work, least_work_per_thread, threads), [&](int chunk, int chunks) {
    Scalar* workspace = nullptr;
    if (!stack_holds(cache_panel_workspace_bytes)) {
      workspace = static_cast<Scalar*>(memory_of_this_thread(cache_panel_workspace_bytes));
      if (!workspace) {
        out_of_memory = true;
        return;
      }
    }
    each_range_of_chunk(a, lines, chunk, chunks,
                        [&](std::int64_t first, std::int64_t last) { multiply(first, last, workspace); });
  });
  if (out_of_memory) throw std::bad_alloc();
}

[[gnu::used]] static void write_out_cache_panels_spmm() {
  using namespace detail;
  for_types<Reals>([]<class Scalar>() { write_out(cache_panels_spmm<Scalar>); });
}

}  // namespace araia::host
