// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Closeness, harmonic centrality and reach of the nodes of a graph, which is the pattern of a square matrix.

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/written_out.hpp>
#include <araia/detail/graph/graph_rows.hpp>
#include <araia/error.hpp>
#include <araia/formats/csr.hpp>
#include <araia/graph/closeness_options.hpp>

namespace araia {

namespace detail {

/// \throws araia::Error dimension_mismatch, invalid_argument, resource_limit
void require_closeness(std::int64_t rows, std::int64_t cols, std::int64_t entries, ClosenessOptions const& options);

/// Written out in src/graph for the spaces that the library brings.
template <class Exec>
ClosenessResult closeness_of_rows(Exec const& exec, GraphRows const& rows, ClosenessOptions const& options);

/// The first `count` elements of an array, as they are.
template <class T, class Array>
static std::vector<T> host_elements(Array const& array, std::int64_t count) {
  std::vector<T> elements(static_cast<std::size_t>(count));
  copy_bytes<Kokkos::HostSpace, typename Array::memory_space>(elements.data(), array.data(),
                                                              elements.size() * sizeof(T));
  return elements;
}

template <class Scalar, class Ordinal, class Offset, class Device>
static GraphRows graph_rows(Csr<Scalar, Ordinal, Offset, Device> const& A) {
  GraphRows rows{.nodes = A.rows};
  if (A.row_offsets.extent(0) == 0) {
    rows.offsets.assign(1, 0);
    return rows;
  }
  auto const offsets = host_elements<Offset>(A.row_offsets, A.rows + 1);
  auto const heads = host_elements<Ordinal>(A.col_indices, A.nnz);
  rows.offsets.assign(offsets.begin(), offsets.end());
  rows.heads.reserve(heads.size());
  if (A.row_permutation.extent(0) == 0) {
    for (Ordinal const head : heads) rows.heads.push_back(static_cast<std::int32_t>(head));
    return rows;
  }
  // Row i of the arrays is row permutation(i) of the matrix.
  auto const permutation = host_elements<Ordinal>(A.row_permutation, A.rows);
  std::vector<std::size_t> place(permutation.size());
  for (std::size_t i = 0; i < permutation.size(); ++i) place[static_cast<std::size_t>(permutation[i])] = i;
  for (std::size_t row = 0; row < place.size(); ++row) {
    for (auto k = offsets[place[row]]; k < offsets[place[row] + 1]; ++k)
      rows.heads.push_back(static_cast<std::int32_t>(heads[static_cast<std::size_t>(k)]));
    rows.offsets[row + 1] = static_cast<std::int64_t>(rows.heads.size());
  }
  return rows;
}

}  // namespace detail

/// Centrality of every node. Node i is row i; a stored entry (i, j) is an edge from i to j, whatever its value, an
/// explicit zero too; entries (i, i) count for nothing. By default distances are those *to* a node, and the closeness
/// of a node that r others reach is r / (sum of their distances) times r / (nodes - 1): what NetworkX calls
/// closeness_centrality. A node that nobody reaches has 0.
/// \param exec     where the search runs; waits for it
/// \param A        a square Csr in memory that exec reaches; its values are not read
/// \param options  direction, scale, sources, method; see there
/// \throws araia::Error dimension_mismatch where A is not square; invalid_structure where it breaks a rule of its
///         format; invalid_argument for an option out of range; resource_limit naming need and limit, before anything
///         of the search is allocated; what options.progress throws
/// Cost     sources / 512 searches, each some words of 8 B an edge and node for every level that a node is reached in;
///          the graph is copied to the host, sorted, and copied back: O(rows + nnz)
/// Rounding sums are integers, of 1 / d in units of 2^-96: the same bits by every method on every machine
/// Source   [Then2014] for searches from many sources at once, [WassermanFaust1994], [MarchioriLatora2000] for the
///          harmonic score, [EppsteinWang2004] for sampled sources
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
[[nodiscard]] ClosenessResult closeness(Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A,
                                        ClosenessOptions const& options = {}) {
  static_assert(detail::is_written_out_space<Exec>,
                "araia::closeness: this build holds no searches for exec; Araia_SPACES=all adds Serial beside OpenMP");
  static_assert(
      Kokkos::SpaceAccessibility<Exec, typename Csr<Scalar, Ordinal, Offset, Device>::memory_space>::accessible,
      "araia::closeness: A must be in memory that exec reaches");
  detail::require_closeness(A.rows, A.cols, A.nnz, options);
  validate(exec, A.pattern());
  exec.fence("araia::closeness: the matrix is there");
  return detail::closeness_of_rows(exec, detail::graph_rows(A), options);
}

}  // namespace araia
