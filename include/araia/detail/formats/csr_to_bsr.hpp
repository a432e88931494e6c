// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Csr -> Bsr and back, and which block size suits a matrix. No map is stored: an entry's slot follows from its row and
// a search among the blocks of its block row.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>

#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/bsr_structure.hpp>
#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/gather_map.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/detail/formats/ready_made.hpp>
#include <araia/formats/bsr.hpp>

namespace araia {

struct BsrOptions {
  int block_rows = 1;             ///< rows of a block, 1 to 32
  int block_cols = 1;             ///< columns of a block, 1 to 32
  bool keep_stored_mask = false;  ///< a bit a slot, where there is fill: to_csr then drops fill and keeps stored zeros
  /// Bytes that the result may take; 0: half of the free memory of its space.
  std::uint64_t memory_limit = 0;
  bool validate = true;  ///< check A first; else it is trusted, and a broken one ends in anything
};

/// What detect_block_size found.
struct BlockSize {
  int block_rows = 1;
  int block_cols = 1;
  std::int64_t blocks = 0;
  double fill = 1;  ///< slots over entries; 1 is no fill
  friend bool operator==(BlockSize const&, BlockSize const&) = default;
};

namespace detail {
template <class Format>
inline constexpr bool is_bsr = false;
template <class S, class O, class F, class D>
inline constexpr bool is_bsr<Bsr<S, O, F, D>> = true;

template <class Format>
std::uint64_t bsr_bytes(std::int64_t rows, std::int64_t nnz, std::int64_t blocks, bool values,
                        BsrOptions const& options) {
  auto const size = static_cast<std::uint64_t>(options.block_rows) * static_cast<std::uint64_t>(options.block_cols);
  auto const slots = saturating_product(static_cast<std::uint64_t>(blocks), size);
  bool const mask = slots != static_cast<std::uint64_t>(nnz) && (options.keep_stored_mask || !values);
  auto const offsets =
      (static_cast<std::uint64_t>(blocks_along(rows, options.block_rows)) + 1) * sizeof(typename Format::size_type);
  auto const indices = saturating_product(static_cast<std::uint64_t>(blocks), sizeof(typename Format::ordinal_type));
  auto const numbers = values ? saturating_product(slots, sizeof(typename Format::value_type)) : 0;
  auto const bits = mask ? saturating_product(slots / 32 + (slots % 32 != 0), 4) : 0;
  return saturating_sum(saturating_sum(offsets, indices), saturating_sum(numbers, bits));
}

/// put(k, slot) for every lanes-th entry k of a row of A, whose blocks B lists. A lane walks the blocks as its columns
/// ascend, and starts again where they do not.
template <class Pointers, class Blocks, class Put>
KOKKOS_INLINE_FUNCTION void for_each_bsr_slot_of_row(Pointers const& a, Blocks const& b, std::int64_t row, int lane,
                                                     int lanes, Put const& put) {
  using Ordinal = typename Pointers::ordinal_type;
  RowSpan const span = row_span(a, row);
  std::int64_t const in_block = row % b.block_rows;
  auto const block_cols = static_cast<Ordinal>(b.block_cols);
  auto const first = static_cast<std::int64_t>(b.block_offsets[row / b.block_rows]);
  std::int64_t block = first;
  for (std::int64_t j = lane; j < span.count; j += lanes) {
    Ordinal const col = a.col_indices[span.first + j];
    auto const wanted = static_cast<Ordinal>(col / block_cols);
    if (b.block_col_indices[block] > wanted) block = first;
    while (b.block_col_indices[block] < wanted) ++block;
    put(span.first + j, (block * b.block_rows + in_block) * b.block_cols + col - wanted * block_cols);
  }
}

/// The slot of entry k of a row, by bisection.
template <class Pointers, class Blocks>
KOKKOS_INLINE_FUNCTION std::int64_t bsr_slot_of(Pointers const& a, Blocks const& b, std::int64_t row, std::int64_t k) {
  using Ordinal = typename Pointers::ordinal_type;
  std::int64_t const block_row = row / b.block_rows;
  Ordinal const col = a.col_indices[k];
  auto const wanted = static_cast<Ordinal>(col / b.block_cols);
  auto const first = static_cast<std::int64_t>(b.block_offsets[block_row]);
  std::int64_t const count = static_cast<std::int64_t>(b.block_offsets[block_row + 1]) - first;
  std::int64_t const block = first + first_not_below(b.block_col_indices + first, count, wanted);
  return (block * b.block_rows + row - block_row * b.block_rows) * b.block_cols + col - wanted * b.block_cols;
}

/// The same for every entry of A: rows on threads; on devices the entries one by one where a block row has many blocks.
template <class Exec, class Pointers, class Blocks, class Put>
static void for_each_bsr_slot(Exec const& exec, char const* label, Pointers const& a, Blocks const& b, Put const& put) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  if (a.rows == 0 || a.nnz == 0) return;
  auto const shape = row_team_shape(exec, a.rows, 0, 0, vector_length_for(a.nnz, a.rows));
  std::int64_t const rows_per_team = shape.rows_per_team;
  int const lanes = shape.vector_length;
  auto const bisects = KOKKOS_LAMBDA(std::int64_t row) {
    std::int64_t const block_row = row / b.block_rows;
    return is_device_space<Exec> &&
           static_cast<std::int64_t>(b.block_offsets[block_row + 1] - b.block_offsets[block_row]) > lane_row_entries;
  };
  for_each_team(
      label, Policy(exec, league_size(a.rows, rows_per_team), shape.team_size, shape.vector_length),
      KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        std::int64_t const first_row = team.league_rank() * rows_per_team;
        std::int64_t const last_row = Kokkos::min<std::int64_t>(first_row + rows_per_team, a.rows);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first_row, last_row), [&](std::int64_t row) {
          if (bisects(row)) return;
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, lanes),
                               [&](int lane) { for_each_bsr_slot_of_row(a, b, row, lane, lanes, put); });
        });
      });
  if constexpr (is_device_space<Exec>)
    if (b.blocks > lane_row_entries)
      for_each_row_entry(
          exec, label, a, KOKKOS_LAMBDA(std::int64_t row, std::int64_t, std::int64_t k) {
            if (bisects(row)) put(k, bsr_slot_of(a, b, row, k));
          });
}

/// Every slot of uninitialised values: zero, or the entry's value.
template <class Exec, class Pointers, class Blocks, class Values>
static void fill_bsr_values(Exec const& exec, Pointers const& a, Blocks const& b, Values const& values) {
  fill_array(exec, values, {});
  for_each_bsr_slot(
      exec, "araia::csr_to_bsr::values", a, b,
      KOKKOS_LAMBDA(std::int64_t k, std::int64_t slot) { values(slot) = a.values[k]; });
}

/// offsets(i + 1): blocks of block row i, then summed. Returns how many there are; fences exec.
template <class Exec, class Pointers, class Offsets>
static std::int64_t count_block_rows(Exec const& exec, Pointers const& a, int block_rows, int block_cols,
                                     Offsets const& offsets) {
  using Ordinal = typename Pointers::ordinal_type;
  using Offset = typename Offsets::non_const_value_type;
  std::int64_t const count = blocks_along(a.rows, block_rows);
  // Blocks number at most nnz, so Offset holds their count; slots are 64-bit throughout.
  if constexpr (is_device_space<Exec>) {
    using Team = typename Kokkos::TeamPolicy<Exec>::member_type;
    sum_over_block_rows_by_lanes(
        exec, "araia::csr_to_bsr::counts", block_rows, 0, count,
        KOKKOS_LAMBDA(Team const& team, int lanes, std::int64_t i) {
          std::int64_t const blocks = merge_block_row(team, lanes, a, i, block_rows, block_cols, NoVisit());
          Kokkos::single(Kokkos::PerThread(team), [&] { offsets(i + 1) = static_cast<Offset>(blocks); });
          return blocks;
        });
  } else {
    sum_over_block_rows<Exec, Ordinal>(
        exec, "araia::csr_to_bsr::counts", 0, count, [=](std::int64_t i, HostBlockRow<Ordinal>& merge) {
          std::int64_t const blocks = merge.merge(a, i, block_rows, block_cols, NoVisit());
          offsets(i + 1) = static_cast<Offset>(blocks);
          return blocks;
        });
  }
  fill_array(exec, offsets.data(), 1, 0);
  counts_to_offsets(exec, offsets, count);
  return static_cast<std::int64_t>(value_at(exec, "araia::csr_to_bsr: how many blocks", offsets.data() + count));
}

/// Devices: the structure from sorted keys.
template <class Exec, class Offsets, class Indices>
static void write_sorted_blocks(Exec const& exec, BlockKeys<Exec> const& found, Offsets const& offsets,
                                Indices const& indices) {
  using Offset = typename Offsets::non_const_value_type;
  using Ordinal = typename Indices::non_const_value_type;
  auto const blocks = static_cast<std::int64_t>(indices.extent(0));
  auto const keys = found.other;
  scan_indices<std::int64_t>(
      "araia::csr_to_bsr::blocks", IndexRange<Exec>(exec, 0, found.entries()),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & before, bool final) {
        bool const begins = found.begins(i);
        if (final && begins) keys(before) = found.keys(i);
        before += begins ? 1 : 0;
      });
  std::uint64_t const col_mask = (std::uint64_t{1} << found.col_bits) - 1;
  for_each_index(
      "araia::csr_to_bsr::block_cols", IndexRange<Exec>(exec, 0, blocks),
      KOKKOS_LAMBDA(std::int64_t n) { indices(n) = static_cast<Ordinal>(keys(n) & col_mask); });
  for_each_index(
      "araia::csr_to_bsr::block_offsets", IndexRange<Exec>(exec, 0, static_cast<std::int64_t>(offsets.extent(0))),
      KOKKOS_LAMBDA(std::int64_t i) {
        offsets(i) =
            static_cast<Offset>(first_not_below(keys.data(), blocks, static_cast<std::uint64_t>(i) << found.col_bits));
      });
}

/// Host: block columns, and all slots where `values` is not empty, while a block row is in the cache.
/// \param from  values of A
template <class Exec, class Pointers, class Blocks, class Indices, class Values, class Scalar>
static void write_blocks(Exec const& exec, Pointers const& a, Blocks const& b, Indices const& indices,
                         Values const& values, Scalar const* from) {
  using Ordinal = typename Pointers::ordinal_type;
  std::int64_t const block_size = static_cast<std::int64_t>(b.block_rows) * b.block_cols;
  auto* const slots = values.data();
  bool const values_too = values.extent(0) != 0;
  sum_over_block_rows<Exec, Ordinal>(
      exec, "araia::csr_to_bsr::structure", 0, blocks_along(a.rows, b.block_rows),
      [=](std::int64_t i, HostBlockRow<Ordinal>& merge) {
        auto const first = static_cast<std::int64_t>(b.block_offsets[i]);
        auto const last = static_cast<std::int64_t>(b.block_offsets[i + 1]);
        merge.merge(a, i, b.block_rows, b.block_cols,
                    [&](std::int64_t n, Ordinal block_col) { indices(first + n) = block_col; });
        if (!values_too) return last - first;
        std::fill(slots + first * block_size, slots + last * block_size, typename Values::non_const_value_type{});
        merge.for_each_slot(a, i, b.block_rows, b.block_cols, first,
                            [&](std::int64_t k, std::int64_t slot) { slots[slot] = from[k]; });
        return last - first;
      });
}

/// visit(slot, col) for the stored slots of a row of the matrix, ascending.
template <class Pointers, class Visit>
KOKKOS_INLINE_FUNCTION void for_each_slot_of_row(Pointers const& a, std::int64_t row, Visit const& visit) {
  std::int64_t const block_row = row / a.block_rows;
  auto const last = static_cast<std::int64_t>(a.block_offsets[block_row + 1]);
  for (auto block = static_cast<std::int64_t>(a.block_offsets[block_row]); block < last; ++block) {
    std::int64_t const first_col = static_cast<std::int64_t>(a.block_col_indices[block]) * a.block_cols;
    std::int64_t const width = Kokkos::min<std::int64_t>(a.block_cols, a.cols - first_col);
    std::int64_t const first_slot = (block * a.block_rows + row % a.block_rows) * a.block_cols;
    for (std::int64_t j = 0; j < width; ++j)
      if (is_stored(a, first_slot + j)) visit(first_slot + j, first_col + j);
  }
}
}  // namespace detail

/// Bytes of a Bsr by the row statistics alone. Blocks of c columns number between 1/c and 1 times the nonempty columns
/// of blocks of block_rows rows: the estimate takes 1/c, rounded up, or nnz / block_cols where that height was not
/// among RowStatsOptions::block_heights, and is never above the truth. Beyond: up to block_cols times, or block_rows *
/// block_cols times where the height is missing.
/// Cost    O(1)
template <class Format>
requires detail::is_bsr<Format> std::uint64_t estimate_bytes(RowStats const& stats, BsrOptions const& options,
                                                             bool values = true) {
  detail::check_block_shape("araia::estimate_bytes", options.block_rows, options.block_cols);
  std::int64_t columns = (stats.nnz + options.block_rows - 1) / options.block_rows;
  for (auto const& counted : stats.block_columns)
    if (counted.height == options.block_rows) columns = counted.columns;
  std::int64_t const blocks = (columns + options.block_cols - 1) / options.block_cols;
  return detail::bsr_bytes<Format>(stats.rows, stats.nnz, blocks, values, options);
}

/// Exact bytes of the Bsr made from A, before it is made.
/// \throws araia::Error unsupported as csr_to_bsr
/// Cost    O(rows + nnz), and a sort of the columns where they do not ascend; on devices one of all blocks, as
///         csr_to_bsr; fences exec
template <class Format, class Exec, class Scalar, class Ordinal, class Offset, class Device>
requires detail::is_bsr<Format>
static std::uint64_t count_bytes(Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A,
                                 BsrOptions const& options) {
  detail::check_block_shape("araia::count_bytes", options.block_rows, options.block_cols);
  Kokkos::View<Ordinal*, Device> sorted;
  auto const a = detail::blockable(exec, "araia::count_bytes", A, sorted);
  std::int64_t const blocks = detail::count_blocks(exec, a, options.block_rows, options.block_cols, 0,
                                                   detail::blocks_along(A.rows, options.block_rows));
  return detail::bsr_bytes<Format>(A.rows, A.nnz, blocks, A.has_values(), options);
}

namespace detail {
/// What detect_block_size does, of any types.
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static BlockSize detect_block_size_here(Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A) {
  using Format = Bsr<std::remove_const_t<Scalar>, Ordinal, Offset, Device>;
  constexpr int largest_candidate = 8;
  constexpr std::int64_t first_share = 32;  // of the block rows that a size is tried on first
  Kokkos::Profiling::ScopedRegion const region("araia::detect_block_size");
  Kokkos::View<Ordinal*, Device> sorted;
  auto const a = blockable(exec, "araia::detect_block_size", A, sorted);
  BlockSize best{.blocks = A.nnz};
  if (A.nnz == 0) return best;
  std::uint64_t least = ~std::uint64_t{0};
  KeyRoom<Exec> room;
  for (int size = 1; size <= largest_candidate; ++size) {
    auto const bytes_of = [&](std::int64_t blocks) {
      return bsr_bytes<Format>(A.rows, A.nnz, blocks, true, {.block_rows = size, .block_cols = size});
    };
    // Counts only rise: a size that is beyond the best after some of the rows need not be counted on.
    std::int64_t const block_rows = blocks_along(A.rows, size);
    std::int64_t blocks = size == 1 ? A.nnz : 0;
    std::int64_t counted = size == 1 ? block_rows : 0;
    while (counted < block_rows && bytes_of(blocks) <= least) {
      std::int64_t const next =
          std::min(block_rows, std::max<std::int64_t>(1, std::max(block_rows / first_share, 4 * counted)));
      blocks += count_blocks(exec, a, size, size, counted, next, 1, room);
      counted = next;
    }
    if (bytes_of(blocks) > least) continue;
    least = bytes_of(blocks);
    best = {size, size, blocks, static_cast<double>(blocks) * size * size / static_cast<double>(A.nnz)};
  }
  return best;
}

/// The same from the library.
template <class Exec, class A>
BlockSize detect_block_size_ready(Exec const& exec, ReadySource<Exec, A> const& source);
}  // namespace detail

/// The square block of 1 to 8 rows whose Bsr takes the fewest bytes; of equal ones the largest.
/// \throws araia::Error unsupported as csr_to_bsr
/// Cost    up to seven passes over the columns of A, each left where its size can no longer be the best, and a sort of
///         them where they do not ascend; on devices up to seven sorts of all blocks, as csr_to_bsr; fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static BlockSize detect_block_size(Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A) {
  if constexpr (detail::is_ready_source<Exec, Csr<Scalar, Ordinal, Offset, Device>>)
    return detail::detect_block_size_ready<Exec, std::remove_const_t<Scalar>>(exec, detail::ready_source<Exec>(A));
  else
    return detail::detect_block_size_here(exec, A);
}

/// Refills B with the values of A, whose structure it was made from; fill stays zero.
/// Cost    O(nnz), one kernel, two on devices where a block row may have more than 256 blocks; no allocation;
/// asynchronous
///         on exec
template <class Exec, class S, class O, class F, class D, class AS, class AF, class AD>
static void update_values(Exec const& exec, Bsr<S, O, F, D> const& B, Csr<AS, O, AF, AD> const& A) {
  detail::require_same_structure(detail::sizes_agree(B, A) && A.row_permutation.extent(0) == 0, "Bsr");
  if (!B.has_values()) return;
  auto const a = A.pointers();
  auto const values = B.values;
  detail::for_each_bsr_slot(
      exec, "araia::update_values::bsr", a, B.pointers(), KOKKOS_LAMBDA(std::int64_t k, std::int64_t slot) {
        values(slot) = static_cast<typename Bsr<S, O, F, D>::value_type>(a.values[k]);
      });
}

namespace detail {
/// What csr_to_bsr does, of any types.
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Bsr<std::remove_const_t<Scalar>, Ordinal, Offset, Device> csr_to_bsr_here(
    Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A, BsrOptions const& options) {
  using Source = Csr<Scalar, Ordinal, Offset, Device>;
  using Format = Bsr<typename Source::value_type, Ordinal, Offset, Device>;
  require_same_memory<Exec, Source>();
  check_block_shape("araia::csr_to_bsr", options.block_rows, options.block_cols);
  Kokkos::Profiling::ScopedRegion const region("araia::csr_to_bsr");
  Kokkos::View<Ordinal*, Device> sorted;
  auto const a = blockable(exec, "araia::csr_to_bsr", A, sorted);
  int const r = options.block_rows;
  int const c = options.block_cols;
  std::int64_t const block_row_count = blocks_along(A.rows, r);
  auto const limit = memory_limit_or_default<typename Source::memory_space>(options.memory_limit);
  require_memory("araia::csr_to_bsr: the offsets of the blocks",
                 saturating_product(static_cast<std::uint64_t>(block_row_count + 1), sizeof(Offset)), limit);
  auto const offsets = new_array<Offset, Device>(exec, "araia::bsr::block_offsets", block_row_count + 1);
  KeyRoom<Exec> room;
  BlockKeys<Exec> keys;
  bool const sorts = sorts_blocks(exec, a, r, c);
  if constexpr (is_device_space<Exec>)
    if (sorts) keys = block_keys(exec, a, r, c, 0, block_row_count, room);
  std::int64_t const blocks = sorts ? count_block_keys(exec, keys) : count_block_rows(exec, a, r, c, offsets);
  auto const bytes = bsr_bytes<Format>(A.rows, A.nnz, blocks, A.has_values(), options);
  require_memory("araia::csr_to_bsr: the blocks", bytes, limit);
  require_room_beside<Device>("araia::csr_to_bsr: the blocks and the sorted columns", bytes,
                              sorted.span() * sizeof(Ordinal), limit);

  Format B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz, .block_rows = r, .block_cols = c, .blocks = blocks};
  auto const indices = new_array<Ordinal, Device>(exec, "araia::bsr::block_col_indices", blocks);
  B.block_offsets = offsets;
  B.block_col_indices = indices;
  if (A.has_values()) B.values = new_array<typename Format::value_type, Device>(exec, "araia::bsr::values", B.stored());
  // Values lie in A's own order of columns, which the structure does not know where it had to be sorted.
  bool const values_at_once = !is_device_space<Exec> && sorted.extent(0) == 0;
  if constexpr (is_device_space<Exec>) {
    using Team = typename Kokkos::TeamPolicy<Exec>::member_type;
    if (sorts)
      write_sorted_blocks(exec, keys, offsets, indices);
    else
      sum_over_block_rows_by_lanes(
          exec, "araia::csr_to_bsr::structure", r, 0, block_row_count,
          KOKKOS_LAMBDA(Team const& team, int lanes, std::int64_t i) {
            auto const first = static_cast<std::int64_t>(offsets(i));
            return merge_block_row(team, lanes, a, i, r, c, [&](std::int64_t n, auto block_col) {
              indices(first + n) = static_cast<Ordinal>(block_col);
            });
          });
  } else {
    write_blocks(exec, a, B.pointers(), indices, values_at_once ? B.values : decltype(B.values)(), A.pointers().values);
  }
  auto const slots = static_cast<std::size_t>(B.stored());
  if (B.stored() != A.nnz && (options.keep_stored_mask || !A.has_values())) {
    auto const mask =
        zeroed_view<Kokkos::View<std::uint32_t*, Device>>(exec, "araia::bsr::stored_mask", (slots + 31) / 32);
    for_each_bsr_slot(
        exec, "araia::csr_to_bsr::stored_mask", a, B.pointers(), KOKKOS_LAMBDA(std::int64_t, std::int64_t slot) {
          Kokkos::atomic_or(&mask(slot / 32), std::uint32_t{1} << (slot % 32));
        });
    B.stored_mask = mask;
  }
  if (A.has_values() && !values_at_once) fill_bsr_values(exec, A.pointers(), B.pointers(), B.values);
  if (sorts || sorted.extent(0) != 0) exec.fence("araia::csr_to_bsr: workspace is released");
  return B;
}

/// The same from the library.
template <class Exec, class A>
Bsr<A, std::int32_t, std::int32_t, typename Exec::device_type> csr_to_bsr_ready(Exec const& exec,
                                                                                ReadySource<Exec, A> const& source,
                                                                                BsrOptions const& options);
}  // namespace detail

/// A in blocks. Rows and columns need not be multiples of the block's; columns of A may be in any order.
/// \throws araia::Error invalid_structure where A breaks a rule of its format, unless options.validate is false;
///         resource_limit naming need and limit, before the result is allocated; unsupported where A's
///         rows are permuted or A stores an entry twice; invalid_argument where the block is not 1 to 32 each way
/// Cost    O(rows + nnz + stored), and a sort of the columns where they do not ascend; on devices, where rows have more
///         than 256 entries, a radix sort of all blocks, with 16 bytes an entry of workspace; allocates the result;
///         fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Bsr<std::remove_const_t<Scalar>, Ordinal, Offset, Device> csr_to_bsr(
    Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A, BsrOptions const& options) {
  if (options.validate) validate(exec, A);
  if constexpr (detail::is_ready_source<Exec, Csr<Scalar, Ordinal, Offset, Device>>)
    return detail::csr_to_bsr_ready<Exec, std::remove_const_t<Scalar>>(exec, detail::ready_source<Exec>(A), options);
  else
    return detail::csr_to_bsr_here(exec, A, options);
}

/// Columns of a row ascending. With a stored_mask, the entries that it marks, stored zeros included; else every slot
/// within the matrix, as fill counts as stored.
/// \throws araia::Error resource_limit where the entries do not fit Offset, or the result takes more than all memory
/// Cost    O(rows + stored); allocates the result; fences exec
template <class Offset = std::int32_t, class Exec, class S, class Ordinal, class F, class Device>
static Csr<std::remove_const_t<S>, Ordinal, Offset, Device> to_csr(Exec const& exec,
                                                                   Bsr<S, Ordinal, F, Device> const& A) {
  using value_type = std::remove_const_t<S>;
  detail::require_same_memory<Exec, Bsr<S, Ordinal, F, Device>>();
  Kokkos::Profiling::ScopedRegion const region("araia::to_csr");
  auto const a = A.pointers();
  using Result = Csr<value_type, Ordinal, Offset, Device>;
  using Counts = Csr<value_type, Ordinal, std::int64_t, Device>;  // of no entries has as many bytes
  detail::require_csr_memory<Counts>("araia::to_csr: counting the entries of rows", A.rows, 0, A.has_values());
  auto const counts =
      detail::zeroed_view<Kokkos::View<std::int64_t*, Device>>(exec, "araia::to_csr::counts", A.rows + 1);
  bool const filled = A.has_values();
  // Two passes over the slots of a row: the first counts, the second knows where to write.
  detail::for_each_index(
      "araia::to_csr::counts", detail::IndexRange<Exec>(exec, 0, A.rows), KOKKOS_LAMBDA(std::int64_t row) {
        std::int64_t count = 0;
        detail::for_each_slot_of_row(a, row, [&](std::int64_t, std::int64_t) { ++count; });
        counts(row + 1) = count;
      });
  detail::counts_to_offsets(exec, counts, A.rows);
  std::int64_t const nnz = detail::value_at(exec, "araia::to_csr: how many entries", counts.data() + A.rows);
  detail::require_fits<Offset>("araia::to_csr: nnz", nnz);
  detail::require_csr_memory<Result>("araia::to_csr: the matrix", A.rows, nnz, A.has_values());
  auto const offsets = detail::new_array<Offset, Device>(exec, "araia::csr::row_offsets", A.rows + 1);
  auto const cols = detail::new_array<Ordinal, Device>(exec, "araia::csr::col_indices", nnz);
  auto const values = filled ? detail::new_array<value_type, Device>(exec, "araia::csr::values", nnz)
                             : Kokkos::View<value_type*, Device>();
  detail::for_each_index(
      "araia::to_csr::entries", detail::IndexRange<Exec>(exec, 0, A.rows + 1), KOKKOS_LAMBDA(std::int64_t row) {
        offsets(row) = static_cast<Offset>(counts(row));
        if (row == a.rows) return;
        std::int64_t to = counts(row);
        detail::for_each_slot_of_row(a, row, [&](std::int64_t slot, std::int64_t col) {
          cols(to) = static_cast<Ordinal>(col);
          if (filled) values(to) = a.values[slot];
          ++to;
        });
      });
  Result B{.rows = A.rows, .cols = A.cols, .nnz = nnz};
  B.row_offsets = offsets;
  B.col_indices = cols;
  B.values = values;
  return B;
}

}  // namespace araia
