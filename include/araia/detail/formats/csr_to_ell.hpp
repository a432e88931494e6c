// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Csr -> Ell, its rows as they are or by length.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/conversion_steps.hpp>
#include <araia/detail/formats/format_bytes.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/detail/formats/ready_made.hpp>
#include <araia/detail/formats/row_access.hpp>
#include <araia/detail/formats/side_by_side.hpp>
#include <araia/formats/csr.hpp>
#include <araia/formats/ell.hpp>

namespace araia {

namespace detail {
/// Which row of `a` row i of the arrays is, where `order` is there.
template <class Pointers, class Ordinal>
KOKKOS_INLINE_FUNCTION RowSpan ordered_span(Pointers const& a, Ordinal const* order, std::int64_t i) {
  return row_span(a, order ? static_cast<std::int64_t>(order[i]) : i);
}

/// Host: tiles are zeroed, and their entries follow while they are in the cache.
template <class Exec, class Ell, class Pointers, class Ordinal, class Target, class Source>
static void write_ell_tiles(Exec const& exec, char const* label, Ell const& b, Pointers const& a, Ordinal const* order,
                            Target* out, Source const* source, bool zeroed) {
  // Long lines where most slots are padding, long chunks of rows where most are entries.
  bool const mostly_padding = b.rows * b.width > 2 * b.nnz;
  std::int64_t const rows_at_once = mostly_padding ? 16384 : 2048;
  std::int64_t const lines_at_once = mostly_padding ? 16 : 64;
  std::int64_t const chunks = (b.rows + rows_at_once - 1) / rows_at_once;
  std::int64_t const tiles = chunks * ((b.width + lines_at_once - 1) / lines_at_once);
  for_each_index(label, DynamicRange<Exec>(exec, 0, tiles, host_chunk(exec, tiles)), [=](std::int64_t tile) {
    std::int64_t const t = tile / chunks * lines_at_once;
    std::int64_t const first = tile % chunks * rows_at_once;
    std::int64_t const lines = std::min(lines_at_once, b.width - t);
    std::int64_t const rows = std::min(rows_at_once, b.rows - first);
    Target* const to = out + t * b.ld + first;
    for (std::int64_t i = 0; !zeroed && i < lines; ++i) std::fill(to + i * b.ld, to + i * b.ld + rows, Target{});
    for (std::int64_t l = 0; l < rows; ++l) {
      RowSpan const span = ordered_span(a, order, first + l);
      std::int64_t const count = std::min(span.count - t, lines);
      for (std::int64_t i = 0; i < count; ++i) to[i * b.ld + l] = static_cast<Target>(source[span.first + t + i]);
    }
  });
}

/// Devices: tiles of as many rows as a warp has lanes.
template <class Exec, class Ell, class Pointers, class Ordinal, class Target, class Source>
static void write_ell_by_warps(Exec const& exec, char const* label, Ell const& b, Pointers const& a,
                               Ordinal const* order, Target* out, Source const* source, bool zeroed) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  constexpr std::int64_t lines_of_tile = 32;
  constexpr int threads = device_block / device_warp;
  std::int64_t const across = (b.rows + device_warp - 1) / device_warp;
  std::int64_t const tiles = across * ((b.width + lines_of_tile - 1) / lines_of_tile);
  if (tiles == 0) return;
  Policy policy(exec, league_size(tiles, threads), threads, device_warp);
  constexpr int room_bytes = device_warp * widest_value;
  policy.set_scratch_size(0, Kokkos::PerTeam(widest_value), Kokkos::PerThread(room_bytes));
  for_each_team(
      label, policy, KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        std::int64_t const tile = static_cast<std::int64_t>(team.league_rank()) * threads + team.team_rank();
        if (tile >= tiles) return;
        void* const room = team.thread_scratch(0).get_shmem_aligned(room_bytes, widest_value);
        // Along the lines, so that tiles written at one time lie side by side.
        std::int64_t const down = tile / across;
        std::int64_t const row = (tile - down * across) * device_warp;
        std::int64_t const line = down * lines_of_tile;
        PaddedTile const lines{.first_row = row,
                               .rows = Kokkos::min<std::int64_t>(device_warp, b.rows - row),
                               .first_slot = row,
                               .stride = b.ld,
                               .first_line = line,
                               .last_line = Kokkos::min(line + lines_of_tile, b.width)};
        write_lines(
            team, lines, [&](std::int64_t i) { return ordered_span(a, order, i); }, device_warp, room, out, source,
            zeroed);
      });
}

/// The slots of an array (rows, width) of an Ell: entries are those of `source`, which lies as a's, padding is zero.
/// \param reordered  row i is row row_permutation[i] of a
/// \param zeroed     padding is zero already
template <class Exec, class Ell, class Pointers, class Target, class Source>
static void write_ell_slots(Exec const& exec, char const* label, Ell const& b, Pointers const& a, bool reordered,
                            Target* out, Source const* source, bool zeroed) {
  auto const* const order = reordered ? b.row_permutation : nullptr;
  if constexpr (is_device_space<Exec>)
    write_ell_by_warps(exec, label, b, a, order, out, source, zeroed);
  else
    write_ell_tiles(exec, label, b, a, order, out, source, zeroed);
}
}  // namespace detail

/// Refills B, its rows sorted or not, with the values of A, whose structure it was made from.
/// Cost    O(nnz), one kernel, no allocation; asynchronous on exec
template <class Exec, class S, class O, class D, class AS, class F, class AD>
static void update_values(Exec const& exec, Ell<S, O, D> const& B, Csr<AS, O, F, AD> const& A) {
  detail::require_same_structure(detail::sizes_agree(B, A), "Ell");
  if (!B.has_values()) return;
  // A permuted Csr keeps its order in the Ell; else the Ell's own permutation names rows of A.
  bool const reordered = B.row_permutation.extent(0) != 0 && A.row_permutation.extent(0) == 0;
  detail::write_ell_slots(exec, "araia::update_values::ell", B.pointers(), A.pointers(), reordered, B.values.data(),
                          A.values.data(), true);
}

struct EllOptions {
  bool sort_rows = false;  ///< rows by descending length, stable: neighbours on a device then end together
  /// Bytes that the result may take; 0: half of the free memory of its space.
  std::uint64_t memory_limit = 0;
  bool validate = true;  ///< check A first; else it is trusted, and a broken one ends in anything
};

namespace detail {
/// What csr_to_ell does, of any types.
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Ell<std::remove_const_t<Scalar>, Ordinal, Device> csr_to_ell_here(Exec const& exec,
                                                                         Csr<Scalar, Ordinal, Offset, Device> const& A,
                                                                         EllOptions const& options) {
  using Source = Csr<Scalar, Ordinal, Offset, Device>;
  using Format = Ell<typename Source::value_type, Ordinal, Device>;
  require_same_memory<Exec, Source>();
  Kokkos::Profiling::ScopedRegion const region("araia::csr_to_ell");
  if (options.sort_rows && A.row_permutation.extent(0) != 0)
    throw Error(ErrorKind::unsupported, "araia::csr_to_ell: sort_rows of a Csr whose rows are permuted already");
  require_memory("araia::csr_to_ell: the padded matrix", count_bytes<Format>(exec, A, options.sort_rows),
                 memory_limit_or_default<typename Source::memory_space>(options.memory_limit));

  Format B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  auto const a = A.pointers();
  if (options.sort_rows)
    B.row_permutation = rows_by_length<Exec, Ordinal>(exec, a, false);
  else if (A.row_permutation.extent(0) != 0)
    B.row_permutation = copy_of<Device>(exec, A.row_permutation);
  auto const lengths = new_array<Ordinal, Device>(exec, "araia::ell::row_lengths", A.rows);
  auto const order = B.row_permutation;
  bool const reordered = options.sort_rows;
  std::int64_t width = 0;
  if (A.rows > 0)
    reduce_indices(
        "araia::csr_to_ell::row_lengths", IndexRange<Exec>(exec, 0, a.rows),
        KOKKOS_LAMBDA(std::int64_t row, std::int64_t & longest) {
          std::int64_t const from = reordered ? static_cast<std::int64_t>(order(row)) : row;
          std::int64_t const length = row_span(a, from).count;
          lengths(row) = static_cast<Ordinal>(length);
          longest = Kokkos::max(longest, length);
        },
        Kokkos::Max<std::int64_t>(width));
  require_fits<Ordinal>("araia::csr_to_ell: longest row", width);
  B.width = width;
  B.row_lengths = lengths;
  auto const slots = [&](char const* label, auto zero) {
    auto const array = new_view<Kokkos::View<decltype(zero)**, Kokkos::LayoutLeft, Device>>(exec, label, A.rows, width);
    ask_for_huge_pages(array);
    return array;
  };
  auto const cols = slots("araia::ell::col_indices", Ordinal{});
  B.col_indices = cols;
  write_ell_slots(exec, "araia::csr_to_ell::structure", B.pointers(), a, reordered, cols.data(), a.col_indices, false);
  if (A.has_values()) {
    B.values = slots("araia::ell::values", typename Format::value_type{});
    write_ell_slots(exec, "araia::csr_to_ell::values", B.pointers(), a, reordered, B.values.data(), a.values, false);
  }
  return B;
}

/// The same from the library.
template <class Exec, class A>
Ell<A, std::int32_t, typename Exec::device_type> csr_to_ell_ready(Exec const& exec, ReadySource<Exec, A> const& source,
                                                                  EllOptions const& options);
}  // namespace detail

/// A as ELL.
/// \throws araia::Error invalid_structure where A breaks a rule of its format, unless options.validate is false;
///         resource_limit naming need and limit, before anything is allocated, or where a row's length or,
///         with sort_rows, its index does not fit Ordinal; unsupported where rows are to be sorted that A has permuted
///         already
/// Cost    O(rows * width); allocates the result, and 8 bytes a row while sorting; fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Ell<std::remove_const_t<Scalar>, Ordinal, Device> csr_to_ell(Exec const& exec,
                                                                    Csr<Scalar, Ordinal, Offset, Device> const& A,
                                                                    EllOptions const& options = {}) {
  if (options.validate) validate(exec, A);
  if constexpr (detail::is_ready_source<Exec, Csr<Scalar, Ordinal, Offset, Device>>)
    return detail::csr_to_ell_ready<Exec, std::remove_const_t<Scalar>>(exec, detail::ready_source<Exec>(A), options);
  else
    return detail::csr_to_ell_here(exec, A, options);
}

}  // namespace araia
