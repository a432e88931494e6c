// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Sliced ELL as plain pointers and sizes: what kernels capture and what backends take. No Kokkos here.
//
// Slice s holds h stored rows, first_row(s) .. first_row(s) + h - 1, and three parts (l: row within the slice, W:
// block_width, D: diagonals, L: column steps):
//   values   D diagonal steps, then L column steps of W planes, each h slots side by side:
//            diagonal t at slice_offsets[s] + t h + l, column step t, plane w at slice_offsets[s] + (D + t W + w) h + l
//   columns  one group index g a row and column step; plane w of the step is column g W + w. As `col_indices`, at
//            first_column(s) + t h + l; or as 16-bit words, see below
//   diagonals one d a diagonal step: the slot of matrix row r is column r + d, none where that lies outside the matrix
// Counts follow from the offsets: D from diagonal_offsets, L = (values / h - D) / W.
// Slots past a row's row_lengths, and rows past the last one, are padding: values are 0 and columns inside the matrix,
// so that kernels may add them like entries where a test would cost more (SIMD and CUDA kernels; portable ones do not).
//
// Words (in place of col_indices, q = sizeof(Ordinal) / 2, first word at column_offsets[s]): a slice is narrow if that
// takes fewer words, and wide otherwise. Words are little-endian parts of an index.
//   narrow   L bases of q words, filled up to a multiple of 8 words; then L steps of h offsets: g = base(t) + offset
//   wide     L steps of q planes of h words

#include <cstdint>

namespace araia {

/// SELL. Row i of the arrays is row `row_permutation[i]` of the matrix, or row i where that is null.
template <class Scalar, class Ordinal, class Offset>
struct SellPointers {
  using value_type = Scalar;
  using ordinal_type = Ordinal;
  using size_type = Offset;
  static constexpr int words_per_index = sizeof(Ordinal) / 2;

  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  std::int64_t slices = 0;
  std::int64_t slice_height = 1;                // rows of every slice, of the tallest where slice_rows is set
  std::int64_t fill = 0;                        // slots within rows' lengths and diagonals that hold no entry
  int block_width = 1;                          // 1, 2 or 4
  Ordinal const* slice_rows = nullptr;          // (slices + 1) first stored row of a slice, or null: s slice_height
  Offset const* slice_offsets = nullptr;        // (slices + 1) of values
  Offset const* diagonal_offsets = nullptr;     // (slices + 1), or null: no diagonals
  Offset const* column_offsets = nullptr;       // (slices + 1) of columns or words, or null: they follow
  Ordinal const* diagonals = nullptr;           // ascending within a slice
  Ordinal const* row_lengths = nullptr;         // (rows) column steps of a row
  Ordinal const* col_indices = nullptr;         // column groups, or null: words
  std::uint16_t const* column_words = nullptr;  // or null
  Scalar const* values = nullptr;               // (slots), or null: all ones
  std::uint32_t const* stored_mask = nullptr;   // bit k: slot k holds an entry; null: no fill, or fill is value 0
  Ordinal const* row_permutation = nullptr;     // (rows), or null: identity
};

/// Slice heights up to this make padded sizes that do not wrap before they are compared.
inline constexpr std::int64_t sell_tallest_slice = std::int64_t{1} << 40;

/// Words from a narrow slice's first one to its offsets: its bases, filled up to 16 bytes so that vectors load aligned.
constexpr std::int64_t sell_base_words(std::int64_t steps, int words_per_index) {
  return (steps * words_per_index + 7) / 8 * 8;
}

}  // namespace araia
