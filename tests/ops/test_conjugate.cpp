// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Op::conjugate is the product with the matrix of conjugated values, and for real scalars that with the matrix itself,
// bit by bit: in every format, layout and kernel.
#include <araia/detail/formats/csr_to_bcsc.hpp>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/formats/csr_to_csc.hpp>
#include <araia/detail/formats/csr_to_hyb.hpp>
#include <araia/detail/formats/csr_to_sell.hpp>
#include <araia/ops/spmm.hpp>
#include <araia/ops/spmm_epilogue.hpp>
#include <araia/ops/spmv.hpp>
#include <cstring>
#include <limits>
#include <sstream>

#include "support/check.hpp"
#include "support/errors.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(Conjugate, OperandTypes, OperandTypeNames);

/// f(B, B', are sums in a fixed order?) for A and A', which are of one structure, in every format.
template <class Exec, class Matrix, class F>
void in_every_format(Matrix const& A, Matrix const& other, F const& f) {
  Exec const exec;
  bool const host = !detail::is_device_space<Exec>;
  auto const both = [&](bool ordered, auto const& convert) { f(convert(A), convert(other), ordered); };
  both(true, [](Matrix const& M) { return M; });
  both(false, [&](Matrix const& M) { return csr_to_coo(exec, M); });
  both(true, [&](Matrix const& M) { return csr_to_ell(exec, M, {.sort_rows = true}); });
  both(false, [&](Matrix const& M) { return csr_to_csc(exec, M); });
  both(false, [&](Matrix const& M) { return csr_to_hyb(exec, M, {.width = 2}); });
  both(true, [&](Matrix const& M) { return csr_to_sell(exec, M, {.slice_height = 8, .sort_window = 32}); });
  both(true,
       [&](Matrix const& M) { return csr_to_sell(exec, M, {.slice_height = 8, .block_width = 2, .diagonals = true}); });
  both(true, [&](Matrix const& M) { return csr_to_bsr(exec, M, {.block_rows = 3, .block_cols = 2}); });
  both(host, [&](Matrix const& M) { return csr_to_bcsc(exec, M, {.block_height = 16}); });
  both(host, [&](Matrix const& M) { return csr_to_bcsc_compact(exec, M, {.block_height = 16}); });
}

/// The matrix of conjugated values.
template <class Exec, class Matrix>
Matrix conjugated(Matrix A) {
  using T = typename Matrix::value_type;
  auto values = download<T>(A.values);
  for (auto& v : values) v = detail::conjugate_if(true, v);
  auto const copy = Kokkos::View<T*, typename Exec::device_type>("conjugated", values.size());
  detail::copy_bytes<typename Exec::device_type, Kokkos::HostSpace>(copy.data(), values.data(),
                                                                    values.size() * sizeof(T));
  A.values = copy;
  return A;
}

template <class T, class Exec>
void expect_same_bits(Operand<T, Exec>& got, Operand<T, Exec>& want, std::string const& what) {
  got.from_device();
  want.from_device();
  auto const g = got.host();
  auto const w = want.host();
  for (std::int64_t i = 0; i < g.rows; ++i)
    for (std::int64_t j = 0; j < g.columns; ++j) {
      auto const at = i * g.row_stride + j * g.column_stride;
      ASSERT_EQ(std::memcmp(g.data + at, w.data + at, sizeof(T)), 0)
          << what << ": differs at (" << i << ", " << j << ")";
    }
  EXPECT_EQ(got.disturbed_bytes(), 0) << what << ": wrote beside the result";
}

struct Lie {
  std::int64_t columns;
  bool right;
  std::int64_t gap;
};
constexpr Lie lies[] = {{1, false, 1}, {1, false, 3}, {9, true, 1}, {9, false, 1}, {5, true, 2}};

template <class T, class Exec>
Operand<T, Exec> operand(std::int64_t rows, Lie const& lie) {
  std::int64_t const ld = std::max<std::int64_t>((lie.right ? lie.columns : rows) * lie.gap, 1);
  return Operand<T, Exec>(rows, lie.columns, lie.right ? ld : lie.gap, lie.right ? lie.gap : ld, 1);
}

/// spmv, spmm and spmm with an epilogue by A and Op::conjugate, and by A' and Op::none.
template <class Types, class Matrix>
void check_conjugate(Matrix const& A, Matrix const& conjugated_A, bool integers, std::string const& name) {
  using Exec = typename Types::exec;
  using Y = typename Types::y;
  Exec const exec;
  // Factors of few bits keep sums of integers exact.
  auto const v = [](double re, double im) {
    if constexpr (is_complex_v<Y>)
      return Y(re, im);
    else
      return static_cast<Y>(re + im);
  };
  std::pair<Y, Y> const scalings[] = {{v(0.75, -0.5), Y(0)}, {Y(1), v(-0.5, 0.25)}, {Y(0), v(2, 1)}};
  for (Lie const& lie : lies) {
    auto b = operand<typename Types::x, Exec>(A.cols, lie);
    b.fill(zoo_seed, integers);
    b.to_device();
    for (auto const& [alpha, beta] : scalings)
      for (bool const epilogue : {false, true}) {
        auto const product = [&, alpha = alpha, beta = beta](Op op, Matrix const& M) {
          auto c = operand<Y, Exec>(A.rows, lie);
          c.fill(zoo_seed + 1, integers);
          if (beta == Y(0)) c.fill_with(scalar_from<Y>(std::numeric_limits<double>::quiet_NaN()));
          c.to_device();
          auto const C = c.matrix();
          if (epilogue) {
            Kokkos::View<Y*, typename Exec::device_type> const bias("bias", static_cast<std::size_t>(A.rows));
            Kokkos::deep_copy(bias, Y(3));
            spmm(exec, op, alpha, M, b.matrix(), beta, C, epilogue_t<std::decay_t<decltype(C)>>{.row_bias = bias});
          } else if (lie.columns == 1) {
            spmv(exec, op, alpha, M, b.vector(), beta, c.vector());
          } else {
            spmm(exec, op, alpha, M, b.matrix(), beta, C);
          }
          exec.fence();
          return c;
        };
        auto got = product(Op::conjugate, A);
        auto want = product(Op::none, conjugated_A);
        std::ostringstream what;
        what << name << ", " << Matrix::format_name << ", " << lie.columns << " columns"
             << (lie.right ? " by rows" : "") << ", gap " << lie.gap << ", alpha " << alpha << ", beta " << beta
             << (epilogue ? ", epilogue" : "");
        expect_same_bits(got, want, what.str());
      }
  }
}

ARAIA_TYPED_TEST(Conjugate, IsTheProductWithConjugatedValues) {
  using Exec = typename TypeParam::exec;
  for (auto const& m : zoo()) {
    if (!has_strict_rows(m)) continue;  // Bsr and diagonals refuse others
    for (bool const integers : {false, true}) {
      auto const A =
          device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(integers ? with_integer_values(m) : m);
      in_every_format<Exec>(A, conjugated<Exec>(A), [&](auto const& B, auto const& conjugated_B, bool ordered) {
        // Integers have the same sums in any order.
        if (integers != ordered) check_conjugate<TypeParam>(B, conjugated_B, integers, m.name);
      });
    }
  }
}

ARAIA_TYPED_TEST(Conjugate, OfAPatternIsThePattern) {
  using Exec = typename TypeParam::exec;
  auto const m = with_integer_values(random_matrix("pattern", 60, 40, 5));
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m, false);
  in_every_format<Exec>(
      A, A, [&](auto const& B, auto const& same, bool) { check_conjugate<TypeParam>(B, same, true, m.name); });
}

/// The kernels of Op::none run Op::conjugate, where they read conjugates; those of the transposes do not.
ARAIA_TYPED_TEST(Conjugate, RunsKernelsByName) {
  using Exec = typename TypeParam::exec;
  using X = typename TypeParam::x;
  using Y = typename TypeParam::y;
  Exec const exec;
  auto const m = random_matrix("by name", 60, 40, 5);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  Kokkos::View<X*, typename Exec::device_type> const x("x", 40);
  Kokkos::View<Y*, typename Exec::device_type> const y("y", 60);
  bool const simd = detail::is_host_backend_space<Exec> && !is_complex_v<Y>;
  auto const runs = [&](CsrSpmvKernel kernel) {
    bool const supported = supports_spmv(exec, Op::conjugate, A, x, y, {.kernel = kernel});
    auto const run = [&] { spmv(exec, Op::conjugate, Y(1), A, x, Y(0), y, {.kernel = kernel}); };
    if (supported) {
      EXPECT_NO_THROW(run());
    } else {
      EXPECT_EQ(kind_of(run), ErrorKind::unsupported);
    }
    return supported;
  };
  EXPECT_TRUE(runs(CsrSpmvKernel::automatic));
  EXPECT_TRUE(runs(CsrSpmvKernel::thread_per_row));
  EXPECT_TRUE(runs(CsrSpmvKernel::vector_per_row));
  EXPECT_FALSE(runs(CsrSpmvKernel::transposed));
  EXPECT_EQ(runs(CsrSpmvKernel::host_simd), simd);
  exec.fence();
}

// conj([1+2i 0; 0 3i]) (1, 2)' = (1-2i, -6i), of a scalar that only the headers know.
TEST(ConjugateOwnTypes, ComplexFloats) {
  using Complex32 = Kokkos::complex<float>;
  Device const exec;
  auto const make = [](char const* label, std::vector<Complex32> const& from) {
    return upload<Complex32, Device::device_type>(label, from);
  };
  auto A = device_csr<Complex32, std::int64_t, Device>({"2 x 2", 2, 2, {0, 1, 2}, {0, 1}, {1, 1}});
  A.values = make("values", {{1, 2}, {0, 3}});
  auto const x = make("x", {{1, 0}, {2, 0}});
  auto const y = make("y", {{7, 7}, {7, 7}});
  spmv(exec, Op::conjugate, Complex32(0, 1), A, x, Complex32(0), y);
  exec.fence();
  EXPECT_EQ(download<Complex32>(y), (std::vector<Complex32>{{2, 1}, {6, 0}}));
}

}  // namespace
}  // namespace araia::test
