// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What descriptors of kernels that pack a matrix of their own for SpMM share.

#include <string>
#include <type_traits>

#include <araia/detail/extend/pricing.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/formats/type_list.hpp>

namespace araia::detail {

/// Are the values of A, B and C of one real type of the build?
/// \tparam Own  a Bound of SpmmDesc, of extend/kernel.hpp
template <class Own, class Source>
inline constexpr bool multiplies_one_real = is_listed<Reals, typename Source::value_type>&&
    std::is_same_v<typename Own::Operand, DenseMatrix<typename Source::value_type const>>&&
        std::is_same_v<typename Own::Result, DenseMatrix<typename Source::value_type>>;

/// Why there is no such matrix for the product: the rule of its backend has no shape.
[[nodiscard]] std::string why_not_packed(Problem const& p, KernelInfo const& kernel);

/// Empty, or why 32-bit offsets do not reach the entries.
[[nodiscard]] std::string why_too_many_entries(Problem const& p, KernelInfo const& kernel);

/// Seconds by a rule, but no less than the bytes take. The rule of a device has its kernel's start in it, that of a
/// host is of threads at work alone. \param host_starts  of threads, in a product on a host
[[nodiscard]] double rule_seconds(Pricing const& a, double seconds, double host_starts = 1);

}  // namespace araia::detail
