// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which shape csr_spmm_short_rows takes.

#include <algorithm>
#include <araia/kernels/short_rows.hpp>
#include <bit>
#include <limits>

#include "backends/cuda/csr_short_shapes.hpp"

namespace araia::cuda {
namespace {

using namespace short_rows_shapes;

constexpr double another_tile = 1.12;  // times as long where A is read more than once, and rows are short
// Tiles that a shape of 1, 2, 4, 8, 16 and 32 lanes may take: the narrower they are, the more sectors of B's rows they
// read twice. 7 points by 36 columns of f32 178 us by tiles of 4.
constexpr std::int64_t any_tiles = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t most_tiles[] = {1, 1, 1, 1, 6, any_tiles};
constexpr std::int64_t most_tiles_of_words[] = {1, 1, 1, 2, 4, any_tiles};

constexpr std::int64_t most_blocks_at_once = 8192;
constexpr std::int64_t blocks_a_crowd = 8;
constexpr std::int64_t over_mean_group = 128;  // four times the entries of 32 rows

constexpr bool suits(CsrSpmmShortTuning const& t, bool whole) { return whole == (t.access == ShortRowAccess::packs); }

template <class T>
CsrSpmmShortTuning tuning_of(std::int64_t rows, std::int64_t nnz, std::int64_t columns, bool whole) {
  bool const shortest = detail::has_shortest_rows(rows, nnz);
  bool const many = detail::has_rows_of_many(rows, nnz);
  double const again = many ? 1 : another_tile;
  CsrSpmmShortTuning best;
  double least = std::numeric_limits<double>::infinity();
  for (auto const& shape : shapes<T>) {
    auto const& t = shape.tuning;
    if (!suits(t, whole)) continue;
    std::int64_t const tiles = tiles_of<T>(t, columns);
    auto const& most = t.access == ShortRowAccess::words ? most_tiles_of_words : most_tiles;
    if (tiles > most[std::countr_zero(static_cast<unsigned>(t.lanes))]) continue;
    double const tile = shortest ? shape.of_8 : many ? shape.of_100 : shape.of_32;
    double const all = tile * static_cast<double>(tiles) * (tiles > 1 ? again : 1);
    if (all < least) least = all, best = t;
  }
  best.longest = static_cast<int>(detail::longest_of_lanes(rows, nnz));
  // Where all blocks are under way at once or nearly so, long rows decide: crowds begin with fewer entries, and are
  // shared by more blocks. Elsewhere a power law takes 1.1 to 1.3 times as long so, as slices read A once each. Of one
  // item: its bits do not depend on how many there are.
  std::int64_t const blocks = (rows * best.lanes + threads - 1) / threads * tiles_of<T>(best, columns);
  bool const at_once = blocks <= most_blocks_at_once;
  std::int64_t const slices = (columns * static_cast<std::int64_t>(sizeof(T)) + slice_bytes - 1) / slice_bytes;
  best.hub = detail::entries_of_hub;
  if (at_once && slices >= blocks_a_crowd)  // a power law and friendships 1.1 to 1.3 times as fast by more crowds
    best.hub /= 2;
  else if (at_once)
    best.hub = std::clamp(over_mean_group * (nnz / std::max<std::int64_t>(rows, 1) + 1), best.hub / 2, best.hub);
  best.shares =
      at_once ? static_cast<int>(std::max<std::int64_t>(1, blocks_a_crowd / std::max<std::int64_t>(1, slices))) : 1;
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
                                         std::size_t scalar_bytes, bool whole) {
  return scalar_bytes == sizeof(float) ? tuning_of<float>(rows, nnz, columns, whole)
                                       : tuning_of<double>(rows, nnz, columns, whole);
}

std::vector<CsrSpmmShortTuning> csr_spmm_short_shapes(std::size_t scalar_bytes, bool whole) {
  return scalar_bytes == sizeof(float) ? shapes_that_suit<float>(whole) : shapes_that_suit<double>(whole);
}

}  // namespace araia::cuda
