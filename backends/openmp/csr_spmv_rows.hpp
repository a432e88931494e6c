// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One thread's chunk of the host CSR SpMV, compiled once for each instruction set. Data and declarations alone: inline
// code here would exist once an instruction set under one name, and the linker might keep what the machine cannot run.

#include <araia/detail/formats/pointers.hpp>
#include <cstdint>

#include "backends/openmp/csr_row_runs.hpp"
#include "backends/openmp/isa.hpp"

namespace araia::host {

/// y = alpha A x + beta y for stored rows [first_row, last_row).
template <class A, class X, class Y>
struct CsrSpmvRows {
  CsrPointers<A, std::int32_t, std::int32_t> a;
  std::int64_t const* wide_offsets;  // in place of a's, or null
  X const* x;
  Y* y;
  Y alpha;
  Y beta;
  CsrRowRun const* runs;   // or null: every row has its own columns
  std::int64_t run_count;  // read where runs is not null
  std::int32_t const* run_columns;
  std::int32_t const* run_columns_end;
  std::int32_t const* run_groups;
  bool gathers;  // gather instructions are fast, where the instruction set has them
  bool far;      // the matrix comes from memory: rows on their own columns prefetch it; on x86-64-v2 always
  bool into_l1;  // streams are prefetched into L1, on v4
  std::int64_t first_row;
  std::int64_t last_row;
};

/// Stored rows on their own columns, as the kernels take them.
template <class A>
struct OwnRows {
  std::int32_t const* offsets;  // (rows + 1), of entries from the first below on
  A const* values;              // or null
  std::int32_t const* columns;
  std::int64_t entries;  // of the matrix from there on: so many columns may be read
};

template <Isa level, class A, class X, class Y>
void csr_spmv_rows(CsrSpmvRows<A, X, Y> const& args);

}  // namespace araia::host
