// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where memory ends the caller gets std::bad_alloc or an Error (resource_limit), and the program goes on: inside loops
// of conversions too.

#include <araia/assembly/assemble.hpp>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/formats/csr_to_sell.hpp>
#include <araia/detail/io/memory_limit.hpp>
#include <araia/io/matrix_market.hpp>
#include <araia/io/smtx.hpp>
#include <araia/ops/add.hpp>
#include <araia/ops/diagonal.hpp>
#include <araia/ops/sort_columns.hpp>
#include <araia/ops/spmm.hpp>
#include <araia/ops/spmv.hpp>
#include <araia/ops/sum_duplicates.hpp>
#include <araia/ops/transpose.hpp>
#include <string>
#include <vector>

#include "backends/openmp/csr_row_runs.hpp"
#include "support/failing_new.hpp"
#include "support/formats.hpp"
#include "support/stored.hpp"
#include "support/without_memory.hpp"

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

TEST(AllocationFailure, IsToldWithArrayNeedAndLimit) {
  if (!may_fail_allocations()) GTEST_SKIP() << "a sanitizer has its own operator new";
  constexpr std::int64_t count = 1000;
  std::string const limit = std::to_string(process_memory());
  auto const refused = [&](auto const& make) {
    expect_error(ErrorKind::resource_limit, {"araia::test::array", "8000 bytes", limit}, [&] {
      fail_allocation(0, 8000);
      make();
    });
    allow_allocations();
  };
  using Array = Kokkos::View<double*, Host::device_type>;
  refused([] { (void)detail::new_array<double, Host::device_type>(Host(), "araia::test::array", count); });
  refused([] { (void)detail::new_view<Array>("araia::test::array", count); });
  refused([] { (void)detail::zeroed_view<Array>(Host(), "araia::test::array", count); });
  refused([] { (void)detail::new_view<Kokkos::View<double**, Host::device_type>>("araia::test::array", 500, 2); });
  refused(
      [] { (void)detail::zeroed_view<Kokkos::View<double[1000], Host::device_type>>(Host(), "araia::test::array"); });
}

TEST(AllocationFailure, OfReadersLeavesAsOneOfTwoTypes) {
  if (!may_fail_allocations()) GTEST_SKIP() << "a sanitizer has its own operator new";
  std::string coordinates = "%%MatrixMarket matrix coordinate real general\n200 100 2000\n";
  for (int k = 0; k < 2000; ++k)
    coordinates += std::to_string(1 + k % 200) + ' ' + std::to_string(1 + k / 200) + " 0.5\n";
  std::string dense = "%%MatrixMarket matrix array real general\n40 10\n";
  for (int k = 0; k < 400; ++k) dense += "1.5\n";
  std::string smtx = "50, 60, 500\n";
  for (int i = 0; i <= 50; ++i) smtx += std::to_string(10 * i) + (i < 50 ? " " : "\n");
  for (int k = 0; k < 500; ++k) smtx += std::to_string(k % 10) + (k < 499 ? " " : "\n");
  ReadOptions const blocks{.threads = 2, .block_bytes = 1024};
  expect_only_memory_errors("coordinates", [&] { (void)parse_matrix_market(coordinates, "A.mtx", blocks); });
  expect_only_memory_errors("array", [&] { (void)parse_matrix_market_dense(dense, "B.mtx", blocks); });
  expect_only_memory_errors("smtx", [&] { (void)parse_smtx(smtx, "A.smtx", blocks); });
  auto const coo = parse_matrix_market(coordinates, "A.mtx");
  expect_only_memory_errors("assemble", [&] { (void)assemble<double>(coo); });
  std::string const bytes = container_bytes(to_container(Host(), assemble<double>(coo)));
  expect_only_memory_errors("container", [&] {
    (void)from_container<Csr<double, std::int32_t, std::int32_t, HostDevice>>(Host(), parse_container(bytes, "A"));
  });
}

template <class Exec>
void check_conversions() {
  if constexpr (std::is_same_v<Exec, Host>) {  // else all of them are compiled for the host alone
    auto const m = random_matrix("70 x 60", 70, 60, 8);
    auto const A = device_csr_of<double, std::int32_t, std::int32_t, Exec>(m);
    for (auto const& storage : every_storage<double, std::int32_t, std::int32_t, Exec>())
      if (takes(*storage, m)) expect_only_memory_errors(storage->name, [&] { (void)storage->back(storage->store(A)); });
  }
}

TEST(AllocationFailure, OfConversionsLeavesAsOneOfTwoTypes) {
  if (!may_fail_allocations()) GTEST_SKIP() << "a sanitizer has its own operator new";
  check_conversions<Device>();
}

TEST(AllocationFailure, OfOneShotCallsLeavesAsOneOfTwoTypes) {
  if (!may_fail_allocations()) GTEST_SKIP() << "a sanitizer has its own operator new";
  Host const exec;
  auto const A = device_csr<double, std::int32_t, Host>(random_matrix("100 x 100", 100, 100, 8));
  expect_only_memory_errors("transpose", [&] { (void)transpose(exec, A); });
  expect_only_memory_errors("add", [&] { (void)add(exec, 1.0, A, 2.0, A); });
  expect_only_memory_errors("sort", [&] { (void)sort_columns(exec, A); });
  expect_only_memory_errors("sum", [&] { (void)sum_duplicates(exec, A); });
  expect_only_memory_errors("diagonal", [&] { (void)diagonal(exec, A); });
  Kokkos::View<double*, Host> const x("x", 100), y("y", 100);
  Kokkos::View<double**, Kokkos::LayoutRight, Host> const b("b", 100, 4), c("c", 100, 4);
  auto const multiply = [&](auto const& matrix) {
    for (Op const op : {Op::none, Op::transpose}) {
      may_do_without_memory([&] { spmv(exec, op, 1.0, matrix, x, 0.0, y); });
      may_do_without_memory([&] { spmm(exec, op, 1.0, matrix, b, 0.0, c); });
    }
  };
  multiply(A);
  multiply(csr_to_coo(exec, A));
  multiply(csr_to_ell(exec, A));
  multiply(csr_to_csc(exec, A));
  multiply(csr_to_hyb(exec, A));
  multiply(csr_to_sell(exec, A, {.slice_height = 8, .diagonals = true}));
  multiply(csr_to_bsr(exec, A, {.block_rows = 2, .block_cols = 2}));
  multiply(csr_to_bcsc(exec, A));
}

/// The default limit of the host while it lives.
class HostLimit {
 public:
  explicit HostLimit(std::uint64_t bytes) { set_default_host_memory_limit(bytes); }
  HostLimit(HostLimit const&) = delete;
  HostLimit& operator=(HostLimit const&) = delete;
  ~HostLimit() { set_default_host_memory_limit(unset_memory_limit); }
};

// Whether they are made or refused: nothing is allocated that is not counted before.
template <class Exec>
void check_peaks_of_conversions() {
  if constexpr (std::is_same_v<Exec, Host>) {
    Exec const exec;
    // Every other row is empty: arrays of rows weigh as much as those of entries.
    std::vector<std::int64_t> lengths(20000, 0);
    for (std::size_t i = 0; i < lengths.size(); i += 2) lengths[i] = 3;
    lengths[77] = 40;
    auto const A = device_csr_of<double, std::int32_t, std::int32_t, Exec>(with_row_lengths("rows", 20000, lengths));
    auto const check = [&](std::string const& what, auto const& convert) {
      bool made = false;
      std::uint64_t limit = 10000;
      while (!made) {
        HostLimit const host(limit);
        std::int64_t const peak = peak_bytes([&] {
          try {
            convert();
            made = true;
          } catch (Error const& error) {
            EXPECT_EQ(error.kind(), ErrorKind::resource_limit) << error.what();
          }
        });
        constexpr std::int64_t of_loops = 20000;  // bytes: of labels, and a line of cache a thread
        EXPECT_LE(peak, static_cast<std::int64_t>(limit) + of_loops) << what << ", limit " << limit;
        limit += limit / 4;
      }
    };
    check("ell", [&] { (void)csr_to_ell(exec, A, {.validate = false}); });
    check("ell by length", [&] { (void)csr_to_ell(exec, A, {.sort_rows = true, .validate = false}); });
    check("csc", [&] { (void)csr_to_csc(exec, A, {.validate = false}); });
    check("hyb", [&] { (void)csr_to_hyb(exec, A, {.validate = false}); });
    check("sell", [&] { (void)csr_to_sell(exec, A, {.validate = false}); });
    check("sell by length", [&] { (void)csr_to_sell(exec, A, {.sort_window = 256, .validate = false}); });
    check("sell with diagonals", [&] { (void)csr_to_sell(exec, A, {.diagonals = true, .validate = false}); });
    check("sell of short columns",
          [&] { (void)csr_to_sell(exec, A, {.columns = SellColumns::least_bytes, .validate = false}); });
    check("bsr", [&] { (void)csr_to_bsr(exec, A, {.block_rows = 2, .block_cols = 2, .validate = false}); });
    check("bcsc", [&] { (void)csr_to_bcsc(exec, A, {.validate = false}); });
  }
}

TEST(MemoryLimit, HoldsThePeakOfConversions) {
  if (!may_fail_allocations()) GTEST_SKIP() << "a sanitizer has its own operator new";
  check_peaks_of_conversions<Device>();
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
