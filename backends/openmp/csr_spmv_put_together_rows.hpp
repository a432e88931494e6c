// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rows of the host CSR SpMV on their own columns where x is put together. Four rows at a time, their sums in registers
// and added up by one tree; a row goes four entries at a time round two sums of four lanes. At its end it takes x of
// the next row's columns along and leaves it out by a mask, which costs less than a branch on how many are left. For
// csr_spmv_rows.cpp, in the instruction set's namespace.
// Against eight lanes whose sums wait in memory, Zen 5, cycles a row in L2, f64: 7 entries 16 -> 8, 16 24 -> 14, 30
// 40 -> 27, 64 66 -> 52. Tried: every vector masked (no change); eight lanes in registers (rows of 2: 6 -> 13, of 10:
// 11 -> 14, long ones alike); gathers of four (1.3 to 1.4 times the time); plain scalars (1.4 times).

#include <cstdint>

#include "backends/openmp/csr_spmv_four_lanes.hpp"
#include "backends/openmp/csr_spmv_rows.hpp"

namespace araia::host::ARAIA_ISA {

/// \tparam R  Rows of csr_spmv_rows.cpp
template <bool Ones, bool Far, class A, class X, class Y, class Offset, class R>
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

  static void all(R& rows, std::int64_t first, std::int64_t last) {
    auto const& in = rows.in;
    Entries const entries{in.a.values, in.a.col_indices, in.x};
    Offset const* const offsets = in.a.row_offsets;
    std::int64_t const nnz = in.a.nnz;
    rows.store_waiting();
    std::int64_t i = first;
    for (; i + width <= last; i += width) {
      auto const end = static_cast<std::int64_t>(offsets[i + width]);
      // Only the matrix's last rows have no columns after them to read.
      if (end + width <= nnz) {
        group<true>(rows, entries, offsets + i, i, width);
      } else {
        group<false>(rows, entries, offsets + i, i, width);
      }
    }
    if (i < last) group<false>(rows, entries, offsets + i, i, last - i);
    rows.row = last;
  }

 private:
  template <bool ReadsOn>
  [[gnu::always_inline]] static void group(R& rows, Entries const& entries, Offset const* offsets, std::int64_t first,
                                           std::int64_t count) {
    Sum sums[width];
#pragma GCC unroll 4
    for (std::int64_t r = 0; r < width; ++r)
      sums[r] = r < count ? sum_of<ReadsOn>(entries, static_cast<std::int64_t>(offsets[r]),
                                            static_cast<std::int64_t>(offsets[r + 1]))
                          : L::zero();
    rows.template update<L>(first, count, L::sum_up(sums));
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
      ask_ahead(e, k);
      sum = add(sum, e, k, L::load_x(e.x, e.columns + k));
      other = add(other, e, k + width, L::load_x(e.x, e.columns + k + width));
    }
    if (k < end) ask_ahead(e, k);
    sum = L::plus(sum, other);
    if (k + width <= end) {
      sum = add(sum, e, k, L::load_x(e.x, e.columns + k));
      k += width;
    }
    if (k < end) {
      std::int64_t const n = end - k;
      sum = add(sum, e, k, ReadsOn ? L::load_x(e.x, e.columns + k) : L::load_x(e.x, e.columns + k, n), n);
    }
    return sum;
  }

  [[gnu::always_inline]] static void ask_ahead(Entries const& e, std::int64_t k) {
    if constexpr (Far && !Ones) R::prefetch(e.values + k);
    if constexpr (Far) R::prefetch(e.columns + k);
  }
};

}  // namespace araia::host::ARAIA_ISA
