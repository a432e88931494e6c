// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One chunk of rows of LOBPCG's block kernels, compiled once for each instruction set. Data and declarations alone, as
// in csr_spmv_rows.hpp.

#include <cstdint>
#include "src/kernel/lobpcg_blocks.hpp"

#include "backends/openmp/isa.hpp"

namespace araia::host {

/// Columns of padded coefficients and sums: of a register tile's width.
inline constexpr int lobpcg_tile_columns = 8;
/// Leading dimension of partial Gram matrices: rows of tiles of every instruction set divide it.
constexpr int lobpcg_padded(int columns) { return (columns + 23) / 24 * 24; }
constexpr int lobpcg_padded_columns(int columns) {
  return (columns + lobpcg_tile_columns - 1) / lobpcg_tile_columns * lobpcg_tile_columns;
}

/// Rows [first, last) of a kernel, and where their sums go, which are overwritten.
struct LobpcgChunk {
  std::int64_t first;
  std::int64_t last;
  double* sums;  // gram: G, then H, each (m x m) padded; update: r_squares, ax_squares, x_squares, each
                 // (lobpcg_most_columns); cross: C (x by w), then W'W, padded; subtract: W'W padded
};

/// Coefficients, padded to (padded rows x padded columns): zeros beyond theirs.
struct LobpcgCoefficients {
  double const* c = nullptr;  // leading dimension lobpcg_padded_columns(kx)
  double const* d = nullptr;  // leading dimension lobpcg_padded_columns(kp)
};

template <Isa level, class T>
void lobpcg_gram_rows(detail::LobpcgGram<T> const& of, LobpcgChunk const& chunk);
template <Isa level, class T>
void lobpcg_update_rows(detail::LobpcgUpdate<T> const& of, LobpcgCoefficients const& by, LobpcgChunk const& chunk);
template <Isa level, class T>
void lobpcg_cross_rows(detail::LobpcgCross<T> const& of, LobpcgChunk const& chunk);
template <Isa level, class T>
void lobpcg_subtract_rows(detail::LobpcgSubtract<T> const& of, LobpcgCoefficients const& by, LobpcgChunk const& chunk);

}  // namespace araia::host
