// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <araia/detail/formats/csr_to_hyb.hpp>
#include "src/plan/format_options.hpp"
#include "src/storage/info.hpp"
#include "src/storage/sizes.hpp"

namespace araia::detail {

inline Footprint hyb_footprint(Problem const& p, Choice const& c) {
  return by_scalar(p, [&]<class Scalar>() -> Footprint {
    using Format = Hyb<Scalar, StoredOrdinal, Kokkos::HostSpace>;
    bool const values = p.value_bytes > 0;
    auto const options = hyb_options(c, {});
    auto const costs = HybCosts::of<Scalar, StoredOrdinal>(values);
    auto const parts = estimate_hyb(p.stats, costs.share(), options.width);
    return {.bytes = estimate_bytes<Format>(p.stats, options, values, p.source_permuted),
            .slots = p.stats.rows * parts.width + parts.tail,
            .tail = parts.tail};
  });
}

inline std::uint64_t hyb_workspace(Problem const& p, Choice const&, int) {
  return tail_offsets_bytes(p.stats.rows, p.stats.nnz);
}

inline constexpr Storage hyb_storage{.name = "hyb",
                                     .sizes = {&Choice::width},
                                     .columns_per_lane = "0, 1, 4 or 8",
                                     .footprint = hyb_footprint,
                                     .workspace = hyb_workspace};

}  // namespace araia::detail
