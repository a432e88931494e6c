// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// csr/tensor_tiles as plans bind it.
#include "backends/cuda/lib/packed_bound.hpp"
#include "backends/cuda/spmm/csr_tensor_tiles/descriptor.hpp"
#include "backends/cuda/spmm/csr_tensor_tiles/kernel.hpp"

namespace araia::cuda {

template <>
class PackedCode<kernels::CsrTensorTilesSpmm, float> : public PackedDefaults {
 public:
  static constexpr bool sums_again = true;
  static constexpr bool plain_nan = true;
  PackedCode(TileChoice const& choice, BindOptions const& options)
      : tuning_(choice.tuning), precision_(options.precision) {}

  template <class Host>
  [[nodiscard]] auto pack(Host const& host, bool keep_sources) const {
    return tile_packing(host, host_threads(), keep_sources);
  }
  void place(Kokkos::Cuda const& exec, DeviceArrays& to, TilePacking const& p, float* words) {
    tiles_ = {p.rows,
              p.cols,
              p.row_tiles,
              p.col_tiles,
              to.put(exec, "tile_offsets", p.tile_offsets),
              words,
              to.put(exec, "positions", p.positions)};
    if (!p.next.empty()) next_ = to.put(exec, "next", p.next);
  }
  [[nodiscard]] std::int32_t const* next() const { return next_; }
  template <class Place>
  void run(Place const& at, float alpha, DenseMatrix<float const> const& b, float beta, DenseMatrix<float> const& c,
           EpiloguePointers<float> const& epilogue) const {
    tile_spmm(tiles_, at.a, precision_, alpha, b, beta, c, tuning_, at.exec.cuda_stream(), epilogue);
  }

 private:
  TileSpmmTuning tuning_;
  Precision precision_;
  TilePointers tiles_;
  std::int32_t const* next_ = nullptr;  // of duplicates
};

[[gnu::used]] static void write_out_tensor_tiles() { write_out_packed<kernels::CsrTensorTilesSpmm>(); }

}  // namespace araia::cuda
