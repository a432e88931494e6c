// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// ELLPACK with row lengths: every row padded to the longest, column-major so that a thread a row reads coalesced.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/formats/csr.hpp>

namespace araia {

/// Entry j of stored row i is at (i, j). Reading stops at row_lengths(i): padding is never multiplied.
/// Row i of the arrays is row `row_permutation(i)` of the matrix, or row i where that View is empty.
template <class Scalar, class Ordinal = std::int32_t, class Device = DefaultDevice>
struct Ell {
  using value_type = std::remove_const_t<Scalar>;
  using ordinal_type = Ordinal;
  using size_type = std::int64_t;
  using device_type = typename Kokkos::View<int*, Device>::device_type;
  using execution_space = typename device_type::execution_space;
  using memory_space = typename device_type::memory_space;
  using pointers_type = EllPointers<value_type, Ordinal>;
  static constexpr char const* format_name = "ell";

  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  std::int64_t width = 0;                                                   // longest row
  Kokkos::View<Ordinal const*, Device> row_lengths{};                       // (rows) 0 <= length <= width
  Kokkos::View<Ordinal const**, Kokkos::LayoutLeft, Device> col_indices{};  // (rows, width) 0 <= c < cols; padding: 0
  Kokkos::View<Scalar**, Kokkos::LayoutLeft, Device> values{};  // (rows, width), or empty: all ones; padding: 0
  Kokkos::View<Ordinal const*, Device> row_permutation{};       // (rows) a permutation, or empty: identity

  [[nodiscard]] bool has_values() const { return values.size() != 0; }

  /// Entries kept in memory, padding included: rows * width.
  [[nodiscard]] std::int64_t stored() const { return rows * width; }

  /// Exact bytes of the arrays as allocated.
  [[nodiscard]] std::uint64_t bytes() const {
    return (row_lengths.size() + col_indices.size() + row_permutation.size()) * sizeof(Ordinal) +
           values.size() * sizeof(value_type);
  }

  [[nodiscard]] pointers_type pointers() const {
    return {.rows = rows,
            .cols = cols,
            .nnz = nnz,
            .width = width,
            .ld = rows,
            .row_lengths = row_lengths.data(),
            .col_indices = col_indices.data(),
            .values = has_values() ? values.data() : nullptr,
            .row_permutation = row_permutation.extent(0) != 0 ? row_permutation.data() : nullptr};
  }
};

/// Checks every invariant of the format on the execution space.
/// \throws araia::Error (invalid_structure) naming the broken rule and its first place
/// Cost    O(stored); fences exec
template <class Exec, class Scalar, class Ordinal, class Device>
static void validate(Exec const& exec, Ell<Scalar, Ordinal, Device> const& A) {
  using detail::require_rule;
  if (A.rows < 0 || A.cols < 0 || A.nnz < 0 || A.width < 0)
    detail::throw_structure("ell: rows, cols, nnz and width must not be negative");
  auto const require_shape = [&](char const* array, auto const& view) {
    if (static_cast<std::int64_t>(view.extent(0)) != A.rows || static_cast<std::int64_t>(view.extent(1)) != A.width ||
        !view.span_is_contiguous())
      detail::throw_structure(std::string("ell: ") + array + " must be (rows, width) = (" + std::to_string(A.rows) +
                              ", " + std::to_string(A.width) + ") and contiguous, got (" +
                              std::to_string(view.extent(0)) + ", " + std::to_string(view.extent(1)) + ')');
  };
  detail::require_extent("ell", "row_lengths", A.row_lengths.extent(0), A.rows);
  require_shape("col_indices", A.col_indices);
  if (A.has_values()) require_shape("values", A.values);
  auto const a = A.pointers();
  require_rule(
      exec, a.rows, "ell", "row_lengths must lie in [0, width]", "row",
      KOKKOS_LAMBDA(std::int64_t i) { return a.row_lengths[i] < 0 || a.row_lengths[i] > a.width; });
  std::int64_t total = 0;
  detail::reduce_indices(
      "araia::validate::ell::nnz", detail::IndexRange<Exec>(exec, 0, a.rows),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & sum) { sum += a.row_lengths[i]; }, total);
  if (total != A.nnz)
    detail::throw_structure("ell: row_lengths must add up to nnz = " + std::to_string(A.nnz) + ", got " +
                            std::to_string(total));
  require_rule(
      exec, a.rows * a.width, "ell", "col_indices must lie in [0, cols) within a row's length", "slot",
      KOKKOS_LAMBDA(std::int64_t k) {
        return k / a.rows < a.row_lengths[k % a.rows] && (a.col_indices[k] < 0 || a.col_indices[k] >= a.cols);
      });
  if (A.row_permutation.extent(0) != 0) detail::require_permutation(exec, "ell", A.row_permutation, A.rows);
}

}  // namespace araia
