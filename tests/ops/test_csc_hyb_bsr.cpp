// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of Csc, Hyb and Bsr against the reference: operations, alpha and beta, strides and layouts, tunings.
#include <algorithm>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/formats/csr_to_csc.hpp>
#include <araia/detail/formats/csr_to_hyb.hpp>
#include <araia/ops/spmm.hpp>
#include <araia/ops/spmv.hpp>
#include <limits>
#include <sstream>

#include "support/check.hpp"
#include "support/errors.hpp"
#include "support/formats.hpp"
#include "support/tunings.hpp"

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(CscHybBsr, FormatTypes, OperandTypeNames);

/// Shapes of a dense operand: row-major or not, elements between its rows or columns, a small stride, a first offset.
struct Layout {
  bool row_major;
  std::int64_t padding;
  std::int64_t gap;
  std::int64_t offset;
};
constexpr Layout layouts[] = {{true, 0, 1, 0}, {false, 3, 1, 1}, {true, 5, 2, 3}};

template <class T, class Exec>
Operand<T, Exec> operand(std::int64_t rows, std::int64_t columns, Layout const& l) {
  std::int64_t const ld = std::max<std::int64_t>((l.row_major ? columns : rows) * l.gap + l.padding, 1);
  return Operand<T, Exec>(rows, columns, l.row_major ? ld : l.gap, l.row_major ? l.gap : ld, l.offset);
}

/// C = alpha op(A) B + beta C held to the bound; by spmv where there is one column.
template <class Types, class Matrix, class HostMatrix, class Tuning>
void check_product(Matrix const& A, HostMatrix const& host, Op op, std::int64_t columns, Tuning const& tuning,
                   Layout const& layout, std::string const& what) {
  using Exec = typename Types::exec;
  using X = typename Types::x;
  using Y = typename Types::y;
  Exec const exec;
  auto const v = [](double x) { return scalar_from<Y>(x); };
  std::pair<Y, Y> const scalings[] = {{Y(1), Y(0)}, {v(0.7), v(-1)}, {Y(0), v(0.5)}};
  for (auto const& [alpha, beta] : scalings) {
    auto b = operand<X, Exec>(transposes(op) ? A.rows : A.cols, columns, layout);
    auto c = operand<Y, Exec>(transposes(op) ? A.cols : A.rows, columns, layout);
    b.fill(zoo_seed);
    c.fill(zoo_seed + 1);
    if (alpha == Y(0)) b.fill_with(scalar_from<X>(std::numeric_limits<double>::quiet_NaN()));
    if (beta == Y(0)) c.fill_with(scalar_from<Y>(std::numeric_limits<double>::quiet_NaN()));
    b.to_device();
    c.to_device();
    auto const expected = expected_product(op, alpha, host, b.host(), beta, c.host());
    if constexpr (std::is_same_v<Tuning, spmv_tuning_t<Matrix>>)
      spmv(exec, op, alpha, A, Kokkos::subview(b.matrix(), Kokkos::ALL, 0), beta,
           Kokkos::subview(c.matrix(), Kokkos::ALL, 0), tuning);
    else
      spmm(exec, op, alpha, A, b.matrix(), beta, c.matrix(), tuning);
    exec.fence();
    c.from_device();
    std::ostringstream text;
    text << what << ", op " << static_cast<int>(op) << ", " << columns << " columns, " << tuning << ", alpha " << alpha
         << ", beta " << beta << ", " << (layout.row_major ? "right" : "left") << ", gap " << layout.gap;
    expect_within_bound(expected, c.host(), text.str());
    EXPECT_EQ(c.disturbed_bytes(), 0) << text.str() << ": wrote beside the result";
  }
}

template <class Types, class Matrix, class HostMatrix>
void check_products(Matrix const& A, HostMatrix const& host, std::string const& what) {
  for (Op const op : all_ops)
    for (auto const& layout : layouts) {
      check_product<Types>(A, host, op, 1, spmv_tuning_t<Matrix>{}, layout, what);
      check_product<Types>(A, host, op, 5, spmm_tuning_t<Matrix>{}, layout, what);
    }
}

ARAIA_TYPED_TEST(CscHybBsr, ProductsAgreeWithReferenceOverTheZoo) {
  using Exec = typename TypeParam::exec;
  Exec const exec;
  for (auto const& m : zoo())
    for (bool const values : {true, false}) {
      if (!values && m.rows != 130 && m.rows != 24) continue;  // patterns: the ladder of lengths, and duplicates
      auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m, values);
      auto const host_csr = host_copy(A);
      auto const host = host_csr.pointers();
      std::string const what = m.name + (values ? "" : ", pattern");
      check_products<TypeParam>(csr_to_csc(exec, A), host, what + ", csc");
      check_products<TypeParam>(csr_to_hyb(exec, A), host, what + ", hyb");
      check_products<TypeParam>(csr_to_hyb(exec, sort_rows_by_length(exec, A), {.width = 2}), host,
                                what + ", hyb of permuted rows");
      if (values)
        check_products<TypeParam>(csr_to_hyb<other_device<Exec>>(exec, A, {.width = 2}), host,
                                  what + ", hyb with its tail elsewhere");
      if (m.name.find("duplicates") != std::string::npos) continue;
      for (int const size : {2, 3})
        check_products<TypeParam>(csr_to_bsr(exec, A, {.block_rows = size, .block_cols = size + 1}), host,
                                  what + ", bsr");
    }
}

ARAIA_TYPED_TEST(CscHybBsr, TuningsAgreeWithReference) {
  using Exec = typename TypeParam::exec;
  Exec const exec;
  auto const m = random_matrix("tunings", 210, 130, 12);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  auto const host_csr = host_copy(A);
  auto const host = host_csr.pointers();
  auto const csc = csr_to_csc(exec, A);
  auto const hyb = csr_to_hyb(exec, A);
  for (int const per_team : {1, 7})
    for (int const team_size : {1, 8})
      for (int const lanes : {1, 32})
        for (Op const op : all_ops) {
          check_product<TypeParam>(csc, host, op, 1, CscSpmvTuning{per_team, team_size, lanes}, layouts[0], "csc");
          check_product<TypeParam>(csc, host, op, 9, CscSpmmTuning{per_team, team_size, lanes, 4}, layouts[0], "csc");
          check_product<TypeParam>(hyb, host, op, 1, HybSpmvTuning{.ell = {per_team, team_size}}, layouts[0], "hyb");
          for (int const size : {1, 3, 8}) {
            auto const bsr = csr_to_bsr(exec, A, {.block_rows = size, .block_cols = size});
            check_product<TypeParam>(bsr, host, op, 1, BsrSpmvTuning{per_team, team_size, lanes}, layouts[0], "bsr");
            check_product<TypeParam>(bsr, host, op, 9, BsrSpmmTuning{per_team, team_size, lanes}, layouts[0], "bsr");
          }
        }
}

ARAIA_TYPED_TEST(CscHybBsr, BsrOnHostsRunsTheSimdKernelByName) {
  using Exec = typename TypeParam::exec;
  using X = typename TypeParam::x;
  using Y = typename TypeParam::y;
  Exec const exec;
  bool const exists = detail::is_host_backend_space<Exec> && !is_complex_v<Y>;
  BsrSpmmTuning const by_name{.kernel = BsrSpmmKernel::host_simd};
  auto const m = random_matrix("by name", 130, 110, 14);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  auto const host = host_copy(A);
  for (int const size : {1, 2, 3, 4, 5, 8}) {
    auto const bsr = csr_to_bsr(exec, A, {.block_rows = size, .block_cols = size});
    auto const runs = [&](Op op, Layout const& layout) {
      auto const b = operand<X, Exec>(transposes(op) ? A.rows : A.cols, 9, layout);
      auto const c = operand<Y, Exec>(transposes(op) ? A.cols : A.rows, 9, layout);
      bool const supported = supports_spmm(exec, op, bsr, b.matrix(), c.matrix(), by_name);
      auto const run = [&] { spmm(exec, op, Y(1), bsr, b.matrix(), Y(0), c.matrix(), by_name); };
      if (!supported) {
        EXPECT_EQ(kind_of(run), ErrorKind::unsupported);
      }
      return supported;
    };
    EXPECT_EQ(runs(Op::none, layouts[0]), exists);
    EXPECT_FALSE(runs(Op::transpose, layouts[0]));
    EXPECT_FALSE(runs(Op::none, layouts[1]));  // columns of B contiguous
    EXPECT_FALSE(runs(Op::none, layouts[2]));  // neither
    if (exists)
      for (std::int64_t const columns : {1, 9, 33})
        check_product<TypeParam>(bsr, host.pointers(), Op::none, columns, by_name, layouts[0], "host_simd");
  }
  auto const pattern = csr_to_bsr(exec, device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m, false),
                                  {.block_rows = 2, .block_cols = 2});
  auto const b = operand<X, Exec>(A.cols, 9, layouts[0]);
  auto const c = operand<Y, Exec>(A.rows, 9, layouts[0]);
  EXPECT_FALSE(supports_spmm(exec, Op::none, pattern, b.matrix(), c.matrix(), by_name));
}

#ifdef KOKKOS_ENABLE_CUDA
ARAIA_TYPED_TEST(CscHybBsr, BsrOnTensorCoresHoldsTheBoundOfItsPrecision) {
  using Exec = typename TypeParam::exec;
  using Scalar = typename TypeParam::a;
  using Offset = typename TypeParam::offset;
  if constexpr (detail::CudaBsrSpmm<Scalar, std::int32_t, Offset, typename TypeParam::x,
                                    typename TypeParam::y>::exists &&
                std::is_same_v<Exec, Kokkos::Cuda>) {
    Exec const exec;
    auto const m = random_matrix("tensor cores", 130, 110, 14);
    auto const A = device_csr<Scalar, Offset, Exec>(m);
    auto const host = host_copy(A);
    constexpr bool is_double = sizeof(Scalar) == sizeof(double);
    for (int const size : {1, 3, 8, 16}) {
      auto const bsr = csr_to_bsr(exec, A, {.block_rows = size, .block_cols = size});
      for (Precision const precision : all_precisions) {
        if (!is_double && precision == Precision::native) continue;
        for (std::int64_t const columns : {1, 17, 64}) {
          auto b = operand<Scalar, Exec>(A.cols, columns, layouts[0]);
          auto c = operand<Scalar, Exec>(A.rows, columns, layouts[0]);
          b.fill(zoo_seed);
          c.fill(zoo_seed + 1);
          b.to_device();
          c.to_device();
          auto const expected =
              expected_product(Op::none, Scalar(-2), host.pointers(), b.host(), Scalar(0.5), c.host());
          BsrSpmmTuning const tuning{.kernel = BsrSpmmKernel::tensor_cores, .precision = precision};
          spmm(exec, Op::none, Scalar(-2), bsr, b.matrix(), Scalar(0.5), c.matrix(), tuning);
          exec.fence();
          c.from_device();
          Precision const used = is_double ? Precision::native : precision;
          constexpr double largest = 4;  // of A and B, whose entries are in [-1, 1)
          auto const report = reference::check(expected, std_matrix(c.host()), unit_roundoff(used, sizeof(Scalar)),
                                               product_floor(used, largest, largest));
          EXPECT_TRUE(report.ok()) << precision_name(precision) << ", blocks of " << size << ", " << columns
                                   << " columns: " << report.violations << " beyond the bound";
        }
      }
    }
    auto const bsr = csr_to_bsr(exec, A, {.block_rows = 4, .block_cols = 4});
    BsrSpmmTuning const by_name{.kernel = BsrSpmmKernel::tensor_cores};
    auto const refusal_of = [&](Op op, Layout const& layout) {
      auto b = operand<Scalar, Exec>(transposes(op) ? A.rows : A.cols, 9, layout);
      auto c = operand<Scalar, Exec>(transposes(op) ? A.cols : A.rows, 9, layout);
      return kind_of([&] { spmm(exec, op, Scalar(1), bsr, b.matrix(), Scalar(0), c.matrix(), by_name); });
    };
    EXPECT_EQ(refusal_of(Op::transpose, layouts[0]), ErrorKind::unsupported);
    EXPECT_EQ(refusal_of(Op::none, layouts[1]), ErrorKind::unsupported);
    if (!is_double)
      EXPECT_EQ(refusal_of(Op::none, layouts[0]), ErrorKind::unsupported);  // float is not rounded unasked
  }
}
#endif

ARAIA_TYPED_TEST(CscHybBsr, EveryNumberOfColumnsAgrees) {
  using Exec = typename TypeParam::exec;
  Exec const exec;
  auto const m = random_matrix("columns", 70, 60, 9);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  auto const host_csr = host_copy(A);
  auto const host = host_csr.pointers();
  auto const bsr = csr_to_bsr(exec, A, {.block_rows = 2, .block_cols = 3});
  auto const csc = csr_to_csc(exec, A);
  for (std::int64_t const columns : {0, 1, 2, 3, 4, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 128, 129, 130}) {
    check_product<TypeParam>(bsr, host, Op::none, columns, BsrSpmmTuning{}, layouts[0], "bsr");
    check_product<TypeParam>(csc, host, Op::transpose, columns, CscSpmmTuning{}, layouts[1], "csc");
  }
}

/// The reference's own reading of the formats: it must give what it gives for the Csr.
TEST(CscHybBsrReference, EntriesAreThoseOfTheCsr) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  Exec const exec;
  for (auto const& m : zoo()) {
    if (m.name.find("duplicates") != std::string::npos) continue;
    auto const A = device_csr<double, std::int32_t, Exec>(m);
    using Triple = std::tuple<std::int64_t, std::int64_t, double>;
    auto const entries = [](auto const& pointers) {
      std::vector<Triple> all;
      reference::for_each_entry(pointers, [&](std::int64_t i, std::int64_t j, double v) { all.emplace_back(i, j, v); });
      std::sort(all.begin(), all.end());
      return all;
    };
    auto const expected = entries(A.pointers());
    auto const csc = csr_to_csc(exec, A);
    auto const hyb = csr_to_hyb(exec, A);
    auto const bsr = csr_to_bsr(exec, A, {.block_rows = 3, .block_cols = 2, .keep_stored_mask = true});
    EXPECT_EQ(entries(csc.pointers()), expected) << m.name;
    EXPECT_EQ(entries(hyb.pointers()), expected) << m.name;
    EXPECT_EQ(entries(bsr.pointers()), expected) << m.name;
  }
}

ARAIA_TYPED_TEST(CscHybBsr, NonFiniteXReachesTheRowsThatStoreItsColumnAndBlocksThatCoverIt) {
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
  auto const check = [&](auto const& B, std::int64_t block_rows, std::int64_t block_cols, char const* what) {
    Operand<Y, Exec> y(m.rows, 1, 1, 1);
    y.to_device();
    spmv(exec, Op::none, Y(1), B, x.vector(), Y(0), y.vector());
    exec.fence();
    y.from_device();
    for (std::int64_t i = 0; i < m.rows; ++i) {
      std::int64_t const first = i / block_rows * block_rows;
      auto const last = static_cast<std::size_t>(std::min(first + block_rows, m.rows));
      bool covered = false;
      for (auto k = m.row_offsets[static_cast<std::size_t>(first)]; k < m.row_offsets[last]; ++k)
        covered = covered || m.col_indices[static_cast<std::size_t>(k)] / block_cols == 17 / block_cols;
      EXPECT_EQ(!(y(i) == y(i)), covered) << what << ", row " << i;
    }
  };
  check(csr_to_csc(exec, A), 1, 1, "csc");
  check(csr_to_hyb(exec, A), 1, 1, "hyb");
  check(csr_to_bsr(exec, A, {.block_rows = 3, .block_cols = 4}), 3, 4, "bsr, where fill counts as stored");
}

}  // namespace
}  // namespace araia::test
