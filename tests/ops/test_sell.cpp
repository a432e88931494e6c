// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products with every storage of SELL against the reference: operations, alpha and beta, strides, canaries, NaN.
#include <algorithm>
#include <araia/ops/spmm.hpp>
#include <araia/ops/spmv.hpp>
#include <limits>

#include "support/check.hpp"
#include "support/sell.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(SellProducts, OperandTypes, OperandTypeNames);

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class Y>
std::vector<std::pair<Y, Y>> alpha_beta() {
  auto const v = [](double x) { return scalar_from<Y>(x); };
  return {{Y(1), Y(0)}, {v(0.7), v(-1)}, {Y(0), v(0.5)}};
}

/// Dense operands of both products: columns == 0 asks for vectors.
struct Shape {
  std::int64_t columns;
  bool row_major;
  std::int64_t gap;     // elements between what is contiguous
  std::int64_t offset;  // elements: operands that begin off any vector load's alignment
};

/// One product with every alpha and beta, checked element by element; the result starts as NaN where beta is zero.
template <class Types, class Matrix, class HostCsr, class Tuning>
void check_product(Matrix const& A, HostCsr const& host, Op op, Tuning const& tuning, std::string const& what,
                   Shape const& shape) {
  using Exec = typename Types::exec;
  using X = typename Types::x;
  using Y = typename Types::y;
  Exec const exec;
  std::int64_t const rows = transposes(op) ? A.cols : A.rows;
  std::int64_t const cols = transposes(op) ? A.rows : A.cols;
  std::int64_t const columns = std::max<std::int64_t>(shape.columns, 1);
  auto const row_stride = [&](std::int64_t) {
    return shape.columns == 0 ? shape.gap + 1 : shape.row_major ? columns + shape.gap : 1;
  };
  auto const column_stride = [&](std::int64_t n) { return shape.columns == 0 || shape.row_major ? 1 : n + shape.gap; };
  for (auto const& [alpha, beta] : alpha_beta<Y>()) {
    Operand<X, Exec> b(cols, columns, row_stride(cols), column_stride(cols), shape.offset);
    Operand<Y, Exec> c(rows, columns, row_stride(rows), column_stride(rows), shape.offset);
    b.fill(zoo_seed);
    c.fill(zoo_seed + 1);
    if (alpha == Y(0)) b.fill_with(scalar_from<X>(not_a_number));
    if (beta == Y(0)) c.fill_with(scalar_from<Y>(not_a_number));
    b.to_device();
    c.to_device();
    auto const expected = expected_product(op, alpha, host, b.host(), beta, c.host());
    if constexpr (std::is_same_v<Tuning, SellSpmvTuning>)
      spmv(exec, op, alpha, A, b.vector(), beta, c.vector(), tuning);
    else
      spmm(exec, op, alpha, A, b.matrix(), beta, c.matrix(), tuning);
    exec.fence();
    c.from_device();
    auto const text = what + ", op " + std::to_string(static_cast<int>(op)) + ", " + printed(tuning) + ", alpha " +
                      printed(alpha) + ", beta " + printed(beta) + ", " + std::to_string(shape.columns) + " columns";
    expect_within_bound(expected, c.host(), text);
    EXPECT_EQ(c.disturbed_bytes(), 0) << text << ": wrote beside the result";
  }
}

template <class Types>
void check_storages(TestMatrix const& m, std::vector<Shape> const& shapes) {
  using Exec = typename Types::exec;
  auto const A = device_csr<typename Types::a, typename Types::offset, Exec>(m);
  auto const host = host_copy(A);
  for (auto const& options : sell_storages()) {
    if (fills(options) && !ascends(m)) continue;
    // Wide operands are slow to check: for the storage alone that they are there for.
    if (m.cols > 60000 && options.columns == SellColumns::full) continue;
    auto const B = csr_to_sell(Exec(), A, options);
    auto const what = m.name + ' ' + printed(options);
    for (Op const op : all_ops)
      for (auto const& shape : shapes) {
        if (shape.columns == 0)
          for (auto const kernel : {SellSpmvKernel::automatic, SellSpmvKernel::thread_per_row}) {
            if (kernel == SellSpmvKernel::thread_per_row && transposes(op)) continue;
            check_product<Types>(B, host.pointers(), op, SellSpmvTuning{.kernel = kernel}, what, shape);
          }
        else
          check_product<Types>(B, host.pointers(), op, SellSpmmTuning{}, what, shape);
      }
  }
}

ARAIA_TYPED_TEST(SellProducts, SpmvOfEveryStorageAgreesWithReference) {
  for (auto const& m : sell_zoo()) check_storages<TypeParam>(m, {{0, false, 0, 0}});
  for (auto const& m : {stencil(20, 9), node_blocks(15, 3), random_matrix("random", 70, 60, 9)})
    check_storages<TypeParam>(m, {{0, false, 2, 1}});
}

ARAIA_TYPED_TEST(SellProducts, SpmmOfEveryStorageAgreesWithReference) {
  for (auto const& m : {stencil(20, 9), node_blocks(12, 3), random_matrix("random", 70, 60, 9),
                        with_row_lengths("5 x 0", 0, {0, 0, 0, 0, 0})})
    check_storages<TypeParam>(m, {{1, true, 0, 0}, {5, true, 3, 1}, {7, false, 2, 0}});
}

ARAIA_TYPED_TEST(SellProducts, TuningsAgreeWithReference) {
  using Exec = typename TypeParam::exec;
  auto const m = stencil(20, 7);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  auto const host = host_copy(A);
  for (SellOptions const& options :
       {SellOptions{}, SellOptions{.slice_height = 16, .least_slice_height = 4, .block_width = 2, .diagonals = true}}) {
    auto const B = csr_to_sell(Exec(), A, options);
    for (int const lanes : {1, 8, 32})
      for (int const rows_per_team : {7, 64})
        for (int const team_size : {1, 8})
          for (Op const op : all_ops) {
            auto const kernel = !transposes(op) ? SellSpmvKernel::thread_per_row : SellSpmvKernel::transposed;
            check_product<TypeParam>(B, host.pointers(), op, SellSpmvTuning{kernel, rows_per_team, team_size, lanes},
                                     printed(options), {0, false, 0, 0});
            check_product<TypeParam>(B, host.pointers(), op, SellSpmmTuning{rows_per_team, team_size, lanes, 4},
                                     printed(options), {6, true, 0, 0});
          }
  }
  using X = Kokkos::View<typename TypeParam::x*, Exec>;
  using Y = Kokkos::View<typename TypeParam::y*, Exec>;
  EXPECT_THROW(
      spmv(Exec(), Op::none, typename TypeParam::y(1), csr_to_sell(Exec(), A), X("x", 140), typename TypeParam::y(0),
           Y("y", 140), {.kernel = SellSpmvKernel::thread_per_row, .vector_length = 3}),
      Error);
}

ARAIA_TYPED_TEST(SellProducts, PatternMeansOnes) {
  using Exec = typename TypeParam::exec;
  for (auto const& m : {stencil(20, 9), node_blocks(20, 3), random_matrix("pattern", 90, 70, 8)}) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m, false);
    auto const host = host_copy(A);
    for (auto const& options : sell_storages()) {
      auto const B = csr_to_sell(Exec(), A, options);
      for (Op const op : all_ops) {
        check_product<TypeParam>(B, host.pointers(), op, SellSpmvTuning{}, printed(options), {0, false, 0, 0});
        check_product<TypeParam>(B, host.pointers(), op, SellSpmmTuning{}, printed(options), {6, true, 0, 0});
      }
    }
  }
}

/// NaN and infinities in x, at places that fill of blocks and diagonals meets; stored zeros included.
ARAIA_TYPED_TEST(SellProducts, NonFiniteXReachesExactlyTheRowsThatStoreItsColumn) {
  using Exec = typename TypeParam::exec;
  using X = typename TypeParam::x;
  using Y = typename TypeParam::y;
  Exec const exec;
  for (auto const& m :
       {with_stored_zeros(stencil(21, 9)), with_stored_zeros(node_blocks(30, 3)), random_matrix("reach", 150, 40, 5)}) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    for (double const poison : {not_a_number, std::numeric_limits<double>::infinity()})
      for (std::int64_t const at : {std::int64_t{0}, std::int64_t{17}, m.cols - 1})
        for (Op const op : {Op::none, Op::transpose})
          for (auto const& options : sell_storages()) {
            bool const zeros = m.name.find("stored zeros") != std::string::npos;
            auto const B = csr_to_sell(exec, A, options);
            if (zeros && !options.stored_mask && B.fill > 0) continue;  // zeros count as fill, as documented
            std::int64_t const rows = transposes(op) ? m.cols : m.rows;
            std::int64_t const cols = transposes(op) ? m.rows : m.cols;
            std::int64_t const poisoned = std::min(at, cols - 1);
            std::vector<char> reached(static_cast<std::size_t>(rows), 0);
            for (std::int64_t i = 0; i < m.rows; ++i)
              for (auto k = m.row_offsets[static_cast<std::size_t>(i)];
                   k < m.row_offsets[static_cast<std::size_t>(i) + 1]; ++k) {
                std::int64_t const j = m.col_indices[static_cast<std::size_t>(k)];
                if ((transposes(op) ? i : j) == poisoned) reached[static_cast<std::size_t>(transposes(op) ? j : i)] = 1;
              }
            Operand<X, Exec> x(cols, 1, 1, 1);
            x.fill(zoo_seed);
            x(poisoned) = scalar_from<X>(poison);
            x.to_device();
            Operand<Y, Exec> y(rows, 1, 1, 1);
            y.to_device();
            spmv(exec, op, Y(1), B, x.vector(), Y(0), y.vector());
            exec.fence();
            y.from_device();
            Operand<Y, Exec> c(rows, 2, 2, 1);
            c.to_device();
            Operand<X, Exec> b(cols, 2, 2, 1);
            b.fill(zoo_seed + 3);
            b(poisoned, 1) = scalar_from<X>(poison);
            b.to_device();
            spmm(exec, op, Y(1), B, b.matrix(), Y(0), c.matrix());
            exec.fence();
            c.from_device();
            for (std::int64_t i = 0; i < rows; ++i) {
              bool const stores = reached[static_cast<std::size_t>(i)] != 0;
              EXPECT_EQ(!detail::all_finite(y(i)), stores) << m.name << ' ' << options << ", row " << i;
              EXPECT_EQ(!detail::all_finite(c(i, 1)), stores) << m.name << ' ' << options << ", row " << i << " of C";
              EXPECT_TRUE(detail::all_finite(c(i, 0))) << m.name << ' ' << options << ", row " << i << " of C";
            }
          }
  }
}

ARAIA_TYPED_TEST(SellProducts, SmallIntegersAreExactInEveryStorage) {
  using Exec = typename TypeParam::exec;
  using Y = typename TypeParam::y;
  Exec const exec;
  auto const m = with_integer_values(random_matrix("exact", 200, 150, 20));
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  Operand<typename TypeParam::x, Exec> x(m.cols, 1, 1, 1);
  x.fill(zoo_seed, true);
  x.to_device();
  std::vector<std::vector<Y>> results;
  auto const run = [&](auto const& B) {
    Operand<Y, Exec> y(m.rows, 1, 1, 1);
    y.to_device();
    spmv(exec, Op::none, Y(1), B, x.vector(), Y(0), y.vector());
    exec.fence();
    y.from_device();
    std::vector<Y> values;
    for (std::int64_t i = 0; i < m.rows; ++i) values.push_back(y(i));
    results.push_back(values);
  };
  run(A);
  for (auto const& options : sell_storages()) run(csr_to_sell(exec, A, options));
  for (auto const& result : results) EXPECT_EQ(result, results.front());
}

}  // namespace
}  // namespace araia::test
