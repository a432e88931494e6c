// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the kernels of LOBPCG work on: blocks of vectors, the basis [X R P], and what one pass is to write. No Kokkos
// here: kernels of all backends take these structs.

#include <cstdint>

namespace araia::detail {

/// Columns of one block at most, and of a basis of three.
inline constexpr int lobpcg_most_columns = 64;
inline constexpr int lobpcg_most_basis = 3 * lobpcg_most_columns;

/// A block of vectors in row-major order: element (i, j) at data[i * ld + j].
/// data is 16-byte aligned, ld a multiple of 4 and at least cols. Elements from cols to ld of a row are nobody's: they
/// may hold anything, NaN included, and may be written.
template <class T>
struct Block {
  T* data = nullptr;
  std::int64_t ld = 0;
  int cols = 0;
};

/// The basis S = [X R P] of a Rayleigh-Ritz step, or its first blocks, with A S and B S.
/// m is the sum of cols over the blocks. s[i], as[i] and bs[i] have the same cols; no two blocks overlap.
template <class T>
struct LobpcgBasis {
  std::int64_t rows = 0;
  Block<T const> s[3];
  Block<T const> as[3];  ///< all data null where A S is not there: then only H, and updates without A S
  Block<T const> bs[3];  ///< all data null where B is the identity: then B S = S
  int blocks = 0;        ///< 1: [X], 2: [X R], 3: [X R P]
};

/// G = S'(A S) and H = S'(B S).
/// Both (m x m), row-major with leading dimension m, symmetric, whole (both triangles), in device memory. A and B are
/// symmetric, so an entry (i, j) may be s_i'(A s_j) or s_j'(A s_i). Sums are in double, in an order that depends on
/// rows and m alone.
template <class T>
struct LobpcgGram {
  LobpcgBasis<T> basis;
  double* g = nullptr;  ///< null: not wanted
  double* h = nullptr;  ///< null: not wanted
  bool only_r = false;  ///< only entries whose row or column is of block 1 are asked for, as s_i'(A s_j) and
                        ///< s_i'(B s_j) with j in block 1: the others may hold anything. as and bs of blocks 0 and 2
                        ///< need not be read then: 4 blocks in all, 5 with B, in place of 6 and 9. A kernel may
                        ///< compute all the same
};

/// New blocks by small coefficients, in one pass:
///   X = S C, P = S D, AX = (A S) C, AP = (A S) D, BX = (B S) C, BP = (B S) D,
///   R(:, q) = K (AX - BX diag(theta))(:, active[q]),  K = diag(inverse_diagonal) or the identity,
/// and sums of squares of columns, before K. Coefficients, theta, active and sums are in device memory. Outputs may be
/// the very arrays of the basis (X on s[0], P on s[2], R on s[1], AX on as[0], ...; whole rows: same data and ld): a
/// row's old values are read before its new ones are written. BX stands for X where B is the identity.
template <class T>
struct LobpcgUpdate {
  LobpcgBasis<T> basis;
  double const* c = nullptr;      ///< (m x kx) row-major, leading dimension kx; kx <= 64
  double const* d = nullptr;      ///< (m x kp) row-major, leading dimension kp; kp <= 64; unused where kp is 0
  double const* theta = nullptr;  ///< (kx); unused where neither r nor r_squares is wanted
  int kx = 0;
  int kp = 0;
  Block<T> x, ax, bx;           ///< kx columns; ax.data null without A S, bx.data null where B is the identity
  Block<T> p, ap, bp;           ///< kp columns; likewise
  Block<T> r;                   ///< active_count columns; data null: not wanted
  int const* active = nullptr;  ///< (active_count) ascending columns of X
  int active_count = 0;
  T const* inverse_diagonal = nullptr;  ///< (rows); null: none
  double* r_squares = nullptr;          ///< (kx) ||AX - BX diag(theta)||^2 of every column, before K; null: not wanted
  double* ax_squares = nullptr;         ///< (kx) ||AX||^2 of every column; null: not wanted
  double* x_squares = nullptr;          ///< (kx) ||X||^2 of every column; null: not wanted
};

/// C = X'W, and W'W in the same pass where asked for.
template <class T>
struct LobpcgCross {
  std::int64_t rows = 0;
  Block<T const> x;
  Block<T const> w;
  double* c = nullptr;   ///< (x.cols x w.cols) row-major, leading dimension w.cols
  double* ww = nullptr;  ///< (w.cols x w.cols) whole; null: not wanted
};

/// W -= X C, in place, and W'W of the new W in the same pass where asked for.
template <class T>
struct LobpcgSubtract {
  std::int64_t rows = 0;
  Block<T const> x;
  double const* c = nullptr;  ///< (x.cols x w.cols) row-major, leading dimension w.cols
  Block<T> w;
  double* ww = nullptr;  ///< (w.cols x w.cols) whole; null: not wanted
};

}  // namespace araia::detail
