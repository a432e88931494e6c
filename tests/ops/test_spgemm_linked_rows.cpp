// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows that have the columns of the row before, as they are or moved by one: what hosts sum several at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <araia/ops/spgemm.hpp>

#include "backends/openmp/spgemm/csr_row_bins/rows_host.hpp"
#include "ops/spgemm_check.hpp"

namespace araia::test {
namespace {

/// Values that differ from row to row, so that a row summed as another shows.
TestMatrix with_values(TestMatrix m) {
  std::mt19937_64 random(zoo_seed + 71);
  std::uniform_real_distribution<double> any(-1, 1);
  m.values.resize(m.col_indices.size());
  for (auto& value : m.values) value = any(random);
  return m;
}

void add_row(TestMatrix& m, std::vector<std::int64_t> columns) {
  std::sort(columns.begin(), columns.end());
  for (auto const column : columns) m.col_indices.push_back(static_cast<std::int32_t>(column));
  m.row_offsets.push_back(static_cast<std::int64_t>(m.col_indices.size()));
}

/// Nodes of 1 to `most` unknowns, some without any neighbour; all rows of a node have the same columns.
TestMatrix nodes(std::int64_t count, std::int64_t most, std::int64_t neighbours) {
  std::mt19937_64 random(zoo_seed + 72);
  std::vector<std::int64_t> starts{0};
  for (std::int64_t i = 0; i < count; ++i)
    starts.push_back(starts.back() + 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most)));
  TestMatrix m{"nodes of up to " + std::to_string(most), starts.back(), starts.back()};
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    std::vector<std::int64_t> with;
    for (std::int64_t j = 0; j < neighbours && i % 7 != 3; ++j)
      with.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(count)));
    std::sort(with.begin(), with.end());
    with.erase(std::unique(with.begin(), with.end()), with.end());
    std::vector<std::int64_t> columns;
    for (auto const node : with)
      for (auto c = starts[static_cast<std::size_t>(node)]; c < starts[static_cast<std::size_t>(node) + 1]; ++c)
        columns.push_back(c);
    for (auto row = starts[i]; row < starts[i + 1]; ++row) add_row(m, columns);
  }
  return with_values(m);
}

/// Row i couples with i + each of the steps that stay inside.
TestMatrix band(std::int64_t rows, std::vector<std::int64_t> const& steps) {
  TestMatrix m{"band of " + std::to_string(steps.size()), rows, rows};
  for (std::int64_t i = 0; i < rows; ++i) {
    std::vector<std::int64_t> columns;
    for (auto const step : steps)
      if (i + step >= 0 && i + step < rows) columns.push_back(i + step);
    add_row(m, columns);
  }
  return with_values(m);
}

/// 27 points of an n^3 grid.
TestMatrix cube(std::int64_t n) {
  TestMatrix m{"cube", n * n * n, n * n * n};
  for (std::int64_t i = 0; i < m.rows; ++i) {
    std::vector<std::int64_t> columns;
    for (std::int64_t z = -1; z <= 1; ++z)
      for (std::int64_t y = -1; y <= 1; ++y)
        for (std::int64_t x = -1; x <= 1; ++x)
          if (std::int64_t const X = i % n + x, Y = i / n % n + y, Z = i / n / n + z;
              std::min({X, Y, Z}) >= 0 && std::max({X, Y, Z}) < n)
            columns.push_back(X + n * (Y + n * Z));
    add_row(m, columns);
  }
  return with_values(m);
}

std::vector<TestMatrix> linked() {
  return {nodes(120, 3, 6),
          nodes(90, 7, 9),
          band(500, {-1, 0, 1}),
          band(400, {-4, -3, -2, -1, 0, 1, 2, 3, 4}),
          band(700, {-300, -17, 0, 1, 17, 300}),
          band(1, {0}),
          band(70, {0}),
          cube(9),
          with_values(unsorted_with_duplicates(nodes(60, 3, 5)))};
}

template <class Values>
std::vector<unsigned char> bits_of(Values const& values) {
  auto const host = download<typename Values::non_const_value_type>(values);
  std::vector<unsigned char> bits(host.size() * sizeof(host[0]));
  if (!host.empty()) std::memcpy(bits.data(), host.data(), bits.size());
  return bits;
}

template <class Scalar, class Offset>
void expect_linked() {
  for (auto const& m : linked()) {
    auto const A = device_csr<Scalar, Offset, Host>(m);
    auto const expected = expected_spgemm(wide_csr(A), wide_csr(A));
    auto const whole = make_spgemm(Host(), A, A).report().workspace_bytes;
    std::vector<unsigned char> bits;
    for (auto const share : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{10}}) {
      SpgemmOptions options{.kernel = "row_bins", .workspace_limit = share > 1 ? whole / share : 0};
      if (share > 1 && whole / share < 1024) continue;
      auto const name = m.name + ", a share of " + std::to_string(share);
      auto product = make_spgemm(Host(), A, A, options);
      EXPECT_LE(product.report().workspace_bytes, whole / share) << name;
      for (int i = 0; i < 2; ++i) {
        product.execute(Scalar(2));
        EXPECT_EQ(difference(product.c(), expected, true, 2), "") << name << ", execution " << i;
        auto const C = product.template csr<std::int64_t>();
        if (bits.empty()) bits = bits_of(C.values);
        EXPECT_EQ(bits_of(C.values), bits) << name << ", execution " << i;
      }
      options.add = true;
      auto sum = make_spgemm(Host(), A, A, options);
      for (int i = 0; i < 3; ++i) sum.execute(Scalar(-1));
      EXPECT_EQ(difference(sum.c(), expected, true, -1, 3), "") << name << ", added";
    }
  }
}

TEST(SpgemmLinkedRows, Double) { expect_linked<double, std::int32_t>(); }
TEST(SpgemmLinkedRows, OffsetsOf64Bits) { expect_linked<double, std::int64_t>(); }
#ifndef ARAIA_TYPES_MINIMAL
TEST(SpgemmLinkedRows, Float) { expect_linked<float, std::int32_t>(); }
TEST(SpgemmLinkedRows, Complex) { expect_linked<Kokkos::complex<double>, std::int32_t>(); }
#endif

TEST(SpgemmLinkedRows, AnotherMatrixOnTheRight) {
  // Rows of A that share their columns, whatever B's are; and moved rows of A on rows of B that are not moved.
  auto const A = device_csr<double, std::int32_t, Host>(nodes(100, 3, 6));
  auto const B = device_csr<double, std::int32_t, Host>(with_values(random_matrix("B", A.cols, 333, 12)));
  auto const band_A = device_csr<double, std::int32_t, Host>(band(300, {-3, -2, -1, 0, 1, 2, 3}));
  auto const band_B = device_csr<double, std::int32_t, Host>(with_values(random_matrix("B", 300, 500, 9)));
  for (auto const& [left, right] : {std::pair{A, B}, std::pair{band_A, band_B}}) {
    auto const expected = expected_spgemm(wide_csr(left), wide_csr(right));
    auto product = make_spgemm(Host(), left, right, {.kernel = "row_bins"});
    for (int i = 0; i < 2; ++i) {
      product.execute();
      EXPECT_EQ(difference(product.c(), expected), "");
    }
  }
}

TEST(SpgemmLinkedRows, OnesAndPatterns) {
  for (auto const& m : linked()) {
    auto const A = device_csr<double, std::int32_t, Host>(m);
    auto const ones = device_csr<double, std::int32_t, Host>(m, false);
    EXPECT_EQ(difference(spgemm(Host(), ones, A), expected_spgemm(wide_csr(ones), wide_csr(A))), "") << m.name;
    EXPECT_EQ(difference(spgemm(Host(), A, ones), expected_spgemm(wide_csr(A), wide_csr(ones))), "") << m.name;
    EXPECT_EQ(difference(spgemm(Host(), A, A, {.pattern_only = true}), expected_spgemm(wide_csr(A), wide_csr(A))), "")
        << m.name;
  }
}

/// The kernels of one instruction set, in chunks of so many rows of one thread.
void expect_rows_of(host::Isa isa, TestMatrix const& m, std::int64_t chunk) {
  using Offset = std::int32_t;
  std::vector<Offset> const offsets(m.row_offsets.begin(), m.row_offsets.end());
  CsrPointers<double, std::int32_t, Offset> const a{.rows = m.rows,
                                                    .cols = m.cols,
                                                    .nnz = m.nnz(),
                                                    .row_offsets = offsets.data(),
                                                    .col_indices = m.col_indices.data(),
                                                    .values = m.values.data(),
                                                    .row_permutation = nullptr};
  host::SpgemmRowTuning tuning{.mask_columns = 1 << 14,
                               .window_columns = 1 << 13,
                               .byte_columns = 1 << 13,
                               .hash_slots = 4096,
                               .sorted_products = host::spgemm_short_row,
                               .near_columns = 1 << 14,
                               .sparse_window = 64,
                               .lane_entries = 512,
                               .mapped_products = 2048};
  std::vector<std::uint8_t> b_links(static_cast<std::size_t>(host::spgemm_b_link_bytes(m.rows)));
  std::vector<std::uint8_t> c_links(static_cast<std::size_t>(host::spgemm_c_link_bytes(m.rows)));
  struct alignas(64) Line {
    unsigned char bytes[64];
  };
  std::vector<Line> memory(host::spgemm_row_bytes<double>(tuning, true) / 64);
  host::SpgemmRowsArgs<double, Offset> args{
      .a = a,
      .b = a,
      .ascending = true,
      .tuning = tuning,
      .b_links = b_links.data(),
      .c_links = c_links.data(),
      .memory = host::spgemm_row_memory<double>(tuning, true, memory.data()->bytes, true),
      .first_row = 0,
      .last_row = 0};
  auto const in_chunks = [&](std::int64_t rows, auto const& body) {
    for (std::int64_t first = 0; first < m.rows; first += rows) {
      args.first_row = first;
      args.last_row = std::min(first + rows, m.rows);
      body();
    }
  };
  in_chunks(64, [&] {
    host::spgemm_links(host::SpgemmLinksArgs<Offset>{offsets.data(), m.col_indices.data(), b_links.data(),
                                                     args.first_row, args.last_row},
                       isa);
  });
  host::SpgemmRowExtent extent;
  in_chunks(64, [&] { host::spgemm_shapes(args, true, extent, isa); });
  std::vector<std::int64_t> c_offsets(static_cast<std::size_t>(m.rows) + 1);
  host::SpgemmRowOffsets const where{nullptr, c_offsets.data()};
  host::SpgemmRowCounts counts;
  in_chunks(chunk, [&] { host::spgemm_count(args, where, counts, isa); });
  for (std::size_t i = 0; i < static_cast<std::size_t>(m.rows); ++i) c_offsets[i + 1] += c_offsets[i];
  auto const A = device_csr<double, Offset, Host>(m);
  auto const expected = expected_spgemm(wide_csr(A), wide_csr(A));
  ASSERT_EQ(c_offsets, expected.row_offsets);
  std::vector<std::int32_t> cols(expected.col_indices.size(), -1);
  std::vector<double> values(cols.size(), std::numeric_limits<double>::quiet_NaN());
  auto const check = [&](char const* what) {
    for (std::size_t k = 0; k < cols.size(); ++k) {
      ASSERT_EQ(cols[k], expected.col_indices[k]) << what;
      auto const bound = static_cast<double>(expected.sizes[k]) * 1.2e-16 * static_cast<double>(expected.counts[k] + 2);
      ASSERT_NEAR(values[k], static_cast<double>(expected.values[k].real()), bound) << what;
    }
  };
  in_chunks(chunk, [&] { host::spgemm_fill(args, 1.0, true, where, cols.data(), values.data(), isa); });
  check("fill");
  std::fill(values.begin(), values.end(), std::numeric_limits<double>::quiet_NaN());
  in_chunks(chunk, [&] { host::spgemm_refresh(args, 1.0, false, where, cols.data(), values.data(), isa); });
  check("refresh");
  std::fill(values.begin(), values.end(), 0.0);
  in_chunks(chunk, [&] { host::spgemm_refresh(args, 1.0, true, where, cols.data(), values.data(), isa); });
  check("refresh, added to zeros");
}

TEST(SpgemmLinkedRows, EveryInstructionSet) {
  auto matrices = linked();
  matrices.pop_back();  // whose columns do not ascend
  matrices.push_back(with_values(random_matrix("random", 300, 300, 12)));
  for (auto const isa : host::supported_isas())
    for (auto const& m : matrices)
      for (std::int64_t const chunk : {std::int64_t{1000000}, std::int64_t{64}, std::int64_t{7}}) {
        SCOPED_TRACE(std::string(host::to_string(isa)) + ", " + m.name + ", chunks of " + std::to_string(chunk));
        expect_rows_of(isa, m, chunk);
      }
}

}  // namespace
}  // namespace araia::test
