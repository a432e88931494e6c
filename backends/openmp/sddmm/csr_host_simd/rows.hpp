// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One thread's chunk of the host CSR SDDMM, compiled once for each instruction set. Data and declarations alone, as in
// csr_spmv_rows.hpp.

#include <araia/detail/formats/pointers.hpp>
#include <cstdint>

#include "backends/openmp/isa.hpp"

namespace araia::host {

/// d(p) = alpha a(p) x(i, :) y(j, :)' + beta d(p) for entries p = (i, j) in [first_entry, last_entry).
template <class T, class Offset>
struct CsrSddmmRows {
  CsrPointers<T, std::int32_t, Offset> a;
  DenseMatrix<T const> x;  // (rows, k), rows contiguous
  DenseMatrix<T const> y;  // (cols, k), rows contiguous
  T* d;                    // (nnz)
  T alpha;
  T beta;
  std::int64_t first_row;  // that holds first_entry
  std::int64_t first_entry;
  std::int64_t last_entry;
};

template <Isa level, class T, class Offset>
void csr_sddmm_rows(CsrSddmmRows<T, Offset> const& args);

}  // namespace araia::host
