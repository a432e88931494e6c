// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans of SDDMM: every candidate gives what the reference expects, what is wrong is found, what does not fit is
// refused.
#include <araia/extend/kernel.hpp>
#include <araia/io/read_matrix.hpp>
#include <araia/plan/any_matrix.hpp>
#include <araia/plan/plan_from.hpp>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "backends/openmp/reference/sddmm.hpp"
#include "plan/plan_checks.hpp"
#include "src/engine/kernels.hpp"
#include "support/data.hpp"

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(SddmmPlanOver, OperandTypes, OperandTypeNames);

/// An operand as a description lays it out, with room beside its rows.
template <class T, class Exec>
Operand<T, Exec> laid_out(DenseLayout layout, std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t gap = 4;  // elements
  switch (layout) {
    case DenseLayout::left: return Operand<T, Exec>(rows, columns, 1, rows + gap);
    case DenseLayout::right: return Operand<T, Exec>(rows, columns, columns + gap, 1);
    case DenseLayout::strided: break;
  }
  return Operand<T, Exec>(rows, columns, 2 * columns + 1, 2);
}

template <class Types, class Plan, class HostCsr>
void check_sampled(Plan const& plan, HostCsr const& host, double alpha_of, double beta_of, std::string const& what) {
  using Exec = typename Types::exec;
  using X = typename Types::x;
  using Y = typename Types::y;
  SddmmDesc const desc = plan.description();
  auto x = laid_out<X, Exec>(desc.layout_x, host.rows, desc.columns);
  auto y = transposes(desc.op) ? laid_out<X, Exec>(desc.layout_y, host.cols, desc.columns)
                               : laid_out<X, Exec>(desc.layout_y, desc.columns, host.cols);
  Operand<Y, Exec> d(host.nnz, 1, 1, std::max<std::int64_t>(1, host.nnz), 3);
  x.fill(11);
  y.fill(12);
  Y const alpha = alpha_of == 0 ? Y(0) : scalar_from<Y>(alpha_of);
  Y const beta = beta_of == 0 ? Y(0) : scalar_from<Y>(beta_of);
  d.fill(13);
  if (beta == Y(0)) d.fill_with(scalar_from<Y>(std::numeric_limits<double>::quiet_NaN()));
  if (alpha == Y(0)) x.fill_with(scalar_from<X>(std::numeric_limits<double>::quiet_NaN()));
  x.to_device();
  y.to_device();
  d.to_device();
  auto a = std_csr(host.pointers());
  if (desc.pattern) a.values = nullptr;
  auto const expected =
      reference::sddmm(std_value(alpha), a, std_matrix(x.host()), std_matrix(detail::rows_of_dots(desc.op, y.host())),
                       conjugates(desc.op), std_value(beta), std_matrix(d.host()).data);
  plan.execute(Exec(), alpha, x.matrix(), y.matrix(), beta, d.vector());
  Exec().fence();
  d.from_device();
  std::string const text = what + ", " + label(plan.choice());
  expect_within_bound(expected, d.host(), text);
  EXPECT_EQ(d.disturbed_bytes(), 0) << text << ": wrote beside D";
}

ARAIA_TYPED_TEST(SddmmPlanOver, EveryCandidateIsRightOnTheZoo) {
  using X = typename TypeParam::x;
  using Y = typename TypeParam::y;
  typename TypeParam::exec const exec;
  constexpr DenseLayout layouts[] = {DenseLayout::right, DenseLayout::left, DenseLayout::strided};
  constexpr std::int64_t columns[] = {16, 5, 1, 33};
  std::size_t turn = 0;
  for (auto const& m : zoo()) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, typename TypeParam::exec>(m);
    auto const host = host_copy(A);
    for (Op const op : all_ops) {
      ++turn;
      SddmmDesc const desc{.op = op,
                           .columns = columns[(turn + turn / 4) % 4],
                           .layout_x = layouts[turn % 3],
                           .layout_y = layouts[turn / 3 % 3],
                           .pattern = turn / 4 % 2 == 0};
      std::string const what = m.name + ", op " + to_string(op) + ", X " + to_string(desc.layout_x) + ", Y " +
                               to_string(desc.layout_y) + ", k " + std::to_string(desc.columns);
      auto const chosen = make_plan<X, Y>(exec, desc, A);
      for (auto const& choice : choices_of(chosen.report())) {
        auto const plan = make_plan<X, Y>(exec, desc, A, {.choice = choice});
        EXPECT_EQ(plan.choice(), choice);
        check_sampled<TypeParam>(plan, host, 0.75, turn % 5 == 0 ? 0 : -0.5, what);
      }
    }
  }
}

ARAIA_TYPED_TEST(SddmmPlanOver, WithoutWorkDIsScaledAndNothingElseIsRead) {
  using X = typename TypeParam::x;
  using Y = typename TypeParam::y;
  typename TypeParam::exec const exec;
  for (auto const& m : {random_matrix("random", 40, 50, 6), with_row_lengths("no entries", 9, {0, 0, 0}),
                        with_row_lengths("no rows", 9, {})}) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, typename TypeParam::exec>(m);
    auto const host = host_copy(A);
    for (std::int64_t const columns : {0, 8}) {
      auto const plan = make_plan<X, Y>(exec, SddmmDesc{.columns = columns}, A);
      for (double const beta : {0.0, -0.5}) {
        check_sampled<TypeParam>(plan, host, 0, beta, m.name + ", alpha 0");
        if (columns == 0) check_sampled<TypeParam>(plan, host, 0.75, beta, m.name + ", k 0");
      }
      EXPECT_TRUE(plan.verify(exec).ok) << m.name;
    }
  }
}

ARAIA_TYPED_TEST(SddmmPlanOver, VerifyPassesAndCountsEveryEntry) {
  using X = typename TypeParam::x;
  using Y = typename TypeParam::y;
  typename TypeParam::exec const exec;
  for (auto const& m : zoo())
    for (Op const op : {Op::transpose, Op::conjugate}) {
      auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, typename TypeParam::exec>(m);
      auto const report = make_plan<X, Y>(exec, SddmmDesc{.op = op, .columns = 6}, A).verify(exec);
      EXPECT_TRUE(report.ok) << m.name << ": " << report.first_violation;
      EXPECT_TRUE(report.whole) << m.name;
      EXPECT_EQ(report.entries_checked, m.nnz()) << m.name;
      EXPECT_EQ(report.rows_checked, m.rows) << m.name;
      EXPECT_LE(report.worst_share, 1) << m.name;
    }
}

using Matrix = Kokkos::View<double**, Kokkos::LayoutRight, Device>;
using Vector = Kokkos::View<double*, Device>;

/// A = [1 0 2; 0 3 0], X = [1 2; 3 4], Y = [5 6; 7 8; 9 10]: X Y' = [17 23 29; 39 53 67].
struct ByHand {
  Matrix x{"x", 2, 2};
  Matrix y{"y", 3, 2};
  Vector d{"d", 3};
  TestMatrix a{"by hand", 2, 3, {0, 2, 3}, {0, 2, 1}, {1, 2, 3}};
  ByHand() {
    fill(x, {1, 2, 3, 4});
    fill(y, {5, 6, 7, 8, 9, 10});
    fill(d, {1, 1, 1});
  }
  template <class View>
  static void fill(View const& view, std::vector<double> const& values) {
    auto const host = Kokkos::create_mirror_view(view);
    std::copy(values.begin(), values.end(), host.data());
    Kokkos::deep_copy(view, host);
  }
  [[nodiscard]] std::vector<double> result() const {
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), d);
    return {host.data(), host.data() + host.size()};
  }
};

TEST(SddmmPlan, GivesWhatOneWorksOutByHand) {
  ByHand const by_hand;
  Device const exec;
  auto const A = device_csr<double, std::int32_t, Device>(by_hand.a);
  make_plan(exec, SddmmDesc{.columns = 2}, A).execute(exec, 1, by_hand.x, by_hand.y, 0, by_hand.d);
  EXPECT_EQ(by_hand.result(), (std::vector<double>{17, 58, 159}));
  make_plan(exec, SddmmDesc{.columns = 2, .pattern = true}, A).execute(exec, 2, by_hand.x, by_hand.y, 1, by_hand.d);
  EXPECT_EQ(by_hand.result(), (std::vector<double>{51, 116, 265}));
}

TEST(SddmmPlan, TakesNewValuesAndSaysWhoseItReads) {
  ByHand const by_hand;
  Device const exec;
  auto const A = device_csr<double, std::int32_t, Device>(by_hand.a);
  auto plan = make_plan(exec, SddmmDesc{.columns = 2}, A);
  auto pattern = make_plan(exec, SddmmDesc{.columns = 2, .pattern = true}, A);
  EXPECT_TRUE(plan.shares_values());
  EXPECT_FALSE(pattern.shares_values());
  EXPECT_EQ(plan.bytes() - pattern.bytes(), 3 * sizeof(double));
  Vector const values("values", 3);
  ByHand::fill(values, {-1, 0, 2});
  plan.update_values(exec, values);
  pattern.update_values(exec, values);
  plan.execute(exec, 1, by_hand.x, by_hand.y, 0, by_hand.d);
  EXPECT_EQ(by_hand.result(), (std::vector<double>{-17, 0, 106}));
  EXPECT_TRUE(plan.verify(exec).ok);
  pattern.execute(exec, 1, by_hand.x, by_hand.y, 0, by_hand.d);
  EXPECT_EQ(by_hand.result(), (std::vector<double>{17, 29, 53}));
}

TEST(SddmmPlan, OfAnotherFormatHasTheOrderOfItsCsr) {
  ByHand const by_hand;
  Device const exec;
  auto const A = device_csr<double, std::int32_t, Device>(by_hand.a);
  auto const coo = csr_to_coo(exec, A);
  make_plan(exec, SddmmDesc{.columns = 2}, coo).execute(exec, 1, by_hand.x, by_hand.y, 0, by_hand.d);
  EXPECT_EQ(by_hand.result(), (std::vector<double>{17, 58, 159}));
}

TEST(SddmmPlan, ReportsNamesAndTimesItsCandidates) {
  Device const exec;
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("random", 800, 700, 20));
  auto const modelled = make_plan(exec, SddmmDesc{.columns = 32}, A);
  EXPECT_FALSE(modelled.report().measured);
  EXPECT_EQ(modelled.report().problem.operation, OpId::sddmm);
  EXPECT_NE(modelled.explain().find("SDDMM of 32 columns"), std::string::npos);
  EXPECT_DOUBLE_EQ(modelled.report().winner().traffic.flops, 2.0 * 32 * static_cast<double>(A.nnz));

  auto const measured = make_plan(exec, SddmmDesc{.columns = 32}, A, {.measure = true, .budget = 5});
  auto const& report = measured.report();
  EXPECT_TRUE(report.measured) << remarks(report);
  EXPECT_GE(report.candidates.size(), 2u);
  int timed = 0;
  for (auto const& c : report.candidates) {
    EXPECT_NE(c.status, CandidateStatus::wrong) << label(c.choice) << ": " << c.reason;
    EXPECT_NE(c.status, CandidateStatus::failed) << label(c.choice) << ": " << c.reason;
    if (c.status != CandidateStatus::timed) continue;
    ++timed;
    EXPECT_TRUE(c.verified.ok && c.seconds > 0) << label(c.choice);
    EXPECT_EQ(c.conversion_seconds, 0) << label(c.choice);
  }
  EXPECT_GE(timed, 1);
  EXPECT_EQ(choice_from_json(to_json(measured.choice())), measured.choice());
}

TEST(SddmmPlan, RunsEveryKernelOfTheListThatIsForTheSpace) {
  Device const exec;
  auto const A = small_csr();
  SddmmDesc const desc{.columns = 16};  // rows that suit 16-byte loads
  int ran = 0;
  for (auto const& kernel : detail::kernels()) {
    auto const& info = kernel.info;
    if (info.operation != OpId::sddmm || info.runs == Runs::where_bound) continue;
    PlanOptions const pinned{.choice = Choice{.format = std::string(info.storage), .kernel = std::string(info.name)}};
    if (detail::is_device_space<Device> ? info.on_device() : info.on_host()) {
      auto const plan = make_plan(exec, desc, A, pinned);
      EXPECT_TRUE(plan.verify(exec).ok) << info.name;
      EXPECT_NE(plan.explain().find(std::string("csr/") + std::string(info.name)), std::string::npos);
      ++ran;
    } else {
      EXPECT_EQ(kind_of([&] { make_plan(exec, desc, A, pinned); }), ErrorKind::unsupported) << info.name;
    }
  }
  EXPECT_GE(ran, 2);
}

TEST(SddmmPlan, AllocatesNothingInAProduct) {
  Device const exec;
  auto const A = small_csr();
  Matrix const x("x", 60, 16);
  Matrix const y("y", 40, 16);
  Vector const d("d", static_cast<std::size_t>(A.nnz));
  auto const listed = make_plan(exec, SddmmDesc{.columns = 16}, A);
  for (auto const& choice : choices_of(listed.report())) {
    auto const plan = make_plan(exec, SddmmDesc{.columns = 16}, A, {.choice = choice});
    plan.execute(exec, 1, x, y, 0, d);
    exec.fence();
    expect_quiet(exec, label(choice), [&] { plan.execute(exec, 1, x, y, 0.5, d); });
  }
}

TEST(SddmmPlan, RefusesWhatItWasNotDescribedFor) {
  Device const exec;
  auto const A = small_csr();
  auto const nnz = static_cast<std::size_t>(A.nnz);
  auto const plan = make_plan(exec, SddmmDesc{.columns = 8}, A);
  Matrix const x("x", 60, 8);
  Matrix const y("y", 40, 8);
  Matrix const x9("x9", 60, 9);
  Matrix const y9("y9", 40, 9);
  Kokkos::View<double**, Kokkos::LayoutLeft, Device> const x_left("x_left", 60, 8);
  Vector const d("d", nnz);
  Matrix const pairs("pairs", nnz, 2);
  plan.execute(exec, 1, x, y, 0, d);
  std::string text;
  EXPECT_EQ(kind_of([&] { plan.execute(exec, 1, y, y, 0, d); }, &text), ErrorKind::dimension_mismatch);
  EXPECT_NE(text.find("number of rows of X is 40, expected 60"), std::string::npos) << text;
  EXPECT_EQ(kind_of([&] { plan.execute(exec, 1, x, x, 0, d); }), ErrorKind::dimension_mismatch);
  EXPECT_EQ(kind_of([&] { plan.execute(exec, 1, x, y9, 0, d); }), ErrorKind::dimension_mismatch);
  EXPECT_EQ(kind_of([&] { plan.execute(exec, 1, x, y, 0, Vector("short", nnz - 1)); }), ErrorKind::dimension_mismatch);
  EXPECT_EQ(kind_of([&] { plan.execute(exec, 1, x9, y9, 0, d); }), ErrorKind::unsupported);
  EXPECT_EQ(kind_of([&] { plan.execute(exec, 1, x_left, y, 0, d); }), ErrorKind::unsupported);
  EXPECT_EQ(kind_of([&] { plan.execute(exec, 1, x, y, 0, Kokkos::subview(pairs, Kokkos::ALL, 0)); }),
            ErrorKind::invalid_argument);
  Vector const over_x(x.data(), nnz);
  EXPECT_EQ(kind_of([&] { plan.execute(exec, 1, x, y, 0, over_x); }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] { make_plan(exec, SddmmDesc{.columns = -1}, A); }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] { make_plan(exec, SddmmDesc{.columns = 8}, A, {.formats = {"sell"}}); }),
            ErrorKind::unsupported);
  Choice const of_spmv{.format = "csr", .kernel = "thread_per_row"};
  EXPECT_EQ(kind_of([&] { make_plan(exec, SddmmDesc{.columns = 8}, A, {.choice = of_spmv}); }, &text),
            ErrorKind::unsupported);
  EXPECT_NE(text.find("sddmm"), std::string::npos) << text;
  exec.fence();
}

/// A kernel of an application: each dot product by one thread, times `factor`.
template <int factor>
struct OwnSampled {
  static constexpr KernelInfo info{.operation = OpId::sddmm,
                                   .storage = "csr",
                                   .name = factor == 1 ? "own_sampled" : "own_wrong",
                                   .runs = Runs::where_bound,
                                   .own_row_order = true,
                                   .reads_source = true};
  static constexpr std::int64_t its_columns = 211;  // other tests have no such matrix: kernels stay registered
  static void propose(Problem const& p, Machine const&, Proposals& list) {
    if (p.stats.cols == its_columns) list.add({.format = std::string(info.storage), .kernel = std::string(info.name)});
  }
  static double seconds(Pricing const& a) { return roofline_seconds(a); }
};

using OwnBound = Bound<Device, SddmmDesc, double, double, double, std::int32_t>;

template <int factor>
class BoundSampled final : public OwnBound {
 public:
  explicit BoundSampled(Source source) : source_(std::move(source)) {}
  void run(Device const& exec, double alpha, Operand const& factors, double beta, Result const& d) const override {
    auto const a = source_.pointers();
    Kokkos::parallel_for(
        "own_sampled", Kokkos::RangePolicy<Device>(exec, 0, a.rows), KOKKOS_LAMBDA(std::int64_t i) {
          for (std::int64_t p = a.row_offsets[i]; p < a.row_offsets[i + 1]; ++p) {
            double dot = 0;
            for (std::int64_t k = 0; k < factors.x.columns; ++k)
              dot += factors.x.data[i * factors.x.row_stride + k * factors.x.column_stride] *
                     factors.y.data[a.col_indices[p] * factors.y.row_stride + k * factors.y.column_stride];
            double const value = a.values ? a.values[p] : 1.0;
            d.data[p] = alpha * factor * value * dot + (beta == 0 ? 0 : beta * d.data[p]);
          }
        });
  }
  void update_values(Device const&, Source const& source) override { source_ = source; }
  std::uint64_t bytes() const override { return 0; }

 private:
  Source source_;
};

template <int factor>
std::shared_ptr<OwnBound> bind_sampled(Device const&, OwnBound::Source const& source, Choice const&,
                                       BindOptions const&) {
  return std::make_shared<BoundSampled<factor>>(source);
}

TEST(SddmmPlan, RunsTheApplicationsKernelAndFindsOutAWrongOne) {
  register_kernel<OwnSampled<1>, Device, SddmmDesc, double, double, double, std::int32_t>(bind_sampled<1>);
  register_kernel<OwnSampled<2>, Device, SddmmDesc, double, double, double, std::int32_t>(bind_sampled<2>);
  Device const exec;
  Choice const right{.format = "csr", .kernel = "own_sampled"};
  Choice const wrong{.format = "csr", .kernel = "own_wrong"};
  // Of the larger one the entries of sampled rows are checked.
  for (auto const& m : {random_matrix("small", 300, 211, 9), random_matrix("large", 30000, 211, 30)}) {
    auto const A = device_csr<double, std::int32_t, Device>(m);
    auto const plan = make_plan(exec, SddmmDesc{.columns = 24}, A, {.choice = right});
    auto const verified = plan.verify(exec);
    EXPECT_TRUE(verified.ok) << verified.first_violation;
    EXPECT_EQ(verified.whole, m.rows < 1000);
    EXPECT_GT(verified.entries_checked, 0);
    EXPECT_EQ(kind_of([&] { make_plan(exec, SddmmDesc{.columns = 24}, A, {.choice = wrong}); }), ErrorKind::internal);
    auto const chosen = make_plan(exec, SddmmDesc{.columns = 24}, A, {.measure = true, .budget = 10});
    EXPECT_NE(chosen.choice(), wrong);
    for (auto const& c : chosen.report().candidates) {
      if (c.choice != wrong || !c.verified.done) continue;
      EXPECT_EQ(c.status, CandidateStatus::wrong);
      EXPECT_NE(c.reason.find("wrong at row"), std::string::npos) << c.reason;
    }
  }
}

TEST(SddmmPlan, OfTypesChosenAtRunTimeIsThatOfThePlan) {
  ByHand const by_hand;
  Device const exec;
  HostCoo coo;
  coo.rows = 2;
  coo.cols = 3;
  coo.row_indices = std::vector<std::int32_t>{0, 0, 1};
  coo.col_indices = std::vector<std::int32_t>{0, 2, 1};
  coo.values = std::vector<double>{1, 2, 3};
  auto const matrix = make_any_matrix(exec, coo, ScalarTypes::f64);
  auto const plan = matrix->plan(SddmmDesc{.columns = 2}, {});
  plan->execute(1, any_view(by_hand.x), any_view(by_hand.y), 0, any_view(by_hand.d));
  exec.fence();
  EXPECT_EQ(by_hand.result(), (std::vector<double>{17, 58, 159}));
  EXPECT_TRUE(plan->verify().ok);
  EXPECT_EQ(kind_of([&] {
              plan->execute({0, 1}, any_view(by_hand.x), any_view(by_hand.y), 0, any_view(by_hand.d));
            }),
            ErrorKind::invalid_argument);
}

TEST(SddmmPlan, AgreesWithTheReferenceOnRealMatrices) {
  Device const exec;
  int found = 0;
  for (char const* name : {"karate.mtx", "lp_afiro.mtx", "cora.mtx.gz", "memplus.mtx.gz", "bcsstk17.mtx.gz"}) {
    std::filesystem::path path;
    for (char const* folder : {"tiny", "small", "medium"})
      if (auto const there = data_directory() / folder / name; std::filesystem::exists(there)) path = there;
    if (path.empty()) continue;
    ++found;
    auto const matrix = make_any_matrix(exec, read_matrix(path), ScalarTypes::f64);
    auto const report = matrix->plan(SddmmDesc{.columns = 20}, {})->verify();
    EXPECT_TRUE(report.ok) << path << ": " << report.first_violation;
    EXPECT_GT(report.entries_checked, 0) << path;
  }
  if (found == 0) GTEST_SKIP() << "no real matrices in " << data_directory() << " (ARAIA_TEST_DATA names another)";
}

}  // namespace
}  // namespace araia::test
