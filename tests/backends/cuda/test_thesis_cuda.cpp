// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of the 2019 thesis, the baseline of benchmarks: every row of its tables within the error bound, with
// every way to load and to prefetch.

#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "backends/cuda/device_bcsc.hpp"
#include "backends/cuda/expect_spmm.hpp"
#include "perf/thesis/bcsc_spmm_2019.hpp"

namespace {

using namespace araia;
using namespace araia::test::spmm;
using test::Dense;
using test::DeviceBcsc;
using test::ZooMatrix;
using test::ZooPattern;
using thesis::Prefetch;

class Thesis : public test::OnCudaDevice {};

constexpr Prefetch every_prefetch[] = {Prefetch::none, Prefetch::single_buffer, Prefetch::double_buffer};

/// An odd number of chunks, an even one and none; rows that fill no whole block.
std::vector<ZooPattern> patterns() {
  ZooPattern empty;
  empty.name = "no entries";
  empty.cols = 40;
  for (int i = 0; i < 37; ++i) empty.add_row({});
  return {random_pattern(203, 300, 0.15), random_pattern(131, 64, 0.5), random_pattern(70, 900, 0.004), empty};
}

/// \param launch  launch(a, b, c) by one kernel
template <class Launch>
void expect_kernel_right(ZooPattern const& pattern, std::int64_t height, Operands const& o, bool integers,
                         std::string const& what, Launch const& launch) {
  ZooMatrix<float, std::int32_t> const m(pattern, true, integers, 0);
  auto b = dense_b<float>(m.cols, o);
  // Products of small integers: every order of additions gives the same bits.
  if (integers) b.fill([](std::int64_t i, std::int64_t j) { return static_cast<double>((3 * i + 5 * j) % 7 - 3); });
  DeviceBcsc<float, std::int32_t> const a(m, {height});
  expect_right<float, std::int32_t>(m, o, b, what + ": " + pattern.name,
                                    [&](float, auto const& bs, float, auto const& cs) {
                                      EXPECT_EQ(launch(a.pointers, bs.data, cs.data), cudaSuccess);
                                    });
}

TEST_F(Thesis, NaiveHoldsTheBoundOnEveryRowOfItsTables) {
  auto const check = [](thesis::NaiveRow const& row) {
    for (auto const& pattern : patterns())
      for (std::int64_t const columns : {row.columns, row.columns + 3})
        expect_kernel_right(pattern, row.m_tile, {columns}, false, "naive, N_Tile " + std::to_string(row.threads),
                            [&](auto const& a, float const* b, float* c) {
                              return thesis::naive(a, b, c, static_cast<int>(columns), row.threads, nullptr);
                            });
  };
  for (auto const& row : thesis::table_4_2) check(row);
  for (auto const& row : thesis::table_4_5) check(row);
}

TEST_F(Thesis, WarpCentricHoldsTheBoundOnEveryRowOfItsTables) {
  auto const check = [](thesis::WarpRow const& row) {
    for (auto const& pattern : patterns())
      for (std::int64_t const columns : {row.columns, row.columns + 3})
        expect_kernel_right(pattern, row.m_tile, {columns}, true,
                            "warp-centric, " + std::to_string(row.warps) + " warps of " + std::to_string(row.warp_size),
                            [&](auto const& a, float const* b, float* c) {
                              return thesis::warp_centric(a, b, c, static_cast<int>(columns), row.warps, row.warp_size,
                                                          nullptr);
                            });
  };
  for (auto const& row : thesis::table_4_3) check(row);
  for (auto const& row : thesis::table_4_6) check(row);
}

TEST_F(Thesis, WarpCentricHoldsTheBoundOfRealNumbers) {
  // Atomics leave the order of additions open, so that the bits of two runs may differ: each by itself is checked.
  auto const pattern = random_pattern(203, 300, 0.15);
  ZooMatrix<float, std::int32_t> const m(pattern, true, false, 0);
  Operands const o{64};
  auto const b = dense_b<float>(m.cols, o);
  DeviceBcsc<float, std::int32_t> const a(m, {128});
  test::DeviceArray<float> const from(b.buffer);
  Dense<float> c(m.rows, o.columns, true, 0, 0, canary<float>);
  auto const expected = ref::spmm(Op::none, 1.0f, m.pointers(), b.constant(), 0.0f, c.constant());
  test::DeviceArray<float> const to(c.buffer);
  ASSERT_EQ(thesis::warp_centric(a.pointers, from.data(), to.data(), 64, 16, 16, nullptr), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  c.buffer = to.download();
  EXPECT_TRUE(ref::check(expected, c.constant()).ok());
}

TEST_F(Thesis, TilingHoldsTheBoundOnEveryRowOfItsTables) {
  auto const check = [](thesis::TilingRow const& row) {
    for (auto const& pattern : patterns())
      for (Prefetch const prefetch : every_prefetch)
        for (bool const wide : {false, true})
          for (std::int64_t const columns : {row.columns, row.columns + 4, row.columns + 3})
            expect_kernel_right(
                pattern, row.tiling.m_tile(), {columns}, false,
                to_string(row.tiling) + ", prefetch " + to_string(prefetch) + (wide ? ", wide" : ""),
                [&](auto const& a, float const* b, float* c) {
                  return thesis::tiled(a, b, c, static_cast<int>(columns), row.tiling, {wide, prefetch}, nullptr);
                });
  };
  for (auto const& row : thesis::table_4_4) check(row);
  for (auto const& row : thesis::table_4_7) check(row);
}

TEST_F(Thesis, TilingTakesAnyAlignment) {
  auto const pattern = random_pattern(100, 90, 0.2);
  for (auto const& tiling : thesis::tilings)
    for (std::size_t const first : {0u, 1u, 2u})
      expect_kernel_right(
          pattern, tiling.m_tile(), {.columns = 72, .first = first}, false, to_string(tiling),
          [&](auto const& a, float const* b, float* c) { return thesis::tiled(a, b, c, 72, tiling, {}, nullptr); });
}

TEST_F(Thesis, PossibleTilingsThatAreBuiltHoldTheBound) {
  auto const pattern = random_pattern(203, 120, 0.2);
  int tried = 0;
  for (int const threads_x : {8, 16, 32})
    for (int const threads_y : {8, 16, 32})
      for (int const items_x : {1, 2, 4, 8, 16})
        for (int const items_y : {1, 2, 4, 8, 16})
          for (int const k_tile : {8, 16, 32}) {
            thesis::Tiling const tiling{threads_x, threads_y, items_x, items_y, k_tile};
            if (!thesis::is_built(tiling, {})) continue;
            ++tried;
            expect_kernel_right(pattern, tiling.m_tile(), {72}, false, to_string(tiling),
                                [&](auto const& a, float const* b, float* c) {
                                  return thesis::tiled(a, b, c, 72, tiling, {}, nullptr);
                                });
          }
  EXPECT_GE(tried, static_cast<int>(std::size(thesis::tilings)));
}

TEST(ThesisTables, EveryRowIsBuilt) {
  auto const check = [](auto const& table) {
    for (auto const& row : table) {
      EXPECT_TRUE(thesis::is_possible(row.tiling)) << to_string(row.tiling);
      for (Prefetch const prefetch : every_prefetch)
        for (bool const wide : {false, true})
          EXPECT_TRUE(thesis::is_built(row.tiling, {wide, prefetch})) << to_string(row.tiling);
    }
  };
  check(thesis::table_4_4);
  check(thesis::table_4_7);
  EXPECT_FALSE(thesis::is_built({16, 16, 4, 8, 12}, {}));
}

TEST(ThesisTables, AnswersWhatIsNotBuilt) {
  thesis::Bcsc a;
  a.rows = a.cols = 128;
  a.blocks = 1;
  a.block_height = 128;
  EXPECT_EQ(thesis::tiled(a, nullptr, nullptr, 64, {16, 16, 4, 8, 12}, {}, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(thesis::tiled(a, nullptr, nullptr, 64, {16, 8, 4, 4, 16}, {}, nullptr), cudaErrorInvalidValue)
      << "blocks of 128 rows are not its M_Tile";
  EXPECT_EQ(thesis::warp_centric(a, nullptr, nullptr, 64, 16, 12, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(thesis::warp_centric(a, nullptr, nullptr, 64, 33, 32, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(thesis::naive(a, nullptr, nullptr, 64, 256, nullptr), cudaErrorInvalidValue)
      << "128 KiB of sums are more than a thread block has";
}

}  // namespace
