// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every invariant of BCSC and its compact form has a mutant that validate() names.
#include <araia/detail/formats/csr_to_bcsc.hpp>

#include "support/bcsc.hpp"
#include "support/formats.hpp"

#include <gtest/gtest.h>

namespace araia::test {
namespace {

TestMatrix const& mutant() {
  static TestMatrix const m = random_matrix("mutant", 40, 30, 6);
  return m;
}

auto fresh(BcscOptions const& options = {.block_height = 16}) {
  return csr_to_bcsc(Device(), device_csr<double, std::int32_t, Device>(mutant()), options);
}

TEST(BcscValidation, SizesAndHeights) {
  auto A = fresh();
  A.cols = -1;
  expect_broken<Device>(A, "must not be negative");
  A = fresh();
  A.block_height = 0;
  expect_broken<Device>(A, "block_height must be 1 or more");
  A = fresh();
  A.blocks = 2;
  expect_broken<Device>(A, "blocks must be rows / block_height, rounded up, got 2");
  A = fresh();
  A.blocks = std::int64_t{1} << 31;
  expect_broken<Device>(A, "blocks must fit 32 bits");
  A = fresh();
  A.block_offsets = Kokkos::subview(A.block_offsets, Kokkos::make_pair(0, 3));
  expect_broken<Device>(A, "block_offsets holds 3 elements, expected 4");
  A = fresh();
  A.block_cols = Kokkos::subview(A.block_cols, Kokkos::make_pair(0, 3));
  expect_broken<Device>(A, "block_cols holds 3 elements");
  A = fresh();
  A.col_offsets = Kokkos::subview(A.col_offsets, Kokkos::make_pair(0, 3));
  expect_broken<Device>(A, "col_offsets holds 3 elements");
  A = fresh();
  A.row_in_block = Kokkos::subview(A.row_in_block, Kokkos::make_pair(0, 3));
  expect_broken<Device>(A, "row_in_block holds 3 elements");
  A = fresh();
  A.values = Kokkos::subview(A.values, Kokkos::make_pair(0, 3));
  expect_broken<Device>(A, "values holds 3 elements");
  A = fresh({.heights = BcscHeights::by_entries, .per_block = 60});
  poke(A.block_rows, 0, 1);
  expect_broken<Device>(A, "block_rows(0) must be 0");
  A = fresh({.heights = BcscHeights::by_entries, .per_block = 60});
  poke(A.block_rows, 2, download<std::int32_t>(A.block_rows)[1]);
  expect_broken<Device>(A, "block_rows must ascend (first broken at block 1)");
  A = fresh({.heights = BcscHeights::by_entries, .per_block = 60});
  poke(A.block_rows, static_cast<std::size_t>(A.blocks), 39);
  expect_broken<Device>(A, "block_rows must end at rows");
  A = fresh({.heights = BcscHeights::by_entries, .per_block = 60});
  A.block_height = 1;
  expect_broken<Device>(A, "a block must have at most block_height rows (first broken at block 0)");
  Bcsc<double, std::int32_t, std::int32_t, Device::device_type> empty{.cols = 3};
  EXPECT_NO_THROW(checked(Device(), empty));
  auto const expect_no_entries = [](auto B) {
    B.cols = 3;
    B.nnz = 1;
    expect_broken<Device>(B, "must be 0 where there are no blocks");
    B.block_offsets = Kokkos::View<std::int32_t*, Device>("offsets", 1);
    B.row_in_block = typename decltype(B.row_in_block)::non_const_type("row_in_block", 1);
    expect_broken<Device>(B, "must be 0 where there are no blocks");
  };
  expect_no_entries(empty);
  expect_no_entries(BcscCompact<double, std::int32_t, std::int32_t, Device::device_type>{});
}

TEST(BcscValidation, OffsetsAndColumns) {
  auto A = fresh();
  poke(A.block_offsets, 0, 1);
  expect_broken<Device>(A, "block_offsets(0) must be 0");
  A = fresh();
  poke(A.block_offsets, 1, A.block_columns + 1);
  expect_broken<Device>(A, "block_offsets must not descend (first broken at block 1)");
  A = fresh();
  poke(A.block_offsets, 3, A.block_columns + 1);
  expect_broken<Device>(A, "block_offsets must end at block_columns");
  A = fresh();
  poke(A.col_offsets, 0, 1);
  expect_broken<Device>(A, "col_offsets(0) must be 0");
  A = fresh();
  poke(A.col_offsets, 6, download<std::int32_t>(A.col_offsets)[5]);
  expect_broken<Device>(A, "col_offsets must ascend (first broken at block column 5)");
  A = fresh();
  poke(A.col_offsets, static_cast<std::size_t>(A.block_columns), A.nnz + 1);
  expect_broken<Device>(A, "col_offsets must end at nnz");
  A = fresh();
  poke(A.block_cols, 4, 30);
  expect_broken<Device>(A, "block_cols must lie in [0, cols) (first broken at block column 4)");
  A = fresh();
  poke(A.block_cols, 4, -1);
  expect_broken<Device>(A, "block_cols must lie in [0, cols) (first broken at block column 4)");
  A = fresh();
  poke(A.block_cols, 4, download<std::int32_t>(A.block_cols)[3]);
  expect_broken<Device>(A, "block_cols must ascend within a block (first broken at block column 4)");
  A = fresh();
  poke(A.row_in_block, 9, 16);
  expect_broken<Device>(A, "row_in_block must lie within the block's rows");
  A = fresh();
  poke(A.row_in_block, 9, -1);
  expect_broken<Device>(A, "row_in_block must lie within the block's rows");
  A = fresh();
  auto const last = static_cast<std::size_t>(A.nnz) - 1;  // the last block has 8 rows
  poke(A.row_in_block, last, 8);
  expect_broken<Device>(A, "row_in_block must lie within the block's rows");
  A = fresh();
  auto const offsets = download<std::int32_t>(A.col_offsets);
  std::size_t j = 0;
  while (offsets[j + 1] - offsets[j] < 2) ++j;
  poke(A.row_in_block, static_cast<std::size_t>(offsets[j]), 15);
  expect_broken<Device>(
      A, "row_in_block must not descend within a column (first broken at block column " + std::to_string(j));
}

TEST(BcscValidation, SplitGatherAndPermutation) {
  BcscOptions const split{.block_height = 16, .split = true, .dense_entries = 4, .keep_gather = true};
  auto A = fresh(split);
  poke(A.split, 1, download<std::int32_t>(A.block_offsets)[2] + 1);
  expect_broken<Device>(A, "split must lie within the block's columns (first broken at block 1)");
  A = fresh(split);
  poke(A.split, 1, 0);
  expect_broken<Device>(A, "split must lie within the block's columns (first broken at block 1)");
  A = fresh();
  A.split = fresh(split).split;  // columns still ascend
  poke(A.split, 0, 0);
  poke(A.split, 1, download<std::int32_t>(A.block_offsets)[1]);
  poke(A.split, 2, download<std::int32_t>(A.block_offsets)[2]);
  expect_broken<Device>(A, "columns of a block must go by descending count, then ascend, where `split` is set");
  A = fresh(split);
  auto const cols = download<std::int32_t>(A.block_cols);
  auto const offsets = download<std::int32_t>(A.col_offsets);
  auto const last = static_cast<std::size_t>(download<std::int32_t>(A.block_offsets)[1]) - 1;
  // The last column of the first block takes the name of its first, which has more entries.
  std::size_t run = last;
  while (offsets[run] - offsets[run - 1] == offsets[last + 1] - offsets[last]) --run;
  poke(A.block_cols, run, cols[0]);
  if (run < last && cols[0] > cols[run + 1]) poke(A.block_cols, last, cols[0]);
  EXPECT_THROW(validate(Device(), A), Error);
  A = fresh(split);
  poke(A.gather, 0, 1000);
  expect_broken<Device>(A, "gather must lie within the block's entries (first broken at block 0)");
  A = fresh(split);
  poke(A.gather, 0, download<std::int64_t>(A.gather)[1]);
  expect_broken<Device>(A, "gather must name each entry once (first broken at block 0)");
  A = fresh(split);
  auto const gather = download<std::int64_t>(A.gather);
  auto const rows = download<std::int64_t>(A.row_in_block);
  std::size_t other = 1;
  while (rows[other] == rows[0]) ++other;
  poke(A.gather, 0, gather[other]);
  poke(A.gather, other, gather[0]);
  expect_broken<Device>(A, "gather must keep the order of rows (first broken at block 0)");
  A = fresh(split);
  A.gather = Kokkos::subview(A.gather, Kokkos::make_pair(0, 3));
  expect_broken<Device>(A, "gather holds 3 elements");
  A = fresh(split);
  A.split = Kokkos::subview(A.split, Kokkos::make_pair(0, 1));
  expect_broken<Device>(A, "split holds 1 elements");
  A = fresh();
  A.row_permutation = upload<std::int32_t, Device::device_type>("order", std::vector<int>(40, 7));
  expect_broken<Device>(A, "row_permutation must name each row once");
}

TEST(BcscValidation, ASplitNamesAColumnOnce) {
  // Two blocks; the first has columns 0, 1, 2 with 3, 2, 1 entries, and its last takes the name of its first.
  TestMatrix m{"counts", 4, 4, {0, 3, 5, 6, 7}, {0, 1, 2, 0, 1, 0, 3}, {1, 1, 1, 1, 1, 1, 1}};
  auto const A = csr_to_bcsc(Device(), device_csr<double, std::int32_t, Device>(m), {.block_height = 3, .split = true});
  EXPECT_NO_THROW(validate(Device(), A));
  poke(A.block_cols, 2, 0);
  expect_broken<Device>(A, "a block must name a column once (first broken at block column 2)");
}

TEST(BcscValidation, CompactForm) {
  for (auto const columns : {BcscColumns::narrow, BcscColumns::wide}) {
    bool const narrow = columns == BcscColumns::narrow;
    auto const compact = [&] { return compact_bcsc(Device(), fresh(), columns); };
    EXPECT_NO_THROW(validate(Device(), compact()));
    auto A = compact();
    poke(A.entry_offsets, 0, 1);
    expect_broken<Device>(A, "bcsc+compact: entry_offsets(0) must be 0");
    A = compact();
    poke(A.entry_offsets, 1, A.nnz + 1);
    expect_broken<Device>(A, "entry_offsets must not descend (first broken at block 1)");
    A = compact();
    poke(A.entry_offsets, 3, A.nnz - 1);
    expect_broken<Device>(A, "entry_offsets must end at nnz");
    A = compact();
    poke(A.col_counts, 2, 200);
    expect_broken<Device>(A, "col_counts must add up to the block's entries (first broken at block 0)");
    A = compact();
    A.col_counts = Kokkos::subview(A.col_counts, Kokkos::make_pair(0, 3));
    expect_broken<Device>(A, "col_counts holds 3 elements");
    A = compact();
    A.entry_offsets = Kokkos::subview(A.entry_offsets, Kokkos::make_pair(0, 3));
    expect_broken<Device>(A, "entry_offsets holds 3 elements");
    A = compact();
    if (narrow)
      poke(A.first_cols, 0, 29);
    else
      poke(A.block_cols, 1, -1);
    expect_broken<Device>(A, "columns must lie in [0, cols)");
    A = compact();
    if (narrow)
      poke(A.col_steps, 3, download<std::int32_t>(A.col_steps)[2]);
    else
      poke(A.block_cols, 3, download<std::int32_t>(A.block_cols)[2]);
    expect_broken<Device>(
        A, "only a part of 256 entries goes on in the next block column (first broken at block column 3)");
    A = compact();
    if (narrow)
      poke(A.col_steps, 3, download<std::int32_t>(A.col_steps)[1]);
    else
      poke(A.block_cols, 3, download<std::int32_t>(A.block_cols)[1]);
    expect_broken<Device>(A, "block_cols must ascend within a block (first broken at block column 3)");
    A = compact();
    poke(A.row_in_block, 9, 16);
    expect_broken<Device>(A, "row_in_block must lie within the block's rows");
    A = compact();
    if (narrow)
      A.first_cols = Kokkos::subview(A.first_cols, Kokkos::make_pair(0, 1));
    else
      A.block_cols = Kokkos::subview(A.block_cols, Kokkos::make_pair(0, 1));
    expect_broken<Device>(A, "holds 1 elements");
  }
}

}  // namespace
}  // namespace araia::test
