// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tunings in messages of tests: the kernel and its team.

#include <araia/detail/kernels/sddmm_tuning.hpp>
#include <ostream>

#include "src/kernel/tunings.hpp"

namespace araia {

template <class Tuning>
requires requires(Tuning const& t) { t.team_size; }
std::ostream& operator<<(std::ostream& out, Tuning const& t) {
  if constexpr (requires { t.kernel; }) out << kernel_name(t.kernel) << ' ';
  out << "{team_size " << t.team_size;
  if constexpr (requires { t.rows_per_team; }) out << ", rows_per_team " << t.rows_per_team;
  if constexpr (requires { t.vector_length; }) out << ", vector_length " << t.vector_length;
  if constexpr (requires { t.columns_per_lane; }) out << ", columns_per_lane " << t.columns_per_lane;
  return out << '}';
}

template <class Tuning>
requires requires(Tuning const& t) { t.ell.team_size; }
std::ostream& operator<<(std::ostream& out, Tuning const& t) { return out << t.ell << ", tail " << t.tail; }

}  // namespace araia
