// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/openmp/lobpcg/blocks_in_registers/kernel.hpp"

#include <algorithm>
#include <araia/detail/formats/type_list.hpp>

#include "backends/openmp/lobpcg/blocks_in_registers/rows.hpp"
#include "backends/openmp/thread_chunks.hpp"
#include "backends/openmp/with_isa.hpp"

namespace araia::host {

namespace {

using detail::lobpcg_most_columns;
using detail::LobpcgBasis;
using detail::LobpcgCross;
using detail::LobpcgGram;
using detail::LobpcgSubtract;
using detail::LobpcgUpdate;

constexpr std::int64_t fewest_rows = 1024;  // of a chunk: its sums are then small beside its blocks
constexpr std::int64_t most_chunks = 128;

std::int64_t chunks_of(std::int64_t rows) {
  return std::clamp<std::int64_t>((rows + fewest_rows - 1) / fewest_rows, 1, most_chunks);
}

std::int64_t square(std::int64_t a) { return a * a; }

constexpr std::int64_t line = 8;  // doubles of a line of cache
std::int64_t whole_lines(std::int64_t doubles) { return (doubles + line - 1) / line * line; }

template <class T>
void rows_by_isa(Isa isa, LobpcgGram<T> const& of, LobpcgCoefficients const&, LobpcgChunk const& chunk) {
  with_isa(isa, [&]<Isa level>() { lobpcg_gram_rows<level>(of, chunk); });
}
template <class T>
void rows_by_isa(Isa isa, LobpcgUpdate<T> const& of, LobpcgCoefficients const& by, LobpcgChunk const& chunk) {
  with_isa(isa, [&]<Isa level>() { lobpcg_update_rows<level>(of, by, chunk); });
}
template <class T>
void rows_by_isa(Isa isa, LobpcgCross<T> const& of, LobpcgCoefficients const&, LobpcgChunk const& chunk) {
  with_isa(isa, [&]<Isa level>() { lobpcg_cross_rows<level>(of, chunk); });
}
template <class T>
void rows_by_isa(Isa isa, LobpcgSubtract<T> const& of, LobpcgCoefficients const& by, LobpcgChunk const& chunk) {
  with_isa(isa, [&]<Isa level>() { lobpcg_subtract_rows<level>(of, by, chunk); });
}

/// Runs a kernel chunk by chunk. \param sums  doubles of a chunk's sums. \return those of all, chunk after chunk
template <class Of>
std::int64_t run_chunks(Of const& of, std::int64_t rows, LobpcgCoefficients const& by, std::int64_t sums,
                        double* chunk_sums, int threads, Isa isa) {
  std::int64_t const chunks = chunks_of(rows);
  std::int64_t const size = rows / chunks;
  std::int64_t const rest = rows % chunks;
  auto const run = [&](std::int64_t chunk) {
    std::int64_t const first = chunk * size + std::min(chunk, rest);
    rows_by_isa(isa, of, by, {first, first + size + (chunk < rest ? 1 : 0), chunk_sums + chunk * sums});
  };
  in_chunks(static_cast<int>(std::min<std::int64_t>(threads, chunks)), [&](int thread, int count) {
    for (std::int64_t c = chunks * thread / count; c < chunks * (thread + 1) / count; ++c) run(c);
  });
  // The sum over chunks goes into the first one's, a range of entries a thread.
  std::int64_t const work = chunks * sums;
  in_chunks(threads_with_work(work, least_multiply_adds, threads), [&](int thread, int count) {
    std::int64_t const first = sums * thread / count;
    std::int64_t const last = sums * (thread + 1) / count;
    for (std::int64_t c = 1; c < chunks; ++c) {
      double const* const from = chunk_sums + c * sums;
      for (std::int64_t e = first; e < last; ++e) chunk_sums[e] += from[e];
    }
  });
  return sums;
}

/// The whole of a symmetric matrix of which the upper triangle was summed.
void mirror_upper(double const* from, int ld, int m, double* to) {
  for (int i = 0; i < m; ++i)
    for (int j = i; j < m; ++j) to[i * m + j] = to[j * m + i] = from[i * ld + j];
}

/// Of which columns [first, last) were summed; the rest becomes zero.
void mirror_columns(double const* from, int ld, int m, int first, int last, double* to) {
  std::fill(to, to + m * m, 0.0);
  for (int j = first; j < last; ++j)
    for (int i = 0; i < m; ++i) {
      if (i >= first && i < last && i > j) continue;
      to[i * m + j] = to[j * m + i] = from[i * ld + j];
    }
}

/// Padded coefficients behind what is given. \return where they end
double* pad(double const* from, int rows, int cols, double* to, double const** padded) {
  int const ld = lobpcg_padded_columns(cols);
  for (int i = 0; i < rows; ++i) {
    std::copy(from + i * cols, from + (i + 1) * cols, to + i * ld);
    std::fill(to + i * ld + cols, to + (i + 1) * ld, 0.0);
  }
  *padded = to;
  return to + whole_lines(static_cast<std::int64_t>(rows) * ld);
}

template <class T>
int columns_of(LobpcgBasis<T> const& basis) {
  int m = 0;
  for (int b = 0; b < basis.blocks; ++b) m += basis.s[b].cols;
  return m;
}

}  // namespace

std::int64_t lobpcg_workspace_bytes(std::int64_t rows, int columns) {
  int const m = lobpcg_padded(3 * columns);
  std::int64_t const sums = whole_lines(std::max<std::int64_t>(2 * square(m), 3 * lobpcg_most_columns));
  std::int64_t const coefficients = 2 * whole_lines(static_cast<std::int64_t>(m) * lobpcg_padded_columns(columns));
  return (chunks_of(rows) * sums + coefficients) * static_cast<std::int64_t>(sizeof(double));
}

template <class T>
void lobpcg_gram(LobpcgGram<T> const& of, double* workspace, int threads, Isa isa) {
  int const m = columns_of(of.basis);
  int const ld = lobpcg_padded(m);
  run_chunks(of, of.basis.rows, {}, 2 * square(ld), workspace, threads, isa);
  bool const only_r = of.only_r && of.basis.blocks > 1;
  int const first = only_r ? of.basis.s[0].cols : 0;
  int const last = only_r ? first + of.basis.s[1].cols : m;
  for (auto const& [to, from] : {std::pair{of.g, workspace}, std::pair{of.h, workspace + square(ld)}}) {
    if (!to) continue;
    if (only_r)
      mirror_columns(from, ld, m, first, last, to);
    else
      mirror_upper(from, ld, m, to);
  }
}

template <class T>
void lobpcg_update(LobpcgUpdate<T> const& of, double* workspace, int threads, Isa isa) {
  int const m = columns_of(of.basis);
  LobpcgCoefficients by;
  double* chunk_sums = pad(of.c, m, of.kx, workspace, &by.c);
  chunk_sums = pad(of.d, m, of.kp, chunk_sums, &by.d);
  run_chunks(of, of.basis.rows, by, 3 * lobpcg_most_columns, chunk_sums, threads, isa);
  double* const squares[] = {of.r_squares, of.ax_squares, of.x_squares};
  for (int q = 0; q < 3; ++q)
    if (squares[q]) std::copy_n(chunk_sums + q * lobpcg_most_columns, of.kx, squares[q]);
}

template <class T>
void lobpcg_cross(LobpcgCross<T> const& of, double* workspace, int threads, Isa isa) {
  int const ldx = lobpcg_padded(of.x.cols);
  int const ldw = lobpcg_padded(of.w.cols);
  run_chunks(of, of.rows, {}, static_cast<std::int64_t>(ldx) * ldw + square(ldw), workspace, threads, isa);
  for (int i = 0; i < of.x.cols; ++i) std::copy_n(workspace + i * ldw, of.w.cols, of.c + i * of.w.cols);
  if (of.ww) mirror_upper(workspace + ldx * ldw, ldw, of.w.cols, of.ww);
}

template <class T>
void lobpcg_subtract(LobpcgSubtract<T> const& of, double* workspace, int threads, Isa isa) {
  int const ldw = lobpcg_padded(of.w.cols);
  LobpcgCoefficients by;
  double* const chunk_sums = pad(of.c, of.x.cols, of.w.cols, workspace, &by.c);
  run_chunks(of, of.rows, by, square(ldw), chunk_sums, threads, isa);
  if (of.ww) mirror_upper(chunk_sums, ldw, of.w.cols, of.ww);
}

[[gnu::used]] static void write_out_lobpcg() {
  using namespace detail;
  for_types<Reals>([]<class T>() {
    write_out(lobpcg_gram<T>);
    write_out(lobpcg_update<T>);
    write_out(lobpcg_cross<T>);
    write_out(lobpcg_subtract<T>);
  });
}

}  // namespace araia::host
