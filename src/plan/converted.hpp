// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A matrix of any format behind StoredMatrix.

#include <memory>
#include <utility>

#include <araia/detail/formats/conversions.hpp>
#include "src/plan/stored.hpp"

namespace araia::detail {

/// A matrix of a format of its own.
template <class Exec, class A, class Offset, class Format>
class Converted final : public StoredMatrix<Exec, A, Offset> {
 public:
  explicit Converted(Format matrix) : matrix_(std::move(matrix)) {}
  [[nodiscard]] StoredPointers<A> pointers() const override { return matrix_.pointers(); }
  [[nodiscard]] Footprint footprint() const override {
    Footprint f{.bytes = matrix_.bytes(), .slots = matrix_.stored(), .exact = true};
    if constexpr (requires { matrix_.block_columns; })
      f.pieces = matrix_.block_columns;
    else if constexpr (requires { matrix_.blocks; })
      f.pieces = matrix_.blocks;
    if constexpr (requires { matrix_.tail; }) f.tail = matrix_.tail.nnz;
    return f;
  }
  [[nodiscard]] StoredValues values() const override {
    auto const of = [](auto const& view) { return StoredValues{view.data(), view.span() * sizeof(*view.data())}; };
    if constexpr (requires { matrix_.tail; })
      return matrix_.ell.values.span() > 0 ? of(matrix_.ell.values) : of(matrix_.tail.values);
    else
      return of(matrix_.values);
  }
  void update_values(Exec const& exec, PlanSource<Exec, A, Offset> const& source) override {
    using araia::update_values;
    update_values(exec, matrix_, source);
  }

 private:
  Format matrix_;
};

}  // namespace araia::detail
