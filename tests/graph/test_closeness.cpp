// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Closeness: every score against a queue from every node, in each convention, by each method and size of batch, the
// same bits by all; sampled sources within their bounds; progress, cancelling, refusals.
#include <araia/graph/closeness.hpp>  // alone, as users may include it

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <queue>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/device.hpp"
#include "support/errors.hpp"
#include "support/sanitizer.hpp"

namespace araia::test {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Device = Exec::device_type;
using Graph = std::vector<std::vector<std::int32_t>>;  // where the edges of each node lead
using Matrix = Csr<double, std::int32_t, std::int32_t, Device>;

Matrix matrix_of(Graph const& graph) {
  std::vector<std::int32_t> offsets{0};
  std::vector<std::int32_t> columns;
  for (auto const& heads : graph) {
    columns.insert(columns.end(), heads.begin(), heads.end());
    offsets.push_back(static_cast<std::int32_t>(columns.size()));
  }
  auto const n = static_cast<std::int64_t>(graph.size());
  Matrix A{.rows = n, .cols = n, .nnz = static_cast<std::int64_t>(columns.size())};
  A.row_offsets = upload<std::int32_t, Device>("row_offsets", offsets);
  A.col_indices = upload<std::int32_t, Device>("col_indices", columns);
  return A;
}

Graph reversed(Graph const& graph) {
  Graph result(graph.size());
  for (std::size_t u = 0; u < graph.size(); ++u)
    for (auto const v : graph[u]) result[static_cast<std::size_t>(v)].push_back(static_cast<std::int32_t>(u));
  return result;
}

Graph joined(Graph const& a, Graph const& b) {
  Graph result = a;
  for (std::size_t u = 0; u < a.size(); ++u) result[u].insert(result[u].end(), b[u].begin(), b[u].end());
  return result;
}

/// Distances from a node; -1 where there is no path.
std::vector<std::int64_t> distances(Graph const& graph, std::size_t from) {
  std::vector<std::int64_t> d(graph.size(), -1);
  std::queue<std::size_t> queue;
  d[from] = 0;
  queue.push(from);
  for (; !queue.empty(); queue.pop())
    for (auto const head : graph[queue.front()]) {
      auto const v = static_cast<std::size_t>(head);
      if (d[v] >= 0) continue;
      d[v] = d[queue.front()] + 1;
      queue.push(v);
    }
  return d;
}

/// What a node's score is by definition, over the given others.
struct Expected {
  std::uint64_t sum = 0;
  std::int64_t count = 0;
  long double harmonic = 0;
};

/// \param sources  over which distances to a node are summed; empty: all nodes
std::vector<Expected> expected_of(Graph const& graph, std::vector<std::int32_t> const& sources) {
  std::vector<Expected> result(graph.size());
  auto const add = [&](std::size_t source) {
    auto const d = distances(graph, source);
    for (std::size_t v = 0; v < graph.size(); ++v) {
      if (d[v] <= 0) continue;
      result[v].sum += static_cast<std::uint64_t>(d[v]);
      result[v].count += 1;
      result[v].harmonic += 1.0L / static_cast<long double>(d[v]);
    }
  };
  if (sources.empty())
    for (std::size_t s = 0; s < graph.size(); ++s) add(s);
  for (auto const s : sources) add(static_cast<std::size_t>(s));
  return result;
}

Graph path(std::int32_t n) {
  Graph graph(static_cast<std::size_t>(n));
  for (std::int32_t i = 0; i + 1 < n; ++i) graph[static_cast<std::size_t>(i)].push_back(i + 1);
  return graph;
}

/// Edges anywhere, loops and repetitions among them, some nodes without any.
Graph random_graph(std::int32_t n, std::int64_t edges, unsigned seed) {
  std::mt19937 random(seed);
  Graph graph(static_cast<std::size_t>(n));
  std::uniform_int_distribution<std::int32_t> any(0, n - 1);
  for (std::int64_t e = 0; e < edges; ++e) {
    std::int32_t const u = any(random);
    std::int32_t const v = any(random);
    if (u % 17 != 3 && v % 17 != 3) graph[static_cast<std::size_t>(u)].push_back(v);
  }
  return graph;
}

/// Nodes that nearly all others have edges to and from, the rest a ring: levels that a list serves and ones that it
/// does not.
Graph hubs_and_ring(std::int32_t n) {
  Graph graph(static_cast<std::size_t>(n));
  for (std::int32_t i = 0; i < n; ++i) {
    graph[static_cast<std::size_t>(i)].push_back((i + 1) % n);
    if (i > n / 3) {
      graph[static_cast<std::size_t>(i)].push_back(0);
      graph[0].push_back(i);
    }
  }
  return graph;
}

std::vector<std::pair<std::string, Graph>> graphs() {
  return {{"none", {}},
          {"one node", Graph(1)},
          {"a loop", {{0, 0}}},
          {"no edges", Graph(70)},
          {"an edge", {{1}, {}}},
          {"a path", path(150)},
          {"sparse", random_graph(700, 800, 1)},
          {"middle", random_graph(600, 3000, 2)},
          {"dense", random_graph(200, 20000, 3)},
          {"hubs", hubs_and_ring(900)}};
}

constexpr ClosenessMethod methods[] = {ClosenessMethod::automatic, ClosenessMethod::bit_packed,
                                       ClosenessMethod::portable, ClosenessMethod::spmm};

void expect_scores(ClosenessResult const& got, std::vector<Expected> const& expected, ClosenessOptions const& options) {
  std::size_t const n = expected.size();
  ASSERT_EQ(got.closeness.size(), n);
  ASSERT_EQ(got.harmonic.size(), options.harmonic ? n : 0);
  for (std::size_t v = 0; v < n; ++v) {
    ASSERT_EQ(got.distance_sum[v], expected[v].sum) << "node " << v;
    ASSERT_EQ(got.reached[v], expected[v].count) << "node " << v;
    auto const r = static_cast<double>(expected[v].count);
    double closeness = r > 0 ? r / static_cast<double>(expected[v].sum) : 0;
    if (options.wasserman_faust && r > 0) closeness *= r / static_cast<double>(n - 1);
    ASSERT_EQ(got.closeness[v], closeness) << "node " << v;
    ASSERT_EQ(got.reach[v], r) << "node " << v;
    if (!options.harmonic) continue;
    // Integers in units of 2^-96, each off by one unit at most, and two roundings to double.
    auto const exact = static_cast<double>(expected[v].harmonic);
    ASSERT_LE(std::abs(got.harmonic[v] - exact), 4 * std::numeric_limits<double>::epsilon() * exact) << "node " << v;
  }
}

TEST(Closeness, IsWhatItIsByDefinitionInEveryConvention) {
  Exec const exec;
  for (auto const& [name, graph] : graphs()) {
    Matrix const A = matrix_of(graph);
    for (int convention = 0; convention < 8; ++convention) {
      ClosenessOptions options;
      options.undirected = (convention & 1) != 0;
      options.outgoing = (convention & 2) != 0;
      options.wasserman_faust = (convention & 4) == 0;
      options.harmonic = true;
      Graph const along = options.undirected ? joined(graph, reversed(graph))
                          : options.outgoing ? reversed(graph)
                                             : graph;
      auto const result = closeness(exec, A, options);
      SCOPED_TRACE(name + ", convention " + std::to_string(convention) + ", " + result.method);
      EXPECT_TRUE(result.exact);
      EXPECT_EQ(result.nodes, static_cast<std::int64_t>(graph.size()));
      EXPECT_EQ(result.reach_error, 0);
      EXPECT_EQ(result.mean_distance_error(1), 0);
      expect_scores(result, expected_of(along, {}), options);
    }
  }
}

TEST(Closeness, EveryMethodAndBatchGivesTheSameBits) {
  Exec const exec;
  for (auto const& [name, graph] : graphs()) {
    Matrix const A = matrix_of(graph);
    ClosenessOptions options;
    options.harmonic = true;
    auto const reference = closeness(exec, A, options);
    for (auto const method : methods)
      for (int const batch : {0, 64, 128, 256, 512}) {
        // Wide blocks of columns go through the loops that narrow ones take: tests of SpMM have every width.
        if (sanitized && method == ClosenessMethod::spmm && batch > 128) continue;
        options.method = method;
        options.batch = batch;
        auto const result = closeness(exec, A, options);
        SCOPED_TRACE(name + ", " + to_string(method) + ", batch " + std::to_string(batch));
        if (method != ClosenessMethod::automatic) {
          EXPECT_EQ(result.method, to_string(method));
        }
        if (batch != 0) {
          EXPECT_EQ(result.batch, batch);
        }
        EXPECT_EQ(result.closeness, reference.closeness);
        EXPECT_EQ(result.harmonic, reference.harmonic);
        EXPECT_EQ(result.distance_sum, reference.distance_sum);
        EXPECT_EQ(result.reached, reference.reached);
      }
  }
}

TEST(Closeness, CountsAnEdgeOnceWhateverItsValueAndNoLoop) {
  // 0 -> 1 -> 2 with loops, repetitions and values of every kind, rows stored in another order.
  Matrix A{.rows = 3, .cols = 3, .nnz = 6};
  A.row_offsets = upload<std::int32_t, Device>("row_offsets", std::vector<std::int32_t>{0, 1, 4, 6});
  A.col_indices = upload<std::int32_t, Device>("col_indices", std::vector<std::int32_t>{2, 2, 1, 2, 1, 0});
  A.values =
      upload<double, Device>("values", std::vector<double>{0, -1, std::numeric_limits<double>::quiet_NaN(), 1, 0, 5});
  A.row_permutation = upload<std::int32_t, Device>("row_permutation", std::vector<std::int32_t>{2, 1, 0});
  auto const result = closeness(Exec(), A);
  EXPECT_EQ(result.edges, 2);
  EXPECT_EQ(result.reach, (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(result.closeness, (std::vector<double>{0, 1.0 * 0.5, 2.0 / 3 * 1}));
}

TEST(Closeness, OfSampledSourcesKeepsItsBounds) {
  Exec const exec;
  Graph const graph = joined(random_graph(700, 1500, 7), reversed(random_graph(700, 1500, 7)));
  Matrix const A = matrix_of(graph);
  ClosenessOptions options;
  options.harmonic = true;
  auto const exact = closeness(exec, A, options);
  for (std::int64_t const sources : {1, 40, 200, 699}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(std::to_string(sources) + " sources, seed " + std::to_string(seed));
      options.sources = sources;
      options.seed = seed;
      auto const result = closeness(exec, A, options);
      EXPECT_FALSE(result.exact);
      ASSERT_EQ(static_cast<std::int64_t>(result.sources.size()), sources);
      EXPECT_EQ(std::set<std::int32_t>(result.sources.begin(), result.sources.end()).size(), result.sources.size());
      EXPECT_EQ(closeness(exec, A, options).sources, result.sources);
      auto const expected = expected_of(graph, result.sources);
      for (std::size_t v = 0; v < graph.size(); ++v) {
        ASSERT_EQ(result.distance_sum[v], expected[v].sum);
        ASSERT_EQ(result.reached[v], expected[v].count);
        ASSERT_LE(std::abs(result.reach[v] - exact.reach[v]), result.reach_error);
        ASSERT_LE(std::abs(result.harmonic[v] - exact.harmonic[v]), result.harmonic_error);
        if (result.reached[v] == 0) continue;
        auto const mean = [v](ClosenessResult const& r) {
          return static_cast<double>(r.distance_sum[v]) / static_cast<double>(r.reached[v]);
        };
        ASSERT_LE(std::abs(mean(result) - mean(exact)), result.mean_distance_error(result.reached[v]));
      }
      EXPECT_TRUE(std::isfinite(result.diameter));
    }
  }
  options.sources = 700;
  EXPECT_TRUE(closeness(exec, A, options).exact);
  // More sources narrow the bounds.
  options.sources = 400;
  auto const many = closeness(exec, A, options);
  options.sources = 100;
  auto const few = closeness(exec, A, options);
  EXPECT_LT(many.reach_error, few.reach_error);
  EXPECT_LT(many.mean_distance_error(399), few.mean_distance_error(99));
}

TEST(Closeness, SharesTheProbabilityOfAFailureAmongItsBounds) {
  std::int64_t const nodes = 300;
  Matrix const A = matrix_of(hubs_and_ring(nodes));
  ClosenessOptions options;
  options.sources = 100;
  options.failure = 0.1;
  for (bool const harmonic : {false, true}) {
    options.harmonic = harmonic;
    auto const result = closeness(Exec(), A, options);
    double const each = harmonic ? 0.1 / 3 : 0.1 / 2;
    auto const hoeffding = [&](double samples) { return std::sqrt(std::log(2 * nodes / each) / (2 * samples)); };
    double const tolerance = 1e-12 * static_cast<double>(nodes);
    EXPECT_NEAR(result.reach_error, (nodes - 1) * hoeffding(99), tolerance);
    EXPECT_NEAR(result.harmonic_error, harmonic ? (nodes - 1) * hoeffding(99) : 0, tolerance);
    EXPECT_NEAR(result.mean_distance_error(50), result.diameter * hoeffding(50), tolerance);
  }
}

TEST(Closeness, TakesNoWiderBatchThanItsSourcesFill) {
  Matrix const A = matrix_of(random_graph(700, 3000, 5));
  for (auto const method : methods)
    for (auto const& [sources, most] : {std::pair{3, 64}, {64, 64}, {65, 128}, {129, 256}, {257, 512}}) {
      ClosenessOptions options;
      options.method = method;
      options.sources = sources;
      EXPECT_LE(closeness(Exec(), A, options).batch, most) << to_string(method) << ", " << sources << " sources";
    }
}

/// Of arrays of the library that were made after it.
class PeakBytes {
 public:
  PeakBytes() {
    now = peak = 0;
    Kokkos::Tools::Experimental::set_allocate_data_callback(
        [](Kokkos_Profiling_SpaceHandle, char const* label, void const*, std::uint64_t bytes) {
          if (std::string(label).rfind("araia::", 0) != 0) return;
          now += bytes;
          peak = std::max(peak, now);
        });
    Kokkos::Tools::Experimental::set_deallocate_data_callback(
        [](Kokkos_Profiling_SpaceHandle, char const* label, void const*, std::uint64_t bytes) {
          if (std::string(label).rfind("araia::", 0) == 0) now -= bytes;
        });
  }
  PeakBytes(PeakBytes const&) = delete;
  PeakBytes& operator=(PeakBytes const&) = delete;
  ~PeakBytes() {
    Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
    Kokkos::Tools::Experimental::set_deallocate_data_callback(nullptr);
  }
  static inline std::uint64_t now = 0;
  static inline std::uint64_t peak = 0;
};

/// What a search says that it needs, where it is refused.
std::uint64_t bytes_needed(Matrix const& A, ClosenessOptions options) {
  options.memory_limit = 1;
  try {
    (void)closeness(Exec(), A, options);
  } catch (Error const& error) {
    std::string const says = error.what();
    std::string const before = "the search needs ";
    auto const at = says.find(before);
    if (error.kind() == ErrorKind::resource_limit && at != std::string::npos)
      return std::stoull(says.substr(at + before.size()));
    ADD_FAILURE() << says;
  }
  ADD_FAILURE() << "no error";
  return 0;
}

TEST(Closeness, KeepsItsMemoryLimit) {
  for (auto const& [name, graph] :
       {std::pair{"dense", random_graph(400, 60000, 6)}, {"middle", random_graph(600, 3000, 2)}}) {
    Matrix const A = matrix_of(graph);
    for (auto const method : {ClosenessMethod::bit_packed, ClosenessMethod::portable, ClosenessMethod::spmm}) {
      SCOPED_TRACE(std::string(name) + ", " + to_string(method));
      ClosenessOptions options;
      options.method = method;
      options.harmonic = true;
      auto const expected = closeness(Exec(), A, options);
      options.memory_limit = bytes_needed(A, options);
      {
        PeakBytes const bytes;
        EXPECT_EQ(closeness(Exec(), A, options).harmonic, expected.harmonic);
        EXPECT_LE(PeakBytes::peak, options.memory_limit);
      }
      --options.memory_limit;
      EXPECT_THROW((void)closeness(Exec(), A, options), Error);
    }
  }
}

TEST(Closeness, CountsTheHostMemoryOfNodesWithoutEdges) {
  std::int64_t const nodes = 200000;
  Matrix const A = matrix_of(Graph(static_cast<std::size_t>(nodes)));
  struct Reset {
    ~Reset() { set_default_host_memory_limit(unset_memory_limit); }
  } const reset;
  for (bool const harmonic : {false, true}) {
    ClosenessOptions options;
    options.harmonic = harmonic;
    options.sources = 1;
    set_default_host_memory_limit(static_cast<std::uint64_t>(nodes) * (harmonic ? 100 : 76));
    try {
      (void)closeness(Exec(), A, options);
      ADD_FAILURE() << "no error";
    } catch (Error const& error) {
      EXPECT_EQ(error.kind(), ErrorKind::resource_limit) << error.what();
      EXPECT_NE(std::string(error.what()).find("the graph and its scores"), std::string::npos) << error.what();
    }
    // What the estimate leaves beside the scores is room for the search of a host.
    set_default_host_memory_limit(static_cast<std::uint64_t>(nodes) * (harmonic ? 102 : 78));
    EXPECT_EQ(closeness(Exec(), A, options).sources.size(), 1U);
  }
}

TEST(Closeness, BoundsAllDistancesWhereThatCanBe) {
  ClosenessOptions options;
  options.sources = 2;
  auto const diameter = [&](Graph const& graph) { return closeness(Exec(), matrix_of(graph), options).diameter; };
  Graph ring = path(20);
  ring[19].push_back(0);
  EXPECT_GE(diameter(ring), 19);
  EXPECT_LE(diameter(ring), 38);
  EXPECT_EQ(diameter(path(20)), std::numeric_limits<double>::infinity());
  options.undirected = true;
  EXPECT_EQ(diameter(path(20)), 19);
}

TEST(Closeness, TellsItsProgressAndCanBeCancelled) {
  Matrix const A = matrix_of(random_graph(700, 3000, 4));
  for (auto const method : methods) {
    SCOPED_TRACE(to_string(method));
    ClosenessOptions options;
    options.method = method;
    options.batch = 64;
    std::vector<double> shares;
    options.progress = [&](double share) { shares.push_back(share); };
    EXPECT_FALSE(closeness(Exec(), A, options).cancelled);
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    for (double const share : shares) EXPECT_TRUE(share >= 0 && share <= 1);
    EXPECT_EQ(std::count(shares.begin(), shares.end(), 1.0), 1);
    shares.clear();
    (void)closeness(Exec(), matrix_of({}), options);
    EXPECT_EQ(shares, std::vector<double>{1});
    std::atomic<bool> cancel{true};
    options.cancel = &cancel;
    auto const result = closeness(Exec(), A, options);
    EXPECT_TRUE(result.cancelled);
    EXPECT_TRUE(result.closeness.empty());
    cancel = false;
    EXPECT_FALSE(closeness(Exec(), A, options).cancelled);
  }
}

TEST(Closeness, LetsAnExceptionOfProgressThrough) {
  Matrix const A = matrix_of(random_graph(700, 3000, 4));
  ClosenessOptions options;
  options.method = ClosenessMethod::portable;
  options.batch = 64;
  options.progress = [](double) { throw std::runtime_error("enough"); };
  EXPECT_THROW((void)closeness(Exec(), A, options), std::runtime_error);
}

TEST(Closeness, RefusesWhatItCannotDo) {
  Matrix const A = matrix_of(path(5));
  auto const refused = [&](auto const& change, ErrorKind kind, std::string const& says) {
    ClosenessOptions options;
    Matrix matrix = A;
    change(options, matrix);
    try {
      (void)closeness(Exec(), matrix, options);
      ADD_FAILURE() << "no error: " << says;
    } catch (Error const& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
    }
  };
  refused([](auto&, auto& a) { a.cols = 6; }, ErrorKind::dimension_mismatch, "A is 5 x 6, expected a square matrix");
  refused([](auto&, auto& a) { a.nnz = 3; }, ErrorKind::invalid_structure, "row_offsets");
  refused([](auto& o, auto&) { o.sources = -1; }, ErrorKind::invalid_argument, "sources is -1");
  refused([](auto& o, auto&) { o.batch = 96; }, ErrorKind::invalid_argument, "batch is 96");
  refused([](auto& o, auto&) { o.failure = 0; }, ErrorKind::invalid_argument, "failure");
  for (auto const method : methods)
    refused(
        [method](auto& o, auto&) {
          o.method = method;
          o.memory_limit = 1;
        },
        ErrorKind::resource_limit, "the limit is 1 bytes");
}

}  // namespace
}  // namespace araia::test
