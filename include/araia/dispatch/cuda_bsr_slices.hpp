// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Bsr packed in slices for the CUDA backend's bsr/slices, and its product: what a plan holds, and who calls spmv once
// packs. Without CUDA there is no owner, and the product answers `unsupported`.

#include <cstdint>

#include <araia/dispatch/bsr.hpp>
#include <araia/dispatch/cuda_kernels.hpp>
#include <araia/formats/bsr.hpp>

namespace araia {

#ifdef KOKKOS_ENABLE_CUDA
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

// Defined in src/dispatch/cuda_kernels.cpp, for the scalars and offsets of CudaKernels.
template <class Scalar, class Offset>
BsrSlices<Scalar> pack_slices(Kokkos::Cuda const& exec, BsrPointers<Scalar, std::int32_t, Offset> const& a,
                              std::uint64_t memory_limit);
template <class Scalar, class Offset>
void fill_slices(Kokkos::Cuda const& exec, BsrSlices<Scalar> const& packed,
                 BsrPointers<Scalar, std::int32_t, Offset> const& a);

template <class Scalar>
struct SpmvTuningOf<BsrSlices<Scalar>> {
  using type = BsrSpmvTuning;
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
#endif

namespace detail {

template <class Exec, class S, class X, class Y>
bool supports(Exec const&, BsrSpmvKernel kernel, Op op, BsrSlicesPointers<S> const&, DenseVector<X const> const& x,
              DenseVector<Y> const& y) {
  if constexpr (is_cuda_space<Exec> && CudaKernels<S, std::int32_t, std::int32_t, X, Y>::slices)
    return (kernel == BsrSpmvKernel::automatic || kernel == BsrSpmvKernel::slices) && op == Op::none && x.stride == 1 &&
           y.stride == 1;
  return false;
}

template <class Exec, class S, class X, class Y>
void spmv_pointers(Exec const& exec, BsrSpmvTuning const& tuning, Op op, accumulator_t<Y> alpha,
                   BsrSlicesPointers<S> const& a, DenseVector<X const> const& x, accumulator_t<Y> beta,
                   DenseVector<Y> const& y) {
  if (!supports(exec, tuning.kernel, op, a, x, y))
    throw_unsupported("araia::spmv: bsr/slices does not run this product (kernel, operation, types or strides)");
  if (alpha == accumulator_t<Y>{} || a.blocks == 0) return scale_dense(exec, beta, y);
  if constexpr (is_cuda_space<Exec> && CudaKernels<S, std::int32_t, std::int32_t, X, Y>::slices)
    CudaKernels<S, std::int32_t, std::int32_t, X, Y>::spmv(a, alpha, x.data, beta, y.data, exec.cuda_stream());
}

template <class Exec, class S, class X, class Y>
void spmm_pointers(Exec const&, BsrSpmmTuning const&, Op, accumulator_t<Y>, BsrSlicesPointers<S> const&,
                   DenseMatrix<X const> const&, accumulator_t<Y>, DenseMatrix<Y> const&) {
  throw_unsupported("araia::spmm: bsr/slices has no product of several columns");
}

}  // namespace detail
}  // namespace araia
