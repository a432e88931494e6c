// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <araia/error.hpp>
#include <araia/generate/matrix.hpp>
#include <araia/ops/spmv.hpp>
#include <common/runner.hpp>

namespace {

using namespace araia::perf;
using Problem = SpmvProblem<double>;

constexpr double plenty = 1e9;  // bytes

/// The right product, by the problem's Csr.
Prepared right_product(Problem& problem) {
  Prepared prepared;
  prepared.launch = [&problem](int copy) {
    auto const c = static_cast<std::size_t>(copy);
    araia::spmv(problem.exec, araia::Op::none, 1.0, problem.source(copy), problem.x[c], 0.0, problem.y[c]);
  };
  prepared.matrix_bytes = Problem::csr_bytes(problem.host);
  prepared.stored = problem.host.nnz();
  return prepared;
}

class MeasureGroup : public testing::Test {
 protected:
  MeasureGroup() : matrix_(araia::generate::of_entries("fem", 2000)) {
    machine_.cache_bytes = static_cast<std::int64_t>(2 * copy_bytes());  // cold goes through four copies and a bit
    machine_.memory_budget = plenty;
    options_.samples = 2;
    options_.batch_seconds = 0;
  }

  [[nodiscard]] double csr_bytes() const { return Problem::csr_bytes(matrix_); }
  [[nodiscard]] double copy_bytes() const { return csr_bytes() + Problem::dense_bytes(matrix_, 1); }
  /// The budget that leaves so many bytes to the contenders of a run with `copies` copies.
  void leave(double bytes, double copies) {
    machine_.memory_budget = plenty;
    double const beside = araia::detail::is_device_space<Exec>
                              ? 0
                              : static_cast<double>(matrix_.nnz()) * 12 + static_cast<double>(matrix_.rows) * 8 +
                                    Problem::dense_bytes(matrix_, 1);
    machine_.memory_budget = bytes + beside + copies * copy_bytes();
  }

  /// Adds a contender of such storage; what it makes in the test is counted, not allocated.
  void add(std::string const& kernel, std::optional<Storage> storage,
           std::function<Prepared(Problem&)> const& prepare = right_product) {
    std::function<Storage(Problem const&)> storage_of;
    if (storage) storage_of = [storage = *storage](Problem const&) { return storage; };
    contenders_.push_back({"araia",
                           "test",
                           kernel,
                           [this, kernel, prepare](Problem& problem) {
                             copies_[kernel] = problem.copies();
                             Prepared prepared = prepare(problem);
                             prepared.keep = std::shared_ptr<void>(nullptr, [this](void*) { --alive_; });
                             most_alive_ = std::max(most_alive_, ++alive_);
                             return prepared;
                           },
                           {},
                           storage_of});
  }

  std::map<std::string, Result> measure(std::vector<std::string> const& regimes = {"cold"}) {
    std::vector<Group::Entry> entries;
    for (auto const& contender : contenders_)
      for (auto const& regime : regimes) entries.push_back({"araia", "test", contender.kernel, regime});
    auto const measured =
        araia::perf::detail::measure_group(Exec(), options_, machine_, matrix_, 1, contenders_, entries);
    return measured.results;
  }

  araia::GeneratedMatrix matrix_;
  Machine machine_;
  Options options_;
  std::vector<Contender<Problem>> contenders_;
  std::map<std::string, int> copies_;  // that each contender was asked for; those not set up are absent
  int alive_ = 0;
  int most_alive_ = 0;
};

TEST_F(MeasureGroup, CopiesAreCountedByTheContendersOwnBytes) {
  options_.most_padding = 100;
  add("csr", std::nullopt);
  add("large", Storage{.read = 40 * csr_bytes(), .made = 40 * csr_bytes()});
  add("small", Storage{.read = csr_bytes() / 2, .made = csr_bytes() / 2});
  auto const results = measure();
  for (auto const& [name, result] : results) EXPECT_EQ(result.error, "") << name;
  EXPECT_EQ(copies_["csr"], cold_copies(copy_bytes(), machine_));
  EXPECT_EQ(copies_["large"], 1);
  EXPECT_GT(copies_["small"], copies_["csr"]);
  EXPECT_EQ(results.at("test/small/cold").copies, copies_["small"]);
}

TEST_F(MeasureGroup, WhatDoesNotFitIsLeftOutBeforeItIsMade) {
  options_.most_padding = 100;
  options_.most_copies = 4;  // no cold run: one copy of the problem
  leave(10 * csr_bytes(), 1);
  add("fits", Storage{.read = csr_bytes(), .made = 5 * csr_bytes()});
  add("does_not", Storage{.read = csr_bytes(), .made = 20 * csr_bytes()});
  auto const results = measure({"warm"});
  EXPECT_EQ(results.at("test/fits/warm").error, "");
  EXPECT_TRUE(LeftOut::is(results.at("test/does_not/warm").error));
  EXPECT_NE(results.at("test/does_not/warm").error.find("--memory-mb"), std::string::npos);
  EXPECT_EQ(copies_.count("does_not"), 0U);
}

TEST_F(MeasureGroup, ColdIsLeftOutWhereItsCopiesDoNotFitAndWarmIsNot) {
  options_.most_padding = 100;
  double const copies = static_cast<double>(cold_copies(copy_bytes(), machine_));
  leave(4 * csr_bytes(), copies);
  add("csr", std::nullopt);
  add("large", Storage{.read = csr_bytes(), .made = 3 * csr_bytes()});  // one copy fits, those of a cold run do not
  auto results = measure({"cold", "warm"});
  EXPECT_EQ(results.at("test/csr/cold").error, "");
  EXPECT_EQ(results.at("test/large/warm").error, "");
  EXPECT_NE(results.at("test/large/cold").error.find("left out: cold takes"), std::string::npos);
  leave(-0.5 * copy_bytes(), 2);  // not even two copies of the Csr
  results = measure({"cold", "warm"});
  EXPECT_EQ(results.at("test/csr/warm").error, "");
  EXPECT_NE(results.at("test/csr/cold").error.find("left out: cold takes"), std::string::npos);
  leave(-0.5 * copy_bytes(), 1);
  EXPECT_THROW(measure({"warm"}), LeftOut);
}

TEST_F(MeasureGroup, WhatDoesNotFitTogetherIsMeasuredInSets) {
  options_.most_padding = 100;
  leave(10 * csr_bytes(), 1);
  for (auto const* name : {"a", "b", "c"}) add(name, Storage{.read = csr_bytes(), .made = 5 * csr_bytes()});
  add("csr", std::nullopt);
  auto const results = measure({"warm"});
  for (auto const& [name, result] : results) EXPECT_EQ(result.seconds.size(), 2U) << name << ": " << result.error;
  EXPECT_EQ(results.at("test/a/warm").set, 0);
  EXPECT_EQ(results.at("test/b/warm").set, 1);
  EXPECT_EQ(results.at("test/c/warm").set, 2);
  EXPECT_EQ(results.at("test/csr/warm").set, 0);
  EXPECT_EQ(most_alive_, 2);
  EXPECT_EQ(alive_, 0);
}

TEST_F(MeasureGroup, FormatsOfManyTimesTheBytesAreLeftOut) {
  add("twice", Storage{.read = csr_bytes(), .made = 1.9 * csr_bytes()});
  add("more", Storage{.read = csr_bytes(), .made = 2.1 * csr_bytes()});
  auto const results = measure({"warm"});
  EXPECT_EQ(results.at("test/twice/warm").error, "");
  EXPECT_TRUE(LeftOut::is(results.at("test/more/warm").error));
}

TEST_F(MeasureGroup, WhatTheLibraryRefusesIsLeftOutAndAllElseFails) {
  auto const refuse = [](araia::ErrorKind kind) {
    return [kind](Problem&) -> Prepared { throw araia::Error(kind, "says no"); };
  };
  add("unsupported", std::nullopt, refuse(araia::ErrorKind::unsupported));
  add("too_large", std::nullopt, refuse(araia::ErrorKind::resource_limit));
  add("defect", std::nullopt, refuse(araia::ErrorKind::internal));
  add("wrong", std::nullopt, [](Problem& problem) {
    Prepared prepared = right_product(problem);
    prepared.launch = [&problem](int) { fill_view(problem.y.front(), 3.0); };
    return prepared;
  });
  auto const results = measure({"warm"});
  EXPECT_EQ(results.at("test/unsupported/warm").error, "left out: says no");
  EXPECT_EQ(results.at("test/too_large/warm").error, "left out: says no");
  EXPECT_EQ(results.at("test/defect/warm").error, "says no");
  EXPECT_TRUE(results.at("test/wrong/warm").error.starts_with("wrong result: "));
}

TEST(SetsWithin, EachGoesIntoTheFirstSetWithRoom) {
  using Sets = std::vector<std::vector<std::size_t>>;
  EXPECT_EQ(sets_within({6, 5, 4, 0, 5, 0}, 10), (Sets{{0, 2, 3, 5}, {1, 4}}));
  EXPECT_EQ(sets_within({}, 10), Sets{});
  EXPECT_EQ(sets_within({0, 12}, 10), (Sets{{0}, {1}}));
}

TEST(ArrayBytes, ReachBeyondTheCacheAndADevicesAreLarge) {
  constexpr std::int64_t gibibyte = std::int64_t{1} << 30;
  constexpr std::int64_t cache = 60 << 20;
  EXPECT_EQ(array_bytes(cache, 140e9, 70e9, true), 4 * gibibyte);
  EXPECT_EQ(array_bytes(cache, 8e9, 4e9, true), 1'000'000'000);
  EXPECT_EQ(array_bytes(cache, 140e9, 70e9, false), 2 * cache);
  EXPECT_EQ(array_bytes(cache, 8e6, 4e6, false), 1'000'000);
  EXPECT_EQ(array_bytes(cache, 140e9, 3e6, true), 1'000'000);
}

TEST(MachineOfThisProcess, StatesABudgetWithinWhatIsFree) {
  Options options;
  options.bandwidth_bytes = 1 << 20;
  auto machine = measure_machine(Exec(), options);
  EXPECT_GT(machine.memory_budget, 0);
  EXPECT_LE(machine.memory_budget, 0.75 * free_memory());
  EXPECT_GT(machine.copy_bandwidth, 0);
  EXPECT_GT(machine.read_bandwidth, 0);
  options.memory_bytes = 123'000'000;
  machine = measure_machine(Exec(), options);
  EXPECT_EQ(machine.memory_budget, 123e6);
  EXPECT_EQ(describe(Exec(), machine, options).at("memory_budget_mb"), "123");
}

}  // namespace
