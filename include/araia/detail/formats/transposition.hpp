// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The structure of a transpose, stable: entries of a column stay in the order of A. Csr <-> Csc and transpose share it.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <string>

#include <araia/detail/assembly/sort_keys.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/gather_map.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/error.hpp>

namespace araia::detail {

/// Columns of A: entry i of column order lies in row row_indices(i).
template <class Ordinal, class Offset, class Device>
struct Transposition {
  Kokkos::View<Offset*, Device> col_offsets{};
  Kokkos::View<Ordinal*, Device> row_indices{};
};

/// What becomes of an entry besides its row index: its value and its source, where they are wanted. Written as the
/// entry is placed: a pass and a map less than a gather afterwards.
template <class Target, class Source>
struct PlaceEntry {
  Target* values;         // null: none wanted
  Source const* from;     // values of A
  GatherPointers source;  // both null: not wanted
  bool conjugate;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t to, std::int64_t k) const {
    if (values) values[to] = static_cast<Target>(conjugate_if(conjugate, from[k]));
    if (source.narrow || source.wide) source.set(to, k);
  }
};

/// Host: chunks of rows that count their columns apart. More counts than the entries themselves take would not pay.
constexpr std::int64_t transposition_chunks(std::int64_t cols, std::int64_t nnz, std::int64_t threads) {
  std::int64_t const affordable = std::max<std::int64_t>(1, 2 * nnz / std::max<std::int64_t>(cols, 1));
  return std::min(threads, affordable);
}

/// Host: bytes of those counts.
template <class Offset>
constexpr std::uint64_t transposition_bytes(std::int64_t cols, std::int64_t nnz, std::int64_t threads) {
  return nnz > 0 ? saturating_product(static_cast<std::uint64_t>(transposition_chunks(cols, nnz, threads) * cols),
                                      sizeof(Offset))
                 : 0;
}

/// Host: chunks of rows count their columns apart, and each then fills its own places, in order.
template <class Exec, class Pointers, class Ordinal, class Offset, class Device, class Place>
static void transpose_by_chunks(Exec const& exec, Pointers const& a, Transposition<Ordinal, Offset, Device> const& t,
                                Place const& place_entry) {
  std::int64_t const chunks = transposition_chunks(a.cols, a.nnz, exec.concurrency());
  std::int64_t const cols = a.cols;
  auto const next = new_array<Offset, Device>(exec, "araia::transposition::next", chunks * cols);
  Offset* const next_data = next.data();
  auto const col_offsets = t.col_offsets;
  auto const row_indices = t.row_indices;
  auto const first_row = [=](std::int64_t chunk) {
    if (chunk == chunks) return a.rows;
    auto const wanted = static_cast<typename Pointers::size_type>(a.nnz / chunks * chunk);
    return static_cast<std::int64_t>(std::lower_bound(a.row_offsets, a.row_offsets + a.rows, wanted) - a.row_offsets);
  };
  for_each_index("araia::transposition::count", DynamicRange<Exec>(exec, 0, chunks, Kokkos::ChunkSize(1)),
                 [=](std::int64_t chunk) {
                   Offset* const count = next_data + chunk * cols;
                   std::fill(count, count + cols, Offset{0});
                   auto const last = static_cast<std::int64_t>(a.row_offsets[first_row(chunk + 1)]);
                   for (auto k = static_cast<std::int64_t>(a.row_offsets[first_row(chunk)]); k < last; ++k)
                     ++count[a.col_indices[k]];
                 });
  scan_indices<Offset>("araia::transposition::offsets", IndexRange<Exec>(exec, 0, cols + 1),
                       [=](std::int64_t c, Offset& sum, bool final) {
                         if (final) col_offsets(c) = sum;
                         if (c == cols) return;
                         for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
                           Offset& place = next_data[chunk * cols + c];
                           Offset const count = place;
                           if (final) place = sum;
                           sum = static_cast<Offset>(sum + count);
                         }
                       });
  for_each_index("araia::transposition::fill", DynamicRange<Exec>(exec, 0, chunks, Kokkos::ChunkSize(1)),
                 [=](std::int64_t chunk) {
                   Offset* const place = next_data + chunk * cols;
                   std::int64_t const last = first_row(chunk + 1);
                   for (std::int64_t row = first_row(chunk); row < last; ++row) {
                     auto const index = static_cast<Ordinal>(matrix_row(a, row));
                     auto const end = static_cast<std::int64_t>(a.row_offsets[row + 1]);
                     for (auto k = static_cast<std::int64_t>(a.row_offsets[row]); k < end; ++k) {
                       auto const to = static_cast<std::int64_t>(place[a.col_indices[k]]++);
                       row_indices(to) = index;
                       place_entry(to, k);
                     }
                   }
                 });
}

/// Device: keys of column and place, sorted by column alone, as places ascend already.
template <class Exec, class Pointers, class Ordinal, class Offset, class Device, class Place>
static void transpose_by_sorting(Exec const& exec, Pointers const& a, Transposition<Ordinal, Offset, Device> const& t,
                                 Place const& place_entry) {
  int const place_bits = bits_for(a.nnz - 1);
  int const col_bits = bits_for(a.cols - 1);
  if (place_bits + col_bits > 64)
    throw Error(ErrorKind::resource_limit, "araia::transposing: " + std::to_string(a.cols) + " columns and " +
                                               std::to_string(a.nnz) +
                                               " entries do not fit keys of 64 bits, expected " +
                                               std::to_string(64 - place_bits) + " bits of columns at most");
  auto keys = new_keys(exec, "araia::transposition::keys", a.nnz);
  auto const row_of = new_array<Ordinal, Device>(exec, "araia::transposition::row_of", a.nnz);
  for_each_row_entry(
      exec, "araia::transposition::keys", a, KOKKOS_LAMBDA(std::int64_t row, std::int64_t, std::int64_t k) {
        keys(k) = static_cast<std::uint64_t>(a.col_indices[k]) << place_bits | static_cast<std::uint64_t>(k);
        row_of(k) = static_cast<Ordinal>(matrix_row(a, row));
      });
  sort_keys(exec, keys, {place_bits, place_bits + col_bits});
  std::uint64_t const place_mask = (std::uint64_t{1} << place_bits) - 1;
  auto const row_indices = t.row_indices;
  for_each_index(
      "araia::transposition::place", IndexRange<Exec>(exec, 0, a.nnz), KOKKOS_LAMBDA(std::int64_t to) {
        auto const k = static_cast<std::int64_t>(keys(to) & place_mask);
        row_indices(to) = row_of(k);
        place_entry(to, k);
      });
  auto const col_offsets = t.col_offsets;
  std::int64_t const nnz = a.nnz;
  std::int64_t const cols = a.cols;
  std::uint64_t const* const sorted = keys.data();
  // A search a column rather than a look at each entry's neighbour: many columns may be empty.
  for_each_index(
      "araia::transposition::offsets", IndexRange<Exec>(exec, 0, cols + 1), KOKKOS_LAMBDA(std::int64_t c) {
        std::int64_t const first =
            c == cols ? nnz : first_not_below(sorted, nnz, static_cast<std::uint64_t>(c) << place_bits);
        col_offsets(c) = static_cast<Offset>(first);
      });
  exec.fence("araia::transposition: workspace is released");
}

/// Columns of A with their entries in the order of A; place_entry(to, k) for each.
/// \throws araia::Error resource_limit where a row's index does not fit Ordinal, or entries number beyond Offset
/// Cost    O(rows + nnz) and a search a column on devices, with 16 bytes and an Ordinal an entry of workspace;
///         O(rows + cols + nnz) on hosts, with an Offset a column and thread; fences exec
template <class Offset, class Device, class Exec, class Scalar, class Ordinal, class SourceOffset, class Place>
static Transposition<Ordinal, Offset, Device> transposition(Exec const& exec,
                                                            CsrPointers<Scalar, Ordinal, SourceOffset> const& a,
                                                            Place const& place_entry) {
  if (a.rows > 0) require_fits<Ordinal>("transposing: the last row's index", a.rows - 1);
  require_fits<Offset>("transposing: nnz", a.nnz);
  Transposition<Ordinal, Offset, Device> t;
  t.col_offsets = new_array<Offset, Device>(exec, "araia::csc::col_offsets", a.cols + 1);
  t.row_indices = new_array<Ordinal, Device>(exec, "araia::csc::row_indices", a.nnz);
  if (a.nnz == 0) {
    fill_array(exec, t.col_offsets, Offset{0});
    return t;
  }
  if constexpr (is_device_space<Exec>)
    transpose_by_sorting(exec, a, t, place_entry);
  else
    transpose_by_chunks(exec, a, t, place_entry);
  return t;
}

}  // namespace araia::detail
