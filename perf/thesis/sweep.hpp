// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The thesis's experiments as a list of cells, a matrix with a number of columns each: what bench_thesis runs, in parts
// and over several runs. Free of CUDA and of Kokkos.

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <araia/detail/generate/generated_matrix.hpp>

namespace araia::thesis {

/// A matrix of the thesis's sets, by the kind of the library's generator.
struct SweepMatrix {
  std::string kind;       ///< of generate::matrix()
  std::int64_t rows = 0;  ///< 0: the kind's default
  double sparsity = 0;    ///< of pruned layers
  [[nodiscard]] std::string name() const;
  [[nodiscard]] GeneratedMatrix make() const;
};

/// The kernels of tables 4.2 to 4.4 on pruned layers, those of 4.5 to 4.7 on look-alikes above 0.99.
struct Cell {
  std::vector<std::string> tables;  ///< whose presets are timed: of one set, ascending
  SweepMatrix matrix;
  int columns = 0;
  [[nodiscard]] bool is_pruned() const;
  /// What tells it from the others in files of results.
  [[nodiscard]] std::string key() const;
};

/// "4.2" to "4.7".
[[nodiscard]] std::vector<std::string> table_names();

/// The cells of the tables asked for, those of a matrix together: 140 of pruned layers, 28 of look-alikes.
/// \param tables  empty: all
/// \throws std::invalid_argument naming the tables that there are
[[nodiscard]] std::vector<Cell> cells(std::vector<std::string> const& tables);

/// Part i of n.
struct Part {
  std::size_t index = 1;  ///< 1 to of
  std::size_t of = 1;
};
/// \param text  "2/8" \throws std::invalid_argument
[[nodiscard]] Part part_of(std::string const& text);
/// Every n-th cell, so that parts take about the same time.
[[nodiscard]] std::vector<Cell> of_part(std::vector<Cell> const& all, Part const& part);

/// Keys of the cells whose results are whole lines of the file; what a stopped run left of a line is cut off. A file
/// that is not there has none.
/// \throws std::runtime_error for a line that is none of bench_thesis
[[nodiscard]] std::set<std::string> finished_cells(std::string const& path);

/// The beginning of a cell's line, which finished_cells() knows it by.
[[nodiscard]] std::string line_beginning(Cell const& cell);

/// A BCSC of int32 indices in host memory, blocks of one height, columns ascending.
/// Cost    nnz log(nnz of a block) steps
struct HostBcsc {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t block_height = 0;
  std::vector<std::int32_t> block_offsets{};  ///< (blocks + 1)
  std::vector<std::int32_t> block_cols{};     ///< (block columns)
  std::vector<std::int32_t> col_offsets{};    ///< (block columns + 1)
  std::vector<std::int32_t> row_in_block{};   ///< (nnz)
  std::vector<float> values{};                ///< (nnz)
};
[[nodiscard]] HostBcsc to_bcsc(GeneratedMatrix const& A, std::int64_t block_height);

}  // namespace araia::thesis
