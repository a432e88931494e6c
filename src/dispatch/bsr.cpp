// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/dispatch/bsr.hpp>

#include "src/dispatch/ready_products.hpp"

namespace araia::detail {

[[gnu::used]] static void write_out_bsr() {
  write_out_spmv<BsrForms, BsrSpmvTuning>();
  write_out_spmm<BsrForms, BsrSpmmTuning>();
}

}  // namespace araia::detail
