// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Loads of SpMM kernels over CSR: four entries of A at once, a lane's columns of a row of B, and the place of C.

#include <cstdint>
#include <type_traits>

namespace araia::cuda {

/// A lane's columns of a row.
template <class T, int V>
struct RowPack {
  T value[V];
};

/// By the path of constants where CONSTANT: for what no kernel writes while this one runs or waits to run.
template <bool CONSTANT, class W>
__device__ __forceinline__ W load(W const* from) {
  if constexpr (CONSTANT)
    return __ldg(from);
  else
    return *from;
}

/// From an address that suits 16 bytes.
template <bool CONSTANT, class T>
__device__ __forceinline__ void load_four(T const* from, T* to) {
  if constexpr (sizeof(T) == 4) {
    auto const v = load<CONSTANT>(reinterpret_cast<uint4 const*>(from));
    unsigned const bits[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if constexpr (std::is_same_v<T, float>)
        to[i] = __uint_as_float(bits[i]);
      else
        to[i] = static_cast<T>(bits[i]);
    }
  } else {
    auto const low = load<CONSTANT>(reinterpret_cast<double2 const*>(from));
    auto const high = load<CONSTANT>(reinterpret_cast<double2 const*>(from) + 1);
    to[0] = low.x, to[1] = low.y, to[2] = high.x, to[3] = high.y;
  }
}

/// Row `column` of B at this lane's columns: V neighbours (VECTOR), or every `step`-th of the `columns_left`.
template <class T, int V, bool VECTOR, class Count>
__device__ __forceinline__ RowPack<T, V> load_b(char const* base, std::uint32_t pitch, std::int32_t column, int step,
                                                Count columns_left) {
  auto const* row =
      reinterpret_cast<T const*>(base + static_cast<std::uint64_t>(static_cast<std::uint32_t>(column)) * pitch);
  RowPack<T, V> out;
  if constexpr (VECTOR) {
    if constexpr (sizeof(T) * V == 16) {
      auto const v = *reinterpret_cast<uint4 const*>(row);
      out = *reinterpret_cast<RowPack<T, V> const*>(&v);
    } else if constexpr (sizeof(T) * V == 8) {
      auto const v = *reinterpret_cast<uint2 const*>(row);
      out = *reinterpret_cast<RowPack<T, V> const*>(&v);
    } else {
      out.value[0] = *row;
    }
  } else {
#pragma unroll
    for (int v = 0; v < V; ++v) out.value[v] = v * step < columns_left ? row[v * step] : T{};
  }
  return out;
}

}  // namespace araia::cuda
