// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes, operations and time of a candidate: what descriptors and storages say, with what all share.
#include <algorithm>
#include <cstdint>
#include <limits>

#include <araia/detail/plan/traffic.hpp>
#include "src/engine/kernels.hpp"
#include "src/engine/names.hpp"
#include "src/kernel/operations.hpp"
#include "src/plan/format_options.hpp"
#include "src/storage/sizes.hpp"

namespace araia {

using detail::Kernel;
using detail::kernel_of;

namespace {

/// Of the problem's operation, or else of any: storages are the same.
Kernel const* any_kernel_of(Problem const& p, Choice const& c) {
  auto const* const kernel = kernel_of(p, c);
  return kernel ? kernel : detail::kernel_named(c.format, c.kernel);
}

/// Seconds of y = op(A) x, or C = op(A) B.
double product_seconds(Problem const& p, Choice const& c, Machine const& m, Footprint const& f) {
  auto const* const kernel = kernel_of(p, c);
  if (!kernel) return std::numeric_limits<double>::infinity();
  Traffic const t = traffic(p, c, m, f);
  auto const& prices = detail::prices_of(m);
  Pricing const pricing{kernel->info, p, c, m, f, t, prices};
  bool const needs_prices = kernel->info.runs != Runs::where_bound;
  double const seconds = prices.empty() && needs_prices ? roofline_seconds(pricing) : kernel->seconds(pricing);
  return seconds > 0 ? seconds : std::numeric_limits<double>::infinity();  // what an application says may be anything
}

/// Do slots hold more than entries, as far as the sample says?
bool has_fill(Problem const& p, Choice const& c) {
  return predicted_footprint(p, c).slots >= p.stats.nnz + std::int64_t{c.block_rows} * c.block_cols;
}

}  // namespace

Footprint predicted_footprint(Problem const& p, Choice const& c) {
  auto const* const kernel = any_kernel_of(p, c);
  if (kernel && kernel->footprint) return kernel->footprint(p, c);
  auto const* const storage = detail::storage_named(c.format);
  if (!storage || !storage->footprint) return {};
  auto footprint = storage->footprint(p, c);
  footprint.bytes = detail::saturating_sum(footprint.bytes, detail::kernel_bytes(p, c));
  return footprint;
}

std::uint64_t format_bytes(Problem const& p, Choice const& c) { return predicted_footprint(p, c).bytes; }

Traffic traffic(Problem const& p, Choice const& c, Machine const& m, Footprint const& f) {
  auto const* const kernel = any_kernel_of(p, c);
  if (kernel && kernel->traffic) return kernel->traffic(p, m, f);
  Traffic t;
  t.matrix_bytes = kernel && kernel->matrix_bytes ? kernel->matrix_bytes(p, c, f, m) : static_cast<double>(f.bytes);
  double const result = detail::result_elements(p) * p.y_bytes;
  // Scattering kernels first write zeros, then read and write every element that they meet; a tail those of its rows.
  double const tail = 2 * std::min(result, static_cast<double>(f.tail * p.columns) * p.y_bytes);
  double const operand = kernel && kernel->gathered_bytes ? kernel->gathered_bytes(p, m) : detail::gathered_bytes(p, m);
  t.operand_bytes = operand + detail::streamed_elements(p) * p.x_bytes +
                    (kernel && kernel->info.zeroes_result ? 3 * result : result + tail);
  t.flops = 2 * static_cast<double>(p.stats.nnz) * static_cast<double>(p.columns) * (p.complex_values ? 4 : 1);
  return t;
}

Traffic traffic(Problem const& p, Choice const& c, Machine const& m) {
  return traffic(p, c, m, predicted_footprint(p, c));
}

double modelled_seconds(Problem const& p, Choice const& c, Machine const& m, Footprint const& f) {
  double const product = product_seconds(p, c, m, f);
  if (!p.fused || fuses(p, c, m)) return product;
  // Two vectors are read again, by a launch of its own.
  return product + m.launch_seconds + detail::memory_seconds(detail::result_rows(p) * (p.x_bytes + p.y_bytes), m);
}

double modelled_seconds(Problem const& p, Choice const& c, Machine const& m) {
  return modelled_seconds(p, c, m, predicted_footprint(p, c));
}

double modelled_conversion_seconds(Problem const& p, Choice const& c, Machine const& m, Footprint const& f) {
  if (auto const* const kernel = kernel_of(p, c); kernel && kernel->conversion_seconds)
    return kernel->conversion_seconds(p, m);
  if (detail::is_source(p.operation, c)) return 0;
  auto const& prices = detail::prices_of(m);
  double const threads = m.device ? 1 : std::max(1, m.concurrency);
  detail::PriceName rate_name("storage/");
  (rate_name += c.format) += ".rate";
  constexpr double unmeasured = 0.2e9;
  double rate = prices.get(rate_name, unmeasured) * threads;
  if (c.diagonals) rate *= prices.get("storage/rate_of_diagonals", 1);
  // What is written beyond the source's own bytes is padding and fill, into pages that are new.
  constexpr double unmeasured_share = 0.3;  // of the copy bandwidth
  double const writes = m.device ? prices.get("storage/writes", unmeasured_share) * m.copy_bandwidth
                                 : prices.get("storage/writes", unmeasured) * threads;
  constexpr double launches = 10;
  double const source = static_cast<double>(detail::source_bytes(p));
  double const beyond = std::max(0.0, static_cast<double>(f.bytes) - source);
  return source / rate + beyond / writes + launches * m.launch_seconds;
}

double modelled_conversion_seconds(Problem const& p, Choice const& c, Machine const& m) {
  return modelled_conversion_seconds(p, c, m, predicted_footprint(p, c));
}

bool fuses(Problem const& p, Choice const& c, Machine const& m) {
  if (p.operation != OpId::spmv || transposes(p.op) || p.complex_values || p.strided) return false;
  auto const* const kernel = kernel_of(p, c);
  return kernel && kernel->fuses && (m.device ? kernel->info.on_device() : kernel->info.on_host()) && kernel->fuses(p);
}

Precision precision_of(Problem const& p, Choice const& c) {
  auto const* const kernel = any_kernel_of(p, c);
  return kernel && kernel->precision ? kernel->precision(p) : Precision::native;
}

bool mixes_rows(Problem const& p, Choice const& c, Footprint const& f) {
  auto const* const kernel = any_kernel_of(p, c);
  return kernel && kernel->info.multiplies_fill && f.exact && f.slots != p.stats.nnz;
}

bool is_priced(Problem const& p, Choice const& c, Machine const& m) {
  auto const* const kernel = kernel_of(p, c);
  if (!kernel) return false;
  if (kernel->is_priced) return kernel->is_priced(p, m);
  // What is not finite would reach rows that share a block, which a model's choice for a Csr must not cause.
  if (kernel->info.multiplies_fill && has_fill(p, c)) return false;
  // The application says what it takes, and without prices bytes and flops do.
  if (kernel->info.runs == Runs::where_bound || detail::prices_of(m).empty()) return true;
  Footprint const none{};
  Traffic const nothing{};
  Pricing const pricing{kernel->info, p, c, m, none, nothing, detail::prices_of(m)};
  return pricing.price(m.device ? "waste" : "entry", 0) > 0;
}

}  // namespace araia

std::uint64_t araia::detail::conversion_workspace(Problem const& p, Choice const& c, int threads) {
  auto const* const storage = storage_named(c.format);
  return storage && storage->workspace ? storage->workspace(p, c, threads) : 0;
}
