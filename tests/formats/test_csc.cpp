// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Csc: every invariant has a mutant, conversions give back every entry, values are refilled with and without the map.
#include <araia/detail/formats/csr_to_csc.hpp>

#include "support/formats.hpp"

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(CscFormat, FormatTypes, OperandTypeNames);

/// Columns of a TestMatrix by a plain loop: the rows and values of each, in the order of the entries.
struct Columns {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> row_indices;
  std::vector<double> values;
};
Columns columns_of(TestMatrix const& m) {
  Columns c;
  for (std::int64_t col = 0; col < m.cols; ++col) {
    for (std::int64_t row = 0; row < m.rows; ++row)
      for (auto k = m.row_offsets[static_cast<std::size_t>(row)]; k < m.row_offsets[static_cast<std::size_t>(row) + 1];
           ++k)
        if (m.col_indices[static_cast<std::size_t>(k)] == col) {
          c.row_indices.push_back(static_cast<std::int32_t>(row));
          c.values.push_back(m.values[static_cast<std::size_t>(k)]);
        }
    c.offsets.push_back(static_cast<std::int64_t>(c.row_indices.size()));
  }
  return c;
}

ARAIA_TYPED_TEST(CscFormat, ColumnsHoldTheEntriesInTheOrderOfTheRows) {
  using Exec = typename TypeParam::exec;
  using A = typename TypeParam::a;
  Exec const exec;
  for (auto const& m : zoo()) {
    auto const B = csr_to_csc(exec, device_csr<A, typename TypeParam::offset, Exec>(m));
    EXPECT_NO_THROW(validate(exec, B)) << m.name;
    auto const expected = columns_of(m);
    EXPECT_EQ(download<std::int64_t>(B.col_offsets), expected.offsets) << m.name;
    EXPECT_EQ(download<std::int32_t>(B.row_indices), expected.row_indices) << m.name;
    auto const values = download<A>(B.values);
    ASSERT_EQ(values.size(), expected.values.size()) << m.name;
    for (std::size_t k = 0; k < values.size(); ++k) EXPECT_EQ(values[k], scalar_from<A>(expected.values[k])) << m.name;
  }
}

ARAIA_TYPED_TEST(CscFormat, RoundTripsGiveBackEveryEntry) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  Exec const exec;
  for (auto const& original : zoo()) {
    auto const m = with_stored_zeros(original);
    auto const A = device_csr<typename TypeParam::a, Offset, Exec>(m);
    expect_same_csr(to_csr<Offset>(exec, csr_to_csc(exec, A)), with_sorted_columns(m), m.name);
    expect_same_csr(to_csr<Offset>(exec, csr_to_csc(exec, sort_rows_by_length(exec, A))), with_sorted_columns(m),
                    m.name + ", rows permuted");
    auto const pattern = device_csr<typename TypeParam::a, Offset, Exec>(m, false);
    auto const B = csr_to_csc(exec, pattern);
    EXPECT_FALSE(B.has_values());
    expect_same_csr(to_csr<Offset>(exec, B), with_sorted_columns(m), m.name + ", pattern", false);
  }
}

ARAIA_TYPED_TEST(CscFormat, LongColumnsAreInOrderToo) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  Exec const exec;
  std::vector<std::int64_t> const lengths(3000, 3);
  for (std::int64_t const cols : {3, 4}) {  // columns of 3000 and about 2250 entries
    auto const m = with_row_lengths("long columns", cols, lengths);
    auto const B = csr_to_csc(exec, device_csr<typename TypeParam::a, Offset, Exec>(m));
    auto const expected = columns_of(m);
    EXPECT_EQ(download<std::int32_t>(B.row_indices), expected.row_indices) << cols;
    expect_same_csr(to_csr<Offset>(exec, B), m, m.name);
  }
}

ARAIA_TYPED_TEST(CscFormat, EveryBrokenRuleIsNamed) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  Exec const exec;
  auto const m = random_matrix("mutant", 30, 40, 6);
  auto const A = device_csr<typename TypeParam::a, Offset, Exec>(m);
  auto const fresh = [&] { return csr_to_csc(exec, A, {.keep_source = true}); };
  auto B = fresh();
  poke(B.col_offsets, 0, 1);
  expect_broken<Exec>(B, "col_offsets(0) must be 0");
  B = fresh();
  poke(B.col_offsets, 7, m.nnz());
  expect_broken<Exec>(B, "col_offsets must not descend (first broken at column 7)");
  B = fresh();
  poke(B.col_offsets, 40, m.nnz() + 1);
  expect_broken<Exec>(B, "col_offsets(cols) must be nnz");
  B = fresh();
  poke(B.row_indices, 11, 30);
  expect_broken<Exec>(B, "row_indices must lie in [0, rows) (first broken at entry 11)");
  B = fresh();
  poke(B.row_indices, 5, -1);
  expect_broken<Exec>(B, "row_indices must lie in [0, rows) (first broken at entry 5)");
  B = fresh();
  poke(B.source.narrow, 9, m.nnz());
  expect_broken<Exec>(B, "source must lie in [0, nnz) (first broken at entry 9)");
  B = fresh();
  auto const source = download<std::int64_t>(B.source.narrow);
  poke(B.source.narrow, 9, source[8]);
  expect_broken<Exec>(B, "source must name each entry once");
  B = fresh();  // the middle one of a row's entries and another row's
  auto const row_indices = download<std::int64_t>(B.row_indices);
  std::size_t row = 0;
  while (m.row_offsets[row + 1] - m.row_offsets[row] < 3) ++row;
  std::size_t inner = 0;
  while (source[inner] != m.row_offsets[row] + 1) ++inner;
  std::size_t outer = 0;
  while (row_indices[outer] == row_indices[inner]) ++outer;
  poke(B.source.narrow, inner, source[outer]);
  poke(B.source.narrow, outer, source[inner]);
  expect_broken<Exec>(B, "source must keep the entries of a row together");
  B = fresh();
  B.source.narrow = Kokkos::subview(B.source.narrow, Kokkos::make_pair(0, 3));
  expect_broken<Exec>(B, "source holds 3 elements");
  B = fresh();
  auto const half = static_cast<std::size_t>(m.nnz() / 2);
  B.source.narrow = Kokkos::subview(B.source.narrow, Kokkos::make_pair(std::size_t{0}, half));
  B.source.wide = decltype(B.source.wide)("wide", static_cast<std::size_t>(m.nnz()) - half);
  expect_broken<Exec>(B, "source must be of 32 or 64 bits, got both");
  B = fresh();
  B.nnz += 1;
  expect_broken<Exec>(B, "row_indices holds");
  B = fresh();
  B.cols = 41;
  expect_broken<Exec>(B, "col_offsets holds 41 elements, expected 42");
  B = fresh();
  B.values = Kokkos::subview(B.values, Kokkos::make_pair(0, 3));
  expect_broken<Exec>(B, "values holds 3 elements");
  B = fresh();
  B.rows = -1;
  expect_broken<Exec>(B, "must not be negative");
  B = fresh();
  EXPECT_NO_THROW(make_csc(exec, B.rows, B.cols, B.col_offsets, B.row_indices, B.values));
}

ARAIA_TYPED_TEST(CscFormat, UpdateValuesRefillsWithAndWithoutTheMap) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  Exec const exec;
  auto m = random_matrix("update", 120, 80, 7);
  auto const old_values = device_csr<typename TypeParam::a, Offset, Exec>(m);
  auto const kept = csr_to_csc(exec, old_values, {.keep_source = true});
  auto const lean = csr_to_csc(exec, old_values);
  EXPECT_EQ(lean.source.size(), 0u);
  for (std::size_t k = 0; k < m.values.size(); ++k) m.values[k] = static_cast<double>(k) + 0.25;
  auto const new_values = device_csr<typename TypeParam::a, Offset, Exec>(m);
  update_values(exec, kept, new_values);
  update_values(exec, lean, new_values);
  expect_same_csr(to_csr<Offset>(exec, kept), m, "with the map");
  expect_same_csr(to_csr<Offset>(exec, lean), m, "without the map");
  auto const other = device_csr<typename TypeParam::a, Offset, Exec>(random_matrix("other", 120, 80, 5));
  expect_error(ErrorKind::dimension_mismatch, {"Csc"}, [&] { update_values(exec, kept, other); });
}

ARAIA_TYPED_TEST(CscFormat, BytesAreWhatWasPredictedAndCountedAndRefusedBeyondTheLimit) {
  using Exec = typename TypeParam::exec;
  Exec const exec;
  for (auto const& m : zoo())
    for (bool const keep : {false, true}) {
      auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
      auto const B = csr_to_csc(exec, A, {.keep_source = keep});
      using Format = std::decay_t<decltype(B)>;
      EXPECT_EQ(B.bytes(), count_bytes<Format>(exec, A, CscOptions{.keep_source = keep})) << m.name;
      EXPECT_EQ(B.bytes(), estimate_bytes<Format>(row_stats(exec, A), CscOptions{.keep_source = keep}, A.has_values()))
          << m.name;
      if (A.nnz == 0) continue;
      EXPECT_NO_THROW(csr_to_csc(exec, A, {.keep_source = keep, .memory_limit = B.bytes()}));
      expect_error(ErrorKind::resource_limit, {std::to_string(B.bytes()), std::to_string(B.bytes() - 1)},
                   [&] { csr_to_csc(exec, A, {.keep_source = keep, .memory_limit = B.bytes() - 1}); });
    }
}

TEST(CscTypes, IndicesOfAnyWidthAndHalfScalarsConvert) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  auto const m = with_integer_values(random_matrix("widths", 90, 70, 6));
  expect_same_csr(
      to_csr<std::int64_t>(exec, csr_to_csc(exec, device_csr_of<double, std::int64_t, std::int64_t, Exec>(m))), m,
      "64-bit columns");
  expect_same_csr(
      to_csr<std::int32_t>(exec, csr_to_csc(exec, device_csr_of<float, std::int16_t, std::int32_t, Exec>(m))), m,
      "16-bit columns");
  using half = Kokkos::Experimental::half_t;
  expect_same_csr(to_csr(exec, csr_to_csc(exec, device_csr_of<half, std::int32_t, std::int32_t, Exec>(m))), m, "half");
}

TEST(CscTypes, IndicesThatDoNotFitAreRefused) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  // 40000 rows of 16-bit columns: a legal Csr, but no row index of the Csc would fit.
  auto const tall = with_row_lengths("tall", 3, std::vector<std::int64_t>(40000, 1));
  auto const A = device_csr_of<double, std::int16_t, std::int32_t, Exec>(tall);
  expect_error(ErrorKind::resource_limit, {"39999", "32767"}, [&] { csr_to_csc(exec, A); });
  // 40000 entries do not fit 16-bit offsets.
  auto const B = csr_to_csc(exec, device_csr_of<double, std::int32_t, std::int32_t, Exec>(tall));
  expect_error(ErrorKind::resource_limit, {"40000", "32767"}, [&] { to_csr<std::int16_t>(exec, B); });
}

}  // namespace
}  // namespace araia::test
