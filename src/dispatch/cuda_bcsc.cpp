// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/dispatch/cuda_bcsc.hpp>

#include "backends/cuda/bcsc_parameters.hpp"
#include "backends/cuda/bcsc_spmm.hpp"

namespace araia::detail {
namespace {

/// The backend's kernel; warp_centric with atomics is a shape of its own there.
cuda::BcscKernel backend_kernel(BcscSpmmKernel kernel) {
  switch (kernel) {
    case BcscSpmmKernel::short_blocks: return cuda::BcscKernel::short_blocks;
    case BcscSpmmKernel::warp_centric:
    case BcscSpmmKernel::warp_centric_atomic: return cuda::BcscKernel::warp_centric;
    default: return cuda::BcscKernel::tiled;
  }
}

BcscSpmmKernel public_kernel(cuda::BcscKernel kernel) {
  switch (kernel) {
    case cuda::BcscKernel::tiled:
    case cuda::BcscKernel::thread_tiles: return BcscSpmmKernel::tiled;
    case cuda::BcscKernel::short_blocks: return BcscSpmmKernel::short_blocks;
    case cuda::BcscKernel::warp_centric: return BcscSpmmKernel::warp_centric;
  }
  return BcscSpmmKernel::automatic;
}

bool is_of_backend(BcscSpmmKernel kernel) {
  return kernel == BcscSpmmKernel::tiled || kernel == BcscSpmmKernel::short_blocks ||
         kernel == BcscSpmmKernel::warp_centric || kernel == BcscSpmmKernel::warp_centric_atomic;
}

template <class Matrix, class C>
cuda::BcscSpmmProblem problem_of(Kokkos::Cuda const& exec, Matrix const& a, C const& c) {
  auto const& device = exec.cuda_device_prop();
  return {a, c.columns, device.multiProcessorCount, device.major, device.sharedMemPerBlockOptin};
}

/// The backend's tuning of a kernel with what the caller says of it.
cuda::BcscSpmmTuning described(cuda::BcscSpmmProblem const& problem, BcscSpmmKernel kernel, BcscSpmmTuning const& t) {
  if (kernel == BcscSpmmKernel::tiled) return cuda::bcsc_spmm_tuning(problem, kernels::asked_tile(t));
  if (kernel == BcscSpmmKernel::short_blocks) return cuda::bcsc_spmm_tuning(problem, cuda::BcscKernel::short_blocks);
  return cuda::bcsc_spmm_tuning(problem, kernels::asked_warps(t), kernel == BcscSpmmKernel::warp_centric_atomic);
}

}  // namespace

template <class Matrix, class T>
bool CudaBcscSpmm<Matrix, T, T>::supports(Kokkos::Cuda const& exec, BcscSpmmKernel kernel, Matrix const& a,
                                          DenseMatrix<T const> const& b, DenseMatrix<T> const& c) {
  if (!cuda::bcsc_spmm_supports(b, c)) return false;
  return kernel == BcscSpmmKernel::automatic ||
         (is_of_backend(kernel) &&
          cuda::bcsc_kernel_runs(backend_kernel(kernel), a.block_height, cuda::is_compact_bcsc<Matrix>,
                                 exec.cuda_device_prop().major));
}

template <class Matrix, class T>
BcscSpmmKernel CudaBcscSpmm<Matrix, T, T>::automatic(Kokkos::Cuda const& exec, Matrix const& a,
                                                     DenseMatrix<T> const& c) {
  return public_kernel(cuda::bcsc_spmm_tuning(problem_of(exec, a, c)).kernel);
}

template <class Matrix, class T>
void CudaBcscSpmm<Matrix, T, T>::spmm(Kokkos::Cuda const& exec, BcscSpmmKernel kernel, BcscSpmmTuning const& tuning,
                                      Matrix const& a, T alpha, DenseMatrix<T const> const& b, T beta,
                                      DenseMatrix<T> const& c) {
  cuda::bcsc_spmm(a, alpha, b, beta, c, described(problem_of(exec, a, c), kernel, tuning), exec.cuda_stream());
}

[[gnu::used]] static void write_out_cuda_bcsc() {
  for_types<Reals>([&]<class T>() {
    for_types<CudaBcscForms<T>>([&]<class Matrix>() {
      write_out(CudaBcscSpmm<Matrix, T, T>::supports);
      write_out(CudaBcscSpmm<Matrix, T, T>::automatic);
      write_out(CudaBcscSpmm<Matrix, T, T>::spmm);
    });
  });
}

}  // namespace araia::detail
