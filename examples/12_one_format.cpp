// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A format chosen by hand: counts what a matrix takes as Sell with diagonals before it is converted, and multiplies
// with the result, without a plan: 12_one_format FILE
#include <Kokkos_Core.hpp>
#include <araia/araia.hpp>
#include <cstddef>
#include <cstdio>

using Exec = Kokkos::DefaultExecutionSpace;
using Vector = Kokkos::View<double*>;

/// The largest difference of two vectors.
static double difference(Exec const& exec, Vector const& a, Vector const& b) {
  double largest = 0;
  Kokkos::parallel_reduce(
      "difference", Kokkos::RangePolicy<Exec>(exec, 0, a.extent(0)),
      KOKKOS_LAMBDA(std::size_t i, double& most) { most = Kokkos::max(most, Kokkos::abs(a(i) - b(i))); },
      Kokkos::Max<double>(largest));
  return largest;
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Exec const exec;
  try {
    auto const on_host = araia::assemble<double>(araia::read_matrix(argc > 1 ? argv[1] : ""));
    auto const A = araia::copy_to<araia::DefaultDevice>(exec, on_host);
    Vector const x("x", static_cast<std::size_t>(A.cols));
    Vector const y("y", static_cast<std::size_t>(A.rows));
    Vector const y_csr("y_csr", static_cast<std::size_t>(A.rows));
    Kokkos::deep_copy(exec, x, 1.0);
    araia::spmv(exec, araia::Op::none, 1.0, A, x, 0.0, y_csr);

    araia::SellOptions const options{.diagonals = true, .columns = araia::SellColumns::least_bytes};
    auto const bytes = araia::count_bytes<araia::Sell<double>>(exec, A, options);  // exact, nothing is converted
    std::printf("csr takes %.2f MB, sell %.2f MB\n", 1e-6 * static_cast<double>(A.bytes()),
                1e-6 * static_cast<double>(bytes));
    auto const S = araia::csr_to_sell(exec, A, options);
    araia::spmv(exec, araia::Op::none, 1.0, S, x, 0.0, y);

    double const largest = difference(exec, y, y_csr);
    std::printf("largest difference of the two products: %g\n", largest);
    return S.bytes() == bytes && largest < 1e-10 ? 0 : 1;
  } catch (araia::Error const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
