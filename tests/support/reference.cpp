// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/reference.hpp"

namespace araia::reference {
ARAIA_TEST_REFERENCE()
}  // namespace araia::reference
