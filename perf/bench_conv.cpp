// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pruned convolution of a net's layers, each whole (NCHW to NCHW with bias and ReLU), in float: by shifted columns, by
// a plan on the unrolled input, and the same layer with dense weights as users would have it. One interleaved run;
// layers of one shape are timed once and counted as often as they are there. Prints a table, and one line of JSON a
// layer with --json.
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

#include <araia/error.hpp>
#include <araia/nn/conv_layer.hpp>
#include <araia/nn/net.hpp>
#include <common/program.hpp>
#include <common/timing.hpp>
#include <peers/conv_peers.hpp>

namespace araia::perf {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;

struct Settings {
  std::string net;
  double sparsity = 0.9;
  std::int64_t batch = 1;
  int repeats = 7;
  bool peers = true;
  bool json = false;
};

constexpr char const* help_text = R"(bench_conv: pruned convolution beside dense peers
  --net=FILE.json   whose layers are timed, as araia conv --net takes it
  --sparsity=S      of random weights, whatever the file says (default 0.9)
  --batch=N         images (default 1)
  --repeats=N       rounds, medians are reported (default 7)
  --no-peers        ours alone
  --json            a line of JSON a layer instead of the table
)";

Settings parse(int argc, char** argv) {
  Settings s;
  for (int i = 1; i < argc; ++i) {
    std::string_view const argument = argv[i];
    auto const value = [&](std::string_view name) { return argument.substr(name.size()); };
    if (argument.starts_with("--net=")) {
      s.net = value("--net=");
    } else if (argument.starts_with("--sparsity=")) {
      s.sparsity = positive_number<double>("--sparsity", value("--sparsity="));
    } else if (argument.starts_with("--batch=")) {
      s.batch = positive_number<std::int64_t>("--batch", value("--batch="));
    } else if (argument.starts_with("--repeats=")) {
      s.repeats = positive_number<int>("--repeats", value("--repeats="));
    } else if (argument == "--no-peers") {
      s.peers = false;
    } else if (argument == "--json") {
      s.json = true;
    } else {
      throw std::invalid_argument("unknown argument '" + std::string(argument) + "'\n" + help_text);
    }
  }
  if (s.net.empty()) throw std::invalid_argument("--net is missing\n" + std::string(help_text));
  return s;
}

struct Contender {
  std::string name;
  std::function<void()> run;
};

/// Medians of rounds that take one sample of each; a sample is of so many runs that it lasts.
std::vector<double> medians(std::vector<Contender> const& contenders, int repeats) {
  constexpr double least_seconds = 0.02;
  std::vector<int> runs;
  for (auto const& c : contenders) {
    c.run();
    runs.push_back(std::max(1, static_cast<int>(least_seconds / std::max(seconds_of(c.run), 1e-7))));
  }
  std::vector<std::vector<double>> samples(contenders.size());
  for (int round = 0; round < repeats; ++round)
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      std::size_t const at = (i + static_cast<std::size_t>(round)) % contenders.size();
      samples[at].push_back(seconds_of([&] {
                              for (int run = 0; run < runs[at]; ++run) contenders[at].run();
                            }) /
                            runs[at]);
    }
  std::vector<double> result;
  for (auto& of : samples) result.push_back(median(of));
  return result;
}

/// Largest difference over the largest magnitude.
double difference(std::vector<float> const& a, std::vector<float> const& b) {
  double most = 0;
  double scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(static_cast<double>(a[i]) - b[i]));
    scale = std::max(scale, std::abs(static_cast<double>(a[i])));
  }
  return scale > 0 ? most / scale : most;
}

std::vector<float> on_host(Kokkos::View<float*> const& view) {
  auto const mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return {mirror.data(), mirror.data() + mirror.size()};
}

struct Row {
  std::vector<std::string> names;
  std::vector<double> seconds;
};

Row time_layer(Exec const& exec, Settings const& s, ConvShape const& shape) {
  auto weights = random_weights(shape, s.sparsity);
  std::mt19937_64 engine(3);
  std::normal_distribution<float> normal;
  auto const numbers = [&](std::int64_t count) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (auto& value : values) value = normal(engine);
    return values;
  };
  auto const bias = numbers(shape.filters);
  weights.bias.assign(bias.begin(), bias.end());
  auto const x = upload(numbers(s.batch * shape.input_size()));
  Kokkos::View<float*> const y("y", static_cast<std::size_t>(s.batch * shape.output_size()));
  std::vector<Contender> contenders;
  ConvOptions options;
  options.relu = true;
  for (auto const method :
       {ConvMethod::shifted_columns, shape.multiplies_input() ? ConvMethod::in_place : ConvMethod::im2col}) {
    options.method = method;
    ConvLayer<Exec, float> const layer(exec, shape, s.batch, weights, options);
    contenders.push_back({method == ConvMethod::shifted_columns ? "implicit" : "explicit", [=] {
                            layer.execute(exec, x, y);
                            exec.fence();
                          }});
  }
  ConvProblem problem;
  problem.shape = shape;
  problem.batch = s.batch;
  problem.bias = bias;
  problem.x = x.data();
  problem.y = y.data();
  if (s.peers && shape.groups == 1) {
    problem.weights.assign(static_cast<std::size_t>(shape.weights()), 0.0F);
    for (std::size_t k = 0; k < static_cast<std::size_t>(weights.rows); ++k)
      for (auto j = static_cast<std::size_t>(weights.row_offsets[k]);
           j < static_cast<std::size_t>(weights.row_offsets[k + 1]); ++j)
        problem.weights[k * static_cast<std::size_t>(weights.cols) + static_cast<std::size_t>(weights.col_indices[j])] =
            static_cast<float>(weights.values[j]);
    std::vector<ConvContender> peers;
#ifdef ARAIA_PERF_MKL
    peers.push_back(conv_of_mkl(problem));
#endif
#ifdef ARAIA_PERF_CUBLAS
    peers.push_back(conv_of_cublas(problem));
#endif
    for (auto const& peer : peers) contenders.push_back({peer.name, peer.run});
  }
  contenders.front().run();
  auto const wanted = on_host(y);
  for (auto const& contender : contenders) {
    Kokkos::deep_copy(y, 0.0F);
    contender.run();
    constexpr double same = 1e-4;  // sums in another order
    if (double const off = difference(wanted, on_host(y)); !(off <= same))
      throw std::runtime_error(contender.name + " is off by " + std::to_string(off) + " for " + to_string(shape));
  }
  Row row;
  for (auto const& contender : contenders) row.names.push_back(contender.name);
  row.seconds = medians(contenders, s.repeats);
  return row;
}

void run(Settings const& s) {
  Exec const exec;
  Net const net = read_net(s.net);
  std::vector<std::pair<ConvShape, int>> shapes;
  for (auto const& layer : net.layers) {
    if (layer.op != NetOp::convolution || layer.shape.depthwise()) continue;
    auto const at =
        std::find_if(shapes.begin(), shapes.end(), [&](auto const& one) { return one.first == layer.shape; });
    if (at == shapes.end()) {
      shapes.emplace_back(layer.shape, 1);
    } else {
      ++at->second;
    }
  }
  std::map<std::string, double> totals;
  std::vector<std::string> order;
  for (auto const& [shape, count] : shapes) {
    Row const row = time_layer(exec, s, shape);
    if (s.json) {
      std::printf("{\"shape\": \"%s\", \"count\": %d, \"batch\": %lld, \"sparsity\": %g", to_string(shape).c_str(),
                  count, static_cast<long long>(s.batch), s.sparsity);
      for (std::size_t i = 0; i < row.names.size(); ++i)
        std::printf(", \"%s\": %.6e", row.names[i].c_str(), row.seconds[i]);
      std::printf("}\n");
    } else {
      std::printf("%-34s x%d", to_string(shape).c_str(), count);
      for (std::size_t i = 0; i < row.names.size(); ++i)
        std::printf("  %s %9.1f us", row.names[i].c_str(), row.seconds[i] * 1e6);
      std::printf("\n");
    }
    std::fflush(stdout);
    for (std::size_t i = 0; i < row.names.size(); ++i) {
      if (!totals.contains(row.names[i])) order.push_back(row.names[i]);
      totals[row.names[i]] += count * row.seconds[i];
    }
  }
  if (s.json) return;
  std::printf("all layers, batch %lld, sparsity %g:", static_cast<long long>(s.batch), s.sparsity);
  for (auto const& name : order)
    std::printf("  %s %.3f ms (%.2f of implicit)", name.c_str(), totals[name] * 1e3, totals[name] / totals["implicit"]);
  std::printf("\n");
}

}  // namespace
}  // namespace araia::perf

int main(int argc, char** argv) {
  try {
    auto const settings = araia::perf::parse(argc, argv);
    Kokkos::ScopeGuard const guard;
    araia::perf::run(settings);
    return 0;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "bench_conv: %s\n", e.what());
    return 1;
  }
}
