// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans over the zoo: the model's pick and every legal candidate give what the reference expects.
#include <string>

#include "plan/plan_checks.hpp"

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(PlanOver, OperandTypes, OperandTypeNames);

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

/// check(A, host, op, strict, what) for every matrix of the zoo and every op.
template <class Types, class Check>
void over_the_zoo(Check const& check) {
  for (auto const& m : zoo()) {
    auto const A = device_csr<typename Types::a, typename Types::offset, typename Types::exec>(m);
    auto const host = host_copy(A);
    for (Op const op : all_ops) check(A, host, op, has_strict_rows(m), m.name + ", op " + to_string(op));
  }
}

ARAIA_TYPED_TEST(PlanOver, EveryCandidateOfSpmvIsRightOnTheZoo) {
  over_the_zoo<TypeParam>([](auto const& A, auto const& host, Op op, bool strict, std::string const& what) {
    check_every_choice<TypeParam>(SpmvDesc{.op = op}, A, host, strict, 1, false, what);
  });
}

template <class Types>
void check_spmm_over_the_zoo(bool right) {
  over_the_zoo<Types>([right](auto const& A, auto const& host, Op op, bool strict, std::string const& what) {
    std::int64_t const columns = right ? 9 : 3;
    DenseLayout const layout = right ? DenseLayout::right : DenseLayout::left;
    check_every_choice<Types>(SpmmDesc{.op = op, .columns = columns, .layout_b = layout, .layout_c = layout}, A, host,
                              strict, columns, right, what);
  });
}
ARAIA_TYPED_TEST(PlanOver, EveryCandidateOfSpmmByRowsIsRightOnTheZoo) { check_spmm_over_the_zoo<TypeParam>(true); }
ARAIA_TYPED_TEST(PlanOver, EveryCandidateOfSpmmByColumnsIsRightOnTheZoo) { check_spmm_over_the_zoo<TypeParam>(false); }

ARAIA_TYPED_TEST(PlanOver, VerifyPassesAndCountsEveryEntry) {
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

}  // namespace
}  // namespace araia::test
