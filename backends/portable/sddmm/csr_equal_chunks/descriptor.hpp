// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// D = alpha A .* (X op(Y)) + beta D on the pattern of a CSR, equal entries a thread: any types, any strides, rows of
// any lengths. include/araia/detail/kernels/csr_sddmm_equal_chunks.hpp is the code.

#include "backends/portable/sddmm/bound_csr.hpp"
#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrEqualChunksSddmm : detail::ProposedAsIs<CsrEqualChunksSddmm> {
  static constexpr KernelInfo info{.operation = OpId::sddmm,
                                   .storage = "csr",
                                   .name = "equal_chunks",
                                   .reads = reads::entries | reads::threads | reads::lanes,
                                   .even_work = true,
                                   .own_row_order = true};

  static double seconds(Pricing const& a) { return detail::usual_seconds(a); }

  template <class Bound, class Exec, class Source, class Options>
  static std::shared_ptr<Bound> bind(Exec const&, Source const& source, Choice const& choice, Options const& options) {
    constexpr auto kernel = CsrSddmmKernel::equal_chunks;
    return detail::bind_csr_sampled<Bound, Exec>(source,
                                                 {.kernel = kernel,
                                                  .entries_per_thread = choice.entries,
                                                  .team_size = choice.team_size,
                                                  .vector_length = choice.vector_length},
                                                 options, kernel);
  }
};

}  // namespace araia::kernels
