// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tuning of the Bsr products. Each operation has one kernel: lanes_on_blocks for op N, transposed for T and H.

#include <ostream>

namespace araia {

struct BsrSpmvTuning {
  int rows_per_team = 0;  ///< rows, rounded up to whole block rows; 0: chosen by the kernel
  int team_size = 0;      ///< threads; 0: chosen by the kernel
  int vector_length = 0;  ///< lanes a row, a power of two up to 32; 0: from the mean length of a row's blocks
  friend bool operator==(BsrSpmvTuning const&, BsrSpmvTuning const&) = default;
};

struct BsrSpmmTuning {
  int rows_per_team = 0;  ///< rows, rounded up to whole block rows; 0: chosen by the kernel
  int team_size = 0;      ///< threads; 0: chosen by the kernel
  int vector_length = 0;  ///< lanes over columns of B; 0: from the number of columns
  friend bool operator==(BsrSpmmTuning const&, BsrSpmmTuning const&) = default;
};

inline std::ostream& operator<<(std::ostream& out, BsrSpmvTuning const& t) {
  return out << "lanes_on_blocks{rows_per_team " << t.rows_per_team << ", team_size " << t.team_size
             << ", vector_length " << t.vector_length << '}';
}
inline std::ostream& operator<<(std::ostream& out, BsrSpmmTuning const& t) {
  return out << "columns_on_lanes{rows_per_team " << t.rows_per_team << ", team_size " << t.team_size
             << ", vector_length " << t.vector_length << '}';
}

}  // namespace araia
