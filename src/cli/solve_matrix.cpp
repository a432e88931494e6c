// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/cli/solve.hpp"

namespace araia::cli {

int solve_matrix(SolveRequest const& request) {
  throw Error(ErrorKind::unsupported,
              formatted("{} is no water network (.inp), expected one", in_quotes(request.settings.file)));
}

}  // namespace araia::cli
