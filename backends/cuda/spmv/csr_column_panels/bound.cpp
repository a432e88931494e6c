// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packs a Csr for csr/column_panels, alone and for plans.

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/assembly/sum_before.hpp>
#include <araia/detail/dispatch/cuda_csr_panels.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <string>
#include <vector>

#include "backends/cuda/lib/bound_packing.hpp"
#include "backends/cuda/spmv/csr_column_panels/descriptor.hpp"
#include "backends/cuda/spmv/csr_column_panels/kernel.hpp"
#include "src/dispatch/cuda_arrays.hpp"

namespace araia::detail {
namespace {

constexpr char const* panels_where = "araia::csr_to_panels";

/// Entry `at` of an array on the device. Fences exec.
template <class T>
T last_of(Kokkos::Cuda const& exec, CudaArray<T> const& array, std::int64_t at) {
  return value_at(exec, "araia::csr_to_panels: sizes of the packing", array.data() + at);
}

/// What the first half of the packing says of the second.
struct PanelSizes {
  std::int64_t lines = 0;
  std::int64_t units = 0;
  std::int64_t band_lines = 0;  // the most of a band

  /// Bytes of the arrays that the second half makes.
  [[nodiscard]] std::uint64_t bytes(CsrPanelShape const& s, std::size_t value_bytes) const {
    auto const entries = static_cast<std::uint64_t>(lines) * cuda::csr_panel_line;
    auto const of_units = static_cast<std::uint64_t>(units) * (1 + 32 / static_cast<unsigned>(s.vector_bytes));
    auto const workspace = static_cast<std::uint64_t>(buffer_doubles(s) + s.chunks) * sizeof(double) +
                           (2 * static_cast<std::uint64_t>(s.bands) + 1) * sizeof(std::uint32_t);
    return entries * (value_bytes + sizeof(std::uint16_t)) + of_units + workspace;
  }
  [[nodiscard]] std::int64_t buffer_doubles(CsrPanelShape const& s) const {
    return s.slots * band_lines * cuda::csr_panel_line * s.vector_bytes / static_cast<std::int64_t>(sizeof(double));
  }
};

/// A span between the halves of its packing.
template <class Scalar, class Offset>
struct Span {
  CsrPanelSpanArrays<Scalar> arrays;
  CsrPointers<Scalar, std::int32_t, Offset> source;  // its entries alone, with the values of all
  CudaArray<Offset> row_offsets{};                   // of the source, unless it has all columns
  CudaArray<std::int32_t> col_indices{};
  PanelSizes sizes{};

  /// What both halves take.
  [[nodiscard]] std::uint64_t bytes() const { return arrays.bytes() + sizes.bytes(arrays.shape, sizeof(Scalar)); }
  /// For the packing, which rows' order does not concern.
  [[nodiscard]] CsrPanelSpan<Scalar> pointers() const { return arrays.pointers(source.rows, nullptr); }
};

}  // namespace

/// The entries of columns [first, first + columns) alone.
template <class Scalar, class Offset>
static void select_columns(Kokkos::Cuda const& exec, CsrPointers<Scalar, std::int32_t, Offset> const& a,
                           std::int64_t first, std::int64_t columns, Span<Scalar, Offset>& span) {
  using Range = IndexRange<Kokkos::Cuda>;
  auto const before = cuda_array<std::int32_t>(exec, "araia::csr_to_panels::before", a.nnz + 1);
  auto const in_span = KOKKOS_LAMBDA(std::int64_t k) {
    return a.col_indices[k] >= first && a.col_indices[k] < first + columns;
  };
  Kokkos::parallel_for(
      "araia::csr_to_panels::in_span", Range(exec, 0, a.nnz + 1),
      KOKKOS_LAMBDA(std::int64_t k) { before(k) = k < a.nnz && in_span(k) ? 1 : 0; });
  sum_before(exec, before.data(), a.nnz + 1);
  span.row_offsets = cuda_array<Offset>(exec, "araia::csr_to_panels::row_offsets", a.rows + 1);
  span.col_indices = cuda_array<std::int32_t>(exec, "araia::csr_to_panels::col_indices", span.arrays.nnz);
  span.arrays.entries = cuda_array<std::int32_t>(exec, "araia::csr_panels::entries", span.arrays.nnz);
  auto const offsets = span.row_offsets;
  auto const col_indices = span.col_indices;
  auto const entries = span.arrays.entries;
  Kokkos::parallel_for(
      "araia::csr_to_panels::row_offsets", Range(exec, 0, a.rows + 1),
      KOKKOS_LAMBDA(std::int64_t row) { offsets(row) = static_cast<Offset>(before(a.row_offsets[row])); });
  Kokkos::parallel_for(
      "araia::csr_to_panels::select", Range(exec, 0, a.nnz), KOKKOS_LAMBDA(std::int64_t k) {
        if (!in_span(k)) return;
        col_indices(before(k)) = static_cast<std::int32_t>(a.col_indices[k] - first);
        entries(before(k)) = static_cast<std::int32_t>(k);
      });
  exec.fence("araia::csr_to_panels: places of entries are released");
  span.source.cols = columns;
  span.source.nnz = span.arrays.nnz;
  span.source.row_offsets = offsets.data();
  span.source.col_indices = col_indices.data();
}

namespace {

/// First half of one span: shape and structure without entries. Fences exec.
template <class Scalar, class Offset>
void cut_span(Kokkos::Cuda const& exec, cuda::CsrPanelCut const& cut, Span<Scalar, Offset>& span) {
  auto& packed = span.arrays;
  CsrPanelShape const& s = packed.shape = cut.shape;
  std::int64_t const pairs = std::int64_t{s.blocks} * s.bands;
  packed.panel_columns = cuda_array<std::int32_t>(exec, "araia::csr_panels::panel_columns", s.panels + 1);
  packed.first_rows = cuda_array<std::int32_t>(exec, "araia::csr_panels::first_rows", s.chunks + 1);
  packed.row_begins = cuda_array<std::uint16_t>(exec, "araia::csr_panels::row_begins", span.source.rows);
  packed.lines = cuda_array<std::int32_t>(exec, "araia::csr_panels::lines", pairs + 1);
  packed.slot_lines = cuda_array<std::int32_t>(exec, "araia::csr_panels::slot_lines", pairs);
  packed.band_lines = cuda_array<std::int32_t>(exec, "araia::csr_panels::band_lines", s.bands + 1);
  packed.chunk_units = cuda_array<std::int32_t>(exec, "araia::csr_panels::chunk_units", s.chunks + 1);
  packed.sources = cuda_array<std::uint32_t>(exec, "araia::csr_panels::sources", s.chunks * s.panels);
  copy_array(exec, packed.panel_columns,
             Kokkos::View<std::int32_t const*, Kokkos::HostSpace>(cut.panel_columns.data(), cut.panel_columns.size()));
  cuda::csr_panels_count(span.source, span.pointers(), exec.cuda_stream());
  span.sizes = {last_of(exec, packed.lines, pairs), last_of(exec, packed.chunk_units, s.chunks),
                last_of(exec, packed.band_lines, s.bands)};
}

/// First half of the packing, span by span. Refuses what goes beyond the limit, if there is one, without padding yet.
/// Fences exec.
template <class Scalar, class Offset>
std::vector<Span<Scalar, Offset>> cut_panels(Kokkos::Cuda const& exec,
                                             CsrPointers<Scalar, std::int32_t, Offset> const& a, int vector_bytes,
                                             std::uint64_t memory_limit) {
  if (!a.values) throw Error(ErrorKind::unsupported, std::string(panels_where) + ": a matrix without values");
  require_fits<std::int32_t>("araia::csr_to_panels: number of entries", a.nnz);
  auto const bucket_count = (a.cols - 1) / cuda::csr_panel_bucket + 1;
  auto const buckets = cuda_array<std::int32_t>(exec, "araia::csr_panels::buckets", bucket_count);
  fill_array(exec, buckets, 0);
  cuda::csr_count_buckets(a, buckets.data(), exec.cuda_stream());
  std::vector<std::int32_t> counts(static_cast<std::size_t>(bucket_count));
  copy_array(exec, Kokkos::View<std::int32_t*, Kokkos::HostSpace>(counts.data(), counts.size()), buckets);
  exec.fence("araia::csr_to_panels: entries of the columns");
  auto const cuts = cuda::choose_csr_panel_spans(counts, a.cols, vector_bytes, cuda::csr_panel_device());
  if (cuts.empty())
    throw Error(ErrorKind::unsupported, std::string(panels_where) + ": " + std::to_string(a.cols) + " columns of " +
                                            std::to_string(vector_bytes) + " bytes, expected fewer than " +
                                            std::to_string(csr_panel_most_spans) +
                                            " times what the shared memory of the device holds");
  std::uint64_t const entry = sizeof(Scalar) + 2 * sizeof(std::uint16_t) + (cuts.size() > 1 ? sizeof(std::int32_t) : 0);
  if (memory_limit != 0) require_memory(panels_where, static_cast<std::uint64_t>(a.nnz) * entry, memory_limit);
  std::vector<Span<Scalar, Offset>> spans;
  for (auto const& cut : cuts) {
    Span<Scalar, Offset> span{.arrays = {.first_column = cut.first_column, .nnz = cut.nnz}, .source = a};
    if (cut.nnz != a.nnz || cut.columns != a.cols) select_columns(exec, a, cut.first_column, cut.columns, span);
    cut_span(exec, cut.cut, span);
    spans.push_back(std::move(span));
  }
  return spans;
}

/// Second half of one span.
template <class Scalar, class Offset>
void fill_span(Kokkos::Cuda const& exec, Span<Scalar, Offset>& span) {
  auto& packed = span.arrays;
  CsrPanelShape const& s = packed.shape;
  PanelSizes const& sizes = span.sizes;
  packed.values = cuda_array<Scalar>(exec, "araia::csr_panels::values", sizes.lines * cuda::csr_panel_line);
  packed.columns = cuda_array<std::uint16_t>(exec, "araia::csr_panels::columns", sizes.lines * cuda::csr_panel_line);
  packed.unit_panels = cuda_array<std::uint8_t>(exec, "araia::csr_panels::unit_panels", sizes.units);
  packed.positions =
      cuda_array<std::uint16_t>(exec, "araia::csr_panels::positions", sizes.units * (16 / s.vector_bytes));
  packed.buffer = cuda_array<double>(exec, "araia::csr_panels::buffer", sizes.buffer_doubles(s));
  packed.carries = cuda_array<double>(exec, "araia::csr_panels::carries", s.chunks);
  packed.done = cuda_array<std::uint32_t>(exec, "araia::csr_panels::done", 2 * std::int64_t{s.bands} + 1);
  fill_array(exec, packed.values, Scalar{});
  fill_array(exec, packed.columns, 0);
  fill_array(exec, packed.done, 0);
  cuda::csr_panels_fill(span.source, span.pointers(), exec.cuda_stream());
}

template <class Scalar>
int vector_bytes_of(CsrPanelsOptions const& options) {
  int const bytes = options.vector_bytes == 0 ? static_cast<int>(sizeof(Scalar)) : options.vector_bytes;
  if ((bytes != 4 && bytes != 8) || bytes < static_cast<int>(sizeof(Scalar)))
    throw Error(ErrorKind::invalid_argument, std::string(panels_where) + ": vector_bytes is " + std::to_string(bytes) +
                                                 ", expected 0, 4 or 8, and no less than the " +
                                                 std::to_string(sizeof(Scalar)) + " of a value");
  return bytes;
}

}  // namespace

template <class Scalar, class Offset>
CsrPanels<Scalar> pack_panels(Kokkos::Cuda const& exec, CsrPointers<Scalar, std::int32_t, Offset> const& a,
                              CsrPanelsOptions const& options) {
  int const vector_bytes = vector_bytes_of<Scalar>(options);
  CsrPanels<Scalar> packed{.rows = a.rows, .cols = a.cols, .nnz = a.nnz};
  if (a.nnz == 0) return packed;
  auto spans = cut_panels(exec, a, vector_bytes, options.memory_limit);
  std::uint64_t bytes = permutation_bytes(a.row_permutation, a.rows);
  for (auto const& span : spans) bytes += span.bytes();
  if (options.memory_limit != 0) require_memory(panels_where, bytes, options.memory_limit);
  packed.row_permutation = copy_of_permutation(exec, "araia::csr_panels::row_permutation", a.row_permutation, a.rows);
  for (auto& span : spans) {
    fill_span(exec, span);
    packed.spans.push_back(span.arrays);
  }
  exec.fence("araia::csr_to_panels: the sources of spans are released");
  return packed;
}

template <class Scalar, class Offset>
CsrPanelsSize count_panels(Kokkos::Cuda const& exec, CsrPointers<Scalar, std::int32_t, Offset> const& a,
                           CsrPanelsOptions const& options) {
  int const vector_bytes = vector_bytes_of<Scalar>(options);
  CsrPanelsSize size;
  if (a.nnz == 0) return size;
  size.bytes = permutation_bytes(a.row_permutation, a.rows);
  for (auto const& span : cut_panels(exec, a, vector_bytes, 0)) {
    size.bytes += span.bytes();
    size.stored += span.sizes.lines * cuda::csr_panel_line;
  }
  return size;
}

template <class Scalar, class Offset>
void fill_panels(Kokkos::Cuda const& exec, CsrPanels<Scalar> const& packed,
                 CsrPointers<Scalar, std::int32_t, Offset> const& a) {
  if (packed.rows != a.rows || packed.cols != a.cols || packed.nnz != a.nnz || (a.nnz != 0 && !a.values))
    throw Error(ErrorKind::dimension_mismatch,
                "araia::update_values: A is not of the structure that the CsrPanels were made from");
  auto const p = packed.pointers();
  for (int i = 0; i < p.span_count; ++i) cuda::csr_panels_fill_values(a, p.spans[i], exec.cuda_stream());
}

template <class A>
template <class X>
void PackedSpmv<CsrPanelsPointers<A>>::run(Pointers const& a, X alpha, X const* x, X beta, X* y, cudaStream_t stream) {
  for (int i = 0; i < a.span_count; ++i)  // each adds to what the ones before wrote
    cuda::csr_spmv_column_panels(a.spans[i], alpha, x + a.spans[i].first_column, i == 0 ? beta : X{1}, y, stream);
}

template <class Own>
static CsrPanelsOptions panels_options(std::uint64_t memory_limit) {
  CsrPanelsOptions options;
  options.vector_bytes = BoundPackingOf<Own>::vector_bytes;
  options.memory_limit = memory_limit;
  return options;
}

[[gnu::used]] static void write_out_cuda_panels() {
  for_types<RealProducts>(
      [&]<class A, class X, class Y>() { write_out(PackedSpmv<CsrPanelsPointers<A>>::template run<X>); });
  for_types<Reals, AllOffsets>([&]<class A, class F>() {
    write_out(pack_panels<A, F>);
    write_out(count_panels<A, F>);
    write_out(fill_panels<A, F>);
  });
  write_out_bindings<kernels::CsrColumnPanelsSpmv>();
}

}  // namespace araia::detail

namespace araia::kernels {

template <detail::RealBound Bound, class Exec, class Source, class Options>
std::shared_ptr<Bound> CsrColumnPanelsSpmv::bind(Exec const& exec, Source const& source, Choice const&,
                                                 Options const& options) {
  return detail::BoundPackingOf<Bound>::of(
      csr_to_panels(exec, source, detail::panels_options<Bound>(options.memory_limit)));
}

template <detail::RealBound Bound, class Exec, class Source, class Options>
Footprint CsrColumnPanelsSpmv::count(Exec const& exec, Source const& source, Choice const&, Options const& options) {
  auto const size = detail::count_panels(exec, source.pointers(), detail::panels_options<Bound>(options.memory_limit));
  return {.bytes = size.bytes, .slots = size.stored, .exact = true};
}

}  // namespace araia::kernels
