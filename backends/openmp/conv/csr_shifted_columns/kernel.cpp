// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/openmp/conv/csr_shifted_columns/kernel.hpp"

#include <algorithm>
#include <araia/detail/formats/type_list.hpp>

#include "backends/openmp/conv/csr_shifted_columns/panel.hpp"
#include "backends/openmp/thread_chunks.hpp"
#include "backends/openmp/with_isa.hpp"

namespace araia::host {

namespace {

constexpr std::int64_t chunks_a_thread = 8;  // at least, so that threads end together

template <class T>
void panel_by_isa(Isa isa, ShiftedPanel<T> const& panel) {
  with_isa(isa, [&]<Isa level>() { shifted_panel<level>(panel); });
}

template <class T>
std::int64_t panel_columns(Isa isa) {
  return with_isa(isa, [&]<Isa level>() { return shifted_panel_columns<level, T>(); });
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace

template <class T>
void csr_shifted_columns(ShiftedWeights<T> const& a, ShiftedOperands<T> const& b, int threads, Isa isa) {
  std::int64_t const columns = b.columns();
  if (a.rows == 0 || b.images == 0 || columns == 0) return;
  std::int64_t const most = panel_columns<T>(isa);
  std::int64_t const one_register = most / shifted_panel_registers;
  std::int64_t const width = ceil_div(ceil_div(columns, ceil_div(columns, most)), one_register) * one_register;
  std::int64_t const panels = ceil_div(columns, width);
  std::int64_t const nnz = a.row_offsets[a.rows];
  int const used = threads_with_work((nnz + a.rows) * columns * b.images, least_multiply_adds, threads);
  // Row chunks of alike numbers of entries, each row an entry more, for its sums.
  std::int64_t const chunks = used == 1 ? 1 : std::min(a.rows, ceil_div(chunks_a_thread * used, b.images * panels));
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
  std::int64_t const units = b.images * panels * chunks;
  in_chunks(used, [&](int thread, int threads_used) {
    std::int64_t const last = units * (thread + 1) / threads_used;
    for (std::int64_t unit = units * thread / threads_used; unit < last; ++unit) {
      std::int64_t const panel = unit / chunks;
      std::int64_t const chunk = unit - panel * chunks;
      std::int64_t const first_column = panel % panels * width;
      panel_by_isa(isa, ShiftedPanel<T>{.a = a,
                                        .b = b,
                                        .image = panel / panels,
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
