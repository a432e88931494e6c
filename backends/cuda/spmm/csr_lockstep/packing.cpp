// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/spmm/csr_lockstep/packing.hpp"

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

/// Entries of a row by column, in the order in which they are stored where columns are equal.
template <class Offset>
void order_entries(CsrPointers<float, std::int32_t, Offset> const& a, std::int32_t row, std::vector<Offset>& entries) {
  entries.resize(static_cast<std::size_t>(a.row_offsets[row + 1] - a.row_offsets[row]));
  std::iota(entries.begin(), entries.end(), a.row_offsets[row]);
  auto const before = [&](Offset x, Offset y) { return a.col_indices[x] < a.col_indices[y]; };
  if (!std::is_sorted(entries.begin(), entries.end(), before)) std::stable_sort(entries.begin(), entries.end(), before);
}

/// A group's rows, as they are read side by side.
template <class Offset>
struct Group {
  std::vector<std::vector<Offset>> entries;  // of each row
  std::vector<std::size_t> next;

  explicit Group(int rows) : entries(static_cast<std::size_t>(rows)), next(static_cast<std::size_t>(rows)) {}

  void read(CsrPointers<float, std::int32_t, Offset> const& a, std::int32_t const* rows) {
    for (std::size_t r = 0; r < entries.size(); ++r)
      if (rows[r] < 0)
        entries[r].clear();
      else
        order_entries(a, rows[r], entries[r]);
  }

  /// Walks the batches. A batch takes from each row what lies within `ring` stages of the first column that is left:
  /// all of its stages then fit in the ring at once.
  /// \param put  (row, record, 0 or 1, entry)
  /// \param events  (stages + 1), or null
  /// \returns records
  template <class Put>
  std::int64_t walk(std::int32_t const* columns, int ring, std::uint32_t* events, Put const& put) {
    constexpr int batch_entries = 2 * lockstep_batch;
    std::fill(next.begin(), next.end(), 0);
    auto const stage_of = [&](std::size_t r) { return columns[entries[r][next[r]]] / lockstep_stage_cols; };
    std::int64_t records = 0;
    std::int64_t batches = 0;
    std::int64_t batches_told = 0;
    std::int32_t waited = 0;
    std::int32_t released = 0;
    for (;;) {
      std::int32_t first = std::numeric_limits<std::int32_t>::max();
      for (std::size_t r = 0; r < entries.size(); ++r)
        if (next[r] < entries[r].size()) first = std::min(first, stage_of(r));
      if (first == std::numeric_limits<std::int32_t>::max()) break;
      std::int32_t last = first;
      int most = 0;
      bool more = false;
      for (std::size_t r = 0; r < entries.size(); ++r) {
        int n = 0;
        for (; n < batch_entries && next[r] < entries[r].size() && stage_of(r) - first < ring; ++n, ++next[r]) {
          last = std::max(last, stage_of(r));
          put(r, batches * lockstep_batch + n / 2, n % 2, entries[r][next[r]]);
        }
        most = std::max(most, n);
        more = more || next[r] < entries[r].size();
      }
      for (; waited <= last; ++waited) {
        std::int32_t const done = std::max(0, std::min(first, waited) - released);
        if (events)
          events[waited] = static_cast<std::uint32_t>((batches - batches_told) << lockstep_release_bits | done);
        released += done;
        batches_told = batches;
      }
      ++batches;
      records += more ? lockstep_batch : (most + 1) / 2;
    }
    if (events) events[waited] = lockstep_no_event;
    return records;
  }
};

}  // namespace

template <class Offset>
LockstepPacking lockstep_packing(CsrPointers<float, std::int32_t, Offset> const& a, LockstepShape shape, int threads,
                                 bool keep_sources) {
  int const g = shape.group_rows;
  if ((g != 8 && g != 16) || (shape.warps != 8 && shape.warps != 16) || shape.ring < 2 ||
      shape.ring >= 1 << lockstep_release_bits || shape.parts < 1)
    throw Error(ErrorKind::invalid_argument, "araia: lockstep_packing: group_rows, warps, ring, parts are " +
                                                 std::to_string(g) + ", " + std::to_string(shape.warps) + ", " +
                                                 std::to_string(shape.ring) + ", " + std::to_string(shape.parts) +
                                                 ", expected 8 or 16, 8 or 16, 2 to 255, and at least 1");
  auto const rows_of_part = deal(a, shape.parts);
  LockstepPacking out;
  out.shape = shape;
  out.rows = a.rows;
  out.cols = a.cols;
  out.nnz = a.nnz;
  out.groups = (static_cast<std::int64_t>(rows_of_part.front().size()) + g - 1) / g;
  for (auto const& rows : rows_of_part)
    out.groups = std::max(out.groups, (static_cast<std::int64_t>(rows.size()) + g - 1) / g);
  out.chunks = 1;
  out.stages = (a.cols + lockstep_stage_cols - 1) / lockstep_stage_cols;
  auto const parts = static_cast<std::size_t>(shape.parts);
  auto const groups = static_cast<std::size_t>(out.groups);
  auto const group_rows = static_cast<std::size_t>(g);
  auto const events_of_group = static_cast<std::size_t>(out.stages) + 1;

  out.row_order.assign(parts * groups * group_rows, -1);
  for (std::size_t p = 0; p < parts; ++p)
    std::copy(rows_of_part[p].begin(), rows_of_part[p].end(),
              out.row_order.begin() + static_cast<std::ptrdiff_t>(p * groups * group_rows));
  out.stream_offsets.assign(parts * groups + 1, 0);
  out.events.assign(parts * groups * events_of_group, lockstep_no_event);
  auto const for_streams = [&](auto const& work) {
    share(static_cast<std::int64_t>(parts * groups), threads, [&](std::int64_t first, std::int64_t last) {
      Group<Offset> group(g);
      for (auto s = static_cast<std::size_t>(first); s < static_cast<std::size_t>(last); ++s) {
        group.read(a, out.row_order.data() + s * group_rows);
        work(s, group);
      }
    });
  };
  for_streams([&](std::size_t s, Group<Offset>& group) {
    out.stream_offsets[s + 1] = group.walk(a.col_indices, shape.ring, out.events.data() + s * events_of_group,
                                           [](std::size_t, std::int64_t, int, Offset) {});
  });
  std::partial_sum(out.stream_offsets.begin(), out.stream_offsets.end(), out.stream_offsets.begin());

  std::size_t const record_words = group_rows * 4;
  std::size_t const words = static_cast<std::size_t>(out.stream_offsets.back() + lockstep_batch) * record_words;
  out.records.assign(words, 0);
  auto const zeros = static_cast<std::uint32_t>(shape.ring * lockstep_stage_cols);
  for (std::size_t w = 0; w < words; w += 2) out.records[w] = zeros;
  if (keep_sources) out.sources.assign(words, -1);
  for_streams([&](std::size_t s, Group<Offset>& group) {
    // Where all stages fit in the ring they stay; else each round goes on where the one before left the ring.
    std::int64_t const round = static_cast<std::int64_t>(s % groups) / shape.warps;
    std::int64_t const shift = out.stages <= shape.ring ? 0 : round * out.stages % shape.ring;
    auto const start = static_cast<std::size_t>(out.stream_offsets[s]);
    group.walk(a.col_indices, shape.ring, nullptr, [&](std::size_t r, std::int64_t record, int half, Offset k) {
      std::int64_t const column = a.col_indices[k];
      std::int64_t const slot = (shift + column / lockstep_stage_cols) % shape.ring;
      std::size_t const at =
          (start + static_cast<std::size_t>(record)) * record_words + r * 4 + static_cast<std::size_t>(half) * 2;
      out.records[at] = static_cast<std::uint32_t>(slot * lockstep_stage_cols + column % lockstep_stage_cols);
      out.records[at + 1] = std::bit_cast<std::uint32_t>(a.values ? a.values[k] : 1.0f);
      if (keep_sources) out.sources[at + 1] = static_cast<std::int32_t>(k);
    });
  });
  return out;
}

template LockstepPacking lockstep_packing(CsrPointers<float, std::int32_t, std::int32_t> const&, LockstepShape, int,
                                          bool);
template LockstepPacking lockstep_packing(CsrPointers<float, std::int32_t, std::int64_t> const&, LockstepShape, int,
                                          bool);

}  // namespace araia::cuda
