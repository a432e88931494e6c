// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What every kernel of C = alpha A B is given. No Kokkos here, so that a backend builds with a bare compiler.

#include <cstdint>

#include <araia/detail/formats/pointers.hpp>

namespace araia::detail {

/// A and B in CSR, rows in matrix order; columns of a row in any order, duplicates are added.
template <class Scalar, class Ordinal, class Offset>
struct SpgemmOperands {
  CsrPointers<Scalar, Ordinal, Offset> a;
  CsrPointers<Scalar, Ordinal, Offset> b;
  bool ascending = false;  ///< columns of every row of B ascend strictly
};

}  // namespace araia::detail
