// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/dispatch/sddmm.hpp>

#include "backends/openmp/csr_sddmm_host.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "backends/cuda/csr_sddmm.hpp"
#endif

namespace araia::detail {

#ifdef KOKKOS_ENABLE_CUDA
namespace {
cuda::SddmmDevice sddmm_device(Kokkos::Cuda const& exec) {
  auto const& device = exec.cuda_device_prop();
  return {device.multiProcessorCount, device.sharedMemPerBlockOptin};
}
}  // namespace
#endif

#define ARAIA_HOST_SDDMM_OF(SPACE, T, F)                                                              \
  bool SddmmBackend<SPACE, CsrPointers<T, std::int32_t, F>, T, T, T>::supports(                       \
      CsrSddmmKernel kernel, CsrPointers<T, std::int32_t, F> const&, DenseMatrix<T const> const& x,   \
      DenseMatrix<T const> const& y) {                                                                \
    return kernel == CsrSddmmKernel::host_simd && host::csr_sddmm_supports(x, y);                     \
  }                                                                                                   \
  CsrSddmmKernel SddmmBackend<SPACE, CsrPointers<T, std::int32_t, F>, T, T, T>::automatic(            \
      SPACE const&, CsrPointers<T, std::int32_t, F> const&, DenseMatrix<T const> const& x,            \
      DenseMatrix<T const> const& y) {                                                                \
    return host::csr_sddmm_supports(x, y) ? CsrSddmmKernel::host_simd : CsrSddmmKernel::equal_chunks; \
  }                                                                                                   \
  void SddmmBackend<SPACE, CsrPointers<T, std::int32_t, F>, T, T, T>::run(                            \
      SPACE const& exec, CsrSddmmKernel, CsrPointers<T, std::int32_t, F> const& a, T alpha,           \
      DenseMatrix<T const> const& x, DenseMatrix<T const> const& y, T beta, T* d) {                   \
    exec.fence("araia::sddmm::csr::host_simd: host kernels run in the caller's thread");              \
    host::csr_sddmm(a, alpha, x, y, beta, d, exec.concurrency());                                     \
  }
#define ARAIA_HOST_SDDMM(SPACE, T)            \
  ARAIA_HOST_SDDMM_OF(SPACE, T, std::int32_t) \
  ARAIA_HOST_SDDMM_OF(SPACE, T, std::int64_t)
#define ARAIA_CUDA_SDDMM_OF(SPACE, T, F)                                                                             \
  bool SddmmBackend<SPACE, CsrPointers<T, std::int32_t, F>, T, T, T>::supports(                                      \
      CsrSddmmKernel kernel, CsrPointers<T, std::int32_t, F> const& a, DenseMatrix<T const> const& x,                \
      DenseMatrix<T const> const& y) {                                                                               \
    return cuda::csr_sddmm_supports(a) &&                                                                            \
           (kernel == CsrSddmmKernel::row_parts ||                                                                   \
            (kernel == CsrSddmmKernel::column_panels && cuda::csr_sddmm_panels_support(x, y)));                      \
  }                                                                                                                  \
  CsrSddmmKernel SddmmBackend<SPACE, CsrPointers<T, std::int32_t, F>, T, T, T>::automatic(                           \
      SPACE const& exec, CsrPointers<T, std::int32_t, F> const& a, DenseMatrix<T const> const& x,                    \
      DenseMatrix<T const> const& y) {                                                                               \
    if (!cuda::csr_sddmm_supports(a)) return CsrSddmmKernel::equal_chunks;                                           \
    return cuda::csr_sddmm_panels_support(x, y) &&                                                                   \
                   cuda::csr_sddmm_prefers_panels(a.rows, a.cols, a.nnz, x.columns, sizeof(T), sddmm_device(exec))   \
               ? CsrSddmmKernel::column_panels                                                                       \
               : CsrSddmmKernel::row_parts;                                                                          \
  }                                                                                                                  \
  void SddmmBackend<SPACE, CsrPointers<T, std::int32_t, F>, T, T, T>::run(                                           \
      SPACE const& exec, CsrSddmmKernel kernel, CsrPointers<T, std::int32_t, F> const& a, T alpha,                   \
      DenseMatrix<T const> const& x, DenseMatrix<T const> const& y, T beta, T* d) {                                  \
    auto const tuning = kernel == CsrSddmmKernel::column_panels                                                      \
                            ? cuda::csr_sddmm_panel_tuning(a.rows, a.cols, x.columns, sizeof(T), sddmm_device(exec)) \
                            : cuda::csr_sddmm_row_tuning(a.rows, a.nnz, sddmm_device(exec));                         \
    cuda::csr_sddmm(a, alpha, x, y, beta, d, tuning, exec.cuda_stream());                                            \
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
