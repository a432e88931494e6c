// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/formats/container_entries.hpp"

template araia::HostCoo araia::detail::container_entries_of<double, std::int64_t>(Container const&, std::uint64_t);

#ifndef ARAIA_TYPES_MINIMAL
template araia::HostCoo araia::detail::container_entries_of<Kokkos::complex<double>, std::int64_t>(Container const&,
                                                                                                   std::uint64_t);
#endif
