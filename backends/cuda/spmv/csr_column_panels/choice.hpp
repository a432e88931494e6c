// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How a Csr is cut in panels of columns and chunks of entries, on the host, from how many entries its columns hold.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>
#include <vector>

#include "backends/cuda/spmv/csr_column_panels/packing.hpp"

namespace araia::cuda {

/// Panels begin at a multiple of so many columns, 64 bytes of x or more.
inline constexpr int csr_panel_bucket = 16;

/// What the kernel is built for.
inline constexpr int csr_panel_most = 255;      // panels
inline constexpr int csr_panel_most_slots = 8;  // of the buffer
inline constexpr int csr_panel_line = 256;      // entries that a warp multiplies at a time
inline constexpr int csr_panel_warps = 6;       // that multiply
inline constexpr int csr_panel_groups = 2;      // of warps that add, a chunk each
inline constexpr int csr_panel_static = 12800;  // bytes of shared memory of fixed size, at most

/// Lines on their way to each warp that multiplies.
constexpr int csr_panel_depth(int vector_bytes) { return vector_bytes == 4 ? 5 : 3; }

/// Zeros are chosen from the matrix and the device. May change the time, never the result beyond rounding.
struct CsrPanelTuning {
  int chunk = 0;   ///< entries, at most; rounded up to 16
  int parts = 0;   ///< thread blocks that have the same panel
  int slots = 0;   ///< bands that the buffer holds: 3 or more keep both phases busy
  int groups = 0;  ///< chunks that a thread block adds of a band
};

/// What a device offers.
struct CsrPanelDevice {
  int multiprocessors = 0;
  int shared_bytes = 0;  ///< the most that one thread block may have
};

struct CsrPanelCut {
  CsrPanelShape shape{};                    ///< blocks is 0 where the matrix does not fit
  std::vector<std::int32_t> panel_columns;  ///< (panels + 1)
};

/// Products of a chunk lie 16 to a row of 17: threads that walk rows of 2^n entries meet different banks.
__host__ __device__ constexpr int csr_panel_padded(int entry) { return entry + entry / 16; }

/// Products of padding that a chunk has at most: a panel's entries fill whole units of 16 bytes.
__host__ __device__ constexpr int csr_panel_padding(int panels, int vector_bytes) {
  return panels * (16 / vector_bytes - 1);
}

/// Where the k-th product of padding of a chunk goes: behind 16 entries, where no entry's goes and no other's; where a
/// chunk has too few of these, behind all.
__host__ __device__ constexpr int csr_panel_unused(int chunk, int k) {
  return k < chunk / 16 ? 17 * k + 16 : csr_panel_padded(chunk) + k - chunk / 16;
}
__host__ __device__ constexpr bool csr_panel_is_unused(int chunk, int place) {
  return place % 17 == 16 || place >= csr_panel_padded(chunk);
}

/// Elements of shared memory that a chunk's products take, padding behind them included, in whole 16 bytes.
__host__ __device__ constexpr int csr_panel_places(int chunk, int padding) {
  int const behind = padding > chunk / 16 ? padding - chunk / 16 : 0;
  return (csr_panel_padded(chunk) + behind + 3) / 4 * 4;
}
__host__ __device__ constexpr int csr_panel_places(CsrPanelShape const& s) {
  return csr_panel_places(s.chunk, csr_panel_padding(s.panels, s.vector_bytes));
}

/// Shared memory of the lines on their way, entries as large as those of x at most.
constexpr int csr_panel_ring_bytes(int vector_bytes) {
  return csr_panel_warps * csr_panel_depth(vector_bytes) * csr_panel_line * (vector_bytes + 2);
}

/// Shared memory of x and products.
constexpr std::int64_t csr_panel_vector_bytes(CsrPanelShape const& s) {
  return (std::int64_t{s.widest} + std::int64_t{s.groups} * csr_panel_places(s)) * s.vector_bytes;
}

/// Panels of equally many entries, as far as their columns fit; chunks so that there are whole bands of them.
/// \param buckets       entries of csr_panel_bucket columns each
/// \param vector_bytes  of an element of x and y, 4 or 8
/// Cost      O(cols / csr_panel_bucket)
CsrPanelCut choose_csr_panels(std::span<std::int32_t const> buckets, std::int64_t cols, std::int64_t nnz,
                              int vector_bytes, CsrPanelDevice const& device, CsrPanelTuning const& tuning = {});

/// Columns that are multiplied at a time.
struct CsrPanelSpanCut {
  std::int64_t first_column = 0;
  std::int64_t columns = 0;
  std::int64_t nnz = 0;
  CsrPanelCut cut{};
};

/// Spans of columns that fit, as few as can be, of equal widths, those without entries left out; none where even
/// csr_panel_most_spans do not fit. Parameters as above.
std::vector<CsrPanelSpanCut> choose_csr_panel_spans(std::span<std::int32_t const> buckets, std::int64_t cols,
                                                    int vector_bytes, CsrPanelDevice const& device);

}  // namespace araia::cuda
