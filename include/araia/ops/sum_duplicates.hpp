// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One entry a place: entries of the same row and column added up.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <cstdint>
#include <type_traits>

#include <araia/detail/formats/scalar.hpp>
#include <araia/detail/ops/kept_entries.hpp>
#include <araia/formats/csr.hpp>
#include <araia/ops/sort_columns.hpp>

namespace araia {

/// A with the columns of every row strictly ascending; entries of one place are added in their stored order, in the
/// accumulator's type. Sums of zero stay stored.
/// \param exec  queue of the work
/// \param A     Csr that exec reaches, valid by validate(), rows in matrix order
/// \throws araia::Error unsupported where the rows are permuted, or where a pattern stores an entry twice: its sum,
/// two,
///         is none that a pattern holds
/// Cost      sort_columns, and O(nnz) with an Offset and a byte an entry of workspace; allocates the result; fences
/// exec Rounding  |error| <= gamma(duplicates - 1) times the sum of their magnitudes
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Csr<std::remove_const_t<Scalar>, Ordinal, Offset, Device> sum_duplicates(
    Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A) {
  using value_type = std::remove_const_t<Scalar>;
  using Sum = accumulator_t<value_type>;
  detail::require_matrix_order("araia::sum_duplicates", A);
  Kokkos::Profiling::ScopedRegion const region("araia::sum_duplicates");
  auto const S = sort_columns(exec, A);
  auto const s = S.pointers();
  auto const first = detail::new_array<std::uint8_t, Device>(exec, "araia::sum_duplicates::first", S.nnz);
  detail::for_each_row_entry(
      exec, "araia::sum_duplicates::first", s, KOKKOS_LAMBDA(std::int64_t, std::int64_t j, std::int64_t k) {
        first(k) = static_cast<std::uint8_t>(j == 0 || s.col_indices[k] != s.col_indices[k - 1]);
      });
  auto const B = detail::kept_entries(
      exec, S, KOKKOS_LAMBDA(std::int64_t k) { return first(k) != 0; },
      KOKKOS_LAMBDA(std::int64_t k) {
        auto sum = static_cast<Sum>(s.values[k]);
        for (std::int64_t q = k + 1; q < s.nnz && first(q) == 0; ++q) sum += static_cast<Sum>(s.values[q]);
        return static_cast<value_type>(sum);
      });
  if (!A.has_values() && B.nnz != A.nnz)
    throw Error(ErrorKind::unsupported, "araia::sum_duplicates: the pattern A stores " + std::to_string(A.nnz - B.nnz) +
                                            " entries more than places, expected values or each place once");
  return B;
}

}  // namespace araia
