// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of kernels: each is found by its name alone, has a price that any machine can be asked for, and answers what
// the engine asks of it.

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <tuple>

#include "plan/problems.hpp"
#include "src/engine/kernels.hpp"
#include "src/engine/names.hpp"
#include "support/errors.hpp"

namespace araia::test {
namespace {

using detail::kernels;

constexpr OpId operations[] = {OpId::spmv, OpId::spmm, OpId::sddmm};

Choice choice_of(KernelInfo const& info) {
  Choice choice{.format = std::string(info.storage), .kernel = std::string(info.name)};
  auto const* const storage = detail::storage_named(info.storage);
  if (storage && storage->has(&Choice::block_rows)) choice.block_rows = choice.block_cols = 2;
  if (storage && storage->has(&Choice::block_height)) choice.block_height = 8;
  return choice;
}

/// A product that the kernel is for.
Problem problem_of(KernelInfo const& info) {
  Problem p = thousand_rows_of_ten();
  p.operation = info.operation;
  p.columns = info.operation == OpId::spmv ? 1 : 8;
  p.op = info.side == Side::transposed ? Op::transpose : Op::none;
  p.cuda_kernels = true;
  p.allow_dense = true;
  if (info.is_held)
    p.held.push_back(
        {.format = std::string(info.storage), .kernel = std::string(info.name), .seconds = 1e-5, .bytes = 4096});
  return p;
}

TEST(Kernels, HaveANameOfTheirOwn) {
  std::set<std::tuple<OpId, bool, std::string_view, std::string_view>> seen;
  for (auto const& kernel : kernels())
    for (bool const transposed : {false, true})
      EXPECT_TRUE(!kernel.info.is_for(kernel.info.operation, transposed) ||
                  seen.emplace(kernel.info.operation, transposed, kernel.info.storage, kernel.info.name).second)
          << kernel.info.storage << '/' << kernel.info.name;
}

TEST(Kernels, AreOfAStorageThatIsListed) {
  for (auto const& kernel : kernels()) EXPECT_TRUE(detail::storage_named(kernel.info.storage)) << kernel.info.name;
  for (auto const& storage : detail::storages())
    EXPECT_FALSE(kernel_names(storage.name, OpId::spmm, Op::none).empty()) << storage.name;
}

TEST(Kernels, AreFoundForTheirProductAlone) {
  for (auto const& kernel : kernels()) {
    auto p = problem_of(kernel.info);
    auto const choice = choice_of(kernel.info);
    EXPECT_EQ(detail::kernel_of(p, choice), &kernel) << label(choice);
    for (OpId const other : operations) {
      p.operation = other;
      EXPECT_EQ(detail::kernel_of(p, choice) == &kernel, other == kernel.info.operation) << label(choice);
    }
  }
}

TEST(Kernels, HaveSecondsOnEveryMachineThatTheyRunOn) {
  for (auto const& kernel : kernels())
    for (bool const device : {false, true})
      for (char const* prices : {"", "none"}) {
        if (!(device ? kernel.info.on_device() : kernel.info.on_host())) continue;
        auto m = machine(device);
        m.prices = prices;
        double const seconds = modelled_seconds(problem_of(kernel.info), choice_of(kernel.info), m);
        EXPECT_TRUE(std::isfinite(seconds) && seconds > 0) << label(choice_of(kernel.info)) << ' ' << seconds;
      }
}

TEST(Kernels, WithoutPricesCostBytesAndFlops) {
  auto m = machine(true);
  m.prices = "none";
  auto const p = thousand_rows_of_ten();
  Choice const csr{.format = "csr", .kernel = "vector_per_row"};
  double const bytes = traffic(p, csr, m).bytes();
  EXPECT_DOUBLE_EQ(modelled_seconds(p, csr, m), m.launch_seconds + bytes / m.cache_bandwidth);
  EXPECT_TRUE(is_priced(p, csr, m));
  for (char const* wrong : {"x86", "another"}) {
    m.prices = wrong;
    EXPECT_EQ(kind_of([&] { (void)modelled_seconds(p, csr, m); }), ErrorKind::invalid_argument) << wrong;
  }
}

TEST(Kernels, SayWhatAMatrixThatTheyDoNotKnowTheRuleOfLacks) {
  auto m = machine(true);
  for (auto const& kernel : kernels()) {
    if (!kernel.info.is_held || !kernel.info.on_device()) continue;
    auto p = problem_of(kernel.info);
    EXPECT_EQ(why_illegal(p, choice_of(kernel.info), m), "") << kernel.info.name;
    p.held.clear();
    EXPECT_NE(why_illegal(p, choice_of(kernel.info), m).find("does not run 8 columns"), std::string::npos)
        << kernel.info.name;
  }
}

TEST(Kernels, PacksOfTheirOwnAreNoSource) {
  for (auto const& kernel : kernels()) {
    Choice const choice = choice_of(kernel.info);
    OpId const operation = kernel.info.operation;
    EXPECT_EQ(detail::is_source(operation, choice), kernel.info.storage == "csr" && kernel.info.packing.empty())
        << label(choice);
    EXPECT_TRUE(!detail::is_source(operation, choice) || detail::shares_source(operation, choice)) << label(choice);
  }
  EXPECT_FALSE(detail::is_source(OpId::spmv, {.format = "csr", .rows_by_length = true, .kernel = "thread_per_row"}));
}

TEST(Kernels, ProposeThemselvesAlone) {
  for (auto const& kernel : kernels()) {
    if (!kernel.propose) continue;
    auto const p = problem_of(kernel.info);
    for (bool const device : {false, true}) {
      Proposals list(p, [](Choice const&) { return true; });
      kernel.propose(p, machine(device), list);
      for (auto const& choice : list.take()) {
        EXPECT_EQ(choice.format, kernel.info.storage);
        EXPECT_EQ(choice.kernel, kernel.info.name);
        EXPECT_NE(label(choice), "");
      }
    }
  }
}

TEST(Prices, OfANameThatNobodyMeasuredAreTheCallers) {
  auto const& prices = detail::prices_named("h200");
  EXPECT_EQ(prices.get("spmv/csr_sub_warp.waste", 7), 1.25);
  EXPECT_EQ(prices.get("spmv/csr_sub_warp.nothing", 7), 7);
  EXPECT_THROW((void)prices["spmv/csr_sub_warp.nothing"], Error);
  EXPECT_TRUE(detail::prices_named("another").empty());
}

}  // namespace
}  // namespace araia::test
