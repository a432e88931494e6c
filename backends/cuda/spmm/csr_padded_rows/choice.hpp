// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Shape and seconds of the product with padded rows, by rule.

#include <optional>

#include "backends/cuda/lib/spmm_problem.hpp"

namespace araia::cuda {

struct PaddedRowsChoice {
  CsrSpmmRowTuning tuning;
  double seconds = 0;
};

/// It runs every product.
std::optional<PaddedRowsChoice> choose_padded_rows(SpmmProblem const& p);

}  // namespace araia::cuda
