// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include <araia/generate/matrix.hpp>
#include <common/matrices.hpp>
#include <common/options.hpp>

namespace {

using araia::perf::Options;

struct Parsed {
  Options options;
  std::vector<std::string> left;
};

Parsed parse(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "bench");
  std::vector<char*> pointers;
  for (auto& argument : arguments) pointers.push_back(argument.data());
  int argc = static_cast<int>(pointers.size());
  Parsed parsed{araia::perf::parse_options(argc, pointers.data()), {}};
  for (int i = 1; i < argc; ++i) parsed.left.emplace_back(pointers[static_cast<std::size_t>(i)]);
  return parsed;
}

TEST(Options, OtherFlagsAreLeftToGoogleBenchmark) {
  auto const parsed = parse({"--benchmark_filter=csr", "--samples=5", "--benchmark_out=x.json"});
  EXPECT_EQ(parsed.options.samples, 5);
  EXPECT_EQ(parsed.left, (std::vector<std::string>{"--benchmark_filter=csr", "--benchmark_out=x.json"}));
}

TEST(Options, AllClassesRunUnlessFilesAreGiven) {
  EXPECT_EQ(parse({}).options.generators, araia::generate::suite_kinds());
  EXPECT_TRUE(parse({"--matrix=a.mtx"}).options.generators.empty());
  EXPECT_EQ(parse({"--matrix=a.mtx", "--classes=fem"}).options.generators, std::vector<std::string>{"fem"});
  EXPECT_TRUE(parse({"--classes=none"}).options.generators.empty());
}

TEST(Options, StepsAreOfEveryNumberOfColumnsAndOfMatricesOfTheirOwn) {
  EXPECT_EQ(parse({}).options.columns, (std::vector<int>{16, 64}));
  auto const steps = parse({"--steps"}).options;
  EXPECT_TRUE(steps.steps);
  EXPECT_TRUE(steps.generators.empty());
  ASSERT_EQ(steps.columns.size(), 130U);
  EXPECT_EQ(steps.columns.front(), 1);
  EXPECT_EQ(steps.columns.back(), 130);
  auto const some = parse({"--steps", "--columns=16,32", "--classes=fem"}).options;
  EXPECT_EQ(some.columns, (std::vector<int>{16, 32}));
  EXPECT_EQ(some.generators, std::vector<std::string>{"fem"});
}

TEST(Options, MemoryPlansAndWhatIsBetweenAreTheDefaultsUnlessAskedFor) {
  auto const defaults = parse({}).options;
  EXPECT_EQ(defaults.memory_bytes, 0);
  EXPECT_EQ(defaults.plan_seconds, 0);
  EXPECT_FALSE(defaults.between);
  auto const asked = parse({"--memory-mb=1.5", "--measured-plan=0.5", "--between"}).options;
  EXPECT_EQ(asked.memory_bytes, 1'500'000);
  EXPECT_EQ(asked.plan_seconds, 0.5);
  EXPECT_TRUE(asked.between);
}

TEST(Options, WrongValuesAreRefusedWithTheFlagsName) {
  for (std::string const argument : {"--classes=stencil9",
                                     "--samples=0",
                                     "--samples=many",
                                     "--size-mb=1x",
                                     "--types=f16",
                                     "--regimes=hot",
                                     "--data=/no/such/folder",
                                     "--samples",
                                     "--samples=1e10",
                                     "--samples=2.5",
                                     "--columns=16,2.5",
                                     "--columns=1e10",
                                     "--most-copies=1e30",
                                     "--batch-ms=inf",
                                     "--size-mb=inf",
                                     "--cache-mb=1e30",
                                     "--bandwidth-mb=1e30",
                                     "--contenders=oneMKL",
                                     "--memory-mb=0",
                                     "--memory-mb=1e30",
                                     "--measured-plan=0",
                                     "--classes=",
                                     "--size-mb=",
                                     "--types=",
                                     "--columns=",
                                     "--regimes=,",
                                     "--contenders=",
                                     "--matrix="}) {
    try {
      parse({argument});
      ADD_FAILURE() << argument << " was accepted";
    } catch (std::invalid_argument const& error) {
      std::string const flag = argument.substr(0, argument.find('='));
      EXPECT_NE(std::string(error.what()).find(flag), std::string::npos) << error.what();
    }
  }
}

TEST(Matrices, NamesAreKnownBeforeAnythingIsMade) {
  auto const list = araia::perf::list_matrices(
      parse({"--classes=fem,lp", "--size-mb=0.1,2", "--matrix=/data/sets/cant.mtx.gz"}).options);
  ASSERT_EQ(list.size(), 5U);
  EXPECT_EQ(list[0]->name, "fem_0.1MB");
  EXPECT_EQ(list[3]->name, "lp_2MB");
  EXPECT_EQ(list[3]->klass, "lp");
  EXPECT_EQ(list[4]->name, "cant");
  EXPECT_EQ(list[4]->klass, "sets");
  EXPECT_FALSE(list[0]->made);
  EXPECT_NEAR(static_cast<double>(list[0]->get().nnz()) * 12e-6, 0.1, 0.05);
}

TEST(Matrices, FilesThatShareANameGetTheirFoldersBeforeIt) {
  auto const list = araia::perf::list_matrices(
      parse({"--matrix=/sets/0.5/layer.smtx", "--matrix=/sets/0.9/layer.smtx", "--matrix=/sets/0.9/layer.mtx.gz",
             "--matrix=/sets/0.9/other.smtx", "--classes=fem", "--matrix=/sets/fem_16MB.mtx"})
          .options);
  std::vector<std::string> names;
  for (auto const& matrix : list) names.push_back(matrix->name);
  EXPECT_EQ(names, (std::vector<std::string>{"fem_16MB", "0.5.layer.smtx", "0.9.layer.smtx", "0.9.layer.mtx.gz",
                                             "other", "sets.fem_16MB.mtx"}));
}

TEST(Matrices, WhatCannotBeToldApartByNameIsRefused) {
  for (auto const& arguments : std::vector<std::vector<std::string>>{{"--matrix=a/x/m.mtx", "--matrix=b/x/m.mtx"},
                                                                     {"--matrix=m.mtx", "--matrix=m.mtx"},
                                                                     {"--classes=fem,fem"},
                                                                     {"--classes=fem", "--size-mb=16,16.0"}})
    EXPECT_THROW(araia::perf::list_matrices(parse(arguments).options), std::invalid_argument) << arguments.front();
}

}  // namespace
