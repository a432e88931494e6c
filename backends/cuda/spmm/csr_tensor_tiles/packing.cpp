// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/spmm/csr_tensor_tiles/packing.hpp"

#include <algorithm>
#include <araia/error.hpp>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "backends/cuda/host_shares.hpp"

namespace araia::cuda {
namespace {

constexpr int banks = 32;

template <class Offset>
struct Entry {
  std::uint16_t position;
  float value;
  Offset first;  // of the matrix's entries that are summed here
  Offset last;
};

std::uint16_t position_of(std::int64_t row, std::int64_t column) {
  auto const r = static_cast<unsigned>(row % tile_side);
  auto const c = static_cast<unsigned>(column % tile_side);
  return static_cast<std::uint16_t>(4 * (r * tile_side + ((c / 4) ^ (r % 8)) * 4 + c % 4));
}

// The tiles of one row of tiles, by column.
template <class Offset>
class TileRowReader {
 public:
  using Tile = std::vector<Entry<Offset>>;

  explicit TileRowReader(CsrPointers<float, std::int32_t, Offset> const& a, std::int64_t col_tiles)
      : a_(a), tiles_(static_cast<std::size_t>(col_tiles)), place_(static_cast<std::size_t>(a.cols), 0) {}

  /// \param next  (nnz) where duplicates are noted, or null
  std::vector<Tile> const& read(std::int64_t tile_row, std::int32_t* next) {
    for (auto& tile : tiles_) tile.clear();
    std::int64_t const last = std::min(a_.rows, (tile_row + 1) * tile_side);
    for (std::int64_t row = tile_row * tile_side; row < last; ++row) {
      for (Offset k = a_.row_offsets[row]; k < a_.row_offsets[row + 1]; ++k) {
        std::int64_t const column = a_.col_indices[k];
        float const value = a_.values ? a_.values[k] : 1.0f;
        auto& tile = tiles_[static_cast<std::size_t>(column / tile_side)];
        auto& place = place_[static_cast<std::size_t>(column)];
        auto const position = position_of(row, column);
        if (place > 0 && place <= tile.size() && tile[place - 1].position == position) {
          auto& same = tile[place - 1];  // a duplicate
          same.value += value;
          if (next) next[same.last] = static_cast<std::int32_t>(k);
          same.last = k;
        } else {
          tile.push_back({position, value, k, k});
          place = tile.size();
        }
      }
    }
    return tiles_;
  }

 private:
  CsrPointers<float, std::int32_t, Offset> a_;
  std::vector<Tile> tiles_;
  std::vector<std::size_t> place_;  // (cols) 1 + place in its tile of a column's last entry; may be stale
};

template <class Tile>
std::size_t granules_of(Tile const& tile) {
  return (tile.size() + tile_granule - 1) / tile_granule;
}

// Round after round one entry of every bank that has one left, the fullest banks first.
template <class Tile>
void write_tile(Tile const& tile, float* values, std::uint16_t* positions, std::int32_t* sources) {
  std::array<Tile, banks> by_bank;
  for (auto const& entry : tile) by_bank[entry.position / 4 % banks].push_back(entry);
  std::stable_sort(by_bank.begin(), by_bank.end(), [](auto const& x, auto const& y) { return x.size() > y.size(); });
  std::size_t const slots = granules_of(tile) * tile_granule;
  std::size_t filled = 0;
  auto const put = [&](typename Tile::value_type const& entry) {
    std::size_t const store = filled / banks;
    std::size_t const slot = store / 2 * tile_granule + filled % banks * 2 + store % 2;
    // A NaN without payload: kernels round by integer additions.
    values[slot] = std::isnan(entry.value) ? std::numeric_limits<float>::quiet_NaN() : entry.value;
    positions[slot] = entry.position;
    if (sources) sources[slot] = static_cast<std::int32_t>(entry.first);
    ++filled;
  };
  for (std::size_t round = 0; filled < tile.size(); ++round)
    for (auto const& bank : by_bank)
      if (round < bank.size()) put(bank[round]);
  while (filled < slots) put(tile.front());
}

}  // namespace

template <class Offset>
TilePacking tile_packing(CsrPointers<float, std::int32_t, Offset> const& a, int threads, bool keep_sources) {
  TilePacking out;
  out.rows = a.rows;
  out.cols = a.cols;
  out.nnz = a.nnz;
  out.row_tiles = (a.rows + tile_side - 1) / tile_side;
  out.col_tiles = (a.cols + tile_side - 1) / tile_side;
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (out.row_tiles != 0 && out.col_tiles > most / out.row_tiles)
    throw Error(ErrorKind::resource_limit, "araia: tile_packing: tiles are " + std::to_string(out.row_tiles) + " x " +
                                               std::to_string(out.col_tiles) + ", expected at most " +
                                               std::to_string(most));
  auto const tiles_of_row = static_cast<std::size_t>(out.col_tiles);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(out.row_tiles) * tiles_of_row, 0);

  auto const for_rows = [&](auto const& work) {
    share(out.row_tiles, threads, [&](std::int64_t first, std::int64_t last) {
      TileRowReader<Offset> reader(a, out.col_tiles);
      for (std::int64_t row = first; row < last; ++row)
        work(static_cast<std::size_t>(row), reader.read(row, out.next.empty() ? nullptr : out.next.data()));
    });
  };
  for_rows([&](std::size_t row, auto const& tiles) {
    for (std::size_t t = 0; t < tiles_of_row; ++t)
      counts[row * tiles_of_row + t] = static_cast<std::int64_t>(granules_of(tiles[t]));
  });
  out.tile_offsets.reserve(counts.size() + 1);
  out.tile_offsets.push_back(0);
  std::int64_t granules = 0;
  for (auto const count : counts) {
    granules += count;
    if (granules > most)
      throw Error(ErrorKind::resource_limit, "araia: tile_packing: more granules of entries than 32 bits count");
    out.tile_offsets.push_back(static_cast<std::int32_t>(granules));
  }
  auto const slots = static_cast<std::size_t>(granules) * tile_granule;
  out.values.assign(slots, 0.0f);
  out.positions.assign(slots, 0);
  if (keep_sources) {
    out.sources.assign(slots, -1);
    out.next.assign(static_cast<std::size_t>(a.nnz), -1);
  }
  for_rows([&](std::size_t row, auto const& tiles) {
    for (std::size_t t = 0; t < tiles_of_row; ++t) {
      if (tiles[t].empty()) continue;
      auto const at = static_cast<std::size_t>(out.tile_offsets[row * tiles_of_row + t]) * tile_granule;
      write_tile(tiles[t], out.values.data() + at, out.positions.data() + at,
                 keep_sources ? out.sources.data() + at : nullptr);
    }
  });
  if (std::all_of(out.next.begin(), out.next.end(), [](std::int32_t n) { return n < 0; })) out.next.clear();
  return out;
}

template TilePacking tile_packing(CsrPointers<float, std::int32_t, std::int32_t> const&, int, bool);
template TilePacking tile_packing(CsrPointers<float, std::int32_t, std::int64_t> const&, int, bool);

}  // namespace araia::cuda
