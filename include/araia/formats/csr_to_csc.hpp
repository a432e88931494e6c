// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Csr -> Csc and back: a stable transposition of the structure, and one gather of the values.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <cstdint>
#include <type_traits>

#include <araia/formats/csc.hpp>
#include <araia/formats/transposition.hpp>

namespace araia {

struct CscOptions {
  bool keep_source = false;  ///< keep the map that makes update_values one gather: 4 bytes an entry (8 from 2^32 on)
  /// Bytes that the result may take; 0: half of the free memory of its space.
  std::uint64_t memory_limit = 0;
};

namespace detail {
template <class Format>
inline constexpr bool is_csc = false;
template <class S, class O, class F, class D>
inline constexpr bool is_csc<Csc<S, O, F, D>> = true;

template <class Format>
std::uint64_t csc_bytes(std::int64_t cols, std::int64_t nnz, bool values, CscOptions const& options) {
  std::uint64_t const entry =
      sizeof(typename Format::ordinal_type) + (values ? sizeof(typename Format::value_type) : 0);
  std::uint64_t const entries = saturating_product(static_cast<std::uint64_t>(nnz), entry);
  std::uint64_t const offsets = (static_cast<std::uint64_t>(cols) + 1) * sizeof(typename Format::size_type);
  return saturating_sum(saturating_sum(entries, offsets), options.keep_source ? gather_map_bytes(nnz) : 0);
}
}  // namespace detail

/// Bytes of a Csc by the row statistics alone: exact.
/// Cost    O(1)
template <class Format>
requires detail::is_csc<Format> std::uint64_t estimate_bytes(RowStats const& stats, CscOptions const& options,
                                                             bool values = true) {
  return detail::csc_bytes<Format>(stats.cols, stats.nnz, values, options);
}

/// Exact bytes of the Csc made from A, before it is made.
/// Cost    O(1)
template <class Format, class Exec, class Scalar, class Ordinal, class Offset, class Device>
requires detail::is_csc<Format> std::uint64_t count_bytes(Exec const&, Csr<Scalar, Ordinal, Offset, Device> const& A,
                                                          CscOptions const& options) {
  return detail::csc_bytes<Format>(A.cols, A.nnz, A.has_values(), options);
}

/// Refills B with the values of A, whose structure it was made from.
/// Cost    O(nnz), one kernel, no allocation, asynchronous on exec, where B keeps its source map; else the structure is
///         worked out anew, at the cost of a conversion
template <class Exec, class S, class O, class F, class D, class AS, class AF, class AD>
static void update_values(Exec const& exec, Csc<S, O, F, D> const& B, Csr<AS, O, AF, AD> const& A) {
  if (B.nnz != A.nnz || B.rows != A.rows || B.cols != A.cols || B.has_values() != A.has_values())
    throw Error(ErrorKind::dimension_mismatch,
                "araia::update_values: A is not of the structure that the Csc was made from");
  if (!B.has_values() || B.nnz == 0) return;
  auto const a = A.pointers();
  if (B.source.size() != 0)
    return detail::gather_values(exec, "araia::update_values::csc", B.values, a.values, B.source.pointers(), B.nnz);
  auto const t = detail::transposition<F, typename Csc<S, O, F, D>::device_type>(exec, a);
  detail::gather_values(exec, "araia::update_values::csc", B.values, a.values, t.source.pointers(), B.nnz);
}

/// A by columns: entries of a column in the order of A's stored rows, duplicates kept.
/// \throws araia::Error resource_limit naming need and limit before the result is allocated, or where a row's index
///         does not fit Ordinal
/// Cost    O(rows + cols + nnz); allocates the result, and 4 bytes an entry (16 on a device) while it works; fences
/// exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Csc<std::remove_const_t<Scalar>, Ordinal, Offset, Device> csr_to_csc(
    Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A, CscOptions const& options = {}) {
  using Source = Csr<Scalar, Ordinal, Offset, Device>;
  using Format = Csc<typename Source::value_type, Ordinal, Offset, Device>;
  detail::require_same_memory<Exec, Source>();
  Kokkos::Profiling::ScopedRegion const region("araia::csr_to_csc");
  detail::require_memory("araia::csr_to_csc: the matrix", count_bytes<Format>(exec, A, options),
                         detail::memory_limit_or_default<typename Source::memory_space>(options.memory_limit));
  auto const a = A.pointers();
  auto const t = detail::transposition<Offset, Device>(exec, a);
  Format B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz, .col_offsets = t.col_offsets, .row_indices = t.row_indices};
  if (A.has_values()) {
    B.values = detail::new_array<typename Format::value_type, Device>(exec, "araia::csc::values", A.nnz);
    detail::gather_values(exec, "araia::csr_to_csc::values", B.values, a.values, t.source.pointers(), A.nnz);
  }
  if (options.keep_source) B.source = t.source;
  return B;
}

/// Rows in matrix order; columns of a row ascending, duplicates in the order of the Csc.
/// \throws araia::Error resource_limit where nnz does not fit Offset or a column's index Ordinal
/// Cost    as csr_to_csc; fences exec
template <class Offset = std::int32_t, class Exec, class S, class Ordinal, class F, class Device>
static Csr<std::remove_const_t<S>, Ordinal, Offset, Device> to_csr(Exec const& exec,
                                                                   Csc<S, Ordinal, F, Device> const& A) {
  using value_type = typename Csc<S, Ordinal, F, Device>::value_type;
  detail::require_same_memory<Exec, Csc<S, Ordinal, F, Device>>();
  Kokkos::Profiling::ScopedRegion const region("araia::to_csr");
  auto const a = detail::as_transpose(A.pointers());
  auto const t = detail::transposition<Offset, Device>(exec, a);
  Csr<value_type, Ordinal, Offset, Device> B{
      .rows = A.rows, .cols = A.cols, .nnz = A.nnz, .row_offsets = t.col_offsets, .col_indices = t.row_indices};
  if (A.has_values()) {
    auto const values = detail::new_array<value_type, Device>(exec, "araia::csr::values", A.nnz);
    detail::gather_values(exec, "araia::to_csr::values", values, a.values, t.source.pointers(), A.nnz);
    B.values = values;
  }
  return B;
}

}  // namespace araia
