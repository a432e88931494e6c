// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the model knows of a machine: few numbers, by default from the system's own description, measured when asked.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>

namespace araia {

struct Machine {
  std::string space{};            ///< name of the execution space
  bool device = false;            ///< lanes run in lock step, memory wants coalescing
  int concurrency = 1;            ///< threads
  double read_bandwidth = 0;      ///< B/s from memory beyond the caches
  double copy_bandwidth = 0;      ///< B/s, bytes read plus bytes written: the roof that shares refer to
  double triad_bandwidth = 0;     ///< B/s, a = b + s c
  double cache_bandwidth = 0;     ///< B/s from the last-level cache
  double launch_seconds = 0;      ///< an empty kernel, launch to end
  double flops = 0;               ///< flop/s of double precision additions and multiplications
  std::uint64_t cache_bytes = 0;  ///< last-level cache
  /// The table that models take prices from: "h200", "x86", or "none", where products are priced by bytes and flops
  /// alone; empty: the first two, by `device`.
  std::string prices{};
  /// Of a device alone, by default an H200.
  int multiprocessors = 132;
  std::uint64_t shared_bytes = 227 << 10;  ///< of shared memory, that a thread block may have
  int compute_capability = 90;             ///< ten times the major number plus the minor one
  int host_threads = 1;                    ///< of the host beside it
  bool measured = false;                   ///< bandwidths and launch are measured, not assumed
};

/// From the system's description: runs nothing.
template <class Exec>
Machine default_machine(Exec const& exec);

/// Times read, copy and triad over arrays beyond the last-level cache, within about half a second, and an empty kernel.
/// Allocates and frees its arrays; fences exec. Where a host's limit has no room for four such arrays, bandwidths
/// are as default_machine has them, and `measured` is false.
template <class Exec>
Machine measure_machine(Exec const& exec);

#ifdef KOKKOS_ENABLE_SERIAL
extern template Machine default_machine(Kokkos::Serial const&);
extern template Machine measure_machine(Kokkos::Serial const&);
#endif
#ifdef KOKKOS_ENABLE_OPENMP
extern template Machine default_machine(Kokkos::OpenMP const&);
extern template Machine measure_machine(Kokkos::OpenMP const&);
#endif
#ifdef KOKKOS_ENABLE_CUDA
extern template Machine default_machine(Kokkos::Cuda const&);
extern template Machine measure_machine(Kokkos::Cuda const&);
#endif

}  // namespace araia
