// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/assembly/checked.hpp>
#include <araia/assembly/new_view.hpp>
#include <araia/dispatch/cuda_bsr_slices.hpp>
#include <araia/dispatch/cuda_kernels.hpp>
#include <string>

#include "backends/cuda/bsr_spmv_slices.hpp"
#include "backends/cuda/bsr_spmv_warp_per_block_row.hpp"
#include "backends/cuda/csr_spmv_chunk_rows.hpp"
#include "backends/cuda/csr_spmv_equal_chunks.hpp"
#include "backends/cuda/csr_spmv_sub_warp.hpp"
#include "backends/cuda/sell_spmv_rows_per_lane.hpp"

namespace araia::detail {
namespace {

template <class A>
cuda::BsrSlices<A> backend_slices(BsrSlicesPointers<A> const& a) {
  return {a.rows,
          a.cols,
          a.slices,
          a.block_size,
          const_cast<std::int64_t*>(a.step_offsets),
          const_cast<std::int64_t*>(a.column_offsets),
          const_cast<std::int32_t*>(a.block_rows),
          const_cast<std::int32_t*>(a.lengths),
          const_cast<std::int32_t*>(a.bases),
          const_cast<std::uint8_t*>(a.columns),
          const_cast<A*>(a.values)};
}

}  // namespace

static_assert(CsrPartitionPointers::piece_items == cuda::csr_chunk_entries, "a piece of entries is a chunk");

template <class A, class F, class X, class Y>
bool CudaKernels<A, std::int32_t, F, X, Y>::supports(Sell const& a) {
  return cuda::sell_rows_per_lane_supports(a);
}
template <class A, class F, class X, class Y>
bool CudaKernels<A, std::int32_t, F, X, Y>::supports(Bsr const& a) {
  return cuda::bsr_warp_per_block_row_supports(a);
}
template <class A, class F, class X, class Y>
bool CudaKernels<A, std::int32_t, F, X, Y>::supports(Csr const& a) {
  return a.values != nullptr || a.nnz != 0;
}

template <class A, class F, class X, class Y>
void CudaKernels<A, std::int32_t, F, X, Y>::spmv(Sell const& a, Y alpha, X const* x, Y beta, Y* y,
                                                 cudaStream_t stream) {
  cuda::sell_spmv_rows_per_lane(a, {}, alpha, x, beta, y, stream);
}
template <class A, class F, class X, class Y>
void CudaKernels<A, std::int32_t, F, X, Y>::spmv(Bsr const& a, Y alpha, X const* x, Y beta, Y* y, cudaStream_t stream) {
  cuda::bsr_spmv_warp_per_block_row(a, alpha, x, beta, y, stream);
}
template <class A, class F, class X, class Y>
void CudaKernels<A, std::int32_t, F, X, Y>::spmv(BsrSlicesPointers<A> const& a, Y alpha, X const* x, Y beta, Y* y,
                                                 cudaStream_t stream) {
  cuda::bsr_spmv_slices(backend_slices(a), alpha, x, beta, y, stream);
}

template <class A, class F, class X, class Y>
void CudaKernels<A, std::int32_t, F, X, Y>::sub_warp(Csr const& a, bool atomics, Y alpha, X const* x, Y beta, Y* y,
                                                     cudaStream_t stream) {
  cuda::csr_spmv_sub_warp(a, {.atomics = atomics}, alpha, x, beta, y, stream);
}

template <class A, class F, class X, class Y>
void CudaKernels<A, std::int32_t, F, X, Y>::equal_chunks(Csr const& a, CsrPartitionPointers const& p, Y alpha,
                                                         X const* x, Y beta, Y* y, cudaStream_t stream) {
  if (cuda::csr_chunk_rows_suits(a.nnz, p.longest_row))
    return cuda::csr_spmv_chunk_rows(a, p.first_rows, alpha, x, beta, y, stream);
  cuda::csr_spmv_equal_chunks(a, {const_cast<std::int32_t*>(p.first_rows), static_cast<Y*>(p.carries)}, alpha, x, beta,
                              y, stream);
}

template <class Scalar, class Offset>
BsrSlices<Scalar> pack_slices(Kokkos::Cuda const& exec, BsrPointers<Scalar, std::int32_t, Offset> const& a,
                              std::uint64_t memory_limit) {
  using Device = Kokkos::Cuda::device_type;
  BsrSlices<Scalar> packed{.rows = a.rows, .cols = a.cols, .blocks = a.blocks, .block_size = a.block_rows};
  if (a.blocks == 0) return packed;
  if (!cuda::bsr_slices_supports(a))
    throw Error(ErrorKind::unsupported,
                "araia::bsr_to_slices: blocks of " + std::to_string(a.block_rows) + " x " +
                    std::to_string(a.block_cols) + " in a matrix of " + std::to_string(a.cols) +
                    " columns, expected 2 x 2, 3 x 3 or 4 x 4 with values and fewer than 2^29 columns");
  auto const array = [&]<class T>(char const* label, std::int64_t size) {
    return new_view<Kokkos::View<T*, Device>>(exec, label, size);
  };
  packed.slices = cuda::bsr_slice_count(a);
  std::int64_t const lanes = packed.slices * cuda::bsr_slice_height;
  packed.step_offsets = array.template operator()<std::int64_t>("araia::bsr_slices::step_offsets", packed.slices + 1);
  packed.column_offsets =
      array.template operator()<std::int64_t>("araia::bsr_slices::column_offsets", packed.slices + 1);
  packed.block_rows = array.template operator()<std::int32_t>("araia::bsr_slices::block_rows", lanes);
  packed.lengths = array.template operator()<std::int32_t>("araia::bsr_slices::lengths", lanes);
  cuda::bsr_slices_count(a, backend_slices(packed.pointers()), exec.cuda_stream());
  std::int64_t steps = 0;
  std::int64_t column_lines = 0;
  Kokkos::deep_copy(exec, steps, Kokkos::subview(packed.step_offsets, static_cast<std::size_t>(packed.slices)));
  Kokkos::deep_copy(exec, column_lines,
                    Kokkos::subview(packed.column_offsets, static_cast<std::size_t>(packed.slices)));
  exec.fence("araia::bsr_to_slices: the number of steps");
  std::int64_t const column_bytes = column_lines * cuda::bsr_slice_height;
  std::int64_t const slots = steps * cuda::bsr_slice_height;
  std::int64_t const block = std::int64_t{packed.block_size} * packed.block_size;
  if (memory_limit != 0)
    require_memory("araia::bsr_to_slices",
                   packed.bytes() + static_cast<std::uint64_t>(column_bytes) +
                       static_cast<std::uint64_t>(steps) * sizeof(std::int32_t) +
                       static_cast<std::uint64_t>(slots * block) * sizeof(Scalar),
                   memory_limit);
  packed.bases = array.template operator()<std::int32_t>("araia::bsr_slices::bases", steps);
  packed.columns = array.template operator()<std::uint8_t>("araia::bsr_slices::columns", column_bytes);
  packed.values = array.template operator()<Scalar>("araia::bsr_slices::values", slots * block);
  fill_slices(exec, packed, a);
  return packed;
}

template <class Scalar, class Offset>
void fill_slices(Kokkos::Cuda const& exec, BsrSlices<Scalar> const& packed,
                 BsrPointers<Scalar, std::int32_t, Offset> const& a) {
  if (packed.rows != a.rows || packed.cols != a.cols || packed.blocks != a.blocks ||
      packed.block_size != a.block_rows || packed.block_size != a.block_cols || (a.blocks != 0 && !a.values))
    throw Error(ErrorKind::dimension_mismatch,
                "araia::update_values: A is not of the structure that the BsrSlices were made from");
  if (a.blocks != 0) cuda::bsr_slices_fill(a, backend_slices(packed.pointers()), exec.cuda_stream());
}

[[gnu::used]] static void write_out_cuda_kernels() {
  for_types<RealProducts, AllOffsets>([&]<class A, class X, class Y, class F>() {
    using Kernels = CudaKernels<A, std::int32_t, F, X, Y>;
    using Csr = typename Kernels::Csr;
    using Sell = typename Kernels::Sell;
    using Bsr = typename Kernels::Bsr;
    write_out<bool(Sell const&)>(Kernels::supports);
    write_out<bool(Bsr const&)>(Kernels::supports);
    write_out<bool(Csr const&)>(Kernels::supports);
    write_out<void(Sell const&, Y, X const*, Y, Y*, cudaStream_t)>(Kernels::spmv);
    write_out<void(Bsr const&, Y, X const*, Y, Y*, cudaStream_t)>(Kernels::spmv);
    write_out<void(BsrSlicesPointers<A> const&, Y, X const*, Y, Y*, cudaStream_t)>(Kernels::spmv);
    write_out(Kernels::sub_warp);
    write_out(Kernels::equal_chunks);
  });
  for_types<Reals, AllOffsets>([&]<class A, class F>() {
    write_out(pack_slices<A, F>);
    write_out(fill_slices<A, F>);
  });
}

}  // namespace araia::detail
