// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products with BCSC against the reference over the zoo: every form, operations, alpha and beta, strides, tunings.
#include <algorithm>
#include <araia/ops/spmm.hpp>
#include <araia/ops/spmv.hpp>
#include <limits>
#include <sstream>

#include "support/bcsc.hpp"
#include "support/check.hpp"
#include "support/errors.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(BcscProduct, OperandTypes, OperandTypeNames);

/// One SpMM, or an SpMV where columns is 0, with operands of strides between them and NaN where they must not be read.
struct Case {
  Op op = Op::none;
  std::int64_t columns = 0;
  bool b_row_major = true;
  bool c_row_major = true;
  std::int64_t gap = 1;
};

template <class Types, class Matrix, class HostCsr>
void check_product(Matrix const& A, HostCsr const& host, Case const& test, spmv_tuning_t<Matrix> const& spmv_tuning,
                   spmm_tuning_t<Matrix> const& spmm_tuning, std::string const& what) {
  using Exec = typename Types::exec;
  using X = typename Types::x;
  using Y = typename Types::y;
  Exec const exec;
  auto const v = [](double x) { return scalar_from<Y>(x); };
  std::pair<Y, Y> const scalings[] = {{Y(1), Y(0)}, {v(0.7), v(-1)}, {Y(0), v(0.5)}, {Y(0), Y(0)}};
  std::int64_t const rows = transposes(test.op) ? A.cols : A.rows;
  std::int64_t const inner = transposes(test.op) ? A.rows : A.cols;
  bool const vector = test.columns == 0;
  std::int64_t const columns = vector ? 1 : test.columns;
  auto const operand = [&](std::int64_t extent, bool row_major, auto zero) {
    std::int64_t const ld = std::max<std::int64_t>(1, (row_major ? columns : extent) * test.gap + test.gap - 1);
    return Operand<decltype(zero), Exec>(extent, columns, row_major ? ld : test.gap, row_major ? test.gap : ld, 1);
  };
  for (auto const& [alpha, beta] : scalings) {
    auto b = operand(inner, test.b_row_major, X{});
    auto c = operand(rows, test.c_row_major, Y{});
    b.fill(zoo_seed);
    c.fill(zoo_seed + 1);
    if (alpha == Y(0)) b.fill_with(scalar_from<X>(std::numeric_limits<double>::quiet_NaN()));
    if (beta == Y(0)) c.fill_with(scalar_from<Y>(std::numeric_limits<double>::quiet_NaN()));
    b.to_device();
    c.to_device();
    auto const expected = expected_product(test.op, alpha, host, b.host(), beta, c.host());
    if (vector)
      spmv(exec, test.op, alpha, A, b.vector(), beta, c.vector(), spmv_tuning);
    else
      spmm(exec, test.op, alpha, A, b.matrix(), beta, c.matrix(), spmm_tuning);
    exec.fence();
    c.from_device();
    std::ostringstream text;
    text << what << ", " << Matrix::format_name << ", op " << static_cast<int>(test.op) << ", " << test.columns
         << " columns, gap " << test.gap << ", alpha " << alpha << ", beta " << beta << ", " << spmv_tuning << ", "
         << spmm_tuning;
    expect_within_bound(expected, c.host(), text.str());
    EXPECT_EQ(c.disturbed_bytes(), 0) << text.str() << ": wrote beside C";
  }
}

/// Op::conjugate_transpose is the transpose where there is nothing to conjugate.
template <class Types>
std::vector<Op> told_apart() {
  if (is_complex_v<typename Types::a>) return {Op::none, Op::transpose, Op::conjugate_transpose, Op::conjugate};
  return {Op::none, Op::transpose};
}

ARAIA_TYPED_TEST(BcscProduct, EveryFormAgreesWithReference) {
  using Exec = typename TypeParam::exec;
  std::size_t turn = 0;
  for (auto const& m : bcsc_zoo()) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    auto const host = host_copy(A);
    // Every matrix meets a third of the options, every option a third of the matrices.
    for (std::size_t k = turn++ % 3; k < all_bcsc_options().size(); k += 3) {
      std::string const what = m.name + ", " + all_bcsc_options()[k].first;
      with_every_form(Exec(), A, all_bcsc_options()[k].second, [&](auto const& B) {
        for (Op const op : told_apart<TypeParam>()) {
          check_product<TypeParam>(B, host.pointers(), {op, 0}, {}, {}, what);
          check_product<TypeParam>(B, host.pointers(), {op, 5}, {}, {}, what);
        }
      });
    }
  }
}

ARAIA_TYPED_TEST(BcscProduct, StridesLayoutsAndColumns) {
  using Exec = typename TypeParam::exec;
  auto const m = random_matrix("strides", 150, 90, 9);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  auto const host = host_copy(A);
  with_every_form(Exec(), A, {.block_height = 64}, [&](auto const& B) {
    for (Op const op : told_apart<TypeParam>()) {
      for (std::int64_t const gap : {2, 3})
        check_product<TypeParam>(B, host.pointers(), {.op = op, .gap = gap}, {}, {}, m.name);
      for (std::int64_t const columns : {1, 2, 15, 16, 17, 32, 33, 129})
        check_product<TypeParam>(B, host.pointers(), {.op = op, .columns = columns}, {}, {}, m.name);
      for (bool const b_row_major : {true, false})
        for (bool const c_row_major : {true, false})
          check_product<TypeParam>(B, host.pointers(), {op, 19, b_row_major, c_row_major, 2}, {}, {}, m.name);
    }
  });
}

ARAIA_TYPED_TEST(BcscProduct, TuningsAgree) {
  using Exec = typename TypeParam::exec;
  auto const m = random_matrix("tunings", 200, 150, 12);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  auto const host = host_copy(A);
  with_every_form(Exec(), A, {.block_height = 50}, [&](auto const& B) {
    for (int const team_size : {1, 32, 256})
      for (Op const op : {Op::none, Op::transpose}) {
        check_product<TypeParam>(B, host.pointers(), {op, 0}, {.team_size = team_size}, {}, m.name);
        for (int const per_thread : {1, 3, 6})
          check_product<TypeParam>(B, host.pointers(), {op, 37}, {},
                                   {.team_size = team_size, .columns_per_thread = per_thread}, m.name);
      }
  });
}

ARAIA_TYPED_TEST(BcscProduct, BlocksTallerThanScratchAreCutIntoWindows) {
  using Exec = typename TypeParam::exec;
  auto const m = random_matrix("tall block", 9000, 40, 3);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  auto const host = host_copy(A);
  with_every_form(Exec(), A, {.block_height = 20000}, [&](auto const& B) {
    for (Op const op : all_ops) {
      check_product<TypeParam>(B, host.pointers(), {op, 0}, {}, {}, m.name);
      check_product<TypeParam>(B, host.pointers(), {op, 3}, {}, {}, m.name);
    }
    check_product<TypeParam>(B, host.pointers(), {Op::none, 3}, {}, {.kernel = BcscSpmmKernel::naive}, m.name);
  });
}

ARAIA_TYPED_TEST(BcscProduct, KernelsOfHostsAgreeWithReferenceByName) {
  using Exec = typename TypeParam::exec;
  if (!detail::is_host_backend_space<Exec> || is_complex_v<typename TypeParam::y>) return;
  auto const m = random_matrix("by name", 150, 90, 9);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  auto const host = host_copy(A);
  with_every_form(Exec(), A, {.block_height = 32}, [&](auto const& B) {
    for (BcscSpmmKernel const kernel : {BcscSpmmKernel::naive, BcscSpmmKernel::host_simd})
      for (std::int64_t const columns : {1, 6, 33})
        for (bool const c_row_major : {true, false})
          check_product<TypeParam>(B, host.pointers(), {Op::none, columns, true, c_row_major}, {}, {.kernel = kernel},
                                   m.name);
  });
}

ARAIA_TYPED_TEST(BcscProduct, PatternMeansOnesAndPermutedRowsGoWhereTheyBelong) {
  using Exec = typename TypeParam::exec;
  auto const m = random_matrix("pattern", 90, 70, 8);
  for (bool const values : {true, false}) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m, values);
    auto const host = host_copy(A);
    auto const permuted = sort_rows_by_length(Exec(), A);
    for (auto const& source : {A, permuted})
      with_every_form(Exec(), source, {.block_height = 32, .split = values}, [&](auto const& B) {
        for (Op const op : all_ops) {
          check_product<TypeParam>(B, host.pointers(), {op, 0}, {}, {}, m.name);
          check_product<TypeParam>(B, host.pointers(), {op, 17}, {}, {}, m.name);
        }
      });
  }
}

ARAIA_TYPED_TEST(BcscProduct, SmallIntegersAreExact) {
  using Exec = typename TypeParam::exec;
  using Y = typename TypeParam::y;
  Exec const exec;
  auto const m = with_integer_values(random_matrix("exact", 300, 200, 10));
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  Operand<typename TypeParam::x, Exec> x(m.cols, 4, 4, 1);
  x.fill(zoo_seed, true);
  x.to_device();
  auto const product = [&](auto const& B) {
    Operand<Y, Exec> c(m.rows, 4, 4, 1);
    Operand<Y, Exec> y(m.rows, 1, 1, 1);
    c.to_device();
    y.to_device();
    spmm(exec, Op::none, Y(1), B, x.matrix(), Y(0), c.matrix());
    spmv(exec, Op::none, Y(1), B, Kokkos::subview(x.matrix(), Kokkos::ALL, 2), Y(0), y.vector());
    exec.fence();
    c.from_device();
    y.from_device();
    std::vector<Y> all;
    for (std::int64_t i = 0; i < m.rows; ++i) {
      for (std::int64_t j = 0; j < 4; ++j) all.push_back(c(i, j));
      all.push_back(y(i));
    }
    return all;
  };
  auto const expected = product(A);
  for (auto const& [name, options] : all_bcsc_options())
    with_every_form(exec, A, options, [&, &name = name](auto const& B) { EXPECT_EQ(product(B), expected) << name; });
}

ARAIA_TYPED_TEST(BcscProduct, NonFiniteXReachesExactlyTheRowsThatStoreItsColumn) {
  using Exec = typename TypeParam::exec;
  using Y = typename TypeParam::y;
  Exec const exec;
  auto const m = random_matrix("reach", 150, 40, 5);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  Operand<typename TypeParam::x, Exec> x(m.cols, 1, 1, 1);
  x.fill(zoo_seed);
  x(17) = scalar_from<typename TypeParam::x>(std::numeric_limits<double>::quiet_NaN());
  x.to_device();
  with_every_form(exec, A, {.block_height = 32, .split = true}, [&](auto const& B) {
    for (bool const matrix : {false, true}) {
      Operand<Y, Exec> y(m.rows, 1, 1, 1);
      y.to_device();
      if (matrix)
        spmm(exec, Op::none, Y(1), B, x.matrix(), Y(0), y.matrix());
      else
        spmv(exec, Op::none, Y(1), B, x.vector(), Y(0), y.vector());
      exec.fence();
      y.from_device();
      for (std::int64_t i = 0; i < m.rows; ++i) {
        auto const first = m.col_indices.begin() + m.row_offsets[static_cast<std::size_t>(i)];
        auto const last = m.col_indices.begin() + m.row_offsets[static_cast<std::size_t>(i) + 1];
        EXPECT_EQ(!(y(i) == y(i)), std::find(first, last, 17) != last) << "row " << i;
      }
    }
  });
}

TEST(BcscProductTypes, OtherIndices) {
  using Exec = Kokkos::DefaultExecutionSpace;
  using Types = Operands<Exec, double, double, double, std::int32_t>;
  auto const m = random_matrix("indices", 150, 90, 7);
  auto const host = host_copy(device_csr<double, std::int32_t, Exec>(m));
  auto const check = [&](auto ordinal, auto offset) {
    using Ordinal = decltype(ordinal);
    using Offset = decltype(offset);
    Csr<double, Ordinal, Offset, Exec::device_type> A{.rows = m.rows, .cols = m.cols, .nnz = m.nnz()};
    A.row_offsets = upload<Offset, Exec::device_type>("row_offsets", m.row_offsets);
    A.col_indices = upload<Ordinal, Exec::device_type>("col_indices", m.col_indices);
    A.values = upload<double, Exec::device_type>("values", m.values);
    with_every_form(Exec(), A, {.block_height = 32}, [&](auto const& B) {
      for (Op const op : {Op::none, Op::transpose}) {
        check_product<Types>(B, host.pointers(), {op, 0}, {}, {}, m.name);
        check_product<Types>(B, host.pointers(), {op, 9}, {}, {}, m.name);
      }
    });
  };
  check(std::int64_t{}, std::int64_t{});
  check(std::int16_t{}, std::int16_t{});
}

TEST(BcscProductArguments, ForeignKernelsAndTuningsOutOfRangeAreRefused) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  auto const A = csr_to_bcsc(exec, device_csr<double, std::int32_t, Exec>(random_matrix("arguments", 20, 30, 3)));
  Kokkos::View<double*, Exec> const x("x", 30);
  Kokkos::View<double*, Exec> const y("y", 20);
  Kokkos::View<double**, Kokkos::LayoutRight, Exec> const b("b", 30, 4);
  Kokkos::View<double**, Kokkos::LayoutRight, Exec> const c("c", 20, 4);
  EXPECT_EQ(kind_of([&] { spmv(exec, Op::none, 1.0, A, x, 0.0, y, {.kernel = BcscSpmvKernel::transposed}); }),
            ErrorKind::unsupported);
  EXPECT_EQ(kind_of([&] { spmv(exec, Op::transpose, 1.0, A, y, 0.0, x, {.kernel = BcscSpmvKernel::block_per_team}); }),
            ErrorKind::unsupported);
  EXPECT_EQ(kind_of([&] { spmm(exec, Op::none, 1.0, A, b, 0.0, c, {.kernel = BcscSpmmKernel::transposed}); }),
            ErrorKind::unsupported);
  EXPECT_FALSE(supports_spmm(exec, Op::transpose, A, c, b, {.kernel = BcscSpmmKernel::naive}));
  EXPECT_FALSE(supports_spmm(exec, Op::transpose, A, c, b, {.kernel = BcscSpmmKernel::host_simd}));
  Kokkos::View<double**, Kokkos::LayoutLeft, Exec> const by_columns("by columns", 30, 4);
  bool const on_host = detail::is_host_backend_space<Exec>;
  EXPECT_EQ(supports_spmm(exec, Op::none, A, b, c, {.kernel = BcscSpmmKernel::host_simd}), on_host);
  EXPECT_FALSE(supports_spmm(exec, Op::none, A, by_columns, c, {.kernel = BcscSpmmKernel::host_simd}));
  EXPECT_TRUE(supports_spmv(exec, Op::transpose, A, y, x));
  EXPECT_EQ(kind_of([&] { spmv(exec, Op::none, 1.0, A, x, 0.0, y, {.team_size = -1}); }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] { spmv(exec, Op::none, 1.0, A, y, 0.0, y); }), ErrorKind::dimension_mismatch);
  EXPECT_EQ(kind_of([&] { spmm(exec, Op::none, 1.0, A, b, 0.0, c, {.team_size = 2000}); }),
            ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] { spmm(exec, Op::none, 1.0, A, b, 0.0, c, {.columns_per_thread = 257}); }),
            ErrorKind::invalid_argument);
}

}  // namespace
}  // namespace araia::test
