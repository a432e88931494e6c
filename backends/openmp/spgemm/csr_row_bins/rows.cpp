// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = alpha A B in CSR by rows on the host, the accumulator chosen row by row: copy, sort, dense window, hash table, or
// the window moved over ranges of columns where nothing else fits.
// Mapping  a thread owns a chunk of rows and one SpgemmRowMemory; the rows of B that a row of A names are added in the
//          order of A's entries, so that the bits depend neither on the number of threads nor on the accumulator
// Traffic  a product reads 4 B of column and the value of B and changes a place of the window or the table; masks of 64
//          columns, with a mask of masks above them, find the columns of a row in order without a sort
// Rows     that have the columns of the row before (unknowns of a node), or those moved by one (stencils), take its
//          columns as they are or moved, and go four at once:
//
//            same     row of A: k    a0..a3 of 4 rows     lanes[slot of column] += (a0 a1 a2 a3) * b(k, column)
//            shifted  rows k..k+3    a0..a3 of 4 rows     lanes[map of product] += (a0 b(k) a1 b(k+1) ...)
//
//          Rows of B that have the columns of the row before are added in one visit of the lanes.
// Suits    int32 columns. A matrix without values is all ones.

#include <araia/detail/formats/type_list.hpp>

#include "backends/openmp/intrinsics.hpp"
#include "backends/openmp/prefetch.hpp"
#include "backends/openmp/spgemm/csr_row_bins/rows.hpp"

namespace araia::host::ARAIA_ISA {

namespace {

constexpr std::int64_t word_columns = 64;
constexpr int word_bits = 6;
// Marks of a byte need no read, but a look at every 64 columns of the span: they pay where a product has fewer columns.
constexpr std::int64_t columns_of_byte_product = 128;
// Rows of C with a column for so many of their span, at least, have words of several bits.
constexpr std::int64_t columns_of_dense_entry = 32;
constexpr std::int64_t lanes = spgemm_lanes;
// Rows of B are prefetched so many entries of A ahead, and their offsets twice as many, where B is larger than this.
constexpr std::int64_t entries_ahead = 8;
constexpr std::int64_t entries_in_cache = std::int64_t{1} << 16;

/// Of a row of B, in two bits of its own; of one of C, in four.
inline unsigned b_link(std::uint8_t const* links, std::int64_t row) {
  return static_cast<unsigned>(links[row >> 2]) >> (2 * (row & 3)) & 3;
}
inline unsigned c_link(std::uint8_t const* links, std::int64_t row) {
  return static_cast<unsigned>(links[row >> 1]) >> (4 * (row & 1)) & 15;
}
inline void set_bits(std::uint8_t& byte, unsigned bits, unsigned mask, unsigned shift) {
  byte = static_cast<std::uint8_t>((static_cast<unsigned>(byte) & ~(mask << shift)) | bits << shift);
}

/// Of a row to the one before.
template <class Offset>
inline unsigned link_of_row(Offset const* row_offsets, std::int32_t const* col_indices, std::int64_t row) {
  if (row == 0) return 0;
  auto const before = static_cast<std::int64_t>(row_offsets[row - 1]);
  auto const begin = static_cast<std::int64_t>(row_offsets[row]);
  std::int64_t const length = begin - before;
  if (static_cast<std::int64_t>(row_offsets[row + 1]) - begin != length) return 0;
  if (length == 0) return spgemm_same | spgemm_shifted;
  std::int32_t const* const x = col_indices + before;
  std::int32_t const* const y = col_indices + begin;
  std::int32_t const shift = y[0] - x[0];
  if ((shift != 0 && shift != 1) || y[length - 1] - x[length - 1] != shift) return 0;
  std::int32_t others = 0;
  for (std::int64_t i = 0; i < length; ++i) others |= (y[i] - x[i]) ^ shift;
  return others != 0 ? 0 : shift == 0 ? spgemm_same : spgemm_shifted;
}

inline std::int64_t least(std::int64_t x, std::int64_t y) { return x < y ? x : y; }
inline std::int64_t most(std::int64_t x, std::int64_t y) { return x > y ? x : y; }

[[maybe_unused]] inline SpgemmComplex operator*(SpgemmComplex const& x, SpgemmComplex const& y) {
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
[[maybe_unused]] inline SpgemmComplex operator+(SpgemmComplex const& x, SpgemmComplex const& y) {
  return {x.re + y.re, x.im + y.im};
}

// sum + x y by one rounding where the machine has it: the same on every path, so that paths have the same bits.
[[gnu::always_inline]] inline double multiply_add(double x, double y, double sum) {
#ifdef __FMA__
  return __builtin_fma(x, y, sum);
#else
  return sum + x * y;
#endif
}
[[gnu::always_inline]] [[maybe_unused]] inline float multiply_add(float x, float y, float sum) {
#ifdef __FMA__
  return __builtin_fmaf(x, y, sum);
#else
  return sum + x * y;
#endif
}
[[gnu::always_inline]] [[maybe_unused]] inline SpgemmComplex multiply_add(SpgemmComplex const& x,
                                                                          SpgemmComplex const& y,
                                                                          SpgemmComplex const& sum) {
  return {multiply_add(x.re, y.re, multiply_add(-x.im, y.im, sum.re)),
          multiply_add(x.re, y.im, multiply_add(x.im, y.re, sum.im))};
}

template <class Scalar>
constexpr Scalar one_of() {
  return Scalar{1};
}

/// Four sums side by side, where the machine has them.
template <class Scalar>
struct Lanes {
  struct Vector {};
};
template <class Scalar>
constexpr bool has_lanes = false;
#ifdef __AVX2__
template <>
struct Lanes<double> {
  using Vector = __m256d;
  static Vector all(double x) { return _mm256_set1_pd(x); }
  static Vector of(double x0, double x1, double x2, double x3) { return _mm256_setr_pd(x0, x1, x2, x3); }
  static Vector load(double const* at) { return _mm256_loadu_pd(at); }
  static void store(double* at, Vector v) { _mm256_storeu_pd(at, v); }
  static Vector multiply_add(Vector x, Vector y, Vector sum) { return _mm256_fmadd_pd(x, y, sum); }
  static void transpose(Vector (&v)[4]) {
    Vector const low01 = _mm256_unpacklo_pd(v[0], v[1]), high01 = _mm256_unpackhi_pd(v[0], v[1]);
    Vector const low23 = _mm256_unpacklo_pd(v[2], v[3]), high23 = _mm256_unpackhi_pd(v[2], v[3]);
    v[0] = _mm256_permute2f128_pd(low01, low23, 0x20);
    v[1] = _mm256_permute2f128_pd(high01, high23, 0x20);
    v[2] = _mm256_permute2f128_pd(low01, low23, 0x31);
    v[3] = _mm256_permute2f128_pd(high01, high23, 0x31);
  }
};
template <>
struct Lanes<float> {
  using Vector = __m128;
  static Vector all(float x) { return _mm_set1_ps(x); }
  static Vector of(float x0, float x1, float x2, float x3) { return _mm_setr_ps(x0, x1, x2, x3); }
  static Vector load(float const* at) { return _mm_loadu_ps(at); }
  static void store(float* at, Vector v) { _mm_storeu_ps(at, v); }
  static Vector multiply_add(Vector x, Vector y, Vector sum) { return _mm_fmadd_ps(x, y, sum); }
  static void transpose(Vector (&v)[4]) { _MM_TRANSPOSE4_PS(v[0], v[1], v[2], v[3]); }
};
template <>
constexpr bool has_lanes<double> = true;
template <>
[[maybe_unused]] constexpr bool has_lanes<float> = true;
#endif

/// to[i] = from[i], or x, for i < n, at most spgemm_short_row; what stands up to `few_behind` places behind may change.
/// No loop, whose end would not be foreseen, where that can be.
constexpr std::int64_t few_behind = 16;
template <class T>
[[gnu::always_inline]] inline void put_few(T* to, T const* from, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    to[i] = from[i];
    __asm__ volatile("" ::: "memory");  // else a call of memcpy
  }
}
template <class T>
[[gnu::always_inline]] inline void put_one(T* to, T x, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) to[i] = x;
}
#if defined(__AVX512F__)
template <>
[[gnu::always_inline]] inline void put_few(std::int32_t* to, std::int32_t const* from, std::int64_t n) {
  auto const mask = static_cast<std::uint32_t>((std::uint64_t{1} << n) - 1);
  _mm512_storeu_si512(to, _mm512_maskz_loadu_epi32(static_cast<__mmask16>(mask & 0xffff), from));
  if (n > 16) _mm512_storeu_si512(to + 16, _mm512_maskz_loadu_epi32(static_cast<__mmask16>(mask >> 16), from + 16));
}
template <>
[[gnu::always_inline]] inline void put_few(double* to, double const* from, std::int64_t n) {
  for (std::int64_t i = 0; i < n; i += 8)
    _mm512_storeu_pd(to + i,
                     _mm512_maskz_loadu_pd(static_cast<__mmask8>(n - i < 8 ? (1u << (n - i)) - 1 : 0xffu), from + i));
}
template <>
[[gnu::always_inline]] inline void put_one(double* to, double x, std::int64_t n) {
  for (std::int64_t i = 0; i < n; i += 8) _mm512_storeu_pd(to + i, _mm512_set1_pd(x));
}
#endif

/// Up to spgemm_short_row columns, compared with one at once.
struct ShortRow {
  alignas(64) std::int32_t columns[spgemm_short_row + few_behind];
  std::uint32_t firsts = 0;  // bit i: columns[i] is the first with its column
  int length = 0;

  /// Bit i < length: columns[i] is less than (or equal to) `column`.
  [[nodiscard]] std::uint32_t less(std::int32_t column) const;
  [[nodiscard]] std::uint32_t equal(std::int32_t column) const;
  void find_firsts() {
    std::uint32_t bit = 1;
    firsts = 0;
    for (int i = 0; i < length; ++i, bit <<= 1) firsts |= (equal(columns[i]) & (bit - 1)) == 0 ? bit : 0;
  }
  /// Of a column that is there among those that differ.
  [[nodiscard]] int place(std::int32_t column) const { return __builtin_popcount(less(column) & firsts); }
};
#if defined(__AVX512F__)
[[gnu::always_inline]] inline std::uint32_t ShortRow::less(std::int32_t column) const {
  auto const all = _mm512_set1_epi32(column);
  auto bits = static_cast<std::uint32_t>(_mm512_cmplt_epi32_mask(_mm512_load_si512(columns), all));
  if (length > 16)
    bits |= static_cast<std::uint32_t>(_mm512_cmplt_epi32_mask(_mm512_load_si512(columns + 16), all)) << 16;
  return bits;
}
[[gnu::always_inline]] inline std::uint32_t ShortRow::equal(std::int32_t column) const {
  auto const all = _mm512_set1_epi32(column);
  auto bits = static_cast<std::uint32_t>(_mm512_cmpeq_epi32_mask(_mm512_load_si512(columns), all));
  if (length > 16)
    bits |= static_cast<std::uint32_t>(_mm512_cmpeq_epi32_mask(_mm512_load_si512(columns + 16), all)) << 16;
  return bits;
}
#elif defined(__AVX2__)
template <class Compare>
inline std::uint32_t eight_by_eight(std::int32_t const* columns, int length, Compare const& compare) {
  std::uint32_t bits = 0;
  for (int i = 0; i < length; i += 8) {
    auto const eight = _mm256_load_si256(reinterpret_cast<__m256i const*>(columns + i));
    bits |= static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(compare(eight)))) << i;
  }
  return bits;
}
inline std::uint32_t ShortRow::less(std::int32_t column) const {
  auto const all = _mm256_set1_epi32(column);
  return eight_by_eight(columns, length, [&](__m256i eight) { return _mm256_cmpgt_epi32(all, eight); });
}
inline std::uint32_t ShortRow::equal(std::int32_t column) const {
  auto const all = _mm256_set1_epi32(column);
  return eight_by_eight(columns, length, [&](__m256i eight) { return _mm256_cmpeq_epi32(all, eight); });
}
#else
inline std::uint32_t ShortRow::less(std::int32_t column) const {
  std::uint32_t bits = 0;
  for (int i = 0; i < length; ++i) bits |= static_cast<std::uint32_t>(columns[i] < column) << i;
  return bits;
}
inline std::uint32_t ShortRow::equal(std::int32_t column) const {
  std::uint32_t bits = 0;
  for (int i = 0; i < length; ++i) bits |= static_cast<std::uint32_t>(columns[i] == column) << i;
  return bits;
}
#endif

/// Bit i: bytes[i], each 0 or 1, is 1; all become 0. bytes are aligned to 64.
#if defined(__AVX512BW__)
[[gnu::always_inline]] inline std::uint64_t take_bytes(std::uint8_t* bytes) {
  auto const v = _mm512_load_si512(bytes);
  _mm512_store_si512(bytes, _mm512_setzero_si512());
  return _mm512_test_epi8_mask(v, v);
}
#elif defined(__AVX2__)
inline std::uint64_t take_bytes(std::uint8_t* bytes) {
  auto* const at = reinterpret_cast<__m256i*>(bytes);
  auto const low = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_slli_epi16(_mm256_load_si256(at), 7)));
  auto const high = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_slli_epi16(_mm256_load_si256(at + 1), 7)));
  _mm256_store_si256(at, _mm256_setzero_si256());
  _mm256_store_si256(at + 1, _mm256_setzero_si256());
  return low | static_cast<std::uint64_t>(high) << 32;
}
#else
inline std::uint64_t take_bytes(std::uint8_t* bytes) {
  std::uint64_t bits = 0;
  for (int i = 0; i < word_columns; ++i) {
    bits |= static_cast<std::uint64_t>(bytes[i]) << i;
    bytes[i] = 0;
  }
  return bits;
}
#endif

/// cols[0, ...) = first + the bits that are set, ascending; returns how many.
/// \tparam DENSE  words have several bits each: no loop, whose end would not be foreseen, where that can be
template <bool DENSE>
[[gnu::always_inline]] inline std::int64_t expand_word(std::uint64_t bits, std::int32_t first, std::int32_t* cols) {
  std::int64_t n = 0;
#if defined(__AVX512F__)
  if constexpr (DENSE) {
    auto all = _mm512_add_epi32(_mm512_set1_epi32(first),
                                _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    for (int i = 0; i < 4; ++i, bits >>= 16) {
      auto const some = static_cast<__mmask16>(bits & 0xffff);
      auto const count = __builtin_popcount(some);
      _mm512_mask_storeu_epi32(cols + n, static_cast<__mmask16>((1u << count) - 1),
                               _mm512_maskz_compress_epi32(some, all));
      all = _mm512_add_epi32(all, _mm512_set1_epi32(16));
      n += count;
    }
    return n;
  }
#endif
  for (; bits != 0; bits &= bits - 1) cols[n++] = first + static_cast<std::int32_t>(__builtin_ctzll(bits));
  return n;
}

/// order[0, n) ascending. \param columns  the upper halves are less; the lower halves of equal ones are in any order
/// \param room  as many again
inline void sort_by_column(std::uint64_t* order, std::uint64_t* room, std::int64_t n, std::int64_t columns) {
  constexpr std::int64_t few = 32;
  if (n <= few) {
    for (std::int64_t i = 1; i < n; ++i) {
      std::uint64_t const one = order[i];
      std::int64_t j = i;
      for (; j > 0 && order[j - 1] > one; --j) order[j] = order[j - 1];
      order[j] = one;
    }
    return;
  }
  constexpr int digit_bits = 8;
  constexpr std::uint64_t digit = (1 << digit_bits) - 1;
  std::uint64_t* from = order;
  std::uint64_t* to = room;
  for (int shift = 32; columns >> (shift - 32) > 0; shift += digit_bits) {
    std::int64_t starts[digit + 1] = {};
    for (std::int64_t i = 0; i < n; ++i) ++starts[from[i] >> shift & digit];
    std::int64_t sum = 0;
    for (auto& start : starts) {
      std::int64_t const count = start;
      start = sum;
      sum += count;
    }
    for (std::int64_t i = 0; i < n; ++i) to[starts[from[i] >> shift & digit]++] = from[i];
    auto* const other = from;
    from = to;
    to = other;
  }
  if (from != order)
    for (std::int64_t i = 0; i < n; ++i) order[i] = from[i];
}

/// The first of ascending columns[from, to) that is not less than `column`, or `to`.
inline std::int64_t not_less(std::int32_t const* columns, std::int64_t from, std::int64_t to, std::int64_t column) {
  while (from < to) {
    std::int64_t const middle = from + (to - from) / 2;
    if (columns[middle] < column)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

/// What a row of the product has at most: its columns lie in [first, last].
struct Shape {
  std::int64_t products = 0;
  std::int64_t first = 0;
  std::int64_t last = -1;
  std::int64_t entries = 0;  // of A's row
  [[nodiscard]] std::int64_t span() const { return last - first + 1; }
  [[nodiscard]] std::int64_t columns() const { return least(products, span()); }  // at most
};

/// Slots of a table that holds `columns` different ones half full.
inline std::int64_t hash_slots(std::int64_t columns) {
  std::int64_t slots = 16;
  while (slots < 2 * columns) slots *= 2;
  return slots;
}

inline SpgemmRowKind kind_of(SpgemmRowTuning const& tuning, Shape const& shape, bool ascending) {
  if (shape.products == 0) return SpgemmRowKind::empty;
  if (shape.entries == 1 && ascending) return SpgemmRowKind::copy;
  if (shape.products <= tuning.sorted_products) return SpgemmRowKind::sort;
  std::int64_t const span = shape.span();
  bool const hash = hash_slots(shape.columns()) <= tuning.hash_slots;
  bool const window = span <= tuning.mask_columns;
  if (window && (!hash || span <= tuning.near_columns || shape.products * tuning.sparse_window >= span))
    return SpgemmRowKind::window;
  return hash ? SpgemmRowKind::hash : SpgemmRowKind::ranges;
}

/// Rows of a product, one after another, in the memory of one thread.
template <class Scalar, class Offset>
class Rows {
 public:
  using Args = SpgemmRowsArgs<Scalar, Offset>;
  explicit Rows(Args const& args)
      : in_(args), a_(args.a), b_(args.b), memory_(args.memory), prefetches_(args.b.nnz > entries_in_cache) {}

  void shapes(bool a_is_b, SpgemmRowExtent& extent) const {
    Shape shape;
    for (std::int64_t row = in_.first_row; row < in_.last_row; ++row) {
      unsigned const link = in_.c_links ? link_of(row, a_is_b) : 0;
      if (link == 0 || row == in_.first_row) shape = look_at(row);  // else it is moved at most
      extent.span = most(extent.span, shape.span());
      auto const kind = kind_of(in_.tuning, shape, in_.ascending);
      if (in_.c_links)
        set_bits(in_.c_links[row >> 1], kind == SpgemmRowKind::sort ? link | spgemm_short : link, 15,
                 static_cast<unsigned>(4 * (row & 1)));
      if (kind == SpgemmRowKind::window || kind == SpgemmRowKind::ranges)
        extent.window = most(extent.window, least(shape.span(), in_.tuning.mask_columns));
      if (kind == SpgemmRowKind::hash) extent.hashed = most(extent.hashed, shape.columns());
      if (link != 0 && (kind == SpgemmRowKind::window || kind == SpgemmRowKind::sort)) {
        extent.lanes = most(extent.lanes, least(shape.columns(), in_.tuning.lane_entries));
        if (link == spgemm_shifted)
          extent.mapped =
              most(extent.mapped, least(most(shape.products, spgemm_short_row), in_.tuning.mapped_products));
      }
    }
  }

  void count(SpgemmRowOffsets const& counts, SpgemmRowCounts& kinds) const {
    std::int64_t entries = 0;
    Shape shape;
    SpgemmRowKind kind{};
    for (std::int64_t row = in_.first_row; row < in_.last_row; ++row) {
      if (row == in_.first_row || link(row) == 0) {
        shape = shape_of(row);
        kind = kind_of(in_.tuning, shape, in_.ascending);
        if (kind == SpgemmRowKind::sort) {
          ShortRow keys;
          find_short(row, keys);
          shape.products = keys.length;
          entries = __builtin_popcount(keys.firsts);
        } else {
          entries = count(row, shape, kind);
        }
      }
      if (counts.wide)
        counts.wide[row + 1] = entries;
      else
        counts.narrow[row + 1] = static_cast<std::int32_t>(entries);
      auto& of_kind = kinds.kinds[static_cast<int>(kind)];
      ++of_kind.rows;
      of_kind.products += static_cast<std::uint64_t>(shape.products);
    }
  }

  void fill(Scalar alpha, bool sorted, SpgemmRowOffsets const& offsets, std::int32_t* cols, Scalar* values) const {
    for (std::int64_t row = in_.first_row; row < in_.last_row;) {
      Shape const shape = shape_of(row);
      auto const kind = kind_of(in_.tuning, shape, in_.ascending);
      std::int64_t const first = at(offsets, row);
      std::int64_t const length = at(offsets, row + 1) - first;
      Scalar* const out = values ? values + first : nullptr;
      std::int64_t const run = run_of(row, shape, kind, length);
      if (run == 1) {
        fill(row, shape, kind, alpha, sorted, length, cols + first, out);
        ++row;
        continue;
      }
      if (kind == SpgemmRowKind::sort) {
        fill_short(row, Scalar{}, cols + first, nullptr);
      } else {
        mark(row, shape);
        index_columns(shape.first, shape.span(), length, cols + first);
      }
      for (std::int64_t r = 1; r < run; ++r) {
        std::int32_t const shift = link(row + 1) == spgemm_same ? 0 : static_cast<std::int32_t>(r);
        std::int32_t const* const from = cols + first;
        std::int32_t* const to = cols + first + r * length;
        for (std::int64_t n = 0; n < length; ++n) to[n] = from[n] + shift;
      }
      if (values) sum_run(row, run, shape, kind, alpha, false, length, out);
      if (kind == SpgemmRowKind::window) clear_marks(shape.span());
      row += run;
    }
  }

  void refresh(Scalar alpha, bool add, SpgemmRowOffsets const& offsets, std::int32_t const* cols,
               Scalar* values) const {
    for (std::int64_t row = in_.first_row; row < in_.last_row;) {
      Shape const shape = shape_of(row);
      auto const kind = kind_of(in_.tuning, shape, in_.ascending);
      std::int64_t const first = at(offsets, row);
      std::int64_t const length = at(offsets, row + 1) - first;
      std::int64_t const run = run_of(row, shape, kind, length);
      if (run == 1) {
        refresh(row, shape, kind, alpha, add, cols + first, length, values + first);
      } else {
        if (kind == SpgemmRowKind::window) mark_known(shape.first, shape.span(), cols + first, length);
        sum_run(row, run, shape, kind, alpha, add, length, values + first);
        if (kind == SpgemmRowKind::window) clear_marks(shape.span());
      }
      row += run;
    }
  }

 private:
  static std::int64_t at(SpgemmRowOffsets const& offsets, std::int64_t i) {
    return offsets.wide ? offsets.wide[i] : static_cast<std::int64_t>(offsets.narrow[i]);
  }
  [[nodiscard]] std::int64_t a_at(std::int64_t row) const { return static_cast<std::int64_t>(a_.row_offsets[row]); }
  [[nodiscard]] std::int64_t b_at(std::int64_t k) const { return static_cast<std::int64_t>(b_.row_offsets[k]); }

  /// body(k, p) for the entries p of A's row in order, k their columns; rows of B to come are prefetched.
  template <class Body>
  [[gnu::always_inline]] void each_entry(std::int64_t row, Body const& body) const {
    std::int64_t const end = a_at(row + 1);
    for (std::int64_t p = a_at(row); p < end; ++p) {
      if (prefetches_ && p + 2 * entries_ahead < a_.nnz) {
        prefetch<Into::l1>(b_.row_offsets + a_.col_indices[p + 2 * entries_ahead], 0);
        std::int64_t const from = b_at(a_.col_indices[p + entries_ahead]);
        prefetch<Into::l1>(b_.col_indices + from, 0);
        if (b_.values) {
          prefetch<Into::l1>(b_.values + from, 0);
          prefetch<Into::l1>(b_.values + from, 64);
        }
      }
      body(static_cast<std::int64_t>(a_.col_indices[p]), p);
    }
  }

  [[nodiscard]] Shape look_at(std::int64_t row) const {
    std::int64_t const begin = a_at(row);
    std::int64_t const end = a_at(row + 1);
    std::int64_t sum = 0;
    std::int64_t first = b_.cols;
    std::int64_t last = -1;
    for (std::int64_t p = begin; p < end; ++p) {
      std::int64_t const k = a_.col_indices[p];
      std::int64_t const from = b_at(k);
      std::int64_t const to = b_at(k + 1);
      if (from == to) continue;
      sum += to - from;
      if (!in_.ascending) continue;
      first = least(first, b_.col_indices[from]);
      last = most(last, b_.col_indices[to - 1]);
    }
    if (!in_.ascending && sum > 0) {
      first = 0;
      last = b_.cols - 1;
    }
    Shape shape;
    shape.products = sum;
    shape.first = first;
    shape.last = last;
    shape.entries = end - begin;
    return shape;
  }

  /// The same, but for rows that are known to be short: of these, that they are.
  [[nodiscard]] Shape shape_of(std::int64_t row) const {
    if (!in_.c_links || !(c_link(in_.c_links, row) & spgemm_short)) return look_at(row);
    Shape shape;
    shape.products = in_.tuning.sorted_products;
    shape.entries = 2;
    return shape;
  }

  /// Of a row of C to the one before.
  [[nodiscard]] unsigned link_of(std::int64_t row, bool a_is_b) const {
    unsigned link = a_is_b ? b_link(in_.b_links, row) : link_of_row(a_.row_offsets, a_.col_indices, row);
    if (link & spgemm_same) return spgemm_same;
    for (std::int64_t p = a_at(row); link != 0 && p < a_at(row + 1); ++p)
      link &= b_link(in_.b_links, a_.col_indices[p]);
    return link;
  }
  [[nodiscard]] unsigned link(std::int64_t row) const {
    return in_.c_links ? c_link(in_.c_links, row) & (spgemm_same | spgemm_shifted) : 0;
  }

  /// Rows from this one on that are summed together.
  [[nodiscard]] std::int64_t run_of(std::int64_t row, Shape const& shape, SpgemmRowKind kind,
                                    std::int64_t length) const {
    if constexpr (!has_lanes<Scalar>) return 1;
    if (!in_.c_links || !b_.values || length > in_.tuning.lane_entries || row + 1 == in_.last_row) return 1;
    if (kind != SpgemmRowKind::window && kind != SpgemmRowKind::sort) return 1;
    unsigned const next = link(row + 1);
    bool const same = next == spgemm_same && kind == SpgemmRowKind::window;
    bool const shifted = next == spgemm_shifted && shape.products <= in_.tuning.mapped_products;
    if (!same && !shifted) return 1;
    std::int64_t run = 2;
    std::int64_t const most_rows = least(in_.last_row - row, same ? lanes : std::int64_t{1} << 30);
    while (run < most_rows && link(row + run) == next) ++run;
    return run;
  }

  std::int64_t count(std::int64_t row, Shape const& shape, SpgemmRowKind kind) const {
    switch (kind) {
      case SpgemmRowKind::empty: return 0;
      case SpgemmRowKind::copy: return shape.products;
      case SpgemmRowKind::window: return count_window(row, shape);
      case SpgemmRowKind::hash: return count_hashed(row, shape);
      default: break;
    }
    std::int64_t sum = 0;
    for_each_range(shape, [&](std::int64_t first, std::int64_t last) {
      mark_in(row, first, last);
      sum += count_marks(last - first + 1);
    });
    return sum;
  }

  void fill(std::int64_t row, Shape const& shape, SpgemmRowKind kind, Scalar const& alpha, bool sorted,
            std::int64_t length, std::int32_t* cols, Scalar* values) const {
    switch (kind) {
      case SpgemmRowKind::empty: return;
      case SpgemmRowKind::copy: return copy(row, alpha, cols, values);
      case SpgemmRowKind::sort: return fill_short(row, alpha, cols, values);
      case SpgemmRowKind::window: return fill_window(row, alpha, shape, length, cols, values);
      case SpgemmRowKind::hash: return fill_hashed(row, shape, alpha, sorted, cols, values);
      case SpgemmRowKind::ranges: break;
    }
    for_each_range(shape, [&](std::int64_t first, std::int64_t last) {
      mark_in(row, first, last);
      std::int64_t const filled =
          index_marks(first, last - first + 1, [&](std::int64_t n, std::int64_t from, std::uint64_t bits) {
            return expand_word<false>(bits, static_cast<std::int32_t>(from), cols + n);
          });
      if (values) {
        for (std::int64_t n = 0; n < filled; ++n) values[n] = Scalar{};
        sum_in(row, alpha, first, last, values);
        values += filled;
      }
      clear_marks(last - first + 1);
      cols += filled;
    });
  }

  void refresh(std::int64_t row, Shape const& shape, SpgemmRowKind kind, Scalar const& alpha, bool add,
               std::int32_t const* cols, std::int64_t length, Scalar* values) const {
    switch (kind) {
      case SpgemmRowKind::empty: return;
      case SpgemmRowKind::copy: {
        std::int64_t n = 0;
        products(row, alpha, [&](std::int32_t, Scalar const& x, Scalar const& y) {
          Scalar const value = multiply_add(x, y, Scalar{});
          values[n] = add ? values[n] + value : value;
          ++n;
        });
        return;
      }
      case SpgemmRowKind::sort: return refresh_short(row, alpha, add, length, values);
      case SpgemmRowKind::window:
        if (shape.span() <= in_.tuning.window_columns) {
          Scalar* const window = memory_.window - shape.first;
          products(row, alpha, [&](std::int32_t column, Scalar const& x, Scalar const& y) {
            window[column] = multiply_add(x, y, window[column]);
          });
          take_values(cols, length, window, values, add);
        } else {
          if (!add)
            for (std::int64_t n = 0; n < length; ++n) values[n] = Scalar{};
          mark_known(shape.first, shape.span(), cols, length);
          sum_marked(row, alpha, shape.first, values);
          clear_marks(shape.span());
        }
        return;
      case SpgemmRowKind::hash: return refresh_hashed(row, shape, alpha, add, cols, length, values);
      case SpgemmRowKind::ranges: break;
    }
    // C's row is sorted: only the table leaves it in another order.
    if (!add)
      for (std::int64_t n = 0; n < length; ++n) values[n] = Scalar{};
    std::int64_t from = 0;
    for_each_range(shape, [&](std::int64_t first, std::int64_t last) {
      std::int64_t to = from;
      while (to < length && cols[to] <= last) ++to;
      mark_known(first, last - first + 1, cols + from, to - from);
      sum_in(row, alpha, first, last, values + from);
      clear_marks(last - first + 1);
      from = to;
    });
  }

  /// body(column, alpha a, b) for every product of the row, in order.
  template <class Body>
  void products(std::int64_t row, Scalar const& alpha, Body const& body) const {
    Scalar const one = one_of<Scalar>();
    Scalar const* const b_values = b_.values ? b_.values : &one;
    std::int64_t const step = b_.values ? 1 : 0;
    each_entry(
        row, [&](std::int64_t k, std::int64_t p) __attribute__((always_inline)) {
          Scalar const factor = a_.values ? alpha * a_.values[p] : alpha;
          std::int64_t const to = b_at(k + 1);
          std::int64_t q = b_at(k);
          Scalar const* value = b_values + q * step;
          for (; q < to; ++q, value += step) body(b_.col_indices[q], factor, *value);
        });
  }

  /// The same of columns in [first, last] alone.
  template <class Body>
  void products_in(std::int64_t row, Scalar const& alpha, std::int64_t first, std::int64_t last,
                   Body const& body) const {
    each_entry(row, [&](std::int64_t k, std::int64_t p) {
      Scalar const factor = a_.values ? alpha * a_.values[p] : alpha;
      std::int64_t const to = b_at(k + 1);
      std::int64_t q = b_at(k);
      if (in_.ascending) q = not_less(b_.col_indices, q, to, first);
      for (; q < to; ++q) {
        std::int64_t const column = b_.col_indices[q];
        if (column > last && in_.ascending) break;
        if (column < first || column > last) continue;
        body(b_.col_indices[q], factor, b_.values ? b_.values[q] : one_of<Scalar>());
      }
    });
  }

  /// body(first, last) for ranges of columns as wide as the window.
  template <class Body>
  void for_each_range(Shape const& shape, Body const& body) const {
    for (std::int64_t first = shape.first; first <= shape.last; first += in_.tuning.mask_columns)
      body(first, least(shape.last, first + in_.tuning.mask_columns - 1));
  }

  [[gnu::always_inline]] void mark_one(std::int64_t place) const {
    std::int64_t const word = place >> word_bits;
    memory_.mask[word] |= std::uint64_t{1} << (place & (word_columns - 1));
    memory_.summary[word >> word_bits] |= std::uint64_t{1} << (word & (word_columns - 1));
  }

  /// Are the row's marks bytes first?
  [[nodiscard]] bool in_bytes(Shape const& shape) const {
    std::int64_t const span = shape.span();
    return span <= in_.tuning.byte_columns && span <= columns_of_byte_product * shape.products;
  }

  /// body(column) for the columns of the row's products, but for rows of B that have those of the row before.
  template <class Body>
  [[gnu::always_inline]] void each_column(std::int64_t row, Body const& body) const {
    std::uint8_t const* const links = in_.b_links;
    std::int64_t before = -2;
    each_entry(
        row, [&](std::int64_t k, std::int64_t) __attribute__((always_inline)) {
          bool const known = links && k == before + 1 && (b_link(links, k) & spgemm_same);
          before = k;
          if (known) return;
          std::int64_t const to = b_at(k + 1);
          std::int32_t const* const cols = b_.col_indices;
          for (std::int64_t q = b_at(k); q < to; ++q) body(cols[q]);
        });
  }

  void mark(std::int64_t row, Shape const& shape) const {
    if (in_bytes(shape)) {
      mark_bytes(row, shape);
      bytes_to_bits(shape.span());
    } else {
      auto const place = memory_;
      each_column(
          row, [&, place, first = shape.first ](std::int64_t column) __attribute__((always_inline)) {
            std::int64_t const word = (column - first) >> word_bits;
            place.mask[word] |= std::uint64_t{1} << ((column - first) & (word_columns - 1));
            place.summary[word >> word_bits] |= std::uint64_t{1} << (word & (word_columns - 1));
          });
    }
  }

  void mark_bytes(std::int64_t row, Shape const& shape) const {
    std::uint8_t* const bytes = memory_.bytes - shape.first;
    each_column(
        row, [bytes](std::int64_t column) __attribute__((always_inline)) { bytes[column] = 1; });
  }

  void bytes_to_bits(std::int64_t span) const {
    std::int64_t const words = (span + word_columns - 1) >> word_bits;
    for (std::int64_t s = 0; s < words; s += word_columns) {
      std::uint64_t marked = 0;
      std::int64_t const end = least(words, s + word_columns);
      for (std::int64_t word = s; word < end; ++word) {
        std::uint64_t const bits = take_bytes(memory_.bytes + word * word_columns);
        memory_.mask[word] = bits;
        marked |= static_cast<std::uint64_t>(bits != 0) << (word - s);
      }
      memory_.summary[s >> word_bits] = marked;
    }
  }

  std::int64_t count_window(std::int64_t row, Shape const& shape) const {
    std::int64_t sum = 0;
    if (in_bytes(shape)) {
      mark_bytes(row, shape);
      std::int64_t const words = (shape.span() + word_columns - 1) >> word_bits;
      for (std::int64_t word = 0; word < words; ++word)
        sum += __builtin_popcountll(take_bytes(memory_.bytes + word * word_columns));
      return sum;
    }
    mark(row, shape);
    return count_marks(shape.span());
  }

  void mark_in(std::int64_t row, std::int64_t first, std::int64_t last) const {
    products_in(row, one_of<Scalar>(), first, last,
                [&](std::int32_t column, Scalar const&, Scalar const&) { mark_one(column - first); });
  }

  /// body(word, bits) for the words of the mask that are not zero, which become zero.
  template <class Body>
  void take_marks(std::int64_t span, Body const& body) const {
    std::int64_t const words = (span + word_columns - 1) >> word_bits;
    for (std::int64_t s = 0; s * word_columns < words; ++s) {
      std::uint64_t marked = memory_.summary[s];
      if (marked == 0) continue;
      memory_.summary[s] = 0;
      for (; marked != 0; marked &= marked - 1) {
        std::int64_t const word = s * word_columns + __builtin_ctzll(marked);
        std::uint64_t const bits = memory_.mask[word];
        memory_.mask[word] = 0;
        body(word, bits);
      }
    }
  }

  std::int64_t count_marks(std::int64_t span) const {
    std::int64_t sum = 0;
    take_marks(span, [&](std::int64_t, std::uint64_t bits) { sum += __builtin_popcountll(bits); });
    return sum;
  }

  // ---- places by marks: the entries before a column's word, and the bits below its own ----

  /// Writes starts; take(n, from, bits) is what it does with each word that is not zero, n entries before it and bit 0
  /// column `from`, and returns how many are set. Returns how many are marked.
  template <class Take>
  [[gnu::always_inline]] std::int64_t index_marks(std::int64_t first, std::int64_t span, Take const& take) const {
    std::int64_t filled = 0;
    std::int64_t const words = (span + word_columns - 1) >> word_bits;
    for (std::int64_t s = 0; s * word_columns < words; ++s)
      for (std::uint64_t marked = memory_.summary[s]; marked != 0; marked &= marked - 1) {
        std::int64_t const word = s * word_columns + __builtin_ctzll(marked);
        memory_.starts[word] = static_cast<std::uint32_t>(filled);
        filled += take(filled, first + word * word_columns, memory_.mask[word]);
      }
    return filled;
  }

  static bool dense(std::int64_t span, std::int64_t length) { return length * columns_of_dense_entry >= span; }

  /// Starts, and the columns that are marked, `length` of them.
  void index_columns(std::int64_t first, std::int64_t span, std::int64_t length, std::int32_t* cols) const {
    if (dense(span, length))
      index_marks(
          first, span, [cols](std::int64_t n, std::int64_t from, std::uint64_t bits) __attribute__((always_inline)) {
            return expand_word<true>(bits, static_cast<std::int32_t>(from), cols + n);
          });
    else
      index_marks(
          first, span, [cols](std::int64_t n, std::int64_t from, std::uint64_t bits) __attribute__((always_inline)) {
            return expand_word<false>(bits, static_cast<std::int32_t>(from), cols + n);
          });
  }

  void clear_marks(std::int64_t span) const {
    take_marks(span, [](std::int64_t, std::uint64_t) {});
  }

  void mark_known(std::int64_t first, std::int64_t span, std::int32_t const* cols, std::int64_t length) const {
    for (std::int64_t n = 0; n < length; ++n) mark_one(cols[n] - first);
    index_marks(first, span, [](std::int64_t, std::int64_t, std::uint64_t bits) {
      return static_cast<std::int64_t>(__builtin_popcountll(bits));
    });
  }

  /// In the row of a column that is marked, `place` columns behind the first.
  [[gnu::always_inline]] [[nodiscard]] std::int64_t place_of(std::int64_t place) const {
    std::int64_t const word = place >> word_bits;
    std::uint64_t const below = (std::uint64_t{1} << (place & (word_columns - 1))) - 1;
    return static_cast<std::int64_t>(memory_.starts[word]) + __builtin_popcountll(memory_.mask[word] & below);
  }

  /// values[place] += products of a row whose columns are all marked.
  void sum_marked(std::int64_t row, Scalar const& alpha, std::int64_t first, Scalar* values) const {
    products(row, alpha, [&](std::int32_t column, Scalar const& x, Scalar const& y) {
      Scalar& sum = values[place_of(column - first)];
      sum = multiply_add(x, y, sum);
    });
  }
  /// The same of columns in [first, last] alone.
  void sum_in(std::int64_t row, Scalar const& alpha, std::int64_t first, std::int64_t last, Scalar* values) const {
    products_in(row, alpha, first, last, [&](std::int32_t column, Scalar const& x, Scalar const& y) {
      Scalar& sum = values[place_of(column - first)];
      sum = multiply_add(x, y, sum);
    });
  }

  void fill_window(std::int64_t row, Scalar const& alpha, Shape const& shape, std::int64_t length, std::int32_t* cols,
                   Scalar* values) const {
    std::int64_t const first = shape.first;
    std::int64_t const span = shape.span();
    if (!values || span > in_.tuning.window_columns) {
      mark(row, shape);
      index_columns(first, span, length, cols);
      if (values) {
        for (std::int64_t n = 0; n < length; ++n) values[n] = Scalar{};
        sum_marked(row, alpha, first, values);
      }
      return clear_marks(span);
    }
    auto const at = memory_;
    if (in_bytes(shape)) {
      products(
          row, alpha,
          [ at, first ](std::int64_t column, Scalar const& x, Scalar const& y) __attribute__((always_inline)) {
            std::int64_t const place = column - first;
            at.window[place] = multiply_add(x, y, at.window[place]);
            at.bytes[place] = 1;
          });
      if (dense(span, length))
        take_byte_columns<true>(first, span, cols);
      else
        take_byte_columns<false>(first, span, cols);
    } else {
      products(
          row, alpha,
          [ at, first ](std::int64_t column, Scalar const& x, Scalar const& y) __attribute__((always_inline)) {
            std::int64_t const place = column - first;
            std::int64_t const word = place >> word_bits;
            at.window[place] = multiply_add(x, y, at.window[place]);
            at.mask[word] |= std::uint64_t{1} << (place & (word_columns - 1));
            at.summary[word >> word_bits] |= std::uint64_t{1} << (word & (word_columns - 1));
          });
      std::int64_t n = 0;
      take_marks(
          span, [&, first ](std::int64_t word, std::uint64_t bits) __attribute__((always_inline)) {
            n += expand_word<false>(bits, static_cast<std::int32_t>(first + word * word_columns), cols + n);
          });
    }
    take_values(cols, length, memory_.window - first, values, false);
  }

  template <bool DENSE>
  void take_byte_columns(std::int64_t first, std::int64_t span, std::int32_t* cols) const {
    std::int64_t n = 0;
    for (std::int64_t word = 0; word * word_columns < span; ++word)
      if (std::uint64_t const bits = take_bytes(memory_.bytes + word * word_columns); bits != 0)
        n += expand_word<DENSE>(bits, static_cast<std::int32_t>(first + word * word_columns), cols + n);
  }

  /// values[n] = window[cols[n]], or that added, which becomes zero.
  static void take_values(std::int32_t const* cols, std::int64_t length, Scalar* window, Scalar* values, bool add) {
    for (std::int64_t n = 0; n < length; ++n) {
      Scalar& sum = window[cols[n]];
      values[n] = add ? values[n] + sum : sum;
      sum = Scalar{};
    }
  }

  void copy(std::int64_t row, Scalar const& alpha, std::int32_t* cols, Scalar* values) const {
    std::int64_t n = 0;
    products(row, alpha, [&](std::int32_t column, Scalar const& x, Scalar const& y) {
      cols[n] = column;
      if (values) values[n] = multiply_add(x, y, Scalar{});
      ++n;
    });
  }

  // ---- rows of few products: the place of a column is the number of smaller ones ----

  /// The columns of the row's products in order, and their factors where these are not null.
  void find_short(std::int64_t row, ShortRow& keys, Scalar const& alpha = Scalar{}, Scalar* x = nullptr,
                  Scalar* y = nullptr) const {
    each_entry(
        row, [&](std::int64_t k, std::int64_t p) __attribute__((always_inline)) {
          std::int64_t const from = b_at(k);
          std::int64_t const length = b_at(k + 1) - from;
          put_few(keys.columns + keys.length, b_.col_indices + from, length);
          if (x) {
            put_one(x + keys.length, a_.values ? alpha * a_.values[p] : alpha, length);
            if (b_.values)
              put_few(y + keys.length, b_.values + from, length);
            else
              put_one(y + keys.length, one_of<Scalar>(), length);
          }
          keys.length += static_cast<int>(length);
        });
    for (int i = 0; i < few_behind; ++i) keys.columns[keys.length + i] = 0;  // are compared, not used
    keys.find_firsts();
  }

  void fill_short(std::int64_t row, Scalar const& alpha, std::int32_t* cols, Scalar* values) const {
    ShortRow keys;
    if (!values) {
      find_short(row, keys);
      for (std::uint32_t rest = keys.firsts; rest != 0; rest &= rest - 1) {
        std::int32_t const column = keys.columns[__builtin_ctz(rest)];
        cols[keys.place(column)] = column;
      }
      return;
    }
    Scalar x[spgemm_short_row + few_behind];
    Scalar y[spgemm_short_row + few_behind];
    find_short(row, keys, alpha, x, y);
    int const length = __builtin_popcount(keys.firsts);
    for (int n = 0; n < length; ++n) values[n] = Scalar{};
    for (int i = 0; i < keys.length; ++i) {
      std::int32_t const column = keys.columns[i];
      int const place = keys.place(column);
      cols[place] = column;
      values[place] = multiply_add(x[i], y[i], values[place]);
    }
  }

  void refresh_short(std::int64_t row, Scalar const& alpha, bool add, std::int64_t length, Scalar* values) const {
    ShortRow keys;
    Scalar x[spgemm_short_row + few_behind];
    Scalar y[spgemm_short_row + few_behind];
    find_short(row, keys, alpha, x, y);
    Scalar sums[spgemm_short_row];
    for (std::int64_t n = 0; n < length; ++n) sums[n] = Scalar{};
    for (int i = 0; i < keys.length; ++i) {
      int const place = keys.place(keys.columns[i]);
      sums[place] = multiply_add(x[i], y[i], sums[place]);
    }
    for (std::int64_t n = 0; n < length; ++n) values[n] = add ? values[n] + sums[n] : sums[n];
  }

  // ---- several rows at once ----

  /// Values of `run` rows, all of `length` columns, which are marked where they take the window.
  void sum_run(std::int64_t row, std::int64_t run, Shape const& shape, SpgemmRowKind kind, Scalar const& alpha,
               bool add, std::int64_t length, Scalar* values) const {
    if constexpr (has_lanes<Scalar>) {
      bool const same = link(row + 1) == spgemm_same;
      if (kind == SpgemmRowKind::sort)
        map_short(row);
      else if (!same)
        map_marked(row, shape.first);
      for (std::int64_t r = 0; r < run; r += lanes) {
        std::int64_t const count = least(lanes, run - r);
        for (std::int64_t n = 0; n < length * lanes; ++n) memory_.lanes[n] = Scalar{};
        if (same)
          sum_same(row + r, count, alpha, shape.first);
        else
          sum_shifted(row + r, count, alpha);
        write_lanes(count, add, length, values + r * length);
      }
    }
  }

  /// The sums of `count` rows, one behind the other.
  template <class L = Lanes<Scalar>>
  void write_lanes(std::int64_t count, bool add, std::int64_t length, Scalar* out) const {
    std::int64_t n = 0;
    if (!add)
      for (; n + lanes <= length; n += lanes) {
        Scalar const* const at = memory_.lanes + n * lanes;
        typename L::Vector v[lanes] = {L::load(at), L::load(at + lanes), L::load(at + 2 * lanes),
                                       L::load(at + 3 * lanes)};
        L::transpose(v);
        for (std::int64_t j = 0; j < count; ++j) L::store(out + j * length + n, v[j]);
      }
    for (; n < length; ++n)
      for (std::int64_t j = 0; j < count; ++j) {
        Scalar& value = out[j * length + n];
        Scalar const sum = memory_.lanes[n * lanes + j];
        value = add ? value + sum : sum;
      }
  }

  void map_marked(std::int64_t row, std::int64_t first) const {
    std::uint16_t* map = memory_.map;
    each_entry(row, [&](std::int64_t k, std::int64_t) {
      std::int64_t const to = b_at(k + 1);
      for (std::int64_t q = b_at(k); q < to; ++q)
        *map++ = static_cast<std::uint16_t>(place_of(b_.col_indices[q] - first));
    });
  }

  void map_short(std::int64_t row) const {
    ShortRow keys;
    find_short(row, keys);
    for (int i = 0; i < keys.length; ++i) memory_.map[i] = static_cast<std::uint16_t>(keys.place(keys.columns[i]));
  }

  /// alpha a of entry p of `count` rows of A, which have `length` entries each.
  template <class L = Lanes<Scalar>>
  [[gnu::always_inline]] typename L::Vector factors(std::int64_t p, std::int64_t length, std::int64_t count,
                                                    Scalar alpha) const {
    if (!a_.values) return L::all(alpha);
    Scalar const* const a = a_.values + p;
    return L::of(alpha * a[0], alpha * a[count > 1 ? length : 0], alpha * a[count > 2 ? 2 * length : 0],
                 alpha * a[count > 3 ? 3 * length : 0]);
  }

  /// lanes[place of column] += factors * b for `Rows` rows of B of the same columns.
  template <int ROWS, class L = Lanes<Scalar>>
  void add_same(std::int64_t k, typename L::Vector const* factor, std::int64_t first) const {
    std::int64_t const from = b_at(k);
    std::int64_t const length = b_at(k + 1) - from;
    std::int32_t const* const cols = b_.col_indices + from;
    Scalar const* const b = b_.values + from;
    for (std::int64_t q = 0; q < length; ++q) {
      Scalar* const sum = memory_.lanes + lanes * place_of(cols[q] - first);
      auto v = L::load(sum);
      for (int s = 0; s < ROWS; ++s) v = L::multiply_add(factor[s], L::all(b[s * length + q]), v);
      L::store(sum, v);
    }
  }

  /// Rows that have the same columns in A.
  template <class L = Lanes<Scalar>>
  void sum_same(std::int64_t row, std::int64_t count, Scalar const& alpha, std::int64_t first) const {
    std::int64_t const begin = a_at(row);
    std::int64_t const end = a_at(row + 1);
    for (std::int64_t p = begin; p < end;) {
      std::int64_t const k = a_.col_indices[p];
      typename L::Vector factor[3];
      factor[0] = factors(p, end - begin, count, alpha);
      int rows = 1;
      for (; rows < 3 && p + rows < end && a_.col_indices[p + rows] == k + rows &&
             (b_link(in_.b_links, k + rows) & spgemm_same);
           ++rows)
        factor[rows] = factors(p + rows, end - begin, count, alpha);
      if (rows == 3)
        add_same<3>(k, factor, first);
      else if (rows == 2)
        add_same<2>(k, factor, first);
      else
        add_same<1>(k, factor, first);
      p += rows;
    }
  }

  /// Rows whose products fall into the same places, each one of A and B one row on.
  template <class L = Lanes<Scalar>>
  void sum_shifted(std::int64_t row, std::int64_t count, Scalar const& alpha) const {
    std::int64_t const begin = a_at(row);
    std::int64_t const a_length = a_at(row + 1) - begin;
    std::uint16_t const* map = memory_.map;
    for (std::int64_t p = begin; p < begin + a_length; ++p) {
      std::int64_t const k = a_.col_indices[p];
      auto const factor = factors(p, a_length, count, alpha);
      std::int64_t const from = b_at(k);
      std::int64_t const length = b_at(k + 1) - from;
      Scalar const* const b0 = b_.values + from;
      Scalar const* const b1 = b0 + (count > 1 ? length : 0);
      Scalar const* const b2 = b0 + (count > 2 ? 2 * length : 0);
      Scalar const* const b3 = b0 + (count > 3 ? 3 * length : 0);
      auto const add = [&](std::int64_t q, typename L::Vector b) __attribute__((always_inline)) {
        Scalar* const sum = memory_.lanes + lanes * static_cast<std::int64_t>(map[q]);
        L::store(sum, L::multiply_add(factor, b, L::load(sum)));
      };
      std::int64_t q = 0;
      for (; q + lanes <= length; q += lanes) {
        typename L::Vector v[lanes] = {L::load(b0 + q), L::load(b1 + q), L::load(b2 + q), L::load(b3 + q)};
        L::transpose(v);
        for (int j = 0; j < lanes; ++j) add(q + j, v[j]);
      }
      for (; q < length; ++q) add(q, L::of(b0[q], b1[q], b2[q], b3[q]));
      map += length;
    }
  }

  // ---- hash table ----

  /// The slot of a column, or the free one that it may take.
  [[nodiscard]] std::int64_t slot_of(std::int32_t column, std::uint64_t slot_mask) const {
    constexpr std::uint64_t odd = 0x9e3779b1;
    auto slot = (static_cast<std::uint64_t>(column) * odd >> 7) & slot_mask;
    while (memory_.keys[slot] != column && memory_.keys[slot] != -1) slot = (slot + 1) & slot_mask;
    return static_cast<std::int64_t>(slot);
  }

  static std::uint64_t slot_mask(Shape const& shape) {
    return static_cast<std::uint64_t>(hash_slots(shape.columns()) - 1);
  }

  std::int64_t count_hashed(std::int64_t row, Shape const& shape) const {
    std::uint64_t const slots = slot_mask(shape);
    std::int64_t n = 0;
    each_entry(row, [&](std::int64_t k, std::int64_t) {
      std::int64_t const to = b_at(k + 1);
      for (std::int64_t q = b_at(k); q < to; ++q) {
        std::int64_t const slot = slot_of(b_.col_indices[q], slots);
        if (memory_.keys[slot] != -1) continue;
        memory_.keys[slot] = b_.col_indices[q];
        memory_.order[n++] = static_cast<std::uint64_t>(slot);
      }
    });
    for (std::int64_t i = 0; i < n; ++i) memory_.keys[memory_.order[i]] = -1;
    return n;
  }

  void fill_hashed(std::int64_t row, Shape const& shape, Scalar const& alpha, bool sorted, std::int32_t* cols,
                   Scalar* values) const {
    constexpr std::uint64_t low = 0xffffffff;
    std::uint64_t const slots = slot_mask(shape);
    std::int64_t n = 0;
    products(row, alpha, [&](std::int32_t column, Scalar const& x, Scalar const& y) {
      std::int64_t const slot = slot_of(column, slots);
      if (memory_.keys[slot] == -1) {
        memory_.keys[slot] = column;
        memory_.order[n++] = static_cast<std::uint64_t>(column) << 32 | static_cast<std::uint64_t>(slot);
      }
      if (values) memory_.sums[slot] = multiply_add(x, y, memory_.sums[slot]);
    });
    if (sorted) sort_by_column(memory_.order, memory_.order + in_.tuning.hash_slots / 2, n, shape.last);
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

  void refresh_hashed(std::int64_t row, Shape const& shape, Scalar const& alpha, bool add, std::int32_t const* cols,
                      std::int64_t length, Scalar* values) const {
    std::uint64_t const slots = slot_mask(shape);
    for (std::int64_t n = 0; n < length; ++n) {
      std::int64_t const slot = slot_of(cols[n], slots);
      memory_.keys[slot] = cols[n];
      memory_.order[n] = static_cast<std::uint64_t>(slot);
    }
    products(row, alpha, [&](std::int32_t column, Scalar const& x, Scalar const& y) {
      std::int64_t const slot = slot_of(column, slots);
      memory_.sums[slot] = multiply_add(x, y, memory_.sums[slot]);
    });
    for (std::int64_t n = 0; n < length; ++n) {
      std::uint64_t const slot = memory_.order[n];
      values[n] = add ? values[n] + memory_.sums[slot] : memory_.sums[slot];
      memory_.sums[slot] = Scalar{};
      memory_.keys[slot] = -1;
    }
  }

  Args const& in_;
  CsrPointers<Scalar, std::int32_t, Offset> a_;
  CsrPointers<Scalar, std::int32_t, Offset> b_;
  SpgemmRowMemory<Scalar> memory_;
  bool prefetches_;  // rows of B
};

template <class Offset>
void links(SpgemmLinksArgs<Offset> const& in) {
  for (std::int64_t row = in.first; row < in.last; ++row)
    set_bits(in.links[row >> 2], link_of_row(in.row_offsets, in.col_indices, row), 3,
             static_cast<unsigned>(2 * (row & 3)));
}

}  // namespace

}  // namespace araia::host::ARAIA_ISA

namespace araia::host {

template <Isa level, class Offset>
void spgemm_rows_links(SpgemmLinksArgs<Offset> const& args) {
  ARAIA_ISA::links(args);
}
template <Isa level, class Scalar, class Offset>
void spgemm_rows_shapes(SpgemmRowsArgs<Scalar, Offset> const& args, bool a_is_b, SpgemmRowExtent& extent) {
  ARAIA_ISA::Rows<Scalar, Offset>(args).shapes(a_is_b, extent);
}
template <Isa level, class Scalar, class Offset>
void spgemm_rows_count(SpgemmRowsArgs<Scalar, Offset> const& args, SpgemmRowOffsets const& counts,
                       SpgemmRowCounts& kinds) {
  ARAIA_ISA::Rows<Scalar, Offset>(args).count(counts, kinds);
}
template <Isa level, class Scalar, class Offset>
void spgemm_rows_fill(SpgemmRowsArgs<Scalar, Offset> const& args, Scalar alpha, bool sorted,
                      SpgemmRowOffsets const& offsets, std::int32_t* cols, Scalar* values) {
  ARAIA_ISA::Rows<Scalar, Offset>(args).fill(alpha, sorted, offsets, cols, values);
}
template <Isa level, class Scalar, class Offset>
void spgemm_rows_refresh(SpgemmRowsArgs<Scalar, Offset> const& args, Scalar alpha, bool add,
                         SpgemmRowOffsets const& offsets, std::int32_t const* cols, Scalar* values) {
  ARAIA_ISA::Rows<Scalar, Offset>(args).refresh(alpha, add, offsets, cols, values);
}

[[gnu::used]] static void write_out_spgemm_rows() {
  using namespace detail;
  for_types<AllOffsets>([]<class Offset>() { write_out(spgemm_rows_links<Isa::ARAIA_ISA, Offset>); });
  for_types<SpgemmScalars, AllOffsets>([]<class Scalar, class Offset>() {
    write_out(spgemm_rows_shapes<Isa::ARAIA_ISA, Scalar, Offset>);
    write_out(spgemm_rows_count<Isa::ARAIA_ISA, Scalar, Offset>);
    write_out(spgemm_rows_fill<Isa::ARAIA_ISA, Scalar, Offset>);
    write_out(spgemm_rows_refresh<Isa::ARAIA_ISA, Scalar, Offset>);
  });
}

}  // namespace araia::host
