// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/plan/measuring_price.hpp"

#include <algorithm>
#include <cmath>

#include "src/formatted.hpp"
#include "src/kernel/operations.hpp"
#include "src/kernel/pricing.hpp"
#include "src/kernel/sparse_product.hpp"

namespace araia::detail {
namespace {

// Of one thread of a host, within a factor of two of what was seen on three: measuring a step before it corrects them.
constexpr double fills = 0.5e9;         // bytes a second of random numbers into new pages
constexpr double new_pages = 1e9;       // bytes a second copied into new pages
constexpr double copies = 3e9;          // bytes a second copied into pages that are there
constexpr double reference = 25e-9;     // seconds of a product of two elements in the wider type
constexpr double compared = 20e-9;      // seconds of an element held to its bound
constexpr double expected_bytes = 64;   // of what an element should be, in new pages
constexpr double device_fills = 200e9;  // bytes a second
constexpr double to_host = 5e9;         // bytes a second between a device and pageable memory
constexpr double most_threads = 8;      // that these gain by
constexpr double summed = 50e-9;        // seconds of a product that is added to its column's sum in a hash table

/// Entries of a row of the result's, in the mean.
double mean_of(Problem const& p) {
  return std::max(1.0, static_cast<double>(p.stats.nnz) / std::max(1.0, result_rows(p)));
}

/// Every element of a row needs all columns: a share of rows is all that there is to check less.
bool checks_whole_rows(Problem const& p) { return p.operation == OpId::sddmm; }

/// Rows of a sparse product by a textbook loop of one thread; from a device A, B and C are brought first.
MeasuringPrice price_of_sparse(Problem const& p, Machine const& m) {
  auto const products = static_cast<double>(p.sparse.products);
  double const share = static_cast<double>(sampled_sparse_rows) / std::max(1.0, static_cast<double>(p.stats.rows));
  MeasuringPrice price;
  price.check = std::min(1.0, share) * products * summed;
  if (m.device) {
    double const entry = p.value_bytes + p.ordinal_bytes;
    double const entries = static_cast<double>(p.stats.nnz) + static_cast<double>(p.sparse.b_entries);
    price.check +=
        (entries * entry + sparse_result_entries(p) * (p.ordinal_bytes + p.y_bytes)) * (1 / to_host + 1 / new_pages);
  }
  return price;
}

}  // namespace

CheckedShare checked_share(Problem const& problem) {
  constexpr double whole_work = 1 << 23;  // products or elements: some tenths of a second
  constexpr double sample_work = 1 << 22;
  constexpr double fewest_rows = 64;
  constexpr double most_rows = 8192;
  constexpr double fewest_columns = 64;
  auto const columns = static_cast<double>(problem.columns);
  auto const rows = result_rows(problem);
  CheckedShare share;
  if (std::max(static_cast<double>(problem.stats.nnz), rows) * columns <= whole_work) return share;
  double const mean = mean_of(problem);
  auto const count = std::clamp(std::floor(sample_work / (mean * columns)), fewest_rows, most_rows);
  if (count < rows) share.rows = static_cast<std::int64_t>(count);
  if (checks_whole_rows(problem)) return share;
  double const of_a_column = std::max(1.0, std::min(count, rows) * mean);
  double const fitting = std::max(fewest_columns, std::floor(sample_work / of_a_column));
  if (2 * fitting < columns) share.columns = static_cast<std::int64_t>(fitting);
  return share;
}

std::int64_t checked_elements(Problem const& problem) {
  auto const share = checked_share(problem);
  double const all_rows = result_rows(problem);
  double const rows =
      share.rows == 0 ? all_rows : std::min(all_rows, static_cast<double>(share.rows + 2 * sampled_extremes));
  constexpr double most = 9e18;  // of 64 bits
  if (checks_whole_rows(problem)) {
    double const longest = static_cast<double>(sampled_extremes) * static_cast<double>(problem.stats.max_length);
    double const entries = share.rows == 0 ? result_elements(problem) : rows * mean_of(problem) + longest;
    return static_cast<std::int64_t>(std::min(result_elements(problem), entries));
  }
  double const columns = share.columns == 0 ? static_cast<double>(problem.columns)
                                            : static_cast<double>(share.columns + sampled_last_columns);
  return static_cast<std::int64_t>(std::min(most, rows * columns));
}

MeasuringPrice measuring_price(Problem const& p, Machine const& m) {
  if (p.operation == OpId::spgemm) return price_of_sparse(p, m);
  double const apart = p.strided ? 4 : 1;  // times the elements, as Operands lays them
  double const b_bytes = apart * operand_elements(p) * p.x_bytes;
  double const c_bytes = apart * result_elements(p) * p.y_bytes;
  double const threads = m.device ? most_threads : std::clamp(static_cast<double>(m.concurrency), 1.0, most_threads);
  auto const elements = static_cast<double>(checked_elements(p));
  MeasuringPrice price;
  price.operands = (b_bytes + c_bytes) / (m.device ? device_fills : fills * threads) + 2 * c_bytes / new_pages +
                   elements * (terms_of_element(p) * reference / threads + compared + expected_bytes / new_pages);
  price.check = (m.device ? c_bytes / to_host : 0) + 2 * c_bytes / copies + elements * compared;
  if (m.device) {  // the matrix and B go to the host, where the reference is
    double const matrix = static_cast<double>(p.stats.nnz) * (p.value_bytes + p.ordinal_bytes) +
                          static_cast<double>(p.stats.rows) * p.offset_bytes;
    price.operands += (matrix + b_bytes) * (1 / to_host + 1 / new_pages) + c_bytes / to_host;
  }
  return price;
}

double racing_price(double product_seconds) {
  constexpr double samples = 2;
  constexpr double products = 8;          // of a sample, untimed ones included
  constexpr double shortest = 8 * 75e-6;  // seconds of a sample
  return samples * std::max(products * product_seconds, shortest);
}

double trial_price(CandidateReport const& candidate, MeasuringPrice const& price) {
  return conversion_seconds(candidate) + price.check + ranking_seconds(candidate) +
         racing_price(ranking_seconds(candidate));
}

double affordable_seconds(TuneReport const& report, double budget) {
  constexpr double worth_it = 0.1;  // of the time that all products take
  if (report.products <= 0) return budget;
  auto const* baseline = report.baseline();
  auto const& by = baseline ? *baseline : report.candidates.front();
  return std::min(budget, worth_it * report.products * by.modelled_seconds);
}

std::string too_little_time(TuneReport const& report, CandidateReport const& candidate, double need,
                            double affordable) {
  std::string const what = formatted("making operands, verifying and timing {} takes about {}", label(candidate.choice),
                                     format_seconds(need));
  if (report.products > 0 && affordable < need)
    return formatted("nothing was timed: {}, of which {:.0f} products pay for {}", what, report.products,
                     format_seconds(affordable));
  return formatted("nothing was timed: {}, the budget is {}", what, format_seconds(affordable));
}

}  // namespace araia::detail

double araia::modelled_verification_seconds(TuneReport const& report) {
  auto const price = detail::measuring_price(report.problem, report.machine);
  return price.operands + price.check + ranking_seconds(report.winner());
}
