// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Matrices of the classes that results are reported for, at any size, with fixed seeds.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "generated_matrix.hpp"

namespace araia::perf {

/// Grid point (i, j, k) couples with its six neighbours on an nx x ny x nz grid, x fastest. Class "stencil".
/// Symmetric positive definite: random couplings, diagonal 1 + sum of the row's magnitudes.
GeneratedMatrix stencil_7_point(std::int64_t nx, std::int64_t ny, std::int64_t nz);

/// As stencil_7_point, with all 26 neighbours. Class "stencil".
GeneratedMatrix stencil_27_point(std::int64_t nx, std::int64_t ny, std::int64_t nz);

/// Assembled elasticity-like matrix, 3 unknowns a node, on an irregular mesh of nx x ny x nz cells. Class "fem".
/// Cells are bricks (all 8 nodes couple), bricks cut in five tetrahedra in either orientation (only tetrahedron edges
/// couple), bricks stretched over the next cell in x (12 nodes), or holes, all by chance. Nodes are numbered at random
/// inside windows of 64, as after a bandwidth reduction. Full 3 x 3 blocks, some 80 entries a row in the mean,
/// symmetric positive definite.
GeneratedMatrix fem_3_dof(std::int64_t nx, std::int64_t ny, std::int64_t nz);

/// Every row: its diagonal and entries_per_row - 1 columns uniform within half_bandwidth of it. Class "banded".
GeneratedMatrix banded_random(std::int64_t rows, std::int64_t entries_per_row, std::int64_t half_bandwidth);

/// Every row: entries_per_row distinct columns, uniform over all. Class "uniform_random".
GeneratedMatrix uniform_random(std::int64_t rows, std::int64_t cols, std::int64_t entries_per_row);

/// Every row: a length uniform between two shares of the columns, that many distinct columns, uniform over all. Class
/// "random_lengths".
GeneratedMatrix random_lengths(std::int64_t rows, std::int64_t cols, double least_share, double most_share);

/// Square lattice of n x n points with four neighbours and no diagonal: 2-D epidemiology. Class "lattice".
GeneratedMatrix lattice_2d(std::int64_t n);

/// The largest connected part of a square lattice of n x n points from which a share of the edges is missing, drawn by
/// the seed: roads of a town. Symmetric, no diagonal, points in the order of rows. Class "lattice".
GeneratedMatrix lattice_with_gaps(std::int64_t n, double missing, std::uint64_t seed);

/// Web-like graph, square: row lengths by a Pareto law of exponent 2.1 cut off at rows / 16, column popularity
/// u -> u^3 over columns renumbered at random, so that hubs lie anywhere. Class "power_law".
GeneratedMatrix power_law(std::int64_t rows, double mean_entries_per_row);

/// Periodic 4-D lattice of n^4 sites, 4 spins and 3 colours each: a row couples 13 full blocks of 3 x 3, its own and
/// three along each axis, so all rows have 39 entries. The pattern of a lattice gauge theory. Class "lattice".
GeneratedMatrix lattice_4d(std::int64_t n);

/// Circuit, square: the diagonal, 1 to 5 wires whose length goes as 1 / u, and for 30% of the nodes their region's
/// supply net, a row of up to 20000 entries itself. Class "circuit".
GeneratedMatrix circuit(std::int64_t rows);

/// Constraint matrix of a set-covering linear program: few wide rows, many columns of 1 to 7 entries in rows near
/// each other, row popularity u -> u^2. Class "lp".
GeneratedMatrix linear_program(std::int64_t rows, std::int64_t cols);

/// Layer of a pruned network: each weight is kept with probability 1 - sparsity. Class "pruned".
GeneratedMatrix pruned_layer(std::int64_t rows, std::int64_t cols, double sparsity);

/// Tight-binding Hamiltonian of a crystal, as of nano-electronics: atoms on an nx x ny x nz grid, x fastest, with 4 to
/// 10 orbitals by chance; each couples in full blocks with its own and its six neighbours' orbitals. Class "orbitals".
/// Symmetric positive definite, 49 entries a row in the mean.
GeneratedMatrix orbital_lattice(std::int64_t nx, std::int64_t ny, std::int64_t nz);

/// Nodal admittances of a power grid: feeders along the numbering, branches whose distance goes as 1 / u, loops to
/// nodes nearby. Class "power_grid". Symmetric positive definite, 3.7 entries a row in the mean.
GeneratedMatrix power_grid(std::int64_t nodes);

/// Names that generate() knows: stencil7 stencil27 fem lattice4 orbitals power_grid banded uniform power_law circuit lp
/// pruned.
std::vector<std::string> generator_names();

/// Class of the named generator's matrices, without making one.
/// \throws std::invalid_argument naming the known generators
std::string class_of_generator(std::string_view generator);

/// The named generator with its usual shape, sized to about nnz entries.
/// \throws std::invalid_argument naming the known ones
GeneratedMatrix generate(std::string_view generator, std::int64_t nnz);

}  // namespace araia::perf
