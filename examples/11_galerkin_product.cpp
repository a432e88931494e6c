// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The coarse operator R A P of a multigrid level, R = P', by two products whose structure is found once: when the
// coefficients change, both write values alone. A is the stiffness of a bar of links in a row, held at both ends, and P
// interpolates between every other node. A coarse link of two fine ones of stiffness k and l then has (k + l) / 4.
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <araia/formats/make_csr.hpp>
#include <araia/ops/spgemm.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>

using Exec = Kokkos::DefaultExecutionSpace;
using Indices = Kokkos::View<int*>;
using Vector = Kokkos::View<double*>;

constexpr int coarse_nodes = 1000;
constexpr int nodes = 2 * coarse_nodes + 1;

/// Stiffness of the link before node i.
KOKKOS_FUNCTION static double stiffness(int i, double wave) { return 1 + 0.5 * Kokkos::sin(wave * i); }

/// Rows -k(i), k(i) + k(i + 1), -k(i + 1), without the ends.
static void fill_bar(Exec const& exec, Indices const& row_offsets, Indices const& col_indices, Vector const& values,
                     double wave) {
  Kokkos::parallel_for(
      "bar", Kokkos::RangePolicy<Exec>(exec, 0, nodes), KOKKOS_LAMBDA(int i) {
        int k = i == 0 ? 0 : 3 * i - 1;
        row_offsets(i) = k;
        for (int column = i - 1; column <= i + 1; ++column) {
          if (column < 0 || column == nodes) continue;
          col_indices(k) = column;
          values(k++) = column == i  ? stiffness(i, wave) + stiffness(i + 1, wave)
                        : column < i ? -stiffness(i, wave)
                                     : -stiffness(i + 1, wave);
        }
        row_offsets(i + 1) = k;
      });
}

/// Coarse node j is node 2 j + 1; those between lie halfway.
static void fill_interpolation(Exec const& exec, Indices const& row_offsets, Indices const& col_indices,
                               Vector const& values) {
  Kokkos::parallel_for(
      "interpolation", Kokkos::RangePolicy<Exec>(exec, 0, nodes), KOKKOS_LAMBDA(int i) {
        bool const between = i % 2 == 0;
        int k = i == 0 ? 0 : i + (i + 1) / 2 - 1;
        row_offsets(i) = k;
        for (int j = between ? i / 2 - 1 : i / 2; j <= i / 2; ++j) {
          if (j < 0 || j == coarse_nodes) continue;
          col_indices(k) = j;
          values(k++) = between ? 0.5 : 1.0;
        }
        row_offsets(i + 1) = k;
      });
}

/// The largest error of the coarse bar.
template <class Matrix>
static double error_of(Exec const& exec, Matrix const& coarse, double wave) {
  double largest = 0;
  Kokkos::parallel_reduce(
      "error", Kokkos::RangePolicy<Exec>(exec, 0, coarse_nodes),
      KOKKOS_LAMBDA(int j, double& most) {
        auto const link = [=](int l) { return (stiffness(2 * l, wave) + stiffness(2 * l + 1, wave)) / 4; };
        for (int k = coarse.row_offsets(j); k < coarse.row_offsets(j + 1); ++k) {
          int const column = coarse.col_indices(k);
          double const expected = column == j ? link(j) + link(j + 1) : column < j ? -link(j) : -link(j + 1);
          most = Kokkos::max(most, Kokkos::abs(coarse.values(k) - expected));
        }
      },
      Kokkos::Max<double>(largest));
  return largest;
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Exec const exec;
  Indices const a_offsets("a_offsets", nodes + 1);
  Indices const a_columns("a_columns", 3 * nodes - 2);
  Vector const a_values("a_values", 3 * nodes - 2);
  fill_bar(exec, a_offsets, a_columns, a_values, 0.1);
  Indices const p_offsets("p_offsets", nodes + 1);
  Indices const p_columns("p_columns", 3 * coarse_nodes);
  Vector const p_values("p_values", 3 * coarse_nodes);
  fill_interpolation(exec, p_offsets, p_columns, p_values);
  auto const A = araia::make_csr(exec, nodes, nodes, 3 * nodes - 2, a_offsets, a_columns, a_values);
  auto const P = araia::make_csr(exec, nodes, coarse_nodes, 3 * coarse_nodes, p_offsets, p_columns, p_values);

  auto product = araia::make_spgemm(exec, A, P);
  product.execute();
  auto const AP = product.csr<int>();
  auto galerkin = araia::make_spgemm(exec, P, AP, {.op_a = araia::Op::transpose});
  galerkin.execute();
  auto const coarse = galerkin.csr<int>();
  double const first = error_of(exec, coarse, 0.1);

  // Other coefficients: the arrays of A, A P and the coarse operator stay where they are.
  fill_bar(exec, a_offsets, a_columns, a_values, 0.7);
  product.update_values(A, P);
  product.execute();
  galerkin.update_values(P, AP);
  galerkin.execute();
  double const second = error_of(exec, coarse, 0.7);
  std::printf("%lld nodes become %lld with %lld entries; largest errors %.1e and %.1e\n",
              static_cast<long long>(A.rows), static_cast<long long>(coarse.rows), static_cast<long long>(coarse.nnz),
              first, second);
  return std::max(first, second) < 1e-14 && coarse.nnz == 3 * coarse_nodes - 2 ? 0 : 1;
}
