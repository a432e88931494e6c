// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bsr/slices as plans bind it.
#include <utility>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/extend/kernel.hpp>
#include "backends/cuda/lib/device_arrays.hpp"
#include "backends/cuda/lib/spmv_bindings.hpp"
#include "backends/cuda/spmv/bsr_slices/descriptor.hpp"
#include "backends/cuda/spmv/bsr_slices/kernel.hpp"
#include "src/plan/narrowed.hpp"

namespace araia::cuda {
namespace {

/// A packing with its arrays.
template <class A>
struct OwnedSlices {
  BsrSlices<A> slices{};
  DeviceArrays arrays{"araia::bsr_slices::"};
  std::int64_t slots = 0;  // elements, fill and padding included
};

template <class A, class Offset>
OwnedSlices<A> pack_slices(Kokkos::Cuda const& exec, BsrPointers<A, std::int32_t, Offset> const& a,
                           std::uint64_t memory_limit) {
  OwnedSlices<A> packed;
  if (a.blocks == 0) return packed;
  auto& [slices, arrays, slots] = packed;
  slices.rows = a.rows;
  slices.cols = a.cols;
  slices.block_size = a.block_rows;
  slices.slices = bsr_slice_count(a);
  std::int64_t const lanes = slices.slices * bsr_slice_height;
  slices.step_offsets = arrays.template make<std::int64_t>(exec, "step_offsets", slices.slices + 1);
  slices.column_offsets = arrays.template make<std::int64_t>(exec, "column_offsets", slices.slices + 1);
  slices.block_rows = arrays.template make<std::int32_t>(exec, "block_rows", lanes);
  slices.lengths = arrays.template make<std::int32_t>(exec, "lengths", lanes);
  bsr_slices_count(a, slices, exec.cuda_stream());
  constexpr char const* reading = "araia::bsr_slices: sizes of the packing";
  std::int64_t const steps = detail::value_at(exec, reading, slices.step_offsets + slices.slices);
  std::int64_t const column_bytes =
      detail::value_at(exec, reading, slices.column_offsets + slices.slices) * bsr_slice_height;
  slots = steps * bsr_slice_height * slices.block_size * slices.block_size;
  detail::require_memory("araia::make_plan: bsr/slices",
                         arrays.bytes() + static_cast<std::uint64_t>(column_bytes) +
                             static_cast<std::uint64_t>(steps) * sizeof(std::int32_t) +
                             static_cast<std::uint64_t>(slots) * sizeof(A),
                         memory_limit);
  slices.bases = arrays.template make<std::int32_t>(exec, "bases", steps);
  slices.columns = arrays.template make<std::uint8_t>(exec, "columns", column_bytes);
  slices.values = arrays.template make<A>(exec, "values", slots);
  bsr_slices_fill(a, slices, exec.cuda_stream());
  return packed;
}

/// Keeps the structure of the blocks too, by which new values find their places.
template <class Own, class Structure>
class BoundSlices final : public Own {
 public:
  using Source = typename Own::Source;
  using Sum = typename Own::Sum;
  using A = typename Source::pointers_type::value_type;

  /// \param structure  without values
  BoundSlices(Structure structure, OwnedSlices<A> packed)
      : structure_(std::move(structure)), packed_(std::move(packed)) {}

  void run(Kokkos::Cuda const& exec, Sum alpha, typename Own::Operand const& x, Sum beta,
           typename Own::Result const& y) const override {
    bsr_spmv_slices(packed_.slices, alpha, x.data, beta, y.data, exec.cuda_stream());
  }
  void update_values(Kokkos::Cuda const& exec, Source const& source) override {
    if (structure_.blocks == 0) return;
    auto const narrow = detail::narrowed<Kokkos::Cuda, A>(exec, source);
    auto unpacked = structure_;
    unpacked.values =
        detail::new_array<A, typename Structure::device_type>(exec, "araia::bsr::values", unpacked.stored());
    detail::fill_array(exec, unpacked.values, {});  // fill stays zero
    araia::update_values(exec, unpacked, narrow);
    bsr_slices_fill(unpacked.pointers(), packed_.slices, exec.cuda_stream());
    exec.fence("araia::plan: the unpacked values are released");
  }
  [[nodiscard]] std::uint64_t bytes() const override { return structure_.bytes() + packed_.arrays.bytes(); }
  [[nodiscard]] BoundValues values() const override {
    return {packed_.slices.values, static_cast<std::uint64_t>(packed_.slots) * sizeof(A), packed_.slots,
            structure_.blocks};
  }

 private:
  Structure structure_;
  OwnedSlices<A> packed_;
};

/// Of the conversion before the packing.
template <class Options>
detail::StoreOptions bsr_store_options(Options const& options) {
  detail::StoreOptions store;
  store.memory_limit = options.memory_limit;
  return store;
}

}  // namespace

[[gnu::used]] static void write_out_bound_slices() { write_out_spmv_bindings<kernels::BsrSlicesSpmv>(); }

}  // namespace araia::cuda

namespace araia::kernels {

template <detail::RealBound Bound, class Exec, class Source, class Options>
std::shared_ptr<Bound> BsrSlicesSpmv::bind(Exec const& exec, Source const& source, Choice const& choice,
                                           Options const& options) {
  auto const narrow = detail::narrowed<Exec, typename Source::value_type>(exec, source);
  auto unpacked = csr_to_bsr(exec, narrow, detail::bsr_options(choice, cuda::bsr_store_options(options)));
  auto packed = cuda::pack_slices(exec, unpacked.pointers(), options.memory_limit);
  exec.fence("araia::plan: the unpacked values are released");
  unpacked.values = {};
  return std::make_shared<cuda::BoundSlices<Bound, decltype(unpacked)>>(unpacked, std::move(packed));
}

template <detail::RealBound Bound, class Exec, class Source, class Options>
Footprint BsrSlicesSpmv::count(Exec const& exec, Source const& source, Choice const& choice, Options const& options) {
  using A = typename Source::value_type;
  auto const store = cuda::bsr_store_options(options);
  auto const narrow = detail::narrowed<Exec, A>(exec, source);
  Footprint all = detail::count_as<detail::BsrStore, Exec, A>(exec, narrow, choice, store);
  all.bytes += packing_bytes(source.rows, all.pieces, detail::bsr_options(choice, store));
  return all;
}

}  // namespace araia::kernels
