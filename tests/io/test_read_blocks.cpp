// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/io/matrix_market.hpp>
#include <araia/io/read_matrix.hpp>
#include <araia/io/rutherford_boeing.hpp>
#include <araia/io/smtx.hpp>

#include <gtest/gtest.h>

#include <clocale>
#include <locale>
#include <random>
#include <vector>

#include "io_test.hpp"

namespace {

using araia::ReadOptions;
using araia::test::outcome;

// A file of many blocks, with comments, blank lines and line ends of every kind.
std::string uneven_file(int entries, std::string const& symmetry = "general") {
  std::mt19937 random(1);
  std::string body;
  char const* const ends[] = {"\n", "\r\n", "\r", "\n", " \n", "\n\n", "\r\n% comment 1 1 1\r\n", "\r\r\n \t\n"};
  for (int k = 0; k < entries; ++k) {
    std::uint64_t const i = 1 + random() % 300;
    std::uint64_t const j = symmetry == "general" ? 1 + random() % 300 : 1 + random() % i;
    std::string const gap(1 + random() % 3, ' ');
    body += std::to_string(i) + gap + std::to_string(j) + gap + std::to_string(random()) + "e-5" + ends[random() % 8];
  }
  return "%%MatrixMarket matrix coordinate real " + symmetry + "\n300 300 " + std::to_string(entries) + "\n" + body;
}

std::string uneven_pattern() {
  std::string text = "300, 1000, 3000\n0";
  for (int i = 1; i <= 300; ++i) text += "  " + std::to_string(10 * i);
  text += "\r\n";
  for (int k = 0; k < 3000; ++k) text += std::to_string((k * 37) % 1000) + ' ';
  return text;
}

TEST(ReadBlocks, MatrixAndFaultDependOnNeitherThreadsNorBlocks) {
  std::string const good = uneven_file(2000);
  std::string bad = good;
  bad.replace(bad.find("e-5", bad.size() / 2), 3, "e-x");  // one fault inside, and one more behind it
  bad += "x\n";
  std::string const cut = good.substr(0, good.size() - good.size() / 300);
  std::string const surplus = good + "1 1 1\n1 1 1\n";
  std::string both = uneven_file(2000, "symmetric");
  both += "% the second half\n";
  both.insert(both.find('\n', both.size() / 2) + 1, "1 300 5\n2 300 5\n");
  for (std::string const& text : {good, bad, cut, surplus, both}) {
    std::string const expected = outcome([&] { return araia::parse_matrix_market(text, "file", {.threads = 1}); });
    for (int const threads : {1, 2, 3, 7, 16}) {
      for (std::size_t const block_bytes : {1U, 7U, 100U, 4096U, 1U << 24}) {
        if (block_bytes < 100 && threads > 3) continue;
        ReadOptions const options{.threads = threads, .block_bytes = block_bytes};
        EXPECT_EQ(outcome([&] { return araia::parse_matrix_market(text, "file", options); }), expected)
            << threads << " threads, blocks of " << block_bytes;
      }
    }
  }
}

TEST(ReadBlocks, EveryCutOfASmallFileReadsAlike) {
  std::string const text =
      "%%MatrixMarket matrix coordinate complex general\r\n% c\r\n\r\n3 4 3\r\r\n1 2 5 1\r\n\r% x\r2 3 6 1\n\r3 4 7 1";
  std::string const expected = "3x4 g i32 c64; 1 2 5 1; 2 3 6 1; 3 4 7 1";
  for (std::size_t block_bytes = 1; block_bytes <= text.size() + 2; ++block_bytes) {
    EXPECT_EQ(outcome([&] { return araia::parse_matrix_market(text, "file", {.block_bytes = block_bytes}); }),
              expected);
  }
  // Lines are counted alike, too.
  for (std::size_t block_bytes = 1; block_bytes <= text.size() + 4; ++block_bytes) {
    EXPECT_EQ(
        outcome([&] { return araia::parse_matrix_market(text + "\n\n y", "file", {.block_bytes = block_bytes}); }),
        "parse 13:2")
        << block_bytes;
  }
}

TEST(ReadBlocks, ArraysAndPatternsReadAlikeInEveryBlock) {
  std::string array = "%%MatrixMarket matrix array integer general\n40 50\n";
  for (int k = 0; k < 2000; ++k) array += std::to_string(k % 7 - 3) + (k % 3 == 0 ? "\r\n" : "\n% c\n");
  std::string const pattern = uneven_pattern();
  std::string const expected = outcome([&] { return araia::parse_matrix_market(array, "file"); });
  std::string const expected_pattern = outcome([&] { return araia::parse_smtx(pattern, "file"); });
  EXPECT_EQ(expected_pattern.substr(0, 20), "300x1000 g i32 patte");
  for (std::size_t const block_bytes : {1U, 7U, 64U, 4096U}) {
    ReadOptions const options{.threads = 3, .block_bytes = block_bytes};
    EXPECT_EQ(outcome([&] { return araia::parse_matrix_market(array, "file", options); }), expected);
    EXPECT_EQ(outcome([&] { return araia::parse_smtx(pattern, "file", options); }), expected_pattern);
  }
}

TEST(ReadBlocks, LinesHaveALimit) {
  std::string const banner = "%%MatrixMarket matrix coordinate real general\n";
  auto const read = [](std::string const& text) {
    return outcome([&] { return araia::parse_matrix_market(text, "file"); });
  };
  std::size_t const mebibyte = 1 << 20;
  EXPECT_EQ(read(banner + '%' + std::string(8 * mebibyte, 'c') + "\n1 1 1\n1 1" + std::string(mebibyte, ' ') + "5\n"),
            "1x1 g i32 f64; 1 1 5");
  EXPECT_EQ(read(banner + '%' + std::string(40 * mebibyte, 'c') + "\n1 1 1\n1 1 5\n"), "resource_limit 2");
  std::string const array = "%%MatrixMarket matrix array real general\n";
  std::string const longer(40 * mebibyte, ' ');
  std::string entries;
  std::string elements;
  for (int k = 0; k < 100000; ++k) {
    entries += "1 1 5\n";
    elements += "5\r\n";
  }
  for (int const threads : {1, 4}) {
    for (std::string const& text :
         {banner + "1 1 100001\n" + entries + longer + "1 1 5\n", array + "100001 1\n" + elements + longer + "5\n"}) {
      ReadOptions const options{.threads = threads, .block_bytes = 4096};
      EXPECT_EQ(outcome([&] { return araia::parse_matrix_market(text, "file", options); }).substr(0, 40),
                "resource_limit 100003");
    }
  }
  EXPECT_EQ(outcome([&] { return araia::parse_rutherford_boeing("title\n1 1 1 0\n" + longer, "file"); }),
            "resource_limit 3");
}

// Writes numbers as Germans do: 1.234,5.
struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(ReadBlocks, NoLocaleChangesANumber) {
  std::string const text = uneven_file(500);
  auto const read = [&] { return araia::parse_matrix_market(text, "file"); };
  std::string const expected = outcome(read);
  auto const write = [&](araia::HostCoo const& A) {
    std::ostringstream out;
    araia::write_matrix_market(out, A);
    return out.str();
  };
  std::string const expected_text = write(read());

  std::locale const old = std::locale::global(std::locale(std::locale::classic(), new Comma));
  // Where the system has such a locale, C functions follow it.
  for (char const* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.utf8"}) {
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  }
  EXPECT_EQ(outcome(read), expected);
  EXPECT_EQ(write(read()), expected_text);
  std::locale::global(old);
  std::setlocale(LC_ALL, "C");
}

TEST(ReadMatrix, ChoosesByContentThenByName) {
  araia::test::TemporaryDirectory const directory;
  std::string const market = "%%MatrixMarket matrix coordinate pattern general\n1 2 1\n1 2\n";
  std::string const smtx = "1, 2, 1\n0 1\n1\n";
  std::string const expected = "1x2 g i32 pattern; 1 2";
  auto const read = [&](std::string const& name, std::string const& text) {
    araia::test::put_content(directory / name, text);
    return outcome([&] { return araia::read_matrix(directory / name); });
  };
  EXPECT_EQ(read("a.mtx", market), expected);
  EXPECT_EQ(read("a.smtx", smtx), expected);
  EXPECT_EQ(read("a.txt", "\xef\xbb\xbf" + market), expected);
  EXPECT_EQ(read("market.smtx", market), expected);
  EXPECT_EQ(read("smtx.mtx", smtx), "parse 1:1");
  EXPECT_EQ(read("native.mtx",
                 "\x89"
                 "ARAIA\r\n"),
            "unsupported");
  EXPECT_EQ(read("smtx.txt", smtx), "unsupported");
  EXPECT_EQ(read("empty.mtx", ""), "parse 1:1");
  EXPECT_EQ(read("empty", ""), "unsupported");
  EXPECT_EQ(outcome([&] { return araia::read_matrix(directory / "missing.mtx"); }), "invalid_argument");
  EXPECT_EQ(outcome([&] { return araia::read_matrix(directory / "."); }), "invalid_argument");
  araia::HostCoo const A = araia::parse_smtx(smtx, "file");
  araia::write_smtx(directory / "b.smtx.gz", A);
  araia::write_matrix_market(directory / "b.mtx.gz", A);
  EXPECT_EQ(outcome([&] { return araia::read_matrix(directory / "b.smtx.gz"); }), expected);
  EXPECT_EQ(outcome([&] { return araia::read_matrix(directory / "b.mtx.gz"); }), expected);
}

}  // namespace
