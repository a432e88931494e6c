// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// All contenders of a binary, by operation and type. Peers that the build found add theirs in peers.cpp.

#include <araia/detail/formats/type_list.hpp>
#include <type_traits>
#include <vector>

#include "contender.hpp"
#include "problem.hpp"

namespace araia::perf {

/// Whether the library's kernels are written out for float.
inline constexpr bool with_f32 = araia::detail::has_all_types;

struct Suite {
  std::vector<Contender<SpmvProblem<double>>> spmv_f64;
  std::vector<Contender<SpmvProblem<float>>> spmv_f32;
  std::vector<Contender<SpmmProblem<double>>> spmm_f64;
  std::vector<Contender<SpmmProblem<float>>> spmm_f32;

  template <class Scalar>
  auto& spmv() {
    if constexpr (std::is_same_v<Scalar, double>)
      return spmv_f64;
    else
      return spmv_f32;
  }
  template <class Scalar>
  auto& spmm() {
    if constexpr (std::is_same_v<Scalar, double>)
      return spmm_f64;
    else
      return spmm_f32;
  }
};

/// Calls add(Scalar{}) for each type that this build covers.
template <class Add>
void for_each_scalar(Add const& add) {
  add(double{});
  if constexpr (with_f32) add(float{});
}

/// Contenders of every peer that the build found.
void add_peers(Suite& suite);

}  // namespace araia::perf
