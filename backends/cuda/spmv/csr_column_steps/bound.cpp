// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// csr/column_steps as plans bind it.
#include <utility>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/extend/kernel.hpp>
#include "backends/cuda/lib/device_arrays.hpp"
#include "backends/cuda/lib/spmv_bindings.hpp"
#include "backends/cuda/spmv/csr_column_steps/descriptor.hpp"
#include "backends/cuda/spmv/csr_column_steps/kernel.hpp"

namespace araia::cuda {
namespace {

/// A packing with its arrays.
template <class A>
struct OwnedSteps {
  CsrSteps<A> steps{};
  DeviceArrays arrays{"araia::csr_steps::"};
  std::int64_t step_bytes = 0;
  std::int64_t slots = 0;

  /// Of what the second half of the packing makes.
  [[nodiscard]] std::uint64_t bytes_to_fill() const {
    return static_cast<std::uint64_t>(step_bytes) + static_cast<std::uint64_t>(slots) * sizeof(A);
  }
};

/// First half of the packing: the structure without steps. Fences exec.
template <class A, class Offset>
OwnedSteps<A> count_steps(Kokkos::Cuda const& exec, CsrPointers<A, std::int32_t, Offset> const& a) {
  constexpr std::int64_t height = CsrSteps<A>::slice_height;
  OwnedSteps<A> packed;
  if (a.nnz == 0) return packed;
  auto& [steps, arrays, step_bytes, slots] = packed;
  steps.rows = a.rows;
  steps.slices = (a.rows - 1) / height + 1;
  steps.row_permutation = arrays.copy(exec, "row_permutation", a.row_permutation, a.rows);
  steps.step_offsets = arrays.template make<std::int64_t>(exec, "step_offsets", steps.slices + 1);
  steps.group_offsets = arrays.template make<std::int64_t>(exec, "group_offsets", steps.slices + 1);
  steps.bases = arrays.template make<std::int32_t>(exec, "bases", steps.slices);
  steps.lengths = arrays.template make<std::int32_t>(exec, "lengths", steps.slices * height);
  csr_steps_count(a, steps, exec.cuda_stream());
  constexpr char const* reading = "araia::csr_steps: sizes of the packing";
  slots = detail::value_at(exec, reading, steps.step_offsets + steps.slices) * height;
  step_bytes = detail::value_at(exec, reading, steps.group_offsets + steps.slices) * CsrSteps<A>::group_bytes * height;
  return packed;
}

template <class A, class Offset>
OwnedSteps<A> pack_steps(Kokkos::Cuda const& exec, CsrPointers<A, std::int32_t, Offset> const& a,
                         std::uint64_t memory_limit) {
  auto packed = count_steps(exec, a);
  auto& [steps, arrays, step_bytes, slots] = packed;
  detail::require_memory("araia::make_plan: csr/column_steps", arrays.bytes() + packed.bytes_to_fill(), memory_limit);
  steps.steps = arrays.template make<std::uint8_t>(exec, "steps", step_bytes);
  steps.values = arrays.template make<A>(exec, "values", slots);
  csr_steps_fill(a, steps, exec.cuda_stream());
  return packed;
}

template <class Own>
class BoundSteps final : public Own {
 public:
  using Source = typename Own::Source;
  using Sum = typename Own::Sum;
  using A = typename Source::pointers_type::value_type;

  explicit BoundSteps(OwnedSteps<A> packed) : packed_(std::move(packed)) {}

  void run(Kokkos::Cuda const& exec, Sum alpha, typename Own::Operand const& x, Sum beta,
           typename Own::Result const& y) const override {
    csr_spmv_column_steps(packed_.steps, alpha, x.data, beta, y.data, exec.cuda_stream());
  }
  void update_values(Kokkos::Cuda const& exec, Source const& source) override {
    csr_steps_fill(source.pointers(), packed_.steps, exec.cuda_stream());
  }
  [[nodiscard]] std::uint64_t bytes() const override { return packed_.arrays.bytes(); }
  [[nodiscard]] BoundValues values() const override {
    return {packed_.steps.values, static_cast<std::uint64_t>(packed_.slots) * sizeof(A), packed_.slots};
  }

 private:
  OwnedSteps<A> packed_;
};

}  // namespace

[[gnu::used]] static void write_out_bound_steps() { write_out_spmv_bindings<kernels::CsrColumnStepsSpmv>(); }

}  // namespace araia::cuda

namespace araia::kernels {

template <detail::RealBound Bound, class Exec, class Source, class Options>
std::shared_ptr<Bound> CsrColumnStepsSpmv::bind(Exec const& exec, Source const& source, Choice const&,
                                                Options const& options) {
  return std::make_shared<cuda::BoundSteps<Bound>>(cuda::pack_steps(exec, source.pointers(), options.memory_limit));
}

template <detail::RealBound Bound, class Exec, class Source, class Options>
Footprint CsrColumnStepsSpmv::count(Exec const& exec, Source const& source, Choice const&, Options const&) {
  auto const packed = cuda::count_steps(exec, source.pointers());
  return {.bytes = packed.arrays.bytes() + packed.bytes_to_fill(), .slots = packed.slots, .exact = true};
}

}  // namespace araia::kernels
