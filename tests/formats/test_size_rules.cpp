// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules on sizes and shapes, which the formats' own tests of broken rules leave out: one mutant each.
#include <gtest/gtest.h>

#include <araia/detail/formats/csr_to_bcsc.hpp>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/formats/csr_to_csc.hpp>
#include <araia/detail/formats/csr_to_hyb.hpp>
#include <araia/detail/formats/csr_to_sell.hpp>
#include <araia/detail/formats/sell_validate.hpp>
#include <araia/ops/transpose.hpp>
#include <cstdint>
#include <limits>
#include <string>

#include "support/formats.hpp"

namespace araia::test {
namespace {

using Dev = Device::device_type;

auto source() { return device_csr<double, std::int32_t, Device>(random_matrix("sizes", 20, 15, 3)); }

/// A with each of these numbers negative in turn.
template <class Matrix, class... Numbers>
void expect_negative_refused(Matrix const& A, std::string const& rule, Numbers... numbers) {
  auto const one = [&](auto number) {
    Matrix bad = A;
    bad.*number = -1;
    expect_broken<Device>(bad, rule);
  };
  (one(numbers), ...);
}

TEST(SizeRules, NoSizeIsNegative) {
  Device const exec;
  auto const A = source();
  auto const coo = csr_to_coo(exec, A);
  using CooMatrix = std::decay_t<decltype(coo)>;
  expect_negative_refused(coo, "coo: rows, cols and nnz must not be negative", &CooMatrix::rows, &CooMatrix::cols,
                          &CooMatrix::nnz);
  using CsrMatrix = std::decay_t<decltype(A)>;
  expect_negative_refused(A, "csr: rows, cols and nnz must not be negative", &CsrMatrix::rows, &CsrMatrix::cols,
                          &CsrMatrix::nnz);
  auto const csc = csr_to_csc(exec, A);
  using CscMatrix = std::decay_t<decltype(csc)>;
  expect_negative_refused(csc, "csc: rows, cols and nnz must not be negative", &CscMatrix::rows, &CscMatrix::cols,
                          &CscMatrix::nnz);
  auto const ell = csr_to_ell(exec, A);
  using EllMatrix = std::decay_t<decltype(ell)>;
  expect_negative_refused(ell, "ell: rows, cols, nnz and width must not be negative", &EllMatrix::rows,
                          &EllMatrix::cols, &EllMatrix::nnz, &EllMatrix::width);
  auto const hyb = csr_to_hyb(exec, A);
  using HybMatrix = std::decay_t<decltype(hyb)>;
  expect_negative_refused(hyb, "hyb: rows, cols and nnz must not be negative", &HybMatrix::rows, &HybMatrix::cols,
                          &HybMatrix::nnz);
  auto const sell = csr_to_sell(exec, A);
  using SellMatrix = std::decay_t<decltype(sell)>;
  expect_negative_refused(sell, "sell: rows, cols, nnz, slices and slots must not be negative", &SellMatrix::rows,
                          &SellMatrix::cols, &SellMatrix::nnz, &SellMatrix::slices, &SellMatrix::slots);
  auto const bsr = csr_to_bsr(exec, A, {.block_rows = 2, .block_cols = 2});
  using BsrMatrix = std::decay_t<decltype(bsr)>;
  expect_negative_refused(bsr, "bsr: rows, cols, nnz and blocks must not be negative", &BsrMatrix::rows,
                          &BsrMatrix::cols, &BsrMatrix::nnz, &BsrMatrix::blocks);
  auto const bcsc = csr_to_bcsc(exec, A);
  using BcscMatrix = std::decay_t<decltype(bcsc)>;
  expect_negative_refused(bcsc, "bcsc: rows, cols, nnz, blocks and block_columns must not be negative",
                          &BcscMatrix::rows, &BcscMatrix::cols, &BcscMatrix::nnz, &BcscMatrix::blocks,
                          &BcscMatrix::block_columns);
}

TEST(SizeRules, WithoutOffsetsThereAreNoEntries) {
  Device const exec;
  auto csr = source();
  csr.rows = 0;
  csr.row_offsets = {};
  expect_broken<Device>(csr, "csr: nnz must be 0 where there are no rows");
  auto csc = csr_to_csc(exec, source());
  csc.cols = 0;
  csc.col_offsets = {};
  expect_broken<Device>(csc, "csc: nnz must be 0 where there are no columns");
  auto bsr = csr_to_bsr(exec, source(), {.block_rows = 2, .block_cols = 2});
  bsr.rows = 0;
  bsr.block_offsets = {};
  expect_broken<Device>(bsr, "bsr: blocks must be 0 where there are no rows");
  auto bcsc = csr_to_bcsc(exec, source());
  bcsc.rows = 0;
  bcsc.blocks = 0;
  bcsc.block_offsets = {};
  expect_broken<Device>(bcsc, "bcsc: nnz and block_columns must be 0 where there are no blocks");
}

TEST(SizeRules, ShapesAndCountsThatTypesHold) {
  Device const exec;
  auto ell = csr_to_ell(exec, source());
  ell.col_indices = Kokkos::View<std::int32_t**, Kokkos::LayoutLeft, Dev>("wider", 20, 16);
  expect_broken<Device>(ell, "ell: col_indices must be (rows, width)");
  ell = csr_to_ell(exec, source());
  ell.values = Kokkos::View<double**, Kokkos::LayoutLeft, Dev>("taller", 21, static_cast<std::size_t>(ell.width));
  expect_broken<Device>(ell, "ell: values must be (rows, width)");
  auto hyb = csr_to_hyb(exec, source(), {.width = 1});
  ASSERT_GT(hyb.tail.nnz, 0);
  hyb.tail.values = {};
  expect_broken<Device>(hyb, "hyb: ell and tail must both have values, or neither");
  auto bsr = csr_to_bsr(exec, source(), {.block_rows = 32, .block_cols = 32});
  bsr.blocks = std::int64_t{1} << 60;
  expect_broken<Device>(bsr, "bsr: blocks * block_rows * block_cols must fit 63 bits");
  auto bcsc = csr_to_bcsc(exec, source(), {.block_height = 1});
  bcsc.rows = bcsc.blocks = std::int64_t{1} << 31;
  expect_broken<Device>(bcsc, "bcsc: blocks must fit 32 bits");
}

/// What takes little memory may stand for a Csr that no memory holds, as its rows are no array's.
TEST(SizeRules, ACsrThatNoMemoryHoldsIsRefusedBeforeItIsAllocated) {
  Device const exec;
  constexpr std::int64_t many = std::int64_t{1} << 50;
  auto const A = device_csr<double, std::int64_t, Device>(random_matrix("sizes", 20, 15, 3));
  auto const refused = [](char const* what, auto const& f) { expect_error(ErrorKind::resource_limit, {what}, f); };
  auto coo = csr_to_coo(exec, A);
  coo.rows = many;
  refused("araia::to_csr: the matrix needs 9007199254", [&] { to_csr<std::int64_t>(exec, coo); });
  auto csc = csr_to_csc(exec, A);
  csc.rows = many;
  refused("araia::to_csr: the matrix needs 9007199254", [&] { to_csr<std::int64_t>(exec, csc); });
  auto bcsc = csr_to_bcsc(exec, A);
  bcsc.rows = many;
  refused("araia::to_csr: the matrix needs 9007199254", [&] { to_csr<std::int64_t>(exec, bcsc); });
  auto bsr = csr_to_bsr(exec, A, {.block_rows = 32, .block_cols = 32});
  bsr.rows = many;
  refused("araia::to_csr: counting the entries of rows needs 9007199254", [&] { to_csr<std::int64_t>(exec, bsr); });
  auto wide = A;
  wide.cols = many;
  refused("araia::transpose: the transpose needs 9007199254", [&] { transpose(exec, wide); });
  EXPECT_EQ((estimate_bytes<Csr<double, std::int32_t, std::int64_t, Dev>>({.rows = std::int64_t{1} << 62}, true, true)),
            std::numeric_limits<std::uint64_t>::max());
}

}  // namespace
}  // namespace araia::test
