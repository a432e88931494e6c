// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Products that write a workspace of their plan, one after the other on whatever instances of a device they come.

#include <Kokkos_Core.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include "backends/cuda/check.hpp"
#endif

namespace araia::detail {

/// Hosts run a product in the caller's thread.
template <class Exec>
class InstanceOrder {
 public:
  /// f() after what was ordered before is complete.
  template <class F>
  void run(Exec const&, F const& f) {
    f();
  }
};

#ifdef KOKKOS_ENABLE_CUDA
/// At the first change of instance waits for the device, as the stream of before may be gone; from then on records an
/// event after each product, for which products on another stream wait. Products on one stream alone, whose launches
/// overlap, have none between them. What is captured is ordered by its graph.
template <>
class InstanceOrder<Kokkos::Cuda> {
 public:
  InstanceOrder() = default;
  InstanceOrder(InstanceOrder const&) = delete;
  InstanceOrder& operator=(InstanceOrder const&) = delete;
  ~InstanceOrder() {
    if (done_) (void)cudaEventDestroy(done_);
  }

  template <class F>
  void run(Kokkos::Cuda const& exec, F const& f) {
    cudaStream_t const stream = exec.cuda_stream();
    if (is_captured(stream)) return f();  // and may not be asked for its number
    unsigned long long id = 0;            // a handle may come again
    cuda::check(cudaStreamGetId(stream, &id), what);
    bool const same = used_ && id == last_;
    if (same && !done_) return f();
    if (used_ && !same) {
      if (done_)
        cuda::check(cudaStreamWaitEvent(stream, done_), what);
      else
        begin_to_record();
    }
    used_ = true;
    last_ = id;
    try {
      f();
    } catch (...) {  // perhaps after a launch
      if (done_) (void)cudaEventRecord(done_, stream);
      throw;
    }
    if (done_) cuda::check(cudaEventRecord(done_, stream), what);
  }

 private:
  static constexpr char const* what = "araia::Plan: products on several instances";

  static bool is_captured(cudaStream_t stream) {
    cudaStreamCaptureStatus status{};
    cuda::check(cudaStreamIsCapturing(stream, &status), what);
    return status != cudaStreamCaptureStatusNone;
  }

  void begin_to_record() {
    cuda::check(cudaDeviceSynchronize(), what);
    cuda::check(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming), what);
  }

  unsigned long long last_ = 0;
  cudaEvent_t done_{};  // null: all came on one stream
  bool used_ = false;
};
#endif

}  // namespace araia::detail
