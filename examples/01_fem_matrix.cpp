// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear elasticity on an irregular mesh of tetrahedra, assembled from its elements and written as Matrix Market:
//   01_fem_matrix out.mtx [cells per edge]
// A block with a spherical cavity, its nodes moved at random and numbered as a mesh generator would, without a pattern.
// The material is free on all sides but held down by a weak spring at each node, so the matrix is positive definite.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <numeric>
#include <random>
#include <string_view>
#include <vector>

#include <araia/io/matrix_market.hpp>

namespace {

using Point = std::array<double, 3>;

struct Mesh {
  std::vector<Point> nodes;
  std::vector<std::array<std::int32_t, 4>> tetrahedra;  // node numbers
};

constexpr double lame_lambda = 1.5;  // of the material; lengths are in cells
constexpr double lame_mu = 1.0;
constexpr double spring = 1e-3;                // stiffness added to each unknown
constexpr double jitter = 0.2;                 // largest shift of a node along an axis
constexpr double cavity = 0.3;                 // radius, of the block's edge
constexpr std::size_t numbering_window = 256;  // nodes within which numbers are shuffled

/// Uniform in [0, 1), the same with every standard library.
double unit(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

/// n^3 cells of six tetrahedra each, less those whose centre lies in the cavity, and the nodes that these still use.
Mesh make_mesh(std::int32_t n) {
  // The corners of the six paths along the edges of a cube from corner 0 to 7; corners are bits x, y, z.
  constexpr std::array<std::array<int, 4>, 6> paths{
      {{0, 1, 3, 7}, {0, 5, 1, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 6, 4, 7}}};
  std::mt19937_64 random(20260101);
  std::int32_t const edge = n + 1;
  auto const place = [edge](std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<std::size_t>(x + edge * (y + edge * z));
  };
  std::vector<std::int32_t> number(place(0, 0, edge), -1);
  Mesh mesh;
  for (std::int32_t z = 0; z < n; ++z)
    for (std::int32_t y = 0; y < n; ++y)
      for (std::int32_t x = 0; x < n; ++x) {
        double const half = 0.5 * n;
        if (std::hypot(x + 0.5 - half, y + 0.5 - half, z + 0.5 - half) < cavity * n) continue;
        std::array<std::int32_t, 8> corners{};
        for (int corner = 0; corner < 8; ++corner) {
          std::int32_t const cx = x + (corner & 1);
          std::int32_t const cy = y + (corner >> 1 & 1);
          std::int32_t const cz = z + (corner >> 2);
          auto& known = number[place(cx, cy, cz)];
          if (known < 0) {
            known = static_cast<std::int32_t>(mesh.nodes.size());
            auto const moved = [&](std::int32_t at) { return at + jitter * (2 * unit(random) - 1); };
            mesh.nodes.push_back({moved(cx), moved(cy), moved(cz)});
          }
          corners[static_cast<std::size_t>(corner)] = known;
        }
        for (auto const& path : paths) {
          auto& tetrahedron = mesh.tetrahedra.emplace_back();
          std::transform(path.begin(), path.end(), tetrahedron.begin(),
                         [&](int corner) { return corners[static_cast<std::size_t>(corner)]; });
        }
      }

  std::vector<std::int32_t> renumbered(mesh.nodes.size());
  std::iota(renumbered.begin(), renumbered.end(), 0);
  for (std::size_t first = 0; first < renumbered.size(); first += numbering_window) {
    std::size_t const count = std::min(numbering_window, renumbered.size() - first);
    for (std::size_t i = count - 1; i > 0; --i)
      std::swap(renumbered[first + i], renumbered[first + random() % (i + 1)]);
  }
  std::vector<Point> nodes(mesh.nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[static_cast<std::size_t>(renumbered[i])] = mesh.nodes[i];
  mesh.nodes = std::move(nodes);
  for (auto& tetrahedron : mesh.tetrahedra)
    for (auto& node : tetrahedron) node = renumbered[static_cast<std::size_t>(node)];
  return mesh;
}

Point minus(Point const& a, Point const& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Point cross(Point const& a, Point const& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(Point const& a, Point const& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// The 3 x 3 block that couples two nodes.
struct Coupling {
  std::int32_t row_node;
  std::int32_t col_node;
  std::array<double, 9> block;
};

/// Appends the blocks of one element with row_node >= col_node: its stiffness is symmetric.
void add_element(Mesh const& mesh, std::array<std::int32_t, 4> const& tetrahedron, std::vector<Coupling>& couplings) {
  std::array<Point, 4> corner{};
  for (std::size_t i = 0; i < 4; ++i) corner[i] = mesh.nodes[static_cast<std::size_t>(tetrahedron[i])];
  Point const u = minus(corner[1], corner[0]);
  Point const v = minus(corner[2], corner[0]);
  Point const w = minus(corner[3], corner[0]);
  double const six_volumes = dot(u, cross(v, w));
  double const volume = std::abs(six_volumes) / 6;
  // Gradients of the four linear shape functions.
  std::array<Point, 4> gradient{Point{}, cross(v, w), cross(w, u), cross(u, v)};
  for (std::size_t i = 1; i < 4; ++i)
    for (std::size_t d = 0; d < 3; ++d) {
      gradient[i][d] /= six_volumes;
      gradient[0][d] -= gradient[i][d];
    }
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = 0; b < 4; ++b) {
      if (tetrahedron[a] < tetrahedron[b]) continue;
      Coupling coupling{tetrahedron[a], tetrahedron[b], {}};
      double const same = lame_mu * dot(gradient[a], gradient[b]);
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
          double const mixed =
              lame_lambda * gradient[a][i] * gradient[b][j] + lame_mu * gradient[a][j] * gradient[b][i];
          coupling.block[3 * i + j] = volume * (mixed + (i == j ? same : 0));
        }
      couplings.push_back(coupling);
    }
}

/// The lower triangle of the assembled matrix, sorted, each entry once.
araia::HostCoo assemble(Mesh const& mesh) {
  std::vector<Coupling> couplings;
  couplings.reserve(mesh.tetrahedra.size() * 10 + mesh.nodes.size());
  for (auto const& tetrahedron : mesh.tetrahedra) add_element(mesh, tetrahedron, couplings);
  for (std::size_t node = 0; node < mesh.nodes.size(); ++node) {
    auto const number = static_cast<std::int32_t>(node);
    couplings.push_back({number, number, {spring, 0, 0, 0, spring, 0, 0, 0, spring}});
  }
  // Stable, so that the same blocks are summed in the same order by every standard library.
  std::stable_sort(couplings.begin(), couplings.end(), [](Coupling const& a, Coupling const& b) {
    return a.row_node != b.row_node ? a.row_node < b.row_node : a.col_node < b.col_node;
  });
  std::vector<Coupling> summed;
  for (Coupling const& next : couplings) {
    if (summed.empty() || summed.back().row_node != next.row_node || summed.back().col_node != next.col_node)
      summed.push_back(next);
    else
      for (std::size_t i = 0; i < 9; ++i) summed.back().block[i] += next.block[i];
  }

  std::vector<std::int32_t> rows;
  std::vector<std::int32_t> cols;
  std::vector<double> values;
  for (Coupling const& coupling : summed)
    for (std::int32_t i = 0; i < 3; ++i)
      for (std::int32_t j = 0; j < 3; ++j) {
        std::int32_t const row = 3 * coupling.row_node + i;
        std::int32_t const col = 3 * coupling.col_node + j;
        if (row < col) continue;
        rows.push_back(row);
        cols.push_back(col);
        values.push_back(coupling.block[static_cast<std::size_t>(3 * i + j)]);
      }
  araia::HostCoo A;
  A.rows = A.cols = 3 * static_cast<std::int64_t>(mesh.nodes.size());
  A.row_indices = std::move(rows);
  A.col_indices = std::move(cols);
  A.values = std::move(values);
  A.symmetry = araia::Symmetry::symmetric;
  return A;
}

}  // namespace

int main(int argc, char** argv) try {
  std::int32_t cells = 24;
  std::string_view const given = argc > 2 ? argv[2] : "";
  auto const parsed = std::from_chars(given.data(), given.data() + given.size(), cells);
  bool const number_is_good = given.empty() || (parsed.ec == std::errc() && parsed.ptr == given.data() + given.size());
  if (argc < 2 || argc > 3 || !number_is_good || cells < 2 || cells > 400) {
    std::fputs("usage: 01_fem_matrix out.mtx [cells per edge, 2 to 400, by default 24]\n", stderr);
    return 2;
  }
  Mesh const mesh = make_mesh(cells);
  araia::HostCoo const A = assemble(mesh);
  araia::write_matrix_market(argv[1], A, {.comment = "linear elasticity on an irregular mesh of tetrahedra"});
  std::printf("%s: %zu tetrahedra, %lld unknowns, %lld entries in the lower triangle\n", argv[1],
              mesh.tetrahedra.size(), static_cast<long long>(A.rows), static_cast<long long>(A.stored()));
  return 0;
} catch (std::exception const& error) {
  std::fprintf(stderr, "01_fem_matrix: %s\n", error.what());
  return 1;
}
