// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/spgemm/kernels.hpp"
#include "src/spgemm/plan_impl.hpp"

namespace araia {
ARAIA_ON_EVERY_SPACE(ARAIA_SPGEMM_OF, , Kokkos::complex<double>)
ARAIA_ON_EVERY_SPACE(ARAIA_SPGEMM_PLAN_OF, , Kokkos::complex<double>)
}  // namespace araia
