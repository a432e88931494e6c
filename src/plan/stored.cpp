// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/plan/stored_of.hpp"

namespace araia::detail {

[[gnu::used]] static void write_out_stored() {
  for_types<Spaces, Scalars, Offsets>([&]<class Exec, class A, class Offset>() {
    write_out(make_stored<Exec, A, Offset>);
    write_out(count_footprint<Exec, A, Offset>);
    write_out(plan_features<Exec, A, Offset>);
    write_out(block_fill<Exec, A, Offset>);
  });
  for_types<Spaces, Scalars>([&]<class Exec, class A>() { write_out(fill_random<Exec, A>); });
}

}  // namespace araia::detail
