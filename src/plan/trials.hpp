// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which candidates a plan tries, and why others are out: the part of making a plan that needs a report alone.

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <araia/plan/options.hpp>
#include <araia/plan/report.hpp>
#include "src/plan/race.hpp"

namespace araia::detail {

/// \throws araia::Error invalid_argument where they are no numbers of seconds, or of products, for PlanOptions
void check_budget(double seconds);
void check_products(double products);

/// Candidates in the order in which they are tried: the CSR default and the model's choice, which the others are held
/// against, then by rank.
[[nodiscard]] std::vector<std::size_t> order_of_trial(TuneReport const& report);

/// Was it found right, and not timed?
[[nodiscard]] bool is_verified(TuneReport const& report, std::string const& label_of_choice);

/// The label of the first that is_verified; empty where none is.
[[nodiscard]] std::string first_verified(TuneReport const& report);

/// A choice of the model that there was no time to try and that on the measure of the CSR default is expected ahead of
/// what was timed, if it can be made within the time that is left; else null.
[[nodiscard]] CandidateReport* untried_model_choice(TuneReport& report, double budget, Deadline const& deadline);

/// Marks a candidate that there was no time for. \param done  what was done with it
void leave_for_time(TuneReport& report, CandidateReport& candidate, std::string const& done);

/// Marks a candidate that could not be made: what the structure or the memory does not allow is no failure of the
/// kernel.
void leave_out(CandidateReport& candidate, std::exception const& error);

/// \throws araia::Error resource_limit: what is held leaves no room for the candidate
[[noreturn]] void throw_no_room_beside();

/// How the candidate at a place of the report is tried.
struct Trial {
  /// Seconds that making, verifying and racing it take, by what was made before.
  std::function<double(std::size_t place)> price;
  /// Makes it and holds a product to the reference, as its `verified` says: what races, or nothing where it is wrong.
  /// Sets the seconds of that product. Throws where it cannot be made.
  std::function<std::optional<RacedCandidate>(std::size_t place, double& product_seconds)> run;
};

/// Tries candidates in order as long as there is time, and says in the report why others are out. One that would take
/// much of the time left is tried once all others were.
/// \param slowness  how many times longer than its price a step took so far, 1 at least: prices are those of an idle
///                  machine, and what any step takes longer all others are taken to
/// \return what races
std::vector<RacedCandidate> try_in_order(TuneReport& report, PlanOptions const& options, Deadline const& deadline,
                                         std::vector<std::size_t> const& order, double slowness, Trial const& trial);

/// No candidate is left: says what was asked for, and why the first that was tried is out.
[[noreturn]] void throw_none_left(TuneReport const& report, PlanOptions const& options);

}  // namespace araia::detail
