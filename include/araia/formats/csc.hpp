// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Compressed sparse columns, zero-copy over Views. Rows of a column may be in any order, duplicates are legal.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <type_traits>

#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/csc_pointers.hpp>
#include <araia/detail/formats/gather_map.hpp>
#include <araia/formats/csr.hpp>

namespace araia {

/// Arrays may be longer than the matrix needs (capacity); only the first cols + 1 and nnz elements are read.
template <class Scalar, class Ordinal = std::int32_t, class Offset = std::int32_t, class Device = DefaultDevice>
struct Csc {
  using value_type = std::remove_const_t<Scalar>;
  using ordinal_type = Ordinal;
  using size_type = Offset;
  using device_type = typename Kokkos::View<int*, Device>::device_type;
  using execution_space = typename device_type::execution_space;
  using memory_space = typename device_type::memory_space;
  using pointers_type = CscPointers<value_type, Ordinal, detail::signed_offset_t<Offset>>;
  static constexpr char const* format_name = "csc";

  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  Kokkos::View<Offset const*, Device> col_offsets{};   // (cols + 1) ascending from 0 to nnz
  Kokkos::View<Ordinal const*, Device> row_indices{};  // (nnz) 0 <= r < rows
  Kokkos::View<Scalar*, Device> values{};              // (nnz), or empty: pattern-only, all ones
  GatherMap<Device> source{};                          // (nnz) entry of the Csr it was made from, or empty

  [[nodiscard]] bool has_values() const { return values.extent(0) != 0; }

  /// Entries kept in memory, padding included: nnz.
  [[nodiscard]] std::int64_t stored() const { return nnz; }

  /// Exact bytes of the arrays as allocated.
  [[nodiscard]] std::uint64_t bytes() const {
    return col_offsets.extent(0) * sizeof(Offset) + row_indices.extent(0) * sizeof(Ordinal) +
           values.extent(0) * sizeof(value_type) + source.bytes();
  }

  /// What kernels capture. Valid while the Views live.
  [[nodiscard]] pointers_type pointers() const {
    return {.rows = rows,
            .cols = cols,
            .nnz = nnz,
            .col_offsets = reinterpret_cast<detail::signed_offset_t<Offset> const*>(col_offsets.data()),
            .row_indices = row_indices.data(),
            .values = has_values() ? values.data() : nullptr};
  }
};

/// Checks every invariant of the format on the execution space.
/// \throws araia::Error (invalid_structure) naming the broken rule and its first place
/// Cost    O(cols + nnz); fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static void validate(Exec const& exec, Csc<Scalar, Ordinal, Offset, Device> const& A) {
  using detail::require_extent, detail::require_rule;
  if (A.rows < 0 || A.cols < 0 || A.nnz < 0) detail::throw_structure("csc: rows, cols and nnz must not be negative");
  // A matrix without columns may come without column offsets.
  if (A.cols > 0 || A.col_offsets.extent(0) > 0)
    require_extent("csc", "col_offsets", A.col_offsets.extent(0), A.cols + 1);
  require_extent("csc", "row_indices", A.row_indices.extent(0), A.nnz);
  if (A.has_values()) require_extent("csc", "values", A.values.extent(0), A.nnz);
  if (A.source.narrow.extent(0) != 0 && A.source.wide.extent(0) != 0)
    detail::throw_structure("csc: source must be of 32 or 64 bits, got both");
  if (A.source.size() != 0) require_extent("csc", "source", A.source.size(), A.nnz);
  auto const a = A.pointers();
  if (A.col_offsets.extent(0) > 0) {
    require_rule(
        exec, 1, "csc", "col_offsets(0) must be 0", "column",
        KOKKOS_LAMBDA(std::int64_t) { return a.col_offsets[0] != 0; });
    require_rule(
        exec, a.cols, "csc", "col_offsets must not descend", "column",
        KOKKOS_LAMBDA(std::int64_t j) { return a.col_offsets[j + 1] < a.col_offsets[j]; });
    require_rule(
        exec, 1, "csc", "col_offsets(cols) must be nnz", "offset",
        KOKKOS_LAMBDA(std::int64_t) { return static_cast<std::int64_t>(a.col_offsets[a.cols]) != a.nnz; });
  } else if (A.nnz != 0) {
    detail::throw_structure("csc: nnz must be 0 where there are no columns");
  }
  require_rule(
      exec, a.nnz, "csc", "row_indices must lie in [0, rows)", "entry",
      KOKKOS_LAMBDA(std::int64_t k) { return a.row_indices[k] < 0 || a.row_indices[k] >= a.rows; });
  if (A.source.size() != 0) {
    auto const source = A.source.pointers();
    require_rule(
        exec, a.nnz, "csc", "source must lie in [0, nnz)", "entry",
        KOKKOS_LAMBDA(std::int64_t k) { return source.at(k) < 0 || source.at(k) >= a.nnz; });
    using Seen = Kokkos::View<std::int64_t*, typename Exec::memory_space>;
    auto const row_at = detail::zeroed_view<Seen>(exec, "araia::validate::row_at", a.nnz);
    auto const runs = detail::zeroed_view<Seen>(exec, "araia::validate::runs", a.rows);
    require_rule(
        exec, a.nnz, "csc", "source must name each entry once", "entry", KOKKOS_LAMBDA(std::int64_t k) {
          return Kokkos::atomic_exchange(&row_at(source.at(k)), std::int64_t{1} + a.row_indices[k]) != 0;
        });
    require_rule(
        exec, a.nnz, "csc", "source must keep the entries of a row together", "source's entry",
        KOKKOS_LAMBDA(std::int64_t p) {
          if (p > 0 && row_at(p) == row_at(p - 1)) return false;
          return Kokkos::atomic_fetch_add(&runs(row_at(p) - 1), 1) != 0;
        });
  }
}

/// A checked Csc over the caller's Views (no copy).
/// \throws araia::Error (invalid_structure)
/// Cost    O(cols + nnz) of checking; fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
Csc<Scalar, Ordinal, Offset, Device> make_csc(Exec const& exec, std::int64_t rows, std::int64_t cols,
                                              Kokkos::View<Offset const*, Device> col_offsets,
                                              Kokkos::View<Ordinal const*, Device> row_indices,
                                              Kokkos::View<Scalar*, Device> values) {
  Csc<Scalar, Ordinal, Offset, Device> A{.rows = rows,
                                         .cols = cols,
                                         .nnz = static_cast<std::int64_t>(row_indices.extent(0)),
                                         .col_offsets = col_offsets,
                                         .row_indices = row_indices,
                                         .values = values};
  validate(exec, A);
  return A;
}

}  // namespace araia
