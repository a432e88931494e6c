// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which matrices SpMM on CUDA gives several rows a warp: the kernel's rule and the model's price ask the same.

#include <algorithm>
#include <cstdint>

namespace araia::detail {

/// Rows of up to 8 entries in the mean take one step of csr_spmm_short_rows. Longer ones, up to 32, were measured where
/// the matrix is very sparse and blocks are enough for all multiprocessors; denser layers were not.
/// \param row_bytes  of a row of C, of all items of a batch
constexpr bool has_short_rows(std::int64_t rows, std::int64_t cols, std::int64_t nnz, std::int64_t row_bytes) {
  constexpr std::int64_t one_step = 8;
  constexpr std::int64_t longest_mean = 32;
  constexpr double very_sparse = 0.01;           // density
  constexpr std::int64_t least_row = 32;         // bytes that a row's lanes are good for at least
  constexpr std::int64_t least_bytes = 1 << 20;  // some four blocks of 2 KiB of C a multiprocessor of an H100
  if (nnz <= one_step * rows) return true;
  bool const sparse = static_cast<double>(nnz) <= very_sparse * static_cast<double>(rows) * static_cast<double>(cols);
  return nnz <= longest_mean * rows && sparse && rows >= least_bytes / std::max(least_row, row_bytes);
}

}  // namespace araia::detail
