// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA backend's SpMV kernels, called as the library calls them, against the reference: shapes, types, alpha and
// beta, alignments, NaN, skew, graphs. Matrices are converted on the host.
#include <algorithm>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/ops/spmv.hpp>
#include <functional>
#include <limits>
#include <type_traits>

#include "backends/cuda/bsr_spmv_warp_per_block_row.hpp"
#include "backends/cuda/csr_spmv_chunk_rows.hpp"
#include "backends/cuda/csr_spmv_equal_chunks.hpp"
#include "backends/cuda/csr_spmv_sub_warp.hpp"
#include "backends/cuda/sell_spmv_rows_per_lane.hpp"
#include "backends/cuda/spmv/bsr_slices/kernel.hpp"
#include "backends/cuda/spmv_products.hpp"
#include "backends/openmp/reference/entries_bsr.hpp"

namespace araia::test {
namespace {

template <class T>
class SpmvCuda : public OnCudaDevice {};
TYPED_TEST_SUITE(SpmvCuda, AllTypes);

TYPED_TEST(SpmvCuda, CsrSubWarpHoldsTheBound) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  for (auto const& m : matrices())
    for (std::size_t const offset : {0U, 1U}) {
      CsrPair<typename TypeParam::A, typename TypeParam::Offset> const A(m, offset, offset == 1);
      for (cuda::CsrSubWarpTuning const& tuning :
           {cuda::CsrSubWarpTuning{}, {2, 1}, {2, 4}, {4, 2}, {8, 4}, {16, 1}, {32, 2}, {32, 4}}) {
        if (is_wide(m) && tuning.lanes != 0) continue;
        check_product<X, Y>(A.host.pointers(), m.name + ", sub_warp " + std::to_string(tuning.lanes),
                            [&](Y alpha, X const* x, Y beta, Y* y) {
                              cuda::csr_spmv_sub_warp(A.device, tuning, alpha, x, beta, y, nullptr);
                            });
      }
    }
}

/// Rows at the edges of what lanes, warps, blocks and chunks sum, in a matrix that is wide enough for chunks.
std::vector<TestMatrix> const& rows_of_any_length() {
  static std::vector<TestMatrix> const all = [] {
    constexpr std::int64_t cols = 140000;
    std::vector<TestMatrix> some;
    for (std::int64_t const usual : {3, 20, 90}) {
      std::vector<std::int64_t> lengths(4500, usual);
      std::size_t at = 3;
      for (std::int64_t const edge : {16, 32, 64, 128, 256, 512, 1024, 2048, 3072, 4096})
        for (std::int64_t const length : {edge - 1, edge, edge + 1}) {
          lengths[at] = length;
          lengths[at + 1] = 0;
          at += 23;
        }
      lengths[2000] = cols;
      lengths[2001] = lengths[2002] = 5000;  // neighbours
      lengths[0] = 1500;
      lengths[4499] = 2500;
      some.push_back(with_row_lengths("edges among rows of " + std::to_string(usual), cols, lengths));
    }
    some.push_back(with_row_lengths("one row of everything", cols, {0, cols, 0}));
    std::vector<std::int64_t> lengths(5000);
    for (std::size_t i = 0; i < lengths.size(); ++i)
      lengths[(i * 7) % lengths.size()] = 60000 / static_cast<int>(i + 1);
    some.push_back(with_row_lengths("power law", cols, lengths));
    some.push_back(with_row_lengths("rows that are long alike", cols, std::vector<std::int64_t>(60, 3000)));
    return some;
  }();
  return all;
}

TYPED_TEST(SpmvCuda, CsrSubWarpHoldsTheBoundForRowsOfAnyLength) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  for (auto const& m : rows_of_any_length())
    for (bool const values : {true, false})
      for (std::size_t const offset : {0U, 1U}) {
        CsrPair<typename TypeParam::A, typename TypeParam::Offset> const A(m, offset, offset == 1, values);
        for (bool const atomics : {false, true})
          check_product<X, Y>(A.host.pointers(), m.name + (atomics ? ", by atomics" : ""),
                              [&](Y alpha, X const* x, Y beta, Y* y) {
                                cuda::csr_spmv_sub_warp(A.device, {.atomics = atomics}, alpha, x, beta, y, nullptr);
                              });
      }
}

TYPED_TEST(SpmvCuda, CsrSubWarpHasTheSameBitsOnEveryRunUnlessByAtomics) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  for (auto const& m : rows_of_any_length()) {
    CsrPair<typename TypeParam::A, typename TypeParam::Offset> const A(m);
    expect_same_replays<X, Y>(m.rows, m.cols, [&](X const* x, Y* y, cudaStream_t stream) {
      cuda::csr_spmv_sub_warp(A.device, {}, Y(1), x, Y(0), y, stream);
    });
  }
}

// Sums of small integers are exact in any order.
TYPED_TEST(SpmvCuda, CsrSubWarpByAtomicsReplaysInAGraph) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  auto const m = with_integer_values(rows_of_any_length().front());
  CsrPair<typename TypeParam::A, typename TypeParam::Offset> const A(m);
  std::vector<X> ones(static_cast<std::size_t>(m.cols), X(1));
  DeviceArray<X> const x(ones);
  expect_same_replays<X, Y>(m.rows, m.cols, [&](X const*, Y* y, cudaStream_t stream) {
    cuda::csr_spmv_sub_warp(A.device, {.atomics = true}, Y(1), x.data(), Y(0), y, stream);
  });
}

TEST(SpmvCudaCall, CsrTakesRowsOfAnyLengthAndRepeatsItselfWhereAsked) {
  Kokkos::Cuda const exec;
  for (auto const& m : rows_of_any_length()) {
    auto const A = device_csr<double, std::int32_t, Kokkos::Cuda>(m);
    check_one_call(A, m, m.name.c_str());
    auto const x = upload<double, Kokkos::Cuda::device_type>("x", random_vector<double>(m.cols, zoo_seed));
    auto const product = [&] {
      Kokkos::View<double*, Kokkos::Cuda::device_type> const y("y", static_cast<std::size_t>(m.rows));
      spmv(exec, Op::none, 1.0, A, x, 0.0, y, {.deterministic = true});
      exec.fence();
      auto const copy = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
      return std::vector<double>(copy.data(), copy.data() + copy.size());
    };
    auto const first = product();
    for (int k = 0; k < 5; ++k) EXPECT_EQ(product(), first) << m.name;
  }
}

template <class Types>
struct Chunked {
  using Y = typename Types::Y;
  DeviceArray<std::int32_t> first_rows;
  DeviceArray<Y> carries;
  cuda::CsrChunks<Y> chunks;

  template <class Pointers>
  explicit Chunked(Pointers const& a) {
    auto const count = static_cast<std::size_t>(cuda::csr_chunk_count(a.nnz));
    first_rows = DeviceArray<std::int32_t>(std::vector<std::int32_t>(count + 1, -1));
    carries = DeviceArray<Y>(std::vector<Y>(count, nan<Y>));
    chunks = {first_rows.data(), carries.data()};
    cuda::csr_find_chunks(a, chunks, nullptr);
  }
};

TYPED_TEST(SpmvCuda, CsrWithoutValuesIsOneOfOnes) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  for (auto const& m : matrices()) {
    if (is_wide(m)) continue;
    for (std::size_t const offset : {0U, 1U}) {
      CsrPair<typename TypeParam::A, typename TypeParam::Offset> const A(m, offset, offset == 1, false);
      auto const check = [&](char const* kernel, std::function<void(Y, X const*, Y, Y*)> const& run) {
        check_product<X, Y>(A.host.pointers(), m.name + ", " + kernel, run);
      };
      for (cuda::CsrSubWarpTuning const& tuning : {cuda::CsrSubWarpTuning{}, {2, 1}, {4, 2}, {8, 4}, {32, 4}})
        check("sub_warp", [&](Y alpha, X const* x, Y beta, Y* y) {
          cuda::csr_spmv_sub_warp(A.device, tuning, alpha, x, beta, y, nullptr);
        });
      Chunked<TypeParam> const chunked(A.device);
      check("equal_chunks", [&](Y alpha, X const* x, Y beta, Y* y) {
        cuda::csr_spmv_equal_chunks(A.device, chunked.chunks, alpha, x, beta, y, nullptr);
      });
      check("chunk_rows", [&](Y alpha, X const* x, Y beta, Y* y) {
        cuda::csr_spmv_chunk_rows(A.device, chunked.chunks.first_rows, alpha, x, beta, y, nullptr);
      });
    }
  }
}

TYPED_TEST(SpmvCuda, CsrEqualChunksAndChunkRowsHoldTheBound) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  for (auto const& m : matrices())
    for (std::size_t const offset : {0U, 1U}) {
      CsrPair<typename TypeParam::A, typename TypeParam::Offset> const A(m, offset, offset == 1);
      Chunked<TypeParam> const chunked(A.device);
      check_product<X, Y>(A.host.pointers(), m.name + ", equal_chunks", [&](Y alpha, X const* x, Y beta, Y* y) {
        cuda::csr_spmv_equal_chunks(A.device, chunked.chunks, alpha, x, beta, y, nullptr);
      });
      check_product<X, Y>(A.host.pointers(), m.name + ", chunk_rows", [&](Y alpha, X const* x, Y beta, Y* y) {
        cuda::csr_spmv_chunk_rows(A.device, chunked.chunks.first_rows, alpha, x, beta, y, nullptr);
      });
      EXPECT_EQ(chunked.first_rows.disturbed_bytes() + chunked.carries.disturbed_bytes(), 0) << m.name;
    }
}

TYPED_TEST(SpmvCuda, CsrEqualChunksReplaysInAGraphWithTheSameBits) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  std::vector<std::int64_t> lengths(4000, 9);
  lengths[17] = 5000;
  auto const m = with_row_lengths("skewed", 6000, lengths);
  CsrPair<typename TypeParam::A, typename TypeParam::Offset> const A(m);
  Chunked<TypeParam> const chunked(A.device);
  expect_same_replays<X, Y>(m.rows, m.cols, [&](X const* x, Y* y, cudaStream_t stream) {
    cuda::csr_spmv_equal_chunks(A.device, chunked.chunks, Y(1), x, Y(0), y, stream);
  });
}

template <class A, class Offset>
struct SellPair {
  Sell<A, std::int32_t, Offset, HostDevice> host;
  DeviceArray<Offset> slice_offsets, diagonal_offsets, column_offsets;
  DeviceArray<std::int32_t> diagonals, row_lengths, col_indices, row_permutation;
  DeviceArray<std::uint16_t> column_words;
  DeviceArray<A> values;
  DeviceArray<std::uint32_t> stored_mask;
  SellPointers<A, std::int32_t, Offset> device;

  explicit SellPair(Sell<A, std::int32_t, Offset, HostDevice> const& A_host) : host(A_host) {
    device = host.pointers();
    auto const place = [](auto& array, auto const& view, auto& pointer) {
      array = device_copy(view);
      if (pointer) pointer = array.data();
    };
    place(slice_offsets, host.slice_offsets, device.slice_offsets);
    place(diagonal_offsets, host.diagonal_offsets, device.diagonal_offsets);
    place(column_offsets, host.column_offsets, device.column_offsets);
    place(diagonals, host.diagonals, device.diagonals);
    place(row_lengths, host.row_lengths, device.row_lengths);
    place(col_indices, host.col_indices, device.col_indices);
    place(row_permutation, host.row_permutation, device.row_permutation);
    place(column_words, host.column_words, device.column_words);
    place(values, host.values, device.values);
    place(stored_mask, host.stored_mask, device.stored_mask);
  }
};

std::vector<SellOptions> lane_storages() {
  std::vector<SellOptions> all;
  for (std::int64_t const height : {32, 64, 128}) {
    all.push_back({.slice_height = height});
    all.push_back({.slice_height = height, .sort_window = 4 * height});
    all.push_back({.slice_height = height, .sort_window = 2 * height, .columns = SellColumns::least_bytes});
    all.push_back({.slice_height = height, .columns = SellColumns::least_bytes});
    all.push_back({.slice_height = height, .diagonals = true});
    all.push_back({.slice_height = height, .diagonals = true, .stored_mask = false});
    all.push_back({.slice_height = height, .diagonals = true, .columns = SellColumns::least_bytes});
  }
  return all;
}

bool stores_zeros(TestMatrix const& m) { return std::find(m.values.begin(), m.values.end(), 0.0) != m.values.end(); }

template <class TypeParam, class X>
void check_sell(TestMatrix const& m, std::function<void(std::vector<X>&)> const& change_x, bool finite = true) {
  using A = typename TypeParam::A;
  using Y = typename TypeParam::Y;
  auto const csr = device_csr<A, typename TypeParam::Offset, Host>(m);
  for (auto const& options : lane_storages()) {
    if (fills(options) && !ascends(m)) continue;
    if (is_wide(m) && options.columns == SellColumns::full) continue;
    if (!finite && !options.stored_mask && stores_zeros(m)) continue;  // without a mask they count as fill
    SellPair<A, typename TypeParam::Offset> const B(csr_to_sell(Host(), csr, options));
    if (m.nnz() == 0) continue;  // the library scales y instead
    ASSERT_TRUE(cuda::sell_rows_per_lane_supports(B.device)) << m.name << ' ' << printed(options);
    for (bool const respect_lengths : {false, true})
      check_product<X, Y>(
          csr.pointers(), m.name + ' ' + printed(options),
          [&](Y alpha, X const* x, Y beta, Y* y) {
            cuda::sell_spmv_rows_per_lane(B.device, {.respect_lengths = respect_lengths}, alpha, x, beta, y, nullptr);
          },
          change_x);
  }
}

TYPED_TEST(SpmvCuda, SellRowsPerLaneHoldsTheBound) {
  for (auto const& m : matrices()) check_sell<TypeParam, typename TypeParam::X>(m, [](auto&) {});
}

TYPED_TEST(SpmvCuda, SellWithoutValuesIsOneOfOnes) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  for (auto const& m : {stencil(20, 9), random_matrix("random", 300, 200, 6),
                        with_row_lengths("empty rows", 90, {0, 3, 0, 90, 0, 1, 40, 0})}) {
    auto const csr = device_csr<typename TypeParam::A, typename TypeParam::Offset, Host>(m, false);
    for (auto const& options : lane_storages()) {
      SellPair<typename TypeParam::A, typename TypeParam::Offset> const B(csr_to_sell(Host(), csr, options));
      // Fill is told from entries by its values.
      ASSERT_EQ(cuda::sell_rows_per_lane_supports(B.device), !B.device.diagonal_offsets && B.device.fill == 0)
          << m.name << ' ' << printed(options);
      if (!cuda::sell_rows_per_lane_supports(B.device)) continue;
      for (bool const with_nan : {false, true})  // padding has a column too, which is not multiplied
        for (bool const respect_lengths : {false, true})
          check_product<X, Y>(
              csr.pointers(), m.name + ' ' + printed(options),
              [&](Y alpha, X const* x, Y beta, Y* y) {
                cuda::sell_spmv_rows_per_lane(B.device, {.respect_lengths = respect_lengths}, alpha, x, beta, y,
                                              nullptr);
              },
              [&](std::vector<X>& x) {
                if (with_nan) x[0] = nan<X>;
              });
    }
  }
}

TYPED_TEST(SpmvCuda, SellPassesNonFiniteXToExactlyTheRowsThatStoreItsColumn) {
  using X = typename TypeParam::X;
  for (auto const& m : {stencil(20, 9), with_stored_zeros(stencil(23, 17)), with_stored_zeros(node_blocks(30, 4)),
                        random_matrix("random", 200, 150, 6)})
    for (std::size_t const place : {0U, 7U, 60U})
      for (X const value : {nan<X>, std::numeric_limits<X>::infinity()})
        check_sell<TypeParam, X>(
            m, [&](auto& x) { x[place] = value; }, false);
}

template <class A, class Offset>
struct BsrPair {
  Bsr<A, std::int32_t, Offset, HostDevice> host;
  DeviceArray<Offset> block_offsets;
  DeviceArray<std::int32_t> block_col_indices;
  DeviceArray<A> values;
  BsrPointers<A, std::int32_t, Offset> device;

  BsrPair(TestMatrix const& m, int size)
      : host(csr_to_bsr(Host(), device_csr<A, Offset, Host>(m), BsrOptions{.block_rows = size, .block_cols = size})),
        block_offsets(device_copy(host.block_offsets)),
        block_col_indices(device_copy(host.block_col_indices)),
        values(device_copy(host.values)),
        device(host.pointers()) {
    device.block_offsets = block_offsets.data();
    device.block_col_indices = block_col_indices.data();
    device.values = values.data();
    device.stored_mask = nullptr;
  }
};

/// check(pair, what, change_x) for every matrix that Bsr holds, blocks of 2 to 4, with and without a NaN in x.
template <class Types, class Check>
void for_each_bsr(Check const& check) {
  using X = typename Types::X;
  for (auto const& m : matrices()) {
    if (m.nnz() == 0 || is_wide(m) || !ascends(m)) continue;  // a block holds an entry once
    for (int const size : {2, 3, 4}) {
      BsrPair<typename Types::A, typename Types::Offset> const B(m, size);
      for (bool const with_nan : {false, true})
        check(B, m.name + ", blocks of " + std::to_string(size), [&](std::vector<X>& x) {
          if (with_nan) x[x.size() / 2] = nan<X>;
        });
    }
  }
}

TYPED_TEST(SpmvCuda, BsrWarpPerBlockRowHoldsTheBound) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  for_each_bsr<TypeParam>([](auto const& B, std::string const& what, auto const& change_x) {
    ASSERT_TRUE(cuda::bsr_warp_per_block_row_supports(B.device));
    auto wide = B.device;
    wide.cols = std::int64_t{1} << 31;  // it counts columns in 32 bits
    EXPECT_FALSE(cuda::bsr_warp_per_block_row_supports(wide));
    auto many = B.device;  // and a batch of blocks beyond the last
    many.blocks = std::numeric_limits<std::remove_cvref_t<decltype(*many.block_offsets)>>::max();
    EXPECT_FALSE(cuda::bsr_warp_per_block_row_supports(many));
    check_product<X, Y>(
        B.host.pointers(), what,
        [&](Y alpha, X const* x, Y beta, Y* y) {
          cuda::bsr_spmv_warp_per_block_row(B.device, alpha, x, beta, y, nullptr);
        },
        change_x);
  });
}

/// A packing in arrays between canaries.
template <class A>
struct Sliced {
  cuda::BsrSlices<A> slices;
  DeviceArray<std::int64_t> step_offsets, column_offsets;
  DeviceArray<std::int32_t> block_rows, lengths, bases;
  DeviceArray<std::uint8_t> columns;
  DeviceArray<A> values;

  template <class Pair>
  explicit Sliced(Pair const& B)
      : slices{B.host.rows, B.host.cols, cuda::bsr_slice_count(B.device), B.host.block_rows} {
    auto const lanes = static_cast<std::size_t>(slices.slices * cuda::bsr_slice_height);
    auto const place = []<class T>(DeviceArray<T>& array, T*& pointer, std::size_t size, T fill) {
      array = DeviceArray<T>(std::vector<T>(size, fill));
      pointer = array.data();
    };
    place(step_offsets, slices.step_offsets, lanes / 32 + 1, std::int64_t{-1});
    place(column_offsets, slices.column_offsets, lanes / 32 + 1, std::int64_t{-1});
    place(block_rows, slices.block_rows, lanes, -7);
    place(lengths, slices.lengths, lanes, -7);
    cuda::bsr_slices_count(B.device, slices, nullptr);
    auto const steps = static_cast<std::size_t>(step_offsets.download().back());
    place(bases, slices.bases, steps, 1 << 30);
    place(columns, slices.columns, static_cast<std::size_t>(column_offsets.download().back()) * 32, std::uint8_t{0xff});
    place(values, slices.values, steps * 32 * static_cast<std::size_t>(slices.block_size * slices.block_size), nan<A>);
    cuda::bsr_slices_fill(B.device, slices, nullptr);
  }

  [[nodiscard]] int disturbed_bytes() const {
    return step_offsets.disturbed_bytes() + column_offsets.disturbed_bytes() + block_rows.disturbed_bytes() +
           lengths.disturbed_bytes() + bases.disturbed_bytes() + columns.disturbed_bytes() + values.disturbed_bytes();
  }
};

TYPED_TEST(SpmvCuda, BsrSlicesHoldTheBound) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  for_each_bsr<TypeParam>([](auto const& B, std::string const& what, auto const& change_x) {
    Sliced<typename TypeParam::A> const sliced(B);
    check_product<X, Y>(
        B.host.pointers(), what + ", slices",
        [&](Y alpha, X const* x, Y beta, Y* y) { cuda::bsr_spmv_slices(sliced.slices, alpha, x, beta, y, nullptr); },
        change_x);
    EXPECT_EQ(sliced.disturbed_bytes(), 0) << what;
  });
}

// Offsets of 1, 2 and 4 bytes: where the columns of a step lie less than 2^8 and 2^16 blocks apart, and farther.
TYPED_TEST(SpmvCuda, BsrSlicesKeepColumnsInTheFewestBytesOfASlice) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  struct Case {
    std::int64_t apart;  // blocks between neighbouring lanes' columns
    std::int64_t bytes;
  };
  for (auto const& c : {Case{8, 1}, Case{9, 2}, Case{2114, 2}, Case{2115, 4}})
    for (bool const with_nan : {false, true}) {
      TestMatrix m{std::to_string(c.apart) + " blocks apart", 64, 2 * (31 * c.apart + 3)};
      for (std::int64_t row = 0; row < m.rows; ++row) {
        for (std::int64_t k = 0; k < 4; ++k) {
          m.col_indices.push_back(static_cast<std::int32_t>(2 * (row / 2 * c.apart) + k));
          m.values.push_back(1.0 + static_cast<double>(row + k));
        }
        m.row_offsets.push_back(m.nnz());
      }
      BsrPair<typename TypeParam::A, typename TypeParam::Offset> const B(m, 2);
      Sliced<typename TypeParam::A> const sliced(B);
      auto const steps = sliced.step_offsets.download();
      auto const columns = sliced.column_offsets.download();
      EXPECT_EQ(steps[1], 2) << m.name;
      EXPECT_EQ(columns[1], 2 * c.bytes) << m.name;
      EXPECT_EQ(steps.back(), 2) << m.name;
      check_product<X, Y>(
          B.host.pointers(), m.name,
          [&](Y alpha, X const* x, Y beta, Y* y) { cuda::bsr_spmv_slices(sliced.slices, alpha, x, beta, y, nullptr); },
          [&](std::vector<X>& x) {
            if (with_nan) x[x.size() / 2] = nan<X>;
          });
    }
}

TYPED_TEST(SpmvCuda, WhatNoKernelReadsIsUnsupported) {
  using A = typename TypeParam::A;
  using Y = typename TypeParam::Y;
  using X = typename TypeParam::X;
  auto const csr = device_csr<A, typename TypeParam::Offset, Host>(stencil(20, 9));
  for (SellOptions const& options : {SellOptions{.slice_height = 8}, SellOptions{.slice_height = 32, .block_width = 2},
                                     SellOptions{.slice_height = 32, .least_slice_height = 2}}) {
    auto const B = csr_to_sell(Host(), csr, options);
    EXPECT_FALSE(cuda::sell_rows_per_lane_supports(B.pointers())) << printed(options);
    expect_error(ErrorKind::unsupported, {"rows_per_lane"}, [&] {
      cuda::sell_spmv_rows_per_lane(B.pointers(), {}, Y(1), static_cast<X const*>(nullptr), Y(0),
                                    static_cast<Y*>(nullptr), nullptr);
    });
  }
  auto const C = csr_to_bsr(Host(), csr, BsrOptions{.block_rows = 2, .block_cols = 3});
  EXPECT_FALSE(cuda::bsr_warp_per_block_row_supports(C.pointers()));
  auto const pattern = device_csr<A, typename TypeParam::Offset, Host>(stencil(20, 9), false);
  expect_error(ErrorKind::unsupported, {"fused", "without values"}, [&] {
    cuda::csr_spmv_sub_warp_fused(pattern.pointers(), {}, static_cast<X const*>(nullptr), FusedRows<Y>{}, nullptr);
  });
  expect_error(ErrorKind::invalid_argument, {"lanes", "5"}, [&] {
    cuda::csr_spmv_sub_warp(csr.pointers(), {.lanes = 5}, Y(1), static_cast<X const*>(nullptr), Y(0),
                            static_cast<Y*>(nullptr), nullptr);
  });
}

}  // namespace
}  // namespace araia::test
