// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y = A x or b - A x with a sum over its rows, on plain pointers, in one pass over memory: which kernels have such a
// form is decided here alone. After the others' products there is a pass over the vectors.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <type_traits>

#include <araia/dispatch/sell.hpp>
#include <araia/dispatch/spmv.hpp>
#include <araia/formats/written_out.hpp>
#include <araia/kernels/finish_rows.hpp>
#include <araia/kernels/fused_rows.hpp>

namespace araia::detail {

/// Backends' products with what follows in one pass, on contiguous vectors. run() is false, and nothing was done, where
/// the tuning's kernel has no such form for the matrix.
template <class Exec, class Pointers, class X, class Y>
struct OnePass {
  static constexpr bool exists = false;
};

// The written-out triples of real scalars, defined in src/dispatch/fused.cpp.
#define ARAIA_ONE_PASS_OF(SPACE, POINTERS, TUNING, X, Y)                                              \
  template <>                                                                                         \
  struct OnePass<SPACE, POINTERS, X, Y> {                                                             \
    static constexpr bool exists = true;                                                              \
    static bool run(SPACE const&, TUNING const&, POINTERS const&, X const* x, FusedRows<Y> const& f); \
  };
#define ARAIA_ONE_PASS_ON(SPACE, A, X, Y)                   \
  ARAIA_ONE_PASS_OF(SPACE, Csr32<A>, CsrSpmvTuning, X, Y)   \
  ARAIA_ONE_PASS_OF(SPACE, Sell32<A>, SellSpmvTuning, X, Y) \
  ARAIA_WIDE_OFFSETS(ARAIA_ONE_PASS_OF(SPACE, Csr64<A>, CsrSpmvTuning, X, Y))
ARAIA_ON_EVERY_SPACE(ARAIA_ONE_PASS_ON, double, double, double)
#ifndef ARAIA_TYPES_MINIMAL
ARAIA_ON_EVERY_SPACE(ARAIA_ONE_PASS_ON, float, float, float)
ARAIA_ON_EVERY_SPACE(ARAIA_ONE_PASS_ON, float, double, double)
#endif
#undef ARAIA_ONE_PASS_OF
#undef ARAIA_ONE_PASS_ON

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

/// The pass after a product that had none of its own.
template <class Exec, class Y>
void finish_product(Exec const& exec, FusedOperands<Y> const& f) {
  finish_rows(exec, f);
}

}  // namespace araia::detail

// What src/dispatch brings ready-made.
#define ARAIA_FINISH_ON(SPACE, LINKAGE, Y) \
  LINKAGE template void araia::detail::finish_product(SPACE const&, araia::detail::FusedOperands<Y> const&);
#define ARAIA_WRITE_OUT_FINISH(LINKAGE, Y) ARAIA_ON_EVERY_SPACE(ARAIA_FINISH_ON, LINKAGE, Y)
ARAIA_WRITE_OUT_FINISH(extern, double)
#ifndef ARAIA_TYPES_MINIMAL
ARAIA_WRITE_OUT_FINISH(extern, float)
ARAIA_WRITE_OUT_FINISH(extern, Kokkos::complex<double>)
#endif
