// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B in CSR by rows on the host, the accumulator chosen row by row: copy, sort, dense window, hash table, or
// the window moved over ranges of columns where nothing else fits.
// Mapping  a thread owns a chunk of rows and one SpgemmAccumulator; the rows of B that a row of A names are added in
// the
//          order of A's entries, so that the bits do not depend on the number of threads
// Traffic  a product reads 4 B of column and the value of B and changes a place of the window or the table; masks of 64
//          columns, with a mask of masks above them, find the columns of a row in order without a sort
// Suits    int32 columns. A matrix without values is all ones. What runs the rows brings the memory.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <araia/formats/pointers.hpp>
#include <araia/kernels/csr_spgemm_operands.hpp>

namespace araia::host {

/// How a row is summed.
enum class SpgemmRowKind : int { empty, copy, sort, window, hash, ranges };
inline constexpr int spgemm_row_kinds = 6;

struct SpgemmRowTuning {
  std::int64_t window_columns = 0;   ///< of the dense window: a multiple of 64
  std::int64_t hash_slots = 0;       ///< of the table: a power of two, or 0 for none
  std::int64_t sorted_products = 0;  ///< rows of at most so many products are sorted
  std::int64_t near_columns = 0;   ///< rows whose span is at most this take the window, however few products they have
  std::int64_t sparse_window = 0;  ///< others take it where they have a product for so many columns of their span
};

/// What a row of the product has at most: its columns lie in [first, last].
struct SpgemmRowShape {
  std::int64_t products = 0;
  std::int64_t first = 0;
  std::int64_t last = -1;
  std::int64_t entries = 0;  // of A's row
};

using araia::detail::SpgemmOperands;

template <class Scalar, class Ordinal, class Offset>
inline SpgemmRowShape spgemm_row_shape(SpgemmOperands<Scalar, Ordinal, Offset> const& of, std::int64_t row) {
  auto const begin = static_cast<std::int64_t>(of.a.row_offsets[row]);
  auto const end = static_cast<std::int64_t>(of.a.row_offsets[row + 1]);
  SpgemmRowShape shape{.products = 0, .first = of.b.cols, .last = -1, .entries = end - begin};
  for (std::int64_t p = begin; p < end; ++p) {
    auto const k = static_cast<std::int64_t>(of.a.col_indices[p]);
    auto const from = static_cast<std::int64_t>(of.b.row_offsets[k]);
    auto const to = static_cast<std::int64_t>(of.b.row_offsets[k + 1]);
    if (from == to) continue;
    shape.products += to - from;
    if (!of.ascending) continue;
    shape.first = std::min(shape.first, static_cast<std::int64_t>(of.b.col_indices[from]));
    shape.last = std::max(shape.last, static_cast<std::int64_t>(of.b.col_indices[to - 1]));
  }
  if (!of.ascending && shape.products > 0) {
    shape.first = 0;
    shape.last = of.b.cols - 1;
  }
  return shape;
}

/// Slots of a table that holds `columns` different ones half full.
inline std::int64_t spgemm_hash_slots(std::int64_t columns) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(2 * std::max<std::int64_t>(columns, 8))));
}

inline SpgemmRowKind spgemm_row_kind(SpgemmRowTuning const& tuning, SpgemmRowShape const& shape, bool ascending) {
  if (shape.products == 0) return SpgemmRowKind::empty;
  if (shape.entries == 1 && ascending) return SpgemmRowKind::copy;
  if (shape.products <= tuning.sorted_products) return SpgemmRowKind::sort;
  std::int64_t const span = shape.last - shape.first + 1;
  bool const hash = spgemm_hash_slots(std::min(shape.products, span)) <= tuning.hash_slots;
  bool const window = span <= tuning.window_columns;
  if (window && (!hash || span <= tuning.near_columns || shape.products * tuning.sparse_window >= span))
    return SpgemmRowKind::window;
  return hash ? SpgemmRowKind::hash : SpgemmRowKind::ranges;
}

/// A thread's memory, all of it zeros between two rows (keys: -1).
template <class Scalar>
struct SpgemmAccumulator {
  Scalar* window = nullptr;          // (window_columns), or null where no values are formed
  std::uint64_t* mask = nullptr;     // (window_columns / 64) columns that the row has
  std::uint64_t* summary = nullptr;  // (window_columns / 4096, rounded up) words of mask that are not zero
  std::int32_t* keys = nullptr;      // (hash_slots) columns, or -1
  Scalar* sums = nullptr;            // (hash_slots)
  std::uint64_t* order = nullptr;    // (order_length) column and place, to be sorted

  /// Places of `order`.
  static std::int64_t order_length(SpgemmRowTuning const& t) { return std::max(t.sorted_products, t.hash_slots / 2); }

  static std::size_t padded(std::size_t bytes) { return (bytes + 63) / 64 * 64; }
  static std::size_t bytes(SpgemmRowTuning const& t, bool values) {
    auto const window_columns = static_cast<std::size_t>(t.window_columns);
    auto const slots = static_cast<std::size_t>(t.hash_slots);
    return padded(values ? window_columns * sizeof(Scalar) : 0) + padded(window_columns / 8) +
           padded((window_columns / 4096 + 1) * 8) + padded(slots * sizeof(std::int32_t)) +
           padded(values ? slots * sizeof(Scalar) : 0) + padded(static_cast<std::size_t>(order_length(t)) * 8);
  }

  /// Over `bytes` bytes, aligned to 64. \param clear  they are not in the state between two rows yet
  SpgemmAccumulator(SpgemmRowTuning const& t, bool values, unsigned char* memory, bool clear) {
    auto const window_columns = static_cast<std::size_t>(t.window_columns);
    auto const slots = static_cast<std::size_t>(t.hash_slots);
    if (clear) std::fill(memory, memory + bytes(t, values), static_cast<unsigned char>(0));
    auto const take = [&](std::size_t count) {
      auto* const at = memory;
      memory += padded(count);
      return at;
    };
    auto* const window_at = take(values ? window_columns * sizeof(Scalar) : 0);
    if (values) window = reinterpret_cast<Scalar*>(window_at);
    mask = reinterpret_cast<std::uint64_t*>(take(window_columns / 8));
    summary = reinterpret_cast<std::uint64_t*>(take((window_columns / 4096 + 1) * 8));
    keys = reinterpret_cast<std::int32_t*>(take(slots * sizeof(std::int32_t)));
    if (clear) std::fill(keys, keys + slots, -1);
    auto* const sums_at = take(values ? slots * sizeof(Scalar) : 0);
    if (values) sums = reinterpret_cast<Scalar*>(sums_at);
    order = reinterpret_cast<std::uint64_t*>(take(static_cast<std::size_t>(order_length(t)) * 8));
  }
};

/// Rows of a product, one after another, in the memory of one thread.
/// \tparam Values  whether B has values; without, they are ones
template <class Scalar, class Offset, bool Values>
class SpgemmRows {
 public:
  using Operands = SpgemmOperands<Scalar, std::int32_t, Offset>;

  SpgemmRows(Operands const& of, SpgemmRowTuning const& tuning, SpgemmAccumulator<Scalar> const& memory)
      : a_(of.a), b_(of.b), of_(of), tuning_(tuning), memory_(memory) {}

  /// Entries of C's row. \param kind  how it was counted
  std::int64_t count(std::int64_t row, SpgemmRowKind& kind, std::int64_t& products) {
    auto const shape = spgemm_row_shape(of_, row);
    kind = spgemm_row_kind(tuning_, shape, of_.ascending);
    products = shape.products;
    switch (kind) {
      case SpgemmRowKind::empty: return 0;
      case SpgemmRowKind::copy: return shape.products;
      case SpgemmRowKind::sort: return unique_sorted(row);
      case SpgemmRowKind::window:
        mark(row, shape.first, shape.last, true);
        return count_marks(shape.last - shape.first + 1);
      case SpgemmRowKind::hash: return count_hashed(row, shape);
      case SpgemmRowKind::ranges: break;
    }
    std::int64_t sum = 0;
    for_each_range(shape, [&](std::int64_t first, std::int64_t last) {
      mark(row, first, last, false);
      sum += count_marks(last - first + 1);
    });
    return sum;
  }

  /// Columns and values (or null) of C's row, which count() counted. \param sorted  columns must ascend
  void fill(std::int64_t row, Scalar alpha, bool sorted, std::int32_t* cols, Scalar* values) {
    auto const shape = spgemm_row_shape(of_, row);
    auto const kind = spgemm_row_kind(tuning_, shape, of_.ascending);
    switch (kind) {
      case SpgemmRowKind::empty: return;
      case SpgemmRowKind::copy: return copy(row, alpha, cols, values);
      case SpgemmRowKind::sort: return fill_sorted(row, alpha, cols, values);
      case SpgemmRowKind::hash: return fill_hashed(row, shape, alpha, sorted, cols, values);
      default: break;
    }
    for_each_range(shape, [&](std::int64_t first, std::int64_t last) {
      std::int64_t const filled = fill_window(row, alpha, first, last, kind == SpgemmRowKind::window, cols, values);
      cols += filled;
      if (values) values += filled;
    });
  }

  /// Values of C's row, whose columns are there. \param add  to what it holds
  void refresh(std::int64_t row, Scalar alpha, bool add, std::int32_t const* cols, std::int64_t length,
               Scalar* values) {
    auto const shape = spgemm_row_shape(of_, row);
    auto const kind = spgemm_row_kind(tuning_, shape, of_.ascending);
    if (kind == SpgemmRowKind::empty) return;
    std::int64_t const span = shape.last - shape.first + 1;
    if (kind == SpgemmRowKind::copy) {
      std::int64_t n = 0;
      products(row, alpha, [&](std::int32_t, Scalar const& value) {
        values[n] = add ? values[n] + value : value;
        ++n;
      });
    } else if (kind == SpgemmRowKind::hash) {
      refresh_hashed(row, shape, alpha, add, cols, length, values);
    } else if (span <= tuning_.window_columns) {
      Scalar* const window = memory_.window - shape.first;
      products(row, alpha, [&](std::int32_t column, Scalar const& value) { window[column] += value; });
      for (std::int64_t n = 0; n < length; ++n) {
        Scalar& sum = window[cols[n]];
        values[n] = add ? values[n] + sum : sum;
        sum = Scalar{};
      }
    } else {  // C's row is sorted: only the table leaves it in another order
      if (!add) std::fill(values, values + length, Scalar{});
      refresh_searched(row, alpha, cols, length, values);
    }
  }

 private:
  static constexpr std::int64_t word_columns = 64;

  /// body(column, alpha a b) for every product of the row, in order.
  template <class Body>
  void products(std::int64_t row, Scalar const& alpha, Body const& body) const {
    auto const end = static_cast<std::int64_t>(a_.row_offsets[row + 1]);
    for (auto p = static_cast<std::int64_t>(a_.row_offsets[row]); p < end; ++p) {
      auto const k = static_cast<std::int64_t>(a_.col_indices[p]);
      Scalar const factor = a_.values ? alpha * a_.values[p] : alpha;
      auto const to = static_cast<std::int64_t>(b_.row_offsets[k + 1]);
      for (auto q = static_cast<std::int64_t>(b_.row_offsets[k]); q < to; ++q) {
        if constexpr (Values)
          body(b_.col_indices[q], factor * b_.values[q]);
        else
          body(b_.col_indices[q], factor);
      }
    }
  }

  /// The same of columns in [first, last] alone.
  template <class Body>
  void products_in(std::int64_t row, Scalar const& alpha, std::int64_t first, std::int64_t last,
                   Body const& body) const {
    auto const end = static_cast<std::int64_t>(a_.row_offsets[row + 1]);
    for (auto p = static_cast<std::int64_t>(a_.row_offsets[row]); p < end; ++p) {
      auto const k = static_cast<std::int64_t>(a_.col_indices[p]);
      Scalar const factor = a_.values ? alpha * a_.values[p] : alpha;
      auto const to = static_cast<std::int64_t>(b_.row_offsets[k + 1]);
      auto q = static_cast<std::int64_t>(b_.row_offsets[k]);
      if (of_.ascending)
        q = std::lower_bound(b_.col_indices + q, b_.col_indices + to, static_cast<std::int32_t>(first)) -
            b_.col_indices;
      for (; q < to; ++q) {
        auto const column = static_cast<std::int64_t>(b_.col_indices[q]);
        if (column > last && of_.ascending) break;
        if (column < first || column > last) continue;
        if constexpr (Values)
          body(b_.col_indices[q], factor * b_.values[q]);
        else
          body(b_.col_indices[q], factor);
      }
    }
  }

  /// body(first, last) for ranges of columns as wide as the window.
  template <class Body>
  void for_each_range(SpgemmRowShape const& shape, Body const& body) const {
    for (std::int64_t first = shape.first; first <= shape.last; first += tuning_.window_columns)
      body(first, std::min(shape.last, first + tuning_.window_columns - 1));
  }

  void mark_one(std::int64_t place) const {
    std::int64_t const word = place / word_columns;
    std::uint64_t const before = memory_.mask[word];
    memory_.mask[word] = before | std::uint64_t{1} << (place % word_columns);
    if (before == 0) memory_.summary[word / word_columns] |= std::uint64_t{1} << (word % word_columns);
  }

  /// \param whole  no column of the row lies outside
  void mark(std::int64_t row, std::int64_t first, std::int64_t last, bool whole) const {
    if (whole) {
      auto const end = static_cast<std::int64_t>(a_.row_offsets[row + 1]);
      for (auto p = static_cast<std::int64_t>(a_.row_offsets[row]); p < end; ++p) {
        auto const k = static_cast<std::int64_t>(a_.col_indices[p]);
        auto const to = static_cast<std::int64_t>(b_.row_offsets[k + 1]);
        for (auto q = static_cast<std::int64_t>(b_.row_offsets[k]); q < to; ++q) mark_one(b_.col_indices[q] - first);
      }
    } else {
      products_in(row, Scalar(1), first, last, [&](std::int32_t column, Scalar const&) { mark_one(column - first); });
    }
  }

  /// body(word, bits) for the words of the mask that are not zero, which become zero.
  template <class Body>
  void take_marks(std::int64_t span, Body const& body) const {
    std::int64_t const words = (span + word_columns - 1) / word_columns;
    for (std::int64_t s = 0; s * word_columns < words; ++s) {
      std::uint64_t marked = memory_.summary[s];
      if (marked == 0) continue;
      memory_.summary[s] = 0;
      for (; marked != 0; marked &= marked - 1) {
        std::int64_t const word = s * word_columns + std::countr_zero(marked);
        std::uint64_t const bits = memory_.mask[word];
        memory_.mask[word] = 0;
        body(word, bits);
      }
    }
  }

  std::int64_t count_marks(std::int64_t span) const {
    std::int64_t sum = 0;
    take_marks(span, [&](std::int64_t, std::uint64_t bits) { sum += std::popcount(bits); });
    return sum;
  }

  std::int64_t fill_window(std::int64_t row, Scalar const& alpha, std::int64_t first, std::int64_t last, bool whole,
                           std::int32_t* cols, Scalar* values) const {
    if (!values) {
      mark(row, first, last, whole);
    } else {
      auto const add = [&](std::int32_t column, Scalar const& value) {
        std::int64_t const place = column - first;
        memory_.window[place] += value;
        mark_one(place);
      };
      if (whole)
        products(row, alpha, add);
      else
        products_in(row, alpha, first, last, add);
    }
    std::int64_t filled = 0;
    take_marks(last - first + 1, [&](std::int64_t word, std::uint64_t bits) {
      for (; bits != 0; bits &= bits - 1) {
        std::int64_t const place = word * word_columns + std::countr_zero(bits);
        cols[filled] = static_cast<std::int32_t>(first + place);
        if (values) {
          values[filled] = memory_.window[place];
          memory_.window[place] = Scalar{};
        }
        ++filled;
      }
    });
    return filled;
  }

  void copy(std::int64_t row, Scalar const& alpha, std::int32_t* cols, Scalar* values) const {
    std::int64_t n = 0;
    products(row, alpha, [&](std::int32_t column, Scalar const& value) {
      cols[n] = column;
      if (values) values[n] = value;
      ++n;
    });
  }

  /// order[0, n): the row's products by column, then in order; returns n.
  std::int64_t sort_products(std::int64_t row) const {
    std::int64_t n = 0;
    auto const end = static_cast<std::int64_t>(a_.row_offsets[row + 1]);
    for (auto p = static_cast<std::int64_t>(a_.row_offsets[row]); p < end; ++p) {
      auto const k = static_cast<std::int64_t>(a_.col_indices[p]);
      auto const to = static_cast<std::int64_t>(b_.row_offsets[k + 1]);
      for (auto q = static_cast<std::int64_t>(b_.row_offsets[k]); q < to; ++q, ++n)
        memory_.order[n] = static_cast<std::uint64_t>(b_.col_indices[q]) << 32 | static_cast<std::uint64_t>(n);
    }
    std::sort(memory_.order, memory_.order + n);
    return n;
  }

  std::int64_t unique_sorted(std::int64_t row) const {
    std::int64_t const n = sort_products(row);
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += i == 0 || memory_.order[i] >> 32 != memory_.order[i - 1] >> 32;
    return sum;
  }

  void fill_sorted(std::int64_t row, Scalar const& alpha, std::int32_t* cols, Scalar* values) const {
    constexpr std::uint64_t place = 0xffffffff;
    std::int64_t const n = sort_products(row);
    std::int64_t filled = -1;
    std::uint64_t before = ~std::uint64_t{0};
    for (std::int64_t i = 0; i < n; ++i) {
      std::uint64_t const column = memory_.order[i] >> 32;
      if (column != before) {
        cols[++filled] = static_cast<std::int32_t>(column);
        if (values) values[filled] = Scalar{};
      }
      before = column;
      // The place in C of the product that is number `place` of the row, so that products are formed in order.
      if (values) memory_.order[i] = (memory_.order[i] & place) << 32 | static_cast<std::uint64_t>(filled);
    }
    if (!values) return;
    std::sort(memory_.order, memory_.order + n);
    std::int64_t i = 0;
    products(row, alpha, [&](std::int32_t, Scalar const& value) { values[memory_.order[i++] & place] += value; });
  }

  /// The slot of a column, or the free one that it may take.
  [[nodiscard]] std::int64_t slot_of(std::int32_t column, std::uint64_t slot_mask) const {
    constexpr std::uint64_t odd = 0x9e3779b1;
    auto slot = (static_cast<std::uint64_t>(column) * odd >> 7) & slot_mask;
    while (memory_.keys[slot] != column && memory_.keys[slot] != -1) slot = (slot + 1) & slot_mask;
    return static_cast<std::int64_t>(slot);
  }

  static std::uint64_t slot_mask(SpgemmRowShape const& shape) {
    return static_cast<std::uint64_t>(spgemm_hash_slots(std::min(shape.products, shape.last - shape.first + 1)) - 1);
  }

  std::int64_t count_hashed(std::int64_t row, SpgemmRowShape const& shape) const {
    std::uint64_t const slots = slot_mask(shape);
    std::int64_t n = 0;
    auto const end = static_cast<std::int64_t>(a_.row_offsets[row + 1]);
    for (auto p = static_cast<std::int64_t>(a_.row_offsets[row]); p < end; ++p) {
      auto const k = static_cast<std::int64_t>(a_.col_indices[p]);
      auto const to = static_cast<std::int64_t>(b_.row_offsets[k + 1]);
      for (auto q = static_cast<std::int64_t>(b_.row_offsets[k]); q < to; ++q) {
        std::int64_t const slot = slot_of(b_.col_indices[q], slots);
        if (memory_.keys[slot] != -1) continue;
        memory_.keys[slot] = b_.col_indices[q];
        memory_.order[n++] = static_cast<std::uint64_t>(slot);
      }
    }
    for (std::int64_t i = 0; i < n; ++i) memory_.keys[memory_.order[i]] = -1;
    return n;
  }

  void fill_hashed(std::int64_t row, SpgemmRowShape const& shape, Scalar const& alpha, bool sorted, std::int32_t* cols,
                   Scalar* values) const {
    constexpr std::uint64_t low = 0xffffffff;
    std::uint64_t const slots = slot_mask(shape);
    std::int64_t n = 0;
    products(row, alpha, [&](std::int32_t column, Scalar const& value) {
      std::int64_t const slot = slot_of(column, slots);
      if (memory_.keys[slot] == -1) {
        memory_.keys[slot] = column;
        memory_.order[n++] = static_cast<std::uint64_t>(column) << 32 | static_cast<std::uint64_t>(slot);
      }
      if (values) memory_.sums[slot] += value;
    });
    if (sorted) std::sort(memory_.order, memory_.order + n);
    for (std::int64_t i = 0; i < n; ++i) {
      std::uint64_t const slot = memory_.order[i] & low;
      cols[i] = memory_.keys[slot];
      memory_.keys[slot] = -1;
      if (values) {
        values[i] = memory_.sums[slot];
        memory_.sums[slot] = Scalar{};
      }
    }
  }

  void refresh_hashed(std::int64_t row, SpgemmRowShape const& shape, Scalar const& alpha, bool add,
                      std::int32_t const* cols, std::int64_t length, Scalar* values) const {
    std::uint64_t const slots = slot_mask(shape);
    for (std::int64_t n = 0; n < length; ++n) {
      std::int64_t const slot = slot_of(cols[n], slots);
      memory_.keys[slot] = cols[n];
      memory_.order[n] = static_cast<std::uint64_t>(slot);
    }
    products(row, alpha,
             [&](std::int32_t column, Scalar const& value) { memory_.sums[slot_of(column, slots)] += value; });
    for (std::int64_t n = 0; n < length; ++n) {
      std::uint64_t const slot = memory_.order[n];
      values[n] = add ? values[n] + memory_.sums[slot] : memory_.sums[slot];
      memory_.sums[slot] = Scalar{};
      memory_.keys[slot] = -1;
    }
  }

  /// Each product finds its place by a search whose lower end moves along with an ascending row of B.
  void refresh_searched(std::int64_t row, Scalar const& alpha, std::int32_t const* cols, std::int64_t length,
                        Scalar* values) const {
    std::int32_t const* at = cols;
    std::int32_t before = -1;
    products(row, alpha, [&](std::int32_t column, Scalar const& value) {
      at = std::lower_bound(column >= before ? at : cols, cols + length, column);
      before = column;
      values[at - cols] += value;
    });
  }

  CsrPointers<Scalar, std::int32_t, Offset> a_;
  CsrPointers<Scalar, std::int32_t, Offset> b_;
  Operands of_;
  SpgemmRowTuning tuning_;
  SpgemmAccumulator<Scalar> memory_;
};

}  // namespace araia::host
