// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A strip of columns of one image by a range of rows, compiled once for each instruction set. Data and declarations
// alone, as in csr_spmv_rows.hpp.

#include <araia/kernels/shifted_columns.hpp>
#include <cstdint>

#include "backends/openmp/isa.hpp"

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

template <Isa level, class T>
void shifted_strip(ShiftedStrip<T> const& strip);
/// Columns of the widest strip.
template <Isa level, class T>
std::int64_t shifted_strip_columns();

}  // namespace araia::host
