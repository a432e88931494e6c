// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Launches whose blocks start while the work before them in the stream ends (programmatic dependent launch, compute
// capability 9.0 and above; elsewhere a plain launch). A kernel may read before `wait_for_predecessor` only what no
// kernel of the stream writes: packings that are complete on the device before the host goes on and that the host alone
// fills anew, and offsets and columns of a Csr whose partition it takes, as that was made from them by a kernel without
// early successors. Where nothing like a partition stands between, indices too may come from a kernel that lets its
// successor start. All else it reads later, and not by the path of constants (`__ldg`, or a `__restrict__` pointer to
// const), as it may have been written while blocks were waiting. A kernel that reads a packing early is launched
// plainly (`early` false) where a kernel of the stream may write that packing's values. A kernel lets its successor
// start only once it has waited itself: a successor's blocks would else hold places that the predecessor still needs.
// One kernel does otherwise, spmv/csr_long_rows: it always follows one that waits first, so that all older work is
// complete when its own blocks start; they read operands at once, let their successor start, and wait before they add.

#include <cuda_runtime_api.h>

#include <cstddef>

#include "backends/cuda/check.hpp"

namespace araia::cuda {

/// All that the stream held before this kernel is done and its writes are seen. Every block has to call it.
__device__ __forceinline__ void wait_for_predecessor() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// The next kernel's blocks may come where this one leaves room; their wait still is for the end of this kernel.
__device__ __forceinline__ void let_successor_start() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// Clusters of `cluster` thread blocks side by side, 1 before compute capability 9.0.
/// \param blocks a number, or a grid
/// \param early  whether blocks may start before the work ahead of them ends; else the launch is a plain one
/// \throws araia::Error (device) where the launch fails
template <class... Parameters, class... Arguments>
void launch_clusters(bool early, void (*kernel)(Parameters...), dim3 blocks, unsigned cluster, unsigned threads,
                     std::size_t shared, cudaStream_t stream, char const* name, Arguments const&... arguments) {
  int device = 0;
  int major = 0;
  check(cudaGetDevice(&device), name);
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), name);
  cudaLaunchAttribute attributes[2] = {};
  unsigned count = 0;
  if (major >= 9 && early) {
    attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[count++].val.programmaticStreamSerializationAllowed = 1;
  }
  if (major >= 9 && cluster > 1) {
    attributes[count].id = cudaLaunchAttributeClusterDimension;
    attributes[count++].val.clusterDim = {cluster, 1, 1};
  }
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = shared;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = count;
  check(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...), name);
}

template <class... Parameters, class... Arguments>
void launch_clusters(void (*kernel)(Parameters...), dim3 blocks, unsigned cluster, unsigned threads, std::size_t shared,
                     cudaStream_t stream, char const* name, Arguments const&... arguments) {
  launch_clusters(true, kernel, blocks, cluster, threads, shared, stream, name, arguments...);
}

/// The same without clusters.
template <class... Parameters, class... Arguments>
void launch_overlapped(bool early, void (*kernel)(Parameters...), dim3 blocks, unsigned threads, std::size_t shared,
                       cudaStream_t stream, char const* name, Arguments const&... arguments) {
  launch_clusters(early, kernel, blocks, 1, threads, shared, stream, name, arguments...);
}
template <class... Parameters, class... Arguments>
void launch_overlapped(void (*kernel)(Parameters...), dim3 blocks, unsigned threads, std::size_t shared,
                       cudaStream_t stream, char const* name, Arguments const&... arguments) {
  launch_clusters(true, kernel, blocks, 1, threads, shared, stream, name, arguments...);
}

}  // namespace araia::cuda
