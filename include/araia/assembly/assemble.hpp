// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// HostCoo -> Csr: symmetry expanded, rows and columns sorted, duplicates summed in file order (of a pattern: one
// entry), in parallel on the host.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <type_traits>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/written_out.hpp>
#include <araia/formats/csr.hpp>
#include <araia/io/host_coo.hpp>

namespace araia {

/// Most entries the assembled matrix can have: the stored ones, and their mirror images where there is symmetry.
/// What decides whether 32-bit offsets do.
[[nodiscard]] std::int64_t most_entries(HostCoo const& coo);

namespace detail {
/// Types for which the library assembles, in every build.
template <class Scalar, class Ordinal, class Offset>
inline constexpr bool has_assembly =
    is_listed<AllScalars, Scalar>&& std::is_same_v<Ordinal, std::int32_t>&& is_listed<AllOffsets, Offset>;
}  // namespace detail

/// The sorted Csr of a file's entries. A pattern gives a matrix without values (all ones); its duplicates are one
/// entry, as no value could be their sum.
/// \tparam Scalar double, float or Kokkos::complex<double>; integers and reals convert, complex entries need the latter
/// \tparam Ordinal, Offset  std::int32_t, and std::int32_t or std::int64_t
/// \throws araia::Error invalid_structure where arrays differ in length, an index is out of range, or a matrix with
///         symmetry is not square or has entries on both sides of its diagonal; resource_limit where rows, cols or
///         entries do not fit the index types, or the result default_host_memory_limit(); invalid_argument where the
///         values are complex and Scalar is not
/// Cost      O(stored + rows) and the sorting of each unsorted row; peak memory beside the arguments: the result, and
///           an offset a row and thread
/// Rounding  duplicates are summed in Scalar, in file order, whatever the number of threads
template <class Scalar, class Ordinal = std::int32_t, class Offset = std::int32_t>
requires detail::has_assembly<Scalar, Ordinal, Offset> Csr<Scalar, Ordinal, Offset, HostDevice> assemble(
    HostCoo const& coo);

/// A copy of A in the memory of any device, complete when it returns. Waits for all work on every device.
/// \param exec   an instance of either memory's space
template <class Device, class Exec, class Scalar, class Ordinal, class Offset, class From>
auto copy_to(Exec const& exec, Csr<Scalar, Ordinal, Offset, From> const& A) {
  using value_type = std::remove_const_t<Scalar>;
  exec.fence("araia::copy_to: the source is complete");  // says why; the copies wait for more
  Csr<value_type, Ordinal, Offset, Device> B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  B.row_offsets = detail::copy_of<Device>(A.row_offsets);
  B.col_indices = detail::copy_of<Device>(A.col_indices);
  if (A.has_values()) B.values = detail::copy_of<Device>(A.values);
  if (A.row_permutation.extent(0) != 0) B.row_permutation = detail::copy_of<Device>(A.row_permutation);
  return B;
}

}  // namespace araia
