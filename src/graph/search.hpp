// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a search for closeness takes, before and after any space is looked at. No Kokkos here.

#include <cstdint>
#include <vector>

#include <araia/graph/closeness_options.hpp>
#include "src/kernel/bfs_operands.hpp"

#include "src/graph/host_graph.hpp"

namespace araia::detail {

/// Sources of a batch where nobody asks: what a row of the bits takes is a line of cache at most.
inline constexpr int most_sources_of_batch = 512;

struct ClosenessSearch {
  HostGraph graph{};
  std::vector<std::int32_t> sources{};  ///< in the order of the search
  double diameter = 0;                  ///< an upper bound, perhaps infinite
  std::int64_t depth = 0;               ///< levels of a search from some node
  // Sums over the sources, as BfsSums has them.
  std::vector<std::uint64_t> distance{};
  std::vector<std::uint64_t> reached{};
  std::vector<std::uint64_t> inverse{};  ///< empty unless harmonic

  [[nodiscard]] BfsSums sums() {
    return {
        .distance = distance.data(), .reached = reached.data(), .inverse = inverse.empty() ? nullptr : inverse.data()};
  }
  [[nodiscard]] std::int64_t source_count() const { return static_cast<std::int64_t>(sources.size()); }
};

/// Bytes of host memory that rows and search hold together while it runs.
std::uint64_t held_bytes(GraphRows const& rows, ClosenessSearch const& search);

/// \param result  takes what is known of the graph and the sources
ClosenessSearch prepare_closeness(GraphRows const& rows, ClosenessOptions const& options, ClosenessResult& result);

/// The scores, of the sums.
void finish_closeness(ClosenessSearch const& search, ClosenessOptions const& options, ClosenessResult& result);

/// Words of 64 sources of a batch: as asked, else the most that leaves `batches` of them and half of whose bits at
/// least stand for a source.
int words_of_batch(ClosenessOptions const& options, std::int64_t sources, std::int64_t batches);

}  // namespace araia::detail
