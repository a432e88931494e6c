// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conjugate gradients with the diagonal as preconditioner: time an iteration, as the difference of two solves of
// different lengths, and of a whole solve, beside what users would take instead. Prints a table, and one line of JSON a
// result with --json.
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

#include <araia/assembly/assemble.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/conversions.hpp>
#include <araia/error.hpp>
#include <araia/io/epanet.hpp>
#include <araia/io/read_matrix.hpp>
#include <araia/solvers/cg_batch.hpp>
#include <araia/solvers/hydraulics.hpp>
#include <common/program.hpp>
#include <common/timing.hpp>
#include <peers/cg_peers.hpp>
#include "src/generate/patterns.hpp"

namespace araia::perf {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Device = Exec::device_type;
using Vector = Kokkos::View<double*, Device>;

struct Settings {
  std::vector<std::string> matrices{"network_1891", "network_12523", "network_15000", "stencil7_128"};
  std::int64_t low = 100;
  std::int64_t high = 1100;
  int repeats = 5;
  double tolerance = 1e-8;
  std::vector<std::int64_t> systems{};
  bool peers = true;
  bool json = false;
};

constexpr char const* help_text = R"(bench_cg: conjugate gradients beside peers
  --matrices=LIST   of network_N (pipes on the pattern of a power grid of N nodes), stencil7_N (N^3 points), water
                    networks (NAME.inp or NAME.inp.gz: the system of the first trial) and matrix files
                    (default network_1891,network_12523,network_15000,stencil7_128)
  --low=N --high=N  iterations of the two solves whose difference is reported (default 100 and 1100)
  --repeats=N       of each solve, alternated; medians are reported (default 5)
  --tolerance=T     of the whole solve (default 1e-8)
  --systems=LIST    also so many systems of each matrix's pattern at once, with values and right-hand sides of their
                    own (default none)
  --no-peers        ours alone
  --json            a line of JSON a result instead of the table
)";

Settings parse(int argc, char** argv) {
  Settings s;
  for (int i = 1; i < argc; ++i) {
    std::string_view const argument = argv[i];
    auto const value = [&](std::string_view name) { return argument.substr(name.size()); };
    if (argument.starts_with("--matrices=")) {
      s.matrices = list_of(value("--matrices="));
    } else if (argument.starts_with("--systems=")) {
      for (auto const& one : list_of(value("--systems=")))
        s.systems.push_back(positive_number<std::int64_t>("--systems", one));
    } else if (argument.starts_with("--low=")) {
      s.low = positive_number<std::int64_t>("--low", value("--low="));
    } else if (argument.starts_with("--high=")) {
      s.high = positive_number<std::int64_t>("--high", value("--high="));
    } else if (argument.starts_with("--repeats=")) {
      s.repeats = positive_number<int>("--repeats", value("--repeats="));
    } else if (argument.starts_with("--tolerance=")) {
      s.tolerance = positive_number<double>("--tolerance", value("--tolerance="));
    } else if (argument == "--no-peers") {
      s.peers = false;
    } else if (argument == "--json") {
      s.json = true;
    } else {
      throw std::invalid_argument("unknown flag '" + std::string(argument) + "'\n" + help_text);
    }
  }
  if (s.low >= s.high) throw std::invalid_argument("--low must be less than --high");
  return s;
}

std::vector<double> right_hand_side(std::int64_t n) {
  constexpr unsigned seed = 2010;
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> b(static_cast<std::size_t>(n));
  for (auto& value : b) value = uniform(random);
  return b;
}

CgSystem system_of(std::string const& name) {
  CgSystem system;
  auto const take = [&](auto const& rows, auto const& offsets, auto const& columns, auto const& values, auto nnz) {
    system.rows = static_cast<std::int64_t>(rows);
    system.row_offsets.assign(offsets, offsets + rows + 1);
    system.col_indices.assign(columns, columns + nnz);
    system.values.assign(values, values + nnz);
  };
  auto const generated = [&](GeneratedMatrix const& a) {
    take(a.rows, a.row_offsets.data(), a.col_indices.data(), a.values.data(), a.nnz());
  };
  constexpr std::string_view network = "network_";
  constexpr std::string_view stencil = "stencil7_";
  // Conductances c(i, j) of the pattern: off the diagonal -c, on it the row's sum and `loss`.
  auto const conduct = [&](auto const& conductance, double loss) {
    for (std::size_t i = 0; i + 1 < system.row_offsets.size(); ++i) {
      double sum = loss;
      std::size_t diagonal = 0;
      for (auto k = static_cast<std::size_t>(system.row_offsets[i]);
           k < static_cast<std::size_t>(system.row_offsets[i + 1]); ++k) {
        auto const j = static_cast<std::size_t>(system.col_indices[k]);
        if (i == j) {
          diagonal = k;
        } else {
          double const c = conductance(std::min(i, j), std::max(i, j));
          system.values[k] = -c;
          sum += c;
        }
      }
      system.values[diagonal] = sum;
    }
  };
  if (name.starts_with(network)) {
    generated(generate::power_grid(
        positive_number<std::int64_t>("network_N", std::string_view(name).substr(network.size()))));
    // Over four decades, as pipes of all diameters have them, so that 1,100 iterations are needed.
    conduct(
        [](std::size_t i, std::size_t j) {
          std::minstd_rand random(static_cast<unsigned>(31 * i + 7919 * j + 1));
          random.discard(3);
          return std::pow(10.0, std::uniform_real_distribution<double>(-2, 2)(random));
        },
        1e-6);
  } else if (name.starts_with(stencil)) {
    auto const n = positive_number<std::int64_t>("stencil7_N", std::string_view(name).substr(stencil.size()));
    generated(generate::stencil_7_point(n, n, n));
    conduct([](std::size_t, std::size_t) { return 1.0; }, 1e-3);
  } else if (name.find(".inp") != std::string::npos) {
    HydraulicOptions options;
    options.system = [&](HydraulicSystem const& trial) {
      if (system.rows == 0)
        take(trial.rhs.size(), trial.row_offsets.data(), trial.col_indices.data(), trial.values.data(),
             trial.values.size());
    };
    (void)solve_hydraulics(read_epanet(name), options);
  } else {
    auto const a = assemble<double>(read_matrix(name));
    take(a.rows, a.row_offsets.data(), a.col_indices.data(), a.values.data(), a.nnz);
  }
  system.b = right_hand_side(system.rows);
  return system;
}

Csr<double, std::int32_t, std::int32_t, Device> matrix_of(CgSystem const& system) {
  Csr<double, std::int32_t, std::int32_t, Device> A{.rows = system.rows, .cols = system.rows, .nnz = system.nnz()};
  A.row_offsets = upload(system.row_offsets);
  A.col_indices = upload(system.col_indices);
  A.values = upload(system.values);
  return A;
}

/// ||b - A x|| / ||b||.
double relative_residual(CgSystem const& system, std::vector<double> const& x) {
  double residual = 0;
  double norm = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double sum = system.b[i];
    for (std::int32_t k = system.row_offsets[i]; k < system.row_offsets[i + 1]; ++k)
      sum -= system.values[static_cast<std::size_t>(k)] *
             x[static_cast<std::size_t>(system.col_indices[static_cast<std::size_t>(k)])];
    residual += sum * sum;
    norm += system.b[i] * system.b[i];
  }
  return std::sqrt(residual / norm);
}

/// Ours in a form, or empty where the form cannot be had.
std::vector<CgContender> cg_of_araia(CgSystem const& system, std::string const& name, CgOptions options) try {
  Exec const exec;
  auto const A = matrix_of(system);
  auto const b = upload(system.b);
  Vector const x("x", system.b.size());
  options.tolerance = 0;
  // A solver a number of iterations, made when it is first asked for.
  using Solver = decltype(make_cg(exec, A, options));
  auto const solvers = std::make_shared<std::map<std::int64_t, Solver>>();
  auto const solver_of = [=](std::int64_t iterations) -> Solver& {
    auto const found = solvers->find(iterations);
    if (found != solvers->end()) return found->second;
    auto wanted = options;
    wanted.max_iterations = iterations;
    return solvers->emplace(iterations, make_cg(Exec(), A, wanted)).first->second;
  };
  (void)solver_of(1);
  return {{name,
           [=](std::int64_t iterations) {
             Kokkos::deep_copy(x, 0.0);
             auto const result = solver_of(iterations).solve(Exec(), b, x);
             if (result.iterations != iterations)
               throw std::runtime_error(name + ": " + std::to_string(result.iterations) + " iterations, expected " +
                                        std::to_string(iterations) + ", " + to_string(result.status));
           },
           [=] {
             std::vector<double> host(x.extent(0));
             araia::detail::copy_bytes<Kokkos::HostSpace, Device>(host.data(), x.data(), host.size() * sizeof(double));
             return host;
           }}};
} catch (Error const& e) {
  if (e.kind() != ErrorKind::unsupported) throw;
  return {};
}

struct Whole {
  double seconds = 0;
  CgResult result;
};

Whole whole_solve(CgSystem const& system, double tolerance, int repeats) {
  Exec const exec;
  auto const A = matrix_of(system);
  auto const b = upload(system.b);
  Vector const x("x", system.b.size());
  auto solver = make_cg(exec, A, {.tolerance = tolerance});
  Whole whole;
  std::vector<double> times;
  for (int i = 0; i <= repeats; ++i) {
    Kokkos::deep_copy(x, 0.0);
    double const seconds = seconds_of([&] { whole.result = solver.solve(exec, b, x); });
    if (i > 0) times.push_back(seconds);
  }
  whole.seconds = median(times);
  return whole;
}

/// Iterations of all systems together in a microsecond, and solves to the tolerance in a second.
void run_systems(Settings const& s, std::string const& name, CgSystem const& system, std::int64_t count) {
  Exec const exec;
  auto const A = matrix_of(system);
  using Rows = Kokkos::View<double**, Kokkos::LayoutRight, Device>;
  Rows const values("values", static_cast<std::size_t>(count), system.values.size());
  Rows const b("b", static_cast<std::size_t>(count), system.b.size());
  Rows const x("x", static_cast<std::size_t>(count), system.b.size());
  auto const host_values = Kokkos::create_mirror_view(values);
  auto const host_b = Kokkos::create_mirror_view(b);
  for (std::size_t c = 0; c < static_cast<std::size_t>(count); ++c) {
    double const factor = 1 + 1e-8 * static_cast<double>(c);
    for (std::size_t k = 0; k < system.values.size(); ++k) host_values(c, k) = factor * system.values[k];
    for (std::size_t i = 0; i < system.b.size(); ++i) host_b(c, i) = system.b[(i + 17 * c) % system.b.size()];
  }
  Kokkos::deep_copy(values, host_values);
  Kokkos::deep_copy(b, host_b);
  std::string form;
  std::int64_t iterations = 0;
  auto const seconds = [&](CgOptions const& options) {
    auto solver = make_cg_batch(exec, A, count, options);
    std::vector<double> times;
    for (int repeat = 0; repeat <= s.repeats; ++repeat) {
      Kokkos::deep_copy(x, 0.0);
      std::vector<CgResult> results;
      double const time = seconds_of([&] { results = solver.solve(exec, values, b, x); });
      if (repeat > 0) times.push_back(time);
      form = results.front().form;
      iterations = 0;
      for (auto const& result : results) {
        bool const as_asked =
            options.tolerance == 0 ? result.iterations == options.max_iterations : result.status == CgStatus::converged;
        if (!as_asked) throw std::runtime_error(name + ": a system ended as " + to_string(result.status));
        iterations += result.iterations;
      }
    }
    return median(times);
  };
  constexpr double micro = 1e6;
  double const low = seconds({.tolerance = 0, .max_iterations = s.low});
  double const high = seconds({.tolerance = 0, .max_iterations = s.high});
  double const rate = static_cast<double>(count * (s.high - s.low)) / (micro * (high - low));
  double const whole = seconds({.tolerance = s.tolerance});
  std::string const file = std::filesystem::path(name).filename().string();
  if (s.json)
    std::printf(
        "{\"matrix\": \"%s\", \"systems\": %lld, \"form\": \"%s\", \"iterations_per_us\": %.4f, \"tolerance\": %g, "
        "\"iterations\": %lld, \"seconds\": %.6g}\n",
        file.c_str(), static_cast<long long>(count), form.c_str(), rate, s.tolerance,
        static_cast<long long>(iterations), whole);
  else
    std::printf("%-24s %lld systems at once: %.3f iterations a us, form %s; %.0f solves to %g a second\n", file.c_str(),
                static_cast<long long>(count), rate, form.c_str(), static_cast<double>(count) / whole, s.tolerance);
  std::fflush(stdout);
}

void run(Settings const& s, std::string const& name) {
  CgSystem const system = system_of(name);
  std::vector<CgContender> contenders;
  auto const add = [&](std::vector<CgContender> more) {
    for (auto& one : more) contenders.push_back(std::move(one));
  };
  add(cg_of_araia(system, "araia", {}));
  add(cg_of_araia(system, "araia_graph", {.form = CgForm::graph}));
  add(cg_of_araia(system, "araia_loop", {.form = CgForm::loop}));
  add(cg_of_araia(system, "araia_loop_one_reduction", {.reductions = CgReductions::one, .form = CgForm::loop}));
  if (s.peers) {
#ifdef ARAIA_PERF_CUSPARSE
    add(cg_of_cusparse(system));
#endif
#ifdef ARAIA_PERF_EIGEN
    add(cg_of_eigen(system));
#endif
#ifdef ARAIA_PERF_MKL
    add(cg_of_mkl(system));
#endif
  }
  std::vector<std::vector<double>> low(contenders.size());
  std::vector<std::vector<double>> high(contenders.size());
  for (int repeat = 0; repeat <= s.repeats; ++repeat)
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      double const short_one = seconds_of([&] { contenders[c].solve(s.low); });
      double const long_one = seconds_of([&] { contenders[c].solve(s.high); });
      if (repeat == 0) continue;  // not timed: what the first solve loads
      low[c].push_back(short_one);
      high[c].push_back(long_one);
    }
  Whole const whole = whole_solve(system, s.tolerance, s.repeats);
  constexpr double micro = 1e6;
  auto const of_iteration = [&](std::size_t c) {
    return micro * (median(high[c]) - median(low[c])) / static_cast<double>(s.high - s.low);
  };
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    double const residual = relative_residual(system, contenders[c].solution());
    if (s.json)
      std::printf(
          "{\"matrix\": \"%s\", \"rows\": %lld, \"nnz\": %lld, \"solver\": \"%s\", \"us_per_iteration\": %.4f, "
          "\"seconds_low\": %.6g, \"residual\": %.3g}\n",
          std::filesystem::path(name).filename().c_str(), static_cast<long long>(system.rows),
          static_cast<long long>(system.nnz()), contenders[c].name.c_str(), of_iteration(c), median(low[c]), residual);
    else
      std::printf("%-24s %9lld %10lld  %-26s %10.3f us  %6.2f of ours  residual %.1e\n",
                  std::filesystem::path(name).filename().c_str(), static_cast<long long>(system.rows),
                  static_cast<long long>(system.nnz()), contenders[c].name.c_str(), of_iteration(c),
                  of_iteration(c) / of_iteration(0), residual);
  }
  if (s.json)
    std::printf(
        "{\"matrix\": \"%s\", \"solver\": \"araia\", \"form\": \"%s\", \"tolerance\": %g, \"status\": \"%s\", "
        "\"iterations\": %lld, \"seconds\": %.6g}\n",
        std::filesystem::path(name).filename().c_str(), whole.result.form.c_str(), s.tolerance,
        to_string(whole.result.status), static_cast<long long>(whole.result.iterations), whole.seconds);
  else
    std::printf("%-24s whole solve to %g: %s, %lld iterations in %.3f ms, form %s, product %s\n\n",
                std::filesystem::path(name).filename().c_str(), s.tolerance, to_string(whole.result.status),
                static_cast<long long>(whole.result.iterations), 1e3 * whole.seconds, whole.result.form.c_str(),
                whole.result.product.c_str());
  std::fflush(stdout);
  for (auto const count : s.systems) run_systems(s, name, system, count);
}

}  // namespace
}  // namespace araia::perf

int main(int argc, char** argv) try {
  if (argc == 2 && std::string_view(argv[1]) == "--help") {
    std::cout << araia::perf::help_text;
    return 0;
  }
  auto const settings = araia::perf::parse(argc, argv);
  Kokkos::ScopeGuard const kokkos(argc, argv);
  for (auto const& name : settings.matrices) araia::perf::run(settings, name);
  return 0;
} catch (std::exception const& e) {
  std::cerr << "bench_cg: " << e.what() << '\n';
  return 2;
}
