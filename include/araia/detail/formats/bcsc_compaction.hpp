// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Bcsc <-> BcscCompact: indices in fewer bits and back. Entries keep their order, so values and gather are shared.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/bcsc_access.hpp>
#include <araia/detail/formats/bcsc_order.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/formats/bcsc.hpp>

namespace araia {

namespace detail {

inline constexpr std::int64_t longest_part = 256;   // entries that an 8-bit count (less one) holds
inline constexpr std::int64_t widest_step = 65535;  // columns from a block's first one that 16 bits reach

/// What the compact form of a matrix needs.
struct CompactSizes {
  std::int64_t parts = 0;        // block columns, long ones cut
  std::int64_t widest_span = 0;  // highest less lowest column of a block
};

KOKKOS_INLINE_FUNCTION std::int64_t parts_of(std::int64_t entries) {
  return (entries + longest_part - 1) / longest_part;
}

/// Throws unsupported, in the name of `what`, where blocks of that height have more rows than RowIndex tells apart.
template <class RowIndex>
void require_rows_fit(char const* what, std::int64_t rows, std::int64_t block_height) {
  if constexpr (std::is_unsigned_v<RowIndex>) {
    constexpr std::int64_t most = std::int64_t{std::numeric_limits<RowIndex>::max()} + 1;
    if (block_height > most && rows > most)
      throw Error(ErrorKind::unsupported, std::string(what) + ": block_height is " + std::to_string(block_height) +
                                              ", rows of an entry in " + std::to_string(8 * sizeof(RowIndex)) +
                                              " bits allow at most " + std::to_string(most));
  }
}

/// Lowest and highest column of a block that has any, by a team.
template <class Team, class Pointers>
KOKKOS_INLINE_FUNCTION auto column_span(Team const& team, Pointers const& b, std::int64_t block) {
  using Ordinal = typename Pointers::ordinal_type;
  Kokkos::MinMaxScalar<Ordinal> span;
  Kokkos::parallel_reduce(
      Kokkos::TeamThreadRange(team, static_cast<std::int64_t>(b.block_offsets[block]),
                              static_cast<std::int64_t>(b.block_offsets[block + 1])),
      [&](std::int64_t j, Kokkos::MinMaxScalar<Ordinal>& part) {
        part.min_val = Kokkos::min(part.min_val, b.block_cols[j]);
        part.max_val = Kokkos::max(part.max_val, b.block_cols[j]);
      },
      Kokkos::MinMax<Ordinal>(span));
  return span;
}

/// Parts and spans of the blocks of B, from its columns and their offsets alone. Fences exec.
/// \param lowest   (blocks) takes the lowest column of each block, 0 where it has none; or empty
template <class Exec, class Pointers, class Columns>
static CompactSizes compact_sizes(Exec const& exec, Pointers const& b, Columns const& lowest) {
  using Ordinal = typename Pointers::ordinal_type;
  using Policy = Kokkos::TeamPolicy<Exec>;
  CompactSizes sizes;
  if (b.blocks == 0) return sizes;
  reduce_indices(
      "araia::compact_bcsc::parts", IndexRange<Exec>(exec, 0, b.block_columns),
      KOKKOS_LAMBDA(std::int64_t j, std::int64_t & parts) { parts += parts_of(column_count(b, j)); }, sizes.parts);
  bool const keep = lowest.extent(0) != 0;
  if (b.split) {
    Kokkos::parallel_reduce(
        "araia::compact_bcsc::spans",
        Policy(exec, static_cast<int>(b.blocks), block_team_size<Exec>(b.block_columns / b.blocks)),
        KOKKOS_LAMBDA(typename Policy::member_type const& team, std::int64_t& widest) {
          std::int64_t const block = team.league_rank();
          bool const any = b.block_offsets[block] < b.block_offsets[block + 1];
          auto const span = column_span(team, b, block);
          if (team.team_rank() != 0) return;
          if (keep) lowest(block) = any ? span.min_val : Ordinal{0};
          if (any)
            widest =
                Kokkos::max(widest, static_cast<std::int64_t>(span.max_val) - static_cast<std::int64_t>(span.min_val));
        },
        Kokkos::Max<std::int64_t>(sizes.widest_span));
  } else {
    // Columns of a block ascend.
    reduce_indices(
        "araia::compact_bcsc::spans", IndexRange<Exec>(exec, 0, b.blocks),
        KOKKOS_LAMBDA(std::int64_t block, std::int64_t & widest) {
          std::int64_t const first = b.block_offsets[block];
          std::int64_t const last = b.block_offsets[block + 1];
          if (keep) lowest(block) = first < last ? b.block_cols[first] : Ordinal{0};
          if (first < last)
            widest = Kokkos::max(widest, static_cast<std::int64_t>(b.block_cols[last - 1]) -
                                             static_cast<std::int64_t>(b.block_cols[first]));
        },
        Kokkos::Max<std::int64_t>(sizes.widest_span));
  }
  exec.fence("araia::compact_bcsc::sizes");
  return sizes;
}

/// offsets(b), (blocks + 1): sum of count(block, j) over the block columns j of the blocks before b.
template <class Exec, class Pointers, class Offsets, class Count>
static void sum_before_blocks(Exec const& exec, char const* label, Pointers const& a, Offsets const& offsets,
                              Count const& count) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  using Offset = typename Offsets::non_const_value_type;
  for_each_team(
      label, Policy(exec, static_cast<int>(a.blocks), block_team_size<Exec>(a.block_columns / a.blocks)),
      KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        std::int64_t const block = team.league_rank();
        std::int64_t of_block = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, static_cast<std::int64_t>(a.block_offsets[block]),
                                    static_cast<std::int64_t>(a.block_offsets[block + 1])),
            [&](std::int64_t j, std::int64_t& sum) { sum += count(block, j); }, of_block);
        Kokkos::single(Kokkos::PerTeam(team), [&] { offsets(block + 1) = static_cast<Offset>(of_block); });
      });
  counts_to_offsets(exec, offsets, a.blocks);
}

/// offsets(b), (blocks + 1): parts of the blocks before b.
template <class Exec, class Pointers, class Offsets>
static void sum_parts(Exec const& exec, Pointers const& b, Offsets const& offsets) {
  sum_before_blocks(
      exec, "araia::compact_bcsc::parts_of_blocks", b, offsets,
      KOKKOS_LAMBDA(std::int64_t, std::int64_t j) { return parts_of(column_count(b, j)); });
}

/// Where the compact arrays of a conversion are written; absent ones are null.
template <class Ordinal, class Offset>
struct CompactTargets {
  /// Column `column` of a block, all its entries or those of one part, 256 or fewer.
  KOKKOS_INLINE_FUNCTION void put(std::int64_t part, std::int64_t block, Ordinal column, std::int64_t entries) const {
    col_counts[part] = static_cast<std::uint8_t>(entries - 1);
    if (col_steps)
      col_steps[part] = static_cast<std::uint16_t>(column - first_cols[block]);
    else
      block_cols[part] = column;
  }

  Offset* entry_offsets;
  Ordinal* block_cols;
  Ordinal const* first_cols;  // the lowest column of each block, to be read
  std::uint16_t* col_steps;
  std::uint8_t* col_counts;
  Offset* split;
};

/// \param whole  no column is cut: each is one part and stays where it is
template <class Exec, class Pointers, class Offsets, class Targets>
static void fill_compact(Exec const& exec, Pointers const& b, Offsets const& offsets, bool whole, Targets const& to) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  using Offset = typename Offsets::non_const_value_type;
  for_each_team(
      "araia::compact_bcsc::columns",
      Policy(exec, static_cast<int>(b.blocks), block_team_size<Exec>(b.block_columns / b.blocks)),
      KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        std::int64_t const block = team.league_rank();
        std::int64_t const first = b.block_offsets[block];
        std::int64_t const last = b.block_offsets[block + 1];
        auto const columns = Kokkos::TeamThreadRange(team, first, last);
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          to.entry_offsets[block] = b.col_offsets[first];
          if (block + 1 == b.blocks) to.entry_offsets[block + 1] = b.col_offsets[last];
          if (to.split && (whole || static_cast<std::int64_t>(b.split[block]) == last))
            to.split[block] = whole ? b.split[block] : offsets(block + 1);
        });
        if (whole) {
          Kokkos::parallel_for(columns, [&](std::int64_t j) { to.put(j, block, b.block_cols[j], column_count(b, j)); });
          return;
        }
        std::int64_t const first_part = offsets(block);
        Kokkos::parallel_scan(columns, [&](std::int64_t j, std::int64_t& before, bool final) {
          std::int64_t const entries = column_count(b, j);
          if (final) {
            std::int64_t part = first_part + before;
            if (to.split && static_cast<std::int64_t>(b.split[block]) == j) to.split[block] = static_cast<Offset>(part);
            for (std::int64_t left = entries; left > 0; left -= longest_part, ++part)
              to.put(part, block, b.block_cols[j], left < longest_part ? left : longest_part);
          }
          before += parts_of(entries);
        });
      });
}

/// to(k) = from(k) in another width.
template <class Exec, class To, class From>
static void cast_array(Exec const& exec, To const& to, From const& from, std::int64_t count) {
  for_each_index(
      "araia::bcsc::row_in_block", IndexRange<Exec>(exec, 0, count),
      KOKKOS_LAMBDA(std::int64_t k) { to(k) = static_cast<typename To::non_const_value_type>(from(k)); });
}

/// Does block column j of a compact matrix begin a column, rather than go on with a long one?
template <class Pointers>
KOKKOS_INLINE_FUNCTION bool begins_column(Pointers const& a, std::int64_t block, std::int64_t j) {
  return j == static_cast<std::int64_t>(a.block_offsets[block]) ||
         block_column(a, block, j) != block_column(a, block, j - 1);
}

/// offsets(b), (blocks + 1): whole columns of the blocks before b.
template <class Exec, class Pointers, class Offsets>
static void count_whole_columns(Exec const& exec, Pointers const& a, Offsets const& offsets) {
  sum_before_blocks(
      exec, "araia::expand_bcsc::count", a, offsets,
      KOKKOS_LAMBDA(std::int64_t block, std::int64_t j) { return std::int64_t{begins_column(a, block, j) ? 1 : 0}; });
}

template <class Exec, class Pointers, class Offsets, class Cols, class Split>
static void fill_expanded(Exec const& exec, Pointers const& a, Offsets const& block_offsets, Cols const& block_cols,
                          Offsets const& col_offsets, Split const& split) {
  using Offset = typename Offsets::non_const_value_type;
  using Ordinal = typename Pointers::ordinal_type;
  bool const has_split = a.split != nullptr;
  // One thread a block: expansion is for checks and round trips, not for products.
  for_each_index(
      "araia::expand_bcsc::columns", IndexRange<Exec>(exec, 0, a.blocks), KOKKOS_LAMBDA(std::int64_t block) {
        std::int64_t const last = a.block_offsets[block + 1];
        std::int64_t entry = a.entry_offsets[block];
        std::int64_t column = block_offsets(block);
        if (has_split && static_cast<std::int64_t>(a.split[block]) == last) split(block) = block_offsets(block + 1);
        for (std::int64_t j = a.block_offsets[block]; j < last; ++j) {
          if (has_split && static_cast<std::int64_t>(a.split[block]) == j) split(block) = static_cast<Offset>(column);
          if (begins_column(a, block, j)) {
            block_cols(column) = static_cast<Ordinal>(block_column(a, block, j));
            col_offsets(column) = static_cast<Offset>(entry);
            ++column;
          }
          entry += column_count(a, j);
        }
        if (block + 1 == a.blocks) col_offsets(column) = static_cast<Offset>(entry);
      });
}

/// compact_bcsc without rows of entries, of which it reads none.
template <class RowIndex, class Exec, class Scalar, class Ordinal, class Offset, class Device>
static BcscCompact<Scalar, Ordinal, Offset, Device, RowIndex> compact_columns(
    Exec const& exec, Bcsc<Scalar, Ordinal, Offset, Device> const& B, BcscColumns columns) {
  auto const b = B.pointers();
  auto const firsts = new_array<Ordinal, Device>(exec, "araia::bcsc::first_cols", B.blocks);
  auto const sizes = compact_sizes(exec, b, firsts);
  bool const fits = sizes.widest_span <= widest_step;
  if (columns == BcscColumns::narrow && !fits)
    throw Error(ErrorKind::unsupported, "araia::compact_bcsc: a block spans " + std::to_string(sizes.widest_span + 1) +
                                            " columns, narrow columns allow at most " +
                                            std::to_string(widest_step + 1));
  bool const narrow = columns != BcscColumns::wide && fits;
  bool const whole = sizes.parts == B.block_columns;
  require_fits<Offset>("araia::compact_bcsc: block columns", sizes.parts);

  BcscCompact<Scalar, Ordinal, Offset, Device, RowIndex> C{.rows = B.rows, .cols = B.cols, .nnz = B.nnz};
  C.blocks = B.blocks;
  C.block_columns = sizes.parts;
  C.block_height = B.block_height;
  C.block_rows = B.block_rows;
  C.row_permutation = B.row_permutation;
  C.values = B.values;
  C.gather = B.gather;
  auto const offsets = zeroed_view<Kokkos::View<Offset*, Device>>(exec, "araia::bcsc::block_offsets", B.blocks + 1);
  auto const entries = zeroed_view<Kokkos::View<Offset*, Device>>(exec, "araia::bcsc::entry_offsets", B.blocks + 1);
  auto const counts = new_array<std::uint8_t, Device>(exec, "araia::bcsc::col_counts", sizes.parts);
  auto const cols = new_array<Ordinal, Device>(exec, "araia::bcsc::block_cols", narrow ? 0 : sizes.parts);
  auto const steps = new_array<std::uint16_t, Device>(exec, "araia::bcsc::col_steps", narrow ? sizes.parts : 0);
  auto const split = new_array<Offset, Device>(exec, "araia::bcsc::split", b.split ? B.blocks : 0);
  if (B.blocks > 0) {
    if (whole)
      copy_array(exec, offsets, Kokkos::subview(B.block_offsets, std::pair(std::int64_t{0}, B.blocks + 1)));
    else
      sum_parts(exec, b, offsets);
    CompactTargets<Ordinal, Offset> const to{.entry_offsets = entries.data(),
                                             .block_cols = narrow ? nullptr : cols.data(),
                                             .first_cols = narrow ? firsts.data() : nullptr,
                                             .col_steps = narrow ? steps.data() : nullptr,
                                             .col_counts = counts.data(),
                                             .split = b.split ? split.data() : nullptr};
    fill_compact(exec, b, offsets, whole, to);
  }
  C.block_offsets = offsets;
  C.entry_offsets = entries;
  C.col_counts = counts;
  C.block_cols = cols;
  C.col_steps = steps;
  if (narrow) C.first_cols = firsts;
  C.split = split;
  return C;
}

}  // namespace detail

/// B in its compact form. Values, gather, block_rows and row_permutation are shared with B, not copied.
/// \throws araia::Error unsupported where a block has more rows than RowIndex tells apart, or where narrow columns are
///         asked for and a block spans more than 65536
/// Cost    O(nnz); allocates the index arrays; fences exec
template <class RowIndex = std::uint8_t, class Exec, class Scalar, class Ordinal, class Offset, class Device>
static BcscCompact<Scalar, Ordinal, Offset, Device, RowIndex> compact_bcsc(
    Exec const& exec, Bcsc<Scalar, Ordinal, Offset, Device> const& B, BcscColumns columns = BcscColumns::automatic) {
  Kokkos::Profiling::ScopedRegion const region("araia::compact_bcsc");
  if (B.blocks > 0) detail::require_rows_fit<RowIndex>("araia::compact_bcsc", B.rows, B.block_height);
  auto C = detail::compact_columns<RowIndex>(exec, B, columns);
  auto const rows = detail::new_array<RowIndex, Device>(exec, "araia::bcsc::row_in_block", B.nnz);
  detail::cast_array(exec, rows, B.row_in_block, B.nnz);
  C.row_in_block = rows;
  exec.fence("araia::compact_bcsc: B may be released");
  return C;
}

/// The Bcsc that a compact one stands for. Values, gather, block_rows and row_permutation are shared, not copied.
/// Cost    O(nnz); allocates the index arrays; fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device, class RowIndex>
static Bcsc<Scalar, Ordinal, Offset, Device> expand_bcsc(
    Exec const& exec, BcscCompact<Scalar, Ordinal, Offset, Device, RowIndex> const& A) {
  Kokkos::Profiling::ScopedRegion const region("araia::expand_bcsc");
  Bcsc<Scalar, Ordinal, Offset, Device> B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  B.blocks = A.blocks;
  B.block_height = A.block_height;
  B.block_rows = A.block_rows;
  B.row_permutation = A.row_permutation;
  B.values = A.values;
  B.gather = A.gather;
  auto const a = A.pointers();
  auto const offsets =
      detail::zeroed_view<Kokkos::View<Offset*, Device>>(exec, "araia::bcsc::block_offsets", A.blocks + 1);
  Offset columns{};
  if (A.blocks > 0) {
    detail::count_whole_columns(exec, a, offsets);
    columns = detail::value_at(exec, "araia::expand_bcsc: columns are counted", offsets.data() + A.blocks);
  }
  B.block_columns = static_cast<std::int64_t>(columns);
  auto const cols = detail::new_array<Ordinal, Device>(exec, "araia::bcsc::block_cols", B.block_columns);
  auto const col_offsets =
      detail::zeroed_view<Kokkos::View<Offset*, Device>>(exec, "araia::bcsc::col_offsets", B.block_columns + 1);
  auto const rows = detail::new_array<Ordinal, Device>(exec, "araia::bcsc::row_in_block", A.nnz);
  auto const split = detail::new_array<Offset, Device>(exec, "araia::bcsc::split", a.split ? A.blocks : 0);
  detail::fill_expanded(exec, a, offsets, cols, col_offsets, split);
  detail::cast_array(exec, rows, A.row_in_block, A.nnz);
  B.block_offsets = offsets;
  B.block_cols = cols;
  B.col_offsets = col_offsets;
  B.row_in_block = rows;
  B.split = split;
  exec.fence("araia::expand_bcsc: A may be released");
  return B;
}

}  // namespace araia
