// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/openmp/csr_row_runs.hpp"

#include <algorithm>
#include <araia/detail/formats/first_failure.hpp>
#include <cstddef>
#include <utility>

namespace araia::host {

namespace {

// A change of run is a mispredicted branch, some 20 cycles, as long as it takes to read this many columns from memory.
constexpr std::int64_t least_shared_entries = 24;

// Rows between runs with at most this many entries get lists of their own: going back to the matrix for them is two
// dependent misses.
constexpr std::int64_t most_entries_listed = 96;

// A slice of Sell: fewer rows leave fill on its diagonals.
constexpr std::int64_t least_rows_on_diagonals = 32;

/// Finds the runs among stored rows [first, last), a chunk by itself.
template <class Offset>
class ChunkOfRuns {
 public:
  template <class Pointers>
  explicit ChunkOfRuns(Pointers const& a)
      : row_offsets_(a.row_offsets), col_indices_(a.col_indices), cols_(a.cols), nnz_(a.nnz) {}

  CsrRowRuns find(std::int64_t first, std::int64_t last) {
    for (std::int64_t row = first; row < last;) {
      std::int32_t shift = 0;
      std::int64_t const end = end_of_run(row, last, shift);
      std::int64_t const shared = (end - row - 1) * length(row);
      if (shared >= least_shared_entries) {
        list_rows_between(row);
        add_list(row, end, shift);
        out_.shared_entries += shared;
        if (shift == 1) count_diagonals(end - row, shared);
        row = end;
      } else {
        if (out_.runs.empty() || out_.runs.back().shift != CsrRowRun::own_columns)
          out_.runs.push_back({.first_entry = begin(row), .first_row = static_cast<std::int32_t>(row)});
        ++row;
      }
    }
    list_rows_between(last);
    end_diagonals();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::int64_t begin(std::int64_t row) const { return static_cast<std::int64_t>(row_offsets_[row]); }
  [[nodiscard]] std::int64_t length(std::int64_t row) const { return begin(row + 1) - begin(row); }

  /// The first row after `row` that does not have its columns, each row's moved by `shift` from the row before.
  std::int64_t end_of_run(std::int64_t row, std::int64_t last, std::int32_t& shift) const {
    std::int32_t const* const columns = col_indices_ + begin(row);
    std::int64_t const count = length(row);
    std::int64_t end = row + 1;
    for (; count > 0 && end < last && length(end) == count; ++end) {
      std::int32_t const* const next = col_indices_ + begin(end);
      if (end == row + 1) shift = next[0] - columns[0];
      std::int64_t const moved = (end - row) * shift;
      bool same = true;
      for (std::int64_t k = 0; same && k < count; k += 8) {
        std::int64_t const stop = std::min(count, k + 8);
        for (std::int64_t j = k; j < stop; ++j) same &= next[j] == columns[j] + moved;
      }
      if (!same) break;
    }
    return end;
  }

  void add_list(std::int64_t row, std::int64_t end, std::int32_t shift) {
    bool const grouped = shift == 0 && in_groups(row) && begin(end) < nnz_;
    out_.runs.push_back({.first_entry = begin(row),
                         .list = static_cast<std::int64_t>(out_.columns.size()),
                         .groups = grouped ? static_cast<std::int64_t>(out_.groups.size()) : CsrRowRun::no_groups,
                         .first_row = static_cast<std::int32_t>(row),
                         .shift = shift,
                         .length = static_cast<std::int32_t>(length(row))});
    out_.columns.insert(out_.columns.end(), col_indices_ + begin(row), col_indices_ + begin(row + 1));
    if (grouped)
      for (std::int64_t k = begin(row); k < begin(row + 1); k += CsrRowRun::group_width)
        out_.groups.push_back(col_indices_[k]);
  }

  /// Whether a row is groups of columns side by side, none of them at the matrix's last column.
  [[nodiscard]] bool in_groups(std::int64_t row) const {
    constexpr std::int64_t width = CsrRowRun::group_width;
    std::int32_t const* const columns = col_indices_ + begin(row);
    std::int64_t const count = length(row);
    if (count % width != 0) return false;
    for (std::int64_t k = 0; k < count; k += width) {
      if (columns[k] + width >= cols_) return false;
      for (std::int64_t j = 1; j < width; ++j)
        if (columns[k + j] != columns[k] + j) return false;
    }
    return count > 0;
  }

  /// The run just listed, of rows shifted by 1. Grid lines follow each other on the same diagonals.
  void count_diagonals(std::int64_t rows, std::int64_t shared) {
    auto const& run = out_.runs.back();
    std::vector<std::int32_t> diagonals(out_.columns.begin() + run.list, out_.columns.end());
    for (auto& d : diagonals) d -= run.first_row;
    if (diagonals != diagonals_) {
      end_diagonals();
      diagonals_ = std::move(diagonals);
    }
    rows_on_diagonals_ += rows;
    shared_on_diagonals_ += shared;
  }
  void end_diagonals() {
    if (rows_on_diagonals_ >= least_rows_on_diagonals) out_.diagonal_entries += shared_on_diagonals_;
    rows_on_diagonals_ = 0;
    shared_on_diagonals_ = 0;
  }

  /// A few rows between runs, as at the ends of grid lines, get a list each.
  void list_rows_between(std::int64_t end) {
    if (out_.runs.size() < 2 || out_.runs.back().shift != CsrRowRun::own_columns) return;
    std::int64_t const first = out_.runs.back().first_row;
    if (begin(end) - out_.runs.back().first_entry > most_entries_listed) return;
    out_.runs.pop_back();
    for (std::int64_t row = first; row < end; ++row) add_list(row, row + 1, 0);
  }

  Offset const* row_offsets_;
  std::int32_t const* col_indices_;
  std::int64_t cols_;
  std::int64_t nnz_;
  std::vector<std::int32_t> diagonals_;  // of the last runs of rows shifted by 1, and what they have
  std::int64_t rows_on_diagonals_ = 0;
  std::int64_t shared_on_diagonals_ = 0;
  CsrRowRuns out_;
};

}  // namespace

template <class Scalar, class Offset>
CsrRowRuns csr_row_runs(CsrPointers<Scalar, std::int32_t, Offset> const& a, [[maybe_unused]] int threads,
                        bool for_spmm) {
  // Chunks are cut by rows alone, so that the runs do not depend on the thread count.
  constexpr std::int64_t rows_per_chunk = 1 << 14;
  std::int64_t const chunks = (a.rows + rows_per_chunk - 1) / rows_per_chunk;
  std::vector<CsrRowRuns> found(static_cast<std::size_t>(chunks));
  detail::FirstFailure failure;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(threads)
#endif
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
    failure.guard([&] {
      found[static_cast<std::size_t>(chunk)] =
          ChunkOfRuns<Offset>(a).find(chunk * rows_per_chunk, std::min(a.rows, (chunk + 1) * rows_per_chunk));
    });
  failure.rethrow();
  CsrRowRuns out;
  for (auto& chunk : found) {
    for (auto& run : chunk.runs) {
      if (run.length > 0) run.list += static_cast<std::int64_t>(out.columns.size());
      if (run.groups != CsrRowRun::no_groups) run.groups += static_cast<std::int64_t>(out.groups.size());
    }
    out.columns.insert(out.columns.end(), chunk.columns.begin(), chunk.columns.end());
    out.groups.insert(out.groups.end(), chunk.groups.begin(), chunk.groups.end());
    auto const from = chunk.runs.begin();
    bool const joins =
        !out.runs.empty() && out.runs.back().shift == CsrRowRun::own_columns && from->shift == CsrRowRun::own_columns;
    out.runs.insert(out.runs.end(), joins ? from + 1 : from, chunk.runs.end());
    out.shared_entries += chunk.shared_entries;
    out.diagonal_entries += chunk.diagonal_entries;
  }
  out.plane_chunks = plane_chunks(a);
  if (for_spmm) out.reuse = column_reuse(a);
  return out;
}

template CsrRowRuns csr_row_runs(CsrPointers<float, std::int32_t, std::int32_t> const&, int, bool);
template CsrRowRuns csr_row_runs(CsrPointers<float, std::int32_t, std::int64_t> const&, int, bool);
template CsrRowRuns csr_row_runs(CsrPointers<double, std::int32_t, std::int32_t> const&, int, bool);
template CsrRowRuns csr_row_runs(CsrPointers<double, std::int32_t, std::int64_t> const&, int, bool);

}  // namespace araia::host
