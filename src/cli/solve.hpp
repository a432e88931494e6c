// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What `araia solve` was asked for: of a matrix, or of a water network.

#include "src/cli/cli.hpp"

namespace araia::cli {

/// The settings of the command that solve takes: file, kind, strict, memory, output, json; of matrices also rhs,
/// tolerance, precondition, format, max_iterations; of networks method. Options of the other half were refused.
struct SolveRequest {
  Settings const& settings;
};

/// A x = b by conjugate gradients.
/// \return the exit code
int solve_matrix(SolveRequest const& request);
/// Heads and flows of a water network.
int solve_network(SolveRequest const& request);

}  // namespace araia::cli
