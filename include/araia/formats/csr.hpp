// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Compressed sparse rows, zero-copy over Views. Columns of a row may be in any order, duplicates are legal.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/formats/scalar.hpp>
#include <araia/detail/formats/validation.hpp>

namespace araia {

/// Device of the host's default execution space: where readers and assembly put their results.
using HostDevice = Kokkos::Device<Kokkos::DefaultHostExecutionSpace, Kokkos::HostSpace>;
using DefaultDevice = Kokkos::DefaultExecutionSpace::device_type;

namespace detail {
/// Unsigned 64-bit offsets are read as signed ones of the same width, which halves the kernels to build.
template <class Offset>
using signed_offset_t = std::conditional_t<std::is_unsigned_v<Offset>, std::make_signed_t<Offset>, Offset>;
}  // namespace detail

/// Row i of the arrays is row `row_permutation(i)` of the matrix, or row i where that View is empty.
/// Arrays may be longer than the matrix needs (capacity); only the first rows + 1 and nnz elements are read.
template <class Scalar, class Ordinal = std::int32_t, class Offset = std::int32_t, class Device = DefaultDevice>
struct Csr {
  using value_type = std::remove_const_t<Scalar>;
  using ordinal_type = Ordinal;
  using size_type = Offset;
  using device_type = typename Kokkos::View<int*, Device>::device_type;
  using execution_space = typename device_type::execution_space;
  using memory_space = typename device_type::memory_space;
  using pointers_type = CsrPointers<value_type, Ordinal, detail::signed_offset_t<Offset>>;
  static constexpr char const* format_name = "csr";

  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  Kokkos::View<Offset const*, Device> row_offsets{};       // (rows + 1) ascending from 0 to nnz
  Kokkos::View<Ordinal const*, Device> col_indices{};      // (nnz) 0 <= c < cols
  Kokkos::View<Scalar*, Device> values{};                  // (nnz), or empty: pattern-only, all ones
  Kokkos::View<Ordinal const*, Device> row_permutation{};  // (rows) a permutation, or empty: identity

  [[nodiscard]] bool has_values() const { return values.extent(0) != 0; }

  /// Entries kept in memory, padding included: nnz.
  [[nodiscard]] std::int64_t stored() const { return nnz; }

  /// Exact bytes of the arrays as allocated.
  [[nodiscard]] std::uint64_t bytes() const {
    return row_offsets.extent(0) * sizeof(Offset) + col_indices.extent(0) * sizeof(Ordinal) +
           values.extent(0) * sizeof(value_type) + row_permutation.extent(0) * sizeof(Ordinal);
  }

  /// The same rows and columns without values. What reads no value takes this, so that it is compiled once for all
  /// scalars.
  [[nodiscard]] Csr<char, Ordinal, Offset, Device> pattern() const {
    return {.rows = rows,
            .cols = cols,
            .nnz = nnz,
            .row_offsets = row_offsets,
            .col_indices = col_indices,
            .row_permutation = row_permutation};
  }

  /// What kernels capture. Valid while the Views live.
  [[nodiscard]] pointers_type pointers() const {
    return {.rows = rows,
            .cols = cols,
            .nnz = nnz,
            .row_offsets = reinterpret_cast<detail::signed_offset_t<Offset> const*>(row_offsets.data()),
            .col_indices = col_indices.data(),
            .values = has_values() ? values.data() : nullptr,
            .row_permutation = row_permutation.extent(0) != 0 ? row_permutation.data() : nullptr};
  }
};

namespace detail {
/// The row that entry k of ascending offsets belongs to, by halving: on the host's side, for messages.
template <class Exec, class Pointers>
static std::int64_t row_of_entry(Exec const& exec, Pointers const& a, std::int64_t k) {
  std::int64_t first = 0;
  std::int64_t last = a.rows;
  while (last - first > 1) {
    std::int64_t const middle = first + (last - first) / 2;
    (static_cast<std::int64_t>(value_at(exec, "araia::validate", a.row_offsets + middle)) <= k ? first : last) = middle;
  }
  return first;
}

/// Rules of the pattern but for the arrays' lengths: one pass over the rows, one over the entries.
template <class Exec, class Pointers>
static void validate_csr_pattern(Exec const& exec, Pointers const& a, bool has_offsets) {
  using Offset = typename Pointers::size_type;
  auto const offset = [&](std::int64_t i) {
    return std::to_string(value_at(exec, "araia::validate", a.row_offsets + i));
  };
  if (has_offsets) {
    auto const row = first_broken(
        exec, a.rows + 1, KOKKOS_LAMBDA(std::int64_t i) {
          Offset const own = a.row_offsets[i];
          if (i == 0 && own != 0) return true;
          return i < a.rows ? a.row_offsets[i + 1] < own : static_cast<std::int64_t>(own) != a.nnz;
        });
    if (row == 0 && value_at(exec, "araia::validate", a.row_offsets) != 0)
      throw_structure("csr: row_offsets(0) must be 0, it is " + offset(0));
    if (row < a.rows)
      throw_structure("csr: row_offsets must not descend (first broken at row " + std::to_string(row) +
                      "): row_offsets(" + std::to_string(row) + ") is " + offset(row) + ", row_offsets(" +
                      std::to_string(row + 1) + ") is " + offset(row + 1));
    if (row == a.rows)
      throw_structure("csr: row_offsets(rows) must be nnz: row_offsets(" + std::to_string(a.rows) + ") is " +
                      offset(a.rows) + ", nnz is " + std::to_string(a.nnz));
  } else if (a.nnz != 0) {
    throw_structure("csr: nnz must be 0 where there are no rows, it is " + std::to_string(a.nnz));
  }
  auto const entry = first_broken(
      exec, a.nnz, KOKKOS_LAMBDA(std::int64_t k) {
        auto const column = static_cast<std::int64_t>(a.col_indices[k]);
        return column < 0 || column >= a.cols;
      });
  if (entry < a.nnz)
    throw_structure("csr: col_indices must lie in [0, cols) (first broken at entry " + std::to_string(entry) +
                    "): the column is " + std::to_string(value_at(exec, "araia::validate", a.col_indices + entry)) +
                    ", in row " + std::to_string(row_of_entry(exec, a, entry)) + ", and cols is " +
                    std::to_string(a.cols));
}
}  // namespace detail

/// Checks every invariant of the format on the execution space.
/// \throws araia::Error (invalid_structure) naming the broken rule and its first place
/// Cost    O(rows + nnz); fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static void validate(Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A) {
  using detail::require_extent;
  if (A.rows < 0 || A.cols < 0 || A.nnz < 0)
    detail::throw_structure("csr: rows, cols and nnz must not be negative, they are " + std::to_string(A.rows) + ", " +
                            std::to_string(A.cols) + " and " + std::to_string(A.nnz));
  // A matrix without rows may come without row offsets.
  if (A.rows > 0 || A.row_offsets.extent(0) > 0)
    require_extent("csr", "row_offsets", A.row_offsets.extent(0), A.rows + 1);
  require_extent("csr", "col_indices", A.col_indices.extent(0), A.nnz);
  if (A.has_values()) require_extent("csr", "values", A.values.extent(0), A.nnz);
  detail::validate_csr_pattern(exec, A.pattern().pointers(), A.row_offsets.extent(0) > 0);
  if (A.row_permutation.extent(0) != 0) detail::require_permutation(exec, "csr", A.row_permutation, A.rows);
}

}  // namespace araia
