// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The sum of two matrices.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/scalar.hpp>
#include <araia/detail/ops/kept_entries.hpp>
#include <araia/formats/csr.hpp>
#include <araia/ops/sum_duplicates.hpp>

namespace araia {

/// alpha A + beta B: an entry wherever A or B stores one, columns of every row strictly ascending; what falls together
/// is added in the order A, B. A factor of zero keeps its matrix's places and does not read its values.
/// \param exec         queue of the work
/// \param A, B         Csr of one shape that exec reaches, valid by validate(), rows in matrix order, columns in any
///                     order; absent values are ones
/// \throws araia::Error dimension_mismatch naming both shapes; resource_limit where the entries of both do not fit
///         Offset; unsupported where rows are permuted
/// Cost      sum_duplicates of nnz(A) + nnz(B) entries, with a copy of them as workspace; allocates the result; fences
///           exec
/// Rounding  two roundings a stored entry: scaling and adding
template <class Exec, class ScalarA, class ScalarB, class Ordinal, class Offset, class Device>
static Csr<std::remove_const_t<ScalarA>, Ordinal, Offset, Device> add(
    Exec const& exec, std::type_identity_t<accumulator_t<std::remove_const_t<ScalarA>>> alpha,
    Csr<ScalarA, Ordinal, Offset, Device> const& A,
    std::type_identity_t<accumulator_t<std::remove_const_t<ScalarA>>> beta,
    Csr<ScalarB, Ordinal, Offset, Device> const& B) {
  using Source = Csr<ScalarA, Ordinal, Offset, Device>;
  using value_type = typename Source::value_type;
  using Sum = accumulator_t<value_type>;
  static_assert(std::is_same_v<value_type, std::remove_const_t<ScalarB>>,
                "araia::add: A and B must have one scalar type");
  detail::require_same_memory<Exec, Source>();
  detail::require_matrix_order("araia::add", A);
  detail::require_matrix_order("araia::add", B);
  if (A.rows != B.rows || A.cols != B.cols)
    throw Error(ErrorKind::dimension_mismatch, "araia::add: A is " + std::to_string(A.rows) + " x " +
                                                   std::to_string(A.cols) + ", B is " + std::to_string(B.rows) + " x " +
                                                   std::to_string(B.cols) + ", expected one shape");
  std::int64_t const both = A.nnz > std::numeric_limits<std::int64_t>::max() - B.nnz
                                ? std::numeric_limits<std::int64_t>::max()
                                : A.nnz + B.nnz;
  detail::require_fits<Offset>("araia::add: entries of A and B", both);
  Kokkos::Profiling::ScopedRegion const region("araia::add");
  Csr<value_type, Ordinal, Offset, Device> C{.rows = A.rows, .cols = A.cols, .nnz = both};
  auto const a = A.pointers();
  auto const b = B.pointers();
  auto const offsets = detail::new_array<Offset, Device>(exec, "araia::csr::row_offsets", A.rows + 1);
  bool const a_rowless = !a.row_offsets;
  bool const b_rowless = !b.row_offsets;
  detail::for_each_index(
      "araia::add::offsets", detail::IndexRange<Exec>(exec, 0, A.rows + 1), KOKKOS_LAMBDA(std::int64_t i) {
        offsets(i) = static_cast<Offset>((a_rowless ? 0 : a.row_offsets[i]) + (b_rowless ? 0 : b.row_offsets[i]));
      });
  auto const cols = detail::new_array<Ordinal, Device>(exec, "araia::csr::col_indices", both);
  auto const values = detail::new_array<value_type, Device>(exec, "araia::csr::values", both);
  C.row_offsets = offsets;
  C.col_indices = cols;
  C.values = values;
  // A row of C is the row of A and then that of B.
  detail::for_each_row_entry(
      exec, "araia::add::entries", C.pointers(), KOKKOS_LAMBDA(std::int64_t i, std::int64_t j, std::int64_t to) {
        std::int64_t const of_a = detail::row_span(a, i).count;
        bool const from_a = j < of_a;
        std::int64_t const k = from_a ? static_cast<std::int64_t>(a.row_offsets[i]) + j
                                      : static_cast<std::int64_t>(b.row_offsets[i]) + j - of_a;
        Sum const factor = from_a ? alpha : beta;
        cols(to) = from_a ? a.col_indices[k] : b.col_indices[k];
        if (factor == Sum{})
          values(to) = value_type{};
        else
          values(to) = static_cast<value_type>(
              factor * (from_a ? detail::entry_value<Sum>(a, k) : detail::entry_value<Sum>(b, k)));
      });
  return sum_duplicates(exec, C);
}

}  // namespace araia
