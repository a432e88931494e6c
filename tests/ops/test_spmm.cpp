// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every SpMM kernel against the reference over the zoo: operations, alpha and beta, layouts, any number of columns.
#include <araia/detail/dispatch/epilogue_operands.hpp>
#include <araia/ops/spmm.hpp>
#include <araia/ops/spmv.hpp>
#include <limits>
#include <random>
#include <set>
#include <sstream>

#include "support/check.hpp"
#include "support/errors.hpp"
#include "support/tunings.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(Spmm, OperandTypes, OperandTypeNames);

/// Layouts of B and C: which of the two strides is the small one, and what lies between rows or columns.
struct Layouts {
  bool b_row_major;
  bool c_row_major;
  std::int64_t padding;  // elements beyond the tight leading dimension
  std::int64_t gap;      // small stride; 1 is contiguous
  std::int64_t offset;   // elements before the first one
};
std::vector<Layouts> const all_layouts{{true, true, 0, 1, 0},
                                       {false, false, 0, 1, 0},
                                       {true, false, 3, 1, 1},
                                       {false, true, 1, 1, 3},
                                       {true, true, 5, 2, 1}};

template <class T, class Exec>
Operand<T, Exec> operand(std::int64_t rows, std::int64_t columns, bool row_major, Layouts const& l) {
  std::int64_t const ld = ((row_major ? columns : rows) * l.gap) + l.padding;
  return Operand<T, Exec>(rows, columns, row_major ? std::max<std::int64_t>(ld, 1) : l.gap,
                          row_major ? l.gap : std::max<std::int64_t>(ld, 1), l.offset);
}

template <class Types, class Matrix, class HostCsr>
void check_spmm(Matrix const& A, HostCsr const& host, Op op, std::int64_t columns, spmm_tuning_t<Matrix> const& tuning,
                std::string const& what, std::vector<Layouts> const& layouts) {
  using Exec = typename Types::exec;
  using X = typename Types::x;
  using Y = typename Types::y;
  Exec const exec;
  auto const v = [](double x) { return scalar_from<Y>(x); };
  std::pair<Y, Y> const scalings[] = {{Y(1), Y(0)}, {v(0.7), v(-1)}, {Y(0), v(0.5)}};
  for (auto const& layout : layouts)
    for (auto const& [alpha, beta] : scalings) {
      auto b = operand<X, Exec>(transposes(op) ? A.rows : A.cols, columns, layout.b_row_major, layout);
      auto c = operand<Y, Exec>(transposes(op) ? A.cols : A.rows, columns, layout.c_row_major, layout);
      b.fill(zoo_seed);
      c.fill(zoo_seed + 1);
      if (alpha == Y(0)) b.fill_with(scalar_from<X>(std::numeric_limits<double>::quiet_NaN()));
      if (beta == Y(0)) c.fill_with(scalar_from<Y>(std::numeric_limits<double>::quiet_NaN()));
      if (!supports_spmm(exec, op, A, b.matrix(), c.matrix(), tuning)) continue;
      b.to_device();
      c.to_device();
      auto const expected = expected_product(op, alpha, host, b.host(), beta, c.host());
      spmm(exec, op, alpha, A, b.matrix(), beta, c.matrix(), tuning);
      exec.fence();
      c.from_device();
      std::ostringstream text;
      text << what << ", op " << static_cast<int>(op) << ", " << columns << " columns, " << tuning << ", alpha "
           << alpha << ", beta " << beta << ", B " << (layout.b_row_major ? "right" : "left") << ", C "
           << (layout.c_row_major ? "right" : "left") << ", gap " << layout.gap;
      expect_within_bound(expected, c.host(), text.str());
      EXPECT_EQ(c.disturbed_bytes(), 0) << text.str() << ": wrote beside C";
    }
}

template <class Types, class Run>
void over_the_zoo(Run const& run) {
  using Exec = typename Types::exec;
  for (auto const& m : zoo()) {
    auto const A = device_csr<typename Types::a, typename Types::offset, Exec>(m);
    auto const host = host_copy(A);
    run(m, A, host.pointers());
  }
}

ARAIA_TYPED_TEST(Spmm, CsrAgreesWithReference) {
  over_the_zoo<TypeParam>([](auto const& m, auto const& A, auto const& host) {
    using Exec = typename TypeParam::exec;
    auto const runs = inspect_rows<Exec, typename TypeParam::a, std::int32_t, typename TypeParam::offset,
                                   typename Exec::device_type, typename TypeParam::x, typename TypeParam::y>(Exec(), A);
    for (Op const op : all_ops)
      for (auto const kernel : {CsrSpmmKernel::automatic, CsrSpmmKernel::columns_on_lanes, CsrSpmmKernel::host_simd,
                                CsrSpmmKernel::host_simd_runs})
        for (std::int64_t const columns : {5, 24})
          check_spmm<TypeParam>(A, host, op, columns, {.kernel = kernel, .row_runs = runs.get()}, m.name, all_layouts);
  });
}

ARAIA_TYPED_TEST(Spmm, CooAgreesWithReference) {
  using Exec = typename TypeParam::exec;
  over_the_zoo<TypeParam>([](auto const& m, auto const& A, auto const& host) {
    for (Op const op : all_ops) {
      check_spmm<TypeParam>(csr_to_coo(Exec(), A), host, op, 3, {}, m.name, {all_layouts[0], all_layouts[3]});
      check_spmm<TypeParam>(device_coo<typename TypeParam::a, Exec>(m, true), host, op, 7, {}, m.name + ", shuffled",
                            {all_layouts[0]});
    }
  });
}

ARAIA_TYPED_TEST(Spmm, EllAgreesWithReference) {
  using Exec = typename TypeParam::exec;
  over_the_zoo<TypeParam>([](auto const& m, auto const& A, auto const& host) {
    for (Op const op : all_ops) {
      check_spmm<TypeParam>(csr_to_ell(Exec(), A), host, op, 6, {}, m.name, {all_layouts[0], all_layouts[2]});
      check_spmm<TypeParam>(csr_to_ell(Exec(), A, {.sort_rows = true}), host, op, 4, {}, m.name + ", sorted rows",
                            {all_layouts[0]});
    }
  });
}

ARAIA_TYPED_TEST(Spmm, EveryNumberOfColumnsAgrees) {
  using Exec = typename TypeParam::exec;
  auto const m = random_matrix("columns", 70, 60, 9);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  auto const host = host_copy(A);
  auto const ell = csr_to_ell(Exec(), A);
  for (std::int64_t const columns :
       {0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 130, 257}) {
    for (auto const kernel : {CsrSpmmKernel::automatic, CsrSpmmKernel::columns_on_lanes, CsrSpmmKernel::host_simd})
      check_spmm<TypeParam>(A, host.pointers(), Op::none, columns, {.kernel = kernel}, m.name, all_layouts);
    check_spmm<TypeParam>(A, host.pointers(), Op::transpose, columns, {}, m.name, {all_layouts[0]});
    check_spmm<TypeParam>(ell, host.pointers(), Op::none, columns, {}, m.name, {all_layouts[0]});
  }
}

ARAIA_TYPED_TEST(Spmm, TuningsAgreeWithReference) {
  using Exec = typename TypeParam::exec;
  auto const m = random_matrix("tunings", 130, 110, 12);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  auto const host = host_copy(A);
  for (int const lanes : {1, 4, 32})
    for (int const per_lane : {1, 4, 8})
      for (int const rows_per_team : {1, 9})
        for (std::int64_t const columns : {3, 33, 70})
          check_spmm<TypeParam>(A, host.pointers(), Op::none, columns,
                                {CsrSpmmKernel::columns_on_lanes, rows_per_team, 8, lanes, per_lane}, m.name,
                                {all_layouts[0], all_layouts[1]});
}

ARAIA_TYPED_TEST(Spmm, PatternMeansOnes) {
  using Exec = typename TypeParam::exec;
  auto const m = random_matrix("pattern", 90, 70, 8);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m, false);
  auto const host = host_copy(A);
  for (Op const op : all_ops) {
    check_spmm<TypeParam>(A, host.pointers(), op, 17, {}, "csr pattern", all_layouts);
    check_spmm<TypeParam>(csr_to_coo(Exec(), A), host.pointers(), op, 17, {}, "coo pattern", {all_layouts[0]});
    check_spmm<TypeParam>(csr_to_ell(Exec(), A), host.pointers(), op, 17, {}, "ell pattern", {all_layouts[0]});
  }
}

ARAIA_TYPED_TEST(Spmm, AColumnIsTheVectorProduct) {
  using Exec = typename TypeParam::exec;
  using Y = typename TypeParam::y;
  Exec const exec;
  auto const m = with_integer_values(random_matrix("column", 80, 60, 10));
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  Operand<typename TypeParam::x, Exec> b(m.cols, 6, 6, 1);
  b.fill(zoo_seed, true);
  b.to_device();
  Operand<Y, Exec> c(m.rows, 6, 6, 1);
  Operand<Y, Exec> y(m.rows, 6, 6, 1);
  c.to_device();
  y.to_device();
  spmm(exec, Op::none, Y(1), A, b.matrix(), Y(0), c.matrix());
  for (int j = 0; j < 6; ++j)
    spmv(exec, Op::none, Y(1), A, Kokkos::subview(b.matrix(), Kokkos::ALL, j), Y(0),
         Kokkos::subview(y.matrix(), Kokkos::ALL, j));
  exec.fence();
  c.from_device();
  y.from_device();
  for (std::int64_t i = 0; i < m.rows; ++i)
    for (std::int64_t j = 0; j < 6; ++j) EXPECT_EQ(c(i, j), y(i, j)) << i << ' ' << j;
}

TEST(SpmmArguments, WrongShapesAndOverlapAreRefused) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  auto const A = device_csr<double, std::int32_t, Exec>(random_matrix("arguments", 20, 30, 3));
  Kokkos::View<double**, Kokkos::LayoutRight, Exec> const b("b", 30, 4);
  Kokkos::View<double**, Kokkos::LayoutLeft, Exec> const c("c", 20, 4);
  EXPECT_EQ(kind_of([&] { spmm(exec, Op::transpose, 1.0, A, b, 0.0, c); }), ErrorKind::dimension_mismatch);
  Kokkos::View<double**, Kokkos::LayoutLeft, Exec> const narrow("narrow", 20, 3);
  EXPECT_EQ(kind_of([&] { spmm(exec, Op::none, 1.0, A, b, 0.0, narrow); }), ErrorKind::dimension_mismatch);
  auto const square = device_csr<double, std::int32_t, Exec>(random_matrix("square", 30, 30, 3));
  EXPECT_EQ(kind_of([&] { spmm(exec, Op::none, 1.0, square, b, 0.0, b); }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] {
              spmm(exec, Op::none, 1.0, A, b, 0.0, c,
                   {.kernel = CsrSpmmKernel::columns_on_lanes, .columns_per_lane = 3});
            }),
            ErrorKind::invalid_argument);
}

TEST(SpmmArguments, ResultsWhoseElementsShareMemoryAreRefused) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  auto const A = device_csr<double, std::int32_t, Exec>(random_matrix("arguments", 20, 30, 3));
  Kokkos::View<double**, Kokkos::LayoutRight, Exec> const b("b", 30, 4);
  Kokkos::View<double**, Kokkos::LayoutRight, Exec> const memory("memory", 20, 4);
  auto const strided = [&](std::size_t columns, std::size_t row_stride, std::size_t column_stride) {
    return Kokkos::View<double**, Kokkos::LayoutStride, Exec>(
        memory.data(), Kokkos::LayoutStride(20, row_stride, columns, column_stride));
  };
  auto const of_b = [&](std::size_t columns) {
    return Kokkos::subview(b, Kokkos::ALL, Kokkos::make_pair(std::size_t{0}, columns));
  };
  auto const refused = [&](auto const& c) {
    return kind_of([&] { spmm(exec, Op::none, 1.0, A, of_b(c.extent(1)), 0.0, c); });
  };
  EXPECT_EQ(refused(strided(4, 0, 1)), ErrorKind::invalid_argument);
  EXPECT_EQ(refused(strided(4, 4, 0)), ErrorKind::invalid_argument);
  EXPECT_EQ(refused(strided(1, 0, 1)), ErrorKind::invalid_argument);
  EXPECT_EQ(refused(strided(2, 1, 1)), ErrorKind::invalid_argument);
  EXPECT_EQ(refused(strided(4, 3, 1)), ErrorKind::invalid_argument);   // rows reach into the next ones
  EXPECT_EQ(refused(strided(2, 1, 19)), ErrorKind::invalid_argument);  // columns do
  EXPECT_EQ(refused(strided(2, 2, 38)), ErrorKind::invalid_argument);
  spmm(exec, Op::none, 1.0, A, of_b(2), 0.0, strided(2, 2, 39));  // between each other's elements
  spmm(exec, Op::none, 1.0, A, of_b(1), 0.0, strided(1, 4, 0));   // one column: its stride says nothing
  Kokkos::View<double***, Kokkos::LayoutStride, Exec> const batch(memory.data(),
                                                                  Kokkos::LayoutStride(2, 40, 20, 0, 2, 1));
  Kokkos::View<double***, Kokkos::LayoutRight, Exec> const b_batch("b", 2, 30, 2);
  EXPECT_EQ(kind_of([&] {
              detail::require_batch("test", {20, 30}, detail::as_const(detail::dense_batch(b_batch)),
                                    detail::dense_batch(batch));
            }),
            ErrorKind::invalid_argument);
  Kokkos::View<double*, Exec> const x("x", 30);
  Kokkos::View<double*, Kokkos::LayoutStride, Exec> const y(memory.data(), Kokkos::LayoutStride(20, 0));
  EXPECT_EQ(kind_of([&] { spmv(exec, Op::none, 1.0, A, x, 0.0, y); }), ErrorKind::invalid_argument);
  exec.fence();
}

TEST(SpmmArguments, AMatrixOverlapsItselfWhereTwoElementsLieAtOnePlace) {
  int overlapping = 0, apart = 0;
  DenseMatrix<double> m{};
  for (m.rows = 0; m.rows < 6; ++m.rows)
    for (m.columns = 0; m.columns < 6; ++m.columns)
      for (m.row_stride = 0; m.row_stride < 13; ++m.row_stride)
        for (m.column_stride = 0; m.column_stride < 13; ++m.column_stride) {
          std::set<std::int64_t> places;
          for (std::int64_t i = 0; i < m.rows; ++i)
            for (std::int64_t j = 0; j < m.columns; ++j) places.insert(i * m.row_stride + j * m.column_stride);
          bool const expected = static_cast<std::int64_t>(places.size()) < m.rows * m.columns;
          ++(expected ? overlapping : apart);
          EXPECT_EQ(detail::overlaps_itself(m), expected)
              << m.rows << 'x' << m.columns << " (" << m.row_stride << ", " << m.column_stride << ')';
        }
  EXPECT_GT(overlapping, 500);
  EXPECT_GT(apart, 1000);
}

TEST(SpmmArguments, NoSharedElementIsMissedWhateverTheStrides) {
  static double memory[200];
  std::mt19937 random(3);
  auto const below = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
  auto const any = [&] {
    DenseMatrix<double const> m{memory + below(20), 1 + below(4), 1 + below(4), 0, 1};
    switch (below(4)) {
      case 0: m.row_stride = m.columns + below(5); break;
      case 1: m.column_stride = m.rows + below(5), m.row_stride = 1; break;
      case 2: m.column_stride = 1 + below(3), m.row_stride = m.column_stride * m.columns + below(2); break;
      default: m.row_stride = below(8), m.column_stride = below(8); break;
    }
    return m;
  };
  auto const elements = [](DenseMatrix<double const> const& m) {
    std::set<double const*> all;
    for (std::int64_t i = 0; i < m.rows; ++i)
      for (std::int64_t j = 0; j < m.columns; ++j) all.insert(m.data + i * m.row_stride + j * m.column_stride);
    return all;
  };
  int shared = 0;
  for (int k = 0; k < 30000; ++k) {
    auto const a = any();
    auto b = any();
    if (k % 2 == 0) b.row_stride = a.row_stride;
    if (k % 4 == 0) b.column_stride = a.column_stride;
    auto const of_b = elements(b);
    bool any_shared = false;
    for (auto const* const e : elements(a)) any_shared = any_shared || of_b.count(e) > 0;
    shared += any_shared;
    if (any_shared) {
      EXPECT_TRUE(detail::overlap(a, b)) << a.rows << 'x' << a.columns << " (" << a.row_stride << ", "
                                         << a.column_stride << ") at " << a.data - memory << ", " << b.rows << 'x'
                                         << b.columns << " (" << b.row_stride << ", " << b.column_stride << ") at "
                                         << b.data - memory;
    }
  }
  EXPECT_GT(shared, 5000);
}

TEST(SpmmArguments, BatchesOverlapWhereItemsDo) {
  std::mt19937 random(5);
  static double const memory[4096] = {};
  auto const below = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
  auto const any = [&] {
    std::int64_t const rows = 1 + below(3), columns = 1 + below(3);
    DenseBatch<double const> batch{{memory + below(40), rows, columns, columns + below(30), 1}, 1 + below(5), 0};
    batch.stride = below(3) == 0 ? below(4) : below(60);
    return batch;
  };
  auto const elements = [](DenseBatch<double const> const& batch) {
    std::set<double const*> all;
    for (std::int64_t k = 0; k < batch.count; ++k)
      for (std::int64_t i = 0; i < batch.first.rows; ++i)
        for (std::int64_t j = 0; j < batch.first.columns; ++j)
          all.insert(batch.item(k).data + i * batch.first.row_stride + j);
    return all;
  };
  int shared = 0, apart = 0;
  for (int k = 0; k < 30000; ++k) {
    auto const a = any();
    auto b = any();
    if (k % 2 == 0) b.stride = a.stride;
    b.first.row_stride = std::max(a.first.row_stride, b.first.row_stride);
    auto like = a;
    like.first.row_stride = b.first.row_stride;
    auto const of_b = elements(b);
    bool any_shared = false;
    for (auto const* const e : elements(like)) any_shared = any_shared || of_b.count(e) > 0;
    (any_shared ? shared : apart) += 1;
    // Rows of equal strides: exact.
    EXPECT_EQ(detail::overlap(like, b), any_shared) << k;
  }
  EXPECT_GT(shared, 5000);
  EXPECT_GT(apart, 5000);
}

TEST(SpmmArguments, BatchesOfInterleavedItemsAreCheckedInNoTime) {
  // Columns of one array, 200,000 items: pairs of items would take minutes.
  constexpr std::int64_t items = 200000;
  std::vector<double> const memory(2 * items * 8);
  DenseBatch<double const> const b{{memory.data(), 8, 1, 2 * items, 1}, items, 1};
  DenseBatch<double const> const c{{memory.data() + items, 8, 1, 2 * items, 1}, items, 1};
  EXPECT_FALSE(detail::overlap(b, c));
  EXPECT_NO_THROW(detail::require_items_apart("op", c));
  EXPECT_TRUE(detail::overlap(b, DenseBatch<double const>{c.first, items + 1, 1}));
}

TEST(SpmmArguments, ARefusedTuningOfCooLeavesC) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  auto const A = csr_to_coo(exec, device_csr<double, std::int32_t, Exec>(random_matrix("refused", 20, 20, 4)));
  Kokkos::View<double**, Kokkos::LayoutRight, Exec> B("B", 20, 3);
  Kokkos::View<double**, Kokkos::LayoutRight, Exec> C("C", 20, 3);
  Kokkos::deep_copy(C, 5.0);
  EXPECT_THROW(spmm(exec, Op::none, 1.0, A, B, 0.0, C, {.vector_length = 3}), Error);
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), C);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(host(i, 2), 5.0) << i;
}

TEST(SpmmArguments, ColumnBlocksOfOneParentDoNotOverlap) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  auto const A = device_csr<double, std::int32_t, Exec>(random_matrix("blocks", 30, 30, 3));
  Kokkos::View<double**, Kokkos::LayoutRight, Exec> const both("both", 30, 8);
  auto const left = Kokkos::subview(both, Kokkos::ALL, Kokkos::make_pair(0, 4));
  auto const right = Kokkos::subview(both, Kokkos::ALL, Kokkos::make_pair(4, 8));
  EXPECT_NO_THROW(spmm(exec, Op::none, 1.0, A, left, 0.0, right));
  auto const crossing = Kokkos::subview(both, Kokkos::ALL, Kokkos::make_pair(3, 7));
  EXPECT_THROW(spmm(exec, Op::none, 1.0, A, left, 0.0, crossing), Error);
  exec.fence();
}

}  // namespace
}  // namespace araia::test
