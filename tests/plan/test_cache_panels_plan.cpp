// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans over csr/cache_panels: listed and chosen on hosts where rows are long, held by the plan, updated, explained.
#include <araia/dispatch/cuda_space.hpp>
#include <araia/plan/plan.hpp>
#include <array>
#include <limits>
#include <string>

#include "support/check.hpp"
#include "support/formats.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

#ifdef ARAIA_TYPES_MINIMAL
using Scalar = double;
#else
using Scalar = float;
#endif
Choice const by_cache_panels{.format = "csr", .kernel = "cache_panels"};

auto layer() { return random_matrix("layer of 300 x 280", 300, 280, 60); }
auto layer_csr() { return device_csr<Scalar, std::int32_t, Host>(layer()); }

TEST(CachePanelsPlan, IsTheModelsChoiceForPrunedLayersAndNotForSparseRows) {
  Host const exec;
  auto const plan = make_plan(exec, SpmmDesc{.columns = 64}, layer_csr(), {.deterministic = true});
  EXPECT_EQ(label(plan.choice()), "csr/cache_panels");
  EXPECT_NE(plan.explain().find("chosen: csr/cache_panels"), std::string::npos) << plan.explain();
  EXPECT_TRUE(plan.verify(exec).ok);
  auto const sparse = device_csr<Scalar, std::int32_t, Host>(random_matrix("3 of 900", 900, 900, 3));
  auto const other = make_plan(exec, SpmmDesc{.columns = 64}, sparse);
  EXPECT_NE(other.choice().kernel, "cache_panels");
  // Unpriced, it may run all the same.
  EXPECT_TRUE(make_plan(exec, SpmmDesc{.columns = 64}, sparse, {.choice = by_cache_panels}).verify(exec).ok);
}

TEST(CachePanelsPlan, OwnsItsPackingAndTakesNewValues) {
  Host const exec;
  auto const A = layer_csr();
  auto other = layer();
  for (double& v : other.values) v = 3 * v - 1;
  auto const B = device_csr<Scalar, std::int32_t, Host>(other);
  for (int const columns : {1, 5, 16, 33, 64, 200}) {
    auto plan = make_plan(exec, SpmmDesc{.columns = columns}, A, {.deterministic = true, .choice = by_cache_panels});
    EXPECT_EQ(storage_label(plan.choice()), "csr packed for cache_panels");
    auto const& winner = plan.report().winner();
    EXPECT_TRUE(winner.footprint.exact);
    EXPECT_EQ(winner.bytes, plan.bytes());
    EXPECT_GE(winner.footprint.slots, A.nnz);
    EXPECT_TRUE(plan.verify(exec).ok) << columns;
    plan.update_values(exec, B.values);
    EXPECT_TRUE(plan.verify(exec).ok) << columns << ", new values";
    plan.release_source();
    Kokkos::View<Scalar**, Kokkos::LayoutRight, Host> const b("b", 280, columns), c("c", 300, columns);
    Kokkos::deep_copy(b, Scalar(1));
    plan.execute(exec, Scalar(1), b, Scalar(0), c);
    double sum = 0;
    for (auto k = other.row_offsets[17]; k < other.row_offsets[18]; ++k)
      sum += static_cast<double>(static_cast<Scalar>(other.values[static_cast<std::size_t>(k)]));
    EXPECT_NEAR(static_cast<double>(c(17, columns - 1)), sum, 1e-3);
  }
}

TEST(CachePanelsPlan, RunsEveryLayoutAndPatternsAndPermutedRows) {
  Host const exec;
  auto const A = layer_csr();
  constexpr std::array layouts{DenseLayout::right, DenseLayout::left, DenseLayout::strided};
  for (auto const layout_b : layouts)
    for (auto const layout_c : layouts) {
      SpmmDesc const desc{.columns = 19, .layout_b = layout_b, .layout_c = layout_c};
      EXPECT_TRUE(make_plan(exec, desc, A, {.choice = by_cache_panels}).verify(exec).ok);
    }
  auto pattern = A;
  pattern.values = {};
  auto const of_pattern =
      make_plan<Scalar, Scalar>(exec, SpmmDesc{.columns = 19}, pattern, {.choice = by_cache_panels});
  EXPECT_TRUE(of_pattern.verify(exec).ok);

  auto permuted = A;
  Kokkos::View<std::int32_t*, Host> const order("order", static_cast<std::size_t>(A.rows));
  for (std::int64_t i = 0; i < A.rows; ++i) order(i) = static_cast<std::int32_t>(A.rows - 1 - i);
  permuted.row_permutation = order;
  auto of_permuted = make_plan(exec, SpmmDesc{.columns = 19}, permuted, {.choice = by_cache_panels});
  EXPECT_TRUE(of_permuted.verify(exec).ok);
  of_permuted.update_values(exec, A.values);
  EXPECT_TRUE(of_permuted.verify(exec).ok);
}

TEST(CachePanelsPlan, RefusesWhatItDoesNotRun) {
  Host const exec;
  auto const A = layer_csr();
  SpmmDesc const eight{.columns = 8};
  auto by_length = by_cache_panels;
  by_length.rows_by_length = true;
  auto const empty = device_csr<Scalar, std::int32_t, Host>(TestMatrix{"empty", 2, 2, {0, 0, 0}, {}, {}});
  auto const refused = [&](ErrorKind kind, auto const& desc, auto const& matrix, PlanOptions const& options) {
    expect_error(kind, {}, [&] { (void)make_plan(exec, desc, matrix, options); });
  };
  refused(ErrorKind::unsupported, SpmvDesc{}, A, {.choice = by_cache_panels});
  refused(ErrorKind::unsupported, SpmmDesc{.op = Op::transpose, .columns = 8}, A, {.choice = by_cache_panels});
  refused(ErrorKind::unsupported, eight, A, {.choice = by_length});
  refused(ErrorKind::resource_limit, eight, A, {.memory_limit = 1000, .choice = by_cache_panels});
  refused(ErrorKind::unsupported, eight, empty, {.choice = by_cache_panels});
}

TEST(CachePanelsPlan, IsRacedAndVerifiedWhenPlansMeasure) {
  Host const exec;
  auto const plan =
      make_plan(exec, SpmmDesc{.columns = 64}, layer_csr(), {.measure = true, .budget = 2, .formats = {"csr"}});
  bool found = false;
  for (auto const& c : plan.report().candidates)
    if (is_packed_on_host(c.choice)) {
      found = true;
      EXPECT_TRUE(c.verified.ok) << c.reason;
      EXPECT_GT(c.conversion_seconds, 0);
    }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace araia::test
