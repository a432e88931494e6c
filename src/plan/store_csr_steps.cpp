// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/plan/store_csr_steps.hpp"

ARAIA_WRITE_OUT_STORE(araia::detail::StepsStore)
