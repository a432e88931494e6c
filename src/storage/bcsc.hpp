// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <araia/detail/formats/bcsc_bytes.hpp>
#include "src/plan/format_options.hpp"
#include "src/storage/info.hpp"
#include "src/storage/sizes.hpp"

namespace araia::detail {

inline std::string why_not_bcsc(Problem const& p, Choice const& c) {
  // team_size threads of columns_per_lane sums of at most 16 bytes meet in 30 KiB of scratch
  constexpr int most_sums = 30 * 1024 / 16;
  constexpr int most_columns = 256;
  if (c.columns_per_lane < 0 || c.columns_per_lane > most_columns)
    return outside("columns_per_lane", c.columns_per_lane, "0 to 256");
  if (p.operation == OpId::spmm && std::int64_t{std::max(1, c.team_size)} * std::max(1, c.columns_per_lane) > most_sums)
    return outside("team_size", c.team_size, "team_size * columns_per_lane of at most 1920");
  constexpr int rows_in_8_bits = 256;
  if (c.compact && c.block_height > rows_in_8_bits)
    return outside("block_height", c.block_height, "0 to 256 with compact");
  if (c.block_entries > 0 && c.block_columns > 0)
    return outside("block_columns", c.block_columns, "0 where block_entries cuts the blocks");
  bool const varies = c.block_entries > 0 || c.block_columns > 0;
  if (c.compact && varies && (c.block_height == 0 || c.block_height > rows_in_8_bits / 2))
    return outside("block_height", c.block_height, "1 to 128 with compact and heights that vary up to twice as much");
  if (c.dense_entries > 0 && !c.split) return outside("dense_entries", c.dense_entries, "0 without split");
  return {};
}

inline Footprint bcsc_footprint(Problem const& p, Choice const& c) {
  return by_scalar(p, [&]<class Scalar>() -> Footprint {
    using Wide = Bcsc<Scalar, StoredOrdinal, StoredOffset, Kokkos::HostSpace>;
    using Compact = BcscCompact<Scalar, StoredOrdinal, StoredOffset, Kokkos::HostSpace>;
    auto const options = bcsc_options(c, {});
    bool const values = p.value_bytes > 0;
    return {.bytes = c.compact ? estimate_bytes<Compact>(p.stats, options, values, p.source_permuted)
                               : estimate_bytes<Wide>(p.stats, options, values, p.source_permuted),
            .slots = p.stats.nnz,
            .pieces = std::llround(estimate_block_columns(p.stats, options.block_height))};
  });
}

inline constexpr Storage bcsc_storage{
    .name = "bcsc",
    .flags = {&Choice::compact, &Choice::split},
    .sizes = {&Choice::block_height, &Choice::block_entries, &Choice::block_columns, &Choice::dense_entries},
    .refuse = why_not_bcsc,
    .footprint = bcsc_footprint};

}  // namespace araia::detail
