// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/lib/spmm_problem.hpp"

#include <algorithm>
#include "backends/cuda/lib/short_rows.hpp"

namespace araia::cuda {
namespace {

// What was measured for the constants is in docs/lab/cuda_kernels.md.

constexpr int most_rows_of_group = 4;
// A row more in a group, in reads of a row of B: its products and its value of A.
constexpr double row_of_group = 0.2;
constexpr double row_of_group_double = 0.25;
constexpr double sparse_in_blocks = 0.015;  // density, measured

constexpr double rows_start = 1.8;                    // us
constexpr double rows_product = 0.21e-6;              // us, from L2
constexpr double rows_product_sparse = 0.0022e-6;     // over density: less of B is found in L1
constexpr double rows_product_all_from_l2 = 0.19e-6;  // the most of it
constexpr double rows_row = 0.33e-3;                  // us, of rows that wait for a warp
constexpr double doubles_start = 0.5;                 // us more, by two columns a lane
constexpr std::int64_t doubles_in_twos = 16;          // columns
constexpr double doubles_product_few = 0.28e-6;       // us, over twice that of float
constexpr double doubles_product_many = 0.08e-6;
constexpr std::int64_t few_columns = 256;
constexpr double rows_product_wide = 0.03e-6;  // the same of float for many columns
constexpr std::int64_t many_columns = 1024;

constexpr std::int64_t much_longer = 4;          // means
constexpr double rows_step = 0.3;                // us, of a row much longer than the mean
constexpr double rows_step_of_fours = 0.42;      // by four columns a lane
constexpr double entries_of_step = 8;            // of a warp's lanes that share a row of B
constexpr std::int64_t row_bytes_waiting = 256;  // of C, at most: short rows wait for the long one
constexpr double packed_over_unpacked = 1.2;

double all_rows_time(SpmmProblem const& p) {
  double const products = static_cast<double>(p.nnz) * static_cast<double>(p.columns);
  double const from_l2 = std::min(rows_product_sparse / p.density(), rows_product_all_from_l2);
  double const waiting =
      rows_row * std::max(0.0, static_cast<double>(p.rows) - padded_warps_resident * p.multiprocessors);
  if (!p.single())
    return rows_start + (p.columns >= doubles_in_twos ? doubles_start : 0) + waiting +
           products *
               (2 * (rows_product + from_l2) + (p.columns <= few_columns ? doubles_product_few : doubles_product_many));
  return rows_start + waiting +
         products * (rows_product + from_l2 + (p.columns >= many_columns ? rows_product_wide : 0));
}

}  // namespace

double SpmmProblem::density() const {
  double const cells = static_cast<double>(rows) * static_cast<double>(cols);
  return cells > 0 ? static_cast<double>(nnz) / cells : 1;
}

double SpmmProblem::operand_bytes() const {
  auto const scalar = static_cast<double>(scalar_bytes);
  return static_cast<double>(nnz) * (scalar + sizeof(std::int32_t)) +
         static_cast<double>(rows + cols) * static_cast<double>(columns) * scalar;
}

bool SpmmProblem::has_much_longer_row() const {
  return static_cast<double>(longest) * static_cast<double>(rows) > much_longer * static_cast<double>(nnz);
}

bool SpmmProblem::rows_share_columns() const {
  return density() <= sparse_in_blocks && groups_of_four_pay(shared, scalar_bytes);
}

double reads_of_entry(int group_rows, double shared, bool is_double) {
  return (1 + group_rows * (is_double ? row_of_group_double : row_of_group)) / shared;
}

bool groups_of_four_pay(double shared, std::size_t scalar_bytes) {
  bool const is_double = scalar_bytes == sizeof(double);
  return reads_of_entry(most_rows_of_group, shared, is_double) < gain_of_groups * reads_of_entry(1, 1, is_double);
}

CsrSpmmRowTuning padded_row_tuning(SpmmProblem const& p) {
  return csr_spmm_row_tuning(p.rows, p.nnz, p.columns, p.scalar_bytes, p.multiprocessors, padded_warps_resident);
}

double warp_per_row_time(SpmmProblem const& p) {
  return std::max(all_rows_time(p), longest_row_time(p, padded_row_tuning(p)));
}

double longest_row_time(SpmmProblem const& p, CsrSpmmRowTuning const& tuning) {
  if (!p.has_much_longer_row()) return 0;
  return rows_start + static_cast<double>(p.longest) * tuning.lanes / (32 * entries_of_step * tuning.split) *
                          (tuning.vector == 4 ? rows_step_of_fours : rows_step);
}

bool goes_unpacked(SpmmProblem const& p) {
  if (!detail::has_sparse_short_rows(p.rows, p.cols, p.nnz, p.row_bytes())) return false;
  bool const read_once = p.rows_share_columns() && detail::has_rows_of_many(p.rows, p.nnz);
  bool const waits = p.has_much_longer_row() && p.row_bytes() <= row_bytes_waiting;
  bool const by_words = !p.has_rows_of_packs() && p.nnz >= entries_worth_grouping;
  return detail::has_shortest_rows(p.rows, p.nnz) || (by_words && !waits && !read_once);
}

double least_of_packed_short_rows(SpmmProblem const& p) {
  return shortest_group_start * microsecond +
         packed_over_unpacked * detail::short_rows_seconds(p.rows, p.nnz, p.columns, static_cast<int>(p.scalar_bytes));
}

}  // namespace araia::cuda
