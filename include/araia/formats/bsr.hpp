// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Block compressed sparse rows: dense blocks of block_rows x block_cols, row-major inside a block.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include <araia/detail/formats/bsr_pointers.hpp>
#include <araia/detail/formats/conjugated.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/formats/csr.hpp>

namespace araia {

/// Largest block_rows and block_cols.
inline constexpr int largest_block = 32;

namespace detail {
/// Is slot k of the arrays an entry of the matrix, as far as the mask tells?
template <class Scalar, class Ordinal, class Offset>
KOKKOS_INLINE_FUNCTION bool is_stored(BsrPointers<Scalar, Ordinal, Offset> const& a, std::int64_t k) {
  return !a.stored_mask || (a.stored_mask[k / 32] >> (k % 32) & 1u) != 0;
}

/// Value of slot k in the accumulator's type. In a pattern what is stored is one and fill is zero.
template <class Sum, class Scalar, class Ordinal, class Offset>
KOKKOS_INLINE_FUNCTION Sum slot_value(BsrPointers<Scalar, Ordinal, Offset> const& a, std::int64_t k) {
  if (a.values) return static_cast<Sum>(number_of(a.values[k]));
  return is_stored(a, k) ? Sum(1) : Sum{};
}

constexpr std::int64_t blocks_along(std::int64_t extent, std::int64_t block) {
  return extent / block + (extent % block != 0);
}

inline void check_block_shape(char const* what, int block_rows, int block_cols) {
  if (block_rows < 1 || block_rows > largest_block || block_cols < 1 || block_cols > largest_block)
    throw Error(ErrorKind::invalid_argument, std::string(what) + ": blocks are " + std::to_string(block_rows) + " x " +
                                                 std::to_string(block_cols) + ", expected 1 to 32 rows and columns");
}
}  // namespace detail

/// Fill, the slots of blocks that are no entries of the matrix, is zero and takes part in products: a NaN in x reaches
/// every row of a block that covers its column. With `stored_mask`, to_csr tells fill from stored zeros; a pattern that
/// has fill always has one.
template <class Scalar, class Ordinal = std::int32_t, class Offset = std::int32_t, class Device = DefaultDevice>
struct Bsr {
  using value_type = std::remove_const_t<Scalar>;
  using ordinal_type = Ordinal;
  using size_type = Offset;
  using device_type = typename Kokkos::View<int*, Device>::device_type;
  using execution_space = typename device_type::execution_space;
  using memory_space = typename device_type::memory_space;
  using pointers_type = BsrPointers<value_type, Ordinal, detail::signed_offset_t<Offset>>;
  static constexpr char const* format_name = "bsr";

  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;  // entries of the matrix, fill not counted
  int block_rows = 1;    // rows of a block, 1 to largest_block
  int block_cols = 1;    // columns of a block, 1 to largest_block
  std::int64_t blocks = 0;
  Kokkos::View<Offset const*, Device> block_offsets{};       // (ceil(rows / block_rows) + 1) ascending, 0 to blocks
  Kokkos::View<Ordinal const*, Device> block_col_indices{};  // (blocks) ascending within a block row
  Kokkos::View<Scalar*, Device> values{};                    // (stored) block after block, or empty: a pattern
  Kokkos::View<std::uint32_t const*, Device> stored_mask{};  // (ceil(stored / 32)) a bit a slot, or empty: all stored

  [[nodiscard]] bool has_values() const { return values.extent(0) != 0; }

  /// Entries kept in memory, fill included.
  [[nodiscard]] std::int64_t stored() const { return blocks * block_rows * block_cols; }

  /// Exact bytes of the arrays as allocated.
  [[nodiscard]] std::uint64_t bytes() const {
    return block_offsets.extent(0) * sizeof(Offset) + block_col_indices.extent(0) * sizeof(Ordinal) +
           values.extent(0) * sizeof(value_type) + stored_mask.extent(0) * sizeof(std::uint32_t);
  }

  /// What kernels capture. Valid while the Views live.
  [[nodiscard]] pointers_type pointers() const {
    return {.rows = rows,
            .cols = cols,
            .nnz = nnz,
            .block_rows = block_rows,
            .block_cols = block_cols,
            .blocks = blocks,
            .block_offsets = reinterpret_cast<detail::signed_offset_t<Offset> const*>(block_offsets.data()),
            .block_col_indices = block_col_indices.data(),
            .values = has_values() ? values.data() : nullptr,
            .stored_mask = stored_mask.extent(0) != 0 ? stored_mask.data() : nullptr};
  }
};

namespace detail {
/// Block row that block k lies in, by bisection.
template <class Pointers>
KOKKOS_INLINE_FUNCTION std::int64_t block_row_of(Pointers const& a, std::int64_t block_row_count, std::int64_t k) {
  std::int64_t low = 0;
  std::int64_t high = block_row_count;  // block_offsets[low] <= k < block_offsets[high]
  while (high - low > 1) {
    std::int64_t const middle = low + (high - low) / 2;
    if (static_cast<std::int64_t>(a.block_offsets[middle]) <= k)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/// Does slot k lie within the matrix?
template <class Pointers>
KOKKOS_INLINE_FUNCTION bool slot_in_matrix(Pointers const& a, std::int64_t block_row_count, std::int64_t k) {
  std::int64_t const size = static_cast<std::int64_t>(a.block_rows) * a.block_cols;
  std::int64_t const block = k / size;
  std::int64_t const row = block_row_of(a, block_row_count, block) * a.block_rows + k % size / a.block_cols;
  std::int64_t const col = static_cast<std::int64_t>(a.block_col_indices[block]) * a.block_cols + k % a.block_cols;
  return row < a.rows && col < a.cols;
}

/// Rules on what each slot holds; the structure is valid already.
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static void validate_slots(Exec const& exec, Bsr<Scalar, Ordinal, Offset, Device> const& A) {
  auto const a = A.pointers();
  std::int64_t const block_row_count = blocks_along(A.rows, A.block_rows);
  std::int64_t entries = 0;
  reduce_indices(
      "araia::validate::bsr::nnz", IndexRange<Exec>(exec, 0, A.stored()),
      KOKKOS_LAMBDA(std::int64_t k, std::int64_t & sum) {
        if (is_stored(a, k) && slot_in_matrix(a, block_row_count, k)) ++sum;
      },
      entries);
  if (A.stored_mask.extent(0) != 0 ? entries != A.nnz : entries < A.nnz)
    throw_structure("bsr: nnz is " + std::to_string(A.nnz) + ", the slots that may be stored number " +
                    std::to_string(entries));
  if (A.has_values() && A.stored_mask.extent(0) == 0) {
    std::int64_t nonzeros = 0;
    reduce_indices(
        "araia::validate::bsr::nonzeros", IndexRange<Exec>(exec, 0, A.stored()),
        KOKKOS_LAMBDA(std::int64_t k, std::int64_t & sum) {
          if (!(a.values[k] == Scalar{}) && slot_in_matrix(a, block_row_count, k)) ++sum;
        },
        nonzeros);
    if (nonzeros > A.nnz)
      throw_structure("bsr: nnz is " + std::to_string(A.nnz) + ", values that are not 0 number " +
                      std::to_string(nonzeros));
  }
  if (!A.has_values() && A.stored_mask.extent(0) == 0 && entries != A.nnz)
    throw_structure("bsr: a pattern with fill must have a stored_mask");
  if (A.stored_mask.extent(0) != 0)
    require_rule(
        exec, A.stored(), "bsr", "stored_mask must not mark slots beyond the matrix", "slot",
        KOKKOS_LAMBDA(std::int64_t k) { return is_stored(a, k) && !slot_in_matrix(a, block_row_count, k); });
  if (A.has_values())
    require_rule(
        exec, A.stored(), "bsr", "values of fill must be 0", "slot", KOKKOS_LAMBDA(std::int64_t k) {
          bool const fill = !is_stored(a, k) || !slot_in_matrix(a, block_row_count, k);
          return fill && !(a.values[k] == Scalar{});
        });
}
}  // namespace detail

/// Checks every invariant of the format on the execution space.
/// \throws araia::Error (invalid_structure) naming the broken rule and its first place
/// Cost    O(stored log rows); fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static void validate(Exec const& exec, Bsr<Scalar, Ordinal, Offset, Device> const& A) {
  using detail::require_extent, detail::require_rule;
  if (A.rows < 0 || A.cols < 0 || A.nnz < 0 || A.blocks < 0)
    detail::throw_structure("bsr: rows, cols, nnz and blocks must not be negative");
  if (A.block_rows < 1 || A.block_rows > largest_block || A.block_cols < 1 || A.block_cols > largest_block)
    detail::throw_structure("bsr: block_rows and block_cols must lie in [1, 32], got " + std::to_string(A.block_rows) +
                            " and " + std::to_string(A.block_cols));
  std::int64_t const size = static_cast<std::int64_t>(A.block_rows) * A.block_cols;
  if (A.blocks > std::numeric_limits<std::int64_t>::max() / size)
    detail::throw_structure("bsr: blocks * block_rows * block_cols must fit 63 bits");
  std::int64_t const block_row_count = detail::blocks_along(A.rows, A.block_rows);
  std::int64_t const block_col_count = detail::blocks_along(A.cols, A.block_cols);
  if (A.rows > 0 || A.block_offsets.extent(0) > 0)
    require_extent("bsr", "block_offsets", A.block_offsets.extent(0), block_row_count + 1);
  require_extent("bsr", "block_col_indices", A.block_col_indices.extent(0), A.blocks);
  if (A.has_values()) require_extent("bsr", "values", A.values.extent(0), A.stored());
  if (A.stored_mask.extent(0) != 0)
    require_extent("bsr", "stored_mask", A.stored_mask.extent(0), (A.stored() + 31) / 32);
  auto const a = A.pointers();
  if (A.block_offsets.extent(0) > 0) {
    require_rule(
        exec, 1, "bsr", "block_offsets(0) must be 0", "block row",
        KOKKOS_LAMBDA(std::int64_t) { return a.block_offsets[0] != 0; });
    require_rule(
        exec, block_row_count, "bsr", "block_offsets must not descend", "block row",
        KOKKOS_LAMBDA(std::int64_t i) { return a.block_offsets[i + 1] < a.block_offsets[i]; });
    require_rule(
        exec, 1, "bsr", "the last of block_offsets must be blocks", "offset", KOKKOS_LAMBDA(std::int64_t) {
          return static_cast<std::int64_t>(a.block_offsets[block_row_count]) != a.blocks;
        });
  } else if (A.blocks != 0) {
    detail::throw_structure("bsr: blocks must be 0 where there are no rows");
  }
  require_rule(
      exec, a.blocks, "bsr", "block_col_indices must lie in [0, ceil(cols / block_cols))", "block",
      KOKKOS_LAMBDA(std::int64_t k) {
        return a.block_col_indices[k] < 0 || a.block_col_indices[k] >= block_col_count;
      });
  require_rule(
      exec, a.blocks - 1, "bsr", "block_col_indices must ascend within a block row", "block",
      KOKKOS_LAMBDA(std::int64_t k) {
        if (a.block_col_indices[k] < a.block_col_indices[k + 1]) return false;
        std::int64_t const row = detail::block_row_of(a, block_row_count, k);
        return static_cast<std::int64_t>(a.block_offsets[row + 1]) > k + 1;
      });
  detail::validate_slots(exec, A);
}

}  // namespace araia
