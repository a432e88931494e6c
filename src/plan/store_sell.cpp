// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/plan/store_sell.hpp"

namespace araia::detail {

[[gnu::used]] static void write_out_store_sell() { write_out_store<SellStore>(); }

}  // namespace araia::detail
