// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything that the library multiplies with, pair by pair: a covering array over products, types, spaces, layouts,
// factors and matrices, each case held to the reference.
//   ARAIA_COVER_CASES  how many (20000; fewer under a sanitizer)
//   ARAIA_COVER_SEED   of the array and of the operands
//   ARAIA_COVER_CASE   one case alone, as a failure prints it
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include <araia/detail/formats/written_out.hpp>
#include "cover/data.hpp"
#include "cover/run.hpp"
#include "support/data.hpp"
#include "support/sanitizer.hpp"

namespace araia::test::cover {

std::vector<Scalars> written_out_scalars() {
#ifdef ARAIA_TYPES_MINIMAL
  return {{"f64"}};
#else
  return {{"f64"},
          {"f64, 64-bit offsets", false, true},
          {"f32"},
          {"f32, 64-bit offsets", false, true},
          {"f32 with f64 vectors"},
          {"f32 with f64 vectors, 64-bit offsets", false, true},
          {"c64", true},
          {"c64, 64-bit offsets", true, true}};
#endif
}

std::vector<Space> spaces_of_this_build() {
  std::vector<Space> all;
  bool const device =
      !Kokkos::SpaceAccessibility<Kokkos::HostSpace, Kokkos::DefaultExecutionSpace::memory_space>::accessible;
  // Most cases belong to the device where there is one; hosts have builds of their own.
  if (device)
    for (bool const own : {false, true, false, true})
      all.push_back(
          {.name = own ? "the device, a stream of its own" : "the device", .device = true, .own_stream = own});
#ifdef ARAIA_WRITTEN_OUT_ON_SERIAL
  all.push_back({.name = "serial", .threads = 0});
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  for (int const threads : {1, 2, 3, 7})
    if (!device || threads == 3)
      all.push_back({.name = "openmp with " + std::to_string(threads) + " threads", .threads = threads});
#endif
  return all;
}

std::unique_ptr<Runner> make_runner(Cases const& cases, Levels const& row) {
#ifndef ARAIA_TYPES_MINIMAL
  switch (row[types] / 2) {
    case 1: return make_runner_f32(cases, row);
    case 2: return make_runner_f32_f64(cases, row);
    case 3: return make_runner_c64(cases, row);
    default: break;
  }
#endif
  return make_runner_f64(cases, row);
}

namespace {

std::uint64_t number_from(char const* variable, std::uint64_t otherwise) {
  char const* const text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

std::uint64_t seed() { return number_from("ARAIA_COVER_SEED", 20261121); }

std::uint64_t case_count() { return number_from("ARAIA_COVER_CASES", sanitized ? 2000 : 20000); }

Cases const& all_cases() {
  static Cases const cases = [] {
    auto matrices = matrices_of_cases();
    auto data = matrices_of_data(data_directory());
    if (data.empty()) std::cout << "no matrices in " << data_directory() << ": the zoo alone\n";
    for (auto& m : data) matrices.push_back(std::move(m));
    return Cases(written_out_scalars(), spaces_of_this_build(), std::move(matrices));
  }();
  return cases;
}

std::string id_of(Levels const& row) {
  std::string id;
  for (int const level : row) id += (id.empty() ? "" : ".") + std::to_string(level);
  return id;
}

/// \throws std::runtime_error where the text is no case of this build
Levels row_of(std::string const& id) {
  Levels row;
  std::istringstream text(id);
  for (std::string level; std::getline(text, level, '.');) row.push_back(std::stoi(level));
  auto const counts = all_cases().level_counts();
  bool known = row.size() == counts.size();
  for (std::size_t f = 0; known && f < row.size(); ++f) known = row[f] >= 0 && row[f] < counts[f];
  if (!known) throw std::runtime_error("ARAIA_COVER_CASE=" + id + " is no case of this build");
  return row;
}

/// Cases of one runner, then of one matrix, then of one format follow each other.
std::vector<int> order_of(Levels const& row) {
  return {row[types],    row[space],  row[matrix], row[values], kind_of_values(static_cast<Numbers>(row[numbers])),
          row[offset_a], row[product]};
}

struct Tally {
  std::uint64_t ran = 0;
  std::uint64_t refused = 0;
  std::set<int> products_that_ran;
};

/// Runs the cases and reports each that went wrong, up to a few.
Tally run_all(std::vector<Levels> rows) {
  auto const& cases = all_cases();
  std::stable_sort(rows.begin(), rows.end(),
                   [](Levels const& a, Levels const& b) { return order_of(a) < order_of(b); });
  Tally tally;
  std::unique_ptr<Runner> runner;
  std::pair<int, int> made_for{-1, -1};
  int wrong = 0;
  auto const start = std::chrono::steady_clock::now();
  std::size_t const tenth = std::max<std::size_t>(rows.size() / 10, 1000);
  std::size_t begun = 0;
  for (auto const& row : rows) {
    if (begun++ % tenth == 0 && begun > 1)
      std::cout << begun - 1 << " of " << rows.size() << " cases after "
                << std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() << " s" << std::endl;
    if (std::pair const wanted{row[types], row[space]}; wanted != made_for) {
      runner = make_runner(cases, row);
      made_for = wanted;
    }
    Outcome outcome;
    try {
      outcome = runner->run(row, seed());
    } catch (std::exception const& error) {
      outcome.wrong = std::string("threw ") + error.what();
      made_for = {-1, -1};
    }
    ++(outcome.refused ? tally.refused : tally.ran);
    if (!outcome.refused) tally.products_that_ran.insert(row[product]);
    auto const verdict = cases.verdict(row);
    if (outcome.wrong.empty() && outcome.refused && verdict == Verdict::runs) outcome.wrong = "refused";
    if (outcome.wrong.empty() && !outcome.refused && verdict == Verdict::refused) outcome.wrong = "not refused";
    if (outcome.wrong.empty()) continue;
    constexpr int most_reports = 20;
    if (++wrong <= most_reports)
      ADD_FAILURE() << "ARAIA_COVER_SEED=" << seed() << " ARAIA_COVER_CASE=" << id_of(row)
                    << " ./araia_test_cover: " << cases.describe(row) << ": " << outcome.wrong;
  }
  EXPECT_EQ(wrong, 0) << "cases went wrong, of " << rows.size();
  return tally;
}

TEST(CoveringArray, HoldsEveryAllowedPair) {
  std::vector<int> const levels{7, 3, 5, 2, 4, 3};
  // Two factors exclude each other in part; the third makes a pair impossible that looks possible.
  auto const allowed = [](Levels const& row) {
    if (row[0] == 2 && row[2] == 1) return false;
    if (row[0] == 3 && row[1] > 0) return false;
    return !(row[3] == 1 && row[4] == 2 && row[5] >= 0);
  };
  CoveringArray array(levels, allowed, 1);
  CoveringArray again(levels, allowed, 1);
  std::set<std::vector<std::size_t>> seen;
  std::size_t rows = 0;
  for (; array.rounds() == 0; ++rows) {
    auto const row = array.next();
    EXPECT_EQ(row, again.next());
    EXPECT_TRUE(allowed(row));
    for (std::size_t f = 0; f < row.size(); ++f)
      for (std::size_t g = f + 1; g < row.size(); ++g)
        seen.insert({f, static_cast<std::size_t>(row[f]), g, static_cast<std::size_t>(row[g])});
  }
  EXPECT_EQ(seen.size(), array.pairs());
  EXPECT_EQ(array.given_up(), 1u);
  std::size_t possible = 0;
  for (std::size_t f = 0; f < levels.size(); ++f)
    for (std::size_t g = f + 1; g < levels.size(); ++g) possible += static_cast<std::size_t>(levels[f] * levels[g]);
  EXPECT_EQ(array.pairs(), possible - 1 - 2 - 1);
  EXPECT_LT(rows, 2u * 7 * 5);
}

TEST(Cover, EveryPairOfLevelsIsWithinTheBound) {
  if (!std::getenv("OMP_WAIT_POLICY"))
    std::cout << "OMP_WAIT_POLICY=passive makes this test some ten times faster where seven threads share few cores\n";
  if (char const* const id = std::getenv("ARAIA_COVER_CASE")) {
    std::cout << all_cases().describe(row_of(id)) << '\n';
    run_all({row_of(id)});
    return;
  }
  auto const& cases = all_cases();
  auto const counts = cases.level_counts();
  auto const start = std::chrono::steady_clock::now();
  CoveringArray array(
      counts,
      [&](Levels const& row) {
        auto const verdict = cases.verdict(row);
        return verdict == Verdict::runs || verdict == Verdict::either;
      },
      seed());
  std::mt19937_64 random(seed());
  std::vector<Levels> rows;
  std::uint64_t first_round = 0;
  while (rows.size() < case_count()) {
    if (rows.size() % 20 == 19) {  // one that must be refused
      Levels row(counts.size());
      do {
        for (std::size_t f = 0; f < row.size(); ++f)
          row[f] = static_cast<int>(random() % static_cast<std::uint64_t>(counts[f]));
      } while (cases.verdict(row) != Verdict::refused);
      rows.push_back(std::move(row));
      continue;
    }
    rows.push_back(array.next());
    if (first_round == 0 && array.rounds() > 0) first_round = rows.size();
  }
  auto const seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  std::cout << "seed " << seed() << ": " << rows.size() << " cases, " << array.pairs() << " pairs of levels, "
            << array.given_up() << " given up, ";
  if (first_round > 0)
    std::cout << "all covered by the first " << first_round << " cases";
  else
    std::cout << "not all covered";
  std::cout << "; chosen in " << seconds() << " s" << std::endl;
  auto const tally = run_all(std::move(rows));
  std::cout << tally.ran << " cases ran, " << tally.refused << " were refused, in " << seconds() << " s\n";
  RecordProperty("ran", static_cast<int>(tally.ran));
  RecordProperty("refused", static_cast<int>(tally.refused));
  if (first_round == 0) return;
  for (int p = 0; p < counts[product]; ++p) {
    Levels row(counts.size(), -1);
    row[product] = p;
    EXPECT_TRUE(tally.products_that_ran.count(p) > 0 || cases.verdict(row) == Verdict::refused ||
                cases.verdict(row) == Verdict::either)
        << cases.products[static_cast<std::size_t>(p)].name() << " never ran";
  }
}

/// A plain case: everything contiguous, alpha 1, beta 0, no tuning.
Levels plain_case() {
  Levels row(factor_count, 0);
  row[alpha] = static_cast<int>(Factors::one);
  auto const& n = all_cases().column_counts;
  row[columns] = static_cast<int>(std::find(n.begin(), n.end(), 1) - n.begin());
  return row;
}

/// The first matrix of this name.
int matrix_named(std::string const& name) {
  auto const& all = all_cases().matrices;
  auto const found =
      std::find_if(all.begin(), all.end(), [&](TestMatrix const& m) { return m.name.starts_with(name); });
  EXPECT_TRUE(found != all.end()) << name;
  return static_cast<int>(found - all.begin());
}

/// The first product of this name.
int product_named(std::string const& name) {
  auto const& all = all_cases().products;
  auto const found = std::find_if(all.begin(), all.end(), [&](Product const& p) { return p.name() == name; });
  EXPECT_TRUE(found != all.end()) << name;
  return static_cast<int>(found - all.begin());
}

// What the array has found, each case alone.

TEST(CoverFound, APlanOfNoEntriesTakesAnyKernel) {
  auto row = plain_case();
  row[route] = static_cast<int>(Route::plan);
  for (char const* name : {"3 x 4 without entries", "0 x 0", "5 x 0"}) {
    row[matrix] = matrix_named(name);
    row[product] = product_named("spmv sell+diagonals/host_simd");
    run_all({row});
  }
}

TEST(CoverFound, OneRowOfBMayHaveAnyStride) {
  auto row = plain_case();
  row[product] = product_named("spmm csr/host_simd");
  row[matrix] = matrix_named("200 x 1, one column");
  row[columns] = 5;
  row[layout_b] = static_cast<int>(Layout::left_odd);
  for (row[route] = 0; row[route] < 2; ++row[route]) run_all({row});
}

TEST(CoverFound, ARefusedProductLeavesYAsItWas) {
  auto row = plain_case();
  row[product] = product_named("spmv coo/segmented, unsorted");
  row[matrix] = matrix_named("row length ladder");
  row[beta] = static_cast<int>(Factors::general);
  EXPECT_EQ(run_all({row}).refused, 1u);
}

TEST(CoverFound, ScatteredTermsStayInRangeWithFactorsAtItsEnds) {
  auto row = plain_case();
  row[matrix] = matrix_named("row length ladder");
  for (char const* name :
       {"spmv csr/transposed", "spmm csr/transposed", "spmv sell/transposed", "spmm sell/automatic",
        "spmv bsr/transposed{block_rows 2, block_cols 2}", "spmm bsr/automatic{block_rows 2, block_cols 2}",
        "spmv coo/atomic", "spmm coo/automatic", "spmv bcsc/transposed", "spmm bcsc/transposed", "spmm csc/automatic"})
    for (auto const factor : {Factors::tiny, Factors::huge})
      for (auto const number : {Numbers::spread, Numbers::infinity}) {
        if (factor == Factors::huge && number == Numbers::infinity) continue;  // no case, see Cases::verdict
        row[product] = product_named(name);
        row[operation] = 1;
        row[alpha] = static_cast<int>(factor);
        row[numbers] = static_cast<int>(number);
        run_all({row});
      }
}

TEST(Cover, SmallIntegersAreExactInEveryFormatKernelSpaceAndNumberOfThreads) {
  auto const& cases = all_cases();
  std::vector<Levels> rows;
  auto row = plain_case();
  row[numbers] = static_cast<int>(Numbers::integers);
  int const one_column = row[columns];
  int const nine_columns = static_cast<int>(std::find(cases.column_counts.begin(), cases.column_counts.end(), 9) -
                                            cases.column_counts.begin());
  int const several = static_cast<int>(cases.scalars.size()) > 1 ? 2 : 1;  // f64, f32
  for (int p = 0; p < static_cast<int>(cases.products.size()); ++p)
    for (row[route] = 0; row[route] < 2; ++row[route])
      for (row[space] = 0; row[space] < static_cast<int>(cases.spaces.size()); ++row[space])
        for (int t = 0; t < several; ++t)
          for (row[operation] = 0; row[operation] < 2; ++row[operation])
            for (int const m : {matrix_named("row length ladder"), matrix_named("node blocks of 3")}) {
              row[product] = p;
              row[types] = 2 * t;
              row[matrix] = m;
              row[columns] =
                  cases.products[static_cast<std::size_t>(p)].operation == OpId::spmm ? nine_columns : one_column;
              auto const verdict = cases.verdict(row);
              if (verdict == Verdict::runs || verdict == Verdict::either) rows.push_back(row);
            }
  auto const tally = run_all(std::move(rows));
  std::cout << tally.ran << " products ran, " << tally.refused << " were refused\n";
  EXPECT_GT(tally.ran, 0u);
}

TEST(Cover, DeterministicPlansRepeatTheirBits) {
  auto const& cases = all_cases();
  auto row = plain_case();
  row[route] = static_cast<int>(Route::plan);
  row[alpha] = row[beta] = static_cast<int>(Factors::general);
  int const one_column = row[columns];
  int const nine_columns = static_cast<int>(std::find(cases.column_counts.begin(), cases.column_counts.end(), 9) -
                                            cases.column_counts.begin());
  std::uint64_t plans = 0;
  std::uint64_t refused = 0;
  for (int t = 0; t < static_cast<int>(cases.scalars.size()); t += 2) {
    std::vector<std::unique_ptr<Runner>> runners;
    row[types] = t;
    for (row[space] = 0; row[space] < static_cast<int>(cases.spaces.size()); ++row[space])
      runners.push_back(make_runner(cases, row));
    for (int const m : {matrix_named("one dense row"), matrix_named("node blocks of 3")})
      for (int p = 0; p < static_cast<int>(cases.products.size()); ++p)
        for (row[operation] = 0; row[operation] < 2; ++row[operation]) {
          row[product] = p;
          row[matrix] = m;
          row[columns] =
              cases.products[static_cast<std::size_t>(p)].operation == OpId::spmm ? nine_columns : one_column;
          std::map<bool, std::string> bits;  // by kind of space
          for (row[space] = 0; row[space] < static_cast<int>(cases.spaces.size()); ++row[space]) {
            auto const& where = cases.spaces[static_cast<std::size_t>(row[space])];
            if (where.device && row[space] > 1) continue;
            if (auto const v = cases.verdict(row); v == Verdict::no_case || v == Verdict::refused) continue;
            auto const got =
                runners[static_cast<std::size_t>(row[space])]->repeated_bits(row, seed(), where.device ? 100 : 3);
            ++(got.empty() ? refused : plans);
            if (got.empty()) continue;
            EXPECT_FALSE(got.starts_with("differs")) << cases.describe(row) << ": " << got;
            if (auto& first = bits[where.device]; first.empty())
              first = got;
            else
              EXPECT_TRUE(got == first) << cases.describe(row) << ": other bits than with other threads";
          }
        }
  }
  std::cout << plans << " deterministic plans repeated their bits, " << refused << " were refused\n";
  EXPECT_GT(plans, 0u);
}

}  // namespace
}  // namespace araia::test::cover
