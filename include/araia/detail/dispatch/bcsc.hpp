// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Products with BCSC on plain pointers: which kernel runs for these operands on this space.
// The only switches over BCSC kernels; the kernels' templates are written out in src/dispatch for the usual types.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/dispatch/cuda_bcsc.hpp>
#include <araia/detail/dispatch/host_spmm.hpp>
#include <araia/detail/dispatch/ready_products.hpp>
#include <araia/detail/dispatch/spmm.hpp>
#include <araia/detail/dispatch/spmv.hpp>
#include <araia/detail/dispatch/tuning_of.hpp>
#include <araia/detail/kernels/bcsc_spmm_naive.hpp>
#include <araia/detail/kernels/bcsc_spmm_transposed.hpp>
#include <araia/detail/kernels/bcsc_spmv_block_per_team.hpp>
#include <araia/detail/kernels/bcsc_spmv_transposed.hpp>
#include <araia/detail/kernels/bcsc_tuning.hpp>
#include <araia/detail/kernels/scale_dense.hpp>
#include <araia/formats/bcsc.hpp>

namespace araia::detail {

/// Pointers of either form.
template <class Pointers>
inline constexpr bool is_bcsc_pointers_v = false;
template <class S, class O, class F>
inline constexpr bool is_bcsc_pointers_v<BcscPointers<S, O, F>> = true;
template <class S, class O, class F, class R>
inline constexpr bool is_bcsc_pointers_v<BcscCompactPointers<S, O, F, R>> = true;

template <class Pointers>
requires is_bcsc_pointers_v<Pointers>
struct SpmvTuningOf<Pointers> {
  using type = BcscSpmvTuning;
};
template <class Pointers>
requires is_bcsc_pointers_v<Pointers>
struct SpmmTuningOf<Pointers> {
  using type = BcscSpmmTuning;
};

template <class Exec, class A, class X, class Y>
requires is_bcsc_pointers_v<A>
bool supports(Exec const&, BcscSpmvKernel kernel, Op op, A const&, DenseVector<X const> const&, DenseVector<Y> const&) {
  return kernel == BcscSpmvKernel::automatic || (kernel == BcscSpmvKernel::transposed) == (op != Op::none);
}

template <class Exec, class A, class X, class Y>
requires is_bcsc_pointers_v<A>
bool supports(Exec const& exec, BcscSpmmKernel kernel, Op op, A const& a, DenseMatrix<X const> const& b,
              DenseMatrix<Y> const& c) {
  switch (kernel) {
    case BcscSpmmKernel::automatic: return true;
    case BcscSpmmKernel::naive: return op == Op::none;
    case BcscSpmmKernel::transposed: return op != Op::none;
    case BcscSpmmKernel::tiled:
    case BcscSpmmKernel::short_blocks:
    case BcscSpmmKernel::warp_centric:
    case BcscSpmmKernel::warp_centric_atomic:
      if constexpr (is_cuda_space<Exec> && CudaBcscSpmm<A, X, Y>::exists)
        return op == Op::none && CudaBcscSpmm<A, X, Y>::supports(exec, kernel, a, b, c);
      return false;
    case BcscSpmmKernel::host_simd: return host_spmm_supports<Exec>(op, a, b, c);
  }
  return false;
}

/// The kernel that `automatic` stands for.
template <class Exec, class A, class X, class Y>
requires is_bcsc_pointers_v<A> BcscSpmmKernel automatic_kernel(Exec const& exec, BcscSpmmTuning const& tuning, Op op,
                                                               A const& a, DenseMatrix<X const> const& b,
                                                               DenseMatrix<Y> const& c) {
  if (op != Op::none) return BcscSpmmKernel::transposed;
  if constexpr (is_cuda_space<Exec> && CudaBcscSpmm<A, X, Y>::exists)
    if (CudaBcscSpmm<A, X, Y>::supports(exec, BcscSpmmKernel::automatic, a, b, c))
      return CudaBcscSpmm<A, X, Y>::automatic(exec, a, c);
  bool const described = tuning.team_size != 0 || tuning.columns_per_thread != 0;
  return !described && supports(exec, BcscSpmmKernel::host_simd, op, a, b, c) ? BcscSpmmKernel::host_simd
                                                                              : BcscSpmmKernel::naive;
}

template <class Exec, class A, class X, class Y>
void bcsc_spmv(Exec const& exec, BcscSpmvTuning const& tuning, Op op, accumulator_t<Y> alpha, A const& a,
               DenseVector<X const> const& x, accumulator_t<Y> beta, DenseVector<Y> const& y) {
  using Sum = accumulator_t<Y>;
  int const team_size = block_column_team<Exec>(a.block_columns, a.blocks, tuning.team_size);
  if (alpha == Sum{} || a.nnz == 0) return scale_dense(exec, beta, y);
  auto const kernel =
      chosen_kernel(tuning.kernel, supports(exec, tuning.kernel, op, a, x, y),
                    op == Op::none ? BcscSpmvKernel::block_per_team : BcscSpmvKernel::transposed, "araia::spmv: bcsc");
  if (kernel == BcscSpmvKernel::transposed) {
    scale_dense(exec, beta, y);
    return with_vectors(x, y, [&](auto const& xv, auto const& yv) {
      bcsc_spmv_transposed(exec, team_size, op == Op::conjugate_transpose, alpha, a, xv, yv);
    });
  }
  with_vectors(
      x, y, [&](auto const& xv, auto const& yv) { bcsc_spmv_block_per_team(exec, team_size, alpha, a, xv, beta, yv); });
}

inline void check(BcscSpmmTuning const& tuning) {
  require_tuning(tuning.team_size >= 0 && tuning.team_size <= 1024, "team_size", tuning.team_size, "0 to 1024");
  require_tuning(tuning.columns_per_thread >= 0 && tuning.columns_per_thread <= 256, "columns_per_thread",
                 tuning.columns_per_thread, "0 to 256");
}

/// Team and tile of the naive kernel for `columns` columns of sums of `sum_bytes` bytes.
template <class Exec>
BcscTile bcsc_tile(BcscSpmmTuning const& tuning, std::int64_t block_height, std::int64_t columns,
                   std::int64_t sum_bytes) {
  check(tuning);
  BcscTile tile{tuning.team_size, tuning.columns_per_thread, {1, 1}};
  if constexpr (is_device_space<Exec>) {
    // A warp at least: with fewer columns of scratch a tall block is cut into windows.
    if (tile.team_size == 0) {
      tile.team_size = device_warp;
      while (tile.team_size < 128 && tile.team_size < columns &&
             2 * tile.team_size * block_height * sum_bytes <= scratch_budget)
        tile.team_size *= 2;
    }
    if (tile.columns_per_thread == 0) tile.columns_per_thread = 1;
  } else {
    tile.team_size = 1;
    if (tile.columns_per_thread == 0) {
      constexpr std::int64_t fewest = 16;  // columns: two cache lines of B's row
      constexpr std::int64_t most = 128;
      tile.columns_per_thread = static_cast<int>(fewest);
      while (tile.columns_per_thread < most && tile.columns_per_thread < columns &&
             2 * tile.columns_per_thread * block_height * sum_bytes <= scratch_budget)
        tile.columns_per_thread *= 2;
      tile.columns_per_thread = static_cast<int>(std::min<std::int64_t>(tile.columns_per_thread, columns));
    }
  }
  require_tuning(tile.columns() * sum_bytes <= scratch_budget, "columns_per_thread", tile.columns_per_thread,
                 "team_size * columns_per_thread sums within 30 KiB");
  tile.window = row_window(block_height, tile.columns() * sum_bytes);
  return tile;
}

template <class Exec, class A, class X, class Y>
void bcsc_spmm(Exec const& exec, BcscSpmmTuning const& tuning, Op op, accumulator_t<Y> alpha, A const& a,
               DenseMatrix<X const> const& b, accumulator_t<Y> beta, DenseMatrix<Y> const& c) {
  using Sum = accumulator_t<Y>;
  if (alpha == Sum{} || a.nnz == 0 || c.columns == 0) return scale_dense(exec, beta, c);
  auto const tile = bcsc_tile<Exec>(tuning, tallest_block(a), c.columns, sizeof(Sum));
  auto const kernel = chosen_kernel(tuning.kernel, supports(exec, tuning.kernel, op, a, b, c),
                                    automatic_kernel(exec, tuning, op, a, b, c), "araia::spmm: bcsc");
  if (kernel == BcscSpmmKernel::host_simd)
    return host_spmm("araia::spmm::bcsc::host_simd: host kernels run in the caller's thread", exec, alpha, a,
                     DenseBatch<X const>{b}, beta, DenseBatch<Y>{c}, EpiloguePointers<Y>{});
  if (kernel != BcscSpmmKernel::naive && kernel != BcscSpmmKernel::transposed) {
    if constexpr (is_cuda_space<Exec> && CudaBcscSpmm<A, X, Y>::exists)
      CudaBcscSpmm<A, X, Y>::spmm(exec, kernel, tuning, a, alpha, b, beta, c);
    return;
  }
  if (kernel == BcscSpmmKernel::transposed) {
    scale_dense(exec, beta, c);
    return with_matrices(b, c, [&](auto const& bv, auto const& cv) {
      bcsc_spmm_transposed(exec, tile.team_size, op == Op::conjugate_transpose, c.columns, alpha, a, bv, cv);
    });
  }
  with_matrices(
      b, c, [&](auto const& bv, auto const& cv) { bcsc_spmm_naive(exec, tile, c.columns, alpha, a, bv, beta, cv); });
}

template <class Exec, class S, class O, class F, class X, class Y>
void spmv_here(Here, Exec const& exec, BcscSpmvTuning const& tuning, Op op, accumulator_t<Y> alpha,
               BcscPointers<S, O, F> const& a, DenseVector<X const> const& x, accumulator_t<Y> beta,
               DenseVector<Y> const& y) {
  bcsc_spmv(exec, tuning, op, alpha, a, x, beta, y);
}
template <class Exec, class S, class O, class F, class R, class X, class Y>
void spmv_here(Here, Exec const& exec, BcscSpmvTuning const& tuning, Op op, accumulator_t<Y> alpha,
               BcscCompactPointers<S, O, F, R> const& a, DenseVector<X const> const& x, accumulator_t<Y> beta,
               DenseVector<Y> const& y) {
  bcsc_spmv(exec, tuning, op, alpha, a, x, beta, y);
}
template <class Exec, class S, class O, class F, class X, class Y>
void spmm_here(Here, Exec const& exec, BcscSpmmTuning const& tuning, Op op, accumulator_t<Y> alpha,
               BcscPointers<S, O, F> const& a, DenseMatrix<X const> const& b, accumulator_t<Y> beta,
               DenseMatrix<Y> const& c) {
  bcsc_spmm(exec, tuning, op, alpha, a, b, beta, c);
}
template <class Exec, class S, class O, class F, class R, class X, class Y>
void spmm_here(Here, Exec const& exec, BcscSpmmTuning const& tuning, Op op, accumulator_t<Y> alpha,
               BcscCompactPointers<S, O, F, R> const& a, DenseMatrix<X const> const& b, accumulator_t<Y> beta,
               DenseMatrix<Y> const& c) {
  bcsc_spmm(exec, tuning, op, alpha, a, b, beta, c);
}

}  // namespace araia::detail
