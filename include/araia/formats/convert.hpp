// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Csr -> Coo and Ell, and back: structure once, values by one gather, on the execution space.
// The gather needs no stored map: where an entry came from follows from the source's row_offsets, so update_values
// takes a Csr of the same structure with the new values.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>

#include <araia/assembly/checked.hpp>
#include <araia/assembly/row_stats.hpp>
#include <araia/assembly/sort_keys.hpp>
#include <araia/formats/conversion_steps.hpp>
#include <araia/formats/coo.hpp>
#include <araia/formats/csr.hpp>
#include <araia/formats/ell.hpp>
#include <araia/formats/loops.hpp>
#include <araia/formats/memory_limit.hpp>
#include <araia/formats/ready_made.hpp>
#include <araia/formats/row_access.hpp>
#include <araia/formats/side_by_side.hpp>

namespace araia {

namespace detail {
template <class Format>
struct Bytes;
template <class S, class O, class F, class D>
struct Bytes<Csr<S, O, F, D>> {
  static std::uint64_t of(RowStats const& s, bool values, bool permuted) {
    auto const rows = static_cast<std::uint64_t>(s.rows);
    return (rows + 1) * sizeof(F) +
           saturating_product(static_cast<std::uint64_t>(s.nnz), sizeof(O) + (values ? sizeof(S) : 0)) +
           (permuted ? rows * sizeof(O) : 0);
  }
};
template <class S, class O, class D>
struct Bytes<Coo<S, O, D>> {
  static std::uint64_t of(RowStats const& s, bool values, bool) {
    return saturating_product(static_cast<std::uint64_t>(s.nnz), 2 * sizeof(O) + (values ? sizeof(S) : 0));
  }
};
template <class S, class O, class D>
struct Bytes<Ell<S, O, D>> {
  static std::uint64_t of(RowStats const& s, bool values, bool permuted) {
    auto const rows = static_cast<std::uint64_t>(s.rows);
    auto const slots = saturating_product(rows, static_cast<std::uint64_t>(s.max_length));
    auto const padded = saturating_product(slots, sizeof(O) + (values ? sizeof(S) : 0));
    return saturating_sum(padded, rows * sizeof(O) * (permuted ? 2 : 1));
  }
};
}  // namespace detail

/// Bytes of a format by the row statistics alone. Exact for Csr, Coo and Ell; saturates where it would wrap.
/// \param values   false for a pattern
/// \param permuted with a row permutation
/// Cost    O(1)
template <class Format>
std::uint64_t estimate_bytes(RowStats const& stats, bool values = true, bool permuted = false) {
  return detail::Bytes<Format>::of(stats, values, permuted);
}

/// Exact bytes of the format made from A, before it is made.
/// Cost    O(1) for Coo and Csr, O(rows) for Ell; fences exec
template <class Format, class Exec, class Scalar, class Ordinal, class Offset, class Device>
static std::uint64_t count_bytes(Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A,
                                 bool sort_rows = false) {
  RowStats stats{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  auto const a = A.pointers();
  if (a.rows > 0)
    detail::reduce_indices(
        "araia::count_bytes::longest_row", detail::IndexRange<Exec>(exec, 0, a.rows),
        KOKKOS_LAMBDA(std::int64_t row, std::int64_t & longest) {
          longest = Kokkos::max(longest, detail::row_span(a, row).count);
        },
        Kokkos::Max<std::int64_t>(stats.max_length));
  return estimate_bytes<Format>(stats, A.has_values(), sort_rows || A.row_permutation.extent(0) != 0);
}

/// Refills B with the values of A, whose structure it was made from.
/// Cost    O(nnz), one kernel, no allocation; asynchronous on exec
template <class Exec, class S, class O, class D, class AS, class F, class AD>
static void update_values(Exec const& exec, Coo<S, O, D> const& B, Csr<AS, O, F, AD> const& A) {
  if (B.nnz != A.nnz || B.rows != A.rows || B.cols != A.cols || B.has_values() != A.has_values())
    throw Error(ErrorKind::dimension_mismatch,
                "araia::update_values: A is not of the structure that the Coo was made from");
  if (!B.has_values()) return;
  auto const target = B.values;
  auto const source = A.values;
  detail::for_each_index(
      "araia::update_values::coo", detail::IndexRange<Exec>(exec, 0, A.nnz),
      KOKKOS_LAMBDA(std::int64_t k) { target(k) = static_cast<typename Coo<S, O, D>::value_type>(source(k)); });
}

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
  // Long lines for padding, long pieces of rows for entries. Zen 5, 32 MB of Csr: an LP's Ell, 28 times that, takes 37
  // ms so and 43 in tiles of 2048 x 64; an FEM's 6.7 ms so and 9.6 in those of 8192 x 16.
  bool const mostly_padding = b.rows * b.width > 2 * b.nnz;
  std::int64_t const rows_at_once = mostly_padding ? 16384 : 2048;
  std::int64_t const lines_at_once = mostly_padding ? 16 : 64;
  std::int64_t const pieces = (b.rows + rows_at_once - 1) / rows_at_once;
  std::int64_t const tiles = pieces * ((b.width + lines_at_once - 1) / lines_at_once);
  for_each_index(label, DynamicRange<Exec>(exec, 0, tiles, host_chunk(exec, tiles)), [=](std::int64_t tile) {
    std::int64_t const t = tile / pieces * lines_at_once;
    std::int64_t const first = tile % pieces * rows_at_once;
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

/// Devices: pieces of as many rows as a warp has lanes.
template <class Exec, class Ell, class Pointers, class Ordinal, class Target, class Source>
static void write_ell_pieces(Exec const& exec, char const* label, Ell const& b, Pointers const& a, Ordinal const* order,
                             Target* out, Source const* source, bool zeroed) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  constexpr std::int64_t lines_of_piece = 32;
  constexpr int threads = device_block / device_warp;
  std::int64_t const across = (b.rows + device_warp - 1) / device_warp;
  std::int64_t const pieces = across * ((b.width + lines_of_piece - 1) / lines_of_piece);
  if (pieces == 0) return;
  Policy policy(exec, league_size(pieces, threads), threads, device_warp);
  constexpr int room_bytes = device_warp * widest_value;
  policy.set_scratch_size(0, Kokkos::PerTeam(widest_value), Kokkos::PerThread(room_bytes));
  for_each_team(
      label, policy, KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        std::int64_t const piece = static_cast<std::int64_t>(team.league_rank()) * threads + team.team_rank();
        if (piece >= pieces) return;
        void* const room = team.thread_scratch(0).get_shmem_aligned(room_bytes, widest_value);
        // Along the lines, so that pieces written at one time lie side by side.
        std::int64_t const down = piece / across;
        std::int64_t const row = (piece - down * across) * device_warp;
        std::int64_t const line = down * lines_of_piece;
        PaddedPiece const lines{.first_row = row,
                                .rows = Kokkos::min<std::int64_t>(device_warp, b.rows - row),
                                .first_slot = row,
                                .stride = b.ld,
                                .first_line = line,
                                .last_line = Kokkos::min(line + lines_of_piece, b.width)};
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
    write_ell_pieces(exec, label, b, a, order, out, source, zeroed);
  else
    write_ell_tiles(exec, label, b, a, order, out, source, zeroed);
}
}  // namespace detail

/// The same for an Ell, with or without its rows sorted.
template <class Exec, class S, class O, class D, class AS, class F, class AD>
static void update_values(Exec const& exec, Ell<S, O, D> const& B, Csr<AS, O, F, AD> const& A) {
  if (B.nnz != A.nnz || B.rows != A.rows || B.cols != A.cols || B.has_values() != A.has_values())
    throw Error(ErrorKind::dimension_mismatch,
                "araia::update_values: A is not of the structure that the Ell was made from");
  if (!B.has_values()) return;
  // A permuted Csr keeps its order in the Ell; else the Ell's own permutation names rows of A.
  bool const reordered = B.row_permutation.extent(0) != 0 && A.row_permutation.extent(0) == 0;
  detail::write_ell_slots(exec, "araia::update_values::ell", B.pointers(), A.pointers(), reordered, B.values.data(),
                          A.values.data(), true);
}

namespace detail {
/// What csr_to_coo does, of any types.
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Coo<std::remove_const_t<Scalar>, Ordinal, Device> csr_to_coo_here(
    Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A) {
  using Format = Coo<std::remove_const_t<Scalar>, Ordinal, Device>;
  require_same_memory<Exec, Csr<Scalar, Ordinal, Offset, Device>>();
  Kokkos::Profiling::ScopedRegion const region("araia::csr_to_coo");
  if (A.rows > 0) require_fits<Ordinal>("araia::csr_to_coo: the last row's index", A.rows - 1);
  Format B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  B.sorted = A.row_permutation.extent(0) == 0;
  auto const rows = new_array<Ordinal, Device>(exec, "araia::coo::row_indices", A.nnz);
  auto const cols = new_array<Ordinal, Device>(exec, "araia::coo::col_indices", A.nnz);
  auto const a = A.pointers();
  for_each_row_entry(
      exec, "araia::csr_to_coo::structure", a, KOKKOS_LAMBDA(std::int64_t row, std::int64_t, std::int64_t k) {
        rows(k) = static_cast<Ordinal>(matrix_row(a, row));
        cols(k) = a.col_indices[k];
      });
  B.row_indices = rows;
  B.col_indices = cols;
  if (A.has_values()) {
    B.values = new_array<typename Format::value_type, Device>(exec, "araia::coo::values", A.nnz);
    update_values(exec, B, A);
  }
  return B;
}

/// The same from the library.
template <class Exec, class A>
Coo<A, std::int32_t, typename Exec::device_type> csr_to_coo_ready(Exec const& exec, ReadySource<Exec, A> const& source);
}  // namespace detail

/// A as coordinates, entries in the order of A; sorted by row unless A's rows are permuted.
/// \throws araia::Error resource_limit where a row's index does not fit Ordinal
/// Cost    O(rows + nnz); allocates the result; asynchronous on exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Coo<std::remove_const_t<Scalar>, Ordinal, Device> csr_to_coo(Exec const& exec,
                                                                    Csr<Scalar, Ordinal, Offset, Device> const& A) {
  if constexpr (detail::is_ready_source<Exec, Csr<Scalar, Ordinal, Offset, Device>>)
    return detail::csr_to_coo_ready<Exec, std::remove_const_t<Scalar>>(exec, detail::ready_source<Exec>(A));
  else
    return detail::csr_to_coo_here(exec, A);
}

struct EllOptions {
  bool sort_rows = false;  ///< rows by descending length, stable: neighbours on a device then end together
  /// Bytes that the result may take; 0: half of the free memory of its space.
  std::uint64_t memory_limit = 0;
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
    Kokkos::View<decltype(zero)**, Kokkos::LayoutLeft, Device> const array(
        Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, std::string(label)), static_cast<std::size_t>(A.rows),
        static_cast<std::size_t>(width));
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
/// \throws araia::Error resource_limit naming need and limit, before anything is allocated, or where a row's length or,
///         with sort_rows, its index does not fit Ordinal; unsupported where rows are to be sorted that A has permuted
///         already
/// Cost    O(rows * width); allocates the result, and 8 bytes a row while sorting; fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Ell<std::remove_const_t<Scalar>, Ordinal, Device> csr_to_ell(Exec const& exec,
                                                                    Csr<Scalar, Ordinal, Offset, Device> const& A,
                                                                    EllOptions const& options = {}) {
  if constexpr (detail::is_ready_source<Exec, Csr<Scalar, Ordinal, Offset, Device>>)
    return detail::csr_to_ell_ready<Exec, std::remove_const_t<Scalar>>(exec, detail::ready_source<Exec>(A), options);
  else
    return detail::csr_to_ell_here(exec, A, options);
}

namespace detail {
/// What sort_rows_by_length does, of any types.
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Csr<std::remove_const_t<Scalar>, Ordinal, Offset, Device> sort_rows_by_length_here(
    Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A, bool ascending) {
  using Source = Csr<Scalar, Ordinal, Offset, Device>;
  using value_type = typename Source::value_type;
  require_same_memory<Exec, Source>();
  Kokkos::Profiling::ScopedRegion const region("araia::sort_rows_by_length");
  if (A.row_permutation.extent(0) != 0)
    throw Error(ErrorKind::unsupported, "araia::sort_rows_by_length: the rows are permuted already");
  Csr<value_type, Ordinal, Offset, Device> B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  auto const a = A.pointers();
  auto const order = rows_by_length<Exec, Ordinal>(exec, a, ascending);
  B.row_permutation = order;
  auto const offsets = new_array<Offset, Device>(exec, "araia::csr::row_offsets", A.rows + 1);
  for_each_index(
      "araia::sort_rows_by_length::counts", IndexRange<Exec>(exec, 0, A.rows + 1), KOKKOS_LAMBDA(std::int64_t i) {
        offsets(i) = i == 0 ? Offset{0} : static_cast<Offset>(row_span(a, order(i - 1)).count);
      });
  counts_to_offsets(exec, offsets, A.rows);
  auto const cols = new_array<Ordinal, Device>(exec, "araia::csr::col_indices", A.nnz);
  B.row_offsets = offsets;
  B.col_indices = cols;
  auto const values = A.has_values() ? new_array<value_type, Device>(exec, "araia::csr::values", A.nnz)
                                     : Kokkos::View<value_type*, Device>();
  B.values = values;
  for_each_row_entry(
      exec, "araia::sort_rows_by_length::entries", B.pointers(),
      KOKKOS_LAMBDA(std::int64_t row, std::int64_t j, std::int64_t k) {
        std::int64_t const from = a.row_offsets[order(row)] + j;
        cols(k) = a.col_indices[from];
        if (a.values) values(k) = a.values[from];
      });
  return B;
}

/// The same from the library.
template <class Exec, class A>
Csr<A, std::int32_t, std::int32_t, typename Exec::device_type> sort_rows_by_length_ready(
    Exec const& exec, ReadySource<Exec, A> const& source, bool ascending);
}  // namespace detail

/// A with its rows stored by length, named by row_permutation: what neighbouring threads read ends together.
/// \throws araia::Error unsupported where A's rows are permuted already; resource_limit where a row's index does not
/// fit
///         Ordinal
/// Cost    O(nnz + rows log rows); allocates the result; fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Csr<std::remove_const_t<Scalar>, Ordinal, Offset, Device> sort_rows_by_length(
    Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A, bool ascending = true) {
  if constexpr (detail::is_ready_source<Exec, Csr<Scalar, Ordinal, Offset, Device>>)
    return detail::sort_rows_by_length_ready<Exec, std::remove_const_t<Scalar>>(exec, detail::ready_source<Exec>(A),
                                                                                ascending);
  else
    return detail::sort_rows_by_length_here(exec, A, ascending);
}

/// Refills a row-ordered copy of A with A's values.
template <class Exec, class S, class O, class F, class D, class AS, class AD>
static void update_values(Exec const& exec, Csr<S, O, F, D> const& B, Csr<AS, O, F, AD> const& A) {
  if (B.nnz != A.nnz || B.rows != A.rows || B.cols != A.cols || B.has_values() != A.has_values())
    throw Error(ErrorKind::dimension_mismatch,
                "araia::update_values: A is not of the structure that the Csr was made from");
  if (!B.has_values()) return;
  auto const b = B.pointers();
  auto const target = B.values;
  auto const a = A.pointers();
  bool const reordered = b.row_permutation && !a.row_permutation;
  detail::for_each_row_entry(
      exec, "araia::update_values::csr", b, KOKKOS_LAMBDA(std::int64_t row, std::int64_t j, std::int64_t k) {
        std::int64_t const from = reordered ? static_cast<std::int64_t>(b.row_permutation[row]) : row;
        target(k) = static_cast<typename Csr<S, O, F, D>::value_type>(a.values[a.row_offsets[from] + j]);
      });
}

/// Rows in matrix order, without a permutation; entries of a row keep their order.
/// Cost    O(rows + nnz); allocates the result; asynchronous on exec
template <class Offset = std::int32_t, class Exec, class Matrix>
requires requires(Matrix m) { m.row_permutation; }
static Csr<typename Matrix::value_type, typename Matrix::ordinal_type, Offset, typename Matrix::device_type> to_csr(
    Exec const& exec, Matrix const& A) {
  using Ordinal = typename Matrix::ordinal_type;
  using Device = typename Matrix::device_type;
  using value_type = typename Matrix::value_type;
  detail::require_same_memory<Exec, Matrix>();
  Kokkos::Profiling::ScopedRegion const region("araia::to_csr");
  detail::require_fits<Offset>("araia::to_csr: nnz", A.nnz);
  Csr<value_type, Ordinal, Offset, Device> B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  auto const a = A.pointers();
  auto const offsets = detail::new_array<Offset, Device>(exec, "araia::csr::row_offsets", A.rows + 1);
  detail::for_each_index(
      "araia::to_csr::counts", detail::IndexRange<Exec>(exec, -1, A.rows), KOKKOS_LAMBDA(std::int64_t row) {
        if (row < 0)
          offsets(0) = 0;
        else
          offsets(detail::matrix_row(a, row) + 1) = static_cast<Offset>(detail::row_span(a, row).count);
      });
  detail::counts_to_offsets(exec, offsets, A.rows);
  auto const cols = detail::new_array<Ordinal, Device>(exec, "araia::csr::col_indices", A.nnz);
  auto const values = A.has_values() ? detail::new_array<value_type, Device>(exec, "araia::csr::values", A.nnz)
                                     : Kokkos::View<value_type*, Device>();
  detail::for_each_row_entry(
      exec, "araia::to_csr::entries", a, KOKKOS_LAMBDA(std::int64_t row, std::int64_t j, std::int64_t k) {
        std::int64_t const to = offsets(detail::matrix_row(a, row)) + j;
        cols(to) = a.col_indices[k];
        if (a.values) values(to) = a.values[k];
      });
  B.row_offsets = offsets;
  B.col_indices = cols;
  B.values = values;
  return B;
}

/// The same from coordinates: entries of a row keep their order, sorted or not; duplicates stay.
/// \throws araia::Error resource_limit where unsorted entries or rows number 2^32 or more
/// Cost    O(rows + nnz), and a sort of nnz 64-bit keys where A is not sorted; allocates the result; fences exec
template <class Offset = std::int32_t, class Exec, class S, class Ordinal, class Device>
static Csr<std::remove_const_t<S>, Ordinal, Offset, Device> to_csr(Exec const& exec, Coo<S, Ordinal, Device> const& A) {
  using value_type = typename Coo<S, Ordinal, Device>::value_type;
  detail::require_same_memory<Exec, Coo<S, Ordinal, Device>>();
  Kokkos::Profiling::ScopedRegion const region("araia::to_csr");
  detail::require_fits<Offset>("araia::to_csr: nnz", A.nnz);
  Csr<value_type, Ordinal, Offset, Device> B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  auto const a = A.pointers();
  Kokkos::View<std::uint64_t*, typename Exec::memory_space> order;
  if (!A.sorted && A.nnz > 0) {
    detail::require_fits<std::uint32_t>("araia::to_csr: nnz of unsorted entries", A.nnz - 1);
    detail::require_fits<std::uint32_t>("araia::to_csr: rows of unsorted entries", A.rows - 1);
    order = detail::new_keys(exec, "araia::to_csr::order", A.nnz);
    detail::for_each_index(
        "araia::to_csr::keys", detail::IndexRange<Exec>(exec, 0, A.nnz),
        KOKKOS_LAMBDA(std::int64_t k) { order(k) = detail::make_key(a.row_indices[k], k); });
    detail::sort_keys(exec, order, detail::key_order_bits(A.rows - 1));
  }
  auto const cols = detail::new_array<Ordinal, Device>(exec, "araia::csr::col_indices", A.nnz);
  auto const values = A.has_values() ? detail::new_array<value_type, Device>(exec, "araia::csr::values", A.nnz)
                                     : Kokkos::View<value_type*, Device>();
  Kokkos::View<Offset*, Device> const offsets(Kokkos::view_alloc(exec, "araia::csr::row_offsets"),
                                              static_cast<std::size_t>(A.rows + 1));
  bool const sorted = A.sorted;
  detail::for_each_index(
      "araia::to_csr::entries", detail::IndexRange<Exec>(exec, 0, A.nnz), KOKKOS_LAMBDA(std::int64_t k) {
        std::int64_t const from = sorted ? k : detail::key_position(order(k));
        Kokkos::atomic_inc(&offsets(a.row_indices[from] + 1));
        cols(k) = a.col_indices[from];
        if (a.values) values(k) = a.values[from];
      });
  detail::counts_to_offsets(exec, offsets, A.rows);
  B.row_offsets = offsets;
  B.col_indices = cols;
  B.values = values;
  return B;
}

}  // namespace araia
