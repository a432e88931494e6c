// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/cli/container.hpp"

namespace araia::cli::detail {

[[gnu::used]] static void write_out_containers() {
  using namespace araia::detail;
  for_types<Scalars>([&]<class Scalar>() { write_out(container_of<Scalar>); });
}

}  // namespace araia::cli::detail
