// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/openmp/conv/csr_shifted_columns/kernel.hpp"

#include <algorithm>
#include <araia/formats/type_list.hpp>

#include "backends/openmp/conv/csr_shifted_columns/strip.hpp"
#include "backends/openmp/thread_parts.hpp"
#include "backends/openmp/with_isa.hpp"

namespace araia::host {

namespace {

constexpr std::int64_t pieces_a_thread = 8;  // at least, so that threads end together

template <class T>
void strip_by_isa(Isa isa, ShiftedStrip<T> const& strip) {
  with_isa(isa, [&]<Isa level>() { shifted_strip<level>(strip); });
}

template <class T>
std::int64_t strip_columns(Isa isa) {
  return with_isa(isa, [&]<Isa level>() { return shifted_strip_columns<level, T>(); });
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace

template <class T>
void csr_shifted_columns(ShiftedWeights<T> const& a, ShiftedOperands<T> const& b, int threads, Isa isa) {
  std::int64_t const columns = b.columns();
  if (a.rows == 0 || b.images == 0 || columns == 0) return;
  std::int64_t const most = strip_columns<T>(isa);
  std::int64_t const one_register = most / shifted_strip_registers;
  std::int64_t const width = ceil_div(ceil_div(columns, ceil_div(columns, most)), one_register) * one_register;
  std::int64_t const strips = ceil_div(columns, width);
  std::int64_t const nnz = a.row_offsets[a.rows];
  int const used = threads_with_work((nnz + a.rows) * columns * b.images, least_multiply_adds, threads);
  // Row chunks of alike numbers of entries, each row an entry more, for its sums.
  std::int64_t const chunks = used == 1 ? 1 : std::min(a.rows, ceil_div(pieces_a_thread * used, b.images * strips));
  auto const first_row_of = [&](std::int64_t chunk) {
    if (chunk == 0) return std::int64_t{0};
    if (chunk == chunks) return a.rows;
    std::int64_t const goal = (nnz + a.rows) * chunk / chunks;
    std::int64_t low = 0;
    std::int64_t high = a.rows;
    while (low < high) {
      std::int64_t const middle = (low + high) / 2;
      if (a.row_offsets[middle] + middle < goal) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  std::int64_t const pieces = b.images * strips * chunks;
  in_parts(used, [&](int part, int parts) {
    std::int64_t const last = pieces * (part + 1) / parts;
    for (std::int64_t piece = pieces * part / parts; piece < last; ++piece) {
      std::int64_t const strip = piece / chunks;
      std::int64_t const chunk = piece - strip * chunks;
      std::int64_t const first_column = strip % strips * width;
      strip_by_isa(isa, ShiftedStrip<T>{.a = a,
                                        .b = b,
                                        .image = strip / strips,
                                        .first_row = first_row_of(chunk),
                                        .last_row = first_row_of(chunk + 1),
                                        .first_column = first_column,
                                        .last_column = std::min(first_column + width, columns)});
    }
  });
}

[[gnu::used]] static void write_out_csr_shifted_columns() {
  using namespace detail;
  for_types<Reals>([]<class T>() { write_out(csr_shifted_columns<T>); });
}

}  // namespace araia::host
