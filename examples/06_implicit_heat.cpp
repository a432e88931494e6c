// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An implicit step of the heat equation in a Kokkos program: each step solves (I + c L) u_new = u, with L the 5-point
// Laplacian of a plate whose rim is held at zero. The solver is made once.
#include <Kokkos_Core.hpp>
#include <araia/formats/make_csr.hpp>
#include <araia/solvers/cg.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <utility>

using Exec = Kokkos::DefaultExecutionSpace;
using Vector = Kokkos::View<double*>;

constexpr double pi = 3.14159265358979323846;

/// I + c L on n x n points, as the program would have it anyway: five entries a row, or fewer at the rim.
struct Matrix {
  Kokkos::View<int*> row_offsets;
  Kokkos::View<int*> col_indices;
  Vector values;
};

static Matrix make_matrix(Exec const& exec, int n, double c) {
  int const rows = n * n;
  auto const nnz = static_cast<std::size_t>(5 * rows - 4 * n);
  Matrix const A{Kokkos::View<int*>("row_offsets", static_cast<std::size_t>(rows) + 1),
                 Kokkos::View<int*>("col_indices", nnz), Vector("values", nnz)};
  auto const row_offsets = A.row_offsets;
  auto const col_indices = A.col_indices;
  auto const values = A.values;
  Kokkos::parallel_scan(
      "row_offsets", Kokkos::RangePolicy<Exec>(exec, 0, rows), KOKKOS_LAMBDA(int i, int& sum, bool last) {
        int const x = i % n;
        int const y = i / n;
        sum += 5 - (x == 0) - (x == n - 1) - (y == 0) - (y == n - 1);
        if (last) row_offsets(i + 1) = sum;
      });
  Kokkos::parallel_for(
      "entries", Kokkos::RangePolicy<Exec>(exec, 0, rows), KOKKOS_LAMBDA(int i) {
        int const x = i % n;
        int const y = i / n;
        int k = row_offsets(i);
        auto const put = [&](bool there, int column, double value) {
          if (!there) return;
          col_indices(k) = column;
          values(k++) = value;
        };
        put(y > 0, i - n, -c);
        put(x > 0, i - 1, -c);
        put(true, i, 1 + 4 * c);
        put(x < n - 1, i + 1, -c);
        put(y < n - 1, i + n, -c);
      });
  return A;
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Exec const exec;
  constexpr int n = 60;
  constexpr double c = 2.0;
  constexpr int steps = 10;
  auto const [row_offsets, col_indices, values] = make_matrix(exec, n, c);
  auto const nnz = static_cast<std::int64_t>(values.extent(0));
  auto const A = araia::make_csr(exec, n * n, n * n, nnz, row_offsets, col_indices, values);
  auto solver = araia::make_cg(exec, A, {.tolerance = 1e-12});

  // The plate's slowest mode: every step divides it by 1 + c (8 sin^2(pi / 2 (n + 1))).
  Vector u("u", n * n);
  Vector u_new("u_new", n * n);
  Kokkos::parallel_for(
      "start", Kokkos::RangePolicy<Exec>(exec, 0, n * n), KOKKOS_LAMBDA(int i) {
        u(i) = Kokkos::sin(pi * (i % n + 1) / (n + 1)) * Kokkos::sin(pi * (i / n + 1) / (n + 1));
      });
  double expected = 1;
  std::int64_t iterations = 0;
  for (int step = 0; step < steps; ++step) {
    Kokkos::deep_copy(exec, u_new, u);  // where to start from
    auto const result = solver.solve(exec, u, u_new);
    if (result.status != araia::CgStatus::converged) {
      std::printf("step %d: %s\n", step, to_string(result.status));
      return 1;
    }
    iterations += result.iterations;
    std::swap(u, u_new);
    double const sine = std::sin(pi / 2 / (n + 1));
    expected /= 1 + 8 * c * sine * sine;
  }
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), u);
  double const middle = std::sin(pi * (n / 2 + 1) / (n + 1));
  double const got = host(n / 2 * n + n / 2) / (middle * middle);
  std::printf("after %d steps and %lld iterations: %.12f, expected %.12f\n", steps, static_cast<long long>(iterations),
              got, expected);
  return std::abs(got - expected) < 1e-9 ? 0 : 1;
}
