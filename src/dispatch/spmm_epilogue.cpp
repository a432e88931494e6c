// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/dispatch/spmm_epilogue.hpp>

#include "backends/openmp/csr_spmm_host.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "backends/cuda/csr_spmm.hpp"
#endif

ARAIA_WRITE_OUT_FINISH_DENSE(, double)
#ifndef ARAIA_TYPES_MINIMAL
ARAIA_WRITE_OUT_FINISH_DENSE(, float)
ARAIA_WRITE_OUT_FINISH_DENSE(, Kokkos::complex<double>)
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

#define ARAIA_DEFINE_STORE_EPILOGUE(SPACE, POINTERS, X, Y)                                                       \
  void StoreEpilogue<SPACE, POINTERS, X, Y>::spmm(SPACE const& exec, CsrSpmmTuning const& tuning, Y alpha,       \
                                                  POINTERS const& a, DenseBatch<X const> const& b, Y beta,       \
                                                  DenseBatch<Y> const& c, EpiloguePointers<Y> const& epilogue) { \
    run(exec, tuning, alpha, a, b, beta, c, epilogue);                                                           \
  }
#define ARAIA_DEFINE_STORE_EPILOGUE_ON(SPACE, A, X, Y) \
  ARAIA_DEFINE_STORE_EPILOGUE(SPACE, Csr32<A>, X, Y)   \
  ARAIA_WIDE_OFFSETS(ARAIA_DEFINE_STORE_EPILOGUE(SPACE, Csr64<A>, X, Y))
ARAIA_ON_EVERY_SPACE(ARAIA_DEFINE_STORE_EPILOGUE_ON, double, double, double)
#ifndef ARAIA_TYPES_MINIMAL
ARAIA_ON_EVERY_SPACE(ARAIA_DEFINE_STORE_EPILOGUE_ON, float, float, float)
ARAIA_ON_EVERY_SPACE(ARAIA_DEFINE_STORE_EPILOGUE_ON, float, double, double)
#endif

}  // namespace araia::detail
