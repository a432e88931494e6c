// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Look-alikes of published matrices: a pattern of the original's class with its rows, columns and mean entries a row.
#include <algorithm>
#include <array>
#include <cmath>

#include "src/generate/patterns.hpp"

#include "src/generate/kinds.hpp"

namespace araia::generate::detail {
namespace {

double mean_of(LookAlike const& original) {
  return static_cast<double>(original.entries) / static_cast<double>(original.rows);
}

std::int64_t scaled(std::int64_t length, double factor) {
  return std::max<std::int64_t>(1, std::llround(static_cast<double>(length) * factor));
}

/// A square matrix of so many rows with the original's mean entries a row.
Planned square(LookAlike const& original, std::int64_t rows, std::function<GeneratedMatrix()> make) {
  return {{rows, rows, mean_of(original) * static_cast<double>(rows)}, std::move(make)};
}

/// A mesh of the original's proportions; shape.nx and shape.ny are those of the original's size.
Planned mesh_like(LookAlike const& original, std::int64_t rows, std::uint64_t seed, MeshShape shape) {
  auto const nodes_of = [&](std::int64_t r) { return (r + shape.unknowns - 1) / shape.unknowns; };
  int const dimensions = 1 + (shape.nx > 0) + (shape.ny > 0);
  double const growth = static_cast<double>(nodes_of(rows)) / static_cast<double>(nodes_of(original.rows));
  double const edge = std::pow(growth, 1.0 / dimensions);
  shape.nodes = nodes_of(rows);
  if (shape.nx > 0) shape.nx = std::min(scaled(shape.nx, edge), shape.nodes);
  if (shape.ny > 0) shape.ny = std::min(scaled(shape.ny, edge), shape.nodes);
  shape.entries_per_row = mean_of(original);
  return square(original, shape.nodes * shape.unknowns, [=] { return mesh(shape, seed); });
}

constexpr std::array table{
    LookAlike{"dense2", "dense", 2000, 2000, 4000000,
              [](LookAlike const&, std::int64_t rows, std::uint64_t seed) {
                double const n = static_cast<double>(rows);
                return Planned{{rows, rows, n * n}, [=] { return pruned_layer(rows, rows, 0, seed); }};
              }},
    LookAlike{"pdb1HYS", "protein", 36417, 36417, 4344765,
              [](LookAlike const& original, std::int64_t rows, std::uint64_t seed) {
                return mesh_like(original, rows, seed, {.nx = 23, .ny = 23, .reach = 56, .unknowns = 3, .window = 64});
              }},
    LookAlike{"consph", "fem", 83334, 83334, 6010480,
              [](LookAlike const& original, std::int64_t rows, std::uint64_t seed) {
                return mesh_like(original, rows, seed, {.nx = 30, .ny = 30, .reach = 26, .unknowns = 3, .window = 64});
              }},
    LookAlike{"cant", "fem", 62451, 62451, 4007383,
              [](LookAlike const& original, std::int64_t rows, std::uint64_t seed) {
                return mesh_like(original, rows, seed, {.nx = 9, .ny = 9, .reach = 26, .unknowns = 3});
              }},
    LookAlike{"pwtk", "shell", 217918, 217918, 11634424,
              [](LookAlike const& original, std::int64_t rows, std::uint64_t seed) {
                return mesh_like(original, rows, seed, {.nx = 190, .reach = 8, .unknowns = 6, .window = 64});
              }},
    LookAlike{"rma10", "fluid", 46835, 46835, 2374001,
              [](LookAlike const& original, std::int64_t rows, std::uint64_t seed) {
                return mesh_like(original, rows, seed,
                                 {.nx = 5, .ny = 43, .reach = 18, .unknowns = 5, .window = 64, .symmetric = false});
              }},
    LookAlike{"qcd5_4", "lattice", 49152, 49152, 1916928,
              [](LookAlike const& original, std::int64_t rows, std::uint64_t seed) {
                auto const n = least_edge(3, rows, [](std::int64_t edge) { return 12 * edge * edge * edge * edge; });
                return square(original, 12 * n * n * n * n, [=] { return lattice_4d(n, seed); });
              }},
    LookAlike{"shipsec1", "shell", 140874, 140874, 7813404,
              [](LookAlike const& original, std::int64_t rows, std::uint64_t seed) {
                return mesh_like(original, rows, seed, {.nx = 153, .reach = 12, .unknowns = 6, .window = 64});
              }},
    LookAlike{"mac_econ_fwd500", "economics", 206500, 206500, 1273389,
              [](LookAlike const& original, std::int64_t rows, std::uint64_t seed) {
                constexpr std::int64_t equations = 413;  // 500 periods of them
                std::int64_t const periods = (rows + equations - 1) / equations;
                double const mean = mean_of(original);
                return square(original, periods * equations,
                              [=] { return period_model(periods, equations, mean, seed); });
              }},
    LookAlike{"mc2depi", "lattice", 525825, 525825, 2100225,
              [](LookAlike const& original, std::int64_t rows, std::uint64_t seed) {
                auto const n = least_edge(2, rows, [](std::int64_t edge) { return edge * (2 * edge - 1); });
                return square(original, n * (2 * n - 1), [=] { return lattice_2d(n, 2 * n - 1, seed); });
              }},
    LookAlike{"cop20k_A", "fem", 121192, 121192, 2624331,
              [](LookAlike const& original, std::int64_t rows, std::uint64_t seed) {
                return mesh_like(original, rows, seed,
                                 {.nx = 50, .ny = 50, .reach = 40, .empty = 0.176, .window = 4096});
              }},
    LookAlike{"scircuit", "circuit", 170998, 170998, 958936,
              [](LookAlike const& original, std::int64_t rows, std::uint64_t seed) {
                rows = std::max<std::int64_t>(rows, 256);
                return square(original, rows, [=] { return circuit(rows, 12, 350, seed); });
              }},
    LookAlike{"webbase-1M", "power_law", 1000005, 1000005, 3105536,
              [](LookAlike const& original, std::int64_t rows, std::uint64_t seed) {
                rows = std::max<std::int64_t>(rows, 256);
                std::int64_t const longest = std::clamp<std::int64_t>(rows / 212, 16, 4700);
                return square(original, rows, [=] { return power_law(rows, 3.16, longest, seed); });
              }},
    LookAlike{"rail4284", "lp", 4284, 1092610, 11279748,
              [](LookAlike const& original, std::int64_t rows, std::uint64_t seed) {
                rows = std::max<std::int64_t>(rows, 512);
                double const growth = static_cast<double>(rows) / static_cast<double>(original.rows);
                std::int64_t const cols = scaled(original.cols, growth);
                return Planned{{rows, cols, static_cast<double>(original.entries) * growth},
                               [=] { return linear_program(rows, cols, 9, 12, seed); }};
              }},
    LookAlike{"offshore", "fem", 259789, 259789, 4242673,
              [](LookAlike const& original, std::int64_t rows, std::uint64_t seed) {
                return mesh_like(original, rows, seed, {.nx = 64, .ny = 64, .reach = 26, .window = 512});
              }},
    LookAlike{"SiO", "real_space", 33401, 33401, 1317655,
              [](LookAlike const& original, std::int64_t rows, std::uint64_t seed) {
                return square(original, ball_points(rows), [=] { return grid_hamiltonian(rows, seed); });
              }},
    LookAlike{"nemeth21", "banded", 9506, 9506, 1173746,
              [](LookAlike const& original, std::int64_t rows, std::uint64_t seed) {
                return mesh_like(original, rows, seed, {.reach = 130});
              }},
    LookAlike{"TSC_OPF_1047", "optimal_power_flow", 8140, 8140, 2012833,
              [](LookAlike const& original, std::int64_t rows, std::uint64_t seed) {
                return mesh_like(original, rows, seed, {.nx = 20, .reach = 12, .unknowns = 20});
              }},
};

}  // namespace

std::span<LookAlike const> look_alikes() { return table; }

}  // namespace araia::generate::detail
