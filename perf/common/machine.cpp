// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <araia/Araia_Config.hpp>
#include <araia/Araia_Version_Info.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "timing.hpp"

namespace araia::perf {
namespace {

constexpr std::int64_t unknown_cache_bytes = 32LL << 20;  // assumed where the system does not tell
constexpr int bandwidth_runs = 7;

std::string format(char const* pattern, double value) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

#ifdef KOKKOS_ENABLE_CUDA
/// Times what lies between start() and seconds() on a stream, launches left out.
class Events {
 public:
  explicit Events(cudaStream_t stream) : stream_(stream) {
    check(cudaEventCreate(&start_));
    check(cudaEventCreate(&stop_));
  }
  Events(Events const&) = delete;
  Events& operator=(Events const&) = delete;
  ~Events() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  void start() { check(cudaEventRecord(start_, stream_)); }
  double seconds() {
    float milliseconds = 0;
    check(cudaEventRecord(stop_, stream_));
    check(cudaEventSynchronize(stop_));
    check(cudaEventElapsedTime(&milliseconds, start_, stop_));
    return static_cast<double>(milliseconds) * 1e-3;
  }

 private:
  static void check(cudaError_t status) {
    if (status != cudaSuccess) throw std::runtime_error(std::string("bandwidth: ") + cudaGetErrorString(status));
  }
  cudaStream_t stream_;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};
#endif

double seconds_of(Exec const& exec, std::function<void()> const& pass) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
    Events events(exec.cuda_stream());
    events.start();
    pass();
    return events.seconds();
  } else
#endif
  {
    auto const start = std::chrono::steady_clock::now();
    pass();
    exec.fence("araia::perf::bandwidth: end");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
}

/// Bytes a second of the best of several passes. A device's are timed by events.
double bandwidth(Exec const& exec, double bytes, std::function<void()> const& pass) {
  double best = std::numeric_limits<double>::infinity();
  pass();
  for (int run = 0; run < bandwidth_runs; ++run) {
    exec.fence("araia::perf::bandwidth: start");
    best = std::min(best, seconds_of(exec, pass));
  }
  return bytes / best;
}

/// Value of the first line "key<blanks>: value" of a file of /proc, or an empty string.
std::string proc_value(char const* path, std::string const& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::size_t const colon = line.find(':');
    if (line.starts_with(key) && colon != std::string::npos && colon + 2 <= line.size()) return line.substr(colon + 2);
  }
  return {};
}

std::string environment(char const* name) {
  char const* const value = std::getenv(name);
  return value == nullptr ? "unset" : value;
}

void describe_device(Exec const& exec, std::map<std::string, std::string>& context) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
    int device = 0, driver = 0, runtime = 0, clock = 0, memory_clock = 0;
    cudaGetDevice(&device);
    cudaDeviceProp properties{};
    cudaGetDeviceProperties(&properties, device);
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device);
    cudaDeviceGetAttribute(&memory_clock, cudaDevAttrMemoryClockRate, device);
    context["device"] = properties.name;
    context["device_clock_mhz"] = std::to_string(clock / 1000);
    context["memory_clock_mhz"] = std::to_string(memory_clock / 1000);
    context["cuda_driver"] = std::to_string(driver);
    context["cuda_runtime"] = std::to_string(runtime);
    return;
  }
#endif
  context["device"] = proc_value("/proc/cpuinfo", "model name");
  context["device_clock_mhz"] = proc_value("/proc/cpuinfo", "cpu MHz");
  context["threads"] = std::to_string(exec.concurrency());
  context["omp_proc_bind"] = environment("OMP_PROC_BIND");
}

}  // namespace

// Named functions of their own: CUDA allows device lambdas in no other lambda.
namespace detail {

/// 16 bytes: what a thread loads and stores at once.
struct alignas(16) Pair {
  double first, second;
};

constexpr std::int64_t streams = 4;  // that an index goes through: so many loads are under way at once

using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

void fill(Exec const& exec, std::int64_t n, Pair* a, Pair* b, Pair* c) {
  Kokkos::parallel_for(
      "araia::perf::fill", Range(exec, 0, n), KOKKOS_LAMBDA(std::int64_t i) {
        double const value = static_cast<double>(i % 1013);
        a[i] = {value * 0.37, value * 0.11};
        b[i] = c[i] = {value * 0.11, value * 0.23};
      });
}

/// The sum lies in the execution space: nothing waits for it.
void read(Exec const& exec, std::int64_t n, Pair const* a, Kokkos::View<double, Device> const& total) {
  std::int64_t const quarter = n / streams;
  Kokkos::parallel_reduce(
      "araia::perf::read", Range(exec, 0, quarter),
      KOKKOS_LAMBDA(std::int64_t i, double& sum) {
        Pair const p = a[i], q = a[i + quarter], r = a[i + 2 * quarter], s = a[i + 3 * quarter];
        sum += ((p.first + p.second) + (q.first + q.second)) + ((r.first + r.second) + (s.first + s.second));
      },
      total);
}

void copy(Exec const& exec, std::int64_t n, Pair const* a, Pair* b) {
  std::int64_t const quarter = n / streams;
  Kokkos::parallel_for(
      "araia::perf::copy", Range(exec, 0, quarter), KOKKOS_LAMBDA(std::int64_t i) {
        Pair const p = a[i], q = a[i + quarter], r = a[i + 2 * quarter], s = a[i + 3 * quarter];
        b[i] = p;
        b[i + quarter] = q;
        b[i + 2 * quarter] = r;
        b[i + 3 * quarter] = s;
      });
}

void triad(Exec const& exec, std::int64_t n, Pair* a, Pair const* b, Pair const* c) {
  Kokkos::parallel_for(
      "araia::perf::triad", Range(exec, 0, n), KOKKOS_LAMBDA(std::int64_t i) {
        Pair const p = b[i], q = c[i];
        a[i] = {p.first + 0.5 * q.first, p.second + 0.5 * q.second};
      });
}

}  // namespace detail

std::int64_t last_level_cache() {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
    int device = 0, bytes = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device);
    return bytes;
  }
#endif
  std::int64_t largest = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
  for (int const level : {_SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL4_CACHE_SIZE})
    largest = std::max<std::int64_t>(largest, sysconf(level));
#endif
  return largest;
}

double free_memory() {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
    std::size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    return static_cast<double>(free);
  }
#endif
  double bytes = 0;
  constexpr double kibibyte = 1024;
  std::string const available = proc_value("/proc/meminfo", "MemAvailable");
  if (!available.empty()) bytes = std::strtod(available.c_str(), nullptr) * kibibyte;
  if (bytes <= 0) bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    bytes = std::min(bytes, static_cast<double>(limit.rlim_cur));
  double group = 0;  // "max" where there is no limit
  if (std::ifstream file("/sys/fs/cgroup/memory.max"); file >> group) bytes = std::min(bytes, group);
  return bytes;
}

std::int64_t array_bytes(std::int64_t cache_bytes, double free_bytes, double budget, bool device) {
  constexpr std::int64_t device_bytes = std::int64_t{4} << 30;  // a millisecond and more of any device's copy
  constexpr double share = 1.0 / 8;
  constexpr double arrays = 3;
  std::int64_t const wanted = std::max(2 * cache_bytes, device ? device_bytes : 0);
  return std::min(wanted, static_cast<std::int64_t>(std::min(free_bytes * share, budget / arrays)));
}

Machine measure_machine(Exec const& exec, Options const& options) {
  Machine machine;
  machine.cache_bytes = options.cache_bytes > 0 ? options.cache_bytes : last_level_cache();
  if (machine.cache_bytes <= 0) machine.cache_bytes = unknown_cache_bytes;
  double const free = free_memory();
  constexpr double share = 0.5;  // readers, checks and peers take memory that nobody counts
  machine.memory_budget = options.memory_bytes > 0 ? static_cast<double>(options.memory_bytes) : share * free;
  std::int64_t const bytes = options.bandwidth_bytes > 0 ? options.bandwidth_bytes
                                                         : array_bytes(machine.cache_bytes, free, machine.memory_budget,
                                                                       araia::detail::is_device_space<Exec>);
  std::int64_t const n =
      std::max<std::int64_t>(bytes / static_cast<std::int64_t>(sizeof(detail::Pair)), detail::streams) /
      detail::streams * detail::streams;
  auto const pairs = [n](char const* name) { return new_view<Kokkos::View<detail::Pair*, Device>>(name, n); };
  auto const a = pairs("a"), b = pairs("b"), c = pairs("c");
  Kokkos::View<double, Device> const total("total");
  detail::fill(exec, n, a.data(), b.data(), c.data());
  auto const array = static_cast<double>(n) * sizeof(detail::Pair);
  machine.array_bytes = array;
  machine.read_bandwidth = bandwidth(exec, array, [&] { detail::read(exec, n, a.data(), total); });
  machine.copy_bandwidth = bandwidth(exec, 2 * array, [&] { detail::copy(exec, n, a.data(), b.data()); });
  machine.triad_bandwidth = bandwidth(exec, 3 * array, [&] { detail::triad(exec, n, a.data(), b.data(), c.data()); });
  return machine;
}

std::map<std::string, std::string> describe(Exec const& exec, Machine const& machine, Options const& options) {
  std::map<std::string, std::string> context;
  constexpr double giga = 1e-9;
  context["read_gb_per_s"] = format("%.1f", machine.read_bandwidth * giga);
  context["copy_gb_per_s"] = format("%.1f", machine.copy_bandwidth * giga);
  context["triad_gb_per_s"] = format("%.1f", machine.triad_bandwidth * giga);
  context["last_level_cache_mb"] = format("%.1f", static_cast<double>(machine.cache_bytes) * 1e-6);
  context["bandwidth_array_mb"] = format("%.1f", machine.array_bytes * 1e-6);
  context["memory_budget_mb"] = format("%.0f", machine.memory_budget * 1e-6);
  context["between_products"] =
      options.between ? "a kernel over half a megabyte, whose time is taken off" : "nothing: a product follows another";
  context["execution_space"] = Exec::name();
  context["compiler"] = __VERSION__;
  context["araia"] = ARAIA_VERSION_STRING;
  context["commit"] = ARAIA_GIT_HASH;
  context["kokkos"] = std::to_string(KOKKOS_VERSION / 10000) + '.' + std::to_string(KOKKOS_VERSION / 100 % 100) + '.' +
                      std::to_string(KOKKOS_VERSION % 100);
  describe_device(exec, context);
  return context;
}

}  // namespace araia::perf
