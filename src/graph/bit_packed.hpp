// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The bit-packed search of a space: the one place where kernels that are no templates come in.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <optional>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/team_shape.hpp>

#include "backends/openmp/bfs/csr_bit_packed/kernel.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "backends/cuda/bfs/csr_bit_packed/kernel.hpp"
#include "src/graph/arrays.hpp"
#endif
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

#ifdef KOKKOS_ENABLE_CUDA
/// A block of threads a batch, or the grid.
template <>
struct BitPackedBfsOf<Kokkos::Cuda> {
  static cuda::BfsTuning tuning_of(ClosenessSearch const& search, int words) {
    std::int64_t const batches = (search.source_count() + 64 * words - 1) / (64 * words);
    return {.form = cuda::bfs_form(search.depth, batches), .words = words, .threads = 0, .blocks = 0};
  }

  /// Of the graph, the sources, the sums and the least workspace.
  static std::uint64_t bytes(ClosenessSearch const& search, int words) {
    auto const nodes = static_cast<std::uint64_t>(search.graph.nodes);
    auto const edges = static_cast<std::uint64_t>(search.graph.pointers().edges);
    std::uint64_t const copies = search.graph.symmetric() ? 1 : 2;
    constexpr std::uint64_t padding = 3 * sizeof(std::uint64_t);  // of each array to 8 B
    return padding + copies * (edges * sizeof(std::int32_t) + (nodes + 1) * sizeof(std::int64_t)) +
           static_cast<std::uint64_t>(search.source_count()) * sizeof(std::int32_t) +
           nodes * (search.inverse.empty() ? 2 : 4) * sizeof(std::uint64_t) +
           cuda::bfs_workspace(search.graph.nodes, search.source_count(), tuning_of(search, words)).least;
  }

  static std::uint64_t least_bytes(ClosenessSearch const& search, ClosenessOptions const& options) {
    return bytes(search, words_of_batch(options, 1, 1));
  }

  static std::optional<BitPackedRun> run(Kokkos::Cuda const& exec, ClosenessSearch& search,
                                         ClosenessOptions const& options, std::uint64_t limit) {
    int words = words_of_batch(options, search.source_count(), 1);
    if (options.batch == 0)
      while (words > 1 && bytes(search, words) > limit) words /= 2;
    if (bytes(search, words) > limit) return std::nullopt;
    cuda::BfsTuning const tuning = tuning_of(search, words);
    GraphOnDevice<Kokkos::Cuda> const there(exec, search, true);
    auto const from = array_from_host(exec, "araia::closeness::sources", search.sources.data(), search.source_count());
    auto const room = cuda::bfs_workspace(search.graph.nodes, search.source_count(), tuning);
    std::uint64_t const beside = bytes(search, words) - room.least;
    std::uint64_t const workspace_bytes = std::min(room.best, limit - beside);
    auto const workspace = new_array<unsigned char, Kokkos::Cuda::device_type>(
        exec, "araia::closeness::workspace", static_cast<std::int64_t>(workspace_bytes));
    BfsReport const report =
        cuda::bit_packed_bfs(exec.cuda_stream(), there.graph(), from.data(), search.source_count(), there.sums(),
                             tuning, workspace.data(), workspace_bytes, options.cancel, options.progress);
    there.take_sums();
    return BitPackedRun{report, words};
  }
};
#endif

}  // namespace araia::detail
