// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/plan/store_csc_hyb.hpp"

ARAIA_WRITE_OUT_STORE(araia::detail::CscStore, double)
ARAIA_WRITE_OUT_STORE(araia::detail::HybStore, double)

#ifndef ARAIA_TYPES_MINIMAL
ARAIA_WRITE_OUT_STORE(araia::detail::CscStore, float)
ARAIA_WRITE_OUT_STORE(araia::detail::HybStore, float)
ARAIA_WRITE_OUT_STORE(araia::detail::CscStore, Kokkos::complex<double>)
ARAIA_WRITE_OUT_STORE(araia::detail::HybStore, Kokkos::complex<double>)
#endif
