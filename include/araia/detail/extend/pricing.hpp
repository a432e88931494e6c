// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One product as a kernel's descriptor is asked to price it.

#include <string_view>

#include <araia/detail/extend/kernel_info.hpp>
#include <araia/detail/plan/traffic.hpp>

namespace araia {

namespace detail {
class Prices;
}

/// One kernel on one product, with what its matrix takes and moves.
struct Pricing {
  KernelInfo const& kernel;
  Problem const& problem;
  Choice const& choice;
  Machine const& machine;
  Footprint const& footprint;
  Traffic const& traffic;
  detail::Prices const& prices;  ///< what the library measured on such a machine

  [[nodiscard]] double nnz() const { return static_cast<double>(problem.stats.nnz); }
  [[nodiscard]] double columns() const { return static_cast<double>(problem.columns); }
  [[nodiscard]] double longest() const { return static_cast<double>(problem.stats.max_length); }
  [[nodiscard]] double rows() const;  ///< of the result
  /// The price "<operation>/<storage>_<name>.<term>" of the kernel, or `otherwise`.
  [[nodiscard]] double price(std::string_view term, double otherwise) const;
};

/// Launch, and the slower of memory and arithmetic: what a kernel takes at least, and what one without a model says.
[[nodiscard]] double roofline_seconds(Pricing const& a);

}  // namespace araia
