// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packs a Bsr for bsr/slices, alone and for plans.

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/dispatch/cuda_bsr_slices.hpp>
#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <string>

#include "backends/cuda/lib/bound_packing.hpp"
#include "backends/cuda/spmv/bsr_slices/descriptor.hpp"
#include "backends/cuda/spmv/bsr_slices/kernel.hpp"
#include "src/plan/narrowed.hpp"

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

/// A Bsr whose values lie in slices, made from a Csr. It keeps the structure of its blocks, by which new values find
/// their places.
template <class Format>
struct SlicedBsr {
  using value_type = typename Format::value_type;
  Format structure;  // without values
  BsrSlices<value_type> slices;
  std::int64_t blocks = slices.blocks;
  decltype(BsrSlices<value_type>::values) values = slices.values;

  [[nodiscard]] auto pointers() const { return slices.pointers(); }
  [[nodiscard]] std::int64_t stored() const { return slices.stored(); }
  [[nodiscard]] std::uint64_t bytes() const { return structure.bytes() + slices.bytes(); }
};

template <class Format, class Source>
void update_values(Kokkos::Cuda const& exec, SlicedBsr<Format> const& B, Source const& source) {
  using Scalar = typename Format::value_type;
  if (B.blocks == 0) return;
  auto const narrow = narrowed<Kokkos::Cuda, Scalar>(exec, source);
  auto unpacked = B.structure;
  unpacked.values = new_array<Scalar, typename Format::device_type>(exec, "araia::bsr::values", unpacked.stored());
  fill_array(exec, unpacked.values, {});  // fill stays zero
  araia::update_values(exec, unpacked, narrow);
  araia::update_values(exec, B.slices, unpacked);
  exec.fence("araia::plan: the unpacked values are released");
}

/// Of the conversion before the packing.
template <class Options>
StoreOptions bsr_store_options(Options const& options) {
  StoreOptions store;
  store.memory_limit = options.memory_limit;
  return store;
}

}  // namespace

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

template <class A>
template <class X>
void PackedSpmv<BsrSlicesPointers<A>>::run(Pointers const& a, X alpha, X const* x, X beta, X* y, cudaStream_t stream) {
  cuda::bsr_spmv_slices(backend_slices(a), alpha, x, beta, y, stream);
}

[[gnu::used]] static void write_out_cuda_slices() {
  for_types<RealProducts>(
      [&]<class A, class X, class Y>() { write_out(PackedSpmv<BsrSlicesPointers<A>>::template run<X>); });
  for_types<Reals, AllOffsets>([&]<class A, class F>() {
    write_out(pack_slices<A, F>);
    write_out(fill_slices<A, F>);
  });
  write_out_bindings<kernels::BsrSlicesSpmv>();
}

}  // namespace araia::detail

namespace araia::kernels {

template <detail::RealBound Bound, class Exec, class Source, class Options>
std::shared_ptr<Bound> BsrSlicesSpmv::bind(Exec const& exec, Source const& source, Choice const& choice,
                                           Options const& options) {
  using A = std::remove_const_t<typename Source::value_type>;
  auto const narrow = detail::narrowed<Exec, A>(exec, source);
  auto unpacked = csr_to_bsr(exec, narrow, detail::bsr_options(choice, detail::bsr_store_options(options)));
  auto const slices = bsr_to_slices(exec, unpacked, options.memory_limit);
  exec.fence("araia::plan: the unpacked values are released");
  unpacked.values = {};
  return detail::BoundPackingOf<Bound>::of(detail::SlicedBsr<decltype(unpacked)>{unpacked, slices});
}

template <detail::RealBound Bound, class Exec, class Source, class Options>
Footprint BsrSlicesSpmv::count(Exec const& exec, Source const& source, Choice const& choice, Options const& options) {
  using A = std::remove_const_t<typename Source::value_type>;
  auto const store = detail::bsr_store_options(options);
  auto const narrow = detail::narrowed<Exec, A>(exec, source);
  Footprint all = detail::count_as<detail::BsrStore, Exec, A>(exec, narrow, choice, store);
  all.bytes += packing_bytes(source.rows, all.pieces, detail::bsr_options(choice, store));
  return all;
}

}  // namespace araia::kernels
