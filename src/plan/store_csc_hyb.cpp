// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/plan/store_csc_hyb.hpp"

namespace araia::detail {

[[gnu::used]] static void write_out_store_csc_hyb() {
  write_out_store<CscStore>();
  write_out_store<HybStore>();
}

}  // namespace araia::detail
