// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What measuring itself costs, before any of it is done: so that a budget can be kept that no step can be taken back
// from.

#include <cstdint>
#include <string>

#include <araia/plan/report.hpp>

namespace araia::detail {

/// How much of a result a check looks at. The rows and columns are spread over it.
struct CheckedShare {
  std::int64_t rows = 0;     ///< 0: all; extremes come on top
  std::int64_t columns = 0;  ///< 0: all; the last ones come on top
};

inline constexpr std::int64_t sampled_extremes = 8;       ///< longest and shortest rows each, beside those by chance
inline constexpr std::int64_t sampled_last_columns = 64;  ///< where kernels have their remainders

inline constexpr std::int64_t sampled_sparse_rows = 128;  ///< of a sparse product

/// Of large problems a share: some tenths of a second of work.
[[nodiscard]] CheckedShare checked_share(Problem const& problem);

/// Elements of the result that the share has, at most.
[[nodiscard]] std::int64_t checked_elements(Problem const& problem);

/// Seconds, of an idle machine.
struct MeasuringPrice {
  double operands = 0;  ///< x and y, or B and C, made and filled, and what they should become worked out
  double check = 0;     ///< of one candidate's product, beside that product
};

/// Of operands as the problem has them.
[[nodiscard]] MeasuringPrice measuring_price(Problem const& problem, Machine const& machine);

/// Seconds that a race takes a candidate for, at the least that makes it one.
[[nodiscard]] double racing_price(double product_seconds);

/// Seconds that converting, verifying and racing the candidate take.
[[nodiscard]] double trial_price(CandidateReport const& candidate, MeasuringPrice const& price);

/// The seconds that measuring may take: the budget, or where the products that follow are known, a tenth of what they
/// take by the default, where that is less.
[[nodiscard]] double affordable_seconds(TuneReport const& report, double budget);

/// Steps that are shorter say nothing of a machine's speed.
inline constexpr double priceable_seconds = 5e-3;

/// Why nothing is timed, in a line: what one candidate needs, and what there is.
[[nodiscard]] std::string too_little_time(TuneReport const& report, CandidateReport const& candidate, double need,
                                          double affordable);

}  // namespace araia::detail
