// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// HYB as plain pointers and sizes: an ELL part and a tail in COO. No Kokkos here.

#include <cstdint>

#include <araia/detail/formats/pointers.hpp>

namespace araia {

/// HYB: the sum of two matrices of one shape.
template <class Scalar, class Ordinal>
struct HybPointers {
  using value_type = Scalar;
  using ordinal_type = Ordinal;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;  // of both parts
  EllPointers<Scalar, Ordinal> ell{};
  CooPointers<Scalar, Ordinal> tail{};
};

/// The same with the tail in memory of another device, which `TailSpace` reaches and the ELL part's device may not.
template <class Scalar, class Ordinal, class TailSpace>
struct SplitHybPointers : HybPointers<Scalar, Ordinal> {
  using tail_space = TailSpace;
};

}  // namespace araia
