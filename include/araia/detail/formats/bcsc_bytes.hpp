// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Bytes of BCSC before it is made: exact from the counted block columns, estimated from row statistics.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <araia/assembly/row_stats.hpp>
#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/formats/bcsc_order.hpp>
#include <araia/formats/bcsc.hpp>

namespace araia {

namespace detail {

template <class Format>
inline constexpr bool is_bcsc_wide_v = false;
template <class S, class O, class F, class D>
inline constexpr bool is_bcsc_wide_v<Bcsc<S, O, F, D>> = true;
template <class Format>
inline constexpr bool is_bcsc_compact_v = false;
template <class S, class O, class F, class D, class R>
inline constexpr bool is_bcsc_compact_v<BcscCompact<S, O, F, D, R>> = true;
template <class Format>
inline constexpr bool is_bcsc_v = is_bcsc_wide_v<Format> || is_bcsc_compact_v<Format>;

/// All that the bytes of either form follow from.
struct BcscSizes {
  std::uint64_t rows = 0;
  std::uint64_t nnz = 0;
  std::uint64_t blocks = 0;
  std::uint64_t block_columns = 0;
  bool values = true;
  bool varying = false;   // block_rows
  bool split = false;     // split
  bool permuted = false;  // row_permutation
  bool gather = false;    // gather
  bool narrow = false;    // 16-bit columns, of the compact form
};

template <class Matrix, class Cut>
BcscSizes bcsc_sizes(Matrix const& A, Cut const& cut, std::int64_t block_columns, BcscOptions const& options) {
  return {.rows = static_cast<std::uint64_t>(A.rows),
          .nnz = static_cast<std::uint64_t>(A.nnz),
          .blocks = static_cast<std::uint64_t>(cut.blocks.blocks),
          .block_columns = static_cast<std::uint64_t>(block_columns),
          .values = A.has_values(),
          .varying = cut.block_rows.extent(0) != 0,
          .split = options.split,
          .permuted = A.row_permutation.extent(0) != 0,
          .gather = options.keep_gather};
}

/// Exact bytes; saturates where they would wrap.
template <class Format>
std::uint64_t bcsc_bytes(BcscSizes const& s) {
  std::uint64_t const ordinal = sizeof(typename Format::ordinal_type);
  std::uint64_t const offset = sizeof(typename Format::size_type);
  std::uint64_t an_entry = (s.values ? sizeof(typename Format::value_type) : 0) + (s.gather ? 4 : 0);
  std::uint64_t a_column = 0;
  std::uint64_t a_block = offset + (s.split ? offset : 0) + (s.varying ? ordinal : 0);
  std::uint64_t once = offset + (s.varying ? ordinal : 0);
  if constexpr (is_bcsc_compact_v<Format>) {
    an_entry += sizeof(typename Format::row_index_type);
    a_column += 1 + (s.narrow ? 2 : ordinal);
    a_block += offset + (s.narrow ? ordinal : 0);
    once += offset;
  } else {
    an_entry += ordinal;
    a_column += ordinal + offset;
    once += offset;
  }
  if (s.permuted) once += saturating_product(s.rows, ordinal);
  std::uint64_t sum = once;
  for (std::uint64_t const part : {saturating_product(s.nnz, an_entry), saturating_product(s.block_columns, a_column),
                                   saturating_product(s.blocks, a_block)})
    sum =
        part > std::numeric_limits<std::uint64_t>::max() - sum ? std::numeric_limits<std::uint64_t>::max() : sum + part;
  return sum;
}

/// Nonempty columns of blocks of `height` rows: as counted where the statistics have that height, else on the straight
/// line between its neighbours in the logarithms, with (1, nnz) and (rows, min(nnz, cols)) as the outermost points.
inline double estimate_block_columns(RowStats const& stats, std::int64_t height) {
  double const nnz = static_cast<double>(stats.nnz);
  double low_height = 1;
  double low = std::max(nnz, 1.0);
  double high_height = static_cast<double>(std::max<std::int64_t>(stats.rows, 2));
  double high = std::max(1.0, static_cast<double>(std::min(stats.nnz, stats.cols)));
  for (auto const& known : stats.block_columns) {
    if (known.height == height) return static_cast<double>(known.columns);
    double const h = static_cast<double>(known.height);
    double const columns = std::max(1.0, static_cast<double>(known.columns));
    if (known.height < height && h >= low_height) low_height = h, low = columns;
    if (known.height > height && h <= high_height) high_height = h, high = columns;
  }
  if (stats.nnz == 0) return 0;
  double const h = std::min(std::max(static_cast<double>(height), low_height), high_height);
  if (high_height <= low_height) return std::min(low, high);
  double const share = std::log(h / low_height) / std::log(high_height / low_height);
  return std::exp(std::log(low) + share * (std::log(high) - std::log(low)));
}

}  // namespace detail

/// Bytes of BCSC by the row statistics alone, for blocks of equal height.
/// Error   Bcsc: none where stats.block_columns holds options.block_height. Else the block columns are interpolated:
///         they lie between those of the neighbouring heights where these divide each other and, without duplicates,
///         between nnz / block_height and nnz. The bytes are within a factor of 1 + c / e, where a
///         block column takes c bytes and an entry e: with 32-bit offsets 1.67 for double, 2 for float, 3 for patterns,
///         with 64-bit offsets 2, 2.5 and 4.
///         BcscCompact: columns are taken for narrow where `columns` allows and cols <= 65536, else for wide, and every
///         column for one part; what that misses is at most 4 bytes a block and 3 a block column.
/// Cost    O(1)
template <class Format>
requires detail::is_bcsc_v<Format> std::uint64_t estimate_bytes(RowStats const& stats, BcscOptions const& options,
                                                                bool values = true, bool permuted = false) {
  std::int64_t const height = std::max<std::int64_t>(1, options.block_height);
  detail::BcscSizes const sizes{
      .rows = static_cast<std::uint64_t>(stats.rows),
      .nnz = static_cast<std::uint64_t>(stats.nnz),
      .blocks = static_cast<std::uint64_t>(stats.rows / height + (stats.rows % height != 0 ? 1 : 0)),
      .block_columns = static_cast<std::uint64_t>(std::llround(detail::estimate_block_columns(stats, height))),
      .values = values && stats.nnz > 0,
      .varying = options.heights != BcscHeights::equal,
      .split = options.split,
      .permuted = permuted,
      .gather = options.keep_gather,
      .narrow = options.columns != BcscColumns::wide && stats.cols <= 65536};
  return detail::bcsc_bytes<Format>(sizes);
}

}  // namespace araia
