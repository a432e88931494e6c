// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/dispatch/sell.hpp>
#include <araia/detail/dispatch/spmv.hpp>

#include "src/dispatch/ready_products.hpp"

namespace araia::detail {

[[gnu::used]] static void write_out_spmv_half() {
  for_types<Spaces, HalfScalars>([&]<class Exec, class S>() {
    for_types<CsrForms<S>>([&]<class A>() { write_out(spmv_ready<Exec, CsrSpmvTuning, A, float, float>); });
    for_types<NarrowSellForms<S>>([&]<class A>() { write_out(spmv_ready<Exec, SellSpmvTuning, A, float, float>); });
  });
}

}  // namespace araia::detail
