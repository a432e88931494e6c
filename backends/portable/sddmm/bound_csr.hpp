// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// D = alpha A .* (X op(Y)) + beta D with a Csr as it lies, for plans: the kernel that a descriptor names, bound.

#include <cstdint>
#include <memory>
#include <utility>

#include <araia/detail/dispatch/sddmm.hpp>
#include <araia/detail/kernels/sddmm_tuning.hpp>
#include <araia/plan/choice.hpp>

namespace araia::detail {

/// \tparam Bound  of extend/kernel.hpp, for SddmmDesc
template <class Bound, class Exec, class Source>
class CsrSampled final : public Bound {
 public:
  /// \param twin  runs operands that the tuning's kernel does not take although they are as described
  CsrSampled(Source source, CsrSddmmTuning const& tuning, CsrSddmmKernel twin, bool conjugate)
      : source_(std::move(source)), tuning_(tuning), twin_(twin), conjugate_(conjugate) {}

  void run(Exec const& exec, typename Bound::Sum alpha, typename Bound::Operand const& factors,
           typename Bound::Sum beta, typename Bound::Result const& d) const override {
    auto const a = source_.pointers();
    auto tuning = tuning_;
    if (!supports_sampled(exec, tuning.kernel, a, factors.x, factors.y, d.data)) tuning.kernel = twin_;
    sddmm_pointers(exec, tuning, conjugate_, alpha, a, factors.x, factors.y, beta, d.data);
  }
  void update_values(Exec const&, Source const& source) override { source_ = source; }
  [[nodiscard]] std::uint64_t bytes() const override { return 0; }

 private:
  Source source_;
  CsrSddmmTuning tuning_;
  CsrSddmmKernel twin_;
  bool conjugate_;
};

/// Base of descriptors of kernels that multiply a Csr as it lies: binds their tuning, with the parameters of the
/// choice.
template <class Descriptor, CsrSddmmKernel twin = CsrSddmmKernel::equal_chunks>
struct SampledAsItLies {
  template <class Bound, class Exec, class Source, class Options>
  static std::shared_ptr<Bound> bind(Exec const&, Source const& source, Choice const& choice, Options const& options) {
    auto tuning = Descriptor::tuning;
    tuning.entries_per_thread = choice.entries;
    tuning.team_size = choice.team_size;
    tuning.vector_length = choice.vector_length;
    return std::make_shared<CsrSampled<Bound, Exec, Source>>(source, tuning, twin, conjugates(options.op));
  }
};

}  // namespace araia::detail
