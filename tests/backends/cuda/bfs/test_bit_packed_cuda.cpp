// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Searches from many sources on CUDA: both forms, every width and shape of blocks, against a queue from each source;
// graphs of long paths, of hubs and without edges; cancelling, progress, workspace, refusals.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "backends/cuda/bfs/csr_bit_packed/kernel.hpp"
#include "backends/cuda/device_array.hpp"
#include "support/errors.hpp"

namespace {

using namespace araia;
using cuda::BfsForm;
using cuda::BfsTuning;
using test::DeviceArray;

class BitPackedBfsCuda : public test::OnCudaDevice {};

using Lists = std::vector<std::vector<std::int32_t>>;  // where the edges of each node lead

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

Lists reversed(Lists const& graph) {
  Lists result(graph.size());
  for (std::size_t u = 0; u < graph.size(); ++u)
    for (auto const v : graph[u]) result[at(v)].push_back(static_cast<std::int32_t>(u));
  return result;
}

Lists ring(std::int32_t n, bool both) {
  Lists graph(at(n));
  for (std::int32_t i = 0; i < n; ++i) {
    graph[at(i)].push_back((i + 1) % n);
    if (both) graph[at(i)].push_back((i + n - 1) % n);
  }
  return graph;
}

/// So many edges anywhere, and hubs that all nodes lead to and that lead to every second one.
Lists random_graph(std::int32_t n, std::int64_t edges, std::int32_t hubs, unsigned seed) {
  std::mt19937 random(seed);
  Lists graph(at(n));
  std::uniform_int_distribution<std::int32_t> any(0, n - 1);
  for (std::int64_t e = 0; e < edges; ++e) graph[at(any(random))].push_back(any(random));
  for (std::int32_t h = 0; h < hubs; ++h)
    for (std::int32_t i = 0; i < n; ++i) {
      graph[at(i)].push_back(h);
      if (i % 2 != 0) graph[at(h)].push_back(i);
    }
  return graph;
}

struct Sums {
  std::vector<std::uint64_t> distance;
  std::vector<std::uint64_t> reached;
  std::vector<std::uint64_t> inverse;
  friend bool operator==(Sums const&, Sums const&) = default;
};

Sums expected_of(Lists const& graph, std::vector<std::int32_t> const& sources, bool inverse) {
  std::size_t const n = graph.size();
  Sums sums{std::vector<std::uint64_t>(n), std::vector<std::uint64_t>(n),
            std::vector<std::uint64_t>(inverse ? 2 * n : 0)};
  for (auto const source : sources) {
    std::vector<std::uint32_t> d(n, 0);
    std::vector<char> seen(n, 0);
    std::vector<std::int32_t> queue{source};
    seen[at(source)] = 1;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      auto const u = at(queue[next]);
      sums.distance[u] += d[u];
      sums.reached[u] += 1;
      if (inverse && d[u] > 0) detail::bfs_add(sums.inverse.data() + 2 * u, detail::bfs_inverse(d[u]));
      for (auto const head : graph[u]) {
        auto const v = at(head);
        if (seen[v] != 0) continue;
        seen[v] = 1;
        d[v] = d[u] + 1;
        queue.push_back(head);
      }
    }
  }
  return sums;
}

class Searched {
 public:
  explicit Searched(Lists const& graph) : nodes_(static_cast<std::int32_t>(graph.size())) {
    auto const upload = [](Lists const& lists, DeviceArray<std::int64_t>& offsets, DeviceArray<std::int32_t>& nodes) {
      std::vector<std::int64_t> begins{0};
      std::vector<std::int32_t> all;
      for (auto const& list : lists) {
        all.insert(all.end(), list.begin(), list.end());
        begins.push_back(static_cast<std::int64_t>(all.size()));
      }
      offsets = DeviceArray<std::int64_t>(begins);
      nodes = DeviceArray<std::int32_t>(all);
      return static_cast<std::int64_t>(all.size());
    };
    edges_ = upload(graph, out_offsets_, out_nodes_);
    upload(reversed(graph), in_offsets_, in_nodes_);
  }

  /// \param room  bytes of workspace; 0: the best
  Sums run(std::vector<std::int32_t> const& sources, bool inverse, BfsTuning const& tuning, std::uint64_t room = 0,
           std::atomic<bool> const* cancel = nullptr, std::function<void(double)> const& progress = {}) {
    auto const n = at(nodes_);
    DeviceArray<std::int32_t> const from(sources);
    DeviceArray<std::uint64_t> const distance(std::vector<std::uint64_t>(n, 0));
    DeviceArray<std::uint64_t> const reached(std::vector<std::uint64_t>(n, 0));
    DeviceArray<std::uint64_t> const sums(std::vector<std::uint64_t>(inverse ? 2 * n : 0, 0));
    auto const count = static_cast<std::int64_t>(sources.size());
    auto const wanted = cuda::bfs_workspace(nodes_, count, tuning);
    EXPECT_LE(wanted.least, wanted.best);
    std::uint64_t const bytes = room != 0 ? room : wanted.best;
    DeviceArray<unsigned char> const workspace(std::vector<unsigned char>(bytes, 0xee), 256);  // begins 256 B in
    report = cuda::bit_packed_bfs(
        nullptr,
        {.nodes = nodes_,
         .edges = edges_,
         .out_offsets = out_offsets_.data(),
         .out_nodes = out_nodes_.data(),
         .in_offsets = in_offsets_.data(),
         .in_nodes = in_nodes_.data()},
        from.data(), count,
        {.distance = distance.data(), .reached = reached.data(), .inverse = inverse ? sums.data() : nullptr}, tuning,
        workspace.data(), bytes, cancel, progress);
    cuda::check(cudaDeviceSynchronize(), "search");
    for (int const disturbed : {distance.disturbed_bytes(), reached.disturbed_bytes(), sums.disturbed_bytes(),
                                workspace.disturbed_bytes(), from.disturbed_bytes()})
      EXPECT_EQ(disturbed, 0);
    return {distance.download(), reached.download(), sums.download()};
  }
  [[nodiscard]] std::int32_t nodes() const { return nodes_; }
  detail::BfsReport report{};

 private:
  std::int32_t nodes_;
  std::int64_t edges_ = 0;
  DeviceArray<std::int64_t> out_offsets_, in_offsets_;
  DeviceArray<std::int32_t> out_nodes_, in_nodes_;
};

std::vector<std::int32_t> some_nodes(std::int32_t nodes, std::size_t count, unsigned seed) {
  std::vector<std::int32_t> all(at(nodes));
  std::iota(all.begin(), all.end(), 0);
  std::shuffle(all.begin(), all.end(), std::mt19937(seed));
  all.resize(std::min(all.size(), count));
  return all;
}

std::vector<std::pair<std::string, Lists>> graphs() {
  return {{"one node", Lists(1)},
          {"no edges", Lists(100)},
          {"a loop", {{0, 0}}},
          {"a ring", ring(900, true)},
          {"a directed ring", ring(300, false)},
          {"sparse", random_graph(3000, 4000, 0, 1)},
          {"middle", random_graph(3000, 30000, 0, 2)},
          {"hubs of a warp and of a block", random_graph(6000, 9000, 3, 3)},
          {"dense", random_graph(300, 60000, 0, 4)}};
}

constexpr BfsForm forms[] = {BfsForm::block_a_batch, BfsForm::grid_a_batch};

TEST_F(BitPackedBfsCuda, EveryFormAndWidthReachesWhatAQueueDoes) {
  for (auto const& [name, graph] : graphs()) {
    Searched searched(graph);
    for (std::size_t const count : {1U, 64U, 65U, 513U, 1300U}) {
      auto const sources = some_nodes(searched.nodes(), count, 5);
      auto const expected = expected_of(graph, sources, true);
      for (auto const form : forms)
        for (int const words : {1, 2, 4, 8}) {
          SCOPED_TRACE(name + ", " + std::to_string(sources.size()) + " sources, form " +
                       std::to_string(static_cast<int>(form)) + ", words " + std::to_string(words));
          auto const sums = searched.run(sources, true, {.form = form, .words = words, .threads = 0, .blocks = 0});
          EXPECT_TRUE(sums == expected);
          EXPECT_FALSE(searched.report.cancelled);
          EXPECT_EQ(searched.report.batches,
                    (static_cast<std::int64_t>(sources.size()) + 64 * words - 1) / (64 * words));
        }
    }
  }
}

TEST_F(BitPackedBfsCuda, EveryShapeOfBlocksGivesTheSame) {
  Lists const graph = random_graph(5000, 7000, 1, 6);
  Searched searched(graph);
  auto const sources = some_nodes(searched.nodes(), 2000, 7);
  auto const expected = expected_of(graph, sources, false);
  for (auto const form : forms)
    for (int const threads : {32, 96, 256, 512, 1024}) {
      if (form == BfsForm::grid_a_batch && threads > 256) continue;
      for (int const blocks : {1, 2, 7, 0}) {
        SCOPED_TRACE(std::to_string(threads) + " threads, " + std::to_string(blocks) + " blocks");
        BfsTuning const tuning{.form = form, .words = 4, .threads = threads, .blocks = blocks};
        EXPECT_TRUE(searched.run(sources, false, tuning) == expected);
      }
    }
}

TEST_F(BitPackedBfsCuda, RunsInTheLeastWorkspaceAndRefusesLess) {
  Lists const graph = random_graph(500, 900, 0, 8);
  Searched searched(graph);
  auto const sources = some_nodes(searched.nodes(), 500, 9);
  auto const expected = expected_of(graph, sources, false);
  for (auto const form : forms) {
    BfsTuning const tuning{.form = form, .words = 1, .threads = 0, .blocks = 0};
    auto const least = cuda::bfs_workspace(searched.nodes(), 500, tuning).least;
    EXPECT_TRUE(searched.run(sources, false, tuning, least) == expected);
    EXPECT_EQ(test::kind_of([&] { searched.run(sources, false, tuning, least - 256); }), ErrorKind::resource_limit);
    EXPECT_EQ(
        test::kind_of([&] { searched.run(sources, false, {.form = form, .words = 3, .threads = 0, .blocks = 0}); }),
        ErrorKind::invalid_argument);
    EXPECT_EQ(
        test::kind_of([&] { searched.run(sources, false, {.form = form, .words = 1, .threads = 100, .blocks = 0}); }),
        ErrorKind::invalid_argument);
    auto const nothing = searched.run({}, false, tuning);
    EXPECT_TRUE(nothing == expected_of(graph, {}, false));
  }
}

TEST_F(BitPackedBfsCuda, TellsItsProgressAndEndsWhenCancelled) {
  Searched searched(ring(20000, true));  // 10000 levels a batch
  auto const sources = some_nodes(searched.nodes(), 20000, 10);
  for (auto const form : forms) {
    BfsTuning const tuning{.form = form, .words = 1, .threads = 0, .blocks = 2};
    std::atomic<bool> cancel{false};
    std::vector<double> shares;
    searched.run(sources, false, tuning, 0, &cancel, [&](double share) {
      shares.push_back(share);
      cancel = true;
    });
    EXPECT_TRUE(searched.report.cancelled);
    EXPECT_LT(searched.report.batches, 313);
    ASSERT_FALSE(shares.empty());
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_THROW(searched.run(sources, false, tuning, 0, nullptr, [](double) { throw std::runtime_error("enough"); }),
                 std::runtime_error);
  }
}

}  // namespace
