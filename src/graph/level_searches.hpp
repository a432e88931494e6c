// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Searches of a level a time on any space: bit-packed, and as products with a block of columns. The host waits for each
// level to learn whether it reached anyone.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/detail/formats/team_shape.hpp>
#include <araia/formats/csr.hpp>
#include <araia/plan/plan.hpp>
#include "backends/portable/bfs/csr_bit_packed/kernel_impl.hpp"

#include "src/graph/arrays.hpp"
#include "src/graph/search.hpp"

namespace araia::detail {

/// A search of a level a time.
template <class Exec>
class LevelSearch {
 public:
  LevelSearch(Exec const& exec, ClosenessSearch& search)
      : exec_(exec),
        search_(search),
        arrays_(exec, search, false),
        any_(new_array<int, typename Exec::device_type>(exec, "araia::closeness::any", 1)) {}

  [[nodiscard]] BfsGraph const& graph() const { return arrays_.graph(); }
  [[nodiscard]] BfsSums const& sums() const { return arrays_.sums(); }

  /// start(sources, count), then step(level, any) until nobody is reached, then finish(), for every batch of sources.
  template <class Start, class Step, class Finish>
  BfsReport run(int in_batch, ClosenessOptions const& options, Start const& start, Step const& step,
                Finish const& finish) {
    BfsReport report;
    std::int64_t const count = search_.source_count();
    for (std::int64_t first = 0; first < count; first += in_batch) {
      auto const sources = static_cast<int>(std::min<std::int64_t>(in_batch, count - first));
      start(search_.sources.data() + first, sources);
      for (std::uint32_t level = 1;; ++level) {
        if (options.cancel != nullptr && options.cancel->load(std::memory_order_relaxed)) {
          exec_.fence("araia::closeness: cancelled");
          report.cancelled = true;
          return report;
        }
        fill_array(exec_, any_.data(), 1, 0);
        step(level, any_.data());
        if (value_at(exec_, "araia::closeness: has the level reached anyone", any_.data()) == 0) break;
        ++report.levels;
      }
      finish();
      ++report.batches;
      if (options.progress) options.progress(static_cast<double>(first + sources) / static_cast<double>(count));
    }
    arrays_.take_sums();
    return report;
  }

 private:
  Exec exec_;
  ClosenessSearch& search_;
  GraphOnDevice<Exec> arrays_;
  GraphArray<int, Exec> any_;
};

/// Sets the bits of a batch's sources in rows of zeros. \param from  (count) the sources, in exec's memory
template <class Exec>
static void mark_sources(Exec const& exec, BfsBits const& bits, std::uint64_t* frontier, std::int32_t const* from,
                         int count) {
  for_each_index(
      "araia::closeness::sources", IndexRange<Exec>(exec, 0, count), KOKKOS_LAMBDA(std::int64_t s) {
        std::int64_t const place = static_cast<std::int64_t>(from[s]) * bits.words + s / 64;
        std::uint64_t const bit = std::uint64_t{1} << (s % 64);
        Kokkos::atomic_or(bits.seen + place, bit);
        Kokkos::atomic_or(frontier + place, bit);
      });
}

/// Adds what each node has seen to its sum.
template <class Exec>
static void count_seen(Exec const& exec, BfsBits const& bits, BfsGraph const& graph, BfsSums const& sums) {
  for_each_index(
      "araia::closeness::reached", IndexRange<Exec>(exec, 0, graph.nodes), KOKKOS_LAMBDA(std::int64_t v) {
        std::uint64_t count = 0;
        for (int w = 0; w < bits.words; ++w)
          count += static_cast<std::uint64_t>(Kokkos::popcount(bits.seen[v * bits.words + w]));
        sums.reached[v] += count;
      });
}

/// Of what every search of a level a time takes: the graph, the sums, the sources and a flag, each padded to 8 B.
template <class Exec>
static std::uint64_t level_bytes(ClosenessSearch const& search) {
  return GraphOnDevice<Exec>::bytes(search) + search.sources.size() * sizeof(std::int32_t) + 2 * sizeof(std::uint64_t);
}

template <class Exec>
static std::uint64_t portable_bytes(ClosenessSearch const& search, int words) {
  std::uint64_t const row = sizeof(std::uint64_t) * static_cast<std::uint64_t>(words);
  return level_bytes<Exec>(search) + row + saturating_product(static_cast<std::uint64_t>(search.graph.nodes), 3 * row);
}

template <class Exec>
static BfsReport portable_search(Exec const& exec, ClosenessSearch& search, int words,
                                 ClosenessOptions const& options) {
  using Device = typename Exec::device_type;
  LevelSearch<Exec> levels(exec, search);
  BfsGraph const& graph = levels.graph();
  std::int64_t const elements = graph.nodes * std::int64_t{words};
  auto const all = new_array<std::uint64_t, Device>(exec, "araia::closeness::all", words);
  auto const seen = new_array<std::uint64_t, Device>(exec, "araia::closeness::seen", elements);
  auto const frontiers = new_array<std::uint64_t, Device>(exec, "araia::closeness::frontiers", 2 * elements);
  auto const from = array_from_host(exec, "araia::closeness::sources", search.sources.data(), search.source_count());
  TeamShape const shape = row_team_shape(exec, graph.nodes, 0, 0, words);
  BfsLevelTuning const tuning{
      .team_size = shape.team_size, .vector_length = shape.vector_length, .nodes_per_team = shape.rows_per_team};
  BfsBits bits{.words = words, .all = all.data(), .seen = seen.data(), .frontier = nullptr, .next = nullptr};
  std::uint64_t* frontier = frontiers.data();
  std::uint64_t* next = frontiers.data() + elements;
  auto const start = [&](std::int32_t const* sources, int count) {
    std::uint64_t* const to = all.data();
    int const of_batch = count;
    for_each_index(
        "araia::closeness::all", IndexRange<Exec>(exec, 0, words), KOKKOS_LAMBDA(std::int64_t w) {
          std::int64_t const rest = of_batch - 64 * w;
          to[w] = rest >= 64 ? ~std::uint64_t{0} : rest <= 0 ? 0 : (std::uint64_t{1} << rest) - 1;
        });
    fill_array(exec, seen, 0);
    fill_array(exec, frontier, elements, 0);
    mark_sources(exec, bits, frontier, from.data() + (sources - search.sources.data()), count);
  };
  auto const step = [&](std::uint32_t level, int* any) {
    bits.frontier = frontier;
    bits.next = next;
    bfs_level_bit_packed(exec, tuning, graph, bits, level, levels.sums(), any);
    std::swap(frontier, next);
  };
  return levels.run(64 * words, options, start, step, [&] { count_seen(exec, bits, graph, levels.sums()); });
}

/// Zeros and ones of the products. Their sums are numbers of edges: never below one where there is one.
using ProductScalar = std::conditional_t<has_all_types, float, double>;

/// Of the adjacency matrix, which has no values.
static std::uint64_t adjacency_bytes(ClosenessSearch const& search) {
  auto const nodes = static_cast<std::uint64_t>(search.graph.nodes);
  auto const edges = static_cast<std::uint64_t>(search.graph.pointers().edges);
  return (edges + nodes + 1) * sizeof(std::int32_t) + sizeof(std::uint64_t);  // two arrays, padded to 8 B
}

/// All but what the plan makes of the adjacency matrix.
template <class Exec>
static std::uint64_t product_bytes_beside_plan(ClosenessSearch const& search, int columns) {
  return level_bytes<Exec>(search) + adjacency_bytes(search) +
         saturating_product(static_cast<std::uint64_t>(search.graph.nodes),
                            (2 * sizeof(ProductScalar) + 1) * static_cast<std::uint64_t>(columns));
}

/// With room for a plan of the matrix's own size.
template <class Exec>
static std::uint64_t product_bytes(ClosenessSearch const& search, int columns) {
  return product_bytes_beside_plan<Exec>(search, columns) + adjacency_bytes(search);
}

/// Ones for the sources, in rows of zeros.
template <class Exec, class Block, class Seen>
static void mark_columns(Exec const& exec, Block const& frontier, Seen const& seen, std::int32_t const* from,
                         int count) {
  std::int64_t const columns = static_cast<std::int64_t>(frontier.extent(1));
  for_each_index(
      "araia::closeness::sources", IndexRange<Exec>(exec, 0, count), KOKKOS_LAMBDA(std::int64_t s) {
        frontier(from[s], s) = 1;
        seen(from[s] * columns + s) = 1;
      });
}

/// The frontier becomes what the product reached and had not been seen.
template <class Exec, class Block, class Seen>
static void mask_columns(Exec const& exec, Block const& reached, Block const& frontier, Seen const& seen,
                         std::uint32_t level, BfsSums const& sums, int* any) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  using Member = typename Policy::member_type;
  auto const nodes = static_cast<std::int64_t>(frontier.extent(0));
  int const columns = static_cast<int>(frontier.extent(1));
  BfsWide const inverse = bfs_inverse(level);
  TeamShape const shape = row_team_shape(exec, nodes, 0, 0, device_warp);
  std::int64_t const per_team = shape.rows_per_team;
  Policy const policy(exec, league_size(nodes, per_team), shape.team_size, shape.vector_length);
  for_each_team(
      "araia::closeness::mask", policy, KOKKOS_LAMBDA(Member const& team) {
        std::int64_t const first = team.league_rank() * per_team;
        std::int64_t const last = Kokkos::min<std::int64_t>(first + per_team, nodes);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t v) {
          std::uint32_t count = 0;
          Kokkos::parallel_reduce(
              Kokkos::ThreadVectorRange(team, columns),
              [&](int s, std::uint32_t& sum) {
                bool const fresh = reached(v, s) != 0 && seen(v * columns + s) == 0;
                frontier(v, s) = fresh ? 1 : 0;
                if (!fresh) return;
                seen(v * columns + s) = 1;
                ++sum;
              },
              count);
          if (count == 0) return;
          Kokkos::single(Kokkos::PerThread(team), [&] {
            sums.distance[v] += static_cast<std::uint64_t>(level) * count;
            sums.reached[v] += count;
            if (sums.inverse != nullptr) bfs_add(sums.inverse + 2 * v, bfs_times(inverse, count));
            Kokkos::atomic_store(any, 1);
          });
        });
      });
}

/// A node is a source of its own at distance 0.
template <class Exec>
static void count_sources(Exec const& exec, std::int32_t const* from, int count, BfsSums const& sums) {
  for_each_index(
      "araia::closeness::reached", IndexRange<Exec>(exec, 0, count),
      KOKKOS_LAMBDA(std::int64_t s) { sums.reached[from[s]] += 1; });
}

/// \param limit  product_bytes at least
template <class Exec>
static BfsReport product_search(Exec const& exec, ClosenessSearch& search, int columns, ClosenessOptions const& options,
                                std::uint64_t limit) {
  using Device = typename Exec::device_type;
  using Block = Kokkos::View<ProductScalar**, Kokkos::LayoutRight, Device>;
  BfsGraph const graph = search.graph.pointers();
  require_fits<std::int32_t>("araia::closeness: number of edges of a product", graph.edges);
  LevelSearch<Exec> levels(exec, search);
  Csr<ProductScalar, std::int32_t, std::int32_t, Device> adjacency{
      .rows = graph.nodes, .cols = graph.nodes, .nnz = graph.edges};
  {
    std::vector<std::int32_t> const narrow(graph.in_offsets, graph.in_offsets + graph.nodes + 1);
    adjacency.row_offsets =
        array_from_host(exec, "araia::closeness::row_offsets", narrow.data(), static_cast<std::int64_t>(narrow.size()));
  }
  adjacency.col_indices = array_from_host(exec, "araia::closeness::col_indices", graph.in_nodes, graph.edges);
  PlanOptions of_plan{.validate = false};
  of_plan.memory_limit = limit - product_bytes_beside_plan<Exec>(search, columns);
  auto const plan = make_plan(exec, SpmmDesc{.columns = columns}, adjacency, of_plan);
  auto const frontier = new_view<Block>(exec, "araia::closeness::frontier", graph.nodes, columns);
  auto const reached = new_view<Block>(exec, "araia::closeness::reached", graph.nodes, columns);
  auto const seen =
      new_array<unsigned char, Device>(exec, "araia::closeness::seen", graph.nodes * std::int64_t{columns});
  auto const from = array_from_host(exec, "araia::closeness::sources", search.sources.data(), search.source_count());
  auto const start = [&](std::int32_t const* sources, int count) {
    fill_array(exec, frontier, 0);
    fill_array(exec, seen, 0);
    std::int32_t const* const on_exec = from.data() + (sources - search.sources.data());
    mark_columns(exec, frontier, seen, on_exec, count);
    count_sources(exec, on_exec, count, levels.sums());
  };
  auto const step = [&](std::uint32_t level, int* any) {
    plan.execute(exec, 1, frontier, 0, reached);
    mask_columns(exec, reached, frontier, seen, level, levels.sums(), any);
  };
  return levels.run(columns, options, start, step, [] {});
}

}  // namespace araia::detail
