// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One thread's chunk of the host SELL SpMV, compiled once for each instruction set. Data and declarations alone, as in
// csr_spmv_rows.hpp.

#include <araia/detail/formats/sell_pointers.hpp>
#include <cstdint>

#include "backends/openmp/isa.hpp"

namespace araia::host {

/// y = alpha A x + beta y for the rows of slices [first_slice, last_slice).
template <class A, class X, class Y, class Offset>
struct SellSpmvSlices {
  using Matrix = SellPointers<A, std::int32_t, Offset>;
  Matrix a;
  X const* x;
  Y* y;
  Y alpha;
  Y beta;
  bool gathers;  ///< x by gather instructions where there are any, as they are fast here
  bool far;      ///< the matrix comes from memory: diagonals and columns by gathers prefetch it
  bool into_l1;  ///< diagonals always prefetch, and into L1
  std::int64_t first_slice;
  std::int64_t last_slice;
  /// A stored row times x over its entries alone, no fill: for rows whose sum is not finite.
  Y (*sum_of_entries)(Matrix const& a, X const* x, std::int64_t stored_row);
};

template <Isa level, class A, class X, class Y, class Offset>
void sell_spmv_slices(SellSpmvSlices<A, X, Y, Offset> const& args);

}  // namespace araia::host
