// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Door to the CUDA backend's SpMM, for the types it is built for. Absent types answer `exists == false`.

#include <Kokkos_Core.hpp>
#include <araia/Araia_Config.hpp>
#include <cstdint>
#include <memory>

#include <araia/dispatch/cuda_space.hpp>
#include <araia/formats/pointers.hpp>
#include <araia/precision.hpp>

namespace araia::detail {

/// C = alpha A B + beta C from CSR as it is: no packing, no allocation.
template <class Scalar, class Ordinal, class Offset, class X, class Y>
struct CudaSpmm {
  static constexpr bool exists = false;
};

#ifdef KOKKOS_ENABLE_CUDA
#define ARAIA_DECLARE_CUDA_SPMM(T, OFFSET)                                                             \
  template <>                                                                                          \
  struct CudaSpmm<T, std::int32_t, OFFSET, T, T> {                                                     \
    static constexpr bool exists = true;                                                               \
    static bool supports(CsrPointers<T, std::int32_t, OFFSET> const& a, DenseMatrix<T const> const& b, \
                         DenseMatrix<T> const& c);                                                     \
    static void spmm(Kokkos::Cuda const& exec, CsrPointers<T, std::int32_t, OFFSET> const& a, T alpha, \
                     DenseMatrix<T const> const& b, T beta, DenseMatrix<T> const& c);                  \
  };
ARAIA_DECLARE_CUDA_SPMM(double, std::int32_t)
ARAIA_DECLARE_CUDA_SPMM(double, std::int64_t)
#ifndef ARAIA_TYPES_MINIMAL
ARAIA_DECLARE_CUDA_SPMM(float, std::int32_t)
ARAIA_DECLARE_CUDA_SPMM(float, std::int64_t)
#endif
#undef ARAIA_DECLARE_CUDA_SPMM

/// A matrix packed for one number of columns: what a plan holds. The kernel and its packing come by rule, from the
/// matrix's size, density and the device: rows padded, or (float) groups of rows with columns sorted by pattern, rows
/// of like length side by side, or, where a lower precision is opted into, tiles for the tensor cores. A kernel of more
/// precision may be the faster one. Immutable after it is made; the product allocates nothing, does not synchronise and
/// can be captured.
template <class Scalar, class Offset>
class CudaPackedSpmm {
 public:
  using Matrix = CsrPointers<Scalar, std::int32_t, Offset>;

  /// Packs on the host; waits for exec. \param a  on the device; its arrays outlive this object
  /// \throws araia::Error unsupported where supports_precision() says no; resource_limit
  CudaPackedSpmm(Kokkos::Cuda const& exec, Matrix const& a, std::int64_t columns,
                 Precision precision = Precision::native);

  /// Native always; the others for float, on devices and in builds of compute capability 9.0.
  static bool supports_precision(Kokkos::Cuda const& exec, Precision precision);

  [[nodiscard]] bool supports(DenseMatrix<Scalar const> const& b, DenseMatrix<Scalar> const& c) const;

  /// C = alpha A B + beta C, for operands that supports() names.
  void operator()(Kokkos::Cuda const& exec, Scalar alpha, DenseMatrix<Scalar const> const& b, Scalar beta,
                  DenseMatrix<Scalar> const& c) const;

  /// "padded_rows", "jammed", "lockstep" or "tensor_tiles"
  [[nodiscard]] char const* kernel_name() const;
  [[nodiscard]] Precision precision() const;  ///< that of the kernel: at least what was asked for
  [[nodiscard]] std::uint64_t bytes() const;  ///< of the packing, on the device

 private:
  struct Packing;
  Matrix a_;
  std::int64_t columns_;
  std::shared_ptr<Packing const> packing_;
};

extern template class CudaPackedSpmm<double, std::int32_t>;
extern template class CudaPackedSpmm<double, std::int64_t>;
#ifndef ARAIA_TYPES_MINIMAL
extern template class CudaPackedSpmm<float, std::int32_t>;
extern template class CudaPackedSpmm<float, std::int64_t>;
#endif
#endif

}  // namespace araia::detail
