// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LOBPCG: whole solves of a block of eigenpairs, beside the same method column by column: blocks of one vector, each
// kept orthogonal to those found before. Prints a table, and one line of JSON a result with --json.
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

#include <araia/assembly/assemble.hpp>
#include <araia/detail/formats/conversions.hpp>
#include <araia/error.hpp>
#include <araia/io/read_matrix.hpp>
#include <araia/solvers/lobpcg.hpp>
#include <common/program.hpp>
#include <common/timing.hpp>
#include "src/generate/patterns.hpp"

namespace araia::perf {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Device = Exec::device_type;
using Matrix = Csr<double, std::int32_t, std::int32_t, Device>;
using Vectors = Kokkos::View<double**, Kokkos::LayoutRight, Device>;

struct Settings {
  std::vector<std::string> matrices{"stencil7_100"};
  std::vector<std::string> pairs{"8", "16", "32"};
  int repeats = 3;
  double tolerance = 1e-8;
  std::int64_t iterations = 500;
  bool columns = true;
  bool largest = false;
  bool json = false;
};

constexpr char const* help_text = R"(bench_eig: a block of eigenpairs beside column by column
  --matrices=LIST   of stencil7_N (the 7-point Laplacian of N^3 points, whose values are known) and matrix files
                    (default stencil7_100)
  --pairs=LIST      of numbers of pairs, 1 to 64 (default 8,16,32)
  --largest         pairs of the other end
  --tolerance=T     of the relative residuals (default 1e-8)
  --iterations=N    at most; of column by column so many a pair (default 500)
  --repeats=N       of the block's solve, of which the median is reported (default 3); column by column runs once
  --no-columns      the block alone
  --json            a line of JSON a result instead of the table
)";

Settings parse(int argc, char** argv) {
  Settings s;
  for (int i = 1; i < argc; ++i) {
    std::string_view const argument = argv[i];
    auto const value = [&](std::string_view name) { return argument.substr(name.size()); };
    if (argument.starts_with("--matrices=")) {
      s.matrices = list_of(value("--matrices="));
    } else if (argument.starts_with("--pairs=")) {
      s.pairs = list_of(value("--pairs="));
    } else if (argument.starts_with("--repeats=")) {
      s.repeats = positive_number<int>("--repeats", value("--repeats="));
    } else if (argument.starts_with("--iterations=")) {
      s.iterations = positive_number<std::int64_t>("--iterations", value("--iterations="));
    } else if (argument.starts_with("--tolerance=")) {
      s.tolerance = positive_number<double>("--tolerance", value("--tolerance="));
    } else if (argument == "--no-columns") {
      s.columns = false;
    } else if (argument == "--largest") {
      s.largest = true;
    } else if (argument == "--json") {
      s.json = true;
    } else {
      throw std::invalid_argument("unknown flag '" + std::string(argument) + "'\n" + help_text);
    }
  }
  return s;
}

struct Problem {
  Matrix A;
  std::vector<double> values;  // known eigenvalues, the wanted end first; empty for others
};

/// Of the Laplacian with fixed values at the rim, those next to the end wanted.
std::vector<double> stencil_values(std::int64_t n, bool largest) {
  constexpr double pi = 3.14159265358979323846;
  constexpr std::int64_t near = 12;  // indices of one direction: 64 pairs need 7
  std::vector<double> of_one;
  for (std::int64_t i = 1; i <= std::min(n, near); ++i) {
    auto const at = static_cast<double>(largest ? n + 1 - i : i);
    double const sine = std::sin(pi * at / static_cast<double>(2 * (n + 1)));
    of_one.push_back(4 * sine * sine);
  }
  std::vector<double> values;
  for (double const a : of_one)
    for (double const b : of_one)
      for (double const c : of_one) values.push_back(a + b + c);
  std::sort(values.begin(), values.end());
  if (largest) std::reverse(values.begin(), values.end());
  return values;
}

Problem problem_of(Settings const& s, std::string const& name) {
  constexpr std::string_view stencil = "stencil7_";
  if (!name.starts_with(stencil)) return {copy_to<Device>(Exec(), assemble<double>(read_matrix(name))), {}};
  auto const n = positive_number<std::int64_t>("stencil7_N", std::string_view(name).substr(stencil.size()));
  GeneratedMatrix const generated = generate::stencil_7_point(n, n, n);
  std::vector<std::int32_t> const offsets(generated.row_offsets.begin(), generated.row_offsets.end());
  std::vector<double> values(generated.col_indices.size(), -1.0);
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
    for (auto k = static_cast<std::size_t>(offsets[i]); k < static_cast<std::size_t>(offsets[i + 1]); ++k)
      if (static_cast<std::size_t>(generated.col_indices[k]) == i) values[k] = 6;
  Problem problem{{.rows = generated.rows, .cols = generated.rows, .nnz = generated.nnz()},
                  stencil_values(n, s.largest)};
  problem.A.row_offsets = upload(offsets);
  problem.A.col_indices = upload(generated.col_indices);
  problem.A.values = upload(values);
  return problem;
}

struct Outcome {
  std::string status = "converged";
  double seconds = 0;
  std::int64_t iterations = 0;
  std::int64_t products = 0;
  double residual = 0;  // the largest relative one
  double error = 0;     // the largest relative one of a value; NaN where they are not known
};

void add_pairs(Outcome& outcome, LobpcgResult const& r, std::vector<double> const& known, std::size_t first) {
  if (r.status != LobpcgStatus::converged) outcome.status = to_string(r.status);
  outcome.iterations += r.iterations;
  outcome.products += r.products;
  for (std::size_t j = 0; j < r.pairs.size(); ++j) {
    outcome.residual = std::max(outcome.residual, r.pairs[j].relative_residual);
    if (known.empty())
      outcome.error = std::numeric_limits<double>::quiet_NaN();
    else
      outcome.error = std::max(outcome.error, std::abs(r.pairs[j].value / known[first + j] - 1));
  }
}

LobpcgOptions options_of(Settings const& s) {
  return {.end = s.largest ? LobpcgEnd::largest : LobpcgEnd::smallest,
          .tolerance = s.tolerance,
          .max_iterations = s.iterations};
}

Outcome of_block(Settings const& s, Problem const& problem, int pairs) {
  Exec const exec;
  LobpcgOptions options = options_of(s);
  options.pairs = pairs;
  auto solver = make_lobpcg(exec, problem.A, options);
  Vectors const X("X", static_cast<std::size_t>(problem.A.rows), static_cast<std::size_t>(pairs));
  std::vector<double> times;
  LobpcgResult result;
  for (int repeat = 0; repeat < s.repeats; ++repeat)
    times.push_back(seconds_of([&] { result = solver.solve(exec, X); }));
  Outcome outcome;
  outcome.seconds = median(times);
  add_pairs(outcome, result, problem.values, 0);
  return outcome;
}

Outcome of_columns(Settings const& s, Problem const& problem, int pairs) {
  Exec const exec;
  LobpcgOptions options = options_of(s);
  options.pairs = 1;
  options.guard = 0;
  auto solver = make_lobpcg(exec, problem.A, options);
  Vectors const found("found", static_cast<std::size_t>(problem.A.rows), static_cast<std::size_t>(pairs));
  Outcome outcome;
  for (std::size_t j = 0; j < static_cast<std::size_t>(pairs); ++j) {
    auto const x = Kokkos::subview(found, Kokkos::ALL(), std::pair(j, j + 1));
    auto const before = Kokkos::subview(found, Kokkos::ALL(), std::pair(std::size_t{0}, j));
    LobpcgResult result;
    outcome.seconds += seconds_of([&] { result = solver.solve(exec, x, before); });
    add_pairs(outcome, result, problem.values, j);
  }
  return outcome;
}

void print(Settings const& s, std::string const& matrix, int pairs, char const* method, Outcome const& o) {
  if (s.json) {
    char error[32] = "null";
    if (!std::isnan(o.error)) std::snprintf(error, sizeof error, "%.3g", o.error);
    std::printf(
        "{\"matrix\": \"%s\", \"pairs\": %d, \"method\": \"%s\", \"status\": \"%s\", \"seconds\": %.6g, "
        "\"iterations\": %lld, \"products\": %lld, \"relative_residual\": %.3g, \"relative_error\": %s}\n",
        matrix.c_str(), pairs, method, o.status.c_str(), o.seconds, static_cast<long long>(o.iterations),
        static_cast<long long>(o.products), o.residual, error);
  } else {
    std::printf("%-24s %5d %-16s %-15s %10.3f s %9lld %9lld %10.2e %10.2e\n", matrix.c_str(), pairs, method,
                o.status.c_str(), o.seconds, static_cast<long long>(o.iterations), static_cast<long long>(o.products),
                o.residual, o.error);
  }
  std::fflush(stdout);
}

void run(Settings const& s, std::string const& name) {
  Problem const problem = problem_of(s, name);
  std::string const matrix = std::filesystem::path(name).filename().string();
  for (auto const& text : s.pairs) {
    int const pairs = positive_number<int>("--pairs", text);
    Outcome const block = of_block(s, problem, pairs);
    print(s, matrix, pairs, "block", block);
    if (!s.columns) continue;
    Outcome const columns = of_columns(s, problem, pairs);
    print(s, matrix, pairs, "column by column", columns);
    if (!s.json) std::printf("%-24s %5d column by column / block: %.2f\n", "", pairs, columns.seconds / block.seconds);
  }
}

}  // namespace
}  // namespace araia::perf

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  int code = 0;
  try {
    auto const settings = araia::perf::parse(argc, argv);
    if (!settings.json)
      std::printf("%-24s %5s %-16s %-15s %12s %9s %9s %10s %10s\n", "matrix", "pairs", "method", "status", "time",
                  "iterations", "products", "residual", "error");
    for (auto const& name : settings.matrices) araia::perf::run(settings, name);
  } catch (std::exception const& error) {
    std::cerr << error.what() << '\n';
    code = 1;
  }
  Kokkos::finalize();
  return code;
}
