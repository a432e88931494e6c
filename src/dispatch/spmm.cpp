// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/dispatch/spmm.hpp>

#include "src/dispatch/ready_products.hpp"

namespace araia::detail {

[[gnu::used]] static void write_out_csr_coo_ell_spmm() {
  write_out_spmm<CsrForms, CsrSpmmTuning>();
  write_out_spmm<CooForms, CooSpmmTuning>();
  write_out_spmm<EllForms, EllSpmmTuning>();
}

}  // namespace araia::detail
