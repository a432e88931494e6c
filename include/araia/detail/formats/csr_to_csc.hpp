// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Csr -> Csc and back: a stable transposition; later values by one gather, where the map is kept.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <cstdint>
#include <type_traits>

#include <araia/detail/formats/format_bytes.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/detail/formats/ready_made.hpp>
#include <araia/detail/formats/transposition.hpp>
#include <araia/formats/csc.hpp>

namespace araia {

struct CscOptions {
  bool keep_source = false;  ///< keep the map that makes update_values one gather: 4 bytes an entry (8 from 2^32 on)
  /// Bytes that the result may take; 0: half of the free memory of its space. On hosts the workspace beside it is held
  /// to this or default_host_memory_limit(), whichever is more.
  std::uint64_t memory_limit = 0;
  bool validate = true;  ///< check A first; else it is trusted, and a broken one ends in anything
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
  detail::require_same_structure(detail::sizes_agree(B, A), "Csc");
  if (!B.has_values() || B.nnz == 0) return;
  auto const a = A.pointers();
  using value_type = typename Csc<S, O, F, D>::value_type;
  if (B.source.size() == 0) {
    detail::transposition<F, D>(
        exec, a, detail::PlaceEntry<value_type, std::remove_const_t<AS>>{B.values.data(), a.values, {}, false});
    return;
  }
  auto const values = B.values;
  auto const source = B.source.pointers();
  detail::for_each_index(
      "araia::update_values::csc", detail::IndexRange<Exec>(exec, 0, B.nnz),
      KOKKOS_LAMBDA(std::int64_t i) { values(i) = static_cast<value_type>(a.values[source.at(i)]); });
}

namespace detail {
/// What csr_to_csc does, of any types.
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Csc<std::remove_const_t<Scalar>, Ordinal, Offset, Device> csr_to_csc_here(
    Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A, CscOptions const& options) {
  using Source = Csr<Scalar, Ordinal, Offset, Device>;
  using Format = Csc<typename Source::value_type, Ordinal, Offset, Device>;
  require_same_memory<Exec, Source>();
  Kokkos::Profiling::ScopedRegion const region("araia::csr_to_csc");
  auto const limit = memory_limit_or_default<typename Source::memory_space>(options.memory_limit);
  auto const bytes = count_bytes<Format>(exec, A, options);
  require_memory("araia::csr_to_csc: the matrix", bytes, limit);
  require_room_beside<Device>("araia::csr_to_csc: the matrix and the counts of its columns", bytes,
                              transposition_bytes<Offset>(A.cols, A.nnz, exec.concurrency()), limit);
  auto const a = A.pointers();
  using value_type = typename Format::value_type;
  Format B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  if (A.has_values()) B.values = new_array<value_type, Device>(exec, "araia::csc::values", A.nnz);
  if (options.keep_source) B.source = new_gather_map<Device>(exec, "araia::csc::source", A.nnz);
  auto const t = transposition<Offset, Device>(
      exec, a, PlaceEntry<value_type, value_type>{B.values.data(), a.values, B.source.pointers(), false});
  B.col_offsets = t.col_offsets;
  B.row_indices = t.row_indices;
  return B;
}

/// The same from the library.
template <class Exec, class A>
Csc<A, std::int32_t, std::int32_t, typename Exec::device_type> csr_to_csc_ready(Exec const& exec,
                                                                                ReadySource<Exec, A> const& source,
                                                                                CscOptions const& options);
}  // namespace detail

/// A by columns: entries of a column in the order of A's stored rows, duplicates kept.
/// \throws araia::Error invalid_structure where A breaks a rule of its format, unless options.validate is false;
///         resource_limit naming need and limit before the result is allocated, or where a row's index
///         does not fit Ordinal
/// Cost    O(rows + cols + nnz); allocates the result, and 16 bytes and an Ordinal an entry on a device while it works;
///         fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Csc<std::remove_const_t<Scalar>, Ordinal, Offset, Device> csr_to_csc(
    Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A, CscOptions const& options = {}) {
  if (options.validate) validate(exec, A);
  if constexpr (detail::is_ready_source<Exec, Csr<Scalar, Ordinal, Offset, Device>>)
    return detail::csr_to_csc_ready<Exec, std::remove_const_t<Scalar>>(exec, detail::ready_source<Exec>(A), options);
  else
    return detail::csr_to_csc_here(exec, A, options);
}

/// Rows in matrix order; columns of a row ascending, duplicates in the order of the Csc.
/// \throws araia::Error resource_limit where nnz does not fit Offset or a column's index Ordinal, or where the result
///         takes more than all memory
/// Cost    as csr_to_csc; fences exec
template <class Offset = std::int32_t, class Exec, class S, class Ordinal, class F, class Device>
static Csr<std::remove_const_t<S>, Ordinal, Offset, Device> to_csr(Exec const& exec,
                                                                   Csc<S, Ordinal, F, Device> const& A) {
  using value_type = typename Csc<S, Ordinal, F, Device>::value_type;
  detail::require_same_memory<Exec, Csc<S, Ordinal, F, Device>>();
  Kokkos::Profiling::ScopedRegion const region("araia::to_csr");
  auto const a = detail::as_transpose(A.pointers());
  using Result = Csr<value_type, Ordinal, Offset, Device>;
  detail::require_csr_memory<Result>("araia::to_csr: the matrix", A.rows, A.nnz, A.has_values());
  Result B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  if (A.has_values()) B.values = detail::new_array<value_type, Device>(exec, "araia::csr::values", A.nnz);
  auto const t = detail::transposition<Offset, Device>(
      exec, a, detail::PlaceEntry<value_type, value_type>{B.values.data(), a.values, {}, false});
  B.row_offsets = t.col_offsets;
  B.col_indices = t.row_indices;
  return B;
}

}  // namespace araia
