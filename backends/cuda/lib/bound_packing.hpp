// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A matrix packed for one kernel of SpMV behind Bound: what the descriptors of such kernels bind.

#include <cstdint>
#include <memory>
#include <utility>

#include <araia/detail/dispatch/cuda_packed_spmv.hpp>
#include <araia/extend/kernel.hpp>
#include "src/plan/converted.hpp"

namespace araia::detail {

/// \tparam Packed  owns the packing: pointers() of a PackedSpmv, bytes(), stored(), and update_values(exec, packed, A)
template <class Exec, class A, class X, class Offset, class Packed>
class BoundPacking final : public Bound<Exec, SpmvDesc, A, X, X, Offset> {
 public:
  using Base = Bound<Exec, SpmvDesc, A, X, X, Offset>;
  explicit BoundPacking(Packed packed) : packed_(std::move(packed)) {}
  void run(Exec const& exec, X alpha, DenseVector<X const> const& x, X beta, DenseVector<X> const& y) const override {
    using Product = PackedSpmv<decltype(packed_.pointers())>;
    Product::template run<X>(packed_.pointers(), alpha, x.data, beta, y.data, exec.cuda_stream());
  }
  void update_values(Exec const& exec, typename Base::Source const& source) override {
    using araia::update_values;
    update_values(exec, packed_, source);
  }
  [[nodiscard]] std::uint64_t bytes() const override { return packed_.bytes(); }
  [[nodiscard]] BoundValues values() const override {
    auto const all = values_of_stored(packed_);
    auto const footprint = footprint_of_stored(packed_);
    return {all.data, all.bytes, footprint.slots, footprint.pieces};
  }

 private:
  Packed packed_;
};

/// The packing behind the Bound that a plan asks for.
template <class Own>
struct BoundPackingOf;
template <class Exec, class A, class X, class Offset>
struct BoundPackingOf<Bound<Exec, SpmvDesc, A, X, X, Offset>> {
  static constexpr int vector_bytes = sizeof(X);
  template <class Packed>
  static std::shared_ptr<Bound<Exec, SpmvDesc, A, X, X, Offset>> of(Packed packed) {
    return std::make_shared<BoundPacking<Exec, A, X, Offset, Packed>>(std::move(packed));
  }
};

/// Writes out bind and count of a descriptor, for all plans on Kokkos::Cuda whose numbers are real.
template <class Descriptor>
void write_out_bindings() {
  for_types<RealProducts, Offsets>([&]<class A, class X, class Y, class Offset>() {
    using Own = Bound<Kokkos::Cuda, SpmvDesc, A, X, Y, Offset>;
    write_out(Descriptor::template bind<Own, Kokkos::Cuda, typename Own::Source, BindOptions>);
    write_out(Descriptor::template count<Own, Kokkos::Cuda, typename Own::Source, BindOptions>);
  });
}

}  // namespace araia::detail
