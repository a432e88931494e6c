// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Csr and Sell of 16-bit values with vectors and sums in float: the values are exact, so the bound is float's.
#include <araia/detail/formats/csr_to_sell.hpp>
#include <araia/ops/spmv.hpp>

#include "support/check.hpp"
#include "support/sell.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

struct HalfNames {
  template <class Half>
  static std::string name(int index) {
    return index == 0 ? "half" : "bhalf";
  }
};
using Halves = TypeList<Kokkos::Experimental::half_t, Kokkos::Experimental::bhalf_t>;
ARAIA_TYPED_SUITE(SpmvHalf, Halves, HalfNames);

/// The same matrix in float, on the host.
template <class Half, class Offset, class D>
auto in_float(Csr<Half, std::int32_t, Offset, D> const& A) {
  auto const host = host_copy(A);
  Csr<float, std::int32_t, Offset, Kokkos::HostSpace> B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  B.row_offsets = host.row_offsets;
  B.col_indices = host.col_indices;
  if (A.has_values()) {
    B.values = Kokkos::View<float*, Kokkos::HostSpace>("values", A.values.extent(0));
    for (std::size_t k = 0; k < A.values.extent(0); ++k) B.values(k) = static_cast<float>(host.values(k));
  }
  return B;
}

template <class Exec, class Matrix, class HostCsr>
void check(Matrix const& A, HostCsr const& host, Op op, spmv_tuning_t<Matrix> const& tuning, std::string const& name) {
  Exec const exec;
  std::int64_t const rows = op == Op::none ? A.rows : A.cols;
  std::int64_t const cols = op == Op::none ? A.cols : A.rows;
  for (std::int64_t const stride : {1, 2})
    for (auto const& [alpha, beta] : {std::pair{1.0F, 0.0F}, std::pair{0.7F, -1.0F}}) {
      Operand<float, Exec> x(cols, 1, stride, 1, 1);
      Operand<float, Exec> y(rows, 1, stride, 1, 3);
      x.fill(zoo_seed);
      y.fill(zoo_seed + 1);
      if (beta == 0) y.fill_with(std::numeric_limits<float>::quiet_NaN());
      x.to_device();
      y.to_device();
      if (!supports_spmv(exec, op, A, x.vector(), y.vector(), tuning)) continue;
      auto const expected = expected_product(op, alpha, host.pointers(), x.host(), beta, y.host());
      spmv(exec, op, alpha, A, x.vector(), beta, y.vector(), tuning);
      exec.fence();
      y.from_device();
      expect_within_bound(expected, y.host(),
                          name + ", " + printed(tuning) + ", op " + std::to_string(static_cast<int>(op)) + ", stride " +
                              std::to_string(stride) + ", beta " + std::to_string(beta));
      EXPECT_EQ(y.disturbed_bytes(), 0) << name << ": wrote beside y";
    }
}

template <class Exec, class Half, class Offset>
void check_formats() {
  if constexpr (std::is_same_v<Half, float>) {
    GTEST_SKIP() << "this Kokkos makes the 16-bit type another name of float, which other tests cover";
  } else {
    Exec const exec;
    for (auto const& m : zoo()) {
      auto const A = device_csr<Half, Offset, Exec>(m);
      auto const host = in_float(A);
      for (Op const op : {Op::none, Op::transpose})
        for (auto const kernel : {CsrSpmvKernel::automatic, CsrSpmvKernel::thread_per_row,
                                  CsrSpmvKernel::vector_per_row, CsrSpmvKernel::sub_warp, CsrSpmvKernel::balanced,
                                  CsrSpmvKernel::equal_chunks, CsrSpmvKernel::transposed}) {
          CsrSpmvTuning tuning{.kernel = kernel};
          CsrPartition<typename Exec::device_type> partition;
          if (kernel == CsrSpmvKernel::balanced || kernel == CsrSpmvKernel::equal_chunks) {
            partition = partition_rows(exec, A, kernel);
            tuning.partition = partition.pointers();
          }
          check<Exec>(A, host, op, tuning, m.name);
        }
      auto const pattern = device_csr<Half, Offset, Exec>(m, false);
      check<Exec>(pattern, in_float(pattern), Op::none, {}, m.name + ", pattern");
      if constexpr (std::is_same_v<Exec, Device> && sizeof(Offset) == 4)
        for (auto const& options :
             {SellOptions{.slice_height = 32}, SellOptions{.slice_height = 64, .sort_window = 128},
              SellOptions{.slice_height = 128, .columns = SellColumns::least_bytes},
              SellOptions{.slice_height = 32, .diagonals = true}, SellOptions{.slice_height = 8, .block_width = 2}}) {
          try {
            auto const B = csr_to_sell(exec, A, options);
            for (Op const op : {Op::none, Op::transpose})
              check<Exec>(B, host, op, {}, m.name + ", " + printed(options));
          } catch (Error const& e) {  // blocks and diagonals want ascending columns
            EXPECT_TRUE(e.kind() == ErrorKind::unsupported && m.name.find("unsorted") != std::string::npos) << e.what();
          }
        }
    }
  }
}

ARAIA_TYPED_TEST(SpmvHalf, KernelsAgreeWithReference) { check_formats<Device, TypeParam, std::int32_t>(); }
ARAIA_TYPED_TEST(SpmvHalf, KernelsAgreeWithReferenceOn64BitOffsets) {
  check_formats<Device, TypeParam, std::int64_t>();
}
#ifdef ARAIA_WRITTEN_OUT_ON_SERIAL
ARAIA_TYPED_TEST(SpmvHalf, KernelsAgreeWithReferenceOnOneThread) {
  check_formats<Kokkos::Serial, TypeParam, std::int32_t>();
}
#endif

}  // namespace
}  // namespace araia::test
