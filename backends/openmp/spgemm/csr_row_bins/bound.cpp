// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel row_bins on hosts: who gets which rows and how much memory. What is done with a row is in rows.cpp.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/detail/formats/written_out.hpp>
#include <araia/detail/kernels/csr_spgemm.hpp>

#include "backends/openmp/spgemm/csr_row_bins/descriptor.hpp"
#include "backends/openmp/spgemm/csr_row_bins/rows_host.hpp"

namespace araia::detail {

/// Where a window of values leaves the second-level cache, and the most that a thread is given however large the
/// matrix.
inline constexpr std::int64_t spgemm_near_columns = std::int64_t{1} << 17;
inline constexpr std::int64_t spgemm_most_window = std::int64_t{1} << 21;
inline constexpr std::int64_t spgemm_most_slots = std::int64_t{1} << 20;
inline constexpr std::int64_t spgemm_least_window = 1024;
/// Sums of four rows of C of so many entries stay in the second-level cache.
inline constexpr std::int64_t spgemm_lane_entries = 4096;
inline constexpr std::int64_t spgemm_mapped_products = 8192;

template <class Exec, class Scalar, class Offset>
class SpgemmRowBins final : public SpgemmWay<Exec, Scalar, std::int32_t, Offset> {
  using Base = SpgemmWay<Exec, Scalar, std::int32_t, Offset>;
  using Plain = std::conditional_t<(sizeof(Scalar) > 8), host::SpgemmComplex, Scalar>;
  using Args = host::SpgemmRowsArgs<Plain, Offset>;

 public:
  using typename Base::Offsets;
  using typename Base::Operands;

  SpgemmRowBins(Exec const& exec, Operands const& of, bool values, bool sorted, std::uint64_t limit)
      : values_(values),
        sorted_(sorted),
        slots_(std::max<std::int64_t>(1, std::min<std::int64_t>(of.a.rows, exec.concurrency()))) {
    bool const a_is_b = of.a.row_offsets == of.b.row_offsets && of.a.col_indices == of.b.col_indices;
    b_link_bytes_ = host::spgemm_b_link_bytes(of.b.rows);
    std::int64_t const link_bytes = b_link_bytes_ + host::spgemm_c_link_bytes(of.a.rows);
    // Columns in any order, or twice, would be added in another order where rows go together.
    if (of.ascending && (limit == 0 || static_cast<std::uint64_t>(link_bytes) <= limit)) {
      links_ = new_array<std::uint8_t, typename Exec::device_type>(exec, "araia::spgemm::links", link_bytes);
      link(exec, of.b);
    }
    auto const extent = extent_of(exec, of, a_is_b);
    tuning_ = unlimited();
    tuning_.window_columns = values_ ? rounded(extent.window) : 0;
    tuning_.mask_columns = rounded(extent.window);
    tuning_.byte_columns = tuning_.mask_columns;
    tuning_.hash_slots = extent.hashed > 0 ? host::spgemm_hash_slots(extent.hashed) : 0;
    tuning_.lane_entries = extent.lanes;
    tuning_.mapped_products = extent.mapped;
    if (limit > 0) shrink(limit, extent);
  }

  [[nodiscard]] std::uint64_t workspace_bytes() const override { return bytes(tuning_); }

  void allocate(Exec const& exec) override {
    std::int64_t const one = slot_bytes(tuning_);
    memory_ = new_array<unsigned char, typename Exec::device_type>(exec, "araia::spgemm::accumulators", slots_ * one);
    counts_.resize(static_cast<std::size_t>(slots_));
    unsigned char* const memory = memory_.data();
    auto const tuning = tuning_;
    bool const values = values_;
    // Each thread clears, and so places, the memory that it will work in.
    for_each_index("araia::spgemm::clear", IndexRange<Exec>(exec, 0, slots_), [=](std::int64_t slot) {
      (void)host::spgemm_row_memory<Plain>(tuning, values, memory + slot * one, true);
    });
  }

  void count(Exec const& exec, Operands const& of, Offsets const& counts) override {
    for (auto& c : counts_) c = {};
    rows_of(exec, "araia::spgemm::row_bins::count", of, [&, this](Args const& args, std::int64_t slot) {
      host::spgemm_count(args, offsets_of(counts), counts_[static_cast<std::size_t>(slot)], isa_);
    });
  }

  void fill(Exec const& exec, Operands const& of, Scalar alpha, Offsets const& offsets, std::int32_t* cols,
            Scalar* values) override {
    rows_of(exec, "araia::spgemm::row_bins::fill", of, [&, this](Args const& args, std::int64_t) {
      host::spgemm_fill(args, plain(alpha), sorted_, offsets_of(offsets), cols, plain(values), isa_);
    });
  }

  void refresh(Exec const& exec, Operands const& of, Scalar alpha, bool add, Offsets const& offsets,
               std::int32_t const* cols, Scalar* values) override {
    rows_of(exec, "araia::spgemm::row_bins::refresh", of, [&, this](Args const& args, std::int64_t) {
      host::spgemm_refresh(args, plain(alpha), add, offsets_of(offsets), cols, plain(values), isa_);
    });
  }

  [[nodiscard]] std::vector<SpgemmBin> bins() const override {
    static constexpr char const* names[] = {"empty", "copy", "sort", "dense_window", "hash", "column_ranges"};
    std::vector<SpgemmBin> bins;
    for (int kind = 0; kind < host::spgemm_row_kinds; ++kind) {
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

  static Plain plain(Scalar const& alpha) {
    if constexpr (std::is_same_v<Plain, Scalar>)
      return alpha;
    else
      return {alpha.real(), alpha.imag()};
  }
  static Plain* plain(Scalar* values) { return reinterpret_cast<Plain*>(values); }
  static CsrPointers<Plain, std::int32_t, Offset> plain(CsrPointers<Scalar, std::int32_t, Offset> const& a) {
    static_assert(sizeof(Plain) == sizeof(Scalar));
    return {.rows = a.rows,
            .cols = a.cols,
            .nnz = a.nnz,
            .row_offsets = a.row_offsets,
            .col_indices = a.col_indices,
            .values = reinterpret_cast<Plain const*>(a.values),
            .row_permutation = nullptr};
  }
  static host::SpgemmRowOffsets offsets_of(Offsets const& offsets) { return {offsets.narrow, offsets.wide}; }

  [[nodiscard]] std::int64_t slot_bytes(host::SpgemmRowTuning const& tuning) const {
    return static_cast<std::int64_t>(host::spgemm_row_bytes<Plain>(tuning, values_));
  }
  [[nodiscard]] std::uint64_t bytes(host::SpgemmRowTuning const& tuning) const {
    return static_cast<std::uint64_t>(slots_) * static_cast<std::uint64_t>(slot_bytes(tuning)) + links_.size();
  }

  /// What rows would take if there were no limit.
  static host::SpgemmRowTuning unlimited() {
    host::SpgemmRowTuning tuning;
    tuning.sorted_products = host::spgemm_short_row;
    tuning.near_columns = spgemm_near_columns;
    tuning.sparse_window = 64;
    tuning.mask_columns = spgemm_most_window;
    tuning.window_columns = spgemm_most_window;
    tuning.hash_slots = spgemm_most_slots;
    tuning.lane_entries = spgemm_lane_entries;
    tuning.mapped_products = spgemm_mapped_products;
    return tuning;
  }

  /// body(slot, first, last) for all rows, first a multiple of spgemm_link_rows.
  template <class Body>
  void deal_linked_rows(Exec const& exec, char const* label, std::int64_t rows, Body const& body) const {
    constexpr std::int64_t block = 8 * host::spgemm_link_rows;
    deal_rows(exec, label, (rows + block - 1) / block, slots_,
              [&](std::int64_t slot, std::int64_t first, std::int64_t last) {
                body(slot, first * block, std::min(last * block, rows));
              });
  }

  void link(Exec const& exec, CsrPointers<Scalar, std::int32_t, Offset> const& b) const {
    auto* const links = links_.data();
    deal_linked_rows(
        exec, "araia::spgemm::row_bins::links", b.rows, [&, this](std::int64_t, std::int64_t first, std::int64_t last) {
          host::spgemm_links(host::SpgemmLinksArgs<Offset>{b.row_offsets, b.col_indices, links, first, last}, isa_);
        });
  }

  /// Of all rows; writes the links of C's.
  [[nodiscard]] host::SpgemmRowExtent extent_of(Exec const& exec, Operands const& of, bool a_is_b) {
    std::vector<host::SpgemmRowExtent> extents(static_cast<std::size_t>(slots_));
    deal_linked_rows(exec, "araia::spgemm::row_bins::extent", of.a.rows,
                     [&, this](std::int64_t slot, std::int64_t first, std::int64_t last) {
                       Args const args = args_of(of, unlimited(), {}, first, last);
                       host::spgemm_shapes(args, a_is_b, extents[static_cast<std::size_t>(slot)], isa_);
                     });
    host::SpgemmRowExtent all;
    for (auto const& extent : extents) {
      all.window = std::max(all.window, extent.window);
      all.hashed = std::max(all.hashed, extent.hashed);
      all.span = std::max(all.span, extent.span);
      all.lanes = std::max(all.lanes, extent.lanes);
      all.mapped = std::max(all.mapped, extent.mapped);
    }
    return all;
  }

  /// Takes what costs the least time for its bytes, until all is at most `limit`: values of the window (places are then
  /// found by marks), sums of long rows several at once, marks of a byte, the table, all sums of several rows. Returns
  /// whether that is enough.
  bool reduced(host::SpgemmRowTuning const& wanted, std::uint64_t limit, host::SpgemmRowExtent const& extent) {
    auto const fits = [&] { return bytes(tuning_) <= limit; };
    tuning_ = wanted;
    tuning_.window_columns = 0;
    auto const shorten_lanes = [&](std::int64_t least) {
      while (!fits() && tuning_.lane_entries > least) tuning_.lane_entries /= 2;
    };
    shorten_lanes(512);  // entries: longer rows are few
    if (!fits()) tuning_.byte_columns = 0;
    shorten_lanes(64);
    if (!fits()) {
      tuning_.hash_slots = 0;
      tuning_.mask_columns = rounded(std::min(extent.span, spgemm_most_window));
    }
    if (!fits()) tuning_.lane_entries = tuning_.mapped_products = 0;
    return fits();
  }

  /// Less memory for each thread, then half the threads, no links of rows, fewer threads, fewer marks, until all takes
  /// at most `limit` bytes.
  void shrink(std::uint64_t limit, host::SpgemmRowExtent const& extent) {
    if (workspace_bytes() <= limit) return;
    auto const wanted = tuning_;
    std::int64_t const threads = slots_;
    bool fits = false;
    if (extent.lanes > 0 && links_.size() > 0) {
      fits = reduced(wanted, limit, extent) && tuning_.lane_entries > 0;
      slots_ = fits ? threads : std::max<std::int64_t>(1, threads / 2);
      fits = fits || (reduced(wanted, limit, extent) && tuning_.lane_entries > 0);
    }
    if (!fits) {
      links_ = {};
      auto unlinked = wanted;
      unlinked.lane_entries = unlinked.mapped_products = 0;
      for (slots_ = threads; !(fits = reduced(unlinked, limit, extent)) && slots_ > 1;) slots_ /= 2;
    }
    if (!fits) {
      std::int64_t const least = std::min(tuning_.mask_columns, spgemm_least_window);
      while (tuning_.mask_columns > least && bytes(tuning_) > limit)
        tuning_.mask_columns = std::max(least, rounded(tuning_.mask_columns / 2));
      require_memory("araia::make_spgemm: the accumulator of one thread", workspace_bytes(), limit);
    }
    if (!values_) return;
    std::uint64_t const left = (limit - bytes(tuning_)) / static_cast<std::uint64_t>(slots_) / sizeof(Scalar);
    auto const columns = static_cast<std::int64_t>(std::min<std::uint64_t>(left, std::uint64_t{1} << 40));
    tuning_.window_columns = std::min(wanted.window_columns, columns / 64 * 64);
  }

  [[nodiscard]] Args args_of(Operands const& of, host::SpgemmRowTuning const& tuning,
                             host::SpgemmRowMemory<Plain> const& memory, std::int64_t first, std::int64_t last) const {
    bool const linked = links_.size() > 0;
    return {.a = plain(of.a),
            .b = plain(of.b),
            .ascending = of.ascending,
            .tuning = tuning,
            .b_links = linked ? links_.data() : nullptr,
            .c_links = linked ? links_.data() + b_link_bytes_ : nullptr,
            .memory = memory,
            .first_row = first,
            .last_row = last};
  }

  /// body(args, slot) for all rows, in chunks.
  template <class Body>
  void rows_of(Exec const& exec, char const* label, Operands const& of, Body const& body) {
    std::int64_t const one = slot_bytes(tuning_);
    deal_rows(exec, label, of.a.rows, slots_, [&](std::int64_t slot, std::int64_t first, std::int64_t last) {
      body(args_of(of, tuning_, host::spgemm_row_memory<Plain>(tuning_, values_, memory_.data() + slot * one, false),
                   first, last),
           slot);
    });
  }

  bool values_;
  bool sorted_;
  std::int64_t slots_;  // threads
  host::Isa isa_ = host::isa();
  host::SpgemmRowTuning tuning_{};
  std::int64_t b_link_bytes_ = 0;
  Kokkos::View<std::uint8_t*, typename Exec::device_type> links_{};  // of B's rows, then of C's; or empty
  Kokkos::View<unsigned char*, typename Exec::device_type> memory_{};
  std::vector<host::SpgemmRowCounts> counts_{};
};

template <class Exec, class Scalar, class Offset>
std::unique_ptr<SpgemmWay<Exec, Scalar, std::int32_t, Offset>> make_spgemm_row_bins(
    Exec const& exec, SpgemmOperands<Scalar, std::int32_t, Offset> const& of, SpgemmFacts const& /*facts*/,
    SpgemmOptions const& options, std::string& /*refusal*/) {
  return std::make_unique<SpgemmRowBins<Exec, Scalar, Offset>>(exec, of, !options.pattern_only, options.sorted,
                                                               options.workspace_limit);
}

[[gnu::used]] static void write_out_spgemm_row_bins() {
  for_types<HostSpaces, Scalars, AllOffsets>(
      [&]<class Exec, class Scalar, class Offset>() { write_out(make_spgemm_row_bins<Exec, Scalar, Offset>); });
}

}  // namespace araia::detail
