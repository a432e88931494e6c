// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The rules of HostCoo, tested before it is written.

#include <araia/io/host_coo.hpp>

namespace araia::detail {

/// Which side of the diagonal holds entries; a HostCoo with symmetry has them on one at most.
enum class Triangle { none, lower, upper, both };

/// \throws araia::Error (invalid_structure) naming the broken rule
Triangle check_host_coo(HostCoo const& A);

}  // namespace araia::detail
