// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// D = alpha A .* (X op(Y)) + beta D on plain pointers: which kernel runs for these operands on this space.
// The only switches over SDDMM kernels; their templates are written out in src/dispatch/sddmm.cpp for the usual types.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>

#include <araia/detail/dispatch/bcsc.hpp>
#include <araia/detail/dispatch/ready_products.hpp>
#include <araia/detail/dispatch/spmv.hpp>
#include <araia/detail/kernels/bcsc_sddmm_block_columns.hpp>
#include <araia/detail/kernels/csr_sddmm_equal_chunks.hpp>
#include <araia/detail/kernels/scale_dense.hpp>
#include <araia/detail/kernels/sddmm_tuning.hpp>
#include <araia/formats/bcsc.hpp>
#include <araia/formats/csr.hpp>

namespace araia {

namespace detail {
template <class Matrix>
struct SddmmTuningOf;
template <class S, class O, class F, class D>
struct SddmmTuningOf<Csr<S, O, F, D>> {
  using type = CsrSddmmTuning;
};
template <class S, class O, class F, class D>
struct SddmmTuningOf<Bcsc<S, O, F, D>> {
  using type = BcscSddmmTuning;
};
template <class S, class O, class F, class D, class R>
struct SddmmTuningOf<BcscCompact<S, O, F, D, R>> {
  using type = BcscSddmmTuning;
};
}  // namespace detail

/// The tuning struct of a format's SDDMM kernels.
template <class Matrix>
using sddmm_tuning_t = typename detail::SddmmTuningOf<Matrix>::type;

namespace detail {

/// Door to the backends' kernels: the host's SIMD and CUDA's, one real scalar for all operands. Absent types answer
/// `exists == false`. Operands are (rows, k) and (cols, k).
template <class Exec, class Pointers, class X, class Y, class D>
struct SddmmBackend {
  static constexpr bool exists = false;
};

/// Defined in src/dispatch/sddmm.cpp.
template <class Exec, class T, class F>
struct SddmmBackend<Exec, CsrPointers<T, std::int32_t, F>, T, T, T> {
  using Matrix = CsrPointers<T, std::int32_t, F>;
  static constexpr bool exists = is_written_out_space<Exec> && is_listed<Reals, T> && is_listed<AllOffsets, F>;
  static bool supports(CsrSddmmKernel kernel, Matrix const& a, DenseMatrix<T const> const& x,
                       DenseMatrix<T const> const& y);
  /// The kernel by rule, equal_chunks where there is none.
  static CsrSddmmKernel automatic(Exec const& exec, Matrix const& a, DenseMatrix<T const> const& x,
                                  DenseMatrix<T const> const& y);
  static void run(Exec const& exec, CsrSddmmKernel kernel, Matrix const& a, T alpha, DenseMatrix<T const> const& x,
                  DenseMatrix<T const> const& y, T beta, T* d);
};

/// Can `kernel` (automatic: some kernel) run this product?
template <class Exec, class S, class O, class F, class X, class Y, class D>
bool supports_sampled(Exec const&, CsrSddmmKernel kernel, CsrPointers<S, O, F> const& a, DenseMatrix<X const> const& x,
                      DenseMatrix<Y const> const& y, D const*) {
  using Backend = SddmmBackend<Exec, CsrPointers<S, O, F>, X, Y, D>;
  if (kernel == CsrSddmmKernel::automatic || kernel == CsrSddmmKernel::equal_chunks) return true;
  if constexpr (Backend::exists) return Backend::supports(kernel, a, x, y);
  return false;
}

/// Calls run(X, Y) with rows contiguous, or of any strides; devices are indifferent to a stride of one.
template <class Exec, class X, class Y, class Run>
void with_dot_operands(DenseMatrix<X const> const& x, DenseMatrix<Y const> const& y, Run const& run) {
  if constexpr (!is_device_space<Exec>)
    if (x.column_stride == 1 && y.column_stride == 1)
      return run(RowMajorMatrix<X const>(x), RowMajorMatrix<Y const>(y));
  run(StridedMatrix<X const>(x), StridedMatrix<Y const>(y));
}

/// \param x, y       (rows, k), (cols, k)
/// \param conjugate  y
template <class Exec, class S, class O, class F, class X, class Y, class D>
void sddmm_here(Here, Exec const& exec, CsrSddmmTuning const& tuning, bool conjugate, accumulator_t<D> alpha,
                CsrPointers<S, O, F> const& a, DenseMatrix<X const> const& x, DenseMatrix<Y const> const& y,
                accumulator_t<D> beta, D* d) {
  using Sum = accumulator_t<D>;
  if (alpha == Sum{} || a.nnz == 0 || x.columns == 0) return scale_dense(exec, beta, DenseVector<D>{d, a.nnz, 1});
  using Backend = SddmmBackend<Exec, CsrPointers<S, O, F>, X, Y, D>;
  auto automatic = CsrSddmmKernel::equal_chunks;
  if constexpr (Backend::exists) automatic = Backend::automatic(exec, a, x, y);
  auto const kernel =
      chosen_kernel(tuning.kernel, supports_sampled(exec, tuning.kernel, a, x, y, d), automatic, "araia::sddmm: csr");
  if (kernel != CsrSddmmKernel::equal_chunks) {
    if constexpr (Backend::exists) Backend::run(exec, kernel, a, alpha, x, y, beta, d);
    return;
  }
  std::int64_t const per_thread = sddmm_entries_per_thread(exec, a.nnz, tuning.entries_per_thread);
  auto const shape = row_team_shape(exec, (a.nnz + per_thread - 1) / per_thread, 0, tuning.team_size,
                                    tuning.vector_length ? tuning.vector_length : dot_lanes_for(x.columns));
  with_dot_operands<Exec>(x, y, [&](auto const& xv, auto const& yv) {
    csr_sddmm_equal_chunks(exec, shape, per_thread, a, sampled_product(xv, yv, d, x.columns, alpha, beta, conjugate));
  });
}

template <class Exec, class A, class X, class Y, class D>
void bcsc_sddmm(Exec const& exec, BcscSddmmTuning const& tuning, bool conjugate, accumulator_t<D> alpha, A const& a,
                DenseMatrix<X const> const& x, DenseMatrix<Y const> const& y, accumulator_t<D> beta, D* d) {
  using Sum = accumulator_t<D>;
  if (alpha == Sum{} || a.nnz == 0 || x.columns == 0) return scale_dense(exec, beta, DenseVector<D>{d, a.nnz, 1});
  constexpr int most_teams = 65536;
  require_tuning(tuning.teams_per_block >= 0 && tuning.teams_per_block <= most_teams, "teams_per_block",
                 tuning.teams_per_block, "0 to 65536");
  auto const shape = row_team_shape(exec, a.blocks, 1, tuning.team_size,
                                    tuning.vector_length ? tuning.vector_length : dot_lanes_for(x.columns));
  std::int64_t teams = tuning.teams_per_block;
  if (teams == 0) {
    if constexpr (is_device_space<Exec>) {
      constexpr std::int64_t columns_per_thread = 2;
      teams = a.block_columns / std::max<std::int64_t>(1, a.blocks * shape.team_size * columns_per_thread);
    } else {
      teams =
          static_cast<std::int64_t>(exec.concurrency()) * host_chunks_per_thread / std::max<std::int64_t>(1, a.blocks);
    }
    teams = std::clamp<std::int64_t>(teams, 1, 256);
  }
  with_dot_operands<Exec>(x, y, [&](auto const& xv, auto const& yv) {
    bcsc_sddmm_block_columns(exec, teams, shape.team_size, shape.vector_length, a,
                             sampled_product(xv, yv, d, x.columns, alpha, beta, conjugate));
  });
}

template <class Exec, class S, class O, class F, class X, class Y, class D>
void sddmm_here(Here, Exec const& exec, BcscSddmmTuning const& tuning, bool conjugate, accumulator_t<D> alpha,
                BcscPointers<S, O, F> const& a, DenseMatrix<X const> const& x, DenseMatrix<Y const> const& y,
                accumulator_t<D> beta, D* d) {
  bcsc_sddmm(exec, tuning, conjugate, alpha, a, x, y, beta, d);
}
template <class Exec, class S, class O, class F, class R, class X, class Y, class D>
void sddmm_here(Here, Exec const& exec, BcscSddmmTuning const& tuning, bool conjugate, accumulator_t<D> alpha,
                BcscCompactPointers<S, O, F, R> const& a, DenseMatrix<X const> const& x, DenseMatrix<Y const> const& y,
                accumulator_t<D> beta, D* d) {
  bcsc_sddmm(exec, tuning, conjugate, alpha, a, x, y, beta, d);
}

}  // namespace detail
}  // namespace araia
