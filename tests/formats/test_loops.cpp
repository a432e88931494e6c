// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over indices: every index once, results as one thread finds them, whatever the range and its schedule.

#include <algorithm>
#include <araia/detail/formats/loops.hpp>
#include <vector>

#include "support/types.hpp"

#include <gtest/gtest.h>

namespace araia::test {

namespace {

constexpr std::int64_t lowest_index = -1;  // some loops of conversions begin before their arrays

/// A number to add, negative ones among them, whose sums no two prefixes share by accident.
KOKKOS_INLINE_FUNCTION std::int64_t weight(std::int64_t i) { return (i * 7919) % 1009 - 300; }

template <class Exec>
using Numbers = Kokkos::View<std::int64_t*, typename Exec::memory_space>;

template <class Exec>
std::vector<std::int64_t> on_host(Numbers<Exec> const& numbers) {
  auto const copy = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, numbers);
  return {copy.data(), copy.data() + copy.extent(0)};
}

template <class Range>
void expect_every_index_once(Range const& range, std::int64_t begin, std::int64_t end) {
  using Exec = typename Range::execution_space;
  Numbers<Exec> const seen("seen", static_cast<std::size_t>(end - lowest_index + 1));
  detail::for_each_index(
      "test::loops::seen", range, KOKKOS_LAMBDA(std::int64_t i) { Kokkos::atomic_inc(&seen(i - lowest_index)); });
  range.space().fence();
  auto const counts = on_host<Exec>(seen);
  for (std::int64_t i = lowest_index; i <= end; ++i)
    ASSERT_EQ(counts[static_cast<std::size_t>(i - lowest_index)], i >= begin && i < end) << i << " of " << end;
}

template <class Range>
void expect_sum_and_largest(Range const& range, std::int64_t begin, std::int64_t end) {
  std::int64_t sum = 0;
  std::int64_t largest = Kokkos::reduction_identity<std::int64_t>::max();
  for (std::int64_t i = begin; i < end; ++i) {
    sum += weight(i);
    largest = std::max(largest, weight(i));
  }
  std::int64_t got_sum = 12345;  // what was there before does not count
  detail::reduce_indices(
      "test::loops::sum", range, KOKKOS_LAMBDA(std::int64_t i, std::int64_t & part) { part += weight(i); }, got_sum);
  EXPECT_EQ(got_sum, sum) << end;
  std::int64_t got_largest = 12345;
  detail::reduce_indices(
      "test::loops::largest", range,
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & part) { part = Kokkos::max(part, weight(i)); },
      Kokkos::Max<std::int64_t>(got_largest));
  EXPECT_EQ(got_largest, largest) << end;
}

template <class Exec>
void expect_every_team_once(Exec const& exec, int teams, int team_size) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  Numbers<Exec> const seen("seen", static_cast<std::size_t>(teams));
  detail::for_each_team(
      "test::loops::teams", Policy(exec, teams, team_size), KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        Kokkos::atomic_add(&seen(team.league_rank()), 1 + 100 * static_cast<std::int64_t>(team.team_size()));
      });
  exec.fence();
  std::int64_t const each = std::int64_t{team_size} * (1 + 100 * team_size);
  for (auto const got : on_host<Exec>(seen)) ASSERT_EQ(got, each);
}

/// Indices behind `first` hold too, so that other chunks find theirs.
template <class Range>
void expect_first(Range const& range, std::int64_t begin, std::int64_t end) {
  for (std::int64_t const first : {begin, begin + (end - begin) / 3, end - 1, end}) {
    auto const got = detail::first_index(
        "test::loops::first", range, KOKKOS_LAMBDA(std::int64_t i) { return i == first || (i > first && i % 2 == 0); });
    if (first >= begin) {
      EXPECT_EQ(got, first) << "of " << begin << " to " << end;
    }
  }
}

template <class Range>
void expect_sums_before(Range const& range, std::int64_t begin, std::int64_t end) {
  using Exec = typename Range::execution_space;
  Numbers<Exec> const before("before", static_cast<std::size_t>(end - lowest_index + 1));
  auto const write = KOKKOS_LAMBDA(std::int64_t i, std::int64_t & sum, bool final) {
    if (final) before(i - lowest_index) = sum;
    sum += weight(i);
  };
  std::int64_t total = 12345;
  detail::scan_indices("test::loops::total", range, write, total);
  auto const with_total = on_host<Exec>(before);
  Kokkos::deep_copy(before, -1);
  detail::scan_indices<std::int64_t>("test::loops::before", range, write);
  range.space().fence();
  auto const without = on_host<Exec>(before);
  std::int64_t sum = 0;
  for (std::int64_t i = begin; i < end; ++i) {
    ASSERT_EQ(with_total[static_cast<std::size_t>(i - lowest_index)], sum) << i << " of " << end;
    ASSERT_EQ(without[static_cast<std::size_t>(i - lowest_index)], sum) << i << " of " << end;
    sum += weight(i);
  }
  EXPECT_EQ(total, sum) << end;
}

/// Offsets of 32 bits made from their own counts, as conversions do it.
template <class Range>
void expect_offsets(Range const& range, std::int64_t begin, std::int64_t end) {
  using Exec = typename Range::execution_space;
  Kokkos::View<std::int32_t*, typename Exec::memory_space> const offsets("offsets",
                                                                         static_cast<std::size_t>(end - begin));
  Kokkos::deep_copy(offsets, 3);
  detail::scan_indices<std::int32_t>(
      "test::loops::offsets", range, KOKKOS_LAMBDA(std::int64_t i, std::int32_t & sum, bool final) {
        sum += offsets(i - begin);
        if (final) offsets(i - begin) = sum;
      });
  range.space().fence();
  auto const got = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, offsets);
  for (std::int64_t i = 0; i < end - begin; ++i) ASSERT_EQ(got(i), 3 * (i + 1)) << end;
}

/// A range in as many chunks as there are threads, none of them two longer than another.
template <class Range>
void expect_even_chunks(Range const& range) {
  detail::HostChunks const chunks(range);
  ASSERT_EQ(chunks.count, std::min<std::int64_t>(range.space().concurrency(), chunks.end - chunks.begin));
  std::int64_t at = chunks.begin;
  for (std::int64_t p = 0; p < chunks.count; ++p) {
    EXPECT_EQ(chunks.first(p), at);
    at = chunks.last(p);
    EXPECT_LE(at - chunks.first(p) - (chunks.end - chunks.begin) / chunks.count, 1);
    EXPECT_GE(at - chunks.first(p), (chunks.end - chunks.begin) / chunks.count);
  }
  EXPECT_EQ(at, chunks.end);
}

template <class Exec>
void expect_loops() {
  Exec const exec;
  for (int const teams : {0, 1, 100}) expect_every_team_once(exec, teams, 1);
  if (exec.concurrency() > 1) expect_every_team_once(exec, 7, 2);
  for (std::int64_t end : {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 1000, 4097})
    for (std::int64_t begin : {lowest_index, std::int64_t{0}, end}) {
      detail::IndexRange<Exec> const range(exec, begin, end);
      expect_every_index_once(range, begin, end);
      expect_sum_and_largest(range, begin, end);
      expect_first(range, begin, end);
      expect_sums_before(range, begin, end);
      expect_offsets(range, begin, end);
      if constexpr (detail::shares_loops<Exec>) expect_even_chunks(range);
      for (int items : {1, 5, 10000}) {
        detail::DynamicRange<Exec> const chunks(exec, begin, end, Kokkos::ChunkSize(items));
        expect_every_index_once(chunks, begin, end);
        expect_sum_and_largest(chunks, begin, end);
        expect_first(chunks, begin, end);
      }
    }
}

}  // namespace

TEST(FormatLoops, OnTheDefaultSpace) { expect_loops<Device>(); }
TEST(FormatLoops, OnTheHost) { expect_loops<Host>(); }

#ifdef KOKKOS_ENABLE_OPENMP
TEST(FormatLoops, OnOneThreadOfSeveral) {
  Kokkos::OpenMP const one = Kokkos::Experimental::partition_space(Kokkos::OpenMP{}, 1)[0];
  detail::IndexRange<Kokkos::OpenMP> const range(one, 0, 1000);
  expect_every_index_once(range, 0, 1000);
  expect_sum_and_largest(range, 0, 1000);
  expect_sums_before(range, 0, 1000);
}
#endif

}  // namespace araia::test
