// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Csr packed by panels of columns for the CUDA backend's csr/column_panels: what a plan holds, and who calls spmv once
// packs. Without CUDA there is none.

#include <cstdint>
#include <vector>

#include <araia/detail/dispatch/cuda_packed_spmv.hpp>
#include <araia/detail/formats/csr_panels_pointers.hpp>

#ifdef KOKKOS_ENABLE_CUDA
namespace araia {

struct CsrPanelsOptions {
  int vector_bytes = 0;            ///< of an element of x and y, 4 or 8; 0: of an entry
  std::uint64_t memory_limit = 0;  ///< bytes of the result; 0: no limit
};

/// Owns a span of a CsrPanels.
template <class Scalar>
struct CsrPanelSpanArrays {
  using device_type = Kokkos::Cuda::device_type;
  template <class T>
  using Array = Kokkos::View<T*, device_type>;

  std::int64_t first_column = 0;
  std::int64_t nnz = 0;
  CsrPanelShape shape{};
  Array<std::int32_t> panel_columns{};  // as CsrPanelSpan says
  Array<std::int32_t> first_rows{};
  Array<std::uint16_t> row_begins{};
  Array<std::int32_t> lines{};
  Array<std::int32_t> slot_lines{};
  Array<std::int32_t> band_lines{};
  Array<std::int32_t> chunk_units{};
  Array<std::uint32_t> sources{};
  Array<std::int32_t> entries{};
  Array<Scalar> values{};
  Array<std::uint16_t> columns{};
  Array<std::uint8_t> unit_panels{};
  Array<std::uint16_t> positions{};
  Array<double> buffer{};
  Array<double> carries{};
  Array<std::uint32_t> done{};

  [[nodiscard]] std::uint64_t bytes() const {
    auto const of = [](auto const&... array) {
      return (std::uint64_t{0} + ... + (array.span() * sizeof(*array.data())));
    };
    return of(panel_columns, first_rows, row_begins, lines, slot_lines, band_lines, chunk_units, sources, entries,
              values, columns, unit_panels, positions, buffer, carries, done);
  }

  /// \param row_permutation  of the whole matrix, or null
  [[nodiscard]] CsrPanelSpan<Scalar> pointers(std::int64_t rows, std::int32_t const* row_permutation) const {
    return {.rows = rows,
            .nnz = nnz,
            .first_column = first_column,
            .shape = shape,
            .panel_columns = panel_columns.data(),
            .first_rows = first_rows.data(),
            .row_begins = row_begins.data(),
            .lines = lines.data(),
            .slot_lines = slot_lines.data(),
            .band_lines = band_lines.data(),
            .chunk_units = chunk_units.data(),
            .sources = sources.data(),
            .row_permutation = row_permutation,
            .entries = entries.data(),
            .values = values.data(),
            .columns = columns.data(),
            .unit_panels = unit_panels.data(),
            .positions = positions.data(),
            .buffer = buffer.data(),
            .carries = carries.data(),
            .done = done.data()};
  }
};

/// Owns a Csr cut in panels of columns and chunks of entries: another arrangement for products with columns that lie
/// anywhere, not a format. Operand of spmv, Op::none, x and y contiguous, one product at a time. Several spans each add
/// alpha times their sum to y: an infinite alpha makes NaN of rows that one of them has no entry of.
template <class Scalar>
struct CsrPanels {
  using value_type = Scalar;
  using ordinal_type = std::int32_t;
  using execution_space = Kokkos::Cuda;
  using device_type = Kokkos::Cuda::device_type;
  using memory_space = device_type::memory_space;
  static constexpr char const* format_name = "csr_panels";

  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  std::vector<CsrPanelSpanArrays<Scalar>> spans{};  // at most csr_panel_most_spans
  Kokkos::View<std::int32_t const*, device_type> row_permutation{};

  /// Values kept in memory, padding included.
  [[nodiscard]] std::int64_t stored() const {
    std::int64_t sum = 0;
    for (auto const& span : spans) sum += static_cast<std::int64_t>(span.values.extent(0));
    return sum;
  }

  /// Exact bytes of the arrays as allocated, workspace included.
  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t sum = row_permutation.span() * sizeof(std::int32_t);
    for (auto const& span : spans) sum += span.bytes();
    return sum;
  }

  /// What the kernel takes. Valid while the Views live.
  [[nodiscard]] CsrPanelsPointers<Scalar> pointers() const {
    KOKKOS_ASSERT(spans.size() <= csr_panel_most_spans);
    CsrPanelsPointers<Scalar> all{.rows = rows, .cols = cols, .nnz = nnz};
    for (auto const& span : spans) all.spans[all.span_count++] = span.pointers(rows, row_permutation.data());
    return all;
  }
};

namespace detail {

// Defined in backends/cuda/spmv/csr_column_panels/bound.cpp, for the scalars and offsets of CudaKernels.
template <class Scalar, class Offset>
CsrPanels<Scalar> pack_panels(Kokkos::Cuda const& exec, CsrPointers<Scalar, std::int32_t, Offset> const& a,
                              CsrPanelsOptions const& options);
/// Bytes of what pack_panels would make, and its values: the symbolic half of it.
struct CsrPanelsSize {
  std::uint64_t bytes = 0;
  std::int64_t stored = 0;
};
template <class Scalar, class Offset>
CsrPanelsSize count_panels(Kokkos::Cuda const& exec, CsrPointers<Scalar, std::int32_t, Offset> const& a,
                           CsrPanelsOptions const& options);
template <class Scalar, class Offset>
void fill_panels(Kokkos::Cuda const& exec, CsrPanels<Scalar> const& packed,
                 CsrPointers<Scalar, std::int32_t, Offset> const& a);

template <class Scalar>
struct SpmvTuningOf<CsrPanelsPointers<Scalar>> {
  using type = CsrSpmvTuning;
};

template <class Scalar>
struct PackedSpmv<CsrPanelsPointers<Scalar>> {
  using Pointers = CsrPanelsPointers<Scalar>;
  static constexpr char const* name = "csr/column_panels";
  static bool is_empty(Pointers const& a) { return a.nnz == 0; }
  static bool is_for(Pointers const& a, int vector_bytes) {
    return a.nnz == 0 || a.spans[0].shape.vector_bytes == vector_bytes;
  }
  template <class X>
  static void run(Pointers const& a, X alpha, X const* x, X beta, X* y, cudaStream_t stream);
};

}  // namespace detail

/// Packs A, which is not needed any more afterwards but for update_values. Scalars float and double.
/// \throws araia::Error unsupported for a pattern, more columns than eight times what the multiprocessors' shared
///         memory holds (4.6 million of float, 2.3 of double on an H200), a device before sm_80; resource_limit naming
///         need and limit
/// Cost      O(nnz log panels), three passes over A; allocates the result and a bucket for 16 columns. Where not all
///         columns fit at once: a selection more for each span, 4 bytes an entry of the result, and a workspace of 8
///         bytes an entry and an offset a row and span. Fences exec
template <class Scalar, class Offset, class Device>
CsrPanels<std::remove_const_t<Scalar>> csr_to_panels(Kokkos::Cuda const& exec,
                                                     Csr<Scalar, std::int32_t, Offset, Device> const& A,
                                                     CsrPanelsOptions const& options = {}) {
  static_assert(Kokkos::SpaceAccessibility<Kokkos::Cuda, typename Device::memory_space>::accessible,
                "araia::csr_to_panels: A must be in memory that exec reaches");
  static_assert(
      std::is_same_v<std::remove_const_t<Scalar>, float> || std::is_same_v<std::remove_const_t<Scalar>, double>,
      "araia::csr_to_panels: values must be float or double");
  return detail::pack_panels(exec, A.pointers(), options);
}

/// Takes the values of A, of the structure that B was packed from. Asynchronous on exec, one kernel a span, no
/// allocation.
/// \throws araia::Error dimension_mismatch where the sizes say that it is another structure
template <class Scalar, class AScalar, class Offset, class Device>
requires std::is_same_v<std::remove_const_t<AScalar>, Scalar>
void update_values(Kokkos::Cuda const& exec, CsrPanels<Scalar> const& B,
                   Csr<AScalar, std::int32_t, Offset, Device> const& A) {
  detail::fill_panels(exec, B, A.pointers());
}

}  // namespace araia
#endif
