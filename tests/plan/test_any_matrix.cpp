// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices, plans and operands whose types are known at run time: they give what plans of those types give, allocate
// and wait no more than these, and refuse what the compiler would have refused.
#include <algorithm>
#include <araia/detail/io/memory_limit.hpp>
#include <araia/plan/any_matrix.hpp>
#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "plan/plan_checks.hpp"
#include "support/failing_new.hpp"

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(AnyMatrixOver, OperandTypes, OperandTypeNames);

template <class Types>
constexpr ScalarTypes scalars_of() {
  if (std::is_same_v<typename Types::a, Complex>) return ScalarTypes::c64;
  if (std::is_same_v<typename Types::a, double>) return ScalarTypes::f64;
  return std::is_same_v<typename Types::x, double> ? ScalarTypes::f32_f64 : ScalarTypes::f32;
}

template <class Matrix>
AnyCsr arrays_of(Matrix const& A) {
  return {.rows = A.rows,
          .cols = A.cols,
          .row_offsets = any_view(A.row_offsets),
          .col_indices = any_view(A.col_indices),
          .values = any_view(A.values)};
}

/// The product of random operands in the layout: `strided` has gaps in both directions.
template <class Types, class HostCsr>
void check_product(AnyPlan const& plan, HostCsr const& host, Op op, std::int64_t columns, DenseLayout layout,
                   std::string const& what) {
  using Exec = typename Types::exec;
  using Y = typename Types::y;
  auto const operand = [&]<class T>(std::int64_t n) {
    if (layout == DenseLayout::right) return Operand<T, Exec>(n, columns, columns + 1, 1, 1);
    if (layout == DenseLayout::left) return Operand<T, Exec>(n, columns, 1, n + 2, 1);
    return Operand<T, Exec>(n, columns, 2, 2 * n + 3, 1);
  };
  auto b = operand.template operator()<typename Types::x>(plan.cols());
  auto c = operand.template operator()<Y>(plan.rows());
  b.fill(11);
  c.fill(12);
  b.to_device();
  c.to_device();
  Y const alpha = scalar_from<Y>(0.75);
  Y const beta = scalar_from<Y>(-0.5);
  auto const expected = expected_product(op, alpha, host.pointers(), b.host(), beta, c.host());
  Exec const exec;
  plan.execute(exec, std_value(alpha), any_view(b.matrix()), std_value(beta), any_view(c.matrix()));
  exec.fence();
  c.from_device();
  expect_within_bound(expected, c.host(), what + ", " + label(plan.choice()));
  EXPECT_EQ(c.disturbed_bytes(), 0) << what;
}

ARAIA_TYPED_TEST(AnyMatrixOver, ProductsOfEveryLayoutAreRightOnTheZoo) {
  using Exec = typename TypeParam::exec;
  AnySpace const space{Exec()};
  constexpr auto types = scalars_of<TypeParam>();
  for (auto const& m : zoo()) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    auto const host = host_copy(A);
    auto const matrix = make_any_matrix(space, arrays_of(A), types);
    EXPECT_EQ(matrix->nnz(), m.nnz());
    EXPECT_EQ(matrix->offset_bits(), static_cast<int>(8 * sizeof(typename TypeParam::offset)));
    for (Op const op : all_ops) {
      auto const what = m.name + ", op " + to_string(op);
      auto const spmv = matrix->plan(SpmvDesc{.op = op, .strided = true}, {});
      EXPECT_EQ(spmv->types(), types);
      check_product<TypeParam>(*spmv, host, op, 1, DenseLayout::right, what);
      for (auto const layout : {DenseLayout::left, DenseLayout::right, DenseLayout::strided}) {
        SpmmDesc const desc{.op = op, .columns = 5, .layout_b = layout, .layout_c = layout};
        auto const spmm = matrix->plan(desc, {});
        EXPECT_EQ(spmm->description(), desc);
        check_product<TypeParam>(*spmm, host, op, 5, layout, what + ", layout " + to_string(layout));
      }
    }
  }
}

ARAIA_TYPED_TEST(AnyMatrixOver, NewValuesAreThoseOfTheNextProduct) {
  using Exec = typename TypeParam::exec;
  using A = typename TypeParam::a;
  auto m = random_matrix("60 x 40", 60, 40, 5);
  auto const csr = device_csr<A, typename TypeParam::offset, Exec>(m);
  auto const matrix = make_any_matrix(Exec(), arrays_of(csr), scalars_of<TypeParam>());
  std::reverse(m.values.begin(), m.values.end());
  auto const other = device_csr<A, typename TypeParam::offset, Exec>(m);
  for (std::string const format : {"csr", "sell", "csc"}) {
    auto const plan = matrix->plan(SpmvDesc{.strided = true}, {.formats = {format}});
    EXPECT_TRUE(plan->verify().ok) << format;
    plan->update_values(any_view(other.values));
    check_product<TypeParam>(*plan, host_copy(other), Op::none, 1, DenseLayout::right, format);
    EXPECT_TRUE(plan->verify().ok) << format;
    EXPECT_EQ(plan->shares_values(), format == "csr");
  }
}

ARAIA_TYPED_TEST(AnyMatrixOver, OperandsOfItsOwnBringValuesThereAndBack) {
  using Exec = typename TypeParam::exec;
  AnySpace const space{Exec()};
  auto const scalar = operand_scalar(scalars_of<TypeParam>());
  EXPECT_EQ(scalar, detail::element_type<typename TypeParam::x>());
  HostDense const from{.rows = 3, .columns = 2, .values = std::vector{1.0, 2.0, 3.0, 0.25, -5.0, 1e9}};
  for (auto const layout : {DenseLayout::left, DenseLayout::right}) {
    AnyDense const dense(space, scalar, from, layout);
    auto const view = dense.view();
    EXPECT_EQ(view.row_stride, layout == DenseLayout::left ? 1 : 2);
    EXPECT_EQ(view.column_stride, layout == DenseLayout::left ? 3 : 1);
    EXPECT_EQ(view.memory, space.memory());
    EXPECT_EQ(dense.bytes(), 6 * sizeof(typename TypeParam::x));
    AnyDense const same = dense;
    EXPECT_EQ(same.view().data, view.data);
    auto const back = dense.to_host(space);
    EXPECT_EQ(back.rows, 3);
    EXPECT_EQ(back.columns, 2);
    auto const& wanted = std::get<0>(from.values);
    for (std::size_t k = 0; k < wanted.size(); ++k)
      std::visit([&](auto const& values) { EXPECT_EQ(values[k], wanted[k]); }, back.values);
    AnyDense const zeros(space, scalar, 3, 2, layout);
    copy_operand(space, view, zeros.view());
    EXPECT_EQ(zeros.to_host(space).values, back.values);
  }
}

ARAIA_TYPED_TEST(AnyMatrixOver, FusedProductsHaveTheBitsOfAPlanOfTheTypes) {
  using Exec = typename TypeParam::exec;
  using X = typename TypeParam::x;
  using Real = typename detail::FusedOperands<X>::Real;
  using Sum = accumulator_t<X>;
  Exec const exec;
  auto const A =
      device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(random_matrix("50 x 50", 50, 50, 5));
  auto const any = make_any_matrix(exec, arrays_of(A), scalars_of<TypeParam>())->plan(SpmvDesc{}, {});
  auto const plan = make_plan<X>(exec, SpmvDesc{}, A, {.choice = any->choice()});
  Operand<X, Exec> b(50, 1, 1, 1), x(50, 1, 1, 1);
  b.fill(21);
  x.fill(22);
  b.to_device();
  x.to_device();
  using Vector = Kokkos::View<X*, Exec>;
  Vector const r("r", 50), any_r("any_r", 50), y("y", 50), any_y("any_y", 50);
  Kokkos::View<Real, Exec> const norm("norm"), any_norm("any_norm");
  Kokkos::View<Sum, Exec> const dot("dot"), any_dot("any_dot");
  plan.residual(exec, b.vector(), x.vector(), r, norm);
  plan.multiply_dot(exec, x.vector(), y, dot);
  any->residual(exec, any_view(b.vector()), any_view(x.vector()), any_view(any_r), any_view(any_norm));
  any->multiply_dot(exec, any_view(x.vector()), any_view(any_y), any_view(any_dot));
  exec.fence();
  EXPECT_EQ(download<X>(any_r), download<X>(r));
  EXPECT_EQ(download<X>(any_y), download<X>(y));
  auto const value = [](auto const& sum) { return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sum)(); };
  EXPECT_EQ(value(any_norm), value(norm));
  EXPECT_EQ(value(any_dot), value(dot));
  EXPECT_GT(value(norm), Real(0));
  EXPECT_NE(value(dot), Sum(0));
}

// A = (1 0 2)   x = (1, 10, 100)   A x = (201)
//     (0 3 0)                            ( 30)
HostCoo two_by_three() {
  HostCoo coo;
  coo.rows = 2;
  coo.cols = 3;
  coo.row_indices = std::vector<std::int32_t>{1, 0, 0, 1};
  coo.col_indices = std::vector<std::int32_t>{1, 2, 0, 1};
  coo.values = std::vector{1.0, 2.0, 1.0, 2.0};  // (1, 1) twice
  return coo;
}

HostDense column(std::vector<double> values) {
  auto const rows = static_cast<std::int64_t>(values.size());
  return {.rows = rows, .columns = 1, .values = std::move(values)};
}

std::vector<double> values_of(AnyDense const& dense, AnySpace const& space) {
  return std::get<0>(dense.to_host(space).values);
}

TEST(AnyMatrix, EntriesAreInTheOrderOfNewValues) {
  for (auto const& name : any_spaces()) {
    AnySpace const space(name);
    auto const A = make_any_matrix(space, two_by_three(), ScalarTypes::f64);
    auto const entries = A->entries();
    EXPECT_EQ(std::get<0>(entries.row_indices), (std::vector<std::int32_t>{0, 0, 1}));
    EXPECT_EQ(std::get<0>(entries.col_indices), (std::vector<std::int32_t>{0, 2, 1}));
    EXPECT_EQ(std::get<1>(entries.values), (std::vector{1.0, 2.0, 3.0}));
    auto const plan = A->plan(SpmvDesc{}, {});
    EXPECT_EQ(plan->rows(), 2);
    EXPECT_EQ(plan->cols(), 3);
    AnyDense const x(space, ElementType::float64, column({1, 10, 100}));
    AnyDense const y(space, ElementType::float64, 2);
    plan->execute(1.0, x.view(), 0.0, y.view());
    EXPECT_EQ(values_of(y, space), (std::vector{201.0, 30.0}));
    AnyDense const values(space, ElementType::float64, column({4, 5, 6}));
    plan->update_values(values.view());
    plan->execute(2.0, x.view(), 1.0, y.view());
    EXPECT_EQ(values_of(y, space), (std::vector{201.0 + 2 * 504, 30.0 + 2 * 60}));
  }
}

TEST(AnyMatrix, PatternsAreOnesAndHaveNoValues) {
  HostCoo pattern = two_by_three();
  pattern.values = std::monostate();
  AnySpace const space;
  auto const A = make_any_matrix(space, pattern, ScalarTypes::f64);
  EXPECT_FALSE(A->has_values());
  EXPECT_EQ(A->nnz(), 3);  // (1, 1) is there twice, and is one
  EXPECT_TRUE(std::holds_alternative<std::monostate>(A->entries().values));
  EXPECT_EQ(A->plan(SpmmDesc{.op = Op::transpose, .columns = 3}, {})->rows(), 3);
}

TEST(AnyMatrix, FusedProductsAreThoseOfTheVectors) {
  AnySpace const space;
  HostCoo coo = two_by_three();
  coo.cols = 2;
  coo.col_indices = std::vector<std::int32_t>{1, 1, 0, 1};  // A = (1 2; 0 3)
  auto const plan = make_any_matrix(space, coo, ScalarTypes::f64)->plan(SpmvDesc{}, {});
  AnyDense const x(space, ElementType::float64, column({10, 100}));
  AnyDense const b(space, ElementType::float64, column({211, 304}));
  AnyDense const r(space, ElementType::float64, 2);
  AnyDense const sum(space, ElementType::float64, 1);
  plan->residual(space, b.view(), x.view(), r.view(), sum.view());
  EXPECT_EQ(values_of(r, space), (std::vector{1.0, 4.0}));
  EXPECT_EQ(values_of(sum, space), (std::vector{17.0}));
  plan->residual(space, r.view(), x.view(), b.view());
  EXPECT_EQ(values_of(b, space), (std::vector{-209.0, -296.0}));
  plan->multiply_dot(space, x.view(), r.view(), sum.view());
  EXPECT_EQ(values_of(r, space), (std::vector{210.0, 300.0}));
  EXPECT_EQ(values_of(sum, space), (std::vector{32100.0}));
}

TEST(AnyMatrix, BatchesAndEpiloguesAreThoseOfTheirDefinition) {
  Device const exec;
  constexpr std::int64_t items = 2, rows = 2, cols = 3, columns = 2;
  auto const plan = make_any_matrix(exec, two_by_three(), ScalarTypes::f64)->plan(SpmmDesc{.columns = columns}, {});
  Kokkos::View<double***, Kokkos::LayoutRight, Device> const B("B", items, cols, columns);
  Kokkos::View<double***, Kokkos::LayoutRight, Device> const C("C", items, rows, columns), R("R", items, rows, columns);
  Kokkos::View<double*, Device> const row_bias("row_bias", rows), column_bias("column_bias", columns);
  auto const hB = Kokkos::create_mirror_view(B), hC = Kokkos::create_mirror_view(C), hR = Kokkos::create_mirror_view(R);
  auto const h_row = Kokkos::create_mirror_view(row_bias), h_column = Kokkos::create_mirror_view(column_bias);
  double const A[rows][cols] = {{1, 0, 2}, {0, 3, 0}};
  for (std::int64_t k = 0; k < items; ++k)
    for (std::int64_t j = 0; j < columns; ++j) {
      for (std::int64_t i = 0; i < cols; ++i) hB(k, i, j) = static_cast<double>(1 + i - 4 * k + 3 * j);
      for (std::int64_t i = 0; i < rows; ++i) hR(k, i, j) = static_cast<double>(5 - 7 * i + k);
    }
  for (std::int64_t i = 0; i < rows; ++i) h_row(i) = static_cast<double>(i);
  for (std::int64_t j = 0; j < columns; ++j) h_column(j) = static_cast<double>(-2 * j);
  auto const expect = [&](bool epilogue, std::string const& what) {
    Kokkos::deep_copy(hC, C);
    int negative = 0;
    for (std::int64_t k = 0; k < items; ++k)
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) {
          double c = 2 + (epilogue ? h_row(i) + h_column(j) + hR(k, i, j) : 0);  // alpha 3, beta 2, C of ones
          for (std::int64_t l = 0; l < cols; ++l) c += 3 * A[i][l] * hB(k, l, j);
          negative += c < 0;
          EXPECT_EQ(hC(k, i, j), epilogue ? std::max(c, 0.0) : c) << what << ": " << k << ' ' << i << ' ' << j;
        }
    EXPECT_GT(negative, 0);
  };
  Kokkos::deep_copy(B, hB);
  Kokkos::deep_copy(R, hR);
  Kokkos::deep_copy(row_bias, h_row);
  Kokkos::deep_copy(column_bias, h_column);
  Kokkos::deep_copy(C, 1.0);
  plan->execute(exec, 3.0, any_view(B), 2.0, any_view(C));
  expect(false, "batch");
  Kokkos::deep_copy(C, 1.0);
  plan->execute(
      exec, 3.0, any_view(B), 2.0, any_view(C),
      {.row_bias = any_view(row_bias), .column_bias = any_view(column_bias), .residual = any_view(R), .relu = true});
  expect(true, "epilogue");
}

/// Fences that run() is behind, and the most bytes of operator new in it.
struct Work {
  int fences = 0;
  std::int64_t bytes = 0;
  friend bool operator==(Work const&, Work const&) = default;
};
inline int fences_seen = 0;

template <class Run>
Work work_of(Device const& exec, Run const& run) {
  namespace tools = Kokkos::Tools::Experimental;
  run();  // what is made once is made here
  exec.fence();
  fences_seen = 0;
  tools::set_begin_fence_callback([](char const*, std::uint32_t, std::uint64_t*) { ++fences_seen; });
  Work work;
  work.bytes = peak_bytes(run);
  work.fences = fences_seen;
  tools::set_begin_fence_callback(nullptr);
  exec.fence();
  return work;
}

TEST(AnyMatrix, ProductsAllocateAndWaitNoMoreThanThoseOfPlans) {
  Device const exec;
  AnySpace const space(exec);
  auto const A = small_csr();
  auto const matrix = make_any_matrix(space, arrays_of(A), ScalarTypes::f64);
  Kokkos::View<double*, Device> const x("x", 40), y("y", 60), z("z", 60);
  Kokkos::View<double**, Kokkos::LayoutRight, Device> const b("b", 40, 6), c("c", 60, 6);
  auto const xs = any_view(x), ys = any_view(y), zs = any_view(z), bs = any_view(b), cs = any_view(c);
  for (auto const& choice : choices_of(make_plan(exec, SpmvDesc{}, A).report())) {
    auto plan = make_plan(exec, SpmvDesc{}, A, {.choice = choice});
    auto const any = matrix->plan(SpmvDesc{}, {.choice = choice});
    EXPECT_EQ(work_of(exec, [&] { any->execute(space, 1, xs, 0.5, ys); }),
              work_of(exec, [&] { plan.execute(exec, 1, x, 0.5, y); }))
        << label(choice);
    EXPECT_EQ(work_of(exec, [&] { any->residual(space, zs, xs, ys); }),
              work_of(exec, [&] { plan.residual(exec, z, x, y); }))
        << label(choice);
    any->execute(1, xs, 0, ys);
    expect_quiet(exec, label(choice), [&] { any->execute(space, 1, xs, 0.5, ys); });
  }
  for (auto const& choice : choices_of(make_plan(exec, SpmmDesc{.columns = 6}, A).report())) {
    auto const plan = make_plan(exec, SpmmDesc{.columns = 6}, A, {.choice = choice});
    auto const any = matrix->plan(SpmmDesc{.columns = 6}, {.choice = choice});
    EXPECT_EQ(work_of(exec, [&] { any->execute(space, 1, bs, 0.5, cs); }),
              work_of(exec, [&] { plan.execute(exec, 1, b, 0.5, c); }))
        << label(choice);
    any->execute(1, bs, 0, cs);
    expect_quiet(exec, label(choice), [&] { any->execute(space, 1, bs, 0.5, cs); });
  }
}

/// The default limit of the host's memory while this lives.
class HostLimit {
 public:
  explicit HostLimit(std::uint64_t bytes) { set_default_host_memory_limit(bytes); }
  ~HostLimit() { set_default_host_memory_limit(unset_memory_limit); }
  HostLimit(HostLimit const&) = delete;
  HostLimit& operator=(HostLimit const&) = delete;
};

/// Operands of products with A of 2 x 3, of two columns in rows, and a plan of each kind.
struct Refusals : testing::Test {
  AnySpace space;
  std::unique_ptr<AnyMatrix> A = make_any_matrix(space, two_by_three(), ScalarTypes::f64);
  std::unique_ptr<AnySpmvPlan> spmv = A->plan(SpmvDesc{}, {});
  std::unique_ptr<AnySpmmPlan> spmm = A->plan(SpmmDesc{.columns = 2}, {});
  AnyDense x{space, ElementType::float64, column({1, 10, 100})};
  AnyDense y{space, ElementType::float64, column({7, 8})};
  AnyDense b{space, ElementType::float64, HostDense{3, 2, std::vector{1.0, 2.0, 3.0, 4.0, 5.0, 6.0}}};
  AnyDense c{space, ElementType::float64, HostDense{2, 2, std::vector{7.0, 8.0, 9.0, 10.0}}};

  /// The call is refused with the kind and a text that has these words, and y and C are what they were.
  void refused(ErrorKind kind, std::string const& words, Call const& call) {
    std::string message;
    EXPECT_EQ(kind_of(call, &message), kind) << message;
    EXPECT_NE(message.find(words), std::string::npos) << message << "\nwanted: " << words;
    EXPECT_EQ(test::values_of(y, space), (std::vector{7.0, 8.0}));
    EXPECT_EQ(test::values_of(c, space), (std::vector{7.0, 8.0, 9.0, 10.0}));
  }
  void refused_as_x(ErrorKind kind, std::string const& words, AnyConstView const& view) {
    refused(kind, words, [&] { spmv->execute(1, view, 0, y.view()); });
  }
  static AnyView with(AnyView view, auto const& change) {
    change(view);
    return view;
  }
  AnyView x_with(auto const& change) const { return with(x.view(), change); }
};
using AnyPlanRefusals = Refusals;

TEST_F(AnyPlanRefusals, OfWhatDescriptionsSay) {
  auto const invalid = ErrorKind::invalid_argument;
  refused_as_x(invalid, "x has elements of float32, expected float64",
               x_with([](AnyView& v) { v.scalar = ElementType::float32; }));
  refused_as_x(invalid, "does not reach", x_with([&](AnyView& v) {
                 v.memory = space.memory() == MemorySpace::host ? MemorySpace::cuda : MemorySpace::host;
               }));
  refused_as_x(invalid, "x has strides -1", x_with([](AnyView& v) { v.row_stride = -1; }));
  refused_as_x(invalid, "x has extents -3", x_with([](AnyView& v) { v.rows = -3; }));
  refused_as_x(invalid, "x has no address", x_with([](AnyView& v) { v.data = nullptr; }));
  refused_as_x(invalid, "x is not aligned to 8 bytes",
               x_with([](AnyView& v) { v.data = static_cast<char*>(v.data) + 4; }));
  refused_as_x(invalid, "x is a batch of 2 items", x_with([](AnyView& v) {
                 v.items = 2;
                 v.size = -1;
               }));
  refused_as_x(ErrorKind::dimension_mismatch, "x is 2 elements long, expected at least 3",
               x_with([](AnyView& v) { v.size = 2; }));
  refused_as_x(ErrorKind::dimension_mismatch, "x is 3 elements long, expected at least 5",
               x_with([](AnyView& v) { v.row_stride = 2; }));
  refused_as_x(ErrorKind::dimension_mismatch, "expected at least", x_with([](AnyView& v) {
                 v.row_stride = std::int64_t{1} << 62;  // times 2 does not wrap
               }));
  for (int const shift : {59, 62})
    refused_as_x(invalid, "x reaches over", x_with([&](AnyView& v) {
                   v.row_stride = std::int64_t{1} << shift;  // 2^60 doubles are more bytes than 63 bits count
                   v.size = -1;
                 }));
  refused_as_x(ErrorKind::dimension_mismatch, "length of x is 2, expected 3", x_with([](AnyView& v) { v.rows = 2; }));
  refused_as_x(ErrorKind::dimension_mismatch, "number of columns of x is 2, expected 1", b.view());
  AnyDense const wide(space, ElementType::float64, 6);
  auto strided = wide.view();
  strided.rows = 3;
  strided.row_stride = 2;
  refused_as_x(ErrorKind::unsupported, "strides of x and y", strided);
}

TEST_F(AnyPlanRefusals, OfProducts) {
  auto const invalid = ErrorKind::invalid_argument;
  refused(invalid, "alpha is 1 + 2i, expected a real number",
          [&] { spmv->execute(std::complex<double>(1, 2), x.view(), 0, y.view()); });
  refused(invalid, "beta is 0.5 + 1e-09i, expected a real number",
          [&] { spmv->execute(1, x.view(), std::complex<double>(0.5, 1e-9), y.view()); });
  refused(ErrorKind::dimension_mismatch, "length of y is 3", [&] { spmv->execute(1, x.view(), 0, x.view()); });
  refused(ErrorKind::unsupported, "the layout of B is not right", [&] {
    spmm->execute(1, AnyDense(space, ElementType::float64, 3, 2, DenseLayout::left).view(), 0, c.view());
  });
  auto batch = b.view();
  batch.items = 2;
  batch.size = -1;
  refused(ErrorKind::dimension_mismatch, "number of items of C", [&] { spmm->execute(1, batch, 0, c.view()); });
  refused(ErrorKind::dimension_mismatch, "length of row_bias is 3, expected 2",
          [&] { spmm->execute(space, 1, b.view(), 0, c.view(), {.row_bias = x.view()}); });
  refused(ErrorKind::dimension_mismatch, "which x'y wants square",
          [&] { spmv->multiply_dot(space, x.view(), y.view(), AnyDense(space, ElementType::float64, 1).view()); });
  refused(ErrorKind::dimension_mismatch, "length of norm_squared is 2, expected 1", [&] {
    AnyDense const r(space, ElementType::float64, 2);
    spmv->residual(space, y.view(), x.view(), r.view(), AnyDense(space, ElementType::float64, 2).view());
  });
  refused(ErrorKind::dimension_mismatch, "number of values is 2, expected 3", [&] { spmv->update_values(y.view()); });
  refused(invalid, "values have stride 2", [&] {
    AnyDense const six(space, ElementType::float64, 6);
    auto view = six.view();
    view.rows = 3;
    view.row_stride = 2;
    spmv->update_values(view);
  });
  spmv->execute(1, x.view(), 0, y.view());
  EXPECT_EQ(test::values_of(y, space), (std::vector{201.0, 30.0}));
  spmm->execute(1, b.view(), 0, c.view());
  EXPECT_EQ(test::values_of(c, space), (std::vector{7.0, 6.0, 16.0, 15.0}));
}

TEST_F(AnyPlanRefusals, OfFactorsBeyondTheRangeOfTheScalars) {
  for (auto const types : any_types()) {
    if (types != ScalarTypes::f32) continue;
    auto const plan = make_any_matrix(space, two_by_three(), types)->plan(SpmvDesc{}, {});
    AnyDense const xs(space, ElementType::float32, column({1, 10, 100}));
    AnyDense const ys(space, ElementType::float32, column({7, 8}));
    refused(ErrorKind::invalid_argument, "alpha is 1e+300 + 0i, expected a number in the range",
            [&] { plan->execute(1e300, xs.view(), 0, ys.view()); });
    refused(ErrorKind::invalid_argument, "beta is -1e+300 + 0i, expected a number in the range",
            [&] { plan->execute(1, xs.view(), -1e300, ys.view()); });
    EXPECT_EQ(test::values_of(ys, space), (std::vector{7.0, 8.0}));
    return;
  }
  GTEST_SKIP() << "the build has no float";
}

TEST_F(AnyPlanRefusals, OfMatricesWithoutStrides) {
  auto const bare = [](AnyView const& of) {
    return AnyView{.data = of.data, .scalar = of.scalar, .memory = of.memory, .rows = of.rows, .columns = of.columns};
  };
  refused(ErrorKind::invalid_argument, "B has strides 1, -1 and 0",
          [&] { spmm->execute(1, bare(b.view()), 0, c.view()); });
  refused(ErrorKind::invalid_argument, "C has strides 1, -1 and 0",
          [&] { spmm->execute(1, b.view(), 0, bare(c.view())); });
  // Of one column none is asked for, also in a plan for matrices.
  AnyDense const one(space, ElementType::float64, column({1, 10, 100}));
  AnyDense const to(space, ElementType::float64, 2);
  A->plan(SpmmDesc{.columns = 1}, {})->execute(1, bare(one.view()), 0, bare(to.view()));
  EXPECT_EQ(test::values_of(to, space), (std::vector{201.0, 30.0}));
}

TEST_F(AnyPlanRefusals, OfResultsWhoseElementsShareAPlace) {
  struct Strides {
    DenseLayout layout;
    std::int64_t row, column;
  };
  for (auto const& [layout, row, column] :
       {Strides{DenseLayout::left, 1, 1}, Strides{DenseLayout::right, 1, 1}, Strides{DenseLayout::strided, 2, 2},
        Strides{DenseLayout::strided, 0, 1}, Strides{DenseLayout::strided, 1, 0}}) {
    auto const plan = A->plan(SpmmDesc{.columns = 2, .layout_c = layout}, {});
    auto view = c.view();
    view.row_stride = row;
    view.column_stride = column;
    view.size = -1;
    std::string const words = "expected a place of its own for each element";
    refused(ErrorKind::invalid_argument, words, [&] { plan->execute(1, b.view(), 0, view); });
    refused(ErrorKind::invalid_argument, words, [&] { plan->execute(space, 1, b.view(), 0, view, {.relu = true}); });
  }
}

TEST_F(AnyPlanRefusals, OfElementsWithoutAnAddress) {
  auto const invalid = ErrorKind::invalid_argument;
  auto const nowhere = [&](AnyView view) {
    view.data = nullptr;
    return view;
  };
  AnyDense const bias(space, ElementType::float64, 2);
  AnyDense const r(space, ElementType::float64, 2);
  AnyDense const sum(space, ElementType::float64, 1);
  auto const refused_with = [&](std::string const& name, AnyEpilogue const& epilogue) {
    refused(invalid, name + " has no address", [&] { spmm->execute(space, 1, b.view(), 0, c.view(), epilogue); });
  };
  refused_with("row_bias", {.row_bias = nowhere(bias.view())});
  refused_with("column_bias", {.column_bias = nowhere(bias.view())});
  refused_with("residual", {.residual = nowhere(c.view())});
  refused(invalid, "norm_squared has no address",
          [&] { spmv->residual(space, y.view(), x.view(), r.view(), nowhere(sum.view())); });
  refused(invalid, "dot has no address", [&] {
    AnyDense const square(space, ElementType::float64, 3);
    spmv->multiply_dot(space, x.view(), square.view(), nowhere(sum.view()));
  });
  EXPECT_EQ(test::values_of(r, space), (std::vector{0.0, 0.0}));
  auto const csr = small_csr();
  auto arrays = arrays_of(csr);
  arrays.values.data = nullptr;
  refused(invalid, "values has no address", [&] { (void)make_any_matrix(space, arrays, ScalarTypes::f64); });
  arrays.values = {};
  EXPECT_FALSE(make_any_matrix(space, arrays, ScalarTypes::f64)->has_values());
}

TEST_F(AnyPlanRefusals, OfInstancesOfOtherSpaces) {
  int others = 0;
  for (auto const& name : any_spaces()) {
    AnySpace const other(name);
    if (other.get_if<Device>()) continue;
    ++others;
    refused(ErrorKind::invalid_argument, std::string("exec is an instance of ") + other.name(),
            [&] { spmv->execute(other, 1, AnyConstView(), 0, AnyView()); });
  }
  if (others == 0) GTEST_SKIP() << "the build has one execution space";
}

TEST_F(AnyPlanRefusals, OfArraysOfACsr) {
  auto const csr = small_csr();
  AnyCsr const right = arrays_of(csr);
  auto const refused_as = [&](ErrorKind kind, std::string const& words, auto const& change) {
    AnyCsr changed = right;
    change(changed);
    refused(kind, words, [&] { (void)make_any_matrix(space, changed, ScalarTypes::f64); });
  };
  refused_as(ErrorKind::invalid_structure, "row_offsets holds 61 elements, expected rows + 1 = 62",
             [](AnyCsr& a) { a.rows = 61; });
  refused_as(ErrorKind::invalid_structure, "and cols is 2", [](AnyCsr& a) { a.cols = 2; });
  refused_as(ErrorKind::invalid_argument, "col_indices has elements of int64, expected int32",
             [](AnyCsr& a) { a.col_indices.scalar = ElementType::int64; });
  refused_as(ErrorKind::invalid_argument, "values has elements of float32, expected float64",
             [](AnyCsr& a) { a.values.scalar = ElementType::float32; });
  refused_as(ErrorKind::invalid_argument, "row_offsets have stride 2", [](AnyCsr& a) {
    a.row_offsets.row_stride = 2;
    a.row_offsets.size = -1;
  });
  refused_as(ErrorKind::dimension_mismatch, "length of values", [](AnyCsr& a) { --a.values.rows; });
}

TEST_F(AnyPlanRefusals, OfDenseOperands) {
  std::string message;
  auto const make = [&](ElementType scalar, std::int64_t rows, DenseLayout layout) {
    return [=, this] { (void)AnyDense(space, scalar, rows, 2, layout); };
  };
  refused(ErrorKind::invalid_argument, "the scalar is int32", make(ElementType::int32, 2, DenseLayout::left));
  refused(ErrorKind::invalid_argument, "the extents are -2 x 2", make(ElementType::float64, -2, DenseLayout::left));
  refused(ErrorKind::invalid_argument, "the layout is strided", make(ElementType::float64, 2, DenseLayout::strided));
  refused(ErrorKind::resource_limit, "araia::AnyDense needs 18446744073709551615 bytes",
          make(ElementType::float64, std::int64_t{1} << 61, DenseLayout::left));
  refused(ErrorKind::dimension_mismatch, "number of values is 5, expected 6", [&] {
    (void)AnyDense(space, ElementType::float64,
                   HostDense{.rows = 3, .columns = 2, .values = std::vector<double>(5, 1.0)});
  });
  {
    HostLimit const nothing_left(1);  // what cannot be is refused before anything is asked for
    EXPECT_EQ(kind_of(
                  [&] {
                    (void)AnyDense(space, ElementType::float64,
                                   HostDense{.rows = 1, .columns = 1, .values = std::vector<std::complex<double>>(1)});
                  },
                  &message),
              ErrorKind::unsupported);
    EXPECT_NE(message.find("the values are complex and the scalar is float64, expected complex_float64"),
              std::string::npos)
        << message;
  }
  if (space.memory() == MemorySpace::host) {
    HostLimit const limit(8 * 2 * 100);
    (void)AnyDense(space, ElementType::float64, 100, 2);
    EXPECT_EQ(kind_of(make(ElementType::float64, 101, DenseLayout::left), &message), ErrorKind::resource_limit);
    EXPECT_NE(message.find("araia::AnyDense needs 1616 bytes, the limit is 1600 bytes"), std::string::npos) << message;
  }
}

TEST_F(AnyPlanRefusals, OfCopies) {
  auto const invalid = ErrorKind::invalid_argument;
  refused(ErrorKind::dimension_mismatch, "number of rows of the target is 2, expected 3",
          [&] { copy_operand(space, b.view(), c.view()); });
  refused(invalid, "expected the same without gaps", [&] {
    copy_operand(space, b.view(), AnyDense(space, ElementType::float64, 3, 2, DenseLayout::left).view());
  });
  for (auto const scalar : {ElementType::int32, static_cast<ElementType>(0), static_cast<ElementType>(99)}) {
    auto const as = [&](AnyDense const& dense) { return with(dense.view(), [&](AnyView& v) { v.scalar = scalar; }); };
    refused(invalid, "expected one of operands", [&] { copy_operand(space, as(b), as(b)); });
  }
  auto const long_as = [&](AnyDense const& dense, std::int64_t rows, std::int64_t columns, std::int64_t stride) {
    return with(dense.view(), [&](AnyView& v) {
      v = {.data = v.data, .scalar = v.scalar, .memory = v.memory, .rows = rows, .columns = columns};
      v.row_stride = stride;
      v.column_stride = stride * rows;
    });
  };
  constexpr auto most = std::int64_t{1} << 61;  // doubles, whose bytes wrap to 0
  refused(invalid, "the source reaches over 2305843009213693952 elements",
          [&] { copy_operand(space, long_as(x, most, 1, 1), long_as(y, most, 1, 1)); });
  constexpr auto many = std::int64_t{1} << 40;  // times itself wraps
  refused(invalid, "expected the same without gaps",
          [&] { copy_operand(space, long_as(x, many, many, 0), long_as(y, many, many, 0)); });
  AnyDense const five(space, ElementType::float64, column({1, 2, 3, 4, 5}));
  auto const part = [&](std::int64_t first) {
    return with(five.view(), [&](AnyView& v) {
      v.data = static_cast<double*>(v.data) + first;
      v.rows = 3;
      v.size = 3;
    });
  };
  for (int const first : {0, 1, 2})
    refused(invalid, "the source and the target overlap in memory", [&] { copy_operand(space, part(first), part(1)); });
  EXPECT_EQ(test::values_of(five, space), (std::vector{1.0, 2.0, 3.0, 4.0, 5.0}));
}

TEST_F(AnyPlanRefusals, OfCopiesBetweenArraysOfTheHostOnADevice) {
  if (space.memory() == MemorySpace::host) GTEST_SKIP() << "the build has no device";
  std::vector<double> const from(3, 1.0);
  std::vector<double> to(3, 2.0);
  refused(ErrorKind::invalid_argument, "both arrays lie on the host",
          [&] { copy_operand(space, {.data = from.data(), .rows = 3}, {.data = to.data(), .rows = 3}); });
  EXPECT_EQ(to, std::vector<double>(3, 2.0));
}

TEST(AnyDense, ACopyToTheHostThatFailsLeavesItsTarget) {
  AnySpace const space;
  AnyDense const dense(space, ElementType::float64, 400, 1);
  HostDense to = column({1, 2});
  auto const expect_unchanged = [&] {
    EXPECT_EQ(to.rows, 2);
    EXPECT_EQ(to.columns, 1);
    EXPECT_EQ(std::get<0>(to.values), (std::vector{1.0, 2.0}));
  };
  {
    HostLimit const limit(3199);
    EXPECT_EQ(kind_of([&] { dense.to_host(space, to); }), ErrorKind::resource_limit);
    expect_unchanged();
  }
  if (may_fail_allocations()) {  // not under a sanitizer
    fail_allocation(0, 3200);
    EXPECT_EQ(kind_of([&] { dense.to_host(space, to); }), ErrorKind::resource_limit);
    EXPECT_TRUE(allow_allocations());
    expect_unchanged();
  }
  dense.to_host(space, to);
  EXPECT_EQ(std::get<0>(to.values), std::vector<double>(400));
  if (space.memory() != MemorySpace::host) return;
  HostLimit const nothing_left(1);
  dense.to_host(space, to);  // whose memory it uses again
  EXPECT_EQ(to.rows, 400);
}

TEST(AnySpace, IsFoundByNameAndHoldsTheInstance) {
  for (auto const& name : any_spaces()) EXPECT_EQ(AnySpace(name).name(), name);
  EXPECT_EQ(AnySpace().name(), default_space());
  std::string message;
  EXPECT_EQ(kind_of([] { AnySpace("abacus"); }, &message), ErrorKind::device);
  EXPECT_NE(message.find(default_space()), std::string::npos) << message;
  Device const exec;
  AnySpace const space(exec);
  ASSERT_NE(space.get_if<Device>(), nullptr);
  EXPECT_EQ(*space.get_if<Device>(), exec);
  EXPECT_TRUE(space.reaches(space.memory()));
  EXPECT_TRUE(space.visit([]<class Exec>(Exec const&) { return std::is_same_v<Exec, Device>; }));
}

#ifdef KOKKOS_ENABLE_CUDA
/// y = A x with vectors in memory that host and device reach, by the plan of a space.
template <class Memory>
void expect_products_in(AnySpace const& space, MemorySpace memory) {
  auto const plan = make_any_matrix(space, two_by_three(), ScalarTypes::f64)->plan(SpmvDesc{}, {});
  Kokkos::View<double*, Memory> const x("x", 3), y("y", 2);
  for (std::size_t i = 0; i < 3; ++i) x(i) = std::vector{1.0, 10.0, 100.0}[i];
  EXPECT_EQ(any_view(x).memory, memory);
  EXPECT_TRUE(space.reaches(memory));
  plan->execute(1, any_view(x), 0, any_view(y));
  space.fence();
  EXPECT_EQ(y(0), 201.0);
  EXPECT_EQ(y(1), 30.0);
  AnyDense const own(space, ElementType::float64, 2);
  copy_operand(space, any_view(y), own.view());
  EXPECT_EQ(values_of(own, space), (std::vector{201.0, 30.0}));
}
#endif

TEST(AnyPlan, ReadsAndWritesMemoryThatHostAndDeviceReach) {
#ifdef KOKKOS_ENABLE_CUDA
  for (auto const& name : any_spaces()) {
    expect_products_in<Kokkos::CudaUVMSpace>(AnySpace(name), MemorySpace::cuda_managed);
    expect_products_in<Kokkos::CudaHostPinnedSpace>(AnySpace(name), MemorySpace::cuda_pinned);
  }
#else
  GTEST_SKIP() << "the build has no device";
#endif
}

TEST(AnyPlan, OnADeviceRunsOnTheInstanceThatItIsGiven) {
#ifdef KOKKOS_ENABLE_CUDA
  cudaStream_t stream{};
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  {
    Kokkos::Cuda const exec(stream);
    auto const plan = make_any_matrix(exec, two_by_three(), ScalarTypes::f64)->plan(SpmvDesc{}, {});
    AnyDense const x(exec, ElementType::float64, column({1, 10, 100}));
    AnyDense const y(exec, ElementType::float64, 2);
    plan->execute(exec, 1, x.view(), 0, y.view());
    exec.fence();
    cudaGraph_t graph{};
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    plan->execute(exec, 1, x.view(), 1, y.view());
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);  // all work was the stream's, and none waited
    cudaGraphExec_t ready{};
    ASSERT_EQ(cudaGraphInstantiate(&ready, graph, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(ready, stream), cudaSuccess);
    exec.fence();
    EXPECT_EQ(values_of(y, exec), (std::vector{402.0, 60.0}));
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
  }
  cudaStreamDestroy(stream);
#else
  GTEST_SKIP() << "the build has no device";
#endif
}

}  // namespace
}  // namespace araia::test
