// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plan in an application whose values change from step to step: made once, kept by an object that others share,
// told of new values, gone before Kokkos.
#include <Kokkos_Core.hpp>
#include <araia/formats/make_csr.hpp>
#include <araia/plan/plan.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>

using Exec = Kokkos::DefaultExecutionSpace;
using Vector = Kokkos::View<double*>;
using Plan = araia::Plan<Exec, araia::SpmvDesc, double>;

/// Copies of an operator share one plan.
struct Operator {
  Vector values;
  Plan plan;
};

/// The values of (-1, 2 + shift, -1), in place.
static void fill_values(Exec const& exec, Vector const& values, int n, double shift) {
  Kokkos::parallel_for(
      "fill_values", Kokkos::RangePolicy<Exec>(exec, 0, n), KOKKOS_LAMBDA(int i) {
        int k = i == 0 ? 0 : 3 * i - 1;
        for (int j = i - 1; j <= i + 1; ++j)
          if (j >= 0 && j < n) values(k++) = i == j ? 2.0 + shift : -1.0;
      });
}

static Operator make_operator(Exec const& exec, int n) {
  std::int64_t const nnz = 3 * static_cast<std::int64_t>(n) - 2;
  Kokkos::View<std::size_t*> const row_offsets("row_offsets", static_cast<std::size_t>(n) + 1);
  Kokkos::View<int*> const col_indices("col_indices", static_cast<std::size_t>(nnz));
  Vector const values("values", static_cast<std::size_t>(nnz));
  Kokkos::parallel_for(
      "fill_pattern", Kokkos::RangePolicy<Exec>(exec, 0, n), KOKKOS_LAMBDA(int i) {
        int k = i == 0 ? 0 : 3 * i - 1;
        row_offsets(i) = static_cast<std::size_t>(k);
        for (int j = i - 1; j <= i + 1; ++j)
          if (j >= 0 && j < n) col_indices(k++) = j;
        if (i == n - 1) row_offsets(n) = static_cast<std::size_t>(k);
      });
  fill_values(exec, values, n, 0.0);
  auto const A = araia::make_csr(exec, n, n, nnz, row_offsets, col_indices, values);
  return {values, araia::make_plan(exec, araia::SpmvDesc{}, A)};  // shares what it needs of A, which may go
}

static void advance(Exec const& exec, Operator& op, Vector const& x, Vector const& y, int n, double shift) {
  fill_values(exec, op.values, n, shift);
  op.plan.update_values(exec, op.values);  // whatever format was chosen; spared only where op.plan.shares_values()
  op.plan.execute(exec, 1.0, x, 0.0, y);
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);  // first, so that it ends last: no plan may be there when Kokkos ends
  Exec const exec;
  int const n = 1000;
  auto op = make_operator(exec, n);
  Vector const x("x", static_cast<std::size_t>(n));
  Vector const y("y", static_cast<std::size_t>(n));
  Kokkos::deep_copy(exec, x, 1.0);
  bool right = true;
  for (int step = 1; step <= 3; ++step) {
    advance(exec, op, x, y, n, step);
    auto const result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
    right = right && result(0) == 1.0 + step && result(n / 2) == step;
  }
  std::printf("%s, values %s: %s\n", araia::label(op.plan.choice()).c_str(),
              op.plan.shares_values() ? "shared" : "copied", right ? "as expected" : "wrong");
  return right ? 0 : 1;
}
