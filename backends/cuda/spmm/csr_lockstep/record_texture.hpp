// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A texture over records of 16 bytes, so that kernels may read them by the texture units.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <utility>

#include "backends/cuda/check.hpp"
#include "backends/cuda/spmm/csr_lockstep/packing.hpp"

namespace araia::cuda {

/// Owns the texture, not the records.
class RecordTexture {
 public:
  RecordTexture() = default;
  /// Of the current device.
  /// \param records  (count, 4) words, on the device, 16-byte aligned, in place as long as the texture is used
  /// \throws araia::Error resource_limit on more than most_texture_records, device
  RecordTexture(std::uint32_t const* records, std::int64_t count) {
    constexpr char const* name = "araia: RecordTexture";
    if (count > most_texture_records)
      throw Error(ErrorKind::resource_limit, std::string(name) + ": records are " + std::to_string(count) +
                                                 ", expected at most " + std::to_string(most_texture_records));
    if (count == 0) return;
    int device = 0;
    int alignment = 0;
    check(cudaGetDevice(&device), name);
    check(cudaDeviceGetAttribute(&alignment, cudaDevAttrTextureAlignment, device), name);
    std::size_t const before = reinterpret_cast<std::uintptr_t>(records) % static_cast<std::size_t>(alignment);
    first_ = static_cast<std::int32_t>(before / 16);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<std::uint32_t*>(records) - before / 4;  // it is read alone
    resource.res.linear.desc = {32, 32, 32, 32, cudaChannelFormatKindUnsigned};
    resource.res.linear.sizeInBytes = before + static_cast<std::size_t>(count) * 16;
    cudaTextureDesc texture{};
    texture.readMode = cudaReadModeElementType;
    check(cudaCreateTextureObject(&object_, &resource, &texture, nullptr), name);
  }
  ~RecordTexture() {
    if (object_ != 0) static_cast<void>(cudaDestroyTextureObject(object_));
  }
  RecordTexture(RecordTexture&& other) noexcept : object_(std::exchange(other.object_, 0)), first_(other.first_) {}
  RecordTexture& operator=(RecordTexture&& other) noexcept {
    std::swap(object_, other.object_);
    std::swap(first_, other.first_);
    return *this;
  }

  [[nodiscard]] RecordTexturePointers get() const { return {object_, first_}; }

 private:
  cudaTextureObject_t object_ = 0;
  std::int32_t first_ = 0;
};

}  // namespace araia::cuda
