// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What tests of the host SpMM in Csr order share: caches, and products held to the bound.

#include "backends/openmp/csr_spmm_host.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "backends/csr_zoo.hpp"
#include "backends/dense_fill.hpp"
#include "backends/epilogue_operands.hpp"
#include "backends/openmp/reference/epilogue.hpp"
#include "support/backend_types.hpp"
#include "support/reference.hpp"

namespace araia::test {

/// Caches that no operand fits into, and that all do: what is asked for ahead, and in which order rows go.
inline host::Caches with_last(std::int64_t bytes) {
  auto of = host::caches();
  of.last = bytes;
  of.sharers = 1 << 20;  // so that their second-level caches are no bound
  return of;
}
inline host::Caches const from_memory = with_last(1);
inline host::Caches const in_cache = with_last(std::int64_t{1} << 40);

/// Computes with 1 thread, checks it, and compares other thread counts bit by bit.
template <class TypeParam>
void expect_right_spmm(ZooPattern const& pattern, std::int64_t columns, Layouts layouts, bool with_values,
                       std::int64_t padding, std::size_t first, typename TypeParam::Y alpha,
                       typename TypeParam::Y beta) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  ZooMatrix<typename TypeParam::A, typename TypeParam::Offset> const m(pattern, with_values, false, first);
  auto const a = m.pointers();
  auto const runs = host::csr_row_runs(a, 2);
  Dense<X> b(m.cols, columns, layouts.b_by_rows, padding, first, not_a_number<X>);
  b.fill(wave);
  Dense<Y> before(m.rows, columns, layouts.c_by_rows, padding, first, canary<Y>);
  before.fill([&](auto i, auto j) { return beta == Y(0) ? double(not_a_number<Y>) : wave(i + 99, j); });
  ASSERT_TRUE(host::csr_spmm_supports(b.constant(), before.constant()));
  auto const expected = reference::spmm(Op::none, alpha, a, b.constant(), beta, before.constant());
  std::vector<std::pair<host::Isa, host::Caches>> cases;
  for (auto const isa : host::supported_isas()) cases.emplace_back(isa, from_memory);
  cases.emplace_back(host::isa(), in_cache);
  for (auto const& [isa, of] : cases) {
    auto without_runs = before;
    host::csr_spmm(a, alpha, b.constant(), beta, without_runs.matrix(), 1, nullptr, isa, of);
    for (auto const* const r : {static_cast<host::CsrRowRuns const*>(nullptr), &runs}) {
      SCOPED_TRACE(pattern.name + ", " + std::string(host::to_string(isa)) +
                   (of.last == in_cache.last ? ", in cache" : "") + (r ? ", runs" : "") +
                   (with_values ? "" : ", ones") + ", columns " + std::to_string(columns) + ", first " +
                   std::to_string(first) + (layouts.b_by_rows ? ", B by rows" : ", B by columns") +
                   (layouts.c_by_rows ? ", C by rows" : ", C by columns"));
      auto one = before;
      host::csr_spmm(a, alpha, b.constant(), beta, one.matrix(), 1, r, isa, of);
      auto const report = reference::check(expected, one.constant());
      EXPECT_TRUE(report.ok()) << report.violations << " wrong, first at " << report.first_bad_row << ", "
                               << report.first_bad_column << ": " << report.got << " for " << report.expected << " +- "
                               << report.bound;
      EXPECT_TRUE(one.untouched_outside(canary<Y>));
      EXPECT_TRUE(one.same_bits(without_runs));
      for (int const threads : {2, 7}) {
        auto many = before;
        host::csr_spmm(a, alpha, b.constant(), beta, many.matrix(), threads, r, isa, of);
        EXPECT_TRUE(many.same_bits(one)) << threads << " threads";
      }
    }
  }
}

/// Bias, residual and ReLU on a batch of three: each item held to the bound, the same bits on any number of threads.
template <class TypeParam>
void expect_right_spmm_epilogue(ZooPattern const& pattern, std::int64_t columns, Layouts layouts, bool contiguous,
                                typename TypeParam::Y alpha, typename TypeParam::Y beta) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  constexpr std::int64_t items = 3;
  ZooMatrix<typename TypeParam::A, typename TypeParam::Offset> const m(pattern, true, false, 0);
  auto const a = m.pointers();
  auto const runs = host::csr_row_runs(a, 2);
  // Items one below the other, or side by side.
  Dense<X> b(layouts.b_by_rows ? items * m.cols : m.cols, layouts.b_by_rows ? columns : items * columns,
             layouts.b_by_rows, 1, 0, not_a_number<X>);
  Dense<Y> before(layouts.c_by_rows ? items * m.rows : m.rows, layouts.c_by_rows ? columns : items * columns,
                  layouts.c_by_rows, 1, 0, canary<Y>);
  b.fill(wave);
  before.fill([&](auto i, auto j) { return beta == Y(0) ? double(not_a_number<Y>) : wave(i + 99, j); });
  EpilogueOperands<Y> const operands(items, m.rows, columns, contiguous);
  auto const batch = [&]<class T>(DenseMatrix<T> whole, std::int64_t rows, bool by_rows) {
    whole.rows = rows;
    whole.columns = columns;
    return DenseBatch<T>{whole, items, by_rows ? rows * whole.row_stride : columns * whole.column_stride};
  };
  auto const bs = batch(b.constant(), m.cols, layouts.b_by_rows);
  auto const was = batch(before.constant(), m.rows, layouts.c_by_rows);
  std::vector<reference::Expected<Y>> products;
  for (std::int64_t i = 0; i < items; ++i)
    products.push_back(reference::spmm(Op::none, alpha, a, bs.item(i), beta, was.item(i)));
  for (int const parts : {1, 2, 4, 8, 15}) {
    auto const e = operands.pointers(parts);
    for (auto const isa : host::supported_isas()) {
      SCOPED_TRACE(pattern.name + ", " + std::string(host::to_string(isa)) + ", parts " + std::to_string(parts) +
                   ", columns " + std::to_string(columns) + (layouts.b_by_rows ? ", B by rows" : ", B by columns") +
                   (layouts.c_by_rows ? ", C by rows" : ", C by columns"));
      auto one = before;
      host::csr_spmm(a, alpha, bs, beta, batch(one.matrix(), m.rows, layouts.c_by_rows), e, 1, nullptr, isa,
                     from_memory);
      auto const is = batch(one.constant(), m.rows, layouts.c_by_rows);
      for (std::int64_t i = 0; i < items; ++i) {
        auto const report =
            reference::check(reference::with_epilogue(products[static_cast<std::size_t>(i)], e.item(i)), is.item(i));
        EXPECT_TRUE(report.ok()) << "item " << i << ": " << report.violations << " wrong, first at "
                                 << report.first_bad_row << ", " << report.first_bad_column << ": " << report.got
                                 << " for " << report.expected << " +- " << report.bound;
      }
      EXPECT_TRUE(one.untouched_outside(canary<Y>));
      auto many = before;
      host::csr_spmm(a, alpha, bs, beta, batch(many.matrix(), m.rows, layouts.c_by_rows), e, 7, &runs, isa, in_cache);
      EXPECT_TRUE(many.same_bits(one)) << "7 threads, runs, in cache";
    }
  }
}

}  // namespace araia::test
