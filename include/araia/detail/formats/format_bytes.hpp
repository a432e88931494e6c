// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Bytes of Csr, Coo and Ell, before there is one.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/assembly/row_stats.hpp>
#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/detail/formats/row_access.hpp>
#include <araia/formats/coo.hpp>
#include <araia/formats/csr.hpp>
#include <araia/formats/ell.hpp>

namespace araia {

namespace detail {
template <class Format>
struct Bytes;
template <class S, class O, class F, class D>
struct Bytes<Csr<S, O, F, D>> {
  static std::uint64_t of(RowStats const& s, bool values, bool permuted) {
    auto const rows = static_cast<std::uint64_t>(s.rows);
    auto const entries = saturating_product(static_cast<std::uint64_t>(s.nnz), sizeof(O) + (values ? sizeof(S) : 0));
    return saturating_sum(saturating_sum(saturating_product(rows + 1, sizeof(F)), entries),
                          permuted ? saturating_product(rows, sizeof(O)) : 0);
  }
};
template <class S, class O, class D>
struct Bytes<Coo<S, O, D>> {
  static std::uint64_t of(RowStats const& s, bool values, bool) {
    return saturating_product(static_cast<std::uint64_t>(s.nnz), 2 * sizeof(O) + (values ? sizeof(S) : 0));
  }
};
template <class S, class O, class D>
struct Bytes<Ell<S, O, D>> {
  static std::uint64_t of(RowStats const& s, bool values, bool permuted) {
    auto const rows = static_cast<std::uint64_t>(s.rows);
    auto const slots = saturating_product(rows, static_cast<std::uint64_t>(s.max_length));
    auto const padded = saturating_product(slots, sizeof(O) + (values ? sizeof(S) : 0));
    return saturating_sum(padded, saturating_product(rows, sizeof(O) * (permuted ? 2 : 1)));
  }
};
}  // namespace detail

/// Bytes of a format by the row statistics alone. Exact for Csr, Coo and Ell; saturates where it would wrap.
/// \param values   false for a pattern
/// \param permuted with a row permutation
/// Cost    O(1)
template <class Format>
std::uint64_t estimate_bytes(RowStats const& stats, bool values = true, bool permuted = false) {
  return detail::Bytes<Format>::of(stats, values, permuted);
}

/// Exact bytes of the format made from A, before it is made.
/// Cost    O(1) for Coo and Csr, O(rows) for Ell; fences exec
template <class Format, class Exec, class Scalar, class Ordinal, class Offset, class Device>
static std::uint64_t count_bytes(Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A,
                                 bool sort_rows = false) {
  RowStats stats{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  auto const a = A.pointers();
  if (a.rows > 0)
    detail::reduce_indices(
        "araia::count_bytes::longest_row", detail::IndexRange<Exec>(exec, 0, a.rows),
        KOKKOS_LAMBDA(std::int64_t row, std::int64_t & longest) {
          longest = Kokkos::max(longest, detail::row_span(a, row).count);
        },
        Kokkos::Max<std::int64_t>(stats.max_length));
  return estimate_bytes<Format>(stats, A.has_values(), sort_rows || A.row_permutation.extent(0) != 0);
}

namespace detail {
/// For a Csr that is made from arrays that do not grow with its rows, where no limit can be asked for.
/// \throws Error resource_limit naming need and limit where it takes more than twice the default limit: all memory, on
///         devices all that is free
template <class Format>
void require_csr_memory(char const* what, std::int64_t rows, std::int64_t nnz, bool values) {
  std::uint64_t const half = memory_limit_or_default<typename Format::memory_space>(0);
  require_memory(what, estimate_bytes<Format>(RowStats{.rows = rows, .nnz = nnz}, values), saturating_sum(half, half));
}
}  // namespace detail

}  // namespace araia
