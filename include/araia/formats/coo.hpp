// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Coordinates: one row and one column index an entry, in any order.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/formats/csr.hpp>

namespace araia {

/// `sorted` promises ascending row indices, which the segmented kernel needs; columns may be in any order.
template <class Scalar, class Ordinal = std::int32_t, class Device = DefaultDevice>
struct Coo {
  using value_type = std::remove_const_t<Scalar>;
  using ordinal_type = Ordinal;
  using size_type = std::int64_t;
  using device_type = typename Kokkos::View<int*, Device>::device_type;
  using execution_space = typename device_type::execution_space;
  using memory_space = typename device_type::memory_space;
  using pointers_type = CooPointers<value_type, Ordinal>;
  static constexpr char const* format_name = "coo";

  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  Kokkos::View<Ordinal const*, Device> row_indices{};  // (nnz) 0 <= r < rows
  Kokkos::View<Ordinal const*, Device> col_indices{};  // (nnz) 0 <= c < cols
  Kokkos::View<Scalar*, Device> values{};              // (nnz), or empty: pattern-only, all ones
  bool sorted = false;                                 // by row

  [[nodiscard]] bool has_values() const { return values.extent(0) != 0; }
  [[nodiscard]] std::int64_t stored() const { return nnz; }

  /// Exact bytes of the arrays as allocated.
  [[nodiscard]] std::uint64_t bytes() const {
    return (row_indices.extent(0) + col_indices.extent(0)) * sizeof(Ordinal) + values.extent(0) * sizeof(value_type);
  }

  [[nodiscard]] pointers_type pointers() const {
    return {.rows = rows,
            .cols = cols,
            .nnz = nnz,
            .row_indices = row_indices.data(),
            .col_indices = col_indices.data(),
            .values = has_values() ? values.data() : nullptr,
            .sorted = sorted};
  }
};

/// Checks every invariant of the format on the execution space, `sorted` included.
/// \throws araia::Error (invalid_structure) naming the broken rule and its first place
/// Cost    O(nnz); fences exec
template <class Exec, class Scalar, class Ordinal, class Device>
static void validate(Exec const& exec, Coo<Scalar, Ordinal, Device> const& A) {
  using detail::require_extent, detail::require_rule;
  if (A.rows < 0 || A.cols < 0 || A.nnz < 0) detail::throw_structure("coo: rows, cols and nnz must not be negative");
  require_extent("coo", "row_indices", A.row_indices.extent(0), A.nnz);
  require_extent("coo", "col_indices", A.col_indices.extent(0), A.nnz);
  if (A.has_values()) require_extent("coo", "values", A.values.extent(0), A.nnz);
  auto const a = A.pointers();
  require_rule(
      exec, a.nnz, "coo", "row_indices must lie in [0, rows)", "entry",
      KOKKOS_LAMBDA(std::int64_t k) { return a.row_indices[k] < 0 || a.row_indices[k] >= a.rows; });
  require_rule(
      exec, a.nnz, "coo", "col_indices must lie in [0, cols)", "entry",
      KOKKOS_LAMBDA(std::int64_t k) { return a.col_indices[k] < 0 || a.col_indices[k] >= a.cols; });
  if (A.sorted)
    require_rule(
        exec, a.nnz - 1, "coo", "row_indices must ascend where `sorted` is set", "entry",
        KOKKOS_LAMBDA(std::int64_t k) { return a.row_indices[k] > a.row_indices[k + 1]; });
}

/// A checked Coo over the caller's Views (no copy).
/// \throws araia::Error (invalid_structure)
template <class Exec, class Scalar, class Ordinal, class Device>
Coo<Scalar, Ordinal, Device> make_coo(Exec const& exec, std::int64_t rows, std::int64_t cols,
                                      Kokkos::View<Ordinal const*, Device> row_indices,
                                      Kokkos::View<Ordinal const*, Device> col_indices,
                                      Kokkos::View<Scalar*, Device> values, bool sorted = false) {
  Coo<Scalar, Ordinal, Device> A{.rows = rows,
                                 .cols = cols,
                                 .nnz = static_cast<std::int64_t>(col_indices.extent(0)),
                                 .row_indices = row_indices,
                                 .col_indices = col_indices,
                                 .values = values,
                                 .sorted = sorted};
  validate(exec, A);
  return A;
}

}  // namespace araia
