// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which half of solve a file is for, and whether the options are of that half.
#include "src/cli/solve.hpp"

#include <string_view>

#include <CLI/CLI.hpp>

namespace araia::cli {
namespace {

bool is_network(std::string const& path) {
  std::string const name = CLI::detail::to_lower(path);
  return name.ends_with(".inp") || name.ends_with(".inp.gz");
}

void refuse_given(bool given, char const* option, std::string_view of, Settings const& s, std::string_view is) {
  if (given) throw Failure(Exit::usage, formatted("{} is for {}, but {} is {}", option, of, in_quotes(s.file), is));
}

}  // namespace

Exit run_solve(Settings const& s) {
  if (is_network(s.file)) {
    constexpr std::string_view of = "matrices";
    constexpr std::string_view is = "a water network";
    refuse_given(!s.rhs.empty(), "--rhs", of, s, is);
    refuse_given(s.tolerance != 0, "--tolerance", of, s, is);
    refuse_given(!s.precondition.empty(), "--precondition", of, s, is);
    refuse_given(!s.format.empty(), "--format", of, s, is);
    refuse_given(s.max_iterations != 0, "--max-iterations", of, s, is);
    refuse_given(!s.device.empty(), "--device", of, s, is);
    refuse_given(!s.kind.empty(), "--kind", of, s, is);
    return solve_network(s);
  }
  refuse_given(!s.method.empty(), "--method", "water networks (.inp)", s, "none");
  return solve_matrix(s);
}

}  // namespace araia::cli
