// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Times of products as a caller's program has them. On hosts a race's own clock tells; on a device a clock would see
// the launches, which take longer than small products, and products back to back would overlap, which no program's do
// that runs anything between them.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <utility>

#ifdef KOKKOS_ENABLE_CUDA
#include <cuda_runtime_api.h>

#include <araia/detail/assembly/new_view.hpp>
#include "backends/cuda/check.hpp"
#endif

namespace araia::detail {

/// Seconds of products on an instance of its own, a small ordinary kernel after each, its time taken off again.
template <class Exec>
class DeployedTiming {
 public:
  static constexpr bool exists = false;
};

#ifdef KOKKOS_ENABLE_CUDA
/// What a program has between its products.
inline void small_kernel(Kokkos::Cuda const& exec, Kokkos::View<double*, Kokkos::Cuda> const& values) {
  Kokkos::parallel_for(
      "araia::make_plan::between", Kokkos::RangePolicy<Kokkos::Cuda>(exec, 0, static_cast<int>(values.extent(0))),
      KOKKOS_LAMBDA(int i) { values(i) = 0.5 * values(i) + 1; });
}

template <>
class DeployedTiming<Kokkos::Cuda> {
 public:
  static constexpr bool exists = true;
  using Run = std::function<void(Kokkos::Cuda const&)>;

  DeployedTiming()
      : stream_(),
        exec_(stream_.get()),
        between_(zeroed_view<decltype(between_)>(exec_, "araia::make_plan::between", elements)) {}

  /// Seconds of a product in the fastest of `stretches` runs of a graph of so many, 64 at most. Where a graph is
  /// captured it waits for all work of the device, as the operands may come from any instance.
  /// \param key  of the product: what was captured for it before is launched again
  double seconds(std::size_t key, Run const& run, int stretches, int products) {
    int const each = std::clamp(products, 1, most_of_a_graph);
    // A product that is hidden in the noise of the small kernels is timed again, and never taken for less than that.
    constexpr double noise = 0.02;
    constexpr int most_trials = 3;
    double all = std::numeric_limits<double>::infinity();
    double others = all;
    for (int trial = 0; trial < most_trials && !(all > (1 + noise) * others); ++trial) {
      all = fastest(graph(product_graphs_, {key, each}, each, &run), stretches);
      others = std::min(others, fastest(graph(between_graphs_, {0, each}, each, nullptr), stretches));
    }
    return std::max(all - others, noise * others) / each;
  }

 private:
  static constexpr char const* what = "araia::make_plan: timing on the device";
  static constexpr std::size_t elements = 4096;
  static constexpr int most_of_a_graph = 64;

  class Stream {
   public:
    Stream() { cuda::check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), what); }
    Stream(Stream const&) = delete;
    Stream& operator=(Stream const&) = delete;
    ~Stream() { (void)cudaStreamDestroy(stream_); }
    [[nodiscard]] cudaStream_t get() const { return stream_; }

   private:
    cudaStream_t stream_{};
  };
  class Event {
   public:
    Event() { cuda::check(cudaEventCreate(&event_), what); }
    Event(Event const&) = delete;
    Event& operator=(Event const&) = delete;
    ~Event() { (void)cudaEventDestroy(event_); }
    [[nodiscard]] cudaEvent_t get() const { return event_; }

   private:
    cudaEvent_t event_{};
  };
  class Graph {
   public:
    explicit Graph(cudaGraphExec_t made) : graph_(made) {}
    Graph(Graph&& other) noexcept : graph_(std::exchange(other.graph_, nullptr)) {}
    Graph& operator=(Graph&&) = delete;
    ~Graph() {
      if (graph_) (void)cudaGraphExecDestroy(graph_);
    }
    [[nodiscard]] cudaGraphExec_t get() const { return graph_; }

   private:
    cudaGraphExec_t graph_;
  };
  using Graphs = std::map<std::pair<std::size_t, int>, Graph>;

  cudaGraphExec_t graph(Graphs& graphs, std::pair<std::size_t, int> key, int count, Run const* run) {
    if (auto const found = graphs.find(key); found != graphs.end()) return found->second.get();
    cuda::check(cudaDeviceSynchronize(), what);
    if (run) (*run)(exec_);  // what a first launch loads may not be captured
    small_kernel(exec_, between_);
    cuda::check(cudaDeviceSynchronize(), what);
    cuda::check(cudaStreamBeginCapture(stream_.get(), cudaStreamCaptureModeThreadLocal), what);
    cudaGraph_t captured{};
    try {
      for (int i = 0; i < count; ++i) {
        if (run) (*run)(exec_);
        small_kernel(exec_, between_);
      }
    } catch (...) {
      if (cudaStreamEndCapture(stream_.get(), &captured) == cudaSuccess && captured) (void)cudaGraphDestroy(captured);
      cuda::clear_error();
      throw;
    }
    cuda::check(cudaStreamEndCapture(stream_.get(), &captured), what);
    cudaGraphExec_t made{};
    auto const status = cudaGraphInstantiate(&made, captured, 0);
    (void)cudaGraphDestroy(captured);
    cuda::check(status, what);
    return graphs.emplace(key, Graph(made)).first->second.get();
  }

  double fastest(cudaGraphExec_t graph, int stretches) {
    float least = std::numeric_limits<float>::infinity();
    for (int i = 0; i <= stretches; ++i) {  // the first is not timed: caches then hold what they hold in a loop
      cuda::check(cudaEventRecord(begin_.get(), stream_.get()), what);
      cuda::check(cudaGraphLaunch(graph, stream_.get()), what);
      cuda::check(cudaEventRecord(end_.get(), stream_.get()), what);
      cuda::check(cudaEventSynchronize(end_.get()), what);
      float milliseconds = 0;
      cuda::check(cudaEventElapsedTime(&milliseconds, begin_.get(), end_.get()), what);
      if (i > 0) least = std::min(least, milliseconds);
    }
    constexpr double milli = 1e-3;
    return milli * static_cast<double>(least);
  }

  Stream stream_;
  Kokkos::Cuda exec_;
  Kokkos::View<double*, Kokkos::Cuda> between_;
  Event begin_;
  Event end_;
  Graphs product_graphs_;
  Graphs between_graphs_;
};
#endif

}  // namespace araia::detail
