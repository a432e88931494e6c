// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Bsr products: which kernel runs for these operands; written out in src/dispatch for the usual types.

#include <araia/detail/dispatch/cuda_bsr.hpp>
#include <araia/detail/dispatch/cuda_kernels.hpp>
#include <araia/detail/dispatch/host_simd.hpp>
#include <araia/detail/dispatch/host_spmm.hpp>
#include <araia/detail/dispatch/ready_products.hpp>
#include <araia/detail/dispatch/spmm.hpp>
#include <araia/detail/dispatch/spmv.hpp>
#include <araia/detail/dispatch/tuning_of.hpp>
#include <araia/detail/kernels/bsr_spmm_columns_on_lanes.hpp>
#include <araia/detail/kernels/bsr_spmm_transposed.hpp>
#include <araia/detail/kernels/bsr_spmv_lanes_on_blocks.hpp>
#include <araia/detail/kernels/bsr_spmv_transposed.hpp>
#include <araia/detail/kernels/bsr_tuning.hpp>
#include <araia/formats/bsr.hpp>

namespace araia::detail {

template <class S, class O, class F>
struct SpmvTuningOf<BsrPointers<S, O, F>> {
  using type = BsrSpmvTuning;
};
template <class S, class O, class F>
struct SpmmTuningOf<BsrPointers<S, O, F>> {
  using type = BsrSpmmTuning;
};

/// Whole block rows a team, so that the rows of a block are read together.
inline TeamShape whole_block_rows(TeamShape shape, int block_rows) {
  shape.rows_per_team = (shape.rows_per_team + block_rows - 1) / block_rows * block_rows;
  return shape;
}

template <class Exec, class S, class O, class F, class X, class Y>
bool supports(Exec const&, BsrSpmvKernel kernel, Op op, BsrPointers<S, O, F> const& a, DenseVector<X const> const& x,
              DenseVector<Y> const& y) {
  switch (kernel) {
    case BsrSpmvKernel::automatic: return true;
    case BsrSpmvKernel::lanes_on_blocks: return op == Op::none;
    case BsrSpmvKernel::transposed: return op != Op::none;
    case BsrSpmvKernel::warp_per_block_row: return cuda_supports<Exec>(op, a, x, y);
  }
  return false;
}

template <class Exec, class S, class O, class F, class X, class Y>
void spmv_here(Here, Exec const& exec, BsrSpmvTuning const& tuning, Op op, accumulator_t<Y> alpha,
               BsrPointers<S, O, F> const& a, DenseVector<X const> const& x, accumulator_t<Y> beta,
               DenseVector<Y> const& y) {
  using Sum = accumulator_t<Y>;
  if (alpha == Sum{} || a.blocks == 0) return scale_dense(exec, beta, y);
  bool const team_described = tuning.rows_per_team != 0 || tuning.team_size != 0 || tuning.vector_length != 0;
  auto const automatic = op != Op::none ? BsrSpmvKernel::transposed
                         : !team_described && supports(exec, BsrSpmvKernel::warp_per_block_row, op, a, x, y)
                             ? BsrSpmvKernel::warp_per_block_row
                             : BsrSpmvKernel::lanes_on_blocks;
  auto const kernel =
      chosen_kernel(tuning.kernel, supports(exec, tuning.kernel, op, a, x, y), automatic, "araia::spmv: bsr");
  if (kernel == BsrSpmvKernel::warp_per_block_row) return cuda_spmv(exec, a, alpha, x, beta, y);
  std::int64_t const slots = a.blocks * a.block_rows * a.block_cols;
  int const lanes = tuning.vector_length ? tuning.vector_length : vector_length_for(slots, a.rows);
  auto const shape =
      whole_block_rows(row_team_shape(exec, a.rows, tuning.rows_per_team, tuning.team_size, lanes), a.block_rows);
  if (kernel == BsrSpmvKernel::lanes_on_blocks)
    return with_vectors(
        x, y, [&](auto const& xv, auto const& yv) { bsr_spmv_lanes_on_blocks(exec, shape, alpha, a, xv, beta, yv); });
  scale_dense(exec, beta, y);
  with_vectors(x, y, [&](auto const& xv, auto const& yv) {
    bsr_spmv_transposed(exec, shape, op == Op::conjugate_transpose, alpha, a, xv, yv);
  });
}

template <class Exec, class S, class O, class F, class X, class Y>
bool supports(Exec const& exec, BsrSpmmKernel kernel, Op op, BsrPointers<S, O, F> const& a,
              DenseMatrix<X const> const& b, DenseMatrix<Y> const& c, Precision precision = Precision::native) {
  switch (kernel) {
    case BsrSpmmKernel::automatic: return true;
    case BsrSpmmKernel::columns_on_lanes: return op == Op::none;
    case BsrSpmmKernel::transposed: return op != Op::none;
    case BsrSpmmKernel::tensor_cores:
      if constexpr (is_cuda_space<Exec> && CudaBsrSpmm<S, O, F, X, Y>::exists)
        return op == Op::none && CudaBsrSpmm<S, O, F, X, Y>::supports(exec, precision, a, b, c);
      return false;
    case BsrSpmmKernel::host_simd: return host_spmm_supports<Exec>(op, a, b, c);
  }
  return false;
}

/// tensor_cores gains by reads of B that the rows of a block share.
template <class Exec, class S, class O, class F, class X, class Y>
BsrSpmmKernel automatic_kernel(Exec const& exec, BsrSpmmTuning const& tuning, Op op, BsrPointers<S, O, F> const& a,
                               DenseMatrix<X const> const& b, DenseMatrix<Y> const& c) {
  if (op != Op::none) return BsrSpmmKernel::transposed;
  bool const team_described = tuning.rows_per_team != 0 || tuning.team_size != 0 || tuning.vector_length != 0;
  if (team_described) return BsrSpmmKernel::columns_on_lanes;
  if (supports(exec, BsrSpmmKernel::host_simd, op, a, b, c)) return BsrSpmmKernel::host_simd;
  return a.block_rows > 1 && c.columns >= bsr_tensor_least_columns &&
                 supports(exec, BsrSpmmKernel::tensor_cores, op, a, b, c, tuning.precision)
             ? BsrSpmmKernel::tensor_cores
             : BsrSpmmKernel::columns_on_lanes;
}

template <class Exec, class S, class O, class F, class X, class Y>
void spmm_here(Here, Exec const& exec, BsrSpmmTuning const& tuning, Op op, accumulator_t<Y> alpha,
               BsrPointers<S, O, F> const& a, DenseMatrix<X const> const& b, accumulator_t<Y> beta,
               DenseMatrix<Y> const& c) {
  using Sum = accumulator_t<Y>;
  if (alpha == Sum{} || a.blocks == 0 || c.columns == 0) return scale_dense(exec, beta, c);
  auto const kernel = chosen_kernel(tuning.kernel, supports(exec, tuning.kernel, op, a, b, c, tuning.precision),
                                    automatic_kernel(exec, tuning, op, a, b, c), "araia::spmm: bsr");
  if (kernel == BsrSpmmKernel::host_simd)
    return host_spmm("araia::spmm::bsr::host_simd: host kernels run in the caller's thread", exec, alpha, a,
                     DenseBatch<X const>{b}, beta, DenseBatch<Y>{c}, EpiloguePointers<Y>{});
  if (kernel == BsrSpmmKernel::tensor_cores) {
    if constexpr (is_cuda_space<Exec> && CudaBsrSpmm<S, O, F, X, Y>::exists)
      CudaBsrSpmm<S, O, F, X, Y>::spmm(exec, tuning.precision, a, alpha, b, beta, c);
    return;
  }
  auto const shape = whole_block_rows(
      column_team_shape(exec, a.rows, c.columns, tuning.rows_per_team, tuning.team_size, tuning.vector_length),
      a.block_rows);
  if (kernel == BsrSpmmKernel::columns_on_lanes)
    return with_matrices(b, c, [&](auto const& bv, auto const& cv) {
      bsr_spmm_columns_on_lanes(exec, shape, c.columns, alpha, a, bv, beta, cv);
    });
  scale_dense(exec, beta, c);
  with_matrices(b, c, [&](auto const& bv, auto const& cv) {
    bsr_spmm_transposed(exec, shape, op == Op::conjugate_transpose, c.columns, alpha, a, bv, cv);
  });
}

}  // namespace araia::detail
