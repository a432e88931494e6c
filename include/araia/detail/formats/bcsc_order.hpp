// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The symbolic half of Csr -> Bcsc: how rows are cut into blocks, and in which order a block's entries lie.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/assembly/sort_keys.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/bcsc_access.hpp>
#include <araia/detail/formats/bcsc_keys.hpp>
#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/team_sort.hpp>
#include <araia/formats/bcsc.hpp>

namespace araia {

/// How rows are cut into blocks.
enum class BcscHeights {
  equal,       ///< block_height rows each
  by_entries,  ///< about `per_block` entries each
  by_columns   ///< about `per_block` nonempty columns each: what a block fetches of B or x (its footprint)
};

/// How wide a compact form's columns are.
enum class BcscColumns {
  automatic,  ///< 16 bits where every block spans at most 65536 columns, else those of the ordinal
  narrow,     ///< 16 bits; throws unsupported where a block spans more
  wide        ///< those of the ordinal
};

struct BcscOptions {
  std::int64_t block_height = 128;  ///< rows of a block, or the mean of heights that vary
  BcscHeights heights = BcscHeights::equal;
  std::int64_t per_block = 0;  ///< entries or columns of a block where heights vary; 0: mean entries of block_height
  std::int64_t tallest = 0;    ///< most rows of a block where heights vary; 0: 2 block_height
  bool split = false;          ///< hybrid: columns by descending count, the dense ones before split(b)
  std::int64_t dense_entries =
      0;                     ///< entries in a block from which a column is dense; 0: by the model, see split_columns
  bool keep_gather = false;  ///< keep 4 bytes an entry: update_values is one gather, to_csr gives A's own order back
  BcscColumns columns = BcscColumns::automatic;  ///< of the compact form
  std::uint64_t memory_limit =
      0;                 ///< bytes that result and workspace may take; 0: half of the free memory of its space
  bool validate = true;  ///< check A first; else it is trusted, and a broken one ends in anything
};

namespace detail {

template <class Exec>
using PositionView = Kokkos::View<std::uint32_t*, typename Exec::memory_space>;

/// Blocks of one conversion, as the pointers struct of a matrix without entries, and the View that keeps them.
template <class Ordinal, class Offset, class Device>
struct BlockCut {
  BcscPointers<char, Ordinal, Offset> blocks;
  Kokkos::View<Ordinal const*, Device> block_rows;
};

/// A team a block; blocks may differ much in entries, so hosts hand them out one by one.
template <class Exec>
using BlockPolicy = Kokkos::TeamPolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>>;

/// Workspace of the ordering, and what it found.
template <class Offset, class Device, class Exec>
struct BlockOrder {
  PositionView<Exec> order{};   // (nnz) place of each entry in its block of the Csr, or empty: keys
  PositionView<Exec> row_of{};  // (nnz) row in the block of each entry of the Csr, or empty: keys
  EntryKeys<Exec> keys{};       // devices: those of all entries, where 64 bits hold them
  Kokkos::View<std::int64_t*, Device> columns_before{};  // devices: columns that begin before each chunk of the order
  Kokkos::View<Offset*, Device> offsets{};  // (blocks + 1) block_offsets of the result, on devices only once filled
  std::int64_t block_columns = 0;

  /// Devices: what the order says of entries.
  template <class Pointers, class Blocks>
  [[nodiscard]] OrderedEntries<Pointers, Blocks> entries(Pointers const& a, Blocks const& blocks) const {
    bool const keyed = keys.keys.extent(0) != 0;
    return {a,
            blocks,
            keyed ? keys.keys.data() : nullptr,
            keyed ? nullptr : order.data(),
            keyed ? nullptr : row_of.data(),
            keys.shape};
  }
};

/// Is entry i of a block's order the first of its column?
template <class Cols>
KOKKOS_INLINE_FUNCTION bool begins_column(Cols const* cols, std::uint32_t const* order, std::int64_t i) {
  return i == 0 || cols[order[i]] != cols[order[i - 1]];
}

/// Devices: order_blocks by keys. Returns false, with nothing written, where 64 bits do not hold them.
template <class Exec, class Pointers, class Blocks>
static bool order_blocks_by_keys(Exec const& exec, Pointers const& a, Blocks const& blocks,
                                 PositionView<Exec> const& order, PositionView<Exec> const& row_of) {
  auto const sorted = sort_entry_keys(exec, a, blocks);
  if (sorted.keys.extent(0) == 0) return false;
  OrderedEntries<Pointers, Blocks> const entries{a, blocks, sorted.keys.data(), nullptr, nullptr, sorted.shape};
  for_each_index(
      "araia::csr_to_bcsc::order", IndexRange<Exec>(exec, 0, a.nnz), KOKKOS_LAMBDA(std::int64_t i) {
        std::int64_t const block = entries.block(i);
        order(i) = entries(i);
        row_of(entries.source(i, block)) = static_cast<std::uint32_t>(entries.row(i, block));
      });
  exec.fence("araia::csr_to_bcsc: keys are released");
  return true;
}

/// order_blocks by a sort in each block.
/// \param columns  hosts: (blocks + 1) gets the nonempty columns of block b at b + 1; or null
template <class Exec, class Pointers, class Blocks, class Offset>
static void order_blocks_by_teams(Exec const& exec, Pointers const& a, Blocks const& blocks,
                                  PositionView<Exec> const& order_view, PositionView<Exec> const& row_view,
                                  Offset* columns) {
  using Policy = BlockPolicy<Exec>;
  auto const shape = team_sort_shape(exec, a.nnz / blocks.blocks);
  std::uint32_t* const order_data = order_view.data();
  std::uint32_t* const row_data = row_view.data();
  Policy policy(exec, static_cast<int>(blocks.blocks), shape.team_size);
  policy.set_scratch_size(0, Kokkos::PerTeam(shape.scratch_bytes()));
  for_each_team(
      "araia::csr_to_bcsc::order", policy, KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        std::int64_t const first_row = block_first_row(blocks, team.league_rank());
        std::int64_t const last_row = block_first_row(blocks, team.league_rank() + 1);
        std::int64_t const first = a.row_offsets[first_row];
        std::int64_t const count = static_cast<std::int64_t>(a.row_offsets[last_row]) - first;
        auto const* const cols = a.col_indices + first;
        std::uint32_t* const order = order_data + first;
        std::uint32_t* const row_of = row_data + first;
        std::uint32_t* const counters = team_sort_counters(team, shape);
        // Only the columns between a block's lowest and highest need telling apart.
        using Span = Kokkos::MinMaxScalar<std::int64_t>;
        Span span;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, count),
            [&](std::int64_t i, Span& part) {
              std::int64_t const col = cols[i];
              part.min_val = Kokkos::min(part.min_val, col);
              part.max_val = Kokkos::max(part.max_val, col);
            },
            Kokkos::MinMax<std::int64_t>(span));
        if (count == 0) return;  // the same for all threads of the team; `columns` is zero there
        team_sort(team, shape, counters, count, bits_for(span.max_val - span.min_val), order, row_of,
                  [&](std::int64_t i) { return static_cast<std::int64_t>(cols[i]) - span.min_val; });
        if (columns)
          Kokkos::single(Kokkos::PerTeam(team), [&] {
            std::int64_t found = 1;
            auto before = cols[order[0]];  // one look at each column
            for (std::int64_t i = 0; i < count; ++i) {
              auto const next = cols[order[i]];
              found += next != before ? 1 : 0;
              before = next;
            }
            columns[team.league_rank() + 1] = static_cast<Offset>(found);
          });
        // row_of was the sort's second array; now each thread walks the rows of its run of entries.
        std::int64_t const run = (count + shape.team_size - 1) / shape.team_size;
        std::int64_t const begin = Kokkos::min<std::int64_t>(team.team_rank() * run, count);
        std::int64_t const end = Kokkos::min<std::int64_t>(begin + run, count);
        if (begin < end) {
          std::int64_t row = segment_of(a.row_offsets + first_row, last_row - first_row, first + begin);
          std::int64_t row_end = static_cast<std::int64_t>(a.row_offsets[first_row + row + 1]) - first;
          for (std::int64_t i = begin; i < end; ++i) {
            while (i >= row_end) row_end = static_cast<std::int64_t>(a.row_offsets[first_row + ++row + 1]) - first;
            row_of[i] = static_cast<std::uint32_t>(row);
          }
        }
      });
}

/// order(k) for the entries of every block: by column, equal columns by row and then as they stood; row_of(k) for those
/// of the Csr.
template <class Exec, class Pointers, class Blocks>
static void order_blocks(Exec const& exec, Pointers const& a, Blocks const& blocks, PositionView<Exec> const& order,
                         PositionView<Exec> const& row_of) {
  if (blocks.blocks == 0 || a.nnz == 0) return;
  if constexpr (is_device_space<Exec>)
    if (order_blocks_by_keys(exec, a, blocks, order, row_of)) return;
  order_blocks_by_teams(exec, a, blocks, order, row_of, static_cast<std::int64_t*>(nullptr));
}

/// Threads of a team that goes over `mean` items once.
template <class Exec>
int block_team_size(std::int64_t mean) {
  if constexpr (!is_device_space<Exec>) return 1;
  int threads = device_warp;
  while (threads < device_block && threads * 4 < mean) threads *= 2;
  return threads;
}

/// offsets(b + 1): nonempty columns of block b; makes them offsets. Returns their total; fences exec.
template <class Exec, class Offsets>
static std::int64_t sum_columns(Exec const& exec, Offsets const& offsets, std::int64_t blocks) {
  counts_to_offsets(exec, offsets, blocks);
  return static_cast<std::int64_t>(value_at(exec, "araia::csr_to_bcsc::sum_columns", offsets.data() + blocks));
}

/// Blocks begin at rows for which starts(row) is 1: their first rows, and the height of the tallest.
template <class Ordinal, class Offset, class Device, class Exec, class Starts>
static BlockCut<Ordinal, Offset, Device> blocks_from_starts(Exec const& exec, std::int64_t rows, std::int64_t cols,
                                                            Starts const& starts) {
  std::int64_t blocks = 0;
  reduce_indices(
      "araia::bcsc_blocks::count", IndexRange<Exec>(exec, 0, rows),
      KOKKOS_LAMBDA(std::int64_t row, std::int64_t & sum) { sum += starts(row); }, blocks);
  exec.fence("araia::bcsc_blocks::count");
  auto const block_rows = new_array<Ordinal, Device>(exec, "araia::bcsc::block_rows", blocks + 1);
  scan_indices<std::int64_t>(
      "araia::bcsc_blocks::first_rows", IndexRange<Exec>(exec, 0, rows + 1),
      KOKKOS_LAMBDA(std::int64_t row, std::int64_t & before, bool final) {
        bool const begins = row == rows || starts(row) != 0;
        if (final && begins) block_rows(before) = static_cast<Ordinal>(row);
        before += begins ? 1 : 0;
      });
  std::int64_t tallest = 0;
  reduce_indices(
      "araia::bcsc_blocks::tallest", IndexRange<Exec>(exec, 0, blocks),
      KOKKOS_LAMBDA(std::int64_t b, std::int64_t & most) {
        most = Kokkos::max<std::int64_t>(most, static_cast<std::int64_t>(block_rows(b + 1)) - block_rows(b));
      },
      Kokkos::Max<std::int64_t>(tallest));
  exec.fence("araia::bcsc_blocks::tallest");
  return {{.rows = rows, .cols = cols, .blocks = blocks, .block_height = tallest, .block_rows = block_rows.data()},
          block_rows};
}

/// 1 where a block begins, so that each fetches about `target` columns: within chunks of `tallest` rows, rows join a
/// block until those that it has not met yet would pass the target. `order` and `row_of` are of those chunks.
template <class Exec, class Pointers, class Blocks, class Starts>
static void cut_by_columns(Exec const& exec, Pointers const& a, Blocks const& chunks, std::int64_t target,
                           PositionView<Exec> const& order_view, PositionView<Exec> const& row_view,
                           Starts const& starts) {
  using Policy = BlockPolicy<Exec>;
  auto const earlier_view = new_view<PositionView<Exec>>(exec, "araia::bcsc_blocks::earlier_row", a.nnz);
  std::uint32_t const* const order_data = order_view.data();
  std::uint32_t const* const row_data = row_view.data();
  std::uint32_t* const earlier_data = earlier_view.data();
  for_each_team(
      "araia::bcsc_blocks::cut_by_columns",
      Policy(exec, static_cast<int>(chunks.blocks), is_device_space<Exec> ? device_warp : 1),
      KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        std::int64_t const first_row = block_first_row(chunks, team.league_rank());
        std::int64_t const last_row = block_first_row(chunks, team.league_rank() + 1);
        std::int64_t const first = a.row_offsets[first_row];
        std::int64_t const count = static_cast<std::int64_t>(a.row_offsets[last_row]) - first;
        std::uint32_t const* const order = order_data + first;
        std::uint32_t const* const row_of = row_data + first;
        std::uint32_t* const earlier = earlier_data + first;
        // The row before, plus one, that has the entry's column; 0: none in the chunk.
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), [&](std::int64_t i) {
          earlier[order[i]] = begins_column(a.col_indices + first, order, i) ? 0 : row_of[order[i - 1]] + 1;
        });
        team.team_barrier();  // all of `earlier` is written before rows read it
        std::int64_t begin = 0;
        std::int64_t columns = 0;
        for (std::int64_t row = 0; row < last_row - first_row; ++row) {
          std::int64_t const row_first = static_cast<std::int64_t>(a.row_offsets[first_row + row]) - first;
          std::int64_t const row_last = static_cast<std::int64_t>(a.row_offsets[first_row + row + 1]) - first;
          // Columns that the row adds to its block, and those it would bring to a block of its own.
          std::int64_t added = 0;
          std::int64_t own = 0;
          Kokkos::parallel_reduce(
              Kokkos::TeamThreadRange(team, row_first, row_last),
              [&](std::int64_t i, std::int64_t& sum) { sum += earlier[i] <= begin ? 1 : 0; }, added);
          Kokkos::parallel_reduce(
              Kokkos::TeamThreadRange(team, row_first, row_last),
              [&](std::int64_t i, std::int64_t& sum) { sum += earlier[i] <= row ? 1 : 0; }, own);
          bool const begins = row == 0 || (columns > 0 && columns + added > target);
          if (begins) begin = row;
          columns = begins ? own : columns + added;
          Kokkos::single(Kokkos::PerTeam(team), [&] { starts(first_row + row) = begins ? 1 : 0; });
        }
      });
  exec.fence("araia::bcsc_blocks::cut_by_columns: `earlier` is released");
}

/// 1 where a block begins, so that each has about `target` entries and at most `tallest` rows.
template <class Exec, class Pointers, class Starts>
static void cut_by_entries(Exec const& exec, Pointers const& a, std::int64_t target, std::int64_t tallest,
                           Starts const& starts) {
  for_each_index(
      "araia::bcsc_blocks::cut_by_entries", IndexRange<Exec>(exec, 0, a.rows), KOKKOS_LAMBDA(std::int64_t row) {
        bool const begins = row % tallest == 0 || static_cast<std::int64_t>(a.row_offsets[row]) / target !=
                                                      static_cast<std::int64_t>(a.row_offsets[row - 1]) / target;
        starts(row) = begins ? 1 : 0;
      });
}

/// Blocks of equal height.
template <class Ordinal, class Offset, class Device>
BlockCut<Ordinal, Offset, Device> equal_blocks(std::int64_t rows, std::int64_t cols, std::int64_t height) {
  std::int64_t const blocks = rows / height + (rows % height != 0 ? 1 : 0);
  require_fits<std::int32_t>("araia::csr_to_bcsc: blocks", blocks);
  return {{.rows = rows, .cols = cols, .blocks = blocks, .block_height = height}, {}};
}

inline void require_option(bool holds, char const* option, std::int64_t got, char const* expected) {
  if (!holds)
    throw Error(ErrorKind::invalid_argument,
                std::string("araia::csr_to_bcsc: ") + option + " is " + std::to_string(got) + ", expected " + expected);
}

/// Bytes of a BlockOrder: keys, or places and rows.
inline std::uint64_t order_bytes(std::int64_t nnz) { return saturating_product(8, static_cast<std::uint64_t>(nnz)); }

/// Bytes that making one takes, its own included: on devices a second array of keys, and where blocks are cut by
/// columns places and rows beside the keys.
template <class Exec>
std::uint64_t ordering_bytes(std::int64_t nnz, BcscHeights heights) {
  std::uint64_t const by_keys = heights == BcscHeights::by_columns ? 24 : 16;
  return saturating_product(is_device_space<Exec> ? by_keys : 8, static_cast<std::uint64_t>(nnz));
}

/// Throws resource_limit where a block has more entries than its positions can name.
template <class Exec, class Pointers, class Blocks>
static void require_block_entries(Exec const& exec, Pointers const& a, Blocks const& blocks) {
  if (a.nnz <= static_cast<std::int64_t>(std::numeric_limits<std::uint32_t>::max())) return;
  require_fits<std::uint32_t>("araia::csr_to_bcsc: entries of one block", most_block_entries(exec, a, blocks));
}

/// The blocks that the options ask for. Orders the entries once where they are cut by columns.
template <class Offset, class Exec, class Matrix>
static BlockCut<typename Matrix::ordinal_type, Offset, typename Matrix::device_type> cut_rows(
    Exec const& exec, Matrix const& A, BcscOptions const& options) {
  using Ordinal = typename Matrix::ordinal_type;
  using Device = typename Matrix::device_type;
  require_option(options.block_height >= 1, "block_height", options.block_height, "1 or more");
  require_option(options.per_block >= 0, "per_block", options.per_block, "0 or more");
  require_option(options.tallest >= 0, "tallest", options.tallest, "0 or more");
  require_option(options.dense_entries >= 0, "dense_entries", options.dense_entries, "0 or more");
  if (options.heights == BcscHeights::equal || A.rows == 0) {
    if (A.rows > 0)
      require_fits<Ordinal>("araia::csr_to_bcsc: the last row of a block", std::min(A.rows, options.block_height) - 1);
    return equal_blocks<Ordinal, Offset, Device>(A.rows, A.cols, options.block_height);
  }
  require_fits<Ordinal>("araia::csr_to_bcsc: rows in block_rows", A.rows);
  std::int64_t const height = std::min(options.block_height, std::max<std::int64_t>(A.rows, 1));
  std::int64_t const tallest = options.tallest ? options.tallest : 2 * height;
  std::int64_t const mean =
      static_cast<std::int64_t>(static_cast<double>(A.nnz) / static_cast<double>(A.rows) * static_cast<double>(height));
  std::int64_t const target = std::max<std::int64_t>(1, options.per_block ? options.per_block : mean);
  auto const a = A.pointers();
  auto const starts = new_array<int, Device>(exec, "araia::bcsc_blocks::starts", A.rows);
  if (options.heights == BcscHeights::by_entries) {
    cut_by_entries(exec, a, target, tallest, starts);
  } else {
    auto const chunks = equal_blocks<Ordinal, Offset, Device>(A.rows, A.cols, tallest);
    auto const order = new_array<std::uint32_t, Device>(exec, "araia::bcsc_blocks::order", A.nnz);
    auto const row_of = new_array<std::uint32_t, Device>(exec, "araia::bcsc_blocks::row_of", A.nnz);
    require_block_entries(exec, a, chunks.blocks);
    order_blocks(exec, a, chunks.blocks, order, row_of);
    cut_by_columns(exec, a, chunks.blocks, target, order, row_of, starts);
  }
  auto const cut = blocks_from_starts<Ordinal, Offset, Device>(exec, A.rows, A.cols, starts);
  require_fits<std::int32_t>("araia::csr_to_bcsc: blocks", cut.blocks.blocks);
  return cut;
}

}  // namespace detail
}  // namespace araia
