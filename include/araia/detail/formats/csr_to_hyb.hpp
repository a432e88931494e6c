// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Csr -> Hyb and back. No map is stored: an entry's place follows from the row lengths of the source.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <cstdint>
#include <string>
#include <type_traits>

#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/hyb_width.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/detail/formats/ready_made.hpp>
#include <araia/formats/hyb.hpp>

namespace araia {

struct HybOptions {
  std::int64_t width = -1;  ///< of the ELL part; -1: from a model of what slots and tail entries cost
  /// Bytes that the result may take; 0: half of the free memory of its space. On hosts the workspace beside it is held
  /// to this or default_host_memory_limit(), whichever is more.
  std::uint64_t memory_limit = 0;
  bool validate = true;  ///< check A first; else it is trusted, and a broken one ends in anything
};

namespace detail {
template <class Format>
inline constexpr bool is_hyb = false;
template <class S, class O, class D, class T>
inline constexpr bool is_hyb<Hyb<S, O, D, T>> = true;

/// Bytes of tail_offsets.
constexpr std::uint64_t tail_offsets_bytes(std::int64_t rows, std::int64_t tail) {
  return tail > 0 ? saturating_product(static_cast<std::uint64_t>(rows + 1), sizeof(std::int64_t)) : 0;
}

/// Entries in the tail of the rows before each; empty where there is no tail.
/// \param tail  entries of the tail
template <class Exec, class Pointers>
static Kokkos::View<std::int64_t*, typename Exec::memory_space> tail_offsets(Exec const& exec, Pointers const& a,
                                                                             std::int64_t width, std::int64_t tail) {
  auto const offsets = new_view<Kokkos::View<std::int64_t*, typename Exec::memory_space>>(
      exec, "araia::hyb::tail_offsets", tail > 0 ? a.rows + 1 : 0);
  if (tail > 0)
    scan_indices<std::int64_t>(
        "araia::hyb::tail_offsets", IndexRange<Exec>(exec, 0, a.rows + 1),
        KOKKOS_LAMBDA(std::int64_t row, std::int64_t & sum, bool final) {
          if (final) offsets(row) = sum;
          if (row < a.rows) sum += Kokkos::max<std::int64_t>(row_span(a, row).count - width, 0);
        });
  return offsets;
}

/// body(row, j, k, to) for entry j of stored row `row` at k of A; `to` is its place in the tail, or negative.
template <class Exec, class Pointers, class TailOffsets, class Body>
static void for_each_hyb_entry(Exec const& exec, char const* label, Pointers const& a, std::int64_t width,
                               TailOffsets const& offsets, Body const& body) {
  for_each_row_entry(
      exec, label, a, KOKKOS_LAMBDA(std::int64_t row, std::int64_t j, std::int64_t k) {
        body(row, j, k, j < width ? std::int64_t{-1} : offsets(row) + j - width);
      });
}

/// A tail of arrays on another device, contents copied; the same one where the devices agree.
template <class TailDevice, class Exec, class S, class O, class D>
Coo<S, O, TailDevice> tail_on(Exec const& exec, Coo<S, O, D> const& tail) {
  if constexpr (std::is_same_v<TailDevice, D>) {
    return tail;
  } else {
    Coo<S, O, TailDevice> moved{.rows = tail.rows, .cols = tail.cols, .nnz = tail.nnz};
    moved.sorted = tail.sorted;
    exec.fence("araia::hyb: the tail is complete before it moves");
    moved.row_indices = copy_of<TailDevice>(tail.row_indices);
    moved.col_indices = copy_of<TailDevice>(tail.col_indices);
    if (tail.has_values()) moved.values = copy_of<TailDevice>(tail.values);
    return moved;
  }
}

inline void check_hyb_width(std::int64_t width) {
  if (width < -1)
    throw Error(ErrorKind::invalid_argument,
                "araia::csr_to_hyb: width is " + std::to_string(width) + ", expected 0 or more, or -1");
}
}  // namespace detail

/// Bytes of a Hyb by the row statistics alone. The histogram's bins double in width, so width and tail are estimates.
/// For a width that is not given, both the truth and the estimate lie between nnz slots and nnz tail entries: the error
/// is a factor below tail cost / slot cost, 2.7 for f64 values and 32-bit indices, and a test holds it to that.
/// Cost    O(1)
template <class Format>
requires detail::is_hyb<Format> std::uint64_t estimate_bytes(RowStats const& stats, HybOptions const& options,
                                                             bool values = true, bool permuted = false) {
  detail::check_hyb_width(options.width);
  using Scalar = typename Format::value_type;
  using Ordinal = typename Format::ordinal_type;
  auto const costs = detail::HybCosts::of<Scalar, Ordinal>(values);
  auto const estimate = detail::estimate_hyb(stats, costs.share(), options.width);
  std::uint64_t const bytes = detail::hyb_bytes<Format>(stats.rows, estimate.width, estimate.tail, values, permuted);
  if (options.width >= 0) return bytes;
  auto const entries = static_cast<double>(stats.nnz);
  std::uint64_t const lengths = detail::hyb_bytes<Format>(stats.rows, 0, 0, values, permuted);
  auto const least = static_cast<std::uint64_t>(entries * costs.slot);
  auto const most = static_cast<std::uint64_t>(entries * costs.tail);
  return detail::saturating_sum(lengths, std::clamp(bytes - lengths, least, most));
}

/// Exact bytes of the Hyb made from A, before it is made.
/// Cost    O(rows); fences exec
template <class Format, class Exec, class Scalar, class Ordinal, class Offset, class Device>
requires detail::is_hyb<Format>
static std::uint64_t count_bytes(Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A,
                                 HybOptions const& options) {
  detail::check_hyb_width(options.width);
  using value_type = typename Format::value_type;
  auto const a = A.pointers();
  std::int64_t const width =
      options.width >= 0 ? options.width
                         : detail::hyb_width(exec, a, detail::HybCosts::of<value_type, Ordinal>(A.has_values()));
  return detail::hyb_bytes<Format>(A.rows, width, detail::entries_beyond(exec, a, width), A.has_values(),
                                   A.row_permutation.extent(0) != 0);
}

namespace detail {
/// Values of A into a Hyb whose tail exec reaches.
template <class Exec, class S, class O, class D, class AS, class F, class AD, class TailOffsets>
static void fill_hyb_values(Exec const& exec, Ell<S, O, D> const& ell, Coo<S, O, D> const& tail,
                            Csr<AS, O, F, AD> const& A, TailOffsets const& offsets) {
  using value_type = typename Ell<S, O, D>::value_type;
  auto const ell_values = ell.values;
  auto const tail_values = tail.values;
  auto const a = A.pointers();
  for_each_hyb_entry(
      exec, "araia::update_values::hyb", a, ell.width, offsets,
      KOKKOS_LAMBDA(std::int64_t row, std::int64_t j, std::int64_t k, std::int64_t to) {
        if (to < 0)
          ell_values(row, j) = static_cast<value_type>(a.values[k]);
        else
          tail_values(to) = static_cast<value_type>(a.values[k]);
      });
}
}  // namespace detail

/// Refills B with the values of A, whose structure it was made from.
/// Cost    O(rows + nnz), 8 bytes a row of workspace where there is a tail; with the tail on another device also its
/// values there and across;
///         fences exec only then
template <class Exec, class S, class O, class D, class T, class AS, class F, class AD>
static void update_values(Exec const& exec, Hyb<S, O, D, T> const& B, Csr<AS, O, F, AD> const& A) {
  detail::require_same_structure(
      detail::sizes_agree(B, A) && B.tail.nnz == detail::entries_beyond(exec, A.pointers(), B.ell.width), "Hyb");
  if (!B.has_values()) return;
  auto const offsets = detail::tail_offsets(exec, A.pointers(), B.ell.width, B.tail.nnz);
  if constexpr (!Hyb<S, O, D, T>::is_split) {
    detail::fill_hyb_values(exec, B.ell, B.tail, A, offsets);
  } else {
    Coo<S, O, D> tail{.rows = B.rows, .cols = B.cols, .nnz = B.tail.nnz};
    tail.values = detail::new_array<typename Hyb<S, O, D, T>::value_type, D>(exec, "araia::hyb::tail", B.tail.nnz);
    detail::fill_hyb_values(exec, B.ell, tail, A, offsets);
    exec.fence("araia::update_values::hyb: the tail's values are complete before they move");
    detail::copy_array(Kokkos::subview(B.tail.values, std::pair(std::int64_t{0}, B.tail.nnz)), tail.values);
  }
}

namespace detail {
/// What csr_to_hyb does, of any types.
template <class Tail, class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Hyb<std::remove_const_t<Scalar>, Ordinal, Device, Tail> csr_to_hyb_here(
    Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A, HybOptions options) {
  using Source = Csr<Scalar, Ordinal, Offset, Device>;
  using value_type = typename Source::value_type;
  using Format = Hyb<value_type, Ordinal, Device, Tail>;
  require_same_memory<Exec, Source>();
  Kokkos::Profiling::ScopedRegion const region("araia::csr_to_hyb");
  check_hyb_width(options.width);
  if (A.rows > 0) require_fits<Ordinal>("araia::csr_to_hyb: the last row's index", A.rows - 1);
  auto const a = A.pointers();
  if (options.width < 0) options.width = hyb_width(exec, a, HybCosts::of<value_type, Ordinal>(A.has_values()));
  std::int64_t const width = options.width;
  require_fits<Ordinal>("araia::csr_to_hyb: width", width);
  std::int64_t const beyond = entries_beyond(exec, a, width);
  bool const permuted = A.row_permutation.extent(0) != 0;
  auto const limit = memory_limit_or_default<typename Source::memory_space>(options.memory_limit);
  auto const bytes = hyb_bytes<Format>(A.rows, width, beyond, A.has_values(), permuted);
  require_memory("araia::csr_to_hyb: the padded matrix", bytes, limit);
  require_room_beside<Device>("araia::csr_to_hyb: the padded matrix and the offsets of its tail", bytes,
                              tail_offsets_bytes(A.rows, beyond), limit);

  Ell<value_type, Ordinal, Device> ell{.rows = A.rows, .cols = A.cols, .nnz = A.nnz - beyond, .width = width};
  if (permuted) ell.row_permutation = copy_of<Device>(exec, A.row_permutation);
  auto const lengths = new_array<Ordinal, Device>(exec, "araia::ell::row_lengths", A.rows);
  for_each_index(
      "araia::csr_to_hyb::row_lengths", IndexRange<Exec>(exec, 0, A.rows), KOKKOS_LAMBDA(std::int64_t row) {
        lengths(row) = static_cast<Ordinal>(Kokkos::min<std::int64_t>(row_span(a, row).count, width));
      });
  ell.row_lengths = lengths;
  auto const slots = [&](char const* label, auto zero) {
    auto const array = new_view<Kokkos::View<decltype(zero)**, Kokkos::LayoutLeft, Device>>(exec, label, A.rows, width);
    ask_for_huge_pages(array);
    fill_array(exec, array, zero);
    return array;
  };
  auto const ell_cols = slots("araia::ell::col_indices", Ordinal{});
  ell.col_indices = ell_cols;
  Coo<value_type, Ordinal, Device> tail{.rows = A.rows, .cols = A.cols, .nnz = beyond};
  tail.sorted = !permuted;
  auto const tail_rows = new_array<Ordinal, Device>(exec, "araia::coo::row_indices", beyond);
  auto const tail_cols = new_array<Ordinal, Device>(exec, "araia::coo::col_indices", beyond);
  tail.row_indices = tail_rows;
  tail.col_indices = tail_cols;
  auto const offsets = tail_offsets(exec, a, width, beyond);
  for_each_hyb_entry(
      exec, "araia::csr_to_hyb::structure", a, width, offsets,
      KOKKOS_LAMBDA(std::int64_t row, std::int64_t j, std::int64_t k, std::int64_t to) {
        if (to < 0) {
          ell_cols(row, j) = a.col_indices[k];
        } else {
          tail_rows(to) = static_cast<Ordinal>(matrix_row(a, row));
          tail_cols(to) = a.col_indices[k];
        }
      });
  if (A.has_values()) {
    ell.values = slots("araia::ell::values", value_type{});
    tail.values = new_array<value_type, Device>(exec, "araia::coo::values", beyond);
    fill_hyb_values(exec, ell, tail, A, offsets);
  }
  Format B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  B.ell = ell;
  B.tail = tail_on<Tail>(exec, tail);
  return B;
}

/// The same from the library.
template <class Exec, class A>
Hyb<A, std::int32_t, typename Exec::device_type> csr_to_hyb_ready(Exec const& exec, ReadySource<Exec, A> const& source,
                                                                  HybOptions const& options);
}  // namespace detail

/// A as ELL and coordinates; with TailDevice, the tail on that device.
/// \throws araia::Error invalid_structure where A breaks a rule of its format, unless options.validate is false;
///         resource_limit naming need and limit, before anything is allocated; invalid_argument where the
///         width is below -1
/// Cost    O(rows * width + nnz); allocates the result, and 8 bytes a row while it works, where there is a tail; fences
///         exec
template <class TailDevice = void, class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Hyb<std::remove_const_t<Scalar>, Ordinal, Device,
           std::conditional_t<std::is_void_v<TailDevice>, Device, TailDevice>>
csr_to_hyb(Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A, HybOptions options = {}) {
  if (options.validate) validate(exec, A);
  using Source = Csr<Scalar, Ordinal, Offset, Device>;
  using value_type = typename Source::value_type;
  using Tail = std::conditional_t<std::is_void_v<TailDevice>, Device, TailDevice>;
  if constexpr (detail::is_ready_source<Exec, Source> && std::is_same_v<Tail, Device>)
    return detail::csr_to_hyb_ready<Exec, value_type>(exec, detail::ready_source<Exec>(A), options);
  else
    return detail::csr_to_hyb_here<Tail>(exec, A, options);
}

/// Rows in matrix order; entries of a row keep their order, those of the tail last.
/// \throws araia::Error resource_limit where nnz does not fit Offset
/// Cost    O(rows + nnz), and twice the tail while it works; allocates the result; fences exec
template <class Offset = std::int32_t, class Exec, class S, class Ordinal, class Device, class TailDevice>
static Csr<std::remove_const_t<S>, Ordinal, Offset, Device> to_csr(Exec const& exec,
                                                                   Hyb<S, Ordinal, Device, TailDevice> const& A) {
  using value_type = std::remove_const_t<S>;
  detail::require_same_memory<Exec, Hyb<S, Ordinal, Device, TailDevice>>();
  Kokkos::Profiling::ScopedRegion const region("araia::to_csr");
  detail::require_fits<Offset>("araia::to_csr: nnz", A.nnz);
  Csr<value_type, Ordinal, Offset, Device> B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  auto const tail = to_csr<Offset>(exec, detail::tail_on<Device>(exec, A.tail));
  auto const ell = A.ell.pointers();
  auto const rest = tail.pointers();
  auto const offsets = detail::new_array<Offset, Device>(exec, "araia::csr::row_offsets", A.rows + 1);
  detail::for_each_index(
      "araia::to_csr::counts", detail::IndexRange<Exec>(exec, -1, A.rows), KOKKOS_LAMBDA(std::int64_t i) {
        if (i < 0) {
          offsets(0) = 0;
          return;
        }
        std::int64_t const row = detail::matrix_row(ell, i);
        offsets(row + 1) = static_cast<Offset>(detail::row_span(ell, i).count + detail::row_span(rest, row).count);
      });
  detail::counts_to_offsets(exec, offsets, A.rows);
  auto const cols = detail::new_array<Ordinal, Device>(exec, "araia::csr::col_indices", A.nnz);
  auto const values = A.has_values() ? detail::new_array<value_type, Device>(exec, "araia::csr::values", A.nnz)
                                     : Kokkos::View<value_type*, Device>();
  bool const filled = A.has_values();
  detail::for_each_row_entry(
      exec, "araia::to_csr::ell", ell, KOKKOS_LAMBDA(std::int64_t i, std::int64_t j, std::int64_t k) {
        std::int64_t const to = static_cast<std::int64_t>(offsets(detail::matrix_row(ell, i))) + j;
        cols(to) = ell.col_indices[k];
        if (filled) values(to) = ell.values[k];
      });
  // A row's tail entries end where the row ends.
  detail::for_each_row_entry(
      exec, "araia::to_csr::tail", rest, KOKKOS_LAMBDA(std::int64_t row, std::int64_t j, std::int64_t k) {
        std::int64_t const to = static_cast<std::int64_t>(offsets(row + 1)) - detail::row_span(rest, row).count + j;
        cols(to) = rest.col_indices[k];
        if (filled) values(to) = rest.values[k];
      });
  B.row_offsets = offsets;
  B.col_indices = cols;
  B.values = values;
  return B;
}

}  // namespace araia
