// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/nn/conv_blas.hpp"

#include <araia/detail/assembly/checked.hpp>
#include <araia/error.hpp>

#ifdef ARAIA_HAVE_BLAS
extern "C" {
void dgemm_(char const*, char const*, int const*, int const*, int const*, double const*, double const*, int const*,
            double const*, int const*, double const*, double*, int const*);
void sgemm_(char const*, char const*, int const*, int const*, int const*, float const*, float const*, int const*,
            float const*, int const*, float const*, float*, int const*);
}
#endif

namespace araia::detail {

#ifdef ARAIA_HAVE_BLAS

namespace {

/// By columns the operands are transposes: C' = B' A'.
template <class T, class Gemm>
void multiply(Gemm const& gemm, std::int64_t m, std::int64_t n, std::int64_t k, T const* a, T const* b, T* c) {
  for (auto const extent : {m, n, k}) require_fits<int>("araia::conv::dense: an extent of BLAS", extent);
  auto const columns = static_cast<int>(n);
  auto const rows = static_cast<int>(m);
  auto const inner = static_cast<int>(k);
  T const one = 1;
  T const zero = 0;
  gemm("N", "N", &columns, &rows, &inner, &one, b, &columns, a, &inner, &zero, c, &columns);
}

}  // namespace

bool has_blas() { return true; }
void blas_multiply(std::int64_t m, std::int64_t n, std::int64_t k, double const* a, double const* b, double* c) {
  multiply(dgemm_, m, n, k, a, b, c);
}
void blas_multiply(std::int64_t m, std::int64_t n, std::int64_t k, float const* a, float const* b, float* c) {
  multiply(sgemm_, m, n, k, a, b, c);
}

#else

namespace {

[[noreturn]] void no_blas() {
  throw Error(ErrorKind::unsupported, "araia::conv::dense: this build has no BLAS (Araia_ENABLE_BLAS)");
}

}  // namespace

bool has_blas() { return false; }
void blas_multiply(std::int64_t, std::int64_t, std::int64_t, double const*, double const*, double*) { no_blas(); }
void blas_multiply(std::int64_t, std::int64_t, std::int64_t, float const*, float const*, float*) { no_blas(); }

#endif

}  // namespace araia::detail
