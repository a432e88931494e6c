// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which matrices csr_spmv_chunk_rows is for: known without a CUDA toolkit, as the model of plans asks for it too.

#include <cstdint>

namespace araia::cuda {

/// Where csr_spmv_chunk_rows beats csr_spmv_equal_chunks: its block goes along a long row alone, and starts one load
/// later. Entries of a row, and of the matrix.
inline constexpr std::int64_t csr_chunk_rows_longest = 4096;
inline constexpr std::int64_t csr_chunk_rows_most_entries = std::int64_t{1} << 18;

/// Is it the better one?
/// \param longest_row  entries, 0: not known
constexpr bool csr_chunk_rows_suits(std::int64_t nnz, std::int64_t longest_row) {
  return longest_row != 0 && longest_row <= csr_chunk_rows_longest && nnz <= csr_chunk_rows_most_entries;
}

}  // namespace araia::cuda
