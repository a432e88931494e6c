// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Shapes of the blocks of the CUDA kernels of SDDMM, and the rule between them. No CUDA: models ask too.

#include <cstddef>
#include <cstdint>

namespace araia::cuda {

/// Changes the time, never the answer beyond rounding. Either kernel gives the same bits for all tunings of its own,
/// but between its 16-byte form and its twin.
struct SddmmTuning {
  int panel_columns = 0;    ///< 0: row_parts; else column_panels with so many rows of Y in shared memory
  int parts = 1;            ///< row_parts: of a row, of equal entries, 1 to 1024
  int rows_per_block = 32;  ///< rows of which a block has one part or panel, 1 to 65536; panels: at most 512
  friend bool operator==(SddmmTuning const&, SddmmTuning const&) = default;
};

/// What the rules ask of a device.
struct SddmmDevice {
  int multiprocessors = 1;
  std::size_t shared_bytes = 0;  ///< that a block may opt in to
};

/// The tuning of either kernel by rule, from what ran best on an H200.
SddmmTuning csr_sddmm_row_tuning(std::int64_t rows, std::int64_t nnz, SddmmDevice const& device);
SddmmTuning csr_sddmm_panel_tuning(std::int64_t rows, std::int64_t cols, std::int64_t k, std::size_t scalar_bytes,
                                   SddmmDevice const& device);

/// What the panels of that tuning cost beside their entries, as the time of so many bytes of a panel: waves of blocks,
/// panels and rows of X. Infinite where they would be too many.
double csr_sddmm_panel_cost(std::int64_t rows, std::int64_t cols, std::int64_t k, std::size_t scalar_bytes,
                            SddmmDevice const& device);

/// Whether column_panels is the faster one by rule: rows have entries enough in each panel.
bool csr_sddmm_prefers_panels(std::int64_t rows, std::int64_t cols, std::int64_t nnz, std::int64_t k,
                              std::size_t scalar_bytes, SddmmDevice const& device);

/// Most elements of 16 bytes in a row that column_panels takes.
inline constexpr std::int64_t most_panel_loads = 128;
/// Bytes of a panel, beside the bounds of a block's rows.
inline constexpr std::int64_t most_panel_bytes = 192 * 1024;
/// Most rows of a block of panels, whose bounds are in shared memory too.
inline constexpr int most_panel_rows = 512;

}  // namespace araia::cuda
