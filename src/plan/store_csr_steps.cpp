// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/plan/store_csr_steps.hpp"

ARAIA_WRITE_OUT_STORE(araia::detail::StepsStore, double)

#ifndef ARAIA_TYPES_MINIMAL
ARAIA_WRITE_OUT_STORE(araia::detail::StepsStore, float)
ARAIA_WRITE_OUT_STORE(araia::detail::StepsStore, Kokkos::complex<double>)
#endif
