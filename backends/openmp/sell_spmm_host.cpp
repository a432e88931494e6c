// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/openmp/sell_spmm_host.hpp"

#include <algorithm>
#include <araia/detail/formats/type_list.hpp>
#include <cstddef>

#include "backends/openmp/csr_row_partition.hpp"
#include "backends/openmp/csr_spmm_host.hpp"
#include "backends/openmp/epilogue.hpp"
#include "backends/openmp/past_cache.hpp"
#include "backends/openmp/prefetch.hpp"
#include "backends/openmp/thread_chunks.hpp"

namespace araia::host {

namespace {

// Rows that are written out at a time, and slots: 24 KiB in double, half of an L1.
constexpr std::int64_t most_rows = 96;
constexpr std::int64_t most_slots = 2048;

/// Some stored rows in CSR order.
template <class A>
struct Rows {
  std::int64_t offsets[most_rows + 1];
  std::int64_t rows = 0;
  alignas(64) A values[most_slots];
  alignas(64) std::int32_t columns[most_slots];

  [[nodiscard]] CsrPointers<A, std::int32_t, std::int64_t> pointers(std::int64_t cols) const {
    return {.rows = rows,
            .cols = cols,
            .nnz = offsets[rows],
            .row_offsets = offsets,
            .col_indices = columns,
            .values = values};
  }
};

/// What is written out together: lanes [first, last) of a slice, of each the lines [from, to), where the diagonals and
/// then the column steps are its lines. A row with more slots than there is room goes so many slots at a time.
struct Chunk {
  std::int64_t first;
  std::int64_t last;
  std::int64_t from;
  std::int64_t to;
  bool begins;  // its rows
  bool ends;
};

enum class Columns { indices, narrow, wide };

/// A slice as SellPointers says.
template <class A, class Offset>
struct Slice {
  SellPointers<A, std::int32_t, Offset> const& a;
  std::int64_t first_row, height, first_value, first_diagonal, diagonals, steps, first_column;
  bool narrow;

  Slice(SellPointers<A, std::int32_t, Offset> const& of, std::int64_t s)
      : a(of),
        first_row(a.slice_rows ? std::int64_t{a.slice_rows[s]} : s * a.slice_height),
        height(a.slice_rows ? a.slice_rows[s + 1] - first_row : a.slice_height),
        first_value(a.slice_offsets[s]),
        first_diagonal(a.diagonal_offsets ? static_cast<std::int64_t>(a.diagonal_offsets[s]) : 0),
        diagonals(a.diagonal_offsets ? static_cast<std::int64_t>(a.diagonal_offsets[s + 1]) - first_diagonal : 0),
        steps(((static_cast<std::int64_t>(a.slice_offsets[s + 1]) - first_value) / height - diagonals) / a.block_width),
        first_column(a.column_offsets ? static_cast<std::int64_t>(a.column_offsets[s])
                                      : (first_value - first_diagonal * height) / a.block_width),
        narrow(!a.col_indices && a.column_offsets &&
               static_cast<std::int64_t>(a.column_offsets[s + 1]) - first_column < steps * height * 2) {}

  /// Slots of a row.
  [[nodiscard]] std::int64_t slots() const { return diagonals + steps * a.block_width; }

  /// Column steps of a stored row.
  [[nodiscard]] std::int64_t length_of(std::int64_t stored_row) const {
    return steps > 0 ? std::int64_t{a.row_lengths[stored_row]} : 0;
  }

  [[nodiscard]] Columns columns() const {
    return a.col_indices ? Columns::indices : narrow ? Columns::narrow : Columns::wide;
  }

  /// Column group of step t, lane l.
  template <Columns kind>
  [[nodiscard]] std::int32_t group(std::int64_t t, std::int64_t l) const {
    if constexpr (kind == Columns::indices) return a.col_indices[first_column + t * height + l];
    auto const word = [&](std::int64_t k) { return std::uint32_t{a.column_words[first_column + k]}; };
    if constexpr (kind == Columns::narrow)
      return static_cast<std::int32_t>((word(2 * t) | word(2 * t + 1) << 16) +
                                       word(sell_base_words(steps, 2) + t * height + l));
    return static_cast<std::int32_t>(word(2 * t * height + l) | word((2 * t + 1) * height + l) << 16);
  }

  /// Is slot k an entry?
  template <bool HasFill>
  [[nodiscard]] bool is_stored(std::int64_t k) const {
    if constexpr (!HasFill) return true;
    return a.stored_mask ? (a.stored_mask[k / 32] >> (k % 32) & 1U) != 0 : a.values[k] != A(0);
  }

  /// Entries of a chunk whose lanes are rows of the matrix. What is no entry is overwritten by the next one, or lies
  /// behind the last, where there is room for one more.
  template <Columns kind, bool HasFill>
  void write_out(Chunk const& chunk, Rows<A>& rows) const {
    A* const values = rows.values;
    std::int32_t* const columns = rows.columns;
    std::int64_t const width = a.block_width;
    auto const slice_bytes = static_cast<std::int64_t>(sizeof(A)) * slots() * height;
    std::int64_t n = 0;
    rows.offsets[0] = 0;
    rows.rows = chunk.last - chunk.first;
    std::int64_t const last_diagonal = std::min(chunk.to, diagonals);
    std::int64_t const first_step = std::max<std::int64_t>(chunk.from - diagonals, 0);
    for (std::int64_t l = chunk.first; l < chunk.last; ++l) {
      std::int64_t const stored_row = first_row + l;
      std::int32_t const row =
          a.row_permutation ? a.row_permutation[stored_row] : static_cast<std::int32_t>(stored_row);
      std::int64_t k = first_value + chunk.from * height + l;
      auto const add = [&](std::int32_t column, bool counts) {
        values[n] = a.values ? a.values[k] : A(1);
        columns[n] = column;
        n += counts ? 1 : 0;
        k += height;
      };
      if (a.values && chunk.ends && l % static_cast<std::int64_t>(64 / sizeof(A)) == 0 && slots() < most_slots)
        for (std::int64_t t = 0; t < slots(); ++t)  // the same lines of the next slice
          prefetch<Into::l2>(a.values + k + t * height, slice_bytes);
      for (std::int64_t t = chunk.from; t < last_diagonal; ++t) {
        std::int64_t const column = std::int64_t{row} + a.diagonals[first_diagonal + t];
        add(static_cast<std::int32_t>(column), column >= 0 && column < a.cols && is_stored<HasFill>(k));
      }
      std::int64_t const length = std::min(chunk.to - diagonals, length_of(stored_row));
      if (first_step > 0) k = first_value + (diagonals + first_step * width) * height + l;
      if (width == 1) {
        for (std::int64_t t = first_step; t < length; ++t) add(group<kind>(t, l), true);
      } else {
        for (std::int64_t t = first_step; t < length; ++t) {
          std::int64_t const column = std::int64_t{group<kind>(t, l)} * width;
          for (std::int64_t w = 0; w < width; ++w)
            add(static_cast<std::int32_t>(column + w), column + w < a.cols && is_stored<HasFill>(k));
        }
      }
      rows.offsets[l - chunk.first + 1] = n;
    }
  }

  void write_out(Chunk const& chunk, Rows<A>& rows) const {
    auto const with = [&]<bool HasFill>() {
      switch (columns()) {
        case Columns::indices: return write_out<Columns::indices, HasFill>(chunk, rows);
        case Columns::narrow: return write_out<Columns::narrow, HasFill>(chunk, rows);
        case Columns::wide: return write_out<Columns::wide, HasFill>(chunk, rows);
      }
    };
    if (a.fill != 0) {
      with.template operator()<true>();
    } else {
      with.template operator()<false>();
    }
  }
};

/// f(slice, chunk) for all that is written out together of slices [first, last).
template <class A, class Offset, class F>
void each_chunk(SellPointers<A, std::int32_t, Offset> const& a, std::int64_t first, std::int64_t last, F const& f) {
  constexpr std::int64_t room = most_slots - 1;
  for (std::int64_t s = first; s < last; ++s) {
    Slice<A, Offset> const slice(a, s);
    std::int64_t const rows = std::min(slice.height, a.rows - slice.first_row);
    std::int64_t const lines = slice.diagonals + slice.steps;
    if (slice.slots() <= room) {
      std::int64_t const at_once =
          std::clamp<std::int64_t>(room / std::max<std::int64_t>(slice.slots(), 1), 1, most_rows);
      for (std::int64_t l = 0; l < rows; l += at_once)
        f(slice, Chunk{l, std::min(rows, l + at_once), 0, lines, true, true});
      continue;
    }
    std::int64_t const lines_at_once = room / a.block_width;
    for (std::int64_t l = 0; l < rows; ++l) {
      std::int64_t const own = slice.diagonals + slice.length_of(slice.first_row + l);  // the rest is padding
      std::int64_t from = 0;
      do {
        std::int64_t const to = std::min(own, from + lines_at_once);
        f(slice, Chunk{l, l + 1, from, to, from == 0, to == own});
        from = to;
      } while (from < own);
    }
  }
}

}  // namespace

template <class A, class X, class Y, class Offset>
void sell_spmm(SellPointers<A, std::int32_t, Offset> const& a, Y alpha, DenseBatch<X const> const& b, Y beta,
               DenseBatch<Y> const& c, EpiloguePointers<Y> const& epilogue, int threads, Isa isa) {
  if (a.rows == 0 || c.first.columns == 0) return;
  std::int64_t const all_slots = a.slices == 0 ? 0 : static_cast<std::int64_t>(a.slice_offsets[a.slices]);
  if (alpha == Y(0) || all_slots == 0) {
    for (std::int64_t i = 0; i < c.count; ++i) scale(beta, c.item(i), epilogue.item(i));
    return;
  }
  auto const bytes_read = static_cast<std::int64_t>(sizeof(A)) * all_slots +
                          static_cast<std::int64_t>(sizeof(X)) * a.cols * c.first.columns * c.count;
  bool const past_cache = beta == Y(0) && goes_past_cache(c, bytes_read);
  auto const multiply = [&](std::int64_t first, std::int64_t last) {
    Rows<A> rows;
    each_chunk(a, first, last, [&](auto const& slice, Chunk const& chunk) {
      slice.write_out(chunk, rows);
      auto const written = rows.pointers(a.cols);
      std::int64_t const row = slice.first_row + chunk.first;
      for (std::int64_t i = 0; i < c.count; ++i) {
        auto const e = epilogue.item(i);
        csr_spmm_chunk(written, row, a.row_permutation, alpha, b.item(i), chunk.begins ? beta : Y(1), c.item(i),
                       chunk.ends && e.any() ? &e : nullptr, past_cache && chunk.begins && chunk.ends, isa);
      }
    });
  };
  std::int64_t const work = (all_slots + a.rows) * c.first.columns * c.count;
  in_chunks(threads_with_work(work, least_multiply_adds, threads), [&](int chunk, int chunks) {
    multiply(first_row_of_chunk(a.slice_offsets, a.slices, chunk, chunks, a.slice_height),
             first_row_of_chunk(a.slice_offsets, a.slices, chunk + 1, chunks, a.slice_height));
  });
}

[[gnu::used]] static void write_out_sell_spmm() {
  using namespace detail;
  for_types<RealProducts, AllOffsets>(
      []<class A, class X, class Y, class Offset>() { write_out(sell_spmm<A, X, Y, Offset>); });
}

}  // namespace araia::host
