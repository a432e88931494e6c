// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hyb: every invariant has a mutant, every width gives back every entry, the width follows the cost model, tails on
// another device.
#include <araia/detail/formats/csr_to_hyb.hpp>

#include "support/formats.hpp"

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(HybFormat, FormatTypes, OperandTypeNames);

ARAIA_TYPED_TEST(HybFormat, RoundTripsGiveBackEveryEntryInItsPlace) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  Exec const exec;
  for (auto const& original : zoo()) {
    auto const m = with_stored_zeros(original);
    auto const A = device_csr<typename TypeParam::a, Offset, Exec>(m);
    for (std::int64_t const width : {-1, 0, 1, 5, 200}) {
      HybOptions const options{.width = width};
      std::string const what = m.name + ", width " + std::to_string(width);
      auto const B = csr_to_hyb(exec, A, options);
      EXPECT_NO_THROW(validate(exec, B)) << what;
      EXPECT_TRUE(width < 0 || B.ell.width == width) << what;
      expect_same_csr(to_csr<Offset>(exec, B), m, what);
      expect_same_csr(to_csr<Offset>(exec, csr_to_hyb(exec, sort_rows_by_length(exec, A), options)), m,
                      what + ", rows permuted");
      auto const split = csr_to_hyb<other_device<Exec>>(exec, A, options);
      // A build whose only host space is Serial has no other device for it.
      static_assert(std::decay_t<decltype(split)>::is_split !=
                    std::is_same_v<other_device<Exec>, typename Exec::device_type>);
      EXPECT_NO_THROW(validate(exec, split)) << what;
      expect_same_csr(to_csr<Offset>(exec, split), m, what + ", tail elsewhere");
      auto const pattern = csr_to_hyb(exec, device_csr<typename TypeParam::a, Offset, Exec>(m, false), options);
      expect_same_csr(to_csr<Offset>(exec, pattern), m, what + ", pattern", false);
    }
  }
}

ARAIA_TYPED_TEST(HybFormat, TheWidthIsTheLeastThatFewEnoughRowsExceed) {
  using Exec = typename TypeParam::exec;
  using A = typename TypeParam::a;
  Exec const exec;
  double const share = detail::HybCosts::of<A, std::int32_t>(true).share();
  for (auto const& m : zoo()) {
    auto const B = csr_to_hyb(exec, device_csr<A, typename TypeParam::offset, Exec>(m));
    auto const longer = [&](std::int64_t width) {
      double rows = 0;
      for (std::size_t i = 0; i < static_cast<std::size_t>(m.rows); ++i)
        if (m.row_offsets[i + 1] - m.row_offsets[i] > width) ++rows;
      return rows;
    };
    std::int64_t width = 0;
    while (m.nnz() > 0 && longer(width) >= share * static_cast<double>(m.rows)) ++width;
    EXPECT_EQ(B.ell.width, width) << m.name;
  }
}

ARAIA_TYPED_TEST(HybFormat, EveryBrokenRuleIsNamed) {
  using Exec = typename TypeParam::exec;
  Exec const exec;
  auto const m = random_matrix("mutant", 40, 30, 6);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  auto const fresh = [&] { return csr_to_hyb(exec, A, {.width = 4}); };
  auto B = fresh();
  ASSERT_GT(B.tail.nnz, 2);
  poke(B.ell.row_lengths, 4, 5);
  expect_broken<Exec>(B, "hyb: ell: row_lengths must lie in [0, width] (first broken at row 4)");
  B = fresh();
  poke(B.ell.col_indices, 2, 30);
  expect_broken<Exec>(B, "hyb: ell: col_indices must lie in [0, cols)");
  B = fresh();
  poke(B.tail.row_indices, 1, 40);
  expect_broken<Exec>(B, "hyb: coo: row_indices must lie in [0, rows) (first broken at entry 1)");
  B = fresh();
  poke(B.tail.col_indices, 2, -1);
  expect_broken<Exec>(B, "hyb: coo: col_indices must lie in [0, cols) (first broken at entry 2)");
  B = fresh();
  poke(B.tail.row_indices, 0, 39);
  expect_broken<Exec>(B, "row_indices must ascend where `sorted` is set");
  B = fresh();
  B.nnz += 1;
  expect_broken<Exec>(B, "entries of ell and tail must add up to nnz");
  B = fresh();
  B.tail.rows = 41;
  expect_broken<Exec>(B, "tail must be 40 x 30, got 41 x 30");
  B = fresh();
  B.ell.cols = 29;
  expect_broken<Exec>(B, "ell must be 40 x 30, got 40 x 29");
  B = fresh();
  B.tail.values = {};
  expect_broken<Exec>(B, "must both have values, or neither");
  auto const pattern = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m, false);
  B = csr_to_hyb(exec, pattern, {.width = 30});  // values without entries are capacity, which has_values() counts
  ASSERT_EQ(B.tail.nnz, 0);
  B.tail.values = decltype(B.tail.values)("capacity", 1);
  expect_broken<Exec>(B, "must both have values, or neither");
  B = csr_to_hyb(exec, pattern, {.width = 0});
  ASSERT_EQ(B.ell.nnz, 0);
  B.ell.width = 1;
  B.ell.col_indices = typename decltype(B.ell.col_indices)::non_const_type("col_indices", 40, 1);
  B.ell.values = decltype(B.ell.values)("values", 40, 1);
  expect_broken<Exec>(B, "must both have values, or neither");
  B = fresh();
  B.cols = -1;
  expect_broken<Exec>(B, "must not be negative");
}

ARAIA_TYPED_TEST(HybFormat, UpdateValuesRefillsBothParts) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  Exec const exec;
  auto m = random_matrix("update", 120, 80, 7);
  auto const old_values = device_csr<typename TypeParam::a, Offset, Exec>(m);
  auto const B = csr_to_hyb(exec, old_values);
  auto const split = csr_to_hyb<other_device<Exec>>(exec, old_values);
  ASSERT_GT(B.tail.nnz, 0);
  for (std::size_t k = 0; k < m.values.size(); ++k) m.values[k] = static_cast<double>(k) + 0.25;
  auto const new_values = device_csr<typename TypeParam::a, Offset, Exec>(m);
  update_values(exec, B, new_values);
  update_values(exec, split, new_values);
  expect_same_csr(to_csr<Offset>(exec, B), m, "hyb");
  expect_same_csr(to_csr<Offset>(exec, split), m, "hyb, tail elsewhere");
  auto const other = device_csr<typename TypeParam::a, Offset, Exec>(random_matrix("other", 120, 80, 5));
  expect_error(ErrorKind::dimension_mismatch, {"Hyb"}, [&] { update_values(exec, B, other); });
}

ARAIA_TYPED_TEST(HybFormat, BytesAreWhatWasCountedAndWithinTheStatedErrorOfTheEstimate) {
  using Exec = typename TypeParam::exec;
  using A = typename TypeParam::a;
  Exec const exec;
  auto const costs = detail::HybCosts::of<A, std::int32_t>(true);
  for (auto const& m : zoo()) {
    auto const csr = device_csr<A, typename TypeParam::offset, Exec>(m);
    auto const stats = row_stats(exec, csr);
    for (std::int64_t const width : {-1, 0, 3}) {
      HybOptions const options{.width = width};
      auto const B = csr_to_hyb(exec, csr, options);
      using Format = std::decay_t<decltype(B)>;
      EXPECT_EQ(B.bytes(), count_bytes<Format>(exec, csr, options)) << m.name;
      if (width < 0 && m.nnz() > 0) {
        auto const ratio = static_cast<double>(B.bytes()) /
                           static_cast<double>(estimate_bytes<Format>(stats, options, csr.has_values()));
        EXPECT_LE(ratio, costs.tail / costs.slot) << m.name;
        EXPECT_GE(ratio, costs.slot / costs.tail) << m.name;
      }
      if (m.nnz() == 0) continue;
      EXPECT_NO_THROW(csr_to_hyb(exec, csr, {.width = width, .memory_limit = B.bytes()}));
      expect_error(ErrorKind::resource_limit, {std::to_string(B.bytes()), std::to_string(B.bytes() - 1)},
                   [&] { csr_to_hyb(exec, csr, {.width = width, .memory_limit = B.bytes() - 1}); });
    }
  }
}

TEST(HybTypes, IndicesOfAnyWidthAndHalfScalarsConvert) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  auto const m = with_integer_values(random_matrix("widths", 90, 70, 6));
  expect_same_csr(
      to_csr<std::int64_t>(exec, csr_to_hyb(exec, device_csr_of<double, std::int64_t, std::int64_t, Exec>(m))), m,
      "64-bit columns");
  expect_same_csr(to_csr(exec, csr_to_hyb(exec, device_csr_of<float, std::int16_t, std::int32_t, Exec>(m))), m,
                  "16-bit columns");
  using half = Kokkos::Experimental::half_t;
  expect_same_csr(to_csr(exec, csr_to_hyb(exec, device_csr_of<half, std::int32_t, std::int32_t, Exec>(m))), m, "half");
}

// Of scalars and offsets of the application too no header may bring a warning: builds with warnings as errors ask that.
TEST(HybTypes, OffsetsMayBeUnsigned) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  auto const m = with_integer_values(random_matrix("unsigned", 90, 70, 6));
  auto const A = device_csr_of<double, std::int32_t, std::size_t, Exec>(m);
  expect_same_csr(to_csr<std::size_t>(exec, csr_to_hyb(exec, A)), m, "hyb");
  expect_same_csr(to_csr<std::size_t>(exec, csr_to_ell(exec, A)), m, "ell");
}

TEST(HybTypes, WhatDoesNotFitIsRefused) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  auto const tall = with_row_lengths("tall", 3, std::vector<std::int64_t>(40000, 1));
  auto const A = device_csr_of<double, std::int16_t, std::int32_t, Exec>(tall);
  expect_error(ErrorKind::resource_limit, {"39999", "32767"}, [&] { csr_to_hyb(exec, A); });
  auto const B = device_csr_of<double, std::int32_t, std::int32_t, Exec>(tall);
  expect_error(ErrorKind::resource_limit, {"width", "2147483647"},
               [&] { csr_to_hyb(exec, B, {.width = std::int64_t{1} << 40}); });
  expect_error(ErrorKind::invalid_argument, {"width is -2"}, [&] { csr_to_hyb(exec, B, {.width = -2}); });
}

}  // namespace
}  // namespace araia::test
