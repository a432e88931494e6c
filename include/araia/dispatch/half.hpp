// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Csr and Sell of 16-bit values, half_t and bhalf_t, with x, y and sums in float: what src/dispatch brings ready-made
// for spmv. Where Kokkos has no such type it is another name of float, and there is nothing to add.

#include <araia/dispatch/sell.hpp>
#include <araia/dispatch/spmv.hpp>

#define ARAIA_HALF_ON(SPACE, LINKAGE, S)                                    \
  ARAIA_SPMV_OF(LINKAGE, SPACE, Csr, araia::detail::Csr32<S>, float, float) \
  ARAIA_SPMV_OF(LINKAGE, SPACE, Csr, araia::detail::Csr64<S>, float, float) \
  ARAIA_SPMV_OF(LINKAGE, SPACE, Sell, araia::detail::Sell32<S>, float, float)
#define ARAIA_WRITE_OUT_HALF(LINKAGE, S) ARAIA_ON_EVERY_SPACE(ARAIA_HALF_ON, LINKAGE, S)

#ifndef ARAIA_TYPES_MINIMAL
#if !KOKKOS_HALF_T_IS_FLOAT
ARAIA_WRITE_OUT_HALF(extern, Kokkos::Experimental::half_t)
#endif
#if !KOKKOS_BHALF_T_IS_FLOAT
ARAIA_WRITE_OUT_HALF(extern, Kokkos::Experimental::bhalf_t)
#endif
#endif
