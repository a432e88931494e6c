// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Csr -> Bcsc, its hybrid and its compact form: the structure once, the values by one gather, on the execution space.
// Entries of a block stay within the places that the Csr gives its rows, so the gather needs 32 bits an entry whatever
// the size of the matrix.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/bcsc_bytes.hpp>
#include <araia/detail/formats/bcsc_columns.hpp>
#include <araia/detail/formats/bcsc_compaction.hpp>
#include <araia/detail/formats/bcsc_order.hpp>
#include <araia/detail/formats/bcsc_split.hpp>
#include <araia/detail/formats/bcsc_to_csr.hpp>
#include <araia/detail/formats/bcsc_validation.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/detail/formats/ready_made.hpp>
#include <araia/formats/bcsc.hpp>

namespace araia {

namespace detail {

/// target(k) = source(place of entry k), for the entries of every block.
template <class Exec, class Pointers, class Order, class Target, class Source>
static void gather_blocks(Exec const& exec, Pointers const& b, Order const& order, Target const& target,
                          Source const& source) {
  using Policy = BlockPolicy<Exec>;
  if (b.blocks == 0 || b.nnz == 0) return;
  for_each_team(
      "araia::update_values::bcsc", Policy(exec, static_cast<int>(b.blocks), block_team_size<Exec>(b.nnz / b.blocks)),
      KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        std::int64_t const first = block_first_entry(b, team.league_rank());
        std::int64_t const last =
            team.league_rank() + 1 == b.blocks ? b.nnz : block_first_entry(b, team.league_rank() + 1);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t k) {
          target(k) = static_cast<typename Target::non_const_value_type>(source(first + order(k)));
        });
      });
}

/// The entries of A ordered block by block, and, where `columns` are asked for, how many block columns that makes.
template <class Offset, class Exec, class Matrix, class Cut>
static BlockOrder<Offset, typename Matrix::device_type, Exec> order_entries(Exec const& exec, Matrix const& A,
                                                                            Cut const& cut, bool columns = true) {
  using Device = typename Matrix::device_type;
  BlockOrder<Offset, Device, Exec> ordered;
  auto const a = A.pointers();
  auto const order_by_place = [&](Offset* columns_of_blocks) {
    ordered.order = new_array<std::uint32_t, Device>(exec, "araia::bcsc::gather", A.nnz);
    ordered.row_of = new_array<std::uint32_t, Device>(exec, "araia::csr_to_bcsc::row_of", A.nnz);
    if (A.nnz > 0) order_blocks_by_teams(exec, a, cut.blocks, ordered.order, ordered.row_of, columns_of_blocks);
  };
  ordered.offsets =
      zeroed_view<Kokkos::View<Offset*, Device>>(exec, "araia::bcsc::block_offsets", cut.blocks.blocks + 1);
  if constexpr (is_device_space<Exec>) {
    if (A.nnz > 0) ordered.keys = sort_entry_keys(exec, a, cut.blocks);
    if (ordered.keys.keys.extent(0) == 0) order_by_place(nullptr);
    if (columns) count_columns_of_chunks(exec, a, cut.blocks, ordered);
  } else {
    order_by_place(ordered.offsets.data());
    if (columns && cut.blocks.blocks > 0) ordered.block_columns = sum_columns(exec, ordered.offsets, cut.blocks.blocks);
  }
  return ordered;
}

/// Places of the entries as an array of their own.
template <class Exec, class Matrix, class Cut, class Ordered>
static PositionView<Exec> places_of_entries(Exec const& exec, Matrix const& A, Cut const& cut, Ordered const& ordered) {
  if (ordered.keys.keys.extent(0) == 0) return ordered.order;
  auto const order = new_array<std::uint32_t, typename Matrix::device_type>(exec, "araia::bcsc::gather", A.nnz);
  auto const entries = ordered.entries(A.pointers(), cut.blocks);
  for_each_index(
      "araia::csr_to_bcsc::gather", IndexRange<Exec>(exec, 0, A.nnz),
      KOKKOS_LAMBDA(std::int64_t i) { order(i) = entries(i); });
  return order;
}

/// B with the columns of its blocks, and its values where `values` has room for them, but no rows of entries: those go
/// to `rows`, of any type that holds them, unless that is empty.
template <class Exec, class Matrix, class Cut, class Ordered, class Rows, class Values>
static auto bcsc_columns(Exec const& exec, Matrix const& A, Cut const& cut, Ordered const& ordered, Rows const& rows,
                         Values const& values)
    -> Bcsc<typename Matrix::value_type, typename Matrix::ordinal_type,
            typename decltype(Ordered::offsets)::non_const_value_type, typename Matrix::device_type> {
  using Ordinal = typename Matrix::ordinal_type;
  using Device = typename Matrix::device_type;
  using Offset = typename decltype(Ordered::offsets)::non_const_value_type;
  Bcsc<typename Matrix::value_type, Ordinal, Offset, Device> B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  B.blocks = cut.blocks.blocks;
  B.block_height = std::max<std::int64_t>(1, cut.blocks.block_height);
  B.block_rows = cut.block_rows;
  B.block_columns = ordered.block_columns;
  B.block_offsets = ordered.offsets;
  B.values = values;
  auto const cols = new_array<Ordinal, Device>(exec, "araia::bcsc::block_cols", B.block_columns);
  auto const offsets = new_array<Offset, Device>(exec, "araia::bcsc::col_offsets", B.block_columns + 1);
  fill_blocks(exec, A.pointers(), cut.blocks, ordered, cols, offsets, rows, values);
  B.block_cols = cols;
  B.col_offsets = offsets;
  return B;
}

/// The same with nothing but the columns: enough to count bytes.
template <class Exec, class Matrix, class Cut, class Ordered>
static auto bcsc_columns(Exec const& exec, Matrix const& A, Cut const& cut, Ordered const& ordered) {
  using Device = typename Matrix::device_type;
  return bcsc_columns(exec, A, cut, ordered, Kokkos::View<typename Matrix::ordinal_type*, Device>(),
                      Kokkos::View<typename Matrix::value_type*, Device>());
}

/// A Bcsc without rows of entries, and those rows.
template <class Matrix, class RowIndex>
struct BcscAndRows {
  Matrix matrix;
  Kokkos::View<RowIndex*, typename Matrix::device_type> rows;
};

/// A as Bcsc whose columns ascend, the rows of its entries as RowIndex, with `gather` where the options want it.
/// Workspace is released when exec is fenced.
template <class RowIndex, class Exec, class Scalar, class Ordinal, class Offset, class Device>
static auto bcsc_and_rows(Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A, BcscOptions const& options) {
  using Format = Bcsc<std::remove_const_t<Scalar>, Ordinal, signed_offset_t<Offset>, Device>;
  using Narrow = typename Format::size_type;
  require_same_memory<Exec, Csr<Scalar, Ordinal, Offset, Device>>();
  std::uint64_t const limit = memory_limit_or_default<typename Exec::memory_space>(options.memory_limit);
  require_memory("araia::csr_to_bcsc: ordering the entries", ordering_bytes<Exec>(A.nnz, options.heights), limit);
  auto const cut = cut_rows<Narrow>(exec, A.pattern(), options);
  if (cut.blocks.blocks > 0) require_rows_fit<RowIndex>("araia::csr_to_bcsc_compact", A.rows, cut.blocks.block_height);
  require_block_entries(exec, A.pattern().pointers(), cut.blocks);
  auto const ordered = order_entries<Narrow>(exec, A.pattern(), cut);
  auto const sizes = bcsc_sizes(A, cut, ordered.block_columns, options);
  require_memory("araia::csr_to_bcsc: the matrix and the workspace",
                 saturating_sum(bcsc_bytes<Format>(sizes), order_bytes(A.nnz)), limit);
  auto const rows = new_array<RowIndex, Device>(exec, "araia::bcsc::row_in_block", A.nnz);
  Kokkos::View<typename Format::value_type*, Device> values;
  if (A.has_values()) values = new_array<typename Format::value_type, Device>(exec, "araia::bcsc::values", A.nnz);
  Format B = bcsc_columns(exec, A, cut, ordered, rows, values);
  if (options.keep_gather) B.gather = places_of_entries(exec, A, cut, ordered);
  if (A.row_permutation.extent(0) != 0) B.row_permutation = copy_of<Device>(exec, A.row_permutation);
  exec.fence("araia::csr_to_bcsc: workspace is released");
  return BcscAndRows<Format, RowIndex>{B, rows};
}

}  // namespace detail

/// Exact bytes of the Bcsc or BcscCompact that A becomes under the options, before it is made.
/// \throws araia::Error resource_limit where the workspace is beyond the limit
/// Cost    O(nnz), the symbolic half of the conversion, with 8 bytes an entry of workspace, 16 on devices (24 where
///         blocks are cut by columns); fences exec
template <class Format, class Exec, class Scalar, class Ordinal, class Offset, class Device>
requires detail::is_bcsc_v<Format>
static std::uint64_t count_bytes(Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A,
                                 BcscOptions const& options) {
  using Narrow = typename Format::size_type;
  detail::require_memory("araia::count_bytes: ordering the entries",
                         detail::ordering_bytes<Exec>(A.nnz, options.heights),
                         detail::memory_limit_or_default<typename Exec::memory_space>(options.memory_limit));
  auto const cut = detail::cut_rows<Narrow>(exec, A.pattern(), options);
  detail::require_block_entries(exec, A.pattern().pointers(), cut.blocks);
  auto const ordered = detail::order_entries<Narrow>(exec, A.pattern(), cut);
  auto sizes = detail::bcsc_sizes(A, cut, ordered.block_columns, options);
  if constexpr (detail::is_bcsc_compact_v<Format>) {
    auto const B = detail::bcsc_columns(exec, A.pattern(), cut, ordered);
    auto const compact = detail::compact_sizes(exec, B.pointers(), Kokkos::View<Ordinal*, Device>());
    sizes.block_columns = static_cast<std::uint64_t>(compact.parts);
    sizes.narrow = options.columns != BcscColumns::wide && compact.widest_span <= detail::widest_step;
  }
  exec.fence("araia::count_bytes: workspace is released");
  return detail::bcsc_bytes<Format>(sizes);
}

/// Refills B with the values of A, whose structure it was made from (a Csr with the same places of entries).
/// \throws araia::Error dimension_mismatch where shapes differ
/// Cost    one gather where B keeps `gather`, asynchronous on exec; else the entries are ordered again, with 8 bytes an
///         entry of workspace, 16 on devices, and exec is fenced
template <class Exec, class Matrix, class Scalar, class Ordinal, class Offset, class Device>
requires detail::is_bcsc_v<Matrix>
static void update_values(Exec const& exec, Matrix const& B, Csr<Scalar, Ordinal, Offset, Device> const& A) {
  detail::require_same_structure(detail::sizes_agree(B, A), Matrix::format_name);
  if (!B.has_values()) return;
  auto const b = B.pointers();
  if (B.gather.extent(0) != 0) {
    detail::gather_blocks(exec, b, B.gather, B.values, A.values);
    return;
  }
  using Narrow = typename Matrix::size_type;
  detail::BlockCut<Ordinal, Narrow, typename Matrix::device_type> const cut{
      {.rows = B.rows, .cols = B.cols, .blocks = B.blocks, .block_height = B.block_height, .block_rows = b.block_rows},
      B.block_rows};
  auto const ordered = detail::order_entries<Narrow>(exec, A.pattern(), cut, B.split.extent(0) != 0);
  if (B.split.extent(0) != 0) {
    auto columns = detail::bcsc_columns(exec, A.pattern(), cut, ordered);
    columns.gather = detail::places_of_entries(exec, A, cut, ordered);
    auto const split = detail::order_columns_by_count(exec, columns, 0);
    detail::gather_blocks(exec, b, split.gather, B.values, A.values);
  } else if constexpr (detail::is_device_space<Exec>) {
    detail::gather_blocks(exec, b, ordered.entries(A.pattern().pointers(), cut.blocks), B.values, A.values);
  } else {
    detail::gather_blocks(exec, b, ordered.order, B.values, A.values);
  }
  exec.fence("araia::update_values::bcsc: workspace is released");
}

namespace detail {
/// What csr_to_bcsc does, of any types.
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Bcsc<std::remove_const_t<Scalar>, Ordinal, signed_offset_t<Offset>, Device> csr_to_bcsc_here(
    Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A, BcscOptions const& options) {
  Kokkos::Profiling::ScopedRegion const region("araia::csr_to_bcsc");
  auto [B, rows] = bcsc_and_rows<Ordinal>(exec, A, options);
  B.row_in_block = rows;
  if (options.split) return split_columns(exec, B, options.dense_entries);
  return B;
}

/// The same from the library.
template <class Exec, class A>
Bcsc<A, std::int32_t, std::int32_t, typename Exec::device_type> csr_to_bcsc_ready(Exec const& exec,
                                                                                  ReadySource<Exec, A> const& source,
                                                                                  BcscOptions const& options);
}  // namespace detail

/// A as BCSC. Stored rows of a Csr with permuted rows are blocked as they lie, and the permutation goes along.
/// Order of entries: blocks, columns ascending (or by descending count where `split`), rows ascending, duplicates as in
/// A. The same for any number of threads.
/// \throws araia::Error invalid_structure where A breaks a rule of its format, unless options.validate is false;
///         invalid_argument for options out of range; resource_limit naming need and limit, before the
///         result is allocated
/// Cost    O(nnz) for radix passes over the bits that a block's columns span (on devices those of blocks and columns),
///         8 bytes an entry of workspace, 16 on devices while the entries are ordered (24 where blocks are cut by
///         columns); allocates the result; fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Bcsc<std::remove_const_t<Scalar>, Ordinal, detail::signed_offset_t<Offset>, Device> csr_to_bcsc(
    Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A, BcscOptions const& options = {}) {
  if (options.validate) validate(exec, A);
  if constexpr (detail::is_ready_source<Exec, Csr<Scalar, Ordinal, Offset, Device>>)
    return detail::csr_to_bcsc_ready<Exec, std::remove_const_t<Scalar>>(exec, detail::ready_source<Exec>(A), options);
  else
    return detail::csr_to_bcsc_here(exec, A, options);
}

namespace detail {
/// What csr_to_bcsc_compact does, of any types.
template <class RowIndex, class Exec, class Scalar, class Ordinal, class Offset, class Device>
static BcscCompact<std::remove_const_t<Scalar>, Ordinal, signed_offset_t<Offset>, Device, RowIndex>
csr_to_bcsc_compact_here(Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A, BcscOptions const& options) {
  if (options.split) {
    BcscOptions trusting = options;
    trusting.validate = false;
    return compact_bcsc<RowIndex>(exec, csr_to_bcsc(exec, A, trusting), options.columns);
  }
  Kokkos::Profiling::ScopedRegion const region("araia::csr_to_bcsc_compact");
  auto const [B, rows] = bcsc_and_rows<RowIndex>(exec, A, options);
  auto C = compact_columns<RowIndex>(exec, B, options.columns);
  C.row_in_block = rows;
  exec.fence("araia::csr_to_bcsc_compact: B is released");
  return C;
}

/// The same from the library.
template <class Exec, class A>
BcscCompact<A, std::int32_t, std::int32_t, typename Exec::device_type> csr_to_bcsc_compact_ready(
    Exec const& exec, ReadySource<Exec, A> const& source, BcscOptions const& options);
}  // namespace detail

/// A as compact BCSC, rows of an entry in RowIndex.
/// \throws araia::Error as csr_to_bcsc; unsupported where a block has more rows than RowIndex tells apart, or where
///         narrow columns are asked for that a block's span does not allow
/// Cost    as csr_to_bcsc, whose result exists on the way, but for the rows of its entries unless `split`
template <class RowIndex = std::uint8_t, class Exec, class Scalar, class Ordinal, class Offset, class Device>
static BcscCompact<std::remove_const_t<Scalar>, Ordinal, detail::signed_offset_t<Offset>, Device, RowIndex>
csr_to_bcsc_compact(Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A, BcscOptions const& options = {}) {
  if (options.validate) validate(exec, A);
  if constexpr (detail::is_ready_source<Exec, Csr<Scalar, Ordinal, Offset, Device>> &&
                std::is_same_v<RowIndex, std::uint8_t>)
    return detail::csr_to_bcsc_compact_ready<Exec, std::remove_const_t<Scalar>>(exec, detail::ready_source<Exec>(A),
                                                                                options);
  else
    return detail::csr_to_bcsc_compact_here<RowIndex>(exec, A, options);
}

}  // namespace araia
