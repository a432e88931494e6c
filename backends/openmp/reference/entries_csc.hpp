// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The entries of a CSC matrix.

#include <araia/detail/formats/csc_pointers.hpp>
#include <cstdint>

namespace araia::reference {

/// f(row, col, value) for every stored entry, column after column; absent values are ones.
template <class S, class O, class Z, class F>
void for_each_entry(CscPointers<S, O, Z> const& a, F&& f) {
  for (std::int64_t j = 0; j < a.cols; ++j)
    for (auto k = static_cast<std::int64_t>(a.col_offsets[j]); k < static_cast<std::int64_t>(a.col_offsets[j + 1]); ++k)
      f(static_cast<std::int64_t>(a.row_indices[k]), j, a.values ? a.values[k] : S(1));
}

}  // namespace araia::reference
