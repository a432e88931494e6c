// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What `araia solve` was asked for: of a matrix, or of a water network.

#include "src/cli/cli.hpp"

namespace araia::cli {

/// A x = b by conjugate gradients. Of the settings those of matrices count; those of networks were refused.
Exit solve_matrix(Settings const& s);
/// Heads and flows of a water network, likewise.
Exit solve_network(Settings const& s);

}  // namespace araia::cli
