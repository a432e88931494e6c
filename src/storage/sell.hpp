// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <araia/detail/formats/csr_to_sell.hpp>
#include <araia/error.hpp>
#include "src/plan/format_options.hpp"
#include "src/storage/csr.hpp"
#include "src/storage/info.hpp"
#include "src/storage/sizes.hpp"

namespace araia::detail {

inline std::string why_not_sell(Problem const&, Choice const& c) {
  if (c.sort_window > 0 && !c.rows_by_length) return "sort_window is for rows_by_length";
  try {
    check(sell_options(c, {}));
  } catch (Error const& e) {
    return e.what();
  }
  return {};
}

inline Footprint sell_footprint(Problem const& p, Choice const& c) {
  return by_scalar(p, [&]<class Scalar>() -> Footprint {
    using Format = Sell<Scalar, StoredOrdinal, StoredOffset, Kokkos::HostSpace>;
    auto const options = sell_options(c, {});
    bool const values = p.value_bytes > 0;
    // Indices that storage saves, of the plain form's slots.
    SellOptions plain = options;
    plain.columns = SellColumns::full;
    plain.block_width = 1;
    std::uint64_t const full = estimate_bytes<Format>(p.stats, plain, values);
    if (full >> 63 != 0) return {.bytes = full, .slots = p.stats.nnz};
    auto const rows = static_cast<double>(p.stats.rows) * (c.rows_by_length ? 2 : 1);
    double const slots =
        std::max(static_cast<double>(p.stats.nnz), (static_cast<double>(full) - rows * sizeof(StoredOrdinal)) /
                                                       (p.value_bytes + static_cast<double>(sizeof(StoredOrdinal))));
    // Rows that share their columns up to a shift lie on diagonals; where nobody looked for them, all may. They do not
    // tell it of a pattern: it is all indices, and any few entries of a slice that are on one diagonal pay there.
    double const nnz = std::max(1.0, static_cast<double>(p.stats.nnz));
    bool const unknown = c.diagonals && (p.shared_entries < 0 || !values);
    double const off_diagonals = !c.diagonals ? 1 : unknown ? 0 : 1 - static_cast<double>(p.shared_entries) / nnz;
    constexpr std::int64_t narrow_span = 65536;
    std::int64_t const span =
        std::min(p.stats.cols, p.stats.lower_bandwidth + p.stats.upper_bandwidth + options.slice_height);
    double const index = c.narrow && span <= narrow_span ? sizeof(std::uint16_t) : sizeof(StoredOrdinal);
    double const saved = slots * (sizeof(StoredOrdinal) - index * off_diagonals / options.block_width);
    auto const bytes = static_cast<std::uint64_t>(std::max(0.0, static_cast<double>(full) - saved));
    bool const even = p.stats.min_length == p.stats.max_length && !c.diagonals && !c.narrow && c.block_width <= 1 &&
                      p.stats.rows % options.slice_height == 0;
    return {.bytes = bytes, .slots = p.stats.nnz, .exact = even, .bound = unknown};
  });
}

inline std::uint64_t sell_workspace(Problem const& p, Choice const& c, int threads) {
  return saturating_sum(sorted_rows_workspace(p, c, threads),
                        sell_workspace_bytes<Kokkos::DefaultHostExecutionSpace, StoredOrdinal>(
                            p.stats.rows, p.stats.nnz, sell_options(c, {})));
}

inline constexpr Storage sell_storage{
    .name = "sell",
    .flags = {&Choice::rows_by_length, &Choice::diagonals, &Choice::narrow},
    .sizes = {&Choice::slice_height, &Choice::sort_window, &Choice::least_slice_height, &Choice::block_width},
    .columns_per_lane = "0, 1 or 4",
    .refuse = why_not_sell,
    .footprint = sell_footprint,
    .workspace = sell_workspace};

}  // namespace araia::detail
