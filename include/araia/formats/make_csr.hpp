// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A Csr over the Views that an application holds already, of whatever types these are.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include <araia/error.hpp>
#include <araia/formats/csr.hpp>

namespace araia {

struct CsrOptions {
  bool validate = true;  ///< check every invariant, which reads the pattern once; else the lengths of the arrays alone
};

namespace detail {

/// The array as a format holds it: the same memory, shared where the View shares it.
/// \throws araia::Error invalid_argument where elements are not next to each other
template <class Target, class View>
static Target shared_array(char const* name, View const& view) {
  if (view.extent(0) == 0) return {};
  if (view.stride(0) != 1)  // Kokkos would end the program
    throw Error(ErrorKind::invalid_argument, std::string("araia::make_csr: ") + name + " has stride " +
                                                 std::to_string(view.stride(0)) + ", expected 1");
  return view;
}

inline void require_room(char const* array, std::size_t got, std::int64_t expected, char const* what) {
  if (static_cast<std::uint64_t>(got) < static_cast<std::uint64_t>(expected))
    throw_structure(std::string("araia::make_csr: ") + array + " holds " + std::to_string(got) +
                    " elements, expected " + what + " = " + std::to_string(expected));
}

}  // namespace detail

/// A Csr over the caller's Views. Nothing is copied: the result shares the memory, and keeps it alive where the Views
/// do.
/// \param rows, cols, nnz  of the matrix; the Views may be longer than it needs
/// \param row_offsets  (rows + 1) of any integer type, ascending from 0 to nnz; may be empty where rows == 0
/// \param col_indices  (nnz) of any integer type, 0 <= c < cols
/// \param values       (nnz), or empty: a pattern, whose entries are all ones
///        The three are Views of rank 1 in one memory space that exec reaches, of const elements or not, with any
///        memory traits but Atomic, and contiguous.
/// \throws araia::Error invalid_argument for negative sizes and strides; invalid_structure where an array is too short
/// or
///         breaks a rule of the format, naming the first place and what it holds
/// Cost    O(rows + nnz) of checking unless options.validate is false; fences exec then
template <class Exec, class RowOffsets, class ColIndices, class Values>
auto make_csr(Exec const& exec, std::int64_t rows, std::int64_t cols, std::int64_t nnz, RowOffsets const& row_offsets,
              ColIndices const& col_indices, Values const& values, CsrOptions const& options = {}) {
  static_assert(Kokkos::is_view_v<RowOffsets> && Kokkos::is_view_v<ColIndices> && Kokkos::is_view_v<Values>,
                "araia::make_csr: row_offsets, col_indices and values must be Kokkos Views; wrap_csr takes spans");
  static_assert(RowOffsets::rank() == 1 && ColIndices::rank() == 1 && Values::rank() == 1,
                "araia::make_csr: row_offsets, col_indices and values must be of rank 1");
  using Offset = typename RowOffsets::non_const_value_type;
  using Ordinal = typename ColIndices::non_const_value_type;
  using Memory = typename RowOffsets::memory_space;
  static_assert(std::is_integral_v<Offset> && std::is_integral_v<Ordinal>,
                "araia::make_csr: row_offsets and col_indices must be of integers");
  static_assert(std::is_same_v<typename ColIndices::memory_space, Memory> &&
                    std::is_same_v<typename Values::memory_space, Memory>,
                "araia::make_csr: row_offsets, col_indices and values must be in one memory space");
  static_assert(Kokkos::SpaceAccessibility<Exec, Memory>::accessible,
                "araia::make_csr: exec must reach the Views' memory; deep_copy brings them to where it does");
  static_assert(!RowOffsets::traits::memory_traits::is_atomic && !ColIndices::traits::memory_traits::is_atomic &&
                    !Values::traits::memory_traits::is_atomic,
                "araia::make_csr: Views of atomic elements are for updates; assign them to Views without that trait");
  if (rows < 0 || cols < 0 || nnz < 0)
    throw Error(ErrorKind::invalid_argument, "araia::make_csr: rows, cols and nnz are " + std::to_string(rows) + ", " +
                                                 std::to_string(cols) + " and " + std::to_string(nnz) +
                                                 ", expected 0 or more");
  using Matrix = Csr<typename Values::value_type, Ordinal, Offset, Kokkos::Device<Exec, Memory>>;
  Matrix A{.rows = rows, .cols = cols, .nnz = nnz};
  A.row_offsets = detail::shared_array<decltype(A.row_offsets)>("row_offsets", row_offsets);
  A.col_indices = detail::shared_array<decltype(A.col_indices)>("col_indices", col_indices);
  A.values = detail::shared_array<decltype(A.values)>("values", values);
  if (rows == std::numeric_limits<std::int64_t>::max())  // rows + 1 has no place
    detail::throw_structure("araia::make_csr: rows is " + std::to_string(rows) + ", expected fewer");
  if (rows > 0 || A.row_offsets.extent(0) > 0)
    detail::require_room("row_offsets", A.row_offsets.extent(0), rows + 1, "rows + 1");
  detail::require_room("col_indices", A.col_indices.extent(0), nnz, "nnz");
  if (A.has_values()) detail::require_room("values", A.values.extent(0), nnz, "nnz");
  if (options.validate) validate(exec, A);
  return A;
}

}  // namespace araia
