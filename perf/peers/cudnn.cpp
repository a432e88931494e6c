// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cudnn.hpp"

#include <dlfcn.h>

#include <araia/error.hpp>
#include <cstdlib>
#include <utility>

#include "cudnn_functions.hpp"

namespace araia::perf {
namespace {

constexpr char const* names[] = {"libcudnn.so.9", "libcudnn.so.8", "libcudnn.so"};
constexpr std::size_t least_version = 8000;
constexpr std::size_t end_of_versions = 100000;  // 10.0.0, whose API is not known

template <class Function>
void look_up(void* opened, std::string const& library, char const* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(opened, name));
  if (!function) throw Error(ErrorKind::unsupported, library + " has no function " + name);
}

CudnnFunctions functions_of(void* opened, std::string const& library) {
  CudnnFunctions f{};
  auto const take = [&](char const* name, auto*& function) { look_up(opened, library, name, function); };
  take("cudnnGetVersion", f.GetVersion);
  take("cudnnGetErrorString", f.GetErrorString);
  take("cudnnCreate", f.Create);
  take("cudnnDestroy", f.Destroy);
  take("cudnnSetStream", f.SetStream);
  take("cudnnCreateTensorDescriptor", f.CreateTensorDescriptor);
  take("cudnnSetTensor4dDescriptor", f.SetTensor4dDescriptor);
  take("cudnnDestroyTensorDescriptor", f.DestroyTensorDescriptor);
  take("cudnnCreateFilterDescriptor", f.CreateFilterDescriptor);
  take("cudnnSetFilter4dDescriptor", f.SetFilter4dDescriptor);
  take("cudnnDestroyFilterDescriptor", f.DestroyFilterDescriptor);
  take("cudnnCreateConvolutionDescriptor", f.CreateConvolutionDescriptor);
  take("cudnnSetConvolution2dDescriptor", f.SetConvolution2dDescriptor);
  take("cudnnSetConvolutionMathType", f.SetConvolutionMathType);
  take("cudnnDestroyConvolutionDescriptor", f.DestroyConvolutionDescriptor);
  take("cudnnGetConvolutionForwardWorkspaceSize", f.GetConvolutionForwardWorkspaceSize);
  take("cudnnConvolutionForward", f.ConvolutionForward);
  return f;
}

/// Versions up to 8 count 1000 a major version, later ones 10000.
std::string version_text(std::size_t version) {
  std::size_t const major = version >= 10000 ? 10000 : 1000;
  return std::to_string(version / major) + "." + std::to_string(version % major / 100) + "." +
         std::to_string(version % 100);
}

}  // namespace

std::shared_ptr<Cudnn const> Cudnn::open() {
  if (char const* const given = std::getenv("ARAIA_CUDNN"); given && *given)
    return std::make_shared<Cudnn const>(given);
  std::string tried;
  for (char const* const name : names) {
    if (dlopen(name, RTLD_NOW | RTLD_LOCAL)) return std::make_shared<Cudnn const>(name);
    tried += std::string(dlerror()) + "; ";  // begins with the name
  }
  throw Error(ErrorKind::unsupported, tried + "ARAIA_CUDNN may name a library");
}

Cudnn::Cudnn(std::string const& library) : library_(library) {
  void* const opened = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!opened) throw Error(ErrorKind::unsupported, dlerror());
  functions_ = std::make_unique<CudnnFunctions>(functions_of(opened, library));
  if (auto const found = functions_->GetVersion(); found < least_version || found >= end_of_versions)
    throw Error(ErrorKind::unsupported, library + " is cuDNN " + version() + ", expected 8 or 9");
  check(functions_->Create(&handle_), "cudnnCreate");
}

Cudnn::~Cudnn() {
  if (handle_) functions_->Destroy(handle_);
}

void Cudnn::set_stream(void* stream) const { check(functions_->SetStream(handle_, stream), "cudnnSetStream"); }

std::string Cudnn::version() const { return version_text(functions_->GetVersion()); }

void Cudnn::check(int status, char const* function) const {
  if (status == cudnn::status_success) return;
  throw Error(ErrorKind::device, library_ + ", " + function + ": " + functions_->GetErrorString(status) + " (" +
                                     std::to_string(status) + ")");
}

CudnnConvolution::CudnnConvolution(std::shared_ptr<Cudnn const> library, CudnnShape const& s, CudnnAlgorithm algorithm,
                                   CudnnMath math)
    : cudnn_(std::move(library)),
      algorithm_(algorithm == CudnnAlgorithm::implicit_gemm ? cudnn::algo_implicit_gemm
                                                            : cudnn::algo_implicit_precomp_gemm) {
  auto const& f = *cudnn_->functions_;
  auto const check = [&](int status, char const* function) { cudnn_->check(status, function); };
  using namespace cudnn;
  try {
    check(f.CreateTensorDescriptor(&x_), "cudnnCreateTensorDescriptor");
    check(f.SetTensor4dDescriptor(x_, tensor_nchw, data_float, s.images, s.channels, s.size, s.size),
          "cudnnSetTensor4dDescriptor");
    check(f.CreateTensorDescriptor(&y_), "cudnnCreateTensorDescriptor");
    check(f.SetTensor4dDescriptor(y_, tensor_nchw, data_float, s.images, s.filters, s.out, s.out),
          "cudnnSetTensor4dDescriptor");
    check(f.CreateFilterDescriptor(&filter_), "cudnnCreateFilterDescriptor");
    check(f.SetFilter4dDescriptor(filter_, data_float, tensor_nchw, s.filters, s.channels, s.kernel, s.kernel),
          "cudnnSetFilter4dDescriptor");
    check(f.CreateConvolutionDescriptor(&convolution_), "cudnnCreateConvolutionDescriptor");
    check(f.SetConvolution2dDescriptor(convolution_, s.pad, s.pad, s.stride, s.stride, 1, 1, cross_correlation,
                                       data_float),
          "cudnnSetConvolution2dDescriptor");
    check(f.SetConvolutionMathType(convolution_, math == CudnnMath::fma ? fma_math : default_math),
          "cudnnSetConvolutionMathType");
    check(f.GetConvolutionForwardWorkspaceSize(cudnn_->handle_, x_, filter_, convolution_, y_, algorithm_,
                                               &workspace_bytes_),
          "cudnnGetConvolutionForwardWorkspaceSize");
  } catch (...) {
    destroy();
    throw;
  }
}

CudnnConvolution::~CudnnConvolution() { destroy(); }

void CudnnConvolution::destroy() noexcept {
  auto const& f = *cudnn_->functions_;
  if (convolution_) f.DestroyConvolutionDescriptor(convolution_);
  if (filter_) f.DestroyFilterDescriptor(filter_);
  if (y_) f.DestroyTensorDescriptor(y_);
  if (x_) f.DestroyTensorDescriptor(x_);
}

void CudnnConvolution::run(float const* x, float const* w, float* y, void* workspace) const {
  float const one = 1;
  float const zero = 0;
  cudnn_->check(cudnn_->functions_->ConvolutionForward(cudnn_->handle_, &one, x_, x, filter_, w, convolution_,
                                                       algorithm_, workspace, workspace_bytes_, &zero, y_, y),
                "cudnnConvolutionForward");
}

}  // namespace araia::perf
