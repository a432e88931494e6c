// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/cli/container.hpp"

template araia::Container araia::cli::detail::container_of<double>(HostCoo const&, std::string const&);

#ifndef ARAIA_TYPES_MINIMAL
template araia::Container araia::cli::detail::container_of<Kokkos::complex<double>>(HostCoo const&, std::string const&);
#endif
