// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <araia/assembly/checked.hpp>
#include <araia/dispatch/cuda_csr_panels.hpp>
#include <araia/formats/conversion_steps.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "backends/cuda/csr_gathered_lines.hpp"
#include "backends/cuda/csr_spmv_column_panels.hpp"

namespace araia::detail {
namespace {

constexpr char const* where = "araia::csr_to_panels";

/// Entry `at` of an array on the device. Fences exec.
template <class T>
T last_of(Kokkos::Cuda const& exec, Kokkos::View<T*, Kokkos::Cuda::device_type> const& array, std::int64_t at) {
  T value{};
  Kokkos::deep_copy(exec, value, Kokkos::subview(array, static_cast<std::size_t>(at)));
  exec.fence("araia::csr_to_panels: sizes of the packing");
  return value;
}

/// What the first half of the packing says of the second.
struct Sizes {
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

/// First half: shape and structure without entries. Fences exec.
template <class Scalar, class Offset>
Sizes cut_panels(Kokkos::Cuda const& exec, CsrPointers<Scalar, std::int32_t, Offset> const& a, int vector_bytes,
                 CsrPanels<Scalar>& packed) {
  if (!a.values) throw Error(ErrorKind::unsupported, std::string(where) + ": a matrix without values");
  require_fits<std::int32_t>("araia::csr_to_panels: number of entries", a.nnz);
  auto const bucket_count = (a.cols - 1) / cuda::csr_panel_bucket + 1;
  auto const buckets =
      new_array<std::int32_t, Kokkos::Cuda::device_type>(exec, "araia::csr_panels::buckets", bucket_count);
  Kokkos::deep_copy(exec, buckets, 0);
  cuda::csr_count_buckets(a, buckets.data(), exec.cuda_stream());
  std::vector<std::int32_t> counts(static_cast<std::size_t>(bucket_count));
  Kokkos::deep_copy(exec, Kokkos::View<std::int32_t*, Kokkos::HostSpace>(counts.data(), counts.size()), buckets);
  exec.fence("araia::csr_to_panels: entries of the columns");
  auto const cut = cuda::choose_csr_panels(counts, a.cols, a.nnz, vector_bytes, cuda::csr_panel_device());
  if (cut.shape.blocks == 0)
    throw Error(ErrorKind::unsupported, std::string(where) + ": " + std::to_string(a.cols) + " columns of " +
                                            std::to_string(vector_bytes) +
                                            " bytes, expected fewer than the shared memory of the device holds");
  CsrPanelShape const& s = packed.shape = cut.shape;
  std::int64_t const pairs = std::int64_t{s.blocks} * s.bands;
  packed.panel_columns =
      new_array<std::int32_t, Kokkos::Cuda::device_type>(exec, "araia::csr_panels::panel_columns", s.panels + 1);
  packed.first_rows =
      new_array<std::int32_t, Kokkos::Cuda::device_type>(exec, "araia::csr_panels::first_rows", s.chunks + 1);
  packed.row_begins =
      new_array<std::uint16_t, Kokkos::Cuda::device_type>(exec, "araia::csr_panels::row_begins", a.rows);
  packed.lines = new_array<std::int32_t, Kokkos::Cuda::device_type>(exec, "araia::csr_panels::lines", pairs + 1);
  packed.slot_lines = new_array<std::int32_t, Kokkos::Cuda::device_type>(exec, "araia::csr_panels::slot_lines", pairs);
  packed.band_lines =
      new_array<std::int32_t, Kokkos::Cuda::device_type>(exec, "araia::csr_panels::band_lines", s.bands + 1);
  packed.chunk_units =
      new_array<std::int32_t, Kokkos::Cuda::device_type>(exec, "araia::csr_panels::chunk_units", s.chunks + 1);
  packed.sources =
      new_array<std::uint32_t, Kokkos::Cuda::device_type>(exec, "araia::csr_panels::sources", s.chunks * s.panels);
  Kokkos::deep_copy(
      exec, packed.panel_columns,
      Kokkos::View<std::int32_t const*, Kokkos::HostSpace>(cut.panel_columns.data(), cut.panel_columns.size()));
  cuda::csr_panels_count(a, packed.pointers(), exec.cuda_stream());
  return {last_of(exec, packed.lines, pairs), last_of(exec, packed.chunk_units, s.chunks),
          last_of(exec, packed.band_lines, s.bands)};
}

template <class Scalar>
int vector_bytes_of(CsrPanelsOptions const& options) {
  int const bytes = options.vector_bytes == 0 ? static_cast<int>(sizeof(Scalar)) : options.vector_bytes;
  if (bytes != 4 && bytes != 8)
    throw Error(ErrorKind::invalid_argument,
                std::string(where) + ": vector_bytes is " + std::to_string(bytes) + ", expected 0, 4 or 8");
  return bytes;
}

}  // namespace

template <class Scalar, class Offset>
CsrPanels<Scalar> pack_panels(Kokkos::Cuda const& exec, CsrPointers<Scalar, std::int32_t, Offset> const& a,
                              Kokkos::View<std::int32_t const*, Kokkos::Cuda::device_type> const& row_permutation,
                              CsrPanelsOptions const& options) {
  int const vector_bytes = vector_bytes_of<Scalar>(options);
  CsrPanels<Scalar> packed{.rows = a.rows, .cols = a.cols, .nnz = a.nnz};
  if (a.nnz == 0) return packed;
  Sizes const sizes = cut_panels(exec, a, vector_bytes, packed);
  CsrPanelShape const& s = packed.shape;
  packed.row_permutation = row_permutation;
  if (options.memory_limit != 0)
    require_memory(where, packed.bytes() + sizes.bytes(s, sizeof(Scalar)), options.memory_limit);
  packed.values = new_array<Scalar, Kokkos::Cuda::device_type>(exec, "araia::csr_panels::values",
                                                               sizes.lines * cuda::csr_panel_line);
  packed.columns = new_array<std::uint16_t, Kokkos::Cuda::device_type>(exec, "araia::csr_panels::columns",
                                                                       sizes.lines * cuda::csr_panel_line);
  packed.unit_panels =
      new_array<std::uint8_t, Kokkos::Cuda::device_type>(exec, "araia::csr_panels::unit_panels", sizes.units);
  packed.positions = new_array<std::uint16_t, Kokkos::Cuda::device_type>(exec, "araia::csr_panels::positions",
                                                                         sizes.units * (16 / s.vector_bytes));
  packed.buffer =
      new_array<double, Kokkos::Cuda::device_type>(exec, "araia::csr_panels::buffer", sizes.buffer_doubles(s));
  packed.carries = new_array<double, Kokkos::Cuda::device_type>(exec, "araia::csr_panels::carries", s.chunks);
  packed.done = new_array<std::uint32_t, Kokkos::Cuda::device_type>(exec, "araia::csr_panels::done",
                                                                    2 * std::int64_t{s.bands} + 1);
  Kokkos::deep_copy(exec, packed.values, Scalar{});
  Kokkos::deep_copy(exec, packed.columns, std::uint16_t{0});
  Kokkos::deep_copy(exec, packed.done, std::uint32_t{0});
  cuda::csr_panels_fill(a, packed.pointers(), exec.cuda_stream());
  return packed;
}

template <class Scalar, class Offset>
CsrPanelsSize count_panels(Kokkos::Cuda const& exec, CsrPointers<Scalar, std::int32_t, Offset> const& a,
                           CsrPanelsOptions const& options) {
  CsrPanels<Scalar> packed{.rows = a.rows, .cols = a.cols, .nnz = a.nnz};
  int const vector_bytes = vector_bytes_of<Scalar>(options);
  if (a.nnz == 0) return {};
  Sizes const sizes = cut_panels(exec, a, vector_bytes, packed);
  std::uint64_t const permutation =
      a.row_permutation ? static_cast<std::uint64_t>(a.rows) * sizeof(std::int32_t) : std::uint64_t{0};
  return {packed.bytes() + sizes.bytes(packed.shape, sizeof(Scalar)) + permutation, sizes.lines * cuda::csr_panel_line};
}

template <class Scalar, class Offset>
void fill_panels(Kokkos::Cuda const& exec, CsrPanels<Scalar> const& packed,
                 CsrPointers<Scalar, std::int32_t, Offset> const& a) {
  if (packed.rows != a.rows || packed.cols != a.cols || packed.nnz != a.nnz || (a.nnz != 0 && !a.values))
    throw Error(ErrorKind::dimension_mismatch,
                "araia::update_values: A is not of the structure that the CsrPanels were made from");
  if (a.nnz != 0) cuda::csr_panels_fill_values(a, packed.pointers(), exec.cuda_stream());
}

double gathered_lines(Kokkos::Cuda const& exec, std::int32_t const* col_indices, std::int64_t nnz) {
  constexpr std::int64_t most_samples = 128;
  auto const samples = static_cast<int>(std::min(most_samples, nnz / cuda::csr_sample_entries));
  if (samples == 0) return 0;
  auto const counts = new_array<std::int32_t, Kokkos::Cuda::device_type>(exec, "araia::plan::gathered_lines", samples);
  cuda::csr_count_gathered_lines(col_indices, nnz, samples, counts.data(), exec.cuda_stream());
  std::vector<std::int32_t> lines(static_cast<std::size_t>(samples));
  Kokkos::deep_copy(exec, Kokkos::View<std::int32_t*, Kokkos::HostSpace>(lines.data(), lines.size()), counts);
  exec.fence("araia::plan::gathered_lines");
  return static_cast<double>(std::accumulate(lines.begin(), lines.end(), std::int64_t{0})) /
         static_cast<double>(samples * cuda::csr_sample_entries);
}

#define ARAIA_DEFINE_CUDA_PANELS(A, X)                                                                               \
  void CudaPanels<A, X, X>::spmv(CsrPanelsPointers<A> const& a, X alpha, X const* x, X beta, X* y, cudaStream_t s) { \
    cuda::csr_spmv_column_panels(a, alpha, x, beta, y, s);                                                           \
  }
#define ARAIA_DEFINE_PACKING(A, F)                                                                       \
  template CsrPanels<A> pack_panels(Kokkos::Cuda const&, CsrPointers<A, std::int32_t, F> const&,         \
                                    Kokkos::View<std::int32_t const*, Kokkos::Cuda::device_type> const&, \
                                    CsrPanelsOptions const&);                                            \
  template CsrPanelsSize count_panels(Kokkos::Cuda const&, CsrPointers<A, std::int32_t, F> const&,       \
                                      CsrPanelsOptions const&);                                          \
  template void fill_panels(Kokkos::Cuda const&, CsrPanels<A> const&, CsrPointers<A, std::int32_t, F> const&);
ARAIA_DEFINE_CUDA_PANELS(double, double)
ARAIA_DEFINE_PACKING(double, std::int32_t)
ARAIA_DEFINE_PACKING(double, std::int64_t)
#ifndef ARAIA_TYPES_MINIMAL
ARAIA_DEFINE_CUDA_PANELS(float, float)
ARAIA_DEFINE_CUDA_PANELS(float, double)
ARAIA_DEFINE_PACKING(float, std::int32_t)
ARAIA_DEFINE_PACKING(float, std::int64_t)
#endif
#undef ARAIA_DEFINE_CUDA_PANELS
#undef ARAIA_DEFINE_PACKING

}  // namespace araia::detail
