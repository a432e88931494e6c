// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The one list of kernels that plans choose from: a kernel is its folder and its line here. Lists, help and the first
// of equals follow this order. Kernels of one storage and name are told apart by what they run: the first stands for
// the name that runs the types on the space and reads all parameters that the choice sets, so a backend's stand before
// a portable one.

#include "backends/cuda/sddmm/csr_column_panels/descriptor.hpp"
#include "backends/cuda/sddmm/csr_row_parts/descriptor.hpp"
#include "backends/cuda/spgemm/csr_row_bins/descriptor.hpp"
#include "backends/cuda/spmm/bcsc_short_blocks/descriptor.hpp"
#include "backends/cuda/spmm/bcsc_tiled/descriptor.hpp"
#include "backends/cuda/spmm/bcsc_warp_centric/descriptor.hpp"
#include "backends/cuda/spmm/bcsc_warp_centric_atomic/descriptor.hpp"
#include "backends/cuda/spmm/bsr_tensor_cores/descriptor.hpp"
#include "backends/cuda/spmm/csr_jammed/descriptor.hpp"
#include "backends/cuda/spmm/csr_lockstep/descriptor.hpp"
#include "backends/cuda/spmm/csr_merge_split/descriptor.hpp"
#include "backends/cuda/spmm/csr_padded_rows/descriptor.hpp"
#include "backends/cuda/spmm/csr_row_groups/descriptor.hpp"
#include "backends/cuda/spmm/csr_row_per_warp/descriptor.hpp"
#include "backends/cuda/spmm/csr_tensor_tiles/descriptor.hpp"
#include "backends/cuda/spmm/dense_cublas/descriptor.hpp"
#include "backends/cuda/spmv/bsr_slices/descriptor.hpp"
#include "backends/cuda/spmv/bsr_warp_per_block_row/descriptor.hpp"
#include "backends/cuda/spmv/csr_column_panels/descriptor.hpp"
#include "backends/cuda/spmv/csr_column_steps/descriptor.hpp"
#include "backends/cuda/spmv/csr_equal_chunks/descriptor.hpp"
#include "backends/cuda/spmv/csr_sub_warp/descriptor.hpp"
#include "backends/cuda/spmv/sell_rows_per_lane/descriptor.hpp"
#include "backends/openmp/sddmm/csr_host_simd/descriptor.hpp"
#include "backends/openmp/spgemm/csr_row_bins/descriptor.hpp"
#include "backends/openmp/spmm/bcsc_host_simd/descriptor.hpp"
#include "backends/openmp/spmm/bsr_host_simd/descriptor.hpp"
#include "backends/openmp/spmm/csr_cache_panels/descriptor.hpp"
#include "backends/openmp/spmm/csr_copied_columns/descriptor.hpp"
#include "backends/openmp/spmm/csr_host_simd/descriptor.hpp"
#include "backends/openmp/spmm/csr_host_simd_runs/descriptor.hpp"
#include "backends/openmp/spmm/csr_reference/descriptor.hpp"
#include "backends/openmp/spmm/sell_host_simd/descriptor.hpp"
#include "backends/openmp/spmv/csr_host_simd/descriptor.hpp"
#include "backends/openmp/spmv/csr_host_simd_runs/descriptor.hpp"
#include "backends/openmp/spmv/csr_reference/descriptor.hpp"
#include "backends/openmp/spmv/sell_host_simd/descriptor.hpp"
#include "backends/portable/sddmm/csr_equal_chunks/descriptor.hpp"
#include "backends/portable/spgemm/csr_dense_window/descriptor.hpp"
#include "backends/portable/spgemm/csr_expand_sort_merge/descriptor.hpp"
#include "backends/portable/spgemm/csr_hash/descriptor.hpp"
#include "backends/portable/spgemm/csr_outer_product/descriptor.hpp"
#include "backends/portable/spmm/bcsc_naive/descriptor.hpp"
#include "backends/portable/spmm/bcsc_tiled/descriptor.hpp"
#include "backends/portable/spmm/bcsc_transposed/descriptor.hpp"
#include "backends/portable/spmm/bcsc_warp_centric/descriptor.hpp"
#include "backends/portable/spmm/bcsc_warp_centric_atomic/descriptor.hpp"
#include "backends/portable/spmm/bsr_columns_on_lanes/descriptor.hpp"
#include "backends/portable/spmm/bsr_transposed/descriptor.hpp"
#include "backends/portable/spmm/coo_atomic/descriptor.hpp"
#include "backends/portable/spmm/csc_by_columns/descriptor.hpp"
#include "backends/portable/spmm/csr_columns_on_lanes/descriptor.hpp"
#include "backends/portable/spmm/csr_transposed/descriptor.hpp"
#include "backends/portable/spmm/ell_columns_on_lanes/descriptor.hpp"
#include "backends/portable/spmm/ell_transposed/descriptor.hpp"
#include "backends/portable/spmm/hyb_ell_then_tail/descriptor.hpp"
#include "backends/portable/spmm/sell_columns_on_lanes/descriptor.hpp"
#include "backends/portable/spmm/sell_transposed/descriptor.hpp"
#include "backends/portable/spmv/bcsc_block_per_team/descriptor.hpp"
#include "backends/portable/spmv/bcsc_transposed/descriptor.hpp"
#include "backends/portable/spmv/bsr_lanes_on_blocks/descriptor.hpp"
#include "backends/portable/spmv/bsr_transposed/descriptor.hpp"
#include "backends/portable/spmv/coo_atomic/descriptor.hpp"
#include "backends/portable/spmv/coo_segmented/descriptor.hpp"
#include "backends/portable/spmv/csc_by_columns/descriptor.hpp"
#include "backends/portable/spmv/csr_balanced/descriptor.hpp"
#include "backends/portable/spmv/csr_thread_per_row/descriptor.hpp"
#include "backends/portable/spmv/csr_transposed/descriptor.hpp"
#include "backends/portable/spmv/csr_vector_per_row/descriptor.hpp"
#include "backends/portable/spmv/ell_thread_per_row/descriptor.hpp"
#include "backends/portable/spmv/ell_transposed/descriptor.hpp"
#include "backends/portable/spmv/hyb_ell_then_tail/descriptor.hpp"
#include "backends/portable/spmv/sell_thread_per_row/descriptor.hpp"
#include "backends/portable/spmv/sell_transposed/descriptor.hpp"

namespace araia::kernels {

template <class... Kernel>
struct List {};

using All =
    List<CsrHostSimdSpmv, CsrHostSimdSpmm, CsrHostSimdRunsSpmv, CsrHostSimdRunsSpmm, CsrThreadPerRowSpmv,
         CsrVectorPerRowSpmv, CsrSubWarpSpmv, CsrBalancedSpmv, CsrEqualChunksSpmv, CsrColumnPanelsSpmv,
         CsrColumnStepsSpmv, CsrRowPerWarpSpmm, CsrMergeSplitSpmm, CsrCachePanelsSpmm, CsrCopiedColumnsSpmm,
         CsrPaddedRowsSpmm, CsrRowGroupsSpmm, CsrJammedSpmm, CsrLockstepSpmm, CsrTensorTilesSpmm, DenseCublasSpmm,
         CsrColumnsOnLanesSpmm, CsrTransposedSpmv, CsrTransposedSpmm, CsrReferenceSpmv, CsrReferenceSpmm, CooAtomicSpmv,
         CooAtomicSpmm, CooSegmentedSpmv, CscByColumnsSpmv, CscByColumnsTransposedSpmv, CscByColumnsSpmm,
         CscByColumnsTransposedSpmm, EllThreadPerRowSpmv, EllColumnsOnLanesSpmm, EllTransposedSpmv, EllTransposedSpmm,
         HybEllThenTailSpmv, HybTransposedSpmv, HybEllThenTailSpmm, HybTransposedSpmm, SellThreadPerRowSpmv,
         SellHostSimdSpmv, SellHostSimdSpmm, SellRowsPerLaneSpmv, SellColumnsOnLanesSpmm, SellTransposedSpmv,
         SellTransposedSpmm, BsrLanesOnBlocksSpmv, BsrWarpPerBlockRowSpmv, BsrSlicesSpmv, BsrColumnsOnLanesSpmm,
         BsrHostSimdSpmm, BsrTensorCoresSpmm, BsrTransposedSpmv, BsrTransposedSpmm, BcscBlockPerTeamSpmv, BcscNaiveSpmm,
         BcscHostSimdSpmm, BcscTiledSpmm, BcscShortBlocksSpmm, BcscWarpCentricSpmm, BcscWarpCentricAtomicSpmm,
         BcscTiledTeamsSpmm, BcscWarpCentricTeamsSpmm, BcscWarpCentricAtomicTeamsSpmm, BcscTransposedSpmv,
         BcscTransposedSpmm, CsrHostSimdSddmm, CsrRowPartsSddmm, CsrColumnPanelsSddmm, CsrEqualChunksSddmm,
         CsrRowBinsHostSpgemm, CsrRowBinsCudaSpgemm, CsrHashSpgemm, CsrDenseWindowSpgemm, CsrExpandSortMergeSpgemm,
         CsrOuterProductSpgemm>;

}  // namespace araia::kernels
