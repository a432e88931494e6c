// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// cuDNN's forward convolution of float tensors in NCHW, from a libcudnn of version 8 or 9 that is opened at run time:
// neither its headers nor its library are needed to build. No CUDA here: memory and stream are the caller's.

#include <cstddef>
#include <memory>
#include <string>

namespace araia::perf {

struct CudnnFunctions;

/// An open library with a handle. It stays loaded until the process ends.
class Cudnn {
 public:
  /// Opens the library that the environment's ARAIA_CUDNN names or, where that is not set or empty, the first of
  /// libcudnn.so.9, libcudnn.so.8 and libcudnn.so that the loader finds, and creates a handle on the current device.
  /// \throws araia::Error unsupported where there is none, or its version is neither 8 nor 9, or it lacks a function;
  ///         device where it makes no handle. The message names the library and what it said
  static std::shared_ptr<Cudnn const> open();

  explicit Cudnn(std::string const& library);
  ~Cudnn();
  Cudnn(Cudnn const&) = delete;
  Cudnn& operator=(Cudnn const&) = delete;

  /// \param stream  a cudaStream_t: what convolutions run on from now on
  void set_stream(void* stream) const;
  /// "9.1.0".
  [[nodiscard]] std::string version() const;
  [[nodiscard]] std::string const& library() const { return library_; }

 private:
  friend class CudnnConvolution;
  /// \throws araia::Error device naming the function and cuDNN's own text for what it returned
  void check(int status, char const* function) const;

  std::string library_;
  std::unique_ptr<CudnnFunctions> functions_;
  void* handle_ = nullptr;
};

/// A convolution of square images and filters, without groups and dilation.
struct CudnnShape {
  int images, channels, size, filters, kernel, stride, pad, out;
};

enum class CudnnAlgorithm {
  implicit_gemm,         ///< the unrolled input is never written
  implicit_precomp_gemm  ///< the same, with indices that each call makes in a workspace
};

enum class CudnnMath {
  fma,  ///< fused multiply-add alone, no tensor cores
  tf32  ///< tensor cores may round operands to TF32
};

/// y = w * x with one algorithm.
class CudnnConvolution {
 public:
  /// \throws araia::Error device where cuDNN refuses shape, algorithm or math
  CudnnConvolution(std::shared_ptr<Cudnn const> library, CudnnShape const& shape, CudnnAlgorithm algorithm,
                   CudnnMath math);
  ~CudnnConvolution();
  CudnnConvolution(CudnnConvolution const&) = delete;
  CudnnConvolution& operator=(CudnnConvolution const&) = delete;

  [[nodiscard]] std::size_t workspace_bytes() const { return workspace_bytes_; }
  /// \param x, w, y    (images, channels, size, size), (filters, channels, kernel, kernel), (images, filters, out, out)
  ///                   on the device
  /// \param workspace  workspace_bytes() of the device, or more; convolutions of one stream may share it
  /// \throws araia::Error device
  void run(float const* x, float const* w, float* y, void* workspace) const;

 private:
  void destroy() noexcept;

  std::shared_ptr<Cudnn const> cudnn_;
  int algorithm_;
  void* x_ = nullptr;
  void* y_ = nullptr;
  void* filter_ = nullptr;
  void* convolution_ = nullptr;
  std::size_t workspace_bytes_ = 0;
};

}  // namespace araia::perf
