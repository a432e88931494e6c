// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/ops/spgemm_impl.hpp>

#include "src/spgemm/row_bins.hpp"

namespace araia {
ARAIA_ON_EVERY_SPACE(ARAIA_SPGEMM_OF, , Kokkos::complex<double>)
}  // namespace araia
