// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/openmp/csr_row_slabs.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace araia::host {

namespace {

/// What rows of B may take of a cache: A and C pass through it too.
constexpr std::int64_t bytes_of_b(std::int64_t cache_bytes) { return cache_bytes / 4 * 3; }

// Rows of B that slabs fetch, of those that rows in their own order do: with more it does not pay to leave that order.
constexpr double most_fetched = 0.65;

// A last-level cache up to this size belongs to a few cores, beyond it is a mesh of many. Emerald Rapids, 260 MiB: 29
// GB/s a core; Zen 5, 32 MiB: 100 GB/s, memory 30. So planes may come from a near one, and slabs are cut for it alone:
// they are wider and fetch less at their sides than those in L2. Zen 5, 7-point stencil of 91^3, rows of B of 128, 256,
// 512 and 1024 bytes: 1.1, 1.2, 1.4 and 1.7 times the speed of slabs in L2; 64 bytes 0.96 to 1.04.
constexpr std::int64_t near_last_cache = std::int64_t{64} << 20;
// Of a thread's part of it: planes stay in their own order up to a half, slabs take a quarter. The same, 256, 512 and
// 1024 bytes: such slabs 0.9 to 1.0, 1.4 and 1.6 times the speed of rows in their own order.
constexpr std::int64_t share_of_planes = 2;
constexpr std::int64_t share_of_slabs = 4;

// Rows of B that slabs save, of the entries: with fewer, products are not bound by fetching them. 7-point stencil 0.27
// and 1.2 times the speed; 27 points 0.07, FEM of 3 unknowns 0.02: 0.9 to 1.
constexpr double least_saved = 0.15;

constexpr std::int64_t sampled_rows = 512;
constexpr std::int64_t least_planes = 8;

/// What one slab reads, by the marks on the rows of B.
template <class Matrix>
RowSlabs::Width sample(Matrix const& a, std::int64_t first, std::int64_t rows, std::int64_t period,
                       std::vector<std::uint8_t>& marks) {
  RowSlabs::Width width{.rows = rows};
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

std::int64_t RowSlabs::rows_of_slab(std::int64_t row_bytes, int threads, Caches const& of) const {
  if (period == 0 || row_bytes <= 0) return 0;
  bool const near = of.last > of.l2 && of.last <= near_last_cache;
  std::int64_t const part = near ? of.last / std::clamp(threads, 1, std::max(1, of.sharers)) : 0;
  std::int64_t const kept = std::max(bytes_of_b(of.l2), bytes_of_b(part / share_of_planes)) / row_bytes;
  if (2 * period + least_rows <= kept) return 0;  // all that a row meets stays as it is
  std::int64_t const room = std::max(bytes_of_b(of.l2), bytes_of_b(part / share_of_slabs)) / row_bytes;
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
  std::int64_t const slabs = (period + rows - 1) / rows;
  return (period + slabs - 1) / slabs;
}

template <class Scalar, class Offset>
RowSlabs row_slabs(CsrPointers<Scalar, std::int32_t, Offset> const& a) {
  RowSlabs slabs;
  if (a.row_permutation || a.rows < least_planes * RowSlabs::least_rows) return slabs;
  std::vector<std::int64_t> spans;
  std::int64_t const step = std::max<std::int64_t>(1, a.rows / sampled_rows);
  for (std::int64_t i = step / 2; i < a.rows; i += step)
    if (auto const begin = a.row_offsets[i], end = a.row_offsets[i + 1]; begin < end)
      spans.push_back((std::int64_t{a.col_indices[end - 1]} - a.col_indices[begin]) / 2);
  if (spans.empty()) return slabs;
  auto const middle = spans.begin() + static_cast<std::ptrdiff_t>(spans.size() / 2);
  std::nth_element(spans.begin(), middle, spans.end());
  if (*middle < 2 * RowSlabs::least_rows || *middle * least_planes > a.rows) return slabs;
  slabs.period = *middle;
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(a.cols));
  std::int64_t rows = RowSlabs::least_rows;
  // A slab in the midst of a plane in the midst of the matrix.
  std::int64_t const first = a.rows / slabs.period / 2 * slabs.period + slabs.period / 3;
  double saved = 0;
  for (auto& width : slabs.widths) {
    if (rows > slabs.period / 2 || first + rows > a.rows) break;
    width = sample(a, first, rows, slabs.period, marks);
    saved = static_cast<double>(width.touched - width.fresh) /
            static_cast<double>(a.row_offsets[first + rows] - a.row_offsets[first]);
    rows *= 2;
  }
  return saved >= least_saved ? slabs : RowSlabs{};  // a sample without entries saves nothing: 0 / 0
}

template RowSlabs row_slabs(CsrPointers<float, std::int32_t, std::int32_t> const&);
template RowSlabs row_slabs(CsrPointers<float, std::int32_t, std::int64_t> const&);
template RowSlabs row_slabs(CsrPointers<double, std::int32_t, std::int32_t> const&);
template RowSlabs row_slabs(CsrPointers<double, std::int32_t, std::int64_t> const&);

}  // namespace araia::host
