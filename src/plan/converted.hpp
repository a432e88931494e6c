// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A matrix of any format behind StoredMatrix.

#include <memory>
#include <utility>

#include <araia/detail/formats/conversions.hpp>
#include "src/plan/stored.hpp"

namespace araia::detail {

/// What a matrix takes, as counted after its conversion or packing.
template <class Format>
Footprint footprint_of_stored(Format const& matrix) {
  Footprint f{.bytes = matrix.bytes(), .slots = matrix.stored(), .exact = true};
  if constexpr (requires { matrix.block_columns; })
    f.pieces = matrix.block_columns;
  else if constexpr (requires { matrix.blocks; })
    f.pieces = matrix.blocks;
  if constexpr (requires { matrix.tail; }) f.tail = matrix.tail.nnz;
  return f;
}

/// Its values, some where they lie in several arrays.
template <class Format>
StoredValues values_of_stored(Format const& matrix) {
  auto const of = [](auto const& view) { return StoredValues{view.data(), view.span() * sizeof(*view.data())}; };
  if constexpr (requires { matrix.tail; })
    return matrix.ell.values.span() > 0 ? of(matrix.ell.values) : of(matrix.tail.values);
  else if constexpr (requires { matrix.spans; })
    return matrix.spans.empty() ? StoredValues{} : of(matrix.spans.front().values);
  else
    return of(matrix.values);
}

/// A matrix of a format of its own.
template <class Exec, class A, class Offset, class Format>
class Converted final : public StoredMatrix<Exec, A, Offset> {
 public:
  explicit Converted(Format matrix) : matrix_(std::move(matrix)) {}
  [[nodiscard]] StoredPointers<A> pointers() const override { return matrix_.pointers(); }

  [[nodiscard]] Footprint footprint() const override { return footprint_of_stored(matrix_); }
  [[nodiscard]] StoredValues values() const override { return values_of_stored(matrix_); }
  void update_values(Exec const& exec, PlanSource<Exec, A, Offset> const& source) override {
    using araia::update_values;
    update_values(exec, matrix_, source);
  }

 private:
  Format matrix_;
};

}  // namespace araia::detail
