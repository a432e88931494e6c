// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Prices of hosts, seconds of one thread. Medians of a stencil-like, an FEM and a circuit matrix in f64, operands in
// cache: csr, coo and ell on Zen 4, the others on Emerald Rapids with two threads, bsr/host_simd beside csr's on Zen 5
// from memory, bcsc/host_simd beside csr's on Zen 3 with two threads; sddmm by docs/kernels/sddmm.md, which is on
// Emerald Rapids, csr/equal_chunks beside csr/host_simd.
//   <kernel>.entry   an entry, of the first column
//   <kernel>.column  further columns, relative to those of the SIMD kernels (host/flop)
// and of spgemm, row_bins by docs/kernels/spgemm.md, the others beside it on stencils, a power law and a uniform matrix
// on Emerald Rapids with two threads and other programs:
//   <kernel>.entry   a product in new values
//   <kernel>.first   a product in the symbolic step and the first filling
//   <kernel>.word    a word of marks, likewise

#include "src/machine/prices.hpp"

namespace araia::detail::prices {

inline constexpr Price x86[] = {
    {"spmv/csr_host_simd.entry", 0.45e-9},
    {"spmv/csr_host_simd.column", 1},
    {"spmm/csr_host_simd.entry", 0.45e-9},
    {"spmm/csr_host_simd.column", 1},
    {"spmv/csr_host_simd_runs.entry", 0.45e-9},
    {"spmv/csr_host_simd_runs.column", 1},
    {"spmm/csr_host_simd_runs.entry", 0.45e-9},
    {"spmm/csr_host_simd_runs.column", 1},
    {"spmv/csr_thread_per_row.entry", 0.8e-9},
    {"spmv/csr_vector_per_row.entry", 0.8e-9},
    {"spmv/csr_balanced.entry", 0.8e-9},
    {"spmm/csr_cache_panels.entry", 0.45e-9},
    {"spmm/csr_copied_columns.entry", 0.45e-9},
    {"spmm/csr_columns_on_lanes.entry", 0.8e-9},
    {"spmm/csr_columns_on_lanes.column", 4},
    {"spmv/csr_transposed.entry", 0.8e-9},
    {"spmm/csr_transposed.entry", 0.8e-9},
    {"spmm/csr_transposed.column", 4},
    {"spmv/coo_atomic.entry", 1.2e-9},
    {"spmm/coo_atomic.entry", 1.2e-9},
    {"spmm/coo_atomic.column", 4},
    {"spmv/coo_segmented.entry", 1.2e-9},
    {"spmv/csc_by_columns.entry", 0.8e-9},
    {"spmm/csc_by_columns.entry", 0.8e-9},
    {"spmm/csc_by_columns.column", 4},
    {"spmv/ell_thread_per_row.entry", 1.6e-9},
    {"spmm/ell_columns_on_lanes.entry", 1.6e-9},
    {"spmm/ell_columns_on_lanes.column", 6},
    {"spmv/ell_transposed.entry", 1.6e-9},
    {"spmm/ell_transposed.entry", 1.6e-9},
    {"spmm/ell_transposed.column", 6},
    {"spmv/hyb_ell_then_tail.entry", 2e-9},
    {"spmm/hyb_ell_then_tail.entry", 2e-9},
    {"spmm/hyb_ell_then_tail.column", 6},
    {"spmv/sell_thread_per_row.entry", 2e-9},
    {"spmv/sell_host_simd.entry", 0.7e-9},
    {"spmm/sell_host_simd.entry", 1.4e-9},
    {"spmm/sell_host_simd.column", 1},
    {"spmm/sell_columns_on_lanes.entry", 2e-9},
    {"spmm/sell_columns_on_lanes.column", 11},
    {"spmv/sell_transposed.entry", 2e-9},
    {"spmm/sell_transposed.entry", 2e-9},
    {"spmm/sell_transposed.column", 11},
    {"spmv/bsr_lanes_on_blocks.entry", 1.4e-9},
    {"spmm/bsr_columns_on_lanes.entry", 1.4e-9},
    {"spmm/bsr_columns_on_lanes.column", 5},
    {"spmm/bsr_host_simd.entry", 0.36e-9},
    {"spmm/bsr_host_simd.column", 0.8},
    {"spmv/bsr_transposed.entry", 1.4e-9},
    {"spmm/bsr_transposed.entry", 1.4e-9},
    {"spmm/bsr_transposed.column", 5},
    {"spmv/bcsc_block_per_team.entry", 1.9e-9},
    {"spmm/bcsc_naive.entry", 1.9e-9},
    {"spmm/bcsc_naive.column", 4},
    {"spmm/bcsc_warp_centric.entry", 5e-9},  // of teams, in turns of the processor with others
    {"spmm/bcsc_warp_centric.column", 2.5},
    {"spmm/bcsc_warp_centric_atomic.entry", 5e-9},
    {"spmm/bcsc_warp_centric_atomic.column", 2.5},
    {"spmm/bcsc_tiled.entry", 20e-9},
    {"spmm/bcsc_tiled.column", 8},
    {"spmm/bcsc_host_simd.entry", 0.8e-9},
    {"spmm/bcsc_host_simd.column", 1.6},
    {"spmv/bcsc_transposed.entry", 1.4e-9},
    {"spmm/bcsc_transposed.entry", 1.4e-9},
    {"spmm/bcsc_transposed.column", 4},
    // Conversions, bytes of Csr a second of one thread, on a machine of two cores; and of what they write beyond those
    // bytes, into new pages.
    {"storage/csr.rate", 0.5e9},
    {"storage/coo.rate", 0.6e9},
    {"storage/csc.rate", 0.2e9},
    {"storage/ell.rate", 0.4e9},
    {"storage/hyb.rate", 0.2e9},
    {"storage/sell.rate", 0.3e9},
    {"storage/bsr.rate", 0.2e9},
    {"storage/bcsc.rate", 0.4e9},
    {"storage/rate_of_diagonals", 0.45},
    {"storage/writes", 0.5e9},
    {"sddmm/csr_host_simd.entry", 2e-9},
    {"sddmm/csr_host_simd.column", 1.5},
    {"sddmm/csr_equal_chunks.entry", 3e-9},
    {"sddmm/csr_equal_chunks.column", 6},
    {"spgemm/csr_row_bins.entry", 2e-9},
    {"spgemm/csr_row_bins.first", 8e-9},
    {"spgemm/csr_hash.entry", 8e-9},
    {"spgemm/csr_hash.first", 50e-9},
    {"spgemm/csr_dense_window.entry", 8e-9},
    {"spgemm/csr_dense_window.first", 45e-9},
    {"spgemm/csr_dense_window.word", 0.3e-9},
    {"spgemm/csr_expand_sort_merge.entry", 8e-9},
    {"spgemm/csr_expand_sort_merge.first", 55e-9},
    {"spgemm/csr_outer_product.entry", 8e-9},
    {"spgemm/csr_outer_product.first", 58e-9},
    {"host/simd_entry", 0.45e-9},      // of csr: what other storages come to that run as it does
    {"host/atomic_entry", 6e-9},       // an uncontended atomic addition
    {"host/diagonal_entry", 0.15e-9},  // 7-point stencil in L3 of a Zen 5
    {"host/row", 1.5e-9},              // loop entry, store
    {"host/flop", 0.12e-9},            // SpMM, vectorised over columns
    {"host/one_column_a_step", 1.6},   // of a column, where a lane sums one at a time
    {"host/strided_column", 2},        // of a column
};

}  // namespace araia::detail::prices
