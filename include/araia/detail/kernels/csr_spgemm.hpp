// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the kernels of C = alpha A B share: C's row offsets, facts of a product, the form of a kernel.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/scalar.hpp>
#include <araia/detail/kernels/csr_spgemm_operands.hpp>
#include <araia/detail/ops/spgemm_options.hpp>

namespace araia::detail {

/// Row offsets that C takes where they fit.
template <class Offset>
using spgemm_narrow_t = std::conditional_t<(sizeof(Offset) < 4), Offset, std::int32_t>;

/// C's row offsets, (rows + 1) of one of two widths. Before they are summed, i + 1 holds the entries of row i.
template <class Narrow>
struct SpgemmOffsets {
  Narrow* narrow = nullptr;
  std::int64_t* wide = nullptr;

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t at(std::int64_t i) const {
    return wide ? wide[i] : static_cast<std::int64_t>(narrow[i]);
  }
  KOKKOS_FUNCTION void set(std::int64_t i, std::int64_t value) const {
    if (wide)
      wide[i] = value;
    else
      narrow[i] = static_cast<Narrow>(value);
  }
};

/// What is known of a product before its structure.
struct SpgemmFacts {
  std::uint64_t products = 0;
  std::int64_t most_products = 0;  ///< of a row
};

template <class Scalar, class Ordinal, class Offset>
KOKKOS_INLINE_FUNCTION std::int64_t spgemm_products(SpgemmOperands<Scalar, Ordinal, Offset> const& of,
                                                    std::int64_t row) {
  std::int64_t sum = 0;
  auto const end = static_cast<std::int64_t>(of.a.row_offsets[row + 1]);
  for (auto p = static_cast<std::int64_t>(of.a.row_offsets[row]); p < end; ++p) {
    auto const k = static_cast<std::int64_t>(of.a.col_indices[p]);
    sum += static_cast<std::int64_t>(of.b.row_offsets[k + 1]) - static_cast<std::int64_t>(of.b.row_offsets[k]);
  }
  return sum;
}

/// Host: body(slot, first, last) for all rows in chunks that go to whichever of the slots is free. Each slot has one
/// thread, so that what it works in needs no lock.
template <class Exec, class Body>
static void deal_rows(Exec const& exec, char const* label, std::int64_t rows, std::int64_t slots, Body const& body) {
  static_assert(!is_device_space<Exec>);
  constexpr std::int64_t most_rows = 512;      // of a chunk: a thread waits for no other at the end
  constexpr std::int64_t chunks_of_slot = 32;  // so that uneven rows even out
  std::int64_t const chunk = std::clamp<std::int64_t>(rows / (slots * chunks_of_slot), 1, most_rows);
  std::atomic<std::int64_t> next = 0;
  auto* const first_free = &next;
  for_each_index(label, DynamicRange<Exec>(exec, 0, slots, Kokkos::ChunkSize(1)), [=, &body](std::int64_t slot) {
    for (;;) {
      std::int64_t const first = first_free->fetch_add(chunk, std::memory_order_relaxed);
      if (first >= rows) return;
      body(slot, first, std::min(first + chunk, rows));
    }
  });
}

/// A way to form the product in two steps. It holds its workspace, all of which it announces.
template <class Exec, class Scalar, class Ordinal, class Offset>
class SpgemmWay {
 public:
  using Operands = SpgemmOperands<Scalar, Ordinal, Offset>;
  using Offsets = SpgemmOffsets<spgemm_narrow_t<Offset>>;

  SpgemmWay() = default;
  SpgemmWay(SpgemmWay const&) = delete;
  SpgemmWay& operator=(SpgemmWay const&) = delete;
  virtual ~SpgemmWay() = default;

  /// The most that its steps hold at any time.
  [[nodiscard]] virtual std::uint64_t workspace_bytes() const = 0;
  /// Allocates what it keeps.
  virtual void allocate(Exec const& exec) = 0;
  /// counts(i + 1): the entries of row i of C.
  virtual void count(Exec const& exec, Operands const& of, Offsets const& counts) = 0;
  /// Columns, and values where these are not null.
  virtual void fill(Exec const& exec, Operands const& of, Scalar alpha, Offsets const& offsets, Ordinal* cols,
                    Scalar* values) = 0;
  /// Values of columns that fill() wrote. \param add  to what they hold
  virtual void refresh(Exec const& exec, Operands const& of, Scalar alpha, bool add, Offsets const& offsets,
                       Ordinal const* cols, Scalar* values) = 0;
  /// Rows by how they were summed, once they are counted; empty where all of them were in one way.
  [[nodiscard]] virtual std::vector<SpgemmBin> bins() const { return {}; }
};

/// A kernel of C = A B for one set of types, by its name.
template <class Exec, class Scalar, class Ordinal, class Offset>
struct SpgemmKernelOf {
  using Way = SpgemmWay<Exec, Scalar, Ordinal, Offset>;
  using Operands = typename Way::Operands;

  std::string_view name;
  /// Null where the kernel does not run the product; \param refusal  says why.
  /// \throws araia::Error resource_limit where the workspace is beyond options.workspace_limit
  std::unique_ptr<Way> (*make)(Exec const& exec, Operands const& of, SpgemmFacts const& facts,
                               SpgemmOptions const& options, std::string& refusal);
  /// Of a product without limits; null where a look at the structure tells.
  std::uint64_t (*workspace_bytes)(Exec const& exec, Operands const& of, SpgemmFacts const& facts, bool values);
};

}  // namespace araia::detail
