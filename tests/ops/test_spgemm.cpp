// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <limits>
#include <random>

#include <araia/detail/formats/conversions.hpp>
#include <araia/ops/spgemm.hpp>

#include "ops/spgemm_check.hpp"
#include "support/errors.hpp"

namespace araia::test {
namespace {

/// Does the kernel form values of these types on Exec? On devices row_bins is for double with 32-bit indices.
template <class Exec, class Scalar = double, class Offset = std::int32_t>
bool runs(std::string const& kernel) {
  return kernel != "row_bins" || !detail::is_device_space<Exec> ||
         (std::is_same_v<Scalar, double> && std::is_same_v<Offset, std::int32_t>);
}
/// Does it form columns alone, and add to what C holds?
template <class Exec>
bool adds(std::string const& kernel) {
  return kernel != "row_bins" || !detail::is_device_space<Exec>;
}

ARAIA_TYPED_SUITE(SpgemmTypes, FormatTypes, OperandTypeNames);

/// All kernels, sorted or not, of one pair.
template <class Exec, class Matrix>
void expect_products(Exec const& exec, Matrix const& A, Matrix const& B, Op op_a, Op op_b, std::string const& what) {
  auto const applied = [](WideCsr wide, Op op) {
    if (transposes(op)) return transposed(wide, conjugates(op));
    if (conjugates(op))
      for (auto& value : wide.values) value = std::conj(value);
    return wide;
  };
  auto const expected = expected_spgemm(applied(wide_csr(A), op_a), applied(wide_csr(B), op_b));
  for (auto const& kernel : spgemm_kernels()) {
    if (!runs<Exec, typename Matrix::value_type, typename Matrix::size_type>(kernel)) continue;
    for (bool const sorted : {true, false}) {
      auto product = make_spgemm(exec, A, B, {.kernel = kernel, .op_a = op_a, .op_b = op_b, .sorted = sorted});
      EXPECT_EQ(product.report().nnz, static_cast<std::int64_t>(expected.col_indices.size())) << what;
      EXPECT_EQ(product.report().products, expected.products) << what;
      product.execute();
      auto const name = what + ", " + kernel + (sorted ? "" : ", unsorted");
      EXPECT_EQ(difference(product.c(), expected, sorted), "") << name;
      std::visit([&](auto const& C) { EXPECT_EQ(C.bytes(), product.report().bytes) << name; }, product.c());
    }
  }
}

ARAIA_TYPED_TEST(SpgemmTypes, ZooTimesItsTranspose) {
  using Exec = typename TypeParam::exec;
  Exec const exec;
  for (auto const& m : zoo()) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    expect_products(exec, A, A, Op::none, Op::transpose, m.name + " times its transpose");
  }
}

ARAIA_TYPED_TEST(SpgemmTypes, TransposeTimesItself) {
  using Exec = typename TypeParam::exec;
  Exec const exec;
  for (auto const& m :
       {random_matrix("257 x 97", 257, 97, 6), unsorted_with_duplicates(random_matrix("50", 50, 30, 9))}) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    expect_products(exec, A, A, Op::conjugate_transpose, Op::none, m.name + ": A' A");
  }
}

ARAIA_TYPED_TEST(SpgemmTypes, Conjugates) {
  using Exec = typename TypeParam::exec;
  Exec const exec;
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(random_matrix("60", 60, 60, 5));
  expect_products(exec, A, A, Op::conjugate, Op::none, "conj(A) A");
  expect_products(exec, A, A, Op::conjugate_transpose, Op::conjugate, "A* conj(A)");
}

TEST(Spgemm, ByHand) {
  //     1 . 2     . 3      0 + .   3 + 8     8 of 2 * 4
  // A = . . .  B = 5 .  C = empty
  //     . 7 .     . 4      35 in column 0
  TestMatrix const a{"A", 3, 3, {0, 2, 2, 3}, {0, 2, 1}, {1, 2, 7}};
  TestMatrix const b{"B", 3, 2, {0, 1, 2, 3}, {1, 0, 1}, {3, 5, 4}};
  auto const C =
      spgemm(Device(), device_csr<double, std::int32_t, Device>(a), device_csr<double, std::int32_t, Device>(b));
  expect_same_csr(C, {"C", 3, 2, {0, 1, 1, 2}, {1, 0}, {11, 35}}, "by hand");
}

TEST(Spgemm, SumsThatCancelStay) {
  TestMatrix const a{"A", 1, 2, {0, 2}, {0, 1}, {1, -1}};
  TestMatrix const b{"B", 2, 3, {0, 2, 4}, {0, 2, 0, 2}, {5, 1, 5, 2}};
  for (auto const& kernel : spgemm_kernels()) {
    if (!runs<Device>(kernel)) continue;
    auto const C = spgemm(Device(), device_csr<double, std::int32_t, Device>(a),
                          device_csr<double, std::int32_t, Device>(b), {.kernel = kernel});
    expect_same_csr(C, {"C", 1, 3, {0, 2}, {0, 2}, {0, -1}}, kernel);
  }
}

TEST(Spgemm, DenseRowTimesDenseColumn) {
  std::int64_t const n = 300;
  auto const row = with_row_lengths("row", n, {n});
  auto const column = with_row_lengths("column", 1, std::vector<std::int64_t>(static_cast<std::size_t>(n), 1));
  auto const R = device_csr<double, std::int32_t, Device>(row);
  auto const K = device_csr<double, std::int32_t, Device>(column);
  expect_products(Device(), R, K, Op::none, Op::none, "row by column");
  expect_products(Device(), K, R, Op::none, Op::none, "column by row");
}

TEST(Spgemm, PatternOnlyAndOnes) {
  auto const m = random_matrix("100", 100, 100, 7);
  auto const ones = device_csr<double, std::int32_t, Device>(m, false);
  auto const A = device_csr<double, std::int32_t, Device>(m);
  auto const of_ones = expected_spgemm(wide_csr(ones), wide_csr(ones));
  for (auto const& kernel : spgemm_kernels()) {
    if (!runs<Device>(kernel)) continue;
    auto const counted = spgemm(Device(), ones, ones, {.kernel = kernel});
    EXPECT_TRUE(counted.has_values());
    EXPECT_EQ(difference(counted, of_ones), "") << kernel;
    auto const mixed = spgemm(Device(), A, ones, {.kernel = kernel});
    EXPECT_EQ(difference(mixed, expected_spgemm(wide_csr(A), wide_csr(ones))), "") << kernel;
    if (!adds<Device>(kernel)) continue;
    auto const pattern = spgemm(Device(), A, A, {.kernel = kernel, .pattern_only = true});
    EXPECT_FALSE(pattern.has_values());
    EXPECT_EQ(difference(pattern, of_ones), "") << kernel;
  }
}

/// Both of the structure of a square matrix, and new values of it.
template <class Exec>
void expect_refreshed(std::string const& kernel, bool sorted, std::uint64_t limit, Op op, TestMatrix const& m) {
  Exec const exec;
  auto const A = device_csr<double, std::int32_t, Exec>(m);
  auto other = m;
  for (auto& value : other.values) value = 1.5 - value;
  auto const B = device_csr<double, std::int32_t, Exec>(other);
  auto const of = [&](auto const& X) {
    auto const wide = wide_csr(X);
    return expected_spgemm(wide, op == Op::none ? wide : transposed(wide, false));
  };
  SpgemmOptions const options{.kernel = kernel, .op_b = op, .sorted = sorted, .workspace_limit = limit};
  auto product = make_spgemm(exec, A, A, options);
  auto const name = m.name + ", " + kernel + (sorted ? "" : ", unsorted");
  for (int i = 0; i < 2; ++i) {
    product.execute(2.0);
    EXPECT_EQ(difference(product.c(), of(A), sorted, 2), "") << name << ", execution " << i;
  }
  product.update_values(B, B);
  product.execute();
  EXPECT_EQ(difference(product.c(), of(B), sorted), "") << name << ", new values";
  if (!adds<Exec>(kernel)) return;
  auto adding = options;
  adding.add = true;
  auto sum = make_spgemm(exec, A, A, adding);
  for (int i = 0; i < 3; ++i) sum.execute(-1.0);
  EXPECT_EQ(difference(sum.c(), of(A), sorted, -1, 3), "") << name << ", added three times";
}

TEST(Spgemm, NewValuesInTheSameStructure) {
  for (auto const& kernel : spgemm_kernels()) {
    if (!runs<Device>(kernel)) continue;
    for (bool const sorted : {true, false})
      for (auto const& m : {stencil(20, 20), random_matrix("200", 200, 200, 9),
                            unsorted_with_duplicates(random_matrix("130", 130, 130, 9))})
        for (auto const op : {Op::none, Op::transpose}) expect_refreshed<Device>(kernel, sorted, 0, op, m);
  }
}

/// Rows of every kind: one entry, few products, near columns, columns far apart, more of them than a small table holds.
TestMatrix rows_of_all_kinds() {
  constexpr std::int64_t n = 150000;
  constexpr std::int64_t apart = 400;
  TestMatrix m{"all kinds", n, n};
  std::mt19937_64 random(zoo_seed + 54);
  std::uniform_int_distribution<std::int64_t> any(0, n / apart - 1);
  for (std::int64_t i = 0; i < n; ++i) {
    std::vector<std::int64_t> columns;
    auto const scattered = [&](int count) {
      for (int j = 0; j < count; ++j) columns.push_back(any(random) * apart + 3);
    };
    if (i % apart == 3) scattered(5);
    if (i % apart == 4) scattered(2);
    if (i % (10 * apart) == 5) scattered(40);
    if (i == 6) scattered(3000);
    if (i % apart == 7)
      for (int j = 0; j < 6; ++j) columns.push_back((i + j * apart) % n);
    if (i % apart == 8) scattered(1);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (auto const column : columns) {
      m.col_indices.push_back(static_cast<std::int32_t>(column));
      m.values.push_back(static_cast<double>(1 + column % 7));
    }
    m.row_offsets.push_back(m.nnz());
  }
  return m;
}

TEST(Spgemm, RowsOfAllKindsUnderAnyCap) {
  if constexpr (detail::is_device_space<Device>) GTEST_SKIP() << "row_bins is the hosts'";
  auto const m = rows_of_all_kinds();
  auto const A = device_csr<double, std::int32_t, Device>(m);
  auto const expected = expected_spgemm(wide_csr(A), wide_csr(A));
  auto const whole = make_spgemm(Device(), A, A, {.kernel = "row_bins"}).report();
  std::vector<std::string> seen;
  for (auto const share : {1, 2, 10, 100}) {
    std::uint64_t const limit = whole.workspace_bytes / static_cast<std::uint64_t>(share);
    auto product = make_spgemm(Device(), A, A, {.kernel = "row_bins", .workspace_limit = limit});
    EXPECT_LE(product.report().workspace_bytes, limit);
    for (auto const& bin : product.report().bins) seen.push_back(bin.name);
    for (int i = 0; i < 2; ++i) {
      product.execute();
      EXPECT_EQ(difference(product.c(), expected), "") << "a share of " << share << ", execution " << i;
    }
    expect_refreshed<Device>("row_bins", false, limit, Op::none, m);
  }
  for (char const* const name : {"empty", "copy", "sort", "dense_window", "hash", "column_ranges"})
    EXPECT_NE(std::find(seen.begin(), seen.end(), name), seen.end()) << name;
}

TEST(Spgemm, AFewFarColumnsUnderEveryCap) {
  // One row of 100 products 2,000 columns apart.
  constexpr std::int64_t n = 100;
  constexpr std::int64_t apart = 2000;
  TestMatrix a{"row", 1, n, {0, n}};
  TestMatrix b{"far", n, n * apart};
  for (std::int64_t k = 0; k < n; ++k) {
    a.col_indices.push_back(static_cast<std::int32_t>(k));
    a.values.push_back(1);
    b.col_indices.push_back(static_cast<std::int32_t>(k * apart));
    b.values.push_back(static_cast<double>(k));
    b.row_offsets.push_back(k + 1);
  }
  auto const A = device_csr<double, std::int32_t, Device>(a);
  auto const B = device_csr<double, std::int32_t, Device>(b);
  auto const expected = expected_spgemm(wide_csr(A), wide_csr(B));
  int made = 0;
  for (std::uint64_t limit = 256; limit <= std::uint64_t{1} << 20; limit *= 2) {
    try {
      auto product = make_spgemm(Device(), A, B, {.workspace_limit = limit});
      EXPECT_LE(product.report().workspace_bytes, limit);
      product.execute();
      EXPECT_EQ(difference(product.c(), expected), "") << limit << " bytes";
      ++made;
    } catch (Error const& e) {
      EXPECT_EQ(e.kind(), ErrorKind::resource_limit) << e.what();
    }
  }
  EXPECT_GT(made, 0);
}

TEST(Spgemm, ChunksOfRowsUnderACap) {
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("3000", 3000, 3000, 9));
  auto const expected = expected_spgemm(wide_csr(A), wide_csr(A));
  for (auto const& kernel : spgemm_kernels()) {
    if (!runs<Device>(kernel)) continue;
    auto const whole = make_spgemm(Device(), A, A, {.kernel = kernel}).report().workspace_bytes;
    for (auto const share : {std::uint64_t{2}, std::uint64_t{10}}) {
      if (kernel != "expand_sort_merge" && kernel != "outer_product" && share > 2)
        continue;  // one team's columns are what they take at least
      auto product = make_spgemm(Device(), A, A, {.kernel = kernel, .workspace_limit = whole / share});
      EXPECT_LE(product.report().workspace_bytes, whole / share) << kernel;
      product.execute();
      EXPECT_EQ(difference(product.c(), expected), "") << kernel << ", a share of " << share;
    }
    std::string message;
    EXPECT_EQ(kind_of([&] { (void)make_spgemm(Device(), A, A, {.kernel = kernel, .workspace_limit = 100}); }, &message),
              ErrorKind::resource_limit)
        << kernel;
    EXPECT_NE(message.find("the limit is 100 bytes"), std::string::npos) << message;
  }
}

/// What Kokkos allocates while this lives, in bytes.
class Allocations {
 public:
  Allocations() {
    now() = most() = 0;
    Kokkos::Tools::Experimental::set_allocate_data_callback(
        [](Kokkos::Tools::SpaceHandle, char const*, void const*, std::uint64_t size) {
          now() += static_cast<std::int64_t>(size);
          most() = std::max(most(), now());
        });
    Kokkos::Tools::Experimental::set_deallocate_data_callback(
        [](Kokkos::Tools::SpaceHandle, char const*, void const*, std::uint64_t size) {
          now() -= static_cast<std::int64_t>(size);
        });
  }
  Allocations(Allocations const&) = delete;
  Allocations& operator=(Allocations const&) = delete;
  ~Allocations() {
    Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
    Kokkos::Tools::Experimental::set_deallocate_data_callback(nullptr);
  }
  static std::int64_t& now() {
    static std::int64_t bytes = 0;
    return bytes;
  }
  static std::int64_t& most() {
    static std::int64_t bytes = 0;
    return bytes;
  }
};

TEST(Spgemm, MemoryStaysWithinWhatWasAnnounced) {
  auto const m = random_matrix("2000", 2000, 2000, 8);
  auto const A = device_csr<double, std::int32_t, Device>(m);
  for (auto const& kernel : spgemm_kernels()) {
    if (!runs<Device>(kernel)) continue;
    for (auto const op : {Op::none, Op::transpose})
      for (auto const share : {std::uint64_t{1}, std::uint64_t{2}}) {
        auto const whole = make_spgemm(Device(), A, A, {.kernel = kernel}).report().workspace_bytes;
        Allocations const counted;
        auto product = make_spgemm(Device(), A, A, {.kernel = kernel, .op_b = op, .workspace_limit = whole / share});
        product.execute();
        auto const report = product.report();
        auto const name = kernel + ", share of " + std::to_string(share);
        // What one thread or two allocate for a sum is not worth announcing.
        std::int64_t const small = 4096;
        EXPECT_LE(Allocations::most(), static_cast<std::int64_t>(report.peak_bytes) + small) << name;
        auto const before = Allocations::most();
        product.execute();
        EXPECT_EQ(Allocations::most(), before) << name << ": new values allocate";
        EXPECT_EQ(report.peak_bytes, report.bytes + report.workspace_bytes) << name;
      }
  }
}

TEST(Spgemm, RefusedBeforeCIsAllocated) {
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("500", 500, 500, 20));
  auto const report = make_spgemm(Device(), A, A).report();
  Allocations const counted;
  expect_error(ErrorKind::resource_limit, {std::to_string(report.peak_bytes), std::to_string(report.peak_bytes - 1)},
               [&] { (void)make_spgemm(Device(), A, A, {.memory_limit = report.peak_bytes - 1}); });
  EXPECT_LT(Allocations::most(), static_cast<std::int64_t>(report.peak_bytes));
  (void)spgemm(Device(), A, A, {.memory_limit = report.peak_bytes});
}

TEST(Spgemm, SameBitsInEveryRunAndAtAnyNumberOfThreads) {
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("4000", 4000, 4000, 15));
  for (auto const& kernel : spgemm_kernels()) {
    if (!runs<Device>(kernel)) continue;
    SpgemmOptions const options{.kernel = kernel, .deterministic = true};
    auto const bits = [&](auto const& exec) {
      auto const values = download<double>(spgemm(exec, A, A, options).values);
      std::vector<std::uint64_t> same(values.size());
      std::memcpy(same.data(), values.data(), values.size() * sizeof(double));
      return same;
    };
    auto const first = bits(Device());
    EXPECT_EQ(bits(Device()), first) << kernel;
#ifdef KOKKOS_ENABLE_OPENMP
    if constexpr (std::is_same_v<Device, Kokkos::OpenMP>) {
      EXPECT_EQ(bits(Kokkos::Experimental::partition_space(Device{}, 1)[0]), first) << kernel;
    }
#endif
  }
}

TEST(Spgemm, OffsetsOf64Bits) {
  auto const m = random_matrix("200", 200, 200, 9);
  auto const A = device_csr<double, std::int32_t, Device>(m);
  auto const expected = expected_spgemm(wide_csr(A), wide_csr(A));
  auto product = make_spgemm(Device(), A, A, {.offset_bits = 64});
  product.execute();
  EXPECT_EQ(product.report().offset_bits, 64);
  EXPECT_EQ(product.c().index(), 1u);
  EXPECT_EQ(difference(product.c(), expected), "");
  EXPECT_EQ(difference(product.csr<std::int32_t>(), expected), "");
  EXPECT_EQ(difference(product.csr<std::int64_t>(), expected), "");
}

TEST(Spgemm, RefusesWhatDoesNotFit) {
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("A", 10, 20, 3));
  auto const B = device_csr<double, std::int32_t, Device>(random_matrix("B", 21, 20, 3));
  expect_error(ErrorKind::dimension_mismatch, {"10 x 20", "21 x 20"}, [&] { (void)spgemm(Device(), A, B); });
  expect_error(ErrorKind::dimension_mismatch, {"20 x 10", "20 x 21"},
               [&] { (void)spgemm(Device(), A, B, {.op_a = Op::transpose, .op_b = Op::transpose}); });
  auto permuted = device_csr<double, std::int32_t, Device>(random_matrix("20", 20, 20, 3));
  permuted = sort_rows_by_length(Device(), permuted);
  expect_error(ErrorKind::unsupported, {"rows of B are permuted"}, [&] { (void)spgemm(Device(), A, permuted); });
  expect_error(ErrorKind::unsupported, {"rows of A are permuted"}, [&] { (void)spgemm(Device(), permuted, permuted); });
  auto broken = device_csr<double, std::int32_t, Device>(random_matrix("20", 20, 20, 3));
  broken.nnz += 1;
  EXPECT_EQ(kind_of([&] { (void)spgemm(Device(), A, broken); }), ErrorKind::invalid_structure);
  expect_error(ErrorKind::invalid_argument, {"offset_bits is 16"},
               [&] { (void)make_spgemm(Device(), A, A, {.op_b = Op::transpose, .offset_bits = 16}); });
  auto product = make_spgemm(Device(), A, A, {.op_b = Op::transpose});
  expect_error(ErrorKind::dimension_mismatch, {"A is 21 x 20"}, [&] { product.update_values(B, A); });
  auto ones = A;
  ones.values = {};
  expect_error(ErrorKind::invalid_argument, {"B has no values"}, [&] { product.update_values(A, ones); });
}

TEST(Spgemm, RefusedValuesChangeNothing) {
  auto const m = random_matrix("40", 40, 40, 4);
  auto other = m;
  for (auto& value : other.values) value += 1;
  for (auto const op : {Op::none, Op::transpose}) {
    auto A = device_csr<double, std::int32_t, Device>(m);
    auto const wide = wide_csr(A);
    auto const expected = expected_spgemm(op == Op::none ? wide : transposed(wide, false), wide);
    auto product = make_spgemm(Device(), A, A, {.op_a = op});
    A = {};  // the product holds what it reads
    auto const wrong = device_csr<double, std::int32_t, Device>(random_matrix("30", 30, 30, 4));
    EXPECT_EQ(kind_of([&] { product.update_values(device_csr<double, std::int32_t, Device>(other), wrong); }),
              ErrorKind::dimension_mismatch);
    product.execute();
    EXPECT_EQ(difference(product.c(), expected), "") << (op == Op::none ? "A A" : "A' A");
  }
}

TEST(Spgemm, ReadsTheValuesThatOperandsHave) {
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("40", 40, 40, 4));
  for (auto const op : {Op::none, Op::transpose}) {
    auto product = make_spgemm(Device(), A, A, {.op_a = op});
    for (int i = 0; i < 2; ++i) {
      Kokkos::deep_copy(A.values, 2.0 + i);
      product.execute();
      auto const wide = wide_csr(A);
      EXPECT_EQ(difference(product.c(), expected_spgemm(op == Op::none ? wide : transposed(wide, false), wide)), "")
          << (op == Op::none ? "A A" : "A' A") << ", execution " << i;
    }
  }
}

TEST(Spgemm, WithoutAlphaNoValueCounts) {
  auto const m = random_matrix("40", 40, 40, 4);
  auto broken = m;
  for (auto& value : broken.values) value = std::numeric_limits<double>::quiet_NaN();
  auto const A = device_csr<double, std::int32_t, Device>(m);
  auto const N = device_csr<double, std::int32_t, Device>(broken);
  auto const expected = expected_spgemm(wide_csr(A), wide_csr(A));
  auto product = make_spgemm(Device(), N, N);
  for (int i = 0; i < 2; ++i) {
    product.execute(0.0);
    EXPECT_EQ(difference(product.c(), expected, true, 0), "") << "execution " << i;
  }
  auto sum = make_spgemm(Device(), A, A, {.add = true});
  sum.execute(1.0);
  sum.update_values(N, N);
  sum.execute(0.0);
  EXPECT_EQ(difference(sum.c(), expected), "");
}

TEST(Spgemm, NoCBeforeTheFirstExecution) {
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("40", 40, 40, 4));
  auto const product = make_spgemm(Device(), A, A);
  expect_error(ErrorKind::invalid_argument, {"before execute()"}, [&] { (void)product.c(); });
  expect_error(ErrorKind::invalid_argument, {"before execute()"}, [&] { (void)product.csr<std::int64_t>(); });
}

TEST(Spgemm, AppliesAPermutationWithATranspose) {
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("30 x 20", 30, 20, 4));
  auto const permuted = sort_rows_by_length(Device(), A);
  auto const expected = expected_spgemm(transposed(wide_csr(A), false), wide_csr(A));
  EXPECT_EQ(difference(spgemm(Device(), permuted, A, {.op_a = Op::transpose}), expected), "");
}

TEST(Spgemm, NamesItsKernels) {
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("20", 20, 20, 3));
  auto const names = kernel_names("csr", OpId::spgemm, Op::none);
  EXPECT_GE(names.size(), 5u);
  for (auto const& name : names) {
    if (!runs<Device>(name)) continue;
    EXPECT_EQ(make_spgemm(Device(), A, A, {.kernel = name}).report().kernel, name);
  }
  for (char const* unknown : {"fast", ""})
    expect_error(ErrorKind::invalid_argument,
                 {std::string("'") + unknown + "'", "automatic", "row_bins", "outer_product"},
                 [&] { (void)make_spgemm(Device(), A, A, {.kernel = unknown}); });
}

TEST(Spgemm, ExplainsItself) {
  auto const A = device_csr<double, std::int32_t, Device>(stencil(30, 30));
  auto const report = make_spgemm(Device(), A, A).report();
  auto const text = explain(report);
  for (auto const& part : {std::to_string(report.nnz) + " entries", std::to_string(report.products) + " products",
                           std::to_string(report.workspace_bytes), std::string("outer_product would have taken")})
    EXPECT_NE(text.find(part), std::string::npos) << text << "\nexpected: " << part;
  std::int64_t rows = 0;
  std::uint64_t products = 0;
  for (auto const& bin : report.bins) {
    rows += bin.rows;
    products += bin.products;
  }
  EXPECT_EQ(rows, report.rows);
  EXPECT_EQ(products, report.products);
}

}  // namespace
}  // namespace araia::test
