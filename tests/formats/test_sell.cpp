// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SELL: every way to store it gives back every entry bit for bit, counts its bytes, and names what is broken.
#include <algorithm>
#include <araia/assembly/row_stats.hpp>
#include <tuple>

#include "backends/openmp/reference/entries.hpp"
#include "support/check.hpp"
#include "support/errors.hpp"
#include "support/sell.hpp"
#include "support/types.hpp"

#include <gtest/gtest.h>

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(SellFormat, FormatTypes, OperandTypeNames);

ARAIA_TYPED_TEST(SellFormat, EveryStorageGivesBackEveryEntryInItsPlace) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  Exec const exec;
  for (auto const& m : sell_zoo()) {
    auto const A = device_csr<typename TypeParam::a, Offset, Exec>(m);
    for (auto const& options : sell_storages()) {
      auto const what = m.name + ' ' + printed(options);
      if (fills(options) && !ascends(m)) {
        EXPECT_EQ(kind_of([&] { csr_to_sell(exec, A, options); }), ErrorKind::unsupported) << what;
        continue;
      }
      auto const B = csr_to_sell(exec, A, options);
      EXPECT_NO_THROW(validate(exec, B)) << what;
      EXPECT_EQ(B.bytes(), count_bytes<std::decay_t<decltype(B)>>(exec, A, options)) << what;
      bool const zeros_drop = B.fill > 0 && !options.stored_mask && m.name.find("stored zeros") != std::string::npos;
      auto const C = to_csr<Offset>(exec, B);
      if (zeros_drop && !is_complex_v<typename TypeParam::a>)  // the tests' complex zeros have an imaginary part
        EXPECT_LT(C.nnz, m.nnz()) << what;
      else
        expect_same_csr(C, m, what);
    }
  }
}

ARAIA_TYPED_TEST(SellFormat, TheReferenceReadsEveryStorage) {
  using Exec = typename TypeParam::exec;
  using Entry = std::tuple<std::int64_t, std::int64_t, double>;
  Exec const exec;
  for (auto const& m : {stencil(37, 11), node_blocks(40, 3), far_columns(), random_matrix("random", 130, 130, 9)}) {
    std::vector<Entry> expected;
    for (std::int64_t i = 0; i < m.rows; ++i)
      for (auto k = m.row_offsets[static_cast<std::size_t>(i)]; k < m.row_offsets[static_cast<std::size_t>(i) + 1]; ++k)
        expected.emplace_back(i, m.col_indices[static_cast<std::size_t>(k)], m.values[static_cast<std::size_t>(k)]);
    auto const A = device_csr<double, typename TypeParam::offset, Exec>(m);
    for (auto const& options : sell_storages()) {
      auto const B = sell_host_copy(csr_to_sell(exec, A, options));
      std::vector<Entry> got;
      reference::for_each_entry(
          B.pointers(), [&](std::int64_t row, std::int64_t col, double value) { got.emplace_back(row, col, value); });
      std::sort(got.begin(), got.end());
      EXPECT_EQ(got, expected) << m.name << ' ' << options;
    }
  }
}

ARAIA_TYPED_TEST(SellFormat, PatternsAndPermutedSourcesComeBack) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  Exec const exec;
  for (auto const& m : {stencil(20, 9), node_blocks(20, 3), random_matrix("pattern", 90, 70, 8)}) {
    auto const pattern = device_csr<typename TypeParam::a, Offset, Exec>(m, false);
    auto const permuted = sort_rows_by_length(exec, device_csr<typename TypeParam::a, Offset, Exec>(m));
    for (auto const& options : sell_storages()) {
      auto const what = m.name + ' ' + printed(options);
      auto const B = csr_to_sell(exec, pattern, options);
      EXPECT_NO_THROW(validate(exec, B)) << what;
      EXPECT_EQ(B.values.extent(0), 0u);
      EXPECT_EQ(B.fill > 0, B.stored_mask.extent(0) != 0) << what;
      EXPECT_EQ(B.bytes(), count_bytes<std::decay_t<decltype(B)>>(exec, pattern, options)) << what;
      expect_same_csr(to_csr<Offset>(exec, B), m, what + ", pattern", false);
      if (options.sort_window > 1) {
        EXPECT_EQ(kind_of([&] { csr_to_sell(exec, permuted, options); }), ErrorKind::unsupported) << what;
        continue;
      }
      auto const C = csr_to_sell(exec, permuted, options);
      EXPECT_NO_THROW(validate(exec, C)) << what;
      expect_same_csr(to_csr<Offset>(exec, C), m, what + ", permuted");
      update_values(exec, C, permuted);
      expect_same_csr(to_csr<Offset>(exec, C), m, what + ", permuted and updated");
    }
  }
}

ARAIA_TYPED_TEST(SellFormat, UpdateValuesRefillsEveryStorage) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  Exec const exec;
  for (auto m : {stencil(31, 9), node_blocks(25, 3), random_matrix("update", 120, 80, 7)}) {
    auto const before = device_csr<typename TypeParam::a, Offset, Exec>(m);
    for (std::size_t k = 0; k < m.values.size(); ++k) m.values[k] = static_cast<double>(k) + 0.25;
    auto const after = device_csr<typename TypeParam::a, Offset, Exec>(m);
    for (auto const& options : sell_storages()) {
      auto const B = csr_to_sell(exec, before, options);
      update_values(exec, B, after);
      expect_same_csr(to_csr<Offset>(exec, B), m, m.name + ' ' + printed(options));
    }
    auto const other = device_csr<typename TypeParam::a, Offset, Exec>(random_matrix("other", 120, 80, 5));
    EXPECT_EQ(kind_of([&] { update_values(exec, csr_to_sell(exec, before), other); }), ErrorKind::dimension_mismatch);
  }
}

ARAIA_TYPED_TEST(SellFormat, OnlyWhatTheOptionsNeedIsAllocated) {
  using Exec = typename TypeParam::exec;
  Exec const exec;
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(stencil(37, 11));
  auto const plain = csr_to_sell(exec, A);
  for (std::size_t const extent :
       {plain.slice_rows.extent(0), plain.diagonal_offsets.extent(0), plain.column_offsets.extent(0),
        plain.diagonals.extent(0), plain.column_words.extent(0), plain.stored_mask.extent(0),
        plain.row_permutation.extent(0)})
    EXPECT_EQ(extent, 0u);
  EXPECT_EQ(plain.fill, 0);
  auto const diagonals = csr_to_sell(exec, A, {.diagonals = true});
  EXPECT_GT(diagonals.diagonals.extent(0), 0u);
  EXPECT_EQ(diagonals.column_offsets.extent(0), 0u);
  EXPECT_LT(diagonals.col_indices.extent(0), plain.col_indices.extent(0) / 8);
  EXPECT_LT(product_bytes(exec, diagonals), product_bytes(exec, plain));
  auto const narrow = csr_to_sell(exec, A, {.columns = SellColumns::narrow});
  EXPECT_EQ(narrow.col_indices.extent(0), 0u);
  EXPECT_LT(narrow.bytes(), plain.bytes());
  auto const sorted = csr_to_sell(exec, A, {.sort_window = 64});
  EXPECT_LE(sorted.stored(), plain.stored());
}

ARAIA_TYPED_TEST(SellFormat, RowsAreSortedInsideWindowsAloneAndStably) {
  using Exec = typename TypeParam::exec;
  auto const m = random_matrix("windows", 100, 60, 9);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  auto const B = csr_to_sell(Exec(), A, {.slice_height = 8, .sort_window = 24});
  auto const order = download<std::int64_t>(B.row_permutation);
  std::vector<std::int64_t> expected(100);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<std::int64_t>(i);
  auto const length = [&](std::int64_t row) {
    return m.row_offsets[static_cast<std::size_t>(row) + 1] - m.row_offsets[static_cast<std::size_t>(row)];
  };
  for (std::ptrdiff_t first = 0; first < 100; first += 24)
    std::stable_sort(expected.begin() + first, expected.begin() + std::min<std::ptrdiff_t>(first + 24, 100),
                     [&](std::int64_t i, std::int64_t j) { return length(i) > length(j); });
  EXPECT_EQ(order, expected);
}

ARAIA_TYPED_TEST(SellFormat, VariableHeightsTakeNoMoreBytesThanFixedOnes) {
  using Exec = typename TypeParam::exec;
  Exec const exec;
  for (auto const& m : sell_zoo()) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    auto const fixed = csr_to_sell(exec, A, {.slice_height = 32});
    auto const halved = csr_to_sell(exec, A, {.slice_height = 32, .least_slice_height = 1});
    EXPECT_LE(halved.stored(), fixed.stored()) << m.name;
  }
}

ARAIA_TYPED_TEST(SellFormat, BeyondTheLimitIsRefusedWithNeedAndLimit) {
  using Exec = typename TypeParam::exec;
  Exec const exec;
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(stencil(37, 11));
  for (auto options : sell_storages()) {
    using Format = decltype(csr_to_sell(exec, A, options));
    std::uint64_t const need = count_bytes<Format>(exec, A, options);
    options.memory_limit = need;
    EXPECT_NO_THROW(csr_to_sell(exec, A, options)) << options;
    options.memory_limit = need - 1;
    std::string message;
    EXPECT_EQ(kind_of([&] { csr_to_sell(exec, A, options); }, &message), ErrorKind::resource_limit) << options;
    EXPECT_NE(message.find(std::to_string(need)), std::string::npos) << message;
    EXPECT_NE(message.find(std::to_string(need - 1)), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace araia::test
