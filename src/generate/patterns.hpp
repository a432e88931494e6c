// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Matrices of classes that sparse products are measured on, at any size. Free of Kokkos, library Araia::generate.
//
// Of every function: \param seed  other values, and another pattern where chance has a part in it; 0 is the matrix that
// published figures refer to. \throws araia::Error (invalid_argument) for sizes out of range, which are named; rows and
// columns are at most 2^31 - 1. Cost: time linear in the entries unless it is said otherwise, on all cores; memory some
// 24 bytes an entry while the rows are joined, then 12, and 8 a row. "Symmetric positive definite" is by a diagonal of
// 1 + the sum of the row's other magnitudes.

#include <cstdint>

#include <araia/detail/generate/generated_matrix.hpp>

namespace araia::generate {

/// Grid point (i, j, k) couples with its six neighbours on an nx x ny x nz grid, x fastest. Class "stencil".
/// Symmetric positive definite.
[[nodiscard]] GeneratedMatrix stencil_7_point(std::int64_t nx, std::int64_t ny, std::int64_t nz,
                                              std::uint64_t seed = 0);

/// As stencil_7_point, with all 26 neighbours. Class "stencil".
[[nodiscard]] GeneratedMatrix stencil_27_point(std::int64_t nx, std::int64_t ny, std::int64_t nz,
                                               std::uint64_t seed = 0);

/// Assembled elasticity-like matrix, 3 unknowns a node, on an irregular mesh of nx x ny x nz cells. Class "fem".
/// Cells are bricks (all 8 nodes couple), bricks cut in five tetrahedra in either orientation (only tetrahedron edges
/// couple), bricks stretched over the next cell in x (12 nodes), or holes, all by chance. Nodes are numbered at random
/// inside windows of 64, as after a bandwidth reduction. Full 3 x 3 blocks, some 80 entries a row in the mean,
/// symmetric positive definite. Rows: 3 (nx + 1) (ny + 1) (nz + 1).
[[nodiscard]] GeneratedMatrix fem_3_dof(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::uint64_t seed = 0);

/// Every row: its diagonal and entries_per_row - 1 columns uniform within half_bandwidth of it. Class "banded".
/// \param entries_per_row  1 to the rows and to half_bandwidth + 1
[[nodiscard]] GeneratedMatrix banded_random(std::int64_t rows, std::int64_t entries_per_row,
                                            std::int64_t half_bandwidth, std::uint64_t seed = 0);

/// Every row: entries_per_row distinct columns, uniform over all. Class "uniform_random".
[[nodiscard]] GeneratedMatrix uniform_random(std::int64_t rows, std::int64_t cols, std::int64_t entries_per_row,
                                             std::uint64_t seed = 0);

/// Every row: a length uniform between two shares of the columns, that many distinct columns, uniform over all. Class
/// "random_lengths". Cost: rows x cols steps.
[[nodiscard]] GeneratedMatrix random_lengths(std::int64_t rows, std::int64_t cols, double least_share,
                                             double most_share, std::uint64_t seed = 0);

/// Square lattice of n x n points, or one of nx x ny, with four neighbours and no diagonal: 2-D epidemiology. Class
/// "lattice".
[[nodiscard]] GeneratedMatrix lattice_2d(std::int64_t n, std::uint64_t seed = 0);
[[nodiscard]] GeneratedMatrix lattice_2d(std::int64_t nx, std::int64_t ny, std::uint64_t seed);

/// The largest connected part of a square lattice of n x n points from which a share of the edges is missing, drawn by
/// the seed: roads of a town. Symmetric, no diagonal, points in the order of rows. Class "lattice".
/// \param n        2 to 46340
/// \param missing  at least 0, less than 1
[[nodiscard]] GeneratedMatrix lattice_with_gaps(std::int64_t n, double missing, std::uint64_t seed);

/// Periodic 4-D lattice of n^4 sites, 4 spins and 3 colours each: a row couples 13 full blocks of 3 x 3, its own and
/// three along each axis, so all rows have 39 entries. The pattern of a lattice gauge theory. Class "lattice".
/// \param n  3 to 115
[[nodiscard]] GeneratedMatrix lattice_4d(std::int64_t n, std::uint64_t seed = 0);

/// Web-like graph, square: row lengths by a Pareto law of exponent 2.1, column popularity u -> u^3 over columns
/// renumbered at random, so that hubs lie anywhere. Class "power_law". Columns that a row draws twice are one entry, so
/// that the mean is a few per cent less than asked for.
/// \param rows                  16 or more
/// \param most_entries_per_row  where the law is cut off, rows / 16 at most; 0: that
[[nodiscard]] GeneratedMatrix power_law(std::int64_t rows, double mean_entries_per_row,
                                        std::int64_t most_entries_per_row = 0, std::uint64_t seed = 0);

/// Circuit, square: the diagonal, 1 to most_wires wires whose length goes as 1 / u, and for 30% of the nodes their
/// region's supply net, a row of up to most_pins entries itself. Class "circuit".
/// \param rows  256 or more
[[nodiscard]] GeneratedMatrix circuit(std::int64_t rows, std::int64_t most_wires = 5, std::int64_t most_pins = 20000,
                                      std::uint64_t seed = 0);

/// Constraint matrix of a set-covering linear program: few wide rows, many columns of `least` to `most` entries in rows
/// near each other, row popularity u -> u^2. Class "lp".
/// \param rows  256 or more, and 32 most or more
[[nodiscard]] GeneratedMatrix linear_program(std::int64_t rows, std::int64_t cols, std::int64_t least = 1,
                                             std::int64_t most = 7, std::uint64_t seed = 0);

/// Layer of a pruned network: each weight is kept with probability 1 - sparsity. Class "pruned". Cost: rows x cols
/// steps.
[[nodiscard]] GeneratedMatrix pruned_layer(std::int64_t rows, std::int64_t cols, double sparsity,
                                           std::uint64_t seed = 0);

/// Tight-binding Hamiltonian of a crystal, as of nano-electronics: atoms on an nx x ny x nz grid, x fastest, with 4 to
/// 10 orbitals by chance; each couples in full blocks with its own and its six neighbours' orbitals. Class "orbitals".
/// Symmetric positive definite, 49 entries a row in the mean.
[[nodiscard]] GeneratedMatrix orbital_lattice(std::int64_t nx, std::int64_t ny, std::int64_t nz,
                                              std::uint64_t seed = 0);

/// Rows that site number `site` of an orbital_lattice has; sites count x fastest, whatever the sizes.
[[nodiscard]] std::int64_t orbitals_of_site(std::int64_t site, std::uint64_t seed = 0);

/// Nodal admittances of a power grid: feeders along the numbering, branches whose distance goes as 1 / u, loops to
/// nodes nearby. Class "power_grid". Symmetric positive definite, 3.7 entries a row in the mean.
/// \param nodes  2 or more
[[nodiscard]] GeneratedMatrix power_grid(std::int64_t nodes, std::uint64_t seed = 0);

/// What mesh() makes.
struct MeshShape {
  std::int64_t nodes = 0;
  std::int64_t nx = 0;         ///< nodes of a line; 0: all nodes are one line
  std::int64_t ny = 0;         ///< lines of a plane; 0: all lines are one plane
  std::int64_t reach = 0;      ///< nearest neighbours that a node may couple with, an even number
  std::int64_t unknowns = 1;   ///< rows of a node
  double entries_per_row = 1;  ///< mean over all rows; fewer where even all couplings in reach are fewer
  double empty = 0;            ///< share of nodes, by chance, whose rows and columns are empty
  std::int64_t window = 1;     ///< nodes that are numbered at random among each other; 1: as they lie
  bool symmetric = true;       ///< values too, and positive definite but for empty rows; else the pattern alone
};

/// Nodes along lines, in planes of lines, each coupled in full blocks with itself and, by chance, with the nearest
/// others. A line goes on where the one before ends, so that any number of nodes makes a mesh. Class "mesh".
[[nodiscard]] GeneratedMatrix mesh(MeshShape const& shape, std::uint64_t seed = 0);

/// Model of an economy over time: every period has the same equations, each with its own variable, others of the period
/// near in the numbering and anywhere, and some of the period before or after; all periods have one pattern, so that
/// the matrix is block tridiagonal. Class "economics". \param entries_per_row  mean over the equations, 1 to equations
/// / 4
[[nodiscard]] GeneratedMatrix period_model(std::int64_t periods, std::int64_t equations, double entries_per_row,
                                           std::uint64_t seed = 0);

/// Hamiltonian of a molecule on the points of a grid inside a ball, x fastest: finite differences of order 12 (six
/// neighbours each way along the axes), and two atoms whose nearest points, some 1.9 sqrt(points) each, couple all with
/// all. Class "real_space". Symmetric positive definite.
/// \param least_points  rows at least: the ball with the fewest points that has so many
[[nodiscard]] GeneratedMatrix grid_hamiltonian(std::int64_t least_points, std::uint64_t seed = 0);

/// Rows of grid_hamiltonian(least_points).
[[nodiscard]] std::int64_t ball_points(std::int64_t least_points);

}  // namespace araia::generate
