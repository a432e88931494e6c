// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packs a Csr by panels of columns, and takes new values. A thread packs whole blocks of rows.

#include "backends/openmp/spmm/csr_cache_panels/packing.hpp"

#include <araia/detail/formats/type_list.hpp>

#include <algorithm>
#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/formats/first_failure.hpp>
#include <cmath>
#include <numeric>
#include <type_traits>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace araia::host {

namespace {

constexpr std::int64_t group = cache_panel_group;

// Rows of a block: up to 256, or as many as have 64 KiB of sums where that leaves blocks enough for threads. In a
// larger block groups have rows of more equal lengths, and what a panel reads of it is a longer stream.
constexpr std::int64_t lines_of_block = 1024;
constexpr std::int64_t usual_block_rows = 256;
constexpr std::int64_t least_block_rows = 32;
constexpr std::int64_t enough_blocks = 32;

// Entries of a row in a panel that it has entries in, in the mean: with fewer, sums go to L2 and back more than they
// are added to. Fewer do where CSR order would read B from beyond L2. As many lines as rows have these for, at least 2.
constexpr double least_entries = 11;
constexpr double least_entries_beyond_l2 = 4;
constexpr double bytes_in_l2 = 1.5 * (1 << 20);

// Entries of a column, in the mean: with fewer, copying rows of B is most of the work.
constexpr double least_in_column = 16;

// Where one pass over A does not do.
constexpr std::int64_t most_lines_of_several = 4;

// Rows times panels, which the arrays of groups grow with.
constexpr double most_sums_an_entry = 2;
constexpr double small_arrays = 1 << 16;

std::int64_t panel_cols_of(std::int64_t lines) { return cache_panel_bytes / (lines * cache_line); }

/// Pairs of a row and a panel that it has entries in, were columns random. \param panels  1 or more
double filled_pairs(LengthHistogram const& lengths, double panels) {
  double all = 0;
  for (std::size_t b = 1; b < lengths.size(); ++b)
    if (lengths[b] > 0) {
      double const length = b == 1 ? 1 : std::ldexp(0.75, static_cast<int>(b));
      double const of_row = panels > 1 ? -panels * std::expm1(length * std::log1p(-1 / panels)) : 1;
      all += static_cast<double>(lengths[b]) * of_row;
    }
  return all;
}

/// f(block, thread) on every block, by so many threads.
template <class F>
void each_block([[maybe_unused]] int threads, std::int64_t blocks, F const& f) {
  if (blocks == 0) return;
  detail::FirstFailure failure;
#ifdef _OPENMP
  if (blocks < threads) threads = static_cast<int>(blocks);
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1)
#endif
  for (std::int64_t block = 0; block < blocks; ++block) {
#ifdef _OPENMP
    failure.guard([&] { f(block, omp_get_thread_num()); });
#else
    failure.guard([&] { f(block, 0); });
#endif
  }
  failure.rethrow();
}

/// Entries of each row of a block in each panel.
template <class Matrix>
void count_entries(Matrix const& a, std::int64_t first, std::int64_t last, std::int64_t panel_cols,
                   std::int64_t block_rows, std::vector<std::int32_t>& counts) {
  std::fill(counts.begin(), counts.end(), 0);
  for (std::int64_t i = first; i < last; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      ++counts[static_cast<std::size_t>(a.col_indices[k] / panel_cols * block_rows + i - first)];
}

/// Rows of a block by their entries in a panel, the most first; those without are left out behind the first panel.
void order_rows(std::int32_t const* counts, std::int64_t rows, bool all, std::vector<std::uint16_t>& order) {
  order.resize(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), std::uint16_t{0});
  if (!all) std::erase_if(order, [&](std::uint16_t i) { return counts[i] == 0; });
  std::stable_sort(order.begin(), order.end(), [&](auto i, auto j) { return counts[i] > counts[j]; });
}

/// Rows and panels of a block.
template <class Scalar>
std::int64_t slots_of_block(CachePanels<Scalar> const& p) {
  return p.panels * (p.shape.block_rows + 1);
}

/// Where the next entry of each row and panel of a block goes, for each thread: made before any of them writes, so that
/// a packing is never left half-written for want of memory.
template <class Scalar>
std::vector<std::int64_t> next_slots(CachePanels<Scalar> const& p, int threads) {
  return std::vector<std::int64_t>(
      static_cast<std::size_t>(std::min<std::int64_t>(threads, p.blocks) * slots_of_block(p)));
}

/// place(entry, slot, column in the panel) for every entry of a block.
/// \param next  a thread's next_slots
template <class Scalar, class Matrix, class Place>
void each_slot(CachePanels<Scalar> const& p, Matrix const& a, std::int64_t block, std::int64_t* next,
               Place const& place) {
  std::int64_t const block_rows = p.shape.block_rows;
  std::int64_t const panel_cols = p.shape.panel_cols;
  std::int64_t const first = block * block_rows;
  std::int64_t const last = std::min(first + block_rows, p.rows);
  for (std::int64_t part = 0; part < p.panels; ++part) {
    auto const cell = static_cast<std::size_t>(block * p.panels + part);
    std::int64_t slot = p.first_slot[cell];
    for (std::int64_t g = p.first_group[cell]; g < p.first_group[cell + 1]; ++g) {
      for (std::int64_t lane = 0; lane < group; ++lane)
        next[part * (block_rows + 1) + p.group_rows[static_cast<std::size_t>(g * group + lane)]] = slot + lane;
      slot += group * p.lengths[static_cast<std::size_t>(g)];
    }
  }
  for (std::int64_t i = first; i < last; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      std::int64_t const part = a.col_indices[k] / panel_cols;
      std::int64_t& slot = next[part * (block_rows + 1) + i - first];
      place(k, slot, a.col_indices[k] - part * panel_cols);
      slot += group;
    }
}

template <class Matrix>
auto value_of(Matrix const& a, std::int64_t entry) {
  using Scalar = std::remove_cvref_t<decltype(*a.values)>;
  return a.values ? a.values[entry] : Scalar(1);
}

template <class T>
std::uint64_t bytes_of(std::vector<T> const& array) {
  return array.size() * sizeof(T);
}

}  // namespace

std::optional<CachePanelShape> cache_panel_shape(LengthHistogram const& lengths, std::int64_t cols, std::int64_t nnz,
                                                 std::int64_t columns, int scalar_bytes) {
  std::int64_t const rows = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  if (rows < 1 || cols < 1 || nnz < 1 || columns < 1) return {};
  std::int64_t const in_line = cache_line / scalar_bytes;
  std::int64_t const all_lines = (columns + in_line - 1) / in_line;
  auto const pairs_of = [&](std::int64_t lines) {
    return filled_pairs(lengths, std::max(1.0, static_cast<double>(cols) / static_cast<double>(panel_cols_of(lines))));
  };
  auto const in_panel = [&](std::int64_t lines) { return static_cast<double>(nnz) / pairs_of(lines); };
  std::int64_t most = all_lines <= most_cache_panel_lines ? all_lines : most_lines_of_several;
  while (most > 2 && in_panel(most) < least_entries) --most;
  // As few passes over A as that allows, of about equal width.
  std::int64_t const passes = (all_lines + most - 1) / most;
  std::int64_t const lines = (all_lines + passes - 1) / passes;
  std::int64_t const all_panels = (cols + panel_cols_of(lines) - 1) / panel_cols_of(lines);
  if (static_cast<double>(rows) * static_cast<double>(all_panels) >
      most_sums_an_entry * static_cast<double>(nnz) + small_arrays)
    return {};
  CachePanelShape shape;
  shape.lines = static_cast<int>(lines);
  double const bytes_of_b = static_cast<double>(cols) * static_cast<double>(columns) * scalar_bytes;
  shape.pays = in_panel(lines) >= (bytes_of_b > bytes_in_l2 ? least_entries_beyond_l2 : least_entries) &&
               static_cast<double>(nnz) >= least_in_column * static_cast<double>(cols);
  shape.panel_cols = static_cast<std::int32_t>(panel_cols_of(lines));
  // Enough blocks for some threads; a multiple of a group.
  std::int64_t const quarter = (rows / 4 + group - 1) / group * group;
  std::int64_t const large = std::min(lines_of_block / lines, rows / enough_blocks) / group * group;
  std::int64_t const most_block_rows = std::max(large, usual_block_rows);
  shape.block_rows = static_cast<std::int32_t>(std::clamp(quarter, least_block_rows, most_block_rows));
  // Seconds of an entry and pass, of a row, pass and panel, and of copying a row of B in a pass: Emerald Rapids.
  constexpr double of_line = 0.27e-9;
  constexpr double of_entry = 0.25e-9;
  constexpr double of_sums = 1.2e-9;
  constexpr double of_copy = 2e-9;
  double const pass = static_cast<double>(nnz) * (of_entry + of_line * static_cast<double>(lines)) +
                      pairs_of(lines) * of_sums * static_cast<double>(lines) +
                      static_cast<double>(cols) * of_copy * static_cast<double>(lines) *
                          std::ceil(static_cast<double>(rows) / (512.0 * 4 / static_cast<double>(lines)));
  shape.seconds = pass * static_cast<double>(passes);
  return shape;
}

std::uint64_t cache_panels_bytes(std::int64_t rows, std::int64_t cols, std::int64_t nnz, int scalar_bytes,
                                 CachePanelShape const& shape) {
  auto const panels = static_cast<std::uint64_t>((cols + shape.panel_cols - 1) / shape.panel_cols);
  auto const of_slot = static_cast<std::uint64_t>(scalar_bytes) + sizeof(std::uint16_t);
  auto const of_row = sizeof(std::uint16_t) + sizeof(std::int32_t) / static_cast<std::uint64_t>(group);
  return static_cast<std::uint64_t>(nnz) * of_slot + static_cast<std::uint64_t>(rows) * panels * of_row;
}

template <class Scalar>
std::uint64_t CachePanels<Scalar>::bytes() const {
  return bytes_of(first_group) + bytes_of(first_slot) + bytes_of(lengths) + bytes_of(group_rows) + bytes_of(values) +
         bytes_of(places) + bytes_of(permutation);
}

template <class Scalar>
CachePanelsPointers<Scalar> CachePanels<Scalar>::pointers() const {
  return {.rows = rows,
          .cols = cols,
          .blocks = blocks,
          .panels = panels,
          .lines = shape.lines,
          .panel_cols = shape.panel_cols,
          .block_rows = shape.block_rows,
          .first_group = first_group.data(),
          .first_slot = first_slot.data(),
          .lengths = lengths.data(),
          .group_rows = group_rows.data(),
          .values = values.data(),
          .places = places.data(),
          .permutation = permutation.empty() ? nullptr : permutation.data()};
}

template <class Scalar, class Offset>
CachePanels<Scalar> pack_cache_panels(CsrPointers<Scalar, std::int32_t, Offset> const& a, CachePanelShape const& shape,
                                      int threads, std::uint64_t memory_limit) {
  CachePanels<Scalar> p;
  p.rows = a.rows;
  p.cols = a.cols;
  p.shape = shape;
  std::int64_t const block_rows = shape.block_rows;
  p.blocks = (a.rows + block_rows - 1) / block_rows;
  p.panels = (a.cols + shape.panel_cols - 1) / shape.panel_cols;
  if (a.row_permutation) p.permutation.assign(a.row_permutation, a.row_permutation + a.rows);
  auto const cells = static_cast<std::size_t>(p.blocks * p.panels);
  p.first_group.assign(cells + 1, 0);
  p.first_slot.assign(cells + 1, 0);
  // The groups of each block; then where they begin in the whole.
  struct Block {
    std::vector<std::int32_t> lengths;
    std::vector<std::uint16_t> rows;
  };
  std::vector<Block> made(static_cast<std::size_t>(p.blocks));
  each_block(threads, p.blocks, [&](std::int64_t block, int) {
    std::int64_t const first = block * block_rows;
    std::int64_t const last = std::min(first + block_rows, p.rows);
    std::vector<std::int32_t> counts(static_cast<std::size_t>(p.panels * block_rows));
    std::vector<std::uint16_t> order;
    count_entries(a, first, last, shape.panel_cols, block_rows, counts);
    auto& mine = made[static_cast<std::size_t>(block)];
    for (std::int64_t part = 0; part < p.panels; ++part) {
      auto const cell = static_cast<std::size_t>(block * p.panels + part);
      std::int32_t const* const of_panel = counts.data() + part * block_rows;
      order_rows(of_panel, last - first, part == 0, order);
      for (std::size_t i = 0; i < order.size(); i += group) {
        mine.lengths.push_back(of_panel[order[i]]);
        for (std::size_t lane = 0; lane < group; ++lane)
          mine.rows.push_back(i + lane < order.size() ? order[i + lane] : static_cast<std::uint16_t>(block_rows));
        p.first_slot[cell + 1] += group * of_panel[order[i]];
        ++p.first_group[cell + 1];
      }
    }
  });
  std::partial_sum(p.first_group.begin(), p.first_group.end(), p.first_group.begin());
  std::partial_sum(p.first_slot.begin(), p.first_slot.end(), p.first_slot.begin());
  p.lengths.reserve(static_cast<std::size_t>(p.first_group.back()));
  p.group_rows.reserve(static_cast<std::size_t>(p.first_group.back() * group));
  for (auto& block : made) {
    p.lengths.insert(p.lengths.end(), block.lengths.begin(), block.lengths.end());
    p.group_rows.insert(p.group_rows.end(), block.rows.begin(), block.rows.end());
    block = {};
  }
  auto const slots = static_cast<std::size_t>(p.first_slot.back());
  detail::require_memory("araia: csr/cache_panels: the packed matrix",
                         p.bytes() + slots * (sizeof(Scalar) + sizeof(std::uint16_t)), memory_limit);
  auto const row_bytes = shape.lines * cache_line;
  p.values.assign(slots, Scalar(0));
  p.places.assign(slots, static_cast<std::uint16_t>(shape.panel_cols * row_bytes));  // the line of zeros
  auto next = next_slots(p, threads);
  each_block(threads, p.blocks, [&](std::int64_t block, int thread) {
    each_slot(p, a, block, next.data() + thread * slots_of_block(p),
              [&](std::int64_t entry, std::int64_t slot, std::int64_t column) {
                p.values[static_cast<std::size_t>(slot)] = value_of(a, entry);
                p.places[static_cast<std::size_t>(slot)] = static_cast<std::uint16_t>(column * row_bytes);
              });
  });
  return p;
}

template <class Scalar, class Offset>
void update_values(CachePanels<Scalar>& packed, CsrPointers<Scalar, std::int32_t, Offset> const& a, int threads) {
  auto next = next_slots(packed, threads);
  each_block(threads, packed.blocks, [&](std::int64_t block, int thread) {
    each_slot(packed, a, block, next.data() + thread * slots_of_block(packed),
              [&](std::int64_t entry, std::int64_t slot, std::int64_t) {
                packed.values[static_cast<std::size_t>(slot)] = value_of(a, entry);
              });
  });
}

[[gnu::used]] static void write_out_cache_panels() {
  using namespace detail;
  for_types<Reals>([]<class Scalar>() {
    write_out(&CachePanels<Scalar>::bytes);
    write_out(&CachePanels<Scalar>::pointers);
  });
  for_types<Reals, AllOffsets>([]<class Scalar, class Offset>() {
    write_out(pack_cache_panels<Scalar, Offset>);
    write_out(update_values<Scalar, Offset>);
  });
}

}  // namespace araia::host
