// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warp-centric and the tiled kernel of teams against the reference: every form over the zoo, strides, columns,
// every shape that is built, what is not finite, and plans that name them.
#include <algorithm>
#include <araia/detail/dispatch/views.hpp>
#include <araia/ops/bcsc_team_spmm.hpp>
#include <araia/ops/spmm.hpp>
#include <araia/plan/plan.hpp>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "support/bcsc.hpp"
#include "support/check.hpp"
#include "support/errors.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(BcscTeamSpmm, OperandTypes, OperandTypeNames);

/// One product with operands of strides between them, and NaN where they must not be read.
struct TeamCase {
  std::int64_t columns = 5;
  bool b_row_major = true;
  bool c_row_major = true;
  std::int64_t gap = 1;
};

BcscWarpCentricTuning with_atomics() {
  BcscWarpCentricTuning tuning;
  tuning.atomic = true;
  return tuning;
}
BcscTiledTuning with_buffers(int buffers) {
  BcscTiledTuning tuning;
  tuning.buffers = buffers;
  return tuning;
}

template <class T>
DenseMatrix<T const> constant(DenseMatrix<T> const& m) {
  return {m.data, m.rows, m.columns, m.row_stride, m.column_stride};
}

template <class Exec, class T>
DenseMatrix<T> pointers_of(Operand<T, Exec> const& operand) {
  return detail::dense_matrix(operand.matrix());
}

BcscTiledTuning with_parts(int parts) {
  BcscTiledTuning tuning;
  tuning.k_tile = 8;  // several steps in few block columns
  tuning.parts = parts;
  return tuning;
}

/// One product, with memory for the sums of parts.
template <class Exec, class Tuning, class Y, class A, class X>
void team_spmm(Exec const& exec, Tuning const& tuning, Y alpha, A const& a, DenseMatrix<X const> const& b, Y beta,
               DenseMatrix<Y> const& c) {
  if constexpr (std::is_same_v<Tuning, BcscTiledTuning>)
    if (tuning.parts > 1) {
      Kokkos::View<Y*, typename Exec::device_type> const parts(
          "parts", static_cast<std::size_t>(tuning.parts * c.rows * c.columns));
      Kokkos::deep_copy(exec, parts, scalar_from<Y>(std::numeric_limits<double>::quiet_NaN()));
      detail::bcsc_team_spmm_in_parts(exec, tuning, alpha, a, b, beta, c, parts.data());
      exec.fence();
      return;
    }
  bcsc_team_spmm(exec, tuning, alpha, a, b, beta, c);
}

template <class T, class Exec>
Operand<T, Exec> team_operand(std::int64_t extent, TeamCase const& test, bool row_major) {
  std::int64_t const across = row_major ? test.columns : extent;
  std::int64_t const ld = std::max<std::int64_t>(1, across * test.gap + test.gap - 1);
  return Operand<T, Exec>(extent, test.columns, row_major ? ld : test.gap, row_major ? test.gap : ld, 1);
}

template <class Types, class Matrix, class HostCsr, class Tuning>
void check_team_product(Matrix const& A, HostCsr const& host, TeamCase const& test, Tuning const& tuning,
                        std::string const& what) {
  using Exec = typename Types::exec;
  using X = typename Types::x;
  using Y = typename Types::y;
  auto const v = [](double x) { return scalar_from<Y>(x); };
  std::pair<Y, Y> const scalings[] = {{Y(1), Y(0)}, {v(0.7), v(-1)}, {Y(0), v(0.5)}};
  for (auto const& [alpha, beta] : scalings) {
    auto b = team_operand<X, Exec>(A.cols, test, test.b_row_major);
    auto c = team_operand<Y, Exec>(A.rows, test, test.c_row_major);
    b.fill(zoo_seed);
    c.fill(zoo_seed + 1);
    if (alpha == Y(0)) b.fill_with(scalar_from<X>(std::numeric_limits<double>::quiet_NaN()));
    if (beta == Y(0)) c.fill_with(scalar_from<Y>(std::numeric_limits<double>::quiet_NaN()));
    b.to_device();
    c.to_device();
    auto const expected = expected_product(Op::none, alpha, host, b.host(), beta, c.host());
    Exec const exec;
    team_spmm(exec, tuning, alpha, A.pointers(), constant(pointers_of(b)), beta, pointers_of(c));
    exec.fence();
    c.from_device();
    std::ostringstream text;
    text << what << ", " << Matrix::format_name << ", " << test.columns << " columns, gap " << test.gap << ", alpha "
         << alpha << ", beta " << beta << ", " << tuning;
    expect_within_bound(expected, c.host(), text.str());
    EXPECT_EQ(c.disturbed_bytes(), 0) << text.str() << ": wrote beside C";
  }
}

/// Every kernel with its defaults.
template <class Types, class Matrix, class HostCsr>
void check_team_kernels(Matrix const& A, HostCsr const& host, TeamCase const& test, std::string const& what) {
  check_team_product<Types>(A, host, test, BcscWarpCentricTuning{}, what);
  check_team_product<Types>(A, host, test, with_atomics(), what);
  check_team_product<Types>(A, host, test, BcscTiledTuning{}, what);
  check_team_product<Types>(A, host, test, with_parts(4), what);
}

/// A sixth of the options for each matrix, and each sixth in turn.
ARAIA_TYPED_TEST(BcscTeamSpmm, EveryFormAgreesWithReference) {
  using Exec = typename TypeParam::exec;
  std::size_t turn = 0;
  for (auto const& m : bcsc_zoo()) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    auto const host = host_copy(A);
    for (std::size_t k = turn++ % 6; k < all_bcsc_options().size(); k += 6)
      with_every_form(Exec(), A, all_bcsc_options()[k].second, [&](auto const& B) {
        check_team_kernels<TypeParam>(B, host.pointers(), {}, m.name + ", " + all_bcsc_options()[k].first);
      });
  }
}

ARAIA_TYPED_TEST(BcscTeamSpmm, StridesLayoutsAndColumns) {
  using Exec = typename TypeParam::exec;
  auto const m = random_matrix("strides", 90, 60, 5);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  auto const host = host_copy(A);
  with_every_form(Exec(), A, {.block_height = 64}, [&](auto const& B) {
    for (std::int64_t const columns : {1, 2, 7, 8, 9, 17, 32, 33, 64, 129, 260})
      check_team_kernels<TypeParam>(B, host.pointers(), {.columns = columns}, m.name);
    for (bool const b_row_major : {true, false})
      for (bool const c_row_major : {true, false})
        check_team_kernels<TypeParam>(B, host.pointers(), {19, b_row_major, c_row_major, 2}, m.name);
  });
}

/// Blocks of no entry, one row, one column, a last block of few rows, no row and no column at all.
ARAIA_TYPED_TEST(BcscTeamSpmm, DegenerateShapes) {
  using Exec = typename TypeParam::exec;
  std::vector<std::int64_t> gaps(100, 0);  // blocks of 8 rows without an entry beside others
  for (std::size_t i = 40; i < 48; ++i) gaps[i] = 3;
  gaps[99] = 1;
  for (auto const& m :
       {with_row_lengths("0 x 5", 5, {}), with_row_lengths("4 x 0", 0, {0, 0, 0, 0}), with_row_lengths("1 x 1", 1, {1}),
        with_row_lengths("1 x 40", 40, {17}), with_row_lengths("empty blocks", 9, gaps),
        with_row_lengths("129 x 1", 1, std::vector<std::int64_t>(129, 1))}) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    auto const host = host_copy(A);
    for (std::int64_t const height : {8, 128})
      with_every_form(Exec(), A, {.block_height = height}, [&](auto const& B) {
        for (std::int64_t const columns : {0, 1, 33})
          check_team_kernels<TypeParam>(B, host.pointers(), {.columns = columns}, m.name);
      });
  }
}

ARAIA_TYPED_TEST(BcscTeamSpmm, EveryShapeThatIsBuilt) {
  using Exec = typename TypeParam::exec;
  auto const m = random_matrix("shapes", 80, 60, 6);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  auto const host = host_copy(A);
  with_every_form(Exec(), A, {.block_height = 33}, [&](auto const& B) {
    for (int const lanes : {8, 16, 32})
      for (int const per_lane : {1, 4})
        for (int const warps : {0, 1, 3})
          for (bool const atomic : {false, true}) {
            BcscWarpCentricTuning const tuning{lanes, warps, per_lane, atomic};
            check_team_product<TypeParam>(B, host.pointers(), {.columns = 37}, tuning, m.name);
          }
    for (auto const& items : bcsc_tiled_items)
      for (int const buffers : {1, 2}) {
        BcscTiledTuning tuning{8, 8, items.x, items.y, 8, buffers};
        if (detail::tiled_scratch<Exec>(tuning, sizeof(typename TypeParam::y)) > detail::tiled_scratch_limit<Exec>)
          continue;
        check_team_product<TypeParam>(B, host.pointers(), {.columns = 70}, tuning, m.name);
        tuning.threads_x = tuning.threads_y = tuning.k_tile = 0;
        check_team_product<TypeParam>(B, host.pointers(), {.columns = 37}, tuning, m.name);
      }
    // Of the thesis's tables 4.4 and 4.7.
    for (auto const& tuning : {BcscTiledTuning{16, 16, 4, 8, 16, 1}, BcscTiledTuning{32, 8, 8, 4, 16, 1}}) {
      if (detail::tiled_scratch<Exec>(tuning, sizeof(typename TypeParam::y)) > detail::tiled_scratch_limit<Exec>)
        continue;
      check_team_product<TypeParam>(B, host.pointers(), {.columns = 70}, tuning, m.name);
    }
    for (int const parts : {2, 16})
      for (int const buffers : {1, 2})
        check_team_product<TypeParam>(B, host.pointers(), {.columns = 37},
                                      BcscTiledTuning{8, 8, 4, 1, 8, buffers, parts}, m.name);
    for (int const k_tile : {8, 16, 32})
      check_team_product<TypeParam>(B, host.pointers(), {.columns = 20},
                                    BcscTiledTuning{8, 16, 1, 1, k_tile, k_tile == 16 ? 2 : 1}, m.name);
    check_team_product<TypeParam>(B, host.pointers(), {.columns = 90}, BcscTiledTuning{32, 8, 1, 1, 8, 1}, m.name);
    check_team_product<TypeParam>(B, host.pointers(), {.columns = 20}, BcscTiledTuning{8, 32, 1, 1, 8, 1}, m.name);
  });
}

ARAIA_TYPED_TEST(BcscTeamSpmm, BlocksTallerThanScratchAreCutIntoWindows) {
  using Exec = typename TypeParam::exec;
  auto const m = random_matrix("tall block", 2500, 40, 3);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  auto const host = host_copy(A);
  with_every_form(Exec(), A, {.block_height = 20000},
                  [&](auto const& B) { check_team_kernels<TypeParam>(B, host.pointers(), {.columns = 3}, m.name); });
}

ARAIA_TYPED_TEST(BcscTeamSpmm, PatternMeansOnesAndPermutedRowsGoWhereTheyBelong) {
  using Exec = typename TypeParam::exec;
  auto const m = random_matrix("pattern", 90, 70, 8);
  for (bool const values : {true, false}) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m, values);
    auto const host = host_copy(A);
    auto const permuted = sort_rows_by_length(Exec(), A);
    for (auto const& source : {A, permuted})
      with_every_form(Exec(), source, {.block_height = 32, .split = values}, [&](auto const& B) {
        check_team_kernels<TypeParam>(B, host.pointers(), {.columns = 17}, m.name);
      });
  }
}

/// Products of small integers are exact in every order of additions: the reference's bits.
ARAIA_TYPED_TEST(BcscTeamSpmm, SmallIntegersAreExact) {
  using Exec = typename TypeParam::exec;
  using Y = typename TypeParam::y;
  Exec const exec;
  auto const m = with_integer_values(random_matrix("exact", 300, 200, 10));
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  Operand<typename TypeParam::x, Exec> b(m.cols, 21, 21, 1);
  b.fill(zoo_seed, true);
  b.to_device();
  auto const host = host_copy(A);
  auto const a = host.pointers();
  std::vector<Y> expected(static_cast<std::size_t>(m.rows * 21), Y(0));
  for (std::int64_t i = 0; i < m.rows; ++i)
    for (auto k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      for (std::int64_t j = 0; j < 21; ++j)
        expected[static_cast<std::size_t>(i * 21 + j)] +=
            static_cast<Y>(a.values[k]) * static_cast<Y>(b(a.col_indices[k], j));
  auto const product = [&](auto const& B, auto const& tuning) {
    Operand<Y, Exec> c(m.rows, 21, 21, 1);
    c.to_device();
    team_spmm(exec, tuning, Y(1), B.pointers(), constant(pointers_of(b)), Y(0), pointers_of(c));
    exec.fence();
    c.from_device();
    std::vector<Y> all;
    for (std::int64_t i = 0; i < m.rows; ++i)
      for (std::int64_t j = 0; j < 21; ++j) all.push_back(c(i, j));
    return all;
  };
  for (auto const& [name, options] : all_bcsc_options())
    with_every_form(exec, A, options, [&, &name = name](auto const& B) {
      EXPECT_EQ(product(B, BcscWarpCentricTuning{}), expected) << name;
      EXPECT_EQ(product(B, with_atomics()), expected) << name;
      for (int const buffers : {1, 2}) EXPECT_EQ(product(B, with_buffers(buffers)), expected) << name;
      EXPECT_EQ(product(B, with_parts(4)), expected) << name;
    });
}

ARAIA_TYPED_TEST(BcscTeamSpmm, NonFiniteBReachesExactlyTheRowsThatStoreItsColumn) {
  using Exec = typename TypeParam::exec;
  using Y = typename TypeParam::y;
  Exec const exec;
  auto const m = random_matrix("reach", 150, 40, 5);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  Operand<typename TypeParam::x, Exec> b(m.cols, 3, 3, 1);
  b.fill(zoo_seed);
  for (std::int64_t j = 0; j < 3; ++j)
    b(17, j) = scalar_from<typename TypeParam::x>(std::numeric_limits<double>::quiet_NaN());
  b.to_device();
  auto const check = [&](auto const& B, auto const& tuning) {
    Operand<Y, Exec> c(m.rows, 3, 3, 1);
    c.to_device();
    team_spmm(exec, tuning, Y(1), B.pointers(), constant(pointers_of(b)), Y(0), pointers_of(c));
    exec.fence();
    c.from_device();
    for (std::int64_t i = 0; i < m.rows; ++i) {
      auto const first = m.col_indices.begin() + m.row_offsets[static_cast<std::size_t>(i)];
      auto const last = m.col_indices.begin() + m.row_offsets[static_cast<std::size_t>(i) + 1];
      for (std::int64_t j = 0; j < 3; ++j)
        EXPECT_EQ(!(c(i, j) == c(i, j)), std::find(first, last, 17) != last) << "row " << i;
    }
  };
  with_every_form(exec, A, {.block_height = 32, .split = true}, [&](auto const& B) {
    check(B, BcscWarpCentricTuning{});
    for (int const buffers : {1, 2}) check(B, with_buffers(buffers));
    check(B, with_parts(2));
  });
}

ARAIA_TYPED_TEST(BcscTeamSpmm, SameBitsInEveryRunWithoutAtomics) {
  using Exec = typename TypeParam::exec;
  using Y = typename TypeParam::y;
  Exec const exec;
  auto const m = random_matrix("bits", 400, 300, 20);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  auto const B = csr_to_bcsc(exec, A, {.block_height = 64});
  Operand<typename TypeParam::x, Exec> b(m.cols, 40, 40, 1);
  b.fill(zoo_seed);
  b.to_device();
  auto const product = [&](auto const& tuning) {
    Operand<Y, Exec> c(m.rows, 40, 40, 1);
    c.to_device();
    team_spmm(exec, tuning, Y(1), B.pointers(), constant(pointers_of(b)), Y(0), pointers_of(c));
    exec.fence();
    c.from_device();
    std::vector<Y> all;
    for (std::int64_t i = 0; i < m.rows; ++i)
      for (std::int64_t j = 0; j < 40; ++j) all.push_back(c(i, j));
    return all;
  };
  EXPECT_EQ(product(BcscWarpCentricTuning{}), product(BcscWarpCentricTuning{}));
  EXPECT_EQ(product(BcscTiledTuning{}), product(BcscTiledTuning{}));
  EXPECT_EQ(product(with_parts(8)), product(with_parts(8)));
}

TEST(BcscTeamSpmmArguments, ShapesAndTuningsOutOfRangeAreRefused) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  auto const A = csr_to_bcsc(exec, device_csr<double, std::int32_t, Exec>(random_matrix("arguments", 20, 30, 3)));
  Operand<double, Exec> const b(30, 4, 4, 1), c(20, 4, 4, 1);
  auto const run = [&](auto const& tuning, auto const& from, auto const& to) {
    bcsc_team_spmm(exec, tuning, 1.0, A.pointers(), constant(pointers_of(from)), 0.0, pointers_of(to));
  };
  EXPECT_EQ(kind_of([&] { run(BcscTiledTuning{}, c, b); }), ErrorKind::dimension_mismatch);
  EXPECT_EQ(kind_of([&] { run(BcscWarpCentricTuning{}, b, Operand<double, Exec>(20, 5, 5, 1)); }),
            ErrorKind::dimension_mismatch);
  for (BcscWarpCentricTuning const& tuning :
       {BcscWarpCentricTuning{7, 0, 0, false}, BcscWarpCentricTuning{64, 0, 0, false},
        BcscWarpCentricTuning{32, 9, 0, false}, BcscWarpCentricTuning{0, -1, 0, false},
        BcscWarpCentricTuning{0, 0, 2, false}})
    EXPECT_EQ(kind_of([&] { run(tuning, b, c); }), ErrorKind::invalid_argument) << tuning;
  for (BcscTiledTuning const& tuning :
       {BcscTiledTuning{4, 0, 0, 0, 0, 0}, BcscTiledTuning{0, 64, 0, 0, 0, 0}, BcscTiledTuning{32, 16, 0, 0, 0, 0},
        BcscTiledTuning{0, 0, 3, 0, 0, 0}, BcscTiledTuning{0, 0, 8, 8, 0, 0}, BcscTiledTuning{0, 0, 0, 0, 12, 0},
        BcscTiledTuning{0, 0, 0, 0, 0, 3}, BcscTiledTuning{0, 0, 0, 0, 0, 0, 3},
        BcscTiledTuning{0, 0, 0, 0, 0, 0, 2}})  // without memory for parts
    EXPECT_EQ(kind_of([&] { run(tuning, b, c); }), ErrorKind::invalid_argument) << tuning;
  std::string why;
  if (detail::is_device_space<Exec>) {  // hosts have room for every tile
    EXPECT_EQ(kind_of([&] { run(BcscTiledTuning{32, 8, 8, 4, 32, 2}, b, c); }, &why), ErrorKind::unsupported);
    EXPECT_NE(why.find("bytes of scratch memory, expected at most 30720"), std::string::npos) << why;
  } else {
    EXPECT_NO_THROW(run(BcscTiledTuning{32, 8, 8, 4, 32, 2}, b, c));
  }
  (void)kind_of([&] { run(BcscTiledTuning{0, 0, 8, 8, 0, 0}, b, c); }, &why);
  EXPECT_NE(why.find("1x1 2x1 4x1 4x4 4x8 8x4"), std::string::npos) << why;
}

/// On a device the backend's kernels have the names, but where the choice sets what these alone read.
TEST(BcscTeamPlans, RunByNameOnEverySpace) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  auto const m = random_matrix("plan", 300, 200, 10);
  auto const A = device_csr<double, std::int32_t, Exec>(m);
  auto scaled = m;
  for (double& value : scaled.values) value *= -3;
  auto const B = device_csr<double, std::int32_t, Exec>(scaled);
  for (char const* const kernel : {"warp_centric", "warp_centric_atomic", "tiled"})
    for (bool const compact : {false, true})
      for (bool const teams : {false, true}) {
        Choice choice{.format = "bcsc"};
        choice.kernel = kernel;
        choice.compact = compact;
        if (teams) choice.set(choice.kernel == "tiled" ? "buffers" : "lanes", choice.kernel == "tiled" ? 2 : 8);
        if (teams && choice.kernel == "tiled" && compact) {
          choice.set("parts", 4);
          choice.set("k_tile", 8);
        }
        choice.block_height = 32;
        for (DenseLayout const layout : {DenseLayout::right, DenseLayout::left}) {
          PlanOptions options;
          options.choice = choice;
          auto plan = make_plan(exec, SpmmDesc{.columns = 24, .layout_b = layout, .layout_c = layout}, A, options);
          EXPECT_EQ(label(plan.choice()), label(choice));
          EXPECT_TRUE(plan.verify(exec).ok) << label(choice);
          plan.update_values(exec, B.values);
          EXPECT_TRUE(plan.verify(exec).ok) << label(choice) << " with new values";
        }
      }
}

TEST(BcscTeamPlans, RefuseWhatIsNotBuilt) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  auto const A = device_csr<double, std::int32_t, Exec>(random_matrix("refused", 60, 40, 5));
  struct Asked {
    char const* kernel;
    OwnParameter first;
    OwnParameter second;
  };
  for (auto const& [kernel, first, second] :
       {Asked{"tiled", {"threads_x", 4}, {"buffers", 1}}, Asked{"tiled", {"items_x", 3}, {"buffers", 1}},
        Asked{"warp_centric", {"lanes", 32}, {"warps", 16}}}) {
    Choice choice;
    choice.format = "bcsc";
    choice.kernel = kernel;
    choice.set(first.name, first.value);
    choice.set(second.name, second.value);
    PlanOptions options;
    options.choice = choice;
    std::string why;
    (void)kind_of([&] { (void)make_plan(exec, SpmmDesc{.columns = 8}, A, options); }, &why);
    EXPECT_NE(why.find("expected"), std::string::npos) << label(choice) << ": " << why;
  }
}

}  // namespace
}  // namespace araia::test
