// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What LOBPCG does with blocks besides its passes: random columns, unit vectors, copies from and to the caller's.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/pointers.hpp>
#include "src/kernel/lobpcg_blocks.hpp"
#include "src/mixed_bits.hpp"

namespace araia::detail {

/// Normally distributed, of mean 0 and variance 1: the same for the same (seed, row, column).
KOKKOS_INLINE_FUNCTION double normal_number(std::uint64_t seed, std::int64_t row, int column) {
  std::uint64_t const key = mixed_bits(seed ^ mixed_bits(static_cast<std::uint64_t>(column) + 1));
  std::uint64_t const bits = mixed_bits(key ^ static_cast<std::uint64_t>(row));
  constexpr double unit = 1.0 / 9007199254740992.0;  // 2^-53
  double const radius = (static_cast<double>(bits >> 11) + 0.5) * unit;
  double const turn = static_cast<double>(mixed_bits(bits) >> 11) * unit;
  constexpr double two_pi = 6.283185307179586;
  return Kokkos::sqrt(-2 * Kokkos::log(radius)) * Kokkos::cos(two_pi * turn);
}

/// Columns [first, block.cols) become random.
template <class Exec, class T>
static void fill_normal(Exec const& exec, Block<T> const& block, std::int64_t rows, int first, std::uint64_t seed) {
  for_each_index(
      "araia::lobpcg::random", IndexRange<Exec>(exec, 0, rows), KOKKOS_LAMBDA(std::int64_t i) {
        for (int j = first; j < block.cols; ++j)
          block.data[i * block.ld + j] = static_cast<T>(normal_number(seed, i, j));
      });
}

/// Column j becomes the unit vector of row first + j, zero where there is no such row.
template <class Exec, class T>
static void fill_units(Exec const& exec, Block<T> const& block, std::int64_t rows, std::int64_t first) {
  for_each_index(
      "araia::lobpcg::units", IndexRange<Exec>(exec, 0, rows), KOKKOS_LAMBDA(std::int64_t i) {
        for (int j = 0; j < block.cols; ++j) block.data[i * block.ld + j] = i == first + j ? T(1) : T(0);
      });
}

/// block(:, j) = from(:, first + j).
template <class Exec, class T>
static void copy_in(Exec const& exec, DenseMatrix<T const> const& from, std::int64_t first, Block<T> const& block) {
  for_each_index(
      "araia::lobpcg::copy", IndexRange<Exec>(exec, 0, from.rows), KOKKOS_LAMBDA(std::int64_t i) {
        for (int j = 0; j < block.cols; ++j)
          block.data[i * block.ld + j] = from.data[i * from.row_stride + (first + j) * from.column_stride];
      });
}

/// to(:, j) = block(:, j) for the columns of `to`.
template <class Exec, class T>
static void copy_out(Exec const& exec, Block<T const> const& block, DenseMatrix<T> const& to) {
  for_each_index(
      "araia::lobpcg::copy", IndexRange<Exec>(exec, 0, to.rows), KOKKOS_LAMBDA(std::int64_t i) {
        for (std::int64_t j = 0; j < to.columns; ++j)
          to.data[i * to.row_stride + j * to.column_stride] = block.data[i * block.ld + j];
      });
}

/// d becomes the inverse of the magnitudes of factor d; zeros, and what is not finite, become one.
template <class Exec, class T>
static void invert_magnitudes(Exec const& exec, T factor, T* d, std::int64_t rows) {
  for_each_index(
      "araia::lobpcg::inverse_diagonal", IndexRange<Exec>(exec, 0, rows), KOKKOS_LAMBDA(std::int64_t i) {
        T const inverse = T(1) / Kokkos::abs(factor * d[i]);
        d[i] = Kokkos::isfinite(inverse) && inverse > T(0) ? inverse : T(1);
      });
}

/// block *= factor.
template <class Exec, class T>
static void scale_block(Exec const& exec, T factor, Block<T> const& block, std::int64_t rows) {
  for_each_index(
      "araia::lobpcg::scale", IndexRange<Exec>(exec, 0, rows), KOKKOS_LAMBDA(std::int64_t i) {
        for (int j = 0; j < block.cols; ++j) block.data[i * block.ld + j] *= factor;
      });
}

/// The largest magnitude in a block; infinity where an element is not finite. Waits.
template <class Exec, class T>
static double largest_magnitude(Exec const& exec, Block<T> const& block, std::int64_t rows) {
  double most = 0;
  Kokkos::parallel_reduce(
      "araia::lobpcg::largest", IndexRange<Exec>(exec, 0, rows),
      KOKKOS_LAMBDA(std::int64_t i, double& here) {
        for (int j = 0; j < block.cols; ++j) {
          double const magnitude = Kokkos::abs(static_cast<double>(block.data[i * block.ld + j]));
          if (!Kokkos::isfinite(magnitude))
            here = Kokkos::Experimental::infinity_v<double>;
          else if (magnitude > here)
            here = magnitude;
        }
      },
      Kokkos::Max<double>(most));
  return most;
}

}  // namespace araia::detail
