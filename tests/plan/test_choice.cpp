// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Choices as data: JSON there and back, and what is refused on the way in.
#include <gtest/gtest.h>

#include <algorithm>
#include <araia/error.hpp>
#include <araia/io/container.hpp>
#include <araia/plan/choice.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/errors.hpp"

namespace araia::test {
namespace {

Choice const full{.format = "csr",
                  .rows_by_length = true,
                  .diagonals = true,
                  .narrow = true,
                  .compact = true,
                  .split = true,
                  .kernel = "vector_per_row",
                  .rows_per_team = 3,
                  .entries = 5,
                  .team_size = 64,
                  .vector_length = 8,
                  .columns_per_lane = 4,
                  .slice_height = 16,
                  .sort_window = 256,
                  .least_slice_height = 4,
                  .block_width = 2,
                  .block_rows = 3,
                  .block_cols = 6,
                  .block_height = 100,
                  .block_entries = 4096,
                  .block_columns = 12,
                  .dense_entries = 9,
                  .width = 7};

TEST(Choice, SurvivesJson) {
  EXPECT_EQ(choice_from_json(to_json(full)), full);
  Choice const plain{.format = "coo", .kernel = "atomic"};
  EXPECT_EQ(choice_from_json(to_json(plain)), plain);
}

TEST(Choice, ParametersOfAKernelSurviveJsonAndAreKeptInOrder) {
  Choice tiled{.format = "bcsc", .kernel = "tiled", .block_height = 128};
  for (auto const& [name, value] :
       {std::pair("threads_y", 16), std::pair("k_tile", 16), std::pair("threads_x", 8), std::pair("threads_x", 16)})
    tiled.set(name, value);
  EXPECT_EQ(tiled.get("threads_x"), 16);
  EXPECT_EQ(tiled.get("items_x"), 0) << "0 stands for what is not given";
  EXPECT_EQ(label(tiled), "bcsc/tiled{k_tile 16, threads_x 16, threads_y 16, block_height 128}");
  EXPECT_EQ(storage_label(tiled), "bcsc{block_height 128}") << "plans of other shapes share the matrix";
  EXPECT_EQ(choice_from_json(to_json(tiled)), tiled);
  tiled.set("k_tile", 0);
  EXPECT_EQ(tiled.own, (std::vector<OwnParameter>{{"threads_x", 16}, {"threads_y", 16}}));
  EXPECT_EQ(choice_from_json(R"({"format":"bcsc","kernel":"warp_centric","warps":16,"warp_size":0})").own,
            (std::vector<OwnParameter>{{"warps", 16}}));
  for (char const* const text :
       {R"({"format":"bcsc","kernel":"naive","threads_x":16})", R"({"format":"csr","kernel":"tiled","threads_x":16})",
        R"({"format":"bcsc","kernel":"tiled","warps":16})", R"({"format":"bcsc","kernel":"tiled","threads_x":-1})",
        R"({"format":"bcsc","kernel":"tiled","threads_x":true})"})
    EXPECT_EQ(kind_of([&] { (void)choice_from_json(text); }), ErrorKind::invalid_argument) << text;
}

TEST(Choice, LabelNamesOnlyWhatIsSet) {
  EXPECT_EQ(label({.format = "ell", .rows_by_length = true, .kernel = "thread_per_row"}),
            "ell+by_length/thread_per_row");
  EXPECT_EQ(label({.format = "csr", .kernel = "vector_per_row", .team_size = 32, .vector_length = 8}),
            "csr/vector_per_row{team_size 32, vector_length 8}");
}

TEST(Choice, StorageIsWhatTheConversionIsTold) {
  Choice const c{
      .format = "sell", .diagonals = true, .kernel = "thread_per_row", .vector_length = 2, .slice_height = 8};
  EXPECT_EQ(format_label(c), "sell+diagonals");
  EXPECT_EQ(storage_label(c), "sell+diagonals{slice_height 8}");
  EXPECT_EQ(label(c), "sell+diagonals/thread_per_row{vector_length 2, slice_height 8}");
  EXPECT_EQ(storage_label({.format = "csr", .kernel = "host_simd"}), "csr");
  EXPECT_EQ(storage_label({.format = "csr", .kernel = "jammed"}), "csr packed for jammed");
}

TEST(Choice, FormatLabelsAreReadBack) {
  auto const labels = format_labels();
  for (auto const& text : labels) EXPECT_EQ(format_label(choice_of_format(text)), text);
  for (char const* text : {"csr", "csr+by_length", "coo", "csc", "ell+by_length", "hyb",
                           "sell+by_length+diagonals+narrow", "bsr", "bcsc+compact+split"})
    EXPECT_EQ(std::count(labels.begin(), labels.end(), text), 1) << text;
  EXPECT_EQ(format_label(choice_of_format("sell+narrow+diagonals")), "sell+diagonals+narrow");
  EXPECT_EQ(format_label(choice_of_format("dense")), "dense");
  EXPECT_EQ(std::count(labels.begin(), labels.end(), "dense"), 0) << "plans alone hold it";
  for (char const* text : {"", "cs", "csrx", "dia", "csr+", "csr+diagonals", "sell+", "sell++narrow", "coo+by_length",
                           "bcsc+compactor", "sell narrow"})
    EXPECT_THROW((void)choice_of_format(text), Error) << text;
}

TEST(Choice, NativeFilesNameFormatsAsPlansDo) {
  for (int number = 1; number <= static_cast<int>(StoredFormat::bcsc_compact); ++number) {
    char const* const name = to_string(static_cast<StoredFormat>(number));
    EXPECT_EQ(format_label(choice_of_format(name)), name);
  }
}

TEST(Choice, MissingParametersAreZero) {
  EXPECT_EQ(choice_from_json(R"({"format":"csr","kernel":"host_simd"})"),
            (Choice{.format = "csr", .kernel = "host_simd"}));
}

TEST(Choice, RefusesWhatIsNotAChoice) {
  for (std::string const text : {"",
                                 "{",
                                 "null",
                                 "[]",
                                 "3",
                                 R"({"format":"csr"})",
                                 R"({"kernel":"x"})",
                                 R"({"format":1,"kernel":"x"})",
                                 R"({"format":"csr","kernel":"x","vector_length":-1})",
                                 R"({"format":"csr","kernel":"x","vector_length":1.5})",
                                 R"({"format":"csr","kernel":"x","vector_length":99999999999})",
                                 R"({"format":"csr","kernel":"x","other":1})",
                                 R"({"format":"csr","kernel":"x","rows_by_length":1})",
                                 R"({"format":"sell","kernel":"x","narrow":"yes"})",
                                 R"({"format":"bsr","kernel":"x","block_rows":true})",
                                 R"({"format":"csr","kernel":"a b"})",
                                 R"({"format":"","kernel":"x"})",
                                 R"({"format":"csr","kernel":{"a":1}})",
                                 R"({"format":"csr","kernel":[]})",
                                 R"({"format":"csr","kernel":"x","format":"coo"})",
                                 R"({"format":"csr","kernel":"x","entries":1,"entries":1})"}) {
    EXPECT_EQ(kind_of([&] { (void)choice_from_json(text); }), ErrorKind::invalid_argument) << text;
  }
}

TEST(Choice, RefusesDeepAndLongText) {
  std::string deep = R"({"format":)";
  deep += std::string(30000, '[') + std::string(30000, ']') + "}";
  EXPECT_THROW((void)choice_from_json(deep), Error);
  EXPECT_THROW((void)choice_from_json(std::string(70000, ' ') + to_json(full)), Error);
}

}  // namespace
}  // namespace araia::test
