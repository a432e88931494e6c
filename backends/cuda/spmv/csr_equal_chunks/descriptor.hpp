// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: backends/cuda/csr_spmv_equal_chunks.cu, backends/cuda/csr_spmv_chunk_rows.cu.
// Test: tests/backends/cuda/test_spmv_cuda.cpp. Price: backends/cuda/csr_chunk_rows_suits.hpp.

#include <cmath>
#include <cstdint>

#include <araia/detail/kernels/csr_partition.hpp>
#include "backends/cuda/csr_chunk_rows_suits.hpp"
#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrEqualChunksSpmv : detail::ProposedAsIs<CsrEqualChunksSpmv> {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "csr",
                                   .name = "equal_chunks",
                                   .runs = Runs::by_cuda,
                                   .writes_workspace = true,
                                   .own_row_order = true};
  static constexpr CsrSpmvTuning tuning{.kernel = CsrSpmvKernel::equal_chunks};
  template <class Rows>
  static void prepare(CsrSpmvTuning& t, Problem const&, Rows const& rows) {
    t.partition = rows.partition(t.kernel);
  }

  /// The first row of each chunk, and carries.
  static std::uint64_t workspace_bytes(Problem const& p) {
    return detail::csr_partition_bytes(CsrCut::entries, p.stats.rows, p.stats.nnz);
  }
  static bool goes_by_rows(Problem const& p) { return cuda::csr_chunk_rows_suits(p.stats.nnz, p.stats.max_length); }
  static double seconds(Pricing const& a) {
    auto terms = detail::device_terms(a);
    constexpr double threads = 256;
    terms.chain =
        a.price("chunk", 0) + std::floor(static_cast<double>(a.problem.chunk_rows) / threads) * a.price("more_rows", 0);
    terms.launches = a.machine.launch_seconds * (goes_by_rows(a.problem) ? 1 : a.price("launches", 2));
    return detail::device_seconds(a, terms);
  }
  static bool fuses(Problem const& p) { return p.value_bytes != 0 && goes_by_rows(p); }
};

}  // namespace araia::kernels
