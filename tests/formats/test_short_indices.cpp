// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices that 16-bit indices or offsets cannot hold: every conversion and operation says so, none gives a wrong one.
#include <gtest/gtest.h>

#include <araia/detail/formats/csr_to_bcsc.hpp>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/formats/csr_to_csc.hpp>
#include <araia/detail/formats/csr_to_hyb.hpp>
#include <araia/detail/formats/csr_to_sell.hpp>
#include <araia/ops/add.hpp>
#include <araia/ops/permute.hpp>
#include <araia/ops/transpose.hpp>
#include <cstdint>
#include <vector>

#include "support/formats.hpp"

namespace araia::test {
namespace {

using Dev = Device::device_type;
using Short = std::int16_t;
constexpr std::int64_t beyond = 40000;  // of 16 bits

/// 40000 x 3, one entry a row: legal columns of 16 bits, but rows that they do not count.
auto tall() {
  static auto const m = with_row_lengths("tall", 3, std::vector<std::int64_t>(beyond, 1));
  return device_csr_of<double, Short, std::int32_t, Device>(m);
}

/// One row that stores an entry 40000 times.
auto repeated() {
  TestMatrix m{"repeated", 1, 3, {0, beyond}, std::vector<std::int32_t>(beyond, 1), std::vector<double>(beyond, 1.0)};
  return device_csr_of<double, Short, std::int32_t, Device>(m);
}

/// 20000 entries each: two of them are beyond 16-bit offsets.
auto half_full() {
  static auto const m = with_row_lengths("half full", 200, std::vector<std::int64_t>(200, 100));
  return device_csr_of<double, Short, Short, Device>(m);
}

template <class Call>
void expect_refused(Call const& call) {
  expect_error(ErrorKind::resource_limit, {"32767"}, call);
}

TEST(ShortIndices, RowsBeyondTheOrdinal) {
  Device const exec;
  auto const A = tall();
  expect_refused([&] { csr_to_coo(exec, A); });
  expect_refused([&] { csr_to_csc(exec, A); });
  expect_refused([&] { csr_to_hyb(exec, A); });
  expect_refused([&] { csr_to_ell(exec, A, {.sort_rows = true}); });
  expect_refused([&] { sort_rows_by_length(exec, A); });
  expect_refused([&] { csr_to_sell(exec, A, {.sort_window = 32}); });
  expect_refused([&] { csr_to_sell(exec, A, {.least_slice_height = 8}); });
  expect_refused([&] { csr_to_sell(exec, A, {.diagonals = true}); });
  expect_refused([&] { csr_to_bcsc(exec, A, {.block_height = beyond}); });
  expect_refused([&] { csr_to_bcsc(exec, A, {.heights = BcscHeights::by_entries}); });
  expect_refused([&] { csr_to_bcsc(exec, A, {.heights = BcscHeights::by_columns}); });
  expect_refused([&] { transpose(exec, A); });
  // What has no index of a row holds it all the same.
  EXPECT_EQ(to_csr(exec, csr_to_ell(exec, A)).nnz, beyond);
  EXPECT_EQ(to_csr(exec, csr_to_sell(exec, A)).nnz, beyond);
  EXPECT_EQ(to_csr(exec, csr_to_bcsc(exec, A)).nnz, beyond);
  EXPECT_EQ(to_csr(exec, csr_to_bsr(exec, A, {.block_rows = 2, .block_cols = 3, .keep_stored_mask = true})).nnz,
            beyond);
}

TEST(ShortIndices, RowsLongerThanTheOrdinal) {
  Device const exec;
  auto const A = repeated();
  expect_refused([&] { csr_to_ell(exec, A); });
  expect_refused([&] { csr_to_hyb(exec, A, {.width = beyond}); });
  expect_refused([&] { csr_to_sell(exec, A, {.slice_height = 1}); });
  EXPECT_EQ(to_csr(exec, csr_to_coo(exec, A)).nnz, beyond);
  EXPECT_EQ(to_csr(exec, csr_to_bcsc(exec, A)).nnz, beyond);
}

TEST(ShortIndices, EntriesBeyondTheOffset) {
  Device const exec;
  auto const A = tall();
  expect_refused([&] { to_csr<Short>(exec, csr_to_ell(exec, A)); });
  expect_refused([&] { to_csr<Short>(exec, csr_to_sell(exec, A)); });
  expect_refused([&] { to_csr<Short>(exec, csr_to_bcsc(exec, A)); });
  expect_refused([&] { to_csr<Short>(exec, csr_to_bcsc_compact(exec, A)); });
  expect_refused([&] { to_csr<Short>(exec, csr_to_bsr(exec, A, {.block_rows = 2, .block_cols = 2})); });
  expect_refused([&] { to_csr<Short>(exec, csr_to_coo(exec, repeated())); });
  expect_refused([&] { csr_to_sell<Short>(exec, A); });
}

TEST(ShortIndices, FillAndSumsBeyondTheOffset) {
  Device const exec;
  auto const A = half_full();
  // Blocks are fewer than entries and fit; the fill that counts as stored without a mask does not.
  auto const B = csr_to_bsr(exec, A, {.block_rows = 8, .block_cols = 8});
  expect_refused([&] { to_csr<Short>(exec, B); });
  expect_refused([&] { add(exec, 1.0, A, 1.0, A); });
  expect_refused([&] { csr_to_sell(exec, A, {.slice_height = 1024}); });
  EXPECT_EQ(to_csr<Short>(exec, csr_to_bcsc(exec, A)).nnz, A.nnz);
}

TEST(ShortIndices, APermutationOfMoreRowsThanItsTypeCounts) {
  Device const exec;
  Kokkos::View<Short*, Dev> const order("order", static_cast<std::size_t>(beyond));
  expect_error(ErrorKind::invalid_argument, {"must name each index once"},
               [&] { permute(exec, tall(), Kokkos::View<Short const*, Dev>(order)); });
}

}  // namespace
}  // namespace araia::test
