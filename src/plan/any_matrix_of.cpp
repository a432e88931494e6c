// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/plan/any_matrix_of.hpp"

template struct araia::detail::AnyMatrices<double, double>;
#ifndef ARAIA_TYPES_MINIMAL
template struct araia::detail::AnyMatrices<float, float>;
template struct araia::detail::AnyMatrices<float, double>;
template struct araia::detail::AnyMatrices<Kokkos::complex<double>, Kokkos::complex<double>>;
#endif
