// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>

namespace araia::detail {

/// A Bound of real numbers: what kernels without complex products are bound for.
template <class Bound>
concept RealBound = std::floating_point<typename Bound::Sum>;

}  // namespace araia::detail
