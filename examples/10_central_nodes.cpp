// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The most central nodes of a town's streets: a lattice with parks and a lake in it. Draws the closeness of every
// crossing, and names the ten most central ones.
//   10_central_nodes [OUT.svg]
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <araia/error.hpp>
#include <araia/formats/make_csr.hpp>
#include <araia/graph/closeness.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

using Exec = Kokkos::DefaultHostExecutionSpace;

struct Place {
  int x;
  int y;
};

/// Crossings of a town, and where streets lead from each.
struct Town {
  std::vector<Place> places;
  std::vector<int> row_offsets{0};
  std::vector<int> col_indices;
};

static bool is_water_or_park(int x, int y) {
  bool const lake = (x - 38) * (x - 38) + 2 * (y - 14) * (y - 14) < 120;
  bool const park = x >= 10 && x < 22 && y >= 20 && y < 32;
  bool const square = x >= 27 && x < 31 && y >= 27 && y < 30;
  return lake || park || square;
}

static Town make_town(int width, int height) {
  Town town;
  std::vector<int> number(static_cast<std::size_t>(width * height), -1);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      if (is_water_or_park(x, y)) continue;
      number[static_cast<std::size_t>(y * width + x)] = static_cast<int>(town.places.size());
      town.places.push_back({x, y});
    }
  for (auto const& [x, y] : town.places) {
    for (auto const& [dx, dy] : {Place{0, -1}, Place{-1, 0}, Place{1, 0}, Place{0, 1}}) {
      bool const inside = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height;
      int const other = inside ? number[static_cast<std::size_t>((y + dy) * width + x + dx)] : -1;
      if (other >= 0) town.col_indices.push_back(other);
    }
    town.row_offsets.push_back(static_cast<int>(town.col_indices.size()));
  }
  return town;
}

static Kokkos::View<int*, Kokkos::HostSpace> view_of(char const* label, std::vector<int> const& from) {
  Kokkos::View<int*, Kokkos::HostSpace> const view(label, from.size());
  std::copy(from.begin(), from.end(), view.data());
  return view;
}

/// From blue, the least, to red, the most.
static std::string colour(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "hsl(%d,80%%,50%%)", static_cast<int>(240 * (1 - share)));
  return text;
}

static void draw(std::string const& path, Town const& town, std::vector<double> const& scores,
                 std::vector<std::size_t> const& best) {
  constexpr int cell = 12;  // pixels
  int width = 0;
  int height = 0;
  for (auto const& place : town.places) {
    width = std::max(width, place.x + 1);
    height = std::max(height, place.y + 1);
  }
  auto const [least, most] = std::minmax_element(scores.begin(), scores.end());
  double const range = *most > *least ? *most - *least : 1;
  std::ofstream out(path);
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << cell * width << "\" height=\"" << cell * height
      << "\"><rect width=\"100%\" height=\"100%\" fill=\"#eee\"/>\n";
  for (std::size_t v = 0; v < scores.size(); ++v)
    out << "<rect x=\"" << cell * town.places[v].x << "\" y=\"" << cell * town.places[v].y << "\" width=\"" << cell
        << "\" height=\"" << cell << "\" fill=\"" << colour((scores[v] - *least) / range) << "\"/>\n";
  for (std::size_t const v : best)
    out << "<circle cx=\"" << cell * town.places[v].x + cell / 2 << "\" cy=\"" << cell * town.places[v].y + cell / 2
        << "\" r=\"" << cell / 3 << "\" fill=\"white\" stroke=\"black\"/>\n";
  out << "</svg>\n";
}

int main(int argc, char** argv) {
  std::string const path = argc > 1 ? argv[1] : "central_nodes.svg";
  Kokkos::ScopeGuard const kokkos(argc, argv);
  try {
    Town const town = make_town(60, 40);
    auto const nodes = static_cast<std::int64_t>(town.places.size());
    Exec const exec;
    auto const row_offsets = view_of("row_offsets", town.row_offsets);
    auto const col_indices = view_of("col_indices", town.col_indices);
    Kokkos::View<double*, Kokkos::HostSpace> const values("values", town.col_indices.size());

    auto const A = araia::make_csr(exec, nodes, nodes, static_cast<std::int64_t>(town.col_indices.size()), row_offsets,
                                   col_indices, values);
    auto const result = araia::closeness(exec, A);  // values are not read: an edge is an edge

    std::vector<std::size_t> best(town.places.size());
    for (std::size_t v = 0; v < best.size(); ++v) best[v] = v;
    std::stable_sort(best.begin(), best.end(),
                     [&](std::size_t a, std::size_t b) { return result.closeness[a] > result.closeness[b]; });
    best.resize(10);
    for (std::size_t const v : best)
      std::cout << '(' << town.places[v].x << ", " << town.places[v].y << ")  " << result.closeness[v] << '\n';
    draw(path, town, result.closeness, best);
    std::cout << "drawn in " << path << '\n';
  } catch (araia::Error const& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
