// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/plan/store_csr_panels.hpp"

namespace araia::detail {

[[gnu::used]] static void write_out_store_csr_panels() { write_out_store<PanelsStore>(); }

}  // namespace araia::detail
