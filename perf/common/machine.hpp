// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The machine that figures are compared with: measured bandwidths, cache, names and versions.

#include <cstdint>
#include <map>
#include <string>

#include "options.hpp"
#include "problem.hpp"

namespace araia::perf {

struct Machine {
  std::int64_t cache_bytes = 0;  ///< last-level cache of the execution space
  double memory_budget = 0;      ///< bytes that matrices, operands and formats may take together
  double array_bytes = 0;        ///< of each array that the bandwidths are of
  double read_bandwidth = 0;     ///< bytes/s of summing an array
  double copy_bandwidth = 0;     ///< bytes/s of b = a, both ways counted, no write-allocate
  double triad_bandwidth = 0;    ///< bytes/s of a = b + s c, likewise
};

/// Last-level cache of the execution space in bytes, or 0 where the system does not tell.
std::int64_t last_level_cache();

/// Bytes of memory that are free where the execution space allocates. On a host what the system has available, within
/// the limits of the process and of its control group.
double free_memory();

/// Bytes of each of the three arrays that bandwidths are measured on: beyond the cache, and on a device as long as
/// launches are nothing beside them, but no more than an eighth of what is free each, nor than the budget together.
std::int64_t array_bytes(std::int64_t cache_bytes, double free_bytes, double budget, bool device);

/// Cache, budget and bandwidths; of a bandwidth the best of a few runs, as neighbours only ever take from it.
Machine measure_machine(Exec const& exec, Options const& options);

/// Everything that results depend on, as name and value: for Google Benchmark's context.
std::map<std::string, std::string> describe(Exec const& exec, Machine const& machine, Options const& options);

}  // namespace araia::perf
