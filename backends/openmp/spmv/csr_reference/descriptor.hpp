// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y = alpha op(A) x + beta y by the textbook's loops, on the caller's thread: row after row, entry after entry.
// Source   [Gustavson1978], the product row by row; differs: transposed products, and operands of any strides.

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include <araia/extend/kernel_info.hpp>
#include <araia/formats/pointers.hpp>
#include "backends/openmp/csr_reference_loops.hpp"
#include "src/kernel/pricing.hpp"

namespace araia::kernels {

struct CsrReferenceSpmv {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "csr",
                                   .name = "reference",
                                   .side = Side::both,
                                   .runs = Runs::where_bound,
                                   .own_row_order = true,
                                   .hosts_alone = true,
                                   .conjugates = true,
                                   .reads_source = true};
  /// One thread at work.
  static double seconds(Pricing const& a) {
    constexpr double entry = 2e-9;
    return a.machine.launch_seconds + a.nnz() * a.columns() * entry;
  }

  template <class Bound, class Exec, class Source, class Options>
  static std::shared_ptr<Bound> bind(Exec const&, Source const& source, Choice const&, Options const& options) {
    return std::make_shared<host::CsrReference<Bound, Exec, Source>>(source, options.op);
  }
};

}  // namespace araia::kernels
