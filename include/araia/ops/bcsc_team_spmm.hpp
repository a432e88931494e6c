// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One product of a BCSC on plain pointers by a kernel of teams with scratch memory, on any space. Plans run the same
// kernels as bcsc/warp_centric and bcsc/tiled.

#include <Kokkos_Core.hpp>
#include <concepts>
#include <cstdint>
#include <string>

#include <araia/detail/dispatch/ready_products.hpp>
#include <araia/detail/formats/bcsc_pointers.hpp>
#include <araia/detail/formats/scalar.hpp>
#include <araia/detail/kernels/bcsc_spmm_tiled.hpp>
#include <araia/detail/kernels/bcsc_spmm_warp_centric.hpp>
#include <araia/detail/kernels/bcsc_team_tuning.hpp>
#include <araia/detail/kernels/scale_dense.hpp>

namespace araia {

namespace detail {

template <class Tuning>
concept BcscTeamTuning = std::same_as<Tuning, BcscWarpCentricTuning> || std::same_as<Tuning, BcscTiledTuning>;
template <class A>
concept AnyBcscPointers = requires(A const& a) {
  a.block_offsets;
  a.row_in_block;
};

/// The forms of a Bcsc that plans hold, for which the library brings the kernels.
template <class S>
using BcscTeamForms = ListOf<BcscPointers<S, std::int32_t, std::int32_t>,
                             BcscCompactPointers<S, std::int32_t, std::int32_t, std::uint8_t>>;
template <class Exec, class A, class X, class Y, class S = scalar_of<A>>
inline constexpr bool is_ready_bcsc_team_spmm =
    is_written_out_space<Exec>&& is_listed<PlainProducts, ListOf<S, X, Y>>&& is_listed<BcscTeamForms<S>, A>;

/// alpha and nnz are not 0, operands fit the matrix. \param part_sums  of the tiled kernel, where its parts are above 1
template <class Exec, class A, class X, class Y>
void bcsc_team_spmm_here(Exec const& exec, BcscWarpCentricTuning const& tuning, accumulator_t<Y> alpha, A const& a,
                         DenseMatrix<X const> const& b, accumulator_t<Y> beta, DenseMatrix<Y> const& c,
                         accumulator_t<Y>*) {
  bcsc_spmm_warp_centric_team(exec, tuning, c.columns, alpha, a, StridedMatrix<X const>(b), beta, StridedMatrix<Y>(c));
}
template <class Exec, class A, class X, class Y>
void bcsc_team_spmm_here(Exec const& exec, BcscTiledTuning const& tuning, accumulator_t<Y> alpha, A const& a,
                         DenseMatrix<X const> const& b, accumulator_t<Y> beta, DenseMatrix<Y> const& c,
                         accumulator_t<Y>* part_sums) {
  bcsc_spmm_tiled_team(exec, tuning, c.columns, alpha, a, StridedMatrix<X const>(b), beta, StridedMatrix<Y>(c),
                       part_sums);
}

/// The same, which src/dispatch/bcsc_teams.cpp alone defines.
template <class Exec, class Tuning, class A, class X, class Y>
void bcsc_team_spmm_ready(Exec const& exec, Tuning const& tuning, accumulator_t<Y> alpha, A const& a,
                          DenseMatrix<X const> const& b, accumulator_t<Y> beta, DenseMatrix<Y> const& c,
                          accumulator_t<Y>* part_sums);

/// bcsc_team_spmm with memory for the sums of parts: tuning.parts * rows * columns of them.
template <class Exec, class Tuning, class A, class X, class Y>
void bcsc_team_spmm_in_parts(Exec const& exec, Tuning const& tuning, accumulator_t<Y> alpha, A const& a,
                             DenseMatrix<X const> const& b, accumulator_t<Y> beta, DenseMatrix<Y> const& c,
                             accumulator_t<Y>* part_sums) {
  using Sum = accumulator_t<Y>;
  auto const shape = [](std::int64_t rows, std::int64_t columns) {
    return std::to_string(rows) + " x " + std::to_string(columns);
  };
  if (b.rows != a.cols || c.rows != a.rows || b.columns != c.columns)
    throw Error(ErrorKind::dimension_mismatch, "araia::bcsc_team_spmm: A is " + shape(a.rows, a.cols) + ", B " +
                                                   shape(b.rows, b.columns) + ", C " + shape(c.rows, c.columns) +
                                                   ", expected B of cols and C of rows of A, as many columns each");
  require_team_tuning(tuning);
  if (alpha == Sum{} || a.nnz == 0 || c.columns == 0) return scale_dense(exec, beta, c);
  if constexpr (is_ready_bcsc_team_spmm<Exec, A, X, Y>)
    bcsc_team_spmm_ready(exec, tuning, alpha, a, b, beta, c, part_sums);
  else
    bcsc_team_spmm_here(exec, tuning, alpha, a, b, beta, c, part_sums);
}

}  // namespace detail

/// C = alpha A B + beta C, by the warp-centric or the tiled kernel.
/// \param exec    queue of the work; may return before completion, never fences
/// \param tuning  BcscWarpCentricTuning or BcscTiledTuning; zeros are chosen. Bits of C depend on it and, with atomics
///                on a device, on the run
/// \param a       BcscPointers or BcscCompactPointers in exec's memory, valid by validate(); no values: all ones
/// \param b,c     (cols, n), (rows, n) of any strides, not overlapping; beta == 0 overwrites C, NaN included
/// \throws araia::Error dimension_mismatch naming both shapes; invalid_argument naming a field of the tuning and what
///           is built
/// Cost      2 nnz n flop; A is read once for each tile of columns, a row of B once a block column; no allocation
/// Rounding  |error_ij| <= gamma(len_i + 2) (|alpha| |A| |B| + |beta| |C|)_ij; what is not finite in B reaches the rows
///           that store its column
/// Source    [Thesis2019], sections 3.4.2 and 3.4.3
template <class Exec, detail::BcscTeamTuning Tuning, detail::AnyBcscPointers A, class X, class Y>
void bcsc_team_spmm(Exec const& exec, Tuning const& tuning, accumulator_t<Y> alpha, A const& a,
                    DenseMatrix<X const> const& b, accumulator_t<Y> beta, DenseMatrix<Y> const& c) {
  detail::bcsc_team_spmm_in_parts(exec, tuning, alpha, a, b, beta, c, static_cast<accumulator_t<Y>*>(nullptr));
}

}  // namespace araia
