// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the CUDA SDDMM kernels take, and their launches.

#include <cuda_runtime_api.h>
#include <araia/detail/formats/pointers.hpp>
#include <cstdint>

#include "backends/cuda/sddmm/shapes.hpp"

namespace araia::cuda {

/// Elements in 16 bytes.
template <class T>
inline constexpr int vector_of = 16 / sizeof(T);

template <class T, class Offset>
struct SddmmArguments {
  CsrPointers<T, std::int32_t, Offset> a;
  T* d;
  T const* x;
  T const* y;
  std::int64_t x_row_stride, x_k_stride;  // elements
  std::int64_t y_row_stride, y_k_stride;
  std::int64_t k;
  T alpha;
  T beta;
  int parts;  // of a row; of the columns for column_panels
  int rows_per_block;
  unsigned row_blocks;
};

/// \param by_vectors  rows of x and y are contiguous and begin at multiples of 16 bytes, k is a multiple of vector_of
template <class T, class Offset>
void sddmm_row_parts(SddmmArguments<T, Offset> const& args, bool by_vectors, cudaStream_t stream);

/// Only where rows suit vectors.
template <class T, class Offset>
void sddmm_column_panels(SddmmArguments<T, Offset> const& args, int panel_columns, cudaStream_t stream);

}  // namespace araia::cuda
