// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/dispatch/sell.hpp>

#include "src/dispatch/ready_products.hpp"

namespace araia::detail {

[[gnu::used]] static void write_out_sell_spmm() { write_out_spmm<SellForms, SellSpmmTuning>(); }

}  // namespace araia::detail
