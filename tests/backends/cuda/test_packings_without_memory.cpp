// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where memory ends on any of the threads that pack a matrix, the caller gets std::bad_alloc, and the program goes on.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "backends/cuda/spmm/csr_jammed/packing.hpp"
#include "backends/cuda/spmm/csr_jammed/row_clusters.hpp"
#include "backends/cuda/spmm/csr_lockstep/packing.hpp"
#include "backends/cuda/spmm/csr_tensor_tiles/packing.hpp"
#include "support/failing_new.hpp"

namespace araia::test {
namespace {

TEST(PackingsWithoutMemory, ReachTheCaller) {
  if (!may_fail_allocations()) GTEST_SKIP() << "a sanitizer has its own operator new";
  constexpr std::int32_t rows = 1100;  // two windows of clusters
  constexpr std::int32_t cols = 1100;
  constexpr std::int32_t row_length = 40;
  std::vector<std::int32_t> row_offsets{0}, col_indices;
  for (std::int32_t i = 0; i < rows; ++i) {
    for (std::int32_t k = 0; k < row_length; ++k) col_indices.push_back(k * (cols / row_length) + i % 7);
    row_offsets.push_back((i + 1) * row_length);
  }
  CsrPointers<float, std::int32_t, std::int32_t> const a{rows, cols, rows * row_length, row_offsets.data(),
                                                         col_indices.data()};
  constexpr int threads = 3;
  auto const expect_failures = [](char const* what, auto const& work) {
    constexpr std::size_t of_threads = 8000;  // bytes: a thread's own workspace, a place a column
    EXPECT_GT(fail_each_allocation(of_threads, work, [] {}), 0) << what;
  };
  expect_failures("clusters", [&] { (void)cuda::cluster_rows(a, 4, threads); });
  expect_failures("jam", [&] { (void)cuda::jam_packing(a, {64, 8}, threads); });
  expect_failures("lockstep", [&] { (void)cuda::lockstep_packing(a, {8, 8, 2, 1}, threads); });
  expect_failures("tiles", [&] { (void)cuda::tile_packing(a, threads); });
}

}  // namespace
}  // namespace araia::test
