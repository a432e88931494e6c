// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A plan of C = alpha op(A) op(B), all three sparse: which kernel forms it, by a model or by what is fastest within a
// budget, and why.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include <araia/detail/formats/written_out.hpp>
#include <araia/formats/csr.hpp>
#include <araia/ops/spgemm.hpp>
#include <araia/plan/options.hpp>
#include <araia/plan/report.hpp>

namespace araia {

/// Made by make_spgemm_plan, of the types that the library brings.
template <class Exec, class Scalar, class Ordinal = std::int32_t, class Offset = std::int32_t>
class SpgemmPlan {
 public:
  using Product = Spgemm<Exec, Scalar, Ordinal, Offset>;
  using Operand = typename Product::Operand;

  /// See make_spgemm_plan.
  SpgemmPlan(Exec const& exec, Operand const& A, Operand const& B, SpgemmOptions const& options,
             PlanOptions const& plan_options);
  SpgemmPlan(SpgemmPlan&&) noexcept;
  SpgemmPlan& operator=(SpgemmPlan&&) noexcept;
  ~SpgemmPlan();

  /// The product by the kernel that was chosen, its symbolic step done. Where candidates were timed C is filled, unless
  /// options.add.
  [[nodiscard]] Product& product();
  [[nodiscard]] Product const& product() const;
  /// Every kernel with its figures, or the reason why it is out. "A product" is execute() with C's columns known, of
  /// patterns the whole of it; a conversion is what comes once, the symbolic step and, where it was timed, the first
  /// filling.
  [[nodiscard]] TuneReport const& report() const { return report_; }
  [[nodiscard]] Choice const& choice() const { return report_.winner().choice; }
  [[nodiscard]] std::string explain() const { return araia::explain(report_); }
  /// Multiplies again, with alpha = 1, and holds sampled rows of C to a textbook loop. Fences exec.
  /// \throws araia::Error unsupported with options.add, where C is more than the product
  [[nodiscard]] VerifyReport verify() const;

 private:
  class Trial;

  bool adds_;
  TuneReport report_{};
  std::shared_ptr<Trial> trial_;
};

#define ARAIA_SPGEMM_PLAN_OF(SPACE, LINKAGE, SCALAR)                            \
  LINKAGE template class SpgemmPlan<SPACE, SCALAR, std::int32_t, std::int32_t>; \
  LINKAGE template class SpgemmPlan<SPACE, SCALAR, std::int32_t, std::int64_t>;
ARAIA_ON_EVERY_SPACE(ARAIA_SPGEMM_PLAN_OF, extern, double)
#ifndef ARAIA_TYPES_MINIMAL
ARAIA_ON_EVERY_SPACE(ARAIA_SPGEMM_PLAN_OF, extern, float)
ARAIA_ON_EVERY_SPACE(ARAIA_SPGEMM_PLAN_OF, extern, Kokkos::complex<double>)
#endif

/// Chooses the kernel of C = op(A) op(B) and makes its symbolic step.
/// \param exec          queue of the work
/// \param A, B          as make_spgemm; of types that the library brings
/// \param options       as make_spgemm; a kernel that is named is the plan's choice; memory_limit is that of one
///                      candidate
/// \param plan_options  choice, deterministic, validate, machine, formats and products; measure, and with it budget,
///                      cancel, progress and after_conversion, which sees C's values; memory_limit of all candidates
///                      together. Others say nothing here
/// \throws araia::Error as make_spgemm; unsupported for a choice that does not run the product; invalid_argument for a
///                      kernel and a choice that name two
/// Cost      by the model that of make_spgemm; with measure the whole product by each kernel that there is time for
template <class Exec, class ScalarA, class ScalarB, class Ordinal, class Offset, class DeviceA, class DeviceB>
[[nodiscard]] SpgemmPlan<Exec, std::remove_const_t<ScalarA>, Ordinal, Offset> make_spgemm_plan(
    Exec const& exec, Csr<ScalarA, Ordinal, Offset, DeviceA> const& A, Csr<ScalarB, Ordinal, Offset, DeviceB> const& B,
    SpgemmOptions const& options = {}, PlanOptions const& plan_options = {}) {
  using Scalar = std::remove_const_t<ScalarA>;
  static_assert(std::is_same_v<Scalar, std::remove_const_t<ScalarB>>,
                "araia::make_spgemm_plan: A and B must have one scalar type");
  static_assert(detail::is_written_out_space<Exec> && detail::is_written_out_scalar<Scalar> &&
                    std::is_same_v<Ordinal, std::int32_t> && detail::is_listed<detail::AllOffsets, Offset>,
                "araia::make_spgemm_plan: plans are not compiled for this space or these types; make_spgemm takes any");
  using Made = SpgemmPlan<Exec, Scalar, Ordinal, Offset>;
  return Made(exec, detail::spgemm_operand<typename Made::Operand>(A),
              detail::spgemm_operand<typename Made::Operand>(B), options, plan_options);
}

}  // namespace araia
