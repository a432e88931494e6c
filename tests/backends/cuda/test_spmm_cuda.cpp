// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA SpMM kernels over a zoo of shapes, column counts, alignments, and inputs that are not finite.

#include <gtest/gtest.h>

#include <araia/error.hpp>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "backends/cuda/csr_spmm_row_per_warp.hpp"
#include "backends/cuda/device_csr.hpp"
#include "backends/cuda/expect_spmm.hpp"
#include "backends/cuda/jammed_spmm.hpp"
#include "backends/cuda/row_packing.hpp"
#include "backends/cuda/spmm_choice.hpp"

namespace {

using namespace araia;
using namespace araia::test::spmm;
using test::Dense;
using test::DeviceArray;
using test::DeviceCsr;
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
    cuda::padded_rows_spmm<T>({m.rows, m.cols, a.pointers.nnz, row_offsets.data(), col_indices.data(), values.data(),
                               a.pointers.row_permutation},
                              alpha, bs, beta, cs, tuning, nullptr);
  });
}

template <class Offset>
void expect_jam_right(ZooMatrix<float, Offset> const& m, Operands const& o, Dense<float> const& b, cuda::JamShape shape,
                      cuda::JammedTuning const& tuning, std::string const& name) {
  if (m.pointers().nnz == 0) return;  // callers scale C then
  DeviceCsr<float, Offset> const a(m);
  auto const packing = cuda::jam_packing(m.pointers(), shape, 3);
  DeviceArray<std::int64_t> const offsets(packing.stream_offsets);
  DeviceArray<std::uint32_t> const records(packing.records);
  cuda::JamPointers const jam{packing.shape,  packing.rows,   packing.cols,  packing.groups,
                              packing.chunks, offsets.data(), records.data()};
  expect_right<float, Offset>(m, o, b,
                              "jammed: " + name + ", group_rows " + std::to_string(shape.group_rows) + ", chunk_cols " +
                                  std::to_string(shape.chunk_cols) + ", vector " + std::to_string(tuning.vector) +
                                  ", parts " + std::to_string(tuning.parts),
                              [&](float alpha, auto const& bs, float beta, auto const& cs) {
                                cuda::jammed_spmm(jam, a.pointers, alpha, bs, beta, cs, tuning, 132, nullptr);
                              });
}

class CudaSpmm : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::has_cuda_device()) GTEST_SKIP() << "no CUDA device";
  }
};

template <class T, class Offset>
void every_shape() {
  for (auto const& pattern : test::zoo_patterns()) {
    for (bool const with_values : {true, false}) {
      Operands const o = with_values ? Operands{20, 3, 1, -0.7, 0.3} : Operands{32, 0, 0, 1, 0};
      ZooMatrix<T, Offset> const m(pattern, with_values, false, o.first);
      auto const b = dense_b<T>(m.cols, o);
      for (cuda::CsrSpmmRowTuning const tuning :
           {cuda::CsrSpmmRowTuning{8, 4, 1, 8}, cuda::CsrSpmmRowTuning{16, 2, 4, 4},
            cuda::CsrSpmmRowTuning{32, 1, 8, 8}})
        expect_rows_right(m, o, b, tuning, pattern.name);
      if constexpr (std::is_same_v<T, float>)
        for (int const group_rows : {2, 4}) {
          expect_jam_right(m, o, b, {group_rows, 64}, {4, 3}, pattern.name);
          expect_jam_right(m, o, b, {group_rows, 704}, {8, 0}, pattern.name);
        }
      if (testing::Test::HasFailure()) return;
    }
  }
}
TEST_F(CudaSpmm, HoldsTheBoundOnEveryShapeF32) { every_shape<float, std::int32_t>(); }
TEST_F(CudaSpmm, HoldsTheBoundOnEveryShapeF32WideOffsets) { every_shape<float, std::int64_t>(); }
TEST_F(CudaSpmm, HoldsTheBoundOnEveryShapeF64) { every_shape<double, std::int32_t>(); }
TEST_F(CudaSpmm, HoldsTheBoundOnEveryShapeF64WideOffsets) { every_shape<double, std::int64_t>(); }

template <class T>
void every_column_count() {
  auto const pattern = random_pattern(61, 150, 0.3);
  std::vector<std::int64_t> counts;
  for (std::int64_t n = 1; n <= 17; ++n) counts.push_back(n);
  for (std::int64_t const n : {31, 32, 33, 63, 64, 65, 127, 128, 129, 130, 512}) counts.push_back(n);
  for (std::int64_t const columns : counts)
    for (std::size_t const first : {0u, 1u, 2u, 3u})
      for (std::int64_t const padding : {std::int64_t{0}, std::int64_t{1}, (4 - columns % 4) % 4}) {
        Operands const o{columns, padding, first, 2, first % 2 == 0 ? 0.0 : -1.0};
        ZooMatrix<T, std::int32_t> const m(pattern, true, false, first);
        auto const b = dense_b<T>(m.cols, o);
        auto const chosen = cuda::csr_spmm_row_tuning(m.rows, static_cast<std::int64_t>(m.col_indices.size()), columns,
                                                      sizeof(T), 132, cuda::csr_warps_resident);
        expect_rows_right(m, o, b, chosen, pattern.name);
        if constexpr (std::is_same_v<T, float>)
          for (int const vector : {4, 8}) expect_jam_right(m, o, b, {vector / 2, 60}, {vector, 0}, pattern.name);
        if (testing::Test::HasFailure()) return;
      }
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
    for (int const chunk_cols : {256, 512, 704, 1020})
      for (int const vector : {4, 8})
        if (cuda::jammed_shared_bytes(chunk_cols, vector) <= 227 * 1024)
          for (int const group_rows : {2, 4})
            expect_jam_right(m, o, b, {group_rows, chunk_cols}, {vector, 2}, pattern.name);
    if (testing::Test::HasFailure()) return;
  }
}

TEST_F(CudaSpmm, NotFiniteReachesTheRowsThatOwnTheColumn) {
  // The check wants NaN where NaN is due, the same infinity where one is, and finite values elsewhere.
  auto const pattern = random_pattern(97, 300, 0.1);
  for (float const bad :
       {not_a_number<float>, std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()}) {
    Operands const o{70, 2, 0, 1, 0};
    ZooMatrix<float, std::int32_t> const m(pattern, true, false, 0);
    auto b = dense_b<float>(m.cols, o);
    for (std::int64_t const col : {0, 64, 128, 131, 299})
      for (std::int64_t j = col % 3; j < o.columns; j += 3) b.at(col, j) = bad;
    expect_rows_right(m, o, b, {8, 4, 2, 8}, pattern.name);
    expect_rows_right(m, o, b, {32, 1, 1, 8}, pattern.name);
    expect_jam_right(m, o, b, {4, 128}, {8, 0}, pattern.name);
    expect_jam_right(m, o, b, {2, 300}, {4, 0}, pattern.name);
  }
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
  auto const packing = cuda::jam_packing(m.pointers(), {4, 128}, 1);
  DeviceArray<std::int64_t> const offsets(packing.stream_offsets);
  DeviceArray<std::uint32_t> const records(packing.records);
  DeviceArray<float> const device_b(b.buffer);
  auto bs = b.constant();
  bs.data = device_b.data();
  for (bool const jammed : {false, true}) {
    Dense<float> c(m.rows, o.columns, true, 0, 0, canary<float>);
    DeviceArray<float> const device_c(c.buffer);
    auto cs = c.matrix();
    cs.data = device_c.data();
    if (jammed)
      cuda::jammed_spmm(
          {packing.shape, packing.rows, packing.cols, packing.groups, packing.chunks, offsets.data(), records.data()},
          a.pointers, 1.0f, bs, 0.0f, cs, {}, 132, nullptr);
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
  auto const in_graph = [](auto const& launch) {
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    cuda::check(cudaStreamCreate(&stream), "cudaStreamCreate");
    cuda::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
    launch(stream);
    cuda::check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    cuda::check(cudaGraphInstantiate(&exec, graph, 0), "cudaGraphInstantiate");
    for (int i = 0; i < 3; ++i) cuda::check(cudaGraphLaunch(exec, stream), "cudaGraphLaunch");
    cuda::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    cuda::check(cudaGraphExecDestroy(exec), "cudaGraphExecDestroy");
    cuda::check(cudaGraphDestroy(graph), "cudaGraphDestroy");
    cuda::check(cudaStreamDestroy(stream), "cudaStreamDestroy");
  };
  DeviceCsr<float, std::int32_t> const a(m);
  auto const packing = cuda::jam_packing(m.pointers(), {4, 256}, 2);
  DeviceArray<std::int64_t> const offsets(packing.stream_offsets);
  DeviceArray<std::uint32_t> const records(packing.records);
  cuda::JamPointers const jam{packing.shape,  packing.rows,   packing.cols,  packing.groups,
                              packing.chunks, offsets.data(), records.data()};
  expect_right<float, std::int32_t>(
      m, o, b, "row_per_warp", [&](float alpha, auto const& bs, float beta, auto const& cs) {
        in_graph([&](cudaStream_t s) { cuda::csr_spmm_row_per_warp(a.pointers, alpha, bs, beta, cs, {}, s); });
      });
  expect_right<float, std::int32_t>(m, o, b, "jammed", [&](float alpha, auto const& bs, float beta, auto const& cs) {
    in_graph([&](cudaStream_t s) { cuda::jammed_spmm(jam, a.pointers, alpha, bs, beta, cs, {}, 132, s); });
  });
}

// ---- what needs no device ----

TEST(JamPacking, StoresEveryEntryOnce) {
  auto const pattern = random_pattern(50, 333, 0.25);
  ZooMatrix<float, std::int32_t> const m(pattern, true, true, 0);
  auto const a = m.pointers();
  for (cuda::JamShape const shape : {cuda::JamShape{4, 4}, {4, 100}, {4, 336}, {2, 100}}) {
    int const chunk_cols = shape.chunk_cols;
    auto const group_rows = static_cast<unsigned>(shape.group_rows);
    auto const p = cuda::jam_packing(a, shape, 2);
    ASSERT_EQ(p.groups, (50 + shape.group_rows - 1) / shape.group_rows);
    ASSERT_EQ(p.chunks, (333 + chunk_cols - 1) / chunk_cols);
    std::vector<double> sums(static_cast<std::size_t>(50 * 333), 0.0);
    auto const put = [&](std::int64_t chunk, std::int64_t group, unsigned mask, std::uint32_t column,
                         std::vector<std::uint32_t> const& values) {
      std::size_t n = 0;
      for (unsigned r = 0; r < group_rows; ++r)
        if (mask >> r & 1) {
          float const v = std::bit_cast<float>(values[n++]);
          std::int64_t const row = group * group_rows + r;
          std::int64_t const col = chunk * chunk_cols + column;
          if (v != 0.0f) sums[static_cast<std::size_t>(row * 333 + col)] += double(v);
        }
    };
    for (std::int64_t chunk = 0; chunk < p.chunks; ++chunk)
      for (std::int64_t group = 0; group < p.groups; ++group) {
        auto const s = static_cast<std::size_t>(chunk * p.groups + group);
        std::uint32_t const* record = p.records.data() + p.stream_offsets[s] * 16;
        std::uint32_t const* const counts = record;
        record += 16;
        for (unsigned mask = 1; mask < 1u << group_rows; ++mask)
          for (unsigned step = 0; step < (counts[mask / 4] >> (8 * (mask % 4)) & 255u); ++step) {
            int const rows = std::popcount(mask);
            for (int q = 0; q < 16; q += 4) {
              if (rows == 1) {
                put(chunk, group, mask, record[q], {record[q + 1]});
                put(chunk, group, mask, record[q + 2], {record[q + 3]});
              } else {
                put(chunk, group, mask, record[q],
                    {record[q + 1], record[q + 2], record[q + 3], rows > 3 ? record[16 + q] : 0});
              }
            }
            record += rows > 3 ? 32 : 16;
          }
        EXPECT_EQ(record, p.records.data() + p.stream_offsets[s + 1] * 16);
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
  auto const one = cuda::jam_packing(m.pointers(), {2, 100}, 1);
  auto const many = cuda::jam_packing(m.pointers(), {2, 100}, 7);
  EXPECT_EQ(one.stream_offsets, many.stream_offsets);
  EXPECT_EQ(one.records, many.records);
}

TEST(JamPacking, RefusesAShapeOutOfRange) {
  ZooMatrix<float, std::int32_t> const m(random_pattern(8, 20, 0.3), true, false, 0);
  for (cuda::JamShape const shape : {cuda::JamShape{4, 0}, {4, -4}, {4, 6}, {4, 1024}, {3, 64}, {0, 64}})
    EXPECT_THROW(cuda::jam_packing(m.pointers(), shape, 1), Error);
}

TEST(SpmmChoice, JamsWhereRowsShareColumnsAndThereIsWork) {
  cuda::SpmmProblem p{.rows = 1024,
                      .cols = 1024,
                      .nnz = 1024 * 410,
                      .columns = 2048,
                      .scalar_bytes = 4,
                      .multiprocessors = 132,
                      .shared_bytes = 227 * 1024};
  EXPECT_TRUE(cuda::choose_spmm(p).jammed);
  EXPECT_EQ(cuda::choose_spmm(p).shape, (cuda::JamShape{4, 512}));
  EXPECT_EQ(cuda::choose_spmm(p).jam.vector, 8);
  p.nnz = 1024 * 102;
  EXPECT_EQ(cuda::choose_spmm(p).shape, (cuda::JamShape{2, 512}));
  p.nnz = 1024 * 410;
  p.scalar_bytes = 8;
  EXPECT_FALSE(cuda::choose_spmm(p).jammed);
  p.scalar_bytes = 4;
  p.columns = 32;
  EXPECT_FALSE(cuda::choose_spmm(p).jammed);
  p.columns = 2048;
  p.shared_bytes = 16 * 1024;
  EXPECT_FALSE(cuda::choose_spmm(p).jammed);
  p.nnz = 0;
  EXPECT_FALSE(cuda::choose_spmm(p).jammed);
}

}  // namespace
