// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/cli/symmetry.hpp"

#include <Kokkos_Core.hpp>
#include <cmath>

#include <araia/ops/transpose.hpp>

namespace araia::cli {

void require_real(Input const& input) {
  if (input.field == "complex")
    throw Failure(Exit::input, formatted("{} is complex, expected a real matrix", in_quotes(input.name)));
}

void require_symmetric(Input const& input, HostMatrix const& A, std::string_view method) {
  if (A.rows != A.cols)
    throw Failure(Exit::input,
                  formatted("{} is {} x {}, expected a square matrix", in_quotes(input.name), A.rows, A.cols));
  if (input.coo.symmetry == Symmetry::symmetric) return;
  HostMatrix const T = transpose(HostDevice::execution_space(), A);
  constexpr double rounding = 1e-12;  // of the two values
  for (std::int64_t row = 0; row < A.rows; ++row) {
    auto k = A.row_offsets(row);
    auto t = T.row_offsets(row);
    auto const last = A.row_offsets(row + 1);
    auto const last_t = T.row_offsets(row + 1);
    while (k < last || t < last_t) {
      bool const only_a = t == last_t || (k < last && A.col_indices(k) < T.col_indices(t));
      bool const only_t = k == last || (t < last_t && T.col_indices(t) < A.col_indices(k));
      auto const column = only_t ? T.col_indices(t) : A.col_indices(k);
      auto const value = [](HostMatrix const& m, std::int32_t at) { return m.has_values() ? m.values(at) : 1.0; };
      double const a = only_t ? 0 : value(A, k);
      double const b = only_a ? 0 : value(T, t);
      if (std::abs(a - b) > rounding * (std::abs(a) + std::abs(b)))
        throw Failure(Exit::input,
                      formatted("{} is not symmetric: A({}, {}) is {}, but A({}, {}) is {}; {}", in_quotes(input.name),
                                row + 1, column + 1, a, column + 1, row + 1, b, method));
      if (!only_t) ++k;
      if (!only_a) ++t;
    }
  }
}

}  // namespace araia::cli
