// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of kernels: each is found by its name and the types that it runs, has a price that any machine can be asked
// for, and answers what the engine asks of it.

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <tuple>

#include "plan/problems.hpp"
#include "src/engine/kernels.hpp"
#include "src/engine/names.hpp"
#include "src/engine/tuning.hpp"
#include "support/errors.hpp"

namespace araia::test {
namespace {

using detail::kernels;

constexpr OpId operations[] = {OpId::spmv, OpId::spmm, OpId::sddmm, OpId::spgemm};

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
  p.cuda_kernels = info.runs == Runs::by_cuda || info.cuda_alone;
  p.host_simd = info.runs == Runs::by_host_simd;
  p.allow_dense = true;
  p.bound = {std::string(info.storage) + '/' + std::string(info.name)};
  if (info.hosts_alone) p.stats.length_histogram[4] = p.stats.rows;
  if (info.cuda_alone &&
      info.operation == OpId::spmm) {  // of float and many columns, in a precision that tensor cores have
    p.value_bytes = p.x_bytes = p.y_bytes = 4;
    p.columns = 256;
    p.precision = Precision::tf32;
  }
  return p;
}

TEST(Kernels, EveryParameterSurvivesJson) {
  int parameters = 0;
  for (auto const& kernel : kernels())
    for (auto const& parameter : kernel.info.parameters) {
      Choice choice = choice_of(kernel.info);
      choice.set(parameter.name, 4);
      EXPECT_EQ(choice_from_json(to_json(choice)), choice) << label(choice);
      ++parameters;
    }
  EXPECT_GE(parameters, 10);
}

/// A kernel of the CUDA backend may share its name with one that runs where that does not.
TEST(Kernels, HaveANameOfTheirOwn) {
  std::set<std::tuple<OpId, bool, bool, std::string_view, std::string_view>> seen;
  for (auto const& kernel : kernels())
    for (bool const transposed : {false, true}) {
      auto const& info = kernel.info;
      EXPECT_TRUE(!info.is_for(info.operation, transposed) ||
                  seen.emplace(info.operation, transposed, info.runs == Runs::by_cuda, info.storage, info.name).second)
          << info.storage << '/' << info.name;
    }
}

/// What labels and plans look up by a name alone is the same for all of an operation that bear it, and listed once.
TEST(Kernels, OfOneNameAreAlikeInWhatTheNameDecides) {
  for (auto const& kernel : kernels()) {
    auto const all = kernels();
    auto const& first = std::find_if(all.begin(), all.end(), [&](auto const& k) {
                          return k.info.storage == kernel.info.storage && k.info.name == kernel.info.name &&
                                 k.info.operation == kernel.info.operation;
                        })->info;
    EXPECT_EQ(kernel.info.packing, first.packing) << kernel.info.name;
    EXPECT_EQ(kernel.info.reads_source, first.reads_source) << kernel.info.name;
    auto const names = kernel_names(kernel.info.storage, kernel.info.operation, Op::none);
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size()) << kernel.info.storage;
  }
}

/// bcsc/tiled on CUDA is the backend's, but for types that it does not run and parameters that it does not read.
TEST(Kernels, OfOneNameAreToldApartByTypesAndParameters) {
  Problem p = thousand_rows_of_ten();
  p.operation = OpId::spmm;
  p.columns = 8;
  p.bound = {"bcsc/tiled"};
  Choice choice{.format = "bcsc", .kernel = "tiled"};
  p.cuda_kernels = true;
  EXPECT_EQ(detail::kernel_of(p, choice)->info.runs, Runs::by_cuda);
  choice.set("buffers", 1);
  EXPECT_EQ(detail::kernel_of(p, choice)->info.runs, Runs::where_bound);
  choice.set("buffers", 0);
  p.cuda_kernels = false;
  EXPECT_EQ(detail::kernel_of(p, choice)->info.runs, Runs::where_bound);
  EXPECT_EQ(why_illegal(p, choice, machine(true)), "");
  EXPECT_EQ(why_illegal(p, choice, machine(false)), "");
  p.bound.clear();
  EXPECT_NE(why_illegal(p, choice, machine(false)).find("does not run these types"), std::string::npos);
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

TEST(Kernels, SayThatTheyHaveNoPackingForAProduct) {
  int packings = 0;
  for (auto const& kernel : kernels()) {
    bool const packs = !kernel.info.packing.empty() || kernel.info.storage == "dense";
    if (kernel.info.runs != Runs::where_bound || kernel.info.operation != OpId::spmm || !packs) continue;
    auto const m = machine(kernel.info.cuda_alone);
    auto p = problem_of(kernel.info);
    EXPECT_EQ(why_illegal(p, choice_of(kernel.info), m), "") << kernel.info.name;
    p.cuda_kernels = false;
    p.stats.nnz = 0;
    auto const why = why_illegal(p, choice_of(kernel.info), m);
    EXPECT_NE(why.find("does not run " + std::to_string(p.columns) + " columns"), std::string::npos)
        << kernel.info.name << ": " << why;
    ++packings;
  }
  EXPECT_EQ(packings, 8);
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

TEST(Tunings, NameTheKernelOfAChoiceWithItsParameters) {
  auto const csr = detail::tuning_of<SpmvDesc>(
      {.format = "csr", .kernel = "vector_per_row", .rows_per_team = 3, .team_size = 4, .vector_length = 8});
  EXPECT_EQ(
      std::get<CsrSpmvTuning>(csr),
      (CsrSpmvTuning{.kernel = CsrSpmvKernel::vector_per_row, .rows_per_team = 3, .team_size = 4, .vector_length = 8}));
  auto const csc = detail::tuning_of<SpmmDesc>({.format = "csc", .kernel = "by_columns", .rows_per_team = 5});
  EXPECT_EQ(std::get<CscSpmmTuning>(csc), (CscSpmmTuning{.cols_per_team = 5}));
  auto const hyb = detail::tuning_of<SpmvDesc>(
      {.format = "hyb", .kernel = "ell_then_tail", .rows_per_team = 2, .entries = 6, .team_size = 32});
  EXPECT_EQ(std::get<HybSpmvTuning>(hyb),
            (HybSpmvTuning{.ell = {.rows_per_team = 2, .team_size = 32}, .tail = {.entries_per_thread = 6}}));
  auto const bcsc = detail::tuning_of<SpmmDesc>({.format = "bcsc", .kernel = "naive", .columns_per_lane = 4});
  EXPECT_EQ(std::get<BcscSpmmTuning>(bcsc), (BcscSpmmTuning{.kernel = BcscSpmmKernel::naive, .columns_per_thread = 4}));
}

TEST(Tunings, AreOfNamesThatDescriptorsHaveAlone) {
  for (char const* name : {"no_such", "naive", "automatic", "row_per_warp"}) {
    std::string message;
    EXPECT_EQ(kind_of([&] { (void)detail::tuning_of<SpmvDesc>({.format = "csr", .kernel = name}); }, &message),
              ErrorKind::internal);
    EXPECT_NE(message.find(name), std::string::npos) << message;
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
