// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which blocks a Csr needs: counted and listed by merging the rows of each block row, columns ascending; on devices,
// where rows are long, by sorting the blocks of all entries.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/detail/formats/row_order.hpp>
#include <araia/detail/formats/segment_order.hpp>
#include <araia/formats/bsr.hpp>

namespace araia::detail {

/// Columns of A with every row ascending, equal ones in their order; values are not touched.
/// \throws araia::Error resource_limit where they take more than the host has
template <class Device, class Exec, class Scalar, class Ordinal, class Offset>
static Kokkos::View<Ordinal*, Device> ascending_columns(Exec const& exec,
                                                        CsrPointers<Scalar, Ordinal, Offset> const& a) {
  require_room_beside<Device>("araia::ascending_columns", 0,
                              saturating_product(static_cast<std::uint64_t>(a.nnz), sizeof(Ordinal)), 0);
  auto const sorted = new_array<Ordinal, Device>(exec, "araia::ascending_columns", a.nnz);
  order_segments(
      exec, "araia::ascending_columns", a.row_offsets, a.rows, a.nnz,
      KOKKOS_LAMBDA(std::int64_t k) { return a.col_indices[k]; },
      KOKKOS_LAMBDA(std::int64_t to, std::int64_t from) { sorted(to) = a.col_indices[from]; });
  return sorted;
}

/// Where only the count of blocks is wanted.
struct NoVisit {
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t, std::int64_t) const {}
};

/// Device: the lanes that go along the rows of a block row, one each.
inline int lanes_of_block_row(int block_rows) {
  int lanes = 1;
  while (lanes < block_rows) lanes *= 2;
  return lanes;
}

/// Device: visit(n, block column) for the n-th block of block row I, ascending, by one lane; returns how many. Rows
/// must ascend. A lane's head moves on past each block: every entry is read once. \param lanes  the team's vector
/// length, lanes_of_block_row(block_rows): a lane keeps its row from step to step
template <class Team, class Pointers, class Visit>
KOKKOS_INLINE_FUNCTION std::int64_t merge_block_row(Team const& team, int lanes, Pointers const& a,
                                                    std::int64_t block_row, int block_rows, int block_cols,
                                                    Visit const& visit) {
  using Column = std::conditional_t<sizeof(typename Pointers::ordinal_type) <= 4, std::uint32_t, std::uint64_t>;
  constexpr Column none = static_cast<Column>(-1);  // beyond every column: of a row that is through
  auto const width = static_cast<Column>(block_cols);
  std::int64_t head = 0;
  std::int64_t last = 0;
  Column block = none;
  auto const look = [&] { block = head < last ? static_cast<Column>(a.col_indices[head]) / width : none; };
  Column least = none;
  Kokkos::parallel_reduce(
      Kokkos::ThreadVectorRange(team, lanes),
      [&](int lane, Column& low) {
        std::int64_t const row = block_row * block_rows + lane;
        if (lane < block_rows && row < a.rows) {
          head = static_cast<std::int64_t>(a.row_offsets[row]);
          last = static_cast<std::int64_t>(a.row_offsets[row + 1]);
        }
        look();
        low = Kokkos::min(low, block);
      },
      Kokkos::Min<Column>(least));
  std::int64_t count = 0;
  while (least != none) {
    Column const current = least;
    Kokkos::single(Kokkos::PerThread(team), [&] { visit(count, current); });
    ++count;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, lanes),
        [&](int, Column& low) {
          while (block == current) {
            ++head;
            look();
          }
          low = Kokkos::min(low, block);
        },
        Kokkos::Min<Column>(least));
  }
  return count;
}

/// Device: body(team, lanes, block_row) for block rows [first, last), a thread each; returns the sum of what it
/// returns. Fences exec.
template <class Exec, class Body>
static std::int64_t sum_over_block_rows_by_lanes(Exec const& exec, char const* label, int block_rows,
                                                 std::int64_t first, std::int64_t last, Body const& body) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  std::int64_t total = 0;
  if (last <= first) return total;
  int const lanes = lanes_of_block_row(block_rows);
  auto const shape = row_team_shape(exec, last - first, 0, 0, lanes);
  std::int64_t const per_team = shape.rows_per_team;
  Kokkos::parallel_reduce(
      label, Policy(exec, league_size(last - first, per_team), shape.team_size, shape.vector_length),
      KOKKOS_LAMBDA(typename Policy::member_type const& team, std::int64_t& sum) {
        std::int64_t const begin = first + team.league_rank() * per_team;
        std::int64_t const end = Kokkos::min<std::int64_t>(begin + per_team, last);
        std::int64_t of_team = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, begin, end),
            [&](std::int64_t block_row, std::int64_t& part) { part += body(team, lanes, block_row); }, of_team);
        Kokkos::single(Kokkos::PerTeam(team), [&] { sum += of_team; });
      },
      total);
  exec.fence(label);
  return total;
}

/// Host: the same without a branch that depends on the matrix, as a predictor foresees no pattern. Each row is
/// first cut down to the block columns that it touches; then every row is looked at for every block. Holds memory of
/// the largest block row that it has met.
template <class Ordinal>
class HostBlockRow {
 public:
  /// visit(n, block column) for the n-th block of block row I, ascending; returns how many. Rows must ascend.
  template <class Pointers, class Visit>
  std::int64_t merge(Pointers const& a, std::int64_t block_row, int block_rows, int block_cols, Visit const& visit) {
    cut_down(a, block_row, block_rows, block_cols);
    std::int64_t heads[largest_block];
    Column least = none;
    for (int i = 0; i < rows_; ++i) {
      heads[i] = starts_[i];
      least = std::min(least, columns_[static_cast<std::size_t>(heads[i])]);
    }
    std::int64_t count = 0;
    for (; least != none; ++count) {
      visit(count, static_cast<Ordinal>(least));
      Column next = none;
      for (int i = 0; i < rows_; ++i) {
        auto const head = static_cast<std::size_t>(heads[i]);
        ranks_[head] = static_cast<Column>(count);  // the last block to write it is the one
        std::size_t const moved = head + (columns_[head] == least ? 1 : 0);
        heads[i] = static_cast<std::int64_t>(moved);
        next = std::min(next, columns_[moved]);
      }
      least = next;
    }
    return count;
  }

  /// put(k, slot) for every entry k of the block row merged last, whose first block is `first_block`.
  template <class Pointers, class Put>
  void for_each_slot(Pointers const& a, std::int64_t block_row, int block_rows, int block_cols,
                     std::int64_t first_block, Put const& put) const {
    auto const width = static_cast<Column>(block_cols);
    for (int i = 0; i < rows_; ++i) {
      std::int64_t const row = block_row * block_rows + i;
      auto const last = static_cast<std::int64_t>(a.row_offsets[row + 1]);
      std::int64_t at = starts_[i] - 1;
      Column before = none;
      for (auto k = static_cast<std::int64_t>(a.row_offsets[row]); k < last; ++k) {
        auto const column = static_cast<Column>(a.col_indices[k]);
        auto const block = static_cast<Column>(column / width);
        at += block != before ? 1 : 0;
        before = block;
        auto const rank = static_cast<std::int64_t>(ranks_[static_cast<std::size_t>(at)]);
        put(k,
            ((first_block + rank) * block_rows + i) * block_cols + static_cast<std::int64_t>(column - block * width));
      }
    }
  }

 private:
  using Column = std::make_unsigned_t<Ordinal>;
  static constexpr Column none = std::numeric_limits<Column>::max();  // beyond every column

  template <class Pointers>
  void cut_down(Pointers const& a, std::int64_t block_row, int block_rows, int block_cols) {
    std::int64_t const first = block_row * block_rows;
    rows_ = static_cast<int>(std::min<std::int64_t>(block_rows, a.rows - first));
    auto const entries = static_cast<std::int64_t>(a.row_offsets[first + rows_] - a.row_offsets[first]);
    auto const needed = static_cast<std::size_t>(entries + rows_);
    if (columns_.size() < needed) {
      columns_.resize(needed);
      ranks_.resize(needed);
    }
    auto const width = static_cast<Column>(block_cols);
    std::int64_t to = 0;
    for (int i = 0; i < rows_; ++i) {
      starts_[i] = to;
      auto const last = static_cast<std::int64_t>(a.row_offsets[first + i + 1]);
      Column before = none;
      for (auto k = static_cast<std::int64_t>(a.row_offsets[first + i]); k < last; ++k) {
        auto const block = static_cast<Column>(static_cast<Column>(a.col_indices[k]) / width);
        to += block != before ? 1 : 0;
        columns_[static_cast<std::size_t>(to - 1)] = block;
        before = block;
      }
      columns_[static_cast<std::size_t>(to++)] = none;
    }
  }

  int rows_ = 0;
  std::int64_t starts_[largest_block] = {};  // of each row in `columns_`
  std::vector<Column> columns_;              // block columns row by row, each row ended by `none`
  std::vector<Column> ranks_;                // which block of the block row each of them is
};

/// Host: body(block_row, HostBlockRow, sum) for block rows [first, last), some at a time, and the sum that they make.
template <class Exec, class Ordinal, class Body>
static std::int64_t sum_over_block_rows(Exec const& exec, char const* label, std::int64_t first, std::int64_t last,
                                        Body const& body) {
  constexpr std::int64_t together = 64;  // block rows that share a buffer
  std::int64_t const chunks = blocks_along(std::max<std::int64_t>(0, last - first), together);
  std::int64_t total = 0;
  if (chunks == 0) return total;
  reduce_indices(
      label, DynamicRange<Exec>(exec, 0, chunks, host_chunk(exec, chunks)),
      [=](std::int64_t chunk, std::int64_t& sum) {
        HostBlockRow<Ordinal> merge;
        std::int64_t const begin = first + chunk * together;
        std::int64_t const end = std::min(begin + together, last);
        for (std::int64_t block_row = begin; block_row < end; ++block_row) sum += body(block_row, merge);
      },
      total);
  return total;
}

/// Offsets of a chunk of an array, counted from where the chunk begins.
template <class Offset>
struct OffsetsFrom {
  Offset const* offsets;
  std::int64_t base;
  KOKKOS_INLINE_FUNCTION std::int64_t operator[](std::int64_t i) const {
    return static_cast<std::int64_t>(offsets[i]) - base;
  }
};

/// Devices: memory of two arrays of keys, kept from one count to the next: to allocate them costs as much as to sort.
template <class Exec>
struct KeyRoom {
  using Keys = Kokkos::View<std::uint64_t*, typename Exec::memory_space>;
  Keys keys{};
  Keys other{};

  void reserve(Exec const& exec, std::int64_t count) {
    if (static_cast<std::int64_t>(keys.extent(0)) >= count) return;
    keys = {};
    other = {};
    keys = new_keys(exec, "araia::bsr::block_keys", count);
    other = new_keys(exec, "araia::bsr::block_keys_workspace", count);
  }
};

/// Devices: (block row, block column) of every entry of block rows [first, last), sorted.
template <class Exec>
struct BlockKeys {
  typename KeyRoom<Exec>::Keys keys{};
  typename KeyRoom<Exec>::Keys other{};  // as long, free for use
  int col_bits = 0;

  KOKKOS_INLINE_FUNCTION bool begins(std::int64_t i) const { return i == 0 || keys(i - 1) != keys(i); }
  [[nodiscard]] std::int64_t entries() const { return static_cast<std::int64_t>(keys.extent(0)); }
};

/// Devices: should blocks be found by sorting? Merging has a lane walk each row.
template <class Exec, class Pointers>
static bool sorts_blocks(Exec const& exec, Pointers const& a, int block_rows, int block_cols) {
  int const bits = bits_for(blocks_along(a.rows, block_rows)) + bits_for(blocks_along(a.cols, block_cols));
  return is_device_space<Exec> && bits <= 64 && longest_row(exec, a.rows, a.row_offsets) > lane_row_entries;
}

/// \param room  what the keys lie in, made larger where it must be. Fences exec.
template <class Exec, class Pointers>
static BlockKeys<Exec> block_keys(Exec const& exec, Pointers const& a, int block_rows, int block_cols,
                                  std::int64_t first, std::int64_t last, KeyRoom<Exec>& room) {
  using Offset = typename Pointers::size_type;
  using Column = std::conditional_t<sizeof(typename Pointers::ordinal_type) <= 4, std::uint32_t, std::uint64_t>;
  auto const offset_at = [&](std::int64_t block_row) {
    std::int64_t const row = std::min(block_row * block_rows, a.rows);
    return static_cast<std::int64_t>(value_at(exec, "araia::bsr::block_keys", a.row_offsets + row));
  };
  std::int64_t const first_row = first * block_rows;
  std::int64_t const rows = std::min(last * block_rows, a.rows) - first_row;
  std::int64_t const base = offset_at(first);  // of their entries
  std::int64_t const entries = offset_at(last) - base;
  room.reserve(exec, entries);
  auto const part = Kokkos::make_pair(std::size_t{0}, static_cast<std::size_t>(entries));
  BlockKeys<Exec> found{Kokkos::subview(room.keys, part), Kokkos::subview(room.other, part),
                        bits_for(blocks_along(a.cols, block_cols))};
  auto const keys = found.keys;
  int const col_bits = found.col_bits;
  auto const width = static_cast<Column>(block_cols);
  auto const height = static_cast<std::uint32_t>(block_rows);
  for_each_in_segments(
      exec, "araia::bsr::block_keys", OffsetsFrom<Offset>{a.row_offsets + first_row, base}, rows, entries,
      KOKKOS_LAMBDA(std::int64_t row, std::int64_t, std::int64_t k) {
        auto const block_row = static_cast<std::uint64_t>(row) / height;
        keys(k) =
            block_row << col_bits | static_cast<std::uint64_t>(static_cast<Column>(a.col_indices[base + k]) / width);
      });
  sort_keys(exec, found.keys, found.other, {0, col_bits + bits_for(last - first)});
  return found;
}

/// Fences exec.
template <class Exec>
static std::int64_t count_block_keys(Exec const& exec, BlockKeys<Exec> const& blocks) {
  std::int64_t count = 0;
  reduce_indices(
      "araia::bsr::count_blocks", IndexRange<Exec>(exec, 0, blocks.entries()),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & sum) { sum += blocks.begins(i) ? 1 : 0; }, count);
  exec.fence("araia::bsr::count_blocks");
  return count;
}

/// Blocks of this shape in block rows first, first + step ... below `last` of A, columns ascending. Fences exec.
/// \param room  for keys on devices, which one count after the other may use
template <class Exec, class Pointers>
static std::int64_t count_blocks(Exec const& exec, Pointers const& a, int block_rows, int block_cols,
                                 std::int64_t first, std::int64_t last, std::int64_t step, KeyRoom<Exec>& room) {
  std::int64_t const count = last > first ? (last - first - 1) / step + 1 : 0;
  if constexpr (is_device_space<Exec>) {
    if (step == 1 && count > 0 && sorts_blocks(exec, a, block_rows, block_cols))
      return count_block_keys(exec, block_keys(exec, a, block_rows, block_cols, first, last, room));
    using Team = typename Kokkos::TeamPolicy<Exec>::member_type;
    return sum_over_block_rows_by_lanes(
        exec, "araia::bsr::count_blocks", block_rows, 0, count,
        KOKKOS_LAMBDA(Team const& team, int lanes, std::int64_t i) {
          return merge_block_row(team, lanes, a, first + i * step, block_rows, block_cols, NoVisit());
        });
  } else {
    std::int64_t const blocks = sum_over_block_rows<Exec, typename Pointers::ordinal_type>(
        exec, "araia::bsr::count_blocks", 0, count, [=](std::int64_t i, auto& merge) {
          return merge.merge(a, first + i * step, block_rows, block_cols, NoVisit());
        });
    exec.fence("araia::bsr::count_blocks");
    return blocks;
  }
}

template <class Exec, class Pointers>
static std::int64_t count_blocks(Exec const& exec, Pointers const& a, int block_rows, int block_cols,
                                 std::int64_t first, std::int64_t last, std::int64_t step = 1) {
  KeyRoom<Exec> room;
  return count_blocks(exec, a, block_rows, block_cols, first, last, step, room);
}

/// A's structure with rows that ascend strictly.
/// \throws araia::Error unsupported where the rows are permuted or an entry is stored twice
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static typename Csr<char, Ordinal, Offset, Device>::pointers_type blockable(
    Exec const& exec, char const* what, Csr<Scalar, Ordinal, Offset, Device> const& A,
    Kokkos::View<Ordinal*, Device>& sorted) {
  if (A.row_permutation.extent(0) != 0)
    throw Error(ErrorKind::unsupported,
                std::string(what) + ": the rows of A are permuted, expected matrix order: to_csr(exec, A) first");
  auto a = A.pattern().pointers();
  auto order = row_order(exec, a).order;
  if (order == ColumnOrder::unsorted) {
    sorted = ascending_columns<Device>(exec, a);
    a.col_indices = sorted.data();
    order = row_order(exec, a).order;
  }
  if (order != ColumnOrder::strict)
    throw Error(ErrorKind::unsupported,
                std::string(what) + ": A stores an entry twice, a block holds it once: sum_duplicates(exec, A) first");
  return a;
}

}  // namespace araia::detail
