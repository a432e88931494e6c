// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which shape csr_spmm_short_rows takes.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include "backends/cuda/lib/short_rows.hpp"

#include "backends/cuda/csr_short_shapes.hpp"

namespace araia::cuda {
namespace {

using namespace short_rows_shapes;

constexpr double another_tile = 1.12;  // times as long where A is read more than once, and rows are short
// Tiles that a shape of 1, 2 (or 10), 4, 8, 16 and 32 lanes may take: the narrower they are, the more sectors of B's
// rows they read twice.
constexpr std::int64_t any_tiles = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t most_tiles[] = {1, 1, 1, 1, 6, any_tiles};
constexpr std::int64_t most_tiles_of_words[] = {1, 1, 1, 2, 4, any_tiles};

constexpr std::int64_t most_blocks_at_once = 8192;
constexpr std::int64_t blocks_a_long_group = 8;
constexpr std::int64_t over_mean_group = 128;  // four times the entries of 32 rows

// Neighbouring rows of a stencil read neighbouring rows of B, by an odd number of columns on banks of L1 that overlap,
// one after the other. Rows further apart do not, but share fewer lines. What it gave by shapes and classes:
// docs/lab/cuda_kernels.md.
constexpr int least_on_a_bank = 2;
constexpr int least_on_a_bank_of_shortest = 3;
constexpr int most_counted = 3;                  // for more too
constexpr std::int64_t least_bytes_apart = 100;  // of a row of B
// What a tile takes of its time on neighbours, where as many rows were on one bank.
constexpr double apart_of_two = 0.9;
constexpr double apart_of_two_by_few_lanes = 0.95;
constexpr double apart_of_more = 0.78;
constexpr int few_lanes = 8;

/// Of the rows of B that a warp reads at once by words, or half a warp by doubles, from rows `apart` apart: how many
/// lie on one bank at most, up to most_counted.
template <class T>
int most_on_a_bank(CsrSpmmShortTuning const& t, std::int64_t b_stride, int apart) {
  using Banks =
      std::conditional_t<sizeof(T) == sizeof(float), std::uint32_t, std::uint16_t>;  // of a scalar, a bit each
  constexpr int banks = std::numeric_limits<Banks>::digits;
  if (t.lanes >= banks) return 1;
  auto const of_row = static_cast<Banks>((1u << t.lanes) - 1);
  auto const step = static_cast<int>(static_cast<std::uint64_t>(b_stride) % banks) * apart;
  Banks one = 0, two = 0, three = 0;
  for (int row = 0; row < banks / t.lanes; ++row) {
    Banks const on = std::rotl(of_row, row * step % banks);
    three |= two & on;
    two |= one & on;
    one |= on;
  }
  return three != 0 ? most_counted : two != 0 ? 2 : 1;
}

/// The least distance of a warp's rows, beyond neighbours, that leaves no two rows of B on one bank; 1: there is none.
template <class T>
int rows_apart(CsrSpmmShortTuning const& t, std::int64_t b_stride) {
  for (int apart = 2; apart <= t.lanes; apart *= 2)
    if (most_on_a_bank<T>(t, b_stride, apart) == 1) return apart;
  return 1;
}

/// Sets the rows of a warp apart where that pays.
/// \return what a tile takes then of its time in the table
template <class T>
double spread_rows(CsrSpmmShortTuning& t, std::int64_t b_stride, bool shortest) {
  int const on_a_bank = most_on_a_bank<T>(t, b_stride, 1);
  if (on_a_bank < (shortest ? least_on_a_bank_of_shortest : least_on_a_bank)) return 1;
  t.rows_apart = rows_apart<T>(t, b_stride);
  if (t.rows_apart == 1 || shortest) return 1;
  if (on_a_bank == most_counted) return apart_of_more;
  return t.lanes <= few_lanes ? apart_of_two_by_few_lanes : apart_of_two;
}

/// Columns of the widest tile that a shape of the access has, of which it takes any number.
template <class T, ShortRowAccess access>
constexpr std::int64_t widest_tile = [] {
  std::int64_t widest = 0;
  for (auto const& shape : shapes<T>)
    if (shape.tuning.access == access) widest = std::max(widest, tile_columns<T>(shape.tuning));
  return widest;
}();

constexpr bool suits(CsrSpmmShortTuning const& t, bool whole) { return whole == (t.access == ShortRowAccess::packs); }

template <class T>
CsrSpmmShortTuning tuning_of(std::int64_t rows, std::int64_t nnz, std::int64_t columns, bool whole,
                             std::int64_t b_stride) {
  bool const shortest = detail::has_shortest_rows(rows, nnz);
  bool const many = detail::has_rows_of_many(rows, nnz);
  double const again = many ? 1 : another_tile;
  std::int64_t const widest = whole ? widest_tile<T, ShortRowAccess::packs> : widest_tile<T, ShortRowAccess::words>;
  bool const spreads = !whole && !many && columns * static_cast<std::int64_t>(sizeof(T)) >= least_bytes_apart;
  CsrSpmmShortTuning best;
  double least = std::numeric_limits<double>::infinity();
  for (auto const& shape : shapes<T>) {
    auto t = shape.tuning;
    if (!suits(t, whole)) continue;
    std::int64_t const tiles = tiles_of<T>(t, columns);
    auto const& most = t.access == ShortRowAccess::words ? most_tiles_of_words : most_tiles;
    if (tiles > most[std::countr_zero(static_cast<unsigned>(t.lanes))] && tile_columns<T>(t) < widest) continue;
    double const tile = shortest ? shape.of_8 : many ? shape.of_100 : shape.of_32;
    double all = tile * static_cast<double>(tiles) * (tiles > 1 ? again : 1);
    if (all * apart_of_more >= least) continue;  // whatever it may gain
    if (spreads) all *= spread_rows<T>(t, b_stride, shortest);
    if (all < least) least = all, best = t;
  }
  best.longest = static_cast<int>(detail::longest_of_lanes(rows, nnz));
  // Where all blocks are under way at once or nearly so, long rows decide: long groups begin with fewer entries, and
  // are shared by more blocks. Elsewhere that costs time, as slices read A once each. By one item alone: its bits do
  // not depend on how many there are; on strides they do, by the lanes of long rows.
  std::int64_t const blocks = (rows * best.lanes + threads - 1) / threads * tiles_of<T>(best, columns);
  bool const at_once = blocks <= most_blocks_at_once;
  std::int64_t const slices = (columns * static_cast<std::int64_t>(sizeof(T)) + slice_bytes - 1) / slice_bytes;
  best.long_group = detail::entries_of_sliced_row;
  if (at_once && slices >= blocks_a_long_group)  // more long groups share the work
    best.long_group /= 2;
  else if (at_once)
    best.long_group =
        std::clamp(over_mean_group * (nnz / std::max<std::int64_t>(rows, 1) + 1), best.long_group / 2, best.long_group);
  best.shares =
      at_once ? static_cast<int>(std::max<std::int64_t>(1, blocks_a_long_group / std::max<std::int64_t>(1, slices)))
              : 1;
  return best;
}

template <class T>
std::vector<CsrSpmmShortTuning> shapes_that_suit(bool whole) {
  std::vector<CsrSpmmShortTuning> all;
  for (auto const& shape : shapes<T>)
    if (suits(shape.tuning, whole)) all.push_back(shape.tuning);
  return all;
}

}  // namespace

CsrSpmmShortTuning csr_spmm_short_tuning(std::int64_t rows, std::int64_t nnz, std::int64_t columns,
                                         std::size_t scalar_bytes, bool whole, std::int64_t b_stride) {
  return scalar_bytes == sizeof(float) ? tuning_of<float>(rows, nnz, columns, whole, b_stride)
                                       : tuning_of<double>(rows, nnz, columns, whole, b_stride);
}

std::vector<CsrSpmmShortTuning> csr_spmm_short_shapes(std::size_t scalar_bytes, bool whole) {
  return scalar_bytes == sizeof(float) ? shapes_that_suit<float>(whole) : shapes_that_suit<double>(whole);
}

}  // namespace araia::cuda
