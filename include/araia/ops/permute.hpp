// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rows and columns in another order.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <cstdint>
#include <string>
#include <type_traits>

#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/validation.hpp>
#include <araia/detail/ops/kept_entries.hpp>
#include <araia/formats/csr.hpp>

namespace araia {

namespace detail {

/// inverse(permutation(i)) == i.
/// \throws araia::Error dimension_mismatch on another length, invalid_argument where it is no permutation
template <class Exec, class Ordinal, class Device>
static Kokkos::View<Ordinal*, Device> checked_inverse(Exec const& exec, std::string const& name,
                                                      Kokkos::View<Ordinal const*, Device> const& permutation,
                                                      std::int64_t count) {
  if (static_cast<std::int64_t>(permutation.extent(0)) != count)
    throw Error(ErrorKind::dimension_mismatch, name + " holds " + std::to_string(permutation.extent(0)) +
                                                   " elements, expected " + std::to_string(count));
  auto const outside = first_broken(
      exec, count, KOKKOS_LAMBDA(std::int64_t i) { return permutation(i) < 0 || permutation(i) >= count; });
  if (outside < count)
    throw Error(ErrorKind::invalid_argument,
                name + " must lie in [0, " + std::to_string(count) + "), first broken at " + std::to_string(outside));
  auto const inverse = new_array<Ordinal, Device>(exec, "araia::permute::inverse", count);
  fill_array(exec, inverse, Ordinal{-1});
  for_each_index(
      "araia::permute::inverse", IndexRange<Exec>(exec, 0, count),
      KOKKOS_LAMBDA(std::int64_t i) { inverse(permutation(i)) = static_cast<Ordinal>(i); });
  auto const missing = first_broken(
      exec, count, KOKKOS_LAMBDA(std::int64_t i) { return inverse(i) < 0; });
  if (missing < count)
    throw Error(ErrorKind::invalid_argument,
                name + " must name each index once, " + std::to_string(missing) + " is missing");
  return inverse;
}

}  // namespace detail

/// B with B(i, j) = A(row_permutation(i), col_permutation(j)): permutation(new) == old. An empty permutation leaves its
/// order as it is. Entries of a row keep their stored order, so columns that ascended need not after a permutation of
/// columns (sort_columns).
/// \param exec             queue of the work
/// \param A                Csr that exec reaches, valid by validate(), rows in matrix order
/// \param row_permutation  (rows), or empty
/// \param col_permutation  (cols), or empty
/// \throws araia::Error dimension_mismatch on another length; invalid_argument where one is no permutation, naming the
///         place; unsupported where A's rows are permuted already
/// Cost      O(rows + cols + nnz); allocates the result and the inverses; fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Csr<std::remove_const_t<Scalar>, Ordinal, Offset, Device> permute(
    Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A,
    std::type_identity_t<Kokkos::View<Ordinal const*, Device>> const& row_permutation,
    std::type_identity_t<Kokkos::View<Ordinal const*, Device>> const& col_permutation = {}) {
  using Source = Csr<Scalar, Ordinal, Offset, Device>;
  using value_type = typename Source::value_type;
  detail::require_same_memory<Exec, Source>();
  detail::require_matrix_order("araia::permute", A);
  Kokkos::Profiling::ScopedRegion const region("araia::permute");
  bool const by_row = row_permutation.extent(0) != 0;
  bool const by_col = col_permutation.extent(0) != 0;
  if (by_row) detail::checked_inverse(exec, "araia::permute: row_permutation", row_permutation, A.rows);
  Kokkos::View<Ordinal*, Device> new_col;
  if (by_col) new_col = detail::checked_inverse(exec, "araia::permute: col_permutation", col_permutation, A.cols);
  auto const a = A.pointers();
  Csr<value_type, Ordinal, Offset, Device> B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  auto const offsets = detail::new_array<Offset, Device>(exec, "araia::csr::row_offsets", A.rows + 1);
  auto const old_rows = row_permutation;
  detail::for_each_index(
      "araia::permute::counts", detail::IndexRange<Exec>(exec, -1, A.rows), KOKKOS_LAMBDA(std::int64_t i) {
        if (i < 0)
          offsets(0) = 0;
        else
          offsets(i + 1) =
              static_cast<Offset>(detail::row_span(a, by_row ? static_cast<std::int64_t>(old_rows(i)) : i).count);
      });
  detail::counts_to_offsets(exec, offsets, A.rows);
  auto const cols = detail::new_array<Ordinal, Device>(exec, "araia::csr::col_indices", A.nnz);
  auto const values = A.has_values() ? detail::new_array<value_type, Device>(exec, "araia::csr::values", A.nnz)
                                     : Kokkos::View<value_type*, Device>();
  B.row_offsets = offsets;
  B.col_indices = cols;
  B.values = values;
  detail::for_each_row_entry(
      exec, "araia::permute::entries", B.pointers(), KOKKOS_LAMBDA(std::int64_t i, std::int64_t j, std::int64_t to) {
        std::int64_t const from =
            static_cast<std::int64_t>(a.row_offsets[by_row ? static_cast<std::int64_t>(old_rows(i)) : i]) + j;
        cols(to) = by_col ? new_col(a.col_indices[from]) : a.col_indices[from];
        if (a.values) values(to) = a.values[from];
      });
  return B;
}

}  // namespace araia
