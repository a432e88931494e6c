// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha op(A) B + beta C on plain pointers: which kernel runs for these operands on this space.
// The only switches over SpMM kernels; the kernels' templates are written out in src/dispatch for the usual types.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/dispatch/cuda_spmm.hpp>
#include <araia/detail/dispatch/ready_products.hpp>
#include <araia/detail/dispatch/spmv.hpp>
#include <araia/detail/kernels/coo_spmm_atomic.hpp>
#include <araia/detail/kernels/epilogue.hpp>
#include <araia/detail/kernels/row_spmm_columns_on_lanes.hpp>
#include <araia/detail/kernels/row_spmm_transposed.hpp>
#include <araia/detail/kernels/spmm_tuning.hpp>

namespace araia::detail {

/// Calls run(B, C) with both row-major, or both of any strides.
template <class B, class C, class Run>
void with_matrices(DenseMatrix<B const> const& b, DenseMatrix<C> const& c, Run const& run) {
  if (b.column_stride == 1 && c.column_stride == 1)
    run(RowMajorMatrix<B const>(b), RowMajorMatrix<C>(c));
  else
    run(StridedMatrix<B const>(b), StridedMatrix<C>(c));
}

template <class Exec, class S, class O, class F, class X, class Y>
bool supports(Exec const&, CsrSpmmKernel kernel, Op op, CsrPointers<S, O, F> const& a, DenseMatrix<X const> const& b,
              DenseMatrix<Y> const& c) {
  switch (kernel) {
    case CsrSpmmKernel::automatic: return true;
    case CsrSpmmKernel::columns_on_lanes: return op == Op::none;
    case CsrSpmmKernel::transposed: return op != Op::none;
    case CsrSpmmKernel::host_simd:
    case CsrSpmmKernel::host_simd_runs:
      if constexpr (is_host_backend_space<Exec> && HostSimd<S, O, F, X, Y>::exists)
        return op == Op::none && HostSimd<S, O, F, X, Y>::supports_spmm(b, c);
      return false;
    case CsrSpmmKernel::row_per_warp:
      if constexpr (is_cuda_space<Exec> && CudaSpmm<S, O, F, X, Y>::exists)
        return op == Op::none && CudaSpmm<S, O, F, X, Y>::supports(a, b, c);
      return false;
    case CsrSpmmKernel::merge_split:
      if constexpr (is_cuda_space<Exec> && CudaSpmm<S, O, F, X, Y>::exists)
        return op == Op::none && CudaSpmm<S, O, F, X, Y>::supports_merge_split(b, c);
      return false;
  }
  return false;
}

template <class Exec, class S, class O, class F, class X, class Y>
CsrSpmmKernel automatic_kernel(Exec const& exec, Op op, CsrPointers<S, O, F> const& a, DenseMatrix<X const> const& b,
                               DenseMatrix<Y> const& c) {
  if (op != Op::none) return CsrSpmmKernel::transposed;
  if (supports(exec, CsrSpmmKernel::row_per_warp, op, a, b, c)) return CsrSpmmKernel::row_per_warp;
  return supports(exec, CsrSpmmKernel::host_simd, op, a, b, c) ? CsrSpmmKernel::host_simd
                                                               : CsrSpmmKernel::columns_on_lanes;
}

/// Team shape with lanes over columns.
template <class Exec>
TeamShape column_team_shape(Exec const& exec, std::int64_t rows, std::int64_t columns, int rows_per_team, int team_size,
                            int vector_length) {
  return row_team_shape(exec, rows, rows_per_team, team_size,
                        vector_length ? vector_length : column_lanes_for(columns));
}

template <class Exec, class Tuning, class A, class X, class Y>
void row_spmm(Exec const& exec, Tuning const& tuning, accumulator_t<Y> alpha, A const& a, DenseMatrix<X const> const& b,
              accumulator_t<Y> beta, DenseMatrix<Y> const& c, char const* label) {
  auto const shape =
      column_team_shape(exec, a.rows, c.columns, tuning.rows_per_team, tuning.team_size, tuning.vector_length);
  int const per_lane =
      tuning.columns_per_lane ? tuning.columns_per_lane : columns_per_lane_for<Exec>(c.columns, shape.vector_length);
  require_tuning(per_lane == 1 || per_lane == 4 || per_lane == 8, "columns_per_lane", per_lane, "0, 1, 4 or 8");
  with_matrices(b, c, [&](auto const& bv, auto const& cv) {
    if (per_lane == 8)
      row_spmm_columns_on_lanes<8>(exec, shape, c.columns, alpha, a, bv, beta, cv, label);
    else if (per_lane == 4)
      row_spmm_columns_on_lanes<4>(exec, shape, c.columns, alpha, a, bv, beta, cv, label);
    else
      row_spmm_columns_on_lanes<1>(exec, shape, c.columns, alpha, a, bv, beta, cv, label);
  });
}

template <class Exec, class Tuning, class A, class X, class Y>
void row_spmm_scatter(Exec const& exec, Tuning const& tuning, Op op, accumulator_t<Y> alpha, A const& a,
                      DenseMatrix<X const> const& b, accumulator_t<Y> beta, DenseMatrix<Y> const& c,
                      char const* label) {
  auto const shape =
      column_team_shape(exec, a.rows, c.columns, tuning.rows_per_team, tuning.team_size, tuning.vector_length);
  scale_dense(exec, beta, c);
  with_matrices(b, c, [&](auto const& bv, auto const& cv) {
    row_spmm_transposed(exec, shape, op == Op::conjugate_transpose, c.columns, alpha, a, bv, cv, label);
  });
}

/// C = act(alpha A B + beta C + bias + R) for a batch of B and C, by the backends' kernels of Csr that do it where they
/// store C: row_per_warp, host_simd, host_simd_runs.
template <class Exec, class S, class O, class F, class X, class Y>
void spmm_in_store(Exec const& exec, CsrSpmmTuning const& tuning, accumulator_t<Y> alpha, CsrPointers<S, O, F> const& a,
                   DenseBatch<X const> const& b, accumulator_t<Y> beta, DenseBatch<Y> const& c,
                   EpiloguePointers<Y> const& epilogue) {
  if constexpr (is_host_backend_space<Exec> && HostSimd<S, O, F, X, Y>::exists) {
    exec.fence("araia::spmm::csr::host_simd: host kernels run in the caller's thread");
    HostSimd<S, O, F, X, Y>::spmm(a, alpha, b, beta, c, epilogue, exec.concurrency(),
                                  tuning.kernel == CsrSpmmKernel::host_simd_runs ? tuning.row_runs : nullptr);
  }
  if constexpr (is_cuda_space<Exec> && CudaSpmm<S, O, F, X, Y>::exists)
    CudaSpmm<S, O, F, X, Y>::spmm(exec, a, alpha, b, beta, c, epilogue);
}

template <class Exec, class S, class O, class F, class X, class Y>
void spmm_here(Here, Exec const& exec, CsrSpmmTuning const& tuning, Op op, accumulator_t<Y> alpha,
               CsrPointers<S, O, F> const& a, DenseMatrix<X const> const& b, accumulator_t<Y> beta,
               DenseMatrix<Y> const& c) {
  using Sum = accumulator_t<Y>;
  if (alpha == Sum{} || a.nnz == 0 || c.columns == 0) return scale_dense(exec, beta, c);
  auto const kernel = chosen_kernel(tuning.kernel, supports(exec, tuning.kernel, op, a, b, c),
                                    automatic_kernel(exec, op, a, b, c), "araia::spmm: csr");
  switch (kernel) {
    case CsrSpmmKernel::host_simd_runs:
      if (!tuning.row_runs)
        throw Error(ErrorKind::invalid_argument,
                    "araia::spmm: csr/host_simd_runs: row_runs is null, expected inspect_rows(exec, A)");
      [[fallthrough]];
    case CsrSpmmKernel::host_simd:
    case CsrSpmmKernel::row_per_warp:
      return spmm_in_store(exec, tuning, alpha, a, DenseBatch<X const>{b}, beta, DenseBatch<Y>{c},
                           EpiloguePointers<Y>{});
    case CsrSpmmKernel::merge_split:
      require_partition("spmm", kernel_name(kernel), tuning.partition, CsrCut::path, a.rows, a.nnz, sizeof(Sum));
      if constexpr (is_cuda_space<Exec> && CudaSpmm<S, O, F, X, Y>::exists)
        CudaSpmm<S, O, F, X, Y>::merge_split(exec, a, tuning.partition, alpha, b, beta, c);
      return;
    case CsrSpmmKernel::transposed:
      return row_spmm_scatter(exec, tuning, op, alpha, a, b, beta, c, "araia::spmm::csr::transposed");
    case CsrSpmmKernel::automatic:  // chosen_kernel never returns it
    case CsrSpmmKernel::columns_on_lanes:
      return row_spmm(exec, tuning, alpha, a, b, beta, c, "araia::spmm::csr::columns_on_lanes");
  }
}

template <class Exec, class S, class O, class X, class Y>
void spmm_here(Here, Exec const& exec, CooSpmmTuning const& tuning, Op op, accumulator_t<Y> alpha,
               CooPointers<S, O> const& a, DenseMatrix<X const> const& b, accumulator_t<Y> beta,
               DenseMatrix<Y> const& c) {
  using Sum = accumulator_t<Y>;
  if (alpha == Sum{} || a.nnz == 0 || c.columns == 0) return scale_dense(exec, beta, c);
  auto const shape =
      column_team_shape(exec, a.nnz, c.columns, tuning.entries_per_team, tuning.team_size, tuning.vector_length);
  scale_dense(exec, beta, c);
  auto const oriented = op == Op::none ? a : swapped(a);
  with_matrices(b, c, [&](auto const& bv, auto const& cv) {
    coo_spmm_atomic(exec, shape, op == Op::conjugate_transpose, c.columns, alpha, oriented, bv, cv);
  });
}

template <class Exec, class S, class O, class X, class Y>
void spmm_here(Here, Exec const& exec, EllSpmmTuning const& tuning, Op op, accumulator_t<Y> alpha,
               EllPointers<S, O> const& a, DenseMatrix<X const> const& b, accumulator_t<Y> beta,
               DenseMatrix<Y> const& c) {
  using Sum = accumulator_t<Y>;
  if (alpha == Sum{} || a.nnz == 0 || c.columns == 0) return scale_dense(exec, beta, c);
  if (op == Op::none) return row_spmm(exec, tuning, alpha, a, b, beta, c, "araia::spmm::ell::columns_on_lanes");
  row_spmm_scatter(exec, tuning, op, alpha, a, b, beta, c, "araia::spmm::ell::transposed");
}

}  // namespace araia::detail
