// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <araia/detail/formats/sell_rows.hpp>
#include "src/storage/info.hpp"
#include "src/storage/sizes.hpp"

namespace araia::detail {

inline Footprint csr_footprint(Problem const& p, Choice const& c) {
  std::uint64_t const order = permutation_bytes(p, c) - permutation_bytes(p, {});
  return {.bytes = saturating_sum(source_bytes(p), order), .slots = p.stats.nnz, .exact = true};
}

inline std::uint64_t sorted_rows_workspace(Problem const& p, Choice const& c, int) {
  return c.rows_by_length ? saturating_product(static_cast<std::uint64_t>(p.stats.rows), sorted_key_bytes) : 0;
}

inline constexpr Storage csr_storage{.name = "csr",
                                     .flags = {&Choice::rows_by_length},
                                     .columns_per_lane = "0, 1, 4 or 8",
                                     .is_source = true,
                                     .offsets_of_64_bits = true,
                                     .footprint = csr_footprint,
                                     .workspace = sorted_rows_workspace};

}  // namespace araia::detail
