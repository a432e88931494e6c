// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/spmm/csr_jammed/row_clusters.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "backends/cuda/host_shares.hpp"

namespace araia::cuda {
namespace {

constexpr std::size_t word_bits = 64;
constexpr std::int64_t window_words = 65536;  // of all rows' columns: half a megabyte
constexpr std::int64_t most_rows = 1024;      // of a window

/// The rows [first, last) in their new order, from `first` of the output on.
template <class T, class Offset>
void cluster_window(CsrPointers<T, std::int32_t, Offset> const& a, std::int64_t first, std::int64_t last,
                    std::size_t group_rows, std::vector<std::int32_t>& order) {
  auto const rows = static_cast<std::size_t>(last - first);
  std::size_t const words = (static_cast<std::size_t>(a.cols) + word_bits - 1) / word_bits;
  std::vector<std::uint64_t> columns(rows * words, 0);
  std::vector<double> filled(rows);  // part of the columns
  for (std::size_t i = 0; i < rows; ++i) {
    Offset const begin = a.row_offsets[first + static_cast<std::int64_t>(i)];
    Offset const end = a.row_offsets[first + static_cast<std::int64_t>(i) + 1];
    for (Offset k = begin; k < end; ++k) {
      auto const c = static_cast<std::size_t>(a.col_indices[k]);
      columns[i * words + c / word_bits] |= std::uint64_t{1} << c % word_bits;
    }
    filled[i] = static_cast<double>(end - begin) / static_cast<double>(std::max<std::int64_t>(a.cols, 1));
  }

  std::vector<std::size_t> left(rows);
  std::iota(left.begin(), left.end(), std::size_t{0});
  std::vector<std::uint64_t> group(words);
  auto to = order.begin() + static_cast<std::ptrdiff_t>(first);
  auto const take = [&](std::size_t place) {
    std::size_t const row = left[place];
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(place));
    *to++ = static_cast<std::int32_t>(first + static_cast<std::int64_t>(row));
    for (std::size_t w = 0; w < words; ++w) group[w] |= columns[row * words + w];
  };
  while (!left.empty()) {
    std::fill(group.begin(), group.end(), 0);
    take(0);
    for (std::size_t r = 1; r < group_rows && !left.empty(); ++r) {
      double size = 0;
      for (std::uint64_t const w : group) size += std::popcount(w);
      std::size_t best = 0;
      double most = 0;
      for (std::size_t place = 0; place < left.size(); ++place) {
        int shared = 0;
        std::uint64_t const* const row = columns.data() + left[place] * words;
        for (std::size_t w = 0; w < words; ++w) shared += std::popcount(row[w] & group[w]);
        double const gain = shared - size * filled[left[place]];
        if (place == 0 || gain > most) best = place, most = gain;
      }
      take(best);
    }
  }
}

}  // namespace

template <class T, class Offset>
std::vector<std::int32_t> cluster_rows(CsrPointers<T, std::int32_t, Offset> const& a, int group_rows, int threads) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(a.rows));
  std::int64_t const words = (a.cols + 63) / 64;
  std::int64_t const window = std::clamp<std::int64_t>(window_words / std::max<std::int64_t>(words, 1) / group_rows, 1,
                                                       most_rows / group_rows) *
                              group_rows;
  std::int64_t const windows = (a.rows + window - 1) / window;
  share_each(windows, threads, [&](std::int64_t w) {
    cluster_window(a, w * window, std::min(a.rows, (w + 1) * window), static_cast<std::size_t>(group_rows), order);
  });
  return order;
}

template std::vector<std::int32_t> cluster_rows(CsrPointers<float, std::int32_t, std::int32_t> const&, int, int);
template std::vector<std::int32_t> cluster_rows(CsrPointers<float, std::int32_t, std::int64_t> const&, int, int);

}  // namespace araia::cuda
