// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// SpMM in CSR order where rows of A read rows of B in no order and B is beyond the last-level cache: panels of columns
// of B, one after the other, are copied to a workspace, narrow enough to stay in that cache while all rows of A pass.
//
//   B        panel 0   panel 1   ...        the workspace: rows of 1 or 2 lines of cache, one after the other
//   row 0   [ 128 B  |  128 B  | ... ]  ->  [ row 0 | row 1 | row 2 | ... ]
//
// A product reads A once a panel, and writes a panel of C.

#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/kernels/epilogue.hpp>
#include <cstdint>
#include <optional>

#include "backends/openmp/caches.hpp"
#include "backends/openmp/isa.hpp"

namespace araia::host {

/// How B is copied for products of so many columns, and what that costs.
struct CopiedColumnsShape {
  int lines = 0;            ///< of 64 bytes in a row of a panel, 1 or 2
  std::int64_t panels = 0;  ///< of B
  double seconds = 0;       ///< estimate of a product by one thread
  /// B is beyond its part of the last-level cache and panels are not. Whether rows of B are read in no order is not
  /// known here: in the order of a grid or band reading them as they lie is faster.
  bool pays = false;
  friend bool operator==(CopiedColumnsShape const&, CopiedColumnsShape const&) = default;
};

/// The shape for such sizes, or nothing where there is nothing to multiply. In O(1). \param scalar_bytes  4 or 8
std::optional<CopiedColumnsShape> copied_columns_shape(std::int64_t cols, std::int64_t nnz, std::int64_t columns,
                                                       int scalar_bytes, Caches const& of = caches());

/// Scalars of the workspace. \param lines  of CopiedColumnsShape
std::int64_t copied_columns_workspace(std::int64_t cols, int lines, int scalar_bytes);

/// C = act(alpha A B + beta C + bias + R), for each B and C of a batch, of any strides and any number of columns.
/// \param b,c      not aliased; beta == 0 overwrites C, NaN included; alpha == 0 reads neither A nor B
/// \param workspace  (copied_columns_workspace) of one product at a time, from a line of cache on
/// \param threads  OpenMP threads, at least 1; the bits of C do not depend on it
/// Rounding and types as csr_spmm
template <class Scalar, class Offset>
void copied_columns_spmm(CsrPointers<Scalar, std::int32_t, Offset> const& a, int lines, Scalar* workspace, Scalar alpha,
                         DenseBatch<Scalar const> const& b, Scalar beta, DenseBatch<Scalar> const& c,
                         EpiloguePointers<Scalar> const& epilogue, int threads, Isa isa = host::isa());

}  // namespace araia::host
