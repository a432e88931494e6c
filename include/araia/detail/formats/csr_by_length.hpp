// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Csr -> Csr whose rows are stored by length.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <cstdint>
#include <type_traits>

#include <araia/detail/formats/conversion_steps.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/ready_made.hpp>
#include <araia/detail/formats/row_access.hpp>
#include <araia/formats/csr.hpp>

namespace araia {

namespace detail {
/// What sort_rows_by_length does, of any types.
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Csr<std::remove_const_t<Scalar>, Ordinal, Offset, Device> sort_rows_by_length_here(
    Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A, bool ascending) {
  using Source = Csr<Scalar, Ordinal, Offset, Device>;
  using value_type = typename Source::value_type;
  require_same_memory<Exec, Source>();
  Kokkos::Profiling::ScopedRegion const region("araia::sort_rows_by_length");
  if (A.row_permutation.extent(0) != 0)
    throw Error(ErrorKind::unsupported, "araia::sort_rows_by_length: the rows are permuted already");
  Csr<value_type, Ordinal, Offset, Device> B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  auto const a = A.pointers();
  auto const order = rows_by_length<Exec, Ordinal>(exec, a, ascending);
  B.row_permutation = order;
  auto const offsets = new_array<Offset, Device>(exec, "araia::csr::row_offsets", A.rows + 1);
  for_each_index(
      "araia::sort_rows_by_length::counts", IndexRange<Exec>(exec, 0, A.rows + 1), KOKKOS_LAMBDA(std::int64_t i) {
        offsets(i) = i == 0 ? Offset{0} : static_cast<Offset>(row_span(a, order(i - 1)).count);
      });
  counts_to_offsets(exec, offsets, A.rows);
  auto const cols = new_array<Ordinal, Device>(exec, "araia::csr::col_indices", A.nnz);
  B.row_offsets = offsets;
  B.col_indices = cols;
  auto const values = A.has_values() ? new_array<value_type, Device>(exec, "araia::csr::values", A.nnz)
                                     : Kokkos::View<value_type*, Device>();
  B.values = values;
  for_each_row_entry(
      exec, "araia::sort_rows_by_length::entries", B.pointers(),
      KOKKOS_LAMBDA(std::int64_t row, std::int64_t j, std::int64_t k) {
        std::int64_t const from = a.row_offsets[order(row)] + j;
        cols(k) = a.col_indices[from];
        if (a.values) values(k) = a.values[from];
      });
  return B;
}

/// The same from the library.
template <class Exec, class A>
Csr<A, std::int32_t, std::int32_t, typename Exec::device_type> sort_rows_by_length_ready(
    Exec const& exec, ReadySource<Exec, A> const& source, bool ascending);
}  // namespace detail

/// A with its rows stored by length, named by row_permutation: what neighbouring threads read ends together.
/// \throws araia::Error unsupported where A's rows are permuted already; resource_limit where a row's index does not
///         fit Ordinal
/// Cost    O(nnz + rows log rows); allocates the result; fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Csr<std::remove_const_t<Scalar>, Ordinal, Offset, Device> sort_rows_by_length(
    Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A, bool ascending = true) {
  if constexpr (detail::is_ready_source<Exec, Csr<Scalar, Ordinal, Offset, Device>>)
    return detail::sort_rows_by_length_ready<Exec, std::remove_const_t<Scalar>>(exec, detail::ready_source<Exec>(A),
                                                                                ascending);
  else
    return detail::sort_rows_by_length_here(exec, A, ascending);
}

/// Refills a row-ordered copy of A with A's values.
template <class Exec, class S, class O, class F, class D, class AS, class AD>
static void update_values(Exec const& exec, Csr<S, O, F, D> const& B, Csr<AS, O, F, AD> const& A) {
  detail::require_same_structure(detail::sizes_agree(B, A), "Csr");
  if (!B.has_values()) return;
  auto const b = B.pointers();
  auto const target = B.values;
  auto const a = A.pointers();
  bool const reordered = b.row_permutation && !a.row_permutation;
  detail::for_each_row_entry(
      exec, "araia::update_values::csr", b, KOKKOS_LAMBDA(std::int64_t row, std::int64_t j, std::int64_t k) {
        std::int64_t const from = reordered ? static_cast<std::int64_t>(b.row_permutation[row]) : row;
        target(k) = static_cast<typename Csr<S, O, F, D>::value_type>(a.values[a.row_offsets[from] + j]);
      });
}

}  // namespace araia
