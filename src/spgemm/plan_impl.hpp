// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What araia/plan/spgemm_plan.hpp declares, written out in src/spgemm.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <araia/assembly/assemble.hpp>
#include <araia/assembly/row_stats.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/plan/machine.hpp>
#include <araia/plan/spgemm_plan.hpp>
#include "src/formatted.hpp"
#include "src/plan/trials.hpp"
#include "src/spgemm/kernels.hpp"
#include "src/spgemm/planning.hpp"
#include "src/spgemm/verify.hpp"

namespace araia {

namespace detail {

/// The facts of a product that a model goes by.
template <class Exec, class Scalar, class Ordinal, class Offset>
static Problem spgemm_problem(Exec const& exec, SpgemmInputs<Exec, Scalar, Ordinal, Offset> const& inputs,
                              SpgemmOptions const& options) {
  using Kernels = SpgemmKernelsOf<Exec, Scalar, Ordinal, Offset>;
  auto const& facts = inputs.facts();
  auto const& a = inputs.a();
  Problem p;
  p.stats = row_stats(exec, a, {.diagonals = false, .block_heights = {}});
  p.operation = OpId::spgemm;
  p.columns = inputs.b().cols;
  p.sparse = {.b_entries = inputs.b().nnz,
              .products = facts.products,
              .most_products = facts.most_products,
              .entries = -1,
              .adds = options.add};
  constexpr int scalar = static_cast<int>(sizeof(Scalar));
  p.value_bytes = p.x_bytes = a.has_values() && !options.pattern_only ? scalar : 0;
  p.y_bytes = options.pattern_only ? 0 : scalar;
  p.ordinal_bytes = static_cast<int>(sizeof(Ordinal));
  p.offset_bytes = static_cast<int>(sizeof(Offset));
  p.complex_values = is_complex_v<Scalar>;
  p.host_simd = Kernels::has(Runs::by_host_simd);
  p.cuda_kernels = Kernels::has(Runs::by_cuda);
  p.deterministic = options.deterministic;
  return p;
}

}  // namespace detail

template <class Exec, class Scalar, class Ordinal, class Offset>
class SpgemmPlan<Exec, Scalar, Ordinal, Offset>::Trial final : public detail::SpgemmTrial {
 public:
  using Inputs = typename Product::Inputs;

  Trial(Exec const& exec, Inputs const& inputs, SpgemmOptions const& options)
      : exec_(exec), options_(options), product_(std::make_unique<Product>(exec, inputs, options)) {}

  [[nodiscard]] Product& product() { return *product_; }
  /// The symbolic step again: C is not there.
  void begin_anew() {
    auto const inputs = product_->inputs();
    product_.reset();
    product_ = std::make_unique<Product>(exec_, inputs, options_);
  }

  void execute() override {
    if (filled_ && options_.pattern_only) begin_anew();  // there are no values to write
    product_->execute();
    filled_ = true;
  }
  VerifyReport verify() override {
    auto const& a = product_->inputs().a();
    auto const& b = product_->inputs().b();
    return std::visit(
        [&](auto const& C) {
          if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Exec::memory_space>::accessible)
            return detail::verify_rows(a, b, C, options_.sorted);
          else
            return detail::verify_rows(copy_to<HostDevice>(exec_, a), copy_to<HostDevice>(exec_, b),
                                       copy_to<HostDevice>(exec_, C), options_.sorted);
        },
        product_->c());
  }
  [[nodiscard]] SpgemmReport const& report() const override { return product_->report(); }
  [[nodiscard]] void* values(std::uint64_t& bytes) override {
    return std::visit(
        [&](auto const& C) -> void* {
          bytes = C.values.size() * sizeof(Scalar);
          return C.values.data();
        },
        product_->c());
  }
  [[nodiscard]] bool is_filled() const { return filled_; }

 private:
  Exec exec_;
  SpgemmOptions options_;
  std::unique_ptr<Product> product_;
  bool filled_ = false;
};

template <class Exec, class Scalar, class Ordinal, class Offset>
SpgemmPlan<Exec, Scalar, Ordinal, Offset>::SpgemmPlan(Exec const& exec, Operand const& A, Operand const& B,
                                                      SpgemmOptions const& options, PlanOptions const& plan_options)
    : adds_(options.add) {
  detail::check_budget(plan_options.budget);
  detail::check_products(plan_options.products);
  detail::Deadline const deadline(plan_options.budget, plan_options.cancel);
  PlanOptions tune = plan_options;
  SpgemmOptions spgemm = options;
  spgemm.validate = options.validate && tune.validate;
  spgemm.deterministic = options.deterministic || tune.deterministic;
  if (options.kernel != "automatic") {
    if (tune.choice && tune.choice->kernel != options.kernel)
      throw Error(ErrorKind::invalid_argument,
                  detail::formatted("araia::make_spgemm_plan: options.kernel is '{}' and plan_options.choice is {}, "
                                    "expected one kernel",
                                    options.kernel, label(*tune.choice)));
    std::vector<std::string> names;
    for (auto const& kernel : detail::SpgemmKernelsOf<Exec, Scalar, Ordinal, Offset>::all())
      names.emplace_back(kernel.name);
    if (std::find(names.begin(), names.end(), options.kernel) == names.end())
      detail::refuse_spgemm_kernel(options.kernel, names);
    if (!tune.choice) tune.choice = Choice{.format = "csr", .kernel = options.kernel};
  }
  // One product may take what its own limit leaves it, all candidates together what the plan's does.
  std::uint64_t const limit =
      tune.memory_limit
          ? tune.memory_limit
          : std::max(options.memory_limit, detail::memory_limit_or_default<typename Exec::memory_space>(0));
  spgemm.memory_limit = options.memory_limit ? std::min(options.memory_limit, limit) : limit;
  typename Trial::Inputs const inputs(exec, A, B, spgemm);
  Machine const machine = tune.machine ? *tune.machine : default_machine(exec);
  auto const problem = detail::spgemm_problem(exec, inputs, spgemm);
  report_ = tune.choice ? detail::pinned_report(problem, machine, *tune.choice, tune.formats)
                        : detail::modelled_report(problem, machine, tune.formats);
  report_.products = tune.products;
  detail::SpgemmTrials const trials{.make =
                                        [&](Choice const& choice, std::uint64_t memory_limit) {
                                          SpgemmOptions of_choice = spgemm;
                                          of_choice.kernel = choice.kernel;
                                          of_choice.memory_limit = std::min(memory_limit, spgemm.memory_limit);
                                          return std::make_shared<Trial>(exec, inputs, of_choice);
                                        },
                                    .fence = [&] { exec.fence("araia::make_spgemm_plan: timing"); },
                                    .memory_limit = limit,
                                    .shared_bytes = inputs.bytes()};
  trial_ = std::static_pointer_cast<Trial>(detail::choose_spgemm(report_, tune, trials, deadline));
  if (adds_ && trial_->is_filled()) trial_->begin_anew();  // what was timed added to C again and again
}

template <class Exec, class Scalar, class Ordinal, class Offset>
SpgemmPlan<Exec, Scalar, Ordinal, Offset>::SpgemmPlan(SpgemmPlan&&) noexcept = default;
template <class Exec, class Scalar, class Ordinal, class Offset>
SpgemmPlan<Exec, Scalar, Ordinal, Offset>& SpgemmPlan<Exec, Scalar, Ordinal, Offset>::operator=(SpgemmPlan&&) noexcept =
    default;
template <class Exec, class Scalar, class Ordinal, class Offset>
SpgemmPlan<Exec, Scalar, Ordinal, Offset>::~SpgemmPlan() = default;

template <class Exec, class Scalar, class Ordinal, class Offset>
typename SpgemmPlan<Exec, Scalar, Ordinal, Offset>::Product& SpgemmPlan<Exec, Scalar, Ordinal, Offset>::product() {
  return trial_->product();
}
template <class Exec, class Scalar, class Ordinal, class Offset>
typename SpgemmPlan<Exec, Scalar, Ordinal, Offset>::Product const& SpgemmPlan<Exec, Scalar, Ordinal, Offset>::product()
    const {
  return trial_->product();
}

template <class Exec, class Scalar, class Ordinal, class Offset>
VerifyReport SpgemmPlan<Exec, Scalar, Ordinal, Offset>::verify() const {
  if (adds_)
    throw Error(ErrorKind::unsupported,
                "araia::SpgemmPlan::verify: C is a sum that this product is added to, expected options.add of false");
  trial_->product().execute();
  return trial_->verify();
}

}  // namespace araia
