// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which formats and kernels a plan looks at, and why others are illegal.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "plan/problems.hpp"
#include "src/plan/race.hpp"
#include "support/errors.hpp"

namespace araia::test {
namespace {

TEST(Candidates, PatternsHaveTheDevicesKernelsThatNeedNoValues) {
  Problem p = thousand_rows_of_ten();
  p.cuda_kernels = true;
  p.block_fill = {{.block_rows = 2, .block_cols = 2, .fill = 1}};
  auto const kernels_of = [&](int value_bytes) {
    p.value_bytes = value_bytes;
    std::vector<std::string> names;
    for (auto const& c : candidates(p, machine(true))) names.push_back(format_label(c) + '/' + c.kernel);
    return names;
  };
  auto const has = [](std::vector<std::string> const& names, char const* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  auto const of_values = kernels_of(8);
  auto const of_pattern = kernels_of(0);
  for (char const* name : {"csr/sub_warp", "csr/equal_chunks", "sell/rows_per_lane", "sell+narrow/rows_per_lane"}) {
    EXPECT_TRUE(has(of_values, name)) << name;
    EXPECT_TRUE(has(of_pattern, name)) << name;
  }
  for (char const* name : {"csr/column_panels", "csr/column_steps", "sell+diagonals/rows_per_lane", "bsr/slices"}) {
    EXPECT_TRUE(has(of_values, name)) << name;
    EXPECT_FALSE(has(of_pattern, name)) << name;
  }
}

TEST(Candidates, AreLegalDistinctAndLedByTheCsrDefault) {
  for (bool const device : {false, true})
    for (bool const spmm : {false, true})
      for (Op const op : {Op::none, Op::transpose, Op::conjugate_transpose, Op::conjugate})
        for (std::int64_t const columns : {1, 2, 7, 64}) {
          auto p = thousand_rows_of_ten();
          p.operation = spmm ? OpId::spmm : OpId::spmv;
          p.columns = spmm ? columns : 1;
          p.op = op;
          p.host_simd = !device && !transposes(op);
          p.cuda_kernels = device && !transposes(op);
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

TEST(Candidates, ScatteredRowsOfBGoToTheKernelThatKnows) {
  auto p = thousand_rows_of_ten();
  p.operation = OpId::spmm;
  p.columns = 64;
  p.host_simd = true;
  Choice const runs{.format = "csr", .kernel = "host_simd_runs"};
  auto const place = [&] {
    auto const all = candidates(p, machine(false));
    return std::find(all.begin(), all.end(), runs) - all.begin();
  };
  auto const beyond = static_cast<std::ptrdiff_t>(candidates(p, machine(false)).size());
  EXPECT_EQ(place(), beyond);  // neither runs nor scattered rows
  p.scattered_rows = true;
  EXPECT_EQ(place(), 0);
  p.shared_entries = 1;
  EXPECT_EQ(place(), 0);
  p.scattered_rows = false;
  EXPECT_EQ(place(), 1);
}

TEST(Candidates, ShortRowsOfChangingLengthsMayGoInOrderOfLength) {
  auto p = thousand_rows_of_ten();
  p.operation = OpId::spmm;
  p.columns = 32;
  p.stats.length_deviation = 3;
  Choice const ordered{.format = "csr", .rows_by_length = true, .kernel = "host_simd"};
  auto const listed = [&] {
    auto const all = candidates(p, machine(false));
    return std::count(all.begin(), all.end(), ordered);
  };
  EXPECT_EQ(listed(), 1);
  auto const leaves_out = [&](char const* why, auto const& change) {
    auto const before = p;
    change();
    EXPECT_EQ(listed(), 0) << why;
    p = before;
  };
  leaves_out("wide rows of C hide a branch", [&] { p.columns = 33; });
  leaves_out("long rows", [&] { p.stats.nnz = 16001; });
  leaves_out("rows of nearly one length", [&] { p.stats.length_deviation = 0.2; });
  leaves_out("rows in runs", [&] { p.shared_entries = p.stats.nnz / 2; });
  leaves_out("the matrix brings an order", [&] { p.source_permuted = true; });
  leaves_out("B by columns", [&] { p.b_by_rows = false; });
  // Of like price: without a measurement rows stay where they are.
  auto const m = machine(false);
  EXPECT_LE(modelled_seconds(p, {.format = "csr", .kernel = "host_simd"}, m), modelled_seconds(p, ordered, m));
}

TEST(Candidates, DeterministicOnesUseNoAtomics) {
  auto p = thousand_rows_of_ten();
  p.deterministic = true;
  for (bool const device : {false, true})
    for (auto const& c : candidates(p, machine(device))) EXPECT_NE(c.format, "coo");
  p.op = Op::transpose;
  for (bool const device : {false, true})
    for (auto const& c : candidates(p, machine(device))) EXPECT_EQ(c.format, "csc");  // it gathers
  // Made on one thread, a plan runs on instances of more.
  for (auto const& c : candidates(p, machine(false, 1))) EXPECT_EQ(c.format, "csc");
  auto serial = machine(false, 1);
  serial.space = "Serial";
  EXPECT_EQ(format_label(candidates(p, serial).front()), "csr");  // one thread adds in one order
  p.op = Op::none;
  auto const has = [&](bool device, char const* kernel) {
    auto const all = candidates(p, machine(device));
    return std::any_of(all.begin(), all.end(), [&](Choice const& c) { return c.kernel == kernel; });
  };
  EXPECT_TRUE(has(false, "block_per_team"));
  EXPECT_FALSE(has(true, "block_per_team"));  // threads of a device's team meet in scratch by atomics
  EXPECT_FALSE(has(false, "ell_then_tail"));
}

TEST(Candidates, WhatLeavesNoneIsNamed) {
  auto p = thousand_rows_of_ten();
  p.deterministic = true;
  std::string message;
  auto const none = [&] { (void)detail::modelled_report(p, machine(false), {"coo", "hyb"}); };
  EXPECT_EQ(kind_of(none, &message), ErrorKind::unsupported);
  EXPECT_EQ(
      message,
      "araia::make_plan: no deterministic kernel for spmv with op none in the formats asked for (coo, hyb): kernel "
      "'atomic' of coo sums by atomics, which deterministic plans refuse");
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

TEST(Candidates, CudaKernelsOfSpmmAreListedAndSayWhatTheyRead) {
  auto p = thousand_rows_of_ten();
  p.operation = OpId::spmm;
  p.columns = 16;
  auto const m = machine(true);
  auto const has = [&](Choice const& wanted) {
    auto const all = candidates(p, m);
    return std::find(all.begin(), all.end(), wanted) != all.end();
  };
  Choice const merge_split{.format = "csr", .kernel = "merge_split"};
  Choice const compact{.format = "bcsc", .compact = true, .kernel = "tiled", .block_height = 64};
  EXPECT_FALSE(has(merge_split));
  EXPECT_NE(why_illegal(p, merge_split, m), "");
  p.cuda_kernels = true;
  EXPECT_TRUE(has(merge_split));
  EXPECT_FALSE(has(compact));  // slower than the wide form wherever measured
  EXPECT_EQ(why_illegal(p, compact, m), "");
  EXPECT_NE(why_illegal(p, merge_split, machine(false)), "");
  Choice by_length = merge_split;
  by_length.rows_by_length = true;
  EXPECT_NE(why_illegal(p, by_length, m).find("order"), std::string::npos);
  EXPECT_EQ(why_illegal(p, {.format = "bcsc", .compact = true, .kernel = "warp_centric", .block_height = 64}, m), "");
  EXPECT_NE(why_illegal(p, {.format = "bcsc", .compact = true, .kernel = "short_blocks", .block_height = 8}, m)
                .find("wide form"),
            std::string::npos);
  p.op = Op::transpose;
  EXPECT_NE(why_illegal(p, merge_split, m), "");
}

TEST(Candidates, BlocksOnHostsGoToTheSimdKernelWhereItReadsBAndHasValues) {
  auto p = thousand_rows_of_ten();
  p.operation = OpId::spmm;
  p.columns = 16;
  auto const m = machine(false);
  Choice const blocks{.format = "bsr", .kernel = "host_simd", .block_rows = 3, .block_cols = 3};
  auto const kernel = [&] {
    auto const all = candidates(p, m);
    auto const bsr = std::find_if(all.begin(), all.end(), [](Choice const& c) { return c.format == "bsr"; });
    return bsr == all.end() ? std::string() : bsr->kernel;
  };
  EXPECT_EQ(kernel(), "host_simd");
  p.block_fill = {{3, 3, 1.0}};
  EXPECT_TRUE(is_priced(p, blocks, m));
  p.block_fill = {{3, 3, 1.2}};
  EXPECT_FALSE(is_priced(p, blocks, m));  // what is not finite would reach rows that a Csr keeps it from
  p.b_by_rows = false;
  EXPECT_EQ(kernel(), "columns_on_lanes");
  EXPECT_NE(why_illegal(p, blocks, m).find("by rows"), std::string::npos);
  p.b_by_rows = true;
  p.value_bytes = 0;
  EXPECT_EQ(kernel(), "columns_on_lanes");
  EXPECT_NE(why_illegal(p, blocks, m).find("pattern"), std::string::npos);
  p.value_bytes = 8;
  p.host_simd = false;
  EXPECT_EQ(kernel(), "columns_on_lanes");
  EXPECT_NE(why_illegal(p, blocks, m), "");
  EXPECT_NE(why_illegal(p, blocks, machine(true)), "");
}

TEST(Candidates, BcscOnHostsGoesToTheSimdKernelWhereItReadsB) {
  auto p = thousand_rows_of_ten();
  p.operation = OpId::spmm;
  p.columns = 16;
  auto const m = machine(false);
  Choice const choice{.format = "bcsc", .compact = true, .kernel = "host_simd", .block_height = 64};
  auto const kernel = [&] {
    auto const all = candidates(p, m);
    auto const bcsc = std::find_if(all.begin(), all.end(), [](Choice const& c) { return c.format == "bcsc"; });
    return bcsc == all.end() ? std::string() : bcsc->kernel;
  };
  for (int const value_bytes : {8, 0}) {  // patterns too
    p.value_bytes = value_bytes;
    EXPECT_EQ(kernel(), "host_simd");
    EXPECT_EQ(why_illegal(p, choice, m), "");
  }
  p.b_by_rows = false;
  EXPECT_EQ(kernel(), "naive");
  EXPECT_NE(why_illegal(p, choice, m).find("by rows"), std::string::npos);
  p.b_by_rows = true;
  p.host_simd = false;
  EXPECT_EQ(kernel(), "naive");
  EXPECT_NE(why_illegal(p, choice, m), "");
  EXPECT_NE(why_illegal(p, choice, machine(true)), "");
}

/// The choice with these parameters of the kernel's own.
Choice with(Choice choice, std::vector<OwnParameter> const& own) {
  for (auto const& p : own) choice.set(p.name, p.value);
  return choice;
}

TEST(Candidates, TilesAreTakenInTheShapesThatAreBuilt) {
  auto p = thousand_rows_of_ten();
  p.operation = OpId::spmm;
  p.columns = 64;
  p.cuda_kernels = true;
  p.value_bytes = p.x_bytes = p.y_bytes = 4;
  auto const m = machine(true);
  Choice const tiled{.format = "bcsc", .kernel = "tiled", .block_height = 128};
  auto const reason = [&](Choice const& choice, std::vector<OwnParameter> const& own) {
    return why_illegal(p, with(choice, own), m);
  };
  auto const shape = [](int tx, int ty, int ix, int iy, int k) -> std::vector<OwnParameter> {
    return {{"threads_x", tx}, {"threads_y", ty}, {"items_x", ix}, {"items_y", iy}, {"k_tile", k}};
  };
  // The best rows of the thesis's tables 4.4 and 4.7, and shapes with warps that fill the chunks.
  for (auto const& built :
       {shape(16, 16, 4, 8, 16), shape(8, 32, 4, 4, 32), shape(8, 16, 1, 1, 32), shape(8, 16, 2, 1, 32),
        shape(8, 16, 4, 1, 16), shape(16, 8, 4, 1, 16), shape(16, 8, 4, 4, 16), shape(16, 8, 8, 4, 16),
        shape(32, 8, 8, 4, 16), shape(32, 16, 8, 8, 32), shape(32, 8, 4, 16, 32), shape(8, 64, 4, 2, 32)})
    EXPECT_EQ(reason(tiled, built), "") << label(with(tiled, built));
  auto const refusal = reason(tiled, shape(16, 16, 4, 8, 12));
  EXPECT_NE(refusal.find("{threads_x 16, threads_y 16, items_x 4, items_y 8, k_tile 16, stages 1 or 2}"),
            std::string::npos)
      << refusal;
  EXPECT_NE(refusal.find("{threads_x 32, threads_y 16, items_x 8, items_y 8, k_tile 32, stages 2 to 4}"),
            std::string::npos)
      << refusal;
  EXPECT_EQ(reason(tiled, {{"stages", 1}}), "");
  EXPECT_EQ(reason(tiled, {{"stages", 4}, {"parts", 8}, {"dense_percent", 40}}), "");
  EXPECT_NE(reason(tiled, {{"stages", 5}}), "");
  EXPECT_NE(reason(tiled, {{"stages", 1}, {"parts", 2}}), "") << "clusters belong to the shapes with producers";
  EXPECT_EQ(reason(tiled, {{"k_tile", 16}, {"vector_width", 1}}), "");
  EXPECT_NE(reason(tiled, {{"k_tile", 16}, {"vector_width", 2}}), "");
  Choice compact = tiled;
  compact.compact = true;
  EXPECT_NE(reason(compact, {{"k_tile", 16}}), "") << "the compact form is for the shapes with producers";
  EXPECT_EQ(reason(compact, {{"items_y", 16}}), "");
  EXPECT_NE(reason(tiled, {{"warps", 8}}).find("does not read warps"), std::string::npos);
  EXPECT_NE(reason(tiled, {{"threads_x", -8}}), "");
  // Sixteen bytes hold two columns of double.
  p.value_bytes = p.x_bytes = p.y_bytes = 8;
  EXPECT_EQ(reason(tiled, shape(16, 16, 4, 8, 16)), "");
  EXPECT_NE(reason(tiled, shape(32, 16, 8, 8, 32)), "");
  EXPECT_EQ(reason(tiled, shape(32, 16, 4, 8, 32)), "");
}

TEST(Candidates, LogicalWarpsFillAThreadBlock) {
  auto p = thousand_rows_of_ten();
  p.operation = OpId::spmm;
  p.columns = 64;
  p.cuda_kernels = true;
  auto const m = machine(true);
  for (char const* const kernel : {"warp_centric", "warp_centric_atomic"}) {
    auto const reason = [&](std::vector<OwnParameter> const& own) {
      return why_illegal(p, with({.format = "bcsc", .kernel = kernel, .block_height = 64}, own), m);
    };
    EXPECT_EQ(reason({{"warp_size", 16}, {"warps", 16}}), "");
    EXPECT_EQ(reason({{"warp_size", 8}, {"warps", 32}, {"vector_width", 2}}), "");
    EXPECT_NE(reason({{"warp_size", 12}}).find("warp_size is 12, expected 8, 16 or 32"), std::string::npos);
    EXPECT_NE(reason({{"warp_size", 32}, {"warps", 9}}), "") << "288 threads";
    EXPECT_NE(reason({{"warp_size", 8}, {"warps", 3}}), "") << "24 threads are no warps of 32";
    EXPECT_NE(reason({{"vector_width", 4}}), "") << "16 bytes are two columns of double";
  }
}

TEST(Candidates, HeightsOfBlocksVaryByEntriesOrByColumns) {
  auto p = thousand_rows_of_ten();
  p.operation = OpId::spmm;
  p.columns = 16;
  auto const m = machine(false);
  auto const reason = [&](Choice choice) {
    choice.format = "bcsc";
    choice.kernel = "naive";
    return why_illegal(p, choice, m);
  };
  EXPECT_EQ(reason({.block_height = 32, .block_entries = 400}), "");
  EXPECT_EQ(reason({.block_height = 32, .block_columns = 200}), "");
  EXPECT_NE(reason({.block_entries = 400, .block_columns = 200}).find("block_columns"), std::string::npos);
  EXPECT_EQ(reason({.compact = true, .block_height = 128, .block_entries = 400}), "");
  EXPECT_NE(reason({.compact = true, .block_entries = 400}).find("block_height"), std::string::npos)
      << "blocks may have 256 rows and more";
  EXPECT_EQ(reason({.split = true, .dense_entries = 5}), "");
  EXPECT_NE(reason({.dense_entries = 5}).find("split"), std::string::npos);
  EXPECT_NE(why_illegal(p, {.format = "csr", .kernel = "host_simd", .block_entries = 3}, m).find("bcsc"),
            std::string::npos);
}

TEST(Candidates, TensorCoresMultiplyBsrInThePrecisionAskedFor) {
  auto p = thousand_rows_of_ten();
  p.operation = OpId::spmm;
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

TEST(Candidates, PackedMatricesAreThoseOfTheirRule) {
  auto p = pruned_problem();
  auto const m = machine(true);
  auto const reason = [&](Choice const& c) { return why_illegal(p, c, m); };
  EXPECT_EQ(reason({.format = "csr", .kernel = "jammed"}), "");
  auto narrow = p;
  narrow.columns = 64;
  EXPECT_NE(why_illegal(narrow, {.format = "csr", .kernel = "lockstep"}, m).find("64 columns"), std::string::npos);
  narrow.bound = {};
  EXPECT_NE(why_illegal(narrow, {.format = "csr", .kernel = "padded_rows"}, m).find("types"), std::string::npos);
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
  p.value_bytes = 0;  // a pattern's dense matrix has values
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

}  // namespace
}  // namespace araia::test
