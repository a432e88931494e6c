// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices of 16 bits, which every path to wider offsets and every refusal is reached with.
#include <gtest/gtest.h>

#include <araia/ops/spgemm_impl.hpp>

#include "ops/spgemm_check.hpp"

namespace araia::test {
namespace {

using Short = std::int16_t;
constexpr std::int64_t beyond = 40000;  // of 16 bits

auto short_csr(TestMatrix const& m) { return device_csr_of<double, Short, Short, Device>(m); }

TEST(SpgemmShort, EntriesBeyondTheOffsetsTakeWiderOnes) {
  // 250 x 250 entries of C from 250 of A and of B.
  auto const A = short_csr(with_row_lengths("column", 1, std::vector<std::int64_t>(250, 1)));
  auto const B = short_csr(with_row_lengths("row", 250, {250}));
  auto const expected = expected_spgemm(wide_csr(A), wide_csr(B));
  for (std::string const kernel : {"hash", "dense_window", "expand_sort_merge", "outer_product"}) {
    auto product = make_spgemm(Device(), A, B, {.kernel = kernel});
    EXPECT_EQ(product.report().offset_bits, 64);
    for (int i = 0; i < 2; ++i) {
      product.execute();
      EXPECT_EQ(difference(product.c(), expected), "") << kernel;
    }
    expect_error(ErrorKind::resource_limit, {"62500", "32767"}, [&] { (void)product.csr<Short>(); });
    expect_error(ErrorKind::resource_limit, {"62500", "32767"},
                 [&] { (void)spgemm(Device(), A, B, {.kernel = kernel}); });
  }
}

TEST(SpgemmShort, ProductsAreCountedInMore) {
  // 200 x 200 of 100 products each: two million.
  auto const m = with_row_lengths("full", 150, std::vector<std::int64_t>(150, 150));
  auto const A = short_csr(m);
  auto const expected = expected_spgemm(wide_csr(A), wide_csr(A));
  auto product = make_spgemm(Device(), A, A);
  EXPECT_EQ(product.report().products, std::uint64_t{150} * 150 * 150);
  EXPECT_EQ(product.report().offset_bits, 16);
  product.execute();
  EXPECT_EQ(product.c().index(), 0u);
  EXPECT_EQ(difference(product.c(), expected), "");
}

TEST(SpgemmShort, RowsBeyondTheOrdinalAreRefused) {
  auto const tall = device_csr_of<double, Short, std::int32_t, Device>(
      with_row_lengths("tall", 3, std::vector<std::int64_t>(beyond, 1)));
  expect_error(ErrorKind::resource_limit, {"39999", "32767"},
               [&] { (void)make_spgemm(Device(), tall, tall, {.op_b = Op::transpose}); });
}

TEST(SpgemmShort, RowBinsAreNotForAllTypes) {
  auto const A = short_csr(random_matrix("30", 30, 30, 3));
  expect_error(ErrorKind::unsupported, {"row_bins does not run these types", "hash, dense_window"},
               [&] { (void)make_spgemm(Device(), A, A, {.kernel = "row_bins"}); });
}

}  // namespace
}  // namespace araia::test
