// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The sum of a fused product over rows that lie together, compiled once for each instruction set.

#include <cstdint>

namespace araia::host {

#define ARAIA_DECLARE_SUM_OF_ROWS(ISA)                                     \
  namespace ISA {                                                          \
  double sum_of_rows(double const* w, double const* y, std::int64_t rows); \
  double sum_of_rows(float const* w, float const* y, std::int64_t rows);   \
  }
ARAIA_DECLARE_SUM_OF_ROWS(generic)
ARAIA_DECLARE_SUM_OF_ROWS(v2)
ARAIA_DECLARE_SUM_OF_ROWS(v3)
ARAIA_DECLARE_SUM_OF_ROWS(v4)
#undef ARAIA_DECLARE_SUM_OF_ROWS

}  // namespace araia::host
