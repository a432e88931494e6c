// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The matrices that the flags ask for, made or read when they are first needed.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <araia/detail/generate/generated_matrix.hpp>

#include "options.hpp"

namespace araia::perf {

/// A matrix known by name; get() makes it, release() drops it.
struct LazyMatrix {
  std::string name, klass;
  std::function<GeneratedMatrix()> make;
  std::optional<GeneratedMatrix> made{};

  GeneratedMatrix const& get() {
    if (!made) made = make();
    return *made;
  }
  void release() { made.reset(); }
};

/// Files are called by their stem, those that share one by their folder and whole name: results are told apart by it.
/// \throws std::invalid_argument where two names are the same still
std::vector<std::shared_ptr<LazyMatrix>> list_matrices(Options const& options);

/// Null, and a line on standard output, for a matrix that is left out.
GeneratedMatrix const* made_or_left_out(LazyMatrix& matrix);

}  // namespace araia::perf
