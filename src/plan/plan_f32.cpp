// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/plan/build_plan.hpp"

namespace araia::detail {

[[gnu::used]] static void write_out_plans_f32() { write_out_plans<float, float, float>(); }

}  // namespace araia::detail
