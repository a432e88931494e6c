// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rows of the host CSR SpMV whose columns are groups of three side by side, the same for all rows of a run, such as
// nodes of three unknowns have them. A vector of four lanes takes a group, as x and values lie in memory: no lane of x
// is fetched by itself, and one index in three is read. The last lane adds up what comes after each group and is left
// out in the end. For csr_spmv_rows.cpp, in the instruction set's namespace.
//
//   row i      [ a0 a1 a2 . | a3 a4 a5 . | ... ]    one load of x for all rows of the group
//   x          [ c0 c0+1 c0+2 . | c1 c1+1 c1+2 . | ... ]

#include <cstdint>

#include "backends/openmp/csr_spmv_four_lanes.hpp"
#include "backends/openmp/csr_spmv_rows.hpp"
#include "backends/openmp/prefetch.hpp"

namespace araia::host::ARAIA_ISA {

/// \tparam R  Rows of csr_spmv_rows.cpp
template <bool Ones, Prefetch streams_into, class A, class X, class Y, class R>
struct GroupedRows {
  using L = FourLanes<A, X, Y>;
  using Sum = typename L::Sum;
  static constexpr std::int64_t group_width = CsrRowRun::group_width;

  /// Rows [first, last), which are of the run, whose values begin at `values`.
  static void all(R& rows, A const* values, std::int32_t const* groups, X const* x, std::int64_t length,
                  std::int64_t first, std::int64_t last) {
    rows.store_waiting();
    for (std::int64_t i = first; i < last;) {
      switch (last - i) {
        case 1: i += some<1>(rows, values, groups, x, length, i); break;
        case 2: i += some<2>(rows, values, groups, x, length, i); break;
        default:
          i += some<3>(rows, values, groups, x, length, i);
          if constexpr (!Ones) values += 3 * length;
      }
    }
    rows.row = last;
  }

 private:
  template <int Count>
  [[gnu::always_inline]] static std::int64_t some(R& rows, A const* values, std::int32_t const* groups, X const* x,
                                                  std::int64_t length, std::int64_t first) {
    Sum sums[4];
    for (auto& sum : sums) sum = L::zero();
    for (std::int64_t k = 0; k < length; k += group_width) {
      Sum const of_x = L::load(x + *groups++);
#pragma GCC unroll 3
      for (std::int64_t i = 0; i < Count; ++i) {
        if constexpr (Ones) {
          sums[i] = L::add_ones(sums[i], of_x);
        } else {
          sums[i] = L::add(sums[i], values + (i * length + k), of_x);
        }
      }
      if constexpr (!Ones) {
        R::template prefetch<streams_into>(values + Count * k);
        // Where a step is more than a line, one would be left out now and then.
        if constexpr (Count * group_width * sizeof(A) > 64)
          R::template prefetch<streams_into>(values + Count * k + 64 / sizeof(A));
      }
    }
    R::template prefetch<streams_into>(groups);
    for (auto& sum : sums) sum = L::first_three(sum);
    rows.template update<L>(first, Count, L::sum_up(sums));
    return Count;
  }
};

}  // namespace araia::host::ARAIA_ISA
