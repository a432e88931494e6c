// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which tuning struct belongs to which format. A format outside this list specialises both beside its dispatch.

#include <araia/formats/coo.hpp>
#include <araia/formats/csr.hpp>
#include <araia/formats/ell.hpp>
#include <araia/kernels/spmm_tuning.hpp>
#include <araia/kernels/spmv_tuning.hpp>

namespace araia {

namespace detail {
template <class Matrix>
struct SpmvTuningOf;
template <class Matrix>
struct SpmmTuningOf;

template <class S, class O, class F, class D>
struct SpmvTuningOf<Csr<S, O, F, D>> {
  using type = CsrSpmvTuning;
};
template <class S, class O, class D>
struct SpmvTuningOf<Coo<S, O, D>> {
  using type = CooSpmvTuning;
};
template <class S, class O, class D>
struct SpmvTuningOf<Ell<S, O, D>> {
  using type = EllSpmvTuning;
};

template <class S, class O, class F, class D>
struct SpmmTuningOf<Csr<S, O, F, D>> {
  using type = CsrSpmmTuning;
};
template <class S, class O, class D>
struct SpmmTuningOf<Coo<S, O, D>> {
  using type = CooSpmmTuning;
};
template <class S, class O, class D>
struct SpmmTuningOf<Ell<S, O, D>> {
  using type = EllSpmmTuning;
};
}  // namespace detail

/// The tuning struct of a format's SpMV kernels.
template <class Matrix>
using spmv_tuning_t = typename detail::SpmvTuningOf<Matrix>::type;

/// The tuning struct of a format's SpMM kernels.
template <class Matrix>
using spmm_tuning_t = typename detail::SpmmTuningOf<Matrix>::type;

}  // namespace araia
