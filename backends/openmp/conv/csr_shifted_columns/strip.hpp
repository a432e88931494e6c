// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A strip of columns of one image by a range of rows, compiled once for each instruction set. Data and declarations
// alone, as in csr_spmv_rows.hpp.

#include <araia/kernels/shifted_columns.hpp>
#include <cstdint>

namespace araia::host {

inline constexpr int shifted_strip_registers = 8;  // at most, of sums

template <class T>
struct ShiftedStrip {
  ShiftedWeights<T> const& a;
  ShiftedOperands<T> const& b;
  std::int64_t image;
  std::int64_t first_row;
  std::int64_t last_row;
  std::int64_t first_column;
  std::int64_t last_column;  // columns between them: at most shifted_strip_columns() of the instruction set
};

#define ARAIA_DECLARE_SHIFTED_STRIP(ISA)             \
  namespace ISA {                                    \
  void shifted_strip(ShiftedStrip<double> const&);   \
  void shifted_strip(ShiftedStrip<float> const&);    \
  std::int64_t shifted_strip_columns(double const*); \
  std::int64_t shifted_strip_columns(float const*);  \
  }
ARAIA_DECLARE_SHIFTED_STRIP(generic)
ARAIA_DECLARE_SHIFTED_STRIP(v2)
ARAIA_DECLARE_SHIFTED_STRIP(v3)
ARAIA_DECLARE_SHIFTED_STRIP(v4)
#undef ARAIA_DECLARE_SHIFTED_STRIP

}  // namespace araia::host
