// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/openmp/spmm/csr_copied_columns/kernel.hpp"

#include <araia/detail/formats/type_list.hpp>

#include <algorithm>
#include <cstring>

#include "backends/openmp/csr_spmm_host.hpp"
#include "backends/openmp/prefetch.hpp"
#include "backends/openmp/thread_chunks.hpp"

namespace araia::host {

namespace {

constexpr std::int64_t line = 64;  // bytes
constexpr std::int64_t most_lines = 2;

// A panel shares the last-level cache with A and C on their way: it has two lines a row where they take up to half of
// it, else one. Where even B takes no more, panels do not pay. docs/lab/host_kernels.md has what was measured.
constexpr std::int64_t part_of_cache = 2;

// Rows of B that copying prefetches ahead: each lies on a page of its own where B is wide.
constexpr std::int64_t rows_ahead = 16;

/// Rows [first, last) of B, side by side from `to` on, each `stride` scalars.
template <class X>
void copy_rows(DenseMatrix<X const> const& b, std::int64_t first, std::int64_t last, X* to, std::int64_t stride) {
  if (b.column_stride == 1) {
    auto const bytes = static_cast<std::size_t>(b.columns) * sizeof(X);
    std::int64_t const ahead = rows_ahead * b.row_stride * static_cast<std::int64_t>(sizeof(X));
    X const* from = b.data + first * b.row_stride;
    for (std::int64_t i = first; i < last; ++i, from += b.row_stride) {
      for (std::int64_t at = 0; at < most_lines * line; at += line) prefetch<Into::l1>(from, ahead + at);
      std::memcpy(to + i * stride, from, bytes);
    }
    return;
  }
  // Columns that lie along memory are read in chunks of some lines; rows that meet in the panel are written together.
  constexpr std::int64_t chunk = 64;
  for (std::int64_t i = first; i < last; i += chunk) {
    std::int64_t const end = std::min(i + chunk, last);
    for (std::int64_t j = 0; j < b.columns; ++j) {
      X const* const from = b.data + j * b.column_stride;
      for (std::int64_t row = i; row < end; ++row) to[row * stride + j] = from[row * b.row_stride];
    }
  }
}

/// Columns from `first` on of what an epilogue reads.
template <class X>
EpiloguePointers<X> columns_from(EpiloguePointers<X> epilogue, std::int64_t first) {
  if (epilogue.column_bias) epilogue.column_bias += first * epilogue.column_bias_stride;
  if (epilogue.residual) epilogue.residual += first * epilogue.residual_column_stride;
  return epilogue;
}

template <class X>
DenseMatrix<X> columns_of(DenseMatrix<X> m, std::int64_t first, std::int64_t count) {
  m.data += first * m.column_stride;
  m.columns = count;
  return m;
}

}  // namespace

std::optional<CopiedColumnsShape> copied_columns_shape(std::int64_t cols, std::int64_t nnz, std::int64_t columns,
                                                       int scalar_bytes, Caches const& of) {
  if (cols < 1 || nnz < 1 || columns < 1) return {};
  std::int64_t const all = (columns * scalar_bytes + line - 1) / line;
  CopiedColumnsShape shape{.lines = static_cast<int>(std::min(all, most_lines))};
  std::int64_t const most = of.last / part_of_cache;
  if (cols * shape.lines * line > most) shape.lines = 1;
  shape.panels = (all + shape.lines - 1) / shape.lines;
  shape.pays = cols * shape.lines * line <= most && cols * all * line > most;
  // Of a line that an entry reads, and of one that is copied: Zen 4.
  constexpr double of_line = 2e-9;
  constexpr double of_copy = 4e-9;
  shape.seconds = static_cast<double>(all) * (static_cast<double>(nnz) * of_line + static_cast<double>(cols) * of_copy);
  return shape;
}

std::int64_t copied_columns_workspace(std::int64_t cols, int lines, int scalar_bytes) {
  return cols * lines * line / scalar_bytes;
}

template <class Scalar, class Offset>
void copied_columns_spmm(CsrPointers<Scalar, std::int32_t, Offset> const& a, int lines, Scalar* workspace, Scalar alpha,
                         DenseBatch<Scalar const> const& b, Scalar beta, DenseBatch<Scalar> const& c,
                         EpiloguePointers<Scalar> const& epilogue, int threads, Isa isa) {
  auto const bytes = static_cast<std::int64_t>(sizeof(Scalar));
  std::int64_t const width = lines * line / bytes;
  std::int64_t const copied = a.cols * width;
  for (std::int64_t item = 0; item < c.count; ++item) {
    auto const of_item = epilogue.item(item);
    for (std::int64_t first = 0; first < c.first.columns; first += width) {
      std::int64_t const count = std::min(width, c.first.columns - first);
      auto const panel = columns_of(b.item(item), first, count);
      if (alpha != Scalar(0))
        in_chunks(threads_with_work(copied, least_multiply_adds, threads), [&](int chunk, int chunks) {
          copy_rows(panel, a.cols * chunk / chunks, a.cols * (chunk + 1) / chunks, workspace, width);
        });
      DenseMatrix<Scalar const> const from{workspace, a.cols, count, width, 1};
      csr_spmm<Scalar, Scalar, Scalar, Offset>(a, alpha, DenseBatch<Scalar const>{from}, beta,
                                               DenseBatch<Scalar>{columns_of(c.item(item), first, count)},
                                               columns_from(of_item, first), threads, nullptr, isa);
    }
  }
}

[[gnu::used]] static void write_out_copied_columns_spmm() {
  using namespace detail;
  for_types<Reals, AllOffsets>([]<class Scalar, class Offset>() { write_out(copied_columns_spmm<Scalar, Offset>); });
}

}  // namespace araia::host
