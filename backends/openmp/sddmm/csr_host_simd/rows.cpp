// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// D = alpha A .* (X Y') + beta D for a range of entries, A in CSR. Four entries of a row go together: a load of X's row
// meets four rows of Y, two registers of sums each, as the additions of one would wait for one another.
//
//            x(i, :)   | x0 x1 | x2 x3 | ...       registers of k; the last ones masked
//            y(j0, :)  | s0 t0 | s0 t0 |           s0 += x0 y(j0, 0), t0 += x1 y(j0, 1), ...
//            ...j3     | s3 t3 | s3 t3 |           four sums of lanes at once in the end
//
// The bits of an entry depend on k and the instruction set alone, not on the range or on its neighbours.
// Traffic  an entry: k scalars of Y out of cache, 4 B of column, the value written, and read where beta != 0 or A has
//          values; a row: k scalars of X.

#include <araia/detail/formats/type_list.hpp>

#include "backends/openmp/csr_spmm_vectors.hpp"
#include "backends/openmp/sddmm/csr_host_simd/rows.hpp"

namespace araia::host::ARAIA_ISA {

namespace {

constexpr int entries_at_once = 4;  // entries that go together

// Rows of Y that do not fit the caches are prefetched twice as many entries ahead as go together. Where Y fits,
// prefetching costs time.
constexpr std::int64_t entries_ahead = 2 * entries_at_once;
constexpr std::int64_t bytes_in_cache = std::int64_t{1} << 23;
constexpr std::int64_t line = 64;  // bytes

// out[j] = the sum of v[j]'s lanes.
#if defined(__AVX2__)
inline __m256d four_sums(__m256d const (&v)[entries_at_once]) {
  __m256d const low = _mm256_hadd_pd(v[0], v[1]);   // v0 v1 v0 v1, halves of the sums
  __m256d const high = _mm256_hadd_pd(v[2], v[3]);  // v2 v3 v2 v3
  return _mm256_add_pd(_mm256_permute2f128_pd(low, high, 0x20), _mm256_permute2f128_pd(low, high, 0x31));
}
inline __m128 four_sums(__m256 const (&v)[entries_at_once]) {
  __m256 const all = _mm256_hadd_ps(_mm256_hadd_ps(v[0], v[1]), _mm256_hadd_ps(v[2], v[3]));
  return _mm_add_ps(_mm256_castps256_ps128(all), _mm256_extractf128_ps(all, 1));
}
#endif
#if defined(__AVX512F__)
// Halves by masked extracts: GCC 12 warns of its own plain ones and casts.
inline void lane_sums(__m512d const (&v)[entries_at_once], double* out) {
  __m256d half[entries_at_once];
  for (int j = 0; j < entries_at_once; ++j)
    half[j] = _mm256_add_pd(_mm512_maskz_extractf64x4_pd(0xf, v[j], 0), _mm512_maskz_extractf64x4_pd(0xf, v[j], 1));
  _mm256_storeu_pd(out, four_sums(half));
}
[[maybe_unused]] inline void lane_sums(__m512 const (&v)[entries_at_once], float* out) {
  __m256 half[entries_at_once];
  for (int j = 0; j < entries_at_once; ++j)
    half[j] = _mm256_add_ps(_mm512_maskz_extractf32x8_ps(0xff, v[j], 0), _mm512_maskz_extractf32x8_ps(0xff, v[j], 1));
  _mm_storeu_ps(out, four_sums(half));
}
#elif defined(__AVX2__)
inline void lane_sums(__m256d const (&v)[entries_at_once], double* out) { _mm256_storeu_pd(out, four_sums(v)); }
[[maybe_unused]] inline void lane_sums(__m256 const (&v)[entries_at_once], float* out) {
  _mm_storeu_ps(out, four_sums(v));
}
#else
template <class V, class T>
void lane_sums(V const (&v)[entries_at_once], T* out) {
  for (int j = 0; j < entries_at_once; ++j) {
    T sum = v[j][0];
    for (std::int64_t lane = 1; lane < Vectors<T>::width; ++lane) sum += v[j][lane];
    out[j] = sum;
  }
}
#endif

// out[j] = x y[j]', dot products of k elements; AHEAD: prefetches as much of `later`.
template <bool AHEAD, class T>
void four_dots(T const* x, T const* const (&y)[entries_at_once], T const* const (&later)[entries_at_once],
               std::int64_t k, T* out) {
  using V = Vectors<T>;
  constexpr std::int64_t width = V::width;
  typename V::V even[entries_at_once];
  typename V::V odd[entries_at_once];
  for (int j = 0; j < entries_at_once; ++j) even[j] = odd[j] = V::zero();
  std::int64_t i = 0;
  for (; i + 2 * width <= k; i += 2 * width) {
    auto const x0 = V::load(x + i);
    auto const x1 = V::load(x + i + width);
    for (int j = 0; j < entries_at_once; ++j) {
      if constexpr (AHEAD) {
        __builtin_prefetch(later[j] + i);
        if constexpr (2 * width * static_cast<std::int64_t>(sizeof(T)) > line) __builtin_prefetch(later[j] + i + width);
      }
      even[j] = V::mul_add(x0, V::load(y[j] + i), even[j]);
      odd[j] = V::mul_add(x1, V::load(y[j] + i + width), odd[j]);
    }
  }
  if (i + width <= k) {
    auto const x0 = V::load(x + i);
    for (int j = 0; j < entries_at_once; ++j) even[j] = V::mul_add(x0, V::load(y[j] + i), even[j]);
    i += width;
  }
  if (i < k) {
    auto const x0 = V::load(x + i, k - i);
    for (int j = 0; j < entries_at_once; ++j) odd[j] = V::mul_add(x0, V::load(y[j] + i, k - i), odd[j]);
  }
  for (int j = 0; j < entries_at_once; ++j) even[j] = V::add(even[j], odd[j]);
  lane_sums(even, out);
}

template <bool AHEAD, class T, class Offset>
void rows(CsrSddmmRows<T, Offset> const& in) {
  std::int64_t const k = in.x.columns;
  auto const y_of = [&](std::int64_t p) { return in.y.data + in.a.col_indices[p] * in.y.row_stride; };
  std::int64_t entry = in.first_entry;
  for (std::int64_t row = in.first_row; entry < in.last_entry; ++row) {
    auto const row_end = static_cast<std::int64_t>(in.a.row_offsets[row + 1]);
    std::int64_t const end = row_end < in.last_entry ? row_end : in.last_entry;
    if (entry >= end) continue;
    std::int64_t const place = in.a.row_permutation ? static_cast<std::int64_t>(in.a.row_permutation[row]) : row;
    T const* const x = in.x.data + place * in.x.row_stride;
    for (; entry < end; entry += entries_at_once) {
      std::int64_t const count = end - entry < entries_at_once ? end - entry : entries_at_once;
      T const* y[entries_at_once];
      T const* later[entries_at_once] = {};
      for (int j = 0; j < entries_at_once; ++j) {
        y[j] = y_of(entry + (j < count ? j : count - 1));  // past the end, the last entry again
        std::int64_t const next = entry + entries_ahead + j;
        if constexpr (AHEAD) later[j] = y_of(next < in.last_entry ? next : in.last_entry - 1);
      }
      T dot[entries_at_once];
      four_dots<AHEAD>(x, y, later, k, dot);
      for (std::int64_t j = 0; j < count; ++j) {
        T const sampled = in.a.values ? in.a.values[entry + j] * dot[j] : dot[j];
        T& d = in.d[entry + j];
        d = in.beta == T(0) ? in.alpha * sampled : in.alpha * sampled + in.beta * d;
      }
    }
    entry = end;
  }
}

template <class T, class Offset>
void rows(CsrSddmmRows<T, Offset> const& in) {
  if (in.y.rows * in.y.columns * static_cast<std::int64_t>(sizeof(T)) > bytes_in_cache)
    rows<true>(in);
  else
    rows<false>(in);
}

}  // namespace

}  // namespace araia::host::ARAIA_ISA

namespace araia::host {

template <Isa level, class T, class Offset>
void csr_sddmm_rows(CsrSddmmRows<T, Offset> const& args) {
  ARAIA_ISA::rows(args);
}

[[gnu::used]] static void write_out_csr_sddmm_rows() {
  using namespace detail;
  for_types<Reals, AllOffsets>([]<class T, class Offset>() { write_out(csr_sddmm_rows<Isa::ARAIA_ISA, T, Offset>); });
}

}  // namespace araia::host
