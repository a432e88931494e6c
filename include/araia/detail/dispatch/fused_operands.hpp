// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Operands of fused products as one-shot calls and plans take them: checked, and in kernels' form.

#include <Kokkos_Core.hpp>
#include <type_traits>

#include <araia/detail/dispatch/views.hpp>
#include <araia/detail/kernels/partial_sums.hpp>

namespace araia {

namespace detail {

/// Of r = b - A x, A of the shape.
template <class Exec, class B, class X, class R>
FusedOperands<typename R::value_type> residual_operands(char const* op, OpShape const& shape, B const& b, X const& x,
                                                        R const& r) {
  using Y = typename R::value_type;
  static_assert(VectorView<B, Exec> && VectorView<X, Exec> && VectorView<R, Exec>,
                "araia: residual: b, x and r must be Views of rank 1 in memory that exec reaches");
  static_assert(!std::is_const_v<Y>, "araia: residual: r must not be const");
  static_assert(std::is_same_v<typename B::non_const_value_type, Y>, "araia: residual: b and r have one scalar");
  FusedOperands<Y> f{.b = as_const(dense_vector(b)), .y = dense_vector(r)};
  auto const xs = as_const(dense_vector(x));
  require_extent_equal(op, "length of b", f.b.size, shape.rows);
  require_extent_equal(op, "length of x", xs.size, shape.cols);
  require_extent_equal(op, "length of r", f.y.size, shape.rows);
  require_disjoint(op, "x", as_matrix(xs), "r", as_matrix(f.y));
  require_disjoint(op, "b", as_matrix(f.b), "r", as_matrix(f.y));
  return f;
}

template <class Exec, class X, class YView>
FusedOperands<typename YView::value_type> multiply_dot_operands(char const* op, OpShape const& shape, X const& x,
                                                                YView const& y) {
  using Y = typename YView::value_type;
  static_assert(VectorView<X, Exec> && VectorView<YView, Exec>,
                "araia: multiply_dot: x and y must be Views of rank 1 in memory that exec reaches");
  static_assert(!std::is_const_v<Y>, "araia: multiply_dot: y must not be const");
  static_assert(std::is_same_v<typename X::non_const_value_type, Y>, "araia: multiply_dot: x and y have one scalar");
  auto const xs = as_const(dense_vector(x));
  FusedOperands<Y> f{.w = xs, .y = dense_vector(y)};
  require_extent_equal(op, "number of columns of A, which x'y wants square,", shape.cols, shape.rows);
  require_extent_equal(op, "length of x", xs.size, shape.cols);
  require_extent_equal(op, "length of y", f.y.size, shape.rows);
  require_disjoint(op, "x", as_matrix(xs), "y", as_matrix(f.y));
  return f;
}

/// Where a sum goes: a View of one T, of rank 0.
template <class Exec, class T, class View>
T* sum_target(View const& view) {
  static_assert(Kokkos::is_view_v<View> && View::rank() == 0 && std::is_same_v<typename View::value_type, T> &&
                    Kokkos::SpaceAccessibility<Exec, typename View::memory_space>::accessible,
                "araia: the sum goes to a View of rank 0 in memory that exec reaches, of the result's accumulator type "
                "(norm_squared: its real type)");
  return view.data();
}

/// \throws araia::Error invalid_argument where the sum goes to an element of one of the product's vectors
template <class X, class Y>
void require_sum_apart(char const* op, DenseVector<X const> const& x, FusedOperands<Y> const& f) {
  auto const require_apart = [&](auto* sum, char const* name, auto const& v) {
    // With the vector's stride, so that an element between its elements is told from one of them.
    DenseVector<std::remove_pointer_t<decltype(sum)>> const one{sum, 1, v.stride};
    if (sum) require_disjoint(op, name, as_matrix(v), "the sum", as_matrix(one));
  };
  auto const require_all = [&](auto* sum) {
    require_apart(sum, "x", x);
    require_apart(sum, "b", f.b);
    require_apart(sum, "the result", f.y);
  };
  require_all(f.dot);
  require_all(f.norm_squared);
}

}  // namespace detail

}  // namespace araia
