// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/openmp/csr_plane_chunks.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace araia::host {

namespace {

/// What rows of B may take of a cache: A and C pass through it too.
constexpr std::int64_t bytes_of_b(std::int64_t cache_bytes) { return cache_bytes / 4 * 3; }

// Rows of B that chunks of planes fetch, of those that rows in their own order do: with more it does not pay to leave
// that order.
constexpr double most_fetched = 0.65;

// A last-level cache up to this size belongs to a few cores, and planes may come from it; a larger one is a mesh of
// many, no faster than memory. Chunks for the former are wider and fetch less at their sides than chunks for L2.
constexpr std::int64_t near_last_cache = std::int64_t{64} << 20;
// Of a thread's share of it: planes stay in their own order up to a half, chunks take a quarter.
constexpr std::int64_t share_of_planes = 2;
constexpr std::int64_t share_of_chunks = 4;

// Rows of B that chunks save, of the entries: with fewer, products are not bound by fetching them.
constexpr double least_saved = 0.15;

constexpr std::int64_t sampled_rows = 512;
constexpr std::int64_t least_planes = 8;

/// What one chunk reads, by the marks on the rows of B.
template <class Matrix>
PlaneChunks::Width sample(Matrix const& a, std::int64_t first, std::int64_t rows, std::int64_t period,
                          std::vector<std::uint8_t>& marks) {
  PlaneChunks::Width width{.rows = rows};
  auto const each_column = [&](std::int64_t from, auto const& f) {
    for (auto k = a.row_offsets[from]; k < a.row_offsets[from + rows]; ++k)
      f(marks[static_cast<std::size_t>(a.col_indices[k])]);
  };
  for (std::int64_t const before : {2, 1}) each_column(first - before * period, [](std::uint8_t& mark) { mark = 1; });
  each_column(first, [&](std::uint8_t& mark) {
    if (mark < 2) {
      ++width.touched;
      width.fresh += mark == 0;
    }
    mark = 2;
  });
  for (std::int64_t const before : {2, 1, 0})
    each_column(first - before * period, [](std::uint8_t& mark) { mark = 0; });
  return width;
}

}  // namespace

std::int64_t PlaneChunks::rows_of_chunk(std::int64_t row_bytes, int threads, Caches const& of) const {
  if (period == 0 || row_bytes <= 0) return 0;
  bool const near = of.last > of.l2 && of.last <= near_last_cache;
  std::int64_t const share = near ? of.last / std::clamp(threads, 1, std::max(1, of.sharers)) : 0;
  std::int64_t const kept = std::max(bytes_of_b(of.l2), bytes_of_b(share / share_of_planes)) / row_bytes;
  if (2 * period + least_rows <= kept) return 0;  // all that a row meets stays as it is
  std::int64_t const room = std::max(bytes_of_b(of.l2), bytes_of_b(share / share_of_chunks)) / row_bytes;
  // The widest that leaves room for what it reads, between two that were sampled.
  std::int64_t rows = 0;
  Width const* best = nullptr;
  for (auto const& width : widths) {
    if (width.rows == 0) break;
    if (width.touched > room) {
      if (best)
        rows += (width.rows - best->rows) * (room - best->touched) /
                std::max<std::int64_t>(1, width.touched - best->touched);
      break;
    }
    best = &width;
    rows = width.rows;
  }
  if (!best || static_cast<double>(best->fresh) > most_fetched * static_cast<double>(best->touched)) return 0;
  std::int64_t const chunks = (period + rows - 1) / rows;
  return (period + chunks - 1) / chunks;
}

template <class Scalar, class Offset>
PlaneChunks plane_chunks(CsrPointers<Scalar, std::int32_t, Offset> const& a) {
  PlaneChunks chunks;
  if (a.row_permutation || a.rows < least_planes * PlaneChunks::least_rows) return chunks;
  std::vector<std::int64_t> extents;
  std::int64_t const step = std::max<std::int64_t>(1, a.rows / sampled_rows);
  for (std::int64_t i = step / 2; i < a.rows; i += step)
    if (auto const begin = a.row_offsets[i], end = a.row_offsets[i + 1]; begin < end)
      extents.push_back((std::int64_t{a.col_indices[end - 1]} - a.col_indices[begin]) / 2);
  if (extents.empty()) return chunks;
  auto const middle = extents.begin() + static_cast<std::ptrdiff_t>(extents.size() / 2);
  std::nth_element(extents.begin(), middle, extents.end());
  if (*middle < 2 * PlaneChunks::least_rows || *middle * least_planes > a.rows) return chunks;
  chunks.period = *middle;
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(a.cols));
  std::int64_t rows = PlaneChunks::least_rows;
  // A chunk in the midst of a plane in the midst of the matrix.
  std::int64_t const first = a.rows / chunks.period / 2 * chunks.period + chunks.period / 3;
  double saved = 0;
  for (auto& width : chunks.widths) {
    if (rows > chunks.period / 2 || first + rows > a.rows) break;
    width = sample(a, first, rows, chunks.period, marks);
    saved = static_cast<double>(width.touched - width.fresh) /
            static_cast<double>(a.row_offsets[first + rows] - a.row_offsets[first]);
    rows *= 2;
  }
  return saved >= least_saved ? chunks : PlaneChunks{};  // a sample without entries saves nothing: 0 / 0
}

template PlaneChunks plane_chunks(CsrPointers<float, std::int32_t, std::int32_t> const&);
template PlaneChunks plane_chunks(CsrPointers<float, std::int32_t, std::int64_t> const&);
template PlaneChunks plane_chunks(CsrPointers<double, std::int32_t, std::int32_t> const&);
template PlaneChunks plane_chunks(CsrPointers<double, std::int32_t, std::int64_t> const&);

}  // namespace araia::host
