// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which tuning struct belongs to which format, by its pointers. A format outside this list specialises both beside its
// dispatch.

#include <utility>

#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/kernels/spmm_tuning.hpp>
#include <araia/detail/kernels/spmv_tuning.hpp>

namespace araia {

namespace detail {
template <class Pointers>
struct SpmvTuningOf;
template <class Pointers>
struct SpmmTuningOf;

template <class S, class O, class F>
struct SpmvTuningOf<CsrPointers<S, O, F>> {
  using type = CsrSpmvTuning;
};
template <class S, class O>
struct SpmvTuningOf<CooPointers<S, O>> {
  using type = CooSpmvTuning;
};
template <class S, class O>
struct SpmvTuningOf<EllPointers<S, O>> {
  using type = EllSpmvTuning;
};

template <class S, class O, class F>
struct SpmmTuningOf<CsrPointers<S, O, F>> {
  using type = CsrSpmmTuning;
};
template <class S, class O>
struct SpmmTuningOf<CooPointers<S, O>> {
  using type = CooSpmmTuning;
};
template <class S, class O>
struct SpmmTuningOf<EllPointers<S, O>> {
  using type = EllSpmmTuning;
};

template <class Matrix>
using pointers_of = decltype(std::declval<Matrix const&>().pointers());
}  // namespace detail

/// The tuning struct of a format's SpMV kernels.
template <class Matrix>
using spmv_tuning_t = typename detail::SpmvTuningOf<detail::pointers_of<Matrix>>::type;

/// The tuning struct of a format's SpMM kernels.
template <class Matrix>
using spmm_tuning_t = typename detail::SpmmTuningOf<detail::pointers_of<Matrix>>::type;

}  // namespace araia
