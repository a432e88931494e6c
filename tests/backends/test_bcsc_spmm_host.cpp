// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host SpMM over BCSC of every form, on every instruction set of this machine, against the reference.

#include "backends/openmp/bcsc_spmm_host.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "backends/openmp/past_cache.hpp"
#include "backends/openmp/reference/epilogue.hpp"
#include "support/bcsc.hpp"
#include "support/check.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

using Exec = Host;

/// Operands and what is done with them.
template <class X>
struct Case {
  std::int64_t columns = 5;
  X alpha = X(-0.7);
  X beta = X(0.3);
  std::int64_t padding = 1;  // of rows of B and C
  std::int64_t first = 1;    // element of their buffers
  bool c_by_rows = true;
  int parts = 0;  // of the epilogue: 1 bias of rows, 2 of columns, 4 residual, 8 ReLU
};

template <class X>
Operand<X, Exec> operand(std::int64_t rows, Case<X> const& t, bool by_rows = true) {
  return by_rows ? Operand<X, Exec>(rows, t.columns, t.columns + t.padding, 1, t.first)
                 : Operand<X, Exec>(rows, t.columns, 1, rows + t.padding, t.first);
}

/// Held to the bound with 1 thread, the same bits with others.
template <class X, class Pointers, class Csr>
void check(Pointers const& a, Csr const& csr, Case<X> const& t, std::string const& what) {
  constexpr X nan = std::numeric_limits<X>::quiet_NaN();
  auto b = operand<X>(a.cols, t);
  b.fill(zoo_seed);
  if (t.alpha == X(0)) b.fill_with(nan);
  b.to_device();
  auto const c_before = [&] {
    auto c = operand<X>(a.rows, t, t.c_by_rows);
    c.fill(zoo_seed + 1);
    if (t.beta == X(0)) c.fill_with(nan);
    c.to_device();
    return c;
  };
  auto const before = c_before();
  auto residual = operand<X>(a.rows, t);
  residual.fill(zoo_seed + 2);
  residual.to_device();
  Operand<X, Exec> bias(std::max(a.rows, t.columns), 1, 1, 1);
  bias.fill(zoo_seed + 3);
  bias.to_device();
  EpiloguePointers<X> e;
  if (t.parts & 1) e.row_bias = bias.vector().data();
  if (t.parts & 2) e.column_bias = bias.vector().data();
  if (t.parts & 4) {
    e.residual = residual.matrix().data();
    e.residual_row_stride = t.columns + t.padding;
  }
  e.relu = (t.parts & 8) != 0;
  auto const product = expected_product(Op::none, t.alpha, csr, b.host(), t.beta, before.host());
  auto const expected = reference::with_epilogue(product, e);
  for (auto const isa : host::supported_isas()) {
    std::vector<X> first;
    for (int const threads : {1, 3}) {
      auto c = c_before();
      host::bcsc_spmm(a, t.alpha, DenseBatch<X const>{{b.matrix().data(), a.cols, t.columns, t.columns + t.padding, 1}},
                      t.beta,
                      DenseBatch<X>{{c.matrix().data(), a.rows, t.columns, t.c_by_rows ? t.columns + t.padding : 1,
                                     t.c_by_rows ? 1 : a.rows + t.padding}},
                      e, threads, isa);
      c.from_device();
      auto const text = what + ", " + std::string(to_string(isa)) + ", threads " + std::to_string(threads) +
                        ", columns " + std::to_string(t.columns) + ", parts " + std::to_string(t.parts);
      if (threads == 1) {
        expect_within_bound(expected, c.host(), text);
        EXPECT_EQ(c.disturbed_bytes(), 0) << text;
      }
      std::vector<X> got;
      for (std::int64_t i = 0; i < a.rows; ++i)
        for (std::int64_t j = 0; j < t.columns; ++j) got.push_back(c(i, j));
      if (threads == 1) first = got;
      if (got.empty()) continue;  // memcmp wants addresses even of nothing
      EXPECT_EQ(std::memcmp(first.data(), got.data(), got.size() * sizeof(X)), 0) << text << ": other bits";
    }
  }
}

/// run(pointers, name) for the wide form and the compact ones, as far as the height allows.
template <class Csr, class Run>
void with_every_form(Csr const& source, BcscOptions const& options, Run const& run) {
  auto const B = csr_to_bcsc(Exec(), source, options);
  run(B.pointers(), "wide");
  run(compact_bcsc<std::uint16_t>(Exec(), B).pointers(), "compact 16");
  if (B.block_height > 256 && B.rows > 256) return;
  run(compact_bcsc(Exec(), B).pointers(), "compact");
  run(compact_bcsc(Exec(), B, BcscColumns::wide).pointers(), "compact with whole columns");
}

template <class A, class X, class Offset>
void check_types() {
  std::size_t turn = 0;
  for (auto const& m : bcsc_zoo()) {
    bool const pattern = turn % 4 == 3;
    auto const source = device_csr<A, Offset, Exec>(m, !pattern);
    auto const csr = host_copy(source);
    // Every matrix meets a third of the options, every option a third of the matrices.
    for (std::size_t k = turn++ % 3; k < all_bcsc_options().size(); k += 3)
      with_every_form(source, all_bcsc_options()[k].second, [&](auto const& a, char const* form) {
        auto const what = m.name + ", " + all_bcsc_options()[k].first + ", " + form;
        check<X>(a, csr.pointers(), {.columns = 5}, what);
        check<X>(a, csr.pointers(), {.columns = 17, .alpha = X(1), .beta = X(0), .padding = 0, .first = 0}, what);
        check<X>(a, csr.pointers(), {.columns = 9, .alpha = X(2), .beta = X(1), .c_by_rows = false}, what);
        check<X>(a, csr.pointers(), {.columns = 2, .alpha = X(0), .beta = X(2)}, what);
        check<X>(a, csr.pointers(), {.columns = 6, .beta = X(0), .parts = 1 + static_cast<int>(turn % 15)}, what);
      });
    if (testing::Test::HasFailure()) return;
  }
}

TEST(BcscSpmmHost, DoubleHoldsTheBound) { check_types<double, double, std::int32_t>(); }
#ifndef ARAIA_TYPES_MINIMAL
TEST(BcscSpmmHost, FloatHoldsTheBound) { check_types<float, float, std::int64_t>(); }
TEST(BcscSpmmHost, FloatTimesDoubleHoldsTheBound) { check_types<float, double, std::int32_t>(); }
#endif

template <class X>
void check_every_number_of_columns() {
  auto const m = random_matrix("columns", 75, 60, 7);
  auto const source = device_csr<X, std::int32_t, Exec>(m);
  auto const csr = host_copy(source);
  auto const B = csr_to_bcsc(Exec(), source, {.block_height = 32});
  std::vector<std::int64_t> counts{31, 32, 33, 40, 48, 56, 63, 64, 65, 72, 100, 127, 128, 130, 200, 257};
  for (std::int64_t n = 0; n <= 17; ++n) counts.push_back(n);
  for (std::int64_t const columns : counts)
    for (bool const odd : {false, true})
      check<X>(
          B.pointers(), csr.pointers(),
          {.columns = columns, .alpha = X(2), .beta = X(odd ? -1 : 0), .padding = odd ? 3 : 0, .first = odd ? 3 : 0},
          "every number of columns");
}
TEST(BcscSpmmHost, HoldsTheBoundOnEveryNumberOfColumns) {
  check_every_number_of_columns<double>();
#ifndef ARAIA_TYPES_MINIMAL
  check_every_number_of_columns<float>();
#endif
}

TEST(BcscSpmmHost, HoldsTheBoundWithEveryEpilogue) {
  auto const m = random_matrix("epilogues", 90, 70, 8);
  auto const source = sort_rows_by_length(Exec(), device_csr<double, std::int32_t, Exec>(m));
  auto const csr = host_copy(source);
  with_every_form(source, {.block_height = 16}, [&](auto const& a, char const* form) {
    for (int parts = 1; parts < 16; ++parts)
      for (bool const by_rows : {true, false})
        check<double>(
            a, csr.pointers(),
            {.columns = parts % 2 ? 37 : 16, .beta = parts % 3 ? 0.0 : 0.5, .c_by_rows = by_rows, .parts = parts},
            std::string("permuted, ") + form);
  });
}

TEST(BcscSpmmHost, BlocksTallerThanATileGoInWindows) {
  auto const m = random_matrix("tall block", 7000, 40, 3);
  auto const source = device_csr<double, std::int32_t, Exec>(m);
  auto const csr = host_copy(source);
  auto const pattern = device_csr<double, std::int32_t, Exec>(m, false);
  auto const pattern_csr = host_copy(pattern);
  for (std::int64_t const columns : {1, 5, 19, 40})
    for (bool const split : {false, true}) {
      with_every_form(source, {.block_height = 9000, .split = split}, [&](auto const& a, char const* form) {
        check<double>(a, csr.pointers(), {.columns = columns}, m.name + ", " + form);
      });
      with_every_form(pattern, {.block_height = 9000, .split = split}, [&](auto const& a, char const* form) {
        check<double>(a, pattern_csr.pointers(), {.columns = columns}, m.name + ", pattern, " + form);
      });
    }
}

/// Few blocks are shared out by panels and windows, more by their work: with the same bits.
TEST(BcscSpmmHost, BitsDoNotDependOnThreads) {
  auto const m = random_matrix("threads", 5000, 300, 9);
  auto const source = device_csr<double, std::int32_t, Exec>(m);
  constexpr std::int64_t columns = 68;
  std::vector<double> b(static_cast<std::size_t>(m.cols * columns));
  for (std::size_t k = 0; k < b.size(); ++k) b[k] = static_cast<double>(k % 23) / 7 - 1.5;
  std::vector<double> const bias(static_cast<std::size_t>(m.rows), 0.25);
  for (auto const& options : {BcscOptions{.block_height = 5000}, BcscOptions{.block_height = 2000, .split = true},
                              BcscOptions{.block_height = 100, .heights = BcscHeights::by_entries, .split = true},
                              BcscOptions{.block_height = 128}})
    with_every_form(source, options, [&](auto const& a, char const* form) {
      for (double const beta : {0.0, 0.5}) {
        std::vector<double> first;
        for (int const threads : {1, 2, 3, 7, 16}) {
          std::vector<double> c(static_cast<std::size_t>(m.rows * columns), 1.5);
          host::bcsc_spmm(a, 1.25, DenseBatch<double const>{{b.data(), m.cols, columns, columns, 1}}, beta,
                          DenseBatch<double>{{c.data(), m.rows, columns, columns, 1}},
                          EpiloguePointers<double>{.row_bias = bias.data(), .relu = true}, threads);
          if (threads == 1) first = c;
          EXPECT_EQ(std::memcmp(first.data(), c.data(), c.size() * sizeof(double)), 0)
              << form << ", height " << options.block_height << ", threads " << threads << ", beta " << beta;
        }
      }
    });
}

/// C of 16 MiB and more, aligned to 64 B, takes other stores.
TEST(BcscSpmmHost, HoldsTheBoundOnACThatLeavesTheCaches) {
  auto const m = random_matrix("tall", 70000, 60, 4);
  auto const source = device_csr<double, std::int32_t, Exec>(m);
  auto const csr = host_copy(source);
  constexpr std::int64_t columns = 36;  // 22 MB; the last panel has half a line
  constexpr std::int64_t ld = 40;
  Kokkos::View<double*, Kokkos::HostSpace> const b("test::b", static_cast<std::size_t>(m.cols * columns));
  Kokkos::View<double*, Kokkos::HostSpace> const c("test::c", static_cast<std::size_t>(m.rows * ld));
  for (std::size_t k = 0; k < b.size(); ++k) b(k) = static_cast<double>(k % 17) - 8.5;
  DenseMatrix<double const> const before{c.data(), m.rows, columns, ld, 1};
  EpiloguePointers<double> const epilogue{.column_bias = b.data(), .relu = true};
  auto const expected = reference::with_epilogue(
      expected_product(Op::none, 1.5, csr.pointers(), DenseMatrix<double const>{b.data(), m.cols, columns, columns, 1},
                       0.0, before),
      epilogue);
  auto const B = csr_to_bcsc_compact(Exec(), source, {.block_height = 128});
  for (auto const isa : host::supported_isas()) {
    Kokkos::deep_copy(c, std::numeric_limits<double>::quiet_NaN());
    DenseBatch<double> const result{{c.data(), m.rows, columns, ld, 1}};
    ASSERT_EQ(host::goes_past_cache(result, 0), reinterpret_cast<std::uintptr_t>(c.data()) % 64 == 0);
    host::bcsc_spmm(B.pointers(), 1.5, DenseBatch<double const>{{b.data(), m.cols, columns, columns, 1}}, 0.0, result,
                    epilogue, 2, isa);
    expect_within_bound(expected, before, std::string(to_string(isa)));
  }
}

TEST(BcscSpmmHost, ItemsOfABatchAreProductsOfTheirOwn) {
  auto const m = random_matrix("batch", 80, 50, 6);
  auto const B = csr_to_bcsc(Exec(), device_csr<double, std::int32_t, Exec>(m), {.block_height = 32});
  constexpr std::int64_t columns = 7;
  constexpr std::int64_t items = 3;
  std::vector<double> b(static_cast<std::size_t>(items * m.cols * columns));
  for (std::size_t k = 0; k < b.size(); ++k) b[k] = static_cast<double>(k % 13) - 6;
  std::vector<double> together(static_cast<std::size_t>(items * m.rows * columns));
  auto apart = together;
  host::bcsc_spmm(B.pointers(), 1.5,
                  DenseBatch<double const>{{b.data(), m.cols, columns, columns, 1}, items, m.cols * columns}, 0.0,
                  DenseBatch<double>{{together.data(), m.rows, columns, columns, 1}, items, m.rows * columns},
                  EpiloguePointers<double>{}, 2);
  for (std::int64_t i = 0; i < items; ++i)
    host::bcsc_spmm(B.pointers(), 1.5,
                    DenseBatch<double const>{{b.data() + i * m.cols * columns, m.cols, columns, columns, 1}}, 0.0,
                    DenseBatch<double>{{apart.data() + i * m.rows * columns, m.rows, columns, columns, 1}},
                    EpiloguePointers<double>{}, 2);
  EXPECT_EQ(together, apart);
}

TEST(BcscSpmmHost, ZeroAlphaReadsNeitherMatrix) {
  BcscPointers<double, std::int32_t, std::int32_t> const unreadable{
      .rows = 2, .cols = 2, .nnz = 4, .blocks = 1, .block_columns = 2, .block_height = 2};
  DenseBatch<double const> const no_b{{nullptr, 2, 2, 2, 1}};
  std::vector<double> c{1, std::numeric_limits<double>::quiet_NaN(), 3, 4};
  DenseBatch<double> const cs{{c.data(), 2, 2, 2, 1}};
  host::bcsc_spmm(unreadable, 0.0, no_b, 2.0, cs, EpiloguePointers<double>{}, 2);
  EXPECT_EQ(c[0], 2);
  EXPECT_TRUE(std::isnan(c[1]));
  EXPECT_EQ(c[3], 8);
  host::bcsc_spmm(unreadable, 0.0, no_b, 0.0, cs, EpiloguePointers<double>{}, 2);
  EXPECT_EQ(c, (std::vector<double>{0, 0, 0, 0}));
}

TEST(BcscSpmmHost, NonFiniteValuesReachTheRowsThatStoreTheirColumn) {
  auto const m = stencil(20, 9);
  auto const source = device_csr<double, std::int32_t, Exec>(m);
  for (double const poison : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (std::int64_t const columns : {1, 9, 21})
      for (std::int32_t const column : {0, 77, 179})
        with_every_form(source, {.block_height = 32}, [&](auto const& a, char const* form) {
          std::int64_t const poisoned = columns / 2;
          std::vector<double> b(static_cast<std::size_t>(m.cols * columns), 1.0);
          b[static_cast<std::size_t>(column * columns + poisoned)] = poison;
          std::vector<double> c(static_cast<std::size_t>(m.rows * columns), 5.0);
          host::bcsc_spmm(a, 1.0, DenseBatch<double const>{{b.data(), m.cols, columns, columns, 1}}, 0.0,
                          DenseBatch<double>{{c.data(), m.rows, columns, columns, 1}}, EpiloguePointers<double>{}, 2);
          for (std::size_t i = 0; i < static_cast<std::size_t>(m.rows); ++i) {
            auto const begin = m.col_indices.begin() + m.row_offsets[i];
            auto const end = m.col_indices.begin() + m.row_offsets[i + 1];
            bool const stored = std::find(begin, end, column) != end;
            for (std::int64_t j = 0; j < columns; ++j)
              EXPECT_EQ(std::isfinite(c[i * static_cast<std::size_t>(columns) + static_cast<std::size_t>(j)]),
                        j != poisoned || !stored)
                  << "row " << i << ", column " << column << ", " << form;
          }
        });
}

TEST(BcscSpmmHostOperands, NeedRowsOfB) {
  EXPECT_TRUE(host::bcsc_spmm_supports(DenseMatrix<double const>{nullptr, 4, 4, 5, 1}));
  EXPECT_FALSE(host::bcsc_spmm_supports(DenseMatrix<double const>{nullptr, 4, 4, 1, 4}));
  EXPECT_FALSE(host::bcsc_spmm_supports(DenseMatrix<double const>{nullptr, 4, 4, 20, 2}));
  EXPECT_TRUE(host::bcsc_spmm_supports(DenseMatrix<double const>{nullptr, 4, 1, 20, 2}));
}

}  // namespace
}  // namespace araia::test
