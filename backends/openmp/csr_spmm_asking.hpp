// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the host SpMM in CSR order asks for ahead of its use: the streams of A, rows of B and rows of C.

#include <cstdint>

#include "backends/openmp/csr_column_reuse.hpp"
#include "backends/openmp/csr_spmm_panel.hpp"
#include "backends/openmp/isa.hpp"

namespace araia::host::ARAIA_ISA {

// Streams of A are asked for this far ahead, as in SpMV: FEM with rows of 78 entries 1.1 to 1.3 times the speed on
// Zen 5. Rows of more entries than these keep hardware prefetch going, and their requests would fill the buffers: 0.7
// times the speed on rows of 730 entries on Emerald Rapids. Rows that go at once ask one by one: six of 27 points,
// which together are too many, by 8 columns of f64 1.7 times the speed, by 16 1.3 times.
constexpr std::int64_t bytes_ahead = 8192;
constexpr std::int64_t most_entries_asked_for = 128;

// Rows of C that are written in order of length within a chunk are asked for this far ahead: about a chunk. Geometric
// graph, 16 columns, from memory, 1.35 times the speed.
constexpr std::int64_t result_ahead = 12288;

/// Asks for the values of the entries of a row or some short ones, and for their columns.
template <class A>
[[gnu::always_inline]] inline void ask_for_entries(A const* values, std::int32_t const* columns, std::int64_t entries) {
  if (entries > most_entries_asked_for) return;
  for (std::int64_t at = 0; at < entries; at += 64 / static_cast<std::int64_t>(sizeof(A)))
    prefetch<Into::l2>(values + at, bytes_ahead);
  if (columns)
    for (std::int64_t at = 0; at < entries; at += 16) prefetch<Into::l2>(columns + at, bytes_ahead / 2);
}

// Entries that ask for rows of B at once.
constexpr std::int64_t most_asked_at_once = 512;

/// Asks for the rows of B of entries [first, last) of A, as far as there are so many, by the panel's columns.
template <class X>
[[gnu::always_inline]] inline void ask_for_rows_of(Panel<X> const& p, std::int32_t const* columns, std::int64_t first,
                                                   std::int64_t last, std::int64_t entries) {
  auto const bytes = static_cast<std::int64_t>(sizeof(X));
  std::int64_t const stride = p.b_row_stride * bytes;
  std::int64_t const width = p.columns * bytes;
  std::int64_t const end = last < entries ? last : entries;
  for (std::int64_t k = first; k < end; ++k)
    for (std::int64_t at = 0; at < width; at += 64) prefetch<Into::l2>(p.b, columns[k] * stride + at);
}

/// result_ahead in rows of C, by what is written of them.
template <class X>
std::int64_t rows_of_result_ahead(Panel<X> const& p) {
  return result_ahead / (p.columns * static_cast<std::int64_t>(sizeof(X))) + 1;
}

/// Asks for the row of C so many rows after `place`, by the panel's columns.
template <class X>
[[gnu::always_inline]] inline void ask_for_result(Panel<X> const& p, std::int64_t place, std::int64_t rows) {
  auto const bytes = static_cast<std::int64_t>(sizeof(X));
  std::int64_t const first = (place + rows) * p.c_row_stride * bytes;
  for (std::int64_t at = 0; at < p.columns * bytes; at += 64) prefetch<Into::l2>(p.c, first + at);
}

/// Rows of B beyond a front, the farthest column so far or the last: each is asked for before it is read for the first
/// time, where the front moves on from row to row, in one band or by turns in two. Where it does not, nothing is asked
/// for. Rows that were read before are not: they are in cache, or follow their neighbours there.
struct RowsOfB {
  // Bytes between the front and what is asked for, in rows of B within limits. From memory, f64 and f32: 1 KiB 0.6 to 1
  // of the speed of 4 KiB on banded rows of up to 128 bytes on Zen 5, 8 KiB 0.9 to 1.2 there; on Zen 4 8 KiB 1.15 to
  // 1.25 on rows of 128 bytes, 0.95 to 1.05 on shorter ones.
  static constexpr std::int64_t bytes_beyond = 8192;
  static constexpr std::int64_t least_beyond = 16;
  static constexpr std::int64_t most_beyond = 128;
  // On machines of AVX2. Zen 3, from memory: power grid by 8 and 16 columns of f32 1.15 and 1.1 times the speed, of f64
  // 1.07 and 1.0, circuits 1.0 to 1.1, bands 1.0.
  static constexpr std::int64_t bytes_beyond_of_avx2 = 16384;
  static constexpr std::int64_t most_beyond_of_avx2 = 512;
  // Bytes asked for at once, after as many rows of A: more of them wait for each other, fewer cost instructions. Rows
  // of 32 bytes 1.2 to 1.5 times the speed of asking each time, rows of 512 bytes 0.85 if asked for by eight.
  static constexpr std::int64_t bytes_at_once = 512;
  static constexpr std::int64_t most_at_once = 8;
  static constexpr std::int64_t entries_at_once = 64;
  // Rows of B for a row of A at most: random last columns move on unevenly.
  static constexpr std::int64_t most_for_row = 4;

  // A column belongs to a band where it differs from the band's front by at most so many bytes of rows of B, and rows.
  // Those farther off belong to another band, or to none, and would send the front so far ahead that what is asked for
  // has left L2 before it is read: geometric graph whose halves are linked, by 16 columns of f64 from memory 1.4 times
  // the speed.
  static constexpr std::int64_t bytes_of_band = 262144;
  static constexpr std::int64_t least_of_band = 512;
  static constexpr std::int64_t most_of_band = 8192;
  static constexpr std::int64_t nowhere = -(std::int64_t{1} << 40);

  // The front is the farthest column, not that of the last row: where some rows reach farther than others, those are
  // the first to read a row of B. Power grid, whose rows reach up to 1200 on, from memory by 8 columns 5.3 ms -> 2.7.
  // By 20, 24 and 28 columns 8.7 ms -> 6.0, 9.1 -> 4.8 and 10.3 -> 7.1. Longer rows of B wait less for their first
  // line, and what lies that far ahead takes much of L2: there the front is the last column, as asking from the
  // farthest is 0.85 to 0.92 of the speed by 64 and 256 columns.
  static constexpr std::int64_t longest_row_of_farthest = 256;
  struct Band {
    std::int64_t front = nowhere;
    std::int64_t asked = nowhere;  // the last row of B that was asked for
  };

  // Columns of no band count so much against asking, and each of a band a point for it: random columns, which are of
  // one by chance, ask for nothing. Uniform rows that do, 0.9 to 0.95 of the speed.
  static constexpr int against = 4;
  static constexpr int least_against = 32;
  static constexpr int most_against = 64;

  // Where entries ask one by one, it is for the row of B of the entry so far ahead, within limits. Into L2: requests of
  // L1 wait for its few buffers. Loops over random columns and rows of 8 to 24 entries on Zen 4, f32 from memory by 8,
  // 16, 64 and 128 columns: 32 KiB, up to 128 entries, 1.6, 1.6, 1.4 and 1.7 times the speed of not asking, half as far
  // 1.4, 1.2, 1.2 and 1.5, farther the same; into L1 1.0 to 1.3. Rows of changing lengths gain most: what a branch that
  // was not foreseen keeps from being read is on its way by then. So they need not go in order of length, which was 0.7
  // to 0.9 of the speed.
  static constexpr std::int64_t bytes_of_entries_ahead = 32768;
  static constexpr std::int64_t bytes_of_short_ahead = 8192;  // power grids and circuits: 32 KiB 0.95 to 1 of the speed
  static constexpr std::int64_t least_entries_ahead = 16;
  static constexpr std::int64_t most_entries_ahead = 128;

  std::int64_t count;    // rows of B
  std::int64_t beyond;   // rows
  std::int64_t at_once;  // rows of A
  std::int64_t reach;    // of a band, rows
  bool from_farthest;
  AsksEach asks;
  bool in_cache;               // nothing is asked for into L2, of A neither
  std::int64_t entries_ahead;  // where each asks
  Band band;                   // of the last column
  Band other;
  int lost = 0;  // see `against`

  /// \param row_bytes  of B, of what a pass over A reads \param entries  of a row of A, in the mean
  /// \param isa  of the machine
  RowsOfB(std::int64_t rows, std::int64_t row_bytes, std::int64_t entries, AsksEach asks_each = AsksEach::no,
          Isa isa = Isa::generic, bool all_in_cache = false)
      : count(rows),
        beyond(isa == Isa::v3 ? within(least_beyond, bytes_beyond_of_avx2 / row_bytes, most_beyond_of_avx2)
                              : within(least_beyond, bytes_beyond / row_bytes, most_beyond)),
        at_once(within(1, bytes_at_once / row_bytes, within(1, entries_at_once / (entries + 1), most_at_once))),
        reach(row_bytes > longest_row_of_farthest ? least_of_band
                                                  : within(least_of_band, bytes_of_band / row_bytes, most_of_band)),
        from_farthest(row_bytes <= longest_row_of_farthest),
        asks(asks_each),
        in_cache(all_in_cache),
        entries_ahead(within(least_entries_ahead,
                             (asks_each == AsksEach::alone ? bytes_of_short_ahead : bytes_of_entries_ahead) / row_bytes,
                             most_entries_ahead)) {}

  static std::int64_t within(std::int64_t least, std::int64_t wanted, std::int64_t most) {
    return wanted < least ? least : wanted > most ? most : wanted;
  }

  /// Rows that did not ask have come to this column, and all up to `last_asked` are on their way.
  void move_to(std::int64_t column, std::int64_t last_asked) { band = {column, last_asked}; }

  [[nodiscard]] bool is_of_band(std::int64_t column) const {
    return column - band.front <= reach && band.front - column <= reach;
  }

  /// Do entries ask for rows of B one by one?
  [[nodiscard]] bool each_asks() const {
    return asks == AsksEach::yes || asks == AsksEach::alone || (asks == AsksEach::in_no_order && lost >= least_against);
  }

  /// Asks for what comes after the front, `column` being the last of the next rows, by the panel's columns.
  template <class X>
  [[gnu::always_inline]] inline void ask(Panel<X> const& p, std::int64_t column) {
    if (asks == AsksEach::alone) return;
    if (!is_of_band(column)) {
      Band const former = band;
      band = other;
      other = former;
      if (!is_of_band(column)) {
        band = {column, column};
        lost = lost + against < most_against ? lost + against : most_against;
        return;
      }
    }
    if (lost > 0) --lost;
    if (column > band.front || !from_farthest) band.front = column;
    std::int64_t const edge = band.front + beyond < count ? band.front + beyond : count - 1;
    if (edge <= band.asked || lost >= least_against) return;
    std::int64_t rows = edge - band.asked < most_for_row * at_once ? edge - band.asked : most_for_row * at_once;
    std::int64_t const stride = p.b_row_stride * static_cast<std::int64_t>(sizeof(X));
    std::int64_t bytes = p.columns * static_cast<std::int64_t>(sizeof(X));
    std::int64_t first = (band.asked + 1) * stride;
    band.asked += rows;
    if (bytes == stride) {
      bytes *= rows;
      rows = 1;
    }
    for (; rows > 0; --rows, first += stride)
      for (std::int64_t at = 0; at < bytes; at += 64) prefetch<Into::l2>(p.b, first + at);
  }
};

}  // namespace araia::host::ARAIA_ISA
