// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/cuda/shared_memory.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "backends/cuda/check.hpp"

namespace araia::cuda {

void allow_shared_memory(void const* kernel, std::size_t bytes, char const* what) {
  static std::mutex mutex;
  static std::map<std::pair<void const*, int>, std::size_t> allowed;
  int device = 0;
  check(cudaGetDevice(&device), what);
  std::lock_guard const lock(mutex);
  auto& most = allowed[{kernel, device}];
  // Each time, as it is lost with a context; a microsecond of the host's.
  std::size_t const wanted = std::max(most, bytes);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(wanted)), what);
  most = wanted;
}

}  // namespace araia::cuda
