// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Products of hosts' kernels with a matrix that they hold, on every instruction set of this machine: within the bound,
// nothing written beside C, and the same bits for any number of threads.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "backends/csr_zoo.hpp"
#include "backends/dense_fill.hpp"
#include "backends/epilogue_operands.hpp"
#include "backends/openmp/isa.hpp"
#include "backends/openmp/reference/epilogue.hpp"
#include "support/reference.hpp"

namespace araia::test {

/// Where C = alpha A B + beta C is checked: sizes and places of B and C.
struct ProductCase {
  std::int64_t columns;
  Layouts layouts{true, true};
  std::int64_t padding = 0;
  std::size_t first = 0;
};

/// \param multiply  multiply(isa, alpha, b, beta, c, epilogue, threads), b and c batches, on what holds m
template <class X, class Multiply>
void expect_right_product(ZooMatrix<X, std::int32_t> const& m, std::string const& what, ProductCase const& at, X alpha,
                          X beta, Multiply const& multiply) {
  Dense<X> b(m.cols, at.columns, at.layouts.b_by_rows, at.padding, at.first, not_a_number<X>);
  b.fill([&](auto i, auto j) { return alpha == X(0) ? double(not_a_number<X>) : wave(i, j); });  // which is not read
  Dense<X> before(m.rows, at.columns, at.layouts.c_by_rows, at.padding, at.first, canary<X>);
  before.fill([&](auto i, auto j) { return beta == X(0) ? double(not_a_number<X>) : wave(i + 99, j); });
  auto const expected = reference::spmm(Op::none, alpha, m.pointers(), b.constant(), beta, before.constant());
  for (auto const isa : host::supported_isas()) {
    SCOPED_TRACE(what + ", " + std::string(host::to_string(isa)) + ", columns " + std::to_string(at.columns) +
                 (at.layouts.b_by_rows ? ", B by rows" : ", B by columns") +
                 (at.layouts.c_by_rows ? ", C by rows" : ", C by columns"));
    auto const product = [&](Dense<X>& c, int threads) {
      multiply(isa, alpha, DenseBatch<X const>{b.constant()}, beta, DenseBatch<X>{c.matrix()}, EpiloguePointers<X>{},
               threads);
    };
    auto one = before;
    product(one, 1);
    auto const report = reference::check(expected, one.constant());
    EXPECT_TRUE(report.ok()) << report.violations << " wrong, first at " << report.first_bad_row << ", "
                             << report.first_bad_column << ": " << report.got << " for " << report.expected << " +- "
                             << report.bound;
    EXPECT_TRUE(one.untouched_outside(canary<X>));
    for (int const threads : {2, 7}) {
      auto many = before;
      product(many, threads);
      EXPECT_TRUE(many.same_bits(one)) << threads << " threads";
    }
  }
}

/// Three items by so many columns, with biases, a residual and ReLU in several combinations, contiguous and not.
template <class X, class Multiply>
void expect_right_batches(ZooMatrix<X, std::int32_t> const& m, std::int64_t columns, Multiply const& multiply) {
  constexpr std::int64_t items = 3;
  for (bool const contiguous : {true, false})
    for (int const parts : {1, 2, 4, 8, 15}) {
      Dense<X> b(items * m.cols, columns, true, 1, 0, not_a_number<X>);
      b.fill(wave);
      Dense<X> before(items * m.rows, columns, true, 1, 0, canary<X>);
      before.fill([](auto i, auto j) { return wave(i + 99, j); });
      EpilogueOperands<X> const operands(items, m.rows, columns, contiguous);
      auto const batch = [&]<class T>(DenseMatrix<T> whole, std::int64_t rows) {
        whole.rows = rows;
        return DenseBatch<T>{whole, items, rows * whole.row_stride};
      };
      auto const e = operands.pointers(parts);
      auto const bs = batch(b.constant(), m.cols);
      auto const was = batch(before.constant(), m.rows);
      for (auto const isa : host::supported_isas()) {
        auto one = before;
        multiply(isa, X(2), bs, X(-1), batch(one.matrix(), m.rows), e, 1);
        auto const is = batch(one.constant(), m.rows);
        for (std::int64_t i = 0; i < items; ++i) {
          auto const product = reference::spmm(Op::none, X(2), m.pointers(), bs.item(i), X(-1), was.item(i));
          auto const report = reference::check(reference::with_epilogue(product, e.item(i)), is.item(i));
          EXPECT_TRUE(report.ok()) << "item " << i << ", parts " << parts << ", columns " << columns << ": "
                                   << report.got << " for " << report.expected << " +- " << report.bound;
        }
        EXPECT_TRUE(one.untouched_outside(canary<X>));
        auto many = before;
        multiply(isa, X(2), bs, X(-1), batch(many.matrix(), m.rows), e, 7);
        EXPECT_TRUE(many.same_bits(one)) << "7 threads";
      }
    }
}

/// A pruned layer, one row without entries, one with all, columns of one row in no order.
inline ZooPattern pruned_layer_pattern(std::int64_t rows, std::int32_t cols, double density) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(0, 1);
  ZooPattern pattern;
  pattern.name = "layer";
  pattern.cols = cols;
  for (std::int64_t i = 0; i < rows; ++i) {
    std::vector<std::int32_t> columns;
    for (std::int32_t c = 0; c < cols; ++c)
      if (i != 60 && (i == 61 || unit(random) < density)) columns.push_back(c);
    if (i == 50) std::shuffle(columns.begin(), columns.end(), random);
    pattern.add_row(columns);
  }
  return pattern;
}

/// The pattern with its rows in another order.
inline ZooPattern permuted(ZooPattern pattern) {
  pattern.row_permutation.resize(static_cast<std::size_t>(pattern.rows));
  for (std::int64_t i = 0; i < pattern.rows; ++i)
    pattern.row_permutation[static_cast<std::size_t>(i)] = static_cast<std::int32_t>((i * 100 + 7) % pattern.rows);
  return pattern;
}

}  // namespace araia::test
