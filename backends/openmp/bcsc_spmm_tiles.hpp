// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The loops of the host BCSC SpMM, compiled once for each instruction set. Data and declarations alone, as in
// csr_spmv_rows.hpp; of no form of BCSC, so that they exist once for all.

#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/kernels/epilogue.hpp>
#include <cstdint>

#include "backends/openmp/isa.hpp"

namespace araia::host {

/// Registers of a tile's row at most: those of a row of B stay in registers.
inline constexpr int most_registers_of_tile = 8;

/// Some columns of a block times their rows of B, added to a tile of C.
template <class A, class X>
struct BcscSpmmColumns {
  std::int32_t const* columns;  // (known) of the matrix
  std::int64_t const* ends;     // (count) of their entries, those of the first begin at 0
  std::int64_t count;
  std::int64_t known;        // columns that follow these are there to be read, to so many in all
  std::int32_t const* rows;  // (entries) of the tile
  A const* values;           // (entries), or a single one
  std::int64_t value_step;   // 1, or 0
  DenseMatrix<X const> b;    // its columns are those of the tile, rows contiguous
  X* tile;                   // (rows, whole registers), aligned to 64 B
};

/// C = act(alpha tile + beta C + bias + R) for the rows and columns of a tile.
template <class X>
struct BcscSpmmTile {
  X const* tile;  // as above
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t first_row;               // stored
  std::int32_t const* row_permutation;  // (stored rows), or null: identity
  std::int64_t first_column;            // of C
  DenseMatrix<X> c;                     // all of it, of any strides
  X alpha;
  X beta;
  bool past_cache;  // C goes to memory without being read first: aligned to 64 B in base and rows, beta == 0
  EpiloguePointers<X> const* epilogue;  // or null: none
};

template <Isa level, class A, class X>
void bcsc_spmm_columns(BcscSpmmColumns<A, X> const& args);
template <Isa level, class X>
void bcsc_spmm_store(BcscSpmmTile<X> const& args);

}  // namespace araia::host
