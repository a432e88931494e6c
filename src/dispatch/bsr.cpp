// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/dispatch/bsr.hpp>

ARAIA_WRITE_OUT_BSR(, double, double, double)

#ifndef ARAIA_TYPES_MINIMAL
ARAIA_WRITE_OUT_BSR(, float, float, float)
ARAIA_WRITE_OUT_BSR(, float, double, double)
ARAIA_COMPLEX_SCALARS(ARAIA_WRITE_OUT_BSR, )
#endif
