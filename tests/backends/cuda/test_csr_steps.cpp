// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// csr/column_steps of the CUDA backend: the packing and products on a device.
#include <algorithm>

#include "backends/cuda/spmv/csr_column_steps/kernel.hpp"
#include "backends/cuda/spmv_products.hpp"

namespace araia::test {
namespace {

template <class T>
class CsrStepsCuda : public OnCudaDevice {};
TYPED_TEST_SUITE(CsrStepsCuda, AllTypes);

/// A packing in arrays between canaries.
template <class A>
struct Packed {
  cuda::CsrSteps<A> steps;
  DeviceArray<std::int64_t> step_offsets, group_offsets;
  DeviceArray<std::int32_t> bases, lengths;
  DeviceArray<std::uint8_t> codes;
  DeviceArray<A> values;

  template <class Pointers>
  explicit Packed(Pointers const& a) {
    constexpr int height = cuda::CsrSteps<A>::slice_height;
    steps.rows = a.rows;
    steps.slices = (a.rows + height - 1) / height;
    steps.row_permutation = a.row_permutation;
    auto const place = []<class T>(DeviceArray<T>& array, T*& pointer, std::int64_t size, T fill) {
      array = DeviceArray<T>(std::vector<T>(static_cast<std::size_t>(size), fill));
      pointer = array.data();
    };
    place(step_offsets, steps.step_offsets, steps.slices + 1, std::int64_t{-1});
    place(group_offsets, steps.group_offsets, steps.slices + 1, std::int64_t{-1});
    place(bases, steps.bases, steps.slices, -1);
    place(lengths, steps.lengths, steps.slices * height, -1);
    cuda::csr_steps_count(a, steps, nullptr);
    place(codes, steps.steps, group_offsets.download().back() * cuda::CsrSteps<A>::group_bytes * height,
          std::uint8_t{0xff});
    place(values, steps.values, step_offsets.download().back() * height, nan<A>);
    cuda::csr_steps_fill(a, steps, nullptr);
  }

  [[nodiscard]] int disturbed_bytes() const {
    return step_offsets.disturbed_bytes() + group_offsets.disturbed_bytes() + bases.disturbed_bytes() +
           lengths.disturbed_bytes() + codes.disturbed_bytes() + values.disturbed_bytes();
  }
};

/// Rows of `gaps` from neighbour to neighbour, from column `row` on.
TestMatrix with_gaps(std::string name, std::int64_t rows, std::vector<std::int64_t> const& gaps) {
  TestMatrix m{std::move(name), rows, rows};
  for (std::int64_t const gap : gaps) m.cols += gap;
  for (std::int64_t row = 0; row < rows; ++row) {
    std::int64_t column = row;
    for (std::int64_t const gap : gaps) {
      column += gap;
      m.col_indices.push_back(static_cast<std::int32_t>(column));
      m.values.push_back(static_cast<double>(m.nnz() % 7) - 2.5);
    }
    m.row_offsets.push_back(m.nnz());
  }
  return m;
}

/// The zoo, and what steps of 10 bits just reach, and do not.
std::vector<TestMatrix> stepped_matrices() {
  auto all = matrices();
  all.push_back(with_gaps("gaps of up to 1022", 70, {0, 1, 255, 256, 1022, 1021, 0, 0}));
  all.push_back(with_gaps("gaps of 1023 and more", 130, {1023, 1, 1024, 2045, 2046, 5, 4092, 9000, 0}));
  all.push_back(with_gaps("one entry a row", 257, {3}));
  all.push_back(with_gaps("five entries a row", 33, {3, 4, 1023, 1, 1}));
  return all;
}

TYPED_TEST(CsrStepsCuda, HoldTheBound) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  for (auto const& m : stepped_matrices()) {
    if (m.nnz() == 0) continue;  // the library scales y instead
    for (bool const permuted : {false, true}) {
      CsrPair<typename TypeParam::A, typename TypeParam::Offset> const A(m, permuted ? 1 : 0, permuted);
      Packed<typename TypeParam::A> const packed(A.device);
      for (bool const with_nan : {false, true}) {
        if (with_nan && is_wide(m)) continue;
        check_product<X, Y>(
            A.host.pointers(), m.name,
            [&](Y alpha, X const* x, Y beta, Y* y) {
              cuda::csr_spmv_column_steps(packed.steps, alpha, x, beta, y, nullptr);
            },
            [&](std::vector<X>& x) {
              if (with_nan) x[x.size() / 2] = nan<X>;
            });
      }
      EXPECT_EQ(packed.disturbed_bytes(), 0) << m.name;
    }
  }
}

// A step that is no entry and padding read x where they stand: what it holds there stays where it is stored.
TYPED_TEST(CsrStepsCuda, NonFiniteXReachesExactlyTheRowsThatStoreItsColumn) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  for (auto const& m : {with_gaps("far apart", 100, {1023, 7, 1500, 2046}), random_matrix("random", 300, 150, 6)}) {
    CsrPair<typename TypeParam::A, typename TypeParam::Offset> const A(m);
    Packed<typename TypeParam::A> const packed(A.device);
    for (auto const place : {std::int64_t{0}, std::int64_t{16}, std::int64_t{1023 + 40}, m.cols - 1})
      for (X const value : {nan<X>, std::numeric_limits<X>::infinity()})
        check_product<X, Y>(
            A.host.pointers(), m.name,
            [&](Y alpha, X const* x, Y beta, Y* y) {
              cuda::csr_spmv_column_steps(packed.steps, alpha, x, beta, y, nullptr);
            },
            [&](std::vector<X>& x) { x[static_cast<std::size_t>(std::min(place, m.cols - 1))] = value; });
  }
}

TYPED_TEST(CsrStepsCuda, CountsASlotForEachThousandColumnsOfAGap) {
  using A = typename TypeParam::A;
  auto const steps_of = [](std::vector<std::int64_t> const& gaps) {
    CsrPair<A, typename TypeParam::Offset> const B(with_gaps("gaps", 1, gaps));
    Packed<A> const packed(B.device);
    EXPECT_EQ(packed.lengths.download().front(), packed.step_offsets.download().back());
    EXPECT_EQ(packed.group_offsets.download().back(), (packed.step_offsets.download().back() + 3) / 4);
    return packed.step_offsets.download().back();
  };
  EXPECT_EQ(steps_of({5000}), 1);  // a slice begins where its rows do
  EXPECT_EQ(steps_of({0, 1022, 1022}), 3);
  EXPECT_EQ(steps_of({0, 1023}), 3);
  EXPECT_EQ(steps_of({0, 2045}), 3);
  EXPECT_EQ(steps_of({0, 2046}), 4);
}

TYPED_TEST(CsrStepsCuda, ReplayInAGraphWithTheSameBits) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  auto const m = random_matrix("random", 4000, 6000, 9);
  CsrPair<typename TypeParam::A, typename TypeParam::Offset> const A(m);
  Packed<typename TypeParam::A> const packed(A.device);
  expect_same_replays<X, Y>(m.rows, m.cols, [&](X const* x, Y* y, cudaStream_t stream) {
    cuda::csr_spmv_column_steps(packed.steps, Y(1), x, Y(0), y, stream);
  });
}

// Columns in any order, and twice: sums may differ by their order, not by what is summed.
TYPED_TEST(CsrStepsCuda, ColumnsThatDoNotAscendAreSorted) {
  auto m = random_matrix("reversed", 200, 3000, 12);
  for (std::size_t row = 0; row + 1 < m.row_offsets.size(); row += 2) {
    auto const first = m.row_offsets[row];
    auto const last = m.row_offsets[row + 1];
    std::reverse(m.col_indices.begin() + first, m.col_indices.begin() + last);
    if (last - first > 2)
      m.col_indices[static_cast<std::size_t>(first)] = m.col_indices[static_cast<std::size_t>(last - 1)];
  }
  CsrPair<typename TypeParam::A, typename TypeParam::Offset> const A(m);
  Packed<typename TypeParam::A> const packed(A.device);
  check_product<typename TypeParam::X, typename TypeParam::Y>(
      A.host.pointers(), m.name, [&](auto alpha, auto const* x, auto beta, auto* y) {
        cuda::csr_spmv_column_steps(packed.steps, alpha, x, beta, y, nullptr);
      });
}

}  // namespace
}  // namespace araia::test
