// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SDDMM on the pattern of a matrix: every kernel of a plan's list, verified, beside a plain loop on hosts and cuSPARSE
// on CUDA. Contenders alternate in a cycle, another first each time; medians of products in a row are reported,
// operands warm. Prints a table, and one line of JSON a result with --json.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <araia/assembly/assemble.hpp>
#include <araia/generate/matrix.hpp>
#include <araia/io/read_matrix.hpp>
#include <araia/plan/plan.hpp>
#include <common/program.hpp>
#include <peers/sddmm_peers.hpp>

namespace araia::perf {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Pattern = Csr<double, std::int32_t, std::int32_t, Exec::device_type>;

struct Settings {
  std::vector<std::string> matrices{"stencil27:32768", "pruned:2048", "power_law:30000"};
  std::vector<std::string> columns{"32", "128"};
  std::vector<std::string> types{"f64"};
  int repeats = 7;
  bool json = false;
};

constexpr char const* help_text =
    "bench_sddmm: D = spy(A) .* (X Y') beside peers\n"
    "  --matrices=LIST   of KIND:ROWS, kinds as araia generate has them, and files (default one of each class)\n"
    "  --columns=LIST    of X and Y (default 32,128)\n"
    "  --types=LIST      of f64 and f32 (default f64)\n"
    "  --repeats=N       samples, alternated; the median is reported (default 7)\n"
    "  --json            a line of JSON a result instead of the table\n";

Settings parse(int argc, char** argv) {
  Settings s;
  for (int i = 1; i < argc; ++i) {
    std::string_view const argument = argv[i];
    auto const value = [&](std::string_view name) { return argument.substr(name.size()); };
    if (argument.starts_with("--matrices="))
      s.matrices = list_of(value("--matrices="));
    else if (argument.starts_with("--columns="))
      s.columns = list_of(value("--columns="));
    else if (argument.starts_with("--types="))
      s.types = list_of(value("--types="));
    else if (argument.starts_with("--repeats="))
      s.repeats = static_cast<int>(positive_number<std::int64_t>("--repeats", value("--repeats=")));
    else if (argument == "--json")
      s.json = true;
    else
      throw std::invalid_argument("unknown argument '" + std::string(argument) + "'; --help shows what there is");
  }
  return s;
}

Pattern pattern_of(std::string const& name) {
  Pattern A;
  auto const take = [&](auto const& from, std::int64_t nnz) {
    A.rows = from.rows;
    A.cols = from.cols;
    A.nnz = nnz;
    A.row_offsets = upload(std::vector<std::int32_t>(from.row_offsets.data(), from.row_offsets.data() + from.rows + 1));
    A.col_indices = upload(std::vector<std::int32_t>(from.col_indices.data(), from.col_indices.data() + nnz));
  };
  if (auto const colon = name.find(':'); colon != std::string::npos && !std::filesystem::exists(name)) {
    auto const made =
        generate::matrix(name.substr(0, colon),
                         {.rows = positive_number<std::int64_t>("rows", std::string_view(name).substr(colon + 1))});
    take(made, made.nnz());
  } else {
    auto const read = assemble<double>(read_matrix(name));
    take(read, read.nnz);
  }
  return A;
}

template <class Scalar>
using Dense = Kokkos::View<Scalar**, Kokkos::LayoutRight, Exec>;

template <class Scalar>
Dense<Scalar> dense(std::int64_t rows, std::int64_t columns) {
  Dense<Scalar> const m("dense", static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
  auto const host = Kokkos::create_mirror_view(m);
  for (std::size_t k = 0; k < host.size(); ++k)
    host.data()[k] = static_cast<Scalar>(std::sin(static_cast<double>(k % 10007)));
  Kokkos::deep_copy(m, host);
  return m;
}

/// Seconds of a product, of as many in a row as take some milliseconds.
double sample(Exec const& exec, SddmmContender const& contender, int products) {
  exec.fence();
  return seconds_of([&] {
           for (int i = 0; i < products; ++i) contender.run();
           exec.fence();
         }) /
         products;
}

template <class Scalar>
void run(Settings const& s, std::string const& name, Pattern const& pattern, std::int64_t columns, char const* type) {
  Exec const exec;
  Csr<Scalar, std::int32_t, std::int32_t, Exec::device_type> A{
      .rows = pattern.rows, .cols = pattern.cols, .nnz = pattern.nnz};
  A.row_offsets = pattern.row_offsets;
  A.col_indices = pattern.col_indices;
  auto const x = dense<Scalar>(A.rows, columns);
  auto const y = dense<Scalar>(A.cols, columns);
  auto const nnz = static_cast<std::size_t>(A.nnz);
  Kokkos::View<Scalar*, Exec> const ours("ours", nnz);
  Kokkos::View<Scalar*, Exec> const theirs("theirs", nnz);
  SddmmDesc const desc{.columns = columns, .pattern = true};
  auto const listed = make_plan(exec, desc, A);
  std::vector<SddmmContender> contenders;
  for (auto const& candidate : listed.report().candidates) {
    if (candidate.unsupported) continue;
    auto const plan = make_plan(exec, desc, A, {.choice = candidate.choice});
    auto const verified = plan.verify(exec);
    if (!verified.ok) throw std::runtime_error(label(candidate.choice) + ": " + verified.first_violation);
    contenders.push_back({"araia " + label(candidate.choice) + (candidate.choice == listed.choice() ? " (model)" : ""),
                          [=] { plan.execute(exec, Scalar(1), x, y, Scalar(0), ours); }});
  }
  SddmmProblem<Scalar> const problem{
      A.rows, A.cols, A.nnz, columns, A.row_offsets.data(), A.col_indices.data(), x.data(), y.data(), theirs.data()};
#ifdef KOKKOS_ENABLE_CUDA
  contenders.push_back(sddmm_of_cusparse(problem, exec.cuda_stream()));
#else
  contenders.push_back(sddmm_by_loop(problem));
#endif
  constexpr double long_enough = 5e-3;  // seconds of a sample
  std::vector<int> products;
  for (auto const& contender : contenders) {
    (void)sample(exec, contender, 1);  // what the first product loads
    products.push_back(static_cast<int>(std::clamp(long_enough / sample(exec, contender, 1), 1.0, 1e4)));
  }
  auto const mine = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), ours);
  auto const peers = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), theirs);
  double const tolerance =
      static_cast<double>(columns) * (sizeof(Scalar) == 8 ? 1e-15 : 1e-6);  // of sums of |x y| <= 1
  for (std::size_t p = 0; p < nnz; ++p)
    if (!(std::abs(static_cast<double>(mine(p)) - static_cast<double>(peers(p))) <=
          tolerance * static_cast<double>(columns)))
      throw std::runtime_error(contenders.back().name + " differs at entry " + std::to_string(p));
  std::vector<std::vector<double>> samples(contenders.size());
  for (int repeat = 0; repeat < s.repeats; ++repeat)
    for (std::size_t turn = 0; turn < contenders.size(); ++turn) {
      std::size_t const c = (turn + static_cast<std::size_t>(repeat)) % contenders.size();
      samples[c].push_back(sample(exec, contenders[c], products[c]));
    }
  auto const median = [](std::vector<double> of) {
    std::sort(of.begin(), of.end());
    return of[of.size() / 2];
  };
  double const peer = median(samples.back());
  auto const short_name = std::filesystem::path(name).filename().string();
  if (!s.json)
    std::printf("%s: %lld x %lld, %lld entries, k %lld, %s\n", short_name.c_str(), static_cast<long long>(A.rows),
                static_cast<long long>(A.cols), static_cast<long long>(A.nnz), static_cast<long long>(columns), type);
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    double const seconds = median(samples[c]);
    if (s.json)
      std::printf(
          "{\"matrix\": \"%s\", \"rows\": %lld, \"cols\": %lld, \"nnz\": %lld, \"columns\": %lld, "
          "\"type\": \"%s\", \"kernel\": \"%s\", \"seconds\": %.6g, \"over_peer\": %.4g}\n",
          short_name.c_str(), static_cast<long long>(A.rows), static_cast<long long>(A.cols),
          static_cast<long long>(A.nnz), static_cast<long long>(columns), type, contenders[c].name.c_str(), seconds,
          peer / seconds);
    else
      std::printf("  %-36s %10.1f us  %7.2f GFLOP/s  %5.2f of %s's speed\n", contenders[c].name.c_str(), 1e6 * seconds,
                  2e-9 * static_cast<double>(A.nnz) * static_cast<double>(columns) / seconds, peer / seconds,
                  contenders.back().name.c_str());
  }
  std::fflush(stdout);
}

void run(Settings const& s) {
  for (auto const& name : s.matrices) {
    auto const pattern = pattern_of(name);
    for (auto const& text : s.columns) {
      auto const columns = positive_number<std::int64_t>("--columns", text);
      for (auto const& type : s.types) {
        if (type == "f64") {
          run<double>(s, name, pattern, columns, "f64");
          continue;
        }
        if constexpr (araia::detail::has_all_types)
          if (type == "f32") {
            run<float>(s, name, pattern, columns, "f32");
            continue;
          }
        throw std::invalid_argument("--types has '" + type + "', expected f64, or f32 in builds of all types");
      }
    }
  }
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
  araia::perf::run(settings);
  return 0;
} catch (std::exception const& e) {
  std::cerr << "bench_sddmm: " << e.what() << '\n';
  return 1;
}
