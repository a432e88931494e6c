// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans of SpGEMM: what the model takes, what a race takes, what is pinned, what is refused and what is found wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <araia/ops/spgemm_impl.hpp>
#include <araia/plan/spgemm_plan.hpp>

#include "ops/spgemm_check.hpp"
#include "plan/problems.hpp"
#include "src/engine/kernels.hpp"
#include "src/spgemm/planning.hpp"
#include "src/spgemm/verify.hpp"
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
  static constexpr std::uint64_t held = 1000;
  FakeTrial(Clock& now, double seconds, bool right) : now_(now), seconds_(seconds), right_(right) {
    report_.nnz = 5000;
    report_.peak_bytes = held;
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
  std::uint64_t memory_limit = std::uint64_t{1} << 30;
  std::uint64_t shared_bytes = 0;
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
        .make = [&](Choice const& choice, std::uint64_t limit) -> std::shared_ptr<detail::SpgemmTrial> {
          made.push_back(choice.kernel);
          if (FakeTrial::held > limit) throw Error(ErrorKind::resource_limit, "araia::make_spgemm: C needs 1000 bytes");
          if (refusing.count(choice.kernel) > 0)
            throw Error(ErrorKind::resource_limit, "araia::make_spgemm: the bins of rows need 9 bytes");
          return std::make_shared<FakeTrial>(now_, seconds.at(choice.kernel), wrong.count(choice.kernel) == 0);
        },
        .fence = [] {},
        .memory_limit = memory_limit,
        .shared_bytes = shared_bytes};
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

TEST(SpgemmChoice, HoldsTheBytesOfThoseThatRace) {
  auto const timed = [](TuneReport const& report) {
    return std::count_if(report.candidates.begin(), report.candidates.end(),
                         [](CandidateReport const& c) { return c.status == CandidateStatus::timed; });
  };
  Choosing one;
  one.memory_limit = FakeTrial::held + FakeTrial::held / 2;
  EXPECT_EQ(one({.measure = true, .budget = 10}), "row_bins");
  EXPECT_EQ(timed(one.report), 1);
  EXPECT_NE(explain(one.report).find("C needs 1000 bytes; other candidates hold 1000 of 1500 bytes"),
            std::string::npos);
  one.wrong = {"row_bins"};
  EXPECT_EQ(one({.measure = true, .budget = 10}), "hash") << "what was found wrong is not held";

  Choosing all;  // op(A) and op(B) are there once
  all.shared_bytes = FakeTrial::held - 10;
  all.memory_limit = FakeTrial::held + 10 * static_cast<std::uint64_t>(all.seconds.size());
  (void)all({.measure = true, .budget = 10});
  EXPECT_EQ(timed(all.report), static_cast<std::ptrdiff_t>(all.seconds.size()));
}

TEST(SpgemmChoice, CountsTheConversionOfTheChosenApartFromMeasuring) {
  Choosing choose;
  for (auto& [kernel, seconds] : choose.seconds) seconds = 0.1;
  (void)choose({.measure = true, .budget = 100});
  auto const& report = choose.report;
  EXPECT_NEAR(report.winner().conversion_seconds, 0.1, 1e-6);
  EXPECT_LE(report.racing_seconds, planning_seconds(report) + 1e-9);
}

TEST(SpgemmChoice, PaysForWhatItTakesMoreThanTheDefault) {
  TuneReport report;
  report.candidates.resize(2);
  auto& winner = report.candidates.front();
  winner.choice = csr_choice("hash");
  winner.seconds = 0.5;
  winner.conversion_seconds = report.tuning_seconds = 3;
  auto& of_default = report.candidates.back();
  of_default.choice = csr_choice("row_bins");
  of_default.seconds = 1;
  of_default.conversion_seconds = 2;
  winner.status = of_default.status = CandidateStatus::timed;
  report.baseline_label = label(of_default.choice);
  EXPECT_EQ(break_even_products(report, winner), 2) << "a second more, half a second a product";
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

/// Of types that the library does not bring, make_spgemm has the portable kernels by a list of its own.
TEST(SpgemmPlan, HasTheKernelsThatAnyTypesHave) {
  using Any = detail::SpgemmKernelsOf<Kokkos::DefaultHostExecutionSpace, float, std::int64_t, std::int64_t>;
  std::vector<std::string> portable;
  for (auto const& kernel : detail::kernels())
    if (kernel.info.operation == OpId::spgemm && kernel.info.runs == Runs::everywhere)
      portable.emplace_back(kernel.info.name);
  std::vector<std::string> names;
  for (auto const& kernel : Any::all()) names.emplace_back(kernel.name);
  EXPECT_EQ(names, portable);
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
  EXPECT_EQ(kind_of([&] { (void)make_spgemm_plan(Device(), A, A, {.kernel = "fast"}); }, &message),
            kind_of([&] { (void)make_spgemm(Device(), A, A, {.kernel = "fast"}); }));
  EXPECT_NE(message.find("hash"), std::string::npos) << message;
  EXPECT_EQ(kind_of([&] {
              (void)make_spgemm_plan(Device(), A, A, {.kernel = "hash"}, {.choice = csr_choice("outer_product")});
            }),
            ErrorKind::invalid_argument);
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

TEST(SpgemmPlan, KeepsTheLimitOfOneProductAndThatOfAll) {
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("300", 300, 300, 8));
  constexpr std::uint64_t ample = std::uint64_t{1} << 32;
  EXPECT_EQ(kind_of([&] { (void)make_spgemm_plan(Device(), A, A, {.memory_limit = 1000}, {.memory_limit = ample}); }),
            ErrorKind::resource_limit);
  EXPECT_EQ(kind_of([&] { (void)make_spgemm_plan(Device(), A, A, {.memory_limit = ample}, {.memory_limit = 1000}); }),
            ErrorKind::resource_limit);
  // The limit of one product leaves room for the others.
  std::uint64_t const one = make_spgemm(Device(), A, A, {.kernel = "hash"}).report().peak_bytes;
  auto const plan = make_spgemm_plan(Device(), A, A, {.memory_limit = 2 * one}, {.measure = true, .budget = 20});
  EXPECT_GE(std::count_if(plan.report().candidates.begin(), plan.report().candidates.end(),
                          [](CandidateReport const& c) { return c.verified.ok; }),
            2)
      << plan.explain();
}

// ---- what a product is held to ----

template <class Scalar>
using HostMatrix = Csr<Scalar, std::int32_t, std::int32_t, Kokkos::HostSpace>;

template <class Scalar>
HostMatrix<Scalar> host_matrix(std::int64_t cols, std::vector<std::int32_t> const& offsets,
                               std::vector<std::int32_t> const& columns, std::vector<Scalar> const& values) {
  HostMatrix<Scalar> m{.rows = static_cast<std::int64_t>(offsets.size()) - 1,
                       .cols = cols,
                       .nnz = static_cast<std::int64_t>(columns.size())};
  auto const copied = []<class T>(std::vector<T> const& from) {
    Kokkos::View<T*, Kokkos::HostSpace> const to(Kokkos::view_alloc("host_matrix", Kokkos::WithoutInitializing),
                                                 from.size());
    std::copy(from.begin(), from.end(), to.data());
    return to;
  };
  m.row_offsets = copied(offsets);
  m.col_indices = copied(columns);
  if (!values.empty()) m.values = copied(values);
  return m;
}

TEST(SpgemmVerification, FindsOutWhatIsWrongWithARow) {
  constexpr std::int64_t widest = std::numeric_limits<std::int32_t>::max();
  auto const A = host_matrix<double>(2, {0, 2}, {0, 1}, {2, 3});
  auto const B = host_matrix<double>(widest, {0, 2, 4}, {0, 70000, 5, 2000000000}, {1, 1, 1, 1});
  auto const found = [&](std::vector<std::int32_t> const& columns, std::vector<double> const& values,
                         bool sorted = true) {
    auto const C = host_matrix<double>(widest, {0, static_cast<std::int32_t>(columns.size())}, columns, values);
    return detail::verify_rows(A, B, C, sorted).first_violation;
  };
  EXPECT_EQ(found({0, 5, 70000, 2000000000}, {2, 3, 2, 3}), "");
  EXPECT_EQ(found({5, 0, 70000, 2000000000}, {3, 2, 2, 3}, false), "");
  EXPECT_EQ(found({5, 0, 70000, 2000000000}, {3, 2, 2, 3}), "row 1: column 1 behind column 6");
  EXPECT_EQ(found({0, 5, 70000}, {2, 3, 2}), "row 1: 3 entries, expected 4");
  EXPECT_EQ(found({0, 5, 5, 70000}, {2, 3, 3, 2}, false), "row 1: column 6 twice");
  EXPECT_EQ(found({0, 5, 6, 70000}, {2, 3, 2, 2}), "row 1: an entry in column 7, expected none");
  EXPECT_EQ(found({-9, 5, 70000, 2000000000}, {2, 3, 2, 3}), "row 1: an entry in column -8, expected none");
  EXPECT_EQ(found({0, 5, 70000, 2000000000}, {2, 3, 2, 3.0000001}).rfind("row 1: column 2000000001: off by", 0), 0u);
}

/// Columns at equal distances would lie together in a table whose hash is one multiplication.
TEST(SpgemmVerification, TakesColumnsAtAnyDistance) {
  constexpr std::int32_t entries = 1 << 14;
  auto const A = host_matrix<double>(1, {0, 1}, {0}, {1});
  for (std::int32_t const distance : {1, 351, 7037, 17711, 28657, 65536, 131071}) {
    std::vector<std::int32_t> columns(entries);
    for (std::int32_t i = 0; i < entries; ++i) columns[static_cast<std::size_t>(i)] = i * distance;
    std::vector<double> const ones(entries, 1.0);
    auto const B = host_matrix<double>(std::numeric_limits<std::int32_t>::max(), {0, entries}, columns, ones);
    auto const start = std::chrono::steady_clock::now();
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(detail::verify_rows(A, B, B, true).ok) << distance;
    std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - start;
    EXPECT_LT(taken.count(), 5) << distance << ": some 10 ms where they do not";
  }
}

/// What one row left in the table is not there for the next.
TEST(SpgemmVerification, TakesRowsOneAfterTheOther) {
  auto const A = device_csr<double, std::int32_t, Kokkos::DefaultHostExecutionSpace>(random_matrix("500", 500, 400, 9));
  auto const B = device_csr<double, std::int32_t, Kokkos::DefaultHostExecutionSpace>(random_matrix("400", 400, 300, 7));
  Kokkos::DefaultHostExecutionSpace const exec;
  auto product = make_spgemm(exec, A, B);
  product.execute();
  std::visit(
      [&](auto const& result) {
        auto const verified = detail::verify_rows(A, B, result, true);
        EXPECT_TRUE(verified.ok) << verified.first_violation;
        EXPECT_EQ(verified.rows_checked, 128);
      },
      product.c());
}

/// So many roundings promise nothing, and are no violation.
TEST(SpgemmVerification, OfMoreProductsThanABoundHoldsForPasses) {
  if (!detail::has_all_types) GTEST_SKIP() << "float is not among the types of this build";
  constexpr std::int32_t products = (1 << 24) + 1;
  std::vector<std::int32_t> ascending(products + 1);
  std::iota(ascending.begin(), ascending.end(), 0);
  std::vector<std::int32_t> const zeros(products);
  auto const B = host_matrix<float>(1, ascending, zeros, {});
  ascending.pop_back();
  auto const A = host_matrix<float>(products, {0, products}, ascending, {});
  auto const C = host_matrix<float>(1, {0, 1}, {0}, {1 << 24});
  auto const verified = detail::verify_rows(A, B, C, true);
  EXPECT_TRUE(verified.ok) << verified.first_violation;
  EXPECT_EQ(verified.entries_checked, 1);
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
