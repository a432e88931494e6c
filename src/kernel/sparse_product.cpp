// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/kernel/sparse_product.hpp"

#include <algorithm>

#include "src/kernel/pricing.hpp"

namespace araia::detail {
namespace {

/// Threads that share the work; a device's prices are of all of it.
double threads_of(Machine const& m) { return m.device ? 1 : std::max(1, m.concurrency); }

double entry_bytes(Problem const& p) { return p.value_bytes + p.ordinal_bytes; }

}  // namespace

double sparse_result_entries(Problem const& p) {
  if (p.sparse.entries >= 0) return static_cast<double>(p.sparse.entries);
  return std::min(static_cast<double>(p.sparse.products),
                  static_cast<double>(p.stats.rows) * static_cast<double>(p.columns));
}

Traffic sparse_traffic(Problem const& p, Machine const& m, Footprint const& f) {
  auto const products = static_cast<double>(p.sparse.products);
  double const b_rows = static_cast<double>(p.stats.cols) * p.offset_bytes;
  double const b_whole = static_cast<double>(p.sparse.b_entries) * entry_bytes(p) + b_rows;
  double const cache = static_cast<double>(m.cache_bytes) / 2;
  double const missed = b_whole <= cache ? 0 : 1 - cache / b_whole;
  Traffic t;
  t.matrix_bytes = static_cast<double>(f.bytes);
  t.operand_bytes = std::max(std::min(b_whole, products * entry_bytes(p)), missed * products * entry_bytes(p)) +
                    sparse_result_entries(p) * (p.ordinal_bytes + p.y_bytes) +
                    static_cast<double>(p.stats.rows) * p.offset_bytes;
  t.flops = 2 * products * (p.complex_values ? 4 : 1);
  return t;
}

double sparse_seconds(Pricing const& a) {
  auto const& p = a.problem;
  auto const products = static_cast<double>(p.sparse.products);
  double const memory = memory_seconds(a.traffic.bytes(), a.machine);
  if (a.machine.device)
    return a.machine.launch_seconds + std::max({memory * a.price("waste", a.prices["device/unmeasured_waste"]),
                                                products * a.price("product", 0), a.traffic.flops / a.machine.flops});
  double const entry = a.price("entry", 0) * (p.complex_values ? 4 : 1);
  double const chain = a.kernel.even_work ? 0 : static_cast<double>(p.sparse.most_products) * entry;
  return a.machine.launch_seconds +
         std::max({memory, (products * entry + a.rows() * a.prices["host/row"]) / threads_of(a.machine), chain});
}

double sparse_first_seconds(KernelInfo const& kernel, Problem const& p, Machine const& m, double words) {
  auto const& prices = prices_of(m);
  auto const price = [&](char const* term) { return prices.get(price_name(kernel, term), 0); };
  constexpr double launches = 10;
  return launches * m.launch_seconds +
         (static_cast<double>(p.sparse.products) * price("first") + words * price("word")) / threads_of(m);
}

}  // namespace araia::detail
