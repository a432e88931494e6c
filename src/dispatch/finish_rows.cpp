// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/dispatch/fused.hpp>

ARAIA_WRITE_OUT_FINISH(, double)
#ifndef ARAIA_TYPES_MINIMAL
ARAIA_WRITE_OUT_FINISH(, float)
ARAIA_WRITE_OUT_FINISH(, Kokkos::complex<double>)
#endif
