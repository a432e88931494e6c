// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In place of kernel.cu where no architecture of the build has warpgroup MMA.

#include <araia/error.hpp>

#include "backends/cuda/spmm/csr_tensor_tiles/kernel.hpp"

namespace araia::cuda {

bool tile_spmm_runs_on(int, int) { return false; }

template <class Offset>
void tile_spmm(TilePointers const&, CsrPointers<float, std::int32_t, Offset> const&, Precision, float,
               DenseMatrix<float const> const&, float, DenseMatrix<float> const&, TileSpmmTuning const&, cudaStream_t,
               EpiloguePointers<float> const&) {
  throw Error(ErrorKind::unsupported, "araia: tile_spmm: built without sm_90a, which it needs");
}

template void tile_spmm(TilePointers const&, CsrPointers<float, std::int32_t, std::int32_t> const&, Precision, float,
                        DenseMatrix<float const> const&, float, DenseMatrix<float> const&, TileSpmmTuning const&,
                        cudaStream_t, EpiloguePointers<float> const&);
template void tile_spmm(TilePointers const&, CsrPointers<float, std::int32_t, std::int64_t> const&, Precision, float,
                        DenseMatrix<float const> const&, float, DenseMatrix<float> const&, TileSpmmTuning const&,
                        cudaStream_t, EpiloguePointers<float> const&);

}  // namespace araia::cuda
