// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SELL: every invariant has a mutant that validate() names; options out of range and index types too small are refused.
#include <limits>

#include "support/check.hpp"
#include "support/formats.hpp"
#include "support/sell.hpp"
#include "support/types.hpp"

#include <gtest/gtest.h>

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(SellRules, FormatTypes, OperandTypeNames);

template <class View>
auto element(View const& view, std::size_t at) {
  return download<typename View::non_const_value_type>(view)[at];
}

ARAIA_TYPED_TEST(SellRules, EveryBrokenRuleOfPlainSlicesIsNamed) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  auto const csr = device_csr<typename TypeParam::a, Offset, Exec>(random_matrix("mutant", 40, 30, 6));
  auto const fresh = [&] { return csr_to_sell(Exec(), csr, {.slice_height = 8, .sort_window = 16}); };
  auto A = fresh();
  A.cols = -1;
  expect_broken<Exec>(A, "must not be negative");
  A = fresh();
  A.slice_height = 0;
  expect_broken<Exec>(A, "slice_height and sort_window must be 1 or more");
  A = fresh();
  A.slice_height = std::int64_t{1} << 62;
  expect_broken<Exec>(A, "slice_height must be at most 2^40, got 4611686018427387904");
  A = fresh();
  A.block_width = 3;
  expect_broken<Exec>(A, "block_width must be 1, 2 or 4, got 3");
  A = fresh();
  A.slices += 1;
  expect_broken<Exec>(A, "slices must be rows / slice_height rounded up, 5, got 6");
  A = fresh();
  A.slice_offsets = Kokkos::subview(A.slice_offsets, Kokkos::make_pair(0, 5));
  expect_broken<Exec>(A, "slice_offsets holds 5 elements, expected 6");
  A = fresh();
  poke(A.slice_offsets, 0, Offset{8});
  expect_broken<Exec>(A, "slice_offsets(0) must be 0");
  A = fresh();
  poke(A.slice_offsets, 2, element(A.slice_offsets, 5));
  expect_broken<Exec>(A, "slice_offsets must not descend (first broken at slice 2)");
  A = fresh();
  A.slots += 8;
  expect_broken<Exec>(A, "slice_offsets(slices) must be");
  A = fresh();
  poke(A.slice_offsets, 1, static_cast<Offset>(element(A.slice_offsets, 1) + 1));
  expect_broken<Exec>(A, "slice_offsets must ascend by height * (diagonals + steps * block_width) (first broken");
  A = fresh();
  A.values = Kokkos::subview(A.values, Kokkos::make_pair(0, 3));
  expect_broken<Exec>(A, "values holds 3 elements");
  A = fresh();
  A.col_indices = Kokkos::subview(A.col_indices, Kokkos::make_pair(0, 3));
  expect_broken<Exec>(A, "col_indices holds 3 elements");
  A = fresh();
  A.row_lengths = Kokkos::subview(A.row_lengths, Kokkos::make_pair(0, 3));
  expect_broken<Exec>(A, "row_lengths holds 3 elements, expected 40");
  A = fresh();
  poke(A.row_lengths, 9, 31);
  expect_broken<Exec>(A, "row_lengths must lie in [0, steps of the slice] (first broken at row 9)");
  A = fresh();
  poke(A.row_lengths, 9, -1);
  expect_broken<Exec>(A, "row_lengths must lie in [0, steps of the slice] (first broken at row 9)");
  A = fresh();
  poke(A.col_indices, 2, 30);
  expect_broken<Exec>(A, "columns must lie in [0, cols) within a row's length (first broken at row 2)");
  A = fresh();
  poke(A.col_indices, 2, -1);
  expect_broken<Exec>(A, "columns must lie in [0, cols) within a row's length (first broken at row 2)");
  // Stored row 15, the last of its slice, has fewer entries than the slice has steps.
  auto const padding_of_row_15 = [](auto const& sell) {
    auto const first = static_cast<std::int64_t>(element(sell.slice_offsets, 1));
    std::int64_t const steps = (static_cast<std::int64_t>(element(sell.slice_offsets, 2)) - first) / 8;
    EXPECT_LT(element(sell.row_lengths, 15), steps);
    return static_cast<std::size_t>(first + (steps - 1) * 8 + 7);
  };
  using Scalar = typename TypeParam::a;
  for (Scalar const value : {Scalar(7), Scalar(std::numeric_limits<double>::quiet_NaN())}) {
    A = fresh();
    poke(A.values, padding_of_row_15(A), value);
    expect_broken<Exec>(A, "values must be 0 in padding and outside the matrix (first broken at row 15)");
  }
  for (int const column : {30, -1}) {
    A = fresh();
    poke(A.col_indices, padding_of_row_15(A), column);
    expect_broken<Exec>(A, "columns of padding must lie in [0, cols) (first broken at row 15)");
  }
  A = fresh();
  poke(A.row_lengths, 0, element(A.row_lengths, 0) - 1);
  expect_broken<Exec>(A, "row_lengths and diagonals must add up to nnz + fill");
  A = fresh();
  A.fill = 1;
  expect_broken<Exec>(A, "row_lengths and diagonals must add up to nnz + fill");
  A = fresh();
  poke(A.row_permutation, 3, 40);
  expect_broken<Exec>(A, "row_permutation must lie in [0, rows) (first broken at row 3)");
  A = fresh();
  poke(A.row_permutation, 3, element(A.row_permutation, 4));
  expect_broken<Exec>(A, "row_permutation must name each row once");
}

ARAIA_TYPED_TEST(SellRules, EveryBrokenRuleOfVariableSlicesIsNamed) {
  using Exec = typename TypeParam::exec;
  auto const csr = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(
      with_row_lengths("mutant", 40, {1, 1, 9, 9, 1, 1, 1, 1, 7, 7, 7, 7, 1, 1}));
  auto const fresh = [&] { return csr_to_sell(Exec(), csr, {.slice_height = 8, .least_slice_height = 2}); };
  auto A = fresh();
  ASSERT_GT(A.slices, 3);
  A.slice_rows = Kokkos::subview(A.slice_rows, Kokkos::make_pair(0, 2));
  expect_broken<Exec>(A, "slice_rows holds 2 elements");
  A = fresh();
  poke(A.slice_rows, 0, 1);
  expect_broken<Exec>(A, "slice_rows(0) must be 0");
  A = fresh();
  poke(A.slice_rows, 1, element(A.slice_rows, 2));
  expect_broken<Exec>(A, "slice_rows must ascend by 1 to slice_height (first broken at slice 1)");
  A = fresh();
  A.slice_height = 1;
  expect_broken<Exec>(A, "slice_rows must ascend by 1 to slice_height (first broken at slice 0)");
  A = fresh();
  A.rows -= 6;
  expect_broken<Exec>(A, "slice_rows must end with the slice of the last row");
}

ARAIA_TYPED_TEST(SellRules, EveryBrokenRuleOfDiagonalsAndWordsIsNamed) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  auto const csr = device_csr<typename TypeParam::a, Offset, Exec>(stencil(20, 9));
  auto const fresh = [&] { return csr_to_sell(Exec(), csr, {.slice_height = 16, .diagonals = true}); };
  auto A = fresh();
  ASSERT_GT(A.fill, 0);
  ASSERT_GT(A.stored_mask.extent(0), 0u);
  poke(A.diagonals, 1, element(A.diagonals, 0));
  expect_broken<Exec>(A, "diagonals must ascend in a slice and lie in (-rows, cols) (first broken at slice 0)");
  A = fresh();
  poke(A.diagonals, 0, -180);
  expect_broken<Exec>(A, "diagonals must ascend in a slice and lie in (-rows, cols) (first broken at slice 0)");
  A = fresh();
  poke(A.diagonal_offsets, 0, Offset{1});
  expect_broken<Exec>(A, "diagonal_offsets(0) must be 0");
  A = fresh();
  poke(A.diagonal_offsets, 2, Offset{1000});
  expect_broken<Exec>(A, "diagonal_offsets must not descend (first broken at slice 2)");
  A = fresh();
  A.diagonals = Kokkos::subview(A.diagonals, Kokkos::make_pair(0, 3));
  expect_broken<Exec>(A, "diagonal_offsets(slices) must be 3");
  A = fresh();
  A.diagonal_offsets = Kokkos::subview(A.diagonal_offsets, Kokkos::make_pair(0, 3));
  expect_broken<Exec>(A, "diagonal_offsets holds 3 elements");
  A = fresh();
  A.row_permutation = typename decltype(A.row_permutation)::non_const_type("row_permutation", 3);
  expect_broken<Exec>(A, "row_permutation holds 3 elements");
  A = fresh();
  A.stored_mask = Kokkos::subview(A.stored_mask, Kokkos::make_pair(0, 3));
  expect_broken<Exec>(A, "stored_mask holds 3 elements");
  A = fresh();
  poke(A.stored_mask, 1, element(A.stored_mask, 1) & (element(A.stored_mask, 1) - 1));
  expect_broken<Exec>(A, "stored_mask must mark nnz");
  A = fresh();
  auto const mask = download<std::uint32_t>(A.stored_mask);
  std::size_t word = 0;
  while (mask[word] == 0xffffffffu || mask[word] == 0) ++word;
  std::size_t bit = 0;
  while (mask[word] >> bit & 1u) ++bit;
  poke(Kokkos::View<typename TypeParam::a const*, typename Exec::device_type>(A.values), 32 * word + bit,
       typename TypeParam::a(7));
  expect_broken<Exec>(
      A, "values must be 0 where stored_mask is (first broken at slot " + std::to_string(32 * word + bit) + ')');
  A = fresh();
  A.values = {};
  A.stored_mask = {};
  expect_broken<Exec>(A, "a pattern with fill must have stored_mask");
  A.nnz += A.fill, A.fill = 0;
  expect_broken<Exec>(A,
                      "a pattern without stored_mask must have every slot inside the matrix (first broken at row 0)");

  auto const narrow = [&] { return csr_to_sell(Exec(), csr, {.slice_height = 16, .columns = SellColumns::narrow}); };
  auto B = narrow();
  B.column_offsets = {};
  expect_broken<Exec>(B, "column_offsets must be there with column_words");
  B = narrow();
  B.column_offsets = Kokkos::subview(B.column_offsets, Kokkos::make_pair(0, 2));
  expect_broken<Exec>(B, "column_offsets holds 2 elements");
  B = narrow();
  poke(B.column_offsets, 1, static_cast<Offset>(element(B.column_offsets, 1) + 8));
  expect_broken<Exec>(B, "column_offsets must ascend by the columns or words of the slice (first broken at slice 0)");
  B = narrow();
  B.col_indices = csr.col_indices;
  expect_broken<Exec>(B, "columns must be col_indices or column_words, got both");
  B = narrow();
  poke(B.column_words, 16, std::uint16_t{60000});
  expect_broken<Exec>(B, "columns must lie in [0, cols) within a row's length");
}

ARAIA_TYPED_TEST(SellRules, EntriesWithoutAMaskAreNoFewerThanNonzerosAndAllInside) {
  using Exec = typename TypeParam::exec;
  using A = typename TypeParam::a;
  auto const csr = device_csr<A, typename TypeParam::offset, Exec>(stencil(20, 9));
  for (bool const diagonals : {true, false}) {
    auto const fresh = [&] {
      return csr_to_sell(
          Exec(), csr,
          {.slice_height = 16, .block_width = diagonals ? 1 : 4, .diagonals = diagonals, .stored_mask = false});
    };
    auto const B = fresh();
    ASSERT_GT(B.fill, 0);
    ASSERT_EQ(B.stored_mask.extent(0), 0u);
    EXPECT_NO_THROW(validate(Exec(), B));
    auto fewer = B;
    fewer.nnz -= 1, fewer.fill += 1;
    expect_broken<Exec>(fewer, "hold values that are not 0");
    auto pattern = B;
    pattern.values = {};
    pattern.nnz += pattern.fill, pattern.fill = 0;
    if (diagonals)
      expect_broken<Exec>(pattern, "every slot inside the matrix (first broken at row 0)");
    else  // 180 columns are whole blocks of 4
      EXPECT_NO_THROW(validate(Exec(), pattern));
    pattern.cols -= 1;
    expect_broken<Exec>(pattern, "every slot inside the matrix");
    if (!diagonals) continue;
    auto more = B;  // slots beyond the matrix are no entries
    more.nnz += more.fill, more.fill = 0;
    expect_broken<Exec>(more, "hold values that are not 0");
  }
}

ARAIA_TYPED_TEST(SellRules, WhatLiesBehindTheLastRowAndColumnIsPaddingToo) {
  using Exec = typename TypeParam::exec;
  using Scalar = typename TypeParam::a;
  auto const csr = device_csr<Scalar, typename TypeParam::offset, Exec>(with_row_lengths("short slice", 5, {5, 5, 5}));
  auto const fresh = [&] { return csr_to_sell(Exec(), csr, {.slice_height = 8}); };
  auto A = fresh();
  EXPECT_NO_THROW(validate(Exec(), A));
  poke(A.values, 3, Scalar(1));
  expect_broken<Exec>(A, "values must be 0 in padding and outside the matrix (first broken at row 3)");
  A = fresh();
  poke(A.col_indices, 8 + 7, 5);
  expect_broken<Exec>(A, "columns of padding must lie in [0, cols) (first broken at row 7)");
  A = csr_to_sell(Exec(), csr, {.slice_height = 8, .block_width = 2, .stored_mask = false});
  EXPECT_NO_THROW(validate(Exec(), A));
  poke(A.values, 5 * 8 + 1, Scalar(1));  // column 5 of 5
  expect_broken<Exec>(A, "values must be 0 in padding and outside the matrix (first broken at row 1)");
}

ARAIA_TYPED_TEST(SellRules, OptionsOutOfRangeAreRefused) {
  using Exec = typename TypeParam::exec;
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(stencil(20, 9));
  auto const refused = [&](SellOptions const& options, std::string const& what) {
    expect_error(ErrorKind::invalid_argument, {what}, [&] { csr_to_sell(Exec(), A, options); });
  };
  refused({.slice_height = 0}, "slice_height is 0, expected 1");
  refused({.slice_height = std::int64_t{1} << 62}, "slice_height is");
  refused({.sort_window = 0}, "sort_window is 0");
  refused({.block_width = 3}, "block_width is 3, expected 1, 2 or 4");
  refused({.slice_height = 2048, .diagonals = true}, "slice_height is 2048, expected at most 1024");
  refused({.slice_height = 32, .least_slice_height = 3}, "least_slice_height is 3");
  refused({.slice_height = 32, .least_slice_height = -1}, "least_slice_height is -1");
  refused({.slice_height = 1024, .least_slice_height = 1}, "least_slice_height is 1");
  auto const far = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(far_columns());
  expect_error(ErrorKind::unsupported, {"narrow columns: 1 of 4 slices"},
               [&] { csr_to_sell(Exec(), far, {.columns = SellColumns::narrow}); });
}

/// A Csr with other index types, on the host.
template <class Scalar, class Ordinal, class Offset>
auto host_csr(TestMatrix const& m) {
  Csr<Scalar, Ordinal, Offset, HostDevice> A{.rows = m.rows, .cols = m.cols, .nnz = m.nnz()};
  A.row_offsets = upload<Offset, HostDevice>("row_offsets", m.row_offsets);
  A.col_indices = upload<Ordinal, HostDevice>("col_indices", m.col_indices);
  A.values = upload<Scalar, HostDevice>("values", m.values);
  return A;
}

template <class Scalar, class Ordinal, class Offset>
void check_types() {
  Host const exec;
  for (auto const& m : {stencil(37, 11), node_blocks(40, 3), random_matrix("random", 130, 130, 9)}) {
    auto const A = host_csr<Scalar, Ordinal, Offset>(m);
    for (auto const& options : sell_storages()) {
      if (sizeof(Offset) < 4 && options.slice_height == 1000) continue;  // pads to more slots than these offsets count
      auto const B = csr_to_sell(exec, A, options);
      EXPECT_NO_THROW(validate(exec, B)) << m.name << ' ' << options;
      EXPECT_EQ(B.bytes(), count_bytes<std::decay_t<decltype(B)>>(exec, A, options)) << m.name << ' ' << options;
      auto const C = to_csr<Offset>(exec, B);
      EXPECT_EQ(download<std::int64_t>(C.row_offsets), m.row_offsets) << m.name << ' ' << options;
      EXPECT_EQ(download<std::int32_t>(C.col_indices), m.col_indices) << m.name << ' ' << options;
      for (std::size_t k = 0; k < m.values.size(); ++k)
        ASSERT_EQ(C.values(k), scalar_from<Scalar>(m.values[k])) << m.name << ' ' << options;
    }
  }
}

TEST(SellTypes, WideAndShortIndices) {
  check_types<double, std::int64_t, std::int64_t>();
  check_types<double, std::int16_t, std::int16_t>();
  check_types<float, std::int16_t, std::int64_t>();
  check_types<float, std::int64_t, std::size_t>();
}

TEST(SellTypes, ColumnsOfGroupsAreIndicesThemselves) {
  Sell<double, std::int16_t, std::int32_t, HostDevice> A{
      .rows = 1, .cols = 100000, .nnz = 4, .slices = 1, .slots = 4, .block_width = 4};
  Kokkos::View<std::int32_t*, HostDevice> const offsets("slice_offsets", 2);
  offsets(1) = 4;
  A.slice_offsets = offsets;
  Kokkos::View<std::int16_t*, HostDevice> const lengths("row_lengths", 1);
  lengths(0) = 1;
  A.row_lengths = lengths;
  Kokkos::View<std::int16_t*, HostDevice> const groups("col_indices", 1);
  A.col_indices = groups;
  groups(0) = 8191;
  EXPECT_NO_THROW(validate(Host(), A));
  groups(0) = 8192;
  expect_broken<Host>(A, "columns must lie in [0, cols) within a row's length");
}

TEST(SellTypes, HalfAndComplexScalars) {
  check_types<Kokkos::Experimental::half_t, std::int32_t, std::int32_t>();
  check_types<Kokkos::complex<float>, std::int32_t, std::int32_t>();
}

TEST(SellTypes, MatricesBeyondTheirIndexTypesAreRefusedBeforeAllocating) {
  Host const exec;
  auto const A = host_csr<double, std::int32_t, std::int16_t>(
      with_row_lengths("one long row", 2000, {1500, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
  expect_error(ErrorKind::resource_limit, {"slots is 48000, the index type holds at most 32767"},
               [&] { csr_to_sell(exec, A, {.slice_height = 32}); });
  EXPECT_EQ((csr_to_sell<std::int64_t>(exec, A, {.slice_height = 32}).stored()), 48000);
  auto tall =
      host_csr<float, std::int16_t, std::int32_t>(with_row_lengths("tall", 1, std::vector<std::int64_t>(40000, 1)));
  for (SellOptions const& options : {SellOptions{.sort_window = 4}, SellOptions{.diagonals = true},
                                     SellOptions{.slice_height = 32, .least_slice_height = 8}})
    expect_error(ErrorKind::resource_limit, {"rows"}, [&] { csr_to_sell(exec, tall, options); });
  tall.cols = 1;
  auto const B = csr_to_sell(exec, tall);
  EXPECT_NO_THROW(validate(exec, B));
}

TEST(SellTypes, IndicesOfEightBitsHaveNoNarrowerOnes) {
  Host const exec;
  auto const m = random_matrix("few columns", 60, 50, 7);
  auto const A = host_csr<double, std::int8_t, std::int32_t>(m);
  auto const B = csr_to_sell(exec, A, {.slice_height = 8, .columns = SellColumns::least_bytes});
  EXPECT_EQ(B.column_words.extent(0), 0U);
  EXPECT_NO_THROW(validate(exec, B));
  expect_same_csr(to_csr(exec, B), m, "8 bits");
  expect_error(ErrorKind::unsupported, {"8 bits"},
               [&] { (void)csr_to_sell(exec, A, {.slice_height = 8, .columns = SellColumns::narrow}); });
}

TEST(SellTypes, TheWorkspaceOfNarrowColumnsIsHeldToTheLimit) {
  Host const exec;
  auto const A = host_csr<double, std::int32_t, std::int64_t>(
      with_row_lengths("one long row", 5000, std::vector<std::int64_t>{5000, 1, 1, 1, 1, 1, 1, 1}));
  SellOptions const options{.slice_height = 8, .columns = SellColumns::least_bytes, .memory_limit = 100000};
  expect_error(ErrorKind::resource_limit, {"16-bit columns", "160000", "100000"},
               [&] { (void)count_bytes<Sell<double, std::int32_t, std::int64_t, Host>>(exec, A, options); });
}

#ifdef KOKKOS_ENABLE_CUDA
TEST(SellTypes, ManagedMemoryIsConverted) {
  using Managed = Kokkos::Device<Kokkos::Cuda, Kokkos::CudaUVMSpace>;
  Kokkos::Cuda const exec;
  auto const m = random_matrix("managed", 300, 200, 9);
  Csr<double, std::int32_t, std::int32_t, Managed> A{.rows = m.rows, .cols = m.cols, .nnz = m.nnz()};
  A.row_offsets = upload<std::int32_t, Managed>("row_offsets", m.row_offsets);
  A.col_indices = upload<std::int32_t, Managed>("col_indices", m.col_indices);
  A.values = upload<double, Managed>("values", m.values);
  expect_same_csr(to_csr(exec, csr_to_sell(exec, A, {.slice_height = 32, .diagonals = true})), m, "managed");
}
#endif

}  // namespace
}  // namespace araia::test
