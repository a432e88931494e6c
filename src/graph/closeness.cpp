// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/graph/closeness.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include <araia/detail/formats/memory_limit.hpp>

#include "src/graph/bit_packed.hpp"
#include "src/graph/level_searches.hpp"
#include "src/graph/search.hpp"

namespace araia::detail {

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What ran, and how many sources at once.
struct Ran {
  BfsReport report;
  ClosenessMethod method = ClosenessMethod::automatic;
  int batch = 0;
};

template <class Exec>
Ran portable(Exec const& exec, ClosenessSearch& search, ClosenessOptions const& options, std::uint64_t limit) {
  int words = words_of_batch(options, search.source_count(), 1);
  if (options.batch == 0)
    while (words > 1 && portable_bytes<Exec>(search, words) > limit) words /= 2;
  require_memory("araia::closeness: the search", portable_bytes<Exec>(search, words), limit);
  return {portable_search(exec, search, words, options), ClosenessMethod::portable, 64 * words};
}

template <class Exec>
Ran products(Exec const& exec, ClosenessSearch& search, ClosenessOptions const& options, std::uint64_t limit) {
  constexpr int usual_columns = 64;
  int const columns = options.batch != 0 ? options.batch : usual_columns;
  require_memory("araia::closeness: the search", product_bytes<Exec>(search, columns), limit);
  return {product_search(exec, search, columns, options, limit), ClosenessMethod::spmm, columns};
}

/// \param held  bytes of host memory that are taken already, which a host's default limit counts too
template <class Exec>
Ran run(Exec const& exec, ClosenessSearch& search, ClosenessOptions const& options, std::uint64_t held) {
  using Space = typename Exec::memory_space;
  std::uint64_t limit = memory_limit_or_default<Space>(options.memory_limit);
  if (host_reaches<Space> && options.memory_limit == 0) limit -= std::min(limit, held);
  if (options.method == ClosenessMethod::spmm) return products(exec, search, options, limit);
  if (options.method == ClosenessMethod::portable) return portable(exec, search, options, limit);
  if (auto const done = BitPackedBfsOf<Exec>::run(exec, search, options, limit))
    return {done->report, ClosenessMethod::bit_packed, 64 * done->words};
  if (options.method == ClosenessMethod::bit_packed)
    require_memory("araia::closeness: the search", BitPackedBfsOf<Exec>::least_bytes(search, options), limit);
  return portable(exec, search, options, limit);
}

}  // namespace

template <class Exec>
ClosenessResult closeness_of_rows(Exec const& exec, GraphRows const& rows, ClosenessOptions const& options) {
  Kokkos::Profiling::ScopedRegion const region("araia::closeness");
  ClosenessResult result;
  auto const start = std::chrono::steady_clock::now();
  ClosenessSearch search = prepare_closeness(rows, options, result);
  result.prepare_seconds = seconds_since(start);
  auto const searching = std::chrono::steady_clock::now();
  double told = 0;
  ClosenessOptions with_share_told = options;
  if (options.progress)
    with_share_told.progress = [&](double share) {
      told = share;
      options.progress(share);
    };
  Ran const ran = run(exec, search, with_share_told, held_bytes(rows, search));
  result.search_seconds = seconds_since(searching);
  result.method = to_string(ran.method);
  result.batch = ran.batch;
  result.batches = ran.report.batches;
  result.levels = ran.report.levels;
  result.cancelled = ran.report.cancelled;
  // The last batches may have ended after the last look at them.
  if (options.progress && !result.cancelled && told < 1) options.progress(1);
  if (!result.cancelled) finish_closeness(search, options, result);
  return result;
}

[[gnu::used]] static void write_out_closeness() {
  for_types<Spaces>([&]<class Exec>() { write_out(closeness_of_rows<Exec>); });
}

}  // namespace araia::detail
