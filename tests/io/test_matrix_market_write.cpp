// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/io/matrix_market.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "io_test.hpp"
#include "support/errors.hpp"

namespace {

using araia::HostCoo;
using araia::Symmetry;
using araia::test::describe;
using araia::test::outcome;
using araia::test::TemporaryDirectory;

template <class Indices, class Values>
HostCoo matrix(std::int64_t rows, std::int64_t cols, Indices i, Indices j, Values values,
               Symmetry symmetry = Symmetry::general) {
  return {rows, cols, std::move(i), std::move(j), std::move(values), symmetry};
}
using I32 = std::vector<std::int32_t>;

std::string written(HostCoo const& A, araia::WriteOptions const& options = {}) {
  std::ostringstream out;
  araia::write_matrix_market(out, A, options);
  return out.str();
}

// Any nan counts as the same one: text keeps its sign, not its payload.
bool same_bits(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b) && std::signbit(a) == std::signbit(b);
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// Every bit pattern is as likely as another; the special ones come first.
std::vector<double> random_doubles(std::size_t count) {
  using Limits = std::numeric_limits<double>;
  std::vector<double> values = {0.0,
                                -0.0,
                                Limits::denorm_min(),
                                -Limits::denorm_min(),
                                Limits::min(),
                                Limits::max(),
                                Limits::lowest(),
                                Limits::infinity(),
                                -Limits::infinity(),
                                Limits::quiet_NaN(),
                                -Limits::quiet_NaN(),
                                0.1,
                                1.0 / 3,
                                1e22,
                                1e23,
                                9007199254740993.0};
  std::mt19937_64 random(20260101);
  while (values.size() < count) {
    double const value = std::bit_cast<double>(random());
    values.push_back(value);
    if (values.size() % 8 == 0) values.back() *= Limits::min();  // often subnormal
  }
  return values;
}

TEST(MatrixMarketWrite, RandomDoublesKeepTheirBits) {
  std::size_t const count = 1000000;
  std::vector<double> const values = random_doubles(count);
  I32 const first(count, 0);
  TemporaryDirectory const directory;
  araia::write_matrix_market(directory / "a.mtx", matrix(1, 1, first, first, values));
  HostCoo const A = araia::read_matrix_market(directory / "a.mtx");
  auto const& back = std::get<std::vector<double>>(A.values);
  ASSERT_EQ(back.size(), count);
  for (std::size_t k = 0; k < count; ++k) ASSERT_TRUE(same_bits(back[k], values[k])) << k << ": " << values[k];
}

TEST(MatrixMarketWrite, RandomIntegersAndComplexKeepTheirBits) {
  std::size_t const count = 100000;
  std::vector<double> const parts = random_doubles(2 * count);
  std::vector<std::complex<double>> complex(count);
  std::vector<std::int64_t> integers(count);
  std::mt19937_64 random(7);
  for (std::size_t k = 0; k < count; ++k) {
    complex[k] = {parts[2 * k], parts[2 * k + 1]};
    integers[k] = static_cast<std::int64_t>(random());
  }
  integers[0] = std::numeric_limits<std::int64_t>::min();
  integers[1] = std::numeric_limits<std::int64_t>::max();
  I32 const first(count, 0);
  TemporaryDirectory const directory;
  for (std::string const name : {"c.mtx", "c.mtx.gz"}) {
    araia::write_matrix_market(directory / name, matrix(1, 1, first, first, complex));
    HostCoo const A = araia::read_matrix_market(directory / name);
    auto const& back = std::get<std::vector<std::complex<double>>>(A.values);
    ASSERT_EQ(back.size(), count);
    for (std::size_t k = 0; k < count; ++k) {
      ASSERT_TRUE(same_bits(back[k].real(), complex[k].real()) && same_bits(back[k].imag(), complex[k].imag()));
    }
  }
  EXPECT_LT(std::filesystem::file_size(directory / "c.mtx.gz"), std::filesystem::file_size(directory / "c.mtx"));
  araia::write_matrix_market(directory / "i.mtx", matrix(1, 1, first, first, integers));
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(araia::read_matrix_market(directory / "i.mtx").values), integers);
}

TEST(MatrixMarketWrite, TextIsTheShortest) {
  EXPECT_EQ(written(matrix(2, 3, I32{0, 1}, I32{2, 0}, std::vector<double>{0.1, -0.0})),
            "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 3 0.1\n2 1 -0\n");
  EXPECT_EQ(written(matrix(0, 0, I32{}, I32{}, std::monostate{})),
            "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n");
  EXPECT_EQ(written(matrix(1, 1, I32{}, I32{}, std::vector<std::int64_t>{}), {.comment = "one\ntwo\x1b\n"}),
            "%%MatrixMarket matrix coordinate integer general\n% one\n% two\\x1b\n1 1 0\n");
}

TEST(MatrixMarketWrite, AnUpperTriangleIsWrittenMirrored) {
  auto const reread = [](HostCoo const& A) { return describe(araia::parse_matrix_market(written(A), "file")); };
  std::vector<std::complex<double>> const z = {{1, 2}, {3, 4}};
  std::vector<double> const x = {1, 2};
  I32 const i = {0, 0};
  I32 const j = {1, 0};
  EXPECT_EQ(reread(matrix(2, 2, i, j, x, Symmetry::symmetric)), "2x2 s i32 f64; 2 1 1; 1 1 2");
  EXPECT_EQ(reread(matrix(2, 2, i, j, x, Symmetry::skew_symmetric)), "2x2 k i32 f64; 2 1 -1; 1 1 2");
  EXPECT_EQ(reread(matrix(2, 2, i, j, z, Symmetry::hermitian)), "2x2 h i32 c64; 2 1 1 -2; 1 1 3 4");
  EXPECT_EQ(reread(matrix(2, 2, j, i, z, Symmetry::hermitian)), "2x2 h i32 c64; 2 1 1 2; 1 1 3 4");
  EXPECT_EQ(reread(matrix(2, 2, i, j, std::monostate{}, Symmetry::symmetric)), "2x2 s i32 pattern; 2 1; 1 1");
}

TEST(MatrixMarketWrite, RefusesAMatrixThatBreaksItsRules) {
  auto const refused = [](HostCoo const& A) { return outcome([&] { return written(A), A; }); };
  std::vector<double> const x = {1, 2};
  EXPECT_EQ(refused(matrix(2, 2, I32{0, 1}, I32{0, 2}, x)), "invalid_structure");
  EXPECT_EQ(refused(matrix(2, 2, I32{-1, 1}, I32{0, 1}, x)), "invalid_structure");
  EXPECT_EQ(refused(matrix(2, 2, I32{0}, I32{0, 1}, x)), "invalid_structure");
  EXPECT_EQ(refused(matrix(2, 2, I32{0}, I32{0}, x)), "invalid_structure");
  EXPECT_EQ(refused(matrix(-1, 2, I32{}, I32{}, std::monostate{})), "invalid_structure");
  EXPECT_EQ(refused(matrix(2, 2, I32{0, 1}, I32{1, 0}, x, Symmetry::symmetric)), "invalid_structure");
  EXPECT_EQ(refused(matrix(2, 3, I32{0, 1}, I32{1, 1}, x, Symmetry::symmetric)), "invalid_structure");
  EXPECT_EQ(refused(matrix(2, 2, I32{1}, I32{0}, std::monostate{}, Symmetry::skew_symmetric)), "invalid_structure");
  HostCoo A = matrix(2, 2, I32{0}, I32{0}, std::monostate{});
  A.col_indices = std::vector<std::int64_t>{0};
  EXPECT_EQ(refused(A), "invalid_structure");
}

TEST(MatrixMarketWrite, AnIntegerWithoutAMirrorValueIsNamedBeforeTheFirstByte) {
  std::size_t const count = 100000;  // more text than is kept before it is written
  std::vector<std::int64_t> values(count, 1);
  values[0] = values[count - 1] = std::numeric_limits<std::int64_t>::min();
  I32 rows(count, 0);
  I32 cols(count, 1);
  cols[0] = 0;  // on the diagonal it stays as it is
  std::ostringstream out;
  std::string message;
  EXPECT_EQ(araia::test::kind_of(
                [&] { araia::write_matrix_market(out, matrix(2, 2, rows, cols, values, Symmetry::skew_symmetric)); },
                &message),
            araia::ErrorKind::invalid_structure);
  EXPECT_TRUE(out.str().empty());
  EXPECT_NE(message.find("entry 99999 is -9223372036854775808 at (0, 1)"), message.npos) << message;
  TemporaryDirectory const directory;
  EXPECT_EQ(araia::test::kind_of(
                [&] {
                  araia::write_matrix_market(directory / "a.mtx",
                                             matrix(2, 2, rows, cols, values, Symmetry::skew_symmetric));
                },
                &message),
            araia::ErrorKind::invalid_structure);
  EXPECT_NE(message.find("a.mtx: HostCoo: entry 99999 "), message.npos) << message;
  EXPECT_EQ(written(matrix(2, 2, I32{1}, I32{0}, std::vector<std::int64_t>{values[0]}, Symmetry::skew_symmetric)),
            "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 -9223372036854775808\n");
}

TEST(MatrixMarketWrite, DenseMatricesKeepTheirBits) {
  TemporaryDirectory const directory;
  std::vector<double> const values = random_doubles(20);
  araia::write_matrix_market_dense(directory / "b.mtx", {4, 5, values});
  araia::HostDense const B = araia::read_matrix_market_dense(directory / "b.mtx");
  EXPECT_EQ(B.rows, 4);
  EXPECT_EQ(B.columns, 5);
  auto const& back = std::get<std::vector<double>>(B.values);
  for (std::size_t k = 0; k < values.size(); ++k) EXPECT_TRUE(same_bits(back.at(k), values[k])) << values[k];

  std::ostringstream out;
  araia::write_matrix_market_dense(out, {1, 2, std::vector<std::complex<double>>{{1, 2}, {3, -0.0}}});
  EXPECT_EQ(out.str(), "%%MatrixMarket matrix array complex general\n1 2\n1 2\n3 -0\n");
  EXPECT_EQ(outcome([&] {
              return araia::write_matrix_market_dense(out, {2, 2, values}), HostCoo{};
            }),
            "invalid_structure");
}

TEST(MatrixMarketWrite, AStreamThatFailsIsAnError) {
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  EXPECT_EQ(outcome([&] {
              araia::write_matrix_market(out, HostCoo{});
              return HostCoo{};
            }),
            "device");
}

}  // namespace
