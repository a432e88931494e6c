// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Op::conjugate: the arrays of a matrix with values that kernels read as their conjugates. No kernel knows of it.

#include <Kokkos_Core.hpp>
#include <bit>

#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/formats/scalar.hpp>

namespace araia::detail {

/// A complex number in memory that stands for its conjugate.
template <class Complex>
struct Conjugated {
  Complex stored{};
  friend KOKKOS_INLINE_FUNCTION bool operator==(Conjugated const& a, Conjugated const& b) {
    return a.stored == b.stored;
  }
};

/// What an element of an array of values stands for.
template <class T>
KOKKOS_INLINE_FUNCTION T const& number_of(T const& element) {
  return element;
}
template <class Complex>
KOKKOS_INLINE_FUNCTION Complex number_of(Conjugated<Complex> const& element) {
  return Kokkos::conj(element.stored);
}

/// Pointers of a format of complex scalars, with values that stand for their conjugates; `exists` is false for real
/// ones, and for packings, which plans have of real ones alone.
template <class Pointers>
struct ConjugatedPointers {
  static constexpr bool exists = false;
};
template <template <class...> class Format, class Scalar, class Ordinal, class... Rest>
requires is_complex_v<Scalar>
struct ConjugatedPointers<Format<Scalar, Ordinal, Rest...>> {
  using type = Format<Conjugated<Scalar>, Ordinal, Rest...>;
  static constexpr bool exists = true;
};

/// Calls run(op', a') for the same product with an op' that is not Op::conjugate: that of complex scalars is Op::none
/// on conjugated values, that of real ones Op::none. What runs kernels takes no other op.
template <class Pointers, class Run>
auto without_conjugate(Op op, Pointers const& a, Run const& run) {
  if constexpr (ConjugatedPointers<Pointers>::exists)  // pointers to the same memory, all of them
    if (op == Op::conjugate) return run(Op::none, std::bit_cast<typename ConjugatedPointers<Pointers>::type>(a));
  return run(op == Op::conjugate ? Op::none : op, a);
}

/// op(A) in terms of the transpose of A.
constexpr Op op_on_transpose(Op op) {
  switch (op) {
    case Op::none: return Op::transpose;
    case Op::transpose: return Op::none;
    case Op::conjugate_transpose: return Op::conjugate;
    case Op::conjugate: return Op::conjugate_transpose;
  }
  return op;
}

}  // namespace araia::detail
