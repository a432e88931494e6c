// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The tools of every format's validate(): a parallel search for the first place that breaks a rule.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <string>

#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/team_shape.hpp>
#include <araia/error.hpp>

namespace araia::detail {

/// Smallest i in [0, count) for which `broken(i)` holds, or count. Fences exec, as it returns a scalar.
template <class Exec, class Broken>
static std::int64_t first_broken(Exec const& exec, std::int64_t count, Broken const& broken) {
  if (count <= 0) return 0;
  char const* const label = "araia::validate::first_broken";
  if constexpr (shares_loops<Exec>) {
    constexpr std::int64_t most_items = 4096;  // of a chunk, so that none goes on for long behind a broken one
    std::int64_t const chunks_wanted = static_cast<std::int64_t>(exec.concurrency()) * host_chunks_per_thread;
    Kokkos::ChunkSize const items(static_cast<int>(std::clamp<std::int64_t>(count / chunks_wanted, 1, most_items)));
    return first_index(label, DynamicRange<Exec>(exec, 0, count, items), broken);
  } else {
    return first_index(label, IndexRange<Exec>(exec, 0, count), broken);
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
      exec, rows, format, "row_permutation must lie in [0, rows)", "row", KOKKOS_LAMBDA(std::int64_t i) {
        auto const row = static_cast<std::int64_t>(permutation(i));
        return row < 0 || row >= rows;
      });
  auto const seen =
      zeroed_view<Kokkos::View<int*, typename Exec::memory_space>>(exec, "araia::validate::permutation_seen", rows);
  for_each_index(
      "araia::validate::permutation_seen", IndexRange<Exec>(exec, 0, rows),
      KOKKOS_LAMBDA(std::int64_t i) { Kokkos::atomic_inc(&seen(permutation(i))); });
  require_rule(
      exec, rows, format, "row_permutation must name each row once", "row",
      KOKKOS_LAMBDA(std::int64_t i) { return seen(i) != 1; });
}

}  // namespace araia::detail
