// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C, A in BCSC of any form; a team owns a tile of C and walks a block's columns k_tile at a time:
// they are made dense in scratch beside their rows of B, and each thread multiplies a register tile.
// Mapping  league: blocks x row windows of threads_y * items_y rows x parts of the block's columns x column tiles of
//          threads_x * items_x (tile fastest) | threads: threads_x over columns, threads_y over rows, one lane each. On
//          a device a thread's rows lie threads_y apart, its columns side by side as far as one load of 16 bytes takes
//          them; its sums stay in registers, and it goes through the entries of one row after the other. A host's team
//          is one thread, which goes along the rows, 32 columns in registers (SIMD), and keeps C's tile in scratch.
// Scratch  for each buffer (k_tile, rows) of A and (k_tile, columns) of B; a mask of k_tile bits a row, once more than
//          there are buffers, which says which slots hold entries: others are neither written nor multiplied, so that
//          what is not finite reaches the rows that store its column alone.
// Parts    with parts above 1 a block's columns are shared out among so many teams, each of which stores its sums in
//          memory that the caller brings; a second loop adds them in order.
// Barriers a step of k_tile block columns: with one buffer two, around its products; with two buffers one, as the next
//          step is loaded beside the products of this one.
// Traffic  double, int32: 12 B an entry and 8 B a block column (compact: 9 and 1 to 5) for each tile of columns; a row
//          of B a block column; C 8 B (16 B if beta != 0), and 16 B more for each part. Atomics on C: none; the same
//          bits in every run.
// Suits    tall blocks whose columns have many entries, and many columns of B. Any strides, row-major fastest.
//          alpha == 0 never comes here.
// Source   [Thesis2019], section 3.4.3 and algorithms 3.9 to 3.13; differs: masks, load by all threads in place of
//          warps of their own, blocks taller than a tile, compact indices.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <araia/detail/formats/bcsc_access.hpp>
#include <araia/detail/formats/bcsc_column_starts.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/kernels/bcsc_team_shapes.hpp>
#include <araia/detail/kernels/operands.hpp>

namespace araia::detail {

/// Shape of the tiled kernel on its space.
struct BcscTiledShape {
  int threads_x;
  int threads_y;
  int rows;     ///< of a tile of C
  int columns;  ///< of a tile of C
  int k_tile;
  int buffers;
  int parts;
  std::int64_t windows;  ///< of a block

  /// Threads that share the entries of a block column.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION int group(int team_size) const { return Kokkos::max(1, team_size / k_tile); }
};

/// Of a tile in scratch: a load takes 16 bytes.
template <class Sum>
inline constexpr std::size_t bcsc_tile_alignment = std::max<std::size_t>(16, alignof(Sum));

/// A team's arrays in scratch.
template <class Sum>
struct BcscTiles {
  Sum* a;               ///< (buffers, k_tile, rows)
  Sum* b;               ///< (buffers, k_tile, columns)
  Sum* c;               ///< host: (rows, columns)
  std::uint32_t* mask;  ///< (buffers + 1, rows) bit k: slot k of the row holds an entry
};

/// Where a step's block columns lie: the first of them, and its first entry.
struct BcscStep {
  std::int64_t first;
  std::int64_t entry;
};

/// Makes the step's block columns dense, and copies their rows of B; columns beyond those of C are zero. Every thread
/// of the team must call it, and a barrier must follow.
template <class Exec, class Team, class Pointers, class B, class Sum>
KOKKOS_INLINE_FUNCTION void load_tiles(Team const& team, BcscTiledShape const& shape, Pointers const& a, B const& b,
                                       std::int64_t block, BcscStep const& step, int count, std::int64_t low,
                                       std::int64_t first_column, std::int64_t columns, Sum* KOKKOS_RESTRICT a_tile,
                                       Sum* KOKKOS_RESTRICT b_tile, std::uint32_t* KOKKOS_RESTRICT mask) {
  int const group = shape.group(team.team_size());
  int const groups = team.team_size() / group;
  int const place = team.team_rank() % group;
  if (team.team_rank() < group * groups)
    for (int k = team.team_rank() / group; k < count; k += groups) {
      std::int64_t const first = column_first_entry(a, step.first, step.entry, step.first + k);
      std::int64_t const last = first + column_count(a, step.first + k);
      for (std::int64_t e = first + place; e < last; e += group) {
        auto const stored_row = a.row_in_block[e];
        std::int64_t const row = static_cast<std::int64_t>(stored_row) - low;
        // An entry that is there several times lies side by side: its first place adds the others.
        if (row < 0 || row >= shape.rows || (e > first && a.row_in_block[e - 1] == stored_row)) continue;
        Sum value = entry_value<Sum>(a, e);
        for (std::int64_t again = e + 1; again < last && a.row_in_block[again] == stored_row; ++again)
          value += entry_value<Sum>(a, again);
        a_tile[k * shape.rows + row] = value;
        if constexpr (is_device_space<Exec>)
          Kokkos::atomic_or(&mask[row], std::uint32_t{1} << k);  // other threads have other columns of the row
        else
          mask[row] |= std::uint32_t{1} << k;
      }
    }
  // Neighbours load neighbouring columns of B.
  int const lanes = is_device_space<Exec> ? shape.threads_x : 1;
  int const lane = team.team_rank() % lanes;
  for (int k = team.team_rank() / lanes; k < count; k += team.team_size() / lanes) {
    std::int64_t const row = block_column(a, block, step.first + k);
    for (int i = lane; i < shape.columns; i += lanes) {
      std::int64_t const column = first_column + i;
      b_tile[k * shape.columns + i] = column < columns ? static_cast<Sum>(b(row, column)) : Sum{};
    }
  }
}

/// Columns of a device's thread that lie side by side, read from scratch by one load.
template <int X, class Sum>
inline constexpr int bcsc_packed_columns = std::min<int>(X, std::max<int>(1, 16 / static_cast<int>(sizeof(Sum))));

template <class Sum, int P>
struct alignas(sizeof(Sum) * P) BcscPack {
  Sum value[P];
};

/// Column of the tile that item j of thread x is.
template <int X, class Sum>
KOKKOS_INLINE_FUNCTION int tile_column(int threads_x, int x, int j) {
  constexpr int packed = bcsc_packed_columns<X, Sum>;
  return (j / packed * threads_x + x) * packed + j % packed;
}

/// Device: sums += the tile of A times that of B, for the rows and columns of thread (x, y).
template <int X, int Y, class Sum>
KOKKOS_INLINE_FUNCTION void multiply_tiles(BcscTiledShape const& shape, int x, int y, Sum const* KOKKOS_RESTRICT a_tile,
                                           Sum const* KOKKOS_RESTRICT b_tile, std::uint32_t const* KOKKOS_RESTRICT mask,
                                           Sum (&sums)[Y][X]) {
  constexpr int packed = bcsc_packed_columns<X, Sum>;
  using Pack = BcscPack<Sum, packed>;
  auto const* const packs = reinterpret_cast<Pack const*>(b_tile) + x;
  int const packs_of_row = shape.columns / packed;
  for (int i = 0; i < Y; ++i) {
    int const row = y + i * shape.threads_y;
    for (std::uint32_t held = mask[row]; held != 0; held &= held - 1) {
      int const k = Kokkos::Experimental::countr_zero_builtin(held);
      Sum const of_a = a_tile[k * shape.rows + row];
      Pack const* const of_b = packs + k * packs_of_row;
      for (int j = 0; j < X / packed; ++j) {
        Pack const pack = of_b[j * shape.threads_x];
        for (int v = 0; v < packed; ++v) sums[i][j * packed + v] += of_a * pack.value[v];
      }
    }
  }
}

/// Host: W columns of C's row += the row of A's tile times that of B, in registers.
/// \param held  slots of the row with entries
template <int W, class Sum>
KOKKOS_INLINE_FUNCTION void multiply_row(BcscTiledShape const& shape, std::uint32_t held,
                                         Sum const* KOKKOS_RESTRICT of_a, Sum const* KOKKOS_RESTRICT of_b,
                                         Sum* KOKKOS_RESTRICT of_c) {
  Sum sums[W];
  for (int j = 0; j < W; ++j) sums[j] = of_c[j];
  for (; held != 0; held &= held - 1) {
    int const k = Kokkos::Experimental::countr_zero_builtin(held);
    Sum const value = of_a[k * shape.rows];
    Sum const* const row_of_b = of_b + k * shape.columns;
    for (int j = 0; j < W; ++j) sums[j] += value * row_of_b[j];
  }
  for (int j = 0; j < W; ++j) of_c[j] = sums[j];
}

/// C = alpha (the parts' sums, added in order) + beta C.
/// \param part_sums  (parts, rows, columns), rows as the matrix stores them
template <class Exec, class Pointers, class C, class Sum>
static void bcsc_spmm_add_parts(Exec const& exec, int parts, std::int64_t columns, Sum alpha, Pointers const& a,
                                Sum const* part_sums, Sum beta, C const& c) {
  std::int64_t const elements = a.rows * columns;
  auto const body = KOKKOS_LAMBDA(std::int64_t i) {
    Sum sum = part_sums[i];
    for (int part = 1; part < parts; ++part) sum += part_sums[part * elements + i];
    store_scaled(c(matrix_row(a, i / columns), i % columns), alpha, sum, beta);
  };
  check_functor_size<decltype(body)>();
  Kokkos::parallel_for("araia::spmm::bcsc::tiled::parts",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, elements), body);
}

/// \tparam X,Y    columns and rows of a register tile
/// \param  part_sums  (parts, rows, columns) where parts are above 1, else null
template <int X, int Y, class Exec, class Pointers, class B, class C, class Sum>
static void bcsc_spmm_tiled_of(Exec const& exec, BcscTiledShape const& shape, std::int64_t columns, Sum alpha,
                               Pointers const& a, B const& b, Sum beta, C const& c, Sum* part_sums) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  std::int64_t const tiles = (columns + shape.columns - 1) / shape.columns;
  std::size_t const a_bytes = sizeof(Sum) * static_cast<std::size_t>(shape.buffers * shape.k_tile * shape.rows);
  std::size_t const b_bytes = sizeof(Sum) * static_cast<std::size_t>(shape.buffers * shape.k_tile * shape.columns);
  std::size_t const c_bytes =
      is_device_space<Exec> ? 0 : sizeof(Sum) * static_cast<std::size_t>(shape.rows * shape.columns);
  std::size_t const mask_bytes = sizeof(std::uint32_t) * static_cast<std::size_t>((shape.buffers + 1) * shape.rows);
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    constexpr bool device = is_device_space<Exec>;
    constexpr int level = device ? 0 : 1;  // a host's first level is too small for some tiles
    std::int64_t const part = team.league_rank() / tiles % shape.parts;
    std::int64_t const window = team.league_rank() / tiles / shape.parts;
    std::int64_t const block = window / shape.windows;
    std::int64_t const first_row = block_first_row(a, block);
    std::int64_t const low = window % shape.windows * shape.rows;
    std::int64_t const rows = Kokkos::min<std::int64_t>(shape.rows, block_first_row(a, block + 1) - first_row - low);
    std::int64_t const first_column = team.league_rank() % tiles * shape.columns;
    BcscTiles<Sum> tile;
    tile.a = static_cast<Sum*>(team.team_scratch(level).get_shmem_aligned(a_bytes, bcsc_tile_alignment<Sum>));
    tile.b = static_cast<Sum*>(team.team_scratch(level).get_shmem_aligned(b_bytes, bcsc_tile_alignment<Sum>));
    tile.c = device ? nullptr : static_cast<Sum*>(team.team_scratch(level).get_shmem_aligned(c_bytes, alignof(Sum)));
    tile.mask =
        static_cast<std::uint32_t*>(team.team_scratch(level).get_shmem_aligned(mask_bytes, alignof(std::uint32_t)));
    if (rows <= 0) return;  // a block of fewer windows: all of its team's threads leave
    int const sets = shape.buffers + 1;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, sets * shape.rows), [&](int i) { tile.mask[i] = 0; });
    [[maybe_unused]] Sum sums[Y][X];  // of a device's thread
    for (int i = 0; i < Y; ++i)
      for (int j = 0; j < X; ++j) sums[i][j] = Sum{};
    if constexpr (!device)
      for (int i = 0; i < shape.rows * shape.columns; ++i) tile.c[i] = Sum{};
    team.team_barrier();  // masks are zero before the first load

    // The part's share of the block's steps.
    std::int64_t const of_block = a.block_offsets[block];
    std::int64_t const after_block = a.block_offsets[block + 1];
    std::int64_t const steps = (after_block - of_block + shape.k_tile - 1) / shape.k_tile;
    std::int64_t const begin = of_block + steps * part / shape.parts * shape.k_tile;
    std::int64_t const end =
        Kokkos::min<std::int64_t>(after_block, of_block + steps * (part + 1) / shape.parts * shape.k_tile);
    [[maybe_unused]] int const x = device ? team.team_rank() % shape.threads_x : 0;
    [[maybe_unused]] int const y = device ? team.team_rank() / shape.threads_x : 0;
    auto const count_at = [&](std::int64_t j) {
      return static_cast<int>(Kokkos::max<std::int64_t>(0, Kokkos::min<std::int64_t>(shape.k_tile, end - j)));
    };
    auto const load = [&](int turn, BcscStep const& step) {
      int const buffer = turn % shape.buffers;
      load_tiles<Exec>(team, shape, a, b, block, step, count_at(step.first), low, first_column, columns,
                       tile.a + buffer * shape.k_tile * shape.rows, tile.b + buffer * shape.k_tile * shape.columns,
                       tile.mask + turn % sets * shape.rows);
    };
    auto const multiply = [&](int turn) {
      int const buffer = turn % shape.buffers;
      Sum const* const of_a = tile.a + buffer * shape.k_tile * shape.rows;
      Sum const* const of_b = tile.b + buffer * shape.k_tile * shape.columns;
      std::uint32_t const* const mask = tile.mask + turn % sets * shape.rows;
      if constexpr (device) {
        multiply_tiles(shape, x, y, of_a, of_b, mask, sums);
      } else {
        constexpr int wide = 32, narrow = 8;  // columns, of which a tile has a multiple
        for (int row = 0; row < rows; ++row) {
          if (mask[row] == 0) continue;
          Sum* const of_c = tile.c + row * shape.columns;
          int column = 0;
          for (; column + wide <= shape.columns; column += wide)
            multiply_row<wide>(shape, mask[row], of_a + row, of_b + column, of_c + column);
          for (; column < shape.columns; column += narrow)
            multiply_row<narrow>(shape, mask[row], of_a + row, of_b + column, of_c + column);
        }
      }
    };
    // The masks that were read one step ago are cleared for the load that follows the next barrier.
    auto const clear = [&](int turn) {
      std::uint32_t* const mask = tile.mask + turn % sets * shape.rows;
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, shape.rows), [&](int i) { mask[i] = 0; });
    };
    auto const next = [&](BcscStep const& step) {
      std::int64_t const j = step.first + shape.k_tile;
      return BcscStep{j, j < end ? column_first_entry(a, step.first, step.entry, j) : 0};
    };

    BcscStep step{begin, begin < end ? first_entry_of_team(team, a, block, begin) : 0};
    int turn = 0;
    if (shape.buffers == 1) {
      for (; step.first < end; step = next(step), ++turn) {
        load(turn, step);
        team.team_barrier();  // the tiles are complete
        multiply(turn);
        clear(turn + 1);
        team.team_barrier();  // nobody reads the tiles any more
      }
    } else {
      if (step.first < end) load(turn, step);
      team.team_barrier();  // the first tiles are complete
      while (step.first < end) {
        BcscStep const following = next(step);
        if (following.first < end) load(turn + 1, following);
        multiply(turn);
        clear(turn + 2);
        team.team_barrier();  // the next tiles are complete, and nobody reads these any more
        step = following;
        ++turn;
      }
    }

    auto const store = [&](std::int64_t row, std::int64_t column, Sum const& sum) {
      if (row >= rows || first_column + column >= columns) return;
      if (part_sums)
        part_sums[(part * a.rows + first_row + low + row) * columns + first_column + column] = sum;
      else
        store_scaled(c(matrix_row(a, first_row + low + row), first_column + column), alpha, sum, beta);
    };
    if constexpr (device) {
      for (int i = 0; i < Y; ++i)
        for (int j = 0; j < X; ++j)
          store(y + i * shape.threads_y, tile_column<X, Sum>(shape.threads_x, x, j), sums[i][j]);
    } else {
      for (int row = 0; row < rows; ++row)
        for (int j = 0; j < shape.columns; ++j) store(row, j, tile.c[row * shape.columns + j]);
    }
  };
  check_functor_size<decltype(body)>();
  constexpr int level = is_device_space<Exec> ? 0 : 1;
  Policy policy(exec, one_per_team(a.blocks * shape.windows * shape.parts * tiles),
                is_device_space<Exec> ? shape.threads_x * shape.threads_y : 1);
  policy.set_scratch_size(level, Kokkos::PerTeam(a_bytes + b_bytes + c_bytes + mask_bytes +
                                                 3 * bcsc_tile_alignment<Sum> + alignof(std::uint32_t)));
  for_each_team("araia::spmm::bcsc::tiled", policy, body);
  if (part_sums) bcsc_spmm_add_parts(exec, shape.parts, columns, alpha, a, part_sums, beta, c);
}

/// The same with the register tile that the tuning asks for.
/// \param part_sums  tuning.parts * rows * columns sums where parts are above 1: C's products of each part
/// \throws araia::Error invalid_argument where a field of the tuning is none of those built, or where part_sums is null
template <class Exec, class Pointers, class B, class C, class Sum>
void bcsc_spmm_tiled_team(Exec const& exec, BcscTiledTuning const& asked, std::int64_t columns, Sum alpha,
                          Pointers const& a, B const& b, Sum beta, C const& c, Sum* part_sums) {
  std::int64_t const height = tallest_block(a);
  auto const t = completed<Exec>(asked, height, columns, sizeof(Sum));
  if (t.parts > 1 && !part_sums)
    throw Error(ErrorKind::invalid_argument,
                "tuning: " + not_built("parts", t.parts, "1, as plans alone bring memory for their sums"));
  if (t.parts == 1) part_sums = nullptr;
  BcscTiledShape shape{.threads_x = t.threads_x,
                       .threads_y = t.threads_y,
                       .rows = t.threads_y * t.items_y,
                       .columns = t.threads_x * t.items_x,
                       .k_tile = t.k_tile,
                       .buffers = t.buffers,
                       .parts = t.parts,
                       .windows = 1};
  shape.windows = (height + shape.rows - 1) / shape.rows;
  if constexpr (!is_device_space<Exec>) {
    // The code of a host goes by the tile alone.
    bcsc_spmm_tiled_of<1, 1>(exec, shape, columns, alpha, a, b, beta, c, part_sums);
  } else {
    if (t.items_x == 1)
      bcsc_spmm_tiled_of<1, 1>(exec, shape, columns, alpha, a, b, beta, c, part_sums);
    else if (t.items_x == 2)
      bcsc_spmm_tiled_of<2, 1>(exec, shape, columns, alpha, a, b, beta, c, part_sums);
    else if (t.items_x == 8)
      bcsc_spmm_tiled_of<8, 4>(exec, shape, columns, alpha, a, b, beta, c, part_sums);
    else if (t.items_y == 1)
      bcsc_spmm_tiled_of<4, 1>(exec, shape, columns, alpha, a, b, beta, c, part_sums);
    else if (t.items_y == 4)
      bcsc_spmm_tiled_of<4, 4>(exec, shape, columns, alpha, a, b, beta, c, part_sums);
    else
      bcsc_spmm_tiled_of<4, 8>(exec, shape, columns, alpha, a, b, beta, c, part_sums);
  }
}

}  // namespace araia::detail
