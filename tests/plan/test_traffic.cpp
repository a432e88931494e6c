// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes that a product moves and that a format takes, by sizes alone.
#include <gtest/gtest.h>

#include <limits>

#include "plan/problems.hpp"

namespace araia::test {
namespace {

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
  EXPECT_FALSE(diagonals.bound);
}

TEST(Footprint, OfDiagonalsThatNobodyLookedForIsABound) {
  auto p = thousand_rows_of_ten();
  auto const of = [&p](bool diagonals) {
    return predicted_footprint(p, {.format = "sell", .diagonals = diagonals, .kernel = {}});
  };
  EXPECT_TRUE(of(true).bound);  // whatever runs there
  EXPECT_LT(of(true).bytes, of(false).bytes);
  EXPECT_FALSE(of(false).bound);
  p.shared_entries = 0;
  EXPECT_FALSE(of(true).bound);
  EXPECT_EQ(of(true).bytes, of(false).bytes);
  p.value_bytes = 0;  // of a pattern rows that share columns do not tell it
  EXPECT_TRUE(of(true).bound);
  EXPECT_FALSE(of(false).bound);
}

TEST(Footprint, CountsThePartitionOfEqualChunks) {
  auto p = thousand_rows_of_ten();
  auto const csr = predicted_footprint(p, {.format = "csr", .kernel = "vector_per_row"}).bytes;
  // 11000 entries and ends of rows are 11 chunks, 10000 entries are 10: a carry and a row each, and one row more.
  EXPECT_EQ(predicted_footprint(p, {.format = "csr", .kernel = "balanced"}).bytes, csr + 11 * 16 + 12 * 4);
  EXPECT_EQ(predicted_footprint(p, {.format = "csr", .kernel = "equal_chunks"}).bytes, csr + 10 * 16 + 11 * 4);
  // 688 chunks of 16 entries and ends of rows, a carry of six columns for eight of them.
  p.operation = OpId::spmm;
  p.columns = 6;
  EXPECT_EQ(predicted_footprint(p, {.format = "csr", .kernel = "merge_split"}).bytes, csr + 689 * 4 + 86 * 6 * 8);
}

}  // namespace
}  // namespace araia::test
