// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/plan/any_matrix.hpp>

#include "src/formatted.hpp"
#include "src/plan/any_matrix_of.hpp"

namespace araia {
namespace {

[[noreturn]] void refuse_space(std::string const& space) {
  throw Error(ErrorKind::device,
              "device '" + space + "' is not in this build, which has " + detail::joined(any_spaces()));
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

std::vector<std::string> any_spaces() {
  return {
#ifdef KOKKOS_ENABLE_CUDA
      "cuda",
#endif
#ifdef KOKKOS_ENABLE_OPENMP
      "openmp",
#endif
#ifdef KOKKOS_ENABLE_SERIAL
      "serial",
#endif
  };
}

std::string default_space() { return any_spaces().front(); }

Machine any_machine(std::string const& space, bool measure) {
  auto const of = [measure](auto const& exec) { return measure ? measure_machine(exec) : default_machine(exec); };
#ifdef KOKKOS_ENABLE_CUDA
  if (space == "cuda") return of(Kokkos::Cuda());
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  if (space == "openmp") return of(Kokkos::OpenMP());
#endif
#ifdef KOKKOS_ENABLE_SERIAL
  if (space == "serial") return of(detail::one_thread());
#endif
  refuse_space(space);
}

std::unique_ptr<AnyMatrix> make_any_matrix(HostCoo const& coo, ScalarTypes types, std::string const& space) {
  std::unique_ptr<AnyMatrix> matrix;
  switch (types) {
    case ScalarTypes::f64: matrix = detail::any_matrix_of<double, double>(coo, space); break;
#ifdef ARAIA_TYPES_MINIMAL
    case ScalarTypes::f32:
    case ScalarTypes::f32_f64:
    case ScalarTypes::c64:
      throw Error(ErrorKind::unsupported,
                  std::string("type ") + to_string(types) + " is not in this build: Araia_TYPES is minimal");
#else
    case ScalarTypes::f32: matrix = detail::any_matrix_of<float, float>(coo, space); break;
    case ScalarTypes::f32_f64: matrix = detail::any_matrix_of<float, double>(coo, space); break;
    case ScalarTypes::c64:
      matrix = detail::any_matrix_of<Kokkos::complex<double>, Kokkos::complex<double> >(coo, space);
      break;
#endif
  }
  if (!matrix) refuse_space(space);
  return matrix;
}

}  // namespace araia
