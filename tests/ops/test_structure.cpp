// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structural operations against plain loops on the host, entry by entry and bit by bit.
#include <algorithm>
#include <araia/detail/formats/conversions.hpp>
#include <araia/ops/add.hpp>
#include <araia/ops/diagonal.hpp>
#include <araia/ops/drop.hpp>
#include <araia/ops/permute.hpp>
#include <araia/ops/sort_columns.hpp>
#include <araia/ops/sum_duplicates.hpp>
#include <araia/ops/transpose.hpp>
#include <limits>
#include <map>
#include <numeric>
#include <random>

#include "support/formats.hpp"

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(Structure, FormatTypes, OperandTypeNames);

/// Rows of (column, value) on the host.
template <class T>
struct Rows {
  std::int64_t cols = 0;
  std::vector<std::vector<std::pair<std::int64_t, T>>> rows;
};

template <class T>
Rows<T> rows_of(TestMatrix const& m) {
  Rows<T> r{m.cols, {}};
  for (std::size_t i = 0; i < static_cast<std::size_t>(m.rows); ++i) {
    r.rows.emplace_back();
    for (auto k = static_cast<std::size_t>(m.row_offsets[i]); k < static_cast<std::size_t>(m.row_offsets[i + 1]); ++k)
      r.rows.back().emplace_back(m.col_indices[k], scalar_from<T>(m.values[k]));
  }
  return r;
}

template <class Matrix, class T>
void expect_rows(Matrix const& got, Rows<T> const& want, std::string const& what, bool with_values = true) {
  EXPECT_NO_THROW(validate(typename Matrix::execution_space(), got)) << what;
  ASSERT_EQ(got.rows, static_cast<std::int64_t>(want.rows.size())) << what;
  EXPECT_EQ(got.cols, want.cols) << what;
  auto const offsets = download<std::int64_t>(got.row_offsets);
  auto const cols = download<std::int64_t>(got.col_indices);
  auto const values = download<T>(got.values);
  EXPECT_EQ(values.size(), with_values ? cols.size() : 0) << what;
  std::size_t k = 0;
  for (std::size_t i = 0; i < want.rows.size(); ++i) {
    ASSERT_EQ(offsets[i + 1] - offsets[i], static_cast<std::int64_t>(want.rows[i].size())) << what << ", row " << i;
    for (auto const& [col, value] : want.rows[i]) {
      EXPECT_EQ(cols[k], col) << what << ", row " << i;
      if (with_values) {
        EXPECT_EQ(values[k], value) << what << ", row " << i << ", column " << col;
      }
      ++k;
    }
  }
}

template <class T>
Rows<T> sorted_rows(Rows<T> r) {
  for (auto& row : r.rows)
    std::stable_sort(row.begin(), row.end(), [](auto const& p, auto const& q) { return p.first < q.first; });
  return r;
}

template <class T>
Rows<T> summed_rows(Rows<T> const& from) {
  auto r = sorted_rows(from);
  for (auto& row : r.rows) {
    std::vector<std::pair<std::int64_t, T>> sums;
    for (auto const& [col, value] : row) {
      if (sums.empty() || sums.back().first != col)
        sums.emplace_back(col, value);
      else
        sums.back().second += value;
    }
    row = sums;
  }
  return r;
}

/// The zoo, and rows and columns beyond what a device ranks without sorting.
std::vector<TestMatrix> structure_zoo() {
  auto all = zoo();
  all.push_back(unsorted_with_duplicates(with_row_lengths("long rows", 2000, {700, 3, 1500, 0, 513, 512})));
  all.push_back(unsorted_with_duplicates(with_row_lengths("long columns", 4, std::vector<std::int64_t>(1200, 3))));
  return all;
}

ARAIA_TYPED_TEST(Structure, TransposeMovesEveryEntry) {
  using Exec = typename TypeParam::exec;
  using T = typename TypeParam::a;
  Exec const exec;
  for (auto const& m : structure_zoo()) {
    auto const A = device_csr<T, typename TypeParam::offset, Exec>(m);
    auto const from = rows_of<T>(m);
    Rows<T> want{m.rows, {}};
    want.rows.resize(static_cast<std::size_t>(m.cols));
    for (std::size_t i = 0; i < from.rows.size(); ++i)
      for (auto const& [col, value] : from.rows[i])
        want.rows[static_cast<std::size_t>(col)].emplace_back(static_cast<std::int64_t>(i), value);
    expect_rows(transpose(exec, A), want, m.name);
    expect_rows(sort_columns(exec, transpose(exec, sort_rows_by_length(exec, A))), want, m.name + ", rows permuted");
    auto conjugated = want;
    for (auto& row : conjugated.rows)
      for (auto& entry : row) entry.second = detail::conjugate_if(true, entry.second);
    expect_rows(transpose(exec, A, Op::conjugate_transpose), conjugated, m.name + ", conjugated");
    auto const pattern = device_csr<T, typename TypeParam::offset, Exec>(m, false);
    expect_rows(transpose(exec, pattern), want, m.name + ", pattern", false);
  }
  auto const A = device_csr<T, typename TypeParam::offset, Exec>(zoo().back());
  expect_error(ErrorKind::invalid_argument, {"op is none"}, [&] { transpose(exec, A, Op::none); });
  expect_error(ErrorKind::invalid_argument, {"op is conjugate,"}, [&] { transpose(exec, A, Op::conjugate); });
}

ARAIA_TYPED_TEST(Structure, SortColumnsIsStable) {
  using Exec = typename TypeParam::exec;
  using T = typename TypeParam::a;
  Exec const exec;
  for (auto const& m : structure_zoo()) {
    auto const A = device_csr<T, typename TypeParam::offset, Exec>(m);
    auto const want = sorted_rows(rows_of<T>(m));
    expect_rows(sort_columns(exec, A), want, m.name);
    auto const ordered = sort_columns(exec, sort_rows_by_length(exec, A));
    expect_rows(to_csr<typename TypeParam::offset>(exec, ordered), want, m.name + ", rows permuted");
    expect_rows(sort_columns(exec, device_csr<T, typename TypeParam::offset, Exec>(m, false)), want,
                m.name + ", pattern", false);
  }
}

ARAIA_TYPED_TEST(Structure, DuplicatesAreSummedInTheirOrder) {
  using Exec = typename TypeParam::exec;
  using T = typename TypeParam::a;
  Exec const exec;
  for (auto const& m : structure_zoo()) {
    auto const A = device_csr<T, typename TypeParam::offset, Exec>(m);
    expect_rows(sum_duplicates(exec, A), summed_rows(rows_of<T>(m)), m.name);
    auto const pattern = device_csr<T, typename TypeParam::offset, Exec>(m, false);
    if (m.name.find("duplicates") == std::string::npos)
      expect_rows(sum_duplicates(exec, pattern), sorted_rows(rows_of<T>(m)), m.name + ", pattern", false);
    else
      expect_error(ErrorKind::unsupported, {"pattern"}, [&] { sum_duplicates(exec, pattern); });
  }
}

ARAIA_TYPED_TEST(Structure, PermuteMovesRowsAndColumns) {
  using Exec = typename TypeParam::exec;
  using T = typename TypeParam::a;
  using ExecDevice = typename Exec::device_type;
  Exec const exec;
  std::mt19937_64 random(zoo_seed);
  for (auto const& m : structure_zoo()) {
    auto const A = device_csr<T, typename TypeParam::offset, Exec>(m);
    auto const from = rows_of<T>(m);
    auto const shuffled = [&](std::int64_t count) {
      std::vector<std::int64_t> order(static_cast<std::size_t>(count));
      std::iota(order.begin(), order.end(), 0);
      std::shuffle(order.begin(), order.end(), random);
      return order;
    };
    auto const rows = shuffled(m.rows);
    auto const cols = shuffled(m.cols);
    std::vector<std::int64_t> new_col(cols.size());
    for (std::size_t j = 0; j < cols.size(); ++j)
      new_col[static_cast<std::size_t>(cols[j])] = static_cast<std::int64_t>(j);
    auto const row_view = upload<std::int32_t, ExecDevice>("rows", rows);
    auto const col_view = upload<std::int32_t, ExecDevice>("cols", cols);
    auto const expected = [&](bool by_row, bool by_col) {
      Rows<T> want{m.cols, {}};
      for (std::size_t i = 0; i < from.rows.size(); ++i) {
        want.rows.push_back(from.rows[by_row ? static_cast<std::size_t>(rows[i]) : i]);
        if (by_col)
          for (auto& entry : want.rows.back()) entry.first = new_col[static_cast<std::size_t>(entry.first)];
      }
      return want;
    };
    expect_rows(permute(exec, A, row_view), expected(true, false), m.name + ", rows");
    expect_rows(permute(exec, A, {}, col_view), expected(false, true), m.name + ", columns");
    expect_rows(permute(exec, A, row_view, col_view), expected(true, true), m.name + ", both");
  }
  auto const m = random_matrix("errors", 20, 30, 4);
  auto const A = device_csr<T, typename TypeParam::offset, Exec>(m);
  std::vector<std::int64_t> order(20);
  std::iota(order.begin(), order.end(), 0);
  auto const permuted = [&](std::vector<std::int64_t> const& rows) {
    permute(exec, A, upload<std::int32_t, ExecDevice>("rows", rows));
  };
  EXPECT_NO_THROW(permuted(order));
  order[3] = 20;
  expect_error(ErrorKind::invalid_argument, {"row_permutation", "first broken at 3"}, [&] { permuted(order); });
  order[3] = 4;
  expect_error(ErrorKind::invalid_argument, {"row_permutation", "3 is missing"}, [&] { permuted(order); });
  order.resize(19);
  expect_error(ErrorKind::dimension_mismatch, {"19", "20"}, [&] { permuted(order); });
  expect_error(ErrorKind::unsupported, {"permuted"}, [&] { permute(exec, sort_rows_by_length(exec, A), {}); });
}

ARAIA_TYPED_TEST(Structure, DropKeepsTheLargeEntriesInTheirOrder) {
  using Exec = typename TypeParam::exec;
  using T = typename TypeParam::a;
  Exec const exec;
  for (auto const& m : structure_zoo()) {
    auto const A = device_csr<T, typename TypeParam::offset, Exec>(m);
    auto const from = rows_of<T>(m);
    for (double const threshold : {0.0, 0.5, 10.0}) {
      Rows<T> want{m.cols, {}};
      for (auto const& row : from.rows) {
        want.rows.emplace_back();
        for (auto const& entry : row)
          if (static_cast<double>(Kokkos::abs(entry.second)) >= threshold) want.rows.back().push_back(entry);
      }
      expect_rows(drop(exec, A, {.threshold = threshold}), want, m.name + ", threshold " + std::to_string(threshold));
    }
    for (double const percentage : {1.0, 40.0, 100.0}) {
      std::vector<double> magnitudes;
      for (auto const& row : from.rows)
        for (auto const& entry : row) magnitudes.push_back(static_cast<double>(Kokkos::abs(entry.second)));
      std::vector<std::size_t> order(magnitudes.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t p, std::size_t q) { return magnitudes[p] < magnitudes[q]; });
      std::vector<bool> dropped(order.size(), false);
      auto const count = static_cast<std::size_t>(static_cast<double>(order.size()) * percentage / 100);
      for (std::size_t n = 0; n < count; ++n) dropped[order[n]] = true;
      Rows<T> want{m.cols, {}};
      std::size_t k = 0;
      for (auto const& row : from.rows) {
        want.rows.emplace_back();
        for (auto const& entry : row)
          if (!dropped[k++]) want.rows.back().push_back(entry);
      }
      expect_rows(drop(exec, A, {.percentage = percentage}), want, m.name + ", " + std::to_string(percentage) + " %");
    }
  }
}

TEST(StructureArguments, DropRefusesWhatMeansNothing) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  auto const m = with_integer_values(random_matrix("ties", 60, 50, 6));
  auto const A = device_csr<double, std::int32_t, Exec>(m);
  auto const half = drop(exec, A, {.percentage = 50});  // many equal magnitudes: still exactly half
  EXPECT_EQ(half.nnz, m.nnz() - m.nnz() / 2);
  expect_error(ErrorKind::invalid_argument, {"threshold"}, [&] { drop(exec, A, {.threshold = -1}); });
  expect_error(ErrorKind::invalid_argument, {"percentage"}, [&] { drop(exec, A, {.percentage = 101}); });
  expect_error(ErrorKind::invalid_argument, {"threshold"},
               [&] { drop(exec, A, {.threshold = std::numeric_limits<double>::quiet_NaN()}); });
  expect_error(ErrorKind::invalid_argument, {"both"}, [&] { drop(exec, A, {.threshold = 1, .percentage = 1}); });
  expect_error(ErrorKind::unsupported, {"pattern"},
               [&] { drop(exec, device_csr<double, std::int32_t, Exec>(m, false), {.threshold = 1}); });
}

ARAIA_TYPED_TEST(Structure, DiagonalSumsWhatIsStoredThere) {
  using Exec = typename TypeParam::exec;
  using T = typename TypeParam::a;
  Exec const exec;
  for (auto const& m : structure_zoo())
    for (bool const values : {true, false}) {
      auto const A = device_csr<T, typename TypeParam::offset, Exec>(m, values);
      std::vector<T> want(static_cast<std::size_t>(std::min(m.rows, m.cols)), T(0));
      auto const from = rows_of<T>(m);
      for (std::size_t i = 0; i < want.size(); ++i)
        for (auto const& [col, value] : from.rows[i])
          if (col == static_cast<std::int64_t>(i)) want[i] += values ? value : T(1);
      EXPECT_EQ(download<T>(diagonal(exec, A)), want) << m.name;
      EXPECT_EQ(download<T>(diagonal(exec, sort_rows_by_length(exec, A))), want) << m.name << ", rows permuted";
    }
}

ARAIA_TYPED_TEST(Structure, AddMergesTwoMatrices) {
  using Exec = typename TypeParam::exec;
  using T = typename TypeParam::a;
  Exec const exec;
  T const alpha = scalar_from<T>(0.5);
  T const beta = scalar_from<T>(-2);
  for (auto const& m : structure_zoo()) {
    auto const other = random_matrix("other", m.rows, m.cols, 4, zoo_seed + 9);
    auto const A = device_csr<T, typename TypeParam::offset, Exec>(m);
    auto const B = device_csr<T, typename TypeParam::offset, Exec>(other);
    auto const expected = [&](T const& x, T const& y) {
      auto both = rows_of<T>(m);
      auto const more = rows_of<T>(other);
      for (std::size_t i = 0; i < both.rows.size(); ++i) {
        for (auto& entry : both.rows[i]) entry.second = x == T(0) ? T(0) : x * entry.second;
        for (auto const& [col, value] : more.rows[i]) both.rows[i].emplace_back(col, y == T(0) ? T(0) : y * value);
      }
      return summed_rows(both);
    };
    expect_rows(add(exec, alpha, A, beta, B), expected(alpha, beta), m.name);
    expect_rows(add(exec, alpha, A, T(0), B), expected(alpha, T(0)), m.name + ", beta 0");
    // Duplicates of A are summed before their negatives come: the order is A, A, B, B.
    if (m.name.find("duplicates") != std::string::npos) continue;
    auto zeros = summed_rows(rows_of<T>(m));
    for (auto& row : zeros.rows)
      for (auto& entry : row) entry.second = T(0);
    expect_rows(add(exec, T(1), A, T(-1), A), zeros, m.name + ", minus itself");
  }
  auto const A = device_csr<T, typename TypeParam::offset, Exec>(random_matrix("a", 20, 30, 3));
  auto const B = device_csr<T, typename TypeParam::offset, Exec>(random_matrix("b", 20, 31, 3));
  expect_error(ErrorKind::dimension_mismatch, {"20 x 30", "20 x 31"}, [&] { add(exec, T(1), A, T(1), B); });
}

TEST(StructureArguments, EntriesThatDoNotFitTheOffsetsAreRefused) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  auto const A = device_csr_of<double, std::int32_t, std::int16_t, Exec>(
      with_row_lengths("a", 200, std::vector<std::int64_t>(100, 200)));
  expect_error(ErrorKind::resource_limit, {"40000", "32767"}, [&] { add(exec, 1.0, A, 1.0, A); });
  auto const tall = device_csr_of<double, std::int16_t, std::int32_t, Exec>(
      with_row_lengths("tall", 3, std::vector<std::int64_t>(40000, 1)));
  expect_error(ErrorKind::resource_limit, {"39999", "32767"}, [&] { transpose(exec, tall); });
}

TEST(StructureArguments, OtherScalarsAndIndicesWork) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  auto const m = with_integer_values(unsorted_with_duplicates(random_matrix("widths", 90, 70, 6)));
  auto const wide = device_csr_of<double, std::int64_t, std::int64_t, Exec>(m);
  expect_rows(sum_duplicates(exec, wide), summed_rows(rows_of<double>(m)), "64-bit columns");
  using half = Kokkos::Experimental::half_t;
  auto const narrow = device_csr_of<half, std::int16_t, std::int16_t, Exec>(m);
  auto want = summed_rows(rows_of<float>(m));
  auto const got = sum_duplicates(exec, narrow);
  Csr<float, std::int16_t, std::int16_t, Exec::device_type> as_float{
      .rows = got.rows, .cols = got.cols, .nnz = got.nnz};
  as_float.row_offsets = got.row_offsets;
  as_float.col_indices = got.col_indices;
  std::vector<double> values;
  for (auto const v : download<half>(got.values)) values.push_back(static_cast<double>(v));
  as_float.values = upload<float, Exec::device_type>("values", values);
  expect_rows(as_float, want, "half");
}

}  // namespace
}  // namespace araia::test
