// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How a plan of SpGEMM chooses its kernel: the part that knows no types.

#include <cstdint>
#include <functional>
#include <memory>

#include <araia/detail/ops/spgemm_options.hpp>
#include <araia/plan/options.hpp>
#include <araia/plan/report.hpp>
#include "src/plan/race.hpp"

namespace araia::detail {

/// The product by one kernel, its symbolic step done.
class SpgemmTrial {
 public:
  virtual ~SpgemmTrial() = default;
  /// C = op(A) op(B), complete.
  virtual void execute() = 0;
  /// Holds sampled rows of C to the reference.
  virtual VerifyReport verify() = 0;
  [[nodiscard]] virtual SpgemmReport const& report() const = 0;
  /// C's values, and their bytes.
  [[nodiscard]] virtual void* values(std::uint64_t& bytes) = 0;
};

struct SpgemmTrials {
  /// Makes the trial of a choice within bytes of C and workspace; throws as make_spgemm.
  std::function<std::shared_ptr<SpgemmTrial>(Choice const&, std::uint64_t memory_limit)> make;
  std::function<void()> fence;
  std::uint64_t memory_limit = 0;  ///< bytes of all trials together
  std::uint64_t shared_bytes = 0;  ///< of what each trial's report counts and all share: op(A) and op(B)
};

/// Finds the candidate that the plan takes, in front of the report, and fills that. By the model its C is not there
/// yet; where candidates were timed it is filled.
/// \param report  of modelled_report or pinned_report
/// \throws araia::Error as make_spgemm where a choice is pinned; else, where no candidate is left, what is said of the
/// first that was tried
std::shared_ptr<SpgemmTrial> choose_spgemm(TuneReport& report, PlanOptions const& options, SpgemmTrials const& trials,
                                           Deadline const& deadline);

}  // namespace araia::detail
