// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a generator returns: a sorted CSR matrix in plain host memory, without Kokkos.

#include <cstdint>
#include <string>
#include <vector>

#include <araia/io/host_coo.hpp>

namespace araia {

/// Columns ascend strictly inside a row. The same call gives the same bits on every run and at any thread count.
struct GeneratedMatrix {
  std::string name;   ///< part of a benchmark's name: generator and sizes, no slash
  std::string klass;  ///< results are summed up per class
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<std::int64_t> row_offsets;  ///< (rows + 1)
  std::vector<std::int32_t> col_indices;  ///< (nnz)
  std::vector<double> values;             ///< (nnz) random, none is zero

  [[nodiscard]] std::int64_t nnz() const noexcept { return static_cast<std::int64_t>(col_indices.size()); }
};

/// The same entries by rows, as a reader would have them; symmetry is not made use of. A matrix that is moved in
/// gives its columns and values.
/// Cost   nnz + rows steps, 4 nnz bytes
[[nodiscard]] HostCoo to_host_coo(GeneratedMatrix A);

}  // namespace araia
