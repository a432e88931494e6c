// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Patterns cut up for one cluster, without a device: what blocks would compute and send by the packing's words alone.

#include <gtest/gtest.h>

#include <araia/error.hpp>
#include <cstring>

#include "backends/cuda/cg/csr_one_cluster/packing.hpp"
#include "backends/cuda/cg/systems.hpp"
#include "support/errors.hpp"

namespace {

using namespace araia;
using namespace araia::cuda::one_cluster;
using namespace araia::test::cg;

std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }

double value_of(std::vector<double> const& values, std::uint32_t word) {
  auto const source = static_cast<std::int32_t>(word);
  return source >= 0 ? values[at(source)] : source == source_one ? 1.0 : 0.0;
}

/// A u as the kernel makes it.
class Machine {
 public:
  explicit Machine(Packing const& packing) : p_(packing), l_(packing.layout) {}

  std::vector<double> multiply(std::vector<double> const& values, std::vector<double> const& u) {
    double const unset = std::nan("");
    vectors_.assign(at(l_.shape.cluster), std::vector<double>(l_.vector_bytes / 8, unset));
    sent_to_.assign(at(l_.shape.cluster), 0);
    for (int b = 0; b < l_.shape.cluster; ++b)
      for (int place = 0; place < l_.shape.block_rows(); ++place) {
        auto const row = static_cast<std::int32_t>(fixed(l_.rows_at, b, place));
        vectors_[at(b)][at(place)] = row < 0 ? 0 : u[at(row)];
      }
    for (int b = 0; b < l_.shape.cluster; ++b) publish(b);
    for (int b = 0; b < l_.shape.cluster; ++b) send_long_sums(values, b);
    for (int b = 0; b < l_.shape.cluster && l_.shape.cluster > 1; ++b)
      EXPECT_EQ(8 * sent_to_[at(b)], block(b).inbound) << "block " << b;
    std::vector<double> w(u.size(), unset);
    for (int b = 0; b < l_.shape.cluster; ++b)
      for (int place = 0; place < l_.shape.block_rows(); ++place) row_sum(values, b, place, w);
    return w;
  }

 private:
  [[nodiscard]] std::uint32_t fixed(std::uint32_t begin, int b, int place) const {
    return p_.words[begin + at(b) * at(l_.shape.block_rows()) + at(place)];
  }
  [[nodiscard]] BlockWords block(int b) const {
    BlockWords words;
    std::memcpy(&words, p_.words.data() + l_.blocks_at + at(b) * sizeof words / 4, sizeof words);
    return words;
  }
  struct Slice {
    std::size_t entries, own, halo, pairs, targets, sent;
  };
  [[nodiscard]] Slice slice(int b, int place) const {
    std::size_t const first = l_.slices_at + 2 * at(b) * at(l_.shape.slices()) + at(place / 32);
    std::uint32_t const e = p_.words[first];
    std::uint32_t const t = p_.words[first + at(l_.shape.slices())];
    return {(e >> 18) * 32, e >> 10 & 255, e >> 2 & 255, e & 3, (t >> 8) * 32, t & 255};
  }
  void send(std::uint32_t target, double value) {
    auto& to = vectors_[target >> 16][(target & 0xffff) / 8];
    EXPECT_TRUE(std::isnan(to)) << "two values for one place";
    to = value;
    ++sent_to_[target >> 16];
  }
  void publish(int b) {
    for (int place = 0; place < l_.shape.block_rows(); ++place) {
      Slice const s = slice(b, place);
      for (std::size_t j = 0; j < s.sent; ++j) {
        std::uint32_t const target =
            p_.words[l_.targets_at + at(block(b).first_target) + s.targets + j * 32 + at(place % 32)];
        if (target != no_target) send(target, vectors_[at(b)][at(place)]);
      }
    }
  }
  [[nodiscard]] double entry(std::vector<double> const& values, int b, std::size_t e) const {
    std::size_t const k = at(block(b).first_entry) + e;
    EXPECT_LT(e, at(block(b).entries));
    return value_of(values, p_.words[l_.entry_sources_at + k]) *
           vectors_[at(b)].at(p_.words[l_.entry_columns_at + k] / 8);
  }
  void send_long_sums(std::vector<double> const& values, int b) {
    for (std::int32_t l = 0; l < block(b).longs; ++l) {
      LongWords chunk;
      std::memcpy(&chunk, p_.words.data() + l_.longs_at + at(block(b).first_long + l) * sizeof chunk / 4, sizeof chunk);
      double sum = 0;
      for (std::int32_t e = 0; e < chunk.entries; ++e) sum += entry(values, b, at(chunk.begin + e));
      send(chunk.target, sum);
    }
  }
  void row_sum(std::vector<double> const& values, int b, int place, std::vector<double>& w) const {
    auto const row = static_cast<std::int32_t>(fixed(l_.rows_at, b, place));
    Slice const s = slice(b, place);
    double sum = value_of(values, fixed(l_.diagonals_at, b, place)) * vectors_[at(b)][at(place)];
    for (std::size_t e = 0; e < register_entries; ++e) {
      std::uint32_t const source =
          p_.words[l_.sources_at + (at(b) * register_entries + e) * at(l_.shape.block_rows()) + at(place)];
      std::uint32_t const pair =
          p_.words[l_.columns_at + (at(b) * register_entries / 2 + e / 2) * at(l_.shape.block_rows()) + at(place)];
      double const product = value_of(values, source) * vectors_[at(b)].at((pair >> e % 2 * 16 & 0xffff) / 8);
      if (e / 2 < s.pairs)
        sum += product;
      else
        EXPECT_EQ(static_cast<std::int32_t>(source), source_zero) << "an entry that the slice leaves out";
    }
    for (std::size_t j = 0; j < s.own + s.halo; ++j) sum += entry(values, b, s.entries + j * 32 + at(place % 32));
    if (row < 0) {
      EXPECT_EQ(sum, 0) << "an empty place";
      return;
    }
    EXPECT_TRUE(std::isnan(w[at(row)])) << "row " << row << " has two places";
    w[at(row)] = sum;
  }

  Packing const& p_;
  Layout const& l_;
  std::vector<std::vector<double>> vectors_;
  std::vector<int> sent_to_;
};

void expect_product_right(Matrix const& m, Shape const& shape) {
  std::string refusal;
  Packing const packing = pack(m.rows, m.row_offsets.data(), m.col_indices.data(), shape, refusal);
  ASSERT_EQ(refusal, "") << m.name << " " << shape.name();
  auto const u = test::cg::random_vector(at(m.rows), 7);
  auto const expected = product(m, m.values, u);
  auto const got = Machine(packing).multiply(m.values, u);
  double most = 0;
  for (double const v : m.values) most = std::max(most, std::abs(v));
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_NEAR(got[i], expected[i], 1e-13 * most * 10) << m.name << " " << shape.name() << " row " << i;
}

std::vector<Matrix> zoo() {
  std::vector<Matrix> all;
  for (std::int32_t const n : {1, 2, 31, 32, 33, 1000}) all.push_back(tridiagonal(n));
  all.push_back(seven_points(12, 11, 10));
  all.push_back(random_pattern(700, 3, {0, 350}, 1));           // two dense rows
  all.push_back(random_pattern(1500, 12, {3, 4, 5, 1499}, 7));  // entries beyond registers, some long rows
  all.push_back(random_pattern(150, 60, {}, 1));                // all rows long
  all.push_back(random_pattern(900, 2, {17}, 3, false));        // not symmetric
  Builder no_diagonal(40);
  for (std::int32_t i = 0; i + 2 < 40; i += 2) no_diagonal.add(i, i + 2, 1.5);
  all.push_back(no_diagonal.as_it_is("no diagonal, empty rows"));
  return all;
}

TEST(OneClusterPacking, ProductsAreRightOnEveryShape) {
  for (Matrix const& m : zoo())
    for (int const cluster : clusters) expect_product_right(m, shape_of(m.rows, cluster));
}

TEST(OneClusterPacking, ShapesMayHaveMorePlacesThanRows) {
  Matrix const m = random_pattern(100, 4, {50}, 1);
  for (Shape const& shape : {Shape{2, 4, 64}, Shape{4, 8, 32}, Shape{16, 1, 256}, Shape{1, 2, 64}})
    expect_product_right(m, shape);
}

TEST(OneClusterPacking, LargestSystemsFit) {
  expect_product_right(tridiagonal(2048), shape_of(2048, 1));
  expect_product_right(seven_points(25, 25, 24), shape_of(15000, 16));
  expect_product_right(random_pattern(15000, 1, {7500}, 1), shape_of(15000, 16));
  expect_product_right(tridiagonal(32768), shape_of(32768, 16));
}

TEST(OneClusterPacking, ShapesAreChosenByRows) {
  EXPECT_EQ(shape_of(1, 1), (Shape{1, 1, 32}));
  EXPECT_EQ(shape_of(1891, 1), (Shape{1, 8, 256}));
  EXPECT_EQ(shape_of(1891, 16), (Shape{16, 1, 128}));
  EXPECT_EQ(shape_of(12523, 16), (Shape{16, 4, 224}));
  EXPECT_EQ(shape_of(14991, 8), (Shape{8, 8, 256}));
  EXPECT_EQ(shape_of(1, 1).name(), "one_block");
  EXPECT_EQ(shape_of(1, 16).name(), "cluster_16");
  EXPECT_EQ(test::kind_of([] { static_cast<void>(shape_of(2049, 1)); }), ErrorKind::invalid_argument);
  EXPECT_EQ(test::kind_of([] { static_cast<void>(shape_of(0, 1)); }), ErrorKind::invalid_argument);
  EXPECT_EQ(test::kind_of([] { static_cast<void>(shape_of(10, 3)); }), ErrorKind::invalid_argument);
}

/// A chain has one neighbour at either end of a part.
TEST(OneClusterPacking, ChainsAreCutAtFewPlaces) {
  Matrix const m = tridiagonal(1600);
  std::string refusal;
  Packing const packing = pack(m.rows, m.row_offsets.data(), m.col_indices.data(), shape_of(m.rows, 16), refusal);
  EXPECT_LE(packing.halo_values, 2 * 2 * 15);
  EXPECT_EQ(packing.halo_values, packing.halo_entries);
  EXPECT_EQ(packing.long_rows, 0);
}

TEST(OneClusterPacking, RefusesVectorsThatSixteenBitsCannotTell) {
  // Random links: each of 16 blocks needs nearly all of the other blocks' rows.
  Matrix const m = random_pattern(15000, 12, {}, 1);
  std::string refusal;
  Packing const packing = pack(m.rows, m.row_offsets.data(), m.col_indices.data(), shape_of(m.rows, 16), refusal);
  EXPECT_NE(refusal.find("8192"), std::string::npos) << refusal;
  EXPECT_TRUE(packing.words.empty());
}

TEST(OneClusterPacking, BadPatternsThrow) {
  std::string refusal;
  auto const kind = [&](std::vector<std::int32_t> const& offsets, std::vector<std::int32_t> const& columns,
                        Shape const& shape) {
    return test::kind_of([&] {
      static_cast<void>(
          pack(static_cast<std::int64_t>(offsets.size()) - 1, offsets.data(), columns.data(), shape, refusal));
    });
  };
  Shape const small{1, 1, 32};
  EXPECT_EQ(kind({0, 1, 2}, {0, 2}, small), ErrorKind::invalid_structure);
  EXPECT_EQ(kind({0, 1, 2}, {0, -1}, small), ErrorKind::invalid_structure);
  EXPECT_EQ(kind({0, 2, 1}, {0, 1}, small), ErrorKind::invalid_structure);
  EXPECT_EQ(kind({1, 1, 1}, {0}, small), ErrorKind::invalid_structure);
  EXPECT_EQ(kind({0, 2, 3}, {0, 0, 1}, small), ErrorKind::invalid_structure);
  EXPECT_EQ(kind({0}, {}, small), ErrorKind::invalid_argument);
  EXPECT_EQ(kind({0, 1, 2}, {0, 1}, (Shape{3, 1, 32})), ErrorKind::invalid_argument);
  EXPECT_EQ(kind({0, 1, 2}, {0, 1}, (Shape{1, 1, 48})), ErrorKind::invalid_argument);
  EXPECT_EQ(kind({0, 1, 2}, {0, 1}, (Shape{1, 16, 32})), ErrorKind::invalid_argument);
}

}  // namespace
