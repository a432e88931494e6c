// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Lanes<A, X, Y>: the few vector operations that the host CSR SpMV is made of, for the instruction set being compiled.
// Everything is in the instruction set's namespace: units for different ones share no function.
//   width                     lanes of a sum; entry k of a row goes to lane k % width
//   load_x(x, columns[, n])   width entries of x, or n < width and zeros, reading nothing beyond
//   add(sum, values, x[, n])  sum += values * x[, of the first n < width lanes, reading nothing beyond, whatever x is]
//   gathers                   whether x comes by gather instructions; load_x and add then take n == width too
//   sum_up(sums)              lane r = the lanes of sums[r] added up, by one tree whatever the others hold
// and, here and in RunLanes, of the finished sums, one a row:
//   finite(v)                             whether all lanes are
//   load(p[, n]), store(p, v[, n])        all lanes or the first n alone
//   scaled(alpha, sum[, beta, before])    alpha sum [+ beta before]: the same instructions for every lane of every row
//
// Lanes fetch x by scalar loads that are put together; GatherLanes, by gather instructions, are for processors on which
// these are fast.

#include <cstdint>

#include "backends/openmp/csr_spmv_four_lanes.hpp"

namespace araia::host::ARAIA_ISA {

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
  static __m512d load_values(double const* v) { return _mm512_loadu_pd(v); }
  static __m512d load_values(double const* v, __mmask8 lanes) { return _mm512_maskz_loadu_pd(lanes, v); }
  static __m512d load_values(float const* v) { return _mm512_maskz_cvtps_pd(0xff, _mm256_loadu_ps(v)); }
  static __m512d load_values(float const* v, __mmask8 lanes) {
    return _mm512_maskz_cvtps_pd(lanes, _mm256_maskz_loadu_ps(lanes, v));
  }
  static Sum add(Sum sum, A const* values, __m512d x) { return _mm512_fmadd_pd(load_values(values), x, sum); }
  static Sum add(Sum sum, A const* values, __m512d x, std::int64_t n) {
    return _mm512_mask3_fmadd_pd(load_values(values, first_lanes(n)), x, sum, first_lanes(n));
  }
  static Sum add_ones(Sum sum, __m512d x) { return _mm512_add_pd(sum, x); }
  static bool finite(Sum v) { return _mm512_cmp_pd_mask(_mm512_sub_pd(v, v), _mm512_setzero_pd(), _CMP_EQ_OQ) == 0xff; }
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

template <class A>
struct WideLanes : FourF64<A> {};
#endif

#if defined(__AVX2__)

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
  static Sum add(Sum sum, float const* values, __m256 x, std::int64_t n) {
    return _mm256_mask3_fmadd_ps(_mm256_maskz_loadu_ps(first_lanes(n), values), x, sum, first_lanes(n));
  }
#else
  static Sum load(float const* p, std::int64_t n) { return _mm256_maskload_ps(p, first_lanes_of_8(n)); }
  static void store(float* p, Sum v, std::int64_t n) { _mm256_maskstore_ps(p, first_lanes_of_8(n), v); }
  static Sum add(Sum sum, float const* values, __m256 x, std::int64_t n) {
    __m256 const first = _mm256_and_ps(x, _mm256_castsi256_ps(first_lanes_of_8(n)));
    return _mm256_fmadd_ps(_mm256_maskload_ps(values, first_lanes_of_8(n)), first, sum);
  }
#endif
  static Sum add(Sum sum, float const* values, __m256 x) { return _mm256_fmadd_ps(_mm256_loadu_ps(values), x, sum); }
  static Sum add_ones(Sum sum, __m256 x) { return _mm256_add_ps(sum, x); }
  static bool finite(Sum v) {
    return _mm256_movemask_ps(_mm256_cmp_ps(_mm256_sub_ps(v, v), _mm256_setzero_ps(), _CMP_EQ_OQ)) == 0xff;
  }
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

#else

template <class A, class X, class Y>
struct Lanes : FourLanes<A, X, Y> {};

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
/// that goes along its products. Long rows are better off without.
///   row_width                             lanes
///   products<Ones>(p, values, columns, x[, n])   p[k] = values[k] * x[columns[k]] for row_width or n < row_width
///                                         entries; Ones reads no values
///   sum_rows(products, starts, rows)      lane r = products[starts[r]] + products[starts[r] + 1] + ... up to
///                                         starts[r + 1], in this order; reads row_width + 1 starts, uses those of
///                                         `rows`
///   gather(x, columns, lanes)             x at a vector of columns; nothing is read for lanes that are off, they are 0
///   most_mean_length                      entries a row, in the mean, up to which rows come as products first
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
