// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/dispatch/spmm_epilogue.hpp>

#include "backends/openmp/csr_spmm_host.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "backends/cuda/csr_spmm.hpp"
#endif

namespace araia::detail {
namespace {

template <class Exec, class A, class Offset, class X, class Y>
void run(Exec const& exec, CsrSpmmTuning const& tuning, Y alpha, CsrPointers<A, std::int32_t, Offset> const& a,
         DenseBatch<X const> const& b, Y beta, DenseBatch<Y> const& c, EpiloguePointers<Y> const& epilogue) {
  if constexpr (is_host_backend_space<Exec>) {
    exec.fence("araia::spmm::csr::host_simd: host kernels run in the caller's thread");
    host::csr_spmm(a, alpha, b, beta, c, epilogue, exec.concurrency(),
                   tuning.kernel == CsrSpmmKernel::host_simd_runs ? tuning.row_runs : nullptr);
  }
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (is_cuda_space<Exec> && CudaSpmm<A, std::int32_t, Offset, X, Y>::exists) {
    cuda::csr_spmm(a, alpha, b, beta, c, epilogue, exec.cuda_device_prop().multiProcessorCount, exec.cuda_stream());
  }
#endif
}

}  // namespace

template <class Exec, class Pointers, class X, class Y>
void StoreEpilogue<Exec, Pointers, X, Y>::spmm(Exec const& exec, CsrSpmmTuning const& tuning, Y alpha,
                                               Pointers const& a, DenseBatch<X const> const& b, Y beta,
                                               DenseBatch<Y> const& c, EpiloguePointers<Y> const& epilogue) {
  run(exec, tuning, alpha, a, b, beta, c, epilogue);
}

template <class Exec, class Y>
void finish_dense_ready(Exec const& exec, accumulator_t<Y> beta, DenseBatch<Y> const& c,
                        EpiloguePointers<Y> const& epilogue) {
  finish_dense(exec, beta, c, epilogue);
}

[[gnu::used]] static void write_out_spmm_epilogue() {
  for_types<Spaces, Scalars>([&]<class Exec, class Y>() { write_out(finish_dense_ready<Exec, Y>); });
  for_types<Spaces, RealProducts>([&]<class Exec, class S, class X, class Y>() {
    for_types<CsrForms<S>>([&]<class A>() { write_out(StoreEpilogue<Exec, A, X, Y>::spmm); });
  });
}

}  // namespace araia::detail
