// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// RunLanes<A, X, Y>: a lane is a row, for rows whose columns are shifted by one from row to row. What entry j needs of
// x is then contiguous, and a block of 4 entries by `width` rows of values is transposed in registers: no gather at
// all, and nothing to add up at the end.
//
//   row 0:  a00 a01 a02 a03            lane 0   1   2 ...
//   row 1:  a10 a11 a12 a13     ->  v0: a00 a10 a20 ...    sum += v0 * x[c0 .. c0 + width)
//   row 2:  a20 a21 a22 a23         v1: a01 a11 a21 ...    sum += v1 * x[c1 .. c1 + width)
//
//   width                             lanes of a sum: rows
//   block<Entries>(from, stride, v)   v[j] lane r = from[r * stride + j] for j < Entries <= 4, reading nothing beyond
//   add(sum, v, x[, n])               sum += v * x[0 .. width), or of the first n < width lanes, reading nothing beyond
//   add(sum, values, x)               sum += values[0 .. width) * x
//   add_ones(sum, x[, n])             sum += x[0 .. width), likewise
// and what Lanes has for finished sums.

#include "backends/openmp/csr_spmv_lanes.hpp"

namespace araia::host::ARAIA_ISA {

#if defined(__AVX512F__)

struct RunLanesF64 : WideLanes<double> {
  using WideLanes<double>::add;
  using WideLanes<double>::add_ones;
  static Sum add(Sum sum, __m512d v, double const* x) { return _mm512_fmadd_pd(v, _mm512_loadu_pd(x), sum); }
  static Sum add(Sum sum, __m512d v, double const* x, std::int64_t n) {
    return _mm512_fmadd_pd(v, _mm512_maskz_loadu_pd(first_lanes(n), x), sum);
  }
  static Sum add_ones(Sum sum, double const* x) { return _mm512_add_pd(sum, _mm512_loadu_pd(x)); }
  static Sum add_ones(Sum sum, double const* x, std::int64_t n) {
    return _mm512_add_pd(sum, _mm512_maskz_loadu_pd(first_lanes(n), x));
  }
  /// Four entries each of rows p and q, p in the low half.
  template <int Entries>
  static __m512d two_rows(double const* p, double const* q) {
    if constexpr (Entries == 4) {
      return _mm512_maskz_insertf64x4(0xff, _mm512_castpd256_pd512(_mm256_loadu_pd(p)), _mm256_loadu_pd(q), 1);
    } else {
      constexpr __mmask8 entries = (1U << Entries) - 1U;
      return _mm512_maskz_insertf64x4(0xff, _mm512_castpd256_pd512(_mm256_maskz_loadu_pd(entries, p)),
                                      _mm256_maskz_loadu_pd(entries, q), 1);
    }
  }
  template <int Entries>
  static __m512d two_rows(float const* p, float const* q) {
    __m128 low, high;
    if constexpr (Entries == 4) {
      low = _mm_loadu_ps(p);
      high = _mm_loadu_ps(q);
    } else {
      constexpr __mmask8 entries = (1U << Entries) - 1U;
      low = _mm_maskz_loadu_ps(entries, p);
      high = _mm_maskz_loadu_ps(entries, q);
    }
    return _mm512_maskz_cvtps_pd(0xff, _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1));
  }
  template <int Entries, class A>
  [[gnu::always_inline]] static void block(A const* from, std::int64_t stride, __m512d* v) {
    A const* const half = from + 4 * stride;
    __m512d const r02 = two_rows<Entries>(from, from + 2 * stride);
    __m512d const r13 = two_rows<Entries>(from + stride, from + 3 * stride);
    __m512d const r46 = two_rows<Entries>(half, half + 2 * stride);
    __m512d const r57 = two_rows<Entries>(half + stride, half + 3 * stride);
    __m512d const low_even = _mm512_maskz_unpacklo_pd(0xff, r02, r13);  // a00 a10 a02 a12 a20 a30 a22 a32
    __m512d const high_even = _mm512_maskz_unpacklo_pd(0xff, r46, r57);
    v[0] = _mm512_maskz_shuffle_f64x2(0xff, low_even, high_even, 0x88);
    if constexpr (Entries > 2) v[2] = _mm512_maskz_shuffle_f64x2(0xff, low_even, high_even, 0xdd);
    if constexpr (Entries > 1) {
      __m512d const low_odd = _mm512_maskz_unpackhi_pd(0xff, r02, r13);
      __m512d const high_odd = _mm512_maskz_unpackhi_pd(0xff, r46, r57);
      v[1] = _mm512_maskz_shuffle_f64x2(0xff, low_odd, high_odd, 0x88);
      if constexpr (Entries > 3) v[3] = _mm512_maskz_shuffle_f64x2(0xff, low_odd, high_odd, 0xdd);
    }
  }
};

struct RunLanesF32 {
  static constexpr int width = 16;
  using Sum = __m512;
  static __mmask16 lanes(std::int64_t n) { return static_cast<__mmask16>((1U << n) - 1U); }
  static Sum zero() { return _mm512_setzero_ps(); }
  static Sum load(float const* p) { return _mm512_loadu_ps(p); }
  static Sum load(float const* p, std::int64_t n) { return _mm512_maskz_loadu_ps(lanes(n), p); }
  static void store(float* p, Sum v) { _mm512_storeu_ps(p, v); }
  static void store(float* p, Sum v, std::int64_t n) { _mm512_mask_storeu_ps(p, lanes(n), v); }
  static Sum scaled(float alpha, Sum sum) { return _mm512_mul_ps(_mm512_set1_ps(alpha), sum); }
  static Sum scaled(float alpha, Sum sum, float beta, Sum before) {
    return _mm512_fmadd_ps(_mm512_set1_ps(beta), before, scaled(alpha, sum));
  }
  static bool finite(Sum v) {
    return _mm512_cmp_ps_mask(_mm512_sub_ps(v, v), _mm512_setzero_ps(), _CMP_EQ_OQ) == 0xffff;
  }
  static Sum add(Sum sum, float const* values, __m512 x) { return _mm512_fmadd_ps(_mm512_loadu_ps(values), x, sum); }
  static Sum add_ones(Sum sum, __m512 x) { return _mm512_add_ps(sum, x); }
  static Sum add(Sum sum, __m512 v, float const* x) { return _mm512_fmadd_ps(v, _mm512_loadu_ps(x), sum); }
  static Sum add(Sum sum, __m512 v, float const* x, std::int64_t n) {
    return _mm512_fmadd_ps(v, _mm512_maskz_loadu_ps(lanes(n), x), sum);
  }
  static Sum add_ones(Sum sum, float const* x) { return _mm512_add_ps(sum, _mm512_loadu_ps(x)); }
  static Sum add_ones(Sum sum, float const* x, std::int64_t n) {
    return _mm512_add_ps(sum, _mm512_maskz_loadu_ps(lanes(n), x));
  }
  template <int Entries>
  static __m128 one_row(float const* p) {
    if constexpr (Entries == 4) {
      return _mm_loadu_ps(p);
    } else {
      return _mm_maskz_loadu_ps((1U << Entries) - 1U, p);
    }
  }
  /// Four entries each of rows r, r + 4, r + 8, r + 12.
  template <int Entries>
  static __m512 four_rows(float const* from, std::int64_t stride) {
    float const* const half = from + 8 * stride;
    __m256 const low =
        _mm256_insertf128_ps(_mm256_castps128_ps256(one_row<Entries>(from)), one_row<Entries>(from + 4 * stride), 1);
    __m256 const high =
        _mm256_insertf128_ps(_mm256_castps128_ps256(one_row<Entries>(half)), one_row<Entries>(half + 4 * stride), 1);
    return _mm512_maskz_insertf32x8(0xffff, _mm512_castps256_ps512(low), high, 1);
  }
  template <int Entries>
  [[gnu::always_inline]] static void block(float const* from, std::int64_t stride, __m512* v) {
    __m512 const r0 = four_rows<Entries>(from, stride);
    __m512 const r1 = four_rows<Entries>(from + stride, stride);
    __m512 const r2 = four_rows<Entries>(from + 2 * stride, stride);
    __m512 const r3 = four_rows<Entries>(from + 3 * stride, stride);
    auto const pairs = [](__m512 a, __m512 b, bool high) {
      return _mm512_castps_pd(high ? _mm512_maskz_unpackhi_ps(0xffff, a, b) : _mm512_maskz_unpacklo_ps(0xffff, a, b));
    };
    __m512d const low01 = pairs(r0, r1, false);  // a00 a10 a01 a11, and likewise 4, 8, 12 rows on
    __m512d const low23 = pairs(r2, r3, false);
    v[0] = _mm512_castpd_ps(_mm512_maskz_unpacklo_pd(0xff, low01, low23));
    if constexpr (Entries > 1) v[1] = _mm512_castpd_ps(_mm512_maskz_unpackhi_pd(0xff, low01, low23));
    if constexpr (Entries > 2) {
      __m512d const high01 = pairs(r0, r1, true);
      __m512d const high23 = pairs(r2, r3, true);
      v[2] = _mm512_castpd_ps(_mm512_maskz_unpacklo_pd(0xff, high01, high23));
      if constexpr (Entries > 3) v[3] = _mm512_castpd_ps(_mm512_maskz_unpackhi_pd(0xff, high01, high23));
    }
  }
};

#elif defined(__AVX2__)

struct RunLanesF64 : WideLanes<double> {
  using WideLanes<double>::add;
  using WideLanes<double>::add_ones;
  static Sum add(Sum sum, __m256d v, double const* x) { return _mm256_fmadd_pd(v, _mm256_loadu_pd(x), sum); }
  static Sum add(Sum sum, __m256d v, double const* x, std::int64_t n) { return _mm256_fmadd_pd(v, load(x, n), sum); }
  static Sum add_ones(Sum sum, double const* x) { return _mm256_add_pd(sum, _mm256_loadu_pd(x)); }
  static Sum add_ones(Sum sum, double const* x, std::int64_t n) { return _mm256_add_pd(sum, load(x, n)); }
  template <int Entries>
  static __m256d one_row(double const* p) {
    if constexpr (Entries == 4) {
      return _mm256_loadu_pd(p);
    } else {
      return load(p, Entries);
    }
  }
  template <int Entries>
  static __m256d one_row(float const* p) {
    if constexpr (Entries == 4) {
      return _mm256_cvtps_pd(_mm_loadu_ps(p));
    } else {
      return _mm256_cvtps_pd(_mm_maskload_ps(p, first_lanes_of_4(Entries)));
    }
  }
  template <int Entries, class A>
  [[gnu::always_inline]] static void block(A const* from, std::int64_t stride, __m256d* v) {
    __m256d const r0 = one_row<Entries>(from);
    __m256d const r1 = one_row<Entries>(from + stride);
    __m256d const r2 = one_row<Entries>(from + 2 * stride);
    __m256d const r3 = one_row<Entries>(from + 3 * stride);
    __m256d const low_even = _mm256_unpacklo_pd(r0, r1);  // a00 a10 a02 a12
    __m256d const high_even = _mm256_unpacklo_pd(r2, r3);
    v[0] = _mm256_permute2f128_pd(low_even, high_even, 0x20);
    if constexpr (Entries > 2) v[2] = _mm256_permute2f128_pd(low_even, high_even, 0x31);
    if constexpr (Entries > 1) {
      __m256d const low_odd = _mm256_unpackhi_pd(r0, r1);
      __m256d const high_odd = _mm256_unpackhi_pd(r2, r3);
      v[1] = _mm256_permute2f128_pd(low_odd, high_odd, 0x20);
      if constexpr (Entries > 3) v[3] = _mm256_permute2f128_pd(low_odd, high_odd, 0x31);
    }
  }
};

struct RunLanesF32 : NarrowLanes {
  using NarrowLanes::add;
  using NarrowLanes::add_ones;
  static Sum add(Sum sum, __m256 v, float const* x) { return _mm256_fmadd_ps(v, _mm256_loadu_ps(x), sum); }
  static Sum add(Sum sum, __m256 v, float const* x, std::int64_t n) { return _mm256_fmadd_ps(v, load(x, n), sum); }
  static Sum add_ones(Sum sum, float const* x) { return _mm256_add_ps(sum, _mm256_loadu_ps(x)); }
  static Sum add_ones(Sum sum, float const* x, std::int64_t n) { return _mm256_add_ps(sum, load(x, n)); }
  template <int Entries>
  static __m128 one_row(float const* p) {
    if constexpr (Entries == 4) {
      return _mm_loadu_ps(p);
    } else {
      return _mm_maskload_ps(p, first_lanes_of_4(Entries));
    }
  }
  /// Four entries each of rows r and r + 4.
  template <int Entries>
  static __m256 two_rows(float const* from, std::int64_t stride) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(one_row<Entries>(from)), one_row<Entries>(from + 4 * stride), 1);
  }
  template <int Entries>
  [[gnu::always_inline]] static void block(float const* from, std::int64_t stride, __m256* v) {
    __m256 const r0 = two_rows<Entries>(from, stride);
    __m256 const r1 = two_rows<Entries>(from + stride, stride);
    __m256 const r2 = two_rows<Entries>(from + 2 * stride, stride);
    __m256 const r3 = two_rows<Entries>(from + 3 * stride, stride);
    __m256d const low01 = _mm256_castps_pd(_mm256_unpacklo_ps(r0, r1));  // a00 a10 a01 a11, and 4 rows on
    __m256d const low23 = _mm256_castps_pd(_mm256_unpacklo_ps(r2, r3));
    v[0] = _mm256_castpd_ps(_mm256_unpacklo_pd(low01, low23));
    if constexpr (Entries > 1) v[1] = _mm256_castpd_ps(_mm256_unpackhi_pd(low01, low23));
    if constexpr (Entries > 2) {
      __m256d const high01 = _mm256_castps_pd(_mm256_unpackhi_ps(r0, r1));
      __m256d const high23 = _mm256_castps_pd(_mm256_unpackhi_ps(r2, r3));
      v[2] = _mm256_castpd_ps(_mm256_unpacklo_pd(high01, high23));
      if constexpr (Entries > 3) v[3] = _mm256_castpd_ps(_mm256_unpackhi_pd(high01, high23));
    }
  }
};
#endif

#if defined(__AVX2__)
template <class A, class X, class Y>
struct RunLanes : RunLanesF64 {
  using RunLanesF64::add;
  static Sum add(Sum sum, A const* values, Sum x) { return WideLanes<A>::add(sum, values, x); }
};
template <>
struct RunLanes<double, double, double> : RunLanesF64 {};
template <>
struct RunLanes<float, float, float> : RunLanesF32 {};
#else

/// Four rows at once in plain scalars.
template <class A, class X, class Y>
struct RunLanes : Lanes<A, X, Y> {
  using Base = Lanes<A, X, Y>;
  using Base::add;
  using Base::add_ones;
  using typename Base::Sum;
  template <int Entries>
  [[gnu::always_inline]] static void block(A const* from, std::int64_t stride, Sum* v) {
    for (int j = 0; j < Entries; ++j)
      for (int r = 0; r < Base::width; ++r) v[j].lane[r] = Y(from[r * stride + j]);
  }
  static Sum add(Sum sum, Sum const& v, X const* x) { return add(sum, v, x, Base::width); }
  static Sum add(Sum sum, Sum const& v, X const* x, std::int64_t n) {
    for (std::int64_t r = 0; r < n; ++r) sum.lane[r] += v.lane[r] * Y(x[r]);
    return sum;
  }
  static Sum add_ones(Sum sum, X const* x) { return add_ones(sum, x, Base::width); }
  static Sum add_ones(Sum sum, X const* x, std::int64_t n) {
    for (std::int64_t r = 0; r < n; ++r) sum.lane[r] += Y(x[r]);
    return sum;
  }
};
#endif

}  // namespace araia::host::ARAIA_ISA
