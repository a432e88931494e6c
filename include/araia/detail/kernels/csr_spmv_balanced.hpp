// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y = alpha A x + beta y, A in CSR; a team owns a chunk of the merge path: 1024 entries and ends of rows together.
// Mapping  league: chunks | threads: first the entries, side by side, whose products go to scratch; then equal runs of
//          the chunk's path, each summed by its thread. A row that spans threads is added up by the one where it
//          begins; what belongs to a row that began in an earlier chunk goes to the chunk's carry, and a second launch
//          adds the carries of a row to it. On hosts a chunk is one thread's, without scratch.
//              path of a chunk   | e e e R e R R e | e e e e e e R e | e e e R ...     e: entry, R: end of a row
//              of threads          0                 1                 2
// Traffic  double, int32: 12 B an entry; 4 B of offset and 8 B of y a row (16 B if beta != 0); 20 B a chunk; x as
//          gathered. Scratch: 14 KB a team in f64. Barriers: two. Atomics: none, and the sums' order depends on the
//          team's size alone: the same bits on every run, with any number of threads of a host.
// Suits    rows of very unlike length, many empty ones among them. On rows of like length it trails row kernels, as
//          products go through scratch and places are searched for. alpha == 0 never comes here (dispatch scales y).
// Source   [MerrillGarland2016]; differs: chunks are found once a structure, carries are added without atomics.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/kernels/csr_partition.hpp>
#include <araia/detail/kernels/operands.hpp>
#include <araia/detail/kernels/spmv_tuning.hpp>

namespace araia::detail {

/// Where a run of a chunk's path begins, in rows and entries counted from the chunk's first ones.
struct PathPlace {
  int row;
  int entry;
};

/// The first row that begins at `item` of the chunk or behind it, and the first entry at `item` or behind it.
/// begins: (rows + 1) first entries of the chunk's rows, the entries at the end. shift: item of row 0's begin less its
/// entry: 1 where the chunk begins within, or with the end of, an earlier row.
KOKKOS_INLINE_FUNCTION PathPlace path_place(int const* begins, int rows, int shift, int item) {
  int low = 0;
  int high = rows;
  while (low < high) {
    int const middle = (low + high) / 2;
    if (begins[middle] + middle + shift < item)
      low = middle + 1;
    else
      high = middle;
  }
  return {low, Kokkos::min(item - low - shift + 1, begins[low])};
}

/// Adds the carries of every row that spans chunks, in their order; the first of a row's carries leads.
template <class Exec, class Pointers, class Y, class Sum>
static void csr_add_carries(Exec const& exec, TeamShape const& shape, CsrPartitionPointers const& partition, Sum alpha,
                            Pointers const& a, Y const& y) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  std::int64_t const per_team = shape.rows_per_team;
  auto const* const first_rows = partition.first_rows;
  auto const* const carries = static_cast<Sum const*>(partition.carries);
  std::int64_t const chunks = partition.chunks;
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const first = team.league_rank() * per_team + 1;  // chunk 0 carries nothing
    std::int64_t const last = Kokkos::min<std::int64_t>(first + per_team, chunks);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t chunk) {
      std::int64_t const next = first_rows[chunk];  // the row that carries is the one before
      if (next == first_rows[chunk - 1]) return;
      std::int64_t const end = a.row_offsets[next];
      if (path_entry(a.row_offsets, chunk, next) >= end) return;
      std::int64_t const behind = (end + next - 2) / CsrPartitionPointers::chunk_items + 1;
      Sum sum{};
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(team, chunk, behind),
          [&](std::int64_t other, Sum& part) { part += carries[other]; }, sum);
      Kokkos::single(Kokkos::PerThread(team), [&] { add_into(y(matrix_row(a, next - 1)), alpha * sum, false); });
    });
  };
  check_functor_size<decltype(body)>();
  for_each_team("araia::spmv::csr::balanced::carries",
                Policy(exec, league_size(chunks - 1, per_team), shape.team_size, shape.vector_length), body);
}

/// The chunks, a thread each: for hosts.
template <class Exec, class Pointers, class X, class Y, class Sum>
static void csr_chunks_by_threads(Exec const& exec, CsrPartitionPointers const& partition, Sum alpha, Pointers const& a,
                                  X const& x, Sum beta, Y const& y) {
  auto const* const first_rows = partition.first_rows;
  auto* const carries = static_cast<Sum*>(partition.carries);
  auto const body = KOKKOS_LAMBDA(std::int64_t chunk) {
    std::int64_t const first_row = first_rows[chunk];
    std::int64_t const next_row = first_rows[chunk + 1];
    std::int64_t k = path_entry(a.row_offsets, chunk, first_row);
    std::int64_t const last = path_entry(a.row_offsets, chunk + 1, next_row);
    auto const sum_to = [&](std::int64_t end) {
      Sum sum{};
      for (; k < end; ++k) sum += entry_value<Sum>(a, k) * static_cast<Sum>(x(a.col_indices[k]));
      return sum;
    };
    carries[chunk] = sum_to(Kokkos::min<std::int64_t>(a.row_offsets[first_row], last));
    for (std::int64_t row = first_row; row < next_row; ++row)
      store_scaled(y(matrix_row(a, row)), alpha, sum_to(Kokkos::min<std::int64_t>(a.row_offsets[row + 1], last)), beta);
  };
  check_functor_size<decltype(body)>();
  for_each_index("araia::spmv::csr::balanced", IndexRange<Exec>(exec, 0, partition.chunks), body);
}

/// The chunks, a team each: for devices.
template <class Exec, class Pointers, class X, class Y, class Sum>
static void csr_chunks_by_teams(Exec const& exec, int team_size, CsrPartitionPointers const& partition, Sum alpha,
                                Pointers const& a, X const& x, Sum beta, Y const& y) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  constexpr int items = static_cast<int>(CsrPartitionPointers::chunk_items);
  constexpr int slots = items + items / 8;  // 8 products to a row of 9: threads at a stride of 2^n meet different banks
  std::size_t const scratch = (slots + static_cast<std::size_t>(team_size)) * sizeof(Sum) + (items + 1) * sizeof(int);
  auto const* const first_rows = partition.first_rows;
  auto* const carries = static_cast<Sum*>(partition.carries);
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    auto const slot = [](int k) { return k + k / 8; };
    auto* const products = static_cast<Sum*>(team.team_scratch(0).get_shmem_aligned(scratch, alignof(Sum)));
    Sum* const heads = products + slots;  // (team_size) what each thread adds to a row that began before its run
    int* const begins = reinterpret_cast<int*>(heads + team_size);
    std::int64_t const chunk = team.league_rank();
    std::int64_t const first_row = first_rows[chunk];
    int const rows = static_cast<int>(first_rows[chunk + 1] - first_row);
    std::int64_t const first = path_entry(a.row_offsets, chunk, first_row);
    int const entries = static_cast<int>(path_entry(a.row_offsets, chunk + 1, first_row + rows) - first);
    int const shift = static_cast<int>(first + first_row - chunk * items);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows + 1), [&](int row) {
      std::int64_t const begin = static_cast<std::int64_t>(a.row_offsets[first_row + row]) - first;
      begins[row] = static_cast<int>(Kokkos::min<std::int64_t>(begin, entries));
    });
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, entries), [&](int k) {
      products[slot(k)] = entry_value<Sum>(a, first + k) * static_cast<Sum>(x(a.col_indices[first + k]));
    });
    team.team_barrier();  // products and begins are read by other threads

    int const run = (items + team_size - 1) / team_size;
    int const thread = team.team_rank();
    auto const sum_of = [&](int begin, int end) {
      Sum sum{};
      for (int k = begin; k < end; ++k) sum += products[slot(k)];
      return sum;
    };
    PathPlace const here = path_place(begins, rows, shift, thread * run);
    PathPlace const next = path_place(begins, rows, shift, (thread + 1) * run);
    heads[thread] = sum_of(here.entry, Kokkos::min(begins[here.row], next.entry));
    for (int row = here.row; row + 1 < next.row; ++row)
      store_scaled(y(matrix_row(a, first_row + row)), alpha, sum_of(begins[row], begins[row + 1]), beta);
    Sum open = next.row > here.row ? sum_of(begins[next.row - 1], next.entry) : Sum{};
    team.team_barrier();  // heads are read by other threads

    // The thread that holds entry k of row r is that of item k + r + shift.
    if (next.row > here.row) {
      int const last = (begins[next.row] + next.row + shift - 2) / run;
      if (begins[next.row] > next.entry)
        for (int other = thread + 1; other <= last; ++other) open += heads[other];
      store_scaled(y(matrix_row(a, first_row + next.row - 1)), alpha, open, beta);
    }
    if (thread == 0) {
      Sum carry{};
      if (begins[0] > 0)
        for (int other = 0; other <= (begins[0] + shift - 2) / run; ++other) carry += heads[other];
      carries[chunk] = carry;
    }
  };
  check_functor_size<decltype(body)>();
  Policy policy(exec, static_cast<int>(partition.chunks), team_size);
  policy.set_scratch_size(0, Kokkos::PerTeam(scratch + alignof(Sum)));
  for_each_team("araia::spmv::csr::balanced", policy, body);
}

/// \param team_size  threads that share a chunk on a device; on a host a chunk is one thread's
template <class Exec, class Pointers, class X, class Y, class Sum>
static void csr_spmv_balanced(Exec const& exec, int team_size, CsrPartitionPointers const& partition, Sum alpha,
                              Pointers const& a, X const& x, Sum beta, Y const& y) {
  if constexpr (is_device_space<Exec>)
    csr_chunks_by_teams(exec, team_size, partition, alpha, a, x, beta, y);
  else
    csr_chunks_by_threads(exec, partition, alpha, a, x, beta, y);
  constexpr int lanes = 32;
  if (partition.chunks > 1)
    csr_add_carries(exec, row_team_shape(exec, partition.chunks - 1, 0, 0, lanes), partition, alpha, a, y);
}

}  // namespace araia::detail
