// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Door to the host backend's SpMM over BSR, for the types it is built for. Absent types answer `exists == false`.

#include <Kokkos_Core.hpp>
#include <araia/Araia_Config.hpp>
#include <cstdint>

#include <araia/formats/bsr_pointers.hpp>
#include <araia/formats/pointers.hpp>
#include <araia/kernels/epilogue.hpp>

namespace araia::detail {

/// C = act(alpha A B + beta C + bias + R) for a batch, on `threads` host threads.
template <class Scalar, class Ordinal, class Offset, class X, class Y>
struct HostBsrSpmm {
  static constexpr bool exists = false;
};

// As HostSimd of host_simd.hpp; defined in src/dispatch/host_bsr.cpp.
#define ARAIA_DECLARE_HOST_BSR(A, X, Y, OFFSET)                                                              \
  template <>                                                                                                \
  struct HostBsrSpmm<A, std::int32_t, OFFSET, X, Y> {                                                        \
    static constexpr bool exists = true;                                                                     \
    using Matrix = BsrPointers<A, std::int32_t, OFFSET>;                                                     \
    static bool supports(Matrix const& a, DenseMatrix<X const> const& b);                                    \
    static void spmm(Matrix const& a, Y alpha, DenseBatch<X const> const& b, Y beta, DenseBatch<Y> const& c, \
                     EpiloguePointers<Y> const& epilogue, int threads);                                      \
  };
ARAIA_DECLARE_HOST_BSR(double, double, double, std::int32_t)
ARAIA_DECLARE_HOST_BSR(double, double, double, std::int64_t)
#ifndef ARAIA_TYPES_MINIMAL
ARAIA_DECLARE_HOST_BSR(float, float, float, std::int32_t)
ARAIA_DECLARE_HOST_BSR(float, float, float, std::int64_t)
ARAIA_DECLARE_HOST_BSR(float, double, double, std::int32_t)
ARAIA_DECLARE_HOST_BSR(float, double, double, std::int64_t)
#endif
#undef ARAIA_DECLARE_HOST_BSR

}  // namespace araia::detail
