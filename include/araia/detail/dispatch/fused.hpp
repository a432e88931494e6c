// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y = A x or b - A x with a sum over its rows, on plain pointers, in one pass over memory: which kernels have such a
// form is decided here alone. After the others' products there is a pass over the vectors.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <type_traits>

#include <araia/detail/dispatch/sell.hpp>
#include <araia/detail/dispatch/spmv.hpp>
#include <araia/detail/formats/written_out.hpp>
#include <araia/detail/kernels/finish_rows.hpp>
#include <araia/detail/kernels/fused_rows.hpp>

namespace araia::detail {

/// Backends' products with what follows in one pass, on contiguous vectors. run() is false, and nothing was done, where
/// the tuning's kernel has no such form for the matrix. Defined in src/dispatch/fused.cpp.
template <class Exec, class Pointers, class X, class Y>
struct OnePass {
  using A = scalar_of<Pointers>;
  static constexpr bool exists = is_written_out_space<Exec> && is_listed<RealProducts, ListOf<A, X, Y>> &&
                                 is_listed<Joined<CsrForms<A>, NarrowSellForms<A>>, Pointers>;
  template <class Tuning>
  static bool run(Exec const& exec, Tuning const& tuning, Pointers const& a, X const* x, FusedRows<Y> const& fused);
};

/// Runs it in one pass, or returns false.
template <class Exec, class Tuning, class Pointers, class X, class Y>
bool fused_in_one_pass(Exec const& exec, Tuning const& tuning, Pointers const& a, DenseVector<X const> const& x,
                       FusedOperands<Y> const& f) {
  if constexpr (OnePass<Exec, Pointers, X, Y>::exists) {
    auto const contiguous = [](auto const& v) { return !v.data || v.stride == 1; };
    if (a.nnz == 0 || !contiguous(x) || !contiguous(f.y) || !contiguous(f.b) || !contiguous(f.w)) return false;
    return OnePass<Exec, Pointers, X, Y>::run(exec, tuning, a, x.data,
                                              {.b = f.b.data,
                                               .w = f.dot ? f.w.data : nullptr,
                                               .y = f.y.data,
                                               .sum = f.dot ? f.dot : f.norm_squared,
                                               .partial_sums = f.sums.sums,
                                               .arrived = f.sums.arrived});
  }
  return false;
}

template <class Exec, class Y>
void finish_rows_ready(Exec const& exec, FusedOperands<Y> const& f);

/// The pass after a product that had none of its own: of the library's scalars what src/dispatch defines.
template <class Exec, class Y>
void finish_product(Exec const& exec, FusedOperands<Y> const& f) {
  if constexpr (is_written_out_space<Exec> && is_written_out_scalar<Y>)
    finish_rows_ready(exec, f);
  else
    finish_rows(exec, f);
}

}  // namespace araia::detail
