// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kokkos Kernels' SpGEMM in its two steps, sorted where its release does not sort, and its numeric step again.
#include "kokkos_kernels_headers.hpp"

#ifndef KOKKOS_ENABLE_DEPRECATED_CODE_4
namespace Kokkos {
// Of Kokkos's deprecated code, what the headers below call.
template <class T>
KOKKOS_INLINE_FUNCTION bool atomic_compare_exchange_strong(T* target, std::type_identity_t<T> expected,
                                                           std::type_identity_t<T> wanted) {
  return atomic_compare_exchange(target, expected, wanted) == expected;
}
template <class T>
KOKKOS_INLINE_FUNCTION void atomic_increment(T* target) {
  atomic_inc(target);
}
}  // namespace Kokkos
#endif

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
