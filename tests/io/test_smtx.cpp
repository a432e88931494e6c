// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/io/smtx.hpp>

#include <gtest/gtest.h>

#include <vector>

#include "io_test.hpp"
#include "support/errors.hpp"

namespace {

using namespace std::string_literals;
using araia::test::outcome;

std::string parsed_smtx(std::string const& text, std::size_t block_bytes = 1 << 18) {
  araia::ReadOptions options;
  options.block_bytes = block_bytes;
  options.max_memory_bytes = std::uint64_t{1} << 40;  // whatever this machine has
  return outcome([&] { return araia::parse_smtx(text, "file", options); });
}

std::string const good_smtx = "2x3 g i32 pattern; 1 1; 1 3; 2 2";

TEST(Smtx, ReadsRowsInFileOrder) {
  for (std::string const& text : {
           "2, 3, 3\n0 2 3\n0 2 1\n"s,
           "2, 3, 3\n0 2 3 \n0 2 1 "s,
           "2,3,3\r\n0 2 3\r\n0 2 1\r\n"s,
           "2 3 3\r0 2 3\r0 2 1\r"s,
           "% comment, with 1 2 3\n\n2\t3 ,3\n%\n\n 0\t2  3\n0 2 1\n\n% end"s,
           "+2, 03, 3\n0 2 3\n0 2 1"s,
       }) {
    for (std::size_t const block_bytes : {1U, 2U, 7U, 4096U})
      EXPECT_EQ(parsed_smtx(text, block_bytes), good_smtx) << text;
  }
  EXPECT_EQ(parsed_smtx("0, 0, 0\n0\n\n"), "0x0 g i32 pattern");
  EXPECT_EQ(parsed_smtx("2, 0, 0\n0 0 0"), "2x0 g i32 pattern");
  EXPECT_EQ(parsed_smtx("3, 2, 2\n0 1 1 2\n1 0\n"), "3x2 g i32 pattern; 1 2; 3 1");
  EXPECT_EQ(parsed_smtx("1, 4294967296, 1\n0 1\n4294967295\n"), "1x4294967296 g i64 pattern; 1 4294967296");
}

TEST(Smtx, RefusesWhatIsNoPatternWithItsPlace) {
  struct Row {
    std::string text;
    char const* place;
  };
  for (auto const& [text, place] : std::vector<Row>{
           {"", "1:1"},
           {"% only a comment\n", "2:1"},
           {"2, 3\n0 2 3\n0 2 1\n", "1:5"},
           {"2, 3, 3, 4\n0 2 3\n0 2 1\n", "1:7"},
           {"2, 3, 3 4\n0 2 3\n0 2 1\n", "1:9"},
           {"-2, 3, 3\n0 2 3\n0 2 1\n", "1:1"},
           {"2,, 3, 3\n0 2 3\n0 2 1\n", "1:3"},
           {"2, 3.0, 3\n0 2 3\n0 2 1\n", "1:4"},
           {"2, 3, 99999999999999999999\n0 2 3\n0 2 1\n", "1:7"},
           {"2, 3, 3\n", "1:1"},
           {"2, 3, 3\n1 2 3\n0 2 1\n", "2:1"},
           {"2, 3, 3\n0 2 2\n0 2 1\n", "2:5"},
           {"2, 3, 3\n0 4 3\n0 2 1\n", "2:3"},
           {"3, 3, 3\n0 2 1 3\n0 2 1\n", "2:5"},
           {"2, 3, 3\n0 2 3 3\n0 2 1\n", "2:7"},
           {"2, 3, 3\n0 2\n0 2 1 0 0\n", "2:4"},
           {"2, 3, 3\n0,2,3\n0 2 1\n", "2:1"},
           {"2, 3, 3\n0 2 3\n0 3 1\n", "3:3"},
           {"2, 3, 3\n0 2 3\n0 -1 1\n", "3:3"},
           {"2, 3, 3\n0 2 3\n0 2\0 1\n"s, "3:3"},
           {"2, 3, 3\n0 2 3\n0 222222\n", "3:3"},
           {"2, 3, 3\n0 2 3\n0    2\n", "3:7"},
           {"2, 3, 3\n0 2 3\n0 2 1 1\n", "3:7"},
           {"2, 3, 3\n0 2 3\n0 2 1\n1\n", "4:1"},
           {"2, 3, 3\n0 2 3\n0 2 \n1\n", "3:5"},
           {"0, 0, 0\n0\n1", "3:1"},
           {"2, 0, 1\n0 0 1\n0\n", "3:1"},
           {"1, 1, 1\n0 1\n" + std::string(70000, '1') + '\n', "3:1"},
       }) {
    for (std::size_t const block_bytes : {1U, 3U, 4096U}) {
      EXPECT_EQ(parsed_smtx(text, block_bytes), "parse "s + place) << text.substr(0, 100);
    }
  }
}

TEST(Smtx, ASizeLineAloneReservesNothing) {
  EXPECT_EQ(parsed_smtx("1000000000000000000, 1, 0\n0\n"), "parse 1:1");
  EXPECT_EQ(parsed_smtx("1, 1, 1000000000000000000\n0 1\n0\n"), "parse 1:1");
  EXPECT_EQ(parsed_smtx("9223372036854775806, 1, 9223372036854775806\n0 1\n0\n"), "parse 1:1");
  EXPECT_EQ(parsed_smtx("1, 1000000000000000000, 1\n0 1\n0\n"), "resource_limit");
}

TEST(Smtx, AMatrixWithoutColumnsHasNoIndices) {
  std::string message;
  EXPECT_EQ(araia::test::kind_of([&] { (void)araia::parse_smtx("2, 0, 1\n0 0 1\n0\n", "file"); }, &message),
            araia::ErrorKind::parse);
  EXPECT_EQ(message, "file:3:1: column index is '0', but the matrix has no columns");
}

TEST(Smtx, MoreRowsThanMemoryHoldsAreRefused) {
  araia::HostCoo A;
  A.rows = std::numeric_limits<std::int64_t>::max();
  A.cols = 1;
  std::ostringstream out;
  EXPECT_EQ(araia::test::kind_of([&] { araia::write_smtx(out, A); }), araia::ErrorKind::resource_limit);
}

TEST(Smtx, WritesWhatItReads) {
  araia::HostCoo A;
  A.rows = 3;
  A.cols = 4;
  A.row_indices = std::vector<std::int32_t>{2, 0, 2};
  A.col_indices = std::vector<std::int32_t>{3, 1, 0};
  A.values = std::vector<double>{1, 2, 3};
  std::ostringstream out;
  araia::write_smtx(out, A);
  EXPECT_EQ(out.str(), "3, 4, 3\n0 1 1 3\n1 3 0\n");
  EXPECT_EQ(parsed_smtx(out.str()), "3x4 g i32 pattern; 1 2; 3 4; 3 1");

  A.symmetry = araia::Symmetry::symmetric;
  A.rows = 4;
  EXPECT_EQ(outcome([&] { return araia::write_smtx(out, A), A; }), "invalid_structure");  // both triangles
  A.symmetry = araia::Symmetry::general;
  std::get<0>(A.col_indices)[1] = 4;
  EXPECT_EQ(outcome([&] { return araia::write_smtx(out, A), A; }), "invalid_structure");
}

}  // namespace
