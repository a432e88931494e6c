// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/dispatch/host_packed_csr.hpp>

#include "backends/openmp/csr_cache_panels.hpp"
#include "backends/openmp/csr_copied_columns.hpp"

namespace araia::detail {

template <class Scalar>
void packed_spmm(HostPackedPointers<Scalar> const& a, Scalar alpha, DenseBatch<Scalar const> const& b, Scalar beta,
                 DenseBatch<Scalar> const& c, EpiloguePointers<Scalar> const& epilogue, int threads) {
  if (a.packed)
    host::cache_panels_spmm(*a.packed, alpha, b, beta, c, epilogue, threads);
  else
    host::copied_columns_spmm(a.csr, a.lines, a.room, alpha, b, beta, c, epilogue, threads);
}

[[gnu::used]] static void write_out_packed_spmm() {
  for_types<Reals>([&]<class Scalar>() { write_out(packed_spmm<Scalar>); });
}

}  // namespace araia::detail
