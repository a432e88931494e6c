// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "perf/thesis/sweep.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <araia/generate/matrix.hpp>

namespace araia::thesis {
namespace {

constexpr std::string_view key_field = "{\"cell\": \"";

std::string joined(std::vector<std::string> const& texts) {
  std::string all;
  for (auto const& text : texts) {
    if (!all.empty()) all += ',';
    all += text;
  }
  return all;
}

}  // namespace

std::string SweepMatrix::name() const {
  if (sparsity == 0) return kind;
  char text[64];
  std::snprintf(text, sizeof text, "%s_%lld_%.2f", kind.c_str(), static_cast<long long>(rows), sparsity);
  return text;
}

GeneratedMatrix SweepMatrix::make() const {
  generate::Options options;
  if (rows > 0) options.rows = rows;
  if (sparsity > 0) {
    options.cols = rows;
    options.fill = 1 - sparsity;
  }
  return generate::matrix(kind, options);
}

bool Cell::is_pruned() const { return matrix.sparsity > 0; }

std::string Cell::key() const { return joined(tables) + ' ' + matrix.name() + ' ' + std::to_string(columns); }

std::vector<std::string> table_names() { return {"4.2", "4.3", "4.4", "4.5", "4.6", "4.7"}; }

std::vector<Cell> cells(std::vector<std::string> const& tables) {
  auto const known = table_names();
  auto const wanted = tables.empty() ? known : tables;
  for (auto const& table : wanted)
    if (std::find(known.begin(), known.end(), table) == known.end())
      throw std::invalid_argument("--table is '" + table + "', expected one of " + joined(known));
  std::vector<std::string> pruned, sparse;
  for (auto const& table : known)
    if (std::find(wanted.begin(), wanted.end(), table) != wanted.end())
      (table < std::string("4.5") ? pruned : sparse).push_back(table);
  std::vector<Cell> all;
  if (!pruned.empty())
    for (std::int64_t const rows : {256, 512, 1024, 2048})
      for (double const sparsity : {0.6, 0.7, 0.8, 0.85, 0.9})
        for (int const columns : {32, 64, 128, 256, 512, 1024, 2048})
          all.push_back({pruned, {"pruned", rows, sparsity}, columns});
  if (!sparse.empty())
    for (char const* const kind : {"like:nemeth21", "like:TSC_OPF_1047", "like:SiO", "like:offshore"})
      for (int const columns : {8, 16, 32, 64, 128, 256, 512}) all.push_back({sparse, {kind, 0, 0}, columns});
  return all;
}

Part part_of(std::string const& text) {
  Part part{0, 0};
  char const* const end = text.data() + text.size();
  auto const first = std::from_chars(text.data(), end, part.index);
  if (first.ec == std::errc{} && first.ptr != end && *first.ptr == '/') {
    auto const second = std::from_chars(first.ptr + 1, end, part.of);
    if (second.ec == std::errc{} && second.ptr == end && part.index >= 1 && part.index <= part.of) return part;
  }
  throw std::invalid_argument("--part is '" + text + "', expected I/N with I from 1 to N");
}

std::vector<Cell> of_part(std::vector<Cell> const& all, Part const& part) {
  std::vector<Cell> mine;
  for (std::size_t k = part.index - 1; k < all.size(); k += part.of) mine.push_back(all[k]);
  return mine;
}

std::string line_beginning(Cell const& cell) { return std::string(key_field) + cell.key() + '"'; }

std::set<std::string> finished_cells(std::string const& path) {
  std::set<std::string> keys;
  if (!std::filesystem::exists(path)) return keys;
  std::uintmax_t whole = 0;  // bytes of whole lines
  {
    std::ifstream file(path, std::ios::binary);
    std::string line;
    while (std::getline(file, line) && !file.eof()) {
      auto const end = line.find('"', key_field.size());
      if (!line.starts_with(key_field) || end == std::string::npos)
        throw std::runtime_error(path + " has a line that bench_thesis did not write: " + line.substr(0, 60));
      keys.insert(line.substr(key_field.size(), end - key_field.size()));
      whole += line.size() + 1;
    }
  }
  if (whole < std::filesystem::file_size(path)) std::filesystem::resize_file(path, whole);
  return keys;
}

HostBcsc to_bcsc(GeneratedMatrix const& A, std::int64_t block_height) {
  HostBcsc to{.rows = A.rows, .cols = A.cols, .block_height = block_height};
  to.block_offsets.push_back(0);
  to.row_in_block.resize(static_cast<std::size_t>(A.nnz()));
  to.values.resize(static_cast<std::size_t>(A.nnz()));
  std::vector<std::int32_t> next(static_cast<std::size_t>(A.cols), 0);  // counts, then where a column's next entry goes
  std::vector<std::size_t> touched;
  for (std::int64_t first = 0; first < A.rows; first += block_height) {
    std::int64_t const last = std::min(A.rows, first + block_height);
    auto const row_offset = [&](std::int64_t row) { return A.row_offsets[static_cast<std::size_t>(row)]; };
    auto const column_of = [&](std::int64_t k) {
      return static_cast<std::size_t>(A.col_indices[static_cast<std::size_t>(k)]);
    };
    touched.clear();
    for (std::int64_t k = row_offset(first); k < row_offset(last); ++k)
      if (next[column_of(k)]++ == 0) touched.push_back(column_of(k));
    std::sort(touched.begin(), touched.end());
    auto entry = static_cast<std::int32_t>(row_offset(first));
    for (std::size_t const col : touched) {
      to.block_cols.push_back(static_cast<std::int32_t>(col));
      to.col_offsets.push_back(entry);
      std::int32_t const count = std::exchange(next[col], entry);
      entry += count;
    }
    for (std::int64_t row = first; row < last; ++row)
      for (std::int64_t k = row_offset(row); k < row_offset(row + 1); ++k) {
        auto const at = static_cast<std::size_t>(next[column_of(k)]++);
        to.row_in_block[at] = static_cast<std::int32_t>(row - first);
        to.values[at] = static_cast<float>(A.values[static_cast<std::size_t>(k)]);
      }
    for (std::size_t const col : touched) next[col] = 0;
    to.block_offsets.push_back(static_cast<std::int32_t>(to.block_cols.size()));
  }
  to.col_offsets.push_back(static_cast<std::int32_t>(A.nnz()));
  return to;
}

}  // namespace araia::thesis
