// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More entries than 32 bits count: every format is built, multiplies and comes back, where a device has the memory. The
// same checks run on a small matrix everywhere.

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <cstdint>
#include <exception>
#include <limits>
#include <vector>

#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/csr_to_bcsc.hpp>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/formats/csr_to_csc.hpp>
#include <araia/detail/formats/csr_to_hyb.hpp>
#include <araia/detail/formats/csr_to_sell.hpp>
#include <araia/ops/spmm.hpp>
#include <araia/ops/spmv.hpp>

#include "backends/openmp/sell_spmv_host.hpp"
#include "support/device.hpp"
#include "support/formats.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

using WideCsr = Csr<float, std::int32_t, std::int64_t, Device::device_type>;

constexpr std::int64_t row_length = 1024;
constexpr std::int64_t cols = 8 * row_length;

/// Eight rows in a line share their columns, 8 apart; values are 1 to 4, so that sums are exact in float.
KOKKOS_INLINE_FUNCTION std::int32_t column(std::int64_t row, std::int64_t j) {
  return static_cast<std::int32_t>(8 * j + (row / 8) % 8);
}
KOKKOS_INLINE_FUNCTION float value(std::int64_t row, std::int64_t j) { return static_cast<float>(1 + (row + j) % 4); }
KOKKOS_INLINE_FUNCTION float operand(std::int64_t j) { return static_cast<float>(1 + (j / 8) % 3 + j % 2); }

WideCsr regular_matrix(std::int64_t rows) {
  Device const exec;
  WideCsr A{.rows = rows, .cols = cols, .nnz = rows * row_length};
  using Range = Kokkos::RangePolicy<Device, Kokkos::IndexType<std::int64_t>>;
  Kokkos::View<std::int64_t*, Device> const offsets("row_offsets", static_cast<std::size_t>(rows + 1));
  Kokkos::View<std::int32_t*, Device> const indices(Kokkos::view_alloc(Kokkos::WithoutInitializing, "col_indices"),
                                                    static_cast<std::size_t>(A.nnz));
  Kokkos::View<float*, Device> const values(Kokkos::view_alloc(Kokkos::WithoutInitializing, "values"),
                                            static_cast<std::size_t>(A.nnz));
  Kokkos::parallel_for(
      "test::row_offsets", Range(exec, 0, rows + 1), KOKKOS_LAMBDA(std::int64_t i) { offsets(i) = i * row_length; });
  Kokkos::parallel_for(
      "test::entries", Range(exec, 0, A.nnz), KOKKOS_LAMBDA(std::int64_t k) {
        indices(k) = column(k / row_length, k % row_length);
        values(k) = value(k / row_length, k % row_length);
      });
  A.row_offsets = offsets;
  A.col_indices = indices;
  A.values = values;
  return A;
}

/// Entries, or offsets, of a Csr that are not those of regular_matrix.
std::int64_t differences(WideCsr const& A, std::int64_t rows) {
  using Range = Kokkos::RangePolicy<Device, Kokkos::IndexType<std::int64_t>>;
  EXPECT_EQ(A.rows, rows);
  EXPECT_EQ(A.cols, cols);
  EXPECT_EQ(A.nnz, rows * row_length);
  if (A.nnz != rows * row_length) return A.nnz;
  auto const a = A.pointers();
  std::int64_t wrong_offsets = 0;
  std::int64_t wrong_entries = 0;
  Kokkos::parallel_reduce(
      "test::offsets", Range(0, rows + 1),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & count) { count += a.row_offsets[i] != i * row_length; },
      wrong_offsets);
  Kokkos::parallel_reduce(
      "test::entries", Range(0, A.nnz),
      KOKKOS_LAMBDA(std::int64_t k, std::int64_t & count) {
        std::int64_t const row = k / row_length;
        std::int64_t const j = k % row_length;
        count += a.col_indices[k] != column(row, j) || a.values[k] != value(row, j);
      },
      wrong_entries);
  return wrong_offsets + wrong_entries;
}

/// What every row's product is: rows repeat every 64.
Kokkos::View<float*, Device> expected_rows() {
  Kokkos::View<float*, Device> const sums("expected", 64);
  auto const host = Kokkos::create_mirror_view(sums);
  for (std::int64_t row = 0; row < 64; ++row) {
    double sum = 0;
    for (std::int64_t j = 0; j < row_length; ++j) sum += double(value(row, j)) * double(operand(column(row, j)));
    host(static_cast<std::size_t>(row)) = static_cast<float>(sum);
  }
  Kokkos::deep_copy(sums, host);
  return sums;
}

using Vector = Kokkos::View<float*, Device>;
using TwoColumns = Kokkos::View<float**, Kokkos::LayoutRight, Device>;

/// Of products with regular_matrix: x and y, and B and C whose second column is twice the first.
struct ProductOperands {
  Vector x{"x", cols};
  TwoColumns B{"B", cols, 2};
  Vector y;
  TwoColumns C;
};

ProductOperands operands(std::int64_t rows) {
  ProductOperands o;
  o.y = Vector("y", static_cast<std::size_t>(rows));
  o.C = TwoColumns("C", static_cast<std::size_t>(rows), 2);
  auto const x = o.x;
  auto const B = o.B;
  Kokkos::parallel_for(
      "test::operands", Kokkos::RangePolicy<Device, Kokkos::IndexType<std::int64_t>>(0, cols),
      KOKKOS_LAMBDA(std::int64_t j) {
        x(j) = B(j, 0) = operand(j);
        B(j, 1) = 2 * operand(j);
      });
  Kokkos::deep_copy(o.y, -1.0F);
  Kokkos::deep_copy(o.C, -1.0F);
  return o;
}

void expect_right_products(ProductOperands const& o, std::int64_t rows, char const* what) {
  auto const expected = expected_rows();
  auto const y = o.y;
  auto const C = o.C;
  std::int64_t wrong_y = 0;
  std::int64_t wrong_c = 0;
  Kokkos::parallel_reduce(
      "test::rows", Kokkos::RangePolicy<Device, Kokkos::IndexType<std::int64_t>>(0, rows),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & in_y, std::int64_t & in_c) {
        in_y += y(i) != expected(i % 64);
        in_c += C(i, 0) != expected(i % 64) || C(i, 1) != 2 * expected(i % 64);
      },
      wrong_y, wrong_c);
  EXPECT_EQ(wrong_y, 0) << what << ": spmv";
  EXPECT_EQ(wrong_c, 0) << what << ": spmm";
}

template <class Matrix>
void expect_products(Matrix const& A, std::int64_t rows, char const* what) {
  Device const exec;
  auto const o = operands(rows);
  spmv(exec, Op::none, 1.0F, A, o.x, 0.0F, o.y);
  spmm(exec, Op::none, 1.0F, A, o.B, 0.0F, o.C);
  exec.fence();
  expect_right_products(o, rows, what);
}

template <class Convert>
void check_format(WideCsr const& A, char const* what, Convert const& convert) {
  SCOPED_TRACE(what);
  char const* step = "the conversion";
  try {
    auto const B = convert(Device());
    EXPECT_EQ(B.nnz, A.nnz);
    step = "products";
    expect_products(B, A.rows, what);
    step = "back to csr";
    EXPECT_EQ(differences(to_csr<std::int64_t>(Device(), B), A.rows), 0) << what << ": back to csr";
  } catch (std::exception const& e) {  // the other formats may still fit the device's memory
    ADD_FAILURE() << what << ", " << step << ": " << e.what();
  }
}

void check_every_format(std::int64_t rows) {
  WideCsr const A = regular_matrix(rows);
  validate(Device(), A);
  expect_products(A, rows, "csr");
  std::uint64_t const limit = std::uint64_t{1} << 36;
  check_format(A, "coo", [&](Device const& exec) { return csr_to_coo(exec, A); });
  check_format(A, "ell", [&](Device const& exec) { return csr_to_ell(exec, A, {.memory_limit = limit}); });
  check_format(A, "csc", [&](Device const& exec) { return csr_to_csc(exec, A, {.memory_limit = limit}); });
  check_format(A, "hyb", [&](Device const& exec) {
    return csr_to_hyb(exec, A, {.width = row_length / 2, .memory_limit = limit});
  });
  check_format(A, "sell", [&](Device const& exec) { return csr_to_sell(exec, A, {.memory_limit = limit}); });
  check_format(A, "sell, 16-bit columns", [&](Device const& exec) {
    return csr_to_sell(exec, A, {.columns = SellColumns::narrow, .memory_limit = limit});
  });
  check_format(A, "bsr", [&](Device const& exec) {
    return csr_to_bsr(exec, A, {.block_rows = 8, .block_cols = 1, .keep_stored_mask = true, .memory_limit = limit});
  });
  check_format(A, "bcsc",
               [&](Device const& exec) { return csr_to_bcsc(exec, A, {.block_height = 64, .memory_limit = limit}); });
}

TEST(BeyondInt32, SmallMatrixOfTheSameKind) { check_every_format(1001); }

TEST(BeyondInt32, EveryFormatOfTwoToThe31Entries) {
#ifdef KOKKOS_ENABLE_CUDA
  std::size_t free = 0;
  std::size_t total = 0;
  ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  if (free < (std::size_t{120} << 30)) GTEST_SKIP() << "needs 120 GiB of free device memory, has " << (free >> 30);
  std::int64_t const rows = (std::int64_t{1} << 21) + 3;
  static_assert(((std::int64_t{1} << 21) + 3) * row_length > std::int64_t{1} << 31);
  check_every_format(rows);
  WideCsr const A = regular_matrix(rows);
  expect_error(ErrorKind::resource_limit, {"csr_to_sell"}, [&] { csr_to_sell<std::int32_t>(Device(), A); });
  expect_error(ErrorKind::resource_limit, {"to_csr"}, [&] { to_csr<std::int32_t>(Device(), csr_to_coo(Device(), A)); });
#else
  GTEST_SKIP() << "needs a device with 120 GiB of memory";
#endif
}

TEST(BeyondInt32, CsrAndSellOfTwoToThe32Entries) {
#ifdef KOKKOS_ENABLE_CUDA
  std::size_t free = 0;
  std::size_t total = 0;
  ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  if (free < (std::size_t{120} << 30)) GTEST_SKIP() << "needs 120 GiB of free device memory, has " << (free >> 30);
  std::int64_t const rows = (std::int64_t{1} << 22) + 3;
  WideCsr const A = regular_matrix(rows);
  expect_products(A, rows, "csr");
  check_format(A, "sell",
               [&](Device const& exec) { return csr_to_sell(exec, A, {.memory_limit = std::uint64_t{1} << 37}); });
#else
  GTEST_SKIP() << "needs a device with 120 GiB of memory";
#endif
}

#ifdef __linux__
/// Addresses of so many zeros, of which only what is written takes memory; no data where the system has none.
template <class T>
class SparseArray {
 public:
  explicit SparseArray(std::int64_t count) : bytes_(static_cast<std::size_t>(count) * sizeof(T)) {
    at_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at_ != MAP_FAILED) madvise(at_, bytes_, MADV_NOHUGEPAGE);
  }
  SparseArray(SparseArray const&) = delete;
  SparseArray& operator=(SparseArray const&) = delete;
  ~SparseArray() {
    if (at_ != MAP_FAILED) munmap(at_, bytes_);
  }
  [[nodiscard]] T* data() const { return at_ == MAP_FAILED ? nullptr : static_cast<T*>(at_); }

 private:
  std::size_t bytes_;
  void* at_;
};

TEST(BeyondInt32, HostSellOfPairsReachesTheLastColumn) {
  constexpr std::int32_t last_group = std::numeric_limits<std::int32_t>::max() / 2;
  // Odd numbers of columns end inside the last group.
  for (std::int64_t const columns : {std::int64_t{1} << 31, (std::int64_t{1} << 31) - 1}) {
    SparseArray<double> const x(columns);
    if (!x.data()) GTEST_SKIP() << "needs 16 GiB of addresses";
    constexpr std::int64_t h = 8;
    std::vector<std::int32_t> groups(2 * h);
    std::vector<double> values(4 * h);
    std::vector<double> expected(h);
    for (std::int32_t l = 0; l < h; ++l) {
      groups[static_cast<std::size_t>(l)] = 10 * l;
      groups[static_cast<std::size_t>(h + l)] = last_group - l;
      for (std::int32_t plane = 0; plane < 4; ++plane) {
        std::int64_t const c = std::int64_t{2} * (plane < 2 ? 10 * l : last_group - l) + plane % 2;
        if (c >= columns) continue;  // fill
        values[static_cast<std::size_t>(plane * h + l)] = 1 + plane;
        x.data()[c] = static_cast<double>(3 + c % 5);
        expected[static_cast<std::size_t>(l)] += (1 + plane) * x.data()[c];
      }
    }
    std::vector<std::int32_t> const slice_offsets{0, 4 * h};
    std::vector<std::int32_t> const lengths(h, 2);
    SellPointers<double, std::int32_t, std::int32_t> a{};
    a.rows = h;
    a.cols = columns;
    a.fill = columns % 2;
    a.nnz = 4 * h - a.fill;
    a.slices = 1;
    a.slice_height = h;
    a.block_width = 2;
    a.slice_offsets = slice_offsets.data();
    a.row_lengths = lengths.data();
    a.col_indices = groups.data();
    a.values = values.data();
    for (auto const isa : host::supported_isas())
      for (bool const gathers : {false, true}) {
        std::vector<double> y(h, -1);
        host::sell_spmv(a, 1.0, DenseVector<double const>{x.data(), columns, 1}, 0.0,
                        DenseVector<double>{y.data(), h, 1}, 1, isa, gathers);
        EXPECT_EQ(y, expected) << columns << " columns, " << host::to_string(isa);
      }
  }
}

TEST(BeyondInt32, RowsThatRunsCannotCountAreNotInspected) {
  std::int64_t const rows = (std::int64_t{1} << 31) + 20;
  EXPECT_TRUE(detail::can_inspect_rows(std::numeric_limits<std::int32_t>::max()));
  EXPECT_FALSE(detail::can_inspect_rows(rows));
  SparseArray<std::int64_t> const offsets(rows + 1);
  if (!offsets.data()) GTEST_SKIP() << "needs 16 GiB of addresses";
  Csr<double, std::int32_t, std::int64_t, HostDevice> A{.rows = rows, .cols = 100};
  A.row_offsets = Kokkos::View<std::int64_t const*, HostDevice>(offsets.data(), static_cast<std::size_t>(rows + 1));
  expect_error(ErrorKind::resource_limit, {"araia::inspect_rows: rows is 2147483668", "2147483647"},
               [&] { (void)inspect_rows(Host(), A); });
}
#endif

}  // namespace
}  // namespace araia::test
