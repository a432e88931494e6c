// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Arrays on a CUDA device without Kokkos, as a caller of the backend holds them; results lie between canaries.

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "backends/cuda/check.hpp"

namespace araia::test {

inline bool has_cuda_device() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

/// Tests that are skipped where there is no device.
class OnCudaDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_cuda_device()) GTEST_SKIP() << "no CUDA device";
  }
};

/// `offset` elements lie before the first one, so that it need not be aligned as allocations are.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::vector<T> const& from, std::size_t offset = 0) : size_(from.size()), offset_(offset) {
    void* memory = nullptr;
    cuda::check(cudaMalloc(&memory, bytes()), "cudaMalloc");
    memory_.reset(static_cast<unsigned char*>(memory), [](unsigned char* p) { cudaFree(p); });
    cuda::check(cudaMemset(memory, canary, bytes()), "cudaMemset");
    if (size_ != 0)
      cuda::check(cudaMemcpy(data(), from.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    // Neither of them waits for the device, nor do streams that do not block wait for them.
    cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
  [[nodiscard]] T* data() const { return reinterpret_cast<T*>(memory_.get()) + offset_; }

  [[nodiscard]] std::vector<T> download() const {
    std::vector<T> to(size_);
    if (size_ != 0) cuda::check(cudaMemcpy(to.data(), data(), size_ * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return to;
  }
  /// Bytes before and behind the array that are not as they were.
  [[nodiscard]] int disturbed_bytes() const {
    std::vector<unsigned char> all(bytes());
    cuda::check(cudaMemcpy(all.data(), memory_.get(), bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy");
    int count = 0;
    for (std::size_t k = 0; k < all.size(); ++k)
      if ((k < offset_ * sizeof(T) || k >= (offset_ + size_) * sizeof(T)) && all[k] != canary) ++count;
    return count;
  }

 private:
  static constexpr unsigned char canary = 0xa5;
  [[nodiscard]] std::size_t bytes() const { return (size_ + offset_ + 8) * sizeof(T); }
  std::size_t size_ = 0;
  std::size_t offset_ = 0;
  std::shared_ptr<unsigned char> memory_;
};

/// A copy of a host View of rank one; null where it is empty.
template <class View>
auto device_copy(View const& host, std::size_t offset = 0) {
  using T = typename View::non_const_value_type;
  return host.extent(0) == 0 ? DeviceArray<T>()
                             : DeviceArray<T>(std::vector<T>(host.data(), host.data() + host.extent(0)), offset);
}

}  // namespace araia::test
