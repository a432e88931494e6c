// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Convolution by shifted columns on hosts: y = act(A B + bias + residual)
// (src/kernel/shifted_columns.hpp).

#include "src/kernel/shifted_columns.hpp"

#include "backends/openmp/isa.hpp"

namespace araia::host {

/// \param threads  at most so many, in the caller's OpenMP runtime
/// Columns of an image are cut into panels of a few registers; threads share panels, and rows of a panel where those
/// are few. Bits do not depend on the number of threads.
/// Cost      nnz * columns() multiply-adds an image; no allocation
/// Rounding  |error| <= gamma(len + 3) (|A| |B| + |bias| + |residual|), len the entries of a row
template <class T>
void csr_shifted_columns(ShiftedWeights<T> const& a, ShiftedOperands<T> const& b, int threads, Isa isa);

}  // namespace araia::host
