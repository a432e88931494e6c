// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What tests of plans share: small matrices, and whether a plan's product holds the reference's bound.

#include <araia/detail/dispatch/cuda_space.hpp>
#include <araia/plan/plan.hpp>
#include <string>
#include <vector>

#include "support/check.hpp"
#include "support/errors.hpp"
#include "support/types.hpp"

namespace araia::test {

/// Choices that the report lists, pruned ones too: all of them are legal.
inline std::vector<Choice> choices_of(TuneReport const& report) {
  std::vector<Choice> all;
  for (auto const& c : report.candidates) all.push_back(c.choice);
  return all;
}

template <class Types, class Plan, class HostCsr>
void check_execute(Plan const& plan, HostCsr const& host, std::int64_t columns, bool right, std::string const& what) {
  using Exec = typename Types::exec;
  using X = typename Types::x;
  using Y = typename Types::y;
  Op const op = plan.description().op;
  std::int64_t const rows = transposes(op) ? host.cols : host.rows;
  std::int64_t const cols = transposes(op) ? host.rows : host.cols;
  auto const operand = [&]<class T>(std::int64_t n) {
    return right ? test::Operand<T, Exec>(n, columns, columns, 1)
                 : test::Operand<T, Exec>(n, columns, 1, std::max<std::int64_t>(n, 1));
  };
  auto b = operand.template operator()<X>(cols);
  auto c = operand.template operator()<Y>(rows);
  b.fill(11);
  c.fill(12);
  b.to_device();
  c.to_device();
  Y const alpha = scalar_from<Y>(0.75);
  Y const beta = scalar_from<Y>(-0.5);
  auto const expected = expected_product(op, alpha, host.pointers(), b.host(), beta, c.host());
  if constexpr (std::is_same_v<std::decay_t<decltype(plan.description())>, SpmvDesc>)
    plan.execute(Exec(), alpha, b.vector(), beta, c.vector());
  else
    plan.execute(Exec(), alpha, b.matrix(), beta, c.matrix());
  Exec().fence();
  c.from_device();
  expect_within_bound(expected, c.host(), what + ", " + label(plan.choice()));
  EXPECT_EQ(c.disturbed_bytes(), 0) << what;
}

inline auto small() { return random_matrix("60 x 40", 60, 40, 5); }
inline auto small_csr() { return device_csr<double, std::int32_t, Device>(small()); }

/// What Kokkos was told to do while expect_quiet ran.
struct Seen {
  int allocations = 0;
  std::vector<std::string> labels;
};
inline Seen seen;

/// run() allocates nothing, and all that it launches is labelled.
template <class Run>
void expect_quiet(Device const& exec, std::string const& what, Run const& run) {
  namespace tools = Kokkos::Tools::Experimental;
  seen = {};
  tools::set_allocate_data_callback(
      // Kokkos asks CUDA for zero bytes of team scratch at every launch until some kernel has wanted any.
      [](Kokkos_Profiling_SpaceHandle, char const*, void const*, std::uint64_t bytes) {
        seen.allocations += bytes > 0;
      });
  tools::set_begin_parallel_for_callback(
      [](char const* name, std::uint32_t, std::uint64_t*) { seen.labels.emplace_back(name); });
  tools::set_push_region_callback([](char const* name) { seen.labels.emplace_back(name); });
  run();
  exec.fence();
  tools::set_allocate_data_callback(nullptr);
  tools::set_begin_parallel_for_callback(nullptr);
  tools::set_push_region_callback(nullptr);
  EXPECT_EQ(seen.allocations, 0) << what;
  EXPECT_FALSE(seen.labels.empty()) << what;
  for (auto const& name : seen.labels) EXPECT_EQ(name.rfind("araia::", 0), 0u) << name;
}

}  // namespace araia::test
