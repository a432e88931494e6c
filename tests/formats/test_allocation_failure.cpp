// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where memory ends inside a loop of a conversion the caller gets std::bad_alloc, and the program goes on.

#include <araia/assembly/assemble.hpp>
#include <araia/formats/csr_to_bsr.hpp>
#include <araia/formats/csr_to_sell.hpp>
#include <araia/ops/sort_columns.hpp>
#include <vector>

#include "backends/openmp/csr_row_runs.hpp"
#include "support/failing_new.hpp"
#include "support/formats.hpp"

#include <gtest/gtest.h>

namespace araia::test {
namespace {

constexpr std::int64_t row_length = 600;

/// Rows that need workspace: long, their columns in descending order or ascending. Neighbours share them.
auto long_rows(bool ascending) {
  TestMatrix m{"long rows", 200, 3 * row_length, {0}, {}, {}};
  for (std::int64_t i = 0; i < m.rows; ++i) {
    for (std::int64_t k = 0; k < row_length; ++k) {
      m.col_indices.push_back(static_cast<std::int32_t>(3 * (ascending ? k : row_length - 1 - k)));
      m.values.push_back(1);
    }
    m.row_offsets.push_back((i + 1) * row_length);
  }
  return device_csr_of<double, std::int32_t, std::int64_t, Host>(m);
}

TEST(AllocationFailure, InsideALoopReachesTheCaller) {
  if (!may_fail_allocations()) GTEST_SKIP() << "a sanitizer has its own operator new";
  Host const exec;
  auto const A = long_rows(true);
  auto const unsorted = long_rows(false);
  auto const expect_failures = [](char const* what, auto const& work) {
    constexpr std::size_t of_workspaces = 2000;  // bytes: not labels nor the loops themselves
    EXPECT_GT(fail_each_allocation(of_workspaces, work, [] {}), 0) << what;
  };
  expect_failures("runs", [&] { (void)host::csr_row_runs(A.pointers(), 2); });
  expect_failures("bsr", [&] { (void)csr_to_bsr(exec, A, {.block_rows = 2, .block_cols = 2}); });
  expect_failures("sell", [&] { (void)csr_to_sell(exec, A, {.slice_height = 8, .diagonals = true}); });
  expect_failures("sort", [&] { (void)sort_columns(exec, unsorted); });
  HostCoo entries;
  entries.rows = 2;
  entries.cols = row_length;
  std::vector<std::int32_t> rows(row_length, 1), descending(row_length);
  for (std::int32_t k = 0; k < row_length; ++k) descending[static_cast<std::size_t>(k)] = row_length - 1 - k;
  entries.row_indices = rows;
  entries.col_indices = descending;
  entries.values = std::vector<double>(row_length, 1.0);
  expect_failures("assemble", [&] { (void)assemble<double>(entries); });
}

}  // namespace
}  // namespace araia::test
