// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C on the tensor cores, A in BSR as it is, B and C row-major.

#include <cuda_runtime_api.h>
#include <araia/detail/formats/bsr_pointers.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <araia/precision.hpp>
#include <cstdint>

namespace araia::cuda {

/// Shape of the product. It may change the time, never the answer beyond rounding.
struct BsrTensorTuning {
  int packs = 1;         ///< of 128 bytes of a row of C, side by side in a warp: 1, 2 or 4
  int column_warps = 1;  ///< warps side by side on the columns of a block row, which share A in L1: 1, 2 or 4
  int split = 1;      ///< warps that divide the blocks of a block row and add up: 1, 2, 4 or 8; with column_warps <= 8
  bool deep = false;  ///< a lane has eight slots of the depth in flight: with one pack of blocks of up to 8 rows
  friend bool operator==(BsrTensorTuning const&, BsrTensorTuning const&) = default;
};

/// What the rule looks at.
struct BsrTensorProblem {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t blocks = 0;
  int block_rows = 1;
  int block_cols = 1;
  std::int64_t columns = 1;
  int scalar_bytes = 8;
  int multiprocessors = 132;

  template <class T, class Offset>
  BsrTensorProblem(BsrPointers<T, std::int32_t, Offset> const& a, std::int64_t columns_of_c, int units)
      : rows(a.rows),
        cols(a.cols),
        blocks(a.blocks),
        block_rows(a.block_rows),
        block_cols(a.block_cols),
        columns(columns_of_c),
        scalar_bytes(sizeof(T)),
        multiprocessors(units) {}
};

/// The most packs that are built for blocks of so many rows.
constexpr int most_bsr_tensor_packs(int block_rows) { return block_rows <= 16 ? 4 : 2; }

/// The shape for these operands by rule.
[[nodiscard]] BsrTensorTuning bsr_tensor_tuning(BsrTensorProblem const& problem);

/// Is it built for devices of this compute capability?
constexpr bool bsr_tensor_cores_run_on(int major) { return major >= 8; }

/// double has a kernel of its own precision, float those of lower ones.
template <class T>
constexpr bool has_bsr_tensor_cores(Precision precision) {
  return (precision == Precision::native) == (sizeof(T) == sizeof(double));
}

/// Values there, at most 32 x 32 a block, B and C row-major, columns and bytes between rows of B that 32 bits hold.
template <class T, class Offset>
bool bsr_tensor_cores_support(BsrPointers<T, std::int32_t, Offset> const& a, DenseMatrix<T const> const& b,
                              DenseMatrix<T> const& c) {
  constexpr std::int64_t most_pitch = (std::int64_t{1} << 32) / static_cast<std::int64_t>(sizeof(T)) - 1;
  constexpr std::int64_t most_cols = (std::int64_t{1} << 32) - 32;  // and what the last block column has beyond them
  return a.values && a.cols <= most_cols && a.block_rows >= 1 && a.block_rows <= 32 && a.block_cols >= 1 &&
         a.block_cols <= 32 && (b.column_stride == 1 || b.columns <= 1) && (c.column_stride == 1 || c.columns <= 1) &&
         b.row_stride >= 0 && b.row_stride <= most_pitch && c.row_stride >= 0;
}

/// C = alpha A B + beta C on `stream`; asynchronous, allocates nothing, may be captured in a graph, gives the same bits
/// in every run. Fill counts as stored: Inf and NaN of B reach the rows of blocks that cover their rows, and no others.
/// \param a          on the device
/// \param precision  native for double, any other for float; bounds in docs/architecture.md
/// \param b,c        row-major, any alignment, any number of columns
/// \param alpha      not 0 (callers scale C then); beta == 0 overwrites C
/// \throws araia::Error unsupported where bsr_tensor_cores_support or has_bsr_tensor_cores says no;
///         invalid_argument on a tuning out of range; resource_limit; device
template <class T, class Offset>
void bsr_spmm_tensor_cores(BsrPointers<T, std::int32_t, Offset> const& a, Precision precision, T alpha,
                           DenseMatrix<T const> const& b, T beta, DenseMatrix<T> const& c,
                           BsrTensorTuning const& tuning, cudaStream_t stream);

}  // namespace araia::cuda
