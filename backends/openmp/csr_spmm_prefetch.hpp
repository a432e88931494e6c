// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the host SpMM in CSR order prefetches: the streams of A, rows of B and rows of C. What each distance gave:
// docs/lab/host_kernels.md.

#include <cstdint>

#include "backends/openmp/csr_column_reuse.hpp"
#include "backends/openmp/csr_spmm_panel.hpp"
#include "backends/openmp/isa.hpp"

namespace araia::host::ARAIA_ISA {

// The streams of A are prefetched so many bytes ahead, as in SpMV. Rows of more entries keep the hardware's own
// prefetch going, and further requests would fill the buffers. Rows that are multiplied together prefetch one by one,
// as together they are often too long.
constexpr std::int64_t bytes_ahead = 8192;
constexpr std::int64_t most_entries_prefetched = 128;

// Rows of C that are written in order of length within a chunk are prefetched so many bytes ahead, about a chunk.
constexpr std::int64_t result_ahead = 12288;

/// Prefetches the values and the columns of the entries of a row or of some short ones; `columns` may be null.
template <class A>
[[gnu::always_inline]] inline void prefetch_entries(A const* values, std::int32_t const* columns,
                                                    std::int64_t entries) {
  if (entries > most_entries_prefetched) return;
  for (std::int64_t at = 0; at < entries; at += 64 / static_cast<std::int64_t>(sizeof(A)))
    prefetch<Into::l2>(values + at, bytes_ahead);
  if (columns)
    for (std::int64_t at = 0; at < entries; at += 16) prefetch<Into::l2>(columns + at, bytes_ahead / 2);
}

// Entries whose rows of B are prefetched at once, at most.
constexpr std::int64_t most_prefetched_at_once = 512;

/// Prefetches the rows of B of entries [first, last) of A, of which `entries` exist, by the panel's columns.
template <class X>
[[gnu::always_inline]] inline void prefetch_rows_of_b(Panel<X> const& p, std::int32_t const* columns,
                                                      std::int64_t first, std::int64_t last, std::int64_t entries) {
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

/// Prefetches the row of C that is so many rows after `place`, by the panel's columns.
template <class X>
[[gnu::always_inline]] inline void prefetch_result(Panel<X> const& p, std::int64_t place, std::int64_t rows) {
  auto const bytes = static_cast<std::int64_t>(sizeof(X));
  std::int64_t const first = (place + rows) * p.c_row_stride * bytes;
  for (std::int64_t at = 0; at < p.columns * bytes; at += 64) prefetch<Into::l2>(p.c, first + at);
}

/// Prefetches rows of B beyond a front: the farthest column so far, or the last one. Each row is prefetched before it
/// is read for the first time, where the front moves on from row to row, in one band or by turns in two. Where it does
/// not move on, nothing is prefetched. Rows that were read before are in a cache, or follow their neighbours there.
struct RowsOfB {
  // Bytes between the front and what is prefetched, in rows of B within limits.
  static constexpr std::int64_t bytes_beyond = 8192;
  static constexpr std::int64_t least_beyond = 16;
  static constexpr std::int64_t most_beyond = 128;
  // On machines of AVX2.
  static constexpr std::int64_t bytes_beyond_of_avx2 = 16384;
  static constexpr std::int64_t most_beyond_of_avx2 = 512;
  // Bytes that are prefetched at once, after as many rows of A: more of them wait for each other, fewer cost
  // instructions.
  static constexpr std::int64_t bytes_at_once = 512;
  static constexpr std::int64_t most_at_once = 8;
  static constexpr std::int64_t entries_at_once = 64;
  // Rows of B for a row of A at most: random last columns move on unevenly.
  static constexpr std::int64_t most_for_row = 4;

  // A column belongs to a band where it differs from the band's front by at most so many bytes of rows of B, and rows.
  // Columns farther off belong to another band, or to none: they would send the front so far ahead that what is
  // prefetched has left L2 before it is read.
  static constexpr std::int64_t bytes_of_band = 262144;
  static constexpr std::int64_t least_of_band = 512;
  static constexpr std::int64_t most_of_band = 8192;
  static constexpr std::int64_t nowhere = -(std::int64_t{1} << 40);

  // The front is the farthest column: where some rows reach farther than others, those are the first to read a row of
  // B. Longer rows of B wait less for their first line, and what lies that far ahead takes much of L2: there the front
  // is the last column.
  static constexpr std::int64_t longest_row_of_farthest = 256;
  struct Band {
    std::int64_t front = nowhere;
    std::int64_t prefetched = nowhere;  // the last row of B that was prefetched
  };

  // Columns of no band count so much against prefetching, and each of a band a point for it, so that random columns,
  // which are of one by chance, prefetch nothing.
  static constexpr int against = 4;
  static constexpr int least_against = 32;
  static constexpr int most_against = 64;

  // Where entries prefetch one by one, each prefetches the row of B of the entry so far ahead, within limits, into L2:
  // requests of L1 wait for its few buffers. Rows of changing lengths gain most, as a mispredicted branch does not hold
  // back what is on its way; so they need not go in order of length.
  static constexpr std::int64_t bytes_of_entries_ahead = 32768;
  static constexpr std::int64_t bytes_of_short_ahead = 8192;  // where short rows alone prefetch
  static constexpr std::int64_t least_entries_ahead = 16;
  static constexpr std::int64_t most_entries_ahead = 128;

  std::int64_t count;    // rows of B
  std::int64_t beyond;   // rows
  std::int64_t at_once;  // rows of A
  std::int64_t reach;    // of a band, rows
  bool from_farthest;
  EntryPrefetch by_entry;
  bool in_cache;               // nothing is prefetched into L2, of A neither
  std::int64_t entries_ahead;  // where each prefetches
  Band band;                   // of the last column
  Band other;
  int lost = 0;  // see `against`

  /// \param row_bytes  of B, of what a pass over A reads \param entries  of a row of A, in the mean
  /// \param isa  of the machine
  RowsOfB(std::int64_t rows, std::int64_t row_bytes, std::int64_t entries,
          EntryPrefetch entry_prefetch = EntryPrefetch::no, Isa isa = Isa::generic, bool all_in_cache = false)
      : count(rows),
        beyond(isa == Isa::v3 ? within(least_beyond, bytes_beyond_of_avx2 / row_bytes, most_beyond_of_avx2)
                              : within(least_beyond, bytes_beyond / row_bytes, most_beyond)),
        at_once(within(1, bytes_at_once / row_bytes, within(1, entries_at_once / (entries + 1), most_at_once))),
        reach(row_bytes > longest_row_of_farthest ? least_of_band
                                                  : within(least_of_band, bytes_of_band / row_bytes, most_of_band)),
        from_farthest(row_bytes <= longest_row_of_farthest),
        by_entry(entry_prefetch),
        in_cache(all_in_cache),
        entries_ahead(
            within(least_entries_ahead,
                   (entry_prefetch == EntryPrefetch::alone ? bytes_of_short_ahead : bytes_of_entries_ahead) / row_bytes,
                   most_entries_ahead)) {}

  static std::int64_t within(std::int64_t least, std::int64_t wanted, std::int64_t most) {
    return wanted < least ? least : wanted > most ? most : wanted;
  }

  /// Rows that prefetched nothing have come to this column, and all up to `last_prefetched` are on their way.
  void move_to(std::int64_t column, std::int64_t last_prefetched) { band = {column, last_prefetched}; }

  [[nodiscard]] bool is_of_band(std::int64_t column) const {
    return column - band.front <= reach && band.front - column <= reach;
  }

  /// Do entries prefetch rows of B one by one?
  [[nodiscard]] bool entries_prefetch() const {
    return by_entry == EntryPrefetch::yes || by_entry == EntryPrefetch::alone ||
           (by_entry == EntryPrefetch::in_no_order && lost >= least_against);
  }

  /// Prefetches what comes after the front, `column` being the last of the next rows, by the panel's columns.
  template <class X>
  [[gnu::always_inline]] inline void prefetch_after(Panel<X> const& p, std::int64_t column) {
    if (by_entry == EntryPrefetch::alone) return;
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
    if (edge <= band.prefetched || lost >= least_against) return;
    std::int64_t rows =
        edge - band.prefetched < most_for_row * at_once ? edge - band.prefetched : most_for_row * at_once;
    std::int64_t const stride = p.b_row_stride * static_cast<std::int64_t>(sizeof(X));
    std::int64_t bytes = p.columns * static_cast<std::int64_t>(sizeof(X));
    std::int64_t first = (band.prefetched + 1) * stride;
    band.prefetched += rows;
    if (bytes == stride) {
      bytes *= rows;
      rows = 1;
    }
    for (; rows > 0; --rows, first += stride)
      for (std::int64_t at = 0; at < bytes; at += 64) prefetch<Into::l2>(p.b, first + at);
  }
};

}  // namespace araia::host::ARAIA_ISA
