// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Kernels whose matrix a backend packs by a rule of its own, which also says what they take: Problem::held.

#include <string>

#include <araia/extend/kernel_info.hpp>
#include "src/kernel/proposals.hpp"

namespace araia::detail {

/// What the rule lists.
void propose_held(Problem const& p, KernelInfo const& kernel, Proposals& list);

/// Empty, or why there is no such matrix for the product: the rule does not know the kernel.
[[nodiscard]] std::string why_not_held(Problem const& p, KernelInfo const& kernel);

}  // namespace araia::detail
