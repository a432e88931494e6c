// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/spmm/csr_padded_rows/packing.hpp"

#include <algorithm>
#include <araia/detail/formats/type_list.hpp>
#include <araia/error.hpp>
#include <limits>
#include <numeric>
#include <string>

#include "backends/cuda/csr_spmm_row_per_warp.hpp"

namespace araia::cuda {

template <class T, class Offset>
PaddedRows<T> padded_rows(CsrPointers<T, std::int32_t, Offset> const& a, bool keep_sources) {
  PaddedRows<T> out{a.rows, a.cols, a.nnz, {0}, {}, {}, {}};
  out.row_offsets.reserve(static_cast<std::size_t>(a.rows) + 1);
  std::int64_t stored = 0;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    auto const length = static_cast<std::int64_t>(a.row_offsets[i + 1] - a.row_offsets[i]);
    stored += (length + padded_entries - 1) / padded_entries * padded_entries;
    if (stored > std::numeric_limits<std::int32_t>::max() - row_look_ahead)
      throw Error(ErrorKind::resource_limit, "araia: padded_rows: more padded entries than 32 bits count");
    out.row_offsets.push_back(static_cast<std::int32_t>(stored));
  }
  out.col_indices.assign(static_cast<std::size_t>(stored), -1);
  out.values.assign(static_cast<std::size_t>(stored), T{});
  if (keep_sources) out.sources.assign(static_cast<std::size_t>(stored), -1);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    auto const to = out.row_offsets[static_cast<std::size_t>(i)];
    auto const first = a.row_offsets[i];
    auto const count = a.row_offsets[i + 1] - first;
    std::copy_n(a.col_indices + first, count, out.col_indices.begin() + to);
    if (a.values)
      std::copy_n(a.values + first, count, out.values.begin() + to);
    else
      std::fill_n(out.values.begin() + to, count, T{1});
    if (keep_sources)
      std::iota(out.sources.begin() + to, out.sources.begin() + to + count, static_cast<std::int32_t>(first));
  }
  return out;
}

[[gnu::used]] static void write_out_padded_rows() {
  using namespace araia::detail;
  for_types<AllReals, AllOffsets>([&]<class T, class F>() { write_out(padded_rows<T, F>); });
}

}  // namespace araia::cuda
