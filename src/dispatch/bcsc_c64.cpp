// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/dispatch/bcsc.hpp>

ARAIA_WRITE_OUT_BCSC(, Kokkos::complex<double>, Kokkos::complex<double>, Kokkos::complex<double>)
