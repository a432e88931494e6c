// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The kernel row_bins on hosts: who gets which rows and how much memory. What is done with a row is in
// backends/openmp/spgemm/csr_row_bins.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <araia/assembly/checked.hpp>
#include <araia/formats/memory_limit.hpp>
#include <araia/kernels/csr_spgemm.hpp>

#include "backends/openmp/spgemm/csr_row_bins/kernel_impl.hpp"

namespace araia::detail {

/// Rows of one kind.
struct SpgemmRowCount {
  std::int64_t rows = 0;
  std::uint64_t products = 0;
};

/// Of a thread, in lines of cache of its own.
struct alignas(64) SpgemmRowCounts {
  std::array<SpgemmRowCount, host::spgemm_row_kinds> kinds{};
};

/// How wide rows are that take the window, and how many products the others have at most.
struct alignas(64) SpgemmRowExtent {
  std::int64_t window = 0;  // columns
  std::int64_t hashed = 0;  // columns that differ, at most
};

/// Where a window of values leaves the second-level cache, and the most that a thread is given however large the
/// matrix.
inline constexpr std::int64_t spgemm_near_columns = std::int64_t{1} << 17;
inline constexpr std::int64_t spgemm_most_window = std::int64_t{1} << 21;
inline constexpr std::int64_t spgemm_most_slots = std::int64_t{1} << 20;
inline constexpr std::int64_t spgemm_least_window = 1024;

template <class Exec, class Scalar, class Offset>
class SpgemmRowBins final : public SpgemmWay<Exec, Scalar, std::int32_t, Offset> {
  using Base = SpgemmWay<Exec, Scalar, std::int32_t, Offset>;
  using Accumulator = host::SpgemmAccumulator<Scalar>;

 public:
  using typename Base::Offsets;
  using typename Base::Operands;

  SpgemmRowBins(Exec const& exec, Operands const& of, bool values, bool sorted, std::uint64_t limit)
      : values_(values),
        sorted_(sorted),
        slots_(std::max<std::int64_t>(1, std::min<std::int64_t>(of.a.rows, exec.concurrency()))) {
    tuning_.sorted_products = 24;
    tuning_.near_columns = spgemm_near_columns;
    tuning_.sparse_window = 64;
    auto const extent = extent_of(exec, of);
    tuning_.window_columns = rounded(extent.window);
    tuning_.hash_slots = extent.hashed > 0 ? host::spgemm_hash_slots(extent.hashed) : 0;
    if (limit > 0) shrink(limit);
  }

  [[nodiscard]] SpgemmKernel kernel() const override { return SpgemmKernel::row_bins; }
  [[nodiscard]] std::uint64_t workspace_bytes() const override {
    return static_cast<std::uint64_t>(slots_) * Accumulator::bytes(tuning_, values_);
  }

  void allocate(Exec const& exec) override {
    memory_ = new_array<unsigned char, typename Exec::device_type>(exec, "araia::spgemm::accumulators",
                                                                   static_cast<std::int64_t>(workspace_bytes()));
    counts_.resize(static_cast<std::size_t>(slots_));
    unsigned char* const memory = memory_.data();
    std::size_t const one = Accumulator::bytes(tuning_, values_);
    auto const tuning = tuning_;
    bool const values = values_;
    // Each thread clears, and so places, the memory that it will work in.
    for_each_index("araia::spgemm::clear", IndexRange<Exec>(exec, 0, slots_), [=](std::int64_t slot) {
      (void)Accumulator(tuning, values, memory + static_cast<std::size_t>(slot) * one, true);
    });
  }

  void count(Exec const& exec, Operands const& of, Offsets const& counts) override {
    for (auto& c : counts_) c = {};
    rows_of<false>(exec, "araia::spgemm::row_bins::count", of,
                   [&counts, this](auto& rows, std::int64_t slot, std::int64_t row) {
                     host::SpgemmRowKind kind{};
                     std::int64_t products = 0;
                     counts.set(row + 1, rows.count(row, kind, products));
                     auto& bin = counts_[static_cast<std::size_t>(slot)].kinds[static_cast<std::size_t>(kind)];
                     ++bin.rows;
                     bin.products += static_cast<std::uint64_t>(products);
                   });
  }

  void fill(Exec const& exec, Operands const& of, Scalar alpha, Offsets const& offsets, std::int32_t* cols,
            Scalar* values) override {
    auto const body = [&, this](auto& rows, std::int64_t, std::int64_t row) {
      std::int64_t const first = offsets.at(row);
      rows.fill(row, alpha, sorted_, cols + first, values ? values + first : nullptr);
    };
    if (of.b.values)
      rows_of<true>(exec, "araia::spgemm::row_bins::fill", of, body);
    else
      rows_of<false>(exec, "araia::spgemm::row_bins::fill", of, body);
  }

  void refresh(Exec const& exec, Operands const& of, Scalar alpha, bool add, Offsets const& offsets,
               std::int32_t const* cols, Scalar* values) override {
    auto const body = [&](auto& rows, std::int64_t, std::int64_t row) {
      std::int64_t const first = offsets.at(row);
      rows.refresh(row, alpha, add, cols + first, offsets.at(row + 1) - first, values + first);
    };
    if (of.b.values)
      rows_of<true>(exec, "araia::spgemm::row_bins::refresh", of, body);
    else
      rows_of<false>(exec, "araia::spgemm::row_bins::refresh", of, body);
  }

  [[nodiscard]] std::vector<SpgemmBin> bins() const override {
    static constexpr char const* names[] = {"empty", "copy", "sort", "dense_window", "hash", "column_ranges"};
    std::vector<SpgemmBin> bins;
    for (std::size_t kind = 0; kind < host::spgemm_row_kinds; ++kind) {
      SpgemmBin bin{names[kind], 0, 0};
      for (auto const& c : counts_) {
        bin.rows += c.kinds[kind].rows;
        bin.products += c.kinds[kind].products;
      }
      if (bin.rows > 0) bins.push_back(bin);
    }
    return bins;
  }

 private:
  static std::int64_t rounded(std::int64_t columns) { return (columns + 63) / 64 * 64; }

  [[nodiscard]] SpgemmRowExtent extent_of(Exec const& exec, Operands const& of) const {
    std::vector<SpgemmRowExtent> extents(static_cast<std::size_t>(slots_));
    auto unlimited = tuning_;
    unlimited.window_columns = spgemm_most_window;
    unlimited.hash_slots = spgemm_most_slots;
    deal_rows(exec, "araia::spgemm::row_bins::extent", of.a.rows, slots_,
              [&](std::int64_t slot, std::int64_t first, std::int64_t last) {
                auto& extent = extents[static_cast<std::size_t>(slot)];
                for (std::int64_t row = first; row < last; ++row) {
                  auto const shape = host::spgemm_row_shape(of, row);
                  std::int64_t const span = shape.last - shape.first + 1;
                  auto const kind = host::spgemm_row_kind(unlimited, shape, of.ascending);
                  if (kind == host::SpgemmRowKind::window || kind == host::SpgemmRowKind::ranges)
                    extent.window = std::max(extent.window, std::min(span, spgemm_most_window));
                  if (kind == host::SpgemmRowKind::hash)
                    extent.hashed = std::max(extent.hashed, std::min(shape.products, span));
                }
              });
    SpgemmRowExtent all;
    for (auto const& extent : extents) {
      all.window = std::max(all.window, extent.window);
      all.hashed = std::max(all.hashed, extent.hashed);
    }
    return all;
  }

  /// Smaller tables and windows, then fewer threads, until all take at most `limit` bytes.
  void shrink(std::uint64_t limit) {
    if (workspace_bytes() <= limit) return;
    auto const wanted = tuning_;
    for (; slots_ > 0; slots_ = slots_ > 1 ? slots_ / 2 : 0) {
      std::uint64_t const one = limit / static_cast<std::uint64_t>(slots_) / 64 * 64;
      tuning_ = wanted;
      // A table takes a quarter at most: the rows that the window no longer spans fall to it.
      auto table = wanted;
      table.window_columns = 0;
      table.hash_slots = std::max<std::int64_t>(
          wanted.hash_slots, host::spgemm_hash_slots(std::min<std::int64_t>(wanted.window_columns, 8192)));
      while (table.hash_slots >= 64 && Accumulator::bytes(table, values_) > one / 4) table.hash_slots /= 2;
      tuning_.hash_slots = table.hash_slots >= 64 ? table.hash_slots : 0;
      // The rest is window: what 4096 columns take, as often as it fits.
      tuning_.window_columns = 0;
      std::uint64_t const without = Accumulator::bytes(tuning_, values_);
      if (without >= one) continue;
      constexpr std::int64_t unit = 64;
      std::uint64_t const of_unit = unit * (values_ ? sizeof(Scalar) : 0) + 8 + 1;
      auto const units = static_cast<std::int64_t>((one - without) / of_unit);
      tuning_.window_columns = std::min(wanted.window_columns, units * unit);
      while (tuning_.window_columns > 0 && Accumulator::bytes(tuning_, values_) > one) tuning_.window_columns -= unit;
      if (tuning_.window_columns >= std::min(wanted.window_columns, spgemm_least_window)) return;
    }
    slots_ = 1;
    tuning_ = wanted;
    tuning_.hash_slots = 0;
    tuning_.window_columns = std::min(wanted.window_columns, spgemm_least_window);
    require_memory("araia::make_spgemm: the accumulator of one thread", workspace_bytes(), limit);
  }

  /// body(rows, slot, row) for every row. \tparam Values  whether those of B are read, which are there
  template <bool Values, class Body>
  void rows_of(Exec const& exec, char const* label, Operands const& of, Body const& body) {
    std::size_t const one = Accumulator::bytes(tuning_, values_);
    deal_rows(exec, label, of.a.rows, slots_, [&](std::int64_t slot, std::int64_t first, std::int64_t last) {
      host::SpgemmRows<Scalar, Offset, Values> rows(
          of, tuning_, Accumulator(tuning_, values_, memory_.data() + static_cast<std::size_t>(slot) * one, false));
      for (std::int64_t row = first; row < last; ++row) body(rows, slot, row);
    });
  }

  bool values_;
  bool sorted_;
  std::int64_t slots_;  // threads
  host::SpgemmRowTuning tuning_{};
  Kokkos::View<unsigned char*, typename Exec::device_type> memory_{};
  std::vector<SpgemmRowCounts> counts_{};
};

/// Hosts, int32 columns.
template <class Exec, class Scalar, class Offset>
requires(!is_device_space<Exec>) struct SpgemmRowBinsOf<Exec, Scalar, std::int32_t, Offset> {
  static std::unique_ptr<SpgemmWay<Exec, Scalar, std::int32_t, Offset>> make(
      Exec const& exec, SpgemmOperands<Scalar, std::int32_t, Offset> const& of, SpgemmFacts const&,
      SpgemmOptions const& options, std::string& /*refusal*/) {
    return std::make_unique<SpgemmRowBins<Exec, Scalar, Offset>>(exec, of, !options.pattern_only, options.sorted,
                                                                 options.workspace_limit);
  }
};

}  // namespace araia::detail
