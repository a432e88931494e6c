// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/io/matrix_market.hpp>
#include <araia/io/read_matrix.hpp>
#include <araia/io/rutherford_boeing.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "io_test.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"

namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;
using araia::test::outcome;

std::string parsed_boeing(std::string const& text, std::size_t block_bytes = 1 << 18) {
  araia::ReadOptions options;
  options.block_bytes = block_bytes;
  options.max_memory_bytes = std::uint64_t{1} << 40;  // whatever this machine has
  return outcome([&] { return araia::parse_rutherford_boeing(text, "file", options); });
}

// `text` at the right end of `width` columns.
std::string right(std::string const& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

// A file of four header lines, a matrix of one line of pointers, one of indices and value lines.
struct File {
  std::string type = "RUA";
  std::vector<std::string> counts = {"3", "1", "1", "1"};
  std::vector<std::string> sizes = {"3", "3", "3", "0"};
  std::string formats = "(4I3)           (3I3)           (3F5.1)";
  std::string body = "  1  3  3  4\n  1  3  2\n  1.0  2.0 -3.0\n";

  [[nodiscard]] std::string text() const {
    std::string out = "A title with 1 2 3\n";
    for (auto const& count : counts) out += right(count, 14);
    out += '\n' + type + std::string(11, ' ');
    for (auto const& size : sizes) out += right(size, 14);
    return out + '\n' + formats + '\n' + body;
  }
};

std::string const good_boeing = "3x3 g i32 f64; 1 1 1; 3 1 2; 2 3 -3";

TEST(RutherfordBoeing, ReadsColumnsInFileOrder) {
  std::string const plain = File{}.text();
  std::string crlf;
  std::string cr;
  for (char const c : plain) {
    crlf += c == '\n' ? "\r\n"s : std::string(1, c);
    cr += c == '\n' ? '\r' : c;
  }
  for (std::string const& text : {plain, crlf, cr, plain.substr(0, plain.size() - 1), plain + "\n  \n"}) {
    for (std::size_t const block_bytes : {1U, 7U, 4096U})
      EXPECT_EQ(parsed_boeing(text, block_bytes), good_boeing) << text;
  }
  EXPECT_EQ(parsed_boeing(File{.counts = {"2", "1", "0", "0", ""}, .sizes = {"2", "0", "0"}, .body = "  1\n"}.text()),
            "2x0 g i32 f64");
  EXPECT_EQ(parsed_boeing(File{.counts = {"1", "1", "0", "0"}, .sizes = {"2", "0", "0"}, .body = "  1\n"}.text()),
            "2x0 g i32 f64");
  // Blank counts are zero where they stand.
  EXPECT_EQ(
      parsed_boeing(File{.type = "PUA", .counts = {"2", "1", "1", "", ""}, .body = "  1  3  3  4\n  1  3  2\n"}.text()),
      "3x3 g i32 pattern; 1 1; 3 1; 2 3");
}

TEST(RutherfordBoeing, EveryTypeEqualsItsMatrixMarketFile) {
  struct Row {
    File file;
    std::string market;
  };
  std::string const triangle = "  1  3  3  4\n  1  3  3\n";
  std::string const pattern = "  1  3  3  4\n  1  3  2\n";
  std::string const complex_values = " 1.0 2.0 3.0 4.0\n-5.0 6.0\n";
  std::string const integer_formats = "(4I3) (3I3) (3I4)";
  std::string const complex_formats = "(4I3) (3I3) (4F4.1)";
  std::vector<std::string> const two = {"2", "1", "1", "0"};
  std::vector<std::string> const four = {"4", "1", "1", "2"};
  for (auto const& [file, market] : std::vector<Row>{
           {{}, "real general\n3 3 3\n1 1 1\n3 1 2\n2 3 -3\n"},
           {{.type = "rra", .sizes = {"4", "3", "3"}}, "real general\n4 3 3\n1 1 1\n3 1 2\n2 3 -3\n"},
           {{.type = "rsa", .body = triangle + "  1.0  2.0 -3.0\n"}, "real symmetric\n3 3 3\n1 1 1\n3 1 2\n3 3 -3\n"},
           {{.type = "RZA", .body = "  1  3  4  4\n  2  3  3\n  1.0  2.0 -3.0\n"},
            "real skew-symmetric\n3 3 3\n2 1 1\n3 1 2\n3 2 -3\n"},
           {{.type = "pua", .counts = two, .body = pattern}, "pattern general\n3 3 3\n1 1\n3 1\n2 3\n"},
           {{.type = "QSA", .counts = two, .body = triangle}, "pattern symmetric\n3 3 3\n1 1\n3 1\n3 3\n"},
           {{.type = "iua", .formats = integer_formats, .body = pattern + "   1   2-300\n"},
            "integer general\n3 3 3\n1 1 1\n3 1 2\n2 3 -300\n"},
           {{.type = "CUA", .counts = four, .formats = complex_formats, .body = pattern + complex_values},
            "complex general\n3 3 3\n1 1 1 2\n3 1 3 4\n2 3 -5 6\n"},
           {{.type = "CHA", .counts = four, .formats = complex_formats, .body = triangle + complex_values},
            "complex hermitian\n3 3 3\n1 1 1 2\n3 1 3 4\n3 3 -5 6\n"},
       }) {
    EXPECT_EQ(parsed_boeing(file.text()), outcome([&, text = "%%MatrixMarket matrix coordinate " + market] {
                return araia::parse_matrix_market(text, "market");
              }))
        << file.type;
  }
}

// What the one value of a 1 x 1 matrix is, or the error's column.
std::string value(std::string const& format, std::string const& field) {
  std::string const got = parsed_boeing(
      File{.sizes = {"1", "1", "1"}, .formats = "(2I2) (I2) " + format, .body = " 1 2\n 1\n" + field + '\n'}.text());
  std::string const start = "1x1 g i32 f64; 1 1 ";
  return got.rfind(start, 0) == 0 ? got.substr(start.size()) : got;
}

TEST(RutherfordBoeing, FieldsReadAsFortranReadsThem) {
  for (auto const& [format, field, expected] : std::vector<std::array<std::string, 3>>{
           {"(4E20.12)", "  -.254119300000E+00", "-0.254119"},
           {"(E8.2)", "1.50E+02", "150"},
           {"(e8.2)", "1.50e+02", "150"},
           {"(1P,4D20.13)", " 2.5000000000000D+02", "250"},
           {"(1p4d20.13)", " 2.5000000000000d-02", "0.025"},
           {"( 1P , 4 D 20.13 )", " 2.5000000000000Q+02", "250"},
           {"(5G16.8)", "+1.5", "1.5"},
           {"(4ES20.12E3)", "  2.5E+002", "250"},
           {"(4EN20.12)", "  2.5E+2", "250"},
           {"(F8.1)", " 1.0-100", "1e-100"},
           {"(F8.1)", "  1.0+10", "1e+10"},
           {"(F8.1)", "1.0E 05 ", "100000"},
           {"(F8.3)", "   12345", "12.345"},  // the point is left out
           {"(F8.3)", "   12 45", "1.245"},   // so is the blank
           {"(E8.3)", " 12345E2", "1234.5"},
           {"(1P,F8.3)", "   1.5  ", "0.15"},  // scaled, as it has no exponent
           {"(-2P,F8.3)", "   1.5", "150"},
           {"(1P,E9.3)", "   1.5E0", "1.5"},
           {"(I5)", "   -7", "-7"},
           {"(F8.3)", " ", "0"},
           {"(F8.3)", "-.5", "-0.5"},
           {"(F8.3)", "5.", "5"},
           {"(F8.3)", "\t 1.5", "1.5"},
           {"(E12.3)", "1.0E-400", "0"},
           {"(E12.3)", "0.0D+9999999", "0"},
           {"(BN,F8.3)", "1 2.5 ", "12.5"},
           {"(BZ,F8.3)", " 1 2.5 ", "102.5"},
           {"(BZ,F8.1)", " 12 ", "120000"},  // blanks up to the field's end are zeros; the point is left out
           {"(BZ,E9.1)", " 1.0E 1", "1e+100"},
           {"(BZ,F8.3)", " ", "0"},
           {"(1X,F8.3)", "9 1.5", "1.5"},
           {"(2X,F8.3)", "99 1.5", "1.5"},
           {"(SP,F8.3)", " 1.5", "1.5"},
           {"(F8.3:)", " 1.5", "1.5"},
           {"(F8.3)", "NaN", "nan"},
           {"(F9.3)", "-Infinity", "-inf"},
           {"(E12.3)", "   1.0E+400", "parse 7:4"},
           {"(E12.3)", "  1.0E+", "parse 7:3"},
           {"(E12.3)", "1.0E", "parse 7:1"},
           {"(E12.3)", "1.0+", "parse 7:1"},
           {"(E12.3)", "1.0X5", "parse 7:1"},
           {"(E12.3)", "1.0.0", "parse 7:1"},
           {"(E12.3)", "+-1.0", "parse 7:1"},
           {"(E12.3)", "1,5", "parse 7:1"},
           {"(E12.3)", "0x1p3", "parse 7:1"},
           {"(E12.3)", ".", "parse 7:1"},
           {"(E12.3)", "-", "parse 7:1"},
           {"(E12.3)", "nan(1)", "parse 7:1"},
           {"(E5.2)", "  1.5  9", "parse 7:8"},
           {"(E5.2)", "", "parse 7:1"},
       }) {
    EXPECT_EQ(value(format, field), expected) << format << " '" << field << '\'';
  }
  // Fields that touch, and a line's end inside one.
  File touching{.counts = {"5", "1", "2", "2"}, .formats = "(4I1) (2I1) (2E7.1)"};
  touching.body = "1334\n13\n2\n1.0E+00-2.E+00\n3.0\n";
  EXPECT_EQ(parsed_boeing(touching.text()), "3x3 g i32 f64; 1 1 1; 3 1 -2; 2 3 3");
}

// 1 2 3 over lines that a format lays out; the first character of a line of values is skipped by 1X alone.
TEST(RutherfordBoeing, FormatsLayOutLinesAsFortranDoes) {
  struct Row {
    char const* format;
    std::vector<std::string> lines;
  };
  for (auto const& [format, lines] : std::vector<Row>{
           {"(1X,3F4.1)", {"x 1.0 2.0-3.0"}},
           {"(1X3F4.1)", {"x 1.0 2.0-3.0"}},
           {"(3(1X,F4.1))", {"x 1.0x 2.0x-3.0"}},
           {"(3(F4.1,1X))", {" 1.0x 2.0x-3.0 "}},
           {"(3(1P,E8.1))", {" 1.0E+00 2.0E+00-3.0E+00"}},
           {"(3(1PE8.1))", {" 1.0E+00 2.0E+00-3.0E+00"}},
           {"(10(F4.1))", {" 1.0 2.0-3.0"}},
           {"(BN,4F4.1)", {" 1.0 2.0-3.0"}},
           {"(2F4.1)", {" 1.0 2.0", "-3.0"}},
           {"(1X,2F4.1)", {"x 1.0 2.0", "x-3.0"}},
           {"(1X,1(F4.1))", {"x 1.0", " 2.0", "-3.0"}},  // further lines begin at the last group
           {"(2X,1(1X,F4.1))", {"xxx 1.0", "x 2.0", "x-3.0"}},
           {"(F4.1,1(X,F6.1),X)", {" 1.0x   2.0", "x  -3.0"}},
           {"(2(F4.1),1P,F5.2)", {" 1.0 2.0-30.0"}},    // without an exponent it is scaled
           {"(1(F4.1),1P)", {" 1.0", "20.0", "-30."}},  // what is set stays set
           {"(F4.1,2(2(F3.0)))", {" 1.0 2.-3."}},
           {"(2(2X,E7.1,:),F4.1)", {"xx1.0E+00xx 2.0E+0-3.0"}},
           {"(1(1(1(1(1(1(3F4.1)))))))", {" 1.0 2.0-3.0"}},
       }) {
    std::string body = "  1  3  3  4\n  1  3  2\n";
    for (auto const& line : lines) body += line + '\n';
    std::string const text = File{.counts = {"3", "1", "1", std::to_string(lines.size())},
                                  .formats = std::string("(4I3) (3I3) ") + format,
                                  .body = body}
                                 .text();
    for (std::size_t const block_bytes : {1U, 4096U})
      EXPECT_EQ(parsed_boeing(text, block_bytes), good_boeing) << format;
    // One value line more or less than the format needs is said of the count.
    std::string const wrong = File{.counts = {"3", "1", "1", std::to_string(lines.size() + 1)},
                                   .formats = std::string("(4I3) (3I3) ") + format,
                                   .body = body}
                                  .text();
    EXPECT_EQ(parsed_boeing(wrong), "parse 2:56") << format;
  }
  File pointers{.formats = "(1X,4I3) (1(1X,3(I2,1X))) (3F5.1)"};
  pointers.body = "x  1  3  3  4\nx 1x 3x 2\n  1.0  2.0 -3.0\n";
  EXPECT_EQ(parsed_boeing(pointers.text()), good_boeing);
  pointers.body = "x  1  3  3  4 5\nx 1x 3x 2x\n  1.0  2.0 -3.0\n";
  EXPECT_EQ(parsed_boeing(pointers.text()), "parse 5:15");
}

TEST(RutherfordBoeing, ErrorsShowTheWholeFormat) {
  for (std::string const format : {"(3(1P,L24))", "(2(3(1X,A5)),/)"}) {
    std::string message;
    EXPECT_EQ(
        araia::test::kind_of(
            [&] { (void)araia::parse_rutherford_boeing(File{.formats = "(4I3) (3I3) " + format}.text(), "file"); },
            &message),
        araia::ErrorKind::parse);
    EXPECT_NE(message.find("format of the values is '" + format + "', expected one such as (4E20.12)"), message.npos)
        << message;
  }
}

TEST(RutherfordBoeing, DeparturesAreReadWithAWarningAndRefusedWhereStrict) {
  struct Row {
    File file;
    std::string warning;
    std::string strict;
  };
  std::string const described = "F                          1             0\n";
  for (auto const& [file, warning, strict] : std::vector<Row>{
           {{.sizes = {"3", "3", "3", "5"}},
            "file:3:70: number of elemental entries is 5, expected 0 in an assembled file; it is not used",
            "parse 3:70"},
           {{.body = described + File{}.body},
            "file:5:1: a description of right-hand sides, 'F', follows the formats, but the file has no lines of "
            "right-hand sides; the line is passed over",
            "parse 5:1"},
       }) {
    for (std::size_t const block_bytes : {1U, 4096U}) {
      auto const read = [&, text = file.text()](araia::ReadOptions options) {
        options.block_bytes = block_bytes;
        return araia::parse_rutherford_boeing(text, "file", options);
      };
      EXPECT_EQ(araia::test::outcome_with_warnings(read), good_boeing + '\n' + warning);
      EXPECT_EQ(araia::test::strict_outcome(read), strict);
    }
  }
  // One that is announced is no departure, and a matrix of nothing may end there.
  auto const read = [](std::string const& text) {
    return araia::test::outcome_with_warnings(
        [&](araia::ReadOptions const& options) { return araia::parse_rutherford_boeing(text, "file", options); });
  };
  EXPECT_EQ(read(File{.counts = {"4", "1", "1", "1", "1"}, .body = described + File{}.body}.text()), good_boeing);
  EXPECT_EQ(read(File{.body = described}.text()), "parse 6:1");
  EXPECT_EQ(read(File{.body = ""}.text()), "parse 3:28");
}

TEST(RutherfordBoeing, RefusesABadHeaderWithItsPlace) {
  struct Row {
    File file;
    char const* place;
  };
  for (auto const& [file, place] : std::vector<Row>{
           {{.type = "XUA"}, "parse 3:1"},
           {{.type = "RXA"}, "parse 3:2"},
           {{.type = "RUX"}, "parse 3:3"},
           {{.type = "RU"}, "parse 3:1"},
           {{.type = "RUE"}, "unsupported 3:3"},
           {{.type = "PZA", .counts = {"2", "1", "1", "0"}}, "parse 3:2"},
           {{.type = "RSA", .sizes = {"4", "3", "3"}}, "parse 3:28"},
           {{.sizes = {"-3", "3", "3"}}, "parse 3:27"},
           {{.sizes = {"3", "x", "3"}}, "parse 3:42"},
           {{.counts = {"4", "2", "1", "1"}}, "parse 2:28"},
           {{.counts = {"4", "1", "2", "1"}}, "parse 2:42"},
           {{.counts = {"4", "1", "1", "2"}}, "parse 2:56"},
           {{.counts = {"3", "1", "1", "1", "0", "7"}}, "parse 2:84"},
           {{.counts = {"rhsrd"}}, "parse 2:10"},
           {{.formats = "(4I3)"}, "parse 4:6"},
           {{.formats = "(4F3.1) (3I3) (3F5.1)"}, "parse 4:1"},
           {{.formats = "(4I3) 3I3 (3F5.1)"}, "parse 4:7"},
           {{.formats = "(4I3) (3I3) (3A5)"}, "parse 4:13"},
           {{.formats = "(4I3) (3I3) (0F5.1)"}, "parse 4:13"},
           {{.formats = "(4I3) (3I3) (3F0.1)"}, "parse 4:13"},
           {{.formats = "(4I3) (3I3) (3F256.1)"}, "parse 4:13"},
           {{.formats = "(4I3) (3I3) (3F5.1"}, "parse 4:13"},
           {{.formats = "(4I) (3I3) (3F5.1)"}, "parse 4:1"},
           {{.formats = "(4I3,(1X)) (3I3) (3F5.1)"}, "parse 4:1"},  // further lines would hold nothing
           {{.formats = "((4I3) (3I3) (3F5.1)"}, "parse 4:1"},
           {{.formats = "(4I3)) (3I3) (3F5.1)"}, "parse 4:6"},
           {{.formats = "(4I3) (2I3I3) (3F5.1)"}, "parse 4:7"},
           {{.formats = "(4I3) (3I3,) (3F5.1)"}, "parse 4:7"},
           {{.formats = "(4I3) (0(3I3)) (3F5.1)"}, "parse 4:7"},
           {{.formats = "(4I3) (I3,F3.0) (3F5.1)"}, "parse 4:7"},
           {{.formats = "(4I3) (3I3) (2(F5.1/))"}, "parse 4:13"},
           {{.formats = "(4I3) (3I3) ('a',3F5.1)"}, "parse 4:13"},
           {{.formats = "(4I3) (3I3) (99999(9(F5.1,X)))"}, "parse 4:13"},
           {{.formats = "(4I3" + std::string(5000, ' ') + ") (3I3) (3F5.1)"}, "parse 4:1"},
           {{.formats = std::string(40, '(') + "4I3" + std::string(40, ')')}, "parse 4:1"},
           {{.type = "IUA"}, "parse 4:33"},
       }) {
    EXPECT_EQ(parsed_boeing(file.text()), place) << file.text();
  }
  EXPECT_EQ(parsed_boeing(""), "parse 1:1");
  EXPECT_EQ(parsed_boeing("title"), "parse 2:1");
}

TEST(RutherfordBoeing, RefusesABadBodyWithItsPlace) {
  std::string const pointers = "  1  3  3  4\n";
  std::string const indices = "  1  3  2\n";
  std::string const values = "  1.0  2.0 -3.0\n";
  for (auto const& [body, place] : std::vector<std::array<std::string, 2>>{
           {"  2  3  3  4\n" + indices + values, "5:3"},
           {"  1  3  2  4\n" + indices + values, "5:9"},
           {"  1  3  3  3\n" + indices + values, "5:12"},
           {"  1  3  5  4\n" + indices + values, "5:9"},
           {"  1  3  0  4\n" + indices + values, "5:9"},
           {"  1  3     4\n" + indices + values, "5:7"},
           {"  1  3  a  4\n" + indices + values, "5:9"},
           {"  1  3  3\n   " + indices + values, "5:10"},
           {"  1  3  3  4 5\n" + indices + values, "5:14"},
           {pointers + "  1  4  2\n" + values, "6:6"},
           {pointers + "  1  0  2\n" + values, "6:6"},
           {pointers + "  1 -1  2\n" + values, "6:5"},
           {pointers + "  1  3   \n" + values, "6:7"},
           {pointers + "  1  3\n   " + values, "6:7"},
           {pointers + "  1  3  2  1\n" + values, "6:12"},
           {pointers + "\n" + indices + values, "6:1"},
           {pointers + indices + "  1.0  2.0    x\n", "7:15"},
           {pointers + indices + "  1.0  2.0     \n" + "  5.0\n", "8:3"},
           {pointers + indices + "  1.0  2.0\n     ", "7:11"},
           {pointers + indices + values + "\n  1.0\n", "9:3"},
       }) {
    for (std::size_t const block_bytes : {1U, 4096U}) {
      EXPECT_EQ(parsed_boeing(File{.body = body}.text(), block_bytes), "parse " + place) << body;
    }
  }
  File mixed{.type = "RSA", .body = "  1  2  3  4\n  3  1  3\n  1.0  2.0  3.0\n"};
  EXPECT_EQ(parsed_boeing(mixed.text()), "parse 6:6");
  // A file that ends early: the last bytes may be fewer than the sizes need, or lines may be longer than needed.
  std::string const long_line = "  1  3  3  4" + std::string(100, ' ') + '\n';
  EXPECT_EQ(parsed_boeing(File{.body = long_line}.text()), "parse 6:1");
  EXPECT_EQ(parsed_boeing(File{.body = long_line + indices}.text()), "parse 7:1");
  EXPECT_EQ(parsed_boeing(File{.body = pointers}.text()), "parse 3:28");
}

TEST(RutherfordBoeing, RightHandSidesAreNotRead) {
  File file{.counts = {"5", "1", "1", "1", "2"}};
  file.formats += "           (3F5.1)";
  file.body = "F                          1             0\n" + file.body + "  1.0  2.0  3.0\nwhatever\n";
  EXPECT_EQ(parsed_boeing(file.text()), good_boeing);
  file.counts[0] = "3";
  EXPECT_EQ(parsed_boeing(file.text()), good_boeing);  // the count of all lines is not asked
}

TEST(RutherfordBoeing, CardNumbersAreNotRead) {
  File file;
  file.body = "  1  3  3  4" + std::string(60, ' ') + "CARD   1\n  1  3  2\n  1.0  2.0 -3.0\n";
  EXPECT_EQ(parsed_boeing(file.text()), good_boeing);
  file.formats = "(25I3) (3I3) (3F5.1)";  // nor where a longer line would have a field
  EXPECT_EQ(parsed_boeing(file.text()), good_boeing);
  file.body[71] = 'x';
  EXPECT_EQ(parsed_boeing(file.text()), "parse 5:72");
}

TEST(RutherfordBoeing, CountsPartedByBlanksAlone) {
  std::string const body = File{}.formats + '\n' + File{}.body;
  EXPECT_EQ(parsed_boeing("t\n3 1 1 1\nRUA 3 3 3 0\n" + body), good_boeing);
  EXPECT_EQ(parsed_boeing("t\n3 1 1 1 0\nRUA            3 3 3 0\n" + body), good_boeing);
  EXPECT_EQ(parsed_boeing("t\n3 1 1 1 0\nRUA 3 3 3 0 1\n" + body), "parse 3:13");
}

TEST(RutherfordBoeing, AHeaderAloneReservesNothing) {
  std::string const large = "1000000000000000000";
  for (std::string const& n : {"999999999"s, "999999999999"s}) {
    EXPECT_EQ(parsed_boeing(File{.counts = {"2", n, "0", "0"}, .sizes = {"3", n, "0"}}.text()).substr(0, 5), "parse");
    EXPECT_EQ(parsed_boeing("t\n" + n + " 1 " + n + " 0\nPUA 3 3 " + n + "\n(4I1) (I1)\n1111\n").substr(0, 5), "parse");
  }
  EXPECT_EQ(parsed_boeing("t\n" + large + " 1 " + large + " 0\nPUA 3 3 " + large + "\n(4I1) (I1)\n1111\n").substr(0, 5),
            "parse");
  EXPECT_EQ(parsed_boeing("t\n1 1 0 0\nPUA " + large + " 1 0\n(2I1) (I1)\n11\n"), "resource_limit");
  EXPECT_EQ(parsed_boeing("t\n1 1 0 0\nPUA 5000000000 1 0\n(2I1) (I1)\n11\n"), "5000000000x1 g i64 pattern");
  std::string const text = File{}.text();
  EXPECT_EQ(outcome([&] { return araia::parse_rutherford_boeing(text, "file", {.max_memory_bytes = 79}); }),
            "resource_limit");
  EXPECT_EQ(outcome([&] { return araia::parse_rutherford_boeing(text, "file", {.max_memory_bytes = 80}); }),
            good_boeing);
}

TEST(RutherfordBoeing, EveryPrefixAndEveryChangedByteHasAnOutcome) {
  std::string const text = File{}.text();
  for (std::size_t size = 0; size + 5 < text.size(); ++size) {
    EXPECT_EQ(parsed_boeing(text.substr(0, size)).substr(0, 6), "parse ") << size;
  }
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = text;
      changed[at] = static_cast<char>(byte);
      std::string const got = parsed_boeing(changed);
      EXPECT_TRUE(got.substr(0, 6) == "parse " || got.find("unsupported") == 0 || got == "resource_limit" ||
                  got.find('x') < 3)
          << got;
    }
  }
}

TEST(RutherfordBoeing, ReadMatrixKnowsTheExtensions) {
  araia::test::TemporaryDirectory const directory;
  for (char const* name : {"a.rb", "a.hb", "a.rua", "a.RUA", "a.rsa", "a.pua", "a.cza", "a.Rb", "a.HB", "a.RSA.GZ"}) {
    araia::test::put_content(directory / name, File{}.text());
    EXPECT_EQ(outcome([&] { return araia::read_matrix(directory / name); }), good_boeing) << name;
  }
  for (char const* name : {"a.txt", "a.rux", "a.xua", "a.rx", "rua"}) {
    araia::test::put_content(directory / name, File{}.text());
    EXPECT_EQ(outcome([&] { return araia::read_matrix(directory / name); }), "unsupported") << name;
  }
}

TEST(ReadMatrix, NamesAreKnownInAnyCase) {
  araia::test::TemporaryDirectory const directory;
  for (char const* name : {"a.SMTX", "a.Smtx", "a.SMTX.GZ"}) {
    araia::test::put_content(directory / name, "1, 2, 1\n0 1\n1\n");
    EXPECT_EQ(outcome([&] { return araia::read_matrix(directory / name); }), "1x2 g i32 pattern; 1 2") << name;
  }
  for (char const* name : {"a.MTX", "a.Mtx.Gz"}) {
    araia::test::put_content(directory / name, "no banner\n");
    EXPECT_EQ(outcome([&] { return araia::read_matrix(directory / name); }), "parse 1:1") << name;
  }
}

TEST(ReadMatrix, AKindThatIsNamedGoesBeforeContentAndName) {
  araia::test::TemporaryDirectory const directory;
  auto const read = [&](std::string const& content, araia::FileKind kind) {
    for (char const* name : {"data", "a.mtx", "a.smtx", "a.araia", "a.rua"}) {
      araia::test::put_content(directory / name, content);
      araia::ReadOptions options;
      options.kind = kind;
      EXPECT_EQ(outcome([&] { return araia::read_matrix(directory / name, options); }),
                outcome([&] { return araia::read_matrix(directory / "data", options); }))
          << name;
    }
    araia::ReadOptions options;
    options.kind = kind;
    return outcome([&] { return araia::read_matrix(directory / "data", options); });
  };
  std::string const market = "%%MatrixMarket matrix coordinate pattern general\n1 2 1\n1 2\n";
  EXPECT_EQ(read("1, 2, 1\n0 1\n1\n", araia::FileKind::smtx), "1x2 g i32 pattern; 1 2");
  EXPECT_EQ(read(File{}.text(), araia::FileKind::rutherford_boeing), good_boeing);
  EXPECT_EQ(read(market, araia::FileKind::matrix_market), "1x2 g i32 pattern; 1 2");
  EXPECT_EQ(read(market, araia::FileKind::smtx), "parse 3:1");  // the banner is a comment there
  EXPECT_EQ(read(market, araia::FileKind::native), "unsupported");
}

TEST(ReadMatrix, BannersAreKnownBehindBlanks) {
  araia::test::TemporaryDirectory const directory;
  std::string const rest = "MatrixMarket matrix coordinate pattern general\n1 2 1\n1 2\n";
  for (std::string const start : {"%%", "%", " \t%%", "\n \n%%", "\xef\xbb\xbf %"}) {
    araia::test::put_content(directory / "data", start + rest);
    EXPECT_EQ(outcome([&] { return araia::read_matrix(directory / "data"); }), "1x2 g i32 pattern; 1 2") << start;
  }
}

// Files as they are published: what the readers make of them, and what they say.
TEST(ReadMatrix, FilesOfTheFieldDataSet) {
  fs::path const data = araia::test::data_directory() / "field";
  if (!fs::exists(data)) GTEST_SKIP() << "no data at " << data << "; ARAIA_TEST_DATA names another place";
  for (auto const& [file, expected, said] : std::vector<std::array<std::string, 3>>{
           {"g1_neltvl.rua", "2x2 g i32 f64; 1 1 1.5; 2 2 -2.5", ":3:70: number of elemental entries is 1"},
           {"f03_1x_nested.rsa", "3x3 s i32 f64; 1 1 4; 2 1 -1; 2 2 4; 3 2 -1.25; 3 3 4.5", ""},
           {"f01_one_percent.mtx", "4x4 s i32 pattern; 2 1; 3 1; 4 3", ":1:1: banner: the first word"},
           {"f33_pattern_with_values.mtx", "2x2 g i32 pattern; 1 1; 2 2", ":3:5: '5' follows the entry of a pattern"},
           {"f02_two_sizes.mtx", "parse 2:4", ""},
       }) {
    if (!fs::exists(data / file)) continue;
    auto const got = araia::test::outcome_with_warnings(
        [&, &file = file](araia::ReadOptions const& options) { return araia::read_matrix(data / file, options); });
    EXPECT_EQ(got.substr(0, got.find('\n')), expected) << file;
    EXPECT_NE(got.find(said), got.npos) << got;
    EXPECT_EQ(got.find('\n') == got.npos, said.empty()) << got;
  }
}

TEST(RutherfordBoeing, FilesOfTheSharedDataSet) {
  fs::path const data = araia::test::data_directory();
  if (!fs::exists(data / "README.md")) GTEST_SKIP() << "no data at " << data << "; ARAIA_TEST_DATA names another place";
  struct Row {
    char const* file;
    std::int64_t rows;
    std::int64_t stored;
    char const* market;  // the same matrix
  };
  for (auto const& [file, rows, stored, market] : std::vector<Row>{
           {"tiny/g4.rua", 16, 64, nullptr},
           {"tiny/bcsstk01.rb", 48, 224, nullptr},
           {"tiny/bcsstk02.rsa", 66, 2211, nullptr},
           {"tiny/rua_32.rb", 32, 126, "tiny/rua_32.mtx"},
           {"tiny/west0067.rua", 67, 294, "tiny/west0067.mtx"},
           {"small/west0479.rb", 479, 1910, "small/west0479.mtx.gz"},
           {"small/mahindas.rua.gz", 1258, 7682, nullptr},
           {"small/illc1033.rra.gz", 1033, 4732, nullptr},
           {"small/well1850.rra.gz", 1850, 8758, "small/well1850.mtx.gz"},
           {"small/qc324.cua.gz", 324, 26730, nullptr},
       }) {
    if (!fs::exists(data / file)) continue;
    araia::HostCoo const A = araia::read_matrix(data / file);
    EXPECT_EQ(A.rows, rows) << file;
    EXPECT_EQ(A.stored(), stored) << file;
    if (market == nullptr || !fs::exists(data / market)) continue;
    auto const dense = [](araia::HostCoo const& B) {
      std::ostringstream out;
      araia::write_matrix_market(out, B);
      return std::get<0>(araia::parse_matrix_market_dense(out.str(), "again").values);
    };
    EXPECT_EQ(dense(A), dense(araia::read_matrix(data / market))) << file;
  }
}

}  // namespace
