// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Formats and dense operands over memory that the application holds already: pointers, std::span, mdspan. Nothing is
// copied and nothing is owned: what is wrapped must outlive the wrapper.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include <araia/formats/coo.hpp>
#include <araia/formats/csc.hpp>
#include <araia/formats/csr.hpp>
#include <araia/formats/make_csr.hpp>

namespace araia {

namespace detail {
template <class Device, class T>
Kokkos::View<T*, Device> wrapped(std::span<T> elements) {
  return Kokkos::View<T*, Device>(elements.data(), elements.size());
}
}  // namespace detail

/// A Csr over the caller's arrays.
/// \param row_offsets  (rows + 1), or empty where rows == 0
/// \param col_indices  (nnz)
/// \param values       (nnz), or empty: a pattern
/// \throws araia::Error (invalid_structure) naming the broken rule and its first place
/// Cost    O(rows + nnz) of checking, no copy; fences exec
template <class Exec, class Offset, class Ordinal, class Scalar>
Csr<Scalar, Ordinal, Offset, typename Exec::device_type> wrap_csr(Exec const& exec, std::int64_t rows,
                                                                  std::int64_t cols,
                                                                  std::span<Offset const> row_offsets,
                                                                  std::span<Ordinal const> col_indices,
                                                                  std::span<Scalar> values) {
  using Device = typename Exec::device_type;
  return make_csr(exec, rows, cols, static_cast<std::int64_t>(col_indices.size()), detail::wrapped<Device>(row_offsets),
                  detail::wrapped<Device>(col_indices), detail::wrapped<Device>(values));
}

/// A Csc over the caller's arrays, as wrap_csr.
/// \param col_offsets  (cols + 1), or empty where cols == 0
template <class Exec, class Offset, class Ordinal, class Scalar>
Csc<Scalar, Ordinal, Offset, typename Exec::device_type> wrap_csc(Exec const& exec, std::int64_t rows,
                                                                  std::int64_t cols,
                                                                  std::span<Offset const> col_offsets,
                                                                  std::span<Ordinal const> row_indices,
                                                                  std::span<Scalar> values) {
  using Device = typename Exec::device_type;
  Csc<Scalar, Ordinal, Offset, Device> A{
      .rows = rows, .cols = cols, .nnz = static_cast<std::int64_t>(row_indices.size())};
  A.col_offsets = detail::wrapped<Device>(col_offsets);
  A.row_indices = detail::wrapped<Device>(row_indices);
  A.values = detail::wrapped<Device>(values);
  validate(exec, A);
  return A;
}

/// A Coo over the caller's arrays, as wrap_csr.
/// \param sorted  entries are ordered by row: faster products; checked
template <class Exec, class Ordinal, class Scalar>
Coo<Scalar, Ordinal, typename Exec::device_type> wrap_coo(Exec const& exec, std::int64_t rows, std::int64_t cols,
                                                          std::span<Ordinal const> row_indices,
                                                          std::span<Ordinal const> col_indices,
                                                          std::span<Scalar> values, bool sorted = false) {
  using Device = typename Exec::device_type;
  if (row_indices.size() != col_indices.size())
    throw Error(ErrorKind::invalid_structure, "araia::wrap_coo: " + std::to_string(row_indices.size()) +
                                                  " row indices and " + std::to_string(col_indices.size()) +
                                                  " column indices, expected as many");
  Coo<Scalar, Ordinal, Device> A{.rows = rows, .cols = cols, .nnz = static_cast<std::int64_t>(col_indices.size())};
  A.row_indices = detail::wrapped<Device>(row_indices);
  A.col_indices = detail::wrapped<Device>(col_indices);
  A.values = detail::wrapped<Device>(values);
  A.sorted = sorted;
  validate(exec, A);
  return A;
}

/// A View over an mdspan of rank 1 or 2 with strided elements (std::mdspan or another of its interface), for products.
/// \tparam Space  memory space that the elements are in
template <class Space, class Mdspan>
requires requires(Mdspan const& m) {
  m.data_handle();
  m.stride(0);
  m.extent(0);
}
auto wrap_mdspan(Mdspan const& m) {
  using T = std::remove_pointer_t<std::decay_t<decltype(m.data_handle())>>;
  static_assert(Mdspan::rank() == 1 || Mdspan::rank() == 2, "araia::wrap_mdspan: the mdspan must be of rank 1 or 2");
  auto const size = [](auto extent) { return static_cast<std::size_t>(extent); };
  if constexpr (Mdspan::rank() == 1) {
    return Kokkos::View<T*, Kokkos::LayoutStride, Space, Kokkos::MemoryUnmanaged>(
        m.data_handle(), Kokkos::LayoutStride(size(m.extent(0)), size(m.stride(0))));
  } else {
    return Kokkos::View<T**, Kokkos::LayoutStride, Space, Kokkos::MemoryUnmanaged>(
        m.data_handle(),
        Kokkos::LayoutStride(size(m.extent(0)), size(m.stride(0)), size(m.extent(1)), size(m.stride(1))));
  }
}

}  // namespace araia
