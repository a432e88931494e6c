// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What tests of the CUDA backend's SpMV share: types, matrices on the device, products held against the reference.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "backends/cuda/device_array.hpp"
#include "support/backend_types.hpp"
#include "support/dense.hpp"
#include "support/reference.hpp"
#include "support/sell.hpp"

namespace araia::test {

using Host = Kokkos::DefaultHostExecutionSpace;

/// A TypeList for suites that have a fixture.
template <class List>
struct ForFixture;
template <class... Types>
struct ForFixture<TypeList<Types...>> {
  using type = testing::Types<Types...>;
};
using AllTypes = ForFixture<BackendTypes>::type;

template <class T>
constexpr T nan = std::numeric_limits<T>::quiet_NaN();

template <class T>
std::vector<T> random_vector(std::int64_t size, std::uint64_t seed) {
  auto const numbers = uniform_numbers(seed, size);
  std::vector<T> v(numbers.size());
  std::transform(numbers.begin(), numbers.end(), v.begin(), [](double number) { return static_cast<T>(number); });
  return v;
}

/// run(alpha, x, beta, y) against the reference product of `host`, whose x holds what `change_x` leaves in it.
template <class X, class Y, class HostMatrix>
void check_product(
    HostMatrix const& host, std::string const& what, std::function<void(Y, X const*, Y, Y*)> const& run,
    std::function<void(std::vector<X>&)> const& change_x = [](auto&) {}) {
  auto x = random_vector<X>(host.cols, zoo_seed);
  change_x(x);
  for (std::size_t const offset : {0U, 1U})
    for (auto const& [alpha, beta] : {std::pair(Y(1), Y(0)), std::pair(Y(-0.7), Y(0.3))}) {
      auto const before = beta == Y(0) ? std::vector<Y>(static_cast<std::size_t>(host.rows), nan<Y>)
                                       : random_vector<Y>(host.rows, zoo_seed + 1);
      DeviceArray<X> const x_device(x, offset);
      DeviceArray<Y> const y_device(before, offset);
      run(alpha, x_device.data(), beta, y_device.data());
      cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
      auto const got = y_device.download();
      auto const expected = reference::spmv(Op::none, alpha, host, DenseVector<X const>{x.data(), host.cols, 1}, beta,
                                            DenseVector<Y const>{before.data(), host.rows, 1});
      auto const report = reference::check(expected, DenseVector<Y const>{got.data(), host.rows, 1});
      EXPECT_TRUE(report.ok()) << what << ", alpha " << alpha << ", beta " << beta << ": " << report.violations
                               << " beyond the bound, worst " << report.worst_ratio << " of it, first in row "
                               << report.first_bad_row << ": got " << report.got << ", expected " << report.expected;
      EXPECT_EQ(y_device.disturbed_bytes(), 0) << what << ": wrote beside y";
    }
}

/// The zoo, rows at the edges of slices of 32, 64 and 128, and skew: rows longer than a chunk, and than many.
inline std::vector<TestMatrix> const& matrices() {
  static std::vector<TestMatrix> const all = [] {
    auto zoo_and_more = sell_zoo();
    for (std::int64_t const rows : {31, 32, 33, 63, 65, 127, 128, 129, 257})
      zoo_and_more.push_back(random_matrix(std::to_string(rows) + " rows", rows, 90, 7));
    zoo_and_more.push_back(with_row_lengths("a row of 1500", 2000, {3, 0, 1500, 0, 0, 7, 130, 129, 128, 1}));
    // Beyond 256 entries a block of chunk_rows sums a row together: several such rows in a chunk.
    zoo_and_more.push_back(with_row_lengths("rows of 257 and more", 2000, {1, 300, 2, 257, 256, 400, 0, 900, 5, 700}));
    std::vector<std::int64_t> lengths(3000, 0);
    lengths[5] = 20000;
    lengths[2998] = 1023;
    lengths[2999] = 1025;
    zoo_and_more.push_back(with_row_lengths("a row of 20000 among empty ones", 20000, lengths));
    zoo_and_more.push_back(with_row_lengths("1024 entries", 40, std::vector<std::int64_t>(32, 32)));
    zoo_and_more.push_back(stencil(64, 40));
    return zoo_and_more;
  }();
  return all;
}

inline bool is_wide(TestMatrix const& m) { return m.cols > 60000; }  // slow to check in every variant

/// A Csr on the host and its copy on the device, which begins off any vector's alignment if `offset` is odd.
template <class A, class Offset>
struct CsrPair {
  Csr<A, std::int32_t, Offset, HostDevice> host;
  DeviceArray<Offset> row_offsets;
  DeviceArray<std::int32_t> col_indices, row_permutation;
  DeviceArray<A> values;
  CsrPointers<A, std::int32_t, Offset> device;

  explicit CsrPair(TestMatrix const& m, std::size_t offset = 0, bool permuted = false, bool has_values = true)
      : host(device_csr<A, Offset, Host>(m, has_values)) {
    if (permuted) {
      std::vector<std::int32_t> order(static_cast<std::size_t>(m.rows));
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(order.size() - 1 - i);
      host.row_permutation = upload<std::int32_t, HostDevice>("row_permutation", order);
    }
    row_offsets = device_copy(host.row_offsets);
    col_indices = device_copy(host.col_indices, offset);
    values = device_copy(host.values, offset);
    row_permutation = device_copy(host.row_permutation);
    device = host.pointers();
    device.row_offsets = row_offsets.data();
    device.col_indices = m.nnz() ? col_indices.data() : nullptr;
    device.values = m.nnz() && has_values ? values.data() : nullptr;
    device.row_permutation = permuted && m.rows ? row_permutation.data() : nullptr;
  }
};

/// run(x, y, stream), captured three times in a graph, leaves in y what one run does, bit for bit, at every replay.
template <class X, class Y, class Run>
void expect_same_replays(std::int64_t rows, std::int64_t cols, Run const& run) {
  DeviceArray<X> const x(random_vector<X>(cols, zoo_seed));
  DeviceArray<Y> const once(std::vector<Y>(static_cast<std::size_t>(rows), nan<Y>));
  DeviceArray<Y> const replayed(std::vector<Y>(static_cast<std::size_t>(rows), nan<Y>));
  cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  run(x.data(), once.data(), cudaStream_t{});
  cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cuda::check(cudaStreamCreate(&stream), "cudaStreamCreate");
  cuda::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  for (int k = 0; k < 3; ++k) run(x.data(), replayed.data(), stream);
  cuda::check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
  cuda::check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
  for (int k = 0; k < 20; ++k) {
    cuda::check(cudaGraphLaunch(executable, stream), "cudaGraphLaunch");
    cuda::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    ASSERT_EQ(replayed.download(), once.download()) << "replay " << k;
  }
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

/// What spmv of `packed` makes of random x of its own type, against the reference product of m.
template <class Packed>
void check_one_call(Packed const& packed, TestMatrix const& m, char const* what) {
  using T = typename Packed::value_type;
  Kokkos::Cuda const exec;
  auto const x = random_vector<T>(m.cols, zoo_seed);
  auto const x_device = upload<T, Kokkos::Cuda::device_type>("x", x);
  auto const y_device =
      upload<T, Kokkos::Cuda::device_type>("y", std::vector<T>(static_cast<std::size_t>(m.rows), nan<T>));
  spmv(exec, Op::none, T(1.5), packed, x_device, T(0), y_device);
  exec.fence();
  auto const got = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y_device);
  auto const host = device_csr<T, std::int32_t, Host>(m);
  std::vector<T> const before(static_cast<std::size_t>(m.rows));
  auto const expected = reference::spmv(Op::none, T(1.5), host.pointers(), DenseVector<T const>{x.data(), m.cols, 1},
                                        T(0), DenseVector<T const>{before.data(), m.rows, 1});
  auto const report = reference::check(expected, DenseVector<T const>{got.data(), m.rows, 1});
  EXPECT_TRUE(report.ok()) << what << ": " << report.violations << " beyond the bound, first in row "
                           << report.first_bad_row;
}

}  // namespace araia::test
