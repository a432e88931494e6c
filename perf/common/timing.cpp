// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace araia::perf {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int most_launches = 100000;  // of one sample: bounds the size of a graph and the time of a wrong estimate

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::function<void(int)> followed_by(std::function<void(int)> launch, std::function<void()> const& between) {
  if (!between) return launch;
  return [launch = std::move(launch), between](int copy) {
    launch(copy);
    between();
  };
}

/// Seconds of one launch, fences included: only to size the batches.
double estimate(Exec const& exec, std::function<void(int)> const& launch, int copies) {
  constexpr int trials = 3;
  double best = 1e300;
  launch(0);
  exec.fence("araia::perf::estimate: warm up");
  for (int trial = 0; trial < trials; ++trial) {
    auto const start = Clock::now();
    launch((trial + 1) % copies);
    exec.fence("araia::perf::estimate: end of the trial");
    best = std::min(best, seconds_since(start));
  }
  return best;
}

}  // namespace

#ifdef KOKKOS_ENABLE_CUDA

namespace {
void check(cudaError_t status, char const* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}
}  // namespace

struct Batch::Graph {
  cudaGraphExec_t executable = nullptr;
  cudaEvent_t start = nullptr, stop = nullptr;

  Graph() = default;
  Graph(Graph const&) = delete;
  Graph& operator=(Graph const&) = delete;
  ~Graph() {
    if (executable != nullptr) cudaGraphExecDestroy(executable);
    if (start != nullptr) cudaEventDestroy(start);
    if (stop != nullptr) cudaEventDestroy(stop);
  }
};

Batch::Batch(Exec const& exec, std::function<void(int)> launch, int launches, int copies,
             std::function<void()> const& between)
    : exec_(exec), launch_(followed_by(std::move(launch), between)), launches_(launches), copies_(copies) {
  // Replays start at copy 0: only whole turns through the copies keep each replay cold.
  launches_ = (launches_ + copies_ - 1) / copies_ * copies_;
  auto graph = std::make_shared<Graph>();
  check(cudaEventCreate(&graph->start), "cudaEventCreate");
  check(cudaEventCreate(&graph->stop), "cudaEventCreate");
  cudaStream_t const stream = exec_.cuda_stream();
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  bool launched = true;
  try {
    for (int k = 0; k < launches_; ++k) launch_(k % copies_);
  } catch (std::exception const&) {
    launched = false;  // it synchronises or allocates, which a capture refuses
  }
  cudaGraph_t captured = nullptr;
  bool const ended = cudaStreamEndCapture(stream, &captured) == cudaSuccess && captured != nullptr;
  cudaGetLastError();
  if (launched && ended && cudaGraphInstantiate(&graph->executable, captured, 0) == cudaSuccess) graph_ = graph;
  if (captured != nullptr) cudaGraphDestroy(captured);
}

double Batch::sample(std::int64_t& turn) const {
  if (!graph_) {
    auto const start = Clock::now();
    for (int k = 0; k < launches_; ++k) launch_(static_cast<int>(turn++ % copies_));
    exec_.fence("araia::perf::Batch: end of the sample");
    return seconds_since(start) / launches_;
  }
  cudaStream_t const stream = exec_.cuda_stream();
  float milliseconds = 0;
  check(cudaEventRecord(graph_->start, stream), "cudaEventRecord");
  check(cudaGraphLaunch(graph_->executable, stream), "cudaGraphLaunch");
  check(cudaEventRecord(graph_->stop, stream), "cudaEventRecord");
  check(cudaEventSynchronize(graph_->stop), "cudaEventSynchronize");
  check(cudaEventElapsedTime(&milliseconds, graph_->start, graph_->stop), "cudaEventElapsedTime");
  return static_cast<double>(milliseconds) * 1e-3 / launches_;
}

#else

struct Batch::Graph {};

Batch::Batch(Exec const& exec, std::function<void(int)> launch, int launches, int copies,
             std::function<void()> const& between)
    : exec_(exec), launch_(followed_by(std::move(launch), between)), launches_(launches), copies_(copies) {}

double Batch::sample(std::int64_t& turn) const {
  auto const start = Clock::now();
  for (int k = 0; k < launches_; ++k) launch_(static_cast<int>(turn++ % copies_));
  exec_.fence("araia::perf::Batch: end of the sample");
  return seconds_since(start) / launches_;
}

#endif

std::vector<std::vector<double>> measure_interleaved(Exec const& exec, std::vector<Timed> const& contenders, int rounds,
                                                     double batch_seconds, std::function<void()> const& between) {
  std::vector<std::vector<double>> samples(contenders.size());
  if (contenders.empty()) return samples;
  std::vector<Batch> batches;
  auto const add = [&](Timed const& timed, std::function<void()> const& follower) {
    double const once = estimate(exec, timed.launch, timed.copies);
    double const launches = std::clamp(std::ceil(batch_seconds / std::max(once, 1e-9)), 1.0, double{most_launches});
    batches.emplace_back(exec, timed.launch, static_cast<int>(launches), timed.copies, follower);
  };
  for (auto const& timed : contenders) add(timed, between);
  if (between) add({.launch = [between](int) { between(); }}, {});
  std::int64_t turn = 0;
  std::vector<double> alone;
  for (int round = 0; round < rounds; ++round) {
    if (between) alone.push_back(batches.back().sample(turn));
    for (std::size_t k = 0; k < contenders.size(); ++k) {
      std::size_t const c = (k + static_cast<std::size_t>(round)) % contenders.size();
      if (contenders[c].copies == 1) contenders[c].launch(0);
      exec.fence("araia::perf::measure_interleaved: start of a sample");
      samples[c].push_back(batches[c].sample(turn));
    }
  }
  // The fastest: neighbours only ever add to it, and what they add is no part of a product's time.
  double const taken_off = alone.empty() ? 0 : *std::min_element(alone.begin(), alone.end());
  for (auto& series : samples)
    for (double& seconds : series) seconds -= taken_off;
  return samples;
}

std::vector<std::vector<double>> measure_interleaved(Exec const& exec,
                                                     std::vector<std::function<void(int)>> const& contenders,
                                                     int rounds, double batch_seconds, int copies) {
  std::vector<Timed> timed;
  for (auto const& launch : contenders) timed.push_back({.launch = launch, .copies = copies});
  return measure_interleaved(exec, timed, rounds, batch_seconds);
}

namespace detail {

// A named function of its own: CUDA allows device lambdas in no other lambda.
void halve(Exec const& exec, Vector<double> const& z) {
  double* const data = z.data();
  Kokkos::parallel_for(
      "araia::perf::between",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, static_cast<std::int64_t>(z.extent(0))),
      KOKKOS_LAMBDA(std::int64_t i) { data[i] = 0.5 * data[i] + 1; });
}

}  // namespace detail

std::function<void()> ordinary_kernel(Exec const& exec) {
  constexpr std::int64_t length = 1 << 16;
  auto const z = new_view<Vector<double>>("araia::perf::between", length);
  fill_view(z, 1.0);
  return [exec, z] { detail::halve(exec, z); };
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  std::size_t const middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace araia::perf
