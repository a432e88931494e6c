// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuBLAS's SGEMM on the unrolled input, an image an item of a strided batch; 1 x 1 layers multiply the input in place.
// One kernel unrolls, another adds the bias and applies ReLU.
#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <memory>
#include <stdexcept>

#include "conv_peers.hpp"

namespace araia::perf {
namespace {

void check(cudaError_t status, char const* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}
void check(cublasStatus_t status, char const* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(what) + ": " + cublasGetStatusString(status));
}

struct Extents {
  int channels, height, width, kernel_h, kernel_w, out_h, out_w, stride_h, stride_w, pad_h, pad_w, dilation_h,
      dilation_w;
};

__global__ void unroll(Extents e, float const* x, float* out, long long count) {
  long long const step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    int const ox = static_cast<int>(i % e.out_w);
    long long rest = i / e.out_w;
    int const oy = static_cast<int>(rest % e.out_h);
    rest /= e.out_h;
    int const t = static_cast<int>(rest % e.kernel_w);
    rest /= e.kernel_w;
    int const r = static_cast<int>(rest % e.kernel_h);
    rest /= e.kernel_h;  // (image, channel)
    int const line = oy * e.stride_h + r * e.dilation_h - e.pad_h;
    int const at = ox * e.stride_w + t * e.dilation_w - e.pad_w;
    out[i] =
        line >= 0 && line < e.height && at >= 0 && at < e.width ? x[(rest * e.height + line) * e.width + at] : 0.0f;
  }
}

__global__ void finish(float* y, float const* bias, int filters, int places, long long count) {
  long long const step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    float const value = y[i] + bias[i / places % filters];
    y[i] = value < 0 ? 0.0f : value;
  }
}

template <class T>
class Array {
 public:
  explicit Array(std::size_t count) { check(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc"); }
  explicit Array(std::vector<T> const& from) : Array(from.size()) {
    check(cudaMemcpy(data_, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  Array(Array const&) = delete;
  Array& operator=(Array const&) = delete;
  ~Array() { cudaFree(data_); }
  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
};

class State {
 public:
  explicit State(ConvProblem const& p)
      : shape_(p.shape), batch_(p.batch), x_(p.x), y_(p.y), weights_(p.weights), bias_(p.bias) {
    check(cublasCreate(&handle_), "cublasCreate");
    if (!shape_.multiplies_input()) unrolled_ = std::make_unique<Array<float>>(static_cast<std::size_t>(unrolled()));
  }
  State(State const&) = delete;
  State& operator=(State const&) = delete;
  ~State() { cublasDestroy(handle_); }

  void run() const {
    auto const n = static_cast<int>(shape_.out_height() * shape_.out_width());
    auto const m = static_cast<int>(shape_.filters);
    auto const k = static_cast<int>(shape_.columns());
    constexpr int threads = 256;
    constexpr int blocks = 132 * 8;
    float const* b = x_;
    if (unrolled_) {
      auto const i = [](std::int64_t v) { return static_cast<int>(v); };
      Extents const e{i(shape_.channels),     i(shape_.height),       i(shape_.width),       i(shape_.kernel_height),
                      i(shape_.kernel_width), i(shape_.out_height()), i(shape_.out_width()), i(shape_.stride_h),
                      i(shape_.stride_w),     i(shape_.pad_h),        i(shape_.pad_w),       i(shape_.dilation_h),
                      i(shape_.dilation_w)};
      unroll<<<blocks, threads>>>(e, x_, unrolled_->data(), unrolled());
      check(cudaGetLastError(), "unroll");
      b = unrolled_->data();
    }
    float const one = 1;
    float const zero = 0;
    check(cublasSgemmStridedBatched(handle_, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, n,
                                    static_cast<long long>(k) * n, weights_.data(), k, 0, &zero, y_, n,
                                    static_cast<long long>(m) * n, static_cast<int>(batch_)),
          "cublasSgemmStridedBatched");
    finish<<<blocks, threads>>>(y_, bias_.data(), m, n, static_cast<long long>(batch_) * m * n);
    check(cudaGetLastError(), "finish");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

 private:
  [[nodiscard]] long long unrolled() const {
    return static_cast<long long>(batch_ * shape_.unrolled_rows() * shape_.out_height() * shape_.out_width());
  }
  ConvShape shape_;
  std::int64_t batch_;
  float const* x_;
  float* y_;
  Array<float> weights_;
  Array<float> bias_;
  std::unique_ptr<Array<float>> unrolled_;
  cublasHandle_t handle_ = nullptr;
};

}  // namespace

ConvContender conv_of_cublas(ConvProblem const& problem) {
  auto const state = std::make_shared<State>(problem);
  return {"cublas_sgemm", [state] { state->run(); }};
}

}  // namespace araia::perf
