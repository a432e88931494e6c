// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = act(alpha op(A) B + beta C + bias + R) for a batch of B and C, on plain pointers: which kernels do it where they
// store C is decided here alone. After the others' products there is a pass over C.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <type_traits>

#include <araia/detail/dispatch/bcsc.hpp>
#include <araia/detail/dispatch/bsr.hpp>
#include <araia/detail/dispatch/sell.hpp>
#include <araia/detail/dispatch/spmm.hpp>
#include <araia/detail/formats/written_out.hpp>
#include <araia/detail/kernels/epilogue.hpp>
#include <araia/detail/kernels/finish_dense.hpp>

namespace araia::detail {

template <class Exec, class Y>
void finish_dense_ready(Exec const& exec, accumulator_t<Y> beta, DenseBatch<Y> const& c,
                        EpiloguePointers<Y> const& epilogue);

/// The pass over C that is all there is, or comes after the product: of the library's scalars what src/dispatch
/// defines.
template <class Exec, class Y>
void finish_batch(Exec const& exec, accumulator_t<Y> beta, DenseBatch<Y> const& c,
                  EpiloguePointers<Y> const& epilogue) {
  if constexpr (is_written_out_space<Exec> && is_written_out_scalar<Y>)
    finish_dense_ready(exec, beta, c, epilogue);
  else
    finish_dense(exec, beta, c, epilogue);
}

/// Does the kernel that would run do it where it stores C? Whether it runs at all is not asked.
template <class Exec, class Tuning, class Pointers, class X, class Y>
bool stores_epilogue(Exec const&, Tuning const&, Op, Pointers const&, DenseMatrix<X const> const&,
                     DenseMatrix<Y> const&) {
  return false;
}
template <class Exec, class S, class O, class F, class X, class Y>
bool stores_epilogue(Exec const& exec, CsrSpmmTuning const& tuning, Op op, CsrPointers<S, O, F> const& a,
                     DenseMatrix<X const> const& b, DenseMatrix<Y> const& c) {
  auto const kernel = tuning.kernel == CsrSpmmKernel::automatic ? automatic_kernel(exec, op, a, b, c) : tuning.kernel;
  bool const with_runs = kernel == CsrSpmmKernel::host_simd_runs && tuning.row_runs;
  return (kernel == CsrSpmmKernel::row_per_warp || kernel == CsrSpmmKernel::host_simd || with_runs) &&
         supports(exec, kernel, op, a, b, c);
}
template <class Kernel, class Exec, class Tuning, class Pointers, class X, class Y>
bool runs_host_simd(Exec const& exec, Tuning const& tuning, Op op, Pointers const& a, DenseMatrix<X const> const& b,
                    DenseMatrix<Y> const& c) {
  auto const kernel = tuning.kernel == Kernel::automatic ? automatic_kernel(exec, tuning, op, a, b, c) : tuning.kernel;
  return kernel == Kernel::host_simd && supports(exec, kernel, op, a, b, c);
}
template <class Exec, class S, class O, class F, class X, class Y>
bool stores_epilogue(Exec const& exec, BsrSpmmTuning const& tuning, Op op, BsrPointers<S, O, F> const& a,
                     DenseMatrix<X const> const& b, DenseMatrix<Y> const& c) {
  return runs_host_simd<BsrSpmmKernel>(exec, tuning, op, a, b, c);
}
template <class Exec, class S, class O, class F, class X, class Y>
bool stores_epilogue(Exec const& exec, SellSpmmTuning const& tuning, Op op, SellPointers<S, O, F> const& a,
                     DenseMatrix<X const> const& b, DenseMatrix<Y> const& c) {
  return runs_host_simd<SellSpmmKernel>(exec, tuning, op, a, b, c);
}
template <class Exec, class Pointers, class X, class Y>
requires is_bcsc_pointers_v<Pointers>
bool stores_epilogue(Exec const& exec, BcscSpmmTuning const& tuning, Op op, Pointers const& a,
                     DenseMatrix<X const> const& b, DenseMatrix<Y> const& c) {
  return runs_host_simd<BcscSpmmKernel>(exec, tuning, op, a, b, c);
}

/// Products that do it where they store C, for operands that stores_epilogue() names; that of Csr is in spmm.hpp.
template <class Exec, class Tuning, class Pointers, class X, class Y>
void spmm_in_store(Exec const&, Tuning const&, accumulator_t<Y>, Pointers const&, DenseBatch<X const> const&,
                   accumulator_t<Y>, DenseBatch<Y> const&, EpiloguePointers<Y> const&) {}
template <class Exec, class S, class O, class F, class X, class Y>
void spmm_in_store(Exec const& exec, BsrSpmmTuning const&, accumulator_t<Y> alpha, BsrPointers<S, O, F> const& a,
                   DenseBatch<X const> const& b, accumulator_t<Y> beta, DenseBatch<Y> const& c,
                   EpiloguePointers<Y> const& epilogue) {
  host_spmm("araia::spmm::bsr::host_simd: host kernels run in the caller's thread", exec, alpha, a, b, beta, c,
            epilogue);
}
template <class Exec, class S, class O, class F, class X, class Y>
void spmm_in_store(Exec const& exec, SellSpmmTuning const&, accumulator_t<Y> alpha, SellPointers<S, O, F> const& a,
                   DenseBatch<X const> const& b, accumulator_t<Y> beta, DenseBatch<Y> const& c,
                   EpiloguePointers<Y> const& epilogue) {
  host_spmm("araia::spmm::sell::host_simd: host kernels run in the caller's thread", exec, alpha, a, b, beta, c,
            epilogue);
}
template <class Exec, class Pointers, class X, class Y>
requires is_bcsc_pointers_v<Pointers>
void spmm_in_store(Exec const& exec, BcscSpmmTuning const& tuning, accumulator_t<Y> alpha, Pointers const& a,
                   DenseBatch<X const> const& b, accumulator_t<Y> beta, DenseBatch<Y> const& c,
                   EpiloguePointers<Y> const& epilogue) {
  check(tuning);
  host_spmm("araia::spmm::bcsc::host_simd: host kernels run in the caller's thread", exec, alpha, a, b, beta, c,
            epilogue);
}

/// \param product  product(b, c): C = alpha op(A) B + beta C by the tuning's kernel
template <class Exec, class Tuning, class Pointers, class X, class Y, class Product>
void spmm_epilogue(Exec const& exec, Tuning const& tuning, Op op, accumulator_t<Y> alpha, Pointers const& a,
                   DenseBatch<X const> const& b, accumulator_t<Y> beta, DenseBatch<Y> const& c,
                   EpiloguePointers<Y> const& epilogue, Product const& product) {
  using Sum = accumulator_t<Y>;
  if (c.count == 0 || c.first.rows == 0 || c.first.columns == 0) return;
  bool no_product = alpha == Sum{};
  if constexpr (requires { a.block_col_indices; })
    no_product = no_product || a.blocks == 0;  // fill of a Bsr counts as stored
  else if constexpr (requires { a.nnz; })
    no_product = no_product || a.nnz == 0;  // packings of SpMV alone do not say
  if (no_product) return finish_batch(exec, beta, c, epilogue);
  if ((c.count > 1 || epilogue.any()) && stores_epilogue(exec, tuning, op, a, b.first, c.first))
    return spmm_in_store(exec, tuning, alpha, a, b, beta, c, epilogue);
  for (std::int64_t i = 0; i < c.count; ++i) product(b.item(i), c.item(i));
  finish_batch(exec, Sum(1), c, epilogue);
}

/// Where all items' columns lie as those of one matrix, they are one: N * count columns. A column bias repeats with
/// each item, so it keeps them apart.
template <class X, class Y>
void join_items(DenseBatch<X>& b, DenseBatch<Y>& c, EpiloguePointers<Y>& epilogue) {
  std::int64_t const columns = c.first.columns;
  if (c.count <= 1 || columns == 0 || epilogue.column_bias) return;
  auto const joins = [&](std::int64_t column_stride, std::int64_t stride) {
    return stride == columns * (columns == 1 ? 1 : column_stride);
  };
  if (!joins(b.first.column_stride, b.stride) || !joins(c.first.column_stride, c.stride)) return;
  if (epilogue.residual && !joins(epilogue.residual_column_stride, epilogue.residual_batch_stride)) return;
  if (columns == 1) epilogue.residual_column_stride = 1;
  b.first.columns *= c.count;
  c.first.columns *= c.count;
  b.count = c.count = 1;
}

}  // namespace araia::detail
