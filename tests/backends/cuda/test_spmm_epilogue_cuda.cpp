// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA SpMM kernels with bias, residual and ReLU where they store C: every kernel and shape, several chunks of A,
// column counts, alignments, strides, inputs that are not finite.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "backends/cuda/csr_spmm_row_per_warp.hpp"
#include "backends/cuda/csr_spmm_short_rows.hpp"
#include "backends/cuda/device_packings.hpp"
#include "backends/cuda/expect_spmm.hpp"
#include "backends/cuda/packs_fit.hpp"
#include "backends/cuda/spmm/csr_padded_rows/packing.hpp"

namespace {

using namespace araia;
using namespace araia::test::spmm;
using test::Dense;
using test::DeviceArray;
using test::DeviceCsr;
using test::ZooMatrix;

/// Which parts an epilogue has. The residual's rows are apart by `padding`, its columns and the biases by `stride`.
struct Parts {
  bool row_bias, column_bias, residual, relu;
  std::int64_t padding = 0;
  std::int64_t stride = 1;
};
constexpr Parts all_parts[] = {{true, false, false, true},     {false, true, false, true},
                               {false, false, true, true},     {false, false, true, false, 1},
                               {true, true, true, true, 4, 2}, {true, true, true, true}};

/// An epilogue in host memory and on the device.
template <class T>
struct Finish {
  Finish(Parts const& p, std::int64_t rows, std::int64_t columns)
      : row_bias(waves(rows * p.stride, 5)),
        column_bias(waves(columns * p.stride, 7)),
        residual(waves(rows * (columns * p.stride + p.padding), 9)),
        device_row_bias(row_bias),
        device_column_bias(column_bias),
        device_residual(residual) {
    for (auto* const e : {&host, &device}) {
      e->row_bias_stride = e->column_bias_stride = e->residual_column_stride = p.stride;
      e->residual_row_stride = columns * p.stride + p.padding;
      e->relu = p.relu;
    }
    if (p.row_bias) host.row_bias = row_bias.data(), device.row_bias = device_row_bias.data();
    if (p.column_bias) host.column_bias = column_bias.data(), device.column_bias = device_column_bias.data();
    if (p.residual) host.residual = residual.data(), device.residual = device_residual.data();
  }
  EpiloguePointers<T> host, device;

 private:
  static std::vector<T> waves(std::int64_t size, std::int64_t seed) {
    std::vector<T> all;
    for (std::int64_t k = 0; k < size; ++k) all.push_back(static_cast<T>(wave(k, seed)));
    return all;
  }
  std::vector<T> row_bias, column_bias, residual;
  DeviceArray<T> device_row_bias, device_column_bias, device_residual;
};

template <class T, class Offset>
void expect_rows_right(ZooMatrix<T, Offset> const& m, Operands const& o, Dense<T> const& b, Parts const& parts,
                       cuda::CsrSpmmRowTuning const& tuning, std::string const& name) {
  if (m.pointers().nnz == 0) return;  // callers do without the product then
  Finish<T> const finish(parts, m.rows, o.columns);
  DeviceCsr<T, Offset> const a(m);
  std::string const shape = name + ", lanes " + std::to_string(tuning.lanes) + ", vector " +
                            std::to_string(tuning.vector) + ", split " + std::to_string(tuning.split);
  constexpr auto u = ref::unit_roundoff<T>();
  expect_right<T, Offset>(
      m, o, b, "row_per_warp: " + shape,
      [&](T alpha, auto const& bs, T beta, auto const& cs) {
        cuda::csr_spmm_row_per_warp(a.pointers, alpha, DenseBatch<T const>{bs}, beta, DenseBatch<T>{cs}, finish.device,
                                    tuning, nullptr);
      },
      u, finish.host);
  static std::size_t next_shape = 0;  // each in turn
  ++next_shape;
  expect_right<T, Offset>(
      m, o, b, "short_rows: " + name + ", shape " + std::to_string(next_shape),
      [&](T alpha, auto const& bs, T beta, auto const& cs) {
        DenseBatch<T const> const batch_b{bs};
        DenseBatch<T> const batch_c{cs};
        auto const shapes = cuda::csr_spmm_short_shapes(sizeof(T), cuda::rows_of_whole_packs(batch_b, batch_c));
        auto short_rows = shapes[next_shape % shapes.size()];
        short_rows.longest = next_shape % 3 == 0 ? 0 : 64;  // all rows by the lanes of a block
        cuda::csr_spmm_short_rows(a.pointers, alpha, batch_b, beta, batch_c, finish.device, short_rows, nullptr);
      },
      u, finish.host);
  auto const padded = cuda::padded_rows(m.pointers());
  DeviceArray<std::int32_t> const row_offsets(padded.row_offsets);
  DeviceArray<std::int32_t> const col_indices(padded.col_indices);
  DeviceArray<T> const values(padded.values);
  CsrPointers<T, std::int32_t, std::int32_t> const rows{m.rows,
                                                        m.cols,
                                                        a.pointers.nnz,
                                                        row_offsets.data(),
                                                        col_indices.data(),
                                                        values.data(),
                                                        a.pointers.row_permutation};
  expect_right<T, Offset>(
      m, o, b, "padded_rows: " + shape,
      [&](T alpha, auto const& bs, T beta, auto const& cs) {
        cuda::csr_spmm_padded_row_per_warp<T>(rows, alpha, DenseBatch<T const>{bs}, beta, DenseBatch<T>{cs},
                                              finish.device, tuning, nullptr);
      },
      u, finish.host);
}

/// jammed, lockstep and tensor tiles; chunks of 64 columns, so that sums of several are added up in C, and small rings.
void expect_packed_right(ZooMatrix<float, std::int32_t> const& m, Operands const& o, Dense<float> const& b,
                         Parts const& parts, std::string const& name) {
  if (m.pointers().nnz == 0) return;
  Finish<float> const finish(parts, m.rows, o.columns);
  DeviceCsr<float, std::int32_t> const a(m);
  constexpr auto u = ref::unit_roundoff<float>();
  for (auto const& [step_columns, vector] : {std::pair{8, 8}, {8, 16}, {16, 16}})
    for (int const chunk_cols : {64, 640}) {
      test::DeviceJam const jam(m, {chunk_cols, step_columns});
      expect_right<float, std::int32_t>(
          m, o, b, "jammed: " + name + ", chunk_cols " + std::to_string(chunk_cols),
          [&, v = vector](float alpha, auto const& bs, float beta, auto const& cs) {
            cuda::jammed_spmm(jam.pointers, a.pointers, alpha, bs, beta, cs, {v, 3}, 132, nullptr, true, finish.device);
          },
          u, finish.host);
    }
  for (cuda::LockstepShape const shape :
       {cuda::LockstepShape{8, 8, 2, 3}, {8, 16, 14, 1}, {16, 8, 3, 1}, {16, 16, 14, 1}}) {
    test::DeviceLockstep const lockstep(m, shape);
    expect_right<float, std::int32_t>(
        m, o, b, "lockstep: " + name + ", ring " + std::to_string(shape.ring),
        [&](float alpha, auto const& bs, float beta, auto const& cs) {
          cuda::lockstep_spmm(lockstep.pointers, a.pointers.row_permutation, alpha, bs, beta, cs, nullptr, true,
                              finish.device);
        },
        u, finish.host);
  }
  cudaDeviceProp device{};
  cuda::check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
  if (!cuda::tile_spmm_runs_on(device.major, device.minor)) return;
  test::DeviceTiles<std::int32_t> const tiles(m);
  for (Precision const precision : opt_in_precisions)
    for (cuda::TileSpmmTuning const tuning : {cuda::TileSpmmTuning{64, 64, 2}, cuda::TileSpmmTuning{128, 128, 1}})
      expect_right<float, std::int32_t>(
          m, o, b, std::string(precision_name(precision)) + ": " + name,
          [&](float alpha, auto const& bs, float beta, auto const& cs) {
            cuda::tile_spmm(tiles.pointers, a.pointers, precision, alpha, bs, beta, cs, tuning, nullptr, finish.device);
          },
          unit_roundoff(precision, sizeof(float)), finish.host, precision);
}

class CudaSpmmEpilogue : public test::OnCudaDevice {};

constexpr cuda::CsrSpmmRowTuning row_shapes[] = {{8, 4, 1, 8},  {16, 2, 4, 4}, {32, 1, 8, 8},
                                                 {32, 4, 2, 8}, {32, 3, 2, 8}, {8, 4, 1, 8, 4}};

template <class T, class Offset>
void every_shape() {
  for (auto const& pattern : test::zoo_patterns())
    for (auto const& parts : all_parts) {
      Operands const o = parts.padding > 0 ? Operands{20, 3, 1, -0.7, 0.3} : Operands{32, 0, 0, 1, 0};
      ZooMatrix<T, Offset> const m(pattern, true, false, o.first);
      auto const b = dense_b<T>(m.cols, o);
      for (auto const& tuning : row_shapes) expect_rows_right(m, o, b, parts, tuning, pattern.name);
      if constexpr (std::is_same_v<T, float> && sizeof(Offset) == 4) expect_packed_right(m, o, b, parts, pattern.name);
      if (testing::Test::HasFailure()) return;
    }
}
TEST_F(CudaSpmmEpilogue, HoldsTheBoundOnEveryShapeF32) { every_shape<float, std::int32_t>(); }
TEST_F(CudaSpmmEpilogue, HoldsTheBoundOnEveryShapeF32WideOffsets) { every_shape<float, std::int64_t>(); }
TEST_F(CudaSpmmEpilogue, HoldsTheBoundOnEveryShapeF64) { every_shape<double, std::int32_t>(); }

template <class T>
void every_column_count() {
  auto const pattern = random_pattern(61, 150, 0.3);
  for (std::int64_t const columns : {1, 3, 16, 33, 64, 130})
    for (std::size_t const first : {0u, 1u})
      for (auto const& parts : all_parts) {
        Operands const o{columns, first == 0 ? (4 - columns % 4) % 4 : 1, first, 2, first == 0 ? 0.0 : -1.0};
        ZooMatrix<T, std::int32_t> const m(pattern, true, false, first);
        auto const b = dense_b<T>(m.cols, o);
        for (auto const& tuning : row_shapes) expect_rows_right(m, o, b, parts, tuning, pattern.name);
        if constexpr (std::is_same_v<T, float>) expect_packed_right(m, o, b, parts, pattern.name);
        if (testing::Test::HasFailure()) return;
      }
}
TEST_F(CudaSpmmEpilogue, HoldsTheBoundOnEveryNumberOfColumnsF32) { every_column_count<float>(); }
TEST_F(CudaSpmmEpilogue, HoldsTheBoundOnEveryNumberOfColumnsF64) { every_column_count<double>(); }

TEST_F(CudaSpmmEpilogue, KeepsNaNAndInfinities) {
  for (auto const& parts : {all_parts[0], all_parts[5]})
    for_each_not_finite(random_pattern(70, 300, 0.2), [&](auto const& m, auto const& o, auto const& b) {
      expect_rows_right(m, o, b, parts, {32, 4, 2, 8}, "not finite");
      expect_packed_right(m, o, b, parts, "not finite");
    });
}

}  // namespace
