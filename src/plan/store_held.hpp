// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How a plan makes what the backends' SpMM kernels hold: a packed Csr, or the dense matrix.

#include <araia/assembly/huge_pages.hpp>
#include <araia/assembly/new_view.hpp>
#include <araia/dispatch/cuda_dense.hpp>
#include <araia/dispatch/cuda_packed_csr.hpp>
#include "backends/openmp/csr_cache_panels.hpp"
#include "backends/openmp/csr_copied_columns.hpp"
#include "src/plan/store.hpp"

namespace araia::detail {

#ifdef KOKKOS_ENABLE_CUDA
/// A product with what its kernel reads of the source beside it.
template <class Product, class Source>
struct HeldMatrix {
  using value_type = typename Source::value_type;
  std::shared_ptr<Product> product;
  Source structure;  // without values; row_offsets and col_indices where sums are made again
  Kokkos::View<value_type*, Kokkos::Cuda::device_type> values{};  // unmanaged; none where columns lie between them

  [[nodiscard]] auto pointers() const {
    return HeldSpmmPointers<value_type>{structure.rows, structure.cols, structure.nnz, product.get()};
  }
  [[nodiscard]] std::int64_t stored() const { return product->stored(); }
  [[nodiscard]] std::uint64_t bytes() const { return product->bytes(); }
};

template <class Product, class Source>
void update_values(Kokkos::Cuda const& exec, HeldMatrix<Product, Source> const& held, Source const& source) {
  held.product->update_values(exec, source.pointers());
}
#endif

/// What the host's backend has packed.
template <class Exec, class Scalar>
struct HostPackedMatrix {
  std::shared_ptr<host::CachePanels<Scalar>> packed;
  std::int64_t nnz = 0;
  Kokkos::View<Scalar*, typename Exec::device_type> values{};  // unmanaged

  [[nodiscard]] auto pointers() const {
    return HostPackedPointers<Scalar>{packed->rows, packed->cols, nnz, packed.get()};
  }
  [[nodiscard]] std::int64_t stored() const { return packed->stored(); }
  [[nodiscard]] std::uint64_t bytes() const { return packed->bytes(); }
};

template <class Exec, class Scalar, class Source>
void update_values(Exec const& exec, HostPackedMatrix<Exec, Scalar> const& held, Source const& source) {
  exec.fence("araia::plan: the packing is filled by the caller's thread");
  host::update_values(*held.packed, source.pointers(), exec.concurrency());
}

/// The source itself, shared, with room for strips of B.
template <class Exec, class Source>
struct CsrWithStrips {
  using Scalar = std::remove_const_t<typename Source::value_type>;
  using Array = Kokkos::View<Scalar*, typename Exec::device_type>;
  Source source;
  Array room{};
  int lines = 0;
  Array values{};  // none that are the format's own

  [[nodiscard]] auto pointers() const {
    return HostPackedPointers<Scalar>{.rows = source.rows,
                                      .cols = source.cols,
                                      .nnz = source.nnz,
                                      .csr = source.pointers(),
                                      .lines = lines,
                                      .room = room.data()};
  }
  [[nodiscard]] std::int64_t stored() const { return source.nnz; }
  [[nodiscard]] std::uint64_t bytes() const { return source.bytes() + room.span() * sizeof(Scalar); }
};

template <class Exec, class Source>
void update_values(Exec const&, CsrWithStrips<Exec, Source>& held, Source const& source) {
  held.source = source;
}

/// Candidates of these are listed for the types of their backends alone.
struct HeldStore {
  template <class Exec, class Source, class Hold>
  static StoredPtr<Exec, typename Source::value_type, std::int32_t> convert(
      [[maybe_unused]] Exec const& exec, [[maybe_unused]] Source const& source, Choice const& choice,
      [[maybe_unused]] StoreOptions const& options, [[maybe_unused]] Hold const& hold) {
    if constexpr (is_host_backend_space<Exec> && packs_on_host<typename Source::value_type>)
      if (is_held_on_host(choice))
        return is_csr_with_strips(choice) ? hold(with_strips(exec, source, options))
                                          : hold(packed_on_host(exec, source, options));
#ifdef KOKKOS_ENABLE_CUDA
    using Scalar = typename Source::value_type;
    if constexpr (is_cuda_space<Exec> && has_held_spmm<Scalar>) {
      if (choice.format == "dense") {
        auto dense = std::make_shared<CudaDense<Scalar>>(exec, source.pointers(), options.columns, options.precision,
                                                         options.memory_limit);
        exec.fence("araia::make_plan: the dense matrix is filled");  // the source may be released
        return hold(held(std::move(dense), source, false));
      }
      PackedCsrOptions packing;
      if (choice.kernel == "tensor_tiles") packing.precision = options.precision;
      packing.kernel = choice.kernel;
      packing.keep_sources = options.keep_maps;
      packing.memory_limit = options.memory_limit;
      auto packed =
          std::make_shared<CudaPackedCsr<Scalar, std::int32_t>>(exec, source.pointers(), options.columns, packing);
      bool const keeps_structure = packed->keeps_structure();
      return hold(held(std::move(packed), source, keeps_structure));
    }
#endif
    refuse(choice);
  }

  /// Only making it counts it, for products of so many columns: plans do, and no one else asks.
  template <class Exec, class Source>
  static Footprint count(Exec const&, Source const&, Choice const& choice, StoreOptions const&) {
    refuse(choice);
  }

 private:
  template <class Exec, class Source>
  static auto with_strips(Exec const& exec, Source const& source, StoreOptions const& options) {
    using Scalar = std::remove_const_t<typename Source::value_type>;
    auto const shape = host::copied_columns_shape(source.cols, source.nnz, options.columns, sizeof(Scalar));
    if (!shape) throw Error(ErrorKind::unsupported, "araia::make_plan: csr/copied_columns: the matrix has no entries");
    auto const room = static_cast<std::size_t>(host::copied_columns_room(source.cols, shape->lines, sizeof(Scalar)));
    CsrWithStrips<Exec, Source> matrix{.source = source, .lines = shape->lines};
    require_memory("araia::make_plan: csr/copied_columns", matrix.bytes() + room * sizeof(Scalar),
                   options.memory_limit);
    matrix.room = new_view<decltype(matrix.room)>(exec, "araia::csr::strips", room);
    ask_for_huge_pages(matrix.room);
    return matrix;
  }

  template <class Exec, class Source>
  static auto packed_on_host(Exec const& exec, Source const& source, StoreOptions const& options) {
    using Scalar = std::remove_const_t<typename Source::value_type>;
    exec.fence("araia::make_plan: the matrix is packed by the caller's thread");
    auto const a = source.pointers();
    auto const shape = host::cache_panel_shape(host::length_histogram(a.row_offsets, a.rows), a.cols, a.nnz,
                                               options.columns, sizeof(Scalar));
    if (!shape)
      throw Error(ErrorKind::unsupported, "araia::make_plan: csr/cache_panels: no panels for so sparse a matrix");
    std::uint64_t const bytes = host::cache_panels_bytes(a.rows, a.cols, a.nnz, sizeof(Scalar), *shape);
    require_memory("araia::make_plan: csr/cache_panels", bytes, options.memory_limit);
    auto packed = std::make_shared<host::CachePanels<Scalar>>(
        host::pack_cache_panels<Scalar>(a, *shape, exec.concurrency(), options.memory_limit));
    HostPackedMatrix<Exec, Scalar> matrix{packed, a.nnz};
    matrix.values = {packed->values.data(), packed->values.size()};
    return matrix;
  }

#ifdef KOKKOS_ENABLE_CUDA
  template <class Product, class Source>
  static auto held(std::shared_ptr<Product> product, Source source, bool keeps_structure) {
    source.values = {};
    if (!keeps_structure) {
      source.row_offsets = {};
      source.col_indices = {};
    }
    HeldMatrix<Product, Source> matrix{std::move(product), std::move(source)};
    if (auto* const data = matrix.product->values())
      matrix.values = {data, static_cast<std::size_t>(matrix.product->stored())};
    return matrix;
  }
#endif

  [[noreturn]] static void refuse(Choice const& choice) {
    throw Error(ErrorKind::unsupported, "araia::make_plan: no conversion to " + storage_label(choice));
  }
};

}  // namespace araia::detail
