// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The columns of every row in ascending order.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <type_traits>

#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/segment_order.hpp>
#include <araia/formats/csr.hpp>

namespace araia {

/// A with the columns of every row ascending; equal columns keep their order. Stored rows and their permutation stay.
/// \param exec  queue of the work
/// \param A     Csr that exec reaches, valid by validate()
/// \throws araia::Error resource_limit where, on a device, rows beyond 512 entries hold 2^32 or more
/// Cost      O(nnz) on devices and where rows are sorted already, else O(nnz log(row length)); allocates the result;
///           fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Csr<std::remove_const_t<Scalar>, Ordinal, Offset, Device> sort_columns(
    Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A) {
  using Source = Csr<Scalar, Ordinal, Offset, Device>;
  using value_type = typename Source::value_type;
  detail::require_same_memory<Exec, Source>();
  Kokkos::Profiling::ScopedRegion const region("araia::sort_columns");
  Csr<value_type, Ordinal, Offset, Device> B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  if (A.row_offsets.extent(0) != 0) B.row_offsets = detail::copy_of<Device>(exec, A.row_offsets);
  if (A.row_permutation.extent(0) != 0) B.row_permutation = detail::copy_of<Device>(exec, A.row_permutation);
  auto const cols = detail::new_array<Ordinal, Device>(exec, "araia::csr::col_indices", A.nnz);
  auto const values = A.has_values() ? detail::new_array<value_type, Device>(exec, "araia::csr::values", A.nnz)
                                     : Kokkos::View<value_type*, Device>();
  auto const a = A.pointers();
  detail::order_segments(
      exec, "araia::sort_columns", a.row_offsets, a.rows, a.nnz,
      KOKKOS_LAMBDA(std::int64_t k) { return a.col_indices[k]; },
      KOKKOS_LAMBDA(std::int64_t to, std::int64_t from) {
        cols(to) = a.col_indices[from];
        if (a.values) values(to) = a.values[from];
      });
  B.col_indices = cols;
  B.values = values;
  return B;
}

}  // namespace araia
