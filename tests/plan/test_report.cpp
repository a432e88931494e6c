// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a report says of its candidates: when a conversion is paid back, and figures as text.
#include <gtest/gtest.h>

#include <araia/plan/report.hpp>
#include <cmath>
#include <limits>
#include <string>

namespace araia::test {
namespace {

TEST(Report, BreakEvenIsConversionOverGain) {
  TuneReport report;
  CandidateReport csr{.choice = {.format = "csr", .kernel = "host_simd"}, .seconds = 3};
  CandidateReport ell{.choice = {.format = "ell", .kernel = "thread_per_row"}, .seconds = 1, .conversion_seconds = 9};
  CandidateReport slow{.choice = {.format = "coo", .kernel = "atomic"}, .seconds = 4, .conversion_seconds = 9};
  report.baseline_label = label(csr.choice);
  report.candidates = {ell, csr, slow};
  EXPECT_EQ(break_even_products(report, ell), 5);  // 9 / 2, rounded up
  EXPECT_EQ(break_even_products(report, csr), 0);
  EXPECT_EQ(break_even_products(report, slow), std::numeric_limits<double>::infinity());
  // Where nothing was measured the model's conversion counts.
  CandidateReport modelled{
      .choice = {.format = "ell", .kernel = "thread_per_row"}, .modelled_seconds = 1, .modelled_conversion_seconds = 7};
  EXPECT_EQ(break_even_products(report, modelled), 4);

  EXPECT_EQ(paid_back(report, ell), "paid back after 5 products");
  EXPECT_EQ(paid_back(report, slow), "not paid back against csr");
  report.candidates = {ell, slow};  // --format ell
  EXPECT_TRUE(std::isnan(break_even_products(report, ell)));
  EXPECT_EQ(paid_back(report, ell), "paid back against csr: unknown, as that was left out");
}

TEST(Report, PlanningIsPaidBackToo) {
  TuneReport report;
  CandidateReport const csr{.choice = {.format = "csr", .kernel = "host_simd"}, .seconds = 3};
  CandidateReport const ell{
      .choice = {.format = "ell", .kernel = "thread_per_row"}, .seconds = 1, .conversion_seconds = 9};
  report.baseline_label = label(csr.choice);
  report.candidates = {ell, csr};
  report.tuning_seconds = 29;  // 20 beside the conversion
  report.racing_seconds = 15;
  EXPECT_EQ(planning_seconds(report), 20);
  EXPECT_EQ(break_even_products(report, ell), 15);  // 29 / 2, rounded up
  EXPECT_EQ(break_even_products(report, csr), 0);
  auto const text = explain(report);
  EXPECT_NE(text.find("conversion measured 9 s; planning took 20 s, 15 s of it measuring; paid back after 15 products"),
            std::string::npos)
      << text;
}

TEST(Report, KnownProductsMakeTheConversionPartOfTheTime) {
  TuneReport report;
  CandidateReport const csr{.choice = {.format = "csr", .kernel = "host_simd"}, .seconds = 3};
  CandidateReport const ell{
      .choice = {.format = "ell", .kernel = "thread_per_row"}, .seconds = 1, .conversion_seconds = 9};
  EXPECT_LT(objective_seconds(report, ell), objective_seconds(report, csr));
  report.products = 4;
  EXPECT_EQ(objective_seconds(report, ell), 13);
  EXPECT_EQ(objective_seconds(report, csr), 12);
}

TEST(Report, WhyNothingWasTimedIsTheFirstLine) {
  TuneReport report;
  report.candidates = {{.choice = {.format = "csr", .kernel = "host_simd"}, .modelled_seconds = 1}};
  report.remark = "nothing was timed: the budget is 0 s";
  EXPECT_EQ(explain(report).rfind(report.remark + "\n", 0), 0U);
  report.remark.clear();
  report.busy = true;
  EXPECT_EQ(explain(report).rfind("the machine is busy", 0), 0U);
}

TEST(Report, ExplainsWhatBecameOfEachCandidate) {
  TuneReport report;
  auto const candidate = [](char const* format, CandidateStatus status, char const* reason) {
    return CandidateReport{
        .choice = {.format = format, .kernel = "kernel"}, .status = status, .reason = reason, .modelled_seconds = 2e-6};
  };
  report.candidates = {candidate("csr", CandidateStatus::modelled, ""), candidate("ell", CandidateStatus::modelled, ""),
                       candidate("coo", CandidateStatus::pruned, "too slow"),
                       candidate("hyb", CandidateStatus::out_of_budget, "not tried: out of budget"),
                       candidate("bsr", CandidateStatus::cancelled, "not tried: cancelled")};
  auto const text = explain(report);
  for (char const* said : {"2 us modelled: 1.00 times the time\n", "2 us pruned: too slow\n",
                           "2 us not tried: out of budget\n", "2 us not tried: cancelled\n"})
    EXPECT_NE(text.find(said), std::string::npos) << said << " in\n" << text;
  EXPECT_STREQ(to_string(CandidateStatus::out_of_budget), "out_of_budget");
  EXPECT_STREQ(to_string(CandidateStatus::cancelled), "cancelled");
}

TEST(Report, SizesAndTimesHaveNoExponents) {
  EXPECT_EQ(format_bytes_text(1023), "1023 B");
  EXPECT_EQ(format_bytes_text(1000 * 1024), "1000 KiB");
  EXPECT_EQ(format_bytes_text(1023.7 * 1024), "1024 KiB");
  EXPECT_EQ(format_bytes_text(999.4 * 1024), "999 KiB");
  EXPECT_EQ(format_bytes_text(12.34 * 1024 * 1024), "12.3 MiB");
  EXPECT_EQ(format_seconds(999.7e-6), "1000 us");
  EXPECT_EQ(format_seconds(45.61e-6), "45.6 us");
  EXPECT_EQ(format_seconds(1234), "1234 s");
}

}  // namespace
}  // namespace araia::test
