// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_coo_check.hpp"

#include <araia/error.hpp>

#include <string>
#include <type_traits>

namespace araia::detail {
namespace {

[[noreturn]] void broken(std::string const& rule) { throw Error(ErrorKind::invalid_structure, "HostCoo: " + rule); }

template <class Indices>
Triangle check_indices(HostCoo const& A, Indices const& rows, Indices const& cols) {
  if (rows.size() != cols.size()) {
    broken(std::to_string(rows.size()) + " row indices and " + std::to_string(cols.size()) + " column indices");
  }
  bool lower = false;
  bool upper = false;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k] < 0 || rows[k] >= A.rows || cols[k] < 0 || cols[k] >= A.cols) {
      broken("entry " + std::to_string(k) + " is at (" + std::to_string(rows[k]) + ", " + std::to_string(cols[k]) +
             "), outside " + std::to_string(A.rows) + " x " + std::to_string(A.cols));
    }
    lower |= rows[k] > cols[k];
    upper |= rows[k] < cols[k];
  }
  return lower && upper ? Triangle::both : lower ? Triangle::lower : upper ? Triangle::upper : Triangle::none;
}

}  // namespace

Triangle check_host_coo(HostCoo const& A) {
  if (A.rows < 0 || A.cols < 0) broken("a negative size: " + std::to_string(A.rows) + " x " + std::to_string(A.cols));
  if (A.row_indices.index() != A.col_indices.index()) broken("row and column indices of different widths");
  std::visit(
      [&]<class Values>(Values const& values) {
        if constexpr (!std::is_same_v<Values, std::monostate>) {
          if (static_cast<std::int64_t>(values.size()) != A.stored()) {
            broken(std::to_string(values.size()) + " values for " + std::to_string(A.stored()) + " entries");
          }
        }
      },
      A.values);
  Triangle const triangle = std::visit(
      [&]<class Indices>(Indices const& rows) { return check_indices(A, rows, std::get<Indices>(A.col_indices)); },
      A.row_indices);
  if (A.symmetry == Symmetry::general) return triangle;
  if (A.rows != A.cols) {
    broken("symmetry in a matrix of " + std::to_string(A.rows) + " x " + std::to_string(A.cols));
  }
  if (triangle == Triangle::both) broken("symmetry, but entries on both sides of the diagonal");
  if (A.symmetry == Symmetry::skew_symmetric && std::holds_alternative<std::monostate>(A.values)) {
    broken("a skew-symmetric pattern has no signs");
  }
  return triangle;
}

}  // namespace araia::detail
