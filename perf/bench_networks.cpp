// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The experiment of Prata, Melfe, Pesqueira and Muranho (INForum 2010, sections 4.3 and tables 5 to 9) on today's
// machine: conjugate gradients on the systems of five water networks, three trials of a simulation each, by Csr and Ell
// with rows as they are and sorted by their length; and the product alone. Their numbers stand beside ours.
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/conversions.hpp>
#include <araia/io/epanet.hpp>
#include <araia/ops/spmv.hpp>
#include <araia/solvers/cg.hpp>
#include <araia/solvers/hydraulics.hpp>
#include <common/program.hpp>

namespace araia::perf {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Device = Exec::device_type;
template <class T>
using Matrix = Csr<T, std::int32_t, std::int32_t, Device>;
template <class T>
using Vector = Kokkos::View<T*, Device>;

/// A system on the host.
struct System {
  std::vector<std::int32_t> row_offsets;
  std::vector<std::int32_t> col_indices;
  std::vector<double> values;
  std::vector<double> rhs;
};

/// What the paper has of a network: milliseconds of a product on its CPU (table 5), of an iteration on its CPU (7) and
/// GPU (8, 9), Csr then Ell, and iterations on its CPU.
struct Paper {
  double product[2];
  double iteration_cpu[2];
  double iteration_gpu[2];
  double iterations;
};

struct Network {
  std::string name;
  std::string file;  // empty: generated
  Paper paper;
};

std::vector<Network> const networks{
    {"Richmond", "Richmond_standard.inp.gz", {{0.018, 0.028}, {0.019, 0.023}, {0.155, 0.156}, 901316}},
    {"Wolf", "wolf-3.inp.gz", {{0.038, 0.054}, {0.059, 0.071}, {0.164, 0.159}, 50311}},
    {"Exnet", "exnet-3.inp.gz", {{0.043, 0.070}, {0.049, 0.062}, {0.164, 0.159}, 108958}},
    {"BWSN-2", "BWSN_Network_2.inp.gz", {{0.360, 0.670}, {0.437, 0.538}, {0.253, 0.223}, 844635}},
    {"FinMar (generated)", "", {{0.343, 0.680}, {0.378, 0.457}, {0.254, 0.226}, 2362729}},
};

/// Three of the trials: the first, the middle one and the last.
std::vector<System> systems_of(std::filesystem::path const& file) {
  std::vector<System> all;
  HydraulicOptions options;
  options.system = [&](HydraulicSystem const& s) { all.push_back({s.row_offsets, s.col_indices, s.values, s.rhs}); };
  (void)solve_hydraulics(read_epanet(file), options);
  // The right-hand side of the last trial is the rounding of a balance: the first one's is that of the demands.
  for (auto& system : all) system.rhs = all.front().rhs;
  return {all.front(), all[all.size() / 2], all.back()};
}

/// FinMar's size, 14,991 rows and 71,001 entries: streets of four neighbours at most, and a few nodes that many pipes
/// meet at, as the paper's figure 3 shows; conductances over four decades, one pipe in a thousand nearly without flow.
std::vector<System> made_network() {
  constexpr std::int32_t n = 14991;
  constexpr std::int32_t width = 122;
  constexpr std::size_t pipes = (71001 - n) / 2;
  constexpr std::int32_t hubs = 5;
  constexpr std::int32_t of_hub = 60;
  std::mt19937 random(2010);
  std::vector<std::pair<std::int32_t, std::int32_t>> streets;
  for (std::int32_t i = 0; i < n; ++i) {
    if (i % width != width - 1 && i + 1 < n) streets.emplace_back(i, i + 1);
    if (i + width < n) streets.emplace_back(i, i + width);
  }
  std::shuffle(streets.begin(), streets.end(), random);
  streets.resize(pipes - hubs * of_hub);
  std::uniform_int_distribution<std::int32_t> any(0, n - 1);
  std::map<std::pair<std::int32_t, std::int32_t>, double> edges;
  for (auto const& street : streets) edges[street] = 0;
  for (std::int32_t hub = 0; hub < hubs; ++hub) {
    std::int32_t const at = any(random);
    for (std::int32_t k = 0; k < of_hub; ++k) {
      std::int32_t const other = any(random);
      if (other != at) edges[{std::min(at, other), std::max(at, other)}] = 0;
    }
  }
  std::vector<System> systems;
  std::uniform_real_distribution<double> decades(-2, 2);
  std::uniform_real_distribution<double> demand(0, 1);
  for (int trial = 0; trial < 3; ++trial) {
    for (auto& [edge, conductance] : edges) conductance = random() % 1000 == 0 ? 1e5 : std::pow(10.0, decades(random));
    std::vector<std::map<std::int32_t, double>> rows(n);
    for (auto const& [edge, conductance] : edges) {
      auto const [i, j] = edge;
      rows[static_cast<std::size_t>(i)][j] = rows[static_cast<std::size_t>(j)][i] = -conductance;
      rows[static_cast<std::size_t>(i)][i] += conductance;
      rows[static_cast<std::size_t>(j)][j] += conductance;
    }
    System system;
    system.row_offsets.push_back(0);
    for (std::int32_t i = 0; i < n; ++i) {
      auto& row = rows[static_cast<std::size_t>(i)];
      row[i] += i % 1500 == 0 ? 10.0 : 0.0;  // a reservoir
      if (row.size() == 1) row[i] += 1.0;    // a junction that lost all its pipes
      for (auto const& [column, value] : row) {
        system.col_indices.push_back(column);
        system.values.push_back(value);
      }
      system.row_offsets.push_back(static_cast<std::int32_t>(system.col_indices.size()));
      system.rhs.push_back(-demand(random));
    }
    systems.push_back(std::move(system));
  }
  return systems;
}

/// Values in the scalar of the solve.
template <class T>
Vector<T> vector_of(std::vector<double> const& values) {
  return upload(std::vector<T>(values.begin(), values.end()));
}

template <class T>
Matrix<T> matrix_of(System const& system) {
  auto const rows = static_cast<std::int64_t>(system.rhs.size());
  Matrix<T> A{.rows = rows, .cols = rows, .nnz = static_cast<std::int64_t>(system.values.size())};
  A.row_offsets = upload(system.row_offsets);
  A.col_indices = upload(system.col_indices);
  A.values = vector_of<T>(system.values);
  return A;
}

/// Milliseconds of a product y = A x in a row of many, the fastest of five rows.
template <class T, class Format>
double product_time(Exec const& exec, Format const& A) {
  constexpr int products = 200;
  Vector<T> const x("x", static_cast<std::size_t>(A.cols));
  Vector<T> const y("y", static_cast<std::size_t>(A.rows));
  Kokkos::deep_copy(x, T(1));
  double fastest = 1e30;
  for (int trial = 0; trial < 6; ++trial) {
    double const seconds = seconds_of([&] {
      for (int i = 0; i < products; ++i) spmv(exec, Op::none, T(1), A, x, T(0), y);
      exec.fence();
    });
    if (trial > 0) fastest = std::min(fastest, seconds);
  }
  return 1e3 * fastest / products;
}

/// Of the solves of a network's systems, averaged.
struct Mean {
  double iterations = 0;
  double milliseconds = 0;
  double residual = 0;  // the largest
  int converged = 0;
  std::string form;
  [[nodiscard]] double of_iteration() const { return iterations > 0 ? milliseconds / iterations : 0; }
};

template <class T>
Mean solve_all(std::vector<System> const& systems,
               std::function<Cg<Exec, T>(Exec const&, Matrix<T> const&)> const& make) {
  Exec const exec;
  Mean mean;
  for (auto const& system : systems) {
    auto const b = vector_of<T>(system.rhs);
    Vector<T> const x("x", system.rhs.size());
    auto solver = make(exec, matrix_of<T>(system));
    CgResult result = solver.solve(exec, b, x);  // not timed: what a first solve loads
    Kokkos::deep_copy(x, T(0));
    double const seconds = seconds_of([&] { result = solver.solve(exec, b, x); });
    auto const count = static_cast<double>(systems.size());
    mean.iterations += static_cast<double>(result.iterations) / count;
    mean.milliseconds += 1e3 * seconds / count;
    mean.residual = std::max(mean.residual, result.relative_residual);
    mean.converged += result.status == CgStatus::converged;
    mean.form = result.form;
  }
  return mean;
}

constexpr double tolerance = 1e-8;

template <class T>
using Make = std::function<Cg<Exec, T>(Exec const&, Matrix<T> const&)>;

/// The paper's four, and the form that the library takes by itself.
template <class T>
std::vector<std::pair<std::string, Make<T>>> solvers(std::int64_t most_iterations) {
  CgForm const form = detail::is_device_space<Exec> ? CgForm::graph : CgForm::loop;
  CgOptions const as_given{.tolerance = tolerance, .max_iterations = most_iterations, .form = form, .plan = false};
  CgOptions const best{.tolerance = tolerance, .max_iterations = most_iterations};
  return {
      {"csr", [=](Exec const& exec, Matrix<T> const& A) { return make_cg(exec, A, as_given); }},
      {"csr, sorted",
       [=](Exec const& exec, Matrix<T> const& A) { return make_cg(exec, sort_rows_by_length(exec, A), as_given); }},
      {"ell", [=](Exec const& exec, Matrix<T> const& A) { return make_cg(exec, csr_to_ell(exec, A), as_given); }},
      {"ell, sorted",
       [=](Exec const& exec, Matrix<T> const& A) {
         return make_cg(exec, csr_to_ell(exec, A, {.sort_rows = true}), as_given);
       }},
      {"by itself", [=](Exec const& exec, Matrix<T> const& A) { return make_cg(exec, A, best); }},
  };
}

void print(char const* network, char const* scalar, std::string const& solver, Mean const& mean, int systems) {
  std::printf("| %s | %s | %s | %.0f | %.2f | %.4f | %d of %d | %.1e | %s |\n", network, scalar, solver.c_str(),
              mean.iterations, mean.milliseconds, mean.of_iteration(), mean.converged, systems, mean.residual,
              mean.form.c_str());
  std::fflush(stdout);
}

void run(std::filesystem::path const& folder, bool quick) {
  std::map<std::string, std::vector<System>> systems;
  for (auto const& network : networks) {
    if (network.file.empty())
      systems[network.name] = made_network();
    else if (std::filesystem::exists(folder / network.file))
      systems[network.name] = systems_of(folder / network.file);
    else
      std::fprintf(stderr, "bench_networks: %s is not there, left out\n", (folder / network.file).c_str());
  }
  Exec const exec;
  std::printf("Space %s, %d threads at once; means of three systems a network.\n\n", Exec::name(), exec.concurrency());
  std::printf(
      "Products, f64, ms:\n\n| network | rows | entries | csr | csr, sorted | ell | ell, sorted | paper's CPU: csr | "
      "ell |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  for (auto const& network : networks) {
    auto const found = systems.find(network.name);
    if (found == systems.end()) continue;
    auto const A = matrix_of<double>(found->second.front());
    std::printf("| %s | %lld | %lld | %.4f | %.4f | %.4f | %.4f | %.3f | %.3f |\n", network.name.c_str(),
                static_cast<long long>(A.rows), static_cast<long long>(A.nnz), product_time<double>(exec, A),
                product_time<double>(exec, sort_rows_by_length(exec, A)),
                product_time<double>(exec, csr_to_ell(exec, A)),
                product_time<double>(exec, csr_to_ell(exec, A, {.sort_rows = true})), network.paper.product[0],
                network.paper.product[1]);
    std::fflush(stdout);
  }
  std::printf(
      "\nSolves to %g, preconditioned by the diagonal:\n\n| network | type | by | iterations | ms | ms an iteration | "
      "converged | worst residual | form |\n|---|---|---|---:|---:|---:|---|---:|---|\n",
      tolerance);
  std::int64_t const most_iterations = quick ? 200 : 100000;
  for (auto const& network : networks) {
    auto const found = systems.find(network.name);
    if (found == systems.end()) continue;
    auto const count = static_cast<int>(found->second.size());
    for (auto const& [name, make] : solvers<double>(most_iterations))
      print(network.name.c_str(), "f64", name, solve_all<double>(found->second, make), count);
    if constexpr (detail::has_cg<float>) {
      Make<float> const make = solvers<float>(most_iterations).front().second;
      print(network.name.c_str(), "f32", "csr", solve_all<float>(found->second, make), count);
    }
    auto const& paper = network.paper;
    std::printf("| %s | f64 | paper: csr, ell | %.0f | | CPU %.3f, %.3f; GPU %.3f, %.3f | | | |\n",
                network.name.c_str(), paper.iterations, paper.iteration_cpu[0], paper.iteration_cpu[1],
                paper.iteration_gpu[0], paper.iteration_gpu[1]);
  }
}

}  // namespace
}  // namespace araia::perf

int main(int argc, char** argv) try {
  std::filesystem::path folder;
  bool quick = false;
  for (int i = 1; i < argc; ++i) {
    std::string_view const argument = argv[i];
    if (argument == "--quick")
      quick = true;
    else if (!argument.starts_with("--"))
      folder = argument;
    else if (argument == "--help")
      folder.clear(), i = argc;
    else
      throw std::invalid_argument("unknown flag '" + std::string(argument) + "'");
  }
  if (folder.empty()) {
    std::cout << "bench_networks FOLDER: the water networks of the founding paper, their .inp.gz in FOLDER\n"
                 "  --quick  200 iterations at most\n";
    return 0;
  }
  Kokkos::ScopeGuard const kokkos(argc, argv);
  araia::perf::run(folder, quick);
  return 0;
} catch (std::exception const& e) {
  std::cerr << "bench_networks: " << e.what() << '\n';
  return 2;
}
