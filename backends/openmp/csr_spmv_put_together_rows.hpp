// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rows of the host CSR SpMV on their own columns where x is put together. Four rows at a time, their sums in registers
// and added up by one tree; a row goes four entries at a time round two sums of four lanes. At its end it takes x of
// the next row's columns along and leaves it out by a mask, which costs less than a branch on how many are left.
// Consecutive rows with one entry each, or with two, are vectors of products, or of pairs of them. For
// csr_spmv_rows.cpp, in the instruction set's namespace. What was tried: docs/lab/host_kernels.md.

#include <cstdint>

#include "backends/openmp/csr_spmv_four_lanes.hpp"
#include "backends/openmp/csr_spmv_rows.hpp"
#include "backends/openmp/prefetch.hpp"
#include "backends/openmp/row_lengths.hpp"

namespace araia::host::ARAIA_ISA {

// Where lengths change from row to row each change mispredicts a branch. Rows are then taken so many at a time, unless
// they have more entries: first all their products, 4 KiB of double, whatever the rows, then each row's. A row of up to
// eight entries has the same bits either way, and the longer ones among them are summed as ever; so the choice may go
// by whichever rows come together, and the first rows of so many tell.
inline constexpr std::int64_t batch = 64;
inline constexpr std::int64_t most_products = 512;
inline constexpr std::int64_t rows_judged = 1024;

/// \tparam R  Rows of csr_spmv_rows.cpp
template <bool Ones, Prefetch streams_into, class A, class X, class Y, class R>
struct PutTogetherRows {
  using L = FourLanes<A, X, Y>;
  using Sum = typename L::Sum;
  static constexpr std::int64_t width = L::width;

  /// Copies, which stay in registers: what is behind a reference the compiler reads again entry by entry.
  struct Entries {
    A const* values;
    std::int32_t const* columns;
    X const* x;
  };

  /// \param first  stored row of own's first one
  static void all(R& rows, OwnRows<A> const& own, std::int64_t first, std::int64_t count) {
    Entries const entries{own.values, own.columns, rows.in.x};
    std::int32_t const* const offsets = own.offsets;
    bool const remembered = rows.in.a.nnz <= most_remembered;
    rows.store_waiting();
    for (std::int64_t i = 0; i < count;) {
      std::int64_t const k = offsets[i];
      if (auto const length = offsets[i + 1] - k; length == 1 || length == 2) {
        if (std::int64_t const stop = end_of_alike(offsets, i, count); stop > i) {
          length == 1 ? rows_alike<1>(rows, entries, k, first + i, first + stop)
                      : rows_alike<2>(rows, entries, k, first + i, first + stop);
          i = stop;
          continue;
        }
      }
      std::int64_t const end = i + rows_judged < count ? i + rows_judged : count;
      bool const even = remembered || !uneven<batch, width>(offsets + i, i + batch < end ? batch : end - i);
      while (i < end) {
        std::int64_t const stop = even ? end : i + batch < end ? i + batch : end;
        bool const products = !even && offsets[stop] - offsets[i] <= most_products;
        // Only the matrix's last rows have no columns after them to read.
        bool const reads_on = offsets[stop] + width <= own.entries;
        if (products) {
          reads_on ? by_products<true>(rows, entries, offsets + i, first + i, stop - i)
                   : by_products<false>(rows, entries, offsets + i, first + i, stop - i);
        } else {
          reads_on ? groups<true>(rows, entries, offsets + i, first + i, stop - i)
                   : groups<false>(rows, entries, offsets + i, first + i, stop - i);
        }
        i = stop;
      }
    }
    rows.row = first + count;
  }

  /// A row of any length, whose entries are own's first.
  static void long_row(R& rows, OwnRows<A> const& own, std::int64_t row, std::int64_t length) {
    rows.store_waiting();
    Sum sums[width];
    for (auto& sum : sums) sum = L::zero();
    sums[0] = sum_of<false>({own.values, own.columns, rows.in.x}, 0, length);
    rows.template update<L>(row, 1, L::sum_up(sums));
    rows.row = row + 1;
  }

 private:
  /// Rows from i on that have as many entries as row i, by whole steps.
  static std::int64_t end_of_alike(std::int32_t const* offsets, std::int64_t i, std::int64_t last) {
    constexpr std::int64_t step = 16;
    static_assert(step % width == 0);
    std::int32_t const length = offsets[i + 1] - offsets[i];
    for (; i + step <= last; i += step) {
      bool same = true;
      for (std::int64_t r = i; r < i + step; ++r) same &= offsets[r + 1] - offsets[r] == length;
      if (!same) break;
    }
    return i;
  }

  /// Rows of Length entries each from entry k on: their products, or pairs of them. The same bits as by groups.
  template <int Length>
  static void rows_alike(R& rows, Entries e, std::int64_t k, std::int64_t first, std::int64_t last) {
    for (; first < last; first += width, k += Length * width) {
      prefetch_streams(e, k);
      Sum sum = add(L::zero(), e, k, L::load_x(e.x, e.columns + k));
      if constexpr (Length == 2)
        sum = L::pairs(sum, add(L::zero(), e, k + width, L::load_x(e.x, e.columns + k + width)));
      // Groups add sums of nothing, which makes a zero of either sign the positive one.
      rows.template update<L>(first, width, L::plus(sum, L::zero()));
    }
  }

  /// `count` rows from `first` on, whose offsets are the first of `offsets`.
  template <bool ReadsOn>
  [[gnu::always_inline]] static void groups(R& rows, Entries const& entries, std::int32_t const* offsets,
                                            std::int64_t first, std::int64_t count) {
    std::int64_t i = 0;
    for (; i + width <= count; i += width) group<ReadsOn>(rows, entries, offsets + i, first + i, width);
    if (i < count) group<ReadsOn>(rows, entries, offsets + i, first + i, count - i);
  }

  template <bool ReadsOn>
  [[gnu::always_inline]] static void group(R& rows, Entries const& entries, std::int32_t const* offsets,
                                           std::int64_t first, std::int64_t count) {
    Sum sums[width];
#pragma GCC unroll 4
    for (std::int64_t r = 0; r < width; ++r)
      sums[r] = r < count ? sum_of<ReadsOn>(entries, offsets[r], offsets[r + 1]) : L::zero();
    rows.template update<L>(first, count, L::sum_up(sums));
  }

  /// All products first, whatever the rows; then each row's.
  template <bool ReadsOn>
  static void by_products(R& rows, Entries e, std::int32_t const* offsets, std::int64_t first, std::int64_t count) {
    alignas(64) Y products[most_products + 2 * width];
    std::int64_t const begin = offsets[0];
    std::int64_t const end = offsets[count];
    Y* to = products;
    std::int64_t k = begin;
    for (; k + 2 * width <= end; k += 2 * width) {
      prefetch_streams(e, k);
      L::store(to, add(L::zero(), e, k, L::load_x(e.x, e.columns + k)));
      L::store(to + width, add(L::zero(), e, k + width, L::load_x(e.x, e.columns + k + width)));
      to += 2 * width;
    }
    for (; k < end; k += width) {
      std::int64_t const n = end - k < width ? end - k : width;
      bool const whole = n == width;
      Sum const x = ReadsOn || whole ? L::load_x(e.x, e.columns + k) : L::load_x(e.x, e.columns + k, n);
      L::store(to, whole ? add(L::zero(), e, k, x) : add(L::zero(), e, k, x, n));
      to += width;
    }
    for (std::int64_t i = 0; i < count; i += width) {
      Sum sums[width];
      for (std::int64_t r = 0; r < width; ++r) {
        if (i + r >= count) {
          sums[r] = L::zero();
          continue;
        }
        std::int64_t const from = offsets[i + r];
        std::int64_t const to_entry = offsets[i + r + 1];
        sums[r] = to_entry - from <= 2 * width ? L::load_two(products + (from - begin), to_entry - from)
                                               : sum_of<ReadsOn>(e, from, to_entry);
      }
      rows.template update<L>(first + i, count - i < width ? count - i : width, L::sum_up(sums));
    }
  }

  /// Entries k to k + 3, or n < 4 of them.
  template <class... Count>
  [[gnu::always_inline]] static Sum add(Sum const& sum, Entries const& e, std::int64_t k, Sum const& x, Count... n) {
    if constexpr (Ones) {
      return L::add_ones(sum, x, n...);
    } else {
      return L::add(sum, e.values + k, x, n...);
    }
  }

  /// Entries [k, end), a row.
  template <bool ReadsOn>
  [[gnu::always_inline]] static Sum sum_of(Entries const& e, std::int64_t k, std::int64_t end) {
    Sum sum = L::zero();
    Sum other = L::zero();
    for (; k + 2 * width <= end; k += 2 * width) {
      prefetch_streams(e, k);
      sum = add(sum, e, k, L::load_x(e.x, e.columns + k));
      other = add(other, e, k + width, L::load_x(e.x, e.columns + k + width));
    }
    if (k < end) prefetch_streams(e, k);
    if (k + width <= end) {
      sum = add(sum, e, k, L::load_x(e.x, e.columns + k));
      k += width;
      if (k < end) other = last<ReadsOn>(other, e, k, end - k);
    } else if (k < end) {
      sum = last<ReadsOn>(sum, e, k, end - k);
    }
    return L::plus(sum, other);
  }

  /// The last n < 4 entries of a row.
  template <bool ReadsOn>
  [[gnu::always_inline]] static Sum last(Sum const& sum, Entries const& e, std::int64_t k, std::int64_t n) {
    return add(sum, e, k, ReadsOn ? L::load_x(e.x, e.columns + k) : L::load_x(e.x, e.columns + k, n), n);
  }

  [[gnu::always_inline]] static void prefetch_streams(Entries const& e, std::int64_t k) {
    if constexpr (!Ones) R::template prefetch<streams_into>(e.values + k);
    R::template prefetch<streams_into>(e.columns + k);
  }
};

}  // namespace araia::host::ARAIA_ISA
