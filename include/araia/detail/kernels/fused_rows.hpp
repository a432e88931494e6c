// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What may follow a product in the same pass over its rows. No Kokkos here: backends take it.

#include <cstdint>

namespace araia {

/// y = A x or y = b - A x, and the sum of w_i y_i, on contiguous real vectors. Sums are formed in double, in parts that
/// depend on the matrix, on devices on the device too, and not on threads: of equal y the same bits in every run.
template <class Y>
struct FusedRows {
  Y const* b = nullptr;            // (rows), or null: y = A x
  Y const* w = nullptr;            // (rows), or null: w is y
  Y* y = nullptr;                  // (rows)
  Y* sum = nullptr;                // where the sum goes, or null: none is formed
  double* partial_sums = nullptr;  // (most_partial_sums(rows)) workspace of one product at a time
  unsigned* arrived = nullptr;     // of devices: blocks that are done; zero before and after a product
};

/// Partial sums of a product with so many rows, at most.
constexpr std::int64_t most_partial_sums(std::int64_t rows) {
  constexpr std::int64_t most = 16384;  // 16 blocks a multiprocessor's place on an H200, and 128 KiB
  constexpr std::int64_t fewest_rows = 8;
  std::int64_t const parts = rows / fewest_rows + 1;
  return parts < most ? parts : most;
}

}  // namespace araia
