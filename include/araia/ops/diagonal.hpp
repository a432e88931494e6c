// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The main diagonal as a vector.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <algorithm>
#include <type_traits>

#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/scalar.hpp>
#include <araia/formats/csr.hpp>

namespace araia {

/// d(i) = A(i, i) for i < min(rows, cols): zero where nothing is stored, duplicates added in their stored order.
/// \param exec  queue of the work
/// \param A     Csr that exec reaches, valid by validate(), columns in any order; a row permutation is applied
/// Cost      O(rows + nnz); allocates the result; asynchronous on exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Kokkos::View<std::remove_const_t<Scalar>*, Device> diagonal(Exec const& exec,
                                                                   Csr<Scalar, Ordinal, Offset, Device> const& A) {
  using Source = Csr<Scalar, Ordinal, Offset, Device>;
  using value_type = typename Source::value_type;
  using Sum = accumulator_t<value_type>;
  detail::require_same_memory<Exec, Source>();
  Kokkos::Profiling::ScopedRegion const region("araia::diagonal");
  std::int64_t const length = std::min(A.rows, A.cols);
  auto const d = detail::new_array<value_type, Device>(exec, "araia::diagonal", length);
  auto const a = A.pointers();
  detail::for_each_index(
      "araia::diagonal", detail::IndexRange<Exec>(exec, 0, A.rows), KOKKOS_LAMBDA(std::int64_t i) {
        std::int64_t const row = detail::matrix_row(a, i);
        if (row >= length) return;
        Sum sum{};
        auto const last = static_cast<std::int64_t>(a.row_offsets[i + 1]);
        for (auto k = static_cast<std::int64_t>(a.row_offsets[i]); k < last; ++k)
          if (a.col_indices[k] == row) sum += detail::entry_value<Sum>(a, k);
        d(row) = static_cast<value_type>(sum);
      });
  return d;
}

}  // namespace araia
