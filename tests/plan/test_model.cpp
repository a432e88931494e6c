// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model: bytes that can be counted by hand, candidates that are legal, prunings that give a reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <araia/plan/plan.hpp>
#include <araia/plan/traffic.hpp>
#include <array>
#include <cmath>
#include <limits>

#include "src/plan/race.hpp"

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
          p.cuda_kernels = device && op == Op::none;
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
  for (bool const device : {false, true})
    for (auto const& c : candidates(p, machine(device))) EXPECT_EQ(c.format, "csc");  // it gathers
  EXPECT_EQ(format_label(candidates(p, machine(false, 1)).front()), "csr");           // one thread adds in one order
  p.op = Op::none;
  auto const has = [&](bool device, char const* kernel) {
    auto const all = candidates(p, machine(device));
    return std::any_of(all.begin(), all.end(), [&](Choice const& c) { return c.kernel == kernel; });
  };
  EXPECT_TRUE(has(false, "block_per_team"));
  EXPECT_FALSE(has(true, "block_per_team"));  // threads of a device's team meet in scratch by atomics
  EXPECT_FALSE(has(false, "ell_then_tail"));
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

TEST(Candidates, CudaKernelsAreListedWhereTheyRunAndSayWhatTheyRead) {
  auto p = thousand_rows_of_ten();
  auto const m = machine(true);
  auto const has = [&](char const* kernel) {
    auto const all = candidates(p, m);
    return std::any_of(all.begin(), all.end(), [&](Choice const& c) { return c.kernel == kernel; });
  };
  constexpr std::array kernels{"sub_warp",     "rows_per_lane",      "equal_chunks", "column_panels",
                               "column_steps", "warp_per_block_row", "slices"};
  for (char const* const kernel : kernels) EXPECT_FALSE(has(kernel)) << kernel;
  p.cuda_kernels = true;
  for (char const* const kernel : kernels) EXPECT_TRUE(has(kernel)) << kernel;
  auto const reason = [&](Choice const& c) { return why_illegal(p, c, m); };
  EXPECT_EQ(reason({.format = "sell", .kernel = "rows_per_lane", .slice_height = 128}), "");
  EXPECT_NE(reason({.format = "sell", .kernel = "rows_per_lane", .slice_height = 16}).find("slice_height"),
            std::string::npos);
  EXPECT_NE(reason({.format = "sell", .kernel = "rows_per_lane", .block_width = 2}).find("blocks"), std::string::npos);
  EXPECT_NE(
      reason({.format = "sell", .rows_by_length = true, .diagonals = true, .kernel = "rows_per_lane"}).find("order"),
      std::string::npos);
  EXPECT_NE(
      reason({.format = "bsr", .kernel = "warp_per_block_row", .block_rows = 2, .block_cols = 3}).find("block_rows"),
      std::string::npos);
  EXPECT_EQ(reason({.format = "bsr", .kernel = "warp_per_block_row", .block_rows = 3, .block_cols = 3}), "");
  EXPECT_EQ(reason({.format = "bsr", .kernel = "slices", .block_rows = 4, .block_cols = 4}), "");
  EXPECT_NE(reason({.format = "bsr", .kernel = "slices", .block_rows = 5, .block_cols = 5}).find("block_rows"),
            std::string::npos);
  EXPECT_NE(reason({.format = "csr", .rows_by_length = true, .kernel = "column_panels"}).find("order"),
            std::string::npos);
  EXPECT_NE(reason({.format = "csr", .rows_by_length = true, .kernel = "column_steps"}).find("order"),
            std::string::npos);
  EXPECT_NE(why_illegal(p, {.format = "csr", .kernel = "sub_warp"}, machine(false)), "");
}

TEST(Candidates, TensorCoresMultiplyBsrInThePrecisionAskedFor) {
  auto p = thousand_rows_of_ten();
  p.spmm = true;
  p.columns = 64;
  p.cuda_kernels = true;
  auto const m = machine(true);
  Choice const blocks{.format = "bsr", .kernel = "tensor_cores", .block_rows = 3, .block_cols = 2};
  auto const listed = [&] {
    auto const all = candidates(p, m);
    return std::any_of(all.begin(), all.end(), [](Choice const& c) { return c.kernel == "tensor_cores"; });
  };
  p.value_bytes = p.x_bytes = p.y_bytes = 8;
  p.precision = Precision::tf32;
  EXPECT_TRUE(listed());
  EXPECT_EQ(precision_of(p, blocks), Precision::native);
  p.value_bytes = p.x_bytes = p.y_bytes = 4;
  EXPECT_TRUE(listed());
  EXPECT_EQ(precision_of(p, blocks), Precision::tf32);
  p.precision = Precision::native;
  EXPECT_FALSE(listed());
  EXPECT_NE(why_illegal(p, blocks, m).find("native"), std::string::npos);
  p.value_bytes = 0;
  EXPECT_NE(why_illegal(p, blocks, m).find("pattern"), std::string::npos);
  p.value_bytes = 8;
  p.cuda_kernels = false;
  EXPECT_NE(why_illegal(p, blocks, m), "");
}

/// A pruned matrix as an H200 sees it.
Problem held_problem() {
  Problem p;
  p.stats.rows = p.stats.cols = 1024;
  p.stats.nnz = 1024 * 410;
  p.stats.min_length = 380;
  p.stats.max_length = 440;
  p.stats.mean_length = 410;
  p.stats.length_histogram[9] = 1024;
  p.value_bytes = p.x_bytes = p.y_bytes = 4;
  p.spmm = true;
  p.columns = 512;
  p.cuda_kernels = true;
  p.held = {{.format = "csr", .kernel = "padded_rows", .seconds = 50e-6, .conversion_seconds = 1e-3, .bytes = 3500000},
            {.format = "csr", .kernel = "jammed", .seconds = 26e-6, .conversion_seconds = 25e-3, .bytes = 3300000},
            {.format = "dense", .kernel = "cublas", .seconds = 11e-6, .conversion_seconds = 1e-3, .bytes = 36000000}};
  return p;
}

TEST(Candidates, HeldMatricesAreThoseOfTheBackendsRule) {
  auto p = held_problem();
  auto const m = machine(true);
  auto const reason = [&](Choice const& c) { return why_illegal(p, c, m); };
  EXPECT_EQ(reason({.format = "csr", .kernel = "jammed"}), "");
  EXPECT_NE(reason({.format = "csr", .kernel = "lockstep"}).find("512 columns"), std::string::npos);
  EXPECT_NE(reason({.format = "csr", .kernel = "tensor_tiles"}).find("native"), std::string::npos);
  EXPECT_NE(reason({.format = "csr", .rows_by_length = true, .kernel = "jammed"}).find("order"), std::string::npos);
  EXPECT_NE(reason({.format = "dense", .kernel = "cublas"}).find("allow_dense"), std::string::npos);
  p.allow_dense = true;
  EXPECT_EQ(reason({.format = "dense", .kernel = "cublas"}), "");
  p.precision = Precision::tf32;
  EXPECT_EQ(reason({.format = "dense", .kernel = "cublas"}), "");
  EXPECT_EQ(precision_of(p, {.format = "dense", .kernel = "cublas"}), Precision::tf32);
  EXPECT_EQ(precision_of(p, {.format = "csr", .kernel = "tensor_tiles"}), Precision::tf32);
  p.precision = Precision::bf16;
  EXPECT_EQ(precision_of(p, {.format = "dense", .kernel = "cublas"}), Precision::tf32);
  EXPECT_EQ(precision_of(p, {.format = "csr", .kernel = "tensor_tiles"}), Precision::bf16);
  EXPECT_EQ(precision_of(p, {.format = "csr", .kernel = "jammed"}), Precision::native);
  p.stats.length_histogram[1] = 1;
  EXPECT_NE(reason({.format = "dense", .kernel = "cublas"}).find("one entry"), std::string::npos);
  p.cuda_kernels = false;
  EXPECT_NE(reason({.format = "csr", .kernel = "jammed"}), "");
  EXPECT_NE(why_illegal(p, {.format = "csr", .kernel = "jammed"}, machine(false)), "");
}

TEST(Candidates, StorageThatIsNotTheFormatsIsNamed) {
  auto const p = thousand_rows_of_ten();
  auto const m = machine(false);
  struct Wrong {
    Choice choice;
    char const* named;
  };
  for (auto const& wrong : {
           Wrong{{.format = "csc", .diagonals = true, .kernel = "by_columns"}, "diagonals"},
           Wrong{{.format = "sell", .compact = true, .kernel = "thread_per_row"}, "compact"},
           Wrong{{.format = "csr", .kernel = "host_simd", .slice_height = 8}, "slice_height"},
           Wrong{{.format = "sell", .kernel = "thread_per_row", .sort_window = 64}, "sort_window"},
           Wrong{{.format = "sell", .kernel = "thread_per_row", .block_width = 3}, "block_width"},
           Wrong{{.format = "sell", .kernel = "thread_per_row", .slice_height = 12, .least_slice_height = 8},
                 "least_slice_height"},
           Wrong{{.format = "bsr", .kernel = "lanes_on_blocks", .block_rows = 33}, "block_rows"},
           Wrong{{.format = "bsr", .kernel = "lanes_on_blocks", .block_cols = -1}, "block_cols"},
           Wrong{{.format = "bcsc", .compact = true, .kernel = "block_per_team", .block_height = 257}, "block_height"},
           Wrong{{.format = "hyb", .kernel = "ell_then_tail", .width = -2}, "width"},
           Wrong{{.format = "bcsc", .kernel = "naive"}, "kernel"},
       })
    EXPECT_NE(why_illegal(p, wrong.choice, m).find(wrong.named), std::string::npos) << label(wrong.choice);
  auto complex_values = p;
  complex_values.complex_values = true;
  EXPECT_EQ(why_illegal(complex_values, {.format = "bsr", .kernel = "lanes_on_blocks"}, m), "");
  auto huge = p;
  huge.stats.nnz = std::int64_t{1} << 31;
  EXPECT_NE(why_illegal(huge, {.format = "sell", .kernel = "thread_per_row"}, m).find("32-bit"), std::string::npos);
  EXPECT_EQ(why_illegal(huge, {.format = "ell", .kernel = "thread_per_row"}, m), "");
}

TEST(Candidates, BlocksAreThoseOfTheFewestBytes) {
  auto p = thousand_rows_of_ten();
  p.block_fill = {{1, 2, 1.9}, {2, 2, 1.8}, {3, 3, 1.0}, {4, 4, 2.5}};
  auto const all = candidates(p, machine(false));
  auto const bsr = std::find_if(all.begin(), all.end(), [](Choice const& c) { return c.format == "bsr"; });
  ASSERT_NE(bsr, all.end());
  EXPECT_EQ(bsr->block_rows, 3);
  EXPECT_EQ(bsr->block_cols, 3);
  EXPECT_TRUE(std::none_of(all.begin(), all.end(), [](Choice const& c) { return c.block_width > 1; }));
  p.block_fill[0].fill = 1.05;
  auto const paired = candidates(p, machine(false));
  EXPECT_TRUE(std::any_of(paired.begin(), paired.end(), [](Choice const& c) { return c.block_width == 2; }));
}

TEST(Footprint, PredictsWhatCanBeCountedByHand) {
  auto p = thousand_rows_of_ten();
  p.stats.block_columns = {{.height = 64, .columns = 5000}};
  p.block_fill = {{3, 3, 1.8}};
  auto const bytes = [&p](Choice const& c) { return predicted_footprint(p, c).bytes; };
  EXPECT_EQ(bytes({.format = "csc", .kernel = {}}), 10000u * 12 + 501 * 4);
  EXPECT_TRUE(predicted_footprint(p, {.format = "csc", .kernel = {}}).exact);
  auto const bcsc = predicted_footprint(p, {.format = "bcsc", .kernel = {}, .block_height = 64});
  EXPECT_EQ(bcsc.bytes, 10000u * 12 + 5000 * 8 + 16 * 4 + 8);
  EXPECT_EQ(bcsc.pieces, 5000);
  auto const bsr = predicted_footprint(p, {.format = "bsr", .kernel = {}, .block_rows = 3, .block_cols = 3});
  EXPECT_EQ(bsr.pieces, 2000);  // 1.8 slots an entry, 9 a block
  EXPECT_EQ(bsr.slots, 18000);
  EXPECT_EQ(bsr.bytes, 2000u * (4 + 72) + 335 * 4);
  EXPECT_FALSE(bsr.exact);
  // Every entry on a diagonal: a value a slot, lengths, an offset a slice. The counting may find more.
  auto const plain = predicted_footprint(p, {.format = "sell", .kernel = {}});
  p.shared_entries = p.stats.nnz;
  auto const diagonals = predicted_footprint(p, {.format = "sell", .diagonals = true, .kernel = {}});
  EXPECT_NEAR(static_cast<double>(diagonals.bytes), static_cast<double>(plain.bytes) * 8 / 12, 2000);
  EXPECT_FALSE(diagonals.exact);
}

TEST(Model, DiagonalsCostAHostLessThanColumns) {
  auto p = thousand_rows_of_ten();
  p.host_simd = true;
  p.shared_entries = p.stats.nnz;
  auto const seconds = [&p](Choice const& c) { return modelled_seconds(p, c, machine(false)); };
  Choice const runs{.format = "csr", .kernel = "host_simd_runs"};
  Choice const diagonals{.format = "sell", .diagonals = true, .kernel = "host_simd"};
  EXPECT_LT(seconds(runs), seconds(diagonals));  // rows of nodes, say
  p.diagonal_entries = p.stats.nnz;
  EXPECT_LT(seconds(diagonals), seconds(runs));
}

TEST(Model, KernelsWithoutAPriceAreNotChosenByItAlone) {
  auto const p = thousand_rows_of_ten();
  EXPECT_FALSE(is_priced(p, {.format = "bsr", .kernel = "lanes_on_blocks"}, machine(true)));
  EXPECT_TRUE(is_priced(p, {.format = "bsr", .kernel = "lanes_on_blocks"}, machine(false)));
  EXPECT_TRUE(is_priced(p, {.format = "csr", .kernel = "vector_per_row"}, machine(true)));
  EXPECT_FALSE(is_priced(p, {.format = "dia", .kernel = "vector_per_row"}, machine(true)));
}

/// Statistics of rows of the given lengths; columns lie anywhere.
template <class Length>
RowStats stats_of(std::int64_t rows, std::int64_t cols, Length const& length_of) {
  RowStats s;
  s.rows = rows;
  s.cols = cols;
  s.min_length = cols;
  double squares = 0;
  for (std::int64_t row = 0; row < rows; ++row) {
    std::int64_t const length = length_of(row);
    s.nnz += length;
    s.min_length = std::min(s.min_length, length);
    s.max_length = std::max(s.max_length, length);
    squares += static_cast<double>(length) * static_cast<double>(length);
    std::size_t bin = 0;
    while (length >> bin) ++bin;
    ++s.length_histogram[bin];
  }
  s.mean_length = static_cast<double>(s.nnz) / static_cast<double>(rows);
  s.length_deviation = std::sqrt(std::max(0.0, squares / static_cast<double>(rows) - s.mean_length * s.mean_length));
  s.empty_rows = s.length_histogram[0];
  s.lower_bandwidth = rows - 1;
  s.upper_bandwidth = cols - 1;
  return s;
}

Machine large_gpu() {
  return {.space = "Cuda",
          .device = true,
          .concurrency = 132 * 2048,
          .read_bandwidth = 4.6e12,
          .copy_bandwidth = 4.3e12,
          .triad_bandwidth = 4.3e12,
          .cache_bandwidth = 8.4e12,
          .launch_seconds = 2.6e-6,
          .flops = 3.4e13,
          .cache_bytes = std::uint64_t{60} << 20};
}

/// A Pareto law of exponent 2.1, cut off at a sixteenth of the columns.
RowStats power_law() {
  return stats_of(2000000, 2000000, [](std::int64_t row) {
    double const u = (static_cast<double>(row) + 0.5) / 2000000;
    return static_cast<std::int64_t>(std::min(125000.0, 2 * std::pow(u, -1 / 1.1)));
  });
}
/// A few wires a node, and supply nets of 20000.
RowStats circuit() {
  return stats_of(5000000, 5000000, [](std::int64_t row) { return row % 25000 == 7 ? 20000 : 2 + row % 5 / 2; });
}
/// Few wide rows.
RowStats linear_program() {
  return stats_of(20000, 1000000, [](std::int64_t row) { return row < 40 ? 40000 : 120 + row % 40; });
}
/// 3 unknowns a node, and one constraint that couples a tenth of them.
RowStats fem_with_a_dense_row() {
  return stats_of(800000, 800000, [](std::int64_t row) { return row == 9 ? 80000 : 81; });
}

/// Candidates in the order in which the model alone takes them, most promising first.
std::vector<Choice> ranking(Problem const& p, Machine const& m) {
  auto report = detail::modelled_report(p, m, {});
  detail::prune(report, std::uint64_t{70} << 30);
  detail::leave_out_unpriced(report);
  detail::rank(report);
  std::vector<Choice> all;
  for (auto const& c : report.candidates)
    if (c.status == CandidateStatus::modelled) all.push_back(c.choice);
  return all;
}

/// Do lanes or a warp walk whole rows, however long? 125000 entries took cuSPARSE's time 8 to 27 times over.
bool walks_rows(Choice const& c) {
  return !is_partitioned(c) && !is_csr_in_panels(c) &&
         (c.format == "csr" || c.format == "ell" || c.format == "sell" || c.format == "bsr");
}

TEST(Model, HeldMatricesWinByTheirPriceAndTellTheirConversion) {
  auto p = held_problem();
  auto const m = large_gpu();
  EXPECT_EQ(label(ranking(p, m).front()), "csr/jammed");
  p.allow_dense = true;
  EXPECT_EQ(label(ranking(p, m).front()), "dense/cublas");
  p.held.back().by_model = false;  // a model alone does not choose what nobody measured
  EXPECT_EQ(label(ranking(p, m).front()), "csr/jammed");
  Choice const jammed{.format = "csr", .kernel = "jammed"};
  EXPECT_EQ(modelled_conversion_seconds(p, jammed, m), 25e-3);
  EXPECT_EQ(format_bytes(p, jammed), 3300000u);
  EXPECT_FALSE(predicted_footprint(p, jammed).exact);
  // Bytes bind where operands are far larger than the caches that the rule was fitted to.
  p.columns = 1 << 20;
  EXPECT_GT(modelled_seconds(p, jammed, m), 1e-3);
  // Limits hold for what kernels pack of csr too.
  auto report = detail::modelled_report(held_problem(), m, {});
  detail::prune(report, 1000);
  for (auto const& c : report.candidates)
    if (is_held(c.choice)) {
      EXPECT_EQ(c.status, CandidateStatus::pruned) << label(c.choice);
    }
}

TEST(Model, OnDevicesSkewedRowsGoToKernelsOfEqualPieces) {
  auto const m = large_gpu();
  for (auto const& stats : {power_law(), circuit(), linear_program(), fem_with_a_dense_row()})
    for (int const value_bytes : {4, 8}) {
      Problem p;
      p.stats = stats;
      p.value_bytes = p.x_bytes = p.y_bytes = value_bytes;
      p.cuda_kernels = true;
      p.chunk_rows = 2 * 1024 * stats.rows / stats.nnz;
      p.block_fill = {{2, 2, 1.5}, {3, 3, 2.0}, {4, 4, 3.0}};
      EXPECT_EQ(label(ranking(p, m).front()), "csr/equal_chunks") << stats.nnz << " entries";
      // Millions of empty rows behind one another would all fall to one block.
      auto hollow = p;
      hollow.chunk_rows = 4000000;
      EXPECT_NE(label(ranking(hollow, m).front()), "csr/equal_chunks");
      for (bool const cuda_kernels : {false, true})
        for (bool const deterministic : {false, true}) {
          p.cuda_kernels = cuda_kernels;
          p.deterministic = deterministic;
          auto const best = ranking(p, m).front();
          EXPECT_FALSE(walks_rows(best)) << label(best) << ", " << stats.nnz << " entries";
        }
    }
}

TEST(Model, OnDevicesEvenRowsKeepTheirKernels) {
  auto const m = large_gpu();
  Problem p;
  p.stats = stats_of(2097152, 2097152, [](std::int64_t) { return 27; });
  p.stats.lower_bandwidth = p.stats.upper_bandwidth = 16513;
  p.cuda_kernels = true;
  p.chunk_rows = 38;
  EXPECT_TRUE(walks_rows(ranking(p, m).front()));
  Choice const vector{.format = "csr", .kernel = "vector_per_row", .vector_length = 8};
  Choice const balanced{.format = "csr", .kernel = "balanced"};
  EXPECT_LT(modelled_seconds(p, vector, m), modelled_seconds(p, balanced, m));
}

TEST(Model, ALongRowCostsItsPasses) {
  auto const m = large_gpu();
  Problem p;
  p.stats = power_law();
  auto const seconds = [&](Choice const& c) { return modelled_seconds(p, c, m); };
  Choice const narrow{.format = "csr", .kernel = "vector_per_row", .vector_length = 8};
  Choice wide = narrow;
  wide.vector_length = 32;
  // Measured with 8 lanes: 6.5 ms in Kokkos Kernels, 2 ms at two entries a lane.
  EXPECT_GT(seconds(narrow), 2e-3);
  EXPECT_LT(seconds(narrow), 20e-3);
  EXPECT_NEAR(seconds(narrow) / seconds(wide), 4, 0.2);
  EXPECT_GT(seconds({.format = "csr", .kernel = "thread_per_row"}), 2e-3);
}

TEST(Model, OnAHostPiecesDoNotWaitForTheLongestRow) {
  Problem p;
  p.stats = stats_of(1000, 5000000, [](std::int64_t row) { return row == 7 ? 4000000 : 10; });
  auto m = machine(false, 16);
  m.read_bandwidth = 1e12;
  double const balanced = modelled_seconds(p, {.format = "csr", .kernel = "balanced"}, m);
  EXPECT_LT(balanced, modelled_seconds(p, {.format = "csr", .kernel = "thread_per_row"}, m) / 4);
  p.host_simd = true;
  EXPECT_GE(balanced, modelled_seconds(p, {.format = "csr", .kernel = "host_simd"}, m));
}

// Requests to the L2 bind where columns lie anywhere: panels of x in shared memory save them, at the price of bytes.
TEST(Model, ColumnsThatLieAnywhereGoToPanels) {
  auto const m = large_gpu();
  for (auto const& stats :
       {stats_of(2000000, 2000000, [](std::int64_t) { return 16; }), power_law(), linear_program()}) {
    Problem p;
    p.stats = stats;
    p.value_bytes = p.x_bytes = p.y_bytes = 4;
    p.cuda_kernels = true;
    p.chunk_rows = 2 * 1024 * stats.rows / stats.nnz;
    p.gathered_lines = 1;
    EXPECT_EQ(label(ranking(p, m).front()), "csr/column_panels") << stats.nnz << " entries";
    p.gathered_lines = 0.1;
    EXPECT_NE(label(ranking(p, m).front()), "csr/column_panels") << stats.nnz << " entries";
    // Products of twice the bytes go through the L2 twice.
    p.gathered_lines = 1;
    p.value_bytes = p.x_bytes = p.y_bytes = 8;
    EXPECT_NE(label(ranking(p, m).front()), "csr/column_panels") << stats.nnz << " entries";
  }
}

// Random columns of a band: steps of 10 bits in place of 16 a column, until neighbours are too far apart for them.
TEST(Model, NeighboursInABandGoToSteps) {
  auto const m = large_gpu();
  Problem p;
  p.stats = stats_of(3400000, 3400000, [](std::int64_t) { return 16; });
  p.stats.lower_bandwidth = p.stats.upper_bandwidth = 1000;
  p.block_fill = {{1, 2, 1.9}, {1, 4, 3.7}, {2, 2, 3.8}, {3, 3, 8.0}, {4, 4, 14.0}};
  p.cuda_kernels = true;
  Choice const steps{.format = "csr", .kernel = "column_steps"};
  // Diagonals may hold it all for what the statistics say: plans count them before they choose.
  auto const goes_before_narrow = [&] {
    auto const order = ranking(p, m);
    auto const narrow = std::find_if(order.begin(), order.end(), [](Choice const& c) {
      return c.format == "sell" && c.narrow && !c.diagonals && c.kernel == "rows_per_lane";
    });
    return std::find(order.begin(), order.end(), steps) < narrow;
  };
  for (int const value_bytes : {4, 8}) {
    p.value_bytes = p.x_bytes = p.y_bytes = value_bytes;
    EXPECT_TRUE(goes_before_narrow()) << value_bytes;
    auto const bytes = static_cast<double>(format_bytes(p, steps)) / static_cast<double>(p.stats.nnz);
    EXPECT_NEAR(bytes, value_bytes + 1.5, 0.1);
  }
  EXPECT_EQ(storage_label(steps), "csr in steps");
  p.stats.lower_bandwidth = p.stats.upper_bandwidth = 30000;
  EXPECT_FALSE(goes_before_narrow());
  EXPECT_GT(format_bytes(p, steps), 2 * static_cast<std::uint64_t>(p.stats.nnz) * 9);
}

// 3 unknowns a node with full blocks: the packing reads 8.4 bytes an entry, and is a matrix of its own.
TEST(Model, FullBlocksGoToSlices) {
  auto const m = large_gpu();
  Problem p;
  p.stats = stats_of(800000, 800000, [](std::int64_t) { return 81; });
  p.stats.lower_bandwidth = p.stats.upper_bandwidth = 13000;
  p.cuda_kernels = true;
  p.block_fill = {{1, 2, 1.3}, {1, 4, 1.6}, {2, 2, 1.6}, {3, 3, 1.0}, {4, 4, 1.7}};
  Choice const slices{.format = "bsr", .kernel = "slices", .block_rows = 3, .block_cols = 3};
  auto const order = ranking(p, m);
  auto const first_of = [&](std::string_view format) {
    return std::find_if(order.begin(), order.end(), [&](Choice const& c) { return c.format == format; });
  };
  ASSERT_NE(first_of("bsr"), order.end());
  EXPECT_EQ(*first_of("bsr"), slices);
  EXPECT_LT(first_of("bsr") - order.begin(), first_of("csr") - order.begin());
  Choice as_it_lies = slices;
  as_it_lies.kernel = "warp_per_block_row";
  EXPECT_NE(storage_label(slices), storage_label(as_it_lies));
  // The structure is kept beside the packing for new values, but not read.
  EXPECT_GT(format_bytes(p, slices), format_bytes(p, as_it_lies));
  EXPECT_LT(traffic(p, slices, m).matrix_bytes, 1.01 * traffic(p, as_it_lies, m).matrix_bytes);
}

TEST(Footprint, CountsThePartitionOfEqualPieces) {
  auto const p = thousand_rows_of_ten();
  auto const csr = predicted_footprint(p, {.format = "csr", .kernel = "vector_per_row"}).bytes;
  // 11000 entries and ends of rows are 11 pieces, 10000 entries are 10: a carry and a row each, and one row more.
  EXPECT_EQ(predicted_footprint(p, {.format = "csr", .kernel = "balanced"}).bytes, csr + 11 * 16 + 12 * 4);
  EXPECT_EQ(predicted_footprint(p, {.format = "csr", .kernel = "equal_chunks"}).bytes, csr + 10 * 16 + 11 * 4);
}

TEST(Model, ConversionsCostNothingWithoutOne) {
  auto const p = thousand_rows_of_ten();
  EXPECT_EQ(modelled_conversion_seconds(p, {.format = "csr", .kernel = "host_simd"}, machine(false)), 0);
  double const plain = modelled_conversion_seconds(p, {.format = "sell", .kernel = "thread_per_row"}, machine(false));
  EXPECT_GT(plain, 0);
  EXPECT_GT(
      modelled_conversion_seconds(p, {.format = "sell", .diagonals = true, .kernel = "thread_per_row"}, machine(false)),
      plain);
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
  // Where nothing was measured the model's conversion counts.
  CandidateReport modelled{
      .choice = {.format = "ell", .kernel = "thread_per_row"}, .modelled_seconds = 1, .modelled_conversion_seconds = 7};
  EXPECT_EQ(break_even_products(report, modelled), 4);
}

}  // namespace
}  // namespace araia::test
