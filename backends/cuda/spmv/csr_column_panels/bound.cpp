// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// csr/column_panels as plans bind it.
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/assembly/sum_before.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/extend/kernel.hpp>
#include "backends/cuda/lib/device_arrays.hpp"
#include "backends/cuda/lib/spmv_bindings.hpp"
#include "backends/cuda/spmv/csr_column_panels/descriptor.hpp"
#include "backends/cuda/spmv/csr_column_panels/kernel.hpp"

namespace araia::cuda {
namespace {

constexpr char const* panels_where = "araia::make_plan: csr/column_panels";

template <class T>
using PanelsWorkspace = Kokkos::View<T*, Kokkos::Cuda::device_type>;

/// A span between the halves of its packing.
template <class A, class Offset>
struct CutSpan {
  CsrPanelSpan<A> panels{};
  CsrPointers<A, std::int32_t, Offset> source{};  // its entries alone, with the values of all
  PanelsWorkspace<Offset> row_offsets{};          // of the source, unless it has all columns
  PanelsWorkspace<std::int32_t> col_indices{};
  // What the first half says of the second.
  std::int64_t lines = 0;
  std::int64_t units = 0;
  std::int64_t band_lines = 0;  // the most of a band

  [[nodiscard]] std::int64_t slots() const { return lines * csr_panel_line; }
  [[nodiscard]] std::int64_t buffer_doubles() const {
    CsrPanelShape const& s = panels.shape;
    return s.slots * band_lines * csr_panel_line * s.vector_bytes / static_cast<std::int64_t>(sizeof(double));
  }
  /// Of the arrays that the second half makes.
  [[nodiscard]] std::uint64_t bytes_to_fill() const {
    CsrPanelShape const& s = panels.shape;
    auto const of_units = static_cast<std::uint64_t>(units) * (1 + 32 / static_cast<unsigned>(s.vector_bytes));
    auto const workspace = static_cast<std::uint64_t>(buffer_doubles() + s.chunks) * sizeof(double) +
                           (2 * static_cast<std::uint64_t>(s.bands) + 1) * sizeof(std::uint32_t);
    return static_cast<std::uint64_t>(slots()) * (sizeof(A) + sizeof(std::uint16_t)) + of_units + workspace;
  }
};

template <class Spans>
std::uint64_t bytes_of_panels(DeviceArrays const& arrays, Spans const& spans) {
  std::uint64_t sum = arrays.bytes();
  for (auto const& span : spans) sum += span.bytes_to_fill();
  return sum;
}

}  // namespace

/// The entries of columns [first, first + columns) alone.
template <class A, class Offset>
static void select_columns(Kokkos::Cuda const& exec, CsrPointers<A, std::int32_t, Offset> const& a, std::int64_t first,
                           std::int64_t columns, CutSpan<A, Offset>& span, DeviceArrays& arrays) {
  using Range = detail::IndexRange<Kokkos::Cuda>;
  using Device = Kokkos::Cuda::device_type;
  auto const before = detail::new_array<std::int32_t, Device>(exec, "araia::csr_panels::before", a.nnz + 1);
  auto const in_span = KOKKOS_LAMBDA(std::int64_t k) {
    return a.col_indices[k] >= first && a.col_indices[k] < first + columns;
  };
  Kokkos::parallel_for(
      "araia::csr_panels::in_span", Range(exec, 0, a.nnz + 1),
      KOKKOS_LAMBDA(std::int64_t k) { before(k) = k < a.nnz && in_span(k) ? 1 : 0; });
  detail::sum_before(exec, before.data(), a.nnz + 1);
  std::int64_t const nnz = span.panels.nnz;
  span.row_offsets = detail::new_array<Offset, Device>(exec, "araia::csr_panels::row_offsets", a.rows + 1);
  span.col_indices = detail::new_array<std::int32_t, Device>(exec, "araia::csr_panels::col_indices", nnz);
  auto* const entries = arrays.make<std::int32_t>(exec, "entries", nnz);
  auto const offsets = span.row_offsets;
  auto const col_indices = span.col_indices;
  Kokkos::parallel_for(
      "araia::csr_panels::row_offsets", Range(exec, 0, a.rows + 1),
      KOKKOS_LAMBDA(std::int64_t row) { offsets(row) = static_cast<Offset>(before(a.row_offsets[row])); });
  Kokkos::parallel_for(
      "araia::csr_panels::select", Range(exec, 0, a.nnz), KOKKOS_LAMBDA(std::int64_t k) {
        if (!in_span(k)) return;
        col_indices(before(k)) = static_cast<std::int32_t>(a.col_indices[k] - first);
        entries[before(k)] = static_cast<std::int32_t>(k);
      });
  exec.fence("araia::csr_panels: places of entries are released");
  span.panels.entries = entries;
  span.source.cols = columns;
  span.source.nnz = nnz;
  span.source.row_offsets = offsets.data();
  span.source.col_indices = col_indices.data();
}

namespace {

/// First half of one span: structure without entries. Fences exec.
template <class A, class Offset>
void cut_span(Kokkos::Cuda const& exec, CsrPanelCut const& cut, CutSpan<A, Offset>& span, DeviceArrays& arrays) {
  auto& p = span.panels;
  CsrPanelShape const& s = p.shape = cut.shape;
  std::int64_t const pairs = std::int64_t{s.blocks} * s.bands;
  p.panel_columns = arrays.put(exec, "panel_columns", cut.panel_columns);
  p.first_rows = arrays.make<std::int32_t>(exec, "first_rows", s.chunks + 1);
  p.row_begins = arrays.make<std::uint16_t>(exec, "row_begins", p.rows);
  p.lines = arrays.make<std::int32_t>(exec, "lines", pairs + 1);
  p.slot_lines = arrays.make<std::int32_t>(exec, "slot_lines", pairs);
  p.band_lines = arrays.make<std::int32_t>(exec, "band_lines", std::int64_t{s.bands} + 1);
  p.chunk_units = arrays.make<std::int32_t>(exec, "chunk_units", s.chunks + 1);
  p.sources = arrays.make<std::uint32_t>(exec, "sources", s.chunks * s.panels);
  csr_panels_count(span.source, p, exec.cuda_stream());
  constexpr char const* reading = "araia::csr_panels: sizes of the packing";
  span.lines = detail::value_at(exec, reading, p.lines + pairs);
  span.units = detail::value_at(exec, reading, p.chunk_units + s.chunks);
  span.band_lines = detail::value_at(exec, reading, p.band_lines + s.bands);
}

/// First half of the packing, span by span; none without entries. Fences exec.
/// \throws araia::Error unsupported: more columns than the spans hold, a device before sm_80
template <class A, class Offset>
std::vector<CutSpan<A, Offset>> cut_panels(Kokkos::Cuda const& exec, CsrPointers<A, std::int32_t, Offset> const& a,
                                           int vector_bytes, DeviceArrays& arrays) {
  std::vector<CutSpan<A, Offset>> spans;
  if (a.nnz == 0) return spans;
  auto const bucket_count = static_cast<std::size_t>((a.cols - 1) / csr_panel_bucket + 1);
  PanelsWorkspace<std::int32_t> const buckets = detail::new_array<std::int32_t, Kokkos::Cuda::device_type>(
      exec, "araia::csr_panels::buckets", static_cast<std::int64_t>(bucket_count));
  detail::fill_array(exec, buckets, 0);
  csr_count_buckets(a, buckets.data(), exec.cuda_stream());
  std::vector<std::int32_t> counts(bucket_count);
  detail::copy_array(exec, Kokkos::View<std::int32_t*, Kokkos::HostSpace>(counts.data(), bucket_count), buckets);
  exec.fence("araia::csr_panels: entries of the columns");
  auto const cuts = choose_csr_panel_spans(counts, a.cols, vector_bytes, csr_panel_device());
  if (cuts.empty())
    throw Error(ErrorKind::unsupported, std::string(panels_where) + ": " + std::to_string(a.cols) + " columns of " +
                                            std::to_string(vector_bytes) + " bytes, expected fewer than " +
                                            std::to_string(csr_panel_most_spans) +
                                            " times what the shared memory of the device holds");
  auto const* const order = arrays.copy(exec, "row_permutation", a.row_permutation, a.rows);
  for (auto const& cut : cuts) {
    CutSpan<A, Offset> span;
    span.source = a;
    span.panels.rows = a.rows;
    span.panels.nnz = cut.nnz;
    span.panels.first_column = cut.first_column;
    span.panels.row_permutation = order;
    if (cut.nnz != a.nnz || cut.columns != a.cols) select_columns(exec, a, cut.first_column, cut.columns, span, arrays);
    cut_span(exec, cut.cut, span, arrays);
    spans.push_back(std::move(span));
  }
  return spans;
}

/// Second half of one span.
template <class A, class Offset>
void fill_span(Kokkos::Cuda const& exec, CutSpan<A, Offset>& span, DeviceArrays& arrays) {
  auto& p = span.panels;
  CsrPanelShape const& s = p.shape;
  p.values = arrays.zeros<A>(exec, "values", span.slots());
  p.columns = arrays.zeros<std::uint16_t>(exec, "columns", span.slots());
  p.unit_panels = arrays.make<std::uint8_t>(exec, "unit_panels", span.units);
  p.positions = arrays.make<std::uint16_t>(exec, "positions", span.units * (16 / s.vector_bytes));
  p.buffer = arrays.make<double>(exec, "buffer", span.buffer_doubles());
  p.carries = arrays.make<double>(exec, "carries", s.chunks);
  p.done = arrays.zeros<std::uint32_t>(exec, "done", 2 * std::int64_t{s.bands} + 1);
  csr_panels_fill(span.source, p, exec.cuda_stream());
}

/// Spans each add alpha times their sum to y: an infinite alpha makes NaN of rows that one of them has no entry of.
template <class Own>
class BoundPanels final : public Own {
 public:
  using Source = typename Own::Source;
  using Sum = typename Own::Sum;
  using A = typename Source::pointers_type::value_type;

  BoundPanels(Kokkos::Cuda const& exec, Source const& source, std::uint64_t memory_limit) {
    auto cut = cut_panels(exec, source.pointers(), static_cast<int>(sizeof(Sum)), arrays_);
    detail::require_memory(panels_where, bytes_of_panels(arrays_, cut), memory_limit);
    for (auto& span : cut) {
      fill_span(exec, span, arrays_);
      slots_.push_back(span.slots());
      spans_.push_back(span.panels);
    }
    exec.fence("araia::csr_panels: the sources of spans are released");
  }

  void run(Kokkos::Cuda const& exec, Sum alpha, typename Own::Operand const& x, Sum beta,
           typename Own::Result const& y) const override {
    for (auto const& span : spans_) {
      csr_spmv_column_panels(span, alpha, x.data + span.first_column, beta, y.data, exec.cuda_stream());
      beta = Sum{1};  // the next one adds to what this one wrote
    }
  }
  void update_values(Kokkos::Cuda const& exec, Source const& source) override {
    for (auto const& span : spans_) csr_panels_fill_values(source.pointers(), span, exec.cuda_stream());
  }
  [[nodiscard]] std::uint64_t bytes() const override { return arrays_.bytes(); }
  /// The values of the first span; slots of all.
  [[nodiscard]] BoundValues values() const override {
    if (spans_.empty()) return {};
    return {spans_.front().values, static_cast<std::uint64_t>(slots_.front()) * sizeof(A),
            std::accumulate(slots_.begin(), slots_.end(), std::int64_t{0})};
  }

 private:
  DeviceArrays arrays_{"araia::csr_panels::"};
  std::vector<CsrPanelSpan<A>> spans_;  // at most csr_panel_most_spans
  std::vector<std::int64_t> slots_;     // of each
};

}  // namespace

[[gnu::used]] static void write_out_bound_panels() { write_out_spmv_bindings<kernels::CsrColumnPanelsSpmv>(); }

}  // namespace araia::cuda

namespace araia::kernels {

template <detail::RealBound Bound, class Exec, class Source, class Options>
std::shared_ptr<Bound> CsrColumnPanelsSpmv::bind(Exec const& exec, Source const& source, Choice const&,
                                                 Options const& options) {
  return std::make_shared<cuda::BoundPanels<Bound>>(exec, source, options.memory_limit);
}

template <detail::RealBound Bound, class Exec, class Source, class Options>
Footprint CsrColumnPanelsSpmv::count(Exec const& exec, Source const& source, Choice const&, Options const&) {
  cuda::DeviceArrays arrays("araia::csr_panels::");
  auto const cut = cuda::cut_panels(exec, source.pointers(), static_cast<int>(sizeof(typename Bound::Sum)), arrays);
  Footprint all{.bytes = cuda::bytes_of_panels(arrays, cut), .exact = true};
  for (auto const& span : cut) all.slots += span.slots();
  return all;
}

}  // namespace araia::kernels
