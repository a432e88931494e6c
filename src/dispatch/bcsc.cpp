// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/dispatch/bcsc.hpp>

#include "src/dispatch/ready_products.hpp"

namespace araia::detail {

[[gnu::used]] static void write_out_bcsc() {
  write_out_spmv<BcscForms, BcscSpmvTuning>();
  write_out_spmm<BcscForms, BcscSpmmTuning>();
}

}  // namespace araia::detail
