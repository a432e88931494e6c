// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a caller may ask of closeness centrality, and what comes back. No Kokkos here.

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace araia {

/// How the distances are found. All methods give the same bits.
enum class ClosenessMethod {
  automatic,   ///< bit_packed where the space has it and its memory is there, else portable
  bit_packed,  ///< breadth-first searches from up to 512 sources at once, a bit a source
  portable,    ///< the same as a Kokkos team policy a level, on any space
  spmm         ///< products of the adjacency matrix and a dense block of zeros and ones, a column a source
};

struct ClosenessOptions {
  bool undirected = false;      ///< every edge leads both ways
  bool outgoing = false;        ///< distances from a node to others, in place of those to it
  bool wasserman_faust = true;  ///< closeness is scaled by the share of nodes that count, [WassermanFaust1994]
  bool harmonic = false;        ///< the harmonic scores too
  std::int64_t sources = 0;     ///< nodes, drawn at random, that distances are taken from; 0, or as many as there
                                ///< are nodes: all, which is exact
  std::uint64_t seed = 1;       ///< of the draw
  double failure = 0.05;        ///< of sampled sources: probability that some node is beyond an error bound
  ClosenessMethod method = ClosenessMethod::automatic;
  int batch = 0;                   ///< sources that are searched from at once: 64, 128, 256 or 512; 0: what suits
  std::uint64_t memory_limit = 0;  ///< bytes in the space's memory, 0: a host's default limit, or half of
                                   ///< what a device has free
  std::function<void(double share)> progress{};  ///< told the share of the search that is done, in the calling thread;
                                                 ///< 1 at the end of one that was not cancelled
  std::atomic<bool> const* cancel = nullptr;     ///< asked between levels; where it is set the result has no scores
};

/// Scores of nodes, which are the rows of the matrix. d(u, v) is the least number of edges of a path from u to v;
/// nodes without a path do not count. Where the sources are all nodes the scores are exact, else they are estimates.
struct ClosenessResult {
  bool cancelled = false;
  bool exact = true;
  std::int64_t nodes = 0;
  std::int64_t edges = 0;               ///< as they were followed: without self-loops, both ways if undirected
  std::vector<std::int32_t> sources{};  ///< ascending, of sampled ones; empty where all nodes are sources

  std::vector<double> closeness{};  ///< (nodes) r / sum, times r / (nodes - 1) if wasserman_faust, with r = reach and
                                    ///< the sum of the r distances; 0 where r = 0
  std::vector<double> harmonic{};   ///< (nodes) sum of 1 / d, correctly rounded but for two roundings; if asked for
  std::vector<double> reach{};      ///< (nodes) other nodes with a path to the node (outgoing: from it)
  std::vector<std::uint64_t> distance_sum{};  ///< (nodes) over the sources that count, as integers
  std::vector<std::int64_t> reached{};        ///< (nodes) number of the sources that count, the node itself not

  /// Of sampled sources, with probability 1 - failure for all nodes at once, by Hoeffding's inequality as in
  /// [EppsteinWang2004]; 0 where exact:
  double reach_error = 0;     ///< |reach - exact| at most
  double harmonic_error = 0;  ///< |harmonic - exact| at most; 0 unless asked for
  /// The mean distance distance_sum / reached of a node with reached = k is off by mean_distance_error(k) at most.
  [[nodiscard]] double mean_distance_error(std::int64_t k) const;
  double diameter = 0;  ///< of sampled sources: an upper bound of all distances; infinite where none is known, as of
                        ///< directed graphs that are not strongly connected
  double failure = 0;   ///< as asked

  std::string method{};  ///< what ran: "bit_packed", "portable", "spmm"
  int batch = 0;         ///< sources at once
  std::int64_t batches = 0;
  std::int64_t levels = 0;     ///< of all batches
  double prepare_seconds = 0;  ///< edges sorted, sources drawn and put in order, on the host
  double search_seconds = 0;
};

[[nodiscard]] constexpr char const* to_string(ClosenessMethod method) {
  switch (method) {
    case ClosenessMethod::automatic: return "automatic";
    case ClosenessMethod::bit_packed: return "bit_packed";
    case ClosenessMethod::portable: return "portable";
    case ClosenessMethod::spmm: return "spmm";
  }
  return "unknown";
}

}  // namespace araia
