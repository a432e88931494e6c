// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Arrays of the formats that the CUDA backend packs.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/arrays.hpp>

namespace araia::detail {

template <class T>
using CudaArray = Kokkos::View<T*, Kokkos::Cuda::device_type>;

template <class T>
CudaArray<T> cuda_array(Kokkos::Cuda const& exec, char const* label, std::int64_t count) {
  return new_array<T, Kokkos::Cuda::device_type>(exec, label, count);
}

/// A packing's own row order, as the matrix may go; none where it has none. Asynchronous on exec.
inline CudaArray<std::int32_t const> copy_of_permutation(Kokkos::Cuda const& exec, char const* label,
                                                         std::int32_t const* row_permutation, std::int64_t rows) {
  if (!row_permutation) return {};
  auto const copy = cuda_array<std::int32_t>(exec, label, rows);
  copy_array(exec, copy,
             Kokkos::View<std::int32_t const*, Kokkos::Cuda::device_type, Kokkos::MemoryUnmanaged>(
                 row_permutation, static_cast<std::size_t>(rows)));
  return copy;
}

/// Bytes of it.
inline std::uint64_t permutation_bytes(std::int32_t const* row_permutation, std::int64_t rows) {
  return row_permutation ? static_cast<std::uint64_t>(rows) * sizeof(std::int32_t) : 0;
}

}  // namespace araia::detail
