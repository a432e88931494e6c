// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// LOBPCG's block kernels as Kokkos team policies, for every space.
// Mapping  league: chunks of rows, at most 512 | team: a tile of rows of all blocks in scratch, as doubles; then every
//          thread owns entries of the result, of Gram matrices a tile of 2 x 2. A second kernel adds the chunks' sums
//          in their order
// Traffic  every block once, written ones once; the chunk's sums once a tile. Barriers: a tile is there, and read.
//          Atomics: none. The same bits in every run: chunks depend on rows and columns alone
// Suits    spaces for which a backend has nothing better.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>

#include <araia/detail/formats/team_shape.hpp>
#include "src/kernel/lobpcg_blocks.hpp"

namespace araia::detail {

namespace lobpcg_portable {

inline constexpr std::int64_t most_chunks = 512;
inline constexpr std::int64_t fewest_rows = 256;  // of a chunk
inline constexpr int scratch_bytes = 40 * 1024;   // of a team: what every device has
inline constexpr int most_tile_rows = 32;

template <class Exec>
inline constexpr int team_size = is_device_space<Exec> ? 256 : 1;

inline std::int64_t chunks_of(std::int64_t rows) {
  return std::clamp<std::int64_t>((rows + fewest_rows - 1) / fewest_rows, 1, most_chunks);
}

/// Rows of a tile of so many doubles a row.
inline int tile_rows_of(int doubles) {
  return std::clamp(scratch_bytes / (static_cast<int>(sizeof(double)) * std::max(doubles, 1)), 1, most_tile_rows);
}

template <class Exec>
using Policy = Kokkos::TeamPolicy<Exec>;
template <class Exec>
using Member = typename Policy<Exec>::member_type;

template <class Exec>
Policy<Exec> policy(Exec const& exec, std::int64_t rows, int doubles) {
  return Policy<Exec>(exec, static_cast<int>(chunks_of(rows)), team_size<Exec>)
      .set_scratch_size(0, Kokkos::PerTeam(static_cast<std::size_t>(doubles) * sizeof(double)));
}

/// The chunk's rows, tile by tile: body(first row, rows).
template <class Team, class Body>
KOKKOS_INLINE_FUNCTION void for_each_tile(Team const& team, std::int64_t rows, int tile_rows, Body const& body) {
  std::int64_t const chunks = team.league_size();
  std::int64_t const chunk = team.league_rank();
  std::int64_t const size = rows / chunks;
  std::int64_t const rest = rows % chunks;
  std::int64_t const first = chunk * size + (chunk < rest ? chunk : rest);
  std::int64_t const last = first + size + (chunk < rest ? 1 : 0);
  for (std::int64_t row = first; row < last; row += tile_rows) {
    auto const left = last - row;
    body(row, left < tile_rows ? static_cast<int>(left) : tile_rows);
  }
}

/// to[i * ld + j] = block(row + i, j).
template <class Team, class T>
KOKKOS_INLINE_FUNCTION void load(Team const& team, Block<T> const& block, std::int64_t row, int rows, int ld,
                                 double* to) {
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows * block.cols), [&](int e) {
    int const i = e / block.cols;
    int const j = e - i * block.cols;
    to[i * ld + j] = static_cast<double>(block.data[(row + i) * block.ld + j]);
  });
}

template <class Team, class T>
KOKKOS_INLINE_FUNCTION void load_basis(Team const& team, Block<T const> const (&blocks)[3], int count, std::int64_t row,
                                       int rows, int ld, double* to) {
  int at = 0;
  for (int b = 0; b < count; ++b) {
    load(team, blocks[b], row, rows, ld, to + at);
    at += blocks[b].cols;
  }
}

/// out (left_cols x right_cols) += left' right over a tile.
template <class Team>
KOKKOS_INLINE_FUNCTION void add_products(Team const& team, double const* left, int left_ld, int left_cols,
                                         double const* right, int right_ld, int right_cols, int rows, double* out) {
  int const pairs_down = (left_cols + 1) / 2;
  int const pairs_across = (right_cols + 1) / 2;
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, pairs_down * pairs_across), [&](int e) {
    int const i = 2 * (e / pairs_across);
    int const j = 2 * (e % pairs_across);
    int const down = i + 1 < left_cols ? 1 : 0;
    int const across = j + 1 < right_cols ? 1 : 0;
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    for (int r = 0; r < rows; ++r) {
      double const* const l = left + r * left_ld + i;
      double const* const w = right + r * right_ld + j;
      a += l[0] * w[0];
      b += l[0] * w[across];
      c += l[down] * w[0];
      d += l[down] * w[across];
    }
    double* const to = out + static_cast<std::int64_t>(i) * right_cols + j;
    to[0] += a;
    if (across) to[1] += b;
    if (down) to[right_cols] += c;
    if (down && across) to[right_cols + 1] += d;
  });
}

template <class Team>
KOKKOS_INLINE_FUNCTION void clear(Team const& team, double* at, int count) {
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), [&](int e) { at[e] = 0; });
  team.team_barrier();  // others add to them
}

/// to[e] = the sum of parts[chunk * stride + e] over chunks, in their order, where `to` is wanted.
template <class Exec>
static void add_chunks(Exec const& exec, double const* parts, std::int64_t chunks, std::int64_t stride, int count,
                       double* to) {
  if (!to || count == 0) return;
  Kokkos::parallel_for(
      "araia::lobpcg::sums", Kokkos::RangePolicy<Exec>(exec, 0, count), KOKKOS_LAMBDA(int e) {
        double sum = 0;
        for (std::int64_t c = 0; c < chunks; ++c) sum += parts[c * stride + e];
        to[e] = sum;
      });
}

template <class T>
int columns_of(LobpcgBasis<T> const& basis) {
  int m = 0;
  for (int b = 0; b < basis.blocks; ++b) m += basis.s[b].cols;
  return m;
}

}  // namespace lobpcg_portable

/// Bytes of workspace for blocks of so many rows and at most so many columns.
inline std::int64_t lobpcg_portable_workspace_bytes(std::int64_t rows, int columns) {
  std::int64_t const m = 3 * static_cast<std::int64_t>(columns);
  return lobpcg_portable::chunks_of(rows) * std::max<std::int64_t>(2 * m * m, 3 * lobpcg_most_columns) *
         static_cast<std::int64_t>(sizeof(double));
}

/// All entries, whatever only_r says, unless A of other blocks is not there.
template <class Exec, class T>
static void lobpcg_gram_portable(Exec const& exec, LobpcgGram<T> const& of, double* workspace) {
  using namespace lobpcg_portable;
  int const m = columns_of(of.basis);
  bool const only_r = of.only_r && of.basis.blocks > 1;
  int const first = only_r ? of.basis.s[0].cols : 0;  // columns of A S and B S that are read
  int const count = only_r ? of.basis.s[1].cols : m;
  bool const with_b = of.basis.bs[only_r ? 1 : 0].data != nullptr;
  int const width = m + count * (with_b ? 2 : 1);
  int const tile_rows = tile_rows_of(width);
  std::int64_t const entries = static_cast<std::int64_t>(m) * count;
  std::int64_t const stride = 2 * entries;
  auto const team_policy = policy(exec, of.basis.rows, tile_rows * width);
  std::int64_t const chunks = team_policy.league_size();
  Kokkos::parallel_for(
      "araia::lobpcg::gram", team_policy, KOKKOS_LAMBDA(Member<Exec> const& team) {
        auto* const s = static_cast<double*>(
            team.team_shmem().get_shmem(static_cast<std::size_t>(tile_rows * width) * sizeof(double)));
        double* const as = s + tile_rows * m;
        double* const bs = as + tile_rows * count;
        double* const sums = workspace + team.league_rank() * stride;
        clear(team, sums, static_cast<int>(stride));
        for_each_tile(team, of.basis.rows, tile_rows, [&](std::int64_t row, int rows) {
          load_basis(team, of.basis.s, of.basis.blocks, row, rows, m, s);
          auto const load_right = [&](Block<T const> const(&blocks)[3], double* to) {
            if (only_r)
              load(team, blocks[1], row, rows, count, to);
            else
              load_basis(team, blocks, of.basis.blocks, row, rows, count, to);
          };
          if (of.g) load_right(of.basis.as, as);
          if (of.h && with_b) load_right(of.basis.bs, bs);
          team.team_barrier();  // the tile is there
          if (of.g) add_products(team, s, m, m, as, count, count, rows, sums);
          if (of.h)
            add_products(team, s, m, m, with_b ? bs : s + first, with_b ? count : m, count, rows, sums + entries);
          team.team_barrier();  // and read
        });
      });
  double* const g = of.g;
  double* const h = of.h;
  Kokkos::parallel_for(
      "araia::lobpcg::sums", Kokkos::RangePolicy<Exec>(exec, 0, m * m), KOKKOS_LAMBDA(int e) {
        int i = e / m;
        int j = e - i * m;
        bool const there = j >= first && j < first + count;
        if (!there || (i >= first && i < first + count && i > j)) {  // the mirror image
          int const other = i;
          i = j;
          j = other;
        }
        bool const known = j >= first && j < first + count;
        std::int64_t const at = static_cast<std::int64_t>(i) * count + (j - first);
        double of_g = 0;
        double of_h = 0;
        for (std::int64_t c = 0; known && c < chunks; ++c) {
          of_g += workspace[c * stride + at];
          of_h += workspace[c * stride + entries + at];
        }
        if (g) g[e] = of_g;
        if (h) h[e] = of_h;
      });
}

template <class Exec, class T>
static void lobpcg_update_portable(Exec const& exec, LobpcgUpdate<T> const& of, double* workspace) {
  using namespace lobpcg_portable;
  int const m = columns_of(of.basis);
  int const kx = of.kx;
  bool const with_a = of.basis.as[0].data != nullptr;
  bool const with_b = of.basis.bs[0].data != nullptr;
  int const width = m + 3 * kx;
  int const tile_rows = tile_rows_of(width);
  constexpr std::int64_t stride = 3 * lobpcg_most_columns;
  auto const team_policy = policy(exec, of.basis.rows, tile_rows * width);
  std::int64_t const chunks = team_policy.league_size();
  Kokkos::parallel_for(
      "araia::lobpcg::update", team_policy, KOKKOS_LAMBDA(Member<Exec> const& team) {
        auto* const old = static_cast<double*>(
            team.team_shmem().get_shmem(static_cast<std::size_t>(tile_rows * width) * sizeof(double)));
        double* const x = old + tile_rows * m;
        double* const ax = x + tile_rows * kx;
        double* const bx = ax + tile_rows * kx;
        double* const sums = workspace + team.league_rank() * stride;
        clear(team, sums, static_cast<int>(stride));
        for_each_tile(team, of.basis.rows, tile_rows, [&](std::int64_t row, int rows) {
          auto const multiply = [&](double const* c, int k, Block<T> const& to, double* out) {
            Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows * k), [&](int e) {
              int const i = e / k;
              int const j = e - i * k;
              double sum = 0;
              for (int l = 0; l < m; ++l) sum += old[i * m + l] * c[l * k + j];
              if (out) out[e] = sum;
              if (to.data) to.data[(row + i) * to.ld + j] = static_cast<T>(sum);
            });
          };
          auto const turn = [&](Block<T const> const(&blocks)[3], Block<T> const& new_x, Block<T> const& new_p,
                                double* out) {
            load_basis(team, blocks, of.basis.blocks, row, rows, m, old);
            team.team_barrier();  // the tile is there, so that rows may be overwritten
            multiply(of.c, kx, new_x, out);
            if (of.kp > 0 && new_p.data) multiply(of.d, of.kp, new_p, nullptr);
            team.team_barrier();  // and read
          };
          auto const add_squares = [&](double const* values, double* to) {
            Kokkos::parallel_for(Kokkos::TeamThreadRange(team, kx), [&](int j) {
              double sum = 0;
              for (int i = 0; i < rows; ++i) sum += values[i * kx + j] * values[i * kx + j];
              to[j] += sum;
            });
          };
          turn(of.basis.s, of.x, of.p, x);
          if (of.x_squares) add_squares(x, sums + 2 * lobpcg_most_columns);
          if (with_b) turn(of.basis.bs, of.bx, of.bp, bx);
          if (with_a) {
            turn(of.basis.as, of.ax, of.ap, ax);
            if (of.ax_squares) add_squares(ax, sums + lobpcg_most_columns);
          }
          team.team_barrier();  // squares are added: the values may change
          if (!with_a || !(of.r.data || of.r_squares)) return;
          double const* const product = with_b ? bx : x;
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows * kx),
                               [&](int e) { ax[e] -= of.theta[e % kx] * product[e]; });
          team.team_barrier();  // residuals are there
          add_squares(ax, sums);
          if (of.r.data)
            Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows * of.active_count), [&](int e) {
              int const i = e / of.active_count;
              int const q = e - i * of.active_count;
              double const factor = of.inverse_diagonal ? static_cast<double>(of.inverse_diagonal[row + i]) : 1.0;
              of.r.data[(row + i) * of.r.ld + q] = static_cast<T>(factor * ax[i * kx + of.active[q]]);
            });
          team.team_barrier();  // and read
        });
      });
  add_chunks(exec, workspace, chunks, stride, kx, of.r_squares);
  add_chunks(exec, workspace + lobpcg_most_columns, chunks, stride, kx, of.ax_squares);
  add_chunks(exec, workspace + 2 * lobpcg_most_columns, chunks, stride, kx, of.x_squares);
}

template <class Exec, class T>
static void lobpcg_cross_portable(Exec const& exec, LobpcgCross<T> const& of, double* workspace) {
  using namespace lobpcg_portable;
  int const width = of.x.cols + of.w.cols;
  int const tile_rows = tile_rows_of(width);
  int const entries = of.x.cols * of.w.cols;
  int const of_w = of.w.cols * of.w.cols;
  std::int64_t const stride = entries + of_w;
  auto const team_policy = policy(exec, of.rows, tile_rows * width);
  std::int64_t const chunks = team_policy.league_size();
  Kokkos::parallel_for(
      "araia::lobpcg::cross", team_policy, KOKKOS_LAMBDA(Member<Exec> const& team) {
        auto* const x = static_cast<double*>(
            team.team_shmem().get_shmem(static_cast<std::size_t>(tile_rows * width) * sizeof(double)));
        double* const w = x + tile_rows * of.x.cols;
        double* const sums = workspace + team.league_rank() * stride;
        clear(team, sums, static_cast<int>(stride));
        for_each_tile(team, of.rows, tile_rows, [&](std::int64_t row, int rows) {
          load(team, of.x, row, rows, of.x.cols, x);
          load(team, of.w, row, rows, of.w.cols, w);
          team.team_barrier();  // the tile is there
          add_products(team, x, of.x.cols, of.x.cols, w, of.w.cols, of.w.cols, rows, sums);
          if (of.ww) add_products(team, w, of.w.cols, of.w.cols, w, of.w.cols, of.w.cols, rows, sums + entries);
          team.team_barrier();  // and read
        });
      });
  add_chunks(exec, workspace, chunks, stride, entries, of.c);
  add_chunks(exec, workspace + entries, chunks, stride, of_w, of.ww);
}

template <class Exec, class T>
static void lobpcg_subtract_portable(Exec const& exec, LobpcgSubtract<T> const& of, double* workspace) {
  using namespace lobpcg_portable;
  int const width = of.x.cols + of.w.cols;
  int const tile_rows = tile_rows_of(width);
  int const of_w = of.w.cols * of.w.cols;
  auto const team_policy = policy(exec, of.rows, tile_rows * width);
  std::int64_t const chunks = team_policy.league_size();
  Kokkos::parallel_for(
      "araia::lobpcg::subtract", team_policy, KOKKOS_LAMBDA(Member<Exec> const& team) {
        auto* const x = static_cast<double*>(
            team.team_shmem().get_shmem(static_cast<std::size_t>(tile_rows * width) * sizeof(double)));
        double* const w = x + tile_rows * of.x.cols;
        double* const sums = workspace + static_cast<std::int64_t>(team.league_rank()) * of_w;
        clear(team, sums, of_w);
        for_each_tile(team, of.rows, tile_rows, [&](std::int64_t row, int rows) {
          load(team, of.x, row, rows, of.x.cols, x);
          team.team_barrier();  // the tile is there
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows * of.w.cols), [&](int e) {
            int const i = e / of.w.cols;
            int const j = e - i * of.w.cols;
            T& to = of.w.data[(row + i) * of.w.ld + j];
            double sum = 0;
            for (int l = 0; l < of.x.cols; ++l) sum += x[i * of.x.cols + l] * of.c[l * of.w.cols + j];
            to = static_cast<T>(static_cast<double>(to) - sum);
            w[e] = static_cast<double>(to);
          });
          team.team_barrier();  // the new tile is there
          if (of.ww) add_products(team, w, of.w.cols, of.w.cols, w, of.w.cols, of.w.cols, rows, sums);
          team.team_barrier();  // and read
        });
      });
  add_chunks(exec, workspace, chunks, of_w, of_w, of.ww);
}

}  // namespace araia::detail
