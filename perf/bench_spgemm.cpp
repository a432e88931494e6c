// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A A in double: the whole product with C allocated in it, and values anew in a structure that is there, beside what
// users would take instead. Contenders alternate in a cycle, another first each time; medians are reported.
// Prints a table, and one line of JSON a result with --json.
#include <sys/resource.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <araia/assembly/assemble.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/io/read_matrix.hpp>
#include <araia/ops/spgemm.hpp>
#include <araia/plan/spgemm_plan.hpp>
#include <common/program.hpp>
#include <peers/spgemm_peers.hpp>
#include "src/generate/patterns.hpp"

namespace araia::perf {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Device = Exec::device_type;

struct Settings {
  std::vector<std::string> matrices{"stencil27_40",  "fem3_20",       "stencil7_80", "power_100000", "uniform_100000",
                                    "circuit_20000", "banded_100000", "lattice4_8",  "orbitals_16",  "grid_300000"};
  std::vector<std::string> kernels{"automatic"};
  std::vector<std::string> shares{};
  int repeats = 7;
  bool peers = true;
  bool json = false;
};

constexpr char const* help_text =
    "bench_spgemm: A A beside peers\n"
    "  --matrices=LIST   of stencil7_N, stencil27_N, fem3_N, orbitals_N (N^3 points), lattice4_N (N^4 points), "
    "power_N,\n"
    "                    uniform_N, circuit_N, banded_N, grid_N (N rows) and files (default one of each)\n"
    "  --kernels=LIST    ours, or all for every kernel of the list that runs here (default automatic)\n"
    "  --shares=LIST     ours again with so manieth parts of the workspace, as 2,10 (default none)\n"
    "  --repeats=N       of each product, alternated; the median is reported (default 7)\n"
    "  --no-peers        ours alone\n"
    "  --json            a line of JSON a result instead of the table\n";

Settings parse(int argc, char** argv) {
  Settings s;
  for (int i = 1; i < argc; ++i) {
    std::string_view const argument = argv[i];
    auto const value = [&](std::string_view name) { return argument.substr(name.size()); };
    if (argument.starts_with("--matrices="))
      s.matrices = list_of(value("--matrices="));
    else if (argument.starts_with("--kernels="))
      s.kernels = list_of(value("--kernels="));
    else if (argument.starts_with("--shares="))
      s.shares = list_of(value("--shares="));
    else if (argument.starts_with("--repeats="))
      s.repeats = static_cast<int>(positive_number<std::int64_t>("--repeats", value("--repeats=")));
    else if (argument == "--no-peers")
      s.peers = false;
    else if (argument == "--json")
      s.json = true;
    else
      throw std::invalid_argument("unknown argument '" + std::string(argument) + "'; --help shows what there is");
  }
  return s;
}

SpgemmProblem problem_of(std::string const& name) {
  SpgemmProblem problem;
  auto const take = [&](auto const& a, auto nnz) {
    if (a.rows != a.cols)
      throw std::invalid_argument(name + " is " + std::to_string(a.rows) + " x " + std::to_string(a.cols) +
                                  ", expected a square matrix");
    problem.rows = a.rows;
    problem.row_offsets.assign(a.row_offsets.data(), a.row_offsets.data() + a.rows + 1);
    problem.col_indices.assign(a.col_indices.data(), a.col_indices.data() + nnz);
    problem.values.assign(a.values.data(), a.values.data() + nnz);
  };
  auto const generated = [&](GeneratedMatrix const& a) { take(a, a.nnz()); };
  auto const n = [&](std::string_view prefix) {
    return positive_number<std::int64_t>(prefix, std::string_view(name).substr(prefix.size()));
  };
  if (name.starts_with("stencil7_"))
    generated(generate::stencil_7_point(n("stencil7_"), n("stencil7_"), n("stencil7_")));
  else if (name.starts_with("stencil27_"))
    generated(generate::stencil_27_point(n("stencil27_"), n("stencil27_"), n("stencil27_")));
  else if (name.starts_with("fem3_"))
    generated(generate::fem_3_dof(n("fem3_"), n("fem3_"), n("fem3_")));
  else if (name.starts_with("power_"))
    generated(generate::power_law(n("power_"), 7));
  else if (name.starts_with("uniform_"))
    generated(generate::uniform_random(n("uniform_"), n("uniform_"), 10));
  else if (name.starts_with("circuit_"))
    generated(generate::circuit(n("circuit_")));
  else if (name.starts_with("banded_"))
    generated(generate::banded_random(n("banded_"), 15, 1000));
  else if (name.starts_with("lattice4_"))
    generated(generate::lattice_4d(n("lattice4_")));
  else if (name.starts_with("orbitals_"))
    generated(generate::orbital_lattice(n("orbitals_"), n("orbitals_"), n("orbitals_")));
  else if (name.starts_with("grid_"))
    generated(generate::power_grid(n("grid_")));
  else {
    auto const A = assemble<double>(read_matrix(name));
    auto values = A.values;
    if (!A.has_values() && A.nnz > 0) {
      values = Kokkos::View<double*, HostDevice>("ones", static_cast<std::size_t>(A.nnz));
      Kokkos::deep_copy(values, 1.0);
    }
    auto B = A;
    B.values = values;
    take(B, B.nnz);
  }
  return problem;
}

/// Those of the list that a plan has for double on the space.
std::vector<std::string> kernels_here() {
  Csr<double, std::int32_t, std::int32_t, Device> const none{.row_offsets = upload(std::vector<std::int32_t>{0})};
  std::vector<std::string> names;
  auto const plan = make_spgemm_plan(Exec(), none, none);
  for (auto const& candidate : plan.report().candidates)
    if (!candidate.unsupported) names.push_back(candidate.choice.kernel);
  return names;
}

SpgemmContender ours(SpgemmProblem const& problem, std::string const& kernel, std::uint64_t share,
                     std::string* explained) {
  Csr<double, std::int32_t, std::int32_t, Device> A{.rows = problem.rows, .cols = problem.rows, .nnz = problem.nnz()};
  A.row_offsets = upload(problem.row_offsets);
  A.col_indices = upload(problem.col_indices);
  A.values = upload(problem.values);
  SpgemmOptions options{.kernel = kernel, .validate = false};
  if (share > 1) options.workspace_limit = make_spgemm(Exec(), A, A, options).report().workspace_bytes / share;
  auto const kept = std::make_shared<std::unique_ptr<Spgemm<Exec, double>>>();
  return {"araia/" + kernel + (share > 1 ? ", 1/" + std::to_string(share) + " memory" : ""),
          [=] {
            auto product = make_spgemm(Exec(), A, A, options);
            product.execute();
            *explained = explain(product.report());
            return product.report().nnz;
          },
          [=] {
            if (!*kept) {
              *kept = std::make_unique<Spgemm<Exec, double>>(make_spgemm(Exec(), A, A, options));
              (*kept)->execute();
            }
            (*kept)->execute();
          }};
}

/// The process's most resident bytes since the last call, where the system tells; else since its start.
double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  double peak = static_cast<double>(usage.ru_maxrss) / 1024;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) peak = std::stod(line.substr(6)) / 1024;
  std::ofstream("/proc/self/clear_refs") << 5;  // the mark begins anew
  return peak;
}

double median_of(std::vector<double> samples) {
  if (samples.empty()) return 0;
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

void run(Settings const& s, std::string const& name) {
  SpgemmProblem const problem = problem_of(name);
  std::string explained;
  std::vector<SpgemmContender> contenders;
  for (auto const& kernel : s.kernels)
    for (auto const& one : kernel == "all" ? kernels_here() : std::vector{kernel})
      contenders.push_back(ours(problem, one, 1, &explained));
  std::string of_share;
  for (auto const& share : s.shares)
    contenders.push_back(
        ours(problem, s.kernels.front(), positive_number<std::uint64_t>("--shares", share), &of_share));
  [[maybe_unused]] auto const add = [&](std::vector<SpgemmContender> more) {
    for (auto& one : more) contenders.push_back(std::move(one));
  };
  if (s.peers) {
#ifdef ARAIA_PERF_MKL
    add(spgemm_of_mkl(problem));
#endif
#ifdef ARAIA_PERF_EIGEN
    add(spgemm_of_eigen(problem));
#endif
#ifdef ARAIA_PERF_KOKKOS_KERNELS
    add(spgemm_of_kokkos_kernels(problem));
#endif
  }
  std::vector<std::vector<double>> whole_samples(contenders.size());
  std::vector<std::vector<double>> again_samples(contenders.size());
  std::vector<double> megabytes(contenders.size(), 0);
  std::vector<std::int64_t> nnz(contenders.size(), 0);
  for (int repeat = 0; repeat <= s.repeats; ++repeat)
    for (std::size_t turn = 0; turn < contenders.size(); ++turn) {
      std::size_t const c = (turn + static_cast<std::size_t>(repeat)) % contenders.size();
      (void)peak_megabytes();
      double const seconds = seconds_of([&] { nnz[c] = contenders[c].multiply(); });
      double const peak = peak_megabytes();
      if (repeat == 0) {  // not timed: what the first product loads
        megabytes[c] = peak;
        continue;
      }
      whole_samples[c].push_back(seconds);
    }
  for (int repeat = 0; repeat <= s.repeats; ++repeat)
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      if (!contenders[c].refresh) continue;
      double const seconds = seconds_of(contenders[c].refresh);
      if (repeat > 0) again_samples[c].push_back(seconds);
    }
  std::vector<double> whole;
  std::vector<double> again;
  for (auto const& samples : whole_samples) whole.push_back(median_of(samples));
  for (auto const& samples : again_samples) again.push_back(median_of(samples));
  auto const short_name = std::filesystem::path(name).filename().string();
  if (!s.json) std::printf("%s: %s", short_name.c_str(), explained.c_str());
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    if (nnz[c] != nnz[0])
      throw std::runtime_error(contenders[c].name + " has " + std::to_string(nnz[c]) + " entries, ours " +
                               std::to_string(nnz[0]));
    bool const refreshes = !again_samples[c].empty();
    if (s.json)
      std::printf(
          "{\"matrix\": \"%s\", \"rows\": %lld, \"nnz\": %lld, \"nnz_c\": %lld, \"kernel\": \"%s\", \"seconds\": %.6g, "
          "\"refresh_seconds\": %s, \"peak_mb\": %.1f}\n",
          short_name.c_str(), static_cast<long long>(problem.rows), static_cast<long long>(problem.nnz()),
          static_cast<long long>(nnz[c]), contenders[c].name.c_str(), whole[c],
          refreshes ? std::to_string(again[c]).c_str() : "null", megabytes[c]);
    else
      std::printf("  %-26s %10.3f ms  %6.2f of ours   again %10.3f ms  %6.2f   peak %8.1f MB\n",
                  contenders[c].name.c_str(), 1e3 * whole[c], whole[c] / whole[0], refreshes ? 1e3 * again[c] : 0.0,
                  refreshes ? again[c] / again[0] : 0.0, megabytes[c]);
  }
  std::fflush(stdout);
}

}  // namespace
}  // namespace araia::perf

int main(int argc, char** argv) try {
  if (argc == 2 && std::string_view(argv[1]) == "--help") {
    std::cout << araia::perf::help_text;
    return 0;
  }
  auto const settings = araia::perf::parse(argc, argv);
  Kokkos::ScopeGuard const guard;
  for (auto const& name : settings.matrices) araia::perf::run(settings, name);
  return 0;
} catch (std::exception const& e) {
  std::cerr << "bench_spgemm: " << e.what() << '\n';
  return 1;
}
