// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A matrix without its small entries.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>

#include <araia/detail/assembly/sort_keys.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/scalar.hpp>
#include <araia/detail/ops/kept_entries.hpp>
#include <araia/formats/csr.hpp>

namespace araia {

/// Which entries to drop: one of the two.
struct DropOptions {
  double threshold = 0;   ///< entries of magnitude below it
  double percentage = 0;  ///< this share of the stored entries, the smallest ones; of equal ones the first
};

namespace detail {

/// |v| as the bits of a double, which order as the magnitudes do; NaN above all.
template <class T>
KOKKOS_INLINE_FUNCTION std::uint64_t magnitude_bits(T const& value) {
  using Sum = accumulator_t<T>;
  auto const magnitude = static_cast<double>(Kokkos::abs(static_cast<Sum>(value)));
  return Kokkos::bit_cast<std::uint64_t>(magnitude);
}

/// Bits of the magnitude that the n-th smallest entry has, n from 0.
template <class Exec, class Pointers>
static std::uint64_t nth_magnitude(Exec const& exec, Pointers const& a, std::int64_t n) {
  auto keys = new_keys(exec, "araia::drop::keys", a.nnz);
  for_each_index(
      "araia::drop::keys", IndexRange<Exec>(exec, 0, a.nnz),
      KOKKOS_LAMBDA(std::int64_t k) { keys(k) = magnitude_bits(a.values[k]); });
  sort_keys(exec, keys);
  return value_at(exec, "araia::drop: the magnitude", keys.data() + n);
}

/// Drops exactly `count` entries: all below a magnitude, and as many of that magnitude as are needed, the first ones.
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Csr<std::remove_const_t<Scalar>, Ordinal, Offset, Device> drop_smallest(
    Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A, std::int64_t count) {
  auto const a = A.pointers();
  std::uint64_t const limit = count < A.nnz ? nth_magnitude(exec, a, count) : ~std::uint64_t{0};
  // Entries of the limit's magnitude before each, and all that are smaller.
  auto const equal_before = new_array<Offset, Device>(exec, "araia::drop::equal_before", A.nnz);
  scan_indices<Offset>(
      "araia::drop::equal_before", IndexRange<Exec>(exec, 0, A.nnz),
      KOKKOS_LAMBDA(std::int64_t k, Offset & sum, bool final) {
        if (final) equal_before(k) = sum;
        if (magnitude_bits(a.values[k]) == limit) ++sum;
      });
  std::int64_t smaller = 0;
  reduce_indices(
      "araia::drop::smaller", IndexRange<Exec>(exec, 0, A.nnz),
      KOKKOS_LAMBDA(std::int64_t k, std::int64_t & sum) {
        if (magnitude_bits(a.values[k]) < limit) ++sum;
      },
      smaller);
  exec.fence("araia::drop: how many are smaller");
  std::int64_t const of_equal = count - smaller;
  return kept_entries(
      exec, A,
      KOKKOS_LAMBDA(std::int64_t k) {
        std::uint64_t const bits = magnitude_bits(a.values[k]);
        return bits > limit || (bits == limit && static_cast<std::int64_t>(equal_before(k)) >= of_equal);
      },
      KOKKOS_LAMBDA(std::int64_t k) { return a.values[k]; });
}

}  // namespace detail

/// A without its small entries; the others keep their order. NaN is never below a threshold and is dropped last.
/// \param exec     queue of the work
/// \param A        Csr with values that exec reaches, valid by validate(), rows in matrix order
/// \param options  a threshold, or a percentage of 0 to 100 of nnz, rounded down: exactly so many are dropped
/// \throws araia::Error invalid_argument where an option is out of its range or both are given; unsupported where A is
/// a
///         pattern or its rows are permuted
/// Cost      O(nnz); for a percentage a sort of nnz 64-bit keys; allocates the result; fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Csr<std::remove_const_t<Scalar>, Ordinal, Offset, Device> drop(Exec const& exec,
                                                                      Csr<Scalar, Ordinal, Offset, Device> const& A,
                                                                      DropOptions const& options) {
  using Source = Csr<Scalar, Ordinal, Offset, Device>;
  detail::require_same_memory<Exec, Source>();
  detail::require_matrix_order("araia::drop", A);
  if (!(options.threshold >= 0))
    throw Error(ErrorKind::invalid_argument,
                "araia::drop: threshold is " + std::to_string(options.threshold) + ", expected 0 or more");
  if (!(options.percentage >= 0 && options.percentage <= 100))
    throw Error(ErrorKind::invalid_argument,
                "araia::drop: percentage is " + std::to_string(options.percentage) + ", expected 0 to 100");
  if (options.threshold > 0 && options.percentage > 0)
    throw Error(ErrorKind::invalid_argument, "araia::drop: threshold and percentage are both given, expected one");
  if (!A.has_values() && A.nnz > 0) throw Error(ErrorKind::unsupported, "araia::drop: A is a pattern, expected values");
  Kokkos::Profiling::ScopedRegion const region("araia::drop");
  if (options.percentage > 0)
    return detail::drop_smallest(
        exec, A, static_cast<std::int64_t>(std::floor(static_cast<double>(A.nnz) * options.percentage / 100)));
  auto const a = A.pointers();
  auto const limit = std::bit_cast<std::uint64_t>(options.threshold + 0.0);  // -0 would order above all
  return detail::kept_entries(
      exec, A, KOKKOS_LAMBDA(std::int64_t k) { return detail::magnitude_bits(a.values[k]) >= limit; },
      KOKKOS_LAMBDA(std::int64_t k) { return a.values[k]; });
}

}  // namespace araia
