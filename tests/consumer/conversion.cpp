// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A conversion that the library brings compiled, and one that is compiled here, of one matrix.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/formats/convert.hpp>

namespace {

template <class Scalar>
bool by_columns(araia::Csr<Scalar> const& A) {
  Kokkos::DefaultExecutionSpace const exec;
  auto const B = araia::csr_to_csc(exec, A);
  auto const rows = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), B.row_indices);
  auto const values = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), B.values);
  return B.nnz == 3 && rows(0) == 0 && rows(1) == 1 && rows(2) == 0 && values(0) == Scalar{1} &&
         values(1) == Scalar{3} && values(2) == Scalar{2};
}

}  // namespace

// A is [1 0 2; 0 3 0].
bool converts(araia::Csr<double> const& A) {
  static_assert(araia::detail::is_ready_source<Kokkos::DefaultExecutionSpace, araia::Csr<double>>);
  static_assert(!araia::detail::is_ready_source<Kokkos::DefaultExecutionSpace, araia::Csr<std::int64_t>>);
  araia::Csr<std::int64_t> integers{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  integers.row_offsets = A.row_offsets;
  integers.col_indices = A.col_indices;
  integers.values = Kokkos::View<std::int64_t*>("values", 3);
  Kokkos::deep_copy(integers.values, A.values);
  return by_columns(A) && by_columns(integers);
}
