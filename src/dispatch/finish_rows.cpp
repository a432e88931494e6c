// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/dispatch/fused.hpp>

namespace araia::detail {

template <class Exec, class Y>
void finish_rows_ready(Exec const& exec, FusedOperands<Y> const& f) {
  finish_rows(exec, f);
}

[[gnu::used]] static void write_out_finish_rows() {
  for_types<Spaces, Scalars>([&]<class Exec, class Y>() { write_out(finish_rows_ready<Exec, Y>); });
}

}  // namespace araia::detail
