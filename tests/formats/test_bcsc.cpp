// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BCSC and its forms: round trips, bytes, values, refusals. Broken invariants are in test_bcsc_validation.cpp.
#include <algorithm>
#include <araia/detail/formats/csr_to_bcsc.hpp>
#include <araia/ops/spmv.hpp>

#include "backends/openmp/reference/entries.hpp"
#include "support/bcsc.hpp"
#include "support/device.hpp"
#include "support/errors.hpp"
#include "support/formats.hpp"
#include "support/types.hpp"

#include <gtest/gtest.h>

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(BcscFormat, FormatTypes, OperandTypeNames);

/// Rows within a block in 16 bits for doubles, in 8 for other types, which then have no compact form of taller blocks.
template <class Types>
using compact_rows_t = std::conditional_t<std::is_same_v<typename Types::a, double>, std::uint16_t, std::uint8_t>;
template <class Types, class Matrix>
bool has_compact_form(Matrix const& B) {
  return sizeof(compact_rows_t<Types>) == 2 || B.block_height <= 256 || B.rows <= 256;
}

ARAIA_TYPED_TEST(BcscFormat, RoundTripsGiveBackEveryEntryInItsPlace) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  Exec const exec;
  std::size_t turn = 0;
  for (auto const& m : bcsc_zoo()) {
    auto const A = device_csr<typename TypeParam::a, Offset, Exec>(m);
    auto const ascending = with_ascending_columns(m);
    // Doubles meet every option, other types every other one.
    std::size_t const step = std::is_same_v<typename TypeParam::y, double> && sizeof(Offset) == 4 ? 1 : 2;
    for (std::size_t k = turn++ % step; k < all_bcsc_options().size(); k += step) {
      auto const& [name, options] = all_bcsc_options()[k];
      std::string const what = m.name + ", " + name;
      auto const B = csr_to_bcsc(exec, A, options);
      EXPECT_NO_THROW(validate(exec, B)) << what;
      expect_same_csr(to_csr<Offset>(exec, B), options.keep_gather ? m : ascending, what);
      if (B.block_height > 256 && B.rows > 256) {
        EXPECT_THROW(compact_bcsc(exec, B), Error) << what;
        if (!has_compact_form<TypeParam>(B)) continue;
        auto const C = compact_bcsc<compact_rows_t<TypeParam>>(exec, B);
        EXPECT_NO_THROW(validate(exec, C)) << what;
        expect_same_csr(to_csr<Offset>(exec, C), options.keep_gather ? m : ascending, what + ", 16-bit rows");
        continue;
      }
      for (auto const columns : {BcscColumns::narrow, BcscColumns::wide}) {
        auto const C = compact_bcsc(exec, B, columns);
        EXPECT_NO_THROW(validate(exec, C)) << what;
        expect_same_csr(to_csr<Offset>(exec, C), options.keep_gather ? m : ascending, what + ", compact");
      }
    }
  }
}

ARAIA_TYPED_TEST(BcscFormat, PermutedRowsGoAlong) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  Exec const exec;
  for (auto const& m : zoo()) {
    auto const A = sort_rows_by_length(exec, device_csr<typename TypeParam::a, Offset, Exec>(m));
    auto const B = csr_to_bcsc(exec, A, {.block_height = 16});
    EXPECT_NO_THROW(validate(exec, B)) << m.name;
    expect_same_csr(to_csr<Offset>(exec, B), with_ascending_columns(m), m.name);
    expect_same_csr(to_csr<Offset>(exec, compact_bcsc(exec, B)), with_ascending_columns(m), m.name + ", compact");
  }
}

ARAIA_TYPED_TEST(BcscFormat, PatternsHaveNoValues) {
  using Exec = typename TypeParam::exec;
  Exec const exec;
  auto const m = random_matrix("pattern", 90, 70, 8);
  auto const A = device_csr<typename TypeParam::a, std::int32_t, Exec>(m, false);
  for (auto const& [name, options] : all_bcsc_options()) {
    auto const B = csr_to_bcsc(exec, A, options);
    EXPECT_FALSE(B.has_values());
    EXPECT_NO_THROW(validate(exec, B));
    expect_same_csr(to_csr(exec, B), m, name, false);
    EXPECT_NO_THROW(update_values(exec, B, A));
  }
}

ARAIA_TYPED_TEST(BcscFormat, BytesAreWhatWasCountedAndWhatTheFormulaSays) {
  using Exec = typename TypeParam::exec;
  using Scalar = typename TypeParam::a;
  using Offset = typename TypeParam::offset;
  using Device = typename Exec::device_type;
  using Wide = Bcsc<Scalar, std::int32_t, Offset, Device>;
  using Compact = BcscCompact<Scalar, std::int32_t, Offset, Device>;
  Exec const exec;
  for (auto const& m : bcsc_zoo()) {
    auto const A = device_csr<Scalar, Offset, Exec>(m);
    for (auto const& [name, options] : all_bcsc_options()) {
      std::string const what = m.name + ", " + name;
      auto const B = csr_to_bcsc(exec, A, options);
      EXPECT_EQ(B.stored(), B.nnz);
      EXPECT_EQ(B.bytes(), count_bytes<Wide>(exec, A, options)) << what;
      if (B.block_height <= 256 || B.rows <= 256) {
        EXPECT_EQ(compact_bcsc(exec, B, options.columns).bytes(), count_bytes<Compact>(exec, A, options)) << what;
      }
      if (options.heights != BcscHeights::equal || options.split || options.keep_gather) continue;
      auto const n = [](std::int64_t count) { return static_cast<std::uint64_t>(count); };
      EXPECT_EQ(B.bytes(), (4 + sizeof(Scalar)) * n(B.nnz) + (4 + sizeof(Offset)) * n(B.block_columns) +
                               sizeof(Offset) * (n(B.blocks) + 2))
          << what;
      auto const stats = row_stats(exec, A, {.block_heights = {options.block_height}});
      EXPECT_EQ(B.bytes(), estimate_bytes<Wide>(stats, options)) << what;
    }
  }
}

TEST(BcscBytes, TheThesisFormula) {
  using Exec = Kokkos::DefaultExecutionSpace;
  auto const m = random_matrix("formula", 1000, 300, 20);
  auto const B = csr_to_bcsc(Exec(), device_csr<float, std::int32_t, Exec>(m), {.block_height = 64});
  auto const n = [](std::int64_t count) { return static_cast<std::uint64_t>(count); };
  EXPECT_EQ(B.blocks, 16);
  EXPECT_EQ(B.bytes(), 8 * n(B.nnz) + 8 * n(B.block_columns) + 4 * n(B.blocks) + 8);
  auto const D = csr_to_bcsc(Exec(), device_csr<double, std::int32_t, Exec>(m), {.block_height = 64});
  EXPECT_EQ(D.bytes(), 12 * n(B.nnz) + 8 * n(B.block_columns) + 4 * n(B.blocks) + 8);
}

/// Rows in pairs, 3 entries in 2 columns a pair: 1.5 entries a block column for blocks of two rows and more.
TestMatrix one_and_a_half(std::int64_t rows, std::int64_t cols) {
  TestMatrix m{"1.5 entries a column", rows, cols};
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t j = 0; j < 30; ++j) {
      std::int64_t const col = ((row / 2) * 60 + 2 * j) % (cols - 2);
      m.col_indices.push_back(static_cast<std::int32_t>(col));
      m.values.push_back(1);
      if (row % 2 == 0) {
        m.col_indices.push_back(static_cast<std::int32_t>(col + 1));
        m.values.push_back(2);
      }
    }
    m.row_offsets.push_back(m.nnz());
  }
  return m;
}

TEST(BcscBytes, TheCompactFormStaysUnderItsBound) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  auto const m = one_and_a_half(2048, 200000);
  auto const B = csr_to_bcsc(exec, device_csr<float, std::int32_t, Exec>(m), {.block_height = 64});
  ASSERT_NEAR(static_cast<double>(B.nnz) / static_cast<double>(B.block_columns), 1.5, 0.001);
  auto const per_entry = [&](auto const& C) { return static_cast<double>(C.bytes()) / static_cast<double>(C.nnz); };
  EXPECT_LE(per_entry(compact_bcsc(exec, B, BcscColumns::wide)), 8.6);
  EXPECT_LE(per_entry(compact_bcsc(exec, B)), 7.1);
  EXPECT_GE(per_entry(B), 13.3);
}

ARAIA_TYPED_TEST(BcscFormat, UpdateValuesRefillsEveryForm) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  Exec const exec;
  for (auto m : {random_matrix("update", 120, 80, 7), unsorted_with_duplicates(random_matrix("update", 130, 90, 9))}) {
    auto const old_values = device_csr<typename TypeParam::a, Offset, Exec>(m);
    auto const other = device_csr<typename TypeParam::a, Offset, Exec>(random_matrix("other", 120, 80, 5));
    std::vector<double> const kept = m.values;
    for (auto const& [name, options] : all_bcsc_options()) {
      m.values = kept;
      auto const B = csr_to_bcsc(exec, old_values, options);
      for (std::size_t k = 0; k < m.values.size(); ++k) m.values[k] = static_cast<double>(k) + 0.25;
      auto const new_values = device_csr<typename TypeParam::a, Offset, Exec>(m);
      auto const expected = options.keep_gather ? m : with_ascending_columns(m);
      update_values(exec, B, new_values);
      expect_same_csr(to_csr<Offset>(exec, B), expected, m.name + ", " + name);
      EXPECT_THROW(update_values(exec, B, other), Error);
      if (!has_compact_form<TypeParam>(B)) continue;
      auto const C = csr_to_bcsc_compact<compact_rows_t<TypeParam>>(exec, old_values, options);
      update_values(exec, C, new_values);
      expect_same_csr(to_csr<Offset>(exec, C), expected, m.name + ", " + name + ", compact");
    }
  }
}

ARAIA_TYPED_TEST(BcscFormat, TheReferenceSeesTheEntriesOfTheCsr) {
  using Exec = typename TypeParam::exec;
  Exec const exec;
  auto const m = unsorted_with_duplicates(random_matrix("entries", 70, 50, 6));
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  using Entry = std::tuple<std::int64_t, std::int64_t, double>;
  auto const entries_of = [](auto const& pointers) {
    std::vector<Entry> entries;
    reference::for_each_entry(pointers, [&](std::int64_t row, std::int64_t col, auto const& value) {
      if constexpr (is_complex_v<std::decay_t<decltype(value)>>)
        entries.emplace_back(row, col, value.real());
      else
        entries.emplace_back(row, col, static_cast<double>(value));
    });
    std::sort(entries.begin(), entries.end());
    return entries;
  };
  auto const host = host_copy(A);
  auto const expected = entries_of(host.pointers());
  auto const host_exec = Kokkos::DefaultHostExecutionSpace();
  for (auto const& [name, options] : all_bcsc_options()) {
    auto const B = csr_to_bcsc(host_exec, host, options);
    EXPECT_EQ(entries_of(B.pointers()), expected) << name;
    for (auto const columns : {BcscColumns::narrow, BcscColumns::wide}) {
      auto const C = compact_bcsc<compact_rows_t<TypeParam>>(host_exec, B, columns);
      EXPECT_EQ(entries_of(C.pointers()), expected) << name;
    }
  }
}

TEST(BcscCompactForm, AColumnOfMoreThan256EntriesIsStoredInParts) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  for (std::int64_t const rows : {255, 256, 257, 511, 512, 513, 700}) {
    auto const m = with_row_lengths(std::to_string(rows) + " rows", 3,
                                    std::vector<std::int64_t>(static_cast<std::size_t>(rows), 2));
    auto const A = device_csr<double, std::int32_t, Exec>(m);
    for (bool const split : {false, true}) {
      auto const B = csr_to_bcsc(exec, A, {.block_height = 1024, .split = split, .dense_entries = 300});
      auto const C = compact_bcsc<std::uint16_t>(exec, B);
      EXPECT_GE(C.block_columns, B.block_columns);
      EXPECT_NO_THROW(validate(exec, C));
      expect_same_csr(to_csr(exec, C), m, m.name);
      auto const back = expand_bcsc(exec, C);
      EXPECT_EQ(download<std::int64_t>(back.split), download<std::int64_t>(B.split));
      EXPECT_EQ(download<std::int64_t>(back.block_cols), download<std::int64_t>(B.block_cols));
    }
  }
}

ARAIA_TYPED_TEST(BcscFormat, SplitPutsDenseColumnsFirst) {
  using Exec = typename TypeParam::exec;
  Exec const exec;
  auto const m = random_matrix("split", 300, 60, 12);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  for (std::int64_t const asked : {0, 1, 5, 1000}) {
    auto const B = csr_to_bcsc(exec, A, {.block_height = 32, .split = true, .dense_entries = asked});
    auto const offsets = download<std::int64_t>(B.block_offsets);
    auto const columns = download<std::int64_t>(B.col_offsets);
    auto const split = download<std::int64_t>(B.split);
    std::int64_t const threshold = asked ? asked : 10;  // 0.29 of 32 rows
    for (std::size_t b = 0; b + 1 < static_cast<std::size_t>(B.blocks); ++b)
      for (auto j = static_cast<std::size_t>(offsets[b]); j < static_cast<std::size_t>(offsets[b + 1]); ++j)
        EXPECT_EQ(columns[j + 1] - columns[j] >= threshold, static_cast<std::int64_t>(j) < split[b]) << b << ' ' << j;
  }
  EXPECT_THROW(csr_to_bcsc(exec, A, {.split = true, .dense_entries = -1}), Error);
}

ARAIA_TYPED_TEST(BcscFormat, VaryingHeightsBalance) {
  using Exec = typename TypeParam::exec;
  Exec const exec;
  std::vector<std::int64_t> lengths(600, 2);
  for (std::size_t i = 200; i < 300; ++i) lengths[i] = 60;
  auto const m = with_row_lengths("skewed", 400, lengths);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  auto const entries = csr_to_bcsc(exec, A, {.heights = BcscHeights::by_entries, .per_block = 200, .tallest = 128});
  auto const rows = download<std::int64_t>(entries.block_rows);
  for (std::size_t b = 0; b + 1 < rows.size(); ++b) {
    EXPECT_LE(rows[b + 1] - rows[b], 128);
    auto const first = m.row_offsets[static_cast<std::size_t>(rows[b])];
    auto const last = m.row_offsets[static_cast<std::size_t>(rows[b + 1])];
    EXPECT_LT(last - first, 200 + 60);
  }
  auto const columns = csr_to_bcsc(exec, A, {.heights = BcscHeights::by_columns, .per_block = 150, .tallest = 128});
  auto const offsets = download<std::int64_t>(columns.block_offsets);
  auto const column_rows = download<std::int64_t>(columns.block_rows);
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    EXPECT_LE(offsets[b + 1] - offsets[b], 150);
    // No block could take the next row as well, but at the chunks' ends.
    if (b + 2 < offsets.size() && column_rows[b + 1] % 128 != 0) {
      EXPECT_GT(offsets[b + 1] - offsets[b] +
                    (m.row_offsets[static_cast<std::size_t>(column_rows[b + 1]) + 1] -
                     m.row_offsets[static_cast<std::size_t>(column_rows[b + 1])]),
                150);
    }
  }
}

/// The round trip for index and value types that the library does not write out.
template <class Scalar, class Ordinal, class Offset>
void round_trip(TestMatrix const& m) {
  using Exec = Kokkos::DefaultExecutionSpace;
  using Device = Exec::device_type;
  Exec const exec;
  Csr<Scalar, Ordinal, Offset, Device> A{.rows = m.rows, .cols = m.cols, .nnz = m.nnz()};
  A.row_offsets = upload<Offset, Device>("row_offsets", m.row_offsets);
  A.col_indices = upload<Ordinal, Device>("col_indices", m.col_indices);
  A.values = upload<Scalar, Device>("values", m.values);
  for (bool const split : {false, true}) {
    auto const B = csr_to_bcsc(exec, A, {.block_height = 32, .split = split});
    EXPECT_NO_THROW(validate(exec, B));
    for (auto const& back : {to_csr<std::int32_t>(exec, B), to_csr<std::int32_t>(exec, compact_bcsc(exec, B))}) {
      EXPECT_EQ(download<std::int64_t>(back.row_offsets), m.row_offsets);
      EXPECT_EQ(download<std::int32_t>(back.col_indices), m.col_indices);
      auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), back.values);
      for (std::size_t k = 0; k < m.values.size(); ++k) EXPECT_TRUE(host(k) == scalar_from<Scalar>(m.values[k])) << k;
    }
  }
}

TEST(BcscTypes, OtherIndicesAndScalars) {
  auto const m = with_integer_values(random_matrix("types", 150, 90, 7));
  round_trip<double, std::int64_t, std::int64_t>(m);
  round_trip<double, std::int16_t, std::int16_t>(m);
  round_trip<Kokkos::Experimental::half_t, std::int16_t, std::int32_t>(m);
  round_trip<Kokkos::complex<float>, std::int32_t, std::size_t>(m);
}

/// Devices order entries by keys of 64 bits: with rows of entries in them, without, or, beyond 64, by another sort.
/// Wide columns reach all three.
TEST(BcscTypes, ColumnsOfAnyWidthAreOrdered) {
  using Exec = Kokkos::DefaultExecutionSpace;
  using Device = Exec::device_type;
  Exec const exec;
  auto m = with_integer_values(random_matrix("wide", 300, 64, 5));
  for (int const bits : {6, 40, 46, 48, 49, 50, 51, 52, 53, 54, 55, 56, 58, 60, 62}) {
    Csr<double, std::int64_t, std::int32_t, Device> A{.rows = m.rows, .cols = std::int64_t{1} << bits, .nnz = m.nnz()};
    std::vector<std::int64_t> columns(m.col_indices.begin(), m.col_indices.end());
    for (auto& column : columns) column <<= bits - 6;
    A.row_offsets = upload<std::int32_t, Device>("row_offsets", m.row_offsets);
    A.col_indices = upload<std::int64_t, Device>("col_indices", columns);
    A.values = upload<double, Device>("values", m.values);
    for (auto const& options : {BcscOptions{.block_height = 16}, BcscOptions{.block_height = 1},
                                BcscOptions{.block_height = 300}, BcscOptions{.block_height = 16, .split = true},
                                BcscOptions{.block_height = 16, .heights = BcscHeights::by_columns},
                                BcscOptions{.block_height = 16, .keep_gather = true}}) {
      std::string const what = std::to_string(bits) + " bits, height " + std::to_string(options.block_height);
      auto const B = csr_to_bcsc(exec, A, options);
      EXPECT_NO_THROW(validate(exec, B)) << what;
      Kokkos::deep_copy(exec, B.values, 0.0);
      update_values(exec, B, A);
      if (options.split && bits > 58) {  // 59 bits for numbers of columns, 4 for rows
        EXPECT_EQ(kind_of([&] { to_csr<std::int32_t>(exec, B); }), ErrorKind::resource_limit) << what;
        continue;
      }
      auto const back = to_csr<std::int32_t>(exec, B);
      EXPECT_EQ(download<std::int64_t>(back.row_offsets), m.row_offsets) << what;
      EXPECT_EQ(download<std::int64_t>(back.col_indices), columns) << what;
      EXPECT_EQ(download<double>(back.values), m.values) << what;
      if (options.block_height > 256) continue;
      auto const C = csr_to_bcsc_compact(exec, A, options);
      EXPECT_NO_THROW(validate(exec, C)) << what;
      EXPECT_EQ(download<std::int64_t>(to_csr<std::int32_t>(exec, C).col_indices), columns) << what;
    }
  }
}

TEST(BcscLimits, RefusalsNameNeedAndLimit) {
  using Exec = Kokkos::DefaultExecutionSpace;
  using Format = Bcsc<double, std::int32_t, std::int32_t, Exec::device_type>;
  Exec const exec;
  auto const m = random_matrix("limits", 300, 200, 10);
  auto const A = device_csr<double, std::int32_t, Exec>(m);
  // Of ordering the entries, which devices do with arrays of keys, or of the result beside their order.
  std::uint64_t const need = std::max(detail::ordering_bytes<Exec>(m.nnz(), BcscHeights::equal),
                                      count_bytes<Format>(exec, A, BcscOptions{}) + detail::order_bytes(m.nnz()));
  EXPECT_NO_THROW(csr_to_bcsc(exec, A, {.memory_limit = need}));
  std::string what;
  EXPECT_EQ(kind_of([&] { csr_to_bcsc(exec, A, {.memory_limit = need - 1}); }, &what), ErrorKind::resource_limit);
  EXPECT_NE(what.find(std::to_string(need)), std::string::npos) << what;
  EXPECT_NE(what.find(std::to_string(need - 1)), std::string::npos) << what;
  EXPECT_EQ(kind_of([&] { csr_to_bcsc(exec, A, {.memory_limit = 10}); }), ErrorKind::resource_limit);
  EXPECT_EQ(kind_of([&] { count_bytes<Format>(exec, A, {.memory_limit = 10}); }), ErrorKind::resource_limit);
  EXPECT_EQ(kind_of([&] { csr_to_bcsc(exec, A, {.block_height = 0}); }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] { csr_to_bcsc(exec, A, {.per_block = -1}); }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] { csr_to_bcsc(exec, A, {.tallest = -1}); }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] { csr_to_bcsc_compact(exec, A, {.block_height = 257}); }, &what), ErrorKind::unsupported);
  EXPECT_NE(what.find("257"), std::string::npos) << what;
}

TEST(BcscLimits, IndicesThatDoNotFitAreRefused) {
  using Exec = Kokkos::DefaultExecutionSpace;
  using Device = Exec::device_type;
  Exec const exec;
  auto const m = random_matrix("overflow", 2000, 1000, 30);
  ASSERT_GT(m.nnz(), 32767);
  auto const B = csr_to_bcsc(exec, device_csr<double, std::int32_t, Exec>(m));
  EXPECT_EQ(kind_of([&] { to_csr<std::int16_t>(exec, B); }), ErrorKind::resource_limit);
  using Format = Bcsc<double, std::int32_t, std::int32_t, Device>;
  RowStats const stats{.rows = std::int64_t{1} << 62, .cols = 1, .nnz = std::int64_t{1} << 62};
  EXPECT_EQ((estimate_bytes<Format>(stats, BcscOptions{.block_height = 1})), std::numeric_limits<std::uint64_t>::max());
  // 2^33 rows of no entries: more blocks of one row than 32 bits count, found before anything is allocated.
  Csr<double, std::int64_t, std::int64_t, Device> tall{.rows = std::int64_t{1} << 33, .cols = 1, .nnz = 0};
  EXPECT_EQ(kind_of([&] { csr_to_bcsc(exec, tall, {.block_height = 1, .validate = false}); }),
            ErrorKind::resource_limit);
}

TEST(BcscLimits, NarrowColumnsAreRefusedWhereABlockSpansTooMany) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  for (std::int64_t const cols : {65536, 65537}) {
    TestMatrix m{"span", 1, cols, {0, 2}, {0, static_cast<std::int32_t>(cols - 1)}, {1, 2}};
    auto const A = device_csr<double, std::int32_t, Exec>(m);
    auto const C = csr_to_bcsc_compact(exec, A);
    EXPECT_EQ(C.col_steps.extent(0), cols == 65536 ? 2 : 0);
    validate(exec, C);
    expect_same_csr(to_csr(exec, C), m, m.name);
    auto const narrow = [&] { csr_to_bcsc_compact(exec, A, {.columns = BcscColumns::narrow}); };
    if (cols == 65536) {
      EXPECT_NO_THROW(narrow());
    } else {
      EXPECT_EQ(kind_of(narrow), ErrorKind::unsupported);
    }
  }
}

TEST(BcscEstimate, StaysWithinItsStatedError) {
  using Exec = Kokkos::DefaultExecutionSpace;
  using Format = Bcsc<float, std::int32_t, std::int32_t, Exec::device_type>;
  Exec const exec;
  for (auto const& m : zoo()) {
    if (m.nnz() == 0) continue;
    auto const A = device_csr<float, std::int32_t, Exec>(m);
    auto const stats = row_stats(exec, A, {.block_heights = {4, 64}});
    for (std::int64_t const height : {2, 16, 32, 128}) {
      auto const exact = static_cast<double>(count_bytes<Format>(exec, A, {.block_height = height}));
      auto const estimated = static_cast<double>(estimate_bytes<Format>(stats, BcscOptions{.block_height = height}));
      EXPECT_LE(estimated, 2 * exact) << m.name << ", height " << height;
      EXPECT_GE(estimated, exact / 2) << m.name << ", height " << height;
    }
  }
}

TEST(BcscEstimate, OfUnknownHeightsIsWithinTheBytesOfAColumnAndAnEntry) {
  Device const exec;
  TestMatrix m{"diagonal", 10000, 10000, {0}, {}, {}};  // as few columns a block as entries, and none is shared
  for (std::int32_t i = 0; i < 10000; ++i) {
    m.col_indices.push_back(i);
    m.row_offsets.push_back(i + 1);
    m.values.push_back(1);
  }
  TestMatrix one_column = m;
  one_column.name = "one column";
  one_column.cols = 1;
  std::fill(one_column.col_indices.begin(), one_column.col_indices.end(), 0);
  TestMatrix columns = m;  // of 64 entries each, in blocks that line up with them
  columns.name = "columns of blocks";
  for (auto& c : columns.col_indices) c = c / 64 * 64;
  double most = 0;
  auto const check = [&]<class Scalar, class Offset>(double entry, double column, bool values) {
    for (auto const& matrix : {m, one_column, columns}) {
      using Format = Bcsc<Scalar, std::int32_t, Offset, Device::device_type>;
      auto const A = device_csr_of<Scalar, std::int32_t, Offset, Device>(matrix);
      auto pattern = A;
      pattern.values = {};
      auto stats = row_stats(exec, A);
      stats.block_columns.clear();
      BcscOptions const options{.block_height = 64};
      auto const exact = static_cast<double>(count_bytes<Format>(exec, values ? A : pattern, options));
      double const ratio = static_cast<double>(estimate_bytes<Format>(stats, options, values)) / exact;
      EXPECT_LE(ratio, 1 + column / entry) << matrix.name;
      EXPECT_GE(ratio, 1 / (1 + column / entry)) << matrix.name;
      most = std::max(most, ratio);
    }
  };
  check.operator()<double, std::int32_t>(12, 8, true);
  check.operator()<double, std::int64_t>(12, 12, true);
  check.operator()<float, std::int32_t>(8, 8, true);
  check.operator()<float, std::int64_t>(8, 12, true);
  check.operator()<float, std::int32_t>(4, 8, false);
  check.operator()<float, std::int64_t>(4, 12, false);
  EXPECT_GT(most, 2);  // more than a factor of 2, of patterns
}

TEST(BcscHeights, BlocksMayBeTallerThanTheMatrix) {
  Device const exec;
  auto const m = random_matrix("one block", 30, 40, 6);
  auto const A = device_csr<double, std::int32_t, Device>(m);
  Kokkos::View<double*, Device> const x("x", 40), y("y", 30), expected("expected", 30);
  Kokkos::deep_copy(exec, x, 2.0);
  spmv(exec, Op::none, 1.0, A, x, 0.0, expected);
  for (bool const split : {false, true}) {
    auto const B = csr_to_bcsc(exec, A, {.block_height = std::int64_t{1} << 60, .split = split, .dense_entries = 4});
    EXPECT_EQ(B.blocks, 1);
    EXPECT_NO_THROW(validate(exec, B));
    expect_same_csr(to_csr<std::int32_t>(exec, B), with_ascending_columns(m), m.name);
    spmv(exec, Op::none, 1.0, B, x, 0.0, y);
    auto const got = download<double>(y);
    auto const want = download<double>(expected);
    for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-12) << i;
  }
}

}  // namespace
}  // namespace araia::test
