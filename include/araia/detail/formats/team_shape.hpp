// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How rows are spread over Kokkos teams, on devices and on hosts: shared by conversions and kernels.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <string>

#include <araia/error.hpp>

namespace araia {

namespace detail {

/// True where threads of a team run in lock step on a device and memory wants coalescing.
template <class Exec>
inline constexpr bool is_device_space =
    !Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Exec::memory_space>::accessible;

inline constexpr int device_block = 256;          // threads of a block: full occupancy at 32 registers and above
inline constexpr int device_warp = 32;            // lanes
inline constexpr int host_chunks_per_thread = 8;  // teams a thread, so that uneven rows even out

/// Host: chunks of a dynamic loop that writes fresh arrays in order. Threads go far apart, as two that touch a page at
/// once wait for each other.
template <class Exec>
Kokkos::ChunkSize host_chunk(Exec const& exec, std::int64_t items) {
  std::int64_t const runs = static_cast<std::int64_t>(exec.concurrency()) * host_chunks_per_thread;
  return Kokkos::ChunkSize(static_cast<int>(std::max<std::int64_t>(1, items / runs)));
}

inline void require_tuning(bool holds, char const* field, int got, char const* expected) {
  if (!holds)
    throw Error(ErrorKind::invalid_argument,
                std::string("tuning: ") + field + " is " + std::to_string(got) + ", expected " + expected);
}

/// Number of teams that cover `count` items, `per_team` each, as the int that Kokkos takes.
inline int league_size(std::int64_t count, std::int64_t per_team) {
  return static_cast<int>((count + per_team - 1) / per_team);
}

/// Items a team must take, at least `per_team`, so that the league's size fits that int.
inline std::int64_t at_least_per_team(std::int64_t count, std::int64_t per_team) {
  constexpr std::int64_t most_teams = 2000000000;
  return std::max(per_team, count / most_teams + 1);
}

/// Checked and completed team shape of a row kernel.
struct TeamShape {
  std::int64_t rows_per_team;
  int team_size;
  int vector_length;
};

/// Rows spread over teams of one row a thread on a device, over a few chunks a thread on a host.
template <class Exec>
TeamShape row_team_shape(Exec const& exec, std::int64_t rows, int rows_per_team, int team_size, int vector_length) {
  require_tuning(rows_per_team >= 0, "rows_per_team", rows_per_team, "0 or more");
  require_tuning(team_size >= 0 && team_size <= 1024, "team_size", team_size, "0 to 1024");
  require_tuning(vector_length >= 0 && vector_length <= device_warp && (vector_length & (vector_length - 1)) == 0,
                 "vector_length", vector_length, "0 or a power of two up to 32");
  TeamShape shape{rows_per_team, team_size, std::max(vector_length, 1)};
  if constexpr (is_device_space<Exec>) {
    if (shape.team_size == 0) shape.team_size = std::max(1, device_block / shape.vector_length);
    require_tuning(shape.team_size * shape.vector_length <= 1024, "team_size", team_size,
                   "team_size * vector_length of at most 1024");
    if (shape.rows_per_team == 0) shape.rows_per_team = shape.team_size;
  } else {
    shape.vector_length = 1;  // Kokkos' host spaces have one lane
    shape.team_size = 1;
    if (shape.rows_per_team == 0) {
      std::int64_t const chunks = static_cast<std::int64_t>(exec.concurrency()) * host_chunks_per_thread;
      shape.rows_per_team = std::max<std::int64_t>(1, (rows + chunks - 1) / chunks);
    }
  }
  shape.rows_per_team = at_least_per_team(rows, shape.rows_per_team);
  return shape;
}

/// Lanes a row on a device: a power of two, at most a warp, that leaves each lane about three entries of the mean row,
/// so that loads are in flight together and few lanes idle on short rows. Measured on an H200: rows of 16 want 4 lanes,
/// of 27 8, of 81 16.
inline int vector_length_for(std::int64_t nnz, std::int64_t rows) {
  constexpr std::int64_t entries_per_lane = 3;
  std::int64_t const mean = rows > 0 ? nnz / rows : 0;
  int lanes = 1;
  while (lanes < device_warp && 2 * lanes * entries_per_lane <= mean) lanes *= 2;
  return lanes;
}

}  // namespace detail
}  // namespace araia
