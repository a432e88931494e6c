// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Structure of C = A B by rows, Gustavson's way: a team collects the columns of a row in a hash table, or as marks over
// all columns, and writes them in order. Values are then those of csr_spgemm_row_search.
// Mapping  league: as many teams as have tables, each takes every so-manieth row | threads: entries of A's row | lanes:
//          entries of a row of B
// Traffic  a product: 4 B of column twice (count, then fill), a read of the table and a write for each new column; on a
//          device the table's slots are sorted by a bitonic network, marks are read over all columns
// Suits    rows that are no thousandth of the columns: marks; others: the table.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/kernels/csr_spgemm.hpp>
#include <araia/detail/kernels/csr_spgemm_row_search.hpp>
#include <araia/error.hpp>

namespace araia::detail {

/// Slots of a table that holds so many different columns half full.
KOKKOS_INLINE_FUNCTION std::int64_t spgemm_table_slots(std::int64_t columns) {
  std::int64_t slots = 16;
  while (slots < 2 * columns) slots *= 2;
  return slots;
}

/// A team's hash table. Free slots hold the largest number, which no column is.
template <class Exec, class Ordinal>
struct SpgemmTable {
  static constexpr Ordinal free = std::numeric_limits<Ordinal>::max();
  Ordinal* keys;
  std::int64_t slots;  // of this row: a power of two

  /// 1 where the column is new, else 0.
  KOKKOS_FUNCTION std::int64_t insert(Ordinal column) const {
    auto slot = static_cast<std::int64_t>((static_cast<std::uint64_t>(column) * 0x9e3779b1u >> 7) &
                                          static_cast<std::uint64_t>(slots - 1));
    for (;; slot = (slot + 1) & (slots - 1)) {
      Ordinal before = keys[slot];
      if (before == free) {
        if constexpr (is_device_space<Exec>) {
          before = Kokkos::atomic_compare_exchange(keys + slot, free, column);
        } else {
          keys[slot] = column;
        }
        if (before == free) return 1;
      }
      if (before == column) return 0;
    }
  }

  template <class Team>
  KOKKOS_FUNCTION void clear(Team const& team) const {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, slots), [&](std::int64_t s) { keys[s] = free; });
    team.team_barrier();  // all slots are free before the first column comes
  }

  /// The row's columns in order. \param out  (count), counted before
  template <class Team>
  KOKKOS_FUNCTION void write(Team const& team, std::int64_t count, Ordinal* out, std::int64_t*) const {
    if constexpr (!is_device_space<Exec>) {
      KOKKOS_IF_ON_HOST((std::sort(keys, keys + slots);))
    }
    for (std::int64_t run = is_device_space<Exec> ? 2 : 2 * slots; run <= slots; run *= 2) {
      for (std::int64_t step = run / 2; step > 0; step /= 2) {
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, slots / 2), [&](std::int64_t i) {
          std::int64_t const low = i / step * 2 * step + i % step;
          std::int64_t const high = low + step;
          bool const ascending = (low & run) == 0;
          Ordinal const l = keys[low];
          Ordinal const h = keys[high];
          if ((l > h) == ascending) {
            keys[low] = h;
            keys[high] = l;
          }
        });
        team.team_barrier();  // one step of the network ends before the next reads
      }
    }
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, count), [&](std::int64_t n) { out[n] = keys[n]; });
    team.team_barrier();  // all are written before the table is cleared for another row
  }
};

/// A team's marks: a bit a column.
template <class Exec, class Ordinal>
struct SpgemmMarks {
  std::uint32_t* words;
  std::int64_t length;  // words

  KOKKOS_FUNCTION std::int64_t insert(Ordinal column) const {
    std::uint32_t const bit = std::uint32_t{1} << (column % 32);
    std::uint32_t* const word = words + column / 32;
    std::uint32_t before = *word;
    if ((before & bit) != 0) return 0;
    if constexpr (is_device_space<Exec>) {
      before = Kokkos::atomic_fetch_or(word, bit);
    } else {
      *word = before | bit;
    }
    return (before & bit) == 0 ? 1 : 0;
  }

  template <class Team>
  KOKKOS_FUNCTION void clear(Team const& team) const {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, length), [&](std::int64_t w) { words[w] = 0; });
    team.team_barrier();  // no mark is left before the first column comes
  }

  /// Each thread has a run of words; lanes share its words. Kokkos's scan over the threads of a team is not for teams
  /// of several lanes, so that the sums of runs go through scratch. \param sums  (threads of the team) of scratch
  template <class Team>
  KOKKOS_FUNCTION void write(Team const& team, std::int64_t, Ordinal* out, std::int64_t* sums) const {
    std::int64_t const run = (length + team.team_size() - 1) / team.team_size();
    std::int64_t const first = Kokkos::min(length, run * team.team_rank());
    std::int64_t const count = Kokkos::min(length, first + run) - first;
    std::int64_t own = 0;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, count),
        [&](std::int64_t w, std::int64_t& sum) { sum += Kokkos::popcount(words[first + w]); }, own);
    Kokkos::single(Kokkos::PerThread(team), [&] { sums[team.team_rank()] = own; });
    team.team_barrier();  // all runs are counted before their places are known
    std::int64_t before = 0;
    for (int thread = 0; thread < team.team_rank(); ++thread) before += sums[thread];
    Kokkos::parallel_scan(Kokkos::ThreadVectorRange(team, count), [&](std::int64_t w, std::int64_t& sum, bool final) {
      std::uint32_t const bits = words[first + w];
      if (final) {
        std::int64_t n = before + sum;
        for (std::uint32_t rest = bits; rest != 0; rest &= rest - 1)
          out[n++] = static_cast<Ordinal>((first + w) * 32 + Kokkos::countr_zero(rest));
      }
      sum += Kokkos::popcount(bits);
    });
    team.team_barrier();  // all are written before the marks, and the sums, are of another row
  }
};

/// counts(row + 1) for every row, or its columns where `cols` is not null.
template <class Exec, class Scalar, class Ordinal, class Offset, class Offsets, class SetOf>
void csr_spgemm_team_rows(Exec const& exec, SpgemmOperands<Scalar, Ordinal, Offset> const& of, std::int64_t teams,
                          SetOf const& set_of, Offsets const& offsets, Ordinal* cols) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  if (of.a.rows == 0) return;
  constexpr int threads = is_device_space<Exec> ? 8 : 1;
  constexpr std::size_t sums_bytes = threads * sizeof(std::int64_t);
  auto const policy = Policy(exec, static_cast<int>(teams), threads, is_device_space<Exec> ? 32 : 1)
                          .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(sums_bytes)));
  for_each_team(
      "araia::spgemm::team_rows", policy, KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        auto* const sums = static_cast<std::int64_t*>(team.team_scratch(0).get_shmem(sums_bytes));
        for (std::int64_t row = team.league_rank(); row < of.a.rows; row += teams) {
          auto const columns = set_of(team.league_rank(), spgemm_products(of, row));
          columns.clear(team);
          std::int64_t count = 0;
          Kokkos::parallel_reduce(
              Kokkos::TeamThreadRange(team, static_cast<std::int64_t>(of.a.row_offsets[row]),
                                      static_cast<std::int64_t>(of.a.row_offsets[row + 1])),
              [&](std::int64_t p, std::int64_t& sum) {
                auto const k = static_cast<std::int64_t>(of.a.col_indices[p]);
                std::int64_t found = 0;
                Kokkos::parallel_reduce(
                    Kokkos::ThreadVectorRange(team, static_cast<std::int64_t>(of.b.row_offsets[k]),
                                              static_cast<std::int64_t>(of.b.row_offsets[k + 1])),
                    [&](std::int64_t q, std::int64_t& part) { part += columns.insert(of.b.col_indices[q]); }, found);
                sum += found;
              },
              count);
          team.team_barrier();  // all columns are there before they are written, or cleared
          if (cols)
            columns.write(team, count, cols + offsets.at(row), sums);
          else
            Kokkos::single(Kokkos::PerTeam(team), [&] { offsets.set(row + 1, count); });
        }
      });
}

/// Teams that a space runs at once.
template <class Exec>
std::int64_t spgemm_teams(Exec const& exec, std::int64_t rows) {
  std::int64_t const at_once = is_device_space<Exec> ? std::max(1, exec.concurrency() / device_block)
                                                     : std::max(1, static_cast<int>(exec.concurrency()));
  return std::max<std::int64_t>(1, std::min(rows, at_once));
}

/// Each team's table for a row of so many products.
template <class Exec, class Ordinal>
struct SpgemmTables {
  Ordinal* keys;
  std::int64_t slots;
  std::int64_t cols;
  KOKKOS_FUNCTION SpgemmTable<Exec, Ordinal> operator()(std::int64_t team, std::int64_t products) const {
    return {keys + team * slots, spgemm_table_slots(Kokkos::min(products, cols))};
  }
};

/// Each team's marks.
template <class Exec, class Ordinal>
struct SpgemmTeamMarks {
  std::uint32_t* words;
  std::int64_t length;
  KOKKOS_FUNCTION SpgemmMarks<Exec, Ordinal> operator()(std::int64_t team, std::int64_t) const {
    return {words + team * length, length};
  }
};

/// How a team holds the columns of a row.
enum class SpgemmColumns { table, marks };

/// The kernels hash, of tables, and dense_window, of marks.
template <class Exec, class Scalar, class Ordinal, class Offset>
class SpgemmTeamRows final : public SpgemmWay<Exec, Scalar, Ordinal, Offset> {
 public:
  using typename SpgemmWay<Exec, Scalar, Ordinal, Offset>::Operands;
  using typename SpgemmWay<Exec, Scalar, Ordinal, Offset>::Offsets;

  /// \throws araia::Error resource_limit where one team's columns take more than `limit` bytes (0: no limit)
  SpgemmTeamRows(Exec const& exec, SpgemmColumns columns, Operands const& of, SpgemmFacts const& facts,
                 std::uint64_t limit)
      : columns_(columns), teams_(spgemm_teams(exec, of.a.rows)) {
    slots_ = columns == SpgemmColumns::table ? spgemm_table_slots(std::min(facts.most_products, of.b.cols))
                                             : (of.b.cols + 31) / 32;
    std::uint64_t const one = team_bytes();
    if (limit > 0) {
      require_memory("araia::make_spgemm: the columns of one row", one, limit);
      teams_ = std::min(teams_, static_cast<std::int64_t>(limit / std::max<std::uint64_t>(one, 1)));
    }
  }

  [[nodiscard]] std::uint64_t workspace_bytes() const override {
    return static_cast<std::uint64_t>(teams_) * team_bytes();
  }
  void allocate(Exec const& exec) override {
    if (columns_ == SpgemmColumns::table)
      keys_ = new_array<Ordinal, Device>(exec, "araia::spgemm::keys", teams_ * slots_);
    else
      marks_ = new_array<std::uint32_t, Device>(exec, "araia::spgemm::marks", teams_ * slots_);
  }
  void count(Exec const& exec, Operands const& of, Offsets const& counts) override { run(exec, of, counts, nullptr); }
  void fill(Exec const& exec, Operands const& of, Scalar alpha, Offsets const& offsets, Ordinal* cols,
            Scalar* values) override {
    run(exec, of, offsets, cols);
    if (values) csr_spgemm_row_search(exec, of, alpha, false, offsets, static_cast<Ordinal const*>(cols), values);
  }
  void refresh(Exec const& exec, Operands const& of, Scalar alpha, bool add, Offsets const& offsets,
               Ordinal const* cols, Scalar* values) override {
    csr_spgemm_row_search(exec, of, alpha, add, offsets, cols, values);
  }

 private:
  using Device = typename Exec::device_type;

  [[nodiscard]] std::uint64_t team_bytes() const {
    return static_cast<std::uint64_t>(slots_) *
           (columns_ == SpgemmColumns::table ? sizeof(Ordinal) : sizeof(std::uint32_t));
  }
  void run(Exec const& exec, Operands const& of, Offsets const& offsets, Ordinal* cols) {
    if (columns_ == SpgemmColumns::table)
      csr_spgemm_team_rows(exec, of, teams_, SpgemmTables<Exec, Ordinal>{keys_.data(), slots_, of.b.cols}, offsets,
                           cols);
    else
      csr_spgemm_team_rows(exec, of, teams_, SpgemmTeamMarks<Exec, Ordinal>{marks_.data(), slots_}, offsets, cols);
  }

  SpgemmColumns columns_;
  std::int64_t teams_;
  std::int64_t slots_;  // of a team: keys, or words of marks
  Kokkos::View<Ordinal*, Device> keys_{};
  Kokkos::View<std::uint32_t*, Device> marks_{};
};

template <SpgemmColumns columns, class Exec, class Scalar, class Ordinal, class Offset>
std::unique_ptr<SpgemmWay<Exec, Scalar, Ordinal, Offset>> make_spgemm_team_rows(
    Exec const& exec, SpgemmOperands<Scalar, Ordinal, Offset> const& of, SpgemmFacts const& facts,
    SpgemmOptions const& options, std::string& /*refusal*/) {
  return std::make_unique<SpgemmTeamRows<Exec, Scalar, Ordinal, Offset>>(exec, columns, of, facts,
                                                                         options.workspace_limit);
}

template <SpgemmColumns columns, class Exec, class Scalar, class Ordinal, class Offset>
std::uint64_t spgemm_team_rows_bytes(Exec const& exec, SpgemmOperands<Scalar, Ordinal, Offset> const& of,
                                     SpgemmFacts const& facts, bool /*values*/) {
  return SpgemmTeamRows<Exec, Scalar, Ordinal, Offset>(exec, columns, of, facts, 0).workspace_bytes();
}

template <SpgemmColumns columns, class Exec, class Scalar, class Ordinal, class Offset>
SpgemmKernelOf<Exec, Scalar, Ordinal, Offset> spgemm_team_rows_kernel(std::string_view name) {
  return {.name = name,
          .make = &make_spgemm_team_rows<columns, Exec, Scalar, Ordinal, Offset>,
          .workspace_bytes = &spgemm_team_rows_bytes<columns, Exec, Scalar, Ordinal, Offset>};
}

}  // namespace araia::detail
