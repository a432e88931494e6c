// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans of SpGEMM: what the model takes, what a race takes, what is pinned, what is refused and what is found wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <araia/plan/spgemm_plan.hpp>

#include "ops/spgemm_check.hpp"
#include "plan/problems.hpp"
#include "src/spgemm/planning.hpp"
#include "support/errors.hpp"

namespace araia::test {
namespace {

Choice csr_choice(std::string const& kernel) { return {.format = "csr", .kernel = kernel}; }

std::string status_of(TuneReport const& report, std::string const& kernel) {
  for (auto const& c : report.candidates)
    if (c.choice == csr_choice(kernel)) return to_string(c.status);
  return "none";
}

// ---- the choice, by products that a clock of the test's own times ----

/// A product whose kernel takes so many seconds.
class FakeTrial final : public detail::SpgemmTrial {
 public:
  using Clock = detail::Deadline::TimePoint;
  FakeTrial(Clock& now, double seconds, bool right) : now_(now), seconds_(seconds), right_(right) {
    report_.nnz = 5000;
    report_.peak_bytes = 1000;
  }
  void execute() override {
    now_ += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds_));
  }
  VerifyReport verify() override {
    return {.done = true, .ok = right_, .first_violation = right_ ? "" : "row 3: column 4: off by 1"};
  }
  SpgemmReport const& report() const override { return report_; }
  void* values(std::uint64_t& bytes) override {
    bytes = 0;
    return nullptr;
  }

 private:
  Clock& now_;
  double seconds_;
  bool right_;
  SpgemmReport report_{};
};

/// Chooses for a problem of hosts, with kernels of given seconds.
class Choosing {
 public:
  std::map<std::string, double> seconds{
      {"row_bins", 1e-3}, {"hash", 4e-3}, {"dense_window", 4e-3}, {"expand_sort_merge", 4e-3}, {"outer_product", 4e-3}};
  std::set<std::string> wrong{};
  std::set<std::string> refusing{};  // once they look at the structure
  std::vector<std::string> made{};
  TuneReport report{};

  Choosing() {
    problem.operation = OpId::spgemm;
    problem.columns = 500;
    problem.sparse = {.b_entries = 10000, .products = 200000, .most_products = 900};
  }

  std::string operator()(PlanOptions const& options = {}) {
    Machine const m = machine(false);
    report = options.choice ? detail::pinned_report(problem, m, *options.choice, {})
                            : detail::modelled_report(problem, m, {});
    detail::SpgemmTrials const trials{
        .make = [&](Choice const& choice, std::uint64_t) -> std::shared_ptr<detail::SpgemmTrial> {
          made.push_back(choice.kernel);
          if (refusing.count(choice.kernel) > 0)
            throw Error(ErrorKind::resource_limit, "araia::make_spgemm: the bins of rows need 9 bytes");
          return std::make_shared<FakeTrial>(now_, seconds.at(choice.kernel), wrong.count(choice.kernel) == 0);
        },
        .fence = [] {},
        .memory_limit = std::uint64_t{1} << 30};
    detail::Deadline const deadline(options.budget, options.cancel, [&] { return now_; });
    EXPECT_TRUE(detail::choose_spgemm(report, options, trials, deadline));
    return report.winner().choice.kernel;
  }

  Problem problem = thousand_rows_of_ten();

 private:
  detail::Deadline::TimePoint now_{};
};

TEST(SpgemmChoice, ByTheModelIsTheDefaultOfTheList) {
  for (auto const products : {std::uint64_t{0}, std::uint64_t{1000}, std::uint64_t{1} << 40}) {
    Choosing choose;
    choose.problem.sparse.products = products;
    EXPECT_EQ(choose(), "row_bins") << products;
    EXPECT_EQ(choose.made, std::vector<std::string>{"row_bins"});
    choose.problem.host_simd = false;  // types that it does not run
    EXPECT_EQ(choose(), "hash") << products;
    EXPECT_FALSE(choose.report.measured);
    EXPECT_EQ(status_of(choose.report, "row_bins"), "pruned");
    EXPECT_NE(explain(choose.report).find("does not run these types"), std::string::npos) << explain(choose.report);
  }
}

TEST(SpgemmChoice, PricesTheNextByWhatTheProductIs) {
  Choosing choose;
  (void)choose();
  auto const first_of = [&](std::string const& kernel) {
    return modelled_conversion_seconds(choose.problem, csr_choice(kernel), machine(false));
  };
  double const narrow = first_of("dense_window");
  EXPECT_LT(first_of("row_bins"), first_of("hash"));
  EXPECT_LT(first_of("hash"), first_of("outer_product"));
  choose.problem.columns = std::int64_t{1} << 30;  // marks over all of them
  EXPECT_GT(first_of("dense_window"), 100 * narrow);
  EXPECT_GT(first_of("dense_window"), first_of("hash"));
  double const before = modelled_seconds(choose.problem, csr_choice("hash"), machine(false, 64));
  choose.problem.sparse.most_products = 199000;  // a row is one thread's
  EXPECT_GT(modelled_seconds(choose.problem, csr_choice("hash"), machine(false, 64)), 2 * before);
  EXPECT_EQ(traffic(choose.problem, csr_choice("hash"), machine(false)).flops, 2.0 * 200000);
}

TEST(SpgemmChoice, TakesTheNextWhereTheFirstIsRefused) {
  for (bool const measure : {false, true}) {
    Choosing choose;
    choose.refusing = {"row_bins"};
    auto const chosen = choose({.measure = measure, .budget = 10});
    EXPECT_TRUE(chosen == "hash" || (measure && chosen != "row_bins")) << chosen;
    EXPECT_EQ(status_of(choose.report, "row_bins"), "pruned");
    EXPECT_NE(explain(choose.report).find("the bins of rows need 9 bytes"), std::string::npos);
    std::string message;
    EXPECT_EQ(kind_of([&] { (void)choose({.measure = measure, .choice = csr_choice("row_bins")}); }, &message),
              ErrorKind::resource_limit);
    EXPECT_NE(message.find("the bins of rows need 9 bytes"), std::string::npos) << message;
  }
}

TEST(SpgemmChoice, TakesTheFastestOfARace) {
  Choosing choose;
  choose.seconds["expand_sort_merge"] = 0.5e-3;
  EXPECT_EQ(choose({.measure = true, .budget = 10}), "expand_sort_merge");
  auto const& report = choose.report;
  EXPECT_TRUE(report.measured);
  EXPECT_EQ(report.model_label, "csr/row_bins");
  EXPECT_EQ(report.baseline_label, "csr/row_bins");
  EXPECT_EQ(report.problem.sparse.entries, 5000);
  EXPECT_NEAR(report.winner().seconds, 0.5e-3, 1e-6);
  EXPECT_NEAR(report.winner().conversion_seconds, 0.5e-3, 1e-6);
  EXPECT_EQ(status_of(report, "row_bins"), "timed");
}

TEST(SpgemmChoice, FindsOutWhatIsWrong) {
  Choosing choose;
  choose.wrong = {"row_bins"};
  choose.seconds["hash"] = 2e-3;
  EXPECT_EQ(choose({.measure = true, .budget = 10}), "hash");
  EXPECT_EQ(status_of(choose.report, "row_bins"), "wrong");
  EXPECT_NE(explain(choose.report).find("row 3: column 4: off by 1"), std::string::npos);
  for (auto const& [kernel, seconds] : choose.seconds) choose.wrong.insert(kernel);
  EXPECT_EQ(kind_of([&] { (void)choose({.measure = true, .budget = 10}); }), ErrorKind::internal);
}

TEST(SpgemmChoice, WithoutTimeIsTheModels) {
  Choosing choose;
  EXPECT_EQ(choose({.measure = true, .budget = 0}), "row_bins");
  EXPECT_FALSE(choose.report.measured);
  EXPECT_NE(choose.report.remark.find("the budget is 0 s"), std::string::npos);
  EXPECT_EQ(status_of(choose.report, "hash"), "out_of_budget");
  for (auto& [kernel, seconds] : choose.seconds) seconds = 10;
  choose.made.clear();
  EXPECT_EQ(choose({.measure = true, .budget = 1}), "row_bins");
  EXPECT_EQ(choose.made, std::vector<std::string>{"row_bins"});  // the others would take as long
}

// ---- products ----

ARAIA_TYPED_SUITE(SpgemmPlanOver, FormatTypes, OperandTypeNames);

ARAIA_TYPED_TEST(SpgemmPlanOver, TheModelTakesWhatMakeSpgemmTakes) {
  using Exec = typename TypeParam::exec;
  Exec const exec;
  for (auto const& m : zoo()) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    SpgemmOptions const options{.op_b = Op::transpose};
    auto plan = make_spgemm_plan(exec, A, A, options);
    EXPECT_EQ(plan.choice().kernel, make_spgemm(exec, A, A, options).report().kernel) << m.name;
    EXPECT_EQ(plan.product().report().kernel, plan.choice().kernel) << m.name;
    EXPECT_FALSE(plan.report().measured) << m.name;
    auto const verified = plan.verify();
    EXPECT_TRUE(verified.ok) << m.name << ": " << verified.first_violation;
    EXPECT_EQ(verified.whole, m.rows <= 128) << m.name;
  }
}

TEST(SpgemmPlan, NamesEveryKernelOfTheList) {
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("300", 300, 300, 8));
  auto const plan = make_spgemm_plan(Device(), A, A);
  auto const& report = plan.report();
  std::set<std::string> names;
  for (auto const& c : report.candidates) names.insert(c.choice.kernel);
  auto const listed = kernel_names("csr", OpId::spgemm, Op::none);
  EXPECT_EQ(names, std::set<std::string>(listed.begin(), listed.end()));
  EXPECT_EQ(report.problem.sparse.products, plan.product().report().products);
  EXPECT_EQ(report.problem.sparse.entries, plan.product().report().nnz);
  EXPECT_DOUBLE_EQ(report.winner().traffic.flops, 2.0 * static_cast<double>(plan.product().report().products));
  auto const text = plan.explain();
  for (auto const& part :
       {std::string("SpGEMM of "), std::string("chosen: csr/row_bins"), std::string("csr/outer_product")})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  EXPECT_EQ(choice_from_json(to_json(plan.choice())), plan.choice());
}

TEST(SpgemmPlan, RacesProductsThatAreRight) {
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("400", 400, 400, 6));
  auto const expected = expected_spgemm(wide_csr(A), wide_csr(A));
  auto plan = make_spgemm_plan(Device(), A, A, {}, {.measure = true, .budget = 20});
  int timed = 0;
  for (auto const& c : plan.report().candidates) {
    EXPECT_NE(c.status, CandidateStatus::wrong) << label(c.choice) << ": " << c.reason;
    EXPECT_NE(c.status, CandidateStatus::failed) << label(c.choice) << ": " << c.reason;
    if (c.status != CandidateStatus::timed) continue;
    ++timed;
    EXPECT_TRUE(c.verified.ok && c.seconds > 0 && c.conversion_seconds > 0) << label(c.choice);
  }
  EXPECT_GE(timed, 2) << plan.explain();
  EXPECT_TRUE(plan.report().measured);
  EXPECT_EQ(difference(plan.product().c(), expected), "");  // it is filled
}

TEST(SpgemmPlan, PinsAKernelByItsName) {
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("100", 100, 100, 7));
  auto const expected = expected_spgemm(wide_csr(A), wide_csr(A));
  for (auto const& name : kernel_names("csr", OpId::spgemm, Op::none))
    for (bool const measure : {false, true}) {
      auto plan = make_spgemm_plan(Device(), A, A, {.kernel = name}, {.measure = measure});
      EXPECT_EQ(plan.choice(), csr_choice(name));
      EXPECT_EQ(plan.product().report().kernel, name);
      EXPECT_EQ(plan.report().candidates.size(), 1u);
      plan.product().execute(2.0);
      EXPECT_EQ(difference(plan.product().c(), expected, true, 2), "") << name;
    }
  std::string message;
  auto const pinned = [&](Choice const& choice) {
    return kind_of([&] { (void)make_spgemm_plan(Device(), A, A, {}, {.choice = choice}); }, &message);
  };
  EXPECT_EQ(pinned(csr_choice("fast")), ErrorKind::unsupported);
  EXPECT_NE(message.find("'fast' does not exist for csr spgemm"), std::string::npos) << message;
  EXPECT_EQ(pinned({.format = "csr", .kernel = "hash", .team_size = -1}), ErrorKind::unsupported);
  EXPECT_EQ(pinned({.format = "sell", .kernel = "hash"}), ErrorKind::unsupported);
  EXPECT_EQ(kind_of([&] { (void)make_spgemm_plan(Device(), A, A, {.kernel = "fast"}); }), ErrorKind::unsupported);
  EXPECT_EQ(kind_of([&] { (void)make_spgemm_plan(Device(), A, A, {}, {.budget = -1}); }), ErrorKind::invalid_argument);
}

TEST(SpgemmPlan, SaysWhatIsRefusedAndWhy) {
  // A row of 40,000 products, which is far more than its 200 columns.
  auto const A =
      device_csr<double, std::int32_t, Device>(with_row_lengths("full", 200, std::vector<std::int64_t>(200, 200)));
  SpgemmOptions options{.workspace_limit = 1 << 16};
  if (detail::is_device_space<Device>) options.workspace_limit <<= 5;
  options.kernel = "expand_sort_merge";
  EXPECT_EQ(kind_of([&] { (void)make_spgemm_plan(Device(), A, A, options); }), ErrorKind::resource_limit);
  options.kernel = "automatic";
  auto const plan = make_spgemm_plan(Device(), A, A, options, {.measure = true, .budget = 20});
  for (auto const& c : plan.report().candidates) {
    if (c.choice.kernel != "expand_sort_merge" || lacked_time(c.status)) continue;
    EXPECT_EQ(c.status, CandidateStatus::pruned);
    EXPECT_NE(c.reason.find("the products of some rows"), std::string::npos) << c.reason;
  }
  EXPECT_LE(plan.product().report().workspace_bytes, options.workspace_limit);
}

TEST(SpgemmPlan, FindsOutAWrongProduct) {
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("300", 300, 300, 8));
  for (bool const all : {false, true}) {
    PlanOptions tune{.measure = true, .budget = 20};
    auto const usual = make_spgemm_plan(Device(), A, A).choice();
    tune.after_conversion = [&](Choice const& choice, void* values, std::uint64_t bytes) {
      if (!all && choice != usual) return;
      Kokkos::deep_copy(Kokkos::View<double*, Device>(static_cast<double*>(values), bytes / sizeof(double)), 0.125);
    };
    if (all) {
      EXPECT_EQ(kind_of([&] { (void)make_spgemm_plan(Device(), A, A, {}, tune); }), ErrorKind::internal);
      continue;
    }
    auto plan = make_spgemm_plan(Device(), A, A, {}, tune);
    EXPECT_NE(plan.choice(), usual);
    EXPECT_EQ(status_of(plan.report(), usual.kernel), "wrong");
    EXPECT_TRUE(plan.verify().ok);
  }
}

TEST(SpgemmPlan, TakesNewValues) {
  auto const m = random_matrix("90", 90, 90, 5);
  auto other = m;
  for (auto& value : other.values) value = 3 - value;
  auto const A = device_csr<double, std::int32_t, Device>(m);
  auto const B = device_csr<double, std::int32_t, Device>(other);
  for (bool const measure : {false, true})
    for (auto const op : {Op::none, Op::transpose}) {
      auto plan = make_spgemm_plan(Device(), A, A, {.op_a = op}, {.measure = measure});
      plan.product().update_values(B, B);
      EXPECT_TRUE(plan.verify().ok);
      auto const wide = wide_csr(B);
      EXPECT_EQ(difference(plan.product().c(), expected_spgemm(op == Op::none ? wide : transposed(wide, false), wide)),
                "");
    }
}

TEST(SpgemmPlan, AddsToZerosWhateverWasTimed) {
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("90", 90, 90, 5));
  auto const expected = expected_spgemm(wide_csr(A), wide_csr(A));
  auto plan = make_spgemm_plan(Device(), A, A, {.add = true}, {.measure = true});
  for (int i = 0; i < 2; ++i) plan.product().execute();
  EXPECT_EQ(difference(plan.product().c(), expected, true, 1, 2), "");
  EXPECT_EQ(kind_of([&] { (void)plan.verify(); }), ErrorKind::unsupported);
}

TEST(SpgemmPlan, TimesTheWholeProductOfPatterns) {
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("90", 90, 90, 5));
  auto plan = make_spgemm_plan(Device(), A, A, {.pattern_only = true}, {.measure = true, .budget = 20});
  EXPECT_TRUE(plan.report().measured) << remarks(plan.report());
  EXPECT_EQ(difference(plan.product().c(), expected_spgemm(wide_csr(A), wide_csr(A))), "");
  EXPECT_TRUE(plan.verify().ok);
}

}  // namespace
}  // namespace araia::test
