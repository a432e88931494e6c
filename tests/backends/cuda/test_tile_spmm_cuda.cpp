// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tensor-core SpMM kernel in each of its precisions: shapes, column counts, alignments, inputs that are not finite;
// and its packing, which needs no device.

#include <gtest/gtest.h>

#include <algorithm>
#include <araia/error.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "backends/cuda/device_packings.hpp"
#include "backends/cuda/expect_spmm.hpp"
#include "backends/cuda/packing_prices.hpp"
#include "backends/cuda/spmm/csr_tensor_tiles/kernel.hpp"

namespace {

using namespace araia;
using namespace araia::test::spmm;
using cuda::TileSpmmTuning;
using test::Dense;
using test::DeviceArray;
using test::DeviceCsr;
using test::DeviceTiles;
using test::ZooMatrix;

double roundoff(Precision precision) { return araia::unit_roundoff(precision, sizeof(float)); }

template <class Offset>
void expect_tiles_right(ZooMatrix<float, Offset> const& m, Operands const& o, Dense<float> const& b,
                        Precision precision, TileSpmmTuning const& tuning, std::string const& name) {
  if (m.pointers().nnz == 0) return;  // callers scale C then
  DeviceTiles<Offset> const a(m);
  expect_right<float, Offset>(
      m, o, b,
      std::string(precision_name(precision)) + ": " + name + ", rows " + std::to_string(tuning.rows) + ", columns " +
          std::to_string(tuning.columns) + ", split " + std::to_string(tuning.split),
      [&](float alpha, auto const& bs, float beta, auto const& cs) {
        cuda::tile_spmm(a.pointers, a.csr.pointers, precision, alpha, bs, beta, cs, tuning, nullptr);
      },
      roundoff(precision), {}, precision);
}

template <class Offset>
void expect_all_precisions_right(ZooMatrix<float, Offset> const& m, Operands const& o, Dense<float> const& b,
                                 TileSpmmTuning const& tuning, std::string const& name) {
  for (Precision const precision : opt_in_precisions) expect_tiles_right(m, o, b, precision, tuning, name);
}

/// Where checks take turns at the precisions: blocks walk over a matrix alike in all of them, and the product of all
/// patterns, operands, tunings and precisions takes hours under tools that look for races.
Precision precision_of_turn(std::size_t turn) { return opt_in_precisions[turn % opt_in_precisions.size()]; }

class CudaTileSpmm : public test::OnCudaDevice {
 protected:
  void SetUp() override {
    test::OnCudaDevice::SetUp();
    if (IsSkipped()) return;
    cudaDeviceProp device{};
    cuda::check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
    if (!cuda::tile_spmm_runs_on(device.major, device.minor))
      GTEST_SKIP() << "not built for a device of compute capability " << device.major << '.' << device.minor;
  }
};

TEST_F(CudaTileSpmm, HoldsTheBoundOnEveryShape) {
  std::size_t turn = 0;
  for_each_pattern<float, std::int32_t>(
      [&](auto const& m, Operands const& o, auto const& b, std::string const& name) {
        for (TileSpmmTuning const tuning :
             {TileSpmmTuning{64, 64, 1}, {64, 64, 8}, {64, 128, 2}, {128, 128, 1}, {128, 128, 2}, {128, 128, 4}}) {
          Precision const precision = precision_of_turn(turn++);
          bool const thousands_of_tiles = m.rows > 1000;  // one tuning shows what there is
          if (!thousands_of_tiles || tuning == TileSpmmTuning{}) expect_tiles_right(m, o, b, precision, tuning, name);
        }
        if (!m.has_values) ++turn;  // so that the next pattern's are others
      },
      132);
}

TEST_F(CudaTileSpmm, HoldsTheBoundOnEveryNumberOfColumnsAndAlignment) {
  // The kernel asks whether rows of B and C begin at multiples of 16 bytes, no more: each number of columns and shape
  // has both. Those that do not take turns at why.
  struct Alignment {
    std::size_t first;  // element
    std::int64_t rest;  // of the stride of rows, by four
  };
  constexpr Alignment off[] = {{1, 0}, {2, 0}, {3, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 1}};
  auto const pattern = random_pattern(61, 150, 0.6);  // whole tiles have more than registers hold, those at edges less
  std::size_t turn = 0;
  for (std::int64_t const columns : column_counts())
    for (TileSpmmTuning const tuning : {TileSpmmTuning{64, 64, 2}, {64, 128, 8}, {128, 128, 1}}) {  // 8: some idle
      for (bool const aligned : {true, false}) {
        auto const [first, rest] = aligned ? Alignment{0, 0} : off[turn % std::size(off)];
        double const beta = turn / 12 % 2 == 0 ? 0 : -1;  // 12 turns: each shape in each precision
        Operands const o{columns, (4 - columns % 4 + rest) % 4, first, 2, beta};
        ZooMatrix<float, std::int32_t> const m(pattern, true, false, first);
        expect_tiles_right(m, o, dense_b<float>(m.cols, o), precision_of_turn(aligned ? turn : turn + 2), tuning,
                           pattern.name);
      }
      ++turn;
      if (testing::Test::HasFailure()) return;
    }
}

TEST_F(CudaTileSpmm, HoldsTheBoundAtEveryDensity) {
  std::size_t turn = 0;
  for (double const density : {0.005, 0.05, 0.2, 0.5, 0.7, 1.0}) {  // beyond 0.5 tiles have more than registers hold
    auto const pattern = random_pattern(203, 1111, density);
    Operands const o{136, 0, 0, 1, 0};
    ZooMatrix<float, std::int32_t> const m(pattern, true, false, 0);
    auto const b = dense_b<float>(m.cols, o);
    for (int const split : {1, 2, 4, 8})
      for (TileSpmmTuning const tuning : {TileSpmmTuning{64, 64, split}, {64, 128, split}, {128, 128, split}})
        expect_tiles_right(m, o, b, precision_of_turn(turn++), tuning, pattern.name);
    if (testing::Test::HasFailure()) return;
    ++turn;  // so that the next density's are others
  }
}

// The kernel reads A's offsets here alone.
template <class Offset>
void not_finite() {
  auto const pattern = random_pattern(197, 300, 0.1);
  for_each_not_finite<Offset>(pattern, [&](auto const& m, Operands const& o, auto const& b) {
    expect_all_precisions_right(m, o, b, {64, 64, 1}, pattern.name);
    expect_all_precisions_right(m, o, b, {128, 128, 2}, pattern.name);
    expect_all_precisions_right(m, o, b, {64, 128, 4}, pattern.name);
  });
}
TEST_F(CudaTileSpmm, NotFiniteReachesTheRowsThatOwnTheColumn) { not_finite<std::int32_t>(); }
TEST_F(CudaTileSpmm, NotFiniteReachesTheRowsThatOwnTheColumnWideOffsets) { not_finite<std::int64_t>(); }

TEST_F(CudaTileSpmm, LargestNumbersDoNotOverflowWhenSplit) {
  // Near the end of float's range the upper half rounds to infinity.
  auto const pattern = random_pattern(70, 90, 0.3);
  Operands const o{66, 0, 0, 0.5, 0};
  ZooMatrix<float, std::int32_t> m(pattern, true, false, 0);
  for (auto& v : m.values) v *= 0x1p-8f;
  auto b = dense_b<float>(m.cols, o);
  for (std::int64_t j = 0; j < o.columns; ++j) b.at(j % m.cols, j) = std::numeric_limits<float>::max();
  expect_all_precisions_right(m, o, b, {64, 64, 1}, "largest numbers");
  expect_all_precisions_right(m, o, b, {128, 128, 1}, "largest numbers");
}

TEST_F(CudaTileSpmm, NumbersBelowTheRangeOfHalvesHoldTheirBound) {
  // Each rounds up to the least half, twice its size.
  auto const pattern = random_pattern(70, 90, 0.2);
  Operands const o{66, 0, 0, 1, 0};
  ZooMatrix<float, std::int32_t> m(pattern, true, false, 0);
  for (auto& v : m.values) v = 1.01f * 0x1p-25f;
  auto b = dense_b<float>(m.cols, o);
  for (std::int64_t i = 0; i < m.cols; ++i)
    for (std::int64_t j = 0; j < o.columns; ++j) b.at(i, j) = 1.01f * 0x1p-25f;
  expect_all_precisions_right(m, o, b, {64, 64, 1}, "below the range of halves");
  expect_all_precisions_right(m, o, b, {128, 128, 1}, "below the range of halves");
}

TEST_F(CudaTileSpmm, SmallIntegersAreExact) {
  auto const pattern = random_pattern(150, 333, 0.4);
  Operands const o{130, 0, 0, 1, 0};
  ZooMatrix<float, std::int32_t> m(pattern, true, false, 0);
  for (std::size_t k = 0; k < m.values.size(); ++k) m.values[k] = static_cast<float>(static_cast<int>(k % 31) - 15);
  auto b = dense_b<float>(m.cols, o);
  for (std::int64_t i = 0; i < m.cols; ++i)
    for (std::int64_t j = 0; j < o.columns; ++j) b.at(i, j) = static_cast<float>((7 * i + 3 * j) % 63 - 31);
  DeviceTiles<std::int32_t> const a(m);
  for (Precision const precision : opt_in_precisions)
    for (TileSpmmTuning const tuning : {TileSpmmTuning{64, 64, 4}, {64, 128, 2}, {128, 128, 1}})
      expect_right<float, std::int32_t>(
          m, o, b, std::string("integers, ") + precision_name(precision),
          [&](float alpha, auto const& bs, float beta, auto const& cs) {
            cuda::tile_spmm(a.pointers, a.csr.pointers, precision, alpha, bs, beta, cs, tuning, nullptr);
          },
          0x1p-60L);  // below any error that a float could have
}

TEST_F(CudaTileSpmm, ThreeProductsAreMorePreciseThanOne) {
  // One entry a row: the rounded product but for 8 u; plain TF32 is hundreds of times as far off.
  test::ZooPattern pattern;
  pattern.name = "one entry a row";
  pattern.cols = 500;
  for (std::int32_t i = 0; i < 100; ++i) pattern.add_row({i * 5});
  Operands const o{96, 0, 0, 1, 0};
  ZooMatrix<float, std::int32_t> const m(pattern, true, false, 0);
  auto const b = dense_b<float>(m.cols, o);
  DeviceTiles<std::int32_t> const a(m);
  DeviceArray<float> const device_b(b.buffer);
  auto bs = b.constant();
  bs.data = device_b.data();
  std::map<Precision, double> worst;
  for (Precision const precision : opt_in_precisions) {
    Dense<float> c(m.rows, o.columns, true, 0, 0, canary<float>);
    DeviceArray<float> const device_c(c.buffer);
    auto cs = c.matrix();
    cs.data = device_c.data();
    cuda::tile_spmm(a.pointers, a.csr.pointers, precision, 1.0f, bs, 0.0f, cs, {}, nullptr);
    cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    c.buffer = device_c.download();
    for (std::int64_t i = 0; i < m.rows; ++i)
      for (std::int64_t j = 0; j < o.columns; ++j) {
        double const exact =
            double(m.values[static_cast<std::size_t>(i)]) * double(b.buffer[static_cast<std::size_t>(i * 5 * 96 + j)]);
        if (exact != 0)
          worst[precision] = std::max(worst[precision], std::abs(double(c.at(i, j)) - exact) / std::abs(exact));
      }
  }
  EXPECT_LE(worst[Precision::fp32_3xtf32], 9 * 0x1p-24);
  EXPECT_LE(worst[Precision::tf32], 0x1p-10);
  EXPECT_GT(worst[Precision::tf32], 100 * worst[Precision::fp32_3xtf32]);
  EXPECT_LE(worst[Precision::fp16], 0x1p-10 * (1 + 0x1p-12));
  EXPECT_GT(worst[Precision::fp16], 100 * worst[Precision::fp32_3xtf32]);
  EXPECT_LE(worst[Precision::bf16], 0x1p-7 * (1 + 0x1p-9));
  EXPECT_GT(worst[Precision::bf16], 2 * worst[Precision::fp16]);
}

TEST_F(CudaTileSpmm, CapturesAndReplays) {
  auto const pattern = random_pattern(264, 256, 0.4);
  Operands const o{128, 0, 0, 1, 0};
  ZooMatrix<float, std::int32_t> const m(pattern, true, false, 0);
  auto const b = dense_b<float>(m.cols, o);
  DeviceTiles<std::int32_t> const a(m);
  for (TileSpmmTuning const tuning : {TileSpmmTuning{64, 64, 1}, {128, 128, 4}})
    expect_right<float, std::int32_t>(
        m, o, b, "in a graph",
        [&](float alpha, auto const& bs, float beta, auto const& cs) {
          in_graph([&](cudaStream_t stream) {
            cuda::tile_spmm(a.pointers, a.csr.pointers, Precision::fp32_3xtf32, alpha, bs, beta, cs, tuning, stream);
          });
        },
        roundoff(Precision::fp32_3xtf32));
}

TEST_F(CudaTileSpmm, RefusesATuningOrPrecisionOutOfRange) {
  ZooMatrix<float, std::int32_t> const m(random_pattern(8, 20, 0.3), true, false, 0);
  DeviceTiles<std::int32_t> const a(m);
  auto const run = [&](Precision precision, TileSpmmTuning const& tuning) {
    cuda::tile_spmm(a.pointers, a.csr.pointers, precision, 1.0f, {nullptr, 20, 4, 4, 1}, 0.0f, {nullptr, 8, 4, 4, 1},
                    tuning, nullptr);
  };
  EXPECT_THROW(run(Precision::native, {}), Error);
  for (TileSpmmTuning const tuning :
       {TileSpmmTuning{32, 128, 1}, {0, 0, 1}, {128, 64, 1}, {64, 32, 1}, {64, 64, 3}, {128, 128, 16}, {128, 128, 0}})
    EXPECT_THROW(run(Precision::tf32, tuning), Error);
}

// ---- what needs no device ----

TEST(TilePacking, StoresEveryEntryOnce) {
  auto pattern = random_pattern(70, 333, 0.25);
  pattern.col_indices[3] = pattern.col_indices[2];  // a duplicate: summed
  ZooMatrix<float, std::int32_t> const m(pattern, true, true, 0);
  auto const a = m.pointers();
  auto const p = cuda::tile_packing(a, 2);
  EXPECT_EQ(p.row_tiles, 3);
  EXPECT_EQ(p.col_tiles, 11);
  ASSERT_EQ(p.tile_offsets.size(), 34u);
  std::vector<float> stored(70 * 333, 0.0f);
  for (std::size_t t = 0; t < 33; ++t) {
    std::map<int, float> tile;
    for (auto k = static_cast<std::size_t>(p.tile_offsets[t]) * 64;
         k < static_cast<std::size_t>(p.tile_offsets[t + 1]) * 64; ++k) {
      auto const [at, fresh] = tile.emplace(p.positions[k], p.values[k]);
      EXPECT_EQ(at->second, p.values[k]) << "padding repeats an entry";
    }
    for (auto const& [position, value] : tile) {
      int const word = position / 4;
      EXPECT_EQ(position % 4, 0);
      int const row = static_cast<int>(t / 11) * 32 + word / 32;
      int const chunk = (word % 32 / 4) ^ (word / 32 % 8);
      int const column = static_cast<int>(t % 11) * 32 + chunk * 4 + word % 4;
      ASSERT_LT(row, 70);
      ASSERT_LT(column, 333);
      stored[static_cast<std::size_t>(row * 333 + column)] = value;
    }
  }
  std::vector<float> expected(70 * 333, 0.0f);
  for (std::int64_t i = 0; i < 70; ++i)
    for (auto k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      expected[static_cast<std::size_t>(i * 333 + a.col_indices[k])] += a.values ? a.values[k] : 1.0f;
  EXPECT_EQ(stored, expected);
}

TEST(TilePacking, NeighbouringLanesStoreToDifferentBanks) {
  ZooMatrix<float, std::int32_t> const m(random_pattern(64, 64, 0.4), true, false, 0);
  auto const p = cuda::tile_packing(m.pointers(), 1);
  std::size_t stores = 0;
  std::size_t conflicts = 0;  // stores of a warp that take more than one turn
  for (std::size_t g = 0; g < p.positions.size() / 64; ++g)
    for (std::size_t j = 0; j < 2; ++j) {
      std::map<int, std::set<int>> words;
      for (std::size_t lane = 0; lane < 32; ++lane) {
        int const position = p.positions[g * 64 + lane * 2 + j];
        words[position / 4 % 32].insert(position);
      }
      ++stores;
      for (auto const& [bank, of_bank] : words)
        if (of_bank.size() > 1) {
          ++conflicts;
          break;
        }
    }
  EXPECT_LE(conflicts * 2, stores);
}

TEST(TilePacking, DoesNotDependOnThreads) {
  ZooMatrix<float, std::int32_t> const m(random_pattern(277, 200, 0.3), true, false, 0);
  auto const one = cuda::tile_packing(m.pointers(), 1);
  auto const many = cuda::tile_packing(m.pointers(), 7);
  EXPECT_EQ(one.tile_offsets, many.tile_offsets);
  EXPECT_EQ(one.values, many.values);
  EXPECT_EQ(one.positions, many.positions);
  EXPECT_EQ(one.bytes(), one.tile_offsets.size() * 4 + one.values.size() * 4 + one.positions.size() * 2);
}

TEST(TilePacking, DoesNotDependOnTheWidthOfOffsets) {
  for (auto const& pattern : test::zoo_patterns()) {
    SCOPED_TRACE(pattern.name);
    ZooMatrix<float, std::int32_t> const narrow(pattern, true, false, 0);
    ZooMatrix<float, std::int64_t> const wide(pattern, true, false, 0);
    auto const p = cuda::tile_packing(narrow.pointers(), 2);
    auto const q = cuda::tile_packing(wide.pointers(), 2);
    EXPECT_EQ(p.tile_offsets, q.tile_offsets);
    EXPECT_EQ(p.values, q.values);
    EXPECT_EQ(p.positions, q.positions);
  }
}

TEST(TilePacking, OfNothing) {
  ZooMatrix<float, std::int32_t> const m(random_pattern(6, 0, 0.5), true, false, 0);
  auto const p = cuda::tile_packing(m.pointers(), 2);
  EXPECT_EQ(p.row_tiles, 1);
  EXPECT_EQ(p.col_tiles, 0);
  EXPECT_TRUE(p.values.empty());
}

TEST(TileSpmm, RefusesWhereNotBuilt) {
  EXPECT_FALSE(cuda::tile_spmm_runs_on(8, 0));
  EXPECT_FALSE(cuda::tile_spmm_runs_on(10, 0));
  if (cuda::tile_spmm_runs_on(9, 0)) GTEST_SKIP() << "built";
  CsrPointers<float, std::int32_t, std::int32_t> const a;
  try {
    cuda::tile_spmm({}, a, Precision::tf32, 1.0f, {}, 0.0f, {}, {}, nullptr);
    FAIL() << "expected an error";
  } catch (Error const& e) {
    EXPECT_EQ(e.kind(), ErrorKind::unsupported);
  }
}

TEST(SpmmChoice, TakesTilesWhereOptedIntoAndFaster) {
  cuda::SpmmProblem p{.rows = 2048,
                      .cols = 2048,
                      .nnz = 2048 * 819,
                      .columns = 2048,
                      .scalar_bytes = 4,
                      .multiprocessors = 132,
                      .shared_bytes = 227 * 1024};
  EXPECT_NE(test::fastest_packing(p), "tensor_tiles");
  p.precision = Precision::fp32_3xtf32;
  EXPECT_EQ(test::fastest_packing(p), "tensor_tiles");
  EXPECT_EQ(cuda::choose_tiles(p).value().tuning, (TileSpmmTuning{128, 128, 1}));
  p.columns = 512;  // 64 blocks: by twos
  EXPECT_EQ(cuda::choose_tiles(p).value().tuning, (TileSpmmTuning{128, 128, 2}));
  p.rows = p.cols = 1024;
  p.nnz = 1024 * 410;
  EXPECT_EQ(cuda::choose_tiles(p).value().tuning, (TileSpmmTuning{64, 128, 2}));
  p.rows = p.cols = 2048;
  p.nnz = 2048 * 41;
  EXPECT_NE(test::fastest_packing(p), "tensor_tiles");
  p.precision = Precision::tf32;
  p.nnz = 2048 * 205;
  EXPECT_EQ(test::fastest_packing(p), "tensor_tiles");
  p.scalar_bytes = 8;
  EXPECT_NE(test::fastest_packing(p), "tensor_tiles");
}

}  // namespace
