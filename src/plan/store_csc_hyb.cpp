// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/plan/store_csc_hyb.hpp"

ARAIA_WRITE_OUT_STORE(araia::detail::CscStore)
ARAIA_WRITE_OUT_STORE(araia::detail::HybStore)
