// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Csr -> Coo.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <cstdint>
#include <type_traits>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/formats/conversion_steps.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/ready_made.hpp>
#include <araia/detail/formats/row_access.hpp>
#include <araia/formats/coo.hpp>
#include <araia/formats/csr.hpp>

namespace araia {

/// Refills B with the values of A, whose structure it was made from.
/// Cost    O(nnz), one kernel, no allocation; asynchronous on exec
template <class Exec, class S, class O, class D, class AS, class F, class AD>
static void update_values(Exec const& exec, Coo<S, O, D> const& B, Csr<AS, O, F, AD> const& A) {
  detail::require_same_structure(detail::sizes_agree(B, A), "Coo");
  if (!B.has_values()) return;
  auto const target = B.values;
  auto const source = A.values;
  detail::for_each_index(
      "araia::update_values::coo", detail::IndexRange<Exec>(exec, 0, A.nnz),
      KOKKOS_LAMBDA(std::int64_t k) { target(k) = static_cast<typename Coo<S, O, D>::value_type>(source(k)); });
}

namespace detail {
/// What csr_to_coo does, of any types.
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Coo<std::remove_const_t<Scalar>, Ordinal, Device> csr_to_coo_here(
    Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A) {
  using Format = Coo<std::remove_const_t<Scalar>, Ordinal, Device>;
  require_same_memory<Exec, Csr<Scalar, Ordinal, Offset, Device>>();
  Kokkos::Profiling::ScopedRegion const region("araia::csr_to_coo");
  if (A.rows > 0) require_fits<Ordinal>("araia::csr_to_coo: the last row's index", A.rows - 1);
  Format B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  B.sorted = A.row_permutation.extent(0) == 0;
  auto const rows = new_array<Ordinal, Device>(exec, "araia::coo::row_indices", A.nnz);
  auto const cols = new_array<Ordinal, Device>(exec, "araia::coo::col_indices", A.nnz);
  auto const a = A.pointers();
  for_each_row_entry(
      exec, "araia::csr_to_coo::structure", a, KOKKOS_LAMBDA(std::int64_t row, std::int64_t, std::int64_t k) {
        rows(k) = static_cast<Ordinal>(matrix_row(a, row));
        cols(k) = a.col_indices[k];
      });
  B.row_indices = rows;
  B.col_indices = cols;
  if (A.has_values()) {
    B.values = new_array<typename Format::value_type, Device>(exec, "araia::coo::values", A.nnz);
    update_values(exec, B, A);
  }
  return B;
}

/// The same from the library.
template <class Exec, class A>
Coo<A, std::int32_t, typename Exec::device_type> csr_to_coo_ready(Exec const& exec, ReadySource<Exec, A> const& source);
}  // namespace detail

struct CooOptions {
  bool validate = true;  ///< check A first; else it is trusted, and a broken one ends in anything
};

/// A as coordinates, entries in the order of A; sorted by row unless A's rows are permuted.
/// \throws araia::Error invalid_structure where A breaks a rule of its format, unless options.validate is false;
///         resource_limit where a row's index does not fit Ordinal
/// Cost    O(rows + nnz); allocates the result; the check fences exec, the rest is asynchronous on it
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Coo<std::remove_const_t<Scalar>, Ordinal, Device> csr_to_coo(Exec const& exec,
                                                                    Csr<Scalar, Ordinal, Offset, Device> const& A,
                                                                    CooOptions const& options = {}) {
  if (options.validate) validate(exec, A);
  if constexpr (detail::is_ready_source<Exec, Csr<Scalar, Ordinal, Offset, Device>>)
    return detail::csr_to_coo_ready<Exec, std::remove_const_t<Scalar>>(exec, detail::ready_source<Exec>(A));
  else
    return detail::csr_to_coo_here(exec, A);
}

}  // namespace araia
