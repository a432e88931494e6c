// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tuning of SDDMM kernels: structs that may change the time, never the answer beyond rounding.

#include <algorithm>
#include <cstdint>

#include <araia/detail/formats/team_shape.hpp>

namespace araia {

/// Kernels for D = alpha A .* (X op(Y)) + beta D on the pattern of a CSR. All give the same bits in every run.
enum class CsrSddmmKernel {
  automatic,
  equal_chunks,  ///< portable: equal entries a thread, vector lanes share a dot product; any types and strides
  host_simd,     ///< host spaces: SIMD over contiguous rows of X and op(Y)'; one real scalar for all
  row_parts,     ///< CUDA: lanes share a dot product, blocks take one part of some rows; one real scalar for all
  column_panels  ///< CUDA: the same with a panel of op(Y) in shared memory; rows that suit 16-byte loads
};

struct CsrSddmmTuning {
  CsrSddmmKernel kernel = CsrSddmmKernel::automatic;
  int entries_per_thread = 0;  ///< equal_chunks: 0: chosen by the kernel
  int team_size = 0;           ///< equal_chunks: threads; 0: chosen by the kernel
  int vector_length = 0;       ///< equal_chunks: lanes a dot product, a power of two up to 32; 0: from its length
  friend bool operator==(CsrSddmmTuning const&, CsrSddmmTuning const&) = default;
};

/// BCSC has one kernel: teams share a block's columns.
struct BcscSddmmTuning {
  int teams_per_block = 0;  ///< 0: from the space and the number of blocks
  int team_size = 0;        ///< threads; 0: chosen by the kernel
  int vector_length = 0;    ///< lanes a dot product, a power of two up to 32; 0: from its length
  friend bool operator==(BcscSddmmTuning const&, BcscSddmmTuning const&) = default;
};

/// Names of descriptors: "equal_chunks", ...
[[nodiscard]] char const* kernel_name(CsrSddmmKernel kernel);

namespace detail {

/// Lanes that share a dot product of k elements on a device: each has four of them at least.
inline int dot_lanes_for(std::int64_t k) {
  int lanes = 1;
  while (lanes < device_warp && 8 * lanes <= k) lanes *= 2;
  return lanes;
}

/// Entries a thread of the chunked kernel.
template <class Exec>
std::int64_t sddmm_entries_per_thread(Exec const& exec, std::int64_t nnz, int asked) {
  require_tuning(asked >= 0, "entries_per_thread", asked, "0 or more");
  constexpr std::int64_t device_run = 16;  // long enough to pay for the search of its first row
  std::int64_t const chunks = static_cast<std::int64_t>(exec.concurrency()) * host_chunks_per_thread;
  std::int64_t const automatic = is_device_space<Exec> ? device_run : std::max<std::int64_t>(1, nnz / chunks + 1);
  return at_least_per_team(nnz, asked ? asked : automatic);
}

}  // namespace detail
}  // namespace araia
