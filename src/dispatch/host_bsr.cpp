// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/dispatch/host_bsr.hpp>

#include "backends/openmp/bsr_spmm_host.hpp"

namespace araia::detail {

#define ARAIA_DEFINE_HOST_BSR(A, X, Y, F)                                                                          \
  bool HostBsrSpmm<A, std::int32_t, F, X, Y>::supports(Matrix const& a, DenseMatrix<X const> const& b) {           \
    return host::bsr_spmm_supports(a, b);                                                                          \
  }                                                                                                                \
  void HostBsrSpmm<A, std::int32_t, F, X, Y>::spmm(Matrix const& a, Y alpha, DenseBatch<X const> const& b, Y beta, \
                                                   DenseBatch<Y> const& c, EpiloguePointers<Y> const& epilogue,    \
                                                   int threads) {                                                  \
    host::bsr_spmm(a, alpha, b, beta, c, epilogue, threads);                                                       \
  }
ARAIA_DEFINE_HOST_BSR(double, double, double, std::int32_t)
ARAIA_DEFINE_HOST_BSR(double, double, double, std::int64_t)
#ifndef ARAIA_TYPES_MINIMAL
ARAIA_DEFINE_HOST_BSR(float, float, float, std::int32_t)
ARAIA_DEFINE_HOST_BSR(float, float, float, std::int64_t)
ARAIA_DEFINE_HOST_BSR(float, double, double, std::int32_t)
ARAIA_DEFINE_HOST_BSR(float, double, double, std::int64_t)
#endif
#undef ARAIA_DEFINE_HOST_BSR

}  // namespace araia::detail
