// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = alpha A x + beta y for a range of slices, A in SELL of any storage. A lane is a row; one or two vectors of
// rows go through their steps together, on diagonals 32 rows. On diagonals x is a plain vector load, on columns it is
// put together.
// Traffic  double, int32: 12 B a slot of plain slices, 8 + 4 / W with blocks, 10 with 16-bit columns, 8 on diagonals;
//          4 B a row of length where the slice has columns; 8 B of y (16 B if beta != 0), plus x.
// Suits    stencils and lattices (diagonals); meshes and graphs of short rows, better sorted by length in windows.
//          Past the shortest row of a vector AVX-512 gathers x for the lanes whose rows go on, which other
//          instruction sets put together lane by lane, and everywhere where gathers are fast.
// Fill     is zero, and so is x where a lane's row has ended or a diagonal leaves the matrix. A row whose sum is not
//          finite is summed again over its entries alone where the matrix has fill.

#include "backends/openmp/sell_spmv_slices.hpp"

#include <araia/detail/formats/type_list.hpp>
#include <limits>

#include "backends/openmp/csr_spmv_lanes.hpp"
#include "backends/openmp/csr_spmv_run_lanes.hpp"
#include "backends/openmp/prefetch.hpp"

namespace araia::host::ARAIA_ISA {

namespace {

constexpr std::int64_t slots_bytes_ahead = 8192;  // as in csr_spmv_rows.cpp, and for its reasons

// The distance where streams are prefetched into L1, in cache and from memory.
constexpr std::int64_t slots_bytes_ahead_into_l1 = 4096;

enum class Columns { indices, narrow, wide };

template <class A, class X, class Y, class Offset>
struct Slices {
  using L = Lanes<A, X, Y>;
  using Sum = typename L::Sum;
  static constexpr std::int64_t width = L::width;

  SellSpmvSlices<A, X, Y, Offset> const& in;
  // The slice at hand; as SellSlice of detail/formats/sell_access.hpp.
  std::int64_t first_row = 0, first_value = 0, first_diagonal = 0, diagonals = 0, steps = 0, first_column = 0;
  bool narrow = false;

  template <Prefetch streams_into = Prefetch::into_l2>
  [[gnu::always_inline]] static void prefetch_slots(void const* p) {
    if constexpr (streams_into == Prefetch::into_l1) prefetch<Into::l1>(p, slots_bytes_ahead_into_l1);
    if constexpr (streams_into == Prefetch::into_l2) prefetch<Into::l2>(p, slots_bytes_ahead);
  }

  void enter(std::int64_t s) {
    auto const& a = in.a;
    std::int64_t const h = a.slice_height;
    first_row = s * h;
    first_value = a.slice_offsets[s];
    std::int64_t const slots = static_cast<std::int64_t>(a.slice_offsets[s + 1]) - first_value;
    first_diagonal = a.diagonal_offsets ? static_cast<std::int64_t>(a.diagonal_offsets[s]) : 0;
    diagonals = a.diagonal_offsets ? static_cast<std::int64_t>(a.diagonal_offsets[s + 1]) - first_diagonal : 0;
    steps = (slots / h - diagonals) / a.block_width;
    first_column = (first_value - first_diagonal * h) / a.block_width;
    narrow = false;
    if (!a.column_offsets) return;
    first_column = a.column_offsets[s];
    narrow = a.column_words && static_cast<std::int64_t>(a.column_offsets[s + 1]) - first_column < steps * h * 2;
  }

  std::int64_t matrix_row(std::int64_t stored_row) const {
    return in.a.row_permutation ? static_cast<std::int64_t>(in.a.row_permutation[stored_row]) : stored_row;
  }

  template <bool Ones>
  static Sum add(Sum const& sum, A const* values, Sum const& x) {
    if constexpr (Ones) {
      return L::add_ones(sum, x);
    } else {
      return L::add(sum, values, x);
    }
  }

  /// Rows first .. first + G width - 1, which are lanes l of the slice; those past the last row add up to nothing used.
  template <int G, bool Ones>
  void add_diagonals(Sum (&sums)[G], std::int64_t first, std::int64_t l) const {
    constexpr std::int64_t lanes = G * width;
    auto const& a = in.a;
    A const* values = Ones ? nullptr : a.values + first_value + l;
    for (std::int64_t t = 0; t < diagonals; ++t) {
      std::int64_t const d = a.diagonals[first_diagonal + t];
      if constexpr (!Ones)
        for (std::int64_t r = 0; r < lanes; r += static_cast<std::int64_t>(64 / sizeof(A))) prefetch_slots(values + r);
      if (!a.row_permutation && first + d >= 0 && first + d + lanes <= a.cols) {
        X const* const x = in.x + first + d;
        for (int g = 0; g < G; ++g)
          sums[g] = add<Ones>(sums[g], values + (Ones ? 0 : g * width), L::load(x + g * width));
      } else {
        alignas(64) Y of_x[lanes];
        for (std::int64_t r = 0; r < lanes; ++r) {
          std::int64_t const column = first + r < a.rows ? matrix_row(first + r) + d : -1;
          of_x[r] = column >= 0 && column < a.cols ? Y(in.x[column]) : Y(0);
        }
        for (int g = 0; g < G; ++g)
          sums[g] = add<Ones>(sums[g], values + (Ones ? 0 : g * width), L::load(of_x + g * width));
      }
      if constexpr (!Ones) values += a.slice_height;
    }
  }

  /// Column groups of step t, lanes l to l + count - 1.
  template <Columns kind>
  void groups(std::int64_t t, std::int64_t l, std::int64_t count, std::int32_t* to) const {
    auto const& a = in.a;
    std::int64_t const h = a.slice_height;
    if constexpr (kind == Columns::indices) {
      std::int32_t const* const from = a.col_indices + first_column + t * h + l;
      for (std::int64_t r = 0; r < count; ++r) to[r] = from[r];
    } else if constexpr (kind == Columns::narrow) {
      std::uint16_t const* const bases = a.column_words + first_column + 2 * t;
      auto const base = static_cast<std::int32_t>(bases[0] | static_cast<std::uint32_t>(bases[1]) << 16);
      std::uint16_t const* const from = a.column_words + first_column + sell_base_words(steps, 2) + t * h + l;
      for (std::int64_t r = 0; r < count; ++r) to[r] = base + from[r];
    } else {
      std::uint16_t const* const low = a.column_words + first_column + 2 * t * h + l;
      for (std::int64_t r = 0; r < count; ++r)
        to[r] = static_cast<std::int32_t>(low[r] | static_cast<std::uint32_t>(low[h + r]) << 16);
    }
  }

  template <int G, bool Ones, Columns kind>
  void add_columns(Sum (&sums)[G], std::int64_t first, std::int64_t l) const {
    constexpr std::int64_t lanes = G * width;
    auto const& a = in.a;
    std::int64_t const h = a.slice_height;
    int const W = a.block_width;
#if defined(__AVX512F__)
    if (in.gathers) return gather_columns<G, Ones, kind>(sums, first, l, 0);
#endif
    std::int64_t lengths[lanes];
    std::int64_t shortest = steps;
    std::int64_t longest = 0;
    for (std::int64_t r = 0; r < lanes; ++r) {
      lengths[r] = first + r < a.rows ? static_cast<std::int64_t>(a.row_lengths[first + r]) : 0;
      shortest = lengths[r] < shortest ? lengths[r] : shortest;
      longest = lengths[r] > longest ? lengths[r] : longest;
    }
    if (a.cols % W != 0) shortest = 0;  // the last group may reach past the last column
    A const* values = Ones ? nullptr : a.values + first_value + diagonals * h + l;
    std::int64_t t = 0;
    if (kind == Columns::indices && W == 1) {
      std::int32_t const* columns = a.col_indices + first_column + l;
      for (; t < shortest; ++t) {
        if constexpr (!Ones)
          for (std::int64_t r = 0; r < lanes; r += static_cast<std::int64_t>(64 / sizeof(A)))
            prefetch_slots(values + r);
        for (std::int64_t r = 0; r < lanes; r += 16) prefetch_slots(columns + r);
        for (int g = 0; g < G; ++g)
          sums[g] = add<Ones>(sums[g], values + (Ones ? 0 : g * width), L::load_x(in.x, columns + g * width));
        columns += h;
        if constexpr (!Ones) values += h;
      }
    }
#if defined(__AVX512F__)
    if (t < longest) gather_columns<G, Ones, kind>(sums, first, l, t);
#else
    alignas(64) std::int32_t columns[lanes];
    for (; t < longest; ++t) {
      groups<kind>(t, l, lanes, columns);
      bool const all = t < shortest;
      for (int w = 0; w < W; ++w) {
        if constexpr (!Ones)
          for (std::int64_t r = 0; r < lanes; r += static_cast<std::int64_t>(64 / sizeof(A)))
            prefetch_slots(values + r);
        if (all) {
          X const* const x = in.x + w;
          alignas(64) std::int32_t scaled[lanes];
          for (std::int64_t r = 0; r < lanes; ++r) scaled[r] = columns[r] * W;
          for (int g = 0; g < G; ++g)
            sums[g] = add<Ones>(sums[g], values + (Ones ? 0 : g * width), L::load_x(x, scaled + g * width));
        } else {
          alignas(64) Y of_x[lanes];
          for (std::int64_t r = 0; r < lanes; ++r) {
            std::int64_t const column = std::int64_t{columns[r]} * W + w;
            of_x[r] = t < lengths[r] && column < a.cols ? Y(in.x[column]) : Y(0);
          }
          for (int g = 0; g < G; ++g)
            sums[g] = add<Ones>(sums[g], values + (Ones ? 0 : g * width), L::load(of_x + g * width));
        }
        if constexpr (!Ones) values += h;
      }
    }
#endif
  }

#if defined(__AVX512F__)
  /// Column groups of step t, lanes l to l + 7.
  template <Columns kind>
  __m256i groups(std::int64_t t, std::int64_t l) const {
    auto const& a = in.a;
    std::int64_t const h = a.slice_height;
    auto const load_words = [](std::uint16_t const* p) {
      return _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<__m128i const*>(p)));
    };
    if constexpr (kind == Columns::indices) {
      return _mm256_loadu_si256(reinterpret_cast<__m256i const*>(a.col_indices + first_column + t * h + l));
    } else if constexpr (kind == Columns::narrow) {
      std::uint16_t const* const bases = a.column_words + first_column + 2 * t;
      auto const base = static_cast<std::int32_t>(bases[0] | static_cast<std::uint32_t>(bases[1]) << 16);
      std::uint16_t const* const from = a.column_words + first_column + sell_base_words(steps, 2) + t * h + l;
      return _mm256_add_epi32(_mm256_set1_epi32(base), load_words(from));
    } else {
      std::uint16_t const* const low = a.column_words + first_column + 2 * t * h + l;
      return _mm256_or_si256(load_words(low), _mm256_slli_epi32(load_words(low + h), 16));
    }
  }

  /// First columns of groups whose column w lies inside the matrix, where the last group may reach past the end, are
  /// less than this. They are even, so none is the largest number itself.
  [[nodiscard]] std::int32_t end_of_groups(int w) const {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::int32_t>(in.a.cols - w < most ? in.a.cols - w : most);
  }

  static std::int32_t largest(__m256i v) {
    __m128i const four = _mm_max_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    __m128i const two = _mm_max_epi32(four, _mm_shuffle_epi32(four, 0x4e));
    return _mm_cvtsi128_si32(_mm_max_epi32(two, _mm_shuffle_epi32(two, 0xb1)));
  }

  /// Steps from t on; lanes whose rows have ended read nothing of x.
  template <int G, bool Ones, Columns kind>
  void gather_columns(Sum (&sums)[G], std::int64_t first, std::int64_t l, std::int64_t t) const {
    if (in.far) return gather_columns<G, Ones, kind, true>(sums, first, l, t);
    return gather_columns<G, Ones, kind, false>(sums, first, l, t);
  }
  template <int G, bool Ones, Columns kind, bool Far>
  void gather_columns(Sum (&sums)[G], std::int64_t first, std::int64_t l, std::int64_t t) const {
    using Gather = GatherLanes<A, X, Y>;
    auto const& a = in.a;
    std::int64_t const h = a.slice_height;
    int const W = a.block_width;
    __m256i lengths[G];
    __m256i longest = _mm256_setzero_si256();
    for (int g = 0; g < G; ++g) {
      std::int64_t const row = first + g * width;
      std::int64_t const rows = a.rows - row < 0 ? 0 : a.rows - row < width ? a.rows - row : width;
      lengths[g] = _mm256_maskz_loadu_epi32(first_lanes(rows), a.row_lengths + row);
      longest = _mm256_max_epi32(longest, lengths[g]);
    }
    std::int64_t const end = largest(longest);
    A const* values = Ones ? nullptr : a.values + first_value + (diagonals + t * W) * h + l;
    for (; t < end; ++t) {
      __m256i const step = _mm256_set1_epi32(static_cast<std::int32_t>(t));
      __mmask8 on[G];
      __m256i columns[G];
      for (int g = 0; g < G; ++g) {
        on[g] = _mm256_cmpgt_epi32_mask(lengths[g], step);
        columns[g] = groups<kind>(t, l + g * width);
        if (W != 1) columns[g] = _mm256_mullo_epi32(columns[g], _mm256_set1_epi32(W));
      }
      for (int w = 0; w < W; ++w) {
        if constexpr (Far && !Ones)
          for (std::int64_t r = 0; r < G * width; r += static_cast<std::int64_t>(64 / sizeof(A)))
            prefetch_slots(values + r);
        for (int g = 0; g < G; ++g) {
          __mmask8 const lanes =
              W == 1 ? on[g] : _mm256_mask_cmpgt_epi32_mask(on[g], _mm256_set1_epi32(end_of_groups(w)), columns[g]);
          sums[g] = add<Ones>(sums[g], values + (Ones ? 0 : g * width), Gather::gather(in.x + w, columns[g], lanes));
        }
        if constexpr (!Ones) values += h;
      }
    }
  }
#endif

  /// y = alpha sums + beta y.
  template <int G>
  void update(Sum (&sums)[G], std::int64_t first) const {
    if (in.a.rows - first >= G * width && store_whole<L>(sums, first)) return;
    auto const& a = in.a;
    std::int64_t const rows = a.rows - first < G * width ? a.rows - first : G * width;
    alignas(64) Y sum[G * width];
    for (int g = 0; g < G; ++g) L::store(sum + g * width, sums[g]);
    update_each(sum, first, rows);
  }

  void update_each(Y* sum, std::int64_t first, std::int64_t rows) const {
    auto const& a = in.a;
    for (std::int64_t r = 0; r < rows; ++r) {
      bool const finite = sum[r] - sum[r] == Y(0);
      if (a.fill != 0 && !finite) sum[r] = in.sum_of_entries(a, in.x, first + r);
      Y& y = in.y[matrix_row(first + r)];
      y = in.beta == Y(0) ? in.alpha * sum[r] : in.alpha * sum[r] + in.beta * y;
    }
  }

  /// Whole vectors of rows in their own order whose sums stand; false leaves y as it is.
  template <class V, int G>
  [[gnu::always_inline]] bool store_whole(typename V::Sum const (&sums)[G], std::int64_t first) const {
    if (in.a.row_permutation) return false;
    if (in.a.fill != 0)
      for (int g = 0; g < G; ++g)
        if (!V::finite(sums[g])) return false;
    Y* const y = in.y + first;
    for (int g = 0; g < G; ++g)
      V::store(y + g * V::width, in.beta == Y(0) ? V::scaled(in.alpha, sums[g])
                                                 : V::scaled(in.alpha, sums[g], in.beta, V::load(y + g * V::width)));
    return true;
  }

  /// Slices of nothing but diagonals that lie inside the matrix, by vectors of their own; the others as they come.
  /// What the loop needs is copied: behind a reference it was read again step by step.
  template <class V, int G, bool Ones, Prefetch streams_into>
  void diagonals_first() {
    constexpr std::int64_t lanes = G * V::width;
    auto const a = in.a;
    X const* const x = in.x;
    std::int64_t const h = a.slice_height;
    bool const whole = h % lanes == 0 && a.diagonal_offsets && !a.row_permutation;
    for (std::int64_t s = in.first_slice; s < in.last_slice; ++s) {
      std::int64_t const first = s * h;
      if (!whole || first + h > a.rows) {
        slice<Ones>(s);
        continue;
      }
      auto const first_slot = static_cast<std::int64_t>(a.slice_offsets[s]);
      auto const begin = static_cast<std::int64_t>(a.diagonal_offsets[s]);
      std::int64_t const count = static_cast<std::int64_t>(a.diagonal_offsets[s + 1]) - begin;
      auto const* const d = a.diagonals + begin;
      if (count == 0 || static_cast<std::int64_t>(a.slice_offsets[s + 1]) - first_slot != count * h ||
          first + d[0] < 0 || first + h + d[count - 1] > a.cols) {
        slice<Ones>(s);
        continue;
      }
      for (std::int64_t l = 0; l < h; l += lanes) {
        typename V::Sum sums[G];
        for (auto& sum : sums) sum = V::zero();
        A const* values = Ones ? nullptr : a.values + first_slot + l;
        for (std::int64_t t = 0; t < count; ++t) {
          if constexpr (!Ones)
            for (std::int64_t r = 0; r < lanes; r += static_cast<std::int64_t>(64 / sizeof(A)))
              prefetch_slots<streams_into>(values + r);
          X const* const of_x = x + (first + l + d[t]);
          for (int g = 0; g < G; ++g) {
            if constexpr (Ones) {
              sums[g] = V::add_ones(sums[g], V::load(of_x + g * V::width));
            } else {
              sums[g] = V::add(sums[g], values + g * V::width, V::load(of_x + g * V::width));
            }
          }
          if constexpr (!Ones) values += h;
        }
        if (store_whole<V>(sums, first + l)) continue;
        alignas(64) Y sum[lanes];
        for (int g = 0; g < G; ++g) V::store(sum + g * V::width, sums[g]);
        update_each(sum, first + l, lanes);
      }
    }
  }

  template <int G, bool Ones>
  void whole_slice(std::int64_t s) {
    std::int64_t const h = in.a.slice_height;
    enter(s);
    std::int64_t const rows = in.a.rows - first_row < h ? in.a.rows - first_row : h;
    for (std::int64_t l = 0; l < rows; l += G * width) {
      Sum sums[G];
      for (auto& sum : sums) sum = L::zero();
      add_diagonals<G, Ones>(sums, first_row + l, l);
      if (steps > 0) {
        if (in.a.col_indices) {
          add_columns<G, Ones, Columns::indices>(sums, first_row + l, l);
        } else if (narrow) {
          add_columns<G, Ones, Columns::narrow>(sums, first_row + l, l);
        } else {
          add_columns<G, Ones, Columns::wide>(sums, first_row + l, l);
        }
      }
      update<G>(sums, first_row + l);
    }
  }

  template <bool Ones>
  void slice(std::int64_t s) {
    if (in.a.slice_height % (2 * width) == 0) {
      whole_slice<2, Ones>(s);
    } else {
      whole_slice<1, Ones>(s);
    }
  }

  template <class V, int G, bool Ones>
  void all() {
    if (in.into_l1) return diagonals_first<V, G, Ones, Prefetch::into_l1>();
    if (in.far) return diagonals_first<V, G, Ones, Prefetch::into_l2>();
    diagonals_first<V, G, Ones, Prefetch::never>();
  }

  template <bool Ones>
  void all() {
    using Wide = RunLanes<A, X, Y>;
    // Without AVX2 lanes are scalars, whose sums would leave the registers.
#if defined(__AVX2__)
    constexpr std::int64_t rows_at_once = 32;  // of diagonals: where slices are as tall, their slots are one stream
    if (in.a.slice_height % rows_at_once == 0) return all<Wide, static_cast<int>(rows_at_once / Wide::width), Ones>();
#endif
    if (in.a.slice_height % (2 * Wide::width) == 0) {
      all<Wide, 2, Ones>();
    } else {
      all<L, 1, Ones>();
    }
  }
};

template <class A, class X, class Y, class Offset>
void slices(SellSpmvSlices<A, X, Y, Offset> const& args) {
  Slices<A, X, Y, Offset> work{args};
  if (args.a.values) {
    work.template all<false>();
  } else {
    work.template all<true>();
  }
}

}  // namespace

}  // namespace araia::host::ARAIA_ISA

namespace araia::host {

template <Isa level, class A, class X, class Y, class Offset>
void sell_spmv_slices(SellSpmvSlices<A, X, Y, Offset> const& args) {
  ARAIA_ISA::slices(args);
}

[[gnu::used]] static void write_out_sell_spmv_slices() {
  using namespace detail;
  for_types<RealProducts, AllOffsets>(
      []<class A, class X, class Y, class Offset>() { write_out(sell_spmv_slices<Isa::ARAIA_ISA, A, X, Y, Offset>); });
}

}  // namespace araia::host
