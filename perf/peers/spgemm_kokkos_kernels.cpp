// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kokkos Kernels' SpGEMM in its two steps, sorted where its release does not sort, and its numeric step again.
#include "kokkos_kernels_headers.hpp"

#include <KokkosSparse_SortCrs.hpp>
#include <KokkosSparse_spgemm.hpp>
#include <memory>

#include "spgemm_peers.hpp"

namespace araia::perf {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Device = Exec::device_type;
using Matrix = KokkosSparse::CrsMatrix<double, std::int32_t, Device, void, std::int32_t>;
using Handle = KokkosKernels::Experimental::KokkosKernelsHandle<std::int32_t, std::int32_t, double, Exec,
                                                                Device::memory_space, Device::memory_space>;

template <class T>
Kokkos::View<T*, Device> upload(std::vector<T> const& from) {
  Kokkos::View<T*, Device> const to("araia::perf::spgemm", from.size());
  Kokkos::deep_copy(to, Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(from.data(), from.size()));
  return to;
}

struct State {
  Matrix a;
  Handle handle;  // of refresh
  Matrix kept;
  bool made = false;
};

}  // namespace

std::vector<SpgemmContender> spgemm_of_kokkos_kernels(SpgemmProblem const& problem) {
  auto const state = std::make_shared<State>();
  state->a = Matrix("A", static_cast<std::int32_t>(problem.rows), static_cast<std::int32_t>(problem.rows),
                    static_cast<std::int32_t>(problem.nnz()), upload(problem.values), upload(problem.row_offsets),
                    upload(problem.col_indices));
  return {{"kokkos_kernels",
           [state] {
             Handle handle;
             handle.create_spgemm_handle(KokkosSparse::SPGEMM_KK);
             Matrix c;
             KokkosSparse::spgemm_symbolic(handle, state->a, false, state->a, false, c);
             KokkosSparse::spgemm_numeric(handle, state->a, false, state->a, false, c);
             KokkosSparse::sort_crs_matrix(c);
             Exec().fence();
             return static_cast<std::int64_t>(c.nnz());
           },
           [state] {
             if (!state->made) {
               state->handle.create_spgemm_handle(KokkosSparse::SPGEMM_KK);
               KokkosSparse::spgemm_symbolic(state->handle, state->a, false, state->a, false, state->kept);
               state->made = true;
             }
             KokkosSparse::spgemm_numeric(state->handle, state->a, false, state->a, false, state->kept);
             Exec().fence();
           }}};
}

}  // namespace araia::perf
