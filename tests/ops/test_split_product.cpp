// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products with a Hyb on two devices, one object for many of them.

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include <araia/detail/formats/csr_to_hyb.hpp>
#include <araia/ops/split_product.hpp>
#include <araia/ops/spmv.hpp>
#include "support/check.hpp"
#include "support/errors.hpp"
#include "support/formats.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(SplitProduct, FormatTypes, OperandTypeNames);

template <class Types>
void check_many_products() {
  using Exec = typename Types::exec;
  using X = typename Types::x;
  using Y = typename Types::y;
  Exec const exec;
  auto const v = [](double x) { return scalar_from<Y>(x); };
  std::pair<Y, Y> const scalings[] = {{Y(1), Y(0)}, {v(0.7), v(-1)}, {Y(0), v(0.5)}, {v(-2), Y(1)}};
  for (auto const& m : zoo()) {
    auto const A = device_csr<typename Types::a, typename Types::offset, Exec>(m);
    auto const host_csr = host_copy(A);
    auto const B = csr_to_hyb<other_device<Exec>>(exec, A, {.width = 2});
    using Format = std::decay_t<decltype(B)>;
    for (Op const op : all_ops) {
      SplitHybProduct<Format, X, Y> const product(B, op, 5);
      for (std::int64_t const columns : {1, 5, 3})
        for (auto const& [alpha, beta] : scalings) {
          bool const row_major = columns == 3;
          std::int64_t const in = transposes(op) ? m.rows : m.cols;
          std::int64_t const out = transposes(op) ? m.cols : m.rows;
          auto const operand = [&]<class T>(std::int64_t rows, T) {
            return Operand<T, Exec>(rows, columns, row_major ? columns + 2 : 1, row_major ? 1 : rows + 3, 1);
          };
          auto b = operand(in, X());
          auto c = operand(out, Y());
          b.fill(zoo_seed);
          c.fill(zoo_seed + 1);
          if (beta == Y(0)) c.fill_with(scalar_from<Y>(std::numeric_limits<double>::quiet_NaN()));
          b.to_device();
          c.to_device();
          auto const expected = expected_product(op, alpha, host_csr.pointers(), b.host(), beta, c.host());
          if (columns == 1)
            product(exec, alpha, Kokkos::subview(b.matrix(), Kokkos::ALL, 0), beta,
                    Kokkos::subview(c.matrix(), Kokkos::ALL, 0));
          else
            product(exec, alpha, b.matrix(), beta, c.matrix());
          exec.fence();
          c.from_device();
          std::string const what =
              m.name + ", op " + std::to_string(static_cast<int>(op)) + ", " + std::to_string(columns) + " columns";
          expect_within_bound(expected, c.host(), what);
          EXPECT_EQ(c.disturbed_bytes(), 0) << what << ": wrote beside the result";
        }
    }
  }
}

ARAIA_TYPED_TEST(SplitProduct, ManyProductsAgreeWithReference) {
  using Exec = typename TypeParam::exec;
  if constexpr (std::is_same_v<other_device<Exec>, typename Exec::device_type>)
    GTEST_SKIP() << "this build's only host space has no other device";
  else
    check_many_products<TypeParam>();
}

TEST(SplitProductRules, RefusesOperandsThatDoNotFit) {
  Device const exec;
  auto const m = random_matrix("refusals", 40, 30, 6);
  auto const B = csr_to_hyb<other_device<Device>>(exec, device_csr<double, std::int32_t, Device>(m), {.width = 2});
  using Product = SplitHybProduct<std::decay_t<decltype(B)>>;
  Product const product(B, Op::none, 2);
  EXPECT_EQ(product.bytes(), 2 * 2 * 70 * sizeof(double));
  using View = Kokkos::View<double**, Kokkos::LayoutLeft, Device::device_type>;
  View const x("x", 30, 3);
  View const y("y", 40, 3);
  auto const two = std::make_pair(0, 2);
  EXPECT_EQ(kind_of([&] { product(exec, 1.0, x, 0.0, y); }), ErrorKind::dimension_mismatch) << "three columns";
  EXPECT_EQ(kind_of([&] { product(exec, 1.0, y, 0.0, x); }), ErrorKind::dimension_mismatch) << "turned";
  EXPECT_EQ(
      kind_of([&] { product(exec, 1.0, Kokkos::subview(x, Kokkos::ALL, 0), 0.0, Kokkos::subview(x, Kokkos::ALL, 1)); }),
      ErrorKind::dimension_mismatch);
  View const both("both", 70, 2);
  EXPECT_EQ(kind_of([&] {
              product(exec, 1.0, Kokkos::subview(both, std::make_pair(0, 30), Kokkos::ALL), 0.0,
                      Kokkos::subview(both, std::make_pair(20, 60), Kokkos::ALL));
            }),
            ErrorKind::invalid_argument)
      << "overlapping";
  EXPECT_NO_THROW(product(exec, 1.0, Kokkos::subview(x, Kokkos::ALL, two), 0.0, Kokkos::subview(y, Kokkos::ALL, two)));
  EXPECT_EQ(kind_of([&] { Product(B, Op::none, -1); }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] { Product(B, Op::none, std::int64_t{1} << 60); }), ErrorKind::resource_limit);
  exec.fence();
}

/// A tail's tuning that cannot run is refused before the ELL part has written.
TEST(SplitProductRules, ARefusedTailLeavesTheResultAlone) {
  Device const exec;
  auto const m = random_matrix("refused tail", 40, 30, 6);
  auto const A = device_csr<double, std::int32_t, Device>(m);
  Kokkos::View<double*, Device::device_type> const x("x", 30);
  Kokkos::View<double*, Device::device_type> const y("y", 40);
  Kokkos::deep_copy(x, 1.0);
  Kokkos::deep_copy(y, 7.0);
  HybSpmvTuning const out_of_range{.tail = {.team_size = -1}};
  HybSpmvTuning const unsupported{.tail = {.kernel = CooSpmvKernel::segmented}};
  auto const B = csr_to_hyb(exec, A, {.width = 2});
  EXPECT_THROW(spmv(exec, Op::none, 1.0, B, x, 0.0, y, out_of_range), Error);
  EXPECT_THROW(spmv(exec, Op::transpose, 1.0, B, y, 0.0, x, unsupported), Error);
  auto const ys = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  for (std::size_t i = 0; i < ys.extent(0); ++i) EXPECT_EQ(ys(i), 7.0) << "row " << i;
  auto const xs = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
  for (std::size_t i = 0; i < xs.extent(0); ++i) EXPECT_EQ(xs(i), 1.0) << "column " << i;
}

}  // namespace
}  // namespace araia::test
