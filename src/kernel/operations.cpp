// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/kernel/operations.hpp"

#include <algorithm>

#include "src/formatted.hpp"
#include "src/kernel/pricing.hpp"

namespace araia::detail {

double result_elements(Problem const& p) {
  if (p.operation == OpId::sddmm) return static_cast<double>(p.stats.nnz);
  return result_rows(p) * static_cast<double>(p.columns);
}

double operand_elements(Problem const& p) {
  return operand_rows(p) * static_cast<double>(p.columns) + streamed_elements(p);
}

double streamed_elements(Problem const& p) {
  return p.operation == OpId::sddmm ? result_rows(p) * static_cast<double>(p.columns) : 0;
}

double terms_of_element(Problem const& p) {
  if (p.operation == OpId::sddmm) return std::max(1.0, static_cast<double>(p.columns));
  return std::max(1.0, static_cast<double>(p.stats.nnz) / std::max(1.0, result_rows(p)));
}

std::string operation_title(Problem const& p) {
  switch (p.operation) {
    case OpId::spmv: break;
    case OpId::spmm: return formatted("SpMM of {} columns", p.columns);
    case OpId::sddmm: return formatted("SDDMM of {} columns", p.columns);
    case OpId::spgemm: return formatted("SpGEMM of {} products", p.sparse.products);
  }
  return "SpMV";
}

}  // namespace araia::detail
