// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts a graph in two by its Fiedler vector, the eigenvector of the second smallest eigenvalue of its Laplacian, and
// draws it: 08_graph_partition OUT.svg. The graph is a lattice of streets with a river through it and three bridges.
// The smallest eigenvalue is 0, its vector constant: the solver stays orthogonal to that.
#include <Kokkos_Core.hpp>
#include <araia/error.hpp>
#include <araia/formats/make_csr.hpp>
#include <araia/solvers/lobpcg.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

using Exec = Kokkos::DefaultExecutionSpace;

constexpr int width = 48;   // crossings along a street
constexpr int height = 30;  // streets
constexpr int bank = 20;    // the river flows behind this column

/// Streets between crossings, each once.
static std::vector<std::pair<int, int>> streets() {
  std::vector<std::pair<int, int>> edges;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      int const here = y * width + x;
      bool const bridge = y % 10 == 5;
      if (x + 1 < width && (x != bank || bridge)) edges.emplace_back(here, here + 1);
      if (y + 1 < height) edges.emplace_back(here, here + width);
    }
  return edges;
}

/// The Laplacian: degrees on the diagonal, -1 for each street.
static auto laplacian(Exec const& exec, int n, std::vector<std::pair<int, int>> const& edges) {
  std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(n));
  for (auto const& [a, b] : edges) {
    neighbours[static_cast<std::size_t>(a)].push_back(b);
    neighbours[static_cast<std::size_t>(b)].push_back(a);
  }
  auto const nnz = static_cast<std::size_t>(n) + 2 * edges.size();
  Kokkos::View<int*> const row_offsets("row_offsets", static_cast<std::size_t>(n) + 1);
  Kokkos::View<int*> const col_indices("col_indices", nnz);
  Kokkos::View<double*> const values("values", nnz);
  auto const offsets = Kokkos::create_mirror_view(row_offsets);
  auto const columns = Kokkos::create_mirror_view(col_indices);
  auto const entries = Kokkos::create_mirror_view(values);
  std::size_t k = 0;
  for (int i = 0; i < n; ++i) {
    auto const& mine = neighbours[static_cast<std::size_t>(i)];
    columns(k) = i;
    entries(k++) = static_cast<double>(mine.size());
    for (int const j : mine) {
      columns(k) = j;
      entries(k++) = -1;
    }
    offsets(i + 1) = static_cast<int>(k);
  }
  Kokkos::deep_copy(row_offsets, offsets);
  Kokkos::deep_copy(col_indices, columns);
  Kokkos::deep_copy(values, entries);
  return araia::make_csr(exec, n, n, static_cast<std::int64_t>(nnz), row_offsets, col_indices, values);
}

/// \return streets that the cut goes through
template <class Fiedler>
static int draw(std::vector<std::pair<int, int>> const& edges, Fiedler const& fiedler, char const* path) {
  auto const x = [](int i) { return std::to_string(20 + 16 * (i % width)); };
  auto const y = [](int i) { return std::to_string(20 + 16 * (i / width)); };
  std::ofstream out(path);
  out << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " << 40 + 16 * (width - 1) << ' '
      << 40 + 16 * (height - 1) << "'>\n<rect width='100%' height='100%' fill='white'/>\n";
  int cut = 0;
  for (auto const& [a, b] : edges) {
    bool const between = (fiedler(a, 0) > 0) != (fiedler(b, 0) > 0);
    cut += between;
    out << "<line x1='" << x(a) << "' y1='" << y(a) << "' x2='" << x(b) << "' y2='" << y(b)
        << (between ? "' stroke='black' stroke-width='4'/>\n" : "' stroke='silver'/>\n");
  }
  for (int i = 0; i < width * height; ++i)
    out << "<circle cx='" << x(i) << "' cy='" << y(i) << "' r='5' fill='"
        << (fiedler(i, 0) > 0 ? "firebrick" : "steelblue") << "'/>\n";
  out << "</svg>\n";
  if (!out.flush()) throw araia::Error(araia::ErrorKind::device, std::string("cannot write ") + path);
  return cut;
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s OUT.svg\n", argv[0]);
    return 2;
  }
  try {
    Exec const exec;
    constexpr int n = width * height;
    auto const edges = streets();
    auto const A = laplacian(exec, n, edges);

    Kokkos::View<double**> const X("X", n, 1);
    Kokkos::View<double**> const constant("constant", n, 1);
    Kokkos::deep_copy(exec, constant, 1.0);
    auto solver = araia::make_lobpcg(exec, A, {.pairs = 1, .guard = 3, .tolerance = 1e-9});
    auto const result = solver.solve(exec, X, constant);
    if (result.status != araia::LobpcgStatus::converged) {
      std::printf("%s, residual %g\n", to_string(result.status), result.pairs[0].residual);
      return 1;
    }

    auto const fiedler = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), X);
    int const cut = draw(edges, fiedler, argv[1]);
    int left = 0;
    for (int i = 0; i < n; ++i) left += (fiedler(i, 0) > 0) == (fiedler(0, 0) > 0);
    std::printf("eigenvalue %.9f in %lld iterations: %d and %d crossings, %d streets between them, drawn to %s\n",
                result.pairs[0].value, static_cast<long long>(result.iterations), left, n - left, cut, argv[1]);
    return cut == 3 && left == (bank + 1) * height ? 0 : 1;
  } catch (araia::Error const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
