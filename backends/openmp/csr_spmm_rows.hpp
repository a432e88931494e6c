// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One thread's chunk of the host CSR SpMM, compiled once for each instruction set. Data and declarations alone, as in
// csr_spmv_rows.hpp.

#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/kernels/epilogue.hpp>
#include <cstdint>

#include "backends/openmp/csr_column_reuse.hpp"
#include "backends/openmp/csr_row_runs.hpp"
#include "backends/openmp/isa.hpp"

namespace araia::host {

/// Bytes of B that may be copied to the stack, by threads that have the room. A compiler that probes pages of the stack
/// one by one (-fstack-clash-protection) makes a frame of this size slow for small matrices.
inline constexpr std::int64_t most_bytes_on_stack = std::int64_t{640} << 10;

/// C = act(alpha A B + beta C + bias + R) for stored rows [first_row, last_row).
template <class A, class X, class Y, class Offset>
struct CsrSpmmRows {
  CsrPointers<A, std::int32_t, Offset> a;
  DenseMatrix<X const> b;  // contiguous along rows or columns
  DenseMatrix<Y> c;        // any strides
  Y alpha;
  Y beta;
  CsrRowRun const* runs;   // or null: every row has its own columns; x86-64-v2 reads none, whole rows those of shift 0
  std::int64_t run_count;  // read where runs is not null
  std::int32_t const* run_columns;  // lists in the order of runs
  std::int32_t const* run_columns_end;
  bool streams;     // C leaves the caches: rows of grid lines go one by one, beta == 0
  bool past_cache;  // C goes to memory without being read first: aligned to 64 B in base and rows, beta == 0
  std::int64_t first_row;
  std::int64_t last_row;
  EpiloguePointers<Y> const* epilogue;  // or null: none
  bool in_plane_chunks;                 // rows go in chunks of planes, where what the rows before read is still there
  EntryPrefetch entry_prefetch;
  Isa isa;         // of the machine: narrow rows go by AVX2 where there is AVX-512 too
  bool in_cache;   // all operands: nothing is prefetched but by groups on AVX-512, into L1, and rows go as they lie
  bool by_blocks;  // long rows on a B beyond L2 may go block by block of rows of B
  bool copies_b;   // first, to the stack, where all its rows begin lines of cache; never with runs nor B by columns,
                   // and where stack_holds(most_bytes_on_stack) alone
};

template <Isa level, class A, class X, class Y, class Offset>
void csr_spmm_rows(CsrSpmmRows<A, X, Y, Offset> const& args);

}  // namespace araia::host
