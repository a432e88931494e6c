// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LOBPCG's block kernels on a chunk of rows: some rows at a time are packed side by side as doubles, and tiles of
// sums stay in registers while they pass over these.
// Mapping  packed rows: [X R P], and A of it, B of it, each packed with zeros up to whole tiles; a tile of the Gram
//          matrix adds outer products of rows, a tile of new vectors adds rows of coefficients
// Traffic  every block once, written ones once; packed rows stay in the nearest caches
// Suits    any widths up to 64 a block. Compiled per x86-64 level; starts no threads, includes no inline templates.

#include <araia/detail/formats/type_list.hpp>

#include "backends/openmp/lobpcg/blocks_in_registers/rows.hpp"

namespace araia::host::ARAIA_ISA {

namespace {

using detail::Block;
using detail::LobpcgBasis;
using detail::LobpcgCross;
using detail::LobpcgGram;
using detail::LobpcgSubtract;
using detail::LobpcgUpdate;

#if defined(__AVX512F__)
constexpr int lanes = 8;
constexpr int tile_rows = 12;
#elif defined(__AVX2__)
constexpr int lanes = 4;
constexpr int tile_rows = 6;
#else
constexpr int lanes = 2;
constexpr int tile_rows = 2;
#endif
constexpr int tile_columns = lobpcg_tile_columns;
constexpr int vectors = tile_columns / lanes;
constexpr int rows_at_once = 48;  // a multiple of every tile_rows
constexpr int most = detail::lobpcg_most_basis;
constexpr int most_block = detail::lobpcg_most_columns;
static_assert(rows_at_once % tile_rows == 0 && most % 24 == 0 && 24 % tile_rows == 0 && 24 % tile_columns == 0);

typedef double Vector __attribute__((vector_size(lanes * sizeof(double)), aligned(8), may_alias));

inline Vector load(double const* from) { return *reinterpret_cast<Vector const*>(from); }
inline void store(double* to, Vector value) { *reinterpret_cast<Vector*>(to) = value; }
inline Vector broadcast(double value) {
  Vector v{};
  return v + value;
}

/// Packed rows of several blocks side by side: element (i, j) at [i * ld + j], zeros from the last column to ld.
template <class T>
void pack(Block<T const> const* blocks, int count, std::int64_t row, int rows, int ld, double* to) {
  int at = 0;
  for (int b = 0; b < count; ++b) {
    int const cols = blocks[b].cols;
    for (int i = 0; i < rows; ++i) {
      T const* const from = blocks[b].data + (row + i) * blocks[b].ld;
      double* const into = to + i * ld + at;
      for (int j = 0; j < cols; ++j) into[j] = static_cast<double>(from[j]);
    }
    at += cols;
  }
  for (int i = 0; i < rows; ++i)
    for (int j = at; j < ld; ++j) to[i * ld + j] = 0;
}

/// out (tile_rows x tile_columns at [i * ldo + j]) += sum over rows of left(row, i) right(row, j).
inline void add_outer(double const* left, int ldl, double const* right, int ldr, int rows, double* out, int ldo) {
  Vector sum[tile_rows][vectors] = {};
  for (int r = 0; r < rows; ++r) {
    Vector with[vectors];
    for (int v = 0; v < vectors; ++v) with[v] = load(right + r * ldr + v * lanes);
    for (int i = 0; i < tile_rows; ++i) {
      Vector const by = broadcast(left[r * ldl + i]);
      for (int v = 0; v < vectors; ++v) sum[i][v] += by * with[v];
    }
  }
  for (int i = 0; i < tile_rows; ++i)
    for (int v = 0; v < vectors; ++v) {
      double* const to = out + i * ldo + v * lanes;
      store(to, load(to) + sum[i][v]);
    }
}

/// out (tile_rows x tile_columns) = left (tile_rows x inner) times right (inner x tile_columns).
inline void multiply_tile(double const* left, int ldl, double const* right, int ldr, int inner, double* out, int ldo) {
  Vector sum[tile_rows][vectors] = {};
  for (int k = 0; k < inner; ++k) {
    Vector with[vectors];
    for (int v = 0; v < vectors; ++v) with[v] = load(right + k * ldr + v * lanes);
    for (int i = 0; i < tile_rows; ++i) {
      Vector const by = broadcast(left[i * ldl + k]);
      for (int v = 0; v < vectors; ++v) sum[i][v] += by * with[v];
    }
  }
  for (int i = 0; i < tile_rows; ++i)
    for (int v = 0; v < vectors; ++v) store(out + i * ldo + v * lanes, sum[i][v]);
}

void clear(double* at, int count) {
  for (int i = 0; i < count; ++i) at[i] = 0;
}

/// Rows up to the next whole tile are zeros, so that tiles may pass over them.
void clear_rows(double* packed, int from, int ld) {
  int const last = (from + tile_rows - 1) / tile_rows * tile_rows;
  for (int i = from * ld; i < last * ld; ++i) packed[i] = 0;
}

int total_columns(int const (&cols)[3], int blocks) {
  int sum = 0;
  for (int b = 0; b < blocks; ++b) sum += cols[b];
  return sum;
}

/// out (padded x padded) += left' right over packed rows, columns [first, last) of right, and rows of `out` up to the
/// diagonal's tile where `upper`.
void add_gram(double const* left, double const* right, int rows, int m, int ld, int first, int last, bool upper,
              double* out) {
  for (int j = first; j < last; j += tile_columns) {
    int const rows_end = upper && j + tile_columns < m ? j + tile_columns : m;
    for (int i = 0; i < rows_end; i += tile_rows) add_outer(left + i, ld, right + j, ld, rows, out + i * ld + j, ld);
  }
}

template <class T>
void gram_rows(LobpcgGram<T> const& of, LobpcgChunk const& chunk) {
  LobpcgBasis<T> const& basis = of.basis;
  int cols[3] = {basis.s[0].cols, basis.s[1].cols, basis.s[2].cols};
  int const m = total_columns(cols, basis.blocks);
  int const ld = lobpcg_padded(m);
  alignas(64) double s[rows_at_once * most];
  alignas(64) double as[rows_at_once * most];
  alignas(64) double bs[rows_at_once * most];
  bool const only_r = of.only_r && basis.blocks > 1;
  // Tiles begin at multiples of their width: entries beside those of R come along.
  int const first = only_r ? cols[0] / tile_columns * tile_columns : 0;
  int const last = only_r ? cols[0] + cols[1] : m;
  double* const g = chunk.sums;
  double* const h = chunk.sums + ld * ld;
  clear(chunk.sums, 2 * ld * ld);
  if (only_r) {  // whatever is not packed must be a number
    clear(as, rows_at_once * ld);
    clear(bs, rows_at_once * ld);
  }
  for (std::int64_t row = chunk.first; row < chunk.last; row += rows_at_once) {
    int const rows = chunk.last - row < rows_at_once ? static_cast<int>(chunk.last - row) : rows_at_once;
    pack(basis.s, basis.blocks, row, rows, ld, s);
    auto const pack_right = [&](Block<T const> const* blocks, double* to) {
      if (!only_r) return pack(blocks, basis.blocks, row, rows, ld, to);
      for (int i = 0; i < rows; ++i) {
        T const* const from = blocks[1].data + (row + i) * blocks[1].ld;
        double* const into = to + i * ld + cols[0];
        for (int j = 0; j < cols[1]; ++j) into[j] = static_cast<double>(from[j]);
      }
    };
    if (of.g) {
      pack_right(basis.as, as);
      add_gram(s, as, rows, m, ld, first, last, !only_r, g);
    }
    if (of.h) {
      if (basis.bs[0].data || basis.bs[1].data) pack_right(basis.bs, bs);
      double const* const right = basis.bs[0].data || basis.bs[1].data ? bs : s;
      add_gram(s, right, rows, m, ld, first, last, !only_r, h);
    }
  }
}

template <class T>
void write(Block<T> const& to, std::int64_t row, int rows, double const* from, int ld) {
  for (int i = 0; i < rows; ++i) {
    T* const into = to.data + (row + i) * to.ld;
    for (int j = 0; j < to.cols; ++j) into[j] = static_cast<T>(from[i * ld + j]);
  }
}

/// out (rows x padded columns) = left (rows x inner) times coefficients.
void multiply_rows(double const* left, int ldl, int rows, double const* coefficients, int inner, int ldo, double* out) {
  for (int j = 0; j < ldo; j += tile_columns)
    for (int i = 0; i < rows; i += tile_rows)
      multiply_tile(left + i * ldl, ldl, coefficients + j, ldo, inner, out + i * ldo + j, ldo);
}

void add_squares(double const* packed, int rows, int cols, int ld, double* sums) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j) sums[j] += packed[i * ld + j] * packed[i * ld + j];
}

template <class T>
void update_rows(LobpcgUpdate<T> const& of, LobpcgCoefficients const& by, LobpcgChunk const& chunk) {
  LobpcgBasis<T> const& basis = of.basis;
  int cols[3] = {basis.s[0].cols, basis.s[1].cols, basis.s[2].cols};
  int const m = total_columns(cols, basis.blocks);
  int const ld = lobpcg_padded(m);
  int const ldx = lobpcg_padded_columns(of.kx);
  int const ldp = lobpcg_padded_columns(of.kp);
  bool const with_a = basis.as[0].data != nullptr;
  bool const with_b = basis.bs[0].data != nullptr;
  bool const residual = with_a && (of.r.data || of.r_squares);
  alignas(64) double old[rows_at_once * most];
  alignas(64) double x[rows_at_once * most_block];
  alignas(64) double ax[rows_at_once * most_block];
  alignas(64) double bx[rows_at_once * most_block];
  alignas(64) double p[rows_at_once * most_block];
  clear(chunk.sums, 3 * most_block);
  for (std::int64_t row = chunk.first; row < chunk.last; row += rows_at_once) {
    int const rows = chunk.last - row < rows_at_once ? static_cast<int>(chunk.last - row) : rows_at_once;
    auto const turn = [&](Block<T const> const* blocks, Block<T> const& new_x, Block<T> const& new_p, double* out) {
      pack(blocks, basis.blocks, row, rows, ld, old);
      clear_rows(old, rows, ld);
      multiply_rows(old, ld, rows, by.c, m, ldx, out);
      if (of.kp > 0 && new_p.data) {
        multiply_rows(old, ld, rows, by.d, m, ldp, p);
        write(new_p, row, rows, p, ldp);
      }
      if (new_x.data) write(new_x, row, rows, out, ldx);
    };
    turn(basis.s, of.x, of.p, x);
    if (of.x_squares) add_squares(x, rows, of.kx, ldx, chunk.sums + 2 * most_block);
    if (with_b) turn(basis.bs, of.bx, of.bp, bx);
    if (!with_a) continue;
    turn(basis.as, of.ax, of.ap, ax);
    if (of.ax_squares) add_squares(ax, rows, of.kx, ldx, chunk.sums + most_block);
    if (!residual) continue;
    double const* const product = with_b ? bx : x;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < of.kx; ++j) ax[i * ldx + j] -= of.theta[j] * product[i * ldx + j];
    add_squares(ax, rows, of.kx, ldx, chunk.sums);
    if (!of.r.data) continue;
    for (int i = 0; i < rows; ++i) {
      T* const to = of.r.data + (row + i) * of.r.ld;
      double const factor = of.inverse_diagonal ? static_cast<double>(of.inverse_diagonal[row + i]) : 1.0;
      for (int q = 0; q < of.active_count; ++q) to[q] = static_cast<T>(factor * ax[i * ldx + of.active[q]]);
    }
  }
}

template <class T>
void cross_rows(LobpcgCross<T> const& of, LobpcgChunk const& chunk) {
  int const ldx = lobpcg_padded(of.x.cols);
  int const ldw = lobpcg_padded(of.w.cols);
  alignas(64) double x[rows_at_once * (most_block + 24)];
  alignas(64) double w[rows_at_once * (most_block + 24)];
  double* const ww = chunk.sums + ldx * ldw;
  clear(chunk.sums, ldx * ldw + ldw * ldw);
  for (std::int64_t row = chunk.first; row < chunk.last; row += rows_at_once) {
    int const rows = chunk.last - row < rows_at_once ? static_cast<int>(chunk.last - row) : rows_at_once;
    pack(&of.x, 1, row, rows, ldx, x);
    pack(&of.w, 1, row, rows, ldw, w);
    for (int j = 0; j < of.w.cols; j += tile_columns)
      for (int i = 0; i < of.x.cols; i += tile_rows)
        add_outer(x + i, ldx, w + j, ldw, rows, chunk.sums + i * ldw + j, ldw);
    if (of.ww) add_gram(w, w, rows, of.w.cols, ldw, 0, of.w.cols, true, ww);
  }
}

template <class T>
void subtract_rows(LobpcgSubtract<T> const& of, LobpcgCoefficients const& by, LobpcgChunk const& chunk) {
  int const ldx = lobpcg_padded(of.x.cols);
  int const ldc = lobpcg_padded_columns(of.w.cols);
  int const ldw = lobpcg_padded(of.w.cols);
  alignas(64) double x[rows_at_once * (most_block + 24)];
  alignas(64) double w[rows_at_once * (most_block + 24)];
  alignas(64) double product[rows_at_once * most_block];
  clear(chunk.sums, ldw * ldw);
  Block<T const> const old[1] = {{of.w.data, of.w.ld, of.w.cols}};
  for (std::int64_t row = chunk.first; row < chunk.last; row += rows_at_once) {
    int const rows = chunk.last - row < rows_at_once ? static_cast<int>(chunk.last - row) : rows_at_once;
    pack(&of.x, 1, row, rows, ldx, x);
    clear_rows(x, rows, ldx);
    pack(old, 1, row, rows, ldw, w);
    multiply_rows(x, ldx, rows, by.c, of.x.cols, ldc, product);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < of.w.cols; ++j)  // rounded as it is stored: W'W is of that
        w[i * ldw + j] = static_cast<double>(static_cast<T>(w[i * ldw + j] - product[i * ldc + j]));
    write(of.w, row, rows, w, ldw);
    if (of.ww) add_gram(w, w, rows, of.w.cols, ldw, 0, of.w.cols, true, chunk.sums);
  }
}

}  // namespace

}  // namespace araia::host::ARAIA_ISA

namespace araia::host {

template <Isa level, class T>
void lobpcg_gram_rows(detail::LobpcgGram<T> const& of, LobpcgChunk const& chunk) {
  ARAIA_ISA::gram_rows(of, chunk);
}
template <Isa level, class T>
void lobpcg_update_rows(detail::LobpcgUpdate<T> const& of, LobpcgCoefficients const& by, LobpcgChunk const& chunk) {
  ARAIA_ISA::update_rows(of, by, chunk);
}
template <Isa level, class T>
void lobpcg_cross_rows(detail::LobpcgCross<T> const& of, LobpcgChunk const& chunk) {
  ARAIA_ISA::cross_rows(of, chunk);
}
template <Isa level, class T>
void lobpcg_subtract_rows(detail::LobpcgSubtract<T> const& of, LobpcgCoefficients const& by, LobpcgChunk const& chunk) {
  ARAIA_ISA::subtract_rows(of, by, chunk);
}

[[gnu::used]] static void write_out_lobpcg_rows() {
  using namespace detail;
  for_types<Reals>([]<class T>() {
    write_out(lobpcg_gram_rows<Isa::ARAIA_ISA, T>);
    write_out(lobpcg_update_rows<Isa::ARAIA_ISA, T>);
    write_out(lobpcg_cross_rows<Isa::ARAIA_ISA, T>);
    write_out(lobpcg_subtract_rows<Isa::ARAIA_ISA, T>);
  });
}

}  // namespace araia::host
