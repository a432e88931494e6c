// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <common/runner.hpp>
#include <common/timing.hpp>
#include <common/verify.hpp>

namespace {

using namespace araia::perf;

using Launches = std::vector<std::pair<int, int>>;  // contender, copy

std::vector<std::function<void(int)>> recording(Launches& launches, int contenders) {
  std::vector<std::function<void(int)>> launch;
  for (int c = 0; c < contenders; ++c)
    launch.emplace_back([&launches, c](int copy) { launches.emplace_back(c, copy); });
  return launch;
}

TEST(MeasureInterleaved, EveryContenderGetsASampleInEveryRound) {
  Launches launches;
  auto const samples = measure_interleaved(Exec(), recording(launches, 3), 7, 0, 4);
  ASSERT_EQ(samples.size(), 3U);
  for (auto const& one : samples) EXPECT_EQ(one.size(), 7U);
}

// A graph's launches are recorded once, at capture: their order says nothing about the replays'.
#ifndef KOKKOS_ENABLE_CUDA
TEST(MeasureInterleaved, ColdSamplesNeverMeetACopyAgainBeforeAllOthers) {
  Launches launches;
  constexpr int copies = 5, rounds = 6, contenders = 3;
  measure_interleaved(Exec(), recording(launches, contenders), rounds, 0, copies);
  std::size_t const timed = launches.size() - rounds * contenders;  // those before size the batches
  for (std::size_t k = timed + 1; k < launches.size(); ++k)
    EXPECT_EQ(launches[k].second, (launches[k - 1].second + 1) % copies) << "launch " << k;
}

TEST(MeasureInterleaved, TheOrderTurnsSoThatNobodyAlwaysFollowsTheSame) {
  Launches launches;
  constexpr int rounds = 3, contenders = 3;
  measure_interleaved(Exec(), recording(launches, contenders), rounds, 0, 2);
  std::vector<int> order;
  for (std::size_t k = launches.size() - rounds * contenders; k < launches.size(); ++k)
    order.push_back(launches[k].first);
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 1, 2, 0, 2, 0, 1}));
}

TEST(MeasureInterleaved, EachContenderRotatesThroughItsOwnCopies) {
  Launches launches;
  auto const launch = recording(launches, 2);
  measure_interleaved(Exec(), {{.launch = launch[0], .copies = 2}, {.launch = launch[1], .copies = 7}}, 20, 0);
  int most[2] = {0, 0};
  for (auto const& [contender, copy] : launches) most[contender] = std::max(most[contender], copy);
  EXPECT_EQ(most[0], 1);
  EXPECT_EQ(most[1], 6);
}

TEST(MeasureInterleaved, WhatIsBetweenFollowsEveryProductAndItsTimeIsTakenOff) {
  std::vector<char> order;
  auto const sleep = [](int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); };
  auto const samples = measure_interleaved(Exec(),
                                           {{.launch =
                                                 [&](int) {
                                                   order.push_back('p');
                                                   sleep(2);
                                                 },
                                             .copies = 3}},
                                           3, 0, [&] {
                                             order.push_back('b');
                                             sleep(20);
                                           });
  ASSERT_EQ(samples.front().size(), 3U);
  EXPECT_LT(median(samples.front()), 15e-3);
  ASSERT_GE(order.size(), 9U);
  // The rounds: what is between by itself, then a product and what follows it.
  EXPECT_EQ(std::string(order.end() - 9, order.end()), "bpbbpbbpb");
}

TEST(MeasureInterleaved, WarmSamplesUseOneCopyAndRefillTheCacheFirst) {
  Launches launches;
  measure_interleaved(Exec(), recording(launches, 1), 2, 0, 1);
  for (auto const& [contender, copy] : launches) EXPECT_EQ(copy, 0);
  EXPECT_EQ(launches.size() % 2, 0U);
  EXPECT_GE(launches.size(), 8U);  // 4 to size the batch, then two rounds of one to refill and one to time
}
#endif

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoInTheMiddle) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(median({}), 0);
}

TEST(ColdCopies, TogetherExceedTwiceTheCache) {
  Machine machine;
  machine.cache_bytes = 100;
  EXPECT_EQ(cold_copies(30, machine), 7);
  EXPECT_EQ(cold_copies(200, machine), 1);
  EXPECT_EQ(cold_copies(1e9, machine), 1);
}

TEST(VerifyProduct, AcceptsTheProductAndNamesTheFirstWrongElement) {
  araia::GeneratedMatrix const A{.name = "A",
                                 .klass = "test",
                                 .rows = 2,
                                 .cols = 3,
                                 .row_offsets = {0, 2, 3},
                                 .col_indices = {0, 2, 1},
                                 .values = {1, 2, -1}};
  std::vector<double> const B{1, 2, 3, 4, 5, 6};  // (3, 2) row-major
  std::vector<double> C{11, 14, -3, -4};
  EXPECT_EQ(verify_product(A, B, 2, C.data(), 2, 1), "");
  std::vector<double> const by_columns{11, -3, 14, -4};
  EXPECT_EQ(verify_product(A, B, 2, by_columns.data(), 1, 2), "");
  C[3] = -4.000001;
  EXPECT_NE(verify_product(A, B, 2, C.data(), 2, 1).find("row 1, column 1"), std::string::npos);
  C[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(verify_product(A, B, 2, C.data(), 2, 1), "");
}

}  // namespace
