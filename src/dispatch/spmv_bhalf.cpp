// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/dispatch/half.hpp>

#if !defined(ARAIA_TYPES_MINIMAL) && !KOKKOS_BHALF_T_IS_FLOAT
ARAIA_WRITE_OUT_HALF(, Kokkos::Experimental::bhalf_t)
#endif
