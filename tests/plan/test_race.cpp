// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The race by a clock that only its candidates and its looks move: what it times, and that the budget is kept
// whatever a product takes later.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "src/plan/race.hpp"

namespace araia::test {
namespace {

using detail::Deadline;
using detail::RacedCandidate;

/// Seconds of the n-th product, from 0, of all candidates together.
using Cost = std::function<double(std::size_t candidate, std::int64_t n)>;

constexpr double short_product = 60e-9;

class Track {
 public:
  /// Races `size` candidates, the first of them the default. `left_out`: the budget's share of what comes before was
  /// up for some that are not among them.
  /// `model`: place of the model's choice. `products`: that will follow, the last candidate's conversion taking 0.5 s.
  Track(std::size_t size, double budget, Cost cost, bool left_out = false, std::size_t model = 0,
        double products_to_come = 0)
      : cost_(std::move(cost)) {
    report.out_of_budget = left_out;
    report.products = products_to_come;
    std::vector<RacedCandidate> candidates;
    for (std::size_t i = 0; i < size; ++i) {
      report.candidates.push_back(
          {.choice = {.format = "csr", .kernel = "thread_per_row", .rows_per_team = static_cast<int>(i) + 1}});
      candidates.push_back({i, [this, i] { advance(cost_(i, products++)); }});
    }
    report.candidates.back().conversion_seconds = 0.5;
    report.baseline_label = label(report.candidates.front().choice);
    report.model_label = label(report.candidates[model].choice);
    Deadline const deadline(budget, {}, [this] {
      ++looks;
      return now_;
    });
    detail::race(report, std::move(candidates), [] {}, deadline, {});
    seconds = deadline.elapsed();
  }
  Track(Track const&) = delete;
  Track& operator=(Track const&) = delete;

  TuneReport report;
  double seconds = 0;
  std::int64_t products = 0;
  std::int64_t looks = 0;  ///< at the clock

 private:
  void advance(double by) {
    now_ += std::chrono::duration_cast<Deadline::TimePoint::duration>(std::chrono::duration<double>(by));
  }
  Cost cost_;
  Deadline::TimePoint now_{};
};

TEST(Race, ProductsThatTakeLongerThanAtFirstKeepTheBudget) {
  constexpr double budget = 0.2;
  constexpr int between_looks = 32;  // products of 60 ns in which the clock is not looked at
  for (std::size_t const size : {1U, 2U, 20U, 60U})
    for (double const slow : {1e-6, 50e-6, 3e-3, 20e-3})
      for (std::int64_t const from : {0, 1, 3, 59, 180, 181, 500, 5000, 100000, 1000000}) {
        Track const track(size, budget, [&](std::size_t, std::int64_t n) { return n < from ? short_product : slow; });
        EXPECT_LE(track.seconds, 1.2 * budget + between_looks * slow)
            << size << " candidates, " << slow << " s from product " << from << " on";
        EXPECT_FALSE(track.report.winner_label.empty());
      }
}

TEST(Race, OneProductBeyondTheBudgetEndsIt) {
  Track const track(5, 0.2, [](std::size_t, std::int64_t) { return 1.0; });
  EXPECT_EQ(track.products, 1);
  EXPECT_TRUE(track.report.out_of_budget);
  EXPECT_EQ(track.report.winner_label, track.report.baseline_label);
  EXPECT_EQ(Track(5, 0, [](std::size_t, std::int64_t) { return 1.0; }).products, 0);
}

TEST(Race, SweepsThatAreCutLeaveSamplesPaired) {
  // Slow from some place of some sweep on, so much that half the budget does not finish it.
  for (std::int64_t from = 1000; from < 1100; from += 7) {
    Track const track(3, 0.2, [&](std::size_t, std::int64_t n) { return n < from ? 10e-6 : 0.15; });
    EXPECT_TRUE(track.report.out_of_budget);
    for (auto const& c : track.report.candidates) {
      EXPECT_EQ(c.status, CandidateStatus::timed);
      EXPECT_EQ(c.samples, track.report.candidates.front().samples) << "slow from " << from;
    }
  }
}

TEST(Race, SteadyProductsAreTimedAsTheyAre) {
  for (double const fastest : {60e-9, 5e-6, 2e-3}) {
    Track const track(6, 100, [&](std::size_t i, std::int64_t) { return fastest * (i == 4 ? 1.0 : 1.5 + double(i)); });
    auto const& winner = track.report.candidates[4];
    EXPECT_EQ(track.report.winner_label, label(winner.choice));
    EXPECT_FALSE(track.report.out_of_budget);
    EXPECT_NEAR(winner.seconds, fastest, 0.02 * fastest);
    EXPECT_EQ(winner.samples, 20);
    EXPECT_GT(track.report.confidence, 0.99);
    EXPECT_NEAR(track.report.candidates[0].seconds, 1.5 * fastest, 0.02 * fastest);
  }
}

TEST(Race, ShortProductsAreNotTimedOneByOne) {
  Track const track(4, 100, [](std::size_t, std::int64_t) { return short_product; });
  EXPECT_GT(track.products, 50000);
  EXPECT_LT(track.looks, track.products / 15);
}

TEST(Race, CandidatesThatThrowAreOut) {
  Track const track(3, 10, [](std::size_t i, std::int64_t n) {
    if (i == 1 && n > 20) throw std::runtime_error("no more");
    return i == 1 ? 1e-6 : 5e-6;
  });
  EXPECT_EQ(track.report.candidates[1].status, CandidateStatus::failed);
  EXPECT_EQ(track.report.candidates[1].reason, "no more");
  EXPECT_NE(track.report.winner_label, label(track.report.candidates[1].choice));
  EXPECT_FALSE(track.report.winner_label.empty());
}

TEST(Race, WhereAllThatAreLeftThrowOneThatLeftBeforeWins) {
  // The slower half leaves after three sweeps, some 500 products; then the others throw.
  for (bool const default_too : {true, false}) {
    Track const track(8, 10, [&](std::size_t i, std::int64_t n) {
      if (i < 5 && (i > 0 || default_too) && n > 700) throw std::runtime_error("no more");
      return 5e-6 * (i == 0 ? 10 : 1 + static_cast<double>(i));
    });
    auto const& all = track.report.candidates;
    EXPECT_EQ(all[0].status, default_too ? CandidateStatus::failed : CandidateStatus::timed);
    EXPECT_EQ(all[1].status, CandidateStatus::failed);
    EXPECT_EQ(track.report.winner_label, label(all[5].choice)) << default_too;
    EXPECT_TRUE(!default_too || track.report.confidence == 0) << "no samples of the same sweeps";
    EXPECT_NEAR(all[5].seconds, 30e-6, 1e-6);
  }
}

TEST(Race, ThoseThatAreThereAreTimedWhereOthersWereLeftOut) {
  for (bool const left_out : {false, true}) {
    Track const track(
        6, 1, [](std::size_t i, std::int64_t) { return 5e-6 * (i == 3 ? 1 : 2); }, left_out);
    EXPECT_EQ(track.report.winner_label, label(track.report.candidates[3].choice));
    EXPECT_EQ(track.report.candidates[3].samples, 20);
    EXPECT_EQ(track.report.out_of_budget, left_out);
  }
}

/// A cache that holds what the last candidate reads: the first products after another one take three times as long.
class SharedCache {
 public:
  double operator()(std::size_t candidate, double alone) {
    constexpr int to_fill = 2;  // products
    since_ = candidate == last_ ? since_ + 1 : 0;
    last_ = candidate;
    return since_ < to_fill ? 3 * alone : alone;
  }

 private:
  std::size_t last_ = 0;
  int since_ = 0;
};

TEST(Race, TimesProductsInARowAsALoopHasThem) {
  // One gains by the cache that its loop leaves it, the others never do.
  for (double const alone : {1e-6, 1e-4, 1e-3, 4e-3}) {
    SharedCache cache;
    Track const track(4, 60, [&](std::size_t i, std::int64_t) {
      double const filled = cache(i, alone);
      return i == 2 ? filled : 1.7 * alone;
    });
    EXPECT_EQ(track.report.winner_label, label(track.report.candidates[2].choice)) << alone;
    EXPECT_NEAR(track.report.candidates[2].seconds, alone, 0.05 * alone);
    EXPECT_FALSE(track.report.busy);
  }
}

TEST(Race, FiguresOfThoseThatLeftAreTheirOwn) {
  // After the first rounds every product of the default stalls; what left before is not scaled by that.
  Track const track(12, 20, [](std::size_t i, std::int64_t n) {
    double const alone = 400e-6 * (1 + static_cast<double>(i % 6));
    return i == 0 && n > 600 ? 30 * alone : alone;
  });
  for (std::size_t i = 1; i < 12; ++i)
    EXPECT_NEAR(track.report.candidates[i].seconds, 400e-6 * (1 + static_cast<double>(i % 6)), 1e-6) << i;
  EXPECT_EQ(track.report.winner_label, label(track.report.candidates[6].choice));
}

TEST(Race, WhoLeftWithABetterFigureComesBack) {
  // In the first round only number 5 is stalled; in all that follow the others are.
  Track const track(9, 60, [](std::size_t i, std::int64_t n) {
    double const alone = 1e-3 * (i == 5 ? 2 : 1 + 0.01 * static_cast<double>(i));
    return i != 5 && n > 350 ? 8 * alone : alone;
  });
  EXPECT_EQ(track.report.winner_label, label(track.report.candidates[5].choice));
  EXPECT_NEAR(track.report.candidates[5].seconds, 2e-3, 1e-5);
}

TEST(Race, WhereSamplesContradictTheModelDecides) {
  // Number 1 is a third faster once in eight samples, and else slower by as much: no loop would be.
  int product = 0;
  Track const track(
      3, 60,
      [&](std::size_t i, std::int64_t) {
        if (i != 1) return 1e-3 * (i == 0 ? 1.5 : 1);
        return ++product % 64 < 8 ? 0.6e-3 : 1.4e-3;
      },
      false, 2);
  EXPECT_TRUE(track.report.busy);
  EXPECT_EQ(track.report.winner_label, track.report.model_label);
  EXPECT_NE(remarks(track.report).find("the machine is busy"), std::string::npos);
}

/// One sample of the slow one is more than the budget.
TEST(Race, ASlowDefaultOrChoiceOfTheModelLeavesTimeForTheOthers) {
  for (std::size_t const slow : {0U, 2U}) {
    Track const track(
        5, 0.4, [&](std::size_t i, std::int64_t) { return i == slow ? 60e-3 : 1e-4 * static_cast<double>(1 + i); },
        false, 2);
    auto const& winner = track.report.candidates[slow == 0 ? 1 : 0];
    EXPECT_EQ(track.report.winner_label, label(winner.choice)) << "candidate " << slow << " is slow";
    EXPECT_GT(winner.samples, 1);
    EXPECT_EQ(track.report.candidates[slow].status, CandidateStatus::timed);
  }
}

/// What one disturbed product says of the default is asked again before it leaves.
TEST(Race, ADefaultWhoseFirstProductIsDisturbedStays) {
  std::int64_t of_default = 0;
  Track const track(5, 0.4, [&](std::size_t i, std::int64_t) {
    if (i == 0) return of_default++ == 0 ? 60e-3 : 5e-5;
    return 1e-4 * static_cast<double>(1 + i);
  });
  EXPECT_EQ(track.report.winner_label, track.report.baseline_label);
  EXPECT_LT(track.report.candidates[0].seconds, 6e-5);
}

TEST(Race, ADefaultFarBeyondItsModelMeansABusyMachine) {
  for (double const modelled : {1e-3, 1e-4}) {
    TuneReport report;
    for (int i = 0; i < 2; ++i)
      report.candidates.push_back({.choice = {.format = "csr", .kernel = "thread_per_row", .rows_per_team = i + 1},
                                   .modelled_seconds = modelled});
    report.baseline_label = label(report.candidates.front().choice);
    Deadline::TimePoint now{};
    Deadline const deadline(10, {}, [&] { return now; });
    auto const takes = [&](double seconds) {
      return [&now, seconds] {
        now += std::chrono::duration_cast<Deadline::TimePoint::duration>(std::chrono::duration<double>(seconds));
      };
    };
    detail::race(report, {{.place = 0, .run = takes(2e-3)}, {.place = 1, .run = takes(1e-3)}}, [] {}, deadline, {});
    EXPECT_EQ(report.busy, modelled < 2e-3 / 8) << modelled;
    EXPECT_EQ(report.winner_label, label(report.candidates.back().choice));
  }
}

TEST(Race, AWinnerWhoseConfidenceIsKnownIsLikelierThanNot) {
  // Two alike, to the bit or with noise that takes turns.
  for (int const period : {1, 2, 3, 5, 7}) {
    int product = 0;
    Track const track(3, 60, [&](std::size_t i, std::int64_t) {
      return i == 0 ? 3e-3 : 1e-3 * (1 + 0.01 * static_cast<double>(++product % period));
    });
    EXPECT_GE(track.report.confidence, 0.5) << period;
    EXPECT_FALSE(track.report.busy) << period;
  }
}

TEST(Race, AConversionMustPayWithinTheProductsThatFollow) {
  auto const winner_of = [](double products) {
    Track const track(
        3, 60, [](std::size_t i, std::int64_t) { return i == 2 ? 1e-3 : 2e-3 + 1e-3 * static_cast<double>(i == 1); },
        false, 0, products);
    return track.report.winner_label == label(track.report.candidates[2].choice);
  };
  EXPECT_TRUE(winner_of(0)) << "unknown";
  EXPECT_FALSE(winner_of(100)) << "200 ms without the conversion, 100 ms and its 500 ms with it";
  EXPECT_TRUE(winner_of(1000));
}

TEST(Race, ColdProductsHaveTheirCachesTakenEachTime) {
  int evicted = 0;
  int products = 0;
  TuneReport report;
  report.candidates.push_back({.choice = {.format = "csr", .kernel = "thread_per_row"}});
  Deadline const deadline(10, {});
  detail::race(report, {{.place = 0, .run = [&] { ++products; }, .evict = [&] { ++evicted; }}}, [] {}, deadline, {});
  constexpr int warm_up = 3;
  EXPECT_GT(evicted, 0);
  EXPECT_EQ(products, evicted + warm_up);
}

TEST(Race, TheDefaultAloneIsTheWinner) {
  Track const track(1, 10, [](std::size_t, std::int64_t) { return 5e-6; });
  EXPECT_EQ(track.report.winner_label, track.report.baseline_label);
  EXPECT_EQ(track.report.candidates[0].status, CandidateStatus::timed);
}

}  // namespace
}  // namespace araia::test
