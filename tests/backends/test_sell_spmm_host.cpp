// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host SpMM over SELL of every storage, on every instruction set of this machine, against the reference.

#include "backends/openmp/sell_spmm_host.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "support/check.hpp"
#include "support/sell.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

using Exec = Host;

/// Held to the bound with 1 thread, the same bits with others.
template <class X, class Y, class Pointers, class Csr>
void check_columns(Pointers const& a, Csr const& csr, std::int64_t columns, bool by_rows, Y alpha, Y beta,
                   std::string const& what) {
  auto const operand = [&](auto zero, std::int64_t rows) {
    return Operand<decltype(zero), Exec>(rows, columns, by_rows ? columns + 1 : 1, by_rows ? 1 : rows + 1, 1);
  };
  auto b = operand(X(0), a.cols);
  b.fill(zoo_seed);
  if (alpha == Y(0)) b.fill_with(std::numeric_limits<X>::quiet_NaN());
  b.to_device();
  auto const c_before = [&] {
    auto c = operand(Y(0), a.rows);
    c.fill(zoo_seed + 1);
    if (beta == Y(0)) c.fill_with(std::numeric_limits<Y>::quiet_NaN());
    c.to_device();
    return c;
  };
  auto const before = c_before();
  auto const expected = expected_product(Op::none, alpha, csr, b.host(), beta, before.host());
  for (auto const isa : host::supported_isas()) {
    std::vector<Y> first;
    for (int const threads : {1, 3}) {
      auto c = c_before();
      host::sell_spmm(
          a, alpha,
          DenseBatch<X const>{
              {b.matrix().data(), a.cols, columns, by_rows ? columns + 1 : 1, by_rows ? 1 : a.cols + 1}},
          beta,
          DenseBatch<Y>{{c.matrix().data(), a.rows, columns, by_rows ? columns + 1 : 1, by_rows ? 1 : a.rows + 1}},
          EpiloguePointers<Y>{}, threads, isa);
      c.from_device();
      auto const text = what + ", " + std::string(to_string(isa)) + ", threads " + std::to_string(threads) +
                        ", columns " + std::to_string(columns);
      expect_within_bound(expected, c.host(), text);
      EXPECT_EQ(c.disturbed_bytes(), 0) << text;
      std::vector<Y> got;
      for (std::int64_t i = 0; i < a.rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) got.push_back(c(i, j));
      if (threads == 1) first = got;
      if (got.empty()) continue;  // memcmp wants addresses even of nothing
      EXPECT_EQ(std::memcmp(first.data(), got.data(), got.size() * sizeof(Y)), 0) << text << ": other bits";
    }
  }
}

template <class A, class X, class Y, class Offset>
void check_spmm(TestMatrix const& m, bool values) {
  auto const source = device_csr<A, Offset, Exec>(m, values);
  auto const csr = host_copy(source);
  for (auto const& options : sell_storages()) {
    if (fills(options) && !ascends(m)) continue;
    auto const B = csr_to_sell(Exec(), source, options);
    auto const what = m.name + ' ' + printed(options);
    check_columns<X>(B.pointers(), csr.pointers(), 5, true, Y(-0.7), Y(0.3), what);
    check_columns<X>(B.pointers(), csr.pointers(), 17, true, Y(1), Y(0), what);
    check_columns<X>(B.pointers(), csr.pointers(), 3, false, Y(2), Y(1), what + ", by columns");
    check_columns<X>(B.pointers(), csr.pointers(), 2, true, Y(0), Y(2), what);
  }
}

template <class A, class X, class Y, class Offset>
void check_spmm_types() {
  for (auto const& m : sell_zoo())
    if (m.cols < 60000) check_spmm<A, X, Y, Offset>(m, true);
  check_spmm<A, X, Y, Offset>(stencil(61, 23), true);
  check_spmm<A, X, Y, Offset>(stencil(61, 23), false);
  check_spmm<A, X, Y, Offset>(random_matrix("pattern", 90, 70, 8), false);
}

TEST(SellSpmmHost, DoubleHoldsTheBound) { check_spmm_types<double, double, double, std::int32_t>(); }
#ifndef ARAIA_TYPES_MINIMAL
TEST(SellSpmmHost, FloatHoldsTheBound) { check_spmm_types<float, float, float, std::int64_t>(); }
TEST(SellSpmmHost, FloatTimesDoubleHoldsTheBound) { check_spmm_types<float, double, double, std::int32_t>(); }
#endif

TEST(SellSpmmHost, ColumnsFurtherApartThan16Bits) {
  check_spmm<double, double, double, std::int64_t>(far_columns(), true);
}

TEST(SellSpmmHost, HoldsTheBoundOnRowsLongerThanTheStackAndEveryNumberOfColumns) {
  auto const m = with_row_lengths("long rows", 5000, {5000, 3, 2049, 0, 2047, 4000});
  auto const source = device_csr<double, std::int32_t, Exec>(m);
  auto const csr = host_copy(source);
  for (SellOptions const& options : {SellOptions{.slice_height = 4}, SellOptions{.slice_height = 2, .block_width = 4}})
    check_columns<double>(csr_to_sell(Exec(), source, options).pointers(), csr.pointers(), 9, true, 1.5, -1.0,
                          m.name + ' ' + printed(options));
  auto const grid = device_csr<double, std::int32_t, Exec>(stencil(20, 9));
  auto const grid_csr = host_copy(grid);
  auto const diagonals = csr_to_sell(Exec(), grid, {.slice_height = 16, .diagonals = true});
  for (std::int64_t const columns : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 31, 32, 33, 63, 64, 65, 127, 130})
    check_columns<double>(diagonals.pointers(), grid_csr.pointers(), columns, true, 1.0, 0.0, "diagonals");
}

TEST(SellSpmmHost, HoldsTheBoundOnACThatLeavesTheCaches) {
  auto const m = random_matrix("tall", 70000, 60, 4);
  auto const source = device_csr<double, std::int32_t, Exec>(m);
  auto const csr = host_copy(source);
  constexpr std::int64_t columns = 32;  // 18 MB
  Kokkos::View<double*, Kokkos::HostSpace> const b("test::b", static_cast<std::size_t>(m.cols * columns));
  Kokkos::View<double*, Kokkos::HostSpace> const c("test::c", static_cast<std::size_t>(m.rows * columns));
  for (std::size_t k = 0; k < b.size(); ++k) b(k) = static_cast<double>(k % 17) - 8.5;
  DenseMatrix<double const> const before{c.data(), m.rows, columns, columns, 1};
  auto const expected = expected_product(Op::none, 1.5, csr.pointers(),
                                         DenseMatrix<double const>{b.data(), m.cols, columns, columns, 1}, 0.0, before);
  for (std::int64_t const window : {1, 256}) {
    auto const B = csr_to_sell(Exec(), source, {.slice_height = 32, .sort_window = window});
    Kokkos::deep_copy(c, std::numeric_limits<double>::quiet_NaN());
    host::sell_spmm(B.pointers(), 1.5, DenseBatch<double const>{{b.data(), m.cols, columns, columns, 1}}, 0.0,
                    DenseBatch<double>{{c.data(), m.rows, columns, columns, 1}}, EpiloguePointers<double>{}, 2);
    expect_within_bound(expected, before, "sorted in windows of " + std::to_string(window));
  }
}

TEST(SellSpmmHost, NonFiniteValuesReachTheRowsThatStoreTheirColumn) {
  auto const m = stencil(20, 9);
  auto const source = device_csr<double, std::int32_t, Exec>(m);
  constexpr std::int64_t columns = 9;
  for (double const poison : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (auto const& options : sell_storages()) {
      auto const B = csr_to_sell(Exec(), source, options);
      for (std::int32_t const column : {0, 77, 179}) {
        std::vector<double> b(static_cast<std::size_t>(m.cols * columns), 1.0);
        b[static_cast<std::size_t>(column * columns + 4)] = poison;
        std::vector<double> c(static_cast<std::size_t>(m.rows * columns), 5.0);
        host::sell_spmm(B.pointers(), 1.0, DenseBatch<double const>{{b.data(), m.cols, columns, columns, 1}}, 0.0,
                        DenseBatch<double>{{c.data(), m.rows, columns, columns, 1}}, EpiloguePointers<double>{}, 2);
        for (std::size_t i = 0; i < static_cast<std::size_t>(m.rows); ++i) {
          auto const begin = m.col_indices.begin() + m.row_offsets[i];
          auto const end = m.col_indices.begin() + m.row_offsets[i + 1];
          bool const stored = std::find(begin, end, column) != end;
          for (std::size_t j = 0; j < columns; ++j)
            EXPECT_EQ(std::isfinite(c[i * columns + j]), j != 4 || !stored)
                << "row " << i << ", column " << column << ' ' << printed(options);
        }
      }
    }
}

}  // namespace
}  // namespace araia::test
