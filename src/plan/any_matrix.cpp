// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/plan/any_matrix.hpp>

#include "src/plan/any_matrix_of.hpp"

namespace araia {
namespace {

/// call(AnyMatrices of these scalars), which makes a matrix.
template <class Call>
std::unique_ptr<AnyMatrix> with_types(ScalarTypes types, Call const& call) {
  switch (types) {
    case ScalarTypes::f64: return call(detail::AnyMatrices<double, double>());
    case ScalarTypes::f32:
      if constexpr (detail::has_all_types) return call(detail::AnyMatrices<float, float>());
      break;
    case ScalarTypes::f32_f64:
      if constexpr (detail::has_all_types) return call(detail::AnyMatrices<float, double>());
      break;
    case ScalarTypes::c64:
      if constexpr (detail::has_all_types)
        return call(detail::AnyMatrices<Kokkos::complex<double>, Kokkos::complex<double> >());
      break;
  }
  throw Error(ErrorKind::unsupported,
              std::string("type ") + to_string(types) + " is not in this build: Araia_TYPES is minimal");
}

}  // namespace

char const* to_string(ScalarTypes types) {
  switch (types) {
    case ScalarTypes::f64: return "f64";
    case ScalarTypes::f32: return "f32";
    case ScalarTypes::f32_f64: return "f32_f64";
    case ScalarTypes::c64: return "c64";
  }
  return "unknown";
}

ElementType matrix_scalar(ScalarTypes types) {
  if (types == ScalarTypes::c64) return ElementType::complex_float64;
  return types == ScalarTypes::f64 ? ElementType::float64 : ElementType::float32;
}

ElementType operand_scalar(ScalarTypes types) {
  return types == ScalarTypes::f32_f64 ? ElementType::float64 : matrix_scalar(types);
}

std::vector<ScalarTypes> any_types() {
  if constexpr (detail::has_all_types)
    return {ScalarTypes::f64, ScalarTypes::f32, ScalarTypes::f32_f64, ScalarTypes::c64};
  return {ScalarTypes::f64};
}

Machine any_machine(AnySpace const& exec, bool measure) {
  return exec.visit(
      [measure](auto const& instance) { return measure ? measure_machine(instance) : default_machine(instance); });
}

std::int64_t AnyTunedPlan::rows() const {
  auto const& problem = report().problem;
  return transposes(problem.op) ? problem.stats.cols : problem.stats.rows;
}

std::int64_t AnyTunedPlan::cols() const {
  auto const& problem = report().problem;
  return transposes(problem.op) ? problem.stats.rows : problem.stats.cols;
}

std::unique_ptr<AnyMatrix> make_any_matrix(AnySpace const& exec, HostCoo const& coo, ScalarTypes types) {
  return with_types(types, [&](auto matrices) { return matrices.assembled(exec, coo, types); });
}

std::unique_ptr<AnyMatrix> make_any_matrix(AnySpace const& exec, AnyCsr const& csr, ScalarTypes types) {
  return with_types(types, [&](auto matrices) { return matrices.over(exec, csr, types); });
}

}  // namespace araia
