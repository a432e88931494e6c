// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Matrices of dense blocks made by the plainest loops, for kernels that take plain pointers; and the same slot by slot,
// as fill counts as stored.

#include <araia/detail/formats/bsr_pointers.hpp>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "backends/csr_zoo.hpp"

namespace araia::test {

struct BlockPattern {
  std::string name{};
  int block_rows = 1;
  int block_cols = 1;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<std::vector<std::int32_t>> block_columns{};  // of each block row, ascending

  /// Every slot of a block inside the matrix, as an entry.
  [[nodiscard]] ZooPattern slots() const {
    ZooPattern p;
    p.name = name;
    p.cols = cols;
    for (std::int64_t i = 0; i < rows; ++i) {
      std::vector<std::int32_t> columns;
      for (auto const block : block_columns[static_cast<std::size_t>(i / block_rows)])
        for (std::int32_t j = block * block_cols; j < (block + 1) * block_cols && j < cols; ++j) columns.push_back(j);
      p.add_row(columns);
    }
    return p;
  }
};

/// Block rows of up to twice `mean` blocks, every fourth of them empty, one full. The matrix ends inside its last
/// blocks where they are more than one row or column.
inline BlockPattern random_blocks(int block_rows, int block_cols, int down, int across, int mean) {
  std::mt19937 random(5);
  BlockPattern p{.name = std::to_string(block_rows) + " x " + std::to_string(block_cols),
                 .block_rows = block_rows,
                 .block_cols = block_cols,
                 .rows = static_cast<std::int64_t>(down) * block_rows - block_rows / 2,
                 .cols = static_cast<std::int64_t>(across) * block_cols - block_cols / 2};
  for (int i = 0; i < down; ++i) {
    std::vector<std::int32_t> columns;
    std::uint64_t const wanted = i % 4 == 2 ? 0 : random() % static_cast<unsigned>(2 * mean) + 1;
    for (int j = 0; j < across; ++j)
      if (i == 5 || random() % static_cast<unsigned>(across) < wanted) columns.push_back(j);
    p.block_columns.push_back(columns);
  }
  return p;
}

/// A BlockPattern with values and offsets of given types.
template <class A, class Offset>
struct ZooBlocks {
  std::vector<Offset> offsets{0};
  std::vector<std::int32_t> columns;
  std::vector<A> values;
  std::size_t first_element;
  std::int64_t rows, cols, nnz;
  int block_rows, block_cols;

  /// \param m        of p.slots(); its first_element shifts the arrays off their alignment
  /// \param outside  in slots of blocks that the matrix ends in, beyond its last row or column
  ZooBlocks(ZooMatrix<A, Offset> const& m, BlockPattern const& p, A outside = A{})
      : columns(m.first_element, -1),
        values(m.first_element, A(-1e30f)),
        first_element(m.first_element),
        rows(p.rows),
        cols(p.cols),
        nnz(m.pointers().nnz),
        block_rows(p.block_rows),
        block_cols(p.block_cols) {
    for (std::size_t i = 0; i < p.block_columns.size(); ++i) {
      std::int64_t place = 0;  // of the block's first slot among the entries of a row
      for (auto const block : p.block_columns[i]) {
        columns.push_back(block);
        for (int r = 0; r < block_rows; ++r)
          for (int c = 0; c < block_cols; ++c) {
            std::int64_t const row = static_cast<std::int64_t>(i) * block_rows + r;
            bool const inside = row < rows && static_cast<std::int64_t>(block) * block_cols + c < cols;
            values.push_back(
                inside ? m.values[first_element +
                                  static_cast<std::size_t>(m.row_offsets[static_cast<std::size_t>(row)] + place + c)]
                       : outside);
          }
        place += block_cols;
      }
      offsets.push_back(static_cast<Offset>(columns.size() - first_element));
    }
  }

  [[nodiscard]] BsrPointers<A, std::int32_t, Offset> pointers() const {
    return {.rows = rows,
            .cols = cols,
            .nnz = nnz,
            .block_rows = block_rows,
            .block_cols = block_cols,
            .blocks = static_cast<std::int64_t>(columns.size() - first_element),
            .block_offsets = offsets.data(),
            .block_col_indices = columns.data() + first_element,
            .values = values.data() + first_element};
  }
};

}  // namespace araia::test
