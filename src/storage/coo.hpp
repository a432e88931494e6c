// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "src/storage/info.hpp"
#include "src/storage/sizes.hpp"

namespace araia::detail {

inline Footprint coo_footprint(Problem const& p, Choice const&) {
  auto const entry = static_cast<std::uint64_t>(p.value_bytes + 2 * p.ordinal_bytes);
  return {
      .bytes = saturating_product(static_cast<std::uint64_t>(p.stats.nnz), entry), .slots = p.stats.nnz, .exact = true};
}

inline constexpr Storage coo_storage{
    .name = "coo", .columns_per_lane = "0, 1, 4 or 8", .offsets_of_64_bits = true, .footprint = coo_footprint};

}  // namespace araia::detail
