// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The structure of a transpose, stable: entries of a column stay in the order of A. Csr <-> Csc and transpose share it.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>

#include <araia/formats/convert.hpp>
#include <araia/formats/gather_map.hpp>
#include <araia/formats/segment_order.hpp>

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

/// Host: chunks of rows count their columns apart, and each then fills its own places, in order.
template <class Exec, class Pointers, class Ordinal, class Offset, class Device, class Place>
static void transpose_by_chunks(Exec const& exec, Pointers const& a, Transposition<Ordinal, Offset, Device> const& t,
                                Place const& place_entry) {
  using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>, Kokkos::Schedule<Kokkos::Dynamic>>;
  // Counts beyond what the entries themselves take would not pay.
  std::int64_t const affordable = std::max<std::int64_t>(1, 2 * a.nnz / std::max<std::int64_t>(a.cols, 1));
  std::int64_t const chunks = std::min<std::int64_t>(exec.concurrency(), affordable);
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
  Kokkos::parallel_for("araia::transposition::count", Range(exec, 0, chunks, Kokkos::ChunkSize(1)),
                       [=](std::int64_t chunk) {
                         Offset* const count = next_data + chunk * cols;
                         std::fill(count, count + cols, Offset{0});
                         auto const last = static_cast<std::int64_t>(a.row_offsets[first_row(chunk + 1)]);
                         for (auto k = static_cast<std::int64_t>(a.row_offsets[first_row(chunk)]); k < last; ++k)
                           ++count[a.col_indices[k]];
                       });
  Kokkos::parallel_scan("araia::transposition::offsets", IndexRange<Exec>(exec, 0, cols + 1),
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
  Kokkos::parallel_for("araia::transposition::fill", Range(exec, 0, chunks, Kokkos::ChunkSize(1)),
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

/// Device: an atomic counter a column deals out places in any order; then each column is put in order.
template <class Exec, class Pointers, class Ordinal, class Offset, class Device, class Place>
static void transpose_by_counters(Exec const& exec, Pointers const& a, Transposition<Ordinal, Offset, Device> const& t,
                                  Place const& place_entry) {
  Offset* const offsets = t.col_offsets.data();
  auto const rank = new_array<Offset, Device>(exec, "araia::transposition::rank", a.nnz);
  Kokkos::deep_copy(exec, t.col_offsets, Offset{0});
  Kokkos::parallel_for(
      "araia::transposition::count", IndexRange<Exec>(exec, 0, a.nnz),
      KOKKOS_LAMBDA(std::int64_t k) { rank(k) = Kokkos::atomic_fetch_add(&offsets[a.col_indices[k] + 1], Offset{1}); });
  counts_to_offsets(exec, t.col_offsets, a.cols);
  auto const dealt = new_gather_map<Device>(exec, "araia::transposition::dealt", a.nnz);
  auto const dealt_source = dealt.pointers();
  auto const dealt_row = new_array<Ordinal, Device>(exec, "araia::transposition::dealt_row", a.nnz);
  for_each_row_entry(
      exec, "araia::transposition::deal", a, KOKKOS_LAMBDA(std::int64_t row, std::int64_t, std::int64_t k) {
        std::int64_t const to = static_cast<std::int64_t>(offsets[a.col_indices[k]]) + rank(k);
        dealt_source.set(to, k);
        dealt_row(to) = static_cast<Ordinal>(matrix_row(a, row));
      });
  auto const row_indices = t.row_indices;
  order_segments(
      exec, "araia::transposition::order", offsets, a.cols, a.nnz,
      KOKKOS_LAMBDA(std::int64_t k) { return dealt_source.at(k); },
      KOKKOS_LAMBDA(std::int64_t to, std::int64_t from) {
        place_entry(to, dealt_source.at(from));
        row_indices(to) = dealt_row(from);
      });
}

/// Columns of A with their entries in the order of A; place_entry(to, k) for each.
/// \throws araia::Error resource_limit where a row's index does not fit Ordinal, or entries number beyond Offset
/// Cost    O(rows + cols + nnz); on devices 12 bytes an entry of workspace, on hosts an Offset a column and thread;
///         fences exec
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
    Kokkos::deep_copy(exec, t.col_offsets, Offset{0});
    return t;
  }
  if constexpr (is_device_space<Exec>)
    transpose_by_counters(exec, a, t, place_entry);
  else
    transpose_by_chunks(exec, a, t, place_entry);
  return t;
}

}  // namespace araia::detail
