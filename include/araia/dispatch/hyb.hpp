// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Hyb products: the ELL kernel with beta, then the COO kernel adds the tail. With the tail on another device, its part
// is summed there and sent over.

#include <Kokkos_Core.hpp>
#include <string>

#include <araia/dispatch/spmm.hpp>
#include <araia/dispatch/spmv.hpp>
#include <araia/dispatch/tuning_of.hpp>
#include <araia/formats/hyb.hpp>
#include <araia/kernels/hyb_tuning.hpp>

namespace araia::detail {

template <class S, class O, class D, class T>
struct SpmvTuningOf<Hyb<S, O, D, T>> {
  using type = HybSpmvTuning;
};
template <class S, class O, class D, class T>
struct SpmmTuningOf<Hyb<S, O, D, T>> {
  using type = HybSpmmTuning;
};

template <class Exec, class S, class O, class X, class Y>
void spmv_pointers(Exec const& exec, HybSpmvTuning const& tuning, Op op, accumulator_t<Y> alpha,
                   HybPointers<S, O> const& a, DenseVector<X const> const& x, accumulator_t<Y> beta,
                   DenseVector<Y> const& y) {
  using Sum = accumulator_t<Y>;
  spmv_pointers(exec, tuning.ell, op, alpha, a.ell, x, beta, y);
  if (alpha != Sum{} && a.tail.nnz != 0) spmv_pointers(exec, tuning.tail, op, alpha, a.tail, x, Sum(1), y);
}

template <class Exec, class S, class O, class X, class Y>
void spmm_pointers(Exec const& exec, HybSpmmTuning const& tuning, Op op, accumulator_t<Y> alpha,
                   HybPointers<S, O> const& a, DenseMatrix<X const> const& b, accumulator_t<Y> beta,
                   DenseMatrix<Y> const& c) {
  using Sum = accumulator_t<Y>;
  spmm_pointers(exec, tuning.ell, op, alpha, a.ell, b, beta, c);
  if (alpha != Sum{} && a.tail.nnz != 0) spmm_pointers(exec, tuning.tail, op, alpha, a.tail, b, Sum(1), c);
}

/// to := from, element by element, both of any strides in memory that exec reaches.
template <class Exec, class From, class To>
static void pack_dense(Exec const& exec, DenseMatrix<From> const& from, DenseMatrix<To> const& to) {
  Kokkos::parallel_for(
      "araia::hyb::pack", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, from.rows * from.columns),
      KOKKOS_LAMBDA(std::int64_t k) {
        std::int64_t const i = k / from.columns;
        std::int64_t const j = k % from.columns;
        to.data[i * to.row_stride + j * to.column_stride] = from.data[i * from.row_stride + j * from.column_stride];
      });
}

/// to += from, likewise.
template <class Exec, class From, class To>
static void add_dense(Exec const& exec, DenseMatrix<From> const& from, DenseMatrix<To> const& to) {
  using Sum = accumulator_t<To>;
  Kokkos::parallel_for(
      "araia::hyb::add_tail",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, from.rows * from.columns),
      KOKKOS_LAMBDA(std::int64_t k) {
        std::int64_t const i = k / from.columns;
        std::int64_t const j = k % from.columns;
        To& element = to.data[i * to.row_stride + j * to.column_stride];
        element = static_cast<To>(static_cast<Sum>(element) +
                                  static_cast<Sum>(from.data[i * from.row_stride + j * from.column_stride]));
      });
}

/// C += alpha op(tail) B, multiplied where the tail is. Allocates packed copies of B and of the sums on both sides and
/// fences; a product that overlaps the two devices is a plan's.
template <class TailExec, class Exec, class S, class O, class X, class Y>
static void add_split_tail(Exec const& exec, CooSpmmTuning const& tuning, Op op, accumulator_t<Y> alpha,
                           CooPointers<S, O> const& tail, DenseMatrix<X const> const& b, DenseMatrix<Y> const& c) {
  using Sum = accumulator_t<Y>;
  using Near = typename Exec::device_type;
  using Far = typename TailExec::device_type;
  TailExec const tail_exec;
  auto const size = [](auto const& m) { return static_cast<std::size_t>(m.rows * m.columns); };
  auto const packed = [](auto const& view, auto const& like) {
    using T = typename std::decay_t<decltype(view)>::value_type;
    return DenseMatrix<T>{view.data(), like.rows, like.columns, like.columns, 1};
  };
  auto const alloc = [](char const* label) {
    return Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label));
  };
  Kokkos::View<X*, Near> const near_b(alloc("araia::hyb::near_b"), size(b));
  Kokkos::View<X*, Far> const far_b(alloc("araia::hyb::far_b"), size(b));
  Kokkos::View<Y*, Near> const near_c(alloc("araia::hyb::near_c"), size(c));
  Kokkos::View<Y*, Far> const far_c(alloc("araia::hyb::far_c"), size(c));
  pack_dense(exec, b, packed(near_b, b));
  exec.fence("araia::hyb: B is packed before it is sent");
  Kokkos::deep_copy(far_b, near_b);
  spmm_pointers(tail_exec, tuning, op, alpha, tail, DenseMatrix<X const>{far_b.data(), b.rows, b.columns, b.columns, 1},
                Sum{}, packed(far_c, c));
  tail_exec.fence("araia::hyb: the tail's sums are complete before they are sent");
  Kokkos::deep_copy(near_c, far_c);
  add_dense(exec, packed(near_c, c), c);
  exec.fence("araia::hyb: the sums are read before they are freed");
}

template <class Exec, class S, class O, class T, class X, class Y>
void spmm_pointers(Exec const& exec, HybSpmmTuning const& tuning, Op op, accumulator_t<Y> alpha,
                   SplitHybPointers<S, O, T> const& a, DenseMatrix<X const> const& b, accumulator_t<Y> beta,
                   DenseMatrix<Y> const& c) {
  using Sum = accumulator_t<Y>;
  spmm_pointers(exec, tuning.ell, op, alpha, a.ell, b, beta, c);
  if (alpha != Sum{} && a.tail.nnz != 0 && c.columns != 0)
    add_split_tail<T>(exec, tuning.tail, op, alpha, a.tail, b, c);
}

template <class Exec, class S, class O, class T, class X, class Y>
void spmv_pointers(Exec const& exec, HybSpmvTuning const& tuning, Op op, accumulator_t<Y> alpha,
                   SplitHybPointers<S, O, T> const& a, DenseVector<X const> const& x, accumulator_t<Y> beta,
                   DenseVector<Y> const& y) {
  using Sum = accumulator_t<Y>;
  spmv_pointers(exec, tuning.ell, op, alpha, a.ell, x, beta, y);
  if (alpha != Sum{} && a.tail.nnz != 0)
    add_split_tail<T>(exec, CooSpmmTuning{}, op, alpha, a.tail, DenseMatrix<X const>{x.data, x.size, 1, x.stride, 1},
                      DenseMatrix<Y>{y.data, y.size, 1, y.stride, 1});
}

}  // namespace araia::detail
