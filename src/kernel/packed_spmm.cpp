// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/kernel/packed_spmm.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "src/formatted.hpp"
#include "src/kernel/pricing.hpp"

namespace araia::detail {

std::string why_not_packed(Problem const& p, KernelInfo const& kernel) {
  return formatted("kernel '{}' does not run {} columns of these types in {} on this device", kernel.name, p.columns,
                   precision_name(p.precision));
}

std::string why_too_many_entries(Problem const& p, KernelInfo const& kernel) {
  if (p.stats.nnz <= std::numeric_limits<std::int32_t>::max()) return {};
  return formatted("the packing of {} has 32-bit offsets, the matrix has {} entries", kernel.storage, p.stats.nnz);
}

double rule_seconds(Pricing const& a, double seconds, double host_starts) {
  double const bytes = a.traffic.bytes();
  if (a.machine.device) return std::max(seconds, bytes / a.machine.read_bandwidth);
  return host_starts * a.machine.launch_seconds + std::max(seconds, memory_seconds(bytes, a.machine));
}

}  // namespace araia::detail
