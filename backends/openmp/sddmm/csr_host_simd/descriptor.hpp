// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// D = alpha A .* (X op(Y)) + beta D on the pattern of a CSR, four entries at once with SIMD chosen at run time: one
// real scalar for all operands, rows of X and op(Y)' contiguous.

#include "backends/portable/sddmm/bound_csr.hpp"
#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrHostSimdSddmm : detail::ProposedAsIs<CsrHostSimdSddmm> {
  static constexpr KernelInfo info{.operation = OpId::sddmm,
                                   .storage = "csr",
                                   .name = "host_simd",
                                   .runs = Runs::by_host_simd,
                                   .even_work = true,
                                   .own_row_order = true};

  static double seconds(Pricing const& a) { return detail::host_seconds(a, detail::host_terms(a)); }

  template <class Bound, class Exec, class Source, class Options>
  static std::shared_ptr<Bound> bind(Exec const&, Source const& source, Choice const&, Options const& options) {
    return detail::bind_csr_sampled<Bound, Exec>(source, {.kernel = CsrSddmmKernel::host_simd}, options,
                                                 CsrSddmmKernel::equal_chunks);
  }
};

}  // namespace araia::kernels
