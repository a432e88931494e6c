// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/dispatch/fused.hpp>

#include "backends/openmp/csr_spmv_host.hpp"
#include "backends/openmp/sell_spmv_host.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "backends/cuda/csr_spmv_chunk_rows.hpp"
#include "backends/cuda/csr_spmv_sub_warp.hpp"
#include "backends/cuda/sell_spmv_rows_per_lane.hpp"
#endif

namespace araia::detail {
namespace {

template <class Exec, class A, class Offset, class X, class Y>
bool run_csr(Exec const& exec, CsrSpmvTuning const& tuning, CsrPointers<A, std::int32_t, Offset> const& a, X const* x,
             FusedRows<Y> const& fused) {
  if constexpr (is_host_backend_space<Exec>) {
    bool const with_runs = tuning.kernel == CsrSpmvKernel::host_simd_runs && tuning.row_runs;
    if (!with_runs && tuning.kernel != CsrSpmvKernel::host_simd && tuning.kernel != CsrSpmvKernel::automatic)
      return false;
    exec.fence("araia::fused::csr::host_simd: host kernels run in the caller's thread");
    host::csr_spmv_fused(a, x, fused, exec.concurrency(), with_runs ? tuning.row_runs : nullptr);
    return true;
  }
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (is_cuda_space<Exec>) {
    if (!a.values) return false;
    if (tuning.kernel == CsrSpmvKernel::equal_chunks) {
      require_partition(tuning, a.rows, a.nnz, sizeof(Y));
      auto const& p = tuning.partition;
      return cuda::csr_chunk_rows_suits(a.nnz, p.longest_row) &&
             cuda::csr_spmv_chunk_rows_fused(a, p.first_rows, x, fused, exec.cuda_stream());
    }
    if (tuning.kernel != CsrSpmvKernel::sub_warp && tuning.kernel != CsrSpmvKernel::automatic) return false;
    cuda::csr_spmv_sub_warp_fused(a, {}, x, fused, exec.cuda_stream());
    return true;
  }
#endif
  return false;
}

template <class Exec, class A, class Offset, class X, class Y>
bool run_sell(Exec const& exec, SellSpmvTuning const& tuning, SellPointers<A, std::int32_t, Offset> const& a,
              X const* x, FusedRows<Y> const& fused) {
  bool const described = tuning.rows_per_team != 0 || tuning.team_size != 0 || tuning.vector_length != 0;
  auto const asked = [&](SellSpmvKernel kernel) {
    return tuning.kernel == kernel || (tuning.kernel == SellSpmvKernel::automatic && !described);
  };
  if constexpr (is_host_backend_space<Exec>) {
    if (!asked(SellSpmvKernel::host_simd) || !host::sell_spmv_supports(a)) return false;
    exec.fence("araia::fused::sell::host_simd: host kernels run in the caller's thread");
    host::sell_spmv_fused(a, x, fused, exec.concurrency());
    return true;
  }
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (is_cuda_space<Exec>) {
    if (!asked(SellSpmvKernel::rows_per_lane) || !cuda::sell_rows_per_lane_supports(a)) return false;
    cuda::sell_spmv_rows_per_lane_fused(a, {}, x, fused, exec.cuda_stream());
    return true;
  }
#endif
  return false;
}

}  // namespace

template <class Exec, class Pointers, class X, class Y>
template <class Tuning>
bool OnePass<Exec, Pointers, X, Y>::run(Exec const& exec, Tuning const& tuning, Pointers const& a, X const* x,
                                        FusedRows<Y> const& fused) {
  if constexpr (std::is_same_v<Tuning, SellSpmvTuning>)
    return run_sell(exec, tuning, a, x, fused);
  else
    return run_csr(exec, tuning, a, x, fused);
}

[[gnu::used]] static void write_out_one_pass() {
  for_types<Spaces, RealProducts>([&]<class Exec, class S, class X, class Y>() {
    for_types<CsrForms<S>>([&]<class A>() { write_out(OnePass<Exec, A, X, Y>::template run<CsrSpmvTuning>); });
    for_types<NarrowSellForms<S>>([&]<class A>() { write_out(OnePass<Exec, A, X, Y>::template run<SellSpmvTuning>); });
  });
}

}  // namespace araia::detail
