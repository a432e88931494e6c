// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the operations of plans differ in: the operands and the result of a product as kernels take them, and the
// products that one operation has beside execute.

#include <Kokkos_Core.hpp>

#include <araia/detail/dispatch/epilogue_operands.hpp>
#include <araia/detail/dispatch/fused_operands.hpp>
#include <araia/detail/dispatch/views.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/plan/description.hpp>

namespace araia::detail {

/// The dense matrices of an SDDMM.
template <class T>
struct DenseFactors {
  DenseMatrix<T> x;  ///< (rows, k)
  DenseMatrix<T> y;  ///< (cols, k): op(Y)' before conjugation
};

template <class Desc, class T>
struct OperandsOf;
template <class T>
struct OperandsOf<SpmvDesc, T> {
  using operand = DenseVector<T>;
  using result = DenseVector<T>;
};
template <class T>
struct OperandsOf<SpmmDesc, T> {
  using operand = DenseMatrix<T>;
  using result = DenseMatrix<T>;
};
template <class T>
struct OperandsOf<SddmmDesc, T> {
  using operand = DenseFactors<T>;
  using result = DenseVector<T>;
};
/// What kernels read beside the matrix: x, B, or X and Y.
template <class Desc, class T>
using operand_t = typename OperandsOf<Desc, T>::operand;
/// What they write: y, C, or D.
template <class Desc, class T>
using result_t = typename OperandsOf<Desc, T>::result;

/// Products that an operation has beside execute, as its plans implement them.
template <class Exec, class Desc, class X, class Y>
class OperationBody {};

template <class Exec, class X, class Y>
class OperationBody<Exec, SpmvDesc, X, Y> {
 public:
  /// The partial sums are the plan's.
  virtual void fused(Exec const& exec, DenseVector<X const> const& x, FusedOperands<Y> operands) const = 0;

 protected:
  ~OperationBody() = default;
};

template <class Exec, class X, class Y>
class OperationBody<Exec, SpmmDesc, X, Y> {
 public:
  virtual void epilogue(Exec const& exec, accumulator_t<Y> alpha, DenseBatch<X const> const& b, accumulator_t<Y> beta,
                        DenseBatch<Y> const& c, EpiloguePointers<Y> const& epilogue) const = 0;
  [[nodiscard]] virtual bool fuses_epilogue() const = 0;

 protected:
  ~OperationBody() = default;
};

}  // namespace araia::detail
