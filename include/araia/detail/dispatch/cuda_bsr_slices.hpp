// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Bsr packed in slices for the CUDA backend's bsr/slices: what a plan holds, and who calls spmv once packs. Without
// CUDA there is none.

#include <cstdint>

#include <araia/detail/dispatch/cuda_packed_spmv.hpp>
#include <araia/detail/kernels/bsr_tuning.hpp>
#include <araia/formats/bsr.hpp>

#ifdef KOKKOS_ENABLE_CUDA
namespace araia {

/// Owns square blocks of 2 to 4 in slices of 32 block rows, sorted by length inside 512: another arrangement of a Bsr
/// for products alone, not a format. Operand of spmv, Op::none, x and y contiguous. Fill counts as stored, as in Bsr.
template <class Scalar>
struct BsrSlices {
  using value_type = Scalar;
  using ordinal_type = std::int32_t;
  using execution_space = Kokkos::Cuda;
  using device_type = Kokkos::Cuda::device_type;
  using memory_space = device_type::memory_space;
  static constexpr char const* format_name = "bsr_slices";

  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t blocks = 0;  // padding not counted
  std::int64_t slices = 0;
  int block_size = 1;                                       // rows and columns of a block
  Kokkos::View<std::int64_t*, device_type> step_offsets{};  // as BsrSlicesPointers says
  Kokkos::View<std::int64_t*, device_type> column_offsets{};
  Kokkos::View<std::int32_t*, device_type> block_rows{};
  Kokkos::View<std::int32_t*, device_type> lengths{};
  Kokkos::View<std::int32_t*, device_type> bases{};
  Kokkos::View<std::uint8_t*, device_type> columns{};
  Kokkos::View<Scalar*, device_type> values{};

  /// Elements kept in memory, fill and padding included.
  [[nodiscard]] std::int64_t stored() const { return static_cast<std::int64_t>(values.extent(0)); }

  /// Exact bytes of the arrays as allocated.
  [[nodiscard]] std::uint64_t bytes() const {
    return (step_offsets.extent(0) + column_offsets.extent(0)) * sizeof(std::int64_t) +
           (block_rows.extent(0) + lengths.extent(0) + bases.extent(0)) * sizeof(std::int32_t) + columns.extent(0) +
           values.extent(0) * sizeof(Scalar);
  }

  /// What the kernel takes. Valid while the Views live.
  [[nodiscard]] BsrSlicesPointers<Scalar> pointers() const {
    return {.rows = rows,
            .cols = cols,
            .blocks = blocks,
            .slices = slices,
            .block_size = block_size,
            .step_offsets = step_offsets.data(),
            .column_offsets = column_offsets.data(),
            .block_rows = block_rows.data(),
            .lengths = lengths.data(),
            .bases = bases.data(),
            .columns = columns.data(),
            .values = values.data()};
  }
};

namespace detail {

// Defined in backends/cuda/spmv/bsr_slices/bound.cpp, for the scalars and offsets of CudaKernels.
template <class Scalar, class Offset>
BsrSlices<Scalar> pack_slices(Kokkos::Cuda const& exec, BsrPointers<Scalar, std::int32_t, Offset> const& a,
                              std::uint64_t memory_limit);
template <class Scalar, class Offset>
void fill_slices(Kokkos::Cuda const& exec, BsrSlices<Scalar> const& packed,
                 BsrPointers<Scalar, std::int32_t, Offset> const& a);

template <class Scalar>
struct SpmvTuningOf<BsrSlicesPointers<Scalar>> {
  using type = BsrSpmvTuning;
};

template <class Scalar>
struct PackedSpmv<BsrSlicesPointers<Scalar>> {
  using Pointers = BsrSlicesPointers<Scalar>;
  static constexpr char const* name = "bsr/slices";
  static bool is_empty(Pointers const& a) { return a.blocks == 0; }
  static bool is_for(Pointers const&, int) { return true; }
  template <class X>
  static void run(Pointers const& a, X alpha, X const* x, X beta, X* y, cudaStream_t stream);
};

}  // namespace detail

/// Packs A, which is not needed any more afterwards but for update_values. Scalars float and double.
/// \param memory_limit  bytes of the result; 0: no limit
/// \throws araia::Error unsupported for other blocks than 2 x 2, 3 x 3 and 4 x 4, a pattern, 2^29 columns or more;
///         resource_limit naming need and limit
/// Cost      O(stored + 512 block rows); allocates the result; fences exec
template <class Scalar, class Offset, class Device>
BsrSlices<std::remove_const_t<Scalar>> bsr_to_slices(Kokkos::Cuda const& exec,
                                                     Bsr<Scalar, std::int32_t, Offset, Device> const& A,
                                                     std::uint64_t memory_limit = 0) {
  static_assert(Kokkos::SpaceAccessibility<Kokkos::Cuda, typename Device::memory_space>::accessible,
                "araia::bsr_to_slices: A must be in memory that exec reaches");
  return detail::pack_slices(exec, A.pointers(), memory_limit);
}

/// Takes the values of A, of the structure that B was packed from. Asynchronous on exec, no allocation.
/// \throws araia::Error dimension_mismatch where the sizes say that it is another structure
template <class Scalar, class AScalar, class Offset, class Device>
void update_values(Kokkos::Cuda const& exec, BsrSlices<Scalar> const& B,
                   Bsr<AScalar, std::int32_t, Offset, Device> const& A) {
  detail::fill_slices(exec, B, A.pointers());
}

}  // namespace araia
#endif
