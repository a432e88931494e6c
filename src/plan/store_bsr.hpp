// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How a plan makes and counts a Bsr.

#include <araia/dispatch/cuda_bsr_slices.hpp>
#include <araia/formats/csr_to_bsr.hpp>
#include "src/plan/store.hpp"

namespace araia::detail {

#ifdef KOKKOS_ENABLE_CUDA
/// A Bsr whose values lie in slices. It keeps the structure of its blocks, by which new values find their places.
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
  if (B.blocks == 0) return;
  auto unpacked = B.structure;
  unpacked.values = new_array<typename Format::value_type, typename Format::device_type>(exec, "araia::bsr::values",
                                                                                         unpacked.stored());
  fill_array(exec, unpacked.values, {});  // fill stays zero
  araia::update_values(exec, unpacked, source);
  araia::update_values(exec, B.slices, unpacked);
  exec.fence("araia::plan: the unpacked values are released");
}
#endif

struct BsrStore {
  template <class Exec, class Source, class Hold>
  static auto convert(Exec const& exec, Source const& source, Choice const& choice, StoreOptions const& options,
                      Hold const& hold) {
#ifdef KOKKOS_ENABLE_CUDA
    using Scalar = typename Source::value_type;
    if constexpr (is_cuda_space<Exec> && CudaKernels<Scalar, std::int32_t, std::int32_t, Scalar, Scalar>::exists)
      if (is_bsr_in_slices(choice)) {
        auto unpacked = csr_to_bsr(exec, source, sized(exec, source, bsr_options(choice, options)));
        auto const slices = bsr_to_slices(exec, unpacked, options.memory_limit);
        exec.fence("araia::plan: the unpacked values are released");
        unpacked.values = {};
        return hold(SlicedBsr<decltype(unpacked)>{unpacked, slices});
      }
#endif
    return hold(csr_to_bsr(exec, source, sized(exec, source, bsr_options(choice, options))));
  }

  template <class Exec, class Source>
  static Footprint count(Exec const& exec, Source const& source, Choice const& choice, StoreOptions const& options) {
    using Format = Bsr<typename Source::value_type, std::int32_t, std::int32_t, typename Exec::device_type>;
    auto const wanted = sized(exec, source, bsr_options(choice, options));
    Kokkos::View<std::int32_t*, typename Exec::device_type> sorted;
    auto const a = blockable(exec, "araia::count_bytes", source, sorted);
    std::int64_t const blocks =
        count_blocks(exec, a, wanted.block_rows, wanted.block_cols, 0, blocks_along(source.rows, wanted.block_rows));
    std::uint64_t const packing = is_bsr_in_slices(choice) ? bsr_packing_bytes(source.rows, blocks, wanted) : 0;
    return {.bytes = bsr_bytes<Format>(source.rows, source.nnz, blocks, source.has_values(), wanted) + packing,
            .slots = blocks * wanted.block_rows * wanted.block_cols,
            .pieces = blocks,
            .exact = true};
  }

 private:
  /// Zeros stand for the shape of the fewest bytes.
  template <class Exec, class Source>
  static BsrOptions sized(Exec const& exec, Source const& source, BsrOptions options) {
    if (options.block_rows > 0 && options.block_cols > 0) return options;
    auto const best = detect_block_size(exec, source);
    if (options.block_rows == 0) options.block_rows = best.block_rows;
    if (options.block_cols == 0) options.block_cols = best.block_cols;
    return options;
  }
};

}  // namespace araia::detail
