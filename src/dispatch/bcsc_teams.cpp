// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/ops/bcsc_team_spmm.hpp>

namespace araia::detail {

template <class Exec, class Tuning, class A, class X, class Y>
void bcsc_team_spmm_ready(Exec const& exec, Tuning const& tuning, accumulator_t<Y> alpha, A const& a,
                          DenseMatrix<X const> const& b, accumulator_t<Y> beta, DenseMatrix<Y> const& c,
                          accumulator_t<Y>* parts) {
  bcsc_team_spmm_here(exec, tuning, alpha, a, b, beta, c, parts);
}

[[gnu::used]] static void write_out_bcsc_teams() {
  for_types<Spaces, PlainProducts>([&]<class Exec, class S, class X, class Y>() {
    for_types<BcscTeamForms<S>>([&]<class A>() {
      write_out(bcsc_team_spmm_ready<Exec, BcscWarpCentricTuning, A, X, Y>);
      write_out(bcsc_team_spmm_ready<Exec, BcscTiledTuning, A, X, Y>);
    });
  });
}

}  // namespace araia::detail
