// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What descriptors of kernels that pack a Csr for SpMM on CUDA share: one rule says which of them run a product, and in
// what time.

#include <memory>
#include <optional>
#include <string>
#include <type_traits>

#include "backends/cuda/lib/spmm_choice.hpp"
#include "src/kernel/packed_spmm.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::cuda {

/// The kernel's seconds of a product with B and C row-major, by the rule; nothing where it does not run it.
[[nodiscard]] std::optional<double> packed_seconds(Problem const& p, Machine const& m, SpmmKernel kernel);

/// Those of padded rows, which no SpMM beats where it reads B as rows of Csr do; nothing where they are not bound.
[[nodiscard]] std::optional<double> padded_rows_seconds(Problem const& p, Machine const& m);

/// Were the rules of CUDA measured on such a machine?
[[nodiscard]] bool is_measured(Machine const& m);

/// Of packing a Csr on the host, copies from and to a device included.
/// \param thread_seconds  of one thread at work
/// \param bytes           of the packing
[[nodiscard]] double packing_seconds(Problem const& p, double thread_seconds, int threads, std::uint64_t bytes);

/// Scalars of kernels that multiply float alone.
using Floats = std::conditional_t<detail::has_all_types, detail::ListOf<float>, detail::ListOf<>>;

/// Packs the source on the host and brings it to the device. Written out in the bound.cpp of each kernel.
/// \throws araia::Error unsupported where the kernel does not run so many columns; resource_limit; device
template <SpmmKernel kernel, class Own, class Exec, class Source, class Options>
std::shared_ptr<Own> bind_packed(Exec const& exec, Source const& source, Options const& options);

/// Descriptors say what is their own: the bytes of a packing without padding (packed_bytes), and the seconds that one
/// thread packs (thread_seconds).
template <class Descriptor, SpmmKernel kernel, class Scalars = detail::Reals>
struct PackedKernel {
  static void propose(Problem const&, Machine const&, Proposals& list) {
    list.add({.format = "csr", .kernel = kernel_name(kernel)});
  }
  static std::string refuse(Problem const& p, Choice const&, Machine const& m) {
    return packed_seconds(p, m, kernel) ? detail::why_too_many_entries(p, Descriptor::info)
                                        : detail::why_not_packed(p, Descriptor::info);
  }
  static Footprint footprint(Problem const& p, Choice const&) {
    return {.bytes = Descriptor::packed_bytes(p), .slots = p.stats.nnz};
  }
  static double seconds(Pricing const& a) {
    auto const by_rule = packed_seconds(a.problem, a.machine, kernel);
    return by_rule ? detail::rule_seconds(a, *by_rule) : 0;
  }
  static double conversion_seconds(Problem const& p, Machine const& m) {
    return packing_seconds(p, Descriptor::thread_seconds(p), m.host_threads, Descriptor::packed_bytes(p));
  }
  static bool is_priced(Problem const&, Machine const& m) { return is_measured(m); }
  template <class Own, class Exec, class Source, class Options>
  requires(detail::multiplies_one_real<Own, Source>&& detail::is_listed<
           Scalars, typename Source::value_type>) static std::shared_ptr<Own> bind(Exec const& exec,
                                                                                   Source const& source, Choice const&,
                                                                                   Options const& options) {
    return bind_packed<kernel, Own>(exec, source, options);
  }
};

}  // namespace araia::cuda
