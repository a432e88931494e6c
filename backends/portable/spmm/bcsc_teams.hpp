// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the descriptors of BCSC's team kernels share. On CUDA they stand behind the backend's kernels of the same names,
// which run where they have the types and the choice sets nothing that they do not read.

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include <araia/detail/kernels/bcsc_team_tuning.hpp>
#include <araia/detail/plan/traffic.hpp>
#include <araia/plan/choice.hpp>
#include "src/kernel/pricing.hpp"
#include "src/storage/info.hpp"

namespace araia::kernels {

/// The source in the Bcsc of the choice, with the kernel of the tuning. Defined in src/plan/bcsc_teams.cpp for the
/// types of plans. \tparam Bound  of extend/kernel.hpp \throws araia::Error unsupported where the tuning's tiles do not
/// fit scratch memory, resource_limit
template <class Bound, class Exec, class Source, class Options, class Tuning>
std::shared_ptr<Bound> bind_bcsc_teams(Exec const& exec, Source const& source, Choice const& choice,
                                       Options const& options, Tuning const& tuning);

/// \tparam Derived  has tuning_of(choice)
template <class Derived>
struct BcscTeamsKernel {
  static std::string refuse(Problem const& p, Choice const& c) {
    if (p.stats.nnz > std::numeric_limits<std::int32_t>::max()) return "plans keep bcsc with 32-bit offsets";
    return detail::why_not(Derived::tuning_of(c));
  }
  static double seconds(Pricing const& a) { return a.prices.empty() ? roofline_seconds(a) : detail::usual_seconds(a); }
  template <class Bound, class Exec, class Source, class Options>
  static std::shared_ptr<Bound> bind(Exec const& exec, Source const& source, Choice const& choice,
                                     Options const& options) {
    return bind_bcsc_teams<Bound>(exec, source, choice, options, Derived::tuning_of(choice));
  }
};

}  // namespace araia::kernels
