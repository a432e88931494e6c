// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The entries of a HYB matrix, its ELL part first.

#include <araia/detail/formats/hyb_pointers.hpp>
#include <cstdint>

namespace araia::reference {

/// f(row, col, value) for every stored entry of both parts; absent values are ones. No padding is visited.
template <class S, class O, class F>
void for_each_entry(HybPointers<S, O> const& a, F&& f) {
  auto const& ell = a.ell;
  for (std::int64_t i = 0; i < ell.rows; ++i) {
    std::int64_t const row = ell.row_permutation ? static_cast<std::int64_t>(ell.row_permutation[i]) : i;
    for (std::int64_t j = 0; j < static_cast<std::int64_t>(ell.row_lengths[i]); ++j) {
      std::int64_t const k = i + j * ell.ld;
      f(row, static_cast<std::int64_t>(ell.col_indices[k]), ell.values ? ell.values[k] : S(1));
    }
  }
  auto const& tail = a.tail;
  for (std::int64_t k = 0; k < tail.nnz; ++k)
    f(static_cast<std::int64_t>(tail.row_indices[k]), static_cast<std::int64_t>(tail.col_indices[k]),
      tail.values ? tail.values[k] : S(1));
}

}  // namespace araia::reference
