// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Sampled dense-dense product on the pattern of a CSR, T = float or double.

#include <cuda_runtime_api.h>
#include <araia/formats/pointers.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace araia::cuda {

/// Changes the time, never the bits of the result.
struct CsrSddmmTuning {
  int parts = 1;            ///< of a row, of equal entries, 1 to 1024; blocks of one part are launched together
  int rows_per_block = 32;  ///< rows of which a block has one part, 1 to 65536
  friend bool operator==(CsrSddmmTuning const&, CsrSddmmTuning const&) = default;
};

/// The tuning by rule, from what ran best on an H200, for a matrix of this size and dot products of k elements.
CsrSddmmTuning csr_sddmm_tuning(std::int64_t rows, std::int64_t cols, std::int64_t nnz, std::int64_t k,
                                std::size_t scalar_bytes, int multiprocessors);

/// Whether offsets have room for what a step reads beyond the last entry.
template <class T, class Offset>
bool csr_sddmm_supports(CsrPointers<T, std::int32_t, Offset> const& a) {
  constexpr std::int64_t room = 4096;
  return a.nnz <= std::numeric_limits<Offset>::max() - room;
}

/// d(p) = alpha a(p) x(i, :) y(j, :)' + beta d(p) for each stored entry p = (i, j) of a; a(p) is 1 where a has no
/// values. \param x, y  (rows, k), (cols, k) of any strides. 16-byte loads where rows are contiguous and begin at
/// multiples of
///              16 bytes; else a twin that loads single elements
/// \param d     (nnz) not overlapping x and y; may be a.values; beta == 0 overwrites
/// \param tuning  null: csr_sddmm_tuning
/// \throws araia::Error (invalid_argument) for a tuning out of range; (device) where the launch fails
/// Deterministic: a dot product's order of additions depends on k and on whether the twin runs, alone.
template <class T, class Offset>
void csr_sddmm(CsrPointers<T, std::int32_t, Offset> const& a, T alpha, DenseMatrix<T const> const& x,
               DenseMatrix<T const> const& y, T beta, T* d, int multiprocessors, cudaStream_t stream,
               CsrSddmmTuning const* tuning = nullptr);

}  // namespace araia::cuda
