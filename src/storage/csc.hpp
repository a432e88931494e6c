// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <araia/detail/formats/csr_to_csc.hpp>
#include "src/plan/format_options.hpp"
#include "src/storage/info.hpp"
#include "src/storage/sizes.hpp"

namespace araia::detail {

inline Footprint csc_footprint(Problem const& p, Choice const& c) {
  return by_scalar(p, [&]<class Scalar>() -> Footprint {
    using Format = Csc<Scalar, StoredOrdinal, StoredOffset, Kokkos::HostSpace>;
    return {.bytes = estimate_bytes<Format>(p.stats, csc_options(c, {}), p.value_bytes > 0),
            .slots = p.stats.nnz,
            .exact = true};
  });
}

inline std::uint64_t csc_workspace(Problem const& p, Choice const&, int threads) {
  return transposition_bytes<StoredOffset>(p.stats.cols, p.stats.nnz, threads);
}

inline constexpr Storage csc_storage{
    .name = "csc", .columns_per_lane = "0, 1, 4 or 8", .footprint = csc_footprint, .workspace = csc_workspace};

}  // namespace araia::detail
