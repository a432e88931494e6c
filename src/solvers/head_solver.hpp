// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Who solves the linear system of a trial.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace araia::detail {

/// Which unknown heads a link joins, whatever flows in it.
struct HeadGraph {
  std::size_t rows = 0;
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;  // (edges) first < second, each pair once, ascending
};

/// A matrix on such a graph, as what it is made of: off the diagonal minus the conductance of the edge, on it the sum
/// of the row's edges and of what leads to known heads. Nothing is negative, so that sums lose no digits.
struct HeadCoefficients {
  std::vector<double> edges;   // (edges)
  std::vector<double> ground;  // (rows)
};

class HeadSolver {
 public:
  HeadSolver() = default;
  HeadSolver(HeadSolver const&) = delete;
  HeadSolver& operator=(HeadSolver const&) = delete;
  virtual ~HeadSolver() = default;
  /// x with A x = right, as near as rounding allows.
  /// \param A  on the graph that the solver was made with; a way of edges that are not 0 leads from every row to one
  ///           with a ground that is not 0, so that A is positive definite
  /// \return iterations, 0 of a direct method; -1 where A is not positive definite in this arithmetic
  virtual std::int64_t solve(HeadCoefficients const& A, std::vector<double> const& right, std::vector<double>& x) = 0;
};

/// Eigen's SimplicialLDLT.
/// \throws araia::Error (unsupported) in a build without Eigen
std::unique_ptr<HeadSolver> make_direct_heads(HeadGraph const& graph);
/// Conjugate gradients on Kokkos's default execution space, which must be initialised.
std::unique_ptr<HeadSolver> make_cg_heads(HeadGraph const& graph);
/// Eliminates trees and chains exactly, and leaves the rest to what `make_core` makes.
std::unique_ptr<HeadSolver> make_reduced_heads(HeadGraph const& graph,
                                               std::unique_ptr<HeadSolver> (*make_core)(HeadGraph const&));

/// The matrix by rows, both triangles and all of the diagonal, columns ascending within a row.
class HeadRows {
 public:
  explicit HeadRows(HeadGraph const& graph);
  [[nodiscard]] std::vector<std::int32_t> const& offsets() const { return offsets_; }
  [[nodiscard]] std::vector<std::int32_t> const& columns() const { return columns_; }
  /// (nnz), until the next call.
  std::vector<double> const& values(HeadCoefficients const& A);

 private:
  std::vector<std::pair<std::int32_t, std::int32_t>> edges_;
  std::vector<std::int32_t> offsets_;   // (rows + 1)
  std::vector<std::int32_t> columns_;   // (nnz)
  std::vector<std::int32_t> diagonal_;  // (rows) in values_
  std::vector<std::int32_t> upper_;     // (edges) in values_
  std::vector<std::int32_t> lower_;     // (edges) in values_
  std::vector<double> values_;
};

}  // namespace araia::detail
