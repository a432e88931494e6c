// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One thread's chunk of a product with CachePanels, compiled once for each instruction set. Data and declarations
// alone, as in csr_spmv_rows.hpp.

#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/kernels/epilogue.hpp>
#include <cstdint>

#include "backends/openmp/isa.hpp"

namespace araia::host {

inline constexpr int cache_panel_group = 4;  // rows side by side
inline constexpr std::int64_t most_cache_panel_lines = 6;
inline constexpr std::int64_t cache_line = 64;                            // bytes
inline constexpr std::int64_t cache_panel_bytes = std::int64_t{1} << 15;  // of B, of an L1 of 48 KiB
// Sums of two blocks of 256 rows by 6 lines.
inline constexpr std::int64_t cache_panel_sum_bytes = std::int64_t{200} << 10;
/// What a thread has for itself: sums, a panel, and a row of zeros.
inline constexpr std::int64_t cache_panel_workspace_bytes =
    cache_panel_sum_bytes + cache_panel_bytes + most_cache_panel_lines * cache_line;

/// As CachePanels says.
template <class Scalar>
struct CachePanelsPointers {
  std::int64_t rows;
  std::int64_t cols;
  std::int64_t blocks;
  std::int64_t panels;
  std::int64_t lines;
  std::int64_t panel_cols;
  std::int64_t block_rows;
  std::int64_t const* first_group;
  std::int64_t const* first_slot;
  std::int32_t const* lengths;
  std::uint16_t const* group_rows;
  Scalar const* values;
  std::uint16_t const* places;
  std::int32_t const* permutation;  // or null
};

/// Blocks [first_item, last_item) of the product, counted through the blocks of the first columns of C, then of the
/// next ones.
template <class X>
struct CachePanelsPart {
  CachePanelsPointers<X> a;
  DenseMatrix<X const> b;  // any strides
  DenseMatrix<X> c;        // likewise
  X alpha;
  X beta;
  bool past_cache;  // as in CsrSpmmRows
  std::int64_t first_item;
  std::int64_t last_item;
  EpiloguePointers<X> const* epilogue;  // or null: none
  X* workspace;                         // cache_panel_workspace_bytes, at a line; or null: on the stack
};

template <Isa level, class X>
void cache_panels_part(CachePanelsPart<X> const& args);

}  // namespace araia::host
