// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// New values that find no memory leave a plan as it was.
#include <araia/plan/plan.hpp>

#include "support/failing_new.hpp"
#include "support/formats.hpp"
#include "support/types.hpp"

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

}  // namespace
}  // namespace araia::test
