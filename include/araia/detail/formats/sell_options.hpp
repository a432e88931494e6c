// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a SELL matrix is to be: the choices of csr_to_sell, and their check.

#include <cstdint>
#include <ostream>
#include <string>

#include <araia/detail/formats/sell_pointers.hpp>
#include <araia/error.hpp>

namespace araia {

/// How column indices are kept.
enum class SellColumns {
  full,         ///< an Ordinal each
  least_bytes,  ///< per slice: 16-bit offsets from a base a step where every step's columns lie that close, else full
  narrow        ///< 16-bit offsets in every slice; unsupported where a step's columns lie further apart
};

struct SellOptions {
  std::int64_t slice_height = 32;       ///< C, rows of a slice: 1 to rows; 32 H on devices, 8 or 16 for host SIMD
  std::int64_t sort_window = 1;         ///< sigma: rows are sorted by length, longest first, inside so many; 1: not
  std::int64_t least_slice_height = 0;  ///< slices may be halved down to this where that takes fewer bytes; 0: never
  int block_width = 1;                  ///< W: aligned columns of a row that share an index: 1, 2 or 4
  bool diagonals = false;               ///< diagonals without indices where that takes fewer bytes, slice by slice
  SellColumns columns = SellColumns::full;
  /// Keep a bit a slot where blocks or diagonals need fill, so that a stored zero is told from fill: to_csr returns it,
  /// and a NaN or infinity of x reaches its row. Without it, slots of value zero count as fill. A pattern always has
  /// it.
  bool stored_mask = true;
  /// Bytes of the result; 0: half of the free memory of its space. On hosts the workspace beside it is held to this or
  /// default_host_memory_limit(), whichever is more.
  std::uint64_t memory_limit = 0;
  bool validate = true;  ///< check A first; else it is trusted, and a broken one ends in anything
  friend bool operator==(SellOptions const&, SellOptions const&) = default;
};

[[nodiscard]] constexpr char const* to_string(SellColumns columns) {
  switch (columns) {
    case SellColumns::full: return "full";
    case SellColumns::least_bytes: return "least_bytes";
    case SellColumns::narrow: return "narrow";
  }
  return "unknown";
}

inline std::ostream& operator<<(std::ostream& out, SellOptions const& o) {
  return out << "{slice_height " << o.slice_height << ", sort_window " << o.sort_window << ", least_slice_height "
             << o.least_slice_height << ", block_width " << o.block_width << ", diagonals " << o.diagonals
             << ", columns " << to_string(o.columns) << ", stored_mask " << o.stored_mask << '}';
}

namespace detail {

/// Rows of a slice with diagonals: taller ones keep few that are full, and hosts look at all of a slice's at once.
inline constexpr std::int64_t sell_most_diagonal_rows = 1024;
/// Halves of a variable slice: a bit each in a word.
inline constexpr std::int64_t sell_most_halves = 64;

/// Tallest slice that may be halved, so that costs in bits do not wrap.
inline constexpr std::int64_t sell_tallest_halved = 65536;

inline void require_sell_option(bool holds, char const* field, std::int64_t got, char const* expected) {
  if (!holds)
    throw Error(ErrorKind::invalid_argument,
                std::string("araia::csr_to_sell: ") + field + " is " + std::to_string(got) + ", expected " + expected);
}

inline void check(SellOptions const& o) {
  constexpr std::int64_t most = sell_tallest_slice;
  require_sell_option(o.slice_height >= 1 && o.slice_height <= most, "slice_height", o.slice_height, "1 to 2^40");
  require_sell_option(o.sort_window >= 1 && o.sort_window <= most, "sort_window", o.sort_window, "1 to 2^40");
  require_sell_option(o.block_width == 1 || o.block_width == 2 || o.block_width == 4, "block_width", o.block_width,
                      "1, 2 or 4");
  require_sell_option(!o.diagonals || o.slice_height <= sell_most_diagonal_rows, "slice_height", o.slice_height,
                      "at most 1024 with diagonals");
  if (o.least_slice_height == 0) return;
  require_sell_option(o.slice_height <= sell_tallest_halved, "slice_height", o.slice_height,
                      "at most 65536 with least_slice_height");
  std::int64_t const least = o.least_slice_height;
  std::int64_t const halves = least > 0 ? o.slice_height / least : 0;
  require_sell_option(
      halves >= 1 && halves <= sell_most_halves && halves * least == o.slice_height && (halves & (halves - 1)) == 0,
      "least_slice_height", least, "0, or slice_height over a power of two up to 64");
}

}  // namespace detail
}  // namespace araia
