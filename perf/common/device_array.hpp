// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// An array on a CUDA device for programs without Kokkos.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "backends/cuda/check.hpp"

namespace araia::perf {

/// Copies share the memory, which is uninitialised where it is made by a size. Every member waits for the device.
/// \throws araia::Error device
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t size = 0) : size_(size) {
    void* memory = nullptr;
    cuda::check(cudaMalloc(&memory, std::max<std::size_t>(16, size * sizeof(T))), "cudaMalloc");
    memory_.reset(static_cast<T*>(memory), [](T* p) { cudaFree(p); });
  }
  template <class U>
  explicit DeviceArray(std::vector<U> const& from) : DeviceArray(from.size()) {
    upload(std::vector<T>(from.begin(), from.end()));
  }
  static DeviceArray zeros(std::size_t size) {
    DeviceArray const array(size);
    array.fill_bytes(0);
    return array;
  }

  [[nodiscard]] T* data() const { return memory_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// \param from  at most size() elements
  void upload(std::vector<T> const& from) const {
    cuda::check(cudaMemcpy(data(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    wait();
  }
  [[nodiscard]] std::vector<T> download() const { return download(size_); }
  /// The first `count` elements.
  [[nodiscard]] std::vector<T> download(std::size_t count) const {
    std::vector<T> to(count);
    cuda::check(cudaMemcpy(to.data(), data(), count * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return to;
  }
  /// Every byte: 0 for zeros, 0xff for NaN in floating-point numbers.
  void fill_bytes(int byte) const { fill_bytes(byte, size_); }
  /// Those of the first `count` elements.
  void fill_bytes(int byte, std::size_t count) const {
    cuda::check(cudaMemset(data(), byte, count * sizeof(T)), "cudaMemset");
    wait();
  }

 private:
  /// cudaMemset, and a copy to the device from memory that is not pinned, may return before the device is done, and
  /// streams that do not block do not wait for them.
  static void wait() { cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); }

  std::size_t size_;
  std::shared_ptr<T> memory_;
};

}  // namespace araia::perf
