// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = alpha A B + beta C for a range of rows, A in CSR. Columns of C go in panels of up to 8 registers: a row of a
// panel is summed in registers, each entry of A multiplying a stretch of a row of B. B by columns is summed as in SpMV,
// with the entries of A loaded once for 4 columns. The bits of an entry of C depend on its row of A, its column of B
// and its place in the panel alone, not on the range. Traffic  double, int32: 12 B per entry and panel, panel columns x
// 8 B per entry of B out of cache, C once.

#include "backends/openmp/csr_spmm_rows.hpp"

#include <araia/Araia_Config.hpp>

#include <utility>

#include "backends/openmp/csr_spmm_vectors.hpp"

namespace araia::host::ARAIA_ISA {

namespace {

// Panels are of 8 registers, then of 4, then of the rest. Fewer sizes than 1 to 8 halve the code, and cost at most one
// more pass over a chunk of A, which is in cache.
constexpr int wide_panel = 8;
constexpr int panel = 4;

// Three rows, the unknowns of a node in space, by 8 registers fill 24 of 32.
constexpr int jammed_rows = 3;

constexpr std::int64_t rows_per_chunk = 96;  // a multiple of jammed_rows

// Streams of A are asked for this far ahead, as in SpMV.
constexpr std::int64_t bytes_ahead = 4096;

// Rows of B are asked for this many entries ahead: where neighbouring rows of A use distant ones, where a row of B in
// the panel is four lines or more, and by rows jammed, which share the cost. Elsewhere rows of B are in cache, and the
// requests cost more than they save: 0.85 times the speed on a 27-point stencil by 16 columns of f64.
constexpr std::int64_t entries_ahead = 24;
constexpr std::int64_t distant_bytes = 16384;
constexpr std::int64_t least_panel_bytes_ahead = 256;

inline void prefetch(void const* p, std::int64_t bytes) {
  __builtin_prefetch(
      reinterpret_cast<void const*>(reinterpret_cast<std::uintptr_t>(p) + static_cast<std::uintptr_t>(bytes)));
}

/// A row of A: `length` values from `value` on, at columns[column ...] + shift. Rows that share columns share `column`.
struct Row {
  std::int64_t value;
  std::int64_t column;
  std::int64_t length;
  std::int64_t shift;
  std::int64_t place;  // row of C
  std::int64_t group;  // rows from here on that are computed together: 1, or jammed_rows on the same columns
};

/// Rows of A without the type of their offsets, so that what follows exists once for both.
template <class A>
struct Chunk {
  Row row[rows_per_chunk];
  std::int64_t rows;
  A const* values;  // entry k at k * value_step: absent values are one 1, at step 0
  std::int64_t value_step;
  std::int32_t const* columns;
  std::int64_t last_entry;  // of the whole matrix: columns may be read up to here
};

/// Where and how a panel is read and written.
template <class X>
struct Panel {
  X const* b;  // B at the panel's first column
  std::int64_t b_row_stride;
  X* c;  // likewise
  std::int64_t c_row_stride;
  std::int64_t c_column_stride;
  std::int64_t columns;
  X alpha;
  X beta;
  bool past_cache;
};

template <int Value>
struct Index {
  static constexpr int value = Value;
};

/// f(Index<0>), f(Index<1>), ...: loops over registers are written out by the language, as compilers unroll too late to
/// keep the arrays they run over out of memory.
template <int Count, class F>
[[gnu::always_inline]] inline void each(F const& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) { (f(Index<I>{}), ...); }
  (std::make_integer_sequence<int, Count>{});
}

/// c = line + beta c where the row of C is not contiguous.
template <class X>
[[gnu::noinline]] void scatter_row(X const* line, Panel<X> const& p, X* c) {
  for (std::int64_t j = 0; j < p.columns; ++j) {
    X* const to = c + j * p.c_column_stride;
    *to = p.beta == X(0) ? line[j] : line[j] + p.beta * *to;
  }
}

/// c = alpha sum + beta c for one row of a panel.
template <int Registers, bool Partial, class X, class V>
[[gnu::always_inline]] inline void store_row(V const* sum, Panel<X> const& p, std::int64_t place, std::int64_t rest) {
  using Vec = Vectors<X>;
  X* const c = p.c + place * p.c_row_stride;
  V const alpha = Vec::all(p.alpha);
  V const beta = Vec::all(p.beta);
  if (p.c_column_stride == 1) {
    each<Registers>([&](auto index) __attribute__((always_inline)) {
      constexpr int r = decltype(index)::value;
      constexpr bool part = Partial && r == Registers - 1;
      X* const to = c + r * Vec::width;
      V out = Vec::mul(alpha, sum[r]);
      if (p.beta != X(0)) out = Vec::mul_add(beta, part ? Vec::load(to, rest) : Vec::load(to), out);
      if constexpr (part) {
        Vec::store(to, out, rest);
      } else if (p.past_cache) {
        Vec::store_past_cache(to, out);
      } else {
        Vec::store(to, out);
      }
    });
  } else {
    alignas(64) X line[Registers * Vec::width];
    each<Registers>([&](auto r) __attribute__((always_inline)) {
      Vec::store(line + decltype(r)::value * Vec::width, Vec::mul(alpha, sum[decltype(r)::value]));
    });
    scatter_row(line, p, c);
  }
}

/// Rows rows on the same columns by a panel of Registers registers, the last of them partial where Partial: each
/// stretch of B is loaded once for all rows. Ahead: ask for rows of B.
template <int Rows, int Registers, bool Partial, bool Ahead, class A, class X>
[[gnu::always_inline]] inline void same_columns_by_panel(Chunk<A> const& chunk, Row const* rows, Panel<X> const& p) {
  using Vec = Vectors<X>;
  using V = typename Vec::V;
  // Enough independent sums to cover the latency of a multiply-add: entry k goes to sum k % sums, whatever Rows.
  constexpr int sums = Registers == 1 ? 4 : Registers <= 4 ? 2 : 1;
  std::int64_t const rest = p.columns - (Registers - 1) * Vec::width;  // columns in the last register
  std::int64_t const length = rows[0].length;
  std::int64_t const step = chunk.value_step;
  std::int64_t const stride = p.b_row_stride;
  std::int32_t const* const columns = chunk.columns + rows[0].column;
  X const* const b = p.b + rows[0].shift * stride;
  A const* values[Rows];
  each<Rows>([&](auto q) __attribute__((always_inline)) {
    values[decltype(q)::value] = chunk.values + rows[decltype(q)::value].value * step;
  });
  for (std::int64_t at = 0; at < length * Rows; at += 64 / static_cast<int>(sizeof(A)))
    prefetch(values[0] + at, bytes_ahead);
  if (rows[0].shift == 0)
    for (std::int64_t at = 0; at < length * Rows; at += 16) prefetch(columns + at, bytes_ahead / 2);

  V sum[sums][Rows][Registers];
  each<sums>([&](auto s) __attribute__((always_inline)) {
    each<Rows>([&](auto q) __attribute__((always_inline)) {
      each<Registers>([&](auto r) __attribute__((always_inline)) {
        sum[decltype(s)::value][decltype(q)::value][decltype(r)::value] = Vec::zero();
      });
    });
  });
  std::int64_t const furthest = chunk.last_entry - rows[0].column;
  auto const add_entry = [&](std::int64_t entry, auto s) __attribute__((always_inline)) {
    X const* const from = b + columns[entry] * stride;
    if constexpr (Ahead) {
      constexpr int line = 64 / static_cast<int>(sizeof(X));
      constexpr int lines = (Registers * static_cast<int>(Vec::width) + line - 1) / line;
      std::int64_t later = entry + entries_ahead;
      if (Rows > 1 && later >= length) later += (Rows - 1) * length;  // the other rows' columns are these again
      X const* const next = b + columns[later < furthest ? later : furthest] * stride;
      each<lines>([&](auto r) __attribute__((always_inline)) { prefetch(next + decltype(r)::value * line, 0); });
    }
    V a[Rows];
    each<Rows>([&](auto q) __attribute__((always_inline)) {
      a[decltype(q)::value] = Vec::all(static_cast<X>(values[decltype(q)::value][entry * step]));
    });
    each<Registers>([&](auto index) __attribute__((always_inline)) {
      constexpr int r = decltype(index)::value;
      constexpr bool part = Partial && r == Registers - 1;
      V const x = part ? Vec::load(from + r * Vec::width, rest) : Vec::load(from + r * Vec::width);
      each<Rows>([&](auto q) __attribute__((always_inline)) {
        V& to = sum[decltype(s)::value][decltype(q)::value][r];
        to = Vec::mul_add(a[decltype(q)::value], x, to);
      });
    });
  };
  std::int64_t k = 0;
  for (; k + sums <= length; k += sums)
    each<sums>([&](auto s) __attribute__((always_inline)) { add_entry(k + decltype(s)::value, s); });
  each<sums - 1>([&](auto s) __attribute__((always_inline)) {
    if (k + decltype(s)::value < length) add_entry(k + decltype(s)::value, s);
  });

  each<Rows>([&](auto index) __attribute__((always_inline)) {
    constexpr int q = decltype(index)::value;
    each<Registers>([&](auto index_r) __attribute__((always_inline)) {
      constexpr int r = decltype(index_r)::value;
      if constexpr (sums == 4) {
        sum[0][q][r] = Vec::add(Vec::add(sum[0][q][r], sum[1][q][r]), Vec::add(sum[2][q][r], sum[3][q][r]));
      } else if constexpr (sums == 2) {
        sum[0][q][r] = Vec::add(sum[0][q][r], sum[1][q][r]);
      }
    });
    store_row<Registers, Partial>(sum[0][q], p, rows[q].place, rest);
  });
}

template <class A>
bool same_columns(Chunk<A> const& chunk, Row const& p, Row const& q) {
  if (p.length != q.length || p.shift != q.shift) return false;
  if (p.column == q.column) return true;
  std::int32_t const* const a = chunk.columns + p.column;
  std::int32_t const* const b = chunk.columns + q.column;
  if (p.length == 0 || a[0] != b[0]) return false;
  auto const length = static_cast<std::uint64_t>(p.length);
  return a[length - 1] == b[length - 1] && __builtin_memcmp(a, b, length * sizeof(std::int32_t)) == 0;
}

template <int Registers, bool Partial, bool Ahead, class A, class X>
void rows_by_panel(Chunk<A> const& chunk, Panel<X> const& p) {
  constexpr bool jams =
      Vectors<X>::tuned && jammed_rows * Registers + jammed_rows < static_cast<int>(Vectors<X>::registers);
  for (std::int64_t i = 0; i < chunk.rows;) {
    if (jams && chunk.row[i].group == jammed_rows) {
      same_columns_by_panel<jams ? jammed_rows : 1, Registers, Partial, jams>(chunk, chunk.row + i, p);
      i += jammed_rows;
    } else {
      same_columns_by_panel<1, Registers, Partial, Ahead>(chunk, chunk.row + i, p);
      i += 1;
    }
  }
}

template <int Registers, bool Partial, class A, class X>
void rows_by_panel(Chunk<A> const& chunk, Panel<X> const& p, bool ahead) {
  if constexpr (!Vectors<X>::tuned) {
    rows_by_panel<Registers, Partial, false>(chunk, p);
  } else if (ahead) {
    rows_by_panel<Registers, Partial, true>(chunk, p);
  } else {
    rows_by_panel<Registers, Partial, false>(chunk, p);
  }
}

template <class A, class X>
void rows_by_panel(Chunk<A> const& chunk, Panel<X> const& p, bool ahead) {
  constexpr std::int64_t width = Vectors<X>::width;
  if (p.columns == wide_panel * width) return rows_by_panel<wide_panel, false>(chunk, p, ahead);
  bool const partial = p.columns % width != 0;
  switch ((p.columns + width - 1) / width) {
    case 1: return partial ? rows_by_panel<1, true>(chunk, p, ahead) : rows_by_panel<1, false>(chunk, p, ahead);
    case 2: return partial ? rows_by_panel<2, true>(chunk, p, ahead) : rows_by_panel<2, false>(chunk, p, ahead);
    case 3: return partial ? rows_by_panel<3, true>(chunk, p, ahead) : rows_by_panel<3, false>(chunk, p, ahead);
    default: return partial ? rows_by_panel<4, true>(chunk, p, ahead) : rows_by_panel<4, false>(chunk, p, ahead);
  }
}

/// Columns of the next panel where `left` are left.
template <class X>
std::int64_t panel_columns(std::int64_t left) {
  constexpr std::int64_t width = Vectors<X>::width;
  if (left >= wide_panel * width) return wide_panel * width;
  return left < panel * width ? left : panel * width;
}

/// Whether most rows of A begin far from where the row before begins.
template <class A>
bool uses_distant_rows(Chunk<A> const& chunk, std::int64_t row_bytes) {
  std::int64_t distant = 0;
  std::int64_t before = -1;
  for (std::int64_t i = 0; i < chunk.rows; ++i) {
    Row const& row = chunk.row[i];
    if (row.length == 0) continue;
    std::int64_t const column = chunk.columns[row.column] + row.shift;
    std::int64_t const moved = column < before ? before - column : column - before;
    if (before >= 0 && moved * row_bytes > distant_bytes) ++distant;
    before = column;
  }
  return 2 * distant > chunk.rows;
}

/// B by columns: each of 4 columns summed along the entries, 4 sums a column.
template <bool Block, class A, class X>
void rows_by_columns(Chunk<A> const& chunk, DenseMatrix<X const> const& b, DenseMatrix<X> const& c, X alpha, X beta,
                     std::int64_t first, std::int64_t columns) {
  constexpr int sums = 4;
  constexpr int block = 4;
  std::int64_t const count = Block ? block : columns;
  for (std::int64_t i = 0; i < chunk.rows; ++i) {
    Row const& row = chunk.row[i];
    X sum[sums][block] = {};
    A const* const values = chunk.values + row.value * chunk.value_step;
    std::int32_t const* const cols = chunk.columns + row.column;
    X const* const from = b.data + row.shift * b.row_stride + first * b.column_stride;
    auto const add_entry = [&](std::int64_t k, int s) {
      auto const a = static_cast<X>(values[k * chunk.value_step]);
      X const* const x = from + cols[k] * b.row_stride;
      for (std::int64_t j = 0; j < count; ++j) sum[s][j] += a * x[j * b.column_stride];
    };
    std::int64_t k = 0;
    for (; k + sums <= row.length; k += sums) {
#pragma GCC unroll 4
      for (int s = 0; s < sums; ++s) add_entry(k + s, s);
    }
    for (int s = 0; s < sums - 1 && k < row.length; ++s) add_entry(k++, s);
    for (std::int64_t j = 0; j < count; ++j) {
      X const total = (sum[0][j] + sum[1][j]) + (sum[2][j] + sum[3][j]);
      X* const out = c.data + row.place * c.row_stride + (first + j) * c.column_stride;
      *out = beta == X(0) ? alpha * total : alpha * total + beta * *out;
    }
  }
}

template <class A, class X>
void rows_by_columns(Chunk<A> const& chunk, DenseMatrix<X const> const& b, DenseMatrix<X> const& c, X alpha, X beta) {
  std::int64_t first = 0;
  for (; first + 4 <= b.columns; first += 4) rows_by_columns<true>(chunk, b, c, alpha, beta, first, 4);
  if (first < b.columns) rows_by_columns<false>(chunk, b, c, alpha, beta, first, b.columns - first);
}

/// Fills chunk.row for stored rows [first, first + chunk.rows); `run` is the run of `first`, and moves on.
template <class A, class X, class Offset>
void describe_rows(CsrSpmmRows<A, X, X, Offset> const& in, std::int64_t first, std::int64_t& run, Chunk<A>& chunk) {
  for (std::int64_t i = 0; i < chunk.rows; ++i) {
    std::int64_t const stored = first + i;
    auto const begin = static_cast<std::int64_t>(in.a.row_offsets[stored]);
    Row& row = chunk.row[i];
    row = {.value = begin,
           .column = begin,
           .length = static_cast<std::int64_t>(in.a.row_offsets[stored + 1]) - begin,
           .shift = 0,
           .place = in.a.row_permutation ? static_cast<std::int64_t>(in.a.row_permutation[stored]) : stored,
           .group = 1};
    if (in.runs) {
      while (run + 1 < in.run_count && in.runs[run + 1].first_row <= stored) ++run;
      if (in.runs[run].shift != CsrRowRun::own_columns) {
        row.column = static_cast<std::int64_t>(in.a.row_offsets[in.runs[run].first_row]);
        row.shift = (stored - in.runs[run].first_row) * in.runs[run].shift;
      }
    }
  }
  for (std::int64_t i = 0; i < chunk.rows;) {
    bool jams = i + jammed_rows <= chunk.rows;
    for (int q = 1; jams && q < jammed_rows; ++q) jams = same_columns(chunk, chunk.row[i], chunk.row[i + q]);
    chunk.row[i].group = jams ? jammed_rows : 1;
    i += chunk.row[i].group;
  }
}

template <class A, class X, class Offset>
void rows(CsrSpmmRows<A, X, X, Offset> const& in) {
  static constexpr A one = A(1);
  Chunk<A> chunk;
  chunk.values = in.a.values ? in.a.values : &one;
  chunk.value_step = in.a.values ? 1 : 0;
  chunk.columns = in.a.col_indices;
  chunk.last_entry = static_cast<std::int64_t>(in.a.row_offsets[in.a.rows]) - 1;
  std::int64_t run = 0;
  for (std::int64_t first = in.first_row; first < in.last_row; first += rows_per_chunk) {
    chunk.rows = in.last_row - first < rows_per_chunk ? in.last_row - first : rows_per_chunk;
    describe_rows(in, first, run, chunk);
    if (in.b.column_stride != 1) {
      rows_by_columns(chunk, in.b, in.c, in.alpha, in.beta);
      continue;
    }
    bool const distant = uses_distant_rows(chunk, in.b.columns * static_cast<std::int64_t>(sizeof(X)));
    for (std::int64_t column = 0; column < in.b.columns;) {
      Panel<X> const part{.b = in.b.data + column,
                          .b_row_stride = in.b.row_stride,
                          .c = in.c.data + column * in.c.column_stride,
                          .c_row_stride = in.c.row_stride,
                          .c_column_stride = in.c.column_stride,
                          .columns = panel_columns<X>(in.b.columns - column),
                          .alpha = in.alpha,
                          .beta = in.beta,
                          .past_cache = in.past_cache};
      bool const wide = part.columns * static_cast<std::int64_t>(sizeof(X)) >= least_panel_bytes_ahead;
      rows_by_panel(chunk, part, distant || wide);
      column += part.columns;
    }
  }
  if (in.past_cache) Vectors<X>::finish_past_cache();
}

}  // namespace

void csr_spmm_rows(CsrSpmmRows<double, double, double, std::int32_t> const& args) { rows(args); }
void csr_spmm_rows(CsrSpmmRows<double, double, double, std::int64_t> const& args) { rows(args); }
#ifndef ARAIA_TYPES_MINIMAL
void csr_spmm_rows(CsrSpmmRows<float, float, float, std::int32_t> const& args) { rows(args); }
void csr_spmm_rows(CsrSpmmRows<float, float, float, std::int64_t> const& args) { rows(args); }
void csr_spmm_rows(CsrSpmmRows<float, double, double, std::int32_t> const& args) { rows(args); }
void csr_spmm_rows(CsrSpmmRows<float, double, double, std::int64_t> const& args) { rows(args); }
#endif

}  // namespace araia::host::ARAIA_ISA
