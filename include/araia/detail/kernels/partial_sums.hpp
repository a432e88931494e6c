// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What fused products write, and the memory for the sums that they form.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <type_traits>

#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/formats/scalar.hpp>
#include <araia/detail/kernels/fused_rows.hpp>
#include <araia/error.hpp>

namespace araia {

namespace detail {

/// Of a PartialSums, as kernels take it.
struct PartialSumPointers {
  double* sums = nullptr;
  unsigned* arrived = nullptr;
  std::int64_t room = 0;  // sums
};

/// Sums of products with results of type Y are formed in this.
template <class Y>
using partial_sum_t = std::conditional_t<is_complex_v<Y>, Kokkos::complex<double>, double>;

}  // namespace detail

/// Workspace of residual and multiply_dot where they form a sum: one product at a time. Made once, for all products of
/// matrices of up to so many rows; plans have their own.
/// \tparam Exec    of the products
/// \tparam Scalar  of their results
template <class Exec, class Scalar>
class PartialSums {
 public:
  PartialSums() = default;
  /// \param rows  of the largest matrix
  /// Cost  8 bytes (complex: 16) for each 8 rows, 128 KiB (complex: 256) at most; fences exec
  PartialSums(Exec const& exec, std::int64_t rows) : room_(most_partial_sums(rows)) {
    memory_ = detail::zeroed_view<Memory>(exec, "araia::partial_sums", room_ * doubles_of_sum + 1);
    exec.fence("araia::partial_sums: zero before a product on any instance");
  }

  [[nodiscard]] std::uint64_t bytes() const { return memory_.span() * sizeof(double); }
  [[nodiscard]] detail::PartialSumPointers pointers() const {
    if (room_ == 0) return {};
    // The last element counts the blocks of a device; as bits, zero is zero.
    return {memory_.data(), reinterpret_cast<unsigned*>(memory_.data() + room_ * doubles_of_sum), room_};
  }

 private:
  static constexpr std::int64_t doubles_of_sum = sizeof(detail::partial_sum_t<Scalar>) / sizeof(double);
  using Memory = Kokkos::View<double*, typename Exec::device_type>;
  Memory memory_;
  std::int64_t room_ = 0;
};

namespace detail {

/// What follows a product y = op(A) x on vectors of any strides; strides of absent ones do not count.
template <class Y>
struct FusedOperands {
  using Sum = accumulator_t<Y>;
  using Real = typename ScalarTraits<Sum>::real;
  DenseVector<Y const> b{};  // data null: y = op(A) x, else y = b - op(A) x
  DenseVector<Y const> w{};  // of dot
  DenseVector<Y> y{};
  Sum* dot = nullptr;            // takes the sum of conj(w_i) y_i
  Real* norm_squared = nullptr;  // takes that of |y_i|^2; at most one of the two is asked for
  PartialSumPointers sums{};
  [[nodiscard]] bool has_sum() const { return dot || norm_squared; }
};

/// \throws araia::Error invalid_argument unless there is room for a matrix of so many rows
inline void require_room(char const* op, PartialSumPointers const& sums, std::int64_t rows) {
  if (sums.room < most_partial_sums(rows))
    throw Error(ErrorKind::invalid_argument,
                std::string(op) + ": partial sums have room for " + std::to_string(sums.room) + ", expected " +
                    std::to_string(most_partial_sums(rows)) + " for a matrix of " + std::to_string(rows) + " rows");
}

}  // namespace detail
}  // namespace araia
