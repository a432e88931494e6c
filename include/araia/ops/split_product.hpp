// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Products with a Hyb whose tail lies on another device, over and over: the memory that both sides need is kept.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/dispatch/hyb.hpp>
#include <araia/detail/dispatch/views.hpp>
#include <araia/detail/formats/conjugated.hpp>

namespace araia {

/// C = alpha op(A) B + beta C for one split Hyb: its ELL part runs on the matrix's device while its tail is multiplied
/// where that lies. For one product at a time.
/// \tparam Matrix  Hyb<Scalar, Ordinal, Device, TailDevice> of two devices
/// \tparam X, Y    scalars of B and C
template <class Matrix, class X = typename Matrix::value_type, class Y = X>
class SplitHybProduct {
  static_assert(Matrix::is_split,
                "araia::SplitHybProduct: the tail lies on the matrix's own device, use spmv and spmm");

 public:
  using execution_space = typename Matrix::execution_space;
  using tail_execution_space = typename Matrix::tail_execution_space;
  using Sum = accumulator_t<Y>;

  /// \param A        shared, valid by validate()
  /// \param columns  of B and C, at most
  /// \throws araia::Error invalid_argument where columns is negative; resource_limit where the buffers overflow
  /// Cost    allocates columns (rows + cols) elements on both devices
  explicit SplitHybProduct(Matrix A, Op op = Op::none, std::int64_t columns = 1)
      : A_(std::move(A)),
        op_(op),
        columns_(at_least_none(columns)),
        buffers_(elements(detail::op_shape(op, A_).cols), elements(detail::op_shape(op, A_).rows)) {}

  /// \param x, y  Views of rank 1, or of rank 2 with the columns given before or fewer, of any layout, not overlapping;
  ///              beta == 0 overwrites y
  /// \throws araia::Error dimension_mismatch naming both sizes; invalid_argument where x and y overlap
  /// Cost    as spmv; no allocation. Fences exec once, when x has been sent; the end is asynchronous on exec
  template <class XView, class YView>
  void operator()(execution_space const& exec, Sum alpha, XView const& x, Sum beta, YView const& y) const {
    static_assert(XView::rank() == YView::rank() && (XView::rank() == 1 || XView::rank() == 2),
                  "araia::SplitHybProduct: x and y must both be Views of rank 1, or of rank 2");
    static_assert(
        std::is_same_v<typename XView::non_const_value_type, X> && std::is_same_v<typename YView::value_type, Y>,
        "araia::SplitHybProduct: x and y must be of the product's scalars");
    static_assert(Kokkos::SpaceAccessibility<execution_space, typename XView::memory_space>::accessible &&
                      Kokkos::SpaceAccessibility<execution_space, typename YView::memory_space>::accessible,
                  "araia::SplitHybProduct: x and y must be in memory that the matrix's execution space reaches");
    char const* const what = "araia::SplitHybProduct";
    auto const shape = detail::op_shape(op_, A_);
    auto const b = detail::as_const(matrix_of(x));
    auto const c = matrix_of(y);
    detail::require_extent_equal(what, "number of rows of x", b.rows, shape.cols);
    detail::require_extent_equal(what, "number of rows of y", c.rows, shape.rows);
    detail::require_extent_equal(what, "number of columns of x", b.columns, c.columns);
    if (c.columns > columns_)
      throw Error(ErrorKind::dimension_mismatch, std::string(what) + ": number of columns of y is " +
                                                     std::to_string(c.columns) + ", expected at most " +
                                                     std::to_string(columns_));
    detail::require_disjoint(what, "x", b, "y", c);
    Kokkos::Profiling::ScopedRegion const region(what);
    detail::without_conjugate(op_, A_.pointers(), [&](Op op, auto const& a) {
      auto const ell = [&] {
        if constexpr (XView::rank() == 1)
          detail::spmv_pointers(exec, EllSpmvTuning{}, op, alpha, a.ell, detail::as_const(detail::dense_vector(x)),
                                beta, detail::dense_vector(y));
        else
          detail::spmm_pointers(exec, EllSpmmTuning{}, op, alpha, a.ell, b, beta, c);
      };
      if (alpha == Sum{} || a.tail.nnz == 0 || c.columns == 0) return ell();
      detail::split_product<tail_execution_space>(exec, buffers_, CooSpmmTuning{}, op, alpha, a.tail, b, c, ell);
    });
  }

  /// Of the buffers on both devices; the matrix's own are A's.
  [[nodiscard]] std::uint64_t bytes() const { return buffers_.bytes(); }

 private:
  using Buffers =
      detail::SplitBuffers<X, Y, typename execution_space::device_type, typename tail_execution_space::device_type>;

  static std::int64_t at_least_none(std::int64_t columns) {
    if (columns < 0)
      throw Error(ErrorKind::invalid_argument,
                  "araia::SplitHybProduct: columns is " + std::to_string(columns) + ", expected 0 or more");
    return columns;
  }
  [[nodiscard]] std::int64_t elements(std::int64_t rows) const {
    std::uint64_t const count =
        detail::saturating_product(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns_));
    detail::require_memory("araia::SplitHybProduct: a buffer",
                           detail::saturating_product(count, std::max(sizeof(X), sizeof(Y))),
                           static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
    return static_cast<std::int64_t>(count);
  }
  template <class View>
  static auto matrix_of(View const& v) {
    if constexpr (View::rank() == 1)
      return detail::as_matrix(detail::dense_vector(v));
    else
      return detail::dense_matrix(v);
  }

  Matrix A_;
  Op op_;
  std::int64_t columns_;
  Buffers buffers_;
};

}  // namespace araia
