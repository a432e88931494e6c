// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B by expansion: all products of some rows of C are written out, a segment a row; each segment is sorted
// by column, equal columns in the order of A's entries, and merged. Two ways to write the products, into the same
// places:
//   expand_sort_merge  entry by entry of A by rows: the row of B that an entry names, scaled
//   outer_product      column k of A by row k of B: a sheet of C for each k; row k of B is read once
// Mapping  loops over A's entries (expansion), over the columns of A (sheets), over rows (sort, merge)
// Traffic  a product: its column written, sorted and read, 4 B of order, and its value written and read in any order
// Suits    rows of few products; sheets: tall columns of A by long rows of B. Workspace grows with the products, not
// with
//          C: rows are taken in chunks where it may not.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/formats/conversion_steps.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/segment_order.hpp>
#include <araia/detail/formats/transposition.hpp>
#include <araia/detail/kernels/csr_spgemm.hpp>
#include <araia/detail/kernels/csr_spgemm_row_search.hpp>

namespace araia::detail {

/// The products of a chunk of rows.
template <class Scalar, class Ordinal>
struct SpgemmExpansion {
  std::int64_t first_row;
  std::int64_t rows;
  std::int64_t first_entry;  // of A
  std::int64_t entries;      // of A
  std::int64_t products;
  std::int64_t* entry_offsets;  // (entries + 1) first product of an entry
  std::int64_t* row_offsets;    // (rows + 1) first product of a row
  Ordinal* columns;             // (products)
  Scalar* values;               // (products), or null
  std::uint32_t* order;         // (products) sorted within rows
};

/// Writes entry_offsets and row_offsets.
template <class Exec, class Scalar, class Ordinal, class Offset>
void csr_spgemm_expansion_offsets(Exec const& exec, SpgemmOperands<Scalar, Ordinal, Offset> const& of,
                                  SpgemmExpansion<Scalar, Ordinal> const& x) {
  auto const a = of.a;
  auto const b = of.b;
  scan_indices<std::int64_t>(
      "araia::spgemm::expansion::offsets", IndexRange<Exec>(exec, 0, x.entries + 1),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & sum, bool final) {
        if (final) x.entry_offsets[i] = sum;
        if (i == x.entries) return;
        auto const k = static_cast<std::int64_t>(a.col_indices[x.first_entry + i]);
        sum += static_cast<std::int64_t>(b.row_offsets[k + 1]) - static_cast<std::int64_t>(b.row_offsets[k]);
      });
  for_each_index(
      "araia::spgemm::expansion::rows", IndexRange<Exec>(exec, 0, x.rows + 1), KOKKOS_LAMBDA(std::int64_t i) {
        x.row_offsets[i] = x.entry_offsets[static_cast<std::int64_t>(a.row_offsets[x.first_row + i]) - x.first_entry];
      });
}

/// Writes the products of entry `at` of the chunk.
template <class Scalar, class Ordinal, class Offset>
KOKKOS_INLINE_FUNCTION void spgemm_expand(SpgemmOperands<Scalar, Ordinal, Offset> const& of, Scalar const& alpha,
                                          SpgemmExpansion<Scalar, Ordinal> const& x, std::int64_t at) {
  std::int64_t const p = x.first_entry + at;
  auto const k = static_cast<std::int64_t>(of.a.col_indices[p]);
  auto const from = static_cast<std::int64_t>(of.b.row_offsets[k]);
  auto const length = static_cast<std::int64_t>(of.b.row_offsets[k + 1]) - from;
  Scalar const factor = of.a.values ? alpha * of.a.values[p] : alpha;
  std::int64_t const to = x.entry_offsets[at];
  for (std::int64_t j = 0; j < length; ++j) x.columns[to + j] = of.b.col_indices[from + j];
  if (!x.values) return;
  for (std::int64_t j = 0; j < length; ++j) x.values[to + j] = of.b.values ? factor * of.b.values[from + j] : factor;
}

/// The products, row by row of A.
template <class Exec, class Scalar, class Ordinal, class Offset>
void csr_spgemm_expand_rows(Exec const& exec, SpgemmOperands<Scalar, Ordinal, Offset> const& of, Scalar alpha,
                            SpgemmExpansion<Scalar, Ordinal> const& x) {
  for_each_index(
      "araia::spgemm::expand_sort_merge::expand", DynamicRange<Exec>(exec, 0, x.entries, Kokkos::ChunkSize(256)),
      KOKKOS_LAMBDA(std::int64_t at) { spgemm_expand(of, alpha, x, at); });
}

/// The same products, sheet by sheet: entries of A by columns. \param offsets  (chunk's rows + 1) workspace
template <class Exec, class Scalar, class Ordinal, class Offset>
void csr_spgemm_expand_sheets(Exec const& exec, SpgemmOperands<Scalar, Ordinal, Offset> const& of, Scalar alpha,
                              SpgemmExpansion<Scalar, Ordinal> const& x,
                              Kokkos::View<Offset*, typename Exec::device_type> const& offsets) {
  using Device = typename Exec::device_type;
  auto const a = of.a;
  for_each_index(
      "araia::spgemm::outer_product::rows", IndexRange<Exec>(exec, 0, x.rows + 1), KOKKOS_LAMBDA(std::int64_t i) {
        offsets(i) = static_cast<Offset>(a.row_offsets[x.first_row + i] - static_cast<Offset>(x.first_entry));
      });
  CsrPointers<char, Ordinal, Offset> const chunk{.rows = x.rows,
                                                 .cols = a.cols,
                                                 .nnz = x.entries,
                                                 .row_offsets = offsets.data(),
                                                 .col_indices = a.col_indices + x.first_entry};
  auto const source = new_gather_map<Device>(exec, "araia::spgemm::outer_product::entries", x.entries);
  auto const entries = source.pointers();
  auto const by_columns =
      transposition<Offset, Device>(exec, chunk, PlaceEntry<char, char>{nullptr, nullptr, entries, false});
  auto const col_offsets = by_columns.col_offsets;
  for_each_index(
      "araia::spgemm::outer_product::sheets", DynamicRange<Exec>(exec, 0, a.cols, Kokkos::ChunkSize(64)),
      KOKKOS_LAMBDA(std::int64_t k) {
        auto const end = static_cast<std::int64_t>(col_offsets(k + 1));
        for (auto i = static_cast<std::int64_t>(col_offsets(k)); i < end; ++i)
          spgemm_expand(of, alpha, x, entries.at(i));
      });
  exec.fence("araia::spgemm::outer_product: workspace is released");
}

/// Bytes that the step above allocates for a chunk.
template <class Exec, class Ordinal, class Offset>
std::uint64_t spgemm_sheet_bytes(std::int64_t rows, std::int64_t cols, std::int64_t entries) {
  auto const n = static_cast<std::uint64_t>(entries);
  std::uint64_t bytes = static_cast<std::uint64_t>(rows + 1 + cols + 1) * sizeof(Offset) + n * sizeof(Ordinal) +
                        gather_map_bytes(entries);
  // What the transposition works in: counters on hosts, keys and their copy while they are sorted on devices.
  if constexpr (is_device_space<Exec>)
    bytes += n * (4 * sizeof(std::uint64_t) + sizeof(Ordinal));
  else
    bytes += std::max(static_cast<std::uint64_t>(cols), 2 * n) * sizeof(Offset);
  return bytes;
}

/// x.order: the products of each row by column, equal columns as they come.
template <class Exec, class Scalar, class Ordinal>
void csr_spgemm_sort_products(Exec const& exec, SpgemmExpansion<Scalar, Ordinal> const& x) {
  if constexpr (is_device_space<Exec>) {
    order_segments(
        exec, "araia::spgemm::expansion::sort", static_cast<std::int64_t const*>(x.row_offsets), x.rows, x.products,
        KOKKOS_LAMBDA(std::int64_t k) { return x.columns[k]; },
        KOKKOS_LAMBDA(std::int64_t to, std::int64_t from) { x.order[to] = static_cast<std::uint32_t>(from); });
  } else {
    for_each_index("araia::spgemm::expansion::sort", DynamicRange<Exec>(exec, 0, x.rows, Kokkos::ChunkSize(16)),
                   [=](std::int64_t row) {
                     std::uint32_t* const first = x.order + x.row_offsets[row];
                     std::uint32_t* const last = x.order + x.row_offsets[row + 1];
                     std::iota(first, last, static_cast<std::uint32_t>(x.row_offsets[row]));
                     std::sort(first, last, [&](std::uint32_t p, std::uint32_t q) {
                       Ordinal const at_p = x.columns[p];
                       Ordinal const at_q = x.columns[q];
                       return at_p < at_q || (at_p == at_q && p < q);
                     });
                   });
  }
}

/// counts of the chunk's rows, or their columns and sums where `cols` is not null.
template <class Exec, class Scalar, class Ordinal, class Offsets>
void csr_spgemm_merge_products(Exec const& exec, SpgemmExpansion<Scalar, Ordinal> const& x, Offsets const& offsets,
                               Ordinal* cols, Scalar* values) {
  for_each_index(
      "araia::spgemm::expansion::merge", DynamicRange<Exec>(exec, 0, x.rows, Kokkos::ChunkSize(64)),
      KOKKOS_LAMBDA(std::int64_t row) {
        std::int64_t n = cols ? offsets.at(x.first_row + row) - 1 : 0;
        std::int64_t const first = x.row_offsets[row];
        for (std::int64_t i = first; i < x.row_offsets[row + 1]; ++i) {
          std::uint32_t const product = x.order[i];
          bool const begins = i == first || x.columns[product] != x.columns[x.order[i - 1]];
          if (begins) ++n;
          if (!cols) continue;
          if (begins) cols[n] = x.columns[product];
          if (values) values[n] = begins ? x.values[product] : values[n] + x.values[product];
        }
        if (!cols) offsets.set(x.first_row + row + 1, n);
      });
}

/// before(row): products of all rows before it.
template <class Operands>
struct SpgemmProductsBefore {
  Operands of;
  std::int64_t* before;
  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t& sum, bool final) const {
    if (final) before[row] = sum;
    if (row < of.a.rows) sum += spgemm_products(of, row);
  }
};

/// The order in which products are written out.
enum class SpgemmExpansionBy { rows, sheets };

/// The kernels expand_sort_merge, by rows, and outer_product, by sheets.
template <class Exec, class Scalar, class Ordinal, class Offset>
class SpgemmExpanded final : public SpgemmWay<Exec, Scalar, Ordinal, Offset> {
 public:
  using typename SpgemmWay<Exec, Scalar, Ordinal, Offset>::Operands;
  using typename SpgemmWay<Exec, Scalar, Ordinal, Offset>::Offsets;
  using Device = typename Exec::device_type;

  /// Bytes a product.
  static std::uint64_t product_bytes(bool values) {
    // On devices long rows are sorted by keys, of which there are four arrays and a copy.
    constexpr std::uint64_t sort = is_device_space<Exec> ? 6 * sizeof(std::uint64_t) : 0;
    return sizeof(Ordinal) + (values ? sizeof(Scalar) : 0) + sizeof(std::uint32_t) + sort;
  }

  /// Cuts the rows into chunks. \throws araia::Error resource_limit where the products of one row take more than
  /// `limit` bytes (0: no limit)
  SpgemmExpanded(Exec const& exec, SpgemmExpansionBy by, Operands const& of, SpgemmFacts const& facts, bool values,
                 std::uint64_t limit)
      : by_(by), values_(values) {
    auto const before = new_array<std::int64_t, Device>(exec, "araia::spgemm::expansion::before", of.a.rows + 1);
    cutting_ = before.size() * sizeof(std::int64_t);
    scan_indices<std::int64_t>("araia::spgemm::expansion::before", IndexRange<Exec>(exec, 0, of.a.rows + 1),
                               SpgemmProductsBefore<Operands>{of, before.data()});
    // Places of products are counted in 32 bits.
    auto most = static_cast<std::int64_t>(
        std::min<std::uint64_t>(facts.products, std::numeric_limits<std::uint32_t>::max() / 2));
    if (limit > 0) most = std::min(most, static_cast<std::int64_t>(limit / product_bytes(values)));
    cut(exec, of, before, most);
    // What entries and rows take beside the products is known once they are cut.
    while (limit > 0 && workspace_bytes() > limit && most > facts.most_products) {
      double const share = static_cast<double>(limit) / static_cast<double>(workspace_bytes());
      most = std::max(facts.most_products, static_cast<std::int64_t>(0.95 * share * static_cast<double>(most)));
      cut(exec, of, before, most);
    }
    if (limit > 0) require_memory("araia::make_spgemm: the products of some rows", workspace_bytes(), limit);
    require_fits<std::uint32_t>("araia::make_spgemm: products of one row", most_products_);
  }

  [[nodiscard]] std::uint64_t workspace_bytes() const override {
    std::uint64_t const chunk = static_cast<std::uint64_t>(most_products_) * product_bytes(values_) +
                                static_cast<std::uint64_t>(most_entries_ + 1 + most_rows_ + 1) * sizeof(std::int64_t) +
                                sheets_;
    return std::max(chunk, cutting_);
  }
  void allocate(Exec const& exec) override {
    columns_ = new_array<Ordinal, Device>(exec, "araia::spgemm::expansion::columns", most_products_);
    order_ = new_array<std::uint32_t, Device>(exec, "araia::spgemm::expansion::order", most_products_);
    if (values_) products_ = new_array<Scalar, Device>(exec, "araia::spgemm::expansion::values", most_products_);
    entry_offsets_ =
        new_array<std::int64_t, Device>(exec, "araia::spgemm::expansion::entry_offsets", most_entries_ + 1);
    row_offsets_ = new_array<std::int64_t, Device>(exec, "araia::spgemm::expansion::row_offsets", most_rows_ + 1);
    if (by_ == SpgemmExpansionBy::sheets)
      sheet_offsets_ = new_array<Offset, Device>(exec, "araia::spgemm::outer_product::offsets", most_rows_ + 1);
  }
  void count(Exec const& exec, Operands const& of, Offsets const& counts) override {
    run(exec, of, Scalar(1), counts, nullptr, nullptr);
  }
  void fill(Exec const& exec, Operands const& of, Scalar alpha, Offsets const& offsets, Ordinal* cols,
            Scalar* values) override {
    run(exec, of, alpha, offsets, cols, values);
  }
  void refresh(Exec const& exec, Operands const& of, Scalar alpha, bool add, Offsets const& offsets,
               Ordinal const* cols, Scalar* values) override {
    csr_spgemm_row_search(exec, of, alpha, add, offsets, cols, values);
  }

 private:
  /// Chunks of at most so many products, or of one row.
  void cut(Exec const& exec, Operands const& of, Kokkos::View<std::int64_t*, Device> const& before, std::int64_t most) {
    rows_ = {0};
    most_products_ = most_rows_ = most_entries_ = 0;
    sheets_ = 0;
    std::int64_t const rows = of.a.rows;
    auto const at = [&](std::int64_t row) { return value_at(exec, "araia::spgemm: chunks", before.data() + row); };
    auto const entry = [&](std::int64_t row) {
      return static_cast<std::int64_t>(value_at(exec, "araia::spgemm: chunks", of.a.row_offsets + row));
    };
    while (rows_.back() < rows) {
      std::int64_t const first = rows_.back();
      std::int64_t const products = at(first);
      std::int64_t last = first + 1;  // the most rows whose products fit
      for (std::int64_t beyond = rows; beyond - last > 0;) {
        std::int64_t const middle = last + (beyond - last + 1) / 2;
        if (at(middle) - products <= most)
          last = middle;
        else
          beyond = middle - 1;
      }
      rows_.push_back(last);
      most_products_ = std::max(most_products_, at(last) - products);
      most_rows_ = std::max(most_rows_, last - first);
      most_entries_ = std::max(most_entries_, entry(last) - entry(first));
      if (by_ == SpgemmExpansionBy::sheets)
        sheets_ = std::max(
            sheets_, spgemm_sheet_bytes<Exec, Ordinal, Offset>(last - first, of.a.cols, entry(last) - entry(first)));
    }
  }

  void run(Exec const& exec, Operands const& of, Scalar alpha, Offsets const& offsets, Ordinal* cols, Scalar* values) {
    for (std::size_t chunk = 0; chunk + 1 < rows_.size(); ++chunk) {
      std::int64_t const first = rows_[chunk];
      std::int64_t const last = rows_[chunk + 1];
      auto const entry = [&](std::int64_t row) {
        return static_cast<std::int64_t>(value_at(exec, "araia::spgemm: a chunk", of.a.row_offsets + row));
      };
      SpgemmExpansion<Scalar, Ordinal> x{.first_row = first,
                                         .rows = last - first,
                                         .first_entry = entry(first),
                                         .entries = entry(last) - entry(first),
                                         .products = 0,
                                         .entry_offsets = entry_offsets_.data(),
                                         .row_offsets = row_offsets_.data(),
                                         .columns = columns_.data(),
                                         .values = values ? products_.data() : nullptr,
                                         .order = order_.data()};
      csr_spgemm_expansion_offsets(exec, of, x);
      x.products = value_at(exec, "araia::spgemm: products of a chunk", x.entry_offsets + x.entries);
      if (by_ == SpgemmExpansionBy::sheets)
        csr_spgemm_expand_sheets(exec, of, alpha, x, sheet_offsets_);
      else
        csr_spgemm_expand_rows(exec, of, alpha, x);
      csr_spgemm_sort_products(exec, x);
      csr_spgemm_merge_products(exec, x, offsets, cols, values);
    }
  }

  SpgemmExpansionBy by_;
  bool values_;
  std::vector<std::int64_t> rows_{0};  // where chunks begin, and the end
  std::int64_t most_products_ = 0;     // of a chunk
  std::int64_t most_rows_ = 0;
  std::int64_t most_entries_ = 0;
  std::uint64_t sheets_ = 0;   // bytes
  std::uint64_t cutting_ = 0;  // bytes that the rows' products take before they are cut
  Kokkos::View<Ordinal*, Device> columns_{};
  Kokkos::View<std::uint32_t*, Device> order_{};
  Kokkos::View<Scalar*, Device> products_{};
  Kokkos::View<std::int64_t*, Device> entry_offsets_{};
  Kokkos::View<std::int64_t*, Device> row_offsets_{};
  Kokkos::View<Offset*, Device> sheet_offsets_{};
};

template <SpgemmExpansionBy by, class Exec, class Scalar, class Ordinal, class Offset>
std::unique_ptr<SpgemmWay<Exec, Scalar, Ordinal, Offset>> make_spgemm_expanded(
    Exec const& exec, SpgemmOperands<Scalar, Ordinal, Offset> const& of, SpgemmFacts const& facts,
    SpgemmOptions const& options, std::string& /*refusal*/) {
  return std::make_unique<SpgemmExpanded<Exec, Scalar, Ordinal, Offset>>(exec, by, of, facts, !options.pattern_only,
                                                                         options.workspace_limit);
}

template <SpgemmExpansionBy by, class Exec, class Scalar, class Ordinal, class Offset>
std::uint64_t spgemm_expanded_bytes(Exec const&, SpgemmOperands<Scalar, Ordinal, Offset> const& of,
                                    SpgemmFacts const& facts, bool values) {
  using Expanded = SpgemmExpanded<Exec, Scalar, Ordinal, Offset>;
  std::uint64_t const offsets = static_cast<std::uint64_t>(of.a.nnz + 1 + of.a.rows + 1) * sizeof(std::int64_t);
  std::uint64_t const products =
      saturating_sum(saturating_product(facts.products, Expanded::product_bytes(values)), offsets);
  if constexpr (by == SpgemmExpansionBy::sheets)
    return saturating_sum(products, spgemm_sheet_bytes<Exec, Ordinal, Offset>(of.a.rows, of.a.cols, of.a.nnz));
  return products;
}

template <SpgemmExpansionBy by, class Exec, class Scalar, class Ordinal, class Offset>
SpgemmKernelOf<Exec, Scalar, Ordinal, Offset> spgemm_expanded_kernel(std::string_view name) {
  return {.name = name,
          .make = &make_spgemm_expanded<by, Exec, Scalar, Ordinal, Offset>,
          .workspace_bytes = &spgemm_expanded_bytes<by, Exec, Scalar, Ordinal, Offset>};
}

}  // namespace araia::detail
