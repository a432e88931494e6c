// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The dense matrix, multiplied by cuBLAS: what pruned matrices must beat, and where they do not, what a plan may hold.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <memory>

#include <araia/dispatch/held_spmm.hpp>
#include <araia/precision.hpp>

#ifdef KOKKOS_ENABLE_CUDA
namespace araia::detail {

/// Built with Araia_ENABLE_CUBLAS?
[[nodiscard]] bool has_cublas();

struct DenseEstimate {
  double seconds = 0;             ///< of a product
  double conversion_seconds = 0;  ///< a pass over the matrix
  std::uint64_t bytes = 0;        ///< matrix and workspace
};

/// \param scalar_bytes  4 or 8. With 8, and where the precision does not allow TF32, products are of the
///                      type's own precision.
DenseEstimate estimate_dense(std::int64_t rows, std::int64_t cols, std::int64_t columns, int scalar_bytes,
                             Precision precision);

/// A as a dense row-major matrix, duplicates summed, with a workspace of cuBLAS. Products multiply zeros, so an
/// infinity or NaN in B reaches every row of C. Where TF32 is allowed cuBLAS may cut operands to 11 bits where it
/// should round them: 2^-9 a product, within the bound of tf32 for rows of two entries or more. The product allocates
/// nothing, does not synchronise and can be captured; products of one object share its workspace and must not run at
/// the same time.
template <class Scalar>
class CudaDense final : public HeldSpmm<Scalar> {
 public:
  using Matrix = CsrPointers<Scalar, std::int32_t, std::int32_t>;

  /// \param a  on the device; exec reads it, perhaps after the return, and no product does
  /// \param memory_limit  bytes; 0: half of the device's memory
  /// \throws araia::Error unsupported in a build without cuBLAS; resource_limit; device
  CudaDense(Kokkos::Cuda const& exec, Matrix const& a, std::int64_t columns, Precision precision,
            std::uint64_t memory_limit = 0);
  ~CudaDense() override;
  CudaDense(CudaDense const&) = delete;
  CudaDense& operator=(CudaDense const&) = delete;

  [[nodiscard]] bool supports(DenseMatrix<Scalar const> const& b, DenseMatrix<Scalar> const& c) const override;
  void spmm(Kokkos::Cuda const& exec, Scalar alpha, DenseMatrix<Scalar const> const& b, Scalar beta,
            DenseMatrix<Scalar> const& c) const override;

  /// Takes the values of A, of the structure that this was made from. Asynchronous on exec, two kernels; as long as the
  /// longest row takes.
  void update_values(Kokkos::Cuda const& exec, Matrix const& a);

  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] std::int64_t stored() const;
  [[nodiscard]] Scalar* values() const;

 private:
  struct Library;
  Matrix a_;
  std::int64_t columns_;
  Precision precision_;
  Kokkos::View<Scalar*, Kokkos::CudaSpace> matrix_;  // (rows, cols)
  std::unique_ptr<Library> library_;
};

}  // namespace araia::detail
#endif
