// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "matrices.hpp"

#include <algorithm>
#include <araia/assembly/assemble.hpp>
#include <araia/io/read_matrix.hpp>
#include <cmath>
#include <complex>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <variant>

#include <araia/generate/matrix.hpp>

#include "left_out.hpp"

namespace araia::perf {
namespace {

/// Bytes of an entry of CSR in double with 32-bit columns: what --size-mb counts, row offsets left out.
constexpr double bytes_of_an_entry = 12;

GeneratedMatrix from_file(std::filesystem::path const& path, std::string name, std::string klass) {
  HostCoo const entries = read_matrix(path);
  if (std::holds_alternative<std::vector<std::complex<double>>>(entries.values))
    throw LeftOut("the values are complex");
  auto const A = assemble<double, std::int32_t, std::int64_t>(entries);
  GeneratedMatrix matrix{.name = std::move(name),
                         .klass = std::move(klass),
                         .rows = A.rows,
                         .cols = A.cols,
                         .row_offsets = {A.row_offsets.data(), A.row_offsets.data() + A.row_offsets.extent(0)},
                         .col_indices = {A.col_indices.data(), A.col_indices.data() + A.nnz},
                         .values = {}};
  if (A.has_values())
    matrix.values.assign(A.values.data(), A.values.data() + A.nnz);
  else
    matrix.values.assign(static_cast<std::size_t>(A.nnz), 1.0);
  return matrix;
}

/// Of a file: without .mtx, .smtx and .gz.
std::string stem(std::filesystem::path const& path) {
  std::string const name = path.filename().string();
  return name.substr(0, std::min(name.rfind(".mtx"), name.rfind(".smtx")));
}

std::string size_label(double megabytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%gMB", megabytes);
  return text;
}

}  // namespace

GeneratedMatrix const* made_or_left_out(LazyMatrix& matrix) {
  try {
    return &matrix.get();
  } catch (LeftOut const& error) {
    std::printf("# %s, %s\n", matrix.name.c_str(), error.what());
    return nullptr;
  }
}

std::vector<std::shared_ptr<LazyMatrix>> list_matrices(Options const& options) {
  std::vector<std::shared_ptr<LazyMatrix>> list;
  for (auto const& generator : options.generators)
    for (double const megabytes : options.sizes_mb) {
      auto const nnz = static_cast<std::int64_t>(std::llround(megabytes * 1e6 / bytes_of_an_entry));
      list.push_back(std::make_shared<LazyMatrix>(LazyMatrix{
          .name = generator + '_' + size_label(megabytes), .klass = generate::class_of(generator), .make = [=] {
            return generate::of_entries(generator, nnz);
          }}));
    }
  std::map<std::string, int> uses;
  for (auto const& matrix : list) ++uses[matrix->name];
  for (std::filesystem::path const path : options.files) ++uses[stem(path)];
  for (std::filesystem::path const path : options.files) {
    std::string const klass = std::filesystem::absolute(path).parent_path().filename().string();
    std::string const name = uses[stem(path)] == 1 ? stem(path) : klass + '.' + path.filename().string();
    list.push_back(std::make_shared<LazyMatrix>(
        LazyMatrix{.name = name, .klass = klass, .make = [=] { return from_file(path, name, klass); }}));
  }
  std::set<std::string> names;
  for (auto const& matrix : list)
    if (!names.insert(matrix->name).second)
      throw std::invalid_argument("two matrices are called '" + matrix->name +
                                  "', expected names that tell their results apart");
  return list;
}

}  // namespace araia::perf
