// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packs a Csr for csr/column_steps, alone and for plans.

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/dispatch/cuda_csr_steps.hpp>
#include <string>

#include "backends/cuda/lib/bound_packing.hpp"
#include "backends/cuda/spmv/csr_column_steps/descriptor.hpp"
#include "backends/cuda/spmv/csr_column_steps/kernel.hpp"
#include "src/dispatch/cuda_arrays.hpp"

namespace araia::detail {
namespace {

constexpr char const* steps_where = "araia::csr_to_steps";

/// What the first half of the packing says of the second.
struct StepSizes {
  std::int64_t step_bytes = 0;
  std::int64_t slots = 0;

  [[nodiscard]] std::uint64_t bytes(std::size_t value_bytes) const {
    return static_cast<std::uint64_t>(step_bytes) + static_cast<std::uint64_t>(slots) * value_bytes;
  }
};

/// First half: the structure without steps. Fences exec.
template <class Scalar, class Offset>
StepSizes count_slices(Kokkos::Cuda const& exec, CsrPointers<Scalar, std::int32_t, Offset> const& a,
                       CsrSteps<Scalar>& packed) {
  constexpr std::int64_t height = CsrStepsPointers<Scalar>::slice_height;
  if (a.nnz == 0) return {};
  if (!a.values) throw Error(ErrorKind::unsupported, std::string(steps_where) + ": a matrix without values");
  if (a.cols >= cuda::csr_steps_most_cols)
    throw Error(ErrorKind::unsupported,
                std::string(steps_where) + ": " + std::to_string(a.cols) + " columns, expected fewer than 2^29");
  packed.slices = (a.rows - 1) / height + 1;
  packed.step_offsets = cuda_array<std::int64_t>(exec, "araia::csr_steps::step_offsets", packed.slices + 1);
  packed.group_offsets = cuda_array<std::int64_t>(exec, "araia::csr_steps::group_offsets", packed.slices + 1);
  packed.bases = cuda_array<std::int32_t>(exec, "araia::csr_steps::bases", packed.slices);
  packed.lengths = cuda_array<std::int32_t>(exec, "araia::csr_steps::lengths", packed.slices * height);
  cuda::csr_steps_count(a, packed.pointers(), exec.cuda_stream());
  std::int64_t steps = 0;
  std::int64_t groups = 0;
  Kokkos::deep_copy(exec, steps, Kokkos::subview(packed.step_offsets, static_cast<std::size_t>(packed.slices)));
  Kokkos::deep_copy(exec, groups, Kokkos::subview(packed.group_offsets, static_cast<std::size_t>(packed.slices)));
  exec.fence("araia::csr_to_steps: the number of steps");
  return {groups * CsrStepsPointers<Scalar>::group_bytes * height, steps * height};
}

}  // namespace

template <class Scalar, class Offset>
CsrSteps<Scalar> pack_steps(Kokkos::Cuda const& exec, CsrPointers<Scalar, std::int32_t, Offset> const& a,
                            std::uint64_t memory_limit) {
  CsrSteps<Scalar> packed{.rows = a.rows, .cols = a.cols, .nnz = a.nnz};
  StepSizes const sizes = count_slices(exec, a, packed);
  if (a.nnz == 0) return packed;
  if (memory_limit != 0)
    require_memory(steps_where,
                   packed.bytes() + sizes.bytes(sizeof(Scalar)) + permutation_bytes(a.row_permutation, a.rows),
                   memory_limit);
  packed.row_permutation = copy_of_permutation(exec, "araia::csr_steps::row_permutation", a.row_permutation, a.rows);
  packed.steps = cuda_array<std::uint8_t>(exec, "araia::csr_steps::steps", sizes.step_bytes);
  packed.values = cuda_array<Scalar>(exec, "araia::csr_steps::values", sizes.slots);
  cuda::csr_steps_fill(a, packed.pointers(), exec.cuda_stream());
  return packed;
}

template <class Scalar, class Offset>
CsrStepsSize count_steps(Kokkos::Cuda const& exec, CsrPointers<Scalar, std::int32_t, Offset> const& a) {
  CsrSteps<Scalar> packed{.rows = a.rows, .cols = a.cols, .nnz = a.nnz};
  StepSizes const sizes = count_slices(exec, a, packed);
  std::uint64_t const permutation = a.nnz != 0 ? permutation_bytes(a.row_permutation, a.rows) : 0;
  return {packed.bytes() + sizes.bytes(sizeof(Scalar)) + permutation, sizes.slots};
}

template <class Scalar, class Offset>
void fill_steps(Kokkos::Cuda const& exec, CsrSteps<Scalar> const& packed,
                CsrPointers<Scalar, std::int32_t, Offset> const& a) {
  if (packed.rows != a.rows || packed.cols != a.cols || packed.nnz != a.nnz || (a.nnz != 0 && !a.values))
    throw Error(ErrorKind::dimension_mismatch,
                "araia::update_values: A is not of the structure that the CsrSteps were made from");
  if (a.nnz != 0) cuda::csr_steps_fill(a, packed.pointers(), exec.cuda_stream());
}

template <class A>
template <class X>
void PackedSpmv<CsrStepsPointers<A>>::run(Pointers const& a, X alpha, X const* x, X beta, X* y, cudaStream_t stream) {
  cuda::csr_spmv_column_steps(a, alpha, x, beta, y, stream);
}

[[gnu::used]] static void write_out_cuda_steps() {
  for_types<RealProducts>(
      [&]<class A, class X, class Y>() { write_out(PackedSpmv<CsrStepsPointers<A>>::template run<X>); });
  for_types<Reals, AllOffsets>([&]<class A, class F>() {
    write_out(pack_steps<A, F>);
    write_out(count_steps<A, F>);
    write_out(fill_steps<A, F>);
  });
  write_out_bindings<kernels::CsrColumnStepsSpmv>();
}

}  // namespace araia::detail

namespace araia::kernels {

template <detail::RealBound Bound, class Exec, class Source, class Options>
std::shared_ptr<Bound> CsrColumnStepsSpmv::bind(Exec const& exec, Source const& source, Choice const&,
                                                Options const& options) {
  return detail::BoundPackingOf<Bound>::of(csr_to_steps(exec, source, options.memory_limit));
}

template <detail::RealBound Bound, class Exec, class Source, class Options>
Footprint CsrColumnStepsSpmv::count(Exec const& exec, Source const& source, Choice const&, Options const&) {
  auto const size = detail::count_steps(exec, source.pointers());
  return {.bytes = size.bytes, .slots = size.stored, .exact = true};
}

}  // namespace araia::kernels
