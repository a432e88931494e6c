// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How wide the ELL part of a Hyb should be: a model of what a slot and a tail entry cost, over the row lengths.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <vector>

#include <araia/assembly/row_stats.hpp>
#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/gather_map.hpp>
#include <araia/detail/formats/loops.hpp>

namespace araia::detail {

/// Bytes that a product moves for a slot of the ELL part, padded or not, and for an entry of the tail: its two indices
/// and value, and y read and written by an atomic. A slot more for every row pays while more than the share
/// slot / tail of the rows would fill it, so the best width is the least one that fewer rows exceed.
/// Source  [BellGarland2009], which takes one third of the rows; differs: the share follows from the types.
struct HybCosts {
  double slot;
  double tail;

  template <class Scalar, class Ordinal>
  static constexpr HybCosts of(bool values) {
    constexpr double index = sizeof(Ordinal);
    constexpr double scalar = sizeof(Scalar);
    double const value = values ? scalar : 0;
    return {index + value, 2 * index + value + 2 * scalar};
  }
  [[nodiscard]] double share() const { return slot / tail; }
};

/// Bytes of a Hyb whose parts hold these entries; saturates where it would wrap.
template <class Format>
std::uint64_t hyb_bytes(std::int64_t rows, std::int64_t width, std::int64_t tail, bool values, bool permuted) {
  using Ordinal = typename Format::ordinal_type;
  std::uint64_t const value = values ? sizeof(typename Format::value_type) : 0;
  auto const unsigned_rows = static_cast<std::uint64_t>(rows);
  auto const slots = saturating_product(unsigned_rows, static_cast<std::uint64_t>(width));
  std::uint64_t const lengths = unsigned_rows * sizeof(Ordinal) * (permuted ? 2 : 1);
  std::uint64_t const tail_bytes = saturating_product(static_cast<std::uint64_t>(tail), 2 * sizeof(Ordinal) + value);
  return saturating_sum(saturating_sum(saturating_product(slots, sizeof(Ordinal) + value), lengths), tail_bytes);
}

/// Rows with more than `width` entries. Fences exec.
template <class Exec, class Pointers>
static std::int64_t rows_beyond(Exec const& exec, Pointers const& a, std::int64_t width) {
  std::int64_t rows = 0;
  reduce_indices(
      "araia::hyb::rows_beyond", IndexRange<Exec>(exec, 0, a.rows),
      KOKKOS_LAMBDA(std::int64_t row, std::int64_t & sum) { sum += row_span(a, row).count > width ? 1 : 0; }, rows);
  exec.fence("araia::hyb::rows_beyond");
  return rows;
}

/// The width that the costs ask for, exactly: the least one that fewer rows exceed than would pay for a slot more.
/// Cost  O(rows log(nnz / rows)); fences exec
template <class Exec, class Pointers>
static std::int64_t hyb_width(Exec const& exec, Pointers const& a, HybCosts const& costs) {
  if (a.rows == 0 || a.nnz == 0) return 0;
  double const limit = costs.share() * static_cast<double>(a.rows);
  // More than `limit` rows beyond a width w hold more than limit w entries, so w cannot exceed nnz / limit.
  std::int64_t least = 0;
  std::int64_t most = std::min<std::int64_t>(static_cast<std::int64_t>(static_cast<double>(a.nnz) / limit) + 1, a.nnz);
  while (least < most) {
    std::int64_t const middle = least + (most - least) / 2;
    std::int64_t const longer = rows_beyond(exec, a, middle);
    if (longer > 0 && static_cast<double>(longer) >= limit)
      least = middle + 1;
    else
      most = middle;
  }
  return least;
}

/// Entries beyond `width` of their row.
template <class Exec, class Pointers>
static std::int64_t entries_beyond(Exec const& exec, Pointers const& a, std::int64_t width) {
  std::int64_t beyond = 0;
  if (a.rows > 0)
    reduce_indices(
        "araia::hyb::entries_beyond", IndexRange<Exec>(exec, 0, a.rows),
        KOKKOS_LAMBDA(std::int64_t row, std::int64_t & sum) {
          sum += Kokkos::max<std::int64_t>(row_span(a, row).count - width, 0);
        },
        beyond);
  exec.fence("araia::hyb::entries_beyond");
  return beyond;
}

/// The same from the histogram of RowStats, whose bins double in width; the rows of a bin are taken as spread evenly.
struct HybEstimate {
  std::int64_t width = 0;
  std::int64_t tail = 0;
};
inline HybEstimate estimate_hyb(RowStats const& stats, double share, std::int64_t given_width) {
  double const limit = share * static_cast<double>(stats.rows);
  double const unlimited = static_cast<double>(stats.rows);
  // Rows longer than w, and their entries beyond it.
  auto const beyond = [&](double w, bool count_rows) {
    double sum = 0;
    for (int b = 1; b < RowStats::bins; ++b) {
      auto const rows = static_cast<double>(stats.length_histogram[static_cast<std::size_t>(b)]);
      if (rows == 0) continue;
      double const low =
          std::max(static_cast<double>(std::int64_t{1} << (b - 1)), static_cast<double>(stats.min_length));
      double const high =
          std::min(2.0 * static_cast<double>(std::int64_t{1} << (b - 1)) - 1, static_cast<double>(stats.max_length));
      double const cut = std::max(w, low - 1);
      if (cut >= high) continue;
      double const share_beyond = (high - cut) / (high - low + 1);
      sum += count_rows ? rows * share_beyond : rows * share_beyond * ((high + cut + 1) / 2 - w);
    }
    return std::min(sum, count_rows ? unlimited : static_cast<double>(stats.nnz));
  };
  std::int64_t width = given_width;
  if (given_width < 0) {
    std::int64_t low = 0;
    std::int64_t high = stats.max_length;
    while (low < high) {
      std::int64_t const middle = low + (high - low) / 2;
      if (beyond(static_cast<double>(middle), true) < limit)
        high = middle;
      else
        low = middle + 1;
    }
    width = low;
  }
  return {width, static_cast<std::int64_t>(beyond(static_cast<double>(width), false))};
}

}  // namespace araia::detail
