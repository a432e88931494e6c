// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The matrix of a kernel that is bound (Runs::where_bound), behind StoredMatrix.

#include <cstdint>
#include <memory>
#include <utility>

#include <araia/error.hpp>
#include "src/plan/stored.hpp"

namespace araia::detail {

/// \tparam Own  a Bound
template <class Exec, class A, class Offset, class Own>
class BoundMatrix final : public StoredMatrix<Exec, A, Offset> {
 public:
  /// \param shares  it reads the source's own arrays, whose bytes count too
  BoundMatrix(std::shared_ptr<Own> own, PlanSource<Exec, A, Offset> const& source, bool shares)
      : own_(std::move(own)), nnz_(source.nnz), shared_bytes_(shares ? source.bytes() : 0) {}
  [[nodiscard]] StoredPointers<A> pointers() const override {
    throw Error(ErrorKind::internal, "araia::Plan: the matrix of a bound kernel has no pointers");
  }
  [[nodiscard]] Footprint footprint() const override {
    auto const slots = own_->values().slots;
    return {.bytes = own_->bytes() + shared_bytes_, .slots = slots > 0 ? slots : nnz_, .exact = true};
  }
  [[nodiscard]] StoredValues values() const override {
    auto const kept = own_->values();
    return {kept.data, kept.bytes};
  }
  [[nodiscard]] void const* own() const override { return own_.get(); }
  void update_values(Exec const& exec, PlanSource<Exec, A, Offset> const& source) override {
    own_->update_values(exec, source);
  }

 private:
  std::shared_ptr<Own> own_;
  std::int64_t nnz_;
  std::uint64_t shared_bytes_;
};

}  // namespace araia::detail
