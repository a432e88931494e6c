// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host SELL SpMV on every instruction set of this machine, over every storage, against the reference.

#include "backends/openmp/sell_spmv_host.hpp"

#include <algorithm>
#include <araia/ops/spmv.hpp>
#include <array>
#include <utility>
#include <vector>

#include "support/check.hpp"
#include "support/sell.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

using Exec = Host;

std::vector<SellOptions> storages_of_equal_heights() {
  std::vector<SellOptions> list;
  for (auto options : sell_storages()) {
    if (options.least_slice_height != 0 || options.slice_height % host::sell_height_step != 0) continue;
    list.push_back(options);
  }
  // Diagonals go by 8, 16 or 32 rows at once, as the height allows.
  for (std::int64_t const height : {16, 24, 64})
    list.push_back({.slice_height = height, .diagonals = true, .columns = SellColumns::least_bytes});
  list.push_back({.slice_height = 16, .sort_window = 64, .block_width = 2, .columns = SellColumns::least_bytes});
  return list;
}

/// Instruction sets of this machine, those that gather with and without it.
std::vector<std::pair<host::Isa, bool>> ways_to_fetch() {
  std::vector<std::pair<host::Isa, bool>> ways;
  for (auto const isa : host::supported_isas()) ways.emplace_back(isa, false);
  if (host::supported_isas().back() == host::Isa::v4) ways.emplace_back(host::Isa::v4, true);
  return ways;
}

template <class A, class X, class Y, class Offset>
void check_matrix(TestMatrix const& m, bool values) {
  auto const source = device_csr<A, Offset, Exec>(m, values);
  auto const csr = host_copy(source);
  for (auto const& options : storages_of_equal_heights()) {
    if (fills(options) && !ascends(m)) continue;
    auto const B = csr_to_sell(Exec(), source, options);
    auto const a = B.pointers();
    EXPECT_EQ(host::sell_spmv_supports(a), values || B.fill == 0) << printed(options);
    if (!host::sell_spmv_supports(a)) continue;
    for (auto const& [alpha, beta] : std::array<std::array<Y, 2>, 4>{{{1, 0}, {Y(-0.7), Y(0.3)}, {0, 2}, {2, 1}}})
      for (std::int64_t const offset : {0, 1}) {
        Operand<X, Exec> x(m.cols, 1, 1, 1, offset);
        Operand<Y, Exec> before(m.rows, 1, 1, 1, offset);
        x.fill(zoo_seed);
        before.fill(zoo_seed + 1);
        if (beta == Y(0)) before.fill_with(std::numeric_limits<Y>::quiet_NaN());
        if (alpha == Y(0)) x.fill_with(std::numeric_limits<X>::quiet_NaN());
        x.to_device();
        auto const expected = expected_product(Op::none, alpha, csr.pointers(), x.host(), beta, before.host());
        std::vector<Y> first;
        for (auto const& [isa, gathers] : ways_to_fetch())
          for (int const threads : {1, 2, 3}) {
            Operand<Y, Exec> y(m.rows, 1, 1, 1, offset);  // a copy of `before` would share its elements
            y.fill(zoo_seed + 1);
            if (beta == Y(0)) y.fill_with(std::numeric_limits<Y>::quiet_NaN());
            y.to_device();
            host::sell_spmv(a, alpha, DenseVector<X const>{x.vector().data(), m.cols, 1}, beta,
                            DenseVector<Y>{y.vector().data(), m.rows, 1}, threads, isa, gathers);
            y.from_device();
            auto const what = m.name + ' ' + printed(options) + ' ' + std::string(to_string(isa)) +
                              (gathers ? ", gathers" : "") + ", threads " + std::to_string(threads);
            expect_within_bound(expected, y.host(), what);
            EXPECT_EQ(y.disturbed_bytes(), 0) << what;
            std::vector<Y> const got(y.vector().data(), y.vector().data() + m.rows);
            if (threads == 1 && !gathers) first = got;  // and gathers change no bit
            if (got.empty()) continue;                  // memcmp wants addresses even of nothing
            EXPECT_EQ(std::memcmp(first.data(), got.data(), got.size() * sizeof(Y)), 0) << what << ": other bits";
          }
      }
  }
}

template <class A, class X, class Y, class Offset>
void check_types() {
  for (auto const& m : sell_zoo())
    if (m.cols < 60000) check_matrix<A, X, Y, Offset>(m, true);
  check_matrix<A, X, Y, Offset>(stencil(61, 23), true);
  check_matrix<A, X, Y, Offset>(stencil(61, 23), false);
  check_matrix<A, X, Y, Offset>(random_matrix("pattern", 90, 70, 8), false);
}

TEST(SellSpmvHost, DoubleHoldsTheBound) { check_types<double, double, double, std::int32_t>(); }
#ifndef ARAIA_TYPES_MINIMAL
TEST(SellSpmvHost, FloatHoldsTheBound) { check_types<float, float, float, std::int64_t>(); }
TEST(SellSpmvHost, FloatTimesDoubleHoldsTheBound) { check_types<float, double, double, std::int32_t>(); }
#endif

TEST(SellSpmvHost, ColumnsFurtherApartThan16Bits) {
  check_matrix<double, double, double, std::int64_t>(far_columns(), true);
}

TEST(SellSpmvHost, NonFiniteValuesReachTheRowsThatStoreTheirColumn) {
  auto const m = stencil(20, 9);
  auto const source = device_csr<double, std::int32_t, Exec>(m);
  for (double const poison : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (auto const& options : storages_of_equal_heights()) {
      auto const B = csr_to_sell(Exec(), source, options);
      for (std::int32_t const column : {0, 77, 179}) {
        std::vector<double> x(static_cast<std::size_t>(m.cols), 1.0);
        x[static_cast<std::size_t>(column)] = poison;
        for (auto const& [isa, gathers] : ways_to_fetch()) {
          std::vector<double> y(static_cast<std::size_t>(m.rows), 5.0);
          host::sell_spmv(B.pointers(), 1.0, DenseVector<double const>{x.data(), m.cols, 1}, 0.0,
                          DenseVector<double>{y.data(), m.rows, 1}, 2, isa, gathers);
          for (std::size_t i = 0; i < y.size(); ++i) {
            auto const begin = m.col_indices.begin() + m.row_offsets[i];
            auto const end = m.col_indices.begin() + m.row_offsets[i + 1];
            EXPECT_EQ(std::isfinite(y[i]), std::find(begin, end, column) == end)
                << "row " << i << ", column " << column << ' ' << printed(options) << ' ' << to_string(isa);
          }
        }
      }
    }
}

TEST(SellSpmvHost, OtherSlicesAreRefused) {
  auto const source = device_csr<double, std::int32_t, Exec>(stencil(20, 9));
  EXPECT_FALSE(host::sell_spmv_supports(csr_to_sell(Exec(), source, {.slice_height = 12}).pointers()));
  EXPECT_FALSE(
      host::sell_spmv_supports(csr_to_sell(Exec(), source, {.slice_height = 32, .least_slice_height = 8}).pointers()));
  Kokkos::View<double*, Exec> const x("x", 180);
  Kokkos::View<double*, Exec> const y("y", 180);
  auto const odd = csr_to_sell(Exec(), source, {.slice_height = 12});
  EXPECT_FALSE(supports_spmv(Exec(), Op::none, odd, x, y, {.kernel = SellSpmvKernel::host_simd}));
  expect_error(ErrorKind::unsupported, {"sell/host_simd"},
               [&] { spmv(Exec(), Op::none, 1.0, odd, x, 0.0, y, {.kernel = SellSpmvKernel::host_simd}); });
}

}  // namespace
}  // namespace araia::test
