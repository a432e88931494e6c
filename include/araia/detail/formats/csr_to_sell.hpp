// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Csr -> Sell and back: structure once, values by one gather, on the execution space. Where an entry lies follows from
// the structures of both, so no gather map is kept: update_values takes a Csr of the same structure.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include <araia/assembly/row_stats.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/detail/formats/ready_made.hpp>
#include <araia/detail/formats/sell_columns.hpp>
#include <araia/detail/formats/sell_diagonals.hpp>
#include <araia/detail/formats/sell_fill.hpp>
#include <araia/detail/formats/sell_options.hpp>
#include <araia/detail/formats/sell_rows.hpp>
#include <araia/detail/formats/sell_structure.hpp>
#include <araia/detail/formats/sell_validate.hpp>
#include <araia/formats/sell.hpp>

namespace araia {

namespace detail {

/// row_lengths of b: entries, or groups of `width` columns. Returns the longest; fences exec.
template <class Exec, class Pointers, class Ordinal, class Device>
static std::int64_t find_row_lengths(Exec const& exec, Pointers const& a, SellStructure<Ordinal, Device>& b,
                                     int width) {
  auto const order = b.order();
  auto const lengths = b.row_lengths;
  std::int64_t longest = 0;
  if (a.rows == 0) return longest;
  if constexpr (is_device_space<Exec>) {
    if (width > 1) {
      auto const bytes = (a.nnz + 1) * static_cast<std::int64_t>(sizeof(StepCount<Pointers>));
      b.entry_steps = new_keys(exec, "araia::csr_to_sell::steps_before", (bytes + 7) / 8);
      find_steps_before(exec, a, width, OnDiagonal<Ordinal, Device>{}, entry_steps(a, b));
      row_lengths_from(exec, a, b, entry_steps(a, b));
    }
  }
  bool const known = is_device_space<Exec> && width > 1;
  reduce_indices(
      "araia::csr_to_sell::row_lengths", IndexRange<Exec>(exec, 0, a.rows),
      KOKKOS_LAMBDA(std::int64_t row, std::int64_t & most) {
        std::int64_t const from = order.source_row(row);
        std::int64_t const length = known        ? static_cast<std::int64_t>(lengths(row))
                                    : width == 1 ? row_span(a, from).count
                                                 : count_groups(a, from, width);
        lengths(row) = static_cast<Ordinal>(length);
        most = Kokkos::max(most, length);
      },
      Kokkos::Max<std::int64_t>(longest));
  exec.fence("araia::csr_to_sell::row_lengths");
  return longest;
}

/// Host: bytes of the structure that are not the result's: numbers of slices, of which there may be as many as the
/// least height allows, and room for the diagonals that are looked for.
template <class Exec, class Ordinal>
std::uint64_t sell_workspace_bytes(std::int64_t rows, std::int64_t nnz, SellOptions const& options) {
  std::int64_t const least = options.least_slice_height > 0 ? options.least_slice_height : options.slice_height;
  auto const arrays = static_cast<std::uint64_t>(slice_arrays<Exec>(options)) * sizeof(std::int64_t);
  auto const of_slices =
      saturating_product(static_cast<std::uint64_t>(rows / std::max<std::int64_t>(least, 1) + 2), arrays);
  auto const found = options.diagonals ? saturating_product(static_cast<std::uint64_t>(nnz), sizeof(Ordinal)) : 0;
  return saturating_sum(of_slices, found);
}

/// Host: arrays of rows and entries of the structure, which come before the result's bytes are known: those that are
/// the result's within its limit.
template <class Exec, class Ordinal, class Device>
void require_room_for_structure(std::int64_t rows, std::int64_t nnz, bool permuted, SellOptions const& options) {
  if constexpr (host_reaches<Device>) {
    auto const limit = memory_limit_or_default<typename Device::memory_space>(options.memory_limit);
    bool const sorts = options.sort_window > 1;
    auto const count = static_cast<std::uint64_t>(rows);
    auto const kept = saturating_product(count, sizeof(Ordinal) * (permuted || sorts ? 2 : 1));
    require_memory("araia::csr_to_sell: the rows of the sliced matrix", kept, limit);
    if (sorts)
      require_room_beside<Device>("araia::csr_to_sell: ordering the rows", saturating_product(count, sizeof(Ordinal)),
                                  saturating_product(count, sorted_key_bytes), limit);
    require_room_beside<Device>("araia::csr_to_sell: the rows of the sliced matrix and the workspace", kept,
                                sell_workspace_bytes<Exec, Ordinal>(rows, nnz, options), limit);
  }
}

/// Slices, row lengths and counts of a pattern as SELL. Fences exec.
template <class Exec, class Ordinal, class Offset, class Device>
static SellStructure<Ordinal, Device> sell_structure(Exec const& exec, Csr<char, Ordinal, Offset, Device> const& A,
                                                     SellOptions const& options, SellCosts const& costs) {
  check(options);
  if (options.columns == SellColumns::narrow && sizeof(Ordinal) < sizeof(std::uint16_t))
    throw Error(ErrorKind::unsupported, "araia::csr_to_sell: narrow columns: indices of 8 bits take fewer bytes");
  bool const permuted = A.row_permutation.extent(0) != 0;
  if (options.sort_window > 1 && permuted)
    throw Error(ErrorKind::unsupported, "araia::csr_to_sell: sort_window of a Csr whose rows are permuted already");
  require_room_for_structure<Exec, Ordinal, Device>(A.rows, A.nnz, permuted, options);
  auto const a = A.pointers();
  int const width = options.block_width;
  if (width > 1 || options.diagonals) require_ascending_columns(exec, a);
  if (options.diagonals) require_fits<Ordinal>("araia::csr_to_sell: rows as diagonals", A.rows);

  SellStructure<Ordinal, Device> b{.arrays = SliceArrays<Device>(slice_arrays<Exec>(options)),
                                   .slice_height = options.slice_height};
  if (options.sort_window > 1 && A.rows > 0) {
    b.row_permutation = sort_inside_windows<Exec, Ordinal, Device>(exec, a, options.sort_window);
    b.reordered = true;
  } else if (permuted) {
    b.row_permutation = copy_of<Device>(exec, A.row_permutation);
  }
  b.row_lengths = new_array<Ordinal, Device>(exec, "araia::sell::row_lengths", A.rows);
  std::int64_t const longest = find_row_lengths(exec, a, b, width);
  require_fits<Ordinal>("araia::csr_to_sell: longest row", longest);

  auto const most_rows = static_cast<std::uint64_t>(A.rows) + static_cast<std::uint64_t>(options.slice_height);
  auto const most_slots = saturating_product(most_rows, static_cast<std::uint64_t>(longest * width));
  if (most_slots >> 62 != 0)
    throw Error(ErrorKind::resource_limit, "araia::csr_to_sell: rows of " + std::to_string(longest) +
                                               " entries in slices of " + std::to_string(options.slice_height) +
                                               " rows may need 2^62 slots or more");

  if (A.rows > 0 && options.least_slice_height > 0 && options.least_slice_height < options.slice_height)
    partition_rows(exec, b, A.rows, options.least_slice_height, width * costs.value + costs.column,
                   static_cast<std::int64_t>(8 * (sizeof(Offset) + sizeof(Ordinal))));
  else
    b.slices = (A.rows + options.slice_height - 1) / options.slice_height;
  find_steps(exec, b, A.rows);
  if (options.diagonals) find_diagonals(exec, a, b, width, costs);
  scan_structure(exec, b, width);
  b.fill = count_slots_of_rows(exec, b, A.rows, width) - A.nnz;
  return b;
}

/// Bytes of the Sell of this structure, with `words` 16-bit words in place of indices where that is not negative.
template <class Format, class Ordinal, class Device>
std::uint64_t sell_bytes(SellStructure<Ordinal, Device> const& b, std::int64_t rows, SellOptions const& options,
                         bool values, std::int64_t words) {
  using Offset = typename Format::size_type;
  auto const array = [](std::int64_t count, std::size_t bytes) {
    return saturating_product(static_cast<std::uint64_t>(count), bytes);
  };
  std::int64_t const offsets = (b.slices + 1) * (1 + (b.diagonals > 0) + (words >= 0 || b.columns_need_offsets()));
  std::uint64_t bytes = saturating_sum(array(rows, sizeof(Ordinal)), array(offsets, sizeof(Offset)));
  bytes = saturating_sum(bytes, array(b.diagonals, sizeof(Ordinal)));
  if (b.slice_rows.extent(0) != 0) bytes = saturating_sum(bytes, array(b.slices + 1, sizeof(Ordinal)));
  if (b.row_permutation.extent(0) != 0) bytes = saturating_sum(bytes, array(rows, sizeof(Ordinal)));
  bytes = saturating_sum(bytes, words >= 0 ? array(words, sizeof(std::uint16_t)) : array(b.columns, sizeof(Ordinal)));
  if (values) bytes = saturating_sum(bytes, array(b.slots, sizeof(typename Format::value_type)));
  if (sell_needs_mask(b.fill, options, values))
    bytes = saturating_sum(bytes, array((b.slots + 31) / 32, sizeof(std::uint32_t)));
  return bytes;
}

}  // namespace detail

/// Exact bytes of the Sell that csr_to_sell makes with these options.
/// \throws araia::Error as csr_to_sell; of its memory limit only what rows, and 16-bit columns as workspace, take
/// Cost    the symbolic half: O(rows), O(nnz) with blocks or diagonals; columns of 16 bits need the full ones as
///         workspace, but on devices without both; fences exec
template <class Format, class Exec, class Scalar, class Ordinal, class Offset, class Device>
static std::uint64_t count_bytes(Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A,
                                 SellOptions const& options) {
  static_assert(std::is_same_v<typename Format::ordinal_type, Ordinal>, "araia::count_bytes: same Ordinal as A");
  auto structure = detail::sell_structure(exec, A.pattern(), options, detail::sell_costs(A, options));
  std::int64_t const words =
      detail::count_column_words(exec, A.pattern(), options, structure,
                                 detail::memory_limit_or_default<typename Device::memory_space>(options.memory_limit));
  return detail::sell_bytes<Format>(structure, A.rows, options, A.has_values(), words);
}

/// Bytes of a Sell by the row statistics alone, for pruning. Exact without blocks, diagonals and 16-bit columns where
/// all rows have one length. Else the slots are taken for a slice's longest row being sqrt(2 ln C) deviations above the
/// mean, and C / sort_window of that with sorting: as the true slots, between nnz and padded rows * longest row, so off
/// by at most the ratio of those two. Diagonals count as columns and blocks as full, which diagonals only undercut; a
/// narrow column as 2 bytes. Cost    O(1); saturates where it would wrap
template <class Format>
std::uint64_t estimate_bytes(RowStats const& stats, SellOptions const& options, bool values = true) {
  using Ordinal = typename Format::ordinal_type;
  detail::check(options);
  auto const height = static_cast<double>(options.slice_height);
  double const slices = std::ceil(static_cast<double>(stats.rows) / height);
  double const spread = stats.length_deviation * std::sqrt(2 * std::log(height));
  double const left = std::min(1.0, options.sort_window > 1 ? height / static_cast<double>(options.sort_window) : 1.0);
  double const width = std::min(static_cast<double>(stats.max_length), stats.mean_length + left * spread);
  double const slots = std::max(static_cast<double>(stats.nnz), slices * height * width);
  double const column = options.columns == SellColumns::full ? sizeof(Ordinal) : sizeof(std::uint16_t);
  double const slot = (values ? sizeof(typename Format::value_type) : 0) + column / options.block_width;
  double const rows = static_cast<double>(stats.rows) * sizeof(Ordinal) * (options.sort_window > 1 ? 2 : 1);
  double const bytes = slots * slot + rows + (slices + 1) * sizeof(typename Format::size_type);
  constexpr double most = 9223372036854775808.0;  // 2^63
  return bytes < most ? static_cast<std::uint64_t>(bytes) : ~std::uint64_t{0};
}

/// Refills B with the values of A, whose structure it was made from.
/// \throws araia::Error dimension_mismatch where sizes differ; the structure itself is trusted
/// Cost    O(slots), one kernel; no allocation; asynchronous on exec
template <class Exec, class S, class O, class F, class D, class AS, class AF, class AD>
static void update_values(Exec const& exec, Sell<S, O, F, D> const& B, Csr<AS, O, AF, AD> const& A) {
  detail::require_same_structure(detail::sizes_agree(B, A), "Sell");
  if (!B.has_values() || B.nnz == 0) return;
  // A permuted Csr keeps its order in the Sell; else the Sell's own permutation names rows of A.
  bool const reordered = B.row_permutation.extent(0) != 0 && A.row_permutation.extent(0) == 0;
  detail::fill_slots(exec, B.pointers(), A.pointers(), reordered, B.slots, B.values, Kokkos::View<std::uint32_t*, D>(),
                     true);
}

namespace detail {
/// What csr_to_sell does, of any types.
template <class To, class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Sell<std::remove_const_t<Scalar>, Ordinal, To, Device> csr_to_sell_here(
    Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A, SellOptions const& options) {
  using Source = Csr<Scalar, Ordinal, Offset, Device>;
  using Format = Sell<typename Source::value_type, Ordinal, To, Device>;
  require_same_memory<Exec, Source>();
  Kokkos::Profiling::ScopedRegion const region("araia::csr_to_sell");
  auto structure = sell_structure(exec, A.pattern(), options, sell_costs(A, options));
  auto const limit = memory_limit_or_default<typename Source::memory_space>(options.memory_limit);
  require_fits<To>("araia::csr_to_sell: slots", structure.slots);
  require_fits<To>("araia::csr_to_sell: diagonals", structure.diagonals);
  auto const bytes = [&](std::int64_t words) {
    return sell_bytes<Format>(structure, A.rows, options, A.has_values(), words);
  };
  auto const require_room = [&](std::int64_t words) {
    require_memory("araia::csr_to_sell: the sliced matrix", bytes(words), limit);
    require_room_beside<Device>("araia::csr_to_sell: the sliced matrix and the workspace", bytes(words),
                                sell_workspace_bytes<Exec, Ordinal>(A.rows, A.nnz, options), limit);
  };
  auto columns = find_indices(exec, A.pattern(), options, structure);
  bool const counted = options.columns == SellColumns::full || counts_source<Exec>(structure, options);
  bool const stays = counted && columns.words < 0;  // full columns are the result's
  if (counted) require_room(columns.words);
  if (!stays) require_columns_fit(structure, limit);

  Format B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz, .slices = structure.slices};
  B.slice_height = options.slice_height;
  B.sort_window = options.sort_window;
  B.block_width = options.block_width;
  B.slots = structure.slots;
  B.fill = structure.fill;
  B.slice_rows = structure.slice_rows;
  B.row_lengths = structure.row_lengths;
  B.row_permutation = structure.row_permutation;
  B.slice_offsets = as_offsets<To>(exec, "araia::sell::slice_offsets", structure.slice_offsets);
  // Columns that are likely to become words lie where values follow; beyond the limit the refusal is to name the words
  // too.
  Kokkos::View<typename Format::value_type*, Device> values;
  Kokkos::View<Ordinal*, Device> room;
  auto const new_values = [&] {
    return new_array<typename Format::value_type, Device>(exec, "araia::sell::values", structure.slots);
  };
  if (!stays && A.has_values() && A.nnz > 0 && bytes(0) <= limit &&
      sizeof(typename Format::value_type) >= sizeof(Ordinal) &&
      (counted || !columns_lie_apart(exec, A.pointers(), structure, options.block_width))) {
    values = new_values();
    room = {reinterpret_cast<Ordinal*>(values.data()), static_cast<std::size_t>(structure.columns)};
  }
  make_columns(exec, A.pattern(), options, structure, room, columns);
  if (!counted) require_room(columns.words);
  B.diagonals = columns.diagonals;
  if (structure.diagonals > 0)
    B.diagonal_offsets = as_offsets<To>(exec, "araia::sell::diagonal_offsets", structure.diagonal_offsets);
  if (columns.words >= 0) {
    require_fits<To>("araia::csr_to_sell: words of columns", columns.words);
    B.column_offsets = as_offsets<To>(exec, "araia::sell::column_offsets", columns.word_offsets);
    B.column_words = pack_columns(exec, A.rows, structure, columns);
  } else {
    auto full = columns.full;
    if (room.extent(0) != 0) {
      full = new_array<Ordinal, Device>(exec, "araia::sell::col_indices", structure.columns);
      copy_array(exec, full, columns.full);
    }
    B.col_indices = full;
    if (structure.columns_need_offsets())
      B.column_offsets = as_offsets<To>(exec, "araia::sell::column_offsets", structure.column_offsets);
  }
  auto const mask = new_mask<Device>(exec, structure.fill, structure.slots, options, A.has_values());
  B.stored_mask = mask;
  if (A.has_values() && A.nnz > 0) B.values = values.extent(0) != 0 ? values : new_values();
  if (A.nnz > 0) fill_slots(exec, B.pointers(), A.pointers(), structure.reordered, B.slots, B.values, mask, false);
  exec.fence("araia::csr_to_sell: the structure is released");
  return B;
}

/// The same from the library.
template <class Exec, class A>
Sell<A, std::int32_t, std::int32_t, typename Exec::device_type> csr_to_sell_ready(Exec const& exec,
                                                                                  ReadySource<Exec, A> const& source,
                                                                                  SellOptions const& options);
}  // namespace detail

/// A as SELL.
/// \throws araia::Error invalid_structure where A breaks a rule of its format, unless options.validate is false;
///         invalid_argument where an option is out of range; unsupported where rows are to be sorted that
///         A has permuted already, where blocks or diagonals meet columns that do not ascend strictly, where narrow
///         columns lie too far apart or indices have 8 bits; resource_limit where offsets or indices overflow their
///         types, or naming need and limit, before more than values and workspace is allocated
/// Cost    O(slots + nnz); allocates the result, 16 to 96 bytes a slice, 16 bytes a row while sorting, full columns
///         while 16-bit ones are made unless values are as wide and, on devices, columns near, and there up to 24 bytes
///         an entry for diagonals, an offset an entry for blocks, an index a row where rows are reordered; fences exec
template <class ResultOffset = void, class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Sell<std::remove_const_t<Scalar>, Ordinal,
            std::conditional_t<std::is_void_v<ResultOffset>, Offset, ResultOffset>, Device>
csr_to_sell(Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A, SellOptions const& options = {}) {
  if (options.validate) validate(exec, A);
  using Source = Csr<Scalar, Ordinal, Offset, Device>;
  using To = std::conditional_t<std::is_void_v<ResultOffset>, Offset, ResultOffset>;
  if constexpr (detail::is_ready_source<Exec, Source> && std::is_same_v<To, std::int32_t>)
    return detail::csr_to_sell_ready<Exec, typename Source::value_type>(exec, detail::ready_source<Exec>(A), options);
  else
    return detail::csr_to_sell_here<To>(exec, A, options);
}

/// Rows in matrix order, without a permutation. Entries of a row keep the order of the source; stored zeros come back,
/// unless blocks or diagonals have fill and B has no mask: then slots of value zero are dropped.
/// \throws araia::Error resource_limit where nnz does not fit Offset
/// Cost    O(rows + slots); allocates the result; fences exec
template <class Offset = std::int32_t, class Exec, class S, class Ordinal, class F, class Device>
static Csr<std::remove_const_t<S>, Ordinal, Offset, Device> to_csr(Exec const& exec,
                                                                   Sell<S, Ordinal, F, Device> const& A) {
  using Source = Sell<S, Ordinal, F, Device>;
  using value_type = typename Source::value_type;
  detail::require_same_memory<Exec, Source>();
  Kokkos::Profiling::ScopedRegion const region("araia::to_csr");
  detail::require_fits<Offset>("araia::to_csr: nnz", A.nnz);
  Csr<value_type, Ordinal, Offset, Device> B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  auto const offsets = detail::new_array<Offset, Device>(exec, "araia::csr::row_offsets", A.rows + 1);
  B.row_offsets = offsets;
  auto const a = A.pointers();
  B.nnz = detail::count_entries(exec, a, offsets);
  auto const cols = detail::new_array<Ordinal, Device>(exec, "araia::csr::col_indices", B.nnz);
  auto const values = A.has_values() ? detail::new_array<value_type, Device>(exec, "araia::csr::values", B.nnz)
                                     : Kokkos::View<value_type*, Device>();
  detail::for_each_index(
      "araia::to_csr::entries", detail::IndexRange<Exec>(exec, 0, a.rows), KOKKOS_LAMBDA(std::int64_t row) {
        auto const slice = detail::sell_slice(a, a.block_width, detail::sell_slice_of(a, row));
        std::int64_t const to_row = detail::matrix_row(a, row);
        auto to = static_cast<std::int64_t>(offsets(to_row));
        detail::sell_for_each_entry(a, slice, row, to_row, [&](std::int64_t k, std::int64_t c) {
          cols(to) = static_cast<Ordinal>(c);
          if (a.values) values(to) = a.values[k];
          ++to;
        });
      });
  B.col_indices = cols;
  B.values = values;
  return B;
}

}  // namespace araia
