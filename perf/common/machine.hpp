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
  double read_bandwidth = 0;     ///< bytes/s of summing an array
  double copy_bandwidth = 0;     ///< bytes/s of b = a, both ways counted, no write-allocate
  double triad_bandwidth = 0;    ///< bytes/s of a = b + s c, likewise
};

/// Last-level cache of the execution space in bytes, or 0 where the system does not tell.
std::int64_t last_level_cache();

/// Medians of a few runs over arrays of `bytes` each.
Machine measure_machine(Exec const& exec, Options const& options);

/// Everything that results depend on, as name and value: for Google Benchmark's context.
std::map<std::string, std::string> describe(Exec const& exec, Machine const& machine);

}  // namespace araia::perf
