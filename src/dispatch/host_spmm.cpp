// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/dispatch/host_spmm.hpp>

#include "backends/openmp/bcsc_spmm_host.hpp"
#include "backends/openmp/bsr_spmm_host.hpp"
#include "backends/openmp/csr_spmm_host.hpp"
#include "backends/openmp/sell_spmm_host.hpp"

namespace araia::detail {
namespace {

template <class Pointers, class X, class Y>
bool supported(Pointers const&, DenseMatrix<X const> const& b, DenseMatrix<Y> const& c) {
  return host::csr_spmm_supports(b, c);
}
template <class A, class O, class F, class X, class Y>
bool supported(BsrPointers<A, O, F> const& a, DenseMatrix<X const> const& b, DenseMatrix<Y> const&) {
  return host::bsr_spmm_supports(a, b);
}
template <class A, class O, class F, class X, class Y>
bool supported(BcscPointers<A, O, F> const&, DenseMatrix<X const> const& b, DenseMatrix<Y> const&) {
  return host::bcsc_spmm_supports(b);
}
template <class A, class O, class F, class R, class X, class Y>
bool supported(BcscCompactPointers<A, O, F, R> const&, DenseMatrix<X const> const& b, DenseMatrix<Y> const&) {
  return host::bcsc_spmm_supports(b);
}

template <class Pointers, class X, class Y>
void run(Pointers const& a, Y alpha, DenseBatch<X const> const& b, Y beta, DenseBatch<Y> const& c,
         EpiloguePointers<Y> const& epilogue, int threads) {
  host::bcsc_spmm(a, alpha, b, beta, c, epilogue, threads);
}
template <class A, class O, class F, class X, class Y>
void run(BsrPointers<A, O, F> const& a, Y alpha, DenseBatch<X const> const& b, Y beta, DenseBatch<Y> const& c,
         EpiloguePointers<Y> const& epilogue, int threads) {
  host::bsr_spmm(a, alpha, b, beta, c, epilogue, threads);
}
template <class A, class O, class F, class X, class Y>
void run(SellPointers<A, O, F> const& a, Y alpha, DenseBatch<X const> const& b, Y beta, DenseBatch<Y> const& c,
         EpiloguePointers<Y> const& epilogue, int threads) {
  host::sell_spmm(a, alpha, b, beta, c, epilogue, threads);
}

}  // namespace

#define ARAIA_DEFINE_HOST_SPMM(POINTERS, A, X, Y, F)                                                              \
  bool HostSpmm<POINTERS<A, std::int32_t, F>, X, Y>::supports(Matrix const& a, DenseMatrix<X const> const& b,     \
                                                              DenseMatrix<Y> const& c) {                          \
    return supported(a, b, c);                                                                                    \
  }                                                                                                               \
  void HostSpmm<POINTERS<A, std::int32_t, F>, X, Y>::spmm(Matrix const& a, Y alpha, DenseBatch<X const> const& b, \
                                                          Y beta, DenseBatch<Y> const& c,                         \
                                                          EpiloguePointers<Y> const& epilogue, int threads) {     \
    run(a, alpha, b, beta, c, epilogue, threads);                                                                 \
  }
#define ARAIA_DEFINE_HOST_SPMM_OF(A, X, Y)                     \
  ARAIA_DEFINE_HOST_SPMM(BsrPointers, A, X, Y, std::int32_t)   \
  ARAIA_DEFINE_HOST_SPMM(BsrPointers, A, X, Y, std::int64_t)   \
  ARAIA_DEFINE_HOST_SPMM(SellPointers, A, X, Y, std::int32_t)  \
  ARAIA_DEFINE_HOST_SPMM(SellPointers, A, X, Y, std::int64_t)  \
  ARAIA_DEFINE_HOST_SPMM(BcscPointers, A, X, Y, std::int32_t)  \
  ARAIA_DEFINE_HOST_SPMM(BcscPointers, A, X, Y, std::int64_t)  \
  ARAIA_DEFINE_HOST_SPMM(BcscCompact8, A, X, Y, std::int32_t)  \
  ARAIA_DEFINE_HOST_SPMM(BcscCompact8, A, X, Y, std::int64_t)  \
  ARAIA_DEFINE_HOST_SPMM(BcscCompact16, A, X, Y, std::int32_t) \
  ARAIA_DEFINE_HOST_SPMM(BcscCompact16, A, X, Y, std::int64_t)
ARAIA_DEFINE_HOST_SPMM_OF(double, double, double)
#ifndef ARAIA_TYPES_MINIMAL
ARAIA_DEFINE_HOST_SPMM_OF(float, float, float)
ARAIA_DEFINE_HOST_SPMM_OF(float, double, double)
#endif
#undef ARAIA_DEFINE_HOST_SPMM_OF
#undef ARAIA_DEFINE_HOST_SPMM

}  // namespace araia::detail
