// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <string>

#include <araia/error.hpp>
#include <araia/ops/spgemm_options.hpp>

#include "src/formatted.hpp"

namespace araia {
namespace {

struct Named {
  SpgemmKernel kernel;
  char const* name;
};
constexpr std::array<Named, 6> kernels{{{SpgemmKernel::automatic, "automatic"},
                                        {SpgemmKernel::row_bins, "row_bins"},
                                        {SpgemmKernel::dense_window, "dense_window"},
                                        {SpgemmKernel::hash, "hash"},
                                        {SpgemmKernel::expand_sort_merge, "expand_sort_merge"},
                                        {SpgemmKernel::outer_product, "outer_product"}}};

}  // namespace

std::string_view to_string(SpgemmKernel kernel) noexcept {
  for (auto const& k : kernels)
    if (k.kernel == kernel) return k.name;
  return "";
}

std::vector<std::string> spgemm_kernel_names() {
  std::vector<std::string> names;
  for (auto const& k : kernels) names.emplace_back(k.name);
  return names;
}

SpgemmKernel spgemm_kernel(std::string_view name) {
  for (auto const& k : kernels)
    if (name == k.name) return k.kernel;
  throw Error(ErrorKind::invalid_argument,
              detail::formatted("araia::spgemm_kernel: no kernel is called '{}', expected one of {}", name,
                                detail::joined(spgemm_kernel_names())));
}

std::string explain(SpgemmReport const& r) {
  std::string text = detail::formatted("C is {} x {} with {} entries of {} products ({:.2f} for an entry)\n", r.rows,
                                       r.cols, r.nnz, r.products, r.compression());
  text += detail::formatted("kernel {}; C takes {} bytes with offsets of {} bits, the workspace {}, both at most {}\n",
                            to_string(r.kernel), r.bytes, r.offset_bits, r.workspace_bytes, r.peak_bytes);
  for (auto const& bin : r.bins)
    text += detail::formatted("  {}: {} rows{}\n", bin.name, bin.rows,
                              bin.products > 0 ? detail::formatted(" with {} products", bin.products) : "");
  for (auto const& other : r.alternatives)
    if (other.kernel != r.kernel)
      text += detail::formatted("  {} would have taken {} bytes of workspace\n", to_string(other.kernel),
                                other.workspace_bytes);
  return text;
}

}  // namespace araia
