// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/lockstep_packing.hpp"

#include <algorithm>
#include <araia/error.hpp>
#include <bit>
#include <limits>
#include <numeric>
#include <string>

#include "backends/cuda/host_shares.hpp"

namespace araia::cuda {
namespace {

/// Stored rows by part, longest first, dealt there and back: parts differ by less than one row's length.
template <class Offset>
std::vector<std::vector<std::int32_t>> deal(CsrPointers<float, std::int32_t, Offset> const& a, int parts) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(a.rows));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t x, std::int32_t y) {
    return a.row_offsets[x + 1] - a.row_offsets[x] > a.row_offsets[y + 1] - a.row_offsets[y];
  });
  auto const count = static_cast<std::size_t>(parts);
  std::vector<std::vector<std::int32_t>> rows(count);
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::size_t const place = i % count;
    rows[i / count % 2 == 0 ? place : count - 1 - place].push_back(order[i]);
  }
  return rows;
}

}  // namespace

template <class Offset>
LockstepPacking lockstep_packing(CsrPointers<float, std::int32_t, Offset> const& a, LockstepShape shape, int threads,
                                 bool keep_sources) {
  int const g = shape.group_rows;
  if ((g != 4 && g != 8 && g != 16) || shape.chunk_cols < 1 || shape.parts < 1)
    throw Error(ErrorKind::invalid_argument, "araia: lockstep_packing: group_rows, chunk_cols, parts are " +
                                                 std::to_string(g) + ", " + std::to_string(shape.chunk_cols) + ", " +
                                                 std::to_string(shape.parts) + ", expected 4, 8 or 16, and at least 1");
  auto const rows_of_part = deal(a, shape.parts);
  LockstepPacking out;
  out.shape = shape;
  out.rows = a.rows;
  out.cols = a.cols;
  out.nnz = a.nnz;
  out.groups = (static_cast<std::int64_t>(rows_of_part.front().size()) + g - 1) / g;
  for (auto const& rows : rows_of_part)
    out.groups = std::max(out.groups, (static_cast<std::int64_t>(rows.size()) + g - 1) / g);
  out.chunks = (a.cols + shape.chunk_cols - 1) / shape.chunk_cols;
  auto const rows = static_cast<std::size_t>(a.rows);
  auto const chunks = static_cast<std::size_t>(out.chunks);
  auto const parts = static_cast<std::size_t>(shape.parts);
  auto const groups = static_cast<std::size_t>(out.groups);
  auto const group_rows = static_cast<std::size_t>(g);

  std::vector<std::int32_t> lengths(chunks * rows, 0);
  share(a.rows, threads, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i)
      for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
        ++lengths[static_cast<std::size_t>(a.col_indices[k] / shape.chunk_cols) * rows + static_cast<std::size_t>(i)];
  });

  std::size_t const places = groups * group_rows;  // of a part
  out.row_order.assign(chunks * parts * places, -1);
  out.stream_offsets.assign(chunks * parts * groups + 1, 0);
  std::vector<std::int32_t> place_of(chunks * rows);  // in its part
  share(out.chunks * shape.parts, threads, [&](std::int64_t first, std::int64_t last) {
    for (auto cp = static_cast<std::size_t>(first); cp < static_cast<std::size_t>(last); ++cp) {
      std::int32_t const* const length = lengths.data() + cp / parts * rows;
      auto order = rows_of_part[cp % parts];
      std::stable_sort(order.begin(), order.end(),
                       [&](std::int32_t x, std::int32_t y) { return length[x] > length[y]; });
      std::copy(order.begin(), order.end(), out.row_order.begin() + static_cast<std::ptrdiff_t>(cp * places));
      for (std::size_t p = 0; p < order.size(); ++p) {
        place_of[cp / parts * rows + static_cast<std::size_t>(order[p])] = static_cast<std::int32_t>(p);
        if (p % group_rows == 0)  // its longest row
          out.stream_offsets[cp * groups + p / group_rows + 1] = (length[order[p]] + 1) / 2;
      }
    }
  });
  std::partial_sum(out.stream_offsets.begin(), out.stream_offsets.end(), out.stream_offsets.begin());

  std::size_t const record_words = group_rows * 4;
  std::size_t const words = static_cast<std::size_t>(out.stream_offsets.back() + lockstep_read_ahead) * record_words;
  out.records.assign(words, 0);
  for (std::size_t w = 0; w < words; w += 2) out.records[w] = static_cast<std::uint32_t>(shape.chunk_cols);
  if (keep_sources) out.sources.assign(words, -1);
  out.early.assign(chunks * parts * groups, std::numeric_limits<std::int32_t>::max());
  int const half = lockstep_half(shape.chunk_cols);
  share(shape.parts, threads, [&](std::int64_t first, std::int64_t last) {
    std::vector<std::size_t> written(chunks);
    for (auto part = static_cast<std::size_t>(first); part < static_cast<std::size_t>(last); ++part)
      for (std::int32_t const i : rows_of_part[part]) {
        std::fill(written.begin(), written.end(), 0);
        for (bool const late : {false, true}) {
          for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
            int const column = a.col_indices[k] % shape.chunk_cols;
            if ((column >= half) != late) continue;
            auto const c = static_cast<std::size_t>(a.col_indices[k] / shape.chunk_cols);
            auto const place = static_cast<std::size_t>(place_of[c * rows + static_cast<std::size_t>(i)]);
            auto const stream =
                static_cast<std::size_t>(out.stream_offsets[(c * parts + part) * groups + place / group_rows]);
            std::size_t const n = written[c]++;
            std::size_t const at = (stream + n / 2) * record_words + place % group_rows * 4 + n % 2 * 2;
            out.records[at] = static_cast<std::uint32_t>(column);
            out.records[at + 1] = std::bit_cast<std::uint32_t>(a.values ? a.values[k] : 1.0f);
            if (keep_sources) out.sources[at + 1] = static_cast<std::int32_t>(k);
          }
          if (late) break;
          for (std::size_t c = 0; c < chunks; ++c) {
            auto const at = c * rows + static_cast<std::size_t>(i);
            if (written[c] == static_cast<std::size_t>(lengths[at])) continue;  // none is late
            auto& early = out.early[(c * parts + part) * groups + static_cast<std::size_t>(place_of[at]) / group_rows];
            early = std::min(early, static_cast<std::int32_t>(written[c] / 2));
          }
        }
      }
  });
  for (std::size_t s = 0; s < out.early.size(); ++s)
    out.early[s] = static_cast<std::int32_t>(
        std::min<std::int64_t>(out.early[s], out.stream_offsets[s + 1] - out.stream_offsets[s]));
  return out;
}

template LockstepPacking lockstep_packing(CsrPointers<float, std::int32_t, std::int32_t> const&, LockstepShape, int,
                                          bool);
template LockstepPacking lockstep_packing(CsrPointers<float, std::int32_t, std::int64_t> const&, LockstepShape, int,
                                          bool);

}  // namespace araia::cuda
