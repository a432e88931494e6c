// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Matrices by the name of their kind, of the nearest possible size. Free of Kokkos, library Araia::generate.
//
// Kinds: the classes that the performance suite is run on (suite_kinds()), "row_lengths", and "like:NAME", look-alikes
// of published matrices (docs/generated_matrices.md has the recipes).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <araia/detail/generate/generated_matrix.hpp>

namespace araia::generate {

/// What is left out is the kind's default. Kinds whose pattern sets the columns or the entries refuse a number of them.
struct Options {
  std::optional<std::int64_t> rows{};             ///< at least; 1 to 2^31 - 1
  std::optional<std::int64_t> cols{};             ///< 1 to 2^31 - 1
  std::optional<double> fill{};                   ///< share of the places that hold an entry: above 0, at most 1
  std::optional<std::int64_t> entries_per_row{};  ///< in place of fill: 1 to the columns
  std::uint64_t seed = 0;                         ///< 0: the matrices that published figures refer to
  std::uint64_t memory_limit = 0;                 ///< bytes of host memory; 0: default_host_memory_limit()
};

/// A matrix that is not made yet.
struct Size {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  double entries = 0;  ///< about: chance decides
};

/// stencil7 stencil27 fem lattice4 orbitals power_grid banded uniform power_law circuit lp pruned
[[nodiscard]] std::vector<std::string> suite_kinds();

/// All that matrix() knows: the suite's, row_lengths, like:cant, ...
[[nodiscard]] std::vector<std::string> kinds();

/// Class of a kind's matrices: results are summed up per class.
/// \throws araia::Error (invalid_argument) naming the known kinds
[[nodiscard]] std::string class_of(std::string_view kind);

/// What matrix() would make.
/// \throws araia::Error as matrix(), memory apart
[[nodiscard]] Size size_of(std::string_view kind, Options const& options = {});

/// The matrix of a kind with `rows` rows, or the fewest above that the kind can have: a cube of grid points, a whole
/// number of nodes or periods.
/// \throws araia::Error: invalid_argument, whose text begins with the name of the option ("rows is 0, expected ..."),
/// or
///         with "kind"; resource_limit naming need and limit, before anything is taken
/// Cost   as the function of the pattern (patterns.hpp)
[[nodiscard]] GeneratedMatrix matrix(std::string_view kind, Options const& options = {});

/// A kind of the suite in its usual shape, sized to about so many entries.
/// \throws araia::Error (invalid_argument) naming the suite's kinds
[[nodiscard]] GeneratedMatrix of_entries(std::string_view kind, std::int64_t entries);

}  // namespace araia::generate
