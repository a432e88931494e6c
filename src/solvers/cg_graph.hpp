// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Iterations as a CUDA graph whose loop ends on the device: no launch an iteration, and the host waits once.

#include <Kokkos_Core.hpp>
#include <functional>
#include <optional>

#include "src/solvers/cg_steps.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include <cuda_runtime_api.h>

#include "backends/cuda/check.hpp"
#endif

namespace araia::detail {

/// A loop of iterations of Exec's that goes on while the state is running.
template <class Exec>
class CgLoopGraph {
 public:
  using Iteration = std::function<void(Exec const&)>;
  static bool available() { return false; }
  bool captured() const { return false; }
  void capture(CgState*, Iteration const&) {}
  void forget() {}
  void launch(Exec const&) const {}
};

#if defined(KOKKOS_ENABLE_CUDA) && CUDART_VERSION >= 12040
static __global__ void cg_go_on_while_running(cudaGraphConditionalHandle loop, CgState const* state) {
  cudaGraphSetConditional(loop, state->phase == CgPhase::running ? 1 : 0);
}

template <>
class CgLoopGraph<Kokkos::Cuda> {
 public:
  using Iteration = std::function<void(Kokkos::Cuda const&)>;

  CgLoopGraph() = default;
  CgLoopGraph(CgLoopGraph const&) = delete;
  CgLoopGraph& operator=(CgLoopGraph const&) = delete;
  ~CgLoopGraph() {
    forget();
    exec_.reset();
    if (stream_) (void)cudaStreamDestroy(stream_);
  }

  /// Does the driver know graphs with loops?
  static bool available() {
    constexpr int first_with_loops = 12040;
    int driver = 0;
    cuda::check(cudaDriverGetVersion(&driver), what);
    return driver >= first_with_loops;
  }
  [[nodiscard]] bool captured() const { return graph_ != nullptr; }
  void forget() {
    if (graph_) (void)cudaGraphExecDestroy(graph_);
    graph_ = nullptr;
  }

  /// Waits for all work of the device, and runs one iteration: the state must be one that has ended.
  /// \param iteration  called on an instance of the graph's own
  void capture(CgState* state, Iteration const& iteration) {
    forget();
    cuda::check(cudaDeviceSynchronize(), what);
    if (!stream_) {
      cuda::check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), what);
      exec_.emplace(stream_);
    }
    iteration(*exec_);  // what a first launch loads may not be captured
    cuda::check(cudaDeviceSynchronize(), what);
    cudaGraph_t graph{};
    cuda::check(cudaGraphCreate(&graph, 0), what);
    try {
      cudaGraphConditionalHandle loop{};
      cuda::check(cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault), what);
      cudaGraphNodeParams node{};
      node.type = cudaGraphNodeTypeConditional;
      node.conditional.handle = loop;
      node.conditional.type = cudaGraphCondTypeWhile;
      node.conditional.size = 1;
      cudaGraphNode_t added{};
#if CUDART_VERSION >= 13000
      cuda::check(cudaGraphAddNode(&added, graph, nullptr, nullptr, 0, &node), what);
#else
      cuda::check(cudaGraphAddNode(&added, graph, nullptr, 0, &node), what);
#endif
      capture_body(node.conditional.phGraph_out[0], loop, state, iteration);
      cuda::check(cudaGraphInstantiate(&graph_, graph, 0), what);
    } catch (...) {
      (void)cudaGraphDestroy(graph);
      throw;
    }
    (void)cudaGraphDestroy(graph);
  }

  void launch(Kokkos::Cuda const& exec) const { cuda::check(cudaGraphLaunch(graph_, exec.cuda_stream()), what); }

 private:
  static constexpr char const* what = "araia::Cg: a graph of iterations";
  static constexpr int iterations_of_body = 10;  // as a turn of the loop takes time of its own

  void capture_body(cudaGraph_t body, cudaGraphConditionalHandle loop, CgState* state, Iteration const& iteration) {
    cuda::check(cudaStreamBeginCaptureToGraph(stream_, body, nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal),
                what);
    cudaGraph_t ended{};
    try {
      for (int i = 0; i < iterations_of_body; ++i) iteration(*exec_);
      cg_go_on_while_running<<<1, 1, 0, stream_>>>(loop, state);
      cuda::check_launch(what);
    } catch (...) {
      (void)cudaStreamEndCapture(stream_, &ended);
      cuda::clear_error();
      throw;
    }
    cuda::check(cudaStreamEndCapture(stream_, &ended), what);
  }

  cudaStream_t stream_{};
  std::optional<Kokkos::Cuda> exec_;
  cudaGraphExec_t graph_{};
};
#endif

}  // namespace araia::detail
