// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tiled product over BCSC with indices of 32 bits.

#include <araia/detail/formats/type_list.hpp>

#include "backends/cuda/bcsc_spmm_tiled.cuh"

namespace araia::cuda {

template <class T, class Offset>
void bcsc_spmm_tiled(BcscPointers<T, std::int32_t, Offset> const& a, T alpha, DenseMatrix<T const> const& b, T beta,
                     DenseMatrix<T> const& c, BcscTiledTuning const& tuning, cudaStream_t stream) {
  multiply_tiled<bcsc::Form::wide, T>({a, alpha, b, beta, c}, b, c, tuning, stream);
}

[[gnu::used]] static void write_out_bcsc_spmm_tiled() {
  using namespace araia::detail;
  for_types<AllReals, AllOffsets>([&]<class T, class F>() {
    write_out<void(BcscPointers<T, std::int32_t, F> const&, T, DenseMatrix<T const> const&, T, DenseMatrix<T> const&,
                   BcscTiledTuning const&, cudaStream_t)>(bcsc_spmm_tiled);
  });
}

}  // namespace araia::cuda
