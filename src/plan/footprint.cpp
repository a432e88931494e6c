// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each format takes, from the row statistics alone: the formats' own estimates, over the scalars of the problem.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <araia/formats/bcsc_bytes.hpp>
#include <araia/formats/csr_steps_pointers.hpp>
#include <araia/formats/csr_to_sell.hpp>
#include <araia/plan/traffic.hpp>
#include "src/plan/format_options.hpp"
#include "src/plan/kernel_table.hpp"

namespace araia {
namespace {

using Ordinal = std::int32_t;
using Offset = std::int32_t;  // of all formats but csr: a plan makes the others of 2^31 - 1 slots at most
using detail::saturating_product;
using detail::saturating_sum;

std::uint64_t permutation_bytes(Problem const& p, Choice const& c) {
  return c.rows_by_length || p.source_permuted
             ? static_cast<std::uint64_t>(p.stats.rows) * static_cast<std::uint64_t>(p.ordinal_bytes)
             : 0;
}

Footprint of_csr(Problem const& p, Choice const& c) {
  auto const entry = static_cast<std::uint64_t>(p.value_bytes + p.ordinal_bytes);
  auto const offsets = (static_cast<std::uint64_t>(p.stats.rows) + 1) * static_cast<std::uint64_t>(p.offset_bytes);
  auto const entries = saturating_product(static_cast<std::uint64_t>(p.stats.nnz), entry);
  return {.bytes = saturating_sum(entries, offsets + permutation_bytes(p, c) + detail::kernel_bytes(p, c)),
          .slots = p.stats.nnz,
          .exact = true};
}

/// Without padding, which depends on where entries lie.
Footprint of_csr_in_panels(Problem const& p) {
  constexpr std::uint64_t panel = 1;  // of a unit of 16 bytes of products
  constexpr std::uint64_t column = sizeof(std::uint16_t);
  constexpr std::uint64_t place = sizeof(std::uint16_t);
  constexpr std::uint64_t most_buffer = std::uint64_t{24} << 20;  // bytes: four bands of products
  auto const nnz = static_cast<std::uint64_t>(p.stats.nnz);
  auto const y = static_cast<std::uint64_t>(p.y_bytes);
  auto const entries = saturating_product(nnz, static_cast<std::uint64_t>(p.value_bytes) + column + place);
  auto const spans = static_cast<std::uint64_t>(detail::panel_spans(p));
  auto const rows = static_cast<std::uint64_t>(p.stats.rows) * sizeof(std::uint16_t) * spans;
  auto const places = spans > 1 ? nnz * sizeof(std::int32_t) : 0;  // in the Csr
  return {
      .bytes = saturating_sum(entries, rows + places + nnz * y / 16 * panel + std::min(most_buffer * spans, nnz * y) +
                                           (p.source_permuted ? permutation_bytes(p, {}) : 0)),
      .slots = p.stats.nnz};
}

/// Slots of slices, and entries of zero where neighbours are far apart: as many as random columns within the band need.
template <class Scalar>
Footprint of_csr_in_steps(Problem const& p) {
  using Steps = CsrStepsPointers<Scalar>;
  constexpr double step = static_cast<double>(Steps::group_bytes) / Steps::group_steps;  // bytes
  constexpr double reach = Steps::no_entry;                                              // columns
  constexpr int slice_height = Steps::slice_height;
  using Format = Sell<Scalar, Ordinal, Offset, Kokkos::HostSpace>;
  std::uint64_t const full = estimate_bytes<Format>(p.stats, SellOptions{.slice_height = slice_height}, true);
  if (full >> 63 != 0) return {.bytes = full, .slots = p.stats.nnz};
  auto const nnz = static_cast<double>(p.stats.nnz);
  auto const rows = static_cast<double>(p.stats.rows);
  double const slots = std::max(nnz, (static_cast<double>(full) - rows * sizeof(Ordinal)) /
                                         (p.value_bytes + static_cast<double>(sizeof(Ordinal))));
  auto const span =
      static_cast<double>(std::min(p.stats.cols, p.stats.lower_bandwidth + p.stats.upper_bandwidth + slice_height));
  double const gap = span / (std::max(1.0, p.stats.mean_length) + 1);
  double const between = gap > 0 ? 1 / std::expm1(reach / gap) : 0;  // of random gaps, an entry
  constexpr double most = 9e18;                                      // bytes that 64 bits hold
  double const bytes =
      std::min(most, slots * (1 + between) * (p.value_bytes + step) + rows * (sizeof(Ordinal) + 20.0 / slice_height));
  return {.bytes = static_cast<std::uint64_t>(bytes) + (p.source_permuted ? permutation_bytes(p, {}) : 0),
          .slots = p.stats.nnz};
}

Footprint of_coo(Problem const& p) {
  auto const entry = static_cast<std::uint64_t>(p.value_bytes + 2 * p.ordinal_bytes);
  return {
      .bytes = saturating_product(static_cast<std::uint64_t>(p.stats.nnz), entry), .slots = p.stats.nnz, .exact = true};
}

Footprint of_ell(Problem const& p, Choice const& c) {
  auto const rows = static_cast<std::uint64_t>(p.stats.rows);
  auto const slots = saturating_product(rows, static_cast<std::uint64_t>(p.stats.max_length));
  auto const entry = static_cast<std::uint64_t>(p.value_bytes + p.ordinal_bytes);
  auto const lengths = rows * static_cast<std::uint64_t>(p.ordinal_bytes);
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return {.bytes = saturating_sum(saturating_product(slots, entry), lengths + permutation_bytes(p, c)),
          .slots = static_cast<std::int64_t>(std::min(slots, most)),
          .exact = true};
}

template <class Scalar>
Footprint of_csc(Problem const& p, Choice const& c) {
  using Format = Csc<Scalar, Ordinal, Offset, Kokkos::HostSpace>;
  return {.bytes = estimate_bytes<Format>(p.stats, detail::csc_options(c, {}), p.value_bytes > 0),
          .slots = p.stats.nnz,
          .exact = true};
}

template <class Scalar>
Footprint of_hyb(Problem const& p, Choice const& c) {
  using Format = Hyb<Scalar, Ordinal, Kokkos::HostSpace>;
  bool const values = p.value_bytes > 0;
  auto const options = detail::hyb_options(c, {});
  auto const costs = detail::HybCosts::of<Scalar, Ordinal>(values);
  auto const parts = detail::estimate_hyb(p.stats, costs.share(), options.width);
  return {.bytes = estimate_bytes<Format>(p.stats, options, values, p.source_permuted),
          .slots = p.stats.rows * parts.width + parts.tail,
          .tail = parts.tail};
}

template <class Scalar>
Footprint of_sell(Problem const& p, Choice const& c) {
  using Format = Sell<Scalar, Ordinal, Offset, Kokkos::HostSpace>;
  auto const options = detail::sell_options(c, {});
  bool const values = p.value_bytes > 0;
  // Indices that storage saves, of the plain form's slots.
  SellOptions plain = options;
  plain.columns = SellColumns::full;
  plain.block_width = 1;
  std::uint64_t const full = estimate_bytes<Format>(p.stats, plain, values);
  if (full >> 63 != 0) return {.bytes = full, .slots = p.stats.nnz};
  auto const rows = static_cast<double>(p.stats.rows) * (c.rows_by_length ? 2 : 1);
  double const slots =
      std::max(static_cast<double>(p.stats.nnz), (static_cast<double>(full) - rows * sizeof(Ordinal)) /
                                                     (p.value_bytes + static_cast<double>(sizeof(Ordinal))));
  // Rows that share their columns up to a shift lie on diagonals; where nobody looked for them, all may. They do not
  // tell it of a pattern: it is all indices, and any few entries of a slice that are on one diagonal pay there.
  double const nnz = std::max(1.0, static_cast<double>(p.stats.nnz));
  bool const unknown = c.diagonals && (p.shared_entries < 0 || !values);
  double const off_diagonals = !c.diagonals ? 1 : unknown ? 0 : 1 - static_cast<double>(p.shared_entries) / nnz;
  constexpr std::int64_t narrow_span = 65536;
  std::int64_t const span =
      std::min(p.stats.cols, p.stats.lower_bandwidth + p.stats.upper_bandwidth + options.slice_height);
  double const index = c.narrow && span <= narrow_span ? sizeof(std::uint16_t) : sizeof(Ordinal);
  double const saved = slots * (sizeof(Ordinal) - index * off_diagonals / options.block_width);
  auto const bytes = static_cast<std::uint64_t>(std::max(0.0, static_cast<double>(full) - saved));
  bool const even = p.stats.min_length == p.stats.max_length && !c.diagonals && !c.narrow && c.block_width <= 1 &&
                    p.stats.rows % options.slice_height == 0;
  return {.bytes = bytes, .slots = p.stats.nnz, .exact = even, .bound = unknown};
}

template <class Scalar>
Footprint of_bsr(Problem const& p, Choice const& c) {
  using Format = Bsr<Scalar, Ordinal, Offset, Kokkos::HostSpace>;
  bool const values = p.value_bytes > 0;
  Footprint least{.bytes = std::numeric_limits<std::uint64_t>::max()};
  for (auto const& known : p.block_fill) {
    bool const asked = (c.block_rows == 0 || c.block_rows == known.block_rows) &&
                       (c.block_cols == 0 || c.block_cols == known.block_cols);
    if (!asked) continue;
    auto const size = static_cast<double>(known.block_rows) * known.block_cols;
    auto const blocks = static_cast<std::int64_t>(std::ceil(known.fill * static_cast<double>(p.stats.nnz) / size));
    BsrOptions const shape{.block_rows = known.block_rows, .block_cols = known.block_cols};
    auto const bytes = detail::bsr_bytes<Format>(p.stats.rows, p.stats.nnz, blocks, values, shape) +
                       (is_bsr_in_slices(c) ? detail::bsr_packing_bytes(p.stats.rows, blocks, shape) : 0);
    if (bytes < least.bytes)
      least = {.bytes = bytes, .slots = blocks * known.block_rows * known.block_cols, .pieces = blocks};
  }
  if (least.slots > 0) return least;
  auto const options = BsrOptions{.block_rows = std::max(1, c.block_rows), .block_cols = std::max(1, c.block_cols)};
  return {.bytes = estimate_bytes<Format>(p.stats, options, values),
          .slots = p.stats.nnz,
          .pieces = p.stats.nnz / (options.block_rows * options.block_cols)};
}

template <class Scalar>
Footprint of_bcsc(Problem const& p, Choice const& c) {
  using Wide = Bcsc<Scalar, Ordinal, Offset, Kokkos::HostSpace>;
  using Compact = BcscCompact<Scalar, Ordinal, Offset, Kokkos::HostSpace>;
  auto const options = detail::bcsc_options(c, {});
  bool const values = p.value_bytes > 0;
  return {.bytes = c.compact ? estimate_bytes<Compact>(p.stats, options, values, p.source_permuted)
                             : estimate_bytes<Wide>(p.stats, options, values, p.source_permuted),
          .slots = p.stats.nnz,
          .pieces = std::llround(detail::estimate_block_columns(p.stats, options.block_height))};
}

template <class Scalar>
Footprint over(Problem const& p, Choice const& c) {
  if (c.format == "csc") return of_csc<Scalar>(p, c);
  if (c.format == "hyb") return of_hyb<Scalar>(p, c);
  if (c.format == "sell") return of_sell<Scalar>(p, c);
  if (c.format == "bsr") return of_bsr<Scalar>(p, c);
  return of_bcsc<Scalar>(p, c);
}

}  // namespace

Footprint predicted_footprint(Problem const& p, Choice const& c) {
  if (is_held(c)) {
    auto const* const held = detail::held_estimate(p, c);
    return {.bytes = held ? held->bytes : 0, .slots = p.stats.nnz};
  }
  if (is_csr_in_panels(c)) return of_csr_in_panels(p);
  if (is_csr_in_steps(c)) return p.value_bytes == 4 ? of_csr_in_steps<float>(p) : of_csr_in_steps<double>(p);
  if (c.format == "csr") return of_csr(p, c);
  if (c.format == "coo") return of_coo(p);
  if (c.format == "ell") return of_ell(p, c);
  if (p.value_bytes == 16) return over<Kokkos::complex<double>>(p, c);
  return p.value_bytes == 4 ? over<float>(p, c) : over<double>(p, c);
}

std::uint64_t format_bytes(Problem const& p, Choice const& c) { return predicted_footprint(p, c).bytes; }

std::uint64_t detail::conversion_workspace(Problem const& p, Choice const& c, int threads) {
  auto const rows = static_cast<std::uint64_t>(p.stats.rows);
  std::uint64_t const keys = c.rows_by_length ? saturating_product(rows, sorted_key_bytes) : 0;
  if (c.format == "csc") return transposition_bytes<Offset>(p.stats.cols, p.stats.nnz, threads);
  if (c.format == "hyb") return tail_offsets_bytes(p.stats.rows, p.stats.nnz);
  if (c.format == "sell")
    return saturating_sum(keys, sell_workspace_bytes<Kokkos::DefaultHostExecutionSpace, Ordinal>(
                                    p.stats.rows, p.stats.nnz, sell_options(c, {})));
  return keys;
}

}  // namespace araia
