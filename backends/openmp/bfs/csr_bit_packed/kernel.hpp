// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Breadth-first searches from many sources at once on hosts, a bit a source: 64 to 512 searches share every look at an
// edge.
// Mapping  a thread owns a batch of sources with bits of its own for every node, so that threads meet nowhere; batches
//          go to whoever is free. A level pushes from a list of nodes or pulls over all (batch.cpp)
// Traffic  an edge of an active node: two rows of 8 words B changed (push), or one of them read (pull)
// Suits    as many batches as threads. Sources that are near one another share their levels: on lattices and roads a
//          node is then active for some levels only, in place of one for each source.
// Source   [Then2014], with lists of nodes and push beside pull [BeamerAsanovicPatterson2012].

#include <atomic>
#include <cstdint>
#include <functional>

#include "src/kernel/bfs_operands.hpp"

#include "backends/openmp/isa.hpp"

namespace araia::host {

struct BfsTuning {
  int words = 8;    ///< of 64 sources a batch: 1, 2, 4 or 8
  int threads = 1;  ///< at most
  Isa isa = Isa::generic;
};

/// Bytes that each thread takes.
std::uint64_t bfs_bytes_of_thread(std::int64_t nodes, int words, bool inverse);

/// Adds to `sums` what searches from the sources reach.
/// \param sources   (count) all different, in an order that puts those near one another together
/// \param cancel    looked at every level; may be null
/// \param progress  told the share that is done, in the caller's thread, now and then; may be empty, may throw
/// \throws std::bad_alloc
detail::BfsReport bit_packed_bfs(detail::BfsGraph const& graph, std::int32_t const* sources, std::int64_t count,
                                 detail::BfsSums const& sums, BfsTuning const& tuning, std::atomic<bool> const* cancel,
                                 std::function<void(double)> const& progress);

}  // namespace araia::host
