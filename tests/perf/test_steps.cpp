// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cstdint>

#include <spmm_steps.hpp>

namespace {

using namespace araia::perf;

TEST(Steps, GranulesAreTheMeanOfThoseThatRowsTouch) {
  for (std::int64_t const granule : {32, 64})
    for (std::int64_t bytes = 4; bytes <= 600; bytes += 4) {
      std::int64_t touched = 0;
      for (std::int64_t row = 0; row < granule; ++row)
        touched += ((row + 1) * bytes + granule - 1) / granule - row * bytes / granule;
      EXPECT_NEAR(granules_of_row(bytes, granule), static_cast<double>(touched) / static_cast<double>(granule), 1e-12)
          << bytes << " bytes, granules of " << granule;
    }
}

TEST(Steps, TheBoundIsOfWhatTakesLongest) {
  // A diagonal of 1000: 8 bytes an entry and 4 a row of A, floats.
  araia::GeneratedMatrix diagonal{
      .name = "diagonal", .klass = "", .rows = 1000, .cols = 1000, .row_offsets = {}, .col_indices = {}, .values = {}};
  for (std::int32_t i = 0; i <= 1000; ++i) diagonal.row_offsets.push_back(i);
  diagonal.col_indices.assign(1000, 0);
  diagonal.values.assign(1000, 1.0);
  araia::Machine machine{.copy_bandwidth = 1e9, .cache_bandwidth = 1e9, .flops = 1e9, .cache_bytes = 1 << 30};
  double const row = granules_of_row(17 * 4) * static_cast<double>(cache_granule);
  EXPECT_DOUBLE_EQ(spmm_bound(machine, diagonal, 17, 4), (12e3 + 2e3 * row) / 1e9);
  machine.cache_bytes = 1;  // all comes from memory, which is as fast: by caches still more, as rows are ragged
  EXPECT_DOUBLE_EQ(spmm_bound(machine, diagonal, 17, 4), (12e3 + 2e3 * row) / 1e9);
  machine.copy_bandwidth = 1e8;
  EXPECT_DOUBLE_EQ(spmm_bound(machine, diagonal, 17, 4), (12e3 + 2e3 * 17 * 4) / 1e8);
  machine.flops = 1e6;
  EXPECT_DOUBLE_EQ(spmm_bound(machine, diagonal, 17, 4), 2e3 * 17 / 2e6);
}

}  // namespace
