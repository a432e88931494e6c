// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Choices as data: JSON there and back, and what is refused on the way in.
#include <gtest/gtest.h>

#include <araia/error.hpp>
#include <araia/plan/choice.hpp>
#include <string>

namespace araia::test {
namespace {

Choice const full{.format = "csr",
                  .rows_by_length = true,
                  .kernel = "vector_per_row",
                  .rows_per_team = 3,
                  .entries = 5,
                  .team_size = 64,
                  .vector_length = 8,
                  .columns_per_lane = 4};

TEST(Choice, SurvivesJson) {
  EXPECT_EQ(choice_from_json(to_json(full)), full);
  Choice const plain{.format = "coo", .kernel = "atomic"};
  EXPECT_EQ(choice_from_json(to_json(plain)), plain);
}

TEST(Choice, LabelNamesOnlyWhatIsSet) {
  EXPECT_EQ(label({.format = "ell", .rows_by_length = true, .kernel = "thread_per_row"}),
            "ell+by_length/thread_per_row");
  EXPECT_EQ(label({.format = "csr", .kernel = "vector_per_row", .team_size = 32, .vector_length = 8}),
            "csr/vector_per_row{team_size 32, vector_length 8}");
}

TEST(Choice, MissingParametersAreZero) {
  EXPECT_EQ(choice_from_json(R"({"format":"csr","kernel":"host_simd"})"),
            (Choice{.format = "csr", .kernel = "host_simd"}));
}

TEST(Choice, RefusesWhatIsNotAChoice) {
  for (std::string const text :
       {"", "{", "null", "[]", "3", R"({"format":"csr"})", R"({"kernel":"x"})", R"({"format":1,"kernel":"x"})",
        R"({"format":"csr","kernel":"x","vector_length":-1})", R"({"format":"csr","kernel":"x","vector_length":1.5})",
        R"({"format":"csr","kernel":"x","vector_length":99999999999})", R"({"format":"csr","kernel":"x","other":1})",
        R"({"format":"csr","kernel":"x","rows_by_length":1})", R"({"format":"csr","kernel":"a b"})",
        R"({"format":"","kernel":"x"})", R"({"format":"csr","kernel":{"a":1}})", R"({"format":"csr","kernel":[]})"}) {
    try {
      (void)choice_from_json(text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (Error const& e) {
      EXPECT_EQ(e.kind(), ErrorKind::invalid_argument) << text;
    }
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
