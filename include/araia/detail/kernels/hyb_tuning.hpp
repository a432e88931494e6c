// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tuning of the Hyb products: that of the ELL part, then that of the tail.

#include <ostream>

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

inline std::ostream& operator<<(std::ostream& out, HybSpmvTuning const& t) {
  return out << "ell_then_tail{" << t.ell << ", " << t.tail << '}';
}
inline std::ostream& operator<<(std::ostream& out, HybSpmmTuning const& t) {
  return out << "ell_then_tail{" << t.ell << ", " << t.tail << '}';
}

}  // namespace araia
