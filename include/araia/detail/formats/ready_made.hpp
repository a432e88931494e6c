// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Conversions that the library brings compiled: csr_to_<format>, sort_rows_by_length and detect_block_size of a Csr of
// a scalar of the library with 32-bit indices and offsets, on one of its spaces, the Device of the Csr spelled as that
// space's device_type. They call csr_to_<format>_ready, which src/formats alone defines; all others, and a
// ResultOffset, TailDevice or RowIndex that is not the default, are csr_to_<format>_here, compiled where they are used:
// nvcc takes 10 to 20 s for one, g++ 1 to 3. The way back, new values and counted bytes are templates always.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <type_traits>

#include <araia/detail/formats/written_out.hpp>
#include <araia/formats/csr.hpp>

namespace araia::detail {

/// A Csr as the library takes it.
template <class Exec, class A, class Offset = std::int32_t>
using ReadySource = Csr<A const, std::int32_t, Offset, typename Exec::device_type>;

/// Whether the library converts this Csr on Exec.
template <class Exec, class Source>
inline constexpr bool is_ready_source = false;
template <class Exec, class Scalar, class Device>
inline constexpr bool is_ready_source<Exec, Csr<Scalar, std::int32_t, std::int32_t, Device>> =
    is_written_out_space<Exec>&& is_written_out_scalar<std::remove_const_t<Scalar>>&&
        std::is_same_v<Device, typename Exec::device_type>;

/// The same arrays, of which Exec reads.
template <class Exec, class Scalar, class Offset, class Device>
ReadySource<Exec, std::remove_const_t<Scalar>, Offset> ready_source(
    Csr<Scalar, std::int32_t, Offset, Device> const& A) {
  return {.rows = A.rows,
          .cols = A.cols,
          .nnz = A.nnz,
          .row_offsets = A.row_offsets,
          .col_indices = A.col_indices,
          .values = A.values,
          .row_permutation = A.row_permutation};
}

}  // namespace araia::detail
