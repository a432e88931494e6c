// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha op(A) B + beta C by the textbook's loops, on the caller's thread: row after row, entry after entry.
// Source   [Gustavson1978], the product row by row; differs: transposed products, and operands of any strides.
// Code: backends/openmp/csr_reference_loops.hpp. Test: tests/plan/test_own_kernel.cpp.

#include <araia/detail/extend/kernel_info.hpp>
#include "backends/openmp/csr_reference_loops.hpp"

namespace araia::kernels {

struct CsrReferenceSpmm : host::CsrReferenceKernel {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "csr",
                                   .name = "reference",
                                   .side = Side::both,
                                   .runs = Runs::where_bound,
                                   .own_row_order = true,
                                   .hosts_alone = true,
                                   .conjugates = true,
                                   .reads_source = true};
};

}  // namespace araia::kernels
