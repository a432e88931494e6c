// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/dispatch/sddmm.hpp>

#include "backends/openmp/sddmm/csr_host_simd/kernel.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "backends/cuda/sddmm/csr_sddmm.hpp"
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

template <class Exec, class T, class F>
bool SddmmBackend<Exec, CsrPointers<T, std::int32_t, F>, T, T, T>::supports(CsrSddmmKernel kernel, Matrix const& a,
                                                                            DenseMatrix<T const> const& x,
                                                                            DenseMatrix<T const> const& y) {
  if constexpr (is_host_backend_space<Exec>)
    return kernel == CsrSddmmKernel::host_simd && host::csr_sddmm_supports(x, y);
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (is_cuda_space<Exec>)
    return cuda::csr_sddmm_supports(a) &&
           (kernel == CsrSddmmKernel::row_parts ||
            (kernel == CsrSddmmKernel::column_panels && cuda::csr_sddmm_panels_support(x, y)));
#endif
  static_cast<void>(a);
  return false;
}

template <class Exec, class T, class F>
CsrSddmmKernel SddmmBackend<Exec, CsrPointers<T, std::int32_t, F>, T, T, T>::automatic(Exec const& exec,
                                                                                       Matrix const& a,
                                                                                       DenseMatrix<T const> const& x,
                                                                                       DenseMatrix<T const> const& y) {
  if constexpr (is_host_backend_space<Exec>)
    if (host::csr_sddmm_supports(x, y)) return CsrSddmmKernel::host_simd;
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (is_cuda_space<Exec>)
    if (cuda::csr_sddmm_supports(a))
      return cuda::csr_sddmm_panels_support(x, y) &&
                     cuda::csr_sddmm_prefers_panels(a.rows, a.cols, a.nnz, x.columns, sizeof(T), sddmm_device(exec))
                 ? CsrSddmmKernel::column_panels
                 : CsrSddmmKernel::row_parts;
#endif
  static_cast<void>(exec);
  static_cast<void>(a);
  return CsrSddmmKernel::equal_chunks;
}

template <class Exec, class T, class F>
void SddmmBackend<Exec, CsrPointers<T, std::int32_t, F>, T, T, T>::run(Exec const& exec, CsrSddmmKernel kernel,
                                                                       Matrix const& a, T alpha,
                                                                       DenseMatrix<T const> const& x,
                                                                       DenseMatrix<T const> const& y, T beta, T* d) {
  if constexpr (is_host_backend_space<Exec>) {
    static_cast<void>(kernel);
    exec.fence("araia::sddmm::csr::host_simd: host kernels run in the caller's thread");
    host::csr_sddmm(a, alpha, x, y, beta, d, exec.concurrency());
  }
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (is_cuda_space<Exec>) {
    auto const tuning = kernel == CsrSddmmKernel::column_panels
                            ? cuda::csr_sddmm_panel_tuning(a.rows, a.cols, x.columns, sizeof(T), sddmm_device(exec))
                            : cuda::csr_sddmm_row_tuning(a.rows, a.nnz, sddmm_device(exec));
    cuda::csr_sddmm(a, alpha, x, y, beta, d, tuning, exec.cuda_stream());
  }
#endif
}

template <class Exec, class Tuning, class A, class X, class Y, class D>
void sddmm_ready(Exec const& exec, Tuning const& tuning, bool conjugate, accumulator_t<D> alpha, A const& a,
                 DenseMatrix<X const> const& x, DenseMatrix<Y const> const& y, accumulator_t<D> beta, D* d) {
  sddmm_here(Here{}, exec, tuning, conjugate, alpha, a, x, y, beta, d);
}

[[gnu::used]] static void write_out_sddmm() {
  for_types<Spaces, Reals, AllOffsets>([&]<class Exec, class T, class F>() {
    using Backend = SddmmBackend<Exec, CsrPointers<T, std::int32_t, F>, T, T, T>;
    write_out(Backend::supports);
    write_out(Backend::automatic);
    write_out(Backend::run);
  });
  for_types<Spaces, PlainProducts>([&]<class Exec, class S, class X, class D>() {
    for_types<CsrForms<S>>([&]<class A>() { write_out(sddmm_ready<Exec, CsrSddmmTuning, A, X, X, D>); });
    for_types<BcscForms<S>>([&]<class A>() { write_out(sddmm_ready<Exec, BcscSddmmTuning, A, X, X, D>); });
  });
}

}  // namespace araia::detail
