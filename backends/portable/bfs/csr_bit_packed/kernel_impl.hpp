// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A level of breadth-first searches from many sources, a bit a source; a thread owns a node and pulls.
// Mapping  league: ceil(nodes / nodes_per_team) | threads: nodes of the team | lanes: words of 64 sources
// Traffic  an edge to a node that lacks a bit: 4 B and a row of words; a node: a row, and three more and 32 B of sums
//          where it is reached. Scratch: none. Atomics: one a node that is reached, on one flag
// Suits    graphs of few levels, any number of sources; levels that reach few nodes read all others too.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/team_shape.hpp>
#include "src/kernel/bfs_operands.hpp"

namespace araia::detail {

/// Bits of a search: (nodes, words) each, row after row.
struct BfsBits {
  int words = 1;                       // of 64 sources
  std::uint64_t const* all = nullptr;  // (words) a bit a source of the batch
  std::uint64_t* seen = nullptr;
  std::uint64_t const* frontier = nullptr;
  std::uint64_t* next = nullptr;
};

struct BfsLevelTuning {
  int team_size = 1;
  int vector_length = 1;
  std::int64_t nodes_per_team = 256;
};

/// next = the bits that come over an edge and are not seen yet; seen and the sums take them in.
/// \param any  set to 1 where a bit is new
template <class Exec>
static void bfs_level_bit_packed(Exec const& exec, BfsLevelTuning const& tuning, BfsGraph const& graph,
                                 BfsBits const& bits, std::uint32_t level, BfsSums const& sums, int* any) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  using Member = typename Policy::member_type;
  BfsWide const inverse = bfs_inverse(level);
  std::int64_t const nodes_per_team = tuning.nodes_per_team;
  Policy const policy(exec, league_size(graph.nodes, nodes_per_team), tuning.team_size, tuning.vector_length);
  for_each_team(
      "araia::closeness::portable", policy, KOKKOS_LAMBDA(Member const& team) {
        std::int64_t const first = team.league_rank() * nodes_per_team;
        std::int64_t const last = Kokkos::min<std::int64_t>(first + nodes_per_team, graph.nodes);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t v) {
          std::int64_t const begin = graph.in_offsets[v];
          std::int64_t const end = graph.in_offsets[v + 1];
          std::uint32_t count = 0;
          Kokkos::parallel_reduce(
              Kokkos::ThreadVectorRange(team, bits.words),
              [&](int w, std::uint32_t& sum) {
                std::int64_t const place = v * bits.words + w;
                std::uint64_t const lacking = bits.all[w] & ~bits.seen[place];
                std::uint64_t fresh = 0;
                if (lacking != 0)
                  for (std::int64_t e = begin; e < end && fresh != lacking; ++e)
                    fresh |= bits.frontier[static_cast<std::int64_t>(graph.in_nodes[e]) * bits.words + w] & lacking;
                bits.next[place] = fresh;
                if (fresh == 0) return;
                bits.seen[place] |= fresh;
                sum += static_cast<std::uint32_t>(Kokkos::popcount(fresh));
              },
              count);
          if (count == 0) return;
          Kokkos::single(Kokkos::PerThread(team), [&] {
            sums.distance[v] += static_cast<std::uint64_t>(level) * count;
            if (sums.inverse != nullptr) bfs_add(sums.inverse + 2 * v, bfs_times(inverse, count));
            Kokkos::atomic_store(any, 1);
          });
        });
      });
}

}  // namespace araia::detail
