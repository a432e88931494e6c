// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/spmm/csr_row_groups/packing.hpp"

#include <algorithm>
#include <araia/detail/formats/type_list.hpp>
#include <araia/error.hpp>
#include <array>
#include <limits>
#include <numeric>
#include <string>

#include "backends/cuda/host_shares.hpp"

namespace araia::cuda {
namespace {

constexpr std::int64_t least_share = 256;  // of rows or groups, for a thread of its own

constexpr double shared_to_join = 0.5;  // of the shorter row's columns: neighbours with fewer are in different groups

/// Entries of a row in the order of their columns: `order` where they are not stored so.
template <class T, class Offset>
struct SortedRows {
  CsrPointers<T, std::int32_t, Offset> const& a;
  Offset first;               // entry
  std::vector<Offset> order;  // (entries from `first`) or empty: as stored

  SortedRows(CsrPointers<T, std::int32_t, Offset> const& matrix, int threads)
      : a(matrix), first(a.rows > 0 ? a.row_offsets[0] : Offset{0}) {
    std::vector<char> unsorted(static_cast<std::size_t>(a.rows));
    share_each(
        a.rows, threads,
        [&](std::int64_t i) {
          unsorted[static_cast<std::size_t>(i)] =
              !std::is_sorted(a.col_indices + a.row_offsets[i], a.col_indices + a.row_offsets[i + 1]);
        },
        least_share);
    if (std::find(unsorted.begin(), unsorted.end(), 1) == unsorted.end()) return;
    order.resize(static_cast<std::size_t>(a.row_offsets[a.rows] - first));
    std::iota(order.begin(), order.end(), first);
    share_each(
        a.rows, threads,
        [&](std::int64_t i) {
          if (unsorted[static_cast<std::size_t>(i)])
            std::stable_sort(order.begin() + (a.row_offsets[i] - first), order.begin() + (a.row_offsets[i + 1] - first),
                             [&](Offset x, Offset y) { return a.col_indices[x] < a.col_indices[y]; });
        },
        least_share);
  }
  [[nodiscard]] Offset entry(Offset k) const { return order.empty() ? k : order[static_cast<std::size_t>(k - first)]; }
  [[nodiscard]] std::int32_t column(Offset k) const { return a.col_indices[entry(k)]; }

  /// Do two rows share so many columns that they belong together?
  [[nodiscard]] bool alike(std::int64_t i, std::int64_t j) const {
    Offset x = a.row_offsets[i];
    Offset y = a.row_offsets[j];
    Offset const x_end = a.row_offsets[i + 1];
    Offset const y_end = a.row_offsets[j + 1];
    auto const shorter = static_cast<double>(std::min(x_end - x, y_end - y));
    std::int64_t shared = 0;
    while (x < x_end && y < y_end) {
      std::int32_t const cx = column(x);
      std::int32_t const cy = column(y);
      shared += cx == cy;
      x += cx <= cy;
      y += cy <= cx;
    }
    return static_cast<double>(shared) >= shared_to_join * shorter;
  }
};

struct Group {
  std::int32_t first_row;
  std::int32_t rows;
};

template <class T, class Offset>
std::int32_t length_of(CsrPointers<T, std::int32_t, Offset> const& a, std::int64_t row) {
  auto const entries = static_cast<std::int64_t>(a.row_offsets[row + 1] - a.row_offsets[row]);
  if (entries > std::numeric_limits<std::int32_t>::max())
    throw Error(ErrorKind::resource_limit, "araia: group_packing: row " + std::to_string(row) + " has " +
                                               std::to_string(entries) + " entries, expected at most 2^31 - 1");
  return static_cast<std::int32_t>(entries);
}

/// use(n, column, entries) for the columns of a group in order: entries (rows), -1: none.
template <class T, class Offset, class Use>
std::int32_t merge(SortedRows<T, Offset> const& sorted, Group const& group, Use const& use) {
  std::array<Offset, most_group_rows> at{};
  std::array<Offset, most_group_rows> end{};
  auto const count = static_cast<std::size_t>(group.rows);
  for (std::size_t r = 0; r < count; ++r) {
    at[r] = sorted.a.row_offsets[group.first_row + static_cast<std::int32_t>(r)];
    end[r] = sorted.a.row_offsets[group.first_row + static_cast<std::int32_t>(r) + 1];
  }
  constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
  std::array<std::int64_t, most_group_rows> entries{};
  for (std::int32_t n = 0;; ++n) {
    std::int32_t column = none;
    for (std::size_t r = 0; r < count; ++r)
      if (at[r] < end[r]) column = std::min(column, sorted.column(at[r]));
    if (column == none) return n;
    for (std::size_t r = 0; r < count; ++r) {
      bool const has = at[r] < end[r] && sorted.column(at[r]) == column;
      entries[r] = has ? static_cast<std::int64_t>(sorted.entry(at[r])) : -1;
      at[r] += has;
    }
    use(n, column, entries);
  }
}

/// Runs of rows that are alike, cut evenly into groups.
template <class T, class Offset>
std::vector<Group> form_groups(SortedRows<T, Offset> const& sorted, int group_rows, int threads) {
  auto const rows = sorted.a.rows;
  std::vector<Group> groups;
  if (group_rows == 1) {
    groups.reserve(static_cast<std::size_t>(rows));
    for (std::int64_t i = 0; i < rows; ++i) groups.push_back({static_cast<std::int32_t>(i), 1});
    return groups;
  }
  std::vector<char> joins(static_cast<std::size_t>(rows));  // the row before
  share_each(
      rows, threads, [&](std::int64_t i) { joins[static_cast<std::size_t>(i)] = i > 0 && sorted.alike(i - 1, i); },
      least_share);
  for (std::int64_t i = 0; i < rows;) {
    std::int64_t end = i + 1;
    while (end < rows && joins[static_cast<std::size_t>(end)]) ++end;
    std::int64_t const count = (end - i + group_rows - 1) / group_rows;
    for (std::int64_t g = 0; g < count; ++g) {
      std::int64_t const first = i + (end - i) * g / count;
      std::int64_t const last = i + (end - i) * (g + 1) / count;
      groups.push_back({static_cast<std::int32_t>(first), static_cast<std::int32_t>(last - first)});
    }
    i = end;
  }
  return groups;
}

/// Columns [first, last) of a group; sums go to the workspace from row `to`, or to C where that is -1, or to those of
/// the chunk before.
struct GroupChunk {
  std::int32_t group = -1;  // none: nothing lies here
  std::int32_t first = 0;
  std::int32_t last = 0;
  std::int32_t to = -1;

  [[nodiscard]] std::int32_t columns() const { return last - first; }
};

/// Chunks in the places of slices, each in its parts: rows of a slice have the same number of them.
std::vector<GroupChunk> in_parts(std::vector<GroupChunk> const& chunks, GroupShape const& shape) {
  auto const side = static_cast<std::size_t>(shape.slice_groups);
  std::vector<GroupChunk> places;
  places.reserve(chunks.size() + side);
  std::int32_t parts_of_slice = 1;
  for (GroupChunk const& chunk : chunks) {
    std::int32_t const parts = shape.parts_of(chunk.columns());
    if (parts != parts_of_slice) places.resize((places.size() + side - 1) / side * side);
    parts_of_slice = parts;
    std::int64_t const columns = chunk.columns();
    for (std::int32_t p = 0; p < parts; ++p)
      places.push_back({chunk.group, static_cast<std::int32_t>(chunk.first + columns * p / parts),
                        static_cast<std::int32_t>(chunk.first + columns * (p + 1) / parts),
                        p == 0 ? chunk.to : part_of_row_before});
  }
  return places;
}

void require_shape(GroupShape const& shape) {
  auto const power_of_two = [](std::int64_t v) { return v >= 1 && v <= 32 && (v & (v - 1)) == 0; };
  if (shape.group_rows < 1 || shape.group_rows > most_group_rows || !power_of_two(shape.slice_groups) ||
      shape.sort_window < -1 || shape.segment < step_columns || shape.segment % step_columns != 0 ||
      shape.run_steps < 0 || (shape.part != 0 && (shape.part < step_columns || shape.group_rows > 1)))
    throw Error(ErrorKind::invalid_argument,
                "araia: group_packing: group_rows, slice_groups, sort_window, segment, run_steps, part are " +
                    std::to_string(shape.group_rows) + ", " + std::to_string(shape.slice_groups) + ", " +
                    std::to_string(shape.sort_window) + ", " + std::to_string(shape.segment) + ", " +
                    std::to_string(shape.run_steps) + ", " + std::to_string(shape.part) +
                    ", expected 1 to 4, a power of two up to 32, at least -1, a multiple of 4, at least 0, and 0 or (1 "
                    "row) at least 4");
}

}  // namespace

template <class T, class Offset>
GroupPacking<T> group_packing(CsrPointers<T, std::int32_t, Offset> const& a, GroupShape shape, int threads,
                              bool keep_sources) {
  require_shape(shape);
  GroupPacking<T> out;
  out.rows = a.rows;
  out.cols = a.cols;
  out.shape = shape;
  SortedRows<T, Offset> const sorted(a, threads);
  auto const groups = form_groups(sorted, shape.group_rows, threads);
  auto const group_rows = static_cast<std::size_t>(shape.group_rows);
  auto const side = static_cast<std::size_t>(shape.slice_groups);

  std::vector<std::int32_t> lengths(groups.size());
  share_each(
      static_cast<std::int64_t>(groups.size()), threads,
      [&](std::int64_t i) {
        auto const g = static_cast<std::size_t>(i);
        lengths[g] = shape.group_rows == 1 ? length_of(a, i) : merge(sorted, groups[g], [](auto, auto, auto const&) {});
      },
      least_share);
  out.group_columns = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});

  auto const is_whole = [&](std::int64_t length) { return length - shape.segment <= shape.segment; };
  // Segments first, as they take longest.
  std::vector<GroupChunk> chunks;
  chunks.reserve(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (is_whole(lengths[g])) continue;
    std::int64_t const parts = (lengths[g] + shape.segment - 1) / shape.segment;
    auto const stride = groups[g].rows;
    if (out.workspace_rows + parts * stride > std::numeric_limits<std::int32_t>::max() - 2)
      throw Error(ErrorKind::resource_limit, "araia: group_packing: more segments of rows than 32 bits count");
    for (std::int32_t r = 0; r < stride; ++r)
      out.cut_rows.push_back({groups[g].first_row + r, static_cast<std::int32_t>(out.workspace_rows) + r,
                              static_cast<std::int32_t>(parts), stride});
    for (std::int64_t p = 0; p < parts; ++p) {
      chunks.push_back({static_cast<std::int32_t>(g), static_cast<std::int32_t>(p * shape.segment),
                        static_cast<std::int32_t>(std::min<std::int64_t>((p + 1) * shape.segment, lengths[g])),
                        static_cast<std::int32_t>(out.workspace_rows)});
      out.workspace_rows += stride;
    }
  }
  std::size_t const cut = chunks.size();
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (is_whole(lengths[g])) chunks.push_back({static_cast<std::int32_t>(g), 0, lengths[g], -1});
  auto const longer = [](GroupChunk const& x, GroupChunk const& y) { return x.columns() > y.columns(); };
  if (shape.sort_window != 0) {
    auto const all = static_cast<std::int64_t>(chunks.size() - cut);
    std::int64_t const window = shape.sort_window < 0 ? all : shape.sort_window;
    auto const begin = chunks.begin() + static_cast<std::ptrdiff_t>(cut);
    if (window > 0)
      share_each((all + window - 1) / window, threads,
                 [&](std::int64_t w) {
                   std::stable_sort(begin + w * window, begin + std::min((w + 1) * window, all), longer);
                 },
                 least_share);
  }
  if (shape.part > 0) chunks = in_parts(chunks, shape);

  out.slices = static_cast<std::int64_t>((chunks.size() + side - 1) / side);
  auto const slices = static_cast<std::size_t>(out.slices);
  std::int64_t steps = 0;
  out.slice_offsets.reserve(slices + 1);
  out.slice_offsets.push_back(0);
  for (std::size_t s = 0; s < slices; ++s) {
    std::int32_t longest = 0;
    for (std::size_t i = s * side; i < std::min((s + 1) * side, chunks.size()); ++i)
      longest = std::max(longest, chunks[i].columns());
    steps += (longest + step_columns - 1) / step_columns;
    if (steps > std::numeric_limits<std::int32_t>::max())
      throw Error(ErrorKind::resource_limit, "araia: group_packing: more steps than 32 bits count");
    out.slice_offsets.push_back(static_cast<std::int32_t>(steps));
  }

  // A slice of empty rows takes its time too.
  out.run_offsets.push_back(0);
  std::int64_t steps_of_run = 0;
  for (std::size_t s = 0; s < slices; ++s) {
    auto const first = static_cast<std::size_t>(out.run_offsets.back());
    steps_of_run += std::max(1, out.slice_offsets[s + 1] - out.slice_offsets[s]);
    if (s + 1 != slices && s + 1 - first != most_slices_of_run && shape.group_rows == 1 &&
        steps_of_run < shape.run_steps)
      continue;
    out.run_offsets.push_back(static_cast<std::int32_t>(s + 1));
    steps_of_run = 0;
  }
  out.runs = static_cast<std::int64_t>(out.run_offsets.size()) - 1;

  std::size_t const columns_of_step = side * step_columns;
  std::size_t const values_of_step = columns_of_step * group_rows;
  out.row_order.assign(slices * side * group_rows, -1);
  out.col_indices.assign(static_cast<std::size_t>(steps) * columns_of_step, 0);
  out.values.assign(static_cast<std::size_t>(steps) * values_of_step, T{});
  if (keep_sources) out.sources.assign(out.values.size(), -1);
  constexpr std::size_t width = 16 / sizeof(T);
  auto const fill = [&](std::size_t first_chunk, std::size_t last_chunk) {  // of one group
    Group const& group = groups[static_cast<std::size_t>(chunks[first_chunk].group)];
    std::size_t i = first_chunk;
    std::size_t at = 0;  // column of the chunk
    std::int32_t last_column = 0;
    auto const start = [&] { return static_cast<std::size_t>(out.slice_offsets[i / side]); };
    auto const column_slot = [&] {
      return (start() + at / step_columns) * columns_of_step + i % side * step_columns + at % step_columns;
    };
    auto const pad = [&] {
      std::size_t const steps_here = static_cast<std::size_t>(out.slice_offsets[i / side + 1]) - start();
      for (; at < steps_here * step_columns; ++at) out.col_indices[column_slot()] = last_column;
    };
    for (std::size_t p = first_chunk; p < last_chunk; ++p) {
      if (chunks[p].group < 0) continue;
      std::int32_t const to = chunks[p].to;
      for (std::int32_t r = 0; r < group.rows; ++r)
        out.row_order[p * group_rows + static_cast<std::size_t>(r)] = to == part_of_row_before ? to
                                                                      : to < 0                 ? group.first_row + r
                                                                                               : -2 - (to + r);
    }
    merge(sorted, group, [&](std::int32_t n, std::int32_t column, auto const& entries) {
      while (n == chunks[i].last || chunks[i].group < 0) {
        pad();
        ++i;
        at = 0;
      }
      last_column = column;
      out.col_indices[column_slot()] = column;
      for (std::size_t r = 0; r < static_cast<std::size_t>(group.rows); ++r) {
        if (entries[r] < 0) continue;
        std::size_t const flat = at % step_columns * group_rows + r;  // of the group's step
        std::size_t const slot =
            (start() + at / step_columns) * values_of_step + (flat / width * side + i % side) * width + flat % width;
        out.values[slot] = a.values ? a.values[entries[r]] : T{1};
        if (keep_sources) out.sources[slot] = static_cast<std::int32_t>(entries[r]);
      }
      ++at;
    });
    pad();
  };
  // Each group begins at the chunk of its first column.
  std::vector<std::size_t> begins;
  std::size_t cut_groups = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (chunks[i].group < 0 || chunks[i].first != 0 || chunks[i].to == part_of_row_before) continue;
    if (chunks[i].to >= 0) ++cut_groups;
    begins.push_back(i);
  }
  begins.push_back(chunks.size());
  auto const fill_groups = [&](std::size_t begin, std::size_t end) {
    share_each(
        static_cast<std::int64_t>(end - begin), threads,
        [&](std::int64_t i) {
          auto const g = begin + static_cast<std::size_t>(i);
          fill(begins[g], begins[g + 1]);
        },
        least_share);
  };
  fill_groups(0, cut_groups);  // apart from the others, as they take longest
  fill_groups(cut_groups, begins.size() - 1);
  return out;
}

template <class T, class Offset>
std::int64_t count_group_columns(CsrPointers<T, std::int32_t, Offset> const& a, int group_rows) {
  SortedRows<T, Offset> const sorted(a, 1);
  std::int64_t columns = 0;
  for (auto const& group : form_groups(sorted, group_rows, 1))
    columns += merge(sorted, group, [](auto, auto, auto const&) {});
  return columns;
}

[[gnu::used]] static void write_out_group_packing() {
  using namespace araia::detail;
  for_types<AllReals, AllOffsets>([&]<class T, class F>() {
    write_out(count_group_columns<T, F>);
    write_out(group_packing<T, F>);
  });
}

}  // namespace araia::cuda
