// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/io/matrix_market.hpp>

#include <gtest/gtest.h>

#include <map>

#include "io_test.hpp"
#include "support/errors.hpp"

namespace {

using namespace std::string_literals;
using araia::test::describe;
using araia::test::outcome;

struct MarketRow {
  char const* about;
  std::string text;
  std::string outcome;
};

std::string parsed_market(std::string const& text, araia::ReadOptions options = {}) {
  options.max_memory_bytes = std::uint64_t{1} << 40;  // whatever this machine has
  return outcome([&] { return araia::parse_matrix_market(text, "file", options); });
}

void expect_all(std::vector<MarketRow> const& table) {
  for (auto const& [about, text, expected] : table) EXPECT_EQ(parsed_market(text), expected) << about;
}

std::string const real = "%%MatrixMarket matrix coordinate real general\n";
std::string const one = real + "3 4 1\n";  // and one entry at line 3

std::string coordinate(std::string const& field, std::string const& symmetry, std::string const& rest) {
  return "%%MatrixMarket matrix coordinate " + field + ' ' + symmetry + '\n' + rest;
}
std::string array(std::string const& field, std::string const& symmetry, std::string const& rest) {
  return "%%MatrixMarket matrix array " + field + ' ' + symmetry + '\n' + rest;
}

TEST(MatrixMarket, EveryFieldReadsAsItsOwnType) {
  expect_all({
      {"real", coordinate("real", "general", "2 2 2\n1 1 2.5\n2 1 -3e2\n"), "2x2 g i32 f64; 1 1 2.5; 2 1 -300"},
      {"double", coordinate("double", "general", "1 1 1\n1 1 4\n"), "1x1 g i32 f64; 1 1 4"},
      {"integer", coordinate("integer", "general", "1 2 1\n1 2 -7\n"), "1x2 g i32 int; 1 2 -7"},
      {"unsigned", coordinate("unsigned-integer", "general", "1 1 1\n1 1 +7\n"), "1x1 g i32 int; 1 1 7"},
      {"negative unsigned", coordinate("unsigned-integer", "general", "1 1 1\n1 1 -7\n"), "parse 3:5"},
      {"complex", coordinate("complex", "general", "1 1 1\n1 1 1 -2\n"), "1x1 g i32 c64; 1 1 1 -2"},
      {"half a complex", coordinate("complex", "general", "1 1 1\n1 1 1234\n"), "parse 3:9"},
      {"bad imaginary part", coordinate("complex", "general", "1 1 1\n1 1 1 x\n"), "parse 3:7"},
      {"pattern", coordinate("pattern", "general", "2 3 2\n1 1\n2 3\n"), "2x3 g i32 pattern; 1 1; 2 3"},
      {"pattern with a value", coordinate("pattern", "general", "2 3 1\n1 1 5 6\n"), "parse 3:5"},
      {"pattern with a word", coordinate("pattern", "general", "2 3 1\n1 1 x\n"), "parse 3:5"},
      {"largest integers", coordinate("integer", "general", "1 1 1\n1 1 -9223372036854775808\n"),
       "1x1 g i32 int; 1 1 -9223372036854775808"},
      {"unsigned beyond 63 bits", coordinate("unsigned-integer", "general", "1 1 1\n1 1 18446744073709551615\n"),
       "parse 3:5"},
      {"integer beyond 64 bits", coordinate("integer", "general", "1 1 1\n1 1 9223372036854775808\n"), "parse 3:5"},
      {"wide indices", coordinate("pattern", "general", "2147483648 1 1\n2147483648 1\n"),
       "2147483648x1 g i64 pattern; 2147483648 1"},
      {"the last narrow size", coordinate("pattern", "general", "2147483647 1 1\n2147483647 1\n"),
       "2147483647x1 g i32 pattern; 2147483647 1"},
  });
}

TEST(MatrixMarket, LayoutOfLinesIsFree) {
  std::string const good = "3x4 g i32 f64; 1 2 5";
  expect_all({
      {"LF", one + "1 2 5\n", good},
      {"no final line end", one + "1 2 5", good},
      {"CRLF", "%%MatrixMarket matrix coordinate real general\r\n3 4 1\r\n1 2 5\r\n", good},
      {"CR", "%%MatrixMarket matrix coordinate real general\r3 4 1\r1 2 5\r", good},
      {"CR after the banner alone", "%%MatrixMarket matrix coordinate real general\r3 4 1\n1 2 5\n", good},
      {"blank and comment lines anywhere", real + "\n% a\n \t\n%\n3 4 1\n\n% b\n \n1 2 5\n\n% c\n  % d", good},
      {"wide spacing and tabs", real + "\t 3\t\t4   1 \n   1\t2         5 \t\n", good},
      {"any case of the banner", "%%mAtRiXmArKeT MATRIX Coordinate  REAL\tGeneral \n3 4 1\n1 2 5\n", good},
      {"byte order mark", "\xef\xbb\xbf" + one + "1 2 5\n", good},
      {"leading zeros and plus", real + "03 +4 01\n001 +2 +5\n", good},
      {"no entries", real + "3 4 0\n", "3x4 g i32 f64"},
      {"no entries, no line end", real + "3 4 0", "3x4 g i32 f64"},
      {"no rows", real + "0 0 0\n", "0x0 g i32 f64"},
      {"duplicates and zeros kept", real + "1 1 3\n1 1 2\n1 1 0\n1 1 3\n", "1x1 g i32 f64; 1 1 2; 1 1 0; 1 1 3"},
      {"two entries on a line", real + "3 4 2\n1 2 5 1 3 6\n", "parse 3:7"},
      {"comment behind an entry", one + "1 2 5 % x\n", "parse 3:7"},
      {"form feed is no blank", one + "1 2\f5\n", "parse 3:3"},
  });
}

TEST(MatrixMarket, RealNumbersAreReadWholeOrRefused) {
  std::map<std::string, std::string> const values = {
      {"5", "5"},
      {"+5", "5"},
      {"5.", "5"},
      {".5", "0.5"},
      {"-.5e1", "-5"},
      {"1E+02", "100"},
      {"-0", "-0"},
      {"1e-400", "0"},
      {"-1e-400", "-0"},
      {"0e9999", "0"},
      {"nan", "nan"},
      {"NaN", "nan"},
      {"-nan", "-nan"},
      {"inf", "inf"},
      {"-Infinity", "-inf"},
      {"+INF", "inf"},
      {"4.9e-324", "4.94066e-324"},
      {"1e400", ""},
      {"-1e400", ""},
      {"1E310", ""},
      {"1.0D+02", ""},
      {"0x1p3", ""},
      {"1,5", ""},
      {"1.5.2", ""},
      {"--1", ""},
      {"+-1", ""},
      {"-+1", ""},
      {"++1", ""},
      {"+", ""},
      {"-", ""},
      {".", ""},
      {"e5", ""},
      {"1e", ""},
      {"1e+", ""},
      {"nan(1)", ""},
      {"infi", ""},
      {"1f", ""},
      {"1_000", ""},
      {"1\0"s, ""},
      {"\0"s, ""},
      {"1\xa0", ""},
      {"x", ""},
      {std::string(400, '9'), ""},
      {std::string(300, '0') + "7", "7"},
      {"1." + std::string(5000, '0') + "1", "1"},
  };
  for (auto const& [text, value] : values) {
    EXPECT_EQ(parsed_market(one + "1 2 " + text + '\n'), value.empty() ? "parse 3:5" : "3x4 g i32 f64; 1 2 " + value)
        << text;
  }
}

TEST(MatrixMarket, IndicesStayInsideTheSize) {
  for (auto const& [entry, place] : std::map<std::string, std::string>{{"0 1 5", "3:1"},
                                                                       {"4 1 5", "3:1"},
                                                                       {"-1 1 5", "3:1"},
                                                                       {"1.0 1 5", "3:1"},
                                                                       {"1e0 1 5", "3:1"},
                                                                       {"x 1 5", "3:1"},
                                                                       {"\0 1 5"s, "3:1"},
                                                                       {"1\0 1 5"s, "3:1"},
                                                                       {"+ 1 5", "3:1"},
                                                                       {"1 0 5", "3:3"},
                                                                       {" 1 5 5", "3:4"},
                                                                       {"1 -4 5", "3:3"},
                                                                       {"1 4x 5", "3:3"},
                                                                       {"1", "3:2"},
                                                                       {"1 ", "3:3"},
                                                                       {"1 1", "3:4"},
                                                                       {"1 1  ", "3:6"},
                                                                       {"1 1 5 6", "3:7"},
                                                                       {"1,1 5", "3:1"},
                                                                       {"9223372036854775808 1 5", "3:1"},
                                                                       {"18446744073709551617 1 5", "3:1"},
                                                                       {"1 18446744073709551618 5", "3:3"},
                                                                       {"1 100000000000000000000000000000 5", "3:3"}}) {
    // The comment makes the file long enough for the entry that the header promises.
    EXPECT_EQ(parsed_market(one + entry + "\n% comment\n"), "parse " + place) << entry;
  }
}

TEST(MatrixMarket, AMatrixWithoutRowsOrColumnsHasNoIndices) {
  for (auto const& [sizes, said] : {std::pair("0 3", "row index is '1', but the matrix has no rows"),
                                    std::pair("3 0", "column index is '2', but the matrix has no columns")}) {
    std::string const text = real + sizes + " 1\n1 2 5\n";
    std::string message;
    EXPECT_EQ(araia::test::kind_of([&] { (void)araia::parse_matrix_market(text, "file"); }, &message),
              araia::ErrorKind::parse);
    EXPECT_NE(message.find(said), message.npos) << message;
  }
}

TEST(MatrixMarket, EntriesAreAsManyAsPromised) {
  expect_all({
      {"short by one", real + "3 3 3\n1 1 1.0\n2 2 22.0\n", "parse 5:1"},
      {"short by what the text cannot hold", real + "3 3 30\n1 1 1\n", "parse 2:5"},
      {"long by one", real + "3 3 1\n1 1 1\n% c\n 2 2 2\n3 3 3\n", "parse 5:2"},
      {"a fault behind the surplus", real + "3 3 1\n1 1 1\n2 2 2\nx\n", "parse 4:1"},
      {"junk behind the entries", real + "3 3 1\n1 1 1\njunk\n", "parse 4:1"},
      {"cut in a line", real + "3 3 2\n1 1 100\n2 2", "parse 4:4"},
  });
}

// A file with a value too few is shorter than its header promises: the line that lacks it says more than the header.
TEST(MatrixMarket, ALineThatIsNoEntryGoesBeforeTheHeaderOfAShortFile) {
  std::string const integers = "%%MatrixMarket matrix coordinate integer general\n";
  std::string const pairs = "%%MatrixMarket matrix array complex general\n";
  expect_all({
      {"no value in the last line", real + "3 3 2\n1 1 1\n2 2\n", "parse 4:4"},
      {"no value in the first line", real + "3 3 2\n1 1\n2 2 2\n", "parse 3:4"},
      {"no value in any line", integers + "3 3 1000000000000000000\n1 1\n2 2\n", "parse 3:4"},
      {"no column", real + "3 3 2\n1 1 1\n2\n", "parse 4:2"},
      {"an index beyond the size", real + "3 3 9\n4 1 1\n", "parse 3:1"},
      {"both triangles", "%%MatrixMarket matrix coordinate real symmetric\n3 3 9\n2 1 1\n1 3 1\n", "parse 4:1"},
      {"no imaginary part", pairs + "2 2\n1 0\n1\n", "parse 4:2"},
      {"no line that is wrong", real + "3 3 2\n1 1 1\n", "parse 2:5"},
  });
  for (std::size_t const bytes : {1U, 7U, 4096U})
    EXPECT_EQ(parsed_market(real + "3 3 9\n1 1 1\n2 2 2\n3 3\n", {.threads = 3, .block_bytes = bytes}), "parse 5:4");
  EXPECT_EQ(outcome([] { return araia::parse_matrix_market_dense(real + "3 3 2\n1 1 1\n2 2\n", "file"); }),
            "parse 4:4");
  std::string message;
  EXPECT_EQ(
      araia::test::kind_of([] { (void)araia::parse_matrix_market(real + "3 3 2\n1 1 1\n2 2\n", "file"); }, &message),
      araia::ErrorKind::parse);
  EXPECT_EQ(message, "file:4:4: value is nothing, expected a decimal number");
}

TEST(MatrixMarket, HeadersAreCheckedWordByWord) {
  expect_all({
      {"empty file", "", "parse 1:1"},
      {"blank lines alone", "\n \n", "parse 3:1"},
      {"three percent signs", "%%%MatrixMarket matrix coordinate real general\n1 1 0\n", "parse 1:1"},
      {"banner cut", "%%MatrixMarket", "parse 1:15"},
      {"object", "%%MatrixMarket graph coordinate real general\n1 1 0\n", "parse 1:16"},
      {"vector in coordinates", "%%MatrixMarket vector coordinate real general\n1 1\n1 1\n", "unsupported 1:23"},
      {"vector with symmetry", "%%MatrixMarket vector array real symmetric\n1\n1\n", "parse 1:34"},
      {"vector with two sizes", "%%MatrixMarket vector array real general\n1 1\n1\n", "parse 2:3"},
      {"vector of more than there is", "%%MatrixMarket vector array real general\n3\n1\n", "parse 2:1"},
      {"format", "%%MatrixMarket matrix coo real general\n1 1 0\n", "parse 1:23"},
      {"field", "%%MatrixMarket matrix coordinate float general\n1 1 0\n", "parse 1:34"},
      {"field missing", "%%MatrixMarket matrix coordinate general\n1 1 0\n", "parse 1:34"},
      {"symmetry missing", "%%MatrixMarket matrix coordinate real\n1 1 0\n", "parse 1:38"},
      {"symmetry", "%%MatrixMarket matrix coordinate real skew\n1 1 0\n", "parse 1:39"},
      {"array pattern", array("pattern", "general", "1 1\n"), "parse 1:29"},
      {"skew pattern", coordinate("pattern", "skew-symmetric", "1 1 0\n"), "parse 1:42"},
      {"no size line", real + "% only comments\n", "parse 3:1"},
      {"two sizes", real + "3 3\n", "parse 2:4"},
      {"four sizes", real + "3 3 0 0\n", "parse 2:7"},
      {"negative", real + "3 -3 0\n", "parse 2:3"},
      {"fraction", real + "3 3.0 0\n", "parse 2:3"},
      {"comma", real + "3,3,0\n", "parse 2:1"},
      {"2^63", real + "9223372036854775808 1 0\n", "parse 2:1"},
      {"not square", coordinate("real", "symmetric", "3 4 0\n"), "parse 2:1"},
      {"array not square", array("real", "hermitian", "1 2\n1\n"), "parse 2:1"},
  });
}

// What other readers take and the standard does not have.
TEST(MatrixMarket, DeparturesAreReadWithAWarningAndRefusedWhereStrict) {
  struct Row {
    char const* about;
    std::string text;
    std::string outcome;
    std::string warning;
    std::string strict;
  };
  std::string const good = "3x4 g i32 f64; 1 2 5";
  std::string const banner = "%%MatrixMarket matrix coordinate real general";
  std::string const integers = coordinate("integer", "general", "2 2 2\n");
  for (
      auto const& [about, text, expected, warning, strict] : std::vector<Row>{
          {"blanks before the banner", " \t" + one + "1 2 5\n", good,
           "file:1:3: blanks precede the banner, expected '%%MatrixMarket' at the start of the file; they are passed "
           "over",
           "parse 1:3"},
          {"blank lines before the banner", "\n \r\n" + one + "1 2 5\n", good,
           "file:3:1: blanks precede the banner, expected '%%MatrixMarket' at the start of the file; they are passed "
           "over",
           "parse 3:1"},
          {"one percent sign", (one + "1 2 5\n").substr(1), good,
           "file:1:1: banner: the first word is '%MatrixMarket', expected '%%MatrixMarket'; it is taken for that",
           "parse 1:1"},
          {"text behind the banner", banner + " % of 1999\n3 4 1\n1 2 5\n", good,
           "file:1:47: banner: '%' follows the symmetry; the rest of the line is passed over", "parse 1:47"},
          {"a value behind an entry of a pattern", coordinate("pattern", "general", "2 2 2\n1 1\n2 2 -6e3\n"),
           "2x2 g i32 pattern; 1 1; 2 2",
           "file:4:5: '-6e3' follows the entry of a pattern, on one line; such values are not used", "parse 4:5"},
          {"values behind all entries", coordinate("pattern", "symmetric", "2 2 2\n1 1 5 \n2 2 nan\n"),
           "2x2 s i32 pattern; 1 1; 2 2",
           "file:3:5: '5' follows the entry of a pattern, the first of 2 lines; such values are not used", "parse 3:5"},
          {"decimal numbers in an integer file", integers + "1 1 2.0\n2 2 -15E-1e\n", "parse 4:5", "", "parse 3:5"},
          {"whole decimal numbers in an integer file", integers + "1 1 2.0\n2 2 -150E-1\n",
           "2x2 g i32 int; 1 1 2; 2 2 -15",
           "file:3:5: value is '2.0', expected an integer, the first of 2 lines; such numbers are read as the integers "
           "that they are",
           "parse 3:5"},
          {"whole decimal numbers in an array", array("integer", "general", "1 2\n7\n 3.\n"),
           "1x2 g i32 int; 1 1 7; 1 2 3",
           "file:4:2: value is '3.', expected an integer, on one line; such numbers are read as the integers that they "
           "are",
           "parse 4:2"},
      }) {
    for (std::size_t const bytes : {1U, 4096U}) {
      auto const read = [&, &text = text](araia::ReadOptions options) {
        options.block_bytes = bytes;
        return araia::parse_matrix_market(text, "file", options);
      };
      EXPECT_EQ(araia::test::outcome_with_warnings(read), expected + (warning.empty() ? "" : '\n' + warning)) << about;
      EXPECT_EQ(araia::test::strict_outcome(read), strict) << about;
      EXPECT_EQ(outcome([&] { return read({}); }), expected) << about;  // nobody to warn
    }
  }
  auto const dense = [&](araia::ReadOptions const& options) {
    return araia::parse_matrix_market_dense(array("integer", "general", "1 2\n7\n3.0\n"), "file", options);
  };
  EXPECT_EQ(araia::test::outcome_with_warnings(dense),
            "1x2 f64; 7 3\nfile:4:1: value is '3.0', expected an integer, on one line; such numbers are read as the "
            "integers that they are");
  EXPECT_EQ(araia::test::strict_outcome(dense), "parse 4:1");
}

TEST(MatrixMarket, AFileThatIsRefusedHasNoWarnings) {
  for (std::string const body : {"2 2 2\n1 1 5\n2 2 6 7\n", "2 2 2\n1 1 5\n", "2 2 1\n1 1 5\n2 2\n"})
    EXPECT_EQ(araia::test::outcome_with_warnings([&](araia::ReadOptions const& options) {
                return araia::parse_matrix_market(' ' + coordinate("pattern", "general", body), "file", options);
              }).find('\n'),
              std::string::npos)
        << body;
}

TEST(MatrixMarket, DecimalNumbersAreIntegersWhereTheyAreWhole) {
  for (auto const& [text, value] : std::map<std::string, std::string>{
           {"2.0", "2"},
           {"+2.", "2"},
           {"-.5e1", "-5"},
           {"1.25e2", "125"},
           {"1200e-2", "12"},
           {"0.0", "0"},
           {"-0.0", "0"},
           {"0e999999999999999999999", "0"},
           {"0.000e-7", "0"},
           {"9007199254740993.0", "9007199254740993"},  // a double would round it
           {"9223372036854775807.0", "9223372036854775807"},
           {"-9223372036854775808.0", "-9223372036854775808"},
           {"9.223372036854775807e18", "9223372036854775807"},
           {"9223372036854775808.0", ""},
           {"92233720368547758070e-1", "9223372036854775807"},  // the digits alone are too many
           {"1e19", ""},
           {"1e999999999999999999999", ""},
           {"2.5", ""},
           {"2.00000000000000000000000000001", ""},
           {"25e-1", ""},
           {"1e-999999999999999999999", ""},
           {".", ""},
           {"-", ""},
           {"e5", ""},
           {"1e", ""},
           {"1e+", ""},
           {"1e++1", ""},
           {"1.0.0", ""},
           {"1.0x", ""},
           {"nan", ""},
           {"inf", ""},
           {"1d0", ""},
       }) {
    EXPECT_EQ(parsed_market(coordinate("integer", "general", "1 1 1\n1 1 " + text + '\n')),
              value.empty() ? "parse 3:5" : "1x1 g i32 int; 1 1 " + value)
        << text;
  }
  EXPECT_EQ(parsed_market(coordinate("unsigned-integer", "general", "1 1 1\n1 1 -0.0\n")), "parse 3:5");
  EXPECT_EQ(parsed_market(coordinate("unsigned-integer", "general", "1 1 1\n1 1 4.0\n")), "1x1 g i32 int; 1 1 4");
  EXPECT_EQ(parsed_market(coordinate("unsigned-integer", "general", "1 1 1\n1 1 -4.0\n")), "parse 3:5");
}

TEST(MatrixMarket, SymmetricFilesStoreOneTriangle) {
  expect_all({
      {"lower", coordinate("real", "symmetric", "2 2 2\n2 1 5\n2 2 6\n"), "2x2 s i32 f64; 2 1 5; 2 2 6"},
      {"upper", coordinate("real", "symmetric", "2 2 2\n1 2 5\n2 2 6\n"), "2x2 s i32 f64; 1 2 5; 2 2 6"},
      {"both", coordinate("real", "symmetric", "3 3 3\n2 1 5\n3 3 1\n 1 2 5\n"), "parse 5:2"},
      {"both, upper first", coordinate("real", "symmetric", "3 3 3\n1 2 5\n3 3 1\n3 1 5\n"), "parse 5:1"},
      {"both, but behind the promised ones", coordinate("real", "symmetric", "3 3 1\n1 2 5\n3 1 5\n"), "parse 4:1"},
      {"skew", coordinate("integer", "skew-symmetric", "2 2 1\n2 1 5\n"), "2x2 k i32 int; 2 1 5"},
      {"skew diagonal is kept", coordinate("real", "skew-symmetric", "2 2 2\n2 1 5\n2 2 3\n"),
       "2x2 k i32 f64; 2 1 5; 2 2 3"},
      {"hermitian", coordinate("complex", "hermitian", "2 2 1\n2 1 5 6\n"), "2x2 h i32 c64; 2 1 5 6"},
      {"real hermitian", coordinate("real", "hermitian", "2 2 1\n2 1 5\n"), "2x2 h i32 f64; 2 1 5"},
      {"pattern", coordinate("pattern", "symmetric", "2 2 1\n2 1\n"), "2x2 s i32 pattern; 2 1"},
  });
}

TEST(MatrixMarket, ArraysReadAsTheirNonzeros) {
  expect_all({
      {"column by column", array("real", "general", "2 2\n1\n2\n3\n4\n"), "2x2 g i32 f64; 1 1 1; 2 1 2; 1 2 3; 2 2 4"},
      {"zeros", array("real", "general", "2 2\n0\n-0\nnan\n1\n"), "2x2 g i32 f64; 1 2 nan; 2 2 1"},
      {"integer", array("integer", "general", "1 2\n5\n0\n"), "1x2 g i32 int; 1 1 5"},
      {"complex", array("complex", "general", "1 2\n0 0\n0 3\n"), "1x2 g i32 c64; 1 2 0 3"},
      {"symmetric", array("real", "symmetric", "2 2\n1\n2\n3\n"), "2x2 s i32 f64; 1 1 1; 2 1 2; 2 2 3"},
      {"skew", array("real", "skew-symmetric", "3 3\n1\n2\n3\n"), "3x3 k i32 f64; 2 1 1; 3 1 2; 3 2 3"},
      {"short", array("real", "general", "2 2\n1\n2\n33333\n"), "parse 6:1"},
      {"long", array("real", "general", "1 2\n1\n2\n3\n"), "parse 5:1"},
      {"two on a line", array("real", "general", "1 2\n1 2\n"), "parse 3:3"},
      {"not a number", array("real", "general", "1 2\n1\n x\n"), "parse 4:2"},
      {"no elements", array("real", "general", "0 5\n"), "0x5 g i32 f64"},
      {"vector", "%%MatrixMarket vector array real general\n3\n1\n0\n2\n", "3x1 g i32 f64; 1 1 1; 3 1 2"},
  });
}

TEST(MatrixMarket, DenseReadsHoldEveryElement) {
  auto const dense = [](std::string const& text) {
    return outcome([&] { return araia::parse_matrix_market_dense(text, "file"); });
  };
  EXPECT_EQ(dense(array("real", "general", "2 2\n1\n-0\n3\n4\n")), "2x2 f64; 1 -0 3 4");
  EXPECT_EQ(dense(array("integer", "symmetric", "2 2\n1\n2\n3\n")), "2x2 f64; 1 2 2 3");
  EXPECT_EQ(dense(array("real", "skew-symmetric", "2 2\n7\n")), "2x2 f64; 0 7 -7 0");
  EXPECT_EQ(dense(array("complex", "hermitian", "2 2\n1 0\n2 3\n4 0\n")), "2x2 c64; 1 0 2 3 2 -3 4 0");
  EXPECT_EQ(dense(coordinate("real", "general", "2 2 3\n1 1 2\n1 1 3\n2 1 4\n")), "2x2 f64; 5 4 0 0");
  EXPECT_EQ(dense(coordinate("pattern", "symmetric", "2 2 1\n2 1\n")), "2x2 f64; 0 1 1 0");
  EXPECT_EQ(dense(coordinate("pattern", "symmetric", "2 2 4\n2 1\n1 1\n1 1\n2 1\n")), "2x2 f64; 1 1 1 0");
  EXPECT_EQ(dense(coordinate("real", "general", "100000000 100000000 0\n")), "resource_limit");
}

TEST(MatrixMarket, ErrorsQuoteTextEscapedAndCut) {
  try {
    (void)araia::parse_matrix_market(one + "1 2 \x1b[31m\n", "file.mtx");
    FAIL();
  } catch (araia::Error const& error) {
    EXPECT_STREQ(error.what(), "file.mtx:3:5: value is '\\x1b[31m', expected a decimal number");
  }
  try {
    (void)araia::parse_matrix_market(one + "1 2 " + std::string(100000, 'x') + '\n', "file.mtx");
    FAIL();
  } catch (araia::Error const& error) {
    EXPECT_LT(std::string_view(error.what()).size(), 400U);
  }
}

TEST(MatrixMarket, SizesThatAreNoWholeNumbersAreToldWhatIsExpected) {
  for (std::string const size : {"1.0", "1e3", "x", "-", "0x10"}) {
    try {
      (void)araia::parse_matrix_market(real + "10 10 " + size + "\n1 1 5\n", "file.mtx");
      ADD_FAILURE() << size << " was accepted";
    } catch (araia::Error const& error) {
      EXPECT_EQ(error.what(),
                "file.mtx:2:7: size line: number of entries is '" + size + "', expected a whole number, 0 or more");
    }
  }
}

}  // namespace
