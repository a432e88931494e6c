// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuDNN as a benchmark opens it: what is said where there is none or one that refuses, and what one is asked that does
// not. The libraries are fakes that a compiler makes here.
#include <gtest/gtest.h>

#include <dlfcn.h>

#include <cstdlib>
#include <memory>
#include <string>

#include <peers/cudnn.hpp>

#include "io/io_test.hpp"
#include "support/errors.hpp"

namespace araia::test {
namespace {

using perf::Cudnn;
using perf::CudnnAlgorithm;
using perf::CudnnConvolution;
using perf::CudnnMath;

/// Functions that are asked for something note its whole numbers.
constexpr char const* fake_source = R"(
#include <stddef.h>
#include <stdio.h>
#ifndef VERSION
#define VERSION 90100
#endif
#ifndef CREATE
#define CREATE 0
#endif
#ifndef FORWARD
#define FORWARD 0
#endif
static char calls[4096];
static int used = 0;
static int descriptors = 0;
#define NOTE(...) (used += snprintf(calls + used, sizeof calls - (size_t)used, __VA_ARGS__), 0)
static int make(void** to) { return *to = calls, ++descriptors, 0; }
static int drop() { return --descriptors, 0; }
extern "C" {
char const* fake_calls() { return calls; }
int fake_descriptors() { return descriptors; }
size_t cudnnGetVersion() { return VERSION; }
char const* cudnnGetErrorString(int status) { return status == 1001 ? "NOT_INITIALIZED" : "NOT_SUPPORTED"; }
int cudnnCreate(void** handle) { return *handle = calls, CREATE; }
int cudnnDestroy(void*) { return 0; }
int cudnnSetStream(void*, void* stream) { return NOTE("stream %zu\n", (size_t)stream); }
int cudnnCreateTensorDescriptor(void** d) { return make(d); }
int cudnnSetTensor4dDescriptor(void*, int format, int type, int n, int c, int h, int w) {
  return NOTE("tensor %d %d %d %d %d %d\n", format, type, n, c, h, w);
}
int cudnnDestroyTensorDescriptor(void*) { return drop(); }
int cudnnCreateFilterDescriptor(void** d) { return make(d); }
int cudnnSetFilter4dDescriptor(void*, int type, int format, int k, int c, int h, int w) {
  return NOTE("filter %d %d %d %d %d %d\n", type, format, k, c, h, w);
}
int cudnnDestroyFilterDescriptor(void*) { return drop(); }
int cudnnCreateConvolutionDescriptor(void** d) { return make(d); }
int cudnnSetConvolution2dDescriptor(void*, int ph, int pw, int sh, int sw, int dh, int dw, int mode, int type) {
  return NOTE("convolution %d %d %d %d %d %d %d %d\n", ph, pw, sh, sw, dh, dw, mode, type);
}
int cudnnSetConvolutionMathType(void*, int math) { return NOTE("math %d\n", math); }
int cudnnDestroyConvolutionDescriptor(void*) { return drop(); }
int cudnnGetConvolutionForwardWorkspaceSize(void*, void*, void*, void*, void*, int algorithm, size_t* bytes) {
  return *bytes = 77, NOTE("workspace %d\n", algorithm);
}
#ifndef NO_FORWARD
int cudnnConvolutionForward(void*, void const* alpha, void*, void const*, void*, void const*, void*, int algorithm, void*,
                            size_t bytes, void const* beta, void*, void*) {
  NOTE("forward %g %d %zu %g\n", *(float const*)alpha, algorithm, bytes, *(float const*)beta);
  return FORWARD;
}
#endif
}
)";

class CudnnPeer : public testing::Test {
 protected:
  ~CudnnPeer() override { unsetenv("ARAIA_CUDNN"); }

  /// A library of the fake, compiled with these definitions. ARAIA_CUDNN names it from now on.
  std::string build(std::string const& name, std::string const& definitions = "") {
    put_content(folder_ / (name + ".cpp"), fake_source);
    std::string const library = (folder_ / (name + ".so")).string();
    std::string const command = std::string("'" ARAIA_TEST_COMPILER "' -shared -fPIC ") + definitions + " -o '" +
                                library + "' '" + (folder_ / (name + ".cpp")).string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;  // NOLINT(concurrency-mt-unsafe)
    setenv("ARAIA_CUDNN", library.c_str(), 1);
    return library;
  }
  static std::string refusal(ErrorKind kind) {
    std::string message;
    EXPECT_EQ(kind_of([] { (void)Cudnn::open(); }, &message), kind) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }
  template <class Function>
  static Function* function_of(std::string const& library, char const* name) {
    return reinterpret_cast<Function*>(dlsym(dlopen(library.c_str(), RTLD_NOW), name));
  }

 private:
  TemporaryDirectory folder_;
};

TEST_F(CudnnPeer, SaysWhatIsMissing) {
  setenv("ARAIA_CUDNN", "/nowhere/libcudnn.so.9", 1);
  EXPECT_NE(refusal(ErrorKind::unsupported).find("/nowhere/libcudnn.so.9: cannot open"), std::string::npos);
  std::string const without = build("without", "-DNO_FORWARD");
  EXPECT_EQ(refusal(ErrorKind::unsupported), without + " has no function cudnnConvolutionForward");
  std::string const old = build("old", "-DVERSION=7605");
  EXPECT_EQ(refusal(ErrorKind::unsupported), old + " is cuDNN 7.6.5, expected 8 or newer");
}

TEST_F(CudnnPeer, SaysWhatTheLibraryAnswers) {
  std::string const broken = build("broken", "-DCREATE=1001");
  EXPECT_EQ(refusal(ErrorKind::device), broken + ", cudnnCreate: NOT_INITIALIZED (1001)");

  std::string const refusing = build("refusing", "-DFORWARD=3000 -DVERSION=8907");
  auto const cudnn = Cudnn::open();
  EXPECT_EQ(cudnn->version(), "8.9.7");
  CudnnConvolution const convolution(cudnn, {1, 2, 4, 3, 1, 1, 0, 4}, CudnnAlgorithm::implicit_gemm, CudnnMath::fma);
  std::string message;
  EXPECT_EQ(kind_of([&] { convolution.run(nullptr, nullptr, nullptr, nullptr); }, &message), ErrorKind::device);
  EXPECT_EQ(message, refusing + ", cudnnConvolutionForward: NOT_SUPPORTED (3000)");
}

TEST_F(CudnnPeer, IsAskedForTheConvolution) {
  std::string const library = build("whole");
  auto const cudnn = Cudnn::open();
  EXPECT_EQ(cudnn->version(), "9.1.0");
  EXPECT_EQ(cudnn->library(), library);
  cudnn->set_stream(reinterpret_cast<void*>(48));
  // (images, channels, size, filters, kernel, stride, pad, out)
  auto const run = [&](CudnnAlgorithm algorithm, CudnnMath math) {
    CudnnConvolution const convolution(cudnn, {5, 3, 224, 64, 7, 2, 3, 112}, algorithm, math);
    EXPECT_EQ(convolution.workspace_bytes(), 77u);
    convolution.run(nullptr, nullptr, nullptr, nullptr);
  };
  run(CudnnAlgorithm::implicit_gemm, CudnnMath::fma);
  run(CudnnAlgorithm::implicit_precomp_gemm, CudnnMath::tf32);
  std::string const descriptors =
      "tensor 0 0 5 3 224 224\ntensor 0 0 5 64 112 112\nfilter 0 0 64 3 7 7\nconvolution 3 3 2 2 1 1 1 0\n";
  EXPECT_EQ(function_of<char const*()>(library, "fake_calls")(),
            "stream 48\n" + descriptors + "math 3\nworkspace 0\nforward 1 0 77 0\n" + descriptors +
                "math 0\nworkspace 1\nforward 1 1 77 0\n");
  EXPECT_EQ(function_of<int()>(library, "fake_descriptors")(), 0);
}

}  // namespace
}  // namespace araia::test
