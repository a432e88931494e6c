// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Hybrid of ELL and COO: the first `ell.width` entries of every row padded, what is beyond in coordinates.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <type_traits>

#include <araia/detail/formats/hyb_pointers.hpp>
#include <araia/formats/coo.hpp>
#include <araia/formats/ell.hpp>

namespace araia {

/// The matrix is the sum of its two parts. With a TailDevice other than Device the tail lies in that device's memory
/// and is multiplied there: the heterogeneous mode, which is never chosen without being named.
template <class Scalar, class Ordinal = std::int32_t, class Device = DefaultDevice, class TailDevice = Device>
struct Hyb {
  using value_type = std::remove_const_t<Scalar>;
  using ordinal_type = Ordinal;
  using size_type = std::int64_t;
  using device_type = typename Kokkos::View<int*, Device>::device_type;
  using execution_space = typename device_type::execution_space;
  using memory_space = typename device_type::memory_space;
  using ell_type = Ell<Scalar, Ordinal, Device>;
  using tail_type = Coo<Scalar, Ordinal, TailDevice>;
  using tail_execution_space = typename tail_type::execution_space;
  static constexpr bool is_split = !std::is_same_v<device_type, typename tail_type::device_type>;
  using pointers_type = std::conditional_t<is_split, SplitHybPointers<value_type, Ordinal, tail_execution_space>,
                                           HybPointers<value_type, Ordinal>>;
  static constexpr char const* format_name = "hyb";

  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;  // of both parts
  ell_type ell{};        // (rows, cols) the first entries of every row
  tail_type tail{};      // (rows, cols) the others, row after row

  [[nodiscard]] bool has_values() const { return ell.has_values() || tail.has_values(); }

  /// Entries kept in memory, padding included.
  [[nodiscard]] std::int64_t stored() const { return ell.stored() + tail.stored(); }

  /// Exact bytes of the arrays as allocated.
  [[nodiscard]] std::uint64_t bytes() const { return ell.bytes() + tail.bytes(); }

  [[nodiscard]] pointers_type pointers() const {
    pointers_type p{};
    p.rows = rows;
    p.cols = cols;
    p.nnz = nnz;
    p.ell = ell.pointers();
    p.tail = tail.pointers();
    return p;
  }
};

/// Checks every invariant of the format, those of its parts included, on the execution space; a tail on another device
/// is checked there.
/// \throws araia::Error (invalid_structure) naming the broken rule and its first place
/// Cost    O(stored); fences exec
template <class Exec, class Scalar, class Ordinal, class Device, class TailDevice>
static void validate(Exec const& exec, Hyb<Scalar, Ordinal, Device, TailDevice> const& A) {
  using Format = Hyb<Scalar, Ordinal, Device, TailDevice>;
  if (A.rows < 0 || A.cols < 0 || A.nnz < 0) detail::throw_structure("hyb: rows, cols and nnz must not be negative");
  auto const require_shape = [&](char const* part, std::int64_t rows, std::int64_t cols) {
    if (rows != A.rows || cols != A.cols)
      detail::throw_structure(std::string("hyb: ") + part + " must be " + std::to_string(A.rows) + " x " +
                              std::to_string(A.cols) + ", got " + std::to_string(rows) + " x " + std::to_string(cols));
  };
  require_shape("ell", A.ell.rows, A.ell.cols);
  require_shape("tail", A.tail.rows, A.tail.cols);
  if (A.ell.nnz + A.tail.nnz != A.nnz)
    detail::throw_structure("hyb: entries of ell and tail must add up to nnz = " + std::to_string(A.nnz) + ", got " +
                            std::to_string(A.ell.nnz) + " and " + std::to_string(A.tail.nnz));
  // Capacity of a part without entries counts too, as has_values() goes by it.
  if ((A.ell.nnz > 0 && A.ell.has_values() != A.has_values()) ||
      (A.tail.nnz > 0 && A.tail.has_values() != A.has_values()))
    detail::throw_structure("hyb: ell and tail must both have values, or neither");
  try {
    validate(exec, A.ell);
    if constexpr (Format::is_split)
      validate(typename Format::tail_execution_space(), A.tail);
    else
      validate(exec, A.tail);
  } catch (Error const& error) {
    throw Error(error.kind(), std::string("hyb: ") + error.what());
  }
}

}  // namespace araia
