// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The transpose as a matrix of its own.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <string>
#include <type_traits>

#include <araia/detail/formats/format_bytes.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/formats/transposition.hpp>
#include <araia/formats/csr.hpp>

namespace araia {

/// op(A) as a Csr: entries of a row in the order of A's stored rows, duplicates kept.
/// \param exec  queue of the work
/// \param A     Csr that exec reaches, valid by validate(); a row permutation is applied
/// \param op    transpose, or conjugate_transpose
/// \throws araia::Error invalid_argument for any other op; resource_limit where a row's index does not fit Ordinal, or
///         where the result takes more than all memory
/// Cost      O(rows + cols + nnz); allocates the result, and 16 bytes and an Ordinal an entry on a device while it
///           works; fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Csr<std::remove_const_t<Scalar>, Ordinal, Offset, Device> transpose(
    Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A, Op op = Op::transpose) {
  using Source = Csr<Scalar, Ordinal, Offset, Device>;
  using value_type = typename Source::value_type;
  detail::require_same_memory<Exec, Source>();
  if (!transposes(op))
    throw Error(ErrorKind::invalid_argument, std::string("araia::transpose: op is ") +
                                                 (conjugates(op) ? "conjugate" : "none") +
                                                 ", expected transpose or conjugate_transpose");
  Kokkos::Profiling::ScopedRegion const region("araia::transpose");
  auto const a = A.pointers();
  using Result = Csr<value_type, Ordinal, Offset, Device>;
  detail::require_csr_memory<Result>("araia::transpose: the transpose", A.cols, A.nnz, A.has_values());
  Result B{.rows = A.cols, .cols = A.rows, .nnz = A.nnz};
  if (A.has_values()) B.values = detail::new_array<value_type, Device>(exec, "araia::csr::values", A.nnz);
  auto const t = detail::transposition<Offset, Device>(
      exec, a,
      detail::PlaceEntry<value_type, value_type>{B.values.data(), a.values, {}, op == Op::conjugate_transpose});
  B.row_offsets = t.col_offsets;
  B.col_indices = t.row_indices;
  return B;
}

}  // namespace araia
