// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every SpMV kernel against the reference over the zoo: operations, alpha and beta, strides, canaries.
#include <algorithm>
#include <araia/ops/spmv.hpp>
#include <limits>
#include <sstream>

#include "support/check.hpp"
#include "support/errors.hpp"
#include "support/tunings.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(Spmv, OperandTypes, OperandTypeNames);

template <class Y>
std::vector<std::pair<Y, Y>> alpha_beta() {
  auto const v = [](double x) { return scalar_from<Y>(x); };
  return {{Y(1), Y(0)}, {Y(1), Y(1)}, {v(0.7), v(-1)}, {Y(0), v(0.5)}, {Y(-1), Y(0)}, {Y(0), Y(0)}};
}

/// One product with every alpha, beta and stride, checked element by element; y starts as NaN where beta is zero.
template <class Types, class Matrix, class HostCsr>
void check_spmv(Matrix const& A, HostCsr const& host, Op op, spmv_tuning_t<Matrix> const& tuning,
                std::string const& what, std::vector<Strides> const& strides) {
  using Exec = typename Types::exec;
  using X = typename Types::x;
  using Y = typename Types::y;
  Exec const exec;
  std::int64_t const rows = transposes(op) ? A.cols : A.rows;
  std::int64_t const cols = transposes(op) ? A.rows : A.cols;
  for (auto const& stride : strides)
    for (auto const& [alpha, beta] : alpha_beta<Y>()) {
      Operand<X, Exec> x(cols, 1, stride.x, 1, stride.offset);
      Operand<Y, Exec> y(rows, 1, stride.y, 1, stride.offset);
      x.fill(zoo_seed);
      y.fill(zoo_seed + 1);
      if (alpha == Y(0)) x.fill_with(scalar_from<X>(std::numeric_limits<double>::quiet_NaN()));
      if (beta == Y(0)) y.fill_with(scalar_from<Y>(std::numeric_limits<double>::quiet_NaN()));
      x.to_device();
      y.to_device();
      auto const expected = expected_product(op, alpha, host, x.host(), beta, y.host());
      spmv(exec, op, alpha, A, x.vector(), beta, y.vector(), tuning);
      exec.fence();
      y.from_device();
      std::ostringstream text;
      text << what << ", op " << static_cast<int>(op) << ", " << tuning << ", alpha " << alpha << ", beta " << beta
           << ", strides " << stride.x << ' ' << stride.y;
      expect_within_bound(expected, y.host(), text.str());
      EXPECT_EQ(y.disturbed_bytes(), 0) << text.str() << ": wrote beside y";
    }
}

std::vector<Strides> const all_strides{{1, 1, 0}, {1, 1, 1}, {1, 1, 3}, {3, 2, 1}};

ARAIA_TYPED_TEST(Spmv, CsrKernelsAgreeWithReference) {
  using Exec = typename TypeParam::exec;
  for (auto const& m : zoo()) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    auto const host = host_copy(A);
    auto const runs = inspect_rows<Exec, typename TypeParam::a, std::int32_t, typename TypeParam::offset,
                                   typename Exec::device_type, typename TypeParam::x, typename TypeParam::y>(Exec(), A);
    for (Op const op : all_ops)
      for (auto const kernel : {CsrSpmvKernel::automatic, CsrSpmvKernel::thread_per_row, CsrSpmvKernel::vector_per_row,
                                CsrSpmvKernel::host_simd, CsrSpmvKernel::host_simd_runs, CsrSpmvKernel::transposed})
        for (auto const& stride : all_strides) {
          CsrSpmvTuning const tuning{.kernel = kernel, .row_runs = runs.get()};
          Operand<typename TypeParam::x, Exec> x(transposes(op) ? m.rows : m.cols, 1, stride.x, 1);
          Operand<typename TypeParam::y, Exec> y(transposes(op) ? m.cols : m.rows, 1, stride.y, 1);
          if (supports_spmv(Exec(), op, A, x.vector(), y.vector(), tuning))
            check_spmv<TypeParam>(A, host.pointers(), op, tuning, m.name, {stride});
        }
  }
}

/// Rows and entries at the edges of chunks, rows over many chunks, chunks of empty rows alone.
std::vector<TestMatrix> const& skewed() {
  static std::vector<TestMatrix> const all = [] {
    std::vector<std::int64_t> lengths(3000, 0);
    lengths[5] = 20000;
    lengths[2998] = 1023;
    lengths[2999] = 1025;
    std::vector<std::int64_t> circuit(4000, 4);
    circuit[17] = 5000;
    circuit[18] = 700;
    circuit[3999] = 3000;
    return std::vector{with_row_lengths("a row of 20000 among empty ones", 20000, lengths),
                       with_row_lengths("circuit", 6000, circuit),
                       with_row_lengths("a row of 1500", 2000, {3, 0, 1500, 0, 0, 7, 130, 129, 128, 1}),
                       with_row_lengths("empty but for the last", 40,
                                        [] {
                                          std::vector<std::int64_t> last(5000, 0);
                                          last.back() = 40;
                                          return last;
                                        }()),
                       with_row_lengths("1023 items", 40, std::vector<std::int64_t>(31, 32)),
                       with_row_lengths("1024 entries", 40, std::vector<std::int64_t>(32, 32)),
                       with_row_lengths("1024 items", 70, std::vector<std::int64_t>(16, 63)),
                       with_row_lengths("2048 items", 1023, {1023, 1023})};
  }();
  return all;
}

/// The kernels that own chunks, as far as they run on Exec.
template <class Types, class Matrix>
void check_partitioned(Matrix const& A, TestMatrix const& m, std::vector<Strides> const& strides,
                       std::vector<int> const& team_sizes = {0}) {
  using Exec = typename Types::exec;
  auto const host = host_copy(A);
  for (auto const kernel : {CsrSpmvKernel::balanced, CsrSpmvKernel::equal_chunks}) {
    auto const partition = partition_rows(Exec(), A, kernel);
    EXPECT_EQ(partition.bytes(), detail::csr_partition_bytes(partition.cut, A.rows, A.nnz));
    for (int const team_size : team_sizes)
      for (auto const& stride : strides) {
        CsrSpmvTuning const tuning{.kernel = kernel, .team_size = team_size, .partition = partition.pointers()};
        Operand<typename Types::x, Exec> const x(m.cols, 1, stride.x, 1);
        Operand<typename Types::y, Exec> const y(m.rows, 1, stride.y, 1);
        bool const supported = supports_spmv(Exec(), Op::none, A, x.vector(), y.vector(), tuning);
        EXPECT_TRUE(supported || kernel == CsrSpmvKernel::equal_chunks);
        if (supported) check_spmv<Types>(A, host.pointers(), Op::none, tuning, m.name, {stride});
      }
  }
}

ARAIA_TYPED_TEST(Spmv, CsrKernelsOfEqualChunksAgreeWithReference) {
  using Exec = typename TypeParam::exec;
  for (auto const* const matrices : {&zoo(), &skewed()})
    for (auto const& m : *matrices) {
      auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
      check_partitioned<TypeParam>(A, m, all_strides);
      check_partitioned<TypeParam>(sort_rows_by_length(Exec(), A), m, {{1, 1, 0}});
    }
  for (auto const& m : {skewed()[0], skewed()[1], random_matrix("teams", 700, 90, 9)})
    check_partitioned<TypeParam>(device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m), m, {{1, 1, 0}},
                                 {1, 32, 96, 512});
  auto const m = random_matrix("pattern", 90, 70, 8);
  check_partitioned<TypeParam>(device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m, false), m,
                               all_strides);
}

// What runs on devices, on as many threads as the host has: several share a chunk.
TEST(CsrBalanced, ThreadsOfAHostsTeamShareAChunk) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  Exec const exec;
  for (auto const* const matrices : {&zoo(), &skewed()})
    for (auto const& m : *matrices) {
      if (m.nnz() == 0) continue;  // dispatch scales y instead
      auto const A = device_csr<double, std::int32_t, Exec>(m);
      auto const partition = partition_rows(exec, A);
      for (int team_size = 1; team_size <= exec.concurrency(); ++team_size) {
        Operand<double, Exec> x(m.cols, 1, 1, 1);
        Operand<double, Exec> y(m.rows, 1, 1, 1);
        x.fill(zoo_seed);
        y.fill(zoo_seed + 1);
        x.to_device();
        y.to_device();
        auto const expected = expected_product(Op::none, 0.7, A.pointers(), x.host(), -1.0, y.host());
        detail::ContiguousVector<double const> const x_pointer(detail::as_const(detail::dense_vector(x.vector())));
        detail::ContiguousVector<double> const y_pointer(detail::dense_vector(y.vector()));
        detail::csr_chunks_by_teams(exec, team_size, partition.pointers(), 0.7, A.pointers(), x_pointer, -1.0,
                                    y_pointer);
        if (partition.chunks() > 1)
          detail::csr_add_carries(exec, detail::row_team_shape(exec, partition.chunks() - 1, 0, 0, 1),
                                  partition.pointers(), 0.7, A.pointers(), y_pointer);
        exec.fence();
        y.from_device();
        expect_within_bound(expected, y.host(), m.name + ", teams of " + std::to_string(team_size));
      }
    }
}

ARAIA_TYPED_TEST(Spmv, CsrKernelsOfEqualChunksRepeatTheirBits) {
  using Exec = typename TypeParam::exec;
  using Y = typename TypeParam::y;
  Exec const exec;
  auto const& m = skewed()[1];
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  Operand<typename TypeParam::x, Exec> x(m.cols, 1, 1, 1);
  x.fill(zoo_seed);
  x.to_device();
  for (auto const kernel : {CsrSpmvKernel::balanced, CsrSpmvKernel::equal_chunks}) {
    auto const partition = partition_rows(exec, A, kernel);
    CsrSpmvTuning const tuning{.kernel = kernel, .partition = partition.pointers()};
    std::vector<Y> first;
    for (int run = 0; run < 20; ++run) {
      Operand<Y, Exec> y(m.rows, 1, 1, 1);
      y.to_device();
      if (!supports_spmv(exec, Op::none, A, x.vector(), y.vector(), tuning)) break;
      spmv(exec, Op::none, Y(1), A, x.vector(), Y(0), y.vector(), tuning);
      exec.fence();
      y.from_device();
      std::vector<Y> values;
      for (std::int64_t i = 0; i < m.rows; ++i) values.push_back(y(i));
      if (run == 0) first = values;
      EXPECT_EQ(values, first) << kernel_name(kernel) << ", run " << run;
    }
  }
}

ARAIA_TYPED_TEST(Spmv, CsrTuningsAgreeWithReference) {
  using Exec = typename TypeParam::exec;
  auto const m = random_matrix("tunings", 300, 200, 12);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  auto const host = host_copy(A);
  for (int const lanes : {1, 2, 4, 8, 16, 32})
    for (int const rows_per_team : {1, 7, 64})
      for (int const team_size : {1, 4, 32})
        check_spmv<TypeParam>(A, host.pointers(), Op::none,
                              {CsrSpmvKernel::vector_per_row, rows_per_team, team_size, lanes}, m.name, {{1, 1, 0}});
}

ARAIA_TYPED_TEST(Spmv, EllTuningsAgreeWithReference) {
  using Exec = typename TypeParam::exec;
  auto const m = random_matrix("tunings", 700, 90, 9);  // more rows than a host goes through together
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  auto const host = host_copy(A);
  auto const B = csr_to_ell(Exec(), A);
  for (int const rows_per_team : {1, 255, 256, 257, 700})
    check_spmv<TypeParam>(B, host.pointers(), Op::none, {.rows_per_team = rows_per_team}, m.name, {{1, 1, 0}});
}

ARAIA_TYPED_TEST(Spmv, CsrWithPermutedRowsAgrees) {
  using Exec = typename TypeParam::exec;
  for (auto const& m : zoo()) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    auto const host = host_copy(A);
    for (bool const ascending : {true, false}) {
      auto const B = sort_rows_by_length(Exec(), A, ascending);
      validate(Exec(), B);
      for (Op const op : all_ops) check_spmv<TypeParam>(B, host.pointers(), op, {}, m.name + ", permuted", {{1, 1, 0}});
    }
  }
}

ARAIA_TYPED_TEST(Spmv, PatternMeansOnes) {
  using Exec = typename TypeParam::exec;
  auto const m = random_matrix("pattern", 90, 70, 8);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m, false);
  auto const host = host_copy(A);
  for (Op const op : all_ops) {
    check_spmv<TypeParam>(A, host.pointers(), op, {}, "csr pattern", all_strides);
    check_spmv<TypeParam>(csr_to_coo(Exec(), A), host.pointers(), op, {}, "coo pattern", all_strides);
    check_spmv<TypeParam>(csr_to_ell(Exec(), A), host.pointers(), op, {}, "ell pattern", all_strides);
  }
}

ARAIA_TYPED_TEST(Spmv, CooKernelsAgreeWithReference) {
  using Exec = typename TypeParam::exec;
  for (auto const& m : zoo()) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    auto const host = host_copy(A);
    auto const sorted = csr_to_coo(Exec(), A);
    auto const shuffled = device_coo<typename TypeParam::a, Exec>(m, true);
    for (Op const op : all_ops) {
      check_spmv<TypeParam>(sorted, host.pointers(), op, {}, m.name, all_strides);
      check_spmv<TypeParam>(sorted, host.pointers(), op, {.kernel = CooSpmvKernel::atomic}, m.name, {{1, 1, 0}});
      check_spmv<TypeParam>(shuffled, host.pointers(), op, {}, m.name + ", shuffled", all_strides);
    }
    for (int const run : {1, 2, 5, 64})
      check_spmv<TypeParam>(sorted, host.pointers(), Op::none, {CooSpmvKernel::segmented, run, 32}, m.name,
                            {{1, 1, 0}});
  }
}

ARAIA_TYPED_TEST(Spmv, EllAgreesWithReference) {
  using Exec = typename TypeParam::exec;
  for (auto const& m : zoo()) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    auto const host = host_copy(A);
    for (bool const sort_rows : {false, true}) {
      auto const B = csr_to_ell(Exec(), A, {.sort_rows = sort_rows});
      for (Op const op : all_ops) check_spmv<TypeParam>(B, host.pointers(), op, {}, m.name, all_strides);
    }
  }
}

ARAIA_TYPED_TEST(Spmv, SmallIntegersAreExactInEveryKernel) {
  using Exec = typename TypeParam::exec;
  using Y = typename TypeParam::y;
  Exec const exec;
  auto const m = with_integer_values(random_matrix("exact", 200, 150, 20));
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  Operand<typename TypeParam::x, Exec> x(m.cols, 1, 1, 1);
  x.fill(zoo_seed, true);
  x.to_device();
  std::vector<std::vector<Y>> results;
  auto const run = [&](auto const& B, auto const& tuning) {
    Operand<Y, Exec> y(m.rows, 1, 1, 1);
    y.to_device();
    spmv(exec, Op::none, Y(1), B, x.vector(), Y(0), y.vector(), tuning);
    exec.fence();
    y.from_device();
    std::vector<Y> values;
    for (std::int64_t i = 0; i < m.rows; ++i) values.push_back(y(i));
    results.push_back(values);
  };
  run(A, CsrSpmvTuning{});
  run(A, CsrSpmvTuning{.kernel = CsrSpmvKernel::thread_per_row});
  run(A, CsrSpmvTuning{.kernel = CsrSpmvKernel::vector_per_row});
  auto const partition = partition_rows(exec, A);
  run(A, CsrSpmvTuning{.kernel = CsrSpmvKernel::balanced, .partition = partition.pointers()});
  run(sort_rows_by_length(exec, A), CsrSpmvTuning{});
  run(csr_to_coo(exec, A), CooSpmvTuning{.kernel = CooSpmvKernel::segmented});
  run(csr_to_coo(exec, A), CooSpmvTuning{.kernel = CooSpmvKernel::atomic});
  run(csr_to_ell(exec, A), EllSpmvTuning{});
  run(csr_to_ell(exec, A, {.sort_rows = true}), EllSpmvTuning{});
  for (auto const& result : results) EXPECT_EQ(result, results.front());
}

ARAIA_TYPED_TEST(Spmv, NonFiniteXReachesExactlyTheRowsThatStoreItsColumn) {
  using Exec = typename TypeParam::exec;
  using X = typename TypeParam::x;
  using Y = typename TypeParam::y;
  Exec const exec;
  auto const m = random_matrix("reach", 150, 40, 5);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  Operand<X, Exec> x(m.cols, 1, 1, 1);
  x.fill(zoo_seed);
  x(17) = scalar_from<X>(std::numeric_limits<double>::quiet_NaN());
  x.to_device();
  auto const check = [&](auto const& B, char const* what) {
    Operand<Y, Exec> y(m.rows, 1, 1, 1);
    y.to_device();
    spmv(exec, Op::none, Y(1), B, x.vector(), Y(0), y.vector());
    exec.fence();
    y.from_device();
    for (std::int64_t i = 0; i < m.rows; ++i) {
      auto const first = m.col_indices.begin() + m.row_offsets[static_cast<std::size_t>(i)];
      auto const last = m.col_indices.begin() + m.row_offsets[static_cast<std::size_t>(i) + 1];
      bool const stores = std::find(first, last, 17) != last;
      EXPECT_EQ(!(y(i) == y(i)), stores) << what << ", row " << i;
    }
  };
  check(A, "csr");
  check(csr_to_coo(exec, A), "coo");
  check(csr_to_ell(exec, A), "ell");
  check(csr_to_ell(exec, A, {.sort_rows = true}), "ell, sorted rows");
}

TEST(SpmvArguments, WrongSizesOverlapAndForeignKernelsAreRefused) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  auto const A = device_csr<double, std::int32_t, Exec>(random_matrix("arguments", 20, 30, 3));
  Kokkos::View<double*, Exec> const x("x", 30);
  Kokkos::View<double*, Exec> const y("y", 20);
  EXPECT_EQ(kind_of([&] { spmv(exec, Op::none, 1.0, A, y, 0.0, y); }), ErrorKind::dimension_mismatch);
  EXPECT_EQ(kind_of([&] { spmv(exec, Op::transpose, 1.0, A, x, 0.0, y); }), ErrorKind::dimension_mismatch);
  Kokkos::View<double*, Exec> const both("both", 49);
  auto const head = Kokkos::subview(both, Kokkos::make_pair(0, 30));
  auto const tail = Kokkos::subview(both, Kokkos::make_pair(29, 49));
  EXPECT_EQ(kind_of([&] { spmv(exec, Op::none, 1.0, A, head, 0.0, tail); }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] { spmv(exec, Op::transpose, 1.0, A, y, 0.0, x, {.kernel = CsrSpmvKernel::vector_per_row}); }),
            ErrorKind::unsupported);
  EXPECT_EQ(kind_of([&] {
              spmv(exec, Op::none, 1.0, A, x, 0.0, y, {.kernel = CsrSpmvKernel::vector_per_row, .vector_length = 3});
            }),
            ErrorKind::invalid_argument);
  auto const balanced = [&](CsrPartitionPointers const& partition) {
    return kind_of(
        [&] { spmv(exec, Op::none, 1.0, A, x, 0.0, y, {.kernel = CsrSpmvKernel::balanced, .partition = partition}); });
  };
  EXPECT_EQ(balanced({}), ErrorKind::invalid_argument);
  auto const other = device_csr<double, std::int32_t, Exec>(random_matrix("another", 21, 30, 3));
  auto const of_another = partition_rows(exec, other);
  EXPECT_EQ(balanced(of_another.pointers()), ErrorKind::invalid_argument);
  auto const of_entries = partition_rows(exec, A, CsrSpmvKernel::equal_chunks);
  EXPECT_EQ(balanced(of_entries.pointers()), ErrorKind::invalid_argument);
  auto const fits = partition_rows(exec, A);
  auto narrow = fits.pointers();
  narrow.carry_bytes = 4;
  EXPECT_EQ(balanced(narrow), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] { (void)partition_rows(exec, A, CsrSpmvKernel::vector_per_row); }),
            ErrorKind::invalid_argument);
  auto shuffled = device_coo<double, Exec>(random_matrix("arguments", 20, 30, 3), true);
  EXPECT_EQ(kind_of([&] { spmv(exec, Op::none, 1.0, shuffled, x, 0.0, y, {.kernel = CooSpmvKernel::segmented}); }),
            ErrorKind::unsupported);
}

TEST(SpmvArguments, InterleavedColumnsOfOneParentDoNotOverlap) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  auto const m = random_matrix("interleaved", 30, 30, 3);
  auto const A = device_csr<double, std::int32_t, Exec>(m);
  Kokkos::View<double**, Kokkos::LayoutRight, Exec> const both("both", 30, 2);
  Kokkos::deep_copy(both, 1.0);
  spmv(exec, Op::none, 1.0, A, Kokkos::subview(both, Kokkos::ALL, 0), 0.0, Kokkos::subview(both, Kokkos::ALL, 1));
  exec.fence();
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), both);
  for (std::int64_t i = 0; i < m.rows; ++i) {
    double sum = 0;
    for (auto k = m.row_offsets[static_cast<std::size_t>(i)]; k < m.row_offsets[static_cast<std::size_t>(i) + 1]; ++k)
      sum += m.values[static_cast<std::size_t>(k)];
    EXPECT_NEAR(host(static_cast<std::size_t>(i), 1), sum, 1e-14);
  }
}

}  // namespace
}  // namespace araia::test
