// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bsr: every invariant has a mutant, blocks of every shape give back every entry, fill is told from stored zeros, block
// sizes are found.
#include <algorithm>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <set>

#include "support/formats.hpp"

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(BsrFormat, FormatTypes, OperandTypeNames);

struct Shape {
  int rows;
  int cols;
};
constexpr Shape shapes[] = {{1, 1}, {2, 2}, {3, 3}, {4, 2}, {1, 5}, {7, 1}, {8, 8}, {32, 32}};

/// The zoo without the matrix that stores entries twice, which Bsr refuses.
std::vector<TestMatrix> blockable_zoo() {
  std::vector<TestMatrix> all;
  for (auto const& m : zoo())
    if (m.name.find("duplicates") == std::string::npos) all.push_back(with_stored_zeros(m));
  return all;
}

/// Block coordinates that have an entry, by a plain loop.
std::set<std::pair<std::int64_t, std::int64_t>> blocks_of(TestMatrix const& m, Shape shape) {
  std::set<std::pair<std::int64_t, std::int64_t>> blocks;
  for (std::int64_t i = 0; i < m.rows; ++i)
    for (auto k = m.row_offsets[static_cast<std::size_t>(i)]; k < m.row_offsets[static_cast<std::size_t>(i) + 1]; ++k)
      blocks.insert({i / shape.rows, m.col_indices[static_cast<std::size_t>(k)] / shape.cols});
  return blocks;
}

ARAIA_TYPED_TEST(BsrFormat, RoundTripsGiveBackEveryEntryWithAMask) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  Exec const exec;
  for (auto const& m : blockable_zoo()) {
    auto const A = device_csr<typename TypeParam::a, Offset, Exec>(m);
    for (auto const shape : shapes) {
      std::string const what = m.name + ", " + std::to_string(shape.rows) + " x " + std::to_string(shape.cols);
      auto const B =
          csr_to_bsr(exec, A, {.block_rows = shape.rows, .block_cols = shape.cols, .keep_stored_mask = true});
      EXPECT_NO_THROW(validate(exec, B)) << what;
      EXPECT_EQ(B.blocks, static_cast<std::int64_t>(blocks_of(m, shape).size())) << what;
      EXPECT_EQ(B.stored_mask.extent(0) != 0, B.stored() != m.nnz()) << what;
      expect_same_csr(to_csr<Offset>(exec, B), m, what);
      auto const pattern = csr_to_bsr(exec, device_csr<typename TypeParam::a, Offset, Exec>(m, false),
                                      {.block_rows = shape.rows, .block_cols = shape.cols});
      EXPECT_NO_THROW(validate(exec, pattern)) << what;
      expect_same_csr(to_csr<Offset>(exec, pattern), m, what + ", pattern", false);
    }
  }
}

ARAIA_TYPED_TEST(BsrFormat, FillCountsAsStoredWithoutAMask) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  Exec const exec;
  auto const m = random_matrix("fill", 31, 29, 3);
  auto const A = device_csr<typename TypeParam::a, Offset, Exec>(m);
  auto const B = csr_to_bsr(exec, A, {.block_rows = 4, .block_cols = 3});
  EXPECT_EQ(B.stored_mask.extent(0), 0u);
  auto const C = to_csr<Offset>(exec, B);
  validate(exec, C);
  std::int64_t expected = 0;  // slots of the blocks that lie within 31 x 29
  for (auto const& [block_row, block_col] : blocks_of(m, {4, 3}))
    expected += std::min<std::int64_t>(4, 31 - 4 * block_row) * std::min<std::int64_t>(3, 29 - 3 * block_col);
  EXPECT_EQ(C.nnz, expected);
  // What is not fill is where it was.
  auto const offsets = download<std::int64_t>(C.row_offsets);
  auto const cols = download<std::int32_t>(C.col_indices);
  auto const values = download<typename TypeParam::a>(C.values);
  for (std::size_t i = 0; i < 31; ++i) {
    auto k = static_cast<std::size_t>(m.row_offsets[i]);
    for (auto p = static_cast<std::size_t>(offsets[i]); p < static_cast<std::size_t>(offsets[i + 1]); ++p) {
      bool const entry = k < static_cast<std::size_t>(m.row_offsets[i + 1]) && m.col_indices[k] == cols[p];
      EXPECT_EQ(values[p], entry ? scalar_from<typename TypeParam::a>(m.values[k]) : typename TypeParam::a(0));
      if (entry) ++k;
    }
    EXPECT_EQ(k, static_cast<std::size_t>(m.row_offsets[i + 1]));
  }
}

ARAIA_TYPED_TEST(BsrFormat, UnsortedRowsConvertAndDuplicatesAreRefused) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  Exec const exec;
  auto const sorted = random_matrix("reversed", 50, 60, 8);
  auto m = sorted;
  for (std::size_t i = 0; i < 50; ++i) {
    std::reverse(m.col_indices.begin() + m.row_offsets[i], m.col_indices.begin() + m.row_offsets[i + 1]);
    std::reverse(m.values.begin() + m.row_offsets[i], m.values.begin() + m.row_offsets[i + 1]);
  }
  auto const A = device_csr<typename TypeParam::a, Offset, Exec>(m);
  BsrOptions const options{.block_rows = 3, .block_cols = 2, .keep_stored_mask = true};
  auto const B = csr_to_bsr(exec, A, options);
  validate(exec, B);
  expect_same_csr(to_csr<Offset>(exec, B), sorted, "reversed rows");
  EXPECT_EQ(B.bytes(), count_bytes<std::decay_t<decltype(B)>>(exec, A, options));
  auto const twice = device_csr<typename TypeParam::a, Offset, Exec>(unsorted_with_duplicates(sorted));
  expect_error(ErrorKind::unsupported, {"stores an entry twice"}, [&] { csr_to_bsr(exec, twice, options); });
  expect_error(ErrorKind::unsupported, {"permuted"}, [&] { csr_to_bsr(exec, sort_rows_by_length(exec, A), options); });
  expect_error(ErrorKind::invalid_argument, {"33 x 2", "1 to 32"},
               [&] { csr_to_bsr(exec, A, {.block_rows = 33, .block_cols = 2}); });
  expect_error(ErrorKind::invalid_argument, {"2 x 0"},
               [&] { csr_to_bsr(exec, A, {.block_rows = 2, .block_cols = 0}); });
}

ARAIA_TYPED_TEST(BsrFormat, EveryBrokenRuleIsNamed) {
  using Exec = typename TypeParam::exec;
  Exec const exec;
  using A = typename TypeParam::a;
  auto const m = random_matrix("mutant", 40, 31, 6);
  auto const csr = device_csr<A, typename TypeParam::offset, Exec>(m);
  auto const fresh = [&] {
    return csr_to_bsr(exec, csr, {.block_rows = 4, .block_cols = 3, .keep_stored_mask = true});
  };
  auto B = fresh();
  EXPECT_NO_THROW(validate(exec, B));
  poke(B.block_offsets, 0, 1);
  expect_broken<Exec>(B, "block_offsets(0) must be 0");
  B = fresh();
  poke(B.block_offsets, 4, B.blocks);
  expect_broken<Exec>(B, "block_offsets must not descend (first broken at block row 4)");
  B = fresh();
  poke(B.block_offsets, 10, B.blocks + 1);
  expect_broken<Exec>(B, "the last of block_offsets must be blocks");
  B = fresh();
  poke(B.block_col_indices, 5, 11);
  expect_broken<Exec>(B, "block_col_indices must lie in [0, ceil(cols / block_cols)) (first broken at block 5)");
  B = fresh();
  auto const indices = download<std::int32_t>(B.block_col_indices);
  poke(B.block_col_indices, 1, indices[0]);
  expect_broken<Exec>(B, "block_col_indices must ascend within a block row (first broken at block 0)");
  B = fresh();
  auto const mask = download<std::uint32_t>(B.stored_mask);
  poke(B.stored_mask, 2, ~mask[2]);
  expect_broken<Exec>(B, "nnz is");
  B = fresh();
  std::size_t fill = 0;  // the first slot that is no entry
  while (mask[fill / 32] >> (fill % 32) & 1u) ++fill;
  poke(B.values, fill, A(1));
  expect_broken<Exec>(B, "values of fill must be 0 (first broken at slot " + std::to_string(fill));
  B = fresh();
  B.stored_mask = {};
  B.nnz -= 1;
  expect_broken<Exec>(B, "values that are not 0 number");
  B = fresh();
  B.stored_mask = Kokkos::subview(B.stored_mask, Kokkos::make_pair(0, 1));
  expect_broken<Exec>(B, "stored_mask holds 1 elements");
  B = fresh();
  B.values = {};
  B.stored_mask = {};
  expect_broken<Exec>(B, "a pattern with fill must have a stored_mask");
  B = fresh();
  B.blocks += 1;
  expect_broken<Exec>(B, "block_col_indices holds");
  B = fresh();
  B.values = Kokkos::subview(B.values, Kokkos::make_pair(0, 3));
  expect_broken<Exec>(B, "values holds 3 elements");
  B = fresh();
  B.rows = 41;
  expect_broken<Exec>(B, "block_offsets holds 11 elements, expected 12");
  B = fresh();
  B.block_rows = 0;
  expect_broken<Exec>(B, "block_rows and block_cols must lie in [1, 32], got 0 and 3");
  B = fresh();
  B.nnz = -1;
  expect_broken<Exec>(B, "must not be negative");
  // 31 columns in blocks of 3: the last block column has two slots a row beyond the matrix. Mark one, unmark an entry.
  B = fresh();
  auto const all = download<std::int32_t>(B.block_col_indices);
  std::size_t last = 0;
  while (last < all.size() && all[last] != 10) ++last;
  ASSERT_LT(last, all.size());
  auto marked = mask;
  std::size_t const beyond = last * 12 + 2;
  marked[beyond / 32] |= 1u << (beyond % 32);
  poke(B.stored_mask, beyond / 32, marked[beyond / 32]);
  expect_broken<Exec>(
      B, "stored_mask must not mark slots beyond the matrix (first broken at slot " + std::to_string(beyond));
}

ARAIA_TYPED_TEST(BsrFormat, UpdateValuesRefills) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  Exec const exec;
  auto m = random_matrix("update", 120, 80, 7);
  auto const old_values = device_csr<typename TypeParam::a, Offset, Exec>(m);
  auto const B = csr_to_bsr(exec, old_values, {.block_rows = 3, .block_cols = 4, .keep_stored_mask = true});
  for (std::size_t k = 0; k < m.values.size(); ++k) m.values[k] = static_cast<double>(k) + 0.25;
  update_values(exec, B, device_csr<typename TypeParam::a, Offset, Exec>(m));
  validate(exec, B);
  expect_same_csr(to_csr<Offset>(exec, B), m, "bsr");
  auto const other = device_csr<typename TypeParam::a, Offset, Exec>(random_matrix("other", 120, 80, 5));
  expect_error(ErrorKind::dimension_mismatch, {"Bsr"}, [&] { update_values(exec, B, other); });
}

ARAIA_TYPED_TEST(BsrFormat, BytesAreWhatWasCountedAndEstimatesStayBelow) {
  using Exec = typename TypeParam::exec;
  Exec const exec;
  for (auto const& m : blockable_zoo()) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    auto const stats = row_stats(exec, A, {.block_heights = {1, 2, 4}});
    for (auto const shape : shapes)
      for (bool const mask : {false, true}) {
        BsrOptions options{.block_rows = shape.rows, .block_cols = shape.cols, .keep_stored_mask = mask};
        auto const B = csr_to_bsr(exec, A, options);
        using Format = std::decay_t<decltype(B)>;
        std::string const what = m.name + ", " + std::to_string(shape.rows) + " x " + std::to_string(shape.cols);
        EXPECT_EQ(B.bytes(), count_bytes<Format>(exec, A, options)) << what;
        auto const estimate = estimate_bytes<Format>(stats, options, A.has_values());
        EXPECT_LE(estimate, B.bytes()) << what;
        bool const counted = shape.rows == 1 || shape.rows == 2 || shape.rows == 4;
        EXPECT_GE(static_cast<double>(estimate) * shape.cols * (counted ? 1 : shape.rows),
                  static_cast<double>(B.bytes()))
            << what;
        if (m.nnz() == 0) continue;
        options.memory_limit = B.bytes();
        EXPECT_NO_THROW(csr_to_bsr(exec, A, options));
        options.memory_limit = B.bytes() - 1;
        expect_error(ErrorKind::resource_limit, {std::to_string(B.bytes()), std::to_string(B.bytes() - 1)},
                     [&] { csr_to_bsr(exec, A, options); });
      }
  }
}

ARAIA_TYPED_TEST(BsrFormat, TheBlockSizeOfNodesIsFound) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  Exec const exec;
  for (int const dofs : {1, 2, 3, 5, 6}) {
    auto const m = node_blocks(60, dofs);
    auto const found = detect_block_size(exec, device_csr<typename TypeParam::a, Offset, Exec>(m));
    EXPECT_EQ(found.block_rows, dofs);
    EXPECT_EQ(found.block_cols, dofs);
    EXPECT_EQ(found.blocks * dofs * dofs, m.nnz());
    EXPECT_EQ(found.fill, 1.0);
  }
  EXPECT_EQ(detect_block_size(exec, device_csr<typename TypeParam::a, Offset, Exec>(stencil(20, 20))).block_rows, 1);
  EXPECT_EQ(detect_block_size(exec, device_csr<typename TypeParam::a, Offset, Exec>(zoo().front())),
            (BlockSize{.blocks = 0}));
}

TEST(BsrTypes, IndicesOfAnyWidthAndHalfScalarsConvert) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  auto const m = with_integer_values(random_matrix("widths", 90, 70, 6));
  BsrOptions const options{.block_rows = 4, .block_cols = 4, .keep_stored_mask = true};
  expect_same_csr(
      to_csr<std::int64_t>(exec, csr_to_bsr(exec, device_csr_of<double, std::int64_t, std::int64_t, Exec>(m), options)),
      m, "64-bit columns");
  expect_same_csr(to_csr(exec, csr_to_bsr(exec, device_csr_of<float, std::int16_t, std::int32_t, Exec>(m), options)), m,
                  "16-bit columns");
  using half = Kokkos::Experimental::half_t;
  expect_same_csr(to_csr(exec, csr_to_bsr(exec, device_csr_of<half, std::int32_t, std::int32_t, Exec>(m), options)), m,
                  "half");
  // 5000 entries in as many blocks of 64 slots: more than 16-bit offsets could name, but blocks fit.
  auto const sparse = with_row_lengths("sparse", 30000, std::vector<std::int64_t>(4000, 1));
  auto const B = csr_to_bsr(exec, device_csr_of<double, std::int16_t, std::int16_t, Exec>(sparse),
                            {.block_rows = 8, .block_cols = 8});
  validate(exec, B);
  EXPECT_GT(B.stored(), 32767);
  expect_error(ErrorKind::resource_limit, {"nnz", "32767"}, [&] { to_csr<std::int16_t>(exec, B); });
}

}  // namespace
}  // namespace araia::test
