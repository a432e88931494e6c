// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A Csr packed for SpMM on CUDA, behind Bound: the part that does not depend on the kernel.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <araia/detail/dispatch/spmm.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/detail/formats/written_out.hpp>
#include <araia/extend/kernel.hpp>
#include "backends/cuda/csr_spmm_row_per_warp.hpp"
#include "backends/cuda/lib/device_arrays.hpp"
#include "backends/cuda/lib/packed_kernel.hpp"
#include "backends/cuda/lib/row_streams.hpp"

namespace araia::cuda {

template <class T>
using HostArray = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
template <class T>
using CudaArray = Kokkos::View<T*, Kokkos::CudaSpace, Kokkos::MemoryUnmanaged>;

template <class T>
std::vector<T> to_host(Kokkos::Cuda const& exec, T const* data, std::int64_t size) {
  std::vector<T> host(static_cast<std::size_t>(size));
  detail::copy_array(exec, HostArray<T>(host.data(), host.size()), CudaArray<T const>(data, host.size()));
  return host;
}

inline int multiprocessors(Kokkos::Cuda const& exec) { return exec.cuda_device_prop().multiProcessorCount; }
inline int host_threads() { return Kokkos::DefaultHostExecutionSpace().concurrency(); }

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

/// The same streams on the device. \param records  there
inline RowStreamPointers streams_of(Kokkos::Cuda const& exec, DeviceArrays& to, RowStreams const& p,
                                    std::uint32_t const* records) {
  return {p.rows,
          p.cols,
          p.groups,
          p.chunks,
          to.put(exec, "row_order", p.row_order),
          to.put(exec, "stream_offsets", p.stream_offsets),
          records};
}

/// The array of a packing that holds its values: words of which some are.
template <class Packing>
auto const& words_of(Packing const& packing) {
  if constexpr (std::is_base_of_v<RowStreams, Packing>)
    return packing.records;
  else
    return packing.values;
}

/// stored(i) is the sum of the entries that start at sources[i] and follow by `next` (null: one alone). With plain_nan
/// every NaN is one without payload, as packings for the tensor cores have it.
template <class Scalar>
void gather_values(Kokkos::Cuda const& exec, Scalar* stored, std::int64_t slots, std::int32_t const* sources,
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

/// What is a kernel's own of a matrix that it packs. Specialised in the bound.cpp of each.
template <class Descriptor, class Scalar>
class PackedCode;

/// What they have unless they say otherwise. Each has beside it
///   PackedCode(choice, BindOptions const&)    of the descriptor's rule
///   auto pack(host, keep_sources) const    the packing, in host memory; `host` is a CsrPointers
///   void place(exec, to, packing, words)   brings the rest of it to the device's arrays `to`; its words are there
///   void run(at, alpha, b, beta, c, epilogue) const    of an item, or of a batch; `at` is a PackedBound::Place
struct PackedDefaults {
  /// Are sums that are not finite made again, entry by entry, from the structure of A, which is shared, and a copy of
  /// its values?
  static constexpr bool sums_again = false;
  static constexpr bool values_apart = true;  ///< no columns lie between the values
  static constexpr bool stores_epilogue = true;
  static constexpr bool runs_batches = false;  ///< by one launch
  static constexpr bool plain_nan = false;     ///< as gather_values() has it
  /// Where the shape follows from the structure, which new values are packed alike for.
  template <class Host>
  void look_at(Kokkos::Cuda const&, Host const&) {}
  template <class Packing>
  [[nodiscard]] std::size_t workspace_bytes(Packing const&) const {
    return 0;
  }
  [[nodiscard]] std::int32_t const* next() const { return nullptr; }
};

template <class Descriptor, class Own, class Source>
class PackedBound final : public Own {
 public:
  using Scalar = typename Source::value_type;
  using Kernel = PackedCode<Descriptor, Scalar>;
  using Pointers = typename Source::pointers_type;
  using Batch = DenseBatch<Scalar const>;
  using Result = DenseBatch<Scalar>;

  /// What a product needs beside its operands.
  struct Place {
    Pointers a;  // without values, or as copied where sums are made again
    Kokkos::Cuda const& exec;
    bool early;  // no kernel writes the packing: the host fills it, and waits
  };

  /// Packs on the host; waits for exec.
  template <class Choice>
  PackedBound(Kokkos::Cuda const& exec, Source const& source, Choice const& choice, BindOptions const& options)
      : structure_(source), columns_(options.columns), kernel_(choice, options) {
    auto const a = source.pointers();
    HostCsr<Scalar, typename Pointers::size_type> const host(exec, a);
    kernel_.look_at(exec, host.pointers());
    bool const keep_sources = options.keep_maps && a.values && a.nnz <= std::numeric_limits<std::int32_t>::max();
    upload(exec, kernel_.pack(host.pointers(), keep_sources),
           detail::memory_limit_or_default<Kokkos::CudaSpace>(options.memory_limit));
    keep_exact(exec, a);
    structure_.values = {};
    if (!Kernel::sums_again) {
      structure_.row_offsets = {};
      structure_.col_indices = {};
    }
  }

  void run(Kokkos::Cuda const& exec, Scalar alpha, DenseMatrix<Scalar const> const& b, Scalar beta,
           DenseMatrix<Scalar> const& c) const override {
    multiply(exec, alpha, {b}, beta, {c}, {});
  }
  [[nodiscard]] bool stores_epilogue() const override { return Kernel::stores_epilogue; }
  void run_in_store(Kokkos::Cuda const& exec, Scalar alpha, Batch const& b, Scalar beta, Result const& c,
                    EpiloguePointers<Scalar> const& epilogue) const override {
    if constexpr (Kernel::stores_epilogue)
      multiply(exec, alpha, b, beta, c, epilogue);
    else
      Own::run_in_store(exec, alpha, b, beta, c, epilogue);
  }

  /// To where values lie: captured products see them. With sources one kernel, asynchronous on exec; else packs again
  /// on the host and waits for exec.
  void update_values(Kokkos::Cuda const& exec, Source const& source) override {
    auto const a = source.pointers();
    if (a.nnz == 0 || !a.values) return;
    if (sources_) {
      gather_values(exec, stored_, slots_, sources_, kernel_.next(), a.values, Kernel::plain_nan);
    } else {
      HostCsr<Scalar, typename Pointers::size_type> const host(exec, a);
      auto const packing = kernel_.pack(host.pointers(), false);
      auto const& words = words_of(packing);
      using Word = typename std::decay_t<decltype(words)>::value_type;
      detail::copy_array(exec, CudaArray<Word>(reinterpret_cast<Word*>(stored_), words.size()),
                         HostArray<Word const>(words.data(), words.size()));
      exec.fence("araia::spmm::packed: the values on the device");
    }
    keep_exact(exec, a);
  }
  [[nodiscard]] std::uint64_t bytes() const override { return arrays_.bytes(); }
  [[nodiscard]] BoundValues values() const override {
    if (!Kernel::values_apart) return {};
    return {stored_, static_cast<std::uint64_t>(slots_) * sizeof(Scalar), slots_};
  }

 private:
  void multiply(Kokkos::Cuda const& exec, Scalar alpha, Batch const& b, Scalar beta, Result const& c,
                EpiloguePointers<Scalar> const& epilogue) const {
    auto a = structure_.pointers();
    if (c.first.columns != columns_ || !csr_spmm_row_supports(a, b.first, c.first))
      detail::throw_unsupported("araia::spmm: the packed matrix does not run this product (columns or strides)");
    a.values = exact_;
    Place const place{a, exec, sources_ == nullptr};
    if constexpr (Kernel::runs_batches)
      kernel_.run(place, alpha, b, beta, c, epilogue);
    else
      for (std::int64_t i = 0; i < c.count; ++i)
        kernel_.run(place, alpha, b.item(i), beta, c.item(i), epilogue.item(i));
  }

  template <class Packing>
  void upload(Kokkos::Cuda const& exec, Packing const& packing, std::uint64_t limit) {
    auto const& host = words_of(packing);
    std::uint64_t const exact = Kernel::sums_again ? static_cast<std::uint64_t>(structure_.nnz) * sizeof(Scalar) : 0;
    std::uint64_t const needed =
        packing.bytes() + kernel_.workspace_bytes(packing) + packing.sources.size() * sizeof(std::int32_t) + exact;
    detail::require_memory(("araia::spmm::packed: " + std::string(Descriptor::info.name)).c_str(), needed, limit);
    auto* const words = arrays_.put(exec, "values", host);
    stored_ = reinterpret_cast<Scalar*>(words);
    slots_ = static_cast<std::int64_t>(host.size());
    kernel_.place(exec, arrays_, packing, words);
    if (!packing.sources.empty()) sources_ = arrays_.put(exec, "sources", packing.sources);
    exec.fence("araia::spmm::packed: the packing on the device");
  }

  void keep_exact(Kokkos::Cuda const& exec, Pointers const& a) {
    if (!Kernel::sums_again || !a.values) return;
    auto const size = static_cast<std::size_t>(a.nnz);
    if (!exact_) exact_ = arrays_.make<Scalar>(exec, "exact", a.nnz);
    detail::copy_array(exec, CudaArray<Scalar>(exact_, size), CudaArray<Scalar const>(a.values, size));
  }

  Source structure_;
  std::int64_t columns_;  // of B and C
  Kernel kernel_;
  DeviceArrays arrays_{"araia::spmm::packed::"};
  Scalar* stored_ = nullptr;  // words of which some are values
  std::int64_t slots_ = 0;
  std::int32_t const* sources_ = nullptr;
  Scalar* exact_ = nullptr;  // (nnz) A's values in its own order, where sums may be made again
};

template <class Descriptor, class Own, class Exec, class Source, class Options>
std::shared_ptr<Own> bind_packed(Exec const& exec, Source const& source, Options const& options) {
  auto const& device = exec.cuda_device_prop();
  SpmmProblem problem;
  problem.rows = source.rows;
  problem.cols = source.cols;
  problem.nnz = source.nnz;
  problem.columns = options.columns;
  problem.scalar_bytes = sizeof(typename Source::value_type);
  problem.multiprocessors = device.multiProcessorCount;
  problem.shared_bytes = device.sharedMemPerBlockOptin;
  problem.precision = options.precision;
  problem.cache_bytes = device.l2CacheSize;
  if (auto const choice = Descriptor::choose(problem))
    return std::make_shared<PackedBound<Descriptor, Own, Source>>(exec, source, *choice, options);
  throw Error(ErrorKind::unsupported, "araia::spmm::packed: kernel " + std::string(Descriptor::info.name) +
                                          " does not run " + std::to_string(problem.columns) + " columns in " +
                                          precision_name(problem.precision) + " of this matrix");
}

/// Has bind_packed written out for C = alpha A B + beta C of the descriptor's scalars.
template <class Descriptor>
void write_out_packed() {
  detail::for_types<typename Descriptor::scalars, detail::Offsets>([&]<class S, class Offset>() {
    detail::write_out(bind_packed<Descriptor, Bound<Kokkos::Cuda, SpmmDesc, S, S, S, Offset>, Kokkos::Cuda,
                                  BoundSource<Kokkos::Cuda, S, Offset>, BindOptions>);
  });
}

}  // namespace araia::cuda
