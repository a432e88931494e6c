// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/machine/prices.hpp"

#include <string>

#include <araia/error.hpp>
#include <araia/plan/machine.hpp>
#include "src/formatted.hpp"
#include "src/machine/prices/h200.hpp"
#include "src/machine/prices/x86.hpp"

namespace araia::detail {

double Prices::operator[](char const* name) const {
  auto const* const found = find(name);
  if (!found)
    throw Error(ErrorKind::internal, "araia: the prices of '" + std::string(machine_) + "' have no '" + name + "'");
  return found->value;
}

Prices const& prices_named(std::string_view machine) {
  static constexpr auto h200 = hashed(prices::h200);
  static constexpr auto x86 = hashed(prices::x86);
  static constexpr Prices of_h200("h200", true, h200);
  static constexpr Prices of_x86("x86", false, x86);
  static constexpr Prices none("none", false, {});
  if (machine == of_h200.machine()) return of_h200;
  return machine == of_x86.machine() ? of_x86 : none;
}

Prices const& prices_of(Machine const& m) {
  if (!m.prices.empty()) {
    auto const& prices = prices_named(m.prices);
    if (prices.machine() != m.prices || (!prices.empty() && prices.of_device() != m.device))
      throw Error(ErrorKind::invalid_argument,
                  formatted("araia: machine.prices is '{}', expected {} or none", m.prices, m.device ? "h200" : "x86"));
    return prices;
  }
  return prices_named(m.device ? "h200" : "x86");
}

}  // namespace araia::detail
