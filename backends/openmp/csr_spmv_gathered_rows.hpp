// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rows of the host CSR SpMV on their own columns where gathers are fast. Most come as many at a time as a vector has
// lanes, each summed along its entries, the last of them by a masked gather; very short ones as products first, then a
// lane a row. For csr_spmv_rows.cpp, in the instruction set's namespace.

#include <cstdint>

#include "backends/openmp/csr_spmv_lanes.hpp"
#include "backends/openmp/csr_spmv_rows.hpp"
#include "backends/openmp/csr_spmv_run_lanes.hpp"
#include "backends/openmp/prefetch.hpp"

#if defined(__AVX512F__)

namespace araia::host::ARAIA_ISA {

// Short rows, up to most_short entries, are taken this many at a time: their products are 16 KiB of double, a third of
// L1.
inline constexpr std::int64_t most_short = 32;
inline constexpr std::int64_t short_rows_at_once = 64;

// Longer rows in the mean are worth a loop without masks.
inline constexpr std::int64_t most_masked = 16;

/// \tparam Far  whether the matrix is prefetched: a parameter, as a test in the loops costs time in cache
/// \tparam R    Rows of csr_spmv_rows.cpp, with GatherLanes
template <bool Ones, bool Far, class A, class X, class Y, class R>
struct GatheredRows {
  using L = GatherLanes<A, X, Y>;
  using Sum = typename L::Sum;
  static constexpr std::int64_t width = L::width;

  R& rows;
  OwnRows<A> const& own;
  X const* x;
  std::int64_t first;  // stored row of own's first one

  /// The whole matrix decides, so that a row is summed alike in every range.
  static void all(R& rows, OwnRows<A> const& own, std::int64_t first, std::int64_t count) {
    GatheredRows const gathered{rows, own, rows.in.x, first};
    auto const& a = rows.in.a;
    if (a.nnz <= L::most_mean_length * a.rows) return gathered.short_and_long(count);
    if (a.nnz <= most_masked * a.rows) return gathered.template groups<true>(count);
    return gathered.template groups<false>(count);
  }

  /// A row of any length, whose entries are own's first.
  static void long_row(R& rows, OwnRows<A> const& own, std::int64_t row, std::int64_t length) {
    rows.put(GatheredRows{rows, own, rows.in.x, row}.template sum_of<false>(0, length));
  }

 private:
  [[gnu::always_inline]] static void prefetch_streams(A const* values, std::int32_t const* columns, std::int64_t k) {
    if constexpr (Far && !Ones) R::template prefetch<Prefetch::into_l2>(values + k);
    if constexpr (Far) R::template prefetch<Prefetch::into_l2>(columns + k);
  }

  /// As many rows as lanes at a time, so that the sums stay in registers and no row waits for another. The bits are
  /// those of dot. Masked: the one loop is for rows of few vectors.
  template <bool Masked>
  void groups(std::int64_t count) const {
    rows.store_waiting();
    std::int64_t i = 0;
    for (; i + width <= count; i += width) {
      Sum group[width];
#pragma GCC unroll 8
      for (std::int64_t r = 0; r < width; ++r) {
        std::int64_t const begin = own.offsets[i + r];
        group[r] = sum_of<Masked>(begin, own.offsets[i + r + 1] - begin);
      }
      rows.template update<L>(first + i, width, L::sum_up(group));
    }
    rows.row = first + i;
    for (; i < count; ++i) put_row(i);
  }

  template <bool Masked>
  [[gnu::always_inline]] Sum sum_of(std::int64_t begin, std::int64_t length) const {
    A const* const values = own.values + (Ones ? 0 : begin);
    std::int32_t const* const columns = own.columns + begin;
    Sum sum = L::zero();
    std::int64_t k = 0;
    if constexpr (!Masked)
      for (; k + width <= length; k += width) {
        prefetch_streams(values, columns, k);
        sum = R::template add<Ones>(sum, values + (Ones ? 0 : k), L::load_x(x, columns + k));
      }
    for (; k < length; k += width) {
      prefetch_streams(values, columns, k);
      std::int64_t const n = length - k < width ? length - k : width;
      sum = R::template add<Ones>(sum, values + (Ones ? 0 : k), L::load_x(x, columns + k, n), n);
    }
    return sum;
  }

  void put_row(std::int64_t i) const {
    std::int64_t const begin = own.offsets[i];
    rows.put(sum_of<false>(begin, own.offsets[i + 1] - begin));
  }

  /// Rows of any length, the short ones as products. A row's length alone says how it is summed.
  void short_and_long(std::int64_t count) const {
    for (std::int64_t i = 0; i < count;) {
      std::int64_t const in_turn = count_short(i, count);
      if (in_turn > 0) {
        rows.store_waiting();
        sum_short(i, in_turn);
        i += in_turn;
        rows.row = first + i;
      } else {
        put_row(i);
        ++i;
      }
    }
  }

  /// Rows from i on that are short, at most short_rows_at_once.
  std::int64_t count_short(std::int64_t i, std::int64_t last) const {
    std::int32_t const* const offsets = own.offsets + i;
    if (last - i >= short_rows_at_once) {
      std::int32_t longest = 0;  // a maximum and not a test a row, as compilers make vectors of it
      for (std::int64_t r = 0; r < short_rows_at_once; ++r) {
        std::int32_t const length = offsets[r + 1] - offsets[r];
        longest = length > longest ? length : longest;
      }
      if (longest <= most_short) return short_rows_at_once;
    }
    std::int64_t count = 0;
    while (count < short_rows_at_once && i + count < last && offsets[count + 1] - offsets[count] <= most_short) ++count;
    return count;
  }

  void sum_short(std::int64_t i, std::int64_t count) const {
    constexpr std::int64_t lanes = L::row_width;
    alignas(64) Y products[short_rows_at_once * most_short];
    alignas(64) std::int32_t starts[short_rows_at_once + lanes];  // of the rows, among the products
    std::int32_t const* const offsets = own.offsets + i;
    if (count == short_rows_at_once) {
      for (std::int64_t r = 0; r < short_rows_at_once; ++r) starts[r] = offsets[r] - offsets[0];
    } else {
      for (std::int64_t r = 0; r < count; ++r) starts[r] = offsets[r] - offsets[0];
    }
    std::int32_t const entries = offsets[count] - offsets[0];
    for (std::int64_t r = count; r < count + lanes; ++r) starts[r] = entries;
    A const* const values = own.values + (Ones ? 0 : offsets[0]);
    std::int32_t const* const columns = own.columns + offsets[0];
    std::int64_t k = 0;
    for (; k + lanes <= entries; k += lanes) {
      prefetch_streams(values, columns, k);
      L::template products<Ones>(products + k, values + (Ones ? 0 : k), columns + k, x);
    }
    if (k < entries) L::template products<Ones>(products + k, values + (Ones ? 0 : k), columns + k, x, entries - k);
    for (std::int64_t r = 0; r < count; r += lanes) {
      std::int64_t const in_group = count - r < lanes ? count - r : lanes;
      rows.template update<RunLanes<A, X, Y>>(first + i + r, in_group, L::sum_rows(products, starts + r, in_group));
    }
  }
};

}  // namespace araia::host::ARAIA_ISA

#endif
