// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The sum of a fused product over rows that lie together, compiled once for each instruction set.

#include <cstdint>

#include "backends/openmp/isa.hpp"

namespace araia::host {

template <Isa level, class Y>
double sum_of_rows(Y const* w, Y const* y, std::int64_t rows);

}  // namespace araia::host
