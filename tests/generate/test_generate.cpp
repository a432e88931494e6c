// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include <araia/error.hpp>
#include <araia/generate/matrix.hpp>
#include "src/generate/patterns.hpp"

#include "generate/checks.hpp"

namespace {

using namespace araia::testing;
using araia::generate::Options;

std::vector<araia::GeneratedMatrix> one_of_each() {
  std::vector<araia::GeneratedMatrix> all;
  for (auto const& name : araia::generate::suite_kinds()) all.push_back(araia::generate::of_entries(name, 40000));
  return all;
}

TEST(Generators, ColumnsAscendStrictlyInsideTheMatrix) {
  for (auto const& A : one_of_each()) expect_sorted(A);
}

TEST(Generators, ValuesAreFiniteAndNeverZero) {
  for (auto const& A : one_of_each())
    for (double const value : A.values) ASSERT_TRUE(std::isfinite(value) && value != 0) << A.name;
}

TEST(Generators, TheSameCallGivesTheSameBits) {
  auto const first = one_of_each();
  auto const second = one_of_each();
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].row_offsets, second[i].row_offsets) << first[i].name;
    EXPECT_EQ(first[i].col_indices, second[i].col_indices) << first[i].name;
    EXPECT_EQ(first[i].values, second[i].values) << first[i].name;
  }
}

// Bits of other machines and releases too: a changed generator changes what published figures mean.
TEST(Generators, TheSeedsAreFixed) {
  auto const A = araia::generate::uniform_random(4, 100, 3);
  auto const columns = [](araia::GeneratedMatrix const& M) {
    std::uint64_t hash = 14695981039346656037ULL;
    for (auto const c : M.col_indices) hash = (hash ^ static_cast<std::uint64_t>(c)) * 1099511628211ULL;
    return hash;
  };
  EXPECT_EQ(columns(A), 5106988615697863646ULL);
  EXPECT_EQ(columns(araia::generate::fem_3_dof(3, 3, 3)), 9085666651768424807ULL);
  EXPECT_EQ(columns(araia::generate::orbital_lattice(3, 3, 3)), 1326920390704532655ULL);
  EXPECT_EQ(columns(araia::generate::power_grid(100)), 9020793241264783893ULL);
}

TEST(Generators, EachIsAboutAsLargeAsAskedFor) {
  for (auto const& name : araia::generate::suite_kinds()) {
    auto const A = araia::generate::of_entries(name, 400000);
    EXPECT_GT(A.nnz(), 400000 * 0.7) << A.name;
    EXPECT_LT(A.nnz(), 400000 * 1.3) << A.name;
  }
}

TEST(Generators, UnknownNamesAreRefusedWithTheKnownOnes) {
  try {
    (void)araia::generate::of_entries("stencil9", 100);
    FAIL() << "accepted";
  } catch (araia::Error const& error) {
    EXPECT_NE(std::string(error.what()).find("stencil27"), std::string::npos) << error.what();
  }
}

TEST(Generators, ClassesAreKnownWithoutMakingAMatrix) {
  for (auto const& name : araia::generate::suite_kinds())
    EXPECT_EQ(araia::generate::class_of(name), araia::generate::of_entries(name, 5000).klass);
}

// Offsets, columns and values as the published figures were measured with.
TEST(Generators, MatricesOfSeedZeroKeepTheirBits) {
  struct Known {
    char const* kind;
    char const* name;
    std::uint64_t sum;
  };
  for (auto const& known : std::vector<Known>{
           {"stencil7", "stencil7_18x18x18", 8579456914399305846ULL},
           {"stencil27", "stencil27_11x11x11", 815422507897826559ULL},
           {"fem", "fem_5x5x5", 7242245079102747938ULL},
           {"lattice4", "lattice4_3", 10074243632757944857ULL},
           {"orbitals", "orbitals_5x5x5", 9087151820797058480ULL},
           {"power_grid", "power_grid_10811", 7232908286226903324ULL},
           {"banded", "banded_2500x16", 8755546800593244972ULL},
           {"uniform", "uniform_2500x16", 2948484536989545576ULL},
           {"power_law", "power_law_2667x15", 12823226745612592023ULL},
           {"circuit", "circuit_8696", 16081133234387679853ULL},
           {"lp", "lp_256x10000", 8065249350863275800ULL},
           {"pruned", "pruned_640x640_90pct", 3243728440693573534ULL},
       }) {
    auto const A = araia::generate::of_entries(known.kind, 40000);
    EXPECT_EQ(A.name, known.name);
    EXPECT_EQ(checksum(A), known.sum) << known.name;
  }
  using namespace araia::generate;
  EXPECT_EQ(checksum(random_lengths(500, 400, 0.01, 0.2)), 16372907965487659726ULL);
  EXPECT_EQ(checksum(lattice_2d(37)), 8363732525838723060ULL);
  EXPECT_EQ(checksum(uniform_random(300, 1000, 200)), 9196385915156494914ULL);
  EXPECT_EQ(checksum(banded_random(700, 90, 100)), 12354770864081343122ULL);
  EXPECT_EQ(checksum(linear_program(300, 5000)), 14168332942024324116ULL);
}

/// Options of so many rows.
Options of_rows(std::int64_t rows, std::uint64_t seed = 0) {
  Options options;
  options.rows = rows;
  options.seed = seed;
  return options;
}

TEST(Kinds, HaveTheSizeThatIsToldBeforeAndTheRowsThatAreAskedFor) {
  for (auto const& kind : araia::generate::kinds())
    for (std::int64_t const rows : {1, 700, 3000}) {
      auto const size = araia::generate::size_of(kind, of_rows(rows));
      auto const A = araia::generate::matrix(kind, of_rows(rows));
      expect_sorted(A);
      EXPECT_GE(A.rows, rows) << kind;
      EXPECT_EQ(A.rows, size.rows) << kind;
      EXPECT_EQ(A.cols, size.cols) << kind;
      EXPECT_EQ(A.klass, araia::generate::class_of(kind));
      // Memory is asked for by it: never much less than comes.
      EXPECT_LT(static_cast<double>(A.nnz()), 1.15 * size.entries + 2000) << kind << ", " << rows;
    }
}

TEST(Kinds, TakeTheNextSizeThatTheyHave) {
  auto const rows_of = [](char const* kind, std::int64_t rows) {
    return araia::generate::size_of(kind, of_rows(rows)).rows;
  };
  EXPECT_EQ(rows_of("stencil7", 1), 1);
  EXPECT_EQ(rows_of("stencil7", 1000), 1000);
  EXPECT_EQ(rows_of("stencil7", 1001), 1331);
  EXPECT_EQ(rows_of("stencil27", 28), 64);
  EXPECT_EQ(rows_of("fem", 24), 24);
  EXPECT_EQ(rows_of("fem", 25), 81);
  EXPECT_EQ(rows_of("lattice4", 1), 972);
  EXPECT_EQ(rows_of("lattice4", 49152), 49152);
  EXPECT_EQ(rows_of("lattice4", 49153), 12 * 9 * 9 * 9 * 9);
  EXPECT_EQ(rows_of("power_grid", 1), 2);
  EXPECT_EQ(rows_of("circuit", 1), 256);
  EXPECT_EQ(rows_of("lp", 1), 256);
  EXPECT_EQ(rows_of("power_law", 1), 240);
  EXPECT_EQ(rows_of("banded", 777), 777);
  EXPECT_EQ(rows_of("like:mac_econ_fwd500", 414), 826);
  EXPECT_EQ(rows_of("like:mc2depi", 525826), 514 * 1027);
  EXPECT_EQ(rows_of("orbitals", 1000), araia::generate::orbital_lattice(6, 6, 6).rows);
  EXPECT_LT(araia::generate::orbital_lattice(5, 5, 5).rows, 1000);
}

TEST(Kinds, SeedsDifferAndTheSameSeedGivesTheSameBits) {
  for (auto const& kind : araia::generate::kinds()) {
    auto const sum_of = [&](std::uint64_t seed) { return checksum(araia::generate::matrix(kind, of_rows(600, seed))); };
    EXPECT_NE(sum_of(0), sum_of(1)) << kind;
    EXPECT_NE(sum_of(1), sum_of(2)) << kind;
    EXPECT_EQ(sum_of(2), sum_of(2)) << kind;
  }
}

TEST(Kinds, OfTheSuiteAreThoseOfItsBenchmarks) {
  auto const all = araia::generate::kinds();
  for (auto const& kind : araia::generate::suite_kinds())
    EXPECT_EQ(std::count(all.begin(), all.end(), kind), 1) << kind;
  auto const same = [](char const* kind, Options const& options) {
    EXPECT_EQ(checksum(araia::generate::matrix(kind, options)), checksum(araia::generate::of_entries(kind, 40000)))
        << kind;
  };
  same("stencil7", of_rows(5832));
  same("fem", of_rows(648));
  same("orbitals", of_rows(897));
  same("uniform", of_rows(2500));
  same("power_law", of_rows(2667));
  Options pruned = of_rows(640);
  pruned.fill = 1 - 0.9;
  same("pruned", pruned);
}

TEST(Kinds, ColumnsAndEntriesAreThoseAskedFor) {
  auto const made = [](char const* kind, std::int64_t rows, std::int64_t cols, double fill, std::int64_t entries) {
    Options options = of_rows(rows);
    if (cols > 0) options.cols = cols;
    if (fill > 0) options.fill = fill;
    if (entries > 0) options.entries_per_row = entries;
    auto A = araia::generate::matrix(kind, options);
    expect_sorted(A);
    EXPECT_EQ(A.rows, rows) << kind;
    if (cols > 0) {
      EXPECT_EQ(A.cols, cols) << kind;
    }
    return A;
  };
  EXPECT_EQ(made("uniform", 50, 300, 0, 7).nnz(), 350);
  EXPECT_EQ(made("uniform", 50, 300, 0.1, 0).nnz(), 50 * 30);
  EXPECT_EQ(made("uniform", 50, 10, 0, 0).nnz(), 50 * 10);  // fewer than the usual 16
  EXPECT_EQ(made("banded", 40, 0, 0, 40).nnz(), 40 * 40);
  EXPECT_EQ(made("banded", 1, 0, 0, 0).nnz(), 1);
  EXPECT_EQ(made("pruned", 20, 30, 1, 0).nnz(), 600);
  EXPECT_NEAR(mean_row(made("pruned", 1000, 200, 0, 50)), 50, 2);
  EXPECT_NEAR(static_cast<double>(made("lp", 300, 1000, 0, 0).nnz()), 4000, 300);
  EXPECT_NEAR(mean_row(made("power_law", 20000, 0, 0, 8)), 8, 1.6);
  EXPECT_NEAR(mean_row(made("power_law", 20000, 0, 0.0004, 0)), 8, 1.6);
  EXPECT_EQ(checksum(made("row_lengths", 500, 400, 0, 0)),
            checksum(araia::generate::random_lengths(500, 400, 0.01, 0.2)));
  EXPECT_NEAR(mean_row(made("row_lengths", 500, 400, 0.4, 0)), 160, 12);
  EXPECT_NEAR(mean_row(made("row_lengths", 500, 400, 0.9, 0)), 360, 8);
  EXPECT_EQ(made("row_lengths", 5, 40, 1, 0).nnz(), 200);
}

TEST(Kinds, LookAlikesHaveTheOriginalsRowsColumnsAndEntries) {
  struct Original {
    char const* name;
    std::int64_t rows, cols, entries;
  };
  // As published: [Williams2007], and the collection's index for the last four.
  for (auto const& original : std::vector<Original>{{"dense2", 2000, 2000, 4000000},
                                                    {"pdb1HYS", 36417, 36417, 4344765},
                                                    {"consph", 83334, 83334, 6010480},
                                                    {"cant", 62451, 62451, 4007383},
                                                    {"pwtk", 217918, 217918, 11634424},
                                                    {"rma10", 46835, 46835, 2374001},
                                                    {"qcd5_4", 49152, 49152, 1916928},
                                                    {"shipsec1", 140874, 140874, 7813404},
                                                    {"mac_econ_fwd500", 206500, 206500, 1273389},
                                                    {"mc2depi", 525825, 525825, 2100225},
                                                    {"cop20k_A", 121192, 121192, 2624331},
                                                    {"scircuit", 170998, 170998, 958936},
                                                    {"webbase-1M", 1000005, 1000005, 3105536},
                                                    {"rail4284", 4284, 1092610, 11279748},
                                                    {"offshore", 259789, 259789, 4242673},
                                                    {"SiO", 33401, 33401, 1317655},
                                                    {"nemeth21", 9506, 9506, 1173746},
                                                    {"TSC_OPF_1047", 8140, 8140, 2012833}}) {
    auto const near = [&](std::int64_t got, std::int64_t wanted, double share, char const* what) {
      EXPECT_NEAR(static_cast<double>(got), static_cast<double>(wanted), share * static_cast<double>(wanted))
          << original.name << ": " << what;
    };
    auto const A = araia::generate::matrix(std::string("like:") + original.name);
    near(A.rows, original.rows, 0.005, "rows");
    near(A.cols, original.cols, 0.005, "columns");
    near(A.nnz(), original.entries, 0.03, "entries");
  }
}

TEST(Kinds, LookAlikesOfOtherSizesKeepTheMean) {
  for (auto const& kind : araia::generate::kinds()) {
    if (kind.substr(0, 5) != "like:" || kind == "like:dense2") continue;
    auto const whole = araia::generate::size_of(kind);
    auto const wanted = whole.entries / static_cast<double>(whole.rows);
    EXPECT_NEAR(mean_row(araia::generate::matrix(kind, of_rows(20000))), wanted, 0.06 * wanted) << kind;
  }
}

TEST(Kinds, SymmetricOnesAre) {
  for (char const* const kind :
       {"stencil7", "stencil27", "fem", "orbitals", "power_grid", "like:pdb1HYS", "like:consph", "like:cant",
        "like:pwtk", "like:shipsec1", "like:offshore", "like:SiO", "like:nemeth21", "like:TSC_OPF_1047"})
    expect_symmetric_with_heavy_diagonal(araia::generate::matrix(kind, of_rows(300, 5)));
}

std::string refusal_of(char const* kind, Options const& options, araia::ErrorKind expected) {
  try {
    (void)araia::generate::matrix(kind, options);
  } catch (araia::Error const& error) {
    EXPECT_EQ(error.kind(), expected) << error.what();
    return error.what();
  }
  return "accepted";
}

TEST(Kinds, RefusalsBeginWithTheOption) {
  auto const refused = [](char const* kind, std::string const& begin, auto const& set) {
    Options options;
    set(options);
    auto const text = refusal_of(kind, options, araia::ErrorKind::invalid_argument);
    EXPECT_EQ(text.find("araia::generate::matrix: " + begin), 0U) << text;
  };
  auto const nothing = [](Options&) {};
  auto const rows = [](std::int64_t n) { return [n](Options& o) { o.rows = n; }; };
  auto const cols = [](std::int64_t n) { return [n](Options& o) { o.cols = n; }; };
  auto const fill = [](double share) { return [share](Options& o) { o.fill = share; }; };
  auto const entries = [](std::int64_t n) { return [n](Options& o) { o.rows = 9, o.entries_per_row = n; }; };
  auto const in_five = [](Options& o) { o.rows = 9, o.cols = 5, o.entries_per_row = 6; };
  constexpr std::int64_t beyond = std::int64_t{1} << 31;
  refused("stencil9", "kind is 'stencil9', expected one of stencil7, ", nothing);
  refused("like:cantilever", "kind is 'like:cantilever'", nothing);
  refused("uniform", "rows is 0, expected 1 to 2147483647", rows(0));
  refused("uniform", "rows is 2147483648, expected 1 to 2147483647", rows(beyond));
  refused("stencil7", "rows is 2147483647, for which stencil7 is 2151685171 x", rows(beyond - 1));
  refused("like:rail4284", "rows is 100000000, for which like:rail4284 is 100000000 x", rows(100000000));
  refused("uniform", "cols is 2147483648", cols(beyond));
  refused("uniform", "cols is -1", cols(-1));
  refused("fem", "cols is for uniform, lp, pruned and row_lengths; those of fem", cols(5));
  refused("pruned", "fill is 1.5", fill(1.5));
  refused("pruned", "fill is 0.0", fill(0));
  refused("pruned", "fill is nan", fill(std::nan("")));
  refused("power_law", "fill is 0.5", fill(0.5));
  refused("circuit", "fill is for banded, uniform, power_law, pruned and row_lengths; ", fill(0.1));
  refused("like:cant", "entries_per_row is for banded, ", entries(3));
  refused("banded", "entries_per_row is 10", entries(10));
  refused("row_lengths", "entries_per_row is 0", entries(0));
  refused("power_law", "entries_per_row is 268435456", entries(1 << 28));
  refused("uniform", "entries_per_row is 6, expected 1 to the columns, 5", in_five);
  refused("pruned", "entries_per_row is 6, expected 1 to the columns, 5", in_five);
  refused("uniform", "fill excludes entries_per_row", [](Options& o) { o.fill = 0.1, o.entries_per_row = 3; });
}

TEST(Kinds, WhatWouldNotFitIsRefusedBeforeItIsMade) {
  Options options = of_rows(1 << 20);
  options.memory_limit = 1 << 20;
  for (char const* const kind : {"stencil27", "banded", "uniform", "pruned", "like:cant", "like:dense2"}) {
    auto const text = refusal_of(kind, options, araia::ErrorKind::resource_limit);
    EXPECT_NE(text.find("the limit is 1048576 bytes"), std::string::npos) << text;
  }
  options = of_rows(2147483647);
  options.fill = 1;
  refusal_of("pruned", options, araia::ErrorKind::resource_limit);
}

TEST(Kinds, BecomeEntriesByRows) {
  Options options = of_rows(5);
  options.cols = 9;
  options.entries_per_row = 2;
  auto const A = araia::generate::matrix("uniform", options);
  auto const coo = araia::to_host_coo(A);
  EXPECT_EQ(coo.rows, 5);
  EXPECT_EQ(coo.cols, 9);
  EXPECT_EQ(std::get<std::vector<std::int32_t>>(coo.row_indices),
            (std::vector<std::int32_t>{0, 0, 1, 1, 2, 2, 3, 3, 4, 4}));
  EXPECT_EQ(std::get<std::vector<std::int32_t>>(coo.col_indices), A.col_indices);
  EXPECT_EQ(std::get<std::vector<double>>(coo.values), A.values);
  EXPECT_EQ(coo.symmetry, araia::Symmetry::general);
}

}  // namespace
