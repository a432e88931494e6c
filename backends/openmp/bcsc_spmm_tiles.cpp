// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = alpha A B + beta C, A in BCSC. The rows of a block by a panel of columns are a tile that stays in L1. A row of B
// is loaded once for all entries of its column:
//
//     column j of the block   row 2: a     tile row 2 += a * row j of B     1 load, 1 FMA, 1 store a register
//                             row 5: b     tile row 5 += b * row j of B     row j of B: in up to 8 registers
//
// Then the tile is stored as rows of C. The bits of an entry of C depend on its block and its place in the panel alone.
//
// Traffic  as of the form; panel columns x 8 B per block column out of cache; C once.

#include <araia/detail/formats/type_list.hpp>

#include "backends/openmp/bcsc_spmm_tiles.hpp"
#include "backends/openmp/csr_spmm_panel.hpp"

namespace araia::host::ARAIA_ISA {

namespace {

// Rows of B are prefetched this far ahead, in columns within limits.
constexpr std::int64_t bytes_ahead = 4096;
constexpr std::int64_t least_columns_ahead = 8;
constexpr std::int64_t most_columns_ahead = 16;

template <int Registers, class A, class X>
[[gnu::noinline]] void add_columns(BcscSpmmColumns<A, X> const& in) {
  using Vec = Vectors<X>;
  using V = typename Vec::V;
  std::int64_t const last = in.b.columns - Vec::width;  // what the last register begins with: nothing is masked
  std::int64_t const stride = in.b.row_stride;
  std::int64_t const bytes = in.b.columns * static_cast<std::int64_t>(sizeof(X));
  constexpr std::int64_t wanted = bytes_ahead / (Registers * std::int64_t{sizeof(V)});
  constexpr std::int64_t columns_ahead = wanted < least_columns_ahead  ? least_columns_ahead
                                         : wanted > most_columns_ahead ? most_columns_ahead
                                                                       : wanted;
  X const* const rows_of_b = in.b.data;
  std::int32_t const* const columns = in.columns;
  std::int64_t const* const ends = in.ends;
  std::int32_t const* const rows = in.rows;
  A const* const values = in.values;
  std::int64_t const step = in.value_step;
  X* const tile = in.tile;
  std::int64_t k = 0;
  for (std::int64_t j = 0; j < in.count; ++j) {
    if constexpr (Vec::tuned)
      if (j + columns_ahead < in.known) {
        std::int64_t const ahead = columns[j + columns_ahead] * stride * static_cast<std::int64_t>(sizeof(X));
        for (std::int64_t at = 0; at < bytes; at += 64) prefetch<Into::l1>(rows_of_b, ahead + at);
      }
    X const* const b = rows_of_b + columns[j] * stride;
    V of_b[Registers];
    each<Registers>([&](auto index) __attribute__((always_inline)) {
      constexpr int r = decltype(index)::value;
      if constexpr (r + 1 < Registers) {
        of_b[r] = Vec::load(b + r * Vec::width);
      } else {
        of_b[r] = Registers == 1 && last < 0 ? Vec::load(b, in.b.columns) : Vec::load(b + last);
      }
    });
    for (std::int64_t const end = ends[j]; k < end; ++k) {
      V const a = Vec::all(static_cast<X>(values[k * step]));
      X* const sums = tile + std::int64_t{rows[k]} * (Registers * Vec::width);
      each<Registers>([&](auto index) __attribute__((always_inline)) {
        constexpr int r = decltype(index)::value;
        X* const sum = sums + r * Vec::width;
        Vec::store(sum, Vec::mul_add(a, of_b[r], Vec::load(sum)));
      });
    }
  }
}

template <int Registers, int Part, class X>
void store_rows(BcscSpmmTile<X> const& in, Panel<X> const& p) {
  using Vec = Vectors<X>;
  for (std::int64_t i = 0; i < in.rows; ++i) {
    X const* const from = in.tile + i * Registers * Vec::width;
    typename Vec::V sum[Registers];
    each<Registers>([&](auto r) __attribute__((always_inline)) {
      sum[decltype(r)::value] = Vec::load(from + decltype(r)::value * Vec::width);
    });
    std::int64_t const stored = in.first_row + i;
    store_row<Registers, Part>(sum, p, in.row_permutation ? in.row_permutation[stored] : stored);
  }
}

template <int Registers, class X>
[[gnu::noinline]] void store_tile(BcscSpmmTile<X> const& in) {
  Panel<X> const p{.b = nullptr,
                   .b_row_stride = 0,
                   .c = in.c.data + in.first_column * in.c.column_stride,
                   .c_row_stride = in.c.row_stride,
                   .c_column_stride = in.c.column_stride,
                   .columns = in.columns,
                   .alpha = in.alpha,
                   .beta = in.beta,
                   .streams = false,
                   .past_cache = in.past_cache,
                   .first_column = in.first_column,
                   .epilogue = in.epilogue,
                   .contiguous_epilogue = contiguous(in.c, in.epilogue)};
  if (in.columns % Vectors<X>::width == 0) {
    store_rows<Registers, 0>(in, p);
  } else {
    store_rows<Registers, 1>(in, p);
  }
  if (in.past_cache) Vectors<X>::finish_past_cache();
}

/// f(Index<registers>) for a tile of so many columns.
template <class X, class F>
void with_registers(std::int64_t columns, F const& f) {
  std::int64_t const registers = (columns + Vectors<X>::width - 1) / Vectors<X>::width;
  each<most_registers_of_tile>([&](auto index) __attribute__((always_inline)) {
    constexpr int count = decltype(index)::value + 1;
    if (registers == count) f(Index<count>{});
  });
}

template <class A, class X>
void columns(BcscSpmmColumns<A, X> const& in) {
  with_registers<X>(in.b.columns, [&](auto count) { add_columns<decltype(count)::value>(in); });
}
template <class X>
void store(BcscSpmmTile<X> const& in) {
  with_registers<X>(in.columns, [&](auto count) { store_tile<decltype(count)::value>(in); });
}

}  // namespace

}  // namespace araia::host::ARAIA_ISA

namespace araia::host {

template <Isa level, class A, class X>
void bcsc_spmm_columns(BcscSpmmColumns<A, X> const& args) {
  ARAIA_ISA::columns(args);
}
template <Isa level, class X>
void bcsc_spmm_store(BcscSpmmTile<X> const& args) {
  ARAIA_ISA::store(args);
}

[[gnu::used]] static void write_out_bcsc_spmm_tiles() {
  using namespace detail;
  for_types<RealProducts>([]<class A, class X, class Y>() { write_out(bcsc_spmm_columns<Isa::ARAIA_ISA, A, X>); });
  for_types<Reals>([]<class X>() { write_out(bcsc_spmm_store<Isa::ARAIA_ISA, X>); });
}

}  // namespace araia::host
