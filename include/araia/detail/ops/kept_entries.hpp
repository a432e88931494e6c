// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the structural operations share: a check of the row order, and a matrix of some of another's entries.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <type_traits>

#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/error.hpp>
#include <araia/formats/csr.hpp>

namespace araia::detail {

/// \throws araia::Error unsupported where the stored rows are not the matrix's
template <class Matrix>
void require_matrix_order(char const* what, Matrix const& A) {
  if (A.row_permutation.extent(0) != 0)
    throw Error(ErrorKind::unsupported,
                std::string(what) + ": the rows of A are permuted, expected matrix order: to_csr(exec, A) first");
}

/// The entries k of A with keep(k), in their order; the value of each is value_of(k). Fences exec.
template <class Exec, class Scalar, class Ordinal, class Offset, class Device, class Keep, class ValueOf>
static Csr<std::remove_const_t<Scalar>, Ordinal, Offset, Device> kept_entries(
    Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A, Keep const& keep, ValueOf const& value_of) {
  using value_type = std::remove_const_t<Scalar>;
  auto const a = A.pointers();
  auto const place = new_array<Offset, Device>(exec, "araia::kept_entries::place", A.nnz + 1);
  Offset kept{};
  scan_indices(
      "araia::kept_entries::place", IndexRange<Exec>(exec, 0, A.nnz + 1),
      KOKKOS_LAMBDA(std::int64_t k, Offset & sum, bool final) {
        if (final) place(k) = sum;
        if (k < a.nnz && keep(k)) ++sum;
      },
      kept);
  exec.fence("araia::kept_entries: how many");
  Csr<value_type, Ordinal, Offset, Device> B{.rows = A.rows, .cols = A.cols, .nnz = static_cast<std::int64_t>(kept)};
  auto const offsets = new_array<Offset, Device>(exec, "araia::csr::row_offsets", A.rows + 1);
  bool const rowless = A.row_offsets.extent(0) == 0;
  for_each_index(
      "araia::kept_entries::offsets", IndexRange<Exec>(exec, 0, A.rows + 1),
      KOKKOS_LAMBDA(std::int64_t i) { offsets(i) = rowless ? Offset{} : place(a.row_offsets[i]); });
  auto const cols = new_array<Ordinal, Device>(exec, "araia::csr::col_indices", B.nnz);
  bool const filled = A.has_values();
  auto const values =
      filled ? new_array<value_type, Device>(exec, "araia::csr::values", B.nnz) : Kokkos::View<value_type*, Device>();
  for_each_index(
      "araia::kept_entries::entries", IndexRange<Exec>(exec, 0, A.nnz), KOKKOS_LAMBDA(std::int64_t k) {
        if (place(k + 1) == place(k)) return;
        cols(place(k)) = a.col_indices[k];
        if (filled) values(place(k)) = value_of(k);
      });
  B.row_offsets = offsets;
  B.col_indices = cols;
  B.values = values;
  return B;
}

}  // namespace araia::detail
