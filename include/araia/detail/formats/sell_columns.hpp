// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The indices of a Sell: diagonals, column groups, and their packing to 16 bits.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>

#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/detail/formats/sell_diagonals.hpp>
#include <araia/detail/formats/sell_structure.hpp>

namespace araia::detail {

template <class Ordinal, class Device>
struct SellIndices {
  Kokkos::View<Ordinal*, Device> diagonals{};
  Kokkos::View<Ordinal*, Device> full{};               // a group a row and column step; padding: 0
  std::int64_t words = -1;                             // of all slices, or -1: full indices
  Kokkos::View<std::int64_t*, Device> word_offsets{};  // (slices + 1), or empty
  Kokkos::View<std::int64_t*, Device> first_chunks{};  // (slices + 1) chunks before each slice, or empty
  std::int64_t chunks = 0;                             // of all slices
};

/// Devices: the columns of a Sell with diagonals and no blocks, each entry at its step: among those off the fullest
/// diagonals, or, where a slice keeps none, among all of its row.
template <class Exec, class Pointers, class Ordinal, class Device>
static void write_columns_left(Exec const& exec, Pointers const& a, SellStructure<Ordinal, Device> const& b,
                               SellIndices<Ordinal, Device> const& indices) {
  auto const places = sell_places(exec, b, a.rows);
  auto const left = entry_steps(a, b);
  auto const kept = b.diagonals_of;
  auto const seen = b.diagonals_seen;
  auto const full = indices.full;
  auto const offsets = b.column_offsets;
  fill_array(exec, full, Ordinal{0});
  for_each_row_entry(
      exec, "araia::csr_to_sell::columns_left", a, KOKKOS_LAMBDA(std::int64_t row, std::int64_t j, std::int64_t k) {
        std::int64_t const stored = places.stored_row(row);
        std::int64_t const s = places.slice_of(stored);
        std::int64_t t = j;
        if (kept(s) != 0) {
          if (kept(s) == seen(s) || left(k + 1) == left(k)) return;
          t = static_cast<std::int64_t>(left(k) - left(k - j));
        }
        full(offsets(s) + t * places.slices.height(s) + stored - places.slices.first(s)) = a.col_indices[k];
      });
  exec.fence("araia::csr_to_sell::columns_left: places are released");
}

/// Devices: the column groups of a Sell with blocks, each at its step.
template <class Exec, class Pointers, class Ordinal, class Device>
static void write_column_groups(Exec const& exec, Pointers const& a, SellStructure<Ordinal, Device> const& b, int width,
                                SellIndices<Ordinal, Device> const& indices) {
  auto const places = sell_places(exec, b, a.rows);
  auto const steps = entry_steps(a, b);
  if (b.diagonals_of.extent(0) != 0)
    find_steps_before(exec, a, width,
                      OnDiagonal<Ordinal, Device>{places, indices.diagonals.data(),
                                                  b.diagonals > 0 ? b.diagonal_offsets.data() : nullptr},
                      steps);
  auto const full = indices.full;
  auto const offsets = b.column_offsets;
  fill_array(exec, full, Ordinal{0});
  for_each_row_entry(
      exec, "araia::csr_to_sell::column_groups", a, KOKKOS_LAMBDA(std::int64_t row, std::int64_t, std::int64_t k) {
        if (steps(k + 1) == steps(k)) return;
        std::int64_t const stored = places.stored_row(row);
        std::int64_t const s = places.slice_of(stored);
        auto const t = static_cast<std::int64_t>(steps(k) - steps(a.row_offsets[row]));
        full(offsets(s) + t * places.slices.height(s) + stored - places.slices.first(s)) =
            static_cast<Ordinal>(a.col_indices[k] / width);
      });
  exec.fence("araia::csr_to_sell::column_groups: steps are released");
}

/// The same on hosts, where a thread owns a row.
template <class Exec, class Pointers, class Ordinal, class Device>
static void write_column_groups_by_rows(Exec const& exec, Pointers const& a, SellStructure<Ordinal, Device> const& b,
                                        int width, SellIndices<Ordinal, Device> const& indices) {
  auto const order = b.order();
  auto const slices = b.slice_shapes();
  auto const steps_of = b.steps;
  auto const offsets = b.column_offsets;
  auto const full = indices.full;
  auto const diagonals = indices.diagonals;
  auto const diagonal_offsets = b.diagonal_offsets;
  bool const has_diagonals = b.diagonals > 0;
  auto const write_row = [=](std::int64_t s, std::int64_t row) {
    std::int64_t const h = slices.height(s);
    std::int64_t const to = offsets(s) + row - slices.first(s);
    std::int64_t t = 0;
    if (row < a.rows) {
      RowSpan const span = row_span(a, order.source_row(row));
      std::int64_t const matrix_row = order.matrix_row(row);
      std::int64_t diagonal = has_diagonals ? diagonal_offsets(s) : 0;
      std::int64_t const last_diagonal = has_diagonals ? diagonal_offsets(s + 1) : 0;
      std::int64_t before = -1;
      for (std::int64_t k = span.first; k < span.first + span.count; ++k) {
        std::int64_t const column = a.col_indices[k];
        while (diagonal < last_diagonal && diagonals(diagonal) < column - matrix_row) ++diagonal;
        if (diagonal < last_diagonal && diagonals(diagonal) == column - matrix_row) continue;
        std::int64_t const group = column / width;
        if (group != before) full(to + t++ * h) = static_cast<Ordinal>(group);
        before = group;
      }
    }
    for (; t < steps_of(s); ++t) full(to + t * h) = Ordinal{0};
  };
  for_each_tile_of_rows(exec, "araia::csr_to_sell::column_groups", slices, b.slices, a.rows,
                        [=](std::int64_t s, std::int64_t first, std::int64_t last) {
                          for (std::int64_t row = first; row < last; ++row) write_row(s, row);
                        });
}

/// Column groups of every row, and the padding.
template <class Exec, class Pointers, class Ordinal, class Device>
static void write_columns(Exec const& exec, Pointers const& a, SellStructure<Ordinal, Device> const& b, int width,
                          SellIndices<Ordinal, Device> const& indices) {
  if (b.columns == 0) return;
  if (width == 1 && b.diagonals == 0)
    write_slices(exec, "araia::csr_to_sell::columns", b.slice_shapes(), b.slices, b.column_offsets.data(), b.columns,
                 b.order(), a, indices.full.data(), a.col_indices, false);
  else if constexpr (is_device_space<Exec>)
    width == 1 ? write_columns_left(exec, a, b, indices) : write_column_groups(exec, a, b, width, indices);
  else
    write_column_groups_by_rows(exec, a, b, width, indices);
}

/// The longest of a slice's rows, and the step from which the slice has columns of that row alone: these span nothing.
/// Few steps are not worth the search.
template <class Team, class Lengths>
KOKKOS_INLINE_FUNCTION LongestTwo lone_steps(Team const& team, Lengths const& lengths, std::int64_t first_row,
                                             std::int64_t count, std::int64_t steps) {
  constexpr std::int64_t few = 64;
  if (steps <= few) return {0, steps, steps};
  return longest_two(team, count, [&](std::int64_t i) { return static_cast<std::int64_t>(lengths(first_row + i)); });
}

/// Indices of steps [begin, end) as words, plane by plane.
/// \param full   the slice's first index
/// \param words  the slice's first word
template <class Team, class Ordinal>
KOKKOS_INLINE_FUNCTION void copy_wide_steps(Team const& team, std::int64_t height, std::int64_t begin, std::int64_t end,
                                            Ordinal const* full, std::uint16_t* words) {
  constexpr int q = sizeof(Ordinal) / 2;
  constexpr int at_once = 8;  // loads in flight
  for (std::int64_t t = begin; t < end; t += at_once)
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, height), [&](std::int64_t i) {
      std::uint64_t group[at_once];
      for (int k = 0; k < at_once; ++k)
        group[k] = t + k < end ? static_cast<std::uint64_t>(full[(t + k) * height + i]) : 0;
      for (int k = 0; k < at_once; ++k)
        for (int part = 0; part < q; ++part)
          if (t + k < end)
            words[((t + k) * q + part) * height + i] = static_cast<std::uint16_t>(group[k] >> (16 * part) & 0xffffu);
    });
}

/// The groups of a slice as they are stored: that of step t, row i of the slice.
template <class Ordinal>
struct StoredGroups {
  using value_type = Ordinal;
  Ordinal const* full;
  std::int64_t const* offsets;
  SellSlices<Ordinal> slices;
  KOKKOS_INLINE_FUNCTION Ordinal operator()(std::int64_t s, std::int64_t t, std::int64_t i) const {
    return full[offsets[s] + t * slices.height(s) + i];
  }
};

/// The same before they are, without blocks and diagonals.
template <class Ordinal, class Pointers>
struct SourceGroups {
  using value_type = Ordinal;
  Pointers a;
  SellOrder<Ordinal> order;
  SellSlices<Ordinal> slices;
  KOKKOS_INLINE_FUNCTION Ordinal operator()(std::int64_t s, std::int64_t t, std::int64_t i) const {
    return a.col_indices[row_span(a, order.source_row(slices.first(s) + i)).first + t];
  }
};

/// Least and largest group of step t in the slice, padding left out.
template <class Team, class Lengths, class Groups>
KOKKOS_INLINE_FUNCTION auto step_span(Team const& team, Lengths const& lengths, Groups const& groups, std::int64_t s,
                                      std::int64_t first_row, std::int64_t count, std::int64_t t) {
  using Ordinal = typename Groups::value_type;
  using Span = Kokkos::MinMaxScalar<Ordinal>;
  Span span;
  Kokkos::parallel_reduce(
      Kokkos::ThreadVectorRange(team, count),
      [&](std::int64_t i, Span& part) {
        if (t >= static_cast<std::int64_t>(lengths(first_row + i))) return;
        Ordinal const group = groups(s, t, i);
        part.min_val = Kokkos::min(part.min_val, group);
        part.max_val = Kokkos::max(part.max_val, group);
      },
      Kokkos::MinMax<Ordinal>(span));
  return span;
}

/// Devices: steps of a slice that one thread takes with its lanes, so that a slice with a long row delays none.
inline constexpr std::int64_t steps_of_chunk = 256;

/// Devices: the chunks of every slice; one without steps has one. Fences exec.
template <class Exec, class Ordinal, class Device>
static void find_chunks(Exec const& exec, SellStructure<Ordinal, Device> const& b,
                        SellIndices<Ordinal, Device>& indices,
                        Kokkos::View<std::int64_t*, Device> const& first_chunks) {
  auto const steps = b.steps;
  indices.first_chunks = first_chunks;
  indices.chunks = scan_slices(
      exec, b.slices, first_chunks, KOKKOS_LAMBDA(std::int64_t s) {
        return Kokkos::max<std::int64_t>(1, (steps(s) + steps_of_chunk - 1) / steps_of_chunk);
      });
}

/// body(s, first, last, team) for chunks [first, last) of the column steps of every slice, each by a thread with its
/// lanes; on hosts a slice is one chunk.
template <class Exec, class Ordinal, class Device, class Body>
static void for_each_chunk_of_steps(Exec const& exec, char const* label, SellStructure<Ordinal, Device> const& b,
                                    SellIndices<Ordinal, Device> const& indices, Body const& body) {
  using Team = typename Kokkos::TeamPolicy<Exec>::member_type;
  auto const steps = b.steps;
  if constexpr (is_device_space<Exec>) {
    auto const chunks = indices.first_chunks;
    std::int64_t const slices = b.slices;
    bool const whole = indices.chunks == slices;
    for_each_slice(
        exec, label, indices.chunks, b.slice_height, KOKKOS_LAMBDA(std::int64_t chunk, Team const& team) {
          std::int64_t const s = whole ? chunk : segment_of(chunks, slices, chunk);
          std::int64_t const first = (chunk - chunks(s)) * steps_of_chunk;
          body(s, first, Kokkos::min(first + steps_of_chunk, steps(s)), team);
        });
  } else {
    for_each_slice(
        exec, label, b.slices, b.slice_height,
        KOKKOS_LAMBDA(std::int64_t s, Team const& team) { body(s, 0, steps(s), team); });
  }
}

/// Words of every slice: narrow where all its steps span less than 2^16 groups and that takes fewer words.
template <class Exec, class Ordinal, class Device, class Groups>
static void count_words(Exec const& exec, std::int64_t rows, SellColumns kind, SellStructure<Ordinal, Device>& b,
                        Groups const& groups, SellIndices<Ordinal, Device>& indices) {
  using Team = typename Kokkos::TeamPolicy<Exec>::member_type;
  constexpr int q = sizeof(Ordinal) / 2;
  auto const words = b.arrays.next(exec, b.slices);
  if constexpr (is_device_space<Exec>) find_chunks(exec, b, indices, b.arrays.next(exec, b.slices));
  auto const slices = b.slice_shapes();
  auto const steps_of = b.steps;
  auto const lengths = b.row_lengths;
  for_each_index(
      "araia::csr_to_sell::least_words", IndexRange<Exec>(exec, 0, b.slices), KOKKOS_LAMBDA(std::int64_t s) {
        std::int64_t const slots = steps_of(s) * slices.height(s);
        words(s) = Kokkos::min(slots * q, base_words(steps_of(s), q) + slots);
      });
  for_each_chunk_of_steps(
      exec, "araia::csr_to_sell::words", b, indices,
      KOKKOS_LAMBDA(std::int64_t s, std::int64_t begin, std::int64_t end, Team const& team) {
        std::int64_t const h = slices.height(s);
        std::int64_t const first = slices.first(s);
        std::int64_t const wide = steps_of(s) * h * q;
        // Not what stands in words(s): another chunk may write it, and all lanes must agree.
        bool fits = base_words(steps_of(s), q) + steps_of(s) * h < wide;
        std::int64_t const count = Kokkos::min<std::int64_t>(h, rows - first);
        std::int64_t const shared =
            fits ? Kokkos::min(end, lone_steps(team, lengths, first, count, steps_of(s)).second) : begin;
        for (std::int64_t t = begin; fits && t < shared; ++t) {
          auto const span = step_span(team, lengths, groups, s, first, count, t);
          fits = static_cast<std::int64_t>(span.max_val) - static_cast<std::int64_t>(span.min_val) <= 0xffff;
        }
        if (!fits) Kokkos::single(Kokkos::PerThread(team), [&] { words(s) = wide; });
      });
  if (kind == SellColumns::narrow) {
    std::int64_t wide_slices = 0;
    reduce_indices(
        "araia::csr_to_sell::wide_slices", IndexRange<Exec>(exec, 0, b.slices),
        KOKKOS_LAMBDA(std::int64_t s, std::int64_t & sum) {
          sum += steps_of(s) > 0 && words(s) == steps_of(s) * slices.height(s) * q;
        },
        wide_slices);
    if (wide_slices > 0)
      throw Error(ErrorKind::unsupported, "araia::csr_to_sell: narrow columns: " + std::to_string(wide_slices) +
                                              " of " + std::to_string(b.slices) +
                                              " slices have columns further apart, or no fewer bytes so");
  }
  indices.word_offsets = b.arrays.next(exec, b.slices);
  std::int64_t const total = scan_slices(exec, b.slices, indices.word_offsets, words);
  // The offsets of words cost bytes too.
  if (total * 2 < b.columns * static_cast<std::int64_t>(sizeof(Ordinal))) indices.words = total;
}

/// \throws araia::Error resource_limit where full columns, the workspace of 16-bit ones, are beyond the limit, or on a
///         host beyond what the arrays of rows leave of it
template <class Ordinal, class Device>
void require_columns_fit(SellStructure<Ordinal, Device> const& b, std::uint64_t limit) {
  auto const columns = saturating_product(static_cast<std::uint64_t>(b.columns), sizeof(Ordinal));
  require_memory("araia::csr_to_sell: the workspace of 16-bit columns", columns, limit);
  require_room_beside<Device>("araia::csr_to_sell: rows, and the workspace of 16-bit columns", columns,
                              (b.row_lengths.span() + b.row_permutation.span()) * sizeof(Ordinal), limit);
}

/// Are columns to become words, if that takes fewer bytes?
template <class Ordinal, class Device>
bool may_be_words(SellStructure<Ordinal, Device> const& b, SellOptions const& options) {
  return options.columns != SellColumns::full && b.columns > 0 && sizeof(Ordinal) >= sizeof(std::uint16_t);
}

/// Can those words be counted from the Csr, before the columns are written? On devices, where they lie there as here.
template <class Exec, class Ordinal, class Device>
bool counts_source(SellStructure<Ordinal, Device> const& b, SellOptions const& options) {
  return is_device_space<Exec> && options.block_width == 1 && b.diagonals == 0;
}

/// Devices: do the rows of most slices, of a few that are looked at, have columns so far apart that 16-bit words are
/// unlikely? A guess, which decides where columns are made and nothing else. Fences exec.
template <class Exec, class Pointers, class Ordinal, class Device>
static bool columns_lie_apart(Exec const& exec, Pointers const& a, SellStructure<Ordinal, Device> const& b, int width) {
  if constexpr (!is_device_space<Exec>) {
    return false;
  } else {
    constexpr std::int64_t most_slices = 256;
    constexpr std::int64_t most_rows = 8;  // of a slice
    std::int64_t const looked_at = std::min(b.slices, most_slices);
    if (looked_at == 0) return false;
    std::int64_t const every = b.slices / looked_at;
    std::int64_t const rows = a.rows;
    auto const order = b.order();
    auto const slices = b.slice_shapes();
    auto const steps = b.steps;
    std::int64_t more_apart = 0;  // slices, than near
    reduce_indices(
        "araia::csr_to_sell::columns_apart", IndexRange<Exec>(exec, 0, looked_at),
        KOKKOS_LAMBDA(std::int64_t i, std::int64_t & sum) {
          std::int64_t const s = i * every;
          if (steps(s) == 0) return;
          std::int64_t const last = Kokkos::min(slices.first(s + 1), rows);
          std::int64_t const stride = (slices.height(s) + most_rows - 1) / most_rows;
          std::int64_t low = a.cols;
          std::int64_t high = 0;
          for (std::int64_t row = slices.first(s); row < last; row += stride) {
            RowSpan const span = row_span(a, order.source_row(row));
            if (span.count == 0) continue;
            auto const middle = static_cast<std::int64_t>(a.col_indices[span.first + span.count / 2]);
            low = Kokkos::min(low, middle);
            high = Kokkos::max(high, middle);
          }
          sum += (high - low) / width > 0xffff ? 1 : -1;
        },
        more_apart);
    return more_apart > 0;
  }
}

/// Diagonals, and the words of columns where counts_source.
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static SellIndices<Ordinal, Device> find_indices(Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A,
                                                 SellOptions const& options,
                                                 SellStructure<Ordinal, Device>& structure) {
  SellIndices<Ordinal, Device> indices;
  auto const a = A.pointers();
  if (structure.diagonals > 0) indices.diagonals = pack_diagonals(exec, structure);
  if (may_be_words(structure, options) && counts_source<Exec>(structure, options))
    count_words(exec, A.rows, options.columns, structure,
                SourceGroups<Ordinal, decltype(a)>{a, structure.order(), structure.slice_shapes()}, indices);
  return indices;
}

/// Full columns, and the words they become where those are not counted yet. Workspace of the structure is released.
/// \param room  for full columns that become words, or empty: then they have an array of their own
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static void make_columns(Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A, SellOptions const& options,
                         SellStructure<Ordinal, Device>& structure, Kokkos::View<Ordinal*, Device> const& room,
                         SellIndices<Ordinal, Device>& indices) {
  indices.full =
      room.extent(0) != 0 ? room : new_array<Ordinal, Device>(exec, "araia::sell::col_indices", structure.columns);
  write_columns(exec, A.pointers(), structure, options.block_width, indices);
  exec.fence("araia::csr_to_sell: steps are released");
  structure.entry_steps = {};
  if (may_be_words(structure, options) && !counts_source<Exec>(structure, options))
    count_words(exec, A.rows, options.columns, structure,
                StoredGroups<Ordinal>{indices.full.data(), structure.column_offsets.data(), structure.slice_shapes()},
                indices);
}

/// 16-bit words of the columns, or -1: full ones take fewer bytes, or are wanted.
/// \throws araia::Error resource_limit where full columns are needed to count them and are beyond the limit
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static std::int64_t count_column_words(Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A,
                                       SellOptions const& options, SellStructure<Ordinal, Device>& structure,
                                       std::uint64_t limit) {
  if (options.columns == SellColumns::full) return -1;
  auto indices = find_indices(exec, A, options, structure);
  if (!counts_source<Exec>(structure, options)) {
    require_columns_fit(structure, limit);
    make_columns(exec, A, options, structure, {}, indices);
  }
  return indices.words;
}

/// The columns as words.
template <class Exec, class Ordinal, class Device>
static Kokkos::View<std::uint16_t const*, Device> pack_columns(Exec const& exec, std::int64_t rows,
                                                               SellStructure<Ordinal, Device> const& b,
                                                               SellIndices<Ordinal, Device> const& indices) {
  using Team = typename Kokkos::TeamPolicy<Exec>::member_type;
  constexpr int q = sizeof(Ordinal) / 2;
  auto const words = new_array<std::uint16_t, Device>(exec, "araia::sell::column_words", indices.words);
  auto const slices = b.slice_shapes();
  auto const steps_of = b.steps;
  auto const lengths = b.row_lengths;
  auto const offsets = b.column_offsets;
  auto const full = indices.full;
  StoredGroups<Ordinal> const groups{full.data(), offsets.data(), slices};
  auto const word_offsets = indices.word_offsets;
  auto const write_base = KOKKOS_LAMBDA(std::int64_t bases, std::int64_t t, Ordinal base) {
    auto const bits = static_cast<std::uint64_t>(base);
    for (int part = 0; part < q; ++part)
      words(bases + t * q + part) = static_cast<std::uint16_t>(bits >> (16 * part) & 0xffffu);
  };
  for_each_chunk_of_steps(
      exec, "araia::csr_to_sell::pack", b, indices,
      KOKKOS_LAMBDA(std::int64_t s, std::int64_t begin, std::int64_t end, Team const& team) {
        std::int64_t const h = slices.height(s);
        std::int64_t const first = slices.first(s);
        std::int64_t const steps = steps_of(s);
        std::int64_t const count = Kokkos::min<std::int64_t>(h, rows - first);
        std::int64_t const bases = word_offsets(s);
        std::int64_t const offsets_at = base_words(steps, q);
        if (word_offsets(s + 1) - bases == steps * h * q)
          return copy_wide_steps(team, h, begin, end, full.data() + offsets(s), words.data() + bases);
        auto const lone = lone_steps(team, lengths, first, count, steps);
        if (begin == 0)
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, offsets_at - steps * q),
                               [&](std::int64_t i) { words(bases + steps * q + i) = 0; });
        std::int64_t const shared_end = Kokkos::max(begin, Kokkos::min(end, lone.second));
        for (std::int64_t t = begin; t < shared_end; ++t) {
          std::int64_t const from = offsets(s) + t * h;
          Ordinal const base = step_span(team, lengths, groups, s, first, count, t).min_val;
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, h), [&](std::int64_t i) {
            bool const padding = i >= count || t >= static_cast<std::int64_t>(lengths(first + i));
            words(bases + offsets_at + t * h + i) =
                padding ? std::uint16_t{0} : static_cast<std::uint16_t>(full(from + i) - base);
          });
          Kokkos::single(Kokkos::PerThread(team), [&] { write_base(bases, t, base); });
        }
        // Bases of lone steps are the row's columns, which lanes take side by side, all offsets are 0.
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, end - shared_end), [&](std::int64_t i) {
          std::int64_t const t = shared_end + i;
          write_base(bases, t, full(offsets(s) + t * h + lone.row));
        });
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, (end - shared_end) * h),
                             [&](std::int64_t i) { words(bases + offsets_at + shared_end * h + i) = 0; });
      });
  return words;
}

}  // namespace araia::detail
