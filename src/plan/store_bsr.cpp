// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/plan/store_bsr.hpp"

ARAIA_WRITE_OUT_STORE(araia::detail::BsrStore, double)

#ifndef ARAIA_TYPES_MINIMAL
ARAIA_WRITE_OUT_STORE(araia::detail::BsrStore, float)
ARAIA_WRITE_OUT_STORE(araia::detail::BsrStore, Kokkos::complex<double>)
#endif
