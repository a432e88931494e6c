// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the host SpMM kernels share: a panel of columns of B and C, and rows of C summed in registers.

#include <cstdint>
#include <utility>

#include "backends/openmp/csr_spmm_vectors.hpp"
#include "backends/openmp/epilogue.hpp"
#include "backends/openmp/panel_columns.hpp"
#include "backends/openmp/prefetch.hpp"

namespace araia::host::ARAIA_ISA {

/// Values of A: entry k at k * step. Absent values are one 1, at step 0.
template <class A>
struct Values {
  A const* data;
  std::int64_t step;
  [[nodiscard]] Values from(std::int64_t entry) const { return {data + entry * step, step}; }
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
  bool streams;  // see CsrSpmmRows
  bool past_cache;
  std::int64_t first_column;
  EpiloguePointers<X> const* epilogue;  // or null: none
  bool contiguous_epilogue;             // there is one, and neighbours of C, R and the columns' bias are contiguous
};

/// host::panel_columns in registers of this instruction set.
template <class X>
std::int64_t panel_columns(std::int64_t left, int widest) {
  return host::panel_columns(left, widest, Vectors<X>::width);
}

/// Panel::contiguous_epilogue of a C and its epilogue, null: none.
template <class C, class X>
bool contiguous(C const& c, EpiloguePointers<X> const* e) {
  return e && c.column_stride == 1 && (!e->column_bias || e->column_bias_stride == 1) &&
         (!e->residual || e->residual_column_stride == 1);
}

/// f(panel) for each panel of columns, of `widest` registers at most, all but the last of a multiple of Unit registers.
/// \tparam In  CsrSpmmRows or BsrSpmmBlocks
template <class X, int Unit = 1, class In, class F>
void each_panel(In const& in, int widest, bool streams, F const& f) {
  bool const contiguous_epilogue = contiguous(in.c, in.epilogue);
  for (std::int64_t column = 0; column < in.b.columns;) {
    Panel<X> const panel{.b = in.b.data + column,
                         .b_row_stride = in.b.row_stride,
                         .c = in.c.data + column * in.c.column_stride,
                         .c_row_stride = in.c.row_stride,
                         .c_column_stride = in.c.column_stride,
                         .columns = host::panel_columns(in.b.columns - column, widest / Unit, Unit * Vectors<X>::width),
                         .alpha = in.alpha,
                         .beta = in.beta,
                         .streams = streams,
                         .past_cache = in.past_cache,
                         .first_column = column,
                         .epilogue = in.epilogue,
                         .contiguous_epilogue = contiguous_epilogue};
    f(panel);
    column += panel.columns;
  }
}

/// Rows on one list of columns that go at once, of so many that are left, where at most three do: one alone only where
/// it is all.
constexpr std::int64_t rows_of_list_at_once(std::int64_t left) { return left > 4 || left == 3 ? 3 : left < 2 ? 1 : 2; }

template <int Value>
struct Index {
  static constexpr int value = Value;
};

template <int Count>
using Indices = std::make_integer_sequence<int, Count>;

template <class F, int... I>
[[gnu::always_inline]] inline void each(F const& f, std::integer_sequence<int, I...>) {
  (f(Index<I>{}), ...);
}

/// f(Index<0>), f(Index<1>), ...: loops over registers are written out by the language, as compilers unroll too late to
/// keep the arrays they run over out of memory. What all kernels do for every register folds a pack of indices itself:
/// a lambda for each of them is a function more that the compiler takes through half of its passes.
template <int Count, class F>
[[gnu::always_inline]] inline void each(F const& f) {
  each(f, Indices<Count>{});
}

/// Independent sums of a row in a panel of so many registers: enough to cover the latency of a multiply-add. Entry k of
/// the row goes to sum k % sums_of, in every kernel.
template <int Registers>
inline constexpr int sums_of = Registers == 1   ? 4
                               : Registers <= 7 ? 2
                                                : 1;

template <class Add, int... All, int... Rest>
[[gnu::always_inline]] inline void each_entry(std::int64_t length, Add const& add, std::integer_sequence<int, All...>,
                                              std::integer_sequence<int, Rest...>) {
  std::int64_t k = 0;
  constexpr int sums = sizeof...(All);
  for (; k + sums <= length; k += sums) (add(k + All, Index<All>{}), ...);
  ((k + Rest < length ? add(k + Rest, Index<Rest>{}) : void()), ...);
}

/// add(k, Index<k % sums>) for 0 <= k < length.
template <int Sums, class Add>
[[gnu::always_inline]] inline void each_entry(std::int64_t length, Add const& add) {
  each_entry(length, add, Indices<Sums>{}, Indices<Sums - 1>{});
}

/// A Part of load_register: the last register is whole where B is read, as zeros follow or it ends there, and masked
/// elsewhere.
inline constexpr int padded = -1;

/// Register R of `columns` neighbours from p on, in so many registers. Where Part is not 0 the last one holds the last
/// width / Part of them, which those before may hold too: nothing is masked, and no line is touched for nothing. One
/// register alone takes the first ones by a mask, and so does the last one where B is padded.
template <int Registers, int Part, int R, class X>
[[gnu::always_inline]] inline typename Vectors<X>::V load_register(X const* p, std::int64_t columns) {
  using Vec = Vectors<X>;
  if constexpr (Part == 0 || R < Registers - 1) {
    return Vec::load(p + R * Vec::width);
  } else if constexpr (Part == padded) {
    return Vec::load(p + R * Vec::width, columns - R * Vec::width);
  } else if constexpr (Registers == 1) {
    return Vec::template load_first<Part>(p, columns);
  } else {
    return Vec::template load_last<Part>(p + columns);
  }
}

/// The same the other way. Neighbours that two registers hold are stored twice.
template <int Registers, int Part, int R, class X, class V>
[[gnu::always_inline]] inline void store_register(X* p, V v, std::int64_t columns) {
  using Vec = Vectors<X>;
  if constexpr (Part == 0 || R < Registers - 1) {
    Vec::store(p + R * Vec::width, v);
  } else if constexpr (Part == padded) {
    if (columns == Registers * Vec::width) return Vec::store(p + R * Vec::width, v);
    Vec::store(p + R * Vec::width, v, columns - R * Vec::width);
  } else if constexpr (Registers == 1) {
    Vec::store(p, v, columns);
  } else {
    Vec::template store_last<Part>(p + columns, v);
  }
}

/// The sums of one row in a panel.
template <class X, int Registers>
struct RowSums {
  using Vec = Vectors<X>;
  using V = typename Vec::V;
  static constexpr int sums = sums_of<Registers>;
  V sum[sums][Registers];

  [[gnu::always_inline]] void clear() { clear(Indices<sums * Registers>{}); }

  /// Adds a times `columns` neighbours of B to sum S.
  template <int S, int Part>
  [[gnu::always_inline]] void add(V a, X const* b, std::int64_t columns) {
    add<S, Part == padded ? 0 : Part>(a, b, columns, Indices<Registers>{});
  }

  /// One sum of each register.
  [[gnu::always_inline]] void total(V* out) const { total(out, Indices<Registers>{}); }

 private:
  template <int... I>
  [[gnu::always_inline]] void clear(std::integer_sequence<int, I...>) {
    ((sum[I / Registers][I % Registers] = Vec::zero()), ...);
  }

  template <int S, int Part, int... R>
  [[gnu::always_inline]] void add(V a, X const* b, std::int64_t columns, std::integer_sequence<int, R...>) {
    ((sum[S][R] = Vec::mul_add(a, load_register<Registers, Part, R>(b, columns), sum[S][R])), ...);
  }

  template <int... R>
  [[gnu::always_inline]] void total(V* out, std::integer_sequence<int, R...>) const {
    if constexpr (sums == 4) {
      ((out[R] = Vec::add(Vec::add(sum[0][R], sum[1][R]), Vec::add(sum[2][R], sum[3][R]))), ...);
    } else if constexpr (sums == 2) {
      ((out[R] = Vec::add(sum[0][R], sum[1][R])), ...);
    } else {
      ((out[R] = sum[0][R]), ...);
    }
  }
};

/// c = line + beta c where the row of C is not contiguous.
template <class X>
[[gnu::noinline]] void scatter_row(X const* line, Panel<X> const& p, X* c) {
  for (std::int64_t j = 0; j < p.columns; ++j) {
    X* const to = c + j * p.c_column_stride;
    *to = p.beta == X(0) ? line[j] : line[j] + p.beta * *to;
  }
}

/// The same with an epilogue: c = act(line + beta c + bias + R).
template <class X>
[[gnu::noinline]] void scatter_finished(X const* line, Panel<X> const& p, std::int64_t place, X* c) {
  for (std::int64_t j = 0; j < p.columns; ++j) {
    X* const to = c + j * p.c_column_stride;
    *to = finished(*p.epilogue, place, p.first_column + j, p.beta == X(0) ? line[j] : line[j] + p.beta * *to);
  }
}

/// Do so many registers hold just the columns of a panel? Part 0 says so, other ones leave it open.
template <int Registers, int Part, class X>
[[gnu::always_inline]] inline bool whole_registers(Panel<X> const& p) {
  if constexpr (Part == 0) return true;
  if constexpr (Registers == 1 && Part != padded) return false;
  return (Part == 1 || Part == padded) && p.columns == Registers * Vectors<X>::width;
}

/// out to row c of C, read before: neighbours that two registers hold get one and the same value.
template <int Registers, int Part, class X, class V, int... R>
[[gnu::always_inline]] inline void store_out(V const* out, Panel<X> const& p, X* c, std::integer_sequence<int, R...>) {
  using Vec = Vectors<X>;
  if (p.past_cache && whole_registers<Registers, Part>(p)) {
    (Vec::store_past_cache(c + R * Vec::width, out[R]), ...);
  } else {
    (store_register<Registers, Part, R>(c, out[R], p.columns), ...);
  }
}
template <int Registers, int Part, class X, class V>
[[gnu::always_inline]] inline void store_out(V const* out, Panel<X> const& p, X* c) {
  store_out<Registers, Part>(out, p, c, Indices<Registers>{});
}

/// c = act(out + beta c + bias + R) for row `place` of C in a panel where all neighbours are contiguous.
template <int Registers, int Part, class X, class V>
[[gnu::always_inline]] inline void finish_contiguous(V* out, Panel<X> const& p, std::int64_t place) {
  using Vec = Vectors<X>;
  auto const& e = *p.epilogue;
  X* const c = p.c + place * p.c_row_stride;
  auto const each_neighbour = [&](auto const& f) __attribute__((always_inline)) {
    each<Registers>([&](auto index) __attribute__((always_inline)) {
      constexpr int r = decltype(index)::value;
      f(
          out[r], [&](X const* from)
                      __attribute__((always_inline)) { return load_register<Registers, Part, r>(from, p.columns); });
    });
  };
  if (p.beta != X(0)) {
    auto const beta = Vec::all(p.beta);
    each_neighbour([&](auto& v, auto const& at) __attribute__((always_inline)) { v = Vec::mul_add(beta, at(c), v); });
  }
  if (e.row_bias) {
    auto const bias = Vec::all(e.row_bias[place * e.row_bias_stride]);
    each_neighbour([&](auto& v, auto const&) __attribute__((always_inline)) { v = Vec::add(v, bias); });
  }
  if (e.column_bias) {
    X const* const bias = e.column_bias + p.first_column;
    each_neighbour([&](auto& v, auto const& at) __attribute__((always_inline)) { v = Vec::add(v, at(bias)); });
  }
  if (e.residual) {
    X const* const residual = e.residual + place * e.residual_row_stride + p.first_column;
    each_neighbour([&](auto& v, auto const& at) __attribute__((always_inline)) { v = Vec::add(v, at(residual)); });
  }
  if (e.relu) each_neighbour([&](auto& v, auto const&) __attribute__((always_inline)) { v = Vec::rectified(v); });
  store_out<Registers, Part>(out, p, c);
}

/// Rows of C with an epilogue or with columns that are not contiguous. Sums come in registers, and the code is there
/// once for all kernels of so many.
template <int Registers, int Part, class X, class... Sums>
[[gnu::noinline]] void store_elsewhere(Panel<X> const& p, std::int64_t place, Sums... sum) {
  using Vec = Vectors<X>;
  using V = typename Vec::V;
  X* const c = p.c + place * p.c_row_stride;
  V const alpha = Vec::all(p.alpha);
  V out[Registers] = {Vec::mul(alpha, sum)...};
  if (p.contiguous_epilogue) return finish_contiguous<Registers, Part>(out, p, place);
  alignas(64) X line[Registers * Vec::width];
  each<Registers>([&](auto index) __attribute__((always_inline)) {
    constexpr int r = decltype(index)::value;
    store_register<Registers, Registers == 1 || Part == padded ? 0 : Part, r>(line, out[r], p.columns);
  });
  if (p.epilogue) {
    scatter_finished(line, p, place, c);
  } else {
    scatter_row(line, p, c);
  }
}

template <int Registers, int Part, class X, class V, int... R>
[[gnu::always_inline]] inline void store_row(V const* sum, Panel<X> const& p, std::int64_t place,
                                             std::integer_sequence<int, R...>) {
  using Vec = Vectors<X>;
  if (p.c_column_stride != 1 || p.epilogue) return store_elsewhere<Registers, Part>(p, place, sum[R]...);
  X* const c = p.c + place * p.c_row_stride;
  V const alpha = Vec::all(p.alpha);
  V out[Registers] = {Vec::mul(alpha, sum[R])...};
  if (p.beta != X(0)) {
    V const beta = Vec::all(p.beta);
    ((out[R] = Vec::mul_add(beta, load_register<Registers, Part, R>(c, p.columns), out[R])), ...);
  }
  store_out<Registers, Part>(out, p, c);
}

/// c = alpha sum + beta c, or what the epilogue makes of it, for row `place` of C in a panel.
template <int Registers, int Part, class X, class V>
[[gnu::always_inline]] inline void store_row(V const* sum, Panel<X> const& p, std::int64_t place) {
  store_row<Registers, Part>(sum, p, place, Indices<Registers>{});
}

/// Row `place` of C in a panel, from its sums.
template <int Registers, int Part, class X>
[[gnu::always_inline]] inline void store_total(RowSums<X, Registers> const& row, Panel<X> const& p,
                                               std::int64_t place) {
  typename Vectors<X>::V total[Registers];
  row.total(total);
  store_row<Registers, Part>(total, p, place);
}

}  // namespace araia::host::ARAIA_ISA
