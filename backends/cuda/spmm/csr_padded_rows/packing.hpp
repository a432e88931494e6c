// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The packing of padded rows: a Csr whose rows are padded to multiples of eight entries, as
// csr_spmm_padded_row_per_warp reads them.

#include <araia/detail/formats/pointers.hpp>
#include <cstdint>
#include <vector>

namespace araia::cuda {

inline constexpr std::int64_t padded_entries = 8;

/// On the host, as CsrPointers describes it; padding has column -1 and value 0.
template <class T>
struct PaddedRows {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;                   // of the matrix, padding apart
  std::vector<std::int32_t> row_offsets;  // (rows + 1) multiples of 8
  std::vector<std::int32_t> col_indices;  // (padded)
  std::vector<T> values;                  // (padded)
  std::vector<std::int32_t> sources;      // (padded) the entry that a value is, -1: none; empty unless asked for

  /// Of what a product reads.
  [[nodiscard]] std::uint64_t bytes() const {
    return (row_offsets.size() + col_indices.size()) * sizeof(std::int32_t) + values.size() * sizeof(T);
  }
};

/// From CSR in host memory, O(nnz + rows). \param keep_sources  tells also where values come from
/// \throws araia::Error (resource_limit) where padded entries pass 32 bits
template <class T, class Offset>
PaddedRows<T> padded_rows(CsrPointers<T, std::int32_t, Offset> const& a, bool keep_sources = false);

}  // namespace araia::cuda
