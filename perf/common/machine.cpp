// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine.hpp"

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

double bandwidth(Exec const& exec, double bytes, std::function<void()> const& pass) {
  std::vector<double> seconds;
  pass();
  for (int run = 0; run < bandwidth_runs; ++run) {
    exec.fence("araia::perf::bandwidth: start");
    auto const start = std::chrono::steady_clock::now();
    pass();
    exec.fence("araia::perf::bandwidth: end");
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return bytes / median(seconds);
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

using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

void fill(Range const& range, double* a, double* b, double* c) {
  Kokkos::parallel_for(
      "araia::perf::fill", range, KOKKOS_LAMBDA(std::int64_t i) {
        a[i] = static_cast<double>(i % 1013) * 0.37;
        b[i] = c[i] = static_cast<double>(i % 509) * 0.11;
      });
}

/// Four streams, so that the chain of additions is no bottleneck.
double read(Exec const& exec, std::int64_t n, double const* a) {
  double total = 0;
  std::int64_t const quarter = n / 4;
  Kokkos::parallel_reduce(
      "araia::perf::read", Range(exec, 0, quarter),
      KOKKOS_LAMBDA(std::int64_t i, double& sum) {
        sum += (a[i] + a[i + quarter]) + (a[i + 2 * quarter] + a[i + 3 * quarter]);
      },
      total);
  return total;
}

void copy(Range const& range, double const* a, double* b) {
  Kokkos::parallel_for(
      "araia::perf::copy", range, KOKKOS_LAMBDA(std::int64_t i) { b[i] = a[i]; });
}

void triad(Range const& range, double* a, double const* b, double const* c) {
  Kokkos::parallel_for(
      "araia::perf::triad", range, KOKKOS_LAMBDA(std::int64_t i) { a[i] = b[i] + 0.5 * c[i]; });
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

Machine measure_machine(Exec const& exec, Options const& options) {
  Machine machine;
  machine.cache_bytes = options.cache_bytes > 0 ? options.cache_bytes : last_level_cache();
  if (machine.cache_bytes <= 0) machine.cache_bytes = unknown_cache_bytes;
  std::int64_t const bytes = options.bandwidth_bytes > 0 ? options.bandwidth_bytes : 2 * machine.cache_bytes;
  std::int64_t const n = std::max<std::int64_t>(bytes / static_cast<std::int64_t>(sizeof(double)), 1);
  Vector<double> const a("a", static_cast<std::size_t>(n)), b("b", static_cast<std::size_t>(n)),
      c("c", static_cast<std::size_t>(n));
  detail::Range const range(exec, 0, n);
  double* const pa = a.data();
  double* const pb = b.data();
  double* const pc = c.data();
  detail::fill(range, pa, pb, pc);
  auto const array = static_cast<double>(n) * sizeof(double);
  machine.read_bandwidth = bandwidth(exec, array, [&] { detail::read(exec, n, pa); });
  machine.copy_bandwidth = bandwidth(exec, 2 * array, [&] { detail::copy(range, pa, pb); });
  machine.triad_bandwidth = bandwidth(exec, 3 * array, [&] { detail::triad(range, pa, pb, pc); });
  return machine;
}

std::map<std::string, std::string> describe(Exec const& exec, Machine const& machine) {
  std::map<std::string, std::string> context;
  constexpr double giga = 1e-9;
  context["read_gb_per_s"] = format("%.1f", machine.read_bandwidth * giga);
  context["copy_gb_per_s"] = format("%.1f", machine.copy_bandwidth * giga);
  context["triad_gb_per_s"] = format("%.1f", machine.triad_bandwidth * giga);
  context["last_level_cache_mb"] = format("%.1f", static_cast<double>(machine.cache_bytes) * 1e-6);
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
