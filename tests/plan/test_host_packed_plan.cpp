// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans over csr/cache_panels and csr/copied_columns, which hold a Csr of their own on hosts: listed where they may
// pay, updated, explained, refused.
#include <araia/detail/dispatch/cuda_space.hpp>
#include <araia/plan/plan.hpp>
#include <array>
#include <limits>
#include <string>

#include "backends/openmp/caches.hpp"
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
Choice const by_copied_columns{.format = "csr", .kernel = "copied_columns"};
std::array const host_packed{by_cache_panels, by_copied_columns};

auto layer() { return random_matrix("layer of 300 x 280", 300, 280, 60); }
auto layer_csr() { return device_csr<Scalar, std::int32_t, Host>(layer()); }

/// The same rows stored the last one first.
template <class Matrix>
Matrix reversed(Matrix A) {
  Kokkos::View<std::int32_t*, Host> const order("order", static_cast<std::size_t>(A.rows));
  for (std::int64_t i = 0; i < A.rows; ++i) order(i) = static_cast<std::int32_t>(A.rows - 1 - i);
  A.row_permutation = order;
  return A;
}

// Rows of B are of 512 bytes and more, B is of 10 MB and more.
TEST(HostPackedPlan, RowsThatAskForScatteredRowsOfBAreTheModelsChoiceForRandomColumns) {
  if (host::caches().l2 > std::int64_t{8} << 20) GTEST_SKIP() << "B may stay in the second-level cache";
  Host const exec;
  SpmmDesc const desc{.columns = 2048 / static_cast<std::int64_t>(sizeof(Scalar))};
  auto const random = device_csr<Scalar, std::int32_t, Host>(random_matrix("random", 20000, 20000, 8));
  auto const plan = make_plan(exec, desc, random, {.deterministic = true, .formats = {"csr"}});
  EXPECT_EQ(label(plan.choice()), "csr/host_simd_runs");
  EXPECT_TRUE(plan.verify(exec).ok);
  EXPECT_EQ(
      label(make_plan(exec, SpmmDesc{.columns = 2}, random, {.deterministic = true, .formats = {"csr"}}).choice()),
      "csr/host_simd");
}

TEST(HostPackedPlan, PanelsAreTheModelsChoiceForPrunedLayersAndNotForSparseRows) {
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

TEST(HostPackedPlan, OwnsItsPackingAndTakesNewValues) {
  Host const exec;
  auto const A = layer_csr();
  auto other = layer();
  for (double& v : other.values) v = 3 * v - 1;
  auto const B = device_csr<Scalar, std::int32_t, Host>(other);
  for (int const columns : {1, 5, 16, 33, 64, 200})
    for (auto const& choice : host_packed) {
      auto plan = make_plan(exec, SpmmDesc{.columns = columns}, A, {.deterministic = true, .choice = choice});
      EXPECT_EQ(storage_label(plan.choice()),
                choice == by_copied_columns ? "csr with panels of B" : "csr packed for cache_panels");
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

TEST(HostPackedPlan, WhoAsksSeesThePackedValues) {
  Host const exec;
  auto const A = layer_csr();
  std::uint64_t seen = 0;
  PlanOptions options{.choice = by_cache_panels};
  options.after_conversion = [&](Choice const& choice, void* values, std::uint64_t bytes) {
    EXPECT_EQ(choice, by_cache_panels);
    seen = bytes;
    static_cast<Scalar*>(values)[0] += Scalar(1000);
  };
  auto const plan = make_plan(exec, SpmmDesc{.columns = 64}, A, options);
  EXPECT_EQ(seen, static_cast<std::uint64_t>(plan.report().winner().footprint.slots) * sizeof(Scalar));
  EXPECT_FALSE(plan.verify(exec).ok) << "products read the values that were shown";
}

TEST(HostPackedPlan, RunsEveryLayoutAndPatternsAndPermutedRows) {
  Host const exec;
  auto const A = layer_csr();
  constexpr std::array layouts{DenseLayout::right, DenseLayout::left, DenseLayout::strided};
  for (auto const layout_b : layouts)
    for (auto const layout_c : layouts)
      for (auto const& choice : host_packed) {
        SpmmDesc const desc{.columns = 19, .layout_b = layout_b, .layout_c = layout_c};
        EXPECT_TRUE(make_plan(exec, desc, A, {.choice = choice}).verify(exec).ok);
      }
  auto pattern = A;
  pattern.values = {};
  auto const permuted = reversed(A);
  for (auto const& choice : host_packed) {
    auto const of_pattern = make_plan<Scalar, Scalar>(exec, SpmmDesc{.columns = 19}, pattern, {.choice = choice});
    EXPECT_TRUE(of_pattern.verify(exec).ok);
    auto of_permuted = make_plan(exec, SpmmDesc{.columns = 19}, permuted, {.choice = choice});
    EXPECT_TRUE(of_permuted.verify(exec).ok);
    of_permuted.update_values(exec, A.values);
    EXPECT_TRUE(of_permuted.verify(exec).ok);
  }
}

TEST(HostPackedPlan, StripsTakeWhatTheyAreSaidToAndArraysLongerThanTheMatrix) {
  Host const exec;
  SpmmDesc const desc{.columns = 40};
  auto const plain = layer_csr();
  auto pattern = plain;
  pattern.values = {};
  for (auto const& A : {plain, pattern, reversed(plain)}) {
    auto const plan = make_plan<Scalar, Scalar>(exec, desc, A, {.choice = by_copied_columns});
    auto const need = plan.bytes();
    EXPECT_EQ(need, A.bytes() + 280 * 128);
    (void)make_plan<Scalar, Scalar>(exec, desc, A, {.memory_limit = need, .choice = by_copied_columns});
    expect_error(ErrorKind::resource_limit, {}, [&] {
      (void)make_plan<Scalar, Scalar>(exec, desc, A, {.memory_limit = need - 1, .choice = by_copied_columns});
    });
  }
  auto roomy = plain;
  Kokkos::View<Scalar*, Host> const values("values", static_cast<std::size_t>(plain.nnz) + 7);
  Kokkos::deep_copy(values, std::numeric_limits<Scalar>::quiet_NaN());
  for (std::int64_t k = 0; k < plain.nnz; ++k) values(k) = plain.values(k);
  roomy.values = values;
  for (auto const& choice : host_packed) EXPECT_TRUE(make_plan(exec, desc, roomy, {.choice = choice}).verify(exec).ok);
}

TEST(HostPackedPlan, RefusesWhatItDoesNotRun) {
  Host const exec;
  auto const A = layer_csr();
  SpmmDesc const eight{.columns = 8};
  auto const empty = device_csr<Scalar, std::int32_t, Host>(TestMatrix{"empty", 2, 2, {0, 0, 0}, {}, {}});
  auto const refused = [&](ErrorKind kind, auto const& desc, auto const& matrix, PlanOptions const& options) {
    expect_error(kind, {}, [&] { (void)make_plan(exec, desc, matrix, options); });
  };
  for (auto const& choice : host_packed) {
    auto by_length = choice;
    by_length.rows_by_length = true;
    refused(ErrorKind::unsupported, SpmvDesc{}, A, {.choice = choice});
    refused(ErrorKind::unsupported, SpmmDesc{.op = Op::transpose, .columns = 8}, A, {.choice = choice});
    refused(ErrorKind::unsupported, eight, A, {.choice = by_length});
    refused(ErrorKind::resource_limit, eight, A, {.memory_limit = 1000, .choice = choice});
    refused(ErrorKind::unsupported, eight, empty, {.choice = choice});
  }
}

TEST(HostPackedPlan, IsRacedAndVerifiedWhenPlansMeasure) {
  Host const exec;
  auto const plan =
      make_plan(exec, SpmmDesc{.columns = 64}, layer_csr(), {.measure = true, .budget = 2, .formats = {"csr"}});
  bool found = false;
  for (auto const& c : plan.report().candidates)
    if (c.choice == by_copied_columns) ADD_FAILURE() << "B of this size stays in cache";
  for (auto const& c : plan.report().candidates)
    if (c.choice == by_cache_panels) {
      found = true;
      EXPECT_TRUE(c.verified.ok) << c.reason;
      EXPECT_GT(c.conversion_seconds, 0);
    }
  EXPECT_TRUE(found);
}

TEST(HostPackedPlan, StripsAreLeftToMeasuringWhereBLeavesTheCaches) {
  Host const exec;
  constexpr int line = 64 / static_cast<int>(sizeof(Scalar));
  auto const cols = static_cast<std::int32_t>(host::caches().last / 256);  // panels of two lines are half of the cache
  auto const A =
      device_csr<Scalar, std::int32_t, Host>(TestMatrix{"wide", 2, cols, {0, 2, 3}, {0, cols - 1, 7}, {1, 2, 3}});
  auto const in_panels = [&](int columns) {
    auto const plan = make_plan(exec, SpmmDesc{.columns = columns}, A);
    for (auto const& c : plan.report().candidates)
      if (c.choice == by_copied_columns) {
        EXPECT_EQ(c.status, CandidateStatus::pruned);
        EXPECT_NE(c.reason.find("measuring tries it"), std::string::npos) << c.reason;
        return true;
      }
    return false;
  };
  EXPECT_TRUE(in_panels(4 * line));
  EXPECT_FALSE(in_panels(2 * line));                        // B is one panel
  if (host::caches().last > std::int64_t{1} << 26) return;  // B is as large as the cache
  auto const measured =
      make_plan(exec, SpmmDesc{.columns = 4 * line}, A, {.measure = true, .budget = 5, .formats = {"csr"}});
  bool raced = false;
  for (auto const& c : measured.report().candidates) {
    if (c.choice != by_copied_columns) continue;
    raced = true;
    EXPECT_TRUE(c.verified.ok) << c.reason;
    EXPECT_GE(c.traffic.bytes(), 2 * static_cast<double>(A.bytes()) + cols * 256.0);
    EXPECT_LT(c.traffic.bytes(), 2 * static_cast<double>(A.bytes()) + cols * 256.0 + 10000);
  }
  EXPECT_TRUE(raced);
}

}  // namespace
}  // namespace araia::test
