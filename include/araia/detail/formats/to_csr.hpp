// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Csr of any rows, and of coordinates.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <cstdint>
#include <type_traits>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/assembly/sort_keys.hpp>
#include <araia/detail/formats/conversion_steps.hpp>
#include <araia/detail/formats/format_bytes.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/row_access.hpp>
#include <araia/formats/coo.hpp>
#include <araia/formats/csr.hpp>

namespace araia {

/// Rows in matrix order, without a permutation; entries of a row keep their order.
/// Cost    O(rows + nnz); allocates the result; asynchronous on exec
template <class Offset = std::int32_t, class Exec, class Matrix>
requires requires(Matrix m) { m.row_permutation; }
static Csr<typename Matrix::value_type, typename Matrix::ordinal_type, Offset, typename Matrix::device_type> to_csr(
    Exec const& exec, Matrix const& A) {
  using Ordinal = typename Matrix::ordinal_type;
  using Device = typename Matrix::device_type;
  using value_type = typename Matrix::value_type;
  detail::require_same_memory<Exec, Matrix>();
  Kokkos::Profiling::ScopedRegion const region("araia::to_csr");
  detail::require_fits<Offset>("araia::to_csr: nnz", A.nnz);
  Csr<value_type, Ordinal, Offset, Device> B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  auto const a = A.pointers();
  auto const offsets = detail::new_array<Offset, Device>(exec, "araia::csr::row_offsets", A.rows + 1);
  detail::for_each_index(
      "araia::to_csr::counts", detail::IndexRange<Exec>(exec, -1, A.rows), KOKKOS_LAMBDA(std::int64_t row) {
        if (row < 0)
          offsets(0) = 0;
        else
          offsets(detail::matrix_row(a, row) + 1) = static_cast<Offset>(detail::row_span(a, row).count);
      });
  detail::counts_to_offsets(exec, offsets, A.rows);
  auto const cols = detail::new_array<Ordinal, Device>(exec, "araia::csr::col_indices", A.nnz);
  auto const values = A.has_values() ? detail::new_array<value_type, Device>(exec, "araia::csr::values", A.nnz)
                                     : Kokkos::View<value_type*, Device>();
  detail::for_each_row_entry(
      exec, "araia::to_csr::entries", a, KOKKOS_LAMBDA(std::int64_t row, std::int64_t j, std::int64_t k) {
        std::int64_t const to = static_cast<std::int64_t>(offsets(detail::matrix_row(a, row))) + j;
        cols(to) = a.col_indices[k];
        if (a.values) values(to) = a.values[k];
      });
  B.row_offsets = offsets;
  B.col_indices = cols;
  B.values = values;
  return B;
}

/// Csr of coordinates: entries of a row keep their order, sorted or not; duplicates stay.
/// \throws araia::Error resource_limit where unsorted entries or rows number 2^32 or more, or the result takes
///         more than all memory
/// Cost    O(rows + nnz), and a sort of nnz 64-bit keys where A is not sorted; allocates the result; fences exec
template <class Offset = std::int32_t, class Exec, class S, class Ordinal, class Device>
static Csr<std::remove_const_t<S>, Ordinal, Offset, Device> to_csr(Exec const& exec, Coo<S, Ordinal, Device> const& A) {
  using value_type = typename Coo<S, Ordinal, Device>::value_type;
  detail::require_same_memory<Exec, Coo<S, Ordinal, Device>>();
  Kokkos::Profiling::ScopedRegion const region("araia::to_csr");
  detail::require_fits<Offset>("araia::to_csr: nnz", A.nnz);
  using Result = Csr<value_type, Ordinal, Offset, Device>;
  detail::require_csr_memory<Result>("araia::to_csr: the matrix", A.rows, A.nnz, A.has_values());
  Result B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  auto const a = A.pointers();
  Kokkos::View<std::uint64_t*, typename Exec::memory_space> order;
  if (!A.sorted && A.nnz > 0) {
    detail::require_fits<std::uint32_t>("araia::to_csr: nnz of unsorted entries", A.nnz - 1);
    detail::require_fits<std::uint32_t>("araia::to_csr: rows of unsorted entries", A.rows - 1);
    order = detail::new_keys(exec, "araia::to_csr::order", A.nnz);
    detail::for_each_index(
        "araia::to_csr::keys", detail::IndexRange<Exec>(exec, 0, A.nnz),
        KOKKOS_LAMBDA(std::int64_t k) { order(k) = detail::make_key(a.row_indices[k], k); });
    detail::sort_keys(exec, order, detail::key_order_bits(A.rows - 1));
  }
  auto const cols = detail::new_array<Ordinal, Device>(exec, "araia::csr::col_indices", A.nnz);
  auto const values = A.has_values() ? detail::new_array<value_type, Device>(exec, "araia::csr::values", A.nnz)
                                     : Kokkos::View<value_type*, Device>();
  auto const offsets = detail::zeroed_view<Kokkos::View<Offset*, Device>>(exec, "araia::csr::row_offsets", A.rows + 1);
  bool const sorted = A.sorted;
  detail::for_each_index(
      "araia::to_csr::entries", detail::IndexRange<Exec>(exec, 0, A.nnz), KOKKOS_LAMBDA(std::int64_t k) {
        std::int64_t const from = sorted ? k : detail::key_position(order(k));
        Kokkos::atomic_inc(&offsets(a.row_indices[from] + 1));
        cols(k) = a.col_indices[from];
        if (a.values) values(k) = a.values[from];
      });
  detail::counts_to_offsets(exec, offsets, A.rows);
  B.row_offsets = offsets;
  B.col_indices = cols;
  B.values = values;
  return B;
}

}  // namespace araia
