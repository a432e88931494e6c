// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Long rows of the host SpMM on their own columns, block by block of rows of B. For csr_spmm_rows.cpp alone, in the
// instruction set's namespace; unnamed there, so that GCC takes the kernels into their one caller.

#include <cstdint>

#include "backends/openmp/csr_spmm_narrow_rows.hpp"
#include "backends/openmp/csr_spmm_panel.hpp"

namespace araia::host::ARAIA_ISA {
namespace {

// A chunk goes block by block of B where a panel of B does not fit into an L2 of 2 MiB, and rows are so long that each
// has so many entries among the rows of B of a quarter of it.
constexpr std::int64_t bytes_of_block = std::int64_t{1} << 19;
constexpr std::int64_t blocks_in_cache = 4;
constexpr double least_entries_in_block = 16;

/// A chunk of long rows, block by block of rows of B: a block is used by all rows of the chunk while it is in L2. The
/// sums wait on the stack. Each row's entries in a block are those up to the first beyond it, all that are left in the
/// last block: right for columns in any order.
template <int Registers, int Part, class A, class X>
void chunk_by_blocks(Chunk<A> const& chunk, Panel<X> const& p, std::int64_t block, std::int64_t b_rows) {
  using Vec = Vectors<X>;
  alignas(64) X tile[rows_per_chunk * Registers * Vec::width];
  std::int64_t next[rows_per_chunk];
  for (std::int64_t i = 0; i < chunk.rows; ++i) next[i] = chunk.offset[i];
  for (std::int64_t first = 0; first < b_rows; first += block) {
    bool const last = first + block >= b_rows;
    auto const end_column = static_cast<std::int32_t>(last ? b_rows : first + block);
    for (std::int64_t i = 0; i < chunk.rows; ++i) {
      std::int32_t const* const columns = chunk.columns + next[i];
      std::int64_t const left = chunk.offset[i + 1] - next[i];
      std::int64_t length = last ? left : 0;
      while (length < left && columns[length] < end_column) ++length;
      auto const values = chunk.values.from(next[i]);
      RowSums<X, Registers> row;
      row.clear();
      each_entry<row.sums>(
          length, [&](std::int64_t k, auto s) __attribute__((always_inline)) {
            auto const a = Vec::all(static_cast<X>(values.data[k * values.step]));
            row.template add<decltype(s)::value, Part>(a, p.b + columns[k] * p.b_row_stride, p.columns);
          });
      typename Vec::V total[Registers];
      row.total(total);
      X* const sums = tile + i * Registers * Vec::width;
      each<Registers>([&](auto index) __attribute__((always_inline)) {
        constexpr int r = decltype(index)::value;
        if (first > 0) total[r] = Vec::add(total[r], Vec::load(sums + r * Vec::width));
        if (!last) Vec::store(sums + r * Vec::width, total[r]);
      });
      if (last) {
        std::int64_t const place = chunk.place(i);
        store_row<Registers, Part>(total, p, place);
      }
      next[i] += length;
    }
  }
}

}  // namespace
}  // namespace araia::host::ARAIA_ISA
