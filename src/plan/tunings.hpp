// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The tuning structs that a plan's choice stands for.

#include <initializer_list>
#include <string>

#include <araia/dispatch/cuda_bsr_slices.hpp>
#include <araia/dispatch/cuda_csr_panels.hpp>
#include <araia/dispatch/cuda_csr_steps.hpp>
#include <araia/dispatch/spmm.hpp>
#include <araia/dispatch/spmv.hpp>
#include <araia/plan/plan.hpp>

namespace araia::detail {

template <class Kernel>
Kernel kernel_named(std::string const& name, std::initializer_list<Kernel> kernels) {
  for (Kernel const kernel : kernels)
    if (name == kernel_name(kernel)) return kernel;
  return Kernel::automatic;
}

/// The tuning structs that a choice stands for; only the one of its format is looked at.
template <class Desc>
struct Tunings;

template <>
struct Tunings<SpmvDesc> {
  explicit Tunings(Choice const& c)
      : csr{.kernel = kernel_named(
                c.kernel, {CsrSpmvKernel::thread_per_row, CsrSpmvKernel::vector_per_row, CsrSpmvKernel::transposed,
                           CsrSpmvKernel::host_simd, CsrSpmvKernel::host_simd_runs, CsrSpmvKernel::sub_warp,
                           CsrSpmvKernel::balanced, CsrSpmvKernel::equal_chunks, CsrSpmvKernel::column_panels}),
            .rows_per_team = c.rows_per_team,
            .team_size = c.team_size,
            .vector_length = c.vector_length},
        coo{.kernel = kernel_named(c.kernel, {CooSpmvKernel::atomic, CooSpmvKernel::segmented}),
            .entries_per_thread = c.entries,
            .team_size = c.team_size},
        ell{.rows_per_team = c.rows_per_team, .team_size = c.team_size},
        csc{.cols_per_team = c.rows_per_team, .team_size = c.team_size, .vector_length = c.vector_length},
        hyb{.ell = ell, .tail = {.entries_per_thread = c.entries}},
        sell{.kernel = kernel_named(c.kernel, {SellSpmvKernel::thread_per_row, SellSpmvKernel::transposed,
                                               SellSpmvKernel::host_simd, SellSpmvKernel::rows_per_lane}),
             .rows_per_team = c.rows_per_team,
             .team_size = c.team_size,
             .vector_length = c.vector_length},
        bsr{.rows_per_team = c.rows_per_team,
            .team_size = c.team_size,
            .vector_length = c.vector_length,
            .kernel = kernel_named(c.kernel, {BsrSpmvKernel::lanes_on_blocks, BsrSpmvKernel::transposed,
                                              BsrSpmvKernel::warp_per_block_row, BsrSpmvKernel::slices})},
        bcsc{.kernel = kernel_named(c.kernel, {BcscSpmvKernel::block_per_team, BcscSpmvKernel::transposed}),
             .team_size = c.team_size} {}
  CsrSpmvTuning csr;
  CooSpmvTuning coo;
  EllSpmvTuning ell;
  CscSpmvTuning csc;
  HybSpmvTuning hyb;
  SellSpmvTuning sell;
  BsrSpmvTuning bsr;
  BcscSpmvTuning bcsc;
};

template <>
struct Tunings<SpmmDesc> {
  explicit Tunings(Choice const& c)
      : csr{.kernel = kernel_named(
                c.kernel, {CsrSpmmKernel::columns_on_lanes, CsrSpmmKernel::transposed, CsrSpmmKernel::host_simd,
                           CsrSpmmKernel::host_simd_runs, CsrSpmmKernel::row_per_warp, CsrSpmmKernel::merge_split}),
            .rows_per_team = c.rows_per_team,
            .team_size = c.team_size,
            .vector_length = c.vector_length,
            .columns_per_lane = c.columns_per_lane},
        coo{.entries_per_team = c.entries, .team_size = c.team_size, .vector_length = c.vector_length},
        ell{.rows_per_team = c.rows_per_team,
            .team_size = c.team_size,
            .vector_length = c.vector_length,
            .columns_per_lane = c.columns_per_lane},
        csc{.cols_per_team = c.rows_per_team,
            .team_size = c.team_size,
            .vector_length = c.vector_length,
            .columns_per_lane = c.columns_per_lane},
        hyb{.ell = ell, .tail = {.entries_per_team = c.entries}},
        sell{.rows_per_team = c.rows_per_team,
             .team_size = c.team_size,
             .vector_length = c.vector_length,
             .columns_per_lane = c.columns_per_lane,
             .kernel = kernel_named(
                 c.kernel, {SellSpmmKernel::columns_on_lanes, SellSpmmKernel::transposed, SellSpmmKernel::host_simd})},
        bsr{.rows_per_team = c.rows_per_team,
            .team_size = c.team_size,
            .vector_length = c.vector_length,
            .kernel = kernel_named(c.kernel, {BsrSpmmKernel::columns_on_lanes, BsrSpmmKernel::transposed,
                                              BsrSpmmKernel::tensor_cores, BsrSpmmKernel::host_simd})},
        bcsc{.kernel = kernel_named(c.kernel, {BcscSpmmKernel::naive, BcscSpmmKernel::transposed, BcscSpmmKernel::tiled,
                                               BcscSpmmKernel::short_blocks, BcscSpmmKernel::warp_centric,
                                               BcscSpmmKernel::warp_centric_atomic, BcscSpmmKernel::host_simd}),
             .team_size = c.team_size,
             .columns_per_thread = c.columns_per_lane} {}
  CsrSpmmTuning csr;
  CooSpmmTuning coo;
  EllSpmmTuning ell;
  CscSpmmTuning csc;
  HybSpmmTuning hyb;
  SellSpmmTuning sell;
  BsrSpmmTuning bsr;
  BcscSpmmTuning bcsc;
};

template <class Desc, class S, class O, class F>
auto const& tuning_of(Tunings<Desc> const& t, CsrPointers<S, O, F> const&) {
  return t.csr;
}
template <class Desc, class S>
auto const& tuning_of(Tunings<Desc> const& t, CsrPanelsPointers<S> const&) {
  return t.csr;
}
template <class Desc, class S>
auto const& tuning_of(Tunings<Desc> const& t, CsrStepsPointers<S> const&) {
  return t.csr;
}
template <class Desc, class S, class O>
auto const& tuning_of(Tunings<Desc> const& t, CooPointers<S, O> const&) {
  return t.coo;
}
template <class Desc, class S, class O>
auto const& tuning_of(Tunings<Desc> const& t, EllPointers<S, O> const&) {
  return t.ell;
}
template <class Desc, class S, class O, class F>
auto const& tuning_of(Tunings<Desc> const& t, CscPointers<S, O, F> const&) {
  return t.csc;
}
template <class Desc, class S, class O>
auto const& tuning_of(Tunings<Desc> const& t, HybPointers<S, O> const&) {
  return t.hyb;
}
template <class Desc, class S, class O, class F>
auto const& tuning_of(Tunings<Desc> const& t, SellPointers<S, O, F> const&) {
  return t.sell;
}
template <class Desc, class S, class O, class F>
auto const& tuning_of(Tunings<Desc> const& t, BsrPointers<S, O, F> const&) {
  return t.bsr;
}
template <class Desc, class S>
auto const& tuning_of(Tunings<Desc> const& t, BsrSlicesPointers<S> const&) {
  return t.bsr;
}
template <class Desc, class Pointers>
requires is_bcsc_pointers_v<Pointers>
auto const& tuning_of(Tunings<Desc> const& t, Pointers const&) { return t.bcsc; }

}  // namespace araia::detail
