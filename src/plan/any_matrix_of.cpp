// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/plan/any_matrix_of.hpp"

template std::unique_ptr<araia::AnyMatrix> araia::detail::any_matrix_of<double, double>(HostCoo const&,
                                                                                        std::string const&);

#ifndef ARAIA_TYPES_MINIMAL
template std::unique_ptr<araia::AnyMatrix> araia::detail::any_matrix_of<float, float>(HostCoo const&,
                                                                                      std::string const&);
template std::unique_ptr<araia::AnyMatrix> araia::detail::any_matrix_of<float, double>(HostCoo const&,
                                                                                       std::string const&);
template std::unique_ptr<araia::AnyMatrix>
araia::detail::any_matrix_of<Kokkos::complex<double>, Kokkos::complex<double>>(HostCoo const&, std::string const&);
#endif
