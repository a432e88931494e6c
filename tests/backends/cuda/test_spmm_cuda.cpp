// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA SpMM kernels over a zoo of shapes, column counts, alignments, and inputs that are not finite.

#include <gtest/gtest.h>

#include <algorithm>
#include <araia/error.hpp>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "backends/cuda/csr_spmm_row_per_warp.hpp"
#include "backends/cuda/device_csr.hpp"
#include "backends/cuda/device_packings.hpp"
#include "backends/cuda/expect_spmm.hpp"
#include "backends/cuda/packing_prices.hpp"
#include "backends/cuda/spmm/csr_jammed/kernel.hpp"
#include "backends/cuda/spmm/csr_jammed/row_clusters.hpp"
#include "backends/cuda/spmm/csr_lockstep/kernel.hpp"
#include "backends/cuda/spmm/csr_padded_rows/packing.hpp"
#include "backends/cuda/spmm/csr_tensor_tiles/packing.hpp"

namespace {

using namespace araia;
using namespace araia::test::spmm;
using test::Dense;
using test::DeviceArray;
using test::DeviceCsr;
using test::DeviceJam;
using test::DeviceLockstep;
using test::ZooMatrix;

template <class T, class Offset>
void expect_rows_right(ZooMatrix<T, Offset> const& m, Operands const& o, Dense<T> const& b,
                       cuda::CsrSpmmRowTuning const& tuning, std::string const& name) {
  DeviceCsr<T, Offset> const a(m);
  std::string const shape = name + ", lanes " + std::to_string(tuning.lanes) + ", vector " +
                            std::to_string(tuning.vector) + ", split " + std::to_string(tuning.split);
  expect_right<T, Offset>(m, o, b, "row_per_warp: " + shape, [&](T alpha, auto const& bs, T beta, auto const& cs) {
    cuda::csr_spmm_row_per_warp(a.pointers, alpha, bs, beta, cs, tuning, nullptr);
  });
  auto const padded = cuda::padded_rows(m.pointers());
  DeviceArray<std::int32_t> const row_offsets(padded.row_offsets);
  DeviceArray<std::int32_t> const col_indices(padded.col_indices);
  DeviceArray<T> const values(padded.values);
  EXPECT_EQ(padded.bytes(),
            (padded.row_offsets.size() + padded.col_indices.size()) * 4 + padded.values.size() * sizeof(T));
  expect_right<T, Offset>(m, o, b, "padded_rows: " + shape, [&](T alpha, auto const& bs, T beta, auto const& cs) {
    cuda::csr_spmm_padded_row_per_warp<T>({m.rows, m.cols, a.pointers.nnz, row_offsets.data(), col_indices.data(),
                                           values.data(), a.pointers.row_permutation},
                                          alpha, bs, beta, cs, tuning, nullptr);
  });
}

template <class Offset>
void expect_jam_right(ZooMatrix<float, Offset> const& m, Operands const& o, Dense<float> const& b, cuda::JamShape shape,
                      cuda::JammedTuning const& tuning, std::string const& name) {
  if (m.pointers().nnz == 0) return;  // callers scale C then
  DeviceCsr<float, Offset> const a(m);
  DeviceJam const jam(m, shape);
  expect_right<float, Offset>(m, o, b,
                              "jammed: " + name + ", chunk_cols " + std::to_string(shape.chunk_cols) +
                                  ", step_columns " + std::to_string(shape.step_columns) + ", vector " +
                                  std::to_string(tuning.vector) + ", parts " + std::to_string(tuning.parts),
                              [&](float alpha, auto const& bs, float beta, auto const& cs) {
                                cuda::jammed_spmm(jam.pointers, a.pointers, alpha, bs, beta, cs, tuning, 132, nullptr);
                              });
}

template <class Offset>
void expect_lockstep_right(ZooMatrix<float, Offset> const& m, Operands const& o, Dense<float> const& b,
                           cuda::LockstepShape shape, std::string const& name) {
  if (m.pointers().nnz == 0) return;  // callers scale C then
  DeviceCsr<float, Offset> const a(m);
  DeviceLockstep const lockstep(m, shape);
  expect_right<float, Offset>(m, o, b,
                              "lockstep: " + name + ", group_rows " + std::to_string(shape.group_rows) + ", warps " +
                                  std::to_string(shape.warps) + ", ring " + std::to_string(shape.ring) + ", parts " +
                                  std::to_string(shape.parts),
                              [&](float alpha, auto const& bs, float beta, auto const& cs) {
                                cuda::lockstep_spmm(lockstep.pointers, a.pointers.row_permutation, alpha, bs, beta, cs,
                                                    nullptr);
                              });
}

/// Each shape of lane and step that jammed_spmm has: step_columns, vector.
struct JamMapping {
  int step_columns;
  int vector;
};
constexpr JamMapping jam_mappings[] = {{8, 8}, {8, 16}, {16, 16}};

/// Each shape of group and block that lockstep_spmm has.
struct LockstepMapping {
  int group_rows;
  int warps;
};
constexpr LockstepMapping lockstep_mappings[] = {{8, 8}, {8, 16}, {16, 8}, {16, 16}};

class CudaSpmm : public test::OnCudaDevice {};

template <class T, class Offset>
void every_shape() {
  for_each_pattern<T, Offset>([](auto const& m, Operands const& o, auto const& b, std::string const& name) {
    for (cuda::CsrSpmmRowTuning const tuning :
         {cuda::CsrSpmmRowTuning{8, 4, 1, 8}, cuda::CsrSpmmRowTuning{16, 2, 4, 4}, cuda::CsrSpmmRowTuning{32, 1, 8, 8},
          cuda::CsrSpmmRowTuning{32, 3, 2, 8}, cuda::CsrSpmmRowTuning{8, 4, 1, 8, 20},
          cuda::CsrSpmmRowTuning{16, 1, 1, 4, 1}, cuda::CsrSpmmRowTuning{32, 2, 1, 1, 3}})
      expect_rows_right(m, o, b, tuning, name);
    if constexpr (std::is_same_v<T, float>)
      for (auto const [rows, warps] : lockstep_mappings) {
        expect_lockstep_right(m, o, b, {rows, warps, 2, 3}, name);
        expect_lockstep_right(m, o, b, {rows, warps, 14, 1}, name);
      }
    if constexpr (std::is_same_v<T, float>)
      for (auto const mapping : jam_mappings) {
        expect_jam_right(m, o, b, {64, mapping.step_columns}, {mapping.vector, 3}, name);
        expect_jam_right(m, o, b, {640, mapping.step_columns}, {mapping.vector, 0}, name);
      }
  });
}
TEST_F(CudaSpmm, HoldsTheBoundOnEveryShapeF32) { every_shape<float, std::int32_t>(); }
TEST_F(CudaSpmm, HoldsTheBoundOnEveryShapeF32WideOffsets) { every_shape<float, std::int64_t>(); }
TEST_F(CudaSpmm, HoldsTheBoundOnEveryShapeF64) { every_shape<double, std::int32_t>(); }
TEST_F(CudaSpmm, HoldsTheBoundOnEveryShapeF64WideOffsets) { every_shape<double, std::int64_t>(); }

template <class T>
void every_column_count() {
  for_each_column_count<T>([](auto const& m, Operands const& o, auto const& b, std::string const& name) {
    auto const chosen = cuda::csr_spmm_row_tuning(m.rows, static_cast<std::int64_t>(m.col_indices.size()), o.columns,
                                                  sizeof(T), 132, cuda::csr_warps_resident);
    expect_rows_right(m, o, b, chosen, name);
    expect_rows_right(m, o, b, {32, 3, 1 << (o.columns % 4), 8, 5}, name);
    expect_rows_right(m, o, b, {8 << (o.columns % 3), 1 << (o.first + o.columns / 3) % 3, 1, 8, 5}, name);
    if constexpr (std::is_same_v<T, double>) expect_rows_right(m, o, b, {32, 5, 1 << (o.columns % 3), 4}, name);
    if constexpr (std::is_same_v<T, float>)
      for (auto const [rows, warps] : lockstep_mappings) {
        expect_lockstep_right(m, o, b, {rows, warps, 3, rows / 8}, name);
        auto const mapping = jam_mappings[static_cast<std::size_t>(o.columns + rows / 8) % 3];
        expect_jam_right(m, o, b, {60, mapping.step_columns}, {mapping.vector, 0}, name);
      }
  });
}
TEST_F(CudaSpmm, HoldsTheBoundOnEveryNumberOfColumnsAndAlignmentF32) { every_column_count<float>(); }
TEST_F(CudaSpmm, HoldsTheBoundOnEveryNumberOfColumnsAndAlignmentF64) { every_column_count<double>(); }

TEST_F(CudaSpmm, HoldsTheBoundAtEveryDensity) {
  for (double const density : {0.005, 0.05, 0.2, 0.5, 1.0}) {
    auto const pattern = random_pattern(203, 1111, density);
    Operands const o{136, 0, 0, 1, 0};
    ZooMatrix<float, std::int32_t> const m(pattern, true, false, 0);
    auto const b = dense_b<float>(m.cols, o);
    for (int const split : {1, 2, 4, 8}) expect_rows_right(m, o, b, {32, 4, split, 8}, pattern.name);
    for (int const chunk_cols : {256, 640, 1020})
      for (auto const mapping : jam_mappings) {
        cuda::JamShape const shape{chunk_cols, mapping.step_columns};
        if (cuda::jammed_shared_bytes(shape, mapping.vector) <= 227 * 1024)
          expect_jam_right(m, o, b, shape, {mapping.vector, 2}, pattern.name);
      }
    for (auto const [rows, warps] : lockstep_mappings)
      for (int const parts : {1, 7, 40})
        for (int const ring : {2, 5, 9}) expect_lockstep_right(m, o, b, {rows, warps, ring, parts}, pattern.name);
    if (testing::Test::HasFailure()) return;
  }
}

TEST_F(CudaSpmm, NotFiniteReachesTheRowsThatOwnTheColumn) {
  auto const pattern = random_pattern(97, 300, 0.1);
  for_each_not_finite(pattern, [&](auto const& m, Operands const& o, auto const& b) {
    expect_rows_right(m, o, b, {8, 4, 2, 8}, pattern.name);
    expect_rows_right(m, o, b, {32, 1, 1, 8}, pattern.name);
    for (auto const mapping : jam_mappings) {
      expect_jam_right(m, o, b, {128, mapping.step_columns}, {mapping.vector, 0}, pattern.name);
    }
    for (auto const [rows, warps] : lockstep_mappings)
      expect_lockstep_right(m, o, b, {rows, warps, 2, 2}, pattern.name);
  });
}

TEST_F(CudaSpmm, LockstepReadsRecordsWhereverTheyLie) {
  auto const pattern = random_pattern(90, 400, 0.1);
  Operands const o{100, 0, 0, 1, 0};
  ZooMatrix<float, std::int32_t> const m(pattern, true, false, 0);
  auto const b = dense_b<float>(m.cols, o);
  DeviceLockstep const lockstep(m, {16, 8, 4, 2});
  auto const& words = lockstep.packing.records;
  for (std::size_t const before : {std::size_t{4}, std::size_t{32}, std::size_t{132}}) {  // 16 bytes to some 512
    std::vector<std::uint32_t> moved(before, ~0u);
    moved.insert(moved.end(), words.begin(), words.end());
    DeviceArray<std::uint32_t> const records(moved);
    cuda::RecordTexture const texture(records.data() + before, static_cast<std::int64_t>(words.size() / 4));
    auto pointers = lockstep.pointers;
    pointers.records = nullptr;
    pointers.texture = texture.get();
    expect_right<float, std::int32_t>(m, o, b, "lockstep",
                                      [&](float alpha, auto const& bs, float beta, auto const& cs) {
                                        cuda::lockstep_spmm(pointers, nullptr, alpha, bs, beta, cs, nullptr);
                                      });
  }
  auto without = lockstep.pointers;
  without.texture = {};
  EXPECT_THROW(cuda::lockstep_spmm(without, nullptr, 1.0f, b.constant(), 0.0f, {nullptr, 90, 100, 100, 1}, nullptr),
               Error);
}

TEST_F(CudaSpmm, OneEntryARowIsTheRoundedProduct) {
  test::ZooPattern pattern;
  pattern.name = "one entry a row";
  pattern.cols = 500;
  for (std::int32_t i = 0; i < 100; ++i) pattern.add_row({i * 5});
  Operands const o{96, 0, 0, 1, 0};
  ZooMatrix<float, std::int32_t> const m(pattern, true, false, 0);
  auto const b = dense_b<float>(m.cols, o);
  DeviceCsr<float, std::int32_t> const a(m);
  DeviceJam const jam(m, {128, 8});
  DeviceLockstep const lockstep(m, {8, 8, 4, 2});
  DeviceArray<float> const device_b(b.buffer);
  auto bs = b.constant();
  bs.data = device_b.data();
  for (std::string const kernel : {"row_per_warp", "jammed", "lockstep"}) {
    Dense<float> c(m.rows, o.columns, true, 0, 0, canary<float>);
    DeviceArray<float> const device_c(c.buffer);
    auto cs = c.matrix();
    cs.data = device_c.data();
    if (kernel == "jammed")
      cuda::jammed_spmm(jam.pointers, a.pointers, 1.0f, bs, 0.0f, cs, {}, 132, nullptr);
    else if (kernel == "lockstep")
      cuda::lockstep_spmm(lockstep.pointers, nullptr, 1.0f, bs, 0.0f, cs, nullptr);
    else
      cuda::csr_spmm_row_per_warp(a.pointers, 1.0f, bs, 0.0f, cs, {}, nullptr);
    cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    c.buffer = device_c.download();
    for (std::int64_t i = 0; i < m.rows; ++i)
      for (std::int64_t j = 0; j < o.columns; ++j)
        ASSERT_EQ(c.at(i, j),
                  m.values[static_cast<std::size_t>(i)] * b.buffer[static_cast<std::size_t>(i * 5 * 96 + j)]);
  }
}

TEST_F(CudaSpmm, CapturesAndReplays) {
  auto const pattern = random_pattern(64, 256, 0.4);
  Operands const o{128, 0, 0, 1, 0};
  ZooMatrix<float, std::int32_t> const m(pattern, true, false, 0);
  auto const b = dense_b<float>(m.cols, o);
  DeviceCsr<float, std::int32_t> const a(m);
  DeviceJam const jam(m, {256, 16});
  DeviceLockstep const lockstep(m, {16, 16, 2, 4});
  expect_right<float, std::int32_t>(
      m, o, b, "row_per_warp", [&](float alpha, auto const& bs, float beta, auto const& cs) {
        in_graph([&](cudaStream_t s) { cuda::csr_spmm_row_per_warp(a.pointers, alpha, bs, beta, cs, {}, s); });
      });
  expect_right<float, std::int32_t>(m, o, b, "jammed", [&](float alpha, auto const& bs, float beta, auto const& cs) {
    in_graph([&](cudaStream_t s) { cuda::jammed_spmm(jam.pointers, a.pointers, alpha, bs, beta, cs, {}, 132, s); });
  });
  expect_right<float, std::int32_t>(m, o, b, "lockstep", [&](float alpha, auto const& bs, float beta, auto const& cs) {
    in_graph([&](cudaStream_t s) { cuda::lockstep_spmm(lockstep.pointers, nullptr, alpha, bs, beta, cs, s); });
  });
}

TEST_F(CudaSpmm, WaitsForTheProductBefore) {
  // Launches overlap: each product reads what the one before wrote, and writes what the one before that read.
  constexpr std::int64_t n = 512;
  constexpr std::int64_t columns = 64;
  auto pattern = random_pattern(n, n, 0.02);
  ZooMatrix<float, std::int32_t> m(pattern, true, false, 0);
  for (float& v : m.values) v *= 0.25f;
  DeviceCsr<float, std::int32_t> const a(m);
  DeviceJam const jam(m, {256, 16});
  DeviceLockstep const lockstep(m, {8, 8, 4, 4});
  auto const padded = cuda::padded_rows(m.pointers());
  DeviceArray<std::int32_t> const row_offsets(padded.row_offsets);
  DeviceArray<std::int32_t> const col_indices(padded.col_indices);
  DeviceArray<float> const values(padded.values);
  std::vector<float> start(static_cast<std::size_t>(n * columns));
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = static_cast<float>(wave(static_cast<std::int64_t>(i), 3));
  auto const chain = [&](bool wait) {
    DeviceArray<float> const x(start);
    DeviceArray<float> const y(start);
    for (int step = 0; step < 60; ++step) {
      DenseMatrix<float const> const b{step % 2 == 0 ? x.data() : y.data(), n, columns, columns, 1};
      DenseMatrix<float> const c{step % 2 == 0 ? y.data() : x.data(), n, columns, columns, 1};
      switch (step * step % 7 % 4) {
        case 0:
          cuda::csr_spmm_padded_row_per_warp<float>(
              {n, n, a.pointers.nnz, row_offsets.data(), col_indices.data(), values.data()}, 1.0f, b, 0.5f, c, {},
              nullptr);
          break;
        case 1: cuda::jammed_spmm(jam.pointers, a.pointers, 1.0f, b, 0.5f, c, {}, 132, nullptr); break;
        case 2: cuda::lockstep_spmm(lockstep.pointers, nullptr, 1.0f, b, 0.5f, c, nullptr); break;
        default: cuda::csr_spmm_row_per_warp(a.pointers, 1.0f, b, 0.5f, c, {}, nullptr);
      }
      if (wait) cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }
    cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    return std::pair(x.download(), y.download());
  };
  auto const expected = chain(true);
  for (int run = 0; run < 5; ++run) {
    auto const got = chain(false);
    EXPECT_EQ(got.first, expected.first);
    EXPECT_EQ(got.second, expected.second);
  }
}

TEST_F(CudaSpmm, WhatTheDeviceRefusesIsNotBlamedOnWhatFollows) {
  ZooMatrix<float, std::int32_t> const m(random_pattern(8, 20, 0.3), true, false, 0);
  DeviceCsr<float, std::int32_t> const a(m);
  DeviceJam const jam(m, {1024, 8});
  DeviceArray<float> const b(std::vector<float>(20 * 64));
  DeviceArray<float> const c(std::vector<float>(8 * 64));
  cuda::JammedTuning const tuning{16, 1};
  ASSERT_GT(cuda::jammed_shared_bytes(jam.pointers.shape, tuning.vector), 256U * 1024) << "more than a block may have";
  try {
    cuda::jammed_spmm(jam.pointers, a.pointers, 1.0f, DenseMatrix<float const>{b.data(), 20, 64, 64, 1}, 0.0f,
                      DenseMatrix<float>{c.data(), 8, 64, 64, 1}, tuning, 132, nullptr);
    FAIL() << "expected an error";
  } catch (Error const& e) {
    EXPECT_EQ(e.kind(), ErrorKind::device) << e.what();
  }
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

// ---- what needs no device ----

TEST(JamPacking, StoresEveryEntryOnce) {
  auto const pattern = random_pattern(50, 333, 0.25);
  ZooMatrix<float, std::int32_t> const m(pattern, true, true, 0);
  auto const a = m.pointers();
  for (cuda::JamShape const shape : {cuda::JamShape{4, 8}, {100, 8}, {336, 8}, {100, 16}, {336, 16}}) {
    int const chunk_cols = shape.chunk_cols;
    auto const p = cuda::jam_packing(a, shape, 2);
    ASSERT_EQ(p.groups, (50 + 3) / 4);
    ASSERT_EQ(p.chunks, (333 + chunk_cols - 1) / chunk_cols);
    std::vector<double> sums(static_cast<std::size_t>(50 * 333), 0.0);
    auto const put = [&](std::int64_t chunk, std::int64_t group, unsigned mask, std::uint32_t column,
                         std::vector<std::uint32_t> const& values) {
      std::size_t n = 0;
      for (unsigned r = 0; r < 4; ++r)
        if (mask >> r & 1) {
          float const v = std::bit_cast<float>(values[n++]);
          std::int64_t const row = p.row_order[static_cast<std::size_t>(group * 4 + r)];
          std::int64_t const col = chunk * chunk_cols + column;
          if (v != 0.0f && row >= 0) sums[static_cast<std::size_t>(row * 333 + col)] += double(v);
        }
    };
    for (std::int64_t chunk = 0; chunk < p.chunks; ++chunk)
      for (std::int64_t group = 0; group < p.groups; ++group) {
        auto const s = static_cast<std::size_t>(chunk * p.groups + group);
        int const words = shape.record_words();
        std::uint32_t const* record = p.records.data() + p.stream_offsets[s] * words;
        std::uint32_t const* const counts = p.counts.data() + s * 4;
        for (unsigned mask = 1; mask < 16; ++mask)
          for (unsigned step = 0; step < (counts[mask / 4] >> (8 * (mask % 4)) & 255u); ++step) {
            int const rows = std::popcount(mask);
            for (int q = 0; q < words; q += 4) {
              if (rows == 1) {
                put(chunk, group, mask, record[q], {record[q + 1]});
                put(chunk, group, mask, record[q + 2], {record[q + 3]});
              } else {
                put(chunk, group, mask, record[q],
                    {record[q + 1], record[q + 2], record[q + 3], rows > 3 ? record[words + q] : 0});
              }
            }
            record += rows > 3 ? 2 * words : words;
          }
        EXPECT_EQ(record, p.records.data() + p.stream_offsets[s + 1] * words);
      }
    for (std::int64_t i = 0; i < 50; ++i)
      for (std::int32_t k = m.row_offsets[static_cast<std::size_t>(i)];
           k < m.row_offsets[static_cast<std::size_t>(i) + 1]; ++k)
        sums[static_cast<std::size_t>(i * 333 + m.col_indices[static_cast<std::size_t>(k)])] -=
            double(m.values[static_cast<std::size_t>(k)]);
    for (double const s : sums) ASSERT_EQ(s, 0.0);
  }
}

TEST(JamPacking, DoesNotDependOnThreads) {
  ZooMatrix<float, std::int32_t> const m(random_pattern(77, 200, 0.3), true, false, 0);
  auto const one = cuda::jam_packing(m.pointers(), {100, 8}, 1);
  auto const many = cuda::jam_packing(m.pointers(), {100, 8}, 7);
  EXPECT_EQ(one.stream_offsets, many.stream_offsets);
  EXPECT_EQ(one.row_order, many.row_order);
  EXPECT_EQ(one.counts, many.counts);
  EXPECT_EQ(one.records, many.records);
}

/// Values found again by where they come from, in place of the packing's own.
template <class Word, class Value>
std::vector<Word> refilled(std::vector<Word> words, std::vector<std::int32_t> const& sources, Value const& value) {
  EXPECT_EQ(words.size(), sources.size());
  for (std::size_t i = 0; i < words.size(); ++i)
    if (sources[i] >= 0) words[i] = std::bit_cast<Word>(value(sources[i]));
  return words;
}

TEST(Packings, TellWhereTheirValuesComeFrom) {
  auto pattern = random_pattern(50, 333, 0.25);
  pattern.col_indices[3] = pattern.col_indices[2];  // a duplicate
  ZooMatrix<float, std::int32_t> m(pattern, true, true, 0);
  auto const jam = cuda::jam_packing(m.pointers(), {100, 8}, 3, true);
  auto const lockstep = cuda::lockstep_packing(m.pointers(), {8, 8, 2, 3}, 2, true);
  auto const rows = cuda::padded_rows(m.pointers(), true);
  auto const tiles = cuda::tile_packing(m.pointers(), 3, true);
  for (float& v : m.values) v = 3 * v - 1;
  auto const of = [&](std::int32_t k) { return m.values[static_cast<std::size_t>(k)]; };
  EXPECT_EQ(refilled(jam.records, jam.sources, of), cuda::jam_packing(m.pointers(), {100, 8}, 1).records);
  EXPECT_EQ(refilled(lockstep.records, lockstep.sources, of),
            cuda::lockstep_packing(m.pointers(), {8, 8, 2, 3}, 1).records);
  EXPECT_EQ(refilled(rows.values, rows.sources, of), cuda::padded_rows(m.pointers()).values);
  ASSERT_EQ(tiles.next.size(), m.values.size());
  auto const sum = [&](std::int32_t k) {
    float value = of(k);
    while ((k = tiles.next[static_cast<std::size_t>(k)]) >= 0) value += of(k);
    return value;
  };
  EXPECT_EQ(refilled(tiles.values, tiles.sources, sum), cuda::tile_packing(m.pointers(), 1).values);
  EXPECT_TRUE(cuda::jam_packing(m.pointers(), {100, 8}, 1).sources.empty());
}

TEST(JamPacking, RefusesAShapeOutOfRange) {
  ZooMatrix<float, std::int32_t> const m(random_pattern(8, 20, 0.3), true, false, 0);
  for (cuda::JamShape const shape : {cuda::JamShape{0, 8}, {-4, 8}, {6, 8}, {2044, 8}, {64, 4}, {64, 0}, {64, 32}})
    EXPECT_THROW(cuda::jam_packing(m.pointers(), shape, 1), Error);
}

/// Walks a stream as the kernel does and hands over each entry: its row, its column, its value's bits.
template <class Entry>
void walk_lockstep(cuda::LockstepPacking const& p, std::size_t stream, Entry const& entry) {
  auto const ring = static_cast<std::int64_t>(p.shape.ring);
  auto const rows = static_cast<std::size_t>(p.shape.group_rows);
  auto const group = static_cast<std::int64_t>(stream) % p.groups;
  std::int64_t const shift = p.stages <= ring ? 0 : group / p.shape.warps * p.stages % ring;
  std::uint32_t const* event = p.events.data() + stream * static_cast<std::size_t>(p.stages + 1);
  std::int64_t waited = 0;
  std::int64_t released = 0;
  std::int64_t batches = *event >> cuda::lockstep_release_bits;  // until the event
  std::int64_t const first = p.stream_offsets[stream];
  for (std::int64_t record = first; record < p.stream_offsets[stream + 1]; ++record) {
    if ((record - first) % cuda::lockstep_batch == 0) {
      for (; *event != cuda::lockstep_no_event && batches == 0; batches = *event >> cuda::lockstep_release_bits) {
        released += *event++ & ((1u << cuda::lockstep_release_bits) - 1);
        EXPECT_LE(released, waited) << "a stage goes back after it has come";
        EXPECT_TRUE(p.stages <= ring || waited < released + ring) << "a stage that never comes";
        ++waited;
      }
      --batches;
    }
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t e = 0; e < 2; ++e) {
        std::size_t const at = (static_cast<std::size_t>(record) * rows + r) * 4 + 2 * e;
        std::int64_t const place = p.records[at];
        if (place == ring * cuda::lockstep_stage_cols) {
          EXPECT_EQ(p.records[at + 1], 0u) << "padding";
          continue;
        }
        std::int64_t const slot = place / cuda::lockstep_stage_cols;
        std::int64_t stage = released;
        while (stage < waited && (shift + stage) % ring != slot) ++stage;
        ASSERT_LT(stage, waited) << "an entry whose stage is not there";
        entry(p.row_order[stream * rows + r], stage * cuda::lockstep_stage_cols + place % cuda::lockstep_stage_cols,
              p.records[at + 1]);
      }
  }
}

TEST(LockstepPacking, StoresEveryEntryOnceWhileItsStageIsThere) {
  auto scattered = random_pattern(50, 1333, 0.1);
  test::ZooPattern apart;  // rows side by side with nothing in common
  apart.name = "blocks apart";
  apart.cols = 1333;
  for (std::int32_t i = 0; i < 50; ++i) {
    std::vector<std::int32_t> columns;
    for (std::int32_t j = 0; j < 20 + i % 3; ++j) columns.push_back(i * 7 % 13 * 100 + 3 * j);
    apart.add_row(columns);
  }
  auto many = random_pattern(700, 900, 0.02);  // several rounds
  for (auto const& pattern : {scattered, apart, many}) {
    ZooMatrix<float, std::int32_t> const m(pattern, true, true, 0);
    for (cuda::LockstepShape const shape :
         {cuda::LockstepShape{8, 8, 14, 1}, {8, 16, 2, 3}, {16, 8, 3, 2}, {8, 8, 5, 1}, {16, 16, 11, 60}}) {
      auto const p = cuda::lockstep_packing(m.pointers(), shape, 2);
      ASSERT_EQ(p.stages, (m.cols + cuda::lockstep_stage_cols - 1) / cuda::lockstep_stage_cols);
      std::vector<double> sums(static_cast<std::size_t>(m.rows * m.cols), 0.0);
      std::vector<std::int64_t> stream_of(static_cast<std::size_t>(m.rows), -1);
      for (std::int64_t s = 0; s < shape.parts * p.groups; ++s)
        walk_lockstep(p, static_cast<std::size_t>(s), [&](std::int32_t row, std::int64_t column, std::uint32_t bits) {
          ASSERT_GE(row, 0);
          auto& stream = stream_of[static_cast<std::size_t>(row)];
          EXPECT_TRUE(stream == -1 || stream == s) << "one stream a row: the kernel counts on it";
          stream = s;
          ASSERT_LT(column, m.cols);
          sums[static_cast<std::size_t>(row * m.cols + column)] += double(std::bit_cast<float>(bits));
        });
      for (std::int64_t i = 0; i < m.rows; ++i)
        for (std::int32_t k = m.row_offsets[static_cast<std::size_t>(i)];
             k < m.row_offsets[static_cast<std::size_t>(i) + 1]; ++k)
          sums[static_cast<std::size_t>(i * m.cols + m.col_indices[static_cast<std::size_t>(k)])] -=
              double(m.values[static_cast<std::size_t>(k)]);
      for (double const s : sums) ASSERT_EQ(s, 0.0) << pattern.name;
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(LockstepPacking, DoesNotDependOnThreads) {
  ZooMatrix<float, std::int32_t> const m(random_pattern(77, 200, 0.3), true, false, 0);
  auto const one = cuda::lockstep_packing(m.pointers(), {8, 8, 2, 3}, 1);
  auto const many = cuda::lockstep_packing(m.pointers(), {8, 8, 2, 3}, 7);
  EXPECT_EQ(one.row_order, many.row_order);
  EXPECT_EQ(one.stream_offsets, many.stream_offsets);
  EXPECT_EQ(one.records, many.records);
  EXPECT_EQ(one.events, many.events);
}

TEST(LockstepChoice, TakesSmallGroupsWhereRowsDiffer) {
  auto const of_lengths = [](auto const& length) {
    std::vector<std::int32_t> row_offsets{0};
    for (std::int32_t i = 0; i < 2048; ++i) row_offsets.push_back(row_offsets.back() + length(i));
    CsrPointers<float, std::int32_t, std::int32_t> const a{
        2048, 512, row_offsets.back(), row_offsets.data(), nullptr, nullptr, nullptr};
    return cuda::choose_lockstep(a, {16, 8, 4, 16});
  };
  EXPECT_EQ(of_lengths([](std::int32_t) { return 50; }), (cuda::LockstepShape{16, 8, 4, 16}))
      << "one round of 8 groups";
  EXPECT_EQ(of_lengths([](std::int32_t i) { return i % 64 == 0 ? 500 : 40; }), (cuda::LockstepShape{8, 8, 4, 16}));
}

TEST(LockstepPacking, RefusesAShapeOutOfRange) {
  ZooMatrix<float, std::int32_t> const m(random_pattern(8, 20, 0.3), true, false, 0);
  for (cuda::LockstepShape const shape :
       {cuda::LockstepShape{8, 8, 1, 1}, {8, 8, 256, 1}, {8, 8, 4, 0}, {4, 8, 4, 1}, {32, 8, 4, 1}, {8, 4, 4, 1}})
    EXPECT_THROW(cuda::lockstep_packing(m.pointers(), shape, 1), Error);
}

TEST(JamPacking, RefusesMoreDuplicatesThanCountsHold) {
  test::ZooPattern pattern;
  pattern.name = "one column, often";
  pattern.cols = 20;
  pattern.add_row(std::vector<std::int32_t>(5000, 7));
  ZooMatrix<float, std::int32_t> const m(pattern, true, false, 0);
  EXPECT_THROW(cuda::jam_packing(m.pointers(), {20, 8}, 1), Error);
  EXPECT_NO_THROW(cuda::jam_packing(m.pointers(), {20, 16}, 1));
}

TEST(RowClusters, BringRowsOfEqualColumnsTogether) {
  test::ZooPattern pattern;
  pattern.name = "three kinds of rows";
  pattern.cols = 90;
  for (std::int32_t i = 0; i < 24; ++i) {
    std::vector<std::int32_t> columns;
    for (std::int32_t j = 0; j < 30; ++j) columns.push_back(i % 3 * 30 + j);
    pattern.add_row(columns);
  }
  ZooMatrix<float, std::int32_t> const m(pattern, true, false, 0);
  auto const order = cuda::cluster_rows(m.pointers(), 4, 3);
  EXPECT_EQ(order, cuda::cluster_rows(m.pointers(), 4, 1));
  std::vector<std::int32_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::int32_t i = 0; i < 24; ++i) EXPECT_EQ(sorted[static_cast<std::size_t>(i)], i);
  for (std::size_t i = 0; i < 24; ++i) EXPECT_EQ(order[i] % 3, order[i / 4 * 4] % 3) << "place " << i;
}

TEST(SpmmChoice, FollowsDensityAndWork) {
  cuda::SpmmProblem p{.rows = 1024,
                      .cols = 1024,
                      .nnz = 1024 * 410,
                      .columns = 2048,
                      .scalar_bytes = 4,
                      .multiprocessors = 132,
                      .shared_bytes = 227 * 1024};
  EXPECT_EQ(test::fastest_packing(p), "jammed");
  auto const jammed = cuda::choose_jammed(p).value();
  EXPECT_EQ(jammed.shape, (cuda::JamShape{1024, 16}));
  EXPECT_EQ(jammed.tuning.vector, 16);
  EXPECT_LE(cuda::jammed_shared_bytes(jammed.shape, jammed.tuning.vector), p.shared_bytes);
  p.nnz = 1024 * 102;
  EXPECT_EQ(test::fastest_packing(p), "lockstep");
  auto const lockstep = cuda::choose_lockstep(p).value();
  EXPECT_EQ(lockstep.shape, (cuda::LockstepShape{16, 16, 8, 2}));
  EXPECT_LE(cuda::lockstep_shared_bytes(lockstep.shape.ring), p.shared_bytes);
  auto const expect_rows = [&](char const* what) { EXPECT_EQ(test::fastest_packing(p), "padded_rows") << what; };
  auto const wide = p;
  p.columns = 32;
  expect_rows("few columns");
  p = wide, p.scalar_bytes = 8;
  expect_rows("double");
  p = wide, p.shared_bytes = 4 * 1024;
  expect_rows("no shared memory");
  p = wide, p.nnz = 0;
  expect_rows("nothing");
  p = {.rows = 256, .cols = 256, .nnz = 256 * 5, .columns = 256, .shared_bytes = 227 * 1024};
  expect_rows("little work");
  p = {.rows = 33288, .cols = 512, .nnz = 340868, .columns = 32, .shared_bytes = 227 * 1024};
  EXPECT_EQ(test::fastest_packing(p), "row_groups") << "many short rows";
}

}  // namespace
