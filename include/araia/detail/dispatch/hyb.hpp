// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Hyb products: the ELL kernel with beta, then the COO kernel adds the tail. With the tail on another device, its part
// is summed there and sent over.

#include <Kokkos_Core.hpp>
#include <string>
#include <utility>

#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/dispatch/spmm.hpp>
#include <araia/detail/dispatch/spmv.hpp>
#include <araia/detail/dispatch/tuning_of.hpp>
#include <araia/detail/dispatch/views.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/kernels/hyb_tuning.hpp>
#include <araia/formats/hyb.hpp>

namespace araia::detail {

template <class S, class O>
struct SpmvTuningOf<HybPointers<S, O>> {
  using type = HybSpmvTuning;
};
template <class S, class O>
struct SpmmTuningOf<HybPointers<S, O>> {
  using type = HybSpmmTuning;
};
template <class S, class O, class T>
struct SpmvTuningOf<SplitHybPointers<S, O, T>> : SpmvTuningOf<HybPointers<S, O>> {};
template <class S, class O, class T>
struct SpmmTuningOf<SplitHybPointers<S, O, T>> : SpmmTuningOf<HybPointers<S, O>> {};

/// Throws what the tail's kernel would throw, before the ELL part has written y.
template <class Exec, class S, class O, class X, class Y>
void require_tail(Exec const& exec, CooSpmvTuning const& tuning, Op op, CooPointers<S, O> const& tail,
                  DenseVector<X const> const& x, DenseVector<Y> const& y) {
  using Sum = accumulator_t<Y>;
  CooPointers<S, O> nothing = tail;
  nothing.nnz = 0;
  spmv_pointers(exec, tuning, op, Sum{}, nothing, x, Sum(1), y);  // the ranges of the tuning; y stays as it is
  chosen_kernel(tuning.kernel, supports(exec, tuning.kernel, op, tail, x, y), tuning.kernel, "araia::spmv: hyb: coo");
}
template <class Exec, class S, class O, class X, class Y>
void require_tail(Exec const& exec, CooSpmmTuning const& tuning, Op, CooPointers<S, O> const& tail,
                  DenseMatrix<X const> const&, DenseMatrix<Y> const& c) {
  column_team_shape(exec, tail.nnz, c.columns, tuning.entries_per_team, tuning.team_size, tuning.vector_length);
}

template <class Exec, class S, class O, class X, class Y>
void spmv_pointers(Exec const& exec, HybSpmvTuning const& tuning, Op op, accumulator_t<Y> alpha,
                   HybPointers<S, O> const& a, DenseVector<X const> const& x, accumulator_t<Y> beta,
                   DenseVector<Y> const& y) {
  using Sum = accumulator_t<Y>;
  bool const has_tail = alpha != Sum{} && a.tail.nnz != 0;
  if (has_tail) require_tail(exec, tuning.tail, op, a.tail, x, y);
  spmv_pointers(exec, tuning.ell, op, alpha, a.ell, x, beta, y);
  if (has_tail) spmv_pointers(exec, tuning.tail, op, alpha, a.tail, x, Sum(1), y);
}

template <class Exec, class S, class O, class X, class Y>
void spmm_pointers(Exec const& exec, HybSpmmTuning const& tuning, Op op, accumulator_t<Y> alpha,
                   HybPointers<S, O> const& a, DenseMatrix<X const> const& b, accumulator_t<Y> beta,
                   DenseMatrix<Y> const& c) {
  using Sum = accumulator_t<Y>;
  bool const has_tail = alpha != Sum{} && a.tail.nnz != 0;
  if (has_tail) require_tail(exec, tuning.tail, op, a.tail, b, c);
  spmm_pointers(exec, tuning.ell, op, alpha, a.ell, b, beta, c);
  if (has_tail) spmm_pointers(exec, tuning.tail, op, alpha, a.tail, b, Sum(1), c);
}

/// to := from, element by element, both of any strides in memory that exec reaches.
template <class Exec, class From, class To>
static void pack_dense(Exec const& exec, DenseMatrix<From> const& from, DenseMatrix<To> const& to) {
  for_each_index(
      "araia::hyb::pack", IndexRange<Exec>(exec, 0, from.rows * from.columns), KOKKOS_LAMBDA(std::int64_t k) {
        std::int64_t const i = k / from.columns;
        std::int64_t const j = k % from.columns;
        to.data[i * to.row_stride + j * to.column_stride] = from.data[i * from.row_stride + j * from.column_stride];
      });
}

/// to += from, likewise.
template <class Exec, class From, class To>
static void add_dense(Exec const& exec, DenseMatrix<From> const& from, DenseMatrix<To> const& to) {
  using Sum = accumulator_t<To>;
  for_each_index(
      "araia::hyb::add_tail", IndexRange<Exec>(exec, 0, from.rows * from.columns), KOKKOS_LAMBDA(std::int64_t k) {
        std::int64_t const i = k / from.columns;
        std::int64_t const j = k % from.columns;
        To& element = to.data[i * to.row_stride + j * to.column_stride];
        element = static_cast<To>(static_cast<Sum>(element) +
                                  static_cast<Sum>(from.data[i * from.row_stride + j * from.column_stride]));
      });
}

/// B and the tail's sums, packed by rows, on both devices of a split Hyb.
template <class X, class Y, class Near, class Far>
struct SplitBuffers {
  Kokkos::View<X*, Near> near_b;
  Kokkos::View<X*, Far> far_b;
  Kokkos::View<Y*, Near> near_c;
  Kokkos::View<Y*, Far> far_c;

  SplitBuffers(std::int64_t b_elements, std::int64_t c_elements)
      : near_b(new_view<Kokkos::View<X*, Near>>("araia::hyb::near_b", b_elements)),
        far_b(new_view<Kokkos::View<X*, Far>>("araia::hyb::far_b", b_elements)),
        near_c(new_view<Kokkos::View<Y*, Near>>("araia::hyb::near_c", c_elements)),
        far_c(new_view<Kokkos::View<Y*, Far>>("araia::hyb::far_c", c_elements)) {}

  [[nodiscard]] std::uint64_t bytes() const {
    return 2 * (near_b.extent(0) * sizeof(X) + near_c.extent(0) * sizeof(Y));
  }
};

/// C = ell() + alpha op(tail) B, where `ell` starts the ELL part on exec. The tail is multiplied on its own device
/// meanwhile: exec is fenced before, when B has been sent, and adds the sums after.
template <class TailExec, class Exec, class Buffers, class S, class O, class X, class Y, class EllPart>
static void split_product(Exec const& exec, Buffers const& buffers, CooSpmmTuning const& tuning, Op op,
                          accumulator_t<Y> alpha, CooPointers<S, O> const& tail, DenseMatrix<X const> const& b,
                          DenseMatrix<Y> const& c, EllPart const& ell) {
  using Sum = accumulator_t<Y>;
  TailExec const tail_exec;
  auto const packed = [](auto const& view, auto const& like) {
    using T = typename std::decay_t<decltype(view)>::value_type;
    return DenseMatrix<T>{view.data(), like.rows, like.columns, like.columns, 1};
  };
  DenseMatrix<X const> const far_b{buffers.far_b.data(), b.rows, b.columns, b.columns, 1};
  auto const far_c = packed(buffers.far_c, c);
  require_tail(tail_exec, tuning, op, tail, far_b, far_c);
  pack_dense(exec, b, packed(buffers.near_b, b));
  auto const used = [](auto const& buffer, auto const& m) {
    return Kokkos::subview(buffer, std::make_pair(std::int64_t{0}, m.rows * m.columns));
  };
  copy_array(exec, used(buffers.far_b, b), used(buffers.near_b, b));
  exec.fence("araia::hyb: B is where the tail is");
  ell();
  spmm_pointers(tail_exec, tuning, op, alpha, tail, far_b, Sum{}, far_c);
  tail_exec.fence("araia::hyb: the tail's sums are complete before they are sent");
  copy_array(exec, used(buffers.near_c, c), used(buffers.far_c, c));
  add_dense(exec, packed(buffers.near_c, c), c);
}

/// The buffers of one product. Their elements are those of the operands, whichever way A goes.
template <class T, class Exec, class X, class Y>
SplitBuffers<X, Y, typename Exec::device_type, typename T::device_type> split_buffers(DenseMatrix<X const> const& b,
                                                                                      DenseMatrix<Y> const& c) {
  return {b.rows * b.columns, c.rows * c.columns};
}

template <class Exec, class S, class O, class T, class X, class Y>
void spmm_pointers(Exec const& exec, HybSpmmTuning const& tuning, Op op, accumulator_t<Y> alpha,
                   SplitHybPointers<S, O, T> const& a, DenseMatrix<X const> const& b, accumulator_t<Y> beta,
                   DenseMatrix<Y> const& c) {
  auto const ell = [&] { spmm_pointers(exec, tuning.ell, op, alpha, a.ell, b, beta, c); };
  if (alpha == accumulator_t<Y>{} || a.tail.nnz == 0 || c.columns == 0) return ell();
  split_product<T>(exec, split_buffers<T, Exec>(b, c), tuning.tail, op, alpha, a.tail, b, c, ell);
  exec.fence("araia::hyb: the sums are read before they are freed");
}

template <class Exec, class S, class O, class T, class X, class Y>
void spmv_pointers(Exec const& exec, HybSpmvTuning const& tuning, Op op, accumulator_t<Y> alpha,
                   SplitHybPointers<S, O, T> const& a, DenseVector<X const> const& x, accumulator_t<Y> beta,
                   DenseVector<Y> const& y) {
  auto const ell = [&] { spmv_pointers(exec, tuning.ell, op, alpha, a.ell, x, beta, y); };
  if (alpha == accumulator_t<Y>{} || a.tail.nnz == 0) return ell();
  require_tail(T(), tuning.tail, op, a.tail, x, y);
  auto const b = as_matrix(x);
  auto const c = as_matrix(y);
  split_product<T>(exec, split_buffers<T, Exec>(b, c), CooSpmmTuning{}, op, alpha, a.tail, b, c, ell);
  exec.fence("araia::hyb: the sums are read before they are freed");
}

}  // namespace araia::detail
