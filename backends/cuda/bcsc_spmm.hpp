// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which kernel multiplies a BCSC as it is on CUDA, and how.

#include <cuda_runtime_api.h>
#include <araia/detail/formats/bcsc_pointers.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <araia/error.hpp>
#include <cstddef>
#include <cstdint>

#include "backends/cuda/bcsc_shapes.hpp"
#include "backends/cuda/bcsc_spmm_short_blocks.hpp"
#include "backends/cuda/bcsc_spmm_thread_tiles.hpp"
#include "backends/cuda/bcsc_spmm_tiled.hpp"
#include "backends/cuda/bcsc_spmm_warp_centric.hpp"

namespace araia::cuda {

enum class BcscKernel { tiled, thread_tiles, short_blocks, warp_centric };

/// The kernel and its shape; only that of the kernel is looked at.
struct BcscSpmmTuning {
  BcscKernel kernel = BcscKernel::tiled;
  BcscTiledTuning tiled{};
  BcscThreadTilesTuning thread_tiles{};
  BcscShortTuning short_blocks{};
  BcscWarpTuning warp_centric{};
};

/// Of BcscCompactPointers?
template <class Matrix>
inline constexpr bool is_compact_bcsc = requires(Matrix a) {
  a.col_counts;
};

/// What the rule looks at.
struct BcscSpmmProblem {
  std::int64_t rows = 0;
  std::int64_t nnz = 0;
  std::int64_t blocks = 0;
  std::int64_t block_columns = 0;
  std::int64_t block_height = 1;
  std::int64_t columns = 1;
  int scalar_bytes = 4;
  int multiprocessors = 132;
  int major = 9;                          ///< compute capability
  std::size_t shared_bytes = 227 * 1024;  ///< most that a thread block may have
  bool compact = false;

  /// \param a  BcscPointers or BcscCompactPointers
  template <class Matrix>
  BcscSpmmProblem(Matrix const& a, std::int64_t columns_of_c, int units, int capability, std::size_t shared)
      : rows(a.rows),
        nnz(a.nnz),
        blocks(a.blocks),
        block_columns(a.block_columns),
        block_height(a.block_height < a.rows ? a.block_height : a.rows),
        columns(columns_of_c),
        scalar_bytes(sizeof(typename Matrix::value_type)),
        multiprocessors(units),
        major(capability),
        shared_bytes(shared),
        compact(is_compact_bcsc<Matrix>) {}
  BcscSpmmProblem() = default;
};

/// Whether the kernel takes such a matrix on such a device. \param compact  the form; short_blocks reads the wide one
[[nodiscard]] bool bcsc_kernel_runs(BcscKernel kernel, std::int64_t block_height, bool compact, int major);

/// The kernel and shape for these operands by rule, from measurements on an H200 (docs/kernels/bcsc_cuda.md).
[[nodiscard]] BcscSpmmTuning bcsc_spmm_tuning(BcscSpmmProblem const& problem);
/// The shape of a kernel of the caller's.
[[nodiscard]] BcscSpmmTuning bcsc_spmm_tuning(BcscSpmmProblem const& problem, BcscKernel kernel);
/// Tiles as asked for: the rule's shape where it is such a one, else the first of bcsc_tiles().
/// \throws araia::Error invalid_argument with the list of what is built
[[nodiscard]] BcscSpmmTuning bcsc_spmm_tuning(BcscSpmmProblem const& problem, BcscTileAsked const& asked);
/// Warps as asked for, what is 0 by the rule.
/// \throws araia::Error invalid_argument naming the number and what it may be
[[nodiscard]] BcscSpmmTuning bcsc_spmm_tuning(BcscSpmmProblem const& problem, BcscWarpAsked const& asked, bool atomics);

/// B and C row-major.
template <class T>
bool bcsc_spmm_supports(DenseMatrix<T const> const& b, DenseMatrix<T> const& c) {
  return (b.column_stride == 1 || b.columns <= 1) && (c.column_stride == 1 || c.columns <= 1) && b.row_stride >= 0 &&
         c.row_stride >= 0;
}

/// C = alpha A B + beta C by the kernel of the tuning; see bcsc_spmm_tiled.
template <class T, class Offset>
void bcsc_spmm(BcscPointers<T, std::int32_t, Offset> const& a, T alpha, DenseMatrix<T const> const& b, T beta,
               DenseMatrix<T> const& c, BcscSpmmTuning const& tuning, cudaStream_t stream) {
  switch (tuning.kernel) {
    case BcscKernel::tiled: return bcsc_spmm_tiled(a, alpha, b, beta, c, tuning.tiled, stream);
    case BcscKernel::thread_tiles: return bcsc_spmm_thread_tiles(a, alpha, b, beta, c, tuning.thread_tiles, stream);
    case BcscKernel::short_blocks: return bcsc_spmm_short_blocks(a, alpha, b, beta, c, tuning.short_blocks, stream);
    case BcscKernel::warp_centric: return bcsc_spmm_warp_centric(a, alpha, b, beta, c, tuning.warp_centric, stream);
  }
}
/// \throws araia::Error unsupported for short_blocks and thread_tiles
template <class T, class Offset, class RowIndex>
void bcsc_spmm(BcscCompactPointers<T, std::int32_t, Offset, RowIndex> const& a, T alpha, DenseMatrix<T const> const& b,
               T beta, DenseMatrix<T> const& c, BcscSpmmTuning const& tuning, cudaStream_t stream) {
  switch (tuning.kernel) {
    case BcscKernel::tiled: return bcsc_spmm_tiled(a, alpha, b, beta, c, tuning.tiled, stream);
    case BcscKernel::thread_tiles:
      throw Error(ErrorKind::unsupported, "araia: bcsc_spmm: tiles of threads read the wide form");
    case BcscKernel::short_blocks:
      throw Error(ErrorKind::unsupported, "araia: bcsc_spmm: short_blocks reads the wide form");
    case BcscKernel::warp_centric: return bcsc_spmm_warp_centric(a, alpha, b, beta, c, tuning.warp_centric, stream);
  }
}

}  // namespace araia::cuda
