// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Closeness by each method on the default space, beside a plain queue from one source at a time in one thread. Prints
// seconds and microseconds a source; the sums of all methods are held to one another.
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <araia/error.hpp>
#include <araia/formats/csr.hpp>
#include <araia/graph/closeness.hpp>
#include <common/program.hpp>
#include "src/generate/patterns.hpp"

namespace araia::perf {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Device = Exec::device_type;

constexpr char const* help_text = R"(bench_closeness: closeness of generated graphs
  --graphs=LIST     of gaps_N (the largest part of an N x N lattice without a fifth of its edges) and power_law_N (N
                    nodes) (default gaps_300,power_law_200000)
  --sources=N       sampled sources of graphs of more than 100000 nodes (default 2048)
  --slow-sources=N  sources of the product form and of the queue (default 64)
  --repeats=N       of each; medians are reported (default 3)
)";

struct Settings {
  std::vector<std::string> graphs{"gaps_300", "power_law_200000"};
  std::int64_t sources = 2048;
  std::int64_t slow_sources = 64;
  int repeats = 3;
};

Settings parse(int argc, char** argv) {
  Settings s;
  for (int i = 1; i < argc; ++i) {
    std::string_view const argument = argv[i];
    auto const value = [&](std::string_view name) { return argument.substr(name.size()); };
    if (argument.starts_with("--graphs="))
      s.graphs = list_of(value("--graphs="));
    else if (argument.starts_with("--sources="))
      s.sources = positive_number<std::int64_t>("--sources", value("--sources="));
    else if (argument.starts_with("--slow-sources="))
      s.slow_sources = positive_number<std::int64_t>("--slow-sources", value("--slow-sources="));
    else if (argument.starts_with("--repeats="))
      s.repeats = positive_number<int>("--repeats", value("--repeats="));
    else
      throw std::invalid_argument("unknown flag '" + std::string(argument) + "'\n" + help_text);
  }
  return s;
}

GeneratedMatrix graph_of(std::string_view name) {
  constexpr std::string_view gaps = "gaps_";
  constexpr std::string_view power = "power_law_";
  constexpr double missing = 0.2;
  constexpr double mean_degree = 16;
  if (name.starts_with(gaps))
    return generate::lattice_with_gaps(positive_number<std::int64_t>("gaps", name.substr(gaps.size())), missing, 1);
  if (name.starts_with(power))
    return generate::power_law(positive_number<std::int64_t>("power_law", name.substr(power.size())), mean_degree);
  throw std::invalid_argument("unknown graph '" + std::string(name) + "', expected gaps_N or power_law_N");
}

double median(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

void row(std::string_view graph, std::string_view method, int batch, std::int64_t sources, double seconds) {
  std::printf("%-18s %-12s %5d %9lld %12.4f %12.2f\n", std::string(graph).c_str(), std::string(method).c_str(), batch,
              static_cast<long long>(sources), seconds,
              1e6 * seconds / static_cast<double>(std::max<std::int64_t>(sources, 1)));
  std::fflush(stdout);
}

/// Sums of the distances from the sources, by a queue from each.
std::vector<std::uint64_t> by_queue(GeneratedMatrix const& a, std::vector<std::int32_t> const& sources) {
  auto const nodes = static_cast<std::size_t>(a.rows);
  std::vector<std::uint64_t> sums(nodes, 0);
  std::vector<std::int32_t> distance(nodes);
  std::vector<std::int32_t> queue(nodes);
  for (std::int32_t const source : sources) {
    std::fill(distance.begin(), distance.end(), -1);
    distance[static_cast<std::size_t>(source)] = 0;
    queue[0] = source;
    std::size_t end = 1;
    for (std::size_t next = 0; next < end; ++next) {
      auto const u = static_cast<std::size_t>(queue[next]);
      sums[u] += static_cast<std::uint64_t>(distance[u]);
      for (auto e = a.row_offsets[u]; e < a.row_offsets[u + 1]; ++e) {
        auto const v = static_cast<std::size_t>(a.col_indices[static_cast<std::size_t>(e)]);
        if (distance[v] >= 0) continue;
        distance[v] = distance[u] + 1;
        queue[end++] = static_cast<std::int32_t>(v);
      }
    }
  }
  return sums;
}

int run(int argc, char** argv) {
  Settings const s = parse(argc, argv);
  Exec const exec;
  constexpr std::int64_t most_nodes_of_all = 100000;
  std::printf("%-18s %-12s %5s %9s %12s %12s\n", "graph", "method", "batch", "sources", "seconds", "us a source");
  for (auto const& name : s.graphs) {
    GeneratedMatrix const a = graph_of(name);
    Csr<double, std::int32_t, std::int64_t, Device> A{.rows = a.rows, .cols = a.cols, .nnz = a.nnz()};
    A.row_offsets = upload(a.row_offsets);
    A.col_indices = upload(a.col_indices);
    auto const timed = [&](ClosenessMethod method, int batch, std::int64_t sources, int repeats) {
      ClosenessOptions options;
      options.method = method;
      options.batch = batch;
      options.sources = sources;
      std::vector<double> seconds;
      ClosenessResult result;
      for (int r = 0; r < repeats; ++r) {
        result = closeness(exec, A, options);
        seconds.push_back(result.search_seconds);
      }
      row(name, result.method, result.batch, sources == 0 ? a.rows : sources, median(seconds));
      return result;
    };
    auto const same = [&](std::vector<std::uint64_t> const& x, std::vector<std::uint64_t> const& y) {
      if (x != y) throw std::runtime_error(name + ": the sums of two methods differ");
    };
    timed(ClosenessMethod::bit_packed, 0, a.rows <= most_nodes_of_all ? 0 : s.sources, s.repeats);
    std::int64_t const few = std::min(s.slow_sources, a.rows - 1);
    auto const packed = timed(ClosenessMethod::bit_packed, 64, few, s.repeats);
    same(timed(ClosenessMethod::portable, 64, few, 1).distance_sum, packed.distance_sum);
    same(timed(ClosenessMethod::spmm, 64, few, 1).distance_sum, packed.distance_sum);
    std::vector<std::uint64_t> sums;
    double const seconds = seconds_of([&] { sums = by_queue(a, packed.sources); });
    row(name, "queue", 1, few, seconds);
    same(sums, packed.distance_sum);
  }
  return 0;
}

}  // namespace
}  // namespace araia::perf

int main(int argc, char** argv) {
  try {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    return araia::perf::run(argc, argv);
  } catch (std::exception const& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
