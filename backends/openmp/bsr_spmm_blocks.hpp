// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One thread's chunk of the host BSR SpMM, compiled once for each instruction set. Data and declarations alone, as in
// csr_spmv_rows.hpp.

#include <araia/detail/formats/bsr_pointers.hpp>
#include <araia/detail/kernels/epilogue.hpp>
#include <cstdint>

#include "backends/openmp/isa.hpp"

namespace araia::host {

/// C = act(alpha A B + beta C + bias + R) for block rows [first_block_row, last_block_row).
template <class A, class X, class Y, class Offset>
struct BsrSpmmBlocks {
  BsrPointers<A, std::int32_t, Offset> a;  // with values
  DenseMatrix<X const> b;                  // rows contiguous
  DenseMatrix<Y> c;                        // any strides
  Y alpha;
  Y beta;
  bool past_cache;  // C goes to memory without being read first: aligned to 64 B in base and rows, beta == 0
  bool prefetches;  // rows of B that later block rows will be the first to read
  std::int64_t first_block_row;
  std::int64_t last_block_row;
  EpiloguePointers<Y> const* epilogue;  // or null: none
};

template <Isa level, class A, class X, class Y, class Offset>
void bsr_spmm_blocks(BsrSpmmBlocks<A, X, Y, Offset> const& args);

}  // namespace araia::host
