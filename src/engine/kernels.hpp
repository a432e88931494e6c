// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The registry: descriptors of backends/all.hpp without their types. Nothing here or beside it names a kernel.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <araia/plan/traffic.hpp>
#include "src/kernel/info.hpp"
#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"
#include "src/storage/info.hpp"

namespace araia::detail {

/// A descriptor's constants and functions; what it does not have is null, and means what is said here.
struct Kernel {
  KernelInfo info;
  std::string (*refuse)(Problem const&, Choice const&) = nullptr;         ///< null: runs all that info allows
  void (*propose)(Problem const&, Machine const&, Proposals&) = nullptr;  ///< null: tried where it is asked for
  double (*seconds)(Pricing const&) = nullptr;                            ///< of a product
  Footprint (*footprint)(Problem const&, Choice const&) = nullptr;        ///< null: the storage's
  double (*matrix_bytes)(Problem const&, Choice const&, Footprint const&, Machine const&) = nullptr;  ///< null: all
  double (*gathered_bytes)(Problem const&, Machine const&) = nullptr;  ///< of x or B; null: detail::gathered_bytes
  std::uint64_t (*workspace_bytes)(Problem const&) = nullptr;  ///< read in products beside the storage; null: none
  bool (*fuses)(Problem const&) = nullptr;                     ///< residual and multiply_dot in its pass; null: no
  Precision (*precision)(Problem const&) = nullptr;            ///< null: native
};

[[nodiscard]] std::span<Kernel const> kernels();

/// The kernel of a choice for the problem's operation, or null.
[[nodiscard]] Kernel const* kernel_of(Problem const& problem, Choice const& choice);

/// The first of this name, whatever its operation, or null.
[[nodiscard]] Kernel const* kernel_named(std::string_view storage, std::string_view name);

/// Bits of choice_parameters that kernels of this name read, for one column or for several.
[[nodiscard]] unsigned parameters_read(std::string_view storage, std::string_view name);

/// Bytes that the kernel must know of the matrix beside its storage, where it reads them in every product.
[[nodiscard]] std::uint64_t kernel_bytes(Problem const& problem, Choice const& choice);

/// The prices of a machine.
[[nodiscard]] Prices const& prices_of(Machine const& machine);

}  // namespace araia::detail
