// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Parameters of the 2019 thesis's kernels: the rows "best parameters for each N" of its tables 4.2 to 4.7, as printed.
// Free of CUDA.

#include <string>

namespace araia::thesis {

/// ThreadsX, ThreadsY, ThreadItemsX, ThreadItemsY and K_Tile of the tiling kernel.
struct Tiling {
  int threads_x;  ///< over columns
  int threads_y;  ///< over rows
  int items_x;    ///< columns a thread, threads_x apart
  int items_y;    ///< rows a thread, threads_y apart
  int k_tile;     ///< block columns at once
  [[nodiscard]] constexpr int m_tile() const { return threads_y * items_y; }
  [[nodiscard]] constexpr int n_tile() const { return threads_x * items_x; }
  [[nodiscard]] constexpr int threads() const { return threads_x * threads_y; }
  friend constexpr bool operator==(Tiling const&, Tiling const&) = default;
};

/// What brings the tiles of A and B to shared memory (section 3.4.3, "prefetching").
enum class Prefetch {
  none,           ///< all threads, before they multiply: algorithm 3.10
  single_buffer,  ///< warps that do nothing else, into one pair of tiles: algorithm 3.12
  double_buffer   ///< likewise, into two pairs of tiles by turns: algorithm 3.13
};
[[nodiscard]] constexpr char const* to_string(Prefetch prefetch) {
  return prefetch == Prefetch::none ? "none" : prefetch == Prefetch::single_buffer ? "single" : "double";
}

struct NaiveRow {
  int columns;  ///< N
  int threads;  ///< number_of_threads, N_Tile
  int m_tile;
};
struct WarpRow {
  int columns;  ///< N
  int m_tile;
  int warps;      ///< number_of_warps, of warp_size threads
  int warp_size;  ///< N_Tile
};
struct TilingRow {
  int columns;  ///< N
  Tiling tiling;
};

// Matrices of pruned networks.
inline constexpr NaiveRow table_4_2[] = {{32, 32, 16},   {64, 64, 16},    {128, 128, 16}, {256, 256, 16},
                                         {512, 256, 16}, {1024, 256, 16}, {2048, 256, 16}};
inline constexpr WarpRow table_4_3[] = {{32, 64, 16, 16},    {64, 64, 16, 16},   {64, 128, 16, 16},
                                        {128, 128, 16, 16},  {256, 128, 16, 16}, {512, 128, 16, 16},
                                        {1024, 128, 16, 16}, {2048, 128, 16, 16}};
inline constexpr Tiling pruned_tiling{16, 16, 4, 8, 16};
inline constexpr TilingRow table_4_4[] = {{32, {8, 32, 4, 4, 32}}, {64, pruned_tiling},  {128, pruned_tiling},
                                          {256, pruned_tiling},    {512, pruned_tiling}, {1024, pruned_tiling},
                                          {2048, pruned_tiling}};

// Matrices of the SuiteSparse collection, above 0.99.
inline constexpr NaiveRow table_4_5[] = {{8, 8, 8},     {16, 16, 8},   {32, 32, 8},  {64, 64, 8},
                                         {128, 128, 8}, {256, 256, 8}, {512, 256, 8}};
inline constexpr WarpRow table_4_6[] = {{8, 16, 16, 8},   {8, 32, 32, 8},   {8, 64, 32, 8},  {16, 32, 16, 16},
                                        {16, 64, 16, 16}, {32, 32, 8, 32},  {32, 64, 8, 32}, {64, 64, 8, 32},
                                        {128, 64, 8, 32}, {256, 64, 8, 32}, {512, 64, 8, 32}};
inline constexpr TilingRow table_4_7[] = {{8, {8, 16, 1, 1, 32}},   {16, {8, 16, 2, 1, 32}}, {32, {8, 16, 4, 1, 16}},
                                          {64, {16, 8, 4, 1, 16}},  {64, {16, 8, 4, 4, 16}}, {128, {16, 8, 8, 4, 16}},
                                          {256, {32, 8, 8, 4, 16}}, {512, {32, 8, 8, 4, 16}}};

/// Every tiling of tables 4.4 and 4.7, once: what is built.
inline constexpr Tiling tilings[] = {{8, 32, 4, 4, 32}, {16, 16, 4, 8, 16}, {8, 16, 1, 1, 32},
                                     {8, 16, 2, 1, 32}, {8, 16, 4, 1, 16},  {16, 8, 4, 1, 16},
                                     {16, 8, 4, 4, 16}, {16, 8, 8, 4, 16},  {32, 8, 8, 4, 16}};

/// Whether a tiling is among the possible values of table 4.4 or 4.7, and its tiles fit the 48 KiB of shared memory
/// that the thesis had.
[[nodiscard]] constexpr bool is_possible(Tiling const& t) {
  auto const is_one_of = [](int value, int a, int b, int c, int d) {
    return value == a || value == b || value == c || value == d;
  };
  bool const items_4_4 = is_one_of(t.items_x, 1, 4, 8, 16) && is_one_of(t.items_y, 1, 4, 8, 16);
  bool const items_4_7 = is_one_of(t.items_x, 1, 2, 4, 8) && is_one_of(t.items_y, 1, 2, 4, 8);
  return is_one_of(t.threads_x, 8, 16, 32, 32) && is_one_of(t.threads_y, 8, 16, 32, 32) &&
         is_one_of(t.k_tile, 8, 16, 32, 32) && (items_4_4 || items_4_7) &&
         4 * (t.m_tile() + t.n_tile()) * t.k_tile <= 48 * 1024;
}

/// "threads_x 16, threads_y 16, items_x 4, items_y 8, k_tile 16"
[[nodiscard]] inline std::string to_string(Tiling const& t) {
  return "threads_x " + std::to_string(t.threads_x) + ", threads_y " + std::to_string(t.threads_y) + ", items_x " +
         std::to_string(t.items_x) + ", items_y " + std::to_string(t.items_y) + ", k_tile " + std::to_string(t.k_tile);
}

}  // namespace araia::thesis
