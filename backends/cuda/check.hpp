// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Every CUDA call and launch is checked.

#include <cuda_runtime_api.h>

#include <araia/error.hpp>
#include <cstdint>
#include <string>

namespace araia::cuda {

/// CUDA keeps a failed call's error for who asks for the last one, as check_launch does, and applications after their
/// own launches: what is thrown already is not to be blamed on those. A kernel's faults stay all the same.
inline void clear_error() { static_cast<void>(cudaGetLastError()); }

/// \throws araia::Error (device) naming the call and CUDA's reason
inline void check(cudaError_t status, char const* what) {
  if (status == cudaSuccess) return;
  clear_error();
  throw Error(ErrorKind::device,
              std::string(what) + ": " + cudaGetErrorName(status) + ", " + cudaGetErrorString(status));
}

/// After a launch: what was wrong with its configuration, or with a call before that nobody checked. Does not wait for
/// the kernel.
inline void check_launch(char const* kernel) { check(cudaPeekAtLastError(), kernel); }

/// Of the current device. \param what  names the caller where that fails
inline int multiprocessors_of_device(char const* what) {
  int device = 0;
  int count = 0;
  check(cudaGetDevice(&device), what);
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), what);
  return count;
}

/// Blocks of `per_block` items each. \throws araia::Error (resource_limit) beyond what a grid holds
inline unsigned grid_blocks(std::int64_t items, std::int64_t per_block, char const* kernel) {
  constexpr std::int64_t most = 0x7fffffff;
  std::int64_t const blocks = items / per_block + (items % per_block != 0);
  if (blocks > most)
    throw Error(ErrorKind::resource_limit, std::string(kernel) + ": " + std::to_string(blocks) +
                                               " blocks, expected at most " + std::to_string(most));
  return static_cast<unsigned>(blocks);
}

/// Does the address suit loads of `bytes` bytes?
inline bool is_aligned(void const* address, std::size_t bytes) {
  return reinterpret_cast<std::uintptr_t>(address) % bytes == 0;
}

/// Do rows of `columns` scalars each suit such accesses, whole rows of them?
template <class T>
bool rows_fit(T const* data, std::int64_t stride, std::int64_t columns, std::size_t bytes) {
  auto const width = static_cast<std::int64_t>(bytes / sizeof(T));
  return is_aligned(data, bytes) && stride % width == 0 && columns % width == 0;
}

}  // namespace araia::cuda
