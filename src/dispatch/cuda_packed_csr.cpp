// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/dispatch/cuda_packed_csr.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <araia/assembly/new_view.hpp>
#include <araia/error.hpp>
#include <araia/formats/arrays.hpp>
#include <araia/formats/memory_limit.hpp>
#include <araia/kernels/scale_dense.hpp>

#include "backends/cuda/lockstep_choice.hpp"
#include "backends/cuda/record_texture.hpp"
#include "backends/cuda/row_packing.hpp"
#include "backends/cuda/spmm_choice.hpp"

namespace araia::detail {
namespace {

using Space = Kokkos::CudaSpace;
using Bytes = Kokkos::View<char*, Space>;
constexpr char const* prefix = "araia::spmm::packed::";

template <class T>
std::vector<T> to_host(Kokkos::Cuda const& exec, T const* data, std::int64_t size) {
  std::vector<T> host(static_cast<std::size_t>(size));
  copy_array(exec, Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(host.data(), host.size()),
             Kokkos::View<T const*, Space, Kokkos::MemoryUnmanaged>(data, host.size()));
  return host;
}

/// `host` outlives the copy.
template <class T>
void to_device(Kokkos::Cuda const& exec, T* device, std::vector<T> const& host) {
  copy_array(exec, Kokkos::View<T*, Space, Kokkos::MemoryUnmanaged>(device, host.size()),
             Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(host.data(), host.size()));
}

int multiprocessors(Kokkos::Cuda const& exec) { return exec.cuda_device_prop().multiProcessorCount; }
int host_threads() { return Kokkos::DefaultHostExecutionSpace().concurrency(); }

cuda::SpmmProblem problem_of(Kokkos::Cuda const& exec, std::int64_t rows, std::int64_t cols, std::int64_t nnz,
                             std::int64_t columns, std::size_t scalar_bytes, Precision precision) {
  cuda::SpmmProblem problem;
  problem.rows = rows;
  problem.cols = cols;
  problem.nnz = nnz;
  problem.columns = columns;
  problem.scalar_bytes = scalar_bytes;
  problem.multiprocessors = multiprocessors(exec);
  problem.shared_bytes = exec.cuda_device_prop().sharedMemPerBlockOptin;
  problem.precision = precision;
  problem.cache_bytes = exec.cuda_device_prop().l2CacheSize;
  return problem;
}

/// The kernel of that name in its best shape.
cuda::SpmmChoice choice_of(cuda::SpmmProblem const& problem, std::string const& kernel) {
  for (auto const& estimate : cuda::estimate_spmm(problem))
    if (kernel == cuda::kernel_name(estimate.choice.kernel)) return estimate.choice;
  throw Error(ErrorKind::unsupported, "araia::spmm::packed: kernel " + kernel + " does not run " +
                                          std::to_string(problem.columns) + " columns in " +
                                          precision_name(problem.precision) + " of this matrix");
}

/// The matrix in host memory. Waits for exec.
template <class Scalar, class Offset>
class HostCsr {
 public:
  HostCsr(Kokkos::Cuda const& exec, CsrPointers<Scalar, std::int32_t, Offset> const& a)
      : row_offsets_(a.row_offsets ? to_host(exec, a.row_offsets, a.rows + 1)
                                   : std::vector<Offset>(static_cast<std::size_t>(a.rows) + 1)),
        col_indices_(to_host(exec, a.col_indices, a.nnz)),
        values_(a.values ? to_host(exec, a.values, a.nnz) : std::vector<Scalar>()),
        pointers_(a) {
    exec.fence("araia::spmm::packed: the matrix on the host");
    pointers_.row_offsets = row_offsets_.data();
    pointers_.col_indices = col_indices_.data();
    pointers_.values = a.values ? values_.data() : nullptr;
  }
  HostCsr(HostCsr const&) = delete;
  HostCsr& operator=(HostCsr const&) = delete;

  [[nodiscard]] CsrPointers<Scalar, std::int32_t, Offset> const& pointers() const { return pointers_; }

 private:
  std::vector<Offset> row_offsets_;
  std::vector<std::int32_t> col_indices_;
  std::vector<Scalar> values_;
  CsrPointers<Scalar, std::int32_t, Offset> pointers_;
};

/// use(packing) with the packing of the choice in host memory.
template <class Scalar, class Offset, class Use>
void with_packing(HostCsr<Scalar, Offset> const& a, cuda::SpmmChoice const& choice, bool keep_sources, Use const& use) {
  auto const& host = a.pointers();
  if (choice.kernel == cuda::SpmmKernel::row_groups)
    return use(cuda::group_packing(host, choice.groups.shape, host_threads(), keep_sources));
  if constexpr (std::is_same_v<Scalar, float>) {
    if (choice.kernel == cuda::SpmmKernel::tensor_tiles)
      return use(cuda::tile_packing(host, host_threads(), keep_sources));
    if (choice.kernel == cuda::SpmmKernel::jammed)
      return use(cuda::jam_packing(host, choice.jam_shape, host_threads(), keep_sources));
    if (choice.kernel == cuda::SpmmKernel::lockstep)
      return use(cuda::lockstep_packing(host, choice.lockstep, host_threads(), keep_sources));
  }
  use(cuda::padded_rows(host, keep_sources));
}

// The array of a packing that holds its values.
template <class Packing>
auto const& words_of(Packing const& packing) {
  if constexpr (std::is_base_of_v<cuda::RowStreams, Packing>)
    return packing.records;
  else
    return packing.values;
}

/// stored(i) is the sum of the entries that start at sources[i] and follow by `next` (null: one alone). Every NaN is
/// one without payload, as packings for the tensor cores have it.
template <class Scalar>
static void gather_values(Kokkos::Cuda const& exec, Scalar* stored, std::int64_t slots, std::int32_t const* sources,
                          std::int32_t const* next, Scalar const* values, bool plain_nan) {
  Scalar const nan = std::numeric_limits<Scalar>::quiet_NaN();
  Kokkos::parallel_for(
      "araia::spmm::packed::update_values",
      Kokkos::RangePolicy<Kokkos::Cuda, Kokkos::IndexType<std::int64_t>>(exec, 0, slots),
      KOKKOS_LAMBDA(std::int64_t i) {
        std::int32_t entry = sources[i];
        if (entry < 0) return;
        Scalar sum = values[entry];
        while (next && (entry = next[entry]) >= 0) sum += values[entry];
        stored[i] = plain_nan && sum != sum ? nan : sum;
      });
}

}  // namespace

template <class Scalar, class Offset>
struct CudaPackedCsr<Scalar, Offset>::Packing {
  cuda::SpmmChoice choice;
  Precision precision = Precision::native;  // of the kernel
  std::int64_t columns = 0;                 // of B and C
  cuda::RecordTexture texture;  // of lockstep's records; outlives them, as freeing these waits for what still reads
  std::vector<Bytes> arrays;
  std::uint64_t bytes = 0;
  // The one of the kernel.
  CsrPointers<Scalar, std::int32_t, std::int32_t> rows;
  cuda::GroupPointers<Scalar> groups;
  Scalar* workspace = nullptr;  // of groups with cut rows
  cuda::JamPointers jam;
  cuda::LockstepPointers lockstep;
  cuda::TilePointers tiles;
  // New values.
  Scalar* stored = nullptr;  // words of which some are values
  std::int64_t slots = 0;
  std::int32_t const* sources = nullptr;
  std::int32_t const* next = nullptr;
  Scalar* exact = nullptr;  // (nnz) A's values in its own order, where sums may be made again

  /// No kernel writes the packing: the host fills it, and waits.
  [[nodiscard]] bool read_early() const { return sources == nullptr; }

  [[nodiscard]] bool sums_again() const {
    return choice.kernel == cuda::SpmmKernel::row_groups || choice.kernel == cuda::SpmmKernel::jammed ||
           choice.kernel == cuda::SpmmKernel::tensor_tiles;
  }

  void* allocate(Kokkos::Cuda const& exec, std::string const& name, std::size_t size) {
    arrays.push_back(new_view<Bytes>(exec, prefix + name, size));
    bytes += size;
    return arrays.back().data();
  }

  template <class T>
  T* put(Kokkos::Cuda const& exec, std::string const& name, std::vector<T> const& host) {
    auto* const device = static_cast<T*>(allocate(exec, name, host.size() * sizeof(T)));
    to_device(exec, device, host);
    return device;
  }

  cuda::RowStreamPointers streams(Kokkos::Cuda const& exec, cuda::RowStreams const& p, std::uint32_t const* records) {
    return {p.rows,
            p.cols,
            p.groups,
            p.chunks,
            put(exec, "row_order", p.row_order),
            put(exec, "stream_offsets", p.stream_offsets),
            records};
  }

  // Each brings the rest of a packing to the device; its words are there.
  void place(Kokkos::Cuda const& exec, cuda::PaddedRows<Scalar> const& p, Scalar* words) {
    rows.rows = p.rows;
    rows.cols = p.cols;
    rows.nnz = p.nnz;
    rows.row_offsets = put(exec, "row_offsets", p.row_offsets);
    rows.col_indices = put(exec, "col_indices", p.col_indices);
    rows.values = words;
  }
  void place(Kokkos::Cuda const& exec, cuda::GroupPacking<Scalar> const& p, Scalar* words) {
    groups = {p.rows,
              p.cols,
              p.shape,
              p.runs,
              p.slice_offsets.back(),
              static_cast<std::int64_t>(p.cut_rows.size()),
              p.most_segments(),
              put(exec, "run_offsets", p.run_offsets),
              put(exec, "slice_offsets", p.slice_offsets),
              put(exec, "row_order", p.row_order),
              put(exec, "col_indices", p.col_indices),
              words,
              put(exec, "cut_rows", p.cut_rows)};
    workspace = static_cast<Scalar*>(allocate(exec, "workspace", workspace_bytes(p)));
  }
  void place(Kokkos::Cuda const& exec, cuda::JamPacking const& p, std::uint32_t* words) {
    jam = {streams(exec, p, words), p.shape, put(exec, "counts", p.counts)};
  }
  void place(Kokkos::Cuda const& exec, cuda::LockstepPacking const& p, std::uint32_t* words) {
    texture = cuda::RecordTexture(words, static_cast<std::int64_t>(p.records.size() / 4));
    lockstep = {streams(exec, p, words), p.shape, p.stages, put(exec, "events", p.events), texture.get()};
  }
  void place(Kokkos::Cuda const& exec, cuda::TilePacking const& p, float* words) {
    tiles = {p.rows,
             p.cols,
             p.row_tiles,
             p.col_tiles,
             put(exec, "tile_offsets", p.tile_offsets),
             words,
             put(exec, "positions", p.positions)};
    if (!p.next.empty()) next = put(exec, "next", p.next);
  }

  template <class HostPacking>
  [[nodiscard]] std::size_t workspace_bytes(HostPacking const& p) const {
    if constexpr (std::is_same_v<HostPacking, cuda::GroupPacking<Scalar>>)
      return static_cast<std::size_t>(p.workspace_rows * columns) * sizeof(Scalar);
    else
      return 0;
  }

  /// `limit` in bytes. Waits for exec.
  template <class HostPacking>
  void upload(Kokkos::Cuda const& exec, HostPacking const& p, std::int64_t nnz, std::uint64_t limit) {
    auto const& host = words_of(p);
    std::uint64_t const needed = p.bytes() + workspace_bytes(p) + p.sources.size() * sizeof(std::int32_t) +
                                 (sums_again() ? static_cast<std::uint64_t>(nnz) * sizeof(Scalar) : 0);
    require_memory((std::string("araia::spmm::packed: ") + cuda::kernel_name(choice.kernel)).c_str(), needed, limit);
    auto* const words = put(exec, "values", host);
    stored = reinterpret_cast<Scalar*>(words);
    slots = static_cast<std::int64_t>(host.size());
    place(exec, p, words);
    if (!p.sources.empty()) sources = put(exec, "sources", p.sources);
    exec.fence("araia::spmm::packed: the packing on the device");
  }

  void keep_exact(Kokkos::Cuda const& exec, Matrix const& a) {
    if (!sums_again() || !a.values) return;
    auto const size = static_cast<std::size_t>(a.nnz);
    if (!exact) exact = static_cast<Scalar*>(allocate(exec, "exact", size * sizeof(Scalar)));
    copy_array(exec, Kokkos::View<Scalar*, Space, Kokkos::MemoryUnmanaged>(exact, size),
               Kokkos::View<Scalar const*, Space, Kokkos::MemoryUnmanaged>(a.values, size));
  }
};

template <class Scalar, class Offset>
bool CudaPackedCsr<Scalar, Offset>::supports_precision(Kokkos::Cuda const& exec, Precision precision) {
  auto const& device = exec.cuda_device_prop();
  return precision == Precision::native ||
         (std::is_same_v<Scalar, float> && cuda::tile_spmm_runs_on(device.major, device.minor));
}

template <class Scalar, class Offset>
std::vector<PackedCsrEstimate> CudaPackedCsr<Scalar, Offset>::estimates(Kokkos::Cuda const& exec, std::int64_t rows,
                                                                        std::int64_t cols, std::int64_t nnz,
                                                                        std::int64_t columns, Precision precision,
                                                                        double shared, LongRows const& rows_beyond) {
  constexpr double copies = 5e9;  // B/s, to and from host memory that is not pinned
  if (!supports_precision(exec, precision)) precision = Precision::native;
  std::vector<PackedCsrEstimate> all;
  double const matrix =
      static_cast<double>(nnz) * (sizeof(Scalar) + sizeof(std::int32_t)) + static_cast<double>(rows) * sizeof(Offset);
  auto problem = problem_of(exec, rows, cols, nnz, columns, sizeof(Scalar), precision);
  problem.shared = shared;
  problem.longest = rows_beyond.longest;
  problem.long_rows = rows_beyond.count;
  for (auto const& e : cuda::estimate_spmm(problem)) {
    int const threads = e.choice.kernel == cuda::SpmmKernel::padded_rows ? 1 : std::max(1, host_threads());
    all.push_back({cuda::kernel_name(e.choice.kernel), e.seconds,
                   e.packing_seconds / threads + (matrix + static_cast<double>(e.bytes)) / copies, e.bytes});
  }
  return all;
}

template <class Scalar, class Offset>
CudaPackedCsr<Scalar, Offset>::CudaPackedCsr(Kokkos::Cuda const& exec, Matrix const& a, std::int64_t columns,
                                             PackedCsrOptions const& options)
    : a_(a), columns_(columns), packing_(std::make_shared<Packing>()) {
  if (!supports_precision(exec, options.precision))
    throw Error(ErrorKind::unsupported, std::string("araia::spmm::packed: precision is ") +
                                            precision_name(options.precision) +
                                            ", expected native for this scalar type, device and build");
  auto& p = *packing_;
  bool const by_rule = options.kernel.empty();
  auto problem = problem_of(exec, a.rows, a.cols, a.nnz, columns, sizeof(Scalar), options.precision);
  if (!by_rule) p.choice = choice_of(problem, options.kernel);
  HostCsr<Scalar, Offset> const host(exec, a);
  cuda::GroupStats stats;
  if (by_rule || p.choice.kernel == cuda::SpmmKernel::row_groups) stats = cuda::group_stats(host.pointers());
  if (by_rule) {
    problem.shared = stats.shared.back();
    problem.longest = stats.longest;
    problem.long_rows = stats.long_rows;
    p.choice = cuda::choose_spmm(problem);
  }
  // What of a shape follows from the structure, which update_values packs alike.
  if (p.choice.kernel == cuda::SpmmKernel::row_groups)
    p.choice.groups = cuda::choose_groups(stats, a.rows, a.nnz, columns, sizeof(Scalar), multiprocessors(exec),
                                          exec.cuda_device_prop().l2CacheSize);
  if constexpr (std::is_same_v<Scalar, float>)
    if (p.choice.kernel == cuda::SpmmKernel::lockstep)
      p.choice.lockstep = cuda::choose_lockstep(host.pointers(), p.choice.lockstep);
  if (p.choice.kernel == cuda::SpmmKernel::tensor_tiles) p.precision = options.precision;
  p.columns = columns;
  bool const fits = a.nnz <= std::numeric_limits<std::int32_t>::max();
  with_packing(host, p.choice, options.keep_sources && fits && a.values, [&](auto const& packing) {
    p.upload(exec, packing, a.nnz, memory_limit_or_default<Space>(options.memory_limit));
  });
  p.keep_exact(exec, a);
  a_.values = p.exact;
  if (!p.sums_again()) {
    a_.row_offsets = nullptr;
    a_.col_indices = nullptr;
  }
}

template <class Scalar, class Offset>
void CudaPackedCsr<Scalar, Offset>::update_values(Kokkos::Cuda const& exec, Matrix const& a) {
  if (a.nnz == 0 || !a.values) return;
  auto& p = *packing_;
  if (p.sources) {
    gather_values(exec, p.stored, p.slots, p.sources, p.next, a.values,
                  p.choice.kernel == cuda::SpmmKernel::tensor_tiles);
  } else {
    HostCsr<Scalar, Offset> const host(exec, a);
    with_packing(host, p.choice, false, [&](auto const& packing) {
      auto const& words = words_of(packing);
      using Word = typename std::decay_t<decltype(words)>::value_type;
      to_device(exec, reinterpret_cast<Word*>(p.stored), words);
      exec.fence("araia::spmm::packed: the values on the device");
    });
  }
  p.keep_exact(exec, a);
}

template <class Scalar, class Offset>
bool CudaPackedCsr<Scalar, Offset>::supports(DenseMatrix<Scalar const> const& b, DenseMatrix<Scalar> const& c) const {
  return c.columns == columns_ && cuda::csr_spmm_row_supports(a_, b, c);
}

template <class Scalar, class Offset>
void CudaPackedCsr<Scalar, Offset>::spmm(Kokkos::Cuda const& exec, Scalar alpha, DenseMatrix<Scalar const> const& b,
                                         Scalar beta, DenseMatrix<Scalar> const& c) const {
  if (alpha == Scalar{} || a_.nnz == 0 || c.columns == 0) return scale_dense(exec, beta, c);
  Packing const& p = *packing_;
  if (p.choice.kernel == cuda::SpmmKernel::row_groups)
    return cuda::row_groups_spmm(p.groups, a_, alpha, b, beta, c, p.workspace, p.choice.groups.tuning,
                                 exec.cuda_stream());
  spmm_in_store(exec, alpha, {b}, beta, {c}, {});
}

template <class Scalar, class Offset>
bool CudaPackedCsr<Scalar, Offset>::keeps_structure() const {
  return packing_->sums_again();
}

template <class Scalar, class Offset>
bool CudaPackedCsr<Scalar, Offset>::stores_epilogue() const {
  return packing_->choice.kernel != cuda::SpmmKernel::row_groups;
}

template <class Scalar, class Offset>
void CudaPackedCsr<Scalar, Offset>::spmm_in_store(Kokkos::Cuda const& exec, Scalar alpha,
                                                  DenseBatch<Scalar const> const& b, Scalar beta,
                                                  DenseBatch<Scalar> const& c,
                                                  EpiloguePointers<Scalar> const& epilogue) const {
  Packing const& p = *packing_;
  auto const stream = exec.cuda_stream();
  if (p.choice.kernel == cuda::SpmmKernel::padded_rows) {
    auto rows = p.rows;
    rows.row_permutation = a_.row_permutation;
    return cuda::padded_rows_spmm(rows, alpha, b, beta, c, epilogue, p.choice.rows, stream, p.read_early());
  }
  if constexpr (std::is_same_v<Scalar, float>)
    for (std::int64_t i = 0; i < c.count; ++i) {
      auto const bi = b.item(i);
      auto const ci = c.item(i);
      auto const ei = epilogue.item(i);
      if (p.choice.kernel == cuda::SpmmKernel::tensor_tiles)
        cuda::tile_spmm(p.tiles, a_, p.precision, alpha, bi, beta, ci, p.choice.tile, stream, ei);
      else if (p.choice.kernel == cuda::SpmmKernel::jammed)
        cuda::jammed_spmm(p.jam, a_, alpha, bi, beta, ci, p.choice.jam, multiprocessors(exec), stream, p.read_early(),
                          ei);
      else
        cuda::lockstep_spmm(p.lockstep, a_.row_permutation, alpha, bi, beta, ci, stream, p.read_early(), ei);
    }
}

template <class Scalar, class Offset>
char const* CudaPackedCsr<Scalar, Offset>::kernel_name() const {
  return cuda::kernel_name(packing_->choice.kernel);
}

template <class Scalar, class Offset>
Precision CudaPackedCsr<Scalar, Offset>::precision() const {
  return packing_->precision;
}

template <class Scalar, class Offset>
std::uint64_t CudaPackedCsr<Scalar, Offset>::bytes() const {
  return packing_->bytes;
}

template <class Scalar, class Offset>
std::int64_t CudaPackedCsr<Scalar, Offset>::stored() const {
  return values() ? packing_->slots : a_.nnz;
}

template <class Scalar, class Offset>
Scalar* CudaPackedCsr<Scalar, Offset>::values() const {
  bool const streams =
      packing_->choice.kernel == cuda::SpmmKernel::jammed || packing_->choice.kernel == cuda::SpmmKernel::lockstep;
  return streams ? nullptr : packing_->stored;
}

template class CudaPackedCsr<double, std::int32_t>;
template class CudaPackedCsr<double, std::int64_t>;
#ifndef ARAIA_TYPES_MINIMAL
template class CudaPackedCsr<float, std::int32_t>;
template class CudaPackedCsr<float, std::int64_t>;
#endif

}  // namespace araia::detail
