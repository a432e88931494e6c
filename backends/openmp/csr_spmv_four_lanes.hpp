// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// FourLanes<A, X, Y>: sums of four lanes, for rows whose x is put together. Fetching x takes most of the time, four
// lanes at a time as well as eight, and of four fewer are in vain at a row's end. In the instruction set's namespace.
//   load_x(x, columns[, n])   four entries of x, or n < 4 and zeros, reading nothing beyond
//   add(sum, values, x)       sum += values * x
//   add(sum, values, x, n)    of the first n < 4 lanes alone; the others of x may be anything, values are not read
//   there add_ones(sum, x[, n])     sum += x, likewise plus(a, b)                a + b
//   first_three(sum)          sum with 0 in its last lane
//   pairs(a, b)               a0+a1 a2+a3 b0+b1 b2+b3
// and what Lanes of csr_spmv_lanes.hpp has for sums and finished sums.

#include <cstdint>

#include "backends/openmp/intrinsics.hpp"

namespace araia::host::ARAIA_ISA {

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

#if defined(__AVX512F__)

inline __mmask8 first_lanes(std::int64_t n) { return static_cast<__mmask8>((1U << n) - 1U); }

#else

// Ones, then zeros: n lanes on, or none where n < 0, from lane_masks + 8 - n.
alignas(64) static constexpr std::int32_t lane_masks[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};

inline __m256i first_lanes_of_8(std::int64_t n) {
  return _mm256_loadu_si256(reinterpret_cast<__m256i const*>(lane_masks + 8 - n));
}
inline __m128i first_lanes_of_4(std::int64_t n) {
  return _mm_loadu_si128(reinterpret_cast<__m128i const*>(lane_masks + 8 - n));
}
#endif

/// Four f64 sums, values of type A.
template <class A>
struct FourF64 {
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
  static __m256d load_values(double const* v) { return _mm256_loadu_pd(v); }
  static __m256d load_values(float const* v) { return _mm256_cvtps_pd(_mm_loadu_ps(v)); }
  static Sum add(Sum sum, A const* values, __m256d x) { return _mm256_fmadd_pd(load_values(values), x, sum); }
  static Sum add_ones(Sum sum, __m256d x) { return _mm256_add_pd(sum, x); }
#if defined(__AVX512F__)
  static __m256d load_values(double const* v, __mmask8 lanes) { return _mm256_maskz_loadu_pd(lanes, v); }
  static __m256d load_values(float const* v, __mmask8 lanes) { return _mm256_cvtps_pd(_mm_maskz_loadu_ps(lanes, v)); }
  static Sum add(Sum sum, A const* values, __m256d x, std::int64_t n) {
    __mmask8 const lanes = first_lanes(n);
    return _mm256_mask3_fmadd_pd(load_values(values, lanes), x, sum, lanes);
  }
  static Sum add_ones(Sum sum, __m256d x, std::int64_t n) { return _mm256_mask_add_pd(sum, first_lanes(n), sum, x); }
  static Sum load(double const* p, std::int64_t n) { return _mm256_maskz_loadu_pd(first_lanes(n), p); }
  static Sum load_two(double const* p, std::int64_t n) {
    unsigned const lanes = (1U << n) - 1U;
    return _mm256_add_pd(_mm256_maskz_loadu_pd(static_cast<__mmask8>(lanes & 0xfU), p),
                         _mm256_maskz_loadu_pd(static_cast<__mmask8>(lanes >> 4U), p + width));
  }
  static void store(double* p, Sum v, std::int64_t n) { _mm256_mask_storeu_pd(p, first_lanes(n), v); }
#else
  static __m256i lanes_of(std::int64_t n) { return _mm256_cvtepi32_epi64(first_lanes_of_4(n)); }
  static __m256d first(__m256d v, std::int64_t n) { return _mm256_and_pd(v, _mm256_castsi256_pd(lanes_of(n))); }
  static __m256d load_values(double const* v, std::int64_t n) { return _mm256_maskload_pd(v, lanes_of(n)); }
  static __m256d load_values(float const* v, std::int64_t n) {
    return _mm256_cvtps_pd(_mm_maskload_ps(v, first_lanes_of_4(n)));
  }
  static Sum add(Sum sum, A const* values, __m256d x, std::int64_t n) {
    return _mm256_fmadd_pd(load_values(values, n), first(x, n), sum);
  }
  static Sum add_ones(Sum sum, __m256d x, std::int64_t n) { return _mm256_add_pd(sum, first(x, n)); }
  static Sum load(double const* p, std::int64_t n) { return _mm256_maskload_pd(p, lanes_of(n)); }
  static Sum load_two(double const* p, std::int64_t n) {
    return _mm256_add_pd(_mm256_maskload_pd(p, lanes_of(n)), _mm256_maskload_pd(p + width, lanes_of(n - width)));
  }
  static void store(double* p, Sum v, std::int64_t n) { _mm256_maskstore_pd(p, lanes_of(n), v); }
#endif
  static bool finite(Sum v) {
    return _mm256_movemask_pd(_mm256_cmp_pd(_mm256_sub_pd(v, v), _mm256_setzero_pd(), _CMP_EQ_OQ)) == 0xf;
  }
  static Sum plus(Sum a, Sum b) { return _mm256_add_pd(a, b); }
  static Sum first_three(Sum v) { return _mm256_blend_pd(v, zero(), 8); }
  static Sum pairs(Sum a, Sum b) { return _mm256_permute4x64_pd(_mm256_hadd_pd(a, b), 0xd8); }
  static Sum load(double const* p) { return _mm256_loadu_pd(p); }
  static void store(double* p, Sum v) { _mm256_storeu_pd(p, v); }
  static Sum scaled(double alpha, Sum sum) { return _mm256_mul_pd(_mm256_set1_pd(alpha), sum); }
  static Sum scaled(double alpha, Sum sum, double beta, Sum before) {
    return _mm256_fmadd_pd(_mm256_set1_pd(beta), before, scaled(alpha, sum));
  }
  [[gnu::always_inline]] static Sum sum_up(Sum const* s) {
    auto const pair = [](__m256d a, __m256d b) {  // a0+a1 b0+b1 a2+a3 b2+b3
      return _mm256_add_pd(_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
    };
    __m256d const low = pair(s[0], s[1]);
    __m256d const high = pair(s[2], s[3]);
    return _mm256_add_pd(_mm256_permute2f128_pd(low, high, 0x20), _mm256_permute2f128_pd(low, high, 0x31));
  }
};

/// Four f32 sums.
struct FourF32 {
  static constexpr int width = 4;
  static constexpr bool gathers = false;
  using Sum = __m128;
  static Sum zero() { return _mm_setzero_ps(); }
  [[gnu::always_inline]] static __m128 load_x(float const* x, std::int32_t const* columns) {
    return four_of(x, columns);
  }
  [[gnu::always_inline]] static __m128 load_x(float const* x, std::int32_t const* columns, std::int64_t n) {
    return four_of(x, columns, n);
  }
  static Sum add(Sum sum, float const* values, __m128 x) { return _mm_fmadd_ps(_mm_loadu_ps(values), x, sum); }
  static Sum add_ones(Sum sum, __m128 x) { return _mm_add_ps(sum, x); }
#if defined(__AVX512F__)
  static Sum add(Sum sum, float const* values, __m128 x, std::int64_t n) {
    __mmask8 const lanes = first_lanes(n);
    return _mm_mask3_fmadd_ps(_mm_maskz_loadu_ps(lanes, values), x, sum, lanes);
  }
  static Sum add_ones(Sum sum, __m128 x, std::int64_t n) { return _mm_mask_add_ps(sum, first_lanes(n), sum, x); }
  static Sum load(float const* p, std::int64_t n) { return _mm_maskz_loadu_ps(first_lanes(n), p); }
  static Sum load_two(float const* p, std::int64_t n) {
    unsigned const lanes = (1U << n) - 1U;
    return _mm_add_ps(_mm_maskz_loadu_ps(static_cast<__mmask8>(lanes & 0xfU), p),
                      _mm_maskz_loadu_ps(static_cast<__mmask8>(lanes >> 4U), p + width));
  }
  static void store(float* p, Sum v, std::int64_t n) { _mm_mask_storeu_ps(p, first_lanes(n), v); }
#else
  static __m128 first(__m128 v, std::int64_t n) { return _mm_and_ps(v, _mm_castsi128_ps(first_lanes_of_4(n))); }
  static Sum add(Sum sum, float const* values, __m128 x, std::int64_t n) {
    return _mm_fmadd_ps(_mm_maskload_ps(values, first_lanes_of_4(n)), first(x, n), sum);
  }
  static Sum add_ones(Sum sum, __m128 x, std::int64_t n) { return _mm_add_ps(sum, first(x, n)); }
  static Sum load(float const* p, std::int64_t n) { return _mm_maskload_ps(p, first_lanes_of_4(n)); }
  static Sum load_two(float const* p, std::int64_t n) {
    return _mm_add_ps(_mm_maskload_ps(p, first_lanes_of_4(n)), _mm_maskload_ps(p + width, first_lanes_of_4(n - width)));
  }
  static void store(float* p, Sum v, std::int64_t n) { _mm_maskstore_ps(p, first_lanes_of_4(n), v); }
#endif
  static Sum plus(Sum a, Sum b) { return _mm_add_ps(a, b); }
  static Sum first_three(Sum v) { return _mm_blend_ps(v, zero(), 8); }
  static Sum pairs(Sum a, Sum b) { return _mm_hadd_ps(a, b); }
  static Sum load(float const* p) { return _mm_loadu_ps(p); }
  static void store(float* p, Sum v) { _mm_storeu_ps(p, v); }
  static Sum scaled(float alpha, Sum sum) { return _mm_mul_ps(_mm_set1_ps(alpha), sum); }
  static Sum scaled(float alpha, Sum sum, float beta, Sum before) {
    return _mm_fmadd_ps(_mm_set1_ps(beta), before, scaled(alpha, sum));
  }
  [[gnu::always_inline]] static Sum sum_up(Sum const* s) {
    auto const pair = [](__m128 a, __m128 b) {  // a0+a2 b0+b2 a1+a3 b1+b3
      return _mm_add_ps(_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
    };
    __m128 const low = pair(s[0], s[1]);
    __m128 const high = pair(s[2], s[3]);
    return _mm_add_ps(_mm_movelh_ps(low, high), _mm_movehl_ps(high, low));
  }
};

template <class A, class X, class Y>
struct FourLanes : FourF64<A> {};
template <>
struct FourLanes<float, float, float> : FourF32 {};

#else

/// In plain scalars: without a gather, vectors only add shuffles.
template <class A, class X, class Y>
struct FourLanes {
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
  static Sum add(Sum const& s, A const* v, Sum const& x) {
    return {{s.lane[0] + Y(v[0]) * x.lane[0], s.lane[1] + Y(v[1]) * x.lane[1], s.lane[2] + Y(v[2]) * x.lane[2],
             s.lane[3] + Y(v[3]) * x.lane[3]}};
  }
  static Sum add(Sum const& s, A const* v, Sum const& x, std::int64_t n) {
    return {{s.lane[0] + Y(v[0]) * x.lane[0], n > 1 ? s.lane[1] + Y(v[1]) * x.lane[1] : s.lane[1],
             n > 2 ? s.lane[2] + Y(v[2]) * x.lane[2] : s.lane[2], s.lane[3]}};
  }
  static Sum add_ones(Sum const& s, Sum const& x) { return plus(s, x); }
  static Sum add_ones(Sum const& s, Sum const& x, std::int64_t n) {
    return {{s.lane[0] + x.lane[0], n > 1 ? s.lane[1] + x.lane[1] : s.lane[1],
             n > 2 ? s.lane[2] + x.lane[2] : s.lane[2], s.lane[3]}};
  }
  static Sum plus(Sum const& a, Sum const& b) {
    return {{a.lane[0] + b.lane[0], a.lane[1] + b.lane[1], a.lane[2] + b.lane[2], a.lane[3] + b.lane[3]}};
  }
  static Sum first_three(Sum const& v) { return {{v.lane[0], v.lane[1], v.lane[2], Y(0)}}; }
  static Sum pairs(Sum const& a, Sum const& b) {
    return {{a.lane[0] + a.lane[1], a.lane[2] + a.lane[3], b.lane[0] + b.lane[1], b.lane[2] + b.lane[3]}};
  }
  static bool finite(Sum const& v) {
    bool all = true;
    for (Y const lane : v.lane) all &= lane - lane == Y(0);
    return all;
  }
  static Sum load(Y const* p) { return {{p[0], p[1], p[2], p[3]}}; }
  static Sum load(Y const* p, std::int64_t n) {
    Sum v{};
    for (std::int64_t r = 0; r < n; ++r) v.lane[r] = p[r];
    return v;
  }
  static Sum load_two(Y const* p, std::int64_t n) {
    return plus(load(p, n < width ? n : width), load(p + width, n < width ? 0 : n - width));
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
#endif

}  // namespace araia::host::ARAIA_ISA
