// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/openmp/csr_column_reuse.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

namespace araia::host {

namespace {

constexpr std::int64_t sampled_chunks = 4;
constexpr std::int64_t entries_of_chunk = std::int64_t{1} << 18;
constexpr std::int32_t never = -1;

// With more, most rows of B are not read, hardly one twice, and what is kept of a column takes more than A.
constexpr std::int64_t most_columns_an_entry = 2;

// A read follows its neighbour in B where that was read so few entries ago: hardware and the front of RowsOfB see it.
constexpr std::int32_t entries_to_follow = 256;

// A half of L2 holds rows of B, the rest is what passes through.
constexpr std::int64_t share_of_l2 = 2;

// Misses from which prefetching each entry's row of B pays, by the bytes of a row.
constexpr float least_scattered = 0.2F;
constexpr float least_scattered_of_wide = 0.1F;
constexpr float least_of_widest = 0.33F;
constexpr std::int64_t wide = 256;
constexpr std::int64_t widest = 512;

/// Entries by the time since their column was read: bin i holds times from 2^i up to twice that.
struct Times {
  static constexpr int bins = 32;
  std::array<std::int64_t, bins> count{};
  std::int64_t first = 0;  // read for the first time

  void add(std::int32_t since) {
    ++count[static_cast<std::size_t>(std::bit_width(static_cast<std::uint32_t>(since)) - 1)];
  }

  /// Those of at least so much, at least 1. Within a bin they are taken for evenly spread.
  [[nodiscard]] double from(double time) const {
    auto total = static_cast<double>(first);
    double low = 1;
    for (std::int64_t const of_bin : count) {
      total += static_cast<double>(of_bin) * std::clamp((2 * low - time) / low, 0.0, 1.0);
      low *= 2;
    }
    return total;
  }
};

/// A cache of as many rows as t entries read misses what was read more than t entries ago. Those rows are the sum, over
/// all s < t, of the share of entries whose row was last read more than s ago: an entry in t adds a row if it is new
/// there. \param distinct  rows that a chunk reads: of a larger cache nothing is known but that it keeps them
ColumnReuse misses(Times const& all, Times const& scattered, double entries, double distinct) {
  constexpr double steps_of_doubling = 16;
  ColumnReuse reuse;
  double footprint = 1;
  double time = 1;
  double rows = 1;
  for (auto& misses_of : reuse.of_rows) {
    while (footprint < rows && time < entries) {
      double const step = std::max(1.0, time / steps_of_doubling);
      footprint += all.from(time) / entries * step;
      time += step;
    }
    if (footprint < rows || rows >= distinct) break;
    misses_of = {static_cast<float>(all.from(time) / entries), static_cast<float>(scattered.from(time) / entries)};
    rows *= 2;
  }
  return reuse;
}

}  // namespace

bool ColumnReuse::prefetch_pays(std::int64_t row_bytes, Caches const& of) const {
  std::int64_t const rows = std::max<std::int64_t>(1, of.l2 / share_of_l2 / std::max<std::int64_t>(1, row_bytes));
  int const size = std::min(sizes - 1, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(rows))) - 1);
  auto const [all, scattered] = of_rows[static_cast<std::size_t>(size)];
  return scattered >= (row_bytes >= wide ? least_scattered_of_wide : least_scattered) ||
         (row_bytes >= widest && all >= least_of_widest);
}

template <class Scalar, class Offset>
ColumnReuse column_reuse(CsrPointers<Scalar, std::int32_t, Offset> const& a) {
  ColumnReuse reuse;
  if (a.nnz < sampled_chunks || a.cols / most_columns_an_entry > a.nnz) return reuse;
  std::vector<std::int32_t> read(static_cast<std::size_t>(a.cols), never);
  Times all;
  Times scattered;
  std::int64_t const begin = a.row_offsets[0];
  std::int64_t const length = std::min(a.nnz / sampled_chunks, entries_of_chunk);
  std::int32_t now = 0;
  for (std::int64_t chunk = 0; chunk < sampled_chunks; ++chunk) {
    std::int64_t const first = begin + a.nnz * chunk / sampled_chunks;
    // What a chunk before has read is read for the first time again.
    std::int32_t const start = now;
    for (std::int64_t k = first; k < first + length; ++k, ++now) {
      std::int32_t const column = a.col_indices[k];
      auto const last = [&](std::int32_t j) {
        std::int32_t const at = j < 0 ? never : read[static_cast<std::size_t>(j)];
        return at < start ? never : at;
      };
      std::int32_t const neighbour = last(column - 1);
      bool const follows = neighbour != never && now - neighbour <= entries_to_follow;
      std::int32_t const before = last(column);
      if (before == never) {
        ++all.first;
        scattered.first += follows ? 0 : 1;
      } else {
        all.add(now - before);
        if (!follows) scattered.add(now - before);
      }
      read[static_cast<std::size_t>(column)] = now;
    }
  }
  return misses(all, scattered, static_cast<double>(sampled_chunks * length),
                static_cast<double>(all.first) / static_cast<double>(sampled_chunks));
}

template ColumnReuse column_reuse(CsrPointers<float, std::int32_t, std::int32_t> const&);
template ColumnReuse column_reuse(CsrPointers<float, std::int32_t, std::int64_t> const&);
template ColumnReuse column_reuse(CsrPointers<double, std::int32_t, std::int32_t> const&);
template ColumnReuse column_reuse(CsrPointers<double, std::int32_t, std::int64_t> const&);

}  // namespace araia::host
