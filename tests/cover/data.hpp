// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Small matrices of the shared data folder.

#include <araia/error.hpp>
#include <araia/io/matrix_market.hpp>
#include <complex>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

#include "support/zoo.hpp"

namespace araia::test::cover {

/// The entries of a file as Csr, in file order within a row; the real parts of complex values.
inline TestMatrix csr_of(std::string name, HostCoo const& coo) {
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> cols;
  std::vector<double> values;
  std::visit([&](auto const& from) { rows.assign(from.begin(), from.end()); }, coo.row_indices);
  std::visit([&](auto const& from) { cols.assign(from.begin(), from.end()); }, coo.col_indices);
  std::visit(
      [&](auto const& from) {
        if constexpr (std::is_same_v<std::decay_t<decltype(from)>, std::monostate>)
          values.assign(rows.size(), 1);
        else
          for (auto const& v : from) values.push_back(static_cast<double>(std::real(v)));
      },
      coo.values);
  if (coo.symmetry != Symmetry::general)
    for (std::size_t k = 0, stored = rows.size(); k < stored; ++k)
      if (rows[k] != cols[k]) {
        rows.push_back(cols[k]);
        cols.push_back(rows[k]);
        values.push_back(coo.symmetry == Symmetry::skew_symmetric ? -values[k] : values[k]);
      }
  TestMatrix m{std::move(name), coo.rows, coo.cols};
  for (std::int64_t row = 0; row < coo.rows; ++row) {
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (rows[k] == row) {
        m.col_indices.push_back(static_cast<std::int32_t>(cols[k]));
        m.values.push_back(values[k]);
      }
    m.row_offsets.push_back(m.nnz());
  }
  return m;
}

/// Those of the folder that are there.
inline std::vector<TestMatrix> matrices_of_data(std::filesystem::path const& folder) {
  std::vector<TestMatrix> all;
  for (char const* name : {"lp_afiro", "lpi_galenet", "n3c4-b4", "west0067", "karate", "ash219", "bfwa62"}) {
    auto const path = folder / "tiny" / (std::string(name) + ".mtx");
    if (std::filesystem::exists(path)) all.push_back(csr_of(name, read_matrix_market(path)));
  }
  return all;
}

}  // namespace araia::test::cover
