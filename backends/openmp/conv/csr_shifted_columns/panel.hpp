// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A panel of columns of one image by a range of rows, compiled once for each instruction set. Data and declarations
// alone, as in csr_spmv_rows.hpp.

#include <cstdint>
#include "src/kernel/shifted_columns.hpp"

#include "backends/openmp/isa.hpp"

namespace araia::host {

inline constexpr int shifted_panel_registers = 8;  // at most, of sums

template <class T>
struct ShiftedPanel {
  ShiftedWeights<T> const& a;
  ShiftedOperands<T> const& b;
  std::int64_t image;
  std::int64_t first_row;
  std::int64_t last_row;
  std::int64_t first_column;
  std::int64_t last_column;  // columns between them: at most shifted_panel_columns() of the instruction set
};

template <Isa level, class T>
void shifted_panel(ShiftedPanel<T> const& panel);
/// Columns of the widest panel.
template <Isa level, class T>
std::int64_t shifted_panel_columns();

}  // namespace araia::host
