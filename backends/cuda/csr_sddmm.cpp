// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/cuda/csr_sddmm.hpp"

#include <araia/formats/type_list.hpp>

#include <algorithm>
#include <limits>
#include <string>

#include "backends/cuda/check.hpp"
#include "backends/cuda/sddmm_arguments.hpp"

namespace araia::cuda {

namespace {

constexpr int most_panel_rows = 512;  // of a block, whose bounds are in shared memory too

template <class T>
bool suits_vectors(DenseMatrix<T const> const& m) {
  return m.column_stride == 1 && is_aligned(m.data, 16) && m.row_stride % vector_of<T> == 0 &&
         m.columns % vector_of<T> == 0;
}

[[noreturn]] void refuse(std::string const& what) {
  throw Error(ErrorKind::invalid_argument, "araia: csr_sddmm: " + what);
}

}  // namespace

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

SddmmTuning csr_sddmm_panel_tuning(std::int64_t rows, std::int64_t cols, std::int64_t k, std::size_t scalar_bytes,
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
  return best;
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

template <class T>
bool csr_sddmm_panels_support(DenseMatrix<T const> const& x, DenseMatrix<T const> const& y) {
  return suits_vectors(x) && suits_vectors(y) && x.columns > 0 && x.columns / vector_of<T> <= most_panel_loads;
}
template bool csr_sddmm_panels_support(DenseMatrix<double const> const&, DenseMatrix<double const> const&);
template bool csr_sddmm_panels_support(DenseMatrix<float const> const&, DenseMatrix<float const> const&);

template <class T, class Offset>
void csr_sddmm(CsrPointers<T, std::int32_t, Offset> const& a, T alpha, DenseMatrix<T const> const& x,
               DenseMatrix<T const> const& y, T beta, T* d, SddmmTuning const& tuning, cudaStream_t stream) {
  bool const panels = tuning.panel_columns != 0;
  if (tuning.parts < 1 || tuning.parts > 1024 || tuning.rows_per_block < 1 ||
      tuning.rows_per_block > (panels ? most_panel_rows : 65536))
    refuse("parts, rows_per_block are " + std::to_string(tuning.parts) + ", " + std::to_string(tuning.rows_per_block) +
           ", expected 1 to 1024, 1 to " + std::to_string(panels ? most_panel_rows : 65536));
  if (panels) {
    if (!csr_sddmm_panels_support(x, y))
      refuse("panels want rows of X and Y that suit 16-byte loads, up to " + std::to_string(most_panel_loads) +
             " of them, got other strides, addresses or lengths");
    std::int64_t const most = most_panel_bytes / (x.columns * static_cast<std::int64_t>(sizeof(T)));
    if (tuning.panel_columns < 1 || tuning.panel_columns > most)
      refuse("panel_columns is " + std::to_string(tuning.panel_columns) + ", expected 0 to " + std::to_string(most));
  }
  if (a.nnz == 0) return;
  std::int64_t const parts = panels ? (a.cols + tuning.panel_columns - 1) / tuning.panel_columns : tuning.parts;
  SddmmArguments<T, Offset> const args{.a = a,
                                       .d = d,
                                       .x = x.data,
                                       .y = y.data,
                                       .x_row_stride = x.row_stride,
                                       .x_k_stride = x.column_stride,
                                       .y_row_stride = y.row_stride,
                                       .y_k_stride = y.column_stride,
                                       .k = x.columns,
                                       .alpha = alpha,
                                       .beta = beta,
                                       .parts = static_cast<int>(parts),
                                       .rows_per_block = tuning.rows_per_block,
                                       .row_blocks = grid_blocks(a.rows, tuning.rows_per_block, "araia: csr_sddmm")};
  if (panels)
    sddmm_column_panels(args, tuning.panel_columns, stream);
  else
    sddmm_row_parts(args, suits_vectors(x) && suits_vectors(y), stream);
}

[[gnu::used]] static void write_out_csr_sddmm() {
  using namespace araia::detail;
  for_types<AllReals, AllOffsets>([&]<class T, class F>() { write_out(csr_sddmm<T, F>); });
}

}  // namespace araia::cuda
