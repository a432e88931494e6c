// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../src/io/gzip.hpp"

#include "../../src/io/matrix_market_source.hpp"

#include <araia/io/matrix_market.hpp>
#include <araia/io/read_matrix.hpp>

#include <gtest/gtest.h>

#include "io_test.hpp"

namespace {

using namespace std::string_literals;
using araia::test::outcome;
using araia::test::put_content;

std::string gzip(std::string_view text) {
  std::string out;
  araia::detail::GzipWriter writer([&out](std::string_view bytes) { out += bytes; });
  writer.write(text);
  writer.finish();
  return out;
}

class Gzip : public testing::Test {
 protected:
  std::string read(std::string const& bytes, araia::ReadOptions const& options = {}) {
    return outcome([&] {
      auto const source = araia::detail::decompressed(araia::detail::memory_source(bytes, "file"), options);
      return araia::detail::read_matrix_market(*source, options);
    });
  }
  std::string const text = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 5\n2 2 6\n";
  std::string const good = "2x2 g i32 f64; 1 1 5; 2 2 6";
};

TEST_F(Gzip, IsKnownByItsContent) {
  EXPECT_EQ(read(gzip(text)), good);
  EXPECT_EQ(read(text), good);
}

TEST_F(Gzip, MembersFollowEachOtherAndZerosPad) {
  EXPECT_EQ(read(gzip(text.substr(0, 30)) + gzip("") + gzip(text.substr(30))), good);
  EXPECT_EQ(read(gzip(text) + std::string(100000, '\0')), good);
}

TEST_F(Gzip, EveryTruncationAndEveryFlippedBitOfTheTrailerIsAnError) {
  std::string const whole = gzip(text);
  for (std::size_t size = 2; size < whole.size(); ++size) {
    EXPECT_EQ(read(whole.substr(0, size)), "parse") << size;
  }
  for (std::size_t bit = 0; bit < 64; ++bit) {
    std::string flipped = whole;
    flipped[whole.size() - 8 + bit / 8] ^= static_cast<char>(1 << bit % 8);
    EXPECT_EQ(read(flipped), "parse") << bit;
  }
}

TEST_F(Gzip, NoFlippedBitGivesAnotherMatrix) {
  std::string const whole = gzip(text);
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] ^= static_cast<char>(1 << bit % 8);
    std::string const got = read(flipped);
    // Some bits say nothing about the text: time, system, padding.
    EXPECT_TRUE(got == "parse" || got == "parse 1:1" || got == good) << bit << ": " << got;
  }
}

TEST_F(Gzip, OtherBytesBehindItAreAnError) { EXPECT_EQ(read(gzip(text) + "x"), "parse"); }

TEST_F(Gzip, OutputHasALimit) {
  araia::ReadOptions options;
  options.max_bytes = 10000;
  EXPECT_EQ(read(gzip(text + std::string(5000, '\n')), options), good);
  EXPECT_EQ(read(gzip(text + std::string(1 << 20, '\n')), options), "resource_limit");
}

TEST_F(Gzip, WhatItsBytesCannotHoldIsRefusedAtTheHeader) {
  EXPECT_EQ(read(gzip("%%MatrixMarket matrix coordinate pattern general\n5 5 1000000\n1 1\n")), "parse 2:5");
}

TEST_F(Gzip, OtherCompressionsAreRefusedByName) {
  araia::test::TemporaryDirectory const directory;
  for (auto const& [bytes, name] : {std::pair{"BZh91AY&SY"s, "bzip2"},
                                    {"\xfd"
                                     "7zXZ\0\0\x04"s,
                                     "xz"},
                                    {"\x28\xb5\x2f\xfd...."s, "zstd"}}) {
    put_content(directory / "a", bytes);
    try {
      (void)araia::read_matrix(directory / "a");
      ADD_FAILURE() << name;
    } catch (araia::Error const& error) {
      EXPECT_EQ(error.kind(), araia::ErrorKind::unsupported);
      EXPECT_NE(std::string_view(error.what()).find(name), std::string_view::npos) << error.what();
    }
  }
}

}  // namespace
