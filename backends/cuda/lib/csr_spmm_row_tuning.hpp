// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The shape in which a warp multiplies a row of A by B, by rule: of csr_spmm_row_per_warp and of
// csr_spmm_padded_row_per_warp.

#include <cstddef>
#include <cstdint>

namespace araia::cuda {

inline constexpr int most_row_warps = 8;    ///< of a block
inline constexpr int entries_of_octet = 8;  ///< read at once: so many rows of B are in flight

/// Shape of the row-per-warp product. It may change the time, never the answer beyond rounding.
struct CsrSpmmRowTuning {
  int lanes = 32;   ///< lanes over columns: 8, 16 or 32; the other lanes of a warp take other entries of the row
  int vector = 4;   ///< columns a lane: 1, 2 or 4; 3, and 5 of double, read one by one, with 32 lanes
  int split = 1;    ///< warps a row: 1, 2, 4 or 8; they divide its entries and add up in shared memory
  int warps = 8;    ///< of a block: a multiple of split, at most 8
  int longest = 0;  ///< entries of a row that one warp multiplies, longer ones are all warps' of the block; 0: any.
                    ///< Unpadded rows, of one warp each
  friend bool operator==(CsrSpmmRowTuning const&, CsrSpmmRowTuning const&) = default;
};

/// The shape for these operands by rule, from measurements on an H200 (docs/kernels/spmm_cuda.md).
/// \param warps_resident  of a multiprocessor: 24 for CSR as it is, 32 for padded rows, by their registers
CsrSpmmRowTuning csr_spmm_row_tuning(std::int64_t rows, std::int64_t nnz, std::int64_t columns,
                                     std::size_t scalar_bytes, int multiprocessors, int warps_resident);
inline constexpr int csr_warps_resident = 24;
inline constexpr int padded_warps_resident = 32;

}  // namespace araia::cuda
