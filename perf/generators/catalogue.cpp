// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The usual shape of each class, sized by its number of entries.
#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "generators.hpp"

namespace araia::perf {
namespace {

std::int64_t cube_edge(double points) { return std::max<std::int64_t>(2, std::lround(std::cbrt(points))); }

struct Generator {
  char const* name;
  char const* klass;
  GeneratedMatrix (*make)(double nnz);
};

constexpr std::array generators{
    Generator{"stencil7", "stencil",
              [](double nnz) {
                auto const n = cube_edge(nnz / 7);
                return stencil_7_point(n, n, n);
              }},
    Generator{"stencil27", "stencil",
              [](double nnz) {
                auto const n = cube_edge(nnz / 27);
                return stencil_27_point(n, n, n);
              }},
    Generator{"fem", "fem",
              [](double nnz) {
                auto const n = cube_edge(nnz / (3 * 81));
                return fem_3_dof(n, n, n);
              }},
    Generator{"lattice4", "lattice",
              [](double nnz) {
                // 12 rows of 39 entries a site; sizes go in steps of whole edges.
                return lattice_4d(std::max<std::int64_t>(3, std::lround(std::pow(nnz / (12 * 39), 0.25))));
              }},
    Generator{"orbitals", "orbitals",
              [](double nnz) {
                auto const n = cube_edge(nnz / (7 * 53));  // 7 orbitals, and their squares' mean
                return orbital_lattice(n, n, n);
              }},
    Generator{"power_grid", "power_grid",
              [](double nnz) { return power_grid(std::max<std::int64_t>(64, std::lround(nnz / 3.7))); }},
    Generator{"banded", "banded",
              [](double nnz) {
                auto const rows = std::max<std::int64_t>(64, std::lround(nnz / 16));
                return banded_random(rows, 16, std::min<std::int64_t>(rows - 1, 1000));
              }},
    Generator{"uniform", "uniform_random",
              [](double nnz) {
                auto const rows = std::max<std::int64_t>(64, std::lround(nnz / 16));
                return uniform_random(rows, rows, 16);
              }},
    Generator{"power_law", "power_law",
              [](double nnz) { return power_law(std::max<std::int64_t>(512, std::lround(nnz / 15)), 15); }},
    Generator{"circuit", "circuit",
              [](double nnz) { return circuit(std::max<std::int64_t>(256, std::lround(nnz / 4.6))); }},
    Generator{"lp", "lp",
              [](double nnz) {
                auto const cols = std::max<std::int64_t>(1024, std::lround(nnz / 4));
                return linear_program(std::max<std::int64_t>(256, cols / 50), cols);
              }},
    Generator{"pruned", "pruned",
              [](double nnz) {
                auto const n = std::max<std::int64_t>(16, std::lround(std::sqrt(nnz / 0.1) / 16) * 16);
                return pruned_layer(n, n, 0.9);
              }},
};

Generator const& find(std::string_view generator) {
  for (Generator const& known : generators)
    if (generator == known.name) return known;
  std::string message = "unknown generator '" + std::string(generator) + "', known:";
  for (Generator const& known : generators) message += std::string(1, ' ') + known.name;
  throw std::invalid_argument(message);
}

}  // namespace

std::vector<std::string> generator_names() {
  std::vector<std::string> names;
  for (Generator const& generator : generators) names.emplace_back(generator.name);
  return names;
}

std::string class_of_generator(std::string_view generator) { return find(generator).klass; }

GeneratedMatrix generate(std::string_view generator, std::int64_t nnz) {
  return find(generator).make(static_cast<double>(nnz));
}

}  // namespace araia::perf
