// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The products that an operation has beside execute, handed on to the plan that has them.

#include <araia/plan/plan.hpp>

namespace araia::detail {

/// \tparam Derived  the plan, which derives from this and has the product of each function's name and "_product"
template <class Derived, class Exec, class Desc, class A, class X, class Y>
class OperationPlan : public PlanBody<Exec, Desc, A, X, Y> {};

template <class Derived, class Exec, class A, class X, class Y>
class OperationPlan<Derived, Exec, SpmvDesc, A, X, Y> : public PlanBody<Exec, SpmvDesc, A, X, Y> {
 public:
  void fused(Exec const& exec, DenseVector<X const> const& x, FusedOperands<Y> operands) const final {
    static_cast<Derived const*>(this)->fused_product(exec, x, operands);
  }
};

template <class Derived, class Exec, class A, class X, class Y>
class OperationPlan<Derived, Exec, SpmmDesc, A, X, Y> : public PlanBody<Exec, SpmmDesc, A, X, Y> {
 public:
  void epilogue(Exec const& exec, accumulator_t<Y> alpha, DenseBatch<X const> const& b, accumulator_t<Y> beta,
                DenseBatch<Y> const& c, EpiloguePointers<Y> const& epilogue) const final {
    static_cast<Derived const*>(this)->epilogue_product(exec, alpha, b, beta, c, epilogue);
  }
  [[nodiscard]] bool fuses_epilogue() const final { return static_cast<Derived const*>(this)->stores_epilogues(); }
};

}  // namespace araia::detail
