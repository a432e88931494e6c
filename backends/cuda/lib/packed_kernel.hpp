// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What descriptors of kernels that pack a Csr for SpMM on CUDA share.

#include <memory>
#include <optional>
#include <string>
#include <type_traits>

#include "backends/cuda/lib/spmm_problem.hpp"
#include "src/kernel/packed_spmm.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::cuda {

/// The product as rules see it; nothing where no packing of CUDA runs it.
[[nodiscard]] std::optional<SpmmProblem> packed_problem(Problem const& p, Machine const& m);

/// Seconds that no kernel undercuts that reads B row by row, as Csr does: those of padded rows. Nothing where they are
/// not bound.
[[nodiscard]] std::optional<double> least_seconds_of_rows(Problem const& p, Machine const& m);

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
template <class Descriptor, class Own, class Exec, class Source, class Options>
std::shared_ptr<Own> bind_packed(Exec const& exec, Source const& source, Options const& options);

/// Descriptors say what is their own: their rule (choose), the bytes of a packing without padding (packed_bytes), and
/// the seconds that one thread packs (thread_seconds): fits to matrices of 512 to 8192 rows, 0.6 to 0.98 sparse, on two
/// cores of Emerald Rapids.
template <class Descriptor, class Scalars = detail::Reals>
struct PackedKernel : detail::ProposedAsIs<Descriptor> {
  using scalars = Scalars;

  static std::string refuse(Problem const& p, Choice const&, Machine const& m) {
    auto const problem = packed_problem(p, m);
    return problem && Descriptor::choose(*problem) ? detail::why_too_many_entries(p, Descriptor::info)
                                                   : detail::why_not_packed(p, Descriptor::info);
  }
  static Footprint footprint(Problem const& p, Choice const&) {
    return {.bytes = Descriptor::packed_bytes(p), .slots = p.stats.nnz};
  }
  static double seconds(Pricing const& a) {
    auto const problem = packed_problem(a.problem, a.machine);
    if (!problem) return 0;
    auto const made = Descriptor::choose(*problem);
    return made ? detail::rule_seconds(a, made->seconds) : 0;
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
    return bind_packed<Descriptor, Own>(exec, source, options);
  }
};

}  // namespace araia::cuda
