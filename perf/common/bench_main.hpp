// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What every benchmark binary does around its operation.

#include <Kokkos_Core.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "machine.hpp"
#include "matrices.hpp"
#include "options.hpp"
#include "runner.hpp"
#include "suite.hpp"

namespace araia::perf {

/// A queue of its own on a device, so that batches can be captured; the default instance on a host.
inline Exec make_exec() {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) return Kokkos::Experimental::partition_space(Exec(), 1).front();
#endif
  return Exec();
}

template <class Scalar>
constexpr char const* types_name() {
  return std::is_same_v<Scalar, double> ? "f64_i32" : "f32_i32";
}

/// Values types by the name that --types knows.
template <class Scalar>
constexpr char const* scalar_name() {
  return std::is_same_v<Scalar, double> ? "f64" : "f32";
}

/// \param prepare     prepare(options): makes the contenders, before there are groups
/// \param add_groups  add_groups(exec, options, machine, matrix, groups) for each matrix
/// \param list        list(options): the matrices
template <class Prepare, class AddGroups, class List = decltype(&list_matrices)>
int bench_main(int argc, char** argv, Prepare const& prepare, AddGroups const& add_groups,
               List const& list = &list_matrices) {
  try {
    Options const options = parse_options(argc, argv);
    Kokkos::ScopeGuard const kokkos(argc, argv);
    prepare(options);
    Exec const exec = make_exec();
    Machine const machine = measure_machine(exec, options);
    std::vector<Group> groups;
    for (auto const& matrix : list(options)) add_groups(exec, options, machine, matrix, groups);
    return run_benchmarks(argc, argv, options, machine, describe(exec, machine, options), std::move(groups));
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 2;
  }
}

}  // namespace araia::perf
