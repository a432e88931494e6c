// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/dispatch/spmv.hpp>

#include "src/dispatch/ready_products.hpp"

namespace araia::detail {

[[gnu::used]] static void write_out_csr_coo_ell_spmv() {
  write_out_spmv<CsrForms, CsrSpmvTuning>();
  write_out_spmv<CooForms, CooSpmvTuning>();
  write_out_spmv<EllForms, EllSpmvTuning>();
}

}  // namespace araia::detail
