// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/graph/search.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/io/memory_limit.hpp>
#include <araia/error.hpp>

namespace araia {

namespace {

/// How far, of a range of 1, a mean over `samples` of the `nodes` sums' samples may be off in any of them.
double hoeffding(double nodes, double samples, double failure) {
  return samples > 0 ? std::sqrt(std::log(2 * nodes / failure) / (2 * samples))
                     : std::numeric_limits<double>::infinity();
}

/// What shares the probability of a failure: reach, mean distance, and the harmonic score where it is asked for.
constexpr int kinds_of_bounds(bool harmonic) { return harmonic ? 3 : 2; }

/// The most host memory that is held at once, but for the matrix and, on hosts, for the search's own bits.
std::uint64_t host_bytes(std::int64_t rows, std::int64_t entries, ClosenessOptions const& options) {
  auto const nodes = static_cast<std::uint64_t>(rows);
  auto const edges = static_cast<std::uint64_t>(std::max<std::int64_t>(entries, 0));
  std::uint64_t const drawn = std::min(static_cast<std::uint64_t>(options.sources), nodes);
  constexpr std::uint64_t offset = sizeof(std::int64_t);
  constexpr std::uint64_t node = sizeof(std::int32_t);
  constexpr std::uint64_t sum = sizeof(std::uint64_t);
  constexpr std::uint64_t beyond_all = std::numeric_limits<std::uint64_t>::max() / 2;  // what nodes take can be added
  auto const bytes_of_edges = [&](std::uint64_t copies) {
    return std::min(detail::saturating_product(edges, copies * node), beyond_all);
  };
  // Edges as they are given, by where they lead and by where they begin, and places or the offsets of both joined.
  // Joined ones are up to two an edge, and copied beside the edges that they replace.
  std::uint64_t const making = 4 * offset * (nodes + 1) + bytes_of_edges(options.undirected ? 6 : 3);
  // The same without the last; sources in order; sums, then the scores, which both hold the distances.
  std::uint64_t const graph = 3 * offset * (nodes + 1) + bytes_of_edges(3);
  std::uint64_t const sums = (options.harmonic ? 4 : 2) * sum;
  std::uint64_t const scores = (options.harmonic ? 5 : 4) * sum + sizeof(char);
  return std::max(making, graph + nodes * (node + sums + scores) + drawn * node);
}

}  // namespace

double ClosenessResult::mean_distance_error(std::int64_t k) const {
  if (exact) return 0;
  double const each = failure / kinds_of_bounds(!harmonic.empty());
  return diameter * std::min(1.0, hoeffding(static_cast<double>(nodes), static_cast<double>(k), each));
}

namespace detail {

void require_closeness(std::int64_t rows, std::int64_t cols, std::int64_t entries, ClosenessOptions const& options) {
  auto const refuse = [](std::string const& what, std::string const& got, std::string const& expected) {
    throw Error(ErrorKind::invalid_argument, "araia::closeness: " + what + " is " + got + ", expected " + expected);
  };
  if (rows != cols)
    throw Error(ErrorKind::dimension_mismatch, "araia::closeness: A is " + std::to_string(rows) + " x " +
                                                   std::to_string(cols) + ", expected a square matrix");
  require_fits<std::int32_t>("araia::closeness: number of nodes", rows);
  if (options.sources < 0) refuse("sources", std::to_string(options.sources), "at least 0");
  int const batch = options.batch;
  if (batch != 0 && batch != 64 && batch != 128 && batch != 256 && batch != most_sources_of_batch)
    refuse("batch", std::to_string(batch), "0, 64, 128, 256 or 512");
  if (!(options.failure > 0 && options.failure < 1))
    refuse("failure", std::to_string(options.failure), "more than 0 and less than 1");
  require_memory("araia::closeness: the graph and its scores", host_bytes(rows, entries, options),
                 default_host_memory_limit());
}

int words_of_batch(ClosenessOptions const& options, std::int64_t sources, std::int64_t batches) {
  if (options.batch != 0) return options.batch / 64;
  int words = most_sources_of_batch / 64;
  std::int64_t const others = std::max<std::int64_t>(batches - 1, 0);
  while (words > 1 && (sources <= others * 64 * words || sources <= 32 * words)) words /= 2;
  return words;
}

std::uint64_t held_bytes(GraphRows const& rows, ClosenessSearch const& search) {
  auto const bytes = [](auto const&... arrays) {
    return (std::uint64_t{0} + ... + static_cast<std::uint64_t>(arrays.capacity() * sizeof(arrays[0])));
  };
  HostGraph const& graph = search.graph;
  return bytes(rows.offsets, rows.heads, graph.out_offsets, graph.out_nodes, graph.in_offsets, graph.in_nodes,
               search.sources, search.distance, search.reached, search.inverse);
}

ClosenessSearch prepare_closeness(GraphRows const& rows, ClosenessOptions const& options, ClosenessResult& result) {
  ClosenessSearch search;
  // Along its edges a search from every source gives each node the distances to it, which is what is wanted.
  search.graph = make_graph(rows, options.undirected, options.outgoing);
  result.nodes = rows.nodes;
  result.edges = search.graph.pointers().edges;
  result.exact = options.sources == 0 || options.sources >= rows.nodes;
  search.sources = order_in_balls(search.graph, most_sources_of_batch);
  GraphDepth const depth = depth_of(search.graph);
  search.diameter = depth.diameter;
  search.depth = depth.levels;
  if (!result.exact) {
    result.sources = draw_nodes(search.graph.nodes, options.sources, options.seed);
    std::erase_if(search.sources, [&](std::int32_t node) {
      return !std::binary_search(result.sources.begin(), result.sources.end(), node);
    });
    result.diameter = search.diameter;
    result.failure = options.failure;
  }
  auto const nodes = static_cast<std::size_t>(rows.nodes);
  search.distance.assign(nodes, 0);
  search.reached.assign(nodes, 0);
  if (options.harmonic) search.inverse.assign(2 * nodes, 0);
  return search;
}

void finish_closeness(ClosenessSearch const& search, ClosenessOptions const& options, ClosenessResult& result) {
  auto const nodes = static_cast<std::size_t>(result.nodes);
  auto const others = static_cast<double>(std::max<std::int64_t>(result.nodes - 1, 1));
  std::vector<char> is_source(nodes, result.exact ? 1 : 0);
  for (std::int32_t const source : result.sources) is_source[static_cast<std::size_t>(source)] = 1;
  result.distance_sum = search.distance;
  result.reached.resize(nodes);
  result.reach.resize(nodes);
  result.closeness.resize(nodes);
  if (options.harmonic) result.harmonic.resize(nodes);
  for (std::size_t v = 0; v < nodes; ++v) {
    std::int64_t const counted = static_cast<std::int64_t>(search.reached[v]) - is_source[v];
    // Sources other than the node itself: each stands for so many others.
    auto const asked = static_cast<double>(std::max<std::int64_t>(search.source_count() - is_source[v], 1));
    auto const r = static_cast<double>(counted);
    result.reached[v] = counted;
    result.reach[v] = result.exact ? r : others * (r / asked);
    if (counted > 0) {
      double const inverse_mean = r / static_cast<double>(search.distance[v]);
      // Without the factor too: of all r others the sum of distances is to r as that of the sources is to their number.
      result.closeness[v] = options.wasserman_faust ? inverse_mean * (r / asked) : inverse_mean;
    }
    if (options.harmonic) {
      double const sum = std::ldexp(static_cast<double>(search.inverse[2 * v + 1]), -32) +
                         std::ldexp(static_cast<double>(search.inverse[2 * v]), -96);
      result.harmonic[v] = result.exact ? sum : others * (sum / asked);
    }
  }
  if (result.exact) return;
  // A source leaves itself out. Each kind of bound takes an equal part of the probability.
  auto const samples = static_cast<double>(search.source_count() - 1);
  double const each = options.failure / kinds_of_bounds(options.harmonic);
  double const share = std::min(1.0, hoeffding(static_cast<double>(result.nodes), samples, each));
  result.reach_error = others * share;
  if (options.harmonic) result.harmonic_error = others * share;
}

}  // namespace detail
}  // namespace araia
