// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model: bytes that can be counted by hand, candidates that are legal, prunings that give a reason.
#include <gtest/gtest.h>

#include <araia/plan/plan.hpp>
#include <araia/plan/traffic.hpp>
#include <limits>

namespace araia::test {
namespace {

Problem thousand_rows_of_ten() {
  Problem p;
  p.stats.rows = 1000;
  p.stats.cols = 500;
  p.stats.nnz = 10000;
  p.stats.min_length = 5;
  p.stats.max_length = 20;
  p.stats.mean_length = 10;
  p.host_simd = true;
  return p;
}

Machine machine(bool device, int concurrency = 4) {
  return {.space = "test",
          .device = device,
          .concurrency = concurrency,
          .read_bandwidth = 1e10,
          .copy_bandwidth = 1e10,
          .triad_bandwidth = 1e10,
          .cache_bandwidth = 1e11,
          .launch_seconds = 1e-6,
          .flops = 1e11,
          .cache_bytes = 1 << 20};
}

TEST(Traffic, CountsEveryArrayOnce) {
  auto const p = thousand_rows_of_ten();
  auto const m = machine(false);
  auto const csr = traffic(p, {.format = "csr", .kernel = "host_simd"}, m);
  EXPECT_EQ(csr.matrix_bytes, 10000 * 12 + 1001 * 4);
  EXPECT_EQ(csr.operand_bytes, 500 * 8 + 1000 * 8);
  EXPECT_EQ(csr.flops, 20000);
  auto const coo = traffic(p, {.format = "coo", .kernel = "atomic"}, m);
  EXPECT_EQ(coo.matrix_bytes, 10000 * 16);
  EXPECT_EQ(coo.operand_bytes, 500 * 8 + 3 * 1000 * 8);  // y is zeroed, then read and written
}

TEST(Traffic, TransposeSwapsTheOperands) {
  auto p = thousand_rows_of_ten();
  p.op = Op::transpose;
  auto const t = traffic(p, {.format = "csr", .kernel = "transposed"}, machine(false));
  EXPECT_EQ(t.operand_bytes, 1000 * 8 + 3 * 500 * 8);
}

TEST(Traffic, FormatBytesSaturateInsteadOfWrapping) {
  auto p = thousand_rows_of_ten();
  p.stats.rows = std::int64_t{1} << 40;
  p.stats.max_length = std::int64_t{1} << 30;
  EXPECT_EQ(format_bytes(p, {.format = "ell", .kernel = "thread_per_row"}), std::numeric_limits<std::uint64_t>::max());
}

TEST(Candidates, AreLegalDistinctAndLedByTheCsrDefault) {
  for (bool const device : {false, true})
    for (bool const spmm : {false, true})
      for (Op const op : {Op::none, Op::transpose, Op::conjugate_transpose})
        for (std::int64_t const columns : {1, 2, 7, 64}) {
          auto p = thousand_rows_of_ten();
          p.spmm = spmm;
          p.columns = spmm ? columns : 1;
          p.op = op;
          p.host_simd = !device && op == Op::none;
          auto const m = machine(device);
          auto const all = candidates(p, m);
          ASSERT_FALSE(all.empty());
          EXPECT_EQ(format_label(all.front()), "csr");
          for (std::size_t i = 0; i < all.size(); ++i) {
            EXPECT_EQ(why_illegal(p, all[i], m), "") << label(all[i]);
            EXPECT_GT(modelled_seconds(p, all[i], m), 0) << label(all[i]);
            for (std::size_t j = 0; j < i; ++j) EXPECT_NE(all[i], all[j]);
          }
        }
}

TEST(Candidates, DeterministicOnesUseNoAtomics) {
  auto p = thousand_rows_of_ten();
  p.deterministic = true;
  for (bool const device : {false, true})
    for (auto const& c : candidates(p, machine(device))) EXPECT_NE(c.format, "coo");
  p.op = Op::transpose;
  EXPECT_TRUE(candidates(p, machine(false)).empty());
  EXPECT_FALSE(candidates(p, machine(false, 1)).empty());  // one thread adds in one order
}

TEST(Candidates, IllegalOnesAreNamed) {
  auto const p = thousand_rows_of_ten();
  auto const m = machine(true);
  auto const reason = [&](Choice const& c) { return why_illegal(p, c, m); };
  EXPECT_NE(reason({.format = "dia", .kernel = "thread_per_row"}).find("format"), std::string::npos);
  EXPECT_NE(reason({.format = "ell", .kernel = "segmented"}).find("kernel"), std::string::npos);
  EXPECT_NE(reason({.format = "csr", .kernel = "transposed"}).find("kernel"), std::string::npos);
  EXPECT_NE(reason({.format = "coo", .rows_by_length = true, .kernel = "atomic"}).find("rows_by_length"),
            std::string::npos);
  EXPECT_NE(reason({.format = "csr", .kernel = "vector_per_row", .vector_length = 3}).find("vector_length"),
            std::string::npos);
  EXPECT_NE(
      reason({.format = "csr", .kernel = "vector_per_row", .team_size = 512, .vector_length = 8}).find("team_size"),
      std::string::npos);
}

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
}

}  // namespace
}  // namespace araia::test
