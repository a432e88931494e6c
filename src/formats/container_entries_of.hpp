// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Any format in a container to entries: a unit for each type of values and indices.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <araia/detail/formats/csr_to_bcsc.hpp>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/formats/csr_to_csc.hpp>
#include <araia/detail/formats/csr_to_hyb.hpp>
#include <araia/detail/formats/csr_to_sell.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/detail/formats/type_list.hpp>
#include <araia/formats/container.hpp>
#include "src/formats/container_entries.hpp"

namespace araia::detail {

template <class Scalar>
void copy_values(HostCoo& coo, Kokkos::View<Scalar*, HostDevice> const& values, std::int64_t nnz, bool pattern) {
  if (pattern) return;
  using T = std::conditional_t<is_complex_v<Scalar>, std::complex<double>, double>;
  std::vector<T> copies(static_cast<std::size_t>(nnz));
  for (std::size_t k = 0; k < copies.size(); ++k) {
    if constexpr (is_complex_v<Scalar>)
      copies[k] = {values(k).real(), values(k).imag()};
    else
      copies[k] = values(k);
  }
  coo.values = std::move(copies);
}

/// Do indices of 32 bits do, as HostCoo has them then?
inline bool narrow_indices(std::int64_t rows, std::int64_t cols) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  return rows <= most && cols <= most;
}

/// Bytes of an entry of a HostCoo.
template <class Scalar>
std::uint64_t bytes_of_entry(std::int64_t rows, std::int64_t cols, bool pattern) {
  std::size_t const value = is_complex_v<Scalar> ? sizeof(std::complex<double>) : sizeof(double);
  return (pattern ? 0 : value) + 2 * (narrow_indices(rows, cols) ? sizeof(std::int32_t) : sizeof(std::int64_t));
}

template <class Rows, class Cols>
void fill_indices(HostCoo& coo, std::int64_t nnz, Rows const& row_of, Cols const& col_of) {
  auto const fill = [&]<class Index>(Index) {
    std::vector<Index> rows(static_cast<std::size_t>(nnz));
    std::vector<Index> cols(rows.size());
    row_of(rows);
    for (std::size_t k = 0; k < cols.size(); ++k) cols[k] = static_cast<Index>(col_of(k));
    coo.row_indices = std::move(rows);
    coo.col_indices = std::move(cols);
  };
  if (narrow_indices(coo.rows, coo.cols))
    fill(std::int32_t{});
  else
    fill(std::int64_t{});
}

template <class Scalar, class Ordinal>
HostCoo entries_of(Coo<Scalar, Ordinal, HostDevice> const& A, bool pattern) {
  HostCoo coo{.rows = A.rows, .cols = A.cols, .row_indices = {}, .col_indices = {}, .values = {}};
  fill_indices(
      coo, A.nnz,
      [&](auto& rows) {
        using Index = typename std::decay_t<decltype(rows)>::value_type;
        for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = static_cast<Index>(A.row_indices(k));
      },
      [&](std::size_t k) { return A.col_indices(k); });
  copy_values(coo, A.values, A.nnz, pattern);
  return coo;
}

template <class Scalar, class Ordinal>
HostCoo entries_of(Csr<Scalar, Ordinal, std::int64_t, HostDevice> const& A, bool pattern) {
  HostCoo coo{.rows = A.rows, .cols = A.cols, .row_indices = {}, .col_indices = {}, .values = {}};
  fill_indices(
      coo, A.nnz,
      [&](auto& rows) {
        using Index = typename std::decay_t<decltype(rows)>::value_type;
        for (std::int64_t row = 0; row < A.rows; ++row)
          for (auto k = A.row_offsets(static_cast<std::size_t>(row));
               k < A.row_offsets(static_cast<std::size_t>(row) + 1); ++k)
            rows[static_cast<std::size_t>(k)] = static_cast<Index>(row);
      },
      [&](std::size_t k) { return A.col_indices(k); });
  copy_values(coo, A.values, A.nnz, pattern);
  return coo;
}

/// A file may claim rows and columns that it has no byte for: whatever takes the entries has an offset for each, as the
/// readers of text have it. Entries too: blocks and diagonals of a pattern imply them. All but a Coo become a Csr
/// first. The container is held meanwhile.
template <class Scalar, class Ordinal>
void require_room_for_entries(Container const& c, bool pattern, std::uint64_t memory_limit) {
  bool const by_rows = c.format != StoredFormat::coo;
  auto const count = [](std::int64_t size) { return static_cast<std::uint64_t>(std::max<std::int64_t>(size, 0)); };
  auto const offsets = saturating_sum(count(std::max(c.rows, c.cols)) + 1, by_rows ? count(c.rows) + 1 : 0);
  auto const entry = bytes_of_entry<Scalar>(c.rows, c.cols, pattern) + (by_rows ? sizeof(Ordinal) + sizeof(Scalar) : 0);
  auto const what =
      std::to_string(c.rows) + " x " + std::to_string(c.cols) + " with " + std::to_string(c.nnz) + " entries";
  require_memory(what.c_str(),
                 saturating_sum(saturating_sum(saturating_product(offsets, sizeof(std::int64_t)), c.bytes()),
                                saturating_product(count(c.nnz), entry)),
                 memory_limit);
}

/// Scalars of entries, into which those of files are widened.
using EntryScalars = std::conditional_t<has_all_types, ListOf<double, Kokkos::complex<double>>, ListOf<double>>;

/// Offsets are read as 64-bit ones, whatever they are.
template <class Scalar, class Ordinal>
HostCoo container_entries_of(Container const& c, std::uint64_t memory_limit) {
  using Offset = std::int64_t;
  HostDevice::execution_space const exec;
  bool pattern = c.nnz != 0 || c.empty_pattern;
  for (auto const& array : c.arrays)
    pattern = pattern && array.name != ArrayName::values && array.name != ArrayName::tail_values;
  require_room_for_entries<Scalar, Ordinal>(c, pattern, memory_limit);
  auto const by_rows = [&](auto const& A) { return entries_of(to_csr<Offset>(exec, A), pattern); };
  switch (c.format) {
    case StoredFormat::coo: return entries_of(from_container<Coo<Scalar, Ordinal, HostDevice>>(exec, c), pattern);
    case StoredFormat::csr: return by_rows(from_container<Csr<Scalar, Ordinal, Offset, HostDevice>>(exec, c));
    case StoredFormat::csc: return by_rows(from_container<Csc<Scalar, Ordinal, Offset, HostDevice>>(exec, c));
    case StoredFormat::ell: return by_rows(from_container<Ell<Scalar, Ordinal, HostDevice>>(exec, c));
    case StoredFormat::hyb: return by_rows(from_container<Hyb<Scalar, Ordinal, HostDevice>>(exec, c));
    case StoredFormat::sell: return by_rows(from_container<Sell<Scalar, Ordinal, Offset, HostDevice>>(exec, c));
    case StoredFormat::bsr: return by_rows(from_container<Bsr<Scalar, Ordinal, Offset, HostDevice>>(exec, c));
    case StoredFormat::bcsc: return by_rows(from_container<Bcsc<Scalar, Ordinal, Offset, HostDevice>>(exec, c));
    case StoredFormat::bcsc_compact:
      return by_rows(from_container<BcscCompact<Scalar, Ordinal, Offset, HostDevice, std::uint16_t>>(exec, c));
  }
  throw Error(ErrorKind::unsupported, "araia::container_entries: a format of this number is unknown");
}

}  // namespace araia::detail
