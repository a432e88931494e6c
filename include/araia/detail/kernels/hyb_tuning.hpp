// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tuning of the Hyb products: that of the ELL part, then that of the tail.

#include <araia/detail/kernels/spmm_tuning.hpp>
#include <araia/detail/kernels/spmv_tuning.hpp>

namespace araia {

struct HybSpmvTuning {
  EllSpmvTuning ell{};
  CooSpmvTuning tail{};
  friend bool operator==(HybSpmvTuning const&, HybSpmvTuning const&) = default;
};

struct HybSpmmTuning {
  EllSpmmTuning ell{};
  CooSpmmTuning tail{};
  friend bool operator==(HybSpmmTuning const&, HybSpmmTuning const&) = default;
};

}  // namespace araia
