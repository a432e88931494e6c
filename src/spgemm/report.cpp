// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <string>
#include <vector>

#include <araia/detail/ops/spgemm_options.hpp>
#include <araia/error.hpp>
#include <araia/plan/choice.hpp>

#include "src/formatted.hpp"

namespace araia {

void detail::refuse_spgemm_kernel(std::string const& kernel, std::vector<std::string> const& of_types) {
  auto const all = kernel_names("csr", OpId::spgemm, Op::none);
  if (std::find(all.begin(), all.end(), kernel) == all.end())
    throw Error(ErrorKind::invalid_argument,
                formatted("araia::make_spgemm: no kernel is called '{}', expected automatic or one of {}", kernel,
                          joined(all)));
  throw Error(ErrorKind::unsupported,
              formatted("araia::make_spgemm: the kernel {} does not run these types here, expected one of {}", kernel,
                        joined(of_types)));
}

std::string explain(SpgemmReport const& r) {
  std::string text = detail::formatted("C is {} x {} with {} entries of {} products ({:.2f} for an entry)\n", r.rows,
                                       r.cols, r.nnz, r.products, r.compression());
  text += detail::formatted("kernel {}; C takes {} bytes with offsets of {} bits, the workspace {}, both at most {}\n",
                            r.kernel, r.bytes, r.offset_bits, r.workspace_bytes, r.peak_bytes);
  for (auto const& bin : r.bins)
    text += detail::formatted("  {}: {} rows{}\n", bin.name, bin.rows,
                              bin.products > 0 ? detail::formatted(" with {} products", bin.products) : "");
  for (auto const& other : r.alternatives)
    if (other.kernel != r.kernel)
      text += detail::formatted("  {} would have taken {} bytes of workspace\n", other.kernel, other.workspace_bytes);
  return text;
}

}  // namespace araia
