// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Included ahead of each CUDA unit that uses the Kokkos 4.7.0 which scripts/deps.sh builds, and by no other Kokkos.
// CUDA 13 took away two signatures that its headers call; these overloads say the same with the new ones.
//
// And in C++20, where Views mark empty members [[no_unique_address]], nvcc 13.0 lays a View out in 32 bytes for kernel
// arguments while the host passes 40: whatever a kernel captures behind a View is read from the wrong place. So Views
// keep the layout that they have in C++17, where mdspan goes without the attribute.
#define MDSPAN_IMPL_USE_ATTRIBUTE_NO_UNIQUE_ADDRESS 1
#define MDSPAN_IMPL_USE_FAKE_ATTRIBUTE_NO_UNIQUE_ADDRESS
#define MDSPAN_IMPL_NO_UNIQUE_ADDRESS

#include <cuda_runtime_api.h>

#if defined(CUDART_VERSION) && CUDART_VERSION >= 13000
#include <cstddef>

inline cudaError_t cudaMemPrefetchAsync(void const* pointer, std::size_t bytes, int device, cudaStream_t stream) {
  cudaMemLocation place{};
  place.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  place.id = device == cudaCpuDeviceId ? 0 : device;
  return cudaMemPrefetchAsync(pointer, bytes, place, 0U, stream);
}

inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, cudaGraphNode_t const* from, cudaGraphNode_t const* to,
                                            std::size_t count) {
  return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
#endif
