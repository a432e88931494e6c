// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Products of several columns that a plan holds whole: a matrix in an order of its own with the kernel that reads it.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <type_traits>

#include <araia/dispatch/cuda_space.hpp>
#include <araia/dispatch/spmv.hpp>
#include <araia/dispatch/tuning_of.hpp>
#include <araia/formats/pointers.hpp>
#include <araia/kernels/epilogue.hpp>
#include <araia/kernels/spmm_tuning.hpp>

namespace araia::detail {

/// Scalars that there are such products of.
template <class Scalar>
inline constexpr bool has_held_spmm = is_listed<Reals, Scalar>;

#ifdef KOKKOS_ENABLE_CUDA
template <class Scalar>
class HeldSpmm {
 public:
  virtual ~HeldSpmm() = default;
  [[nodiscard]] virtual bool supports(DenseMatrix<Scalar const> const& b, DenseMatrix<Scalar> const& c) const = 0;
  /// C = alpha A B + beta C, for operands that supports() names; asynchronous, allocates nothing.
  virtual void spmm(Kokkos::Cuda const& exec, Scalar alpha, DenseMatrix<Scalar const> const& b, Scalar beta,
                    DenseMatrix<Scalar> const& c) const = 0;
  /// Does spmm_in_store run?
  [[nodiscard]] virtual bool stores_epilogue() const { return false; }
  /// C = act(alpha A B + beta C + bias + R), for each B and C of a batch, without a pass over C after the product.
  virtual void spmm_in_store(Kokkos::Cuda const&, Scalar, DenseBatch<Scalar const> const&, Scalar,
                             DenseBatch<Scalar> const&, EpiloguePointers<Scalar> const&) const {
    throw_unsupported("araia::spmm: the packed matrix has no product with an epilogue");
  }
};

/// One of them beside the pointers of formats.
template <class Scalar>
struct HeldSpmmPointers {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  HeldSpmm<Scalar> const* product = nullptr;
};
template <class Scalar>
struct SpmvTuningOf<HeldSpmmPointers<Scalar>> {
  using type = CsrSpmvTuning;
};
template <class Scalar>
struct SpmmTuningOf<HeldSpmmPointers<Scalar>> {
  using type = CsrSpmmTuning;
};

template <class Exec, class S, class X, class Y>
void spmm_pointers(Exec const& exec, CsrSpmmTuning const&, Op op, accumulator_t<Y> alpha, HeldSpmmPointers<S> const& a,
                   DenseMatrix<X const> const& b, accumulator_t<Y> beta, DenseMatrix<Y> const& c) {
  if constexpr (is_cuda_space<Exec> && has_held_spmm<S> && std::is_same_v<S, X> && std::is_same_v<S, Y>)
    if (op == Op::none && a.product->supports(b, c)) return a.product->spmm(exec, alpha, b, beta, c);
  throw_unsupported("araia::spmm: the packed matrix does not run this product (operation, types, columns or strides)");
}

template <class Exec, class S, class X, class Y>
void spmv_pointers(Exec const&, CsrSpmvTuning const&, Op, accumulator_t<Y>, HeldSpmmPointers<S> const&,
                   DenseVector<X const> const&, accumulator_t<Y>, DenseVector<Y> const&) {
  throw_unsupported("araia::spmv: the packed matrix has products of several columns alone");
}
#endif

}  // namespace araia::detail
