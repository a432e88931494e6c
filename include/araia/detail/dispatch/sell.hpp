// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// SpMV and SpMM on SELL pointers: the only switches over its kernels, written out in src/dispatch for the usual types.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/dispatch/cuda_kernels.hpp>
#include <araia/detail/dispatch/host_spmm.hpp>
#include <araia/detail/dispatch/ready_products.hpp>
#include <araia/detail/dispatch/spmm.hpp>
#include <araia/detail/dispatch/spmv.hpp>
#include <araia/detail/dispatch/tuning_of.hpp>
#include <araia/detail/kernels/sell_spmm_columns_on_lanes.hpp>
#include <araia/detail/kernels/sell_spmm_transposed.hpp>
#include <araia/detail/kernels/sell_spmv_thread_per_row.hpp>
#include <araia/detail/kernels/sell_spmv_transposed.hpp>
#include <araia/detail/kernels/sell_tuning.hpp>
#include <araia/formats/sell.hpp>

namespace araia::detail {

template <class S, class O, class F>
struct SpmvTuningOf<SellPointers<S, O, F>> {
  using type = SellSpmvTuning;
};
template <class S, class O, class F>
struct SpmmTuningOf<SellPointers<S, O, F>> {
  using type = SellSpmmTuning;
};

/// Can `kernel` (automatic: some kernel) run this product?
template <class Exec, class S, class O, class F, class X, class Y>
bool supports(Exec const&, SellSpmvKernel kernel, Op op, SellPointers<S, O, F> const& a, DenseVector<X const> const& x,
              DenseVector<Y> const& y) {
  switch (kernel) {
    case SellSpmvKernel::automatic: return true;
    case SellSpmvKernel::thread_per_row: return op == Op::none;
    case SellSpmvKernel::transposed: return op != Op::none;
    case SellSpmvKernel::host_simd:
      if constexpr (is_host_backend_space<Exec> && HostSimd<S, O, F, X, Y>::exists)
        return op == Op::none && x.stride == 1 && y.stride == 1 && HostSimd<S, O, F, X, Y>::supports_sell(a);
      return false;
    case SellSpmvKernel::rows_per_lane: return cuda_supports<Exec>(op, a, x, y);
  }
  return false;
}

/// The kernel that `automatic` stands for.
template <class Exec, class S, class O, class F, class X, class Y>
SellSpmvKernel automatic_kernel(Exec const& exec, SellSpmvTuning const& tuning, Op op, SellPointers<S, O, F> const& a,
                                DenseVector<X const> const& x, DenseVector<Y> const& y) {
  if (op != Op::none) return SellSpmvKernel::transposed;
  bool const team_described = tuning.rows_per_team != 0 || tuning.team_size != 0 || tuning.vector_length != 0;
  if (!team_described)
    for (auto const kernel : {SellSpmvKernel::host_simd, SellSpmvKernel::rows_per_lane})
      if (supports(exec, kernel, op, a, x, y)) return kernel;
  return SellSpmvKernel::thread_per_row;
}

template <class Exec, class S, class O, class F, class X, class Y>
void spmv_here(Here, Exec const& exec, SellSpmvTuning const& tuning, Op op, accumulator_t<Y> alpha,
               SellPointers<S, O, F> const& a, DenseVector<X const> const& x, accumulator_t<Y> beta,
               DenseVector<Y> const& y) {
  using Sum = accumulator_t<Y>;
  if (alpha == Sum{} || a.nnz == 0) return scale_dense(exec, beta, y);
  auto const kernel = chosen_kernel(tuning.kernel, supports(exec, tuning.kernel, op, a, x, y),
                                    automatic_kernel(exec, tuning, op, a, x, y), "araia::spmv: sell");
  if (kernel == SellSpmvKernel::host_simd) {
    if constexpr (is_host_backend_space<Exec> && HostSimd<S, O, F, X, Y>::exists) {
      exec.fence("araia::spmv::sell::host_simd: host kernels run in the caller's thread");
      HostSimd<S, O, F, X, Y>::spmv(a, alpha, x, beta, y, exec.concurrency());
    }
    return;
  }
  if (kernel == SellSpmvKernel::rows_per_lane) return cuda_spmv(exec, a, alpha, x, beta, y);
  auto const shape = row_team_shape(exec, a.rows, tuning.rows_per_team, tuning.team_size, tuning.vector_length);
  if (kernel == SellSpmvKernel::transposed) {
    scale_dense(exec, beta, y);
    return with_vectors(x, y, [&](auto const& xv, auto const& yv) {
      sell_spmv_transposed(exec, shape, op == Op::conjugate_transpose, alpha, a, xv, yv);
    });
  }
  with_vectors(x, y, [&](auto const& xv, auto const& yv) {
    if (a.block_width == 1)
      sell_spmv_thread_per_row<1>(exec, shape, alpha, a, xv, beta, yv);
    else if (a.block_width == 2)
      sell_spmv_thread_per_row<2>(exec, shape, alpha, a, xv, beta, yv);
    else
      sell_spmv_thread_per_row<4>(exec, shape, alpha, a, xv, beta, yv);
  });
}

template <class Exec, class S, class O, class F, class X, class Y>
bool supports(Exec const&, SellSpmmKernel kernel, Op op, SellPointers<S, O, F> const& a, DenseMatrix<X const> const& b,
              DenseMatrix<Y> const& c) {
  switch (kernel) {
    case SellSpmmKernel::automatic: return true;
    case SellSpmmKernel::columns_on_lanes: return op == Op::none;
    case SellSpmmKernel::transposed: return op != Op::none;
    case SellSpmmKernel::host_simd: return host_spmm_supports<Exec>(op, a, b, c);
  }
  return false;
}

/// The kernel that `automatic` stands for.
template <class Exec, class S, class O, class F, class X, class Y>
SellSpmmKernel automatic_kernel(Exec const& exec, SellSpmmTuning const& tuning, Op op, SellPointers<S, O, F> const& a,
                                DenseMatrix<X const> const& b, DenseMatrix<Y> const& c) {
  if (op != Op::none) return SellSpmmKernel::transposed;
  bool const described =
      tuning.rows_per_team != 0 || tuning.team_size != 0 || tuning.vector_length != 0 || tuning.columns_per_lane != 0;
  return !described && supports(exec, SellSpmmKernel::host_simd, op, a, b, c) ? SellSpmmKernel::host_simd
                                                                              : SellSpmmKernel::columns_on_lanes;
}

template <class Exec, class S, class O, class F, class X, class Y>
void spmm_here(Here, Exec const& exec, SellSpmmTuning const& tuning, Op op, accumulator_t<Y> alpha,
               SellPointers<S, O, F> const& a, DenseMatrix<X const> const& b, accumulator_t<Y> beta,
               DenseMatrix<Y> const& c) {
  using Sum = accumulator_t<Y>;
  if (alpha == Sum{} || a.nnz == 0 || c.columns == 0) return scale_dense(exec, beta, c);
  auto const kernel = chosen_kernel(tuning.kernel, supports(exec, tuning.kernel, op, a, b, c),
                                    automatic_kernel(exec, tuning, op, a, b, c), "araia::spmm: sell");
  require_tuning(tuning.columns_per_lane == 0 || tuning.columns_per_lane == 1 || tuning.columns_per_lane == 4,
                 "columns_per_lane", tuning.columns_per_lane, "0, 1 or 4");
  if (kernel == SellSpmmKernel::host_simd)
    return host_spmm("araia::spmm::sell::host_simd: host kernels run in the caller's thread", exec, alpha, a,
                     DenseBatch<X const>{b}, beta, DenseBatch<Y>{c}, EpiloguePointers<Y>{});
  auto const shape =
      column_team_shape(exec, a.rows, c.columns, tuning.rows_per_team, tuning.team_size, tuning.vector_length);
  if (kernel == SellSpmmKernel::transposed) {
    scale_dense(exec, beta, c);
    return with_matrices(b, c, [&](auto const& bv, auto const& cv) {
      sell_spmm_transposed(exec, shape, op == Op::conjugate_transpose, c.columns, alpha, a, bv, cv);
    });
  }
  std::int64_t const per_lane = (c.columns + shape.vector_length - 1) / shape.vector_length;
  int const columns_per_lane = tuning.columns_per_lane ? tuning.columns_per_lane : per_lane >= 4 ? 4 : 1;
  with_matrices(b, c, [&](auto const& bv, auto const& cv) {
    if (columns_per_lane == 4)
      sell_spmm_columns_on_lanes<4>(exec, shape, c.columns, alpha, a, bv, beta, cv);
    else
      sell_spmm_columns_on_lanes<1>(exec, shape, c.columns, alpha, a, bv, beta, cv);
  });
}

}  // namespace araia::detail
