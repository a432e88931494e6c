// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly: symmetry expanded, rows sorted, duplicates summed in file order; statistics counted by hand.
#include <algorithm>
#include <araia/assembly/assemble.hpp>
#include <araia/assembly/row_stats.hpp>
#include <araia/detail/assembly/sort_keys.hpp>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "support/device.hpp"
#include "support/errors.hpp"
#include "support/types.hpp"

#include <gtest/gtest.h>

namespace araia::test {
namespace {

HostCoo host_coo(std::int64_t rows, std::int64_t cols, std::vector<std::int32_t> i, std::vector<std::int32_t> j,
                 HostCoo::Values values, Symmetry symmetry = Symmetry::general) {
  HostCoo coo;
  coo.rows = rows;
  coo.cols = cols;
  coo.row_indices = std::move(i);
  coo.col_indices = std::move(j);
  coo.values = std::move(values);
  coo.symmetry = symmetry;
  return coo;
}

TEST(Assemble, RefusesEntriesThatAnApplicationGotWrong) {
  auto const refused = [](HostCoo const& coo, std::string const& says) {
    try {
      (void)assemble<double>(coo);
      ADD_FAILURE() << "taken: " << says;
    } catch (Error const& e) {
      EXPECT_EQ(e.kind(), ErrorKind::invalid_structure) << e.what();
      EXPECT_NE(std::string(e.what()).find(says), std::string::npos) << e.what();
    }
  };
  std::vector const ones{1.0, 1.0};
  refused(host_coo(2, 2, {0, 100000000}, {0, 1}, ones), "entry 1 is at (100000000, 1), outside 2 x 2");
  refused(host_coo(2, 2, {-1, 1}, {0, 1}, ones), "entry 0 is at (-1, 0)");
  refused(host_coo(2, 2, {0, 1}, {77, 78}, ones), "entry 0 is at (0, 77)");
  refused(host_coo(2, 2, {0, 1}, {0}, ones), "2 row indices and 1 column indices");
  refused(host_coo(2, 2, {0, 1}, {0, 1}, std::vector{1.0}), "1 values for 2 entries");
  refused(host_coo(2, 3, {0, 1}, {0, 2}, ones, Symmetry::symmetric), "symmetry in a matrix of 2 x 3");
  refused(host_coo(-1, 3, {}, {}, std::vector<double>{}), "-1 x 3");
  refused(host_coo(2, 2, {0, 1}, {1, 0}, ones, Symmetry::symmetric), "both sides of the diagonal");
  refused(host_coo(2, 2, {1}, {0}, std::monostate{}, Symmetry::skew_symmetric), "no signs");
  auto mixed = host_coo(2, 2, {0, 1}, {0, 1}, ones);
  mixed.col_indices = std::vector<std::int64_t>{0, 1};
  refused(mixed, "different widths");
}

TEST(Assemble, SortsRowsAndSumsDuplicatesInFileOrder) {
  // (1e16 + 1) - 1e16 is 0 in this order and 1 in another.
  auto const A =
      assemble<double>(host_coo(2, 3, {1, 0, 1, 1, 1}, {2, 1, 2, 0, 2}, std::vector{1e16, 5.0, 1.0, 7.0, -1e16}));
  EXPECT_EQ(download<int>(A.row_offsets), (std::vector{0, 1, 3}));
  EXPECT_EQ(download<int>(A.col_indices), (std::vector{1, 0, 2}));
  EXPECT_EQ(download<double>(A.values), (std::vector{5.0, 7.0, 0.0}));
  EXPECT_EQ(A.nnz, 3);
}

TEST(Assemble, ExpandsSymmetry) {
  std::vector<std::int32_t> const i{0, 1, 2};
  std::vector<std::int32_t> const j{0, 0, 1};
  auto const symmetric = assemble<double>(host_coo(3, 3, i, j, std::vector{1.0, 2.0, 3.0}, Symmetry::symmetric));
  EXPECT_EQ(download<int>(symmetric.row_offsets), (std::vector{0, 2, 4, 5}));
  EXPECT_EQ(download<int>(symmetric.col_indices), (std::vector{0, 1, 0, 2, 1}));
  EXPECT_EQ(download<double>(symmetric.values), (std::vector{1.0, 2.0, 2.0, 3.0, 3.0}));
  auto const skew = assemble<float>(host_coo(3, 3, {1, 2}, {0, 1}, std::vector{2.0, 3.0}, Symmetry::skew_symmetric));
  EXPECT_EQ(download<float>(skew.values), (std::vector{-2.0f, 2.0f, -3.0f, 3.0f}));
  using C = std::complex<double>;
  auto const hermitian =
      assemble<Complex>(host_coo(2, 2, {0, 1}, {0, 0}, std::vector{C(1, 0), C(2, 3)}, Symmetry::hermitian));
  EXPECT_EQ(download<Complex>(hermitian.values), (std::vector{Complex(1, 0), Complex(2, -3), Complex(2, 3)}));
}

TEST(Assemble, KeepsPatternsIntegersAndStoredZeros) {
  auto const pattern = assemble<double>(host_coo(2, 2, {1, 0, 1}, {1, 0, 1}, std::monostate{}));
  EXPECT_FALSE(pattern.has_values());
  EXPECT_EQ(pattern.nnz, 2);
  auto const integers = assemble<float>(host_coo(2, 2, {0, 1}, {1, 0}, std::vector<std::int64_t>{3, 0}));
  EXPECT_EQ(download<float>(integers.values), (std::vector{3.0f, 0.0f}));
  EXPECT_EQ(integers.nnz, 2);
}

template <class Scalar, class Ordinal, class Offset>
concept Assembles = requires(HostCoo const& coo) {
  assemble<Scalar, Ordinal, Offset>(coo);
};

// Else an application would learn from the linker what the library does not bring.
static_assert(Assembles<double, std::int32_t, std::int32_t> && Assembles<Complex, std::int32_t, std::int64_t>);
static_assert(!Assembles<double, std::int64_t, std::int64_t> && !Assembles<Kokkos::complex<float>, std::int32_t, int>);

TEST(Assemble, RefusesWhatDoesNotFit) {
  auto const wide = host_coo(std::int64_t{1} << 31, 1, {}, {}, std::monostate{});
  EXPECT_EQ(kind_of([&] { assemble<double>(wide); }), ErrorKind::resource_limit);
  auto const complex = host_coo(1, 1, {0}, {0}, std::vector{std::complex<double>(1, 2)});
  EXPECT_EQ(kind_of([&] { assemble<double>(complex); }), ErrorKind::invalid_argument);
}

/// Sets the default limit of host memory while it lives.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::uint64_t bytes) { set_default_host_memory_limit(bytes); }
  ~MemoryLimit() { set_default_host_memory_limit(unset_memory_limit); }
  MemoryLimit(MemoryLimit const&) = delete;
  MemoryLimit& operator=(MemoryLimit const&) = delete;
};

TEST(Assemble, RefusesAMatrixBeyondTheMemoryLimit) {
  auto const coo = host_coo(1000, 10, {0, 5, 999}, {1, 2, 3}, std::vector{1.0, 2.0, 3.0}, Symmetry::general);
  std::uint64_t const need = 1001 * 4 + 3 * (4 + 8);
  {
    MemoryLimit const limit(need - 1);
    std::string message;
    EXPECT_EQ(kind_of([&] { assemble<double>(coo); }, &message), ErrorKind::resource_limit);
    EXPECT_EQ(message, "assemble: the matrix needs 4040 bytes, the limit is 4039 bytes");
  }
  MemoryLimit const limit(need);
  EXPECT_EQ(assemble<double>(coo).nnz, 3);
  EXPECT_EQ(kind_of([&] { assemble<double, std::int32_t, std::int64_t>(coo); }), ErrorKind::resource_limit);
}

// Counts of more chunks than one are left out where memory has no room for them.
TEST(Assemble, LittleMemoryGivesTheSameMatrix) {
  std::vector<std::int32_t> i, j;
  std::vector<double> v;
  for (int k = 0; k < 4000; ++k) {
    i.push_back(k * 7 % 4);
    j.push_back(k * 13 % 50);
    v.push_back(1.0 / (1 + k));
  }
  auto const coo = host_coo(4, 50, i, j, v);
  auto const expected = assemble<double>(coo);
  for (std::uint64_t const more : {0U, 15U, 16U, 40U}) {
    MemoryLimit const limit(5 * 4 + 4000 * 12 + more);
    auto const A = assemble<double>(coo);
    ASSERT_EQ(A.nnz, expected.nnz);
    for (std::size_t k = 0; k < static_cast<std::size_t>(A.nnz); ++k) {
      EXPECT_EQ(A.col_indices(k), expected.col_indices(k));
      EXPECT_EQ(A.values(k), expected.values(k));
    }
  }
}

TEST(SortKeys, KeysBeyondTheLimitAreRefused) {
  Kokkos::DefaultHostExecutionSpace const exec;
  MemoryLimit const limit(8 * 1000);
  EXPECT_EQ(detail::new_keys(exec, "keys", 1000).extent(0), 1000U);
  std::string message;
  EXPECT_EQ(kind_of([&] { (void)detail::new_keys(exec, "keys", 1001); }, &message), ErrorKind::resource_limit);
  EXPECT_EQ(message, "keys needs 8008 bytes, the limit is 8000 bytes");
}

TEST(RowStats, WorkspaceBeyondTheLimitIsRefused) {
  Kokkos::DefaultHostExecutionSpace const exec;
  auto const A = assemble<double>(host_coo(2, 500000, {0, 1}, {1, 499999}, std::vector{1.0, 2.0}));
  std::uint64_t const flags = 4 * (2 + 500000 - 1);
  auto const refused = [&](RowStatsOptions const& options, std::string const& says) {
    std::string message;
    EXPECT_EQ(kind_of([&] { (void)row_stats(exec, A, options); }, &message), ErrorKind::resource_limit);
    EXPECT_NE(message.find(says), message.npos) << message;
  };
  refused({.block_heights = {}, .memory_limit = flags - 1}, "diagonals needs 2000004 bytes, the limit is 2000003");
  EXPECT_EQ(row_stats(exec, A, {.block_heights = {}, .memory_limit = flags}).diagonals, 2);
  std::uint64_t const bitmap = 4 * ((500000 + 31) / 32);
  refused({.diagonals = false, .block_heights = {1}, .memory_limit = bitmap - 1}, "columns needs 62500 bytes");
  auto const stats = row_stats(exec, A, {.diagonals = false, .block_heights = {1, 2}, .memory_limit = bitmap});
  EXPECT_EQ(stats.block_columns.at(0).columns, 2);
  EXPECT_EQ(stats.block_columns.at(1).columns, 2);
  MemoryLimit const limit(flags - 1);
  refused({.block_heights = {}}, "diagonals needs 2000004 bytes");
  EXPECT_EQ(row_stats(exec, A, {.diagonals = false, .block_heights = {}}).nnz, 2);
}

TEST(Assemble, LargeRandomEntriesAgreeWithAMap) {
  std::mt19937_64 random(zoo_seed);
  std::int64_t const rows = 3000;
  std::int64_t const cols = 500;
  std::vector<std::int32_t> i;
  std::vector<std::int32_t> j;
  std::vector<double> v;
  std::map<std::pair<std::int32_t, std::int32_t>, double> sums;
  for (int k = 0; k < 200000; ++k) {
    i.push_back(static_cast<std::int32_t>(random() % 7 == 0 ? 42 : random() % rows));
    j.push_back(static_cast<std::int32_t>(random() % cols));
    v.push_back(static_cast<double>(random() % 1000) * 0.37);
    auto const [at, fresh] = sums.try_emplace({i.back(), j.back()}, v.back());
    if (!fresh) at->second += v.back();
  }
  auto const A = assemble<double, std::int32_t, std::int64_t>(host_coo(rows, cols, i, j, v));
  validate(Host(), A);
  ASSERT_EQ(A.nnz, static_cast<std::int64_t>(sums.size()));
  auto const offsets = download<std::int64_t>(A.row_offsets);
  auto entry = sums.begin();
  for (std::int64_t row = 0; row < rows; ++row)
    for (auto k = offsets[static_cast<std::size_t>(row)]; k < offsets[static_cast<std::size_t>(row) + 1];
         ++k, ++entry) {
      ASSERT_EQ(entry->first.first, row);
      ASSERT_EQ(entry->first.second, A.col_indices(static_cast<std::size_t>(k)));
      ASSERT_EQ(entry->second, A.values(static_cast<std::size_t>(k)));  // bit for bit: the order of sums is the file's
    }
}

ARAIA_TYPED_SUITE(Stats, FormatTypes, OperandTypeNames);

ARAIA_TYPED_TEST(Stats, CountsAgreeWithPlainLoops) {
  using Exec = typename TypeParam::exec;
  for (auto const& m : zoo()) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    constexpr std::int64_t beyond = std::numeric_limits<std::int64_t>::max();  // one block
    std::vector<std::int64_t> const heights{1, 3, 8, 64, beyond - 50, beyond};
    auto const stats = row_stats(Exec(), A, {.block_heights = heights});
    std::int64_t longest = 0;
    std::int64_t shortest = m.rows ? m.cols + 1000 : 0;
    std::int64_t empty = 0;
    std::int64_t lower = 0;
    std::int64_t upper = 0;
    std::set<std::int64_t> diagonals;
    std::map<std::int64_t, std::set<std::pair<std::int64_t, std::int64_t>>> blocks;
    std::array<std::int64_t, RowStats::bins> histogram{};
    for (std::int64_t i = 0; i < m.rows; ++i) {
      auto const first = m.row_offsets[static_cast<std::size_t>(i)];
      auto const last = m.row_offsets[static_cast<std::size_t>(i) + 1];
      longest = std::max(longest, last - first);
      shortest = std::min(shortest, last - first);
      empty += first == last;
      ++histogram[static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(last - first)))];
      for (auto k = first; k < last; ++k) {
        std::int64_t const j = m.col_indices[static_cast<std::size_t>(k)];
        lower = std::max(lower, i - j);
        upper = std::max(upper, j - i);
        diagonals.insert(j - i);
        for (std::int64_t const height : heights) blocks[height].insert({i / height, j});
      }
    }
    EXPECT_EQ(stats.max_length, longest) << m.name;
    EXPECT_EQ(stats.min_length, shortest) << m.name;
    EXPECT_EQ(stats.empty_rows, empty) << m.name;
    EXPECT_EQ(stats.lower_bandwidth, lower) << m.name;
    EXPECT_EQ(stats.upper_bandwidth, upper) << m.name;
    EXPECT_EQ(stats.diagonals, static_cast<std::int64_t>(diagonals.size())) << m.name;
    EXPECT_EQ(stats.length_histogram, histogram) << m.name;
    EXPECT_EQ(stats.block_columns.size(), heights.size()) << m.name;
    for (auto const& block : stats.block_columns)
      EXPECT_EQ(block.columns, static_cast<std::int64_t>(blocks[block.height].size())) << m.name << ' ' << block.height;
  }
}

TEST(Stats, ColumnsOfBlocksAreEstimatedFromSomeOfThem) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  // Rows 4 r to 4 r + 3 share their columns where r is even, and no two share one where it is odd.
  constexpr std::int32_t rows = 1 << 15;
  constexpr std::int32_t cols = 1000;
  std::vector<std::int32_t> i;
  std::vector<std::int32_t> j;
  for (std::int32_t row = 0; row < rows; ++row)
    for (std::int32_t k = 0; k < 4; ++k) {
      i.push_back(row);
      j.push_back(row / 4 % 2 == 0 ? k : 4 * (row % 4) + k);
    }
  auto const on_host =
      assemble<double, std::int32_t, std::int32_t>(host_coo(rows, cols, i, j, std::vector<double>(i.size(), 1.0)));
  auto const A = copy_to<Exec::device_type>(exec, on_host);
  std::int64_t const exact = rows / 8 * (4 + 16);
  for (std::int64_t const entries : {std::int64_t{0}, A.nnz, 8 * A.nnz})
    EXPECT_EQ(row_stats(exec, A, {.block_heights = {4}, .sampled_entries = entries}).block_columns[0].columns, exact);
  auto const of_some = row_stats(exec, A, {.block_heights = {4, 8}, .sampled_entries = 3000}).block_columns;
  EXPECT_NEAR(static_cast<double>(of_some[0].columns), static_cast<double>(exact), 0.15 * static_cast<double>(exact));
  EXPECT_EQ(of_some[1].columns, rows / 8 * 16);  // blocks are alike
}

}  // namespace
}  // namespace araia::test
