// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <limits>

#include <araia/detail/formats/csr_to_bsr.hpp>
#include "src/storage/info.hpp"
#include "src/storage/sizes.hpp"

namespace araia::detail {

inline std::string why_not_bsr(Problem const& p, Choice const& c) {
  if (c.block_rows > largest_block) return outside("block_rows", c.block_rows, "0 to 32");
  if (c.block_cols > largest_block) return outside("block_cols", c.block_cols, "0 to 32");
  if (p.source_permuted) return "bsr: the matrix brings a row permutation of its own";
  return {};
}

/// Of the shape of the fewest bytes among those that the choice leaves open and that were sampled.
/// \param beside  (rows, blocks, shape) -> bytes that a kernel keeps beside the blocks
template <class Beside>
Footprint bsr_footprint_with(Problem const& p, Choice const& c, Beside const& beside) {
  return by_scalar(p, [&]<class Scalar>() -> Footprint {
    using Format = Bsr<Scalar, StoredOrdinal, StoredOffset, Kokkos::HostSpace>;
    bool const values = p.value_bytes > 0;
    Footprint least{.bytes = std::numeric_limits<std::uint64_t>::max()};
    for (auto const& known : p.block_fill) {
      bool const asked = (c.block_rows == 0 || c.block_rows == known.block_rows) &&
                         (c.block_cols == 0 || c.block_cols == known.block_cols);
      if (!asked) continue;
      auto const size = static_cast<double>(known.block_rows) * known.block_cols;
      auto const blocks = static_cast<std::int64_t>(std::ceil(known.fill * static_cast<double>(p.stats.nnz) / size));
      BsrOptions const shape{.block_rows = known.block_rows, .block_cols = known.block_cols};
      auto const bytes =
          bsr_bytes<Format>(p.stats.rows, p.stats.nnz, blocks, values, shape) + beside(p.stats.rows, blocks, shape);
      if (bytes < least.bytes)
        least = {.bytes = bytes, .slots = blocks * known.block_rows * known.block_cols, .pieces = blocks};
    }
    if (least.slots > 0) return least;
    auto const options = BsrOptions{.block_rows = std::max(1, c.block_rows), .block_cols = std::max(1, c.block_cols)};
    return {.bytes = estimate_bytes<Format>(p.stats, options, values),
            .slots = p.stats.nnz,
            .pieces = p.stats.nnz / (options.block_rows * options.block_cols)};
  });
}

inline Footprint bsr_footprint(Problem const& p, Choice const& c) {
  return bsr_footprint_with(p, c, [](std::int64_t, std::int64_t, BsrOptions const&) { return std::uint64_t{0}; });
}

inline constexpr Storage bsr_storage{.name = "bsr",
                                     .sizes = {&Choice::block_rows, &Choice::block_cols},
                                     .columns_per_lane = "0, 1, 4 or 8",
                                     .refuse = why_not_bsr,
                                     .footprint = bsr_footprint};

}  // namespace araia::detail
