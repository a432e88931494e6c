// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A dense matrix in plain host memory: right-hand sides and results, as they are in files.

#include <complex>
#include <cstdint>
#include <variant>
#include <vector>

namespace araia {

struct HostDense {
  using Values = std::variant<std::vector<double>, std::vector<std::complex<double>>>;

  std::int64_t rows = 0;
  std::int64_t columns = 0;
  Values values;  ///< (rows * columns) column-major: element (i, j) at i + j * rows
};

}  // namespace araia
