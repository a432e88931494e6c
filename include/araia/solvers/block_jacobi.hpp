// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The block-Jacobi preconditioner: the inverses of the diagonal blocks of a Bsr.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/error.hpp>
#include <araia/formats/bsr.hpp>

namespace araia {

/// z = M^-1 r where M is the block diagonal of a matrix. A preconditioner of make_cg.
template <class T, class Device>
class BlockJacobi {
 public:
  /// \param inverses  (blocks * size * size) block after block, row-major
  BlockJacobi(Kokkos::View<T const*, Device> inverses, std::int64_t rows, int size)
      : inverses_(std::move(inverses)), rows_(rows), size_(size) {}

  /// \param r, z  (rows), disjoint
  /// \throws araia::Error dimension_mismatch
  /// Cost  2 rows * size flop; asynchronous on exec, no allocation
  template <class Exec, class R, class Z>
  void apply(Exec const& exec, R const& r, Z const& z) const {
    for (auto const size : {r.extent(0), z.extent(0)})
      if (static_cast<std::int64_t>(size) != rows_)
        throw Error(ErrorKind::dimension_mismatch, "araia::BlockJacobi::apply: length of r or z is " +
                                                       std::to_string(size) + ", expected " + std::to_string(rows_));
    auto const inverses = inverses_;
    std::int64_t const rows = rows_;
    int const size = size_;
    detail::for_each_index(
        "araia::BlockJacobi::apply", detail::IndexRange<Exec>(exec, 0, rows), KOKKOS_LAMBDA(std::int64_t i) {
          std::int64_t const first = i / size * size;
          auto const last = static_cast<int>(Kokkos::min<std::int64_t>(size, rows - first));
          T const* const row = inverses.data() + i * size;
          double sum = 0;
          for (int j = 0; j < last; ++j) sum += static_cast<double>(row[j]) * static_cast<double>(r(first + j));
          z(i) = static_cast<T>(sum);
        });
  }
  [[nodiscard]] static constexpr bool capturable() { return true; }
  [[nodiscard]] std::uint64_t bytes() const { return inverses_.size() * sizeof(T); }

 private:
  Kokkos::View<T const*, Device> inverses_;
  std::int64_t rows_;
  int size_;
};

namespace detail {

/// The block's inverse in place by Gauss and Jordan, whose pivots are positive where the block is positive definite.
/// \param block  (size * size) row-major
/// \return       whether all were
KOKKOS_INLINE_FUNCTION bool invert_positive_definite(double* block, int size) {
  for (int k = 0; k < size; ++k) {
    double const pivot = block[k * size + k];
    if (!(pivot > 0)) return false;
    double const inverse = 1 / pivot;
    for (int j = 0; j < size; ++j) block[k * size + j] *= inverse;
    block[k * size + k] = inverse;
    for (int i = 0; i < size; ++i) {
      if (i == k) continue;
      double const factor = block[i * size + k];
      block[i * size + k] = -factor * inverse;
      for (int j = 0; j < size; ++j)
        if (j != k) block[i * size + j] -= factor * block[k * size + j];
    }
  }
  return true;
}

}  // namespace detail

/// The preconditioner of the diagonal blocks of A. A block that is missing or not positive definite counts as the unit
/// matrix.
/// \param A  square, with square blocks, in exec's memory
/// \throws araia::Error invalid_argument unless A and its blocks are square
/// Cost  O(rows * size^2); allocates the result and a workspace of its elements in double; fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
BlockJacobi<std::remove_const_t<Scalar>, typename Bsr<Scalar, Ordinal, Offset, Device>::device_type> make_block_jacobi(
    Exec const& exec, Bsr<Scalar, Ordinal, Offset, Device> const& A) {
  using T = std::remove_const_t<Scalar>;
  if (A.rows != A.cols || A.block_rows != A.block_cols)
    throw Error(ErrorKind::invalid_argument, "araia::make_block_jacobi: A is " + std::to_string(A.rows) + " x " +
                                                 std::to_string(A.cols) + " in blocks of " +
                                                 std::to_string(A.block_rows) + " x " + std::to_string(A.block_cols) +
                                                 ", expected a square matrix in square blocks");
  Kokkos::Profiling::ScopedRegion const region("araia::make_block_jacobi");
  int const size = A.block_rows;
  std::int64_t const rows = A.rows;
  std::int64_t const block_rows = detail::blocks_along(rows, size);
  std::int64_t const elements = static_cast<std::int64_t>(size) * size;
  auto const work = detail::new_array<double, Device>(exec, "araia::block_jacobi::work", block_rows * elements);
  auto const inverses = detail::new_array<T, Device>(exec, "araia::block_jacobi::inverses", block_rows * elements);
  auto const a = A.pointers();
  detail::for_each_index(
      "araia::make_block_jacobi", detail::IndexRange<Exec>(exec, 0, block_rows), KOKKOS_LAMBDA(std::int64_t row) {
        double* const block = work.data() + row * elements;
        auto const rows_here = static_cast<int>(Kokkos::min<std::int64_t>(size, rows - row * size));
        for (std::int64_t e = 0; e < elements; ++e) block[e] = e % (size + 1) == 0 ? 1 : 0;
        for (auto k = static_cast<std::int64_t>(a.block_offsets[row]);
             k < static_cast<std::int64_t>(a.block_offsets[row + 1]); ++k) {
          if (a.block_col_indices[k] != row) continue;
          for (int i = 0; i < rows_here; ++i)
            for (int j = 0; j < rows_here; ++j)
              block[i * size + j] = detail::slot_value<double>(a, k * elements + i * size + j);
        }
        bool const inverted = detail::invert_positive_definite(block, size);
        for (std::int64_t e = 0; e < elements; ++e)
          inverses(row * elements + e) = static_cast<T>(inverted ? block[e] : e % (size + 1) == 0 ? 1 : 0);
      });
  exec.fence("araia::make_block_jacobi: workspace is released");
  return {inverses, rows, size};
}

}  // namespace araia
