// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/dispatch/host_simd.hpp>

#include "backends/openmp/csr_row_runs.hpp"
#include "backends/openmp/csr_spmm_host.hpp"
#include "backends/openmp/csr_spmv_host.hpp"
#include "backends/openmp/sell_spmv_host.hpp"

namespace araia::detail {

#define ARAIA_DEFINE_HOST_SIMD(A, X, Y, F)                                                                         \
  bool HostSimd<A, std::int32_t, F, X, Y>::supports_spmm(DenseMatrix<X const> const& b, DenseMatrix<Y> const& c) { \
    return host::csr_spmm_supports(b, c);                                                                          \
  }                                                                                                                \
  void HostSimd<A, std::int32_t, F, X, Y>::spmv(CsrPointers<A, std::int32_t, F> const& a, Y alpha,                 \
                                                DenseVector<X const> const& x, Y beta, DenseVector<Y> const& y,    \
                                                int threads, host::CsrRowRuns const* runs) {                       \
    host::csr_spmv(a, alpha, x, beta, y, threads, runs);                                                           \
  }                                                                                                                \
  void HostSimd<A, std::int32_t, F, X, Y>::spmm(CsrPointers<A, std::int32_t, F> const& a, Y alpha,                 \
                                                DenseMatrix<X const> const& b, Y beta, DenseMatrix<Y> const& c,    \
                                                int threads, host::CsrRowRuns const* runs) {                       \
    host::csr_spmm(a, alpha, b, beta, c, threads, runs);                                                           \
  }                                                                                                                \
  std::shared_ptr<host::CsrRowRuns const> HostSimd<A, std::int32_t, F, X, Y>::inspect(                             \
      CsrPointers<A, std::int32_t, F> const& a, int threads, bool for_spmm) {                                      \
    return std::make_shared<host::CsrRowRuns const>(host::csr_row_runs(a, threads, for_spmm));                     \
  }                                                                                                                \
  bool HostSimd<A, std::int32_t, F, X, Y>::supports_sell(SellPointers<A, std::int32_t, F> const& a) {              \
    return host::sell_spmv_supports(a);                                                                            \
  }                                                                                                                \
  void HostSimd<A, std::int32_t, F, X, Y>::spmv(SellPointers<A, std::int32_t, F> const& a, Y alpha,                \
                                                DenseVector<X const> const& x, Y beta, DenseVector<Y> const& y,    \
                                                int threads) {                                                     \
    host::sell_spmv(a, alpha, x, beta, y, threads);                                                                \
  }
ARAIA_DEFINE_HOST_SIMD(double, double, double, std::int32_t)
ARAIA_DEFINE_HOST_SIMD(double, double, double, std::int64_t)
#ifndef ARAIA_TYPES_MINIMAL
ARAIA_DEFINE_HOST_SIMD(float, float, float, std::int32_t)
ARAIA_DEFINE_HOST_SIMD(float, float, float, std::int64_t)
ARAIA_DEFINE_HOST_SIMD(float, double, double, std::int32_t)
ARAIA_DEFINE_HOST_SIMD(float, double, double, std::int64_t)
#endif
#undef ARAIA_DEFINE_HOST_SIMD

}  // namespace araia::detail
