// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/ops/csr_partition.hpp>

namespace araia::detail {

template <class Exec, class Offset>
CsrPartition<typename Exec::device_type> make_csr_partition_ready(Exec const& exec, CsrCut cut, std::int64_t rows,
                                                                  std::int64_t nnz, Offset const* row_offsets,
                                                                  std::int64_t items, std::int64_t spmm_bytes) {
  return make_csr_partition_here(exec, cut, rows, nnz, row_offsets, items, spmm_bytes);
}

template <class Exec>
std::int64_t largest_chunk(Exec const& exec,
                           Kokkos::View<std::int32_t const*, typename Exec::device_type> const& first_rows) {
  std::int64_t most = 0;
  reduce_indices(
      "araia::csr_partition::largest_chunk", IndexRange<Exec>(exec, 1, static_cast<std::int64_t>(first_rows.extent(0))),
      KOKKOS_LAMBDA(std::int64_t chunk, std::int64_t & largest) {
        largest = Kokkos::max<std::int64_t>(largest, first_rows(chunk) - first_rows(chunk - 1));
      },
      Kokkos::Max<std::int64_t>(most));
  return most;
}

[[gnu::used]] static void write_out_csr_partitions() {
  for_types<Spaces>([&]<class Exec>() { write_out(largest_chunk<Exec>); });
  for_types<Spaces, Offsets>([&]<class Exec, class Offset>() { write_out(make_csr_partition_ready<Exec, Offset>); });
}

}  // namespace araia::detail
