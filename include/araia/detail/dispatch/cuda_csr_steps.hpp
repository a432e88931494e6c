// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Csr packed by steps along its rows for the CUDA backend's csr/column_steps: what a plan holds, and who calls spmv
// once packs. Without CUDA there is none.

#include <cstdint>

#include <araia/detail/dispatch/cuda_packed_spmv.hpp>
#include <araia/detail/formats/csr_steps_pointers.hpp>

#ifdef KOKKOS_ENABLE_CUDA
namespace araia {

/// Owns a Csr in slices of rows whose columns are steps of 10 bits from the column before: another arrangement for
/// products with rows of like length and neighbouring columns, not a format. Operand of spmv, Op::none, x and y
/// contiguous.
template <class Scalar>
struct CsrSteps {
  using value_type = Scalar;
  using ordinal_type = std::int32_t;
  using execution_space = Kokkos::Cuda;
  using device_type = Kokkos::Cuda::device_type;
  using memory_space = device_type::memory_space;
  static constexpr char const* format_name = "csr_steps";
  template <class T>
  using Array = Kokkos::View<T*, device_type>;

  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  std::int64_t slices = 0;
  Array<std::int64_t> step_offsets{};  // as CsrStepsPointers says
  Array<std::int64_t> group_offsets{};
  Array<std::int32_t> bases{};
  Array<std::int32_t> lengths{};
  Kokkos::View<std::int32_t const*, device_type> row_permutation{};
  Array<std::uint8_t> steps{};
  Array<Scalar> values{};

  /// Values kept in memory, padding included.
  [[nodiscard]] std::int64_t stored() const { return static_cast<std::int64_t>(values.extent(0)); }

  /// Exact bytes of the arrays as allocated.
  [[nodiscard]] std::uint64_t bytes() const {
    auto const of = [](auto const&... array) {
      return (std::uint64_t{0} + ... + (array.span() * sizeof(*array.data())));
    };
    return of(step_offsets, group_offsets, bases, lengths, row_permutation, steps, values);
  }

  /// What the kernel takes. Valid while the Views live.
  [[nodiscard]] CsrStepsPointers<Scalar> pointers() const {
    return {.rows = rows,
            .cols = cols,
            .nnz = nnz,
            .slices = slices,
            .step_offsets = step_offsets.data(),
            .group_offsets = group_offsets.data(),
            .bases = bases.data(),
            .lengths = lengths.data(),
            .row_permutation = row_permutation.data(),
            .steps = steps.data(),
            .values = values.data()};
  }
};

namespace detail {

// Defined in backends/cuda/spmv/csr_column_steps/bound.cpp, for the scalars and offsets of CudaKernels.
template <class Scalar, class Offset>
CsrSteps<Scalar> pack_steps(Kokkos::Cuda const& exec, CsrPointers<Scalar, std::int32_t, Offset> const& a,
                            std::uint64_t memory_limit);
/// Bytes of what pack_steps would make, and its values: the symbolic half of it.
struct CsrStepsSize {
  std::uint64_t bytes = 0;
  std::int64_t stored = 0;
};
template <class Scalar, class Offset>
CsrStepsSize count_steps(Kokkos::Cuda const& exec, CsrPointers<Scalar, std::int32_t, Offset> const& a);
template <class Scalar, class Offset>
void fill_steps(Kokkos::Cuda const& exec, CsrSteps<Scalar> const& packed,
                CsrPointers<Scalar, std::int32_t, Offset> const& a);

template <class Scalar>
struct SpmvTuningOf<CsrStepsPointers<Scalar>> {
  using type = CsrSpmvTuning;
};

template <class Scalar>
struct PackedSpmv<CsrStepsPointers<Scalar>> {
  using Pointers = CsrStepsPointers<Scalar>;
  static constexpr char const* name = "csr/column_steps";
  static bool is_empty(Pointers const& a) { return a.nnz == 0; }
  static bool is_for(Pointers const&, int) { return true; }
  template <class X>
  static void run(Pointers const& a, X alpha, X const* x, X beta, X* y, cudaStream_t stream);
};

}  // namespace detail

/// Packs A, which is not needed any more afterwards but for update_values. Scalars float and double.
/// \param memory_limit  bytes of the result; 0: no limit
/// \throws araia::Error unsupported for a pattern or 2^29 columns or more; resource_limit naming need and limit
/// Cost      O(nnz), of a row whose columns do not ascend the square of its length; allocates the result; fences exec
template <class Scalar, class Offset, class Device>
CsrSteps<std::remove_const_t<Scalar>> csr_to_steps(Kokkos::Cuda const& exec,
                                                   Csr<Scalar, std::int32_t, Offset, Device> const& A,
                                                   std::uint64_t memory_limit = 0) {
  static_assert(Kokkos::SpaceAccessibility<Kokkos::Cuda, typename Device::memory_space>::accessible,
                "araia::csr_to_steps: A must be in memory that exec reaches");
  static_assert(
      std::is_same_v<std::remove_const_t<Scalar>, float> || std::is_same_v<std::remove_const_t<Scalar>, double>,
      "araia::csr_to_steps: values must be float or double");
  return detail::pack_steps(exec, A.pointers(), memory_limit);
}

/// Takes the values of A, of the structure that B was packed from. Asynchronous on exec, one kernel, no allocation.
/// \throws araia::Error dimension_mismatch where the sizes say that it is another structure
template <class Scalar, class AScalar, class Offset, class Device>
requires std::is_same_v<std::remove_const_t<AScalar>, Scalar>
void update_values(Kokkos::Cuda const& exec, CsrSteps<Scalar> const& B,
                   Csr<AScalar, std::int32_t, Offset, Device> const& A) {
  detail::fill_steps(exec, B, A.pointers());
}

}  // namespace araia
#endif
