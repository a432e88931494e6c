// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y = act(A B + bias + residual), B by shifted columns (src/kernel/shifted_columns.hpp), on any space of Kokkos.
// Mapping  league: images * panels of columns * chunks of rows | threads: rows of a chunk | lanes: columns of a panel,
//          stride vector_length, columns_per_lane sums each in registers
// Traffic  an entry: 4 B of offset and a value a lane's columns, and a panel's width of a plane out of cache; y once.
//          Scratch, barriers, atomics: none.
// Suits    any shape; on hosts the SIMD kernel of backends/openmp is faster.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>

#include <araia/error.hpp>
#include "src/kernel/shifted_columns.hpp"

namespace araia::detail {

/// These run anywhere.
struct ShiftedColumnsTuning {
  int rows_per_team = 16;
  int team_size = 1;
  int vector_length = 1;
};

template <class T, class Member>
struct ShiftedColumnsTeam {
  static constexpr int columns_per_lane = 4;
  ShiftedWeights<T> a;
  ShiftedOperands<T> b;
  std::int64_t columns;
  std::int64_t panels;
  std::int64_t chunks;
  std::int64_t rows_per_team;
  std::int64_t panel_columns;
  std::int64_t lanes;

  KOKKOS_FUNCTION void store(std::int64_t image, std::int64_t row, std::int64_t column, T value) const {
    std::int64_t const line = column / b.plane_width;
    std::int64_t const element = column - line * b.plane_width;
    if (element >= b.out_width) return;
    if (b.bias) value += b.bias[row];
    if (b.residual)
      value += b.residual[image * b.residual_strides.image + row * b.residual_strides.row +
                          line * b.residual_strides.line + element];
    b.y[image * b.y_strides.image + row * b.y_strides.row + line * b.y_strides.line + element] =
        b.relu && value < T(0) ? T(0) : value;
  }

  KOKKOS_FUNCTION void lane(std::int64_t image, std::int64_t row, std::int64_t first) const {
    T sums[columns_per_lane] = {};
    T const* const planes = b.planes + image * b.image_stride + first;
    std::int64_t const left = columns - first;  // of the image from here on
    for (std::int64_t j = a.row_offsets[row]; j < a.row_offsets[row + 1]; ++j) {
      T const value = a.values[j];
      T const* const at = planes + a.col_offsets[j];
      for (int i = 0; i < columns_per_lane; ++i)
        if (i * lanes < left) sums[i] += value * at[i * lanes];
    }
    for (int i = 0; i < columns_per_lane; ++i)
      if (i * lanes < left) store(image, row, first + i * lanes, sums[i]);
  }

  KOKKOS_FUNCTION void operator()(Member const& team) const {
    std::int64_t const unit = team.league_rank();
    std::int64_t const chunk = unit % chunks;
    std::int64_t const panel = unit / chunks % panels;
    std::int64_t const image = unit / chunks / panels;
    std::int64_t const first_row = chunk * rows_per_team;
    std::int64_t const last_row = first_row + rows_per_team < a.rows ? first_row + rows_per_team : a.rows;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first_row, last_row), [&](std::int64_t row) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, lanes), [&](std::int64_t in_lane) {
        std::int64_t const first = panel * panel_columns + in_lane;
        if (first < columns) lane(image, row, first);
      });
    });
  }
};

/// Cost  nnz * columns() multiply-adds an image; no allocation, asynchronous on exec
/// \throws araia::Error resource_limit where panels times chunks of an image are more than 2^31 - 1
template <class Exec, class T>
void csr_shifted_columns_team(Exec const& exec, ShiftedColumnsTuning const& tuning, ShiftedWeights<T> const& a,
                              ShiftedOperands<T> const& b) {
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::IndexType<std::int64_t>>;
  using Body = ShiftedColumnsTeam<T, typename Policy::member_type>;
  std::int64_t const columns = b.columns();
  if (a.rows == 0 || b.images == 0 || columns == 0) return;
  std::int64_t const panel = std::int64_t{tuning.vector_length} * Body::columns_per_lane;
  std::int64_t const panels = (columns + panel - 1) / panel;
  std::int64_t const chunks = (a.rows + tuning.rows_per_team - 1) / tuning.rows_per_team;
  std::int64_t const teams_an_image = panels * chunks;
  // A league is an int: images of a large batch go in several.
  std::int64_t const most_images = std::int64_t{0x7fffffff} / teams_an_image;
  if (most_images == 0)
    throw Error(ErrorKind::resource_limit, "araia::conv::shifted_columns: an image has " +
                                               std::to_string(teams_an_image) +
                                               " units of work, expected at most 2147483647");
  for (std::int64_t first = 0; first < b.images; first += most_images) {
    auto part = b;
    part.images = b.images - first < most_images ? b.images - first : most_images;
    part.planes += first * b.image_stride;
    part.y += first * b.y_strides.image;
    if (part.residual) part.residual += first * b.residual_strides.image;
    Body const body{a, part, columns, panels, chunks, tuning.rows_per_team, panel, tuning.vector_length};
    Kokkos::parallel_for(
        "araia::conv::shifted_columns::team",
        Policy(exec, static_cast<int>(part.images * teams_an_image), tuning.team_size, tuning.vector_length), body);
  }
}

}  // namespace araia::detail
