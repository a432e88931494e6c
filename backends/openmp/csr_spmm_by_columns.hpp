// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rows of C whose B lies by columns.

#include <cstdint>

#include "backends/openmp/csr_spmm_narrow_rows.hpp"
#include "backends/openmp/epilogue.hpp"

namespace araia::host::ARAIA_ISA {

/// B by columns: each of 4 columns summed along the entries, 4 sums a column.
template <bool Block, class A, class X>
void rows_by_columns(Chunk<A> const& chunk, DenseMatrix<X const> const& b, DenseMatrix<X> const& c, X alpha, X beta,
                     EpiloguePointers<X> const* epilogue, std::int64_t first, std::int64_t columns) {
  constexpr int sums = 4;
  constexpr int block = 4;
  std::int64_t const count = Block ? block : columns;
  for (std::int64_t i = 0; i < chunk.rows; ++i) {
    std::int64_t const begin = chunk.offset[i];
    std::int64_t const length = chunk.offset[i + 1] - begin;
    std::int64_t const place = chunk.place(i);
    X sum[sums][block] = {};
    auto const values = chunk.values.from(begin);
    std::int32_t const* const cols = chunk.columns + begin;
    X const* const from = b.data + first * b.column_stride;
    auto const add_entry = [&](std::int64_t k, int s) {
      auto const a = static_cast<X>(values.data[k * values.step]);
      X const* const x = from + cols[k] * b.row_stride;
      for (std::int64_t j = 0; j < count; ++j) sum[s][j] += a * x[j * b.column_stride];
    };
    std::int64_t k = 0;
    for (; k + sums <= length; k += sums) {
#pragma GCC unroll 4
      for (int s = 0; s < sums; ++s) add_entry(k + s, s);
    }
    for (int s = 0; s < sums - 1 && k < length; ++s) add_entry(k++, s);
    for (std::int64_t j = 0; j < count; ++j) {
      X const total = (sum[0][j] + sum[1][j]) + (sum[2][j] + sum[3][j]);
      X* const out = c.data + place * c.row_stride + (first + j) * c.column_stride;
      X const scaled = beta == X(0) ? alpha * total : alpha * total + beta * *out;
      *out = epilogue ? finished(*epilogue, place, first + j, scaled) : scaled;
    }
  }
}

template <class A, class X>
void rows_by_columns(Chunk<A> const& chunk, DenseMatrix<X const> const& b, DenseMatrix<X> const& c, X alpha, X beta,
                     EpiloguePointers<X> const* epilogue) {
  std::int64_t first = 0;
  for (; first + 4 <= b.columns; first += 4) rows_by_columns<true>(chunk, b, c, alpha, beta, epilogue, first, 4);
  if (first < b.columns) rows_by_columns<false>(chunk, b, c, alpha, beta, epilogue, first, b.columns - first);
}

}  // namespace araia::host::ARAIA_ISA
