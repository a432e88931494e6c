// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/cli/container.hpp"

namespace araia::cli::detail {

template Container container_of<double>(Input const&, std::string const&);
#ifndef ARAIA_TYPES_MINIMAL
template Container container_of<float>(Input const&, std::string const&);
template Container container_of<Kokkos::complex<double>>(Input const&, std::string const&);
#endif

}  // namespace araia::cli::detail
