// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans over the zoo: the model's pick and every legal candidate give what the reference expects; what a plan refuses;
// what execute may not do.
#include <araia/dispatch/cuda_space.hpp>
#include <araia/ops/csr_partition.hpp>
#include <araia/ops/spmm.hpp>
#include <araia/plan/plan.hpp>
#include <string>
#include <vector>

#include "support/check.hpp"
#include "support/errors.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

template <class Types>
class PlanOver : public ::testing::Test {};
TYPED_TEST_SUITE(PlanOver, OperandTypes, OperandTypeNames);

/// Choices that the report lists, pruned ones too: all of them are legal.
std::vector<Choice> choices_of(TuneReport const& report) {
  std::vector<Choice> all;
  for (auto const& c : report.candidates) all.push_back(c.choice);
  return all;
}

template <class Types, class Plan, class HostCsr>
void check_execute(Plan const& plan, HostCsr const& host, std::int64_t columns, bool right, std::string const& what) {
  using Exec = typename Types::exec;
  using X = typename Types::x;
  using Y = typename Types::y;
  Op const op = plan.description().op;
  std::int64_t const rows = op == Op::none ? host.rows : host.cols;
  std::int64_t const cols = op == Op::none ? host.cols : host.rows;
  auto const operand = [&]<class T>(std::int64_t n) {
    return right ? test::Operand<T, Exec>(n, columns, columns, 1)
                 : test::Operand<T, Exec>(n, columns, 1, std::max<std::int64_t>(n, 1));
  };
  auto b = operand.template operator()<X>(cols);
  auto c = operand.template operator()<Y>(rows);
  b.fill(11);
  c.fill(12);
  b.to_device();
  c.to_device();
  Y const alpha = scalar_from<Y>(0.75);
  Y const beta = scalar_from<Y>(-0.5);
  auto const expected = expected_product(op, alpha, host.pointers(), b.host(), beta, c.host());
  if constexpr (std::is_same_v<std::decay_t<decltype(plan.description())>, SpmvDesc>)
    plan.execute(Exec(), alpha, b.vector(), beta, c.vector());
  else
    plan.execute(Exec(), alpha, b.matrix(), beta, c.matrix());
  Exec().fence();
  c.from_device();
  expect_within_bound(expected, c.host(), what + ", " + label(plan.choice()));
  EXPECT_EQ(c.disturbed_bytes(), 0) << what;
}

/// Blocks and diagonals hold an entry once, and diagonals need ascending columns: `unsupported` is right where a row
/// has neither.
bool has_strict_rows(TestMatrix const& m) {
  for (std::size_t row = 0; row + 1 < m.row_offsets.size(); ++row)
    for (std::int64_t k = m.row_offsets[row] + 1; k < m.row_offsets[row + 1]; ++k)
      if (m.col_indices[static_cast<std::size_t>(k)] <= m.col_indices[static_cast<std::size_t>(k - 1)]) return false;
  return true;
}

template <class Types, class Desc, class A, class HostCsr>
void check_every_choice(Desc const& desc, A const& matrix, HostCsr const& host, bool strict, std::int64_t columns,
                        bool right, std::string const& what) {
  typename Types::exec const exec;
  auto const chosen = make_plan<typename Types::x, typename Types::y>(exec, desc, matrix);
  check_execute<Types>(chosen, host, columns, right, what);
  for (auto const& choice : choices_of(chosen.report())) {
    try {
      auto const plan = make_plan<typename Types::x, typename Types::y>(exec, desc, matrix, {.choice = choice});
      EXPECT_EQ(plan.choice(), choice);
      check_execute<Types>(plan, host, columns, right, what);
    } catch (Error const& e) {
      bool const picky = choice.format == "bsr" || choice.diagonals || choice.block_width > 1;
      EXPECT_TRUE(e.kind() == ErrorKind::unsupported && picky && !strict) << what << label(choice) << ": " << e.what();
    }
  }
}

TYPED_TEST(PlanOver, EveryCandidateIsRightOnTheZoo) {
  using Exec = typename TypeParam::exec;
  for (auto const& m : zoo()) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    auto const host = host_copy(A);
    for (Op const op : all_ops) {
      std::string const what = m.name + ", op " + to_string(op);
      bool const strict = has_strict_rows(m);
      check_every_choice<TypeParam>(SpmvDesc{.op = op}, A, host, strict, 1, false, what);
      for (bool const right : {true, false}) {
        std::int64_t const columns = right ? 9 : 3;
        DenseLayout const layout = right ? DenseLayout::right : DenseLayout::left;
        check_every_choice<TypeParam>(SpmmDesc{.op = op, .columns = columns, .layout_b = layout, .layout_c = layout}, A,
                                      host, strict, columns, right, what);
      }
    }
  }
}

TYPED_TEST(PlanOver, VerifyPassesAndCountsEveryEntry) {
  using Exec = typename TypeParam::exec;
  Exec const exec;
  for (auto const& m : zoo()) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    auto const plan =
        make_plan<typename TypeParam::x, typename TypeParam::y>(exec, SpmmDesc{.op = Op::none, .columns = 5}, A);
    auto const report = plan.verify(exec);
    EXPECT_TRUE(report.ok) << m.name << ": " << report.first_violation;
    EXPECT_TRUE(report.whole);
    EXPECT_EQ(report.entries_checked, m.rows * 5) << m.name;
    EXPECT_LE(report.worst_share, 1) << m.name;
  }
}

auto small() { return random_matrix("60 x 40", 60, 40, 5); }
auto small_csr() { return device_csr<double, std::int32_t, Device>(small()); }
using Vector = Kokkos::View<double*, Device>;
template <class Layout>
using Matrix = Kokkos::View<double**, Layout, Device>;

TEST(Plan, ByDefaultNothingIsTimed) {
  auto const plan = make_plan(Device(), SpmvDesc{}, small_csr());
  EXPECT_FALSE(plan.report().measured);
  for (auto const& c : plan.report().candidates) {
    EXPECT_EQ(c.samples, 0);
    EXPECT_FALSE(c.verified.done);
  }
  EXPECT_EQ(plan.workspace_bytes(), (60u / 8 + 2) * sizeof(double));  // partial sums of residual and multiply_dot
  EXPECT_EQ(make_plan(Device(), SpmmDesc{.columns = 2}, small_csr()).workspace_bytes(), 0u);
  EXPECT_GT(plan.bytes(), 0u);
}

TEST(Plan, OtherShapesThanDescribedAreRefused) {
  Device const exec;
  auto const A = small_csr();
  auto const spmv = make_plan(exec, SpmvDesc{}, A);
  Vector const x("x", 40);
  Vector const y("y", 60);
  EXPECT_EQ(kind_of([&] { spmv.execute(exec, 1, y, 0, x); }), ErrorKind::dimension_mismatch);
  EXPECT_EQ(kind_of([&] { spmv.execute(exec, 1, x, 0, x); }), ErrorKind::dimension_mismatch);
  Matrix<Kokkos::LayoutRight> const wide("wide", 40, 2);
  EXPECT_EQ(kind_of([&] { spmv.execute(exec, 1, Kokkos::subview(wide, Kokkos::ALL, 0), 0, y); }),
            ErrorKind::unsupported);

  auto const spmm = make_plan(exec, SpmmDesc{.columns = 4}, A);
  Matrix<Kokkos::LayoutRight> const b("b", 40, 4);
  Matrix<Kokkos::LayoutRight> const c("c", 60, 4);
  Matrix<Kokkos::LayoutLeft> const b_left("b_left", 40, 4);
  Matrix<Kokkos::LayoutRight> const b5("b5", 40, 5);
  Matrix<Kokkos::LayoutRight> const c5("c5", 60, 5);
  spmm.execute(exec, 1, b, 0, c);
  EXPECT_EQ(kind_of([&] { spmm.execute(exec, 1, b_left, 0, c); }), ErrorKind::unsupported);
  EXPECT_EQ(kind_of([&] { spmm.execute(exec, 1, b5, 0, c5); }), ErrorKind::unsupported);
  EXPECT_EQ(kind_of([&] { spmm.execute(exec, 1, c, 0, b); }), ErrorKind::dimension_mismatch);
  exec.fence();
}

TEST(Plan, OverlappingOperandsAreRefused) {
  Device const exec;
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("square", 30, 30, 4));
  auto const plan = make_plan(exec, SpmvDesc{}, A);
  Vector const both("both", 45);
  auto const x = Kokkos::subview(both, std::pair(0, 30));
  auto const y = Kokkos::subview(both, std::pair(15, 45));
  EXPECT_EQ(kind_of([&] { plan.execute(exec, 1, x, 0, y); }), ErrorKind::invalid_argument);
}

TEST(Plan, StridedOperandsRunWhenDescribed) {
  Device const exec;
  auto const A = small_csr();
  auto const host = host_copy(A);
  auto const plan = make_plan(exec, SpmvDesc{.strided = true}, A);
  Operand<double, Device> x(40, 1, 3, 1, 1);
  Operand<double, Device> y(60, 1, 2, 1, 1);
  x.fill(1);
  y.fill(2);
  x.to_device();
  y.to_device();
  auto const expected = expected_product(Op::none, 2.0, host.pointers(), x.host(), 0.5, y.host());
  plan.execute(exec, 2.0, x.vector(), 0.5, y.vector());
  exec.fence();
  y.from_device();
  expect_within_bound(expected, y.host(), label(plan.choice()));
  EXPECT_EQ(y.disturbed_bytes(), 0);
}

TEST(Plan, PinnedChoiceSurvivesJsonAndIsCheckedForLegality) {
  Device const exec;
  auto const A = small_csr();
  Choice const choice = choice_from_json(R"({"format":"ell","kernel":"thread_per_row","rows_by_length":true})");
  auto const plan = make_plan(exec, SpmvDesc{}, A, {.choice = choice});
  EXPECT_EQ(choice_from_json(to_json(plan.choice())), choice);
  EXPECT_TRUE(plan.verify(exec).ok);
  for (Choice const& illegal : {Choice{.format = "ell", .kernel = "segmented"}, Choice{.format = "x", .kernel = "y"},
                                Choice{.format = "csr", .kernel = "thread_per_row", .vector_length = 5},
                                Choice{.format = "csr", .kernel = "transposed"}})
    EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmvDesc{}, A, {.choice = illegal}); }), ErrorKind::unsupported)
        << label(illegal);
}

TEST(Plan, FormatsAreAFilter) {
  Device const exec;
  auto const A = small_csr();
  auto const plan = make_plan(exec, SpmvDesc{}, A, {.formats = {"coo"}});
  for (auto const& c : plan.report().candidates) EXPECT_EQ(c.choice.format, "coo");
  // Also where the order changes nothing, as all rows are equally long, and for every operation.
  auto const even = device_csr<double, std::int32_t, Device>(with_row_lengths("even", 9, {2, 2, 2, 2}));
  for (auto const& format : format_labels())
    for (Op const op : all_ops) {
      auto const spmm = make_plan(exec, SpmmDesc{.op = op, .columns = 3}, even, {.formats = {format}});
      EXPECT_EQ(format_label(spmm.choice()), format);
      EXPECT_TRUE(spmm.verify(exec).ok) << format;
    }
  EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmvDesc{}, A, {.formats = {"dia"}}); }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmmDesc{.columns = -1}, A); }), ErrorKind::invalid_argument);
}

#ifndef ARAIA_TYPES_MINIMAL
TEST(Plan, ComplexMatricesGoThroughEveryFormat) {
  Device const exec;
  auto const A = device_csr<Complex, std::int32_t, Device>(small());
  for (auto const& format : format_labels())
    for (Op const op : all_ops) {
      auto const spmv = make_plan(exec, SpmvDesc{.op = op}, A, {.formats = {format}});
      EXPECT_EQ(format_label(spmv.choice()), format);
      EXPECT_TRUE(spmv.verify(exec).ok) << format;
      auto const spmm = make_plan(exec, SpmmDesc{.op = op, .columns = 3}, A, {.formats = {format}});
      EXPECT_EQ(format_label(spmm.choice()), format);
      EXPECT_TRUE(spmm.verify(exec).ok) << format;
    }
}
#endif

TEST(Plan, MemoryLimitKeepsConversionsOut) {
  Device const exec;
  auto const A = small_csr();
  auto const plan = make_plan(exec, SpmvDesc{}, A, {.memory_limit = 1});
  EXPECT_EQ(format_label(plan.choice()), "csr");
  EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmvDesc{}, A, {.memory_limit = 1, .formats = {"ell"}}); }),
            ErrorKind::resource_limit);
}

TEST(Plan, DeterministicRefusesWhatCannotBe) {
  Device const exec;
  auto const A = small_csr();
  auto const plan = make_plan(exec, SpmvDesc{}, A, {.deterministic = true});
  Vector const x("x", 40);
  Kokkos::deep_copy(x, 0.1);
  std::vector<double> first;
  for (int run = 0; run < 20; ++run) {
    Vector const y("y", 60);
    plan.execute(exec, 1.3, x, 0, y);
    exec.fence();
    auto const bits = download<double>(y);
    if (run == 0) first = bits;
    EXPECT_EQ(bits, first);
  }
  if (exec.concurrency() > 1) {
    auto const transposed = make_plan(exec, SpmvDesc{.op = Op::transpose}, A, {.deterministic = true});
    EXPECT_EQ(transposed.choice().format, "csc");
    EXPECT_TRUE(transposed.verify(exec).ok);
    EXPECT_EQ(kind_of([&] {
                (void)make_plan(exec, SpmvDesc{.op = Op::transpose}, A, {.deterministic = true, .formats = {"csr"}});
              }),
              ErrorKind::unsupported);
    EXPECT_EQ(kind_of([&] {
                (void)make_plan(exec, SpmvDesc{}, A,
                                {.deterministic = true, .choice = Choice{.format = "coo", .kernel = "atomic"}});
              }),
              ErrorKind::unsupported);
  }
}

TEST(Plan, UpdateValuesReachesEveryFormat) {
  Device const exec;
  auto other = small();
  for (double& v : other.values) v = 3 * v - 1;
  auto const B = device_csr<double, std::int32_t, Device>(other);
  auto const host = host_copy(B);
  using Types = Operands<Device, double, double, double, std::int32_t>;
  for (auto const& format : format_labels()) {
    for (bool const keep_maps : {false, true}) {
      auto plan = make_plan(exec, SpmvDesc{}, small_csr(), {.keep_maps = keep_maps, .formats = {format}});
      plan.update_values(exec, B.values);
      EXPECT_EQ(format_label(plan.choice()), format);
      check_execute<Types>(plan, host, 1, false, format);
      EXPECT_TRUE(plan.verify(exec).ok) << format;
      Vector const wrong("wrong", 7);
      EXPECT_EQ(kind_of([&] { plan.update_values(exec, wrong); }), ErrorKind::dimension_mismatch);
    }
  }
}

TEST(Plan, ReleasedSourceStillExecutes) {
  Device const exec;
  auto const host = host_copy(small_csr());
  using Types = Operands<Device, double, double, double, std::int32_t>;
  for (auto const& format : format_labels()) {
    if (format == "csr") continue;  // runs on the source
    auto plan = make_plan(exec, SpmvDesc{}, small_csr(), {.formats = {format}});
    plan.release_source();
    check_execute<Types>(plan, host, 1, false, "released, " + format);
    EXPECT_EQ(kind_of([&] { (void)plan.verify(exec); }), ErrorKind::unsupported);
    Vector const values("values", static_cast<std::size_t>(host.nnz));
    EXPECT_EQ(kind_of([&] { plan.update_values(exec, values); }), ErrorKind::unsupported);
  }
}

TEST(Plan, BytesAreThoseOfTheFormatAsMade) {
  Device const exec;
  auto const A = small_csr();
  for (auto const& format : format_labels()) {
    auto const plan = make_plan(exec, SpmmDesc{.columns = 4}, A, {.formats = {format}});
    auto const& winner = plan.report().winner();
    EXPECT_TRUE(winner.footprint.exact) << format;
    EXPECT_EQ(winner.bytes, winner.footprint.bytes);
    if (winner.choice.kernel != "host_simd_runs") {
      EXPECT_EQ(plan.bytes(), winner.bytes) << format;
    }
    EXPECT_GE(winner.footprint.slots, A.nnz) << format;
  }
}

// Rows of 3 entries, one of 3000, and the partition that makes them even: found once, counted, kept by the plan.
TEST(Plan, OwnsThePartitionOfItsKernel) {
  Device const exec;
  std::vector<std::int64_t> lengths(2000, 3);
  lengths[7] = 3000;
  auto const m = with_row_lengths("skewed", 4000, lengths);
  auto const A = device_csr<double, std::int32_t, Device>(m);
  using Types = Operands<Device, double, double, double, std::int32_t>;
  auto other = m;
  for (double& v : other.values) v = 3 * v - 1;
  auto const B = device_csr<double, std::int32_t, Device>(other);
  std::vector<Choice> all;
  for (auto const& choice : choices_of(make_plan(exec, SpmvDesc{}, A).report()))
    if (is_partitioned(choice)) all.push_back(choice);
  EXPECT_EQ(all.size(), detail::is_cuda_space<Device> ? 2u : 1u);
  for (auto const& choice : all) {
    auto plan = make_plan(exec, SpmvDesc{}, A, {.deterministic = true, .choice = choice});
    CsrSpmvKernel const kernel = choice.kernel == "balanced" ? CsrSpmvKernel::balanced : CsrSpmvKernel::equal_chunks;
    EXPECT_EQ(plan.bytes(), A.bytes() + partition_rows(exec, A, kernel).bytes());
    EXPECT_EQ(plan.report().winner().bytes, plan.bytes());
    EXPECT_NE(plan.explain().find("chosen: csr/" + choice.kernel), std::string::npos);
    EXPECT_TRUE(plan.verify(exec).ok);
    check_execute<Types>(plan, host_copy(A), 1, false, "skewed");
    plan.update_values(exec, B.values);
    check_execute<Types>(plan, host_copy(B), 1, false, "skewed, new values");
    Choice by_length = choice;
    by_length.rows_by_length = true;
    EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmvDesc{}, A, {.choice = by_length}); }), ErrorKind::unsupported);
    EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmvDesc{.op = Op::transpose}, A, {.choice = choice}); }),
              ErrorKind::unsupported);
  }
  auto const measured = make_plan(exec, SpmvDesc{}, A, {.measure = true, .budget = 0.2, .formats = {"csr"}});
  EXPECT_TRUE(measured.verify(exec).ok);
  EXPECT_GE(measured.bytes(), A.bytes());
}

// The same of SpMM on CUDA, whose carries have the columns of the description; wider products go in slices.
TEST(Plan, OwnsThePiecesOfItsSpmmKernel) {
  if constexpr (!detail::is_cuda_space<Device>) GTEST_SKIP() << "csr/merge_split is of CUDA";
  Device const exec;
  std::vector<std::int64_t> lengths(2000, 3);
  lengths[7] = lengths[1999] = 3000;
  auto const m = with_row_lengths("skewed", 4000, lengths);
  auto const A = device_csr<double, std::int32_t, Device>(m);
  using Types = Operands<Device, double, double, double, std::int32_t>;
  auto other = m;
  for (double& v : other.values) v = 3 * v - 1;
  auto const B = device_csr<double, std::int32_t, Device>(other);
  Choice const choice{.format = "csr", .kernel = "merge_split"};
  for (std::int64_t const columns : {1, 6, 64}) {
    SpmmDesc const desc{.columns = columns, .layout_b = DenseLayout::right, .layout_c = DenseLayout::right};
    auto plan = make_plan(exec, desc, A, {.deterministic = true, .choice = choice});
    auto const partition = partition_rows(exec, A, CsrSpmmKernel::merge_split, columns);
    EXPECT_EQ(partition.bytes(), detail::csr_spmm_partition_bytes(A.rows, A.nnz, columns, sizeof(double)));
    EXPECT_EQ(plan.bytes(), A.bytes() + partition.bytes());
    EXPECT_EQ(plan.report().winner().bytes, plan.bytes());
    EXPECT_TRUE(plan.verify(exec).ok);
    check_execute<Types>(plan, host_copy(A), columns, true, "skewed");
    plan.update_values(exec, B.values);
    check_execute<Types>(plan, host_copy(B), columns, true, "skewed, new values");
  }
  SpmmDesc const by_columns{.columns = 4, .layout_b = DenseLayout::left, .layout_c = DenseLayout::left};
  EXPECT_EQ(kind_of([&] { (void)make_plan(exec, by_columns, A, {.choice = choice}); }), ErrorKind::unsupported);
  Kokkos::View<double**, Kokkos::LayoutRight, Device> const X("X", 4000, 4);
  Kokkos::View<double**, Kokkos::LayoutRight, Device> const Y("Y", 2000, 4);
  CsrSpmmTuning tuning{.kernel = CsrSpmmKernel::merge_split};
  auto const call = [&] { spmm(exec, Op::none, 1.0, A, X, 0.0, Y, tuning); };
  EXPECT_EQ(kind_of(call), ErrorKind::invalid_argument);  // no partition
  auto const of_entries = partition_rows(exec, A, CsrSpmvKernel::equal_chunks);
  tuning.partition = of_entries.pointers();
  EXPECT_EQ(kind_of(call), ErrorKind::invalid_argument);
  auto const of_two = partition_rows(exec, A, CsrSpmmKernel::merge_split, 2);
  tuning.partition = of_two.pointers();
  call();  // two slices
  EXPECT_EQ(kind_of([&] { (void)partition_rows(exec, A, CsrSpmmKernel::row_per_warp, 4); }),
            ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] { (void)partition_rows(exec, A, CsrSpmmKernel::merge_split, 0); }),
            ErrorKind::invalid_argument);
}

// A csr of its own beside the source's, which may go.
TEST(Plan, OwnsThePanelsOfItsKernel) {
  Device const exec;
  std::vector<std::int64_t> lengths(3000, 7);
  lengths[11] = 4000;
  auto const m = with_row_lengths("skewed", 5000, lengths);
  auto const A = device_csr<double, std::int32_t, Device>(m);
  using Types = Operands<Device, double, double, double, std::int32_t>;
  Choice const panels{.format = "csr", .kernel = "column_panels"};
  EXPECT_EQ(storage_label(panels), "csr in panels");
  if (!detail::is_cuda_space<Device>) {
    EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmvDesc{}, A, {.choice = panels}); }), ErrorKind::unsupported);
    return;
  }
  auto other = m;
  for (double& v : other.values) v = 3 * v - 1;
  auto const B = device_csr<double, std::int32_t, Device>(other);
  auto plan = make_plan(exec, SpmvDesc{}, A, {.deterministic = true, .choice = panels});
  auto const& winner = plan.report().winner();
  EXPECT_TRUE(winner.footprint.exact);
  EXPECT_EQ(winner.bytes, plan.bytes());
  EXPECT_GE(winner.footprint.slots, A.nnz);
  EXPECT_GE(plan.bytes(), static_cast<std::uint64_t>(A.nnz) * (8 + 2 + 2));
  EXPECT_TRUE(plan.verify(exec).ok);
  check_execute<Types>(plan, host_copy(A), 1, false, "in panels");
  plan.update_values(exec, B.values);
  check_execute<Types>(plan, host_copy(B), 1, false, "in panels, new values");
  plan.release_source();
  check_execute<Types>(plan, host_copy(B), 1, false, "in panels, source released");
  EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmvDesc{.op = Op::transpose}, A, {.choice = panels}); }),
            ErrorKind::unsupported);
  EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmmDesc{.columns = 2}, A, {.choice = panels}); }),
            ErrorKind::unsupported);
  EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmvDesc{}, A, {.memory_limit = 1000, .choice = panels}); }),
            ErrorKind::resource_limit);
}

// Likewise in slices of rows whose columns are steps, gaps of more than a step among them.
TEST(Plan, OwnsTheStepsOfItsKernel) {
  Device const exec;
  auto const m = random_matrix("random", 900, 9000, 9);
  auto const A = device_csr<double, std::int32_t, Device>(m);
  using Types = Operands<Device, double, double, double, std::int32_t>;
  Choice const steps{.format = "csr", .kernel = "column_steps"};
  EXPECT_EQ(storage_label(steps), "csr in steps");
  if (!detail::is_cuda_space<Device>) {
    EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmvDesc{}, A, {.choice = steps}); }), ErrorKind::unsupported);
    return;
  }
  auto other = m;
  for (double& v : other.values) v = 3 * v - 1;
  auto const B = device_csr<double, std::int32_t, Device>(other);
  auto plan = make_plan(exec, SpmvDesc{}, A, {.deterministic = true, .choice = steps});
  EXPECT_EQ(plan.choice(), steps);
  auto const& winner = plan.report().winner();
  EXPECT_TRUE(winner.footprint.exact);
  EXPECT_EQ(winner.bytes, plan.bytes());
  EXPECT_GE(winner.footprint.slots, A.nnz);
  EXPECT_TRUE(plan.verify(exec).ok);
  check_execute<Types>(plan, host_copy(A), 1, false, "in steps");
  plan.update_values(exec, B.values);
  check_execute<Types>(plan, host_copy(B), 1, false, "in steps, new values");
  plan.release_source();
  check_execute<Types>(plan, host_copy(B), 1, false, "in steps, source released");
  EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmvDesc{.op = Op::transpose}, A, {.choice = steps}); }),
            ErrorKind::unsupported);
  EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmvDesc{}, A, {.memory_limit = 1000, .choice = steps}); }),
            ErrorKind::resource_limit);
}

TEST(Plan, StructureThatAFormatCannotHoldLeavesTheOthers) {
  Device const exec;
  TestMatrix twice{"an entry twice", 3, 3};
  twice.row_offsets = {0, 2, 3, 4};
  twice.col_indices = {1, 1, 0, 2};
  twice.values = {1, 2, 3, 4};
  auto const A = device_csr<double, std::int32_t, Device>(twice);
  EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmvDesc{}, A, {.formats = {"bsr"}}); }), ErrorKind::unsupported);
  auto const either = make_plan(exec, SpmvDesc{}, A, {.formats = {"bsr", "coo"}});
  EXPECT_EQ(either.choice().format, "coo");
  auto const measured = make_plan(exec, SpmvDesc{}, A, {.measure = true, .budget = 0.5});
  EXPECT_TRUE(measured.report().winner().verified.ok);
  for (auto const& c : measured.report().candidates)
    if (c.choice.format == "bsr") {
      EXPECT_EQ(c.status, CandidateStatus::pruned);
    }
}

TEST(Plan, PatternIsAllOnes) {
  Device const exec;
  auto ones = small();
  for (double& v : ones.values) v = 1;
  auto const host = host_copy(device_csr<double, std::int32_t, Device>(ones));
  using Types = Operands<Device, double, double, double, std::int32_t>;
  auto const pattern = device_csr<double, std::int32_t, Device>(ones, false);
  for (auto const& format : format_labels()) {
    auto plan = make_plan(exec, SpmvDesc{}, pattern, {.formats = {format}});
    check_execute<Types>(plan, host, 1, false, format);
  }
}

TEST(Plan, ExplainNamesTheChoiceAndTheLosers) {
  auto const plan = make_plan(Device(), SpmvDesc{}, small_csr());
  auto const text = plan.explain();
  for (auto const& c : plan.report().candidates) EXPECT_NE(text.find(label(c.choice)), std::string::npos);
  EXPECT_NE(text.find("chosen: " + label(plan.choice())), std::string::npos);
}

// What Kokkos was told to do while execute ran.
struct Seen {
  int allocations = 0;
  std::vector<std::string> labels;
};
Seen seen;

/// run() allocates nothing, and all that it launches is labelled.
template <class Run>
void expect_quiet(Device const& exec, std::string const& what, Run const& run) {
  namespace tools = Kokkos::Tools::Experimental;
  seen = {};
  tools::set_allocate_data_callback(
      // Kokkos asks CUDA for zero bytes of team scratch at every launch until some kernel has wanted any.
      [](Kokkos_Profiling_SpaceHandle, char const*, void const*, std::uint64_t bytes) {
        seen.allocations += bytes > 0;
      });
  tools::set_begin_parallel_for_callback(
      [](char const* name, std::uint32_t, std::uint64_t*) { seen.labels.emplace_back(name); });
  tools::set_push_region_callback([](char const* name) { seen.labels.emplace_back(name); });
  run();
  exec.fence();
  tools::set_allocate_data_callback(nullptr);
  tools::set_begin_parallel_for_callback(nullptr);
  tools::set_push_region_callback(nullptr);
  EXPECT_EQ(seen.allocations, 0) << what;
  EXPECT_FALSE(seen.labels.empty()) << what;
  for (auto const& name : seen.labels) EXPECT_EQ(name.rfind("araia::", 0), 0u) << name;
}

TEST(Plan, ExecuteAllocatesNothingAndLabelsItsWork) {
  Device const exec;
  auto const A = small_csr();
  for (std::int64_t const columns : {1, 6})
    for (auto const& choice : choices_of(make_plan(exec, SpmmDesc{.columns = columns}, A).report())) {
      auto const spmm = make_plan(exec, SpmmDesc{.columns = columns}, A, {.choice = choice});
      Matrix<Kokkos::LayoutRight> const b("b", 40, static_cast<std::size_t>(columns));
      Matrix<Kokkos::LayoutRight> const c("c", 60, static_cast<std::size_t>(columns));
      spmm.execute(exec, 1, b, 0, c);
      exec.fence();
      expect_quiet(exec, label(choice), [&] { spmm.execute(exec, 1, b, 0.5, c); });
    }
  Vector const x("x", 40);
  Vector const y("y", 60);
  for (auto const& choice : choices_of(make_plan(exec, SpmvDesc{}, A).report())) {
    auto const spmv = make_plan(exec, SpmvDesc{}, A, {.choice = choice});
    spmv.execute(exec, 1, x, 0, y);
    exec.fence();
    expect_quiet(exec, label(choice), [&] { spmv.execute(exec, 1, x, 0.5, y); });
  }
}

}  // namespace
}  // namespace araia::test
