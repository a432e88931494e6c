// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What descriptors of SpGEMM share: bytes, operations and seconds by the facts of a product of two sparse matrices.
// What a plan repeats, "a product" of its report, is new values in a C whose columns are known; what it does once, the
// report's conversion, is the symbolic step and the first filling.

#include <araia/detail/extend/pricing.hpp>
#include <araia/detail/plan/traffic.hpp>

#include "src/kernel/proposals.hpp"

namespace araia::detail {

/// Entries of C: counted, or the most that there can be.
[[nodiscard]] double sparse_result_entries(Problem const& p);

/// Of a product: A, the rows of B that its entries name, and C; 2 flop a product, 8 of complex numbers.
[[nodiscard]] Traffic sparse_traffic(Problem const& p, Machine const& m, Footprint const& f);

/// Seconds of new values: launch, and the slower of memory and work. Prices "entry", of a thread of a host a product,
/// and on devices "waste", over the bytes' time, and "product".
[[nodiscard]] double sparse_seconds(Pricing const& a);

/// Seconds of the symbolic step and the first filling. Prices of a product, "first", and of a word, "word", of a thread
/// of a host, or of a device. \param words  that are read beside the products
[[nodiscard]] double sparse_first_seconds(KernelInfo const& kernel, Problem const& p, Machine const& m,
                                          double words = 0);

/// Base of the descriptors: a kernel that is tried as it is, priced by its own prices.
template <class Descriptor>
struct SparseProduct : ProposedAsIs<Descriptor> {
  static Traffic traffic(Problem const& p, Machine const& m, Footprint const& f) { return sparse_traffic(p, m, f); }
  static double seconds(Pricing const& a) { return sparse_seconds(a); }
  static double conversion_seconds(Problem const& p, Machine const& m) {
    return sparse_first_seconds(Descriptor::info, p, m);
  }
};

}  // namespace araia::detail
