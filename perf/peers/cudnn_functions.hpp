// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The functions and constants of cuDNN's C API that a forward convolution takes, written down from NVIDIA's reference,
// which has them in the same form for versions 8 and 9:
//   https://docs.nvidia.com/deeplearning/cudnn/latest/api/cudnn-graph-library.html  handle, version, math
//   https://docs.nvidia.com/deeplearning/cudnn/latest/api/cudnn-ops-library.html    tensors, filters, algorithms
//   https://docs.nvidia.com/deeplearning/cudnn/latest/api/cudnn-cnn-library.html    convolutions
// Handles and descriptors are opaque pointers there, statuses and options enumerations of int.

#include <cstddef>

namespace araia::perf {

namespace cudnn {
inline constexpr int status_success = 0;              // CUDNN_STATUS_SUCCESS
inline constexpr int data_float = 0;                  // CUDNN_DATA_FLOAT
inline constexpr int tensor_nchw = 0;                 // CUDNN_TENSOR_NCHW
inline constexpr int cross_correlation = 1;           // CUDNN_CROSS_CORRELATION: the filter is not flipped
inline constexpr int default_math = 0;                // CUDNN_DEFAULT_MATH: float may use TF32
inline constexpr int fma_math = 3;                    // CUDNN_FMA_MATH: since version 8
inline constexpr int algo_implicit_gemm = 0;          // CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM
inline constexpr int algo_implicit_precomp_gemm = 1;  // CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM
}  // namespace cudnn

/// Members have the names of the functions, without "cudnn".
struct CudnnFunctions {
  std::size_t (*GetVersion)();
  char const* (*GetErrorString)(int status);
  int (*Create)(void** handle);
  int (*Destroy)(void* handle);
  int (*SetStream)(void* handle, void* stream);
  int (*CreateTensorDescriptor)(void** tensor);
  int (*SetTensor4dDescriptor)(void* tensor, int format, int data_type, int n, int c, int h, int w);
  int (*DestroyTensorDescriptor)(void* tensor);
  int (*CreateFilterDescriptor)(void** filter);
  int (*SetFilter4dDescriptor)(void* filter, int data_type, int format, int k, int c, int h, int w);
  int (*DestroyFilterDescriptor)(void* filter);
  int (*CreateConvolutionDescriptor)(void** convolution);
  int (*SetConvolution2dDescriptor)(void* convolution, int pad_h, int pad_w, int stride_h, int stride_w, int dilation_h,
                                    int dilation_w, int mode, int compute_type);
  int (*SetConvolutionMathType)(void* convolution, int math);
  int (*DestroyConvolutionDescriptor)(void* convolution);
  int (*GetConvolutionForwardWorkspaceSize)(void* handle, void* x, void* w, void* convolution, void* y, int algorithm,
                                            std::size_t* bytes);
  int (*ConvolutionForward)(void* handle, void const* alpha, void* x_descriptor, void const* x, void* w_descriptor,
                            void const* w, void* convolution, int algorithm, void* workspace, std::size_t bytes,
                            void const* beta, void* y_descriptor, void* y);
};

}  // namespace araia::perf
