// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans where memory ends: what leaves them is std::bad_alloc or an Error (resource_limit). New values that find no
// memory leave a plan as it was.
#include <araia/io/matrix_market.hpp>
#include <araia/plan/any_matrix.hpp>
#include <araia/plan/plan.hpp>

#include "support/failing_new.hpp"
#include "support/formats.hpp"
#include "support/types.hpp"
#include "support/without_memory.hpp"

#include <gtest/gtest.h>

namespace araia::test {
namespace {

TEST(AllocationFailure, NewValuesOfCachePanelsLeaveTheOldOnes) {
  if (!may_fail_allocations()) GTEST_SKIP() << "a sanitizer has its own operator new";
  Host const exec;
  auto const A = device_csr<double, std::int32_t, Host>(random_matrix("layer of 300 x 280", 300, 280, 60));
  Kokkos::View<double*, Host> const twos("twos", static_cast<std::size_t>(A.nnz));
  Kokkos::deep_copy(twos, 2.0);
  Kokkos::View<double**, Kokkos::LayoutRight, Host> const b("b", 280, 3), old("old", 300, 3), c("c", 300, 3);
  Kokkos::deep_copy(b, 1.0);
  auto plan = make_plan(exec, SpmmDesc{.columns = 3}, A, {.choice = Choice{.format = "csr", .kernel = "cache_panels"}});
  plan.execute(exec, 1.0, b, 0.0, old);
  auto const failures = fail_each_allocation(
      1000, [&] { plan.update_values(exec, twos); },
      [&] {
        plan.execute(exec, 1.0, b, 0.0, c);
        for (std::size_t k = 0; k < c.size(); ++k) ASSERT_EQ(c.data()[k], old.data()[k]);
        EXPECT_TRUE(plan.verify(exec).ok);
      });
  EXPECT_GT(failures, 0);
  plan.execute(exec, 1.0, b, 0.0, c);
  for (std::size_t i = 0; i < 300; ++i) ASSERT_EQ(c(i, 0), 2.0 * (A.row_offsets(i + 1) - A.row_offsets(i)));
}

TEST(AllocationFailure, OfPlansLeavesAsOneOfTwoTypes) {
  if (!may_fail_allocations()) GTEST_SKIP() << "a sanitizer has its own operator new";
  Host const exec;
  auto const A = device_csr<double, std::int32_t, Host>(random_matrix("90 x 80", 90, 80, 8));
  Kokkos::View<double*, Host> const x("x", 80), y("y", 90);
  Kokkos::View<double**, Kokkos::LayoutRight, Host> const b("b", 80, 4), c("c", 90, 4);
  for (auto const& format : format_labels()) {
    expect_only_memory_errors(format + ", spmv", [&] {
      auto plan = make_plan(exec, SpmvDesc{}, A, {.formats = {format}});
      plan.execute(exec, 1.0, x, 0.0, y);
      plan.update_values(exec, A.values);
      EXPECT_TRUE(plan.verify(exec).ok);
    });
    expect_only_memory_errors(format + ", spmm", [&] {
      auto plan = make_plan(exec, SpmmDesc{.columns = 4}, A, {.keep_maps = true, .formats = {format}});
      plan.execute(exec, 1.0, b, 0.0, c);
      plan.update_values(exec, A.values);
      EXPECT_TRUE(plan.verify(exec).ok);
    });
  }
}

TEST(AllocationFailure, OfMeasuredPlansLeavesAsOneOfTwoTypes) {
  if (!may_fail_allocations()) GTEST_SKIP() << "a sanitizer has its own operator new";
  Host const exec;
  auto const A = device_csr<double, std::int32_t, Host>(random_matrix("90 x 80", 90, 80, 8));
  for (std::string const format : {"csr", "sell", "bsr"})
    expect_only_memory_errors(format, [&] {
      (void)make_plan(exec, SpmvDesc{}, A, {.measure = true, .budget = 0.01, .formats = {"csr", format}});
    });
}

TEST(AllocationFailure, OfWhatTheCommandDoesLeavesAsOneOfTwoTypes) {
  if (!may_fail_allocations()) GTEST_SKIP() << "a sanitizer has its own operator new";
  std::string text = "%%MatrixMarket matrix coordinate real general\n100 100 700\n";
  for (int k = 0; k < 700; ++k) text += std::to_string(1 + k % 100) + ' ' + std::to_string(1 + k / 7) + " 0.5\n";
  HostDense const x{.rows = 100, .columns = 2, .values = std::vector<double>(200, 1.0)};
  AnySpace const space{Host()};
  expect_only_memory_errors("multiply", [&] {
    auto const matrix = make_any_matrix(space, parse_matrix_market(text, "A.mtx"), ScalarTypes::f64);
    auto const plan = matrix->plan(SpmmDesc{.columns = 2}, {});
    AnyDense const b(space, ElementType::float64, x);
    AnyDense const c(space, ElementType::float64, 100, 2);
    plan->execute(1.0, b.view(), 0.0, c.view());
    EXPECT_EQ(c.to_host(space).rows, 100);
    EXPECT_EQ(matrix->entries().stored(), matrix->nnz());
    EXPECT_TRUE(plan->verify().ok);
  });
}

TEST(MemoryLimit, HoldsThePeakOfPlansAndTheirVerification) {
  if (!may_fail_allocations()) GTEST_SKIP() << "a sanitizer has its own operator new";
  Host const exec;
  auto const A = device_csr<double, std::int32_t, Host>(stencil(300, 100));
  std::int64_t const columns = 2;
  for (bool const measure : {false, true}) {
    int made = 0;
    for (std::uint64_t limit = 1 << 20; made < 8; limit += limit / 4) {
      set_default_host_memory_limit(limit);
      std::int64_t const peak = peak_bytes([&] {
        try {
          auto const plan =
              make_plan(exec, SpmmDesc{.columns = columns}, A, {.measure = measure, .budget = 0.1, .products = 1e9});
          set_default_host_memory_limit(limit - std::min(limit - 1, plan.bytes()));
          (void)plan.verify(exec);
          ++made;
        } catch (Error const& error) {
          EXPECT_EQ(error.kind(), ErrorKind::resource_limit) << error.what();
        }
      });
      set_default_host_memory_limit(unset_memory_limit);
      constexpr std::int64_t of_plans = 300000;  // bytes: of the report and of a few numbers for each 8 rows
      EXPECT_LE(peak, static_cast<std::int64_t>(limit) + of_plans) << "limit " << limit << ", measured " << measure;
    }
  }
}

}  // namespace
}  // namespace araia::test
