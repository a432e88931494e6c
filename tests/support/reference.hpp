// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The reference's products with a Csr and its check, for the types that most tests run over, ready-made: tests are
// compiled without optimisation, which makes these loops most of their time. Other types are made where they are used.

#include <complex>
#include <cstdint>

#include "backends/openmp/reference/check.hpp"
#include "backends/openmp/reference/spmm.hpp"

/// LINKAGE `template` of everything that a product of these scalars takes.
#define ARAIA_TEST_REFERENCE_PRODUCT(LINKAGE, A, X, Y, OFFSET)                                                         \
  LINKAGE template Expected<Y> detail::spmm_of_rows<Y, CsrPointers<A, std::int32_t, OFFSET>, X>(                       \
      Op, Y, CsrPointers<A, std::int32_t, OFFSET> const&, DenseMatrix<X const> const&, Y, DenseMatrix<Y const> const&, \
      bool, std::vector<std::int64_t>);
#define ARAIA_TEST_REFERENCE_PRODUCTS(LINKAGE, A, X, Y)        \
  ARAIA_TEST_REFERENCE_PRODUCT(LINKAGE, A, X, Y, std::int32_t) \
  ARAIA_TEST_REFERENCE_PRODUCT(LINKAGE, A, X, Y, std::int64_t)
#define ARAIA_TEST_REFERENCE_CHECK(LINKAGE, Y) \
  LINKAGE template CheckReport check<Y>(Expected<Y> const&, DenseMatrix<Y const> const&, long double, long double);
#define ARAIA_TEST_REFERENCE(LINKAGE)                                                                      \
  ARAIA_TEST_REFERENCE_PRODUCTS(LINKAGE, double, double, double)                                           \
  ARAIA_TEST_REFERENCE_PRODUCTS(LINKAGE, float, float, float)                                              \
  ARAIA_TEST_REFERENCE_PRODUCTS(LINKAGE, float, double, double)                                            \
  ARAIA_TEST_REFERENCE_PRODUCTS(LINKAGE, std::complex<double>, std::complex<double>, std::complex<double>) \
  ARAIA_TEST_REFERENCE_CHECK(LINKAGE, double)                                                              \
  ARAIA_TEST_REFERENCE_CHECK(LINKAGE, float)                                                               \
  ARAIA_TEST_REFERENCE_CHECK(LINKAGE, std::complex<double>)

namespace araia::reference {
ARAIA_TEST_REFERENCE(extern)
}  // namespace araia::reference
