// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a reader hands over: the stored entries of a file, in file order, in plain host memory.

#include <complex>
#include <cstdint>
#include <variant>
#include <vector>

namespace araia {

/// Which entries the stored ones stand for. A file with symmetry stores one triangle; assembly adds the other.
enum class Symmetry { general, symmetric, skew_symmetric, hermitian };

/// Entries of a matrix as stored; indices from 0. Duplicates and any order are legal.
struct HostCoo {
  using Indices = std::variant<std::vector<std::int32_t>, std::vector<std::int64_t>>;
  /// monostate: pattern, every entry is one.
  using Values =
      std::variant<std::monostate, std::vector<double>, std::vector<std::complex<double>>, std::vector<std::int64_t>>;

  std::int64_t rows = 0;
  std::int64_t cols = 0;
  Indices row_indices;  ///< (stored) 0 <= r < rows; 32 bits wide where rows and cols both fit, else 64 (both alike)
  Indices col_indices;  ///< (stored) 0 <= c < cols
  Values values;        ///< (stored)
  Symmetry symmetry = Symmetry::general;

  /// Number of stored entries, before symmetry is expanded and duplicates are summed.
  [[nodiscard]] std::int64_t stored() const noexcept {
    return std::visit([](auto const& v) { return static_cast<std::int64_t>(v.size()); }, row_indices);
  }
};

}  // namespace araia
