// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The registry: descriptors of backends/all.hpp without their types. Nothing here or beside it names a kernel.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <typeindex>
#include <vector>

#include <araia/detail/plan/traffic.hpp>
#include <araia/extend/kernel.hpp>
#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"
#include "src/storage/info.hpp"

namespace araia::detail {

/// Those of the library, then those that applications registered.
[[nodiscard]] std::span<Kernel const> kernels();

/// What binds the kernel of a choice for these types, type Bound<...>; null where nothing does.
[[nodiscard]] AnyBind binding_of(KernelInfo const& kernel, std::type_index types);

/// "csr/own" of all kernels that applications bound for these types, for Problem::bound.
[[nodiscard]] std::vector<std::string> bound_names(std::type_index types);

/// Is it of kernels that are bound for some types, and not for those of the problem?
[[nodiscard]] bool is_unbound(KernelInfo const& kernel, Problem const& problem);

/// The kernel of a choice for the problem's operation, or null. Of several of one name the first that runs the types
/// and reads the parameters that the choice sets, else the first that runs them, else the first.
[[nodiscard]] Kernel const* kernel_of(Problem const& problem, Choice const& choice);

/// The first of this name, whatever its operation and what it runs, or null.
[[nodiscard]] Kernel const* kernel_named(std::string_view storage, std::string_view name);

/// Bytes that the kernel must know of the matrix beside its storage, where it reads them in every product.
[[nodiscard]] std::uint64_t kernel_bytes(Problem const& problem, Choice const& choice);

}  // namespace araia::detail
