// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/dispatch/fused.hpp>
#include <araia/detail/dispatch/spmm_epilogue.hpp>

namespace araia::detail {

template <class Exec, class Y>
void finish_rows_ready(Exec const& exec, FusedOperands<Y> const& f) {
  finish_rows(exec, f);
}
template <class Exec, class Y>
void finish_dense_ready(Exec const& exec, accumulator_t<Y> beta, DenseBatch<Y> const& c,
                        EpiloguePointers<Y> const& epilogue) {
  finish_dense(exec, beta, c, epilogue);
}

[[gnu::used]] static void write_out_finish() {
  for_types<Spaces, Scalars>([&]<class Exec, class Y>() {
    write_out(finish_rows_ready<Exec, Y>);
    write_out(finish_dense_ready<Exec, Y>);
  });
}

}  // namespace araia::detail
