// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rows of B longer than a panel, read whole: some entries of A at once, C's row summed in L1; two or three rows of A at
// once where they share a list of columns as it is, which load a row of B once. Where rows of B are two panels long,
// those go by csr_spmm_group_halves.hpp.
//
//   entries 0..7 of a row of A    line = a0 B[c0, :] + ... + a7 B[c7, :]
//   entries 8..15                 line = line + a8 B[c8, :] + ... + a15 B[c15, :]
//   the last 1 to 8               C = alpha (line + ...), or line, for store_row, where more is to be done to C
//
// Two or three rows at once take entries 0..3, 4..7 and so on.
//
// Panels leave a row of B after a few lines and come back to it, which hardware that foresees streams does not follow,
// and what a panel reads of rows a power of two apart lies in few sets of the caches.
//
// Tried  docs/lab/host_kernels.md.

#include <cstdint>

#include "backends/openmp/csr_spmm_narrow_rows.hpp"
#include "backends/openmp/csr_spmm_panel.hpp"
#include "backends/openmp/csr_spmm_prefetch.hpp"

namespace araia::host::ARAIA_ISA {

// Entries at once of so many rows, as far as registers hold their values and the sums.
template <int Rows>
constexpr int entries_at_once = Rows == 1 ? 8 : 4;
constexpr int most_rows_of_list = 3;

// Of a row of C, beside as much of each row of B.
constexpr std::int64_t bytes_of_tile = 4096;
template <class X>
constexpr int registers_of_tile = static_cast<int>(bytes_of_tile / (Vectors<X>::width * sizeof(X)));
constexpr int registers_of_line = 2;  // of cache, which no two tiles share where C begins one
// From one row's line to the next: not 4 KiB, by which loads are taken for those of what was stored.
template <class X>
constexpr std::int64_t line_stride = (bytes_of_tile + 128) / static_cast<std::int64_t>(sizeof(X));

/// Where sums of entries go.
enum class Target {
  line,             ///< in L1, as more follow or as they are not stored as they are
  row,              ///< of C, times alpha
  row_past_caches,  ///< likewise
};

/// sums = line + a0 B[0] + a1 B[1] + ... of so many neighbours, at least a register of them, for each row; First: line
/// is 0. The last register ends with them and holds neighbours that the one before holds too.
template <bool First, Target To, int Rows, int Count, class X>
[[gnu::always_inline]] inline void add_entries(typename Vectors<X>::V const (&a)[Rows][Count],
                                               X const* const (&b)[Count], std::int64_t columns, X const* line,
                                               X* const (&sums)[Rows], typename Vectors<X>::V alpha) {
  using Vec = Vectors<X>;
  using V = typename Vec::V;
  auto const each_row = [](auto const& f) __attribute__((always_inline)) { each<Rows>(f); };
  auto const add = [&](std::int64_t j, V(&s)[Rows]) __attribute__((always_inline)) {
    each<Count>([&](auto index) __attribute__((always_inline)) {
      constexpr int k = decltype(index)::value;
      V const from = Vec::load(b[k] + j);
      each_row([&](auto row) __attribute__((always_inline)) {
        constexpr int q = decltype(row)::value;
        s[q] = Vec::mul_add(a[q][k], from, s[q]);
      });
    });
    if constexpr (To != Target::line)
      each_row([&](auto row) __attribute__((always_inline)) {
        s[decltype(row)::value] = Vec::mul(alpha, s[decltype(row)::value]);
      });
  };
  auto const load_line = [&](std::int64_t j, V(&s)[Rows]) __attribute__((always_inline)) {
    each_row([&](auto row) __attribute__((always_inline)) {
      constexpr int q = decltype(row)::value;
      s[q] = First ? Vec::zero() : Vec::load(line + q * line_stride<X> + j);
    });
  };
  std::int64_t const rest = columns - Vec::width;
  V last[Rows];
  load_line(rest, last);  // before the loop adds to it
  std::int64_t j = 0;
  for (; j <= rest; j += Vec::width) {
    V s[Rows];
    load_line(j, s);
    add(j, s);
    each_row([&](auto row) __attribute__((always_inline)) {
      constexpr int q = decltype(row)::value;
      if constexpr (To == Target::row_past_caches)
        Vec::store_past_cache(sums[q] + j, s[q]);
      else
        Vec::store(sums[q] + j, s[q]);
    });
  }
  if (j == columns) return;
  add(rest, last);
  each_row([&](auto row) __attribute__((always_inline)) {
    Vec::store(sums[decltype(row)::value] + rest, last[decltype(row)::value]);
  });
}

/// Rows of A on one list of columns, and the rows of B that they multiply.
template <class A, class X>
struct RowsOfList {
  Values<A> values;  // of the first row
  std::int32_t const* columns;
  std::int64_t length;  // entries of each
  X const* b;
  std::int64_t stride;  // of B's rows

  /// `count` entries from k on of each row, 1 to entries_at_once.
  template <bool First, Target To, int Rows, int Count = entries_at_once<Rows>>
  [[gnu::always_inline]] inline void add(std::int64_t k, std::int64_t count, std::int64_t neighbours, X const* line,
                                         X* const (&sums)[Rows], typename Vectors<X>::V alpha) const {
    if constexpr (Count > 1)
      if (count < Count) return add<First, To, Rows, Count - 1>(k, count, neighbours, line, sums, alpha);
    typename Vectors<X>::V a[Rows][Count];
    X const* from[Count];
    each<Count>([&](auto index) __attribute__((always_inline)) {
      constexpr int i = decltype(index)::value;
      from[i] = b + columns[k + i] * stride;
      each<Rows>([&](auto row) __attribute__((always_inline)) {
        constexpr int q = decltype(row)::value;
        a[q][i] = Vectors<X>::all(static_cast<X>(values.data[(q * length + k + i) * values.step]));
      });
    });
    add_entries<First, To>(a, from, neighbours, line, sums, alpha);
  }
};

/// Row `place` of C in a panel from a line of sums, as panels of registers have it.
template <class X>
[[gnu::noinline]] void store_line(X const* line, Panel<X> const& p, std::int64_t place) {
  using Vec = Vectors<X>;
  constexpr int some = 4;
  Panel<X> panel = p;
  for (std::int64_t j = 0; j < p.columns; j += panel.columns) {
    std::int64_t const left = p.columns - j;
    panel.c = p.c + j * p.c_column_stride;
    panel.first_column = p.first_column + j;
    if (left >= some * Vec::width) {
      panel.columns = some * Vec::width;
      typename Vec::V sums[some];
      each<some>([&](auto r) { sums[decltype(r)::value] = Vec::load(line + j + decltype(r)::value * Vec::width); });
      store_row<some, 0>(sums, panel, place);
    } else {
      panel.columns = left < Vec::width ? left : Vec::width;
      typename Vec::V const sum[1] = {Vec::load(line + j, panel.columns)};
      store_row<1, 1>(sum, panel, place);
    }
  }
}

/// As many rows by a panel of at least a register and at most registers_of_tile; place(q): row of C of the q-th.
template <int Rows, Target To, class A, class X, class Place>
[[gnu::always_inline]] inline void add_rows(RowsOfList<A, X> const& rows, Panel<X> const& p, Place const& place) {
  constexpr int at_once = entries_at_once<Rows>;
  alignas(64) X line[Rows * line_stride<X>];
  auto const alpha = Vectors<X>::all(p.alpha);
  X* lines[Rows];
  X* to[Rows];
  each<Rows>([&](auto row) __attribute__((always_inline)) {
    constexpr int q = decltype(row)::value;
    lines[q] = line + q * line_stride<X>;
    to[q] = To == Target::line ? lines[q] : p.c + place(q) * p.c_row_stride;
  });
  std::int64_t const length = rows.length;
  if (length > at_once) {
    rows.template add<true, Target::line, Rows>(0, at_once, p.columns, line, lines, alpha);
    std::int64_t k = at_once;
    for (; k + at_once < length; k += at_once)
      rows.template add<false, Target::line, Rows>(k, at_once, p.columns, line, lines, alpha);
    rows.template add<false, To, Rows>(k, length - k, p.columns, line, to, alpha);
  } else if (length > 0) {
    rows.template add<true, To, Rows>(0, length, p.columns, line, to, alpha);
  } else {
    for (X* const of_row : lines)
      for (std::int64_t j = 0; j < p.columns; ++j) of_row[j] = X(0);
  }
  if (To == Target::line || length == 0)
    for (int q = 0; q < Rows; ++q) store_line(lines[q], p, place(q));
}

/// f(Index<Target>) where rows of the panel's C go.
template <class X, class F>
void with_target(Panel<X> const& p, F const& f) {
  if (p.c_column_stride != 1 || p.epilogue || p.beta != X(0)) return f(Index<static_cast<int>(Target::line)>{});
  if (p.past_cache) return f(Index<static_cast<int>(Target::row_past_caches)>{});
  f(Index<static_cast<int>(Target::row)>{});
}

/// All rows of a chunk, on their own columns. \param ahead  how far entries prefetch a row of B, or 0: they do not, nor
/// do rows of more than most_prefetched_at_once
template <class A, class X>
void whole_rows(Chunk<A> const& chunk, Panel<X> const& panel, std::int64_t ahead) {
  with_target(panel, [&](auto target) {
    Panel<X> const p = panel;
    for (std::int64_t i = 0; i < chunk.rows; ++i) {
      std::int64_t const begin = chunk.offset[i];
      if (ahead > 0 && chunk.offset[i + 1] - begin <= most_prefetched_at_once)
        prefetch_rows_of_b(p, chunk.columns, begin + ahead, chunk.offset[i + 1] + ahead, chunk.end);
      RowsOfList<A, X> const row{chunk.values.from(begin), chunk.columns + begin, chunk.offset[i + 1] - begin, p.b,
                                 p.b_row_stride};
      add_rows<1, static_cast<Target>(decltype(target)::value)>(row, p, [&](int) { return chunk.place(i); });
    }
  });
}

/// `count` rows on one list of columns, from row `first` of C on.
template <class A, class X>
void whole_rows(RowsOfList<A, X> rows, std::int64_t first, std::int64_t count, Panel<X> const& panel) {
  with_target(panel, [&](auto target) {
    Panel<X> const p = panel;
    constexpr auto to = static_cast<Target>(decltype(target)::value);
    auto const by = [&](auto at_once) {
      constexpr int n = decltype(at_once)::value;
      add_rows<n, to>(rows, p, [&](int q) { return first + q; });
      rows.values = rows.values.from(n * rows.length);
      first += n;
      count -= n;
    };
    while (count > 0) {
      std::int64_t const at_once = rows_of_list_at_once(count);
      each<most_rows_of_list>([&](auto index) {
        constexpr int n = decltype(index)::value + 1;
        if (at_once == n) by(Index<n>{});
      });
    }
  });
}

}  // namespace araia::host::ARAIA_ISA
