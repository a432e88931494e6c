// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The tools of every format's validate(): a parallel search for the first place that breaks a rule.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <string>

#include <araia/error.hpp>
#include <araia/formats/team_shape.hpp>

namespace araia::detail {

/// A rule without its type: one parallel loop on a host serves all of them. A reduction for each of some hundred rules
/// and types of a format took a quarter of the time in which a unit that validates compiles.
struct HostRule {
  void const* broken;
  /// Smallest i in [begin, end) that breaks it, or end.
  std::int64_t (*first)(void const* broken, std::int64_t begin, std::int64_t end);

  template <class Broken>
  explicit HostRule(Broken const& rule)
      : broken(&rule), first([](void const* erased, std::int64_t begin, std::int64_t end) {
          auto const& breaks = *static_cast<Broken const*>(erased);
          while (begin < end && !breaks(begin)) ++begin;
          return begin;
        }) {}
};

/// first_broken on a host.
template <class Exec>
static std::int64_t first_broken(Exec const& exec, std::int64_t count, HostRule const& rule) {
  constexpr std::int64_t most_items = 4096;  // of a piece, which looks once whether one before it is broken
  std::int64_t const pieces_wanted = static_cast<std::int64_t>(exec.concurrency()) * host_chunks_per_thread;
  std::int64_t const items = std::clamp<std::int64_t>(count / pieces_wanted, 1, most_items);
  std::int64_t first = count;
  Kokkos::parallel_reduce(
      "araia::validate::first_broken",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, (count - 1) / items + 1),
      [=](std::int64_t piece, std::int64_t& smallest) {
        std::int64_t const begin = piece * items;
        if (begin >= smallest) return;
        std::int64_t const end = std::min(begin + items, count);
        std::int64_t const at = rule.first(rule.broken, begin, end);
        if (at < end) smallest = std::min(smallest, at);
      },
      Kokkos::Min<std::int64_t>(first));
  exec.fence("araia::validate::first_broken");
  return std::min(first, count);
}

/// Smallest i in [0, count) for which `broken(i)` holds, or count. Fences exec, as it returns a scalar.
template <class Exec, class Broken>
static std::int64_t first_broken(Exec const& exec, std::int64_t count, Broken const& broken) {
  if (count <= 0) return 0;
  if constexpr (!is_device_space<Exec>) {
    return first_broken(exec, count, HostRule(broken));
  } else {
    std::int64_t first = count;
    Kokkos::parallel_reduce(
        "araia::validate::first_broken", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, count),
        KOKKOS_LAMBDA(std::int64_t i, std::int64_t & smallest) {
          if (i < smallest && broken(i)) smallest = i;
        },
        Kokkos::Min<std::int64_t>(first));
    exec.fence("araia::validate::first_broken");
    return std::min(first, count);
  }
}

[[noreturn]] inline void throw_structure(std::string const& what) { throw Error(ErrorKind::invalid_structure, what); }

/// Throws invalid_structure "<format>: <rule> (first broken at <name> <i>)" if the rule is broken anywhere.
template <class Exec, class Broken>
static void require_rule(Exec const& exec, std::int64_t count, char const* format, char const* rule, char const* name,
                         Broken const& broken) {
  auto const at = first_broken(exec, count, broken);
  if (count > 0 && at < count)
    throw_structure(std::string(format) + ": " + rule + " (first broken at " + name + ' ' + std::to_string(at) + ')');
}

/// Throws invalid_structure if an array is shorter than its format needs.
inline void require_extent(char const* format, char const* array, std::size_t got, std::int64_t expected) {
  if (expected < 0 || static_cast<std::uint64_t>(got) < static_cast<std::uint64_t>(expected))
    throw_structure(std::string(format) + ": " + array + " holds " + std::to_string(got) + " elements, expected " +
                    std::to_string(expected));
}

/// Every value of permutation[0..rows) lies in [0, rows) and occurs once.
template <class Exec, class Permutation>
static void require_permutation(Exec const& exec, char const* format, Permutation const& permutation,
                                std::int64_t rows) {
  require_extent(format, "row_permutation", permutation.extent(0), rows);
  require_rule(
      exec, rows, format, "row_permutation must lie in [0, rows)", "row",
      KOKKOS_LAMBDA(std::int64_t i) { return permutation(i) < 0 || permutation(i) >= rows; });
  Kokkos::View<int*, typename Exec::memory_space> seen(Kokkos::view_alloc(exec, "araia::validate::permutation_seen"),
                                                       static_cast<std::size_t>(rows));
  Kokkos::parallel_for(
      "araia::validate::permutation_seen", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, rows),
      KOKKOS_LAMBDA(std::int64_t i) { Kokkos::atomic_inc(&seen(permutation(i))); });
  require_rule(
      exec, rows, format, "row_permutation must name each row once", "row",
      KOKKOS_LAMBDA(std::int64_t i) { return seen(i) != 1; });
}

}  // namespace araia::detail
