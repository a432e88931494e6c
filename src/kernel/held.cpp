// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/kernel/held.hpp"

#include "src/formatted.hpp"
#include "src/kernel/pricing.hpp"

namespace araia::detail {

void propose_held(Problem const& p, KernelInfo const& kernel, Proposals& list) {
  auto const* const held = held_estimate(p, kernel.storage, kernel.name);
  if (held && held->listed) list.add({.format = std::string(kernel.storage), .kernel = std::string(kernel.name)});
}

std::string why_not_held(Problem const& p, KernelInfo const& kernel) {
  if (held_estimate(p, kernel.storage, kernel.name)) return {};
  return formatted("kernel '{}' does not run {} columns of these types in {} on this device", kernel.name, p.columns,
                   precision_name(p.precision));
}

}  // namespace araia::detail
