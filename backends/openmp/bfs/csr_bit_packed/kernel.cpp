// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/openmp/bfs/csr_bit_packed/kernel.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <araia/detail/formats/first_failure.hpp>

#include "backends/openmp/bfs/csr_bit_packed/batch.hpp"
#include "backends/openmp/thread_chunks.hpp"
#include "backends/openmp/with_isa.hpp"

namespace araia::host {

namespace {

constexpr std::size_t line_words = 8;  // of a line of cache

/// What a thread takes: bits, lists, and sums of its own.
class ThreadState {
 public:
  ThreadState(std::size_t nodes, std::size_t words, bool inverse)
      : bits_(3 * nodes * words + line_words),
        lists_(2 * nodes),
        distance_(nodes),
        reached_(nodes),
        inverse_(inverse ? 2 * nodes : 0) {
    auto const address = reinterpret_cast<std::uintptr_t>(bits_.data());
    std::uint64_t* const first = bits_.data() + (64 - address % 64) % 64 / sizeof(std::uint64_t);
    state = {.seen = first,
             .frontier = first + nodes * words,
             .next = first + 2 * nodes * words,
             .active = lists_.data(),
             .reached = lists_.data() + nodes};
    sums = {.distance = distance_.data(), .reached = reached_.data(), .inverse = inverse ? inverse_.data() : nullptr};
  }
  BfsState state;
  detail::BfsSums sums;

 private:
  std::vector<std::uint64_t> bits_;
  std::vector<std::int32_t> lists_;
  std::vector<std::uint64_t> distance_;
  std::vector<std::uint64_t> reached_;
  std::vector<std::uint64_t> inverse_;
};

std::int32_t batch_by_isa(Isa isa, BfsBatch const& batch, BfsState const& state) {
  return with_isa(isa, [&]<Isa level>() { return bfs_batch<level>(batch, state); });
}

void add(detail::BfsSums const& to, detail::BfsSums const& from, std::int32_t nodes) {
  for (std::int32_t v = 0; v < nodes; ++v) {
    to.distance[v] += from.distance[v];
    to.reached[v] += from.reached[v];
    if (to.inverse == nullptr) continue;
    auto const place = 2 * static_cast<std::ptrdiff_t>(v);
    detail::bfs_add(to.inverse + place, {from.inverse[place], from.inverse[place + 1]});
  }
}

}  // namespace

std::uint64_t bfs_bytes_of_thread(std::int64_t nodes, int words, bool inverse) {
  return static_cast<std::uint64_t>(nodes) * (3 * sizeof(std::uint64_t) * static_cast<std::uint64_t>(words) +
                                              2 * sizeof(std::int32_t) + (inverse ? 4 : 2) * sizeof(std::uint64_t));
}

detail::BfsReport bit_packed_bfs(detail::BfsGraph const& graph, std::int32_t const* sources, std::int64_t count,
                                 detail::BfsSums const& sums, BfsTuning const& tuning, std::atomic<bool> const* cancel,
                                 std::function<void(double)> const& progress) {
  std::int64_t const in_batch = 64 * tuning.words;
  std::int64_t const batches = (count + in_batch - 1) / in_batch;
  detail::BfsReport report;
  if (batches == 0) return report;
  int const threads = static_cast<int>(std::min<std::int64_t>(batches, std::max(tuning.threads, 1)));
  std::vector<ThreadState> states;
  states.reserve(static_cast<std::size_t>(threads));
  for (int t = 0; t < threads; ++t)
    states.emplace_back(static_cast<std::size_t>(graph.nodes), static_cast<std::size_t>(tuning.words),
                        sums.inverse != nullptr);
  std::atomic<std::int64_t> next{0};
  std::atomic<std::int64_t> done{0};
  std::atomic<std::int64_t> levels{0};
  std::atomic<bool> stopped{false};
  detail::FirstFailure failure;
  in_chunks(threads, [&](int thread, int) {
    failure.guard([&] {
      ThreadState const& own = states[static_cast<std::size_t>(thread)];
      while (!stopped.load(std::memory_order_relaxed)) {
        std::int64_t const batch = next.fetch_add(1, std::memory_order_relaxed);
        if (batch >= batches) return;
        std::int64_t const first = batch * in_batch;
        BfsBatch const work{.graph = graph,
                            .sums = own.sums,
                            .sources = sources + first,
                            .count = static_cast<int>(std::min(in_batch, count - first)),
                            .words = tuning.words,
                            .cancel = cancel};
        std::int32_t const deep = batch_by_isa(tuning.isa, work, own.state);
        if (deep < 0) {
          stopped.store(true, std::memory_order_relaxed);
          return;
        }
        levels.fetch_add(deep, std::memory_order_relaxed);
        std::int64_t const so_far = done.fetch_add(1, std::memory_order_relaxed) + 1;
        if (thread == 0 && progress) try {
            progress(static_cast<double>(so_far) / static_cast<double>(batches));
          } catch (...) {
            stopped.store(true, std::memory_order_relaxed);
            throw;
          }
      }
    });
  });
  failure.rethrow();
  report.cancelled = stopped.load();
  report.batches = done.load();
  report.levels = levels.load();
  if (!report.cancelled)
    for (ThreadState const& own : states) add(sums, own.sums, graph.nodes);
  return report;
}

}  // namespace araia::host
