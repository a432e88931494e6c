// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tiled product over compact BCSC: a unit of its own for the time that it takes to compile.

#include <araia/detail/formats/type_list.hpp>

#include "backends/cuda/bcsc_spmm_tiled.cuh"

namespace araia::cuda {

template <class T, class Offset, class RowIndex>
void bcsc_spmm_tiled(BcscCompactPointers<T, std::int32_t, Offset, RowIndex> const& a, T alpha,
                     DenseMatrix<T const> const& b, T beta, DenseMatrix<T> const& c, BcscTiledTuning const& tuning,
                     cudaStream_t stream) {
  multiply_tiled<bcsc::Form::compact, T>({a, alpha, b, beta, c}, b, c, tuning, stream);
}

[[gnu::used]] static void write_out_bcsc_spmm_tiled_compact() {
  using namespace araia::detail;
  for_types<AllReals, AllOffsets>([&]<class T, class F>() {
    for_types<ListOf<std::uint8_t, std::uint16_t>>([&]<class R>() {
      write_out<void(BcscCompactPointers<T, std::int32_t, F, R> const&, T, DenseMatrix<T const> const&, T,
                     DenseMatrix<T> const&, BcscTiledTuning const&, cudaStream_t)>(bcsc_spmm_tiled);
    });
  });
}

}  // namespace araia::cuda
