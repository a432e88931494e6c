// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/dispatch/sell.hpp>

ARAIA_COMPLEX_SCALARS(ARAIA_WRITE_OUT_SELL, )
