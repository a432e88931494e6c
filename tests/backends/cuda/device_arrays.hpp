// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Arrays of the zoo on a CUDA device, for kernels that take plain pointers.

#include <cuda_runtime_api.h>

#include <araia/formats/pointers.hpp>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "backends/csr_zoo.hpp"

namespace araia::test {

inline void require(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(status));
}

inline bool has_device() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::vector<T> const& host) : size_(host.size()) {
    require(cudaMalloc(reinterpret_cast<void**>(&data_), size_ * sizeof(T) + 1));
    require(cudaMemcpy(data_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  DeviceArray(DeviceArray const&) = delete;
  DeviceArray& operator=(DeviceArray const&) = delete;
  ~DeviceArray() { cudaFree(data_); }
  [[nodiscard]] T* data() const { return data_; }
  void copy_to(std::vector<T>& host) const {
    require(cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

/// A ZooMatrix on the device.
template <class A, class Offset>
struct DeviceCsr {
  DeviceArray<Offset> row_offsets;
  DeviceArray<std::int32_t> col_indices;
  DeviceArray<A> values;
  DeviceArray<std::int32_t> row_permutation;
  CsrPointers<A, std::int32_t, Offset> pointers;

  explicit DeviceCsr(ZooMatrix<A, Offset> const& m)
      : row_offsets(m.row_offsets),
        col_indices(m.col_indices),
        values(m.values),
        row_permutation(m.row_permutation),
        pointers(m.pointers()) {
    pointers.row_offsets = row_offsets.data();
    pointers.col_indices = col_indices.data() + m.first_element;
    if (pointers.values) pointers.values = values.data() + m.first_element;
    if (pointers.row_permutation) pointers.row_permutation = row_permutation.data();
  }
};

}  // namespace araia::test
