// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A Csr packed for one number of columns: the CUDA backend's padded_rows, row_groups, jammed, lockstep and
// tensor_tiles.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <araia/dispatch/held_spmm.hpp>
#include <araia/kernels/short_rows.hpp>
#include <araia/precision.hpp>

#ifdef KOKKOS_ENABLE_CUDA
namespace araia::detail {

/// How a Csr is packed.
struct PackedCsrOptions {
  Precision precision = Precision::native;
  std::string kernel{};            ///< as kernel_name() gives it; empty: by the rule, from sizes and what rows share
  bool keep_sources = false;       ///< 4 bytes a slot that make update_values one gather
  std::uint64_t memory_limit = 0;  ///< bytes; 0: half of the device's memory
};

/// One kernel's packing by the rule: what it would take.
struct PackedCsrEstimate {
  std::string kernel;
  double seconds = 0;          ///< of a product
  double packing_seconds = 0;  ///< on the host, copies included
  std::uint64_t bytes = 0;     ///< on the device, without padding
};

/// What a plan holds. The kernel and its shape come by rule, from the matrix's size and density, what neighbouring rows
/// share, and the device: rows padded, rows in groups that share reads of B, or (float) groups of rows with columns
/// sorted by pattern, rows of like length side by side, or, where a lower precision is opted into, tiles for the tensor
/// cores. A kernel of more precision may be the faster one. The product allocates nothing, does not synchronise and can
/// be captured. row_groups, jammed and tensor_tiles make sums that are not finite again, entry by entry, from A's
/// structure, which they share, and from a copy of its values, which is theirs: products see the values of packing or
/// of the last update_values, whatever becomes of A's array. Where row_groups has cut long rows, its products share a
/// workspace: one at a time.
template <class Scalar, class Offset>
class CudaPackedCsr final : public HeldSpmm<Scalar> {
 public:
  using Matrix = CsrPointers<Scalar, std::int32_t, Offset>;

  /// Packs on the host; waits for exec.
  /// \param a  on the device; its row_permutation outlives this object, and with row_groups, jammed and tensor_tiles
  ///           its row_offsets and col_indices do
  /// \throws araia::Error unsupported where supports_precision() says no or the kernel does not run such a product;
  ///         resource_limit
  CudaPackedCsr(Kokkos::Cuda const& exec, Matrix const& a, std::int64_t columns, PackedCsrOptions const& options = {});

  /// Native always; the others for float, on devices and in builds of compute capability 9.0.
  static bool supports_precision(Kokkos::Cuda const& exec, Precision precision);

  /// Every kernel that runs the product, padded_rows first.
  /// \param shared   entries a nonempty column of blocks of four rows; 1 where that is not known
  static std::vector<PackedCsrEstimate> estimates(Kokkos::Cuda const& exec, std::int64_t rows, std::int64_t cols,
                                                  std::int64_t nnz, std::int64_t columns, Precision precision,
                                                  double shared, LongRows const& rows_beyond);

  [[nodiscard]] bool supports(DenseMatrix<Scalar const> const& b, DenseMatrix<Scalar> const& c) const override;
  void spmm(Kokkos::Cuda const& exec, Scalar alpha, DenseMatrix<Scalar const> const& b, Scalar beta,
            DenseMatrix<Scalar> const& c) const override;
  /// Are sums that are not finite made again from the structure that was packed? It must live as long, then.
  [[nodiscard]] bool keeps_structure() const;
  /// All kernels but row_groups.
  [[nodiscard]] bool stores_epilogue() const override;
  /// padded_rows launches once for a batch, the others once an item.
  void spmm_in_store(Kokkos::Cuda const& exec, Scalar alpha, DenseBatch<Scalar const> const& b, Scalar beta,
                     DenseBatch<Scalar> const& c, EpiloguePointers<Scalar> const& epilogue) const override;

  /// Takes the values of A, of the structure that this was packed from, to where they lie: captured products see them.
  /// With keep_sources one kernel, asynchronous on exec; else packs again on the host and waits for exec.
  void update_values(Kokkos::Cuda const& exec, Matrix const& a);

  /// "padded_rows", "row_groups", "jammed", "lockstep" or "tensor_tiles"
  [[nodiscard]] char const* kernel_name() const;
  [[nodiscard]] Precision precision() const;  ///< that of the kernel: at least what was asked for
  [[nodiscard]] std::uint64_t bytes() const;  ///< on the device, A's structure apart
  [[nodiscard]] std::int64_t stored() const;  ///< values, padding included
  /// Values where they lie by themselves, padding included; null where columns lie between them.
  [[nodiscard]] Scalar* values() const;

 private:
  struct Packing;
  Matrix a_;
  std::int64_t columns_;
  std::shared_ptr<Packing> packing_;
};

}  // namespace araia::detail
#endif
