// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA kernels over BCSC as it is: shapes, cuts of rows, column counts, alignments, inputs that are not finite.

#include <gtest/gtest.h>

#include <algorithm>
#include <araia/error.hpp>
#include <cstdint>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "backends/cuda/bcsc_spmm.hpp"
#include "backends/cuda/device_bcsc.hpp"
#include "backends/cuda/expect_spmm.hpp"

namespace {

using namespace araia;
using namespace araia::test::spmm;
using test::BcscCut;
using test::Dense;
using test::DeviceBcsc;
using test::DeviceBcscCompact;
using test::random_columns;
using test::ZooMatrix;
using test::ZooPattern;

std::string describe(cuda::BcscSpmmTuning const& t) {
  auto const s = [](int v) { return " " + std::to_string(v); };
  switch (t.kernel) {
    case cuda::BcscKernel::tiled:
      return "tiled" + s(t.tiled.columns) + s(t.tiled.rows) + s(t.tiled.parts) + s(t.tiled.stages) +
             s(t.tiled.dense_percent);
    case cuda::BcscKernel::thread_tiles: {
      auto const& tile = t.thread_tiles.shape;
      return "thread_tiles" + s(tile.threads_x) + s(tile.threads_y) + s(tile.items_x) + s(tile.items_y) +
             s(tile.k_tile) + s(t.thread_tiles.stages) + s(t.thread_tiles.vector);
    }
    case cuda::BcscKernel::short_blocks:
      return "short_blocks" + s(t.short_blocks.lanes) + s(t.short_blocks.vector) + s(t.short_blocks.warps) +
             s(t.short_blocks.split);
    case cuda::BcscKernel::warp_centric:
      return "warp_centric" + s(t.warp_centric.lanes) + s(t.warp_centric.vector) + s(t.warp_centric.warps);
  }
  return "";
}

template <class T, class Offset>
void expect_bcsc_right(ZooMatrix<T, Offset> const& m, Operands const& o, Dense<T> const& b, BcscCut const& cut,
                       cuda::BcscSpmmTuning const& tuning, std::string const& name) {
  DeviceBcsc<T, Offset> const a(m, cut);
  if (a.pointers.nnz == 0) return;  // callers scale C then
  auto const expect_form = [&](auto const& pointers, char const* form) {
    expect_right<T, Offset>(m, o, b,
                            std::string(form) + describe(tuning) + ": " + name + ", height " +
                                std::to_string(cut.height) + (cut.uneven ? ", uneven" : "") +
                                (cut.split ? ", split" : ""),
                            [&](T alpha, auto const& bs, T beta, auto const& cs) {
                              cuda::bcsc_spmm(pointers, alpha, bs, beta, cs, tuning, nullptr);
                            });
  };
  expect_form(a.pointers, "");
  if (tuning.kernel == cuda::BcscKernel::short_blocks || tuning.kernel == cuda::BcscKernel::thread_tiles) return;
  std::size_t const before = o.first + static_cast<std::size_t>(o.columns % 4);
  if (cut.height <= 256)
    expect_form(DeviceBcscCompact<T, Offset, std::uint8_t>(a, o.columns % 2 == 0, before).pointers, "compact ");
  if (cut.height > 256 || o.columns % 5 == 0)
    expect_form(DeviceBcscCompact<T, Offset, std::uint16_t>(a, o.columns % 3 == 0, before).pointers,
                "compact, rows of 16 bits, ");
}

cuda::BcscSpmmTuning tiled(int columns, int rows, int parts, int stages, int dense_percent) {
  return {.kernel = cuda::BcscKernel::tiled, .tiled = {columns, rows, parts, stages, dense_percent}};
}
cuda::BcscSpmmTuning in_registers(int lanes, int vector, int warps, int split = 1) {
  return {.kernel = cuda::BcscKernel::short_blocks, .short_blocks = {lanes, vector, warps, split}};
}
cuda::BcscSpmmTuning warp_centric(int lanes, int vector, int warps) {
  return {.kernel = cuda::BcscKernel::warp_centric, .warp_centric = {lanes, vector, warps, false}};
}

cuda::BcscSpmmTuning of_threads(cuda::BcscThreadTile const& shape, int stages, int vector = 0) {
  cuda::BcscSpmmTuning t;
  t.kernel = cuda::BcscKernel::thread_tiles;
  t.thread_tiles = {shape, stages, vector};
  return t;
}

class BcscSpmm : public test::OnCudaDevice {};

/// Every shape that is built.
template <class T>
std::vector<cuda::BcscSpmmTuning> tiled_shapes() {
  std::vector<cuda::BcscSpmmTuning> all;
  int k = 0;
  for (auto const& shape : cuda::bcsc_tiled_shapes) {
    all.push_back(tiled(shape.columns(sizeof(T)), shape.rows, 1 << k % 4, 2 + k % 3, k % 2 == 0 ? 0 : 1000));
    ++k;
  }
  return all;
}

/// Tiles of threads in every shape, loads of both widths, one stage and two.
template <class T, class Offset>
void every_thread_tile() {
  int turn = 0;
  for_each_pattern<T, Offset>([&](auto const& m, Operands const& o, auto const& b, std::string const& name) {
    for (auto const& shape : cuda::bcsc_thread_tiles)
      for (int const stages : {1, 2}) {
        // Blocks of one tile's rows, of fewer, of more than fit one thread block, and of many heights.
        BcscCut const cuts[] = {{shape.rows()}, {5}, {2 * shape.rows() + 3}, {40, true}, {64, false, true}};
        expect_bcsc_right(m, o, b, cuts[turn % 5], of_threads(shape, stages, turn % 2), name);
        ++turn;
      }
  });
}
TEST_F(BcscSpmm, HoldsTheBoundOnEveryTileOfThreadsF32) { every_thread_tile<float, std::int32_t>(); }
TEST_F(BcscSpmm, HoldsTheBoundOnEveryTileOfThreadsF64) { every_thread_tile<double, std::int32_t>(); }
TEST_F(BcscSpmm, HoldsTheBoundOnEveryTileOfThreadsF64WideOffsets) { every_thread_tile<double, std::int64_t>(); }

TEST_F(BcscSpmm, TilesOfThreadsHoldTheBoundAtEveryDensityAndWidth) {
  for (double const density : {0.01, 0.2, 1.0}) {
    auto const pattern = random_pattern(203, 311, density);
    ZooMatrix<float, std::int32_t> const m(pattern, true, false, 0);
    for (std::int64_t const columns : {7, 64, 132}) {
      Operands const o{columns, columns % 3, 0, 0.5, -1};
      auto const b = dense_b<float>(m.cols, o);
      for (auto const& shape : cuda::bcsc_thread_tiles)
        for (int const stages : {1, 2})
          for (int const vector : {1, 4})
            expect_bcsc_right(m, o, b, {shape.rows()}, of_threads(shape, stages, vector), pattern.name);
    }
    if (testing::Test::HasFailure()) return;
  }
}

template <class T, class Offset>
void every_shape() {
  constexpr int wide = 16 / static_cast<int>(sizeof(T));
  for_each_pattern<T, Offset>([](auto const& m, Operands const& o, auto const& b, std::string const& name) {
    for (BcscCut const cut : {BcscCut{128}, BcscCut{300}, BcscCut{40, true}, BcscCut{64, false, true}, BcscCut{1}}) {
      expect_bcsc_right(m, o, b, cut, tiled(8 * wide, 2, 4, 3, 20), name);
      expect_bcsc_right(m, o, b, cut, warp_centric(8, wide, 4), name);
    }
    for (BcscCut const cut : {BcscCut{3}, BcscCut{8}, BcscCut{16, true}, BcscCut{32, false, true}, BcscCut{27}}) {
      expect_bcsc_right(m, o, b, cut, in_registers(8, 2, 8, 4), name);
      expect_bcsc_right(m, o, b, cut, in_registers(16, wide, 3), name);
    }
  });
}
TEST_F(BcscSpmm, HoldsTheBoundOnEveryShapeF32) { every_shape<float, std::int32_t>(); }
TEST_F(BcscSpmm, HoldsTheBoundOnEveryShapeF32WideOffsets) { every_shape<float, std::int64_t>(); }
TEST_F(BcscSpmm, HoldsTheBoundOnEveryShapeF64) { every_shape<double, std::int32_t>(); }
TEST_F(BcscSpmm, HoldsTheBoundOnEveryShapeF64WideOffsets) { every_shape<double, std::int64_t>(); }

template <class T>
void every_column_count() {
  constexpr int wide = 16 / static_cast<int>(sizeof(T));
  for_each_column_count<T>([](auto const& m, Operands const& o, auto const& b, std::string const& name) {
    auto const shapes = tiled_shapes<T>();
    expect_bcsc_right(m, o, b, {64}, shapes[static_cast<std::size_t>(o.columns + o.padding) % shapes.size()], name);
    int const lanes = 8 << (o.columns + static_cast<std::int64_t>(o.first)) % 3;
    auto const one_of = static_cast<int>((o.columns + o.padding) % 3);
    expect_bcsc_right(m, o, b, {4 << one_of}, in_registers(lanes, lanes == 16 ? 1 : 4, 4, 1 << one_of), name);
    expect_bcsc_right(m, o, b, {32}, warp_centric(lanes, one_of == 0 ? 1 : wide, 2), name);
    for (std::int64_t const height : {8, 61}) {
      BcscCut const cut{height};
      DeviceBcsc<T, std::int32_t> const a(m, cut);
      expect_bcsc_right(m, o, b, cut, cuda::bcsc_spmm_tuning({a.pointers, o.columns, 132, 9, 227 * 1024}), name);
    }
  });
}
TEST_F(BcscSpmm, HoldsTheBoundOnEveryNumberOfColumnsAndAlignmentF32) { every_column_count<float>(); }
TEST_F(BcscSpmm, HoldsTheBoundOnEveryNumberOfColumnsAndAlignmentF64) { every_column_count<double>(); }

TEST_F(BcscSpmm, HoldsTheBoundAtEveryDensity) {
  for (double const density : {0.005, 0.05, 0.2, 0.5, 1.0}) {
    auto const pattern = random_pattern(203, 1111, density);
    Operands const o{136, 0, 0, 1, 0};
    ZooMatrix<float, std::int32_t> const m(pattern, true, false, 0);
    auto const b = dense_b<float>(m.cols, o);
    for (auto tuning : tiled_shapes<float>())
      for (int const dense_percent : {0, 25, 1000}) {
        tuning.tiled.dense_percent = dense_percent;
        expect_bcsc_right(m, o, b, {dense_percent == 25 ? 64 : 128, false, dense_percent == 25}, tuning, pattern.name);
      }
    for (std::int64_t const height : {4, 8, 16, 32}) {
      expect_bcsc_right(m, o, b, {height}, in_registers(32, 4, 8, 8), pattern.name);
      expect_bcsc_right(m, o, b, {height}, warp_centric(16, 4, 8), pattern.name);
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST_F(BcscSpmm, BlocksOfThousandsOfColumns) {
  // Offsets of the compact form are sums over all columns before, those of a cluster's later blocks over many.
  auto const pattern = random_pattern(150, 9000, 0.03);
  Operands const o{40, 0, 0, 1, 0};
  ZooMatrix<float, std::int32_t> const m(pattern, true, false, 0);
  auto const b = dense_b<float>(m.cols, o);
  for (int const parts : {1, 2, 4, 8})
    for (int const stages : {2, 4}) {
      expect_bcsc_right(m, o, b, {64}, tiled(64, 4, parts, stages, 25), pattern.name);
      expect_bcsc_right(m, o, b, {128, false, true}, tiled(32, 2, parts, stages, 25), pattern.name);
    }
  for (int const lanes : {8, 16, 32}) expect_bcsc_right(m, o, b, {64}, warp_centric(lanes, 4, 8), pattern.name);
}

TEST_F(BcscSpmm, ColumnsOfMoreThan256EntriesInABlock) {
  // Counts of the compact form have 8 bits, so such columns are stored in parts.
  ZooPattern pattern;
  pattern.name = "700 rows that share columns";
  pattern.cols = 40;
  std::mt19937 random(3);
  for (int row = 0; row < 700; ++row) {
    auto columns = random_columns(random, 3, pattern.cols - 1);
    for (auto& column : columns) ++column;
    columns.insert(columns.begin(), 0);
    if (row % 2 == 0 && columns.back() != 39) columns.push_back(39);
    pattern.add_row(columns);
  }
  for (std::int64_t const columns : {40, 42}) {
    Operands const o{columns, 0, 0, 1, 0};
    ZooMatrix<float, std::int32_t> const m(pattern, true, false, 0);
    auto const b = dense_b<float>(m.cols, o);
    for (int const parts : {1, 4})
      for (bool const hybrid : {false, true})
        expect_bcsc_right(m, o, b, {600, false, hybrid}, tiled(64, 4, parts, 2, 25), pattern.name);
    for (int const lanes : {8, 32}) expect_bcsc_right(m, o, b, {600}, warp_centric(lanes, 1, 8), pattern.name);
    if (testing::Test::HasFailure()) return;
  }
}

TEST_F(BcscSpmm, NotFiniteReachesTheRowsThatOwnTheColumn) {
  auto const pattern = random_pattern(97, 300, 0.1);
  for_each_not_finite(pattern, [&](auto const& m, Operands const& o, auto const& b) {
    for (auto tuning : tiled_shapes<float>())
      for (int const dense_percent : {0, 1000}) {
        tuning.tiled.dense_percent = dense_percent;
        expect_bcsc_right(m, o, b, {64}, tuning, pattern.name);
      }
    for (auto const& shape : cuda::bcsc_thread_tiles)
      for (int const stages : {1, 2})
        expect_bcsc_right(m, o, b, {shape.rows()}, of_threads(shape, stages), pattern.name);
    for (std::int64_t const height : {4, 8, 16, 32}) {
      expect_bcsc_right(m, o, b, {height}, in_registers(8, 4, 8), pattern.name);
      expect_bcsc_right(m, o, b, {height}, warp_centric(32, 1, 4), pattern.name);
    }
  });
}

TEST_F(BcscSpmm, AtomicsHoldTheBound) {
  auto const pattern = random_pattern(203, 500, 0.05);
  Operands const o{48, 0, 0, 1, 0.5};
  ZooMatrix<float, std::int32_t> const m(pattern, true, true, 0);
  // Products of small integers: every order of additions gives the same bits.
  auto b = dense_b<float>(m.cols, o);
  b.fill([](std::int64_t i, std::int64_t j) { return static_cast<double>((3 * i + 5 * j) % 7 - 3); });
  for (int const lanes : {8, 16, 32})
    for (int const vector : {1, 4})
      expect_bcsc_right(m, o, b, {64},
                        {.kernel = cuda::BcscKernel::warp_centric, .warp_centric = {lanes, vector, 8, true}},
                        pattern.name);
}

TEST_F(BcscSpmm, CapturesAndReplays) {
  auto const pattern = random_pattern(64, 256, 0.4);
  Operands const o{128, 0, 0, 1, 0};
  ZooMatrix<float, std::int32_t> const m(pattern, true, false, 0);
  auto const b = dense_b<float>(m.cols, o);
  for (auto const& [height, tuning] :
       {std::pair{64, tiled(128, 8, 4, 3, 25)}, std::pair{16, in_registers(32, 4, 8)},
        std::pair{32, warp_centric(32, 4, 8)}, std::pair{128, of_threads({16, 16, 4, 8, 16}, 2)}}) {
    DeviceBcsc<float, std::int32_t> const a(m, {height});
    expect_right<float, std::int32_t>(
        m, o, b, describe(tuning), [&](float alpha, auto const& bs, float beta, auto const& cs) {
          in_graph([&](cudaStream_t stream) { cuda::bcsc_spmm(a.pointers, alpha, bs, beta, cs, tuning, stream); });
        });
  }
}

TEST_F(BcscSpmm, WaitsForTheProductBefore) {
  constexpr std::int64_t n = 512;
  auto const pattern = random_pattern(n, n, 0.02);
  ZooMatrix<float, std::int32_t> m(pattern, true, false, 0);
  for (float& v : m.values) v *= 0.25f;
  for (auto const& [height, tuning] :
       {std::pair{64, tiled(64, 4, 4, 3, 25)}, std::pair{8, in_registers(16, 4, 8)},
        std::pair{32, warp_centric(16, 4, 8)}, std::pair{128, of_threads({16, 16, 4, 8, 16}, 1)}}) {
    DeviceBcsc<float, std::int32_t> const a(m, {height});
    expect_waits<float>(n, describe(tuning), [&](auto const& from, auto const& to) {
      cuda::bcsc_spmm(a.pointers, 1.0f, from, 0.0f, to, tuning, nullptr);
    });
  }
}

TEST(BcscSpmmTuning, TilesFitTheSharedMemoryOfTheDevice) {
  cuda::BcscSpmmProblem p;
  p.rows = 100'000;
  for (int const kib : {99, 163, 227})  // of compute capability 8.6 and 12.0, of 8.0, of 9.0
    for (std::int64_t const height : {1, 32, 33, 64, 100, 128, 129, 300})
      for (std::int64_t const columns : {1, 32, 64, 128, 256, 1000})
        for (int const bytes : {4, 8})
          for (std::int64_t const filled : {1, 2}) {  // of four
            p.block_height = height;
            p.blocks = (p.rows + height - 1) / height;
            p.block_columns = 200 * p.blocks;
            p.nnz = p.block_columns * height * filled / 4;
            p.columns = columns;
            p.scalar_bytes = bytes;
            p.shared_bytes = static_cast<std::size_t>(kib) * 1024;
            auto const t = cuda::bcsc_spmm_tuning(p, cuda::BcscKernel::tiled).tiled;
            auto const of_tuning = [&](cuda::BcscTiledShape const& shape) {
              return shape.columns(static_cast<std::size_t>(bytes)) == t.columns && shape.rows == t.rows;
            };
            auto const* const shape =
                std::find_if(std::begin(cuda::bcsc_tiled_shapes), std::end(cuda::bcsc_tiled_shapes), of_tuning);
            ASSERT_NE(shape, std::end(cuda::bcsc_tiled_shapes));
            EXPECT_LE(cuda::bcsc_tiled_least_shared(*shape, height, static_cast<std::size_t>(bytes)),
                      static_cast<std::int64_t>(p.shared_bytes))
                << kib << " KiB, blocks of " << height << ", " << columns << " columns of " << bytes << " bytes";
          }
  p.block_height = 128;
  p.columns = 256;
  auto const columns_of = [&](int bytes, std::size_t kib) {
    p.scalar_bytes = bytes;
    p.shared_bytes = kib * 1024;
    return cuda::bcsc_spmm_tuning(p, cuda::BcscKernel::tiled).tiled.columns;
  };
  EXPECT_EQ(columns_of(4, 227), 256);
  EXPECT_EQ(columns_of(4, 163), 256);
  EXPECT_EQ(columns_of(4, 99), 128);
  EXPECT_EQ(columns_of(8, 227), 128);
  EXPECT_EQ(columns_of(8, 99), 32) << "the columns of A alone are twice as much";
}

TEST(BcscSpmmTuning, WhatIsAskedForIsTakenAndTheRestIsTheRules) {
  cuda::BcscSpmmProblem p;
  p.rows = 100'000;
  p.block_height = 128;
  p.blocks = (p.rows + 127) / 128;
  p.block_columns = 200 * p.blocks;
  p.nnz = p.block_columns * 32;
  p.columns = 256;
  auto const by_rule = cuda::bcsc_spmm_tuning(p, cuda::BcscKernel::tiled).tiled;
  auto const asked = [&](cuda::BcscTileAsked const& a) { return cuda::bcsc_spmm_tuning(p, a); };
  EXPECT_EQ(asked({}).tiled, by_rule);
  auto expected = by_rule;
  expected.stages = 3;
  EXPECT_EQ(asked({.stages = 3}).tiled, expected) << "the rule's shape, in three stages";
  EXPECT_EQ(asked({.stages = 3}).kernel, cuda::BcscKernel::tiled);
  EXPECT_EQ(asked({.stages = 1}).kernel, cuda::BcscKernel::thread_tiles);
  for (auto const& tile : cuda::bcsc_tiles(sizeof(float))) {
    auto const& s = tile.shape;
    auto const t = asked({.threads_x = s.threads_x,
                          .threads_y = s.threads_y,
                          .items_x = s.items_x,
                          .items_y = s.items_y,
                          .k_tile = s.k_tile});
    if (tile.own_producers) {
      EXPECT_EQ(t.kernel, cuda::BcscKernel::tiled);
      EXPECT_EQ(t.tiled.columns, s.columns());
      EXPECT_EQ(t.tiled.rows, s.items_y);
    } else {
      EXPECT_EQ(t.kernel, cuda::BcscKernel::thread_tiles);
      EXPECT_EQ(t.thread_tiles.shape, s);
    }
  }
  EXPECT_THROW((void)asked({.k_tile = 24}), Error);
  auto const warps = cuda::bcsc_spmm_tuning(p, cuda::BcscWarpAsked{.warp_size = 16, .warps = 16}, true).warp_centric;
  EXPECT_EQ(warps.lanes, 16);
  EXPECT_EQ(warps.warps, 8) << "256 threads";
  EXPECT_TRUE(warps.atomics);
  EXPECT_THROW((void)cuda::bcsc_spmm_tuning(p, cuda::BcscWarpAsked{.warp_size = 24}, false), Error);
}

TEST(BcscSpmmTuning, RefusesAShapeOutOfRange) {
  BcscPointers<float, std::int32_t, std::int32_t> a;
  a.rows = a.cols = 100;
  a.blocks = 2;
  a.block_height = 50;
  float value = 0;
  DenseMatrix<float const> const b{&value, 100, 8, 8, 1};
  DenseMatrix<float> const c{&value, 100, 8, 8, 1};
  for (auto const& tuning :
       {tiled(48, 8, 1, 3, 25), tiled(128, 8, 3, 3, 25), tiled(128, 8, 1, 1, 25), tiled(128, 8, 1, 5, 25),
        tiled(128, 8, 1, 3, -1), in_registers(8, 4, 8), warp_centric(7, 4, 8), warp_centric(8, 3, 8),
        warp_centric(8, 4, 0), of_threads({16, 16, 4, 8, 12}, 1), of_threads({16, 16, 4, 8, 16}, 3),
        of_threads({16, 16, 4, 8, 16}, 1, 2)})
    EXPECT_THROW(cuda::bcsc_spmm(a, 1.0f, b, 0.0f, c, tuning, nullptr), Error) << describe(tuning);
  a.block_height = 8;
  for (auto const& tuning : {in_registers(4, 4, 8), in_registers(8, 3, 8), in_registers(8, 4, 9),
                             in_registers(8, 4, 8, 3), in_registers(8, 4, 6, 4)})
    EXPECT_THROW(cuda::bcsc_spmm(a, 1.0f, b, 0.0f, c, tuning, nullptr), Error) << describe(tuning);
}

}  // namespace
