// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/plan/machine.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/detail/kernels/spmv_tuning.hpp>

#include "backends/openmp/caches.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include <cuda_runtime_api.h>

#include "backends/cuda/check.hpp"
#endif

namespace araia {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// A host of which nothing is known.
constexpr double host_thread_bandwidth = 10e9;  // B/s that one thread draws
constexpr double host_socket_bandwidth = 60e9;  // B/s that all threads draw
constexpr double host_cache_factor = 3;         // last-level cache over memory
constexpr double host_thread_flops = 16e9;
constexpr double host_launch = 2e-6;  // seconds to start and join the threads

#ifdef KOKKOS_ENABLE_CUDA
void describe_device(Machine& m, int device) {
  auto const ask = [device](cudaDeviceAttr attribute, int otherwise) {
    int value = 0;
    bool const told = cudaDeviceGetAttribute(&value, attribute, device) == cudaSuccess;
    if (!told) cuda::clear_error();
    return told && value > 0 ? value : otherwise;
  };
  constexpr double reached = 0.9;  // share of the datasheet's bandwidth that a copy reaches
  double const clock = 1e3 * ask(cudaDevAttrMemoryClockRate, 1500000);
  double const bus = ask(cudaDevAttrGlobalMemoryBusWidth, 4096) / 8.0;
  m.read_bandwidth = m.copy_bandwidth = m.triad_bandwidth = 2 * clock * bus * reached;
  constexpr double cache_over_memory = 2;
  m.cache_bandwidth = cache_over_memory * m.copy_bandwidth;
  m.cache_bytes = static_cast<std::uint64_t>(ask(cudaDevAttrL2CacheSize, 40 << 20));
  constexpr double flops_a_cycle = 128;  // of a multiprocessor, double precision
  m.flops = 1e3 * ask(cudaDevAttrClockRate, 1500000) * ask(cudaDevAttrMultiProcessorCount, 100) * flops_a_cycle;
  constexpr double launch = 3e-6;
  m.launch_seconds = launch;
  constexpr int hopper = 9;
  int const major = ask(cudaDevAttrComputeCapabilityMajor, hopper);
  m.prices = major == hopper ? "h200" : "none";
  m.compute_capability = 10 * major + ask(cudaDevAttrComputeCapabilityMinor, 0);
  m.multiprocessors = ask(cudaDevAttrMultiProcessorCount, m.multiprocessors);
  m.shared_bytes = static_cast<std::uint64_t>(ask(cudaDevAttrMaxSharedMemoryPerBlockOptin, 48 << 10));
  m.host_threads = Kokkos::DefaultHostExecutionSpace().concurrency();
}
#endif

}  // namespace

namespace detail {

template <class Exec>
using Array = Kokkos::View<double*, Exec>;
template <class Exec>
using ArrayRange = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

/// The sum goes to memory of the space: a scalar of the host's would be waited for.
template <class Exec>
void read_once(Exec const& exec, Array<Exec> const& a, Kokkos::View<double, Exec> const& sum) {
  Kokkos::parallel_reduce(
      "araia::measure_machine::read", ArrayRange<Exec>(exec, 0, static_cast<std::int64_t>(a.extent(0))),
      KOKKOS_LAMBDA(std::int64_t i, double& part) { part += a(i); }, sum);
}

/// Two elements in a load and a store: one alone leaves a device waiting.
struct alignas(16) TwoDoubles {
  double first;
  double second;
};

template <class Exec>
void copy_once(Exec const& exec, Array<Exec> const& a, Array<Exec> const& b) {
  auto const* const from = reinterpret_cast<TwoDoubles const*>(a.data());
  auto* const to = reinterpret_cast<TwoDoubles*>(b.data());
  Kokkos::parallel_for(
      "araia::measure_machine::copy", ArrayRange<Exec>(exec, 0, static_cast<std::int64_t>(a.extent(0) / 2)),
      KOKKOS_LAMBDA(std::int64_t i) { to[i] = from[i]; });
}

template <class Exec>
void triad_once(Exec const& exec, Array<Exec> const& a, Array<Exec> const& b, Array<Exec> const& c) {
  Kokkos::parallel_for(
      "araia::measure_machine::triad", ArrayRange<Exec>(exec, 0, static_cast<std::int64_t>(a.extent(0))),
      KOKKOS_LAMBDA(std::int64_t i) { c(i) = a(i) + 3.0 * b(i); });
}

/// Seconds of the fastest of several runs: bandwidth is a limit, and neighbours only ever take from it. A device has
/// several passes in a run, beside which its launches and the wait for its end take little.
template <class Exec, class Run>
double fastest_seconds(Exec const& exec, Run const& run) {
  constexpr double time_limit = 0.15;  // seconds
  constexpr int passes = is_device_space<Exec> ? 4 : 1;
  constexpr int fewest_runs = 2;
  constexpr int most_runs = 20;
  run();
  exec.fence("araia::measure_machine: warm");
  double fastest = std::numeric_limits<double>::infinity();
  auto const start = Clock::now();
  for (int i = 0; i < most_runs && (i < fewest_runs || seconds_since(start) < time_limit); ++i) {
    auto const from = Clock::now();
    for (int pass = 0; pass < passes; ++pass) run();
    exec.fence("araia::measure_machine: timed");
    fastest = std::min(fastest, seconds_since(from) / passes);
  }
  return fastest;
}

/// False, and nothing is measured, where the host's limit leaves no room for arrays that do not stay in a cache.
template <class Exec>
bool measure_bandwidth(Exec const& exec, Machine& machine) {
  constexpr std::uint64_t least = std::uint64_t{64} << 20;  // bytes of an array
  // A device reads 256 MiB in less time than it takes to launch and to wait a few times.
  constexpr std::uint64_t most = std::uint64_t{is_device_space<Exec> ? 2048 : 256} << 20;
  constexpr std::uint64_t caches = is_device_space<Exec> ? 32 : 2;
  std::uint64_t const room = (is_device_space<Exec> ? default_device_memory_limit() : default_host_memory_limit()) / 4;
  auto const wanted = std::clamp<std::uint64_t>(caches * machine.cache_bytes, least, most);
  if (!is_device_space<Exec> && room < wanted) return false;
  std::uint64_t const bytes = std::max(least, std::min(room, wanted));
  auto const array = [&](std::string const& label) {
    auto const made = new_view<Array<Exec>>(exec, label, bytes / sizeof(double));
    Kokkos::deep_copy(exec, made, 1.0);
    return made;
  };
  Array<Exec> const a = array("araia::measure_machine::a");
  Array<Exec> const b = array("araia::measure_machine::b");
  Array<Exec> const c = array("araia::measure_machine::c");
  auto const sum = zeroed_view<Kokkos::View<double, Exec>>(exec, "araia::measure_machine::sum");
  double const one = static_cast<double>(bytes);
  machine.read_bandwidth = one / fastest_seconds(exec, [&] { read_once(exec, a, sum); });
  machine.copy_bandwidth = 2 * one / fastest_seconds(exec, [&] { copy_once(exec, a, b); });
  machine.triad_bandwidth = 3 * one / fastest_seconds(exec, [&] { triad_once(exec, a, b, c); });
  return true;
}

template <class Exec>
void measure_launch(Exec const& exec, Machine& machine) {
  machine.launch_seconds = std::numeric_limits<double>::infinity();  // the fastest: on a busy machine half take a slice
  // A device's queue takes launches while kernels run: what one costs there is its share of many.
  constexpr int together = is_device_space<Exec> ? 20 : 1;
  for (int i = 0; i < 50; ++i) {
    auto const from = Clock::now();
    for (int k = 0; k < together; ++k)
      Kokkos::parallel_for("araia::measure_machine::empty", Kokkos::RangePolicy<Exec>(exec, 0, 1),
                           KOKKOS_LAMBDA(int){});
    exec.fence("araia::measure_machine: launch");
    machine.launch_seconds = std::min(machine.launch_seconds, seconds_since(from) / together);
  }
}

}  // namespace detail

template <class Exec>
Machine default_machine(Exec const& exec) {
  Machine m;
  m.space = Exec::name();
  m.concurrency = exec.concurrency();
  m.device = detail::is_device_space<Exec>;
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
    describe_device(m, exec.cuda_device());
    return m;
  }
#endif
  m.read_bandwidth = std::min(host_thread_bandwidth * m.concurrency, host_socket_bandwidth);
  m.copy_bandwidth = m.triad_bandwidth = m.read_bandwidth;
  m.cache_bandwidth = host_cache_factor * host_thread_bandwidth * m.concurrency;
  m.flops = host_thread_flops * m.concurrency;
  m.cache_bytes = static_cast<std::uint64_t>(host::caches().last);
  m.launch_seconds = m.concurrency > 1 ? host_launch : host_launch / 10;
  return m;
}

template <class Exec>
Machine measure_machine(Exec const& exec) {
  Machine m = default_machine(exec);
  double const cache_factor = m.cache_bandwidth / m.read_bandwidth;
  m.measured = detail::measure_bandwidth(exec, m);
  detail::measure_launch(exec, m);
  m.cache_bandwidth = std::max(m.cache_bandwidth, cache_factor * m.read_bandwidth);
  return m;
}

#ifdef KOKKOS_ENABLE_SERIAL
template Machine default_machine(Kokkos::Serial const&);
template Machine measure_machine(Kokkos::Serial const&);
#endif
#ifdef KOKKOS_ENABLE_OPENMP
template Machine default_machine(Kokkos::OpenMP const&);
template Machine measure_machine(Kokkos::OpenMP const&);
#endif
#ifdef KOKKOS_ENABLE_CUDA
template Machine default_machine(Kokkos::Cuda const&);
template Machine measure_machine(Kokkos::Cuda const&);
#endif

}  // namespace araia
