// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Products on plain pointers, by the library's code where it has their types: spmv_pointers, spmm_pointers and
// sddmm_pointers call what src/dispatch alone defines (..._ready), and for all other types what the headers of formats
// define (..._here), which is then compiled where it is used. Formats that are made of others have overloads of their
// own.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <type_traits>

#include <araia/detail/formats/bcsc_pointers.hpp>
#include <araia/detail/formats/bsr_pointers.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/formats/scalar.hpp>
#include <araia/detail/formats/sell_pointers.hpp>
#include <araia/detail/formats/written_out.hpp>

namespace araia::detail {

/// First argument of what a header of a format defines: by its namespace it is found, also behind this header.
struct Here {};

// Matrices of scalars S that the library multiplies with, of each family of kernels.
template <class S, class OffsetList>
struct ReadyForms;
template <class S, class... F>
struct ReadyForms<S, ListOf<F...>> {
  using Csr = ListOf<CsrPointers<S, std::int32_t, F>...>;
  using Coo = ListOf<CooPointers<S, std::int32_t>>;
  using Ell = ListOf<EllPointers<S, std::int32_t>>;
  using Sell = ListOf<SellPointers<S, std::int32_t, F>...>;
  using Bsr = ListOf<BsrPointers<S, std::int32_t, F>...>;
  using Bcsc =
      ListOf<BcscPointers<S, std::int32_t, F>..., BcscCompactPointers<S, std::int32_t, std::int32_t, std::uint8_t>>;
};
template <class S>
using CsrForms = typename ReadyForms<S, Offsets>::Csr;
template <class S>
using CooForms = typename ReadyForms<S, Offsets>::Coo;
template <class S>
using EllForms = typename ReadyForms<S, Offsets>::Ell;
template <class S>
using SellForms = typename ReadyForms<S, Offsets>::Sell;
template <class S>
using BsrForms = typename ReadyForms<S, Offsets>::Bsr;
template <class S>
using BcscForms = typename ReadyForms<S, Offsets>::Bcsc;
template <class S>
using NarrowSellForms = typename ReadyForms<S, ListOf<std::int32_t>>::Sell;

template <class S>
using ProductForms = Joined<CsrForms<S>, CooForms<S>, EllForms<S>, SellForms<S>, BsrForms<S>, BcscForms<S>>;
/// Of values of 16 bits beside vectors of float: SpMV alone.
template <class S>
using HalfForms = Joined<CsrForms<S>, NarrowSellForms<S>>;
template <class S>
using SampledForms = Joined<CsrForms<S>, BcscForms<S>>;

/// Whether the library has C = alpha op(A) B + beta C for these types.
template <class Exec, class A, class X, class Y, class S = scalar_of<A>>
inline constexpr bool is_ready_spmm =
    is_written_out_space<Exec>&& is_listed<Products, ListOf<S, X, Y>>&& is_listed<ProductForms<S>, A>;
/// The same of y = alpha op(A) x + beta y.
template <class Exec, class A, class X, class Y, class S = scalar_of<A>>
inline constexpr bool is_ready_spmv = is_ready_spmm<Exec, A, X, Y> ||
                                      (is_written_out_space<Exec> && is_listed<HalfScalars, S> &&
                                       std::is_same_v<X, float> && std::is_same_v<Y, float> &&
                                       is_listed<HalfForms<S>, A>);
/// The same of D = alpha A .* (X op(Y)) + beta D.
template <class Exec, class A, class X, class Y, class D, class S = scalar_of<A>>
inline constexpr bool is_ready_sddmm = is_written_out_space<Exec>&& is_listed<PlainProducts, ListOf<S, X, D>>&&
    std::is_same_v<X, Y>&& is_listed<SampledForms<S>, A>;

template <class Exec, class Tuning, class A, class X, class Y>
void spmv_ready(Exec const& exec, Tuning const& tuning, Op op, accumulator_t<Y> alpha, A const& a,
                DenseVector<X const> const& x, accumulator_t<Y> beta, DenseVector<Y> const& y);
template <class Exec, class Tuning, class A, class X, class Y>
void spmm_ready(Exec const& exec, Tuning const& tuning, Op op, accumulator_t<Y> alpha, A const& a,
                DenseMatrix<X const> const& b, accumulator_t<Y> beta, DenseMatrix<Y> const& c);
template <class Exec, class Tuning, class A, class X, class Y, class D>
void sddmm_ready(Exec const& exec, Tuning const& tuning, bool conjugate, accumulator_t<D> alpha, A const& a,
                 DenseMatrix<X const> const& x, DenseMatrix<Y const> const& y, accumulator_t<D> beta, D* d);

/// y = alpha op(A) x + beta y.
template <class Exec, class Tuning, class A, class X, class Y>
void spmv_pointers(Exec const& exec, Tuning const& tuning, Op op, accumulator_t<Y> alpha, A const& a,
                   DenseVector<X const> const& x, accumulator_t<Y> beta, DenseVector<Y> const& y) {
  if constexpr (is_ready_spmv<Exec, A, X, Y>)
    spmv_ready(exec, tuning, op, alpha, a, x, beta, y);
  else
    spmv_here(Here{}, exec, tuning, op, alpha, a, x, beta, y);
}

/// C = alpha op(A) B + beta C.
template <class Exec, class Tuning, class A, class X, class Y>
void spmm_pointers(Exec const& exec, Tuning const& tuning, Op op, accumulator_t<Y> alpha, A const& a,
                   DenseMatrix<X const> const& b, accumulator_t<Y> beta, DenseMatrix<Y> const& c) {
  if constexpr (is_ready_spmm<Exec, A, X, Y>)
    spmm_ready(exec, tuning, op, alpha, a, b, beta, c);
  else
    spmm_here(Here{}, exec, tuning, op, alpha, a, b, beta, c);
}

/// D = alpha A .* (X op(Y)) + beta D on the values of D.
/// \param x, y       (rows, k), (cols, k)
/// \param conjugate  y
template <class Exec, class Tuning, class A, class X, class Y, class D>
void sddmm_pointers(Exec const& exec, Tuning const& tuning, bool conjugate, accumulator_t<D> alpha, A const& a,
                    DenseMatrix<X const> const& x, DenseMatrix<Y const> const& y, accumulator_t<D> beta, D* d) {
  if constexpr (is_ready_sddmm<Exec, A, X, Y, D>)
    sddmm_ready(exec, tuning, conjugate, alpha, a, x, y, beta, d);
  else
    sddmm_here(Here{}, exec, tuning, conjugate, alpha, a, x, y, beta, d);
}

}  // namespace araia::detail
