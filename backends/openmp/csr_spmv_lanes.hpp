// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Lanes<A, X, Y>: the few vector operations that the host CSR SpMV is made of, for the instruction set being compiled.
// Everything is in the instruction set's namespace: units for different ones share no function.
//   width                     lanes of a sum; entry k of a row goes to lane k % width
//   load_x(x, columns[, n])   width entries of x, or n < width and zeros, reading nothing beyond
//   first(v, n)               the first n < width lanes of v, zeros in the others
//   add(sum, values, x[, n])  sum += values * x[, of the first n lanes, reading nothing beyond]
//   gathers                   whether x comes by gather instructions; load_x and add then take n == width too
//   sum_up(sums)              lane r = the lanes of sums[r] added up, by one tree whatever the others hold
// and, here and in RunLanes, of the finished sums, one a row:
//   load(p[, n]), store(p, v[, n])        all lanes or the first n alone
//   scaled(alpha, sum[, beta, before])    alpha sum [+ beta before]: the same instructions for every lane of every row
//
// Lanes fetch x by scalar loads that are put together, not by gather instructions: those take 11 cycles for 8 lanes on
// Zen 4, where this takes 6 (1.3 times the speed on rows of 70 entries in cache). GatherLanes are for processors whose
// gathers take 5.

#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace araia::host::ARAIA_ISA {

#if defined(__AVX512F__)

inline __mmask8 first_lanes(std::int64_t n) { return static_cast<__mmask8>((1U << n) - 1U); }
#endif

#if defined(__AVX2__)

/// x at four columns.
inline __m256d four_of(double const* x, std::int32_t const* c) {
  __m128d const low = _mm_loadh_pd(_mm_load_sd(x + c[0]), x + c[1]);
  __m128d const high = _mm_loadh_pd(_mm_load_sd(x + c[2]), x + c[3]);
  return _mm256_insertf128_pd(_mm256_castpd128_pd256(low), high, 1);
}
inline __m128 four_of(float const* x, std::int32_t const* c) {
  __m128 const low = _mm_insert_ps(_mm_load_ss(x + c[0]), _mm_load_ss(x + c[1]), 0x10);
  __m128 const high = _mm_insert_ps(_mm_load_ss(x + c[2]), _mm_load_ss(x + c[3]), 0x10);
  return _mm_movelh_ps(low, high);
}

/// x at n < 4 columns, then zeros.
inline __m256d four_of(double const* x, std::int32_t const* c, std::int64_t n) {
  if (n <= 0) return _mm256_setzero_pd();
  __m128d low = _mm_load_sd(x + c[0]);
  if (n > 1) low = _mm_loadh_pd(low, x + c[1]);
  __m128d const high = n > 2 ? _mm_load_sd(x + c[2]) : _mm_setzero_pd();
  return _mm256_insertf128_pd(_mm256_castpd128_pd256(low), high, 1);
}
inline __m128 four_of(float const* x, std::int32_t const* c, std::int64_t n) {
  if (n <= 0) return _mm_setzero_ps();
  __m128 low = _mm_load_ss(x + c[0]);
  if (n > 1) low = _mm_insert_ps(low, _mm_load_ss(x + c[1]), 0x10);
  return _mm_movelh_ps(low, n > 2 ? _mm_load_ss(x + c[2]) : _mm_setzero_ps());
}
#endif

#if defined(__AVX512F__)

/// Eight f64 sums, values of type A. Four levels of unpack and shuffle add up eight vectors in 7 additions.
template <class A>
struct WideLanes {
  static constexpr int width = 8;
  static constexpr bool gathers = false;
  using Sum = __m512d;
  static Sum zero() { return _mm512_setzero_pd(); }
  [[gnu::always_inline]] static __m512d load_x(double const* x, std::int32_t const* columns) {
    return _mm512_maskz_insertf64x4(0xff, _mm512_castpd256_pd512(four_of(x, columns)), four_of(x, columns + 4), 1);
  }
  [[gnu::always_inline]] static __m512d load_x(double const* x, std::int32_t const* columns, std::int64_t n) {
    __m256d const low = n < 4 ? four_of(x, columns, n) : four_of(x, columns);
    return _mm512_maskz_insertf64x4(0xff, _mm512_castpd256_pd512(low), four_of(x, columns + 4, n - 4), 1);
  }
  static __m512d first(__m512d v, std::int64_t n) { return _mm512_maskz_mov_pd(first_lanes(n), v); }
  static __m512d load_values(double const* v) { return _mm512_loadu_pd(v); }
  static __m512d load_values(double const* v, __mmask8 lanes) { return _mm512_maskz_loadu_pd(lanes, v); }
  static __m512d load_values(float const* v) { return _mm512_maskz_cvtps_pd(0xff, _mm256_loadu_ps(v)); }
  static __m512d load_values(float const* v, __mmask8 lanes) {
    return _mm512_maskz_cvtps_pd(lanes, _mm256_maskz_loadu_ps(lanes, v));
  }
  static Sum add(Sum sum, A const* values, __m512d x) { return _mm512_fmadd_pd(load_values(values), x, sum); }
  static Sum add(Sum sum, A const* values, __m512d x, std::int64_t n) {
    return _mm512_fmadd_pd(load_values(values, first_lanes(n)), x, sum);
  }
  static Sum add_ones(Sum sum, __m512d x) { return _mm512_add_pd(sum, x); }
  static Sum load(double const* p) { return _mm512_loadu_pd(p); }
  static Sum load(double const* p, std::int64_t n) { return _mm512_maskz_loadu_pd(first_lanes(n), p); }
  static void store(double* p, Sum v) { _mm512_storeu_pd(p, v); }
  static void store(double* p, Sum v, std::int64_t n) { _mm512_mask_storeu_pd(p, first_lanes(n), v); }
  static Sum scaled(double alpha, Sum sum) { return _mm512_mul_pd(_mm512_set1_pd(alpha), sum); }
  static Sum scaled(double alpha, Sum sum, double beta, Sum before) {
    return _mm512_fmadd_pd(_mm512_set1_pd(beta), before, scaled(alpha, sum));
  }
  [[gnu::always_inline]] static Sum sum_up(Sum const* s) {
    auto const pair = [](__m512d a, __m512d b) {  // a0+a1 b0+b1 a2+a3 b2+b3 ...
      return _mm512_add_pd(_mm512_maskz_unpacklo_pd(0xff, a, b), _mm512_maskz_unpackhi_pd(0xff, a, b));
    };
    auto const quarter = [](__m512d a, __m512d b) {  // the even 128-bit parts of a and b, plus the odd ones
      return _mm512_add_pd(_mm512_maskz_shuffle_f64x2(0xff, a, b, 0x88), _mm512_maskz_shuffle_f64x2(0xff, a, b, 0xdd));
    };
    __m512d const low = quarter(pair(s[0], s[1]), pair(s[2], s[3]));
    __m512d const high = quarter(pair(s[4], s[5]), pair(s[6], s[7]));
    return quarter(low, high);
  }
};
#endif

#if defined(__AVX2__)

/// The lanes of eight vectors of eight f32, added up.
inline __m256 sum_up_f32(__m256 const* s) {
  __m256 const low = _mm256_hadd_ps(_mm256_hadd_ps(s[0], s[1]), _mm256_hadd_ps(s[2], s[3]));
  __m256 const high = _mm256_hadd_ps(_mm256_hadd_ps(s[4], s[5]), _mm256_hadd_ps(s[6], s[7]));
  return _mm256_add_ps(_mm256_permute2f128_ps(low, high, 0x20), _mm256_permute2f128_ps(low, high, 0x31));
}
#endif

#if defined(__AVX2__) && !defined(__AVX512F__)

// Ones, then zeros: n lanes on from first_lanes_of + 8 - n.
alignas(64) static constexpr std::int32_t lane_masks[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};

inline __m256i first_lanes_of_8(std::int64_t n) {
  return _mm256_loadu_si256(reinterpret_cast<__m256i const*>(lane_masks + 8 - n));
}
inline __m128i first_lanes_of_4(std::int64_t n) {
  return _mm_loadu_si128(reinterpret_cast<__m128i const*>(lane_masks + 8 - n));
}

/// Four f64 sums, values of type A.
template <class A>
struct WideLanes {
  static constexpr int width = 4;
  static constexpr bool gathers = false;
  using Sum = __m256d;
  static Sum zero() { return _mm256_setzero_pd(); }
  [[gnu::always_inline]] static __m256d load_x(double const* x, std::int32_t const* columns) {
    return four_of(x, columns);
  }
  [[gnu::always_inline]] static __m256d load_x(double const* x, std::int32_t const* columns, std::int64_t n) {
    return four_of(x, columns, n);
  }
  static __m256d first(__m256d v, std::int64_t n) {
    return _mm256_and_pd(v, _mm256_castsi256_pd(_mm256_cvtepi32_epi64(first_lanes_of_4(n))));
  }
  static __m256d load_values(double const* v) { return _mm256_loadu_pd(v); }
  static __m256d load_values(double const* v, __m128i lanes) {
    return _mm256_maskload_pd(v, _mm256_cvtepi32_epi64(lanes));
  }
  static __m256d load_values(float const* v) { return _mm256_cvtps_pd(_mm_loadu_ps(v)); }
  static __m256d load_values(float const* v, __m128i lanes) { return _mm256_cvtps_pd(_mm_maskload_ps(v, lanes)); }
  static Sum add(Sum sum, A const* values, __m256d x) { return _mm256_fmadd_pd(load_values(values), x, sum); }
  static Sum add(Sum sum, A const* values, __m256d x, std::int64_t n) {
    return _mm256_fmadd_pd(load_values(values, first_lanes_of_4(n)), x, sum);
  }
  static Sum add_ones(Sum sum, __m256d x) { return _mm256_add_pd(sum, x); }
  static Sum load(double const* p) { return _mm256_loadu_pd(p); }
  static Sum load(double const* p, std::int64_t n) {
    return _mm256_maskload_pd(p, _mm256_cvtepi32_epi64(first_lanes_of_4(n)));
  }
  static void store(double* p, Sum v) { _mm256_storeu_pd(p, v); }
  static void store(double* p, Sum v, std::int64_t n) {
    _mm256_maskstore_pd(p, _mm256_cvtepi32_epi64(first_lanes_of_4(n)), v);
  }
  static Sum scaled(double alpha, Sum sum) { return _mm256_mul_pd(_mm256_set1_pd(alpha), sum); }
  static Sum scaled(double alpha, Sum sum, double beta, Sum before) {
    return _mm256_fmadd_pd(_mm256_set1_pd(beta), before, scaled(alpha, sum));
  }
  static Sum sum_up(Sum const* s) {
    __m256d const low = _mm256_hadd_pd(s[0], s[1]);
    __m256d const high = _mm256_hadd_pd(s[2], s[3]);
    return _mm256_add_pd(_mm256_permute2f128_pd(low, high, 0x20), _mm256_permute2f128_pd(low, high, 0x31));
  }
};
#endif

#if !defined(__AVX2__)

/// Four sums in plain scalars: without a gather, vectors only add shuffles.
template <class A, class X, class Y>
struct Lanes {
  static constexpr int width = 4;
  static constexpr bool gathers = false;
  struct Sum {
    Y lane[width];
  };
  static Sum zero() { return {}; }
  static Sum load_x(X const* x, std::int32_t const* columns) {
    return {{Y(x[columns[0]]), Y(x[columns[1]]), Y(x[columns[2]]), Y(x[columns[3]])}};
  }
  static Sum load_x(X const* x, std::int32_t const* columns, std::int64_t n) {
    return {{Y(x[columns[0]]), n > 1 ? Y(x[columns[1]]) : Y(0), n > 2 ? Y(x[columns[2]]) : Y(0), Y(0)}};
  }
  static Sum first(Sum v, std::int64_t n) {
    for (std::int64_t r = n; r < width; ++r) v.lane[r] = Y(0);
    return v;
  }
  static Sum add(Sum const& s, A const* v, Sum const& x) {
    return {{s.lane[0] + Y(v[0]) * x.lane[0], s.lane[1] + Y(v[1]) * x.lane[1], s.lane[2] + Y(v[2]) * x.lane[2],
             s.lane[3] + Y(v[3]) * x.lane[3]}};
  }
  static Sum add(Sum const& s, A const* v, Sum const& x, std::int64_t n) {
    return {{s.lane[0] + Y(v[0]) * x.lane[0], n > 1 ? s.lane[1] + Y(v[1]) * x.lane[1] : s.lane[1],
             n > 2 ? s.lane[2] + Y(v[2]) * x.lane[2] : s.lane[2], s.lane[3]}};
  }
  static Sum add_ones(Sum const& s, Sum const& x) {
    return {{s.lane[0] + x.lane[0], s.lane[1] + x.lane[1], s.lane[2] + x.lane[2], s.lane[3] + x.lane[3]}};
  }
  static Sum load(Y const* p) { return {{p[0], p[1], p[2], p[3]}}; }
  static Sum load(Y const* p, std::int64_t n) {
    Sum v{};
    for (std::int64_t r = 0; r < n; ++r) v.lane[r] = p[r];
    return v;
  }
  static void store(Y* p, Sum const& v) { store(p, v, width); }
  static void store(Y* p, Sum const& v, std::int64_t n) {
    for (std::int64_t r = 0; r < n; ++r) p[r] = v.lane[r];
  }
  static Sum scaled(Y alpha, Sum sum) {
    for (auto& lane : sum.lane) lane = alpha * lane;
    return sum;
  }
  static Sum scaled(Y alpha, Sum sum, Y beta, Sum const& before) {
    for (int r = 0; r < width; ++r) sum.lane[r] = alpha * sum.lane[r] + beta * before.lane[r];
    return sum;
  }
  static Sum sum_up(Sum const* s) {
    Sum total;
    for (int r = 0; r < width; ++r) total.lane[r] = (s[r].lane[0] + s[r].lane[1]) + (s[r].lane[2] + s[r].lane[3]);
    return total;
  }
};

#else

/// Eight f32 sums.
struct NarrowLanes {
  static constexpr int width = 8;
  static constexpr bool gathers = false;
  using Sum = __m256;
  static Sum zero() { return _mm256_setzero_ps(); }
  [[gnu::always_inline]] static __m256 load_x(float const* x, std::int32_t const* columns) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(four_of(x, columns)), four_of(x, columns + 4), 1);
  }
  [[gnu::always_inline]] static __m256 load_x(float const* x, std::int32_t const* columns, std::int64_t n) {
    __m128 const low = n < 4 ? four_of(x, columns, n) : four_of(x, columns);
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low), four_of(x, columns + 4, n - 4), 1);
  }
#if defined(__AVX512F__)
  static Sum load(float const* p, std::int64_t n) { return _mm256_maskz_loadu_ps(first_lanes(n), p); }
  static void store(float* p, Sum v, std::int64_t n) { _mm256_mask_storeu_ps(p, first_lanes(n), v); }
  static __m256 first(__m256 v, std::int64_t n) { return _mm256_maskz_mov_ps(first_lanes(n), v); }
  static Sum add(Sum sum, float const* values, __m256 x, std::int64_t n) {
    return _mm256_fmadd_ps(_mm256_maskz_loadu_ps(first_lanes(n), values), x, sum);
  }
#else
  static Sum load(float const* p, std::int64_t n) { return _mm256_maskload_ps(p, first_lanes_of_8(n)); }
  static void store(float* p, Sum v, std::int64_t n) { _mm256_maskstore_ps(p, first_lanes_of_8(n), v); }
  static __m256 first(__m256 v, std::int64_t n) { return _mm256_and_ps(v, _mm256_castsi256_ps(first_lanes_of_8(n))); }
  static Sum add(Sum sum, float const* values, __m256 x, std::int64_t n) {
    return _mm256_fmadd_ps(_mm256_maskload_ps(values, first_lanes_of_8(n)), x, sum);
  }
#endif
  static Sum add(Sum sum, float const* values, __m256 x) { return _mm256_fmadd_ps(_mm256_loadu_ps(values), x, sum); }
  static Sum add_ones(Sum sum, __m256 x) { return _mm256_add_ps(sum, x); }
  static Sum load(float const* p) { return _mm256_loadu_ps(p); }
  static void store(float* p, Sum v) { _mm256_storeu_ps(p, v); }
  static Sum scaled(float alpha, Sum sum) { return _mm256_mul_ps(_mm256_set1_ps(alpha), sum); }
  static Sum scaled(float alpha, Sum sum, float beta, Sum before) {
    return _mm256_fmadd_ps(_mm256_set1_ps(beta), before, scaled(alpha, sum));
  }
  static Sum sum_up(Sum const* s) { return sum_up_f32(s); }
};

template <class A, class X, class Y>
struct Lanes : WideLanes<A> {};
template <>
struct Lanes<float, float, float> : NarrowLanes {};

#endif

#if defined(__AVX512F__)

/// All lanes of a gather. The compiler must not see that they are all: GCC 12 then takes what the gather writes over
/// for undefined and keeps the register of the gather before, for whose result it waits.
template <class Mask>
[[gnu::always_inline]] inline Mask all_lanes(Mask lanes) {
  asm("" : "+Yk"(lanes));
  return lanes;
}

/// Lanes, and short rows by gathers: first their products, vector by vector whatever the rows, then a lane is a row
/// that goes along its products. Long rows are better off without: 0.85 of the speed on rows of 276 entries.
///   row_width                             lanes
///   products<Ones>(p, values, columns, x[, n])   p[k] = values[k] * x[columns[k]] for row_width or n < row_width
///                                         entries; Ones reads no values
///   sum_rows(products, starts, rows)      lane r = products[starts[r]] + products[starts[r] + 1] + ... up to
///                                         starts[r + 1], in this order; reads row_width + 1 starts, uses those of
///                                         `rows`
///   gather(x, columns, lanes)             x at a vector of columns; nothing is read for lanes that are off, they are 0
///   most_mean_length                      entries a row, in the mean, up to which rows come as products first: 1.7 to
///                                         2.2 times the speed on rows of 2 entries, 0.75 on rows of 10
template <class A, class X, class Y>
struct GatherLanes : Lanes<A, X, Y> {
  using Wide = WideLanes<A>;
  static constexpr bool gathers = true;
  static constexpr std::int64_t most_mean_length = 4;
  static constexpr int row_width = 8;
  [[gnu::always_inline]] static __m512d load_x(double const* x, std::int32_t const* columns) {
    __m256i const at = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(columns));
    return _mm512_mask_i32gather_pd(_mm512_setzero_pd(), all_lanes<__mmask8>(0xff), at, x, 8);
  }
  [[gnu::always_inline]] static __m512d load_x(double const* x, std::int32_t const* columns, std::int64_t n) {
    __mmask8 const lanes = first_lanes(n);
    __m256i const at = _mm256_maskz_loadu_epi32(lanes, columns);
    return _mm512_mask_i32gather_pd(_mm512_setzero_pd(), lanes, at, x, 8);
  }
  [[gnu::always_inline]] static __m512d gather(double const* x, __m256i columns, __mmask8 lanes) {
    return _mm512_mask_i32gather_pd(_mm512_setzero_pd(), lanes, columns, x, 8);
  }
  template <bool Ones>
  [[gnu::always_inline]] static void products(double* p, A const* values, std::int32_t const* columns,
                                              double const* x) {
    __m512d v = load_x(x, columns);
    if constexpr (!Ones) v = _mm512_mul_pd(v, Wide::load_values(values));
    _mm512_storeu_pd(p, v);
  }
  template <bool Ones>
  [[gnu::always_inline]] static void products(double* p, A const* values, std::int32_t const* columns, double const* x,
                                              std::int64_t n) {
    __m512d v = load_x(x, columns, n);
    if constexpr (!Ones) v = _mm512_mul_pd(v, Wide::load_values(values, first_lanes(n)));
    _mm512_mask_storeu_pd(p, first_lanes(n), v);
  }
  [[gnu::always_inline]] static __m512d sum_rows(double const* products, std::int32_t const* starts,
                                                 std::int64_t rows) {
    __m256i at = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(starts));
    __m256i const end = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(starts + 1));
    __mmask8 const used = rows < row_width ? first_lanes(rows) : __mmask8{0xff};
    __m512d sum = _mm512_setzero_pd();
    for (__mmask8 lanes = _mm256_mask_cmpgt_epi32_mask(used, end, at); lanes != 0;
         lanes = _mm256_mask_cmpgt_epi32_mask(used, end, at)) {
      sum = _mm512_mask_add_pd(sum, lanes, sum, _mm512_mask_i32gather_pd(_mm512_setzero_pd(), lanes, at, products, 8));
      at = _mm256_add_epi32(at, _mm256_set1_epi32(1));
    }
    return sum;
  }
};

template <>
struct GatherLanes<float, float, float> : Lanes<float, float, float> {
  static constexpr bool gathers = true;
  static constexpr std::int64_t most_mean_length = 6;
  static constexpr int row_width = 16;
  [[gnu::always_inline]] static __m256 load_x(float const* x, std::int32_t const* columns) {
    __m256i const at = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(columns));
    return _mm256_mmask_i32gather_ps(_mm256_setzero_ps(), all_lanes<__mmask8>(0xff), at, x, 4);
  }
  [[gnu::always_inline]] static __m256 load_x(float const* x, std::int32_t const* columns, std::int64_t n) {
    __mmask8 const lanes = first_lanes(n);
    return _mm256_mmask_i32gather_ps(_mm256_setzero_ps(), lanes, _mm256_maskz_loadu_epi32(lanes, columns), x, 4);
  }
  [[gnu::always_inline]] static __m256 gather(float const* x, __m256i columns, __mmask8 lanes) {
    return _mm256_mmask_i32gather_ps(_mm256_setzero_ps(), lanes, columns, x, 4);
  }
  static __mmask16 lanes_of(std::int64_t n) { return static_cast<__mmask16>((1U << n) - 1U); }
  template <bool Ones>
  [[gnu::always_inline]] static void products(float* p, float const* values, std::int32_t const* columns,
                                              float const* x) {
    __m512i const at = _mm512_loadu_si512(columns);
    __m512 v = _mm512_mask_i32gather_ps(_mm512_setzero_ps(), all_lanes<__mmask16>(0xffff), at, x, 4);
    if constexpr (!Ones) v = _mm512_mul_ps(v, _mm512_loadu_ps(values));
    _mm512_storeu_ps(p, v);
  }
  template <bool Ones>
  [[gnu::always_inline]] static void products(float* p, float const* values, std::int32_t const* columns,
                                              float const* x, std::int64_t n) {
    __mmask16 const lanes = lanes_of(n);
    __m512 v = _mm512_mask_i32gather_ps(_mm512_setzero_ps(), lanes, _mm512_maskz_loadu_epi32(lanes, columns), x, 4);
    if constexpr (!Ones) v = _mm512_mul_ps(v, _mm512_maskz_loadu_ps(lanes, values));
    _mm512_mask_storeu_ps(p, lanes, v);
  }
  [[gnu::always_inline]] static __m512 sum_rows(float const* products, std::int32_t const* starts, std::int64_t rows) {
    __m512i at = _mm512_loadu_si512(starts);
    __m512i const end = _mm512_loadu_si512(starts + 1);
    __mmask16 const used = rows < row_width ? lanes_of(rows) : __mmask16{0xffff};
    __m512 sum = _mm512_setzero_ps();
    for (__mmask16 lanes = _mm512_mask_cmpgt_epi32_mask(used, end, at); lanes != 0;
         lanes = _mm512_mask_cmpgt_epi32_mask(used, end, at)) {
      sum = _mm512_mask_add_ps(sum, lanes, sum, _mm512_mask_i32gather_ps(_mm512_setzero_ps(), lanes, at, products, 4));
      at = _mm512_add_epi32(at, _mm512_set1_epi32(1));
    }
    return sum;
  }
};
#endif

}  // namespace araia::host::ARAIA_ISA
