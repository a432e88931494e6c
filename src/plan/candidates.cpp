// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of candidates, and the rules by which a choice from elsewhere is accepted.
#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include <araia/formats/team_shape.hpp>
#include <araia/plan/traffic.hpp>

namespace araia {
namespace {

constexpr int warp = 32;         // lanes of a device's warp
constexpr int most_team = 1024;  // threads of a block

int lanes_covering(std::int64_t columns) {
  int lanes = 1;
  while (lanes < warp && lanes < columns) lanes *= 2;
  return lanes;
}

bool has_uneven_rows(Problem const& p) { return p.stats.min_length != p.stats.max_length; }

class List {
 public:
  explicit List(Problem const& problem, Machine const& machine) : problem_(problem), machine_(machine) {}

  void add(Choice choice) {
    if (std::find(list_.begin(), list_.end(), choice) != list_.end()) return;
    if (why_illegal(problem_, choice, machine_).empty()) list_.push_back(std::move(choice));
  }
  /// Also with rows ordered by length, where that changes anything.
  void add_with_order(Choice choice) {
    add(choice);
    if (problem_.source_permuted || !has_uneven_rows(problem_)) return;
    choice.rows_by_length = true;
    add(std::move(choice));
  }
  [[nodiscard]] std::vector<Choice> take() { return std::move(list_); }

 private:
  Problem const& problem_;
  Machine const& machine_;
  std::vector<Choice> list_;
};

void list_spmv(List& list, Problem const& p, Machine const& m) {
  if (!m.device) {
    list.add({.format = "csr", .kernel = "host_simd"});
    if (p.shared_entries > 0) list.add({.format = "csr", .kernel = "host_simd_runs"});
    list.add_with_order({.format = "csr", .kernel = "thread_per_row"});
    constexpr int small_chunk = 128;  // rows: evens out clusters of long rows at some cost a chunk
    list.add({.format = "csr", .kernel = "thread_per_row", .rows_per_team = small_chunk});
  } else {
    int const near = detail::vector_length_for(p.stats.nnz, p.stats.rows);
    list.add({.format = "csr", .kernel = "vector_per_row", .vector_length = std::max(2, near)});
    list.add_with_order({.format = "csr", .kernel = "thread_per_row"});
    for (int const lanes : {near / 2, near, near * 2, near * 4})
      if (lanes >= 2 && lanes <= warp)
        list.add_with_order({.format = "csr", .kernel = "vector_per_row", .vector_length = lanes});
    int const lanes = std::max(2, near);
    list.add({.format = "csr", .kernel = "vector_per_row", .team_size = 128 / lanes, .vector_length = lanes});
    list.add({.format = "csr", .kernel = "vector_per_row", .team_size = 512 / lanes, .vector_length = lanes});
  }
  list.add({.format = "coo", .kernel = "segmented"});
  if (m.device) {
    list.add({.format = "coo", .kernel = "segmented", .entries = 4});
    list.add({.format = "coo", .kernel = "segmented", .entries = 16});
  }
  list.add({.format = "coo", .kernel = "atomic"});
  list.add_with_order({.format = "ell", .kernel = "thread_per_row"});
}

void list_spmm(List& list, Problem const& p, Machine const& m) {
  int const lanes = m.device ? lanes_covering(p.columns) : 1;
  if (!m.device) {
    list.add({.format = "csr", .kernel = "host_simd"});
    if (p.shared_entries > 0) list.add({.format = "csr", .kernel = "host_simd_runs"});
  }
  auto const add_lanes = [&](int vector_length, int columns_per_lane) {
    // A step beyond the columns repeats the one below it.
    if (columns_per_lane > 1 && vector_length * (columns_per_lane / 2) >= p.columns) return;
    Choice const csr{.format = "csr",
                     .kernel = "columns_on_lanes",
                     .vector_length = m.device ? vector_length : 0,
                     .columns_per_lane = columns_per_lane};
    if (m.device)
      list.add_with_order(csr);
    else
      list.add(csr);
    Choice ell = csr;
    ell.format = "ell";
    list.add_with_order(ell);
  };
  for (int const columns_per_lane : {4, 8, 1}) add_lanes(lanes, columns_per_lane);
  if (m.device && lanes > 1)
    for (int const columns_per_lane : {4, 8}) add_lanes(lanes / 2, columns_per_lane);
  list.add({.format = "coo", .kernel = "atomic"});
}

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::vector<Choice> candidates(Problem const& problem, Machine const& machine) {
  List list(problem, machine);
  if (problem.op != Op::none) {
    list.add({.format = "csr", .kernel = "transposed"});
    list.add({.format = "coo", .kernel = "atomic"});
    list.add_with_order({.format = "ell", .kernel = "transposed"});
  } else if (problem.spmm) {
    list_spmm(list, problem, machine);
  } else {
    list_spmv(list, problem, machine);
  }
  return list.take();
}

std::string why_illegal(Problem const& p, Choice const& c, Machine const& m) {
  bool const transposed = p.op != Op::none;
  if (!one_of(c.format, {"csr", "coo", "ell"})) return fmt::format("format '{}', expected csr, coo or ell", c.format);
  bool known = false;
  if (c.format == "coo")
    known = c.kernel == "atomic" || (c.kernel == "segmented" && !p.spmm && !transposed && !p.source_permuted);
  else if (transposed)
    known = c.kernel == "transposed";
  else if (p.spmm)
    known = c.kernel == "columns_on_lanes" || (c.format == "csr" && is_host_simd(c));
  else
    known = c.kernel == "thread_per_row" || (c.format == "csr" && (c.kernel == "vector_per_row" || is_host_simd(c)));
  if (!known)
    return fmt::format("kernel '{}' does not exist for {} {} with op {}", c.kernel, c.format, p.spmm ? "spmm" : "spmv",
                       to_string(p.op));
  if (is_host_simd(c) && !p.host_simd)
    return fmt::format("kernel '{}' does not run these types and strides on this execution space", c.kernel);
  if (c.kernel == "host_simd_runs" && c.rows_by_length) return "host_simd_runs is for rows in their own order";
  if (c.rows_by_length && c.format == "coo") return "rows_by_length is for csr and ell";
  if (c.rows_by_length && p.source_permuted) return "rows_by_length: the matrix brings a row permutation of its own";
  auto const outside = [](char const* field, int got, char const* expected) {
    return fmt::format("{} is {}, expected {}", field, got, expected);
  };
  if (c.vector_length < 0 || c.vector_length > warp || (c.vector_length & (c.vector_length - 1)) != 0)
    return outside("vector_length", c.vector_length, "0 or a power of two up to 32");
  if (c.team_size < 0 || c.team_size > most_team) return outside("team_size", c.team_size, "0 to 1024");
  if (c.team_size * std::max(1, c.vector_length) > most_team)
    return outside("team_size", c.team_size, "team_size * vector_length of at most 1024");
  if (c.rows_per_team < 0) return outside("rows_per_team", c.rows_per_team, "0 or more");
  constexpr int most_entries = 1 << 20;  // times team_size fits an int
  if (c.entries < 0 || c.entries > most_entries) return outside("entries", c.entries, "0 to 1048576");
  if (c.columns_per_lane != 0 && c.columns_per_lane != 1 && c.columns_per_lane != 4 && c.columns_per_lane != 8)
    return outside("columns_per_lane", c.columns_per_lane, "0, 1, 4 or 8");
  if (p.deterministic && m.concurrency > 1) {
    if (one_of(c.kernel, {"atomic", "segmented", "transposed"}))
      return fmt::format("kernel '{}' sums by atomics, which deterministic plans refuse", c.kernel);
  }
  return {};
}

}  // namespace araia
