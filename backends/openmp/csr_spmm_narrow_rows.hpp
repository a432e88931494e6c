// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rows on their own columns: what is known of some neighbours, and their product by a narrow panel.

#include <cstdint>

#include "backends/openmp/csr_spmm_panel.hpp"

namespace araia::host::ARAIA_ISA {

inline constexpr std::int64_t rows_per_chunk = 96;

/// Stored rows on their own columns; offsets without their type, so that the kernels exist once for both.
template <class A>
struct Chunk {
  std::int64_t offset[rows_per_chunk + 1];
  std::int64_t rows;
  bool by_length;                      // rows go in `order`
  std::uint8_t order[rows_per_chunk];  // rows of few entries first
  Values<A> values;                    // of the whole matrix
  std::int32_t const* columns;         // likewise
  std::int64_t end;                    // where the matrix's entries end
  std::int64_t first_row;
  std::int32_t const* permutation;  // of the chunk's rows, or null

  /// Row of C of the chunk's row i.
  [[gnu::always_inline]] inline std::int64_t place(std::int64_t i) const {
    return permutation ? std::int64_t{permutation[i]} : first_row + i;
  }
};

/// What rows of a panel may decide once.
enum class Rows {
  any,
  plain,           ///< A has values, C is contiguous, beta is 0, and there is no epilogue
  plain_in_order,  ///< and they and their places follow one another
};

template <class A, class X>
Rows kind_of(Chunk<A> const& chunk, Panel<X> const& p) {
  if (chunk.values.step != 1 || p.c_column_stride != 1 || p.epilogue || p.beta != X(0)) return Rows::any;
  return chunk.by_length || chunk.permutation ? Rows::plain : Rows::plain_in_order;
}

/// Rows [first, last) of a chunk by a narrow panel of whole registers: the sums of one_row. Loops are written out for
/// rows of few entries, so that nothing is left to decide, and for the last entries of others: with a test for each, as
/// in each_entry, rows of changing lengths mispredict.
template <int Registers, Rows Kind, class A, class X>
[[gnu::always_inline]] inline void narrow_rows(Chunk<A> const& chunk, Panel<X> const& p, std::int64_t first,
                                               std::int64_t last) {
  using Vec = Vectors<X>;
  using V = typename Vec::V;
  constexpr int sums = sums_of<Registers>;
  static_assert(sums == 4 || sums == 2);
  X const* const b = p.b;
  std::int64_t const stride = p.b_row_stride;
  std::int64_t const step = Kind == Rows::any ? chunk.values.step : 1;
  A const* const all_values = chunk.values.data;
  std::int32_t const* const all_columns = chunk.columns;
  bool const past_cache = p.past_cache;
  V const alpha = Vec::all(p.alpha);
  for (std::int64_t i = first; i < last; ++i) {
    std::int64_t const r = Kind == Rows::plain_in_order || !chunk.by_length ? i : std::int64_t{chunk.order[i]};
    std::int64_t const begin = chunk.offset[r];
    std::int64_t const length = chunk.offset[r + 1] - begin;
    A const* const values = all_values + begin * step;
    std::int32_t const* const columns = all_columns + begin;
    RowSums<X, Registers> row;
    row.clear();
    auto const add = [&](std::int64_t k, auto s) __attribute__((always_inline)) {
      row.template add<decltype(s)::value, 0>(Vec::all(static_cast<X>(values[k * step])), b + columns[k] * stride, 0);
    };
    auto const add_all = [&](auto count) __attribute__((always_inline)) {
      each<decltype(count)::value>([&](auto k) __attribute__((always_inline)) {
        add(decltype(k)::value, Index<decltype(k)::value % sums>{});
      });
    };
    switch (length) {
      case 1: add_all(Index<1>{}); break;
      case 2: add_all(Index<2>{}); break;
      case 3: add_all(Index<3>{}); break;
      case 4: add_all(Index<4>{}); break;
      default: {
        std::int64_t k = 0;
        for (; k + sums <= length; k += sums)
          each<sums>([&](auto s) __attribute__((always_inline)) { add(k + decltype(s)::value, s); });
        std::int64_t const rest = length - k;
        if constexpr (sums == 2) {
          if (rest > 0) add(k, Index<0>{});
        } else if (rest >= 2) {
          add(k, Index<0>{});
          add(k + 1, Index<1>{});
          if (rest == 3) add(k + 2, Index<2>{});
        } else if (rest == 1) {
          add(k, Index<0>{});
        }
      }
    }
    V total[Registers];
    row.total(total);
    if constexpr (Kind == Rows::any) {
      store_row<Registers, 0>(total, p, chunk.place(r));
    } else {
      std::int64_t const place = Kind == Rows::plain_in_order ? chunk.first_row + r : chunk.place(r);
      X* const to = p.c + place * p.c_row_stride;
      each<Registers>([&](auto index) __attribute__((always_inline)) {
        constexpr int q = decltype(index)::value;
        V const out = Vec::mul(alpha, total[q]);
        if (past_cache) {
          Vec::store_past_cache(to + q * Vec::width, out);
        } else {
          Vec::store(to + q * Vec::width, out);
        }
      });
    }
  }
}

}  // namespace araia::host::ARAIA_ISA
