// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/dispatch/cuda_bsr.hpp>

#include "backends/cuda/bsr_spmm_tensor_cores.hpp"

namespace araia::detail {
namespace {

template <class T>
Precision used(Precision allowed) {
  return sizeof(T) == sizeof(double) ? Precision::native : allowed;
}

}  // namespace

template <class T, class F>
bool CudaBsrSpmm<T, std::int32_t, F, T, T>::supports(Kokkos::Cuda const& exec, Precision precision, Matrix const& a,
                                                     DenseMatrix<T const> const& b, DenseMatrix<T> const& c) {
  return cuda::bsr_tensor_cores_run_on(exec.cuda_device_prop().major) &&
         cuda::has_bsr_tensor_cores<T>(used<T>(precision)) && cuda::bsr_tensor_cores_support(a, b, c);
}

template <class T, class F>
void CudaBsrSpmm<T, std::int32_t, F, T, T>::spmm(Kokkos::Cuda const& exec, Precision precision, Matrix const& a,
                                                 T alpha, DenseMatrix<T const> const& b, T beta,
                                                 DenseMatrix<T> const& c) {
  // By its type: nvcc loses a braced list that depends on template parameters.
  cuda::BsrTensorProblem const problem(a, c.columns, exec.cuda_device_prop().multiProcessorCount);
  auto const tuning = cuda::bsr_tensor_tuning(problem);
  cuda::bsr_spmm_tensor_cores(a, used<T>(precision), alpha, b, beta, c, tuning, exec.cuda_stream());
}

[[gnu::used]] static void write_out_cuda_bsr() {
  for_types<Reals, AllOffsets>([&]<class T, class F>() {
    write_out(CudaBsrSpmm<T, std::int32_t, F, T, T>::supports);
    write_out(CudaBsrSpmm<T, std::int32_t, F, T, T>::spmm);
  });
}

}  // namespace araia::detail
