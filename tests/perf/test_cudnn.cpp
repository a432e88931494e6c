// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuDNN as a benchmark opens it: what is said where there is none or one that refuses, and what one is asked that does
// not. The libraries are fakes that a compiler makes here.
#include <gtest/gtest.h>

#include <dlfcn.h>

#include <cstdlib>
#include <memory>
#include <optional>
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

/// Functions that are asked for something note its whole numbers and which object it is about: objects have the numbers
/// 1, 2, ... as they are made, the handle 9. One that is destroyed as another kind of object stays.
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
#ifndef WORKSPACE
#define WORKSPACE 0
#endif
static char calls[4096];
static int used = 0;
static int descriptors = 0;
static char objects[10];
enum { handle = 9, tensor = 1, filter, convolution };
#define NOTE(...) (used += snprintf(calls + used, sizeof calls - (size_t)used, __VA_ARGS__), 0)
static int number(void const* object) { return (int)((char const*)object - objects); }
static int make(void** to, char kind) { return *to = objects + ++descriptors, objects[descriptors] = kind, 0; }
static int drop(void* object, char kind) {
  char& is = *(char*)object;
  if (is == kind) is = 0, --descriptors;
  return 0;
}
extern "C" {
char const* fake_calls() { return calls; }
int fake_descriptors() { return descriptors; }
size_t cudnnGetVersion() { return VERSION; }
char const* cudnnGetErrorString(int status) { return status == 1001 ? "NOT_INITIALIZED" : "NOT_SUPPORTED"; }
int cudnnCreate(void** to) { return *to = objects + handle, CREATE; }
int cudnnDestroy(void*) { return 0; }
int cudnnSetStream(void* h, void* stream) { return NOTE("handle %d stream %zu\n", number(h), (size_t)stream); }
int cudnnCreateTensorDescriptor(void** d) { return make(d, tensor); }
int cudnnSetTensor4dDescriptor(void* d, int format, int type, int n, int c, int h, int w) {
  return NOTE("tensor %d: %d %d %d %d %d %d\n", number(d), format, type, n, c, h, w);
}
int cudnnDestroyTensorDescriptor(void* d) { return drop(d, tensor); }
int cudnnCreateFilterDescriptor(void** d) { return make(d, filter); }
int cudnnSetFilter4dDescriptor(void* d, int type, int format, int k, int c, int h, int w) {
  return NOTE("filter %d: %d %d %d %d %d %d\n", number(d), type, format, k, c, h, w);
}
int cudnnDestroyFilterDescriptor(void* d) { return drop(d, filter); }
int cudnnCreateConvolutionDescriptor(void** d) { return make(d, convolution); }
int cudnnSetConvolution2dDescriptor(void* d, int ph, int pw, int sh, int sw, int dh, int dw, int mode, int type) {
  return NOTE("convolution %d: %d %d %d %d %d %d %d %d\n", number(d), ph, pw, sh, sw, dh, dw, mode, type);
}
int cudnnSetConvolutionMathType(void* d, int math) { return NOTE("math of %d: %d\n", number(d), math); }
int cudnnDestroyConvolutionDescriptor(void* d) { return drop(d, convolution); }
int cudnnGetConvolutionForwardWorkspaceSize(void* h, void* x, void* w, void* c, void* y, int algorithm, size_t* bytes) {
  NOTE("workspace: handle %d x %d w %d by %d y %d, %d\n", number(h), number(x), number(w), number(c), number(y),
       algorithm);
  return *bytes = 77, WORKSPACE;
}
#ifndef NO_FORWARD
int cudnnConvolutionForward(void* h, void const* alpha, void* x, void const* x_at, void* w, void const* w_at, void* c,
                            int algorithm, void* workspace, size_t bytes, void const* beta, void* y, void* y_at) {
  NOTE("forward: handle %d x %d at %zu w %d at %zu by %d, %d, %zu bytes at %zu, y %d at %zu, %g %g\n", number(h),
       number(x), (size_t)x_at, number(w), (size_t)w_at, number(c), algorithm, bytes, (size_t)workspace, number(y),
       (size_t)y_at, *(float const*)alpha, *(float const*)beta);
  return FORWARD;
}
#endif
}
)";

class CudnnPeer : public testing::Test {
 protected:
  CudnnPeer() {
    if (char const* const given = std::getenv("ARAIA_CUDNN")) before_ = given;
  }
  ~CudnnPeer() override {
    if (before_)
      setenv("ARAIA_CUDNN", before_->c_str(), 1);
    else
      unsetenv("ARAIA_CUDNN");
  }

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
  std::optional<std::string> before_;  ///< what the environment's variable is without the test
};

TEST_F(CudnnPeer, SaysWhatIsMissing) {
  setenv("ARAIA_CUDNN", "/nowhere/libcudnn.so.9", 1);
  EXPECT_NE(refusal(ErrorKind::unsupported).find("/nowhere/libcudnn.so.9: cannot open"), std::string::npos);
  std::string const without = build("without", "-DNO_FORWARD");
  EXPECT_EQ(refusal(ErrorKind::unsupported), without + " has no function cudnnConvolutionForward");
  std::string const old = build("old", "-DVERSION=7605");
  EXPECT_EQ(refusal(ErrorKind::unsupported), old + " is cuDNN 7.6.5, expected 8 or 9");
  std::string const later = build("later", "-DVERSION=100000");
  EXPECT_EQ(refusal(ErrorKind::unsupported), later + " is cuDNN 10.0.0, expected 8 or 9");
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

TEST_F(CudnnPeer, KeepsNothingOfAConvolutionThatIsRefused) {
  std::string const library = build("unplanned", "-DWORKSPACE=3000");
  auto const cudnn = Cudnn::open();
  std::string message;
  EXPECT_EQ(kind_of(
                [&] {
                  CudnnConvolution const refused(cudnn, {1, 2, 4, 3, 1, 1, 0, 4}, CudnnAlgorithm::implicit_gemm,
                                                 CudnnMath::fma);
                },
                &message),
            ErrorKind::device);
  EXPECT_EQ(message, library + ", cudnnGetConvolutionForwardWorkspaceSize: NOT_SUPPORTED (3000)");
  EXPECT_NE(std::string(function_of<char const*()>(library, "fake_calls")()).find("workspace: "), std::string::npos);
  EXPECT_EQ(function_of<int()>(library, "fake_descriptors")(), 0);
}

TEST_F(CudnnPeer, IsAskedForTheConvolution) {
  std::string const library = build("whole");
  auto const cudnn = Cudnn::open();
  EXPECT_EQ(cudnn->version(), "9.1.0");
  EXPECT_EQ(cudnn->library(), library);
  cudnn->set_stream(reinterpret_cast<void*>(48));
  auto const at = [](std::size_t address) { return reinterpret_cast<float*>(address); };
  // (images, channels, size, filters, kernel, stride, pad, out)
  auto const run = [&](CudnnAlgorithm algorithm, CudnnMath math) {
    CudnnConvolution const convolution(cudnn, {5, 3, 224, 64, 7, 2, 3, 112}, algorithm, math);
    EXPECT_EQ(convolution.workspace_bytes(), 77u);
    convolution.run(at(100), at(200), at(300), at(400));
  };
  run(CudnnAlgorithm::implicit_gemm, CudnnMath::fma);
  run(CudnnAlgorithm::implicit_precomp_gemm, CudnnMath::tf32);
  auto const expected = [](std::string const& algorithm, std::string const& math) {
    return "tensor 1: 0 0 5 3 224 224\ntensor 2: 0 0 5 64 112 112\nfilter 3: 0 0 64 3 7 7\n"
           "convolution 4: 3 3 2 2 1 1 1 0\nmath of 4: " +
           math + "\nworkspace: handle 9 x 1 w 3 by 4 y 2, " + algorithm +
           "\nforward: handle 9 x 1 at 100 w 3 at 200 by 4, " + algorithm + ", 77 bytes at 400, y 2 at 300, 1 0\n";
  };
  EXPECT_EQ(function_of<char const*()>(library, "fake_calls")(),
            "handle 9 stream 48\n" + expected("0", "3") + expected("1", "0"));
  EXPECT_EQ(function_of<int()>(library, "fake_descriptors")(), 0);
}

}  // namespace
}  // namespace araia::test
