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

#include "backends/openmp/bsr_spmm_blocks.hpp"

#include <araia/Araia_Config.hpp>

#include "backends/openmp/csr_spmm_asking.hpp"
#include "backends/openmp/csr_spmm_panel.hpp"

namespace araia::host::ARAIA_ISA {

namespace {

// Rows that are summed together at most.
constexpr int most_rows = 4;

// Block rows that go by one panel before the next panel's turn.
constexpr std::int64_t block_rows_per_chunk = 32;

/// Registers of the widest panel: those that hold the sums, beside an entry of A for each row and a register of B.
template <class X, int Rows>
constexpr int widest_panel = (Vectors<X>::registers - 1) / Rows - 1 < 8 ? (Vectors<X>::registers - 1) / Rows - 1 : 8;

/// And of rows that go in groups: few kernels, as there is one for each size of group.
template <class X>
constexpr int widest_panel_of_groups = widest_panel<X, most_rows> < 4 ? widest_panel<X, most_rows> : 4;

/// Independent sums of each row, to cover the latency of a multiply-add: column j of a block goes to sum j % sums.
template <int Rows, int Registers>
constexpr int sums_of_rows = Rows* Registers >= 8   ? 1
                             : Rows* Registers >= 4 ? 2
                             : Rows* Registers == 3 ? 3
                                                    : 4;

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
template <int Rows, int Cols, int Registers, int Part, class A, class X>
[[gnu::always_inline]] inline void rows_by_panel(Blocks<A> const& blocks, Panel<X> const& p, std::int64_t first_row) {
  using Vec = Vectors<X>;
  using V = typename Vec::V;
  constexpr int sums = sums_of_rows<Rows, Registers>;
  V sum[Rows][sums][Registers];
  each<Rows>([&](auto i) __attribute__((always_inline)) {
    each<sums>([&](auto s) __attribute__((always_inline)) {
      each<Registers>([&](auto r) __attribute__((always_inline)) {
        sum[decltype(i)::value][decltype(s)::value][decltype(r)::value] = Vec::zero();
      });
    });
  });
  std::int64_t const width = Cols > 0 ? Cols : blocks.width;
  std::int64_t const stride = p.b_row_stride;
  auto const add = [&](A const* values, X const* b, auto s) __attribute__((always_inline)) {
    V a[Rows];
    each<Rows>([&](auto i) __attribute__((always_inline)) {
      a[decltype(i)::value] = Vec::all(static_cast<X>(values[decltype(i)::value * width]));
    });
    each<Registers>([&](auto index) __attribute__((always_inline)) {
      constexpr int r = decltype(index)::value;
      V const of_b = load_register<Registers, Part, r>(b, p.columns);
      each<Rows>([&](auto i) __attribute__((always_inline)) {
        V& to = sum[decltype(i)::value][decltype(s)::value][r];
        to = Vec::mul_add(a[decltype(i)::value], of_b, to);
      });
    });
  };
  // Asked for with every block: FEM by 16 columns of f64 from memory 1.45 times the speed of asking for block rows, of
  // which those of 27 blocks are too long to be asked for at once.
  std::int64_t const bytes = Rows * width * static_cast<std::int64_t>(sizeof(A));
  std::int64_t const lines = bytes < 128 ? 1 : (bytes + 31) / 64;
  std::int64_t const whole = blocks.width_of_last == width ? blocks.count : blocks.count - 1;
  A const* values = blocks.values;
  for (std::int64_t k = 0; k < whole; ++k, values += blocks.size) {
    X const* const b = p.b + blocks.columns[k] * width * stride;
    if constexpr (Vec::tuned)
      for (std::int64_t line = 0; line < lines; ++line) prefetch<Into::l2>(values, bytes_ahead + 64 * line);
    if constexpr (Cols > 0) {
      each<Cols>([&](auto index) __attribute__((always_inline)) {
        constexpr int j = decltype(index)::value;
        add(values + j, b + j * stride, Index<j % sums>{});
      });
    } else {
      each_entry<sums>(
          width, [&](std::int64_t j, auto s) __attribute__((always_inline)) { add(values + j, b + j * stride, s); });
    }
  }
  if (whole < blocks.count) {
    X const* const b = p.b + blocks.columns[whole] * width * stride;
    each_entry<sums>(
        blocks.width_of_last, [&](std::int64_t j, auto s)
                                  __attribute__((always_inline)) { add(values + j, b + j * stride, s); });
  }
  each<Rows>([&](auto index) __attribute__((always_inline)) {
    constexpr int i = decltype(index)::value;
    V total[Registers];
    each<Registers>([&](auto of) __attribute__((always_inline)) {
      constexpr int r = decltype(of)::value;
      total[r] = sum[i][0][r];
      each<sums - 1>([&](auto s) __attribute__((always_inline)) {
        total[r] = Vec::add(total[r], sum[i][decltype(s)::value + 1][r]);
      });
    });
    store_row<Registers, Part>(total, p, first_row + i);
  });
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

/// Asks for the rows of B that block rows after this one will be the first to read.
template <class A, class X>
[[gnu::always_inline]] inline void ask_for_rows(Blocks<A> const& blocks, Panel<X> const& p, RowsOfB& rows_of_b) {
  if constexpr (Vectors<X>::tuned) {
    if (blocks.count == 0) return;
    rows_of_b.ask(p, blocks.columns[blocks.count - 1] * blocks.width + blocks.width_of_last - 1);
  }
}

/// Whole block rows of Size x Size blocks.
template <int Size, int Registers, int Part, class A, class X>
[[gnu::noinline]] void squares_by_panel(Chunk<A> const& chunk, Panel<X> const& p, RowsOfB& rows_of_b) {
  for (std::int64_t i = 0; i < chunk.block_rows; ++i) {
    auto const blocks = chunk.blocks(i);
    ask_for_rows(blocks, p, rows_of_b);
    rows_by_panel<Size, Size, Registers, Part>(blocks, p, chunk.first_row + i * Size);
  }
}

/// Block rows of any blocks, in as few groups of rows as there can be, of even size.
template <int Registers, int Part, class A, class X>
[[gnu::noinline]] void groups_by_panel(Chunk<A> const& chunk, Panel<X> const& p, RowsOfB& rows_of_b) {
  for (std::int64_t i = 0; i < chunk.block_rows; ++i) {
    auto blocks = chunk.blocks(i);
    ask_for_rows(blocks, p, rows_of_b);
    std::int64_t row = chunk.first_row + i * chunk.rows;
    std::int64_t const end = row + chunk.rows < chunk.last_row ? row + chunk.rows : chunk.last_row;
    while (row < end) {
      std::int64_t const groups = (end - row + most_rows - 1) / most_rows;
      std::int64_t const rows = (end - row + groups - 1) / groups;
      switch (rows) {
        case 1: rows_by_panel<1, 0, Registers, Part>(blocks, p, row); break;
        case 2: rows_by_panel<2, 0, Registers, Part>(blocks, p, row); break;
        case 3: rows_by_panel<3, 0, Registers, Part>(blocks, p, row); break;
        default: rows_by_panel<most_rows, 0, Registers, Part>(blocks, p, row);
      }
      blocks.values += rows * blocks.width;
      row += rows;
    }
  }
}

/// f(Index<registers>, Index<Part of load_register>) for a panel of so many columns, Widest registers at most.
template <class X, int Widest, class F>
[[gnu::always_inline]] inline void with_panel(std::int64_t columns, F const& f) {
  constexpr std::int64_t width = Vectors<X>::width;
  std::int64_t const registers = (columns + width - 1) / width;
  each<Widest>([&](auto index) __attribute__((always_inline)) {
    constexpr int count = decltype(index)::value + 1;
    if (registers != count) return;
    if (columns % width == 0) {
      f(Index<count>{}, Index<0>{});
    } else {
      f(Index<count>{}, Index<1>{});
    }
  });
}

template <class A, class X>
void multiply_squares(Chunk<A> const& chunk, Panel<X> const& p, RowsOfB& rows_of_b) {
  auto const of_size = [&](auto size) __attribute__((always_inline)) {
    constexpr int Size = decltype(size)::value;
    with_panel<X, widest_panel<X, Size>>(
        p.columns, [&](auto registers, auto part) __attribute__((always_inline)) {
          squares_by_panel<Size, decltype(registers)::value, decltype(part)::value>(chunk, p, rows_of_b);
        });
  };
  if (chunk.rows == 2) of_size(Index<2>{});
  if (chunk.rows == 3) of_size(Index<3>{});
  if (chunk.rows == 4) of_size(Index<4>{});
}

template <class A, class X>
void multiply_groups(Chunk<A> const& chunk, Panel<X> const& p, RowsOfB& rows_of_b) {
  with_panel<X, widest_panel_of_groups<X>>(
      p.columns, [&](auto registers, auto part) __attribute__((always_inline)) {
        groups_by_panel<decltype(registers)::value, decltype(part)::value>(chunk, p, rows_of_b);
      });
}

template <class X>
constexpr int widest_panel_of_squares(int size) {
  return size == 2 ? widest_panel<X, 2> : size == 3 ? widest_panel<X, 3> : widest_panel<X, 4>;
}

/// Are blocks of this shape written out? Not those of another scalar than B's: a third of the compile time.
template <class A, class X>
bool are_written_out(int rows, int cols) {
  return Vectors<X>::tuned && sizeof(A) == sizeof(X) && rows == cols && rows >= 2 && rows <= most_rows;
}

template <class A, class X, class Offset>
struct Work {
  BsrSpmmBlocks<A, X, X, Offset> const& in;

  void block_rows(std::int64_t first, std::int64_t last, bool squares, RowsOfB& rows_of_b) const {
    int const widest = squares ? widest_panel_of_squares<X>(in.a.block_rows) : widest_panel_of_groups<X>;
    Chunk<A> chunk;
    chunk.rows = in.a.block_rows;
    chunk.cols = in.a.block_cols;
    chunk.last_row = in.a.rows;
    chunk.matrix_cols = in.a.cols;
    chunk.values = in.a.values;
    chunk.columns = in.a.block_col_indices;
    for (; first < last; first += block_rows_per_chunk) {
      chunk.block_rows = last - first < block_rows_per_chunk ? last - first : block_rows_per_chunk;
      chunk.first_row = first * in.a.block_rows;
      for (std::int64_t i = 0; i <= chunk.block_rows; ++i)
        chunk.offset[i] = static_cast<std::int64_t>(in.a.block_offsets[first + i]);
      auto const before = rows_of_b;
      each_panel<X>(in, widest, false, [&](Panel<X> const& p) {
        rows_of_b = before;
        if constexpr (Vectors<X>::tuned && sizeof(A) == sizeof(X))
          if (squares) return multiply_squares(chunk, p, rows_of_b);
        multiply_groups(chunk, p, rows_of_b);
      });
    }
  }

  void all() const {
    std::int64_t const entries_of_row = in.a.blocks * in.a.block_cols * in.a.block_rows / in.a.rows;
    RowsOfB rows_of_b(in.b.rows, in.b.columns * static_cast<std::int64_t>(sizeof(X)), entries_of_row);
    bool const squares = are_written_out<A, X>(in.a.block_rows, in.a.block_cols);
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

void bsr_spmm_blocks(BsrSpmmBlocks<double, double, double, std::int32_t> const& args) { blocks(args); }
void bsr_spmm_blocks(BsrSpmmBlocks<double, double, double, std::int64_t> const& args) { blocks(args); }
#ifndef ARAIA_TYPES_MINIMAL
void bsr_spmm_blocks(BsrSpmmBlocks<float, float, float, std::int32_t> const& args) { blocks(args); }
void bsr_spmm_blocks(BsrSpmmBlocks<float, float, float, std::int64_t> const& args) { blocks(args); }
void bsr_spmm_blocks(BsrSpmmBlocks<float, double, double, std::int32_t> const& args) { blocks(args); }
void bsr_spmm_blocks(BsrSpmmBlocks<float, double, double, std::int64_t> const& args) { blocks(args); }
#endif

}  // namespace araia::host::ARAIA_ISA
