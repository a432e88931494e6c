// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The formats that a plan can hold, made from its source by a Choice, and what the tuner needs on the execution space.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include <araia/assembly/row_stats.hpp>
#include <araia/dispatch/written_out.hpp>
#include <araia/formats/convert.hpp>
#include <araia/formats/coo.hpp>
#include <araia/formats/csr.hpp>
#include <araia/formats/ell.hpp>
#include <araia/plan/choice.hpp>

namespace araia::detail {

/// The caller's matrix, shared, and what may be made of it. All in `Memory`, which Exec reaches.
template <class Exec, class A, class Ordinal, class Offset, class Memory>
struct Stored {
  using device = Kokkos::Device<Exec, Memory>;
  using source_type = Csr<A const, Ordinal, Offset, device>;
  using type =
      std::variant<source_type, Csr<A, Ordinal, Offset, device>, Coo<A, Ordinal, device>, Ell<A, Ordinal, device>>;
};

/// The source as the choice wants it; without a conversion where the choice is its own format.
/// \throws araia::Error resource_limit
template <class Exec, class A, class Ordinal, class Offset, class Memory>
typename Stored<Exec, A, Ordinal, Offset, Memory>::type make_stored(
    Exec const& exec, Csr<A const, Ordinal, Offset, Kokkos::Device<Exec, Memory>> const& source, Choice const& choice,
    std::uint64_t memory_limit) {
  if (choice.format == "coo") return csr_to_coo(exec, source);
  if (choice.format == "ell")
    return csr_to_ell(exec, source, {.sort_rows = choice.rows_by_length, .memory_limit = memory_limit});
  if (choice.rows_by_length) return sort_rows_by_length(exec, source);
  return source;
}

/// Refills the stored matrix from a source of the same structure with new values.
template <class Exec, class A, class Ordinal, class Offset, class Memory>
void update_stored(
    Exec const& exec,
    std::variant<Csr<A const, Ordinal, Offset, Kokkos::Device<Exec, Memory>>,
                 Csr<A, Ordinal, Offset, Kokkos::Device<Exec, Memory>>, Coo<A, Ordinal, Kokkos::Device<Exec, Memory>>,
                 Ell<A, Ordinal, Kokkos::Device<Exec, Memory>>>& stored,
    Csr<A const, Ordinal, Offset, Kokkos::Device<Exec, Memory>> const& source) {
  std::visit(
      [&](auto& matrix) {
        if constexpr (std::is_same_v<std::decay_t<decltype(matrix)>, std::decay_t<decltype(source)>>)
          matrix = source;
        else
          update_values(exec, matrix, source);
      },
      stored);
}

/// Features for the model. The count of diagonals has no use there and is left out.
template <class Exec, class A, class Ordinal, class Offset, class Memory>
RowStats plan_features(Exec const& exec, Csr<A const, Ordinal, Offset, Kokkos::Device<Exec, Memory>> const& source) {
  return row_stats(exec, source, {.diagonals = false, .block_heights = {}});
}

/// Uniform in [-1, 1), the same for an index on every machine.
KOKKOS_INLINE_FUNCTION double random_at(std::uint64_t index, std::uint64_t seed) {
  std::uint64_t bits = index + seed * 0x9E3779B97F4A7C15u;  // splitmix64
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
  bits ^= bits >> 31;
  constexpr double scale = 1.0 / 4503599627370496.0;  // 2^-52
  return static_cast<double>(bits >> 11) * scale - 1.0;
}

template <class T>
KOKKOS_INLINE_FUNCTION T random_scalar(std::uint64_t index, std::uint64_t seed) {
  if constexpr (is_complex_v<T>)
    return T(random_at(2 * index, seed), random_at(2 * index + 1, seed));
  else
    return static_cast<T>(random_at(index, seed));
}

template <class Exec, class T>
void fill_random(Exec const& exec, Kokkos::View<T*, typename Exec::device_type> const& array, std::uint64_t seed) {
  Kokkos::parallel_for(
      "araia::fill_random", IndexRange<Exec>(exec, 0, static_cast<std::int64_t>(array.extent(0))),
      KOKKOS_LAMBDA(std::int64_t i) { array(i) = random_scalar<T>(static_cast<std::uint64_t>(i), seed); });
}

// Written out in src/plan/stored_<scalar>.cpp.
#define ARAIA_STORED_OF(LINKAGE, SPACE, S, OFFSET)                                                                     \
  LINKAGE template std::variant<araia::Csr<S const, std::int32_t, OFFSET, SPACE::device_type>,                         \
                                araia::Csr<S, std::int32_t, OFFSET, SPACE::device_type>,                               \
                                araia::Coo<S, std::int32_t, SPACE::device_type>,                                       \
                                araia::Ell<S, std::int32_t, SPACE::device_type>>                                       \
  araia::detail::make_stored(SPACE const&, araia::Csr<S const, std::int32_t, OFFSET, SPACE::device_type> const&,       \
                             araia::Choice const&, std::uint64_t);                                                     \
  LINKAGE template void araia::detail::update_stored(                                                                  \
      SPACE const&,                                                                                                    \
      std::variant<araia::Csr<S const, std::int32_t, OFFSET, SPACE::device_type>,                                      \
                   araia::Csr<S, std::int32_t, OFFSET, SPACE::device_type>,                                            \
                   araia::Coo<S, std::int32_t, SPACE::device_type>, araia::Ell<S, std::int32_t, SPACE::device_type>>&, \
      araia::Csr<S const, std::int32_t, OFFSET, SPACE::device_type> const&);                                           \
  LINKAGE template araia::RowStats araia::detail::plan_features(                                                       \
      SPACE const&, araia::Csr<S const, std::int32_t, OFFSET, SPACE::device_type> const&);
#define ARAIA_STORED_ON(SPACE, LINKAGE, S)                                                                             \
  ARAIA_STORED_OF(LINKAGE, SPACE, S, std::int32_t)                                                                     \
  ARAIA_WIDE_OFFSETS(ARAIA_STORED_OF(LINKAGE, SPACE, S, std::int64_t))                                                 \
  LINKAGE template void araia::detail::fill_random(SPACE const&, Kokkos::View<S*, typename SPACE::device_type> const&, \
                                                   std::uint64_t);
#define ARAIA_WRITE_OUT_STORED(LINKAGE, S) ARAIA_ON_EVERY_SPACE(ARAIA_STORED_ON, LINKAGE, S)

}  // namespace araia::detail

ARAIA_WRITE_OUT_STORED(extern, double)
#ifndef ARAIA_TYPES_MINIMAL
ARAIA_WRITE_OUT_STORED(extern, float)
ARAIA_WRITE_OUT_STORED(extern, Kokkos::complex<double>)
#endif
