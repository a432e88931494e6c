// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a matrix looks like: the features that the tuner's model reads.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/detail/formats/row_access.hpp>
#include <araia/formats/csr.hpp>

namespace araia {

/// Nonempty columns of the blocks of one height.
struct BlockColumns {
  std::int64_t height = 0;   ///< rows of a block
  std::int64_t columns = 0;  ///< nonempty columns, summed over the blocks
};

struct RowStats {
  static constexpr int bins = 64;

  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  std::int64_t min_length = 0;       ///< entries of the shortest row
  std::int64_t max_length = 0;       ///< entries of the longest row
  double mean_length = 0;            ///< entries
  double length_deviation = 0;       ///< standard deviation of the lengths, entries
  std::int64_t empty_rows = 0;       ///< rows without entries
  std::int64_t lower_bandwidth = 0;  ///< largest i - j of an entry, at least 0
  std::int64_t upper_bandwidth = 0;  ///< largest j - i of an entry, at least 0
  std::int64_t diagonals = 0;        ///< diagonals with an entry
  /// length_histogram[0]: empty rows; [b]: rows of 2^(b-1) to 2^b - 1 entries.
  std::array<std::int64_t, bins> length_histogram{};

  std::vector<BlockColumns> block_columns{};  ///< one for every height asked for
};

struct RowStatsOptions {
  bool diagonals = true;                    ///< count nonempty diagonals: rows + cols flags of workspace
  std::vector<std::int64_t> block_heights;  ///< rows of a block, each at least 1
  std::uint64_t memory_limit = 0;           ///< bytes of workspace; 0: memory_limit_or_default of the space
  std::int64_t sampled_entries = 0;         ///< estimate columns of blocks from about so many entries, in 16 blocks at
                                            ///< least, spread over the rows; 0: count them all
};

namespace detail {

/// Which blocks of rows are looked at: every `step`-th.
struct SampledBlocks {
  std::int64_t height = 1;
  std::int64_t blocks = 0;
  std::int64_t step = 1;

  /// \param entries  to look at, at most about, in a quarter as many rows; 0: all blocks
  SampledBlocks(std::int64_t rows, std::int64_t nnz, std::int64_t rows_of_block, std::int64_t entries)
      : height(rows_of_block), blocks((rows + height - 1) / height) {
    constexpr std::int64_t least_blocks = 16;
    if (entries <= 0) return;
    step = std::min(std::max(nnz / entries, rows / (entries / 4 + 1)), blocks / least_blocks);
    step |= 1;  // odd, as matrices often repeat every other block
  }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t count() const { return (blocks + step - 1) / step; }
};

/// Nonempty columns of blocks of `height` rows, summed: teams, on hosts chunks of the blocks, mark a block's columns in
/// a bitmap of their own. Where only some blocks are looked at, the sum grows by the share of the entries that they
/// hold. \param memory_limit  bytes of the bitmaps: teams are fewer where it is small, one at least
template <class Exec, class Pointers>
static std::int64_t count_block_columns(Exec const& exec, Pointers const& a, std::int64_t height,
                                        std::int64_t sampled_entries, std::uint64_t memory_limit) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  height = Kokkos::min(height, Kokkos::max<std::int64_t>(a.rows, 1));  // one block, whatever is beyond the rows
  SampledBlocks const sample(a.rows, a.nnz, height, sampled_entries);
  std::int64_t const count = sample.count();
  std::int64_t const words = (a.cols + 31) / 32;
  require_memory("row_stats: a bitmap of the columns", static_cast<std::uint64_t>(words) * 4, memory_limit);
  constexpr std::uint64_t bitmap_budget = std::uint64_t{1} << 28;  // bytes of workspace, 256 MiB
  auto const budget = static_cast<std::int64_t>(Kokkos::min(bitmap_budget, memory_limit));
  std::int64_t const affordable = Kokkos::max<std::int64_t>(1, budget / (words * 4 + 1));
  std::int64_t const useful = shares_loops<Exec> ? 4 * static_cast<std::int64_t>(exec.concurrency()) : 2048;
  int const teams = static_cast<int>(Kokkos::min(Kokkos::min(count, affordable), useful));
  if (teams == 0 || a.nnz == 0) return 0;
  auto const bitmaps = zeroed_view<Kokkos::View<std::uint32_t*, typename Exec::memory_space>>(
      exec, "araia::row_stats::bitmaps", words * teams);
  std::int64_t total = 0;
  std::int64_t entries = 0;
  if constexpr (shares_loops<Exec>) {
    std::vector<std::int64_t> seen(static_cast<std::size_t>(teams), 0);
    reduce_indices(
        "araia::row_stats::block_columns", DynamicRange<Exec>(exec, 0, teams, Kokkos::ChunkSize(1)),
        [&, sum_of_entries = seen.data()](std::int64_t chunk, std::int64_t& sum) {
          std::uint32_t* const bitmap = bitmaps.data() + words * chunk;
          for (std::int64_t sampled = chunk * count / teams; sampled < (chunk + 1) * count / teams; ++sampled) {
            std::int64_t const block = sampled * sample.step;
            auto const first = static_cast<std::int64_t>(a.row_offsets[block * height]);
            auto const last =
                static_cast<std::int64_t>(a.row_offsets[std::min<std::int64_t>((block + 1) * height, a.rows)]);
            sum_of_entries[chunk] += last - first;
            for (std::int64_t k = first; k < last; ++k) {
              auto const column = static_cast<std::uint32_t>(a.col_indices[k]);
              std::uint32_t& word = bitmap[column / 32];
              std::uint32_t const bit = std::uint32_t{1} << (column % 32);
              sum += (word & bit) == 0;
              word |= bit;
            }
            for (std::int64_t k = first; k < last; ++k) bitmap[static_cast<std::uint32_t>(a.col_indices[k]) / 32] = 0;
          }
        },
        total);
    for (std::int64_t const part : seen) entries += part;
  } else {
    Kokkos::parallel_reduce(
        "araia::row_stats::block_columns", Policy(exec, teams, Kokkos::AUTO),
        KOKKOS_LAMBDA(typename Policy::member_type const& team, std::int64_t& sum, std::int64_t& sum_of_entries) {
          std::uint32_t* const bitmap = bitmaps.data() + words * team.league_rank();
          std::int64_t found = 0;
          std::int64_t seen = 0;
          for (std::int64_t sampled = team.league_rank(); sampled < count; sampled += teams) {
            std::int64_t const block = sampled * sample.step;
            std::int64_t const first = a.row_offsets[block * height];
            std::int64_t const last = a.row_offsets[Kokkos::min<std::int64_t>((block + 1) * height, a.rows)];
            std::int64_t in_block = 0;
            Kokkos::parallel_reduce(
                Kokkos::TeamThreadRange(team, first, last),
                [&](std::int64_t k, std::int64_t& new_columns) {
                  std::uint32_t const bit = std::uint32_t{1} << (a.col_indices[k] % 32);
                  if (!(Kokkos::atomic_fetch_or(&bitmap[a.col_indices[k] / 32], bit) & bit)) ++new_columns;
                },
                in_block);
            found += in_block;
            seen += last - first;
            team.team_barrier();  // all marks are made before any is wiped
            Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t k) {
              Kokkos::atomic_store(&bitmap[a.col_indices[k] / 32], std::uint32_t{0});
            });
            team.team_barrier();  // the bitmap is clean before the next block marks it
          }
          Kokkos::single(Kokkos::PerTeam(team), [&] {
            sum += found;
            sum_of_entries += seen;
          });
        },
        total, entries);
  }
  if (sample.step == 1 || entries == 0) return total;
  return static_cast<std::int64_t>(static_cast<double>(total) * static_cast<double>(a.nnz) /
                                   static_cast<double>(entries));
}

/// What some rows say of a pattern.
struct PatternPart {
  std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
  std::int64_t longest = 0;
  std::int64_t lower = 0;
  std::int64_t upper = 0;
  double squares = 0;  ///< of lengths less the mean
  std::array<std::int64_t, RowStats::bins> histogram{};
};

/// Hosts: lengths and bandwidths in one pass over the pattern, some rows at a time.
/// \param occupied  (rows + cols - 1) flags of the diagonals to set, or null
template <class Exec, class Pointers>
static PatternPart pattern_on_host(Exec const& exec, Pointers const& a, double mean, int* occupied) {
  constexpr std::int64_t together = 2048;  // rows
  std::int64_t const chunks = (a.rows + together - 1) / together;
  std::vector<PatternPart> parts(static_cast<std::size_t>(chunks));
  for_each_index("araia::row_stats::pattern", DynamicRange<Exec>(exec, 0, chunks, Kokkos::ChunkSize(1)),
                 [&](std::int64_t chunk) {
                   PatternPart part;
                   std::int64_t const end = std::min((chunk + 1) * together, a.rows);
                   for (std::int64_t row = chunk * together; row < end; ++row) {
                     auto const first = static_cast<std::int64_t>(a.row_offsets[row]);
                     auto const last = static_cast<std::int64_t>(a.row_offsets[row + 1]);
                     std::int64_t const length = last - first;
                     ++part.histogram[static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(length)))];
                     part.shortest = std::min(part.shortest, length);
                     part.longest = std::max(part.longest, length);
                     double const off = static_cast<double>(length) - mean;
                     part.squares += off * off;
                     if (length == 0) continue;
                     auto least = a.col_indices[first];
                     auto most = least;
                     for (std::int64_t k = first; k < last; ++k) {
                       least = std::min(least, a.col_indices[k]);
                       most = std::max(most, a.col_indices[k]);
                     }
                     std::int64_t const i = matrix_row(a, row);
                     part.lower = std::max(part.lower, i - static_cast<std::int64_t>(least));
                     part.upper = std::max(part.upper, static_cast<std::int64_t>(most) - i);
                     if (occupied != nullptr)
                       for (std::int64_t k = first; k < last; ++k)
                         Kokkos::atomic_store(occupied + (i - a.col_indices[k] + a.cols - 1), 1);
                   }
                   parts[static_cast<std::size_t>(chunk)] = part;
                 });
  PatternPart whole;
  for (auto const& part : parts) {
    whole.shortest = std::min(whole.shortest, part.shortest);
    whole.longest = std::max(whole.longest, part.longest);
    whole.lower = std::max(whole.lower, part.lower);
    whole.upper = std::max(whole.upper, part.upper);
    whole.squares += part.squares;
    for (std::size_t b = 0; b < whole.histogram.size(); ++b) whole.histogram[b] += part.histogram[b];
  }
  return whole;
}

/// Devices: the same, into stats.
/// \param occupied  flags of the diagonals to set, or empty
template <class Exec, class Pointers>
static void pattern_on_device(Exec const& exec, Pointers const& a, double mean,
                              Kokkos::View<int*, typename Exec::memory_space> const& occupied, RowStats& stats) {
  auto const histogram = zeroed_view<Kokkos::View<std::int64_t[RowStats::bins], typename Exec::memory_space>>(
      exec, "araia::row_stats::histogram");
  double squares = 0;
  Kokkos::parallel_reduce(
      "araia::row_stats::lengths", IndexRange<Exec>(exec, 0, a.rows),
      KOKKOS_LAMBDA(std::int64_t row, std::int64_t & shortest, std::int64_t & longest, double& square_sum) {
        std::int64_t const length = row_span(a, row).count;
        int bin = 0;
        while (length >> bin) ++bin;
        Kokkos::atomic_inc(&histogram(bin));
        if (length < shortest) shortest = length;
        if (length > longest) longest = length;
        square_sum += (static_cast<double>(length) - mean) * (static_cast<double>(length) - mean);
      },
      Kokkos::Min<std::int64_t>(stats.min_length), Kokkos::Max<std::int64_t>(stats.max_length), squares);
  stats.length_deviation = std::sqrt(squares / static_cast<double>(a.rows));
  auto const host_histogram = host_copy_of(histogram);
  for (int b = 0; b < RowStats::bins; ++b) stats.length_histogram[static_cast<std::size_t>(b)] = host_histogram(b);
  using Policy = Kokkos::TeamPolicy<Exec>;
  constexpr std::int64_t rows_per_team = 64;
  Kokkos::parallel_reduce(
      "araia::row_stats::bandwidth",
      Policy(exec, static_cast<int>((a.rows + rows_per_team - 1) / rows_per_team), Kokkos::AUTO),
      KOKKOS_LAMBDA(typename Policy::member_type const& team, std::int64_t& lower, std::int64_t& upper) {
        std::int64_t const first = team.league_rank() * rows_per_team;
        std::int64_t const last = Kokkos::min<std::int64_t>(first + rows_per_team, a.rows);
        std::int64_t team_lower = 0;
        std::int64_t team_upper = 0;
        for (std::int64_t row = first; row < last; ++row) {
          std::int64_t const i = matrix_row(a, row);
          Kokkos::parallel_reduce(
              Kokkos::TeamThreadRange(team, static_cast<std::int64_t>(a.row_offsets[row]),
                                      static_cast<std::int64_t>(a.row_offsets[row + 1])),
              [&](std::int64_t k, std::int64_t& largest) {
                std::int64_t const below = i - a.col_indices[k];
                if (occupied.extent(0) > 0) Kokkos::atomic_store(&occupied(below + a.cols - 1), 1);
                if (below > largest) largest = below;
              },
              Kokkos::Max<std::int64_t>(team_lower));
          lower = Kokkos::max(lower, team_lower);
          Kokkos::parallel_reduce(
              Kokkos::TeamThreadRange(team, static_cast<std::int64_t>(a.row_offsets[row]),
                                      static_cast<std::int64_t>(a.row_offsets[row + 1])),
              [&](std::int64_t k, std::int64_t& largest) {
                if (a.col_indices[k] - i > largest) largest = a.col_indices[k] - i;
              },
              Kokkos::Max<std::int64_t>(team_upper));
          upper = Kokkos::max(upper, team_upper);
        }
      },
      Kokkos::Max<std::int64_t>(stats.lower_bandwidth), Kokkos::Max<std::int64_t>(stats.upper_bandwidth));
  stats.lower_bandwidth = Kokkos::max<std::int64_t>(0, stats.lower_bandwidth);
  stats.upper_bandwidth = Kokkos::max<std::int64_t>(0, stats.upper_bandwidth);
}

template <class Exec, class Ordinal, class Offset, class Device>
static RowStats stats_of_pattern(Exec const& exec, Csr<char, Ordinal, Offset, Device> const& A,
                                 RowStatsOptions const& options) {
  RowStats stats{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  bool const needs_workspace = options.diagonals || !options.block_heights.empty();
  std::uint64_t const limit =
      needs_workspace ? memory_limit_or_default<typename Exec::memory_space>(options.memory_limit) : 0;
  for (std::int64_t const height : options.block_heights) {
    if (height < 1)
      throw Error(ErrorKind::invalid_argument,
                  "row_stats: block_heights holds " + std::to_string(height) + ", expected 1 or more");
    stats.block_columns.push_back(
        {height, count_block_columns(exec, A.pointers(), height, options.sampled_entries, limit)});
  }
  if (A.rows == 0) return stats;
  auto const a = A.pointers();
  double const mean = static_cast<double>(A.nnz) / static_cast<double>(A.rows);
  stats.mean_length = mean;
  std::int64_t const diagonal_count = options.diagonals ? a.rows + a.cols - 1 : 0;
  if (diagonal_count > 0)
    require_memory("row_stats: flags of the diagonals", static_cast<std::uint64_t>(diagonal_count) * sizeof(int),
                   limit);
  auto const occupied =
      zeroed_view<Kokkos::View<int*, typename Exec::memory_space>>(exec, "araia::row_stats::diagonals", diagonal_count);
  if constexpr (shares_loops<Exec>) {
    auto const found = pattern_on_host(exec, a, mean, diagonal_count > 0 ? occupied.data() : nullptr);
    stats.min_length = found.shortest;
    stats.max_length = found.longest;
    stats.lower_bandwidth = found.lower;
    stats.upper_bandwidth = found.upper;
    stats.length_deviation = std::sqrt(found.squares / static_cast<double>(A.rows));
    stats.length_histogram = found.histogram;
  } else {
    pattern_on_device(exec, a, mean, occupied, stats);
  }
  stats.empty_rows = stats.length_histogram[0];
  if (diagonal_count > 0)
    reduce_indices(
        "araia::row_stats::diagonals", IndexRange<Exec>(exec, 0, diagonal_count),
        KOKKOS_LAMBDA(std::int64_t d, std::int64_t & count) { count += occupied(d); }, stats.diagonals);
  return stats;
}
}  // namespace detail

/// Features of A, on the execution space.
/// \throws araia::Error resource_limit where the workspace is beyond the options' limit
/// Cost    O(rows + nnz) each for the lengths, the diagonals and every block height; allocates workspace; fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static RowStats row_stats(Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A,
                          RowStatsOptions const& options = {}) {
  return detail::stats_of_pattern(exec, A.pattern(), options);
}

}  // namespace araia
