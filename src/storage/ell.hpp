// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <limits>

#include "src/storage/csr.hpp"
#include "src/storage/info.hpp"
#include "src/storage/sizes.hpp"

namespace araia::detail {

inline Footprint ell_footprint(Problem const& p, Choice const& c) {
  auto const rows = static_cast<std::uint64_t>(p.stats.rows);
  auto const slots = saturating_product(rows, static_cast<std::uint64_t>(p.stats.max_length));
  auto const entry = static_cast<std::uint64_t>(p.value_bytes + p.ordinal_bytes);
  auto const lengths = rows * static_cast<std::uint64_t>(p.ordinal_bytes);
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return {.bytes = saturating_sum(saturating_product(slots, entry), lengths + permutation_bytes(p, c)),
          .slots = static_cast<std::int64_t>(std::min(slots, most)),
          .exact = true};
}

inline constexpr Storage ell_storage{.name = "ell",
                                     .flags = {&Choice::rows_by_length},
                                     .columns_per_lane = "0, 1, 4 or 8",
                                     .offsets_of_64_bits = true,
                                     .footprint = ell_footprint,
                                     .workspace = sorted_rows_workspace};

}  // namespace araia::detail
