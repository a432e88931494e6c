// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What measuring costs, known before it is done: budgets, products that follow, and that the model decides where
// nothing can be timed.
#include <gtest/gtest.h>

#include <algorithm>
#include <araia/plan/plan.hpp>
#include <chrono>
#include <string>

#include <araia/ops/spmm.hpp>
#include "plan/problems.hpp"
#include "src/plan/measuring_price.hpp"
#include "src/plan/verify.hpp"
#include "support/device.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

Choice const plain_ell{.format = "ell", .kernel = "thread_per_row"};

TEST(MeasuringPrice, PaddingIsPaidFor) {
  Problem p = thousand_rows_of_ten();
  for (bool const device : {false, true}) {
    double const usual = modelled_conversion_seconds(p, plain_ell, machine(device));
    Problem skewed = p;
    skewed.stats.max_length = 500'000;
    double const padded = modelled_conversion_seconds(skewed, plain_ell, machine(device));
    double const slots = 1000.0 * 500'000 * 12;  // bytes
    EXPECT_GT(padded, slots / 1e11) << device;
    EXPECT_GT(padded, 100 * usual) << device;
  }
}

TEST(MeasuringPrice, DenseOperandsAreCounted) {
  Problem p = thousand_rows_of_ten();
  p.operation = OpId::spmm;
  auto const price_of = [&](std::int64_t columns) {
    p.columns = columns;
    return detail::measuring_price(p, machine(false));
  };
  EXPECT_GT(price_of(1'000'000).operands, 1000 * 1e6 * 8 / 10e9);  // no host writes them at 10 GB/s
  EXPECT_GT(price_of(1'000'000).operands, 100 * price_of(1000).operands);
  EXPECT_GT(price_of(1'000'000).check, 100 * price_of(1000).check);
}

TEST(MeasuringPrice, AShareOfWideResultsIsChecked) {
  Problem p;
  p.stats.rows = p.stats.cols = 3;
  p.stats.nnz = 4;
  p.operation = OpId::spmm;
  p.columns = 20'000'000;
  auto const share = detail::checked_share(p);
  EXPECT_EQ(share.rows, 0);
  EXPECT_GT(share.columns, 1000);
  EXPECT_LT(detail::checked_elements(p), 1 << 23);
  p.columns = 1000;
  EXPECT_EQ(detail::checked_share(p).columns, 0);
}

TEST(MeasuringPrice, FewProductsPayForLittle) {
  TuneReport report;
  report.candidates = {{.choice = {.format = "csr", .kernel = "host_simd"}, .modelled_seconds = 1e-3}};
  report.baseline_label = label(report.candidates.front().choice);
  EXPECT_EQ(detail::affordable_seconds(report, 3), 3) << "unknown";
  report.products = 100;
  EXPECT_NEAR(detail::affordable_seconds(report, 3), 10e-3, 1e-9);
  report.products = 1e9;
  EXPECT_EQ(detail::affordable_seconds(report, 3), 3);
}

using Clock = std::chrono::steady_clock;

TEST(Tuner, WhereNotOneProductFitsTheBudgetNothingIsTimed) {
  Device const exec;
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("3 x 3", 3, 3, 2));
  constexpr std::int64_t columns = 4'000'000;
  auto const start = Clock::now();
  auto const plan =
      make_plan(exec, SpmmDesc{.columns = columns}, A, {.measure = true, .budget = 0.1, .memory_limit = 1ULL << 32});
  double const taken = std::chrono::duration<double>(Clock::now() - start).count();
  auto const& report = plan.report();
  EXPECT_FALSE(report.measured);
  EXPECT_TRUE(report.out_of_budget);
  EXPECT_EQ(report.remark.rfind("nothing was timed: ", 0), 0U) << report.remark;
  EXPECT_EQ(plan.explain().rfind(report.remark, 0), 0U);
  EXPECT_LT(taken, 1);  // of which all but the facts of nine entries is waiting for others
}

TEST(Tuner, WideResultsAreVerifiedByAShareOfTheirColumns) {
  Device const exec;
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("5 x 4", 5, 4, 2));
  constexpr std::int64_t columns = 3'000'001;
  auto const plan = make_plan(exec, SpmmDesc{.columns = columns}, A, {.formats = {"csr"}});
  auto const report = plan.verify(exec);
  EXPECT_TRUE(report.ok) << report.first_violation;
  EXPECT_FALSE(report.whole);
  EXPECT_EQ(report.rows_checked, 5);
  EXPECT_GT(report.entries_checked, 100'000);
  EXPECT_LT(report.entries_checked, 5 * columns);
}

TEST(Verifier, AWrongLastColumnOfAWideResultIsFound) {
  Host const exec;
  constexpr std::int64_t columns = 3'000'001;
  auto const A = device_csr<double, std::int32_t, Host>(random_matrix("5 x 4", 5, 4, 2));
  Problem p;
  p.stats.rows = A.rows;
  p.stats.cols = A.cols;
  p.stats.nnz = A.nnz;
  p.operation = OpId::spmm;
  p.columns = columns;
  detail::Operands<Host, double, double> const operands(exec, p, DenseLayout::right, DenseLayout::right,
                                                        std::uint64_t{1} << 33);
  using Verifier = detail::Verifier<Host, double, double, double, std::int32_t, std::int32_t, Host::memory_space>;
  Verifier::Source source{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  source.row_offsets = A.row_offsets;
  source.col_indices = A.col_indices;
  source.values = A.values;
  Verifier verifier(exec, source, p, operands, 1.0, 0.0);
  using Dense = Kokkos::View<double**, Kokkos::LayoutRight, Host, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Dense const b(operands.x_array.data(), 4, columns);
  Dense const c(operands.y_array.data(), 5, columns);
  for (std::int64_t const wrong : {std::int64_t{-1}, columns - 1, columns - 40, std::int64_t{0}}) {
    auto const report = verifier.check(exec,
                                       [&] {
                                         spmm(exec, Op::none, 1.0, A, b, 0.0, c);
                                         exec.fence();
                                         if (wrong >= 0) c(3, wrong) += 1e3;
                                       },
                                       {});
    EXPECT_EQ(report.ok, wrong < 0) << wrong << ": " << report.first_violation;
    if (wrong >= 0) {
      EXPECT_NE(report.first_violation.find("wrong at row 4, column " + std::to_string(wrong + 1)), std::string::npos)
          << report.first_violation;
    }
  }
}

TEST(Tuner, TheModelsChoiceIsTakenWhereThereWasNoTimeToTryIt) {
  Device const exec;
  constexpr std::int64_t rows = 20000;
  TestMatrix m{.name = "tridiagonal", .rows = rows, .cols = rows};
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = std::max<std::int64_t>(0, i - 1); j <= std::min(rows - 1, i + 1); ++j) {
      m.col_indices.push_back(static_cast<std::int32_t>(j));
      m.values.push_back(i == j ? 2 : -1);
    }
    m.row_offsets.push_back(static_cast<std::int64_t>(m.col_indices.size()));
  }
  auto const A = device_csr<double, std::int32_t, Device>(m);
  auto const unmeasured = make_plan(exec, SpmvDesc{}, A);
  if (label(unmeasured.choice()) == unmeasured.report().baseline_label)
    GTEST_SKIP() << "the model's choice is the default of csr, which is always tried";
  // The first trial takes most of the budget, so that the second one, at its speed, does not fit.
  bool first = true;
  PlanOptions options{.measure = true, .budget = 1};
  options.progress = [&](std::string const& step, double) {
    if (!first || step.rfind("verifying ", 0) != 0) return;
    first = false;
    auto const start = Clock::now();
    while (std::chrono::duration<double>(Clock::now() - start).count() < 0.75) {
    }
  };
  auto const plan = make_plan(exec, SpmvDesc{}, A, options);
  auto const& report = plan.report();
  auto const& winner = report.winner();
  ASSERT_NE(report.baseline(), nullptr);
  for (auto const& c : report.candidates) {
    if (label(c.choice) != label(unmeasured.choice()) || label(c.choice) == label(winner.choice)) continue;
    // It was timed and lost, or what won was timed faster than it is expected to be.
    double const expected =
        c.modelled_seconds * ranking_seconds(*report.baseline()) / report.baseline()->modelled_seconds;
    EXPECT_TRUE(c.status == CandidateStatus::timed || (report.measured && winner.seconds <= expected))
        << plan.explain();
  }
  EXPECT_TRUE(plan.report().measured || !plan.report().remark.empty()) << plan.explain();
  EXPECT_TRUE(plan.verify(exec).ok);
}

TEST(Tuner, FewProductsLeaveTheMatrixAsItIs) {
  Device const exec;
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("3000 x 3000", 3000, 3000, 12));
  for (bool const measure : {false, true}) {
    auto const plan = make_plan(exec, SpmvDesc{}, A, {.measure = measure, .budget = 5, .products = 1});
    EXPECT_EQ(plan.choice().format, "csr") << measure;
    EXPECT_FALSE(plan.report().measured);
    EXPECT_EQ(plan.report().products, 1);
    EXPECT_EQ(plan.report().remark.empty(), !measure) << plan.report().remark;
  }
}

TEST(Tuner, RoomBehindTheValuesCostsNothing) {
  Device const exec;
  auto const exact = device_csr<double, std::int32_t, Device>(random_matrix("3000 x 3000", 3000, 3000, 12));
  auto roomy = exact;
  auto const spare = [](auto const& view) {
    using View = std::decay_t<decltype(view)>;
    typename View::non_const_type const longer(Kokkos::view_alloc(std::string("longer"), Kokkos::WithoutInitializing),
                                               2 * view.extent(0));
    Kokkos::deep_copy(Kokkos::subview(longer, std::pair<std::size_t, std::size_t>(0, view.extent(0))), view);
    return View(longer);
  };
  roomy.values = spare(exact.values);
  roomy.col_indices = spare(exact.col_indices);
  PlanOptions const csr_alone{.formats = {"csr"}};
  auto const plan = make_plan(exec, SpmvDesc{}, exact, csr_alone);
  auto const other = make_plan(exec, SpmvDesc{}, roomy, csr_alone);
  EXPECT_EQ(label(plan.choice()), label(other.choice()));
  EXPECT_EQ(plan.report().winner().modelled_seconds, other.report().winner().modelled_seconds);
  EXPECT_EQ(plan.report().winner().bytes, other.report().winner().bytes);
}

TEST(Tuner, TheModelsWinnerIsTheCheapestThatIsLeft) {
  Device const exec;
  for (auto const& m : {random_matrix("3000 x 3000", 3000, 3000, 12), random_matrix("200 x 9000", 200, 9000, 40),
                        random_matrix("9000 x 30", 9000, 30, 3)}) {
    auto const A = device_csr<double, std::int32_t, Device>(m);
    auto const check = [&](auto const& plan) {
      auto const& report = plan.report();
      for (auto const& c : report.candidates) {
        if (c.status == CandidateStatus::modelled) {
          EXPECT_LE(report.winner().modelled_seconds, c.modelled_seconds) << label(c.choice);
        } else {
          EXPECT_FALSE(c.reason.empty());
        }
      }
    };
    check(make_plan(exec, SpmvDesc{}, A));
    check(make_plan(exec, SpmvDesc{.op = Op::transpose}, A));
    check(make_plan(exec, SpmmDesc{.columns = 8}, A));
  }
}

TEST(Tuner, PlansForFusedProductsAreMeasuredAndRight) {
  Device const exec;
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("3000 x 3000", 3000, 3000, 12));
  Kokkos::View<double*, Device> const x("x", 3000);
  Kokkos::View<double*, Device> const y("y", 3000);
  Kokkos::View<double, Device> const dot("dot");
  Kokkos::deep_copy(x, 1.0);
  make_plan(exec, SpmvDesc{}, A).execute(exec, 1.0, x, 0.0, y);
  double expected = 0;
  for (double const value : download<double>(y)) expected += value;
  for (bool const measure : {false, true}) {
    auto const plan = make_plan(exec, SpmvDesc{.fused = true}, A, {.measure = measure, .budget = 3});
    EXPECT_EQ(plan.report().measured || !plan.report().remark.empty(), measure) << plan.explain();
    EXPECT_TRUE(plan.report().problem.fused);
    Kokkos::deep_copy(dot, 0.0);
    plan.multiply_dot(exec, x, y, dot);
    exec.fence();
    double found = 0;
    Kokkos::deep_copy(found, dot);
    EXPECT_NEAR(found, expected, 1e-9);
  }
}

TEST(Model, KernelsThatFuseArePreferredWhereFusedProductsRun) {
  Problem p = thousand_rows_of_ten();
  Choice const fusing{.format = "csr", .kernel = "host_simd"};
  Choice const other{.format = "csr", .kernel = "thread_per_row"};
  auto const m = machine(false);
  double const before = modelled_seconds(p, other, m) - modelled_seconds(p, fusing, m);
  EXPECT_TRUE(fuses(p, fusing, m));
  EXPECT_FALSE(fuses(p, other, m));
  p.fused = true;
  double const after = modelled_seconds(p, other, m) - modelled_seconds(p, fusing, m);
  EXPECT_GE(after, before + m.launch_seconds);
}

TEST(Model, CachesOfHostsEndGradually) {
  Machine const m = machine(false, 1);  // 1 MiB of cache
  double last = 0;
  for (double share = 0.1; share < 4; share += 0.1) {
    Problem p = thousand_rows_of_ten();
    p.stats.rows = p.stats.cols = 100;
    p.stats.nnz = static_cast<std::int64_t>(share * (1 << 20) / 12);
    p.stats.min_length = p.stats.max_length = p.stats.nnz / 100;
    p.stats.mean_length = static_cast<double>(p.stats.max_length);
    Choice const csr{.format = "csr", .kernel = "host_simd"};
    auto const t = traffic(p, csr, m).bytes();
    double const seconds = modelled_seconds(p, csr, m) - m.launch_seconds;
    EXPECT_GE(seconds, last) << share;
    if (share > 2.2) {
      EXPECT_NEAR(seconds, t / m.read_bandwidth, 0.3 * seconds) << share;
    }
    // A tenth more bytes never cost half as much again: there is no edge that two formats could lie on either side of.
    if (last > 0 && share > 0.5) {
      EXPECT_LT(seconds, 1.5 * last) << share;
    }
    last = seconds;
  }
}

}  // namespace
}  // namespace araia::test
