// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tiled product over compact BCSC: a unit of its own for the time that it takes to compile.

#include "backends/cuda/bcsc_spmm_tiled.cuh"

namespace araia::cuda {

template <class T, class Offset, class RowIndex>
void bcsc_spmm_tiled(BcscCompactPointers<T, std::int32_t, Offset, RowIndex> const& a, T alpha,
                     DenseMatrix<T const> const& b, T beta, DenseMatrix<T> const& c, BcscTiledTuning const& tuning,
                     cudaStream_t stream) {
  multiply_tiled<bcsc::Form::compact, T>({a, alpha, b, beta, c}, b, c, tuning, stream);
}

#define ARAIA_BCSC_TILED(T, F, R)                                                                                     \
  template void bcsc_spmm_tiled(BcscCompactPointers<T, std::int32_t, F, R> const&, T, DenseMatrix<T const> const&, T, \
                                DenseMatrix<T> const&, BcscTiledTuning const&, cudaStream_t);
#define ARAIA_BCSC_TILED_ROWS(T, F)    \
  ARAIA_BCSC_TILED(T, F, std::uint8_t) \
  ARAIA_BCSC_TILED(T, F, std::uint16_t)
ARAIA_BCSC_TILED_ROWS(float, std::int32_t)
ARAIA_BCSC_TILED_ROWS(float, std::int64_t)
ARAIA_BCSC_TILED_ROWS(double, std::int32_t)
ARAIA_BCSC_TILED_ROWS(double, std::int64_t)

}  // namespace araia::cuda
