// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Shapes of the CUDA kernels over BCSC as they are built, by the parameters of the 2019 thesis; free of CUDA, so that
// descriptors refuse what is not built on every machine.

#include <array>
#include <cstddef>
#include <iterator>
#include <string>

namespace araia::cuda {

/// A shape of lane and warp of bcsc_spmm_tiled, as built: `lanes` over columns with `packs` of 16 bytes each, `rows`
/// a lane.
struct BcscTiledShape {
  int lanes;
  int packs;
  int rows;
  [[nodiscard]] constexpr int columns(std::size_t scalar_bytes) const {
    return lanes * packs * (16 / static_cast<int>(scalar_bytes));
  }
};
/// By falling width; 16 rows a lane for chunks that are multiplied whole.
inline constexpr BcscTiledShape bcsc_tiled_shapes[] = {{32, 2, 8},  {32, 2, 16}, {32, 1, 8},
                                                       {32, 1, 16}, {16, 1, 4},  {8, 1, 2}};

inline constexpr int bcsc_tiled_depth = 32;       ///< block columns of a chunk
inline constexpr int bcsc_tiled_window = 128;     ///< rows of a block that a thread block takes, at most
inline constexpr int bcsc_tiled_most_stages = 4;  ///< and at least 2

/// A shape of bcsc_spmm_thread_tiles, as built.
struct BcscThreadTile {
  int threads_x = 16;  ///< over columns
  int threads_y = 16;  ///< over rows
  int items_x = 4;     ///< columns a thread, threads_x apart
  int items_y = 8;     ///< rows a thread, threads_y apart
  int k_tile = 16;     ///< block columns at once
  [[nodiscard]] constexpr int rows() const { return threads_y * items_y; }
  [[nodiscard]] constexpr int columns() const { return threads_x * items_x; }
  [[nodiscard]] constexpr int threads() const { return threads_x * threads_y; }
  friend constexpr bool operator==(BcscThreadTile const&, BcscThreadTile const&) = default;
};
/// Tables 4.4 (the first two) and 4.7 of the thesis.
inline constexpr BcscThreadTile bcsc_thread_tiles[] = {{16, 16, 4, 8, 16}, {8, 32, 4, 4, 32}, {8, 16, 1, 1, 32},
                                                       {8, 16, 2, 1, 32},  {8, 16, 4, 1, 16}, {16, 8, 4, 1, 16},
                                                       {16, 8, 4, 4, 16},  {16, 8, 8, 4, 16}, {32, 8, 8, 4, 16}};
inline constexpr int bcsc_thread_tiles_most_stages = 2;  ///< and at least 1

/// What a caller asks of bcsc/tiled; 0: by rule.
struct BcscTileAsked {
  int threads_x = 0;      ///< threads, or lanes, over columns
  int threads_y = 0;      ///< over rows
  int items_x = 0;        ///< columns a thread
  int items_y = 0;        ///< rows a thread
  int k_tile = 0;         ///< block columns of a chunk
  int stages = 0;         ///< chunks in shared memory
  int vector_width = 0;   ///< columns a load of B
  int parts = 0;          ///< thread blocks that share a block's columns
  int dense_percent = 0;  ///< a chunk filled to this part is multiplied whole
  friend bool operator==(BcscTileAsked const&, BcscTileAsked const&) = default;
};

/// One that is built. Those of bcsc_tiled_shapes have warps of their own that fill chunks, at least two of them, and
/// blocks of at most 128 rows at once; those of bcsc_thread_tiles fill and multiply with all threads.
struct BcscTile {
  BcscThreadTile shape;
  bool own_producers;
  int place;  ///< in bcsc_tiled_shapes or in bcsc_thread_tiles
};

inline constexpr std::size_t bcsc_tile_count = std::size(bcsc_tiled_shapes) + std::size(bcsc_thread_tiles);

/// All that are built for scalars of so many bytes, those with producers first.
constexpr std::array<BcscTile, bcsc_tile_count> bcsc_tiles(std::size_t scalar_bytes) {
  std::array<BcscTile, bcsc_tile_count> all{};
  std::size_t k = 0;
  for (std::size_t i = 0; i < std::size(bcsc_tiled_shapes); ++i) {
    auto const& s = bcsc_tiled_shapes[i];
    all[k++] = BcscTile{BcscThreadTile{s.lanes, bcsc_tiled_window / s.rows, s.columns(scalar_bytes) / s.lanes, s.rows,
                                       bcsc_tiled_depth},
                        true, static_cast<int>(i)};
  }
  for (std::size_t i = 0; i < std::size(bcsc_thread_tiles); ++i)
    all[k++] = BcscTile{bcsc_thread_tiles[i], false, static_cast<int>(i)};
  return all;
}

/// Whether the shape is what was asked for.
constexpr bool is_asked(BcscTile const& tile, BcscTileAsked const& asked, std::size_t scalar_bytes) {
  auto const agrees = [](int wanted, int has) { return wanted == 0 || wanted == has; };
  auto const& s = tile.shape;
  if (!agrees(asked.threads_x, s.threads_x) || !agrees(asked.threads_y, s.threads_y) ||
      !agrees(asked.items_x, s.items_x) || !agrees(asked.items_y, s.items_y) || !agrees(asked.k_tile, s.k_tile))
    return false;
  int const pack = 16 / static_cast<int>(scalar_bytes);
  if (tile.own_producers)
    return (asked.stages == 0 || (asked.stages >= 2 && asked.stages <= bcsc_tiled_most_stages)) &&
           agrees(asked.vector_width, pack) &&
           (asked.parts == 0 || asked.parts == 1 || asked.parts == 2 || asked.parts == 4 || asked.parts == 8) &&
           asked.dense_percent >= 0 && asked.dense_percent <= 1000;
  return asked.stages >= 0 && asked.stages <= bcsc_thread_tiles_most_stages &&
         (agrees(asked.vector_width, pack) || asked.vector_width == 1) && asked.parts <= 1 && asked.dense_percent == 0;
}

/// The first shape that is what was asked for, or null. \param compact  thread tiles read the wide form alone
[[nodiscard]] inline BcscTile const* find_bcsc_tile(BcscTileAsked const& asked, std::size_t scalar_bytes,
                                                    bool compact) {
  static constexpr auto of_float = bcsc_tiles(sizeof(float));
  static constexpr auto of_double = bcsc_tiles(sizeof(double));
  for (auto const& tile : scalar_bytes == sizeof(float) ? of_float : of_double)
    if (is_asked(tile, asked, scalar_bytes) && (tile.own_producers || !compact)) return &tile;
  return nullptr;
}

/// What is built, for refusals: "{threads_x 32, ..., stages 2 to 4}, ...".
[[nodiscard]] inline std::string bcsc_tiles_list(std::size_t scalar_bytes, bool compact) {
  std::string text;
  for (auto const& tile : bcsc_tiles(scalar_bytes)) {
    if (!tile.own_producers && compact) continue;
    auto const& s = tile.shape;
    text += (text.empty() ? "{threads_x " : ", {threads_x ") + std::to_string(s.threads_x) + ", threads_y " +
            std::to_string(s.threads_y) + ", items_x " + std::to_string(s.items_x) + ", items_y " +
            std::to_string(s.items_y) + ", k_tile " + std::to_string(s.k_tile) +
            (tile.own_producers ? ", stages 2 to 4}" : ", stages 1 or 2}");
  }
  std::string const pack = std::to_string(16 / static_cast<int>(scalar_bytes));
  return text + (compact ? "" : ", these with vector_width 1 or " + pack) +
         "; those of 2 to 4 stages with parts 1, 2, 4 or 8, dense_percent 1 to 1000, vector_width " + pack;
}

/// What a caller asks of bcsc/warp_centric; 0: by rule.
struct BcscWarpAsked {
  int warp_size = 0;     ///< lanes of a logical warp
  int warps = 0;         ///< logical ones a thread block
  int vector_width = 0;  ///< columns a lane
  friend bool operator==(BcscWarpAsked const&, BcscWarpAsked const&) = default;
};
inline constexpr int bcsc_most_warp_threads = 256;  ///< of a thread block of bcsc_spmm_warp_centric

/// Empty, or what is wrong: "warp_size is 12, expected 8, 16 or 32".
[[nodiscard]] inline std::string why_not_bcsc_warps(BcscWarpAsked const& asked, std::size_t scalar_bytes) {
  auto const wrong = [](char const* name, int got, std::string const& expected) {
    return std::string(name) + " is " + std::to_string(got) + ", expected " + expected;
  };
  int const size = asked.warp_size == 0 ? 32 : asked.warp_size;
  if (size != 8 && size != 16 && size != 32) return wrong("warp_size", size, "8, 16 or 32");
  if (asked.warps < 0 || asked.warps * size > bcsc_most_warp_threads || asked.warps * size % 32 != 0)
    return wrong(
        "warps", asked.warps,
        "a number of warps of " + std::to_string(size) + " lanes that make 32 to 256 threads, a multiple of 32");
  int const pack = 16 / static_cast<int>(scalar_bytes);
  if (asked.vector_width != 0 && asked.vector_width != 1 && asked.vector_width != pack)
    return wrong("vector_width", asked.vector_width, "1 or " + std::to_string(pack));
  return {};
}

}  // namespace araia::cuda
