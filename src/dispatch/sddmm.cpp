// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/dispatch/sddmm.hpp>

#include "backends/openmp/csr_sddmm_host.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "backends/cuda/csr_sddmm_row_parts.hpp"
#endif

namespace araia::detail {

#define ARAIA_HOST_SDDMM_OF(SPACE, T, F)                                                                      \
  bool SddmmBackend<SPACE, CsrPointers<T, std::int32_t, F>, T, T, T>::supports(                               \
      CsrPointers<T, std::int32_t, F> const&, DenseMatrix<T const> const& x, DenseMatrix<T const> const& y) { \
    return host::csr_sddmm_supports(x, y);                                                                    \
  }                                                                                                           \
  void SddmmBackend<SPACE, CsrPointers<T, std::int32_t, F>, T, T, T>::run(                                    \
      SPACE const& exec, CsrPointers<T, std::int32_t, F> const& a, T alpha, DenseMatrix<T const> const& x,    \
      DenseMatrix<T const> const& y, T beta, T* d) {                                                          \
    exec.fence("araia::sddmm::csr::host_simd: host kernels run in the caller's thread");                      \
    host::csr_sddmm(a, alpha, x, y, beta, d, exec.concurrency());                                             \
  }
#define ARAIA_HOST_SDDMM(SPACE, T)            \
  ARAIA_HOST_SDDMM_OF(SPACE, T, std::int32_t) \
  ARAIA_HOST_SDDMM_OF(SPACE, T, std::int64_t)
#define ARAIA_CUDA_SDDMM_OF(SPACE, T, F)                                                                       \
  bool SddmmBackend<SPACE, CsrPointers<T, std::int32_t, F>, T, T, T>::supports(                                \
      CsrPointers<T, std::int32_t, F> const& a, DenseMatrix<T const> const&, DenseMatrix<T const> const&) {    \
    return cuda::csr_sddmm_supports(a);                                                                        \
  }                                                                                                            \
  void SddmmBackend<SPACE, CsrPointers<T, std::int32_t, F>, T, T, T>::run(                                     \
      SPACE const& exec, CsrPointers<T, std::int32_t, F> const& a, T alpha, DenseMatrix<T const> const& x,     \
      DenseMatrix<T const> const& y, T beta, T* d) {                                                           \
    cuda::csr_sddmm(a, alpha, x, y, beta, d, exec.cuda_device_prop().multiProcessorCount, exec.cuda_stream()); \
  }
#define ARAIA_CUDA_SDDMM(SPACE, T)            \
  ARAIA_CUDA_SDDMM_OF(SPACE, T, std::int32_t) \
  ARAIA_CUDA_SDDMM_OF(SPACE, T, std::int64_t)
#define ARAIA_DEFINE_SDDMM(T)          \
  ARAIA_ON_SERIAL(ARAIA_HOST_SDDMM, T) \
  ARAIA_ON_OPENMP(ARAIA_HOST_SDDMM, T) \
  ARAIA_ON_CUDA(ARAIA_CUDA_SDDMM, T)
ARAIA_DEFINE_SDDMM(double)
#ifndef ARAIA_TYPES_MINIMAL
ARAIA_DEFINE_SDDMM(float)
#endif

}  // namespace araia::detail

ARAIA_WRITE_OUT_SDDMM(, double)
#ifndef ARAIA_TYPES_MINIMAL
ARAIA_WRITE_OUT_SDDMM(, float)
ARAIA_WRITE_OUT_SDDMM(, Kokkos::complex<double>)
#endif
