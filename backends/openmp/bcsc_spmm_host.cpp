// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/openmp/bcsc_spmm_host.hpp"

#include <algorithm>
#include <araia/detail/formats/type_list.hpp>

#include "backends/openmp/bcsc_spmm_tiles.hpp"
#include "backends/openmp/csr_row_partition.hpp"
#include "backends/openmp/epilogue.hpp"
#include "backends/openmp/panel_columns.hpp"
#include "backends/openmp/past_cache.hpp"
#include "backends/openmp/thread_chunks.hpp"
#include "backends/openmp/with_isa.hpp"

namespace araia::host {

namespace {

// Of an L1 of 32 KiB or more: beside the tile A and rows of B pass through.
constexpr std::int64_t tile_bytes = 24 * 1024;

// Rows of a tile are of so many bytes or of a multiple, where so much is wanted, as lines of B come from memory whole
// and those of C go there so. Blocks too tall for one go in windows of rows.
constexpr std::int64_t line_bytes = 64;

// Where there are fewer blocks than this for each thread, panels and windows of a block are shared out as well.
constexpr std::int64_t blocks_per_thread = 4;

// Block columns and entries that are read at a time.
constexpr std::int64_t most_columns = 128;
constexpr std::int64_t most_entries = 512;

template <class Columns>
void columns_by_isa(Isa isa, Columns const& args) {
  with_isa(isa, [&]<Isa level>() { bcsc_spmm_columns<level>(args); });
}

template <class Tile>
void store_by_isa(Isa isa, Tile const& args) {
  with_isa(isa, [&]<Isa level>() { bcsc_spmm_store<level>(args); });
}

template <class Matrix>
std::int64_t first_row(Matrix const& a, std::int64_t block) {
  return a.block_rows ? std::int64_t{a.block_rows[block]} : std::min(block * a.block_height, a.rows);
}
template <class A, class O, class F>
std::int64_t first_entry(BcscPointers<A, O, F> const& a, std::int64_t block) {
  return a.col_offsets[a.block_offsets[block]];
}
template <class A, class O, class F, class R>
std::int64_t first_entry(BcscCompactPointers<A, O, F, R> const& a, std::int64_t block) {
  return a.entry_offsets[block];
}
template <class A, class O, class F>
std::int64_t count_of(BcscPointers<A, O, F> const& a, std::int64_t column) {
  return a.col_offsets[column + 1] - a.col_offsets[column];
}
template <class A, class O, class F, class R>
std::int64_t count_of(BcscCompactPointers<A, O, F, R> const& a, std::int64_t column) {
  return std::int64_t{a.col_counts[column]} + 1;
}
template <class A, class O, class F>
O matrix_column(BcscPointers<A, O, F> const& a, std::int64_t, std::int64_t column) {
  return a.block_cols[column];
}
template <class A, class O, class F, class R>
O matrix_column(BcscCompactPointers<A, O, F, R> const& a, std::int64_t block, std::int64_t column) {
  return a.col_steps ? static_cast<O>(a.first_cols[block] + a.col_steps[column]) : a.block_cols[column];
}

/// What is before a block: its rows, block columns and entries cost about the same each.
template <class Matrix>
struct WorkBefore {
  Matrix const& a;
  std::int64_t operator[](std::int64_t block) const {
    return first_row(a, block) + std::int64_t{a.block_offsets[block]} + first_entry(a, block);
  }
};

template <class A>
constexpr A one = A(1);

/// The entries of a block, or of a window of its rows, some columns at a time.
template <class Matrix>
class Batches {
  using A = typename Matrix::value_type;
  static constexpr bool is_compact = requires(Matrix const& a) { a.col_counts; };

 public:
  /// \param low,high  rows of the block
  Batches(Matrix const& a, std::int64_t block, std::int64_t low, std::int64_t high, bool all_rows)
      : a_(a),
        block_(block),
        low_(low),
        high_(high),
        all_rows_(all_rows),
        column_(a.block_offsets[block]),
        last_column_(a.block_offsets[block + 1]),
        entry_(first_entry(a, block)),
        end_(column_ < last_column_ ? entry_ + count_of(a, column_) : entry_) {}

  /// Reads the next columns. \return  are there any?
  bool next() {
    count_ = 0;
    if (!all_rows_) {
      read_window();
    } else if constexpr (is_compact) {
      read_compact();
    } else {
      point();
    }
    return count_ > 0;
  }

  /// What was read, for a panel of B.
  template <class X>
  BcscSpmmColumns<A, X> times(DenseMatrix<X const> const& b, X* tile) const {
    return {.columns = columns_,
            .ends = ends_,
            .count = count_,
            .known = count_ + following_,
            .rows = rows_,
            .values = values_,
            .value_step = a_.values ? 1 : 0,
            .b = b,
            .tile = tile};
  }

 private:
  void values_from(std::int64_t entry) { values_ = a_.values ? a_.values + entry : &one<A>; }

  /// The arrays are as the loops want them.
  void point() {
    count_ = std::min(most_columns, last_column_ - column_);
    columns_ = a_.block_cols + column_;
    rows_ = a_.row_in_block + entry_;
    values_from(entry_);
    for (std::int64_t i = 0; i < count_; ++i)
      ends_[i] = static_cast<std::int64_t>(a_.col_offsets[column_ + i + 1]) - entry_;
    column_ += count_;
    following_ = last_column_ - column_;
    if (count_ > 0) entry_ += ends_[count_ - 1];
  }

  void read_compact() {
    std::int64_t entries = 0;
    for (; column_ < last_column_ && count_ < most_columns; ++column_) {
      std::int64_t const of_column = count_of(a_, column_);
      if (entries + of_column > most_entries) break;  // a column has 256 at most
      entries += of_column;
      own_columns_[count_] = matrix_column(a_, block_, column_);
      ends_[count_++] = entries;
    }
    auto const* const rows = a_.row_in_block + entry_;
    for (std::int64_t k = 0; k < entries; ++k) own_rows_[k] = static_cast<std::int32_t>(rows[k]);
    columns_ = own_columns_;
    rows_ = own_rows_;
    values_from(entry_);
    entry_ += entries;
  }

  /// Rows of a column ascend. A column that there is no room for goes on in the next batch.
  void read_window() {
    std::int64_t entries = 0;
    auto const* const rows = a_.row_in_block;
    while (column_ < last_column_ && count_ < most_columns && entries < most_entries) {
      auto const at = [&](std::int64_t row) {
        return std::lower_bound(rows + entry_, rows + end_, row,
                                [](auto of_entry, std::int64_t r) { return std::int64_t{of_entry} < r; }) -
               rows;
      };
      std::int64_t const from = at(low_);
      std::int64_t const to = at(high_);
      std::int64_t const taken = std::min(to - from, most_entries - entries);
      for (std::int64_t k = 0; k < taken; ++k) {
        own_rows_[entries + k] = static_cast<std::int32_t>(rows[from + k] - low_);
        own_values_[entries + k] = a_.values ? a_.values[from + k] : A(1);
      }
      entries += taken;
      if (taken > 0) {
        own_columns_[count_] = matrix_column(a_, block_, column_);
        ends_[count_++] = entries;
      }
      entry_ = from + taken;
      if (entry_ < to) break;
      entry_ = end_;
      if (++column_ < last_column_) end_ += count_of(a_, column_);
    }
    columns_ = own_columns_;
    rows_ = own_rows_;
    values_ = a_.values ? own_values_ : &one<A>;
  }

  Matrix const& a_;
  std::int64_t block_, low_, high_;
  bool all_rows_;
  std::int64_t column_, last_column_;
  std::int64_t entry_;  // that follows
  std::int64_t end_;    // of the column's entries, in a window
  std::int64_t count_ = 0;
  std::int64_t following_ = 0;  // columns after those, where columns_ goes on
  std::int32_t const* columns_ = nullptr;
  std::int32_t const* rows_ = nullptr;
  A const* values_ = nullptr;
  std::int64_t ends_[most_columns];
  std::int32_t own_columns_[most_columns];
  std::int32_t own_rows_[most_entries];
  A own_values_[most_entries];
};

/// One B and C, and one thread's tile.
template <class Matrix, class X>
struct Work {
  Matrix const& a;
  DenseMatrix<X const> b;
  DenseMatrix<X> c;
  X alpha;
  X beta;
  bool past_cache;
  EpiloguePointers<X> const* epilogue;
  Isa isa;
  X* tile;  // tile_bytes

  /// A panel goes through the block before the next one: A's block is read from cache then. Of its tiles, one in
  /// `shares` is done, from number `share` on: which does not change their bits.
  void block(std::int64_t number, std::int64_t share, std::int64_t shares) const {
    std::int64_t const row = first_row(a, number);
    std::int64_t const height = first_row(a, number + 1) - row;
    if (height == 0) return;
    std::int64_t const bytes = register_bytes(isa);
    std::int64_t const width = bytes / static_cast<std::int64_t>(sizeof(X));
    std::int64_t const line = line_bytes / static_cast<std::int64_t>(sizeof(X));
    std::int64_t const widest =
        std::clamp<std::int64_t>(tile_bytes / (height * line_bytes), 1, most_registers_of_tile * bytes / line_bytes);
    std::int64_t turn = 0;
    for (std::int64_t column = 0; column < c.columns;) {
      std::int64_t const columns = panel_columns(c.columns - column, widest, line);
      std::int64_t const row_size = (columns + width - 1) / width * width;
      std::int64_t const at_once = tile_bytes / (row_size * static_cast<std::int64_t>(sizeof(X)));
      for (std::int64_t low = 0; low < height; low += at_once)
        if (turn++ % shares == share)
          window(number, row, low, std::min(height, low + at_once), height <= at_once, column, columns, row_size);
      column += columns;
    }
  }

 private:
  void window(std::int64_t number, std::int64_t row, std::int64_t low, std::int64_t high, bool all_rows,
              std::int64_t column, std::int64_t columns, std::int64_t row_size) const {
    std::fill_n(tile, (high - low) * row_size, X(0));
    DenseMatrix<X const> const panel{b.data + column, b.rows, columns, b.row_stride, 1};
    Batches<Matrix> batches(a, number, low, high, all_rows);
    while (batches.next()) columns_by_isa(isa, batches.times(panel, tile));
    store_by_isa(isa, BcscSpmmTile<X>{.tile = tile,
                                      .rows = high - low,
                                      .columns = columns,
                                      .first_row = row + low,
                                      .row_permutation = a.row_permutation,
                                      .first_column = column,
                                      .c = c,
                                      .alpha = alpha,
                                      .beta = beta,
                                      .past_cache = past_cache,
                                      .epilogue = epilogue});
  }
};

}  // namespace

template <class Matrix, class X, class Y>
void bcsc_spmm(Matrix const& a, Y alpha, DenseBatch<X const> const& b, Y beta, DenseBatch<Y> const& c,
               EpiloguePointers<Y> const& epilogue, int threads, Isa isa) {
  if (a.rows == 0 || c.first.columns == 0) return;
  if (alpha == Y(0) || a.nnz == 0) {
    for (std::int64_t i = 0; i < c.count; ++i) scale(beta, c.item(i), epilogue.item(i));
    return;
  }
  // Up to less than a register of AVX-512 the loops of AVX2 take fewer instructions with a mask, as for a Csr.
  if (isa == Isa::v4 && c.first.columns * static_cast<std::int64_t>(sizeof(X)) < register_bytes(isa)) isa = Isa::v3;
  auto const bytes_read = static_cast<std::int64_t>(sizeof(typename Matrix::value_type)) * a.nnz +
                          static_cast<std::int64_t>(sizeof(X)) * a.cols * c.first.columns * c.count;
  bool const past_cache = beta == Y(0) && goes_past_cache(c, bytes_read);
  WorkBefore<Matrix> const before{a};
  std::int64_t const work = (a.nnz + a.rows) * c.first.columns * c.count;
  in_chunks(threads_with_work(work, least_multiply_adds, threads), [&](int chunk, int chunks) {
    alignas(64) X tile[tile_bytes / sizeof(X)];
    auto const multiply = [&](std::int64_t block, std::int64_t i, std::int64_t share, std::int64_t shares) {
      auto const e = epilogue.item(i);
      Work<Matrix, X>{.a = a,
                      .b = b.item(i),
                      .c = c.item(i),
                      .alpha = alpha,
                      .beta = beta,
                      .past_cache = past_cache,
                      .epilogue = e.any() ? &e : nullptr,
                      .isa = isa,
                      .tile = tile}
          .block(block, share, shares);
    };
    std::int64_t const wanted = chunks > 1 ? blocks_per_thread * chunks : 1;
    if (a.blocks >= wanted) {
      std::int64_t const last = first_row_of_chunk(before, a.blocks, chunk + 1, chunks, 0);
      for (std::int64_t block = first_row_of_chunk(before, a.blocks, chunk, chunks, 0); block < last; ++block)
        for (std::int64_t i = 0; i < c.count; ++i) multiply(block, i, 0, 1);
      return;
    }
    // Few blocks: their items and tiles are dealt out too, one after the other.
    std::int64_t const products = a.blocks * c.count;
    std::int64_t const shares = (wanted + products - 1) / products;
    for (std::int64_t unit = chunk; unit < products * shares; unit += chunks)
      multiply(unit / shares / c.count, unit / shares % c.count, unit % shares, shares);
  });
}

[[gnu::used]] static void write_out_bcsc_spmm() {
  using namespace detail;
  for_types<RealProducts, AllOffsets>([]<class A, class X, class Y, class F>() {
    for_types<ListOf<BcscPointers<A, std::int32_t, F>, BcscCompactPointers<A, std::int32_t, F, std::uint8_t>,
                     BcscCompactPointers<A, std::int32_t, F, std::uint16_t>>>(
        []<class Matrix>() { write_out(bcsc_spmm<Matrix, X, Y>); });
  });
}

}  // namespace araia::host
