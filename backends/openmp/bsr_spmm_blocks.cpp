// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = alpha A B + beta C for a range of block rows, A in BSR. Columns of C go in panels of registers. Up to four rows
// of a block row are summed in registers together, so that a row of B is loaded once for them, and a column index
// serves the whole block:
//
//     block row   a00 a01 a02 | ...     sums (row, register)   += a_ij * row j of B     3 FMA a load of B
//                 a10 a11 a12 | ...
//                 a20 a21 a22 | ...
//
// Blocks of 2 x 2, 3 x 3 and 4 x 4 of the scalar of B are written out; of others, and where the matrix ends within a
// block, rows go in groups of up to four and a block's columns in a loop. The bits of an entry of C depend on its block
// row, its column of B and its place in the panel alone, not on the range. Fill takes part, slots beyond the matrix do
// not.
//
// Traffic  double, int32: 8 B a slot and 4 B a block; panel columns x 8 B per column of a block out of cache, for all
//          of up to four rows; C once.

#include <araia/detail/formats/type_list.hpp>

#include "backends/openmp/bsr_spmm_blocks.hpp"
#include "backends/openmp/csr_spmm_panel.hpp"
#include "backends/openmp/csr_spmm_prefetch.hpp"

namespace araia::host::ARAIA_ISA {

namespace {

// Rows that are summed together at most.
constexpr int most_rows = 4;

// Block rows that go by one panel before the next panel's turn.
constexpr std::int64_t block_rows_per_chunk = 32;

// Registers of panels. A number between goes by the next one, whose last registers are then the same, which spares
// kernels. Two panels of half the width in place of one would be slower where rows of B are a power of two apart, as
// each falls into half of a cache's sets. On x86-64-v2 three go by four too.
template <class X>
constexpr int widest_panel = Vectors<X>::registers == 32 ? 8 : 4;
template <class X>
constexpr bool is_panel(int registers) {
  return (registers <= 4 && (registers != 3 || !Vectors<X>::few)) ||
         ((registers == 6 || registers == 8) && registers <= widest_panel<X>);
}

/// Rows whose sums fit beside an entry of A for each and a register of B, in groups of even size.
template <class X>
constexpr int rows_of_group(int rows, int registers) {
  int const room = (Vectors<X>::registers == 32 ? 28 : 12) / registers;
  int const most = room < most_rows ? room : most_rows;
  int const groups = (rows + most - 1) / most;
  return (rows + groups - 1) / groups;
}

/// Independent sums of each row, to cover the latency of a multiply-add: column j of a block goes to sum j % sums.
template <int Rows, int Registers>
constexpr int sums_of_rows = Rows* Registers >= 8   ? 1
                             : Rows* Registers >= 4 ? 2
                             : Rows* Registers == 3 ? 3
                                                    : 4;

/// Registers of panels that have a kernel for whole registers alone.
template <int Cols, int Registers>
constexpr bool has_whole = Registers == 1 || (Cols > 0 && (Registers == 2 || Registers == 4 || Registers == 8));

/// Where register R of a panel begins: none reaches beyond the panel, which the last one ends with, so that nothing is
/// masked but in panels of less than a register.
template <class X, int Registers, bool Whole, int R>
[[gnu::always_inline]] inline std::int64_t place_of(Panel<X> const& p) {
  constexpr std::int64_t place = R * Vectors<X>::width;
  if constexpr (Whole || Registers == 1 || R + 2 < Registers || (R + 1 < Registers && is_panel<X>(Registers - 1))) {
    return place;
  } else {
    std::int64_t const last = p.columns - Vectors<X>::width;
    return R + 1 == Registers || last < place ? last : place;
  }
}

/// Rows of C that are not stored as they are: by store_row, whose code is there once for all kernels of so many
/// registers.
template <int Registers, class X, class... Sums>
[[gnu::noinline]] void store_otherwise(Panel<X> const& p, std::int64_t place, Sums... sum) {
  using Vec = Vectors<X>;
  typename Vec::V const total[Registers] = {sum...};
  auto const store = [&](auto registers) {
    constexpr int count = decltype(registers)::value;
    if (p.columns % Vec::width == 0) {
      store_row<count, 0>(total, p, place);
    } else {
      store_row<count, 1>(total, p, place);
    }
  };
  if constexpr (!is_panel<X>(Registers - 1) && Registers > 1)
    if (p.columns <= (Registers - 1) * Vec::width) return store(Index<Registers - 1>{});
  store(Index<Registers>{});
}

/// Register R of a row of C. One that registers before it hold too is stored past the caches once.
template <int Registers, bool Whole, int R, class X, class V>
[[gnu::always_inline]] inline void store_register_of(X* c, V out, Panel<X> const& p, bool past_cache) {
  using Vec = Vectors<X>;
  std::int64_t const at = place_of<X, Registers, Whole, R>(p);
  if (!past_cache) {
    Vec::store(c + at, out);
  } else if (at == R * Vec::width) {
    Vec::store_past_cache(c + at, out);
  }
}

/// c = alpha sum + beta c, or what the epilogue makes of it, for row `place` of C in a panel.
template <bool Whole, class X, class V, int... R>
[[gnu::always_inline]] inline void store_total(V const* total, Panel<X> const& p, std::int64_t place,
                                               std::integer_sequence<int, R...>) {
  using Vec = Vectors<X>;
  constexpr int registers = sizeof...(R);
  if (p.beta != X(0) || p.epilogue || p.c_column_stride != 1 || p.columns < Vec::width)
    return store_otherwise<registers>(p, place, total[R]...);
  X* const c = p.c + place * p.c_row_stride;
  V const alpha = Vec::all(p.alpha);
  bool const past_cache = p.past_cache && p.columns % Vec::width == 0;
  (store_register_of<registers, Whole, R>(c, Vec::mul(alpha, total[R]), p, past_cache), ...);
}

/// Sums of Rows rows of C in a panel: column j of a block goes to sum j % sums. Packs of indices are folded here, as
/// Panel says: with a lambda for each register of each row the unit takes so much longer to compile.
template <class X, int Rows, int Registers, bool Whole>
struct BlockSums {
  using Vec = Vectors<X>;
  using V = typename Vec::V;
  static constexpr int sums = sums_of_rows<Rows, Registers>;
  V sum[Rows][sums][Registers];

  [[gnu::always_inline]] void clear() { clear(Indices<Rows * sums * Registers>{}); }

  /// Adds to sum S a column of a block, whose rows' values are `width` apart, times a row of B.
  template <int S, class A>
  [[gnu::always_inline]] void add(A const* values, std::int64_t width, X const* b, Panel<X> const& p) {
    add<S>(values, width, b, p, Indices<Rows>{}, Indices<Registers>{});
  }

  [[gnu::always_inline]] void store(Panel<X> const& p, std::int64_t first_row) const {
    store(p, first_row, Indices<Rows>{});
  }

 private:
  template <int... I>
  [[gnu::always_inline]] void clear(std::integer_sequence<int, I...>) {
    ((sum[I / Registers / sums][I / Registers % sums][I % Registers] = Vec::zero()), ...);
  }

  template <int S, class A, int... I, int... R>
  [[gnu::always_inline]] void add(A const* values, std::int64_t width, X const* b, Panel<X> const& p,
                                  std::integer_sequence<int, I...> rows, std::integer_sequence<int, R...>) {
    V const a[Rows] = {Vec::all(static_cast<X>(values[I * width]))...};
    (add_register<S, R>(a, load<R>(b, p), rows), ...);
  }

  template <int R>
  [[gnu::always_inline]] static V load(X const* b, Panel<X> const& p) {
    if constexpr (Registers == 1 && !Whole) return Vec::load(b, p.columns);
    return Vec::load(b + place_of<X, Registers, Whole, R>(p));
  }

  template <int S, int R, int... I>
  [[gnu::always_inline]] void add_register(V const* a, V of_b, std::integer_sequence<int, I...>) {
    ((sum[I][S][R] = Vec::mul_add(a[I], of_b, sum[I][S][R])), ...);
  }

  template <int... I>
  [[gnu::always_inline]] void store(Panel<X> const& p, std::int64_t first_row, std::integer_sequence<int, I...>) const {
    (store_row_of<I>(p, first_row + I, Indices<Registers>{}), ...);
  }

  template <int I, int... R>
  [[gnu::always_inline]] void store_row_of(Panel<X> const& p, std::int64_t place,
                                           std::integer_sequence<int, R...> registers) const {
    V const total[Registers] = {total_of<I, R>()...};
    store_total<Whole>(total, p, place, registers);
  }

  template <int I, int R>
  [[gnu::always_inline]] V total_of() const {
    V total = sum[I][0][R];
    if constexpr (sums > 1) total = Vec::add(total, sum[I][1][R]);
    if constexpr (sums > 2) total = Vec::add(total, sum[I][2][R]);
    if constexpr (sums > 3) total = Vec::add(total, sum[I][3][R]);
    return total;
  }
};

/// The blocks of a block row, from one of its rows on.
template <class A>
struct Blocks {
  A const* values;              // of the first block
  std::int32_t const* columns;  // (count)
  std::int64_t count;
  std::int64_t size;           // values of a block
  std::int64_t width;          // columns of a block
  std::int64_t width_of_last;  // those of the last block that lie within the matrix
};

/// Rows of C from `first_row` on by one panel. \tparam Cols  of a block, or 0: blocks.width
template <int Rows, int Cols, int Registers, bool Whole, class A, class X>
[[gnu::always_inline]] inline void rows_by_panel(Blocks<A> const& blocks, Panel<X> const& p, std::int64_t first_row) {
  using Sums = BlockSums<X, Rows, Registers, Whole>;
  Sums sum;
  sum.clear();
  std::int64_t const width = Cols > 0 ? Cols : blocks.width;
  std::int64_t const stride = p.b_row_stride;
  // Prefetched with every block: block rows are too long to be prefetched at once.
  std::int64_t const bytes = Rows * width * static_cast<std::int64_t>(sizeof(A));
  std::int64_t const lines = bytes < 128 ? 1 : (bytes + 31) / 64;
  std::int64_t const whole = blocks.width_of_last == width ? blocks.count : blocks.count - 1;
  A const* values = blocks.values;
  for (std::int64_t k = 0; k < whole; ++k, values += blocks.size) {
    X const* const b = p.b + blocks.columns[k] * width * stride;
    if constexpr (Vectors<X>::tuned)
      for (std::int64_t line = 0; line < lines; ++line) prefetch<Into::l2>(values, bytes_ahead + 64 * line);
    if constexpr (Cols > 0) {
      [&]<int... J>(std::integer_sequence<int, J...>) __attribute__((always_inline)) {
        (sum.template add<J % Sums::sums>(values + J, width, b + J * stride, p), ...);
      }
      (Indices<Cols>{});
    } else {
      each_entry<Sums::sums>(
          width, [&](std::int64_t j, auto s) __attribute__((always_inline)) {
            sum.template add<decltype(s)::value>(values + j, width, b + j * stride, p);
          });
    }
  }
  if (whole < blocks.count) {
    X const* const b = p.b + blocks.columns[whole] * width * stride;
    each_entry<Sums::sums>(
        blocks.width_of_last, [&](std::int64_t j, auto s) __attribute__((always_inline)) {
          sum.template add<decltype(s)::value>(values + j, width, b + j * stride, p);
        });
  }
  sum.store(p, first_row);
}

/// Block rows with offsets without their type, so that the kernels exist once for both.
template <class A>
struct Chunk {
  std::int64_t offset[block_rows_per_chunk + 1];
  std::int64_t block_rows;
  std::int64_t first_row;
  std::int64_t last_row;  // of the matrix at most
  int rows;               // of a block
  int cols;
  std::int64_t matrix_cols;
  bool prefetches;              // see BsrSpmmBlocks
  A const* values;              // of the whole matrix
  std::int32_t const* columns;  // likewise

  /// \pre 0 <= i < block_rows
  [[gnu::always_inline]] inline Blocks<A> blocks(std::int64_t i) const {
    Blocks<A> of{.values = values + offset[i] * rows * cols,
                 .columns = columns + offset[i],
                 .count = offset[i + 1] - offset[i],
                 .size = std::int64_t{rows} * cols,
                 .width = cols,
                 .width_of_last = cols};
    if (of.count > 0) {
      std::int64_t const left = matrix_cols - std::int64_t{of.columns[of.count - 1]} * cols;
      if (left < cols) of.width_of_last = left;
    }
    return of;
  }
};

/// Prefetches the rows of B that block rows after this one will be the first to read.
template <class A, class X>
[[gnu::always_inline]] inline void prefetch_next_rows(Blocks<A> const& blocks, Panel<X> const& p, RowsOfB& rows_of_b) {
  if constexpr (Vectors<X>::tuned) {
    if (blocks.count == 0) return;
    rows_of_b.prefetch_after(p, blocks.columns[blocks.count - 1] * blocks.width + blocks.width_of_last - 1);
  }
}

/// Whole block rows of Size x Size blocks.
template <int Size, int Registers, bool Whole, class A, class X>
[[gnu::noinline]] void squares_by_panel(Chunk<A> const& chunk, Panel<X> const& p, RowsOfB& rows_of_b) {
  constexpr int rows = rows_of_group<X>(Size, Registers);
  static_assert(Size % rows == 0);
  for (std::int64_t i = 0; i < chunk.block_rows; ++i) {
    auto blocks = chunk.blocks(i);
    if (chunk.prefetches) prefetch_next_rows(blocks, p, rows_of_b);
    for (int row = 0; row < Size; row += rows, blocks.values += rows * Size)
      rows_by_panel<rows, Size, Registers, Whole>(blocks, p, chunk.first_row + i * Size + row);
  }
}

/// Block rows of any blocks.
template <int Registers, bool Whole, class A, class X>
[[gnu::noinline]] void groups_by_panel(Chunk<A> const& chunk, Panel<X> const& p, RowsOfB& rows_of_b) {
  for (std::int64_t i = 0; i < chunk.block_rows; ++i) {
    auto blocks = chunk.blocks(i);
    if (chunk.prefetches) prefetch_next_rows(blocks, p, rows_of_b);
    std::int64_t row = chunk.first_row + i * chunk.rows;
    std::int64_t const end = row + chunk.rows < chunk.last_row ? row + chunk.rows : chunk.last_row;
    while (row < end) {
      int const rows = rows_of_group<X>(static_cast<int>(end - row), Registers);
      each<rows_of_group<X>(most_rows, 1)>([&](auto index) __attribute__((always_inline)) {
        constexpr int count = decltype(index)::value + 1;
        if constexpr (count <= rows_of_group<X>(count, Registers))
          if (rows == count) rows_by_panel<count, 0, Registers, Whole>(blocks, p, row);
      });
      blocks.values += rows * blocks.width;
      row += rows;
    }
  }
}

/// f(Index<registers>) for a panel of so many columns.
template <class X, class F>
[[gnu::always_inline]] inline void with_panel(std::int64_t columns, F const& f) {
  std::int64_t registers = (columns + Vectors<X>::width - 1) / Vectors<X>::width;
  if (!is_panel<X>(static_cast<int>(registers))) ++registers;
  each<widest_panel<X>>([&](auto index) __attribute__((always_inline)) {
    constexpr int count = decltype(index)::value + 1;
    if constexpr (is_panel<X>(count))
      if (registers == count) f(Index<count>{});
  });
}

/// Are blocks of this shape written out? Not those of another scalar than B's, which spares kernels.
template <class A, class X>
constexpr bool writes_out = Vectors<X>::tuned && sizeof(A) == sizeof(X);

template <int Size, int Registers, class A, class X>
[[gnu::always_inline]] inline void multiply_squares(Chunk<A> const& chunk, Panel<X> const& p, RowsOfB& rows_of_b) {
  if constexpr (has_whole<Size, Registers>)
    if (p.columns == Registers * Vectors<X>::width) return squares_by_panel<Size, Registers, true>(chunk, p, rows_of_b);
  squares_by_panel<Size, Registers, false>(chunk, p, rows_of_b);
}

template <class A, class X>
void multiply(Chunk<A> const& chunk, Panel<X> const& p, bool squares, RowsOfB& rows_of_b) {
  with_panel<X>(
      p.columns, [&](auto registers) __attribute__((always_inline)) {
        constexpr int count = decltype(registers)::value;
        if constexpr (writes_out<A, X>) {
          if (squares && chunk.rows == 2) return multiply_squares<2, count>(chunk, p, rows_of_b);
          if (squares && chunk.rows == 3) return multiply_squares<3, count>(chunk, p, rows_of_b);
          if (squares && chunk.rows == 4) return multiply_squares<4, count>(chunk, p, rows_of_b);
        }
        if constexpr (has_whole<0, count>)
          if (p.columns == count * Vectors<X>::width) return groups_by_panel<count, true>(chunk, p, rows_of_b);
        groups_by_panel<count, false>(chunk, p, rows_of_b);
      });
}

template <class A, class X, class Offset>
struct Work {
  BsrSpmmBlocks<A, X, X, Offset> const& in;

  void block_rows(std::int64_t first, std::int64_t last, bool squares, RowsOfB& rows_of_b) const {
    Chunk<A> chunk;
    chunk.rows = in.a.block_rows;
    chunk.cols = in.a.block_cols;
    chunk.last_row = in.a.rows;
    chunk.matrix_cols = in.a.cols;
    chunk.prefetches = in.prefetches;
    chunk.values = in.a.values;
    chunk.columns = in.a.block_col_indices;
    for (; first < last; first += block_rows_per_chunk) {
      chunk.block_rows = last - first < block_rows_per_chunk ? last - first : block_rows_per_chunk;
      chunk.first_row = first * in.a.block_rows;
      for (std::int64_t i = 0; i <= chunk.block_rows; ++i)
        chunk.offset[i] = static_cast<std::int64_t>(in.a.block_offsets[first + i]);
      auto const before = rows_of_b;
      each_panel<X>(in, widest_panel<X>, false, [&](Panel<X> const& p) {
        rows_of_b = before;
        multiply(chunk, p, squares, rows_of_b);
      });
    }
  }

  void all() const {
    std::int64_t const entries_of_row = in.a.blocks * in.a.block_cols * in.a.block_rows / in.a.rows;
    RowsOfB rows_of_b(in.b.rows, in.b.columns * static_cast<std::int64_t>(sizeof(X)), entries_of_row);
    bool const squares =
        writes_out<A, X> && in.a.block_rows == in.a.block_cols && in.a.block_rows >= 2 && in.a.block_rows <= most_rows;
    // A block row that the matrix ends in goes by groups.
    std::int64_t const whole = in.a.rows / in.a.block_rows;
    std::int64_t const end = squares && in.last_block_row > whole ? whole : in.last_block_row;
    block_rows(in.first_block_row, end, squares, rows_of_b);
    if (end < in.last_block_row) block_rows(end, in.last_block_row, false, rows_of_b);
  }
};

template <class A, class X, class Offset>
void blocks(BsrSpmmBlocks<A, X, X, Offset> const& in) {
  if (in.first_block_row >= in.last_block_row) return;
  Work<A, X, Offset>{in}.all();
  if (in.past_cache) Vectors<X>::finish_past_cache();
}

}  // namespace

}  // namespace araia::host::ARAIA_ISA

namespace araia::host {

template <Isa level, class A, class X, class Y, class Offset>
void bsr_spmm_blocks(BsrSpmmBlocks<A, X, Y, Offset> const& args) {
  ARAIA_ISA::blocks(args);
}

[[gnu::used]] static void write_out_bsr_spmm_blocks() {
  using namespace detail;
  for_types<RealProducts, AllOffsets>(
      []<class A, class X, class Y, class Offset>() { write_out(bsr_spmm_blocks<Isa::ARAIA_ISA, A, X, Y, Offset>); });
}

}  // namespace araia::host
