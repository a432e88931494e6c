// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How far apart neighbouring entries gather: what decides between kernels whose requests go to the L1 or to the L2.

#include <cuda_runtime_api.h>

#include <cstdint>

namespace araia::cuda {

/// Entries of a sample, as many as a block of csr_spmv_equal_chunks.cu has at work.
inline constexpr std::int64_t csr_sample_entries = 1024;
/// Columns of a line: 128 bytes of float.
inline constexpr std::int32_t csr_line_columns = 32;

/// counts[i] becomes the number of lines of x that sample i names, of `samples` spread evenly over the entries.
/// \param col_indices  (nnz) on the device, nnz of csr_sample_entries at least
/// Cost      O(csr_sample_entries samples), asynchronous on stream
void csr_count_gathered_lines(std::int32_t const* col_indices, std::int64_t nnz, int samples, std::int32_t* counts,
                              cudaStream_t stream);

}  // namespace araia::cuda
