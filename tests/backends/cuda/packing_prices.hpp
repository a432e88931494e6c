// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the rules of the packings for SpMM expect of a product, beside each other.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "backends/cuda/spmm/csr_jammed/choice.hpp"
#include "backends/cuda/spmm/csr_lockstep/choice.hpp"
#include "backends/cuda/spmm/csr_padded_rows/choice.hpp"
#include "backends/cuda/spmm/csr_row_groups/choice.hpp"
#include "backends/cuda/spmm/csr_tensor_tiles/choice.hpp"

namespace araia::test {

/// Names and seconds of those that run it.
inline std::vector<std::pair<std::string, double>> packing_prices(cuda::SpmmProblem const& p) {
  std::vector<std::pair<std::string, double>> all;
  auto const add = [&](char const* name, auto const& choice) {
    if (choice) all.emplace_back(name, choice->seconds);
  };
  add("padded_rows", cuda::choose_padded_rows(p));
  add("lockstep", cuda::choose_lockstep(p));
  add("jammed", cuda::choose_jammed(p));
  add("tensor_tiles", cuda::choose_tiles(p));
  add("row_groups", cuda::price_row_groups(p));
  return all;
}

/// The name of the fastest one.
inline std::string fastest_packing(cuda::SpmmProblem const& p) {
  auto const all = packing_prices(p);
  return std::min_element(all.begin(), all.end(), [](auto const& x, auto const& y) { return x.second < y.second; })
      ->first;
}

}  // namespace araia::test
