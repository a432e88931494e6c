// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/dispatch/cuda_spmm.hpp>
#include <araia/error.hpp>
#include <araia/kernels/scale_dense.hpp>
#include <cstring>
#include <type_traits>
#include <vector>

#include "backends/cuda/row_packing.hpp"
#include "backends/cuda/spmm_choice.hpp"

namespace araia::detail {
namespace {

using Space = Kokkos::CudaSpace;

template <class T>
std::vector<T> to_host(Kokkos::Cuda const& exec, T const* data, std::int64_t size) {
  std::vector<T> host(static_cast<std::size_t>(size));
  if (size > 0)
    Kokkos::deep_copy(exec, Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(host.data(), host.size()),
                      Kokkos::View<T const*, Space, Kokkos::MemoryUnmanaged>(data, host.size()));
  return host;
}

template <class T>
Kokkos::View<T*, Space> to_device(Kokkos::Cuda const& exec, std::string const& label, std::vector<T> const& host) {
  Kokkos::View<T*, Space> device(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, label), host.size());
  if (!host.empty())
    Kokkos::deep_copy(exec, device,
                      Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(host.data(), host.size()));
  return device;
}

int multiprocessors(Kokkos::Cuda const& exec) { return exec.cuda_device_prop().multiProcessorCount; }

}  // namespace

#define ARAIA_DEFINE_CUDA_SPMM(T, F)                                                                                \
  bool CudaSpmm<T, std::int32_t, F, T, T>::supports(CsrPointers<T, std::int32_t, F> const& a,                       \
                                                    DenseMatrix<T const> const& b, DenseMatrix<T> const& c) {       \
    return cuda::csr_spmm_row_supports(a, b, c);                                                                    \
  }                                                                                                                 \
  void CudaSpmm<T, std::int32_t, F, T, T>::spmm(Kokkos::Cuda const& exec, CsrPointers<T, std::int32_t, F> const& a, \
                                                T alpha, DenseMatrix<T const> const& b, T beta,                     \
                                                DenseMatrix<T> const& c) {                                          \
    auto const tuning = cuda::csr_spmm_row_tuning(a.rows, a.nnz, c.columns, sizeof(T), multiprocessors(exec),       \
                                                  cuda::csr_warps_resident);                                        \
    cuda::csr_spmm_row_per_warp(a, alpha, b, beta, c, tuning, exec.cuda_stream());                                  \
  }
ARAIA_DEFINE_CUDA_SPMM(double, std::int32_t)
ARAIA_DEFINE_CUDA_SPMM(double, std::int64_t)
#ifndef ARAIA_TYPES_MINIMAL
ARAIA_DEFINE_CUDA_SPMM(float, std::int32_t)
ARAIA_DEFINE_CUDA_SPMM(float, std::int64_t)
#endif
#undef ARAIA_DEFINE_CUDA_SPMM

template <class Scalar, class Offset>
struct CudaPackedSpmm<Scalar, Offset>::Packing {
  cuda::SpmmChoice choice;
  std::uint64_t bytes = 0;
  // padded rows
  Kokkos::View<std::int32_t*, Space> row_offsets, col_indices;
  Kokkos::View<Scalar*, Space> values;
  // jammed, lockstep
  Kokkos::View<std::int64_t*, Space> stream_offsets;
  Kokkos::View<std::uint32_t*, Space> records;
  Kokkos::View<std::int32_t*, Space> row_order;
  Kokkos::View<std::uint32_t*, Space> counts;  // jammed
  Kokkos::View<std::int32_t*, Space> early;    // lockstep
  cuda::JamPointers jam;
  cuda::LockstepPointers lockstep;
  // tiles
  Kokkos::View<std::int32_t*, Space> tile_offsets;
  Kokkos::View<float*, Space> tile_values;
  Kokkos::View<std::uint16_t*, Space> tile_positions;
  cuda::TilePointers tiles;
  Precision precision = Precision::native;  // of the kernel
};

template <class Scalar, class Offset>
bool CudaPackedSpmm<Scalar, Offset>::supports_precision(Kokkos::Cuda const& exec, Precision precision) {
  auto const& device = exec.cuda_device_prop();
  return precision == Precision::native ||
         (std::is_same_v<Scalar, float> && cuda::tile_spmm_runs_on(device.major, device.minor));
}

template <class Scalar, class Offset>
CudaPackedSpmm<Scalar, Offset>::CudaPackedSpmm(Kokkos::Cuda const& exec, Matrix const& a, std::int64_t columns,
                                               Precision precision)
    : a_(a), columns_(columns) {
  if (!supports_precision(exec, precision))
    throw Error(ErrorKind::unsupported, std::string("araia::spmm::packed: precision is ") + precision_name(precision) +
                                            ", expected native for this scalar type, device and build");
  auto packing = std::make_shared<Packing>();
  auto const& device = exec.cuda_device_prop();
  cuda::SpmmProblem problem;
  problem.rows = a.rows;
  problem.cols = a.cols;
  problem.nnz = a.nnz;
  problem.columns = columns;
  problem.scalar_bytes = sizeof(Scalar);
  problem.multiprocessors = device.multiProcessorCount;
  problem.shared_bytes = device.sharedMemPerBlockOptin;
  problem.precision = precision;
  packing->choice = cuda::choose_spmm(problem);
  auto const row_offsets = a.row_offsets ? to_host(exec, a.row_offsets, a.rows + 1)
                                         : std::vector<Offset>(static_cast<std::size_t>(a.rows) + 1);
  auto const col_indices = to_host(exec, a.col_indices, a.nnz);
  auto const values = a.values ? to_host(exec, a.values, a.nnz) : std::vector<Scalar>();
  exec.fence("araia::spmm::packed: the matrix on the host");
  Matrix host = a;
  host.row_offsets = row_offsets.data();
  host.col_indices = col_indices.data();
  host.values = a.values ? values.data() : nullptr;

  if constexpr (std::is_same_v<Scalar, float>) {
    auto const threads = Kokkos::DefaultHostExecutionSpace().concurrency();
    if (packing->choice.kernel == cuda::SpmmKernel::tensor_tiles) {
      auto const tiles = cuda::tile_packing(host, threads);
      packing->tile_offsets = to_device(exec, "araia::spmm::packed::tile_offsets", tiles.tile_offsets);
      packing->tile_values = to_device(exec, "araia::spmm::packed::tile_values", tiles.values);
      packing->tile_positions = to_device(exec, "araia::spmm::packed::tile_positions", tiles.positions);
      packing->tiles = {tiles.rows,
                        tiles.cols,
                        tiles.row_tiles,
                        tiles.col_tiles,
                        packing->tile_offsets.data(),
                        packing->tile_values.data(),
                        packing->tile_positions.data()};
      packing->precision = precision;
      packing->bytes = tiles.bytes();
      exec.fence("araia::spmm::packed: the packing on the device");
    } else if (packing->choice.kernel == cuda::SpmmKernel::jammed) {
      auto const jam = cuda::jam_packing(host, packing->choice.jam_shape, threads);
      packing->stream_offsets = to_device(exec, "araia::spmm::packed::stream_offsets", jam.stream_offsets);
      packing->row_order = to_device(exec, "araia::spmm::packed::row_order", jam.row_order);
      packing->counts = to_device(exec, "araia::spmm::packed::counts", jam.counts);
      packing->records = to_device(exec, "araia::spmm::packed::records", jam.records);
      packing->jam = {jam.shape,
                      jam.rows,
                      jam.cols,
                      jam.groups,
                      jam.chunks,
                      packing->row_order.data(),
                      packing->stream_offsets.data(),
                      packing->counts.data(),
                      packing->records.data()};
      packing->bytes = jam.bytes();
      exec.fence("araia::spmm::packed: the packing on the device");
    } else if (packing->choice.kernel == cuda::SpmmKernel::lockstep) {
      auto const lockstep = cuda::lockstep_packing(host, packing->choice.lockstep, threads);
      packing->row_order = to_device(exec, "araia::spmm::packed::row_order", lockstep.row_order);
      packing->stream_offsets = to_device(exec, "araia::spmm::packed::stream_offsets", lockstep.stream_offsets);
      packing->early = to_device(exec, "araia::spmm::packed::early", lockstep.early);
      packing->records = to_device(exec, "araia::spmm::packed::records", lockstep.records);
      packing->lockstep = {lockstep.shape,
                           lockstep.rows,
                           lockstep.cols,
                           lockstep.groups,
                           lockstep.chunks,
                           packing->row_order.data(),
                           packing->stream_offsets.data(),
                           packing->early.data(),
                           packing->records.data()};
      packing->bytes = lockstep.bytes();
      exec.fence("araia::spmm::packed: the packing on the device");
    }
  }
  if (packing->choice.kernel == cuda::SpmmKernel::padded_rows) {
    auto const rows = cuda::padded_rows(host);
    packing->row_offsets = to_device(exec, "araia::spmm::packed::row_offsets", rows.row_offsets);
    packing->col_indices = to_device(exec, "araia::spmm::packed::col_indices", rows.col_indices);
    packing->values = to_device(exec, "araia::spmm::packed::values", rows.values);
    packing->bytes = rows.bytes();
    exec.fence("araia::spmm::packed: the packing on the device");
  }
  packing_ = std::move(packing);
}

template <class Scalar, class Offset>
bool CudaPackedSpmm<Scalar, Offset>::supports(DenseMatrix<Scalar const> const& b, DenseMatrix<Scalar> const& c) const {
  return c.columns == columns_ && cuda::csr_spmm_row_supports(a_, b, c);
}

template <class Scalar, class Offset>
void CudaPackedSpmm<Scalar, Offset>::operator()(Kokkos::Cuda const& exec, Scalar alpha,
                                                DenseMatrix<Scalar const> const& b, Scalar beta,
                                                DenseMatrix<Scalar> const& c) const {
  if (alpha == Scalar{} || a_.nnz == 0 || c.columns == 0) return scale_dense(exec, beta, c);
  Packing const& p = *packing_;
  if constexpr (std::is_same_v<Scalar, float>) {
    if (p.choice.kernel == cuda::SpmmKernel::tensor_tiles)
      return cuda::tile_spmm(p.tiles, a_, p.precision, alpha, b, beta, c, p.choice.tile, exec.cuda_stream());
    if (p.choice.kernel == cuda::SpmmKernel::jammed)
      return cuda::jammed_spmm(p.jam, a_, alpha, b, beta, c, p.choice.jam, multiprocessors(exec), exec.cuda_stream());
    if (p.choice.kernel == cuda::SpmmKernel::lockstep)
      return cuda::lockstep_spmm(p.lockstep, a_.row_permutation, alpha, b, beta, c, exec.cuda_stream());
  }
  CsrPointers<Scalar, std::int32_t, std::int32_t> rows;
  rows.rows = a_.rows;
  rows.cols = a_.cols;
  rows.nnz = a_.nnz;
  rows.row_offsets = p.row_offsets.data();
  rows.col_indices = p.col_indices.data();
  rows.values = p.values.data();
  rows.row_permutation = a_.row_permutation;
  cuda::padded_rows_spmm(rows, alpha, b, beta, c, p.choice.rows, exec.cuda_stream());
}

template <class Scalar, class Offset>
char const* CudaPackedSpmm<Scalar, Offset>::kernel_name() const {
  return cuda::kernel_name(packing_->choice.kernel);
}

template <class Scalar, class Offset>
Precision CudaPackedSpmm<Scalar, Offset>::precision() const {
  return packing_->precision;
}

template <class Scalar, class Offset>
std::uint64_t CudaPackedSpmm<Scalar, Offset>::bytes() const {
  return packing_->bytes;
}

template class CudaPackedSpmm<double, std::int32_t>;
template class CudaPackedSpmm<double, std::int64_t>;
#ifndef ARAIA_TYPES_MINIMAL
template class CudaPackedSpmm<float, std::int32_t>;
template class CudaPackedSpmm<float, std::int64_t>;
#endif

}  // namespace araia::detail
