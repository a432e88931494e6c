// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Plans as contenders, and one call without a tuning: what a user of the library gets without choosing, and kernels
// that pack a matrix of their own, which plans alone reach.

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <araia/plan/plan.hpp>
#include "src/engine/kernels.hpp"
#include "src/engine/names.hpp"

#include "options.hpp"
#include "suite.hpp"

namespace araia::perf::detail {

/// label() without blanks, for Google Benchmark's label.
inline std::string choice_word(Choice const& choice) {
  std::string word = label(choice);
  std::replace(word.begin(), word.end(), ' ', '_');
  return word;
}

/// The packing that the model expects the least time of: of this storage, and of this kernel where one is named.
inline Choice packing_by_model(TuneReport const& report, std::string_view storage, std::string_view kernel) {
  CandidateReport const* best = nullptr;
  for (auto const& c : report.candidates)
    if (c.choice.format == storage && !araia::detail::packing_of(storage, c.choice.kernel).empty() &&
        (kernel.empty() || c.choice.kernel == kernel) && (!best || c.modelled_seconds < best->modelled_seconds))
      best = &c;
  if (!best)
    throw LeftOut("plans list no packing of " + std::string(storage) + ' ' + std::string(kernel) +
                  " for this product on this device");
  return best->choice;
}

/// The matrices of a problem as they are.
constexpr auto matrices_of_problem = [](auto const& problem, int copy) -> auto const& { return problem.source(copy); };

/// A plan for each copy of a problem. The first one is planned, the others are pinned to its choice.
/// \tparam MatrixOf  matrix_of(problem, copy): the Csr
template <class Problem, class DescOf, class MatrixOf, class X, class Y>
class PlanContender {
 public:
  using Scalar = typename Problem::value_type;
  using Desc = decltype(std::declval<DescOf const&>()(std::declval<Problem const&>()));
  using Pin = std::function<Choice(TuneReport const&)>;

  /// \param pin  the choice among the candidates of a plan; null: what the plan chooses
  PlanContender(DescOf desc_of, MatrixOf matrix_of, X x, Y y, bool column_major, double tuning_seconds, Pin pin)
      : desc_of_(std::move(desc_of)),
        matrix_of_(std::move(matrix_of)),
        x_(x),
        y_(y),
        column_major_(column_major),
        tuning_seconds_(tuning_seconds),
        pin_(std::move(pin)) {}

  /// Plans and drops the plan: what it takes depends on what it chooses.
  Storage storage(Problem const& problem) {
    std::optional<Choice> pinned;
    if (pin_) pinned = pin_(make(problem, 0, {}).report());
    auto const start = std::chrono::steady_clock::now();
    auto const plan = make(problem, 0, pinned);
    problem.exec.fence("araia::perf: end of planning");
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    choice_ = plan.choice();
    auto const bytes = static_cast<double>(plan.bytes());
    constexpr OpId operation = std::decay_t<decltype(plan.description())>::operation;
    double const shared = araia::detail::shares_source(operation, choice_) ? Problem::csr_bytes(problem.host) : 0;
    return {.read = bytes, .made = std::max(0.0, bytes - shared)};
  }

  /// Of what storage() chose for the same problem.
  Prepared prepare(Problem& problem) const {
    auto const plans = std::make_shared<std::vector<decltype(make(problem, 0, choice_))>>();
    for (int copy = 0; copy < problem.copies(); ++copy) plans->push_back(make(problem, copy, choice_));
    problem.exec.fence("araia::perf: the plans are there");
    Prepared prepared;
    prepared.launch = [plans, x = x_(problem), y = y_(problem), exec = problem.exec](int copy) {
      auto const c = static_cast<std::size_t>(copy);
      (*plans)[c].execute(exec, Scalar{1}, x[c], Scalar{}, y[c]);
    };
    prepared.matrix_bytes = static_cast<double>(plans->front().bytes());
    prepared.stored = std::max(problem.host.nnz(), plans->front().report().winner().footprint.slots);
    prepared.setup_seconds = seconds_;
    prepared.column_major = column_major_;
    prepared.choice = choice_word(choice_);
    return prepared;
  }

 private:
  auto make(Problem const& problem, int copy, std::optional<Choice> const& choice) const {
    PlanOptions options;
    constexpr double most = 1e18;
    if (problem.memory_left < most) options.memory_limit = static_cast<std::uint64_t>(problem.memory_left);
    options.choice = choice;
    if (!choice && tuning_seconds_ > 0) {
      options.measure = true;
      options.budget = tuning_seconds_;
    }
    return make_plan<Scalar>(problem.exec, desc_of_(problem), matrix_of_(problem, copy), options);
  }

  DescOf desc_of_;
  MatrixOf matrix_of_;
  X x_;
  Y y_;
  bool column_major_;
  double tuning_seconds_;
  Pin pin_;
  Choice choice_{};
  double seconds_ = 0;  // planning, and conversion of one copy
};

template <class Problem, class DescOf, class MatrixOf, class X, class Y>
Contender<Problem> plan_contender(std::string const& format, std::string const& kernel, DescOf const& desc_of,
                                  MatrixOf const& matrix_of, X const& x, Y const& y, bool column_major,
                                  double tuning_seconds, std::function<Choice(TuneReport const&)> const& pin = {}) {
  auto const plan = std::make_shared<PlanContender<Problem, DescOf, MatrixOf, X, Y>>(desc_of, matrix_of, x, y,
                                                                                     column_major, tuning_seconds, pin);
  return {"araia", format,
          kernel,  [plan](Problem& problem) { return plan->prepare(problem); },
          {},      [plan](Problem const& problem) { return plan->storage(problem); }};
}

/// Passes to `push` each kernel of the operation that packs a matrix of its own on this space, in the packing that the
/// model expects the least time of.
/// \param prefix, suffix  of the kernel's name
/// \param others          as of add_product and PlanContender
template <class Problem, class DescOf, class MatrixOf, class X, class Y, class Push>
void add_packings(std::string const& prefix, std::string const& suffix, DescOf const& desc_of,
                  MatrixOf const& matrix_of, X const& x, Y const& y, bool column_major, Push const& push) {
  using Desc = typename PlanContender<Problem, DescOf, MatrixOf, X, Y>::Desc;
  for (auto const& kernel : araia::detail::kernels()) {
    auto const& info = kernel.info;
    bool const is_here = araia::detail::is_device_space<Exec> ? info.on_device() : info.on_host();
    if (info.operation != Desc::operation || info.packing.empty() || !is_here) continue;
    push(plan_contender<Problem>(
        std::string(info.storage), prefix + std::string(info.name) + suffix, desc_of, matrix_of, x, y, column_major, 0,
        [info](TuneReport const& report) { return packing_by_model(report, info.storage, info.name); }));
  }
}

/// Adds plan/default, one_call/default and, where asked for, plan/measured.
/// \param suffix   of the kernel's name: "" or "_column_major"
/// \param desc_of  desc_of(problem): SpmvDesc or SpmmDesc
/// \param x, y     x(problem), y(problem): the operands and the results, a View a copy
/// \param one_call one_call(exec, A, x, y) enqueues the product
template <class Problem, class DescOf, class X, class Y, class OneCall>
void add_product(std::vector<Contender<Problem>>& contenders, std::string const& suffix, Options const& options,
                 DescOf const& desc_of, X const& x, Y const& y, OneCall const& one_call) {
  bool const column_major = !suffix.empty();
  auto const add_plan = [&](std::string const& kernel, double tuning_seconds) {
    contenders.push_back(plan_contender<Problem>("plan", kernel + suffix, desc_of, matrices_of_problem, x, y,
                                                 column_major, tuning_seconds));
  };
  add_plan("default", 0);
  contenders.push_back({"araia", "one_call", "default" + suffix, [=](Problem& problem) {
                          Prepared prepared;
                          prepared.launch = [one_call, A = problem.A, x = x(problem), y = y(problem),
                                             exec = problem.exec](int copy) {
                            auto const c = static_cast<std::size_t>(copy);
                            one_call(exec, A[c], x[c], y[c]);
                          };
                          prepared.matrix_bytes = static_cast<double>(problem.A.front().bytes());
                          prepared.stored = problem.host.nnz();
                          prepared.column_major = column_major;
                          return prepared;
                        }});
  if (options.plan_seconds > 0) add_plan("measured", options.plan_seconds);
}

}  // namespace araia::perf::detail
