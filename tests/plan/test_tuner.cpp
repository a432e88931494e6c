// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measuring: what it decides, that it stops when told, and that a wrong candidate cannot win.
#include <gtest/gtest.h>

#include <algorithm>
#include <araia/detail/io/memory_limit.hpp>
#include <araia/plan/plan.hpp>
#include <chrono>
#include <limits>
#include <stop_token>
#include <string>
#include <vector>

#include "support/device.hpp"
#include "support/errors.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

auto matrix() { return device_csr<double, std::int32_t, Device>(random_matrix("3000 x 3000", 3000, 3000, 12)); }

double seconds_of(auto const& call) {
  auto const start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

auto with_status(TuneReport const& report, CandidateStatus status) {
  return std::count_if(report.candidates.begin(), report.candidates.end(),
                       [status](CandidateReport const& c) { return c.status == status; });
}

TEST(Tuner, WinnerIsTimedVerifiedAndTheFastestOfTheFinalists) {
  Device const exec;
  for (std::int64_t const columns : {0, 8}) {
    PlanOptions const options{.measure = true, .budget = 20};
    auto const A = matrix();
    auto const check = [&](auto const& plan) {
      auto const& report = plan.report();
      EXPECT_TRUE(report.measured);
      EXPECT_EQ(report.winner().status, CandidateStatus::timed);
      EXPECT_TRUE(report.winner().verified.ok);
      EXPECT_TRUE(report.winner().verified.whole);
      EXPECT_GT(report.winner().seconds, 0);
      EXPECT_GE(report.winner().samples, 3);
      ASSERT_NE(report.baseline(), nullptr);
      EXPECT_EQ(report.baseline()->status, CandidateStatus::timed);
      EXPECT_LE(report.winner().seconds, report.baseline()->seconds);
      EXPECT_GE(report.confidence, 0);
      EXPECT_LE(report.confidence, 1);
      for (auto const& c : report.candidates)
        EXPECT_TRUE(c.status == CandidateStatus::timed || !c.reason.empty()) << label(c.choice);
      EXPECT_TRUE(plan.verify(exec).ok);
    };
    if (columns == 0)
      check(make_plan(exec, SpmvDesc{}, A, options));
    else
      check(make_plan(exec, SpmmDesc{.columns = columns}, A, options));
  }
}

TEST(Tuner, BudgetIsKept) {
  Device const exec;
  auto const A = matrix();
  PlanOptions const options{.measure = true, .budget = 0.05};
  constexpr double slack = 2;  // seconds: the reference, one conversion and one sweep may be under way, others run too
  double const taken = seconds_of([&] {
    auto const plan = make_plan(exec, SpmmDesc{.columns = 32}, A, options);
    EXPECT_TRUE(plan.report().winner().verified.ok || !plan.report().remark.empty());
    EXPECT_LT(plan.report().tuning_seconds, options.budget + slack);
  });
  EXPECT_LT(taken, options.budget + slack);
}

TEST(Tuner, NoBudgetLeavesTheModelsPlan) {
  Device const exec;
  auto const plan = make_plan(exec, SpmvDesc{}, matrix(), {.measure = true, .budget = 0});
  EXPECT_TRUE(plan.report().out_of_budget);
  EXPECT_FALSE(plan.report().measured);
  EXPECT_EQ(label(plan.choice()), label(make_plan(exec, SpmvDesc{}, matrix()).choice()));
  EXPECT_EQ(plan.explain().rfind("nothing was timed: the budget is 0 s\n", 0), 0U) << plan.explain();
  EXPECT_TRUE(plan.verify(exec).ok);
  EXPECT_GT(with_status(plan.report(), CandidateStatus::out_of_budget), 0);
  EXPECT_EQ(with_status(plan.report(), CandidateStatus::timed), 0);
}

TEST(Tuner, BudgetsThatAreNoneAreRefused) {
  for (double const budget : {-1.0, -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    for (bool const measure : {true, false}) {
      std::string message;
      auto const refused = [&] {
        (void)make_plan(Device(), SpmvDesc{}, matrix(), {.measure = measure, .budget = budget});
      };
      EXPECT_EQ(kind_of(refused, &message), ErrorKind::invalid_argument) << budget;
      EXPECT_NE(message.find("budget is "), std::string::npos) << message;
    }
}

TEST(Tuner, OperandsBeyondTheMemoryAreRefusedBeforeAllocating) {
  Device const exec;
  for (std::int64_t const columns : {std::int64_t{1} << 30, std::int64_t{1} << 40}) {
    std::string message;
    auto const refused = [&] {
      (void)make_plan(exec, SpmmDesc{.columns = columns}, matrix(), {.measure = true, .budget = 10});
    };
    EXPECT_EQ(kind_of(refused, &message), ErrorKind::resource_limit) << columns << ": " << message;
    EXPECT_NE(message.find("the limit is"), std::string::npos) << message;
  }
}

TEST(Tuner, CancelStopsItAndLeavesAPlan) {
  Device const exec;
  std::stop_source stop;
  int steps = 0;
  PlanOptions const options{
      .measure = true, .budget = 60, .cancel = stop.get_token(), .progress = [&](std::string const&, double) {
        if (++steps == 2) stop.request_stop();
      }};
  auto const plan = make_plan(exec, SpmvDesc{}, matrix(), options);
  EXPECT_TRUE(plan.report().cancelled);
  EXPECT_FALSE(plan.report().out_of_budget);
  EXPECT_GT(with_status(plan.report(), CandidateStatus::cancelled), 0);
  EXPECT_EQ(with_status(plan.report(), CandidateStatus::out_of_budget), 0);
  EXPECT_LE(steps, 3);
  EXPECT_EQ(with_status(plan.report(), CandidateStatus::modelled), 1) << "the winner alone";
  EXPECT_EQ(plan.report().winner().status, CandidateStatus::modelled);
  EXPECT_TRUE(std::any_of(plan.report().candidates.begin(), plan.report().candidates.end(), [](auto const& c) {
    return c.verified.ok && c.reason == "verified, not timed: cancelled";
  })) << "two were verified when it was stopped";
  EXPECT_TRUE(plan.verify(exec).ok);
}

/// Breaks the first value of every conversion to the format.
PlanOptions with_broken(std::string const& format) {
  PlanOptions options{.measure = true, .budget = 10};
  options.after_conversion = [format](Choice const& choice, void* values, std::uint64_t bytes) {
    if (choice.format != format || bytes < sizeof(double)) return;
    Kokkos::View<double, Device, Kokkos::MemoryTraits<Kokkos::Unmanaged>> const first(static_cast<double*>(values));
    Kokkos::deep_copy(first, 1e3);
  };
  return options;
}

TEST(Tuner, WrongCandidatesAreCaughtAndCannotWin) {
  Device const exec;
  for (std::string const format : {"ell", "coo"}) {
    auto const plan = make_plan(exec, SpmvDesc{}, matrix(), with_broken(format));
    int wrong = 0;
    for (auto const& c : plan.report().candidates) {
      if (c.choice.format != format || c.status == CandidateStatus::pruned) continue;
      EXPECT_EQ(c.status, CandidateStatus::wrong) << label(c.choice);
      EXPECT_GT(c.verified.violations, 0);
      EXPECT_GT(c.verified.worst_share, 1);
      EXPECT_EQ(c.reason.rfind("wrong at row ", 0), 0u) << c.reason;
      ++wrong;
    }
    EXPECT_GT(wrong, 0) << format;
    EXPECT_NE(plan.choice().format, format);
    EXPECT_TRUE(plan.verify(exec).ok);
  }
}

TEST(Tuner, NothingIsLeftWhereAllAreWrong) {
  Device const exec;
  auto options = with_broken("coo");
  options.formats = {"coo"};
  EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmvDesc{}, matrix(), options); }), ErrorKind::internal);
}

TEST(Tuner, VerifyFindsAPlanThatIsBroken) {
  Device const exec;
  auto options = with_broken("ell");
  options.measure = false;
  options.formats = {"ell"};
  auto const plan = make_plan(exec, SpmvDesc{}, matrix(), options);
  auto const report = plan.verify(exec);
  EXPECT_FALSE(report.ok);
  EXPECT_EQ(report.violations, 1);
  EXPECT_EQ(report.first_violation.rfind("wrong at row ", 0), 0u) << report.first_violation;
}

TEST(Tuner, LargeProductsAreVerifiedBySample) {
  Device const exec;
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("20000 x 2000", 20000, 2000, 16));
  auto const plan = make_plan(exec, SpmmDesc{.columns = 40}, A);
  auto const report = plan.verify(exec);
  EXPECT_TRUE(report.ok) << report.first_violation;
  EXPECT_FALSE(report.whole);
  EXPECT_GE(report.rows_checked, 64);
  EXPECT_EQ(report.entries_checked, report.rows_checked * 40);
}

TEST(Machine, MeasuredBandwidthsAreSane) {
  auto const m = measure_machine(Device());
  EXPECT_TRUE(m.measured);
  for (double const bandwidth : {m.read_bandwidth, m.copy_bandwidth, m.triad_bandwidth}) {
    EXPECT_GT(bandwidth, 1e8);
    EXPECT_LT(bandwidth, 1e14);
  }
  EXPECT_GT(m.launch_seconds, 0);
  EXPECT_FALSE(default_machine(Device()).measured);
}

TEST(Machine, IsNotMeasuredByArraysThatTheLimitHasNoRoomFor) {
  set_default_host_memory_limit(std::uint64_t{100} << 20);
  auto const m = measure_machine(Host());
  set_default_host_memory_limit(unset_memory_limit);
  EXPECT_FALSE(m.measured);
  EXPECT_EQ(m.copy_bandwidth, default_machine(Host()).copy_bandwidth);
}

}  // namespace
}  // namespace araia::test
