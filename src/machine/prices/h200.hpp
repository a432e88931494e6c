// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Prices of an H200. docs/lab/cuda_spmv_prices.md has what SpMV kernels took.
//   <kernel>.waste  time over that of the bytes at the read bandwidth, rows evenly long
// ell's is the measure of the other portable kernels; sell took twice its time for equal bytes; those of the CUDA
// backend are beside the copy rate. csr_balanced was not run on a device yet: its waste is that of Kokkos Kernels'
// merge path, so that it is taken where the others wait for their longest row.

#include "src/machine/prices.hpp"

namespace araia::detail::prices {

inline constexpr Price h200[] = {
    {"spmv/csr_thread_per_row.waste", 1},
    {"spmv/csr_vector_per_row.waste", 1},
    {"spmv/csr_sub_warp.waste", 1.25},
    {"spmv/csr_balanced.waste", 2.5},
    {"spmv/csr_equal_chunks.waste", 1.15},
    {"spmv/csr_column_panels.waste", 1},
    {"spmv/csr_column_steps.waste", 1.1},
    {"spmm/csr_row_per_warp.waste", 0.9},
    {"spmm/csr_merge_split.waste", 0.9},
    {"spmm/csr_columns_on_lanes.waste", 1},
    {"spmv/csr_transposed.waste", 1},
    {"spmm/csr_transposed.waste", 1},
    {"spmv/coo_atomic.waste", 1.7},
    {"spmm/coo_atomic.waste", 1.7},
    {"spmv/coo_segmented.waste", 1.8},
    {"spmv/csc_by_columns.waste", 1},
    {"spmm/csc_by_columns.waste", 1},
    {"spmv/ell_thread_per_row.waste", 1.3},
    {"spmm/ell_columns_on_lanes.waste", 1},
    {"spmv/ell_transposed.waste", 1},
    {"spmm/ell_transposed.waste", 1},
    {"spmv/hyb_ell_then_tail.waste", 1.5},
    {"spmm/hyb_ell_then_tail.waste", 1.5},
    {"spmv/sell_thread_per_row.waste", 4},
    {"spmv/sell_rows_per_lane.waste", 1.1},
    {"spmv/sell_rows_per_lane.one_row_a_lane", 1.08},  // times two rows, where a slot takes few bytes
    {"spmv/bsr_lanes_on_blocks.waste", 3.5},
    {"spmv/bsr_warp_per_block_row.waste", 1.4},
    {"spmv/bsr_warp_per_block_row.block_row", 0.25e-9},  // seconds, device-wide
    {"spmv/bsr_slices.waste", 1.1},
    {"spmm/bsr_tensor_cores.waste", 1.5},
    {"spmm/bsr_tensor_cores.rounding_of_float", 1.5},  // which double does not have
    {"spmm/bsr_tensor_cores.usual_row_bytes", 256},    // of C: with less, tensor cores wait for memory rather
    {"spmm/bsr_tensor_cores.waits_of_few_columns", 1.6},
    {"spmv/bcsc_block_per_team.waste", 12},
    // Times over short_blocks, which has no price either: the order of bcsc's kernels of SpMM, no more. Pruned layers
    // and six classes by 32 to 2048 columns, docs/lab/thesis_2019.md and docs/kernels/bcsc_teams.md.
    {"spmm/bcsc_tiled.times", 1.25},
    {"spmm/bcsc_warp_centric_atomic.times", 3},
    {"spmm/bcsc_warp_centric.times", 4},
    {"spmm/bcsc_naive.times", 20},

    // SpMV by rows of csr. Seconds of a lane for a row of vector_per_row, device-wide, beside the bytes: f64, 16
    // matrices of 1 to 16 lanes a row within a fifth, of 32 within a third.
    {"spmv/csr_vector_per_row.row", 6e-12},
    {"spmv/csr_vector_per_row.least_waste", 1.6},
    // sub_warp: rows of more than some passes go to the warp, and beyond a thousand entries to the block.
    {"spmv/csr_sub_warp.uneven", 0.15},  // for each deviation over the mean, up to four
    {"spmv/csr_sub_warp.passes", 4},
    {"spmv/csr_sub_warp.take_over", 4e-6},
    {"spmv/csr_sub_warp.block_entries", 512},  // of a pass
    // Dependent loads of one chunk, by their number, and of 256 rows more that begin in a chunk of equal_chunks.
    {"spmv/csr_balanced.chunk", 3e-6},
    {"spmv/csr_equal_chunks.chunk", 1.5e-6},
    {"spmv/csr_equal_chunks.more_rows", 0.5e-6},
    {"spmv/csr_equal_chunks.launches", 1.5},  // its second one starts while the first one ends
    // column_panels: panels are loaded and the first band multiplied before sums begin; then bytes through the L2 bind,
    // at a share of its bandwidth.
    {"spmv/csr_column_panels.start", 8e-6},
    {"spmv/csr_column_panels.of_cache", 0.4},
    {"spmv/csr_column_panels.rows_of_threads", 0.5e-6},

    // docs/kernels/sddmm.md: a stencil and pruned matrices, f32 and f64, k of 32 to 256
    {"sddmm/csr_row_parts.waste", 1},
    {"sddmm/csr_row_parts.entry", 12e-12},
    {"sddmm/csr_row_parts.byte", 0.08e-12},  // of a row of Y from the caches
    {"sddmm/csr_column_panels.waste", 1},
    {"sddmm/csr_column_panels.entry", 5e-12},
    {"sddmm/csr_column_panels.byte", 0.06e-12},  // of a row of Y from shared memory
    {"sddmm/csr_column_panels.panel_byte", 10e-12},
    // docs/kernels/spgemm.md: row_bins by its table. The others were not measured on a device: as they form new values
    // by a search in C's rows, they stand behind it by about as much as on hosts.
    {"spgemm/csr_row_bins.waste", 1.2},
    {"spgemm/csr_row_bins.product", 3e-12},
    {"spgemm/csr_row_bins.first", 8e-12},
    {"spgemm/csr_hash.waste", 1.2},
    {"spgemm/csr_hash.product", 12e-12},
    {"spgemm/csr_hash.first", 50e-12},
    {"spgemm/csr_dense_window.waste", 1.2},
    {"spgemm/csr_dense_window.product", 12e-12},
    {"spgemm/csr_dense_window.first", 40e-12},
    {"spgemm/csr_dense_window.word", 2e-12},
    {"spgemm/csr_expand_sort_merge.waste", 1.2},
    {"spgemm/csr_expand_sort_merge.product", 12e-12},
    {"spgemm/csr_expand_sort_merge.first", 100e-12},
    {"spgemm/csr_outer_product.waste", 1.2},
    {"spgemm/csr_outer_product.product", 12e-12},
    {"spgemm/csr_outer_product.first", 110e-12},

    // A pass along a row loads columns and then the x that they name: rows of 125000 entries, 8 lanes of two entries.
    {"device/pass", 0.3e-6},
    {"device/step", 0.1e-6},        // steps of a lane's own row overlap
    {"device/atomic", 1.0 / 60e9},  // seconds, device-wide
    {"device/gather", 1.0 / 150e9},
    // A gather that goes to the L2 is a request there as 64 bytes of the matrix are.
    {"device/request", 1.0 / 158e9},
    {"device/request_bytes", 64},
    {"device/chain", 8e-9},  // SpMM: seconds an entry of one row's serial chain
    // SpMM of the portable kernels, whose lanes have a column each: seconds of a lane for an entry and for a row,
    // device-wide; a pass takes 1, 2, 4, ... or 32 columns. Fits to 7- and 27-point stencils by 1 to 33 columns of f32
    // and f64; for several columns a lane it is a guess.
    {"device/lane_entry", 0.65e-12},
    {"device/lane_row", 12e-12},
    {"device/padded_lanes", 1.3},     // of storages other than csr and csc
    {"device/least_lanes", 5},        // an entry of csr and csc: fewer read entries of rows that lie apart
    {"device/lanes_of_double", 1.4},  // an H100
    // SpMM by a warp a row or a chunk: seconds of a row and an entry by no column, and of each byte of B's rows more.
    // Fits to 7- and 27-point stencils by 8 to 128 columns: rows wait for memory in turn, entries for L1.
    {"device/warp_row", 0.33e-9},
    {"device/warp_row_byte", 1.2e-12},
    {"device/warp_entry", 3e-12},
    {"device/warp_entry_byte", 0.055e-12},
    {"device/warp_double", 1.2},
    // SpMM beside padded rows, whose rule knows more of the caches that B comes from: the same kernel, but for what the
    // ends of rows cost it and the padding that it does not read.
    {"device/padded_entries", 8},  // rows are multiples of it
    {"device/ends_of_rows", 1.2},
    {"device/few_columns", 256},
    {"device/much_longer", 4},  // than the mean
    {"device/doubles_in_few_columns", 0.8},
    {"device/doubles_in_many_columns", 1.05},
    {"device/least_over_padded", 1.02},
    {"device/others_over_padded", 1.1},
    // merge_split over row_per_warp on rows of like length: a guess where they have more entries.
    {"spmm/csr_merge_split.over_short_rows", 0.75},
    {"spmm/csr_merge_split.over_long_rows", 1.2},
    {"spmm/csr_merge_split.over_shortest_rows", 1.25},  // beside row_per_warp that shares warps, cold
    {"spmm/csr_merge_split.short_rows", 16},            // entries in the mean

    // Conversions, bytes of Csr a second; what they write beyond those bytes at a share of the copy bandwidth.
    {"storage/csr.rate", 60e9},
    {"storage/coo.rate", 350e9},
    {"storage/csc.rate", 120e9},
    {"storage/ell.rate", 300e9},
    {"storage/hyb.rate", 180e9},
    {"storage/sell.rate", 220e9},
    {"storage/bsr.rate", 100e9},
    {"storage/bcsc.rate", 70e9},
    {"storage/rate_of_diagonals", 0.3},
    {"storage/writes", 0.3},
    {"device/unmeasured_waste", 1.5},  // of kernels without one: the race decides
};

}  // namespace araia::detail::prices
