// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Searches from many sources on CUDA: bit-packed in both forms, by products with a dense block, and from one source at
// a time. Seconds of a search from all sources, or of 512 of them where that takes long; medians of the repeats.
//   bench_closeness_cuda [--lattice=N] [--power-law=NODES] [--degree=MEAN] [--repeats=N]

#include <cuda_runtime_api.h>

#include <algorithm>
#include <araia/error.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <peers/closeness_cuda.hpp>
#include "src/generate/patterns.hpp"

#include <common/device_array.hpp>

#include "backends/cuda/bfs/csr_bit_packed/kernel.hpp"
#include "backends/cuda/check.hpp"
#include "backends/cuda/csr_spmm.hpp"
#include "src/graph/host_graph.hpp"

namespace {

using namespace araia;
using cuda::BfsForm;
using cuda::BfsTuning;
using cuda::check;
using perf::DeviceArray;

struct Graph {
  std::string name;
  detail::HostGraph host;
  std::vector<std::int32_t> order;
};

Graph graph_of(GeneratedMatrix const& a) {
  Graph graph{
      .name = a.name,
      .host = detail::make_graph({.nodes = a.rows, .offsets = a.row_offsets, .heads = a.col_indices}, false, false),
      .order = {}};
  graph.order = detail::order_in_balls(graph.host, 512);
  return graph;
}

template <class T>
std::vector<T> copied(T const* from, std::int64_t count) {
  return {from, from + count};
}

class Bench {
 public:
  Bench(Graph const& graph, int repeats)
      : graph_(graph),
        repeats_(repeats),
        p_(graph.host.pointers()),
        nodes_(static_cast<std::size_t>(p_.nodes)),
        out_offsets_(copied(p_.out_offsets, p_.nodes + std::int64_t{1})),
        in_offsets_(copied(p_.in_offsets, p_.nodes + std::int64_t{1})),
        out_nodes_(copied(p_.out_nodes, p_.edges)),
        in_nodes_(copied(p_.in_nodes, p_.edges)),
        sources_(graph.order),
        distance_(nodes_),
        reached_(nodes_) {
    device_ = {.nodes = p_.nodes,
               .edges = p_.edges,
               .out_offsets = out_offsets_.data(),
               .out_nodes = out_nodes_.data(),
               .in_offsets = in_offsets_.data(),
               .in_nodes = in_nodes_.data()};
    std::printf("%s: %d nodes, %lld edges\n", graph.name.c_str(), p_.nodes, static_cast<long long>(p_.edges));
  }

  /// Of the first `count` sources in their order. \return seconds
  double bit_packed(std::int64_t count, BfsTuning const& tuning) {
    auto const bytes = cuda::bfs_workspace(p_.nodes, count, tuning).best;
    auto const workspace = DeviceArray<unsigned char>::zeros(bytes);
    detail::BfsReport report;
    double const seconds = median([&] {
      report = cuda::bit_packed_bfs(nullptr, device_, sources_.data(), count, sums(), tuning, workspace.data(), bytes,
                                    nullptr, {});
    });
    std::printf(
        "  bit_packed %-14s sources %8lld batch %3d threads %4d blocks %4d: %10.3f ms, %8.2f us a source, %lld "
        "levels, %.0f MB\n",
        tuning.form == BfsForm::block_a_batch ? "block_a_batch" : "grid_a_batch", static_cast<long long>(count),
        64 * tuning.words, tuning.threads, tuning.blocks, 1e3 * seconds, 1e6 * seconds / static_cast<double>(count),
        static_cast<long long>(report.levels), static_cast<double>(bytes) / 1e6);
    compare(count);
    return seconds;
  }

  double one_source(std::int64_t count) {
    auto const distance = DeviceArray<std::int32_t>::zeros(nodes_);
    auto const frontiers = DeviceArray<std::int32_t>::zeros(2 * nodes_);
    auto const counts = DeviceArray<std::int32_t>::zeros(2);
    void* pinned = nullptr;
    check(cudaMallocHost(&pinned, sizeof(std::int32_t)), "cudaMallocHost");
    perf::OneSource const arrays{.distance = distance.data(),
                                 .frontiers = frontiers.data(),
                                 .count = counts.data(),
                                 .host_count = static_cast<std::int32_t*>(pinned)};
    double const seconds = median([&] {
      for (std::int64_t s = 0; s < count; ++s)
        perf::search_one_source(nullptr, device_, graph_.order[static_cast<std::size_t>(s)], arrays, sums());
    });
    cudaFreeHost(pinned);
    std::printf("  one_source                sources %8lld: %10.3f ms, %8.2f us a source\n",
                static_cast<long long>(count), 1e3 * seconds, 1e6 * seconds / static_cast<double>(count));
    compare(count);
    return seconds;
  }

  /// Blocks of `columns` sources.
  double products(std::int64_t count, int columns) {
    auto const elements = nodes_ * static_cast<std::size_t>(columns);
    auto const frontier = DeviceArray<float>::zeros(elements);
    auto const reached = DeviceArray<float>::zeros(elements);
    auto const seen = DeviceArray<unsigned char>::zeros(elements);
    auto const any = DeviceArray<int>::zeros(1);
    int const multiprocessors = cuda::multiprocessors_of_device("bench");
    CsrPointers<float, std::int32_t, std::int64_t> const a{.rows = p_.nodes,
                                                           .cols = p_.nodes,
                                                           .nnz = p_.edges,
                                                           .row_offsets = in_offsets_.data(),
                                                           .col_indices = in_nodes_.data(),
                                                           .values = nullptr,
                                                           .row_permutation = nullptr};
    auto const block = [&](auto* data) {
      using T = std::remove_pointer_t<decltype(data)>;
      return DenseMatrix<T>{
          .data = data, .rows = p_.nodes, .columns = columns, .row_stride = columns, .column_stride = 1};
    };
    double const seconds = median([&] {
      for (std::int64_t first = 0; first < count; first += columns) {
        auto const batch = std::min<std::int64_t>(columns, count - first);
        frontier.fill_bytes(0);
        seen.fill_bytes(0);
        for (std::int64_t s = 0; s < batch; ++s) {
          std::int64_t const node = graph_.order[static_cast<std::size_t>(first + s)];
          float const one = 1;
          unsigned char const yes = 1;
          std::uint64_t now = 0;
          check(cudaMemcpyAsync(frontier.data() + node * columns + s, &one, sizeof one, cudaMemcpyHostToDevice),
                "copy");
          check(cudaMemcpyAsync(seen.data() + node * columns + s, &yes, sizeof yes, cudaMemcpyHostToDevice), "copy");
          check(cudaMemcpy(&now, reached_.data() + node, sizeof now, cudaMemcpyDeviceToHost), "copy");
          ++now;
          check(cudaMemcpy(reached_.data() + node, &now, sizeof now, cudaMemcpyHostToDevice), "copy");
        }
        for (std::uint32_t level = 1;; ++level) {
          any.fill_bytes(0);
          cuda::csr_spmm(a, 1.0F, {.first = block(static_cast<float const*>(frontier.data())), .count = 1}, 0.0F,
                         {.first = block(reached.data()), .count = 1}, {}, multiprocessors, nullptr);
          perf::mask_columns(nullptr, p_.nodes, columns, reached.data(), frontier.data(), seen.data(), level, sums(),
                             any.data());
          if (any.download()[0] == 0) break;
        }
      }
    });
    std::printf("  products                  sources %8lld columns %d: %10.3f ms, %8.2f us a source\n",
                static_cast<long long>(count), columns, 1e3 * seconds, 1e6 * seconds / static_cast<double>(count));
    compare(count);
    return seconds;
  }

 private:
  [[nodiscard]] detail::BfsSums sums() const {
    return {.distance = distance_.data(), .reached = reached_.data(), .inverse = nullptr};
  }
  double median(std::function<void()> const& work) const {
    cudaEvent_t start{};
    cudaEvent_t stop{};
    check(cudaEventCreate(&start), "cudaEventCreate");
    check(cudaEventCreate(&stop), "cudaEventCreate");
    std::vector<double> seconds;
    for (int r = 0; r <= repeats_; ++r) {  // the first one warms up
      distance_.fill_bytes(0);
      reached_.fill_bytes(0);
      check(cudaDeviceSynchronize(), "bench");
      check(cudaEventRecord(start), "cudaEventRecord");
      work();
      check(cudaEventRecord(stop), "cudaEventRecord");
      check(cudaEventSynchronize(stop), "bench");
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, start, stop), "cudaEventElapsedTime");
      if (r > 0) seconds.push_back(1e-3 * static_cast<double>(milliseconds));
    }
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
  }
  /// All ways add up the same numbers for the same sources.
  void compare(std::int64_t count) {
    auto const distance = distance_.download();
    auto const reached = reached_.download();
    if (checked_ != count) {
      checked_ = count;
      distance_of_ = distance;
      reached_of_ = reached;
      return;
    }
    if (distance != distance_of_ || reached != reached_of_) {
      std::printf("WRONG: the sums are not those of the first way\n");
      std::exit(1);
    }
  }

  Graph const& graph_;
  int repeats_;
  detail::BfsGraph p_;
  std::size_t nodes_;
  DeviceArray<std::int64_t> out_offsets_, in_offsets_;
  DeviceArray<std::int32_t> out_nodes_, in_nodes_, sources_;
  DeviceArray<std::uint64_t> distance_, reached_;
  detail::BfsGraph device_{};
  std::int64_t checked_ = -1;
  std::vector<std::uint64_t> distance_of_, reached_of_;
};

std::int64_t option(int argc, char** argv, std::string const& name, std::int64_t usual) {
  std::string const begin = "--" + name + "=";
  for (int i = 1; i < argc; ++i)
    if (std::string const argument = argv[i]; argument.starts_with(begin))
      return std::atoll(argument.c_str() + begin.size());
  return usual;
}

BfsTuning tuned(BfsForm form, int words, int threads = 0, int blocks = 0) {
  return {.form = form, .words = words, .threads = threads, .blocks = blocks};
}

int run(int argc, char** argv) {
  int const repeats = static_cast<int>(option(argc, argv, "repeats", 3));
  constexpr BfsForm block = BfsForm::block_a_batch;
  constexpr BfsForm grid = BfsForm::grid_a_batch;
  if (auto const nodes = option(argc, argv, "power-law", 1000000); nodes > 0) {
    Graph const graph = graph_of(generate::power_law(nodes, static_cast<double>(option(argc, argv, "degree", 16))));
    Bench bench(graph, repeats);
    double const of_64 = bench.bit_packed(64, tuned(grid, 1));
    double const products = bench.products(64, 64);
    double const one = bench.one_source(64) / 64;
    double const of_512 = bench.bit_packed(512, tuned(grid, 8));
    bench.bit_packed(512, tuned(grid, 4));
    bench.bit_packed(512, tuned(grid, 1));
    double const many = bench.bit_packed(8192, tuned(grid, 8)) / 8192;
    bench.bit_packed(8192, tuned(block, 8, 512));
    std::printf("  products / bit_packed: of 64 sources %.1f; a source %.1f\n", products / of_64, products / 64 / many);
    std::printf("  one source / bit_packed: of 512 %.1f; a source %.1f\n", one / (of_512 / 512), one / many);
  }
  if (auto const edge = option(argc, argv, "lattice", 300); edge > 0) {
    constexpr double missing = 0.2;
    Graph const graph = graph_of(generate::lattice_with_gaps(edge, missing, 1));
    Bench bench(graph, repeats);
    auto const all = static_cast<std::int64_t>(graph.order.size());
    for (int const words : {8, 4, 2})
      for (int const threads : {256, 512, 1024}) bench.bit_packed(all, tuned(block, words, threads));
    bench.bit_packed(all, tuned(grid, 8));
    bench.bit_packed(all, tuned(grid, 8, 256, 132));
    bench.bit_packed(512, tuned(grid, 8));
    bench.bit_packed(512, tuned(block, 8));
    bench.bit_packed(512, tuned(block, 1));
    bench.one_source(512);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (std::exception const& e) {
    std::printf("%s\n", e.what());
    return 1;
  }
}
