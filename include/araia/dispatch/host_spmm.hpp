// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Doors to the host backend's SpMM over BSR, SELL and BCSC, for the types it is built for. Absent types answer
// `exists == false`.

#include <Kokkos_Core.hpp>
#include <araia/Araia_Config.hpp>
#include <cstdint>

#include <araia/dispatch/host_simd.hpp>
#include <araia/formats/bcsc_pointers.hpp>
#include <araia/formats/bsr_pointers.hpp>
#include <araia/formats/pointers.hpp>
#include <araia/formats/scalar.hpp>
#include <araia/formats/sell_pointers.hpp>
#include <araia/kernels/epilogue.hpp>

namespace araia::detail {

template <class S, class O, class F>
using BcscCompact8 = BcscCompactPointers<S, O, F, std::uint8_t>;
template <class S, class O, class F>
using BcscCompact16 = BcscCompactPointers<S, O, F, std::uint16_t>;

/// C = act(alpha A B + beta C + bias + R) for a batch, on `threads` host threads.
template <class Pointers, class X, class Y>
struct HostSpmm {
  static constexpr bool exists = false;
};

// As HostSimd of host_simd.hpp; defined in src/dispatch/host_spmm.cpp.
#define ARAIA_DECLARE_HOST_SPMM(POINTERS, A, X, Y, OFFSET)                                                   \
  template <>                                                                                                \
  struct HostSpmm<POINTERS<A, std::int32_t, OFFSET>, X, Y> {                                                 \
    static constexpr bool exists = true;                                                                     \
    using Matrix = POINTERS<A, std::int32_t, OFFSET>;                                                        \
    static bool supports(Matrix const& a, DenseMatrix<X const> const& b, DenseMatrix<Y> const& c);           \
    static void spmm(Matrix const& a, Y alpha, DenseBatch<X const> const& b, Y beta, DenseBatch<Y> const& c, \
                     EpiloguePointers<Y> const& epilogue, int threads);                                      \
  };
#define ARAIA_EVERY_HOST_SPMM(OF) \
  OF(BsrPointers)                 \
  OF(SellPointers)                \
  OF(BcscPointers)                \
  OF(BcscCompact8)                \
  OF(BcscCompact16)
#define ARAIA_DECLARE_HOST_SPMM_OF(POINTERS)                              \
  ARAIA_DECLARE_HOST_SPMM(POINTERS, double, double, double, std::int32_t) \
  ARAIA_DECLARE_HOST_SPMM(POINTERS, double, double, double, std::int64_t)
#ifndef ARAIA_TYPES_MINIMAL
#define ARAIA_DECLARE_HOST_SPMM_OF_FLOAT(POINTERS)                       \
  ARAIA_DECLARE_HOST_SPMM(POINTERS, float, float, float, std::int32_t)   \
  ARAIA_DECLARE_HOST_SPMM(POINTERS, float, float, float, std::int64_t)   \
  ARAIA_DECLARE_HOST_SPMM(POINTERS, float, double, double, std::int32_t) \
  ARAIA_DECLARE_HOST_SPMM(POINTERS, float, double, double, std::int64_t)
ARAIA_EVERY_HOST_SPMM(ARAIA_DECLARE_HOST_SPMM_OF_FLOAT)
#undef ARAIA_DECLARE_HOST_SPMM_OF_FLOAT
#endif
ARAIA_EVERY_HOST_SPMM(ARAIA_DECLARE_HOST_SPMM_OF)
#undef ARAIA_EVERY_HOST_SPMM
#undef ARAIA_DECLARE_HOST_SPMM_OF
#undef ARAIA_DECLARE_HOST_SPMM

template <class Exec, class Pointers, class X, class Y>
bool host_spmm_supports(Op op, Pointers const& a, DenseMatrix<X const> const& b, DenseMatrix<Y> const& c) {
  if constexpr (is_host_backend_space<Exec> && HostSpmm<Pointers, X, Y>::exists)
    return op == Op::none && HostSpmm<Pointers, X, Y>::supports(a, b, c);
  return false;
}

/// For operands that host_spmm_supports() names. \param why  of the fence before it
template <class Exec, class Pointers, class X, class Y>
void host_spmm(char const* why, Exec const& exec, accumulator_t<Y> alpha, Pointers const& a,
               DenseBatch<X const> const& b, accumulator_t<Y> beta, DenseBatch<Y> const& c,
               EpiloguePointers<Y> const& epilogue) {
  if constexpr (is_host_backend_space<Exec> && HostSpmm<Pointers, X, Y>::exists) {
    exec.fence(why);
    HostSpmm<Pointers, X, Y>::spmm(a, alpha, b, beta, c, epilogue, exec.concurrency());
  }
}

}  // namespace araia::detail
