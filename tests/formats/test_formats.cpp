// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formats: every invariant has a mutant that validate() names; conversions give back every entry bit for bit.
#include <araia/detail/formats/bcsc_validation.hpp>
#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/csr_to_bcsc.hpp>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/formats/csr_to_csc.hpp>
#include <araia/detail/formats/csr_to_hyb.hpp>
#include <araia/detail/formats/csr_to_sell.hpp>
#include <araia/detail/formats/row_order.hpp>
#include <araia/detail/formats/sell_validate.hpp>
#include <functional>

#include "support/device.hpp"
#include "support/formats.hpp"
#include "support/types.hpp"

#include <gtest/gtest.h>

namespace araia::test {
namespace {

// What the library converts, and what is compiled where it is used.
template <class Scalar, class Ordinal, class Offset, class On>
constexpr bool is_ready = detail::is_ready_source<Device, Csr<Scalar, Ordinal, Offset, On>>;
using OnDevice = Device::device_type;
static_assert(is_ready<double, std::int32_t, std::int32_t, OnDevice>);
static_assert(is_ready<double const, std::int32_t, std::int32_t, OnDevice>);
static_assert(is_ready<float, std::int32_t, std::int32_t, OnDevice> == detail::has_all_types);
static_assert(!is_ready<std::int64_t, std::int32_t, std::int32_t, OnDevice>);
static_assert(!is_ready<double, std::int64_t, std::int32_t, OnDevice>);
static_assert(!is_ready<double, std::int32_t, std::int64_t, OnDevice>);
static_assert(!is_ready<double, std::int32_t, std::uint32_t, OnDevice>);
static_assert(!is_ready<double, std::int32_t, std::int32_t, Device>);  // another type of result

ARAIA_TYPED_SUITE(Formats, FormatTypes, OperandTypeNames);

ARAIA_TYPED_TEST(Formats, TheZooIsValidInEveryFormat) {
  using Exec = typename TypeParam::exec;
  for (auto const& m : zoo()) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    EXPECT_NO_THROW({
      validate(Exec(), A);
      validate(Exec(), csr_to_coo(Exec(), A));
      validate(Exec(), csr_to_ell(Exec(), A));
      validate(Exec(), csr_to_ell(Exec(), A, {.sort_rows = true}));
      validate(Exec(), sort_rows_by_length(Exec(), A));
      validate(Exec(), device_coo<typename TypeParam::a, Exec>(m, true));
    }) << m.name;
  }
}

ARAIA_TYPED_TEST(Formats, EveryBrokenRuleOfCsrIsNamed) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  auto const m = random_matrix("mutant", 40, 30, 6);
  auto const fresh = [&] { return device_csr<typename TypeParam::a, Offset, Exec>(m); };
  auto A = fresh();
  poke(A.row_offsets, 0, Offset{1});
  expect_broken<Exec>(A, "row_offsets(0) must be 0");
  A = fresh();
  poke(A.row_offsets, 7, static_cast<Offset>(m.nnz()));
  expect_broken<Exec>(A, "row_offsets must not descend (first broken at row 7)");
  A = fresh();
  poke(A.row_offsets, 40, static_cast<Offset>(m.nnz() + 1));
  expect_broken<Exec>(A, "row_offsets(rows) must be nnz");
  A = fresh();
  poke(A.col_indices, 11, 30);
  expect_broken<Exec>(A, "col_indices must lie in [0, cols) (first broken at entry 11)");
  A = fresh();
  poke(A.col_indices, 5, -1);
  expect_broken<Exec>(A, "col_indices must lie in [0, cols) (first broken at entry 5)");
  A = fresh();
  A.nnz = m.nnz() + 1;
  expect_broken<Exec>(A, "col_indices holds");
  A = fresh();
  A.rows = 41;
  expect_broken<Exec>(A, "row_offsets holds 41 elements, expected 42");
  A = fresh();
  A.values = Kokkos::subview(A.values, Kokkos::make_pair(0, 3));
  expect_broken<Exec>(A, "values holds 3 elements");
  A = fresh();
  A.cols = -1;
  expect_broken<Exec>(A, "must not be negative");
  auto B = sort_rows_by_length(Exec(), fresh());
  poke(B.row_permutation, 3, 40);
  expect_broken<Exec>(B, "row_permutation must lie in [0, rows) (first broken at row 3)");
  B = sort_rows_by_length(Exec(), fresh());
  auto const order = download<std::int32_t>(B.row_permutation);
  poke(B.row_permutation, 3, order[4]);
  expect_broken<Exec>(B, "row_permutation must name each row once");
}

ARAIA_TYPED_TEST(Formats, EveryBrokenRuleOfCooIsNamed) {
  using Exec = typename TypeParam::exec;
  auto const m = random_matrix("mutant", 40, 30, 6);
  auto const fresh = [&] { return device_coo<typename TypeParam::a, Exec>(m, false); };
  auto A = fresh();
  poke(A.row_indices, 9, 40);
  expect_broken<Exec>(A, "row_indices must lie in [0, rows) (first broken at entry 9)");
  A = fresh();
  poke(A.col_indices, 9, -2);
  expect_broken<Exec>(A, "col_indices must lie in [0, cols) (first broken at entry 9)");
  A = fresh();
  poke(A.row_indices, 0, 39);
  expect_broken<Exec>(A, "row_indices must ascend where `sorted` is set (first broken at entry 0)");
  A.sorted = false;
  EXPECT_NO_THROW(validate(Exec(), A));
  A = fresh();
  A.nnz = m.nnz() + 1;
  expect_broken<Exec>(A, "row_indices holds");
}

ARAIA_TYPED_TEST(Formats, EveryBrokenRuleOfEllIsNamed) {
  using Exec = typename TypeParam::exec;
  auto const m = random_matrix("mutant", 40, 30, 6);
  auto const csr = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  auto const fresh = [&] { return csr_to_ell(Exec(), csr, {.sort_rows = true}); };
  auto A = fresh();
  poke(A.row_lengths, 4, static_cast<std::int32_t>(A.width + 1));
  expect_broken<Exec>(A, "row_lengths must lie in [0, width] (first broken at row 4)");
  A = fresh();
  auto const lengths = download<std::int32_t>(A.row_lengths);
  poke(A.row_lengths, 4, lengths[4] - 1);
  expect_broken<Exec>(A, "row_lengths must add up to nnz");
  A = fresh();
  poke(Kokkos::View<std::int32_t const*, typename Exec::device_type>(A.col_indices.data(), 40), 2, 30);
  expect_broken<Exec>(A, "col_indices must lie in [0, cols) within a row's length (first broken at slot 2)");
  A = fresh();
  A.width += 1;
  expect_broken<Exec>(A, "col_indices must be (rows, width)");
  A = fresh();
  poke(A.row_permutation, 1, -1);
  expect_broken<Exec>(A, "row_permutation must lie in [0, rows)");
}

ARAIA_TYPED_TEST(Formats, RoundTripsGiveBackEveryEntryInItsPlace) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  Exec const exec;
  for (auto const& m : zoo()) {
    auto const A = device_csr<typename TypeParam::a, Offset, Exec>(m);
    expect_same_csr(to_csr<Offset>(exec, csr_to_coo(exec, A)), m, m.name + ", coo");
    expect_same_csr(to_csr<Offset>(exec, csr_to_ell(exec, A)), m, m.name + ", ell");
    expect_same_csr(to_csr<Offset>(exec, csr_to_ell(exec, A, {.sort_rows = true})), m, m.name + ", ell sorted");
    auto const ordered = sort_rows_by_length(exec, A);
    expect_same_csr(to_csr<Offset>(exec, ordered), m, m.name + ", csr ordered");
    expect_same_csr(to_csr<Offset>(exec, csr_to_coo(exec, ordered)), m, m.name + ", csr ordered, coo");
    expect_same_csr(to_csr<Offset>(exec, csr_to_ell(exec, ordered)), m, m.name + ", csr ordered, ell");
  }
}

ARAIA_TYPED_TEST(Formats, ShuffledCooKeepsTheOrderOfARowsEntries) {
  using Exec = typename TypeParam::exec;
  auto const m = unsorted_with_duplicates(random_matrix("shuffled", 300, 50, 7));
  auto const A = device_coo<typename TypeParam::a, Exec>(m, true);
  auto const B = to_csr(Exec(), A);
  validate(Exec(), B);
  auto const shuffled = coordinates(m, true);
  auto const offsets = download<std::int64_t>(B.row_offsets);
  auto const cols = download<std::int32_t>(B.col_indices);
  EXPECT_EQ(offsets, m.row_offsets);
  std::vector<std::int64_t> next = offsets;
  for (std::size_t k = 0; k < shuffled.row_indices.size(); ++k) {
    auto const at = next[static_cast<std::size_t>(shuffled.row_indices[k])]++;
    EXPECT_EQ(cols[static_cast<std::size_t>(at)], shuffled.col_indices[k]);
  }
}

ARAIA_TYPED_TEST(Formats, UpdateValuesRefillsEveryFormat) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  Exec const exec;
  auto m = random_matrix("update", 120, 80, 7);
  auto const old_values = device_csr<typename TypeParam::a, Offset, Exec>(m);
  auto const coo = csr_to_coo(exec, old_values);
  auto const ell = csr_to_ell(exec, old_values);
  auto const ell_sorted = csr_to_ell(exec, old_values, {.sort_rows = true});
  auto const ordered = sort_rows_by_length(exec, old_values);
  for (std::size_t k = 0; k < m.values.size(); ++k) m.values[k] = static_cast<double>(k) + 0.25;
  auto const new_values = device_csr<typename TypeParam::a, Offset, Exec>(m);
  update_values(exec, coo, new_values);
  update_values(exec, ell, new_values);
  update_values(exec, ell_sorted, new_values);
  update_values(exec, ordered, new_values);
  expect_same_csr(to_csr<Offset>(exec, coo), m, "coo");
  expect_same_csr(to_csr<Offset>(exec, ell), m, "ell");
  expect_same_csr(to_csr<Offset>(exec, ell_sorted), m, "ell, sorted rows");
  expect_same_csr(to_csr<Offset>(exec, ordered), m, "csr, ordered rows");
  auto const other = device_csr<typename TypeParam::a, Offset, Exec>(random_matrix("other", 120, 80, 5));
  EXPECT_THROW(update_values(exec, ell, other), Error);
}

ARAIA_TYPED_TEST(Formats, AMatrixWithoutEntriesMayHaveRoomForThem) {
  using Exec = typename TypeParam::exec;
  using Matrix = Csr<typename TypeParam::a, std::int32_t, typename TypeParam::offset, typename Exec::device_type>;
  Exec const exec;
  Matrix A{.rows = 2, .cols = 3, .nnz = 0};
  A.row_offsets = typename decltype(A.row_offsets)::non_const_type("row_offsets", 3);
  A.col_indices = typename decltype(A.col_indices)::non_const_type("col_indices", 4);
  A.values = typename decltype(A.values)::non_const_type("values", 4);
  ASSERT_NO_THROW(validate(exec, A));
  auto const check = [&](auto const& B) {
    EXPECT_NO_THROW(validate(exec, B));
    EXPECT_NO_THROW(update_values(exec, B, A)) << std::decay_t<decltype(B)>::format_name;
  };
  check(csr_to_coo(exec, A));
  check(csr_to_ell(exec, A));
  check(csr_to_csc(exec, A));
  check(csr_to_hyb(exec, A));
  check(csr_to_sell(exec, A));
  check(csr_to_bsr(exec, A, {}));
  check(csr_to_bcsc(exec, A));
  check(sort_rows_by_length(exec, A));
}

ARAIA_TYPED_TEST(Formats, BytesAreWhatWasPredictedAndCounted) {
  using Exec = typename TypeParam::exec;
  Exec const exec;
  for (auto const& m : zoo()) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    auto const stats = row_stats(exec, A);
    auto const expect = [&](auto const& B, bool sorted) {
      using Format = std::decay_t<decltype(B)>;
      EXPECT_EQ(B.bytes(), count_bytes<Format>(exec, A, sorted)) << m.name << ' ' << Format::format_name;
      EXPECT_EQ(B.bytes(), estimate_bytes<Format>(stats, A.has_values(), sorted))
          << m.name << ' ' << Format::format_name;
    };
    expect(A, false);
    expect(csr_to_coo(exec, A), false);
    expect(csr_to_ell(exec, A), false);
    expect(csr_to_ell(exec, A, {.sort_rows = true}), true);
    expect(sort_rows_by_length(exec, A), true);
  }
}

ARAIA_TYPED_TEST(Formats, AnEllBeyondTheLimitIsRefusedWithNeedAndLimit) {
  using Exec = typename TypeParam::exec;
  auto const m = with_row_lengths("dense row", 300, {1, 300, 1, 1});
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  std::uint64_t const need = 4 * 300 * (sizeof(typename TypeParam::a) + 4) + 4 * 4;
  EXPECT_NO_THROW(csr_to_ell(Exec(), A, {.memory_limit = need}));
  expect_error(ErrorKind::resource_limit, {std::to_string(need), std::to_string(need - 1)},
               [&] { csr_to_ell(Exec(), A, {.memory_limit = need - 1}); });
}

/// Counts as devices do, on every space.
template <class Types>
void expect_rows_ascend(TestMatrix const& m, bool expected) {
  using Exec = typename Types::exec;
  auto const A = device_csr<typename Types::a, typename Types::offset, Exec>(m);
  EXPECT_EQ(detail::rows_ascend(Exec(), A.pattern().pointers()), expected) << m.name;
}

ARAIA_TYPED_TEST(Formats, RowsThatAscendAreKnownByCounting) {
  for (auto const& m : zoo()) {
    bool ascend = true;
    for (std::size_t row = 0; row + 1 < m.row_offsets.size(); ++row)
      for (auto k = static_cast<std::size_t>(m.row_offsets[row]) + 1;
           k < static_cast<std::size_t>(m.row_offsets[row + 1]); ++k)
        ascend = ascend && m.col_indices[k] > m.col_indices[k - 1];
    expect_rows_ascend<TypeParam>(m, ascend);
  }
  // First entries of rows that are below, at and above the entry before, between empty rows; then one place in a row.
  auto m = with_row_lengths("three entries a row", 9, {0, 3, 0, 0, 3, 3, 3, 0});
  m.col_indices = {1, 4, 8, 0, 2, 3, 3, 5, 6, 7, 8, 9};
  m.cols = 10;
  expect_rows_ascend<TypeParam>(m, true);
  for (std::size_t const k : {1U, 5U, 7U, 11U}) {
    auto broken = m;
    broken.col_indices[k] = broken.col_indices[k - 1];
    broken.name = "a duplicate at " + std::to_string(k);
    expect_rows_ascend<TypeParam>(broken, false);
    broken.col_indices[k] = 0;
    broken.name = "a descent at " + std::to_string(k);
    expect_rows_ascend<TypeParam>(broken, false);
  }
}

// A function, as nvcc takes no device lambda in a test's body. Places behind `first` are broken too, so that other
// chunks of the loop find theirs.
std::int64_t first_broken_of(std::int64_t count, std::int64_t first) {
  return detail::first_broken(
      Kokkos::DefaultExecutionSpace(), count,
      KOKKOS_LAMBDA(std::int64_t i) { return i == first || (i > first && i % 2 == 0); });
}

TEST(FormatValidation, TheFirstBrokenPlaceIsFoundWhereverTheLoopIsCut) {
  for (std::int64_t const count : {0, 1, 2, 5, 4095, 4097, 100001}) {
    EXPECT_EQ(first_broken_of(count, count), count) << "none is broken";
    for (std::int64_t const first : {std::int64_t{0}, count / 3, count / 2 + 1, count - 1}) {
      if (first < 0 || first >= count) continue;
      EXPECT_EQ(first_broken_of(count, first), first) << "of " << count;
    }
  }
}

TEST(FormatLimits, AMatrixThatDoesNotFitItsIndicesIsRefusedBeforeAllocating) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Coo<double, std::int32_t, Exec::device_type> A{.rows = 4, .cols = 4, .nnz = 40000};
  EXPECT_THROW(to_csr<std::int16_t>(Exec(), A), Error);
  RowStats const stats{.rows = std::int64_t{1} << 40, .cols = 1, .nnz = 1, .max_length = std::int64_t{1} << 40};
  EXPECT_EQ((estimate_bytes<Ell<double>>(stats)), std::numeric_limits<std::uint64_t>::max());
}

}  // namespace
}  // namespace araia::test
