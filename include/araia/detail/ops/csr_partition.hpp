// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What csr/balanced, csr/equal_chunks and csr/merge_split must know of a matrix: found once, then good for every
// product.

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/row_order.hpp>
#include <araia/detail/formats/written_out.hpp>
#include <araia/detail/kernels/csr_partition.hpp>
#include <araia/detail/kernels/spmm_tuning.hpp>
#include <araia/detail/kernels/spmv_tuning.hpp>
#include <araia/formats/csr.hpp>

namespace araia {

/// Owns the partition of a Csr in equal chunks and the workspace of one product: two products that overlap in time need
/// one each. Copies share both. Valid while the structure of the matrix is unchanged, whatever its values.
template <class Device>
struct CsrPartition {
  CsrCut cut = CsrCut::path;
  std::int64_t rows = 0;
  std::int64_t nnz = 0;
  std::int64_t items = CsrPartitionPointers::chunk_items;  // of a chunk
  std::int64_t carry_bytes = csr_carry_bytes;              // of a carry
  std::int64_t longest_row = 0;                            // of the cut by entries, else 0
  Kokkos::View<std::int32_t const*, Device> first_rows{};  // (chunks + 1)
  Kokkos::View<std::byte*, Device> carries{};              // (chunks * carry_bytes), of SpMM fewer

  [[nodiscard]] std::int64_t chunks() const { return detail::csr_chunks(cut, rows, nnz, items); }

  /// Exact bytes of the arrays as allocated.
  [[nodiscard]] std::uint64_t bytes() const { return first_rows.extent(0) * sizeof(std::int32_t) + carries.extent(0); }

  /// What a CsrSpmvTuning or CsrSpmmTuning takes. Valid while the Views live.
  [[nodiscard]] CsrPartitionPointers pointers() const {
    return {.cut = cut,
            .rows = rows,
            .nnz = nnz,
            .chunks = chunks(),
            .items = items,
            .first_rows = first_rows.data(),
            .carries = carries.data(),
            .carry_bytes = carry_bytes,
            .longest_row = longest_row};
  }
};

namespace detail {

/// \param spmm_bytes  of a row of C, for csr/merge_split; 0: for SpMV
template <class Exec, class Offset>
CsrPartition<typename Exec::device_type> make_csr_partition_here(Exec const& exec, CsrCut cut, std::int64_t rows,
                                                                 std::int64_t nnz, Offset const* row_offsets,
                                                                 std::int64_t items, std::int64_t spmm_bytes) {
  using Device = typename Exec::device_type;
  require_fits<std::int32_t>("araia::partition_rows: rows", rows);
  CsrPartition<Device> partition{.cut = cut, .rows = rows, .nnz = nnz, .items = items};
  auto const chunks = static_cast<std::size_t>(partition.chunks());
  require_fits<std::int32_t>("araia::partition_rows: chunks", partition.chunks());
  std::int64_t carries = partition.chunks();
  if (spmm_bytes > 0) {
    partition.carry_bytes = spmm_bytes;
    carries = csr_spmm_carries(partition.chunks());
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    if (saturating_product(static_cast<std::uint64_t>(carries), static_cast<std::size_t>(spmm_bytes)) > most)
      throw Error(ErrorKind::resource_limit, "araia::partition_rows: " + std::to_string(carries) + " carries of " +
                                                 std::to_string(spmm_bytes) + " bytes, the limit is 2^63 - 1 bytes");
  }
  auto const first_rows =
      new_view<Kokkos::View<std::int32_t*, Device>>(exec, "araia::csr_partition::first_rows", chunks + 1);
  partition.carries = new_view<Kokkos::View<std::byte*, Device>>(
      exec, "araia::csr_partition::carries",
      static_cast<std::size_t>(carries) * static_cast<std::size_t>(partition.carry_bytes));
  find_first_rows(exec, cut, rows, nnz, items, row_offsets, first_rows.data());
  partition.first_rows = first_rows;
  if (spmm_bytes > 0) exec.fence("araia::csr_partition: merge_split reads it before work ahead of it has ended");
  if (cut == CsrCut::entries) partition.longest_row = longest_row(exec, rows, row_offsets);
  return partition;
}

template <class Exec, class Offset>
CsrPartition<typename Exec::device_type> make_csr_partition_ready(Exec const& exec, CsrCut cut, std::int64_t rows,
                                                                  std::int64_t nnz, Offset const* row_offsets,
                                                                  std::int64_t items, std::int64_t spmm_bytes);

/// The same, of the library's offsets and spaces what src/dispatch defines.
template <class Exec, class Offset>
CsrPartition<typename Exec::device_type> make_csr_partition(Exec const& exec, CsrCut cut, std::int64_t rows,
                                                            std::int64_t nnz, Offset const* row_offsets,
                                                            std::int64_t items = CsrPartitionPointers::chunk_items,
                                                            std::int64_t spmm_bytes = 0) {
  if constexpr (is_written_out_space<Exec> && is_listed<Offsets, Offset>)
    return make_csr_partition_ready(exec, cut, rows, nnz, row_offsets, items, spmm_bytes);
  else
    return make_csr_partition_here(exec, cut, rows, nnz, row_offsets, items, spmm_bytes);
}

/// Most rows that begin in one chunk. Fences exec. Written out in src/dispatch for the spaces that the library brings.
template <class Exec>
std::int64_t largest_chunk(Exec const& exec,
                           Kokkos::View<std::int32_t const*, typename Exec::device_type> const& first_rows);

}  // namespace detail

/// Cuts A in equal chunks for one of the kernels that need it: balanced or equal_chunks. Put its pointers() into the
/// tuning and keep it alive:
///     auto const partition = partition_rows(exec, A);
///     spmv(exec, Op::none, 1.0, A, x, 0.0, y, {.kernel = CsrSpmvKernel::balanced, .partition = partition.pointers()});
/// \param exec  queue of the work; products are to follow on it, or wait for it
/// \param A     offsets and columns are in place: products of CUDA kernels may read both before work that is queued
///              later has ended, once there is a partition
/// \throws araia::Error invalid_argument for another kernel; resource_limit beyond 2^31 - 1 rows or chunks
/// Cost      O(chunks log rows), chunks of 1024 items, and for equal_chunks O(rows) and a fence; 20 bytes a chunk
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
CsrPartition<typename Exec::device_type> partition_rows(Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A,
                                                        CsrSpmvKernel kernel = CsrSpmvKernel::balanced) {
  static_assert(
      Kokkos::SpaceAccessibility<Exec, typename Csr<Scalar, Ordinal, Offset, Device>::memory_space>::accessible,
      "araia::partition_rows: A must be in memory that exec reaches");
  if (kernel != CsrSpmvKernel::balanced && kernel != CsrSpmvKernel::equal_chunks)
    throw Error(ErrorKind::invalid_argument, std::string("araia::partition_rows: kernel is ") + kernel_name(kernel) +
                                                 ", expected balanced or equal_chunks");
  return detail::make_csr_partition(exec, detail::cut_of(kernel), A.rows, A.nnz, A.pointers().row_offsets);
}

/// The same for csr/merge_split of SpMM, with carries of `columns` columns of C, whose scalars are those of A. Products
/// of more columns go a slice of so many at a time. Cost  O(chunks log rows), chunks of 16 to 256 items (fewer the more
/// lanes the columns take); 4 bytes a chunk and a row of C for eight of them; fences exec
/// \throws araia::Error invalid_argument for another kernel or no columns; resource_limit beyond 2^31 - 1 rows or
///         chunks, or 2^63 - 1 bytes of carries
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
CsrPartition<typename Exec::device_type> partition_rows(Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A,
                                                        CsrSpmmKernel kernel, std::int64_t columns) {
  static_assert(
      Kokkos::SpaceAccessibility<Exec, typename Csr<Scalar, Ordinal, Offset, Device>::memory_space>::accessible,
      "araia::partition_rows: A must be in memory that exec reaches");
  if (kernel != CsrSpmmKernel::merge_split)
    throw Error(ErrorKind::invalid_argument,
                std::string("araia::partition_rows: kernel is ") + kernel_name(kernel) + ", expected merge_split");
  constexpr std::int64_t most_columns = std::numeric_limits<std::int64_t>::max() / sizeof(Scalar);
  if (columns < 1 || columns > most_columns)
    throw Error(ErrorKind::invalid_argument, "araia::partition_rows: columns is " + std::to_string(columns) +
                                                 ", expected 1 to " + std::to_string(most_columns));
  return detail::make_csr_partition(exec, CsrCut::path, A.rows, A.nnz, A.pointers().row_offsets,
                                    detail::csr_spmm_chunk_items(A.rows, A.nnz, columns, sizeof(Scalar)),
                                    columns * static_cast<std::int64_t>(sizeof(Scalar)));
}

}  // namespace araia
