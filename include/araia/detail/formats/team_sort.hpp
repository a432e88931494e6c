// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A stable radix sort inside one Kokkos team: positions 0 .. n - 1 ordered by a key each, equal keys in their old
// order. A thread counts and moves a run of consecutive positions with counters of its own, so there are no atomics and
// the result does not depend on the number of threads; any n fits, as positions lie in memory that the caller brings.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>

#include <araia/detail/assembly/sort_keys.hpp>
#include <araia/detail/formats/team_shape.hpp>

namespace araia::detail {

/// How teams sort: threads, and bits of the key that one pass orders by at most.
struct TeamSortShape {
  int team_size;
  int digit_bits;
  int counted_passes = 1;  // passes whose digits are counted at once
  /// Counters, in bytes: one a thread and digit of the passes counted at once.
  [[nodiscard]] KOKKOS_FUNCTION std::size_t counter_bytes() const {
    return (static_cast<std::size_t>(team_size * counted_passes) << digit_bits) * sizeof(std::uint32_t);
  }
  /// Team scratch that they need.
  [[nodiscard]] std::size_t scratch_bytes() const { return counter_bytes() + 16; }
};

/// A shape for teams that sort about `mean` items each. On a device about 16 items a thread, with 16 counters each; a
/// host's one thread takes as many bits at once as it has items to pay for the counters, up to 2048 of them (8 KiB),
/// and counts the digits of three passes in one.
template <class Exec>
TeamSortShape team_sort_shape(Exec const&, std::int64_t mean) {
  if constexpr (is_device_space<Exec>) {
    int threads = device_warp;
    while (threads < device_block && static_cast<std::int64_t>(threads) * 16 < mean) threads *= 2;
    return {threads, 4};
  } else {
    int bits = 4;
    while (bits < 11 && (std::int64_t{2} << bits) <= mean) ++bits;
    return {1, bits, 3};
  }
}

/// The team's counters, in its scratch.
template <class Team>
KOKKOS_INLINE_FUNCTION std::uint32_t* team_sort_counters(Team const& team, TeamSortShape const& shape) {
  return static_cast<std::uint32_t*>(
      team.team_scratch(0).get_shmem_aligned(shape.counter_bytes(), alignof(std::uint64_t)));
}

/// team_sort by one thread: digits of several passes are counted together, as their counts do not depend on the order.
template <class Key>
KOKKOS_INLINE_FUNCTION void sort_alone(TeamSortShape const& shape, std::uint32_t* counters, std::int64_t n, int passes,
                                       int width, std::uint32_t* out, std::uint32_t* swap, Key const& key) {
  std::int64_t const buckets = std::int64_t{1} << width;
  std::uint64_t const mask = static_cast<std::uint64_t>(buckets - 1);
  for (int first_pass = 0; first_pass < passes; first_pass += shape.counted_passes) {
    int const counted = Kokkos::min(shape.counted_passes, passes - first_pass);
    for (std::int64_t d = 0; d < counted * buckets; ++d) counters[d] = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      std::uint64_t digits = static_cast<std::uint64_t>(key(i)) >> (first_pass * width);
      for (int pass = 0; pass < counted; ++pass, digits >>= width)
        ++counters[pass * buckets + static_cast<std::int64_t>(digits & mask)];
    }
    for (int pass = first_pass; pass < first_pass + counted; ++pass) {
      std::uint32_t* const place = counters + (pass - first_pass) * buckets;
      std::uint32_t sum = 0;
      for (std::int64_t d = 0; d < buckets; ++d) {
        std::uint32_t const count = place[d];
        place[d] = sum;
        sum += count;
      }
      std::uint32_t* const to = (passes - 1 - pass) % 2 == 0 ? out : swap;
      std::uint32_t const* const from = to == out ? swap : out;
      int const shift = pass * width;
      auto const move = [&](std::uint32_t position) {
        to[place[(static_cast<std::uint64_t>(key(position)) >> shift) & mask]++] = position;
      };
      if (pass == 0)
        for (std::int64_t i = 0; i < n; ++i) move(static_cast<std::uint32_t>(i));
      else
        for (std::int64_t i = 0; i < n; ++i) move(from[i]);
    }
  }
}

/// team_sort by the threads of a team: counters of their own, so there are no atomics.
template <class Team, class Key>
KOKKOS_INLINE_FUNCTION void sort_together(Team const& team, TeamSortShape const& shape, std::uint32_t* counters,
                                          std::int64_t n, int passes, int width, std::uint32_t* out,
                                          std::uint32_t* swap, Key const& key) {
  std::int64_t const threads = shape.team_size;
  std::int64_t const thread = team.team_rank();
  std::int64_t const run = (n + threads - 1) / threads;
  std::int64_t const first = Kokkos::min<std::int64_t>(thread * run, n);
  std::int64_t const last = Kokkos::min<std::int64_t>(first + run, n);
  std::int64_t const buckets = std::int64_t{1} << width;
  std::uint64_t const mask = static_cast<std::uint64_t>(buckets - 1);
  for (int pass = 0; pass < passes; ++pass) {
    // The passes alternate between the two arrays so that the last one writes `out`.
    std::uint32_t* const to = (passes - 1 - pass) % 2 == 0 ? out : swap;
    std::uint32_t const* const from = pass == 0 ? nullptr : (to == out ? swap : out);
    int const shift = pass * width;
    for (std::int64_t d = 0; d < buckets; ++d) counters[d * threads + thread] = 0;
    for (std::int64_t i = first; i < last; ++i) {
      std::int64_t const position = from ? static_cast<std::int64_t>(from[i]) : i;
      auto const digit = static_cast<std::int64_t>((static_cast<std::uint64_t>(key(position)) >> shift) & mask);
      ++counters[digit * threads + thread];
    }
    team.team_barrier();  // all counts are made before they are summed
    std::uint32_t sum = 0;
    for (std::int64_t d = 0; d < buckets; ++d) sum += counters[thread * buckets + d];
    std::uint32_t place = team.team_scan(sum);
    for (std::int64_t d = 0; d < buckets; ++d) {
      std::uint32_t const count = counters[thread * buckets + d];
      counters[thread * buckets + d] = place;
      place += count;
    }
    team.team_barrier();  // all places are known before positions move
    for (std::int64_t i = first; i < last; ++i) {
      std::int64_t const position = from ? static_cast<std::int64_t>(from[i]) : i;
      auto const digit = static_cast<std::int64_t>((static_cast<std::uint64_t>(key(position)) >> shift) & mask);
      to[counters[digit * threads + thread]++] = static_cast<std::uint32_t>(position);
    }
    team.team_barrier();  // all positions have moved, and counters may be cleared
  }
}

/// out[0..n): the positions 0 .. n - 1 by ascending key(position), a value of key_bits bits. `swap` holds n as well and
/// is overwritten. All threads of the team must call it; ends with a barrier.
template <class Team, class Key>
KOKKOS_INLINE_FUNCTION void team_sort(Team const& team, TeamSortShape const& shape, std::uint32_t* counters,
                                      std::int64_t n, int key_bits, std::uint32_t* out, std::uint32_t* swap,
                                      Key const& key) {
  int const passes = Kokkos::max(1, (key_bits + shape.digit_bits - 1) / shape.digit_bits);
  int const width = (key_bits + passes - 1) / passes;
  if constexpr (is_device_space<typename Team::execution_space>)
    sort_together(team, shape, counters, n, passes, width, out, swap, key);
  else
    sort_alone(shape, counters, n, passes, width, out, swap, key);
}

}  // namespace araia::detail
