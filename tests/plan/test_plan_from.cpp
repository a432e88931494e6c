// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans from every format: the same product, and new values in the order that each format promises.
#include <araia/detail/formats/csr_to_bcsc.hpp>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/formats/csr_to_csc.hpp>
#include <araia/detail/formats/csr_to_hyb.hpp>
#include <araia/detail/formats/csr_to_sell.hpp>
#include <araia/plan/plan_from.hpp>
#include <string>
#include <vector>

#include "plan/plan_checks.hpp"
#include "support/check.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

using Vector = Kokkos::View<double*, Device>;

TestMatrix narrow() { return random_matrix("70 x 50", 70, 50, 6); }
auto narrow_csr() { return device_csr<double, std::int32_t, Device>(narrow()); }

/// The plan's product on fixed operands against that of the Csr.
template <class Plan, class A>
void expect_product_of(A const& csr, Plan const& plan, std::string const& what) {
  Device const exec;
  auto const host = host_copy(csr);
  Operand<double, Device> x(host.cols, 1, 1, 1);
  Operand<double, Device> y(host.rows, 1, 1, 1);
  x.fill(3);
  y.fill(4);
  x.to_device();
  y.to_device();
  auto const expected = expected_product(Op::none, 1.5, host.pointers(), x.host(), -0.5, y.host());
  plan.execute(exec, 1.5, x.vector(), -0.5, y.vector());
  exec.fence();
  y.from_device();
  expect_within_bound(expected, y.host(), what);
}

/// Plans of several formats from one source; each takes new values in the order of `values`, which are those of `next`.
template <class Source, class Next>
void check_source(Source const& source, Next const& next, Vector const& values, std::string const& what) {
  Device const exec;
  for (std::string const format : {"csr", "coo", "sell", "csc"}) {
    auto plan = make_plan(exec, SpmvDesc{}, source, {.formats = {format}});
    EXPECT_EQ(plan.choice().format, format);
    EXPECT_TRUE(plan.verify(exec).ok) << what << " to " << format;
    expect_product_of(narrow_csr(), plan, what + " to " + format);
    for (int again = 0; again < 2; ++again) {
      plan.update_values(exec, values);
      expect_product_of(next, plan, what + " to " + format + ", new values");
    }
    if (format == "sell") expect_quiet(exec, what + " to " + format, [&] { plan.update_values(exec, values); });
    Vector const wrong("wrong", values.extent(0) + 1);
    EXPECT_THROW(plan.update_values(exec, wrong), Error);
    Kokkos::View<double**, Kokkos::LayoutRight, Device> const pairs("pairs", values.extent(0), 2);
    EXPECT_EQ(kind_of([&] { plan.update_values(exec, Kokkos::subview(pairs, Kokkos::ALL, 1)); }),
              ErrorKind::invalid_argument);
    expect_product_of(next, plan, what + " to " + format + ", values as they were");
  }
}

TEST(PlanFrom, EveryFormat) {
  Device const exec;
  auto other = narrow();
  for (double& v : other.values) v = 2 - 3 * v;
  auto const A = narrow_csr();
  auto const B = device_csr<double, std::int32_t, Device>(other);
  check_source(csr_to_coo(exec, A), B, B.values, "coo");
  check_source(csr_to_ell(exec, A), B, B.values, "ell");
  check_source(csr_to_ell(exec, A, {.sort_rows = true}), B, B.values, "ell by length");
  check_source(csr_to_hyb(exec, A), B, B.values, "hyb");
  check_source(csr_to_sell(exec, A, {.slice_height = 8, .sort_window = 32}), B, B.values, "sell");
  check_source(csr_to_sell(exec, A, {.block_width = 2, .diagonals = true}), B, B.values, "sell of pairs");
  check_source(csr_to_bsr(exec, A, {.block_rows = 2, .block_cols = 3, .keep_stored_mask = true}), B, B.values, "bsr");
  check_source(csr_to_bcsc(exec, A, {.block_height = 16}), B, B.values, "bcsc");
  check_source(csr_to_bcsc_compact(exec, A, {.block_height = 16}), B, B.values, "bcsc compact");
  // Columns have an order of their own.
  check_source(csr_to_csc(exec, A), B, Vector(csr_to_csc(exec, B).values), "csc");
}

TEST(PlanFrom, UnsortedCoordinatesKeepTheCallersOrder) {
  Device const exec;
  auto other = narrow();
  for (double& v : other.values) v = 2 - 3 * v;
  auto const A = device_coo<double, Device>(narrow(), true);
  ASSERT_FALSE(A.sorted);
  auto const next = device_coo<double, Device>(other, true);  // in the same order
  check_source(A, device_csr<double, std::int32_t, Device>(other), Vector(next.values), "unsorted coo");
  auto released = make_plan(exec, SpmvDesc{}, A, {.formats = {"ell"}});
  released.release_source();
  expect_product_of(narrow_csr(), released, "released");
}

TEST(PlanFrom, ValuesOnTheirWayLeaveTheAcceptedOnes) {
  Device const exec;
  auto const A = device_coo<double, Device>(narrow(), true);
  using Values = Kokkos::View<double const*, Device>;
  detail::PlacesInSource<Device, Values, std::decay_t<decltype(A)>> order(A);
  EXPECT_EQ(order.bytes(), 0u);
  auto const first = order.ordered(exec, A.values);
  order.accept();
  auto const kept = download<double>(first);
  Vector const other("other", A.values.extent(0));
  Kokkos::deep_copy(other, 7.0);
  EXPECT_NE(order.ordered(exec, other).data(), first.data());  // and the plan did not take them
  EXPECT_NE(order.ordered(exec, other).data(), first.data());
  exec.fence();
  EXPECT_EQ(download<double>(first), kept);
  EXPECT_EQ(order.bytes(), static_cast<std::uint64_t>(A.nnz) * (sizeof(std::uint32_t) + 2 * sizeof(double)));
}

TEST(PlanFrom, ReleasedPlansHoldNothingOfTheSource) {
  Device const exec;
  auto const A = device_coo<double, Device>(narrow(), true);
  auto const held = A.values.use_count();
  auto plan = make_plan(exec, SpmvDesc{}, A, {.formats = {"ell"}});
  EXPECT_GT(A.values.use_count(), held);
  plan.release_source();
  EXPECT_EQ(A.values.use_count(), held);
  EXPECT_EQ(kind_of([&] { plan.update_values(exec, A.values); }), ErrorKind::unsupported);
  auto on_source = make_plan(exec, SpmvDesc{}, A, {.formats = {"csr"}});
  auto const before = on_source.bytes();
  on_source.release_source();  // runs on it
  on_source.update_values(exec, A.values);
  expect_product_of(narrow_csr(), on_source, "not released");
  EXPECT_GT(on_source.bytes(), before);
}

TEST(PlanFrom, EmptyMatrix) {
  Device const exec;
  Coo<double, std::int32_t, Device> const A{.rows = 3, .cols = 2};
  auto plan = make_plan(exec, SpmvDesc{}, A);
  Vector const x("x", 2);
  Vector const y("y", 3);
  Kokkos::deep_copy(y, 7.0);
  plan.execute(exec, 1, x, 2, y);
  exec.fence();
  EXPECT_EQ(download<double>(y), (std::vector<double>{14, 14, 14}));
}

}  // namespace
}  // namespace araia::test
