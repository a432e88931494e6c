// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The portable kernels of teams beside the CUDA backend's of the same names: products of small integers, which are
// exact in every order of additions, have the same bits.
#include <gtest/gtest.h>

#include <araia/detail/dispatch/views.hpp>
#include <araia/ops/bcsc_team_spmm.hpp>
#include <string>
#include <vector>

#include "backends/cuda/bcsc_spmm.hpp"
#include "support/bcsc.hpp"
#include "support/device.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

template <class T, class Run>
std::vector<T> product_of(std::int64_t rows, std::int64_t columns, Run const& run) {
  Operand<T, Kokkos::Cuda> c(rows, columns, columns, 1);
  c.fill(zoo_seed + 1, true);
  c.to_device();
  run(detail::dense_matrix(c.matrix()));
  Kokkos::fence("the product is complete");
  c.from_device();
  std::vector<T> all;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) all.push_back(c(i, j));
  return all;
}

template <class T>
void check_twins() {
  Kokkos::Cuda const exec;
  auto const& device = exec.cuda_device_prop();
  for (double const density : {0.01, 0.1, 0.5}) {
    auto const m = with_integer_values(random_matrix("twins", 700, 300, static_cast<int>(300 * density)));
    auto const A = device_csr<T, std::int32_t, Kokkos::Cuda>(m);
    for (std::int64_t const height : {8, 64, 128, 300})
      for (std::int64_t const columns : {1, 8, 33, 128}) {
        Operand<T, Kokkos::Cuda> b(m.cols, columns, columns, 1);
        b.fill(zoo_seed, true);
        b.to_device();
        auto const of_b = detail::dense_matrix(b.matrix());
        DenseMatrix<T const> const from{of_b.data, of_b.rows, of_b.columns, of_b.row_stride, of_b.column_stride};
        auto const compare = [&](auto const& a) {
          cuda::BcscSpmmProblem const problem(a, columns, device.multiProcessorCount, device.major,
                                              device.sharedMemPerBlockOptin);
          auto const by_backend = [&](cuda::BcscKernel kernel, bool atomics) {
            auto tuning = cuda::bcsc_spmm_tuning(problem, kernel);
            tuning.warp_centric.atomics = atomics;
            return product_of<T>(m.rows, columns, [&](DenseMatrix<T> const& to) {
              cuda::bcsc_spmm(a, T(2), from, T(-1), to, tuning, exec.cuda_stream());
            });
          };
          auto const by_teams = [&](auto const& tuning) {
            return product_of<T>(m.rows, columns, [&](DenseMatrix<T> const& to) {
              bcsc_team_spmm(exec, tuning, T(2), a, from, T(-1), to);
            });
          };
          std::string const what = m.name + " of density " + std::to_string(density) + ", height " +
                                   std::to_string(height) + ", " + std::to_string(columns) + " columns";
          auto const warp_centric = by_backend(cuda::BcscKernel::warp_centric, false);
          EXPECT_EQ(by_teams(BcscWarpCentricTuning{}), warp_centric) << what;
          EXPECT_EQ(by_backend(cuda::BcscKernel::warp_centric, true), warp_centric) << what;
          BcscWarpCentricTuning atomic;
          atomic.atomic = true;
          EXPECT_EQ(by_teams(atomic), warp_centric) << what;
          if (device.major < 8) return;
          auto const tiled = by_backend(cuda::BcscKernel::tiled, false);
          EXPECT_EQ(tiled, warp_centric) << what;
          for (int const buffers : {1, 2}) {
            BcscTiledTuning tuning;
            tuning.buffers = buffers;
            EXPECT_EQ(by_teams(tuning), tiled) << what << ", buffers " << buffers;
          }
        };
        auto const B = csr_to_bcsc(exec, A, {.block_height = height});
        compare(B.pointers());
        if (height <= 256) compare(compact_bcsc(exec, B).pointers());
      }
  }
}

TEST(BcscTeamTwins, HaveTheBitsOfTheCudaBackendF64) { check_twins<double>(); }
#ifndef ARAIA_TYPES_MINIMAL
TEST(BcscTeamTwins, HaveTheBitsOfTheCudaBackendF32) { check_twins<float>(); }
#endif

/// Threads and items of the best rows of tables 4.4 and 4.7 of the thesis, for the heights named with them.
TEST(BcscTeamDefaults, AreTheShapesOfTheThesis) {
  struct Row {
    std::int64_t height;
    std::int64_t columns;
    int threads_x, threads_y, items_x, items_y;
  };
  for (auto const& row : {Row{16, 8, 8, 16, 1, 1}, Row{16, 16, 8, 16, 2, 1}, Row{16, 32, 8, 16, 4, 1},
                          Row{128, 64, 16, 16, 4, 8}, Row{128, 512, 16, 16, 4, 8}, Row{128, 2048, 16, 16, 4, 8}}) {
    auto const t = detail::completed<Kokkos::Cuda>(BcscTiledTuning{}, row.height, row.columns, sizeof(float));
    EXPECT_TRUE(t.threads_x == row.threads_x && t.threads_y == row.threads_y && t.items_x == row.items_x &&
                t.items_y == row.items_y)
        << row.height << " rows, " << row.columns << " columns: " << t;
  }
}

}  // namespace
}  // namespace araia::test
