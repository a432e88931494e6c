// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/plan/stored_of.hpp"

#ifndef ARAIA_TYPES_MINIMAL
ARAIA_WRITE_OUT_STORED(, Kokkos::complex<double>)
#endif
