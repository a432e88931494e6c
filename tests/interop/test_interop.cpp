// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices of Kokkos Kernels and of the application's own arrays: the same arrays, the same products.
#include "perf/peers/kokkos_kernels_headers.hpp"

#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/formats/csr_to_csc.hpp>
#include <araia/interop/kokkos_kernels.hpp>
#include <araia/interop/wrap.hpp>
#include <araia/ops/spmv.hpp>
#include <vector>

#include "support/check.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Vector = Kokkos::View<double*, Exec::device_type>;

template <class Matrix>
std::vector<double> our_product(Matrix const& A) {
  Vector const x("x", static_cast<std::size_t>(A.cols));
  Vector const y("y", static_cast<std::size_t>(A.rows));
  Kokkos::deep_copy(x, 3);
  spmv(Exec(), Op::none, 1.0, A, x, 0.0, y);
  return download<double>(y);
}

template <class Matrix>
std::vector<double> their_product(Matrix const& A, std::int64_t rows, std::int64_t cols) {
  Vector const x("x", static_cast<std::size_t>(cols));
  Vector const y("y", static_cast<std::size_t>(rows));
  Kokkos::deep_copy(x, 3);
  KokkosSparse::spmv("N", 1.0, A, x, 0.0, y);
  return download<double>(y);
}

auto csr_of(TestMatrix const& m) { return device_csr<double, std::int32_t, Exec>(m); }

TEST(KokkosKernels, CrsMatrixIsTheSameMatrix) {
  for (auto const& zoo_matrix : zoo()) {
    auto const m = with_integer_values(zoo_matrix);
    auto const A = csr_of(m);
    auto const theirs = to_kokkos_kernels(A);
    EXPECT_EQ(theirs.values.data(), A.values.data()) << m.name;
    EXPECT_EQ(theirs.graph.entries.data(), A.col_indices.data()) << m.name;
    EXPECT_EQ(theirs.graph.row_map.data(), A.row_offsets.data()) << m.name;
    if (m.rows > 0 && m.cols > 0) {
      EXPECT_EQ(their_product(theirs, m.rows, m.cols), our_product(A)) << m.name;
    }
    auto const back = from_kokkos_kernels(Exec(), theirs);
    EXPECT_EQ(back.values.data(), A.values.data()) << m.name;
    EXPECT_EQ(back.cols, A.cols) << m.name;
    EXPECT_EQ(our_product(back), our_product(A)) << m.name;
  }
}

#ifndef ARAIA_TYPES_MINIMAL
TEST(KokkosKernels, ModesAreOps) {
  using Complexes = Kokkos::View<Complex*, Exec::device_type>;
  auto const m = with_integer_values(random_matrix("modes", 50, 30, 6));
  auto const A = device_csr<Complex, std::int32_t, Exec>(m);
  auto const theirs = to_kokkos_kernels(A);
  std::pair<char const*, Op> const modes[] = {
      {"N", Op::none}, {"T", Op::transpose}, {"H", Op::conjugate_transpose}, {"C", Op::conjugate}};
  for (auto const& [mode, op] : modes) {
    Complexes const x("x", static_cast<std::size_t>(transposes(op) ? m.rows : m.cols));
    Complexes const y("y", static_cast<std::size_t>(transposes(op) ? m.cols : m.rows));
    Complexes const z("z", y.extent(0));
    Kokkos::deep_copy(x, Complex(3, -2));
    KokkosSparse::spmv(mode, Complex(2, 1), theirs, x, Complex(0), y);
    spmv(Exec(), op, Complex(2, 1), A, x, Complex(0), z);
    EXPECT_EQ(download<Complex>(z), download<Complex>(y)) << mode;
  }
}
#endif

TEST(KokkosKernels, CcsAndCooMatricesAreTheSameMatrix) {
  auto const A = csr_of(with_integer_values(random_matrix("interop", 60, 50, 7)));
  auto const csc = csr_to_csc(Exec(), A);
  auto const ccs = from_kokkos_kernels(Exec(), to_kokkos_kernels(csc));
  EXPECT_EQ(ccs.row_indices.data(), csc.row_indices.data());
  EXPECT_EQ(our_product(ccs), our_product(A));
  auto const coo = csr_to_coo(Exec(), A);
  auto const their_coo = from_kokkos_kernels(Exec(), to_kokkos_kernels(coo), true);
  EXPECT_EQ(their_coo.values.data(), coo.values.data());
  EXPECT_TRUE(their_coo.sorted);
  EXPECT_EQ(our_product(their_coo), our_product(A));
}

TEST(KokkosKernels, BsrMatrixIsTheSameMatrixWhereBlocksAreSquareAndWhole) {
  auto const A = csr_of(with_integer_values(node_blocks(20, 3)));
  auto const bsr = csr_to_bsr(Exec(), A, {.block_rows = 3, .block_cols = 3});
  auto const theirs = to_kokkos_kernels(bsr);
  EXPECT_EQ(theirs.values.data(), bsr.values.data());
  EXPECT_EQ(their_product(theirs, A.rows, A.cols), our_product(A));
  auto const back = from_kokkos_kernels(Exec(), theirs);
  EXPECT_EQ(back.values.data(), bsr.values.data());
  EXPECT_EQ(our_product(back), our_product(A));
  EXPECT_THROW(to_kokkos_kernels(csr_to_bsr(Exec(), A, {.block_rows = 3, .block_cols = 2})), Error);
  EXPECT_THROW(to_kokkos_kernels(csr_to_bsr(Exec(), A, {.block_rows = 7, .block_cols = 7})), Error);
}

/// A copy with room for more elements, which have no meaning.
template <class View>
View with_room(View const& view) {
  using T = typename View::non_const_value_type;
  Kokkos::View<T*, typename View::device_type> const roomy("roomy", view.extent(0) + 2);
  Kokkos::deep_copy(roomy, T(17));
  Kokkos::deep_copy(Kokkos::subview(roomy, Kokkos::make_pair(std::size_t{0}, view.extent(0))), view);
  return roomy;
}

TEST(KokkosKernels, RoomForMoreIsNoEntry) {
  auto const expected = our_product(csr_of(with_integer_values(node_blocks(20, 3))));
  auto A = csr_of(with_integer_values(node_blocks(20, 3)));
  auto bsr = csr_to_bsr(Exec(), A, {.block_rows = 3, .block_cols = 3});
  auto csc = csr_to_csc(Exec(), A);
  auto coo = csr_to_coo(Exec(), A);
  for (auto* const array : {&A.values, &bsr.values, &csc.values, &coo.values}) *array = with_room(*array);
  for (auto* const array :
       {&A.col_indices, &bsr.block_col_indices, &csc.row_indices, &coo.row_indices, &coo.col_indices})
    *array = with_room(*array);
  for (auto* const array : {&A.row_offsets, &bsr.block_offsets, &csc.col_offsets}) *array = with_room(*array);
  EXPECT_EQ(their_product(to_kokkos_kernels(A), A.rows, A.cols), expected);
  EXPECT_EQ(their_product(to_kokkos_kernels(bsr), A.rows, A.cols), expected);
  EXPECT_EQ(our_product(from_kokkos_kernels(Exec(), to_kokkos_kernels(csc))), expected);
  EXPECT_EQ(our_product(from_kokkos_kernels(Exec(), to_kokkos_kernels(coo), true)), expected);
}

TEST(KokkosKernels, WhatItCannotHoldIsRefused) {
  auto const m = random_matrix("interop", 40, 40, 5);
  EXPECT_THROW(to_kokkos_kernels(device_csr<double, std::int32_t, Exec>(m, false)), Error);
  EXPECT_THROW(to_kokkos_kernels(sort_rows_by_length(Exec(), csr_of(m))), Error);
}

using Host = Kokkos::DefaultHostExecutionSpace;

TEST(Wrap, ArraysOfTheApplicationAreUsedWhereTheyAre) {
  std::vector<int> const offsets{0, 2, 3};
  std::vector<int> const columns{0, 2, 1};
  std::vector<double> values{1, 2, 4};
  auto const A =
      wrap_csr(Host(), 2, 3, std::span<int const>(offsets), std::span<int const>(columns), std::span<double>(values));
  EXPECT_EQ(A.values.data(), values.data());
  double x[3] = {1, 10, 100};
  double y[2] = {};
  Kokkos::View<double*, Kokkos::HostSpace> const x_view(x, 3);
  Kokkos::View<double*, Kokkos::HostSpace> const y_view(y, 2);
  spmv(Host(), Op::none, 1.0, A, x_view, 0.0, y_view);
  EXPECT_EQ(y[0], 201);
  EXPECT_EQ(y[1], 40);
  std::vector<int> const col_offsets{0, 1, 2, 3};
  std::vector<int> const rows{0, 1, 0};
  std::vector<double> by_column{1, 4, 2};
  auto const B = wrap_csc(Host(), 2, 3, std::span<int const>(col_offsets), std::span<int const>(rows),
                          std::span<double>(by_column));
  spmv(Host(), Op::none, 1.0, B, x_view, 0.0, y_view);
  EXPECT_EQ(y[0], 201);
  EXPECT_EQ(y[1], 40);
  std::vector<int> const coo_rows{0, 0, 1};
  auto const C = wrap_coo(Host(), 2, 3, std::span<int const>(coo_rows), std::span<int const>(columns),
                          std::span<double>(values), true);
  spmv(Host(), Op::none, 1.0, C, x_view, 0.0, y_view);
  EXPECT_EQ(y[0], 201);
  EXPECT_EQ(y[1], 40);
}

TEST(Wrap, BrokenArraysAreRefused) {
  std::vector<int> const offsets{0, 2, 3};
  std::vector<int> const columns{0, 3, 1};
  std::vector<double> values{1, 2, 4};
  EXPECT_THROW(
      wrap_csr(Host(), 2, 3, std::span<int const>(offsets), std::span<int const>(columns), std::span<double>(values)),
      Error);
  std::vector<int> const rows{0, 0, 1, 1};
  std::vector<int> const two{0, 1};
  EXPECT_THROW(wrap_coo(Host(), 2, 3, std::span<int const>(rows), std::span<int const>(two), std::span<double>(values)),
               Error);
}

/// What wrap_mdspan asks of an mdspan, no more.
struct Strided {
  double* data;
  std::size_t extents[2];
  std::size_t strides[2];
  static constexpr std::size_t rank() { return 2; }
  [[nodiscard]] double* data_handle() const { return data; }
  [[nodiscard]] std::size_t extent(std::size_t r) const { return extents[r]; }
  [[nodiscard]] std::size_t stride(std::size_t r) const { return strides[r]; }
};

TEST(Wrap, AnMdspanKeepsItsStrides) {
  std::vector<double> data(24);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<double>(i);
  auto const view = wrap_mdspan<Kokkos::HostSpace>(Strided{data.data(), {3, 2}, {8, 3}});
  EXPECT_EQ(view.extent(0), 3u);
  EXPECT_EQ(view.extent(1), 2u);
  EXPECT_EQ(view(2, 1), 19);
}

}  // namespace
}  // namespace araia::test
