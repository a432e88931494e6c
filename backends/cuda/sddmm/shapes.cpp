// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/sddmm/shapes.hpp"

#include <algorithm>
#include <limits>

namespace araia::cuda {

SddmmTuning csr_sddmm_row_tuning(std::int64_t rows, std::int64_t nnz, SddmmDevice const& device) {
  // Blocks of one part read the same columns, where these ascend, so that L1 has them; and few rows want parts to fill
  // the device.
  constexpr std::int64_t rows_of_parts = 16;
  constexpr std::int64_t most_entries = 80;  // of a part
  constexpr std::int64_t least_entries = 12;
  std::int64_t const mean = nnz / std::max<std::int64_t>(rows, 1);
  std::int64_t const blocks_wanted = std::int64_t{4} * device.multiprocessors;
  std::int64_t const filling = blocks_wanted * rows_of_parts / std::max<std::int64_t>(rows, 1);
  SddmmTuning t;
  t.parts = static_cast<int>(
      std::clamp<std::int64_t>(std::max(mean / most_entries, std::min(filling, mean / least_entries)), 1, 1024));
  if (t.parts > 1) t.rows_per_block = rows_of_parts;
  while (t.rows_per_block > 8 && 2 * rows * t.parts < blocks_wanted * t.rows_per_block) t.rows_per_block /= 2;
  return t;
}

namespace {

/// A tuning of column_panels, and what it costs in bytes of a panel.
struct Panels {
  SddmmTuning tuning;
  double cost;
};

Panels cheapest_panels(std::int64_t rows, std::int64_t cols, std::int64_t k, std::size_t scalar_bytes,
                       SddmmDevice const& device) {
  // One block fits a multiprocessor. Each wave of blocks waits for panels, then each row of a block for its row of X:
  // the panels' and blocks' shapes that cost least, all in bytes.
  constexpr double wave_bytes = 150 * 1024;  // as long as starting a wave and finding rows' parts take
  constexpr double x_over_panel = 4;         // a row of X comes by itself, the panel as one
  constexpr double x_bytes = 256;            // a row costs as long as so many bytes of a panel beside its own
  constexpr std::int64_t most_waves = 64;
  std::int64_t const row_bytes = std::max<std::int64_t>(k, 1) * static_cast<std::int64_t>(scalar_bytes);
  std::int64_t const bounds_bytes = std::int64_t{2} * most_panel_rows * 8;
  std::int64_t const most_bytes =
      std::min(most_panel_bytes, static_cast<std::int64_t>(device.shared_bytes) - bounds_bytes);
  std::int64_t const most_columns =
      std::clamp<std::int64_t>(most_bytes / row_bytes, 1, std::max<std::int64_t>(cols, 1));
  std::int64_t const fewest = std::max<std::int64_t>(1, (cols + most_columns - 1) / most_columns);
  SddmmTuning best{.panel_columns = static_cast<int>(most_columns), .parts = 1, .rows_per_block = most_panel_rows};
  double best_cost = std::numeric_limits<double>::infinity();
  for (std::int64_t panels = fewest; panels <= std::min<std::int64_t>(4 * fewest + 16, cols); ++panels) {
    std::int64_t const columns = (cols + panels - 1) / panels;
    // The fewest waves whose blocks hold their rows: more of them cost more.
    std::int64_t const fewest_blocks = std::max<std::int64_t>(1, (rows + most_panel_rows - 1) / most_panel_rows);
    std::int64_t const waves = (panels * fewest_blocks + device.multiprocessors - 1) / device.multiprocessors;
    if (waves > most_waves) continue;
    std::int64_t const row_blocks = waves * device.multiprocessors / panels;
    std::int64_t const rows_per_block = (rows + row_blocks - 1) / row_blocks;
    double const x_cost = x_bytes + x_over_panel * static_cast<double>(row_bytes);
    double const cost = static_cast<double>(waves) * (wave_bytes + static_cast<double>(row_bytes * columns) +
                                                      x_cost * static_cast<double>(rows_per_block));
    if (cost < best_cost) {
      best_cost = cost;
      best.panel_columns = static_cast<int>(columns);
      best.rows_per_block = static_cast<int>(std::max<std::int64_t>(rows_per_block, 1));
    }
  }
  return {best, best_cost};
}

}  // namespace

SddmmTuning csr_sddmm_panel_tuning(std::int64_t rows, std::int64_t cols, std::int64_t k, std::size_t scalar_bytes,
                                   SddmmDevice const& device) {
  return cheapest_panels(rows, cols, k, scalar_bytes, device).tuning;
}

double csr_sddmm_panel_cost(std::int64_t rows, std::int64_t cols, std::int64_t k, std::size_t scalar_bytes,
                            SddmmDevice const& device) {
  return cheapest_panels(rows, cols, k, scalar_bytes, device).cost;
}

bool csr_sddmm_prefers_panels(std::int64_t rows, std::int64_t cols, std::int64_t nnz, std::int64_t k,
                              std::size_t scalar_bytes, SddmmDevice const& device) {
  if (rows == 0 || cols == 0) return false;
  // Below these, loading panels and finding rows' parts costs more than it saves: bytes of Y that a row's part of a
  // panel reads, and all of them.
  constexpr double least_bytes_of_part = 5000;
  constexpr double least_bytes = 40e6;
  double const row_bytes = static_cast<double>(k) * static_cast<double>(scalar_bytes);
  double const bytes = static_cast<double>(nnz) * row_bytes;
  double const places = static_cast<double>(rows) * static_cast<double>(cols);
  // Most matrices are told apart before the panels' shape is looked for, which takes long where there are many.
  if (bytes < least_bytes || bytes * most_panel_bytes < least_bytes_of_part * places * row_bytes) return false;
  auto const t = csr_sddmm_panel_tuning(rows, cols, k, scalar_bytes, device);
  return bytes >= least_bytes_of_part * places / t.panel_columns;
}

}  // namespace araia::cuda
