// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/openmp/sddmm/csr_host_simd/kernel.hpp"

#include <algorithm>
#include <araia/detail/formats/type_list.hpp>

#include "backends/openmp/sddmm/csr_host_simd/rows.hpp"
#include "backends/openmp/thread_chunks.hpp"
#include "backends/openmp/with_isa.hpp"

namespace araia::host {

namespace {

template <class Args>
void rows_by_isa(Isa isa, Args const& args) {
  with_isa(isa, [&]<Isa level>() { csr_sddmm_rows<level>(args); });
}

}  // namespace

template <class T, class Offset>
void csr_sddmm(CsrPointers<T, std::int32_t, Offset> const& a, T alpha, DenseMatrix<T const> const& x,
               DenseMatrix<T const> const& y, T beta, T* d, int threads, Isa isa) {
  if (a.nnz == 0) return;
  // Entries do not depend on one another, so a thread may begin inside a row.
  auto const do_chunk = [&](int chunk, int chunks) {
    std::int64_t const size = a.nnz / chunks;
    std::int64_t const rest = a.nnz % chunks;
    CsrSddmmRows<T, Offset> args{.a = a,
                                 .x = x,
                                 .y = y,
                                 .d = d,
                                 .alpha = alpha,
                                 .beta = beta,
                                 .first_row = 0,
                                 .first_entry = 0,
                                 .last_entry = 0};
    args.first_entry = size * chunk + std::min<std::int64_t>(chunk, rest);
    args.last_entry = args.first_entry + size + (chunk < rest ? 1 : 0);
    if (args.first_entry == args.last_entry) return;
    args.first_row = std::upper_bound(a.row_offsets, a.row_offsets + a.rows, static_cast<Offset>(args.first_entry)) -
                     a.row_offsets - 1;
    rows_by_isa(isa, args);
  };
  std::int64_t const work = a.nnz * std::max<std::int64_t>(x.columns, 1);
  in_chunks(threads_with_work(work, least_multiply_adds, threads), do_chunk);
}

[[gnu::used]] static void write_out_csr_sddmm() {
  using namespace detail;
  for_types<Reals, AllOffsets>([]<class T, class Offset>() { write_out(csr_sddmm<T, Offset>); });
}

}  // namespace araia::host
