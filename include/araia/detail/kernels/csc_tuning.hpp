// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tuning of the Csc products. Each operation has one kernel: op N scatters as a transposed CSR product does, op T and H
// gather as a plain one.

namespace araia {

struct CscSpmvTuning {
  int cols_per_team = 0;  ///< columns of A; 0: chosen by the kernel
  int team_size = 0;      ///< threads; 0: chosen by the kernel
  int vector_length = 0;  ///< lanes a column, a power of two up to 32; 0: from the mean column length
  friend bool operator==(CscSpmvTuning const&, CscSpmvTuning const&) = default;
};

struct CscSpmmTuning {
  int cols_per_team = 0;     ///< columns of A; 0: chosen by the kernel
  int team_size = 0;         ///< threads; 0: chosen by the kernel
  int vector_length = 0;     ///< lanes over columns of B; 0: from the number of columns
  int columns_per_lane = 0;  ///< of the gathering kernel: 1, 4 or 8; 0: from the number of columns
  friend bool operator==(CscSpmmTuning const&, CscSpmmTuning const&) = default;
};

}  // namespace araia
