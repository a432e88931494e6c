// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Vectors<T>: neighbouring columns of B or C in one register, for the instruction set being compiled. Everything is in
// the instruction set's namespace: units for different ones share no function.
//   width                       columns in a register
//   load(p[, n]), store(p, v[, n])   all columns, or the first n <= width alone
//   parts                       1, 2 or 4: loads and stores of a half or a quarter of a register too
//   load_first<Part>(p, n)      the first n <= width / Part, by a load of that size, which crosses fewer lines
//   load_last<Part>(end)        the width / Part before `end`, in the first lanes; the others have no meaning
//   store_last<Part>(end, v)    the same the other way
//   store_past_cache(p, v)      p aligned to the register; visible to other threads after finish_past_cache()
//   rectified(v)                v < 0 ? 0 : v, so NaN stays (AVX2: max gives its second operand then)
//   registers                   that the machine has
//   tuned                       whether rows go in groups, rows of B are prefetched, long rows go by blocks of B and
//   short
//                               ones by length: each is one more copy of the kernels
//   few                         x86-64-v2, which few machines need: as few kernels as do

#include <cstdint>

#include "backends/openmp/intrinsics.hpp"

namespace araia::host::ARAIA_ISA {

template <class T>
struct Vectors;

#if defined(__AVX512F__)

template <>
struct Vectors<double> {
  static constexpr std::int64_t width = 8;
  static constexpr int registers = 32;
  static constexpr bool tuned = true;
  static constexpr bool few = false;
  using V = __m512d;
  static __mmask8 lanes(std::int64_t n) { return static_cast<__mmask8>((1U << n) - 1U); }
  static V zero() { return _mm512_setzero_pd(); }
  static V all(double a) { return _mm512_set1_pd(a); }
  static V load(double const* p) { return _mm512_loadu_pd(p); }
  static V load(double const* p, std::int64_t n) { return _mm512_maskz_loadu_pd(lanes(n), p); }
  static constexpr int parts = 4;
  template <int Part>
  static V load_first(double const* p, std::int64_t n) {
    auto const first = static_cast<__mmask8>(lanes(n));
    if constexpr (Part == 4) return _mm512_castpd128_pd512(_mm_maskz_loadu_pd(first, p));
    if constexpr (Part == 2) return _mm512_castpd256_pd512(_mm256_maskz_loadu_pd(first, p));
    return load(p, n);
  }
  template <int Part>
  static V load_last(double const* end) {
    if constexpr (Part == 4) return _mm512_castpd128_pd512(_mm_loadu_pd(end - width / 4));
    if constexpr (Part == 2) return _mm512_castpd256_pd512(_mm256_loadu_pd(end - width / 2));
    return load(end - width);
  }
  template <int Part>
  static void store_last(double* end, V v) {
    if constexpr (Part == 4) {
      _mm_storeu_pd(end - width / 4, _mm512_castpd512_pd128(v));
    } else if constexpr (Part == 2) {
      _mm256_storeu_pd(end - width / 2, _mm512_castpd512_pd256(v));
    } else {
      store(end - width, v);
    }
  }
  static void store(double* p, V v) { _mm512_storeu_pd(p, v); }
  static void store(double* p, V v, std::int64_t n) { _mm512_mask_storeu_pd(p, lanes(n), v); }
  static void store_past_cache(double* p, V v) { _mm512_stream_pd(p, v); }
  static void finish_past_cache() { _mm_sfence(); }
  static V add(V a, V b) { return _mm512_add_pd(a, b); }
  static V mul(V a, V b) { return _mm512_mul_pd(a, b); }
  static V mul_add(V a, V b, V c) { return _mm512_fmadd_pd(a, b, c); }
  static V rectified(V a) { return _mm512_mask_mov_pd(a, _mm512_cmp_pd_mask(a, zero(), _CMP_LT_OQ), zero()); }
};

template <>
struct Vectors<float> {
  static constexpr std::int64_t width = 16;
  static constexpr int registers = 32;
  static constexpr bool tuned = true;
  static constexpr bool few = false;
  using V = __m512;
  static __mmask16 lanes(std::int64_t n) { return static_cast<__mmask16>((1U << n) - 1U); }
  static V zero() { return _mm512_setzero_ps(); }
  static V all(float a) { return _mm512_set1_ps(a); }
  static V load(float const* p) { return _mm512_loadu_ps(p); }
  static V load(float const* p, std::int64_t n) { return _mm512_maskz_loadu_ps(lanes(n), p); }
  static constexpr int parts = 4;
  template <int Part>
  static V load_first(float const* p, std::int64_t n) {
    auto const first = static_cast<__mmask8>(lanes(n));
    if constexpr (Part == 4) return _mm512_castps128_ps512(_mm_maskz_loadu_ps(first, p));
    if constexpr (Part == 2) return _mm512_castps256_ps512(_mm256_maskz_loadu_ps(first, p));
    return load(p, n);
  }
  template <int Part>
  static V load_last(float const* end) {
    if constexpr (Part == 4) return _mm512_castps128_ps512(_mm_loadu_ps(end - width / 4));
    if constexpr (Part == 2) return _mm512_castps256_ps512(_mm256_loadu_ps(end - width / 2));
    return load(end - width);
  }
  template <int Part>
  static void store_last(float* end, V v) {
    if constexpr (Part == 4) {
      _mm_storeu_ps(end - width / 4, _mm512_castps512_ps128(v));
    } else if constexpr (Part == 2) {
      _mm256_storeu_ps(end - width / 2, _mm512_castps512_ps256(v));
    } else {
      store(end - width, v);
    }
  }
  static void store(float* p, V v) { _mm512_storeu_ps(p, v); }
  static void store(float* p, V v, std::int64_t n) { _mm512_mask_storeu_ps(p, lanes(n), v); }
  static void store_past_cache(float* p, V v) { _mm512_stream_ps(p, v); }
  static void finish_past_cache() { _mm_sfence(); }
  static V add(V a, V b) { return _mm512_add_ps(a, b); }
  static V mul(V a, V b) { return _mm512_mul_ps(a, b); }
  static V mul_add(V a, V b, V c) { return _mm512_fmadd_ps(a, b, c); }
  static V rectified(V a) { return _mm512_mask_mov_ps(a, _mm512_cmp_ps_mask(a, zero(), _CMP_LT_OQ), zero()); }
};

#elif defined(__AVX2__)

// Ones, then zeros: a mask of n lanes begins n before the middle.
alignas(64) static constexpr std::int64_t masks_64[8] = {-1, -1, -1, -1, 0, 0, 0, 0};
alignas(64) static constexpr std::int32_t masks_32[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};

template <>
struct Vectors<double> {
  static constexpr std::int64_t width = 4;
  static constexpr int registers = 16;
  static constexpr bool tuned = true;
  static constexpr bool few = false;
  using V = __m256d;
  static __m256i lanes(std::int64_t n) {
    return _mm256_loadu_si256(reinterpret_cast<__m256i const*>(masks_64 + 4 - n));
  }
  static V zero() { return _mm256_setzero_pd(); }
  static V all(double a) { return _mm256_set1_pd(a); }
  static V load(double const* p) { return _mm256_loadu_pd(p); }
  static V load(double const* p, std::int64_t n) { return _mm256_maskload_pd(p, lanes(n)); }
  static constexpr int parts = 2;
  template <int Part>
  static V load_first(double const* p, std::int64_t n) {
    if constexpr (Part == 2) return _mm256_castpd128_pd256(_mm_maskload_pd(p, _mm256_castsi256_si128(lanes(n))));
    return load(p, n);
  }
  template <int Part>
  static V load_last(double const* end) {
    if constexpr (Part == 2) return _mm256_castpd128_pd256(_mm_loadu_pd(end - width / 2));
    return load(end - width);
  }
  template <int Part>
  static void store_last(double* end, V v) {
    if constexpr (Part == 2) {
      _mm_storeu_pd(end - width / 2, _mm256_castpd256_pd128(v));
    } else {
      store(end - width, v);
    }
  }
  static void store(double* p, V v) { _mm256_storeu_pd(p, v); }
  static void store(double* p, V v, std::int64_t n) { _mm256_maskstore_pd(p, lanes(n), v); }
  static void store_past_cache(double* p, V v) { _mm256_stream_pd(p, v); }
  static void finish_past_cache() { _mm_sfence(); }
  static V add(V a, V b) { return _mm256_add_pd(a, b); }
  static V mul(V a, V b) { return _mm256_mul_pd(a, b); }
  static V mul_add(V a, V b, V c) { return _mm256_fmadd_pd(a, b, c); }
  static V rectified(V a) { return _mm256_max_pd(zero(), a); }
};

template <>
struct Vectors<float> {
  static constexpr std::int64_t width = 8;
  static constexpr int registers = 16;
  static constexpr bool tuned = true;
  static constexpr bool few = false;
  using V = __m256;
  static __m256i lanes(std::int64_t n) {
    return _mm256_loadu_si256(reinterpret_cast<__m256i const*>(masks_32 + 8 - n));
  }
  static V zero() { return _mm256_setzero_ps(); }
  static V all(float a) { return _mm256_set1_ps(a); }
  static V load(float const* p) { return _mm256_loadu_ps(p); }
  static V load(float const* p, std::int64_t n) { return _mm256_maskload_ps(p, lanes(n)); }
  static constexpr int parts = 2;
  template <int Part>
  static V load_first(float const* p, std::int64_t n) {
    if constexpr (Part == 2) return _mm256_castps128_ps256(_mm_maskload_ps(p, _mm256_castsi256_si128(lanes(n))));
    return load(p, n);
  }
  template <int Part>
  static V load_last(float const* end) {
    if constexpr (Part == 2) return _mm256_castps128_ps256(_mm_loadu_ps(end - width / 2));
    return load(end - width);
  }
  template <int Part>
  static void store_last(float* end, V v) {
    if constexpr (Part == 2) {
      _mm_storeu_ps(end - width / 2, _mm256_castps256_ps128(v));
    } else {
      store(end - width, v);
    }
  }
  static void store(float* p, V v) { _mm256_storeu_ps(p, v); }
  static void store(float* p, V v, std::int64_t n) { _mm256_maskstore_ps(p, lanes(n), v); }
  static void store_past_cache(float* p, V v) { _mm256_stream_ps(p, v); }
  static void finish_past_cache() { _mm_sfence(); }
  static V add(V a, V b) { return _mm256_add_ps(a, b); }
  static V mul(V a, V b) { return _mm256_mul_ps(a, b); }
  static V mul_add(V a, V b, V c) { return _mm256_fmadd_ps(a, b, c); }
  static V rectified(V a) { return _mm256_max_ps(zero(), a); }
};

#else

/// 16 bytes, in the vector types of GCC and clang: SSE2, NEON or what there is.
template <class T>
struct Vectors {
  static constexpr std::int64_t width = 16 / sizeof(T);
  static constexpr int registers = 16;
  static constexpr bool tuned = false;
#if defined(__x86_64__)
  static constexpr bool few = true;
#else
  static constexpr bool few = false;
#endif
  typedef T V __attribute__((vector_size(16)));
  static V zero() { return V{}; }
  static V all(T a) { return V{} + a; }
  static V load(T const* p) {
    V v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
  }
  static V load(T const* p, std::int64_t n) {
    V v{};
    for (std::int64_t i = 0; i < n; ++i) v[i] = p[i];
    return v;
  }
  static constexpr int parts = 1;
  template <int Part>
  static V load_first(T const* p, std::int64_t n) {
    return load(p, n);
  }
  template <int Part>
  static V load_last(T const* end) {
    return load(end - width);
  }
  template <int Part>
  static void store_last(T* end, V v) {
    store(end - width, v);
  }
  static void store(T* p, V v) { __builtin_memcpy(p, &v, sizeof v); }
  static void store(T* p, V v, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) p[i] = v[i];
  }
  static void store_past_cache(T* p, V v) { store(p, v); }
  static void finish_past_cache() {}
  static V add(V a, V b) { return a + b; }
  static V mul(V a, V b) { return a * b; }
  static V mul_add(V a, V b, V c) { return a * b + c; }
  static V rectified(V a) {
    for (std::int64_t i = 0; i < width; ++i) a[i] = a[i] < T(0) ? T(0) : a[i];
    return a;
  }
};
#endif

}  // namespace araia::host::ARAIA_ISA
