// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What plans are told and tell, what they refuse; what execute may not do.
#include <algorithm>
#include <string>
#include <vector>

#include "plan/plan_checks.hpp"

namespace araia::test {
namespace {

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

TEST(Plan, ConjugatesAreReadFromTheCallersValues) {
  Device const exec;
  for (std::string const format : {"csr", "sell"}) {
    auto A = device_csr<Complex, std::int32_t, Device>(small());
    auto plan = make_plan(exec, SpmvDesc{.op = Op::conjugate}, A, {.formats = {format}});
    auto const none = make_plan(exec, SpmvDesc{}, A, {.formats = {format}});
    EXPECT_EQ(plan.choice(), none.choice()) << "the model prices both alike";
    EXPECT_EQ(plan.bytes(), none.bytes());
    EXPECT_EQ(plan.shares_values(), format == "csr");
    EXPECT_EQ(plan.description().op, Op::conjugate);
    EXPECT_NE(plan.explain().find("op conjugate,"), std::string::npos) << plan.explain();
    auto next = small();
    for (double& v : next.values) v = 2 - v;
    A = device_csr<Complex, std::int32_t, Device>(next);
    plan.update_values(exec, A.values);
    using Types = Operands<Device, Complex, Complex, Complex, std::int32_t>;
    check_execute<Types>(plan, host_copy(A), 1, false, format + ", new values");
    EXPECT_TRUE(plan.verify(exec).ok) << format;
  }
}
#endif

TEST(Plan, ModelsLeaveBlocksWithFillAlone) {
  // Through fill, what is not finite in B would reach rows that a Csr keeps it from. One entry is missing, or the block
  // rows that a sample does not see are not full.
  using Exec = Device;
  for (bool const one : {true, false}) {
    TestMatrix m;
    m.name = one ? "one entry missing" : "every other block row with fill";
    std::int64_t const block_rows = one ? 3000 : 18000;
    m.rows = m.cols = 3 * block_rows;
    m.row_offsets = {0};
    for (std::int64_t row = 0; row < m.rows; ++row) {
      std::int64_t const block = row / 3;
      for (std::int64_t const at : {block, (block + 40) % block_rows})
        for (std::int64_t c = 0; c < 3; ++c) {
          if (one ? row == 300 && c == 1 && at == block : block % 2 == 1 && c == row % 3) continue;
          m.col_indices.push_back(static_cast<std::int32_t>(3 * at + c));
          m.values.push_back(1.0 + static_cast<double>(c));
        }
      std::sort(m.col_indices.begin() + m.row_offsets.back(), m.col_indices.end());
      m.row_offsets.push_back(static_cast<std::int64_t>(m.col_indices.size()));
    }
    auto const A = device_csr<double, std::int32_t, Exec>(m);
    for (std::int64_t const columns : {16, 64}) {
      auto const plan = make_plan(Exec(), SpmmDesc{.columns = columns}, A);
      EXPECT_NE(plan.choice().format, "bsr") << m.name;
    }
  }
}

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
TEST(Plan, StructureThatAFormatCannotHoldLeavesTheOthers) {
  Device const exec;
  TestMatrix twice{"an entry twice", 3, 3};
  twice.row_offsets = {0, 2, 3, 4};
  twice.col_indices = {1, 1, 0, 2};
  twice.values = {1, 2, 3, 4};
  auto const A = device_csr<double, std::int32_t, Device>(twice);
  for (bool const measure : {false, true}) {
    std::string message;
    auto const refused = [&] { (void)make_plan(exec, SpmvDesc{}, A, {.measure = measure, .formats = {"bsr"}}); };
    EXPECT_EQ(kind_of(refused, &message), ErrorKind::unsupported);
    EXPECT_NE(message.find("no candidate is left in the formats asked for (bsr); bsr/"), std::string::npos) << message;
  }
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
