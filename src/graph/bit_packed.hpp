// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The bit-packed search of a space: the one place where kernels that are no templates come in.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <optional>

#include <araia/formats/loops.hpp>
#include <araia/formats/team_shape.hpp>

#include "backends/openmp/bfs/csr_bit_packed/kernel.hpp"
#include "src/graph/search.hpp"

namespace araia::detail {

struct BitPackedRun {
  BfsReport report{};
  int words = 0;  ///< of 64 sources a batch
};

/// Of hosts: a thread a batch.
template <class Exec>
struct BitPackedBfsOf {
  static_assert(shares_loops<Exec>);

  static std::uint64_t least_bytes(ClosenessSearch const& search, ClosenessOptions const& options) {
    return host::bfs_bytes_of_thread(search.graph.nodes, words_of_batch(options, 1, 1), !search.inverse.empty());
  }

  /// None where the limit leaves no room for a thread's bits.
  static std::optional<BitPackedRun> run(Exec const& exec, ClosenessSearch& search, ClosenessOptions const& options,
                                         std::uint64_t limit) {
    exec.fence("araia::closeness: the caller's thread searches");
    std::int64_t const threads = exec.concurrency();
    int words = words_of_batch(options, search.source_count(), threads);
    auto const room = [&] {  // threads whose bits fit
      std::uint64_t const bytes = host::bfs_bytes_of_thread(search.graph.nodes, words, !search.inverse.empty());
      return bytes == 0 ? threads
                        : static_cast<std::int64_t>(std::min<std::uint64_t>(limit / bytes, std::uint64_t(threads)));
    };
    if (options.batch == 0)
      while (words > 1 && room() < threads) words /= 2;
    if (room() == 0) return std::nullopt;
    host::BfsTuning const tuning{.words = words, .threads = static_cast<int>(room()), .isa = host::isa()};
    return BitPackedRun{host::bit_packed_bfs(search.graph.pointers(), search.sources.data(), search.source_count(),
                                             search.sums(), tuning, options.cancel, options.progress),
                        words};
  }
};

}  // namespace araia::detail
