// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One thread's part of the host CSR SDDMM, compiled once for each instruction set. Data and declarations alone, as in
// csr_spmv_rows.hpp.

#include <araia/formats/pointers.hpp>
#include <cstdint>

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

#define ARAIA_DECLARE_CSR_SDDMM_ROWS(ISA)                         \
  namespace ISA {                                                 \
  void csr_sddmm_rows(CsrSddmmRows<double, std::int32_t> const&); \
  void csr_sddmm_rows(CsrSddmmRows<double, std::int64_t> const&); \
  void csr_sddmm_rows(CsrSddmmRows<float, std::int32_t> const&);  \
  void csr_sddmm_rows(CsrSddmmRows<float, std::int64_t> const&);  \
  }
ARAIA_DECLARE_CSR_SDDMM_ROWS(generic)
ARAIA_DECLARE_CSR_SDDMM_ROWS(v2)
ARAIA_DECLARE_CSR_SDDMM_ROWS(v3)
ARAIA_DECLARE_CSR_SDDMM_ROWS(v4)
#undef ARAIA_DECLARE_CSR_SDDMM_ROWS

}  // namespace araia::host
